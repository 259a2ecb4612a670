#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/lattice_part.hpp"
#include "methods/lbm_d3q27/node_reader.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

template <class LatticeType>
struct Initialise {
  using Velocities = typename LatticeType::Velocities;
  using Flow = FlowOf<Velocities>;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;

  LatticeType lattice;
  InitialFlow flow;
  GivenFlow<typename LatticeType::Execution> given;
  double scalar;  ///< where none is given
  ParametersIn<LatticeType> parameters;
  View<std::uint64_t*, typename LatticeType::Execution> places;  ///< dense numbers of sparse nodes
  std::uint64_t first_place;  ///< dense number of the first node of a dense lattice
  bool twins;                 ///< fill the second slots of the links, and the memory of open sides

  KOKKOS_INLINE_FUNCTION double scalar_at(const int (&at)[3]) const {
    return given.scalar.extent(0) > 0 ? given.scalar(given.index(at)) : scalar;
  }
  /// The parameters of the flow at a node, with its buoyancy.
  KOKKOS_INLINE_FUNCTION CollisionParameters<Real> parameters_at(const int (&at)[3]) const {
    if constexpr (has_scalar<Velocities>) {
      return parameters.at(static_cast<Real>(scalar_at(at)));
    } else {
      return parameters;
    }
  }

  /// What must have gone out over a cut link so that h comes in.
  KOKKOS_INLINE_FUNCTION Real sent_for(Real h, std::uint32_t link, int q, const int (&at)[3],
                                       const double (&velocity)[3]) const {
    const ScalarLink<Real>& at_wall = lattice.scalar_links.data()[link];
    // Where exchange leaves nothing of what went out, that has no effect.
    if (at_wall.factor == Real(0)) return h;
    double inward = 0;
    for (int a = 0; a < 3; ++a) inward += Flow::velocity(q, a) * velocity[a];
    if (lattice.face_of(link) < 0 || at_wall.factor != Real(1)) {
      if (lattice.scalar_shares.extent(0) > 0) {
        const ScalarShare<Real> share = lattice.scalar_shares.data()[link];
        h -= static_cast<Real>((double(share.of_value) + double(share.carried) * inward) *
                               scalar_at(at));
      }
      return (h - at_wall.addition) / at_wall.factor;
    }
    return h - static_cast<Real>(inward * scalar_at(at));
  }

  /// Stores the populations of the scalar. What a wall returns in the first step makes the scalar
  /// beside it the given one.
  template <class Stencil>
  KOKKOS_INLINE_FUNCTION void store_scalar(NodeIndex n, const Stencil& stencil, const int (&at)[3],
                                           const double (&velocity)[3]) const {
    using Scalar = WholeOf<typename Velocities::Scalar>;
    double gradient[3] = {0, 0, 0};
    if (given.scalar.extent(0) > 0) given.set_scalar_gradient(at, gradient);
    Real h[Scalar::populations];
    initial_scalar<Scalar>(scalar_at(at), velocity, gradient,
                           static_cast<double>(parameters.scalar.antisymmetric_rate),
                           static_cast<double>(parameters.scalar.weight),
                           static_cast<double>(parameters.scalar.rest_weight), h);
    const bool plain = LatticeType::bit(lattice.plain, n);
    const BoundaryNode boundary = plain ? BoundaryNode{} : lattice.special_node(n);
    std::uint32_t link = boundary.first_link;
    for (int q = 0; q < Scalar::populations; ++q) {
      Real value = h[twins ? Scalar::opposite(q) : q];
      if (((boundary.cut >> q) & 1) != 0) {
        const bool passes = ((boundary.passes >> q) & 1) != 0;
        if (twins && !passes) value = sent_for(h[q], link, q, at, velocity);
        ++link;
      }
      set_incoming_scalar(lattice, stencil, 0, q, twins, value);
    }
  }

