"""Results on disk."""

import csv
import json
import os
import pathlib
import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Union

import numpy

from ._knudsen import InputError
from ._table import Table


def open(directory: Union[str, "os.PathLike[str]"]) -> "Results":
    """The results of a run in a directory. Raises InputError if there are none."""
    return Results(directory)


class Results:
    """Files of a run, read when they are asked for. Raises InputError where a file is missing."""

    def __init__(self, directory: Union[str, "os.PathLike[str]"]) -> None:
        #: where the files are
        self.directory = pathlib.Path(directory)
        if not self.directory.is_dir():
            raise InputError(f"{self.directory}: no such directory")
        if not (self.directory / "case.json").is_file():
            raise InputError(f"{self.directory}: holds no results of a run (no case.json)")

    @property
    def case(self) -> Dict[str, Any]:
        """The case of the run."""
        return self._json("case.json")

    @property
    def report(self) -> Dict[str, Any]:
        """The timing report; perf/README.md describes its keys."""
        return self._json("timing.json")

    @property
    def series(self) -> Dict[str, numpy.ndarray]:
        """The columns of series.csv by name: "step" and monitors."""
        return self._columns("series.csv")

    @property
    def profiles(self) -> Dict[str, Dict[str, numpy.ndarray]]:
        """The columns of each profile by the profile's name."""
        return {path.stem[len("profile_"):]: self._columns(path.name)
                for path in sorted(self.directory.glob("profile_*.csv"))}

    @property
    def steps(self) -> List[int]:
        """The steps of the field files, ascending."""
        found = (re.fullmatch(r"fields_(\d+)\.vtkhdf", path.name)
                 for path in self.directory.iterdir())
        return sorted(int(match[1]) for match in found if match)

    def fields(self, step: Optional[int] = None) -> "FieldFile":
        """The fields at a step, by default the last one. Needs h5py (ImportError)."""
        steps = self.steps
        if not steps:
            raise InputError(f"{self.directory}: holds no field files (fields_<step>.vtkhdf)")
        if step is None:
            step = steps[-1]
        if step not in steps:
            raise InputError(f"{self.directory}: holds no fields of step {step}, only of "
                             f"{', '.join(map(str, steps))}")
        return FieldFile(self.directory / f"fields_{step:09d}.vtkhdf", step)

    @property
    def statistics(self) -> "FieldFile":
        """Averages of the run, "mean_velocity" and others. Needs h5py (ImportError)."""
        path = self.directory / "statistics.vtkhdf"
        if not path.is_file():
            raise InputError(f"{self.directory}: holds no statistics ({path.name})")
        return FieldFile(path, int(FieldFile(path, 0).fact("step")))

    @property
    def probes(self) -> Dict[str, Dict[str, numpy.ndarray]]:
        """The samples of each probe by its name: "step", "time", "position" and quantities.

        Needs h5py (ImportError).
        """
        path = self.directory / "probes.h5"
        h5py = _h5py(path)
        try:
            with h5py.File(path, "r") as file:
                return {name: {key: values[()] for key, values in group.items()}
                        for name, group in file.items()}
        except OSError as error:
            raise InputError(f"{path}: holds no probes: {error}") from error

    @property
    def spectra(self) -> Dict[str, Dict[str, numpy.ndarray]]:
        """The power spectral densities of each probe by its name: "frequency" and quantities."""
        return {path.stem[len("spectrum_"):]: self._columns(path.name)
                for path in sorted(self.directory.glob("spectrum_*.csv"))}

    def slice(self, name: str, *, step: Optional[int] = None, axis: str = "z",
              at: Optional[float] = None) -> numpy.ndarray:
        """The values of a field on the plane of cells across an axis that lies nearest to `at`.

        `at` is a place in the unit of length of the file, by default the middle. Shape (nz, ny),
        (nz, nx) or (ny, nx) across x, y or z, and components as the field has. "speed" is the
        magnitude of the velocity. Needs h5py.
        """
        return self.fields(step).slice(name, axis, at)

    def show(self, name: str, *, step: Optional[int] = None, axis: str = "z",
             at: Optional[float] = None, ax: Any = None, **options: Any) -> Any:
        """Draws a plane of a field with one component, or the "speed"; see `slice`.

        `ax` are axes of Matplotlib, by default new ones, which are returned. `options` go to
        pcolormesh. Needs Matplotlib and h5py (ImportError).
        """
        fields = self.fields(step)
        values = fields.slice(name, axis, at)
        if values.ndim > 2:
            raise InputError(f"{fields.path}: field \"{name}\": has {values.shape[2]} components; "
                             "show one that has one, or \"speed\"")
        ax = _axes(ax)
        across = "xyz".index(axis)
        low, high = (d for d in range(3) if d != across)
        unit = fields.unit("velocity" if name == "speed" else name)
        edges = [_edges(fields.centres("xyz"[d])) for d in (low, high)]
        drawn = ax.pcolormesh(*edges, values, **options)
        ax.figure.colorbar(drawn, ax=ax, label=_label(name, unit))
        ax.set(xlabel="xyz"[low], ylabel="xyz"[high], aspect="equal", title=f"step {fields.step}")
        return ax

    def plot_profile(self, name: str, *, ax: Any = None, **options: Any) -> Any:
        """Draws a profile of the case; `options` go to plot. Returns the axes.

        Needs Matplotlib (ImportError).
        """
        profiles = self.profiles
        if name not in profiles:
            there = ", ".join(profiles) or "none: output.profiles of the case is empty"
            raise InputError(f"{self.directory}: profile \"{name}\": must be one of {there}")
        (along, places), (quantity, values) = profiles[name].items()
        return _plot(ax, places, values, along, quantity, options)

    def plot_series(self, name: str, *, ax: Any = None, **options: Any) -> Any:
        """Draws a monitor against the steps; `options` go to plot. Returns the axes.

        Needs Matplotlib (ImportError).
        """
        series = self.series
        if name not in series:
            raise InputError(f"{self.directory}: monitor \"{name}\": must be one of "
                             f"{', '.join(series)}")
        return _plot(ax, series["step"], series[name], "step", name, options)

    def to_xarray(self, step: Optional[int] = None) -> Any:
        """All fields of a step as an xarray.Dataset over z, y, x and component, with units.

        Needs xarray and h5py (ImportError).
        """
        try:
            import xarray
        except ImportError as error:
            raise ImportError("xarray is needed for a dataset (Debian: python3-xarray, pip install "
                              "xarray)") from error
        fields = self.fields(step)
        arrays = {}
        for name, values in fields.items():
            dimensions = ["z", "y", "x"]
            if values.ndim > 3:  # fields have different numbers of components
                dimensions.append(f"component_{values.shape[3]}")
            arrays[name] = (dimensions, values, {"units": fields.unit(name)})
        return xarray.Dataset(arrays, {axis: fields.centres(axis) for axis in "zyx"},
                              {"step": fields.step, "case": str(self.directory / "case.json")})

    def to_pyvista(self, step: Optional[int] = None) -> Any:
        """The fields of a step as a dataset of PyVista: `to_pyvista().plot(scalars="density")`.

        Needs PyVista with VTK 9.1 or later, and h5py (ImportError).
        """
        try:
            import pyvista
            from vtkmodules.vtkIOHDF import vtkHDFReader
        except ImportError as error:
            raise ImportError("PyVista is needed for a dataset (pip install pyvista)") from error
        reader = vtkHDFReader()
        reader.SetFileName(str(self.fields(step).path))
        reader.Update()
        return pyvista.wrap(reader.GetOutput())

    def _json(self, name: str) -> Dict[str, Any]:
        path = self.directory / name
        try:
            return json.loads(path.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise InputError(f"{path}: is not JSON: {error}") from error

    def _columns(self, name: str) -> Dict[str, numpy.ndarray]:
        path = self.directory / name
        try:
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.reader(line for line in file if not line.startswith("#")))
            names, values = rows[0], rows[1:]
            table = numpy.array(values, dtype=float).reshape(len(values), len(names))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        except (ValueError, IndexError) as error:
            raise InputError(f"{path}: is not a table of numbers") from error
        return dict(zip(names, table.T))

    def __repr__(self) -> str:
        return f"<knudsen.{type(self).__name__} in {self.directory}>"


