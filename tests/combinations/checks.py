"""What the tests of all methods expect of a case: how it ends, and which of its runs agree.

KNUDSEN_SEEDS: seeds of the covering arrays, with blanks between them; by default one, with fewer
kinds of sides.

KNUDSEN_BACKEND=device: each row runs twice on a GPU, with the same bits, and once on the host, with the
same values.
"""

import copy
import json
import math
import os
import unittest

from covering import covering_array
from mirror import mirrored_values, shifted_values
from program import BACKEND, SIDES, cells_of, dimensions_of, in_parallel, run, validate

LONG = "KNUDSEN_SEEDS" in os.environ
SEEDS = [int(seed) for seed in os.environ.get("KNUDSEN_SEEDS", "1").split()]


# Between fields of a GPU and of the host after some steps; corrections of an accelerated iteration are solved for
# in single precision.
ON_DEVICE = {"double": 1e-11, "single": 5e-5, "half-storage": 2e-3}
ACCELERATED = 5e-7  # eight roundings; the largest of 225 rows on an H100 is 2.8e-7


class Failure(Exception):
    pass


def difference(found, expected):
    """The largest over all values, and where it is."""
    worst = (0.0, "")
    for name, field in expected.items():
        for cell, (a, b) in enumerate(zip(found[name], field)):
            if not abs(a - b) <= worst[0]:
                worst = (abs(a - b), f"{name} of cell {cell}: {a!r}, not {b!r}")
    return worst


def expect_close(found, expected, tolerance, what):
    largest, where = difference(found, expected)
    if not largest <= tolerance:
        raise Failure(f"{what}: differs by {largest:.3g}, may by {tolerance:.3g}; {where}")


def is_single(case):
    return case["precision"] == "single"


def changed(case, path, value):
    """The case with the value at a path ("a.b")."""
    result = copy.deepcopy(case)
    block = result
    *blocks, key = path.split(".")
    for name in blocks:
        block = block.setdefault(name, {})
    block[key] = value
    return result


def run_well(case, threads=1, quantities=(), what="run"):
    return ended_well(case, run(case, threads, quantities), what)


def ended_well(case, outcome, what="run"):
    if outcome.code != 0:
        raise Failure(f"{what}: exit code {outcome.code}: {outcome.errors.strip()}\n"
                      f"{json.dumps(case)}")
    check_finite(outcome.values, what)
    return outcome


def check_finite(values, what):
    """All of them, but for cells in solids, which have no number at all; they become zeros.

    Solid are the cells that the field "solid" says, else those without a number in the first one.
    """
    first = next(iter(values.values()), ())
    solid = {cell for cell, value in enumerate(values.get("solid", first))
             if math.isnan(value) or "solid" in values and value == 1}
    for name, field in values.items():
        for cell, value in enumerate(field):
            if cell in solid and math.isnan(value):
                field[cell] = 0.0
            elif not math.isfinite(value):
                raise Failure(f"{what}: {name} of cell {cell} is {value}")


def expect_refusal(case, outcome):
    """`validate` refuses, too, by the same message."""
    if outcome.code != 2:
        raise Failure(f"exit code {outcome.code}: {outcome.errors.strip()}")
    told = validate(case)
    lines = [line for line in outcome.errors.splitlines() if "warning:" not in line]
    if told.code != 2 or told.errors != outcome.errors or len(lines) != 1:
        raise Failure(f"refused by run: {outcome.errors.strip()}; by validate "
                      f"(exit code {told.code}): {told.errors.strip()}")


def check_threads(case, first):
    """Two, three or four threads give the bits of one.

    Only here, and where schemes are compared, runs have several threads: when there are more than cores, each kernel
    waits for the system to give all of them their turn, and such a run takes several times as long.
    """
    number = 2 + len(json.dumps(case)) % 3
    for threads in (2, 3, 4) if LONG else (number,):
        if run_well(case, threads, what=f"{threads} threads").bytes != first.bytes:
            raise Failure(f"{threads} threads give other bits than 1")


def check_device(case, quantities):
    """A GPU gives the same bits in each run, and what the host gives; within rounding."""
    host = run(case, 2, quantities)
    first, again = (run(case, quantities=quantities, backend=BACKEND) for _ in range(2))
    if first.code == host.code == 1 and "diverged" in first.errors and "diverged" in host.errors:
        return "slow"  # the test on the host judges whether it may
    if first.code != host.code or first.code not in (0, 2):
        raise Failure(f"exit code {first.code}, not {host.code}: {first.errors.strip()}")
    if first.code == 2:
        return "refused"
    if first.bytes != again.bytes:
        raise Failure("a second run gives other bits")
    check_finite(first.values, "device")
    check_finite(host.values, "host")
    accelerated = case.get("propagation", {}).get("acceleration", "none") != "none"
    expect_close(first.values, host.values, max(ON_DEVICE[case["precision"]], ACCELERATED * accelerated), "device")
    return ""


