"""Two cases in SI units, and the same in lattice units with the same bits: all scales are powers of two."""

DX = 2**-10  # m
DT = 2**-14  # s
DENSITY = 1024
SPEED = 0.5  # m/s, 1/32 of a spacing a step

FLUID = {"si": {"density": DENSITY, "kinematic_viscosity": 2**-11, "velocity": SPEED, "length": 8 * DX,
                "time_step": DT}}
LATTICE_FLUID = {"velocity": 2**-5, "kinematic_viscosity": 2**-5, "length": 8}

PLANE = {
    "method": "lbm_d2q9", "precision": "double",
    "domain": {"size": [40 * DX, 24 * DX], "spacing": DX},
    "fluid": FLUID,
    "collision": {"operator": "trt", "acceleration": [1.5, 0.25]},
    "geometry": {"walls": "interpolated", "solids": [
        {"name": "post", "shape": "circle", "centre": [12 * DX, 11.5 * DX], "radius": 4 * DX,
         "velocity": [0, 0.1]}]},
    "boundaries": {"north": {"type": "wall", "velocity": [0.3, 0]}, "south": {"type": "wall"},
                   "west": {"type": "velocity", "velocity": [0.6, 0], "profile": "parabolic"},
                   "east": {"type": "pressure", "pressure": 4}},
    "initial": {"type": "uniform", "velocity": [0.25, 0]},
    "initial_fields": {"velocity_x": "0.25*(1 + 0.5*sin(1000*y))"},
    "stop": {"time": 120 * DT, "check_every": 20},
    "checkpoint": {"at_end": True},
    "output": {"series": {"quantities": ["post.force_x", "post.force_y", "post.drag_coefficient", "mass",
                                         "kinetic_energy", "mean_velocity_x", "max_speed", "permeability",
                                         "velocity_change"]},
               "fields": {"quantities": ["density", "pressure", "velocity", "vorticity", "stress_xy",
                                         "stream_function"]},
               "probes": [{"name": "wake", "at": [0.6, 0.5], "quantities": ["velocity"],
                           "from_time": 100 * DT}],
               "profiles": [{"name": "u", "quantity": "velocity_x", "along": "y", "normalised": False},
                            {"name": "p", "quantity": "pressure", "along": "x", "normalised": False}]},
}
LATTICE_PLANE = {
    **PLANE,
    "domain": {"nodes": [40, 24]},
    "fluid": LATTICE_FLUID,
    "collision": {"operator": "trt", "body_force": [1.5 * DT**2 / DX, 0.25 * DT**2 / DX]},
    "geometry": {"walls": "interpolated", "solids": [
        {"name": "post", "shape": "circle", "centre": [12, 11.5], "radius": 4, "velocity": [0, 0.2]}]},
    "boundaries": {"north": {"type": "wall", "velocity": [0.6, 0]}, "south": {"type": "wall"},
                   "west": {"type": "velocity", "velocity": [1.2, 0], "profile": "parabolic"},
                   "east": {"type": "pressure", "density": 1 + 3 * 4 / DENSITY * (DT / DX)**2}},
    "initial": {"type": "uniform", "velocity": [0.5, 0]},
    "initial_fields": {"velocity_x": "0.25*(1 + 0.5*sin(1000*(y/1024)))/16"},
    "stop": {"steps": 120, "check_every": 20},
    "output": {**PLANE["output"], "probes": [{**PLANE["output"]["probes"][0], "from_time": 100}]},
}
# Units of the series: what a unit of the lattice is in SI, and its name there.
PLANE_UNITS = {"post.force_x": (DENSITY * DX**3 / DT**2, "N/m"), "post.force_y": (DENSITY * DX**3 / DT**2, "N/m"),
               "post.drag_coefficient": (1, "1"), "mass": (DENSITY * DX**2, "kg/m"),
               "kinetic_energy": (DENSITY * DX**4 / DT**2, "N"), "mean_velocity_x": (DX / DT, "m/s"),
               "max_speed": (DX / DT, "m/s"), "permeability": (DX**2, "m^2"), "velocity_change": (1, "1")}

SPACE = {
    "method": "lbm_d3q27",
    "domain": {"size": [24 * DX, 14 * DX, 12 * DX], "nodes_across": 8},
    "fluid": FLUID,
    "collision": {"acceleration": [1.5, 0, 0],
                  "flow_control": {"axis": "z", "mean_velocity": -0.05, "every": 8}},
    "propagation": {"nodes": "sparse"},
    "geometry": {
        "walls": "interpolated",
        "solids": [{"name": "ball", "shape": "sphere", "centre": [9 * DX, 6.5 * DX, 6.25 * DX],
                    "radius": 3 * DX, "velocity": [0, 0, 0.1]}],
        "flow_planes": [{"name": "inner", "axis": "x", "position": 16 * DX}]},
    "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"},
                   "west": {"type": "velocity", "velocity": [0.6, 0, 0], "profile": "parabolic"},
                   "east": {"type": "pressure", "pressure": -2}},
    "stop": {"time": 60 * DT, "check_every": 20},
    "checkpoint": {"at_end": True},
    "output": {"series": {"quantities": ["ball.force_x", "ball.torque_y", "ball.drag_coefficient",
                                         "inner.flow_rate", "enstrophy", "mass", "kinetic_energy",
                                         "max_speed", "permeability", "driving_force"]},
               "fields": {"quantities": ["density", "pressure", "velocity", "vorticity", "stress"]},
               "profiles": [{"name": "u", "quantity": "velocity_x", "along": "y", "normalised": False},
                            {"name": "p", "quantity": "pressure", "along": "x", "normalised": False}]},
}
LATTICE_SPACE = {
    **SPACE,
    "domain": {"nodes": [24, 14, 12]},
    "fluid": LATTICE_FLUID,
    "collision": {"body_force": [1.5 * DT**2 / DX, 0, 0],
                  "flow_control": {"axis": "z", "mean_velocity": -0.1, "every": 8}},
    "geometry": {
        "walls": "interpolated",
        "solids": [{"name": "ball", "shape": "sphere", "centre": [9, 6.5, 6.25], "radius": 3,
                    "velocity": [0, 0, 0.2]}],
        "flow_planes": [{"name": "inner", "axis": "x", "position": 16}]},
    "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"},
                   "west": {"type": "velocity", "velocity": [1.2, 0, 0], "profile": "parabolic"},
                   "east": {"type": "pressure", "density": 1 - 3 * 2 / DENSITY * (DT / DX)**2}},
    "stop": {"steps": 60, "check_every": 20},
}
SPACE_UNITS = {"ball.force_x": (DENSITY * DX**4 / DT**2, "N"), "ball.torque_y": (DENSITY * DX**5 / DT**2, "N m"),
               "ball.drag_coefficient": (1, "1"), "inner.flow_rate": (DENSITY * DX**3 / DT, "kg/s"),
               "enstrophy": (DX**3 / DT**2, "m^3/s^2"), "mass": (DENSITY * DX**3, "kg"),
               "kinetic_energy": (DENSITY * DX**5 / DT**2, "J"), "max_speed": (DX / DT, "m/s"),
               "permeability": (DX**2, "m^2"), "driving_force": (DENSITY * DX / DT**2, "Pa/m")}
