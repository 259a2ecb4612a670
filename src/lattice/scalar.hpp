#pragma once

// A scalar on a second lattice, advected by the flow: temperature or concentration. The populations
// h_q of a node sum to the scalar, less its reference value.

#include <string_view>
#include <type_traits>

#include "lattice/collision_operators.hpp"
#include "lattice/d2q5.hpp"
#include "lattice/d3q7.hpp"
#include "lattice/flow_state2d.hpp"
#include "lattice/flow_state3d.hpp"

namespace knudsen {

/// What the collision of a scalar needs, in lattice units.
template <class Real>
struct ScalarParameters {
  Real antisymmetric_rate = 1;   ///< sets the diffusivity
  Real symmetric_rate = 1;       ///< follows from it by the magic parameter
  Real weight = 0;               ///< of moving populations in the equilibrium
  Real rest_weight = 0;          ///< of the population at rest; not used in solids
  Real buoyancy[3] = {0, 0, 0};  ///< force per volume and unit of the scalar, - expansion x gravity
};

/// Parameters of a node with flow and scalar.
template <class Real>
struct HeatedParameters {
  CollisionParameters<Real> flow;
  ScalarParameters<Real> scalar;

  /// Those of the flow where the scalar has this value, with the buoyancy in the force.
  KNUDSEN_FORCEINLINE_FUNCTION CollisionParameters<Real> at(Real value) const {
    CollisionParameters<Real> local = flow;
    for (int a = 0; a < 3; ++a) local.force[a] += scalar.buoyancy[a] * value;
    return local;
  }
};

/// Whether there is a body force, or buoyancy.
template <class Real>
bool has_force(const CollisionParameters<Real>& parameters) {
  const auto& force = parameters.force;
  return force[0] != 0 || force[1] != 0 || force[2] != 0;
}
template <class Real>
bool has_force(const HeatedParameters<Real>& parameters) {
  const auto& buoyancy = parameters.scalar.buoyancy;
  return has_force(parameters.flow) || buoyancy[0] != 0 || buoyancy[1] != 0 || buoyancy[2] != 0;
}

/// The parameters of the flow among those of a node.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION CollisionParameters<Real>& of_flow(
    CollisionParameters<Real>& parameters) {
  return parameters;
}
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION CollisionParameters<Real>& of_flow(
    HeatedParameters<Real>& parameters) {
  return parameters.flow;
}

template <class Real, class From>
ScalarParameters<Real> rounded(const ScalarParameters<From>& from) {
  ScalarParameters<Real> to;
  to.antisymmetric_rate = static_cast<Real>(from.antisymmetric_rate);
  to.symmetric_rate = static_cast<Real>(from.symmetric_rate);
  to.weight = static_cast<Real>(from.weight);
  to.rest_weight = static_cast<Real>(from.rest_weight);
  for (int a = 0; a < 3; ++a) to.buoyancy[a] = static_cast<Real>(from.buoyancy[a]);
  return to;
}
template <class Real, class From>
HeatedParameters<Real> rounded(const HeatedParameters<From>& from) {
  HeatedParameters<Real> to{rounded<Real>(from.flow), {}};
  to.scalar = rounded<Real>(from.scalar);
  return to;
}

/// What a wall does to the scalar: factor x outgoing population + addition returns from it.
template <class Real>
struct ScalarLink {
  Real factor = 1;    ///< 1: flux, -1: temperature
  Real addition = 0;  ///< set by the flux or the temperature
};

/// What such a wall returns besides: (of_value + carried x velocity along the link) x value of the
/// node.
template <class Real>
struct ScalarShare {
  Real of_value = 0;  ///< of an interpolated wall closer than half a link
  Real carried = 0;   ///< of one that is further away; 1: an outflow
};

/// Each population of a scalar as the sum of two, for storage in 16 bits each: first the multiples
/// of 2^-12, then what they leave. A half keeps multiples of 2^-12 up to 1/2 and 11 bits of the
/// rest, so that a population is known to 2^-25.
template <class WholeVelocities>
struct InTwoParts {
  using Whole = WholeVelocities;
  static constexpr int populations = 2 * Whole::populations;
  static constexpr int dimensions = Whole::dimensions;

