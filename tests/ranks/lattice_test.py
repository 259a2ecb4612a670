"""Runs of the lattice methods on several ranks: each gives the bytes that one rank gives.

The cases are those of the tests of combinations, rows of covering arrays of all options. KNUDSEN_SEEDS:
seeds of these arrays, with blanks between them.
"""

import json
import pathlib
import random
import sys
import tempfile
import unittest

for folder in ("combinations", "cli"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))

from checks import LONG, SEEDS, Failure
from covering import covering_array
from lattice_test import d2q9_case, d2q9_model, d3q27_case, d3q27_model
from lattice_si_cases import PLANE, SPACE
from launcher import needs_ranks, run
from program import in_parallel, sampling

ROWS = 10  # of an array, without KNUDSEN_SEEDS
RANKS = (2, 3, 4, 6)


def runs_of(case, rng):
    """Numbers of ranks of runs that must agree: of a whole run, and of one with a restart."""
    fitting = [ranks for ranks in RANKS if case["domain"]["nodes"][-1] >= 3 * ranks]
    yield (rng.choice(fitting),)
    yield (rng.choice(fitting), rng.choice((1, *fitting)))


def check(case, rng):
    # Long enough along the axis that is cut for some ranks.
    case["domain"]["nodes"][-1] += rng.choice((6, 10, 17))
    case["checkpoint"] = {"at_end": True}
    if rng.random() < 0.3:
        case["initial_fields"] = {"density": "1 + 1e-3*sin(x + 2*y)", "velocity_y": "0.01*cos(x)"}
    one = run(case)
    if one.code != 0:  # options that are refused
        return False
    for ranks in runs_of(case, rng):
        middle = case["stop"]["steps"] // 2 if len(ranks) == 2 else None
        pieces = {**case, "parallel": {"piece": rng.choice((64, 0.005))}}
        many = run(pieces, rng.choice((1, 2)), restart_at=middle, ranks=ranks)
        # Ranks share the planes of a sparse lattice across another axis, which may have few.
        if many.code == 2 and "launch fewer ranks" in many.errors:
            continue
        # Slots that no node uses keep other values after a restart.
        expected = {name: bits for name, bits in one.bytes.items()
                    if middle is None or not name.startswith("checkpoint")}
        wrong = [name for name, bits in expected.items() if many.bytes.get(name) != bits]
        if many.code != 0 or wrong:
            raise Failure(f"{ranks} ranks: exit code {many.code}, other bytes in {wrong} "
                          f"{many.errors.strip()}\n{json.dumps(case)}")
    return True


