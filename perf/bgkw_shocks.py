#!/usr/bin/env python3
"""Normal shock waves with the method bgkw: thickness over the Mach number, argon at Mach 8.

Writes shock_thickness.csv (density and temperature thickness in the unit mu v_ref / p upstream, ends
and fluxes against Rankine and Hugoniot) and shock_argon_ma8.csv (profiles beside the UGKS data).
"""

import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def case_of(mach, model, omega, cells, size):
    speed = mach * math.sqrt(5 / 6)
    compression = 4 * mach**2 / (mach**2 + 3)
    heat = (5 * mach**2 - 1) * (mach**2 + 3) / (16 * mach**2)
    low = speed / compression - 4.5 * math.sqrt(heat)
    high = max(speed + 4.5, speed / compression + 4.5 * math.sqrt(heat))
    count = math.ceil((high - low) / 0.55)
    monitors = ["density_thickness", "temperature_thickness", "west.mass_flux", "east.mass_flux",
                "east.force_x", "west.force_x", "east.energy_flux", "west.energy_flux"]  # fmt: skip
    case = {
        "method": "bgkw",
        "precision": "double",
        "domain": {"cells": [cells], "size": [size]},
        "reduced": True,
        "velocity_grid": {"count": [count, 1, 1], "minimum": [low, -1, -1], "maximum": [high, 1, 1]},
        "gas": {"rarefaction": 1, "omega": omega},
        "collision": {"model": model, "conservative": model == "bgk"},
        "propagation": {"order": 2, "relaxation_fraction": 0.5},
        "initial": {"type": "shock", "mach": mach},
        "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}},
        "stop": {"steps": 60000, "check_every": 500,
                 "criteria": [{"quantity": "density_thickness", "tolerance": 1e-5}]},
        "output": {
            "fields": {"write": False},
            "series": {"quantities": monitors},
            "profiles": [{"name": n, "quantity": n, "along": "x"} for n in ("density", "temperature")],
        },
    }  # fmt: skip
    return case, speed, compression, heat


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def solve(program, case, directory):
    path = directory / "case.json"
    path.write_text(json.dumps(case), encoding="utf-8")
    command = [program, "run", str(path), "--output", str(directory / "out"), "--quiet",
               "--no-bandwidth"]  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    last = {key: float(value) for key, value in rows_of(directory / "out" / "series.csv")[-1].items()}
    profiles = {}
    for name in ("density", "temperature"):
        rows = rows_of(directory / "out" / f"profile_{name}.csv")
        profiles[name] = [(float(r["position"]), float(r[name])) for r in rows]
    return last, profiles


def interpolate(points, x):
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[0][1] if x < points[0][0] else points[-1][1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--knudsen", default="knudsen")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "bgkw")
    parser.add_argument("--cells", type=int, default=200)
    parser.add_argument("--machs", nargs="+", type=float, default=[1.2, 1.5, 2, 3, 4, 6, 8])
    options = parser.parse_args()
    with open(options.results / "shock_thickness.csv", "w", encoding="utf-8") as out:
        out.write(f"# omega 0.74, {options.cells} cells, order 2, reduced; thickness in mu v_ref / p\n")
        out.write("mach,model,density_thickness,temperature_thickness,density_end_error,"
                  "temperature_end_error,mass_flux_change,momentum_flux_change,energy_flux_change\n")  # fmt: skip
        for mach in options.machs:
            for model in ("bgk", "shakhov"):
                size = 80 if mach < 1.4 else 50 if mach < 4 else 80
                case, _, compression, heat = case_of(mach, model, 0.74, options.cells, size)
                with tempfile.TemporaryDirectory() as directory:
                    last, profiles = solve(options.knudsen, case, pathlib.Path(directory))
                change = [
                    -last["east." + q] / last["west." + q] - 1
                    for q in ("mass_flux", "force_x", "energy_flux")
                ]
                out.write(
                    f"{mach:g},{model},{last['density_thickness']:.5g},"
                    f"{last['temperature_thickness']:.5g},"
                    f"{profiles['density'][-1][1] / compression - 1:.2e},"
                    f"{profiles['temperature'][-1][1] / heat - 1:.2e},"
                    + ",".join(f"{c:.2e}" for c in change) + "\n"
                )  # fmt: skip
                out.flush()
    omega = 0.72
    case, _, compression, heat = case_of(8, "shakhov", omega, 2 * options.cells, 80)
    with tempfile.TemporaryDirectory() as directory:
        _, profiles = solve(options.knudsen, case, pathlib.Path(directory))
    density = [(x, (r - 1) / (compression - 1)) for x, r in profiles["density"]]
    temperature = [(x, (t - 1) / (heat - 1)) for x, t in profiles["temperature"]]
    middle = next(
        x0 + (x1 - x0) * (0.5 - y0) / (y1 - y0)
        for (x0, y0), (x1, y1) in zip(density, density[1:])
        if y0 <= 0.5 <= y1
    )
    # The data's mean free path is that of variable hard spheres.
    path = (7 - 2 * omega) * (5 - 2 * omega) / (15 * math.sqrt(math.pi))
    reference = rows_of(HERE.parent / "tests" / "data" / "shock_argon_Ma8_UGKS_shakhov_digitised.csv")
    points = [(float(r["x_over_lambda"]), float(r["rho_normalised"])) for r in reference]
    shift = next(
        x0 + (x1 - x0) * (0.5 - y0) / (y1 - y0)
        for (x0, y0), (x1, y1) in zip(points, points[1:])
        if y0 <= 0.5 <= y1
    )
    with open(options.results / "shock_argon_ma8.csv", "w", encoding="utf-8") as out:
        out.write(f"# Shakhov, omega 0.72, {2 * options.cells} cells; x from the middle of the density\n")
        out.write("x_over_lambda,density,density_ugks,temperature,temperature_ugks\n")
        for row in reference:
            x = float(row["x_over_lambda"]) - shift
            place = middle + x * path
            out.write(
                f"{x:.4f},{interpolate(density, place):.4f},{row['rho_normalised']},"
                f"{interpolate(temperature, place):.4f},{row['T_normalised']}\n"
            )


if __name__ == "__main__":
    main()
