"""Runs of the lattice methods beside published numbers, the pages of docs/validation.

Every run has a case and the nodes across its length among its parameters, and its values have the
names that docs/validation/data/published.csv gives to the published ones. On grids of a case the
velocity falls as the spacing, so that the errors of space and of the Mach number both fall as its
square, and two grids can be extrapolated.
"""

import dataclasses
import functools
import math

import measures
from experiment import Experiment, make_run, stop_when

LATTICE_2D = "perf/cases/validation_2d.json"
LATTICE_3D = "perf/cases/validation_3d.json"
CYLINDER = "inputs/cylinder_re20.json"
WALL = {"type": "wall"}


def run_of(case, nodes, file, settings, monitors=(), profiles=(), measure=None, name="", **more):
    run = make_run(
        f"{name or case}-{nodes}", {"case": case, "nodes": nodes, **more}, file, settings, monitors, profiles
    )
    return dataclasses.replace(run, measure=measure)


# --- Natural convection ------------------------------------------------------------------------


def largest_on_lines(directory, unit):
    """Largest velocities on the centre lines, in diffusivities over the width."""
    return {
        name: max(abs(v) for v in measures.profile(directory, line)[1]) * unit
        for name, line in (("u_max", "u"), ("v_max", "v"))
    }


def convection(rayleigh, nodes, speed, times, cube=False):
    """A square or a cube heated from the side. `speed` is that of buoyancy, sqrt(g beta dT L), in
    spacings a step; `times` the most diffusion times L^2 / alpha that it takes."""
    diffusivity = speed * nodes / math.sqrt(0.71 * rayleigh)
    steps = nodes**2 / diffusivity
    check = max(100, round(steps / 500))
    settings = {
        "domain.nodes": [nodes] * (3 if cube else 2),
        "fluid.kinematic_viscosity": 0.71 * diffusivity,
        "heat.rayleigh": rayleigh,
        **stop_when("west.nusselt_number", 1e-6, math.ceil(times * steps / check) * check, check),
    }
    settings["stop.criteria"] = [
        {"quantity": name, "tolerance": 1e-6} for name in ("kinetic_energy", "west.nusselt_number")
    ]
    profiles = (
        {"name": "u", "quantity": "velocity_x", "along": "y", "normalised": False},
        {"name": "v", "quantity": "velocity_y", "along": "x", "normalised": False},
    )
    case = f"Ra = 1e{round(math.log10(rayleigh))}"
    monitors = ("west.nusselt_number", "east.nusselt_number")
    if cube:
        name = f"cube-ra-1e{round(math.log10(rayleigh))}"
        return run_of(case, nodes, "inputs/heated_cube.json", settings, monitors, (), name=name)
    run = run_of(
        case,
        nodes,
        "inputs/heated_cavity.json",
        settings,
        monitors,
        profiles,
        functools.partial(largest_on_lines, unit=nodes / diffusivity),
        name=f"ra-1e{round(math.log10(rayleigh))}",
    )
    return dataclasses.replace(run, profiles=())  # the largest values are enough


# --- Onset of convection between plates ----------------------------------------------------------


def growth(directory, unit):
    """Growth rate of the kinetic energy in the second half of the run, over alpha / H^2."""
    steps, energy = measures.series(directory, "kinetic_energy")
    middle = next(i for i, step in enumerate(steps) if step >= steps[-1] / 2)
    rate = math.log(energy[-1] / energy[middle]) / (steps[-1] - steps[middle])
    return {"growth_rate": rate * unit}


