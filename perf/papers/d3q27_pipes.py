#!/usr/bin/env python3
"""Writes a case of square pipes of 5, 10 and 20 nodes along one axis (the isotropy test of Geier and
Schoenherr 2017): perf/papers/d3q27_pipes.py x|y|z > case.json"""

import json
import sys

LENGTH = 256  # of the pipes
ACROSS = 356  # nodes of the domain along the two other axes
# Places and widths of the pipes in a cell of 44 x 44 nodes, with one solid node or more between.
CELL = [(0, 0, 20), (22, 0, 10), (0, 22, 10), (22, 22, 5), (34, 22, 5), (22, 34, 5), (34, 34, 5), (34, 2, 5)]


def pipes(axis):
    others = ((axis + 1) % 3, (axis + 2) % 3)
    for row in range(8):
        for column in range(8):
            for first, second, width in CELL:
                low, high = [0, 0, 0], [0, 0, 0]
                high[axis] = LENGTH
                for other, place in zip(others, (2 + 44 * row + first, 2 + 44 * column + second)):
                    low[other], high[other] = place, place + width
                yield {"shape": "box", "from": low, "to": high}


def case(name):
    axis = "xyz".index(name)
    nodes, force = [ACROSS] * 3, [0, 0, 0]
    nodes[axis], force[axis] = LENGTH, 1e-6
    return {
        "title": f"Square pipes along {name}, timing only",
        "method": "lbm_d3q27",
        "domain": {"nodes": nodes},
        "fluid": {"relaxation_time": 0.6},
        "collision": {"operator": "bgk", "body_force": force},
        "propagation": {"nodes": "sparse"},
        "geometry": {
            "solids": [{"shape": "union", "inverted": True, "name": "pipes", "parts": list(pipes(axis))}]
        },
        "stop": {"steps": 1000, "check_every": 1000000},
        "output": {"fields": {"write": False}, "series": {"quantities": ["max_speed"]}},
    }


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("x", "y", "z"):
        sys.exit(__doc__)
    json.dump(case(sys.argv[1]), sys.stdout)
