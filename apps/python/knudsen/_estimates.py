"""Estimates of errors: of a mean over time, and of a grid."""

from typing import NamedTuple

import numpy
import numpy.typing

from ._knudsen import InputError


class Estimate(NamedTuple):
    """A value and its error."""

    value: float  #: the estimate
    error: float  #: how far it may be from the true value, as the function that made it says


def mean_over_time(values: numpy.typing.ArrayLike, *, last: float = 0.5,
                   batches: int = 10) -> Estimate:
    """The mean of equidistant samples, and its standard error by batch means.

    values: a column of `Results.series`. The share `last` of them counts, without the start of the
    flow. It is cut into `batches` of the same length, and the error is the standard deviation of
    their means divided by the square root of their number. A batch should be longer than the
    slowest fluctuation, such as several periods of vortex shedding. Raises InputError for fewer
    samples than batches, fewer than two batches, or values that are not finite.
    """
    column = numpy.asarray(values, dtype=float)
    if column.ndim != 1:
        raise InputError(f"values: has {column.ndim} dimensions, must have one")
    if not 0 < last <= 1:
        raise InputError(f"last: found {last}, must be above 0 and at most 1")
    if batches < 2:
        raise InputError(f"batches: found {batches}, must be at least 2")
    length = round(last * len(column)) // batches
    if length == 0:
        raise InputError(f"values: {round(last * len(column))} samples count, must be at least "
                         f"{batches}, one for each batch")
    counted = column[len(column) - batches * length:]
    if not numpy.isfinite(counted).all():
        raise InputError("values: some are not finite")
    means = counted.reshape(batches, length).mean(axis=1)
    return Estimate(float(means.mean()), float(means.std(ddof=1) / numpy.sqrt(batches)))


def extrapolate(coarse: float, fine: float, *, ratio: float = 2, order: float = 2) -> Estimate:
    """The value on an infinitely fine grid from those of two grids (Richardson's extrapolation).

    ratio: of the two spacings. order: of the method, 2 for the lattice methods. The error is the
    difference to the value of the fine grid, that is what the fine grid is taken to be wrong by.
    The Mach number must fall with the spacing, as it does at the same relaxation time. Raises
    InputError for a ratio of at most 1 or an order that is not positive.
    """
    if not ratio > 1:
        raise InputError(f"ratio: found {ratio}, must be above 1")
    if not order > 0:
        raise InputError(f"order: found {order}, must be above 0")
    correction = (fine - coarse) / (ratio**order - 1)
    return Estimate(fine + correction, abs(correction))
