"""The state at step 0 from formulas, tables and field files, in all methods."""

import copy
import json
import math
import pathlib
import shutil
import unittest

from checks import changed, difference
from program import call, run, scratch_folder

GAS = {"rarefaction": 1}
# At this distance sums of a Maxwellian are exact to 1e-7.
VELOCITIES = {"count": [12] * 3, "minimum": [-4.5] * 3, "maximum": [4.5] * 3}
STOP = {"steps": 5, "check_every": 5}
BGKW = {"method": "bgkw", "precision": "double", "domain": {"cells": [6, 5], "size": [3, 2]},
        "gas": GAS, "velocity_grid": VELOCITIES, "stop": STOP, "output": {},
        "boundaries": {side: {"type": "wall"} for side in ("west", "east", "south", "north")},
        "geometry": {"solids": [{"shape": "box", "from": [1, 0.8], "to": [2, 1.2]}]}}
SHAKHOV = {**BGKW, "method": "shakhov"}
BOLTZMANN = {**{key: value for key, value in BGKW.items() if key != "geometry"},
             "method": "boltzmann", "collision": {"samples": 2000}}
D2Q9 = {"method": "lbm_d2q9", "precision": "double", "domain": {"nodes": [6, 5]},
        "fluid": {"kinematic_viscosity": 0.1}, "stop": STOP, "output": {}}
D3Q27 = {**D2Q9, "method": "lbm_d3q27", "domain": {"nodes": [6, 5, 4]}}
CASES = {case["method"]: case for case in (BGKW, SHAKHOV, BOLTZMANN, D2Q9, D3Q27)}
# Sums and products have the same bits in Python.
FORMULAS = {"density": "1 + 0.01*x*y", "velocity_x": "0.01*y - 0.002*x", "velocity_y": "0.005*x",
            "temperature": "1 - 0.02*y"}
VALUES = {"density": lambda x, y: 1 + 0.01 * x * y, "velocity_x": lambda x, y: 0.01 * y - 0.002 * x,
          "velocity_y": lambda x, y: 0.005 * x, "temperature": lambda x, y: 1 - 0.02 * y}


def formulas_of(method):
    return {key: text for key, text in FORMULAS.items()
            if key != "temperature" or not method.startswith("lbm")}


def fields_of(method):
    return ([name + "_deviation" if method == "boltzmann" and name in ("density", "temperature")
             else name for name in formulas_of(method)])


