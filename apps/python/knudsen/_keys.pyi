"""The keys of a case, made by tools/case_stub.py from the schema; `make schema` makes it anew."""

from typing import Any, Literal, Sequence, TypedDict, Union

import numpy


class CaseBoundariesBottomCercignaniLampis(TypedDict, total=False):
    normal: float
    """Accommodation coefficient of the energy of the motion normal to the wall."""
    tangential: float
    """Accommodation coefficient of the momentum along the wall."""

class CaseBoundariesBottomProfile(TypedDict, total=False):
    density: Union[float, str]
    """Density, in units of the reference density. / Density. In rho_ref (SI: kg/m^3)."""
    file: str
    """CSV file in place of formulas. A header line names its columns: the coordinates on which the
    values depend, of x, y and z, and quantities, by the names of these keys. Its rows are the
    points of a grid in any order, between which values are interpolated linearly. Lines that start
    with # are comments."""
    mass_flux: Union[float, str]
    """Net mass flux into the domain. In rho_ref v_ref (SI: kg/(m^2 s))."""
    pressure: Union[float, str]
    """Gauge pressure in Pa; in place of `density` in a case in SI units. / Pressure, in place of
    the density. In p_ref (SI: Pa)."""
    temperature: Union[float, str]
    """Temperature. In T_ref (SI: K)."""
    velocity_x: Union[float, str]
    """Velocity along x, in characteristic velocities, or in m/s in a case in SI units. / Velocity
    along x. In v_ref (SI: m/s)."""
    velocity_y: Union[float, str]
    """Velocity along y, in characteristic velocities, or in m/s in a case in SI units. / Velocity
    along y. In v_ref (SI: m/s)."""
    velocity_z: Union[float, str]
    """Velocity along z, in characteristic velocities, or in m/s in a case in SI units. / Velocity
    along z. In v_ref (SI: m/s)."""

class CaseBoundariesBottomSi(TypedDict, total=False):
    mass_flow: float
    """Net mass flow into the domain through the whole side: in kg/s in three dimensions, in kg/(m
    s) in two, in kg/(m^2 s) in one."""
    pressure: float
    """Pressure in Pa."""
    temperature: float
    """Temperature in K."""

class CaseBoundariesBottomTurbulenceReynoldsStresses(TypedDict, total=False):
    file: str
    """CSV file in place of formulas. A header line names its columns: the coordinates on which the
    values depend, of x, y and z, and quantities, by the names of these keys. Its rows are the
    points of a grid in any order, between which values are interpolated linearly. Lines that start
    with # are comments."""
    uu: Union[float, str]
    """Covariance <u' u'>, in squares of the characteristic velocity, or in m^2/s^2 in a case in SI
    units."""
    uv: Union[float, str]
    """Covariance <u' v'>, in squares of the characteristic velocity, or in m^2/s^2 in a case in SI
    units."""
    uw: Union[float, str]
    """Covariance <u' w'>, in squares of the characteristic velocity, or in m^2/s^2 in a case in SI
    units."""
    vv: Union[float, str]
    """Covariance <v' v'>, in squares of the characteristic velocity, or in m^2/s^2 in a case in SI
    units."""
    vw: Union[float, str]
    """Covariance <v' w'>, in squares of the characteristic velocity, or in m^2/s^2 in a case in SI
    units."""
    ww: Union[float, str]
    """Covariance <w' w'>, in squares of the characteristic velocity, or in m^2/s^2 in a case in SI
    units."""

class CaseBoundariesBottomTurbulence(TypedDict, total=False):
    intensity: float
    """Root mean square of each component of the velocity over the mean speed at the same place."""
    length_scale: float
    """Longitudinal integral length scale in the case's length unit: at least two node spacings.
    Over the mean velocity it is the integral time scale at the side."""
    reynolds_stresses: CaseBoundariesBottomTurbulenceReynoldsStresses
    """Covariances of the components of the velocity, 0 if they are not given: by formulas of the
    coordinates x, y and z in the case's length unit, or a file."""
    rms: Union[Sequence[float], numpy.ndarray]
    """Root mean squares of the components along the axes, everywhere on the side, in characteristic
    velocities, or in m/s in a case in SI units."""
    seed: int
    """Seed of the random numbers. The same seed gives the same fluctuations."""

class CaseBoundariesBottomWaveform(TypedDict, total=False):
    factor: Union[float, str]
    """The factor. Give this or `file`."""
    file: str
    """CSV file with the columns t and factor. Times must grow. Between them the factor is
    interpolated linearly; before the first and after the last one it stays as it is there, unless
    there is a `period`. Lines that start with # are comments."""
    period: float
    """Time after which the series of `file` begins again. From its last time to the end of the
    period the factor goes back to the first one."""
    unit: float
    """Unit of t, of `file` and of `period`, in steps, or in s in a case in SI units."""

class CaseBoundariesBottom(TypedDict, total=False):
    accommodation: float
    """Accommodation coefficient of the momentum along the wall, which makes the fluid slip
    (`fluid.slip`): 1 is a diffuse wall, 0 one without friction. Default: no slip. / Accommodation
    coefficient: fraction of the molecules that are re-emitted diffusely with the wall's temperature
    and velocity. The others are reflected specularly."""
    capture: float
    """Fraction of the molecules that is lost."""
    cercignani_lampis: CaseBoundariesBottomCercignaniLampis
    """Scattering by the kernel of Cercignani and Lampis, in place of `accommodation`: the momentum
    along the wall and the energy of the motion normal to it have coefficients of their own."""
    density: float
    """Density, in units of the reference density. / Density. Give this or `pressure`. In rho_ref
    (SI: kg/m^3)."""
    exponent: float
    """Exponent n of the power law with the power 1 / n."""
    flow_rate: float
    """Volume flow rate into the domain, in place of `velocity`; negative: out of it. The profile is
    scaled so that its sum over the open nodes of the side is the flow rate exactly. In
    characteristic velocities times the length unit squared, or in m^3/s in a case in SI units."""
    heat_flux: float
    """Heat that enters the fluid through a unit of area and time, over density x heat capacity: a
    temperature times a velocity, in node spacings per step (SI: K m/s). With
    `heat.volumetric_heat_capacity` in W/m^2. Default without `temperature`: 0, adiabatic. / Heat
    flux from the wall into the gas, in place of `temperature`: each face of a cell re-emits
    diffusely at the temperature with which it has this flux. 0: adiabatic wall. In p_ref v_ref (SI:
    W/m^2)."""
    heat_transfer_coefficient: float
    """Convective exchange with surroundings of the given `temperature`: heat flux over the
    difference to the temperature of the surface and over density x heat capacity, in node spacings
    per step (SI: m/s). With `heat.volumetric_heat_capacity` in W/(m^2 K)."""
    mass_flow: float
    """Mass flow in kg/s, in place of `flow_rate` in a case in SI units: the flow rate times the
    density of the fluid. / Net mass flow into the domain through the whole side, in place of
    `mass_flux`. In rho_ref v_ref L^(d-1) (SI: kg/s; kg/(m s) in two dimensions, kg/(m^2 s) in
    one)."""
    mass_flux: float
    """Net mass flux into the domain. Give this, that of `profile`, or `mass_flow`. In rho_ref v_ref
    (SI: kg/(m^2 s))."""
    pressure: float
    """Gauge pressure in Pa, that above the pressure of the reference density; in place of `density`
    in a case in SI units. Default: 0. / Pressure, in place of the density. In p_ref (SI: Pa). /
    Pressure. Give this, or that of `si`. In p_ref (SI: Pa)."""
    profile: Union[CaseBoundariesBottomProfile, Literal['uniform', 'parabolic', 'power-law', 'fully-developed']]
    """Velocity profile. parabolic: along those axes of the side that are not periodic. power-law:
    distance to the nearest wall to the power of 1 / `exponent`. fully-developed: laminar flow
    through the cross-section that walls and solids leave open. Or the components of the velocity, 0
    if they are not given, in characteristic velocities, or in m/s in a case in SI units: formulas
    of the time t in steps (SI: s) and of the coordinates x, y and z in the case's length unit, or a
    file. The values at the nodes of the side are taken. / Density that depends on place or time:
    formulas of the time t in steps (SI: s) and of the coordinates x, y and z in the case's length
    unit, or a file. The values at the nodes of the side are taken. / Values that depend on the
    place on the side, in place of the keys of the same names: numbers, formulas of the coordinates
    x, y and z, or a file. The values at the centres of the cells' faces are taken. Coordinates in L
    (SI: m)."""
    reflecting: bool
    """true: the value holds in every step, and sound waves are reflected. false: it holds for the
    mean over four times the time that sound takes to cross the domain; faster changes pass through
    the side."""
    si: CaseBoundariesBottomSi
    """Pressure and temperature of the side in SI units, in place of 'density', 'temperature', in a
    case that is in other units. Requires `gas.si`. / The flow in SI units, in a case that is in
    other units. Requires `gas.si`. / Pressure and temperature of the side in SI units, in place of
    'pressure', 'temperature', in a case that is in other units. Requires `gas.si`."""
    temperature: float
    """Temperature of the surface, in cases with `heat`; with `heat_transfer_coefficient` that of
    the surroundings. / Temperature of what enters, in cases with `heat`. Default:
    `heat.reference_temperature`. / Temperature at the side, in cases with `heat`. Default: that of
    the outermost nodes, as at an outflow. / Temperature of the wall. In T_ref (SI: K). /
    Temperature. In T_ref (SI: K). / Temperature of the molecules that enter. In T_ref (SI: K). /
    Temperature of what enters. In T_ref (SI: K)."""
    turbulence: CaseBoundariesBottomTurbulence
    """Fluctuations that are added to the profile: random eddies, which the mean velocity carries
    in. Give `intensity`, `rms` or `reynolds_stresses`. The flow rate does not fluctuate."""
    type: Literal['periodic', 'wall', 'velocity', 'pressure', 'outflow', 'reservoir', 'vacuum', 'pump', 'inlet', 'symmetry', 'antisymmetric']
    """Kind of boundary condition. Walls and given velocities are half a node spacing outside of the
    outermost nodes, given pressures at these nodes. / Kind of boundary condition."""
    velocity: Union[Sequence[float], numpy.ndarray]
    """Velocity [u, v, w] of the wall, in characteristic velocities, or in m/s in a case in SI
    units; the component normal to the wall must be 0. / Velocity [u, v, w], in characteristic
    velocities, or in m/s in a case in SI units: with the parabolic profile its peak, with power-law
    and fully-developed the mean over the open nodes of the side. / Velocity of the wall along x, y
    and z. In v_ref (SI: m/s). / Velocity along x, y and z. In v_ref (SI: m/s)."""
    waveform: CaseBoundariesBottomWaveform
    """Factor of the velocity that depends on the time t. / Factor of the density's deviation from 1
    that depends on the time t."""

