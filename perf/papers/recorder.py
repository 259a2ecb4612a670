"""Records every method on one thread, on all cores and on the GPU of one machine, from one build."""

import dataclasses
import hashlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import d3q27_pipes
from reports import MANIFEST, Recording, report_label

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 2.2  # of stepping; a report is trusted from 2 s and five batches on
MIN_STEPS = {"one-thread": 6, "all-cores": 6, "gpu": 8}  # warm-up, on a GPU two timed ones, five batches
SLOW_STEP = 1.5  # seconds from which three batches do, so that two steps less are made
QUIET_SPREAD = 0.03  # interquartile range over the median, above which a run is repeated
MOST_RUNS = 3
LONGEST_REPEATED = 9  # seconds of a run that is repeated for its spread
MOST_REPEATED = 30  # seconds of such runs in a call
LONGEST_RUN = 200  # seconds; four sweeps of 32^3 cells by "slices" on one thread took 128 and more than 150
QUIET = {"output.fields": {"write": False}, "output.series": {"quantities": []}, "output.profiles": []}
PROCESSORS = ("one-thread", "all-cores", "gpu")
NO_CPU = ("gpu",)

# Updates a second, on one thread and on a GPU, from which the number of steps is chosen, by the first part of the
# label (without the processor) that is found here. Where they are too small the run is too short, and is
# repeated with as many steps as its own rate asks for.
EXPECTED = {
    "lbm_d2q9": (2.3e8, 5.2e10),
    "lbm_d2q9-in-place": (4.5e8, 5.2e10),
    "lbm_d3q27": (1.1e8, 1.9e10),
    "lbm_d3q27-bed": (1.1e8, 1e10),
    "bgkw": (1.8e9, 3.8e11),
    "bgkw-fused-reduced": (6e8, 1.3e11),
    "bgkw-tiles": (3.5e8, 1.1e11),
    "bgkw-separate": (1.2e9, 2e11),
    "bgkw-shock-512-separate": (1.25e9, 1.6e11),
    "bgkw-shock-2048-separate": (1.25e9, 1.9e11),
    "bgkw-shock-8192-separate": (1.25e9, 2.1e11),
    "boltzmann": (2.2e8, 1.8e11),
    "boltzmann-one-way": (2.2e8, 1.3e11),
    "boltzmann-cells-20": (1.6e8, 4e10),
    "boltzmann-cells-80": (1.6e8, 1.1e11),
    "shakhov": (4.5e8, 3.7e11),
    "shakhov-pencils": (7e8, 1.2e11),
    "shakhov-slices": (3e8, 5e9),
    "shakhov-32-64": (3.8e8, 3.1e11),
    "shakhov-64-32": (4.3e8, 2.2e11),
    "shakhov-64-64-slices": (1.5e8, 2.8e10),
}
OF_PRECISION = {"double": 0.5, "half-storage": 1.7}  # rates over those in single precision


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One problem on one grid, run by each scheme on each kind of processor."""

    method: str
    case: str
    updates: float  # in a step
    grid: str
    settings: dict
    schemes: dict  # settings by name
    group: str = ""  # tells the comparisons of one method apart; the main one has no name
    processors: tuple = PROCESSORS
    of_scheme: dict = dataclasses.field(default_factory=dict)  # updates in a step where they differ


def schemes(*names, key="propagation.scheme", **others):
    return {**{name: {key: name} for name in names}, **others}


def lattice(nodes, *names, group="", processors=PROCESSORS, **settings):
    """Dense and sparse nodes of the box; half storage is a precision."""
    made = {name: {"propagation.scheme": name.replace("sparse-", ""),
                   "propagation.nodes": "sparse" if name.startswith("sparse-") else "dense"} for name in names}
    # A uniform flow is set up fast, and its steps take as long as those of any other.
    flow = {"domain.nodes": [nodes] * 3, "initial": {"type": "uniform", "velocity": [0.5, 0.3, 0.2]}}
    return Comparison("lbm_d3q27", "d3q27_box", nodes**3, f"{nodes}^3 nodes", {**flow, **settings}, made, group,
                      processors)


def gas_cells(case, cells, count, names, group="", processors=PROCESSORS, reduced=False):
    """`bgkw`: cells along each axis, velocities along each of three; perhaps also reduced distributions."""
    dimensions = 1 if case == "bgkw_shock" else 2
    text = f"{cells} cells" if dimensions == 1 else f"{cells}^2 cells"
    made = schemes(*names)
    fewer = {}
    if reduced:
        made["fused-reduced"] = {"propagation.scheme": "fused", "reduced": True}
        fewer["fused-reduced"] = cells**dimensions * 2 * count**2
    return Comparison("bgkw", case, cells**dimensions * count**3, f"{text}, {count}^3 velocities",
                      {"domain.cells": [cells] * dimensions, "velocity_grid.count": [count] * 3},
                      made, group, processors, fewer)


def hard_spheres(cells, made, group="", processors=PROCESSORS):
    # The stretching of the paper's grid stays the same from end to end.
    progression = [round(p ** (160 / cells), 6) for p in (0.996, 0.998)]
    return Comparison("boltzmann", "boltzmann_cavity", cells**2 * 20**3,
                      f"{cells}^2 cells, 20^3 velocities, 6144 samples",
                      {"domain.cells": [cells] * 2, "domain.progression": progression},
                      made, group, processors)


def sweeps(cells, count, *names, group="", processors=PROCESSORS):
    return Comparison("shakhov", "shakhov_cavity", cells**3 * count**3, f"{cells}^3 cells, {count}^3 velocities",
                      {"domain.cells": [cells] * 3, "velocity_grid.count": [count] * 3},
                      schemes(*names), group, processors)


ONE_WAY = {"one-way": {"collision.estimator": "one-way", "propagation.scheme": "separate"}}
DUCT = {  # of section 5.2 of Geier and Schoenherr 2017
    "title": "Walled duct, timing only",
    "fluid": {"relaxation_time": 0.6},
    "initial": {"type": "rest"},
    "boundaries": {side: {"type": "wall"} for side in ("south", "north", "bottom", "top")},
}
# Populations of several times the largest cache of a processor, 300 MB: of 4096^2 nodes in place so much stayed in
# it that a share of the copy was 116 %.
D2Q9 = {"domain.nodes": [6144, 6144]}

# The paper's own scheme is the first of each. What spans the processors comes before the rest.
COMPARISONS = (
    Comparison("lbm_d2q9", "d2q9_cavity", 6144**2, "6144^2 nodes", D2Q9,
               schemes("shared-memory", "two-array", "in-place")),
    Comparison("lbm_d2q9", "d2q9_cavity", 6144**2, "6144^2 nodes, double precision",
               {**D2Q9, "precision": "double"}, schemes("shared-memory"), "double"),
    lattice(224, "sparse-esoteric-twist", "two-array", "aa-pattern", "esoteric-twist"),
    lattice(256, "esoteric-twist", group="half-storage", precision="half-storage"),
    gas_cells("bgkw_cavity", 160, 20, ("tiles", "separate", "fused"), reduced=True),
    gas_cells("bgkw_shock", 8192, 20, ("separate", "fused"), "shock-8192"),
    hard_spheres(160, {**ONE_WAY, "reversible": {}}),
    sweeps(32, 32, "slices", "pencils"),
    # One thread and the GPU on smaller grids, for speedups against their size.
    *(gas_cells("bgkw_shock", cells, 20, ("separate",), f"shock-{cells}", ("one-thread", "gpu"))
      for cells in (512, 2048)),
    *(hard_spheres(cells, ONE_WAY, f"cells-{cells}", ("one-thread", "gpu")) for cells in (20, 80)),
    # The GPU alone.
    *(lattice(128, "sparse-esoteric-twist", "two-array", "esoteric-twist", group=f"duct-{operator}",
              processors=NO_CPU, **DUCT, collision={"operator": operator, "body_force": [1e-6, 0, 0]})
      for operator in ("bgk", "cascaded")),
    lattice(224, "sparse-esoteric-twist", "esoteric-twist", group="double", processors=NO_CPU, precision="double"),
    lattice(256, "sparse-esoteric-twist", group="half-storage-sparse", processors=NO_CPU, precision="half-storage"),
    *(Comparison("lbm_d3q27", f"pipes along {axis}", 11878400, "64 sets of three widths of pipes, 256 nodes long",
                 {}, {"sparse-esoteric-twist": {}}, f"pipes-{axis}", NO_CPU) for axis in "xyz"),
    sweeps(64, 64, "slices", "pencils", group="64-64", processors=NO_CPU),
    *(sweeps(cells, count, "pencils", group=f"{cells}-{count}", processors=NO_CPU)
      for cells, count in ((32, 64), (64, 32), (64, 128), (128, 64))),
    Comparison("lbm_d3q27", "d3q27_bed", 64395147, "544^3 nodes, 6864 spheres", {},
               {"interpolated": {"collision.operator": "cumulant", "geometry.walls": "interpolated"},
                "implicit": {"collision.operator": "cumulant"}}, "bed", NO_CPU),
)


class RunFailed(Exception):
    """A run of the program did not end well."""


# --- Cores ---


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def quota():
    """CPUs that the control group pays for, or infinity."""
    found = read("/sys/fs/cgroup/cpu.max").split()
    if not found:
        group = "/sys/fs/cgroup/cpu/cpu.cfs_"
        found = [read(f"{group}quota_us"), read(f"{group}period_us")]
    try:
        share = float(found[0]) / float(found[1])
        return math.ceil(share) if share > 0 else math.inf
    except (ValueError, IndexError, ZeroDivisionError):
        return math.inf


def cores_of(allowed):
    """One CPU of each core, by what the system says of hyperthreads; the first ones."""
    firsts = {}
    for cpu in allowed:
        topology = f"/sys/devices/system/cpu/cpu{cpu}/topology/"
        key = read(topology + "thread_siblings_list") or str(cpu)
        firsts.setdefault(key, cpu)
    return list(firsts.values())


def candidates(allowed, cores, paid):
    """Lists of CPUs to pin to: one a core, and every hyperthread; half of them where cores are not told."""
    if len(cores) == len(allowed) and len(allowed) >= 8:
        cores = allowed[::2]
    limit = min(paid, 512)
    found = []
    for cpus in (cores, allowed):
        cpus = cpus[: int(min(len(cpus), limit))]
        if cpus not in found:
            found.append(cpus)
    return found


def choose_cores(program):
    """The CPUs on which all cores are timed, and what was tried.

    Two threads of a core may be slower than one, so both are tried, by a method that is limited by memory
    and by one that is limited by arithmetic. Fewer threads win where the difference is below 2 %.
    """
    allowed = sorted(os.sched_getaffinity(0))
    cores = cores_of(allowed)
    found = candidates(allowed, cores, quota())
    trials = ((COMPARISONS[0], "in-place", 100), (hard_spheres(80, ONE_WAY), "one-way", 24))
    tried = []
    for cpus in found if len(found) > 1 else []:
        try:
            made = [make_run(program, comparison, comparison.schemes[name], options_of("all-cores", cpus), cpus, steps,
                             ("--no-bandwidth",)) for comparison, name, steps in trials]
        except RunFailed as failure:
            print(f"  trial of {len(cpus)} threads: {failure}", file=sys.stderr)
            continue
        tried.append({"threads": len(cpus), "updates_per_second": [m["total"]["updates_per_second"] for m in made]})
    best = max((math.prod(t["updates_per_second"]) for t in tried), default=0)
    threads = next((t["threads"] for t in tried if math.prod(t["updates_per_second"]) >= best * 0.98**2), len(found[0]))
    return {
        "allowed": len(allowed),
        "cores_by_topology": len(cores),
        "quota": None if quota() == math.inf else quota(),
        "cpus": next(cpus for cpus in found if len(cpus) == threads),
        "tried": tried,
    }


# --- Runs ---


def options_of(processor, cpus):
    if processor == "gpu":
        return ["--backend", "device"]
    return ["--backend", "host", "--threads", "1" if processor == "one-thread" else str(len(cpus))]


def case_file(comparison, scratch):
    if not comparison.case.startswith("pipes"):
        return f"perf/cases/{comparison.case}.json"
    path = pathlib.Path(scratch) / "case.json"
    path.write_text(json.dumps(d3q27_pipes.case(comparison.case[-1])), encoding="utf-8")
    return str(path)


def make_run(program, comparison, settings, options, cpus, steps, extra=(), launcher=()):
    """The timing report of a run of so many steps, pinned to these CPUs unless there are none."""
    stop = {"steps": steps, "check_every": steps}
    words = [f"--set={key}={json.dumps(value, separators=(',', ':'))}"
             for key, value in {**QUIET, **comparison.settings, **settings, "stop": stop}.items()]
    # A thread stays with the memory that it touched first. Only these CPUs count as cores.
    environment = dict(os.environ)
    if cpus:
        environment.update(OMP_PROC_BIND="close", OMP_PLACES=",".join(f"{{{cpu}}}" for cpu in cpus))
    for name in ("OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"):
        environment.pop(name, None)
    with tempfile.TemporaryDirectory(prefix="knudsen-record-") as scratch:
        command = [*launcher, program, "run", case_file(comparison, scratch), *words, *options, "--output", f"{scratch}/out",
                   "--quiet", *extra]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment,
                                  timeout=LONGEST_RUN)
        except subprocess.TimeoutExpired as late:
            raise RunFailed(f"takes more than {LONGEST_RUN} s") from late
        if done.returncode != 0:
            said = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:]
            raise RunFailed(re.sub(r"^knudsen: error: (\S+\.json: )?", "", " ".join(said))[-300:] or
                            f"exit code {done.returncode}")
        return json.loads((pathlib.Path(scratch) / "out" / "timing.json").read_text(encoding="utf-8"))


def trusted(report):
    total, batches = report["total"], report["total"]["step_seconds"]
    return total["seconds"] >= 2 and batches["count"] >= (3 if batches.get("median", 0) > SLOW_STEP else 5)


def expected_rate(comparison, name, processor, cpus):
    label = report_label(comparison.method, comparison.group, name, "")
    one, gpu = next(EXPECTED[label[:n]] for n in range(len(label), 0, -1) if label[:n] in EXPECTED)
    rate = {"one-thread": one, "all-cores": 0.5 * one * len(cpus), "gpu": gpu}[processor]
    return rate * OF_PRECISION.get(comparison.settings.get("precision"), 1)


def steps_of(rate, updates, processor):
    """As many as the wanted seconds take at this rate; even, since schemes in place come in pairs of steps."""
    least = MIN_STEPS[processor] - (2 if updates / rate > SLOW_STEP else 0)
    steps = max(least, math.ceil(SECONDS * rate / updates))
    return steps + steps % 2


def spread_of(report):
    spread = report["total"]["step_seconds"]
    return (spread["upper_quartile"] - spread["lower_quartile"]) / spread["median"] if spread["count"] else math.inf


def rank(report):
    """The higher the better."""
    return trusted(report), quiet(report), -spread_of(report)


def measure(program, comparison, name, processor, cpus, spare):
    """A report that is trusted: of the runs made, the one whose batches differ least.

    `spare["seconds"]` are left for runs that are only repeated for their spread, and no run is begun that would
    last beyond `spare["until"]`.
    """
    settings, options = comparison.schemes[name], options_of(processor, cpus)
    updates = comparison.of_scheme.get(name, comparison.updates)
    rate = expected_rate(comparison, name, processor, cpus)
    if steps_of(rate, updates, processor) * updates / rate > spare["until"] - time.monotonic():
        raise RunFailed("no time was left")
    best = None
    for _ in range(MOST_RUNS):
        enough = best is not None and trusted(best)
        started = time.monotonic()
        report = make_run(program, comparison, settings, options, cpus, steps_of(rate, updates, processor))
        took = time.monotonic() - started
        if enough:
            spare["seconds"] -= took
        if best is None or rank(report) > rank(best):
            best = report
        if trusted(best) and (quiet(best) or took > min(LONGEST_REPEATED, spare["seconds"])):
            break
        if not trusted(report):
            rate = 1.1 * report["total"]["updates_per_second"]
    return best


def quiet(report):
    """Whether batches differ little, and the kernels' times add up to that of the run."""
    total = report["total"]
    return (spread_of(report) <= QUIET_SPREAD
            and abs(total.get("launch_and_idle_seconds", 0)) <= QUIET_SPREAD * total["seconds"])


