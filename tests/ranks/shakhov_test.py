"""`shakhov` on several ranks: fields, series, checkpoints and results have the bytes of one rank.

With KNUDSEN_SEEDS, seeds with blanks between them, also all rows of the covering arrays of
tests/combinations.
"""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "combinations"))

import gas_test as pairs  # of combinations
from checks import LONG, SEEDS, changed
from covering import covering_array
from gas_case import velocity_grid
from launcher import differences, fewer, needs_ranks
from program import SIDES, dimensions_of, in_parallel

STEPS = 6


def case_of(row):
    case = pairs.shakhov_case(row)
    if row.get("scheme"):
        case["propagation"]["scheme"] = row["scheme"]
    if row.get("size"):
        case["velocity_grid"] = velocity_grid(row["grid"], pairs.reflecting_axes(row),
                                              size=row["size"])
    sides = [side for side in SIDES[:2 * dimensions_of(case)]
             if row[side] not in ("periodic", "none")]
    if row["solid"] != "none":
        sides = []  # the solid may cover one
    quantities = ["mass", "moments_change", "heat_flux_change"]
    quantities += [side + flux for side in sides
                   for flux in (".mass_flux", ".force_x", ".energy_flux")]
    quantities += ["block.force_x"] if row["solid"] != "none" else []
    case["output"]["series"] = {"every": 1, "quantities": quantities}
    case["output"]["surface"] = "geometry" in case or any(
        side["type"] != "periodic" for side in case["boundaries"].values())
    if row.get("fields"):
        case["initial_fields"] = {"density": "1 + 0.1*x*y", "velocity_x": "0.1*sin(5*y - 3*z)"}
    case["checkpoint"] = {"at_end": True}
    case["stop"] = {"steps": STEPS, "check_every": STEPS}
    return case


def named(**changes):
    """A row of plain options but for some; sides are walls, the north one moves."""
    row = {"dimensions": 3, "cells_x": 5, "cells_y": 3, "cells_z": 3, "solid": "none",
           "surface": "whole-cells",
           "model": "shakhov", "rotation": False, "order": 1, "conservative": False, "reduced": False, "precision": "single",
           "force": "none", "creep": False, "rarefaction": 1, "law": "hard-sphere", "initial": "uniform",
           "batch": None, "coarse_start": False, "solid_wall": "diffuse", "acceleration": "none", "widths": "growing", "grid": "uniform", "size": 20}
    row.update(changes)
    for number, side in enumerate(SIDES):
        there = number < 2 * row["dimensions"]
        row.setdefault(side, ("moving wall" if side == "north" else "wall") if there else "none")
    for name in ("cells_y", "cells_z")[row["dimensions"] - 1:]:
        row[name] = 1
    return row


