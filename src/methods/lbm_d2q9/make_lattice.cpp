#include "methods/lbm_d2q9/make_lattice.hpp"

#include <algorithm>

#include "device/instantiate.hpp"

namespace knudsen::lbm_d2q9 {

template <class ExecutionSpace>
Tuning default_tuning(Propagation propagation, std::size_t bytes_per_value) {
  Tuning tuning;
  if constexpr (is_host_backend<ExecutionSpace>) {
    // Whole rows; the shared-memory scheme takes shorter segments, whose scratch fits in L1.
    tuning = {propagation == Propagation::shared_memory ? 1024 : 16384, 1, 1};
  } else {
    // 16 bytes per access, or 32 where registers allow. Small teams, because a team waits for its
    // slowest node.
    if (bytes_per_value == sizeof(float)) {
      tuning = {512, 128, 4};
    } else if (propagation == Propagation::two_array) {
      tuning = {256, 64, 4};
    } else {
      tuning = {256, 128, 2};
    }
  }
  return tuning;
}

namespace {

bool is_plain(const NodeMap& map, int x, int y) {
  return map.node_class[map.extents.node(x, y)] == 0 && x > 0 && x + 1 < map.extents.nx;
}

bool is_solid(const NodeMap& map, int x, int y) {
  return map.classes[map.node_class[map.extents.node(x, y)]].kind == NodeKind::solid;
}

bool is_special(const NodeMap& map, int x, int y) {
  return !is_solid(map, x, y) && !is_plain(map, x, y);
}

/// Uploads the bits of plain and solid nodes and the list of special nodes.
template <class ExecutionSpace, class Real>
void sort_nodes(const NodeMap& map, Lattice<ExecutionSpace, Real>& lattice) {
  const Extents& extents = map.extents;
  lattice.plain = View<std::uint32_t*, ExecutionSpace>("plain nodes", extents.nodes() / 32);
  lattice.solid = View<std::uint32_t*, ExecutionSpace>("solid nodes", extents.nodes() / 32);
  auto plain = Kokkos::create_mirror_view(lattice.plain);
  auto solid = Kokkos::create_mirror_view(lattice.solid);
  std::vector<SpecialNode> special;
  std::vector<std::int32_t> special_begin;
  for (int y = 0; y < extents.ny; ++y) {
    for (int x = 0; x < extents.nx; ++x) {
      if (x % lattice.segment == 0) special_begin.push_back(static_cast<int>(special.size()));
      const std::size_t node = extents.node(x, y);
      const std::uint32_t bit = std::uint32_t{1} << (node % 32);
      if (is_plain(map, x, y)) plain(node / 32) |= bit;
      if (is_solid(map, x, y)) solid(node / 32) |= bit;
      if (is_special(map, x, y)) special.push_back({x, map.node_class[node]});
    }
  }
  special_begin.push_back(static_cast<int>(special.size()));
  Kokkos::deep_copy(lattice.plain, plain);
  Kokkos::deep_copy(lattice.solid, solid);
  lattice.special = View<SpecialNode*, ExecutionSpace>("special nodes", special.size());
  Kokkos::deep_copy(lattice.special, HostView<const SpecialNode*>(special.data(), special.size()));
  lattice.special_begin =
      View<std::int32_t*, ExecutionSpace>("first special nodes", special_begin.size());
  Kokkos::deep_copy(lattice.special_begin,
                    HostView<const std::int32_t*>(special_begin.data(), special_begin.size()));
}

/// Uploads the class of each node and the classes.
template <class ExecutionSpace, class Real>
void add_classes(const NodeMap& map, Lattice<ExecutionSpace, Real>& lattice) {
  lattice.node_class = View<std::uint16_t*, ExecutionSpace>("node classes", map.extents.nodes());
  Kokkos::deep_copy(lattice.node_class,
                    HostView<const std::uint16_t*>(map.node_class.data(), map.extents.nodes()));
  lattice.classes = View<NodeClass<Real>*, ExecutionSpace>("classes", map.classes.size());
  auto classes = Kokkos::create_mirror_view(lattice.classes);
  for (std::size_t i = 0; i < map.classes.size(); ++i) {
    const NodeClass<double>& from = map.classes[i];
    NodeClass<Real>& to = classes(i);
    to.kind = from.kind;
    to.interpolated = from.interpolated;
    to.slips = from.slips;
    to.open_side = from.open_side;
    to.open_corner = from.open_corner;
    to.publish_sides = from.publish_sides;
    to.publish_corners = from.publish_corners;
    to.cut = from.cut;
    to.solid_slip = from.solid_slip;
    for (int q = 0; q < 9; ++q) {
      to.correction[q] = static_cast<Real>(from.correction[q]);
      to.wall_distance[q] = static_cast<Real>(from.wall_distance[q]);
    }
    for (int side = 0; side < side_count; ++side) {
      to.mirrored[side] = static_cast<Real>(from.mirrored[side]);
    }
  }
  Kokkos::deep_copy(lattice.classes, classes);
  lattice.slip_classes =
      View<lbm::SlipClass<Real, 2>*, ExecutionSpace>("slip classes", map.slip_classes.size());
  auto slip_classes = Kokkos::create_mirror_view(lattice.slip_classes);
  for (std::size_t i = 0; i < map.slip_classes.size(); ++i) {
    slip_classes(i) = lbm::rounded<Real>(map.slip_classes[i]);
  }
  Kokkos::deep_copy(lattice.slip_classes, slip_classes);
  lattice.scalar_classes =
      View<ScalarClass<Real>*, ExecutionSpace>("scalar classes", map.scalar_classes.size());
  auto scalars = Kokkos::create_mirror_view(lattice.scalar_classes);
  for (std::size_t i = 0; i < map.scalar_classes.size(); ++i) {
    const ScalarClass<double>& from = map.scalar_classes[i];
    for (int q = 0; q < D2Q5::populations; ++q) {
      scalars(i).factor[q] = static_cast<Real>(from.factor[q]);
      scalars(i).addition[q] = static_cast<Real>(from.addition[q]);
      scalars(i).share[q] = {static_cast<Real>(from.share[q].of_value),
                             static_cast<Real>(from.share[q].carried)};
    }
    scalars(i).capacity = static_cast<Real>(from.capacity);
    scalars(i).antisymmetric_rate = static_cast<Real>(from.antisymmetric_rate);
    scalars(i).symmetric_rate = static_cast<Real>(from.symmetric_rate);
    scalars(i).cut = from.cut;
    scalars(i).conducts = from.conducts;
    scalars(i).shares = from.shares;
  }
  Kokkos::deep_copy(lattice.scalar_classes, scalars);
  lattice.conducting =
      View<ConductingNode*, ExecutionSpace>("conducting nodes", map.conducting.size());
  Kokkos::deep_copy(lattice.conducting,
                    HostView<const ConductingNode*>(map.conducting.data(), map.conducting.size()));
}

/// Uploads the values of open sides and allocates what their nodes exchange.
template <class ExecutionSpace, class Real>
OpenBoundaries<ExecutionSpace, Real> make_open_boundaries(const NodeMap& map) {
  OpenBoundaries<ExecutionSpace, Real> open;
  std::copy(map.open_kind.begin(), map.open_kind.end(), open.kind);
  open.longest = map.longest;
  const std::size_t side_nodes = map.open_values.size();
  open.values = View<Real* [3], ExecutionSpace>("open values", side_nodes);
  auto values_host = Kokkos::create_mirror_view(open.values);
  for (std::size_t i = 0; i < side_nodes; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      values_host(i, c) = static_cast<Real>(map.open_values[i][c]);
    }
  }
  Kokkos::deep_copy(open.values, values_host);
  open.published = View<Real** [3], ExecutionSpace>("published", 2, side_nodes);
  open.corners = View<Real* [4][3], ExecutionSpace>("corners", 2);
  return open;
}

/// Nodes of a segment. On a GPU a thread takes one whole chunk, so that every chunk is aligned.
template <class ExecutionSpace>
int segment_length(const Tuning& tuning, int nx) {
  const int segment = std::min(tuning.segment, nx);
  if (is_host_backend<ExecutionSpace>) return segment;
  const int width = tuning.nodes_per_thread;
  return std::min((segment + width - 1) / width, tuning.team_size) * width;
}

}  // namespace