class CaseBoundariesEast(TypedDict, total=False):
    accommodation: float
    """Accommodation coefficient of the momentum along the wall, which makes the fluid slip
    (`fluid.slip`): 1 is a diffuse wall, 0 one without friction. Default: no slip. / Accommodation
    coefficient: fraction of the molecules that are re-emitted diffusely with the wall's temperature
    and velocity. The others are reflected specularly."""
    capture: float
    """Fraction of the molecules that is lost."""
    cercignani_lampis: CaseBoundariesBottomCercignaniLampis
    """Scattering by the kernel of Cercignani and Lampis, in place of `accommodation`: the momentum
    along the wall and the energy of the motion normal to it have coefficients of their own."""
    density: float
    """Density, in units of the reference density. / Density. Give this or `pressure`. In rho_ref
    (SI: kg/m^3)."""
    exponent: float
    """Exponent n of the power law with the power 1 / n."""
    flow_rate: float
    """Volume flow rate into the domain, in place of `velocity`; negative: out of it. The profile is
    scaled so that its sum over the open nodes of the side is the flow rate exactly. In
    characteristic velocities times the length unit, or in m^2/s in a case in SI units. / Volume
    flow rate into the domain, in place of `velocity`; negative: out of it. The profile is scaled so
    that its sum over the open nodes of the side is the flow rate exactly. In characteristic
    velocities times the length unit squared, or in m^3/s in a case in SI units."""
    heat_flux: float
    """Heat that enters the fluid through a unit of area and time, over density x heat capacity: a
    temperature times a velocity, in node spacings per step (SI: K m/s). With
    `heat.volumetric_heat_capacity` in W/m^2. Default without `temperature`: 0, adiabatic. / Heat
    flux from the wall into the gas, in place of `temperature`: each face of a cell re-emits
    diffusely at the temperature with which it has this flux. 0: adiabatic wall. In p_ref v_ref (SI:
    W/m^2)."""
    heat_transfer_coefficient: float
    """Convective exchange with surroundings of the given `temperature`: heat flux over the
    difference to the temperature of the surface and over density x heat capacity, in node spacings
    per step (SI: m/s). With `heat.volumetric_heat_capacity` in W/(m^2 K)."""
    mass_flow: float
    """Mass flow in kg/(m s), in place of `flow_rate` in a case in SI units: the flow rate times the
    density of the fluid. / Mass flow in kg/s, in place of `flow_rate` in a case in SI units: the
    flow rate times the density of the fluid. / Net mass flow into the domain through the whole
    side, in place of `mass_flux`. In rho_ref v_ref L^(d-1) (SI: kg/s; kg/(m s) in two dimensions,
    kg/(m^2 s) in one)."""
    mass_flux: float
    """Net mass flux into the domain. Give this, that of `profile`, or `mass_flow`. In rho_ref v_ref
    (SI: kg/(m^2 s))."""
    pressure: float
    """Gauge pressure in Pa, that above the pressure of the reference density; in place of `density`
    in a case in SI units. Default: 0. / Pressure, in place of the density. In p_ref (SI: Pa). /
    Pressure. Give this, or that of `si`. In p_ref (SI: Pa)."""
    profile: Union[CaseBoundariesBottomProfile, Literal['uniform', 'parabolic', 'power-law', 'fully-developed']]
    """Velocity profile. parabolic: along the side. power-law: distance to the nearest wall to the
    power of 1 / `exponent`. fully-developed: laminar flow through the cross-section that walls and
    solids leave open. Or the components of the velocity, 0 if they are not given, in characteristic
    velocities, or in m/s in a case in SI units: formulas of the time t in steps (SI: s) and of the
    coordinates x, y and z in the case's length unit, or a file. The values at the nodes of the side
    are taken. / Density that depends on place or time: formulas of the time t in steps (SI: s) and
    of the coordinates x, y and z in the case's length unit, or a file. The values at the nodes of
    the side are taken. / Velocity profile. parabolic: along those axes of the side that are not
    periodic. power-law: distance to the nearest wall to the power of 1 / `exponent`. fully-
    developed: laminar flow through the cross-section that walls and solids leave open. Or the
    components of the velocity, 0 if they are not given, in characteristic velocities, or in m/s in
    a case in SI units: formulas of the time t in steps (SI: s) and of the coordinates x, y and z in
    the case's length unit, or a file. The values at the nodes of the side are taken. / Values that
    depend on the place on the side, in place of the keys of the same names: numbers, formulas of
    the coordinates x, y and z, or a file. The values at the centres of the cells' faces are taken.
    Coordinates in L (SI: m)."""
    reflecting: bool
    """true: the value holds in every step, and sound waves are reflected. false: it holds for the
    mean over four times the time that sound takes to cross the domain; faster changes pass through
    the side."""
    si: CaseBoundariesBottomSi
    """Pressure and temperature of the side in SI units, in place of 'density', 'temperature', in a
    case that is in other units. Requires `gas.si`. / The flow in SI units, in a case that is in
    other units. Requires `gas.si`. / Pressure and temperature of the side in SI units, in place of
    'pressure', 'temperature', in a case that is in other units. Requires `gas.si`."""
    temperature: float
    """Temperature of the surface, in cases with `heat`; with `heat_transfer_coefficient` that of
    the surroundings. / Temperature of what enters, in cases with `heat`. Default:
    `heat.reference_temperature`. / Temperature at the side, in cases with `heat`. Default: that of
    the outermost nodes, as at an outflow. / Temperature of the wall. In T_ref (SI: K). /
    Temperature. In T_ref (SI: K). / Temperature of the molecules that enter. In T_ref (SI: K). /
    Temperature of what enters. In T_ref (SI: K)."""
    turbulence: CaseBoundariesBottomTurbulence
    """Fluctuations that are added to the profile: random eddies, which the mean velocity carries
    in. Give `intensity`, `rms` or `reynolds_stresses`. The flow rate does not fluctuate."""
    type: Literal['periodic', 'wall', 'velocity', 'pressure', 'outflow', 'reservoir', 'vacuum', 'pump', 'inlet', 'symmetry', 'antisymmetric']
    """Kind of boundary condition. / Kind of boundary condition. Walls and given velocities are half
    a node spacing outside of the outermost nodes, given pressures at these nodes."""
    velocity: Union[Sequence[float], numpy.ndarray]
    """Velocity [u, v] of the wall, in characteristic velocities, or in m/s in a case in SI units;
    the component normal to the wall must be 0. / Velocity [u, v], in characteristic velocities, or
    in m/s in a case in SI units: with the parabolic profile its peak, with power-law and fully-
    developed the mean over the open nodes of the side. / Velocity [u, v, w] of the wall, in
    characteristic velocities, or in m/s in a case in SI units; the component normal to the wall
    must be 0. / Velocity [u, v, w], in characteristic velocities, or in m/s in a case in SI units:
    with the parabolic profile its peak, with power-law and fully-developed the mean over the open
    nodes of the side. / Velocity of the wall along x, y and z. In v_ref (SI: m/s). / Velocity along
    x, y and z. In v_ref (SI: m/s)."""
    waveform: CaseBoundariesBottomWaveform
    """Factor of the velocity that depends on the time t. / Factor of the density's deviation from 1
    that depends on the time t."""

