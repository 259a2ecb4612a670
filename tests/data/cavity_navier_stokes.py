#!/usr/bin/env python3
"""The lid-driven cavity of Navier's and Stokes's equations with slip, on the grid of a case of `shakhov`.

An incompressible fluid in the unit square, velocities at the faces of N x N equal cells and the pressure at their
centres, central differences (Harlow and Welch), Newton's method. Lengths are in L, velocities in those of the lid, and
Re = 2 delta x (lid speed in v_ref), since the kinematic viscosity is v_ref L / (2 delta). The slip is
1.0162 / delta times the gradient at the wall. Prints D and G as in methods/gas/cavity.hpp: D is the mean shear stress
of the lid in reference pressures over the lid's speed in v_ref, (1 / delta) x the gradient in lid speeds over L. At
the lid's ends, where its speed jumps, the stress of a fluid without slip grows like 1 / distance. What the cells there take
up depends on the scheme, so D is also given for the middle half of the lid.

  python3 tests/data/cavity_navier_stokes.py > tests/data/cavity_navier_stokes.csv
"""

import numpy as np

SLIP = 1.0162


def cavity(cells, delta, lid):
    """(D, D of the middle half of the lid, G)."""
    n = cells
    h = 1 / n
    viscosity = 1 / (2 * delta * lid)
    reach = 1 / (h / 2 + SLIP / delta)  # gradient at a wall for a unit difference from the velocity h / 2 before it
    u_number = -np.ones((n + 1, n), int)
    v_number = -np.ones((n, n + 1), int)
    u_number[1:n, :] = np.arange((n - 1) * n).reshape(n - 1, n)
    v_number[:, 1:n] = (n - 1) * n + np.arange((n - 1) * n).reshape(n, n - 1)
    p_number = 2 * (n - 1) * n + np.arange(n * n).reshape(n, n)
    size = 2 * (n - 1) * n + n * n
    x = np.zeros(size)

    def value(number):
        return x[number] if number >= 0 else 0.0

    for _ in range(20):
        matrix = np.zeros((size, size))
        rest = np.zeros(size)

        def add(row, number, weight):
            if number >= 0:
                matrix[row, number] += weight
                rest[row] += weight * x[number]

        def product(row, scale, first, second):
            """scale x mean of the values `first` x mean of the values `second`."""
            a = sum(w * value(k) for k, w in first)
            b = sum(w * value(k) for k, w in second)
            rest[row] += scale * a * b
            for k, w in first:
                if k >= 0:
                    matrix[row, k] += scale * w * b
            for k, w in second:
                if k >= 0:
                    matrix[row, k] += scale * w * a

        def momentum(number, crossing, wall_speed):
            """Balance of the velocity along the first axis of `number`; `crossing` is the other velocity."""
            for i in range(1, n):
                for j in range(n):
                    row = number[i, j]
                    add_pressure(row, number is u_number, i, j)
                    for s in (-1, 1):
                        next_one = number[i + s, j]
                        mean = ((row, 0.5), (next_one, 0.5))
                        product(row, s / h, mean, mean)
                        add(row, row, viscosity / h**2)
                        add(row, next_one, -viscosity / h**2)
                        if 0 <= j + s < n:
                            other = number[i, j + s]
                            top = j + (s + 1) // 2
                            across = ((crossing[i - 1, top], 0.5), (crossing[i, top], 0.5))
                            product(row, s / h, ((row, 0.5), (other, 0.5)), across)
                            add(row, row, viscosity / h**2)
                            add(row, other, -viscosity / h**2)
                        else:
                            add(row, row, viscosity * reach / h)
                            rest[row] -= viscosity * reach / h * wall_speed * (s > 0)

        def add_pressure(row, along_x, i, j):
            here, before = ((i, j), (i - 1, j)) if along_x else ((j, i), (j, i - 1))
            add(row, p_number[here], 1 / h)
            add(row, p_number[before], -1 / h)

        momentum(u_number, v_number, 1.0)
        momentum(v_number.T, u_number.T, 0.0)
        for i in range(n):
            for j in range(n):
                row = p_number[i, j]
                if row == p_number[0, 0]:
                    add(row, row, 1.0)
                    continue
                add(row, u_number[i + 1, j], 1 / h)
                add(row, u_number[i, j], -1 / h)
                add(row, v_number[i, j + 1], 1 / h)
                add(row, v_number[i, j], -1 / h)
        step = np.linalg.solve(matrix, rest)
        x -= step
        if np.abs(step).max() < 1e-9:
            break
    u = np.zeros((n + 1, n))
    u[1:n, :] = x[u_number[1:n, :]]
    middle = u[n // 2, :]
    gradient = reach * (1 - 0.5 * (u[1:, n - 1] + u[:-1, n - 1]))
    return gradient.mean() / delta, 2 * gradient[n // 4 : n - n // 4].sum() * h / delta, np.abs(middle).sum() * h


if __name__ == "__main__":
    print("cells,delta,lid,D,D_middle,G")
    for cells, width, lid in ((16, 10, 0.01), (16, 100, 0.01), (32, 10, 0.01), (32, 100, 0.01), (32, 100, 0.05)):
        delta = round(cells * width * np.sqrt(np.pi) / 2, 3)  # cells are `width` mean free paths wide
        drag, middle, rate = cavity(cells, delta, lid)
        print(f"{cells},{delta:.10g},{lid},{drag:.6g},{middle:.6g},{rate:.6g}", flush=True)
