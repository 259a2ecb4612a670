"""Tests of perf/sweep.py with a stand-in for the program."""

import argparse
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import stat
import sys
import tempfile
import textwrap
import unittest

specification = importlib.util.spec_from_file_location("sweep", os.environ["KNUDSEN_SWEEP"])
sweep = importlib.util.module_from_spec(specification)
sys.modules["sweep"] = sweep
specification.loader.exec_module(sweep)

# A machine of 1e9 updates/s in single precision that notes every call, fails from 4096 nodes on,
# and stops at step 500 when asked to by the setting "converge".
FAKE = """\
    #!{python}
    import json, os, pathlib, sys
    with open({log!r}, "a") as log:
        log.write(json.dumps(sys.argv[1:]) + "\\n")
    if sys.argv[1] == "compare":
        pathlib.Path(sys.argv[sys.argv.index("--html") + 1]).write_text("page")
        sys.exit(0)
    words = sys.argv[3:]
    settings = dict(w.split("=", 1) for f, w in zip(words, words[1:]) if f == "--set")
    options = {{f: w for f, w in zip(words, words[1:]) if f.startswith("--")}}
    nodes = json.loads(settings.get("domain.nodes", "[64,64]"))
    if nodes[0] >= 4096:
        sys.exit("out of memory" if nodes[0] == 4096 else 3)
    steps = int(settings["stop.steps"])
    if "converge" in settings:
        steps = min(steps, 500)
    updates = nodes[0] * nodes[1] * steps
    precision = settings.get("precision", "single")
    rate = 1e9 if precision == "single" else 0.5e9
    device = options.get("--backend") == "device"
    report = {{
        "method": "lbm-d2q9", "variant": "in-place, BGK", "precision": precision,
        "backend": "cuda" if device else "openmp",
        "device": "NVIDIA H200" if device else "Intel(R) Xeon(R) Gold 1 CPU @ 2.70GHz",
        "threads": 1 if device else int(options.get("--threads", 2)),
        "sizes": {{"nodes_x": nodes[0], "nodes_y": nodes[1], "nodes": nodes[0] * nodes[1]}},
        "total": {{"steps": steps, "seconds": updates / rate, "updates": updates,
                   "ns_per_update": 1e9 / rate, "updates_per_second": rate}},
    }}
    directory = pathlib.Path(options["--output"])
    directory.mkdir(exist_ok=True)
    (directory / "timing.json").write_text(json.dumps(report))
"""


class Parsing(unittest.TestCase):
    def test_values_are_split_at_outer_commas(self):
        self.assertEqual(sweep.split_values('4,[1,2],"a,b",x'), ["4", "[1,2]", '"a,b"', "x"])

    def test_axis(self):
        self.assertEqual(sweep.parse_axis("tuning.segment=4,8"), ("tuning.segment", ["4", "8"]))

    def test_axis_needs_key_and_values(self):
        for text in ("tuning.segment", "=4", "key=", "key=1,,2"):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                sweep.parse_axis(text)

    def test_sizes(self):
        self.assertEqual(sweep.parse_size("256"), (256,))
        self.assertEqual(sweep.parse_size("512x256"), (512, 256))
        for text in ("0", "-4", "12x", "big", "1.5"):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                sweep.parse_size(text)

    def test_slug(self):
        self.assertEqual(sweep.slug("NVIDIA H200"), "nvidia-h200")
        self.assertEqual(sweep.slug("Intel(R) Xeon(R) 8481C CPU @ 2.70GHz"), "intel-xeon-8481c")


