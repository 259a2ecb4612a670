#include "methods/lbm_d3q27/make_lattice.hpp"

#include "methods/lbm_d3q27/instantiate.hpp"

namespace knudsen::lbm_d3q27 {

template <class LatticeType>
Tuning default_tuning(bool sparse) {
  if constexpr (is_host_backend<typename LatticeType::Execution>) {
    static_cast<void>(sparse);
    return {8192, 1};
  } else {
    const auto whole = [](auto launch) -> Tuning {
      return {launch.threads * launch.nodes, launch.threads};
    };
    using Precision = typename LatticeType::Precision;
    using Velocities = typename LatticeType::Velocities;
    return sparse ? whole(Launch<Precision, Velocities, true>{})
                  : whole(Launch<Precision, Velocities, false>{});
  }
}

template <class LatticeType>
LatticeType make_lattice(const NodeMap& map, Propagation propagation, const Tuning& tuning) {
  using ExecutionSpace = typename LatticeType::Execution;
  using Real = typename LatticeType::Real;
  LatticeType lattice;
  lattice.propagation = propagation;
  lattice.sparse = map.sparse;
  lattice.extents = map.extents;
  lattice.nodes = map.count;
  lattice.layout = LatticeType::Layout::make(map.count);
  const std::size_t values = lattice.layout.size(map.count);
  using Populations = decltype(lattice.populations);
  lattice.populations = Populations("populations", values);
  if (propagation == Propagation::two_array) lattice.next = Populations("next populations", values);

  const auto upload = [](const std::string& name, const auto& from, auto& to) {
    using Value = typename std::decay_t<decltype(from)>::value_type;
    to = View<Value*, ExecutionSpace>(name, from.size());
    Kokkos::deep_copy(to, HostView<const Value*>(from.data(), from.size()));
  };
  upload("next along x", map.next_x, lattice.next_x);
  upload("next along y", map.next_y, lattice.next_y);
  upload("next along z", map.next_z, lattice.next_z);
  upload("nodes in rows", map.in_row, lattice.in_row);
  upload("plain nodes", map.plain, lattice.plain);
  upload("fluid nodes", map.fluid, lattice.fluid);
  upload("special nodes", map.special, lattice.special);

  lattice.segment = static_cast<NodeIndex>(tuning.segment);
  lattice.segments =
      static_cast<int>((std::uint64_t{map.count} + lattice.segment - 1) / lattice.segment);
  std::vector<std::int32_t> special_begin(static_cast<std::size_t>(lattice.segments) + 1, 0);
  for (const BoundaryNode& node : map.special) ++special_begin[node.node / lattice.segment + 1];
  for (std::size_t i = 1; i < special_begin.size(); ++i) special_begin[i] += special_begin[i - 1];
  upload("first special nodes", special_begin, lattice.special_begin);

  std::vector<BoundaryLink<Real>> links;
  links.reserve(map.links.size());
  for (const BoundaryLink<double>& link : map.links) {
    links.push_back(
        {static_cast<Real>(link.correction), static_cast<Real>(link.wall_distance), link.face});
  }
  upload("boundary links", links, lattice.links);
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
  lattice.face_memory = View<FaceMemory<Real>*, ExecutionSpace>("flow at open faces", faces.size());
  return lattice;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Precision, Velocities)                          \
  template Tuning default_tuning<Lattice<ExecutionSpace, Precision, Velocities>>(bool);     \
  template Lattice<ExecutionSpace, Precision, Velocities>                                   \
  make_lattice<Lattice<ExecutionSpace, Precision, Velocities>>(const NodeMap&, Propagation, \
                                                               const Tuning&);
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
