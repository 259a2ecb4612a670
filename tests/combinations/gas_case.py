"""Cases of the gas methods from rows of options, and the same cases in a mirror."""

from covering import Constraint
from mirror import along, mirrored_profile, with_mirrored_vectors
from program import AXES, SIDES

WIDTHS = [0.11, 0.14, 0.09]  # of cells
SIDE_KINDS = ["periodic", "wall", "moving wall", "hot wall", "smooth wall",
              "profiled wall", "scattering wall", "heated wall", "symmetry", "antisymmetric", "reservoir",
              "inflow", "vacuum", "pump", "inlet", "pressure inlet", "pressure outlet"]
REFLECTING = ("wall", "moving wall", "hot wall", "smooth wall", "profiled wall", "scattering wall",
              "heated wall", "symmetry", "antisymmetric", "pump", "inlet")


def side_block(kind, axis, size):
    """What a case says of a side; deviations from rest are multiplied by `size`."""
    def scaled(values):
        return [size * value for value in values]
    if kind in ("periodic", "symmetry", "antisymmetric"):
        return {"type": kind}
    if kind == "wall":
        return {"type": "wall"}
    if kind == "moving wall":
        return {"type": "wall", "velocity": along(axis, scaled([0.2, -0.15, 0.1]))}
    if kind == "hot wall":
        return {"type": "wall", "velocity": along(axis, scaled([-0.1, 0.05, 0.08])),
                "temperature": 1 + 0.3 * size, "accommodation": 0.7}
    if kind == "smooth wall":
        return {"type": "wall", "velocity": along(axis, scaled([0.3, 0.3, 0.3])),
                "accommodation": 0}
    if kind == "profiled wall":
        profile = {"temperature": f"1 + {0.3 * size}*sin(9*x + 7*y - 8*z + {axis})"}
        for d, name in enumerate(AXES):
            if d != axis:
                profile["velocity_" + name] = f"{0.1 * size}*cos({4 + d}*(x - y + 2*z))"
        return {"type": "wall", "profile": profile, "accommodation": 0.7}
    if kind == "scattering wall":
        return {"type": "wall", "velocity": along(axis, scaled([0.1, -0.1, 0.05])),
                "temperature": 1 + 0.2 * size,
                "cercignani_lampis": {"tangential": 0.7, "normal": 0.4}}
    if kind == "heated wall":
        return {"type": "wall", "velocity": along(axis, scaled([-0.1, 0.05, 0.1])),
                "heat_flux": 0.05 * abs(size)}  # gas that leaves into a vacuum cannot be cooled for long
    if kind == "pump":
        return {"type": "pump", "capture": 0.3 + 0.5 * size, "temperature": 1 + 0.2 * size}
    if kind == "inlet":
        return {"type": "inlet", "mass_flux": 0.1 * size, "temperature": 1 - 0.1 * size}
    if kind == "pressure inlet":
        return {"type": "pressure", "pressure": 1 + 0.1 * size, "temperature": 1 - 0.1 * size}
    if kind == "pressure outlet":
        return {"type": "pressure", "pressure": 1 - 0.05 * size}
    if kind in ("reservoir", "vacuum"):
        return {"type": kind}
    return {"type": "reservoir", "density": 1 + 0.2 * size, "temperature": 1 - 0.1 * size,
            "velocity": scaled([0.15, 0.1, -0.05])}


def side_factors(every_kind):
    """Walls at rest, hot ones and those of accommodation 0 are special cases of others."""
    kinds = [kind for kind in SIDE_KINDS
             if every_kind or kind not in ("wall", "hot wall", "smooth wall")]
    factors = {"dimensions": [1, 2, 3], "cells_x": [1, 2, 3, 5, 8], "cells_y": [1, 2, 3, 5],
               "cells_z": [1, 2, 3]}
    for side in SIDES:
        factors[side] = kinds + ["none"]
    return factors


