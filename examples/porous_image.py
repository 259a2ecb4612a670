"""Permeability of a porous medium that is given as voxels, here random spheres in a NumPy array.

    python3 examples/porous_image.py [FOLDER]

An image from a scanner takes the place of the array. Draws the speed in spheres.png. KNUDSEN_EXAMPLES=small takes few voxels and steps.
"""

import os
import pathlib
import sys

import numpy

import knudsen

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "results/examples/porous")
folder.mkdir(parents=True, exist_ok=True)
size, steps = (24, 100) if os.environ.get("KNUDSEN_EXAMPLES") == "small" else (64, 5000)

random = numpy.random.default_rng(1)
z, y, x = numpy.mgrid[:size, :size, :size]
solid = numpy.zeros((size, size, size), dtype=bool)
for centre in random.uniform(0, size, (40, 3)):
    apart = [abs(place - c) for place, c in zip((x, y, z), centre)]
    square = sum(numpy.minimum(d, size - d) ** 2 for d in apart)  # periodic
    solid |= square < (size / 8) ** 2

force, viscosity = 1e-6, 1 / 6
case = knudsen.Case(
    title="Flow through spheres",
    method="lbm_d3q27",
    domain={"nodes": [size, size, size]},
    fluid={"relaxation_time": 3 * viscosity + 0.5},
    collision={"operator": "cumulant", "body_force": [force, 0, 0]},
    geometry={"solids": [knudsen.voxels(solid, folder / "spheres.nrrd", name="spheres")]},
    stop={"steps": steps, "check_every": 100, "criteria": [{"quantity": "permeability", "tolerance": 1e-5}]},
    output={"series": {"quantities": ["permeability"]}},
)
run = case.run(folder / "run", progress=True)
u = numpy.nan_to_num(run.fields()["velocity"][..., 0])
print(f"porosity {1 - solid.mean():.3f}, permeability {viscosity * u.mean() / force:.4g} squared voxels, "
      f"after {run.step} steps")

try:
    import matplotlib
except ImportError:
    sys.exit("no picture: Matplotlib is not installed (Debian: python3-matplotlib)")
matplotlib.use("Agg")
axes = run.show("speed")
axes.figure.savefig(folder / "spheres.png", dpi=60, bbox_inches="tight")
print(folder / "spheres.png")
