"""The cavity by all methods: tables and figures against the rarefaction parameter."""

import math

from experiments import LID_SPEED
from plots import Plot, Series
from reports import MISSING, markdown_table, number
from tables import block, drag_and_flow, profile_points

EXPERIMENT = "cavity_across_methods"
METHOD_LOOKS = {  # name, colour, marker, order of the extrapolation to cells without width
    "bgkw": ("bgkw, order 2", 0, "circle", 2),
    "bgkw-imex": ("bgkw, implicit collisions", 6, "circle", 2),
    "shakhov": ("shakhov, order 2", 2, "triangle", 2),
    "shakhov-synthetic": ("shakhov, accelerated", 2, "circle", 2),
    "boltzmann": ("boltzmann, hard spheres, order 2", 3, "diamond", 2),
    "lbm_d2q9": ("lbm_d2q9, no slip", 4, "square", 1),
    "lbm_d2q9-slip": ("lbm_d2q9, slip", 5, "square", 1),
    "lbm_d3q27-slip": ("lbm_d3q27, slip", 1, "diamond", 1),
}
# d(D delta) / d ln delta: twice that of the stress beside a corner, see the template.
CORNER_LAW = 8 * math.pi / (math.pi**2 - 4)


def across_values(run):
    """(D, G) in the units of the papers."""
    method = run["parameters"]["method"]
    drag, flow = drag_and_flow(run)
    if flow is not None:
        return drag, flow
    profile = profile_points(run, "u_vertical")
    if drag is None and method == "shakhov":
        drag = -run["values"]["north.force_x"] / LID_SPEED
    elif drag is None:  # lattice units: the density is 1, the pressure 1/3
        nodes = run["parameters"]["nodes"]
        drag = -run["values"]["lid.force_x"] / nodes / (LID_SPEED / 3)
        profile = profile[:nodes]  # without the lid's own row
    return drag, sum(abs(u) for _, u in profile) / len(profile)


def size_of(run):
    return run["parameters"].get("nodes") or run["parameters"]["cells"]


def velocities_of(run):
    return run["parameters"].get("velocities", 0)


def estimate(runs, index):
    """(value, error) of D (index 0) or G (1) from runs of a method that differ in cells and velocities.

    The finest two numbers of cells with the same velocities are extrapolated to cells without width. The error is what that
    changes, plus what more velocities change on the same cells. A single run has no error; None without runs.
    """
    if not runs:
        return None, None
    ordered = sorted(runs, key=lambda run: (size_of(run), velocities_of(run)))
    finest = ordered[-1]
    value = across_values(finest)[index]
    coarser = [r for r in ordered if size_of(r) < size_of(finest) and velocities_of(r) == velocities_of(finest)]
    if not coarser:
        return value, None
    order = METHOD_LOOKS.get(finest["parameters"]["method"], ("", 0, "", 1))[3]
    ratio = size_of(finest) / size_of(coarser[-1])
    step = (value - across_values(coarser[-1])[index]) / (ratio**order - 1)
    by_velocities = 0
    for size in {size_of(run) for run in ordered}:
        same = [across_values(run)[index] for run in ordered if size_of(run) == size]
        by_velocities = max(by_velocities, abs(same[-1] - same[0]))
    return value + step, abs(step) + by_velocities


def estimates(context):
    """{(method, delta): ((D, error), (G, error))}"""
    found = {}
    for run in context.results.runs(EXPERIMENT):
        found.setdefault((run["parameters"]["method"], run["parameters"]["delta"]), []).append(run)
    return {
        (method, delta): (
            # Slip ends the corners' stress at L / delta, which wider spacings do not resolve.
            estimate([r for r in runs if "slip" not in method or size_of(r) >= delta], 0),
            estimate(runs, 1),
        )
        for (method, delta), runs in found.items()
    }


def with_error(pair, digits=4):
    """A value, with as many digits as its error asks for."""
    value, error = pair
    if value is None or error is None:
        return "" if value is None else number(value, digits)
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{places}f} ± {max(error, 10.0**-places):.{places}f}"