def rate_text(report):
    total = report["total"]
    return (f"{total['updates_per_second'] / 1e6:10.1f} M {report['update_unit']}s/s, "
            f"{100 * total['bandwidth_share']:5.1f} % of copy, "
            f"spread {100 * spread_of(report):4.1f} %, {total['steps']} steps, {total['seconds']:.1f} s")


def machine():
    """A name that no other machine has, nor this one after it was started anew."""
    return hashlib.sha256(read("/proc/sys/kernel/random/boot_id").encode()).hexdigest()[:8]


def program_path(name):
    """A program from any folder: by its path, or by its name on PATH."""
    path = pathlib.Path(name)
    return str(path.resolve()) if path.exists() else name


def identity(program):
    """(build, whether it has a GPU) by what the program says of itself."""
    said = subprocess.run([program, "info"], capture_output=True, text=True, check=True).stdout
    build = {}
    for line in said.splitlines():
        key, _, value = line.partition(" ")
        if key in ("commit", "compiler", "Kokkos"):
            build[key] = value.strip()
        if key == "backends":
            backends = value
    return build, "cuda" in backends.lower() or "hip" in backends.lower()


def chosen_comparisons(only):
    wanted = [word for word in only.split(",") if word]
    known = sorted({comparison.method for comparison in COMPARISONS})
    for word in wanted:
        if word not in known:
            raise SystemExit(f"perf/papers record: no method {word!r}; there are {', '.join(known)}")
    return [c for c in COMPARISONS if not wanted or c.method in wanted]


