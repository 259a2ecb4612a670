#pragma once

#include "lattice/collision_operator.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

namespace knudsen::lbm_d3q27 {

/// Sizes that change the speed but not the result; defaults in default_tuning().
struct Tuning {
  int segment = 0;    ///< nodes that one team works on; on a GPU equal to team_size
  int team_size = 1;  ///< threads of a team; 1 on the host
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

/// One step, collision and propagation, by the lattice's scheme. `parity` is that of the step's
/// number. After a step with two arrays, `lattice.next` has become `lattice.populations`.
template <class LatticeType>
void step(const ContextOf<LatticeType>& context, LatticeType& lattice, int parity);

}  // namespace knudsen::lbm_d3q27