class CaseBoundaries(TypedDict, total=False):
    bottom: CaseBoundariesBottom
    """Boundary condition on the bottom side; default: periodic."""
    east: CaseBoundariesEast
    """Boundary condition on the east side; default: periodic."""
    north: CaseBoundariesEast
    """Boundary condition on the north side; default: periodic."""
    south: CaseBoundariesEast
    """Boundary condition on the south side; default: periodic."""
    top: CaseBoundariesBottom
    """Boundary condition on the top side; default: periodic."""
    west: CaseBoundariesEast
    """Boundary condition on the west side; default: periodic."""

class CaseCheckpoint(TypedDict, total=False):
    at_end: bool
    """true: also write a checkpoint at the end, to continue the run later."""
    every: int
    """Steps between checkpoints. 0: only if a signal or stop.wall_seconds stops the run."""
    keep: int
    """Number of checkpoints to keep; older ones are deleted."""

class CaseCollisionFlowControl(TypedDict, total=False):
    axis: Literal['x', 'y', 'z']
    """Axis of the flow."""
    every: int
    """Steps from one adjustment of the force to the next."""
    flow_rate: float
    """Volume flow rate through each cross-section of the domain, in place of `mean_velocity`. In
    characteristic velocities times the length unit, or in m^2/s in a case in SI units. / Volume
    flow rate through each cross-section of the domain, in place of `mean_velocity`. In
    characteristic velocities times the length unit squared, or in m^3/s in a case in SI units."""
    mass_flow: float
    """Mass flow in kg/(m s), in place of `flow_rate` in a case in SI units: the flow rate times the
    density of the fluid. / Mass flow in kg/s, in place of `flow_rate` in a case in SI units: the
    flow rate times the density of the fluid."""
    mean_velocity: float
    """Mean velocity along the axis over the fluid nodes, in characteristic velocities, or in m/s in
    a case in SI units. Default: the characteristic velocity."""

class CaseCollision(TypedDict, total=False):
    acceleration: Union[Sequence[float], numpy.ndarray]
    """Acceleration of the fluid along x and y in m/s^2, as by gravity or by a pressure gradient
    over the density; in place of `body_force` in a case in SI units. / Acceleration of the fluid
    along x, y and z in m/s^2, as by gravity or by a pressure gradient over the density; in place of
    `body_force` in a case in SI units."""
    body_force: Union[Sequence[float], numpy.ndarray]
    """Force per unit volume along x and y, in lattice units. / Force per unit volume along x, y and
    z, in lattice units. / Force per unit mass along x, y and z. It acts on the equilibrium part of
    the distribution. In v_ref^2 / L (SI: m/s^2)."""
    conservation: Literal['equilibrium', 'distribution', 'none']
    """Correction after the collisions that conserves mass, momentum and energy. equilibrium: a
    polynomial times the equilibrium distribution. distribution: a polynomial times the
    distribution, Frezzotti 2010, eq. (25). none: no correction."""
    conservative: bool
    """true: the discrete target has exactly the density, momentum and energy of the gas. For bgk
    the Maxwellian is fitted by Newton's method in every cell; other targets get a linear
    correction. / true: the discrete target has the density, momentum and energy of the gas, by
    Newton's method in every cell, so that as much flows out as in and collisions are no source of
    heat. Exactly with the models bgk and shakhov, but for squares of the stress with es-bgk.
    Default: true where a side is open, and from a rarefaction parameter of 1 over the shortest side
    of the box on, without axes whose sides are both periodic or mirrors."""
    equilibrium_part: Literal['sampled', 'exact']
    """Treatment of the equilibrium part of the deviation, the combination of collision invariants
    that exact collisions do not change. sampled: it takes part in the sampled collisions, so that
    noise and the size of the velocity cells change it. exact: it is removed before the collisions
    and restored after them, in two more passes over the distribution; requires `form`
    linearised."""
    estimator: Literal['reversible', 'one-way']
    """reversible: each sampled collision also stands for its inverse, which reduces noise. one-way:
    the collision alone, as in Frezzotti 2010, eq. (23)."""
    flow_control: CaseCollisionFlowControl
    """Holds the mean velocity of the fluid along a periodic axis: the program finds the body force
    along it, which the monitor `driving_force` shows."""
    forcing: Literal['guo', 'velocity-shift']
    """guo: the forcing scheme of Guo, Zheng, Shi (2002). velocity-shift: the equilibrium velocity
    is shifted by relaxation time x force / density (Gomes 2016, eq. 18)."""
    form: Literal['nonlinear', 'linearised']
    """nonlinear: the full Boltzmann equation. linearised: without the products of deviations from
    equilibrium."""
    interpolation: Literal['constant', 'linear']
    """Interpolation of the deviation from equilibrium between velocity nodes. constant: constant in
    each velocity cell, as in Frezzotti 2010. linear: linear in the mean over samples; viscosity and
    conductivity are then accurate on coarser grids, but noise can grow in nearly continuous
    gases."""
    magic: float
    """Magic parameter of trt, (tau_1 - 1/2)(tau_2 - 1/2) of its two relaxation times. With 3/16
    half-way walls are exactly half-way in Poiseuille flow."""
    model: Literal['bgk', 'shakhov', 'es-bgk']
    """Model of the collision term. bgk: relaxation to a Maxwellian, with Prandtl number 1. shakhov,
    es-bgk: relaxation to a target that gives the Prandtl number `gas.prandtl`."""
    operator: Literal['bgk', 'trt', 'recursive-regularised', 'cascaded', 'cumulant', 'cumulant-parametrised']
    """bgk: one relaxation time for all moments. trt: two relaxation times, the second one set by
    `magic`. recursive-regularised: one relaxation time, with the non-equilibrium part rebuilt from
    the stress up to third order. / bgk: one relaxation time for all moments. trt: two relaxation
    times, the second one set by `magic`. cascaded: relaxation of central moments; D3Q27 only.
    cumulant: relaxation of cumulants, with the viscosity corrected at finite velocity; D3Q27 only.
    cumulant-parametrised: relaxation of cumulants with rates that make diffusion fourth-order
    accurate; D3Q27 only. recursive-regularised: one relaxation time, with the non-equilibrium part
    rebuilt from the stress up to third order."""
    positivity: Literal['none', 'limited']
    """none: a sampled collision may take more molecules from a velocity cell than it holds.
    limited: it is slowed so that it takes at most half of them, for flows far from equilibrium;
    requires `form` nonlinear and `interpolation` constant."""
    sample_temperature: float
    """Temperature of the Maxwellian from which collisions are sampled, over T_ref. Above 1, fast
    molecules get more samples of smaller weight, and the noise of the others grows a little."""
    samples: int
    """Number N_t of collisions sampled in a step. All cells use the same samples."""
    seed: int
    """Seed of the random numbers. Runs with the same seed use the same samples."""
    sequence: Literal['random', 'quasi-random']
    """random: independent samples (Philox4x32-10). quasi-random: the R-sequence with a random shift
    in every step."""
    smagorinsky: float
    """Smagorinsky constant of the eddy viscosity, for 'bgk', 'trt'. A usual value is 0.1; 0: no
    eddy viscosity."""
    temperature_gradient: Union[Sequence[float], numpy.ndarray]
    """Gradient of ln T along x, y and z at constant pressure, which drives thermal creep along an
    endless channel: walls and gas have it besides what is computed, which is the state where T is
    T_ref. For small gradients. Requires model shakhov, collisions, and periodic sides or no cells
    along its axis. For the bgk model set `gas.prandtl` 1. In 1 / L (SI: 1/m)."""
    update: Literal['explicit', 'sequential']
    """explicit: all collisions of a step act on the distribution at its start, Frezzotti 2010, eq.
    (24). sequential: each collision acts on the result of the one before, Algorithm 3."""
    wale: float
    """Constant C of the eddy viscosity by WALE (Nicoud and Ducros 1999), which is small close to
    walls and 0 in shear flow, for 'bgk', 'trt', 'cumulant'. A usual value is 0.5; 0: no eddy
    viscosity."""
    wale_interval: int
    """Steps from one evaluation of the eddy viscosity by WALE to the next. An evaluation takes
    about a quarter of the time of a step on a GPU."""

class CaseDomainX(TypedDict, total=False):
    cells: int
    """Number of cells of the segment."""
    length: float
    """Length of the segment. In L (SI: m)."""
    ratio: float
    """Ratio of the width of a cell to that of the cell before it."""