class FieldFile(Mapping[str, numpy.ndarray]):
    """The fields of a field file by name, each read when it is asked for.

    Arrays have the shape (nz, ny, nx), or (nz, ny, nx, components) with several components. Files
    store vectors of two components with a third one of 0, as VTK requires.
    """

    def __init__(self, path: pathlib.Path, step: int) -> None:
        self._h5py = h5py = _h5py(path)
        #: the file
        self.path = path
        #: its step
        self.step = step
        try:
            with h5py.File(path, "r") as file:
                self._names = list(file["fields"])
        except (OSError, KeyError) as error:
            raise InputError(f"{path}: is no field file: {error}") from error

    def __getitem__(self, name: str) -> numpy.ndarray:
        """Raises InputError for a name that is no field of the file."""
        return self._read(name, lambda dataset: dataset[()])

    def centres(self, axis: str) -> numpy.ndarray:
        """The centres of the cells along "x", "y" or "z", in the file's unit of length."""
        place = _place_of(axis)
        with self._h5py.File(self.path, "r") as file:
            vtk = file["VTKHDF"]
            if "Points" in vtk:  # cells of several widths
                edges = numpy.unique(vtk["Points"][:, place])
                return (edges[1:] + edges[:-1]) / 2
            count = file["fields"][self._names[0]].shape[2 - place]
            begin, width = vtk.attrs["Origin"][place], vtk.attrs["Spacing"][place]
            return begin + width * numpy.arange(count)

    def slice(self, name: str, axis: str = "z", at: Optional[float] = None) -> numpy.ndarray:
        """See Results.slice."""
        place = _place_of(axis)
        centres = self.centres(axis)
        nearest = len(centres) // 2 if at is None else int(numpy.argmin(abs(centres - at)))
        values = self["velocity" if name == "speed" else name].take(nearest, axis=2 - place)
        return numpy.sqrt((values**2).sum(axis=-1)) if name == "speed" else values

    def unit(self, name: str) -> str:
        """The unit of a field."""
        unit = self._read(name, lambda dataset: dataset.attrs["unit"])
        return unit.decode() if isinstance(unit, bytes) else str(unit)

    def fact(self, name: str) -> Any:
        """A fact about the run: "step", "time"; of statistics also "samples", "first_step"."""
        with self._h5py.File(self.path, "r") as file:
            return file["knudsen"].attrs[name]

    def _read(self, name: str, read: Callable[[Any], Any]) -> Any:
        if name not in self._names:
            raise InputError(f"{self.path}: field \"{name}\": must be one of "
                             f"{', '.join(self._names)}")
        with self._h5py.File(self.path, "r") as file:
            return read(file["fields"][name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __repr__(self) -> str:
        return f"<knudsen.FieldFile {self.path}: {', '.join(self._names)}>"


def compare(results: Iterable[Union["Results", str, "os.PathLike[str]"]]) -> Table:
    """What the timing reports of several runs say, as a table with a row for each.

    The columns are those by which reports differ, then steps, seconds, the rate and its share of
    the copy bandwidth. Runs are results or their directories. `knudsen compare` warns of what makes
    a comparison unfair; this does not.
    """
    rows = []
    for each in results:
        found = each if isinstance(each, Results) else Results(each)
        report = found.report
        total = report["total"]
        row: Dict[str, Any] = {"directory": str(found.directory)}
        row.update({key: report.get(key) for key in (
            "title", "method", "variant", "precision", "backend", "device", "threads", "ranks",
            "host", "compiler", "kokkos_version", "git_commit")})
        row.update({name: value for name, value in report.get("sizes", {}).items()})
        rows.append((row, {"steps": total["steps"], "seconds": total["seconds"],
                           "updates_per_second": total["updates_per_second"],
                           "bandwidth_share": total.get("bandwidth_share")}))
    keys = list(dict.fromkeys(key for row, _ in rows for key in row))
    differ = [key for key in keys
              if key == "directory" or len({str(row.get(key)) for row, _ in rows}) > 1]
    return Table({**{key: row.get(key) for key in differ}, **numbers} for row, numbers in rows)


def _h5py(path: pathlib.Path) -> Any:
    try:
        import h5py
    except ImportError as error:
        raise ImportError(f"{path}: h5py is needed to read fields (Debian: python3-h5py, "
                          "pip install h5py)") from error
    return h5py


def _place_of(axis: str) -> int:
    if axis not in ("x", "y", "z"):
        raise InputError(f"axis: found {axis!r}, must be \"x\", \"y\" or \"z\"")
    return "xyz".index(axis)


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("Matplotlib is needed to draw (Debian: python3-matplotlib, pip install "
                          "matplotlib)") from error
    return pyplot.subplots()[1]


def _plot(ax: Any, places: numpy.ndarray, values: numpy.ndarray, along: str, quantity: str,
          options: Dict[str, Any]) -> Any:
    ax = _axes(ax)
    ax.plot(places, values, **options)
    ax.set(xlabel=along, ylabel=quantity)
    return ax


def _edges(centres: numpy.ndarray) -> numpy.ndarray:
    """Of cells between their centres; the first and the last cell are as wide as their distance to
    the next."""
    if len(centres) == 1:
        return centres[0] + numpy.array([-0.5, 0.5])
    middles = (centres[1:] + centres[:-1]) / 2
    ends = 2 * centres[[0, -1]] - middles[[0, -1]]
    return numpy.concatenate([ends[:1], middles, ends[1:]])


def _label(name: str, unit: str) -> str:
    return name if unit in ("", "1") else f"{name} [{unit}]"
