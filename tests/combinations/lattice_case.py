"""Cases of the lattice methods from rows of options, and the same cases in a mirror."""

from covering import Constraint
from mirror import along, mirrored_profile, with_mirrored_vectors
from program import AXES, SIDES

NODES = ["nodes_" + axis for axis in AXES]
VARIED_KINDS = ["formula velocity", "fully-developed velocity", "formula pressure"]
OPEN_KINDS = ["velocity", "parabolic", "flow rate", "pressure", "outflow", *VARIED_KINDS]
DEFAULT_KINDS = ["periodic", "moving wall", "velocity", "pressure", "outflow", "formula velocity"]
SIDE_KINDS = {
    "lbm_d2q9": ["periodic", "wall", "moving wall", *OPEN_KINDS],
    "lbm_d3q27": ["periodic", "wall", "moving wall", *OPEN_KINDS, "reflecting velocity",
                  "reflecting pressure"]}
CLOSED = ("periodic", "wall", "moving wall")
# Solids by first and last but one node along an axis, as fractions of the box.
EXTENTS = {"corner": [(0, 0.4)] * 3, "side": [(0.4, 0.7), (0, 0.4), (0, 1)],
           "middle": [(0.35, 0.65)] * 3, "moving": [(0.35, 0.65)] * 3}


def dimensions(method):
    return 2 if method == "lbm_d2q9" else 3


def side_block(kind, place, dims):
    """What a case says of a side; values tell the sides apart."""
    axis, high = place // 2, place % 2
    tangential = along(axis, [0.02 + 0.004 * place, -0.01 - 0.003 * place, 0.015][:dims])
    if kind in ("periodic", "outflow", "wall"):
        return {"type": kind}
    if kind == "moving wall":
        return {"type": "wall", "velocity": tangential}
    if kind.endswith("pressure"):
        block = {"type": "pressure", "density": 1.002 - 0.001 * place}
    else:
        # What enters through one side leaves through the other, about.
        velocity = list(tangential)
        velocity[axis] = 0.03 - 0.008 * high
        block = {"type": "velocity", "velocity": velocity}
    if kind in ("parabolic", "flow rate"):
        block["profile"] = "parabolic"
    if kind == "flow rate":
        del block["velocity"]
        block["flow_rate"] = 0.04 - 0.06 * high
    if kind == "fully-developed velocity":
        block["profile"] = "fully-developed"
    if kind in VARIED_KINDS:
        block["waveform"] = {"factor": f"0.8 + 0.2*sin({0.5 + 0.1 * place}*t)"}
    if kind == "formula velocity":
        velocity = block.pop("velocity")
        block["profile"] = {
            "velocity_" + AXES[d]: f"{value} + 0.01*sin({1 + d}*x - y + 0.7*t)*cos(2*y + z)"
            for d, value in enumerate(velocity)}
    if kind == "formula pressure":
        del block["density"]
        block["profile"] = {"density": f"{1.002 - 0.001 * place} + 0.001*sin(x + 2*y - z + t)"}
    if kind.startswith("reflecting"):
        block["reflecting"] = True
    return block


def side_factors(method, every_kind):
    kinds = [kind for kind in SIDE_KINDS[method] if every_kind or kind in DEFAULT_KINDS]
    return {side: kinds for side in SIDES[:2 * dimensions(method)]}


def side_constraints(method):
    """Periodic sides in pairs, three nodes between open sides in two dimensions, walls for profiles,
    and another open side for a flow rate."""
    constraints = [Constraint(
        SIDES[:2 * dimensions(method)], lambda *kinds: "flow rate" not in kinds
        or sum(kind not in CLOSED for kind in kinds) > 1)]
    for axis in range(dimensions(method)):
        pair = SIDES[2 * axis:2 * axis + 2]
        constraints.append(Constraint(
            pair, lambda a, b: (a == "periodic") == (b == "periodic")))
        if method == "lbm_d2q9":
            for side in pair:
                constraints.append(Constraint(
                    [side, NODES[axis]], lambda kind, n: kind in CLOSED or n >= 3))
        # A fully developed flow has walls, and none that move.
        around = [side for side in SIDES[:2 * dimensions(method)] if side not in pair]
        for side in pair:
            constraints.append(Constraint(
                [side, *around], lambda kind, *edges: kind != "fully-developed velocity"
                or "wall" in edges and "moving wall" not in edges))
    return constraints