@block
def across_tables(context):
    found = estimates(context)
    deltas = sorted({delta for _, delta in found})
    parts = []
    for index, name in enumerate(("D", "G")):
        rows = []
        for delta in deltas:
            cells = [with_error(found.get((method, delta), ((None, None),) * 2)[index]) for method in METHOD_LOOKS]
            column = ("reference_drag", "reference_flow")[index]
            reference = [r for r in context.paper("frezzotti_2010_table1") if r["delta"] == delta]
            cells.append(
                f"{reference[0][column + '_low']:g} - {reference[0][column + '_high']:g}" if reference else ""
            )
            if any(cells):
                rows.append((f"{delta:g}", *cells))
        header = ("delta", *(look[0] for look in METHOD_LOOKS.values()), "Varoutis et al.")
        parts.append(f"{name}:\n\n" + (markdown_table(header, rows) if rows else f"{MISSING}."))
    return "\n\n".join(parts)


def slip_flow(context, delta, second_order):
    """Row of Stokes' equations with slip, or None."""
    rows = context.paper("slip_cavity")
    return next((r for r in rows if (r["delta"], r["second_order"]) == (delta, second_order)), None)


def percent(value, reference):
    return "" if value is None or reference is None else f"{100 * (value / reference - 1):+.1f} %"


@block
def across_agreement(context):
    """Lattices and fluids that slip beside the gas."""
    found = estimates(context)
    rows = []
    for delta in sorted({delta for method, delta in found if method == "lbm_d2q9-slip"}):
        gas = found.get(("shakhov-synthetic", delta))
        if gas is None:
            continue
        drag, flow = gas[0][0], gas[1][0]
        first, default, theory = (slip_flow(context, delta, second) for second in (0, 0.6, 0.98))
        lattices = [found.get((name, delta)) for name in ("lbm_d2q9-slip", "lbm_d2q9-slip-0", "lbm_d3q27-slip")]
        rows.append(
            (
                f"{delta:g}",
                with_error(gas[1]),
                *(percent(lattice and lattice[1][0], flow) for lattice in lattices),
                percent(first and first["G"], flow),
                percent(default and default["G"], flow),
                percent(theory and theory["G"] + theory["knudsen_layer"], flow),
                with_error(gas[0]),
                *(percent(lattice and lattice[0][0], drag) for lattice in lattices[:2]),
            )
        )
    if not rows:
        return f"Lattices beside the gas: {MISSING}."
    header = (
        "delta",
        "G, shakhov",
        "lbm_d2q9",
        "lbm_d2q9, A2 = 0",
        "lbm_d3q27",
        "Stokes, A2 = 0",
        "Stokes, A2 = 0.6",
        "Stokes, A2 = 0.98, Knudsen layer",
        "D, shakhov",
        "lbm_d2q9",
        "lbm_d2q9, A2 = 0",
    )
    return markdown_table(header, rows)


@block
def across_corner(context):
    """What is left of D delta without the logarithm of the corners."""
    found = estimates(context)
    methods = ("shakhov-synthetic", "lbm_d2q9-slip", "lbm_d2q9")
    rows = []
    for delta in sorted({delta for method, delta in found if method in methods[1:]}):
        cells = []
        for method in methods:
            value, error = found.get((method, delta), ((None, None),))[0]
            rest = None if value is None else value * delta - CORNER_LAW * math.log(delta)
            cells.append("" if rest is None else f"{rest:.2f}" + (f" ± {max(error * delta, 0.01):.2f}" if error else ""))
        rows.append((f"{delta:g}", *cells))
    header = ("delta", *(METHOD_LOOKS[method][0] for method in methods))
    return markdown_table(header, rows) if rows else f"D delta: {MISSING}."


def sweeps(context):
    """{delta: {method: run}} of accelerated and plain runs on the same grid, the coarsest there is."""
    runs = context.results.runs(EXPERIMENT)
    found = {}
    for method in ("shakhov-plain", "shakhov-synthetic"):
        of_method = (run for run in runs if run["parameters"]["method"] == method)
        for run in sorted(of_method, key=lambda run: (size_of(run), velocities_of(run)), reverse=True):
            at = found.setdefault(run["parameters"]["delta"], {})
            plain = at.get("shakhov-plain")
            if plain is None or method == "shakhov-plain" or velocities_of(run) == velocities_of(plain):
                at[method] = run
    return dict(sorted(found.items()))


