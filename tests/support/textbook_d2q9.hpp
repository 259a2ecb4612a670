#pragma once

#include <array>

#include "lattice/collision.hpp"
#include "lattice/d2q9.hpp"

// The D2Q9 method as in textbooks: full populations, tables, double precision, not optimised. Tests
// compare the library with it.
namespace knudsen::textbook {

using Populations = std::array<double, 9>;

inline constexpr std::array<std::array<int, 2>, 9> lattice_velocity{
    {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
inline constexpr std::array<std::size_t, 9> opposite{0, 3, 4, 1, 2, 7, 8, 5, 6};
inline constexpr std::array<double, 9> weight{4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                              1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

/// c_q . v
inline double along(std::size_t q, const std::array<double, 2>& v) {
  return lattice_velocity[q][0] * v[0] + lattice_velocity[q][1] * v[1];
}

struct Moments {
  double density = 0;
  std::array<double, 2> momentum{0, 0};
};
inline Moments moments(const Populations& f) {
  Moments m;
  for (std::size_t q = 0; q < 9; ++q) {
    m.density += f[q];
    m.momentum[0] += lattice_velocity[q][0] * f[q];
    m.momentum[1] += lattice_velocity[q][1] * f[q];
  }
  return m;
}

inline Populations equilibrium(double density, const std::array<double, 2>& u) {
  Populations f{};
  for (std::size_t q = 0; q < 9; ++q) {
    const double cu = along(q, u);
    f[q] = weight[q] * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * (u[0] * u[0] + u[1] * u[1]));
  }
  return f;
}

struct Fluid {
  double omega = 1;
  double omega_minus = 1;  ///< equal to omega for BGK
  std::array<double, 2> force{0, 0};
  Forcing forcing = Forcing::none;
};

/// Velocity that includes half of the force in a step.
inline std::array<double, 2> flow_velocity(const Populations& f, const Fluid& fluid) {
  const Moments m = moments(f);
  return {(m.momentum[0] + 0.5 * fluid.force[0]) / m.density,
          (m.momentum[1] + 0.5 * fluid.force[1]) / m.density};
}

inline Populations collide(const Populations& f, const Fluid& fluid) {
  const Moments m = moments(f);
  const std::array<double, 2> u = flow_velocity(f, fluid);
  std::array<double, 2> u_equilibrium = u;
  if (fluid.forcing == Forcing::velocity_shift) {
    for (std::size_t a = 0; a < 2; ++a) {
      u_equilibrium[a] = (m.momentum[a] + fluid.force[a] / fluid.omega_minus) / m.density;
    }
  }
  const Populations f_equilibrium = equilibrium(m.density, u_equilibrium);
  Populations source{};
  if (fluid.forcing == Forcing::guo) {
    for (std::size_t q = 0; q < 9; ++q) {
      for (std::size_t a = 0; a < 2; ++a) {
        source[q] +=
            weight[q] * fluid.force[a] *
            (3 * (lattice_velocity[q][a] - u[a]) + 9 * along(q, u) * lattice_velocity[q][a]);
      }
    }
  }
  Populations result{};
  for (std::size_t q = 0; q < 9; ++q) {
    const std::size_t o = opposite[q];
    const auto even = [&](const Populations& p) { return 0.5 * (p[q] + p[o]); };
    const auto odd = [&](const Populations& p) { return 0.5 * (p[q] - p[o]); };
    result[q] = f[q] - fluid.omega * (even(f) - even(f_equilibrium)) -
                fluid.omega_minus * (odd(f) - odd(f_equilibrium)) +
                (1 - fluid.omega / 2) * even(source) + (1 - fluid.omega_minus / 2) * odd(source);
  }
  return result;
}

}  // namespace knudsen::textbook
