"""Tables and figures of the lattice Boltzmann papers: Gomes 2016; Geier and Schoenherr 2017."""

import math
import re

from plots import Plot, Series
from reports import MISSING, markdown_table, number, percent, ratio, seconds_a_step
from tables import block, profile_points


def poiseuille_error(run):
    """Equation (30): root mean square of the relative error over the L - 2 nodes across."""
    points = profile_points(run, "u")
    if not points:
        return None
    height, force = run["parameters"]["length"] - 2, run["parameters"]["acceleration"]
    squares = []
    for index, (_, found) in enumerate(points):
        y = index + 0.5
        exact = 3 * force * y * (height - y)  # force / (2 nu) y (H - y), nu = 1/6
        squares.append((found / exact - 1) ** 2)
    return math.sqrt(sum(squares) / len(squares))


@block
def gomes_poiseuille(context):
    slope = context.paper_value("gomes_2016_errors", "slope")
    constant = context.paper_value("gomes_2016_errors", "constant")
    rows, series = [], {"full-way": [], "half-way": [], "paper": []}
    for length in (int(row["length"]) for row in context.paper("gomes_2016_forces")):
        fit = 10 ** (constant + slope * math.log10(length))
        series["paper"].append((length, fit))
        errors = {}
        for walls in ("full-way", "half-way"):
            errors[walls] = poiseuille_error(
                context.results.run("gomes_poiseuille", f"{walls}-{length}")
            )
            if errors[walls] is not None:
                series[walls].append((length, errors[walls]))
        rows.append(
            (length, number(fit, 2), number(errors["full-way"], 3), number(errors["half-way"], 2))
        )
    found = series["full-way"]
    order = MISSING
    if len(found) > 1:
        (l0, e0), (l1, e1) = found[-2:]
        order = f"{math.log(e0 / e1) / math.log(l1 / l0):.2f}"
    figure = context.figure(
        "gomes_2016_poiseuille",
        Plot(
            "Poiseuille flow, Re = 4: error against the nodes across",
            "L",
            "normalised RMSE",
            [
                Series("Gomes 2016, fit to figure 22", series["paper"], 1, True, "", True),
                Series("bgk, full-way walls", found, 0, True, "circle"),
                Series("trt, half-way walls", series["half-way"], 2, True, "square"),
            ],
            True,
            True,
        ),
    )
    header = ("L", "Gomes 2016, fit", "ours: bgk, full-way", "ours: trt 3/16, half-way")
    return (
        f"{markdown_table(header, rows)}\n\nOrder of the error between the two largest L, full-way "
        f"walls: {order} (thesis: {-slope:.2f}).\n\n{figure}"
    )


@block
def gomes_cavity(context):
    parts, rows = [], []
    for profile, column, table in (
        ("u_vertical", "y", "ghia1982_u_vertical_centreline"),
        ("v_horizontal", "x", "ghia1982_v_horizontal_centreline"),
    ):
        reference = context.reference(table)
        letter = profile[0]
        series = []
        for index, reynolds in enumerate((400, 1000)):
            marks = [(row[column], row[f"{letter}_Re{reynolds}"]) for row in reference]
            run = context.results.run("gomes_cavity", f"reynolds-{reynolds}")
            points = profile_points(run, profile)
            series.append(Series(f"Re = {reynolds}, ours", points, index))
            series.append(
                Series(f"Re = {reynolds}, Ghia, Ghia and Shin 1982", marks, index, False, "circle")
            )
            worst = largest_deviation(points, marks, skipped=0.9063 if reynolds == 400 else None)
            rows.append(
                (
                    reynolds,
                    f"{letter} along {column}",
                    run["parameters"]["nodes"] if run else MISSING,
                    percent(worst, 2) + (" of the lid's speed" if worst is not None else ""),
                )
            )
        parts.append(
            context.figure(
                f"gomes_2016_cavity_{letter}",
                Plot(
                    f"Cavity: {letter} along {column} through the middle",
                    f"{column} / L",
                    f"{letter} / lid speed",
                    series,
                ),
            )
        )
    header = ("Re", "profile", "nodes a side", "largest deviation from Ghia, Ghia and Shin")
    return markdown_table(header, rows) + "\n\n" + "\n\n".join(parts)


