#!/usr/bin/env python3
"""Vortices, streamlines and stability of the lid-driven cavity of Gomes 2016.

Writes to perf/results/lbm_d2q9
  cavity_re400.csv, cavity_re1000.csv  our cavity: vortices and stream function, as the program
                                       paper_gomes_2016 writes those of the thesis's cavity
  cavity_stability.csv                 with --stability: the least relaxation time that lives
"""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASE = ROOT / "inputs" / "lid_driven_cavity.json"
QUIET = {"output.fields.write": False, "output.snapshots": {}}
ROWS = 65  # of the stream function, and as many values in each

LIDS = {
    "wall": {"type": "wall", "velocity": [1, 0]},
    "zou-he": {"type": "velocity", "velocity": [1, 0]},
}


def run(options, settings, folder):
    """The run's exit code, and its report where it ended well."""
    command = [options.knudsen, "run", str(CASE), "--output", str(folder), "--quiet"]
    command += ["--no-bandwidth"]
    if options.threads:
        command += ["--backend", "host", "--threads", str(options.threads)]
    for key, value in {**QUIET, **settings}.items():
        command += ["--set", f"{key}={json.dumps(value, separators=(',', ':'))}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    report = folder / "timing.json"
    return done.returncode, json.loads(report.read_text()) if done.returncode == 0 else None


def origin(report):
    return (
        f"# {report['device']}, {report['backend']}, {report['threads']} threads; "
        f"{report['compiler']}, Kokkos {report['kokkos_version']}, commit {report['git_commit']}"
    )


def rows_of(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return [tuple(map(float, line.split(",")[:2])) for line in lines[1:]]


def streamlines(options, reynolds, nodes):
    heights = [(round(i * (nodes - 1) / (ROWS - 1)) + 0.5) / nodes for i in range(ROWS)]
    profiles = [
        {
            "name": f"psi_{i}",
            "quantity": "stream_function",
            "along": "x",
            "at": [height],
            "normalised": False,
        }
        for i, height in enumerate(heights)
    ]
    centrelines = [
        {"name": "u", "quantity": "velocity_x", "along": "y"},
        {"name": "v", "quantity": "velocity_y", "along": "x"},
    ]
    speed = 0.1
    settings = {
        "precision": "double",
        "domain.nodes": [nodes, nodes],
        "fluid": {"reynolds": reynolds, "velocity": speed},
        "output.profiles": profiles + centrelines,
        "stop.steps": 400000,
        "stop.check_every": 2000,
        "stop.criteria": [{"quantity": "kinetic_energy", "tolerance": 1e-5}],
    }
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        code, report = run(options, settings, folder)
        if code != 0:
            raise SystemExit(f"Re = {reynolds}: the run failed")
        lines = [
            origin(report),
            f"# Re {reynolds}, {nodes} x {nodes} nodes, bgk, moving wall; lid's speed {speed}, "
            f"Mach {speed * 3**0.5:.4f}; {report['total']['steps']} steps",
            "what,x,y,value",
        ]
        for key, text in sorted(report["results"].items()):
            if key.startswith("vortex"):
                x, y, psi = re.findall(r"[-+]?\d[-+.\de]*", text)
                lines.append(f"vortex,{x},{y},{psi}")
        lines += [f"u,0.5,{y:.6f},{u:.6g}" for y, u in rows_of(folder / "profile_u.csv")]
        lines += [f"v,{x:.6f},0.5,{v:.6g}" for x, v in rows_of(folder / "profile_v.csv")]
        for i, height in enumerate(heights):
            found = rows_of(folder / f"profile_psi_{i}.csv")
            for j in range(ROWS):
                node = round(j * (nodes - 1) / (ROWS - 1))
                psi = found[node][1] / (speed * nodes)
                lines.append(f"psi,{(node + 0.5) / nodes:.4f},{height:.4f},{psi:.4g}")
    write(options, f"cavity_re{reynolds}.csv", lines)


def lives(options, lid, operator, speed, nodes, tau):
    """Whether the flow is finite after twenty crossings of the lid."""
    settings = {
        "precision": "double",
        "domain.nodes": [nodes, nodes],
        "fluid": {"relaxation_time": tau, "velocity": speed},
        "collision": {"operator": operator},
        "boundaries.north": LIDS[lid],
        "output.profiles": [],
        "stop.steps": round(20 * nodes / speed),
        "stop.check_every": 200,
        "stop.criteria": [],
    }
    with tempfile.TemporaryDirectory() as folder:
        return run(options, settings, pathlib.Path(folder))


def stability(options):
    lines, head = [], None
    for nodes in (64, 128):
        for lid in LIDS:
            for operator in ("bgk", "trt"):
                for speed in (0.05, 0.1, 0.15):
                    dead, alive = 0.5, 0.6  # of the relaxation time
                    while alive - 0.5 > 1.1 * (dead - 0.5) and alive - 0.5 > 2e-4:
                        # Halves the distance to 1/2 until a run dies, then by geometric means.
                        tau = 0.5 + ((alive - 0.5) * max(dead - 0.5, (alive - 0.5) / 16)) ** 0.5
                        code, report = lives(options, lid, operator, speed, nodes, tau)
                        head = head or (report and origin(report))
                        dead, alive = (tau, alive) if code else (dead, tau)
                    reynolds = speed * nodes / ((alive - 0.5) / 3)
                    lines.append(
                        f"{nodes},{lid},{operator},{speed:g},{alive:.5f},{dead:.5f},{reynolds:.0f}"
                    )
                    print(lines[-1], flush=True)
    note = "# the least relaxation time at which the flow is finite after twenty crossings of the lid"
    columns = "nodes,lid,operator,lid_speed,lives_at,dies_at,reynolds"
    write(options, "cavity_stability.csv", [head, note, columns, *lines])


def write(options, name, lines):
    options.results.mkdir(parents=True, exist_ok=True)
    path = options.results / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--knudsen", default="knudsen", help="the program (default: on PATH)")
    parser.add_argument("--threads", type=int, help="run on the host by so many threads")
    parser.add_argument("--stability", action="store_true")
    parser.add_argument("--nodes", type=int, default=257)
    parser.add_argument(
        "--results", type=pathlib.Path, default=ROOT / "perf" / "results" / "lbm_d2q9"
    )
    options = parser.parse_args()
    program = pathlib.Path(options.knudsen)
    options.knudsen = str(program.resolve()) if program.exists() else options.knudsen
    if options.stability:
        return stability(options)
    for reynolds in (400, 1000):
        streamlines(options, reynolds, options.nodes)
    return None


if __name__ == "__main__":
    main()
