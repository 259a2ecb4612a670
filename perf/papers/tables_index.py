"""What spans the papers: the cavity by all methods, and the index in the README."""

import re

from experiments import LID_SPEED
from plots import Plot, Series
from reports import (
    MISSING,
    markdown_table,
    number,
    rate_text,
    ratio,
    seconds_a_step,
)
from tables import (
    RATE_HEADER,
    block,
    drag_and_flow,
    mega_rate,
    profile_points,
    rate_cells,
    speedup,
    three_machines,
    times_text,
)
from tables_lattice import (
    box,
)
from tables_bgkw import BGKW_FUSED, BGKW_GRID
from tables_bgkw import PAPER_GRID as BGKW_PAPER_GRID
from tables_boltzmann import HARD_SPHERE, HARD_SPHERE_GRID
from tables_boltzmann import PAPER_GRID as HARD_SPHERE_PAPER_GRID
from tables_shakhov import zhu_reports


METHOD_LOOKS = {
    "bgkw": ("bgkw, order 2", 0, "circle"),
    "shakhov": ("shakhov, order 2", 2, "triangle"),
    "boltzmann": ("boltzmann, hard spheres, order 2", 3, "diamond"),
    "lbm_d2q9": ("lbm_d2q9, no slip", 4, "square"),
}


def across_values(run):
    """(D, G) in the units of the papers."""
    method = run["parameters"]["method"]
    if "drag_coefficient" in run["values"]:
        return drag_and_flow(run)
    profile = profile_points(run, "u_vertical")
    if method == "shakhov":
        drag = -run["values"]["north.force_x"] / LID_SPEED
    else:  # lattice units: the density is 1, the pressure 1/3
        nodes = run["parameters"]["nodes"]
        drag = -run["values"]["lid.force_x"] / nodes / (LID_SPEED / 3)
        profile = profile[:nodes]  # without the lid's own row
    return drag, sum(abs(u) for _, u in profile) / len(profile)


@block
def across_tables(context):
    runs = context.results.runs("cavity_across_methods")
    deltas = sorted({run["parameters"]["delta"] for run in runs})
    parts = []
    for index, name in enumerate(("D", "G")):
        rows = []
        for delta in deltas:
            cells = []
            for method in METHOD_LOOKS:
                found = [
                    r
                    for r in runs
                    if (r["parameters"]["method"], r["parameters"]["delta"]) == (method, delta)
                ]
                cells.append(number(across_values(found[0])[index], 4) if found else "")
            column = ("reference_drag", "reference_flow")[index]
            reference = [r for r in context.paper("frezzotti_2010_table1") if r["delta"] == delta]
            cells.append(
                f"{reference[0][column + '_low']:g} - {reference[0][column + '_high']:g}"
                if reference
                else ""
            )
            rows.append((f"{delta:g}", *cells))
        header = ("delta", *METHOD_LOOKS, "Varoutis et al.")
        parts.append(f"{name}:\n\n" + (markdown_table(header, rows) if rows else f"{MISSING}."))
    return "\n\n".join(parts)


@block
def across_figures(context):
    runs = context.results.runs("cavity_across_methods")
    figures = []
    for index, (letter, label) in enumerate(
        (("D", "mean shear stress of the lid, D"), ("G", "flow rate, G"))
    ):
        series = []
        for method, (name, colour, marker) in METHOD_LOOKS.items():
            points = sorted(
                (r["parameters"]["delta"], across_values(r)[index])
                for r in runs
                if r["parameters"]["method"] == method
            )
            series.append(Series(name, points, colour, True, marker))
        for which, table in (("2009", "frezzotti_2009_table1"), ("2010", "frezzotti_2010_table1")):
            column = {
                ("D", "frezzotti_2009_table1"): "drag_coefficient",
                ("G", "frezzotti_2009_table1"): "flow_rate",
                ("D", "frezzotti_2010_table1"): "drag_extrapolated",
                ("G", "frezzotti_2010_table1"): "flow_extrapolated",
            }[(letter, table)]
            marks = [(row["delta"], row[column]) for row in context.paper(table)]
            series.append(
                Series(
                    f"Frezzotti et al. {which}", marks, 1 if which == "2009" else 5, False, "cross"
                )
            )
        column = "reference_drag" if letter == "D" else "reference_flow"
        marks = [
            (row["delta"], row[f"{column}_{end}"])
            for row in context.paper("frezzotti_2010_table1")
            for end in ("low", "high")
        ]
        series.append(Series("Varoutis et al. 2008, range", marks, 7, False, "circle"))
        figures.append(
            context.figure(
                f"cavity_across_methods_{letter}",
                Plot(
                    f"The cavity from free-molecular flow to the continuum: {letter}",
                    "rarefaction parameter delta",
                    label,
                    series,
                    True,
                    letter == "D",
                ),
            )
        )
    return "\n\n".join(figures)


