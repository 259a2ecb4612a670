"""Values of Python as the JSON of a case."""

import json
import math
import os
from typing import Any

from ._knudsen import InputError

_MAX_DEPTH = 100  # as in case files


def json_text(value: Any, where: str) -> str:
    """The value as JSON text. Raises InputError that begins with `where`."""
    return json.dumps(_plain(value, where, "", 0), ensure_ascii=False)


def _plain(value: Any, where: str, path: str, depth: int) -> Any:
    """The value of dict, list, str, bool, int, float and None alone; NumPy's become such."""
    at = f"{where}: {path}: " if path else f"{where}: "
    if depth > _MAX_DEPTH:
        raise InputError(f"{at}is nested more than {_MAX_DEPTH} levels deep")
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{at}found {value}, must be finite")
        return value
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise InputError(f"{at}found the key {key!r}, must be a string")
        return {key: _plain(each, where, f"{path}.{key}" if path else key, depth + 1)
                for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, where, f"{path}[{i}]", depth + 1) for i, each in enumerate(value)]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        plain = value.tolist()
        if isinstance(plain, (bool, int, float, str, list)):
            return _plain(plain, where, path, depth)
    raise InputError(f"{at}found a {type(value).__name__}, must be an object, a list, a string, a "
                     "number, a boolean or null")
