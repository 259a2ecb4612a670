"""The other papers' own algorithms, as they print them, beside ours."""

import math
import re

from experiments_printed import ESTIMATORS, PRINTED
from plots import Plot, Series
from reports import MISSING, machine_text, markdown_table, number, percent, ratio, read_numbers
from tables import block, error_of, profile_points, times_text
from tables_bgkw import LID_SPEED, cavity_values, shock_centre
from tables_boltzmann import extrapolate
from tables_gomes import with_head
from tables_lattice import interpolate


@block
def recorded_files(context, method):
    """Tables that lie beside the method's reports, each with the start of what it says of itself."""
    lines = []
    for path in sorted((context.results.root / method).glob("*.csv")):
        _, notes = with_head(context, path.relative_to(context.results.root))
        about = re.split(r"[;.](?:\s|$)", notes[0])[0] if notes else ""
        about = about if len(about) < 140 else about[:137].rstrip() + "..."
        link = f"[`{path.name}`](../../perf/results/{method}/{path.name})"
        lines.append(f"- {link}" + (f": {about}" if about else ""))
    return "\n".join(lines) or f"No tables: {MISSING}."


# --- Frezzotti, Ghiroldi, Gibelli 2009 ----


def beside_lid(run):
    """D from the stress in the cells beside the lid."""
    stress = [value for _, value in profile_points(run, "stress_below_lid")]
    return -sum(stress) / len(stress) / LID_SPEED if stress else None


@block
def frezzotti_2009_as_printed(context):
    """Table 1 with the full velocities and without correction, and these reduced: what it costs."""
    rows = []
    for row in context.paper("frezzotti_2009_table1"):
        name = f"delta-{row['delta']:g}"
        full = context.results.run("frezzotti_2009_as_printed", f"{name}-full")
        reduced = context.results.run("frezzotti_2009_as_printed", f"{name}-reduced")

        def value(run, key):
            return run["values"].get(key) if run else None

        drag, flow = beside_lid(full), value(full, "vortex_flow_rate")
        mass = value(full, "mass")
        rows.append(
            (
                f"{row['delta']:g}",
                f"{row['drag_coefficient']:g}",
                number(drag, 4),
                error_of(drag, row["drag_coefficient"]),
                number(beside_lid(reduced), 4),
                f"{row['flow_rate']:g}",
                number(flow, 4),
                error_of(flow, row["flow_rate"]),
                number(value(reduced, "vortex_flow_rate"), 4),
                MISSING if mass is None else f"{100 * (mass - 1):+.3f} %",
                full["steps"] if full else MISSING,
                f"{full['seconds']:.3g} s" if full else MISSING,
                f"{reduced['seconds']:.3g} s" if reduced else MISSING,
                times_text(
                    ratio(full and full["seconds"], reduced and reduced["seconds"])
                ),
            )
        )
    header = (
        "delta",
        "D, paper",
        "the paper's algorithm",
        "difference",
        "reduced",
        "G, paper",
        "the paper's algorithm",
        "difference",
        "reduced",
        "drift of mass",
        "steps",
        "time, full",
        "reduced",
        "full over reduced",
    )
    return markdown_table(header, rows)


@block
def frezzotti_2009_varoutis(context):
    """Differences of our second-order values from the range of the paper's reference."""
    rows = []
    for row in context.paper("frezzotti_2009_table1"):
        gas, drag, flow, _ = cavity_values(context, row["delta"], 2)
        rows.append(
            (
                f"{row['delta']:g}",
                *(
                    from_range(value, row[f"reference_{name}_low"], row[f"reference_{name}_high"])
                    for value, name in ((gas, "drag"), (drag, "drag"), (flow, "flow"))
                ),
            )
        )
    header = ("delta", "D, cells beside the lid", "D, at the lid", "G")
    return markdown_table(header, rows)


def from_range(value, low, high):
    if value is None:
        return MISSING
    if low <= value <= high:
        return "within"
    return error_of(value, low if value < low else high)


