#!/usr/bin/env python3
"""Checks that the C++ and CMake of a page are those of the examples: usage cpp_blocks_test.py PAGE FILE...

The examples are compiled and run by other tests.
"""
import pathlib
import re
import sys


def main():
    page, *files = map(pathlib.Path, sys.argv[1:])
    texts = [path.read_text(encoding="utf-8") for path in files]
    blocks = re.findall(r"^```(?:cpp|cmake)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    strange = [block for block in blocks if not any(block.rstrip("\n") in text for text in texts)]
    for block in strange:
        print(f"{page}: this is in no example:\n{block}", file=sys.stderr)
    print(f"{len(blocks)} blocks, {len(strange)} of them in no example")
    return 1 if strange or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
