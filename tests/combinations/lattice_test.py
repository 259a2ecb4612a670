"""Pairs of options of the lattice methods, run through the program.

Each row of a covering array is a case. It must run or be refused in one clear message, and what it
gives must not depend on threads, scheme, kernel parameters, precision, on a break in the run, or
on which way round the case is written. Beside it runs the same box with fluid at rest, or in a
uniform stream, which must stay as it is.

KNUDSEN_SEEDS: as in checks.py.
"""

import copy
import itertools
import math
import unittest

from checks import (LONG, Combinations, Failure, at_rest, changed, check_mass, check_mirror,
                    check_threads, ended_well, expect_close, expect_refusal, run_well)
from covering import Constraint, Model
from lattice_case import (CLOSED, NODES, dimensions, initial_block, mirrored, mirrors, side_block,
                          side_constraints, side_factors, solid_block, solid_constraints)
from mirror import changes_sign
from program import AXES, SIDES, run, sampling

STREAM = 0.02  # speed of streams
ACCOMMODATION = [1, 0.3, 0.6, 0.9, 0, 0.05]  # of walls with slip, by side
# Differences of density and velocity between runs of ten steps that round differently: some
# rounding errors of 1.
ROUNDING = {"double": 4e-15, "single": 1e-6, "half-storage": 2e-5}
# The same with half storage, as a fraction of the largest deviation from rest. Each of 27 populations
# is rounded to eleven binary digits in each of eleven steps: 2^-12 / sqrt(3) * sqrt(27 * 11).
HALF_ROUNDING = 2.4e-3
# Change of the mass of a node in a run, by rounding of its populations. With half storage a
# population is up to 0.01 away from rest and is rounded by up to 2e-6 in each step.
MASS = {"double": 1e-15, "single": 1e-7, "half-storage": 4e-5}


def carried_by(case):
    return [*(["temperature"] if "heat" in case else []),
            *(scalar["name"] for scalar in case.get("scalars", []))]


def fields_of(case):
    if case["method"] == "lbm_d2q9":
        return ["solid", "density", "velocity_x", "velocity_y", "stress_xx", "stress_yy",
                "stress_xy", "vorticity", *carried_by(case)]
    return ["solid", "density", *("velocity_" + axis for axis in AXES),
            *("stress_" + part for part in ("xx", "yy", "zz", "xy", "yz", "xz")),
            *("vorticity_" + axis for axis in AXES), *carried_by(case)]


def with_scheme(case, scheme):
    """A scheme of lbm_d3q27 is "sparse", too."""
    if scheme == "sparse":
        return changed(changed(case, "propagation.scheme", "esoteric-twist"),
                       "propagation.nodes", "sparse")
    dense = changed(case, "propagation.scheme", scheme)
    dense["propagation"].pop("nodes", None)
    return dense


def schemes_of(case):
    if case["method"] == "lbm_d2q9":
        return ["in-place", "two-array", *([] if "heat" in case else ["shared-memory"])]
    if case["precision"] == "half-storage":
        return ["esoteric-twist", "sparse"]
    return ["esoteric-twist", "esoteric-pull", "aa-pattern", "two-array", "sparse"]


def rounding(precision, values):
    """Tolerance for the fields of a flow."""
    if precision != "half-storage":
        return ROUNDING[precision]
    largest = max(max(abs(value - (value > 0 and name == "density")) for value in field)
                  for name, field in values.items() if name[:3] in ("den", "vel"))
    return max(ROUNDING[precision], HALF_ROUNDING * largest)


def expect_same_flow(found, expected, tolerance, what):
    """A vorticity is the sum of four velocities, beside a solid or a side whole ones."""
    for vorticity in (False, True):
        part = {name: field for name, field in expected.items()
                if name.startswith("vorticity") == vorticity}
        expect_close(found, part, 4 * tolerance if vorticity else tolerance, what)


def expect_same_series(found, expected, tolerance, nodes, what):
    """Sums over all nodes may differ by more than values of one."""
    speed = max(row["max_speed"] for row in expected)
    if len(found) != len(expected):
        raise Failure(f"{what}: the series has {len(found)} rows, not {len(expected)}")
    for a, b in zip(found, expected):
        for name, value in b.items():
            allowed = tolerance * nodes
            if name == "velocity_change":
                if math.isnan(a[name]) and math.isnan(value):
                    continue
                # A ratio to the mean speed says nothing where there is none but by rounding.
                if speed < 1e-3:
                    continue
                allowed = 1e3 * tolerance * (1 + value)
            if not abs(a[name] - value) <= allowed:
                raise Failure(f"{what}: {name} is {a[name]!r} at step {b['step']:.0f}, not "
                              f"{value!r}")


