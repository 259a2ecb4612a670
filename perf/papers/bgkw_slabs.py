#!/usr/bin/env python3
"""Couette, Poiseuille and heat flow between plates with the method bgkw beside reference tables.

Runs every rarefaction parameter of the tables in tests/data, second order, and writes one CSV table
a flow: delta, resolution, computed, reference, relative difference, and by how much the value still
changed over the last twentieth of the run. Couette flow at delta = 10 also gives the profile of the
velocity. With --study: two rows that stand out, by resolution, or those of the flows that are named.
"""

import functools

import bgkw_runs
from bgkw_runs import PERF

DATA = PERF.parent / "tests" / "data"
FLOWS = {
    "couette_bgk": ("couette_plane_BGK_shear.csv", "minus_pxy_per_dU", "bgk"),
    "heat_bgk": ("heat_transfer_plates_BGK.csv", "q_per_dT", "bgk"),
    "poiseuille_bgk": ("poiseuille_plane_BGK_loyalka1979.csv", "G_P", "bgk"),
    "poiseuille_shakhov": ("poiseuille_plane_Smodel_sharipov1999.csv", "G_P", "shakhov"),
}
PROFILE_DELTA = 10
MONITORS = {
    "couette": ("west.force_y", 0.02),
    "heat": ("west.energy_flux", 0.01),
    "poiseuille": ("mean_velocity_y", 0.002),
}


def resolution(delta):
    """Cells, velocities across the slab, width of the outer over that of the inner of these, and
    the Courant number.

    A molecule slower than delta across the slab collides before it has crossed it: where gas is
    driven along the slab, these carry much of the flow, so the cells at zero must be narrower than
    that.
    """
    if delta < 0.05:
        return 40, 160, 1e4, 10
    if delta < 1:
        return 40, 100, 1e3, 3
    if delta < 5:
        return 80, 80, 100, 2
    return (160 if delta < 20 else 320), 80, 100, 2


def case_of(flow, model, delta, grid=None):
    cells, velocities, ratio, courant = grid or resolution(delta)
    case = {
        "method": "bgkw",
        "title": f"{flow}, {model}, delta {delta:g}",
        "precision": "double",
        "domain": {"cells": [cells]},
        "velocity_grid": {
            "type": "stretched",
            "count": [velocities, 8, 6],
            "ratio": [ratio, 1, 1],
            "minimum": [-4, -3.5, -3],
            "maximum": [4, 3.5, 3],
        },
        "gas": {"rarefaction": delta},
        "collision": {"model": model, "conservative": True},
        "propagation": {"order": 2},
        "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}},
        # Partial sums of all moments by a larger team may not fit in the scratch memory of a GPU.
        "tuning": {"team_size": 128},
        "output": {"fields": {"write": False}, "series": {"quantities": [MONITORS[flow][0]]}},
    }
    sides = case["boundaries"]
    if flow == "couette":
        sides["west"]["velocity"], sides["east"]["velocity"] = [0, -0.01, 0], [0, 0.01, 0]
        if delta == PROFILE_DELTA:
            case["output"]["profiles"] = [
                {"name": "velocity", "quantity": "velocity_y", "along": "x"}
            ]
    elif flow == "heat":
        sides["west"]["temperature"], sides["east"]["temperature"] = 0.995, 1.005
        case["reduced"] = True
    else:
        case["collision"]["body_force"] = [0, 0.002, 0]
    # Slow molecules forget their past by collisions alone, viscosity takes time across the slab.
    time_step = min(courant / (3.9 * cells), 0.25 / delta)
    bgkw_runs.steps_for(case, 8 + 6 / delta + 2 * delta, time_step)
    return case


def write_profile(run, results):
    """Velocity over that of the upper wall to the lower one, as in the reference."""
    points = [(x - 0.5, v / 2) for x, v in run.profiles["velocity"]]
    rows = []
    for row in bgkw_runs.rows_of(DATA / "couette_BGKW_exact_profile_k0.1.csv"):
        y, expected = float(row["y"]), float(row["v_x"])
        value = bgkw_runs.interpolate(points, y)
        rows.append((f"{y:g}", f"{value:.6f}", f"{expected:.6f}", f"{value - expected:.6f}"))
    notes = [f"Couette flow, delta {PROFILE_DELTA}, {len(points)} cells, order 2; velocity over the "
             "walls' relative velocity, at the wall by extrapolation"]  # fmt: skip
    bgkw_runs.write_table(results / "couette_bgk_profile.csv", notes, [run.report],
                          ("y", "velocity", "exact", "difference"), rows)  # fmt: skip


# Rows that differ from their table by half a percent, each on grids coarser and finer than that of
# the table: (table, delta), and (cells, velocities) over those of `resolution`.
STUDIED = (("heat_bgk", 10), ("poiseuille_shakhov", 0.2))
REFINEMENTS = ((0.5, 1), (1, 1), (2, 1), (1, 0.8), (1, 1.6), (2, 1.6), (1, 2.56))


