"""Tables and figures of Zhu, Wang, Chen, Guo and Zhang 2019: implicit sweeps."""

import math

from plots import Plot, Series
from reports import MISSING, markdown_table, number, size_text
from tables import block, profile_points, run_time_text


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
BUSY = 70  # percent of a unit's peak from which it is called the limiter, as in the paper's rows


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
    """Counters of the paper's kernels on the K40 and of ours, `perf/papers/shakhov_counters.py`."""
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
    """Iterations after which the changes stay below it, from the history; or nothing."""
    history = run.get("history", {}).get("moments_change", [])
    below = next((int(n) for n, change in history if change <= tolerance), None)
    return "" if below is None else below


ZHU_CUBES = {
    "cube": "Kn = 1",
    "quarter": "Kn = 1, a quarter with symmetry planes",
    "quarter-kn-100": "Kn = 100, a quarter (free molecules: C_D 4.50635)",
    "even-16": "Kn = 1, 32 cells along all its edges",
    "even-16-quarter": "a quarter of these cells",
    "even-16-quarter-double": "the same to 1e-9",
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
                run_time_text(run),
                f"D {number(run['values']['drag_coefficient'], 4)}" if "drag_coefficient" in run["values"] else "",
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
                run_time_text(run),
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
        ("zhu_cube", "even-16-quarter-double", "quarter of the cube, few velocities, double"),
    ):
        run = context.results.run(experiment, name)
        if run and run.get("history"):
            chosen.append((label, run))
    return chosen


@block
def zhu_quarter(context):
    """The flow past the cube in the full domain beside that in a quarter of the same cells."""
    full = context.results.run("zhu_cube", "even-16")
    quarter = context.results.run("zhu_cube", "even-16-quarter")
    if full is None or quarter is None:
        return f"Full against quarter domain: {MISSING}."
    drags = [run["values"]["cube.drag_coefficient"] for run in (full, quarter)]
    temperatures = [profile_points(run, "temperature") for run in (full, quarter)]
    worst = max(abs(a - b) for (_, a), (_, b) in zip(*temperatures))
    return (
        "Full domain and a quarter of it, with the same cells, in single precision: drag "
        f"coefficients {drags[0]:.6g} and {drags[1]:.6g}, temperatures along the axis apart by "
        f"{number(worst, 2)} of the stream's at most."
    )


PLACES = (("GPU", "cuda", False), ("all cores", "openmp", True), ("one thread", "openmp", False))


def times_to_error(rows, acceleration):
    """Iterations and seconds to a true error of 1e-4, by place and rarefaction. The host's own rows are a few iterations: their
    time, at any rarefaction, times the number of iterations, which no processor changes.
    """
    counts = {
        row["rarefaction"]: row["iterations_to_error_1e-4"]
        for row in rows
        if row["acceleration"] == acceleration and row["iterations_to_error_1e-4"]
    }
    found = {}
    for name, backend, many in PLACES:
        own = [
            row
            for row in rows
            if row["backend"] == backend
            and row["acceleration"] == acceleration
            and (backend == "cuda" or (row["threads"] > 1) == many)
        ]
        seconds = {row["rarefaction"]: 1e-3 * row["iteration_ms"] for row in own}
        any_rarefaction = None if backend == "cuda" or not seconds else next(iter(seconds.values()))
        for delta, count in counts.items():
            each = seconds.get(delta, any_rarefaction)
            if each is not None:
                found[name, delta] = (count, count * each)
    return found


@block
def zhu_acceleration(context):
    """Iterations and time to 1e-4 against the rarefaction, with and without acceleration."""
    rows = context.results.table("shakhov/acceleration_h200.csv")
    if not rows:
        return f"Time against delta: {MISSING}."
    kinds = {kind: times_to_error(rows, kind) for kind in ("synthetic", "none")}
    lines, series = [], []
    for delta in sorted({row["rarefaction"] for row in rows}):
        line = [f"{delta:g}"]
        for found in kinds.values():
            line.append(f"{found['GPU', delta][0]:g}" if ("GPU", delta) in found else "")
            line += [number(found[name, delta][1], 2) if (name, delta) in found else "" for name, *_ in PLACES]
        end = next(row for row in rows if row["rarefaction"] == delta)
        lines.append((*line, number(end["drag_coefficient"], 4), number(end["flow_rate"], 4)))
    for dashed, (kind, found) in enumerate(kinds.items()):
        for colour, (name, *_) in enumerate(PLACES):
            points = [(delta, value[1]) for (place, delta), value in sorted(found.items()) if place == name]
            label = f"{name}, {'plain' if dashed else 'accelerated'}"
            series.append(Series(label, points, colour, True, "square" if dashed else "circle", bool(dashed)))
    figure = context.figure(
        "zhu_2019_acceleration",
        Plot("Cavity of 64^3 cells with 32^3 velocities: time to 1e-4", "rarefaction parameter delta", "seconds",
             series, True, True),
    )
    header = ("delta", "accelerated: iterations", *(f"{name}, s" for name, *_ in PLACES),
              "plain: iterations", *(f"{name}, s" for name, *_ in PLACES), "D", "G")
    return f"{figure}\n\n" + markdown_table(header, lines)


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
    """Differences from grid to grid, each twice as fine, and the orders they show."""
    rows = []
    for experiment, flow, compared in (
        (
            "zhu_cavity_refined",
            "cavity",
            (
                ("u_vertical", "u along y, root mean square"),
                ("v_horizontal", "v along x, root mean square"),
                ("drag_coefficient", "D"),
                ("flow_rate", "G"),
            ),
        ),
        (
            "zhu_duct",
            "duct",
            (("w", "velocity along y, root mean square"), ("mean of w", "its mean along y")),
        ),
    ):
        runs = context.results.runs(experiment)
        for order in (1, 2):
            three = sorted(
                (run for run in runs if order_of(run) == order), key=lambda run: run["parameters"]["cells"]
            )
            if len(three) < 3:
                return f"Refinement: {MISSING}."
            p = three[0]["parameters"]
            cells = ", ".join(str(run["parameters"]["cells"]) for run in three)
            for name, label in compared:
                values = zhu_differences(three, name)
                rows.append(
                    (
                        flow,
                        f"{p['velocities']}^3",
                        order,
                        cells,
                        label,
                        *(number(v, 3) for v in values),
                        number(observed_order(*values), 3),
                    )
                )
    header = (
        "flow",
        "velocities",
        "order",
        "cells an edge",
        "quantity",
        "first to second",
        "second to third",
        "observed order",
    )
    return markdown_table(header, rows)


def mean_of(points):
    return sum(value for _, value in points) / len(points)


def zhu_differences(runs, name):
    """Two differences of a profile, its mean or a monitor on three grids, over that on the last."""
    values = [run["values"].get(name) for run in runs]
    if name.startswith("mean of "):
        values = [mean_of(profile_points(run, name.removeprefix("mean of "))) for run in runs]
    if None not in values:
        return [abs(b - a) / abs(values[-1]) for a, b in zip(values, values[1:])]
    pairs = [profile_distance(a, b, name) for a, b in zip(runs, runs[1:])]
    largest = max(abs(value) for _, value in profile_points(runs[-1], name))
    return [each / largest for each in pairs]


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
