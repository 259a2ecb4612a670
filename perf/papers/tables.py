"""One function a table, figure or number of the pages; templates name them as {{function words}}."""

import math
import re

from experiments import LID_SPEED
from plots import Plot, Series
from reports import (
    MISSING,
    machine_text,
    markdown_table,
    number,
    percent,
    rate_text,
    ratio,
    read_numbers,
    share_text,
    size_text,
    update_time_text,
)

BLOCKS = {}
LONGEST_TABLE = 25


def block(function):
    BLOCKS[function.__name__] = function
    return function


class Context:
    """What blocks draw on, and the figures that they have drawn."""

    def __init__(self, results, root):
        self.results = results
        self.root = root
        self.figures = {}

    def paper(self, name):
        """Rows of a table of a paper."""
        return read_numbers(self.root / "docs" / "papers" / "data" / f"{name}.csv")

    def paper_value(self, name, key):
        return next(row["value"] for row in self.paper(name) if row["name"] == key)

    def reference(self, name):
        return read_numbers(self.root / "tests" / "data" / f"{name}.csv")

    def figure(self, name, plot):
        """Markdown of a figure, or a word that it is missing."""
        text = plot.draw()
        if text is None:
            return f"*{plot.title}: {MISSING}.*"
        self.figures[name] = text
        return f"![{plot.title}](figures/{name}.svg)"


# --- What all pages have ---------------------------------------------------------------------


@block
def value(context, table, key):
    """A number from a table of names and values of a paper."""
    return f"{context.paper_value(table, key):g}"


@block
def commands(context, *experiments):
    """How to make the runs again, and a first command of each as it was given."""
    lines = [
        f"make papers EXPERIMENTS='{' '.join(experiments)}'               # small, minutes",
        f"make papers EXPERIMENTS='{' '.join(experiments)}' PRESET=cuda   # as shown, on a GPU",
    ]
    text = "```sh\n" + "\n".join(lines) + "\n```"
    rows = []
    for experiment in experiments:
        for run in context.results.runs(experiment):
            rows.append((experiment, run["name"], run["size"], run["steps"], f"{run['seconds']:.3g} s",
                         machine_text(run["machine"])))  # fmt: skip
    if not rows:
        return text + f"\n\nRuns: {MISSING}."
    header = ("experiment", "run", "size", "steps", "time", "machine")
    files = sorted({f"`perf/results/papers/{row[0]}-{row[2]}.json`" for row in rows})
    note = "Runs shown, with their commands in " + ", ".join(files) + ":"
    return f"{text}\n\n{note}\n\n{markdown_table(header, rows)}"


def profile_points(run, name):
    return [tuple(point) for point in run["profiles"].get(name, [])] if run else []


def error_of(found, wanted):
    return MISSING if found is None or not wanted else f"{100 * (found / wanted - 1):+.1f} %"


def size_note(run):
    return MISSING if run is None else run["size"]


def kernel_seconds(report, pattern):
    """Seconds an update spent in the kernels whose names have the pattern."""
    if report is None:
        return None
    spent = [k["seconds"] for k in report["kernels"] if re.search(pattern, k["name"])]
    return sum(spent) / report["total"]["updates"] if spent else None


def times_text(value):
    return MISSING if value is None else f"{number(value, 3)} x"


def speedup(slow, fast):
    """How many times as many updates a second `fast` makes."""
    if slow is None or fast is None:
        return None
    return slow["total"]["ns_per_update"] / fast["total"]["ns_per_update"]


@block
def recorded_tables(context, method):
    """The tables that lie beside the method's reports, with what they say of themselves."""
    parts = []
    for path in sorted((context.results.root / method).glob("*.csv")):
        rows = read_numbers(path)
        with open(path, encoding="utf-8") as file:
            notes = [line[1:].strip() for line in file if line.startswith("#")]
        text = f"`perf/results/{method}/{path.name}`" + (": " + "; ".join(notes) if notes else "") + "."
        if 0 < len(rows) <= LONGEST_TABLE:
            text += "\n\n" + markdown_table(list(rows[0]), [[short_text(v) for v in row.values()] for row in rows])
        parts.append(text)
    return "\n\n".join(parts) or f"No tables: {MISSING}."


def short_text(value):
    """Numbers to five digits, text as it is."""
    return f"{value:.5g}" if isinstance(value, float) else value


# --- Gomes 2016 ------------------------------------------------------------------------------


def poiseuille_error(run):
    """Equation (30): root mean square of the relative error over the nodes, channel of L - 2 nodes."""
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
        rows.append((length, number(fit, 2), number(errors["full-way"], 3),
                     number(errors["half-way"], 2)))  # fmt: skip
    found = series["full-way"]
    order = MISSING
    if len(found) > 1:
        (l0, e0), (l1, e1) = found[-2:]
        order = f"{math.log(e0 / e1) / math.log(l1 / l0):.2f}"
    figure = context.figure(
        "gomes_2016_poiseuille",
        Plot("Poiseuille flow, Re = 4: error against the nodes across", "L", "normalised RMSE",
             [Series("Gomes 2016, fit to figure 22", series["paper"], 1, True, "", True),
              Series("bgk, full-way walls", found, 0, True, "circle"),
              Series("trt, half-way walls", series["half-way"], 2, True, "square")],
             True, True),
    )  # fmt: skip
    header = ("L", "Gomes 2016, fit", "ours: bgk, full-way", "ours: trt 3/16, half-way")
    return (f"{markdown_table(header, rows)}\n\nOrder of the error between the two largest L with full-way "
            f"walls: {order} (thesis: {-slope:.2f}).\n\n{figure}")  # fmt: skip


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
            series.append(Series(f"Re = {reynolds}, Ghia, Ghia and Shin 1982", marks, index, False, "circle"))
            worst = largest_deviation(points, marks, skipped=0.9063 if reynolds == 400 else None)
            rows.append((reynolds, f"{letter} along {column}", run["parameters"]["nodes"] if run else MISSING,
                         percent(worst, 2) + (" of the lid's speed" if worst is not None else "")))
        parts.append(context.figure(
            f"gomes_2016_cavity_{letter}",
            Plot(f"Cavity: {letter} along {column} through the middle", f"{column} / L",
                 f"{letter} / lid speed", series)))  # fmt: skip
    header = ("Re", "profile", "nodes a side", "largest deviation from Ghia, Ghia and Shin")
    return markdown_table(header, rows) + "\n\n" + "\n\n".join(parts)


