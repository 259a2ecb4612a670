"""Runs of the program on small cases: exit code, messages, bytes and values of what it wrote.

Needs nothing but the standard library; KNUDSEN_PROGRAM names the program. KNUDSEN_BACKEND=device runs the rows on
a GPU (checks.py), and those of several ranks on as many GPUs as there are; KNUDSEN_TRANSPORT is the way between these
(parallel.transport).
"""

import concurrent.futures
import csv
import dataclasses
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

PROGRAM = os.environ.get("KNUDSEN_PROGRAM", "knudsen")
BACKEND = os.environ.get("KNUDSEN_BACKEND", "host")
TRANSPORT = os.environ.get("KNUDSEN_TRANSPORT")
WORKERS = 2 if BACKEND == "host" else os.cpu_count()  # most of a short run on a GPU is its start
TIME_LIMIT = 60  # seconds; a run takes some hundredths
AXES = "xyz"
SIDES = ["west", "east", "south", "north", "bottom", "top"]
# More threads than cores are part of the tests: one that waits must not take a core from others.
ENVIRONMENT = {**os.environ, "OMP_WAIT_POLICY": "passive"}


def mpirun(ranks, folder):
    """The words before a program's; `folder` is the run's own.

    More ranks than cores may be started; those that wait give way to others. Open MPI keeps files of a run in a
    folder that all runs of the user share, unless told otherwise, and removes that folder when a run ends: another
    one that starts just then finds it gone and fails.
    """
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--quiet",
            "--mca", "mpi_yield_when_idle", "1", "--mca", "orte_tmpdir_base", str(folder),
            "-n", str(ranks)]


@dataclasses.dataclass
class Outcome:
    code: int
    errors: str
    values: dict = dataclasses.field(default_factory=dict)  # of a quantity by cell, x fastest
    series: list = dataclasses.field(default_factory=list)  # rows: name: number
    bytes: dict = dataclasses.field(default_factory=dict)  # of fields and series by file name
    results: dict = dataclasses.field(default_factory=dict)  # of the report


def cells_of(case):
    domain = case["domain"]
    cells = domain.get("cells") or domain.get("nodes") or [sum(part["cells"] for part in domain[axis])
                                    for axis in AXES if axis in domain]
    return (cells + [1, 1])[:3]


def dimensions_of(case):
    domain = case["domain"]
    cells = domain.get("cells") or domain.get("nodes")
    return len(cells) if cells else sum(axis in domain for axis in AXES)


def centres_of(case, axis):
    """Of the cells, as fractions of the domain."""
    parts = case["domain"].get(AXES[axis])
    if parts is None:
        cells = cells_of(case)[axis]
        return [(i + 0.5) / cells for i in range(cells)]
    widths = []
    for part in parts:
        shares = [part.get("ratio", 1) ** i for i in range(part["cells"])]
        widths += [part["length"] * share / sum(shares) for share in shares]
    return [(sum(widths[:i]) + 0.5 * width) / sum(widths) for i, width in enumerate(widths)]


def lines_of(case):
    """The axis of most cells, and for each line along it its place among the cells across."""
    cells = cells_of(case)
    # The program sees a plane where there is one cell along z, and no line across it.
    axis = max(range(3 if cells[2] > 1 else 2), key=lambda d: cells[d])
    others = [d for d in range(3) if d != axis]
    return axis, others, list(itertools.product(*(range(cells[d]) for d in others)))


def with_profiles(case, quantities):
    """The case with the values of all cells written as text with all digits."""
    cells = cells_of(case)
    axis, others, lines = lines_of(case)
    centres = [centres_of(case, d) for d in range(3)]
    profiles = []
    for number, line in enumerate(lines):
        at = [centres[d][i] for d, i in zip(others, line) if d < 2 or cells[2] > 1]
        for quantity in quantities:
            profiles.append({"name": f"{quantity}-{number}", "quantity": quantity,
                             "along": AXES[axis], "at": at, "normalised": False})
    return {**case, "output": {**case["output"], "profiles": profiles}}