class CaseDomain(TypedDict, total=False):
    cells: Union[Sequence[int], numpy.ndarray]
    """Number of cells along each axis: one number for a one-dimensional domain, two for x and y,
    three for x, y and z. / Number of equal cells along each axis: one number for a one-dimensional
    domain, two for x and y, three for x, y and z."""
    finest_x: Literal['both', 'low', 'high']
    """Side at which the cells along x are finest: both sides, the low or the high side."""
    finest_y: Literal['both', 'low', 'high']
    """Side at which the cells along y are finest: both sides, the low or the high side."""
    finest_z: Literal['both', 'low', 'high']
    """Side at which the cells along z are finest: both sides, the low or the high side."""
    nodes: Union[Sequence[int], numpy.ndarray]
    """Number of nodes along x and y. The length unit of the case is then the node spacing. / Number
    of nodes along x, y and z. The length unit of the case is then the node spacing."""
    nodes_across: float
    """Number of nodes across the length `fluid.si.length`, for cases in SI units, in place of
    `spacing` or `resolution`."""
    origin: Union[Sequence[float], numpy.ndarray]
    """Lower corner of the domain. Default: zero. In L (SI: m)."""
    progression: Union[Sequence[float], numpy.ndarray]
    """Ratio of the width of a cell to that of its coarser neighbour, along the same axes. Cells are
    finest where `finest_x`, `finest_y` and `finest_z` say. Default: 1, equal cells."""
    resolution: float
    """Number of nodes per length unit. Requires `size`."""
    size: Union[Sequence[float], numpy.ndarray]
    """Extents of the domain along x and y in a length unit of your choice. Requires `resolution`. /
    Extents of the domain along x, y and z in a length unit of your choice. Requires `resolution`. /
    Extents of the domain along the same axes. Default: L along x, and cells of the same width along
    the other axes. In L (SI: m)."""
    spacing: float
    """Node spacing in metres, for cases in SI units, which give `fluid.si`. In `lbm_d3q27` also for
    a permeability in m^2 in other cases."""
    x: Union[Sequence[CaseDomainX], numpy.ndarray]
    """Segments of cells along x, in ascending order, instead of `cells` and `size`. If one axis has
    segments, all have."""
    y: Union[Sequence[CaseDomainX], numpy.ndarray]
    """Segments of cells along y, in ascending order, instead of `cells` and `size`. If one axis has
    segments, all have."""
    z: Union[Sequence[CaseDomainX], numpy.ndarray]
    """Segments of cells along z, in ascending order, instead of `cells` and `size`. If one axis has
    segments, all have."""

class CaseFluidSi(TypedDict, total=False):
    density: float
    """Density in kg/m^3; needs no `fluid.name`."""
    kinematic_viscosity: float
    """Kinematic viscosity in m^2/s. Give this, `viscosity` or `fluid.name`."""
    length: float
    """Characteristic length in m, of the Reynolds number and of drag and lift coefficients, which
    in three dimensions refer to its square. Default: the extent along y."""
    mach: float
    """Mach number of the flow in the lattice, which sets the time step: its square is about the
    error that compressibility makes, and half of it takes twice as many steps. Default: 0.1, or
    less, so that the relaxation time is at most 1."""
    time_step: float
    """Time step in s. Give this, `mach` or none."""
    velocity: float
    """Characteristic velocity in m/s: about the highest that is expected."""
    viscosity: float
    """Viscosity in Pa s. Give this, `kinematic_viscosity` or `fluid.name`."""

class CaseFluidSlip(TypedDict, total=False):
    first_order: float
    """First slip coefficient of a diffuse wall. The default is that of the models of Bhatnagar,
    Gross and Krook and of Shakhov; hard spheres have 1.11."""
    second_order: float
    """Second slip coefficient. The default gives the flow rates of these models through a plane
    channel; hard spheres have 0.31. It sets the magic parameter of trt."""

class CaseFluid(TypedDict, total=False):
    kinematic_viscosity: float
    """Kinematic viscosity in node spacings^2 per step."""
    knudsen: float
    """Knudsen number, in place of a viscosity: mean free path over `length`. The mean free path is
    viscosity / pressure x sqrt(pi R T / 2), so that this is sqrt(pi) / (2 delta) as in the methods
    for gases."""
    length: float
    """Characteristic length, in the case's length unit, of the Reynolds number and of drag and lift
    coefficients, which in three dimensions refer to its square. Default: the extent along y."""
    name: Literal['other', 'water', 'air']
    """Fluid at 20 degrees Celsius and 101325 Pa whose density and viscosity are known; requires
    `si`. other: a fluid that the other keys describe."""
    relaxation_time: float
    """Relaxation time in steps; the kinematic viscosity is (relaxation_time - 1/2) / 3."""
    reynolds: float
    """Reynolds number: `velocity` x `length` / kinematic viscosity."""
    si: CaseFluidSi
    """The fluid in SI units, in place of the other keys but `name`. All values of the case are then
    in SI units: lengths in m, velocities in m/s, pressures in Pa, times in s. So are the results.
    The program chooses the time step."""
    slip: CaseFluidSlip
    """Slip of the gas at walls with `accommodation`: the velocity along such a wall, less that of
    the wall, is first_order x (2 - accommodation) / accommodation x (0.8808 + 0.1192 accommodation)
    x mean free path x its first derivative along the normal into the gas - second_order x mean free
    path^2 x its second derivative."""
    velocity: float
    """Characteristic velocity in node spacings per step. All other velocities of the case are in
    units of it, or in node spacings per step if it is neither given nor derived."""

class CaseGasRotation(TypedDict, total=False):
    collision_number: float
    """Rotational collision number Z: the rotational temperature approaches the translational one in
    Z collision times pi mu / (4 p), by Jeans's law."""
    degrees_of_freedom: float
    """Degrees of freedom of the rotation: 2 for linear molecules such as N2, 3 for others. The
    ratio of the specific heats is 1 + 2 / (3 + this number)."""

class CaseGasSi(TypedDict, total=False):
    length: float
    """Length L in m; all lengths of the case are in units of it."""
    molecule_diameter: float
    """Diameter of a hard-sphere molecule in m. It gives the reference viscosity 5/16 sqrt(pi m k T)
    / (pi d^2). Give this, `viscosity` or `gas.name`."""
    molecule_mass: float
    """Mass of a molecule in kg; needs no `gas.name`."""
    pressure: float
    """Reference pressure in Pa."""
    temperature: float
    """Reference temperature in K."""
    viscosity: float
    """Viscosity at the reference temperature in Pa s. Give this, `molecule_diameter` or
    `gas.name`."""

class CaseGas(TypedDict, total=False):
    knudsen: float
    """Knudsen number sqrt(pi) / (2 delta). Give either this or `rarefaction`."""
    law: Literal['hard-sphere', 'maxwell', 'argon', 'soft-sphere']
    """Viscosity law mu_ref (T / T_ref)^omega with omega = 0.5 for hard-sphere, 1 for maxwell, 0.81
    for argon, 0.74 for soft-sphere (Frezzotti 2009)."""
    name: Literal['other', 'helium', 'neon', 'argon', 'krypton', 'xenon', 'nitrogen', 'oxygen', 'air', 'carbon-dioxide']
    """Gas whose molecular mass, viscosity and viscosity law are known (Bird 1994, Tables A1 and
    A2). other: a gas that the other keys describe. Gases of several atoms are computed without
    their internal energy, with a warning, unless a method has `rotation`."""
    omega: float
    """Exponent omega of the viscosity law, instead of `law`. / Exponent of the viscosity law (T /
    T_ref)^omega. 0.5: hard spheres. Up to 1: variable hard spheres. Default: that of `name`, else
    0.5."""
    prandtl: float
    """Prandtl number, for the models shakhov and es-bgk. Default: 2/3, with `rotation` 4 gamma / (9
    gamma - 5) (Eucken)."""
    rarefaction: float
    """Rarefaction parameter delta = p_ref L / (mu_ref sqrt(2 R T_ref)), where L is the unit of
    length. 0: free-molecular flow without collisions. Give either this or `knudsen`."""
    rotation: CaseGasRotation
    """Molecules rotate and take up rotational energy (Andries et al. 2000). Requires model es-bgk.
    {} takes the defaults. Without this block the gas is monatomic."""
    si: CaseGasSi
    """Reference state in SI units, which gives the rarefaction parameter; instead of `rarefaction`
    or `knudsen`. All other values of the case are in units of this state, or with `units` 'si' in
    SI units."""

class CaseGeometryFlowPlanes(TypedDict, total=False):
    axis: Literal['x', 'y', 'z']
    """Axis normal to the plane."""
    name: str
    """Name of the plane: letters, digits, '_' and '-', at most 100. Unique, not the name of a side
    or solid. The monitor is '<name>.flow_rate'."""
    position: float
    """Position on that axis, in the case's length unit."""

class CaseGeometrySolidsConduction(TypedDict, total=False):
    conductivity: float
    """Thermal conductivity in W/(m K), in place of `conductivity_ratio`. Requires
    `heat.volumetric_heat_capacity`."""
    conductivity_ratio: float
    """Thermal conductivity over that of the fluid."""
    heat_capacity_ratio: float
    """Density x heat capacity over that of the fluid. A steady state does not depend on it.
    Default: 1."""
    initial_temperature: float
    """Temperature of the solid at step 0. Default: `initial.temperature`. A temperature in
    `initial_fields` takes precedence."""
    volumetric_heat_capacity: float
    """Density x heat capacity in J/(m^3 K), in place of `heat_capacity_ratio`. Requires
    `heat.volumetric_heat_capacity`."""

