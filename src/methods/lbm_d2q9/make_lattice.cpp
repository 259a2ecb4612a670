#include "methods/lbm_d2q9/make_lattice.hpp"

#include <algorithm>

#include "core/instantiate.hpp"

namespace knudsen::lbm_d2q9 {

template <class ExecutionSpace>
Tuning default_tuning(Propagation propagation, std::size_t bytes_per_value) {
  Tuning tuning;
  if constexpr (is_host_backend<ExecutionSpace>) {
    // Whole rows up to what keeps the scratch rows of the shared-memory scheme in the L1 cache.
    tuning = {propagation == Propagation::shared_memory ? 1024 : 16384, 1, 1};
  } else {
    tuning = {256, 256, 1};
  }
  static_cast<void>(bytes_per_value);
  return tuning;
}

template <class ExecutionSpace, class Real>
Lattice<ExecutionSpace, Real> make_lattice(const NodeMap& map, Propagation propagation,
                                           const Tuning& tuning) {
  Lattice<ExecutionSpace, Real> lattice;
  const Extents& extents = map.extents;
  lattice.extents = extents;
  const std::size_t values = 9 * extents.plane();
  lattice.populations = View<Real*, ExecutionSpace>("populations", values);
  if (propagation != Propagation::in_place) {
    lattice.next = View<Real*, ExecutionSpace>("next populations", values);
  }

  lattice.node_class = View<std::uint16_t*, ExecutionSpace>("node classes", extents.nodes());
  Kokkos::deep_copy(lattice.node_class,
                    HostView<const std::uint16_t*>(map.node_class.data(), extents.nodes()));

  lattice.classes = View<NodeClass<Real>*, ExecutionSpace>("classes", map.classes.size());
  auto classes = Kokkos::create_mirror_view(lattice.classes);
  for (std::size_t i = 0; i < map.classes.size(); ++i) {
    const NodeClass<double>& from = map.classes[i];
    NodeClass<Real>& to = classes(i);
    to.kind = from.kind;
    to.interpolated = from.interpolated;
    to.open_side = from.open_side;
    to.open_corner = from.open_corner;
    to.publish_sides = from.publish_sides;
    to.publish_corners = from.publish_corners;
    to.cut = from.cut;
    for (int q = 0; q < 9; ++q) {
      to.correction[q] = static_cast<Real>(from.correction[q]);
      to.wall_distance[q] = static_cast<Real>(from.wall_distance[q]);
    }
  }
  Kokkos::deep_copy(lattice.classes, classes);

  OpenBoundaries<ExecutionSpace, Real>& open = lattice.open;
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

  lattice.segment = std::min(tuning.segment, extents.nx);
  lattice.segments_per_row = (extents.nx + lattice.segment - 1) / lattice.segment;
  lattice.segment_plain = View<std::uint8_t*, ExecutionSpace>(
      "plain segments",
      static_cast<std::size_t>(extents.ny) * static_cast<std::size_t>(lattice.segments_per_row));
  auto plain = Kokkos::create_mirror_view(lattice.segment_plain);
  for (int y = 0; y < extents.ny; ++y) {
    for (int s = 0; s < lattice.segments_per_row; ++s) {
      const auto row = map.node_class.begin() + static_cast<std::ptrdiff_t>(extents.node(0, y));
      const int begin = std::max(1, s * lattice.segment);
      const int end = std::min(extents.nx - 1, (s + 1) * lattice.segment);
      const bool all_plain =
          begin >= end || std::all_of(row + begin, row + end, [](auto c) { return c == 0; });
      plain(static_cast<std::size_t>(y) * static_cast<std::size_t>(lattice.segments_per_row) +
            static_cast<std::size_t>(s)) = all_plain ? 1 : 0;
    }
  }
  Kokkos::deep_copy(lattice.segment_plain, plain);
  return lattice;
}

std::uint64_t lattice_bytes(const NodeMap& map, Propagation propagation,
                            std::size_t bytes_per_value) {
  const std::uint64_t arrays = propagation == Propagation::in_place ? 1 : 2;
  const std::uint64_t per_class =
      bytes_per_value == sizeof(float) ? sizeof(NodeClass<float>) : sizeof(NodeClass<double>);
  return arrays * 9 * map.extents.plane() * bytes_per_value +
         map.extents.nodes() * sizeof(std::uint16_t) + map.classes.size() * per_class +
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
