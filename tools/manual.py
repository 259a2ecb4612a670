#!/usr/bin/env python3
"""The manual's pages as programs, pictures and notebooks. The pages of docs/tutorials and docs/how-to are the source.

    tools/manual.py run PAGE...       run the Python code of pages, each in a new directory, and check what it prints
    tools/manual.py gallery [PAGE...] run pages, write what they print into them, and copy the pictures that they show to
                                      docs/images/manual; without a PAGE all pages and the scripts of examples/, minutes
    tools/manual.py notebooks         write examples/notebooks from the tutorials

A block ```text that follows a block ```python is what the code prints. Words must be equal. Numbers may differ by 1 %,
since compilers and processors round differently, and numbers of steps or iterations by a quarter. A picture of docs/images/manual on a page is a file that the page's code
writes under the same name. `run` and `gallery` need the module knudsen (PYTHONPATH), `gallery` also Matplotlib and, for the page that draws with VTK, an X server or Xvfb.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest.mock
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs/images/manual"
NOTEBOOKS = ROOT / "examples/notebooks"
TUTORIALS = ["lid_driven_cavity", "cylinder", "porous_image", "shock_wave", "rarefied_cavity", "cube_in_stream",
             "collision_operator"]
PICTURE = re.compile(r"!\[[^\]]*\]\((?:\.\./)?images/manual/([^)]+)\)")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def tutorials():
    """The tutorials in the order in which they are read."""
    return [ROOT / f"docs/tutorials/{name}.md" for name in TUTORIALS]


def pages():
    """All pages whose Python code is run."""
    return tutorials() + sorted((ROOT / "docs/how-to").glob("*.md"))


def parts(text):
    """The parts of a page in order: (kind, line, text).

    The kind is "markdown" or the language of a block of code, "output" for what the block before prints. The line is
    that of the text's first line, counted from 0.
    """
    found = []
    kind, begin, lines = "markdown", 0, []

    def close():
        body = "".join(lines)
        if kind == "markdown" and not body.strip():
            return
        found.append((kind, begin, body))

    for number, line in enumerate(text.splitlines(keepends=True)):
        fence = re.match(r"```(\w*)", line)
        if not fence:
            lines.append(line)
            continue
        close()
        if kind == "markdown":
            kind = fence[1] or "text"
            if kind == "text" and found and found[-1][0] == "python":
                kind = "output"
        else:
            kind = "markdown"
        begin, lines = number + 1, []
    if kind != "markdown":
        raise ValueError(f"the block of code from line {begin} does not end")
    close()
    return found


def pictures(text):
    """The names of the pictures of docs/images/manual that a page shows."""
    return PICTURE.findall(text)


def same_output(printed, stated):
    """Whether a text has the words of another one, and its numbers to 1 %, those of steps and iterations to a quarter."""
    texts = [" ".join(text.split()) for text in (printed, stated)]
    if NUMBER.sub("0", texts[0]) != NUMBER.sub("0", texts[1]):
        return False
    for one, other in zip(*(NUMBER.finditer(text) for text in texts)):
        a, b = float(one[0]), float(other[0])
        counts_steps = texts[0][one.end():].startswith((" steps", " iterations"))
        if abs(a - b) > (0.25 if counts_steps else 0.01) * max(abs(a), abs(b)):
            return False
    return True


def stub_of_matplotlib():
    """Modules that take the place of Matplotlib where it is not installed: all calls do nothing."""
    pyplot = unittest.mock.MagicMock()

    def subplots(rows=1, columns=1, **_):
        count = rows * columns
        axes = [unittest.mock.MagicMock() for _ in range(count)]
        return unittest.mock.MagicMock(), axes[0] if count == 1 else axes

    pyplot.subplots = subplots
    return {"matplotlib": unittest.mock.MagicMock(pyplot=pyplot), "matplotlib.pyplot": pyplot}


def needs_display(text):
    """Whether the code of a page draws with VTK."""
    return "vtkRendering" in text


@contextlib.contextmanager
def display(needed=True):
    """An X server for VTK where there is none. Raises FileNotFoundError if Xvfb is not installed."""
    if not needed or "DISPLAY" in os.environ:
        yield
        return
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            os.environ["DISPLAY"] = ":" + server.stdout.readline().strip()
            yield
        finally:
            del os.environ["DISPLAY"]
            server.terminate()


def run(page, update=False):
    """Runs the Python code of a page in the present directory.

    Where the code prints another text than the page states, raises AssertionError or, with `update`, changes the page.
    Returns the names that the code has defined, with their values.
    """
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    changes = []
    os.environ.setdefault("MPLBACKEND", "Agg")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        sys.modules.update(stub_of_matplotlib())
    names = {"__name__": "__main__"}
    printed = None
    with warnings.catch_warnings(), display(needs_display("".join(lines))):
        warnings.simplefilter("error")
        for kind, line, text in parts("".join(lines)):
            if kind == "python":
                captured = io.StringIO()
                with contextlib.redirect_stdout(captured):
                    exec(compile("\n" * line + text, str(page), "exec"), names)
                printed = captured.getvalue()
            elif kind == "output" and not same_output(printed, text):
                where = f"{page}:{line + 1}"
                assert update, f"{where}: the page says\n{text}\nthe code prints\n{printed}"
                changes.append((line, len(text.splitlines()), printed))
    for line, count, printed in reversed(changes):
        lines[line:line + count] = [printed]
    if changes:
        page.write_text("".join(lines), encoding="utf-8")
    return names


def notebook(page):
    """The notebook of a page, as text: the Jupyter format 4.5, with the page's output in the cells."""
    cells = []

    def cell(kind, text, **more):
        lines = text.strip("\n").splitlines(keepends=True)
        cells.append({"cell_type": kind, "id": f"{page.stem[:40]}-{len(cells)}".replace("_", "-"), "metadata": {},
                      **more, "source": lines})

    cell("markdown", f"<!-- made from docs/tutorials/{page.name} by tools/manual.py notebooks: change that page -->")
    for kind, _, text in parts(page.read_text(encoding="utf-8")):
        if kind == "python":
            cell("code", text, execution_count=None, outputs=[])
        elif kind == "output":
            cells[-1]["outputs"] = [{"output_type": "stream", "name": "stdout",
                                     "text": text.splitlines(keepends=True)}]
        elif kind == "markdown":
            # Links lead from examples/notebooks to where they lead from docs/tutorials.
            cell("markdown", re.sub(r"\]\((?!https?:|#)([^)]+)\)",
                                    lambda link: f"]({_moved(link[1], page.parent, NOTEBOOKS)})", text))
        else:
            cell("markdown", f"```{kind}\n{text}```")
    written = {"cells": cells,
               "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                            "language_info": {"name": "python"}},
               "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(written, indent=1, ensure_ascii=False) + "\n"


def _moved(link, old, new):
    path, mark, anchor = link.partition("#")
    return os.path.relpath(os.path.normpath(old / path), new) + mark + anchor


def _run_each(chosen, update):
    """Runs pages one after the other, each in a new process and directory. Returns the number of failures."""
    failures = 0
    for page in chosen:
        with tempfile.TemporaryDirectory(prefix="knudsen-manual-") as directory:
            begin = time.monotonic()
            command = [sys.executable, "-B", __file__, "update-here" if update else "here", str(page)]
            done = subprocess.run(command, cwd=directory)
            state = "failed" if done.returncode else "written" if update else "as stated"
            print(f"{page.name}: {state}, {time.monotonic() - begin:.1f} s")
            failures += done.returncode != 0
            if update and not done.returncode:
                for name in pictures(page.read_text(encoding="utf-8")):
                    shutil.copy(pathlib.Path(directory, name), PICTURES / name)
    return failures


def _run_examples():
    """Runs the scripts of examples/ in full and copies their pictures. Returns the number of failures."""
    failures = 0
    for script in sorted((ROOT / "examples").glob("*.py")):
        with tempfile.TemporaryDirectory(prefix="knudsen-manual-") as directory:
            failures += subprocess.run([sys.executable, "-B", script, directory]).returncode != 0
            for picture in pathlib.Path(directory).glob("*.png"):
                shutil.copy(picture, PICTURES / picture.name)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["run", "gallery", "notebooks", "here", "update-here"])
    parser.add_argument("pages", nargs="*", type=lambda name: pathlib.Path(name).resolve())
    arguments = parser.parse_args()
    if arguments.command in ("here", "update-here"):  # one page of the others, in the present directory
        for page in arguments.pages:
            run(page, update=arguments.command == "update-here")
    elif arguments.command == "notebooks":
        NOTEBOOKS.mkdir(parents=True, exist_ok=True)
        for page in tutorials():
            (NOTEBOOKS / f"{page.stem}.ipynb").write_text(notebook(page), encoding="utf-8")
    else:
        PICTURES.mkdir(parents=True, exist_ok=True)
        failures = _run_each(arguments.pages or pages(), arguments.command == "gallery")
        if arguments.command == "gallery" and not arguments.pages:
            failures += _run_examples()
        sys.exit(failures != 0)


if __name__ == "__main__":
    main()
