"""Gomes 2016 as printed, beside ours: stops, times, the cavity, its order and its stability."""

import math

from contours import ContourPlot, Panel
from reports import MISSING, markdown_table, number, percent, ratio, read_numbers
from tables import block, profile_points
from tables_lattice import gomes_widths, largest_deviation, poiseuille_error, step_microseconds

LENGTHS = (32, 64, 128, 256)


def with_head(context, path):
    """Rows of a recorded table, and its comments."""
    path = context.results.root / path
    if not path.exists():
        return [], []
    with open(path, encoding="utf-8") as file:
        notes = [line[1:].strip() for line in file if line.startswith("#")]
    return read_numbers(path), notes


@block
def gomes_stops(context):
    """Table 4's iterations and dimensionless times; errors at time 4, and the fit to them.

    The thesis's velocity is the sum of c f over the density, without the half of the force that ours
    adds: that gives its fit to all its digits.
    """
    rows, lines = [], {"thesis": [], "ours": []}
    for row in context.paper("gomes_2016_stops"):
        length = int(row["length"])
        time = (length - 2) ** 2 * 6 / 4  # (L - 2)^2 / (4 nu) with nu = 1/6
        stopped = context.results.run("gomes_as_printed", f"change-1e-6-{length}")
        at_four = context.results.run("gomes_as_printed", f"time-4-{length}")
        errors = {"thesis": poiseuille_error(without_half_force(at_four))}
        errors["ours"] = poiseuille_error(at_four)
        for name, error in errors.items():
            if error is not None:
                lines[name].append((math.log10(length), math.log10(error)))
        rows.append(
            (
                length,
                f"{row['iterations']:g}",
                stopped["steps"] if stopped else MISSING,
                f"{row['dimensionless_time']:g}",
                f"{stopped['steps'] / time:.4f}" if stopped else MISSING,
                number(poiseuille_error(without_half_force(stopped)), 3),
                f"{row['iterations_to_4']:g}",
                at_four["steps"] if at_four else MISSING,
                number(errors["thesis"], 3),
                number(errors["ours"], 3),
            )
        )
    header = (
        "L",
        "iterations, thesis",
        "ours",
        "time, thesis",
        "ours",
        "error there",
        "iterations to time 4, thesis",
        "ours",
        "error there",
        "with half the force in the velocity",
    )
    fits = [
        (
            "thesis",
            *(f"{context.paper_value('gomes_2016_errors', k):g}" for k in ("slope", "constant")),
        )
    ]
    for name, text in (
        ("thesis", "the thesis's algorithm here"),
        ("ours", "the same, with half the force in the velocity"),
    ):
        slope, constant = line_through(lines[name])
        fits.append((text, number(slope, 4), number(constant, 3)))
    fits = markdown_table(("line through the errors at time 4", "slope", "constant"), fits)
    return f"{markdown_table(header, rows)}\n\n{fits}"


def without_half_force(run):
    """The run with the velocity as the thesis has it."""
    if run is None:
        return None
    half = run["parameters"]["acceleration"] / 2
    return {**run, "profiles": {"u": [(y, u - half) for y, u in profile_points(run, "u")]}}


def line_through(points):
    """(slope, constant) of least squares."""
    if len(points) < 2:
        return None, None
    n = len(points)
    x, y = (sum(p[i] for p in points) / n for i in (0, 1))
    slope = sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)
    return slope, y - slope * x


