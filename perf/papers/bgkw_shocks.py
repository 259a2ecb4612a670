#!/usr/bin/env python3
"""Normal shock waves with the method bgkw: thickness over the Mach number, convergence, argon at Mach 8.

Writes
- shock_thickness.csv: density and temperature thickness in the unit mu v_ref / p upstream, ends
  against Rankine and Hugoniot, fluxes through the ends and everywhere between them;
- shock_convergence.csv: the same over grids and orders at Mach 1.5 and 3;
- shock_argon_ma8.csv: profiles with Shakhov's model beside the UGKS data of tests/data.
"""

import math

import bgkw_runs
from bgkw_runs import PERF

OMEGA = 0.74  # of Liepmann, Narasimha and Chahine, as in the paper
COLUMNS = ("density_thickness", "temperature_thickness", "density_end_error",
           "temperature_end_error", "mass_flux_ends", "momentum_flux_ends", "energy_flux_ends",
           "mass_flux_within", "momentum_flux_within", "energy_flux_within")  # fmt: skip
PROFILES = {
    "density": "density",
    "velocity": "velocity_x",
    "temperature": "temperature",
    "pressure": "pressure_tensor_xx",
    "heat_flux": "heat_flux_x",
}


def states(mach):
    """Speed of the upstream gas, compression and temperature ratio (Rankine and Hugoniot)."""
    return (
        mach * math.sqrt(5 / 6),
        4 * mach**2 / (mach**2 + 3),
        (5 * mach**2 - 1) * (mach**2 + 3) / (16 * mach**2),
    )


def case_of(mach, model, omega=OMEGA, cells=None, order=2, velocity_width=0.5, reach=4.8):
    """The box is long enough for the fastest molecules, which run ahead of a strong shock, and for
    the slow rise of a weak one."""
    size = 80 if mach < 1.4 or mach > 3.5 else 50
    cells = cells or (200 if mach < 1.4 else 8 * size)
    speed, compression, heat = states(mach)
    low = speed / compression - reach * math.sqrt(heat)
    high = max(speed + reach, speed / compression + reach * math.sqrt(heat))
    count = math.ceil((high - low) / velocity_width)
    monitors = ["density_thickness", "temperature_thickness", "west.mass_flux", "east.mass_flux",
                "east.force_x", "west.force_x", "east.energy_flux", "west.energy_flux"]  # fmt: skip
    case = {
        "method": "bgkw",
        "title": f"shock wave, {model}, Mach {mach:g}",
        "precision": "double",
        "domain": {"cells": [cells], "size": [size]},
        "reduced": True,
        "velocity_grid": {"count": [count, 1, 1], "minimum": [low, -1, -1], "maximum": [high, 1, 1]},
        "gas": {"rarefaction": 1, "omega": omega},
        "collision": {"model": model, "conservative": True},
        "propagation": {"order": order},
        "initial": {"type": "shock", "mach": mach},
        "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}},
        "output": {
            "fields": {"write": False},
            "series": {"quantities": monitors},
            "profiles": [
                {"name": name, "quantity": quantity, "along": "x"}
                for name, quantity in PROFILES.items()
            ],
        },
    }
    # The step at the start sends waves behind the shock, of which the slowest walk at the speed of
    # the gas or at that of sound less it. What they leave at the reservoir comes back weaker.
    sound = math.sqrt(5 / 6 * heat)
    behind = speed / compression
    time = 6 * size / 2 / min(behind, sound - behind)
    fastest_rate = compression * heat ** (1 - omega)
    time_step = min(0.9 * size / cells / max(high, -low), 0.4 / fastest_rate)
    bgkw_runs.steps_for(case, time, time_step)
    return case


def spread(values):
    """Largest deviation from the first value, relative to it."""
    return max(abs(value / values[0] - 1) for value in values)


def row_of(mach, run):
    _, compression, heat = states(mach)
    density, velocity, temperature = map(run.values, ("density", "velocity", "temperature"))
    mass = [r * u for r, u in zip(density, velocity)]
    momentum = [p + 2 * m * u for p, m, u in zip(run.values("pressure"), mass, velocity)]
    energy = [
        u * p + m * (1.5 * t + u * u) + q
        for u, p, m, t, q in zip(
            velocity, run.values("pressure"), mass, temperature, run.values("heat_flux")
        )
    ]
    ends = [-run.last("east." + q) / run.last("west." + q) - 1
            for q in ("mass_flux", "force_x", "energy_flux")]  # fmt: skip
    return (
        f"{run.last('density_thickness'):.5g}",
        f"{run.last('temperature_thickness'):.5g}",
        *(f"{e:.1e}" for e in (density[-1] / compression - 1, temperature[-1] / heat - 1, *ends)),
        *(f"{spread(flux):.1e}" for flux in (mass, momentum, energy)),
    )


