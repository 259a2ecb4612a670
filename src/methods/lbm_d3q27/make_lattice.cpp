#include "methods/lbm_d3q27/make_lattice.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "methods/lbm_d3q27/instantiate.hpp"

namespace knudsen::lbm_d3q27 {

template <class LatticeType>
Tuning default_tuning(bool sparse) {
  if constexpr (is_host_backend<typename LatticeType::Execution>) {
    static_cast<void>(sparse);
    return {8192, 1};
  } else {
    const auto whole = [](auto launch) -> Tuning {
      return {launch.threads * launch.nodes, launch.threads, 65536};
    };
    using Precision = typename LatticeType::Precision;
    using Velocities = typename LatticeType::Velocities;
    return sparse ? whole(Launch<Precision, Velocities, true>{})
                  : whole(Launch<Precision, Velocities, false>{});
  }
}

namespace {

/// Strips of equal height with about `strip_nodes` nodes per layer. If the layers are smaller there
/// are none, but for a part of a lattice one, since its end layers are traversed first; not for
/// layers of few teams, of which one more would work on each.
Strips cut_into_strips(const NodeMap& map, const Tuning& tuning) {
  const Extents& extents = map.extents;
  Strips strips;
  const std::uint64_t layer = std::uint64_t{extents.pitch} * extents.ny;
  const auto wanted = static_cast<std::uint64_t>(tuning.strip_nodes);
  const auto segment = static_cast<std::uint64_t>(tuning.segment);
  const bool small = 2 * layer < 3 * wanted;
  const bool in_order = small && (map.cut.ranks() == 1 || layer < 8 * segment);
  if (wanted == 0 || in_order) return strips;
  const std::uint64_t count = small ? 1 : (layer + wanted / 2) / wanted;
  strips.rows = static_cast<NodeIndex>((extents.ny + count - 1) / count);
  strips.count = (extents.ny + strips.rows - 1) / strips.rows;
  strips.layers = static_cast<NodeIndex>(map.owned / layer);
  const std::uint64_t of_strip = std::uint64_t{extents.pitch} * strips.rows;
  const bool whole_segments = of_strip % segment == 0 && layer % segment == 0;
  strips.teams =
      static_cast<NodeIndex>((of_strip + segment - 1) / segment + (whole_segments ? 0 : 1));
  return strips;
}

/// Sets the lattice's properties of links and returns the first link of each segment, and the end.
template <class LatticeType>
std::vector<std::uint32_t> describe_links(const NodeMap& map, std::uint64_t segment,
                                          std::uint64_t segments, LatticeType& lattice) {
  for (const auto& link : map.links) {
    lattice.interpolated = lattice.interpolated || link.wall_distance >= 0;
    lattice.moving_walls = lattice.moving_walls || link.correction != 0;
  }
  std::vector<std::uint32_t> begin(segments + 1, static_cast<std::uint32_t>(map.links.size()));
  for (auto node = map.special.rbegin(); node != map.special.rend(); ++node) {
    begin[node->node / segment] = node->first_link;
  }
  for (std::size_t i = segments; i > 0; --i) {
    begin[i - 1] = std::min(begin[i - 1], begin[i]);
    lattice.max_links = std::max(lattice.max_links, static_cast<int>(begin[i] - begin[i - 1]));
  }
  return begin;
}

/// Copies a list of the host to a new view of the lattice.
template <class ViewType, class List>
void upload(const std::string& name, const List& from, ViewType& to) {
  using Value = typename List::value_type;
  to = ViewType(name, from.size());
  Kokkos::deep_copy(to, HostView<const Value*>(from.data(), from.size()));
}

/// Cuts the owned nodes of each plane into segments to be summed.
std::vector<NodeRange> cut_sums(const NodeMap& map) {
  constexpr NodeIndex max_nodes = 4096;
  std::vector<NodeRange> segments;
  const auto add = [&](NodeIndex begin, NodeIndex end) {
    for (; begin < end; begin += std::min(max_nodes, end - begin)) {
      segments.push_back({begin, begin + std::min(max_nodes, end - begin)});
    }
  };
  if (map.sparse) {
    const auto planes = static_cast<std::size_t>(map.cut.planes());
    for (auto plane = map.cut.own_begin(); plane < map.cut.own_end(); ++plane) {
      for (auto part = static_cast<std::size_t>(plane); part < map.part_begin.size();
           part += planes) {
        const NodeIndex nodes = map.whole_begin[part + 1] - map.whole_begin[part];
        add(map.part_begin[part], map.part_begin[part] + nodes);
      }
    }
  } else {
    const NodeIndex layer = map.extents.pitch * map.extents.ny;
    for (NodeIndex begin = 0; begin < map.owned; begin += layer) add(begin, begin + layer);
  }
  return segments;
}

/// Allocates the populations and uploads neighbours and kinds of nodes.
template <class LatticeType>
void add_nodes(const NodeMap& map, Propagation propagation, LatticeType& lattice) {
  using Populations = decltype(lattice.populations);
  lattice.propagation = propagation;
  lattice.sparse = map.sparse;
  lattice.extents = map.extents;
  lattice.nodes = static_cast<NodeIndex>(map.count);
  lattice.owned = static_cast<NodeIndex>(map.owned);
  lattice.end_planes = static_cast<NodeIndex>(map.end_planes);
  lattice.layout = LatticeType::Layout::make(map.count);
  const std::size_t values = lattice.layout.size(map.count);
  lattice.populations = Populations("populations", values);
  if (propagation == Propagation::two_array) lattice.next = Populations("next populations", values);
  const UpperNeighbours next(map);
  upload("next along the row", next.first.values(), lattice.next_first);
  upload("next row", next.second.values(), lattice.next_second);
  upload("next plane", next.third.values(), lattice.next_third);
  lattice.first_axis = map.first_axis;
  upload("nodes in rows", next.in_row, lattice.in_row);
  upload("plain nodes", map.plain, lattice.plain);
  upload("fluid nodes", map.fluid, lattice.fluid);
  upload("segments to be summed", cut_sums(map), lattice.sum_segments);
}

/// Divides the nodes into segments and teams.
template <class LatticeType>
void add_segments(const NodeMap& map, const Tuning& tuning, LatticeType& lattice) {
  lattice.segment = tuning.segment;
  const auto segment = static_cast<std::uint64_t>(tuning.segment);
  const std::uint64_t segments = (map.count + segment - 1) / segment;
  if (segments > 0x7fffffffU) {
    throw InputError("tuning.segment: the lattice has more than 2147483647 segments of " +
                     std::to_string(segment) + " nodes");
  }
  lattice.segments = static_cast<int>(segments);
  lattice.teams = lattice.segments;
  lattice.share = {0, 0, lattice.nodes};
  if (map.sparse || lattice.propagation != Propagation::esoteric_twist) return;
  lattice.strips = cut_into_strips(map, tuning);
  if (lattice.strips.rows > 0) lattice.teams = lattice.strips.all_teams();
}

/// Uploads the special and the reversing nodes.
template <class LatticeType>
void add_special_nodes(const NodeMap& map, bool walls_with_plain, LatticeType& lattice) {
  std::vector<BoundaryNode> others;
  std::vector<std::uint32_t> special_before(map.fluid.size() + 1, 0);
  for (const auto& node : map.special) {
    if (!walls_with_plain || node.kind != BoundaryKind::walls) others.push_back(node);
    ++special_before[node.node / 32 + 1];
  }
  lattice.has_walls = walls_with_plain && map.all.at_walls > 0;
  for (std::size_t i = 1; i < special_before.size(); ++i)
    special_before[i] += special_before[i - 1];
  upload("special nodes", map.special, lattice.special);
  upload("special nodes before", special_before, lattice.special_before);

  for (const NodeIndex node : map.reversing) {
    others.push_back({node, 0, 0, BoundaryKind::reversing});
  }
  std::sort(others.begin(), others.end(),
            [](const auto& a, const auto& b) { return a.node < b.node; });
  const auto segment = static_cast<std::uint64_t>(lattice.segment);
  std::vector<std::int32_t> others_begin(static_cast<std::size_t>(lattice.segments) + 1, 0);
  for (const auto& node : others) ++others_begin[node.node / segment + 1];
  for (std::size_t i = 1; i < others_begin.size(); ++i) others_begin[i] += others_begin[i - 1];
  upload("other special nodes", others, lattice.others);
  upload("first other special nodes", others_begin, lattice.others_begin);
}

/// Uploads the links of special nodes.
template <class LatticeType>
void add_links(const NodeMap& map, LatticeType& lattice) {
  using Real = typename LatticeType::Real;
  std::vector<BoundaryLink<Real>> links;
  links.reserve(map.links.size());
  for (const BoundaryLink<double>& link : map.links) {
    links.push_back({static_cast<Real>(link.correction), static_cast<Real>(link.wall_distance)});
  }
  upload("boundary links", links, lattice.links);
  const auto rounded_links = [](const std::vector<ScalarLink<double>>& from) {
    std::vector<ScalarLink<Real>> to;
    for (const ScalarLink<double>& link : from) {
      to.push_back({static_cast<Real>(link.factor), static_cast<Real>(link.addition)});
    }
    return to;
  };
  upload("links of the scalar", rounded_links(map.scalar_links), lattice.scalar_links);
  std::vector<ScalarShare<Real>> scalar_shares;
  for (const ScalarShare<double>& share : map.scalar_shares) {
    scalar_shares.push_back({static_cast<Real>(share.of_value), static_cast<Real>(share.carried)});
  }
  upload("shares of the scalar", scalar_shares, lattice.scalar_shares);
  upload("conducting nodes", map.conducting, lattice.conducting);
  upload("links of conducting nodes", rounded_links(map.conducting_links),
         lattice.conducting_links);
  std::vector<SolidScalar<Real>> solids;
  for (const SolidScalar<double>& solid : map.conducting_solids) {
    solids.push_back({rounded<Real>(solid.parameters), static_cast<Real>(solid.capacity)});
  }
  upload("conducting solids", solids, lattice.conducting_solids);
  std::vector<SlipShares<Real>> shares;
  for (const SlipShares<double>& slip : map.slip_shares) {
    std::copy(std::begin(slip.of_side), std::end(slip.of_side), shares.emplace_back().of_side);
  }
  upload("shares that walls mirror", shares, lattice.slip_shares);
  std::vector<lbm::SlipClass<Real, 3>> slips;
  slips.reserve(map.slip_classes.size());
  for (const auto& slip : map.slip_classes) slips.push_back(lbm::rounded<Real>(slip));
  upload("slip along solids", slips, lattice.slip_classes);
  if (!slips.empty()) upload("slip of links", map.link_slips, lattice.link_slips);
  const auto segment = static_cast<std::uint64_t>(lattice.segment);
  const auto segments = static_cast<std::uint64_t>(lattice.segments);
  upload("first links", describe_links(map, segment, segments, lattice), lattice.links_begin);
  lattice.interpolated = lattice.interpolated && lattice.has_walls;
  if (lattice.interpolated) {
    std::vector<Real> shares;
    shares.reserve(links.size());
    for (const BoundaryLink<Real>& link : links) {
      const Real distance = link.wall_distance;
      shares.push_back(distance < Real(0) ? distance : distance / (Real(1) + distance));
    }
    upload("shares of links", shares, lattice.wall_shares);
  }
}

/// Uploads the open sides of special nodes.
template <class LatticeType>
void add_faces(const NodeMap& map, LatticeType& lattice) {
  using Real = typename LatticeType::Real;
  if (!map.faces.empty()) upload("faces of links", map.link_faces, lattice.link_faces);
  std::vector<OpenFace<Real>> faces;
  for (const OpenFace<double>& face : map.faces) {
    OpenFace<Real> to{};
    for (int a = 0; a < 3; ++a) to.velocity[a] = static_cast<Real>(face.velocity[a]);
    to.density_deviation = static_cast<Real>(face.density_deviation);
    to.mean_rate = static_cast<Real>(face.mean_rate);
    to.kind = face.kind;
    to.side = face.side;
    faces.push_back(to);
  }
  upload("open faces", faces, lattice.faces);
  lattice.face_memory = decltype(lattice.face_memory)("flow at open faces", faces.size());
}

}  // namespace

template <class LatticeType>
LatticeType make_lattice(const NodeMap& map, Propagation propagation, const Tuning& tuning,
                         bool walls_with_plain) {
  require_slot_owners(map);
  LatticeType lattice;
  add_nodes(map, propagation, lattice);
  add_segments(map, tuning, lattice);
  add_special_nodes(map, walls_with_plain, lattice);
  add_links(map, lattice);
  add_faces(map, lattice);
  return lattice;
}

#define KNUDSEN_INSTANTIATE(...)                     \
  template Tuning default_tuning<__VA_ARGS__>(bool); \
  template __VA_ARGS__ make_lattice(const NodeMap&, Propagation, const Tuning&, bool);
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
