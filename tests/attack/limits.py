"""Runs the program within limits, and judges how it ended."""

import dataclasses
import os
import re
import resource
import select
import signal
import subprocess
import tempfile
import time

VALIDATE_SECONDS = 10
VALIDATE_BYTES = 500e6
RUN_SECONDS = 60
EXPECTED_SECONDS = 2  # of `validate`; what takes longer is counted
ADDRESS_SPACE = 8 << 30  # so that a mistake does not take the machine's memory
MAX_MESSAGE = 2000  # characters of a line
# Text of libraries, which tells a user nothing.
FORBIDDEN = ["what():", "std::", "terminate called", "nlohmann", "[json.exception", "HDF5-DIAG",
             "Kokkos::", "filesystem error", "basic_filebuf", "basic_string", "bad_alloc", "vector::",
             "libpng error", "AddressSanitizer", "runtime error:", "Assertion", "stoi", "stod"]
# Libraries that read their own variables, some before the program starts, and complain by themselves.
NOT_OURS = ("libgomp: ", "OMP: ", "Error: Unable to load KokkosP", "dlopen(")
# What may follow or precede a message: where to find help, and how far a run is.
NOT_MESSAGES = re.compile(r"See knudsen|\s+[\d.]+ %  step |.*warning:")


@dataclasses.dataclass
class Finding:
    kind: str  # a few words, the same for what probably has the same cause
    detail: str = ""

    def group(self):
        """Findings of a group are shown once: their texts differ in numbers and names only."""
        if "message" in self.kind:
            return self.kind  # what is repeated from the user's files makes the difference
        text = re.sub(r"\"[^\"]*\"|[-+]?\d[\d.]*(e[-+]?\d+)?", "*", self.detail)
        return f"{self.kind}: {text[:90]}"


@dataclasses.dataclass
class Outcome:
    code: int  # negative: the signal that ended the program
    output: str
    errors: str
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    time_limit: float
    timed_out: bool


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.calls = 0
        self.slow = 0  # calls of `validate` beyond EXPECTED_SECONDS of processor time
        self.longest = 0.0  # of these calls, in processor seconds
        self.largest = 0  # of these calls, in bytes

    def call(self, *arguments, folder, time_limit=RUN_SECONDS, environment=None, limits=(), setup=None,
             stop=None, **streams):
        """Runs the program in a folder. `limits`: (resource, value); `stop`: (seconds, signal)."""
        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for limit, value in ((resource.RLIMIT_AS, ADDRESS_SPACE), *limits):
                resource.setrlimit(limit, (value, value))
            if setup:
                setup()

        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            start = time.monotonic()
            process = subprocess.Popen(
                [self.path, *map(str, arguments)], cwd=folder, preexec_fn=prepare,
                env={**os.environ, "OMP_WAIT_POLICY": "passive", **(environment or {})},
                **{"stdin": subprocess.DEVNULL, "stdout": output, "stderr": errors, **streams})
            ended = False
            if stop:
                ended = wait(process, stop[0])
                if not ended:
                    # send_signal() of Popen would reap a process that has just ended, and its usage with it.
                    os.kill(process.pid, stop[1])
            ended = ended or wait(process, time_limit)
            if not ended:
                os.kill(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            outcome = Outcome(
                code=process.returncode, output=text_of(output), errors=text_of(errors),
                seconds=time.monotonic() - start, cpu_seconds=usage.ru_utime + usage.ru_stime,
                peak_bytes=usage.ru_maxrss * 1024, time_limit=time_limit, timed_out=not ended)
        self.calls += 1
        return outcome

    def validate(self, *arguments, folder, **options):
        """Calls `validate` and counts what it takes."""
        outcome = self.call("validate", *arguments, folder=folder, time_limit=VALIDATE_SECONDS, **options)
        self.slow += outcome.cpu_seconds > EXPECTED_SECONDS
        self.longest = max(self.longest, outcome.cpu_seconds)
        self.largest = max(self.largest, outcome.peak_bytes)
        return outcome

    def run(self, *arguments, folder, **options):
        return self.call("run", *arguments, "--no-bandwidth", folder=folder, **options)


def wait(process, seconds):
    """Whether the process ends in this time. It stays a zombie, so that its usage can be read."""
    poller = select.poll()
    descriptor = os.pidfd_open(process.pid)
    poller.register(descriptor, select.POLLIN)
    ended = bool(poller.poll(1000 * seconds))
    os.close(descriptor)
    return ended


def text_of(file):
    file.seek(0)
    return file.read(4_000_000).decode("utf-8", "surrogateescape")


def judge(outcome, codes=(0, 1, 2), max_bytes=None):
    """A Finding if the program ended as it never should, else None."""
    last = outcome.errors.strip().splitlines()[-1:] or [""]
    if outcome.timed_out:
        return Finding("time limit", f"longer than {outcome.time_limit} s, processor {outcome.cpu_seconds:.0f} s")
    if outcome.code < 0 and outcome.code not in codes:
        return Finding(f"killed by {signal.Signals(-outcome.code).name}",
                       last[0] if "error" in last[0] else "")
    for text in FORBIDDEN:
        if text in outcome.errors:
            return Finding("text of a library", next(line for line in outcome.errors.splitlines() if text in line))
    if outcome.code not in codes:
        return Finding(f"exit code {outcome.code}", last[0])
    if max_bytes and outcome.peak_bytes > max_bytes:
        return Finding("memory limit", f"{outcome.peak_bytes / 1e6:.0f} MB of {max_bytes / 1e6:.0f} MB; {last[0]}")
    return judge_messages(outcome)


def judge_messages(outcome):
    lines = [line for line in outcome.errors.split("\n") if line and not line.startswith(NOT_OURS)]
    errors = [line for line in lines if not NOT_MESSAGES.match(line)]
    if outcome.code == 2 and not errors:
        return Finding("no message", f"exit code {outcome.code}")
    if outcome.code == 1 and not lines:
        return Finding("no message", f"exit code {outcome.code}")
    if outcome.code == 0 and errors:
        return Finding("an error but exit code 0", errors[0])
    if outcome.code in (1, 2) and len(errors) > 1:
        return Finding("a message of several lines", " | ".join(errors))
    if errors and not errors[0].startswith("knudsen: "):
        return Finding("not the program's message", errors[0])
    if outcome.code == 2 and not errors[0].startswith("knudsen: error: "):
        return Finding("not the program's message", errors[0])
    for line in lines:
        if any(ord(letter) < 32 or 0xdc80 <= ord(letter) <= 0xdcff for letter in line):
            return Finding("a message that is not plain text", repr(line))
        if len(line) > MAX_MESSAGE:
            return Finding("a message that is too long", f"{len(line)} characters: {line[:100]}")
    return None
