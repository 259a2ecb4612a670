#include "methods/lbm_d3q27/node_map.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

using Coordinates = std::array<int, 3>;

/// Momentum that a wall of this velocity adds to the incoming population q (Ladd 1994):
/// 6 w_q rho_0 c_q.u with rho_0 = 1, so that the walls of a closed domain add no mass.
double moving_wall(int populations, int q, const std::array<double, 3>& velocity) {
  double along = 0;
  for (int axis = 0; axis < 3; ++axis) {
    along += D3Q27::velocity(q, axis) * velocity[static_cast<std::size_t>(axis)];
  }
  const double weight = populations == 27 ? D3Q27::weight<double>(q) : D3Q19::weight<double>(q);
  return 6 * weight * along;
}

/// What stands upstream of a link.
struct Upstream {
  enum class Kind { fluid, body, side } kind = Kind::fluid;
  int index = 0;             ///< of the body, or of the side
  int walls = 0;             ///< wall sides that the link crosses
  Coordinates wall_sides{};  ///< their numbers
};

struct Surroundings {
  const Domain& domain;

  /// -1 for fluid, else the body, of a node in the domain.
  std::int16_t body_at(const Coordinates& at) const {
    if (domain.body == nullptr || domain.body->empty()) return -1;
    const auto& n = domain.nodes;
    return (*domain.body)[(static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(n[1]) +
                           static_cast<std::size_t>(at[1])) *
                              static_cast<std::size_t>(n[0]) +
                          static_cast<std::size_t>(at[0])];
  }
  bool has_bodies() const { return domain.body != nullptr && !domain.body->empty(); }

  /// Of the incoming population q of a node. Where a link crosses several sides, walls win over
  /// velocities and those over pressures.
  Upstream upstream(const Coordinates& at, int q) const {
    Upstream found;
    Coordinates from{};
    const auto rank = [](SideKind kind) {
      return kind == SideKind::wall ? 3 : (kind == SideKind::velocity ? 2 : 1);
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
    if (best > 0) return found;
    const std::int16_t body = body_at(from);
    if (body >= 0) {
      found.kind = Upstream::Kind::body;
      found.index = body;
    }
    return found;
  }
};

/// What one plane of nodes contributes to a node map.
struct Plane {
  std::vector<BoundaryNode<std::uint64_t>> special;
  std::vector<std::uint64_t> reversing;
  std::vector<BoundaryLink<double>> links;
  std::vector<std::int32_t> link_faces;
  std::vector<OpenFace<double>> faces;
  std::int64_t fluid_nodes = 0;
  std::int64_t isolated_nodes = 0;
  std::int64_t slot_nodes = 0;
};

struct Builder {
  const Domain& domain;
  NodeMap& map;
  bool two_array;
  Surroundings around{domain};

  bool in_domain(const Coordinates& at) const {
    return at[0] < domain.nodes[0] && at[1] < domain.nodes[1] && at[2] < domain.nodes[2];
  }
  bool is_fluid(const Coordinates& at) const { return in_domain(at) && around.body_at(at) < 0; }
  Coordinates counts() const {
    return {static_cast<int>(map.extents.nx), static_cast<int>(map.extents.ny),
            static_cast<int>(map.extents.nz)};
  }
  /// A node of the lattice moved by an offset, periodically.
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

  // Nodes of the lattice in the order of their numbers: the axis of a row, of a plane's rows, and
  // of planes.
  std::size_t axis(int i) const { return static_cast<std::size_t>((map.first_axis + i) % 3); }
  template <class Body>
  void for_plane(int plane, const Body& body) const {
    const Coordinates n = counts();
    Coordinates at{};
    at[axis(2)] = plane;
    for (at[axis(1)] = 0; at[axis(1)] < n[axis(1)]; ++at[axis(1)]) {
      for (at[axis(0)] = 0; at[axis(0)] < n[axis(0)]; ++at[axis(0)]) {
        body(static_cast<const Coordinates&>(at));
      }
    }
  }
  int planes() const { return counts()[axis(2)]; }
  template <class Body>
  void for_planes(const char* label, const Body& body) const {
    Kokkos::parallel_for(
        label,
        Kokkos::RangePolicy<HostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(0, planes()),
        body);
    HostExecutionSpace().fence();
  }
  std::uint64_t dense(const Coordinates& at) const {
    return map.extents.node(static_cast<NodeIndex>(at[0]), static_cast<NodeIndex>(at[1]),
                            static_cast<NodeIndex>(at[2]));
  }
  std::uint64_t number_of(const Coordinates& at) const {
    return map.sparse ? map.number[dense(at)] : dense(at);
  }

