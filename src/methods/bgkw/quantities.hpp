#pragma once

#include <functional>
#include <vector>

#include "kinetic/moments.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/parameters.hpp"
#include "methods/gas/surface_loads.hpp"
#include "model/quantity_table.hpp"

namespace knudsen::bgkw {

/// The running method as fields and monitors see it, without backend and precision.
class Solution {
 public:
  virtual ~Solution() = default;

  virtual const Parameters& parameters() const = 0;
  virtual const Neighbours& neighbours() const = 0;
  /// Collective: hydrodynamic state of each cell, on the first rank; empty on others. Density 0
  /// inside solids.
  virtual const std::vector<Macroscopic>& cells() = 0;
  /// The same at the last Method::remember.
  virtual const std::vector<Macroscopic>& remembered_cells() const = 0;
  /// Collective: net flux out of the gas across each face in the next step, then through the
  /// surface in each cut cell, for a unit area; zeros on ranks other than the first.
  virtual const std::vector<SurfaceFlux>& fluxes() = 0;
  /// Collective: the temperatures that walls of given heat flux have found for fluxes(), by face,
  /// then by cut cell; 0 at other faces and on other ranks than the first.
  virtual const std::vector<double>& heated_temperatures() = 0;
  /// Collective: what leaves the gas at each face, on the first rank.
  virtual const std::vector<SurfaceLoad>& surface_loads() = 0;
  /// Collective: the largest Mach number across the faces of a side of given pressure in the next
  /// step, on the first rank.
  virtual double mach_number(std::size_t side) = 0;
  /// Collective: integral of -f ln f over the velocities, summed over the cells, for the first
  /// rank.
  virtual double entropy_sum() = 0;
  /// Increase of entropy_sum() in a relaxation of one time step.
  virtual double entropy_gain() = 0;
  /// Values of a field, value(cell, component), in the precision of the method.
  virtual FieldValues field_values(
      int components, const std::function<double(std::size_t, std::size_t)>& value) = 0;
};

/// The fields of a gas with or without rotation; NaN inside solids.
FieldTable<Solution> field_table(bool rotates);

/// Solution::surface_loads from its fluxes.
std::vector<SurfaceLoad> find_surface_loads(Solution& solution);

/// The monitors of every case: integrals, means and changes.
MonitorTable<Solution> common_monitors();
/// All monitors of a problem: the common ones, then those of its sides, its solids, the entropy, a
/// cavity and a shock wave.
MonitorTable<Solution> monitor_table(const Parameters& parameters);

/// Whether the problem is a shock wave: one dimension between two reservoirs.
bool is_shock(const PhaseGrid& grid);

}  // namespace knudsen::bgkw