def interpolate(points, x):
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return None


def largest_deviation(points, marks, skipped=None):
    """Of marks between the first and the last point."""
    found = [abs(interpolate(points, x) - y) for x, y in marks
             if x != skipped and interpolate(points, x) is not None]  # fmt: skip
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
            gain = times_text(ratio(1e6 * theirs, best)) if theirs else ""
            rows.append((length, width, shown, number(best, 3), gain))
    plots = [Series(f"{length} x {length}, ours", points, i, True, "circle")
             for i, (length, points) in enumerate(series.items())]  # fmt: skip
    for i, row in enumerate(context.paper("gomes_2016_times")):
        marks = [(w, 1e6 * row[f"seconds_{w}"] / row["iterations"]) for w in (4, 8, 16, 32)]
        plots.append(Series(f"{row['length']:g} x {row['length']:g}, Gomes 2016", marks, i, False, "square"))
    figure = context.figure(
        "gomes_2016_widths",
        Plot("Time of a step against threads a team", "threads", "microseconds a step", plots, True, True),
    )
    header = ("L", "threads", "Gomes 2016, microseconds a step", "ours", "ratio")
    return f"{markdown_table(header, rows)}\n\n{figure}"


@block
def gomes_width_factor(context):
    """Time with 4 threads over that with 32, on the largest grid that both have."""
    row = context.paper("gomes_2016_times")[-1]
    length = int(row["length"])
    ours = {width: step_microseconds(context, length, width) for width in (4, 32)}
    factor = ratio(ours[4], ours[32])
    return (f"{row['seconds_4'] / row['seconds_32']:.1f} times in the thesis at L = {length}, "
            f"{number(factor, 2)} times here")  # fmt: skip


def step_microseconds(context, length, width):
    """Time of a step in the study of widths, shared-memory propagation on a GPU."""
    found = context.results.reports(method="lbm_d2q9", backend="cuda", variant=re.compile("shared-memory"),
                                    size_nodes_x=length, size_nodes_y=length)  # fmt: skip
    tuned = [r for r in found if "team_size" in r.get("tuning", {}) or "segment" in r.get("tuning", {})]
    times = [1e6 * seconds_a_step(r) for r in tuned
             if r["tuning"].get("team_size", r["tuning"].get("segment")) == width]  # fmt: skip
    return min(times, default=None)


@block
def gomes_rates(context):
    rows = []
    for precision in ("single", "double"):
        for scheme in ("in-place", "two-array", "shared-memory"):
            wanted = {
                "method": "lbm_d2q9",
                "precision": precision,
                "variant": f"{scheme} bgk",
                "title": re.compile("cavity, timing only", re.I),
            }
            rows.append((scheme, precision, *rate_cells(context, wanted, ("size_nodes",))))
    return markdown_table(("propagation", "precision", *RATE_HEADER), rows)


RATE_HEADER = (
    "grid",
    "CPU, one thread",
    "CPU, all cores",
    "GPU",
    "an update, GPU",
    "share of copy bandwidth, GPU",
    "speedup over one thread",
    "over all cores",
)


def rate_cells(context, wanted, same):
    """One thread, all cores and GPU of the case: on a grid of equal size where there is one."""
    gpu, one, many, grid = three_machines(context, wanted, same)
    return (
        grid,
        rate_text(one),
        rate_text(many),
        rate_text(gpu),
        update_time_text(gpu),
        share_text(gpu),
        times_text(speedup(one, gpu)),
        times_text(speedup(many, gpu)),
    )


def three_machines(context, wanted, same):
    """(GPU, one thread, all cores, text of the grids): the GPU's report on the host's grid where it is
    there, else its fastest; `same` are the sizes that make a grid."""
    results = context.results
    one, many = results.on_cores(**wanted)
    gpu = None
    host = many or one
    if host is not None:
        sizes = {key: host["sizes"].get(key[5:]) for key in same}
        gpu = results.on_gpu(**wanted, **sizes)
        one_equal, many_equal = results.on_cores(**wanted, **sizes)
        one, many = one_equal or one, many_equal or many
    gpu = gpu or results.on_gpu(**wanted)
    grids = []
    for name, report in (("GPU", gpu), ("host", many or one)):
        if report is not None:
            grids.append((name, size_text(report)))
    if len(grids) == 2 and grids[0][1] == grids[1][1]:
        text = grids[0][1]
    else:
        text = "; ".join(f"{name}: {grid}" for name, grid in grids) or MISSING
    return gpu, one, many, text


