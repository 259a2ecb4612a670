"""Cases: what is computed."""

from __future__ import annotations

import html
import inspect
import json
import os
import sys
import time
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Union

from . import _knudsen
from ._json import json_text
from ._results import Results
from ._simulation import Simulation

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keys import CaseKeys  # made of the schema

Path = Union[str, bytes, "os.PathLike[str]"]


class Progress(NamedTuple):
    """The state of a run."""

    step: int
    last_step: int
    updates_per_second: float  # updates of nodes, or of phase-space points
    seconds_left: Optional[float]  # an estimate; None: not known
    residual: str  # of the first criterion, or empty
    text: str  # all this in a line


class Validation(Dict[str, Any]):
    """What a case needs and gives: a dict, a text (`str`), and a table in a notebook.

    The keys are those of `knudsen validate --json`: `sizes`, `resolved` (parameters as given and
    derived), `memory_bytes`, `bytes_per_step` (traffic), `fields`, `monitors`, `warnings` and
    others.
    """

    def __init__(self, values: Mapping[str, Any], text: str) -> None:
        super().__init__(values)
        self._text = text

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        def quantities(key: str) -> str:
            return ", ".join(f"{each['name']} ({each['unit']})" for each in self[key])

        rows = [("method", f"{self['method']}, {self['variant']}"),
                ("precision", self["precision"]),
                ("sizes", ", ".join(f"{key} {value}" for key, value in self["sizes"].items()))]
        for each in self["resolved"]:
            unit = "" if each["unit"] in ("", "1") else f" {each['unit']}"
            rows.append((each["name"], each["value"] + unit))
        rows += [("steps", str(self["steps"])),
                 ("memory", f"{_bytes(self['memory_bytes'])} on {self['device']}, "
                            f"{_bytes(self['memory_free_bytes'])} free"),
                 ("memory on the host", _bytes(self["host_memory_bytes"])),
                 ("traffic", f"{_bytes(self['bytes_per_step'])} a step"),
                 ("fields", quantities("fields")),
                 ("monitors", quantities("monitors"))]
        rows += [("warning", each) for each in self["warnings"]]
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                        f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
                        for name, value in rows)
        title = html.escape(self["title"] or self["case"])
        return f"<table><caption>{title}</caption>{cells}</table>"


class Run(Results):
    """A run that has ended, with its results."""

    step: int  #: the last step
    stopped_by: str  #: "all steps are done", "the criteria hold", "the caller", "SIGINT"
    converged: Optional[bool]  #: whether stop.criteria were met; None without any
    checkpoint: Optional[str]  #: the last one that was written
    files: List[str]  #: all files that were written
    warnings: List[str]  #: about the results
    summary: str  #: what the program prints at the end

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__(os.fsdecode(told["directory"]))
        self.step = told["step"]
        self.stopped_by = told["stopped_by"]
        self.converged = told["converged"]
        self.checkpoint = None if told["checkpoint"] is None else os.fsdecode(told["checkpoint"])
        self.files = [os.fsdecode(file) for file in told["files"]]
        self.warnings = told["warnings"]
        self.summary = told["summary"].decode("utf-8", "replace")

    def __repr__(self) -> str:
        return f"<knudsen.Run of {self.step} steps in {self.directory}: {self.stopped_by}>"


