#pragma once

#include "device/function.hpp"
#include "methods/bgkw/pass.hpp"

// The single pass over one cell on the host. Its source includes no Kokkos, for device/simd.hpp.

namespace knudsen::bgkw {

/// A velocity grid as update_cell_on_host() needs it, the same for all cells (see VelocitySpace).
template <class Real>
struct HostVelocities {
  static constexpr int numbers_of_plane = 5;

  int planes = 0;                       ///< x components
  int planes_below = 0;                 ///< with v_x < 0; they come first
  int plane = 0;                        ///< entries of a plane
  int plane_below = 0;                  ///< with v_y < 0; they come first
  int row_length = 0;                   ///< entries of a row
  Real crossing[3] = {};                ///< Courant number of unit velocity along each axis
  const Real* of_plane = nullptr;       ///< for each plane |C_x|, then w_x |v_x|^n with n = 0 to 3
  const Real* y = nullptr;              ///< y component of each entry of a plane
  const Real* z = nullptr;              ///< z component of each entry of a plane
  const Real* weight = nullptr;         ///< weight of each entry of a plane in sums over y and z
  const Real* square_weight = nullptr;  ///< the same in the sum of v_z^2 f
};

/// What update_cell_on_host() reads and writes.
template <class Real>
struct HostCell {
  const Real* values = nullptr;       ///< f of the cell
  const Real* beside[6] = {};         ///< values upstream, by direction
  Real factor[6] = {};                ///< of these values
  const Real* mirrored = nullptr;     ///< what specular surfaces let in, or null; may be `out`
  const Real* ahead = nullptr;        ///< prefetched for a later cell
  const Real* ahead_of_side[2] = {};  ///< the same in the planes with v_x < 0 and v_x > 0, or null
  const Real* target_of_z = nullptr;  ///< factors of the target along z, then along x and y
  Real kept_share = 1;                ///< exp(-rate dt)
  Real* out = nullptr;                ///< where the new values are written
  double* totals = nullptr;           ///< sums of (1, v, v^2) f and perhaps of the outflow
  bool past_caches = false;           ///< values are written past the caches
};

/// Updates a cell.
template <class Real, int Dimensions, Pass What>
KNUDSEN_HOST_FUNCTION void update_cell_on_host(const HostVelocities<Real>& velocities,
                                               const HostCell<Real>& cell);

}  // namespace knudsen::bgkw
