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


def measure_heat(mach):
    return functools.partial(heat_transfer, speed_ratio=mach * math.sqrt(5 / 6), area=math.pi / 16)


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
    return dataclasses.replace(run, measure=measure_heat(mach))


# --- A sphere in a rarefied stream -----------------------------------------------------------------

STREAMS = ((2, 1), (2, 0.1), (5, 1), (5, 0.1))  # Ma, Kn
SIDES = {1: 4.5, 0.1: 2.5}  # least distance of the sides from the sphere's centre by Kn
# Velocities by Ma: smallest and largest along the stream, largest across it. Of 32 there are 16 of each sign.
VELOCITIES = {2: (-6.5, 6.75, 6.5), 5: (-11.5, 12, 10)}
GROWTH = 2  # of the cells' width over the distance from the finest ones


def rarefied_sphere(mach, knudsen, cells, model="shakhov", **changes):
    """A quarter of a sphere of diameter 1, `cells` across it and up to a quarter around it, then growing ones."""
    of = {"sides": 1, "growth": GROWTH, "velocities": 32, "order": 2, "variant": "", "label": "", **changes}
    fine, ratio = 0.75, round(1 + of["growth"] / cells, 10)
    outside, length = 0, 0
    while fine + length < of["sides"] * SIDES[knudsen]:
        outside += 1
        length += ratio**outside / cells
    growing_cells = {"cells": outside, "length": round(length, 10), "ratio": ratio}
    slowest, fastest, fastest_across = VELOCITIES[mach]
    side = [{"cells": round(fine * cells), "length": fine}, growing_cells]
    if model != "shakhov":
        of |= {"variant": model, "label": model}
    names = ("sphere-ma", f"{mach}-kn", f"{knudsen}", *filter(None, [of["label"]]), f"{cells}")
    run = make_run(
        "-".join(names),
        {
            "case": f"Ma = {mach}, Kn = {knudsen}",
            "nodes": cells,
            **({"variant": of["variant"]} if of["variant"] else {}),
        },
        SPHERE,
        {
            "domain.origin": [-fine - growing_cells["length"], 0, 0],
            "domain.x": [
                reversed_cells(growing_cells),
                {"cells": round(2 * fine * cells), "length": 2 * fine},
                growing_cells,
            ],
            "domain.y": side,
            "domain.z": side,
            "velocity_grid.count": [of["velocities"]] * 3,
            "velocity_grid.minimum": [slowest, -fastest_across, -fastest_across],
            "velocity_grid.maximum": [fastest, fastest_across, fastest_across],
            "gas.rarefaction": round(math.sqrt(math.pi) / 2 / knudsen, 9),
            "collision": {"model": model},
            "initial.mach": mach,
            "propagation": {"order": of["order"], "acceleration": "synthetic"},
            "stop.steps": 200,
            "stop.criteria": [{"quantity": "moments_change", "tolerance": 1e-5}],
        },
        ("moments_change", "ball.drag_coefficient", "ball.energy_flux"),
    )
    return dataclasses.replace(run, measure=measure_heat(mach))


def sphere_changes(mach, knudsen, cells):
    """What velocities, the sides' distance and the growth of cells contribute on a coarse grid."""

    def changed(beside, variant, label, **changes):
        run = rarefied_sphere(mach, knudsen, cells, variant=variant, label=label, **changes)
        return dataclasses.replace(run, parameters={**run.parameters, "beside": beside.name})

    def velocities(count):
        return changed(base, f"{count} velocities along each axis", f"velocities-{count}", velocities=count)

    base = rarefied_sphere(mach, knudsen, cells)
    if cells > 8:
        return (velocities(48),)
    # Sides and growth on 16 velocities at Ma = 2, in an eighth of the time; at Ma = 5 these are too few.
    few, count = (velocities(16), 16) if mach == 2 else (base, 32)
    return (
        velocities(24),
        *([few] if few is not base else []),
        changed(few, f"sides half as far again, {count} velocities", "sides", velocities=count, sides=1.5),
        changed(few, f"growth of cells halved, {count} velocities", "growth", velocities=count, growth=GROWTH / 2),
    )


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
            **({"stop.steps": 400} if delta > 10 else {}),
        },
        ("moments_change", "east.mass_flow"),
    )
    return dataclasses.replace(run, measure=functools.partial(tube_flow, middle=middle))


LENGTHS = (0.01, 0.1, 1, 5, 10)  # L/R; the first stands for an orifice in a thin plate
RAREFACTIONS = (0, 0.1, 1, 10)


def tubes(cells, lengths=LENGTHS, rarefactions=RAREFACTIONS):
    return (short_tube(length, delta, cells) for length in lengths for delta in rarefactions)


# --- Long tubes ---------------------------------------------------------------------------------

LONG_TUBE = "perf/cases/shakhov_long_tube.json"
TUBE_FORCE = 0.001  # of the case, along the tube


