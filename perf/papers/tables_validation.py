"""Validation: published numbers beside ours, on each grid and extrapolated."""

from experiments_turbulence import published_profile
from plots import Plot, Series
from reports import MISSING, markdown_table, number, read_numbers
from tables import block, run_time_text

# Coarse grids do not hold all scales of turbulence, so their errors do not fall with an order. The cells of tubes grow
# to sides at a finite distance. Beside cut cells errors of layers of the gas do not fall with the square of the width.
NOT_EXTRAPOLATED = ("taylor_green_vortices", "turbulent_channel", "coaxial_cylinders", "long_tubes", "short_tubes", "rarefied_sphere")


@block
def validation(context, name):
    """A table for each group of cases with the same quantities: published numbers, ours by grid, and
    what the two finest grids extrapolate to."""
    experiment = context.experiment(name)
    planned = experiment.runs("all")
    found = {run["name"]: run for run in context.results.runs(name)}
    tables = {}  # rows by the labels of the quantities
    for case, published in published_cases(context, name).items():
        labels = tuple(dict.fromkeys(row["label"] for row in published))
        tables.setdefault(labels, []).extend(case_rows(context, case, published, planned, found))
    return "\n\n".join(
        markdown_table(("case", "nodes", *labels, "steps", "time", "run on"), rows) for labels, rows in tables.items()
    ) or f"{MISSING}."


def published_cases(context, name):
    """The published numbers of an experiment by case, and those of SPARTA's runs."""
    cases = {}
    for row in (*read_numbers(context.root / "docs" / "validation" / "data" / "published.csv"), *sparta_spheres(context)):
        if row["experiment"] == name:
            cases.setdefault(row["case"], []).append(row)
    return cases


SPHERE_LABELS = {"ball.drag_coefficient": "drag coefficient", "heat_transfer": "heat transfer coefficient"}


def sparta_spheres(context):
    """SPARTA's main runs of the sphere, with collisions, as published numbers."""
    return [
        {
            "experiment": "rarefied_sphere",
            "case": f"Ma = {row['mach']:g}, Kn = {row['knudsen']:g}",
            "quantity": row["quantity"],
            "label": SPHERE_LABELS[row["quantity"]],
            "value": row["sparta"],
            "error": row["error"],
            "low": "",
            "source": "SPARTA",
        }
        for row in context.results.table("sparta/sphere.csv")
        if row["knudsen"] != "" and row["variant"] == ""
    ]


@block
def sparta_sphere_runs(context):
    """SPARTA's runs: what they were made with, and what boxes, cells and time steps change."""
    exact = published_cases(context, "free_molecular_sphere")
    free = {case: {row["quantity"]: row["value"] for row in rows} for case, rows in exact.items()}
    runs = {}
    for row in context.results.table("sparta/sphere.csv"):
        runs.setdefault(row["run"], []).append(row)
    lines = []
    for rows in runs.values():
        first = rows[0]
        case = f"Ma = {first['mach']:g}"
        values = []
        for row in rows:
            exact = free[case][row["quantity"]]
            note = "" if row["knudsen"] != "" else f" ({100 * (row['sparta'] / exact - 1):+.2f} %)"
            values.append(f"{number(row['sparta'], 4)} ± {number(row['error'], 1)}{note}")
        path = "" if first["paths"] == "" else f"{first['paths']:g}"
        kind = "free molecules" if first["knudsen"] == "" else f"Kn = {first['knudsen']:g}"
        counts = (f"{first[key]:.0f}" for key in ("particles", "cells"))
        lines.append((f"{case}, {kind}", first["variant"], *values, *counts, path, f"{first['steps']:.0f}"))
    header = ("case", "changed", *SPHERE_LABELS.values(), "molecules", "cells", "mean free paths a cell", "steps sampled")
    return markdown_table(header, lines) if lines else f"{MISSING}."


@block
def sphere_checks(context):
    """By how much velocities, sides and growth of cells change our runs on a coarse grid."""
    experiments = ("rarefied_sphere", "rarefied_sphere_checks")
    runs = {run["name"]: run for name in experiments for run in context.results.runs(name)}
    lines = []
    for run in runs.values():
        beside = runs.get(run["parameters"].get("beside"))
        if beside:
            changes = (100 * (run["values"][key] / beside["values"][key] - 1) for key in SPHERE_LABELS)
            lines.append((run["parameters"]["case"], run["parameters"]["variant"], *(f"{change:+.2f} %" for change in changes)))
    return markdown_table(("case", "changed", *SPHERE_LABELS.values()), lines) if lines else f"{MISSING}."


