"""Flow between two plates driven by a force, from free molecules to dense gas, in a few iterations each.

    python3 examples/rarefied_channel.py [FOLDER]

`shakhov` with synthetic acceleration. Prints the flow rate against the rarefaction, which has Knudsen's
minimum near delta = 1, and the iterations, and draws it in channel.png. KNUDSEN_EXAMPLES=small takes few velocities.
"""

import os
import pathlib
import sys

import knudsen

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "results/examples/channel")
small = os.environ.get("KNUDSEN_EXAMPLES") == "small"

case = knudsen.Case(
    title="Flow between plates",
    method="shakhov",
    precision="double",
    domain={"cells": [20 if small else 100]},
    velocity_grid={"type": "half-range", "count": [16, 8, 8] if small else [48, 8, 8]},
    gas={"rarefaction": 1},
    collision={"model": "shakhov", "body_force": [0, 1e-4, 0]},
    boundaries={"west": {"type": "wall"}, "east": {"type": "wall"}},
    propagation={"order": 2, "acceleration": "synthetic"},
    stop={"steps": 60, "check_every": 1, "criteria": [{"quantity": "moments_change", "tolerance": 1e-6}]},
    output={"series": {"quantities": ["mean_velocity_y", "moments_change"]}},
)

table = knudsen.sweep(case, {"gas.rarefaction": [0.1, 0.3, 1, 3, 10, 100]}, directory=folder)
for row in table:
    flow_rate = row["mean_velocity_y"] / 1e-4  # G of the tables of Poiseuille flow
    print(f"delta {row['gas.rarefaction']:5}: flow rate {flow_rate:7.4f} after {row['step']} iterations")

try:
    import matplotlib
except ImportError:
    sys.exit("no picture: Matplotlib is not installed (Debian: python3-matplotlib)")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

figure, axes = pyplot.subplots(figsize=(5, 3.5))
rows = [row for row in table if row["gas.rarefaction"] <= 10]
axes.semilogx([row["gas.rarefaction"] for row in rows], [row["mean_velocity_y"] / 1e-4 for row in rows], "o-")
axes.set(xlabel="rarefaction delta", ylabel="flow rate G", title="Knudsen's minimum")
figure.savefig(folder / "channel.png", dpi=80, bbox_inches="tight")
print(folder / "channel.png")