class InitialFields(unittest.TestCase):
    def setUp(self):
        self.folder = scratch_folder()
        self.addCleanup(shutil.rmtree, self.folder)

    def table(self, method, name="start.csv"):
        case = CASES[method]
        cells = case["domain"].get("cells") or case["domain"]["nodes"]
        size = case["domain"].get("size", cells)
        names = list(formulas_of(method))
        rows = [["x", "y", *names]]
        for j in range(cells[1]):
            for i in range(cells[0]):
                widths = [s / n for s, n in zip(size, cells)]
                x, y = (0.5 * (k * w + (k + 1) * w) for k, w in zip((i, j), widths))
                rows.append([repr(x), repr(y), *(repr(VALUES[n](x, y)) for n in names)])
        path = self.folder / name
        path.write_text("\n".join(",".join(row) for row in rows) + "\n")
        return str(path)

    def test_formulas_and_tables_give_the_same_bytes(self):
        for method, case in CASES.items():
            with self.subTest(method):
                case = changed(case, "output", {"fields": {"every": 5}})
                found = run({**case, "initial_fields": formulas_of(method)})
                self.assertEqual(found.code, 0, found.errors)
                other = run({**case, "initial_fields": {"file": self.table(method)}})
                self.assertEqual(other.code, 0, other.errors)
                self.assertEqual(found.bytes, other.bytes)
                # They are those of step 0, and others than without.
                self.assertNotEqual(found.bytes, run(case).bytes)

    def test_uniform_fields_are_the_uniform_state(self):
        state = {"density": 1.1, "velocity": [0.1, -0.05, 0.02], "temperature": 0.95}
        fields = {"density": 1.1, "velocity_x": 0.1, "velocity_y": "-0.05", "velocity_z": 0.02,
                  "temperature": "1.9/2"}
        for case, initial in ((BGKW, {"type": "uniform", **state}), (BOLTZMANN, state)):
            # The scale of deviations is that of `initial`.
            found = run({**case, "initial": initial, "initial_fields": fields})
            self.assertEqual(found.code, 0, found.errors)
            self.assertEqual(found.bytes, run({**case, "initial": initial}).bytes)

    def write_fields(self, case):
        """A field file of the last step."""
        (self.folder / "case.json").write_text(json.dumps(case))
        done = call("run", "case.json", "--no-bandwidth", "--output", "out", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return str(self.folder / "out" / f"fields_{case['stop']['steps']:09}.vtkhdf")

    def test_field_files_go_on_with_the_fields_of_a_run(self):
        for method, case in CASES.items():
            with self.subTest(method):
                quantities = ["density_deviation", "velocity", "temperature_deviation"]
                if method != "boltzmann":
                    quantities = [name.removesuffix("_deviation") for name in quantities]
                if method.startswith("lbm"):
                    quantities.pop()
                one = copy.deepcopy(case)
                one["output"] = {"fields": {"quantities": quantities}}
                one["initial_fields"] = formulas_of(method)
                one["stop"] = {"steps": 1}
                file = self.write_fields(one)
                # A step of next to no length shows the state at step 0.
                fields = fields_of(method)
                expected = run(one, quantities=fields).values
                again = {**case, "initial_fields": {"file": file}}
                if method in ("bgkw", "boltzmann"):
                    again["propagation"] = {"time_step": 1e-12}
                    found = run({**again, "stop": {"steps": 1}}, quantities=fields)
                    self.assertEqual(found.code, 0, found.errors)
                    clean = lambda values: {n: [0 if math.isnan(v) else v for v in field]
                                            for n, field in values.items()}
                    largest, where = difference(clean(found.values), clean(expected))
                    self.assertLess(largest, 1e-5, where)
                else:
                    self.assertEqual(run(again).code, 0)

    def test_si_units_change_nothing(self):
        gas = {"gas": {"name": "argon", "si": {"pressure": 10, "temperature": 300, "length": 1e-3}}}
        plain = {**BGKW, **gas, "output": {"series": {"quantities": ["mass", "energy"]}}}
        fields = {"initial_fields": formulas_of("bgkw")}
        in_si = changed(plain, "output", {"units": "si", "series": {"quantities": ["velocity_change"]}})
        first = run({**changed(plain, "output.series.quantities", ["velocity_change"]), **fields})
        second = run({**in_si, **fields})
        self.assertEqual(second.code, 0, second.errors)
        self.assertEqual([row["velocity_change"] for row in first.series[1:]],
                         [row["velocity_change"] for row in second.series[1:]])
        # A file in SI units gives the same state as one in units of the reference.
        (self.folder / "si").mkdir()
        files = [self.write_fields({**changed(plain, "output", output), **fields,
                                    "title": json.dumps(output)})
                 for output in ({}, )]
        folder, self.folder = self.folder, self.folder / "si"
        files.append(self.write_fields({**changed(plain, "output", {"units": "si"}), **fields}))
        self.folder = folder
        masses = [run({**plain, "initial_fields": {"file": file}}).series[0] for file in files]
        for name in ("mass", "energy"):
            self.assertAlmostEqual(masses[0][name] / masses[1][name], 1, delta=1e-14)

    def expect_refusal(self, case, fields, text):
        done = run({**case, "initial_fields": fields})
        self.assertEqual(done.code, 2, done.errors)
        self.assertIn("initial_fields", done.errors)
        self.assertIn(text, done.errors)

    def test_bad_fields(self):
        self.expect_refusal(BGKW, {"density": "1 - x"}, "is -0.25 at (1.25, 0.2, 0.5), must be finite")
        self.expect_refusal(BGKW, {"temperature": "log(0)"}, "is -inf")
        for case in (BGKW, BOLTZMANN):
            self.expect_refusal(case, {"temperature": "1 + 30*x"}, "the velocity grid leaves out")
            self.expect_refusal(case, {"velocity_x": "3.5*y"}, "the velocity grid leaves out")
        linear = changed(BOLTZMANN, "collision.form", "linearised")
        self.assertEqual(run({**linear, "initial_fields": {"temperature": "1 + 0.01*x"}}).code, 0)
        self.expect_refusal(BGKW, {"density": "1 +* x"}, "at character 4")
        self.expect_refusal(BGKW, {}, "gives no field")
        self.expect_refusal(D2Q9, {"temperature": 1}, "the method lbm_d2q9 has no temperature")
        self.expect_refusal(D2Q9, {"velocity_z": 0}, "has no velocity_z")
        self.expect_refusal(BGKW, {"file": "none.csv"}, "there is no file")
        table = self.table("bgkw")
        self.expect_refusal(BGKW, {"file": table, "density": 1}, 'cannot be combined with "file"')
        large = changed(BGKW, "domain.size", [3.5, 2])
        large.pop("geometry")
        self.expect_refusal(large, {"file": table}, "since the table covers x from 0.25 to 2.75")

    def test_bad_field_files(self):
        def with_quantities(case, *names):
            return self.write_fields({**case, "output": {"fields": {"quantities": names}}})
        other = changed(BGKW, "domain.cells", [3, 5])
        done = run({**BGKW, "initial_fields": {"file": with_quantities(other, "density")}})
        self.assertEqual(done.code, 2)
        self.assertIn("field 'density' has 1 x 5 x 3 values, must have 1 x 5 x 6", done.errors)
        self.expect_refusal(BGKW, {"file": with_quantities(BGKW, "heat_flux")},
                            "has none of the fields")
        self.expect_refusal(BGKW, {"file": with_quantities(D2Q9, "density")}, "has the unit")
        file = pathlib.Path(with_quantities(BGKW, "density"))
        file.write_bytes(file.read_bytes()[:3000])
        done = run({**BGKW, "initial_fields": {"file": str(file)}})
        self.assertEqual(done.code, 2)
        self.assertIn("cannot be read", done.errors)


class StopTime(unittest.TestCase):
    def steps(self, case, stop):
        folder = scratch_folder()
        try:
            (folder / "case.json").write_text(json.dumps({**case, "stop": stop}))
            done = call("run", "case.json", "--no-bandwidth", "--output", "out", folder=folder)
            if done.returncode != 0:
                return done.stderr
            return json.loads((folder / "out/timing.json").read_text())["total"]["steps"]
        finally:
            shutil.rmtree(folder)

    def test_ends_with_the_step_that_reaches_it(self):
        case = {**BGKW, "propagation": {"time_step": 0.01}}
        self.assertEqual(self.steps(case, {"time": 0.07}), 7)
        self.assertEqual(self.steps(case, {"time": 0.071}), 8)
        self.assertEqual(self.steps(case, {"time": 1e-9}), 1)
        self.assertEqual(self.steps(case, {"time": 0.07, "steps": 3}), 3)
        self.assertEqual(self.steps(case, {"time": 0.07, "steps": 30}), 7)
        self.assertEqual(self.steps(D2Q9, {"time": 4}), 4)
        # It is that of the case, whatever the units of the results.
        si = {**case, "output": {"units": "si"}, "gas": {
            "name": "argon", "si": {"pressure": 10, "temperature": 300, "length": 1e-3}}}
        self.assertEqual(self.steps(si, {"time": 0.07}), 7)

    def test_refusals(self):
        self.assertIn("stop.time: found 1, the steps of the method shakhov are iterations",
                      self.steps(SHAKHOV, {"time": 1}))
        self.assertIn("stop.steps: missing", self.steps(BGKW, {}))
        self.assertIn("stop.time: found 0, must be greater than 0", self.steps(BGKW, {"time": 0}))
        self.assertIn("gives the number of steps", self.steps(BGKW, {"time": 1e30}))


class SpeedOfSound(unittest.TestCase):
    """A standing wave of small amplitude between planes of symmetry: its half period is the way over sqrt(gamma / 2) v_ref."""

    def speed(self, gas, model):
        step = 0.0025
        case = {"method": "bgkw", "precision": "double", "domain": {"cells": [50]}, "reduced": True,
                "velocity_grid": {"count": [24], "minimum": [-5] * 3, "maximum": [5] * 3},
                "gas": {"rarefaction": 1000, **gas}, "collision": {"model": model, "conservative": True},
                "boundaries": {"west": {"type": "symmetry"}, "east": {"type": "symmetry"}},
                "initial_fields": {"velocity_x": "0.001 * sin(pi * x)"},
                "propagation": {"order": 2, "time_integration": "imex-2", "time_step": step},
                "stop": {"steps": 880}, "output": {"series": {"every": 1, "quantities": ["mean_velocity_x"]}}}
        found = run(case)
        self.assertEqual(found.code, 0, found.errors)
        flow = [row["mean_velocity_x"] for row in found.series]
        crossings = [step * (n + now / (now - after)) for n, (now, after) in enumerate(zip(flow, flow[1:]))
                     if now * after < 0]
        # Damping moves both crossings by the same time.
        return 1 / (crossings[1] - crossings[0])

    def test_is_that_of_the_ratio_of_specific_heats(self):
        for gas, model, ratio in (({}, "bgk", 5 / 3), ({}, "shakhov", 5 / 3), ({}, "es-bgk", 5 / 3),
                                  ({"rotation": {}}, "es-bgk", 7 / 5),
                                  ({"rotation": {"degrees_of_freedom": 3}}, "es-bgk", 4 / 3)):
            self.assertAlmostEqual(self.speed(gas, model) / math.sqrt(ratio / 2), 1, delta=1e-3, msg=(gas, model))


if __name__ == "__main__":
    unittest.main()
