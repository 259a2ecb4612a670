"""The runs behind the pages: each a case file with settings, in a small and in a full form."""

import dataclasses
import math

import measures
from experiment import CENTRELINES, Experiment, make_run, stop_when
from experiments_gas import GASES
from experiments_printed import PRINTED
from experiments_turbulence import TURBULENCE
from experiments_validation import VALIDATION

# --- Gomes 2016 ------------------------------------------------------------------------------

ACCELERATIONS = {16: 4.859e-4, 32: 4.938e-5, 64: 5.595e-6, 128: 6.6654e-7, 256: 8.136e-8}


def gomes_poiseuille(lengths):
    runs = []
    for length in lengths:
        for walls, collision in (
            ("full-way", {"collision.operator": "bgk"}),
            ("half-way", {"collision.operator": "trt", "collision.forcing": "guo"}),
        ):
            settings = {
                **collision,
                "domain.nodes": [4, length - 2],  # uniform along x; two layers of walls
                "geometry.walls": walls,
                "propagation.scheme": "in-place",
                "collision.body_force": [ACCELERATIONS[length], 0],
                # A relative change this small a step is far from steady on the larger grids.
                **stop_when("velocity_change", 1e-6 / length**2, 40 * length**2, 1000),
            }
            profile = {"name": "u", "quantity": "velocity_x", "along": "y", "normalised": False}
            runs.append(
                make_run(
                    f"{walls}-{length}",
                    {"length": length, "walls": walls, "acceleration": ACCELERATIONS[length]},
                    "inputs/poiseuille.json",
                    settings,
                    ("velocity_change",),
                    (profile,),
                )
            )
    return tuple(runs)


def gomes_cavity(nodes, tolerance):
    return tuple(
        make_run(
            f"reynolds-{reynolds}",
            {"reynolds": reynolds, "nodes": nodes},
            "inputs/lid_driven_cavity.json",
            {
                "domain.nodes": [nodes, nodes],
                "fluid.reynolds": reynolds,
                "stop.steps": 1000000,
                "stop.criteria": [{"quantity": "kinetic_energy", "tolerance": tolerance}],
            },
            ("kinetic_energy",),
            CENTRELINES,
        )
        for reynolds in (400, 1000)
    )


# --- Frezzotti, Ghiroldi, Gibelli 2009 and 2010 ----------------------------------------------


def shock_waves(cells):
    runs = []
    for mach in (1.5, 3):
        speed = mach * math.sqrt(5 / 6)  # of the upstream gas, in sqrt(2 R T)
        heat = (5 * mach**2 - 1) * (mach**2 + 3) / (16 * mach**2)
        low = speed * (mach**2 + 3) / (4 * mach**2) - 4 * math.sqrt(heat)
        high = max(speed + 4, speed * (mach**2 + 3) / (4 * mach**2) + 4 * math.sqrt(heat))
        profiles = [
            {"name": name, "quantity": name, "along": "x", "normalised": False}
            for name in ("density", "velocity_x", "temperature")
        ]
        runs.append(
            make_run(
                f"mach-{mach:g}",
                {"mach": mach, "cells": cells},
                "inputs/shock_wave.json",
                {
                    "domain.cells": [cells],
                    "reduced": True,
                    "velocity_grid.count": [48, 1, 1],
                    "velocity_grid.minimum": [low, -1, -1],
                    "velocity_grid.maximum": [high, 1, 1],
                    "initial.mach": mach,
                    "propagation": {"order": 2},
                    # The thickness settles before the waves of the start have left the box.
                    "stop.steps": 400 * cells,
                    "stop.check_every": 100 * cells,
                    "stop.criteria": [],
                },
                ("density_thickness", "temperature_thickness"),
                profiles,
            )
        )
    return tuple(runs)


