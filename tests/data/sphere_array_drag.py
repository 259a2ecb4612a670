#!/usr/bin/env python3
"""Drag of cubic arrays of spheres in Stokes flow by the method of fundamental solutions.

Point forces, periodic with a mean flow through Ewald sums (Hasimoto 1959), stand on a sphere
within each sphere of the cell; their strengths let the velocity on the sphere's surface vanish in
the sense of least squares. Prints K = F / (6 pi mu a U) for each volume fraction, with U the
superficial velocity, as the columns of sphere_array_drag.csv. Needs numpy; takes minutes.
"""
import math

import numpy as np

LATTICES = {
    "SC": [(0, 0, 0)],
    "BCC": [(0, 0, 0), (0.5, 0.5, 0.5)],
    "FCC": [(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)],
}


erfc = np.vectorize(math.erfc)


def green(r):
    """Periodic Stokeslet of the unit cell with mu = 1 and zero mean velocity; r: (n, 3)."""
    alpha = math.sqrt(math.pi)
    cutoff = 2.5  # exp(-pi cutoff^2) = 3e-9
    g = np.zeros((len(r), 3, 3))
    eye = np.eye(3)
    cells = range(-3, 4)
    r = r - np.round(r)
    for i in cells:
        for j in cells:
            for k in cells:
                d = r + np.array([i, j, k])
                s2 = np.einsum("ij,ij->i", d, d)
                near = s2 < cutoff**2
                if not near.any():
                    continue
                d, s2 = d[near], s2[near]
                s = np.sqrt(s2)
                decay = 2 * alpha / math.sqrt(math.pi) * np.exp(-(alpha**2) * s2)
                a = erfc(alpha * s) / s
                g[near] += (a - decay)[:, None, None] * eye
                g[near] += ((a + decay) / s2)[:, None, None] * d[:, :, None] * d[:, None, :]
    for i in cells:
        for j in cells:
            for k in cells:
                if not 0 < i * i + j * j + k * k < cutoff**2:
                    continue
                q = 2 * math.pi * np.array([i, j, k])
                q2 = q @ q
                x = q2 / (4 * alpha**2)
                weight = 8 * math.pi / q2 * (1 + x) * math.exp(-x)
                g += (weight * np.cos(r @ q))[:, None, None] * (eye - np.outer(q, q) / q2)
    return g / (8 * math.pi)


def sphere_points(count):
    """Points on the unit sphere, one for each of a class of those that reflections in the three
    coordinate planes map onto each other."""
    i = np.arange(count) + 0.5
    z = i / count
    angle = np.pi / 2 * ((i * (math.sqrt(5) - 1) / 2) % 1)
    rho = np.sqrt(1 - z * z)
    return np.stack([rho * np.cos(angle), rho * np.sin(angle), z], axis=1)


REFLECTIONS = [np.array([sx, sy, sz]) for sx in (1, -1) for sy in (1, -1) for sz in (1, -1)]


def drag(lattice, fraction, sources=60, depth=0.6):
    centres = LATTICES[lattice]
    radius = (3 * fraction / (4 * math.pi * len(centres))) ** (1 / 3)
    source = depth * radius * sphere_points(sources)
    surface = radius * sphere_points(2 * sources)
    matrix = np.zeros((len(surface), 3, sources, 3))
    for reflection in REFLECTIONS:
        # A flow along x: the reflected point force has its y and z components with the signs that
        # keep the flow's symmetry, f(s x) = s_x s f(x).
        signs = reflection * reflection[0]
        for centre in centres:
            offset = surface[:, None, :] - (source * reflection + np.array(centre))[None, :, :]
            g = green(offset.reshape(-1, 3)).reshape(len(surface), sources, 3, 3)
            matrix += np.transpose(g * signs, (0, 2, 1, 3))
    matrix = matrix.reshape(3 * len(surface), 3 * sources)
    mean = np.zeros((len(surface), 3))
    mean[:, 0] = -1
    strengths, *_ = np.linalg.lstsq(matrix, mean.ravel(), rcond=1e-13)
    residual = np.abs(matrix @ strengths - mean.ravel()).max()
    # Point forces act on the fluid; the drag on a sphere is minus their sum.
    force = -8 * strengths.reshape(sources, 3)[:, 0].sum()
    return force / (6 * math.pi * radius), residual


if __name__ == "__main__":
    print("lattice,phi,K")
    for lattice in LATTICES:
        for fraction in (0.027, 0.064, 0.125, 0.216, 0.343, 0.45):
            k, residual = drag(lattice, fraction)
            print(f"{lattice},{fraction},{k:.5g}", f"# {residual:.1e}", flush=True)
