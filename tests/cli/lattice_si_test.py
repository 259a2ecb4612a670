"""Cases of the lattice methods in SI units, run by the program."""

import csv
import json
import unittest

from lattice_si_cases import (DENSITY, DT, DX, FLUID, LATTICE_PLANE, LATTICE_SPACE, PLANE, PLANE_UNITS, SPACE,
                              SPACE_UNITS)
from program_test import ProgramTest


def changed(case, **blocks):
    """A copy of a case in which keys of blocks are replaced, or left out for None."""
    copy = json.loads(json.dumps(case))
    for block, keys in blocks.items():
        for key, value in keys.items():
            copy.setdefault(block, {})[key] = value
            if value is None:
                del copy[block][key]
    return copy


def in_si(**keys):
    """The plane case with other keys of its fluid."""
    return changed(PLANE, fluid={"si": {key: value for key, value in {**FLUID["si"], **keys}.items()
                                        if value is not None}})


class LatticeSiTest(ProgramTest):
    def run_case(self, case, *arguments):
        """What the program prints, with results in the folder "results/case"."""
        self.write_case(case, "case.json")
        return self.run_well(*arguments, case="case.json").stdout

    def table(self, name, folder="case"):
        """Units (of series) and rows of a CSV file."""
        lines = (self.directory / "results" / folder / name).read_text().splitlines()
        units = {}
        if lines[0].startswith("# units: "):
            units = dict(pair.split("=") for pair in lines[0].removeprefix("# units: ").split(", "))
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        return units, [{key: float(value) for key, value in row.items()} for row in rows]


class SameBits(LatticeSiTest):
    """A case in SI units does the arithmetic of the same case in lattice units, bit by bit."""

    def check(self, si, lattice, units):
        self.run_case(lattice)
        before = {name: self.table(name)[1] for name in ("series.csv", "profile_u.csv", "profile_p.csv")}
        self.run_case(si)
        names, series = self.table("series.csv")
        self.assertEqual(len(series), len(before["series.csv"]))
        for row, other in zip(series, before["series.csv"]):
            self.assertEqual(row["step"], other["step"])
            for name, (factor, unit) in units.items():
                self.assertEqual(names[name], unit)
                if other[name] == other[name]:
                    self.assertEqual(row[name], other[name] * factor, name)
        profile = self.table("profile_u.csv")[1]
        self.assertGreater(max(row["velocity_x"] for row in profile), 0.1)
        for row, other in zip(profile, before["profile_u.csv"]):
            self.assertEqual(row["position"], other["position"] * DX)
            self.assertEqual(str(row["velocity_x"]), str(other["velocity_x"] * DX / DT))
        # The pressure of a lattice is density / 3, in SI units it is above that at rest.
        pascal = DENSITY * (DX / DT)**2
        digits = 1e-15 if si["precision"] == "double" else 1e-7
        for row, other in zip(self.table("profile_p.csv")[1], before["profile_p.csv"]):
            if other["pressure"] == other["pressure"]:
                self.assertAlmostEqual(row["pressure"], (other["pressure"] - 1 / 3) * pascal,
                                       delta=digits * pascal)

    def test_in_a_plane(self):
        self.check(PLANE, LATTICE_PLANE, PLANE_UNITS)

    def test_in_space(self):
        for precision in ("single", "double"):
            self.check({**SPACE, "precision": precision}, {**LATTICE_SPACE, "precision": precision},
                       SPACE_UNITS)

    def test_open_sides_that_depend_on_place_and_time(self):
        # 0.5 m/s is the characteristic velocity; y is in m or nodes, t in s or steps.
        speed = "0.5*(1 + 0.2*sin(2000*{y} + 5000*{t}))"
        pressure = "4*(1 + sin(500*{y}))"
        factor = "1 - 6*{t}"
        si, lattice = {"y": "y", "t": "t"}, {"y": "(y/1024)", "t": "(t/16384)"}

        def sides(units, west, east, key):
            waveform = {"factor": factor.format(**units)}
            return {"west": {"type": "velocity", "profile": {"velocity_x": west}, "waveform": waveform},
                    "east": {"type": "pressure", "profile": {key: east}, "waveform": waveform}}

        self.check(
            changed(PLANE, boundaries=sides(si, speed.format(**si), pressure.format(**si), "pressure")),
            changed(LATTICE_PLANE, boundaries=sides(
                lattice, "2*(" + speed.format(**lattice) + ")",
                "1 + 3*(" + pressure.format(**lattice) + ")/1024/256", "density")),
            PLANE_UNITS)

    def test_turbulence(self):
        def with_turbulence(case, length, stress):
            turbulence = {"length_scale": 2.5 * length, "reynolds_stresses": {
                "uu": 0.0025 * stress, "vv": 0.001 * stress, "uv": -0.0005 * stress}}
            west = {**case["boundaries"]["west"], "turbulence": turbulence}
            return changed({**case, "precision": "double"}, boundaries={"west": west})

        self.check(with_turbulence(SPACE, DX, 1), with_turbulence(LATTICE_SPACE, 1, 4), SPACE_UNITS)

    def test_the_pressure_keeps_its_digits_in_single_precision(self):
        # Fluid at rest under 0.01 Pa, 1.1e-7 of the pressure of the lattice, between walls.
        self.run_case({
            "method": "lbm_d3q27", "domain": SPACE["domain"], "fluid": FLUID,
            "boundaries": {side: {"type": "wall"} for side in ("west", "east", "south", "north", "bottom", "top")},
            "initial_fields": {"density": str(DENSITY * (1 + 3 * 0.01 / DENSITY * (DT / DX)**2))},
            "stop": {"steps": 10}, "output": {"profiles": SPACE["output"]["profiles"][1:]}})
        for row in self.table("profile_p.csv")[1]:
            self.assertAlmostEqual(row["pressure"], 0.01, delta=1e-4)