@block
def machines(context, method):
    """Processors and GPUs of the method's reports, and what they were compiled with."""
    lines = {}
    for report in context.results.reports(method=method):
        key = (machine_text(report).partition("; ")[0], report["host"])
        lines.setdefault(key, set()).add(f"{report['compiler']}, Kokkos {report['kokkos_version']}")
    if not lines:
        return f"Machines: {MISSING}."
    return "\n".join(f"- {device} ({host}): {'; '.join(sorted(compilers))}"
                     for (device, host), compilers in sorted(lines.items()))  # fmt: skip


# --- Geier and Schoenherr 2017 ---------------------------------------------------------------


def box(context, **wanted):
    """The fastest run of a periodic box on a GPU."""
    wanted = {"method": "lbm_d3q27", "title": re.compile("box", re.I), "precision": "single", **wanted}
    return context.results.on_gpu(**wanted)


def mega_rate(report):
    return None if report is None else report["total"]["updates_per_second"] * 1e-6


@block
def geier_box(context):
    rows = []
    for row in context.paper("geier_2017_box"):
        rows.append((f"paper: {row['device']}, {row['collision']}", "128 x 128 x 128",
                     f"{row['full_matrix_mnups']:g}", f"{row['full_matrix_percent']:g} %",
                     f"{row['sparse_mnups']:g}", f"{row['sparse_percent']:g} %",
                     f"{row['sparse_of_full_percent']:g} %"))  # fmt: skip
    for name, dense, sparse in (
        ("two arrays against sparse, bgk", r"D3Q27 two-array( dense)? bgk", r"D3Q27 esoteric-twist sparse bgk"),
        ("Esoteric Twist in both, bgk", r"D3Q27 esoteric-twist( dense)? bgk", r"D3Q27 esoteric-twist sparse bgk"),
        ("Esoteric Twist in both, cascaded", r"D3Q27 esoteric-twist( dense)? cascaded", r"D3Q27 esoteric-twist sparse cascaded"),
        ("Esoteric Twist in both, cumulant", r"D3Q27 esoteric-twist( dense)? cumulant$", r"D3Q27 esoteric-twist sparse cumulant$"),
    ):  # fmt: skip
        first = box(context, variant=re.compile(dense))
        sizes = {"size_nodes": first["sizes"]["nodes"]} if first else {}
        second = box(context, variant=re.compile(sparse), **sizes)
        grid = size_text(first or second) if first or second else MISSING
        rows.append((f"ours: {name}", grid, number(mega_rate(first), 5), share_text(first),
                     number(mega_rate(second), 5), share_text(second),
                     percent(ratio(mega_rate(second), mega_rate(first)))))  # fmt: skip
    header = ("run", "nodes", "full matrix, MNUPS", "share", "sparse, MNUPS", "share", "sparse of full")
    return markdown_table(header, rows)


@block
def geier_pipes(context):
    rows, rates = [], []
    for row in context.paper("geier_2017_pipes"):
        report = context.results.on_gpu(
            method="lbm_d3q27", title=re.compile(f"pipes along {row['axis']}", re.I)
        )
        if report:
            rates.append(mega_rate(report))
        rows.append((row["axis"], f"{row['mnups']:g}", f"{row['percent']:g} %",
                     number(mega_rate(report), 5), share_text(report)))  # fmt: skip
    spread = f"{100 * (max(rates) / min(rates) - 1):.1f} %" if len(rates) == 3 else MISSING
    theirs = [row["mnups"] for row in context.paper("geier_2017_pipes")]
    table = markdown_table(("along", "paper, MNUPS", "share", "ours, MNUPS", "share"), rows)
    return (f"{table}\n\nFastest over slowest orientation: {100 * (max(theirs) / min(theirs) - 1):.1f} % "
            f"in the paper, {spread} here.")  # fmt: skip


@block
def geier_bed(context):
    rows = []
    for row in context.paper("geier_2017_bed"):
        rows.append((f"paper: {row['devices']}, cumulant, interpolated walls", number(row["kept_nodes"]),
                     f"{row['kept_percent']:g} %", f"{row['mnups']:g}", ""))  # fmt: skip
    found = context.results.reports(method="lbm_d3q27", title=re.compile("bed", re.I))
    for report in sorted(found, key=lambda r: r["path"]):
        sizes = report["sizes"]
        where = machine_text(report).partition(";")[0]
        rows.append((f"ours: {where}, {report['variant']}, {report['precision']}",
                     number(sizes["stored_nodes"]), percent(sizes["stored_nodes"] / sizes["nodes"]),
                     number(mega_rate(report), 5), share_text(report)))  # fmt: skip
    if not found:
        rows.append(("ours", *[MISSING] * 4))
    return markdown_table(("run", "nodes kept", "of the box", "MNUPS", "share of copy bandwidth"), rows)


@block
def geier_memory(context):
    rows = [(row["scheme"], f"{row['values_kept']:g}", f"{row['reads']:g}", f"{row['writes']:g}")
            for row in context.paper("geier_2017_memory")]  # fmt: skip
    return markdown_table(("scheme", "values kept a node", "reads", "writes"), rows)


@block
def geier_rates(context):
    rows = []
    for name, variant in (("dense", r"D3Q27 esoteric-twist( dense)? bgk"), ("sparse", "D3Q27 esoteric-twist sparse bgk")):
        for precision in ("single", "double", "half-storage"):
            wanted = {"method": "lbm_d3q27", "precision": precision,
                      "variant": re.compile(variant), "title": re.compile("box", re.I)}  # fmt: skip
            rows.append((name, precision, *rate_cells(context, wanted, ("size_nodes",))))
    return markdown_table(("nodes", "precision", *RATE_HEADER), rows)