def study(options):
    """slabs_resolution.csv: whether a difference is due to the resolution."""
    wanted, cases = [], []
    for name, delta in STUDIED:
        if options.flows and name not in options.flows:
            continue
        table, column, model = FLOWS[name]
        [reference] = [float(row[column]) for row in bgkw_runs.rows_of(DATA / table)
                       if float(row["delta"]) == delta]  # fmt: skip
        cells, velocities, ratio, courant = resolution(delta)
        for more_cells, more_velocities in REFINEMENTS:
            # Narrower velocity cells at zero too, where distributions jump.
            grid = (round(cells * more_cells), 2 * round(velocities * more_velocities / 2),
                    ratio * more_velocities, courant)  # fmt: skip
            wanted.append((name, delta, reference, grid))
            cases.append(case_of(name.split("_")[0], model, delta, grid))
    def place(row):
        return [name for name, _ in STUDIED].index(row[0])

    write = bgkw_runs.write_table
    if options.add:
        write = functools.partial(bgkw_runs.add_to_table, key=5, order=place)
    reports, rows = [], []
    for (name, delta, reference, grid), run in zip(wanted, bgkw_runs.runs_of(cases, options)):
        monitor, scale = MONITORS[name.split("_")[0]]
        value = run.last(monitor) / scale
        reports.append(run.report)
        rows.append((name, f"{delta:g}", f"{grid[0]}", f"{grid[1]}", f"{grid[2]:g}", f"{value:.6g}",
                     f"{reference:g}", f"{value / reference - 1:.5f}",
                     f"{run.change(monitor):.1e}"))  # fmt: skip
        print(*rows[-1], flush=True)
        write(
            options.results / "slabs_resolution.csv",
            ["rows of the tables beside this one that differ from the published value by half a percent, "
             "by resolution: cells, velocities across the slab, ratio of the widths of these"],
            reports, ("flow", "delta", "cells", "velocities", "ratio", "computed", "reference",
                      "relative_difference", "last_change"), rows,
        )  # fmt: skip


def main():
    parser = bgkw_runs.parser_of(__doc__)
    parser.add_argument("flows", nargs="*", default=[], help=", ".join(FLOWS))
    parser.add_argument("--deltas", nargs=2, type=float, default=[0, 1e9], help="range")
    parser.add_argument("--add", action="store_true", help="keep the other rows of tables that are there")
    parser.add_argument("--study", action="store_true",
                        help="the rows that differ by half a percent at other resolutions, in place of "
                             "the tables")  # fmt: skip
    options = parser.parse_args()
    if options.study:
        study(options)
        return
    for name in options.flows or FLOWS:
        table, column, model = FLOWS[name]
        flow = name.split("_")[0]
        monitor, scale = MONITORS[flow]
        wanted = [
            (float(row["delta"]), float(row[column]))
            for row in bgkw_runs.rows_of(DATA / table)
            if options.deltas[0] <= float(row["delta"]) <= options.deltas[1]
        ]
        cases = [case_of(flow, model, delta) for delta, _ in wanted]
        work = [
            case["stop"]["steps"] * case["domain"]["cells"][0] * case["velocity_grid"]["count"][0]
            for case in cases
        ]
        order = sorted(range(len(cases)), key=lambda i: -work[i])
        notes = [f"{flow}, {model}, order 2; velocities across the slab, and how much wider the outermost "
                 "of their cells are than the innermost"]  # fmt: skip
        if flow == "heat":
            jumps = (f"{1.25 / (delta + 2 * 1.30272):.6f} at delta {delta:g}"
                     for delta, _ in wanted if delta >= 7)  # fmt: skip
            notes.append("by the jump of temperature at the walls, 1.25 / (delta + 2 x 1.30272): "
                         + ", ".join(jumps))  # fmt: skip
        write = bgkw_runs.add_to_table if options.add else bgkw_runs.write_table
        reports, rows = [], {}
        for i, run in zip(order, bgkw_runs.runs_of([cases[i] for i in order], options)):
            delta, reference = wanted[i]
            value = run.last(monitor) / scale
            cells, velocities, ratio, courant = resolution(delta)
            rows[i] = (f"{delta:g}", f"{cells}", f"{velocities}", f"{ratio:g}", f"{value:.6g}",
                       f"{reference:g}", f"{value / reference - 1:.5f}",
                       f"{run.change(monitor):.1e}")  # fmt: skip
            reports.append(run.report)
            print(name, *rows[i], f"{run.report['total']['seconds']:.1f} s", flush=True)
            if flow == "couette" and delta == PROFILE_DELTA:
                write_profile(run, options.results)
            write(
                options.results / f"{name}.csv", notes, reports,
                ("delta", "cells", "velocities", "ratio", "computed", "reference",
                 "relative_difference", "last_change"),
                [rows[n] for n in sorted(rows)],
            )  # fmt: skip


if __name__ == "__main__":
    main()
