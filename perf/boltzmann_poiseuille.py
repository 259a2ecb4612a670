#!/usr/bin/env python3
"""Plane Poiseuille flow of hard spheres with the method boltzmann beside Ohwada, Sone and Aoki 1989.

Writes poiseuille.csv: for each k the flow rate G_P as a mean over the last fifth of the run, the
deviation of its values there, the published value and the relative difference. Linearised equation,
second order, linear interpolation between velocities; cells are finest at the walls, velocities
across the slab finest at zero.
"""

import statistics

import bgkw_runs
from bgkw_runs import HERE

FORCE = 0.01
TABLE = HERE.parent / "tests" / "data" / "poiseuille_plane_LBE_hardsphere_ohwada1989.csv"
COLUMNS = ("k", "delta", "cells", "velocities_across", "velocities_along", "ratio", "samples",
           "time_step", "steps", "computed", "deviation", "reference", "relative_difference",
           "seconds")  # fmt: skip


def case_of(delta, options):
    case = {
        "method": "boltzmann",
        "title": f"plane Poiseuille flow of hard spheres, delta {delta:g}",
        "precision": "single",
        "domain": {"cells": [options.cells], "progression": [0.95]},
        "velocity_grid": {
            "type": "stretched",
            "count": [options.across, options.along, options.along],
            "ratio": [options.ratio, 1, 1],
            "minimum": [-3.2] * 3,
            "maximum": [3.2] * 3,
        },
        "gas": {"rarefaction": delta},
        "collision": {
            "form": "linearised",
            "samples": options.samples,
            "seed": options.seed,
            "sample_temperature": 2,
            "interpolation": "linear",
            "body_force": [0, FORCE, 0],
        },
        "propagation": {"order": 2},
        "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}},
        "output": {
            "fields": {"write": False},
            "series": {"quantities": ["mean_velocity_y"]},
        },
    }
    # The finest cell's share of the slab and the fastest molecules set the step.
    halves = [0.95**n for n in range(options.cells // 2)]
    finest = 0.5 * halves[-1] / sum(halves)
    # A twentieth of the mean free time of the fastest molecules of the grid.
    time_step = min(0.9 * finest / 3.2, 0.011 / delta)
    # Until slow molecules have collided, and until momentum has diffused.
    bgkw_runs.steps_for(case, 10 + 4 / delta + delta, time_step, 200)
    return case


def row_of(k, delta, reference, run, case, options):
    values = [entry["mean_velocity_y"] / FORCE for entry in run.series]
    values = values[-len(values) // 5 :]
    mean = statistics.fmean(values)
    total = run.report["total"]
    return (
        f"{k:g}", f"{delta:g}", f"{options.cells}", f"{options.across}", f"{options.along}",
        f"{options.ratio:g}", f"{options.samples}", f"{case['propagation']['time_step']:.4g}",
        f"{total['steps']}", f"{mean:.5f}", f"{statistics.stdev(values):.1e}", f"{reference:g}",
        f"{mean / reference - 1:.5f}", f"{total['seconds']:.1f}",
    )  # fmt: skip


def main():
    parser = bgkw_runs.parser_of(__doc__)
    parser.set_defaults(results=HERE / "results" / "boltzmann")
    parser.add_argument("--k", nargs="+", type=float, help="which rows (default: all of the table)")
    parser.add_argument("--add", action="store_true", help="keep the other rows of a table that is there")
    parser.add_argument("--cells", type=int, default=60)
    parser.add_argument("--across", type=int, default=48, help="velocities across the slab (default: 48)")
    parser.add_argument("--along", type=int, default=26,
                        help="velocities along each of the other axes (default: 26)")  # fmt: skip
    parser.add_argument("--ratio", type=float, default=20,
                        help="width of the outermost velocity cell across over the innermost (default: 20)")  # fmt: skip
    parser.add_argument("--samples", type=int, default=12000, help="collisions a step (default: 12000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wanted = [
        tuple(float(row[name]) for name in ("k", "delta_visc_derived", "G_P"))
        for row in bgkw_runs.rows_of(TABLE)
    ]
    if options.k:
        wanted = [row for k in options.k for row in wanted if row[0] == k]
    cases = [case_of(delta, options) for _, delta, _ in wanted]
    reports, rows = [], []
    write = bgkw_runs.write_table
    if options.add:
        write = bgkw_runs.add_to_table
    for (k, delta, reference), case, run in zip(wanted, cases, bgkw_runs.runs_of(cases, options)):
        reports.append(run.report)
        rows.append(row_of(k, delta, reference, run, case, options))
        print(*rows[-1], flush=True)
        write(
            options.results / "poiseuille.csv",
            ["plane Poiseuille flow, linearised equation, order 2, linear interpolation; flow rate G_P "
             "as a mean over the last fifth of the steps, and the deviation of its values there"],
            reports, COLUMNS, rows,
        )  # fmt: skip


if __name__ == "__main__":
    main()
