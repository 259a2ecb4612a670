#pragma once

#include <array>
#include <cstdint>

#include "methods/lbm_d3q27/node_map.hpp"

namespace knudsen::lbm_d3q27 {

/// Position of a node: x, y, z.
using Coordinates = std::array<int, 3>;

/// What is at the upstream end of a link.
struct Upstream {
  enum class Kind { fluid, body, side } kind = Kind::fluid;
  int index = 0;             ///< of the body, or of the side
  int walls = 0;             ///< number of wall sides that reflect the link
  Coordinates wall_sides{};  ///< these sides
};

/// What surrounds the nodes of a domain.
struct Surroundings {
  const Domain& domain;
  NodePlanes planes = domain.body_planes.size() > 0 ? domain.body_planes : NodePlanes(domain.nodes);

  /// Index of the body of a node in these planes of the domain, -1 for fluid.
  std::int16_t body_at(const Coordinates& at) const {
    return has_bodies() ? (*domain.body)[planes(at)] : std::int16_t{-1};
  }
  bool has_bodies() const { return domain.body != nullptr && !domain.body->empty(); }

  /// Upstream end of the link of incoming population q. If it crosses several sides, a velocity
  /// side takes precedence over a wall, so that what comes in is what is prescribed, and a wall
  /// over a pressure side.
  Upstream upstream(const Coordinates& at, int q) const {
    Upstream found;
    Coordinates from{};
    const auto rank = [](SideKind kind) {
      return kind == SideKind::velocity ? 3 : (kind == SideKind::wall ? 2 : 1);
    };
    int best = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      from[a] = at[a] - D3Q27::velocity(q, axis);
      const bool low = from[a] < 0;
      if (!low && from[a] < domain.nodes[a]) continue;
      if (domain.periodic(axis)) {
        from[a] += low ? domain.nodes[a] : -domain.nodes[a];
        continue;
      }
      const int side = 2 * axis + (low ? 0 : 1);
      const SideKind kind = domain.sides[static_cast<std::size_t>(side)].kind;
      if (kind == SideKind::wall) found.wall_sides[static_cast<std::size_t>(found.walls++)] = side;
      if (rank(kind) > best) {
        best = rank(kind);
        found.kind = Upstream::Kind::side;
        found.index = side;
      }
    }
    if (best == rank(SideKind::velocity)) found.walls = 0;
    if (best > 0) return found;
    const std::int16_t body = body_at(from);
    if (body >= 0) {
      found.kind = Upstream::Kind::body;
      found.index = body;
    }
    return found;
  }
};

}  // namespace knudsen::lbm_d3q27
