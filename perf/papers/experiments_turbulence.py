"""Runs of turbulent flows by lbm_d3q27 beside published numbers, for the pages of docs/validation."""

import dataclasses
import functools
import math
import pathlib

import measures
from experiment import Experiment, make_run
from reports import read_numbers

DATA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "validation" / "data"


# --- Taylor-Green vortices ------------------------------------------------------------------------


def largest_dissipation(directory, unit, scale):
    """Largest rate at which the kinetic energy falls, and when. `unit`: steps of the time unit L / U;
    `scale`: kinetic energy of the whole fluid with the velocity U, doubled."""
    steps, energy = measures.series(directory, "kinetic_energy")
    times = [(a + b) / 2 / unit for a, b in zip(steps, steps[2:])]
    rates = [(a - b) / scale * unit / (t - s) for s, a, t, b in zip(steps, energy, steps[2:], energy[2:])]
    time, rate = measures.peak(times, rates)
    return {"dissipation": rate, "time": time}


def taylor_green(nodes, operator="cumulant"):
    """Re = 1600, ten time units L / U, where 2 pi L is the width."""
    velocity, length = 0.05, nodes / (2 * math.pi)
    unit = length / velocity
    every = max(1, round(unit / 20))
    plain = operator == "cumulant"
    run = make_run(
        f"re-1600-{nodes}" if plain else f"re-1600-{operator}-{nodes}",
        {"case": "Re = 1600" if plain else f"Re = 1600, {operator}", "nodes": nodes},
        "inputs/taylor_green_3d.json",
        {
            "domain.nodes": [nodes] * 3,
            "collision.operator": operator,
            "fluid": {"reynolds": 1600, "velocity": velocity, "length": length},
            "stop.steps": round(10 * unit),
            "stop.check_every": every,
            "output.series": {"every": every, "quantities": ["kinetic_energy"]},
        },
    )
    measure = functools.partial(largest_dissipation, unit=unit, scale=nodes**3 * velocity**2)
    return dataclasses.replace(run, measure=measure)


# --- Channel --------------------------------------------------------------------------------------