def bgkw_cavity(cells, velocities, deltas, tolerance):
    """First order, velocities at equal distances, as in the paper."""
    stress = {
        "name": "stress_below_lid",
        "quantity": "pressure_tensor_xy",
        "along": "x",
        "at": [(cells - 0.5) / cells],
        "normalised": False,
    }
    return tuple(
        make_run(
            f"delta-{delta:g}",
            {"delta": delta, "cells": cells, "velocities": velocities},
            "inputs/rarefied_cavity.json",
            {
                "precision": "double",
                "domain.cells": [cells, cells],
                "velocity_grid": {
                    "count": [velocities] * 3,
                    "minimum": [-3, -3, -3],
                    "maximum": [3, 3, 3],
                },
                "reduced": True,
                "collision": {"conservative": True},  # else the mass drifts, and nothing is steady
                "gas.rarefaction": delta,
                **stop_when("drag_coefficient", tolerance, 60000, 500),
            },
            ("drag_coefficient", "flow_rate", "vortex_flow_rate"),
            (*CENTRELINES, stress),
        )
        for delta in deltas
    )


# Of the 2010 paper: cells, velocities, samples and progressions in space by rarefaction. Its ratio
# of neighbouring velocity cells is 0.945 (0.970 at delta = 10): over ten (nine) of them the
# outermost is so many times as wide as the innermost, as widths grow within a cell too.
HARD_SPHERES = {
    0.1: (160, 20, 1024, (0.996, 0.998), 0.945**-9.5),
    1: (160, 20, 6144, (0.996, 0.998), 0.945**-9.5),
    10: (192, 18, 8192, (0.990, 0.995), 0.970**-8.5),
}