# --- The cavity of Frezzotti, Ghiroldi, Gibelli ----------------------------------------------


def drag_and_flow(run):
    """(D, G) of a run of bgkw or boltzmann."""
    if run is None:
        return None, None
    values = run["values"]
    drag = values.get("drag_coefficient_mean", values.get("drag_coefficient"))
    return drag, values.get("flow_rate_mean", values.get("flow_rate"))


def cavity_profiles(context, experiment, name, title):
    """Velocity on the centre lines for all runs of the experiment."""
    figures = []
    for profile, axis in (("u_vertical", "y"), ("v_horizontal", "x")):
        series = [Series(f"delta = {run['parameters']['delta']:g}", profile_points(run, profile), i)
                  for i, run in enumerate(context.results.runs(experiment))]  # fmt: skip
        letter = profile[0]
        figures.append(context.figure(
            f"{name}_{letter}",
            Plot(f"{title}: {letter} along {axis} through the middle", f"{axis} / L",
                 f"{letter} / lid speed", series)))  # fmt: skip
    return "\n\n".join(figures)


@block
def frezzotti_2009_table1(context):
    rows = []
    for row in context.paper("frezzotti_2009_table1"):
        run = context.results.run("frezzotti_2009_cavity", f"delta-{row['delta']:g}")
        fine = context.results.run("cavity_across_methods", f"bgkw-{row['delta']:g}")
        (drag, flow), (fine_drag, fine_flow) = drag_and_flow(run), drag_and_flow(fine)
        rows.append((f"{row['delta']:g}", f"{row['drag_coefficient']:g}", number(drag, 4),
                     error_of(drag, row["drag_coefficient"]),
                     f"{row['reference_drag_low']:g} - {row['reference_drag_high']:g}", number(fine_drag, 4),
                     f"{row['flow_rate']:g}", number(flow, 4), error_of(flow, row["flow_rate"]),
                     f"{row['reference_flow_low']:g} - {row['reference_flow_high']:g}", number(fine_flow, 4),
                     size_note(run)))  # fmt: skip
    header = ("delta", "D, paper", "D, ours", "difference", "D, Varoutis et al.", "D, ours, order 2",
              "G, paper", "G, ours", "difference", "G, Varoutis et al.", "G, ours, order 2", "size")  # fmt: skip
    return markdown_table(header, rows)


@block
def frezzotti_2009_profiles(context):
    return cavity_profiles(context, "frezzotti_2009_cavity", "frezzotti_2009_cavity", "Cavity, BGKW")


@block
def frezzotti_2009_shock(context):
    rows, velocity, temperature = [], [], []
    for index, run in enumerate(context.results.runs("frezzotti_2009_shock")):
        mach = run["parameters"]["mach"]
        compression = 4 * mach**2 / (mach**2 + 3)
        heat = (5 * mach**2 - 1) * (mach**2 + 3) / (16 * mach**2)
        ends = {name: profile_points(run, name) for name in ("density", "velocity_x", "temperature")}
        rows.append((f"{mach:g}", number(run["values"]["density_thickness"], 4),
                     number(run["values"]["temperature_thickness"], 4),
                     f"{ends['density'][-1][1] / compression - 1:+.1e}",
                     f"{ends['temperature'][-1][1] / heat - 1:+.1e}", run["size"]))  # fmt: skip
        centre = shock_centre(ends["density"])
        speed = mach * math.sqrt(5 / 6)
        velocity.append(Series(f"Ma = {mach:g}", [(x - centre, u / speed) for x, u in ends["velocity_x"]], index))
        temperature.append(Series(f"Ma = {mach:g}", [(x - centre, (t - 1) / (heat - 1)) for x, t in ends["temperature"]], index))
    figures = [
        context.figure("frezzotti_2009_shock_velocity",
                       Plot("Shock waves: velocity over that upstream", "x in mu v_ref / p upstream", "u / u_1",
                            velocity, x_range=(-15, 15))),
        context.figure("frezzotti_2009_shock_temperature",
                       Plot("Shock waves: temperature from upstream (0) to downstream (1)",
                            "x in mu v_ref / p upstream", "(T - T_1) / (T_2 - T_1)", temperature, x_range=(-15, 15))),
    ]  # fmt: skip
    header = ("Ma", "density thickness", "temperature thickness",
              "density downstream over Rankine-Hugoniot - 1", "temperature downstream - 1", "size")  # fmt: skip
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
        points = [(row["mach"], 1 / row["density_thickness"]) for row in table if row["model"] == model]
        series.append(Series(f"{model}, density", points, index, True, "circle"))
        points = [(row["mach"], 1 / row["temperature_thickness"]) for row in table if row["model"] == model]
        series.append(Series(f"{model}, temperature", points, index, True, "square", True))
    return context.figure(
        "frezzotti_2009_thickness",
        Plot("Shock waves: reciprocal thickness", "Ma", "mu v_ref / (p thickness)", series),
    )


@block
def frezzotti_2009_slabs(context):
    """Flows between plates against published tables, as `perf/bgkw_slabs.py` left them."""
    rows = []
    for name, flow in (("couette_bgk", "Couette, shear stress"), ("heat_bgk", "heat flux"),
                       ("poiseuille_bgk", "Poiseuille, flow rate"),
                       ("poiseuille_shakhov", "Poiseuille, flow rate, Shakhov")):  # fmt: skip
        table = context.results.table(f"bgkw/{name}.csv")
        if not table:
            rows.append((flow, MISSING, MISSING, MISSING))
            continue
        worst = max(table, key=lambda row: abs(row["relative_difference"]))
        rows.append((flow, f"{table[0]['delta']:g} - {table[-1]['delta']:g}", len(table),
                     f"{100 * worst['relative_difference']:+.2f} % at delta = {worst['delta']:g}"))  # fmt: skip
    return markdown_table(("flow", "delta", "values", "largest difference from the published value"), rows)


