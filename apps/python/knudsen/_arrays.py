"""Arrays that callers give."""

from typing import Any

import numpy

from ._knudsen import FieldArray, InputError

_ON_HOST = (1, 3)  # numbers of DLPack for memory of the host, and for such that CUDA has pinned


def host_array(values: Any, what: str) -> numpy.ndarray:
    """The values as an array of NumPy. Raises InputError, whose text begins with `what`, for what is no
    array, is not on the host, or has masked values."""
    if isinstance(values, numpy.ma.MaskedArray) and numpy.ma.is_masked(values):
        raise InputError(f"{what}: found masked values, must have a number in each place, such as "
                         "`filled` puts there")
    if isinstance(values, numpy.ndarray):
        return numpy.asarray(values)
    place = getattr(values, "__dlpack_device__", None)
    if place()[0] not in _ON_HOST if place else hasattr(values, "__cuda_array_interface__"):
        raise InputError(f"{what}: found an array on a device, must be one on the host, such as "
                         "cupy.asnumpy makes of it")
    try:
        return numpy.from_dlpack(values) if isinstance(values, FieldArray) else numpy.asarray(values)
    except Exception as error:  # any library may have made it
        raise InputError(f"{what}: cannot be made an array: {error}") from error
