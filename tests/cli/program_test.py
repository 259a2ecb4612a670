"""Black-box tests of the program: exit codes, messages, files, signals and restarts.

Uses only the standard library. The environment variable KNUDSEN_PROGRAM names the program.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from small_cavity import SMALL_CAVITY

PROGRAM = os.environ["KNUDSEN_PROGRAM"]
INPUTS = pathlib.Path(__file__).resolve().parents[2] / "inputs"
CASES = INPUTS.parent / "perf" / "cases"
MANY_STEPS = 10**12

CAVITY = {
    **SMALL_CAVITY,
    "stop": {"steps": 200, "check_every": 50},
    "output": {"series": {"quantities": ["kinetic_energy", "velocity_change"]}},
}


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="knudsen-cli-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.write_case(CAVITY)

    def write_case(self, case, name="cavity.json"):
        text = case if isinstance(case, str) else json.dumps(case)
        (self.directory / name).write_text(text)

    def call(self, *arguments, **options):
        return subprocess.run([PROGRAM, *arguments], cwd=self.directory, text=True,
                              capture_output=True, timeout=120, **options)

    def call_run(self, *arguments, case="cavity.json", **options):
        return self.call("run", case, "--threads", "1", "--no-bandwidth", *arguments, **options)

    def run_well(self, *arguments, **options):
        done = self.call_run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def expect_failure(self, code, done, *parts):
        """Expects the exit code and an error message that contains `parts`."""
        self.assertEqual(done.returncode, code, done.stderr)
        errors = [line for line in done.stderr.splitlines() if "warning:" not in line]
        self.assertTrue(errors and errors[0].startswith("knudsen: error: "), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertEqual(list(self.directory.rglob("*.tmp-*")), [])

    def expect_bad_case(self, *parts, sets=(), case="cavity.json"):
        """Expects that `validate` and `run` both refuse the case and write nothing."""
        before = self.contents()
        words = [word for each in sets for word in ("--set", each)]
        self.expect_failure(2, self.call("validate", case, *words), *parts)
        self.expect_failure(2, self.call_run(*words, case=case), *parts)
        self.assertEqual(self.contents(), before)

    def contents(self, folder="."):
        """The bytes of all files by path."""
        root = self.directory / folder
        return {str(path.relative_to(root)): path.read_bytes()
                for path in sorted(root.rglob("*")) if path.is_file()}

    def skip_without_gpu(self):
        if "is not in this build" in self.call("run", "cavity.json", "--backend", "device").stderr:
            self.skipTest("no backend for a GPU")

    def table(self, name):
        lines = (self.results() / name).read_text().splitlines()
        rows = [line for line in lines if not line.startswith("#")]
        return lines[0], [[float(word) for word in row.split(",")] for row in rows[1:]]

    def results(self):
        return self.directory / "results" / "cavity"


class CommandLine(ProgramTest):
    def test_help_has_examples(self):
        for command in ("run", "validate", "compare", "info", "list", "schema"):
            done = self.call(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stdout, rf"Examples?:\n  knudsen {command}")
        self.assertIn("Examples:", self.call("--help").stdout)

    def test_version(self):
        done = self.call("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^knudsen \d+\.\d+\.\d+ \(")

    def test_no_command(self):
        self.expect_failure(2, self.call(), "subcommand")

    def test_unknown_command(self):
        self.expect_failure(2, self.call("rnu", "cavity.json"), '"rnu"', 'did you mean "run"')

    def test_unknown_option(self):
        self.expect_failure(2, self.call("run", "cavity.json", "--fast"), "--fast")

    def test_no_case(self):
        self.expect_failure(2, self.call("run"), "case")

    def test_threads_out_of_range(self):
        self.expect_failure(2, self.call("run", "cavity.json", "--threads", "0"), "--threads")

    def test_more_threads_than_can_be_had(self):
        for threads in ("513", "65536", "99999999999"):
            done = self.call("validate", "cavity.json", "--threads", threads)
            self.expect_failure(2, done, "--threads", threads, "512")

    @staticmethod
    def host_threads(info):
        """What `info` says of the threads of the host; a GPU stands before it."""
        return info.stdout.rsplit("  threads", 1)[1].splitlines()[0].strip()

    def test_threads_of_the_environment(self):
        def threads(*words, **variables):
            done = self.call("info", "--no-bandwidth", *words, env=dict(os.environ, **variables))
            self.assertEqual(done.returncode, 0, done.stderr)
            return int(self.host_threads(done).split()[0])

        for name in ("OMP_NUM_THREADS", "KOKKOS_NUM_THREADS", "OMP_THREAD_LIMIT"):
            os.environ.pop(name, None)
        self.assertEqual(threads("--threads", "2", OMP_DYNAMIC="true"), 2)
        self.assertEqual(threads("--threads", "2", OMP_MAX_ACTIVE_LEVELS="0"), 2)
        self.assertEqual(threads("--threads", "2", KOKKOS_NUM_THREADS="7"), 2)
        self.assertEqual(threads("--threads", "2", KOKKOS_DISABLE_WARNINGS="no"), 2)
        self.assertEqual(threads(KOKKOS_NUM_THREADS="3", OMP_NUM_THREADS="2"), 3)
        self.assertEqual(threads(OMP_NUM_THREADS="2,1"), 2)
        self.assertEqual(threads(OMP_THREAD_LIMIT="1"), 1)

    def test_threads_that_the_environment_forbids(self):
        for name, value in (("OMP_THREAD_LIMIT", "1"), ):
            done = self.call("validate", "cavity.json", "--threads", "2",
                             env=dict(os.environ, **{name: value}))
            self.expect_failure(2, done, "--threads: found 2 threads", name)
        for name, value in (("OMP_NUM_THREADS", "1000"), ("KOKKOS_NUM_THREADS", "abc"),
                            ("KOKKOS_NUM_THREADS", "0")):
            done = self.call("validate", "cavity.json", env=dict(os.environ, **{name: value}))
            self.expect_failure(2, done, name, value, "512" if value == "abc" else "")

    def test_threads_that_the_system_refuses(self):
        def little_memory():  # for the stacks of some dozens of threads
            resource.setrlimit(resource.RLIMIT_STACK, (64 << 20, 64 << 20))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

        done = self.call("validate", "cavity.json", "--threads", "500", preexec_fn=little_memory)
        self.expect_failure(2, done, "refuses to start 500 threads", "--threads", "ulimit -u")

    def test_bound_threads_use_all_cores(self):
        """OpenMP has bound the main thread to one core before the program counts them."""
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2 or len(cores) > 512:
            self.skipTest("needs 2 to 512 cores")

        def threads(cores, **variables):
            environment = {key: value for key, value in os.environ.items()
                           if not key.startswith(("OMP_", "KOKKOS_"))}
            done = self.call("info", "--no-bandwidth", env=dict(environment, **variables),
                             preexec_fn=lambda: os.sched_setaffinity(0, cores))
            self.assertEqual(done.returncode, 0, done.stderr)
            return self.host_threads(done)

        free = threads(cores)
        if "CPU quota" in free:
            self.skipTest("the CPU quota is smaller")
        self.assertTrue(free.startswith(f"{len(cores)} on {len(cores)} cores ("), free)
        self.assertTrue(free.endswith("not bound"), free)
        for variables in ({"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "threads"},
                          {"OMP_PROC_BIND": "spread", "OMP_PLACES": "threads"}):
            bound = threads(cores, **variables)
            self.assertTrue(bound.startswith(f"{len(cores)} on {len(cores)} cores ("), bound)
            self.assertIn(f"bound to {len(cores)} places", bound)
        one = threads(cores[1:2], OMP_PROC_BIND="true")
        self.assertTrue(one.startswith(f"1 on 1 core ({cores[1]}), bound to 1 place"), one)
        self.assertTrue(threads(cores[1:2]).startswith(f"1 on 1 core ({cores[1]}), not bound"))

    def test_standard_output_that_cannot_be_written(self):
        self.run_well("--output", "one")
        self.run_well("--output", "two")
        for words in (["--help"], ["list"], ["schema"], ["schema", "--markdown"],
                      ["info", "--no-bandwidth"], ["validate", "cavity.json"],
                      ["validate", "cavity.json", "--json"],
                      ["compare", "one/timing.json", "two/timing.json", "--no-html"],
                      ["run", "cavity.json"]):
            for target in ("/dev/full", "pipe", "closed"):
                reader, writer = os.pipe()
                os.close(reader)
                with open("/dev/full", "w") as full:
                    stream = {"/dev/full": full, "pipe": writer, "closed": None}[target]
                    done = subprocess.run(
                        [PROGRAM, *words], cwd=self.directory, text=True, timeout=120,
                        stdout=stream, stderr=subprocess.PIPE,
                        preexec_fn=(lambda: os.close(1)) if target == "closed" else None)
                os.close(writer)
                with self.subTest(words=words, target=target):
                    self.expect_failure(1, done, "standard output: cannot be written")
        self.assertFalse(self.results().exists())

    def test_unknown_backend(self):
        self.expect_failure(2, self.call("run", "cavity.json", "--backend", "abacus"), "abacus",
                            "it has: ")

    def test_info(self):
        done = self.call("info", "--threads", "1", "--no-bandwidth")
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("version", "commit", "compiler", "Kokkos", "backends", "memory"):
            self.assertIn(part, done.stdout)

    def test_info_measures_bandwidth(self):
        done = self.call("info", "--threads", "1")
        self.assertRegex(done.stdout, r"copy bandwidth +[\d.]+ GB/s")

    def test_list(self):
        done = self.call("list")
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("lbm_d2q9", "Gomes 2016", "shared-memory", "trt", "viridis",
                     "half-range", "hard-sphere", "reversible, one-way", "<side>.mass_flux",
                     "<solid>.drag_coefficient", "<plane>.flow_rate"):
            self.assertIn(part, done.stdout)
        plane, space = (re.sub(" +", " ", text) for text in done.stdout.split("\n\n")[:2])
        for text in (plane, space):
            for line in ("monitors with a body force or flow_control permeability\n",
                         "monitors with collision.flow_control driving_force\n",
                         "fields with heat temperature\n",
                         "monitors with heat mean_temperature, <side>.heat_flow, <solid>.heat_flow\n",
                         "monitors with heat.temperature_difference <side>.nusselt_number\n",
                         "monitors with geometry.solids.conduction <solid>.mean_temperature\n",
                         "monitors with scalars mean_<scalar>, min_<scalar>, max_<scalar>, <side>.<scalar>_flow, "
                         "<solid>.<scalar>_flow"):
                self.assertIn(line, text + "\n")
        self.assertIn("fields with collision.wale eddy_viscosity\n", space)
        self.assertIn("permeability_si", space)

    def test_schema(self):
        schema = json.loads(self.call("schema").stdout)
        self.assertIn("stop", schema["properties"])
        self.assertIn("## `stop`", self.call("schema", "--markdown").stdout)

    def test_validate(self):
        done = self.call("validate", "cavity.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"Reynolds number +50\b")
        self.assertRegex(done.stdout, r"memory .* free")
        self.assertFalse(self.results().exists())

    def test_validate_json(self):
        done = self.call("validate", "cavity.json", "--json", "--set", "fluid.reynolds=40")
        report = json.loads(done.stdout)
        values = {each["name"]: each["value"] for each in report["resolved"]}
        self.assertEqual(values["Reynolds number"], "40")
        self.assertEqual(report["sizes"]["nodes"], 480)
        self.assertGreater(report["memory_bytes"], 480 * 9 * 8)


class BadCase(ProgramTest):
    def test_missing_file(self):
        self.expect_bad_case("none.json: no such file", case="none.json")

    def test_broken_json(self):
        self.write_case('{\n  "method": "lbm_d2q9",\n  "domain" [64, 64]\n}', "broken.json")
        self.expect_bad_case("broken.json:3:12: ", case="broken.json")

    def test_unknown_method(self):
        self.expect_bad_case("method: ", '"lbm_d2q8"', '"lbm_d2q9"', sets=["method=lbm_d2q8"])

    def test_control_characters_are_escaped(self):
        self.expect_bad_case('found "a\\nb\\x1b[1m"', sets=['method="a\\nb\\u001b[1m"'])

    def test_unknown_key(self):
        self.expect_bad_case('fluid: unknown key "reynold"', 'did you mean "reynolds"',
                             sets=["fluid.reynold=1"])

    def test_unknown_top_level_key(self):
        self.expect_bad_case('"stopp"', 'did you mean "stop"', sets=["stopp.steps=1"])

    def test_unknown_side(self):
        self.expect_bad_case('boundaries: unknown key "nort"', '"north"',
                             sets=["boundaries.nort.type=wall"])

    def test_unknown_boundary(self):
        self.expect_bad_case("boundaries.north.type: ", '"wal"', 'did you mean "wall"',
                             sets=["boundaries.north.type=wal"])

    def test_probe_in_a_solid(self):
        solids = json.dumps([{"name": "ball", "shape": "circle", "centre": [12, 10], "radius": 3}])
        point = {"name": "p", "at": [0.5, 0.5], "quantities": ["velocity"]}
        line = {"name": "l", "kind": "line", "begin": [0.45, 0.5], "end": [0.55, 0.5], "points": 3,
                "quantities": ["velocity"]}
        for probe, parts in ((point, ["probes[0].at: is in a solid, node (12, 10)"]),
                             (line, ["probes[0].end: all points are in solids", "node (10, 10)"])):
            self.expect_bad_case(*parts, "move the probe into the fluid",
                                 sets=[f"geometry.solids={solids}",
                                       "output.probes=" + json.dumps([probe])])

    def test_probe_outside_of_the_domain(self):
        point = {"name": "p", "at": [0.5, 1.01], "quantities": ["velocity"]}
        self.expect_bad_case("output.probes[0].at[1]: found 1.01, must be from 0 to 1",
                             sets=["output.probes=" + json.dumps([point])])

    def test_unknown_average(self):
        self.expect_bad_case("output.statistics.rms[0]: ", 'did you mean "velocity_x"',
                             sets=['output.statistics={"rms":["velocity_X"]}'])

    def test_negative_size(self):
        self.expect_bad_case("domain.nodes[0]: found -24", "must be from 1 to",
                             sets=["domain.nodes=[-24,20]"])

    def test_relaxation_time_of_a_half(self):
        self.expect_bad_case("fluid.relaxation_time: found 0.5", "greater than 0.5",
                             sets=['fluid={"relaxation_time":0.5}'])

    def test_mach_number_too_high(self):
        self.expect_bad_case("fluid.velocity: ", "Mach number 0.3464", "at most 0.3",
                             sets=["fluid.velocity=0.2"])

    def test_mach_number_high(self):
        done = self.run_well("--set", "fluid.velocity=0.1", "--quiet")
        self.assertIn("knudsen: warning: fluid.velocity", done.stderr)
        self.assertIn("Mach number 0.1732", done.stderr)

    def test_image_of_the_wrong_size(self):
        (self.directory / "porous.txt").write_text("3 2 1\n0 1 0 0 0 0\n")
        solid = '[{"shape":"node-map","name":"rock","file":"porous.txt"}]'
        self.expect_bad_case("geometry.solids[0]", "3", "24", sets=[f"geometry.solids={solid}"])

    def test_missing_image(self):
        solid = '[{"shape":"image","name":"rock","file":"none.png"}]'
        self.expect_bad_case("geometry.solids[0].file", "none.png",
                             sets=[f"geometry.solids={solid}"])

    def test_more_memory_than_there_is(self):
        case = dict(CAVITY, domain={"nodes": [46000, 46000]})
        self.write_case(case, "huge.json")
        done = self.call("validate", "huge.json", "--json")
        report = json.loads(done.stdout)
        if report["memory_bytes"] < report["memory_total_bytes"]:
            self.skipTest("this machine has the memory")
        self.expect_bad_case("huge.json: needs", "GB of memory", "free", case="huge.json")

    def test_title_that_no_file_can_hold(self):
        self.expect_bad_case("title: ", "70000 bytes", sets=["title=" + "x" * 70000])

    def test_profile_name_that_no_file_can_have(self):
        profile = json.dumps([{"name": "x" * 245, "quantity": "velocity_x", "along": "y"}])
        self.expect_bad_case("output.profiles[0].name", "at most 100",
                             sets=[f"output.profiles={profile}"])

    def test_title_that_is_not_utf_8(self):
        title = b"title=a\xff".decode("utf-8", "surrogateescape")
        for done in (self.call("validate", "cavity.json", "--json", "--set", title),
                     self.call_run("--set", title, "--quiet")):
            self.assertIn(done.returncode, (0, 2), done.stderr)
            self.assertNotIn("json.exception", done.stderr)

    def test_unknown_quantities(self):
        self.expect_bad_case("output.fields.quantities[0]", '"velocty"', '"velocity"',
                             sets=['output.fields.quantities=["velocty"]'])
        self.expect_bad_case("output.series.quantities[0]", '"mas"', '"mass"',
                             sets=['output.series.quantities=["mas"]'])

    def test_no_steps(self):
        self.expect_bad_case("stop.steps: found 0", "at least 1", sets=["stop.steps=0"])

    def test_setting_without_a_value(self):
        self.expect_bad_case("--set stop.steps", sets=["stop.steps"])

    def test_setting_of_another_type(self):
        self.expect_bad_case("stop.steps: found", '"many"', sets=["stop.steps=many"])

    def test_reference_without_the_column(self):
        (self.directory / "reference.csv").write_text("y,u\n0.5,0\n")
        profiles = json.dumps([{"name": "u", "quantity": "velocity_x", "along": "y",
                                "reference": {"file": "reference.csv", "position": "y",
                                              "value": "v"}}])
        self.expect_bad_case("reference.csv: has no column 'v'",
                             sets=[f"output.profiles={profiles}"])


class BadRestart(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_well("--set", "checkpoint.at_end=true")
        self.checkpoint = self.results() / "checkpoint_000000200.h5"

    def expect_refused(self, path, *parts, sets=("stop.steps=400",)):
        before = self.contents()
        words = [word for each in sets for word in ("--set", each)]
        self.expect_failure(2, self.call_run("--restart", str(path), *words), str(path), *parts)
        self.assertEqual(self.contents(), before)

    def test_missing_file(self):
        self.expect_refused("none.h5", "no such checkpoint")

    def test_text_file(self):
        self.expect_refused("cavity.json", "not an HDF5 file")

    def test_field_file(self):
        self.expect_refused(self.results() / "fields_000000200.vtkhdf", "not a Knudsen checkpoint")

    def test_directory_without_checkpoints(self):
        (self.directory / "empty").mkdir()
        self.expect_refused("empty", "holds no checkpoint")

    def test_truncated_file(self):
        content = self.checkpoint.read_bytes()
        for share in (0.1, 0.5, 0.99):
            truncated = self.directory / "truncated.h5"
            truncated.write_bytes(content[:int(share * len(content))])
            self.expect_refused(truncated)

    def test_damaged_file(self):
        content = bytearray(self.checkpoint.read_bytes())
        content[len(content) // 2] ^= 4
        damaged = self.directory / "damaged.h5"
        damaged.write_bytes(content)
        self.expect_refused(damaged, "damaged")

    def test_nothing(self):
        self.expect_failure(2, self.call_run("--restart", ""), "--restart: is empty")

    def test_link_to_nowhere(self):
        (self.directory / "links").mkdir()
        (self.directory / "links" / "checkpoint_9.h5").symlink_to("nowhere")
        self.expect_refused("links", "holds no checkpoint")

    def test_series_of_another_case(self):
        self.run_well("--set", "fluid.reynolds=40", "--output", "other")
        before = self.contents()
        done = self.call_run("--restart", "results/cavity", "--output", "other", "--set",
                             "stop.steps=400")
        self.expect_failure(2, done, "other/series.csv: cannot be continued", "another case")
        self.assertEqual(self.contents(), before)

    def test_other_case(self):
        self.expect_refused(self.checkpoint, "another case",
                            "(fluid.reynolds is 40 and was 50)", sets=["fluid.reynolds=40", "stop.steps=400"])
        self.expect_refused(self.checkpoint, "(boundaries.north.velocity[0] is 0.5 and was 1, "
                            'collision.operator is "trt" and was nothing, domain.nodes[0] is 25 and was 24, and 1 more)',
                            sets=["fluid.reynolds=40", "stop.steps=400", "collision.operator=trt",
                                  "domain.nodes[0]=25", "boundaries.north.velocity[0]=0.5"])

    def test_nothing_left_to_do(self):
        self.expect_refused(self.checkpoint, "at step 200 already", sets=[])


class BadOutput(ProgramTest):
    def test_directory_below_a_file(self):
        before = self.contents()
        self.expect_failure(2, self.call_run("--output", "cavity.json/results"),
                            "cavity.json/results")
        self.assertEqual(self.contents(), before)

    def test_directory_is_a_file(self):
        before = self.contents()
        self.expect_failure(2, self.call_run("--output", "cavity.json"), "not a directory")
        self.assertEqual(self.contents(), before)

    def expect_kept(self, done, *parts):
        self.expect_failure(2, done, *parts)
        self.assertEqual(self.contents(), self.before)

    def test_the_case_file_is_kept(self):
        self.write_case(CAVITY, "case.json")
        self.before = self.contents()
        self.expect_kept(self.call_run("--output", ".", "--set", "fluid.reynolds=40",
                                       case="case.json"), "./case.json: is read by this command")
        self.expect_kept(self.call_run("--output", ".", "--set", "fluid.reynolds=40"),
                         "./case.json: exists and was not written")
        # Without overrides there is nothing to replace.
        self.run_well("--output", ".", case="case.json")
        self.assertEqual(self.contents()["case.json"], self.before["case.json"])

    def test_references_are_kept(self):
        (self.directory / "profile_u.csv").write_text("y,u\n0.5,0.5\n")
        profiles = json.dumps([{"name": "u", "quantity": "velocity_x", "along": "y",
                                "reference": {"file": "profile_u.csv", "position": "y",
                                              "value": "u"}}])
        self.before = self.contents()
        self.expect_kept(self.call_run("--output", ".", "--set", f"output.profiles={profiles}"),
                         "./profile_u.csv: is read by this command", "choose another --output")

    def test_reports_are_kept(self):
        self.run_well("--output", "one")
        self.run_well("--output", "two")
        (self.directory / "notes.html").write_text("<p>Notes</p>")
        self.before = self.contents()
        for page, reason in (("one/timing.json", "is read by this command"),
                             ("two/case.json", "was not written"), ("notes.html", "was not written")):
            self.expect_kept(self.call("compare", "one/timing.json", "two/timing.json", "--html",
                                       page), page, reason, "choose another --html")
        for _ in range(2):
            done = self.call("compare", "one/timing.json", "two/timing.json", "--html", "page.html")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_no_directory(self):
        self.expect_failure(2, self.call_run("--output", ""), "--output: is empty")

    def test_limit_on_the_size_of_files(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        self.expect_failure(1, self.call_run(preexec_fn=limit), "results/cavity/", "File too large")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_directory_without_permission(self):
        (self.directory / "locked").mkdir(mode=0o500)
        self.expect_failure(2, self.call_run("--output", "locked"), "locked")

    def test_full_disk_harms_no_earlier_file(self):
        """Imitates a full disk: no file may grow beyond a few bytes."""
        self.run_well()
        before = self.contents("results")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

        self.expect_failure(1, self.call_run("--set", "title=Another", preexec_fn=limit), "results")
        self.assertEqual(self.contents("results"), before)


class Running(ProgramTest):
    def test_files_and_summary(self):
        done = self.run_well("--set", 'output.snapshots.pictures=[{"quantity":"speed"}]',
                             "--set", "output.fields.every=100")
        self.assertEqual(sorted(self.contents("results/cavity")),
                         ["case.json", "fields_000000000.vtkhdf", "fields_000000100.vtkhdf",
                          "fields_000000200.vtkhdf", "series.csv", "speed_000000200.png",
                          "timing.json"])
        for part in ("Small cavity", "at step 200: all steps are done", "node updates/s",
                     "results/cavity", "timing.json"):
            self.assertIn(part, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_rate_on_screen_is_that_of_the_report(self):
        done = self.run_well("--set", "stop.steps=20000", "--set", "output.fields.write=false")
        report = json.loads((self.results() / "timing.json").read_text())
        rate = report["total"]["updates_per_second"]
        shown = float(done.stdout.split("rate")[1].split()[0])
        unit = done.stdout.split("rate")[1].split()[1]
        self.assertAlmostEqual(shown * {"k": 1e3, "M": 1e6, "G": 1e9}[unit] / rate, 1, places=3)
        self.assertEqual(report["total"]["steps"], 20000)
        self.assertEqual(report["threads"], 1)

    def test_monitors_are_averaged_over_the_series(self):
        series = ("--set", 'output.series={"every":2,"quantities":["kinetic_energy"],"average_from":101}')
        done = self.run_well(*series)
        self.assertIn("kinetic_energy.mean ", done.stdout)
        self.assertIn("warning: output.series.average_from: the mean_error of kinetic_energy", done.stdout)
        results = json.loads((self.results() / "timing.json").read_text())["results"]
        values = [row[1] for row in self.table("series.csv")[1] if row[0] >= 101]
        mean = sum(values) / len(values)
        self.assertAlmostEqual(float(results["kinetic_energy.mean"].split()[0]), mean, delta=1e-13 * mean)
        # The same from a series of two runs.
        self.run_well(*series, "--set", "stop.steps=150", "--set", "checkpoint.at_end=true", "--output", "two")
        self.run_well(*series, "--restart", "two", "--output", "two")
        again = json.loads((self.directory / "two" / "timing.json").read_text())["results"]
        self.assertEqual(again, results)

    def test_few_rows_have_no_average(self):
        done = self.run_well("--set", 'output.series={"every":10,"quantities":["mass"],"average_from":100}')
        self.assertIn("series.csv has 11 rows since step 100, averages need 32", done.stdout)
        self.assertNotIn("mass.mean", done.stdout)

    def test_bandwidth_is_measured(self):
        done = self.call("run", "cavity.json", "--threads", "1")
        self.assertIn("of a copy's", done.stdout)
        report = json.loads((self.results() / "timing.json").read_text())
        self.assertGreater(max(report["copy_bandwidth_gb_s"].values()), 0)

    def test_quiet(self):
        done = self.run_well("--quiet")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_set_changes_the_case(self):
        self.run_well("--set", "fluid.reynolds=40", "--set", "stop.steps=10")
        case = json.loads((self.results() / "case.json").read_text())
        self.assertEqual(case["fluid"]["reynolds"], 40)
        self.assertEqual(case["stop"]["steps"], 10)

    def test_output_directory(self):
        self.run_well("--output", "else/where")
        self.assertTrue((self.directory / "else" / "where" / "timing.json").exists())
        self.assertFalse(self.results().exists())

    def test_criteria(self):
        done = self.run_well("--set", "stop.steps=100000", "--set",
                             'stop.criteria=[{"quantity":"velocity_change","tolerance":1e-4}]')
        self.assertIn("the criteria hold", done.stdout)
        self.assertNotIn("warning", done.stdout)

    def test_criteria_that_are_not_met(self):
        criteria = ("--set", 'stop.criteria=[{"quantity":"velocity_change","tolerance":1e-12}]')
        told = "warning: stop.criteria were not met by step 200: at the latest check velocity_change is "
        done = self.run_well(*criteria)
        self.assertTrue(done.stdout.splitlines()[-1].startswith(told), done.stdout)
        self.assertEqual(done.stderr, "")
        done = self.run_well(*criteria, "--quiet")
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("knudsen: " + told), done.stderr)
        report = json.loads((self.results() / "timing.json").read_text())
        self.assertIs(report["converged"], False)

    def test_required_convergence(self):
        required = lambda tolerance: self.call_run(
            "--quiet", "--require-convergence", "--set", "stop.steps=100000", "--set",
            f'stop.criteria=[{{"quantity":"velocity_change","tolerance":{tolerance}}}]',
            "--set", "stop.wall_seconds=2")
        self.assertEqual(required(1e-4).returncode, 0)
        self.assertEqual(required(1e-300).returncode, 1)

    def test_required_convergence_without_criteria(self):
        done = self.call_run("--require-convergence")
        self.expect_failure(2, done, "cavity.json: stop.criteria: none given")
        self.assertFalse(self.results().exists())

    def test_earlier_results_are_replaced(self):
        self.run_well("--set", "fluid.reynolds=40")
        self.run_well()
        replaced = self.contents("results/cavity")
        shutil.rmtree(self.results())
        self.run_well()
        fresh = self.contents("results/cavity")
        for name in ("series.csv", "fields_000000200.vtkhdf", "case.json"):
            self.assertEqual(replaced[name], fresh[name], name)

    def test_divergence(self):
        self.write_case(dict(CAVITY, fluid={"reynolds": 1e7, "velocity": 0.17}))
        arguments = ("--set", "stop.steps=100000", "--set", "output.fields.every=50")
        done = self.call_run(*arguments)
        self.expect_failure(1, done, "diverged: step ", ", node (", "the state was sound at step ",
                            "last good output ", ".vtkhdf (step ", "lower fluid.velocity")
        last_good = done.stderr.split("last good output ")[1].split()[0]
        self.assertEqual(last_good, "results/cavity/" +
                         max(p.name for p in self.results().glob("fields_*")))

    def test_compare(self):
        self.run_well("--output", "one")
        self.run_well("--output", "two")
        done = self.call("compare", "one/timing.json", "two/timing.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("speedup", done.stdout)
        self.assertTrue((self.directory / "comparison.html").exists())

    def test_growing_cells_give_the_flow_of_another_method(self):
        """The steady flow of free molecules obeys the same upwind differences in bgkw and shakhov."""
        case = {"precision": "double", "gas": {"rarefaction": 0}, "collision": {"model": "bgk"},
                "domain": {"x": [{"cells": 4, "length": 0.4, "ratio": 1.3}, {"cells": 3, "length": 0.6, "ratio": 0.8}],
                           "y": [{"cells": 5, "length": 0.7, "ratio": 1.15}]},
                "velocity_grid": {"type": "half-range", "count": [8, 8, 8]},
                "boundaries": {"west": {"type": "wall", "temperature": 1.2}, "east": {"type": "wall"},
                               "south": {"type": "wall"}, "north": {"type": "wall", "velocity": [0.2, 0, 0]}},
                "geometry": {"solids": [{"name": "post", "shape": "sphere", "centre": [0.4, 0.35], "radius": 0.15}]},
                "stop": {"steps": 2000, "check_every": 2000}}
        def results(method):
            self.write_case({"method": method, **case})
            self.run_well()
            return json.loads((self.results() / "timing.json").read_text())["results"]
        found, expected = results("bgkw"), results("shakhov")
        for name in ("west.energy_flux", "east.force_x", "north.force_x", "south.force_x", "drag_coefficient"):
            self.assertAlmostEqual(float(found[name]) / float(expected[name]), 1, delta=1e-5)


ARGON = {
    "method": "shakhov", "precision": "double", "domain": {"cells": [8, 6], "size": [1, 0.5]},
    "gas": {"name": "argon", "si": {"pressure": 20, "temperature": 320, "length": 1e-3}},
    "velocity_grid": {"type": "half-range", "count": [8, 8, 8]},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "vacuum"},
                   "south": {"type": "wall"}, "north": {"type": "wall", "temperature": 1.1}},
    "geometry": {"solids": [{"name": "post", "shape": "box", "from": [0.25, 0], "to": [0.5, 0.25]}]},
    "stop": {"steps": 20, "check_every": 5},
    "output": {"series": {"quantities": ["west.mass_flux", "west.mass_flow", "post.force_x",
                                         "north.energy_flux", "mass", "max_speed", "energy_change"]},
               "profiles": [{"name": "axis", "along": "x", "at": [0.75], "quantity": "temperature"}]},
}


class SiUnits(ProgramTest):
    def test_all_results_are_converted(self):
        self.write_case(ARGON)
        self.run_well()
        reference, reference_profile = self.table("series.csv")[1], self.table("profile_axis.csv")[1]
        self.run_well("--set", "output.units=si")
        units, found = self.table("series.csv")
        velocity = (2 * 1.380649e-23 * 320 / 66.3e-27) ** 0.5
        density = 2 * 20 / velocity**2
        factors = [1, density * velocity, density * velocity * 1e-3, 20 * 1e-3, 20 * velocity,
                   density * 1e-6, velocity, 1]
        self.assertIn("west.mass_flux=kg/(m^2 s), west.mass_flow=kg/(m s), post.force_x=N/m, "
                      "north.energy_flux=W/m^2, mass=kg/m, max_speed=m/s, energy_change=1", units)
        for row, before in zip(found, reference):
            for value, number, factor in zip(row, before, factors):
                if number == number:  # the changes of step 0 are none
                    self.assertAlmostEqual(value, number * factor, delta=1e-12 * abs(value))
        # A profile is normalised by L, T_ref has no scale.
        for row, before in zip(self.table("profile_axis.csv")[1], reference_profile):
            self.assertAlmostEqual(row[0], before[0], delta=1e-12)
            self.assertAlmostEqual(row[1], before[1] * 320, delta=1e-9)
        results = json.loads((self.results() / "timing.json").read_text())["results"]
        number, unit = results["post.force_x"].split()
        self.assertEqual(unit, "N/m")
        self.assertAlmostEqual(float(number) / found[-1][3], 1, delta=1e-5)

    def test_flows_between_pressures(self):
        """Mass flow, throughput and conductance, whose units depend on the dimensions."""
        gas = {"name": "argon", "si": {"pressure": 20, "temperature": 320, "length": 1e-3}}
        sides = {"west": {"type": "pressure", "si": {"pressure": 21, "temperature": 320}},
                 "east": {"type": "pressure", "si": {"pressure": 19}}}
        for dimensions, per in ((1, ("kg/(m^2 s)", "Pa m/s", "m/s")),
                                (2, ("kg/(m s)", "Pa m^2/s", "m^2/s")),
                                (3, ("kg/s", "Pa m^3/s", "m^3/s"))):
            for method in ("bgkw", "shakhov"):
                self.write_case({"method": method, "domain": {"cells": [6, 2, 2][:dimensions]}, "gas": gas,
                                 "velocity_grid": {"type": "half-range", "count": [8, 8, 8]},
                                 "boundaries": sides, "stop": {"steps": 20}, "output": {"units": "si"}})
                self.run_well()
                results = json.loads((self.results() / "timing.json").read_text())["results"]
                flow, throughput, conductance = (results[name].split(maxsplit=1) for name in
                                                 ("east.mass_flow", "east.throughput", "conductance"))
                self.assertEqual((flow[1], throughput[1], conductance[1]), per)
                # The throughput is that of the mass at 320 K.
                gas_constant = 1.380649e-23 / 66.3e-27
                self.assertAlmostEqual(float(throughput[0]) / (float(flow[0]) * gas_constant * 320), 1, delta=2e-5)
                mean = (float(throughput[0]) - float(results["west.throughput"].split()[0])) / 2
                self.assertAlmostEqual(float(conductance[0]) / (mean / 2), 1, delta=2e-5)
                # Litres are a volume: in fewer dimensions there are none.
                self.assertEqual("conductance_litres" in results, dimensions == 3)
                if dimensions == 3:
                    number, unit = results["conductance_litres"].split()
                    self.assertEqual(unit, "l/s")
                    self.assertAlmostEqual(float(number) / (1000 * float(conductance[0])), 1, delta=1e-5)

    def test_a_case_in_si_units(self):
        """Values, positions, times and formulas of the case are in SI units; so are its results."""
        velocity = (2 * 1.380649e-23 * 320 / 66.3e-27) ** 0.5
        time = 1e-3 / velocity
        reference = {
            "precision": "double", "domain": {"cells": [8, 6], "size": [1, 0.5]}, "gas": ARGON["gas"],
            "velocity_grid": {"type": "half-range", "count": [8, 8, 8]},
            "boundaries": {"west": {"type": "reservoir", "density": 1.25}, "east": {"type": "vacuum"},
                           "south": {"type": "wall"}, "north": {"type": "wall", "temperature": 1.1}},
            "initial_fields": {"temperature": "1 + 0.1*x"},
            "stop": {"steps": 20, "check_every": 5},
            "output": {"units": "si", "series": {"quantities": ["west.mass_flow", "north.energy_flux", "mass"]},
                       "fields": {"quantities": ["density", "temperature"]},
                       "profiles": [{"name": "axis", "along": "x", "quantity": "temperature",
                                     "normalised": False}]}}
        si = json.loads(json.dumps(reference))
        si["units"] = "si"
        si["domain"]["size"] = [1e-3, 0.5e-3]
        si["boundaries"]["west"] = {"type": "reservoir", "pressure": 25}
        si["boundaries"]["north"]["temperature"] = 352
        si["initial_fields"] = {"temperature": "320 + 32*x/1e-3"}
        del si["output"]["units"]
        for method in ("shakhov", "bgkw"):
            found = []
            for case in (reference, si):
                case["method"] = method
                if method == "bgkw":
                    case["stop"] = {"time": 0.1 if case is reference else 0.1 * time, "check_every": 5}
                self.write_case(case)
                self.run_well()
                found.append((self.table("series.csv"), self.table("profile_axis.csv")))
            for before, after in zip(*found):
                self.assertEqual(before[0], after[0])
                self.assertEqual(len(before[1]), len(after[1]))
                for row, other in zip(before[1], after[1]):
                    for value, expected in zip(other, row):
                        self.assertAlmostEqual(value, expected, delta=1e-9 * abs(expected))
            self.assertIn("north.energy_flux=W/m^2", found[1][0][0])
            # Forces on sides are for a unit area.
            results = json.loads((self.results() / "timing.json").read_text())["results"]
            self.assertEqual([results[f"south.force_{axis}"].split()[1] for axis in "xy"], ["Pa", "Pa"])
            self.assertAlmostEqual(found[1][1][1][0][0], 1e-3 / 16, delta=1e-12)

    def test_results_of_a_case_in_si_units_are_in_si_units(self):
        self.write_case({**ARGON, "units": "si", "domain": {"cells": [8, 6], "size": [1e-3, 5e-4]},
                         "geometry": {}, "boundaries": {}, "output": {}})
        self.expect_bad_case("output.units", 'the case is in SI units ("units" at the top level), and so are '
                             "its results; leave it out", sets=["output.units=reference"])
        self.expect_bad_case("units", 'requires the reference state in SI units, "gas.si"',
                             sets=['gas={"rarefaction": 1}'])

    def test_a_case_without_a_reference_state_is_refused(self):
        self.write_case({**ARGON, "gas": {"name": "argon", "rarefaction": 1}})
        self.expect_bad_case("output.units", 'requires a reference state in SI units, "gas.si"',
                             sets=["output.units=si"])


class Memory(ProgramTest):
    """`validate` states the memory that a run then takes."""

    # Backend, and the names of stated and measured memory in reports.
    backend, stated, measured = "host", "stated_host", "peak_host"

    def measure(self, case, *sets):
        words = [word for each in sets for word in ("--set", each)]
        # One malloc arena: others would keep memory that has been freed.
        environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}
        self.run_well(*words, "--backend", self.backend, "--output", "out", "--quiet",
                      case=str(INPUTS / case), env=environment)
        return json.loads((self.directory / "out" / "timing.json").read_text())["memory_bytes"]

    def expect_stated(self, case, large, *sets, small="domain.nodes=[8,8,8]"):
        """Compares the growth from a small grid to a large one, so that the program does not count."""
        def measure(grid):
            grid = (grid,) if isinstance(grid, str) else grid
            return self.measure(case, *sets, "stop.steps=2", "stop.check_every=2", *grid)
        some = measure(small)
        much = measure(large)
        stated = much[self.stated] - some[self.stated]
        taken = much[self.measured] - some[self.measured]
        self.assertGreater(stated, 2e7, "too small to be measured")
        self.assertLess(abs(taken / stated - 1), 0.1, f"{sets}: {taken / 1e6:.1f} of {stated / 1e6:.1f} MB")

    def test_lattice_in_a_plane(self):
        for sets in (("propagation.scheme=in-place",), ("propagation.scheme=two-array",),
                     ("propagation.scheme=shared-memory", "precision=double"),
                     ("propagation.scheme=in-place", "precision=double")):
            self.expect_stated("lid_driven_cavity.json", "domain.nodes=[800,750]", *sets,
                               small="domain.nodes=[9,9]")

    def test_lattice_in_space(self):
        for sets in (("propagation.scheme=esoteric-twist",),
                     ("propagation.scheme=two-array", "precision=double"),
                     ("propagation.nodes=sparse", "precision=half-storage")):
            self.expect_stated("taylor_green_3d.json", "domain.nodes=[64,64,64]", *sets,
                               'output.fields.quantities=["vorticity"]',
                               'output.series.quantities=["mass"]')

    def test_scalars(self):
        scalars = 'scalars=[{"name":"dye","schmidt":1},{"name":"salt","schmidt":2}]'
        for precision in ("single", "double"):
            self.expect_stated("lid_driven_cavity.json", "domain.nodes=[800,750]", scalars,
                               f"precision={precision}", small="domain.nodes=[9,9]")
        diagonal = 'scalars=[{"name":"dye","schmidt":1},{"name":"salt","schmidt":2,"lattice":"D3Q19"}]'
        for sets in (("propagation.nodes=dense", scalars), ("propagation.nodes=dense", diagonal),
                     ("propagation.nodes=sparse", "precision=half-storage", scalars)):
            self.expect_stated("taylor_green_3d.json", "domain.nodes=[64,64,64]", *sets,
                               'output.fields.quantities=["vorticity","dye"]',
                               'output.series.quantities=["mass","mean_salt"]')

    def test_heat_in_half_storage(self):
        self.expect_stated("taylor_green_3d.json", "domain.nodes=[64,64,64]", "precision=half-storage",
                           'heat={"prandtl":1,"temperature_difference":1}',
                           'output.fields.quantities=["vorticity","temperature"]',
                           'output.series.quantities=["mass","mean_temperature"]')

    def test_statistics(self):
        # Six averages of a node, in double precision.
        self.expect_stated("taylor_green_3d.json", "domain.nodes=[80,80,80]",
                           'output.fields.quantities=["vorticity"]', 'output.series.quantities=["mass"]',
                           'output.statistics={"mean":["velocity"],"covariance":[["velocity"]]}')

    def test_probes(self):
        plane = {"name": "p", "kind": "plane", "corner": [0, 0, 0.5], "first": [1, 0, 0.5],
                 "second": [0, 1, 0.5], "quantities": ["velocity"]}
        def probes(points):
            return "output.probes=" + json.dumps([{**plane, "points": [points, points]}])
        self.expect_stated("taylor_green_3d.json", ("domain.nodes=[16,16,16]", probes(500)),
                           small=("domain.nodes=[16,16,16]", probes(5)))
        # Here each point has cells of its own.
        self.expect_stated("taylor_green_3d.json", ("domain.nodes=[600,600,2]", probes(300)),
                           small=("domain.nodes=[16,16,2]", probes(5)))

    def test_enstrophy(self):
        for precision in ("single", "double"):
            self.expect_stated("taylor_green_3d.json", "domain.nodes=[64,64,64]", f"precision={precision}",
                               'output.series.quantities=["enstrophy"]', small="domain.nodes=[8,8,8]")

    def test_packed_bed(self):
        self.expect_stated("packed_bed.json", "domain.nodes=[96,96,96]", small="domain.nodes=[16,16,16]")
        self.expect_stated("packed_bed.json", "domain.nodes=[64,64,64]", "geometry.walls=interpolated",
                           'scalars=[{"name":"dye","schmidt":1,"lattice":"D3Q19"}]', small="domain.nodes=[16,16,16]")

    def test_mostly_solid(self):
        def pore(radius):
            return ('geometry.solids=[{"shape":"sphere","name":"bed","inverted":true,'
                    f'"centre":[{radius},{radius},{radius}],"radius":{radius}}}]')
        # Stated is what the largest field takes.
        vorticity = 'output.fields.quantities=["vorticity"]'
        self.expect_stated("packed_bed.json", ("domain.nodes=[128,128,128]", pore(40)), vorticity,
                           small=("domain.nodes=[16,16,16]", pore(6)))

    def test_gas_with_few_velocities(self):
        self.expect_stated("rarefied_couette.json", "domain.cells=[100000]", "velocity_grid.count=[4,4,4]",
                           small="domain.cells=[8]")

    def test_gas_with_many_velocities(self):
        for order in (1, 2):
            self.expect_stated("rarefied_cavity.json", "domain.cells=[40,40]", f"propagation.order={order}",
                               small="domain.cells=[4,4]")

    def test_gas_by_sweeps(self):
        self.expect_stated("shock_wave.json", "domain.cells=[100000]", "velocity_grid.count=[8,8,8]",
                           small="domain.cells=[20]")
        for acceleration in ("none", "synthetic"):
            self.expect_stated("rarefied_cavity_3d.json", "domain.cells=[40,40,40]",
                               "velocity_grid.count=[8,8,8]", f"propagation.acceleration={acceleration}",
                               small="domain.cells=[4,4,4]")

    def test_full_collisions(self):
        self.expect_stated("boltzmann_cavity.json", "domain.cells=[60,60]", small="domain.cells=[4,4]")


class DeviceMemory(Memory):
    """The same on a GPU, of its memory."""
    backend, stated, measured = "device", "stated", "peak"
    test_probes = None  # their samples are in memory of the host

    def setUp(self):
        super().setUp()
        self.skip_without_gpu()


class Clocks(ProgramTest):
    """The times of the kernels add up to that of the run."""
    backend = "host"

    def expect_sum(self, case, *sets):
        words = [word for each in sets for word in ("--set", each)]
        shares = []
        for attempt in range(10):  # other programs disturb a measurement, but not all of them
            self.run_well(*words, "--backend", self.backend, "--set", "output.fields.write=false",
                          "--set", "output.snapshots.pictures=[]", "--set", "output.profiles=[]",
                          "--output", "out", "--quiet", case=str(case))
            report = json.loads((self.directory / "out" / "timing.json").read_text())
            total = report["total"]
            self.assertGreaterEqual(total["step_seconds"]["count"], 5)
            seconds = total["step_seconds"]["median"] * total["steps"]
            shares.append(sum(kernel["seconds"] for kernel in report["kernels"]) / seconds)
            for kernel in report["kernels"]:
                self.assertGreater(kernel["call_seconds"]["count"], 0, kernel["name"])
            if abs(shares[-1] - 1) < 0.03:
                return
        self.fail(f"{case} {sets}: the kernels take {shares} of the time")

    def test_lattice_in_a_plane(self):
        for scheme in ("in-place", "two-array", "shared-memory"):
            self.expect_sum(INPUTS / "lid_driven_cavity.json", "domain.nodes=[512,512]",
                            f"propagation.scheme={scheme}", "stop.steps=400", "stop.check_every=400")

    def test_lattice_in_space(self):
        for scheme in ("esoteric-twist", "aa-pattern"):
            self.expect_sum(INPUTS / "taylor_green_3d.json", "domain.nodes=[64,64,64]",
                            f"propagation.scheme={scheme}", "stop.steps=200", "stop.check_every=200")

    def test_gases(self):
        self.expect_sum(INPUTS / "rarefied_cavity.json", "domain.cells=[24,24]", "stop.steps=20",
                        "stop.check_every=20")
        for acceleration in ("none", "synthetic"):
            self.expect_sum(INPUTS / "rarefied_cavity_3d.json", "domain.cells=[12,12,12]", "stop.steps=20",
                            "stop.check_every=20", f"propagation.acceleration={acceleration}")
        self.expect_sum(INPUTS / "boltzmann_cavity.json", "domain.cells=[16,16]", "stop.steps=400",
                        "stop.check_every=400")


class DeviceClocks(Clocks):
    """The same on a GPU, at the sizes of the recorded reports."""
    backend = "device"

    def setUp(self):
        super().setUp()
        self.skip_without_gpu()

    def test_lattice_in_a_plane(self):
        for scheme in ("in-place", "two-array", "shared-memory"):
            self.expect_sum(CASES / "d2q9_cavity.json", f"propagation.scheme={scheme}", "stop.steps=2000",
                            "stop.check_every=2000")

    def test_lattice_in_space(self):
        for scheme in ("esoteric-twist", "aa-pattern"):
            self.expect_sum(CASES / "d3q27_box.json", f"propagation.scheme={scheme}", "stop.steps=600",
                            "stop.check_every=600")

    def test_gases(self):
        for scheme in ("fused", "separate"):
            self.expect_sum(CASES / "bgkw_cavity.json", f"propagation.scheme={scheme}", "stop.steps=1200",
                            "stop.check_every=1200")
        for acceleration in ("none", "synthetic"):
            self.expect_sum(CASES / "shakhov_cavity.json", "velocity_grid.count=[32,32,32]", "stop.steps=24",
                            "stop.check_every=1", f"propagation.acceleration={acceleration}")
        self.expect_sum(CASES / "boltzmann_cavity.json", "stop.steps=600", "stop.check_every=600")


class Stopping(ProgramTest):
    def start(self, *arguments):
        """Starts a run without end and waits for its second checkpoint."""
        process = subprocess.Popen(
            [PROGRAM, "run", "cavity.json", "--threads", "1", "--no-bandwidth", "--set",
             f"stop.steps={MANY_STEPS}", "--set", "checkpoint.every=100", *arguments],
            cwd=self.directory, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not [p for p in self.checkpoints() if p.name > "checkpoint_000000100.h5"]:
            self.assertIsNone(process.poll(), "ended by itself")
            self.assertLess(time.monotonic(), deadline, "no checkpoint after a minute")
            time.sleep(0.01)
        return process

    def checkpoints(self):
        return sorted(self.results().glob("checkpoint_*.h5"))

    def finish(self, process):
        output, errors = process.communicate(timeout=60)
        return output, errors

    def expect_restart_to_be_exact(self, *arguments):
        """Continues from the checkpoint and expects the files of an uninterrupted run."""
        stopped_at = int(max(self.checkpoints(), key=lambda p: p.stat().st_mtime_ns).stem[-9:])
        steps = stopped_at + 333
        common = ["--set", f"stop.steps={steps}", "--set", "checkpoint.at_end=true", *arguments]
        self.run_well("--restart", "results/cavity", *common)
        self.run_well("--output", "whole", *common)
        whole, restarted = self.contents("whole"), self.contents("results/cavity")
        for name in (f"checkpoint_{steps:09}.h5", f"fields_{steps:09}.vtkhdf", "series.csv"):
            self.assertEqual(whole[name], restarted[name], name)

    def expect_clean_stop(self, number, name, *arguments):
        process = self.start(*arguments)
        process.send_signal(number)
        output, errors = self.finish(process)
        self.assertEqual(process.returncode, 128 + number, errors)
        self.assertIn(name, output)
        self.assertIn("To continue: knudsen run cavity.json --restart results/cavity/checkpoint_",
                      output)
        self.assertTrue((self.results() / "timing.json").exists())
        self.assertEqual(list(self.results().glob("*.tmp-*")), [])
        self.assertLessEqual(len(self.checkpoints()), 2)
        self.expect_restart_to_be_exact(*arguments)

    def test_interrupt(self):
        self.expect_clean_stop(signal.SIGINT, "SIGINT")

    def test_terminate(self):
        self.expect_clean_stop(signal.SIGTERM, "SIGTERM")

    def test_hang_up(self):
        self.expect_clean_stop(signal.SIGHUP, "SIGHUP")

    def test_cpu_time_is_over(self):
        self.expect_clean_stop(signal.SIGXCPU, "SIGXCPU")

    def test_broken_pipe_leaves_the_results(self):
        process = self.start()
        process.stdout.close()
        process.send_signal(signal.SIGTERM)
        errors = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(60), 1, errors)
        self.assertIn("standard output: cannot be written: Broken pipe", errors)
        self.assertTrue((self.results() / "timing.json").exists())

    def test_signals_during_the_set_up(self):
        """Spheres that take minutes to pack."""
        self.write_case({
            "method": "lbm_d3q27", "domain": {"nodes": [64, 64, 64]},
            "fluid": {"relaxation_time": 0.8}, "stop": {"steps": 4},
            "geometry": {"solids": [{"shape": "sphere-packing", "count": 400000,
                                     "porosity": 0.45}]}}, "packing.json")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([PROGRAM, "run", "packing.json", "--threads", "1"],
                                       cwd=self.directory, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            time.sleep(1)
            self.assertIsNone(process.poll(), "ended by itself")
            process.send_signal(number)
            errors = process.communicate(timeout=5)[1]
            self.assertEqual(process.returncode, 128 + number, errors)
            self.assertIn("before the first step", errors)
        self.assertEqual(sorted(self.contents()), ["cavity.json", "packing.json"])

    def test_two_runs_into_one_directory(self):
        process = self.start()
        # Not expect_failure, which looks for temporary files: the first run may be writing one.
        second = self.call_run()
        self.assertEqual(second.returncode, 2, second.stderr)
        for part in ("results/cavity: another run (process ", str(process.pid), "--output"):
            self.assertIn(part, second.stderr)
        process.send_signal(signal.SIGTERM)
        self.finish(process)
        self.assertEqual(process.returncode, 143)
        self.run_well()

    def test_kill_leaves_nothing_in_the_way(self):
        process = self.start()
        process.kill()
        self.finish(process)
        (self.results() / "checkpoint_000000500.h5.tmp-123").write_text("part")
        self.run_well()
        self.assertEqual(list(self.results().glob("*.tmp-*")), [])
        self.assertFalse((self.results() / ".knudsen-lock").exists())

    def test_every_scheme_restarts_exactly(self):
        for scheme in ("in-place", "two-array", "shared-memory"):
            for precision in ("single", "double"):
                with self.subTest(scheme=scheme, precision=precision):
                    shutil.rmtree(self.results(), ignore_errors=True)
                    self.expect_clean_stop(signal.SIGTERM, "SIGTERM",
                                           "--set", f"propagation.scheme={scheme}",
                                           "--set", f"precision={precision}")

    def test_many_signals(self):
        process = self.start()
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            time.sleep(0.001)
        self.finish(process)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(list(self.results().glob("*.tmp-*")), [])
        self.expect_restart_to_be_exact()

    def test_kill_leaves_whole_checkpoints(self):
        process = self.start()
        process.kill()
        self.finish(process)
        self.expect_restart_to_be_exact()

    def test_wall_time(self):
        done = self.run_well("--set", f"stop.steps={MANY_STEPS}", "--set", "stop.wall_seconds=0.5")
        self.assertIn("wall time", done.stdout)
        self.assertEqual(len(self.checkpoints()), 1)
        self.expect_restart_to_be_exact()


if __name__ == "__main__":
    unittest.main()
