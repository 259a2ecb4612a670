#!/usr/bin/env python3
"""Couette, Poiseuille and heat flow between plates with the method bgkw beside reference tables.

Runs every rarefaction parameter of the tables in tests/data (or of --data), second order, and
writes one CSV table a flow: delta, computed, reference, relative difference.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FLOWS = {
    "couette_bgk": ("couette_plane_BGK_shear.csv", "minus_pxy_per_dU", "bgk"),
    "heat_bgk": ("heat_transfer_plates_BGK.csv", "q_per_dT", "bgk"),
    "poiseuille_bgk": ("poiseuille_plane_BGK_loyalka1979.csv", "G_P", "bgk"),
    "poiseuille_shakhov": ("poiseuille_plane_Smodel_sharipov1999.csv", "G_P", "shakhov"),
}


def case_of(flow, model, delta, cells, velocities):
    """Case, the monitor to read, and what it is divided by."""
    case = {
        "method": "bgkw",
        "precision": "double",
        "domain": {"cells": [cells]},
        "velocity_grid": {
            "type": "stretched",
            "count": [velocities, 8, 6],
            "ratio": [20, 1, 1],
            "minimum": [-4, -3.5, -3.5],
            "maximum": [4, 3.5, 3.5],
        },
        "gas": {"rarefaction": delta},
        "collision": {"model": model, "conservative": True},
        "propagation": {"order": 2, "relaxation_fraction": 1},
        "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}},
        "output": {"fields": {"write": False}},
    }
    sides = case["boundaries"]
    if flow == "couette":
        sides["west"]["velocity"], sides["east"]["velocity"] = [0, -0.01, 0], [0, 0.01, 0]
        monitor, scale = "west.force_y", 0.02
    elif flow == "heat":
        sides["west"]["temperature"], sides["east"]["temperature"] = 0.995, 1.005
        case["reduced"] = True
        monitor, scale = "west.energy_flux", 0.01
    else:
        case["collision"]["body_force"] = [0, 0.002, 0]
        monitor, scale = "mean_velocity_y", 0.002
    case["output"]["series"] = {"quantities": [monitor]}
    case["stop"] = {
        "steps": 200000,
        "check_every": 500,
        "criteria": [{"quantity": monitor, "tolerance": 1e-5}],
    }
    return case, monitor, scale


def compute(program, case, monitor, directory):
    path = directory / "case.json"
    path.write_text(json.dumps(case), encoding="utf-8")
    command = [program, "run", str(path), "--output", str(directory / "out"), "--quiet", "--no-bandwidth"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(directory / "out" / "series.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return float(rows[-1][monitor])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("flows", nargs="*", default=[], help=", ".join(FLOWS))
    parser.add_argument("--knudsen", default="knudsen")
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parent / "tests" / "data")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "bgkw")
    parser.add_argument("--cells", type=int, default=40)
    parser.add_argument("--velocities", type=int, default=48, help="across the slab")
    parser.add_argument("--deltas", nargs=2, type=float, default=[0, 1e9], help="range")
    options = parser.parse_args()
    for name in options.flows or FLOWS:
        table, column, model = FLOWS[name]
        with open(options.data / table, encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        with open(options.results / f"{name}.csv", "w", encoding="utf-8") as out:
            out.write(f"# {options.cells} cells, {options.velocities} velocities across, order 2\n")
            out.write("delta,computed,reference,relative_difference\n")
            for row in rows:
                delta, reference = float(row["delta"]), float(row[column])
                if not options.deltas[0] <= delta <= options.deltas[1]:
                    continue
                with tempfile.TemporaryDirectory() as directory:
                    case, monitor, scale = case_of(
                        name.split("_")[0], model, delta, options.cells, options.velocities
                    )
                    value = compute(options.knudsen, case, monitor, pathlib.Path(directory)) / scale
                out.write(f"{delta:g},{value:.6g},{reference:g},{value / reference - 1:.5f}\n")
                out.flush()


if __name__ == "__main__":
    main()