def plates(rayleigh, height):
    """A roll of 1e-5 of the temperature difference in fluid at rest, with its hydrostatic pressure."""
    width = round(2.016 * height)
    diffusivity = 0.04
    buoyancy = rayleigh * diffusivity**2 / height**3
    steps = round(height**2 / diffusivity)
    s = f"y/{height}"
    settings = {
        "domain.nodes": [width, height],
        "fluid.kinematic_viscosity": diffusivity,
        "heat": {"prandtl": 1, "rayleigh": rayleigh, "gravity": [0, -1], "temperature_difference": 1},
        "boundaries.south": {"type": "wall", "temperature": 0.5},
        "boundaries.north": {"type": "wall", "temperature": -0.5},
        "initial_fields.temperature": f"0.5 - {s} + 1e-5*sin(pi*{s})*cos(2*pi*x/{width})",
        "initial_fields.density": f"1 + {3 * buoyancy * height / 2:.12g}*{s}*(1 - {s})",
        "stop.steps": 2 * steps,
        "stop.check_every": steps,
    }
    return run_of(
        "plates",
        height,
        LATTICE_2D,
        settings,
        ("kinetic_energy",),
        (),
        functools.partial(growth, unit=height**2 / diffusivity),
        name=f"ra-{rayleigh}",
        rayleigh=rayleigh,
    )


# --- Channel between conducting walls --------------------------------------------------------------


def developed_channel(directory, nodes, flux, diffusivity, conductivity):
    """Nusselt number by twice the height, and the drop of the temperature in a wall over that by
    conduction alone."""
    temperature = measures.profile(directory, "temperature")[1]
    velocity = measures.profile(directory, "velocity")[1]
    wall = nodes // 4
    fluid = range(wall, wall + nodes)
    bulk = sum(temperature[i] * velocity[i] for i in fluid) / sum(velocity[i] for i in fluid)
    surface = 1.5 * temperature[wall - 1] - 0.5 * temperature[wall - 2]
    drop = (temperature[0] - temperature[wall - 1]) / (wall - 1)
    return {
        "nusselt": flux * 2 * nodes / diffusivity / (surface - bulk),
        "wall_drop": drop * conductivity * diffusivity / flux,
    }


def conjugate_channel(nodes):
    """Seven heights long, with walls of a quarter of its height that are heated outside. It begins
    near the developed temperature, which is about 0 where it is measured, so that the density
    does not matter."""
    length, wall, diffusivity, conductivity = 7 * nodes, nodes // 4, 0.02, 2.5
    velocity, flux = 0.16 / nodes, 0.01 / nodes
    slope = 2 * flux / velocity / nodes
    x = 3 * nodes

    def plate(name, begin):
        return {
            "shape": "box",
            "name": name,
            "from": [0, begin],
            "to": [length, begin + wall],
            "conduction": {"conductivity_ratio": conductivity},
        }

    run = run_of(
        "Pe = 16",
        nodes,
        LATTICE_2D,
        {
            "domain.nodes": [length, nodes + 2 * wall],
            "fluid.kinematic_viscosity": 0.02,
            "heat": {"diffusivity": diffusivity},
            "geometry.solids": [plate("lower", 0), plate("upper", nodes + wall)],
            "boundaries": {
                "south": {"type": "wall", "heat_flux": flux},
                "north": {"type": "wall", "heat_flux": flux},
                "west": {"type": "velocity", "velocity": [velocity, 0], "temperature": -slope * x},
                "east": {"type": "pressure"},
            },
            "initial": {"type": "uniform", "velocity": [velocity, 0]},
            "initial_fields.temperature": f"{slope:.12g}*(x - {x})",
            "stop.steps": 200 * nodes**2,
            "stop.check_every": 20 * nodes**2,
        },
        ("upper.heat_flow", "upper.mean_temperature"),
        tuple(
            {"name": name, "quantity": quantity, "along": "y", "at": [(x + 0.5) / length], "normalised": False}
            for name, quantity in (("temperature", "temperature"), ("velocity", "velocity_x"))
        ),
        functools.partial(
            developed_channel, nodes=nodes, flux=flux, diffusivity=diffusivity, conductivity=conductivity
        ),
        name="pe-16",
    )
    return dataclasses.replace(run, profiles=())


# --- Cylinder in a channel (Schaefer and Turek) ---------------------------------------------------