BGKW_CAVITY = {"method": "bgkw", "precision": "single", "title": re.compile("cavity", re.I)}
BGKW_SHOCK = {"method": "bgkw", "precision": "single", "title": re.compile("shock", re.I)}
BGKW_GRID = ("size_cells", "size_velocities")


@block
def frezzotti_2009_speedup(context):
    """Figures 2 to 5: the kernels of the separate scheme and the whole, GPU over one thread."""
    rows = []
    for flow, wanted in (("shock wave, one dimension", BGKW_SHOCK), ("cavity, two dimensions", BGKW_CAVITY)):
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
            rows.append((flow, scheme, grid, *parts, percent(share, 0) if scheme == "separate" else "",
                         times_text(speedup(one, gpu)), times_text(speedup(many, gpu)),
                         update_time_text(one), update_time_text(many), update_time_text(gpu), share_text(gpu)))
    header = ("flow", "scheme", "grid", "streaming", "collision", "time in streaming, GPU",
              "whole, over one thread", "over all cores", "one thread", "all cores", "GPU",
              "share of copy bandwidth, GPU")  # fmt: skip
    return markdown_table(header, rows)


@block
def frezzotti_2009_time(context):
    """Figure 7: time a phase-space point against the number of cells."""
    series = []
    for index, (flow, wanted) in enumerate((("one dimension", BGKW_SHOCK), ("two dimensions", BGKW_CAVITY))):
        for marker, scheme in (("circle", "fused"), ("square", "separate")):
            found = context.results.reports(**wanted, backend="cuda", variant=re.compile(f"^{scheme} bgk"))
            points = sorted((r["sizes"]["cells"], 1e3 * r["total"]["ns_per_update"]) for r in found)
            series.append(Series(f"{flow}, {scheme}", points, index, True, marker, scheme == "separate"))
    return context.figure(
        "frezzotti_2009_time",
        Plot("Time a phase-space point and step on the GPU", "cells", "picoseconds", series, True),
    )


@block
def frezzotti_2010_table1(context):
    rows = []
    for row in context.paper("frezzotti_2010_table1"):
        run = context.results.run("frezzotti_2010_cavity", f"delta-{row['delta']:g}")
        drag, flow = drag_and_flow(run)
        stress = run["values"].get("lid_stress_mean") if run else None
        report = hard_sphere_report(context) if row["delta"] == 1 else None
        recorded = float(report["results"]["drag_coefficient_mean"]) if report else None
        recorded_flow = float(report["results"]["flow_rate_mean"]) if report else None
        rows.append((f"{row['delta']:g}", f"{row['drag_coefficient']:g}", number(stress, 4),
                     f"{row['drag_extrapolated']:g}", number(drag, 4), number(recorded, 4) if report else "",
                     f"{row['reference_drag_low']:g} - {row['reference_drag_high']:g}",
                     f"{row['flow_rate']:g}", number(flow, 4), f"{row['flow_extrapolated']:g}",
                     number(recorded_flow, 4) if report else "",
                     f"{row['reference_flow_low']:g} - {row['reference_flow_high']:g}", size_note(run)))
    header = ("delta", "D, paper", "D, ours, from cells", "D_e, paper", "D, ours, from what crosses the lid",
              "D, timing report", "D, Varoutis et al.", "G, paper", "G, ours", "G_e, paper", "G, timing report",
              "G, Varoutis et al.", "size")  # fmt: skip
    return markdown_table(header, rows)


def hard_sphere_report(context):
    """A timing report of the paper's run at delta = 1 that lasted long enough for means."""
    found = context.results.reports(method="boltzmann", size_cells=25600, size_samples=6144)
    found = [r for r in found if "drag_coefficient_mean" in r.get("results", {}) and r["total"]["steps"] >= 10000]
    return max(found, key=lambda r: r["total"]["steps"], default=None)


@block
def frezzotti_2010_deviation(context):
    """Standard deviation of D over its mean, in the run of the paper's grid at delta = 1."""
    report = hard_sphere_report(context)
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
        runs = [r for r in context.results.runs("frezzotti_2010_convergence") if r["parameters"]["delta"] == delta]
        points = {}
        for name in ("lid_stress_mean", "flow_rate_mean"):
            points[name] = sorted((1 / r["parameters"]["cells"], r["values"][name]) for r in runs)
        limits = {name: extrapolate(found) for name, found in points.items()}
        for name, letter, marker in (("lid_stress_mean", "D", "circle"), ("flow_rate_mean", "G", "square")):
            if limits[name] is not None:
                errors = [(h, abs(v / limits[name] - 1)) for h, v in points[name]]
                series.append(Series(f"{letter}, delta = {delta:g}", errors, index, True, marker, letter == "G"))
        rows.append((f"{delta:g}", f"{row['drag_extrapolated']:g}", number(limits["lid_stress_mean"], 4),
                     error_of(limits["lid_stress_mean"], row["drag_extrapolated"]),
                     f"{row['flow_extrapolated']:g}", number(limits["flow_rate_mean"], 4),
                     error_of(limits["flow_rate_mean"], row["flow_extrapolated"]),
                     ", ".join(str(r["parameters"]["cells"]) for r in runs) or MISSING))  # fmt: skip
    figure = context.figure(
        "frezzotti_2010_convergence",
        Plot("Hard spheres, uniform grids: error against the limit of a straight line", "cell width / L",
             "relative error", series, True, True),
    )  # fmt: skip
    header = ("delta", "D_e, paper", "D_e, ours", "difference", "G_e, paper", "G_e, ours", "difference",
              "cells a side")  # fmt: skip
    return f"{markdown_table(header, rows)}\n\n{figure}"


