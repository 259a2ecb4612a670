"""Several ranks give the same bytes as one: fields, series, checkpoints, distributions, results.

The cases are rows of covering arrays of the options of tests/combinations, and some by name.
KNUDSEN_SEEDS: seeds of the arrays, with blanks between them; then all pairs of values occur, and
each case runs with 2, 3 and 4 ranks and in a chain of restarts.
"""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "combinations"))

import gas_test as pairs  # of combinations
from checks import LONG, SEEDS
from covering import covering_array
from launcher import differences, fewer, needs_ranks
from program import SIDES, cells_of, dimensions_of, in_parallel


def with_output(case, row, monitors):
    steps = case["stop"]["steps"]
    sides = [side for side in SIDES[:2 * dimensions_of(case)] if row[side] != "periodic"]
    cells = cells_of(case)[:dimensions_of(case)]
    if row.get("solid", "none") != "none" and (len(cells) == 1 or min(cells) == 1):
        sides = []  # the solid may cover one
    case["output"]["series"] = {"every": 3, "quantities": monitors + [
        side + quantity for side in sides for quantity in (".mass_flux", ".force_x", ".energy_flux")]}
    if row["initial"] == "uniform":
        case["initial_fields"] = {"density": "1 + 0.1*x*y", "velocity_x": "0.1*sin(5*y - 3*z)",
                                  "temperature": "1 + 0.1*(x - z)"}
    if row.get("lid"):
        case["boundaries"]["north"] = {"type": "wall", "velocity": [0.05, 0, 0]}
        case["output"]["series"]["quantities"] += ["drag_coefficient", "flow_rate", "lid_stress"]
    case["checkpoint"] = {"at_end": True}
    case["stop"]["check_every"] = steps
    return case


def bgkw_case(row):
    case = pairs.bgkw_case(row)
    with_output(case, row, ["mass", "energy", "max_speed", "mean_velocity_x", "velocity_change"])
    if not row["reduced"] and not row["rotation"] and row["widths"] == "equal" and row["surface"] == "whole-cells":
        case["output"]["series"]["quantities"] += ["entropy", "entropy_production"]
    if "geometry" in case:
        case["output"]["series"]["quantities"] += ["block.force_x", "block.energy_flux"]
    case["propagation"]["scheme"] = row["scheme"]
    if row["single_pass"]:
        case["tuning"] = {"single_pass": "always"}
    case["probes"] = [{"at": [0.7] * dimensions_of(case)}]
    case["output"]["surface"] = "geometry" in case or any(
        side["type"] != "periodic" for side in case["boundaries"].values())
    return case


def bgkw_model():
    model = pairs.bgkw_model()
    factors = {**model.factors, "scheme": ["fused", "separate"], "single_pass": [False, True]}
    # Pairs, so that the search sees at once what they exclude.
    plain = {"model": "bgk", "order": 1, "split": False, "force": "none", "integration": "splitting",
             "widths": "equal"}
    constraints = [pairs.Constraint(["single_pass", name], lambda single_pass, value, needed=needed:
                                    not single_pass or value == needed)
                   for name, needed in plain.items()]
    constraints += [pairs.Constraint(["single_pass", name], lambda single_pass, kind:
                                     not single_pass or kind not in pairs.MADE_BY_FACE)
                    for name in (*SIDES, "solid_wall")]
    constraints.append(pairs.Constraint(["scheme", "integration"], lambda scheme, integration:
                                        scheme == "fused" or integration == "splitting"))
    return pairs.Model(factors, [*model.constraints, *constraints])


def named(**changes):
    """A row with plain options but for some."""
    row = {"dimensions": 2, "cells_x": 5, "cells_y": 5, "cells_z": 1, "solid": "none", "surface": "whole-cells",
           "model": "bgk", "order": 1, "split": False, "limiter": "van-leer",
           "conservative": False, "reduced": False, "precision": "single", "force": "none",
           "rotation": False,
           "integration": "splitting", "rarefaction": 1, "law": "hard-sphere", "courant": 0.7,
           "initial": "rest", "solid_wall": "maxwell", "widths": "equal",
           "grid": "uniform", "scheme": "fused", "single_pass": False}
    row.update({side: "none" for side in SIDES})
    row.update(changes)
    for side in SIDES[:2 * row["dimensions"]]:
        if row[side] == "none":
            row[side] = "wall" if side != "north" else "moving wall"
    return row


