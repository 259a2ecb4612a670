"""Tests of perf/papers: what pages are made of, and that pages without any results can be made."""

import contextlib
import io
import json
import math
import os
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(os.environ["KNUDSEN_SOURCE_DIR"])
sys.path.insert(0, str(ROOT / "perf"))
sys.path.insert(0, str(ROOT / "perf" / "papers"))

import dsmc
import experiments
import measures
import pages
import plots
import recorder
import reports
import runner
import slip_cavity
import tables
import tables_across
import tables_boltzmann
import tables_speed
import tables_validation
from experiments import EXPERIMENTS


def report(**changes):
    made = {
        "format": reports.TIMING_FORMAT,
        "title": "Cavity",
        "method": "bgkw",
        "variant": "fused bgk",
        "precision": "single",
        "backend": "openmp",
        "device": "Xeon",
        "threads": 1,
        "host": "here",
        "kokkos_version": "5",
        "compiler": "g++",
        "git_commit": "abc",
        "sizes": {"cells": 4},
        "total": {
            "steps": 1,
            "seconds": 1,
            "updates": 10,
            "updates_per_second": 10,
            "ns_per_update": 1e8,
            "bandwidth_share": 0.5,
        },
        "kernels": [],
    }
    rate = changes.pop("rate", 10)
    made["total"] = {**made["total"], "updates_per_second": rate, "ns_per_update": 1e9 / rate}
    return {**made, **changes}


