"""What the measurements of the Python module share: the flow that they step, and their reports."""
import json


def cavity(nodes, **keys):
    """A lid-driven cavity of `lbm_d2q9` that is stepped by its caller."""
    import knudsen  # not before a process has set the variables that it measures
    wall = {"type": "wall"}
    return knudsen.Case(method="lbm_d2q9", domain={"nodes": [nodes, nodes]},
                        fluid={"reynolds": nodes / 20, "velocity": 0.01},  # viscosity 0.2
                        boundaries={"north": {"type": "wall", "velocity": [1, 0]}, "south": wall,
                                    "west": wall, "east": wall},
                        stop={"steps": 1, "check_every": 10**9}, **keys)


def write(report, path=None):
    """Prints a report and writes it to a file."""
    text = json.dumps(report, indent=2)
    print(text)
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
