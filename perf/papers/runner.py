"""Makes the runs of experiments with the program and keeps what pages need of them."""

import concurrent.futures
import fcntl
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
import types

from reports import RUNS_FORMAT, Results, read_numbers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sweep  # pylint: disable=wrong-import-position

MACHINE = ("device", "backend", "threads", "host", "compiler", "kokkos_version", "git_commit")
CASE = ("method", "variant", "precision", "sizes", "case_digest")


class RunFailed(Exception):
    """A run of the program did not end well; the message says how."""


def run_all(experiments, options):
    """All runs of the chosen experiments; says what was left out; the number of failures."""
    end = time.monotonic() + 60 * options.minutes
    failures, left_out = 0, []

    def make_in_time(experiment, run):
        """Whether the run was made; None: the time ended before or during the run."""
        try:
            said, made = make_run(experiment, run, options, end - time.monotonic()), True
        except subprocess.TimeoutExpired:
            left_out.append(f"{experiment.name} {run.name} (no time)")
            return None
        except RunFailed as failure:
            said, made = f"FAILED, {failure}", False
        print(f"  {run.name}: {said}", flush=True)
        return made

    for experiment, chosen in in_order(experiments, options):
        if chosen and time.monotonic() < end:
            print(f"{experiment.name}: {experiment.title}", flush=True)
        at_a_time = 1 if experiment.timing else options.jobs
        with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
            made = list(pool.map(lambda run, of=experiment: make_in_time(of, run), chosen))
        failures += made.count(False)
    for experiment in experiments:
        if options.size == "small":
            smaller = {run.name for run in experiment.small}
            left_out += [
                f"{experiment.name} {r.name}" for r in experiment.full if r.name not in smaller
            ]
    if left_out:
        print(f"Left out, {len(left_out)} runs of the pages' full size or beyond the given time:")
        for name in left_out:
            print(f"  {name}")
    if options.size == "small":
        print("All runs above were small ones; `make papers PRESET=cuda` makes the full ones.")
    return failures


def in_order(experiments, options):
    """Experiments with their chosen runs. In a limited time those of the validation come one by one,
    the one with the fewest updates first, whatever their experiments."""
    results = Results(options.results)
    chosen = []
    for experiment in experiments:
        recorded = [run["name"] for run in results.runs(experiment.name)] if options.missing else []
        runs = [r for r in experiment.runs(options.size) if re.search(options.only, r.name) and r.name not in recorded]
        if experiment.book == "validation" and options.minutes < float("inf"):
            chosen += [(experiment, [run]) for run in runs]
        else:
            chosen.append((experiment, runs))
    return sorted(chosen, key=lambda pair: pair[1][0].updates() if pair[0].book == "validation" and pair[1] else 0)


def validate_all(experiments, options):
    """Asks the program whether the cases of all runs are sound; the number that are not."""
    failures = 0
    for experiment in experiments:
        for run in experiment.runs(options.size):
            command = [options.knudsen, "validate", *case_of(run)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"{experiment.name} {run.name}: {done.stderr.strip()}", file=sys.stderr)
                failures += 1
    return failures


def case_of(run):
    """The case file and its settings."""
    words = [run.case]
    for key, value in run.settings.items():
        words += ["--set", f"{key}={json.dumps(value, separators=(',', ':'))}"]
    return words


def arguments_of(run, options):
    """Arguments of `knudsen` but for the output's directory."""
    return ["run", *case_of(run), *run.options, *shlex.split(options.options)]