def pressure_probes(nodes, every, first):
    """Three points, a spacing apart, in front of the cylinder and behind it, from its surface on."""
    spacing = 0.1 / nodes
    y = 0.2 / 0.41
    ends = {"front": (0.15 - spacing, 0.15 - 3 * spacing), "back": (0.25 + spacing, 0.25 + 3 * spacing)}
    return [
        {
            "name": name,
            "kind": "line",
            "begin": [a / 2.2, y],
            "end": [b / 2.2, y],
            "points": 3,
            "quantities": ["pressure"],
            "from": first,
            "every": every,
        }
        for name, (a, b) in ends.items()
    ]


def cylinder(case, nodes, reynolds, velocity, steps, every, first, settings, measure):
    """By lbm_d2q9. Pressures are sampled so often, from a step on."""
    return run_of(
        case,
        nodes,
        CYLINDER,
        {
            "domain": {"size": [2.2, 0.41], "resolution": 10 * nodes},
            "fluid": {"reynolds": reynolds, "velocity": velocity, "length": 0.1},
            "stop.steps": steps,
            "stop.criteria": [],
            "output.probes": pressure_probes(nodes, every, first),
            **settings,
        },
        ("cylinder.drag_coefficient", "cylinder.lift_coefficient"),
        (),
        measure,
        name=case.replace(", ", "-").replace(" ", "-"),
        velocity=velocity,
    )


def steady_forces(directory, velocity):
    values = {
        name: measures.series(directory, f"cylinder.{name}_coefficient")[1][-1] for name in ("drag", "lift")
    }
    drops = measures.pressure_drops(directory)
    if drops:  # in kg / (m s^2), with 1 kg/m^3 and the mean velocity 0.2 m/s
        values["pressure_drop"] = drops[1][-1] / velocity**2 * 0.2**2
    return values


