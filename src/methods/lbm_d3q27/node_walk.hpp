#pragma once

#include <algorithm>

#include "device/kokkos.hpp"
#include "methods/lbm_d3q27/surroundings.hpp"

namespace knudsen::lbm_d3q27 {

/// Walks over the nodes of a lattice whose map is being made.
struct NodeWalk {
  const Domain& domain;
  NodeMap& map;
  Surroundings around{domain};

  bool in_domain(const Coordinates& at) const {
    return at[0] < domain.nodes[0] && at[1] < domain.nodes[1] && at[2] < domain.nodes[2];
  }
  bool is_fluid(const Coordinates& at) const { return in_domain(at) && around.body_at(at) < 0; }
  /// The conduction in the solid of a node, null if there is none.
  const lbm::Conduction* conduction(const Coordinates& at) const {
    return domain.heat != nullptr && in_domain(at) ? domain.heat->conduction(around.body_at(at))
                                                   : nullptr;
  }
  Coordinates counts() const {
    return {static_cast<int>(map.extents.nx), static_cast<int>(map.extents.ny),
            static_cast<int>(map.extents.nz)};
  }
  /// The node at an offset from another, periodically.
  Coordinates moved(const Coordinates& at, const Coordinates& by) const {
    Coordinates to{};
    const Coordinates n = counts();
    for (std::size_t a = 0; a < 3; ++a) to[a] = (at[a] + by[a] + n[a]) % n[a];
    return to;
  }
  bool any_fluid_at(const Coordinates& at, int lowest, int highest) const {
    for (int dz = lowest; dz <= highest; ++dz) {
      for (int dy = lowest; dy <= highest; ++dy) {
        for (int dx = lowest; dx <= highest; ++dx) {
          if (is_fluid(moved(at, {dx, dy, dz}))) return true;
        }
      }
    }
    return false;
  }

  // Nodes are numbered along axis(0) in a row, rows along axis(1) in a plane, planes along axis(2).
  // Planes are cut into strips of rows. A part is one strip of one plane; all parts of a strip
  // precede those of the next strip.
  std::size_t axis(int i) const { return static_cast<std::size_t>((map.first_axis + i) % 3); }
  int planes() const { return counts()[axis(2)]; }
  int rows() const { return counts()[axis(1)]; }
  int rows_of_strip() const { return map.strip_rows > 0 ? map.strip_rows : rows(); }
  int parts() const { return planes() * ((rows() + rows_of_strip() - 1) / rows_of_strip()); }
  /// Calls body(row) for the rows of a part.
  template <class Body>
  void for_rows(int part, const Body& body) const {
    const int first = part / planes() * rows_of_strip();
    const int end = std::min(first + rows_of_strip(), rows());
    for (int row = first; row < end; ++row) body(row);
  }
  template <class Body>
  void for_part(int part, const Body& body) const {
    const int length = counts()[axis(0)];
    for_rows(part, [&](int row) {
      Coordinates at{};
      at[axis(2)] = part % planes();
      at[axis(1)] = row;
      for (at[axis(0)] = 0; at[axis(0)] < length; ++at[axis(0)]) {
        body(static_cast<const Coordinates&>(at));
      }
    });
  }
  template <class Body>
  void for_parts(const char* label, const Body& body) const {
    Kokkos::parallel_for(
        label,
        Kokkos::RangePolicy<HostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(0, parts()),
        body);
    HostExecutionSpace().fence();
  }
  std::uint64_t dense(const Coordinates& at) const {
    return map.extents.node(static_cast<NodeIndex>(at[0]), static_cast<NodeIndex>(at[1]),
                            static_cast<NodeIndex>(at[2]));
  }
  std::uint64_t number_of(const Coordinates& at) const {
    return map.sparse ? map.number(at) : dense(at);
  }
};

/// Numbers the nodes of a sparse lattice and links them to their upper neighbours. Sets first_axis,
/// strip_rows, count, number, next_* and in_row of the map.
void number_nodes(const Domain& domain, NodeMap& map);

}  // namespace knudsen::lbm_d3q27
