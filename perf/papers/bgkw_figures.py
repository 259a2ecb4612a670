#!/usr/bin/env python3
"""Figures 2 to 5 and 7 of Frezzotti 2009 as tables, from recorded timing reports of the method bgkw.

Reads the reports that sweep.py left (by default perf/results/bgkw/*.json) of one GPU, one host core
and all host cores, and writes figures_1d.csv and figures_2d.csv beside them: for each number of
cells and of velocities, and for streaming and collision kernel (`separate`), the whole of both, and
the whole `fused` step, nanoseconds a phase-space point, the share of the step's time, and the speedup
of the GPU over one core (figures 2, 3 and 5) and over all cores. A core that was not measured at a
size is compared at its nearest size of the same velocities.
"""

import argparse
import json
import pathlib

import bgkw_runs
from bgkw_runs import PERF
from reports import all_calls_seconds, seconds_a_step

COLUMNS = ("cells", "velocities", "what", "gpu_ns", "share_of_gpu_time", "core_ns", "core_cells",
           "speedup_over_core", "all_cores_ns", "all_cores_cells", "speedup_over_all_cores")  # fmt: skip


def parts_of(report):
    """Nanoseconds a phase-space point and share of time of the kernels and of the whole step."""
    total = report["total"]
    scheme = "fused" if report["variant"].startswith("fused") else "separate"
    parts = {scheme: (total["ns_per_update"], 1.0)}
    for kernel in report["kernels"]:
        seconds = all_calls_seconds(kernel)
        parts[f"{scheme} {kernel['name']}"] = (
            1e9 * seconds / total["updates"],
            seconds / (seconds_a_step(report) * total["steps"]),
        )
    return parts


def machine_of(report):
    """Which of the figures' machines a report is of."""
    if report["backend"] not in ("openmp", "serial"):
        return "gpu"
    return "core" if report["threads"] == 1 else "all"


def read_reports(folder, precision):
    """{machine: {(dimensions, velocities, what): {cells: (ns, share)}}} and the reports."""
    found = {"gpu": {}, "core": {}, "all": {}}
    used = []
    for path in sorted(folder.glob("*.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        if report["method"] != "bgkw" or report["precision"] != precision:
            continue
        sizes = report["sizes"]
        dimensions = sum(f"cells_{axis}" in sizes for axis in "xyz")
        for what, values in parts_of(report).items():
            key = (dimensions, sizes["velocities"], what)
            found[machine_of(report)].setdefault(key, {})[sizes["cells"]] = values
        used.append(report)
    return found, used


def rows_of(found, dimensions):
    for (dims, velocities, what), by_cells in sorted(found["gpu"].items()):
        if dims != dimensions:
            continue
        for cells, (ns, share) in sorted(by_cells.items()):
            row = [f"{cells}", f"{velocities}", what, f"{ns:.4g}", f"{share:.3f}"]
            for machine in ("core", "all"):
                others = found[machine].get((dims, velocities, what))
                if not others:
                    row += ["", "", ""]
                    continue
                nearest = min(others, key=lambda n: abs(n - cells))
                row += [f"{others[nearest][0]:.4g}", f"{nearest}", f"{others[nearest][0] / ns:.1f}"]
            yield row


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=pathlib.Path, default=PERF / "results" / "bgkw")
    parser.add_argument("--precision", default="single")
    options = parser.parse_args()
    found, used = read_reports(options.results, options.precision)
    for dimensions in (1, 2):
        rows = list(rows_of(found, dimensions))
        if rows:
            bgkw_runs.write_table(
                options.results / f"figures_{dimensions}d.csv", [f"{options.precision} precision"],
                used, COLUMNS, rows,
            )  # fmt: skip


if __name__ == "__main__":
    main()
