#!/usr/bin/env python3
"""How many iterations `shakhov` needs at each rarefaction, with and without acceleration.

Runs a case until the moments change by less than --converged or --most iterations are done, and
prints a CSV file: the iterations until the moments change by 1e-6, and those after which no watched
quantity differs by more than 1e-4 from its converged value, which a run that has not converged itself
takes from the one with the acceleration named before, since both have the same solution. An iteration's time is that of
stepping over all iterations. With --references the first watched quantity, divided by --unit, stands beside the values
of published tables at the same rarefaction.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CHANGE = 1e-6
ERROR = 1e-4


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", type=pathlib.Path)
    parser.add_argument("--rarefactions", type=float, nargs="+", required=True)
    parser.add_argument("--accelerations", nargs="+", default=["none", "synthetic"])
    parser.add_argument("--watch", nargs="+", required=True, help="monitors of the case")
    parser.add_argument("--unit", type=float, default=1, help="of the first monitor in the references")
    parser.add_argument("--references", nargs="*", default=[], metavar="FILE:COLUMN",
                        help="CSV files with a column delta")
    parser.add_argument("--set", nargs="*", default=[], help="settings for all runs, key=value")
    parser.add_argument("--converged", type=float, default=1e-9)
    parser.add_argument("--most", type=int, default=2000, help="iterations of a run")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--backend", default=None, help="as of the program; default: its own")
    parser.add_argument("--program", default=os.environ.get("KNUDSEN_PROGRAM", "knudsen"))
    parser.add_argument("--header", action="store_true", help="print machine, build and columns")
    return parser.parse_args()


def run(options, rarefaction, acceleration):
    """Rows of the series as numbers, and the timing report."""
    with tempfile.TemporaryDirectory() as folder:
        case = json.loads(options.case.read_text())
        case["gas"]["rarefaction"] = rarefaction
        case.setdefault("propagation", {})["acceleration"] = acceleration
        case["stop"] = {"steps": options.most, "check_every": 1, "criteria": [
            {"quantity": "moments_change", "tolerance": options.converged}]}
        case["output"] = {"series": {"every": 1,
                                     "quantities": ["moments_change", *options.watch]}}
        path = pathlib.Path(folder, "case.json")
        path.write_text(json.dumps(case))
        settings = [word for each in options.set for word in ("--set", each)]
        out = pathlib.Path(folder, "out")
        if options.backend:
            settings += ["--backend", options.backend]
        done = subprocess.run([options.program, "run", path, "--output", out, "--no-bandwidth",
                               "--threads", str(options.threads), *settings],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        lines = (out / "series.csv").read_text().splitlines()
        rows = [{key: float(value) for key, value in row.items()}
                for row in csv.DictReader(lines[1:])]
        return rows, json.loads((out / "timing.json").read_text())


def first(rows, holds):
    """Number of the first iteration from which on `holds` is true; empty if there is none."""
    last = ""
    for number in range(len(rows) - 1, 0, -1):
        if not holds(rows[number]):
            break
        last = number
    return last


def reference(word):
    """Values of a column of a CSV file by rarefaction."""
    path, column = word.rsplit(":", 1)
    lines = [line for line in pathlib.Path(path).read_text().splitlines() if line[0] != "#"]
    return {float(row["delta"]): float(row[column]) for row in csv.DictReader(lines)}


def compared(value, references, rarefaction):
    """The value, and for each reference its value and the difference in per cent."""
    cells = [f"{value:.6g}"] if references else []
    for each in references:
        there = each.get(rarefaction)
        cells += ["", ""] if there is None else [f"{there:.6g}", f"{100 * (value / there - 1):.3f}"]
    return cells


def main():
    options = arguments()
    references = [reference(word) for word in options.references]
    writer = csv.writer(sys.stdout)
    for rarefaction in options.rarefactions:
        solution = None
        for acceleration in options.accelerations:
            rows, report = run(options, rarefaction, acceleration)
            if options.header:
                options.header = False
                place = report["device"] if report["backend"] == "cuda" else f"{report['threads']} threads"
                print(f"# {report['host']}, {place}, {report['compiler']}, "
                      f"Kokkos {report['kokkos_version']}, commit {report['git_commit']}")
                names = ["value"] if references else []
                for word in options.references:
                    name = pathlib.Path(word.rsplit(":", 1)[0]).stem
                    names += [name, "difference_percent"]
                writer.writerow(["case", "cells", "velocities", "order", "precision", "backend", "threads",
                                 "rarefaction", "acceleration", "iterations_to_change_1e-6",
                                 "iterations_to_error_1e-4", "iterations", "last_change", "iteration_ms",
                                 *options.watch, *names])
            end = rows[-1]
            if end["moments_change"] <= options.converged or solution is None:
                solution = end if end["moments_change"] <= options.converged else None
            exact = solution and first(rows, lambda row: all(
                abs(row[name] - solution[name]) <= ERROR * abs(solution[name]) for name in options.watch))
            sizes = report["sizes"]
            total = report["total"]
            writer.writerow([options.case.stem, sizes["cells"], sizes["velocities"],
                             2 if "order 2" in report["variant"] else 1, report["precision"],
                             report["backend"], report["threads"],
                             f"{rarefaction:g}", acceleration,
                             first(rows, lambda row: row["moments_change"] <= CHANGE),
                             exact or "", len(rows) - 1,
                             f"{end['moments_change']:.2g}", f"{1e3 * total['seconds'] / total['steps']:.4g}",
                             *(f"{end[name]:.6g}" for name in options.watch),
                             *compared(end[options.watch[0]] / options.unit, references,
                                       rarefaction)])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
