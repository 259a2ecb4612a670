"""What `pip install .` installs: the package of pyproject.toml and the module that CMake installs into it.

    python_package_test.py CMAKE BUILD_FOLDER FOLDER
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

try:
    import tomllib
except ImportError:
    print("skipped: reading pyproject.toml needs Python 3.11")
    sys.exit(77)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
cmake, build, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
project = tomllib.loads((SOURCE / "pyproject.toml").read_text(encoding="utf-8"))
settings = project["tool"]["scikit-build"]

shutil.rmtree(folder, ignore_errors=True)
for component in settings["install"]["components"]:
    subprocess.run([cmake, "--install", build, "--component", component, "--prefix", folder], check=True)
installed = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
assert len(installed) == 1 and re.fullmatch(r"knudsen/_knudsen\.[^/]*\.so", installed[0]), installed
for package in settings["wheel"]["packages"]:
    shutil.copytree(SOURCE / package, folder / pathlib.Path(package).name, dirs_exist_ok=True)

code = """
import json, pathlib, warnings
import knudsen
warnings.simplefilter("ignore")
case = knudsen.Case(method="lbm_d2q9", domain={"nodes": [24, 20]}, fluid={"reynolds": 50, "velocity": 0.05},
                    stop={"steps": 5})
run = case.run("results", bandwidth=False)
print(json.dumps([str(pathlib.Path(knudsen.__file__).parent), knudsen.__version__, run.step]))
"""
done = subprocess.run([sys.executable, "-B", "-c", code], cwd=folder, text=True, check=True, stdout=subprocess.PIPE,
                      env={"PYTHONPATH": str(folder)})
where, version, step = json.loads(done.stdout)
assert (where, step) == (str(folder / "knudsen"), 5), done.stdout
assert version == project["project"]["version"], (version, project["project"]["version"])
cited = re.search(r"^version: (\S+)$", (SOURCE / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
assert cited and cited[1].strip('"') == version, cited
