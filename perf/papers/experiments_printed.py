"""The papers' own algorithms as they print them, to stand on the pages beside ours.

Their experiments are named as the paper, then what is shown. `experiments.py` has our own.
"""

import dataclasses
import math

from experiment import CENTRELINES, Experiment, make_run, stop_when

# --- Gomes 2016 ------------------------------------------------------------------------------

ACCELERATIONS = {16: 4.859e-4, 32: 4.938e-5, 64: 5.595e-6, 128: 6.6654e-7, 256: 8.136e-8}


def gomes_as_printed(lengths):
    """Poiseuille flow stopped as in Tables 4 and 5: by the change in a step, and at time 4.

    The thesis counts the two layers of walls among its L nodes: L - 2 are fluid, and Re = 4 with
    nu = 1/6 gives the velocity 4 nu / (L - 2) and the characteristic time (L - 2)^2 / (4 nu).
    The flow is uniform along x, where four nodes stand for the thesis's L.
    """
    runs = []
    for length in lengths:
        time = (length - 2) ** 2 * 6 / 4
        for name, stop in (
            ("change-1e-6", stop_when("velocity_change", 1e-6, 1000000, 10)),
            ("time-4", {"stop.steps": round(4 * time), "stop.criteria": []}),
        ):
            settings = {
                "domain.nodes": [4, length - 2],
                "propagation.scheme": "in-place",
                "collision.body_force": [ACCELERATIONS[length], 0],
                **stop,
            }
            profile = {"name": "u", "quantity": "velocity_x", "along": "y", "normalised": False}
            parameters = {"length": length, "stop": name, "acceleration": ACCELERATIONS[length]}
            runs.append(
                make_run(
                    f"{name}-{length}",
                    parameters,
                    "inputs/poiseuille.json",
                    settings,
                    ("velocity_change",),
                    (profile,),
                )
            )
    return tuple(runs)


def gomes_cavity_order(sizes):
    """The cavity at Re = 1000 on several grids: what the order of convergence is due to.

    The lid is a moving wall at half a link or Zou and He's condition; its speed is 0.1 on all grids,
    or falls as the nodes' distance does, so that the relaxation time is the same on all. With one
    relaxation time Zou and He's lid is unstable on these grids.
    """
    runs = []
    for lid, north in (
        ("wall", {"type": "wall", "velocity": [1, 0]}),
        ("zou-he", {"type": "velocity", "velocity": [1, 0]}),
    ):
        for scaling in ("equal speeds", "equal relaxation times"):
            for operator in ("bgk", "trt") if lid == "wall" else ("trt",):
                for nodes in sizes:
                    speed = 0.1 if scaling == "equal speeds" else 6.5 / nodes
                    name = f"{lid}-{scaling.split()[1]}-{operator}-{nodes}"
                    turnover = nodes / speed
                    settings = {
                        "precision": "double",
                        "domain.nodes": [nodes, nodes],
                        "fluid": {"reynolds": 1000, "velocity": speed},
                        "collision": {"operator": operator},
                        "boundaries.north": north,
                        **stop_when(
                            "kinetic_energy", 1e-6, round(150 * turnover), round(2 * turnover)
                        ),
                    }
                    parameters = {
                        "lid": lid,
                        "scaling": scaling,
                        "operator": operator,
                        "nodes": nodes,
                        "speed": speed,
                    }
                    runs.append(
                        make_run(
                            name,
                            parameters,
                            "inputs/lid_driven_cavity.json",
                            settings,
                            ("kinetic_energy",),
                            CENTRELINES,
                        )
                    )
    return tuple(runs)


# --- Frezzotti, Ghiroldi, Gibelli 2009 -------------------------------------------------------


