"""Records how rates grow with the number of GPUs of one machine: the same case, and a case that grows with them."""

import dataclasses
import json
import math
import sys
import time

import recorder

FOLDER = "scaling"
SECONDS = 2.2  # of stepping
MIN_STEPS = 10
FEW_STEPS = 6  # where a step takes more than a second
SPHERES = 6864  # of the bed on one GPU


@dataclasses.dataclass(frozen=True)
class Scaling:
    """A case, cut along its last axis: `size` is that of all GPUs (strong), or the share of each (weak)."""

    method: str
    name: str
    case: str
    size_key: str
    size: tuple
    rate: float  # updates a second of one GPU, from which the number of steps is chosen
    settings: dict
    velocities: int = 1
    kinds: tuple = ("weak", "strong")

    def settings_of(self, kind, ranks):
        size = [*self.size[:-1], self.size[-1] * (ranks if kind == "weak" else 1)]
        made = {**self.settings, self.size_key: size}
        if self.method == "boltzmann":  # the stretching of the paper's grid stays the same from end to end
            made["domain.progression"] = [round(p ** (160 / n), 6) for p, n in zip((0.996, 0.998), size)]
        if "bed" in self.name:  # as many spheres in each share
            spheres = SPHERES * (ranks if kind == "weak" else 1)
            made["geometry.solids"] = [{"shape": "sphere-packing", "name": "bed", "count": spheres, "porosity": 0.4, "seed": 1}]
        return made

    def steps_of(self, kind, ranks):
        updates = math.prod(self.size) * self.velocities / (ranks if kind == "strong" else 1)
        steps = max(MIN_STEPS if updates < self.rate else FEW_STEPS, math.ceil(SECONDS * self.rate / updates))
        return steps + steps % 2

    def label(self, kind, ranks, transport):
        words = [self.method, self.name, *([kind] if ranks > 1 else []), str(ranks)]
        return "-".join(words + ([transport] if transport != "auto" else []))


FLOW = {"initial": {"type": "uniform", "velocity": [0.5, 0.3, 0.2]}}


def dense(nodes):
    return Scaling("lbm_d3q27", f"dense-{nodes}", "d3q27_box", "domain.nodes", (nodes,) * 3, 1.4e10, FLOW)


def plane(nodes):
    return Scaling("lbm_d2q9", f"{nodes}", "d2q9_cavity", "domain.nodes", (nodes,) * 2, 4.4e10, {})


def hard_spheres(cells, kinds):
    return Scaling("boltzmann", f"{cells}-20", "boltzmann_cavity", "domain.cells", (cells,) * 2, 1.6e11, {}, 20**3, kinds)


def cells(count, velocities, kinds):
    return Scaling("bgkw", f"{count}-{velocities}", "bgkw_cavity", "domain.cells", (count,) * 2, 3e11,
                   {"velocity_grid.count": [velocities] * 3, "propagation.scheme": "fused"}, velocities**3, kinds)


def sweeps(count, velocities):
    return Scaling("shakhov", f"{count}-{velocities}", "shakhov_cavity", "domain.cells", (count,) * 3, 3e11,
                   {"velocity_grid.count": [velocities] * 3, "propagation.scheme": "pencils"}, velocities**3,
                   ("strong",))


CASES = (
    dense(512),
    dense(256),
    plane(8192),
    plane(4096),
    cells(160, 20, ("weak",)),
    cells(512, 32, ("strong",)),
    hard_spheres(160, ("weak",)),
    hard_spheres(320, ("strong",)),
    sweeps(64, 64),
    sweeps(128, 64),
    Scaling("lbm_d3q27", "bed-544", "d3q27_bed", "domain.nodes", (544,) * 3, 1.1e10, {}, 1),
)
TRANSPORTS = {"lbm_d3q27-dense-512": ("auto", "host")}  # those that are compared


def runs_of(case, most_ranks):
    """(kind, ranks, transport) of all runs of a case."""
    counts = [ranks for ranks in (1, 2, 4, 8) if ranks <= most_ranks]
    for ranks in counts:
        for kind in case.kinds if ranks > 1 else case.kinds[:1]:
            for transport in TRANSPORTS.get(f"{case.method}-{case.name}", ("auto",)) if ranks > 1 else ("auto",):
                yield kind, ranks, transport


def record(options):
    """Makes the runs on 1, 2, 4, ... ranks up to `options.ranks`; the number of failures."""
    program = recorder.program_path(options.knudsen)
    folder = options.results / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    start, failures = time.monotonic(), 0
    for case in CASES:
        if options.only and case.method not in options.only.split(","):
            continue
        alone = None
        for kind, ranks, transport in runs_of(case, options.ranks):
            label = case.label(kind, ranks, transport)
            path = folder / f"{label}.json"
            if options.resume and path.exists():
                continue
            path.unlink(missing_ok=True)
            began = time.monotonic()
            try:
                if began - start > 60 * options.minutes:
                    raise recorder.RunFailed("no time was left")
                launcher = (*options.launcher.split(), str(ranks)) if ranks > 1 else ()
                settings = {**case.settings_of(kind, ranks), **({} if ranks == 1 else {"parallel.transport": transport})}
                report = recorder.make_run(program, case, settings, ["--backend", options.backend], None,
                                           case.steps_of(kind, ranks), ("--no-bandwidth",), launcher)
            except recorder.RunFailed as failure:
                print(f"  {label}: left out, {failure}", file=sys.stderr, flush=True)
                failures += 1
                continue
            path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
            rate = report["total"]["updates_per_second"]
            alone = rate if ranks == 1 else alone
            efficiency = f"{100 * rate / ranks / alone:5.1f} %" if alone else ""
            print(f"  {label:34} {rate / 1e6:10.1f} M/s {efficiency}, spread {100 * recorder.spread_of(report):.1f} %, "
                  f"{report['total']['seconds']:.1f} s of {time.monotonic() - began:.0f} s", flush=True)
    print(f"{time.monotonic() - start:.0f} s in all, {failures} left out", flush=True)
    return failures
