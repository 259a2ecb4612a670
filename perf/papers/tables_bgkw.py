"""Tables and figures of Frezzotti, Ghiroldi and Gibelli 2009: model equations."""

import math

from experiments import LID_SPEED
from plots import Plot, Series
from reports import MISSING, markdown_table, number
from tables import block, cavity_profiles, drag_and_flow, error_of, profile_points, size_note


def cavity_values(context, delta, order):
    """D from the cells beside the lid, D from what crosses it, G, and where they are from.

    Order 1: full runs, else the table that `perf/papers/bgkw_cavity.py` recorded, else small runs. Order 2:
    that table, whose grids are finer, before the runs across methods.
    """
    name = f"delta-{delta:g}" if order == 1 else f"bgkw-{delta:g}"
    experiment = "frezzotti_2009_cavity" if order == 1 else "cavity_across_methods"
    run = context.results.run(experiment, name)
    if order == 2 or run is None or run["size"] != "full":
        rows = context.results.table("bgkw/cavity_bgk.csv")
        rows = [row for row in rows if (row["delta"], row["order"]) == (delta, order)]
        if rows:
            row = max(rows, key=lambda row: row["cells"])
            return row["D_gas"], row["D_lid"], row["G"], "full, table below"
    stress = [value for _, value in profile_points(run, "stress_below_lid")]
    gas = -sum(stress) / len(stress) / LID_SPEED if stress else None
    drag, flow = drag_and_flow(run)
    # G as the paper words it, where the run has it.
    flow = run["values"].get("vortex_flow_rate", flow) if run and order == 1 else flow
    return gas, drag, flow, size_note(run)


@block
def frezzotti_2009_table1(context):
    rows = []
    for row in context.paper("frezzotti_2009_table1"):
        gas, drag, flow, origin = cavity_values(context, row["delta"], 1)
        fine_gas, fine_drag, fine_flow, _ = cavity_values(context, row["delta"], 2)
        rows.append(
            (
                f"{row['delta']:g}",
                f"{row['drag_coefficient']:g}",
                number(gas, 4),
                error_of(gas, row["drag_coefficient"]),
                number(drag, 4),
                f"{row['reference_drag_low']:g} - {row['reference_drag_high']:g}",
                number(fine_gas, 4),
                number(fine_drag, 4),
                f"{row['flow_rate']:g}",
                number(flow, 4),
                error_of(flow, row["flow_rate"]),
                f"{row['reference_flow_low']:g} - {row['reference_flow_high']:g}",
                number(fine_flow, 4),
                origin,
            )
        )
    header = (
        "delta",
        "D, paper",
        "D, ours, cells beside the lid",
        "difference",
        "D, ours, at the lid",
        "D, Varoutis et al.",
        "D, ours, order 2, cells beside the lid",
        "at the lid",
        "G, paper",
        "G, ours",
        "difference",
        "G, Varoutis et al.",
        "G, ours, order 2",
        "size",
    )
    return markdown_table(header, rows)


@block
def frezzotti_2009_profiles(context):
    return cavity_profiles(
        context, "frezzotti_2009_cavity", "frezzotti_2009_cavity", "Cavity, BGKW"
    )


@block
def frezzotti_2009_shock(context):
    rows, velocity, temperature = [], [], []
    for index, run in enumerate(context.results.runs("frezzotti_2009_shock")):
        mach = run["parameters"]["mach"]
        compression = 4 * mach**2 / (mach**2 + 3)
        heat = (5 * mach**2 - 1) * (mach**2 + 3) / (16 * mach**2)
        ends = {
            name: profile_points(run, name) for name in ("density", "velocity_x", "temperature")
        }
        rows.append(
            (
                f"{mach:g}",
                number(run["values"]["density_thickness"], 4),
                number(run["values"]["temperature_thickness"], 4),
                f"{ends['density'][-1][1] / compression - 1:+.1e}",
                f"{ends['temperature'][-1][1] / heat - 1:+.1e}",
                run["size"],
            )
        )
        centre = shock_centre(ends["density"])
        speed = mach * math.sqrt(5 / 6)
        velocity.append(
            Series(
                f"Ma = {mach:g}", [(x - centre, u / speed) for x, u in ends["velocity_x"]], index
            )
        )
        temperature.append(
            Series(
                f"Ma = {mach:g}",
                [(x - centre, (t - 1) / (heat - 1)) for x, t in ends["temperature"]],
                index,
            )
        )
    figures = [
        context.figure(
            "frezzotti_2009_shock_velocity",
            Plot(
                "Shock waves: velocity over that upstream",
                "x in mu v_ref / p upstream",
                "u / u_1",
                velocity,
                x_range=(-15, 15),
            ),
        ),
        context.figure(
            "frezzotti_2009_shock_temperature",
            Plot(
                "Shock waves: temperature from upstream (0) to downstream (1)",
                "x in mu v_ref / p upstream",
                "(T - T_1) / (T_2 - T_1)",
                temperature,
                x_range=(-15, 15),
            ),
        ),
    ]
    header = (
        "Ma",
        "density thickness",
        "temperature thickness",
        "density downstream over Rankine-Hugoniot - 1",
        "temperature downstream - 1",
        "size",
    )
    table = markdown_table(header, rows) if rows else f"Shock waves: {MISSING}."
    return table + "\n\n" + "\n\n".join(figures)


def shock_centre(density):
    middle = 0.5 * (density[0][1] + density[-1][1])
    for (x0, r0), (x1, r1) in zip(density, density[1:]):
        if r0 <= middle <= r1:
            return x0 + (x1 - x0) * (middle - r0) / (r1 - r0)
    return 0


@block
def frezzotti_2009_thickness(context):
    """Thickness over the Mach number, as `perf/papers/bgkw_shocks.py` left it."""
    table = context.results.table("bgkw/shock_thickness.csv")
    series = []
    for index, model in enumerate(("bgk", "shakhov")):
        points = [
            (row["mach"], 1 / row["density_thickness"]) for row in table if row["model"] == model
        ]
        series.append(Series(f"{model}, density", points, index, True, "circle"))
        points = [
            (row["mach"], 1 / row["temperature_thickness"])
            for row in table
            if row["model"] == model
        ]
        series.append(Series(f"{model}, temperature", points, index, True, "square", True))
    return context.figure(
        "frezzotti_2009_thickness",
        Plot("Shock waves: reciprocal thickness", "Ma", "mu v_ref / (p thickness)", series),
    )


@block
def frezzotti_2009_slabs(context):
    """Flows between plates against published tables, as `perf/papers/bgkw_slabs.py` left them."""
    rows = []
    for name, flow in (
        ("couette_bgk", "Couette, shear stress"),
        ("heat_bgk", "heat flux"),
        ("poiseuille_bgk", "Poiseuille, flow rate"),
        ("poiseuille_shakhov", "Poiseuille, flow rate, Shakhov"),
    ):
        table = context.results.table(f"bgkw/{name}.csv")
        if not table:
            rows.append((flow, MISSING, MISSING, MISSING))
            continue
        worst = max(table, key=lambda row: abs(row["relative_difference"]))
        rows.append(
            (
                flow,
                f"{table[0]['delta']:g} - {table[-1]['delta']:g}",
                len(table),
                f"{100 * worst['relative_difference']:+.2f} % at delta = {worst['delta']:g}",
            )
        )
    return markdown_table(
        ("flow", "delta", "values", "largest difference from the published value"), rows
    )
