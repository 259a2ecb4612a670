"""The comparison with SPARTA (DSMC), from its output and runs of perf/cases/dsmc_*.json.

    perf/dsmc.py run PROGRAM FOLDER [RUN...]  runs the cases, on coarser grids and with ES-BGK too, into FOLDER
    perf/dsmc.py tables SPARTA FOLDER [RUN...]
                                              writes the rows of the runs into perf/results/sparta/*.csv from
                                              SPARTA's output, whose names are those of RUNS (decks:
                                              perf/results/sparta/decks), and FOLDER; `make pages` then makes
                                              docs/papers/dsmc.md
    perf/dsmc.py spheres SPARTA_PROGRAM FOLDER [RUN...]
                                              makes SPARTA's runs of the sphere (decks/sphere.in) in FOLDER
    perf/dsmc.py sphere-table FOLDER          writes perf/results/sparta/sphere.csv from them, for
                                              docs/validation/gas.md
    perf/dsmc.py check PROGRAM [--long]       whether a program still gives the recorded values, which are near
                                              SPARTA's; without --long only two runs of seconds, on the coarse grid
"""

import argparse
import csv
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "perf" / "results" / "sparta"
BOLTZMANN = 1.380649e-23
MASS = 6.63e-26
LID = math.sqrt(5 / 6)  # Mach 1
STREAM = 5 * math.sqrt(5 / 6)
EFFUSION = 0.5 / math.sqrt(math.pi)  # mass flux of free molecules of the reference state
MODEL_ERROR = 0.02  # share by which a model may differ from SPARTA, besides three of its standard errors

# Cases and their rarefaction parameters; a run is called "<case>_<delta>".
CASES = {"cavity": (1, 10), "duct": (0.1, 1, 10), "slit": (0.1, 1, 10), "square": (1, 10), "cylinder": (1, 10)}
BODIES = ("square", "cylinder")  # cases of a stream past a body
RUNS = {f"{case}_{delta}": (case, delta) for case, deltas in CASES.items() for delta in deltas}


def write(name, comments, header, rows):
    with open(RESULTS / name, "w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {line}\n" for line in comments)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


# --- SPARTA ----


class Units:
    """Reference state of a run in SI units; the length is 1 m. The viscosity is that of decks/argon.gas or given."""

    def __init__(self, delta, temperature, viscosity=None):
        viscosity = viscosity or 2.117e-5 * (temperature / 273) ** 0.81
        self.temperature = temperature
        self.velocity = math.sqrt(2 * BOLTZMANN * temperature / MASS)
        self.pressure = delta * viscosity * self.velocity
        self.density = self.pressure / (BOLTZMANN * temperature)


def mean_and_error(values):
    """Mean of blocks and its standard error."""
    return statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values))


def blocks_of_sides(path, units):
    """Fluxes through the sides by block: rows xlo, xhi, ylo, yhi; number, pressure, shear x and y, energy."""
    blocks = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        numbers = [float(word) for word in line.split()]
        if len(numbers) == 2:
            blocks.append([])
        else:
            number, press, shear_x, shear_y, energy = numbers[1:]
            blocks[-1].append(
                (
                    number / units.density / units.velocity,
                    press / units.pressure,
                    shear_x / units.pressure,
                    shear_y / units.pressure,
                    energy / units.pressure / units.velocity,
                )
            )
    return blocks


def blocks_of_cells(path):
    """Cells of each block: x and y of the centre, then number density, velocity, temperature."""
    blocks = []
    with open(path, encoding="utf-8") as file:
        reading = False
        for line in file:
            if line.startswith("ITEM"):
                reading = line.startswith("ITEM: CELLS")
                if reading:
                    blocks.append([])
            elif reading:
                x0, y0, x1, y1, *values = map(float, line.split())
                blocks[-1].append((0.5 * (x0 + x1), 0.5 * (y0 + y1), x1 - x0, *values))
    return blocks[1:]  # the first is written before the run


