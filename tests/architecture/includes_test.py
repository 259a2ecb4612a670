#!/usr/bin/env python3
"""Checks that includes go one way: usage includes_test.py SOURCE_DIR.

A folder of src/ may include itself and the folders that its line names. Anything else, and a folder
without a line, is an error. The folders of HOST_ONLY must not include Kokkos, not even through
another header: a CUDA build compiles them without nvcc, which Kokkos' headers need there.
"""
import os
import re
import sys

MAY_INCLUDE = {
    "core": "",
    "device": "core",
    "parallel": "core device",
    "case": "core",
    "geometry": "core device case",
    "output": "core device parallel",
    "report": "core output",
    "model": "core device case output",
    "kinetic": "core device case model",
    "lattice": "core device",
    "methods": "core device parallel case geometry output model kinetic lattice",
    "run": "core device parallel case output report model",
    "interface": "core device parallel case model methods run",
}
HOST_ONLY = ("core", "case", "geometry", "output", "report")
# Within methods/, a method may use what methods of its kind share, but no other method.
SHARED_BY_METHODS = ("gas", "lattice")
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)
KOKKOS = re.compile(r'^\s*#\s*include [<"]Kokkos', re.MULTILINE)


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


def way_to_kokkos(path, texts):
    """The files by which one comes to include Kokkos, itself first; empty where it does not.

    `texts` are the files of src/ by their paths."""
    ways = [[path]]
    seen = {path}
    for way in ways:
        text = texts.get(way[-1], "")  # a generated header is not there
        if KOKKOS.search(text):
            return way
        for included in INCLUDE.findall(text):
            if included not in seen:
                seen.add(included)
                ways.append(way + [included])
    return []


def kokkos_errors(texts):
    """The files of HOST_ONLY that include Kokkos."""
    found = []
    for path in sorted(texts):
        way = way_to_kokkos(path, texts) if path.split("/")[0] in HOST_ONLY else []
        if way:
            found.append(f"{path}: includes Kokkos" +
                         (f" by {', '.join(way[1:])}" if way[1:] else ""))
    return found


def self_test():
    assert not errors_in("run/a.cpp", '#include "model/method.hpp"\n#include <vector>\n')
    assert errors_in("run/a.cpp", '#include "methods/registry.hpp"\n')
    assert errors_in("kinetic/a.hpp", '  #  include "run/b.hpp"\n')
    assert errors_in("methods/bgkw/a.hpp", '#include "methods/shakhov/b.hpp"\n')
    assert not errors_in("methods/bgkw/a.hpp", '#include "methods/gas/b.hpp"\n')
    assert errors_in("elsewhere/a.hpp", "")
    texts = {"device/kokkos.hpp": "#include <Kokkos_Core.hpp>\n", "device/plain.hpp": "",
             "device/views.hpp": '#include "device/kokkos.hpp"\n',
             "geometry/a.cpp": '#include "device/plain.hpp"\n#include "git_commit.hpp"\n'}
    assert not kokkos_errors(texts)
    assert kokkos_errors({**texts, "geometry/b.cpp": '#include "device/views.hpp"\n'}) == [
        "geometry/b.cpp: includes Kokkos by device/views.hpp, device/kokkos.hpp"]
    assert kokkos_errors({**texts, "core/c.hpp": "#include <Kokkos_Macros.hpp>\n"})


def main(source_dir):
    self_test()
    root = os.path.join(source_dir, "src")
    texts = {}
    for path in sources(root):
        with open(path, encoding="utf-8") as file:
            texts[os.path.relpath(path, root)] = file.read()
    errors = [error for path in sorted(texts) for error in errors_in(path, texts[path])]
    errors += kokkos_errors(texts)
    print("\n".join(errors))
    print(f"{len(texts)} files, {len(errors)} forbidden includes")
    return 1 if errors or not texts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