class Sweeping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "calls"
        self.program = self.folder / "knudsen"
        source = FAKE.format(python=sys.executable, log=str(self.log))
        self.program.write_text(textwrap.dedent(source))
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)
        self.case = self.folder / "cavity.json"
        self.case.write_text('{"domain": {"nodes": [64, 64]}}')
        self.results = self.folder / "results"

    def sweep(self, *arguments):
        """Exit code and printed text of a sweep of 0.01 seconds a run."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = sweep.main(
                [str(self.case), "--knudsen", str(self.program), "--results", str(self.results),
                 "--seconds", "0.01", *arguments]
            )  # fmt: skip
        return code, printed.getvalue()

    def calls(self, command):
        lines = map(json.loads, self.log.read_text().splitlines())
        return [words for words in lines if words[0] == command]

    def names(self):
        return sorted(path.name for path in (self.results / "lbm-d2q9").iterdir())

    def test_sizes_precisions_and_threads_are_multiplied(self):
        code, _ = self.sweep(
            "--sizes", "64", "128x32", "--precisions", "single", "double", "--threads", "1", "4"
        )
        self.assertEqual(code, 0)
        start = "intel-xeon-gold-1-openmp-"
        expected = [
            f"{start}{threads}t-{precision}-in-place-bgk-{size}.json"
            for threads in (1, 4)
            for precision in ("double", "single")
            for size in ("128x32", "64x64")
        ]
        self.assertEqual(self.names(), [*expected, "sweep.html"])

    def test_options_of_the_program(self):
        self.sweep("--sizes", "32", "--precisions", "double", "--threads", "3", "--backends", "host",
                   "--set", "tuning.segment=8")  # fmt: skip
        words = self.calls("run")[0]
        self.assertEqual(words[1], str(self.case))
        pairs = list(zip(words, words[1:]))
        for pair in [("--set", "domain.nodes=[32,32]"), ("--set", "precision=double"),
                     ("--set", "tuning.segment=8"), ("--threads", "3"),
                     ("--backend", "host"), ("--set", "stop.steps=20")]:  # fmt: skip
            self.assertIn(pair, pairs)

    def test_nothing_is_set_that_was_not_asked_for(self):
        self.sweep()
        words = self.calls("run")[0]
        self.assertEqual(words[2:5], ["--set", "stop.steps=20", "--output"])
        self.assertEqual(len(words), 6)

    def test_device_runs_once_whatever_the_threads(self):
        self.sweep("--sizes", "512", "--threads", "1", "2", "--backends", "host", "device")
        self.assertEqual(
            [name for name in self.names() if "cuda" in name],
            ["nvidia-h200-cuda-1t-single-in-place-bgk-512x512.json"],
        )
        on_device = [words for words in self.calls("run") if "device" in words]
        self.assertTrue(all("--threads" not in words for words in on_device))

    def test_varied_settings_are_in_the_name(self):
        self.sweep("--sizes", "64", "--set", "tuning.segment=4,16", "--set", "fluid.reynolds=100")
        self.assertEqual(
            self.names(),
            [
                "intel-xeon-gold-1-openmp-2t-single-in-place-bgk-64x64-segment-16.json",
                "intel-xeon-gold-1-openmp-2t-single-in-place-bgk-64x64-segment-4.json",
                "sweep.html",
            ],
        )

    def test_machine_can_be_named(self):
        self.sweep("--machine", "node7")
        self.assertEqual(self.names(), ["node7-openmp-2t-single-in-place-bgk-64x64.json"])

    def test_steps_make_the_run_last(self):
        self.sweep("--sizes", "64")
        report = json.loads(next(self.results.rglob("*.json")).read_text())
        self.assertTrue(0.005 <= report["total"]["seconds"] <= 0.015)

    def test_run_that_lasts_at_once_is_not_repeated(self):
        self.sweep("--sizes", "1024")
        self.assertEqual(len(self.calls("run")), 1)

    def test_each_round_goes_at_most_a_hundred_times_further(self):
        self.sweep("--sizes", "2")
        steps = [int(word.split("=")[1]) for words in self.calls("run") for word in words
                 if word.startswith("stop.steps")]  # fmt: skip
        self.assertEqual(steps, [20, 2000, 200000, 2500000])

    def test_run_that_converges_is_kept(self):
        code, _ = self.sweep("--sizes", "64", "--set", "converge=1")
        report = json.loads(next(self.results.rglob("*.json")).read_text())
        self.assertEqual((code, report["total"]["steps"]), (0, 500))

    def test_reports_are_compared(self):
        self.sweep("--sizes", "64", "128", "--page", str(self.folder / "page.html"))
        (words,) = self.calls("compare")
        self.assertEqual(len(words), 5)
        self.assertTrue(words[1].endswith("-64x64.json"))
        self.assertEqual(words[3:], ["--html", str(self.folder / "page.html")])

    def test_one_report_is_not_compared(self):
        self.sweep("--sizes", "64")
        self.assertEqual(self.calls("compare"), [])

    def test_failed_run_is_told_and_the_others_go_on(self):
        code, printed = self.sweep("--sizes", "64", "4096", "8192", "128")
        self.assertEqual(code, 1)
        self.assertIn("FAILED, exit code 1: out of memory", printed)
        self.assertIn("FAILED, exit code 3: no message", printed)
        self.assertEqual(len(list(self.results.rglob("*.json"))), 2)

    def test_nothing_but_results_is_left(self):
        self.sweep("--sizes", "64", "4096")
        self.assertEqual([path.name for path in self.results.iterdir()], ["lbm-d2q9"])

    def test_size_of_another_dimension_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "the case has 2 dimensions"):
            self.sweep("--sizes", "64x64x64")

    def test_missing_case_is_refused(self):
        self.case.unlink()
        with self.assertRaisesRegex(SystemExit, "cavity.json: no list domain.nodes"):
            self.sweep("--sizes", "64")

    def test_negative_threads_are_refused(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            self.sweep("--threads", "-1")


if __name__ == "__main__":
    unittest.main()
