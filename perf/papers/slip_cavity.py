#!/usr/bin/env python3
"""The cavity of a viscous fluid that slips: Stokes' equations by finite differences.

With the stream function psi, u = d psi / dy and v = - d psi / dx, these are psi_xxxx + 2 psi_xxyy + psi_yyyy = 0 in
the unit square (thirteen points, second order). At a wall psi = 0 and, with the normal n into the gas and the mean
free path lambda = sqrt(pi) / (2 delta),

    u - u_wall = A1 lambda u_n - A2 lambda^2 u_nn,

which gives the ghost node beyond the wall by the three nodes before it. The lid at y = 1 moves at 1. G is the integral
of |u| over x = 1/2, twice the largest |psi| there. It is extrapolated from two grids to nodes without distance.
`knudsen_layer` is what the layer beside the lid and the opposite wall adds to G in second order: the gas in it is
ahead of the fluid by a flow rate of (0.98 - 0.678) lambda^2 u_n (Cercignani: second coefficients of the BGK model
for the velocity and for the flow rate of a channel).

  python3 perf/papers/slip_cavity.py > docs/papers/data/slip_cavity.csv
"""

import math

FIRST = 1.1466  # viscous slip of the BGK and Shakhov models, 1.0162 x 2 / sqrt(pi)
LAYER = 0.98 - 0.678
STENCIL = (
    ((0, 0), 20),
    *(((s, 0), -8) for s in (-1, 1)),
    *(((0, s), -8) for s in (-1, 1)),
    *(((s, 0), 1) for s in (-2, 2)),
    *(((0, s), 1) for s in (-2, 2)),
    *(((s, t), 2) for s in (-1, 1) for t in (-1, 1)),
)


def cavity(nodes, slip, second):
    """(G, u_n at the middle of the lid, that of the opposite wall) with `nodes` intervals along a side; lengths of
    the slip, A1 lambda, and of its second order, A2 lambda^2."""
    h = 1 / nodes
    one, two, three = 1 / (2 * h), slip / h**2, second / (2 * h**3)
    divisor = one + two + 3 * three
    ghost = [(one - two - 12 * three) / divisor, 6 * three / divisor, -three / divisor]
    inner = nodes - 1
    band = 2 * inner + 2
    size = inner * inner
    rows = [[0.0] * (2 * band + 1) for _ in range(size)]
    right = [0.0] * size

    def place(row, i, j, weight):
        """Adds the node (i, j), -1 and `inner` on walls, to the equation of a row."""
        for axis, at in enumerate((i, j)):
            if at in (-1, inner):
                return
            if at in (-2, inner + 1):
                for depth, share in enumerate(ghost):
                    mirrored = depth if at < 0 else inner - 1 - depth
                    place(row, *((mirrored, j) if axis == 0 else (i, mirrored)), weight * share)
                if axis == 1 and at > 0:
                    right[row] -= weight / divisor
                return
        rows[row][band + j * inner + i - row] += weight

    for j in range(inner):
        for i in range(inner):
            for (x, y), weight in STENCIL:
                place(j * inner + i, i + x, j + y, weight)
    psi = solve(rows, right, band)
    middle = inner // 2
    column = [psi[j * inner + middle] for j in range(inner)]
    top = max(range(inner), key=lambda j: abs(column[j]))
    below, at, above = (abs(column[top + s]) for s in (-1, 0, 1))
    flow = 2 * (at + (above - below) ** 2 / (8 * (2 * at - above - below)))
    lid = sum(w * column[-1 - k] for k, w in enumerate(ghost)) + 1 / divisor
    wall = sum(w * column[k] for k, w in enumerate(ghost))
    return flow, abs(lid + column[-1]) / h**2, abs(wall + column[0]) / h**2


def solve(rows, right, band):
    """Gaussian elimination in a band, without pivots."""
    size = len(rows)
    for k in range(size):
        pivot = rows[k]
        tail = pivot[band + 1 :]
        for m in range(k + 1, min(size, k + band + 1)):
            row = rows[m]
            first = band - (m - k)
            if row[first] != 0:
                factor = row[first] / pivot[band]
                row[first + 1 : first + 1 + band] = [
                    a - factor * b for a, b in zip(row[first + 1 : first + 1 + band], tail)
                ]
                right[m] -= factor * right[k]
    for k in range(size - 1, -1, -1):
        known = sum(a * b for a, b in zip(rows[k][band + 1 :], right[k + 1 : k + 1 + band]))
        right[k] = (right[k] - known) / rows[k][band]
    return right


def main():
    print("# by perf/papers/slip_cavity.py; delta = inf: no slip")
    print("delta,second_order,G,error,knudsen_layer")
    for delta in (10, 20, 30, 60, 100, 300, 1000, math.inf):
        path = math.sqrt(math.pi) / (2 * delta)
        for second in (0, 0.6, 0.98) if delta < math.inf else (0,):
            coarse, fine = (cavity(n, FIRST * path, second * path**2) for n in (24, 48))
            flow = fine[0] + (fine[0] - coarse[0]) / 3
            layer = LAYER * path**2 * (fine[1] - fine[2])
            print(f"{delta:g},{second:g},{flow:.5f},{flow - fine[0]:.5f},{layer:.5f}", flush=True)


if __name__ == "__main__":
    main()
