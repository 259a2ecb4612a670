#!/usr/bin/env python3
"""Shear stress and heat flux between two plates at the ends of the range of rarefaction.

Prints plates_BGK_limits.csv: linearised BGK model, diffuse reflection, in the units of the tables
beside it. With f as it leaves the plates known, what arrives at the other plate is attenuated by
exp(-delta / c). For small delta what the gas itself sends to the plates is of the order of
delta^2 ln(delta) and left out. For large delta the gas is a continuum with slip and a jump of the
temperature.
"""

import math

SLIP = 1.01619  # velocity at the wall over its gradient times mu v0 / p
JUMP = 1.30272  # the same of the temperature
RAREFIED = (0.001, 0.01)
DENSE = (10, 100, 1000)


def attenuated(n, delta):
    """Integral of c^n exp(-c^2 - delta / c) from 0 to infinity, with s = ln c."""
    start, end, count = -20, 2, 20000
    step = (end - start) / count
    values = (start + i * step for i in range(count + 1))
    return step * sum(
        math.exp((n + 1) * s - math.exp(2 * s) - delta * math.exp(-s)) for s in values
    )


def shear_stress(delta):
    return (0.5 + attenuated(1, delta)) / math.sqrt(math.pi)


def heat_flux(delta):
    """f leaves the plates as +-(density + c^2 - 3/2) of the Maxwellian, for temperatures +-1."""
    c1, c3, c5 = (attenuated(n, delta) for n in (1, 3, 5))
    density = -0.5 - (c3 - c1) / (0.5 + c1)  # no mass passes through a plate
    leaves = density + 1.5
    arrives = density * (c1 + c3) + c5 + 2 * c3 + 2 * c1 - 1.5 * (c1 + c3)
    return (leaves + arrives) / (2 * math.sqrt(math.pi))


def main():
    print("# source: computed by plates_BGK_limits.py (first order in delta for delta < 1, where "
          "delta^2 ln(delta) is left out; 1 / (delta + 2 x 1.01619) and 1.25 / (delta + 2 x 1.30272) "
          "for delta > 1); units of couette_plane_BGK_shear.csv and heat_transfer_plates_BGK.csv")  # fmt: skip
    print("delta,minus_pxy_per_dU,q_per_dT")
    for delta in RAREFIED:
        print(f"{delta},{shear_stress(delta):.6g},{heat_flux(delta):.6g}")
    for delta in DENSE:
        print(f"{delta},{1 / (delta + 2 * SLIP):.6g},{1.25 / (delta + 2 * JUMP):.6g}")


if __name__ == "__main__":
    main()