def channel_profiles(directory, viscosity, first):
    """Mean and root mean squares of the velocity in units of the friction velocity, by the distance
    from the wall in wall units, from averages in time and over planes and both halves."""
    averages = measures.plane_averages(directory)
    if averages is None:
        return {}
    count = len(averages["mean_velocity_x"])
    steps, forces = measures.series(directory, "driving_force")
    forces = [force for step, force in zip(steps, forces) if step >= first]
    friction = math.sqrt(sum(forces) / len(forces) * count / 2)
    half = range(count // 2)

    def folded(values, sign=1):
        return [(values[i] + sign * values[count - 1 - i]) / 2 for i in half]

    y_plus = [(i + 0.5) * friction / viscosity for i in half]
    profiles = {"u": [v / friction for v in folded(averages["mean_velocity_x"])]}
    for name, axis in (("u_rms", "x"), ("v_rms", "y"), ("w_rms", "z")):
        square = folded(averages[f"variance_velocity_{axis}"])
        profiles[name] = [math.sqrt(v) / friction for v in square]
    profiles["uv"] = [v / friction**2 for v in folded(averages["covariance_velocity_x_velocity_y"], -1)]
    profiles = {name: list(zip(y_plus, values)) for name, values in profiles.items()}
    mean = beside_published(profiles["u"], "channel_moser_kim_mansour", "u")
    found = {
        "re_tau": friction * count / 2 / viscosity,
        "mean_difference": max(abs(u / v - 1) for u, v in mean),
    }
    for name in ("u_rms", "v_rms", "w_rms"):
        pairs = beside_published(profiles[name], "channel_del_alamo_jimenez", name)
        largest = max(value for _, value in published_profile("channel_del_alamo_jimenez", name))
        found[f"{name}_max"] = measures.peak(*zip(*profiles[name]))[1]
        found[f"{name}_difference"] = max(abs(v - p) for v, p in pairs) / largest
    return {**found, "profiles": profiles}


def published_profile(table, name):
    """Points of a quantity by the distance from the wall in wall units."""
    return [(row["y_plus"], row[name]) for row in read_numbers(DATA / f"{table}.csv")]


def beside_published(profile, table, name):
    """Values of a profile from y+ = 5 on, each with the published one at the same place."""
    points = published_profile(table, name)
    return [(v, measures.interpolate(*zip(*points), y)) for y, v in profile if 5 < y <= points[-1][0]]


def streaks(half, size, amplitude):
    """Formulas of an initial velocity that becomes turbulent soon: the mean velocity by Reichardt's
    formula, with streaks and a sinuous motion across them (W. Schoppa, F. Hussain, J. Fluid Mech. 453
    (2002) 57), in units of the friction velocity `amplitude`. It is free of divergence."""
    length, _, width = size
    wall = f"(min(y, {2 * half} - y)*{178.12 / half:.10g})"
    mean = f"(log(1 + 0.4*{wall})/0.4 + 7.8*(1 - exp(-{wall}/11) - {wall}/11*exp(-{wall}/3)))"
    side = f"if(y < {half}, 0, 2)"
    decay = f"exp(0.5 - 0.00055*{wall}^2)"
    streak = f"{wall}/30*{decay}*(cos(8*pi*z/{width} + {side}) + 0.5*cos(6*pi*z/{width} + 1))"
    sway = f"{wall}/30*{decay}*(sin(8*pi*x/{length} + {side}) + 0.5*sin(10*pi*x/{length} + 1.3))"
    return {
        "initial_fields.velocity_x": f"{amplitude:.10g}*({mean} + 3*{streak})",
        "initial_fields.velocity_z": f"{amplitude:.10g}*5*{sway}",
    }


LARGE, SMALL = (4, 4 / 3), (2, 1)  # length and width of the channel in half heights, over pi


def channel_size(half, extent):
    """Nodes along x, y and z, in multiples of eight."""
    length, width = (8 * round(multiple * math.pi * half / 8) for multiple in extent)
    return [length, 2 * half, width]


# Sound needs a thousand steps along the channel.
CONTROL = {"axis": "x", "mean_velocity": 1, "every": 100}


def channel(half, extent, operator, velocity, start, times):
    """Flow between plates with the flow rate of Moser, Kim and Mansour: Re = 5586 by the mean velocity
    and the height. `start` and `times`: times of half height over friction velocity before the
    averages, and in all."""
    size = channel_size(half, extent)
    viscosity = 2 * half * velocity / 5586
    friction = velocity / 15.68
    unit = half / friction
    first, every = round(start * unit), max(1, round(unit / 20))
    box = "small" if extent == SMALL else "large"
    run = make_run(
        f"re-tau-180-{operator}-{box}-{half}",
        {"case": "Re_tau = 180", "nodes": half, "variant": f"{operator}, {box} box"},
        "perf/cases/validation_3d.json",
        {
            "precision": "single",
            "domain.nodes": size,
            "fluid": {"kinematic_viscosity": viscosity, "velocity": velocity},
            "collision": {"operator": operator, "flow_control": CONTROL},
            "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}},
            **streaks(half, size, friction),
            "stop.steps": round(times * unit),
            "stop.check_every": round(unit),
            "output.series": {"every": every, "quantities": ["driving_force", "kinetic_energy"]},
            "output.statistics": {
                "from": first,
                "every": every,
                "mean": ["velocity"],
                "rms": ["velocity"],
                "covariance": [["velocity_x", "velocity_y"]],
            },
        },
    )
    return dataclasses.replace(
        run, measure=functools.partial(channel_profiles, viscosity=viscosity, first=first)
    )


TURBULENCE = (
    Experiment(
        "taylor_green_vortices",
        "Taylor-Green vortices at Re = 1600",
        small=(taylor_green(64),),
        full=(
            *(taylor_green(nodes) for nodes in (128, 256, 512)),
            *(taylor_green(nodes, "cumulant-parametrised") for nodes in (128, 256, 512, 768)),
        ),
        book="validation",
    ),
    Experiment(
        "turbulent_channel",
        "Turbulent channel flow",
        small=(),
        full=(
            channel(40, LARGE, "cumulant", 0.075, 15, 40),
            channel(48, LARGE, "cumulant-parametrised", 0.1, 15, 40),
            channel(64, SMALL, "cumulant-parametrised", 0.1, 15, 42),
        ),
        book="validation",
    ),
)
