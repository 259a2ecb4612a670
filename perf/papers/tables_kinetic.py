"""Tables and figures of Frezzotti and others 2009 and 2010, and of Zhu and others 2019."""

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
    size_text,
    update_time_text,
)
from tables import (
    block,
    drag_and_flow,
    error_of,
    kernel_seconds,
    profile_points,
    report_link,
    seconds_a_step,
    size_note,
    speedup,
    three_machines,
    times_text,
)


def cavity_profiles(context, experiment, name, title):
    """Velocity on the centre lines for all runs of the experiment."""
    figures = []
    for profile, axis in (("u_vertical", "y"), ("v_horizontal", "x")):
        series = [
            Series(f"delta = {run['parameters']['delta']:g}", profile_points(run, profile), i)
            for i, run in enumerate(context.results.runs(experiment))
        ]
        letter = profile[0]
        figures.append(
            context.figure(
                f"{name}_{letter}",
                Plot(
                    f"{title}: {letter} along {axis} through the middle",
                    f"{axis} / L",
                    f"{letter} / lid speed",
                    series,
                ),
            )
        )
    return "\n\n".join(figures)


@block
def frezzotti_2009_table1(context):
    rows = []
    for row in context.paper("frezzotti_2009_table1"):
        run = context.results.run("frezzotti_2009_cavity", f"delta-{row['delta']:g}")
        fine = context.results.run("cavity_across_methods", f"bgkw-{row['delta']:g}")
        (drag, flow), (fine_drag, fine_flow) = drag_and_flow(run), drag_and_flow(fine)
        stress = [value for _, value in profile_points(run, "stress_below_lid")]
        gas = -sum(stress) / len(stress) / LID_SPEED if stress else None
        rows.append(
            (
                f"{row['delta']:g}",
                f"{row['drag_coefficient']:g}",
                number(gas, 4),
                error_of(gas, row["drag_coefficient"]),
                number(drag, 4),
                f"{row['reference_drag_low']:g} - {row['reference_drag_high']:g}",
                number(fine_drag, 4),
                f"{row['flow_rate']:g}",
                number(flow, 4),
                error_of(flow, row["flow_rate"]),
                f"{row['reference_flow_low']:g} - {row['reference_flow_high']:g}",
                number(fine_flow, 4),
                size_note(run),
            )
        )
    header = (
        "delta",
        "D, paper",
        "D, ours, cells beside the lid",
        "difference",
        "D, ours, at the lid",
        "D, Varoutis et al.",
        "D, ours, order 2",
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
    """Thickness over the Mach number, as `perf/bgkw_shocks.py` left it."""
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
    """Flows between plates against published tables, as `perf/bgkw_slabs.py` left them."""
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


@block
def frezzotti_2009_speedup(context):
    """Figures 2 to 5: the kernels of the separate scheme and the whole, GPU over one thread."""
    rows = []
    for flow, wanted in (
        ("shock wave, one dimension", BGKW_SHOCK),
        ("cavity, two dimensions", BGKW_CAVITY),
    ):
        for scheme in ("separate", "fused"):
            gpu, one, many, grid = three_machines(
                context, {**wanted, "variant": re.compile(f"^{scheme} bgk")}, BGKW_GRID
            )
            parts = []
            for pattern in ("stream", "collide|relax|update"):
                cpu_time, gpu_time = kernel_seconds(one, pattern), kernel_seconds(gpu, pattern)
                shown = scheme == "separate"
                parts.append(times_text(ratio(cpu_time, gpu_time)) if shown else "one kernel")
            total = [kernel_seconds(gpu, p) for p in ("stream", "collide|relax|update")]
            share = ratio(total[0], sum(total)) if None not in total else None
            rows.append(
                (
                    flow,
                    scheme,
                    grid,
                    *parts,
                    percent(share, 0) if scheme == "separate" else "",
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


@block
def frezzotti_2009_time(context):
    """Figure 7: time a phase-space point against the number of cells."""
    series = []
    for index, (flow, wanted) in enumerate(
        (("one dimension", BGKW_SHOCK), ("two dimensions", BGKW_CAVITY))
    ):
        for marker, scheme in (("circle", "fused"), ("square", "separate")):
            found = context.results.reports(
                **wanted, backend="cuda", variant=re.compile(f"^{scheme} bgk")
            )
            points = sorted((r["sizes"]["cells"], 1e3 * r["total"]["ns_per_update"]) for r in found)
            series.append(
                Series(f"{flow}, {scheme}", points, index, True, marker, scheme == "separate")
            )
    return context.figure(
        "frezzotti_2009_time",
        Plot("Time a phase-space point and step on the GPU", "cells", "picoseconds", series, True),
    )


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
    """Means of the paper's run and where they are from: full run, timing report, small run."""
    run = context.results.run("frezzotti_2010_cavity", f"delta-{delta:g}")
    if run is not None and run["size"] == "full":
        return run["values"], "full"
    report = hard_sphere_report(context, delta)
    if report is not None:
        means = {key: float(v) for key, v in report["results"].items() if key.endswith("_mean")}
        return means, "timing report"
    return (run["values"], "small") if run else ({}, MISSING)


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
    report = hard_sphere_report(context, 1)
    theirs = percent(context.paper_value("frezzotti_2010_performance", "drag_deviation"), 2)
    if report is None:
        return f"below {theirs} in the paper, {MISSING} here"
    found = report["results"]
    ours = float(found["drag_coefficient_deviation"]) / float(found["drag_coefficient_mean"])
    return f"below {theirs} in the paper, {percent(ours, 3)} here (`{report['path']}`)"


@block
def frezzotti_2010_convergence(context):
    """Figure 1: error of D against the cells' width, and the extrapolation."""
    rows, series = [], []
    for index, row in enumerate(context.paper("frezzotti_2010_table1")):
        delta = row["delta"]
        runs = [
            r
            for r in context.results.runs("frezzotti_2010_convergence")
            if r["parameters"]["delta"] == delta
        ]
        points = {}
        for name in ("lid_stress_mean", "flow_rate_mean"):
            points[name] = sorted((1 / r["parameters"]["cells"], r["values"][name]) for r in runs)
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
                ", ".join(str(r["parameters"]["cells"]) for r in runs) or MISSING,
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


HARD_SPHERE = {
    "method": "boltzmann",
    "precision": "single",
    "title": re.compile("cavity", re.I),
    "variant": re.compile("^nonlinear explicit (reversible|one-way)$"),
}
HARD_SPHERE_GRID = ("size_cells", "size_velocities", "size_samples")


def hard_sphere_case(context):
    """Reports of the cavity; of the paper's samples where there are any, as they set the work."""
    of_paper = {**HARD_SPHERE, "size_samples": 6144}
    return of_paper if context.results.reports(**of_paper) else HARD_SPHERE


def kernel_gflops(report, pattern):
    """GFLOP/s over the seconds in these kernels, by the method's (the paper's) count."""
    if report is None:
        return None
    kernels = [k for k in report["kernels"] if re.search(pattern, k["name"])]
    seconds = sum(k["seconds"] for k in kernels)
    return 1e-9 * sum(k["flops"] * k["calls"] for k in kernels) / seconds if seconds else None


@block
def frezzotti_2010_speed(context):
    """Figures 4 to 6: GFLOP/s, share of streaming, speedups."""
    gpu, one, many, grid = three_machines(context, hard_sphere_case(context), HARD_SPHERE_GRID)
    of_paper = {row["name"]: row["value"] for row in context.paper("frezzotti_2010_performance")}
    streaming = kernel_gflops(gpu, "stream")
    collision = kernel_gflops(gpu, "sample|collide")
    spent = kernel_seconds(gpu, "stream"), kernel_seconds(gpu, "sample|collide")
    share = ratio(spent[0], sum(spent)) if None not in spent else None
    step = 1e3 * gpu["total"]["seconds"] / gpu["total"]["steps"] if gpu else None
    rows = [
        (
            "streaming, GFLOP/s",
            f"{of_paper['streaming_gflop_s']:g}",
            number(streaming, 3),
            times_text(ratio(streaming, of_paper["streaming_gflop_s"])),
        ),
        (
            "collision with sampling, GFLOP/s",
            f"{of_paper['collision_gflop_s']:g}",
            number(collision, 3),
            times_text(ratio(collision, of_paper["collision_gflop_s"])),
        ),
        (
            "time in streaming",
            f"at most {percent(of_paper['largest_streaming_share'], 0)}",
            percent(share, 0),
            "",
        ),
        (
            "speedup over one thread",
            f"{of_paper['speedup']:g} x",
            times_text(speedup(one, gpu)),
            times_text(ratio(speedup(one, gpu), of_paper["speedup"])),
        ),
        ("speedup over all cores", "", times_text(speedup(many, gpu)), ""),
        ("milliseconds a step, GPU", "", number(step, 3), ""),
        (
            "an update, one thread / all cores / GPU",
            "",
            f"{update_time_text(one)} / {update_time_text(many)} / {update_time_text(gpu)}",
            "",
        ),
    ]
    table = markdown_table(("", "paper: GTX 260", "ours", "ratio"), rows)
    return f"Grid: {grid}. Report of the GPU: {report_link(gpu)}.\n\n{table}"


@block
def frezzotti_2010_sizes(context):
    """Figures 4 and 6: rate against the number of cells."""
    series = []
    for index, (name, wanted) in enumerate(
        (("GPU", {"backend": "cuda"}), ("all cores", {"backend": "openmp"}))
    ):
        found = [
            r
            for r in context.results.reports(**HARD_SPHERE, **wanted)
            if r["sizes"]["samples"] == 6144
        ]
        if name == "all cores":
            most = max((r["threads"] for r in found), default=0)
            found = [r for r in found if r["threads"] == most]
        best = {}
        for report in found:
            cells = report["sizes"]["cells"]
            best[cells] = max(best.get(cells, 0), report["total"]["updates_per_second"] * 1e-9)
        series.append(Series(name, sorted(best.items()), index, True, "circle"))
    return context.figure(
        "frezzotti_2010_sizes",
        Plot(
            "Hard spheres: rate against the cells",
            "cells",
            "G phase-space points and steps a second",
            series,
            True,
            True,
        ),
    )


def zhu_reports(context, row, **wanted):
    # Grids of cubes only: the cube in a stream has another title.
    return {
        "method": "shakhov",
        "precision": "single",
        "title": re.compile("cavity", re.I),
        "size_cells": int(row["cells"]) ** 3,
        "size_velocities": int(row["velocities"]) ** 3,
        **wanted,
    }


@block
def zhu_table2(context):
    rows = []
    for row in context.paper("zhu_2019_table2"):
        wanted = zhu_reports(context, row)
        gpu = context.results.on_gpu(**wanted)
        one, many = context.results.on_cores(**wanted)
        ours = seconds_a_step(gpu)
        rows.append(
            (
                f"{row['cells']:g}^3",
                f"{row['velocities']:g}^3",
                f"{row['one_core']:g}",
                f"{row['cores_96']:g}",
                f"{row['k40']:g}",
                f"{row['memory_mb']:g}",
                number(seconds_a_step(one), 3),
                number(seconds_a_step(many), 3),
                number(ours, 3),
                times_text(ratio(row["k40"], ours)),
                times_text(ratio(row["one_core"], row["k40"])),
                times_text(ratio(seconds_a_step(one), ours)),
                times_text(ratio(seconds_a_step(many), ours)),
                update_time_text(gpu),
            )
        )
    header = (
        "cells",
        "velocities",
        "paper: one core, s",
        "96 cores, s",
        "K40, s",
        "memory, MB",
        "ours: one thread, s",
        "all cores, s",
        "GPU, s",
        "K40 over our GPU",
        "paper: speedup over one core",
        "ours: over one thread",
        "over all cores",
        "an update, our GPU",
    )
    return markdown_table(header, rows)


# What keeps warps waiting, by the profiler's names.
STALL_WORDS = {
    "long_scoreboard": "device memory and L2",
    "short_scoreboard": "scratch",
    "barrier": "barriers",
    "wait": "fixed latency of instructions",
    "mio_throttle": "queue of scratch",
    "lg_throttle": "queue of global memory",
    "math_pipe_throttle": "arithmetic units",
    "not_selected": "other warps' turn",
    "dispatch_stall": "dispatch",
    "no_instruction": "instruction fetch",
    "imc_miss": "constants",
    "branch_resolving": "branches",
}
BUSY = 70  # percent of a unit's peak from which it is called the limiter: so it is in all of the paper's rows


def limiter_of(row):
    """The busiest unit, or latency with the two largest reasons of waiting."""
    compute, memory = row["compute_percent"], row["memory_percent"]
    if max(compute, memory) >= BUSY:
        return "compute" if compute > memory else "memory"
    stalls = {word: row[f"stall_{name}"] for name, word in STALL_WORDS.items()}
    largest = sorted(stalls, key=stalls.get, reverse=True)[:2]
    return "latency: " + ", ".join(f"{word} ({stalls[word]:.1f})" for word in largest)


@block
def zhu_table3(context):
    """Counters of the paper's kernels on the K40 and of ours, `perf/shakhov_counters.py`."""
    rows = [
        (
            f"paper: {row['kernel']}, {row['gpu']}",
            f"{row['cells']:g}^3 x {row['velocities']:g}^3",
            f"{row['occupancy']:g} %",
            f"{row['compute']:g} %",
            "",
            f"{row['memory']:g} %",
            f"{row['device_memory_gb_s']:g} GB/s",
            "",
            f"{row['time']:g} %",
            row["limiter"],
        )
        for row in context.paper("zhu_2019_table3")
        if row["gpu"] == "K40"
    ]
    ours = context.results.table("shakhov/h200_counters.csv")
    for row in ours:
        rows.append(
            (
                f"ours: `{row['kernel']}`",
                f"{row['cells']:g}^3 x {row['velocities']:g}^3",
                f"{row['occupancy_percent']:.0f} %",
                f"{row['compute_percent']:.0f} %",
                f"{row['instructions_a_cycle']:.2f} of 4",
                f"{row['memory_percent']:.0f} %",
                f"{row['device_memory_gb_s']:.0f} GB/s, {row['device_memory_percent']:.0f} %",
                f"{row['l2_percent']:.0f} %",
                f"{row['time_percent']:.0f} %",
                limiter_of(row),
            )
        )
    if not ours:
        rows.append(("ours", MISSING, "", "", "", "", "", "", "", ""))
    header = (
        "kernel",
        "cells x velocities",
        "occupancy",
        "compute, of peak",
        "instructions a cycle",
        "memory units, of peak",
        "device memory",
        "L2, of peak",
        "share of time",
        "limiter (warps that wait, an instruction issued)",
    )
    return markdown_table(header, rows)


def order_of(run):
    return run["parameters"].get("order", 1)


def steps_until(run, tolerance):
    """Iterations after which the changes stay below it, from the history; empty where they do not."""
    history = run.get("history", {}).get("moments_change", [])
    below = next((int(n) for n, change in history if change <= tolerance), None)
    return "" if below is None else below


ZHU_CUBES = {
    "cube": "Kn = 1",
    "quarter": "Kn = 1, a quarter with symmetry planes",
    "quarter-double": "the same",
    "quarter-kn-100": "Kn = 100, a quarter",
    "even-16": "Kn = 1, full, few velocities",
    "even-16-quarter": "the same, a quarter",
}


@block
def zhu_convergence(context):
    text = {row["name"]: row["value"] for row in context.paper("zhu_2019_text")}
    rows = [
        (
            "paper: cavity, 64^3 x 64^3, K40",
            "",
            f"{text['cavity_iterations']:g}",
            f"{text['cavity_minutes']:g} min",
            "",
            "",
        )
    ]
    for run in context.results.runs("zhu_cavity"):
        p = run["parameters"]
        rows.append(
            (
                f"ours: cavity, {p['cells']}^3 x {p['velocities']}^3, {run['precision']}, "
                f"{'order 2, ' if order_of(run) == 2 else ''}{run['machine']['device']}",
                steps_until(run, 1e-6),
                run["steps"],
                f"{run['seconds']:.3g} s",
                f"D {number(run['values'].get('drag_coefficient'), 4)}",
                run["size"],
            )
        )
    rows.append(
        (
            "paper: cube, 181 x 181 x 191 x 48^3, K40",
            "",
            f"{text['cube_iterations']:g}",
            f"{text['cube_hours']:g} h",
            "",
            "",
        )
    )
    for run in context.results.runs("zhu_cube"):
        rows.append(
            (
                f"ours: cube, {ZHU_CUBES.get(run['name'], run['name'])}, {size_text(run)}, "
                f"{run['precision']}, {run['machine']['device']}",
                steps_until(run, 1e-6),
                run["steps"],
                f"{run['seconds']:.3g} s",
                f"C_D {run['values']['cube.drag_coefficient']:.5g}",
                run["size"],
            )
        )
    if len(rows) == 2:
        rows.append(("ours", MISSING, MISSING, MISSING, "", ""))
    header = ("run", "iterations to 1e-6", "in all", "time", "drag", "size")
    figure = context.figure(
        "zhu_2019_convergence",
        Plot(
            "Largest relative change of density, momentum and energy",
            "iteration",
            "change",
            [
                Series(label, run["history"]["moments_change"], index)
                for index, (label, run) in enumerate(zhu_histories(context))
            ],
            False,
            True,
        ),
    )
    return markdown_table(header, rows) + "\n\n" + figure


def zhu_histories(context):
    """The runs whose convergence is drawn."""
    chosen = []
    for experiment, name, label in (
        ("zhu_cavity", "cells-64-velocities-64", "cavity, double"),
        ("zhu_cube", "cube", "cube, single"),
        ("zhu_cube", "quarter-double", "quarter of the cube, double"),
    ):
        run = context.results.run(experiment, name)
        if run and run.get("history"):
            chosen.append((label, run))
    return chosen


def coarsened(values):
    """Means of pairs: the values of cells twice as wide."""
    return [0.5 * (a + b) for a, b in zip(values[::2], values[1::2])]


def profile_distance(coarse, fine, name):
    """Root mean square of the difference of profiles on a grid and one twice as fine."""
    a, b = ([v for _, v in profile_points(run, name)] for run in (coarse, fine))
    if not a or len(b) != 2 * len(a):
        return None
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, coarsened(b))) / len(a))