@block
def across_sweeps(context):
    """Iterations against delta: a table and a figure."""
    found = sweeps(context)
    if not found:
        return f"Iterations: {MISSING}."
    methods = {"shakhov-synthetic": ("accelerated", 2), "shakhov-plain": ("plain", 3)}
    rows, series = [], []
    for delta, runs in found.items():
        run = next(iter(runs.values()))
        grid = f"{run['parameters'].get('cells_along_axis')}^2 cells, {velocities_of(run)}^2 velocities"
        rows.append((f"{delta:g}", *(runs[m]["steps"] if m in runs else "" for m in methods), grid))
    for method, (name, colour) in methods.items():
        points = [(delta, runs[method]["steps"]) for delta, runs in found.items() if method in runs]
        series.append(Series(name, points, colour, True, "circle"))
    figure = context.figure(
        "cavity_across_methods_iterations",
        Plot("Iterations of shakhov against delta", "rarefaction parameter delta", "iterations", series, True, True),
    )
    return f"{figure}\n\n" + markdown_table(("delta", *(look[0] for look in methods.values()), "grid"), rows)


@block
def across_figures(context):
    found = estimates(context)
    figures = []
    for index, (letter, label) in enumerate((("D", "mean shear stress of the lid, D"), ("G", "flow rate, G"))):
        series = []
        for method, (name, colour, marker, _) in METHOD_LOOKS.items():
            points = sorted(
                (delta, *(part for part in values[index] if part is not None))
                for (of, delta), values in found.items()
                if of == method and values[index][0] is not None
            )
            series.append(Series(name, points, colour, True, marker))
        series += continuum(context, found, letter)
        for which, table in (("2009", "frezzotti_2009_table1"), ("2010", "frezzotti_2010_table1")):
            column = {
                ("D", "frezzotti_2009_table1"): "drag_coefficient",
                ("G", "frezzotti_2009_table1"): "flow_rate",
                ("D", "frezzotti_2010_table1"): "drag_extrapolated",
                ("G", "frezzotti_2010_table1"): "flow_extrapolated",
            }[(letter, table)]
            marks = [(row["delta"], row[column]) for row in context.paper(table)]
            series.append(Series(f"Frezzotti et al. {which}", marks, 1 if which == "2009" else 5, False, "cross"))
        column = "reference_drag" if letter == "D" else "reference_flow"
        marks = [
            (row["delta"], row[f"{column}_{end}"])
            for row in context.paper("frezzotti_2010_table1")
            for end in ("low", "high")
        ]
        series.append(Series("Varoutis et al. 2008, range", marks, 7, False, "circle"))
        figures.append(
            context.figure(
                f"cavity_across_methods_{letter}",
                Plot(
                    f"The cavity from free-molecular flow to the continuum: {letter}",
                    "rarefaction parameter delta",
                    label,
                    series,
                    True,
                    letter == "D",
                ),
            )
        )
    return "\n\n".join(figures)


def continuum(context, found, letter):
    """Dashed lines: Stokes' equations with slip and without; the law of the corners through the densest gas."""
    rows = [row for row in context.paper("slip_cavity") if row["second_order"] == 0]
    slip = [(row["delta"], row["G"]) for row in rows if math.isfinite(row["delta"])]
    if letter == "G":
        none = next((row["G"] for row in rows if not math.isfinite(row["delta"])), None)
        level = [(delta, none) for delta, _ in slip if none is not None]
        return [
            Series("Stokes, slip of first order", slip, 7, True, dashed=True),
            Series("Stokes, no slip", level, 3, True, dashed=True),
        ]
    dense = max((delta for method, delta in found if method == "shakhov-synthetic"), default=0)
    if not dense:
        return []
    rest = found["shakhov-synthetic", dense][0][0] * dense - CORNER_LAW * math.log(dense)
    points = [(d, (CORNER_LAW * math.log(d) + rest) / d) for d in (30, 60, 100, 200, 300, 600, 1000)]
    return [Series(f"{CORNER_LAW:.2f} ln delta / delta - {-rest:.2f} / delta", points, 7, True, dashed=True)]
