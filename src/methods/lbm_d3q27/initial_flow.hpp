#pragma once

#include <cstdint>

#include "device/kokkos.hpp"
#include "lattice/flow_state3d.hpp"
#include "lattice/for_populations.hpp"

namespace knudsen::lbm_d3q27 {

enum class InitialKind { rest, uniform, taylor_green, shear_layer, noise };

/// The flow at step 0 as a function of position, in lattice units.
struct InitialFlow {
  InitialKind kind = InitialKind::rest;
  double velocity[3] = {0, 0, 0};      ///< uniform velocity; else the amplitude in velocity[0]
  double size[3] = {1, 1, 1};          ///< extents of the domain
  double wave_numbers[3] = {1, 1, 1};  ///< of taylor_green, by axis
  double width = 0.05;                 ///< of the shear layers, as a fraction of the domain
  std::uint64_t seed = 0;              ///< of noise

  /// Whether the velocity has meaningful gradients.
  KOKKOS_INLINE_FUNCTION bool smooth() const {
    return kind == InitialKind::taylor_green || kind == InitialKind::shear_layer;
  }

  /// A pseudo-random number in [-1, 1) from the node, the component and the seed alone (the
  /// finaliser of MurmurHash3, twice).
  KOKKOS_INLINE_FUNCTION double random(int x, int y, int z, int component) const {
    std::uint64_t hash = seed * 4 + static_cast<std::uint64_t>(component);
    const int place[3] = {x, y, z};
    for (const int part : place) {
      hash = (hash ^ static_cast<std::uint64_t>(part)) * 0xff51afd7ed558ccdULL;
      hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53ULL;
      hash ^= hash >> 33;
    }
    return static_cast<double>(hash >> 11) * (1.0 / 4503599627370496.0) - 1.0;
  }

  /// Density and velocity at node (x, y, z); smooth flows also between nodes.
  KOKKOS_INLINE_FUNCTION FlowState3D<double> at(double x, double y, double z) const {
    const double amplitude = velocity[0];
    const double two_pi = 6.283185307179586;
    switch (kind) {
      case InitialKind::rest:
        break;
      case InitialKind::uniform:
        return {0, {velocity[0], velocity[1], velocity[2]}};
      case InitialKind::taylor_green: {
        // u = a sin cos cos, v = -b cos sin cos with a kx = b ky. Without a wave along z this is
        // the decaying solution in a plane, with its own pressure.
        const double k[3] = {two_pi * wave_numbers[0] / size[0], two_pi * wave_numbers[1] / size[1],
                             two_pi * wave_numbers[2] / size[2]};
        const double px = k[0] * (x + 0.5);
        const double py = k[1] * (y + 0.5);
        const double pz = k[2] * (z + 0.5);
        const double across = amplitude * k[0] / k[1];
        const double pressure =
            amplitude * amplitude * (cos(2 * px) + cos(2 * py) * k[0] * k[0] / (k[1] * k[1]));
        const double deviation = k[2] > 0 ? pressure * (cos(2 * pz) + 2) / 16 : pressure / 4;
        return {
            3 * deviation,
            {amplitude * sin(px) * cos(py) * cos(pz), -across * cos(px) * sin(py) * cos(pz), 0}};
      }
      case InitialKind::shear_layer: {
        // Two layers across y and a wave along x (Minion and Brown 1997).
        const double px = (x + 0.5) / size[0];
        const double py = (y + 0.5) / size[1];
        const double layer = py <= 0.5 ? (py - 0.25) / width : (0.75 - py) / width;
        return {0, {amplitude * tanh(layer), 0.05 * amplitude * sin(two_pi * (px + 0.25)), 0}};
      }
      case InitialKind::noise: {
        FlowState3D<double> state{};
        const int place[3] = {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
        for (int a = 0; a < 3; ++a) {
          state.velocity[a] = amplitude * random(place[0], place[1], place[2], a);
        }
        state.density_deviation = amplitude * random(place[0], place[1], place[2], 3);
        return state;
      }
    }
    return {0, {0, 0, 0}};
  }
};

/// Values given at the nodes of the domain, x fastest; without them, none are given.
template <class ExecutionSpace>
struct GivenFlow {
  View<double* [4], ExecutionSpace> values;  ///< rho - 1, velocity; NaN in solids
  View<double*, ExecutionSpace> scalar;      ///< less its reference value; NaN in solids
  View<bool*, ExecutionSpace> conducts;      ///< in solids that conduct; empty without them
  int nodes[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};

