#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "methods/lattice/with_collision.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

namespace knudsen::lbm_d3q27 {

/// Sizes that change the speed but not the result; defaults in default_tuning().
struct Tuning {
  int segment = 0;      ///< nodes per team; on a GPU team_size times the nodes per thread
  int team_size = 1;    ///< threads per team; 1 on the host
  int strip_nodes = 0;  ///< dense, on a GPU: nodes of a layer per strip; 0: no strips
};

/// Launch bounds of a step on a GPU: maximum team size, minimum teams per multiprocessor, and nodes
/// per thread. These kernels hide memory latency by occupancy, so registers are limited in favour
/// of more threads. The numbers are the fastest of those tried on an H200.
template <class Precision, class Velocities, bool Sparse>
struct Launch {
  static constexpr bool is_double = sizeof(typename Precision::Real) == sizeof(double);
  static constexpr bool is_half = sizeof(typename Precision::Storage) == 2;
  /// A thread updates two nodes, so that accesses to 16-bit values are 32 bits wide.
  static constexpr bool pairs = is_half && !Sparse;
  static constexpr int threads = is_double || pairs || Sparse ? 128 : 256;
  /// Sparse kernels of TRT and of Smagorinsky's model need more registers than others. So does the
  /// odd step of the AA pattern, which addresses a different node for each population. A scalar
  /// needs more of them, too.
  template <class CollisionType>
  static constexpr int teams(bool odd_step, bool stores) {
    if (is_double) return Sparse && !has_scalar<Velocities> ? 4 : 3;
    if (pairs) return has_scalar<Velocities> ? 3 : 4;
    if (has_scalar<Velocities>) return Sparse ? (is_half ? 4 : 5) : 2;
    if (!Sparse) return (Velocities::populations == 27 ? 3 : 4) - (odd_step ? 1 : 0);
    if (stores) return 6;
    const bool few = !std::is_same_v<typename CollisionType::Operator, Trt> &&
                     CollisionType::eddy_viscosity != EddyViscosity::smagorinsky;
    return !is_half && few ? 8 : 7;
  }
  /// The same for kernels that also update nodes at walls, which need more registers, and those
  /// among them that store velocities.
  static constexpr int teams_at_walls(bool stores) {
    if (is_double) return 3;
    if (pairs) return has_scalar<Velocities> ? 3 : 4;
    if (!Sparse) return 2;
    if (has_scalar<Velocities>) return is_half ? 4 : 5;
    return is_half || stores ? 5 : 6;
  }
  static constexpr int nodes = pairs ? 2 : 1;
};

/// Everything that a step needs besides the lattice.
template <class ExecutionSpace, class Parameters>
struct StepContext {
  ExecutionSpace execution;
  Parameters parameters;
  std::string collision_operator = Bgk::name;
  EddyViscosity eddy_viscosity = EddyViscosity::none;
  Tuning tuning;
};

template <class LatticeType>
using ContextOf = StepContext<typename LatticeType::Execution, ParametersIn<LatticeType>>;

/// Calls body(collision) for the operator, the forces and the eddy viscosity of the context, see
/// with_collision.hpp.
template <class LatticeType, class Body>
void with_collision(const ContextOf<LatticeType>& context, const Body& body) {
  const Forcing forcing = has_force(context.parameters) ? Forcing::guo : Forcing::none;
  knudsen::with_collision<typename LatticeType::Execution, typename LatticeType::Velocities,
                          typename LatticeType::Real>(context.collision_operator, forcing,
                                                      context.eddy_viscosity, body);
}

/// What a step kernel calls on the host to update a range of the lattice's `others`; nothing on a
/// GPU, which updates them in a kernel of their own.
template <class LatticeType>
using OthersUpdate = std::conditional_t<
    is_host_backend<typename LatticeType::Execution>,
    void (*)(const LatticeType&,
             const RowCollision<typename LatticeType::Real, ParametersIn<LatticeType>>&,
             const ParametersIn<LatticeType>&, int parity, std::int32_t begin, std::int32_t end),
    std::nullptr_t>;

/// Updates the lattice's `others` on a GPU, by a kernel called `label`_others. Does nothing on the
/// host but to find the function that does it there. One function for all schemes, since their
/// special nodes differ in addresses alone, which are computed at run time.
template <bool Sparse, class LatticeType>
OthersUpdate<LatticeType> begin_others(const char* label, const ContextOf<LatticeType>& context,
                                       const LatticeType& lattice, int parity);

/// One step of a scheme: collision and propagation. `parity` is the step number modulo 2. The
/// two-array scheme swaps `lattice.populations` and `lattice.next`.
template <Propagation Scheme, bool Sparse, class LatticeType>
void step_by(const ContextOf<LatticeType>& context, LatticeType& lattice, int parity);

/// Whether a GPU can update the first and the last plane of a lattice before those between them.
template <class LatticeType>
bool has_inner_planes(const LatticeType& lattice) {
  return lattice.sparse ? lattice.end_planes > 0 : lattice.strips.layers > 2;
}
/// Lets the teams of a GPU share a range of the nodes of a sparse lattice.
template <class LatticeType>
void share_nodes(LatticeType& lattice, NodeIndex begin, NodeIndex end) {
  const auto segment = static_cast<NodeIndex>(lattice.segment);
  lattice.share = {begin / segment, begin, end};
  const NodeIndex end_segment = begin < end ? (end - 1) / segment + 1 : begin / segment;
  lattice.teams = static_cast<int>(end_segment - begin / segment);
}
/// Such a lattice, of which a step on a GPU updates these two planes and the `others` of all
/// planes, or all planes between those two.
template <class LatticeType>
LatticeType end_planes(LatticeType lattice) {
  if (lattice.sparse) {
    share_nodes(lattice, 0, lattice.end_planes);
    return lattice;
  }
  Strips& strips = lattice.strips;
  strips.layer_step = strips.layers - 1;
  strips.layers = 2;
  lattice.teams = strips.all_teams();
  return lattice;
}
template <class LatticeType>
LatticeType inner_planes(LatticeType lattice) {
  lattice.others = {};
  if (lattice.sparse) {
    share_nodes(lattice, lattice.end_planes, lattice.owned);
    return lattice;
  }
  Strips& strips = lattice.strips;
  strips.first_layer = 1;
  strips.layers -= 2;
  lattice.teams = strips.all_teams();
  return lattice;
}

/// The part of a step that is in solids that conduct, to be called after the others.
template <class LatticeType>
void conduct(const ContextOf<LatticeType>& context, LatticeType lattice, int parity);

/// 16-bit storage and sparse lattices exist only with Esoteric Twist; the other schemes are here
/// for comparison.
template <class LatticeType>
inline constexpr bool has_all_schemes =
    !std::is_same_v<typename LatticeType::Storage, HalfPopulation>;

/// One step by the lattice's scheme.
template <class LatticeType>
void step(const ContextOf<LatticeType>& context, LatticeType& lattice, int parity) {
  if constexpr (has_all_schemes<LatticeType>) {
    switch (lattice.propagation) {
      case Propagation::two_array:
        return step_by<Propagation::two_array, false>(context, lattice, parity);
      case Propagation::aa_pattern:
        return step_by<Propagation::aa_pattern, false>(context, lattice, parity);
      case Propagation::esoteric_pull:
        return step_by<Propagation::esoteric_pull, false>(context, lattice, parity);
      case Propagation::esoteric_twist:
        break;
    }
  }
  if (lattice.sparse) return step_by<Propagation::esoteric_twist, true>(context, lattice, parity);
  step_by<Propagation::esoteric_twist, false>(context, lattice, parity);
}

}  // namespace knudsen::lbm_d3q27
