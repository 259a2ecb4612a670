#pragma once

#include <algorithm>

#include "device/kokkos.hpp"
#include "methods/lbm_d3q27/surroundings.hpp"

namespace knudsen::lbm_d3q27 {

/// What is known of the nodes of a domain.
struct DomainNodes {
  const Domain& domain;
  Surroundings around{domain};
  Coordinates counts{domain.planes(0), domain.planes(1), domain.planes(2)};  ///< of the lattice

  bool in_domain(const Coordinates& at) const {
    return at[0] < domain.nodes[0] && at[1] < domain.nodes[1] && at[2] < domain.nodes[2];
  }
  bool is_fluid(const Coordinates& at) const { return in_domain(at) && around.body_at(at) < 0; }
  /// The conduction in the solid of a node, null if there is none.
  const lbm::Conduction* conduction(const Coordinates& at) const {
    return domain.heat != nullptr && in_domain(at) ? domain.heat->conduction(around.body_at(at))
                                                   : nullptr;
  }
  /// The node at an offset of at most one node along each axis from another, around the lattice.
  Coordinates moved(const Coordinates& at, const Coordinates& by) const {
    Coordinates to{};
    for (std::size_t a = 0; a < 3; ++a) {
      to[a] = at[a] + by[a];
      if (to[a] < 0) to[a] += counts[a];
      if (to[a] >= counts[a]) to[a] -= counts[a];
    }
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
};

/// Walks over the nodes of a part of a lattice whose map is being made.
struct NodeWalk : DomainNodes {
  NodeMap& map;

  // Nodes are numbered along axis(0) in a row, rows along axis(1) in a plane, planes along axis(2).
  // Planes are cut into strips of rows. All pieces of a strip precede those of the next strip. In a
  // part of a sparse lattice the pieces of its first and its last plane precede all others.
  struct Piece {
    int strip, plane;
  };
  std::size_t axis(int i) const { return static_cast<std::size_t>((map.cut.first_axis + i) % 3); }
  int planes() const { return map.cut.planes(); }
  int owned_planes() const { return map.cut.own_end() - map.cut.own_begin(); }
  /// A plane by its number among those of the part, of which the ghost plane is the last one.
  int plane(int number) const { return (map.cut.own_begin() + number) % planes(); }
  int rows() const { return counts[axis(1)]; }
  int rows_of_strip() const { return map.strip_rows > 0 ? map.strip_rows : rows(); }
  int strips() const { return (rows() + rows_of_strip() - 1) / rows_of_strip(); }
  /// Pieces of the owned planes, by the order of their nodes.
  int pieces() const { return strips() * owned_planes(); }
  Piece piece(int number) const {
    int first = 0;  // of the planes from which the piece is
    int count = owned_planes();
    if (number < end_pieces()) {
      return {number % strips(), plane(number < strips() ? 0 : count - 1)};
    }
    if (end_pieces() > 0) {
      number -= end_pieces();
      first = 1;
      count -= 2;
    }
    return {number / count, plane(first + number % count)};
  }
  /// How many of them are of the first and the last plane and precede those of other planes.
  int end_pieces() const {
    return map.sparse && map.cut.ranks() > 1 ? strips() * std::min(owned_planes(), 2) : 0;
  }
  /// Number of a piece among those of all ranks.
  std::size_t whole_number(const Piece& piece) const {
    return static_cast<std::size_t>(piece.strip) * static_cast<std::size_t>(planes()) +
           static_cast<std::size_t>(piece.plane);
  }
  /// Calls body(row) for the rows of a strip.
  template <class Body>
  void for_rows(int strip, const Body& body) const {
    const int first = strip * rows_of_strip();
    const int end = std::min(first + rows_of_strip(), rows());
    for (int row = first; row < end; ++row) body(row);
  }
  template <class Body>
  void for_row(int plane, int row, const Body& body) const {
    const int length = counts[axis(0)];
    Coordinates at{};
    at[axis(2)] = plane;
    at[axis(1)] = row;
    for (at[axis(0)] = 0; at[axis(0)] < length; ++at[axis(0)]) {
      body(static_cast<const Coordinates&>(at));
    }
  }
  template <class Body>
  void for_piece(const Piece& piece, const Body& body) const {
    for_rows(piece.strip, [&](int row) { for_row(piece.plane, row, body); });
  }
  std::uint64_t number_of(const Coordinates& at) const { return map.index(at[0], at[1], at[2]); }
};

/// Calls body(i) for each i below `count`, by all threads of the host.
template <class Body>
void for_each(const char* label, std::int64_t count, const Body& body) {
  using Policy = Kokkos::RangePolicy<HostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                                     Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(0, count), body);
  HostExecutionSpace().fence();
}

/// Numbers the nodes of a sparse lattice. Sets strip_rows, count, owned, end_planes, all.numbers,
/// part_begin, whole_begin and number of the map.
void number_nodes(const Domain& domain, NodeMap& map);

}  // namespace knudsen::lbm_d3q27