  KNUDSEN_INLINE_FUNCTION static constexpr int velocity(int q, int axis) {
    return Whole::velocity(q % Whole::populations, axis);
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int opposite(int q) {
    const int part = q / Whole::populations * Whole::populations;
    return part + Whole::opposite(q - part);
  }
};

template <class Scalar>
inline constexpr bool in_two_parts = false;
template <class Whole>
inline constexpr bool in_two_parts<InTwoParts<Whole>> = true;

namespace scalar_detail {

template <class Scalar>
struct WholeLattice {
  using Type = Scalar;
};
template <class Whole>
struct WholeLattice<InTwoParts<Whole>> {
  using Type = Whole;
};

}  // namespace scalar_detail

/// The lattice of a scalar, whether or not its populations are in two parts.
template <class Scalar>
using WholeOf = typename scalar_detail::WholeLattice<Scalar>::Type;

/// The multiple of 2^-12 next to a population in single precision, which is below 1024 in size: a
/// sum with this number has no smaller digits.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real first_part(Real population) {
  const Real rounder = Real(3072);
  return (population + rounder) - rounder;
}
template <class Scalar, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void join_parts(const Real (&parts)[Scalar::populations],
                                             Real (&whole)[WholeOf<Scalar>::populations]) {
  for_populations<WholeOf<Scalar>>([&](auto q) KNUDSEN_INLINE_LAMBDA {
    whole[q] = parts[q] + parts[WholeOf<Scalar>::populations + q];
  });
}
template <class Scalar, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void split_in_parts(const Real (&whole)[WholeOf<Scalar>::populations],
                                                 Real (&parts)[Scalar::populations]) {
  for_populations<WholeOf<Scalar>>([&](auto q) KNUDSEN_INLINE_LAMBDA {
    parts[q] = first_part(whole[q]);
    parts[WholeOf<Scalar>::populations + q] = whole[q] - parts[q];
  });
}

/// Lattices of a flow and of a scalar as one set of populations, those of the flow first. Streaming
/// schemes need no more of a lattice than this.
template <class FlowVelocities, class ScalarVelocities>
struct WithScalar {
  using Flow = FlowVelocities;
  using Scalar = ScalarVelocities;
  static constexpr int populations = Flow::populations + Scalar::populations;

