"""Lid-driven cavity at several Reynolds numbers: velocity along the middle, and where the vortex is.

    python3 examples/sweep_of_a_cavity.py [FOLDER]

Writes the results and cavity.png to FOLDER (default: results/examples/cavity). A second call finds
the runs there and only draws. KNUDSEN_EXAMPLES=small takes coarse grids and few steps.
"""

import os
import pathlib
import sys

import knudsen

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "results/examples/cavity")
nodes, steps = (33, 500) if os.environ.get("KNUDSEN_EXAMPLES") == "small" else (129, 100000)

wall = {"type": "wall"}
case = knudsen.Case(
    title="Lid-driven cavity",
    method="lbm_d2q9",
    domain={"nodes": [nodes, nodes]},
    fluid={"reynolds": 100, "velocity": 0.05},
    boundaries={"north": {"type": "wall", "velocity": [1, 0]}, "south": wall, "west": wall, "east": wall},
    stop={"steps": steps, "check_every": 500, "criteria": [{"quantity": "velocity_change", "tolerance": 1e-6}]},
    output={
        "series": {"quantities": ["velocity_change"]},
        "profiles": [{"name": "u_vertical", "quantity": "velocity_x", "along": "y"}],
    },
)

table = knudsen.sweep(case, {"fluid.reynolds": [10, 100, 400]}, directory=folder, progress=True)
for row in table:
    print("Re", row["fluid.reynolds"], row["results"], row["error"] or "")

try:
    import matplotlib
except ImportError:
    sys.exit("no picture: Matplotlib is not installed (Debian: python3-matplotlib)")
matplotlib.use("Agg")
axes = None
for row in table:
    axes = knudsen.open(row["directory"]).plot_profile("u_vertical", ax=axes, label=f"Re {row['fluid.reynolds']}")
axes.legend()
axes.figure.savefig(folder / "cavity.png", dpi=80, bbox_inches="tight")
print(folder / "cavity.png")