CaseGeometrySolidsParts = TypedDict('CaseGeometrySolidsParts', {
    'angles_degrees': Union[Sequence[float], numpy.ndarray],
    'cells': Union[Sequence[int], numpy.ndarray],
    'centre': Union[Sequence[float], numpy.ndarray],
    'container': Literal['box', 'tube-x', 'tube-y', 'tube-z'],
    'count': int,
    'file': str,
    'from': Union[Sequence[float], numpy.ndarray],
    'infinite': bool,
    'inverted': bool,
    'lattice': Literal['simple', 'body-centred', 'face-centred'],
    'normal': Union[Sequence[float], numpy.ndarray],
    'open_surface': Literal['refuse', 'warn'],
    'point': Union[Sequence[float], numpy.ndarray],
    'porosity': float,
    'radius': float,
    'scale': float,
    'seed': int,
    'semi_axes': Union[Sequence[float], numpy.ndarray],
    'shape': Literal['sphere', 'ellipsoid', 'box', 'cylinder', 'half-space', 'sphere-array', 'sphere-packing', 'stl'],
    'to': Union[Sequence[float], numpy.ndarray],
    'translate': Union[Sequence[float], numpy.ndarray],
    'tube_radius': float,
    'volume_fraction': float,
}, total=False)

CaseGeometrySolids = TypedDict('CaseGeometrySolids', {
    'accommodation': float,
    'angle_degrees': float,
    'angles_degrees': Union[Sequence[float], numpy.ndarray],
    'at': Union[Sequence[int], numpy.ndarray],
    'cells': Union[Sequence[int], numpy.ndarray],
    'centre': Union[Sequence[float], numpy.ndarray],
    'cercignani_lampis': CaseBoundariesBottomCercignaniLampis,
    'conduction': CaseGeometrySolidsConduction,
    'container': Literal['box', 'tube-x', 'tube-y', 'tube-z'],
    'count': int,
    'endian': Literal['little', 'big'],
    'file': str,
    'from': Union[Sequence[float], numpy.ndarray],
    'heat_flux': float,
    'heat_transfer_coefficient': float,
    'infinite': bool,
    'inverted': bool,
    'lattice': Literal['simple', 'body-centred', 'face-centred'],
    'name': str,
    'normal': Union[Sequence[float], numpy.ndarray],
    'open_surface': Literal['refuse', 'warn'],
    'parts': Union[Sequence[CaseGeometrySolidsParts], numpy.ndarray],
    'point': Union[Sequence[float], numpy.ndarray],
    'points': Union[Sequence[float], numpy.ndarray],
    'porosity': float,
    'radius': float,
    'scale': float,
    'seed': int,
    'semi_axes': Union[Sequence[float], numpy.ndarray],
    'shape': Literal['circle', 'ellipse', 'box', 'polygon', 'half-plane', 'image', 'node-map', 'sphere', 'ellipsoid', 'cylinder', 'half-space', 'sphere-array', 'sphere-packing', 'stl', 'union', 'voxel-image'],
    'size': Union[Sequence[int], numpy.ndarray],
    'solid': Literal['dark', 'light', 'high', 'low'],
    'temperature': float,
    'threshold': int,
    'to': Union[Sequence[float], numpy.ndarray],
    'translate': Union[Sequence[float], numpy.ndarray],
    'tube_radius': float,
    'type': Literal['uint8', 'uint16'],
    'velocity': Union[Sequence[float], numpy.ndarray],
    'volume_fraction': float,
}, total=False)

class CaseGeometry(TypedDict, total=False):
    flow_planes: Union[Sequence[CaseGeometryFlowPlanes], numpy.ndarray]
    """Planes through which the flow rate is a monitor."""
    solids: Union[Sequence[CaseGeometrySolids], numpy.ndarray]
    """Solid bodies. Where they overlap, the later one wins."""
    surface: Literal['whole-cells', 'cut-cells']
    """whole-cells: bodies consist of the cells whose centres they cover. cut-cells: surfaces cut
    cells where they are; a cell keeps the share of its volume and faces that is open, and a plane
    piece of the surface. Boxes may then end anywhere, images are not available."""
    walls: Literal['half-way', 'full-way', 'interpolated', 'implicit']
    """half-way: bounce-back, with the wall half-way between a fluid and a solid node. full-way: the
    same position, but populations turn round in the solid node. interpolated: second-order bounce-
    back at the shape's surface. / implicit: bounce-back with the wall half-way between a fluid and
    a solid node, without work in solid nodes; populations return after two steps. half-way: the
    same wall, they return after one step. interpolated: second-order bounce-back at the shape's
    surface."""

class CaseHeat(TypedDict, total=False):
    diffusivity: float
    """Thermal diffusivity, or that of a concentration, in node spacings^2 per step (SI: m^2/s).
    Give this or `prandtl`."""
    expansion: float
    """Thermal expansion: relative decrease of the density in a unit of temperature. The buoyancy is
    that of Boussinesq. Requires `gravity`."""
    gravity: Union[Sequence[float], numpy.ndarray]
    """Gravity: with `expansion` the acceleration in node spacings per step^2 (SI: m/s^2), with
    `rayleigh` its direction. Without it the temperature is a passive scalar."""
    lattice: Literal['D2Q5', 'D3Q7']
    """Lattice of the temperature. One without gravity on D2Q9 is one of `scalars`. / Lattice of the
    temperature. One without gravity on D3Q19 is one of `scalars`."""
    magic: float
    """Product of (relaxation time - 1/2) of the symmetric and the antisymmetric populations of the
    scalar."""
    prandtl: float
    """Prandtl (or Schmidt) number: kinematic viscosity / diffusivity."""
    rayleigh: float
    """Rayleigh number, gravity x expansion x `temperature_difference` x `fluid.length`^3 /
    (kinematic viscosity x diffusivity), in place of `expansion`. Requires `gravity`."""
    reference_temperature: float
    """Temperature at which there is no buoyancy, and of what enters and of the start where the case
    gives none. In single precision, choose one amid those of the flow. Required in SI units."""
    temperature_difference: float
    """Temperature difference of Rayleigh and Nusselt numbers."""
    volumetric_heat_capacity: float
    """Density x heat capacity of the fluid in J/(m^3 K), in cases in SI units. With it heat fluxes
    of walls and solids are in W/m^2, their heat transfer coefficients in W/(m^2 K) and the results
    `heat_flow` in W (in two dimensions W/m), and `conduction` may be given in SI units. Without it
    they are over density x heat capacity."""

class CaseInitialLeft(TypedDict, total=False):
    density: float
    """Density. Give this or `pressure`. In rho_ref (SI: kg/m^3)."""
    pressure: float
    """Pressure, in place of the density. In p_ref (SI: Pa)."""
    temperature: float
    """Temperature. In T_ref (SI: K)."""
    velocity: Union[Sequence[float], numpy.ndarray]
    """Velocity along x, y and z. In v_ref (SI: m/s)."""

class CaseInitialWave(TypedDict, total=False):
    amplitude: float
    """Amplitude: of a shear wave in v_ref (SI: m/s), of a thermal wave in T_ref (SI: K)."""
    kind: Literal['shear', 'thermal']
    """shear: wave of the velocity along y. thermal: wave of the temperature at constant
    pressure."""

class CaseInitial(TypedDict, total=False):
    amplitude: float
    """Largest velocity, in characteristic velocities, or in m/s in a case in SI units. Default: the
    characteristic velocity. / Largest velocity along x, in characteristic velocities, or in m/s in
    a case in SI units. Default: the characteristic velocity. / Largest velocity component, in
    characteristic velocities, or in m/s in a case in SI units. Default: the characteristic
    velocity."""
    density: float
    """Density. Give this or `pressure`. In rho_ref (SI: kg/m^3)."""
    left: CaseInitialLeft
    """State at lower x."""
    mach: float
    """Mach number of the upstream state. / Mach number of the stream."""
    position: float
    """Position along x, as a fraction of the domain."""
    pressure: float
    """Pressure, in place of the density. In p_ref (SI: Pa)."""
    right: CaseInitialLeft
    """State at higher x."""
    seed: int
    """Seed of the random numbers. The same seed gives the same state."""
    temperature: float
    """Temperature of the fluid, in cases with `heat`. Default: `heat.reference_temperature`. For
    one that depends on the place see `initial_fields`. / Temperature. In T_ref (SI: K)."""
    type: Literal['rest', 'uniform', 'taylor-green', 'shear-layer', 'noise', 'step', 'shock', 'stream']
    """Kind of initial state."""
    velocity: Union[Sequence[float], numpy.ndarray]
    """Velocity [u, v], in characteristic velocities, or in m/s in a case in SI units. / Velocity
    [u, v, w], in characteristic velocities, or in m/s in a case in SI units. / Velocity along x, y
    and z. In v_ref (SI: m/s)."""
    wave: CaseInitialWave
    """Sine wave along x with one period over the length of the domain, added to the state."""
    wave_numbers: Union[Sequence[int], numpy.ndarray]
    """Number of waves along x and y. Default: [1, 1]. / Number of waves along x, y and z; 0 along z
    gives a plane flow. Default: [1, 1, 1]."""
    width: float
    """Width of a layer, as a fraction of the extent along y."""

