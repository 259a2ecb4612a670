"""The comparison with DSMC: runs of SPARTA and of Knudsen beside them (perf/dsmc.py)."""

from plots import Plot, Series
from reports import MISSING, markdown_table, number
from tables import block

NAMES = {
    "drag_coefficient": "D of the lid",
    "north.energy_flux": "energy flux, lid",
    "east.energy_flux": "energy flux, east wall",
    "south.energy_flux": "energy flux, south wall",
    "transmission": "transmission",
    "body.drag_coefficient": "C_D",
    "body.heat_coefficient": "C_H",
}


def change(row, one, other):
    return number(row[one] - row[other], 2) if row[one] != "" and row[other] != "" else "-"


@block
def dsmc_values(context, *cases):
    """A row a number: SPARTA's with its error, ours, what cells, velocities and model change, and the difference."""
    rows = []
    for row in context.results.table("sparta/values.csv"):
        if row["case"] not in cases:
            continue
        difference = row["main"] - row["sparta"]
        exact = [
            found
            for found in context.results.table("sparta/boltzmann.csv")
            if (found["run"], found["quantity"]) == (row["run"], row["quantity"])
        ]
        rows.append(
            (
                row["case"],
                f"{row['delta']:g}",
                NAMES[row["quantity"]],
                f"{number(row['sparta'], 4)} ± {number(row['error'], 1)}",
                number(row["main"], 4),
                change(row, "main", "coarse"),
                change(row, "velocities", "main"),
                change(row, "es-bgk", "coarse"),
                f"{number(difference, 2)} ({100 * difference / row['sparta']:+.1f} %)",
                f"{number(exact[0]['value'], 4)} ± {number(exact[0]['error'], 1)}" if exact else "",
            )
        )
    header = (
        "case",
        "delta",
        "",
        "SPARTA",
        "`shakhov`",
        "cells",
        "velocities",
        "ES-BGK",
        "`shakhov` - SPARTA",
        "`boltzmann`",
    )
    return markdown_table(header, rows) if rows else f"{MISSING}."


@block
def dsmc_difference(context, run, quantity):
    """By how many percent ours is above SPARTA's."""
    for row in context.results.table("sparta/values.csv"):
        if (row["run"], row["quantity"]) == (run, quantity):
            return f"{100 * (row['main'] / row['sparta'] - 1):+.1f} %"
    return MISSING


@block
def dsmc_statistics(context):
    rows = {}
    for row in context.results.table("sparta/values.csv"):
        rows[row["run"]] = (
            row["case"],
            f"{row['delta']:g}",
            f"{row['particles']:.0f}",
            f"{row['steps']:.0f}",
        )
    return markdown_table(("case", "delta", "molecules", "steps sampled"), rows.values())


@block
def dsmc_profile(context, case, line, quantity):
    """A figure of a profile at all rarefactions."""
    series = []
    table = context.results.table("sparta/profiles.csv")
    for column, (name, colour_line, marker) in (
        ("main", ("shakhov", True, "")),
        ("sparta", ("SPARTA", False, "circle")),
    ):
        runs = [run for run in dict.fromkeys(row["run"] for row in table) if run.startswith(f"{case}_")]
        for colour, run in enumerate(runs):
            points = [
                (row["position"], row[column])
                for row in table
                if (row["run"], row["line"], row["quantity"]) == (run, line, quantity)
            ]
            delta = run.split("_")[1]
            series.append(Series(f"{name}, delta = {delta}", points, colour, colour_line, marker))
    title = f"{case}: {quantity} along {line}"
    return context.figure(f"dsmc_{case}_{quantity}", Plot(title, line, quantity, series))


@block
def dsmc_distances(context):
    """How far profiles are apart: root mean square of the difference, and of SPARTA's error."""
    groups = {}
    for row in context.results.table("sparta/profiles.csv"):
        groups.setdefault((row["run"], row["line"], row["quantity"]), []).append(row)
    rows = []
    for (run, line, quantity), found in groups.items():
        case, delta = run.split("_")

        def rms(value, rows_of=found):
            return (sum(value(row) ** 2 for row in rows_of) / len(rows_of)) ** 0.5

        largest = max(found, key=lambda row: abs(row["main"] - row["sparta"]))
        rows.append(
            (
                case,
                delta,
                f"{quantity} along {line}",
                number(rms(lambda row: row["main"] - row["sparta"]), 2),
                number(rms(lambda row: row["error"]), 1),
                f"{number(largest['main'] - largest['sparta'], 2)} at {line} = {largest['position']:g}",
                f"{number(min(row['sparta'] for row in found), 3)} to {number(max(row['sparta'] for row in found), 3)}",
            )
        )
    header = ("case", "delta", "profile", "difference, rms", "SPARTA's error, rms", "largest difference", "range")
    return markdown_table(header, rows)
