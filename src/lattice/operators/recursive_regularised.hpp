#pragma once

#include "lattice/collision.hpp"
#include "lattice/for_populations.hpp"

namespace knudsen {

/// Recursive regularised BGK of third order (Malaspinas 2015; Coreixas, Wissocq, Puigt, Boussuge,
/// Sagaut 2017). The populations after the collision are a sum of Hermite polynomials of up to
/// third order, on every lattice: the non-equilibrium part is that of the stress, and the
/// third-order moments follow from it by recursion, a_abc = u_a a_bc + u_b a_ac + u_c a_ab. All
/// else that a population carries is dropped.
///
/// On D3Q19 the polynomials H_aab and H_ccb are not orthogonal, and H_xyz is zero there. Their sum
/// and difference are orthogonal on all lattices; with the norms of these one expression serves
/// all.
struct RecursiveRegularised : OperatorDefaults {
  static constexpr const char* name = "recursive-regularised";
  static constexpr const char* text =
      "one relaxation time, with the non-equilibrium part rebuilt from the stress up to third "
      "order";
  KNUDSEN_INLINE_FUNCTION static constexpr bool suits(int /*populations*/) { return true; }
  static constexpr double flops(int populations) {
    return populations == 9 ? 197 : (populations == 19 ? 502 : 782);
  }

  template <class Velocities, Forcing Force, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void collide(Real (&g)[Velocities::populations],
                                                   const CollisionParameters<Real>& parameters) {
    constexpr int dimensions = Velocities::dimensions;
    const Moments<Real, dimensions> before = moments<Velocities>(g);
    const Real density = Real(1) + before.density_deviation;
    const Real keep = Real(1) - parameters.relaxation_rate;

    // Velocity of the equilibrium: with half of the force (Guo), or with all of it over the
    // relaxation time (velocity shift).
    const Real share = Force == Forcing::guo              ? Real(0.5)
                       : Force == Forcing::velocity_shift ? Real(1) / parameters.relaxation_rate
                                                          : Real(0);
    Real force[dimensions];
    Real u[dimensions];
    KNUDSEN_UNROLL_AXES
    for (int a = 0; a < dimensions; ++a) {
      force[a] = Force == Forcing::none ? Real(0) : parameters.force[a];
      u[a] = (before.momentum[a] + share * force[a]) / density;
    }

    // Moments after the collision. The non-equilibrium stress relaxes; the force adds F to the
    // momentum and, with Guo's forcing, (1 - omega/2) (u F + F u) to the second moments.
    Moments<Real, dimensions> after;
    after.density_deviation = before.density_deviation;
    Real relaxed[dimensions][dimensions];
    KNUDSEN_UNROLL_AXES
    for (int a = 0; a < dimensions; ++a) {
      after.momentum[a] = before.momentum[a] + force[a];
      KNUDSEN_UNROLL_AXES
      for (int b = 0; b < dimensions; ++b) {
        const Real equilibrium = density * u[a] * u[b];
        const Real stress = before.second[a][b] - equilibrium;
        Real source = 0;
        if constexpr (Force == Forcing::guo) source = u[a] * force[b] + force[a] * u[b];
        relaxed[a][b] = keep * (stress + Real(0.5) * source);
        after.second[a][b] = equilibrium + keep * stress +
                             (Real(1) - Real(0.5) * parameters.relaxation_rate) * source;
      }
    }
    Real third[dimensions][dimensions] = {};  // [a][b]: moment aab
    KNUDSEN_UNROLL_AXES
    for (int a = 0; a < dimensions; ++a) {
      KNUDSEN_UNROLL_AXES
      for (int b = 0; b < dimensions; ++b) {
        if (a != b) {
          third[a][b] =
              density * u[a] * u[a] * u[b] + Real(2) * u[a] * relaxed[a][b] + u[b] * relaxed[a][a];
        }
      }
    }
    Real third_xyz = 0;
    if constexpr (dimensions == 3) {
      third_xyz = density * u[0] * u[1] * u[2] + u[0] * relaxed[1][2] + u[1] * relaxed[0][2] +
                  u[2] * relaxed[0][1];
    }
    expand<Velocities>(after, third, third_xyz, g);
  }

 private:
  /// Moments of shifted populations up to second order, without the pressure rho/3 on the diagonal.
  template <class Real, int Dimensions>
  struct Moments {
    Real density_deviation = 0;
    Real momentum[Dimensions] = {};
    Real second[Dimensions][Dimensions] = {};
  };

