#pragma once

#include "lattice/collision_operator.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

namespace knudsen::lbm_d3q27 {

/// Sizes that change the speed but not the result; defaults in default_tuning().
struct Tuning {
  int segment = 0;    ///< nodes that one team works on; on a GPU what its threads take
  int team_size = 1;  ///< threads of a team; 1 on the host
  /// Dense, on a GPU: nodes of a layer that are worked on before the next layer; 0: all.
  int strip_nodes = 0;
};

/// How a step is launched on a GPU: most threads of a team, how many teams a multiprocessor must
/// have room for, and nodes a thread. What is in flight is what these kernels live on, so registers
/// are limited for the sake of more threads; the numbers are the fastest of those tried on an H200.
template <class Precision, class Velocities, bool Sparse>
struct Launch {
  static constexpr bool is_double = sizeof(typename Precision::Real) == sizeof(double);
  static constexpr bool is_half = sizeof(typename Precision::Storage) == 2;
  /// Two sixteen-bit values together make an access as wide as others'.
  static constexpr bool pairs = is_half && !Sparse;
  static constexpr int threads = is_double || pairs || Sparse ? 128 : 256;
  /// Sparse kernels of TRT and of eddy viscosities need more registers than others, and so does the
  /// odd step of the AA pattern, whose addresses are of as many nodes as there are populations.
  static constexpr int teams(CollisionOperator collision, EddyViscosity eddy, bool odd_step) {
    if (is_double) return Sparse ? 4 : 3;
    if (pairs) return 4;
    if (!Sparse) return (Velocities::populations == 27 ? 3 : 4) - (odd_step ? 1 : 0);
    const bool few = collision != CollisionOperator::trt && eddy == EddyViscosity::none;
    return !is_half && few ? 8 : 7;
  }
  /// Of the kernels that also do nodes at walls, which need more registers; `wide`: 64-bit numbers.
  static constexpr int teams_at_walls(bool wide) {
    if (is_double) return 3;
    if (pairs) return 4;
    if (!Sparse) return 2;
    return is_half || wide ? 5 : 6;
  }
  static constexpr int nodes = pairs ? 2 : 1;
};

/// What a step of any scheme is made with.
template <class ExecutionSpace, class Real>
struct StepContext {
  ExecutionSpace execution;
  Relaxation3D<Real> relaxation;
  CollisionOperator collision_operator = CollisionOperator::bgk;
  EddyViscosity eddy_viscosity = EddyViscosity::none;
  Tuning tuning;
};

template <class LatticeType>
using ContextOf = StepContext<typename LatticeType::Execution, typename LatticeType::Real>;

/// Relaxation rates as a kernel takes them.
template <class Real>
Relaxation3D<Real> rounded(const Relaxation3D<double>& from) {
  Relaxation3D<Real> to{static_cast<Real>(from.omega)};
  to.omega_minus = static_cast<Real>(from.omega_minus);
  to.magic = static_cast<Real>(from.magic);
  to.smagorinsky_constant = static_cast<Real>(from.smagorinsky_constant);
  for (int a = 0; a < 3; ++a) to.force[a] = static_cast<Real>(from.force[a]);
  to.omega_bulk = static_cast<Real>(from.omega_bulk);
  to.omega_sum = static_cast<Real>(from.omega_sum);
  to.omega_difference = static_cast<Real>(from.omega_difference);
  to.omega_product = static_cast<Real>(from.omega_product);
  to.normal_strain = static_cast<Real>(from.normal_strain);
  to.shear_strain = static_cast<Real>(from.shear_strain);
  to.limiter = static_cast<Real>(from.limiter);
  return to;
}

// One step of each scheme, collision and propagation. `parity` is that of the step's number.
template <class LatticeType>
void step_esoteric_twist(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                         int parity);
template <class LatticeType>
void step_esoteric_twist_sparse(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                                int parity);
template <class LatticeType>
void step_esoteric_pull(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                        int parity);
template <class LatticeType>
void step_aa_pattern(const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity);
/// Afterwards `lattice.next` has become `lattice.populations`.
template <class LatticeType>
void step_two_array(const ContextOf<LatticeType>& context, LatticeType& lattice, int parity);

/// Sixteen-bit storage goes with Esoteric Twist alone, and so do sparse lattices: what the other
/// schemes are here for is comparison.
template <class LatticeType>
inline constexpr bool has_all_schemes =
    !std::is_same_v<typename LatticeType::Storage, HalfPopulation> && !LatticeType::wide;

/// One step by the lattice's scheme.
template <class LatticeType>
void step(const ContextOf<LatticeType>& context, LatticeType& lattice, int parity) {
  if constexpr (has_all_schemes<LatticeType>) {
    switch (lattice.propagation) {
      case Propagation::two_array:
        return step_two_array(context, lattice, parity);
      case Propagation::aa_pattern:
        return step_aa_pattern(context, lattice, parity);
      case Propagation::esoteric_pull:
        return step_esoteric_pull(context, lattice, parity);
      case Propagation::esoteric_twist:
        break;
    }
  }
  if constexpr (!LatticeType::wide) {
    if (!lattice.sparse) return step_esoteric_twist(context, lattice, parity);
  }
  step_esoteric_twist_sparse(context, lattice, parity);
}

}  // namespace knudsen::lbm_d3q27