def hard_sphere_settings(delta, cells, velocities, samples, progression, end_time, every):
    """As many steps of first order as reach the end time; means over the last quarter of them."""
    width = 1 / cells * min(progression) ** (cells / 4)
    steps = math.ceil(end_time * 6 / (0.95 * width) / 100) * 100
    first = (3 * steps // 4) // 100 * 100
    ratio = HARD_SPHERES[min(HARD_SPHERES, key=lambda d: abs(math.log(d / delta)))][4]
    return {
        "domain.cells": [cells, cells],
        "domain.progression": list(progression),
        "velocity_grid.count": [velocities] * 3,
        "velocity_grid.ratio": [ratio] * 3,
        "gas.rarefaction": delta,
        "collision.samples": samples,
        "propagation.courant": 0.95,
        "statistics": {"from_step": first, "every": every},
        "stop.steps": steps,
        "stop.check_every": max(steps // 20, 1),
        "stop.criteria": [],
    }


def hard_sphere_run(name, parameters, settings):
    monitors = (
        "drag_coefficient_mean",
        "drag_coefficient_deviation",
        "lid_stress_mean",
        "flow_rate_mean",
        "drag_coefficient",
        "flow_rate",
    )
    run = make_run(name, parameters, "inputs/boltzmann_cavity.json", settings, (), CENTRELINES)
    shown = ["drag_coefficient", "lid_stress", "flow_rate"]
    return dataclasses.replace(
        run, settings={**run.settings, "output.series": {"quantities": shown}}, monitors=monitors
    )


def hard_sphere_cavity(shrink, samples_share, end_times):
    """End times by rarefaction parameter."""
    runs = []
    for delta, end_time in end_times.items():
        cells, velocities, samples, progression, _ = HARD_SPHERES[delta]
        if shrink > 1:
            cells, velocities = cells // shrink, max(12, velocities // shrink)
            progression = tuple(p**shrink for p in progression)
        samples = int(samples * samples_share)
        settings = hard_sphere_settings(
            delta, cells, velocities, samples, progression, end_time, 20
        )
        parameters = {"delta": delta, "cells": cells, "velocities": velocities, "samples": samples}
        runs.append(hard_sphere_run(f"delta-{delta:g}", parameters, settings))
    return tuple(runs)


def hard_sphere_convergence(deltas, sizes, velocities, samples_share, end_time):
    runs = []
    for delta in deltas:
        samples = int(HARD_SPHERES[delta][2] * samples_share)
        count = velocities or HARD_SPHERES[delta][1]
        for cells in sizes:
            settings = hard_sphere_settings(delta, cells, count, samples, (1, 1), end_time, 20)
            parameters = {"delta": delta, "cells": cells, "velocities": count, "samples": samples}
            runs.append(hard_sphere_run(f"delta-{delta:g}-cells-{cells}", parameters, settings))
    return tuple(runs)


# --- Zhu, Wang, Chen, Guo, Zhang 2019 --------------------------------------------------------


def zhu_cavity(grids):
    """Cells and velocities along an axis, and the order of the differences."""
    runs = []
    for cells, velocities, order in grids:
        run = make_run(
            f"cells-{cells}-velocities-{velocities}" + ("-order-2" if order == 2 else ""),
            {"cells": cells, "velocities": velocities, "order": order},
            "inputs/rarefied_cavity_3d.json",
            {
                "domain.cells": [cells] * 3,
                "velocity_grid.count": [velocities] * 3,
                "propagation": {"order": order},
            },
            ("moments_change",),
            CENTRELINES,
            ("moments_change",),
        )
        # The others are among the results: step by step they would cost as much as iterations.
        monitors = ("moments_change", "drag_coefficient", "flow_rate")
        runs.append(dataclasses.replace(run, monitors=monitors))
    return tuple(runs)


def zhu_cavity_refined(cells, velocities):
    """On grids of velocities that resolve the jump at zero, of which the result hardly depends."""
    runs = []
    for order in (1, 2):
        for run in zhu_cavity((count, velocities, order) for count in cells):
            settings = {**run.settings, "velocity_grid": half_range(velocities)}
            runs.append(dataclasses.replace(run, name="half-range-" + run.name, settings=settings))
    return tuple(runs)


def zhu_duct(cells, velocities):
    """A square duct in which a force along it drives the gas, with cells along an edge."""
    return tuple(
        make_run(
            f"cells-{count}-order-{order}",
            {"cells": count, "velocities": velocities, "order": order},
            "perf/cases/shakhov_duct.json",
            {
                "domain.cells": [count, count],
                "velocity_grid": half_range(velocities),
                "propagation.order": order,
            },
            ("moments_change",),
            [{"name": "w", "quantity": "velocity_z", "along": "y", "normalised": False}],
            ("moments_change",),
        )
        for order in (1, 2)
        for count in cells
    )


def half_range(count):
    return {"type": "half-range", "count": [count] * 3}


def zhu_cube_run(name, case, settings):
    """One run; in a quarter of the domain the axis of the flow is its edge."""
    at = [0.5, 0.5] if case.endswith("shakhov_cube.json") else [0, 0]
    profiles = [
        {"name": name, "quantity": quantity, "along": "x", "at": at, "normalised": False}
        for name, quantity in (
            ("temperature", "temperature"),
            ("density", "density"),
            ("velocity_x", "velocity_x"),
            ("position", "position_x"),
        )
    ]
    monitors = ("moments_change", "cube.drag_coefficient", "cube.energy_flux")
    return make_run(name, {"case": case}, case, settings, monitors, profiles, monitors[:2])


def zhu_cube_full():
    """The paper's grid, and a quarter of it with an even number of cells along the cube's edges.

    On fewer velocities: Kn = 100; full and quarter with the same cells; the cavity's tolerance.
    """
    full, quarter = "perf/cases/shakhov_cube.json", "perf/cases/shakhov_cube_quarter.json"
    outer = {"length": 5.5, "cells": 75}
    even = [{**outer, "ratio": 0.98039215686}, {"cells": 32, "length": 1}, {**outer, "ratio": 1.02}]
    few = {"velocity_grid.count": [16] * 3}
    rarefied = {"velocity_grid.count": [32] * 3, "gas.rarefaction": 0.0068396}
    precise = {"precision": "double", "stop.criteria[0].tolerance": 1e-9}
    return (
        zhu_cube_run("cube", full, {}),
        zhu_cube_run("quarter", quarter, {}),
        zhu_cube_run("quarter-kn-100", quarter, rarefied),
        zhu_cube_run("even-16", full, {**few, "domain.y": even, "domain.z": even}),
        zhu_cube_run("even-16-quarter", quarter, few),
        zhu_cube_run("even-16-quarter-double", quarter, {**few, **precise}),
    )


# --- The cavity across methods ---------------------------------------------------------------

LID_SPEED = 0.01  # over sqrt(2 R T)


def half_range_grid(count):
    """Gauss quadrature on each half of the axes: distributions jump at zero beside walls."""
    return {"type": "half-range", "count": [count] * 3}


def across_bgkw(cells, velocities, deltas):
    return tuple(
        make_run(
            f"bgkw-{delta:g}",
            {"method": "bgkw", "delta": delta, "cells": cells, "velocities": velocities},
            "inputs/rarefied_cavity.json",
            {
                "precision": "double",
                "domain.cells": [cells, cells],
                "velocity_grid": half_range_grid(velocities),
                "reduced": True,
                "collision": {"conservative": True},
                "gas.rarefaction": delta,
                "propagation": {"order": 2},
                **stop_when("drag_coefficient", 2e-5, 60000, 500),
            },
            ("drag_coefficient", "flow_rate", "vortex_flow_rate", "mass"),
            CENTRELINES,
        )
        for delta in deltas
    )


def across_shakhov(cells, velocities, deltas, precision):
    return tuple(
        make_run(
            f"shakhov-{delta:g}",
            {"method": "shakhov", "delta": delta, "cells": cells, "velocities": velocities},
            "inputs/rarefied_cavity_3d.json",
            {
                "precision": precision,
                "domain.cells": [cells, cells],
                "velocity_grid": half_range_grid(velocities),
                "gas": {"rarefaction": delta, "law": "hard-sphere"},
                "boundaries": {
                    "north": {"type": "wall", "velocity": [LID_SPEED, 0, 0]},
                    **{side: {"type": "wall"} for side in ("south", "west", "east")},
                },
                "propagation": {"order": 2, "acceleration": "none"},
                **stop_when("moments_change", 1e-7, 6000, 10),
            },
            ("north.force_x", "moments_change"),
            CENTRELINES,
        )
        for delta in deltas
    )


def across_boltzmann(cells, velocities, samples, deltas, end_time):
    return tuple(
        hard_sphere_run(
            f"boltzmann-{delta:g}",
            {
                "method": "boltzmann",
                "delta": delta,
                "cells": cells,
                "velocities": velocities,
                "samples": samples(delta),
            },
            {
                **hard_sphere_settings(
                    delta, cells, velocities, samples(delta), (0.98, 0.99), end_time, 20
                ),
                "propagation.order": 2,
            },
        )
        for delta in deltas
    )


def across_lattice_boltzmann(deltas, refinement=1):
    """Nodes along a side in proportion to delta: the relaxation time is the same for all.

    The Reynolds number is U L / nu with nu = sqrt(2 R T) L / (2 delta), the lid's speed that of the
    gas in units of the lattice's sqrt(2 R T) = sqrt(2 / 3). The lid is a moving row of solid nodes,
    since loads are measured on solids.
    """
    runs = []
    for delta in deltas:
        nodes = round(refinement * delta)
        runs.append(
            make_run(
                f"lbm_d2q9-{delta:g}",
                {"method": "lbm_d2q9", "delta": delta, "nodes": nodes},
                "inputs/lid_driven_cavity.json",
                {
                    "precision": "double",
                    "domain.nodes": [nodes, nodes + 1],
                    "fluid": {
                        "velocity": LID_SPEED * math.sqrt(2 / 3),
                        "reynolds": 2 * delta * LID_SPEED,
                        "length": nodes,
                    },
                    "collision": {"operator": "trt"},
                    "boundaries.north": {"type": "wall"},
                    "geometry": {
                        "solids": [
                            {
                                "shape": "box",
                                "name": "lid",
                                "from": [0, nodes],
                                "to": [nodes, nodes + 1],
                                "velocity": [1, 0],
                            }
                        ]
                    },
                    **stop_when("lid.force_x", 1e-5, 2000000, max(500, round(nodes * delta / 20))),
                },
                ("lid.force_x", "kinetic_energy"),
                CENTRELINES,
            )
        )
    return tuple(runs)



def cavity_axis(delta, cells):
    """Segments along an axis: `cells` a length in the middle, and at the walls cells of about a mean free path or
    less, finer by the same factor, which stretch into those of the middle."""
    width = 25.6 / (cells * delta)
    count = math.ceil(math.log(1 / (cells * width)) / (32 / cells * math.log(1.4)))
    if count < 1:
        return [{"cells": cells, "length": 1}]
    ratio = (1 / (cells * width)) ** (1 / count)
    length = round(width * (ratio**count - 1) / (ratio - 1), 9)
    middle = round(1 - 2 * length, 9)
    return [
        {"cells": count, "length": length, "ratio": ratio},
        {"cells": round(middle * cells), "length": middle},
        {"cells": count, "length": length, "ratio": 1 / ratio},
    ]


def across_accelerated(name, deltas, grids, acceleration="synthetic", steps=20000):
    """Implicit sweeps on grids of (cells a length, velocities along x and y); few velocities along z, on which
    nothing depends: their Gauss quadratures are exact for the moments of the target."""
    runs = []
    for delta in deltas:
        base = across_shakhov(1, 1, (delta,), "double")[0]
        for cells, velocities in grids:
            axis = cavity_axis(delta, cells)
            runs.append(
                dataclasses.replace(
                    base,
                    name=f"{name}-{delta:g}-{cells}-{velocities}",
                    parameters={
                        "method": name,
                        "delta": delta,
                        "cells": cells,
                        "velocities": velocities,
                        "cells_along_axis": sum(segment["cells"] for segment in axis),
                    },
                    settings={
                        **{key: value for key, value in base.settings.items() if key != "domain.cells"},
                        "domain": {"x": axis, "y": axis},
                        "velocity_grid": {"type": "half-range", "count": [velocities, velocities, 6]},
                        "propagation": {"order": 2, "acceleration": acceleration},
                        **stop_when("moments_change", 1e-7, steps, 1),
                        "output.series": {"quantities": ["drag_coefficient", "flow_rate", "moments_change"]},
                    },
                    monitors=("drag_coefficient", "flow_rate", "moments_change"),
                )
            )
    return tuple(runs)


def across_imex(deltas, sizes, velocities):
    """`bgkw` with implicit collisions, whose time step the cells alone limit."""
    return tuple(
        dataclasses.replace(
            run,
            name=f"bgkw-imex-{run.parameters['delta']:g}-{cells}",
            parameters={**run.parameters, "method": "bgkw-imex"},
            settings={
                **run.settings,
                "propagation": {"order": 2, "time_integration": "imex-2"},
                # A flow settles in a time in proportion to delta.
                **stop_when("drag_coefficient", 1e-4, 200000, round(cells * run.parameters["delta"] / 4)),
            },
        )
        for cells in sizes
        for run in across_bgkw(cells, velocities, deltas)
    )


def drag_beside_lid(directory):
    """D of a lattice: the shear stress of the two rows beside the lid, extrapolated to it. The density is 1, the
    pressure 1/3."""
    means = [
        sum(values) / len(values)
        for values in (measures.profile(directory, f"stress_{row}")[1] for row in (0, 1))
    ]
    return {"drag_coefficient": (1.5 * means[0] - 0.5 * means[1]) * 3 / LID_SPEED}


def across_slip(method, deltas, sizes, second_order=None):
    """Lattices with slip at all walls; in three dimensions with one periodic layer of nodes."""
    flat = method == "lbm_d2q9"
    name = f"{method}-slip" + ("" if second_order is None else f"-{second_order:g}")
    runs = []
    for delta in deltas:
        for nodes in sizes:
            viscosity = math.sqrt(2 / 3) * nodes / (2 * delta)
            every = 2 * round(nodes**2 / (40 * viscosity))
            walls = {side: {"type": "wall", "accommodation": 1} for side in ("south", "west", "east")}
            lid = {"type": "wall", "accommodation": 1, "velocity": [1, 0] if flat else [1, 0, 0]}
            slip = {} if second_order is None else {"slip": {"second_order": second_order}}
            stresses = [
                {
                    "name": f"stress_{row}",
                    "quantity": "stress_xy",
                    "along": "x",
                    "at": [(nodes - 0.5 - row) / nodes],
                    "normalised": False,
                }
                for row in (0, 1)
            ]
            run = make_run(
                f"{name}-{delta:g}-{nodes}",
                {"method": name, "delta": delta, "nodes": nodes},
                "inputs/lid_driven_cavity.json",
                {
                    "precision": "double",
                    **({} if flat else {"method": method, "propagation": {}, "output.fields.quantities": ["velocity"]}),
                    "domain.nodes": [nodes, nodes] if flat else [nodes, nodes, 1],
                    "fluid": {
                        "velocity": LID_SPEED * math.sqrt(2 / 3),
                        "knudsen": math.sqrt(math.pi) / (2 * delta),
                        **slip,
                    },
                    "collision": {"operator": "trt"},
                    "boundaries": {"north": lid, **walls},
                    **stop_when("kinetic_energy", 1e-6, 4000000, every),
                },
                ("kinetic_energy",),
                CENTRELINES,
            )
            settings = {**run.settings, "output.profiles": [*CENTRELINES, *stresses]}
            runs.append(dataclasses.replace(run, settings=settings, measure=drag_beside_lid))
    return tuple(runs)


# In the order of how soon a reader misses them.
EXPERIMENTS = (
    Experiment(
        "cavity_across_methods",
        "The same cavity from nearly free-molecular flow to the continuum",
        small=(
            *across_bgkw(24, 16, (0.1, 1, 10, 30)),
            *across_shakhov(32, 16, (0.1, 1, 10), "double"),
            *across_boltzmann(20, 12, lambda delta: 2048, (0.1, 1, 10), 5),
            *across_lattice_boltzmann((30, 60, 100)),
            *across_accelerated("shakhov-synthetic", (0.01, 100, 1000), ((16, 8), (32, 8))),
            *across_slip("lbm_d2q9", (10, 100), (32, 64)),
        ),
        full=(
            *across_boltzmann(
                80, 18, lambda delta: 1024 if delta < 0.2 else 6144, (10, 1, 0.1, 3, 0.3), 8
            ),
            *across_shakhov(96, 20, (0.1, 1, 10, 0.3, 3, 30), "double"),
            *across_bgkw(64, 20, (10, 1, 0.1, 30, 3, 0.3)),
            *across_lattice_boltzmann((30, 60, 100, 200, 300, 600)),
            # These are small enough for two cores.
            *across_accelerated("shakhov-synthetic", (60, 100, 300), ((32, 8), (64, 8), (64, 12), (96, 8))),
            *across_accelerated("shakhov-synthetic", (1000,), ((32, 8), (64, 8), (64, 12), (96, 8), (128, 8))),
            *across_slip("lbm_d2q9", (10,), (64, 128, 192)),
            *across_slip("lbm_d2q9", (30, 60, 100), (64, 128, 192, 256)),
            *across_slip("lbm_d2q9", (100,), (64, 128, 192), 0),
            *across_slip("lbm_d2q9", (300,), (64, 128)),
            *across_slip("lbm_d2q9", (1000,), (64, 96)),
            *across_slip("lbm_d2q9", (10, 30), (64, 128), 0),
            *across_slip("lbm_d3q27", (10, 30, 100), (32, 64)),
            *across_accelerated("shakhov-synthetic", (10, 30), ((32, 16), (32, 24), (64, 16))),
            *across_accelerated("shakhov-synthetic", (0.01, 0.03, 0.1), ((32, 16), (32, 24), (64, 24))),
            *across_accelerated("shakhov-synthetic", (0.3, 1, 3), ((32, 16), (32, 24), (64, 16))),
            *across_accelerated("shakhov-plain", (0.01, 0.1, 1, 10, 30), ((32, 16),), "none"),
            *across_accelerated("shakhov-plain", (100,), ((32, 8),), "none"),
            *across_imex((30, 100), (16, 24, 32), 8),
        ),
    ),
    Experiment(
        "frezzotti_2009_cavity",
        "Cavity, BGKW, first order",
        small=bgkw_cavity(32, 20, (0.1, 1, 10), 5e-5),
        full=bgkw_cavity(160, 20, (0.1, 1, 10), 1e-5),
    ),
    Experiment(
        "frezzotti_2010_cavity",
        "Cavity, hard spheres, the paper's stretched grids",
        small=hard_sphere_cavity(6, 0.5, {0.1: 6, 1: 6, 10: 6}),
        full=hard_sphere_cavity(1, 1, {0.1: 8, 1: 5, 10: 7}),
    ),
    Experiment(
        "frezzotti_2010_convergence",
        "Cavity, hard spheres, uniform grids",
        small=hard_sphere_convergence((1,), (10, 15, 20, 30), 12, 0.5, 6),
        full=hard_sphere_convergence((0.1, 1, 10), (40, 60, 80, 120), 0, 1, 10),
    ),
    Experiment(
        "gomes_poiseuille",
        "Plane Poiseuille flow, Re = 4",
        small=gomes_poiseuille((16, 32, 64)),
        full=gomes_poiseuille((16, 32, 64, 128, 256)),
    ),
    Experiment(
        "gomes_cavity",
        "Lid-driven cavity, Re = 400 and 1000",
        small=gomes_cavity(129, 2e-4),
        full=gomes_cavity(257, 1e-5),
    ),
    Experiment(
        "frezzotti_2009_shock",
        "Normal shock waves, BGKW",
        small=shock_waves(100),
        full=shock_waves(400),
    ),
    Experiment(
        "zhu_cavity",
        "Cubic cavity, Shakhov, to changes of 1e-9",
        small=zhu_cavity(((8, 16, 1), (16, 16, 1))),
        full=zhu_cavity(
            (
                (32, 32, 1),
                (64, 64, 1),
                *((cells, 16, order) for order in (1, 2) for cells in (32, 64, 128)),
            )
        ),
    ),
    Experiment(
        "zhu_cavity_refined",
        "Cubic cavity, Shakhov, half-range velocities, three grids of cells",
        small=zhu_cavity_refined((4, 8, 16), 8),
        full=zhu_cavity_refined((32, 64, 128), 32),
    ),
    Experiment(
        "zhu_duct",
        "Square duct, Shakhov, half-range velocities, three grids of cells",
        small=zhu_duct((4, 8, 16), 8),
        full=zhu_duct((32, 64, 128), 32),
    ),
    Experiment(
        "zhu_cube",
        "Supersonic flow past a cube",
        small=(zhu_cube_run("cube", "inputs/cube_in_stream.json", {}),),
        full=zhu_cube_full(),
    ),
    *PRINTED,
    *VALIDATION,
    *GASES,
    *TURBULENCE,
)