def mirrored_series(series, axes):
    """Sums as they are in the mirror, sides exchanged; flow planes are across x, along which flows are held."""
    def image(name):
        part, _, quantity = name.partition(".")
        if part in SIDES and SIDES.index(part) // 2 in axes:
            return f"{SIDES[SIDES.index(part) ^ 1]}.{quantity}"
        return name
    def sign(name):
        changes = [axis == 0 if name.endswith(("flow_rate", "driving_force")) else changes_sign(name, axis)
                   for axis in axes]
        return -1 if sum(changes) % 2 else 1
    return [{image(name): sign(name) * value for name, value in row.items()} for row in series]


def closed(case):
    """The box with walls instead of open sides, which return all that they take at once.

    Moving walls that meet at an edge take from one of its ends what they give at the other, so
    that they rest where a solid may lie at one end.
    """
    box = copy.deepcopy(case)
    box["geometry"]["walls"] = "half-way"
    solids = box["geometry"].get("solids", [])
    box["fluid"].pop("slip", None)
    for solid in solids:
        for key in ("velocity", "temperature", "heat_flux", "accommodation"):
            solid.pop(key, None)
    for place, (side, block) in enumerate(case["boundaries"].items()):
        if block["type"] != "periodic":
            wall = side_block("wall" if solids else "moving wall", place,
                              dimensions(case["method"]))
            if "accommodation" in block:
                wall["accommodation"] = block["accommodation"]
            box["boundaries"][side] = wall
    for scalar in box.get("scalars", []):
        scalar.update({"sides": {}, "solids": []})
    return box


def streams(case):
    """For each axis along which fluid can stream, the box with fluid that does."""
    dims = len(case["domain"]["nodes"])
    # A full-way wall has sent back nothing yet at the first step.
    moving_walls = any(block["type"] == "wall" for block in case["boundaries"].values())
    if case["geometry"].get("solids") or moving_walls and case["geometry"]["walls"] == "full-way":
        return
    for axis in range(dims):
        sides = {side: case["boundaries"][side]["type"] for side in SIDES[:2 * dims]}
        ends = [sides.pop(side) for side in SIDES[2 * axis:2 * axis + 2]]
        if "wall" in ends:
            continue
        # A pressure side lets nothing flow along itself.
        if "pressure" in sides.values():
            continue
        moving = at_rest(case)
        velocity = [STREAM if d == axis else 0 for d in range(dims)]
        moving["initial"] = {"type": "uniform", "velocity": velocity}
        if "flow_control" in moving["collision"]:
            moving["collision"]["flow_control"]["mean_velocity"] = velocity[0]
        for block in moving["boundaries"].values():
            if block["type"] in ("wall", "velocity"):
                block["velocity"] = velocity
            block.pop("profile", None)
            block.pop("waveform", None)
        yield axis, moving


def expect_uniform(found, velocity, tolerance, what):
    """Density 1, no stress; cells of solids have zeros."""
    expected = {name: [0.0] * len(field) for name, field in found.items() if name != "solid"}
    for cell, solid in enumerate(found["solid"]):
        if not solid:
            expected["density"][cell] = 1.0
            for axis, value in zip(AXES, velocity):
                expected["velocity_" + axis][cell] = value
    expect_close(found, expected, tolerance, what)


