#!/usr/bin/env python3
"""Measures what a build costs: core-seconds and peak memory of every object.

    perf/build_time.py [--preset openmp] [--target knudsen_program] [--csv FILE] [CMAKE OPTION ...]

Builds into a new directory, build/time-PRESET, without a compiler cache, and prints the objects from the
most expensive to the cheapest, the sums by folder, and the wall time. Dependencies must be installed.
Core-seconds are user plus system time of the compiler and of all its child processes.
"""

import argparse
import collections
import csv
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOG = "KNUDSEN_BUILD_TIME_LOG"


def measure(command):
    """Runs one compiler or linker command and appends its cost to the log."""
    status = subprocess.run(command).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = command[command.index("-o") + 1] if "-o" in command else command[-1]
    with open(os.environ[LOG], "a") as log:  # one short line, so concurrent writers do not interleave
        log.write(f"{used.ru_utime + used.ru_stime:.2f}\t{used.ru_maxrss / 1024:.0f}\t{output}\n")
    return status


def name_of(output):
    """src/CMakeFiles/knudsen.dir/run/run.cpp.o -> src/run/run.cpp"""
    before, found, after = output.partition("CMakeFiles/")
    if not found:
        return output
    return before + after.partition("/")[2].removesuffix(".o").replace("__/", "../")


def build(arguments):
    directory = ROOT / "build" / f"time-{arguments.preset}"
    shutil.rmtree(directory, ignore_errors=True)
    log = directory / "core_seconds.tsv"
    launcher = f"{sys.executable};{pathlib.Path(__file__).resolve()};--measure"
    environment = {**os.environ, LOG: str(log)}
    environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
    subprocess.run(["cmake", "--preset", arguments.preset, "-B", directory,
                    f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", *arguments.options],
                   cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    log.touch()
    start = time.monotonic()
    done = subprocess.run(["cmake", "--build", directory, "--target", *arguments.target],
                          cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.stdout[-4000:])
    rows = [line.split("\t") for line in log.read_text().splitlines()]
    return time.monotonic() - start, [(float(s), int(m), name_of(o)) for s, m, o in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="openmp", help="of CMakePresets.json (default: openmp)")
    parser.add_argument("--target", nargs="+", default=["knudsen_program"])
    parser.add_argument("--csv", type=pathlib.Path, help="writes the objects to this file as well")
    arguments, arguments.options = parser.parse_known_args()
    wall, objects = build(arguments)
    objects.sort(reverse=True)
    folders = collections.Counter()
    for seconds, _, name in objects:
        folders[name.rpartition("/")[0]] += seconds
    for seconds, megabytes, name in objects:
        print(f"{seconds:8.1f} s {megabytes:6d} MB  {name}")
    print()
    for folder, seconds in folders.most_common():
        print(f"{seconds:8.1f} s  {folder}")
    total = sum(folders.values())
    print(f"\n{len(objects)} objects, {total:.0f} core-seconds, {wall:.0f} s on {os.cpu_count()} cores, "
          f"largest {max(m for _, m, _ in objects)} MB")
    if arguments.csv:
        commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, text=True,
                                capture_output=True).stdout.strip()
        with open(arguments.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["core_seconds", "peak_megabytes", "object"])
            writer.writerows(objects)
            file.write(f"# preset {arguments.preset}, commit {commit}, {platform.machine()}, "
                       f"{os.cpu_count()} cores, {wall:.0f} s, {total:.0f} core-seconds\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        sys.exit(measure(sys.argv[2:]))
    main()
