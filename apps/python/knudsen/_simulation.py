"""Runs that their caller steps."""

import operator
import os
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Union

import numpy

from . import _knudsen
from ._arrays import host_array

class Fields(Mapping[str, numpy.ndarray]):
    """The fields of a simulation by name, each computed when it is asked for.

    A field is an array on the host of shape (nz, ny, nx), or (nz, ny, nx, components) with several
    components; nz is 1 in two dimensions. Its precision is that of the case, its unit is in
    `Case.validate()["fields"]`. In solids values may be NaN. The array is the memory into which the
    field was evaluated and belongs to the caller: the simulation changes it no more.
    """

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> numpy.ndarray:
        """Raises InputError for a name that is no field, and RunError if the state is not sound."""
        return self._simulation._open.field(name)

    def on_device(self, name: str) -> _knudsen.FieldArray:
        """A field where the simulation is, for CuPy, PyTorch and others to share without a copy:

            velocity = cupy.from_dlpack(sim.fields.on_device("velocity"))

        With backend "host" that is the memory of the host, which numpy.from_dlpack takes. On a GPU,
        density, pressure, velocity and stress of the lattice methods never leave it; other fields are
        evaluated on the host and copied to the GPU. Raises as `fields[name]`.
        """
        return self._simulation._open.field_on_device(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulation._open.field_names)

    def __len__(self) -> int:
        return len(self._simulation._open.field_names)

    def __contains__(self, name: object) -> bool:
        return name in self._simulation._open.field_names


class Simulation:
    """A case in memory, advanced step by step; made by Case.simulation().

    At the same step it has the bits of a run. It writes no files but checkpoints, and knows nothing
    of stop.steps, stop.criteria and the output that the case asks for.

    The state is checked as in a run: at each multiple of stop.check_every, and before a field,
    monitor, result or checkpoint is taken from it. If it has diverged, RunError is raised, and by
    all later calls. Use it in a `with` statement, or call `close`, to free its memory; later calls
    raise UsageError then.
    """

    def __init__(self, opened: _knudsen.Simulation) -> None:
        self._open = opened
        self._in_callback = False

    @property
    def step(self) -> int:
        """The present step."""
        return self._open.step

    @property
    def fields(self) -> Fields:
        """The fields at the present step: `sim.fields["velocity"]`."""
        return Fields(self)

    def advance(self, steps: int = 1, *, changes: bool = False, every: int = 0,
                callback: Optional[Callable[["Simulation"], Any]] = None) -> int:
        """Advances by `steps` steps and returns the step that is reached.

        `callback` is called with this simulation at each multiple of `every` steps and ends the
        call early when it returns True. `changes` keeps the state before the last step, and before
        each callback, so that monitors that are a change in one step are known there; that takes
        memory and the time of about one more pass over the state.

        Ctrl-C raises KeyboardInterrupt between two steps; the simulation can go on afterwards.
        Raises RunError if the state is not sound.
        """
        steps, every = operator.index(steps), operator.index(every)
        if self._in_callback:
            raise _knudsen.UsageError("advance: called by the callback of the same simulation")
        if (callback is None) != (every == 0) or every < 0:
            raise _knudsen.InputError(f"every: found {every}, must be at least 1 with a callback "
                                      "and absent without one")
        if callback is None:
            self._open.advance(steps, changes)
            return self.step
        end = self.step + steps
        while self.step < end or steps < 0:
            part = min(end - self.step, every - self.step % every)
            self._open.advance(part, changes)
            if self.step % every == 0 and self._ask(callback):
                break
        return self.step

    def _ask(self, callback: Callable[["Simulation"], Any]) -> bool:
        self._in_callback = True
        try:
            return bool(callback(self))
        finally:
            self._in_callback = False

    def set_fields(self, **fields: Any) -> None:
        """Goes back to step 0, with arrays in place of the initial state's fields.

        Lattice methods take `density` and `velocity`, `bgkw` and `shakhov` also `temperature`, and
        `boltzmann` `density_deviation`, `velocity` and `temperature_deviation`; what is left out is as
        in the case. An array has the shape and unit of `fields[name]`; its values in solids have no
        meaning. Cells are then in equilibrium, with the stress that belongs to the velocity's
        gradients in lattice methods. For `shakhov` this is what the iterations start from.

            sim.set_fields(velocity=0.5 * sim.fields["velocity"])

        Raises InputError for other names, an array of another shape, of no real numbers, with masked
        values or not on the host, values that are not finite, and a density or temperature that is not positive; the
        state is then as before.
        """
        if self._in_callback:
            raise _knudsen.UsageError("set_fields: called by a callback of `advance`")
        self._open.set_fields({name: self._checked(name, each) for name, each in fields.items()})

    def _checked(self, name: str, values: Any) -> numpy.ndarray:
        names = self._open.given_fields
        if name not in names:
            raise _knudsen.InputError(f"field {name!r}: cannot be set, must be one of "
                                      + ", ".join(repr(each) for each in names))
        array = host_array(values, f"field {name!r}")
        if array.dtype.kind not in "fiu":
            raise _knudsen.InputError(f"field {name!r}: found values of type {array.dtype}, must be "
                                      "real numbers")
        shape = self._open.shape_of(name)
        if array.shape != shape:
            raise _knudsen.InputError(f"field {name!r}: found an array of shape {array.shape}, must be "
                                      f"{shape}")
        return numpy.ascontiguousarray(array, dtype=numpy.float64)

    def monitor(self, name: str) -> float:
        """A monitor, such as "kinetic_energy", at the present step.

        Its unit is in `Case.validate()["monitors"]`. Raises InputError for a name that is no
        monitor, and for one that is a change in one step unless `advance` has kept the `changes`.
        """
        return self._open.monitor(name)

    def results(self) -> Dict[str, str]:
        """What a run reports at its end, as text: vortex centres, flow rates."""
        return self._open.results()

    def save(self, path: Union[str, bytes, "os.PathLike[str]"]) -> None:
        """Writes a checkpoint, with which `load`, `Case.run` and the program continue.

        Replaces no file but a checkpoint (InputError). Raises RunError if it cannot be written.
        """
        self._open.save(os.fsencode(path))

    def load(self, path: Union[str, bytes, "os.PathLike[str]"]) -> None:
        """Continues from a checkpoint of this case, or from the newest one in a directory.

        Raises InputError if it is damaged or of another case. If only its arrays are damaged, the
        simulation cannot be used afterwards.
        """
        self._open.load(os.fsencode(path))

    def close(self) -> None:
        """Frees the memory. May be called again."""
        self._open.close()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._open.is_open:
            return "<knudsen.Simulation, closed>"
        return f"<knudsen.Simulation at step {self.step}>"