@block
def index_headlines(context):
    results = context.results
    rows = []
    widest = context.paper("gomes_2016_times_fixed")[-1]
    theirs = 1e6 * widest["seconds_32"] / widest["iterations"]
    found = [
        r
        for r in results.reports(
            method="lbm_d2q9",
            backend="cuda",
            variant=re.compile("shared-memory"),
            size_nodes_x=256,
            size_nodes_y=256,
        )
    ]
    ours = min((1e6 * seconds_a_step(r) for r in found), default=None)
    rows.append(
        (
            "`lbm_d2q9`",
            "[Gomes 2016](docs/papers/gomes_2016.md)",
            "a step of 256 x 256 nodes",
            f"{theirs:.0f} us",
            number(ours, 3, " us"),
            times_text(ratio(theirs, ours)),
        )
    )
    titan = next(r for r in context.paper("geier_2017_box") if r["collision"] == "cascaded")
    sparse = (
        box(context, variant=re.compile("D3Q27 esoteric-twist sparse cascaded"))
        or box(context, variant=re.compile("D3Q27 esoteric-twist sparse cumulant$"))
        or box(context, variant=re.compile("D3Q27 esoteric-twist sparse"))
    )
    operator = sparse["variant"].split()[-1] if sparse else "cascaded"
    operators = "cascaded" if operator == "cascaded" else f"theirs cascaded, ours {operator}"
    rows.append(
        (
            "`lbm_d3q27`",
            "[Geier, Schoenherr 2017](docs/papers/geier_2017.md)",
            f"sparse nodes, updates a second ({operators})",
            f"{titan['sparse_mnups'] / 1e3:.3g} G",
            rate_text(sparse).replace("/s", ""),
            times_text(ratio(mega_rate(sparse), titan["sparse_mnups"])),
        )
    )
    gpu, one, _, _ = three_machines(context, BGKW_FUSED, BGKW_GRID, BGKW_PAPER_GRID)
    theirs = context.paper_value("frezzotti_2009_performance", "speedup")
    rows.append(
        (
            "`bgkw`",
            "[Frezzotti et al. 2009](docs/papers/frezzotti_2009.md)",
            "GPU over one thread",
            f"about {theirs:g} x",
            times_text(speedup(one, gpu)),
            times_text(ratio(speedup(one, gpu), theirs)),
        )
    )
    gpu, one, _, _ = three_machines(
        context, HARD_SPHERE, HARD_SPHERE_GRID, HARD_SPHERE_PAPER_GRID
    )
    theirs = context.paper_value("frezzotti_2010_performance", "speedup")
    rows.append(
        (
            "`boltzmann`",
            "[Frezzotti et al. 2010](docs/papers/frezzotti_2010.md)",
            "GPU over one thread",
            f"{theirs:g} x",
            times_text(speedup(one, gpu)),
            times_text(ratio(speedup(one, gpu), theirs)),
        )
    )
    row = next(
        r for r in context.paper("zhu_2019_table2") if (r["cells"], r["velocities"]) == (64, 64)
    )
    ours = seconds_a_step(results.on_gpu(**zhu_reports(context, row)))
    rows.append(
        (
            "`shakhov`",
            "[Zhu et al. 2019](docs/papers/zhu_2019.md)",
            "an iteration of 64^3 cells, 64^3 velocities",
            f"{row['k40']:g} s",
            number(ours, 3, " s"),
            times_text(ratio(row["k40"], ours)),
        )
    )
    return markdown_table(("method", "paper", "its headline", "paper", "ours", "ratio"), rows)


@block
def index_rates(context):
    """CPU serial, CPU all cores and GPU side by side, single precision."""
    title = re.compile("cavity, timing only", re.I)
    cases = (
        (
            "`lbm_d2q9`, in place",
            {
                "method": "lbm_d2q9",
                "precision": "single",
                "variant": "in-place bgk",
                "title": title,
            },
            {"size_nodes": 4096**2},
        ),
        (
            "`lbm_d3q27`, dense",
            {
                "method": "lbm_d3q27",
                "precision": "single",
                "title": re.compile("box", re.I),
                "variant": re.compile(r"D3Q27 esoteric-twist( dense)? bgk"),
            },
            {"size_nodes": 256**3},
        ),
        (
            "`lbm_d3q27`, sparse",
            {
                "method": "lbm_d3q27",
                "precision": "single",
                "title": re.compile("box", re.I),
                "variant": re.compile("D3Q27 esoteric-twist sparse bgk"),
            },
            {"size_nodes": 256**3},
        ),
        ("`bgkw`", BGKW_FUSED, BGKW_PAPER_GRID),
        ("`boltzmann`", HARD_SPHERE, HARD_SPHERE_PAPER_GRID),
        (
            "`shakhov`",
            {"method": "shakhov", "precision": "single", "title": re.compile("cavity", re.I)},
            {"size_cells": 64**3, "size_velocities": 64**3},
        ),
    )
    rows = [(name, *rate_cells(context, wanted, (), grid)) for name, wanted, grid in cases]
    return markdown_table(("method", *RATE_HEADER), rows)


@block
def index_machines(context):
    """The processors and GPUs of all timing reports."""
    reports = context.results.reports()
    gpus = sorted({r["device"] for r in reports if r["backend"] != "openmp"})
    most = {}
    for report in reports:
        if report["backend"] == "openmp":
            most[report["device"]] = max(most.get(report["device"], 0), report["threads"])
    cores = [f"{device}, {threads} threads at most" for device, threads in sorted(most.items())]
    return f"host: {'; '.join(cores) or MISSING}; GPU: {'; '.join(gpus) or MISSING}"