@needs_ranks
class Shakhov(unittest.TestCase):
    def check(self, tests):
        if not LONG:
            tests = [(case, *fewer(number, ranks, *(options[:1] or ((),))), *options[1:])
                     for number, (case, ranks, *options) in enumerate(tests)]

        def try_one(arguments):
            text = differences(*arguments)
            return text and f"{json.dumps(arguments[0])}\n{text}"
        failures = [text for text in in_parallel(try_one, tests) if text]
        refused = [text for text in failures if "\nrefused: " in text]
        failures = [text for text in failures if text not in refused]
        print(f"{len(tests)} cases, {len(refused)} refused, {len(failures)} failures", flush=True)
        self.assertEqual(failures, [], "\n".join(failures[:3]))
        self.assertLessEqual(len(refused), 0.2 * len(tests) if LONG else 0)

    def test_fields_of_several_chunks(self):
        # The first rank alone has the values, of which others pack some.
        case = case_of(named(cells_x=48, cells_y=48, cells_z=32, precision="double", size=6))
        case["stop"] = {"steps": 2, "check_every": 2}
        case["output"]["fields"] = {"quantities": ["density", "velocity"]}
        case["parallel"] = {"piece": 0.1}
        self.check([(case, (3,))])

    def test_positive_cells(self):
        """The wake of tests/shakhov/positive_test.cpp, where cells of second order become of first."""
        stream = {"type": "reservoir"}
        case = {"method": "shakhov", "precision": "double", "gas": {"rarefaction": 0.1, "law": "argon"},
                "domain": {"origin": [-2, 0], "cells": [20, 10], "size": [5, 2.5]},
                "velocity_grid": {"count": [24, 16, 16], "minimum": [-8, -8, -8], "maximum": [11, 8, 8]},
                "initial": {"type": "stream", "mach": 4}, "propagation": {"order": 2},
                "boundaries": {"west": stream, "east": stream, "south": {"type": "symmetry"}, "north": stream},
                "geometry": {"solids": [{"name": "body", "shape": "box", "from": [-0.5, 0], "to": [0.5, 0.5]}]},
                "output": {"series": {"every": 1, "quantities": ["moments_change", "body.energy_flux"]}},
                "checkpoint": {"at_end": True}, "stop": {"steps": 24, "check_every": 24}}
        self.check([(case, (3,), (2, 1, 3))])

    def test_named(self):
        batches = [("--set", "tuning.batch=3"), ("--threads", "2")]
        corner = {side: "symmetry" for side in SIDES[::2]}
        stream = {side: "reservoir" for side in SIDES}
        self.check([
            # A cavity: blocks are shared one by one.
            (case_of(named()), (2, 3, 4, 6), (), batches),
            (case_of(named(order=2, precision="double", model="bgk", conservative=True)), (3,),
             (4, 1, 3), batches),
            # Mirrors: some or all octants of a block belong together.
            (case_of(named(**{**stream, "south": "symmetry", "bottom": "symmetry"}, order=2,
                           cells_y=5, cells_z=5, solid="corner")), (3, 4), (4, 1, 3)),
            (case_of(named(**corner)), (6,), (3, 4, 2)),
            (case_of(named(west="hot wall", east="inflow", precision="double", model="es-bgk")),
             (2,), (4, 1, 3)),
            # Periodic sides and a force, in a plane; a coarse start.
            (case_of(named(dimensions=2, west="periodic", east="periodic", force="all",
                           coarse_start=True)), (4,), (2, 3)),
            (case_of(named(dimensions=1, west="smooth wall", order=2)), (3,), (4, 1, 3)),
            # Acceleration, with walls, periodic sides and a force, a solid in a stream.
            (case_of(named(acceleration="synthetic", order=2)), (2, 3), (4, 1, 3), batches),
            (case_of(named(acceleration="synthetic", dimensions=2, west="periodic",
                           east="periodic", force="all", precision="double")), (3,), (2, 4)),
            (case_of(named(**{**stream, "south": "symmetry"}, acceleration="synthetic",
                           solid="corner")), (2,), (3, 1)),
            # On cells that are wider than the mean free path.
            (case_of(named(acceleration="asymptotic-preserving", rarefaction=100, force="all",
                           west="scattering wall", bottom="periodic", top="periodic",
                           south="heated wall")), (2, 3), (4, 1, 3), batches),
            # Molecules that rotate.
            (case_of(named(model="es-bgk", rotation=True, order=2, acceleration="synthetic",
                           south="symmetry", east="heated wall")), (2, 3), (4, 1, 3), batches),
            (case_of(named(dimensions=2, model="es-bgk", rotation=True, reduced=True, solid="corner",
                           surface="cut-cells", precision="double")), (3,), (2, 4)),
            # Surfaces that cut cells.
            (case_of(named(cells_y=5, cells_z=5, solid="middle", surface="cut-cells")), (3, 4),
             (4, 1, 3), batches),
            (case_of(named(**{**stream, "south": "symmetry"}, solid="corner", order=2,
                           acceleration="synthetic", surface="cut-cells", cells_y=5, cells_z=5)),
             (2,), (3, 1)),
            (case_of(named(scheme="slices", south="symmetry", solid="corner", cells_y=5,
                           surface="cut-cells")), (3,), (4, 1)),
            (case_of(named(cells_y=5, cells_z=5, solid="middle", surface="cut-cells", solid_wall="heated", order=2,
                           acceleration="synthetic")), (3,), (2, 1)),
            # Components of the velocity integrated out.
            (case_of(named(reduced=True, dimensions=2, cells_y=5, west="scattering wall", south="symmetry",
                           order=2, acceleration="synthetic", precision="double")), (2, 3), (4, 1, 3), batches),
            (case_of(named(reduced=True, dimensions=2, cells_y=5, solid="middle", surface="cut-cells")), (3,), (2, 4)),
            (case_of(named(reduced=True, dimensions=1, west="heated wall", model="es-bgk")), (3,), (4, 1)),
            # Walls with profiles.
            (case_of(named(west="profiled wall", top="profiled wall", acceleration="synthetic",
                           order=2, fields=True)), (3,), (2, 1)),
            # Walls with kernels of their own.
            (case_of(named(west="scattering wall", top="scattering wall", south="heated wall",
                           order=2)), (3, 4), (4, 1, 3), batches),
            (case_of(named(scheme="slices", west="scattering wall", south="heated wall",
                           precision="double")), (3,), (4, 1)),
            (case_of(named(west="scattering wall", south="heated wall", order=2, solid="corner",
                           cells_y=5, cells_z=5, solid_wall="heated", acceleration="synthetic")),
             (3,), (2, 1)),
            (case_of(named(solid="middle", cells_y=5, cells_z=5, solid_wall="scattering", acceleration="synthetic")),
             (2, 3), (4, 1, 3), batches),
            # Sides that turn the flow: all octants, or four at a time.
            (case_of(named(dimensions=1, west="antisymmetric", order=2)), (2, 3), (3, 1), batches),
            (case_of(named(dimensions=2, south="antisymmetric", order=2, precision="double",
                           acceleration="synthetic")), (2, 3), (4, 1, 3), batches),
            # Sides of given pressure.
            (case_of(named(dimensions=2, west="pressure inlet", north="pressure outlet", order=2,
                           acceleration="synthetic")), (2, 3), (3, 1), batches),
            # Fewer blocks than ranks.
            (case_of(named(**corner, size=8)), (3,)),
            # The kernels of the paper.
            (case_of(named(scheme="slices", south="symmetry")), (3, 4), (4, 1, 3)),
        ])

    @unittest.skipUnless(LONG, "takes long")
    def test_array(self):
        rows = [row for seed in SEEDS for row in covering_array(pairs.shakhov_model(), 2, seed)]
        tests = []
        for number, row in enumerate(rows):
            case = case_of({**row, "size": (None, 20)[number % 2]})
            if row["order"] == 1 and number % 5 == 0:
                case = changed(case, "propagation.scheme", "slices")
            tests.append((case, (2, 3, 4), (4, 1, 3)))
        self.check(tests)


if __name__ == "__main__":
    unittest.main()
