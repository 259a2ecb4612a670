"""The campaigns. Each makes attempts, documents of JSON, and examines what the program does with one."""

import collections
import functools
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess

import samples
from mutation import TEXTS, Schema, damaged, mutate, random_damage, source_of
from limits import VALIDATE_BYTES, Finding, judge

try:
    import h5py
except ImportError:
    h5py = None  # fields are then not read

RUN_BYTES = 32e6  # stated memory of cases that are run
WALL_SECONDS = 5  # a run that is stopped by it is not compared
SHORT = {"steps": 3, "enough": 50}  # cases of more steps than enough are cut short
REFERENCE_SECONDS = 0.3  # of runs that are killed
MESSAGE_BYTES = 4000  # messages are shorter
NOT_FINITE = re.compile(r"\b(nan|inf)\b")


class Campaign:
    weight = 1

    def __init__(self, program, scratch, schema, references):
        self.program = program
        self.scratch = scratch
        self.schema = schema
        self.references = references  # by method, shared by all campaigns
        self.counts = collections.Counter()  # attempts by how the program ended
        self.stated_memory = []  # ratios of stated memory to what a run took more than `validate`
        self.groups = samples.cases_by_group()
        self.files = samples.files()

    def random_case(self, source, needs_files=False):
        while True:
            groups = self.groups[source.choice([*self.groups])]
            case = source.choice(groups[source.choice([*groups])])
            if not needs_files or "data/" in json.dumps(case):
                return case

    def write(self, attempt, folder):
        """Writes the case and the files that it names, damaged as the attempt says; returns all contents."""
        text = json.dumps(attempt["case"], ensure_ascii=False).encode("utf-8", "surrogateescape")
        contents = {"case.json": damaged(text, attempt.get("text", []))}
        for name in re.findall(r"data/([\w.]+)", text.decode("utf-8", "replace")):
            if name in self.files:
                content = self.files[attempt.get("instead", {}).get(name, name)]
                contents["data/" + name] = damaged(content, attempt.get("files", {}).get(name, []))
        for name, content in contents.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        return contents

    def judge(self, outcome, codes=(0, 1, 2), **options):
        self.counts[outcome.code] += 1
        return judge(outcome, codes, **options)

    def validate_and_run(self, attempt, folder):
        contents = self.write(attempt, folder)
        outcome = self.program.validate("case.json", "--json", folder=folder)
        finding = self.judge(outcome, codes=(0, 2), max_bytes=VALIDATE_BYTES)
        if finding or outcome.code != 0:
            return finding
        try:
            told = json.loads(outcome.output)
        except ValueError as error:
            return Finding("validate --json prints no JSON", str(error))
        for row in told["resolved"]:
            if re.search(r"\b(nan|inf)\b", row["value"]):
                return Finding("accepted", f"{row['name']} is {row['value']}")
        if not attempt["run"] or told["memory_bytes"] > RUN_BYTES:
            return None
        finding = self.run_twice(folder, told, outcome.peak_bytes)
        return finding or changed(folder, contents) or left_over(folder)

    def run_twice(self, folder, told, validate_bytes):
        """Runs a case with one thread and with two."""
        cut = ["--set", f"stop.steps={SHORT['steps']}"] if told["steps"] > SHORT["enough"] else []
        outcomes = []
        for threads in (1, 2):
            outcome = self.program.run("case.json", *cut, "--set", f"stop.wall_seconds={WALL_SECONDS}", "--threads",
                                       threads, "--output", f"out_{threads}", folder=folder)
            if finding := self.judge(outcome):
                return finding
            if outcome.code == 2 and not cut:
                return Finding("refused by run, not by validate", outcome.errors.strip())
            outcomes.append(outcome)
        if outcomes[0].code != outcomes[1].code:
            return Finding("threads change the exit code", f"{outcomes[0].code} and {outcomes[1].code}")
        if outcomes[0].code != 0:
            return None
        taken = outcomes[0].peak_bytes - validate_bytes
        if taken > 4e6:  # less is within the noise
            self.stated_memory.append(told["host_memory_bytes"] / taken)
        finding = not_finite(folder / "out_1")
        if not finding and max(outcome.seconds for outcome in outcomes) < WALL_SECONDS:
            finding = different(folder / "out_1", folder / "out_2", "threads change the bits")
        return finding

    def reference(self, method):
        """A case that runs for about REFERENCE_SECONDS, its results and the seconds that it took."""
        if method not in self.references:
            self.references[method] = self.make_reference(method)
        return self.references[method]

    def make_reference(self, method):
        name = {"lbm_d2q9": "poiseuille", "lbm_d3q27": "duct", "bgkw": "rarefied_couette",
                "shakhov": "rarefied_cavity_3d", "boltzmann": "boltzmann_cavity"}[method]
        case = dict(samples.frozen.all_cases()[f"inputs/{name}/double"])
        folder = self.scratch / f"reference_{method}"
        steps = 40
        for _ in range(2):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            case |= {"stop": {"steps": steps, "check_every": steps // 20}, "output": {
                "fields": {"every": steps // 4}, "series": {"every": steps // 20, "quantities": ["max_speed"]}},
                "checkpoint": {"every": steps // 10, "keep": 20, "at_end": True}}
            (folder / "case.json").write_text(json.dumps(case))
            outcome = self.program.run("case.json", "--threads", 1, "--output", "out", folder=folder)
            if outcome.code != 0:
                raise RuntimeError(f"{method}: {outcome.errors}")
            seconds = json.loads((folder / "out/timing.json").read_text())["total"]["seconds"]
            steps = 20 * math.ceil(min(2e5, steps * REFERENCE_SECONDS / seconds) / 20)
        return case, folder / "out", outcome.seconds

    def finish(self, folder, reference):
        """Continues a run that was stopped, from its latest checkpoint if it left any; compares the results."""
        begun = ["--restart", "out"] if checkpoints(folder / "out") else []
        outcome = self.program.run("case.json", "--threads", 1, "--output", "out", *begun, folder=folder)
        done = outcome.code == 2 and "already" in outcome.errors
        if not done and (finding := judge(outcome, codes=(0,))):
            return finding
        return different(reference, folder / "out", "a restart changes the results") or left_over(folder)


def checkpoints(folder):
    return sorted(folder.glob("checkpoint*.h5"))


def left_over(folder):
    for path in folder.rglob("*.tmp-*"):
        return Finding("a temporary file is left", path.name)
    return None


def changed(folder, contents):
    for name, content in contents.items():
        if not (folder / name).is_file() or (folder / name).read_bytes() != content:
            return Finding("a file of the user is changed", name)
    return None


def different(expected, found, kind):
    """Whether fields or series of two folders differ in a bit."""
    for path in sorted([*expected.glob("*.vtkhdf"), *expected.glob("*.csv")]):
        other = found / path.name
        if not other.exists():
            return Finding(kind, f"{path.name} is missing")
        if path.read_bytes() != other.read_bytes():
            return Finding(kind, path.name)
    return None


def not_finite(folder):
    """Whether a field has a value that is not finite in a node that has other fields, or is infinite."""
    for path in folder.glob("*.vtkhdf") if h5py else []:
        with h5py.File(path) as file:
            numbers = {name: field[()] for name, field in file["fields"].items() if field.dtype.kind == "f"}
        empty = {}
        for name, values in numbers.items():
            if abs(values).max() == math.inf:
                return Finding("a field is infinite", name)
            holes = values != values
            empty[name] = holes.reshape(*holes.shape[:3], -1).any(axis=3)
        for name, holes in empty.items():
            if holes.all() or name not in ("solid", "body", "position") and any(
                    (holes & ~other).any() for key, other in empty.items() if key not in ("solid", "body", "position")):
                return Finding("a field is not finite", name)
    return None


class Cases(Campaign):
    """One to four mutations of a small case, over the schema."""
    name = "cases"
    weight = 5

    def attempt(self, source):
        case = self.random_case(source)
        for _ in range(source.choice([1, 1, 2, 3, 4])):
            case = mutate(case, self.schema, source)
        text = [random_damage(source)] if source.random() < 0.06 else []
        return {"case": case, "text": text, "run": source.random() < 0.3}

    examine = Campaign.validate_and_run


class Geometry(Campaign):
    """Damaged STL files, images, node maps and tables of reference values."""
    name = "geometry"
    weight = 2

    def attempt(self, source):
        case = self.random_case(source, needs_files=True)
        names = sorted({name for name in re.findall(r"data/([\w.]+)", json.dumps(case))})
        instead = {name: source.choice([name, *samples.ALTERNATIVES.get(name, [])]) for name in names}
        damage = {name: [random_damage(source) for _ in range(source.choice([1, 1, 2, 4]))] for name in names}
        if source.random() < 0.3:
            case = mutate(case, self.schema, source)
        return {"case": case, "files": damage, "instead": instead, "run": source.random() < 0.3}

    examine = Campaign.validate_and_run


class Kills(Campaign):
    """Runs that signals stop at random times, up to three times, and that are then continued."""
    name = "kills"
    weight = 2

    def attempt(self, source):
        names = ["SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]
        return {"base": source.choice([*self.groups]), "kills": [
            [source.choice(names), source.uniform(0, 1.2)] for _ in range(source.choice([1, 1, 2, 3]))]}

    def examine(self, attempt, folder):
        case, reference, seconds = self.reference(attempt["base"])
        contents = self.write({"case": case}, folder)
        for name, share in attempt["kills"]:
            number = getattr(signal, name)
            begun = ["--restart", "out"] if checkpoints(folder / "out") else []
            was_there = (folder / "out" / "case.json").exists()
            outcome = self.program.run("case.json", "--threads", 1, "--output", "out", *begun, folder=folder,
                                       stop=(share * seconds, number))
            if outcome.code == 2 and "already" in outcome.errors:
                break
            # Before the program handles signals it prints nothing, and nothing can be lost.
            early = name == "SIGKILL" or not outcome.output
            if finding := self.judge(outcome, codes=(0, -number if early else 0, 128 + number)):
                return finding
            # A run that has written its case is past the set-up.
            stepped = not was_there and (folder / "out" / "case.json").exists()
            if outcome.code == 128 + number and stepped and not checkpoints(folder / "out"):
                return Finding("a signal leaves no checkpoint", name)
            if outcome.code == 0:
                break
        return self.finish(folder, reference) or changed(folder, contents)


class Checkpoints(Campaign):
    """Damaged checkpoints, and those of other cases, are refused or give the same results."""
    name = "checkpoints"

    def attempt(self, source):
        method = source.choice([*self.groups])
        other = source.choice([*self.groups]) if source.random() < 0.1 else method
        damage = [random_damage(source) for _ in range(source.choice([1, 1, 2, 4]))]
        return {"base": method, "of": other, "number": source.randrange(9), "damage": damage}

    def examine(self, attempt, folder):
        case, reference, _ = self.reference(attempt["base"])
        chosen = checkpoints(self.reference(attempt["of"])[1])[attempt["number"]]
        contents = self.write({"case": case}, folder)
        contents["damaged.h5"] = damaged(chosen.read_bytes(), attempt["damage"])
        (folder / "damaged.h5").write_bytes(contents["damaged.h5"])
        outcome = self.program.run("case.json", "--threads", 1, "--restart", "damaged.h5", "--output", "out",
                                   folder=folder)
        finding = self.judge(outcome, codes=(0, 2)) or changed(folder, contents) or left_over(folder)
        last = sorted(reference.glob("*.vtkhdf"))[-1]
        if not finding and outcome.code == 0 and (folder / "out" / last.name).read_bytes() != last.read_bytes():
            return Finding("a damaged checkpoint changes the results", last.name)
        return finding


class Disks(Campaign):
    """Disks that fill, imitated by a limit on the size of files and by a small file system in memory."""
    name = "disks"

    def attempt(self, source):
        kind = source.choice(["file", "file", "disk"]) if self.can_mount else "file"
        return {"base": source.choice([*self.groups]), "kind": kind, "share": source.uniform(0, 1.1)}

    @functools.cached_property
    def can_mount(self):
        place = self.scratch / "mounted"
        place.mkdir()
        return os.geteuid() == 0 and self.mount(place, 4096) and self.unmount(place)

    def mount(self, place, size):
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def unmount(self, place):
        return subprocess.run(["umount", place], capture_output=True, check=False).returncode == 0

    def examine(self, attempt, folder):
        case, reference, _ = self.reference(attempt["base"])
        contents = self.write({"case": case}, folder)
        out = folder / "out"
        sizes = [path.stat().st_size for path in reference.iterdir()]
        limits = []
        if attempt["kind"] == "file":
            limits = [(resource.RLIMIT_FSIZE, int(attempt["share"] * max(sizes)))]
        else:
            out.mkdir()
            self.mount(out, int(attempt["share"] * sum(sizes)))
        try:
            outcome = self.program.run("case.json", "--threads", 1, "--output", "out", folder=folder, limits=limits)
            finding = self.judge(outcome)
            if finding and finding.kind == "no message" and limits and limits[0][1] < MESSAGE_BYTES:
                finding = None  # the file that takes the messages has the same limit
            finding = finding or left_over(folder) or self.not_whole(out, reference)
        finally:
            if attempt["kind"] == "disk":
                self.unmount(out)
        if finding or attempt["kind"] == "disk":
            return finding
        return self.finish(folder, reference) or changed(folder, contents)

    def not_whole(self, out, reference):
        for path in [*out.glob("*.vtkhdf"), *out.glob("*.csv")]:
            whole = (reference / path.name).read_bytes()
            if not (whole.startswith(path.read_bytes()) if path.suffix == ".csv" else whole == path.read_bytes()):
                return Finding("a file is not whole", path.name)
        return None


class Environments(Campaign):
    """Variables of the environment, streams, users and names of files."""
    name = "environments"
    variables = {
        "OMP_NUM_THREADS": ["1", "2", "3", "0", "-1", "x", "100000", "2,2"], "OMP_DYNAMIC": ["true", "false", "x"],
        "OMP_PROC_BIND": ["true", "false", "close", "spread", "master"], "OMP_PLACES": ["cores", "threads", "{0}", "x"],
        "OMP_THREAD_LIMIT": ["1", "2", "0"], "OMP_STACKSIZE": ["64k", "1G", "x"], "OMP_SCHEDULE": ["dynamic", "x"],
        "OMP_MAX_ACTIVE_LEVELS": ["0", "1", "9"], "OMP_NESTED": ["true"], "OMP_WAIT_POLICY": ["active", "passive"],
        "OMP_CANCELLATION": ["true"], "GOMP_CPU_AFFINITY": ["0", "0-1", "99"],
        "KOKKOS_NUM_THREADS": ["1", "7", "x", "0"], "KOKKOS_NUMA": ["9"], "KOKKOS_DEVICE_ID": ["3"],
        "KOKKOS_DISABLE_WARNINGS": ["1"],
        "LC_ALL": ["C", "C.UTF-8", "de_DE.UTF-8", "nowhere"], "LANG": ["", "tr_TR.UTF-8"], "LC_NUMERIC": ["de_DE"],
        "TMPDIR": ["", "/nowhere", "/dev/null"], "HOME": ["", "/nowhere"], "PATH": [""], "TERM": ["", "dumb", "x"],
        "COLUMNS": ["0", "-5", "x"], "NO_COLOR": ["1"], "HDF5_USE_FILE_LOCKING": ["FALSE"], "TZ": ["nowhere"],
    }
    names = ["a b.json", "\u00e4\u4e2d.json", "a\nb.json", "-a.json", "--help", ".json", "case", "x" * 200 + ".json",
             "a\udcff.json", "a'b\".json", "%s.json", "a,b=c.json"]

    def attempt(self, source):
        chosen = source.sample([*self.variables], source.choice([0, 1, 1, 2, 4]))
        streams = ["", "", "", "no stdin", "no stdout", "no stderr", "full stdout", "full stderr", "closed pipe"]
        return {"base": source.choice([*self.groups]), "stream": source.choice(streams),
                "environment": {name: source.choice(self.variables[name]) for name in chosen},
                "threads": source.choice([[], [], [1], [2], [3]]), "command": source.choice(["run", "validate"]),
                "file": source.choice(["case.json"] * 3 + self.names), "locked": source.random() < 0.1}

    def examine(self, attempt, folder):
        case, reference, _ = self.reference(attempt["base"])
        name, stream = attempt["file"], attempt["stream"]
        file = os.path.join(os.fsencode(folder), os.fsencode(name))
        with open(file, "w", encoding="utf-8") as opened:
            json.dump(case, opened)

        def setup():
            for closed, number in (("no stdin", 0), ("no stdout", 1), ("no stderr", 2)):
                if stream == closed:
                    os.close(number)
            if attempt["locked"] and os.geteuid() == 0:
                os.setuid(65534)

        options = ["--threads", *attempt["threads"]] if attempt["threads"] else []
        if attempt["command"] == "run":
            options += ["--output", "out", "--no-bandwidth"]
        if name.startswith("-"):
            options += ["--"]
        streams = {}
        if attempt["locked"]:
            folder.chmod(0o555)
        with open("/dev/full", "wb") as full:
            if stream.startswith("full"):
                streams[stream.removeprefix("full ")] = full
            if stream == "closed pipe":
                reading, writing = os.pipe()
                os.close(reading)
                streams["stdout"] = writing
            try:
                outcome = self.program.call(attempt["command"], *options, name, folder=folder, setup=setup,
                                            environment=attempt["environment"], **streams)
            except PermissionError:
                return None  # the program is where another user cannot start it
            finally:
                if stream == "closed pipe":
                    os.close(writing)
                folder.chmod(0o755)
        codes = (0, 1, 2, 128 + signal.SIGPIPE, -signal.SIGPIPE if stream == "closed pipe" else 0)
        finding = self.judge(outcome, codes)
        if finding and finding.kind == "no message" and stream.endswith("stderr"):
            finding = None
        if not finding and stream == "full stdout" and outcome.code == 0:
            finding = Finding("output that cannot be written is success", attempt["command"])
        if not finding and outcome.code == 0 and attempt["command"] == "run":
            finding = different(reference, folder / "out", "the environment changes the results")
        return finding or left_over(folder)


class Commands(Campaign):
    """Random command lines."""
    name = "commands"
    words = [["--help"], ["--version"], ["--quiet"], ["--json"], ["--markdown"], ["--no-html"], ["--no-bandwidth"],
             ["--require-convergence"], ["--"], ["-x"], ["--set"], ["--threads"], ["--output"], [""], ["case.json"],
             ["case.json"], ["nothing.json"], ["."], ["data"], ["report.json"], ["--html", "page.html"],
             ["--html", "case.json"], ["--html", "report.json"], ["--html", "no/page.html"], ["--html", ""],
             ["--output", "out"], ["--output", "."], ["--output", "case.json"], ["--output", ""],
             ["--output", "a/b/../c"], ["--output", "x" * 300], ["--restart", ""], ["--restart", "out"],
             ["--restart", "."], ["--restart", "report.json"], ["--restart", "case.json"], ["--backend", "openmp"],
             ["--backend", "cuda"], ["--backend", ""], ["--backend", "host"]]
    sets = ["", "=", "a", "a=", "=1", "a.b=1", "stop.steps=3", "stop.steps=-1", "stop=1", "stop.steps", "title=\udcff",
            "geometry.solids[0].radius=3", "geometry.solids[99999999999]=3", "geometry.solids[-1]=3", "a[=1", "a]=1",
            "domain.nodes=[1,2", "domain.nodes[0]=3", "$schema=1", "stop.steps=1e999", "title=" + "x" * 70000,
            "a" + ".a" * 20000 + "=1", "title=" + "[" * 20000, "output.directory=.", "stop.criteria[0].tolerance=1"]

    def attempt(self, source):
        words = [[source.choice(["run", "run", "validate", "validate", "compare", "info", "list", "schema", "rnu", ""])]]
        for _ in range(source.randrange(6)):
            more = [["--set", source.choice(self.sets)], ["--threads", source.choice("0 1 2 600 65536 99999 x".split())],
                    [source.choice(TEXTS[:-9]).replace("\0", "")]]
            words.append(source.choice([*self.words, *more, *more, *more]))
        return {"case": self.random_case(source), "words": words}

    def examine(self, attempt, folder):
        contents = self.write(attempt, folder)
        contents["report.json"] = next((samples.ROOT / "perf/results").rglob("*.json")).read_bytes()
        (folder / "report.json").write_bytes(contents["report.json"])
        outcome = self.program.call(*(word for words in attempt["words"] for word in words), folder=folder)
        return self.judge(outcome) or changed(folder, contents) or left_over(folder)


class Reports(Campaign):
    """Damaged and mutated timing reports, compared."""
    name = "reports"

    def attempt(self, source):
        names = [str(path.relative_to(samples.ROOT)) for path in (samples.ROOT / "perf/results").rglob("*.json")]
        return {"reports": source.sample(sorted(names), source.choice([2, 2, 3])), "mutations": source.randrange(4),
                "seed": source.randrange(2**32), "damage": [random_damage(source)] * (source.random() < 0.4)}

    def examine(self, attempt, folder):
        source = source_of(attempt["seed"])
        documents = [json.loads((samples.ROOT / name).read_text()) for name in attempt["reports"]]
        for _ in range(attempt["mutations"]):
            documents[0] = mutate(documents[0], Schema({}), source)
        contents = {}
        for number, document in enumerate(documents):
            content = json.dumps(document).encode()
            contents[f"report_{number}.json"] = damaged(content, attempt["damage"] if number == 0 else [])
        for name, content in contents.items():
            (folder / name).write_bytes(content)
        outcome = self.program.call("compare", *contents, folder=folder, time_limit=10)
        finding = self.judge(outcome, codes=(0, 2), max_bytes=VALIDATE_BYTES) or changed(folder, contents)
        # A damaged name of a machine or a version may be "nan".
        text = {word for content in contents.values() for word in re.findall(rb'"[^"]*"', content)}
        named = any(NOT_FINITE.search(word.decode(errors="replace")) for word in text)
        if not finding and not named and NOT_FINITE.search(outcome.output):
            finding = Finding("accepted", "nan or inf in the tables")
        return finding or left_over(folder)


ALL = [Cases, Geometry, Kills, Checkpoints, Disks, Environments, Commands, Reports]