@block
def frezzotti_2009_shock_as_printed(context):
    """Thickness and deviation from the integral equation's profiles; figure 1."""
    rows, plots = [], {"velocity": [], "temperature": []}
    for index, mach in enumerate((1.5, 3)):
        reference = read_numbers(context.root / "tests" / "data" / f"shock_bgk_mach{mach:g}.csv")
        heat = (5 * mach**2 - 1) * (mach**2 + 3) / (16 * mach**2)
        speed = mach * math.sqrt(5 / 6)
        behind = speed * (mach**2 + 3) / (4 * mach**2)
        thickness = steepest(reference)
        rows.append((f"{mach:g}", "integral equation", "", "", number(thickness, 4), "", "", ""))
        for run in context.results.runs("frezzotti_2009_shock_as_printed"):
            p = run["parameters"]
            if p["mach"] != mach:
                continue
            centre = shock_centre(profile_points(run, "density"))
            scaled = {
                "velocity": [
                    (x - centre, (u - speed) / (behind - speed))
                    for x, u in profile_points(run, "velocity_x")
                ],
                "temperature": [
                    (x - centre, (t - 1) / (heat - 1))
                    for x, t in profile_points(run, "temperature")
                ],
            }
            deviations = [
                max(
                    abs(interpolate(points, row["x"]) - row[name])
                    for row in reference
                    if abs(row["x"]) < 12
                )
                for name, points in scaled.items()
            ]
            found = run["values"]["density_thickness"]
            kind = {"paper": "the paper's algorithm", "ours": "ours, order 2, reduced"}[p["kind"]]
            rows.append(
                (
                    f"{mach:g}",
                    kind,
                    p["cells"],
                    f"{p['velocities']}^3",
                    number(found, 4),
                    error_of(found, thickness),
                    *(f"{deviation:.4f}" for deviation in deviations),
                )
            )
            if p["cells"] == 400:
                for name, points in scaled.items():
                    near = [point for point in points if abs(point[0]) < 10]
                    plots[name].append(
                        Series(f"Ma = {mach:g}, {kind}", near, index, True, "", p["kind"] == "paper")
                    )
        for name, series in plots.items():
            marks = [
                (row["x"], row[name]) for row in reference[:: max(len(reference) // 60, 1)]
            ]
            marks = [mark for mark in marks if abs(mark[0]) < 10]
            series.append(
                Series(f"Ma = {mach:g}, integral equation", marks, index, False, "circle")
            )
    header = (
        "Ma",
        "",
        "cells",
        "velocities",
        "density thickness",
        "from the integral equation",
        "largest deviation of the velocity",
        "of the temperature",
    )
    figures = [
        context.figure(
            f"frezzotti_2009_figure1_{name}",
            Plot(
                f"Figure 1: {name} from upstream (0) to downstream (1)",
                "distance from the mean density",
                name,
                series,
            ),
        )
        for name, series in plots.items()
    ]
    return markdown_table(header, rows) + "\n\n" + "\n\n".join(figures)


def steepest(rows):
    """Density thickness of a profile from 0 to 1: reciprocal of the largest slope."""
    slope = max(
        (b["density"] - a["density"]) / (b["x"] - a["x"])
        for a, b in zip(rows, rows[1:])
        if b["x"] > a["x"]
    )
    return 1 / slope


# --- Frezzotti, Ghiroldi, Gibelli 2010 ----

ESTIMATOR_TEXTS = {
    "paper": "the paper's algorithm: one-way, Algorithm 3, eq. (25)",
    "paper-explicit": "one-way, eq. (24), eq. (25)",
    "one-way": "one-way, eq. (24), our correction",
    "ours": "ours: reversible, eq. (24), our correction",
    "ours-quasi-random": "the same, quasi-random samples",
}


@block
def frezzotti_2010_estimators(context):
    """Noise and time of the paper's estimator and ours; variance times time over the paper's."""
    runs = {name: context.results.run("frezzotti_2010_estimators", name) for name in ESTIMATORS}
    rows = []
    costs = {}
    for name, run in runs.items():
        if run is None:
            rows.append((ESTIMATOR_TEXTS[name], *[MISSING] * 7))
            continue
        values = run["values"]
        drag, deviation = values["lid_stress_mean"], values["lid_stress_deviation"]
        step = run["seconds"] / run["steps"]
        costs[name] = deviation**2 * step
        rows.append(
            (
                ESTIMATOR_TEXTS[name],
                number(drag, 4),
                percent(deviation / drag, 3),
                number(values["flow_rate_mean"], 4),
                percent(values["flow_rate_deviation"] / values["flow_rate_mean"], 3),
                f"{1e3 * step:.3g}",
                f"{1 / (deviation**2 / (runs['paper'] or run)['values']['lid_stress_deviation']**2):.2f}",
                times_text(ratio(costs.get("paper"), costs[name])),
            )
        )
    header = (
        "",
        "D",
        "deviation",
        "G",
        "deviation",
        "ms a step",
        "variance of D, gained",
        "gained for equal time",
    )
    return markdown_table(header, rows)


@block
def frezzotti_2010_figure1(context):
    """D_e and G_e by the straight line of least squares, through several choices of grids."""
    rows, series = [], []
    for index, row in enumerate(context.paper("frezzotti_2010_table1")):
        delta = row["delta"]
        runs = [
            run
            for run in context.results.runs("frezzotti_2010_figure1")
            if run["parameters"]["delta"] == delta
        ]
        runs.sort(key=lambda run: run["parameters"]["cells"])
        for key, letter, name in (
            ("lid_stress_mean", "D", "drag_extrapolated"),
            ("flow_rate_mean", "G", "flow_extrapolated"),
        ):
            points = [(1 / run["parameters"]["cells"], run["values"][key]) for run in runs]
            if not points:
                rows.append((f"{delta:g}", f"{letter}_e", f"{row[name]:g}", *[MISSING] * 8))
                continue
            limits = [extrapolate(points), extrapolate(points[-3:]), extrapolate(points[-2:])]
            order, limit = power_law(points)
            rows.append(
                (
                    f"{delta:g}",
                    f"{letter}_e",
                    f"{row[name]:g}",
                    number(limits[0], 4),
                    error_of(limits[0], row[name]),
                    *(number(found, 4) for found in limits[1:]),
                    number(limit, 4),
                    number(order, 2),
                    number(runs[-1]["values"]["drag_coefficient_mean"], 4) if letter == "D" else "",
                    ", ".join(str(run["parameters"]["cells"]) for run in runs),
                )
            )
            errors = [(h, abs(value / limits[0] - 1)) for h, value in points]
            series.append(
                Series(
                    f"{letter}, delta = {delta:g}",
                    errors,
                    index,
                    True,
                    "circle" if letter == "D" else "square",
                    letter == "G",
                )
            )
    header = (
        "delta",
        "",
        "paper",
        "line through all grids",
        "difference",
        "through the last three",
        "the last two",
        "limit of a power law",
        "its order",
        "through the lid, finest grid",
        "cells a side",
    )
    figure = context.figure(
        "frezzotti_2010_figure1",
        Plot(
            "Figure 1: error against the limit of the line through all grids",
            "cell width / L",
            "relative error",
            series,
            True,
            True,
        ),
    )
    return f"{markdown_table(header, rows)}\n\n{figure}"


def power_law(points):
    """(order, limit) of value = limit + c width^order, by least squares over the order."""
    if len(points) < 3:
        return None, None

    def fit(order):
        powers = [(h**order, value) for h, value in points]
        limit = extrapolate(powers)
        slope = sum((x * (y - limit)) for x, y in powers) / sum(x * x for x, _ in powers)
        return sum((y - limit - slope * x) ** 2 for x, y in powers), limit

    order = min((0.3 + 0.01 * i for i in range(170)), key=lambda o: fit(o)[0])
    return order, fit(order)[1]


# --- Geier, Schoenherr 2017 ----


@block
def geier_schemes(context):
    """The sparse AA pattern beside Esoteric Twist, in the same plain kernel and in ours."""
    rows, machine = [], ""
    for name, text in (
        ("duct_128", "walled duct, 128^3"),
        ("box_192", "periodic box, 192^3"),
        ("bed_227", "bed of 6864 spheres, 227^3"),
    ):
        table, notes = with_head(context, f"lbm_d3q27/geier_2017_{name}.csv")
        machine = notes[0] if notes else machine
        for row in table:
            plain = row["kernel"] != "knudsen"
            rate = row["mnups"]
            rows.append(
                (
                    text,
                    row["scheme"] + (", plain kernel" if row["kernel"] == "plain" else "")
                    + (", ours" if not plain else ""),
                    f"{row['values_kept']:g}",
                    f"{row['reads']:g}" if row["reads"] != "" else "",
                    percent(row["stored_nodes"] / row["fluid_nodes"] - 1),
                    f"{row['values_a_fluid_node']:.1f}",
                    f"{rate:.0f}" if rate != "" else "",
                )
            )
        if not table:
            rows.append((text, *[MISSING] * 6))
    header = (
        "geometry",
        "scheme",
        "values a stored node",
        "reads",
        "nodes stored beyond the fluid's",
        "values a fluid node",
        "MNUPS",
    )
    return markdown_table(header, rows) + (f"\n\nMade on: {machine}." if machine else "")


@block
def geier_beds(context):
    """Permeability of the bed at both resolutions and its pressure drop."""
    rows = []
    porosity = 0.4
    diameter = 5e-4  # metres
    kozeny = diameter**2 * porosity**3 / (180 * (1 - porosity) ** 2)
    for run in context.results.runs("geier_beds"):
        p, sizes = run["parameters"], run["sizes"]
        found = run["values"].get("permeability_si")
        fluid = sizes.get("fluid_nodes", 0)
        rows.append(
            (
                f"{p['spacing']} micrometres",
                p["walls"],
                f"{p['nodes']}^3",
                number(sizes.get("stored_nodes")),
                f"{1e12 * found:.2f}" if found else MISSING,
                percent(ratio(found, kozeny)),
                f"{1e-6 / found * 1e-3:.2f}" if found else MISSING,
                run["steps"],
                f"{1e-6 * fluid * run['steps'] / run['seconds']:.0f}",
            )
        )
    if not rows:
        rows.append(("40 and 20 micrometres", *[MISSING] * 8))
    header = (
        "spacing",
        "walls",
        "box",
        "nodes kept",
        "permeability, square micrometres",
        "of Kozeny and Carman's",
        "pressure drop, kPa/m",
        "steps",
        "MNUPS",
    )
    return markdown_table(header, rows)


# --- Zhu, Wang, Chen, Guo, Zhang 2019 ----


def memory(report):
    return report.get("memory_bytes", {})


def megabytes(found):
    return f"{1e-6 * min(found):.0f}" if found else MISSING


@block
def zhu_fine_profiles(context):
    """Figure 8: velocities on the centre lines with 64^3 and 128^3 cells, 64^3 velocities."""
    runs = {
        64: context.results.run("zhu_cavity", "cells-64-velocities-64"),
        128: context.results.run("zhu_profiles", "cells-128-velocities-64"),
    }
    series, rows = [], []
    for index, (name, axis) in enumerate((("u_vertical", "y"), ("v_horizontal", "x"))):
        coarse, fine = (profile_points(runs[cells], name) for cells in (64, 128))
        for cells, points in ((64, coarse), (128, fine)):
            series.append(
                Series(
                    f"{name[0]} along {axis}, {cells}^3 cells", points, index, True, "", cells == 64
                )
            )
        apart = [abs(interpolate(fine, x) - value) for x, value in coarse] if coarse and fine else []
        rows.append(
            (
                f"{name[0]} along {axis}",
                f"{max(apart):.4f}" if apart else MISSING,
                f"{math.sqrt(sum(d * d for d in apart) / len(apart)):.4f}" if apart else MISSING,
            )
        )
    figure = context.figure(
        "zhu_2019_figure8",
        Plot(
            "Figure 8: cubic cavity, Kn = 1, 64^3 velocities",
            "place / L",
            "velocity / lid speed",
            series,
        ),
    )
    header = ("profile", "largest difference of 64^3 from 128^3 cells", "root mean square")
    return f"{markdown_table(header, rows)}\n\n{figure}"


# --- How to make the runs again ----


@block
def remake(context, *experiments):
    """How to make the runs again, and where those shown were made: a line an experiment."""
    names = " ".join(experiments)
    rows, machines = [], {}
    timings = {experiment.name for experiment in PRINTED if experiment.timing}  # leave reports
    for experiment in experiments:
        if experiment in timings:
            continue
        runs = context.results.runs(experiment)
        numbers = sorted(
            {machines.setdefault(machine_text(r["machine"]), len(machines) + 1) for r in runs}
        )
        sizes = ", ".join(sorted({run["size"] for run in runs}))
        files = [f"{experiment}-{size}.json" for size in sorted({run["size"] for run in runs})]
        rows.append(
            (
                ", ".join(
                    f"[`{file}`](../../perf/results/papers/{file})" for file in files
                )
                or experiment,
                f"{len(runs)} {sizes}" if runs else MISSING,
                f"{sum(run['steps'] for run in runs)}" if runs else "",
                f"{sum(run['seconds'] for run in runs):.3g} s" if runs else "",
                ", ".join(map(str, numbers)),
            )
        )
    table = markdown_table(("runs shown, with their commands", "", "steps", "time", "machine"), rows)
    listed = "\n".join(f"{index}. {name}" for name, index in machines.items())
    return (
        "```sh\n"
        f"make papers EXPERIMENTS='{names}'               # small, minutes\n"
        f"make papers EXPERIMENTS='{names}' PRESET=cuda   # in full, on a GPU\n"
        f"```\n\n{table}\n\nMachines:\n\n{listed}"
    )