def cut_cells(dimensions, precision="double", **changes):
    """A ball and a slope that cut cells. Groups of merged cells lie across the cuts of two and of three ranks."""
    axes = slice(dimensions)
    case = {
        "method": "bgkw", "precision": precision, "domain": {"cells": [9, 8, 7][axes], "size": [1, 1.1, 0.9][axes]},
        "gas": {"rarefaction": 2}, "collision": {"conservative": True},
        "velocity_grid": {"count": [8, 8, 6], "minimum": [-4, -4, -4], "maximum": [4, 4, 4]},
        "initial": {"type": "uniform", "velocity": [0.2, -0.1, 0.1], "temperature": 1.1},
        "boundaries": {side: {"type": "wall"} for side in SIDES[:2 * dimensions]},
        "geometry": {"surface": "cut-cells", "solids": [
            {"name": "ball", "shape": "sphere", "centre": [0.31, 0.33, 0.6][axes], "radius": 0.2,
             "accommodation": 0.6, "temperature": 1.3},
            {"name": "slope", "shape": "half-space", "point": [0.8, 0.7, 0.8][axes],
             "normal": [-0.6, -1, -2][3 - dimensions:], "heat_flux": 0.05}]},
        "stop": {"steps": 12, "check_every": 12}, "checkpoint": {"at_end": True},
        "output": {"surface": True, "fields": {"quantities": ["density", "velocity", "temperature", "heat_flux"]},
                   "series": {"every": 3, "quantities": ["mass", "energy", "west.force_x"] + [
                       solid + quantity for solid in ("ball", "slope") for quantity in (
                           ".force_x", ".force_y", ".torque_z", ".energy_flux", ".mass_flux", ".temperature")]}}}
    for key, value in changes.items():
        case[key] = {**case.get(key, {}), **value}
    return case


def boltzmann_case(row):
    case = pairs.boltzmann_case(row)
    with_output(case, row, ["mass_deviation", "momentum_x", "energy_deviation", "entropy",
                            "max_speed", "velocity_change", "shear_wave"])
    case["output"]["fields"]["quantities"].append("position")
    if row.get("lid"):
        case["statistics"] = {"from_step": 2, "every": 2}
        case["output"]["series"]["quantities"].append("flow_rate_deviation")
    return case


FIELDS = {"initial": "uniform"}  # from formulas, see with_output


def named_boltzmann(**changes):
    row = {"cells_x": 4, "form": "nonlinear", "estimator": "reversible", "update": "explicit",
           "interpolation": "constant", "sequence": "random", "conservation": "equilibrium", "positivity": "none",
           "equilibrium_part": "sampled", "sample_temperature": 1, "omega": 0.5, "progression": 1,
           "finest": "both"}
    return named(**{**row, **changes})


