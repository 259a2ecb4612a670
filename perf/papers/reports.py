"""What the pages are made of: timing reports, runs of experiments, and the papers' own values."""

import csv
import json
import math
import pathlib
import re

MISSING = "not recorded"
TIMING_FORMAT = "knudsen-timing-2"
TIMING_FORMATS = (TIMING_FORMAT, "knudsen-timing-1")
RUNS_FORMAT = "knudsen-paper-runs-1"
BOOKS = ("papers", "validation")  # folders of runs in perf/results and of pages in docs
MANIFEST = "machine.json"  # of a recording: its build, cores, calls, and why a report is missing


def natural_order(name):
    """Key that sorts numbers in names by their value."""
    parts = re.split(r"(\d+(?:\.\d+)?)", name)
    return [(float(part), "") if index % 2 else (0, part) for index, part in enumerate(parts)]


def read_table(path):
    """Rows of a CSV file as dictionaries of text; lines that start with # are comments."""
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def read_numbers(path):
    """The same with every value that is a number as a float."""

    def number(text):
        try:
            return float(text)
        except (TypeError, ValueError):
            return text

    return [{key: number(value) for key, value in row.items()} for row in read_table(path)]


def _matches(report, wanted):
    for key, value in wanted.items():
        found = report["sizes"].get(key[5:]) if key.startswith("size_") else report.get(key, "")
        if isinstance(value, re.Pattern):
            if not value.search(str(found)):
                return False
        elif found != value:
            return False
    return True


class Results:
    """All that lies under a folder of results.

    Timing reports are `<method>/**/*.json`; runs of experiments `<book>/<experiment>-<size>.json`;
    tables `<method>/*.csv`. What is not there is None or an empty list, never an error.
    """

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self._reports = []
        for path in sorted(self.root.rglob("*.json")):
            # These are compared among themselves, on pages of their own.
            if path.parent.name in ("one_machine", "scaling"):
                continue
            report = json.loads(path.read_text(encoding="utf-8"))
            if report.get("format") in TIMING_FORMATS and report["total"]["updates"] > 0:
                report["path"] = path.relative_to(self.root).as_posix()
                self._reports.append(report)

    def reports(self, **wanted):
        """Reports with these values; patterns are searched for, `size_cells` is sizes.cells."""
        return [report for report in self._reports if _matches(report, wanted)]

    def runs(self, experiment):
        """Runs of an experiment, full ones in place of small ones of the same name."""
        found = {}
        for size in ("small", "full"):
            for path in (self.root / book / f"{experiment}-{size}.json" for book in BOOKS):
                if path.exists():
                    for run in json.loads(path.read_text(encoding="utf-8"))["runs"]:
                        found[run["name"]] = run
        return [found[name] for name in sorted(found, key=natural_order)]

    def run(self, experiment, name):
        return next((run for run in self.runs(experiment) if run["name"] == name), None)

    def table(self, path):
        path = self.root / path
        return read_numbers(path) if path.exists() else []


def report_label(method, group, scheme, processor):
    return "-".join(filter(None, (method, group, scheme, processor)))


class Recording:
    """What `perf/papers record` left in a folder: reports by label, from one machine and one build."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}
        self.manifest = found.pop(pathlib.Path(MANIFEST).stem, {})
        self.reports = found
        self._copy = {}
        for report in found.values():
            processor = self._processor(report)
            self._copy[processor] = max(self._copy.get(processor, 0), copy_bandwidth(report))

    @staticmethod
    def _processor(report):
        return report["backend"], report["threads"]

    def report(self, method, scheme, processor, group=""):
        return self.reports.get(report_label(method, group, scheme, processor))

    def why(self, method, scheme, processor, group=""):
        """Why there is no such report."""
        return self.manifest.get("missing", {}).get(report_label(method, group, scheme, processor), MISSING)

    def copy(self, report):
        """GB/s of a copy by the report's processor: the most of all its runs, since other programs only lower it."""
        return self._copy[self._processor(report)]

    def share(self, report):
        """Bytes that the method has to move a second over those that a copy moves; None if neither is known."""
        total, copy = report["total"], self.copy(report)
        moved = total["bytes"] / total["updates"] * total["updates_per_second"] * 1e-9
        return moved / copy if copy and moved else None


def number(value, digits=3, unit=""):
    """A number with so many significant digits, not in powers of ten where that reads badly."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return MISSING
    if value == 0:
        return "0" + unit
    magnitude = math.floor(math.log10(abs(value)))
    if -4 <= magnitude < 6:
        return f"{value:.{max(digits - 1 - magnitude, 0)}f}{unit}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}e{int(exponent)}{unit}"


def percent(value, digits=1):
    return MISSING if value is None else f"{100 * value:.{digits}f} %"


def ratio(numerator, denominator):
    return None if numerator is None or not denominator else numerator / denominator


def seconds_a_step(report):
    """The median of the batches of steps; where a report has none, the mean of all steps."""
    if report is None:
        return None
    total = report["total"]
    batches = total.get("step_seconds", {"count": 0})
    return batches["median"] if batches["count"] > 0 else total["seconds"] / total["steps"]


def copy_bandwidth(report):
    """Copy bandwidth that shares refer to in GB/s, 0 where it was not measured."""
    found = report.get("copy_bandwidth_gb_s", 0)
    return max(found["before"], found["after"]) if isinstance(found, dict) else found


def size_text(report):
    """Size of a report's case in the order x, y, z, then velocities and samples."""
    sizes = report["sizes"]
    lengths = [
        str(sizes[f"{unit}_{a}"])
        for unit in ("nodes", "cells")
        for a in "xyz"
        if f"{unit}_{a}" in sizes
    ]
    text = " x ".join(lengths)
    if "velocities" in sizes:
        text += f", {sizes['velocities']} velocities"
    if "samples" in sizes:
        text += f", {sizes['samples']} samples"
    return text


def machine_text(report):
    threads = f"{report['threads']} threads" if report["threads"] > 1 else "one thread"
    where = report["device"] if report["backend"] != "openmp" else f"{report['device']}, {threads}"
    if report.get("ranks", 1) > 1:
        where = f"{where}, {report['ranks']} ranks"
    made = f"{report['compiler']}, Kokkos {report['kokkos_version']}"
    return f"{where}; {made}, commit {report['git_commit']}"


def markdown_table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
