"""Checks on the host that sources compile together that a CUDA build compiles together: an unnamed
namespace of one may hide or clash with names of another. Without warnings: g++ has some that hold
for included files alone. Usage: unity_test.py BUILD SOURCE..."""

import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

build, *sources = sys.argv[1:]
commands = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
command = next(c for c in commands if c["file"] == sources[0])
words = shlex.split(command["command"])
for option in ("-o", "-c"):
    at = words.index(option)
    del words[at : at + 2]
with tempfile.TemporaryDirectory() as folder:
    together = pathlib.Path(folder, "together.cpp")
    together.write_text("".join(f'#include "{source}"\n#undef KNUDSEN_INSTANTIATE\n' for source in sources))
    words += ["-fsyntax-only", "-w", str(together)]
    sys.exit(subprocess.run(words, cwd=command["directory"]).returncode)