def bgkw_cavity_as_printed(cells, velocities, steps):
    """First order, the Maxwellian as it is, all three velocity components; and these reduced.

    Both for as many steps, since a flow that loses mass is never steady.
    """
    stress = {
        "name": "stress_below_lid",
        "quantity": "pressure_tensor_xy",
        "along": "x",
        "at": [(cells - 0.5) / cells],
        "normalised": False,
    }
    runs = []
    for delta, count in steps.items():
        for reduced in (False, True):
            runs.append(
                make_run(
                    f"delta-{delta:g}-{'reduced' if reduced else 'full'}",
                    {"delta": delta, "cells": cells, "velocities": velocities, "reduced": reduced},
                    "inputs/rarefied_cavity.json",
                    {
                        "precision": "double",
                        "domain.cells": [cells, cells],
                        "velocity_grid": {
                            "count": [velocities] * 3,
                            "minimum": [-3, -3, -3],
                            "maximum": [3, 3, 3],
                        },
                        "reduced": reduced,
                        "collision": {"conservative": False},
                        "gas.rarefaction": delta,
                        "stop.steps": count,
                        "stop.check_every": max(count // 10, 1),
                        "stop.criteria": [],
                    },
                    ("drag_coefficient", "flow_rate", "vortex_flow_rate", "mass"),
                    (*CENTRELINES, stress),
                    ("drag_coefficient", "mass"),
                )
            )
    return tuple(runs)


def shock_as_printed(grids):
    """Ma = 1.5 and 3: first order, the full velocities and the Maxwellian as it is; and ours.

    `grids`: kind, cells of a domain of 50 mean free paths, velocities along each axis.
    """
    runs = []
    for mach in (1.5, 3):
        reach = {1.5: (-5, 6.5, 5), 3: (-5.5, 9, 6)}[mach]
        profiles = [
            {"name": name, "quantity": name, "along": "x", "normalised": False}
            for name in ("density", "velocity_x", "temperature")
        ]
        for kind, cells, velocities in grids:
            ours = kind == "ours"
            runs.append(
                make_run(
                    f"{kind}-mach-{mach:g}-cells-{cells}",
                    {"kind": kind, "mach": mach, "cells": cells, "velocities": velocities},
                    "inputs/shock_wave.json",
                    {
                        "domain.cells": [cells],
                        "reduced": ours,
                        "collision": {"conservative": ours},
                        "velocity_grid.count": [velocities] * 3,
                        "velocity_grid.minimum": [reach[0], -reach[2], -reach[2]],
                        "velocity_grid.maximum": [reach[1], reach[2], reach[2]],
                        "initial.mach": mach,
                        "propagation": {"order": 2 if ours else 1},
                        # Until the waves of the start have left the box.
                        "stop.steps": 100 * cells,
                        "stop.check_every": 25 * cells,
                        "stop.criteria": [],
                    },
                    ("density_thickness", "temperature_thickness", "mass"),
                    profiles,
                    ("density_thickness", "mass"),
                )
            )
    return tuple(runs)


# --- Frezzotti, Ghiroldi, Gibelli 2010 -------------------------------------------------------

AS_PRINTED = {"estimator": "one-way", "update": "sequential", "conservation": "distribution"}
ESTIMATORS = {
    "paper": AS_PRINTED,
    "paper-explicit": {**AS_PRINTED, "update": "explicit"},
    "one-way": {"estimator": "one-way"},
    "ours": {},
    "ours-quasi-random": {"sequence": "quasi-random"},
}


def hard_sphere_case(delta, cells, end_time, progression):
    """The 2010 paper's velocities and samples; first order, means over the last quarter."""
    ratio, velocities, samples = {
        0.1: (0.945**-9.5, 20, 1024),
        1: (0.945**-9.5, 20, 6144),
        10: (0.970**-8.5, 18, 8192),
    }[delta]
    width = 1 / cells * min(progression) ** (cells / 4)
    steps = math.ceil(end_time * 6 / (0.95 * width) / 100) * 100
    return {
        "domain.cells": [cells, cells],
        "domain.progression": list(progression),
        "velocity_grid.count": [velocities] * 3,
        "velocity_grid.ratio": [ratio] * 3,
        "gas.rarefaction": delta,
        "collision.samples": samples,
        "propagation.courant": 0.95,
        "statistics": {"from_step": (3 * steps // 4) // 100 * 100, "every": 5},
        "stop.steps": steps,
        "stop.check_every": steps // 10,
        "stop.criteria": [],
    }


def hard_sphere_run(name, parameters, settings):
    monitors = tuple(
        f"{quantity}_{kind}"
        for quantity in ("drag_coefficient", "lid_stress", "flow_rate")
        for kind in ("mean", "deviation")
    )
    run = make_run(name, parameters, "inputs/boltzmann_cavity.json", settings)
    shown = {"output.series": {"quantities": ["drag_coefficient", "lid_stress", "flow_rate"]}}
    return dataclasses.replace(run, settings={**run.settings, **shown}, monitors=monitors)


def hard_sphere_estimators(cells, end_time, names):
    runs = []
    for name in names:
        settings = hard_sphere_case(1, cells, end_time, (1, 1))
        settings.update({f"collision.{key}": value for key, value in ESTIMATORS[name].items()})
        parameters = {"estimator": name, "cells": cells, "samples": settings["collision.samples"]}
        runs.append(hard_sphere_run(name, parameters, settings))
    return tuple(runs)


def hard_sphere_figure1(grids, end_time):
    """Uniform grids by rarefaction, the paper's samples: figure 1 and the limits D_e and G_e."""
    runs = []
    for delta, sizes in grids.items():
        for cells in sizes:
            settings = hard_sphere_case(delta, cells, end_time, (1, 1))
            runs.append(
                hard_sphere_run(
                    f"delta-{delta:g}-cells-{cells}", {"delta": delta, "cells": cells}, settings
                )
            )
    return tuple(runs)


# --- Geier, Schoenherr 2017 ------------------------------------------------------------------


def geier_beds(grids):
    """The bed of 6864 spheres of half a millimetre at both resolutions, on both kinds of walls."""
    runs = []
    for spacing, nodes, count, steps in grids:
        for walls in ("implicit", "interpolated"):
            runs.append(
                make_run(
                    f"spacing-{spacing}-{walls}",
                    {"spacing": spacing, "nodes": nodes, "walls": walls, "spheres": count},
                    "perf/cases/d3q27_bed.json",
                    {
                        "title": "Random packed bed, permeability",
                        "domain": {"nodes": [nodes] * 3, "spacing": spacing * 1e-6},
                        "fluid": {"relaxation_time": 0.8},
                        "collision": {"operator": "cumulant", "body_force": [1e-6, 0, 0]},
                        "geometry.walls": walls,
                        "geometry.solids[0].count": count,
                        **stop_when("permeability", 1e-4, steps, 200),
                    },
                    ("permeability", "permeability_si"),
                )
            )
    return tuple(runs)


# --- Zhu, Wang, Chen, Guo, Zhang 2019 --------------------------------------------------------


def zhu_profiles(grids):
    """The cavity in single precision: figure 8 with the paper's velocities."""
    return tuple(
        make_run(
            f"cells-{cells}-velocities-{velocities}",
            {"cells": cells, "velocities": velocities},
            "perf/cases/shakhov_cavity.json",
            {
                "domain.cells": [cells] * 3,
                "velocity_grid.count": [velocities] * 3,
                "stop.steps": 25,  # rounding ends the changes of momentum at 1e-4 to 1e-5
                "stop.check_every": 1,
                "stop.criteria": [],
            },
            ("moments_change",),
            CENTRELINES,
            ("moments_change",),
        )
        for cells, velocities in grids
    )


PRINTED = (
    Experiment(
        "gomes_as_printed",
        "Plane Poiseuille flow as in Tables 4 and 5 of the thesis",
        small=gomes_as_printed((16, 32)),
        full=gomes_as_printed((16, 32, 64, 128, 256)),
    ),
    Experiment(
        "gomes_cavity_order",
        "Lid-driven cavity, Re = 1000: order of convergence",
        small=gomes_cavity_order((65,)),
        full=gomes_cavity_order((65, 129, 257)),
    ),
    Experiment(
        "frezzotti_2009_as_printed",
        "Cavity, BGKW, full velocities, not conservative",
        small=bgkw_cavity_as_printed(20, 12, {1: 200}),
        full=bgkw_cavity_as_printed(160, 20, {0.1: 8500, 1: 7000, 10: 11000}),
    ),
    Experiment(
        "frezzotti_2009_shock_as_printed",
        "Normal shock waves, BGKW, full velocities, first order",
        small=shock_as_printed((("paper", 50, 12), ("ours", 50, 20))),
        full=shock_as_printed(
            (("paper", 200, 20), ("paper", 400, 20), ("paper", 800, 20), ("ours", 400, 40))
        ),
    ),
    Experiment(
        "frezzotti_2010_estimators",
        "Cavity, hard spheres: noise and time by estimator",
        small=hard_sphere_estimators(10, 1, ("paper", "ours")),
        full=hard_sphere_estimators(40, 3, ESTIMATORS),
    ),
    Experiment(
        "frezzotti_2010_figure1",
        "Cavity, hard spheres, uniform grids as in figure 1",
        small=hard_sphere_figure1({0.1: (8, 12)}, 1),
        full=hard_sphere_figure1(
            {10: (48, 96, 144, 192), 1: (40, 80, 120, 160), 0.1: (40, 80, 120, 160)}, 7
        ),
    ),
    Experiment(
        "geier_beds",
        "Packed bed at both resolutions: permeability",
        small=geier_beds(((80, 40, 50, 200),)),
        full=geier_beds(((40, 227, 6864, 6000), (20, 454, 6864, 6000))),
    ),
    Experiment(
        "zhu_profiles",
        "Cubic cavity, Shakhov: profiles with 64^3 velocities",
        small=zhu_profiles(((8, 8),)),
        full=zhu_profiles(((128, 64),)),
    ),
)
