"""Solves kinetic equations: lattice Boltzmann, model equations, and the Boltzmann equation.

A case has the keys of a case file (docs/case-format.md), with the same checks and messages:

    case = knudsen.Case("cavity.json", overrides={"fluid.reynolds": 400})
    run = case.run(output="results/re400")       # what `knudsen run` does
    with case.simulation() as sim:               # the same, step by step
        sim.advance(100)
        sim.fields["velocity"]                   # NumPy, (nz, ny, nx[, components])
    knudsen.open("results/re400").series         # results on disk
    knudsen.sweep(case, {"fluid.reynolds": [100, 400]})  # runs with several values

All calls of a process must come from one thread. Long ones release Python's lock, so other threads
run meanwhile; they must not use h5py while a run, `save` or `load` writes or reads HDF5.
"""

import importlib.machinery as _machinery
import os as _os
import pathlib as _pathlib
import sys as _sys

_modules = list(_pathlib.Path(__file__).parent.glob("_knudsen.*.so"))
if not any(_path.name == "_knudsen" + _suffix for _path in _modules
           for _suffix in _machinery.EXTENSION_SUFFIXES):
    raise ImportError(
        f"{_pathlib.Path(__file__).parent}: has no module for Python {_sys.version.split()[0]} "
        f"({_sys.executable}), but {', '.join(_path.name for _path in _modules) or 'none at all'}; "
        "start the Python for which it was built, or build it for this one (docs/python.md)")

# Threads of OpenMP that spin while they wait take the cores of other processes, and are a hundred
# times slower beside one that is busy. OpenMP reads the variable when it is loaded, now at the latest.
if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & set(_os.environ):
    _os.environ["OMP_WAIT_POLICY"] = "passive"
    from . import _knudsen
    del _os.environ["OMP_WAIT_POLICY"]  # not for the processes that this one starts

from ._case import Case, Progress, Run, Validation, schema, start
from ._estimates import Estimate, extrapolate, mean_over_time
from ._geometry import mesh, voxels
from ._knudsen import Error, FieldArray, InputError, RunError, UsageError, git_commit, version
from ._results import FieldFile, Results, compare, open
from ._simulation import Fields, Simulation
from ._sweep import sweep
from ._table import Table

__version__ = version

__all__ = [
    "Case", "Error", "Estimate", "FieldArray", "FieldFile", "Fields", "InputError", "Progress",
    "Results", "Run", "RunError", "Simulation", "Table", "UsageError", "Validation", "compare",
    "extrapolate", "git_commit", "mean_over_time", "mesh", "open", "schema", "start", "sweep",
    "voxels",
]
