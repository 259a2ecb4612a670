#!/usr/bin/env python3
"""Heat flux between coaxial cylinders with diffuse walls, linearised BGK equation, over the whole range.

Prints cylinders_BGK.csv. Not a table from the literature: the integral equations for density and temperature are
solved here on their own, without any velocities or cells, and checked at both ends. Needs numpy.

With h = f / f_0 - 1, velocities in sqrt(2 R T_0) and delta = p R_1 / (mu v_0), c . grad h = delta (rho + tau (c^2 - 3/2) - h). Along
the way back from a point over the distance s in the plane of the cross-section, h is the integral of
delta / v exp(-delta s / v) (rho + tau (c^2 - 3/2)) and, at its end, what the wall sends, times exp(-delta s / v). Integrated over the
component along the axis and over the speed v in the plane, this leaves T_k(x) = integral of v^k exp(-v^2 - x / v).
"""

import numpy as np

DELTAS = (0.001, 0.01, 0.1, 0.3, 1, 3, 10, 20)
RADII = (1.0, 2.0)


def gauss(count, edges):
    """Nodes and weights on all pieces between edges."""
    x, w = np.polynomial.legendre.leggauss(count)
    low, high = np.asarray(edges[:-1]), np.asarray(edges[1:])
    half = (high - low)[:, None] / 2
    return (low[:, None] + half * (x + 1)).ravel(), (half * w).ravel()


class Speeds:
    """T_k(x), interpolated between values on a grid that is dense at zero, where T_k has x ln x."""

    def __init__(self, longest):
        self.root = np.linspace(0, longest ** 0.25, 20001)
        v, w = gauss(24, np.concatenate(([0], np.geomspace(1e-7, 6.5, 40))))
        x = self.root[:, None] ** 4
        attenuated = w * np.exp(-v * v - x / v)
        self.table = [(attenuated * v ** k).sum(1) for k in range(7)]

    def __call__(self, k, x):
        return np.interp(np.maximum(x, 0) ** 0.25, self.root, self.table[k])


def flight(radius, angle):
    """Distance to the wall from `radius` in directions `angle` from the outward normal, and whether it is the inner wall's."""
    inner, outer = RADII
    along = radius * np.cos(angle)
    across = radius * np.abs(np.sin(angle))
    to_inner = (along < 0) & (across < inner)
    s = np.where(to_inner, -along - np.sqrt(np.maximum(inner ** 2 - across ** 2, 0)),
                 -along + np.sqrt(outer ** 2 - across ** 2))
    return np.maximum(s, 0), to_inner


