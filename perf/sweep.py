#!/usr/bin/env python3
"""Runs one case for all combinations of sizes, precisions, threads and other settings, and keeps the
timing reports.

Examples:
  perf/sweep.py inputs/cavity.json --sizes 256 512 1024 2048 --threads 1 8
  perf/sweep.py inputs/cavity.json --sizes 4096 8192 --precisions single double --backends device
  perf/sweep.py inputs/cavity.json --sizes 1024 --set tuning.segment=4,8,16,32
"""

import argparse
import dataclasses
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_ROUNDS = 5


class RunFailed(Exception):
    """A run of the program failed; the message says how."""


@dataclasses.dataclass(frozen=True)
class Point:
    """One combination of the sweep."""

    size: tuple  # nodes or cells along each axis; empty: as in the case
    size_key: str  # "nodes" or "cells"
    precision: str  # empty: as in the case
    backend: str  # empty: the program's default
    threads: int  # 0: the program's default
    settings: tuple  # ("tuning.segment=4", ...)
    name_parts: tuple  # the settings that vary, for the file name

    def arguments(self):
        """Options of `knudsen run`."""
        settings = list(self.settings)
        if self.size:
            size = json.dumps(list(self.size), separators=(",", ":"))
            settings.append(f"domain.{self.size_key}={size}")
        if self.precision:
            settings.append(f"precision={self.precision}")
        options = [word for setting in settings for word in ("--set", setting)]
        if self.backend:
            options += ["--backend", self.backend]
        if self.threads:
            options += ["--threads", str(self.threads)]
        return options

    def __str__(self):
        parts = [
            "x".join(map(str, self.size)),
            self.precision,
            self.backend,
            f"{self.threads} threads" if self.threads else "",
            *self.settings,
        ]
        return ", ".join(part for part in parts if part) or "the case unchanged"


def split_values(text):
    """"4,[1,2],x" -> ["4", "[1,2]", "x"]: commas inside brackets and quotes do not separate."""
    values, depth, quoted = [""], 0, False
    for character in text:
        if character == '"':
            quoted = not quoted
        elif not quoted and character in "[{":
            depth += 1
        elif not quoted and character in "]}":
            depth -= 1
        if character == "," and depth == 0 and not quoted:
            values.append("")
        else:
            values[-1] += character
    return values


def parse_axis(text):
    """"key=a,b" -> ("key", ["a", "b"])."""
    key, separator, values = text.partition("=")
    values = split_values(values)
    if not key or not separator or "" in values:
        raise argparse.ArgumentTypeError(f"found {text!r}, must be KEY=VALUE[,VALUE...]")
    return key, values


def parse_size(text):
    """"256" -> (256,), to be repeated for each dimension; "512x256" -> (512, 256)."""
    if not re.fullmatch(r"[1-9]\d*(x[1-9]\d*)*", text):
        raise argparse.ArgumentTypeError(f"found {text!r}, must be like 256 or 512x256")
    return tuple(int(part) for part in text.split("x"))


def case_size(case):
    """("nodes", 2) or ("cells", 3): the key with the size of a case's domain, and its length."""
    try:
        domain = json.loads(case.read_text(encoding="utf-8"))["domain"]
        return next((key, len(domain[key])) for key in ("nodes", "cells") if key in domain)
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        raise SystemExit(f"{case}: no list domain.nodes or domain.cells: {error!r}") from error


def full_size(size, dimensions):
    """The size with one number for each dimension."""
    return size * dimensions if len(size) == 1 else size


def points_of(options, size_key, dimensions):
    """All combinations of the sweep. Numbers of threads apply to the host; other backends run once."""
    axes = [[f"{key}={value}" for value in values] for key, values in options.set]
    points = []
    for backend, size, precision, threads, *settings in itertools.product(
        options.backends or [""],
        [full_size(size, dimensions) for size in options.sizes] or [()],
        options.precisions or [""],
        options.threads or [0],
        *axes,
    ):
        varied = tuple(
            setting for setting, axis in zip(settings, axes) if len(axis) > 1
        )
        on_host = backend in ("", "host", "openmp", "serial")
        point = Point(
            size, size_key, precision, backend, threads if on_host else 0, tuple(settings), varied
        )
        if point not in points:
            points.append(point)
    return points


