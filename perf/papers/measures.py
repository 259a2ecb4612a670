"""What validation runs are measured by: numbers from the files of a run."""

import cmath
import math

from reports import read_numbers


def probe(directory, name):
    """Samples of a probe by quantity, and their steps; None without h5py (Debian: python3-h5py)."""
    try:
        import h5py  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    with h5py.File(directory / "probes.h5", "r") as file:
        return {key: values[()].tolist() for key, values in file[name].items()}


def series(directory, name):
    """Steps and values of a monitor."""
    rows = read_numbers(directory / "series.csv")
    return [row["step"] for row in rows], [row[name] for row in rows]


def profile(directory, name):
    """Positions and values of a profile at the end of a run."""
    rows = read_numbers(directory / f"profile_{name}.csv")
    position, value = list(rows[0])[:2]
    return [row[position] for row in rows], [row[value] for row in rows]


def peak(times, values):
    """Time and value of the largest one, by a parabola through it and its neighbours."""
    i = max(range(len(values)), key=values.__getitem__)
    if i in (0, len(values) - 1):
        return times[i], values[i]
    before, at, after = values[i - 1 : i + 2]
    curvature = before - 2 * at + after
    shift = 0.5 * (before - after) / curvature if curvature else 0
    return times[i] + shift * (times[i + 1] - times[i]), at - 0.25 * (before - after) * shift


def crossings(positions, values, level=0.0, rising=True):
    """Positions at which values go through a level, by linear interpolation."""
    found = []
    for (x0, v0), (x1, v1) in zip(zip(positions, values), zip(positions[1:], values[1:])):
        low, high = (v0 - level, v1 - level) if rising else (level - v0, level - v1)
        if low < 0 <= high:
            found.append(x0 + (x1 - x0) * low / (low - high))
    return found


def at_surface(values):
    """A quantity at a surface from its values one, two and three spacings away."""
    return 3 * values[0] - 3 * values[1] + values[2]


def pressure_drops(directory):
    """Steps, and the pressure in front of a body less that behind it; None without h5py."""
    front, back = probe(directory, "front"), probe(directory, "back")
    if front is None or back is None:
        return None
    drops = [at_surface(a) - at_surface(b) for a, b in zip(front["pressure"], back["pressure"])]
    return front["step"], drops


def interpolate(times, values, time):
    for (t0, v0), (t1, v1) in zip(zip(times, values), zip(times[1:], values[1:])):
        if t0 <= time <= t1:
            return v0 + (v1 - v0) * (time - t0) / (t1 - t0)
    return None


def oscillation(directory, first, scale):
    """A wake that sheds vortices, from a step on: drag and lift at their largest, Strouhal number,
    pressure drop half a period after the largest lift. `scale`: steps of the time unit D / U, and
    the pressure's unit."""
    steps, lift = series(directory, "cylinder.lift_coefficient")
    drag = series(directory, "cylinder.drag_coefficient")[1]
    start = next(i for i, step in enumerate(steps) if step >= first)
    steps, lift, drag = steps[start:], lift[start:], drag[start:]
    values = {"drag_max": peak(steps, drag)[1], "lift_max": peak(steps, lift)[1]}
    through = crossings(steps, lift, (max(lift) + min(lift)) / 2)
    if len(through) < 2:
        return values
    period = (through[-1] - through[0]) / (len(through) - 1)
    values["strouhal"] = scale[0] / period
    values["periods"] = len(through) - 1
    drops = pressure_drops(directory)
    if drops:
        whole = [i for i, step in enumerate(steps) if through[-2] <= step <= through[-1]]
        highest = peak([steps[i] for i in whole], [lift[i] for i in whole])[0]
        drop = interpolate(*drops, highest - period / 2)
        values["pressure_drop"] = drop / scale[1]
    return values


def womersley(positions, time, half_width, viscosity, force, period):
    """Velocity between plates under the force per mass `force` sin(2 pi t / period) (Womersley 1955)."""
    frequency = 2 * math.pi / period
    wave = cmath.sqrt(1j * frequency / viscosity)
    turn = cmath.exp(1j * frequency * time)
    return [
        (force / (1j * frequency) * (1 - cmath.cosh(wave * y) / cmath.cosh(wave * half_width)) * turn).imag
        for y in positions
    ]


def plane_averages(directory):
    """Averages of statistics.vtkhdf over planes of equal y, by name: mean velocities, and variances
    and covariances about the means of the planes; None without h5py."""
    try:
        import h5py  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    found = {}
    with h5py.File(directory / "statistics.vtkhdf", "r") as file:
        data = file["VTKHDF/PointData"]

        def plane_mean(values):
            return values.mean(axis=(0, 2), dtype="float64")

        means = data["mean_velocity"][()].astype("float64")
        rms = data["rms_velocity"][()].astype("float64")
        for i, axis in enumerate("xyz"):
            mean = means[..., i]
            found[f"mean_velocity_{axis}"] = plane_mean(mean)
            square = plane_mean(rms[..., i] ** 2 + mean**2)
            found[f"variance_velocity_{axis}"] = square - found[f"mean_velocity_{axis}"] ** 2
        product = data["covariance_velocity_x_velocity_y"][()] + means[..., 0] * means[..., 1]
        found["covariance_velocity_x_velocity_y"] = (
            plane_mean(product) - found["mean_velocity_x"] * found["mean_velocity_y"]
        )
    return {name: values.tolist() for name, values in found.items()}


def mean_of_gas(directory, name, component):
    """Mean of a component of a field over the gas of the last field file, whose cells are equal and
    have the field gas_volume; None without h5py."""
    try:
        import h5py  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    with h5py.File(max(directory.glob("fields_*.vtkhdf")), "r") as file:
        data = file["VTKHDF"]
        data = data["PointData"] if name in data["PointData"] else data["CellData"]
        # An image of two dimensions has a second layer, a copy.
        volumes = data["gas_volume"][0].ravel().tolist()
        values = data[name][0].reshape(-1, data[name].shape[-1])[:, component].tolist()
    pairs = [(value, volume) for value, volume in zip(values, volumes) if volume > 0]
    return sum(value * volume for value, volume in pairs) / sum(volume for _, volume in pairs)


def side_flow(directory, chosen):
    """Mass flow out of the gas through the faces of sides and solids whose centres have an x that is
    `chosen`, from the last surface file; None without h5py."""
    try:
        import h5py  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    with h5py.File(max(directory.glob("surface_*.vtkhdf")), "r") as file:
        data = file["VTKHDF"]
        points, flux = data["Points"][()].tolist(), data["CellData/mass_flux"][()].tolist()
        polygons = data["Polygons"] if "Polygons" in data else data
        corners, offsets = polygons["Connectivity"][()].tolist(), polygons["Offsets"][()].tolist()
    total = 0.0
    for value, begin, end in zip(flux, offsets, offsets[1:]):
        polygon = [points[corner] for corner in corners[begin:end]]
        if value != 0 and chosen(sum(point[0] for point in polygon) / len(polygon)):
            total += value * polygon_area(polygon)
    return total


def polygon_area(points):
    """Of a plane polygon in space."""
    total = [0.0, 0.0, 0.0]
    for (ax, ay, az), (bx, by, bz) in zip(points, points[1:] + points[:1]):
        total = [t + c / 2 for t, c in zip(total, (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx))]
    return math.hypot(*total)
