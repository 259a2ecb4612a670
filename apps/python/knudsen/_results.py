"""Results on disk."""

import csv
import json
import os
import pathlib
import re
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

import numpy

from ._knudsen import InputError


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
        try:
            import h5py
        except ImportError as error:
            raise ImportError(f"{path}: h5py is needed to read fields (Debian: python3-h5py, "
                              "pip install h5py)") from error
        self._h5py = h5py
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

    def unit(self, name: str) -> str:
        """The unit of a field."""
        unit = self._read(name, lambda dataset: dataset.attrs["unit"])
        return unit.decode() if isinstance(unit, bytes) else str(unit)

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
