"""Tables and figures of Frezzotti, Ghiroldi and Gibelli 2009: model equations."""

import math
import re

from experiments import LID_SPEED
from plots import Plot, Series
from reports import (
    MISSING,
    markdown_table,
    number,
    percent,
    ratio,
    share_text,
    update_time_text,
)
from tables import (
    block,
    by_cells,
    cavity_profiles,
    drag_and_flow,
    error_of,
    kernel_seconds,
    nearest_in_cells,
    profile_points,
    size_note,
    speedup,
    three_machines,
    times_text,
)


def cavity_values(context, delta, order):
    """D from the cells beside the lid, D from what crosses it, G, and where they are from.

    Order 1: full runs, else the table that `perf/papers/bgkw_cavity.py` recorded, else small runs. Order 2:
    that table, whose grids are finer, before the runs across methods.
    """
    name = f"delta-{delta:g}" if order == 1 else f"bgkw-{delta:g}"
    experiment = "frezzotti_2009_cavity" if order == 1 else "cavity_across_methods"
    run = context.results.run(experiment, name)
    if order == 2 or run is None or run["size"] != "full":
        rows = context.results.table("bgkw/cavity_bgk.csv")
        rows = [row for row in rows if (row["delta"], row["order"]) == (delta, order)]
        if rows:
            row = max(rows, key=lambda row: row["cells"])
            return row["D_gas"], row["D_lid"], row["G"], "full, table below"
    stress = [value for _, value in profile_points(run, "stress_below_lid")]
    gas = -sum(stress) / len(stress) / LID_SPEED if stress else None
    drag, flow = drag_and_flow(run)
    # G as the paper words it, where the run has it.
    flow = run["values"].get("vortex_flow_rate", flow) if run and order == 1 else flow
    return gas, drag, flow, size_note(run)


@block
def frezzotti_2009_table1(context):
    rows = []
    for row in context.paper("frezzotti_2009_table1"):
        gas, drag, flow, origin = cavity_values(context, row["delta"], 1)
        fine_gas, fine_drag, fine_flow, _ = cavity_values(context, row["delta"], 2)
        rows.append(
            (
                f"{row['delta']:g}",
                f"{row['drag_coefficient']:g}",
                number(gas, 4),
                error_of(gas, row["drag_coefficient"]),
                number(drag, 4),
                f"{row['reference_drag_low']:g} - {row['reference_drag_high']:g}",
                number(fine_gas, 4),
                number(fine_drag, 4),
                f"{row['flow_rate']:g}",
                number(flow, 4),
                error_of(flow, row["flow_rate"]),
                f"{row['reference_flow_low']:g} - {row['reference_flow_high']:g}",
                number(fine_flow, 4),
                origin,
            )
        )
    header = (
        "delta",
        "D, paper",
        "D, ours, cells beside the lid",
        "difference",
        "D, ours, at the lid",
        "D, Varoutis et al.",
        "D, ours, order 2, cells beside the lid",
        "at the lid",
        "G, paper",
        "G, ours",
        "difference",
        "G, Varoutis et al.",
        "G, ours, order 2",
        "size",
    )
    return markdown_table(header, rows)


@block
def frezzotti_2009_profiles(context):
    return cavity_profiles(
        context, "frezzotti_2009_cavity", "frezzotti_2009_cavity", "Cavity, BGKW"
    )


@block
def frezzotti_2009_shock(context):
    rows, velocity, temperature = [], [], []
    for index, run in enumerate(context.results.runs("frezzotti_2009_shock")):
        mach = run["parameters"]["mach"]
        compression = 4 * mach**2 / (mach**2 + 3)
        heat = (5 * mach**2 - 1) * (mach**2 + 3) / (16 * mach**2)
        ends = {
            name: profile_points(run, name) for name in ("density", "velocity_x", "temperature")
        }
        rows.append(
            (
                f"{mach:g}",
                number(run["values"]["density_thickness"], 4),
                number(run["values"]["temperature_thickness"], 4),
                f"{ends['density'][-1][1] / compression - 1:+.1e}",
                f"{ends['temperature'][-1][1] / heat - 1:+.1e}",
                run["size"],
            )
        )
        centre = shock_centre(ends["density"])
        speed = mach * math.sqrt(5 / 6)
        velocity.append(
            Series(
                f"Ma = {mach:g}", [(x - centre, u / speed) for x, u in ends["velocity_x"]], index
            )
        )
        temperature.append(
            Series(
                f"Ma = {mach:g}",
                [(x - centre, (t - 1) / (heat - 1)) for x, t in ends["temperature"]],
                index,
            )
        )
    figures = [
        context.figure(
            "frezzotti_2009_shock_velocity",
            Plot(
                "Shock waves: velocity over that upstream",
                "x in mu v_ref / p upstream",
                "u / u_1",
                velocity,
                x_range=(-15, 15),
            ),
        ),
        context.figure(
            "frezzotti_2009_shock_temperature",
            Plot(
                "Shock waves: temperature from upstream (0) to downstream (1)",
                "x in mu v_ref / p upstream",
                "(T - T_1) / (T_2 - T_1)",
                temperature,
                x_range=(-15, 15),
            ),
        ),
    ]
    header = (
        "Ma",
        "density thickness",
        "temperature thickness",
        "density downstream over Rankine-Hugoniot - 1",
        "temperature downstream - 1",
        "size",
    )
    table = markdown_table(header, rows) if rows else f"Shock waves: {MISSING}."
    return table + "\n\n" + "\n\n".join(figures)


