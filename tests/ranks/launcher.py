"""Runs of the program on several ranks, compared with one rank; whether they are possible here."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "combinations"))

import program
from program import BACKEND, ENVIRONMENT, PROGRAM, call, mpirun, scratch_folder

TIME_LIMIT = 120


def launch(*command):
    with tempfile.TemporaryDirectory(prefix="knudsen-") as folder:
        return subprocess.run([*mpirun(2, folder), *command], text=True, capture_output=True,
                              timeout=60, env=ENVIRONMENT, check=False)


def why_no_processes():
    """Why mpirun cannot start processes; None if it can."""
    if shutil.which("mpirun") is None:
        return "there is no mpirun"
    if launch("true").returncode != 0:
        return "mpirun cannot start processes here"
    return None


def needs_ranks(tests):
    """Skips a class of tests where the program cannot be run on several ranks."""
    reason = why_no_processes()
    if reason is None and "built without MPI" in launch(PROGRAM, "--version").stderr:
        reason = "the program was built without MPI"
    return unittest.skipIf(reason is not None, reason)(tests)


def run(case, *arguments, **options):
    return program.run(case, *arguments, **options, backend=BACKEND)


def start(folder, ranks, *arguments):
    threads = [] if "--threads" in arguments or BACKEND != "host" else ["--threads", "1"]
    return call("run", "case.json", "--backend", BACKEND, "--no-bandwidth", *threads, *arguments,
                folder=folder, ranks=ranks, time_limit=TIME_LIMIT)


def written(out):
    """Bytes of the files by their names, and the results of the report but for times."""
    found = {file.name: file.read_bytes() for file in sorted(out.iterdir())
             if file.suffix in (".vtkhdf", ".csv", ".h5")}
    results = json.loads((out / "timing.json").read_text())["results"]
    found["results"] = str([entry for entry in results.items() if "seconds" not in entry[0]])
    return found


def fewer(number, ranks_of_runs, restarts):
    """Of a test's numbers of ranks the last, and of those of its restarts two that follow each other, which depends on
    the test's number: most of a short run is its start."""
    first = number % max(1, len(restarts) - 1)
    return ranks_of_runs[-1:], restarts[first:first + 2]


def compared(found, expected):
    if set(found) != set(expected):
        return f"wrote {sorted(found)}, one rank {sorted(expected)}"
    different = [name for name in expected if found[name] != expected[name]]
    return f"{', '.join(different)} differ from those of one rank" if different else ""


def differences(case, ranks_of_runs, restarts=(), variants=()):
    """Why runs of a case with these numbers of ranks do not agree with one rank; "" if they do.

    `restarts`: numbers of ranks of runs of which each continues the one before. `variants`:
    arguments of runs of one rank that must agree as well.
    """
    folder = scratch_folder()
    try:
        (folder / "case.json").write_text(json.dumps(case))
        done = start(folder, 1, "--output", "one")
        if done.returncode == 2:
            return "refused: " + done.stderr
        if done.returncode != 0:
            return f"one rank: exit code {done.returncode}: {done.stderr}"
        expected = written(folder / "one")
        runs = [(ranks, ()) for ranks in ranks_of_runs] + [(1, variant) for variant in variants]
        for number, (ranks, arguments) in enumerate(runs):
            name = f"run-{number}"
            done = start(folder, ranks, "--output", name, *arguments)
            if done.returncode != 0:
                return f"{ranks} ranks {arguments}: exit code {done.returncode}: {done.stderr}"
            text = compared(written(folder / name), expected)
            if text:
                return f"{ranks} ranks {arguments}: {text}"
        steps = case["stop"]["steps"]
        for place, ranks in enumerate(restarts):
            last = steps * (place + 1) // len(restarts)
            done = start(folder, ranks, "--output", "chain", "--set", f"stop.steps={last}",
                         *(["--restart", "chain"] if place else []))
            if done.returncode != 0:
                return f"restart with {ranks} ranks: exit code {done.returncode}: {done.stderr}"
        if restarts:
            found = written(folder / "chain")
            last = [name for name in expected if str(steps) in name]  # of the last step
            text = compared({name: found.get(name) for name in last},
                            {name: expected[name] for name in last})
            if text or not last:
                return f"restarted with {restarts} ranks: {text}"
        return ""
    finally:
        shutil.rmtree(folder)
