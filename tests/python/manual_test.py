"""Tests of the manual: the code of its pages, their pictures, notebooks and shell commands."""

import csv
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock

from small_cases import PROGRAM, SOURCE, InDirectory

sys.path.insert(0, str(SOURCE / "tools"))
import manual  # noqa: E402

try:
    import h5py  # noqa: F401
except ImportError:
    h5py = None
try:
    import matplotlib
except ImportError:
    matplotlib = None


def text_of(page):
    return page.read_text(encoding="utf-8")


def has_vtk():
    try:
        import vtkmodules.vtkIOHDF  # noqa: F401
    except ImportError:
        return False
    return True


@unittest.skipIf(h5py is None, "h5py is not installed")
class Pages(InDirectory):
    """One test a page: its code runs, prints what the page states, and makes the pictures that it shows."""

    def expect_ball_and_streamlines(self, picture):
        """Each takes some of the picture: the ball is grey, the streamlines have colours, the rest is white."""
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOImage import vtkPNGReader
        reader = vtkPNGReader()
        reader.SetFileName(picture)
        reader.Update()
        pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()).astype(int)
        colour = pixels.max(axis=1) - pixels.min(axis=1)
        brightness = pixels.max(axis=1)
        shares = [((colour < 20) & (brightness < 250)).mean(), (colour > 100).mean(), (brightness == 255).mean()]
        for share, low, high in zip(shares, (0.02, 0.03, 0.3), (0.3, 0.4, 0.95)):
            self.assertTrue(low < share < high, shares)


def table(file):
    """The rows of a CSV file, as dicts of numbers; lines that start with # are comments."""
    lines = [line for line in text_of(SOURCE / file).splitlines() if not line.startswith("#")]
    return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def profile_of_ghia(self, names):
    values = {row["y"]: row["u_Re100"] for row in table("tests/data/ghia1982_u_vertical_centreline.csv")}
    self.assertEqual([values[y] for y in names["ghia_y"]], list(names["ghia_u"]))


def table_of_the_paper(self, names):
    rows = table("docs/papers/data/frezzotti_2009_table1.csv")
    self.assertEqual(names["paper"], {row["delta"]: (row["drag_coefficient"], row["flow_rate"]) for row in rows})
    for row in rows:
        for name, text in zip(("drag", "flow"), names["reference"][row["delta"]]):
            found = [float(number) for number in text.split("-")]
            self.assertEqual({row[f"reference_{name}_low"], row[f"reference_{name}_high"]}, set(found))


def drag_of_free_molecules(self, names):
    (exact,) = [row["CD_cube_aligned"] for row in table("tests/data/free_molecular_drag_exact.csv")
                if (row["Ma"], row["Tw_over_Tinf"]) == (2, 1)]
    self.assertEqual(names["free_molecules"], round(exact, 3))


def drag_of_a_cubic_array(self, names):
    (exact,) = [row["K_SC"] for row in table("tests/data/zick_homsy1982_simple_cubic_K.csv") if row["phi"] == 0.125]
    self.assertEqual(names["exact"], exact)


# Values of others that stand on the pages are those of the files with their sources.
REFERENCES = {"lid_driven_cavity": profile_of_ghia, "rarefied_cavity": table_of_the_paper,
              "cube_in_stream": drag_of_free_molecules, "porous_image": drag_of_a_cubic_array}


def without_bandwidth():
    """Runs do without the copy bandwidth, which would take most of their time; no page prints it."""
    import knudsen
    return unittest.mock.patch.object(knudsen.Case, "run", functools.partialmethod(knudsen.Case.run, bandwidth=False))


def test_of(page):
    def test(self):
        if "vtkmodules" in text_of(page) and not has_vtk():
            self.skipTest("VTK is not installed")
        draws = manual.needs_display(text_of(page))
        if draws and "DISPLAY" not in os.environ and not shutil.which("Xvfb"):
            self.skipTest("there is neither an X server nor Xvfb")
        with without_bandwidth():
            names = manual.run(page)
        if page.stem in REFERENCES:
            REFERENCES[page.stem](self, names)
        for name in manual.pictures(text_of(page)) if matplotlib or draws else ():
            self.assertGreater(pathlib.Path(name).stat().st_size, 1000, name)
        if draws:
            self.expect_ball_and_streamlines("streamlines.png")

    return test