def extrapolate(points):
    """Value at zero of the straight line of least squares."""
    if len(points) < 2:
        return None
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return mean_y - slope * mean_x


@block
def frezzotti_2010_profiles(context):
    return cavity_profiles(context, "frezzotti_2010_cavity", "frezzotti_2010_cavity", "Cavity, hard spheres")


HARD_SPHERE = {"method": "boltzmann", "precision": "single", "title": re.compile("cavity", re.I)}
HARD_SPHERE_GRID = ("size_cells", "size_velocities", "size_samples")


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
    gpu, one, many, grid = three_machines(context, HARD_SPHERE, HARD_SPHERE_GRID)
    of_paper = {row["name"]: row["value"] for row in context.paper("frezzotti_2010_performance")}
    streaming = kernel_gflops(gpu, "stream")
    collision = kernel_gflops(gpu, "sample|collide")
    spent = kernel_seconds(gpu, "stream"), kernel_seconds(gpu, "sample|collide")
    share = ratio(spent[0], sum(spent)) if None not in spent else None
    step = 1e3 * gpu["total"]["seconds"] / gpu["total"]["steps"] if gpu else None
    rows = [
        ("streaming, GFLOP/s", f"{of_paper['streaming_gflop_s']:g}", number(streaming, 3),
         times_text(ratio(streaming, of_paper["streaming_gflop_s"]))),
        ("collision with sampling, GFLOP/s", f"{of_paper['collision_gflop_s']:g}", number(collision, 3),
         times_text(ratio(collision, of_paper["collision_gflop_s"]))),
        ("time in streaming", f"at most {percent(of_paper['largest_streaming_share'], 0)}", percent(share, 0), ""),
        ("speedup over one thread", f"{of_paper['speedup']:g} x", times_text(speedup(one, gpu)),
         times_text(ratio(speedup(one, gpu), of_paper["speedup"]))),
        ("speedup over all cores", "", times_text(speedup(many, gpu)), ""),
        ("milliseconds a step, GPU", "", number(step, 3), ""),
        ("an update, one thread / all cores / GPU", "",
         f"{update_time_text(one)} / {update_time_text(many)} / {update_time_text(gpu)}", ""),
    ]  # fmt: skip
    table = markdown_table(("", "paper: GTX 260", "ours", "ratio"), rows)
    return f"Grid: {grid}. Report of the GPU: {report_link(gpu)}.\n\n{table}"


def report_link(report):
    return MISSING if report is None else f"`perf/results/{report['path']}`"


@block
def frezzotti_2010_sizes(context):
    """Figures 4 and 6: rate against the number of cells."""
    series = []
    for index, (name, wanted) in enumerate((("GPU", {"backend": "cuda"}), ("all cores", {"backend": "openmp"}))):
        found = [r for r in context.results.reports(**HARD_SPHERE, **wanted) if r["sizes"]["samples"] == 6144]
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
        Plot("Hard spheres: rate against the cells", "cells", "G phase-space points and steps a second",
             series, True, True),
    )  # fmt: skip


# --- Zhu, Wang, Chen, Guo, Zhang 2019 --------------------------------------------------------


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


def seconds_a_step(report):
    return None if report is None else report["total"]["seconds"] / report["total"]["steps"]


@block
def zhu_table2(context):
    rows = []
    for row in context.paper("zhu_2019_table2"):
        wanted = zhu_reports(context, row)
        gpu = context.results.on_gpu(**wanted)
        one, many = context.results.on_cores(**wanted)
        ours = seconds_a_step(gpu)
        rows.append((f"{row['cells']:g}^3", f"{row['velocities']:g}^3", f"{row['one_core']:g}",
                     f"{row['cores_96']:g}", f"{row['k40']:g}", f"{row['memory_mb']:g}",
                     number(seconds_a_step(one), 3), number(seconds_a_step(many), 3), number(ours, 3),
                     times_text(ratio(row["k40"], ours)),
                     times_text(ratio(row["one_core"], row["k40"])),
                     times_text(ratio(seconds_a_step(one), ours)), times_text(ratio(seconds_a_step(many), ours)),
                     update_time_text(gpu)))  # fmt: skip
    header = ("cells", "velocities", "paper: one core, s", "96 cores, s", "K40, s", "memory, MB",
              "ours: one thread, s", "all cores, s", "GPU, s", "K40 over our GPU", "paper: speedup over one core",
              "ours: over one thread", "over all cores", "an update, our GPU")  # fmt: skip
    return markdown_table(header, rows)


@block
def zhu_convergence(context):
    text = {row["name"]: row["value"] for row in context.paper("zhu_2019_text")}
    rows = [("paper: cavity, 64^3 x 64^3, K40", f"{text['cavity_iterations']:g}", f"{text['cavity_minutes']:g} min", "")]
    for run in context.results.runs("zhu_cavity"):
        p = run["parameters"]
        rows.append((f"ours: cavity, {p['cells']}^3 x {p['velocities']}^3, {run['precision']}, "
                     f"{run['machine']['device']}", run["steps"], f"{run['seconds']:.3g} s", run["size"]))  # fmt: skip
    rows.append(("paper: cube, 181 x 181 x 191 x 48^3, K40", f"{text['cube_iterations']:g}", f"{text['cube_hours']:g} h", ""))
    for run in context.results.runs("zhu_cube"):
        rows.append((f"ours: cube, {size_text(run)}, {run['machine']['device']}, drag coefficient "
                     f"{run['values']['cube.drag_coefficient']:.4g}", run["steps"], f"{run['seconds']:.3g} s", run["size"]))
    if len(rows) == 2:
        rows.append(("ours", MISSING, MISSING, ""))
    return markdown_table(("run", "iterations", "time", "size"), rows)


