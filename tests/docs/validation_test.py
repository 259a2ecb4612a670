"""Repeats recorded validation runs: the numbers of docs/validation are those of this program.

usage: validation_test.py PROGRAM [SECONDS]    runs that took up to so long when they were recorded (default: 0.6)
"""

import os
import pathlib
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(os.environ["KNUDSEN_SOURCE_DIR"])
sys.path.insert(0, str(ROOT / "perf" / "papers"))

import reports
import runner
from experiments import EXPERIMENTS

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
SECONDS = float(sys.argv.pop(1)) if len(sys.argv) > 1 else 0.6


class Recorded(unittest.TestCase):
    def test_runs_repeat_what_was_recorded(self):
        recorded = reports.Results(ROOT / "perf" / "results")
        repeated = 0
        for experiment in EXPERIMENTS:
            if experiment.book != "validation":
                continue
            known = {run["name"]: run for run in recorded.runs(experiment.name)}
            for run in experiment.small:
                if run.name not in known or known[run.name]["seconds"] > SECONDS:
                    continue
                with self.subTest(experiment=experiment.name, run=run.name):
                    self.compare(experiment, run, known[run.name]["values"])
                    repeated += 1
        self.assertGreater(repeated, 0)

    def compare(self, experiment, run, expected):
        with tempfile.TemporaryDirectory() as folder:
            options = types.SimpleNamespace(
                knudsen=PROGRAM, results=pathlib.Path(folder), options="--threads 1", jobs=1, size="small"
            )
            runner.make_run(experiment, run, options, float("inf"))
            found = reports.Results(folder).run(experiment.name, run.name)["values"]
        for name, value in found.items():  # fewer without h5py
            self.assertAlmostEqual(value, expected[name], delta=1e-5 * abs(expected[name]), msg=name)


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