def observed_order(first, second):
    return math.log2(first / second) if first and second else None


@block
def zhu_refinement(context):
    """Differences from grid to grid of the cavity, each twice as fine, and the orders they show."""
    groups = {}
    for run in context.results.runs("zhu_cavity"):
        if "drag_coefficient" not in run["values"]:
            continue
        p = run["parameters"]
        groups.setdefault((p["velocities"], order_of(run)), {})[p["cells"]] = run
    rows = []
    for (velocities, order), runs in sorted(groups.items()):
        for cells in sorted(runs):
            if 2 * cells not in runs or 4 * cells not in runs:
                continue
            three = [runs[cells], runs[2 * cells], runs[4 * cells]]
            for name, values in zhu_differences(three):
                rows.append(
                    (
                        f"{velocities}^3",
                        order,
                        name,
                        *(number(v, 3) for v in values),
                        number(observed_order(*values), 3),
                    )
                )
    if not rows:
        return f"Refinement: {MISSING}."
    header = (
        "velocities",
        "order",
        "quantity",
        "32^3 to 64^3 cells",
        "64^3 to 128^3",
        "observed order",
    )
    return markdown_table(header, rows)


def zhu_differences(runs):
    """Of three grids: what is compared, and its two differences."""
    found = []
    for name, label in (
        ("u_vertical", "u along y, root mean square"),
        ("v_horizontal", "v along x, root mean square"),
    ):
        pairs = [profile_distance(a, b, name) for a, b in zip(runs, runs[1:])]
        found.append((label, pairs))
    for name, label in (("drag_coefficient", "D"), ("flow_rate", "G")):
        values = [run["values"][name] for run in runs]
        found.append((label, [abs(b - a) for a, b in zip(values, values[1:])]))
    return found