def cylinder_2d1(nodes):
    velocity = 0.6 / nodes
    steps = round(180 * nodes / velocity)  # times D / U, eight times the length of the channel
    return cylinder(
        "2D-1",
        nodes,
        20,
        velocity,
        steps,
        steps // 100,
        0,
        stop_when("cylinder.drag_coefficient", 1e-7, steps, steps // 100),
        functools.partial(steady_forces, velocity=velocity),
    )


def cylinder_2d2(nodes, sudden=False):
    """From rest, with an inflow that rises over 30 D / U or is there at once."""
    velocity = 1.6 / nodes
    unit = nodes / velocity
    every = max(1, round(unit / 40))  # 130 samples a period
    steps = 150 * 40 * every
    rise = {"boundaries.west.waveform": {"factor": "0.5 - 0.5*cos(pi*min(t, 1))", "unit": 30 * unit}}
    run = cylinder(
        "2D-2, sudden start" if sudden else "2D-2",
        nodes,
        100,
        velocity,
        steps,
        every,
        steps * 5 // 6,
        {"stop.check_every": 40 * every, **({} if sudden else rise)},
        functools.partial(measures.oscillation, first=steps * 5 // 6, scale=(unit, velocity**2)),
    )
    run.settings["output.series"]["every"] = every
    return run


def force_coefficients(directory, unit):
    """Drag and lift in time, from the forces along x and y."""
    steps, x = measures.series(directory, "cylinder.force_x")
    return steps, {"drag": [f / unit for f in x], "lift": [f / unit for f in measures.series(directory, "cylinder.force_y")[1]]}


def surface_drop(directory):
    """Pressure in front of the cylinder less that behind it, from a profile along its middle, which
    has NaN in the cylinder."""
    _, pressure = measures.profile(directory, "pressure")
    solid = [i for i, value in enumerate(pressure) if math.isnan(value)]
    # Half a spacing from the surface, and one and two spacings further on.
    front = [pressure[solid[0] - i] for i in (1, 2, 3)]
    back = [pressure[solid[-1] + i] for i in (1, 2, 3)]
    weights = (15 / 8, -5 / 4, 3 / 8)
    return sum(w * (a - b) for w, a, b in zip(weights, front, back))


def forces_in_time(directory, nodes, velocity):
    """Largest drag and lift of 2D-3, and the pressure drop at its end, after 8 s."""
    steps, found = force_coefficients(directory, velocity**2 * nodes / 2)
    values = {f"{name}_max": measures.peak(steps, forces)[1] for name, forces in found.items()}
    return {**values, "pressure_drop": surface_drop(directory) / velocity**2}


def steady_forces_3d(directory, nodes, velocity):
    _, found = force_coefficients(directory, velocity**2 * nodes * 4.1 * nodes / 2)
    values = {name: forces[-1] for name, forces in found.items()}
    return {**values, "pressure_drop": surface_drop(directory) / velocity**2 * 0.2**2}


def cylinder_3d(case, nodes, size, x, velocity, settings, measure):
    """A cylinder along z, by lbm_d3q27, whose outlet lets sound out. The length unit is 1 m."""
    run = run_of(
        case,
        nodes,
        LATTICE_3D,
        {
            "domain": {"size": size, "resolution": 10 * nodes},
            "collision.magic": 0.25,
            "geometry.solids": [
                {
                    "shape": "cylinder",
                    "name": "cylinder",
                    "from": [x, 0.2, 0],
                    "to": [x, 0.2, size[2]],
                    "infinite": True,
                    "radius": 0.05,
                }
            ],
            **settings,
        },
        ("cylinder.force_x", "cylinder.force_y"),
        (
            {
                "name": "pressure",
                "quantity": "pressure",
                "along": "x",
                "at": [0.2 / 0.41, 0.5] if case == "3D-1Z" else [0.2 / 0.41],
                "normalised": False,
            },
        ),
        functools.partial(measure, nodes=nodes, velocity=velocity),
        velocity=velocity,
    )
    return dataclasses.replace(run, profiles=())


def cylinder_2d3(nodes):
    """One node thick: lbm_d2q9 has no outlet that lets out the sound of the start."""
    velocity = 0.8 / nodes
    second = 10 * nodes / velocity  # steps of 1 s: D = 0.1 m, U = 1 m/s
    every = max(1, round(second / 400))
    inlet = {
        "type": "velocity",
        "reflecting": True,  # the velocity holds at every step
        "profile": {"velocity_x": "6*y*(0.41 - y)/0.41^2"},
        "waveform": {"factor": "sin(pi*t/8)", "unit": second},
    }
    run = cylinder_3d(
        "2D-3",
        nodes,
        [2.2, 0.41, 0.1 / nodes],
        0.2,
        velocity,
        {
            "fluid": {"reynolds": 100, "velocity": velocity, "length": 0.1},
            "boundaries": {"west": inlet, "east": {"type": "pressure"}, "south": WALL, "north": WALL},
            "stop.steps": round(8 * second),
            "stop.check_every": round(8 * second / 10),
        },
        forces_in_time,
    )
    run.settings["output.series"]["every"] = every
    return run


def cylinder_3d1z(nodes):
    velocity = 0.6 / nodes  # the mean one
    unit = round(nodes / velocity)
    inlet = {"type": "velocity", "profile": {"velocity_x": "36*y*z*(0.41 - y)*(0.41 - z)/0.41^4"}}
    sides = {side: WALL for side in ("south", "north", "bottom", "top")}
    return cylinder_3d(
        "3D-1Z",
        nodes,
        [2.5, 0.41, 0.41],
        0.5,
        velocity,
        {
            "fluid": {"reynolds": 20, "velocity": velocity, "length": 0.1},
            "boundaries": {"west": inlet, "east": {"type": "pressure"}, **sides},
            **stop_when("cylinder.force_x", 1e-6, 80 * unit, 2 * unit),
        },
        steady_forces_3d,
    )


# --- Sphere ---------------------------------------------------------------------------------------


def sphere_drag(directory, nodes, velocity):
    """The drag coefficient, by the sphere's cross-section."""
    force = measures.series(directory, "sphere.force_x")[1][-1]
    return {"drag": 8 * force / (math.pi * velocity**2 * nodes**2)}


def sphere(case, name, reynolds, nodes, size, velocity, times, settings, solids=()):
    """A sphere of diameter 1, at rest in the middle of the domain, five diameters from the inlet."""
    unit = round(nodes / velocity)
    ball = {"shape": "sphere", "name": "sphere", "centre": [5, size[1] / 2, size[2] / 2], "radius": 0.5}
    return run_of(
        case,
        nodes,
        LATTICE_3D,
        {
            "domain": {"size": size, "resolution": nodes},
            "fluid": {"reynolds": reynolds, "velocity": velocity, "length": 1},
            "geometry.solids": [*solids, ball],
            "boundaries.west": {"type": "velocity", "velocity": [1, 0, 0]},
            "boundaries.east": {"type": "pressure"},
            "initial": {"type": "uniform", "velocity": [1, 0, 0]},
            **stop_when("sphere.force_x", 1e-5, round(times * unit), max(1, round(times * unit / 40))),
            **settings,
        },
        ("sphere.force_x",),
        (),
        functools.partial(sphere_drag, nodes=nodes, velocity=velocity),
        name=name,
        velocity=velocity,
    )


def sphere_in_tube(nodes):
    """Creeping flow along a tube five diameters wide whose wall moves with the stream."""
    width = 5.25
    tube = {
        "shape": "cylinder",
        "name": "tube",
        "from": [0, width / 2, width / 2],
        "to": [10, width / 2, width / 2],
        "infinite": True,
        "inverted": True,
        "radius": 2.5,
        "velocity": [1, 0, 0],
    }
    # The viscosity is 1/6; momentum spreads over the tube's radius in 6.25 D^2 / nu, 0.625 D / U.
    velocity = 0.1 / 6 / nodes
    return sphere("Re = 0.1, in a tube", "re-0.1", 0.1, nodes, [10, width, width], velocity, 3, {}, (tube,))


def sphere_in_stream(reynolds, nodes):
    """Spheres ten diameters apart across the stream."""
    settings = {"precision": "single", "collision": {"operator": "cumulant"}}
    return sphere(f"Re = {reynolds}", f"re-{reynolds}", reynolds, nodes, [16, 10, 10], 0.96 / nodes, 60, settings)


# --- Pulsatile flow between plates ---------------------------------------------------------------


def womersley_error(directory, nodes, viscosity, force, period):
    """Largest error of a period over its largest velocity."""
    samples = measures.probe(directory, "across")
    if samples is None:
        return {}
    positions = [i + 0.5 - nodes / 2 for i in range(nodes)]
    largest, worst = 0, 0
    for step, found in zip(samples["step"], samples["velocity_x"]):
        exact = measures.womersley(positions, step, nodes / 2, viscosity, force, period)
        largest = max(largest, *map(abs, exact))
        worst = max(worst, *(abs(a - b) for a, b in zip(exact, found)))
    return {"error": worst / largest}


def pulsatile(number, nodes):
    """A channel between two pressures that swing, at a Womersley number of half its width."""
    length, viscosity, swing = round(0.8 * nodes), 0.04, 0.4 / nodes**2
    period = 8 * round(2 * math.pi * (nodes / 2) ** 2 / (number**2 * viscosity) / 8)
    periods = 4 + math.ceil(2 * number**2)  # until what the start has left is below 1e-6
    sides = {
        name: {"type": "pressure", "density": 1 + sign * swing, "waveform": {"factor": "sin(2*pi*t)", "unit": period}}
        for name, sign in (("west", 1), ("east", -1))
    }
    return run_of(
        f"alpha = {number:g}",
        nodes,
        LATTICE_2D,
        {
            "domain.nodes": [length, nodes],
            "fluid.kinematic_viscosity": viscosity,
            "boundaries": {**sides, "south": WALL, "north": WALL},
            "stop.steps": periods * period,
            "stop.check_every": period,
            "output.probes": [
                {
                    "name": "across",
                    "kind": "line",
                    "begin": [0.5, 0.5 / nodes],
                    "end": [0.5, 1 - 0.5 / nodes],
                    "points": nodes,
                    "quantities": ["velocity_x"],
                    "from": (periods - 1) * period,
                    "every": period // 8,
                }
            ],
        },
        ("max_speed",),
        (),
        functools.partial(
            womersley_error, nodes=nodes, viscosity=viscosity, force=2 * swing / 3 / (length - 1), period=period
        ),
        name=f"alpha-{number:g}",
    )


# --- Backward-facing step ------------------------------------------------------------------------


def wall_points(directory, start, unit):
    """Where the shear at the walls changes its sign, from a position on, in other units.

    The shear is that of a parabola through the wall and the two nodes before it.
    """
    values = {}
    for wall in ("lower", "upper"):
        x, first = measures.profile(directory, f"{wall}_1")
        second = measures.profile(directory, f"{wall}_2")[1]
        kept = [(a, 9 * u - v) for a, u, v in zip(x, first, second) if a > start + unit / 4]
        turns = [measures.crossings(*zip(*kept), rising=rising) for rising in (False, True)]
        for name, found in zip((f"{wall}_separation", f"{wall}_reattachment"), turns):
            if found:
                values[name] = (found[-1] - start) / unit
    return values


def beside_walls(nodes):
    return tuple(
        {"name": name, "quantity": "velocity_x", "along": "x", "at": [at], "normalised": False}
        for name, at in (
            ("lower_1", 0.5 / nodes),
            ("lower_2", 1.5 / nodes),
            ("upper_1", 1 - 0.5 / nodes),
            ("upper_2", 1 - 1.5 / nodes),
        )
    )


STEP_SIDES = {
    "west": {"type": "velocity", "velocity": [1, 0], "profile": "fully-developed"},
    "east": {"type": "pressure"},
    "south": WALL,
    "north": WALL,
}


def step_settled(nodes, velocity, times, tolerance=1e-6):
    """At most so many times H / U; steady when the energy changes by `tolerance` in one of them. The inflow
    rises over 40 of them, since the sides reflect the sound of a sudden start."""
    unit = round(nodes / velocity)
    return {
        **stop_when("kinetic_energy", tolerance, times * unit, unit),
        "boundaries.west.waveform": {"factor": "0.5 - 0.5*cos(pi*min(t, 1))", "unit": 40 * unit},
    }


def gartling(nodes, tolerance=1e-6):
    """Gartling's channel from the step on: 30 heights H, Re = U H / nu = 800, where the mean velocity
    U comes in through the upper half."""
    velocity = 3 / nodes
    run = run_of(
        "Re = 800, no inlet channel",
        nodes,
        LATTICE_2D,
        {
            "domain.nodes": [30 * nodes + 2, nodes],
            # The lower half of the inlet is a wall, two nodes thick.
            "geometry.solids": [{"shape": "box", "name": "step", "from": [0, 0], "to": [2, nodes // 2]}],
            "fluid": {"reynolds": 800, "velocity": velocity, "length": nodes},
            "boundaries": STEP_SIDES,
            **step_settled(nodes, velocity, 600, tolerance),
        },
        ("kinetic_energy",),
        beside_walls(nodes),
        functools.partial(wall_points, start=2, unit=nodes),
        name="gartling",
    )
    return dataclasses.replace(run, profiles=())


def erturk(reynolds, nodes):
    """With an inlet channel of five step heights h; Re by the mean velocity there and its 2 h."""
    velocity, step = 1.5 / nodes, nodes // 2
    length = (5 + 20 + reynolds // 20) * step
    run = run_of(
        f"Re = {reynolds}, inlet channel",
        nodes,
        LATTICE_2D,
        {
            "domain.nodes": [length, nodes],
            "fluid": {"reynolds": reynolds, "velocity": velocity, "length": nodes},
            "geometry.solids": [{"shape": "box", "name": "step", "from": [0, 0], "to": [5 * step, step]}],
            "boundaries": STEP_SIDES,
            **step_settled(nodes, velocity, 300),
        },
        ("kinetic_energy",),
        beside_walls(nodes),
        functools.partial(wall_points, start=5 * step, unit=step),
        name=f"re-{reynolds}",
    )
    return dataclasses.replace(run, profiles=())


VALIDATION = (
    Experiment(
        "sphere_drag",
        "Drag of a sphere",
        small=(sphere_in_tube(8),),
        full=(
            sphere_in_tube(16),
            *(sphere_in_stream(reynolds, nodes) for reynolds in (50, 100, 200) for nodes in (12, 18)),
            sphere_in_stream(300, 24),
        ),
        book="validation",
    ),
    Experiment(
        "natural_convection",
        "Natural convection in a square",
        small=(
            *(convection(1e3, nodes, 3.2 / nodes, 2) for nodes in (32, 64)),
            *(convection(1e4, nodes, 4.8 / nodes, 1.5) for nodes in (48, 96)),
            *(convection(1e5, nodes, 6.4 / nodes, 1) for nodes in (64, 128)),
            *(convection(1e6, nodes, 8 / nodes, 0.6) for nodes in (80, 160)),
            convection(1e7, 128, 0.1, 0.3),
        ),
        full=(
            *(convection(1e7, nodes, 12.8 / nodes, 0.3) for nodes in (192, 256)),
            *(convection(1e8, nodes, 25.6 / nodes, 0.15) for nodes in (256, 384)),
        ),
        book="validation",
    ),
    Experiment(
        "natural_convection_cube",
        "Natural convection in a cube",
        small=(
            *(convection(1e3, nodes, 1.6 / nodes, 0.6, cube=True) for nodes in (16, 32)),
            *(convection(1e4, nodes, 2.4 / nodes, 0.5, cube=True) for nodes in (24, 36)),
            *(convection(1e5, nodes, 3.2 / nodes, 0.3, cube=True) for nodes in (32, 48)),
        ),
        full=(
            *(convection(1e6, nodes, 8 / nodes, 0.6, cube=True) for nodes in (64, 96)),
            *(convection(1e7, nodes, 12.8 / nodes, 0.3, cube=True) for nodes in (96, 128)),
        ),
        book="validation",
    ),
    Experiment(
        "onset_of_convection",
        "Onset of Rayleigh-Benard convection",
        small=tuple(plates(rayleigh, height) for height in (31, 62) for rayleigh in (1650, 1770)),
        full=(),
        book="validation",
    ),
    Experiment(
        "conjugate_channel",
        "Channel between conducting walls",
        small=tuple(conjugate_channel(nodes) for nodes in (16, 24)),
        full=(),
        book="validation",
    ),
    Experiment(
        "cylinder_in_channel",
        "Cylinder in a channel (Schaefer and Turek)",
        small=(
            *(cylinder_2d1(nodes) for nodes in (20, 30)),
            *(cylinder_2d2(nodes) for nodes in (20, 40)),
            cylinder_2d2(20, sudden=True),
            cylinder_2d3(20),
        ),
        full=(
            cylinder_2d2(80),
            *(cylinder_2d3(nodes) for nodes in (40, 80)),
            *(cylinder_3d1z(nodes) for nodes in (10, 20)),
            cylinder_2d1(60),
            cylinder_2d2(120),
        ),
        book="validation",
    ),
    Experiment(
        "pulsatile_flow",
        "Pulsatile flow between plates (Womersley)",
        small=tuple(pulsatile(number, nodes) for number in (2, 4, 8) for nodes in (20, 40)),
        full=(),
        book="validation",
    ),
    Experiment(
        "backward_facing_step",
        "Backward-facing step",
        small=(
            *(erturk(reynolds, nodes) for reynolds in (100, 200) for nodes in (32, 48)),
            erturk(400, 32),
        ),
        # With 128 nodes the change within a time unit is below 1e-6 long before the flow is steady. With
        # 48 nodes the flow of Re = 800 diverges when it starts.
        full=(gartling(96), erturk(400, 64), gartling(128, 1e-7)),
        book="validation",
    ),
)
