#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/lattice_part.hpp"
#include "methods/lbm_d3q27/make_lattice.hpp"

namespace knudsen::lbm_d3q27 {

using TestSpace = DeviceExecutionSpace;

inline SideCondition wall(double u = 0, double v = 0, double w = 0) {
  return {SideKind::wall, {u, v, w}, false, 1, 0};
}

/// A lattice with what steps it.
template <class LatticeType>
struct Runner {
  using Real = typename LatticeType::Real;
  NodeMap map;
  ContextOf<LatticeType> context;
  LatticeType lattice;
  int parity = 0;

  Runner(const Domain& domain, Propagation propagation, bool sparse,
         const CollisionParameters<double>& parameters, const std::string& collision_operator,
         const InitialFlow& flow, EddyViscosity eddy = EddyViscosity::none)
      : map(make_node_map(domain, sparse, propagation == Propagation::two_array,
                          row_multiple<typename LatticeType::Precision>)) {
    context.tuning = default_tuning<LatticeType>(sparse);
    context.collision_operator = collision_operator;
    context.eddy_viscosity = eddy;
    context.parameters = rounded<Real>(parameters);
    lattice = make_lattice<LatticeType>(map, propagation, context.tuning);
    initialise(context, lattice, map, LatticePart(map), flow);
  }

  void advance(int steps) {
    for (int i = 0; i < steps; ++i) {
      step(context, lattice, parity);
      parity ^= 1;
    }
    context.execution.fence();
  }

  /// One value a node of the domain, (z, y, x); NaN in solid nodes.
  std::vector<double> values(NodeQuantity quantity) const {
    const auto host = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), node_values(context, lattice, parity, quantity));
    std::vector<double> result;
    for (int z = 0; z < map.nodes[2]; ++z) {
      for (int y = 0; y < map.nodes[1]; ++y) {
        for (int x = 0; x < map.nodes[0]; ++x) {
          const std::uint64_t n = map.index(x, y, z);
          result.push_back(n == NodeMap::none ? NAN : double(host(n)));
        }
      }
    }
    return result;
  }
  /// Density deviation and velocity.
  std::array<std::vector<double>, 4> flow() const {
    return {values(NodeQuantity::density_deviation), values(NodeQuantity::velocity_x),
            values(NodeQuantity::velocity_y), values(NodeQuantity::velocity_z)};
  }
};

/// Largest difference; infinite where only one of the two is a number.
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    const double difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = std::isnan(difference) ? INFINITY : difference;
  }
  return largest;
}

/// Solid nodes with a probability, of one or two bodies.
inline std::vector<std::int16_t> random_solids(const std::array<int, 3>& nodes, double share,
                                               int bodies, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(0, 1);
  std::vector<std::int16_t> body;
  for (int i = 0; i < nodes[0] * nodes[1] * nodes[2]; ++i) {
    body.push_back(number(random) < share ? std::int16_t(i % bodies) : std::int16_t(-1));
  }
  return body;
}

}  // namespace knudsen::lbm_d3q27
