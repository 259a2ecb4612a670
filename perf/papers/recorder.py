"""Records every method on one thread, on all cores and on the GPU of one machine, from one build."""

import dataclasses
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_SECONDS = 2.5  # of stepping; a report is trusted from 2 s and five batches on
MIN_STEPS = 10
FEW_STEPS = 5  # for a first guess of the time of a step: one cold, two timed, two batches
QUIET = {"output.fields": {"write": False}, "output.series": {"quantities": []}}


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One problem, run by each scheme on each kind of processor."""

    method: str
    case: str
    settings: dict
    schemes: tuple  # (name, settings); the paper's own first, then the others
    grid: str


def scheme(key, *values):
    return tuple((value, {key: value}) for value in values)


COMPARISONS = (
    Comparison("lbm_d2q9", "d2q9_cavity", {"domain.nodes": [4096, 4096]},
               scheme("propagation.scheme", "shared-memory", "in-place", "two-array"), "4096^2 nodes"),
    Comparison("lbm_d3q27", "d3q27_box", {"domain.nodes": [256, 256, 256]},
               scheme("propagation.scheme", "esoteric-twist", "aa-pattern", "two-array"), "256^3 nodes"),
    Comparison("bgkw", "bgkw_cavity",
               {"domain.cells": [160, 160], "velocity_grid.count": [20, 20, 20]},
               scheme("propagation.scheme", "separate", "fused"), "160^2 cells, 20^3 velocities"),
    Comparison("boltzmann", "boltzmann_cavity", {}, (("full", {}),), "160^2 cells, 20^3 velocities"),
    Comparison("shakhov", "shakhov_cavity",
               {"domain.cells": [24, 24, 24], "velocity_grid.count": [24, 24, 24]},
               scheme("propagation.scheme", "slices", "pencils"), "24^3 cells, 24^3 velocities"),
)


class RunFailed(Exception):
    """A run of the program did not end well."""


def processors(backends):
    """(name, options of `knudsen run`) of what is compared; the first is the baseline."""
    found = [("one-thread", ["--backend", "host", "--threads", "1"]), ("all-cores", ["--backend", "host"])]
    if len(backends) > 1:
        found.append(("gpu", ["--backend", "device"]))
    return found


def backends_of(program):
    """The backends of the program, by name."""
    listed = subprocess.run([program, "info"], capture_output=True, text=True, check=True).stdout
    return [name for name in ("cuda", "hip", "openmp", "serial") if name in listed.lower()]


def make_run(program, comparison, settings, options, steps):
    """The timing report of a run of so many steps. The copy bandwidth is left out of a first guess."""
    words = [f"--set={key}={json.dumps(value, separators=(',', ':'))}"
             for key, value in {**QUIET, **comparison.settings, **settings,
                                "stop": {"steps": steps, "check_every": steps}}.items()]
    with tempfile.TemporaryDirectory(prefix="knudsen-record-") as scratch:
        command = [program, "run", f"perf/cases/{comparison.case}.json", *words, *options,
                   "--output", scratch, "--quiet"] + ["--no-bandwidth"] * (steps == FEW_STEPS)
        # Threads are bound to cores, so that each stays with the memory that it touched first.
        environment = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores", **os.environ}
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
        if done.returncode != 0:
            raise RunFailed(f"exit code {done.returncode}: {done.stderr.strip()[-400:]}")
        return json.loads((pathlib.Path(scratch) / "timing.json").read_text(encoding="utf-8"))


def trusted(report):
    total = report["total"]
    return total["seconds"] >= 2 and total["step_seconds"]["count"] >= 5


def measure(program, comparison, settings, options):
    """A report that is trusted: a first run of a few steps, then one of as many as are needed."""
    report = make_run(program, comparison, settings, options, FEW_STEPS)
    for _ in range(3):
        total = report["total"]
        step = total["step_seconds"]["median"] or total["seconds"] / total["steps"]
        steps = max(MIN_STEPS, math.ceil(LEAST_SECONDS / step))
        report = make_run(program, comparison, settings, options, steps)
        if trusted(report):
            break
    return report


def rate_text(report):
    total = report["total"]
    spread = total["step_seconds"]
    return (f"{total['updates_per_second'] / 1e6:10.1f} M {report['update_unit']}s/s, "
            f"{100 * total['bandwidth_share']:5.1f} % of copy, "
            f"quartiles {100 * (spread['upper_quartile'] / spread['lower_quartile'] - 1):4.1f} % apart, "
            f"{total['seconds']:.1f} s")


def record(options):
    """Makes all runs and a page for each comparison; the number of runs that failed."""
    program = str(pathlib.Path(options.knudsen).resolve())
    folder = options.results / "one_machine"
    folder.mkdir(parents=True, exist_ok=True)
    compared = processors(backends_of(program))
    start, failures = time.monotonic(), 0
    for comparison in COMPARISONS:
        if options.only and options.only not in comparison.method:
            continue
        print(f"{comparison.method}, {comparison.grid}", flush=True)
        for name, settings in comparison.schemes:
            for processor, words in compared:
                label = f"{comparison.method}-{name}-{processor}"
                if time.monotonic() - start > 60 * options.minutes:
                    print(f"  {label}: left out, no time", flush=True)
                    failures += 1
                    continue
                try:
                    report = measure(program, comparison, settings, words)
                except RunFailed as failure:
                    print(f"  {label}: FAILED, {failure}", file=sys.stderr)
                    failures += 1
                    continue
                (folder / f"{label}.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
                print(f"  {name:15} {processor:10} {rate_text(report)}", flush=True)
    print(f"{time.monotonic() - start:.0f} s in all", flush=True)
    return failures


def reports_of(comparison, results):
    """The recorded reports of a comparison: {(scheme, processor): report}."""
    found = {}
    for name, _ in comparison.schemes:
        for processor in ("one-thread", "all-cores", "gpu"):
            path = results / "one_machine" / f"{comparison.method}-{name}-{processor}.json"
            if path.exists():
                found[name, processor] = json.loads(path.read_text(encoding="utf-8"))
    return found

