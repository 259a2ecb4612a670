#pragma once

#include <functional>
#include <vector>

#include "kinetic/moments.hpp"
#include "methods/gas/surface_loads.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/parameters.hpp"
#include "model/quantity_table.hpp"

namespace knudsen::shakhov {

/// Flux through a wall: a side of the box or the surface of a body.
struct WallFlux {
  /// Net outward flux of mass, momentum x, y, z and energy, integrated over the wall.
  SurfaceFlux total{};
  double area = 0;  ///< area of the wall
  /// Area across the stream of the part that meets it (Parameters::stream_side).
  double frontal_area = 0;
};

/// The running method as fields and monitors see it, without backend and precision.
class Solution {
 public:
  virtual ~Solution() = default;

  virtual const Parameters& parameters() const = 0;
  /// Hydrodynamic state of each cell; all zero in solid cells.
  virtual const std::vector<Macroscopic>& cells() = 0;
  /// Changes in the last iteration; NaN before the first one.
  virtual const Changes& changes() const = 0;
  /// `wall` counts the six sides of the box, then the bodies.
  virtual WallFlux wall_flux(int wall) = 0;
  /// What leaves the gas at each face of the walls.
  virtual const std::vector<SurfaceLoad>& surface_loads() = 0;
  /// The largest Mach number across the faces of a side of given pressure.
  virtual double mach_number(int side) = 0;
  /// Values of a field, value(cell, component), in the precision of the method.
  virtual FieldValues field_values(
      int components, const std::function<double(std::size_t, std::size_t)>& value) = 0;
};

/// All fields of the method, of a gas with or without rotation; those of the gas are NaN inside
/// solids.
FieldTable<Solution> field_table(bool rotates);

/// The monitors of every case: integrals, means and changes.
MonitorTable<Solution> common_monitors();
/// All monitors of a problem: the common ones, then those of a cavity, its sides and its bodies.
MonitorTable<Solution> monitor_table(const Parameters& parameters);

/// Names of the monitors of Changes, in that order.
const std::array<std::string, change_count>& change_names();

/// The largest change of density, momentum and energy.
double largest_change_of_moments(const Changes& changes);

}  // namespace knudsen::shakhov