  /// The axis with the fewest ends of rows of fluid nodes, so the longest rows.
  int axis_of_longest_rows() const {
    std::vector<std::array<std::uint64_t, 3>> of_planes(static_cast<std::size_t>(planes()));
    for_planes("knudsen/lbm_d3q27/count_rows", [&](int plane) {
      std::array<std::uint64_t, 3> ends{};
      for_plane(plane, [&](const Coordinates& at) {
        if (!is_fluid(at)) return;
        for (std::size_t a = 0; a < 3; ++a) {
          Coordinates up{};
          up[a] = 1;
          if (!is_fluid(moved(at, up))) ++ends[a];
        }
      });
      of_planes[static_cast<std::size_t>(plane)] = ends;
    });
    std::array<std::uint64_t, 3> ends{};
    for (const auto& plane : of_planes) {
      for (std::size_t a = 0; a < 3; ++a) ends[a] += plane[a];
    }
    return static_cast<int>(std::min_element(ends.begin(), ends.end()) - ends.begin());
  }

  /// Numbers the fluid nodes and those of their upper octants, row by row in the places they have
  /// among each other, so that the neighbour along the row mostly has the next number. (Slot nodes
  /// apart from the rows would leave fewer threads idle, but were slower in a packed bed.)
  void number_nodes(IndexWidth width) {
    map.first_axis = axis_of_longest_rows();
    const auto count = static_cast<std::size_t>(planes());
    std::vector<std::uint64_t> first(count + 1, 0);
    for_planes("knudsen/lbm_d3q27/count_nodes", [&](int plane) {
      std::uint64_t found = 0;
      for_plane(plane, [&](const Coordinates& at) { found += any_fluid_at(at, -1, 0) ? 1 : 0; });
      first[static_cast<std::size_t>(plane) + 1] = found;
    });
    for (std::size_t i = 0; i < count; ++i) first[i + 1] += first[i];
    map.count = first[count];
    map.wide = needs_wide_numbers(map.count, width);
    map.number.assign(map.extents.nodes(), map.wide);
    for_planes("knudsen/lbm_d3q27/number_nodes", [&](int plane) {
      std::uint64_t number = first[static_cast<std::size_t>(plane)];
      for_plane(plane, [&](const Coordinates& at) {
        if (any_fluid_at(at, -1, 0)) map.number.set(dense(at), number++);
      });
    });
    NodeNumbers* const next[3] = {&map.next_first, &map.next_second, &map.next_third};
    // One more entry, as the stencil reads ahead.
    for (NodeNumbers* list : next) list->assign(map.count + 1, map.wide);
    for (NodeNumbers* list : next) list->set(map.count, 0);
    for_planes("knudsen/lbm_d3q27/link_nodes", [&](int plane) {
      for_plane(plane, [&](const Coordinates& at) {
        const std::uint64_t number = map.number[dense(at)];
        if (number == NodeMap::none) return;
        for (int i = 0; i < 3; ++i) {
          Coordinates up{};
          up[axis(i)] = 1;
          const std::uint64_t upper = map.number[dense(moved(at, up))];
          // What no fluid node needs may point anywhere.
          next[i]->set(number, upper == NodeMap::none ? number : upper);
        }
      });
    });
    map.in_row.assign(map.count / 32 + 1, 0);
    for (std::uint64_t n = 0; n < map.count; ++n) {
      if (map.next_first[n] == n + 1) map.in_row[n / 32] |= std::uint32_t{1} << (n % 32);
    }
  }

  std::int32_t face_of(Plane& plane, std::size_t first_face, const Coordinates& at,
                       int side) const {
    for (std::size_t i = first_face; i < plane.faces.size(); ++i) {
      if (plane.faces[i].side == side) return static_cast<std::int32_t>(i);
    }
    const SideCondition& condition = domain.sides[static_cast<std::size_t>(side)];
    double shape = 1;
    for (int axis = 0; axis < 3; ++axis) {
      if (!condition.parabolic || axis == axis_of(side) || domain.periodic(axis)) continue;
      const auto a = static_cast<std::size_t>(axis);
      const double position = (at[a] + 0.5) / domain.nodes[a];
      shape *= 4 * position * (1 - position);
    }
    OpenFace<double> face{};
    for (int a = 0; a < 3; ++a) {
      face.velocity[a] = shape * condition.velocity[static_cast<std::size_t>(a)];
    }
    face.density_deviation = condition.density - 1;
    face.mean_rate = condition.mean_rate;
    face.kind = condition.kind == SideKind::velocity ? OpenKind::velocity : OpenKind::pressure;
    face.side = static_cast<std::uint8_t>(side);
    plane.faces.push_back(face);
    return static_cast<std::int32_t>(plane.faces.size() - 1);
  }