def record(options):
    """Makes the runs of the chosen methods and keeps what the same build recorded before; the number of failures."""
    program = program_path(options.knudsen)
    folder = options.results / "one_machine"
    folder.mkdir(parents=True, exist_ok=True)
    chosen = chosen_comparisons(options.only)
    build, has_gpu = identity(program)
    start = time.monotonic()
    manifest = json.loads(read(folder / MANIFEST) or "{}")
    if manifest.get("build") != build:
        for path in folder.glob("*.json"):
            path.unlink()
        manifest = {"format": "knudsen-one-machine-1", "build": build, "cores": choose_cores(program),
                    "calls": [], "missing": {}}
    cpus = manifest["cores"]["cpus"]
    words = [f" --only {options.only}" if options.only else "", " --resume" if options.resume else ""]
    call = {"command": "perf/papers record" + "".join(words), "machine": machine(), "seconds": {}}
    manifest["calls"].append(call)
    print(f"{build}\n{manifest['cores']}", flush=True)
    if build.get("commit", "dirty").endswith("dirty"):
        print("perf/papers record: the program was built from a modified tree", file=sys.stderr)

    def keep():
        text = json.dumps(manifest, indent=2)
        text = re.sub(r"\[[\d,\s.e+]*\]", lambda found: re.sub(r"\s+", " ", found[0]), text)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")

    failures, spare = 0, {"seconds": MOST_REPEATED, "until": start + 60 * options.minutes}
    for comparison in chosen:
        print(f"{comparison.method} {comparison.group}, {comparison.grid}", flush=True)
        for name in comparison.schemes:
            for processor in comparison.processors:
                label = report_label(comparison.method, comparison.group, name, processor)
                path = folder / f"{label}.json"
                if options.resume and path.exists():
                    continue
                path.unlink(missing_ok=True)
                manifest["missing"].pop(label, None)
                began = time.monotonic()
                try:
                    if processor == "gpu" and not has_gpu:
                        raise RunFailed("this build has no GPU")
                    report = measure(program, comparison, name, processor, cpus, spare)
                except RunFailed as failure:
                    manifest["missing"][label] = str(failure)
                    print(f"  {label}: left out, {failure}", file=sys.stderr, flush=True)
                    failures += 1
                else:
                    path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
                    print(f"  {name:22} {processor:10} {rate_text(report)}, {time.monotonic() - began:.0f} s in all"
                          + ("" if trusted(report) else "; TOO SHORT"), flush=True)
                spent = call["seconds"]
                spent[comparison.method] = round(spent.get(comparison.method, 0) + time.monotonic() - began, 1)
                keep()
    print(", ".join(f"{method} {seconds:.0f} s" for method, seconds in call["seconds"].items()), flush=True)
    print(f"{time.monotonic() - start:.0f} s in all, {failures} left out", flush=True)
    return failures