def shock_centre(density):
    middle = 0.5 * (density[0][1] + density[-1][1])
    for (x0, r0), (x1, r1) in zip(density, density[1:]):
        if r0 <= middle <= r1:
            return x0 + (x1 - x0) * (middle - r0) / (r1 - r0)
    return 0


@block
def frezzotti_2009_thickness(context):
    """Thickness over the Mach number, as `perf/papers/bgkw_shocks.py` left it."""
    table = context.results.table("bgkw/shock_thickness.csv")
    series = []
    for index, model in enumerate(("bgk", "shakhov")):
        points = [
            (row["mach"], 1 / row["density_thickness"]) for row in table if row["model"] == model
        ]
        series.append(Series(f"{model}, density", points, index, True, "circle"))
        points = [
            (row["mach"], 1 / row["temperature_thickness"])
            for row in table
            if row["model"] == model
        ]
        series.append(Series(f"{model}, temperature", points, index, True, "square", True))
    return context.figure(
        "frezzotti_2009_thickness",
        Plot("Shock waves: reciprocal thickness", "Ma", "mu v_ref / (p thickness)", series),
    )


@block
def frezzotti_2009_slabs(context):
    """Flows between plates against published tables, as `perf/papers/bgkw_slabs.py` left them."""
    rows = []
    for name, flow in (
        ("couette_bgk", "Couette, shear stress"),
        ("heat_bgk", "heat flux"),
        ("poiseuille_bgk", "Poiseuille, flow rate"),
        ("poiseuille_shakhov", "Poiseuille, flow rate, Shakhov"),
    ):
        table = context.results.table(f"bgkw/{name}.csv")
        if not table:
            rows.append((flow, MISSING, MISSING, MISSING))
            continue
        worst = max(table, key=lambda row: abs(row["relative_difference"]))
        rows.append(
            (
                flow,
                f"{table[0]['delta']:g} - {table[-1]['delta']:g}",
                len(table),
                f"{100 * worst['relative_difference']:+.2f} % at delta = {worst['delta']:g}",
            )
        )
    return markdown_table(
        ("flow", "delta", "values", "largest difference from the published value"), rows
    )


BGKW_CAVITY = {"method": "bgkw", "precision": "single", "title": re.compile("cavity", re.I)}
BGKW_SHOCK = {"method": "bgkw", "precision": "single", "title": re.compile("shock", re.I)}
BGKW_FUSED = {**BGKW_CAVITY, "variant": re.compile("^fused bgk$")}
BGKW_GRID = ("size_cells", "size_velocities")
PAPER_GRID = {"size_cells": 160 * 160, "size_velocities": 20**3}
SHOCK_GRID = {"size_cells": 8192, "size_velocities": 20**3}
PARTS = {  # names of kernels of the schemes `separate` and `tiles`
    "streaming": "stream|wall_density",
    "collision": "collide",
    "whole": ".",
}