@block
def gomes_times(context):
    """Tables 4 and 5: microseconds a step by threads a block, double precision."""
    found, notes = with_head(context, "lbm_d2q9/gomes_2016_times.csv")
    ours = {(int(row["nodes"]), int(row["threads"])): row for row in found}
    rows, shares = [], []
    for row in context.paper("gomes_2016_times"):
        length = int(row["length"])
        for width in (4, 8, 16, 32):
            theirs = 1e6 * row[f"seconds_{width}"] / row["iterations"]
            mine = ours.get((length, width), {})
            rows.append(
                (
                    length,
                    width,
                    number(theirs, 4),
                    number(mine.get("moments_and_copy"), 3),
                    number(mine.get("steps_alone"), 3),
                    number(step_microseconds(context, length, width), 3),
                )
            )
        fixed = next(r for r in context.paper("gomes_2016_times_fixed") if r["length"] == length)
        shares.append(
            (
                length,
                f"{fixed['percent']:g} %",
                *(
                    percent(
                        ratio(
                            ours.get((length, 32), {}).get(key), ours.get((length, 4), {}).get(key)
                        )
                    )
                    for key in ("moments_and_copy", "steps_alone")
                ),
            )
        )
    header = (
        "L",
        "threads",
        "thesis",
        "ours, as in its program: moments and copy to the host, double",
        "ours, steps alone, double",
        "steps alone, single",
    )
    figure = gomes_widths(context).rpartition("\n\n")[2]
    machine = f"\n\nDouble precision on: {notes[0]}." if notes else ""
    shares = markdown_table(
        ("L", "thesis", "ours, as in its program", "ours, steps alone"), shares
    )
    return (
        f"{markdown_table(header, rows)}{machine}\n\nTime with 32 threads over that with 4 "
        f"(table 5):\n\n{shares}\n\n{figure}"
    )


# --- Cavity ----


class Cavity:
    """A table as the program `paper_gomes_2016` writes it."""

    def __init__(self, context, name):
        rows, self.notes = with_head(context, f"lbm_d2q9/{name}.csv")
        self.of = {}
        for row in rows:
            self.of.setdefault(row["what"], []).append((row["x"], row["y"], row["value"]))

    def vortex(self, name):
        """(x, y, stream function) of a vortex by its place."""
        inside = {
            "primary": lambda x, y: 0.3 < x < 0.7 and 0.4 < y < 0.8,
            "lower right": lambda x, y: x > 0.7 and y < 0.4,
            "lower left": lambda x, y: x < 0.3 and y < 0.3,
        }[name]
        return max(
            (v for v in self.of.get("vortex", []) if inside(v[0], v[1])),
            key=lambda v: abs(v[2]),
            default=None,
        )

    def panel(self, title):
        points = self.of.get("psi", [])
        xs = sorted({x for x, _, _ in points})
        ys = sorted({y for _, y, _ in points})
        found = {(x, y): value for x, y, value in points}
        return Panel(title, xs, ys, [[found[x, y] for x in xs] for y in ys])


CAVITIES = (
    ("the thesis's cavity as stated", "gomes_2016_cavity_re{}"),
    ("ours", "cavity_re{}"),
)
VORTICES = ("primary", "lower right", "lower left")


@block
def gomes_vortices(context):
    """Centres of the vortices: references, the thesis's cavity, ours."""
    rows = []
    for reynolds in (400, 1000):
        by_name = {}
        for row in context.paper("cavity_vortices"):
            if row["reynolds"] == reynolds:
                by_name.setdefault(row["name"], {})[row["vortex"]] = (
                    row["x"],
                    row["y"],
                    row["stream_function"],
                )
        for title, name in CAVITIES:
            cavity = Cavity(context, name.format(reynolds))
            by_name[title] = {vortex: cavity.vortex(vortex) for vortex in VORTICES}
        for name, found in by_name.items():
            primary = found.get("primary")
            rows.append(
                (
                    reynolds,
                    name,
                    *(place_text(found.get(vortex)) for vortex in VORTICES),
                    f"{primary[2]:.5f}" if primary else MISSING,
                )
            )
    header = ("Re", "", *(f"{vortex}: x, y" for vortex in VORTICES), "primary: stream function")
    return markdown_table(header, rows)


def place_text(vortex):
    return f"{vortex[0]:.4f}, {vortex[1]:.4f}" if vortex else ""


@block
def gomes_streamlines(context):
    """Figures 24 and 26 with the levels of Ghia, Ghia and Shin."""
    below = (0.115, 0.11, 0.1, 0.09, 0.07, 0.05, 0.03, 0.01, 1e-3, 1e-4)
    levels = (*(-level for level in below), 1e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 1.5e-3)
    figures = []
    for figure, reynolds in ((24, 400), (26, 1000)):
        panels = [
            Cavity(context, name.format(reynolds)).panel(title) for title, name in CAVITIES
        ]
        title = f"Figure {figure}: streamlines at Re = {reynolds}"
        figures.append(
            context.figure(
                f"gomes_2016_streamlines_{reynolds}", ContourPlot(title, panels, levels)
            )
        )
    return "\n\n".join(figures)