def make_run(experiment, run, options, seconds):
    """Makes one run and keeps its results; a line on what came out. It may take so many seconds."""
    words = arguments_of(run, options)
    with tempfile.TemporaryDirectory(prefix="knudsen-papers-") as scratch:
        directory = pathlib.Path(scratch)
        command = [options.knudsen, *words, "--output", str(directory), "--quiet"]
        if not experiment.timing:
            command.append("--no-bandwidth")
        limit = None if seconds == float("inf") else max(seconds, 0)
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
        if done.returncode != 0:
            raise RunFailed(f"exit code {done.returncode}: {done.stderr.strip()[-400:]}")
        report = json.loads((directory / "timing.json").read_text(encoding="utf-8"))
        if experiment.timing:
            return keep_report(report, run, options.results)
        size = experiment.size_of(run) if options.size == "all" else options.size
        try:
            entry = entry_of(run, words, report, directory, size)
        except (ArithmeticError, LookupError, StopIteration, ValueError) as fault:
            raise RunFailed(f"its files do not have what is measured: {fault!r}") from fault
        if options.jobs > 1:
            entry["together"] = options.jobs  # runs at a time: its seconds are not its own
    keep_entry(entry, options.results / experiment.book / f"{experiment.name}-{size}.json")
    values = ", ".join(f"{name} {value:.5g}" for name, value in entry["values"].items())
    return f"{values} ({entry['steps']} steps, {entry['seconds']:.1f} s)"


def entry_of(run, words, report, directory, size):
    """What is kept of a run: its machine, its command, last values, profiles."""
    values = {
        key: float(report["results"][key].split()[0])  # a unit may follow
        for key in run.monitors
        if key in report.get("results", {})
    }
    series = directory / "series.csv"
    history = {}
    if series.exists():
        rows = read_numbers(series)
        last = rows[-1]
        history = {
            key: [[int(row["step"]), short(row[key])] for row in rows if row["step"] > 0]
            for key in run.history
        }
        values = {**{key: last[key] for key in run.monitors if key in last}, **values}
    profiles = {}
    if run.measure:
        found = run.measure(directory)
        for name, points in found.pop("profiles", {}).items():
            profiles[name] = [[short(at), short(value)] for at, value in points]
        values.update(found)
    for name in run.profiles:
        rows = read_numbers(directory / f"profile_{name}.csv")
        position, value = list(rows[0])[:2]
        profiles[name] = [[short(row[position]), short(row[value])] for row in rows]
    return {
        "name": run.name,
        "size": size,
        "parameters": run.parameters,
        "command": "knudsen " + shlex.join(words),
        "machine": {**{key: report[key] for key in MACHINE},
                    **({"ranks": report["ranks"]} if report.get("ranks", 1) > 1 else {})},
        **{key: report[key] for key in CASE},
        "steps": report["total"]["steps"],
        "seconds": report["total"]["seconds"],
        "values": {key: short(value, 9) for key, value in values.items()},
        "profiles": profiles,
        **({"history": history} if history else {}),
    }


def short(value, digits=7):
    return float(f"{value:.{digits}g}")


def keep_entry(entry, path):
    """Puts the run among those of its experiment, in place of an earlier one of its name.

    Several processes may do so at a time.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        runs = json.loads(path.read_text(encoding="utf-8"))["runs"] if path.exists() else []
        runs = [run for run in runs if run["name"] != entry["name"]] + [entry]
        text = json.dumps({"format": RUNS_FORMAT, "runs": runs}, indent=1)
        # A pair of numbers a line, for differences that can be read.
        text = re.sub(r"\[\s+([^\[\]{}\s]+),\s+([^\[\]{}\s]+)\s+\]", r"[\1, \2]", text)
        write(path, text + "\n")
    finally:
        os.close(folder)


def keep_report(report, run, root):
    velocities = round(report["sizes"].get("velocities", 0) ** (1 / 3))
    parts = (f"velocities={velocities}",) if velocities else ()
    named = sweep.report_name(report, types.SimpleNamespace(size=(), name_parts=parts), "")
    write(root / report["method"] / named, json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    rate = report["total"]["updates_per_second"] * 1e-9
    return f"{rate:.4g} G updates/s ({report['total']['steps']} steps), {run.parameters['grid']}"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
