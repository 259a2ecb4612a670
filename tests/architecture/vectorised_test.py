#!/usr/bin/env python3
"""Checks that the hot loops on the host are vectorised: usage vectorised_test.py OBJDUMP LIBRARY.

Disassembles the library and counts the additions, multiplications and fused operations on 32 and 64
bytes in each kernel, special nodes left out. Exit code 77 (skipped) if the library is not for
x86-64 with such vectors.
"""
import re
import subprocess
import sys

# Parts of the kernels' mangled names; `@` stands for the precision, f or d. On the host the kernels of
# the lattices call the collisions of rows.
ROWS = r"collide_rowsI.*%s.*3BgkELNS\w{0,3}_7ForcingE1E.*@EEv"
KERNELS = {
    "collisions on D2Q9": ROWS % "4D2Q9",
    "collisions on D3Q19": ROWS % "5D3Q19",
    "collisions on D3Q27": ROWS % "5D3Q27",
    "collisions on D3Q27 with heat": ROWS % "4D3Q7",
    "bgkw cells": r"bgkw.*CellUpdateI.*OpenMPE@.*UnsplitStreaming.*BgkModel",
    "bgkw cells, es-bgk": r"bgkw.*CellUpdateI.*OpenMPE@.*UnsplitStreaming.*EsBgkILb0EEELb0ELb0EEcl.*7SegmentEE\d_cl",
    "bgkw cells, es-bgk that conserves": r"bgkw.*CellUpdateI.*OpenMPE@.*UnsplitStreaming.*EsBgkILb0EEELb1ELb0EE"
                                         r"(?:7correct|cl\w*MemberIS\d_EE$)",
    "bgkw single pass": r"bgkw.*update_cell_on_hostI@Li2ELN\w*4PassE2E",
    "bgkw order 2, equal cells": r"bgkw.*LineStreamingI.*OpenMPE@Li2ELb0EE23stream_less_than_a_cell",
    "bgkw order 2, growing cells": r"bgkw.*LineStreamingI.*OpenMPE@Li2ELb1EE23stream_less_than_a_cell",
    "bgkw stages of order 2": r"bgkw.*AllAxesStreamingI.*OpenMPE@Li2ELb0EE8subtract",
    "boltzmann collision": r"boltzmann.*ApplySetI.*OpenMPE@",
    "shakhov sweep, order 1": r"shakhov.*SweepLanesI.*OpenMPE@.*ShakhovModelELi1EE11relax_lanes",
    "shakhov sweep, order 2": r"shakhov.*SweepLanesI.*OpenMPE@.*ShakhovModelELi2EE11relax_lanes",
    "shakhov sweep, es-bgk": r"shakhov.*SweepLanesI.*OpenMPE@.*EsBgkILb0EEELi1EE11relax_lanes",
    "shakhov slices": r"shakhov.*SweepSliceI.*OpenMPE@.*ShakhovModelEE11relax_lanesILb0E",
}
AT_LEAST = 10
# Of kernels with other loops: more than those have.
AT_LEAST_OF = {"bgkw cells, es-bgk that conserves": 400}
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
    for kernel, pattern in KERNELS.items():
        at_least = AT_LEAST_OF.get(kernel, AT_LEAST)
        for precision in "fd":
            matcher = re.compile(pattern.replace("@", precision))
            found = sum(count for name, count in counts.items() if matcher.search(name))
            failed += found < at_least
            print(f"{'vectorised' if found >= at_least else 'NOT VECTORISED'}: {kernel}, "
                  f"{precision}: {found} packed operations")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