class CaseInitialFields(TypedDict, total=False):
    density: Union[float, str]
    """Density, in the unit of the method, or in kg/m^3 in a case in SI units."""
    file: str
    """CSV file in place of formulas. A header line names its columns: the coordinates on which the
    values depend, of x, y and z, and quantities, by the names of these keys. Its rows are the
    points of a grid in any order, between which values are interpolated linearly. Lines that start
    with # are comments. Or a field file of a run, fields_<step>.vtkhdf, with as many cells along
    each axis."""
    temperature: Union[float, str]
    """Temperature, in the unit of the method, or in K in a gas case in SI units: positive for
    gases, any for lattice cases with `heat`."""
    velocity_x: Union[float, str]
    """Velocity along x, in the unit of the method, or in m/s in a case in SI units; 0 if only
    others are given."""
    velocity_y: Union[float, str]
    """Velocity along y, likewise."""
    velocity_z: Union[float, str]
    """Velocity along z, likewise."""

class CaseOutputFields(TypedDict, total=False):
    every: int
    """Steps between field files. 0: only one, at the end."""
    quantities: Union[Sequence[str], numpy.ndarray]
    """Fields to write, as shown by `knudsen list`. Default: chosen by the method."""
    write: bool
    """false: write no field files."""

CaseOutputProbes = TypedDict('CaseOutputProbes', {
    'at': Union[Sequence[float], numpy.ndarray],
    'begin': Union[Sequence[float], numpy.ndarray],
    'corner': Union[Sequence[float], numpy.ndarray],
    'end': Union[Sequence[float], numpy.ndarray],
    'every': int,
    'first': Union[Sequence[float], numpy.ndarray],
    'from': int,
    'from_time': float,
    'kind': Literal['point', 'line', 'plane'],
    'name': str,
    'points': Union[int, Sequence[int], numpy.ndarray],
    'quantities': Union[Sequence[str], numpy.ndarray],
    'second': Union[Sequence[float], numpy.ndarray],
    'spectrum': bool,
}, total=False)

class CaseOutputProfilesReference(TypedDict, total=False):
    file: str
    """CSV file with a header line. Lines that start with # are comments."""
    position: str
    """Name of the column with the positions, in the same unit as the profile's."""
    value: str
    """Name of the column with the values, in the same unit as the profile's."""

class CaseOutputProfiles(TypedDict, total=False):
    along: Literal['x', 'y', 'z']
    """Axis along which the line runs."""
    at: Union[Sequence[float], numpy.ndarray]
    """Position of the line on the other axes, in the order x, y, z, as fractions of the domain.
    Default: 0.5."""
    name: str
    """Name of the profile: letters, digits, '_' and '-', at most 100. Unique. Its file is
    profile_<name>.csv."""
    normalised: bool
    """true: positions in units of the characteristic length, values in units of the characteristic
    velocity or density. false: both in the units of the method."""
    quantity: str
    """Field of the method, or one component of it by its suffix, e.g. velocity_x."""
    reference: CaseOutputProfilesReference
    """Reference values with which the profile is compared."""

class CaseOutputSeries(TypedDict, total=False):
    average_from: int
    """Step from which the monitors are averaged over the rows of the series. The results at the end
    of the run then have for each of them <name>.mean, <name>.rms, the root mean square of the
    fluctuation, and <name>.mean_error, the standard error of the mean."""
    average_from_time: float
    """Time from which they are averaged, in place of `average_from`, in the unit of time of the
    field files."""
    every: int
    """Steps between rows. 0: one row at each check. The last step of a run always has a row."""
    quantities: Union[Sequence[str], numpy.ndarray]
    """Monitors to write. `knudsen list` shows those of every case; sides, solids and planes add
    more. Default: chosen by the method."""

class CaseOutputSnapshotsPictures(TypedDict, total=False):
    colour_map: Literal['viridis', 'inferno', 'coolwarm']
    """Colour map from the lowest to the highest value."""
    maximum: float
    """Value with the highest colour. Default: the largest value in the picture."""
    minimum: float
    """Value with the lowest colour. Default: the smallest value in the picture."""
    quantity: str
    """Field of the method, or one component of it by its suffix, e.g. velocity_x."""

class CaseOutputSnapshots(TypedDict, total=False):
    every: int
    """Steps between pictures of the same quantity. 0: only one, at the end."""
    pictures: Union[Sequence[CaseOutputSnapshotsPictures], numpy.ndarray]
    """The pictures, one for each quantity."""

CaseOutputStatistics = TypedDict('CaseOutputStatistics', {
    'covariance': Union[Sequence[Union[Sequence[str], numpy.ndarray]], numpy.ndarray],
    'every': int,
    'from': int,
    'from_time': float,
    'mean': Union[Sequence[str], numpy.ndarray],
    'rms': Union[Sequence[str], numpy.ndarray],
}, total=False)

class CaseOutput(TypedDict, total=False):
    directory: str
    """Directory of the results, relative to the current directory. Default: results/<name of the
    case file>."""
    fields: CaseOutputFields
    """Field files in VTKHDF format for ParaView, fields_<step>.vtkhdf."""
    probes: Union[Sequence[CaseOutputProbes], numpy.ndarray]
    """Values at points, lines and planes, sampled in time, probes.h5."""
    profiles: Union[Sequence[CaseOutputProfiles], numpy.ndarray]
    """Values along lines through the domain at the end of the run, profile_<name>.csv."""
    series: CaseOutputSeries
    """Time series of monitors, series.csv."""
    snapshots: CaseOutputSnapshots
    """PNG pictures of fields, <quantity>_<step>.png."""
    statistics: CaseOutputStatistics
    """Averages over samples of the run, in every cell, statistics.vtkhdf. They are written when the
    run ends and are part of checkpoints."""
    surface: bool
    """true: with each field file also write what acts on each face of sides and solids, for
    ParaView, surface_<step>.vtkhdf. Only methods for gases."""
    units: Literal['of-case', 'reference', 'si']
    """Units of all results: fields, series, profiles, pictures, numbers at the end. of-case: SI
    units for a case in SI units, of gases by `units` 'si', of lattices by `fluid.si`, else those of
    the method. reference: those of the method, relative to the reference state of gases. si: SI
    units. Requires a case that gives its reference state in SI units, `gas.si` or `fluid.si`."""

class CaseParallel(TypedDict, total=False):
    patience: float
    """Seconds that a rank waits for an answer of another one before the run fails, since the other
    one hangs. Must be longer than a step takes, and than reading or writing a file."""
    piece: float
    """Size in MiB of the pieces in which ranks write and read checkpoints and pass fields to each
    other. No rank holds more of them than its own part and a few pieces."""
    transport: Literal['auto', 'peer', 'mpi', 'host']
    """How values go between GPUs. peer: from GPU to GPU within a node. mpi: by an MPI that knows
    GPUs. host: through memory of the host. auto: the first of these that works."""

class CaseProbes(TypedDict, total=False):
    at: Union[Sequence[float], numpy.ndarray]
    """Position along each axis, as a fraction of the domain. The distribution of the cell there is
    written."""

class CasePropagationCoarseStartVelocityGridX(TypedDict, total=False):
    centre: float
    """Centre of the quadrature's Gaussian weight function. In v_ref (SI: m/s)."""
    innermost: float
    """Upper end of the panel next to zero. In v_ref (SI: m/s)."""
    maximum: float
    """Upper limit. In v_ref (SI: m/s). / Upper limit, and minus the lower one. In v_ref (SI:
    m/s)."""
    minimum: float
    """Lower limit. In v_ref (SI: m/s)."""
    panel_nodes: int
    """Velocities of a panel. `count` is twice as many times the panels of a half."""
    ratio: float
    """Ratio of the width of the outermost cells to that of the innermost."""
    rule: Literal['midpoint', 'trapezoid']
    """midpoint: velocities at the centres of equal cells. trapezoid: velocities from the lower to
    the upper limit, with half weights at both."""
    temperature: float
    """Temperature of the Maxwellian that is the quadrature's weight function. In T_ref (SI: K)."""
    type: Literal['uniform', 'stretched', 'gauss-hermite', 'half-range', 'graded']
    """Placement of the velocities."""