  /// Adds the link that q comes in on to the node when it needs data.
  void classify_link(const Coordinates& at, int q, const Upstream& from, std::size_t first_face,
                     BoundaryNode<std::uint64_t>& node, Plane& plane) const {
    BoundaryLink<double> link{0, -1};
    std::int32_t face = -1;
    bool cut = domain.treatment == WallTreatment::half_way;
    if (from.kind == Upstream::Kind::side && from.walls == 0) {
      face = face_of(plane, first_face, at, from.index);
      node.kind = BoundaryKind::open;
      cut = true;
    } else if (from.kind == Upstream::Kind::side) {
      // A link through an edge between walls gets the mean of their velocities.
      std::array<double, 3> velocity{0, 0, 0};
      for (int i = 0; i < from.walls; ++i) {
        const auto side = static_cast<std::size_t>(from.wall_sides[static_cast<std::size_t>(i)]);
        for (std::size_t a = 0; a < 3; ++a) {
          velocity[a] += domain.sides[side].velocity[a] / from.walls;
        }
      }
      link.correction = moving_wall(domain.populations, q, velocity);
    } else {
      link.correction = moving_wall(domain.populations, q,
                                    domain.body_velocities[static_cast<std::size_t>(from.index)]);
      if (domain.treatment == WallTreatment::interpolated) {
        const double distance =
            domain.wall_distance(at[0], at[1], at[2], D3Q27::opposite(q), from.index);
        if (distance >= 0) {
          link.wall_distance = distance;
          link.correction /= 1 + distance;
          cut = true;
        }
      }
    }
    if (!cut && link.correction == 0) return;
    node.cut |= std::uint32_t{1} << q;
    plane.links.push_back(link);
    plane.link_faces.push_back(face);
  }

  void classify(const Coordinates& at, std::uint64_t number, Plane& plane) const {
    BoundaryNode<std::uint64_t> node{number, 0, static_cast<std::uint32_t>(plane.links.size()),
                                     BoundaryKind::walls};
    const std::size_t first_face = plane.faces.size();
    bool isolated = true;
    for (int q = 1; q < domain.populations; ++q) {
      const Upstream from = around.upstream(at, q);
      isolated = isolated && from.kind != Upstream::Kind::fluid;
      if (from.kind != Upstream::Kind::fluid) classify_link(at, q, from, first_face, node, plane);
    }
    if (isolated) ++plane.isolated_nodes;
    if (node.cut != 0) plane.special.push_back(node);
  }

  bool at_side(const Coordinates& at) const {
    for (std::size_t a = 0; a < 3; ++a) {
      if (at[a] == 0 || at[a] == domain.nodes[a] - 1) return true;
    }
    return false;
  }

  void sort_plane(int number_of_plane, Plane& plane) const {
    const bool has_bodies = around.has_bodies();
    for_plane(number_of_plane, [&](const Coordinates& at) {
      const std::uint64_t number = number_of(at);
      if (is_fluid(at)) {
        ++plane.fluid_nodes;
        if (has_bodies || at_side(at)) classify(at, number, plane);
      } else if (map.sparse) {
        if (number != NodeMap::none) ++plane.slot_nodes;
      } else if (two_array && any_fluid_at(at, -1, 1)) {
        plane.reversing.push_back(number);
      }
    });
  }

