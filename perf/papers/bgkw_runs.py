"""Runs of cases side by side, and tables that say where their numbers come from.

Shared by the scripts that compare the kinetic methods with published values.
"""

import argparse
import concurrent.futures
import csv
import json
import math
import pathlib
import subprocess
import tempfile

PERF = pathlib.Path(__file__).resolve().parents[1]  # the folder perf


class Run:
    """What a run of a case left: timing report, series and profiles."""

    def __init__(self, directory):
        self.report = json.loads((directory / "timing.json").read_text(encoding="utf-8"))
        self.series = [
            {name: float(value) for name, value in row.items()}
            for row in rows_of(directory / "series.csv")
        ]
        self.profiles = {}
        for path in directory.glob("profile_*.csv"):
            rows = [tuple(map(float, row.values())) for row in rows_of(path)]
            self.profiles[path.stem[len("profile_") :]] = rows

    def last(self, monitor):
        return self.series[-1][monitor]

    def change(self, monitor):
        """Relative change over the last interval between checks."""
        return self.series[-1][monitor] / self.series[-2][monitor] - 1

    def values(self, profile):
        return [value for _, value in self.profiles[profile]]


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def parser_of(description):
    """Argument parser with the options that all scripts have."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--knudsen", default="knudsen", help="the program (default: on PATH)")
    parser.add_argument("--backend", help="as for knudsen run")
    parser.add_argument("--threads", type=int, default=1, help="host threads of a run (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time (default: 1)")
    parser.add_argument("--results", type=pathlib.Path, default=PERF / "results" / "bgkw",
                        help="folder of the tables (default: perf/results/bgkw)")  # fmt: skip
    return parser


def steps_for(case, time, time_step, checks=20):
    """Lets a case run for a time in steps of at most `time_step`, with some checks on the way."""
    steps = math.ceil(time / time_step)
    case["propagation"]["time_step"] = time / steps
    case["stop"] = {"steps": steps, "check_every": max(1, steps // checks)}


def run_case(case, options):
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch)
        path = directory / "case.json"
        path.write_text(json.dumps(case), encoding="utf-8")
        command = [options.knudsen, "run", str(path), "--output", str(directory / "out"),
                   "--threads", str(options.threads), "--quiet", "--no-bandwidth"]  # fmt: skip
        if options.backend:
            command += ["--backend", options.backend]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{case.get('title', 'a case')}: {done.stderr.strip()}")
        return Run(directory / "out")


def runs_of(cases, options):
    """The runs of cases one after the other, each as soon as it and those before it are done."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from pool.map(lambda case: run_case(case, options), cases)


def run_all(cases, options):
    """The runs of a list of cases, in its order; the longest should come first."""
    return list(runs_of(cases, options))


def provenance(reports):
    """One line for each machine, backend, compiler and commit that timing reports are of."""
    lines = []
    for r in reports:
        threads = "1 thread" if r["threads"] == 1 else f"{r['threads']} threads"
        line = (f"{r['host']}: {r['device']}, {r['backend']}, {threads}; {r['compiler']}, "
                f"Kokkos {r['kokkos_version']}; commit {r['git_commit']}")  # fmt: skip
        if line not in lines:
            lines.append(line)
    return lines


def add_to_table(path, notes, reports, columns, rows, key=1, order=lambda row: float(row[0])):
    """As `write_table`, but rows of an older table stay where no new one begins with the same `key`
    values; so do the lines on where they were made. Sorted by `order` of a row: the first column, a
    number."""
    before, origins = [], []
    if path.exists():
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        origins = [line[2:] for line in lines if line.startswith("# ") and " commit " in line]
        header = ",".join(columns)
        before = [tuple(line.split(",")) for line in lines if line[0] != "#" and line != header]
    new = {row[:key] for row in rows}
    kept = [row for row in before if row[:key] not in new]
    write_table(path, [*notes, *(origins if kept else [])], reports, columns,
                sorted([*kept, *rows], key=order))  # fmt: skip


def write_table(path, notes, reports, columns, rows):
    """A CSV table below comment lines: the notes, then where the reported runs were made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        for line in dict.fromkeys([*notes, *provenance(reports)]):
            out.write(f"# {line}\n")
        out.write(",".join(columns) + "\n")
        for row in rows:
            out.write(",".join(row) + "\n")


def interpolate(points, x):
    """Linear between the points of a profile, and beyond its ends."""
    number = next((i for i, (place, _) in enumerate(points) if place > x), len(points) - 1)
    (x0, y0), (x1, y1) = points[max(number, 1) - 1], points[max(number, 1)]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def crossing(points, level):
    """Where a profile first crosses a level upwards."""
    return next(
        x0 + (x1 - x0) * (level - y0) / (y1 - y0)
        for (x0, y0), (x1, y1) in zip(points, points[1:])
        if y0 <= level < y1
    )
