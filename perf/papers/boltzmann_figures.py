#!/usr/bin/env python3
"""Tables of the figures of Frezzotti, Ghiroldi, Gibelli 2010 from timing reports.

    perf/papers/boltzmann_figures.py REPORT.json ... [--baseline ONE_CORE.json] [--output FILE.csv]

For each report: time of a step, shares of streaming and of collisions (sampling with them), GFLOP/s
of both and of all by the paper's count, and the speedup per update over the baseline report. Shares
and rates of the two are left out where one kernel does both.
"""

import argparse
import csv
import json
import sys

from reports import copy_bandwidth, seconds_a_step

COLUMNS = ["device", "threads", "precision", "cells", "velocities", "samples", "ms_a_step",
           "ns_a_point", "stream_share", "collision_share", "stream_gflop_s", "collision_gflop_s",
           "gflop_s", "stream_of_copy", "speedup", "commit"]


def row(report, baseline):
    sizes, total = report["sizes"], report["total"]
    cells, velocities, samples = sizes["cells"], sizes["velocities"], sizes["samples"]
    step = seconds_a_step(report)
    kernels = {kernel["name"]: kernel for kernel in report["kernels"]}
    stream_flops = 11 * cells * velocities
    collision_flops = cells * (80 * velocities + 12 * samples)
    parts = [""] * 4
    of_copy = ""
    if "stream" in kernels:
        stream = kernels["stream"]["seconds"] / total["steps"]
        collision = sum(kernels[name]["seconds"] for name in ("collide", "sample")) / total["steps"]
        parts = [f"{stream / step:.3f}", f"{collision / step:.3f}",
                 f"{1e-9 * stream_flops / stream:.4g}",
                 f"{1e-9 * collision_flops / collision:.4g}"]
        if copy_bandwidth(report) > 0:
            of_copy = f"{kernels['stream']['gb_s'] / copy_bandwidth(report):.3f}"
    rate = total["updates_per_second"]
    return [report["device"], report["threads"], report["precision"], cells, velocities, samples,
            f"{1e3 * step:.4g}", f"{total['ns_per_update']:.4g}", *parts,
            f"{1e-9 * (stream_flops + collision_flops) / step:.4g}", of_copy,
            f"{rate / baseline['total']['updates_per_second']:.4g}" if baseline else "",
            report["git_commit"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT.json")
    parser.add_argument("--baseline", metavar="REPORT.json", help="usually of one CPU core")
    parser.add_argument("--output", metavar="FILE.csv", help="default: standard output")
    options = parser.parse_args()

    def load(path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    baseline = load(options.baseline) if options.baseline else None
    rows = sorted((row(load(path), baseline) for path in options.reports), key=lambda r: r[:6])
    with open(options.output, "w", newline="", encoding="utf-8") if options.output else sys.stdout as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