  /// Puts the planes together and sets the bits.
  void sort_nodes() {
    std::vector<Plane> parts(static_cast<std::size_t>(planes()));
    for_planes("knudsen/lbm_d3q27/sort_nodes",
               [&](int plane) { sort_plane(plane, parts[static_cast<std::size_t>(plane)]); });
    for (Plane& plane : parts) {
      const auto first_link = static_cast<std::uint32_t>(map.links.size());
      const auto first_face = static_cast<std::int32_t>(map.faces.size());
      for (auto& node : plane.special) node.first_link += first_link;
      for (std::int32_t& face : plane.link_faces) {
        if (face >= 0) face += first_face;
      }
      const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      append(map.special, plane.special);
      append(map.reversing, plane.reversing);
      append(map.links, plane.links);
      append(map.link_faces, plane.link_faces);
      append(map.faces, plane.faces);
      constexpr std::size_t most_links = 0xffffffffU;
      constexpr std::size_t most_entries = 0x7fffffffU;
      if (map.links.size() > most_links || map.special.size() > most_entries ||
          map.reversing.size() > most_entries) {
        throw InputError(
            "geometry: more than 4294967295 links or 2147483647 nodes at walls need data; use "
            "implicit walls, or fewer nodes");
      }
      map.fluid_nodes += plane.fluid_nodes;
      map.slot_nodes += plane.slot_nodes;
      map.isolated_nodes += plane.isolated_nodes;
      plane = Plane();
    }
    map.fluid.assign(map.count / 32 + 1, 0);
    // Neighbouring planes may share a word, so this is serial.
    for (int plane = 0; plane < planes(); ++plane) {
      for_plane(plane, [&](const Coordinates& at) {
        if (!is_fluid(at)) return;
        const std::uint64_t number = number_of(at);
        map.fluid[number / 32] |= std::uint32_t{1} << (number % 32);
      });
    }
    map.plain = map.fluid;
    for (const auto& node : map.special) {
      map.plain[node.node / 32] &= ~(std::uint32_t{1} << (node.node % 32));
    }
  }
};

}  // namespace

Extents Domain::extents(NodeIndex row_multiple, bool sparse) const {
  std::array<double, 3> counts{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    counts[a] = nodes[a] + (periodic(axis) ? 0 : 1);
  }
  const double pitch = std::ceil(counts[0] / row_multiple) * row_multiple;
  if (!sparse && pitch * counts[1] * counts[2] > most_nodes) {
    throw InputError("domain: the grid has more than " + number_text(most_nodes) +
                     " nodes, padding included, the limit of a dense lattice");
  }
  return {static_cast<NodeIndex>(counts[0]), static_cast<NodeIndex>(counts[1]),
          static_cast<NodeIndex>(counts[2]), static_cast<NodeIndex>(pitch)};
}

bool needs_wide_numbers(std::uint64_t nodes, IndexWidth width) {
  const bool fits = static_cast<double>(nodes) <= most_nodes;
  if (width == IndexWidth::narrow && !fits) {
    throw InputError("tuning.indices: the " + std::to_string(nodes) +
                     " nodes of the lattice are more than 32 bits can number");
  }
  return width == IndexWidth::wide || !fits;
}

NodeMap make_node_map(const Domain& domain, bool sparse, bool two_array, NodeIndex row_multiple,
                      IndexWidth width) {
  NodeMap map;
  map.nodes = domain.nodes;
  map.extents = domain.extents(row_multiple, sparse);
  map.sparse = sparse;
  map.count = map.extents.nodes();
  Builder builder{domain, map, two_array};
  if (sparse) builder.number_nodes(width);
  builder.sort_nodes();
  if (map.fluid_nodes == 0) throw InputError("geometry: there is no fluid node in the domain");
  if (map.isolated_nodes == map.fluid_nodes) {
    throw InputError("geometry: no fluid node has a fluid neighbour (" +
                     std::to_string(map.fluid_nodes) + " isolated fluid node" +
                     (map.fluid_nodes == 1 ? "" : "s") + "), so nothing can flow");
  }
  return map;
}

std::vector<BodyLinks> body_links(const Domain& domain, const NodeMap& map) {
  const Surroundings around{domain};
  std::vector<BodyLinks> all;
  if (!around.has_bodies()) return all;
  for (int z = 0; z < domain.nodes[2]; ++z) {
    for (int y = 0; y < domain.nodes[1]; ++y) {
      for (int x = 0; x < domain.nodes[0]; ++x) {
        const Coordinates at{x, y, z};
        if (around.body_at(at) >= 0) continue;
        const std::size_t first = all.size();
        for (int q = 1; q < domain.populations; ++q) {
          const Upstream from = around.upstream(at, q);
          if (from.kind != Upstream::Kind::body) continue;
          const auto same = [&](const BodyLinks& entry) { return entry.body == from.index; };
          auto entry =
              std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), same);
          if (entry == all.end()) {
            entry = all.insert(
                entry, {map.index(x, y, z), static_cast<std::int16_t>(from.index), 0, {x, y, z}});
          }
          entry->links |= std::uint32_t{1} << q;
        }
      }
    }
  }
  return all;
}

}  // namespace knudsen::lbm_d3q27
