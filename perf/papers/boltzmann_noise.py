#!/usr/bin/env python3
"""Noise of the driven cavity with the method boltzmann by kind and number of samples.

Writes noise.csv: mean and standard deviation over time of the drag coefficient and of the flow rate
for the paper's estimator (one-way) and the reversible one, with random and quasi-random samples; and
how many times less their variance is than the paper's with as many samples.
"""

import math

import bgkw_runs
from bgkw_runs import PERF

KINDS = (("one-way", "random"), ("one-way", "quasi-random"), ("reversible", "random"),
         ("reversible", "quasi-random"))  # fmt: skip
COLUMNS = ("samples", "estimator", "sequence", "steps", "drag_coefficient", "drag_deviation",
           "flow_rate", "flow_deviation", "variance_gained_drag", "variance_gained_flow")  # fmt: skip


def case_of(samples, estimator, sequence, options):
    time_step = 0.95 / (6 * options.cells)
    start = math.ceil(5 / time_step)
    steps = start + options.steps
    return {
        "method": "boltzmann",
        "title": f"cavity, delta 1, {samples} samples, {estimator}, {sequence}",
        "precision": "single",
        "domain": {"cells": [options.cells] * 2},
        "velocity_grid": {
            "type": "stretched",
            "count": [options.velocities] * 3,
            "ratio": [1.7116] * 3,
            "minimum": [-3] * 3,
            "maximum": [3] * 3,
        },
        "gas": {"rarefaction": 1},
        "collision": {"samples": samples, "estimator": estimator, "sequence": sequence},
        "propagation": {"time_step": time_step},
        "boundaries": {
            "north": {"type": "wall", "velocity": [0.01, 0, 0]},
            "south": {"type": "wall"},
            "west": {"type": "wall"},
            "east": {"type": "wall"},
        },
        "statistics": {"from_step": start, "every": 4},
        "stop": {"steps": steps, "check_every": steps},
        "output": {
            "fields": {"write": False},
            "series": {
                "quantities": [f"{name}_{what}" for name in ("drag_coefficient", "flow_rate")
                               for what in ("mean", "deviation")]  # fmt: skip
            },
        },
    }


def main():
    parser = bgkw_runs.parser_of(__doc__)
    parser.set_defaults(results=PERF / "results" / "boltzmann")
    parser.add_argument("--samples", nargs="+", type=int, default=[6144, 12288, 24576])
    parser.add_argument("--cells", type=int, default=40, help="a side (default: 40)")
    parser.add_argument("--velocities", type=int, default=20, help="a component (default: 20)")
    parser.add_argument("--steps", type=int, default=4000, help="that count (default: 4000)")
    options = parser.parse_args()
    wanted = [(samples, *kind) for samples in options.samples for kind in KINDS]
    cases = [case_of(*what, options) for what in wanted]
    reports, rows, paper = [], [], {}
    for (samples, estimator, sequence), run in zip(wanted, bgkw_runs.runs_of(cases, options)):
        reports.append(run.report)
        drag, flow = (
            (run.last(f"{name}_mean"), run.last(f"{name}_deviation"))
            for name in ("drag_coefficient", "flow_rate")
        )
        theirs = paper.setdefault(samples, (drag[1], flow[1]))
        rows.append((
            f"{samples}", estimator, sequence, f"{run.report['total']['steps']}",
            f"{drag[0]:.6f}", f"{drag[1]:.3g}", f"{flow[0]:.6f}", f"{flow[1]:.3g}",
            f"{(theirs[0] / drag[1]) ** 2:.3g}", f"{(theirs[1] / flow[1]) ** 2:.3g}",
        ))  # fmt: skip
        print(*rows[-1], flush=True)
        bgkw_runs.write_table(
            options.results / "noise.csv",
            [f"driven cavity, delta 1, {options.cells} x {options.cells} cells, {options.velocities}^3 "
             "velocities, order 1; deviations over time once the flow is steady; variance gained over "
             "one-way random samples, as many of them"],
            reports, COLUMNS, rows,
        )  # fmt: skip


if __name__ == "__main__":
    main()
