#pragma once

#include "lattice/scalar.hpp"

namespace knudsen {

/// Velocities of a row of nodes on the host, by vectors. The shifted populations g_q of node i are
/// read from from[q][i], and component a of its velocity goes to velocity[a][i]. Lattices: D2Q9,
/// HeatedD2Q9, D3Q19, D3Q27, HeatedD3Q27, HeatedD3Q27InParts. Stored: Real, or the bits of halves
/// (half_scale.hpp) in single precision on the lattices in three dimensions.
template <class Velocities, class Real, class Stored>
KNUDSEN_HOST_FUNCTION void velocities_of_row(const Stored* const* from, Real* const* velocity,
                                             int nodes,
                                             const ParametersOf<Velocities, Real>& parameters);

/// Collides a row of nodes of a scalar (D2Q5, D2Q9, D3Q7, D3Q19), whose populations are read from
/// from[q][i] and go to to[q][i]. The velocity is velocity[a][i].
template <class Scalar, class Real>
KNUDSEN_HOST_FUNCTION void collide_scalar_row(const Real* const* from, Real* const* to,
                                              const Real* const* velocity, int nodes,
                                              const ScalarParameters<Real>& parameters);

}  // namespace knudsen
