"""One run of the program, and an experiment: the runs that a table or a figure shows."""

import dataclasses
import math

QUIET = {"output.fields.write": False, "output.snapshots": {}}
CENTRELINES = [
    {"name": "u_vertical", "quantity": "velocity_x", "along": "y"},
    {"name": "v_horizontal", "quantity": "velocity_y", "along": "x"},
]


@dataclasses.dataclass(frozen=True)
class Run:
    """One call of `knudsen run`."""

    name: str
    parameters: dict  # what tables and plots go by
    settings: dict
    case: str
    monitors: tuple = ()
    profiles: tuple = ()  # names, as in the settings or the case
    history: tuple = ()  # monitors that are kept step by step
    options: tuple = ()  # of `knudsen run`
    measure: object = None  # function of the run's directory: more values by name

    def updates(self):
        """Most updates of nodes of a lattice, 0 where the settings do not say."""
        domain = self.settings.get("domain", {})
        nodes = self.settings.get("domain.nodes", [])
        if "resolution" in domain:
            nodes = [length * domain["resolution"] for length in domain["size"]]
        return math.prod(nodes) * self.settings["stop.steps"] if nodes else 0


@dataclasses.dataclass(frozen=True)
class Experiment:
    """Runs that one table or figure shows. A timing experiment keeps the timing reports instead."""

    name: str
    title: str
    small: tuple
    full: tuple
    timing: bool = False
    book: str = "papers"  # folder of its results in perf/results, and of its page in docs

    def runs(self, size):
        """Those of a size; `all`: small ones too where there is no full one of the same name."""
        if size == "all":
            return tuple({run.name: run for run in (*self.small, *self.full)}.values())
        return self.small if size == "small" else self.full

    def size_of(self, run):
        return "full" if run in self.full else "small"


def make_run(name, parameters, case, settings, monitors=(), profiles=(), history=()):
    """A run that writes no fields and no pictures, only these monitors and profiles."""
    settings = {**QUIET, **settings, "output.profiles": list(profiles)}
    if monitors:
        settings["output.series"] = {"quantities": list(monitors)}  # a row with every check
    names = tuple(profile["name"] for profile in profiles)
    return Run(name, parameters, settings, case, tuple(monitors), names, tuple(history))


def stop_when(monitor, tolerance, steps, every):
    return {
        "stop.steps": steps,
        "stop.check_every": every,
        "stop.criteria": [{"quantity": monitor, "tolerance": tolerance}],
    }
