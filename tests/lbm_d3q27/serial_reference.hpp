#pragma once

// A plain lattice Boltzmann method in double precision with two arrays of whole grids: collide,
// then move every population to where it goes, or back where a wall is.

#include <vector>

#include "lattice/collision_operators.hpp"
#include "lattice/flow_state3d.hpp"
#include "methods/lbm_d3q27/initial_flow.hpp"
#include "methods/lbm_d3q27/node_map.hpp"

namespace knudsen::lbm_d3q27 {

/// `Operator` is a collision operator, with Guo's force.
template <class Velocities, class Operator>
class SerialReference {
 public:
  static constexpr int populations = Velocities::populations;
  using Populations = std::array<double, static_cast<std::size_t>(populations)>;

  SerialReference(const Domain& domain, const CollisionParameters<double>& parameters,
                  const InitialFlow& flow)
      : domain_(domain),
        parameters_(parameters),
        incoming_(size()),
        sent_(size()),
        sent_before_(size()) {
    for_fluid([&](int x, int y, int z) {
      double g[populations];
      initial_populations<Velocities>(flow, x, y, z, parameters.relaxation_rate, parameters.force,
                                      g);
      for (int q = 0; q < populations; ++q) {
        incoming_[at(x, y, z)][std::size_t(q)] = g[q];
        // What would have been sent before step 0, at a wall.
        sent_[at(x, y, z)][std::size_t(q)] = g[q];
      }
    });
    // Links that are back after one step take what was sent already in step 0.
    for_fluid([&](int x, int y, int z) {
      for (int q = 1; q < populations; ++q) {
        const Link link = find(x, y, z, q);
        if (link.wall && link.one_step) {
          incoming_[at(x, y, z)][std::size_t(q)] =
              sent_[at(x, y, z)][std::size_t(D3Q27::opposite(q))] + link.correction;
        }
      }
    });
  }

  void step() {
    sent_before_ = sent_;
    for_fluid([&](int x, int y, int z) {
      double g[populations];
      const std::size_t here = at(x, y, z);
      for (int q = 0; q < populations; ++q) g[q] = incoming_[here][std::size_t(q)];
      NodeCollision<Operator, Forcing::guo>::template collide<Velocities>(g, parameters_);
      for (int q = 0; q < populations; ++q) sent_[here][std::size_t(q)] = g[q];
      for (int q = 1; q < populations; ++q) {
        const Link link = find(x, y, z, q);
        if (!link.wall || link.distance < 0) continue;
        const int p = D3Q27::opposite(q);
        sent_[here][std::size_t(p)] = (link.distance * (g[p] + g[q]) +
                                       (1 - link.distance) * incoming_[here][std::size_t(p)]) /
                                      (1 + link.distance);
      }
    });
    for_fluid([&](int x, int y, int z) {
      const std::size_t here = at(x, y, z);
      for (int q = 0; q < populations; ++q) {
        const Link link = find(x, y, z, q);
        const auto p = std::size_t(D3Q27::opposite(q));
        if (!link.wall) {
          incoming_[here][std::size_t(q)] = sent_[link.from][std::size_t(q)];
        } else if (link.one_step) {
          incoming_[here][std::size_t(q)] = sent_[here][p] + link.correction;
        } else {
          incoming_[here][std::size_t(q)] = sent_before_[here][p];
        }
      }
    });
  }

  bool is_fluid(int x, int y, int z) const {
    return domain_.body == nullptr || domain_.body->empty() || (*domain_.body)[at(x, y, z)] < 0;
  }
  FlowState3D<double> state(int x, int y, int z) const {
    double g[populations];
    for (int q = 0; q < populations; ++q) g[q] = incoming_[at(x, y, z)][std::size_t(q)];
    return flow_state<Velocities>(g, parameters_.force);
  }
  /// Momentum of the whole fluid that the walls of bodies and sides take in the coming step.
  std::size_t at(int x, int y, int z) const {
    return (std::size_t(z) * std::size_t(domain_.nodes[1]) + std::size_t(y)) *
               std::size_t(domain_.nodes[0]) +
           std::size_t(x);
  }

 private:
  struct Link {
    bool wall = false;
    bool one_step = false;
    std::size_t from = 0;
    double correction = 0;
    double distance = -1;
  };

  std::size_t size() const {
    return std::size_t(domain_.nodes[0]) * std::size_t(domain_.nodes[1]) *
           std::size_t(domain_.nodes[2]);
  }
  template <class Body>
  void for_fluid(const Body& body) const {
    for (int z = 0; z < domain_.nodes[2]; ++z) {
      for (int y = 0; y < domain_.nodes[1]; ++y) {
        for (int x = 0; x < domain_.nodes[0]; ++x) {
          if (is_fluid(x, y, z)) body(x, y, z);
        }
      }
    }
  }

  /// Where population q of a fluid node comes from.
  Link find(int x, int y, int z, int q) const {
    Link link;
    int from[3] = {x, y, z};
    double velocity[3] = {0, 0, 0};
    int sides = 0;
    for (int a = 0; a < 3; ++a) {
      const int n = domain_.nodes[std::size_t(a)];
      from[a] -= Velocities::velocity(q, a);
      if (from[a] >= 0 && from[a] < n) continue;
      const SideCondition& side = domain_.sides[std::size_t(2 * a + (from[a] < 0 ? 0 : 1))];
      if (side.kind == SideKind::periodic) {
        from[a] = (from[a] + n) % n;
      } else {
        ++sides;
        for (int b = 0; b < 3; ++b) velocity[b] += side.velocity[std::size_t(b)];
      }
    }
    link.wall = sides > 0;
    int body = -1;
    if (!link.wall) {
      link.from = at(from[0], from[1], from[2]);
      if (is_fluid(from[0], from[1], from[2])) return link;
      link.wall = true;
      body = (*domain_.body)[link.from];
      for (int b = 0; b < 3; ++b) {
        velocity[b] = domain_.body_velocities[std::size_t(body)][std::size_t(b)];
      }
      sides = 1;
      if (domain_.treatment == WallTreatment::interpolated) {
        link.distance = domain_.wall_distance(x, y, z, D3Q27::opposite(q), body);
      }
    }
    double along = 0;
    for (int b = 0; b < 3; ++b) along += Velocities::velocity(q, b) * velocity[b] / sides;
    link.correction = 6 * Velocities::template weight<double>(q) * along;
    if (link.distance >= 0) link.correction /= 1 + link.distance;
    link.one_step =
        domain_.treatment == WallTreatment::half_way || link.distance >= 0 || link.correction != 0;
    return link;
  }

  Domain domain_;
  CollisionParameters<double> parameters_;
  std::vector<Populations> incoming_, sent_, sent_before_;
};

}  // namespace knudsen::lbm_d3q27