def tube_coefficient(directory):
    """The Poiseuille coefficient G: the mean velocity over the force."""
    mean = measures.mean_of_gas(directory, "velocity", 2)
    return {} if mean is None else {"poiseuille": mean / TUBE_FORCE}


def long_tube(delta, cells):
    """A quarter of the cross-section of a long tube of radius 1, `cells` across the radius."""
    run = make_run(
        f"tube-{delta:g}-{cells}",
        {"case": f"delta = {delta:g}", "nodes": cells},
        LONG_TUBE,
        {
            "domain.cells": [cells + 2] * 2,
            "domain.size": [1 + 2 / cells] * 2,
            "gas.rarefaction": delta,
            "output.fields": {"quantities": ["velocity", "gas_volume"]},
        },
        ("moments_change",),
    )
    return dataclasses.replace(run, measure=tube_coefficient)


# --- Heat between coaxial cylinders ---------------------------------------------------------------

CYLINDERS = "perf/cases/shakhov_cylinders.json"
TEMPERATURE_DIFFERENCE = 0.002  # of the case, in T_ref


def heat_of_cylinder(directory):
    """Heat flux at the inner cylinder of radius 1, of which a quarter is computed, over p v_0 dT / T_0."""
    heat = measures.series(directory, "inner.energy_flux")[1][-1]
    return {"heat_flux": -heat / TEMPERATURE_DIFFERENCE / (math.pi / 2)}


def cylinders(delta, cells, acceleration=None):
    """Radii 1 and 2 with `cells` across the gap."""
    side = round(2.1 * cells)
    run = make_run(
        "-".join(filter(None, ("cylinders", f"{delta:g}", acceleration, f"{cells}"))),
        {"case": f"delta = {delta:g}", "nodes": cells, **({"variant": acceleration} if acceleration else {})},
        CYLINDERS,
        {
            "domain.cells": [side, side],
            "gas.rarefaction": delta,
            **({"propagation.acceleration": acceleration, "propagation.order": 1} if acceleration else {}),
        },
        ("moments_change", "inner.energy_flux"),
    )
    return dataclasses.replace(run, measure=heat_of_cylinder)


GASES = (
    Experiment(
        "long_tubes",
        "Gas driven through long tubes",
        small=tuple(long_tube(delta, cells) for delta in (0, 0.01, 0.02, 0.04, 0.08) for cells in (16, 32, 64)),
        full=(),
        book="validation",
    ),
    Experiment(
        "coaxial_cylinders",
        "Heat between coaxial cylinders",
        small=(
            *(cylinders(delta, cells) for delta in (0.001, 0.01, 0.1, 0.3, 1, 3, 10, 20) for cells in (10, 20, 40, 80)),
            *(cylinders(delta, cells, "asymptotic-preserving") for delta in (100, 1000) for cells in (10, 20, 40)),
        ),
        full=(),
        book="validation",
    ),
    Experiment(
        "free_molecular_sphere",
        "A sphere in a stream of free molecules",
        small=tuple(sphere(mach, cells, *grid) for mach, grid in ((2, (6, 24)), (5, (9, 28))) for cells in (8, 16, 24)),
        full=(),
        book="validation",
    ),
    Experiment(
        "rarefied_sphere",
        "A sphere in a rarefied stream",
        small=(
            *(rarefied_sphere(mach, knudsen, cells) for mach, knudsen in STREAMS[:3] for cells in (8, 12)),
            # With order 2 the shock is too thin for these cells: the iteration diverges with 8 and 12.
            *(rarefied_sphere(5, 0.1, cells, order=1, variant="order 1", label="order-1") for cells in (8, 12)),
        ),
        full=(
            *(rarefied_sphere(mach, knudsen, cells) for mach, knudsen in STREAMS for cells in (24, 48, 96)),
            *(rarefied_sphere(mach, knudsen, 48, "es-bgk") for mach, knudsen in STREAMS),
        ),
        book="validation",
    ),
    Experiment(
        "rarefied_sphere_checks",
        "A sphere in a rarefied stream: sides, growth of cells, velocities",
        small=tuple(run for mach, knudsen in STREAMS[:3] for run in sphere_changes(mach, knudsen, 8)),
        full=tuple(run for mach, knudsen in STREAMS for run in sphere_changes(mach, knudsen, 24)),
        book="validation",
    ),
    Experiment(
        "short_tubes",
        "Gas through short tubes into vacuum",
        small=(*tubes(6), *tubes(8, (0.1, 1))),
        full=(
            *tubes(12),
            *tubes(16),
            *(run for cells in (24, 32) for run in tubes(cells, LENGTHS, (10, 100))),
            *(run for cells in (48, 64) for run in tubes(cells, LENGTHS, (100,))),
            *tubes(96, (0.1,), (100,)),
        ),
        book="validation",
    ),
)