@block
def zhu_profiles(context):
    figures = []
    for profile, axis in (("u_vertical", "y"), ("v_horizontal", "x")):
        series = []
        for index, run in enumerate(context.results.runs("zhu_cavity")):
            if order_of(run) != 1:
                continue
            p = run["parameters"]
            series.append(
                Series(
                    f"{p['cells']}^3 cells, {p['velocities']}^3 velocities",
                    profile_points(run, profile),
                    index,
                )
            )
        letter = profile[0]
        figures.append(
            context.figure(
                f"zhu_2019_cavity_{letter}",
                Plot(
                    f"Cubic cavity, Kn = 1: {letter} along {axis} through the middle",
                    f"{axis} / L",
                    f"{letter} / lid speed",
                    series,
                ),
            )
        )
    series = []
    for run in [r for r in context.results.runs("zhu_cube") if r["name"] == "cube"]:
        places = [x for _, x in profile_points(run, "position")]
        for index, name in enumerate(("temperature", "density", "velocity_x")):
            values = [v for _, v in profile_points(run, name)]
            pairs = list(zip(places, values))
            # The cube's cells hold no gas.
            for part, cells in enumerate(
                ([p for p in pairs if p[0] < -0.5], [p for p in pairs if p[0] > 0.5])
            ):
                series.append(
                    Series(
                        name.replace("_x", "") if part == 0 else f"{name.replace('_x', '')}, wake",
                        cells,
                        index,
                        True,
                        "",
                        part == 1,
                    )
                )
    figures.append(
        context.figure(
            "zhu_2019_cube",
            Plot(
                "Flow past a cube, Ma = 2, Kn = 1: along the axis",
                "x / edge",
                "over the stream's value (velocity: over sqrt(2 R T))",
                series,
            ),
        )
    )
    return "\n\n".join(figures)


@block
def zhu_speedup(context):
    """The paper's headline beside ours at 64^3 cells and 64^3 velocities."""
    row = next(
        r for r in context.paper("zhu_2019_table2") if (r["cells"], r["velocities"]) == (64, 64)
    )
    ours = seconds_a_step(context.results.on_gpu(**zhu_reports(context, row)))
    return (
        f"{row['k40']:g} s on the K40, {number(ours, 3)} s here: "
        f"{times_text(ratio(row['k40'], ours))} as fast"
    )
