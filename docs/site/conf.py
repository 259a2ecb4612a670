"""The manual as a site, by Sphinx with MyST: `make docs`. Its source is the repository.

KNUDSEN_PYTHON_PATH names the folder of the Python module, whose reference is made from docstrings.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, os.environ.get("KNUDSEN_PYTHON_PATH", str(ROOT / "build/openmp/python")))

project = "Knudsen"
version = re.search(r"project\(\w+ VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
release = version
extensions = ["myst_parser", "sphinx.ext.autodoc", "breathe"]
root_doc = "docs/site/index"
include_patterns = ["*.md", "docs/*.md", "docs/papers/*.md", "docs/validation/*.md", "docs/site/*.md", "docs/tutorials/*.md",
                    "docs/how-to/*.md", "inputs/gallery/*.md", "perf/*.md", "perf/results/**.md",
                    "src/*/*.md", "src/methods/*/*.md"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Knudsen {version}"
autodoc_member_order = "bysource"
default_role = "code"  # of `names` in docstrings
try:
    import knudsen  # noqa: F401
except ImportError:
    suppress_warnings = ["autodoc.import_object"]  # the page of the reference stays empty


def read_headers(folder):
    """The comments of the headers for other projects, read by Doxygen, as XML."""
    headers = ["interface/knudsen/knudsen.hpp", "interface/knudsen/method.hpp", "model/method.hpp", "model/problem.hpp",
               "model/method_entry.hpp", "case/reader.hpp", "core/error.hpp", "core/field.hpp", "core/surface_fields.hpp"]
    settings = {"INPUT": " ".join(str(ROOT / "src" / name) for name in headers), "OUTPUT_DIRECTORY": folder,
                "GENERATE_XML": "YES", "GENERATE_HTML": "NO", "GENERATE_LATEX": "NO", "QUIET": "YES", "WARN_IF_UNDOCUMENTED": "NO",
                "STRIP_FROM_PATH": str(ROOT / "src")}
    subprocess.run(["doxygen", "-"], input="".join(f"{key} = {value}\n" for key, value in settings.items()), text=True,
                   check=True)
    return f"{folder}/xml"


# Deleted at the end, so the next build must not remember it: call sphinx with -E.
doxygen_folder = tempfile.TemporaryDirectory()
breathe_projects = {"knudsen": read_headers(doxygen_folder.name)}
breathe_default_project = "knudsen"
breathe_domain_by_extension = {"hpp": "cpp"}


def keep_code(app, what, name, thing, options, lines):
    """Indented paragraphs of docstrings are code."""
    indented = [line.startswith("    ") for line in lines]
    for i in range(len(lines) - 1, 0, -1):
        if indented[i] and not lines[i - 1].strip() and not any(indented[:i][-2:]):
            lines[i:i] = ["::", ""]


def pass_folders(app, environment, node, content):
    """Links to folders and files of the repository that are no pages stay text; others are faults."""
    page = ROOT / environment.doc2path(node.get("refdoc", root_doc), base=False)
    return content if (page.parent / node["reftarget"]).exists() else None


def setup(app):
    app.connect("autodoc-process-docstring", keep_code)
    app.connect("missing-reference", pass_folders)