for each in manual.pages():
    setattr(Pages, f"test_{each.stem}", test_of(each))


class Tools(InDirectory):
    def test_parts_of_a_page(self):
        page = "A\n```python\nprint(1)\n```\n```text\n1\n```\nB\n```text\n2\n```\n```sh\nls\n```\n"
        self.assertEqual(manual.parts(page),
                         [("markdown", 0, "A\n"), ("python", 2, "print(1)\n"), ("output", 5, "1\n"),
                          ("markdown", 7, "B\n"), ("text", 9, "2\n"), ("sh", 12, "ls\n")])
        with self.assertRaisesRegex(ValueError, "from line 2 "):
            manual.parts("A\n```python\n")

    def test_output_is_compared_by_words_and_numbers(self):
        self.assertTrue(manual.same_output("drag 5.58\n", "drag  5.60"))
        self.assertFalse(manual.same_output("drag 5.5", "drag 5.6"))
        self.assertFalse(manual.same_output("lift 5.6", "drag 5.6"))
        self.assertFalse(manual.same_output("drag 5.6 5", "drag 5.6"))
        self.assertFalse(manual.same_output("drag -5.6", "drag 5.6"))
        self.assertTrue(manual.same_output("5 of 500 steps", "5 of 600 steps"))
        self.assertFalse(manual.same_output("5 of 500 steps", "6 of 500 steps"))

    def test_a_page_that_states_another_number(self):
        page = pathlib.Path("page.md")
        page.write_text("```python\nprint('drag', 5.5)\n```\n```text\ndrag 6.5\n```\n")
        with self.assertRaisesRegex(AssertionError, r"page.md:5: the page says\ndrag 6.5"):
            manual.run(page)
        manual.run(page, update=True)
        self.assertIn("```text\ndrag 5.5\n```", page.read_text())
        manual.run(page)

    def test_without_matplotlib(self):
        page = pathlib.Path("page.md")
        page.write_text("```python\nimport matplotlib.pyplot as plt\nfigure, axes = plt.subplots(1, 2)\n"
                        "axes[1].plot([1], [2])\nfigure.savefig('x.png')\n```\n")
        program = (f"import sys; sys.path.insert(0, {str(SOURCE / 'tools')!r}); sys.modules['matplotlib'] = None; "
                   "import manual, pathlib; manual.run(pathlib.Path('page.md'))")
        done = subprocess.run([sys.executable, "-B", "-c", program], text=True, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(pathlib.Path("x.png").exists())


class Pictures(unittest.TestCase):
    def test_all_are_on_the_gallery_page_and_small(self):
        there = sorted(path.name for path in manual.PICTURES.iterdir())
        gallery = manual.pictures(text_of(SOURCE / "docs/gallery.md"))
        self.assertEqual(sorted(gallery), there)
        for name in there:
            self.assertLess((manual.PICTURES / name).stat().st_size, 100_000, name)
        for page in manual.pages():
            for name in manual.pictures(text_of(page)):
                self.assertIn(name, there, page)

    def test_every_tutorial_has_one(self):
        for page in manual.tutorials():
            if page.stem != "collision_operator":
                self.assertTrue(manual.pictures(text_of(page)), page)
        pages = {path for path in (SOURCE / "docs/tutorials").glob("*.md")}
        self.assertEqual(pages, set(manual.tutorials()))


class Notebooks(InDirectory):
    def test_are_those_of_the_pages(self):
        """tools/manual.py notebooks makes them."""
        there = {path.stem for path in manual.NOTEBOOKS.glob("*.ipynb")}
        self.assertEqual(there, {page.stem for page in manual.tutorials()})
        for page in manual.tutorials():
            notebook = manual.NOTEBOOKS / f"{page.stem}.ipynb"
            self.assertTrue(text_of(notebook) == manual.notebook(page),
                            f"{notebook} is not that of {page}: run tools/manual.py notebooks")
            for cell in json.loads(text_of(notebook))["cells"]:
                text = "" if cell["cell_type"] == "code" else "".join(cell["source"])
                for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", "" if text.startswith("```") else text):
                    self.assertTrue((manual.NOTEBOOKS / link).exists(), f"{notebook}: {link}")

    def test_are_valid(self):
        try:
            import nbformat
        except ImportError:
            self.skipTest("nbformat is not installed")
        for path in manual.NOTEBOOKS.glob("*.ipynb"):
            nbformat.validate(nbformat.read(path, as_version=4))

    @unittest.skipIf(h5py is None or matplotlib is None, "h5py or Matplotlib is not installed")
    def test_one_runs(self):
        try:
            import nbclient
            import nbformat
            import ipykernel  # noqa: F401
        except ImportError:
            self.skipTest("nbclient or ipykernel is not installed")
        notebook = nbformat.read(manual.NOTEBOOKS / "shock_wave.ipynb", as_version=4)
        # A kernel of this interpreter, whatever kernels are installed under that name.
        kernels = pathlib.Path("kernels/this")
        kernels.mkdir(parents=True)
        (kernels / "kernel.json").write_text(json.dumps({
            "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": "this", "language": "python"}))
        with unittest.mock.patch.dict(os.environ, {"JUPYTER_PATH": str(self.directory)}):
            os.environ.pop("MPLBACKEND", None)  # pictures in the notebook
            nbclient.NotebookClient(notebook, timeout=200, kernel_name="this").execute()
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        self.assertIn("Rankine-Hugoniot 3.000", str(outputs))
        self.assertIn("image/png", str(outputs))


class Commands(InDirectory):
    """Blocks of shell commands. Those of docs/how-to that need nothing special are run."""

    # What is not run here: builds, GPUs, other machines, installing, and names that stand for the reader's own.
    SPECIAL = re.compile(r"\b(make|cuda|srun|apt-get|cmake|docker|pip|node1|case\.json|long\.json|host)\b")

    def setUp(self):
        super().setUp()
        os.symlink(SOURCE / "inputs", "inputs")
        os.symlink(SOURCE / "tests", "tests")
        pathlib.Path("bin").mkdir()
        # Runs do without the copy bandwidth, which would take most of their time.
        program = pathlib.Path("bin/knudsen")
        program.write_text(f'#!/bin/sh\n[ "$1" = run ] && set -- "$@" --no-bandwidth\nexec {PROGRAM} "$@"\n')
        program.chmod(0o755)
        self.environment = {
            **os.environ, "PATH": f"{self.directory / 'bin'}:{os.environ['PATH']}", "OMP_WAIT_POLICY": "passive",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
            "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_orte_tmpdir_base": str(self.directory)}

    def shell(self, text, *options):
        return subprocess.run(["bash", "-e", *options], input=text, text=True, capture_output=True,
                              env=self.environment, timeout=120)

    def has_ranks(self):
        """Whether mpirun can start the program on two ranks here."""
        done = self.shell("mpirun -n 2 knudsen --version") if shutil.which("mpirun") else None
        return done is not None and done.returncode == 0 and "without MPI" not in done.stderr

    def blocks(self):
        for page in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md")), *manual.pages()]:
            for kind, line, text in manual.parts(text_of(page)):
                if kind == "sh":
                    yield page, f"{page.relative_to(SOURCE)}:{line + 1}", text

    def test_are_shell(self):
        count = 0
        for _, where, text in self.blocks():
            done = self.shell(text, "-n")
            self.assertEqual(done.returncode, 0, f"{where}: {done.stderr}")
            count += 1
        self.assertGreater(count, 10)

    def test_name_options_and_files_that_there_are(self):
        helps = {}
        for _, where, text in self.blocks():
            for words in re.findall(r"(?m)^[^#\n]*\bknudsen (run|validate|compare|info|list|schema)\b([^#\n]*)", text):
                command, rest = words
                if command not in helps:
                    helps[command] = self.program(command, "--help").stdout
                for option in re.findall(r"(?<=\s)--[a-z-]+", rest):
                    self.assertIn(f"{option} ", helps[command] + " ", f"{where}: knudsen {command} {option}")
                for file in re.findall(r"(?<=\s)inputs/\S+", rest):
                    self.assertTrue((SOURCE / file).exists(), f"{where}: {file}")

    def test_of_the_how_to_pages_run(self):
        run = 0
        for page, where, text in self.blocks():
            if page.parent.name != "how-to" or self.SPECIAL.search(text):
                continue
            if "mpirun" in text and not self.has_ranks():
                continue
            done = self.shell(text)
            self.assertEqual(done.returncode, 0, f"{where}: {done.stdout}{done.stderr}")
            run += 1
        self.assertGreaterEqual(run, 2)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
