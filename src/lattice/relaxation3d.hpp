#pragma once

#include "core/kokkos.hpp"

namespace knudsen {

/// Relaxation rates, body force and options of the three-dimensional collisions, in lattice units.
template <class Real>
struct Relaxation3D {
  Real omega;            ///< rate of the shear stress: viscosity (1 / omega - 1/2) / 3
  Real omega_minus = 1;  ///< rate of the antisymmetric populations; trt alone reads it
  Real magic = 0;        ///< (1 / omega - 1/2)(1 / omega_minus - 1/2); trt with eddy viscosity
  Real smagorinsky_constant = 0;
  Real force[3] = {0, 0, 0};  ///< force per unit volume
};

}  // namespace knudsen
