#!/usr/bin/env python3
"""Lid-driven cavity of a rarefied gas with the method bgkw beside Table 1 of Frezzotti 2009.

Writes cavity_bgk.csv: drag coefficient D of the lid and flow rate G of the vortex
- on the paper's grids with the first-order scheme beside what the paper found: 160 x 160 cells, 20
  velocities a component at equal distances between -3 and 3;
- with second order and more velocities beside the values of the paper's reference (Varoutis,
  Valougeorgis and Sharipov 2008).

There are two values of D: from the momentum that crosses the lid, and from the shear stress in the
cells beside it, half a cell away. The paper's is the latter; to first order they differ by percents.
"""

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
    compared = gas if grid.get("order", 1) == 1 else lid
    text = ["-".join(f"{v:g}" for v in sorted(set(r))) for r in (expected_drag, expected_rate)]
    return (
        f"{delta:g}", f"{grid.get('order', 1)}", f"{grid['cells']}", f"{grid['velocities']}",
        f"{grid['reach']:g}", f"{grid.get('ratio', 1)}", run.report["precision"],
        f"{lid:.5f}", f"{gas:.5f}", text[0], f"{difference(compared, *expected_drag):.4f}",
        f"{rate:.5f}", f"{run.last('flow_rate'):.5f}", text[1], f"{difference(rate, *expected_rate):.4f}",
        f"{run.change('drag_coefficient'):.0e}",
    )  # fmt: skip


def main():
    parser = bgkw_runs.parser_of(__doc__)
    parser.add_argument("--all-components", action="store_true",
                        help="also the paper's grid in single precision with all three components of "
                             "the velocity (ten times the work)")  # fmt: skip
    parser.add_argument("--cells", type=int, help="cells a side, for a trial")
    parser.add_argument("--time", type=float, default=12, help="in L / v_ref (default: 12)")
    options = parser.parse_args()
    wanted = [(delta, PAPER, (paper[0],) * 2, (paper[1],) * 2)
              for delta, (paper, _, _) in TABLE_1.items()]  # fmt: skip
    wanted += [(delta, RARE if delta < 1 else FINE, drag, rate) for delta, (_, drag, rate) in TABLE_1.items()]
    if options.all_components:
        wanted += [(delta, {**grid, "reduced": False}, drag, rate)
                   for delta, grid, drag, rate in wanted if grid is PAPER]  # fmt: skip
    if options.cells:
        wanted = [(delta, {**grid, "cells": options.cells}, *rest) for delta, grid, *rest in wanted]
    reports, rows = [], []
    cases = [case_of(delta, **grid, time=options.time) for delta, grid, *_ in wanted]
    for (delta, grid, *expected), run in zip(wanted, bgkw_runs.runs_of(cases, options)):
        reports.append(run.report)
        rows.append(row_of(delta, run, grid, *expected))
        print(*rows[-1], f"{run.report['total']['seconds']:.1f} s", flush=True)
        bgkw_runs.write_table(
            options.results / "cavity_bgk.csv",
            ["D from the momentum that crosses the lid and from the stress in the cells beside it, half a "
             "cell away; compared is the latter in first order, with the paper's Table 1, the former in "
             "second order, with the ranges of the paper's reference; G from the centre of the vortex up to "
             "the lid, as the paper words it, and as the integral of |u_x| of the paper of 2010"],
            reports, COLUMNS, rows,
        )  # fmt: skip


if __name__ == "__main__":
    main()
