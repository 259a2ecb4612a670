#!/usr/bin/env python3
"""Lid-driven cavity of a rarefied gas with the method bgkw beside Table 1 of Frezzotti 2009.

Writes cavity_bgk.csv: drag coefficient D of the lid and flow rate G of the vortex, on the paper's
grids with the first-order scheme beside what the paper found, and with second order beside the
values of its reference (Varoutis, Valougeorgis and Sharipov 2008).
"""

import bgkw_runs

# delta: (D, G) of the paper, ranges of its reference
TABLE_1 = {
    0.1: ((0.675, 0.0975), (0.676, 0.678), (0.0973, 0.0976)),
    1: ((0.624, 0.103), (0.625, 0.631), (0.104, 0.105)),
    10: ((0.393, 0.143), (0.412, 0.415), (0.145, 0.145)),
}
LID = 0.01


def case_of(delta, cells, velocities, reach, ratio=1, order=1, reduced=False, courant=0.9, time=12):
    """A square cavity; `velocities` along x and y from -reach to reach."""
    case = {
        "method": "bgkw",
        "title": f"cavity, delta {delta:g}, {cells} cells a side, order {order}",
        "precision": "double" if reduced else "single",
        "domain": {"cells": [cells, cells]},
        "velocity_grid": {
            "type": "stretched",
            "count": [velocities] * 3,
            "ratio": [ratio] * 3,
            "minimum": [-reach] * 3,
            "maximum": [reach] * 3,
        },
        "gas": {"rarefaction": delta},
        "reduced": reduced,
        "propagation": {"order": order},
        "boundaries": {side: {"type": "wall"} for side in ("north", "south", "west", "east")},
        "output": {
            "fields": {"write": False},
            "series": {"quantities": ["drag_coefficient", "flow_rate", "mass"]},
            "profiles": [
                {"name": "u_vertical", "quantity": "velocity_x", "along": "y"},
                {"name": "v_horizontal", "quantity": "velocity_y", "along": "x"},
                {"name": "stress_below_lid", "quantity": "pressure_tensor_xy", "along": "x",
                 "at": [(cells - 0.5) / cells]},
                {"name": "stress_second", "quantity": "pressure_tensor_xy", "along": "x",
                 "at": [(cells - 1.5) / cells]},
            ],
        },
    }  # fmt: skip
    case["boundaries"]["north"]["velocity"] = [LID, 0, 0]
    # The outermost velocity is inside the range: a little too short a step does no harm.
    time_step = courant / (reach * cells * (1 if order == 2 else 2))
    bgkw_runs.steps_for(case, time, min(time_step, 0.5 / delta))
    return case