class CasePropagationCoarseStartVelocityGrid(TypedDict, total=False):
    centre: Union[Sequence[float], numpy.ndarray]
    """Centre of the quadrature's Gaussian weight function along x, y and z. In v_ref (SI: m/s)."""
    count: Union[Sequence[int], numpy.ndarray]
    """Number of velocities along x, y and z. With `reduced`, along the axes of the domain."""
    innermost: Union[Sequence[float], numpy.ndarray]
    """Upper end of the panel next to zero along x, y and z. In v_ref (SI: m/s)."""
    maximum: Union[Sequence[float], numpy.ndarray]
    """Upper limit along x, y and z. In v_ref (SI: m/s). / Upper limit, and minus the lower one
    along x, y and z. In v_ref (SI: m/s)."""
    minimum: Union[Sequence[float], numpy.ndarray]
    """Lower limit along x, y and z. In v_ref (SI: m/s)."""
    panel_nodes: int
    """Velocities of a panel. `count` is twice as many times the panels of a half."""
    ratio: Union[Sequence[float], numpy.ndarray]
    """Ratio of the width of the outermost cells to that of the innermost along x, y and z."""
    rule: Literal['midpoint', 'trapezoid']
    """midpoint: velocities at the centres of equal cells. trapezoid: velocities from the lower to
    the upper limit, with half weights at both."""
    temperature: float
    """Temperature of the Maxwellian that is the quadrature's weight function. In T_ref (SI: K)."""
    type: Literal['uniform', 'stretched', 'gauss-hermite', 'half-range', 'graded']
    """Placement of the velocities."""
    x: CasePropagationCoarseStartVelocityGridX
    """Another placement along x, of as many velocities as `count` says."""
    y: CasePropagationCoarseStartVelocityGridX
    """Another placement along y, of as many velocities as `count` says."""
    z: CasePropagationCoarseStartVelocityGridX
    """Another placement along z, of as many velocities as `count` says."""

class CasePropagationCoarseStart(TypedDict, total=False):
    iterations: int
    """Largest number of iterations of the coarse start."""
    tolerance: float
    """Relative change of density, momentum and energy in one iteration at which the coarse start
    ends."""
    velocity_grid: CasePropagationCoarseStartVelocityGrid
    """Grid of discrete velocities."""

class CasePropagation(TypedDict, total=False):
    acceleration: Literal['automatic', 'none', 'synthetic', 'asymptotic-preserving']
    """automatic: synthetic where the gas is dense enough for it to pay, with a rarefaction
    parameter of at least 1 over the shortest side of the box, and none else or with scheme
    'slices'. synthetic: after each sweep macroscopic equations correct density, velocity and
    temperature, so that few iterations suffice at any rarefaction. The converged solution is that
    of none. asymptotic-preserving: the same where cells are finer than the mean free path; on cells
    of many mean free paths the solution is that of the equations of Navier and Stokes with slip at
    walls."""
    coarse_start: CasePropagationCoarseStart
    """Iterations on a coarser velocity grid first. The iterations on the full grid start from their
    result."""
    courant: float
    """Largest Courant number of the time step: the sum over the axes or, with `split`, the largest
    of the axes. Values above 1 are possible in one dimension and with `split`, since streaming then
    shifts by whole cells exactly. / Largest Courant number of the time step: the sum over the axes
    or, with order 2, the largest of the axes."""
    lattice: Literal['D3Q27', 'D3Q19']
    """Set of discrete velocities."""
    limiter: Literal['van-leer', 'minmod', 'none']
    """Slope limiter of order 2."""
    nodes: Literal['dense', 'sparse']
    """dense: memory for every node of the domain. sparse: memory only for fluid nodes and the few
    nodes next to them, with three neighbour indices a node; requires the scheme esoteric-twist."""
    order: int
    """Order of the streaming scheme. 1: upwind, keeps the distribution positive. 2: linear
    reconstruction with limited slopes, along one axis after the other or, in an IMEX scheme, along
    all axes at once. / Order of the upwind differences. Order 2 keeps a third slice of the
    distribution in memory. / Order of the streaming scheme. 1: upwind. 2: linear reconstruction in
    the cells, along one axis after the other."""
    relaxation_fraction: float
    """Largest time step as a fraction of the shortest relaxation time. Not for the IMEX schemes. /
    Largest time step as a fraction of the mean free time of the fastest molecules."""
    scheme: Literal['in-place', 'two-array', 'shared-memory', 'esoteric-twist', 'esoteric-pull', 'aa-pattern', 'fused', 'separate', 'tiles', 'pencils', 'slices']
    """in-place: one array of populations (AA pattern). two-array: pull from one array into another.
    shared-memory: collision and propagation in scratch memory, then exchange between row segments
    (Toelke 2009, Gomes 2016). All give the same flow. / esoteric-twist, esoteric-pull, aa-pattern:
    in place, with one array of populations. two-array: pull from one array into another. All give
    the same flow. / fused: streaming and collision in one kernel. separate: in two kernels
    (Frezzotti 2009). tiles: in two kernels as in the paper, with the values of one velocity
    contiguous in memory; requires model bgk, order 1, no body force and no split. All give the same
    flow. / pencils: sweeps many pencils of cells at once and adds up the moments on the way.
    slices: the kernels of the paper, one slice of cells after the other; requires order 1. / fused:
    on a GPU streaming and collision in one kernel, for order 1 in two dimensions. separate: in two
    kernels (Frezzotti 2010). Both give the same flow."""
    split: bool
    """true: a step streams along one axis after the other, each with any Courant number. false:
    along all axes at once. Order 2 is always split, an IMEX scheme never."""
    time_integration: Literal['splitting', 'imex-1', 'imex-2']
    """splitting: streaming, then exact relaxation; the time step should resolve the relaxation
    time. imex-1, imex-2: implicit-explicit (IMEX) schemes of first and second order in time, with
    implicit collisions; the time step may be any number of relaxation times. imex-2 is ARS(2,2,2),
    two stages a step, and keeps a third copy of the distribution. With `geometry.surface` 'cut-
    cells' an IMEX scheme is needed; the default is then imex-1 with `order` 1, imex-2 with 2."""
    time_step: float
    """Time step. It replaces the limits `courant` and `relaxation_fraction`. In L / v_ref (SI:
    s)."""

class CaseScalarsSidesBottom(TypedDict, total=False):
    flux: float
    """What enters the fluid through a unit of area and time: a value times a velocity, in node
    spacings per step (SI: m/s). Walls and solids. Default without `value`: 0."""
    transfer_coefficient: float
    """Exchange with surroundings of the given `value`: flux over the difference to the value at the
    surface, in node spacings per step (SI: m/s). Walls and solids."""
    value: float
    """Value at the surface; with `transfer_coefficient` that of the surroundings. At an open side
    the value of what enters: default `reference_value` at a side with given velocity, else that of
    the outermost nodes, as at an outflow."""

class CaseScalarsSides(TypedDict, total=False):
    bottom: CaseScalarsSidesBottom
    """The bottom side."""
    east: CaseScalarsSidesBottom
    """The east side."""
    north: CaseScalarsSidesBottom
    """The north side."""
    south: CaseScalarsSidesBottom
    """The south side."""
    top: CaseScalarsSidesBottom
    """The top side."""
    west: CaseScalarsSidesBottom
    """The west side."""

class CaseScalarsSolids(TypedDict, total=False):
    flux: float
    """What enters the fluid through a unit of area and time: a value times a velocity, in node
    spacings per step (SI: m/s). Walls and solids. Default without `value`: 0."""
    name: str
    """Name of a solid of `geometry.solids`."""
    transfer_coefficient: float
    """Exchange with surroundings of the given `value`: flux over the difference to the value at the
    surface, in node spacings per step (SI: m/s). Walls and solids."""
    value: float
    """Value at the surface; with `transfer_coefficient` that of the surroundings. At an open side
    the value of what enters: default `reference_value` at a side with given velocity, else that of
    the outermost nodes, as at an outflow."""

class CaseScalars(TypedDict, total=False):
    diffusivity: float
    """Diffusivity in node spacings^2 per step (SI: m^2/s). Give this or `schmidt`."""
    initial: Union[float, str]
    """Value of the fluid at step 0, in node spacings (SI: m) from the lower corner of the domain.
    Default: `reference_value`. A field of that name in the file of `initial_fields` takes
    precedence."""
    lattice: Literal['D2Q5', 'D2Q9', 'D3Q7', 'D3Q19']
    """Lattice of the scalar. With D2Q9 its diffusivity does not depend on the velocity, and the
    same in all directions to higher order; it takes more memory and time. / Lattice of the scalar.
    With D3Q19 its diffusivity does not depend on the velocity, and the same in all directions to
    higher order; it takes more memory and time."""
    magic: float
    """Product of (relaxation time - 1/2) of the symmetric and the antisymmetric populations of the
    scalar."""
    name: str
    """Name of the scalar, which its field has, too: letters, digits and '_', not beginning with a
    digit. Unique, not the name of a quantity of the method."""
    reference_value: float
    """Value from which the populations store the difference. In single precision, choose one amid
    those of the flow."""
    schmidt: float
    """Schmidt number: kinematic viscosity / diffusivity."""
    sides: CaseScalarsSides
    """What the sides of the domain do to the scalar. The kinds of sides are those of `boundaries`.
    Default: walls let nothing through."""
    solids: Union[Sequence[CaseScalarsSolids], numpy.ndarray]
    """What solids do to the scalar. Default: they let nothing through."""

