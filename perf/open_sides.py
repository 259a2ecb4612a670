"""Channels between open sides by shakhov on cells of many mean free paths.

    perf/open_sides.py PROGRAM [--results FOLDER]  writes asymptotic_open_sides.csv, asymptotic_pressure_sides.csv and
                                                   asymptotic_near_sound.csv, in minutes on one thread
"""

import argparse
import csv
import json
import math
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
WALL = {"type": "wall"}
RESERVOIR = {"type": "reservoir"}
SIDES = {  # west, east
    "reservoir": ({**RESERVOIR, "density": 1.005}, {**RESERVOIR, "density": 0.995}),
    "pressure": ({"type": "pressure", "pressure": 1.005}, {"type": "pressure", "pressure": 0.995}),
    "inlet": ({"type": "inlet", "mass_flux": 0.002}, {"type": "pressure", "pressure": 1}),
    "pump": (RESERVOIR, {"type": "pump", "capture": 0.01}),
    "vacuum": (RESERVOIR, {"type": "vacuum"}),
}


def case(west, east, cells, rarefaction, order, acceleration, most, conservative=None):
    """A channel of length 2 and height 1."""
    return {
        "method": "shakhov",
        "precision": "double",
        "velocity_grid": {"type": "half-range", "count": [8, 8, 8]},
        "domain": {"cells": cells, "size": [2, 1]},
        "gas": {"rarefaction": rarefaction, "law": "argon"},
        "collision": {} if conservative is None else {"conservative": conservative},
        "propagation": {"acceleration": acceleration, "order": order},
        "boundaries": {"north": WALL, "south": WALL, "west": west, "east": east},
        "stop": {"steps": most, "check_every": 1, "criteria": [{"quantity": "moments_change", "tolerance": 1e-6}]},
        "output": {
            "fields": {"write": False},
            "series": {"quantities": ["moments_change", "west.mass_flow", "east.mass_flow"]},
        },
    }


def run(program, json_case):
    """(iterations or why not, flow in, flow out)."""
    most = json_case["stop"]["steps"]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "case.json").write_text(json.dumps(json_case), encoding="utf-8")
        command = [program, "run", "case.json", "--output", "out", "--threads", "1", "--no-bandwidth", "--quiet"]
        done = subprocess.run(command, cwd=path, capture_output=True, text=True, check=False)
        if done.returncode == 1 and "diverged" in done.stderr:
            return "ended as diverged", "", ""
        done.check_returncode()
        last = (path / "out/series.csv").read_text(encoding="utf-8").splitlines()[-1].split(",")
    iterations = last[0] if "were not met" not in done.stderr else f"more than {most}"
    return iterations, f"{-float(last[2]):.6g}", f"{float(last[3]):.6g}"


def open_sides(program):
    header = ("sides", "mean free paths a cell", "order", "acceleration", "iterations", "flow in", "flow out")
    rows = []
    for name, (west, east) in SIDES.items():
        for paths in (1, 10) if name == "pressure" else (1, 10, 30, 100):
            rarefaction = 12 * paths * math.sqrt(math.pi) / 2
            for order in (1, 2):
                for acceleration in ("asymptotic-preserving", "synthetic"):
                    found = run(program, case(west, east, [24, 12], rarefaction, order, acceleration, 100))
                    rows.append((name, paths, order, acceleration, *found))
                    print(*rows[-1], flush=True)
    return header, rows


def pressure_sides(program):
    header = ("temperature", "pressure of the west side", "order", "iterations", "flow in", "flow out")
    rows = []
    for order in (1, 2):
        for pressure in (1.05, 1.1, 1.2):
            for temperature in ("west", "both", "none"):
                west = {"type": "pressure", "pressure": pressure}
                east = {"type": "pressure", "pressure": 1}
                for side in {"west": (west,), "both": (west, east), "none": ()}[temperature]:
                    side["temperature"] = 1
                found = run(program, case(west, east, [12, 6], 50, order, "asymptotic-preserving", 60))
                rows.append((temperature, pressure, order, *found))
                print(*rows[-1], flush=True)
    return header, rows


def near_sound(program):
    header = ("pressure of the west side", "order", "conservative", "iterations", "flow in", "flow out")
    rows = []
    for order in (1, 2):
        for conservative in (False, True):
            for pressure in (1.1, 1.15, 1.16, 1.17, 1.18, 1.19, 1.1999999, 1.2, 1.2000001, 1.21):
                west = {"type": "pressure", "pressure": pressure, "temperature": 1}
                east = {"type": "pressure", "pressure": 1}
                form = "asymptotic-preserving"
                found = run(program, case(west, east, [12, 6], 50, order, form, 150, conservative))
                rows.append((pressure, order, "yes" if conservative else "no", *found))
                print(*rows[-1], flush=True)
    return header, rows


TABLES = {
    "asymptotic_open_sides.csv": (
        open_sides,
        [
            "Channels with open sides by the asymptotic-preserving form: 24 x 12 cells (L = 2 H), argon, 8^3 half-range velocities, double precision,",
            "from rest to changes of the moments by 1e-6; net mass flow in and out in rho_ref v_ref L. west: \"reservoir\": densities 1.005 and 0.995;",
            "\"pressure\": 1.005 and 0.995 p_ref; \"inlet\": a mass flux of 0.002, and a side of p_ref; \"pump\": a reservoir, and a pump that keeps 1 %;",
            "\"vacuum\": a reservoir, and a vacuum.",
        ],
    ),
    "asymptotic_pressure_sides.csv": (
        pressure_sides,
        [
            "Pressure sides in the asymptotic-preserving form of shakhov: 12 x 6 cells (L = 2 H), argon, rarefaction parameter 50, 8^3 half-range velocities,",
            "double precision, from rest to changes of the moments by 1e-6; the east side has p_ref. temperature: sides with a temperature of 1.",
        ],
    ),
    "asymptotic_near_sound.csv": (
        near_sound,
        [
            "The same, the west side with a temperature of 1, for pressures that drive the gas to nearly the speed of sound. conservative: collision.conservative.",
        ],
    ),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "perf" / "results" / "shakhov")
    arguments = parser.parse_args()
    info = subprocess.run([arguments.program, "info"], capture_output=True, text=True, check=True).stdout
    build = {key: re.search(rf"^{key}\s+(.*)$", info, re.MULTILINE)[1] for key in ("commit", "compiler", "Kokkos")}
    made = f"perf/open_sides.py at commit {build['commit']}, {build['compiler']}, Kokkos {build['Kokkos']}, one thread."
    for name, (make, comments) in TABLES.items():
        header, rows = make(arguments.program)
        with open(arguments.results / name, "w", encoding="utf-8", newline="") as file:
            file.writelines(f"# {line}\n" for line in (*comments, made))
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)


if __name__ == "__main__":
    main()
