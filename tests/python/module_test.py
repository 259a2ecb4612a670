"""Tests of the Python module. Uses NumPy, h5py where there is one, and the standard library."""

import gc
import inspect
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types
import unittest
import unittest.mock
import warnings

import numpy

import knudsen
from small_cases import CASES, SOURCE, InDirectory, small, unstable

try:
    import h5py
except ImportError:
    h5py = None

needs_h5py = unittest.skipIf(h5py is None, "h5py is not installed")
ENDLESS = 10**12


def contents(directory):
    """The bytes of all result files but the timing report, by name."""
    return {path.name: path.read_bytes() for path in sorted(pathlib.Path(directory).iterdir())
            if path.name != "timing.json"}


class SameBits(InDirectory):
    """What the program writes, Python writes too, and the steps of a simulation lead there."""

    def check(self, method):
        case = small(method, checkpoint={"at_end": True})
        pathlib.Path("case.json").write_text(json.dumps(case))
        done = self.program("run", "case.json", "--threads", "1", "--no-bandwidth", "--output",
                            "program")
        self.assertEqual(done.returncode, 0, done.stderr)
        python = knudsen.Case(case)
        run = python.run("python", bandwidth=False)
        self.assertEqual(contents("python"), contents("program"))
        self.assertEqual(run.step, case["stop"]["steps"])

        with python.simulation() as sim:
            sim.advance(1)
            sim.advance(2, changes=True)
            sim.save("early.h5")
            while sim.step < run.step:
                sim.advance(min(3, run.step - sim.step))
            sim.save("late.h5")
            fields = dict(sim.fields)
        # A run stores besides the monitors of its criteria at the latest check, of which there
        # are none.
        self.assertEqual(pathlib.Path("late.h5").read_bytes(),
                         pathlib.Path(run.checkpoint).read_bytes())
        if h5py:
            stored = run.fields()
            self.assertEqual(stored.step, run.step)
            for name, values in stored.items():
                given = fields[name]
                if given.shape != values.shape:  # a third component of 0
                    self.assertFalse(values[..., given.shape[-1]:].any())
                    values = values[..., :given.shape[-1]]
                self.assertEqual(given.dtype, values.dtype)
                numpy.testing.assert_array_equal(given, values, name)

        # From the early checkpoint the program and Python go on with the same bits.
        done = self.program("run", "case.json", "--no-bandwidth", "--output", "continued",
                            "--restart", "early.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        last = f"fields_{run.step:09d}.vtkhdf"
        self.assertEqual(contents("continued")[last], contents("program")[last])
        with python.simulation() as sim:
            sim.load("early.h5")
            sim.advance(run.step - sim.step)
            for name, values in fields.items():
                numpy.testing.assert_array_equal(sim.fields[name], values, name)

    def test_lbm_d2q9(self):
        self.check("lbm_d2q9")

    def test_lbm_d3q27(self):
        self.check("lbm_d3q27")

    def test_bgkw(self):
        self.check("bgkw")

    def test_shakhov(self):
        self.check("shakhov")

    def test_boltzmann(self):
        self.check("boltzmann")

    def test_monitors(self):
        case = knudsen.Case(small(), overrides={"output.series.every": 10})
        series = case.run("results", bandwidth=False).series
        with case.simulation() as sim:
            for i, step in enumerate(series["step"]):
                sim.advance(int(step) - sim.step, changes=True)
                self.assertEqual(sim.monitor("kinetic_energy"), series["kinetic_energy"][i])
                if step:
                    self.assertEqual(sim.monitor("velocity_change"), series["velocity_change"][i])

    def test_restart(self):
        case = knudsen.Case(small())
        whole = case.run("whole", bandwidth=False)
        seen = []

        def stop(progress):
            seen.append(progress)
            return progress.step >= 5

        part = case.run("part", bandwidth=False, progress=stop)
        self.assertEqual(part.stopped_by, "the caller")
        self.assertEqual(seen[-1].step, part.step)
        self.assertLess(part.step, whole.step)
        self.assertIn(f"step {part.step} of 40", seen[-1].text)
        rest = case.run("part", bandwidth=False, restart=part.checkpoint)
        last = f"fields_{whole.step:09d}.vtkhdf"
        self.assertEqual(contents("part")[last], contents("whole")[last])
        self.assertEqual(rest.step, whole.step)


class Cases(InDirectory):
    def program_says(self, case, *words):
        """What the program says of a bad case."""
        pathlib.Path("case").write_text(json.dumps(case))
        done = self.program("validate", "case", *words)
        self.assertEqual(done.returncode, 2, done.stdout)
        return done.stderr.split("knudsen: error: ", 1)[1].strip()

    def expect_same_text(self, case):
        text = self.program_says(case)
        with self.raises(knudsen.InputError, text):
            knudsen.Case(case)
        with self.raises(knudsen.InputError, text):
            knudsen.Case("case")
        with self.assertRaises(ValueError):
            knudsen.Case(**case)

    def test_errors_are_those_of_the_program(self):
        self.expect_same_text(small(fluid={"reynolds": -5, "velocity": 0.05}))
        self.expect_same_text(small(fluid={"reynold": 50, "velocity": 0.05}))
        self.expect_same_text({**small(), "method": "lbm_d2q8"})
        self.expect_same_text({**small(), "method": "a\nb\x1b[1m"})
        self.expect_same_text(small(stopp={"steps": 1}))
        self.expect_same_text(small(domain={"nodes": [24, 20, 3]}))
        self.expect_same_text({})

    def test_errors_of_overrides(self):
        for key in ("fluid.reynolds.x", "domain.nodes[7]", "fluid..x"):
            text = self.program_says(small(), "--set", f"{key}=1")
            with self.raises(knudsen.InputError, text):
                knudsen.Case(small(), overrides={key: 1})

    def test_errors_of_files(self):
        for name, text in (("none.json", "none.json: no such file"), (".", ".: is a directory")):
            with self.raises(knudsen.InputError, text):
                knudsen.Case(name)
        pathlib.Path("broken.json").write_text('{\n  "method": "lbm_d2q9",\n  "domain" [1]\n}')
        with self.raises(knudsen.InputError, "broken.json:3:12: "):
            knudsen.Case(pathlib.Path("broken.json"))

    def test_more_memory_than_there_is(self):
        case = knudsen.Case(small(domain={"nodes": [46000, 46000]}))
        try:
            needed = case.validate()["memory_bytes"]
            self.skipTest(f"this machine has {needed} bytes")
        except knudsen.InputError:
            pass
        for call in (case.validate, case.run, case.simulation):
            with self.raises(knudsen.InputError, "case: needs", "of memory"):
                call()

    def test_sources(self):
        blocks = small()
        pathlib.Path("case.json").write_text(json.dumps(blocks))
        cases = [knudsen.Case(blocks), knudsen.Case(**blocks), knudsen.Case("case.json"),
                 knudsen.Case(pathlib.Path("case.json")), knudsen.Case(b"case.json"),
                 knudsen.Case({"title": "Other"}, **blocks)]
        for case in cases:
            self.assertEqual(case.json, blocks)
            self.assertEqual(case.digest, cases[0].digest)
        self.assertEqual(cases[2].name, "case.json")
        self.assertEqual(cases[2].output_directory, "results/case")
        self.assertEqual(cases[0].title, "Small cavity")
        self.assertEqual(repr(cases[0]), "<knudsen.Case case: lbm_d2q9>")
        changed = knudsen.Case("case.json", precision="single",
                               overrides={"fluid.reynolds": 40, "domain.nodes[0]": 30})
        self.assertEqual((changed.json["precision"], changed.json["fluid"]["reynolds"],
                          changed.json["domain"]["nodes"]), ("single", 40, [30, 20]))

    def test_values_of_numpy(self):
        case = knudsen.Case(small(), domain={"nodes": numpy.array([30, 20])},
                            overrides={"fluid.reynolds": numpy.float64(40)})
        self.assertEqual(case.json["domain"]["nodes"], [30, 20])
        self.assertEqual(case.json["fluid"]["reynolds"], 40)

    def test_values_that_no_case_has(self):
        for value, text in ((float("nan"), "found nan, must be finite"), ({1}, "found a set"),
                            ({1: 2}, "found the key 1"), (1j, "found a complex"),
                            (numpy.array([1, numpy.inf]), "found inf")):
            with self.raises(knudsen.InputError, "case: fluid", text):
                knudsen.Case(small(), fluid={"reynolds": value})
        with self.raises(knudsen.InputError, "source: found a int"):
            knudsen.Case(3)
        nested = []
        nested.append(nested)
        with self.raises(knudsen.InputError, "nested more than 100"):
            knudsen.Case(small(), fluid=nested)

    def test_warnings(self):
        fast = small(fluid={"reynolds": 50, "velocity": 0.1})
        with self.assertWarnsRegex(UserWarning, "Mach number 0.1732"):
            case = knudsen.Case(fast)
        self.assertEqual(len(case.warnings), 1)

    def test_validate(self):
        pathlib.Path("case.json").write_text(json.dumps(small()))
        done = self.program("validate", "case.json", "--json")
        told = json.loads(done.stdout)
        found = knudsen.Case("case.json").validate()
        for key in told:
            if key != "memory_free_bytes":
                self.assertEqual(found[key], told[key], key)
        self.assertEqual(found["sizes"]["nodes"], 480)
        self.assertGreater(found["memory_bytes"], 480 * 9 * 8)
        self.assertGreaterEqual(found["bytes_per_step"], 480 * 18 * 8)
        self.assertIn("velocity", [each["name"] for each in found["fields"]])
        self.assertIn("mass", [each["name"] for each in found["monitors"]])
        self.assertRegex(str(found), r"Reynolds number +50\b")
        self.assertRegex(found._repr_html_(), "<table>.*Reynolds number</th>.*50.*</table>")
        escaped = knudsen.Case(small(title="<b>&")).validate()._repr_html_()
        self.assertIn("&lt;b&gt;&amp;", escaped)
        self.assertFalse(pathlib.Path("results").exists())

    def test_schema(self):
        schema = knudsen.schema()
        self.assertEqual(schema, json.loads(self.program("schema").stdout))


class Stepping(InDirectory):
    def test_fields(self):
        shapes = {"lbm_d2q9": (1, 20, 24), "lbm_d3q27": (8, 10, 12), "boltzmann": (1, 1, 10)}
        for method, shape in shapes.items():
            case = knudsen.Case(small(method))
            components = {each["name"]: each["components"] for each in case.validate()["fields"]}
            single = case.validate()["precision"] == "single"
            with case.simulation() as sim:
                self.assertEqual(list(sim.fields), list(components))
                self.assertIn("velocity", sim.fields)
                for name, values in sim.fields.items():
                    several = components[name] > 1
                    self.assertEqual(values.shape, shape + (components[name],) * several)
                    self.assertEqual(values.dtype, numpy.float32 if single else numpy.float64)

    def test_fields_are_copies(self):
        with knudsen.Case(small()).simulation() as sim:
            sim.advance(5)
            kept = sim.fields["velocity"]
            before = kept.copy()
            sim.advance(5)
            numpy.testing.assert_array_equal(kept, before)
            self.assertTrue((sim.fields["velocity"] != kept).any())
            kept[:] = 0  # the simulation does not notice
            sim.advance(1)
        kept[:] = 1  # nor does closing it take the array

    def test_callbacks(self):
        seen = []
        with knudsen.Case(small()).simulation() as sim:
            self.assertEqual(sim.advance(3), 3)
            reached = sim.advance(20, every=4, callback=lambda each: seen.append(each.step))
            self.assertEqual((reached, seen), (23, [4, 8, 12, 16, 20]))
            reached = sim.advance(1000, every=10, callback=lambda each: each.step >= 50)
            self.assertEqual(reached, 50)
            known = []
            sim.advance(10, every=5, changes=True,
                        callback=lambda each: known.append(each.monitor("velocity_change")))
            self.assertTrue(all(0 < each < 1 for each in known) and len(known) == 2)

            def fail(each):
                raise KeyError("mine")

            with self.assertRaisesRegex(KeyError, "mine"):
                sim.advance(10, every=5, callback=fail)
            self.assertEqual(sim.step, 65)
            with self.raises(knudsen.UsageError, "by the callback of the same"):
                sim.advance(10, every=5, callback=lambda each: each.advance(1))
            sim.advance(1)

    def test_several_at_once(self):
        one, two = knudsen.Case(small()).simulation(), knudsen.Case(small("bgkw")).simulation()
        for _ in range(5):
            one.advance(8)
            two.advance(4)
        with knudsen.Case(small()).simulation() as alone:
            alone.advance(40)
            numpy.testing.assert_array_equal(alone.fields["velocity"], one.fields["velocity"])
        two.close()
        self.assertEqual(one.advance(), 41)
        one.close()

    def test_results(self):
        with knudsen.Case(small()).simulation() as sim:
            sim.advance(10)
            results = sim.results()
        self.assertTrue(results)
        self.assertTrue(all(isinstance(value, str) for value in results.values()))

    def test_divergence(self):
        case = knudsen.Case(unstable())
        with self.raises(knudsen.RunError, "diverged: step ", "the state was sound at step "):
            case.run("results", bandwidth=False)
        sim = case.simulation()
        with self.raises(knudsen.RunError, "diverged: step ", "the state was sound at step "):
            sim.advance(20000)
        self.assertEqual(sim.step % 100, 0)  # where the program looks, too
        for call in (sim.advance, sim.results, lambda: sim.fields["velocity"],
                     lambda: sim.monitor("mass"), lambda: sim.save("x.h5"),
                     lambda: sim.load("x.h5"), lambda: sim.fields.on_device("velocity"),
                     lambda: sim.set_fields(density=numpy.ones((1, 20, 24)))):
            with self.raises(knudsen.RunError, "has failed before: diverged"):
                call()
        self.assertFalse(pathlib.Path("x.h5").exists())
        sim.close()

    def test_divergence_is_found_before_values_are_given(self):
        case = unstable()
        case["stop"]["check_every"] = 1000000
        with knudsen.Case(case).simulation() as sim:
            sim.advance(20000)  # not yet looked at
            with self.raises(knudsen.RunError, "diverged: step 20000"):
                sim.fields["velocity"]

    def test_checkpoints(self):
        case = knudsen.Case(small())
        with case.simulation() as sim:
            sim.advance(10)
            sim.save("a.h5")
            sim.save("a.h5")  # a checkpoint may be replaced
            pathlib.Path("mine.h5").write_text("mine")
            with self.raises(knudsen.InputError, "mine.h5: exists and was not written by knudsen"):
                sim.save("mine.h5")
            with self.raises(knudsen.RunError, "none/a.h5"):
                sim.save("none/a.h5")
            with self.raises(knudsen.InputError, "none.h5"):
                sim.load("none.h5")
            with self.raises(knudsen.InputError, "mine.h5"):
                sim.load("mine.h5")
            pathlib.Path("several").mkdir()
            sim.save("several/checkpoint_1.h5")
            sim.advance(10)
            sim.load("several")  # the newest one in a directory
            self.assertEqual(sim.step, 10)
        with knudsen.Case(small(), overrides={"fluid.reynolds": 40}).simulation() as other:
            with self.raises(knudsen.InputError, "belongs to another case"):
                other.load("a.h5")
            other.advance(1)

    def test_damaged_checkpoint(self):
        with knudsen.Case(small()).simulation() as sim:
            sim.save("a.h5")
            data = bytearray(pathlib.Path("a.h5").read_bytes())
            data[len(data) // 2] ^= 1
            pathlib.Path("a.h5").write_bytes(data)
            with self.raises(knudsen.InputError, "a.h5"):
                sim.load("a.h5")


class GivenFields(InDirectory):
    """States that are set from arrays."""

    def names(self, method):
        return {"lbm_d2q9": ["density", "velocity"], "lbm_d3q27": ["density", "velocity"],
                "boltzmann": ["density_deviation", "velocity", "temperature_deviation"]
                }.get(method, ["density", "velocity", "temperature"])

    def test_they_are_the_fields_then(self):
        for method in CASES:
            with self.subTest(method), knudsen.Case(small(method)).simulation() as sim:
                sim.advance(3)
                given = {name: sim.fields[name] for name in self.names(method)}
                sim.set_fields(**given)
                self.assertEqual(sim.step, 0)
                # Lattices to rounding, gases as well as a sum over few velocities is an integral.
                allowed = 4e-3 if method in ("bgkw", "shakhov", "boltzmann") else 1e-6
                for name, values in given.items():
                    apart = numpy.nanmax(numpy.abs(sim.fields[name] - values))
                    self.assertLess(apart, allowed, f"{method} {name}")
                sim.advance(3)
                self.assertTrue(numpy.isfinite(sim.monitor("mass" if method != "boltzmann"
                                                           else "mass_deviation")))

    def test_the_same_start_has_the_same_bits(self):
        """Of arrays in any order and type, in a simulation that has run or has not."""
        for method in CASES:
            with self.subTest(method):
                case = knudsen.Case(small(method))
                with case.simulation() as one, case.simulation() as other:
                    shape = one.fields["velocity"].shape
                    velocity = 0.02 * numpy.sin(numpy.arange(numpy.prod(shape))).reshape(shape)
                    velocity = velocity.astype(numpy.float32)
                    other.advance(3)
                    one.set_fields(velocity=velocity)
                    other.set_fields(velocity=numpy.asfortranarray(velocity.astype(float)))
                    for sim in (one, other):
                        sim.advance(4)
                    numpy.testing.assert_array_equal(one.fields["velocity"], other.fields["velocity"])

    def test_in_si_units(self):
        case = knudsen.Case(
            method="bgkw", precision="double", domain={"cells": [6, 5], "size": [1, 1]},
            gas={"name": "argon", "si": {"pressure": 20, "temperature": 320, "length": 1e-3}},
            velocity_grid={"count": [8, 8, 8], "minimum": [-4, -4, -4], "maximum": [4, 4, 4]},
            boundaries={"south": {"type": "wall"}, "north": {"type": "wall", "temperature": 1.1}},
            stop={"steps": 10})
        speed = (2 * 1.380649e-23 * 320 / 66.3e-27) ** 0.5
        units = {"density": 2 * 20 / speed**2, "velocity": speed, "temperature": 320}
        with case.simulation() as one, case.changed({"output.units": "si"}).simulation() as other:
            one.advance(4)
            given = {name: one.fields[name] for name in units}
            one.set_fields(**given)
            other.set_fields(**{name: values * units[name] for name, values in given.items()})
            for sim in (one, other):
                sim.advance(3)
            for name, unit in units.items():
                numpy.testing.assert_allclose(other.fields[name], one.fields[name] * unit, rtol=1e-9,
                                              atol=1e-12 * unit)
            self.assertAlmostEqual(other.monitor("north.force_y") / one.monitor("north.force_y"), 20)

    def test_deviations_in_si_units(self):
        case = knudsen.Case(small("boltzmann", gas={"name": "argon", "si": {
            "pressure": 1000, "temperature": 300, "length": 1e-6}}, output={"units": "si"}))
        with case.simulation() as sim:
            for name, value in (("density_deviation", 1e-4), ("temperature_deviation", 2.0)):
                given = numpy.full_like(sim.fields[name], value)
                sim.set_fields(**{name: given})
                numpy.testing.assert_allclose(sim.fields[name], given, rtol=2e-3)
                with self.raises(knudsen.InputError, f"field \"{name}\": found -1000 in", "must be above -"):
                    sim.set_fields(**{name: 0 * given - 1000})

    def test_lattice_in_si_units(self):
        case = knudsen.Case(
            method="lbm_d2q9", precision="double", domain={"size": [0.012, 0.01], "spacing": 1e-3},
            fluid={"name": "air", "si": {"velocity": 0.05, "time_step": 1e-3}},
            collision={"operator": "trt", "acceleration": [0.5, 0]},
            boundaries={"south": {"type": "wall"}, "north": {"type": "wall"}},
            stop={"time": 0.02, "check_every": 10},
            output={"fields": {"quantities": ["velocity", "pressure"]}})
        units = {each["name"]: each["unit"] for each in case.validate()["fields"]}
        self.assertEqual([units[name] for name in ("density", "pressure", "velocity", "vorticity")],
                         ["kg/m^3", "Pa", "m/s", "1/s"])
        with case.simulation() as sim:
            velocity = numpy.full((1, 10, 12, 2), [0.02, 0.01])
            sim.set_fields(velocity=velocity, density=numpy.full((1, 10, 12), 1.2041))
            numpy.testing.assert_allclose(sim.fields["velocity"], velocity, atol=1e-15)
            numpy.testing.assert_allclose(sim.fields["density"], 1.2041, rtol=1e-14)
            numpy.testing.assert_allclose(sim.fields["pressure"], 0, atol=1e-12)
            self.assertAlmostEqual(sim.monitor("mass"), 1.2041 * 0.012 * 0.01)
            on_device = numpy.from_dlpack(sim.fields.on_device("velocity"))
            numpy.testing.assert_array_equal(on_device, sim.fields["velocity"])
            sim.advance(1)
            # The acceleration in m/s^2, in a millisecond.
            self.assertAlmostEqual(sim.fields["velocity"][0, 5, 6, 0], 0.02 + 0.5 * 1e-3, delta=2e-5)
        found = case.run("si", bandwidth=False)
        self.assertIn("Reynolds number", found.summary)
        if h5py is not None:
            self.assertEqual(found.fields().unit("velocity"), "m/s")
            self.assertEqual(found.fields().unit("pressure"), "Pa")

    def test_an_exact_solution_goes_on(self):
        """A decaying vortex taken over in the middle is where it would be, stress included."""
        for method, nodes in (("lbm_d2q9", [32, 32]), ("lbm_d3q27", [32, 32, 1])):
            case = knudsen.Case(
                method=method, precision="double", domain={"nodes": nodes},
                fluid={"relaxation_time": 0.8},
                initial={"type": "taylor-green", "amplitude": 0.02, **(
                    {"wave_numbers": [1, 1, 0]} if method == "lbm_d3q27" else {})},
                stop={"steps": 400, "check_every": 100})
            with self.subTest(method), case.simulation() as sim, case.simulation() as later:
                sim.advance(200)
                later.set_fields(density=sim.fields["density"], velocity=sim.fields["velocity"])
                sim.advance(200)
                later.advance(200)
                end = sim.fields["velocity"]
                apart = numpy.abs(later.fields["velocity"] - end).max() / numpy.abs(end).max()
                self.assertLess(apart, 1e-3)

    def test_values_in_solids_have_no_meaning(self):
        grains = numpy.zeros((8, 8, 8), dtype=bool)
        grains[2:5, 2:5, 2:5] = True
        case = knudsen.Case(
            method="lbm_d3q27", domain={"nodes": [8, 8, 8]}, fluid={"relaxation_time": 0.8},
            geometry={"solids": [knudsen.voxels(grains, "grains.nrrd", name="grains")]},
            stop={"steps": 5, "check_every": 5})
        ends = []
        for inside in (numpy.nan, 0, 7):
            with case.simulation() as sim:
                velocity = numpy.full((8, 8, 8, 3), 0.01)
                velocity[grains] = inside
                sim.set_fields(velocity=velocity)
                sim.advance(5)
                ends.append(sim.fields["velocity"])
        numpy.testing.assert_array_equal(ends[0], ends[1])
        numpy.testing.assert_array_equal(ends[0], ends[2])

    def test_faults(self):
        class OnDevice:
            __cuda_array_interface__ = {}

        with knudsen.Case(small("lbm_d2q9")).simulation() as sim:
            sim.advance(2)
            shape = sim.fields["density"].shape
            one = numpy.ones(shape)
            nothing = one.copy()
            nothing[0, 2, 3] = 0
            before = sim.fields["velocity"]
            for fields, message in (
                    ({"speed": one}, "field 'speed': cannot be set, must be one of 'density', "
                                     "'velocity'"),
                    ({"velocity": one}, f"field 'velocity': found an array of shape {shape}, must be "
                                        f"{(*shape, 2)}"),
                    ({"density": one.astype(str)}, "field 'density': found values of type <U32, must "
                                                   "be real numbers"),
                    ({"density": one * 1j}, "field 'density': found values of type complex128, must "
                                            "be real numbers"),
                    ({"density": OnDevice()}, "field 'density': found an array on a device, must be "
                                              "one on the host, such as cupy.asnumpy makes of it"),
                    ({"density": numpy.ma.masked_less(nothing, 1)},
                     "field 'density': found masked values, must have a number in each place, such "
                     "as `filled` puts there"),
                    ({"density": one[:, ::2]}, f"field 'density': found an array of shape (1, 10, 24), "
                                               f"must be {shape}"),
                    ({"density": one.T}, f"field 'density': found an array of shape (24, 20, 1), must "
                                         f"be {shape}"),
                    ({"density": 1.0}, f"field 'density': found an array of shape (), must be {shape}"),
                    ({"density": None}, "field 'density': found values of type object, must be real "
                                        "numbers"),
                    ({"density": one > 0}, "field 'density': found values of type bool, must be real "
                                           "numbers"),
                    ({"density": nothing}, 'field "density": found 0 in node (3, 2), must be '
                                           "positive"),
                    ({"velocity": numpy.full((*shape, 2), 0.4)},
                     "field velocity in node (0, 0): speed 0.5656854 is Mach number 0.9798, must be at "
                     "most 0.3 (the lattice's speed of sound is 0.5774)"),
                    ({"density": 20 * one},
                     "field density in node (0, 0): density 20 (at rest it is 1), must be between 0.01 "
                     "and 10 times it"),
                    ({"velocity": numpy.full((*shape, 2), numpy.inf)},
                     'field "velocity": found inf in node (0, 0), must be finite')):
                with self.subTest(fields), self.assertRaises(knudsen.InputError) as raised:
                    sim.set_fields(**fields)
                self.assertEqual(str(raised.exception), message)
            with self.raises(knudsen.InputError, "field 'density': cannot be made an array: "):
                sim.set_fields(density=[[1, 2], [3]])
            self.assertEqual(sim.step, 2)
            numpy.testing.assert_array_equal(sim.fields["velocity"], before)
            with self.assertRaises(knudsen.UsageError):
                sim.advance(2, every=1, callback=lambda each: each.set_fields(density=one))
        with self.assertRaises(knudsen.UsageError):
            sim.set_fields(density=one)


class FieldArrays(InDirectory):
    """Fields that other libraries share without a copy; the last test is that of a GPU."""

    def test_hold_the_values_of_the_fields(self):
        bed = small("lbm_d3q27", geometry={"walls": "half-way", "solids": [
            {"name": "ball", "shape": "sphere", "centre": [6, 5, 4], "radius": 2}]})
        sparse = {**bed, "propagation": {"nodes": "sparse"}}
        body = small("lbm_d2q9", geometry={"solids": [
            {"name": "disc", "shape": "circle", "centre": [12, 10], "radius": 3}]})
        for blocks in (*map(small, CASES), bed, sparse, body):
            with self.subTest(blocks), knudsen.Case(blocks).simulation(backend="host") as sim:
                for _ in range(2):  # both parities of schemes with one array
                    sim.advance(3)
                    for name, values in sim.fields.items():
                        array = sim.fields.on_device(name)
                        self.assertEqual(array.__dlpack_device__(), (1, 0))
                        self.assertEqual((array.shape, array.dtype, array.device),
                                         (values.shape, values.dtype.name, "cpu"))
                        shared = numpy.from_dlpack(array)
                        self.assertEqual(shared.dtype, values.dtype)
                        numpy.testing.assert_array_equal(shared, values, name)

    def test_are_not_copied(self):
        with knudsen.Case(small()).simulation(backend="host") as sim:
            array = sim.fields.on_device("velocity")
            self.assertEqual(repr(array), "<knudsen.FieldArray of shape (1, 20, 24, 2) and float64 on "
                                          "cpu>")
            one, other = numpy.from_dlpack(array), numpy.from_dlpack(array)
            self.assertEqual(one.ctypes.data, other.ctypes.data)
            self.assertFalse(sim.fields["velocity"].flags.owndata)  # it is the library's memory
            self.assertTrue(sim.fields["velocity"].flags.writeable)

    def test_remain_as_they_are(self):
        with knudsen.Case(small()).simulation(backend="host") as sim:
            sim.advance(5)
            kept = numpy.from_dlpack(sim.fields.on_device("velocity"))
            before = kept.copy()
            sim.advance(5)
            unused = sim.fields.on_device("density").__dlpack__()
        numpy.testing.assert_array_equal(kept, before)
        del unused

    def test_memory_is_freed(self):
        case = knudsen.Case(small(domain={"nodes": [500, 500]}, fluid={"reynolds": 50,
                                                                       "velocity": 0.01}))
        with case.simulation(backend="host") as sim:
            def once():
                array = sim.fields.on_device("velocity")  # 4 MB
                array.__dlpack__()
                return numpy.from_dlpack(array), sim.fields["velocity"]

            once()
            before = resident_bytes()
            for _ in range(50):
                once()
            self.assertLess(resident_bytes() - before, 40e6)

    def test_can_be_given_back(self):
        for method in ("lbm_d3q27", "bgkw"):
            with knudsen.Case(small(method)).simulation(backend="host") as one, \
                    knudsen.Case(small(method)).simulation(backend="host") as other:
                one.advance(3)
                one_velocity, array = one.fields["velocity"], one.fields.on_device("velocity")
                one.set_fields(velocity=one_velocity)
                other.set_fields(velocity=array)
                numpy.testing.assert_array_equal(one.fields["velocity"], other.fields["velocity"])

    def test_faults(self):
        class OnDevice:
            def __dlpack_device__(self):
                return 2, 0

        with knudsen.Case(small()).simulation(backend="host") as sim:
            with self.raises(knudsen.InputError, 'field "velocty"', 'did you mean "velocity"?'):
                sim.fields.on_device("velocty")
            array = sim.fields.on_device("velocity")
            for words, text in (({"stream": 1}, "stream: must be None for an array on the host"),
                                ({"dl_device": (2, 0)}, "dl_device: the array is on cpu"),
                                ({"copy": True}, "copy: the array is shared, not copied")):
                with self.raises(BufferError, text):
                    array.__dlpack__(**words)
            array.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False)
            with self.raises(knudsen.InputError, "field 'velocity': found an array on a device"):
                sim.set_fields(velocity=OnDevice())
        with self.raises(knudsen.UsageError, "the simulation is closed"):
            sim.fields.on_device("velocity")

    def test_on_a_gpu(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("CuPy is not installed")
        for method in CASES:
            try:
                sim = knudsen.Case(small(method)).simulation(backend="device")
            except knudsen.InputError as error:
                self.skipTest(str(error))
            with self.subTest(method), sim:
                sim.advance(3)
                for name, values in sim.fields.items():
                    array = sim.fields.on_device(name)
                    kind, number = array.__dlpack_device__()
                    self.assertEqual((kind, array.device), (2, f"cuda:{number}"))
                    shared = cupy.from_dlpack(array)
                    self.assertEqual(shared.device.id, number)
                    at = cupy.cuda.runtime.pointerGetAttributes(shared.data.ptr)
                    self.assertEqual((at.type, at.device), (2, number))  # memory of that GPU
                    numpy.testing.assert_array_equal(cupy.asnumpy(shared), values, name)
                with self.raises(knudsen.InputError, "found an array on a device"):
                    sim.set_fields(velocity=sim.fields.on_device("velocity"))
                sim.advance(3)


class WrongUse(InDirectory):
    def test_names(self):
        with knudsen.Case(small()).simulation() as sim:
            with self.raises(knudsen.InputError, 'field "velocty"', 'did you mean "velocity"?'):
                sim.fields["velocty"]
            with self.raises(knudsen.InputError, 'monitor "mas"', 'did you mean "mass"?'):
                sim.monitor("mas")
            with self.raises(knudsen.InputError, 'monitor "velocity_change"', "was not kept"):
                sim.monitor("velocity_change")
            self.assertNotIn("velocty", sim.fields)
        case = knudsen.Case(small())
        for call in (case.validate, case.simulation, case.run):
            with self.raises(knudsen.InputError, '"gpu"'):
                call(backend="gpu")

    def test_numbers(self):
        with knudsen.Case(small()).simulation() as sim:
            with self.raises(knudsen.InputError, "steps: found -1, must be at least 0"):
                sim.advance(-1)
            self.assertEqual(sim.advance(0), 0)
            for steps in (1.5, "3", None):
                with self.raises(TypeError):
                    sim.advance(steps)
            self.assertEqual(sim.advance(numpy.int64(2)), 2)
            for words in ({"every": 5}, {"callback": print}, {"every": -1, "callback": print}):
                with self.raises(knudsen.InputError, "every: found"):
                    sim.advance(5, **words)

    def test_after_close(self):
        sim = knudsen.Case(small()).simulation()
        fields = sim.fields
        sim.close()
        sim.close()
        self.assertEqual(repr(sim), "<knudsen.Simulation, closed>")
        for call in (sim.advance, sim.results, lambda: sim.step, lambda: fields["velocity"],
                     lambda: list(fields), lambda: sim.monitor("mass"), lambda: sim.save("a.h5"),
                     lambda: sim.load("a.h5"), lambda: fields.on_device("velocity"),
                     lambda: sim.set_fields(density=numpy.ones((1, 20, 24)))):
            with self.raises(knudsen.UsageError, "the simulation is closed"):
                call()

    def test_from_another_thread(self):
        case = knudsen.Case(small())
        errors = []
        with case.simulation() as sim:
            calls = [sim.advance, lambda: sim.step, sim.close, lambda: knudsen.Case(small()),
                     case.run, case.validate, case.simulation, lambda: sim.fields["velocity"],
                     lambda: list(sim.fields), lambda: sim.fields.on_device("velocity"),
                     lambda: sim.monitor("mass"), sim.results, lambda: sim.save("a.h5"),
                     lambda: sim.load("a.h5"), lambda: sim.set_fields(density=[1]), knudsen.start,
                     lambda: knudsen.sweep(case, {"fluid.reynolds": [1]})]

            def work():
                for call in calls:
                    try:
                        call()
                    except knudsen.UsageError as error:
                        errors.append(str(error))

            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            self.assertEqual(len(errors), len(calls))
            self.assertTrue(all("another thread" in error for error in errors))
            sim.advance()

    def test_other_threads_run_meanwhile(self):
        count = [0]
        done = threading.Event()

        def work():
            while not done.wait(0.005):
                count[0] += 1

        big = small(domain={"nodes": [400, 400]}, fluid={"reynolds": 50, "velocity": 0.01})
        with knudsen.Case(big).simulation() as sim:
            thread = threading.Thread(target=work)
            thread.start()
            began = time.monotonic()
            while time.monotonic() - began < 1:
                sim.advance(20)
            done.set()
            thread.join()
        self.assertGreater(count[0], 20)

    def test_within_a_run(self):
        case = knudsen.Case(small())
        with case.simulation() as sim:
            for call in (sim.advance, lambda: case.run("inner"), case.simulation):
                with self.raises(knudsen.UsageError, "while a run or another call"):
                    case.run("outer", bandwidth=False, progress=lambda _, call=call: call())
            sim.advance()

    def test_within_a_handler_of_a_signal(self):
        told = []
        with knudsen.Case(small()).simulation() as sim:
            def handle(*_):
                for call in (sim.close, sim.advance, lambda: sim.fields["velocity"]):
                    try:
                        call()
                    except knudsen.UsageError as error:
                        told.append(str(error))
                raise KeyError("mine")

            self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, handle))
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaisesRegex(KeyError, "mine"):
                sim.advance(ENDLESS)
            self.assertEqual(len(told), 3)
            self.assertIn("while a run or another call", told[0])
            sim.advance()

    def test_errors_of_runs(self):
        case = knudsen.Case(small())
        with self.raises(knudsen.InputError, "output: is empty"):
            case.run("")
        with self.raises(knudsen.InputError, "restart: is empty"):
            case.run(restart="")
        with self.raises(knudsen.InputError, "none given", "needs at least one"):
            case.run("results", require_convergence=True)
        pathlib.Path("results").mkdir()
        pathlib.Path("results/series.csv").write_text("mine")
        with self.raises(knudsen.InputError, "series.csv"):
            case.run("results", bandwidth=False)
        strict = small()
        strict["stop"]["criteria"] = [{"quantity": "velocity_change", "tolerance": 1e-9}]
        with self.raises(knudsen.RunError, "stop.criteria were not met by step 40"):
            knudsen.Case(strict).run("strict", bandwidth=False, require_convergence=True)
        with self.assertWarnsRegex(UserWarning, "stop.criteria were not met"):
            run = knudsen.Case(strict).run("strict", bandwidth=False)
        self.assertIs(run.converged, False)

    def test_progress_that_raises(self):
        def fail(_):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            knudsen.Case(small()).run("results", bandwidth=False, progress=fail)
        self.assertEqual(len(list(pathlib.Path("results").glob("checkpoint_*.h5"))), 1)
        knudsen.Case(small()).run("results", bandwidth=False)

    def test_threads(self):
        knudsen.start()
        with self.raises(knudsen.UsageError, "threads: knudsen runs already with"):
            knudsen.start(threads=100)
        with self.raises(knudsen.InputError, "threads: found -1"):
            knudsen.start(threads=-1)
        with self.raises(knudsen.UsageError, "gpu: knudsen runs already", "in another process"):
            knudsen.start(gpu=99)
        knudsen.start()

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_after_a_fork(self):
        case = knudsen.Case(small())
        with case.simulation():
            child = os.fork()
            if child == 0:
                try:
                    case.simulation()
                except knudsen.UsageError as error:
                    os._exit(3 if "forked" in str(error) else 4)
                os._exit(5)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 3)

    def test_base_classes(self):
        self.assertTrue(issubclass(knudsen.InputError, (knudsen.Error, ValueError)))
        for kind in (knudsen.RunError, knudsen.UsageError):
            self.assertTrue(issubclass(kind, knudsen.Error) and issubclass(kind, RuntimeError))


