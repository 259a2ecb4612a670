#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/surface_fields.hpp"
#include "kinetic/surface.hpp"

// What the gas does to each face of the sides and solids.

namespace knudsen {

/// What leaves the gas through a face of a cell.
struct SurfaceLoad {
  SurfaceFace face;
  int surface = 0;                        ///< 0 to 5: side of the box; 6 and above: solids
  double area = 0;                        ///< L^(d-1)
  std::array<double, 3> normal{0, 0, 0};  ///< unit vector out of the gas
  std::array<double, 3> centre{0, 0, 0};
  /// Net fluxes for a unit area, in rho_ref v_ref, rho_ref v_ref^2 and rho_ref v_ref^3.
  SurfaceFlux flux{};
  double temperature = 0;  ///< of what the surface emits, in T_ref; 0 if it emits nothing
};

/// The unit vector out of a cell on one of its sides.
std::array<double, 3> side_normal(int side);

/// Torque of the gas on a surface about the origin of the coordinates, along an axis, in
/// p_ref L^d.
double torque(const std::vector<SurfaceLoad>& loads, int surface, std::size_t axis);

/// Mean over its faces of the temperature of a surface; 0 without faces.
double mean_temperature(const std::vector<SurfaceLoad>& loads, int surface);

/// The fields of fields_on_surfaces().
std::vector<Quantity> surface_quantities();
/// Number of the surface, pressure, shear stress, energy flux, mass flux and temperature of the
/// surface at each face.
SurfaceFields fields_on_surfaces(const std::vector<SurfaceLoad>& loads);

}  // namespace knudsen
