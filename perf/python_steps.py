#!/usr/bin/env python3
"""Measures what it costs to step a simulation from Python one step at a time, and writes a JSON report.

    PYTHONPATH=build/openmp/python perf/python_steps.py [--nodes N] [--seconds S] [--output FILE]

The same simulation takes batches of steps in turn: in one call, and in one call a step. Medians of the batches are
compared. A grid of 32 x 32 nodes shows what a call costs by itself.
"""
import argparse
import statistics
import time

import knudsen
from python_timing import cavity, write


def at_once(sim, steps):
    sim.advance(steps)


def one_by_one(sim, steps):
    for _ in range(steps):
        sim.advance()


def seconds_per_step(nodes, steps, seconds):
    """Seconds a step of both ways, each the median of many batches."""
    found = {at_once: [], one_by_one: []}
    with cavity(nodes, precision="single", propagation={"scheme": "in-place"}).simulation() as sim:
        sim.advance(steps)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for way, times in found.items():
                began = time.perf_counter()
                way(sim, steps)
                times.append((time.perf_counter() - began) / steps)
    return [statistics.median(times) for times in found.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=4096, help="along each side")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--output")
    options = parser.parse_args()
    together, single = seconds_per_step(options.nodes, 8, options.seconds)
    small_together, small_single = seconds_per_step(32, 1000, min(options.seconds, 5))
    device = cavity(32).validate()["device"]
    report = {"format": "knudsen-python-steps-1", "device": device, "git_commit": knudsen.git_commit, "nodes": [options.nodes] * 2,
              "seconds_per_step": together, "seconds_per_step_one_by_one": single,
              "overhead": single / together - 1,
              "seconds_per_call": small_single - small_together}
    write(report, options.output)


if __name__ == "__main__":
    main()
