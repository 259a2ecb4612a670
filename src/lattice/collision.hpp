#pragma once

#include <limits>

#include "device/function.hpp"
#include "lattice/collision_parameters.hpp"
#include "lattice/steps/eddy_viscosity.hpp"

namespace knudsen {

/// How a collision applies the body force.
enum class Forcing {
  none,           ///< no force; CollisionParameters::force must be zero
  guo,            ///< Guo, Zheng, Shi (2002)
  velocity_shift  ///< shift of the equilibrium velocity (Gomes 2016, eq. 18); D2Q9 only
};

enum class EddyViscosity {
  none,
  smagorinsky,  ///< from the stress of the node
  given         ///< in eddy_time
};

/// Traits of a collision operator that does not define its own. An operator is a struct derived
/// from this one, in a header of its own in operators/, with
///
///   static constexpr const char* name;           // collision.operator in a case
///   static constexpr const char* text;           // what it is, for the schema
///   static constexpr bool suits(int);            // whether there is one for so many populations
///   static constexpr double flops(int);          // operations of a node, by number of populations
///   template <class Velocities, Forcing Force, class Real>
///   static void collide(Real (&g)[Velocities::populations], const CollisionParameters<Real>&);
///
/// `collide` turns the shifted populations g_q = f_q - w_q of one node into those after the
/// collision (NodeCollision below adds the option of an eddy viscosity).
struct OperatorDefaults {
  /// Whether the operator reads antisymmetric_rate, which the key `magic` of a case sets.
  static constexpr bool has_magic = false;
  /// Whether `collide` has a template argument EddyViscosity after Force.
  static constexpr bool has_eddy_viscosity = false;
  /// Whether another operator has kernels in which each node has a relaxation_rate of its own, by
  /// eddy_time. No other parameter of it may depend on the viscosity.
  static constexpr bool takes_eddy_time = false;
  /// Smallest relaxation_rate for which the operator works.
  static constexpr double min_relaxation_rate = 0;
  /// Grid Reynolds number, speed x spacing / viscosity, from which on no flow with vortices is
  /// stable (measured: methods/lattice/README.md).
  static constexpr double max_grid_reynolds = std::numeric_limits<double>::infinity();
  /// Derives further rates from relaxation_rate and bulk_rate, on the host.
  static void set_rates(CollisionParameters<double>& /*parameters*/) {}
};

/// Whether an operator has kernels with an eddy viscosity.
template <class Operator>
inline constexpr bool models_eddies = Operator::has_eddy_viscosity || Operator::takes_eddy_time;

/// The collision that a kernel is compiled for: an operator and its options.
template <class OperatorType, Forcing Force, EddyViscosity Eddy = EddyViscosity::none>
struct NodeCollision {
  using Operator = OperatorType;
  static constexpr Forcing forcing = Force;
  static constexpr EddyViscosity eddy_viscosity = Eddy;

  /// Collides the shifted populations g of one node, in place.
  template <class Velocities, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void collide(Real (&g)[Velocities::populations],
                                                   const CollisionParameters<Real>& parameters) {
    static_assert(Operator::suits(Velocities::populations), "no such operator on this lattice");
    static_assert(Force != Forcing::velocity_shift || Velocities::populations == 9,
                  "only D2Q9 has this forcing");
    if constexpr (Operator::has_eddy_viscosity) {
      Operator::template collide<Velocities, Force, Eddy>(g, parameters);
    } else if constexpr (Eddy != EddyViscosity::none) {
      static_assert(Operator::takes_eddy_time && Eddy == EddyViscosity::given,
                    "this operator has no such eddy viscosity");
      CollisionParameters<Real> local = parameters;
      local.relaxation_rate = rate_with_eddies(parameters);
      Operator::template collide<Velocities, Force>(g, local);
    } else {
      Operator::template collide<Velocities, Force>(g, parameters);
    }
  }
};

}  // namespace knudsen