@block
def gomes_cavity_as_printed(context):
    """Lid, Mach number, steps and deviations from Ghia, Ghia and Shin of the thesis's cavity."""
    rows = []
    for reynolds in (400, 1000):
        skipped = 0.9063 if reynolds == 400 else None
        for title, name in CAVITIES:
            cavity = Cavity(context, name.format(reynolds))
            deviations = []
            for letter, column, table in (
                ("u", "y", "ghia1982_u_vertical_centreline"),
                ("v", "x", "ghia1982_v_horizontal_centreline"),
            ):
                points = [(y if letter == "u" else x, v) for x, y, v in cavity.of.get(letter, [])]
                marks = [
                    (row[column], row[f"{letter}_Re{reynolds}"])
                    for row in context.reference(table)
                ]
                deviations.append(percent(largest_deviation(points, marks, skipped), 2))
            head = cavity.notes[1] if len(cavity.notes) > 1 else MISSING
            rows.append((title, head, *deviations))
    header = ("", "run", "largest deviation of u from Ghia, Ghia and Shin", "of v")
    return markdown_table(header, rows)


@block
def gomes_order(context):
    """Largest error of the three extremes at Re = 1000, by lid, operator and scaling."""
    exact = context.paper("cavity_re1000_extremes")[0]
    found = {}
    for run in context.results.runs("gomes_cavity_order"):
        p = run["parameters"]
        u = [value for _, value in profile_points(run, "u_vertical")]
        v = [value for _, value in profile_points(run, "v_horizontal")]
        errors = [
            abs(extreme(u, min) - exact["u_min"]),
            abs(extreme(v, max) - exact["v_max"]),
            abs(extreme(v, min) - exact["v_min"]),
        ]
        key = (p["lid"], p["scaling"], p["operator"])
        found.setdefault(key, {})[p["nodes"]] = max(errors)
    sizes = sorted({nodes for errors in found.values() for nodes in errors})
    rows = []
    for (lid, scaling, operator), errors in found.items():
        orders = [
            f"{math.log(errors[a] / errors[b]) / math.log(b / a):.2f}"
            if a in errors and b in errors
            else MISSING
            for a, b in zip(sizes, sizes[1:])
        ]
        rows.append(
            (
                {"wall": "moving wall", "zou-he": "Zou and He"}[lid],
                scaling,
                operator,
                *(percent(errors.get(nodes), 2) for nodes in sizes),
                *orders,
            )
        )
    header = (
        "lid",
        "grids of",
        "operator",
        *(f"{nodes} nodes" for nodes in sizes),
        *(f"order, {a} to {b}" for a, b in zip(sizes, sizes[1:])),
    )
    return markdown_table(header, rows)


def extreme(values, of):
    """The extreme of a parabola through the extreme value and its neighbours."""
    at = values.index(of(values[1:-1]), 1)
    low, here, high = values[at - 1 : at + 2]
    curvature = low - 2 * here + high
    return here - (high - low) ** 2 / (8 * curvature) if curvature else here


@block
def gomes_stability(context):
    """Highest Reynolds number of a cavity that stays finite, from the recorded table."""
    table, notes = with_head(context, "lbm_d2q9/cavity_stability.csv")
    speeds = sorted({row["lid_speed"] for row in table})
    rows = []
    for nodes in sorted({row["nodes"] for row in table}):
        for lid in ("wall", "zou-he"):
            for operator in ("bgk", "trt"):
                cells = [
                    next(
                        (
                            f"{row['lives_at']:.4f} (Re {row['reynolds']:g})"
                            for row in table
                            if (row["nodes"], row["lid"], row["operator"], row["lid_speed"])
                            == (nodes, lid, operator, speed)
                        ),
                        MISSING,
                    )
                    for speed in speeds
                ]
                name = {"wall": "moving wall", "zou-he": "Zou and He"}[lid]
                rows.append((f"{nodes:g}", name, operator, *cells))
    header = ("nodes a side", "lid", "operator", *(f"lid's speed {s:g}" for s in speeds))
    machine = f"\n\nMade on: {notes[0]}." if notes else ""
    return f"{markdown_table(header, rows)}{machine}"