def heat_flux(delta, nodes=241, angles=24, steps=16):
    """Heat flux at the inner wall in p v_0 for tau = 1 there and 0 at the outer one."""
    inner, outer = RADII
    speeds = Speeds(delta * 2 * outer * 1.001)
    t = (1 - np.cos(np.pi * np.arange(nodes) / (nodes - 1))) / 2
    r = inner + (outer - inner) * t
    size = 2 * nodes + 2  # rho, tau, densities of the walls

    def collect(radius, factor, kernels, wall_kernels):
        """Row of the integral over all directions of `factor`(angle) times what comes: of unknowns, and of tau of the walls."""
        tangent = np.arcsin(min(inner / radius, 1))
        edges = [0]
        # Directions that graze the inner cylinder, and those along the surface, have the longest ways.
        special = sorted({np.pi / 2, np.pi - tangent, np.pi})
        for end in special:
            if end - edges[-1] < 1e-9:
                continue
            start, width = edges[-1], end - edges[-1]
            edges += [start + width * q for q in (0.02, 0.1, 0.5, 0.9, 0.98, 1)]
        angle, weight = gauss(angles, edges)
        length, to_inner = flight(radius, angle)
        share = 2 * weight * factor(angle) / np.pi  # both sides of the normal
        row, given = np.zeros(size), np.zeros(2)
        # Steps along each way, dense at both ends and where the way is nearest to the axis.
        q, qw = gauss(steps, [0, 0.005, 0.03, 0.12, 0.3, 0.5, 0.7, 0.88, 0.97, 0.995, 1])
        s = length[:, None] * q
        ds = length[:, None] * qw
        # The way back goes against the velocity: `angle` is that of the way.
        place = np.sqrt(np.maximum(radius ** 2 + s ** 2 + 2 * radius * s * np.cos(angle)[:, None], 0))
        place = np.clip(place, inner, outer)
        index = np.clip(np.searchsorted(r, place) - 1, 0, nodes - 2)
        right = (place - r[index]) / (r[index + 1] - r[index])
        for column, kernel in enumerate(kernels):
            value = delta * ds * share[:, None] * kernel(delta * s)
            row[column * nodes:(column + 1) * nodes] += np.bincount(index.ravel(), (value * (1 - right)).ravel(), nodes)
            row[column * nodes:(column + 1) * nodes] += np.bincount(index.ravel() + 1, (value * right).ravel(), nodes)
        for wall, here in enumerate((to_inner, ~to_inner)):
            x = delta * length[here]
            row[2 * nodes + wall] += (share[here] * wall_kernels[0](x)).sum()
            given[wall] += (share[here] * wall_kernels[1](x)).sum()
        return row, given

    def k(*terms):
        return lambda x: sum(factor * speeds(power, x) for power, factor in terms)

    def one(angle):
        return np.ones_like(angle)

    matrix, right_side = np.zeros((size, size)), np.zeros(size)
    walls = np.array([1.0, 0.0])
    for i, radius in enumerate(r):
        for equation, (kernels, wall_kernels) in enumerate((
                ((k((0, 1)), k((2, 1), (0, -1))), (k((1, 1)), k((3, 1), (1, -1)))),
                ((k((2, 2 / 3), (0, -2 / 3)), k((4, 2 / 3), (2, -4 / 3), (0, 1))),
                 (k((3, 2 / 3), (1, -2 / 3)), k((5, 2 / 3), (3, -4 / 3), (1, 1)))))):
            row, given = collect(radius, one, kernels, wall_kernels)
            n = equation * nodes + i
            matrix[n] = -row
            matrix[n, n] += 1
            right_side[n] = given @ walls
    # No mass passes the walls. What arrives at the inner one comes along angles below a right one, at the outer above.
    outgoing = 1 / (2 * np.sqrt(np.pi))
    energy = None
    for wall, (radius, side) in enumerate(((inner, 1), (outer, -1))):
        def towards(angle, side=side):
            return np.maximum(side * np.cos(angle), 0)
        row, given = collect(radius, towards, (k((1, 1)), k((3, 1), (1, -1))), (k((2, 1)), k((4, 1), (2, -1))))
        n = 2 * nodes + wall
        matrix[n] = -row
        matrix[n, n] += outgoing
        right_side[n] = given @ walls - outgoing * walls[wall] / 2
        if wall == 0:
            energy = collect(radius, towards, (k((3, 1), (1, 0.5)), k((5, 1), (3, -0.5))),
                             (k((4, 1), (2, 0.5)), k((6, 1), (4, -0.5))))
    # Density is free by a constant: the last balance of mass follows from the others.
    matrix[-1] = 0
    matrix[-1, -1] = 1
    right_side[-1] = 0
    found = np.linalg.solve(matrix, right_side)
    arrives = energy[0] @ found + energy[1] @ walls
    return outgoing * (2 * found[2 * nodes] + 3) - arrives


def limit(delta):
    """Without collisions, as between plates, and a continuum with jump."""
    inner, outer = RADII
    if delta < 0.01:
        return 1 / np.sqrt(np.pi)
    jump = 1.30272 / delta
    return 1.25 / delta / (inner * (np.log(outer / inner) + jump * (1 / inner + 1 / outer)))


if __name__ == "__main__":
    print("# source: cylinders_BGK.py (own solution of the integral equations); radii 1 and 2, delta = p R_1 / (mu v_0); heat flux at the")
    print("# inner cylinder over p v_0 dT / T_0; coarse: the same on half as many nodes, angles and steps; limit: without collisions at 0.001, else of a continuum with jump")
    print("delta,q_per_dT,coarse,limit")
    for each in DELTAS:
        print(f"{each:g},{heat_flux(each):.5f},{heat_flux(each, 121, 12, 8):.5f},{limit(each):.5f}", flush=True)