def run_once(program, case, point, steps, directory):
    """Runs `steps` steps and returns the timing report."""
    command = [
        str(program), "run", str(case), *point.arguments(),
        "--set", f"stop.steps={steps}", "--output", str(directory),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        message = done.stderr.strip() or done.stdout.strip() or "no message"
        raise RunFailed(f"exit code {done.returncode}: {message}")
    report = directory / "timing.json"
    try:
        return json.loads(report.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunFailed(f"no timing report: {error}") from error


def run_for(program, case, point, seconds, first_steps, scratch):
    """Repeats a run with more steps until it takes at least half of `seconds`; returns the last report.

    The time per update of a short run on a small grid is only an estimate, so each round has at most a
    hundred times as many steps as the one before.
    """
    steps = first_steps
    for _ in range(MOST_ROUNDS):
        with tempfile.TemporaryDirectory(dir=scratch, prefix=".run-") as directory:
            report = run_once(program, case, point, steps, pathlib.Path(directory))
        total = report["total"]
        stopped_early = total["steps"] < steps
        if total["seconds"] >= 0.5 * seconds or stopped_early or total["steps"] == 0:
            break
        seconds_per_step = 1e-9 * total["ns_per_update"] * total["updates"] / total["steps"]
        wanted = math.ceil(seconds / seconds_per_step) if seconds_per_step > 0 else math.inf
        steps = int(min(max(wanted, steps + 1), 100 * steps))
    return report


def slug(text):
    """Text for a file name: "NVIDIA H200" -> "nvidia-h200"."""
    text = re.sub(r"\((r|tm)\)|\bcpu\b|@.*", "", text.lower())
    return re.sub(r"[^a-z0-9.]+", "-", text).strip("-")


def report_name(report, point, machine):
    """<machine>-<backend>-<threads>t-<precision>-<variant>-<size>[-<key>-<value>...].json"""
    sizes = report["sizes"]
    keys = [f"{unit}_{axis}" for unit in ("nodes", "cells") for axis in "xyz"]
    lengths = [sizes[key] for key in keys if key in sizes]
    parts = [
        machine or slug(report["device"]),
        report["backend"],
        f"{report['threads']}t",
        report["precision"],
        slug(report["variant"]),
        "x".join(map(str, lengths or point.size)),
        *(slug(part.rpartition("tuning.")[2]) for part in point.name_parts),
    ]
    return "-".join(part for part in parts if part) + ".json"


def keep_report(report, point, options):
    """Writes the report to the folder of results and returns its path."""
    directory = options.results / slug(report["method"])
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / report_name(report, point, options.machine)
    temporary = path.with_suffix(".json.part")
    temporary.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    temporary.replace(path)
    return path


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("case", type=pathlib.Path, help="case file (JSON)")
    parser.add_argument("--knudsen", default="knudsen", help="the program (default: on PATH)")
    parser.add_argument("--sizes", nargs="+", type=parse_size, default=[], metavar="N",
                        help="256 (nodes or cells along every axis) or 512x256")  # fmt: skip
    parser.add_argument("--precisions", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--threads", nargs="+", type=int, default=[], metavar="N",
                        help="numbers of host threads; other backends run once")  # fmt: skip
    parser.add_argument("--backends", nargs="+", default=[], metavar="NAME",
                        help="host, device, or a backend's name")  # fmt: skip
    parser.add_argument("--set", action="append", type=parse_axis, default=[],
                        metavar="KEY=V1,V2", help="another setting, with one run for each value")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=5,
                        help="approximate stepping time of each run (default: 5)")  # fmt: skip
    parser.add_argument("--first-steps", type=int, default=20,
                        help="steps of the first run, which measures the rate (default: 20)")  # fmt: skip
    parser.add_argument("--results", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent / "results",
                        help="folder of the reports (default: perf/results)")  # fmt: skip
    parser.add_argument("--machine", help="machine name in file names (default: the device)")
    parser.add_argument("--page", type=pathlib.Path, help="HTML page (default: in the folder of the reports)")
    options = parser.parse_args(arguments)
    if options.seconds <= 0 or options.first_steps < 1 or any(n < 1 for n in options.threads):
        parser.error("--seconds, --first-steps and --threads must be positive")
    return options


def main(arguments=None):
    options = parse_arguments(arguments)
    size_key, dimensions = case_size(options.case) if options.sizes else ("", 0)
    for size in options.sizes:
        if len(full_size(size, dimensions)) != dimensions:
            raise SystemExit(f"--sizes: the case has {dimensions} dimensions, found {size}")
    options.results.mkdir(parents=True, exist_ok=True)
    points = points_of(options, size_key, dimensions)
    kept, failures = [], 0
    for number, point in enumerate(points, 1):
        print(f"[{number}/{len(points)}] {point}: ", end="", flush=True)
        try:
            report = run_for(
                options.knudsen, options.case, point, options.seconds, options.first_steps,
                options.results,
            )  # fmt: skip
        except RunFailed as failure:
            print(f"FAILED, {failure}")
            failures += 1
            continue
        path = keep_report(report, point, options)
        if path in kept:
            print("(replaces the report of another run of this sweep with the same name) ", end="")
        else:
            kept.append(path)
        rate = report["total"]["updates_per_second"] * 1e-9
        print(f"{rate:.4g} G updates/s, {report['total']['steps']} steps, {path.name}")
    if len(kept) > 1:
        page = options.page or kept[0].parent / "sweep.html"
        compared = subprocess.run(
            [options.knudsen, "compare", *map(str, kept), "--html", str(page)], check=False
        )
        failures += compared.returncode != 0
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
