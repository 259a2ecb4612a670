#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "methods/boltzmann/diagnostics.hpp"
#include "methods/boltzmann/parameters.hpp"
#include "methods/gas/surface_loads.hpp"
#include "model/quantity_table.hpp"

namespace knudsen::boltzmann {

/// Mean and standard deviation of a series (Welford).
struct Statistics {
  std::int64_t count = 0;
  double mean = 0;
  double squares = 0;  ///< sum of the squared deviations from the mean

  void add(double value) {
    ++count;
    const double step = value - mean;
    mean += step / double(count);
    squares += step * (value - mean);
  }
  double deviation() const { return count > 1 ? std::sqrt(squares / double(count - 1)) : 0; }
};

/// Monitors of a cavity that have a mean and a standard deviation.
extern const std::array<const char*, 3> statistics_names;

/// The running method as fields and monitors see it, without backend and precision.
class Solution {
 public:
  virtual ~Solution() = default;

  virtual const Parameters& parameters() const = 0;
  /// Collective: present macroscopic deviations of each cell, on the first rank; empty on others.
  virtual const std::vector<Deviation>& cells() = 0;
  /// The same at the last Method::remember.
  virtual const std::vector<Deviation>& remembered_cells() const = 0;
  /// Collective: mean over a side of a flux of wall_fluxes, for the first rank, in physical units:
  /// momentum in p_ref, energy in p_ref v_ref.
  virtual double side_flux(int side, std::size_t flux) = 0;
  /// Collective: the same at each face of a side, for the first rank, in units of the reference
  /// density and velocity. Relative to the gas at rest.
  virtual std::vector<SurfaceFlux> face_fluxes(int side) = 0;
  /// Statistics of statistics_names[n].
  virtual const Statistics& statistics(std::size_t n) const = 0;
  /// Values of a field, value(cell, component), in the precision of the method.
  virtual FieldValues field_values(
      int components, const std::function<double(std::size_t, std::size_t)>& value) = 0;
};

/// All fields.
FieldTable<Solution> field_table();

/// Collective: the loads on the faces of all sides but periodic ones, for the first rank.
std::vector<SurfaceLoad> find_surface_loads(Solution& solution);

/// The monitors of every case.
MonitorTable<Solution> common_monitors();
/// All monitors of a case: the common ones, then those of its sides, of a cavity and its
/// statistics.
MonitorTable<Solution> monitor_table(const Parameters& parameters);

}  // namespace knudsen::boltzmann