def lattice_check(row, case):
    fields = fields_of(case)
    first = run(case, 1, fields)
    if first.code == 2:
        expect_refusal(case, first)
        return "refused"
    ended_well(case, first)
    check_threads(case, first)

    # A break at an odd or an even step.
    broken = run(case, 2, restart_at=row["steps"] // 2)
    if broken.code != 0 or any(broken.bytes.get(name) != bits
                               for name, bits in first.bytes.items()):
        raise Failure(f"a restart gives other bits: {broken.errors.strip()}")

    tolerance = rounding(case["precision"], first.values)
    nodes = len(first.values["density"])
    walls = ("half-way", "interpolated") if case["method"] == "lbm_d2q9" else ("half-way",)
    if row["heat"] == "passive" and row["scalars"] == "axes" and case["geometry"]["walls"] in walls:
        check_scalar_is_temperature(case, first.values)
    for scheme in schemes_of(case):
        if scheme != row["scheme"]:
            other = run_well(with_scheme(case, scheme), 3, fields, scheme)
            expect_same_flow(other.values, first.values, tolerance, scheme)
            expect_same_series(other.series, first.series, tolerance, nodes, scheme)
    tuned = changed(case, "tuning.segment", 3)
    if case["method"] == "lbm_d3q27":
        tuned["tuning"]["strip"] = 2
    other = run_well(tuned, 1, fields, "tuning")
    expect_same_flow(other.values, first.values, tolerance, "tuning")
    expect_same_series(other.series, first.series, tolerance, nodes, "tuning")

    other = changed(case, "precision", "double" if case["precision"] == "single" else "single")
    expect_same_flow(run_well(other, 1, fields, "other precision").values, first.values,
                     max(tolerance, ROUNDING["single"]), "the other precision")
    # A developed profile is solved for until its residual is small.
    if any(block.get("profile") == "fully-developed" for block in case["boundaries"].values()):
        tolerance = max(tolerance, 1e-11)
    images = mirrors(case)
    if not LONG:  # all at once
        images = [sum(images, ())] if images else []
    for axes in images:
        image = check_mirror(case, mirrored, first, fields, tolerance, axes, expect_same_flow)
        expect_same_series(image.series, mirrored_series(first.series, axes), tolerance, nodes,
                           f"mirror across {axes}")

    box = closed(case)
    outcome = run_well(box, 1, what="closed")
    check_mass(outcome, "mass", MASS[case["precision"]] * nodes)
    if "heat" in case:
        # Walls and solids of a closed box are adiabatic unless they conduct, so the heat stays.
        if row["heat"] != "conducting":  # else what solids take in is tested with the methods
            check_mass(outcome, "mean_temperature", 40 * MASS[case["precision"]])
    for name in (scalar["name"] for scalar in case.get("scalars", [])):
        check_mass(outcome, "mean_" + name, 40 * MASS[scalar_precision(case)])
    if carried_by(case):
        case = with_flow_alone(case)
        fields = fields_of(case)
    expect_uniform(run_well(at_rest(case), 1, fields, "at rest").values, (), 0, "at rest")
    for axis, stream in streams(changed(case, "precision", "double")):
        velocity = stream["initial"]["velocity"]
        what = "stream along " + AXES[axis]
        expect_uniform(run_well(stream, 1, fields, what).values, velocity, ROUNDING["double"],
                       what)
    if any(case["collision"]["body_force"]):
        check_acceleration(case, fields)
    return ""


def scalar_precision(case):
    """Scalars have no storage in 16 bits."""
    return "single" if case["precision"] == "half-storage" else case["precision"]


def check_scalar_is_temperature(case, values):
    """The scalar with the conditions of a temperature without buoyancy is that temperature.

    Behind implicit walls that let nothing through, a temperature comes back a step later.
    """
    tolerance = 40 * ROUNDING[case["precision"]]
    expect_close({"dye": values["dye"]}, {"dye": values["temperature"]}, tolerance, "dye")


def with_flow_alone(case):
    """The case without a temperature and scalars, and without what it writes of them."""
    cold = copy.deepcopy(case)
    scalars = [scalar["name"] for scalar in cold.pop("scalars", [])]
    cold.pop("heat", None)
    cold["initial"].pop("temperature", None)
    for block in [*cold["boundaries"].values(), *cold["geometry"].get("solids", [])]:
        for key in ("temperature", "heat_flux", "heat_transfer_coefficient", "conduction"):
            block.pop(key, None)
    for place in ("series", "fields"):
        output = cold["output"][place]
        output["quantities"] = [name for name in output["quantities"]
                                if "temperature" not in name and "heat_flow" not in name
                                and not any(scalar in name for scalar in scalars)]
    return cold


def check_acceleration(case, fields):
    """A force alone accelerates fluid without sides and solids alike everywhere."""
    free = changed(at_rest(case), "boundaries", {})
    free["geometry"].pop("solids", None)
    free["fluid"].pop("slip", None)
    free["collision"]["body_force"] = case["collision"]["body_force"]
    free["precision"] = "double"
    free["output"]["series"] = {"quantities": ["mass"]}
    velocity = [case["stop"]["steps"] * force for force in case["collision"]["body_force"]]
    found = run_well(free, 1, fields, "acceleration").values
    if case["collision"].get("forcing") == "velocity-shift":
        # It leaves a stress of the order of the force squared, with two relaxation times of the
        # force times the velocity.
        found = {name: field for name, field in found.items() if not name.startswith("stress")}
    expect_uniform(found, velocity, ROUNDING["double"], "acceleration")


def common_factors(method):
    return {**side_factors(method, LONG), "solid": ["none", "corner", "side", "middle", "moving"],
            "shape": ["box", "round"], "relaxation_time": [0.55, 0.8, 1.4],
            "force": ["none", "x", "all"], "held": [None, 1, 4], "steps": [10, 11], "check_every": [3, 100],
            "segment": [None, 1, 4], "slip": ["none", "some walls", "all walls"],
            "scalars": ["none", "axes", "diagonals"]}


def common_constraints(method):
    return side_constraints(method) + solid_constraints(method) + [
        Constraint(["solid", "shape"], lambda solid, shape: solid != "none" or shape == "box"),
        Constraint(["held", "west"], lambda held, west: held is None or west == "periodic"),
        Constraint(["slip", "operator"], lambda slip, name: slip == "none" or name == "trt"),
        Constraint(["slip", "walls"], lambda slip, walls: slip == "none" or walls != "full-way")]


def lattice_case(row, method, **blocks):
    dims = dimensions(method)
    counts = [row[name] for name in NODES[:dims]]
    force = {"none": [0, 0, 0], "x": [1e-4, 0, 0], "all": [1e-4, -2e-4, 1.5e-4]}[row["force"]]
    case = {
        "title": "", "method": method, "precision": row["precision"],
        "domain": {"nodes": counts}, "fluid": {"relaxation_time": row["relaxation_time"]},
        "collision": {"operator": row["operator"], "body_force": force[:dims]},
        "geometry": {"walls": row["walls"]}, "initial": initial_block(row["initial"], dims),
        "boundaries": {side: side_block(row[side], place, dims)
                       for place, side in enumerate(SIDES[:2 * dims])},
        "stop": {"steps": row["steps"], "check_every": row["check_every"]},
        "tuning": {}, **blocks}
    for place, block in enumerate(case["boundaries"].values()):
        if block["type"] == "wall" and (row["slip"] == "all walls"
                                        or row["slip"] == "some walls" and place % 2 == 0):
            block["accommodation"] = ACCOMMODATION[place]
    quantities = ["mass", "kinetic_energy", "max_speed", "velocity_change",
                  *("mean_velocity_" + axis for axis in AXES[:dims])]
    if row["held"]:
        case["collision"]["body_force"][0] = 0
        case["collision"]["flow_control"] = {"axis": "x", "mean_velocity": 0.02, "every": row["held"]}
        quantities.append("driving_force")
    if row["solid"] != "none":
        case["geometry"]["solids"] = [solid_block(row, counts)]
        quantities += ["block.force_" + axis for axis in AXES[:dims]]
        if row["slip"] == "all walls" and row["walls"] == "interpolated":
            case["geometry"]["solids"][0]["accommodation"] = 0.7
            case["fluid"]["slip"] = {"second_order": 0 if row["shape"] == "round" else 0.6}
    if row["segment"]:
        case["tuning"]["segment"] = row["segment"]
    case["output"] = {"series": {"quantities": quantities}, **sampling("density", "velocity")}
    return case


# lbm_d2q9


def d2q9_model():
    factors = {**common_factors("lbm_d2q9"), "nodes_x": [1, 2, 3, 4, 7, 34],
               "nodes_y": [1, 2, 3, 5, 8], "walls": ["half-way", "full-way", "interpolated"],
               "operator": ["bgk", "trt", "recursive-regularised"],
               "forcing": ["guo", "velocity-shift"], "precision": ["single", "double"],
               "scheme": ["in-place", "two-array", "shared-memory"],
               "initial": ["rest", "uniform", "taylor-green"],
               "heat": ["none", "passive", "buoyant", "conducting"]}
    constraints = common_constraints("lbm_d2q9") + [
        Constraint(["west", "south", "solid"],
                   lambda a, b, solid: solid != "corner" or a in CLOSED or b in CLOSED),
        Constraint(["heat", "solid"], conducting_solid),
        Constraint(["heat", "walls"], heated_walls),
        Constraint(["heat", "scheme"],
                   lambda heat, scheme: heat == "none" or scheme != "shared-memory")]
    # What an outflow side or an open corner copies from must be fluid.
    for corner in itertools.product(("west", "east"), ("south", "north")):
        constraints.append(Constraint(
            [*corner, "solid", "nodes_x"],
            lambda a, b, solid, n: a in CLOSED or b in CLOSED or solid == "none" or n > 5))
    for side, nodes in (("west", 0), ("east", 0), ("south", 1), ("north", 1)):
        constraints.append(Constraint(
            [side, "solid", NODES[nodes]],
            lambda kind, solid, n: kind != "outflow" or solid == "none" or n > 7))
        # Interpolated walls one node from an open side that lets sound out diverge within some steps.
        constraints.append(Constraint(
            [side, "solid", NODES[nodes], "walls"],
            lambda kind, solid, n, walls: walls != "interpolated" or kind in CLOSED or solid == "none" or n > 3))
    return Model(factors, constraints)


def d2q9_case(row):
    case = lattice_case(row, "lbm_d2q9", propagation={"scheme": row["scheme"]})
    case["collision"]["forcing"] = row["forcing"]
    case["output"]["fields"] = {"quantities": ["density", "velocity", "stress_xx", "stress_yy",
                                               "stress_xy", "vorticity"]}
    if row["heat"] != "none":
        add_heat(case, row["heat"])
    if row["scalars"] != "none":
        add_scalars(case, row["scalars"])
    return case


def heated_walls(heat, walls):
    if walls == "full-way":
        return heat == "none"
    return heat != "conducting" or walls != "interpolated"


def conducting_solid(heat, solid):
    return heat != "conducting" or solid not in ("none", "moving")


def add_heat(case, heat):
    """Walls and solids of given temperature and flux or that conduct, and what enters through open sides."""
    case["heat"] = {"diffusivity": 0.07, "reference_temperature": 0.25}
    if heat != "passive":
        gravity = [3e-4, -1e-3, 5e-4][:dimensions(case["method"])]
        case["heat"].update({"gravity": gravity, "expansion": 0.5, "temperature_difference": 1})
    case["initial"]["temperature"] = 0.5
    names = ["mean_temperature"]
    for place, (side, block) in enumerate(case["boundaries"].items()):
        if block["type"] in ("wall", "velocity"):
            block["temperature"] = 0.2 * place
        if block["type"] == "wall" and place == 1:
            block["heat_transfer_coefficient"] = 0.1
        if block["type"] != "periodic":
            names.append(side + ".heat_flow")
    for solid in case["geometry"].get("solids", []):
        names.append("block.heat_flow")
        if heat == "conducting":
            solid["conduction"] = {"conductivity_ratio": 2.5, "heat_capacity_ratio": 0.6,
                                   "initial_temperature": 0.8}
            names.append("block.mean_temperature")
        elif solid["shape"] == "box":
            solid["heat_flux"] = 0.01
        else:
            solid["temperature"] = 0.9
    case["output"]["fields"]["quantities"].append("temperature")
    case["output"]["series"]["quantities"] += names


def add_scalars(case, lattice):
    """One with the conditions of the temperature of add_heat, on a lattice with axes alone or with diagonals,
    and another one on the other lattice."""
    axes, diagonals = ("D2Q5", "D2Q9") if dimensions(case["method"]) == 2 else ("D3Q7", "D3Q19")
    dye = {"name": "dye", "diffusivity": 0.07, "reference_value": 0.25, "initial": 0.5, "sides": {},
           "solids": [{"name": "block", **({"flux": 0.01} if solid["shape"] == "box" else {"value": 0.9})}
                      for solid in case["geometry"].get("solids", [])]}
    salt = {"name": "salt", "schmidt": 2, "initial": 0.3, "sides": {}, "solids": []}
    dye["lattice"], salt["lattice"] = (axes, diagonals) if lattice == "axes" else (diagonals, axes)
    names = []
    for place, (side, block) in enumerate(case["boundaries"].items()):
        if block["type"] in ("wall", "velocity"):
            dye["sides"][side] = {"value": 0.2 * place}
        if block["type"] == "wall":
            salt["sides"][side] = {"flux": 0.002 * place}
            if place == 1:
                dye["sides"][side]["transfer_coefficient"] = 0.1
        if block["type"] != "periodic":
            names += [side + ".dye_flow", side + ".salt_flow"]
    if dye["solids"]:
        names.append("block.dye_flow")
    case["scalars"] = [dye, salt]
    case["output"]["fields"]["quantities"] += ["dye", "salt"]
    case["output"]["series"]["quantities"] += [
        *(f"{kind}_{name}" for kind in ("mean", "min", "max") for name in ("dye", "salt")), *names]


class LbmD2q9(Combinations):
    def test_pairs(self):
        self.check_rows(d2q9_model(), d2q9_case, lattice_check, fields_of)


# lbm_d3q27

CENTRAL = ("cascaded", "cumulant", "cumulant-parametrised")


def d3q27_model():
    factors = {**common_factors("lbm_d3q27"), "nodes_x": [1, 2, 3, 5, 9],
               "nodes_y": [1, 2, 3, 4], "nodes_z": [1, 2, 3],
               "walls": ["implicit", "half-way", "interpolated"], "lattice": ["D3Q27", "D3Q19"],
               "operator": ["bgk", "trt", *CENTRAL, "recursive-regularised"],
               "eddies": ["none", "smagorinsky", "wale"], "precision": ["single", "double", "half-storage"],
               "scheme": ["esoteric-twist", "esoteric-pull", "aa-pattern", "two-array", "sparse"],
               "initial": ["rest", "uniform", "taylor-green", "shear-layer", "noise"],
               "strip": [None, 1, 3], "heat": ["none", "passive", "buoyant", "conducting"]}
    constraints = common_constraints("lbm_d3q27") + [
        Constraint(["operator", "lattice"],
                   lambda operator, lattice: lattice == "D3Q27" or operator not in CENTRAL),
        Constraint(["operator", "eddies"],
                   lambda operator, eddies: eddies == "none" or operator in ("bgk", "trt")
                   or (eddies, operator) == ("wale", "cumulant")),
        Constraint(["operator", "relaxation_time"],
                   lambda operator, time: operator != "cumulant-parametrised" or time < 0.57),
        Constraint(["slip", "eddies"], lambda slip, eddies: "none" in (slip, eddies)),
        Constraint(["precision", "scheme"], lambda precision, scheme: precision != "half-storage"
                   or scheme in ("esoteric-twist", "sparse")),
        Constraint(["heat", "solid"], conducting_solid),
        Constraint(["heat", "walls"], heated_walls),
        Constraint(["heat", "lattice"], lambda heat, lattice: heat == "none" or lattice == "D3Q27")]
    return Model(factors, constraints)


def d3q27_case(row):
    case = lattice_case(row, "lbm_d3q27", propagation={"lattice": row["lattice"]})
    case = with_scheme(case, row["scheme"])
    if row["eddies"] == "smagorinsky":
        case["collision"]["smagorinsky"] = 0.1
    if row["eddies"] == "wale":
        case["collision"].update({"wale": 0.5, "wale_interval": 3})
    if row["strip"]:
        case["tuning"]["strip"] = row["strip"]
    case["geometry"]["flow_planes"] = [
        {"name": "plane", "axis": "x", "position": row["nodes_x"] // 2 + 0.5}]
    case["output"]["fields"] = {"quantities": ["density", "velocity", "stress", "vorticity"]}
    case["output"]["series"]["quantities"] += ["enstrophy", "plane.flow_rate"]
    if row["eddies"] == "wale":
        case["output"]["fields"]["quantities"].append("eddy_viscosity")
    if row["solid"] != "none":
        case["output"]["series"]["quantities"] += ["block.torque_" + axis for axis in AXES]
    if row["heat"] != "none":
        add_heat(case, row["heat"])
    if row["scalars"] != "none":
        add_scalars(case, row["scalars"])
    return case


class LbmD3q27(Combinations):
    def test_pairs(self):
        self.check_rows(d3q27_model(), d3q27_case, lattice_check, fields_of)


if __name__ == "__main__":
    unittest.main()
