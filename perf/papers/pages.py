"""Fills the templates with tables, numbers and figures, and compares with the committed pages."""

import pathlib
import re

import tables
import tables_across
import tables_bgkw
import tables_boltzmann
import tables_dsmc
import tables_gomes
import tables_lattice
import tables_printed
import tables_scaling
import tables_shakhov
import tables_speed
import tables_validation
from reports import BOOKS, Results

TABLES = (  # their functions are in tables.BLOCKS
    tables_across,
    tables_lattice,
    tables_bgkw,
    tables_boltzmann,
    tables_dsmc,
    tables_shakhov,
    tables_gomes,
    tables_printed,
    tables_scaling,
    tables_speed,
    tables_validation,
)
INDEX = "papers/index.md"
TEMPLATES = pathlib.Path(__file__).resolve().parent / "templates"
PLACE = re.compile(r"\{\{(\w+)((?: [^ {}]+)*)\}\}")
MARK_BEGIN, MARK_END = "<!-- papers: begin, made by `make pages` -->", "<!-- papers: end -->"


def make(root, results_folder):
    """Texts of all pages and figures by their path in docs; "papers/index.md" is the README's block."""
    context = tables.Context(Results(results_folder), root)
    made = {}
    for book in BOOKS:
        context.figures = {}
        for template in sorted((TEMPLATES / book).glob("*.md")):
            context.machines = {}
            text = template.read_text(encoding="utf-8")
            made[f"{book}/{template.name}"] = PLACE.sub(lambda place: _fill(context, template.name, place), text)
        made.update({f"{book}/figures/{name}.svg": text for name, text in context.figures.items()})
    return made


def _fill(context, template, place):
    block = tables.BLOCKS.get(place[1])
    if block is None:
        raise ValueError(f"{template}: no block {place[1]!r}")
    return block(context, *place[2].split())


def committed(root, made):
    """What is made, by its path in the repository; the index stands in the README."""
    paths = {f"docs/{name}": text for name, text in made.items() if name != INDEX}
    readme = (root / "README.md").read_text(encoding="utf-8")
    before, begin, rest = readme.partition(MARK_BEGIN)
    _, end, after = rest.partition(MARK_END)
    if not begin or not end:
        raise ValueError(f"README.md: no block from {MARK_BEGIN} to {MARK_END}")
    paths["README.md"] = before + begin + "\n" + made[INDEX].strip() + "\n" + end + after
    return paths


def write(texts, folder):
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def differences(root, texts):
    """Paths whose files are not these texts, figures that no page has among them."""
    stale = [
        name
        for name, text in texts.items()
        if not (root / name).exists() or (root / name).read_text(encoding="utf-8") != text
    ]
    return sorted(stale + unused_figures(root, texts))


def unused_figures(root, texts):
    """Figures that no page has any more."""
    figures = [path for book in BOOKS for path in (root / "docs" / book / "figures").glob("*.svg")]
    kept = [figure.relative_to(root).as_posix() for figure in figures]
    return [name for name in kept if name not in texts]