def alike_sides(*values):
    """The key of a pair of values, the same for kinds of two opposite sides along any axis, in any order, for those of
    two that meet, and for both ends of an axis beside another option."""
    sides = [SIDES.index(name) for name, _ in values if name in SIDES]
    if len(sides) == 2:
        place = "opposite" if sides[0] // 2 == sides[1] // 2 else "meeting"
        return place, *sorted(str(value) for _, value in values)
    return tuple((SIDES.index(name) // 2 if name in SIDES else name, value) for name, value in values)


def side_constraints():
    """Sides that the dimensions have; periodic ones in pairs."""
    constraints = []
    for axis in range(3):
        low, high = SIDES[2 * axis:2 * axis + 2]
        constraints.append(
            Constraint([low, high], lambda a, b: (a == "periodic") == (b == "periodic")))
        for side in (low, high):
            constraints.append(Constraint(
                ["dimensions", side],
                lambda dimensions, kind, axis=axis: (axis >= dimensions) == (kind == "none")
                and (kind != "antisymmetric" or dimensions < 3)))
    # Sizes that are not used have one value.
    for axis, name in ((1, "cells_y"), (2, "cells_z")):
        constraints.append(Constraint(
            ["dimensions", name],
            lambda dimensions, cells, axis=axis: axis < dimensions or cells == 1))
    return constraints


def reflecting_axes(row):
    turns = any(row[side] == "antisymmetric" for side in SIDES)
    return [any(row[side] in REFLECTING for side in SIDES[2 * axis:2 * axis + 2])
            or turns and axis >= row["dimensions"]
            or row.get("solid", "none") != "none" and axis < row["dimensions"]
            for axis in range(3)]


def velocity_grid(kind, reflecting, reach=4, size=8):
    """A grid of a kind; odd counts and ranges that are not symmetric where no side reflects."""
    even = {"count": [size, size + 2, size], "minimum": [-reach] * 3, "maximum": [reach] * 3}
    if kind == "uniform":
        return {"type": "uniform", **even}
    if kind == "odd":
        counts = [n if reflects else n + 1 for n, reflects in zip(even["count"], reflecting)]
        return {"type": "uniform", **even, "count": counts}
    if kind == "shifted":
        lows = [-reach if reflects else 0.3 - reach for reflects in reflecting]
        return {"type": "uniform", **even, "minimum": lows}
    if kind == "trapezoid":
        return {"type": "uniform", "rule": "trapezoid", **even}
    if kind == "stretched":
        return {"type": "stretched", "ratio": [1.5, 1.2, 1], **even}
    if kind == "graded":
        return {"type": "graded", "count": [size, size + 4, size], "maximum": [reach] * 3, "innermost": [0.1] * 3,
                "panel_nodes": 2, "z": {"type": "uniform", "minimum": -reach, "maximum": reach}}
    if kind == "mixed":
        return {"type": "half-range", "count": even["count"],
                "y": {"type": "uniform", "minimum": -reach, "maximum": reach},
                "z": {"type": "gauss-hermite"}}
    return {"type": kind, "count": even["count"]}


def domain_of(row):
    dimensions = row["dimensions"]
    cells = [row["cells_" + axis] for axis in AXES[:dimensions]]
    return {"cells": cells, "size": [n * w for n, w in zip(cells, WIDTHS)]}


def growing_domain(domain):
    """The domain with cells that grow along each axis, and its grid lines."""
    result, edges = {}, []
    for axis, n, size in zip(AXES, domain["cells"], domain["size"]):
        result[axis] = [{"cells": n, "length": size, "ratio": 1.25}]
        total = sum(1.25 ** i for i in range(n))
        edges.append([size * (sum(1.25 ** i for i in range(k)) / total) for k in range(n + 1)])
    return result, edges


def boundaries_of(row, size=1):
    return {side: side_block(row[side], place // 2, size)
            for place, side in enumerate(SIDES[:2 * row["dimensions"]])}


def solid_extent(kind, dimensions):
    """First and last but one cell of a solid along the axes."""
    if kind == "corner":
        return [0] * dimensions, [1] * dimensions
    if kind == "middle":
        return [1] * dimensions, [2] * dimensions
    return [1] + [0] * (dimensions - 1), [2] + [1] * (dimensions - 1)  # at a side


def solid_constraints():
    """Room for the solid and for gas beside it."""
    def fits(solid, dimensions, *cells):
        if solid == "none":
            return True
        begin, end = solid_extent(solid, dimensions)
        room = all(last < n or first == 0 and last <= n
                   for first, last, n in zip(begin, end, cells))
        return room and any(n > 1 for n in cells[:dimensions])
    return [Constraint(["solid", "dimensions", "cells_x", "cells_y", "cells_z"], fits)]


def solid_box(row, edges, cuts=False):
    """On grid lines, or in the cells beyond."""
    begin, end = solid_extent(row["solid"], row["dimensions"])
    def place(lines, i):
        inside = cuts and 0 < i < len(lines) - 1
        return lines[i] + (0.3 * (lines[i + 1] - lines[i]) if inside else 0)
    return {"shape": "box", "from": [place(lines, i) for lines, i in zip(edges, begin)],
            "to": [place(lines, i) for lines, i in zip(edges, end)]}


def mirrored(case, axis):
    """The case seen in a mirror across an axis."""
    case = with_mirrored_vectors(case, axis)
    grid = case["velocity_grid"]
    if "minimum" in grid:
        low_end, high_end = grid["minimum"][axis], grid["maximum"][axis]
        grid["minimum"][axis], grid["maximum"][axis] = -high_end, -low_end
    domain = case["domain"]
    size = (domain["size"][axis] if "size" in domain
            else sum(part["length"] for part in domain[AXES[axis]]))
    for solid in case.get("geometry", {}).get("solids", []):
        first, last = solid["from"][axis], solid["to"][axis]
        solid["from"][axis], solid["to"][axis] = size - last, size - first
    for block in case["boundaries"].values():
        block.update(mirrored_profile(block, axis, size))
    initial = case.get("initial", {})
    if axis == 0 and "left" in initial:
        initial["left"], initial["right"] = initial["right"], initial["left"]
        initial["position"] = 1 - initial["position"]
    if "wave" in initial:
        # A sine about the middle of the box changes its sign across x, the velocity along y its
        # own across y.
        if axis == 0 or axis == 1 and initial["wave"].get("kind", "shear") == "shear":
            initial["wave"]["amplitude"] *= -1
    finest = {"low": "high", "high": "low"}
    key = "finest_" + AXES[axis]
    if key in domain:
        domain[key] = finest.get(domain[key], domain[key])
    if AXES[axis] in domain:
        segments = domain[AXES[axis]]
        segments.reverse()
        for segment in segments:
            segment["ratio"] = 1 / segment.get("ratio", 1)
    return case
