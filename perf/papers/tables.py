"""What tables and figures share: one function each; templates name them as {{function words}}."""

import pathlib

from experiments import EXPERIMENTS
from plots import Plot, Series
from reports import MISSING, Recording, machine_text, markdown_table, number, read_numbers

BLOCKS = {}
LONGEST_TABLE = 25


def block(function):
    BLOCKS[function.__name__] = function
    return function


class Context:
    """What blocks draw on, and the figures that they have drawn."""

    def __init__(self, results, root):
        self.results = results
        self.recording = Recording(pathlib.Path(results.root) / "one_machine")
        self.root = root
        self.figures = {}
        self.machines = {}  # numbers of machines and builds by their texts, on the page being made

    def experiment(self, name):
        return next(experiment for experiment in EXPERIMENTS if experiment.name == name)

    def machine_number(self, run):
        return self.machines.setdefault(machine_text(run["machine"]), len(self.machines) + 1)

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


def times_text(value):
    return MISSING if value is None else f"{number(value, 3)} x"


@block
def recorded_tables(context, method):
    """The tables that lie beside the method's reports, with what they say of themselves."""
    parts = []
    for path in sorted((context.results.root / method).glob("*.csv")):
        if path.name.startswith("h200_"):  # of kernels by themselves, see perf/results/README.md
            continue
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


def mega_rate(report):
    return None if report is None else report["total"]["updates_per_second"] * 1e-6


def drag_and_flow(run):
    """(D, G) of a run of bgkw or boltzmann."""
    if run is None:
        return None, None
    values = run["values"]
    drag = values.get("drag_coefficient_mean", values.get("drag_coefficient"))
    return drag, values.get("flow_rate_mean", values.get("flow_rate"))
