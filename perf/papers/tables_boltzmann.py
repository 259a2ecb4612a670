"""Tables and figures of Frezzotti, Ghiroldi and Gibelli 2010: the Boltzmann equation."""

import re

from plots import Plot, Series
from reports import MISSING, markdown_table, number, percent
from tables import block, cavity_profiles, error_of

TABLE_OF_GRIDS = "boltzmann/h200-cavity-table1.csv"  # by tests/boltzmann/long_test.cpp


@block
def frezzotti_2010_table1(context):
    stresses, flows = [], []
    for row in context.paper("frezzotti_2010_table1"):
        values, origin = hard_sphere_values(context, row["delta"])
        stress, drag = values.get("lid_stress_mean"), values.get("drag_coefficient_mean")
        flow = values.get("flow_rate_mean")
        stresses.append(
            (
                f"{row['delta']:g}",
                f"{row['drag_coefficient']:g}",
                number(stress, 4),
                error_of(stress, row["drag_coefficient"]),
                f"{row['drag_extrapolated']:g}",
                number(drag, 4),
                error_of(drag, row["drag_extrapolated"]),
                f"{row['reference_drag_low']:g} - {row['reference_drag_high']:g}",
                origin,
            )
        )
        flows.append(
            (
                f"{row['delta']:g}",
                f"{row['flow_rate']:g}",
                number(flow, 4),
                error_of(flow, row["flow_rate"]),
                f"{row['flow_extrapolated']:g}",
                f"{row['reference_flow_low']:g} - {row['reference_flow_high']:g}",
                origin,
            )
        )
    stress_header = (
        "delta",
        "D, paper, from the cells",
        "ours",
        "difference",
        "D_e, paper, extrapolated",
        "ours, at the lid",
        "difference",
        "Varoutis et al.",
        "run",
    )
    flow_header = (
        "delta",
        "G, paper",
        "ours",
        "difference",
        "G_e, paper, extrapolated",
        "Varoutis et al.",
        "run",
    )
    return markdown_table(stress_header, stresses) + "\n\n" + markdown_table(flow_header, flows)


def hard_sphere_values(context, delta):
    """Means of the paper's run and where they are from: full run, timing report, table, small run."""
    run = context.results.run("frezzotti_2010_cavity", f"delta-{delta:g}")
    if run is not None and run["size"] == "full":
        return run["values"], "full"
    report = hard_sphere_report(context, delta)
    if report is not None:
        means = {key: float(v) for key, v in report["results"].items() if key.endswith("_mean")}
        return means, "timing report"
    for row in grid_rows(context, "paper grid", delta):
        return means_of(row), "full, table below"
    return (run["values"], "small") if run else ({}, MISSING)


def grid_rows(context, grid, delta):
    """Rows of the recorded table, in the order of their cells."""
    rows = context.results.table(TABLE_OF_GRIDS)
    found = [row for row in rows if row["grid"] == grid and row["delta"] == delta]
    return sorted(found, key=lambda row: row["cells"])


def means_of(row):
    names = ("lid_stress", "drag_coefficient", "flow_rate")
    return {f"{name}_mean": row[name] for name in names}


def convergence_points(context, delta):
    """[(cells a side, means)] on uniform grids: full runs, else the recorded table, else small."""
    runs = [
        run
        for run in context.results.runs("frezzotti_2010_convergence")
        if run["parameters"]["delta"] == delta
    ]
    full = [run for run in runs if run["size"] == "full"]
    recorded = grid_rows(context, "uniform grid", delta)
    if recorded and not full:
        return [(int(row["cells"]), means_of(row)) for row in recorded]
    shown = full or runs
    return sorted((run["parameters"]["cells"], run["values"]) for run in shown)


def hard_sphere_report(context, delta):
    """A timing report of the paper's run that lasted long enough for means, or None."""
    cells = 36864 if delta == 10 else 25600
    titled = re.compile(rf"delta = {delta:g}(?![.0-9])")
    found = context.results.reports(method="boltzmann", size_cells=cells, title=titled)
    found = [
        r
        for r in found
        if "drag_coefficient_mean" in r.get("results", {}) and r["total"]["steps"] >= 5000
    ]
    return max(found, key=lambda r: r["total"]["steps"], default=None)


