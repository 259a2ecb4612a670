#include "methods/lbm_d3q27/node_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/error.hpp"
#include "core/text.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

using Coordinates = std::array<int, 3>;

/// Momentum that a wall with this velocity adds to incoming population q (Ladd 1994):
/// 6 w_q rho_0 c_q.u, with rho_0 = 1 so that the walls of a closed domain add no mass.
double moving_wall(int populations, int q, const std::array<double, 3>& velocity) {
  double along = 0;
  for (int axis = 0; axis < 3; ++axis) {
    along += D3Q27::velocity(q, axis) * velocity[static_cast<std::size_t>(axis)];
  }
  const double weight = populations == 27 ? D3Q27::weight<double>(q) : D3Q19::weight<double>(q);
  return 6 * weight * along;
}

/// What is at the upstream end of a link.
struct Upstream {
  enum class Kind { fluid, body, side } kind = Kind::fluid;
  int index = 0;             ///< of the body, or of the side
  int walls = 0;             ///< number of wall sides that the link crosses
  Coordinates wall_sides{};  ///< these sides
};

struct Surroundings {
  const Domain& domain;

  /// Index of the body of a node in the domain, -1 for fluid.
  std::int16_t body_at(const Coordinates& at) const {
    if (domain.body == nullptr || domain.body->empty()) return -1;
    const auto& n = domain.nodes;
    return (*domain.body)[(static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(n[1]) +
                           static_cast<std::size_t>(at[1])) *
                              static_cast<std::size_t>(n[0]) +
                          static_cast<std::size_t>(at[0])];
  }
  bool has_bodies() const { return domain.body != nullptr && !domain.body->empty(); }

  /// Upstream end of the link of incoming population q. If it crosses several sides, a wall takes
  /// precedence over a velocity side, and that over a pressure side.
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

/// Contribution of one part of the nodes (Builder::for_part) to a node map.
struct Part {
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
    return map.sparse ? map.number[dense(at)] : dense(at);
  }

  /// The axis along which rows of fluid nodes have the fewest ends, hence are longest.
  int axis_of_longest_rows() const {
    std::vector<std::array<std::uint64_t, 3>> of_parts(static_cast<std::size_t>(parts()));
    for_parts("knudsen/lbm_d3q27/count_rows", [&](int part) {
      std::array<std::uint64_t, 3> ends{};
      for_part(part, [&](const Coordinates& at) {
        if (!is_fluid(at)) return;
        for (std::size_t a = 0; a < 3; ++a) {
          Coordinates up{};
          up[a] = 1;
          if (!is_fluid(moved(at, up))) ++ends[a];
        }
      });
      of_parts[static_cast<std::size_t>(part)] = ends;
    });
    std::array<std::uint64_t, 3> ends{};
    for (const auto& part : of_parts) {
      for (std::size_t a = 0; a < 3; ++a) ends[a] += part[a];
    }
    return static_cast<int>(std::min_element(ends.begin(), ends.end()) - ends.begin());
  }

  /// Cuts the planes, which have `nodes` nodes in total, into strips of equal height with about
  /// `strip_nodes` nodes per plane.
  void cut_into_strips(std::uint64_t nodes) {
    const double of_row = static_cast<double>(nodes) / planes() / rows();
    const double high = std::max(1.0, std::round(domain.strip_nodes / of_row));
    const int strips = static_cast<int>(std::max(1.0, std::round(rows() / high)));
    map.strip_rows = (rows() + strips - 1) / strips;
  }

