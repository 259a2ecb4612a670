"""Runs of the methods for gases beside published numbers, for docs/validation/gas.md."""

import dataclasses
import functools
import math

import measures
from experiment import Experiment, make_run

SPHERE = "perf/cases/shakhov_sphere.json"
TUBE = "inputs/short_tube.json"


def growing(total, first, ratio):
    """Cells that grow from `first`, by no more than `ratio`, and together are `total` long."""
    count = 1
    while sum(first * ratio**i for i in range(1, count + 1)) < total:
        count += 1
    low, high = 1.0, ratio
    for _ in range(60):
        middle = (low + high) / 2
        if sum(first * middle**i for i in range(1, count + 1)) < total:
            low = middle
        else:
            high = middle
    return {"cells": count, "length": total, "ratio": round(high, 10)}


def reversed_cells(part):
    return {**part, "ratio": round(1 / part["ratio"], 10)}


# --- A sphere in a stream of free molecules -------------------------------------------------------


def heat_transfer(directory, speed_ratio, area):
    """Heat to the body over rho U^3 / 2 times its area; fluxes are in p_ref v_ref = rho v_ref^3 / 2."""
    return {"heat_transfer": measures.series(directory, "ball.energy_flux")[1][-1] / speed_ratio**3 / area}


def sphere(mach, cells, fastest, count):
    """A quarter of a sphere of diameter 1, `cells` across it; velocities along the stream up to `fastest`."""
    across = [{"cells": cells // 2, "length": 0.5}, {"cells": cells * 3 // 4, "length": 0.75}]
    run = make_run(
        f"sphere-ma-{mach}-{cells}",
        {"case": f"Ma = {mach}", "nodes": cells},
        SPHERE,
        {
            "domain.x": [{"cells": cells * 5 // 2, "length": 2.5}],
            "domain.y": across,
            "domain.z": across,
            "velocity_grid.count": [count, 24, 24],
            "velocity_grid.maximum": [fastest, 4, 4],
            "initial.mach": mach,
        },
        ("ball.drag_coefficient", "ball.energy_flux"),
    )
    speed_ratio, area = mach * math.sqrt(5 / 6), math.pi / 16
    return dataclasses.replace(run, measure=functools.partial(heat_transfer, speed_ratio=speed_ratio, area=area))


# --- Short tubes into vacuum ----------------------------------------------------------------------


def tube_flow(directory, middle):
    """What enters upstream of the plane x = `middle`, over sqrt(pi) R^2 p_0 / v_0 of a quarter."""
    flow = measures.side_flow(directory, lambda x: x < middle)
    return {} if flow is None else {"flow_rate": -flow / (math.sqrt(math.pi) / 8)}


def short_tube(length, delta, cells):
    """A quarter of a tube of radius 1 in a plate, `cells` across the radius, from a reservoir into vacuum."""
    upstream, downstream, side, edge = 8, 6, 7, 1.25
    in_tube = max(2, round(length * cells))
    first = min(1 / cells, length / in_tube)
    across = [{"cells": round(edge * cells), "length": edge}, growing(side - edge, 1 / cells, 1.25)]
    middle = upstream + length / 2
    outside = {"type": "reservoir", "profile": {"density": f"if(x < {middle:g}, 1, 1e-4)"}}
    plate = {
        "name": "plate",
        "shape": "union",
        "inverted": True,
        "parts": [
            {"shape": "half-space", "point": [upstream, 0, 0], "normal": [1, 0, 0]},
            {"shape": "half-space", "point": [upstream + length, 0, 0], "normal": [-1, 0, 0]},
            {"shape": "cylinder", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 1, "infinite": True},
        ],
    }
    run = make_run(
        f"tube-{length:g}-{delta:g}-{cells}",
        {"case": f"L/R = {length:g}, delta = {delta:g}", "nodes": cells},
        TUBE,
        {
            "domain.x": [
                reversed_cells(growing(upstream, first, 1.25)),
                {"cells": in_tube, "length": length},
                growing(downstream, first, 1.25),
            ],
            "domain.y": across,
            "domain.z": across,
            "gas.rarefaction": delta,
            "boundaries.north": outside,
            "boundaries.top": outside,
            "geometry.solids": [plate],
            "output.fields": {"quantities": ["density"]},
            **({"propagation.acceleration": "none"} if delta == 0 else {}),
        },
        ("moments_change", "east.mass_flow"),
    )
    return dataclasses.replace(run, measure=functools.partial(tube_flow, middle=middle))


LENGTHS, RAREFACTIONS = (0.1, 1, 5, 10), (0, 0.1, 1, 10)


def tubes(cells, lengths=LENGTHS):
    return (short_tube(length, delta, cells) for length in lengths for delta in RAREFACTIONS)


GASES = (
    Experiment(
        "free_molecular_sphere",
        "A sphere in a stream of free molecules",
        small=tuple(sphere(mach, cells, *grid) for mach, grid in ((2, (6, 24)), (5, (9, 28))) for cells in (8, 16, 24)),
        full=(),
        book="validation",
    ),
    Experiment(
        "short_tubes",
        "Gas through short tubes into vacuum",
        small=(*tubes(6), *tubes(8, (0.1, 1))),
        full=(*tubes(12), *tubes(16)),
        book="validation",
    ),
)
