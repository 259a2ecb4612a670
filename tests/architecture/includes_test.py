#!/usr/bin/env python3
"""Checks that includes go one way: usage includes_test.py SOURCE_DIR.

A folder of src/ may include itself and the folders that its line names. Anything else, and a folder
without a line, is an error.
"""
import os
import re
import sys

MAY_INCLUDE = {
    "core": "",
    "device": "core",
    "case": "core",
    "geometry": "core device case",
    "output": "core device",
    "report": "core output",
    "model": "core device case output",
    "kinetic": "core device case model",
    "lattice": "core device",
    "methods": "core device case geometry output model kinetic lattice",
    "run": "core device case output report model",
}
# Within methods/, a method may use what methods of its kind share, but no other method.
SHARED_BY_METHODS = ("gas", "lattice")
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)


def sources(folder):
    for directory, _, names in os.walk(folder):
        for name in names:
            if name.endswith((".hpp", ".cpp")):
                yield os.path.join(directory, name)


def errors_in(path, text):
    """What is wrong with the includes of one file, given by its path from src/ on."""
    room, *rest = path.split("/")
    if room not in MAY_INCLUDE:
        return [f"{path}: src/{room}/ has no line in {os.path.basename(__file__)}"]
    allowed = {room, *MAY_INCLUDE[room].split()}
    found = []
    for included in INCLUDE.findall(text):
        target, *inner = included.split("/")
        if not inner:
            continue  # a generated header
        if target not in allowed:
            found.append(f"{path}: includes {included}, but src/{room}/ may include only "
                         f"{', '.join(sorted(allowed))}")
        is_method = room == "methods" and len(rest) > 1
        if is_method and target == "methods" and inner[0] not in (rest[0], *SHARED_BY_METHODS):
            found.append(f"{path}: includes {included} of another method")
    return found


def self_test():
    assert not errors_in("run/a.cpp", '#include "model/method.hpp"\n#include <vector>\n')
    assert errors_in("run/a.cpp", '#include "methods/registry.hpp"\n')
    assert errors_in("kinetic/a.hpp", '  #  include "run/b.hpp"\n')
    assert errors_in("methods/bgkw/a.hpp", '#include "methods/shakhov/b.hpp"\n')
    assert not errors_in("methods/bgkw/a.hpp", '#include "methods/gas/b.hpp"\n')
    assert errors_in("elsewhere/a.hpp", "")


def main(source_dir):
    self_test()
    root = os.path.join(source_dir, "src")
    files = sorted(sources(root))
    errors = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            errors += errors_in(os.path.relpath(path, root), file.read())
    print("\n".join(errors))
    print(f"{len(files)} files, {len(errors)} includes that go the wrong way")
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
