#pragma once

#include "device/kokkos.hpp"
#include "lattice/collide_moments.hpp"
#include "lattice/collide_pairs.hpp"
#include "lattice/collision_operator.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"
#include "lattice/relaxation3d.hpp"

namespace knudsen {

/// Collision of one node, in place, with the body force `relaxation.force` unless Force is none.
/// bgk and trt are there on D3Q19 and D3Q27, with Guo's force and with eddy viscosity; the moment
/// operators on D3Q27, where the force of Guo's scheme is a shift of the momentum alone.
template <class Lattice, CollisionOperator Operator, Forcing Force,
          EddyViscosity Eddy = EddyViscosity::none, class Real>
KOKKOS_FORCEINLINE_FUNCTION void collide(Real (&g)[Lattice::populations],
                                         const Relaxation3D<Real>& relaxation) {
  static_assert(Force != Forcing::velocity_shift, "D2Q9 alone has this forcing");
  if constexpr (Operator == CollisionOperator::bgk || Operator == CollisionOperator::trt) {
    collide3d_detail::collide_pairs<Lattice, Operator, Force, Eddy>(g, relaxation);
  } else {
    static_assert(Lattice::populations == 27, "the moment operators need D3Q27");
    static_assert(Eddy == EddyViscosity::none, "eddy viscosity is for bgk and trt");
    collide3d_detail::collide_moments<Operator, Force>(g, relaxation);
  }
}

}  // namespace knudsen