@needs_ranks
class Lattices(unittest.TestCase):
    def check_rows(self, model, build):
        rows = [row for seed in SEEDS for row in covering_array(model, 2, seed)]
        rng = random.Random(SEEDS[0])
        if not LONG:
            rows = rng.sample(rows, ROWS)

        def try_row(row):
            try:
                return "run" if check(build(row), random.Random(json.dumps(row))) else "refused"
            except Failure as failure:
                return str(failure)

        found = in_parallel(try_row, rows)
        failures = [text for text in found if text not in ("run", "refused")]
        print(f"{len(rows)} cases, {found.count('refused')} refused, {len(failures)} failures",
              flush=True)
        self.assertGreater(found.count("run"), len(rows) / 2)
        self.assertEqual(failures, [])

    def test_plane(self):
        self.check_rows(d2q9_model(), d2q9_case)

    def test_space(self):
        self.check_rows(d3q27_model(), d3q27_case)

    def test_si_units(self):
        for case in (PLANE, SPACE):
            case = {**case, "stop": {"steps": 60, "check_every": 20}}
            one, many = run(case), run(case, ranks=(3,))
            self.assertEqual((one.code, many.code), (0, 0), many.errors)
            wrong = [name for name, bits in one.bytes.items() if many.bytes.get(name) != bits]
            self.assertEqual(wrong, [])

    def expect_same_bytes(self, case, variants, keeps_checkpoint=True):
        """Runs with these options give the bytes of one rank, whose run is returned; without
        `keeps_checkpoint` except for checkpoints after a restart."""
        one = run(case)
        self.assertEqual(one.code, 0, one.errors)
        for options in variants:
            other = run(case, **options)
            self.assertEqual(other.code, 0, other.errors)
            may_differ = "restart_at" in options and not keeps_checkpoint
            wrong = [name for name, bits in one.bytes.items() if other.bytes.get(name) != bits
                     and not (may_differ and name.startswith("checkpoint"))]
            self.assertEqual(wrong, [], (case.get("propagation"), options))
        return one

    def test_solids_that_conduct(self):
        """Solids and their surfaces lie across the cuts between ranks."""
        def solid(name, begin, end, **conduction):
            return {"name": name, "shape": "box", "from": begin, "to": end, "conduction": conduction}
        def common(dims):
            wall = {"type": "wall"}
            quantities = ["mean_temperature", "post.mean_temperature", "floor.mean_temperature",
                          "post.heat_flow", "floor.heat_flow", "west.heat_flow", "kinetic_energy"]
            return {"fluid": {"relaxation_time": 0.7}, "stop": {"steps": 60, "check_every": 20},
                    "heat": {"prandtl": 0.7, "gravity": [1e-4, *[0] * (dims - 2), -1e-3],
                             "expansion": 0.5},
                    "boundaries": {"west": {**wall, "temperature": 1}, "east": wall},
                    "initial_fields": {"temperature": "0.3 + 0.1*sin(x + 2*y)"},
                    "checkpoint": {"at_end": True},
                    "output": {"fields": {"quantities": ["temperature", "velocity"]},
                               "series": {"quantities": quantities},
                               "statistics": {"mean": ["temperature"], "every": 5}}}
        solids = [solid("floor", [0, 0], [16, 7], conductivity_ratio=3, heat_capacity_ratio=2),
                  solid("post", [4, 5], [9, 16], conductivity_ratio=0.4, heat_capacity_ratio=0.6)]
        plane = {**common(2), "method": "lbm_d2q9", "domain": {"nodes": [16, 21]},
                 "geometry": {"solids": solids}}
        solids = [solid("floor", [0, 0, 0], [9, 7, 6], conductivity_ratio=3, heat_capacity_ratio=2),
                  solid("post", [2, 2, 4], [6, 6, 15], conductivity_ratio=0.4, heat_capacity_ratio=0.6)]
        space = {**common(3), "method": "lbm_d3q27", "domain": {"nodes": [9, 8, 19]},
                 "geometry": {"walls": "half-way", "solids": solids}}
        cases = [{**plane, "propagation": {"scheme": scheme}} for scheme in ("in-place", "two-array")]
        cases += [{**space, "propagation": propagation}
                  for propagation in ({"nodes": "sparse"}, {"scheme": "two-array"},
                                      {"scheme": "aa-pattern"}, {"scheme": "esoteric-pull"})]
        cases += [{**space, "geometry": {"solids": solids}}]
        cases += [{**space, "precision": "half-storage", "propagation": {"nodes": nodes}}
                  for nodes in ("dense", "sparse")]
        # Slots that no node uses keep other values after a restart.
        for case in cases:
            self.expect_same_bytes(case, [{"ranks": (3,)}, {"threads": 3}, {"ranks": (1, 2), "restart_at": 21}],
                                   keeps_checkpoint=False)

    def test_eddy_viscosity_of_neighbours(self):
        """Cuts go through a solid; a restart is between two evaluations."""
        wall = {"type": "wall"}
        case = {"method": "lbm_d3q27", "domain": {"nodes": [9, 8, 19]},
                "fluid": {"relaxation_time": 0.52}, "stop": {"steps": 60, "check_every": 20},
                "collision": {"wale": 0.5, "wale_interval": 7},
                "initial": {"type": "noise", "amplitude": 0.05}, "checkpoint": {"at_end": True},
                "geometry": {"solids": [{"name": "post", "shape": "box", "from": [2, 2, 4],
                                         "to": [6, 6, 15]}]},
                "output": {"fields": {"quantities": ["velocity", "eddy_viscosity"]}}}
        variants = [{"ranks": (3,)}, {"ranks": (6,)}, {"threads": 3}, {"ranks": (1, 2), "restart_at": 24},
                    {"restart_at": 21}]
        for propagation in ({}, {"nodes": "sparse"}, {"scheme": "aa-pattern"}, {"scheme": "two-array"}):
            for boundaries in ({}, {"bottom": wall, "top": wall}):
                self.expect_same_bytes({**case, "propagation": propagation, "boundaries": boundaries},
                                       variants, keeps_checkpoint=False)
        # Some ranks have cells, but none of them is fluid.
        block = {"name": "block", "shape": "box", "from": [-1, -1, 1], "to": [10, 9, 17]}
        self.expect_same_bytes({**case, "propagation": {"nodes": "sparse"}, "geometry": {"solids": [block]}},
                               [{"ranks": (6,)}, {"ranks": (1, 4), "restart_at": 24}], keeps_checkpoint=False)

    def test_heat_at_interpolated_walls(self):
        """Round solids of given temperature, flux and exchange lie across the cuts between ranks."""
        def common(dims):
            shape = "circle" if dims == 2 else "sphere"
            depth = [3.1] * (dims - 2)
            conditions = ({"temperature": 1}, {"heat_flux": 0.02},
                          {"temperature": 0.5, "heat_transfer_coefficient": 0.05})
            places = ([4.3, *depth, 4.2], [11.2, *depth, 9.1], [5.4, *depth, 14.7])
            solids = [{"name": name, "shape": shape, "centre": place, "radius": 2.4, **condition}
                      for name, place, condition in zip("abc", places, conditions)]
            dye = {"name": "dye", "diffusivity": 0.03, "initial": "sin(x)*y", "solids": [
                {"name": "a", "value": 2}, {"name": "b", "value": 1, "transfer_coefficient": 0.1},
                {"name": "c", "flux": 0.01}]}
            return {"fluid": {"relaxation_time": 0.6}, "stop": {"steps": 60, "check_every": 20},
                    "heat": {"prandtl": 0.7, "gravity": [1e-4, *[0] * (dims - 2), -1e-3], "expansion": 0.5},
                    "boundaries": {"west": {"type": "wall", "temperature": 1}, "east": {"type": "wall"}},
                    "geometry": {"walls": "interpolated", "solids": solids}, "scalars": [dye],
                    "initial_fields": {"temperature": "0.3 + 0.1*sin(x + 2*y)"},
                    "output": {"fields": {"quantities": ["temperature", "velocity", "dye"]},
                               "series": {"quantities": ["mean_temperature", "west.heat_flow", *(
                                   f"{name}.{flow}" for name in "abc"
                                   for flow in ("heat_flow", "dye_flow"))]}}}
        plane = {**common(2), "method": "lbm_d2q9", "domain": {"nodes": [16, 20]}}
        space = {**common(3), "method": "lbm_d3q27", "domain": {"nodes": [16, 7, 20]}}
        cases = [{**plane, "propagation": {"scheme": scheme}} for scheme in ("in-place", "two-array")]
        cases += [{**space, "propagation": propagation}
                  for propagation in ({"nodes": "sparse"}, {"scheme": "two-array"}, {"scheme": "aa-pattern"},
                                      {"scheme": "esoteric-pull"}, {"scheme": "esoteric-twist"})]
        for case in cases:
            self.expect_same_bytes(case, [{"ranks": (3,)}, {"threads": 3}, {"ranks": (1, 2), "restart_at": 21}],
                                   keeps_checkpoint=False)

    def test_slip_along_solids(self):
        """Solids of several accommodation coefficients lie across the cuts between ranks."""
        solids = [{"name": "rod", "shape": "circle", "centre": [4.3, 5.2], "radius": 2.6, "accommodation": 1},
                  {"name": "wedge", "shape": "polygon", "points": [7.6, 8.2, 13.9, 9.1, 10, 15.3],
                   "accommodation": 0.3, "velocity": [0.5, 0.2]},
                  {"name": "floor", "shape": "half-plane", "point": [0, 17.3], "normal": [0, -1],
                   "accommodation": 0.8}]
        case = {"method": "lbm_d2q9", "domain": {"nodes": [16, 20]}, "stop": {"steps": 60, "check_every": 20},
                "fluid": {"knudsen": 0.05, "length": 10, "velocity": 0.02, "slip": {"second_order": 0}},
                "collision": {"operator": "trt", "body_force": [1e-5, 2e-5]},
                "geometry": {"walls": "interpolated", "solids": solids},
                "boundaries": {"west": {"type": "wall", "accommodation": 1}, "east": {"type": "wall"},
                               "south": {"type": "wall"}, "north": {"type": "wall"}},
                "output": {"fields": {"quantities": ["density", "velocity", "stress_xy"]}, "series": {"quantities": [
                    "mass", "max_speed", *(f"{solid['name']}.force_{axis}" for solid in solids for axis in "xy")]}}}
        for scheme in ("in-place", "two-array", "shared-memory"):
            self.expect_same_bytes({**case, "propagation": {"scheme": scheme}},
                                   [{"ranks": (3,)}, {"threads": 3}, {"ranks": (1, 2), "restart_at": 21}],
                                   keeps_checkpoint=False)

    def test_slip_along_solids_in_space(self):
        """The same in three dimensions, dense and sparse."""
        solids = [{"name": "ball", "shape": "sphere", "centre": [6.3, 5.2, 9.4], "radius": 4.6, "accommodation": 1},
                  {"name": "wedge", "shape": "box", "from": [8, 6, 14], "to": [13, 11, 20],
                   "angles_degrees": [10, 20, 30], "accommodation": 0.3, "velocity": [0.5, 0.2, 0.1]}]
        case = {"method": "lbm_d3q27", "domain": {"nodes": [16, 14, 24]}, "stop": {"steps": 40, "check_every": 20},
                "fluid": {"knudsen": 0.05, "length": 10, "velocity": 0.02, "slip": {"second_order": 0}},
                "collision": {"operator": "trt", "body_force": [1e-5, 2e-5, 1e-5]},
                "geometry": {"walls": "interpolated", "solids": solids},
                "boundaries": {"west": {"type": "wall", "accommodation": 1}, "east": {"type": "wall"}},
                "output": {"fields": {"quantities": ["density", "velocity"]}, "series": {"quantities": [
                    "mass", "max_speed", *(f"{solid['name']}.force_{axis}" for solid in solids for axis in "xyz")]}}}
        for propagation in ({"nodes": "sparse"}, {"scheme": "two-array"}, {"scheme": "aa-pattern", "lattice": "D3Q19"}):
            self.expect_same_bytes({**case, "propagation": propagation},
                                   [{"ranks": (3,)}, {"threads": 3}, {"ranks": (1, 2), "restart_at": 21}],
                                   keeps_checkpoint=False)

    def test_scalars(self):
        """Ranks exchange what scalars send across their planes, whatever the scheme of the flow."""
        dye = {"name": "dye", "diffusivity": 0.03, "initial": "sin(x)*y", "sides": {"west": {"value": 1.5}},
               "solids": [{"name": "ball", "value": 2}]}
        shared = {"fluid": {"relaxation_time": 0.6}, "stop": {"steps": 40, "check_every": 20},
                  "scalars": [dye, {"name": "salt", "schmidt": 3, "initial": "x - y"}],
                  "output": {"fields": {"quantities": ["dye", "salt", "spice"]},
                             "series": {"quantities": ["mean_dye", "ball.dye_flow", "east.salt_flow",
                                                       "mean_spice", "ball.spice_flow", "east.spice_flow"]},
                             **sampling("dye", "salt", "spice")}}
        def on_diagonals(case, lattice):
            spice = {**dye, "name": "spice", "lattice": lattice,
                     "solids": [{"name": "ball", "flux": 0.01}]}
            return {**case, "scalars": [*case["scalars"], spice]}
        west, east = {"type": "velocity", "velocity": [0.05, 0]}, {"type": "outflow"}
        plane = {**shared, "method": "lbm_d2q9", "domain": {"nodes": [14, 18]},
                 "geometry": {"walls": "full-way", "solids": [
                     {"name": "ball", "shape": "circle", "centre": [6, 8], "radius": 2.2}]},
                 "boundaries": {"west": west, "east": east}, "propagation": {"scheme": "shared-memory"}}
        plane = on_diagonals(plane, "D2Q9")
        space = {**shared, "method": "lbm_d3q27", "domain": {"nodes": [12, 9, 18]},
                 "geometry": {"walls": "interpolated", "solids": [
                     {"name": "ball", "shape": "sphere", "centre": [6, 4, 8], "radius": 2.2}]},
                 "boundaries": {"west": {**west, "velocity": [0.05, 0, 0]}, "east": east,
                                "bottom": {"type": "wall"}, "top": {"type": "pressure"}}}
        space = on_diagonals(space, "D3Q19")
        cases = [plane, *({**space, "propagation": propagation} for propagation in (
            {"nodes": "sparse"}, {"scheme": "esoteric-twist"}, {"scheme": "two-array"}))]
        # One of three ranks owns no plane of this domain, but the layer beyond its side.
        cases.append({**space, "domain": {"nodes": [3, 2, 12]}, "propagation": {"nodes": "sparse"},
                      "geometry": {"solids": [{"name": "ball", "shape": "sphere", "centre": [1.4, 0.6, 8.3], "radius": 0.8}]},
                      "boundaries": {**space["boundaries"], "south": {"type": "wall"}, "north": {"type": "wall"}}})
        for case in cases:
            self.expect_same_bytes(case, [{"ranks": (3,)}, {"ranks": (2, 1), "restart_at": 20}])

    def test_beyond_the_caches_of_one_rank_only(self):
        """Arrays of more than 16 MiB are stored past the caches by other instructions."""
        for method, nodes in (("lbm_d3q27", [64, 40, 60]), ("lbm_d2q9", [710, 700])):
            case = {"method": method, "domain": {"nodes": nodes}, "fluid": {"relaxation_time": 0.6, "velocity": 0.05},
                    "collision": {"operator": "recursive-regularised"}, "initial": {"type": "taylor-green"},
                    "propagation": {"scheme": "two-array"}, "stop": {"steps": 4, "check_every": 4}}
            self.expect_same_bytes(case, [{"ranks": (2,)}, {"ranks": (3,)}])

    def test_a_rank_without_nodes(self):
        """Between solids: one of its planes has no node of a sparse lattice, nor has the next one."""
        case = {"method": "lbm_d3q27", "domain": {"nodes": [4, 4, 12]}, "fluid": {"relaxation_time": 0.7},
                "collision": {"body_force": [1e-4, 0, 0]}, "propagation": {"nodes": "sparse"},
                "geometry": {"solids": [{"name": "block", "shape": "box", "from": [-1, -1, 1], "to": [5, 5, 12]}]},
                "stop": {"steps": 6, "check_every": 3}, "checkpoint": {"at_end": True},
                "output": {"fields": {"quantities": ["velocity"]}}}
        self.expect_same_bytes(case, [{"ranks": (3,)}, {"ranks": (4,)}, {"ranks": (4, 1), "restart_at": 3}],
                               keeps_checkpoint=False)

    def test_divergence(self):
        """The message names the same node, the first of the whole lattice, on any number of ranks."""
        case = {"method": "lbm_d3q27", "domain": {"nodes": [9, 8, 19]}, "fluid": {"relaxation_time": 0.5001},
                "collision": {"operator": "bgk", "body_force": [2e-3, 1e-3, 2e-3]},
                "initial": {"type": "noise", "amplitude": 0.17}, "propagation": {"nodes": "sparse"},
                "geometry": {"solids": [{"name": "post", "shape": "box", "from": [2, 2, 4], "to": [6, 6, 15]}]},
                "tuning": {"strip": 20}, "stop": {"steps": 400, "check_every": 50}}
        one = run(case)
        self.assertEqual(one.code, 1, one.errors)
        for ranks in (2, 3, 4):
            many = run(case, ranks=(ranks,))
            self.assertEqual(many.code, 1, many.errors)
            # A warning that ranks share a GPU may stand between the others.
            lines = [line for line in many.errors.splitlines() if " ranks share " not in line]
            self.assertEqual(lines, one.errors.splitlines())

    def test_files_of_many_pieces(self):
        """Fields of several chunks; planes across x, so that a rank's nodes are not adjacent in files."""
        wall = {"type": "wall"}
        output = {"fields": {"quantities": ["velocity"]}, "series": {"quantities": ["kinetic_energy"]},
                  "statistics": {"mean": ["vorticity"], "rms": ["speed"], "every": 2},
                  "profiles": [{"name": "line", "quantity": "velocity_x", "along": "x", "at": [0.3]}],
                  "snapshots": {"pictures": [{"quantity": "speed"}]},
                  "probes": [{"name": "line", "kind": "line", "begin": [0, 0], "end": [1, 1], "points": 9,
                              "quantities": ["velocity", "vorticity"]}]}
        shared = {"fluid": {"relaxation_time": 0.6}, "stop": {"steps": 6, "check_every": 3},
                  "checkpoint": {"at_end": True}, "initial": {"type": "noise", "amplitude": 0.05}}
        space = {**shared, "method": "lbm_d3q27", "domain": {"nodes": [20, 70, 75]},
                 "propagation": {"nodes": "sparse"}, "geometry": {"solids": [
                     {"name": "post", "shape": "box", "from": [8, 0, 10], "to": [12, 70, 60]}]},
                 "output": {**output, "series": {"quantities": ["enstrophy"]},
                            "profiles": [{**output["profiles"][0], "at": [0.3, 0.6]}],
                            "probes": [{**output["probes"][0], "begin": [0, 0, 0], "end": [1, 1, 1]}]}}
        plane = {**shared, "method": "lbm_d2q9", "domain": {"nodes": [400, 340]},
                 "boundaries": {"west": wall, "east": wall, "south": wall,
                                "north": {**wall, "velocity": [0.1, 0]}},
                 "output": {**output, "fields": {"quantities": ["velocity", "stream_function"]}}}
        del plane["initial"]
        for case, many in ((space, 3), (plane, 2)):
            expected = run(case)
            self.assertEqual(expected.code, 0, expected.errors)
            for ranks, options in (((many,), {}), ((2, 1), {"restart_at": 4})):
                found = run({**case, "parallel": {"piece": 0.3}}, ranks=ranks, **options)
                self.assertEqual(found.code, 0, found.errors)
                # Slots that no node uses keep other values after a restart.
                wrong = [name for name, bits in expected.bytes.items() if found.bytes.get(name) != bits
                         and not (options and name.startswith("checkpoint"))]
                self.assertEqual(wrong, [], ranks)

    def test_geometry_in_parts(self):
        """No rank knows all solids: those at sides with profiles, at probes, in monitors and in given fields are
        looked up or added up. Cuts are across each axis."""
        with tempfile.TemporaryDirectory(prefix="knudsen-") as folder:
            image = pathlib.Path(folder) / "rock.raw"
            image.write_bytes(bytes((x * y + z) % 5 == 0 for z in range(6) for y in range(4) for x in range(5)))
            for axis in range(3):
                nodes = [9, 9, 9]
                nodes[(axis + 1) % 3] = 26
                along = "xyz"[axis]
                sides = ("west", "east", "south", "north", "bottom", "top")
                inlet, outlet = sides[2 * axis: 2 * axis + 2]
                wall = sides[2 * ((axis + 1) % 3)], sides[2 * ((axis + 1) % 3) + 1]
                pillar = [[2, 2, 2], [6, 6, 6]]
                pillar[0][axis] = -1
                solids = [{"name": "pillar", "shape": "box", "from": pillar[0], "to": pillar[1]},
                          {"name": "ball", "shape": "sphere", "radius": 3.3,
                           "centre": [n - 4.4 for n in nodes]},
                          {"name": "rock", "shape": "voxel-image", "file": str(image), "size": [5, 4, 6],
                           "at": [n // 3 for n in nodes]}]
                quantities = [f"{name}.{load}_{a}" for name in ("pillar", "ball", "rock")
                              for load in ("force", "torque") for a in "xyz"]
                case = {"method": "lbm_d3q27", "domain": {"nodes": nodes}, "fluid": {"relaxation_time": 0.6},
                        "stop": {"steps": 40, "check_every": 20}, "checkpoint": {"at_end": True},
                        "propagation": {"nodes": "sparse"},
                        "boundaries": {inlet: {"type": "velocity", "flow_rate": 0.4, "profile": "power-law"},
                                       outlet: {"type": "pressure"}, **{side: {"type": "wall"} for side in wall}},
                        "initial_fields": {"density": "1 + 1e-3*sin(x + 2*y)"},
                        "geometry": {"walls": "interpolated", "solids": solids,
                                     "flow_planes": [{"name": "plane", "axis": along, "position": 4}]},
                        "output": {"fields": {"quantities": ["density", "velocity"]},
                                   "series": {"quantities": [*quantities, "plane.flow_rate", "max_speed"]},
                                   "probes": [{"name": "line", "kind": "line", "begin": [0, 0, 0], "end": [1, 1, 1],
                                               "points": 23, "quantities": ["velocity"]}]}}
                variants = [{"ranks": (3 + axis,)}]
                if axis == 0:
                    variants.append({"ranks": (1, 4), "restart_at": 20})
                self.expect_same_bytes(case, variants, keeps_checkpoint=False)
            self.expect_same_bytes({**case, "propagation": {"scheme": "two-array"}}, [{"ranks": (2,)}])
        solids.insert(1, {"name": "lost", "shape": "sphere", "centre": [4, 4, 40], "radius": 1})
        refused = run({**case, "geometry": {"solids": solids[:2]}}, ranks=(3,))
        self.assertEqual(refused.code, 2)
        self.assertIn("geometry.solids[1]: this solid covers none of the domain's", refused.errors)
        self.assertEqual(refused.errors.count("error"), 1)

    def test_turbulence(self):
        """Each rank evaluates the fluctuations of its own nodes and the net flow of all."""
        turbulence = {"intensity": 0.1, "length_scale": 2.5, "seed": 5}
        west = {"type": "velocity", "velocity": [0.06, 0, 0], "turbulence": turbulence}
        north = {"type": "velocity", "velocity": [0, -0.03], "turbulence": turbulence}
        output = {"fields": {"quantities": ["velocity"]}, "series": {"quantities": ["kinetic_energy"]}}
        space = {"method": "lbm_d3q27", "domain": {"nodes": [10, 16, 18]}, "output": output,
                 "fluid": {"relaxation_time": 0.6}, "stop": {"steps": 60, "check_every": 20},
                 "boundaries": {"west": west, "east": {"type": "outflow"}, "south": {"type": "wall"},
                                "north": {"type": "wall"}}}
        plane = {"method": "lbm_d2q9", "domain": {"nodes": [16, 18]}, "output": output,
                 "fluid": {"relaxation_time": 0.6}, "stop": {"steps": 60, "check_every": 20},
                 "boundaries": {"west": {**west, "velocity": [0.06, 0]}, "north": north,
                                "south": {"type": "wall"}, "east": {"type": "outflow"}}}
        for case in (space, {**space, "propagation": {"nodes": "sparse"}}, plane):
            one = self.expect_same_bytes(case, [{"ranks": (2,)}, {"ranks": (3,)}, {"threads": 3},
                                                {"ranks": (2, 1), "restart_at": 20}, {"restart_at": 40}])
            still = json.loads(json.dumps(case))
            for side in still["boundaries"].values():
                side.pop("turbulence", None)
            self.assertNotEqual(run(still).bytes, one.bytes)


if __name__ == "__main__":
    unittest.main()
