#!/usr/bin/env python3
"""Slip coefficient of the linearised BGK equation at a Cercignani-Lampis wall.

Prints cercignani_lampis_slip.csv. The slip is the velocity of the gas relative to the wall, as the
shear flow far from it continues to the wall, over the gradient times mu v0 / p. Not a table from the
literature: the integral equation is solved here on its own, with the kernel as it stands on many
velocities, and with the known 1.01619 for full accommodation as a check. Needs numpy.
"""

import numpy as np

THICKNESS = 24  # distance of the plates in mu v0 / p
FASTEST = 6


def velocities(count):
    """Quadrature on the positive velocities, dense near zero."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    t = (nodes + 1) / 2
    return FASTEST * t ** 3, weights / 2 * 3 * FASTEST * t ** 2


def log_bessel(x):
    """ln I0(x)"""
    large = np.maximum(x, 1)
    return np.where(x < 600, np.log(np.i0(np.minimum(x, 600))),
                    x - 0.5 * np.log(2 * np.pi * large) + 1 / (8 * large))


def normal_kernel(v, weights, a):
    """(from, to): probability of the normal velocity after the wall."""
    if a == 1:
        return np.tile(2 * v * np.exp(-v * v) * weights, (len(v), 1))
    coupling = log_bessel(2 * np.sqrt(1 - a) / a * np.outer(v, v))
    exponent = coupling - (v[None, :] ** 2 + (1 - a) * v[:, None] ** 2) / a
    return 2 * v / a * np.exp(exponent) * weights


def slip(tangential, normal, cells=240, count=80):
    """v dg/dx = u - g for f = M (1 + 2 v_y g), u = integral of g exp(-v^2) / sqrt(pi)."""
    v, weights = velocities(count)
    of_half = weights * np.exp(-v * v) / np.sqrt(np.pi)
    kernel = normal_kernel(v, weights, normal)
    middle = THICKNESS / 2
    width = np.diff(middle * np.linspace(0, 1, cells + 1) ** 2)
    # Exact along the path for u linear in a cell.
    kept = np.exp(-width[:, None] / v)
    ratio = v / width[:, None]
    of_end = 1 - ratio * (1 - kept)
    of_start = ratio * (1 - kept) - kept

    def sweep(u, entering):
        g = entering
        away = [g]
        for i in range(cells):
            g = (kept[i][:, None] * g + of_start[i][:, None] * u[i]
                 + of_end[i][:, None] * u[i + 1])
            away.append(g)
        g = -g  # the flow is odd about the middle
        towards = [g]
        for i in reversed(range(cells)):
            g = (kept[i][:, None] * g + of_start[i][:, None] * u[i + 1]
                 + of_end[i][:, None] * u[i])
            towards.append(g)
        towards.reverse()
        return away, towards

    def step(u, entering):
        away, towards = sweep(u, entering)
        velocity = [of_half @ (a + b) for a, b in zip(away, towards)]
        return np.vstack([velocity, (1 - tangential) * kernel @ towards[0]])

    unknowns = cells + 1 + count
    unit = np.eye(unknowns)
    matrix = unit - step(unit[:cells + 1], unit[cells + 1:])
    # The wall moves with velocity -1.
    right = np.concatenate([np.zeros(cells + 1), -1 + (1 - tangential) * kernel.sum(1)])
    found = np.linalg.solve(matrix, right)[:, None]
    away, towards = sweep(found[:cells + 1], found[cells + 1:])
    stress = np.mean([of_half * v @ (b - a) for a, b in zip(away, towards)])
    gradient = 2 * stress
    return (1 - gradient * middle) / gradient


if __name__ == "__main__":
    print("# source: cercignani_lampis_slip.py (own solution of the integral equation)")
    print("tangential,normal,slip")
    for tangential, normal in ((1, 1), (1, 0.5), (0.8, 0.5), (0.8, 0.25), (0.5, 1), (0.5, 0.5),
                               (0.5, 0.2)):
        print(f"{tangential},{normal},{slip(tangential, normal):.4f}")