  KNUDSEN_INLINE_FUNCTION static constexpr int velocity(int q, int axis) {
    return q < Flow::populations ? Flow::velocity(q, axis)
                                 : Scalar::velocity(q - Flow::populations, axis);
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int cx(int q) { return velocity(q, 0); }
  KNUDSEN_INLINE_FUNCTION static constexpr int cy(int q) { return velocity(q, 1); }
  KNUDSEN_INLINE_FUNCTION static constexpr int opposite(int q) {
    return q < Flow::populations ? Flow::opposite(q)
                                 : Flow::populations + Scalar::opposite(q - Flow::populations);
  }
};
using HeatedD2Q9 = WithScalar<D2Q9, D2Q5>;
using HeatedD3Q27 = WithScalar<D3Q27, D3Q7>;
/// For storage in 16 bits.
using HeatedD3Q27InParts = WithScalar<D3Q27, InTwoParts<D3Q7>>;

template <class Velocities>
inline constexpr bool has_scalar = false;
template <class Flow, class Scalar>
inline constexpr bool has_scalar<WithScalar<Flow, Scalar>> = true;

namespace scalar_detail {

template <class Velocities>
struct FlowLattice {
  using Type = Velocities;
};
template <class Flow, class Scalar>
struct FlowLattice<WithScalar<Flow, Scalar>> {
  using Type = Flow;
};

}  // namespace scalar_detail

/// The lattice of the flow, with or without a scalar beside it.
template <class Velocities>
using FlowOf = typename scalar_detail::FlowLattice<Velocities>::Type;

/// What the collision on a lattice needs.
template <class Velocities, class Real>
using ParametersOf =
    std::conditional_t<has_scalar<Velocities>, HeatedParameters<Real>, CollisionParameters<Real>>;

/// The value of a scalar: the sum of its populations.
template <class Scalar, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real scalar_value(const Real (&h)[Scalar::populations]) {
  if constexpr (in_two_parts<Scalar>) {
    Real whole[WholeOf<Scalar>::populations];
    join_parts<Scalar>(h, whole);
    return scalar_value<WholeOf<Scalar>>(whole);
  } else {
    // Opposite populations first, so that a mirror image has the same bits.
    Real sum = h[0];
    if constexpr (Scalar::dimensions == 2) {
      sum += (h[1] + h[3]) + (h[2] + h[4]);
    } else {
      sum += ((h[1] + h[2]) + (h[3] + h[4])) + (h[5] + h[6]);
    }
    return sum;
  }
}

/// The populations of the flow, and those of the scalar, among those of a node.
template <class Velocities, class Real>
KNUDSEN_FORCEINLINE_FUNCTION auto flow_populations(const Real (&g)[Velocities::populations])
    -> const Real (&)[FlowOf<Velocities>::populations] {
  return reinterpret_cast<const Real(&)[FlowOf<Velocities>::populations]>(g);
}
template <class Velocities, class Real>
KNUDSEN_FORCEINLINE_FUNCTION auto scalar_populations(const Real (&g)[Velocities::populations])
    -> const Real (&)[Velocities::Scalar::populations] {
  return reinterpret_cast<const Real(&)[Velocities::Scalar::populations]>(
      g[Velocities::Flow::populations]);
}

/// The scalar of a node with these populations; 0 on a lattice without one.
template <class Velocities, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real scalar_of(const Real (&g)[Velocities::populations]) {
  if constexpr (has_scalar<Velocities>) {
    return scalar_value<typename Velocities::Scalar>(scalar_populations<Velocities>(g));
  } else {
    return Real(0);
  }
}

/// The parameters of the flow in a node with these populations, with its buoyancy.
template <class Velocities, class Real>
KNUDSEN_FORCEINLINE_FUNCTION CollisionParameters<Real> local_parameters(
    const ParametersOf<Velocities, Real>& parameters, const Real (&g)[Velocities::populations]) {
  if constexpr (has_scalar<Velocities>) {
    return parameters.at(scalar_of<Velocities>(g));
  } else {
    return parameters;
  }
}

/// Collides the populations of a scalar with two relaxation times (Ginzburg 2005, "Equilibrium-type
/// and link-type lattice Boltzmann models for generic advection and anisotropic-dispersion
/// equation"). The equilibrium w_q T (1 + c.u / s) is linear in the velocity, with s = sum w c c =
/// 2 w: steady transport has no error of the order of the squared Mach number.
template <class Scalar, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void collide_scalar(Real (&h)[Scalar::populations], Real value,
                                                 const Real (&velocity)[Scalar::dimensions],
                                                 const ScalarParameters<Real>& parameters) {
  constexpr int first_opposite = Scalar::opposite(1);
  const Real even = parameters.weight * value;
  const Real flux = Real(0.5) * value;
  h[0] += parameters.symmetric_rate * (parameters.rest_weight * value - h[0]);
  const auto relax = [&](Real& p, Real& opposite, Real u) {
    const Real change_even = parameters.symmetric_rate * (even - Real(0.5) * (p + opposite));
    const Real change_odd = parameters.antisymmetric_rate * (flux * u - Real(0.5) * (p - opposite));
    p += change_even + change_odd;
    opposite += change_even - change_odd;
  };
  if constexpr (first_opposite == 3) {
    relax(h[1], h[3], velocity[0]);
    relax(h[2], h[4], velocity[1]);
  } else {
    relax(h[1], h[2], velocity[0]);
    relax(h[3], h[4], velocity[1]);
    relax(h[5], h[6], velocity[2]);
  }
}

/// The same in a solid whose heat capacity is `capacity` times that of the fluid: the populations
/// sum to capacity x value. Those that move have the equilibrium of the fluid. The population at
/// rest takes what they give, so that no rounding of the weights adds heat.
template <class Scalar, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void collide_in_solid(Real (&h)[Scalar::populations], Real capacity,
                                                   const ScalarParameters<Real>& parameters) {
  const Real even = parameters.weight * scalar_value<Scalar>(h) / capacity;
  for (int q = 1; q < Scalar::populations; ++q) {
    const int p = Scalar::opposite(q);
    if (p < q) continue;
    const Real change_even = parameters.symmetric_rate * (even - Real(0.5) * (h[q] + h[p]));
    const Real change_odd = parameters.antisymmetric_rate * Real(0.5) * (h[p] - h[q]);
    h[q] += change_even + change_odd;
    h[p] += change_even - change_odd;
    h[0] -= Real(2) * change_even;
  }
}

/// Sets the velocity of a node with the populations f.
template <class Flow, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void set_velocity(const Real (&f)[Flow::populations],
                                               const CollisionParameters<Real>& parameters,
                                               Real (&velocity)[Flow::dimensions]) {
  if constexpr (Flow::dimensions == 2) {
    const FlowState<Real> state = flow_state(f, parameters);
    velocity[0] = state.velocity_x;
    velocity[1] = state.velocity_y;
  } else {
    const FlowState3D<Real> state = flow_state<Flow>(f, parameters.force);
    for (int a = 0; a < 3; ++a) velocity[a] = state.velocity[a];
  }
}

/// The collision of flow and scalar that a kernel is compiled for: the scalar is read first, its
/// buoyancy is in the force of the flow's collision, and the scalar moves with the flow's velocity.
template <class FlowCollision, Forcing Force>
struct HeatedCollision {
  using Operator = typename FlowCollision::Operator;
  static constexpr EddyViscosity eddy_viscosity = FlowCollision::eddy_viscosity;

