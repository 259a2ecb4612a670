#!/usr/bin/env python3
"""Lid-driven cavity of a rarefied gas with the method bgkw beside Table 1 of Frezzotti 2009.

Writes cavity_bgk.csv: drag coefficient D of the lid and flow rate G of the vortex
- on the paper's grids with the first-order scheme beside what the paper found: 160 x 160 cells, 20
  velocities a component at equal distances between -3 and 3;
- with second order and more velocities beside the values of the paper's reference (Varoutis,
  Valougeorgis and Sharipov 2008).

There are two values of D: from the momentum that crosses the lid, and from the shear stress in the
cells beside it, half a cell away. The paper's is the latter; to first order they differ by percents,
and with order 2 too the former, in which the jumps of the lid's speed at its ends count more, is
above the latter.
"""

import functools

import bgkw_runs

# delta: (D, G) of the paper, ranges of D and of G of its reference
TABLE_1 = {
    0.1: ((0.675, 0.0975), (0.676, 0.678), (0.0973, 0.0976)),
    1: ((0.624, 0.103), (0.625, 0.631), (0.104, 0.105)),
    10: ((0.393, 0.143), (0.412, 0.415), (0.145, 0.145)),
}
LID = 0.01


PAPER = {"cells": 160, "velocities": 20, "reach": 3}
FINE = {"cells": 120, "velocities": 24, "reach": 3.5, "order": 2}
# In a rare gas jumps of the distribution need velocities that are fine at zero.
RARE = {"cells": 160, "velocities": 32, "reach": 3.5, "ratio": 4, "order": 2}
# In a dense gas velocities that are left out cost mass in every collision.
DENSE = {"cells": 160, "velocities": 24, "reach": 4, "order": 2}
GRIDS = {
    0.1: [PAPER, RARE],
    1: [PAPER, FINE],
    10: [PAPER, {**DENSE, "cells": 80}, DENSE],
}
NOTES = [
    "D from the momentum that crosses the lid and from the stress in the cells beside it, half a cell away; "
    "compared is the latter, in first order with the paper's Table 1, in second order with the ranges of the "
    "paper's reference; G from the centre of the vortex up to the lid, as the paper words it, and as the "
    "integral of |u_x| of the paper of 2010",
    "velocities to 3 leave out 3.8e-5 of a Maxwellian, so at delta 10 the mass falls by 0.46 % over the 12 "
    "units of time of a run (0.05 % at 1); nothing is corrected, as in the paper",
]
COLUMNS = ("delta", "order", "cells", "velocities", "reach", "ratio", "precision", "D_lid", "D_gas",
           "D_expected", "D_difference", "G", "G_of_2010", "G_expected", "G_difference", "last_change_of_D")  # fmt: skip


def case_of(delta, cells, velocities, reach, ratio=1, order=1, reduced=True, time=12):
    """A square cavity; `velocities` along each component from -reach to reach, the outermost of
    their cells `ratio` times as wide as the innermost."""
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
        # The sums of a Maxwellian over velocities at equal distances are exact as they are.
        "collision": {"conservative": ratio != 1},
        "propagation": {"order": order},
        "boundaries": {side: {"type": "wall"} for side in ("north", "south", "west", "east")},
        "output": {
            "fields": {"write": False},
            "series": {"quantities": ["drag_coefficient", "lid_stress", "flow_rate",
                                      "vortex_flow_rate", "mass"]},
        },
    }  # fmt: skip
    case["boundaries"]["north"]["velocity"] = [LID, 0, 0]
    # The outermost velocity is inside the range: a little too short a step does no harm.
    time_step = 0.9 / (reach * cells * (1 if order == 2 else 2))
    bgkw_runs.steps_for(case, time, min(time_step, 0.5 / delta))
    return case


def difference(value, low, high):
    """Relative distance from a range."""
    return min(value / low - 1, 0) + max(value / high - 1, 0)


def row_of(delta, run, grid, expected_drag, expected_rate):
    lid = run.last("drag_coefficient")
    gas = run.last("lid_stress")
    rate = run.last("vortex_flow_rate")
    text = ["-".join(f"{v:g}" for v in sorted(set(r))) for r in (expected_drag, expected_rate)]
    return (
        f"{delta:g}", f"{grid.get('order', 1)}", f"{grid['cells']}", f"{grid['velocities']}",
        f"{grid['reach']:g}", f"{grid.get('ratio', 1)}", run.report["precision"],
        f"{lid:.5f}", f"{gas:.5f}", text[0], f"{difference(gas, *expected_drag):.4f}",
        f"{rate:.5f}", f"{run.last('flow_rate'):.5f}", text[1], f"{difference(rate, *expected_rate):.4f}",
        f"{run.change('drag_coefficient'):.0e}",
    )  # fmt: skip


def place_of(row):
    """Of a row in the table: order 1, then 2, each by delta and cells."""
    values = dict(zip(COLUMNS, row))
    return int(values["order"]), float(values["delta"]), int(values["cells"])


def main():
    parser = bgkw_runs.parser_of(__doc__)
    parser.add_argument("--all-components", action="store_true",
                        help="also the paper's grid in single precision with all three components of "
                             "the velocity (ten times the work)")  # fmt: skip
    parser.add_argument("--cells", type=int, help="cells a side, for a trial")
    parser.add_argument("--time", type=float, default=12, help="in L / v_ref (default: 12)")
    parser.add_argument("--deltas", nargs="+", type=float, default=list(TABLE_1), help="those of Table 1")
    parser.add_argument("--orders", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--add", action="store_true", help="keep the other rows of a table that is there")
    options = parser.parse_args()
    wanted = []
    for delta in options.deltas:
        if delta not in TABLE_1:
            parser.error(f"delta {delta:g} is not in Table 1: {', '.join(f'{d:g}' for d in TABLE_1)}")
        paper, drag, rate = TABLE_1[delta]
        for grid in GRIDS[delta]:
            first = grid.get("order", 1) == 1
            if grid.get("order", 1) not in options.orders:
                continue
            expected = ((paper[0],) * 2, (paper[1],) * 2) if first else (drag, rate)
            wanted.append((delta, grid, *expected))
            if options.all_components and grid is PAPER:
                wanted.append((delta, {**grid, "reduced": False}, *expected))
    if options.cells:
        wanted = [(delta, {**grid, "cells": options.cells}, *rest) for delta, grid, *rest in wanted]
    write = bgkw_runs.write_table
    if options.add:
        key = COLUMNS.index("precision") + 1
        write = functools.partial(bgkw_runs.add_to_table, key=key, order=place_of)
    reports, rows = [], []
    cases = [case_of(delta, **grid, time=options.time) for delta, grid, *_ in wanted]
    for (delta, grid, *expected), run in zip(wanted, bgkw_runs.runs_of(cases, options)):
        reports.append(run.report)
        rows.append(row_of(delta, run, grid, *expected))
        print(*rows[-1], f"{run.report['total']['seconds']:.1f} s", flush=True)
        write(options.results / "cavity_bgk.csv", NOTES, reports, COLUMNS, rows)


if __name__ == "__main__":
    main()