  KOKKOS_INLINE_FUNCTION std::size_t index(const int (&at)[3]) const {
    return static_cast<std::size_t>(at[0]) +
           static_cast<std::size_t>(nodes[0]) *
               (static_cast<std::size_t>(at[1]) +
                static_cast<std::size_t>(nodes[1]) * static_cast<std::size_t>(at[2]));
  }
  KOKKOS_INLINE_FUNCTION FlowState3D<double> at(const int (&place)[3]) const {
    const std::size_t i = index(place);
    return {values(i, 0), {values(i, 1), values(i, 2), values(i, 3)}};
  }
  /// Indices of the neighbours along axis a, or of the node itself in place of a solid or what is
  /// beyond a side that is not periodic. Returns the spacings between the two.
  template <class Given>
  KOKKOS_INLINE_FUNCTION int neighbours(const int (&place)[3], int a, const Given& given,
                                        std::size_t (&ends)[2]) const {
    ends[0] = ends[1] = index(place);
    int distance = 0;
    for (int upper = 0; upper < 2; ++upper) {
      int beside[3] = {place[0], place[1], place[2]};
      beside[a] += upper == 1 ? 1 : -1;
      if (periodic[a]) beside[a] = (beside[a] + nodes[a]) % nodes[a];
      if (beside[a] < 0 || beside[a] >= nodes[a]) continue;
      const std::size_t found = index(beside);
      if (given(found) != given(found)) continue;  // solid
      ends[upper] = found;
      ++distance;
    }
    return distance;
  }
  /// gradient[a][b] = derivative of component b along a, by central differences; one-sided beside
  /// solids and sides that are not periodic.
  KOKKOS_INLINE_FUNCTION void set_gradient(const int (&place)[3], double (&gradient)[3][3]) const {
    for (int a = 0; a < 3; ++a) {
      std::size_t ends[2];
      const int distance = neighbours(
          place, a, [&](std::size_t i) { return values(i, 0); }, ends);
      for (int b = 0; b < 3; ++b) {
        gradient[a][b] =
            distance == 0 ? 0 : (values(ends[1], 1 + b) - values(ends[0], 1 + b)) / distance;
      }
    }
  }
  /// The same of the scalar.
  KOKKOS_INLINE_FUNCTION void set_scalar_gradient(const int (&place)[3],
                                                  double (&gradient)[3]) const {
    for (int a = 0; a < 3; ++a) {
      std::size_t ends[2];
      // Differences are taken within the fluid, or within solids.
      const int distance = neighbours(
          place, a,
          [&](std::size_t i) {
            const bool other = conducts.extent(0) > 0 && conducts(i) != conducts(index(place));
            return other ? double(NAN) : scalar(i);
          },
          ends);
      gradient[a] = distance == 0 ? 0 : (scalar(ends[1]) - scalar(ends[0])) / distance;
    }
  }
};

/// Populations of a node at step 0: equilibrium, less half a step of the force, plus the
/// first-order non-equilibrium part of the velocity gradients; gradient[a][b] is that of component
/// b along a.
template <class Velocities, class Real>
KOKKOS_INLINE_FUNCTION void initial_populations(const FlowState3D<double>& state,
                                                const double (&gradient)[3][3], double omega,
                                                const Real (&force)[3],
                                                Real (&g)[Velocities::populations]) {
  const double divergence = gradient[0][0] + gradient[1][1] + gradient[2][2];
  // Unrolled, so that the velocities are constants: a third less time on a host than in a loop.
  for_populations<Velocities>([&](auto q) KNUDSEN_INLINE_LAMBDA {
    double strain = -divergence / 3;
    double along_force = 0;
    for (int a = 0; a < 3; ++a) {
      along_force += Velocities::velocity(q, a) * static_cast<double>(force[a]);
      for (int b = 0; b < 3; ++b) {
        strain += Velocities::velocity(q, a) * Velocities::velocity(q, b) * gradient[a][b];
      }
    }
    // f1 = - w rho / (omega cs^2) (c c - cs^2 I) : grad u.
    const double weight = Velocities::template weight<double>(q);
    g[q] = static_cast<Real>(
        equilibrium<Velocities>(q, state) -
        weight * (3 * (1 + state.density_deviation) * strain / omega + 1.5 * along_force));
  });
}

/// Populations of a scalar at step 0: equilibrium and the first-order part of its gradient. `rate`
/// is that of the antisymmetric populations, `weight` that of populations that move.
template <class Scalar, class Real>
KOKKOS_INLINE_FUNCTION void initial_scalar(double value, const double (&velocity)[3],
                                           const double (&gradient)[3], double rate, double weight,
                                           double rest_weight, Real (&h)[Scalar::populations]) {
  for (int q = 0; q < Scalar::populations; ++q) {
    double along = 0;
    for (int a = 0; a < 3; ++a) {
      along += Scalar::velocity(q, a) * (value * velocity[a] / (2 * weight) - gradient[a] / rate);
    }
    h[q] = static_cast<Real>((q == 0 ? rest_weight : weight) * (value + along));
  }
}

/// Those of node (x, y, z) of a flow; only smooth flows have gradients.
template <class Velocities, class Real>
KOKKOS_INLINE_FUNCTION void initial_populations(const InitialFlow& flow, int x, int y, int z,
                                                double omega, const Real (&force)[3],
                                                Real (&g)[Velocities::populations]) {
  double gradient[3][3] = {};
  if (flow.smooth()) {
    constexpr double step = 1e-3;
    for (int a = 0; a < 3; ++a) {
      const double by[3] = {a == 0 ? step : 0, a == 1 ? step : 0, a == 2 ? step : 0};
      const FlowState3D<double> upper = flow.at(x + by[0], y + by[1], z + by[2]);
      const FlowState3D<double> lower = flow.at(x - by[0], y - by[1], z - by[2]);
      for (int b = 0; b < 3; ++b) {
        gradient[a][b] = (upper.velocity[b] - lower.velocity[b]) / (2 * step);
      }
    }
  }
  initial_populations<Velocities>(flow.at(x, y, z), gradient, omega, force, g);
}

}  // namespace knudsen::lbm_d3q27