@block
def zhu_profiles(context):
    figures = []
    for profile, axis in (("u_vertical", "y"), ("v_horizontal", "x")):
        series = []
        for index, run in enumerate(context.results.runs("zhu_cavity")):
            p = run["parameters"]
            series.append(Series(f"{p['cells']}^3 cells, {p['velocities']}^3 velocities",
                                 profile_points(run, profile), index))  # fmt: skip
        letter = profile[0]
        figures.append(context.figure(
            f"zhu_2019_cavity_{letter}",
            Plot(f"Cubic cavity, Kn = 1: {letter} along {axis} through the middle", f"{axis} / L",
                 f"{letter} / lid speed", series)))  # fmt: skip
    series = []
    for run in context.results.runs("zhu_cube"):
        places = [x for _, x in profile_points(run, "position")]
        for index, name in enumerate(("temperature", "density", "velocity_x")):
            values = [v for _, v in profile_points(run, name)]
            pairs = list(zip(places, values))
            # The cube's cells hold no gas.
            for part, cells in enumerate(([p for p in pairs if p[0] < -0.5], [p for p in pairs if p[0] > 0.5])):
                series.append(Series(name.replace("_x", "") if part == 0 else f"{name.replace('_x', '')}, wake",
                                     cells, index, True, "", part == 1))  # fmt: skip
    figures.append(context.figure(
        "zhu_2019_cube", Plot("Flow past a cube, Ma = 2, Kn = 1: along the axis", "x / edge",
                              "over the stream's value (velocity: over sqrt(2 R T))", series)))  # fmt: skip
    return "\n\n".join(figures)


@block
def zhu_speedup(context):
    """The paper's headline beside ours at 64^3 cells and 64^3 velocities."""
    row = next(r for r in context.paper("zhu_2019_table2") if (r["cells"], r["velocities"]) == (64, 64))
    ours = seconds_a_step(context.results.on_gpu(**zhu_reports(context, row)))
    return (f"{row['k40']:g} s on the K40, {number(ours, 3)} s here: "
            f"{times_text(ratio(row['k40'], ours))} as fast")  # fmt: skip


# --- The cavity across methods ---------------------------------------------------------------

METHOD_LOOKS = {
    "bgkw": ("bgkw, order 2", 0, "circle"),
    "shakhov": ("shakhov, order 2", 2, "triangle"),
    "boltzmann": ("boltzmann, hard spheres", 3, "diamond"),
    "lbm_d2q9": ("lbm_d2q9, no slip", 4, "square"),
}


def across_values(run):
    """(D, G) in the units of the papers."""
    method = run["parameters"]["method"]
    if method in ("bgkw", "boltzmann"):
        return drag_and_flow(run)
    profile = profile_points(run, "u_vertical")
    if method == "shakhov":
        drag = -run["values"]["north.force_x"] / LID_SPEED
    else:  # lattice units: the density is 1, the pressure 1/3
        nodes = run["parameters"]["nodes"]
        drag = -run["values"]["lid.force_x"] / nodes / (LID_SPEED / 3)
        profile = profile[:nodes]  # without the lid's own row
    return drag, sum(abs(u) for _, u in profile) / len(profile)


@block
def across_tables(context):
    runs = context.results.runs("cavity_across_methods")
    deltas = sorted({run["parameters"]["delta"] for run in runs})
    parts = []
    for index, name in enumerate(("D", "G")):
        rows = []
        for delta in deltas:
            cells = []
            for method in METHOD_LOOKS:
                found = [r for r in runs if (r["parameters"]["method"], r["parameters"]["delta"]) == (method, delta)]
                cells.append(number(across_values(found[0])[index], 4) if found else "")
            column = ("reference_drag", "reference_flow")[index]
            reference = [r for r in context.paper("frezzotti_2010_table1") if r["delta"] == delta]
            cells.append(f"{reference[0][column + '_low']:g} - {reference[0][column + '_high']:g}" if reference else "")
            rows.append((f"{delta:g}", *cells))
        header = ("delta", *METHOD_LOOKS, "Varoutis et al.")
        parts.append(f"{name}:\n\n" + (markdown_table(header, rows) if rows else f"{MISSING}."))
    return "\n\n".join(parts)


