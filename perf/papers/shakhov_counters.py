#!/usr/bin/env python3
"""Hardware counters of the kernels of `shakhov` on a GPU, by NVIDIA's profiler ncu: what limits each.

  perf/papers/shakhov_counters.py --knudsen PROGRAM --output perf/results/shakhov/h200_counters.csv
  perf/papers/shakhov_counters.py ... --schemes slices --add  # beside the rows that are there

The cavity of perf/cases/shakhov_cavity.json, first iteration. With pencils the diagonals of the first
batch up to the longest are profiled, half of all, as those after it are as long as those before; with
slices some from the middle of an octant. Shares and rates are means over these launches, weighted by
their durations. Needs the right to read counters; some 0.2 s a launch.
"""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = {
    "sweep": "SweepThreads",
    "gather_moments": "GatherMoments",
    "sweep_slice": "SweepSlice",
    "slice_moments": "SliceMoments",
}
DURATION = "gpu__time_duration.sum"
# Columns of the table, each with its metric and a factor.
MEANS = (
    ("registers", "launch__registers_per_thread", 1),
    ("threads_a_team", "launch__block_size", 1),
    ("occupancy_percent", "sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    ("compute_percent", "sm__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    (
        "memory_percent",
        "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
        1,
    ),
    ("device_memory_percent", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 1),
    ("device_memory_gb_s", "dram__bytes.sum.per_second", 1e-9),
    ("l2_percent", "lts__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    ("l1_percent", "l1tex__throughput.avg.pct_of_peak_sustained_active", 1),
    ("instructions_a_cycle", "sm__inst_executed.avg.per_cycle_active", 1),
    ("warps_that_can_issue", "smsp__warps_eligible.avg.per_cycle_active", 1),
)
STALLS = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
STALL_NAMES = (
    "long_scoreboard",
    "short_scoreboard",
    "barrier",
    "wait",
    "mio_throttle",
    "lg_throttle",
    "math_pipe_throttle",
    "not_selected",
    "dispatch_stall",
    "no_instruction",
    "imc_miss",
    "branch_resolving",
    "selected",
)


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--knudsen", default="knudsen", help="the program (default: on PATH)")
    parser.add_argument("--ncu", default="ncu", help="the profiler (default: on PATH)")
    parser.add_argument(
        "--grids", nargs="+", default=["64x64"], metavar="CELLSxVELOCITIES", help="along an axis"
    )
    parser.add_argument("--schemes", nargs="+", default=["pencils", "slices"])
    parser.add_argument("--host", default="", help="the machine, as the table shall say")
    parser.add_argument("--raw", type=pathlib.Path, help="folder that keeps what ncu wrote")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--add", action="store_true", help="keep the other rows of a table that is there")
    return parser.parse_args(arguments)


def launches_of(scheme, cells):
    """Pattern of the kernels' names, launches to leave out, launches to profile."""
    if scheme == "pencils":
        return "SweepThreads|GatherMoments", 0, 2 * -(-cells // 2)
    return "SweepSlice|SliceMoments", 2 * (cells // 2), 4


def profile(options, scheme, cells, velocities, folder):
    """Runs the program under ncu; its report and the launches, a dictionary each."""
    pattern, skip, count = launches_of(scheme, cells)
    raw = folder / f"{scheme}-{cells}-{velocities}.csv"
    command = [options.ncu, "--csv", "--page", "raw", "--print-units", "base"]
    command += ["--clock-control", "none", "--kernel-name-base", "demangled"]
    command += ["--kernel-name", f"regex:{pattern}", "--launch-skip", str(skip)]
    command += ["--launch-count", str(count), "--log-file", str(raw)]
    metrics = [DURATION, *(metric for _, metric, _ in MEANS)]
    metrics += [STALLS.format(name) for name in STALL_NAMES]
    command += ["--metrics", ",".join(metrics)]
    command += [options.knudsen, "run", str(ROOT / "perf/cases/shakhov_cavity.json")]
    settings = {
        "domain.cells": [cells] * 3,
        "velocity_grid.count": [velocities] * 3,
        "propagation.scheme": scheme,
        "stop.steps": 1,
        "stop.criteria": [],
        "output.profiles": [],
    }
    for key, value in settings.items():
        command += ["--set", f"{key}={json.dumps(value, separators=(',', ':'))}"]
    output = folder / f"{scheme}-{cells}-{velocities}"
    command += ["--backend", "device", "--no-bandwidth", "--quiet", "--output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = raw.read_text(encoding="utf-8") if raw.exists() else ""
        raise SystemExit(f"ncu ended with {done.returncode}: {done.stderr[-400:]}{said[-400:]}")
    report = json.loads((output / "timing.json").read_text(encoding="utf-8"))
    lines = raw.read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if line.startswith('"')))
    return report, rows[1:]  # the first has the units


def value_of(row, metric):
    """The number in the report; NaN without any."""
    text = row.get(metric, "").replace(",", "")
    return float(text) if text not in ("", "n/a") else float("nan")


def summary(rows):
    """Means weighted by duration, and the stalls: warps that wait for each instruction issued."""
    durations = [value_of(row, DURATION) for row in rows]
    whole = sum(durations)

    def mean(metric):
        return sum(t * value_of(row, metric) for t, row in zip(durations, rows)) / whole

    found = {"launches": len(rows), "milliseconds": whole * 1e-6}
    for column, metric, factor in MEANS:
        found[column] = factor * mean(metric)
    for name in STALL_NAMES:
        found[f"stall_{name}"] = mean(STALLS.format(name))
    return found


def rows_to_keep(options, table):
    """Of a table that is there: lines on where it was made, and rows of what `table` has not."""
    if not options.add or not options.output.exists():
        return [], []
    lines = options.output.read_text(encoding="utf-8").splitlines(keepends=True)
    made = [line for line in lines if line.startswith("# perf/papers/shakhov_counters.py")]
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    if rows[0] != list(table[0]):
        raise SystemExit(f"{options.output} has other columns")
    new = {tuple(str(v) for v in list(row.values())[:3]) for row in table}
    return made, [row for row in rows[1:] if tuple(row[:3]) not in new]


def main(arguments=None):
    options = parse(arguments)
    table, report = [], None
    with tempfile.TemporaryDirectory(prefix="knudsen-counters-") as scratch:
        folder = options.raw or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for grid in options.grids:
            cells, velocities = (int(part) for part in grid.split("x"))
            for scheme in options.schemes:
                report, rows = profile(options, scheme, cells, velocities, folder)
                found = {}
                for kernel, pattern in KERNELS.items():
                    chosen = [row for row in rows if pattern in row["Kernel Name"]]
                    if chosen:
                        found[kernel] = summary(chosen)
                whole = sum(entry["milliseconds"] for entry in found.values())
                for kernel, entry in found.items():
                    share = 100 * entry["milliseconds"] / whole
                    head = {"kernel": kernel, "cells": cells, "velocities": velocities}
                    table.append({**head, "time_percent": share, **entry})
    said = subprocess.run([options.ncu, "--version"], capture_output=True, text=True, check=False)
    version = re.search(r"Version (\S+)", said.stdout)
    notes, kept = rows_to_keep(options, table)
    with open(options.output, "w", encoding="utf-8", newline="") as file:
        machine = f" ({options.host})" if options.host else ""
        file.write(
            f"# perf/papers/shakhov_counters.py on {report['device']}{machine}, single precision, "
            f"{report['compiler']}, Kokkos {report['kokkos_version']}, commit "
            f"{report['git_commit']}, ncu {version.group(1) if version else ''}\n"
            + "".join(notes)
            + "# means over launches weighted by duration; stalls: warps of a scheduler that wait so, "
            "for each instruction issued\n"
        )
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table[0])
        writer.writerows(kept)
        for row in table:
            writer.writerow(v if isinstance(v, (int, str)) else f"{v:.4g}" for v in row.values())
    print(options.output.read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
