"""Tests of perf/papers: what pages are made of, and that pages without any results can be made."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["KNUDSEN_SOURCE_DIR"])
sys.path.insert(0, str(ROOT / "perf" / "papers"))

import bgkw_figures
import pages
import plots
import reports
import runner
import tables
import tables_boltzmann
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

    def test_the_fastest_that_matches_is_taken(self):
        results = self.results(report(rate=5), report(rate=7), report(rate=9, precision="double"))
        found = results.fastest(method="bgkw", precision="single", size_cells=4)
        self.assertEqual(found["total"]["updates_per_second"], 7)
        self.assertIsNone(results.fastest(size_cells=5))

    def test_all_cores_are_the_most_threads_not_the_fastest(self):
        results = self.results(report(), report(threads=2, rate=90), report(threads=16, rate=80))
        one, many = results.on_cores(method="bgkw")
        self.assertEqual((one["threads"], many["threads"]), (1, 16))

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


    def test_a_machine_without_the_grid_shows_its_nearest_and_says_so(self):
        def sized(cells, velocities, **changes):
            sizes = {"cells": cells, "cells_x": cells, "velocities": velocities}
            return report(sizes=sizes, **changes)

        results = self.results(
            sized(100, 8, backend="cuda"),
            sized(100, 8, threads=16, rate=5),
            sized(400, 8, threads=16, rate=9),
            sized(20, 8, rate=3),
            sized(30, 8, rate=2),
            sized(100, 4, rate=7),
        )
        context = tables.Context(results, ROOT)
        same = ("size_cells", "size_velocities")
        grid = {"size_cells": 100, "size_velocities": 8}
        gpu, one, many, text = tables.three_machines(context, {"method": "bgkw"}, same, grid)
        self.assertEqual(many["total"]["updates_per_second"], 5)
        self.assertEqual(one["total"]["updates_per_second"], 2)
        self.assertEqual(gpu["backend"], "cuda")
        self.assertIn("one thread", text)
        # Without a grid that of the fastest run on all cores counts.
        _, _, many, _ = tables.three_machines(context, {"method": "bgkw"}, same)
        self.assertEqual(many["total"]["updates_per_second"], 9)
        nothing = tables.three_machines(context, {"method": "none"}, same, grid)
        self.assertEqual(nothing, (None, None, None, reports.MISSING))

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

    def test_seconds_of_a_kernel(self):
        first = {"calls": 10, "median_seconds": 0.5, "seconds": 6}
        self.assertEqual(reports.all_calls_seconds(first), 5)
        second = {"calls": 10, "call_seconds": {"median": 0.5}, "seconds": 6}
        self.assertEqual(reports.all_calls_seconds(second), 6)

    def test_parts_of_a_step(self):
        made = report()
        made["total"].update(steps=2, seconds=3, updates=10)
        made["kernels"] = [{"name": "stream", "calls": 2, "median_seconds": 0.5, "seconds": 7}]
        self.assertEqual(bgkw_figures.parts_of(made)["fused stream"], (1e8, 1 / 3))
        made["total"]["step_seconds"] = {"count": 5, "median": 1.0}
        made["kernels"] = [{"name": "stream", "calls": 2, "call_seconds": {}, "seconds": 1.0}]
        self.assertEqual(bgkw_figures.parts_of(made)["fused stream"], (1e8, 0.5))


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

    def test_one_point_and_equal_values_can_be_drawn(self):
        self.assertIn("<polygon", self.plot([(1, 2)]).draw())
        self.assertIn("<polyline", self.plot([(1, 2), (2, 2)]).draw())


class Pages(unittest.TestCase):
    def test_pages_can_be_made_of_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pages.make(ROOT, pathlib.Path(folder))
        for template in pages.TEMPLATES.glob("*.md"):
            self.assertIn(reports.MISSING, made[template.name])
            self.assertNotIn("{{", made[template.name])

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