@block
def across_figures(context):
    runs = context.results.runs("cavity_across_methods")
    figures = []
    for index, (letter, label) in enumerate((("D", "mean shear stress of the lid, D"), ("G", "flow rate, G"))):
        series = []
        for method, (name, colour, marker) in METHOD_LOOKS.items():
            points = sorted((r["parameters"]["delta"], across_values(r)[index])
                            for r in runs if r["parameters"]["method"] == method)  # fmt: skip
            series.append(Series(name, points, colour, True, marker))
        for which, table in (("BGKW 2009", "frezzotti_2009_table1"), ("hard spheres 2010, extrapolated", "frezzotti_2010_table1")):
            column = {("D", "frezzotti_2009_table1"): "drag_coefficient", ("G", "frezzotti_2009_table1"): "flow_rate",
                      ("D", "frezzotti_2010_table1"): "drag_extrapolated", ("G", "frezzotti_2010_table1"): "flow_extrapolated"}[(letter, table)]
            marks = [(row["delta"], row[column]) for row in context.paper(table)]
            series.append(Series(f"Frezzotti et al., {which}", marks, 1 if "2009" in which else 5, False, "cross"))
        column = "reference_drag" if letter == "D" else "reference_flow"
        marks = [(row["delta"], row[f"{column}_{end}"]) for row in context.paper("frezzotti_2010_table1") for end in ("low", "high")]
        series.append(Series("Varoutis et al. 2008, range", marks, 7, False, "circle"))
        figures.append(context.figure(
            f"cavity_across_methods_{letter}",
            Plot(f"The cavity from free-molecular flow to the continuum: {letter}", "rarefaction parameter delta",
                 label, series, True, letter == "D")))  # fmt: skip
    return "\n\n".join(figures)


# --- The index in the README -----------------------------------------------------------------


@block
def index_headlines(context):
    results = context.results
    rows = []
    widest = context.paper("gomes_2016_times_fixed")[-1]
    theirs = 1e6 * widest["seconds_32"] / widest["iterations"]
    found = [r for r in results.reports(method="lbm_d2q9", backend="cuda", variant=re.compile("shared-memory"),
                                        size_nodes_x=256, size_nodes_y=256)]  # fmt: skip
    ours = min((1e6 * r["total"]["seconds"] / r["total"]["steps"] for r in found), default=None)
    rows.append(("`lbm_d2q9`", "[Gomes 2016](docs/papers/gomes_2016.md)", "a step of 256 x 256 nodes",
                 f"{theirs:.0f} us", number(ours, 3, " us"), times_text(ratio(theirs, ours))))  # fmt: skip
    titan = next(r for r in context.paper("geier_2017_box") if r["collision"] == "cascaded")
    sparse = (box(context, variant=re.compile("D3Q27 esoteric-twist sparse cascaded"))
              or box(context, variant=re.compile("D3Q27 esoteric-twist sparse cumulant$"))
              or box(context, variant=re.compile("D3Q27 esoteric-twist sparse")))
    operator = sparse["variant"].split()[-1] if sparse else "cascaded"
    rows.append(("`lbm_d3q27`", "[Geier, Schoenherr 2017](docs/papers/geier_2017.md)",
                 f"sparse nodes, updates a second (theirs cascaded, ours {operator})",
                 f"{titan['sparse_mnups'] / 1e3:.3g} G", rate_text(sparse).replace("/s", ""),
                 times_text(ratio(mega_rate(sparse), titan["sparse_mnups"]))))  # fmt: skip
    gpu, one, _, _ = three_machines(context, BGKW_CAVITY, BGKW_GRID)
    theirs = context.paper_value("frezzotti_2009_performance", "speedup")
    rows.append(("`bgkw`", "[Frezzotti et al. 2009](docs/papers/frezzotti_2009.md)", "GPU over one thread",
                 f"about {theirs:g} x", times_text(speedup(one, gpu)), times_text(ratio(speedup(one, gpu), theirs))))
    gpu, one, _, _ = three_machines(context, HARD_SPHERE, HARD_SPHERE_GRID)
    theirs = context.paper_value("frezzotti_2010_performance", "speedup")
    rows.append(("`boltzmann`", "[Frezzotti et al. 2010](docs/papers/frezzotti_2010.md)", "GPU over one thread",
                 f"{theirs:g} x", times_text(speedup(one, gpu)), times_text(ratio(speedup(one, gpu), theirs))))
    row = next(r for r in context.paper("zhu_2019_table2") if (r["cells"], r["velocities"]) == (64, 64))
    ours = seconds_a_step(results.on_gpu(**zhu_reports(context, row)))
    rows.append(("`shakhov`", "[Zhu et al. 2019](docs/papers/zhu_2019.md)", "an iteration of 64^3 cells, 64^3 velocities",
                 f"{row['k40']:g} s", number(ours, 3, " s"), times_text(ratio(row["k40"], ours))))  # fmt: skip
    return markdown_table(("method", "paper", "its headline", "paper", "ours", "ratio"), rows)


@block
def index_rates(context):
    """CPU serial, CPU all cores and GPU side by side, single precision."""
    title = re.compile("cavity, timing only", re.I)
    cases = (
        ("`lbm_d2q9`, in place",
         {"method": "lbm_d2q9", "precision": "single", "variant": "in-place bgk", "title": title}, ("size_nodes",)),
        ("`lbm_d3q27`, dense", {"method": "lbm_d3q27", "precision": "single", "title": re.compile("box", re.I),
                                "variant": re.compile(r"D3Q27 esoteric-twist( dense)? bgk")}, ("size_nodes",)),
        ("`lbm_d3q27`, sparse", {"method": "lbm_d3q27", "precision": "single", "title": re.compile("box", re.I),
                                 "variant": re.compile("D3Q27 esoteric-twist sparse bgk")}, ("size_nodes",)),
        ("`bgkw`", {**BGKW_CAVITY, "variant": re.compile("^fused bgk$")}, BGKW_GRID),
        ("`boltzmann`", HARD_SPHERE, HARD_SPHERE_GRID),
        ("`shakhov`", {"method": "shakhov", "precision": "single", "title": re.compile("cavity", re.I)},
         ("size_cells", "size_velocities")),
    )  # fmt: skip
    rows = [(name, *rate_cells(context, wanted, same)) for name, wanted, same in cases]
    return markdown_table(("method", *RATE_HEADER), rows)
