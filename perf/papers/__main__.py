#!/usr/bin/env python3
"""The papers' figures and tables from our runs: makes the runs, and the pages in docs/papers.

  python3 perf/papers list                          what there is to run
  python3 perf/papers run --knudsen PROGRAM         small runs and pages of them in results/remade
  python3 perf/papers run --knudsen PROGRAM --size full --results perf/results
  python3 perf/papers validate --knudsen PROGRAM    are the cases of all runs sound?
  python3 perf/papers record --knudsen PROGRAM      each method on one thread, all cores, the GPU
  python3 perf/papers scaling --knudsen PROGRAM     the same on 1, 2, 4 GPUs by mpirun
  python3 perf/papers agree FOLDER FOLDER           how far are two recordings apart?
  python3 perf/papers compare --knudsen PROGRAM     docs/comparison from perf/results/one_machine
  python3 perf/papers pages                         docs/papers and the README from perf/results
  python3 perf/papers check                         are they what `pages` would make?
"""

import argparse
import os
import pathlib
import sys

import pages
import recorder
import runner
import scaling
import tables_speed
from experiments import EXPERIMENTS
from reports import BOOKS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def show_list():
    for experiment in EXPERIMENTS:
        print(f"{experiment.name}: {experiment.title}")
        for size in ("small", "full"):
            print(f"  {size}: " + ", ".join(run.name for run in experiment.runs(size)))


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="perf/papers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is to run")
    run = commands.add_parser("run", help="make the runs, then pages of them")
    validate = commands.add_parser("validate", help="let the program check the cases of all runs")
    for command in (run, validate):
        command.add_argument(
            "experiments",
            nargs="*",
            metavar="EXPERIMENT",
            help="names, or `papers` or `validation` for all of them; `run` makes those of papers by default",
        )
        command.add_argument("--knudsen", default="knudsen", help="the program (default: on PATH)")
        command.add_argument("--size", choices=("small", "full", "all"), default="small")
    record = commands.add_parser(
        "record", help="time each method on one thread, on all cores and on the GPU of this machine"
    )
    ranks = commands.add_parser("scaling", help="time each method on 1, 2, 4 ranks of this machine")
    ranks.add_argument("--ranks", type=int, default=2, help="most ranks (default: 2)")
    ranks.add_argument("--launcher", default="mpirun --bind-to none -n", help="what the number of ranks follows")
    ranks.add_argument("--backend", default="device", choices=("device", "host"))
    for command in (record, ranks):
        command.add_argument("--knudsen", default="knudsen", help="the program (default: on PATH)")
        command.add_argument("--results", type=pathlib.Path, default=ROOT / "results" / "recorded")
        command.add_argument(
            "--minutes", type=float, default=float("inf"), help="start no run after so long"
        )
        command.add_argument("--only", default="", help="methods, as in lbm_d2q9,bgkw; reports of others stay")
        command.add_argument("--resume", action="store_true", help="make only the reports that are missing")
    compare = commands.add_parser("compare", help="a comparison page for each method of a recording")
    compare.add_argument("--knudsen", default="knudsen", help="the program (default: on PATH)")
    compare.add_argument("--results", type=pathlib.Path, default=ROOT / "perf" / "results")
    compare.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "comparison")
    agree = commands.add_parser("agree", help="how far two recordings are apart, cell by cell")
    agree.add_argument("folders", nargs=2, type=pathlib.Path, metavar="FOLDER")
    agree.add_argument("--csv", type=pathlib.Path, help="writes the table to this file as well")
    run.add_argument("--results", type=pathlib.Path, default=ROOT / "results" / "remade")
    run.add_argument(
        "--options", default="", help="for every run, as in --options='--backend device'"
    )
    run.add_argument(
        "--minutes",
        type=float,
        default=float("inf"),
        help="end after so long; runs of validation then go from the least work to the most",
    )
    run.add_argument(
        "--jobs", type=int, default=1, help="runs at a time, but for timings (default: 1)"
    )
    run.add_argument("--only", default="", help="runs whose name has this pattern")
    run.add_argument("--missing", action="store_true", help="only runs that the results do not have yet")
    for name, text in (("pages", "write the pages"), ("check", "compare with what is written")):
        command = commands.add_parser(name, help=text)
        command.add_argument("--results", type=pathlib.Path, default=ROOT / "perf" / "results")
        command.add_argument("--output", type=pathlib.Path, help="folder for the pages alone")
    options = parser.parse_args(arguments)
    known = [*BOOKS, *(experiment.name for experiment in EXPERIMENTS)]
    for name in getattr(options, "experiments", []):
        if name not in known:
            parser.error(f"no experiment {name!r}; there are {', '.join(known)}")
    return options


def main(arguments=None):
    options = parse(arguments)
    if options.command == "list":
        show_list()
        return 0
    if options.command == "record":
        return 1 if recorder.record(options) else 0
    if options.command == "scaling":
        return 1 if scaling.record(options) else 0
    if options.command == "compare":
        return 1 if tables_speed.compare(options) else 0
    if options.command == "agree":
        return 1 if recorder.agree(*options.folders, table=options.csv) else 0
    if options.command in ("run", "validate"):
        options.knudsen = recorder.program_path(options.knudsen)
        names = options.experiments or (BOOKS if options.command == "validate" else BOOKS[:1])
        chosen = [e for e in EXPERIMENTS if e.name in names or e.book in names]
    if options.command == "validate":
        os.chdir(ROOT)
        return 1 if runner.validate_all(chosen, options) else 0
    if options.command == "run":
        options.results = options.results.resolve()
        os.chdir(ROOT)  # cases and the files they name are given from there
        failures = runner.run_all(chosen, options)
        if options.results != ROOT / "perf" / "results":
            made = pages.make(ROOT, options.results)
            pages.write(made, options.results / "pages")
            print(f"Pages of these runs: {options.results / 'pages'}")
        return 1 if failures else 0
    made = pages.make(ROOT, options.results)
    if options.command == "pages":
        if options.output:
            pages.write(made, options.output)
        else:
            texts = pages.committed(ROOT, made)
            pages.write(texts, ROOT)
            for name in pages.unused_figures(ROOT, texts):
                (ROOT / name).unlink()
        return 0
    stale = pages.differences(ROOT, pages.committed(ROOT, made))
    for path in stale:
        print(f"{path} is not up to date: run `make pages`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
