#!/usr/bin/env python3
"""Plane Poiseuille flow of hard spheres with the method boltzmann beside Ohwada, Sone and Aoki 1989.

Writes poiseuille.csv: for each k the flow rate G_P as a mean over the last fifth of the run, the
deviation of its values there, the published value and the relative difference. Linearised equation,
second order; cells are finest at the walls.

In a rare gas distributions are interpolated linearly between velocities, which are finest at zero
across the slab. In a denser one noise would grow so; there they are constant in velocity cells of
one width, and two such grids give the limit of no width, the error being of second order in it.
"""

import statistics

import bgkw_runs
from bgkw_runs import PERF

FORCE = 0.01
PROGRESSION = 0.95  # of the widths of neighbouring cells
TABLE = PERF.parent / "tests" / "data" / "poiseuille_plane_LBE_hardsphere_ohwada1989.csv"
# Velocities across and along the slab, width of the outermost cell across over the innermost,
# collisions in a step, interpolation between velocities.
RARE = ((48, 26, 20, 12000, "linear"),)
DENSE = ((16, 16, 1, 3072, "constant"), (24, 24, 1, 10368, "constant"))
COLUMNS = ("k", "delta", "cells", "velocities_across", "velocities_along", "ratio", "samples",
           "interpolation", "time_step", "steps", "computed", "deviation", "reference", "relative_difference",
           "seconds")  # fmt: skip


def grids_of(delta):
    return RARE if delta < 5 else DENSE


def case_of(delta, grid, options):
    across, along, ratio, samples, interpolation = grid
    case = {
        "method": "boltzmann",
        "title": f"plane Poiseuille flow of hard spheres, delta {delta:g}",
        "precision": "single",
        "domain": {"cells": [options.cells], "progression": [PROGRESSION]},
        "velocity_grid": {
            "type": "stretched",
            "count": [across, along, along],
            "ratio": [ratio, 1, 1],
            "minimum": [-3.2] * 3,
            "maximum": [3.2] * 3,
        },
        "gas": {"rarefaction": delta},
        "collision": {
            "form": "linearised",
            "samples": samples,
            "seed": options.seed,
            "sample_temperature": 2,
            "interpolation": interpolation,
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
    halves = [PROGRESSION**n for n in range(options.cells // 2)]
    finest = 0.5 * halves[-1] / sum(halves)
    # The other limit is a twentieth of the mean free time of the fastest molecules of the grid.
    time_step = min(0.9 * finest / 3.2, 0.011 / delta)
    # Until slow molecules have collided, and until momentum has diffused.
    bgkw_runs.steps_for(case, 10 + 4 / delta + delta, time_step, 200)
    return case


def summary(run):
    """Mean of the flow rate over the last fifth of a run, and the deviation of its values."""
    values = [entry["mean_velocity_y"] / FORCE for entry in run.series]
    values = values[-max(len(values) // 5, 2) :]
    return statistics.fmean(values), statistics.stdev(values)


def text_of(mean, deviation, reference):
    return (f"{mean:.5f}", f"{deviation:.1e}", f"{reference:g}", f"{mean / reference - 1:.5f}")


def rows_for(k, delta, reference, runs, options):
    """A row a run; where there are two, another one with the limit of no width of velocity cells."""
    rows, found = [], []
    for grid, case, run in runs:
        across, along, ratio, samples, interpolation = grid
        found.append(summary(run))
        total = run.report["total"]
        rows.append((
            f"{k:g}", f"{delta:g}", f"{options.cells}", f"{across}", f"{along}", f"{ratio:g}",
            f"{samples}", interpolation, f"{case['propagation']['time_step']:.4g}",
            f"{total['steps']}", *text_of(*found[-1], reference), f"{total['seconds']:.1f}",
        ))  # fmt: skip
    if len(runs) == 2:
        coarse, fine = (grid[0] for grid, *_ in runs)
        share = coarse**2 / fine**2
        mean = (found[1][0] - share * found[0][0]) / (1 - share)
        deviation = (found[1][1] ** 2 + (share * found[0][1]) ** 2) ** 0.5 / (1 - share)
        rows.append((
            f"{k:g}", f"{delta:g}", f"{options.cells}", "extrapolated", "", "", "", "", "", "",
            *text_of(mean, deviation, reference), "",
        ))  # fmt: skip
    return rows


def main():
    parser = bgkw_runs.parser_of(__doc__)
    parser.set_defaults(results=PERF / "results" / "boltzmann")
    parser.add_argument("--k", nargs="+", type=float, help="which rows (default: all of the table)")
    parser.add_argument("--add", action="store_true", help="keep the other rows of a table that is there")
    parser.add_argument("--cells", type=int, default=60, help="across the slab (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wanted = [
        tuple(float(row[name]) for name in ("k", "delta_visc_derived", "G_P"))
        for row in bgkw_runs.rows_of(TABLE)
    ]
    if options.k:
        wanted = [row for k in options.k for row in wanted if row[0] == k]
    jobs = [(row, grid) for row in wanted for grid in grids_of(row[1])]
    cases = [case_of(row[1], grid, options) for row, grid in jobs]
    write = bgkw_runs.add_to_table if options.add else bgkw_runs.write_table
    reports, rows, of_row = [], [], []
    for (row, grid), case, run in zip(jobs, cases, bgkw_runs.runs_of(cases, options)):
        reports.append(run.report)
        of_row.append((grid, case, run))
        if len(of_row) < len(grids_of(row[1])):
            continue
        new = rows_for(*row, of_row, options)
        of_row = []
        rows += new
        print(*new[-1], flush=True)
        write(
            options.results / "poiseuille.csv",
            ["plane Poiseuille flow, linearised equation, order 2; flow rate G_P as a mean over the last "
             "fifth of the steps, and the deviation of its values there"],
            reports, COLUMNS, rows,
        )  # fmt: skip


if __name__ == "__main__":
    main()