def solid_nodes(kind, counts):
    """First and last but one node of a solid along the axes."""
    spans = []
    for (low, high), n in zip(EXTENTS[kind], counts):
        begin = int(low * n)
        spans.append((begin, max(begin + 1, int(high * n))))
    return spans


def solid_constraints(method):
    """Fluid on at least one side of a solid, and on all sides of one in the middle."""
    dims = dimensions(method)

    def fits(solid, *counts):
        if solid == "none":
            return True
        spans = solid_nodes(solid, counts)
        if solid in ("middle", "moving"):
            return all(low > 0 and high < n for (low, high), n in zip(spans, counts))
        return sum(high - low < n for (low, high), n in zip(spans, counts)) >= 2

    return [Constraint(["solid", *NODES[:dims]], fits)]


def solid_block(row, counts):
    """A box or a round body, whose surface cuts links at fractions that are not one half."""
    spans = solid_nodes(row["solid"], counts)
    block = {"name": "block"}
    if row["shape"] == "box":
        block.update({"shape": "box", "from": [low + 0.1 for low, _ in spans],
                      "to": [high - 0.2 for _, high in spans]})
        for axis, (low, _) in enumerate(spans):
            if low == 0:
                block["from"][axis] = -0.3
    else:
        block.update({"shape": "circle" if len(counts) == 2 else "sphere",
                      "centre": [(low + high) / 2 for low, high in spans],
                      "radius": 0.1 + 0.48 * max(high - low for low, high in spans)})
    if row["solid"] == "moving":
        block["velocity"] = [0.02, -0.01, 0.015][:len(counts)]
    return block


def initial_block(kind, dims):
    if kind == "uniform":
        return {"type": kind, "velocity": [0.03, -0.02, 0.01][:dims]}
    if kind == "taylor-green":
        return {"type": kind, "amplitude": 0.03, "wave_numbers": [1, 2, 1][:dims]}
    if kind == "shear-layer":
        return {"type": kind, "amplitude": 0.03, "width": 0.2}
    if kind == "noise":
        return {"type": kind, "amplitude": 0.02, "seed": 5}
    return {"type": kind}


def mirrored(case, axis):
    """The case seen in a mirror across an axis."""
    case = with_mirrored_vectors(case, axis)
    size = case["domain"]["nodes"][axis]
    for block in case["boundaries"].values():
        block.update(mirrored_profile(block, axis, size))
    control = case["collision"].get("flow_control")
    if control and control["axis"] == AXES[axis]:
        control["mean_velocity"] *= -1
    for plane in case["geometry"].get("flow_planes", []):
        if plane["axis"] == AXES[axis]:
            plane["position"] = size - plane["position"]
    for scalar in case.get("scalars", []):
        scalar["sides"] = {SIDES[SIDES.index(side) ^ 1] if SIDES.index(side) // 2 == axis else side: block
                           for side, block in scalar["sides"].items()}
    for solid in case["geometry"].get("solids", []):
        if "centre" in solid:
            solid["centre"][axis] = size - solid["centre"][axis]
        else:
            low, high = solid["from"][axis], solid["to"][axis]
            solid["from"][axis], solid["to"][axis] = size - high, size - low
    return case


def mirrors(case):
    """Sets of axes across which the case has mirror images that a case can describe.

    Taylor-Green vortices in two dimensions and shear layers would need an amplitude below 0, so
    that signs must change twice; noise is drawn node by node.
    """
    dims = len(case["domain"]["nodes"])
    kind = case["initial"]["type"]
    if kind == "noise":
        return []
    if kind == "taylor-green" and dims == 2:
        return [(0, 1)]
    if kind == "shear-layer":
        return [(2,)]
    return [(axis,) for axis in range(dims)]