  /// Numbers the fluid nodes and the nodes of their upper octants in spatial order, row by row, so
  /// that the next node along a row mostly has the next number. (Slot nodes numbered apart from the
  /// rows would leave fewer threads idle, but were slower in a packed bed.)
  void number_nodes(IndexWidth width) {
    map.first_axis = axis_of_longest_rows();
    std::vector<std::uint64_t> of_rows(static_cast<std::size_t>(planes()) *
                                       static_cast<std::size_t>(rows()));
    const auto row_at = [&](int plane, int row) {
      return static_cast<std::size_t>(plane) * static_cast<std::size_t>(rows()) +
             static_cast<std::size_t>(row);
    };
    for_parts("knudsen/lbm_d3q27/count_nodes", [&](int part) {
      for_part(part, [&](const Coordinates& at) {
        if (any_fluid_at(at, -1, 0)) ++of_rows[row_at(at[axis(2)], at[axis(1)])];
      });
    });
    map.count = std::accumulate(of_rows.begin(), of_rows.end(), std::uint64_t{0});
    cut_into_strips(map.count);
    std::vector<std::uint64_t> first(static_cast<std::size_t>(parts()) + 1, 0);
    for (int part = 0; part < parts(); ++part) {
      std::uint64_t& next_part = first[static_cast<std::size_t>(part) + 1];
      next_part = first[static_cast<std::size_t>(part)];
      for_rows(part, [&](int row) { next_part += of_rows[row_at(part % planes(), row)]; });
    }
    map.wide = needs_wide_numbers(map.count, width);
    map.number.assign(map.extents.nodes(), map.wide);
    for_parts("knudsen/lbm_d3q27/number_nodes", [&](int part) {
      std::uint64_t number = first[static_cast<std::size_t>(part)];
      for_part(part, [&](const Coordinates& at) {
        if (any_fluid_at(at, -1, 0)) map.number.set(dense(at), number++);
      });
    });
    NodeNumbers* const next[3] = {&map.next_first, &map.next_second, &map.next_third};
    // One more entry, because the stencil reads ahead by one.
    for (NodeNumbers* list : next) list->assign(map.count + 1, map.wide);
    for (NodeNumbers* list : next) list->set(map.count, 0);
    for_parts("knudsen/lbm_d3q27/link_nodes", [&](int part) {
      for_part(part, [&](const Coordinates& at) {
        const std::uint64_t number = map.number[dense(at)];
        if (number == NodeMap::none) return;
        for (int i = 0; i < 3; ++i) {
          Coordinates up{};
          up[axis(i)] = 1;
          const std::uint64_t upper = map.number[dense(moved(at, up))];
          // No fluid node needs this neighbour, so any index will do. Along the row it is the next
          // number, because one thread that has to read its index delays its whole warp.
          const std::uint64_t anywhere = i == 0 ? number + 1 : number;
          next[i]->set(number, upper == NodeMap::none ? anywhere : upper);
        }
      });
    });
    map.in_row.assign(map.count / 32 + 1, 0);
    for (std::uint64_t n = 0; n < map.count; ++n) {
      if (map.next_first[n] == n + 1) map.in_row[n / 32] |= std::uint32_t{1} << (n % 32);
    }
  }

