"""Whether the program can be run on several ranks here."""

import shutil
import subprocess
import sys
import pathlib
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "combinations"))

from program import ENVIRONMENT, MPIRUN, PROGRAM


def why_not():
    if shutil.which(MPIRUN[0]) is None:
        return "there is no " + MPIRUN[0]

    def launch(*command):
        return subprocess.run([*MPIRUN, "-n", "2", *command], text=True, capture_output=True,
                              timeout=60, env=ENVIRONMENT, check=False)

    if launch("true").returncode != 0:
        return MPIRUN[0] + " cannot start processes here"
    if "built without MPI" in launch(PROGRAM, "--version").stderr:
        return "the program was built without MPI"
    return None


REASON = why_not()
needs_ranks = unittest.skipIf(REASON is not None, REASON)