  template <class Velocities, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void collide(Real (&g)[Velocities::populations],
                                                   const HeatedParameters<Real>& parameters) {
    using Flow = typename Velocities::Flow;
    using Scalar = typename Velocities::Scalar;
    Real f[Flow::populations];
    Real h[Scalar::populations];
    for_populations<Flow>([&](auto q) { f[q] = g[q]; });
    for_populations<Scalar>([&](auto q) { h[q] = g[Flow::populations + q]; });
    const Real value = scalar_value<Scalar>(h);
    CollisionParameters<Real> local = parameters.flow;
    if constexpr (Force != Forcing::none) local = parameters.at(value);
    Real velocity[Flow::dimensions];
    set_velocity<Flow>(f, local, velocity);
    FlowCollision::template collide<Flow>(f, local);
    if constexpr (in_two_parts<Scalar>) {
      Real whole[WholeOf<Scalar>::populations];
      join_parts<Scalar>(h, whole);
      collide_scalar<WholeOf<Scalar>>(whole, value, velocity, parameters.scalar);
      split_in_parts<Scalar>(whole, h);
    } else {
      collide_scalar<Scalar>(h, value, velocity, parameters.scalar);
    }
    for_populations<Flow>([&](auto q) { g[q] = f[q]; });
    for_populations<Scalar>([&](auto q) { g[Flow::populations + q] = h[q]; });
  }
};

namespace scalar_detail {

template <class Velocities>
struct Dispatch {
  template <class Body>
  static void call(std::string_view name, Forcing forcing, EddyViscosity eddy, const Body& body) {
    dispatch_collision<Velocities>(name, forcing, eddy, body);
  }
};
template <class Flow, class Scalar>
struct Dispatch<WithScalar<Flow, Scalar>> {
  template <class Body>
  static void call(std::string_view name, Forcing forcing, EddyViscosity eddy, const Body& body) {
    dispatch_collision<Flow>(name, forcing, eddy, [&](auto collision) {
      using Collision = decltype(collision);
      body(HeatedCollision<Collision, Collision::forcing>{});
    });
  }
};

}  // namespace scalar_detail

/// dispatch_collision for lattices with or without a scalar.
template <class Velocities, class Body>
void dispatch_node_collision(std::string_view name, Forcing forcing, EddyViscosity eddy_viscosity,
                             const Body& body) {
  scalar_detail::Dispatch<Velocities>::call(name, forcing, eddy_viscosity, body);
}

}  // namespace knudsen
