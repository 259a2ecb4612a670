"""A small case of each method, and the paths of the tests."""

import contextlib
import copy
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["KNUDSEN_PROGRAM"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]

WALLS = {side: {"type": "wall"} for side in ("south", "west", "east")}
CASES = {
    "lbm_d2q9": {
        "title": "Small cavity",
        "method": "lbm_d2q9",
        "precision": "double",
        "domain": {"nodes": [24, 20]},
        "fluid": {"reynolds": 50, "velocity": 0.05},
        "boundaries": {"north": {"type": "wall", "velocity": [1, 0]}, **WALLS},
        "stop": {"steps": 40, "check_every": 10},
        "output": {"series": {"quantities": ["kinetic_energy", "velocity_change"]}},
    },
    "lbm_d3q27": {
        "method": "lbm_d3q27",
        "domain": {"nodes": [12, 10, 8]},
        "fluid": {"reynolds": 100, "velocity": 0.05, "length": 2},
        "collision": {"operator": "cumulant"},
        "initial": {"type": "taylor-green"},
        "stop": {"steps": 30, "check_every": 10},
        "output": {"series": {"quantities": ["kinetic_energy", "mass"]}},
    },
    "bgkw": {
        "method": "bgkw",
        "precision": "single",
        "domain": {"cells": [10, 8]},
        "velocity_grid": {"count": [6, 6, 6], "minimum": [-3, -3, -3], "maximum": [3, 3, 3]},
        "gas": {"rarefaction": 1},
        "boundaries": {"north": {"type": "wall", "velocity": [0.01, 0, 0]}, **WALLS},
        "stop": {"steps": 20, "check_every": 5},
        "output": {"series": {"quantities": ["mass", "velocity_change"]}},
    },
    "shakhov": {
        "method": "shakhov",
        "precision": "double",
        "domain": {"cells": [6, 5, 4]},
        "velocity_grid": {"count": [6, 6, 6], "minimum": [-4, -4, -4], "maximum": [4, 4, 4],
                          "rule": "trapezoid"},
        "gas": {"rarefaction": 1, "law": "argon"},
        "boundaries": {"north": {"type": "wall", "velocity": [0.1, 0, 0]}, **WALLS,
                       "bottom": {"type": "wall"}, "top": {"type": "wall"}},
        "stop": {"steps": 8, "check_every": 2},
    },
    "boltzmann": {
        "method": "boltzmann",
        "precision": "single",
        "domain": {"cells": [10]},
        "velocity_grid": {"count": [8, 8, 8], "minimum": [-3.2, -3.2, -3.2],
                          "maximum": [3.2, 3.2, 3.2]},
        "gas": {"rarefaction": 0.8},
        "collision": {"form": "linearised", "samples": 256, "body_force": [0, 0.01, 0]},
        "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}},
        "stop": {"steps": 10, "check_every": 5},
    },
}


def small(method="lbm_d2q9", **blocks):
    """A copy of a small case, with other blocks."""
    return {**copy.deepcopy(CASES[method]), **blocks}


def unstable():
    """A case that diverges after some hundred steps."""
    case = small(fluid={"relaxation_time": 0.5001, "velocity": 0.17}, title="Unstable")
    case["stop"] = {"steps": 20000, "check_every": 100}
    return case


class InDirectory(unittest.TestCase):
    """Tests in a new directory of their own."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="knudsen-python-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.directory)

    def program(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True,
                              timeout=120)

    @contextlib.contextmanager
    def raises(self, kind, *parts):
        """Expects one error of exactly this kind, in one line that contains `parts`."""
        with self.assertRaises(kind) as caught:
            yield
        self.assertIs(type(caught.exception), kind)
        text = str(caught.exception)
        self.assertNotIn("\n", text)
        for part in parts:
            self.assertIn(part, text)