  std::int32_t face_of(Part& part, std::size_t first_face, const Coordinates& at, int side) const {
    for (std::size_t i = first_face; i < part.faces.size(); ++i) {
      if (part.faces[i].side == side) return static_cast<std::int32_t>(i);
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
    part.faces.push_back(face);
    return static_cast<std::int32_t>(part.faces.size() - 1);
  }

  /// Adds the link of incoming population q to the node if it needs data.
  void classify_link(const Coordinates& at, int q, const Upstream& from, std::size_t first_face,
                     BoundaryNode<std::uint64_t>& node, Part& part) const {
    BoundaryLink<double> link{0, -1};
    std::int32_t face = -1;
    bool cut = domain.treatment == WallTreatment::half_way;
    if (from.kind == Upstream::Kind::side && from.walls == 0) {
      face = face_of(part, first_face, at, from.index);
      node.kind = BoundaryKind::open;
      cut = true;
    } else if (from.kind == Upstream::Kind::side) {
      // A link through an edge between walls takes the mean of their velocities.
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
    part.links.push_back(link);
    part.link_faces.push_back(face);
  }

  void classify(const Coordinates& at, std::uint64_t number, Part& part) const {
    BoundaryNode<std::uint64_t> node{number, 0, static_cast<std::uint32_t>(part.links.size()),
                                     BoundaryKind::walls};
    const std::size_t first_face = part.faces.size();
    bool isolated = true;
    for (int q = 1; q < domain.populations; ++q) {
      const Upstream from = around.upstream(at, q);
      isolated = isolated && from.kind != Upstream::Kind::fluid;
      if (from.kind != Upstream::Kind::fluid) classify_link(at, q, from, first_face, node, part);
    }
    if (isolated) ++part.isolated_nodes;
    if (node.cut != 0) part.special.push_back(node);
  }

  bool at_side(const Coordinates& at) const {
    for (std::size_t a = 0; a < 3; ++a) {
      if (at[a] == 0 || at[a] == domain.nodes[a] - 1) return true;
    }
    return false;
  }

  void sort_part(int number_of_part, Part& part) const {
    const bool has_bodies = around.has_bodies();
    for_part(number_of_part, [&](const Coordinates& at) {
      const std::uint64_t number = number_of(at);
      if (is_fluid(at)) {
        ++part.fluid_nodes;
        if (has_bodies || at_side(at)) classify(at, number, part);
      } else if (map.sparse) {
        if (number != NodeMap::none) ++part.slot_nodes;
      } else if (two_array && any_fluid_at(at, -1, 1)) {
        part.reversing.push_back(number);
      }
    });
  }

  /// Concatenates the parts and sets the bits of fluid and plain nodes.
  void sort_nodes() {
    std::vector<Part> found(static_cast<std::size_t>(parts()));
    for_parts("knudsen/lbm_d3q27/sort_nodes",
              [&](int part) { sort_part(part, found[static_cast<std::size_t>(part)]); });
    for (Part& part : found) {
      const auto first_link = static_cast<std::uint32_t>(map.links.size());
      const auto first_face = static_cast<std::int32_t>(map.faces.size());
      for (auto& node : part.special) node.first_link += first_link;
      for (std::int32_t& face : part.link_faces) {
        if (face >= 0) face += first_face;
      }
      const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      append(map.special, part.special);
      append(map.reversing, part.reversing);
      append(map.links, part.links);
      append(map.link_faces, part.link_faces);
      append(map.faces, part.faces);
      constexpr std::size_t max_links = 0xffffffffU;
      constexpr std::size_t max_entries = 0x7fffffffU;
      if (map.links.size() > max_links || map.special.size() > max_entries ||
          map.reversing.size() > max_entries) {
        throw InputError(
            "geometry: more than 2147483647 boundary nodes or 4294967295 boundary links; use "
            "\"implicit\" walls, or fewer nodes");
      }
      map.fluid_nodes += part.fluid_nodes;
      map.slot_nodes += part.slot_nodes;
      map.isolated_nodes += part.isolated_nodes;
      part = Part();
    }
    map.fluid.assign(map.count / 32 + 1, 0);
    // Serial, because adjacent parts may share a word.
    for (int part = 0; part < parts(); ++part) {
      for_part(part, [&](const Coordinates& at) {
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
  if (!sparse && pitch * counts[1] * counts[2] > max_nodes) {
    throw InputError("domain: the grid, with padding, has more than " + number_text(max_nodes) +
                     " nodes, the limit of a dense lattice");
  }
  return {static_cast<NodeIndex>(counts[0]), static_cast<NodeIndex>(counts[1]),
          static_cast<NodeIndex>(counts[2]), static_cast<NodeIndex>(pitch)};
}

bool needs_wide_numbers(std::uint64_t nodes, IndexWidth width) {
  const bool fits = static_cast<double>(nodes) <= max_nodes;
  if (width == IndexWidth::narrow && !fits) {
    throw InputError("tuning.indices: \"32-bit\" indices cannot number the " +
                     std::to_string(nodes) + " nodes of the lattice");
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

void require_slot_owners(const NodeMap& map) {
  const auto upstream = [&](int at, int velocity, NodeIndex count) {
    const int n = static_cast<int>(count);
    return (at - velocity + n) % n;
  };
  int shared = 0;
  Kokkos::parallel_reduce(
      "knudsen/lbm_d3q27/require_slot_owners",
      Kokkos::RangePolicy<HostExecutionSpace>(0, map.nodes[2]),
      [&](int z, int& found) {
        for (int y = 0; y < map.nodes[1]; ++y) {
          for (int x = 0; x < map.nodes[0]; ++x) {
            const std::uint64_t n = map.index(x, y, z);
            if (!map.is_fluid(n) || ((map.plain[n / 32] >> (n % 32)) & 1) != 0) continue;
            const auto node = std::lower_bound(
                map.special.begin(), map.special.end(), n,
                [](const auto& entry, std::uint64_t number) { return entry.node < number; });
            for (int q = 1; q < D3Q27::populations; ++q) {
              if (((node->cut >> q) & 1) == 0) continue;
              const std::uint64_t other =
                  map.index(upstream(x, D3Q27::velocity(q, 0), map.extents.nx),
                            upstream(y, D3Q27::velocity(q, 1), map.extents.ny),
                            upstream(z, D3Q27::velocity(q, 2), map.extents.nz));
              if (map.is_fluid(other)) ++found;
            }
          }
        }
      },
      shared);
  if (shared > 0) {
    throw std::logic_error("lbm_d3q27: " + std::to_string(shared) +
                           " cut links lead to fluid nodes, which own their slots");
  }
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
