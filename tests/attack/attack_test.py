"""Tests of the attack's own parts. Needs no program."""

import pathlib
import signal
import stat
import tempfile
import unittest

import samples
from limits import Outcome, Program, judge
from mutation import Schema, damaged, minimised, mutate, random_damage, source_of

SCHEMA = Schema({
    "properties": {"method": {"enum": ["one", "two"]}},
    "allOf": [{"if": {"properties": {"method": {"const": "one"}}}, "then": {
        "properties": {"sides": {"type": "object", "properties": {"west": {"type": "number", "minimum": 2}}},
                       "solids": {"type": "array", "items": {"properties": {"radius": {"type": "number"}}}}}}}]})
CASE = {"method": "one", "sides": {"west": 3}, "solids": [{"radius": 1}]}


def ended(code=0, errors="", output="", **more):
    return Outcome(**{"code": code, "output": output, "errors": errors, "seconds": 0.1, "cpu_seconds": 0.1,
                      "peak_bytes": 10**7, "time_limit": 10, "timed_out": False, **more})


class Mutations(unittest.TestCase):
    def test_keys_follow_the_conditions(self):
        self.assertEqual([*SCHEMA.properties(CASE, ())], ["method", "sides", "solids"])
        self.assertEqual([*SCHEMA.properties(CASE, ("sides",))], ["west"])
        self.assertEqual([*SCHEMA.properties(CASE, ("solids", 0))], ["radius"])
        self.assertEqual([*SCHEMA.properties({**CASE, "method": "two"}, ())], ["method"])

    def test_mutations_follow_from_the_seed(self):
        cases = [[repr(mutate(CASE, SCHEMA, source_of(1, i))) for i in range(200)] for _ in range(2)]
        self.assertEqual(*cases)
        self.assertGreater(len(set(cases[0])), 100)
        self.assertEqual(CASE, {"method": "one", "sides": {"west": 3}, "solids": [{"radius": 1}]})

    def test_every_small_case_can_be_mutated(self):
        for method, groups in samples.cases_by_group().items():
            for group, cases in groups.items():
                mutate(cases[0], SCHEMA, source_of(method, group))

    def test_damages(self):
        data = b"radius 2.5 end"
        for damage, expected in ((["cut", 0.5, 0], b"radius "), (["flip", 0, 0], b"sadius 2.5 end"),
                                 (["write", 0, "0000"], b"\0\0dius 2.5 end"), (["number", 0.2, "inf"], b"radius inf end"),
                                 (["remove", 0.5, 4], b"radius end"), (["insert", 0, "5b"], b"[" + data)):
            self.assertEqual(damaged(data, [damage]), expected, damage)
        for i in range(500):
            damaged(data, [random_damage(source_of(i)) for _ in range(3)])
        self.assertEqual(damaged(b"", [["flip", 0, 0]]), b"")

    def test_minimised(self):
        self.assertEqual(minimised({"a": [1, 2, {"b": 3, "c": 4}], "d": 5}, lambda value: "'c'" in repr(value)),
                         {"a": [{"c": 4}]})


class Judgement(unittest.TestCase):
    def expect(self, kind, outcome, **options):
        finding = judge(outcome, **options)
        self.assertEqual(finding and finding.kind, kind, finding)

    def test_good_ends(self):
        good = "knudsen: error: case.json: fluid: found 4, must be an object\n"
        self.expect(None, ended(0, "knudsen: warning: velocity_grid: too few velocities\n"))
        self.expect(None, ended(2, good))
        self.expect(None, ended(2, good + "See knudsen --help, or knudsen COMMAND --help.\n"))
        self.expect(None, ended(1, good))

    def test_bad_ends(self):
        self.expect("killed by SIGSEGV", ended(-signal.SIGSEGV))
        self.expect("exit code 3", ended(3))
        self.expect("time limit", ended(-signal.SIGKILL, timed_out=True))
        self.expect("memory limit", ended(0, peak_bytes=10**9), max_bytes=5e8)
        self.expect("no message", ended(2))
        self.expect("not the program's message", ended(2, "something is wrong\n"))
        self.expect("a message of several lines", ended(2, "knudsen: error: a\nb\n"))
        self.expect("text of a library", ended(2, "knudsen: error: [json.exception.type_error.302]\n"))
        self.expect("a message that is not plain text", ended(2, "knudsen: error: \udcff: no such file\n"))
        self.expect("an error but exit code 0", ended(0, "knudsen: error: a\n"))
        self.expect(None, ended(-signal.SIGKILL), codes=(-signal.SIGKILL,))

    def test_groups(self):
        groups = {judge(ended(0, f"knudsen: error: step {step}\n")).group() for step in (1, 20)}
        self.assertEqual(len(groups), 1)


class Limits(unittest.TestCase):
    def call(self, script, **options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program"
            path.write_text("#!/bin/sh\n" + script)
            path.chmod(stat.S_IRWXU)
            return Program(path).call("argument", folder=folder, **options)

    def test_output_and_code(self):
        outcome = self.call('echo "$1"; echo wrong >&2; exit 2')
        self.assertEqual((outcome.code, outcome.output, outcome.errors), (2, "argument\n", "wrong\n"))

    def test_signals_and_time(self):
        self.assertEqual(self.call("kill -SEGV $$").code, -signal.SIGSEGV)
        self.assertTrue(self.call("exec sleep 60", time_limit=0.1).timed_out)
        outcome = self.call("exec sleep 60", stop=(0.1, signal.SIGTERM))
        self.assertEqual((outcome.code, outcome.timed_out), (-signal.SIGTERM, False))


if __name__ == "__main__":
    unittest.main()