class Selection(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def results(self, *made):
        for number, one in enumerate(made):
            path = pathlib.Path(self.folder.name) / f"{number}.json"
            path.write_text(json.dumps(one), encoding="utf-8")
        return reports.Results(self.folder.name)

    def test_other_files_are_passed_over(self):
        self.assertEqual(self.results({"format": "something else"}, {"kernels": []}).reports(), [])

    def test_a_full_run_stands_before_a_small_one(self):
        root = pathlib.Path(self.folder.name)
        for size, steps in (("full", 5), ("small", 1)):
            runner.keep_entry({"name": "a", "steps": steps}, root / "papers" / f"thing-{size}.json")
        runner.keep_entry({"name": "b", "steps": 2}, root / "papers" / "thing-small.json")
        runner.keep_entry({"name": "b", "steps": 3}, root / "papers" / "thing-small.json")
        found = reports.Results(root).runs("thing")
        self.assertEqual([(run["name"], run["steps"]) for run in found], [("a", 5), ("b", 3)])


    def test_several_runs_at_a_time_are_marked(self):
        self.assertEqual(tables.run_time_text({"seconds": 2.5}), "2.5 s")
        shared = {"seconds": 2.5, "together": 3}
        self.assertEqual(tables.run_time_text(shared), "2.5 s, beside others")


    def test_reports_of_both_formats_are_read(self):
        results = self.results(report(format="knudsen-timing-1"), report(format="knudsen-timing-2"))
        self.assertEqual(len(results.reports()), 2)


class Formats(unittest.TestCase):
    """What is read from both formats of timing reports."""

    def test_a_step_is_by_the_batches_where_there_are_any(self):
        made = report()
        made["total"].update(steps=4, seconds=2)
        self.assertEqual(reports.seconds_a_step(made), 0.5)
        spread = {"count": 5, "lower_quartile": 0.3, "median": 0.4, "upper_quartile": 0.5}
        made["total"]["step_seconds"] = spread
        self.assertEqual(reports.seconds_a_step(made), 0.4)
        spread["count"] = 0
        self.assertEqual(reports.seconds_a_step(made), 0.5)
        self.assertIsNone(reports.seconds_a_step(None))

    def test_copy_bandwidth_is_the_larger_one(self):
        self.assertEqual(reports.copy_bandwidth(report()), 0)
        self.assertEqual(reports.copy_bandwidth(report(copy_bandwidth_gb_s=5.0)), 5)
        both = {"before": 7.0, "after": 6.0}
        self.assertEqual(reports.copy_bandwidth(report(copy_bandwidth_gb_s=both)), 7)


def timed(rate, processor="gpu", bandwidth=100.0, **changes):
    """A report of `recorder` with updates of 8 bytes."""
    machine = {
        "one-thread": {"backend": "openmp", "threads": 1},
        "all-cores": {"backend": "openmp", "threads": 16},
        "gpu": {"backend": "cuda", "threads": 1, "device": "H200"},
    }[processor]
    made = report(rate=rate, copy_bandwidth_gb_s={"before": bandwidth, "after": 1.0}, **machine, **changes)
    made["total"].update(bytes=80, step_seconds={"count": 9, "lower_quartile": 1, "median": 1, "upper_quartile": 1})
    made["update_unit"] = "node"
    return made


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name)
        self.folder = self.results / "one_machine"
        self.folder.mkdir()

    def keep(self, label, made):
        (self.folder / f"{label}.json").write_text(json.dumps(made), encoding="utf-8")

    def context(self):
        return tables.Context(reports.Results(self.results), ROOT)

    def test_labels_are_unique_and_cases_exist(self):
        labels = []
        for one in recorder.COMPARISONS:
            if not one.case.startswith("pipes"):
                self.assertTrue((ROOT / "perf" / "cases" / f"{one.case}.json").exists(), one.case)
            for name in one.schemes:
                labels += [reports.report_label(one.method, one.group, name, p) for p in one.processors]
        self.assertEqual(len(labels), len(set(labels)))
        for method, schemes in tables_speed.OF_PAPER.items():
            for name in schemes:
                self.assertIn(name, tables_speed.comparison_of(method).schemes)

    def test_speedups_are_of_one_scheme_and_shares_of_the_best_copy(self):
        self.keep("bgkw-fused-one-thread", timed(1e9, "one-thread", 10.0))
        self.keep("bgkw-fused-gpu", timed(5e9, "gpu", 80.0))
        self.keep("bgkw-tiles-gpu", timed(9e9, "gpu", 100.0))
        (self.folder / reports.MANIFEST).write_text(
            json.dumps({"missing": {"bgkw-tiles-one-thread": "it broke"}}), encoding="utf-8"
        )
        table = tables_speed.speed(self.context(), "bgkw")
        fused = next(line for line in table.splitlines() if line.startswith("| `fused`"))
        self.assertIn("| 1.00 G/s | - | 5.00 G/s | 80 % / - / 40 % | 5.00 x | - |", fused)
        tiles = next(line for line in table.splitlines() if line.startswith("| `tiles`"))
        self.assertNotIn(" x |", tiles)
        self.assertIn("- `tiles`, one thread: it broke.", table)

    def test_two_recordings_are_compared_cell_by_cell(self):
        again = self.results / "again"
        again.mkdir()
        for rate, folder in ((1e9, self.folder), (1.02e9, again)):
            (folder / "a-gpu.json").write_text(json.dumps(timed(rate)), encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(recorder.agree(self.folder, again), 0)
            self.keep("a-gpu", timed(1.06e9))
            self.assertEqual(recorder.agree(self.folder, again), 1)
            self.keep("b-gpu", timed(1e9))
            self.assertEqual(recorder.agree(self.folder, again), 2)

    def test_the_fastest_on_the_gpu_is_compared_with_the_fastest_on_the_host(self):
        for scheme, rates in (("in-place", (4e9, 5e9)), ("two-array", (2e9, 8e9))):
            for processor, rate in zip(("one-thread", "gpu"), rates):
                self.keep(f"lbm_d2q9-{scheme}-{processor}", timed(rate, processor))
        row = next(line for line in tables_speed.index_speeds(self.context()).splitlines() if "fastest" in line)
        self.assertIn("| `in-place` / `two-array` | the fastest on each |", row)
        self.assertIn("| 4.00 G/s | - | 8.00 G/s |", row)
        self.assertIn("| 2.00 x | - |", row)

    def test_speedups_by_a_second_recording_stand_in_brackets(self):
        again, table = self.results / "again", self.results / "one_machine_again.csv"
        again.mkdir()
        for processor, rate in (("one-thread", 1e9), ("gpu", 5e9)):
            self.keep(f"bgkw-fused-{processor}", timed(rate, processor))
            (again / f"bgkw-fused-{processor}.json").write_text(json.dumps(timed(1.25 * rate, processor)))
        self.keep("bgkw-tiles-gpu", timed(9e9))
        self.keep("bgkw-tiles-one-thread", timed(1e9, "one-thread"))
        (again / "bgkw-fused-gpu.json").write_text(json.dumps(timed(5.05e9)))
        with contextlib.redirect_stdout(io.StringIO()):
            recorder.agree(self.folder, again, table=table)
        rows = tables_speed.speed(self.context(), "bgkw").splitlines()
        self.assertIn("| 5.00 x (4.04 x) | - |", next(line for line in rows if line.startswith("| `fused`")))
        self.assertIn("| 9.00 x | - |", next(line for line in rows if line.startswith("| `tiles`")))

    def test_cores_are_counted_once_and_within_the_quota(self):
        self.assertEqual(recorder.candidates([0, 1], [0, 1], float("inf")), [[0, 1]])
        self.assertEqual(recorder.candidates([0, 1, 2, 3], [0, 1], 2), [[0, 1]])
        self.assertEqual(recorder.candidates([0, 1, 2, 3], [0, 2], float("inf")), [[0, 2], [0, 1, 2, 3]])
        eight = list(range(8))  # the system says nothing of hyperthreads
        self.assertEqual(recorder.candidates(eight, eight, float("inf")), [[0, 2, 4, 6], eight])

    def program(self, commit, seconds=3):
        """A program that says what it is and writes a report; its rate is as expected of it."""
        path = self.results / f"program-{commit}"
        path.write_text(
            f"""#!{sys.executable}
import json, pathlib, sys
if sys.argv[1] == "info":
    print("commit  {commit}\\ncompiler  g++\\nKokkos  5\\nbackends  openmp")
    sys.exit(0)
if "in-place" in str(sys.argv):
    sys.exit("knudsen: error: perf/cases/x.json: not that one")
out = pathlib.Path(sys.argv[sys.argv.index("--output") + 1])
out.mkdir()
(out / "timing.json").write_text({json.dumps(json.dumps({**timed(1e9, "one-thread"), "git_commit": commit}))}.replace(
    '"seconds": 1', '"seconds": {seconds}'))
""",
            encoding="utf-8",
        )
        path.chmod(0o755)
        return str(path)

    def record(self, program, only, resume=False):
        options = types.SimpleNamespace(knudsen=program, results=self.results, only=only, minutes=9, resume=resume)
        few = mock.patch.object(recorder, "COMPARISONS", recorder.COMPARISONS[:5])
        with few, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return recorder.record(options)

    def test_a_recording_goes_on_with_what_is_missing(self):
        self.record(self.program("a"), "lbm_d2q9")
        kept = self.folder / "lbm_d2q9-two-array-one-thread.json"
        gone = self.folder / "lbm_d2q9-two-array-all-cores.json"
        gone.unlink()
        before = kept.stat().st_mtime_ns
        self.record(self.program("a"), "lbm_d2q9", resume=True)
        self.assertEqual(kept.stat().st_mtime_ns, before)
        self.assertTrue(gone.exists())
        calls = reports.Recording(self.folder).manifest["calls"]
        self.assertEqual(calls[1]["command"], "perf/papers record --only lbm_d2q9 --resume")
        self.assertEqual(calls[0]["machine"], calls[1]["machine"])

    def test_a_recording_is_of_one_build_and_says_what_is_missing(self):
        self.record(self.program("a"), "lbm_d2q9")
        self.record(self.program("a"), "bgkw")
        made = reports.Recording(self.folder)
        self.assertIn("lbm_d2q9-two-array-one-thread", made.reports)
        self.assertIn("bgkw-tiles-all-cores", made.reports)
        self.assertEqual(made.why("lbm_d2q9", "in-place", "one-thread"), "not that one")
        self.assertEqual(made.why("bgkw", "tiles", "gpu"), "this build has no GPU")
        self.assertEqual(len(made.manifest["calls"]), 2)
        self.assertGreater(self.record(self.program("b"), "bgkw"), 0)
        made = reports.Recording(self.folder)
        self.assertNotIn("lbm_d2q9-two-array-one-thread", made.reports)
        self.assertEqual({r["git_commit"] for r in made.reports.values()}, {"b"})

    def test_steps_last_long_enough(self):
        self.assertEqual(recorder.steps_of(1e9, 1e6, "gpu"), 2200)
        self.assertEqual(recorder.steps_of(1e9, 1e9, "one-thread"), 6)
        self.assertEqual(recorder.steps_of(1e9, 4e9, "one-thread"), 4)
        total = 0
        for one in recorder.COMPARISONS:
            for name in one.schemes:
                for processor in one.processors:
                    rate = recorder.expected_rate(one, name, processor, range(16))
                    updates = one.of_scheme.get(name, one.updates)
                    total += recorder.steps_of(rate, updates, processor) * updates / rate
        self.assertLess(total, 540)  # seconds of stepping, of which there are twelve minutes in all

    def test_a_method_that_is_none_is_refused(self):
        with self.assertRaises(SystemExit):
            recorder.chosen_comparisons("lbm_d2q9,none")


class Numbers(unittest.TestCase):
    def test_significant_digits(self):
        self.assertEqual(reports.number(0.67821, 4), "0.6782")
        self.assertEqual(reports.number(1234.5, 3), "1234")
        self.assertEqual(reports.number(1.39e8, 3), "1.39e8")
        self.assertEqual(reports.number(None), reports.MISSING)
        self.assertEqual(reports.number(float("nan")), reports.MISSING)

    def test_extrapolation_is_exact_for_a_line(self):
        self.assertAlmostEqual(tables_boltzmann.extrapolate([(0.1, 1.2), (0.2, 1.4), (0.4, 1.8)]), 1)
        self.assertIsNone(tables_boltzmann.extrapolate([(0.1, 1.2)]))


class Measures(unittest.TestCase):
    """Numbers of validation runs from their files."""

    def folder(self, **files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, rows in files.items():
            text = "\n".join(",".join(map(str, row)) for row in rows)
            (pathlib.Path(folder.name) / f"{name}.csv").write_text(text + "\n", encoding="utf-8")
        return pathlib.Path(folder.name)

    def test_a_peak_lies_between_samples(self):
        time, value = measures.peak([0, 1, 2, 3], [3 - (t - 1.3) ** 2 for t in range(4)])
        self.assertAlmostEqual(time, 1.3)
        self.assertAlmostEqual(value, 3)
        self.assertEqual(measures.peak([0, 1], [5, 4]), (0, 5))

    def test_crossings_are_those_of_one_direction(self):
        values = [-1, 1, 1, -3, -3, 1]
        self.assertEqual(measures.crossings(range(6), values), [0.5, 4.75])
        self.assertEqual(measures.crossings(range(6), values, rising=False), [2.25])

    def test_a_wake_has_its_frequency_and_largest_forces(self):
        period = 33.7
        turn = [2 * math.pi * step / period for step in range(401)]
        rows = [
            (step, 3 + 0.1 * math.cos(2 * t), 0.02 + math.sin(t)) for step, t in enumerate(turn)
        ]
        names = ("step", "cylinder.drag_coefficient", "cylinder.lift_coefficient")
        folder = self.folder(series=[names, *rows])
        with mock.patch.object(measures, "pressure_drops", lambda _: (range(401), [math.sin(t) for t in turn])):
            found = measures.oscillation(folder, 100, (10, 0.5))
        self.assertAlmostEqual(found["strouhal"], 10 / period, 5)
        self.assertAlmostEqual(found["drag_max"], 3.1, 4)
        self.assertAlmostEqual(found["lift_max"], 1.02, 4)
        self.assertAlmostEqual(found["pressure_drop"], -2, 1)
        self.assertEqual(found["periods"], 8)

    def test_womersley_is_quasi_steady_when_slow(self):
        found = measures.womersley([0, 1], 250, 2, 0.5, 1e-3, 1000)
        slow = measures.womersley([0, 1], 2.5e6, 2, 0.5, 1e-3, 1e7)
        self.assertAlmostEqual(slow[0], 1e-3 * 4 / (2 * 0.5), 8)
        self.assertAlmostEqual(slow[1], 1e-3 * 3 / (2 * 0.5), 8)
        self.assertAlmostEqual(found[0], slow[0], 5)

    def test_pressure_at_a_surface_is_that_of_a_parabola(self):
        from experiments_validation import surface_drop

        def line(distance):  # 5 in front of the surface, 1 behind it
            return 2 * distance - 0.5 * distance**2

        rows = [(x + 0.5, 5 + line(3.5 - x)) for x in range(4)]
        rows += [(4.5, "nan"), *((x + 5.5, 1 + line(x + 0.5)) for x in range(4))]
        folder = self.folder(profile_pressure=[("x", "pressure"), *rows])
        self.assertAlmostEqual(surface_drop(folder), 4)
        self.assertAlmostEqual(measures.at_surface([5 + line(d) for d in (1, 2, 3)]), 5)

    def test_two_grids_are_extrapolated_in_second_order(self):
        grids = [(nodes, {"a": 2 + 3 / nodes**2, "b": None}) for nodes in (20, 30)]
        self.assertAlmostEqual(tables_validation.extrapolated("a", *grids), 2)
        self.assertIsNone(tables_validation.extrapolated("b", *grids))

    def test_differences_are_from_the_number_and_the_interval(self):
        self.assertEqual(tables_validation.compared(5.58, 5.6, (5.57, 5.59)), "5.5800 (-0.36 %, inside)")
        self.assertEqual(tables_validation.compared(-0.12, None, (-0.115, -0.105)), "-0.12000 (4.3 % below)")
        self.assertEqual(tables_validation.compared(0.0123, 0, None), "1.23 %")

    def test_a_number_with_an_error_has_so_many_digits(self):
        self.assertEqual(tables_validation.published_text({"value": 1.87654, "error": 0.00234}), "1.877 ± 0.002")
        self.assertEqual(tables_validation.published_text({"value": 1.87654}), "1.87654")

    def test_each_published_number_has_runs(self):
        context = tables.Context(reports.Results(ROOT / "perf" / "results"), ROOT)
        for experiment in EXPERIMENTS:
            # Runs of checks are compared with others of ours.
            if experiment.book == "validation" and not experiment.name.endswith("_checks"):
                cases = {run.parameters["case"] for run in experiment.runs("all")}
                self.assertEqual(cases, set(tables_validation.published_cases(context, experiment.name)))


def cavity_run(cells, velocities, drag, method="shakhov-synthetic"):
    return {
        "parameters": {"method": method, "cells": cells, "velocities": velocities},
        "values": {"drag_coefficient": drag, "flow_rate": drag},
    }


class Spheres(unittest.TestCase):
    """SPARTA's sphere in a stream (perf/dsmc.py)."""

    def test_loads_become_coefficients(self):
        delta, mach = dsmc.sphere_settings("sphere_5_0.1")["delta"], 5
        self.assertAlmostEqual(delta, math.sqrt(math.pi) / 0.2, places=8)
        # Number density of hard spheres of 4e-10 m, speed of the stream: argon at 273 K.
        number = delta * 1.016034 * 5 / 16 * math.sqrt(2 * math.pi) / (math.pi * 4e-10**2)
        speed = mach * math.sqrt(5 / 3 * 1.380649e-23 * 273 / 6.63e-26)
        unit = 6.63e-26 * number * speed**2 / 2 * math.pi / 4
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "sphere_5_0.1.load").write_text(f"# a comment\n500 {2 * unit} {0.5 * unit * speed}\n")
            cells = "ITEM: CELLS\n0 0 9 9 0 0 1 1\nITEM: CELLS\n0.6 0 0.7 0.1 20 {n} 1 3\n0.4 0 0.6 0.1 20 {n} 1 2\n0 0 0.1 0.1 0 0 1 1\n"
            (path / "sphere_5_0.1.cells").write_text(cells.format(n=number))
            found = dsmc.sphere_blocks(path, "sphere_5_0.1")
            self.assertAlmostEqual(found["ball.drag_coefficient"][0], 2, places=6)
            self.assertAlmostEqual(found["heat_transfer"][0], 0.5, places=6)
            # The cell that the sphere cuts counts, but its width does not.
            self.assertEqual(dsmc.sphere_cells(path, "sphere_5_0.1"), (3, 2))


class Across(unittest.TestCase):
    def test_values_are_extrapolated_and_errors_are_of_cells_and_velocities(self):
        runs = [cavity_run(n, 8, 1 + 9 / n**2) for n in (3, 6)] + [cavity_run(3, 12, 2.5)]
        value, error = tables_across.estimate(runs, 0)
        self.assertAlmostEqual(value, 1)
        self.assertAlmostEqual(error, 0.25 + 0.5)
        runs = [cavity_run(n, 0, 1 + 2 / n, "lbm_d2q9-slip") for n in (2, 4, 8)]
        self.assertAlmostEqual(tables_across.estimate(runs, 1)[0], 1)
        self.assertEqual(tables_across.estimate(runs[:1], 1), (2, None))
        self.assertEqual(tables_across.estimate([], 1), (None, None))
        self.assertEqual(tables_across.with_error((0.12345, 0.00021)), "0.1235 ± 0.0002")

    def test_stokes_flow_without_slip_and_with_much_of_it(self):
        flow, lid, wall = slip_cavity.cavity(16, 0, 0)
        self.assertAlmostEqual(flow, 0.2, 2)
        self.assertLess(wall, 0.2 * lid)
        slipping = slip_cavity.cavity(16, 1, 0)
        self.assertLess(slipping[0], 0.3 * flow)
        self.assertLess(slipping[1], 1)

    def test_cells_fill_the_cavity_and_do_not_jump(self):
        for delta in (0.01, 30, 1000):
            for cells in (32, 64):
                axis = experiments.cavity_axis(delta, cells)
                self.assertAlmostEqual(sum(segment["length"] for segment in axis), 1, 8)
                if len(axis) == 3:
                    first, middle = axis[0], axis[1]
                    ratio, count = first["ratio"], first["cells"]
                    last = first["length"] * (ratio - 1) / (ratio**count - 1) * ratio ** (count - 1)
                    self.assertAlmostEqual(middle["length"] / middle["cells"] / last / ratio, 1, 1)


class Plots(unittest.TestCase):
    def plot(self, points):
        return plots.Plot(
            "a < b", "x", "y", [plots.Series("s", points, 0, True, "cross")], True, True
        )

    def test_points_without_a_place_are_left_out(self):
        drawn = self.plot([(1, 2), (0, 3), (10, float("nan")), (100, 20)]).draw()
        self.assertEqual(drawn, self.plot([(1, 2), (100, 20)]).draw())
        self.assertIn("a &lt; b", drawn)
        self.assertIsNone(self.plot([(0, 1)]).draw())

    def test_errors_get_bars(self):
        drawn = self.plot([(1, 2, 1), (100, 20)]).draw()
        self.assertEqual(drawn.count("<path d="), 1)
        self.assertEqual(self.plot([(1, 2), (100, 20)]).draw().count("<path d="), 0)
        self.assertIn("<path d=", self.plot([(1, 2, 3), (100, 20)]).draw())  # reaches below zero

    def test_one_point_and_equal_values_can_be_drawn(self):
        self.assertIn("<polygon", self.plot([(1, 2)]).draw())
        self.assertIn("<polyline", self.plot([(1, 2), (2, 2)]).draw())


class Pages(unittest.TestCase):
    def test_pages_can_be_made_of_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pages.make(ROOT, pathlib.Path(folder))
        for template in pages.TEMPLATES.rglob("*.md"):
            self.assertIn(reports.MISSING, made[template.relative_to(pages.TEMPLATES).as_posix()])
            self.assertNotIn("{{", made[template.relative_to(pages.TEMPLATES).as_posix()])

    def test_names_of_experiments_and_runs_are_unique_and_their_cases_exist(self):
        names = [experiment.name for experiment in EXPERIMENTS]
        self.assertEqual(len(names), len(set(names)))
        for experiment in EXPERIMENTS:
            for size in ("small", "full"):
                runs = [run.name for run in experiment.runs(size)]
                self.assertEqual(len(runs), len(set(runs)), experiment.name)
                for run in experiment.runs(size):
                    self.assertTrue((ROOT / run.case).exists(), run.case)


if __name__ == "__main__":
    unittest.main()