class Restart(LatticeSiTest):
    def test_goes_on_with_the_same_bits(self):
        for case in (PLANE, SPACE):
            steps = round(case["stop"]["time"] / DT)
            self.run_case(case)
            whole = self.contents("results/case")
            half = changed(case, stop={"time": steps // 2 * DT})
            self.write_case(half, "case.json")
            self.run_well("--output", "half", case="case.json")
            self.write_case(case, "case.json")
            checkpoint = f"half/checkpoint_{steps // 2:09}.h5"
            self.run_well("--output", "half", "--restart", checkpoint, case="case.json")
            parts = self.contents("half")
            for name in ("series.csv", "profile_u.csv", f"fields_{steps:09}.vtkhdf"):
                self.assertEqual(parts[name], whole[name], name)
            for folder in ("results/case", "half"):
                for path in (self.directory / folder).iterdir():
                    path.unlink()


class Flows(LatticeSiTest):
    def test_water_between_plates(self):
        """The mass flow of plane Poiseuille flow, in kg/s."""
        width, depth, mean = 1e-3, 2e-4, 0.02
        viscosity = 1.0016e-3 / 998.21
        acceleration = 12 * viscosity * mean / width**2
        text = self.run_case({
            "method": "lbm_d3q27", "precision": "double",
            "domain": {"size": [1e-4, width, depth], "spacing": 2.5e-5},
            "fluid": {"name": "water", "si": {"velocity": 1.5 * mean}},
            "collision": {"acceleration": [acceleration, 0, 0]},
            "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}},
            "geometry": {"flow_planes": [{"name": "section", "axis": "x", "position": 5e-5}]},
            "stop": {"time": 2, "check_every": 500,
                     "criteria": [{"quantity": "section.flow_rate", "tolerance": 1e-8}]},
            "output": {"series": {"quantities": ["section.flow_rate", "max_speed"]}},
        })
        units, rows = self.table("series.csv")
        self.assertEqual(units["section.flow_rate"], "kg/s")
        # The sum over 40 nodes is the integral but for 1 / (2 40^2).
        self.assertAlmostEqual(rows[-1]["section.flow_rate"] / (998.21 * mean * width * depth),
                               1 + 1 / (2 * 40**2), delta=1e-5)
        self.assertAlmostEqual(rows[-1]["max_speed"] / (1.5 * mean), 1, delta=1e-3)
        self.assertIn("Reynolds number 29.89", text)
        self.assertIn("spacing 2.5e-05 m, time step ", text)

    def test_pressures_hold_at_the_outermost_nodes(self):
        length, height, drop, viscosity = 10, 12, 3e-4, 0.1
        for method, more in (("lbm_d2q9", []), ("lbm_d3q27", [1])):
            wall = {"type": "wall"}
            self.run_case({"method": method, "precision": "double", "domain": {"nodes": [length, height, *more]},
                           "fluid": {"kinematic_viscosity": viscosity}, "collision": {"operator": "trt"},
                           "boundaries": {"west": {"type": "pressure", "density": 1 + drop / 2},
                                          "east": {"type": "pressure", "density": 1 - drop / 2},
                                          "south": wall, "north": wall},
                           "stop": {"steps": 10000, "check_every": 1000},
                           "output": {"fields": {"quantities": []}, "series": {"quantities": ["mean_velocity_x"]}}})
            mean = self.table("series.csv")[1][-1]["mean_velocity_x"]
            gradient = 12 * viscosity * mean / height**2
            self.assertAlmostEqual(gradient / (drop / 3 / (length - 1)), 1, delta=0.005, msg=method)

    def test_spectra_have_units(self):
        probe = {"name": "wake", "at": [0.6, 0.5], "quantities": ["velocity"], "spectrum": True}
        for case, hertz, seconds in ((PLANE, "Hz", "s"), (LATTICE_PLANE, "1/dt", "dt")):
            self.run_case(changed(case, output={"probes": [probe]}, stop={"time": None, "steps": 60}
                                  if case is PLANE else {"steps": 60}))
            folder = self.directory / "results" / "case"
            results = json.loads((folder / "timing.json").read_text())["results"]
            number, unit = results["wake.velocity_y peak frequency"].split()
            self.assertGreater(float(number), 0)
            self.assertEqual(unit, hertz)
            first = (folder / "spectrum_wake.csv").read_text().splitlines()[0]
            velocity = "m/s" if case is PLANE else "dx / dt"
            self.assertTrue(first.endswith(f"units: frequency={hertz}, velocity_x=({velocity})^2 {seconds}, "
                                           f"velocity_y=({velocity})^2 {seconds}"), first)

    def test_a_given_flow_rate(self):
        """2e-8 m^3/s of water through a square duct of 1 mm, 2e-5 m^2/s between plates."""
        walls = {"south": {"type": "wall"}, "north": {"type": "wall"}, "east": {"type": "pressure"}}
        for method, lengths, flow_rate, depth in (("lbm_d3q27", [3e-3, 1e-3, 1e-3], 2e-8, 1),
                                                  ("lbm_d2q9", [3e-3, 1e-3], 2e-5, 1e-3)):
            if method == "lbm_d3q27":
                walls.update(bottom={"type": "wall"}, top={"type": "wall"})
                planes = {"flow_planes": [{"name": "section", "axis": "x", "position": 1.5e-3}]}
            else:
                walls = {side: walls[side] for side in ("south", "north", "east")}
                planes = {}
            quantity = "section.flow_rate" if planes else "mean_velocity_x"
            with self.subTest(method):
                self.run_case({
                    "method": method, "precision": "double",
                    "domain": {"size": lengths, "spacing": 1.25e-4},
                    # At Mach number 0.1 the mass flow is 1 % larger, as the density is where it enters.
                    "fluid": {"name": "water", "si": {"velocity": 0.04, "mach": 0.03}},
                    "collision": {"operator": "trt"},
                    "boundaries": {**walls, "west": {"type": "velocity", "flow_rate": flow_rate,
                                                     "profile": "fully-developed"}},
                    "geometry": planes,
                    "stop": {"time": 1, "check_every": 100,
                             "criteria": [{"quantity": quantity, "tolerance": 1e-7}]},
                    "output": {"series": {"quantities": [quantity]}},
                })
                found = self.table("series.csv")[1][-1][quantity]
                # kg/s, or the mean velocity of a height of 1 mm.
                expected = 998.21 * flow_rate if planes else flow_rate / depth
                self.assertAlmostEqual(found / expected, 1, delta=2e-3)

    def test_a_given_mass_flow(self):
        """A mass flow into the domain is the flow rate times the density, bit by bit."""
        for case, power in ((PLANE, 1), (SPACE, 2)):
            rate = 0.1 * (8 * DX)**power
            series = []
            for given in ({"flow_rate": rate}, {"mass_flow": rate * DENSITY}):
                side = {"type": "velocity", "profile": "uniform", **given}
                case = changed(case, boundaries={"west": side, "east": {"type": "pressure"}})
                self.run_case(case)
                series.append(self.table("series.csv"))
            self.assertEqual(str(series[0]), str(series[1]))

    def test_a_mass_flow_that_is_held(self):
        """In a channel with a body, the force holds a mass flow through each cross-section."""
        mass_flow = 3e-6
        body = {"shape": "sphere", "name": "ball", "centre": [5e-4, 5e-4, 5e-4], "radius": 3e-4}
        case = {
            "method": "lbm_d3q27", "domain": {"size": [1e-3, 1e-3, 1e-3], "nodes_across": 12},
            "fluid": {"name": "water", "si": {"velocity": 0.02, "length": 1e-3}},
            "collision": {"operator": "trt", "flow_control": {"axis": "x", "mass_flow": mass_flow}},
            "propagation": {"nodes": "sparse"},
            "geometry": {"solids": [body],
                         "flow_planes": [{"name": "open", "axis": "x", "position": 0},
                                         {"name": "narrow", "axis": "x", "position": 5e-4}]},
            "stop": {"steps": 1500, "check_every": 500},
            "output": {"fields": {"write": False},
                       "series": {"quantities": ["open.flow_rate", "narrow.flow_rate"]}}}
        self.run_case(case)
        units, rows = self.table("series.csv")
        for plane in ("open.flow_rate", "narrow.flow_rate"):
            self.assertEqual(units[plane], "kg/s")
            self.assertAlmostEqual(rows[-1][plane] / mass_flow, 1, delta=2e-3)
        plane = {**case, "method": "lbm_d2q9", "domain": {"size": [1e-3, 1e-3], "nodes_across": 12},
                 "collision": {"operator": "trt", "flow_control": {"axis": "x", "mass_flow": 3e-3}},
                 "propagation": {}, "output": {"series": {"quantities": ["mean_velocity_x"]}},
                 "geometry": {"solids": [{"shape": "circle", "name": "rod", "centre": [5e-4, 5e-4],
                                          "radius": 3e-4}]}}
        self.run_case(plane)
        fluid = json.loads((self.directory / "results" / "case" / "timing.json").read_text())["sizes"]["fluid_nodes"]
        expected = 3e-3 / 998.21 / 1e-3 * 144 / fluid
        self.assertAlmostEqual(self.table("series.csv")[1][-1]["mean_velocity_x"] / expected, 1, delta=1e-3)

    def test_the_time_step_is_chosen(self):
        def validated(**keys):
            self.write_case(in_si(time_step=None, **keys), "case.json")
            done = self.call("validate", "case.json", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            return {each["name"]: (float(each["value"]), each["unit"])
                    for each in json.loads(done.stdout)["resolved"]}
        # By the Mach number, or where that would give a long relaxation time, by this.
        thin = validated(kinematic_viscosity=1e-4)
        self.assertAlmostEqual(thin["Mach number"][0], 0.1, delta=1e-6)
        self.assertAlmostEqual(thin["time step"][0], 0.1 / 3**0.5 * DX / 0.5, delta=1e-10)
        self.assertEqual(thin["node spacing"], (0.0009765625, "m"))
        self.assertAlmostEqual(thin["grid Reynolds number"][0], 0.5 * DX / 1e-4, delta=1e-5)
        thick = validated(kinematic_viscosity=0.1)
        self.assertAlmostEqual(thick["relaxation time"][0], 1, delta=1e-6)
        self.assertLess(thick["Mach number"][0], 0.1)
        self.assertAlmostEqual(validated(mach=0.05)["Mach number"][0], 0.05, delta=1e-6)
        self.assertAlmostEqual(validated()["Reynolds number"][0], 0.5 * 8 * DX * 2048, delta=1e-6)


class Stability(LatticeSiTest):
    """The grid Reynolds numbers in src/methods/lattice/README.md."""

    def diverges(self, case):
        self.write_case({**case, "output": {"fields": {"write": False}}}, "case.json")
        done = self.call_run("--quiet", case="case.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual("diverged" in done.stderr, done.returncode == 1)
        return done.returncode == 1

    def test_cavity(self):
        speed, nodes = 0.1 / 3**0.5, 48
        for name, stable, unstable in (("bgk", 15, 30), ("trt", 20, 30)):
            for number in (stable, unstable):
                case = {"method": "lbm_d2q9", "domain": {"nodes": [nodes, nodes]},
                        "fluid": {"velocity": speed, "kinematic_viscosity": speed / number},
                        "collision": {"operator": name},
                        "boundaries": {side: {"type": "wall"} for side in ("south", "west", "east")}
                        | {"north": {"type": "wall", "velocity": [1, 0]}},
                        "stop": {"steps": int(20 * nodes / speed), "check_every": 500}}
                self.assertEqual(self.diverges(case), number == unstable, (name, number))

    def test_cylinder(self):
        speed, width = 0.1 / 3**0.5, 12
        case = {"method": "lbm_d2q9", "domain": {"nodes": [14 * width, 5 * width]},
                "fluid": {"velocity": speed, "length": width, "kinematic_viscosity": speed / 5},
                "collision": {"operator": "trt"},
                "geometry": {"solids": [{"shape": "circle", "centre": [3.3 * width, 2.5 * width],
                                         "radius": width / 2}]},
                "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"}, "east": {"type": "pressure"},
                               "west": {"type": "velocity", "velocity": [1, 0], "profile": "parabolic"}},
                "stop": {"steps": int(40 * width / speed), "check_every": 500}}
        self.assertFalse(self.diverges(case))


class Validation(LatticeSiTest):
    def test_says_what_follows(self):
        self.write_case(PLANE, "case.json")
        text = self.call("validate", "case.json").stdout
        for row in ("reference density +1024 kg/m\\^3", "node spacing +0.0009765625 m",
                    "time step +6.103516e-05 s", "Reynolds number +8\n", "Mach number +0.0541",
                    "relaxation time +0.59375 steps", "grid Reynolds number +1\n",
                    "steps +120, 0.0073\\d* s of the flow", "memory +"):
            self.assertRegex(text, row)

    def test_says_what_coefficients_refer_to(self):
        def rows(case):
            self.write_case(case, "case.json")
            report = json.loads(self.call("validate", "case.json", "--json").stdout)
            texts = {each["name"]: each["description"] for each in report["monitors"]}
            return {each["name"]: (each["value"], each["unit"]) for each in report["resolved"]}, texts
        found, texts = rows(PLANE)
        self.assertEqual(found["length of drag and lift coefficients"], ("0.0078125", "m"))
        self.assertIn("2 force / (density velocity^2 length), length 0.0078125 m.", texts["post.drag_coefficient"])
        self.run_case(PLANE)
        report = json.loads((self.directory / "results" / "case" / "timing.json").read_text())
        self.assertEqual(report["results"]["length of drag and lift coefficients"], "0.0078125 m")
        case = changed(LATTICE_PLANE, fluid={"length": None})
        found, texts = rows(case)
        self.assertEqual(found["length of drag and lift coefficients"], ("24", "dx"))
        self.assertIn("length 24 dx by the extent along y, since the case gives no length", texts["post.drag_coefficient"])
        found, _ = rows(SPACE)
        self.assertEqual(found["area of drag and lift coefficients"], (f"{(8 * DX)**2:.7g}", "m^2"))

    def test_says_a_knudsen_number_of_gases_alone(self):
        self.write_case(PLANE, "case.json")
        self.assertNotIn("Knudsen number", self.call("validate", "case.json").stdout)
        gas = changed(LATTICE_PLANE, fluid={"kinematic_viscosity": None, "knudsen": 0.05})
        self.write_case(gas, "case.json")
        self.assertRegex(self.call("validate", "case.json").stdout, "Knudsen number +0.05\n")

    def test_says_the_length_between_pressures(self):
        sides = {"west": {"type": "pressure", "pressure": 4}, "east": {"type": "pressure"},
                 "north": {"type": "wall"}, "south": {"type": "wall"}}
        self.write_case({**PLANE, "boundaries": sides}, "case.json")
        self.assertRegex(self.call("validate", "case.json").stdout, f"length between pressures along x +{39 * DX:.4g} m\n")

    def test_extents_that_are_no_whole_spacings(self):
        self.write_case(changed(PLANE, domain={"size": [40 * DX, 24.4 * DX]}), "case.json")
        done = self.call("validate", "case.json")
        self.assertIn("domain.size: 0.02382812 m along y is 24.4 spacings of 0.0009765625 m; the domain has 24 "
                      "nodes and is 0.0234375 m long", done.stdout + done.stderr)

    def expect(self, case, *parts):
        self.write_case(case, "case.json")
        self.expect_bad_case(*parts, case="case.json")

    def test_units_say_what_the_fluid_says(self):
        self.expect({**LATTICE_PLANE, "units": "si"},
                    'units: found "si", requires the fluid in SI units, "fluid.si"')
        self.expect({**PLANE, "units": "lattice"},
                    'units: found "lattice", "fluid.si" gives the fluid in SI units; leave one of them out')
        for case, units in ((PLANE, "si"), (LATTICE_PLANE, "lattice")):
            self.write_case({**case, "units": units}, "case.json")
            self.assertEqual(self.call("validate", "case.json").returncode, 0)

    def test_mass_flows_that_are_refused(self):
        case = SPACE
        control = {"axis": "z", "mass_flow": 3e-6}
        self.expect(changed(case, collision={"flow_control": {**control, "flow_rate": 1e-9}}),
                    'collision.flow_control.mass_flow: found 3e-06, "flow_rate" is given too')
        self.expect(changed(case, collision={"flow_control": {**control, "mean_velocity": 0.01}}),
                    'collision.flow_control.mass_flow: found 3e-06, "mean_velocity" is given too')
        self.expect(changed(case, collision={"flow_control": {**control, "mass_flow": 1e3}}),
                    "collision.flow_control.mass_flow", "is Mach number", "must be at most 0.3")
        self.expect(changed(LATTICE_PLANE, boundaries={"west": {"type": "velocity", "mass_flow": 1}}),
                    "boundaries.west.mass_flow: found 1, belongs to cases in SI units")

    def test_units_that_are_mixed_or_missing(self):
        for key, value in (("reynolds", 20), ("velocity", 0.05), ("length", 8), ("relaxation_time", 0.6),
                           ("kinematic_viscosity", 0.1)):
            self.expect(changed(PLANE, fluid={key: value}),
                        f"fluid.{key}: found {value}, belongs to lattice units, but \"si\" gives the fluid in SI")
        self.expect(changed(PLANE, domain={"nodes": [40, 24], "size": None}),
                    'domain.nodes: belongs to lattice units, but "fluid.si" gives')
        self.expect(changed(PLANE, domain={"spacing": None}),
                    'a case in SI units may give "spacing" or "nodes_across" instead')
        self.expect(changed(PLANE, domain={"nodes_across": 8}), 'domain: give one of "spacing" in m')
        self.expect(changed(PLANE, fluid={"si": None, "relaxation_time": 0.6}), "domain",
                    'belongs to cases in SI units, which give')
        self.expect(changed(LATTICE_PLANE, domain={"spacing": 1e-3}), "domain.spacing: belongs to cases in SI")
        self.expect(changed(PLANE, collision={"body_force": [1e-6, 0]}),
                    'collision.body_force: belongs to lattice units, but the case is in SI units')
        for case, given, rule in ((PLANE, "density", '"pressure" in a case in SI units'),
                                  (LATTICE_PLANE, "pressure", '"density" in a case in lattice units')):
            self.expect(changed(case, boundaries={"east": {"type": "pressure", "profile": {given: "1"}}}),
                        f'boundaries.east.profile: found "{given}", must be {rule}')
        self.expect(changed(LATTICE_PLANE, collision={"acceleration": [1, 0]}),
                    "collision.acceleration: belongs to cases in SI units")
        self.expect(changed(PLANE, boundaries={"east": {"type": "pressure", "density": 1.01}}),
                    "boundaries.east.density: found 1.01, belongs to lattice units", '"pressure" in Pa')
        self.expect(changed(LATTICE_PLANE, boundaries={"east": {"type": "pressure", "pressure": 4}}),
                    "boundaries.east.pressure: found 4, belongs to cases in SI units")
        self.expect(changed(LATTICE_PLANE, fluid={"name": "water"}), 'fluid.name: found "water", needs "si"')
        self.expect(changed(LATTICE_PLANE, output={"units": "si"}),
                    'output.units: found "si", requires a case in SI units, "fluid.si"')
        self.expect(changed(PLANE, output={"units": "reference"}), "output.units: found \"reference\", the case is in")

    def test_fluids(self):
        self.expect(changed(PLANE, fluid={"name": "water"}), 'fluid.si.density: found 1024, "fluid.name" sets it')
        self.expect(in_si(density=None), "fluid.si.density: is missing; give it in kg/m^3")
        self.expect(in_si(viscosity=1e-3), 'fluid.si: give either "viscosity" in Pa s or')
        self.expect(in_si(kinematic_viscosity=None), 'fluid.si: give either "viscosity" in Pa s or')
        self.expect(in_si(velocity=None), "fluid.si.velocity: missing")
        self.expect(in_si(mach=0.1), 'fluid.si.time_step: found 6.103515625e-05, "mach" sets')
        self.expect(in_si(mach=0.4, time_step=None), "fluid.si.mach: found 0.4, must be greater than 0 and at most 0.3")

    def test_what_cannot_be_stable(self):
        self.expect(in_si(kinematic_viscosity=1e-5, length=0.01),
                    'collision.operator: found "trt", "trt" at the grid Reynolds number 48.82812',
                    "is not stable, at most 30 is possible: choose a spacing of at most 0.0006 m (now "
                    '0.0009765625 m), which is 17 nodes across the length of 0.01 m, or one of the operators '
                    '"recursive-regularised"')
        self.expect(in_si(time_step=1e-3), "boundaries.west.velocity: speed 0.6 m/s is Mach number 1.0642, must be at most "
                    '0.3: choose a time step of at most 0.0002819093 s ("fluid.si.time_step"), or "fluid.si.mach" 0.25')
        # A speed of a side that is beyond the characteristic one.
        case = changed(in_si(time_step=None, mach=0.2), boundaries={"north": {"type": "wall", "velocity": [1, 0]}})
        self.expect(case, "boundaries.north.velocity: speed 1 m/s is Mach number 0.4", '"fluid.si.mach" 0.15')
        self.expect(changed(PLANE, boundaries={"east": {"type": "pressure", "pressure": 1e9}}),
                    "boundaries.east.pressure: found 1000000000", "must be finite and from 0.01 to 100")
        self.expect(changed(PLANE, collision={"acceleration": [1e9, 0]}), "collision.acceleration: gives the body force")

    def test_warnings(self):
        def warned(case, text):
            self.write_case(case, "case.json")
            done = self.call("validate", "case.json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(text, done.stdout + done.stderr)
        warned(in_si(kinematic_viscosity=5e-5), "may be unstable at open sides and behind bodies, 5 is safe")
        warned(in_si(kinematic_viscosity=1), "is so long that walls let the flow slip")
        warned(changed(PLANE, boundaries={"east": {"type": "pressure", "pressure": 1e4}}),
               "boundaries.east.pressure: 10000 Pa changes the density by 11.4 %")


class Heat(LatticeSiTest):
    """Steady conduction through a layer with a given flux below and exchange above."""

    CAPACITY = 4e6  # J/(m^3 K)
    FLUX = 1000     # W/m^2
    EXCHANGE = 500  # W/(m^2 K)

    def layer(self, method, capacity):
        """A layer 8 mm thick and 4 mm long, in space 3 mm wide, and its area."""
        plane = method == "lbm_d2q9"
        up = ("south", "north") if plane else ("bottom", "top")
        per = 1 if capacity else self.CAPACITY
        case = {"method": method, "precision": "double",
                "domain": {"size": [0.004, 0.008] if plane else [0.004, 0.003, 0.008], "spacing": 0.001},
                "fluid": {"si": {"density": 1000, "kinematic_viscosity": 1e-6, "velocity": 1e-3, "length": 0.008,
                                 "time_step": 0.1}},
                "heat": {"prandtl": 1, "reference_temperature": 300},
                "boundaries": {up[0]: {"type": "wall", "heat_flux": self.FLUX / per},
                               up[1]: {"type": "wall", "temperature": 300,
                                       "heat_transfer_coefficient": self.EXCHANGE / per}},
                "stop": {"steps": 20000, "check_every": 1000},
                "output": {"fields": {"quantities": []}, "series": {"quantities": [
                    "mean_temperature", up[0] + ".heat_flow", up[1] + ".heat_flow"]}}}
        if capacity:
            case["heat"]["volumetric_heat_capacity"] = self.CAPACITY
        return case, 0.004 if plane else 0.004 * 0.003, up

    def test_flux_exchange_and_results_are_those_of_heat(self):
        for method, watts, kinematic in (("lbm_d2q9", "W/m", "m^2 K/s"), ("lbm_d3q27", "W", "m^3 K/s")):
            for capacity in (True, False):
                case, area, (below, above) = self.layer(method, capacity)
                self.run_case(case)
                units, series = self.table("series.csv")
                last = series[-1]
                flow = self.FLUX * area / (1 if capacity else self.CAPACITY)
                for side, sign in ((below, 1), (above, -1)):
                    self.assertEqual(units[side + ".heat_flow"], watts if capacity else kinematic)
                    self.assertAlmostEqual(last[side + ".heat_flow"] / flow, sign, delta=1e-4)
                conductivity = self.CAPACITY * 1e-6
                mean = 300 + self.FLUX / self.EXCHANGE + self.FLUX * 0.004 / conductivity
                self.assertAlmostEqual(last["mean_temperature"], mean, delta=1e-4)

    def test_values_of_the_other_unit_are_warned_of(self):
        case, _, (below, above) = self.layer("lbm_d2q9", False)
        case["heat"]["volumetric_heat_capacity"] = self.CAPACITY
        self.write_case(case, "case.json")
        said = self.call("validate", "case.json").stderr
        self.assertIn(f"boundaries.{below}.heat_flux: 0.00025 W/m^2 has no visible effect", said)
        self.assertIn(f"boundaries.{above}.heat_transfer_coefficient: 0.000125 W/(m^2 K) has no visible effect", said)

    def test_what_monitors_say(self):
        for capacity, words in ((True, "in a unit of time."), (False, "over density x heat capacity of the fluid.")):
            case, _, _ = self.layer("lbm_d2q9", capacity)
            self.write_case(case, "case.json")
            monitors = json.loads(self.call("validate", "case.json", "--json").stdout)["monitors"]
            text = next(each for each in monitors if each["name"] == "south.heat_flow")
            self.assertTrue(text["description"].endswith(words), text)


class Soundness(LatticeSiTest):
    """What gives other flows than were asked for is refused, ends the run, or is warned of."""

    CHANNEL = {"method": "lbm_d2q9", "precision": "double", "domain": {"nodes": [30, 10]},
               "fluid": {"velocity": 0.05, "relaxation_time": 0.6},
               "collision": {"operator": "trt"},
               "boundaries": {"west": {"type": "velocity", "velocity": [1, 0]},
                              "east": {"type": "pressure"},
                              "north": {"type": "wall"}, "south": {"type": "wall"}},
               "stop": {"steps": 2000, "check_every": 100}}

    def warnings(self, case):
        self.write_case(case, "case.json")
        done = self.call("validate", "case.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_heat_needs_a_reference(self):
        self.write_case({**PLANE, "heat": {"prandtl": 0.7}}, "case.json")
        self.expect_bad_case("case.json: heat: needs \"reference_temperature\"", "0 K", case="case.json")

    def test_given_fields_obey_the_rules_of_an_initial_state(self):
        closed = {side: {"type": "wall"} for side in ("west", "east", "south", "north")}
        case = {**self.CHANNEL, "domain": {"nodes": [16, 16]}, "boundaries": closed}
        wave = {"initial_fields": {"velocity_x": "0.433*sin(x/16*pi)"}}
        self.write_case({**case, **wave}, "case.json")
        self.expect_bad_case("case.json: initial_fields: velocity in node (8, 0): speed 0.430915 is Mach number 0.7464, "
                             "must be at most 0.3", case="case.json")
        # The same place does not matter in a solid.
        post = {"geometry": {"solids": [{"name": "post", "shape": "box", "from": [1, 0], "to": [15, 16]}]}}
        self.assertEqual(self.warnings({**case, **wave, **post}), "")
        self.assertIn("initial_fields: velocity in node (0, 0): speed 0.1 is Mach number 0.1732; compressibility",
                      self.warnings({**case, "initial_fields": {"velocity_x": 0.1}}))
        self.assertIn("initial_fields: density in node (0, 0): density 1.1 (at rest it is 1), so the flow is not nearly",
                      self.warnings({**case, "initial_fields": {"density": 1.1}}))
        # From a table.
        (self.directory / "start.csv").write_text("x,density\n0,1\n16,30\n")
        self.write_case({**case, "initial_fields": {"file": "start.csv"}}, "case.json")
        self.expect_bad_case('initial_fields.file: found "start.csv", density in node (15, 0)', "between 0.01 and 10",
                             case="case.json")
        # In SI units, and in space, where nodes of solids have no density.
        water = {"method": "lbm_d3q27", "domain": {"size": [0.008, 0.008, 0.008], "spacing": 0.001},
                 "fluid": {"name": "water", "si": {"velocity": 0.01}},
                 "geometry": {"solids": [{"name": "ball", "shape": "sphere", "centre": [0.004, 0.004, 0.004],
                                          "radius": 0.002}]},
                 "initial_fields": {"density": 1}, "stop": {"steps": 2}}
        self.write_case(water, "case.json")
        self.expect_bad_case("initial_fields: density in node (0, 0, 0): density 1 kg/m^3 is 0.001001793 times that of "
                             "the fluid, 998.21 kg/m^3, must be between 0.01 and 10 times it", case="case.json")
        self.assertEqual(self.warnings({**water, "initial_fields": {"density": "998.21 + x"}}), "")
        self.write_case({**water, "initial_fields": {"velocity_z": 2}}, "case.json")
        self.expect_bad_case("velocity in node (0, 0, 0): speed 2 m/s is Mach number", '"fluid.si.time_step"',
                             case="case.json")

    def test_given_field_that_is_misspelt(self):
        case = {**self.CHANNEL, "initial_fields": {"velocty_x": 0.01}}
        self.write_case(case, "case.json")
        self.expect_bad_case('initial_fields: unknown key "velocty_x", did you mean "velocity_x"?', case="case.json")
        self.write_case({**case, "initial_fields": {}}, "case.json")
        self.expect_bad_case("initial_fields: gives no field", case="case.json")

    def test_table_in_another_unit_of_length(self):
        water = {"method": "lbm_d2q9", "domain": {"size": [0.02, 0.01], "spacing": 0.001},
                 "fluid": {"name": "water", "si": {"velocity": 0.001}}, "collision": {"operator": "trt"},
                 "boundaries": {"west": {"type": "velocity", "profile": {"file": "in.csv"}},
                                "east": {"type": "pressure"},
                                "north": {"type": "wall"}, "south": {"type": "wall"}}, "stop": {"steps": 2}}
        table = self.directory / "in.csv"
        self.write_case(water, "case.json")
        table.write_text("y,velocity_x\n0,0\n5,0.001\n10,0\n")
        self.expect_bad_case('boundaries.west.profile.file: found "in.csv", the table covers y from 0 to 10, but only y '
                             "from 0 to 0.01 is used, less than a fiftieth of it", "in m in a case in SI units", "mm",
                             case="case.json")
        table.write_text("y,velocity_x\n0,0\n0.005,0.001\n0.09,0\n")
        self.assertEqual(self.warnings(water), "")
        # Of a scalar, and of a start.
        table.write_text("x,velocity_x\n0,0\n30,0.001\n")
        self.write_case({**water, "boundaries": {}, "initial_fields": {"file": "in.csv"}}, "case.json")
        self.expect_bad_case('initial_fields.file: found "in.csv", the table covers x from 0 to 30, but only x from 0 to '
                             "0.02", case="case.json")

    def test_walls_that_are_offered_are_accepted(self):
        plate = {"shape": "box", "name": "plate", "from": [0, 0], "to": [30, 3]}
        case = {**self.CHANNEL, "heat": {"prandtl": 1}, "boundaries": {}}
        for conduction, offered in (({}, ["half-way", "interpolated"]),
                                    ({"conduction": {"conductivity_ratio": 2}}, ["half-way"])):
            geometry = {"solids": [{**plate, **conduction}]}
            self.write_case({**case, "geometry": {**geometry, "walls": "full-way"}}, "case.json")
            words = " or ".join(f'"{each}"' for each in offered)
            self.expect_bad_case(f'geometry.walls: found "full-way", must be {words} in a case with "heat"',
                                 case="case.json")
            for walls in offered:
                self.assertEqual(self.warnings({**case, "geometry": {**geometry, "walls": walls}}), "")

    def test_turbulence_into_a_fluid_at_rest(self):
        west = {"type": "velocity", "velocity": [1, 0], "turbulence": {"intensity": 0.05, "length_scale": 2.5}}
        case = changed({**self.CHANNEL, "domain": {"nodes": [30, 12]}}, boundaries={"west": west})
        said = "boundaries.west.turbulence: the fluid starts at rest"
        self.assertIn(said, self.warnings(case))
        moving = {"type": "uniform", "velocity": [1, 0]}
        self.assertNotIn(said, self.warnings({**case, "initial": moving}))
        self.assertNotIn(said, self.warnings({**case, "initial_fields": {"velocity_x": 0.05}}))
        space = {**case, "method": "lbm_d3q27", "domain": {"nodes": [30, 12, 12]},
                 "boundaries": {**case["boundaries"], "west": {**west, "velocity": [1, 0, 0]}}}
        self.assertNotIn(said, self.warnings(space))  # its sides let sound out
        space["boundaries"]["west"]["reflecting"] = True
        self.assertIn(said, self.warnings(space))
        self.assertIn('"reflecting": false', self.warnings(space))

    def test_sides_that_all_give_velocities(self):
        said = "nothing holds the density"
        self.assertNotIn(said, self.warnings(self.CHANNEL))
        east = {"type": "velocity", "velocity": [0.9, 0]}
        case = changed(self.CHANNEL, boundaries={"east": east})
        self.assertIn(said, self.warnings(case))
        self.assertIn(said, self.warnings({**case, "method": "lbm_d3q27", "domain": {"nodes": [30, 10, 3]},
                                           "boundaries": {side: {**values, "velocity": [*values["velocity"], 0]}
                                                          if "velocity" in values else values
                                                          for side, values in case["boundaries"].items()}}))
        self.write_case(changed(case, stop={"steps": 40000}), "case.json")
        self.expect_failure(1, self.call_run(case="case.json"), "diverged", "the density is", "must be at most 10")

    def test_weight_of_a_column(self):
        closed = {side: {"type": "wall"} for side in ("west", "east", "south", "north")}
        case = {**self.CHANNEL, "domain": {"nodes": [10, 100]}, "boundaries": closed}
        light = changed(case, collision={"body_force": [0, -1e-4]})
        self.assertNotIn("changes the density", self.warnings(light))
        heavy = changed(case, collision={"body_force": [0, -5e-4]})
        self.assertIn("the force along y changes the density by 16.2 %", self.warnings(heavy))
        periodic = {side: {"type": "wall"} for side in ("west", "east")}
        self.assertNotIn("changes the density", self.warnings({**heavy, "boundaries": periodic}))

    def test_scalar_that_is_far_from_what_is_given(self):
        water = {"method": "lbm_d2q9", "precision": "double", "units": "si",
                 "domain": {"size": [0.02, 0.004], "spacing": 0.0002},
                 "fluid": {"name": "water", "si": {"velocity": 0.01, "length": 0.004}},
                 "collision": {"operator": "trt"},
                 "boundaries": {"west": {"type": "velocity", "velocity": [0.0066667, 0],
                                         "profile": "fully-developed"},
                                "east": {"type": "pressure", "pressure": 0},
                                "south": {"type": "wall"}, "north": {"type": "wall"}},
                 "scalars": [{"name": "salt", "schmidt": 700, "lattice": "D2Q9", "sides": {"west": {"value": 1}}}],
                 "stop": {"steps": 14000, "check_every": 500}}
        self.write_case(water, "case.json")
        self.expect_failure(1, self.call_run(case="case.json"), "diverged", "the scalar salt is ",
                            "far from all that the case gives, 0 to 1")
        water["scalars"][0]["lattice"] = "D2Q5"
        self.run_case(water)

    def test_restart_with_another_table(self):
        table = self.directory / "wave.csv"
        table.write_text("t,factor\n0,1\n1000,1.2\n4000,1\n")
        side = {**self.CHANNEL["boundaries"]["west"], "waveform": {"file": "wave.csv"}}
        case = changed(self.CHANNEL, boundaries={"west": side})
        self.run_case({**case, "stop": {"steps": 100}, "checkpoint": {"at_end": True}})
        restart = ("--restart", "results/case", "--set", "stop.steps=200", "--output", "other")
        self.write_case(case, "case.json")
        self.run_well(*restart, case="case.json")
        table.write_text("t,factor\n0,1\n1000,1.3\n4000,1\n")
        self.expect_failure(2, self.call_run(*restart, case="case.json"), "belongs to another case",
                            "(its keys are the same, but a table has another content)", "the content of tables")


if __name__ == "__main__":
    unittest.main()