template <class ExecutionSpace, class Real>
Lattice<ExecutionSpace, Real> make_lattice(const NodeMap& map, Propagation propagation,
                                           const Tuning& tuning) {
  require_slot_owners(map);
  Lattice<ExecutionSpace, Real> lattice;
  lattice.extents = map.extents;
  const std::size_t values = map.planes() * map.extents.plane();
  lattice.populations = View<Real*, ExecutionSpace>("populations", values);
  if (propagation != Propagation::in_place) {
    lattice.next = View<Real*, ExecutionSpace>("next populations", values);
  }
  add_classes(map, lattice);
  lattice.open = make_open_boundaries<ExecutionSpace, Real>(map);
  lattice.segment = segment_length<ExecutionSpace>(tuning, map.extents.nx);
  lattice.segments_per_row = (map.extents.nx + lattice.segment - 1) / lattice.segment;
  sort_nodes(map, lattice);
  return lattice;
}

std::uint64_t lattice_bytes(const NodeMap& map, Propagation propagation,
                            std::size_t bytes_per_value) {
  const std::uint64_t arrays = propagation == Propagation::in_place ? 1 : 2;
  std::uint64_t special = 0;
  for (int y = 0; y < map.extents.ny; ++y) {
    for (int x = 0; x < map.extents.nx; ++x) special += is_special(map, x, y) ? 1 : 0;
  }
  const std::uint64_t per_class =
      bytes_per_value == sizeof(float) ? sizeof(NodeClass<float>) : sizeof(NodeClass<double>);
  return arrays * map.planes() * map.extents.plane() * bytes_per_value +
         map.extents.nodes() * sizeof(std::uint16_t) + map.extents.nodes() / 4 +
         special * sizeof(SpecialNode) + map.classes.size() * per_class +
         map.slip_classes.size() * 36 * bytes_per_value +
         map.conducting.size() * sizeof(ConductingNode) +
         map.open_values.size() * 9 * bytes_per_value;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                            \
  template Lattice<ExecutionSpace, Real> make_lattice<ExecutionSpace, Real>( \
      const NodeMap&, Propagation, const Tuning&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)
template Tuning default_tuning<HostExecutionSpace>(Propagation, std::size_t);
#ifdef KOKKOS_ENABLE_CUDA
template Tuning default_tuning<DeviceExecutionSpace>(Propagation, std::size_t);
#endif

}  // namespace knudsen::lbm_d2q9