@block
def frezzotti_2009_speedup(context):
    """The kernels of the schemes of two and the whole, GPU over one thread and all cores."""
    rows = []
    for flow, wanted, paper_grid in (
        ("shock wave, one dimension", BGKW_SHOCK, SHOCK_GRID),
        ("cavity, two dimensions", BGKW_CAVITY, PAPER_GRID),
    ):
        for scheme in ("tiles", "separate", "fused"):
            gpu, one, many, grid = three_machines(
                context, {**wanted, "variant": variant(scheme)}, BGKW_GRID, paper_grid
            )
            if scheme == "tiles" and one is None:
                continue  # that scheme is there to be compared, not to be used
            parts, spent = [], {}
            for part in ("streaming", "collision"):
                spent[part] = kernel_seconds(gpu, PARTS[part])
                gain = ratio(kernel_seconds(one, PARTS[part]), spent[part])
                parts.append(times_text(gain) if scheme != "fused" else "one kernel")
            share = ratio(spent["streaming"], sum(spent.values())) if all(spent.values()) else None
            rows.append(
                (
                    flow,
                    scheme,
                    grid,
                    *parts,
                    percent(share, 0) if scheme != "fused" else "",
                    times_text(speedup(one, gpu)),
                    times_text(speedup(many, gpu)),
                    update_time_text(one),
                    update_time_text(many),
                    update_time_text(gpu),
                    share_text(gpu),
                )
            )
    header = (
        "flow",
        "scheme",
        "grid",
        "streaming",
        "collision",
        "time in streaming, GPU",
        "whole, over one thread",
        "over all cores",
        "one thread",
        "all cores",
        "GPU",
        "share of copy bandwidth, GPU",
    )
    return markdown_table(header, rows)


def variant(scheme):
    """Variants of the paper's equation and order."""
    return re.compile(f"^{scheme} bgk$")


def shock_reports(context):
    """{(machine, scheme, velocities): {cells: report}}; machines are gpu and core."""
    found = {}
    for scheme in ("separate", "fused"):
        for report in context.results.reports(**BGKW_SHOCK, variant=variant(scheme)):
            on_core = report["backend"] == "openmp" and report["threads"] == 1
            machine = "core" if on_core else "gpu" if report["backend"] == "cuda" else "cores"
            key = (machine, scheme, report["sizes"]["velocities"])
            found.setdefault(key, []).append(report)
    return {key: by_cells(reports) for key, reports in found.items()}


@block
def frezzotti_2009_speedup_figures(context):
    """Figures 2, 3 and 5: speedups over one thread against the cells; figure 4: shares of time."""
    reports = shock_reports(context)
    counts = sorted({velocities for _, _, velocities in reports})
    figures = []
    for figure, part, scheme in (
        ("2", "streaming", "separate"),
        ("3", "collision", "separate"),
        ("5", "whole", "separate"),
        ("5", "whole", "fused"),
    ):
        series = []
        for index, count in enumerate(counts):
            cores = reports.get(("core", scheme, count), {})
            points = []
            for cells, gpu in reports.get(("gpu", scheme, count), {}).items():
                core = kernel_seconds(nearest_in_cells(cores, cells), PARTS[part])
                gain = ratio(core, kernel_seconds(gpu, PARTS[part]))
                if gain is not None:
                    points.append((cells, gain))
            series.append(Series(f"{count} velocities", points, index, True, "circle"))
        figures.append(
            context.figure(
                f"frezzotti_2009_speedup_{part}_{scheme}",
                Plot(
                    f"Figure {figure}: speedup over one thread, {part}, scheme {scheme}",
                    "cells",
                    "time of one thread over that of the GPU",
                    series,
                    True,
                ),
            )
        )
    series = []
    for index, count in enumerate(counts):
        for part, marker in (("streaming", "circle"), ("collision", "square")):
            points = []
            for cells, gpu in reports.get(("gpu", "separate", count), {}).items():
                share = ratio(kernel_seconds(gpu, PARTS[part]), kernel_seconds(gpu, "."))
                if share is not None:
                    points.append((cells, share))
            name = f"{part}, {count} velocities"
            series.append(Series(name, points, index, True, marker, part == "collision"))
    figures.append(
        context.figure(
            "frezzotti_2009_shares",
            Plot("Figure 4: share of the GPU's time", "cells", "share", series, True),
        )
    )
    return "\n\n".join(figures)


@block
def frezzotti_2009_time(context):
    """Figure 7: time a phase-space point against the number of cells."""
    series = []
    for index, (flow, wanted) in enumerate(
        (("one dimension", BGKW_SHOCK), ("two dimensions", BGKW_CAVITY))
    ):
        for marker, scheme in (("circle", "fused"), ("square", "separate")):
            found = context.results.reports(
                **wanted, backend="cuda", variant=variant(scheme)
            )
            largest = max((r["sizes"]["velocities"] for r in found), default=0)
            found = by_cells(r for r in found if r["sizes"]["velocities"] == largest)
            points = [(cells, 1e3 * r["total"]["ns_per_update"]) for cells, r in found.items()]
            series.append(
                Series(f"{flow}, {scheme}", points, index, True, marker, scheme == "separate")
            )
    return context.figure(
        "frezzotti_2009_time",
        Plot("Time a phase-space point and step on the GPU", "cells", "picoseconds", series, True),
    )