@block
def frezzotti_2010_deviation(context):
    """Standard deviation of D over its mean, in the run of the paper's grid at delta = 1."""
    theirs = percent(context.paper_value("frezzotti_2010_performance", "drag_deviation"), 2)
    report = hard_sphere_report(context, 1)
    if report is not None:
        found = report["results"]
        ours = float(found["drag_coefficient_deviation"]) / float(found["drag_coefficient_mean"])
        return f"below {theirs} in the paper, {percent(ours, 3)} here (`{report['path']}`)"
    for row in grid_rows(context, "paper grid", 1):
        ours = row["drag_coefficient_deviation"] / row["drag_coefficient"]
        return f"below {theirs} in the paper, {percent(ours, 3)} here (`{TABLE_OF_GRIDS}`)"
    return f"below {theirs} in the paper, {MISSING} here"


@block
def frezzotti_2010_convergence(context):
    """Figure 1: error of D against the cells' width, and the extrapolation."""
    rows, series = [], []
    for index, row in enumerate(context.paper("frezzotti_2010_table1")):
        delta = row["delta"]
        grids = convergence_points(context, delta)
        points = {
            name: sorted((1 / cells, means[name]) for cells, means in grids)
            for name in ("lid_stress_mean", "flow_rate_mean")
        }
        limits = {name: extrapolate(found) for name, found in points.items()}
        for name, letter, marker in (
            ("lid_stress_mean", "D", "circle"),
            ("flow_rate_mean", "G", "square"),
        ):
            if limits[name] is not None:
                errors = [(h, abs(v / limits[name] - 1)) for h, v in points[name]]
                series.append(
                    Series(
                        f"{letter}, delta = {delta:g}", errors, index, True, marker, letter == "G"
                    )
                )
        rows.append(
            (
                f"{delta:g}",
                f"{row['drag_extrapolated']:g}",
                number(limits["lid_stress_mean"], 4),
                error_of(limits["lid_stress_mean"], row["drag_extrapolated"]),
                f"{row['flow_extrapolated']:g}",
                number(limits["flow_rate_mean"], 4),
                error_of(limits["flow_rate_mean"], row["flow_extrapolated"]),
                ", ".join(str(cells) for cells, _ in grids) or MISSING,
            )
        )
    figure = context.figure(
        "frezzotti_2010_convergence",
        Plot(
            "Hard spheres, uniform grids: error against the limit of a straight line",
            "cell width / L",
            "relative error",
            series,
            True,
            True,
        ),
    )
    header = (
        "delta",
        "D_e, paper",
        "D_e, ours",
        "difference",
        "G_e, paper",
        "G_e, ours",
        "difference",
        "cells a side",
    )
    return f"{markdown_table(header, rows)}\n\n{figure}"


def extrapolate(points):
    """Value at zero of the straight line of least squares."""
    if len(points) < 2:
        return None
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum(
        (x - mean_x) ** 2 for x, _ in points
    )
    return mean_y - slope * mean_x


@block
def frezzotti_2010_profiles(context):
    return cavity_profiles(
        context, "frezzotti_2010_cavity", "frezzotti_2010_cavity", "Cavity, hard spheres"
    )


@block
def frezzotti_2010_start(context):
    """Figure 3: drag coefficient in time."""
    rows = context.results.table("boltzmann/h200-cavity-start.csv")
    series = [
        Series(name, [(row["time"], row[f"seed_{n}"]) for row in rows], n - 1, True, "", n == 2)
        for n, name in ((1, "one seed"), (2, "another"))
    ]
    return context.figure(
        "frezzotti_2010_start",
        Plot(
            "Figure 3: drag coefficient from rest, delta = 1",
            "time, L / v_ref",
            "D, cells beside the lid",
            series,
        ),
    )