def check_mirror(case, mirrored, first, quantities, tolerance, axes=None, expect=expect_close):
    """The case mirrored across axes (default: all) gives the mirrored fields; returns its run.

    `mirrored(case, axis)` is the case in a mirror across one axis. `expect` compares fields.
    """
    image_case, expected = case, first.values
    for axis in range(dimensions_of(case)) if axes is None else axes:
        image_case = mirrored(image_case, axis)
        expected = mirrored_values(expected, cells_of(case), axis)
    image = run_well(image_case, 1, quantities, "mirror")
    expect(image.values, expected, tolerance, f"mirror {json.dumps(image_case)}")
    return image


def check_shift(case, first, quantities, tolerance):
    """A periodic box is the same wherever it begins: solids shifted by one cell along each periodic
    axis of equal cells shift the fields. Nothing else may depend on the place along such an axis."""
    shifted, expected = copy.deepcopy(case), first.values
    if any(isinstance(side.get("profile"), dict) for side in case["boundaries"].values()):
        return  # which depends on the place
    for axis in range(dimensions_of(case)):
        side = case["boundaries"][SIDES[2 * axis]]
        if side["type"] != "periodic" or axis == 0 and "left" in case.get("initial", {}):
            continue
        width = case["domain"]["size"][axis] / case["domain"]["cells"][axis]
        for solid in shifted.get("geometry", {}).get("solids", []):
            solid["from"][axis] += width
            solid["to"][axis] += width
        expected = shifted_values(expected, cells_of(case), axis)
    if expected is not first.values:
        found = run_well(shifted, 1, quantities, "shifted").values
        expect_close(found, expected, tolerance, f"shifted {json.dumps(shifted)}")


def at_rest(case):
    """The box with all that moves or heats gas left out."""
    still = copy.deepcopy(case)
    still["initial"] = {}
    if "type" in case.get("initial", {}):
        still["initial"] = {"type": "rest"}
    for key in ("body_force", "temperature_gradient"):
        still.get("collision", {}).pop(key, None)
    if "flow_control" in still.get("collision", {}):
        still["collision"]["flow_control"]["mean_velocity"] = 0
    bodies = still.get("geometry", {}).get("solids", [])
    for block in [*still["boundaries"].values(), *bodies]:
        # Of a steady gas something must fix the temperature.
        lets_in = case["method"] == "shakhov" and block.get("type") == "pressure" and "temperature" in block
        for key in ("velocity", "flow_rate", "temperature", "density"):
            block.pop(key, None)
        if "heat_flux" in block:
            block["heat_flux"] = 0
        if isinstance(block.get("profile"), dict):
            block.pop("profile")
        if block.get("type") == "vacuum":
            block["type"] = "reservoir"
        if "pressure" in block:
            block["pressure"] = 1
        if lets_in:
            block["temperature"] = 1
        if block.get("type") in ("pump", "inlet"):
            block["type"] = "wall"
            block.pop("capture", None)
            block.pop("mass_flux", None)
    return still


def check_mass(outcome, name, tolerance):
    start, end = outcome.series[0][name], outcome.series[-1][name]
    if not abs(end - start) <= tolerance:
        raise Failure(f"{name} goes from {start!r} to {end!r} in a closed box")


class Combinations(unittest.TestCase):
    """Runs all rows of a method and reports those that fail."""

    def check_rows(self, model, build, check, quantities, accepted=0.9, alike=None):
        """`quantities`: names of what is compared with a GPU, or a function of the case that tells them.
        `alike`: which pairs need only one of them, unless all seeds run (covering_array)."""
        rows = [row for seed in SEEDS
                for row in covering_array(model, 2, seed, alike=None if LONG else alike)]

        def try_row(row):
            case = build(row)
            try:
                if BACKEND != "host":
                    return check_device(case, quantities(case) if callable(quantities) else quantities)
                return check(row, case)
            except Failure as failure:
                if "of given pressure has the Mach number" in str(failure):
                    return "slow"  # gas left faster than sound, which ends a run
                text = f"{row}\n{json.dumps(case)}\n{failure}"
                print(text, flush=True)  # at once, for a test that is stopped by a time limit
                return text

        found = in_parallel(try_row, rows)
        refused = found.count("refused")
        slow = found.count("slow")
        failures = [text for text in found if text not in ("", "refused", "slow")]
        print(f"{len(rows)} rows, {refused} refused, {slow} too slow to settle, "
              f"{len(failures)} failures", flush=True)
        self.assertLessEqual(refused + slow, (1 - accepted) * len(rows))
        self.assertEqual(failures, [], f"{len(failures)} rows fail; the first:\n"
                         + "\n\n".join(failures[:3]))