class Processes(InDirectory):
    """What happens to a process as a whole: signals, ends."""

    def start(self, code, **options):
        header = f"import knudsen, json, os, sys\ncase = json.loads({json.dumps(small())!r})\n"
        pathlib.Path("code.py").write_text(header + textwrap.dedent(code))
        return subprocess.Popen([sys.executable, "-B", "code.py"], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def end(self, process, code=0):
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, errors)
        return out, errors

    def run_code(self, code, **options):
        return self.end(self.start(code, **options))

    def test_ctrl_c_in_advance(self):
        process = self.start(f"""
            sim = knudsen.Case(case).simulation()
            print("ready", flush=True)
            try:
                sim.advance({ENDLESS})
            except KeyboardInterrupt:
                print("stopped")
            step = sim.step
            assert sim.advance(2) == step + 2
            sim.fields["velocity"]
            sim.fields.on_device("velocity")
            sim.save("a.h5")
            sim.load("a.h5")
            sim.set_fields(velocity=sim.fields["velocity"])
            assert sim.step == 0
            """)
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.end(process)[0], "stopped\n")

    def test_ctrl_c_in_steps(self):
        process = self.start(f"""
            sim = knudsen.Case(case).simulation()
            print("ready", flush=True)
            try:
                sim.advance({ENDLESS}, every=10, callback=lambda each: None)
            except KeyboardInterrupt:
                print("stopped")
            """)
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.end(process)[0], "stopped\n")

    RUN = f"""
        case["stop"]["steps"] = {ENDLESS}
        def told(progress):
            if progress.step > 100 and not told.said:
                told.said = print("ready", flush=True) or True
        told.said = False
        try:
            knudsen.Case(case).run("results", bandwidth=False, progress=told)
        except KeyboardInterrupt:
            print("stopped")
        case["stop"]["steps"] = 40
        again = knudsen.Case(case).run("again", bandwidth=False)
        assert (again.step, again.stopped_by) == (40, "all steps are done")
        """

    def test_ctrl_c_in_a_run(self):
        process = self.start(self.RUN)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.end(process)[0], "stopped\n")
        self.assertEqual(len(list(pathlib.Path("results").glob("checkpoint_*.h5"))), 1)
        self.assertEqual(list(pathlib.Path("results").glob("*.tmp-*")), [])

    def test_sigterm_in_a_run(self):
        process = self.start(self.RUN)
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        self.end(process, -signal.SIGTERM)
        self.assertEqual(len(list(pathlib.Path("results").glob("checkpoint_*.h5"))), 1)

    def test_end_with_open_simulations(self):
        out, errors = self.run_code("""
            one = knudsen.Case(case).simulation()
            kept = one.fields["velocity"]
            one.myself = one  # a cycle
            import atexit
            class Late:
                def __del__(self):
                    try:
                        knudsen.Case(case)
                    except knudsen.UsageError as error:
                        print(error)
            late = Late()
            """)
        self.assertEqual(errors, "")

    def test_end_while_a_thread_computes(self):
        self.run_code(f"""
            import threading, time
            def work():
                knudsen.Case(case).simulation().advance({ENDLESS})
            threading.Thread(target=work, daemon=True).start()
            time.sleep(0.5)
            """)

    def test_end_with_an_error(self):
        process = self.start("""
            sim = knudsen.Case(case).simulation()
            sim.advance(3)
            sys.exit(7)
            """)
        self.assertEqual(self.end(process, 7), ("", ""))

    def test_first_use_in_another_thread(self):
        out, errors = self.run_code("""
            import threading
            def work():
                sim = knudsen.Case(case).simulation()
                print(sim.advance(5))
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            """)
        self.assertEqual((out, errors), ("5\n", ""))

    def test_threads(self):
        out, _ = self.run_code("""
            knudsen.start(threads=1)
            report = knudsen.Case(case).run("results", bandwidth=False).report
            print(report["threads"])
            """)
        self.assertEqual(out, "1\n")
        out, _ = self.run_code("""
            try:
                knudsen.start(threads=100000)
            except knudsen.InputError as error:
                print(error)
            """)
        self.assertIn("100000", out)

    def test_module_of_another_python(self):
        package = pathlib.Path(knudsen.__file__).parent
        shutil.copytree(package, "other/knudsen", ignore=shutil.ignore_patterns("*.so"))
        pathlib.Path("other/knudsen/_knudsen.cpython-399-x86_64-linux-gnu.so").touch()
        done = subprocess.run([sys.executable, "-B", "-c", "import knudsen"], text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": "other"}, timeout=60)
        self.assertIn("has no module for Python ", done.stderr)
        self.assertIn("but _knudsen.cpython-399-x86_64-linux-gnu.so; start the Python", done.stderr)

    def test_threads_sleep_while_they_wait(self):
        """Unless the user has chosen otherwise. libgomp prints what it was told."""
        code = "print([key for key in os.environ if 'WAIT' in key or 'SPIN' in key])"
        told = {key: value for key, value in os.environ.items()
                if key not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
        for given, policy in (({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "active"}, "ACTIVE")):
            out, errors = self.run_code(code, env={**told, "OMP_DISPLAY_ENV": "true", **given})
            if "OPENMP DISPLAY ENVIRONMENT BEGIN" not in errors:
                self.skipTest("the module does not use libgomp")
            self.assertIn(f"OMP_WAIT_POLICY = '{policy}'", errors)
            self.assertEqual(out.strip(), str(list(given)))

    def test_gpu_that_is_not_there(self):
        out, _ = self.run_code("""
            for gpu in (-1, 99):
                try:
                    knudsen.start(gpu=gpu)
                except knudsen.InputError as error:
                    print(error)
            knudsen.Case(case)  # it can still start
            """)
        self.assertEqual(len(out.splitlines()), 2)
        self.assertIn("gpu: found 99, must be ", out)

    def test_progress_line(self):
        _, errors = self.run_code("""
            import knudsen._case
            line = knudsen._case._ProgressLine
            create = line.__init__
            def at_once(self):
                create(self)
                self._seconds = 0
            line.__init__ = at_once
            knudsen.Case(case).run("results", bandwidth=False, progress=True)
            """)
        self.assertIn("step 40 of 40", errors)

    def test_without_h5py(self):
        out, _ = self.run_code("""
            sys.modules["h5py"] = None
            run = knudsen.Case(case).run("results", bandwidth=False)
            print(len(run.series["step"]))
            try:
                run.fields()
            except ImportError as error:
                print(error)
            """)
        self.assertIn("h5py is needed to read fields", out)


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory(InDirectory):
    """Memory does not grow with the number of runs and simulations."""

    RUNS = int(os.environ.get("KNUDSEN_RUNS", "50"))

    def test_many_runs(self):
        cases = {method: knudsen.Case(small(method)) for method in CASES}

        def once(i):
            method = list(CASES)[i % len(CASES)]
            cases[method].run("results/" + method, bandwidth=False)
            with knudsen.Case(small(method)).simulation() as sim:
                sim.advance(4)
                sim.fields["velocity"]
                sim.save("a.h5")
                sim.load("a.h5")
            with self.assertRaises(knudsen.InputError):
                knudsen.Case(small(method), stop={})
            os.remove("a.h5")

        for i in range(25):
            once(i)
        gc.collect()
        before = resident_bytes()
        for i in range(self.RUNS):
            once(i)
        gc.collect()
        grown = resident_bytes() - before
        print(f"{self.RUNS} runs and simulations: {grown / 1e3:.0f} kB more resident memory",
              file=sys.stderr)
        self.assertLess(grown, 2e6 + 2e3 * self.RUNS)


@needs_h5py
class Sampling(InDirectory):
    """Statistics, probes and spectra are what NumPy makes of the fields of the same steps."""

    FIELDS = {"boltzmann": ["density_deviation", "velocity"], "bgkw": ["temperature", "velocity"],
              "shakhov": ["temperature", "velocity"]}

    def fields_of(self, method):
        return self.FIELDS.get(method, ["density", "velocity"])

    def sampled(self, method, **blocks):
        case = small(method, **blocks)
        scalar, _ = self.fields_of(method)
        case["output"] = {
            "fields": {"every": 1, "quantities": [scalar, "velocity"]},
            "statistics": {"from": 2, "every": 3, "mean": ["velocity", scalar],
                           "rms": ["velocity_y", scalar],
                           "covariance": [["velocity_x", "velocity_y"], [scalar, "velocity_x"]]},
            "probes": [
                {"name": "point", "at": [0.3, 0.6], "quantities": ["velocity", scalar],
                 "spectrum": True},
                {"name": "line", "kind": "line", "begin": [0, 1], "end": [1, 0], "points": 4,
                 "from": 3, "every": 2, "quantities": ["velocity_x"]},
                {"name": "plane", "kind": "plane", "corner": [0.1, 0.2, 0.5],
                 "first": [0.9, 0.3, 0.5], "second": [0.2, 0.8, 0.4], "points": [3, 2],
                 "every": 4, "quantities": ["velocity"]}]}
        return case

    @staticmethod
    def interpolated(values, point):
        """By linear interpolation between cells, constant beyond the outermost centre."""
        for fraction, axis in zip(reversed(point), range(3)):
            count = values.shape[0]
            place = min(max(fraction * count - 0.5, 0), count - 1)
            low = min(int(place), max(count - 2, 0))
            high = min(low + 1, count - 1)
            values = values[low] * (low + 1 - place) + values[high] * (place - low)
        return values

    def check(self, method):
        scalar, _ = self.fields_of(method)
        case = self.sampled(method)
        last = case["stop"]["steps"]
        results = knudsen.Case(case).run("out", bandwidth=False)
        history = {name: numpy.array([results.fields(step)[name] for step in range(last + 1)],
                                     dtype=float) for name in (scalar, "velocity")}
        statistics = results.statistics
        steps = list(range(2, last + 1, 3))
        self.assertEqual(statistics.step, steps[-1])
        self.assertEqual(statistics.fact("samples"), len(steps))
        of_scalar, velocity = history[scalar][steps], history["velocity"][steps]
        scale = abs(velocity).max()

        def near(found, expected, size):
            self.assertEqual(found.shape, expected.shape)
            self.assertLessEqual(abs(found - expected).max(), 1e-13 * size)

        near(statistics["mean_velocity"], velocity.mean(axis=0), scale)
        near(statistics["mean_" + scalar], of_scalar.mean(axis=0), 1)
        near(statistics["rms_velocity_y"], velocity[..., 1].std(axis=0), scale)
        near(statistics["rms_" + scalar] ** 2, of_scalar.var(axis=0), 1e-3)

        def covariance(a, b):
            return ((a - a.mean(axis=0)) * (b - b.mean(axis=0))).mean(axis=0)

        near(statistics["covariance_velocity_x_velocity_y"],
             covariance(velocity[..., 0], velocity[..., 1]), scale ** 2)
        near(statistics[f"covariance_{scalar}_velocity_x"],
             covariance(of_scalar, velocity[..., 0]), scale)

        probes = results.probes
        dimensions = 3 if history[scalar].shape[1] > 1 else 2
        for name, every, begin in (("point", 1, 0), ("line", 2, 3), ("plane", 4, 0)):
            steps = list(range(begin, last + 1, every))
            self.assertEqual(probes[name]["step"].tolist(), steps)
            found = probes[name]["velocity_x" if name == "line" else "velocity"]
            points = {"point": [[0.3, 0.6, 0.5]],
                      "line": [[i / 3, 1 - i / 3, 0.5] for i in range(4)],
                      "plane": [[0.1 + 0.8 * a + 0.1 * b, 0.2 + 0.1 * a + 0.6 * b, 0.5 - 0.1 * b]
                                for a in (0, 0.5, 1) for b in (0, 1)]}[name]
            expected = numpy.array([[self.interpolated(history["velocity"][step], point)
                                     for point in points] for step in steps])
            if name == "line":
                expected = expected[..., 0]
            if dimensions == 2 and name != "line":
                expected = expected[..., :found.shape[-1]]
            near(found, expected.reshape(found.shape), 10 * scale)
        times = probes["point"]["time"]
        interval = times[1]

        samples = probes["point"]["velocity"][:, 0]
        window = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(len(samples)) / len(samples))
        length = 1 << (len(samples) - 1).bit_length()
        density = abs(numpy.fft.rfft(window * (samples - samples.mean()), length)) ** 2 * interval
        density *= 2 / (window ** 2).sum()
        density[[0, -1]] /= 2
        spectrum = results.spectra["point"]
        near(spectrum["velocity_x"], density, density.max())
        near(spectrum["frequency"], numpy.fft.rfftfreq(length, interval), 1 / interval)

    def restart(self, method):
        """A run that is stopped and continued writes the same bytes."""
        case = self.sampled(method, checkpoint={"at_end": True})
        case["output"]["fields"] = {"write": False}
        last = case["stop"]["steps"]
        knudsen.Case(case).run("whole", bandwidth=False)
        for part in (last // 4, last // 2, last):
            case["stop"]["steps"] = part
            knudsen.Case(case).run("parts", bandwidth=False,
                                   restart=None if part == last // 4 else "parts")
        whole, parts = contents("whole"), contents("parts")
        for name in ("statistics.vtkhdf", "probes.h5", "spectrum_point.csv"):
            self.assertEqual(parts[name], whole[name], name)

    def test_averages_beside_the_state(self):
        """Lattices average density, pressure, velocity and temperature beside their populations. With
        another field among them the run takes whole fields, and the averages are the same."""
        heat = {"prandtl": 0.7, "temperature_difference": 1}
        si = {"fluid": {"name": "water", "si": {"velocity": 0.01, "length": 0.01}},
              "domain": {"size": [0.02, 0.013, 0.01], "spacing": 1e-3}}
        lattice = {"domain": {"nodes": [20, 13, 10]}, "fluid": {"relaxation_time": 0.6, "velocity": 0.05}}
        sphere = {"shape": "sphere", "name": "ball", "centre": [7, 6, 5], "radius": 3}
        plane = {"domain": {"nodes": [83, 19]}, "fluid": {"relaxation_time": 0.6, "velocity": 0.05}}
        for name, case, other in (
                ("d3q27", {"method": "lbm_d3q27", **lattice, "geometry": {"solids": [sphere]}}, "stress"),
                ("sparse", {"method": "lbm_d3q27", **lattice, "geometry": {"solids": [sphere]},
                            "propagation": {"nodes": "sparse"}, "precision": "half-storage"}, "stress"),
                ("si", {"method": "lbm_d3q27", **si, "precision": "double"}, "stress"),
                ("heat", {"method": "lbm_d3q27", **lattice, "heat": heat}, "stress"),
                ("d2q9", {"method": "lbm_d2q9", **plane}, "stress_xy"),
                ("full-way", {"method": "lbm_d2q9", **plane, "geometry": {"walls": "full-way"}}, "speed")):
            scalar = "temperature" if name == "heat" else "pressure"
            case = {**case, "stop": {"steps": 60},
                    "boundaries": {"south": {"type": "wall"},
                                   "north": {"type": "wall", "velocity": [0.01 if name == "si" else 1] +
                                             [0] * (1 if "d2q9" in case["method"] else 2)}}}
            averages = {}
            for way in ("beside", "fields"):
                case["output"] = {"fields": {"write": False}, "statistics": {
                    "from": 3, "every": 2, "mean": ["density", scalar, "velocity"],
                    "rms": [scalar, "velocity"], "covariance": [["velocity", scalar]]}}
                if way == "fields":
                    case["output"]["statistics"]["mean"].append(other)
                results = knudsen.Case(case).run(f"{name}-{way}", bandwidth=False)
                averages[way] = results.statistics
                kernels = [kernel["name"] for kernel in results.report["kernels"]]
                self.assertEqual("statistics" in kernels, way == "beside")
            for key in averages["beside"]:
                found, expected = averages["beside"][key], averages["fields"][key]
                numpy.testing.assert_allclose(found, expected, rtol=1e-13, equal_nan=True,
                                              atol=1e-15 * numpy.nanmax(abs(expected)), err_msg=name + key)

    def test_known_averages(self):
        """A decaying Taylor-Green vortex keeps its shape, so its averages are those of its decay."""
        case = knudsen.Case({
            "method": "lbm_d2q9", "precision": "double", "domain": {"nodes": [48, 48]},
            "fluid": {"reynolds": 40, "velocity": 0.01}, "initial": {"type": "taylor-green"},
            "stop": {"steps": 2000},
            "output": {"fields": {"every": 2000},
                       "statistics": {"every": 4, "mean": ["velocity"], "rms": ["velocity_x"],
                                      "covariance": [["velocity"]]}}})
        viscosity = 0.01 * 48 / 40
        results = case.run("out", bandwidth=False)
        decay = numpy.exp(-2 * viscosity * (2 * numpy.pi / 48) ** 2 * numpy.arange(0, 2001, 4))
        self.assertLess(decay[-1], 0.5)
        start = results.fields(0)["velocity"]
        averages = results.statistics
        tolerance = 0.005 * abs(start).max()
        numpy.testing.assert_allclose(averages["mean_velocity"], start * decay.mean(),
                                      atol=tolerance)
        numpy.testing.assert_allclose(averages["rms_velocity_x"],
                                      abs(start[..., 0]) * decay.std(), atol=tolerance)
        numpy.testing.assert_allclose(averages["covariance_velocity_x_velocity_y"],
                                      start[..., 0] * start[..., 1] * decay.var(),
                                      atol=tolerance * abs(start).max())

    def test_si_units(self):
        gas = {"name": "argon", "si": {"pressure": 20, "temperature": 320, "length": 1e-3}}
        found = {}
        for units in ("reference", "si"):
            case = self.sampled("bgkw", gas=gas, precision="double")
            case["output"]["units"] = units
            found[units] = knudsen.Case(case).run(units, bandwidth=False)
        velocity = (2 * 1.380649e-23 * 320 / 66.3e-27) ** 0.5
        pairs = {"mean_velocity": (velocity, "m/s"), "mean_temperature": (320, "K"),
                 "rms_velocity_y": (velocity, "m/s"),
                 "covariance_velocity_x_velocity_y": (velocity ** 2, "(m/s)^2"),
                 "covariance_temperature_velocity_x": (320 * velocity, "K (m/s)")}
        averages = found["si"].statistics
        for name, (factor, unit) in pairs.items():
            expected = found["reference"].statistics[name] * factor
            self.assertLess(abs(averages[name] - expected).max(), 1e-9 * abs(expected).max(), name)
            self.assertEqual(averages.unit(name), unit)
        point, before = found["si"].probes["point"], found["reference"].probes["point"]
        numpy.testing.assert_allclose(point["velocity"], before["velocity"] * velocity, rtol=1e-12)
        numpy.testing.assert_allclose(point["time"], before["time"] * 1e-3 / velocity, rtol=1e-12)
        numpy.testing.assert_allclose(point["position"], before["position"] * 1e-3, rtol=1e-12)

    def test_refused_restart(self):
        """Other probes beside a restart are refused, other statistics begin anew with a warning."""
        case = self.sampled("lbm_d2q9", checkpoint={"at_end": True})
        knudsen.Case(case).run("out", bandwidth=False)
        case["stop"]["steps"] += 10
        case["output"]["statistics"]["every"] = 1
        probes = case["output"]["probes"]
        case["output"]["probes"] = probes[:2]
        with self.raises(knudsen.InputError, "probes.h5", "other probes"):
            knudsen.Case(case).run("out", bandwidth=False, restart="out")
        case["output"]["probes"] = probes
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report = knudsen.Case(case).run("out", bandwidth=False, restart="out").report
        self.assertIn("begin anew and lack the 39 samples up to step 40", str(report["warnings"]))
        self.assertEqual(knudsen.open("out").statistics.fact("samples"), 10)
        self.assertEqual(knudsen.open("out").statistics.fact("first_step"), 41)

    def test_no_samples(self):
        case = self.sampled("lbm_d2q9")
        case["output"]["statistics"]["from"] = 1000
        case["output"]["probes"][0]["from"] = 36
        case["output"]["probes"][1]["from"] = 1000
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report = knudsen.Case(case).run("out", bandwidth=False).report
        text = "\n".join(report["warnings"])
        self.assertIn("output.statistics: there is no sample, since the first one would be at step "
                      "1000; statistics.vtkhdf was not written", text)
        self.assertIn("output.probes: line: there is no sample", text)
        self.assertIn("output.probes: point: a spectrum needs at least 8 samples, there are 5", text)
        self.assertFalse(pathlib.Path("out/statistics.vtkhdf").exists())
        self.assertEqual(knudsen.open("out").probes["line"]["velocity_x"].shape, (0, 4))

    def test_nothing_there(self):
        knudsen.Case(small()).run("out", bandwidth=False)
        results = knudsen.open("out")
        with self.raises(knudsen.InputError, "holds no statistics"):
            _ = results.statistics
        with self.raises(knudsen.InputError, "probes.h5"):
            _ = results.probes
        self.assertEqual(results.spectra, {})


for _method in CASES:
    setattr(Sampling, f"test_values_{_method}", lambda self, m=_method: self.check(m))
    setattr(Sampling, f"test_restart_{_method}", lambda self, m=_method: self.restart(m))


class ResultsOnDisk(InDirectory):
    def test_what_a_run_wrote(self):
        case = small(output={"fields": {"every": 20}, "series": {"quantities": ["mass"]},
                             "profiles": [{"name": "u", "quantity": "velocity_x", "along": "y"}]})
        run = knudsen.Case(case).run("results", bandwidth=False)
        found = knudsen.open("results")
        self.assertEqual(found.case, case)
        self.assertEqual(found.steps, [0, 20, 40])
        self.assertEqual(found.report["total"]["steps"], 40)
        numpy.testing.assert_array_equal(found.series["step"], [0, 10, 20, 30, 40])
        self.assertAlmostEqual(found.series["mass"][0], 480)
        self.assertEqual(len(found.profiles["u"]), 2)
        self.assertIn("timing.json", "".join(run.files))
        self.assertIn("stopped", run.summary)
        self.assertIn("all steps are done", repr(run))
        self.assertEqual(repr(found), "<knudsen.Results in results>")

    @needs_h5py
    def test_fields(self):
        run = knudsen.Case(small(output={"fields": {"every": 20}})).run("results",
                                                                        bandwidth=False)
        for step in (None, 0, 20):
            fields = run.fields(step)
            self.assertEqual(fields.step, 40 if step is None else step)
            self.assertEqual(fields["velocity"].shape, (1, 20, 24, 3))
            self.assertEqual(fields["velocity"].dtype, numpy.float64)
            self.assertEqual(fields.unit("velocity"), "dx / dt")
        with self.raises(knudsen.InputError, "no fields of step 7, only of 0, 20, 40"):
            run.fields(7)
        with self.raises(knudsen.InputError, 'field "velocty": must be one of'):
            run.fields()["velocty"]
        with self.raises(knudsen.InputError, 'field "velocty": must be one of'):
            run.fields().unit("velocty")
        run.fields().path.write_text("broken")
        with self.raises(knudsen.InputError, "is no field file"):
            run.fields()

    def test_faults(self):
        with self.raises(knudsen.InputError, "none: no such directory"):
            knudsen.open("none")
        with self.raises(knudsen.InputError, "holds no results of a run"):
            knudsen.open(".")
        pathlib.Path("case.json").write_text("{")
        found = knudsen.open(".")
        with self.raises(knudsen.InputError, "case.json: is not JSON"):
            found.case
        with self.raises(knudsen.InputError, "timing.json: cannot be read"):
            found.report
        pathlib.Path("series.csv").write_text("# units: 1\nstep,mass\n0,x\n")
        with self.raises(knudsen.InputError, "series.csv: is not a table of numbers"):
            found.series
        with self.raises(knudsen.InputError, "holds no field files"):
            found.fields()


class Estimates(InDirectory):
    def test_the_mean_of_correlated_samples_has_the_error_of_its_batches(self):
        generator = numpy.random.default_rng(7)
        found, errors = [], []
        for _ in range(200):
            start = numpy.full(100, 50.0)  # does not count
            values = numpy.repeat(generator.normal(3, 1, 100), 10)  # 100 independent values
            estimate = knudsen.mean_over_time(numpy.append(start, values), last=1000 / 1100,
                                              batches=20)
            found.append(estimate.value)
            errors.append(estimate.error)
        self.assertAlmostEqual(float(numpy.std(found)), 0.1, delta=0.02)
        self.assertAlmostEqual(float(numpy.mean(errors)), 0.1, delta=0.01)

    def test_a_constant_has_no_error(self):
        self.assertEqual(knudsen.mean_over_time([2.0] * 40), (2, 0))

    def test_two_grids_give_the_value_of_a_fine_one(self):
        value, error = knudsen.extrapolate(3 + 0.4**1.5, 3 + 0.1**1.5, ratio=4, order=1.5)
        self.assertAlmostEqual(value, 3, delta=1e-12)
        self.assertAlmostEqual(error, 0.1**1.5, delta=1e-12)

    def test_wrong_arguments(self):
        for call, message in [
                (lambda: knudsen.mean_over_time([1, 2, 3]), "values: 2 samples count, must be at "
                 "least 10"),
                (lambda: knudsen.mean_over_time([1, numpy.nan] * 20), "not finite"),
                (lambda: knudsen.mean_over_time(numpy.ones((2, 2))), "has 2 dimensions"),
                (lambda: knudsen.mean_over_time([1.0] * 9, last=2), "last: found 2"),
                (lambda: knudsen.mean_over_time([1.0] * 9, batches=1), "batches: found 1"),
                (lambda: knudsen.extrapolate(1, 2, ratio=1), "ratio: found 1"),
                (lambda: knudsen.extrapolate(1, 2, order=0), "order: found 0")]:
            with self.raises(knudsen.InputError, message):
                call()


class Sweeps(InDirectory):
    def test_table(self):
        case = knudsen.Case(small())
        table = knudsen.sweep(case, {"fluid.reynolds": [20, 50], "precision": ("single", "double")},
                           directory="runs")
        self.assertEqual([(row["fluid.reynolds"], row["precision"]) for row in table],
                         [(20, "single"), (20, "double"), (50, "single"), (50, "double")])
        alone = case.run("alone", bandwidth=False)
        last = table[3]
        self.assertEqual(last["directory"], "runs/fluid.reynolds=50,precision=double")
        self.assertEqual(contents(last["directory"]), contents("alone"))
        self.assertEqual(last["kinetic_energy"], alone.series["kinetic_energy"][-1])
        self.assertEqual((last["step"], last["stopped_by"], last["converged"], last["error"]),
                         (40, "all steps are done", None, None))
        self.assertGreater(last["seconds"], 0)
        self.assertEqual(last["warnings"], case.warnings + alone.warnings)
        self.assertIn("kinetic_energy", str(table).splitlines()[0])
        self.assertEqual(len(str(table).splitlines()), 5)
        self.assertEqual(table._repr_html_().count("<tr>"), 5)

    def test_what_is_there_is_not_run_again(self):
        case = knudsen.Case(small())
        first = knudsen.sweep(case, {"fluid.reynolds": [20, 50]}, directory="runs")
        reports = pathlib.Path("runs").rglob("timing.json")
        stamps = {path: path.stat().st_mtime_ns for path in reports}
        more = knudsen.sweep(case, {"fluid.reynolds": [20, 50, 80]}, directory="runs")
        self.assertEqual(list(more[:2]), list(first))
        for path, stamp in stamps.items():
            self.assertEqual(path.stat().st_mtime_ns, stamp)
        # Another case in the same folder, and results that were removed.
        longer = case.changed({"stop.steps": 50})
        self.assertEqual([row["step"] for row in
                          knudsen.sweep(longer, {"fluid.reynolds": [20]}, directory="runs")], [50])
        pathlib.Path("runs/fluid.reynolds=80/case.json").unlink()
        knudsen.sweep(case, {"fluid.reynolds": [80]}, directory="runs")
        self.assertTrue(pathlib.Path("runs/fluid.reynolds=80/case.json").exists())

    def test_failures_do_not_stop_others(self):
        case = unstable()
        case["stop"]["steps"] = 3000
        table = knudsen.sweep(case, {"fluid.relaxation_time": [0.1, 0.5001, 0.8]})
        wrong, diverged, good = (row["error"] for row in table)
        self.assertIn("fluid.relaxation_time: found 0.1", wrong)
        self.assertIn("diverged", diverged)
        self.assertIsNone(good)
        self.assertTrue(pathlib.Path(table[2]["directory"], "case.json").exists())
        self.assertIn("_sweep", table[2]["directory"])

    def test_interrupted(self):
        case = knudsen.Case(small())
        begun = []
        run, knudsen.Case.run = knudsen.Case.run, lambda self, *a, **b: (
            begun.append(1) or (run(self, *a, **b) if len(begun) != 2 else _interrupt()))
        try:
            with self.assertRaises(KeyboardInterrupt):
                knudsen.sweep(case, {"fluid.reynolds": [20, 50, 80]}, directory="runs")
            self.assertEqual(len(begun), 2)
            table = knudsen.sweep(case, {"fluid.reynolds": [20, 50, 80]}, directory="runs")
            self.assertEqual(len(begun), 4)  # the first one was there
        finally:
            knudsen.Case.run = run
        self.assertEqual([row["step"] for row in table], [40, 40, 40])

    def test_names_of_folders(self):
        nodes = [[24, 20], [20, 24]]
        table = knudsen.sweep(small(), {"domain.nodes": nodes, "title": ["a/b", "a b"]},
                           directory="runs")
        folders = {pathlib.Path(row["directory"]).name for row in table}
        self.assertEqual(len(folders), 4)
        for folder in folders:
            self.assertRegex(folder, r"^[A-Za-z0-9_.,=+-]+$")
        self.assertEqual(folders | {"sweep.json"}, set(os.listdir("runs")))

    def test_paths_of_a_case_file(self):
        os.mkdir("cases")
        pathlib.Path("cases/points.csv").write_text("0\n")
        pathlib.Path("cases/case.json").write_text(json.dumps(small()))
        case = knudsen.Case("cases/case.json")
        self.assertEqual(case.changed({"fluid.reynolds": 20}).json["fluid"]["reynolds"], 20)
        self.assertEqual(case.changed({}).name, "cases/case.json")

    def test_faults(self):
        case = knudsen.Case(small())
        for settings in ({}, [], {"fluid.reynolds": 50}, {"fluid.reynolds": []}, {"title": "ab"},
                         {"fluid": {"reynolds": 50}}):
            with self.raises(knudsen.InputError, "settings: "):
                knudsen.sweep(case, settings)
        pathlib.Path("file").write_text("")
        with self.raises(knudsen.InputError, "file: cannot be used"):
            knudsen.sweep(case, {"fluid.reynolds": [50]}, directory="file")
        os.mkdir("runs")
        for text in ("{", "[]", '{"format": "knudsen-sweep-1"}'):
            pathlib.Path("runs/sweep.json").write_text(text)
            with self.raises(knudsen.InputError, "sweep.json: ", "remove it to begin anew"):
                knudsen.sweep(case, {"fluid.reynolds": [50]}, directory="runs")


def _interrupt():
    raise KeyboardInterrupt


@needs_h5py
class Looking(InDirectory):
    def setUp(self):
        super().setUp()
        case = small(output={"fields": {"quantities": ["velocity", "density"]},
                             "series": {"quantities": ["mass"]},
                             "profiles": [{"name": "u", "quantity": "velocity_x", "along": "y"}]})
        self.found = knudsen.Case(case).run("results", bandwidth=False)

    def test_slices(self):
        fields = self.found.fields()
        velocity = fields["velocity"]
        numpy.testing.assert_array_equal(self.found.slice("velocity"), velocity[0])
        x = fields.centres("x")
        self.assertEqual(len(x), 24)
        numpy.testing.assert_array_equal(self.found.slice("density", axis="x", at=x[3] + 0.1),
                                         fields["density"][:, :, 3])
        numpy.testing.assert_allclose(self.found.slice("speed"),
                                      numpy.hypot(velocity[0, ..., 0], velocity[0, ..., 1]))
        self.assertEqual(self.found.slice("speed", axis="y", step=40).shape, (1, 24))
        with self.raises(knudsen.InputError, "axis: found 'w'"):
            self.found.slice("density", axis="w")

    def test_cells_of_several_widths(self):
        case = small("shakhov")
        del case["domain"]
        parts = {axis: [{"cells": 4, "length": 1, "ratio": 1.5}] for axis in "xyz"}
        case["stop"] = {"steps": 1, "check_every": 1}
        fields = knudsen.Case(case, domain=parts).run("wide", bandwidth=False).fields()
        edges = numpy.cumsum([0] + [1.5**i for i in range(4)])
        edges /= edges[-1]
        for axis in "xyz":
            numpy.testing.assert_allclose(fields.centres(axis), (edges[1:] + edges[:-1]) / 2)
        self.assertEqual(fields.slice("density", "x", 0).shape, (4, 4))

    def test_comparison(self):
        other = knudsen.Case(small(precision="single")).run("other", bandwidth=False)
        table = knudsen.compare([self.found, "other"])
        self.assertEqual([row["precision"] for row in table], ["double", "single"])
        self.assertNotIn("method", table.columns)
        self.assertEqual(table[1]["updates_per_second"],
                         other.report["total"]["updates_per_second"])
        with self.raises(knudsen.InputError, "none: no such directory"):
            knudsen.compare(["none"])

    def test_pictures(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("Matplotlib is not installed")
        matplotlib.use("Agg")
        axes = self.found.show("speed", cmap="viridis")
        self.assertEqual(axes.get_xlabel(), "x")
        self.assertEqual(axes.collections[0].get_array().size, 480)
        self.assertIs(self.found.show("density", ax=axes), axes)
        drawn = self.found.plot_profile("u", label="a").lines[0]
        numpy.testing.assert_array_equal(drawn.get_ydata(),
                                         self.found.profiles["u"]["velocity_x"])
        self.assertEqual(self.found.plot_series("mass").get_xlabel(), "step")
        axes.figure.savefig("speed.png")
        for message, call in (("has 3 components", lambda: self.found.show("velocity")),
                              ('profile "v": must be one of u',
                               lambda: self.found.plot_profile("v")),
                              ('monitor "m": must be one of step, mass',
                               lambda: self.found.plot_series("m"))):
            with self.raises(knudsen.InputError, message):
                call()

    def test_dataset(self):
        try:
            import xarray
        except ImportError:
            self.skipTest("xarray is not installed")
        data = self.found.to_xarray()
        self.assertEqual(dict(data.sizes), {"z": 1, "y": 20, "x": 24, "component_3": 3})
        self.assertEqual(data.density.attrs["units"], "rho_0")
        numpy.testing.assert_array_equal(data.velocity, self.found.fields()["velocity"])
        self.assertIsInstance(data, xarray.Dataset)

    def test_dataset_of_vtk(self):
        try:
            import vtkmodules.vtkIOHDF  # noqa: F401
        except ImportError:
            self.skipTest("VTK is not installed")
        wrapped = types.SimpleNamespace(wrap=lambda dataset: dataset)  # Debian has no PyVista
        with unittest.mock.patch.dict(sys.modules, pyvista=wrapped):
            data = self.found.to_pyvista()
        self.assertEqual(data.GetDimensions(), (24, 20, 2))
        self.assertTrue(data.GetPointData().HasArray("velocity"))

    def test_data_frame(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = knudsen.compare([self.found, "results"]).to_dataframe()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame["steps"]), [40, 40])

    def test_without_the_libraries(self):
        table = knudsen.compare([self.found])
        missing = {"matplotlib": lambda: self.found.plot_profile("u"),
                   "xarray": self.found.to_xarray, "pandas": table.to_dataframe,
                   "pyvista": self.found.to_pyvista}
        for name, call in missing.items():
            held = {key: sys.modules.pop(key) for key in list(sys.modules)
                    if key.split(".")[0] == name}
            sys.modules[name] = None
            try:
                with self.raises(ImportError, f"pip install {name}"):
                    call()
            finally:
                del sys.modules[name]
                sys.modules.update(held)


class Geometry(InDirectory):
    """Solids from arrays are those of the same shapes of a case."""

    def case(self, solid):
        return knudsen.Case(small("lbm_d3q27", stop={"steps": 4, "check_every": 4},
                                  geometry={"walls": "half-way", "solids": [solid]}))

    def density(self, solid):
        with self.case(solid).simulation() as sim:
            sim.advance(4)
            return sim.fields["solid"], sim.fields["density"]

    def expect_same(self, solid, expected):
        for found, wanted in zip(self.density(solid), self.density(expected)):
            numpy.testing.assert_array_equal(found, wanted)

    box = {"shape": "box", "name": "body", "from": [3, 2, 2], "to": [7, 6, 5]}

    def test_voxels(self):
        array = numpy.zeros((8, 10, 12), dtype=bool)
        array[2:5, 2:6, 3:7] = True
        self.expect_same(knudsen.voxels(array, "bed.nrrd", name="body"), self.box)
        gray = numpy.where(array, 700, 300).astype(numpy.uint16)[::-1][::-1]
        self.expect_same(knudsen.voxels(gray, "bed.nrrd", name="body", threshold=500), self.box)
        self.expect_same(knudsen.voxels(~array, "bed.nrrd", name="body", solid="low"), self.box)
        small_one = knudsen.voxels(numpy.ones((3, 4, 4), dtype=numpy.uint8), "small.nrrd",
                                   name="body", at=[3, 2, 2])
        self.expect_same(small_one, self.box)
        self.assertEqual(sorted(os.listdir(".")), ["bed.nrrd", "small.nrrd"])

    def test_mesh(self):
        corners = numpy.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
        vertices = numpy.array([3, 2, 2]) + corners * [4, 4, 3]
        squares = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2),
                   (1, 3, 7, 5)]
        faces = [face for a, b, c, d in squares for face in ((a, b, c), (a, c, d))]
        self.expect_same(knudsen.mesh((vertices, faces), "body.stl", name="body"), self.box)
        trimesh = type("Trimesh", (), {"vertices": corners, "faces": numpy.array(faces)})()
        moved = {"name": "body", "translate": [3, 2, 2]}
        meshio = type("Mesh", (), {"points": corners * [4, 4, 3],
                                   "cells_dict": {"triangle": numpy.array(faces)}})()
        self.expect_same(knudsen.mesh(meshio, "body.stl", **moved), self.box)
        cube = {**self.box, "to": [4, 3, 3]}
        self.expect_same(knudsen.mesh(trimesh, "body.stl", **moved), cube)
        with self.raises(knudsen.InputError, "body.stl"):
            self.case(knudsen.mesh((vertices, faces[1:]), "body.stl", name="body"))

    def test_faults(self):
        ones = numpy.ones((2, 2, 2))
        for values, part in ((ones, "found the type float64"),
                             (ones[0] > 0, "found the shape (2, 2)"),
                             (numpy.ones((0, 2, 2), bool), "found the shape (0, 2, 2)")):
            with self.raises(knudsen.InputError, "values: ", part):
                knudsen.voxels(values, "bed.nrrd")
        on_device = type("OnDevice", (), {"__dlpack_device__": lambda self: (2, 0)})()
        with self.raises(knudsen.InputError, "values: found an array on a device"):
            knudsen.voxels(on_device, "bed.nrrd")
        with self.raises(knudsen.InputError, "vertices: found an array on a device"):
            knudsen.mesh((on_device, [[0, 1, 2]]), "body.stl")
        with self.raises(knudsen.InputError, "none/bed.nrrd: cannot be written"):
            knudsen.voxels(ones > 0, "none/bed.nrrd")
        corner = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        for surface, part in ((7, "surface: found a int"), ((corner, [[0, 1, 3]]), "from 0 to 2"),
                              ((corner, [[0, 1]]), "faces: found the shape (1, 2)"),
                              ((corner, [[0, 1, 2.5]]), "type float64"),
                              (([[0, 1]], [[0, 0, 0]]), "vertices: found the shape (1, 2)"),
                              ((["a"], [[0, 0, 0]]), "vertices: must be an array")):
            with self.raises(knudsen.InputError, part):
                knudsen.mesh(surface, "body.stl")
        self.assertEqual(os.listdir("."), [])
        knudsen.voxels(numpy.ones((2, 2, 2), bool), "bed.nrrd")
        with self.raises(knudsen.InputError, "bed.nrrd", "12"):
            self.case(knudsen.voxels(numpy.ones((2, 2, 2), bool), "bed.nrrd", name="body"))


class Documentation(InDirectory):
    def test_code_of_the_tutorial(self):
        os.symlink(SOURCE / "inputs", "inputs")
        text = (SOURCE / "docs/python.md").read_text(encoding="utf-8")
        blocks = [(text[:start].count("\n") + 1, block) for start, block in _python_blocks(text)]
        self.assertGreater(len(blocks), 5)
        names = {}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for line, block in blocks:
                exec(compile("\n" * line + block, "docs/python.md", "exec"), names)

    def test_examples(self):
        examples = sorted((SOURCE / "examples").glob("*.py"))
        self.assertGreaterEqual(len(examples), 3)
        for example in examples:
            if h5py is None and example.stem == "porous_image":
                continue
            done = subprocess.run([sys.executable, "-B", example], text=True, capture_output=True,
                                  env={**os.environ, "KNUDSEN_EXAMPLES": "small"}, timeout=120)
            if "Matplotlib is not installed" not in done.stderr:
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout, example)
        self.assertTrue(pathlib.Path("results/examples/cavity/sweep.json").exists())

    def test_docstrings_and_stubs(self):
        for name in knudsen.__all__:
            each = getattr(knudsen, name)
            if not isinstance(each, str):
                self.assertTrue(each.__doc__, name)
        stub = (pathlib.Path(knudsen.__file__).parent / "_knudsen.pyi").read_text()
        for kind in (knudsen._knudsen, knudsen._knudsen.Case, knudsen._knudsen.Simulation):
            for name in dir(kind):
                if not name.startswith("_"):
                    self.assertRegex(stub, rf"\b{name}\b")
        self.assertTrue((pathlib.Path(knudsen.__file__).parent / "py.typed").exists())

    def test_types_of_a_case(self):
        """tools/case_stub.py makes them of the schema."""
        sys.path.insert(0, str(SOURCE / "tools"))
        import case_stub
        sys.path.pop(0)
        stub = (SOURCE / "apps/python/knudsen/_keys.pyi").read_text(encoding="utf-8")
        self.assertTrue(stub == case_stub.stub(knudsen.schema()),
                        "_keys.pyi is not that of the schema: run make schema")
        types = {}
        exec(stub, types)
        known = types["CaseKeys"].__annotations__
        for case in CASES.values():
            for key, value in case.items():
                self.assertIn(key, known)
                if isinstance(value, dict) and key != "boundaries":
                    of_block = types[known[key].__name__].__annotations__
                    self.assertLessEqual(set(value), set(of_block))
        self.assertEqual(known["fluid"].__annotations__["reynolds"], float)

    def test_signature_of_a_case(self):
        keys = set(inspect.signature(knudsen.Case).parameters)
        self.assertLessEqual({"overrides", "method", "fluid", "gas", "boundaries", "stop"}, keys)
        self.assertNotIn("$schema", keys)


def _python_blocks(text):
    """The positions and texts of the blocks ```python of a page."""
    at = 0
    while (begin := text.find("```python\n", at)) >= 0:
        begin += len("```python\n")
        at = text.index("```", begin)
        yield begin - 1, text[begin:at]


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # the small cases are coarse