class CaseStatistics(TypedDict, total=False):
    every: int
    """Steps between two samples of the average."""
    from_step: int
    """First step that is averaged."""

class CaseStopCriteria(TypedDict, total=False):
    quantity: str
    """Monitor of the method. `knudsen list` shows those of every case; sides, solids and planes add
    more."""
    tolerance: float
    """Largest value for which the criterion holds. For monitors that are themselves a change per
    step, e.g. velocity_change, it is compared with the value; for others with the relative change
    since the previous check."""

class CaseStop(TypedDict, total=False):
    check_every: int
    """Steps between checks for divergence and of `criteria`."""
    criteria: Union[Sequence[CaseStopCriteria], numpy.ndarray]
    """Convergence criteria. The run stops at the first check at which all of them hold."""
    steps: int
    """Last step. The run ends earlier at `time`, if its criteria hold, at `wall_seconds`, or by a
    signal. Give this, `time` or both."""
    time: float
    """Time at which the run ends, with the first step that reaches it: in L / sqrt(2 R T_ref) for
    gases, in steps for lattices, in s for cases in SI units (`units`, `fluid.si`). Not for methods
    whose steps are iterations to a steady flow."""
    wall_seconds: float
    """Wall time in seconds after which the run writes a checkpoint and stops. Default: no limit."""

class CaseTuning(TypedDict, total=False):
    batch: int
    """Number of velocity blocks (512 velocities each, or 64 with `reduced`) that are swept
    together. Default: those of two octants (one octant for slices), or as many as fit into the free
    memory."""
    lanes: int
    """Largest number of cells, 1, 2 or 4, that a GPU team collides together. Default: as many as
    its scratch memory holds."""
    memory: float
    """Most memory in MB that the method may take, from which `batch` follows. The rate falls with
    it: by 3 % for half of the memory on an H200, by 11 % for 28 %, by a third for 16 %. Default:
    the free memory."""
    nodes_per_thread: int
    """Number of nodes, 1, 2 or 4, that a GPU thread processes; ignored on the host. Default: chosen
    for the kernel."""
    segment: int
    """Number of nodes of a row that one team processes. Default: chosen for the kernel. / Number of
    nodes that a host thread processes at a time. Default: chosen for the kernel."""
    single_pass: Literal['automatic', 'always', 'never']
    """Whether a step passes over the distribution only once, because it also computes the moments
    for the next step. Requires model bgk, order 1, no body force, no split and no IMEX scheme.
    automatic: from 512 velocities on, on a GPU in one or two dimensions and from 1024 cells on."""
    strip: int
    """Number of nodes of a layer that are numbered (sparse) or processed (dense, in place, on a
    GPU) before the next layer. A checkpoint of a sparse run can be read only with the same
    strip."""
    team_size: int
    """Threads of a team on a GPU; ignored on the host. Default: chosen for the kernel. / Threads of
    a team on a GPU; ignored on the host. Values above the kernel's own size, 128 or 256, count as
    that size. / Threads of a team on a GPU, a multiple of 32; ignored on the host. Default: chosen
    for the kernel."""

class CaseVelocityGrid(TypedDict, total=False):
    centre: Union[Sequence[float], numpy.ndarray]
    """Centre of the quadrature's Gaussian weight function along x, y and z. In v_ref (SI: m/s)."""
    count: Union[Sequence[int], numpy.ndarray]
    """Number of velocities along x, y and z. With `reduced`, along the axes of the domain. / Number
    of velocities along x, y and z."""
    innermost: Union[Sequence[float], numpy.ndarray]
    """Upper end of the panel next to zero along x, y and z. In v_ref (SI: m/s)."""
    maximum: Union[Sequence[float], numpy.ndarray]
    """Upper limit along x, y and z. In v_ref (SI: m/s). / Upper limit, and minus the lower one
    along x, y and z. In v_ref (SI: m/s)."""
    minimum: Union[Sequence[float], numpy.ndarray]
    """Lower limit along x, y and z. In v_ref (SI: m/s)."""
    panel_nodes: int
    """Velocities of a panel. `count` is twice as many times the panels of a half."""
    ratio: Union[Sequence[float], numpy.ndarray]
    """Ratio of the width of the outermost cells to that of the innermost along x, y and z."""
    rule: Literal['midpoint', 'trapezoid']
    """midpoint: velocities at the centres of equal cells. trapezoid: velocities from the lower to
    the upper limit, with half weights at both."""
    temperature: float
    """Temperature of the Maxwellian that is the quadrature's weight function. In T_ref (SI: K)."""
    type: Literal['uniform', 'stretched', 'gauss-hermite', 'half-range', 'graded']
    """Placement of the velocities."""
    x: CasePropagationCoarseStartVelocityGridX
    """Another placement along x, of as many velocities as `count` says."""
    y: CasePropagationCoarseStartVelocityGridX
    """Another placement along y, of as many velocities as `count` says."""
    z: CasePropagationCoarseStartVelocityGridX
    """Another placement along z, of as many velocities as `count` says."""

class CaseKeys(TypedDict, total=False):
    boundaries: CaseBoundaries
    """Boundary conditions on the four sides. / Boundary conditions on the six sides. / Boundary
    conditions on the sides of the domain."""
    checkpoint: CaseCheckpoint
    """Checkpoints from which a run can be continued, checkpoint_<step>.h5."""
    collision: CaseCollision
    """Collision operator and body force. / Collision model and body force. / Monte Carlo quadrature
    of the collision integral, and body force."""
    domain: CaseDomain
    """The grid of nodes. / The domain, a box of cells. Give either `cells` or the segments `x`,
    `y`, `z`. / The domain, a box of cells."""
    fluid: CaseFluid
    """The fluid: in SI units, `si`, or in lattice units, in which node spacing, time step and
    reference density are 1. For these give two of `reynolds`, `velocity` and a viscosity
    (`relaxation_time`, `kinematic_viscosity` or `knudsen`), or the viscosity alone."""
    gas: CaseGas
    """The gas, which is monatomic without `rotation`. / The gas, which is monatomic."""
    geometry: CaseGeometry
    """Solids in the domain."""
    heat: CaseHeat
    """Temperature that the fluid carries, with or without buoyancy, or any other scalar such as a
    concentration. Its unit is that of the case's temperatures (SI: K)."""
    initial: CaseInitial
    """Initial state. Default: rest. / Initial state, a Maxwellian in every cell. Default: rest. /
    Initial state, from which the iteration starts. Default: rest."""
    initial_fields: CaseInitialFields
    """Fields of step 0 in place of those of `initial`: formulas of the coordinates x, y and z of
    the cells' centres, as in field files, or a file. The others stay as they are. The gas is in
    local equilibrium."""
    method: Literal['lbm_d2q9', 'lbm_d3q27', 'bgkw', 'shakhov', 'boltzmann']
    """The numerical method."""
    output: CaseOutput
    """Output files."""
    parallel: CaseParallel
    """Runs on several ranks (mpirun). The results do not depend on it."""
    precision: Literal['single', 'double', 'half-storage']
    """Precision of the stored populations and of the arithmetic. / Precision of the stored
    populations and of the arithmetic. half-storage: 16 bits stored, arithmetic in single precision.
    / Precision of the stored distribution and of the arithmetic on it."""
    probes: Union[Sequence[CaseProbes], numpy.ndarray]
    """Positions at which the distribution function is written at the end of the run."""
    propagation: CasePropagation
    """Propagation of the populations. / Lattice and propagation of the populations. / Scheme and
    length of a time step. / Scheme of an iteration. / Streaming scheme and length of a time
    step."""
    reduced: bool
    """true: velocity components normal to a domain of one or two dimensions are integrated out (Chu
    1965). Two values replace the velocities along these components, which need no count; the
    results are those of infinitely many."""
    scalars: Union[Sequence[CaseScalars], numpy.ndarray]
    """Passive scalars that the flow carries, such as concentrations, besides `heat` or without it.
    They do not act on the flow. Each one has its own diffusivity and costs a kernel a step."""
    statistics: CaseStatistics
    """Means and standard deviations of drag coefficient, lid stress and flow rate of a driven
    cavity, as monitors <name>_mean and <name>_deviation."""
    stop: CaseStop
    """End of the run and convergence criteria."""
    title: str
    """Free text that describes the case."""
    tuning: CaseTuning
    """Kernel parameters. They affect the speed, not the results."""
    units: Literal['of-fluid', 'lattice', 'si', 'reference']
    """Units of the values and results of the case. si: SI units, which need `fluid.si`. lattice:
    lattice units. of-fluid: SI units with `fluid.si`, else lattice units. / Units of the values of
    the case. reference: those of a reference state of the gas with the density rho_ref, the
    temperature T_ref, the pressure p_ref, the velocity v_ref = sqrt(2 R T_ref) and a length L that
    the case chooses. si: SI units for all values and all results; defaults are the values of the
    reference state, `gas.si`, which must be given. Numbers without a dimension, such as fractions
    of the domain, are the same in both."""
    velocity_grid: CaseVelocityGrid
    """Grid of discrete velocities."""
