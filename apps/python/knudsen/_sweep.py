"""Runs of a case with several values of its settings."""

import hashlib
import itertools
import json
import os
import pathlib
import re
import sys
import warnings
from typing import Any, Dict, Iterable, Mapping, Optional, Union

from . import _knudsen
from ._case import Case, Path, Run
from ._json import json_text
from ._table import Table

_FORMAT = "knudsen-sweep-1"
_LONGEST_NAME = 100


def sweep(case: Union[Case, Path, Mapping[str, Any]], settings: Mapping[str, Iterable[Any]],
          directory: Optional[Path] = None, *, progress: bool = False,
          backend: str = "default") -> Table:
    """Runs a case with all combinations of settings and returns a table with a row for each.

        knudsen.sweep(case, {"fluid.reynolds": [100, 400], "precision": ["single", "double"]})

    `settings` has lists of values by key, as `overrides` of Case has single ones. A row has the
    settings, then "step", "stopped_by", "converged" (None without stop.criteria), the last values
    of the monitors in the series, "seconds" of stepping, "results" (what the method finds at the
    end), "warnings", "directory", and "error": the message of a run that failed, else None. The
    others go on.

    Each run has a folder named after its settings in `directory`, by default the case's
    output.directory with "_sweep" at its end. What the table has is also in sweep.json there. Runs
    that have ended there with the same case and the same program are not repeated. Ctrl-C stops
    the present run with a checkpoint; the next call makes that run anew and goes on.

    `progress` shows a line for each run on sys.stderr. Raises InputError if `settings` or
    `directory` cannot be used; faults of single cases are errors in their rows.
    """
    given = case if isinstance(case, Case) else Case(case)
    lists = _lists(settings)
    root = pathlib.Path(os.fsdecode(directory if directory is not None
                                    else given.output_directory + "_sweep"))
    done = _Record(root)
    table = Table()
    combinations = list(itertools.product(*lists.values()))
    for number, values in enumerate(combinations):
        chosen = dict(zip(lists, values))
        folder = _folder(chosen)
        row = dict(chosen)
        table.append(row)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # they are in the table
                one = given.changed(chosen)
                told = done.find(folder, one)
                state = "was there" if told else "done"
                if told is None:
                    run = one.run(root / folder, backend=backend, bandwidth=False)
                    told = {**_row_of(run), "warnings": one.warnings + run.warnings}
                    done.add(folder, one, told)
        except (_knudsen.InputError, _knudsen.RunError) as error:
            told = {"error": str(error)}
            state = f"failed: {error}"
        row.update({"directory": str(root / folder), "error": None, **told})
        if progress:
            print(f"{number + 1} of {len(combinations)}: {folder}: {state}", file=sys.stderr,
                  flush=True)
    return table


def _lists(settings: Mapping[str, Iterable[Any]]) -> Dict[str, list]:
    if not isinstance(settings, Mapping) or not settings:
        raise _knudsen.InputError("settings: must be a dict of lists with at least one key")
    lists = {}
    for key, values in settings.items():
        text = json_text({str(key): list(values) if _is_list(values) else values}, "settings")
        lists[key] = json.loads(text)[str(key)]
        if not isinstance(key, str) or not isinstance(lists[key], list) or not lists[key]:
            raise _knudsen.InputError(f"settings: {key}: must be a list with at least one value")
    return lists


def _is_list(values: Any) -> bool:
    return not isinstance(values, (str, bytes, Mapping)) and hasattr(values, "__iter__")


def _folder(chosen: Mapping[str, Any]) -> str:
    """A name that tells the settings, and tells all of them apart."""
    exact = ",".join(f"{key}={value if isinstance(value, str) else json.dumps(value)}"
                     for key, value in chosen.items())
    name = re.sub(r"[^A-Za-z0-9_.,=+-]+", "-", exact).strip(".-")
    if name == exact and len(name) <= _LONGEST_NAME:
        return name
    digest = hashlib.sha256(exact.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name[:_LONGEST_NAME]}-{digest}"


def _row_of(run: Run) -> Dict[str, Any]:
    row: Dict[str, Any] = {"step": run.step, "stopped_by": run.stopped_by,
                           "converged": run.converged}
    if (run.directory / "series.csv").is_file():
        row.update({name: float(values[-1]) for name, values in run.series.items()
                    if name != "step" and len(values)})
    row["seconds"] = run.report["total"]["seconds"]
    row["results"] = run.report.get("results", {})
    return row


class _Record:
    """sweep.json: the runs that have ended."""

    def __init__(self, root: pathlib.Path) -> None:
        self._path = root / "sweep.json"
        self._runs: Dict[str, Any] = {}
        try:
            root.mkdir(parents=True, exist_ok=True)
            if self._path.exists():
                read = json.loads(self._path.read_text(encoding="utf-8"))
                if not isinstance(read, dict) or read.get("format") != _FORMAT:
                    raise ValueError("is no table of a sweep")
                self._runs = dict(read["runs"])
        except OSError as error:
            raise _knudsen.InputError(f"{root}: cannot be used: {error.strerror}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise _knudsen.InputError(f"{self._path}: {error}; remove it to begin anew") from error

    def find(self, folder: str, case: Case) -> Optional[Dict[str, Any]]:
        """The row of a run that has ended with this case and program, and whose results exist."""
        run = self._runs.get(folder)
        same = (isinstance(run, dict) and run.get("case") == case.json
                and run.get("git_commit") == _knudsen.git_commit
                and (self._path.parent / folder / "case.json").is_file())
        return run["row"] if run and same else None

    def add(self, folder: str, case: Case, row: Dict[str, Any]) -> None:
        self._runs[folder] = {"case": case.json, "git_commit": _knudsen.git_commit, "row": row}
        text = json.dumps({"format": _FORMAT, "runs": self._runs}, indent=1)
        written = self._path.with_name("sweep.json.tmp")
        try:
            written.write_text(text, encoding="utf-8")
            written.replace(self._path)
        except OSError as error:
            raise _knudsen.RunError(f"{self._path}: cannot be written: {error.strerror}") from error