def line_profile(blocks, units, along, at, half_width, bin_width):
    """Rows (position, quantity, mean, error) along a line: means over strips about it, in bins."""
    binned = [{} for _ in blocks]
    for found, cells in zip(binned, blocks):
        for cell in cells:
            if abs(cell[1 - along] - at) < half_width and cell[3] > 0:
                found.setdefault(math.floor(cell[along] / bin_width + 1e-6), []).append(cell)
    scales = (units.density, units.velocity, units.velocity, units.temperature)
    rows = []
    for index in sorted(binned[0]):
        cells_of = [found[index] for found in binned if index in found]
        if len(cells_of) < len(blocks):
            continue
        position = statistics.fmean(cell[along] for cell in cells_of[0])
        for column, quantity in enumerate(("density", "velocity_x", "velocity_y", "temperature")):
            means = []
            for cells in cells_of:
                # Mean over the molecules, but for the density over the area.
                weights = [c[2] ** 2 * (1 if column == 0 else c[3]) for c in cells]
                total = sum(w * c[3 + column] for w, c in zip(weights, cells))
                means.append(total / sum(weights) / scales[column])
            rows.append((round(position, 5), quantity, *mean_and_error(means)))
    return rows


def reduced(folder, name):
    """Values [(quantity, mean, error)] and profiles [(line, position, quantity, mean, error)] of a run."""
    case, delta = RUNS[name]
    units = Units(delta, 200 if case in BODIES else 300)
    sides = blocks_of_sides(folder / f"{name}.sides", units)
    cells = blocks_of_cells(folder / f"{name}.cells")
    values, profiles = {}, []
    if case == "cavity":
        values["drag_coefficient"] = [-block[3][2] / LID for block in sides]
        for row, side in ((3, "north"), (1, "east"), (2, "south")):
            values[f"{side}.energy_flux"] = [block[row][4] for block in sides]
        lines = {"y": (1, 0.5, 0.015, 0.02), "x": (0, 0.5, 0.015, 0.02)}
    elif case in ("slit", "duct"):
        height = 5 if case == "slit" else 1  # of the side; the slit's is 1
        values["transmission"] = [height * block[1][0] / EFFUSION for block in sides]
        lines = {"x": (0, 0 if case == "slit" else 0.5, 0.05, 0.05)}
    else:
        rows = [
            [float(word) for word in line.split()]
            for line in (folder / f"{name}.load").read_text(encoding="utf-8").splitlines()
            if not line.startswith("#")
        ][-len(sides) :]
        # Density 1: half of it times u^2 is u^2 in reference pressures, as p = rho T / 2.
        values["body.drag_coefficient"] = [row[1] / units.pressure / STREAM**2 for row in rows]
        values["body.heat_coefficient"] = [
            row[3] / units.pressure / units.velocity / STREAM**3 for row in rows
        ]
        lines = {"x": (0, 0, 0.05, 0.05)}
    for line, where in lines.items():
        for row in line_profile(cells, units, *where):
            profiles.append((line, *row))
    return [(quantity, *mean_and_error(blocks)) for quantity, blocks in values.items()], profiles


# --- Knudsen ----


def coarser(case):
    """The case with half the cells along each axis."""
    domain = case["domain"]
    for axis in ("x", "y"):
        for segment in domain.get(axis, []):
            segment["cells"] = max(1, round(segment["cells"] / 2))
            segment["ratio"] = segment.get("ratio", 1) ** 2
    if "cells" in domain:
        domain["cells"] = [cells // 2 for cells in domain["cells"]]
    return case


def fewer_velocities(case):
    """The case with three quarters of the velocities along each axis, an even number."""
    grid = case["velocity_grid"]
    grid["count"] = [2 * round(3 / 8 * count) for count in grid["count"]]
    return case


def es_bgk(case):
    """Another collision model, on the coarser grid."""
    case["collision"] = {"model": "es-bgk"}
    return coarser(case)


VARIANTS = {"main": lambda case: case, "coarse": coarser, "velocities": fewer_velocities, "es-bgk": es_bgk}


def case_of(name):
    case_name, delta = RUNS[name]
    case = json.loads((ROOT / "perf" / "cases" / f"dsmc_{case_name}.json").read_text(encoding="utf-8"))
    case["gas"]["rarefaction"] = delta
    del case["$schema"]
    return case


def run_one(program, name, variant):
    """Values and profiles of a run, as `reduced` has them without errors."""
    case = VARIANTS[variant](case_of(name))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "case.json").write_text(json.dumps(case), encoding="utf-8")
        command = [program, "run", "case.json", "--output", "out", "--threads", "1", "--no-bandwidth", "--quiet"]
        subprocess.run([*command, "--require-convergence"], cwd=path, check=True)
        last = read_rows(path / "out/series.csv")[-1]
        values = {key: float(value) for key, value in last.items()}
        return {
            "iterations": int(values["step"]),
            "values": wanted(name, values),
            "profiles": read_profiles(path / "out"),
        }


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def read_profiles(folder):
    """Profiles by "<quantity>_<line>": points (position, value). Growing cells have a profile of their positions."""
    profiles, places = {}, None
    for path in sorted(folder.glob("profile_*.csv")):
        rows = [tuple(map(float, row.values())) for row in read_rows(path)]
        quantity = list(read_rows(path)[0])[1]
        if quantity == "position_x":
            places = [value for _, value in rows]
        else:
            line = "y" if path.stem.endswith("_y") else "x"
            profiles[f"{quantity}_{line}"] = rows
    if places:
        profiles = {key: [(x, y) for x, (_, y) in zip(places, rows)] for key, rows in profiles.items()}
    return profiles


