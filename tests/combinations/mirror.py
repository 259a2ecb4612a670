"""Cases and fields in a mirror across an axis, as far as they are alike for all methods."""

import copy
import re

from program import AXES, SIDES


def along(axis, values):
    """A velocity along the plane across an axis."""
    return [0 if d == axis else value for d, value in enumerate(values)]


def flip(values, axis):
    return [-v if d == axis else v for d, v in enumerate(values)]


def blocks_with(case, key):
    """All blocks of a case that have a key."""
    if isinstance(case, dict):
        if key in case:
            yield case
        for value in case.values():
            yield from blocks_with(value, key)
    elif isinstance(case, list):
        for value in case:
            yield from blocks_with(value, key)


def with_mirrored_vectors(case, axis):
    """The case with its sides and its vectors as they are in a mirror across an axis."""
    case = copy.deepcopy(case)
    sides = case["boundaries"]
    low, high = SIDES[2 * axis:2 * axis + 2]
    sides[low], sides[high] = sides[high], sides[low]
    for key in ("velocity", "body_force", "temperature_gradient", "gravity"):
        for block in blocks_with({k: v for k, v in case.items() if k != "output"}, key):
            block[key] = flip(block[key], axis)
    return case


def mirrored_profile(block, axis, size):
    """The profile of a side in a mirror across an axis, along which the box has a size."""
    if not isinstance(block.get("profile"), dict):
        return {}
    profile = {key: re.sub(rf"\b{AXES[axis]}\b", f"({size!r} - {AXES[axis]})", formula)
               for key, formula in block["profile"].items()}
    key = "velocity_" + AXES[axis]
    if key in profile:
        profile[key] = f"-({profile[key]})"
    return {"profile": profile}


def changes_sign(name, axis):
    """Whether a component has the other sign in a mirror across an axis, by its name."""
    suffix = name.rsplit("_", 1)[-1]
    odd = set(suffix) <= set(AXES) and suffix.count(AXES[axis]) % 2 == 1
    # A rotation goes the other way round in a mirror that holds its axis.
    return odd != ("vorticity" in name or "torque" in name)


def mirrored_values(values, cells, axis):
    """Fields as they are in the mirror, by the names of their components."""
    result = {}
    for name, field in values.items():
        odd = changes_sign(name, axis)
        image = [0.0] * len(field)
        for place, value in enumerate(field):
            at = [place % cells[0], place // cells[0] % cells[1], place // cells[0] // cells[1]]
            at[axis] = cells[axis] - 1 - at[axis]
            image[(at[2] * cells[1] + at[1]) * cells[0] + at[0]] = -value if odd else value
        result[name] = image
    return result


def shifted_values(values, cells, axis):
    """Fields of a periodic box as they are if everything is shifted by one cell along an axis."""
    stride = [1, cells[0], cells[0] * cells[1]][axis]
    n = cells[axis]
    return {name: [field[place - stride if place // stride % n > 0 else place + (n - 1) * stride]
                   for place in range(len(field))]
            for name, field in values.items()}