def sampling(*fields):
    """Statistics and probes for the output of a case."""
    return {"statistics": {"from": 1, "every": 2, "mean": [*fields], "rms": [*fields],
                           "covariance": [["velocity", fields[0]]]},
            "probes": [{"name": "diagonal", "kind": "line", "begin": [0, 0, 0], "end": [1, 1, 1],
                        "points": 5, "every": 3, "quantities": [*fields]},
                       {"name": "middle", "kind": "plane", "corner": [0, 0, 0.4],
                        "first": [1, 0, 0.4], "second": [0, 1, 0.6], "points": [3, 2],
                        "quantities": ["velocity_x"]}]}


def read_profiles(case, folder, quantities):
    cells = cells_of(case)
    axis, others, lines = lines_of(case)
    values = {quantity: [None] * (cells[0] * cells[1] * cells[2]) for quantity in quantities}
    for number, line in enumerate(lines):
        at = [0, 0, 0]
        for d, i in zip(others, line):
            at[d] = i
        for quantity in quantities:
            text = (folder / f"profile_{quantity}-{number}.csv").read_text().splitlines()
            for i, row in enumerate(text[2:]):
                at[axis] = i
                place = (at[2] * cells[1] + at[1]) * cells[0] + at[0]
                values[quantity][place] = float(row.split(",")[1])
    return values


def call(*arguments, folder, ranks=1, time_limit=TIME_LIMIT):
    launcher = [] if ranks == 1 else mpirun(ranks, folder)
    if ranks > 1 and TRANSPORT and arguments[0] == "run":
        arguments = (*arguments, "--set", f"parallel.transport={TRANSPORT}")
    return subprocess.run([*launcher, PROGRAM, *map(str, arguments)], cwd=folder, text=True,
                          capture_output=True, timeout=time_limit, env=ENVIRONMENT, check=False)


def scratch_folder():
    """In memory where that can be: the program syncs every file that it writes."""
    memory = pathlib.Path("/dev/shm")
    usable = memory.is_dir() and os.access(memory, os.W_OK)
    return pathlib.Path(tempfile.mkdtemp(prefix="knudsen-", dir=memory if usable else None))


def run(case, threads=1, quantities=(), restart_at=None, ranks=(1,), backend="host"):
    """Runs a case; values of `quantities` are read back. Threads are those of the host.

    With `restart_at` the run ends after that step, and another one continues its checkpoint, on the
    second number of `ranks`, if there are two.
    """
    folder = scratch_folder()
    try:
        written = with_profiles(case, quantities) if quantities else case
        (folder / "case.json").write_text(json.dumps(written))
        where = ["--threads", threads] if backend == "host" else []
        command = ["run", "case.json", "--backend", backend, *where, "--no-bandwidth", "--output", "out"]
        if restart_at is not None:
            done = call(*command, "--set", f"stop.steps={restart_at}", "--set",
                        "checkpoint.at_end=true", folder=folder, ranks=ranks[0])
            if done.returncode != 0:
                return Outcome(done.returncode, done.stderr)
            command += ["--restart", "out"]
        done = call(*command, folder=folder, ranks=ranks[-1])
        outcome = Outcome(done.returncode, done.stderr)
        if done.returncode != 0:
            return outcome
        out = folder / "out"
        last = f"checkpoint_{case['stop']['steps']:09}.h5"
        for file in [*out.glob("*.vtkhdf"), *out.glob("series.csv"), *out.glob("probes.h5"),
                     *out.glob(last)]:
            outcome.bytes[file.name] = file.read_bytes()
        outcome.results = json.loads((out / "timing.json").read_text()).get("results", {})
        if quantities:
            outcome.values = read_profiles(case, out, quantities)
        if (out / "series.csv").exists():
            lines = (out / "series.csv").read_text().splitlines()
            outcome.series = [{name: float(value) for name, value in row.items()}
                              for row in csv.DictReader(lines[1:])]
        return outcome
    finally:
        shutil.rmtree(folder)


def validate(case):
    folder = scratch_folder()
    try:
        (folder / "case.json").write_text(json.dumps(case))
        done = call("validate", "case.json", folder=folder)
        return Outcome(done.returncode, done.stderr)
    finally:
        shutil.rmtree(folder)


def in_parallel(function, items):
    """function(item) for all items, some at a time."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(function, items))
