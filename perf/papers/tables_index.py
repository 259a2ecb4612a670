"""What spans the papers: the cavity by all methods, and the index in the README."""


from experiments import LID_SPEED
from plots import Plot, Series
from reports import MISSING, markdown_table, number
from tables import block, drag_and_flow, profile_points


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
