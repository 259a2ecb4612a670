#!/usr/bin/env python3
"""Measures how the waiting of OpenMP's threads changes the time of a step in Python, and writes a JSON report.

    PYTHONPATH=build/openmp/python perf/python_waiting.py [--rounds N] [--output FILE]

Processes step cavities of several sizes in turn, with threads that sleep while they wait (OMP_WAIT_POLICY=passive, as the
module sets it) and with threads that spin first (GOMP_SPINCOUNT=300000, what libgomp does without either variable). Each
setting runs by itself, of which the fastest batch of steps counts, and beside one process that computes all the time, of
which the mean counts.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

from python_timing import cavity, write

SIZES = {64: 100, 256: 20, 1024: 2}  # nodes along a side, and steps in a batch
SETTINGS = {"passive": {"OMP_WAIT_POLICY": "passive"}, "spinning": {"GOMP_SPINCOUNT": "300000"}}


def measure():
    import knudsen
    found = []
    for nodes, steps in SIZES.items():
        case = cavity(nodes)
        with case.simulation(backend="host") as sim:
            sim.advance(steps)
            times = []
            end = time.monotonic() + 1
            while time.monotonic() < end:
                began = time.perf_counter()
                sim.advance(steps)
                times.append((time.perf_counter() - began) / steps)
        found.append([min(times), statistics.mean(times)])
    device = case.validate(backend="host")["device"]
    print(json.dumps({"device": device, "git_commit": knudsen.git_commit, "times": found}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--output")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure()
        return
    found = {setting: {False: [], True: []} for setting in SETTINGS}
    for _ in range(options.rounds):
        for setting, variables in SETTINGS.items():
            for busy in (False, True):
                other = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if busy else None
                done = subprocess.run([sys.executable, "-B", __file__, "--measure"], text=True, check=True,
                                      stdout=subprocess.PIPE, env={**os.environ, **variables})
                if other:
                    other.kill()
                    other.wait()
                told = json.loads(done.stdout)
                found[setting][busy].append(told["times"])
    report = {"format": "knudsen-python-waiting-1", "device": told["device"],
              "cores": len(os.sched_getaffinity(0)), "git_commit": told["git_commit"],
              "seconds_per_step": {
                  str(nodes): {setting: {"alone": min(times[i][0] for times in found[setting][False]),
                                         "beside_a_busy_process": statistics.mean(
                                             times[i][1] for times in found[setting][True])}
                               for setting in SETTINGS} for i, nodes in enumerate(SIZES)}}
    write(report, options.output)


if __name__ == "__main__":
    main()