@needs_ranks
class Ranks(unittest.TestCase):
    def check(self, rows, build, tests, may_be_refused=False):
        """tests(n, row): numbers of ranks of the runs of row n, and those of a chain of restarts."""
        def try_row(numbered):
            n, row = numbered
            case = build(row)
            text = differences(case, *(tests(n, row) if LONG else fewer(n, *tests(n, row))))
            return text and f"{row}\n{json.dumps(case)}\n{text}"

        failures = [text for text in in_parallel(try_row, list(enumerate(rows))) if text]
        # Beside a vacuum the flow through a pressure side may become sonic, which ends the run.
        sonic = "of given pressure has the Mach number"
        refused = [text for text in failures if may_be_refused
                   and ("\nrefused: " in text or "\none rank: " in text and sonic in text)]
        failures = [text for text in failures if text not in refused]
        print(f"{len(rows)} cases, {len(refused)} refused, {len(failures)} failures", flush=True)
        self.assertLessEqual(len(refused), 0.2 * len(rows))
        self.assertEqual(failures, [], f"{len(failures)} cases fail; the first:\n"
                         + "\n\n".join(failures[:3]))

    def check_array(self, model, build):
        """With KNUDSEN_SEEDS all pairs of values, else each value in some row of two arrays."""
        if LONG:
            rows = [row for seed in SEEDS for row in covering_array(model, 2, seed)]
            return self.check(rows, build, lambda n, row: ((2, 3, 4), (4, 1, 3)), True)
        rows = [row for seed in (1, 2) for row in covering_array(model, 1, seed)]
        return self.check(rows, build, lambda n, row: ((2 + n % 3,), ()), True)

    def test_bgkw_array(self):
        self.check_array(bgkw_model(), bgkw_case)

    def test_bgkw_restarts(self):
        """Cavities, a ring, a shock tube, solids across cuts, profiles; uneven cuts, ranks without cells."""
        ring = {"south": "periodic", "north": "periodic"}
        ring_x = {"west": "periodic", "east": "periodic"}
        rows = [named(single_pass=True, lid=True),
                named(scheme="separate", single_pass=True, precision="double"),
                named(order=2, split=True, precision="double", **ring),
                named(dimensions=3, cells_z=3, solid="corner", **FIELDS),
                named(dimensions=1, cells_x=8, cells_y=1, courant=1.6, order=2, split=True,
                      initial="step", west="reservoir", east="reservoir"),
                named(integration="imex-2", order=2, conservative=True, rarefaction=30, lid=True),
                named(dimensions=3, cells_z=3, integration="imex-2", solid="corner",
                      model="shakhov", top="inlet"),
                named(cells_y=3, solid="middle", **ring),
                named(widths="growing", cells_y=5, solid="corner", precision="double"),
                named(widths="growing", dimensions=1, cells_x=8, cells_y=1),
                named(widths="growing", dimensions=3, cells_z=4, integration="imex-2", conservative=True),
                named(widths="growing", cells_y=6, solid="corner", order=2, split=True, precision="double"),
                named(widths="growing", order=2, split=True, north="heated wall", **ring_x),
                named(widths="growing", dimensions=3, cells_z=4, order=2, integration="imex-2", conservative=True, bottom="periodic",
                      top="periodic"),
                named(dimensions=3, cells_z=4, single_pass=True, west="profiled wall",
                      north="profiled wall", top="profiled wall"),
                named(west="scattering wall", north="heated wall", order=2, split=True),
                named(dimensions=3, cells_z=4, solid="middle", solid_wall="scattering wall",
                      top="heated wall", bottom="scattering wall", precision="double"),
                named(cells_y=6, solid="corner", solid_wall="heated wall", reduced=True),
                named(south="antisymmetric", order=2, split=True, precision="double"),
                named(dimensions=1, cells_x=8, cells_y=1, west="antisymmetric", courant=1.6),
                named(west="pressure inlet", south="pressure outlet", order=2, split=True,
                      precision="double"),
                named(model="es-bgk", rotation=True, order=2, split=True, reduced=True,
                      conservative=True, north="heated wall"),
                named(dimensions=3, cells_z=4, model="es-bgk", rotation=True, solid="corner",
                      precision="double", top="hot wall", bottom="symmetry")]
        self.check(rows, bgkw_case, lambda n, row: ((), (4, 1, 3)))

    def test_bgkw_beyond_the_caches_of_one_rank_only(self):
        """Distributions of more than 16 MiB are stored past the caches by other instructions."""
        case = {"method": "bgkw", "domain": {"cells": [30, 30]}, "gas": {"rarefaction": 2},
                "velocity_grid": {"count": [20] * 3, "minimum": [-4] * 3, "maximum": [4] * 3},
                "boundaries": {**{side: {"type": "wall"} for side in SIDES[:3]},
                               "north": {"type": "wall", "velocity": [0.3, 0, 0]}}, "stop": {"steps": 6}}
        self.assertEqual(differences(case, (2, 3), ()), "")

    def test_bgkw_cut_cells(self):
        """Bodies across cuts with walls of Maxwell and of given heat flux, a ring, growing cells."""
        second = {"order": 2, "time_integration": "imex-2"}
        ring = {"south": {"type": "periodic"}, "north": {"type": "periodic"}}
        halves = lambda length: [{"cells": 5, "length": 0.5, "ratio": 0.85},
                                 {"cells": 4, "length": length - 0.5, "ratio": 1.2}]
        growing = cut_cells(2, propagation=second)
        growing["domain"] = {"x": halves(1), "y": halves(1.1)}
        cases = [cut_cells(2, propagation=second), cut_cells(3),
                 cut_cells(2, "single", propagation={"time_integration": "imex-2"}, boundaries=ring), growing]
        self.assertEqual(in_parallel(lambda case: differences(case, (2, 3), (3, 1, 2)), cases), [""] * len(cases))

    def test_boltzmann_array(self):
        self.check_array(pairs.boltzmann_model(), boltzmann_case)

    def test_boltzmann_restarts(self):
        """A cavity with statistics, a ring of order 2, slabs of one layer, fewer layers than ranks,
        profiles along and across the cuts."""
        ring = {"bottom": "periodic", "top": "periodic"}
        rows = [named_boltzmann(lid=True),
                named_boltzmann(dimensions=3, cells_z=5, order=2, precision="double", **ring,
                                **FIELDS),
                named_boltzmann(order=2, cells_y=4, north="hot wall", progression=0.8),
                named_boltzmann(dimensions=1, cells_x=3, cells_y=1, west="inflow"),
                named_boltzmann(dimensions=3, cells_z=4, order=2, west="profiled wall",
                                north="profiled wall", top="profiled wall")]
        self.check(rows, boltzmann_case, lambda n, row: ((), (4, 1, 3)))


if __name__ == "__main__":
    unittest.main()