class Case:
    """A case, read and checked; it never changes.

    `source` is a case file or a dict with its content; keywords are further keys of the top level,
    which replace those of the source. `overrides` replaces single values, as --set does:
    {"fluid.reynolds": 400, "geometry.solids[0].radius": 3}. Values may be of NumPy.

        Case("cavity.json", overrides={"fluid.reynolds": 400})
        Case(method="lbm_d2q9", domain={"nodes": [64, 64]}, ...)

    For cases that are not files, `name` is what messages call them, and `directory` is where
    relative paths in them start. Raises InputError with the text of `knudsen validate`. Gives each
    warning about the case by the module `warnings`.
    """

    def __init__(self, source: Union[None, Path, Mapping[str, Any]] = None, /, *,
                 overrides: Optional[Mapping[str, Any]] = None, name: str = "case",
                 directory: Path = ".", **keys: Unpack[CaseKeys]) -> None:
        if source is not None and not isinstance(source, (str, bytes, os.PathLike, Mapping)):
            raise _knudsen.InputError(f"source: found a {type(source).__name__}, must be a case "
                                      "file or a dict")
        blocks = source if isinstance(source, Mapping) else {}
        file = None if source is None or isinstance(source, Mapping) else source
        called = name if file is None else os.fsdecode(file)
        self._directory = directory if file is None else os.path.dirname(called) or "."
        sets = [f"{key}={json_text(value, f'{called}: {key}')}"
                for key, value in {**keys, **(overrides or {})}.items()]
        if file is None:
            text = json_text(dict(blocks), called)
            self._case = _knudsen.Case.from_text(text, called, os.fsencode(directory), sets)
        else:
            self._case = _knudsen.Case.from_file(os.fsencode(file), sets)
        for each in self.warnings:
            warnings.warn(each, stacklevel=2)

    @property
    def name(self) -> str:
        """What messages call the case: the file's path as it was given."""
        return os.fsdecode(self._case.name)

    @property
    def json(self) -> Dict[str, Any]:
        """The case with all overrides applied, a new dict each time."""
        return json.loads(self._case.json)

    @property
    def method(self) -> str:
        """The method's name."""
        return self.json["method"]

    @property
    def title(self) -> str:
        """The title, or an empty text."""
        return self.json.get("title", "")

    @property
    def digest(self) -> str:
        """Identifies the physical problem: cases with the same digest share checkpoints."""
        return self._case.digest

    @property
    def warnings(self) -> List[str]:
        """What is legal but doubtful in the case."""
        return self._case.warnings

    @property
    def output_directory(self) -> str:
        """Where `run` writes if it is not told otherwise."""
        return os.fsdecode(self._case.output_directory)

    def changed(self, overrides: Mapping[str, Any]) -> "Case":
        """A new case with other values, as `overrides` of the constructor."""
        return Case(self.json, overrides=overrides, name=self.name, directory=self._directory)

    def validate(self, backend: str = "default") -> Validation:
        """What `knudsen validate` states, without taking the memory. Raises InputError if the
        backend ("default", "host", "device", "openmp", "cuda") has too little memory."""
        values, text = self._case.validate(backend)
        return Validation(json.loads(values), text.decode("utf-8", "replace"))

    def run(self, output: Optional[Path] = None, *, restart: Optional[Path] = None,
            progress: Union[bool, Callable[[Progress], Any]] = False, backend: str = "default",
            bandwidth: bool = True, require_convergence: bool = False) -> Run:
        """Runs the case as `knudsen run` does: same files, same bits.

        `output`: directory of the results, instead of the case's output.directory.
        `restart`: checkpoint, or directory with checkpoints, from which to continue.
        `progress`: True shows a line on sys.stderr. A function is called with a Progress between
        batches of steps; the run stops with a checkpoint when it returns True or raises.
        `bandwidth`: measures the copy bandwidth before and after, a second or so.
        `require_convergence`: it is an error if stop.criteria are not met.

        Ctrl-C stops the run with a checkpoint; KeyboardInterrupt is raised then. Raises InputError
        and RunError where the program ends with exit codes 2 and 1, and gives warnings about the
        results by the module `warnings`.
        """
        line = _ProgressLine() if progress is True else None
        watch = (lambda state: bool(progress(Progress(**state)))) if callable(progress) else line
        try:
            told = self._case.run(backend, None if output is None else os.fsencode(output),
                                  None if restart is None else os.fsencode(restart), bandwidth,
                                  require_convergence, watch)
        finally:
            if line:
                line.end()
        done = Run(told)
        for each in done.warnings:
            warnings.warn(each, stacklevel=2)
        return done

    def simulation(self, backend: str = "default") -> Simulation:
        """The case at step 0, to be advanced step by step. Takes the memory. Raises InputError if
        there is too little."""
        return Simulation(self._case.simulation(backend))

    def __repr__(self) -> str:
        return f"<knudsen.Case {self.name}: {self.method}>"


class _ProgressLine:
    """Shows the progress on sys.stderr: on a terminal as one line, else as a line now and then."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._seconds = 0.2 if self._terminal else 10
        self._shown = time.monotonic()
        self._open = False

    def __call__(self, state: Dict[str, Any]) -> bool:
        now = time.monotonic()
        if now - self._shown >= self._seconds:
            self._shown = now
            self._open = self._terminal
            print(f"\r{state['text'][:100]}\033[K" if self._terminal else state["text"],
                  end="" if self._terminal else "\n", file=sys.stderr, flush=True)
        return False

    def end(self) -> None:
        if self._open:
            print(file=sys.stderr)


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.4g} {unit}"
        count /= 1000
    return f"{count:.4g} TB"


def schema() -> Dict[str, Any]:
    """The JSON Schema of cases."""
    return json.loads(_knudsen.schema())


def start(threads: int = 0, gpu: Optional[int] = None) -> None:
    """Sets the number of threads on the host and the GPU, before anything else of this package is used.

    `threads`: 0 chooses as the program does: KOKKOS_NUM_THREADS, else OMP_NUM_THREADS, else one a
    core. `gpu` is CUDA's number of the GPU, by default 0 or that of KOKKOS_DEVICE_ID. A process
    computes on one GPU; another process can take another one. Raises InputError if a number is not
    possible, and UsageError if others are in use already.
    """
    if threads < 0:
        raise _knudsen.InputError(f"threads: found {threads}, must be at least 0")
    _knudsen.start(threads, gpu)


def _signature() -> inspect.Signature:
    """That of Case with the keys that the schema has, so that notebooks can complete them."""
    parameters = list(inspect.signature(Case).parameters.values())
    keys = schema()
    names = {*keys["properties"], *(key for each in keys["allOf"] for key in each["then"]["properties"])}
    known = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
             for name in sorted(names) if name.isidentifier()]
    return inspect.Signature(parameters[:-1] + known + parameters[-1:])


Case.__signature__ = _signature()  # type: ignore[attr-defined]