def wanted(name, values):
    case = RUNS[name][0]
    if case in ("slit", "duct"):
        height = 0.5 if case == "slit" else 1  # half a slit
        return {"transmission": values["east.mass_flow"] / (height * EFFUSION)}
    if case == "cavity":
        return {key: values[key] for key in values if key == "drag_coefficient" or key.endswith("energy_flux")}
    return {
        "body.drag_coefficient": values["body.drag_coefficient"],
        "body.heat_coefficient": values["body.energy_flux"] / (0.5 * STREAM**3),
    }


def run_cases(program, folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or RUNS:
        for variant in VARIANTS:
            found = run_one(program, name, variant)
            print(name, variant, found["iterations"], found["values"], flush=True)
            (folder / f"{name}-{variant}.json").write_text(json.dumps(found), encoding="utf-8")


# --- The sphere of docs/validation/gas.md ----

FREE = 1e-9  # rarefaction parameter at which nothing collides
HARD_SPHERE = {"temperature": 273, "diameter": 4e-10}  # as decks/hard_spheres.gas has it

# Runs by name: Mach number, Knudsen number (none: free molecules), what is different from the main run, settings of the deck.
FREE_MOLECULES = {"up": 0.7, "down": 0.6, "side": 0.7, "halvings": 1, "settle": 100, "before": 300}
FREE_MOLECULES |= {"block": 800, "particles": 40000}
STREAM_2_1 = {"up": 2.5, "down": 2, "side": 2, "settle": 100, "before": 600}
STREAM_2_1 |= {"block": 1500, "particles": 10000, "dt": 0.02}
STREAM_2_01 = {"up": 1.25, "down": 1.25, "side": 1.5, "paths": 1.5, "before": 3000}
STREAM_2_01 |= {"block": 3000, "particles": 20000, "dt": 0.004}
STREAM_5_1 = {"up": 2, "down": 1.5, "side": 1.75, "settle": 200, "before": 1000}
STREAM_5_1 |= {"block": 800, "particles": 10000, "dt": 0.008}
STREAM_5_01 = {"up": 0.9, "down": 0.6, "side": 1.1, "paths": 1.5, "before": 2500}
STREAM_5_01 |= {"block": 1000, "particles": 30000, "dt": 0.001}
BOX_5_1 = {"up": 3, "down": 2.5, "side": 2.75, "settle": 100, "before": 500, "block": 400}
BOX_5_01 = {"up": 1.25, "down": 1, "side": 1.6, "before": 1500, "block": 300}
FINER = {"paths": 3, "halvings": 5}
BOX, CELLS = "box: sides farther", "cells, time step: finer"
SPHERES = {
    "sphere_2_free": (2, None, "", {**FREE_MOLECULES, "dt": 0.02}),
    "sphere_5_free": (5, None, "", {**FREE_MOLECULES, "dt": 0.008}),
    "sphere_2_1": (2, 1, "", STREAM_2_1),
    "sphere_2_0.1": (2, 0.1, "", STREAM_2_01),
    "sphere_2_0.1_cells": (2, 0.1, CELLS, {**STREAM_2_01, **FINER, "dt": 0.003, "particles": 30000, "block": 2000}),
    "sphere_5_1": (5, 1, "", STREAM_5_1),
    "sphere_5_1_box": (5, 1, BOX, {**STREAM_5_1, **BOX_5_1}),
    "sphere_5_0.1": (5, 0.1, "", STREAM_5_01),
    "sphere_5_0.1_box": (5, 0.1, BOX, {**STREAM_5_01, **BOX_5_01}),
    "sphere_5_0.1_cells": (5, 0.1, CELLS, {**STREAM_5_01, **FINER, "dt": 0.0007, "particles": 50000}),
}


def sphere_settings(name):
    """Settings of the deck: {variable: value}."""
    mach, knudsen, _, settings = SPHERES[name]
    delta = FREE if knudsen is None else round(math.sqrt(math.pi) / 2 / knudsen, 9)
    return {"name": name, "delta": delta, "mach": mach, **settings}


def run_spheres(program, folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    for deck in (RESULTS / "decks").iterdir():
        (folder / deck.name).write_bytes(deck.read_bytes())
    for name in names or SPHERES:
        words = [word for key, value in sphere_settings(name).items() for word in ("-var", key, str(value))]
        command = [program, "-in", "sphere.in", "-log", f"{name}.log", "-screen", "none", *words]
        subprocess.run(command, cwd=folder, check=True)


def sphere_blocks(folder, name):
    """Drag and heat transfer coefficients by block of steps."""
    delta, mach = sphere_settings(name)["delta"], SPHERES[name][0]
    temperature, diameter = HARD_SPHERE.values()
    viscosity = 1.016034 * 5 / 16 * math.sqrt(math.pi * MASS * BOLTZMANN * temperature) / (math.pi * diameter**2)
    units = Units(delta, temperature, viscosity)
    speed = mach * math.sqrt(5 / 6) * units.velocity
    unit = MASS * units.density * speed**2 / 2 * math.pi / 4
    lines = (folder / f"{name}.load").read_text(encoding="utf-8").splitlines()
    blocks = [[float(word) for word in line.split()[1:]] for line in lines if not line.startswith("#")]
    return {
        "ball.drag_coefficient": [force / unit for force, _ in blocks],
        "heat_transfer": [heat / unit / speed for _, heat in blocks],
    }


def sphere_cells(folder, name):
    """Smallest number of mean free paths in a cell that is not cut by the body, and the number of cells."""
    paths, found = [], 0
    for line in (folder / f"{name}.cells").read_text(encoding="utf-8").split("ITEM: CELLS")[-1].splitlines()[1:]:
        x0, y0, x1, y1, _, density, *path = map(float, line.split())
        found += density > 0
        if density > 0 and min(math.hypot(x, y) for x in (x0, x1) for y in (y0, y1)) > 0.5:
            paths.append(path[-1])
    return min(paths), found


def make_sphere_table(folder):
    rows = []
    for name, (mach, knudsen, variant, settings) in SPHERES.items():
        if not (folder / f"{name}.load").exists():
            continue
        log = (folder / f"{name}.log").read_text(encoding="utf-8")
        version = re.search(r"SPARTA \((.*?)\)", log)[1]
        particles = re.findall(r"with (\d+) particles", log)[-1]
        steps = re.findall(r"on 1 procs for (\d+) steps", log)[-1]
        path, cells = sphere_cells(folder, name)
        words = " ".join(f"{key}={value}" for key, value in settings.items())
        for quantity, blocks in sphere_blocks(folder, name).items():
            mean, error = mean_and_error(blocks)
            where = (name, mach, "" if knudsen is None else knudsen, variant)
            counts = (particles, cells, "" if knudsen is None else f"{path:.2g}", steps)
            rows.append((*where, quantity, f"{mean:.6g}", f"{error:.2g}", *counts, words))
    comments = [
        f"SPARTA {version}, one process on a virtual machine (Intel Xeon, two cores shared with other programs): a sphere in a stream of",
        "hard spheres by decks/sphere.in, made by perf/dsmc.py. knudsen: sqrt(pi) / (2 delta), of the diameter; empty: free molecules.",
        "sparta, error: mean and its standard error over blocks of the sampled steps. particles: at the end. paths: fewest mean free paths",
        "of the local density in the width of a cell. settings: of the deck.",
    ]
    header = ("run", "mach", "knudsen", "variant", "quantity", "sparta", "error")
    write("sphere.csv", comments, (*header, "particles", "cells", "paths", "steps", "settings"), rows)


# --- Both ----


def interpolated(found, line, quantity, position):
    """A profile's value at a position, linearly; None where the run has no such profile."""
    points = found["profiles"].get(f"{quantity}_{line}")
    if points is None:
        return None
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= position <= x1:
            return y0 + (y1 - y0) * (position - x0) / (x1 - x0)
    return min(points, key=lambda point: abs(point[0] - position))[1]


def in_body(case, position):
    """Whether a place on the line y = 0 is in the body of the case."""
    return case in BODIES and abs(position) < 0.5


def make_tables(sparta, folder, names):
    """Rows of the named runs, or of all, in place of those of the tables."""
    names = names or list(RUNS)
    values, profiles = (
        [tuple(row.values()) for row in read_rows(RESULTS / table) if row["run"] not in names]
        for table in ("values.csv", "profiles.csv")
    )
    for name in names:
        case, delta = RUNS[name]
        log = (sparta / f"{name}.log").read_text(encoding="utf-8")
        version = re.search(r"SPARTA \((.*?)\)", log)[1]
        particles = re.findall(r"with (\d+) particles", log)[-1]
        steps = re.findall(r"on 1 procs for (\d+) steps", log)[-1]
        files = {variant: folder / f"{name}-{variant}.json" for variant in VARIANTS}
        ours = {v: json.loads(path.read_text(encoding="utf-8")) for v, path in files.items() if path.exists()}
        found, lines = reduced(sparta, name)
        for quantity, mean, error in found:
            row = [name, case, delta, quantity, f"{mean:.6g}", f"{error:.2g}"]
            row += [f"{ours[v]['values'][quantity]:.6g}" if v in ours else "" for v in VARIANTS]
            values.append((*row, particles, steps))
        for line, position, quantity, mean, error in lines:
            value = interpolated(ours["main"], line, quantity, position)
            if value is not None and math.isfinite(value) and not in_body(case, position):
                profiles.append((name, line, position, quantity, f"{mean:.5g}", f"{error:.2g}", f"{value:.5g}"))
    comments = [
        f"SPARTA {version}, one process on a virtual machine (AMD EPYC, cylinder: Intel Xeon; two cores shared with other programs), by the decks",
        "in decks/. sparta, error: mean and its standard error over 10 blocks of the sampled steps (slit_10: 9).",
        "particles: at the end. Settings other than the decks': square_1 refine 2; slit_0.1 cells 12, particles 10000; slit_10 cells 32, dt 0.0075,",
        "before 2600, particles 10000; cylinder_1 refine 2.",
        "Knudsen's cases perf/cases/dsmc_*.json: shakhov; half the cells along each axis; 3/4 of the velocities; ES-BGK with half the cells; empty: not run.",
    ]
    for rows in (values, profiles):
        rows.sort(key=lambda row: list(RUNS).index(row[0]))
    header = ("run", "case", "delta", "quantity", "sparta", "error", *VARIANTS, "particles", "steps")
    write("values.csv", comments, header, values)
    header = ("run", "line", "position", "quantity", "sparta", "error", "main")
    write("profiles.csv", comments, header, profiles)


def check(program, long):
    """Number of values that are not the recorded ones or not near SPARTA's; `long`: all runs, on the fine grid."""
    variant = "main" if long else "coarse"
    rows = read_rows(RESULTS / "values.csv")
    wrong = 0
    for name in RUNS if long else ("cavity_1", "slit_1"):
        found = run_one(program, name, variant)["values"]
        for row in rows:
            if row["run"] == name:
                value, recorded = found[row["quantity"]], float(row[variant])
                sparta, error = float(row["sparta"]), float(row["error"])
                fault = abs(value - recorded) > 1e-4 * max(abs(recorded), 0.1)
                fault |= abs(value - sparta) > MODEL_ERROR * abs(sparta) + 3 * error
                wrong += fault
                print(f"{name} {row['quantity']}: {value:.6g}, recorded {recorded:g}", "DIFFERS" if fault else "")
                print(f"  SPARTA: {sparta:g} +- {error:g}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="command")
    for name, folders in (
        ("run", ["program", "folder"]),
        ("tables", ["sparta", "folder"]),
        ("spheres", ["program", "folder"]),
        ("sphere-table", ["folder"]),
        ("check", ["program"]),
    ):
        command = commands.add_parser(name)
        for folder in folders:
            command.add_argument(folder, type=lambda text: pathlib.Path(text).resolve())
        if name in ("run", "tables", "spheres"):
            command.add_argument("runs", nargs="*")
        elif name == "check":
            command.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    if arguments.command == "run":
        run_cases(arguments.program, arguments.folder, arguments.runs)
    elif arguments.command == "tables":
        make_tables(arguments.sparta, arguments.folder, arguments.runs)
    elif arguments.command == "spheres":
        run_spheres(arguments.program, arguments.folder, arguments.runs)
    elif arguments.command == "sphere-table":
        make_sphere_table(arguments.folder)
    else:
        sys.exit(check(arguments.program, arguments.long))


if __name__ == "__main__":
    main()