def case_rows(context, case, published, planned, found):
    quantities = list(dict.fromkeys(row["quantity"] for row in published))
    rows = []
    for source in dict.fromkeys(row["source"] for row in published):
        texts = {row["quantity"]: published_text(row) for row in published if row["source"] == source}
        rows.append((case, f"*{source}*", *(texts.get(quantity, "") for quantity in quantities), "", "", ""))
        case = ""
    # What stands last in the table is what ours are compared with, beside the intervals.
    values, intervals = {}, {}
    for row in published:
        if row["value"] != "":
            values[row["quantity"]] = row["value"]
        if row["low"] != "":
            intervals[row["quantity"]] = (row["low"], row["high"])

    def ours(quantity, value):
        return MISSING if value is None else compared(value, values.get(quantity), intervals.get(quantity))

    grids = {}
    for run in planned:
        if run.parameters["case"] == published[0]["case"]:
            grids.setdefault((run.parameters["nodes"], run.parameters.get("variant", "")), []).append(run)
    points = []
    for (nodes, variant), runs in sorted(grids.items()):
        made = [found[run.name] for run in runs if run.name in found]
        if len(made) < len(runs):
            rows.append(("", grid_text(nodes, runs), why_missing(runs), *[""] * (len(quantities) + 2)))
            continue
        measured = {quantity: DERIVED.get(quantity, single)(quantity, made) for quantity in quantities}
        if not variant:
            points.append((nodes, measured))
        together = {**made[-1], "seconds": sum(run["seconds"] for run in made)}
        cells = [ours(quantity, value) for quantity, value in measured.items()]
        steps = sum(run["steps"] for run in made)
        rows.append(("", grid_text(nodes, runs), *cells, steps, run_time_text(together), context.machine_number(made[-1])))
    if len(points) > 1 and any(values.get(q, 1) for q in quantities) and published[0]["experiment"] not in NOT_EXTRAPOLATED:
        cells = [ours(quantity, extrapolated(quantity, *points[-2:])) for quantity in quantities]
        rows.append(("", f"{points[-2][0]} and {points[-1][0]} extrapolated", *cells, "", "", ""))
    return rows


def grid_text(nodes, runs):
    """Nodes, and what else tells the run from those on other grids."""
    variant = runs[0].parameters.get("variant")
    return f"{nodes}, {variant}" if variant else nodes


def extrapolated(quantity, coarse, fine):
    """Where errors of second order vanish."""
    if coarse[1][quantity] is None or fine[1][quantity] is None:
        return None
    ratio = (fine[0] / coarse[0]) ** 2
    return fine[1][quantity] + (fine[1][quantity] - coarse[1][quantity]) / (ratio - 1)


def single(quantity, made):
    return made[0]["values"].get(quantity)


def critical_rayleigh(_, made):
    """Rayleigh number between two runs at which small disturbances neither grow nor decay."""
    (low, below), (high, above) = sorted((run["parameters"]["rayleigh"], run["values"]["growth_rate"]) for run in made)
    return low - (high - low) * below / (above - below)


DERIVED = {"critical_rayleigh": critical_rayleigh}


def published_text(row):
    if row["value"] == 0:
        return "0"
    if row.get("error"):
        return f"{number(row['value'], 4)} ± {number(row['error'], 1)}"
    if row["value"] != "":
        return f"{row['value']:.8g}"
    return f"{row['low']:g} to {row['high']:g}" if row["low"] != "" else ""


def compared(value, published, interval):
    """A value with its difference from the published one, and whether an interval holds it."""
    if published == 0:
        return f"{100 * value:.2f} %"
    notes = [f"{100 * (value / published - 1):+.2f} %"] if published else []
    if interval:
        notes.append("inside" if interval[0] <= value <= interval[1] else outside(value, *interval))
    return number(value, 5) + (f" ({', '.join(notes)})" if notes else "")


def outside(value, low, high):
    bound = low if value < low else high
    return f"{100 * abs((value - bound) / bound):.1f} % {'below' if value < low else 'above'}"


def why_missing(runs):
    """Not recorded, and how much there would be to do."""
    updates = sum(run.updates() for run in runs)
    return f"{MISSING}: up to {number(updates, 2)} node updates" if updates else MISSING


@block
def machines(context):
    """Where the runs of a page were made, by the numbers in its tables."""
    listed = [f"{index}. {name}" for name, index in context.machines.items()]
    return "\n".join(listed) or f"Runs: {MISSING}."


@block
def channel_figures(context):
    """Mean velocity and fluctuations of the turbulent channel against the distance from the wall."""
    runs = [run for run in context.results.runs("turbulent_channel") if run["profiles"]]
    if not runs:
        return f"*Profiles: {MISSING}.*"
    ours = runs[-1]["profiles"]
    mean = published_profile("channel_moser_kim_mansour", "u")
    plots = {
        "channel_mean": Plot(
            "Mean velocity of the turbulent channel",
            "distance from the wall, wall units",
            "mean velocity over friction velocity",
            [
                Series("lbm_d3q27", [tuple(point) for point in ours["u"]]),
                Series("Moser, Kim, Mansour", mean[1:], 1, False, "circle"),
            ],
            x_log=True,
        )
    }
    names = {"u_rms": "u'", "v_rms": "v'", "w_rms": "w'", "uv": "mean of u'v'"}
    series = []
    for i, (name, label) in enumerate(names.items()):
        series.append(Series(f"{label}, lbm_d3q27", [tuple(point) for point in ours[name]], i))
        published = published_profile("channel_del_alamo_jimenez", name)
        series.append(Series(f"{label}, del Álamo, Jiménez", published, i, False, "circle"))
    plots["channel_fluctuations"] = Plot(
        "Fluctuations of the turbulent channel",
        "distance from the wall, wall units",
        "over friction velocity (u'v': its square)",
        series,
    )
    return "\n\n".join(context.figure(name, plot) for name, plot in plots.items())