  template <class Velocities, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static Moments<Real, Velocities::dimensions> moments(
      const Real (&g)[Velocities::populations]) {
    constexpr int dimensions = Velocities::dimensions;
    Moments<Real, dimensions> m;
    for_populations<Velocities>([&](auto q) KNUDSEN_INLINE_LAMBDA {
      m.density_deviation += g[q];
      KNUDSEN_UNROLL_AXES
      for (int a = 0; a < dimensions; ++a) {
        const int ca = Velocities::velocity(q, a);
        if (ca != 0) m.momentum[a] += ca > 0 ? g[q] : -g[q];
        KNUDSEN_UNROLL_AXES
        for (int b = a; b < dimensions; ++b) {
          const int product = ca * Velocities::velocity(q, b);
          if (product != 0) m.second[a][b] += product > 0 ? g[q] : -g[q];
        }
      }
    });
    KNUDSEN_UNROLL_AXES
    for (int a = 0; a < dimensions; ++a) {
      m.second[a][a] -= m.density_deviation / Real(3);
      KNUDSEN_UNROLL_AXES
      for (int b = 0; b < a; ++b) m.second[a][b] = m.second[b][a];
    }
    return m;
  }

  /// Sum over the lattice of w H_aab H_ccb with a, b, c the axes 0, 1 and `c`; c = 0: the square of
  /// the norm of H_aab.
  template <class Velocities>
  KNUDSEN_INLINE_FUNCTION static constexpr double third_product(int c) {
    double sum = 0;
    for (int q = 0; q < Velocities::populations; ++q) {
      const double x = Velocities::velocity(q, 0);
      const double y = Velocities::velocity(q, 1);
      const double z = Velocities::velocity(q, c);
      sum += Velocities::template weight<double>(q) * (x * x - 1.0 / 3) * (z * z - 1.0 / 3) * y * y;
    }
    return sum;
  }

  /// Sets g to the Hermite expansion with these moments.
  template <class Velocities, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void expand(
      const Moments<Real, Velocities::dimensions>& m,
      const Real (&third)[Velocities::dimensions][Velocities::dimensions], Real third_xyz,
      Real (&g)[Velocities::populations]) {
    constexpr int dimensions = Velocities::dimensions;
    constexpr double norm = third_product<Velocities>(0);
    constexpr double overlap = dimensions == 3 ? third_product<Velocities>(dimensions - 1) : 0;
    const Real of_sum = Real(0.5 / (norm + overlap));
    const Real of_difference = Real(0.5 / (norm - overlap));
    Real trace = 0;
    KNUDSEN_UNROLL_AXES
    for (int a = 0; a < dimensions; ++a) trace += m.second[a][a];
    const Real rest = m.density_deviation - Real(1.5) * trace;
    // Coefficients of (c_a^2 - 1/3) c_b for each axis b, and of c_b alone: momentum included.
    Real linear[dimensions];
    Real cubic[dimensions][dimensions] = {};  // [a][b]
    KNUDSEN_UNROLL_AXES
    for (int b = 0; b < dimensions; ++b) {
      linear[b] = Real(3) * m.momentum[b];
      KNUDSEN_UNROLL_AXES
      for (int a = 0; a < dimensions; ++a) {
        if (a == b) continue;
        if constexpr (dimensions == 2) {
          cubic[a][b] = Real(1 / norm) * third[a][b];
        } else {
          const int c = 3 - a - b;
          cubic[a][b] =
              of_sum * (third[a][b] + third[c][b]) + of_difference * (third[a][b] - third[c][b]);
        }
        linear[b] -= cubic[a][b] / Real(3);
      }
    }
    for_populations<Velocities>([&](auto q) KNUDSEN_INLINE_LAMBDA {
      Real sum = rest;
      KNUDSEN_UNROLL_AXES
      for (int a = 0; a < dimensions; ++a) {
        const int ca = Velocities::velocity(q, a);
        if (ca == 0) continue;
        sum += Real(4.5) * m.second[a][a];
        Real along = linear[a];
        KNUDSEN_UNROLL_AXES
        for (int b = 0; b < dimensions; ++b) {
          const int cb = Velocities::velocity(q, b);
          if (b == a || cb == 0) continue;
          along += cubic[b][a];
          if (b > a) sum += Real(9 * ca * cb) * m.second[a][b];
        }
        sum += ca > 0 ? along : -along;
      }
      if constexpr (dimensions == 3) {
        const int product =
            Velocities::velocity(q, 0) * Velocities::velocity(q, 1) * Velocities::velocity(q, 2);
        if (product != 0) sum += Real(27 * product) * third_xyz;
      }
      g[q] = Velocities::template weight<Real>(q) * sum;
    });
  }
};

}  // namespace knudsen