def thickness(machs, options):
    wanted = [(mach, model) for mach in machs for model in ("bgk", "shakhov")]
    runs = bgkw_runs.run_all([case_of(mach, model) for mach, model in wanted], options)
    rows = [
        (f"{mach:g}", model, str(run.report["sizes"]["cells"]),
         str(run.report["sizes"]["velocities"] // 2), *row_of(mach, run))
        for (mach, model), run in zip(wanted, runs)
    ]  # fmt: skip
    bgkw_runs.write_table(
        options.results / "shock_thickness.csv",
        [f"omega {OMEGA}, order 2, reduced; thickness in mu v_ref / p upstream; fluxes: east over "
         "west, and the largest deviation of a cell's from the first cell's"],
        [run.report for run in runs], ("mach", "model", "cells", "velocities", *COLUMNS), rows,
    )  # fmt: skip


def convergence(options):
    wanted = []
    for mach in (1.5, 3):
        for order in (2, 1):
            wanted += [(mach, order, cells, 0.5, 4.8) for cells in (800, 400, 200, 100)]
        wanted += [(mach, 2, 400, 0.3, 4.8), (mach, 2, 400, 0.7, 4.8), (mach, 2, 400, 0.5, 6)]
    runs = bgkw_runs.run_all(
        [case_of(mach, "bgk", OMEGA, cells, order, width, reach)
         for mach, order, cells, width, reach in wanted], options,
    )  # fmt: skip
    rows = [
        (f"{mach:g}", f"{order}", f"{cells}", f"{width:g}", f"{reach:g}", *row_of(mach, run))
        for (mach, order, cells, width, reach), run in zip(wanted, runs)
    ]
    bgkw_runs.write_table(
        options.results / "shock_convergence.csv",
        [f"bgk, omega {OMEGA}, reduced, box of 50; velocity cells in sqrt(2 R T) upstream, which reach "
         "so many thermal speeds beyond the mean ones; other columns as in shock_thickness.csv"],
        [run.report for run in runs], ("mach", "order", "cells", "velocity_width", "reach", *COLUMNS), rows,
    )  # fmt: skip


def argon(options):
    """The data's unit of length is the mean free path of hard spheres of the viscosity upstream,
    mu = (5 sqrt(pi) / 16) density v_ref path."""
    omega, mach = 0.72, 8
    [run] = bgkw_runs.run_all([case_of(mach, "shakhov", omega)], options)
    _, compression, heat = states(mach)
    density = [(x, (r - 1) / (compression - 1)) for x, r in run.profiles["density"]]
    temperature = [(x, (t - 1) / (heat - 1)) for x, t in run.profiles["temperature"]]
    path = 8 / (5 * math.sqrt(math.pi))  # in the unit mu v_ref / p
    data = PERF.parent / "tests" / "data" / "shock_argon_Ma8_UGKS_shakhov_digitised.csv"
    reference = [tuple(map(float, row.values())) for row in bgkw_runs.rows_of(data)]
    shift = bgkw_runs.crossing([(x, r) for x, r, _ in reference], 0.5)
    middle = bgkw_runs.crossing(density, 0.5)
    rows = []
    worst = [0, 0]
    for x, r, t in reference:
        place = middle + (x - shift) * path
        found = [bgkw_runs.interpolate(density, place), bgkw_runs.interpolate(temperature, place)]
        worst = [max(w, abs(f - e)) for w, f, e in zip(worst, found, (r, t))]
        rows.append((f"{x - shift:.4f}", f"{found[0]:.4f}", f"{r:.4f}", f"{found[1]:.4f}", f"{t:.4f}"))
    bgkw_runs.write_table(
        options.results / "shock_argon_ma8.csv",
        [f"Shakhov, omega {omega}, {run.report['sizes']['cells']} cells; x from the middle of the "
         "density, in mean free paths of hard spheres; density and temperature from 0 to 1",
         f"largest difference: density {worst[0]:.4f}, temperature {worst[1]:.4f}"],
        [run.report], ("x_over_lambda", "density", "density_ugks", "temperature", "temperature_ugks"), rows,
    )  # fmt: skip


def main():
    parser = bgkw_runs.parser_of(__doc__)
    parser.add_argument("tables", nargs="*", default=[], help="thickness, convergence, argon")
    parser.add_argument("--machs", nargs="+", type=float, default=[8, 6, 4, 3, 2, 1.5, 1.2])
    options = parser.parse_args()
    tables = options.tables or ("thickness", "convergence", "argon")
    if "thickness" in tables:
        thickness(sorted(options.machs), options)
    if "convergence" in tables:
        convergence(options)
    if "argon" in tables:
        argon(options)


if __name__ == "__main__":
    main()