  /// The same of a node in a solid that conducts.
  template <class Stencil>
  KOKKOS_INLINE_FUNCTION void store_in_solid(const ConductingNode& node, const Stencil& stencil,
                                             const int (&at)[3]) const {
    using Scalar = WholeOf<typename Velocities::Scalar>;
    const SolidScalar<Real>& solid = lattice.conducting_solids.data()[node.body];
    const auto weight = static_cast<double>(solid.parameters.weight);
    double gradient[3] = {0, 0, 0};
    given.set_scalar_gradient(at, gradient);
    Real h[Scalar::populations];
    initial_scalar<Scalar>(scalar_at(at), {0, 0, 0}, gradient,
                           static_cast<double>(solid.parameters.antisymmetric_rate), weight,
                           static_cast<double>(solid.capacity) - (Scalar::populations - 1) * weight,
                           h);
    const ScalarLink<Real>* link = lattice.conducting_links.data() + node.first_link;
    for (int q = 0; q < Scalar::populations; ++q) {
      Real value = h[twins ? Scalar::opposite(q) : q];
      if (((node.cut >> q) & 1) != 0) {
        if (twins) value = link->factor == Real(0) ? h[q] : (h[q] - link->addition) / link->factor;
        ++link;
      }
      if (q == 0) value /= rest_in_solid(lattice, node);
      set_incoming_scalar(lattice, stencil, 0, q, twins, value);
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto n = static_cast<NodeIndex>(index);
    const bool fluid = LatticeType::bit(lattice.fluid, n);
    const ConductingNode* const conducting = fluid ? nullptr : lattice.conducting_node(n);
    if (!fluid && conducting == nullptr) return;
    const Extents& extents = lattice.extents;
    const std::uint64_t place = lattice.sparse ? places.data()[n] : first_place + n;
    const std::uint64_t row = place / extents.pitch;
    const int at[3] = {static_cast<int>(place - row * extents.pitch),
                       static_cast<int>(row % extents.ny), static_cast<int>(row / extents.ny)};
    if constexpr (has_scalar<Velocities>) {
      if (conducting != nullptr) {
        lattice.with_stencil(
            n, [&](const auto& stencil) { store_in_solid(*conducting, stencil, at); });
        return;
      }
    }
    FlowState3D<double> state = flow.at(at[0], at[1], at[2]);
    if (given.values.extent(0) > 0) state = given.at(at);
    const CollisionParameters<Real> local = parameters_at(at);
    const Real omega = local.relaxation_rate;
    Real g[Flow::populations];
    if (given.values.extent(0) == 0) {
      initial_populations<Flow>(flow, at[0], at[1], at[2], omega, local.force, g);
    } else {
      double gradient[3][3];
      given.set_gradient(at, gradient);
      initial_populations<Flow>(state, gradient, omega, local.force, g);
    }
    lattice.with_stencil(n, [&](const auto& stencil) {
      for_populations<Flow>([&](auto q) {
        lattice.populations.data()[incoming_slot(lattice, stencil, 0, q, twins)] =
            static_cast<Storage>(g[twins ? Flow::opposite(q) : q]);
      });
      if constexpr (has_scalar<Velocities>) store_scalar(n, stencil, at, state.velocity);
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
                const GivenFlow<typename LatticeType::Execution>& given, double scalar,
                const std::function<void(bool twins)>& after_slots) {
  using ExecutionSpace = typename LatticeType::Execution;
  View<std::uint64_t*, ExecutionSpace> places("places of nodes", map.sparse ? lattice.owned : 0);
  if (map.sparse) {
    const auto host = Kokkos::create_mirror_view(places);
    map.number.for_planes(part.axis(), map.cut.own_begin(), map.cut.own_end(),
                          [&](const std::array<int, 3>& at, std::uint64_t number) {
                            host(number) = map.whole.node(static_cast<NodeIndex>(at[0]),
                                                          static_cast<NodeIndex>(at[1]),
                                                          static_cast<NodeIndex>(at[2]));
                          });
    Kokkos::deep_copy(places, host);
  }
  Kokkos::deep_copy(lattice.populations, typename LatticeType::Storage{});
  for (const bool twins : {true, false}) {
    for_nodes("knudsen/lbm_d3q27/initialise", context, lattice,
              Initialise<LatticeType>{lattice, flow, given, scalar, context.parameters, places,
                                      part.slab().first_node(), twins});
    context.execution.fence();
    after_slots(twins);
  }
}

#define KNUDSEN_INSTANTIATE(...)                                                        \
  template void initialise(const ContextOf<__VA_ARGS__>&, __VA_ARGS__&, const NodeMap&, \
                           const LatticePart&, const InitialFlow&,                      \
                           const GivenFlow<typename __VA_ARGS__::Execution>&, double,   \
                           const std::function<void(bool)>&);
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
