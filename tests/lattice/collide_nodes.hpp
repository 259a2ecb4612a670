#pragma once

#include <vector>

#include "device/backend.hpp"
#include "lattice/collision_operator.hpp"
#include "lattice/relaxation3d.hpp"

namespace knudsen {

/// What collides in a test.
struct Collision3D {
  int populations;  ///< 19 or 27: the lattice
  CollisionOperator collision_operator;
  Forcing forcing = Forcing::none;
  EddyViscosity eddy_viscosity = EddyViscosity::none;
};

/// Runs the library's collision by a kernel on `backend`, over nodes whose shifted populations
/// stand one after the other in g.
template <class Real>
void collide_nodes(Backend backend, const Collision3D& collision, const Relaxation3D<Real>& fluid,
                   std::vector<Real>& g);

}  // namespace knudsen