@block
def gomes_extremes(context):
    """Extremes of the velocities on the centre lines at Re = 1000."""
    rows = [
        (row["name"], *(f"{row[key]:.5f}" for key in ("u_min", "v_max", "v_min")))
        for row in context.paper("cavity_re1000_extremes")
    ]
    run = context.results.run("gomes_cavity", "reynolds-1000")
    u = [value for _, value in profile_points(run, "u_vertical")]
    v = [value for _, value in profile_points(run, "v_horizontal")]
    if u and v:
        name = f"ours, {run['parameters']['nodes']} nodes a side, {run['steps']} steps"
        rows.append((name, f"{min(u):.5f}", f"{max(v):.5f}", f"{min(v):.5f}"))
    else:
        rows.append(("ours", *[MISSING] * 3))
    return markdown_table(("", "least u", "largest v", "least v"), rows)


def interpolate(points, x):
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return None


def largest_deviation(points, marks, skipped=None):
    """Of marks between the first and the last point."""
    found = [
        abs(interpolate(points, x) - y)
        for x, y in marks
        if x != skipped and interpolate(points, x) is not None
    ]
    return max(found, default=None)


@block
def gomes_widths(context):
    """Time of a step by threads a block: the thesis's Table 4 and the reports of our study."""
    rows, series = [], {}
    for row in context.paper("gomes_2016_times"):
        length = int(row["length"])
        for width in (4, 8, 16, 32, 64, 128, 256):
            theirs = row.get(f"seconds_{width}")
            theirs = theirs / row["iterations"] if theirs else None
            best = step_microseconds(context, length, width)
            if best is not None:
                series.setdefault(length, []).append((width, best))
            if theirs is None and best is None:
                continue
            shown = number(1e6 * theirs, 4) if theirs else ""
            rows.append((length, width, shown, number(best, 3)))
    plots = [
        Series(f"{length} x {length}, ours", points, i, True, "circle")
        for i, (length, points) in enumerate(series.items())
    ]
    for i, row in enumerate(context.paper("gomes_2016_times")):
        marks = [(w, 1e6 * row[f"seconds_{w}"] / row["iterations"]) for w in (4, 8, 16, 32)]
        plots.append(
            Series(f"{row['length']:g} x {row['length']:g}, Gomes 2016", marks, i, False, "square")
        )
    figure = context.figure(
        "gomes_2016_widths",
        Plot(
            "Time of a step against threads a team",
            "threads",
            "microseconds a step",
            plots,
            True,
            True,
        ),
    )
    header = ("L", "threads", "Gomes 2016, microseconds a step", "ours")
    return f"{markdown_table(header, rows)}\n\n{figure}"


@block
def gomes_width_factor(context):
    """Time with 4 threads over that with 32, on the largest grid that both have."""
    row = context.paper("gomes_2016_times")[-1]
    length = int(row["length"])
    ours = {width: step_microseconds(context, length, width) for width in (4, 32)}
    factor = ratio(ours[4], ours[32])
    return (
        f"{row['seconds_4'] / row['seconds_32']:.1f} times in the thesis at L = {length}, "
        f"{number(factor, 2)} times here"
    )


def step_microseconds(context, length, width):
    """Time of a step in the study of widths, shared-memory propagation on a GPU."""
    found = context.results.reports(
        method="lbm_d2q9",
        backend="cuda",
        variant=re.compile("shared-memory"),
        size_nodes_x=length,
        size_nodes_y=length,
    )
    tuned = [
        r for r in found if "team_size" in r.get("tuning", {}) or "segment" in r.get("tuning", {})
    ]
    times = [
        1e6 * seconds_a_step(r)
        for r in tuned
        if r["tuning"].get("team_size", r["tuning"].get("segment")) == width
    ]
    return min(times, default=None)


@block
def geier_memory(context):
    rows = [
        (row["scheme"], f"{row['values_kept']:g}", f"{row['reads']:g}", f"{row['writes']:g}")
        for row in context.paper("geier_2017_memory")
    ]
    return markdown_table(("scheme", "values kept a node", "reads", "writes"), rows)
