"""The cases of inputs/gallery give the results that its README states.

usage: gallery_test.py quick|all
"""

import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = os.environ["KNUDSEN_PROGRAM"]
GALLERY = pathlib.Path(__file__).resolve().parents[2] / "inputs" / "gallery"
QUICK = {"micro_channel", "vacuum_chamber", "pipe_bend", "hot_pipe"}  # seconds on two cores
ROW = re.compile(r"\| \[`(\w+)\.json`\].* \| `([\w.]+)` \| (\S+) (.+) \|")


def run(name, monitor):
    """The last value of a monitor and its unit."""
    with tempfile.TemporaryDirectory(prefix="knudsen-gallery-") as folder:
        subprocess.run([PROGRAM, "run", GALLERY / f"{name}.json", "--output", folder, "--quiet",
                        "--no-bandwidth", "--require-convergence"], check=True)
        lines = (pathlib.Path(folder) / "series.csv").read_text().splitlines()
    units = dict(pair.split("=") for pair in lines[0].removeprefix("# units: ").split(", "))
    *_, last = csv.DictReader(lines[1:])
    return float(last[monitor]), units[monitor]


def main(which):
    rows = ROW.findall((GALLERY / "README.md").read_text())
    assert {row[0] for row in rows} == {path.stem for path in GALLERY.glob("*.json")}, rows
    for name, monitor, value, unit in rows:
        if which == "quick" and name not in QUICK:
            continue
        found = run(name, monitor)
        print(f"{name}: {monitor} = {found[0]:.4g} {found[1]}", flush=True)
        assert abs(found[0] / float(value) - 1) < 1e-3 and found[1] == unit, (name, value, unit)


if __name__ == "__main__":
    main(sys.argv[1])
