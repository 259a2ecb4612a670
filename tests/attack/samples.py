"""Sound files that cases read, and the small cases themselves."""

import collections
import functools
import json
import pathlib
import shutil
import struct
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "perf"))
import frozen  # noqa: E402: small cases for every choice of the case format


@functools.cache
def cases_by_group():
    """Small cases by method and group; a group varies one part of a case."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, case in frozen.all_cases().items():
        if "refused" not in name:
            groups[case["method"]][name.split("/")[1]].append(with_own_files(case))
    return groups


def with_own_files(value):
    """The case with its files in the folder data/."""
    if isinstance(value, dict):
        return {key: with_own_files(below) for key, below in value.items()}
    if isinstance(value, list):
        return [with_own_files(below) for below in value]
    return value.removeprefix("../") if isinstance(value, str) and value.startswith("../data/") else value


@functools.cache
def files():
    """Contents by name."""
    disc = [[int((x - 9)**2 + (y - 8)**2 < 14) for x in range(21)] for y in range(17)]
    ball = [int((x - 5)**2 + (y - 4)**2 + (z - 3)**2 < 6) for z in range(7) for y in range(8) for x in range(11)]
    box = [int((x - 3)**2 + (y - 2)**2 + (z - 2)**2 < 6) for z in range(4) for y in range(5) for x in range(6)]
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    triangles = [[corners[i] for i in triangle] for triangle in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))]
    facets = []
    for triangle in triangles:
        vertices = "".join("vertex %g %g %g\n" % corner for corner in triangle)
        facets.append(f"facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
    binary = [struct.pack("<12fH", 0, 0, 0, *sum(triangle, ()), 0) for triangle in triangles]
    header = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 11 8 7\nencoding: "
    found = {
        "disc.txt": "\n".join(["21 17 1", *(" ".join(map(str, row)) for row in disc), ""]).encode(),
        "disc.png": frozen.png_bytes([[60 if solid else 240 for solid in row] for row in disc[::-1]]),
        "ball.raw": bytes(ball), "ball16.raw": struct.pack(">120H", *box),
        "ball.nrrd": f"{header}raw\n\n".encode() + bytes(ball),
        "ball_zip.nrrd": f"{header}gzip\n\n".encode() + zlib.compress(bytes(ball), wbits=31),
        "ball_text.nrrd": f"{header}ascii\n\n{' '.join(map(str, ball))}\n".encode(),
        "tetrahedron.stl": f"solid body\n{''.join(facets)}endsolid body\n".encode(),
        "binary.stl": bytes(80) + struct.pack("<I", 4) + b"".join(binary),
    }
    for path in (ROOT / "tests/data").glob("ghia*.csv"):
        found[path.name] = path.read_bytes()
    return found


# Other files of the same kind that a case may read as well.
ALTERNATIVES = {"tetrahedron.stl": ["binary.stl"], "ball.nrrd": ["ball_zip.nrrd", "ball_text.nrrd"]}


# Those of fuzz/probes.cpp.
PROBES = [{"name": "point", "at": [0.5, 0.5, 0.5], "quantities": ["velocity"]},
          {"name": "line", "kind": "line", "begin": [0, 0, 0], "end": [1, 1, 1], "points": 2,
           "quantities": ["velocity"]}]


def write_seeds(folder, program):
    """Writes a folder of sound files for each fuzzer of fuzz/."""
    found = files()
    seeds = {"stl": ["tetrahedron.stl", "binary.stl"], "picture": ["disc.png"], "node_map": ["disc.txt"],
             "voxel_image": ["ball.nrrd", "ball_zip.nrrd", "ball_text.nrrd", "ball.raw"],
             "csv": [name for name in found if name.endswith(".csv")]}
    contents = {reader: [found[name] for name in names] for reader, names in seeds.items()}
    cases = [path.read_bytes() for path in (ROOT / "inputs").glob("*.json")]
    contents["case_document"] = cases + [b"stop.steps=3\n" + cases[0]]
    contents["timing_report"] = [path.read_bytes() for path in sorted((ROOT / "perf/results").rglob("*.json"))[:20]]
    work = pathlib.Path(folder) / "work"
    work.mkdir(parents=True, exist_ok=True)
    program.run(ROOT / "inputs/duct.json", "--set", "stop.steps=2", "--set", "domain.nodes=[2,4,4]", "--set",
                "checkpoint.at_end=true", "--set", "output.probes=" + json.dumps(PROBES), "--output", "out",
                folder=work)
    contents["checkpoint"] = [path.read_bytes() for path in (work / "out").glob("checkpoint*")]
    contents["probes"] = [(work / "out" / "probes.h5").read_bytes()]
    contents["field_file"] = [path.read_bytes() for path in (work / "out").glob("fields*")]
    contents["formula"] = [b"1 + 0.2*sin(2*pi*x)^2", b"if(x < 0.5, min(y, z), -1e-3/atan2(1, x))"]
    contents["place_table"] = [b"# t\nx,temperature\n0,1\n1,2\n",
                               b"z,x,temperature,density\n1,0,7,1\n0,1,5,1\n0,0,1,2\n1,1,11,3\n"]
    shutil.rmtree(work)
    for reader, samples in contents.items():
        (pathlib.Path(folder) / reader).mkdir(exist_ok=True)
        for number, content in enumerate(samples):
            (pathlib.Path(folder) / reader / f"sample_{number}").write_bytes(content)
