#!/usr/bin/env python3
"""Checks that the hot loops on the host are vectorised: usage vectorised_test.py OBJDUMP LIBRARY.

Disassembles the library and counts the additions, multiplications and fused operations on 32 and 64
bytes in each kernel, special nodes left out. Exit code 77 (skipped) if the library is not for
x86-64 with such vectors.
"""
import re
import subprocess
import sys

# Parts of the kernels' mangled names; `@` stands for the precision, f or d.
BGK = r"3BgkELNS\w{0,3}_7ForcingE0E"
STORED = {"f": "SinglePrecision", "d": "DoublePrecision", "h": "HalfStorage"}
KERNELS = {
    "lbm_d2q9 two-array": ("fd", r"lbm_d2q9.*TwoArrayStepI.*OpenMPE@.*" + BGK),
    "lbm_d2q9 in-place, even": ("fd", r"lbm_d2q9.*InPlaceStepI.*OpenMPE@.*" + BGK + r".*Lb0E"),
    "lbm_d2q9 in-place, odd": ("fd", r"lbm_d2q9.*InPlaceStepI.*OpenMPE@.*" + BGK + r".*Lb1E"),
    "lbm_d2q9 shared-memory": ("fd", r"lbm_d2q9.*CollidePropagateI.*OpenMPE@.*" + BGK),
    "lbm_d3q27 dense": ("fdh", r"lbm_d3q27.*StepI.*LatticeI.*OpenMPE.*@.*5D3Q27E.*3Bgk"),
    "bgkw cells": ("fd", r"bgkw.*CellUpdateI.*OpenMPE@.*UnsplitStreaming.*BgkModel"),
    "bgkw single pass": ("fd", r"bgkw.*HostPassI.*OpenMPE@Li2ELN\w*4PassE2E"),
    "boltzmann collision": ("fd", r"boltzmann.*ApplySetI.*OpenMPE@"),
    "shakhov sweep": ("fd", r"shakhov.*SweepLanesI.*OpenMPE@.*ShakhovModel"),
}
AT_LEAST = 10
FUNCTION = re.compile(r"^[0-9a-f]+ <(\S+)>:$")
PACKED = re.compile(r"\tv(?:add|sub|mul|div|fn?m(?:add|sub)\d*)p[sd]\s.*%[yz]mm")


def packed_operations(objdump, library):
    """Packed operations of each function of a kernel by its mangled name, and of all others."""
    counts, others, name = {}, 0, None
    command = [objdump, "-d", "--no-show-raw-insn", library]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if function := FUNCTION.match(line):
                name = function.group(1)
                name = name if "knudsen" in name and "special" not in name else None
            elif PACKED.search(line):
                if name:
                    counts[name] = counts.get(name, 0) + 1
                else:
                    others += 1
    if process.returncode != 0:
        sys.exit(f"{objdump} failed on {library}")
    return counts, others


def main():
    counts, others = packed_operations(sys.argv[1], sys.argv[2])
    if not counts and not others:
        print("no operations on vectors of 32 bytes or more: not for such a processor")
        return 77
    failed = 0
    for kernel, (precisions, pattern) in KERNELS.items():
        for precision in precisions:
            by_storage = kernel.startswith("lbm_d3q27")
            text = STORED[precision] if by_storage else precision
            matcher = re.compile(pattern.replace("@", text))
            found = sum(count for name, count in counts.items() if matcher.search(name))
            failed += found < AT_LEAST
            print(f"{'vectorised' if found >= AT_LEAST else 'NOT VECTORISED'}: {kernel}, "
                  f"{text}: {found} packed operations")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
