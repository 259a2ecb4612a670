#!/usr/bin/env python3
"""Attacks the program with hostile input, kills, damaged files and full disks.

    tests/attack/attack.py PROGRAM --seconds 3600 --keep FOLDER

Attempts follow from the seed, the campaign and the number of the attempt, so that any can be repeated.
What is found is reduced to what it needs, printed, and kept as files. Exit code 1 if anything is found.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

import campaigns
import samples
from limits import EXPECTED_SECONDS, Program
from mutation import Schema, minimised, source_of

MINIMISE_SECONDS = 20
LEAST_ATTEMPTS = 3  # of each campaign


class Attack:
    def __init__(self, options, scratch):
        self.options = options
        self.program = Program(options.program)
        self.scratch = scratch
        schema = Schema(json.loads(self.program.call("schema", folder=scratch).output))
        references = {}
        chosen = [each for each in campaigns.ALL if not options.only or each.name in options.only]
        self.campaigns = [each(self.program, scratch, schema, references) for each in chosen]
        self.end = time.monotonic() + options.seconds
        self.attempts = collections.Counter()
        self.found = collections.defaultdict(list)  # numbers of attempts by group

    def run(self):
        if self.options.index is not None:
            for campaign in self.campaigns:
                self.try_once(campaign, self.options.index)
            return
        spent = {campaign: 0.0 for campaign in self.campaigns}
        waiting = self.campaigns  # those that have their turn; every one has some, however slow the machine
        while time.monotonic() < self.end or waiting:
            campaign = min(waiting or self.campaigns, key=lambda each: spent[each] / each.weight)
            start = time.monotonic()
            self.try_once(campaign, self.attempts[campaign.name])
            spent[campaign] += time.monotonic() - start
            waiting = [each for each in self.campaigns if self.attempts[each.name] < LEAST_ATTEMPTS]

    def try_once(self, campaign, index):
        self.attempts[campaign.name] += 1
        attempt = campaign.attempt(source_of(self.options.seed, campaign.name, index))
        finding = self.examine(campaign, attempt)
        if not finding:
            return
        if finding.kind == "time limit" and not self.examine(campaign, attempt):
            return  # the machine was busy
        group = f"{campaign.name}: {finding.group()}"
        self.found[group].append(index)
        if len(self.found[group]) > 1:
            return
        print(f"FOUND {finding.kind}: {finding.detail[:300]}", flush=True)
        if campaign.name != "kills":
            attempt = self.minimised(campaign, attempt, finding.kind)
        shown = json.dumps(attempt)
        print(f"  {shown[:600]}{'...' if len(shown) > 600 else ''}\n  repeat: tests/attack/attack.py PROGRAM "
              f"--seed {self.options.seed} --only {campaign.name} --index {index}", flush=True)
        self.keep(campaign, attempt, index)

    def examine(self, campaign, attempt, keep=None):
        folder = keep or pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
        folder.mkdir(exist_ok=True, parents=True)
        try:
            return campaign.examine(attempt, folder)
        finally:
            if not keep:
                shutil.rmtree(folder)

    def minimised(self, campaign, attempt, kind):
        """The attempt without keys, elements and damages that the finding does not need."""
        end = min(time.monotonic() + MINIMISE_SECONDS, self.end)

        def still(candidate):
            if time.monotonic() > end:
                return False
            try:
                finding = self.examine(campaign, candidate)
            except (KeyError, IndexError, TypeError, ValueError, AttributeError):
                return False  # no longer an attempt of this campaign
            return finding and finding.kind == kind

        return minimised(attempt, still)

    def keep(self, campaign, attempt, index):
        """Keeps the attempt and the files of its folder."""
        if not self.options.keep:
            return
        folder = pathlib.Path(self.options.keep) / f"{campaign.name}-{self.options.seed}-{index}"
        shutil.rmtree(folder, ignore_errors=True)
        self.examine(campaign, attempt, keep=folder)
        (folder / "attempt.json").write_text(json.dumps(attempt, indent=1))

    def summary(self):
        for campaign in self.campaigns:
            codes = ", ".join(f"{code}: {count}" for code, count in sorted(campaign.counts.items()))
            print(f"{campaign.name:14}{self.attempts[campaign.name]:7} attempts; runs by exit code: {codes}")
        program = self.program
        print(f"{program.calls} calls of the program; validate: at most {program.longest:.1f} s of processor time and "
              f"{program.largest / 1e6:.0f} MB, {program.slow} beyond {EXPECTED_SECONDS} s")
        ratios = [ratio for campaign in self.campaigns for ratio in campaign.stated_memory]
        if ratios:
            print(f"stated memory over what a run took more than validate, {len(ratios)} runs: "
                  f"least {min(ratios):.2f}, median {statistics.median(ratios):.2f}, most {max(ratios):.2f}")
        if campaigns.h5py is None:
            print("fields were not read: there is no h5py")
        for group, indices in sorted(self.found.items(), key=lambda item: -len(item[1])):
            print(f"{len(indices):6} x {group}; attempts {', '.join(map(str, indices[:6]))}")
        print(f"seed {self.options.seed}: {sum(map(len, self.found.values()))} findings in {len(self.found)} groups")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="path of the program knudsen")
    parser.add_argument("--seconds", type=float, default=3600, help="time for all campaigns (default: 3600)")
    parser.add_argument("--seed", type=int, default=None, help="default: from the clock")
    parser.add_argument("--only", action="append", choices=[each.name for each in campaigns.ALL],
                        help="only this campaign; may be repeated")
    parser.add_argument("--index", type=int, help="only this attempt")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the files of what is found there")
    parser.add_argument("--seeds", metavar="FOLDER", help="write sound files for the fuzzers there, and end")
    options = parser.parse_args()
    if options.seeds:
        samples.write_seeds(options.seeds, Program(options.program))
        return 0
    if options.seed is None:
        options.seed = int(time.time())
    print(f"seed {options.seed}", flush=True)
    memory = pathlib.Path("/dev/shm")  # the program syncs every file that it writes
    scratch = pathlib.Path(tempfile.mkdtemp(
        prefix="knudsen-attack-", dir=memory if os.access(memory, os.W_OK) else None))
    scratch.chmod(0o755)  # another user runs the program there
    try:
        attack = Attack(options, scratch)
        attack.run()
        attack.summary()
        return 1 if attack.found else 0
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
