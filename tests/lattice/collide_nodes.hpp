#pragma once

#include <string>
#include <vector>

#include "device/backend.hpp"
#include "lattice/collision.hpp"
#include "lattice/collision_operators.hpp"

namespace knudsen {

/// The operators of cases, and the uncorrected cumulant.
using TestedOperators =
    OperatorList<Bgk, Trt, Cascaded, Cumulant, CumulantParametrised, UncorrectedCumulant>;

/// The collision of a test.
struct Collision3D {
  int populations;  ///< of the lattice: 19 or 27
  std::string collision_operator;
  Forcing forcing = Forcing::none;
  EddyViscosity eddy_viscosity = EddyViscosity::none;
};

/// Collides nodes by a kernel on `backend`. `g` holds the shifted populations of one node after the
/// other.
template <class Real>
void collide_nodes(Backend backend, const Collision3D& collision,
                   const CollisionParameters<Real>& fluid, std::vector<Real>& g);

}  // namespace knudsen
