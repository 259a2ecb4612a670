#pragma once

#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/sweep_space.hpp"

// Where the gas of cut cells is, for the balance of a continuum in them.

namespace knudsen::shakhov {

// Numbers of a cut cell in ContinuumCuts::numbers.
inline constexpr int gas_centre_number = 0;    ///< of the gas, from the centre of the cell
inline constexpr int facet_offset_number = 3;  ///< the centre of the surface, from that of the gas
inline constexpr int facet_depth_number = 6;   ///< distance of the gas's centre from the surface
inline constexpr int face_centre_number = 7;   ///< of the open parts of the six faces, from theirs
inline constexpr int continuum_cut_numbers = face_centre_number + 18;

/// Number of the gradients along three axes of velocity, temperature and pressure.
inline constexpr int gradient_numbers = 15;

/// What the balance of a continuum needs with cut cells; empty without.
template <class ExecutionSpace>
struct ContinuumCuts {  // NOLINT: names in its implicit copy are the compiler's
  /// Open areas of the six faces of each cell. The two cells of a face have the same number.
  View<double* [6], ExecutionSpace> area;
  View<double* [continuum_cut_numbers], ExecutionSpace> numbers;  ///< as SweepSpace::cuts
  int first_facet = 0;  ///< SweepSpace::first_face of the facets
  /// Gradients in each cell, of ContinuumBalance: (axis, number).
  View<double* [gradient_numbers], ExecutionSpace> gradients;

  KOKKOS_INLINE_FUNCTION bool present() const { return numbers.extent(0) > 0; }
};

/// `first_facet` as there.
template <class ExecutionSpace>
ContinuumCuts<ExecutionSpace> make_continuum_cuts(const FlowGrid& grid, int first_facet);

/// Memory in bytes that they take.
double continuum_cuts_bytes(const FlowGrid& grid);

}  // namespace knudsen::shakhov
