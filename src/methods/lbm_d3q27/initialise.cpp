#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/lattice_part.hpp"
#include "methods/lbm_d3q27/node_reader.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

template <class LatticeType>
struct Initialise {
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;

  LatticeType lattice;
  InitialFlow flow;
  GivenFlow<typename LatticeType::Execution> given;
  Real omega;
  Real force[3];
  View<std::uint64_t*, typename LatticeType::Execution> places;  ///< dense numbers of sparse nodes
  std::uint64_t first_place;  ///< dense number of the first node of a dense lattice
  bool twins;                 ///< fill the second slots of the links, and the memory of open sides

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto n = static_cast<NodeIndex>(index);
    if (!LatticeType::bit(lattice.fluid, n)) return;
    const Extents& extents = lattice.extents;
    const std::uint64_t place = lattice.sparse ? places.data()[n] : first_place + n;
    const std::uint64_t row = place / extents.pitch;
    const int at[3] = {static_cast<int>(place - row * extents.pitch),
                       static_cast<int>(row % extents.ny), static_cast<int>(row / extents.ny)};
    Real g[Velocities::populations];
    FlowState3D<double> state = flow.at(at[0], at[1], at[2]);
    if (given.values.extent(0) == 0) {
      initial_populations<Velocities>(flow, at[0], at[1], at[2], omega, force, g);
    } else {
      state = given.at(at);
      double gradient[3][3];
      given.set_gradient(at, gradient);
      initial_populations<Velocities>(state, gradient, omega, force, g);
    }
    lattice.with_stencil(n, [&](const auto& stencil) {
      for (int q = 0; q < Velocities::populations; ++q) {
        lattice.populations.data()[incoming_slot(lattice, stencil, 0, q, twins)] =
            static_cast<Storage>(g[twins ? Velocities::opposite(q) : q]);
      }
    });
    if (!twins || lattice.faces.extent(0) == 0 || LatticeType::bit(lattice.plain, n)) return;
    const auto& boundary = lattice.special_node(n);
    std::uint32_t link = boundary.first_link;
    for (std::uint32_t cut = boundary.cut; cut != 0; cut &= cut - 1, ++link) {
      const std::int32_t face = lattice.face_of(link);
      if (face < 0) continue;
      const int side = lattice.faces.data()[face].side;
      FaceMemory<Real>& memory = lattice.face_memory.data()[face];
      memory.density_deviation = memory.mean_density_deviation =
          static_cast<Real>(state.density_deviation);
      for (int a = 0; a < 3; ++a) memory.velocity[a] = static_cast<Real>(state.velocity[a]);
      memory.mean_normal_velocity = Real(normal_of(side)) * memory.velocity[axis_of(side)];
      for (int i = 0; i < 2; ++i) {
        memory.mean_along[i] = memory.velocity[axis_along(side, i)];
        memory.mean_shear[i] = 0;
      }
    }
  }
};

}  // namespace

template <class LatticeType>
void initialise(const ContextOf<LatticeType>& context, LatticeType& lattice, const NodeMap& map,
                const LatticePart& part, const InitialFlow& flow,
                const GivenFlow<typename LatticeType::Execution>& given,
                const std::function<void(bool twins)>& after_slots) {
  using ExecutionSpace = typename LatticeType::Execution;
  View<std::uint64_t*, ExecutionSpace> places("places of nodes", map.sparse ? lattice.owned : 0);
  if (map.sparse) {
    const auto host = Kokkos::create_mirror_view(places);
    for (std::size_t dense = 0; dense < map.number.size(); ++dense) {
      const std::uint64_t n = part.number_of(map.number[dense]);
      if (n != NodeMap::none) host(n) = dense;
    }
    Kokkos::deep_copy(places, host);
  }
  Kokkos::deep_copy(lattice.populations, typename LatticeType::Storage{});
  for (const bool twins : {true, false}) {
    const auto& parameters = context.parameters;
    for_nodes(
        "knudsen/lbm_d3q27/initialise", context, lattice,
        Initialise<LatticeType>{lattice,
                                flow,
                                given,
                                parameters.relaxation_rate,
                                {parameters.force[0], parameters.force[1], parameters.force[2]},
                                places,
                                part.slab().first_node(),
                                twins});
    context.execution.fence();
    after_slots(twins);
  }
}

#define KNUDSEN_INSTANTIATE(...)                                                        \
  template void initialise(const ContextOf<__VA_ARGS__>&, __VA_ARGS__&, const NodeMap&, \
                           const LatticePart&, const InitialFlow&,                      \
                           const GivenFlow<typename __VA_ARGS__::Execution>&,           \
                           const std::function<void(bool)>&);
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
