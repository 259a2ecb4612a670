"""What tables and figures share: one function each; templates name them as {{function words}}."""

import math
import re

from plots import Plot, Series
from reports import (
    MISSING,
    machine_text,
    markdown_table,
    number,
    rate_text,
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


# --- What all pages have ----


@block
def value(context, table, key):
    """A number from a table of names and values of a paper."""
    return f"{context.paper_value(table, key):g}"


@block
def commands(context, *experiments):
    """How to make the runs again, which are shown, and where they were made."""
    names = " ".join(experiments)
    text = (
        "```sh\n"
        f"make papers EXPERIMENTS='{names}'               # small, minutes\n"
        f"make papers EXPERIMENTS='{names}' PRESET=cuda   # in full, on a GPU\n"
        "```"
    )
    rows, machines, files = [], {}, set()
    for experiment in experiments:
        for run in context.results.runs(experiment):
            machine = machines.setdefault(machine_text(run["machine"]), len(machines) + 1)
            files.add(f"`perf/results/papers/{experiment}-{run['size']}.json`")
            rows.append(
                (
                    experiment,
                    run["name"],
                    run["size"],
                    run["steps"],
                    run_time_text(run),
                    machine,
                )
            )
    if not rows:
        return f"{text}\n\nRuns: {MISSING}."
    table = markdown_table(("experiment", "run", "size", "steps", "time", "machine"), rows)
    listed = "\n".join(f"{index}. {name}" for name, index in machines.items())
    where = ", ".join(sorted(files))
    return (
        f"{text}\n\nRuns shown, with their commands in {where}:\n\n{table}\n\nMachines:\n\n{listed}"
    )


def run_time_text(run):
    """Seconds of the steps, and a word where other runs shared the machine."""
    return f"{run['seconds']:.3g} s" + (", beside others" if run.get("together") else "")


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
        text = (
            f"`perf/results/{method}/{path.name}`"
            + (": " + "; ".join(notes) if notes else "")
            + "."
        )
        if 0 < len(rows) <= LONGEST_TABLE:
            text += "\n\n" + markdown_table(
                list(rows[0]), [[short_text(v) for v in row.values()] for row in rows]
            )
        parts.append(text)
    return "\n\n".join(parts) or f"No tables: {MISSING}."


def short_text(value):
    """Numbers to five digits, text as it is."""
    return f"{value:.5g}" if isinstance(value, float) else value


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


def rate_cells(context, wanted, same, grid=None):
    """One thread, all cores and GPU of the case: on a grid of equal size where there is one."""
    gpu, one, many, text = three_machines(context, wanted, same, grid)
    return (
        text,
        rate_text(one),
        rate_text(many),
        rate_text(gpu),
        update_time_text(gpu),
        share_text(gpu),
        times_text(speedup(one, gpu)),
        times_text(speedup(many, gpu)),
    )


def three_machines(context, wanted, same, grid=None):
    """(GPU, one thread, all cores, text of the grids) on the grid of these sizes.

    Without one the grid is that of the fastest run on all cores (or on one thread); `same` are the
    sizes that make a grid. A machine that was not measured on it shows its nearest one, which the
    text tells.
    """
    results = context.results
    one, many = results.on_cores(**wanted)
    host = many or one
    if grid is None and host is not None:
        grid = {key: host["sizes"].get(key[5:]) for key in same}
    chosen = {}
    for machine, backend, threads in (
        ("GPU", "cuda", None),
        ("all cores", "openmp", many and many["threads"]),
        ("one thread", "openmp", 1),
    ):
        found = results.reports(backend=backend, **wanted)
        found = [r for r in found if threads is None or r["threads"] == threads]
        chosen[machine] = closest(found, grid or {}) if machine != "all cores" or many else None
    return chosen["GPU"], chosen["one thread"], chosen["all cores"], grids_text(chosen)


def closest(reports, grid):
    """The fastest of those nearest to the grid: in velocities and samples, then in cells or nodes."""

    def distance(report):
        sizes = report["sizes"]
        apart = {
            key[5:]: abs(math.log(sizes[key[5:]] / size)) if sizes.get(key[5:]) else math.inf
            for key, size in grid.items()
        }
        in_space = sum(value for key, value in apart.items() if key in ("cells", "nodes"))
        return sum(apart.values()) - in_space, in_space, -report["total"]["updates_per_second"]

    return min(reports, key=distance, default=None)


def grids_text(reports):
    """Sizes of the reports by machine, or once where all are equal."""
    machines_of = {}
    for machine, report in reports.items():
        if report is not None:
            machines_of.setdefault(size_text(report), []).append(machine)
    if len(machines_of) == 1:
        return next(iter(machines_of))
    parts = [f"{' and '.join(names)}: {grid}" for grid, names in machines_of.items()]
    return "; ".join(parts) or MISSING


def by_cells(reports):
    """The fastest report of each number of cells, in their order."""
    best = {}
    for report in reports:
        cells = report["sizes"]["cells"]
        rate = report["total"]["updates_per_second"]
        if cells not in best or rate > best[cells]["total"]["updates_per_second"]:
            best[cells] = report
    return dict(sorted(best.items()))


def nearest_in_cells(reports, cells):
    """Of a dictionary by cells, the report with as many, or nearly: a core's time an update does not
    depend on their number."""
    return reports[min(reports, key=lambda n: abs(n - cells))] if reports else None


@block
def machines(context, method):
    """Processors and GPUs of the method's reports, and what they were compiled with."""
    lines = {}
    for report in context.results.reports(method=method):
        key = (machine_text(report).partition("; ")[0], report["host"])
        lines.setdefault(key, set()).add(f"{report['compiler']}, Kokkos {report['kokkos_version']}")
    if not lines:
        return f"Machines: {MISSING}."
    return "\n".join(
        f"- {device} ({host}): {'; '.join(sorted(compilers))}"
        for (device, host), compilers in sorted(lines.items())
    )


def mega_rate(report):
    return None if report is None else report["total"]["updates_per_second"] * 1e-6


def drag_and_flow(run):
    """(D, G) of a run of bgkw or boltzmann."""
    if run is None:
        return None, None
    values = run["values"]
    drag = values.get("drag_coefficient_mean", values.get("drag_coefficient"))
    return drag, values.get("flow_rate_mean", values.get("flow_rate"))


def report_link(report):
    return MISSING if report is None else f"`perf/results/{report['path']}`"