def agree(first, second, tolerance=0.03, table=None):
    """Prints how far two recordings are apart, cell by cell, and returns the number of cells beyond the tolerance.

    Cells that both have are also written to the file `table` as CSV, whose rates pages show beside those of the
    first recording.
    """
    one, other = Recording(first), Recording(second)
    for folder, recording in ((first, one), (second, other)):
        if not recording.reports:
            raise SystemExit(f"perf/papers agree: {folder} holds no reports; name the folder one_machine of a recording")
    beyond, rows = 0, []
    for label in sorted(set(one.reports) | set(other.reports)):
        a, b = one.reports.get(label), other.reports.get(label)
        if a is None or b is None:
            print(f"{label:50} only in {first if b is None else second}")
            beyond += 1
            continue
        if a["sizes"] != b["sizes"]:
            print(f"{label:50} other sizes")
            beyond += 1
            continue
        rates = [report["total"]["updates_per_second"] for report in (a, b)]
        apart = rates[1] / rates[0] - 1
        share = one.share(a), other.share(b)
        beyond += abs(apart) > tolerance
        print(f"{label:50} rate {100 * apart:+6.2f} %, share {100 * share[0]:5.1f} and {100 * share[1]:5.1f} %"
              + ("  <--" if abs(apart) > tolerance else ""))
        if a != b:  # not one report in both
            rows.append(f"{label},{rates[0] / 1e6:.1f},{rates[1] / 1e6:.1f},{100 * apart:+.1f},"
                        f"{100 * spread_of(a):.1f},{100 * spread_of(b):.1f}")
    print(f"{beyond} cells are more than {100 * tolerance:g} % apart")
    if table:
        builds = ["; ".join(sorted({r["git_commit"] for r in recording.reports.values()})) for recording in (one, other)]
        machines = {call.get("machine") for recording in (one, other) for call in recording.manifest.get("calls", [])}
        head = [f"# perf/papers agree: rates of two recordings in million updates a second, of the commits {builds[0]} and "
                f"{builds[1]}, on {'one machine' if len(machines) == 1 else 'several machines'}",
                "# spread: interquartile range of the batches of steps over their median",
                "report,first,second,apart_percent,spread_first_percent,spread_second_percent"]
        table.write_text("\n".join(head + rows) + "\n", encoding="utf-8")
    return beyond
