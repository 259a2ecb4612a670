#pragma once

#include <memory>
#include <vector>

#include "methods/bgkw/group_exchange.hpp"
#include "methods/bgkw/make_phase_space.hpp"

// Cells that surfaces of solids cut (README, "Cut cells"). Kernels of their own make the streaming
// of the cut cells and of those they are merged with, so that other cells know nothing of it.

namespace knudsen::bgkw {

/// Geometry of a listed cell: numbers of a whole cell, over the open share of the volume.
struct CutShape {
  double open[6];      ///< open shares of the faces, numbered as Side
  double area[3];      ///< of the surface, out of the gas; see CutCell::area
  double normal[3];    ///< of the surface, a unit vector
  double velocity[3];  ///< of the wall
  int surface;         ///< whose surface it is, see Surfaces; -1: none
  bool heated;         ///< whether the wall has a given heat flux
  double heat;         ///< energy that it then adds in a step, over the contents of the cell
};

/// What a surface sends into the gas in the next streaming at the velocity v, relative to the wall:
///
///   diffuse x M(v) + (mirrored + mirrored_square v^2) x g(v)
///
/// with the Maxwellian M of the wall (of its own temperature where the heat flux is given), and the
/// mirror image g of the gas. The last two factors keep mass and energy of the mirror image, which
/// lies between velocities of the grid.
struct FacetEmission {
  double diffuse = 1;
  double mirrored = 0;
  double mirrored_square = 0;
  double temperature = 0;  ///< found for the given heat flux; 0 elsewhere
};

/// Cells of a rank with a streaming of their own, on a backend, in the order of CutGroups::cells.
template <class ExecutionSpace, class Real>
struct CutSpace {
  View<int*, ExecutionSpace> cells;
  View<CutShape*, ExecutionSpace> shapes;
  View<FacetEmission*, ExecutionSpace> emission;
  View<double* [flux_count], ExecutionSpace> arriving;  ///< at heated walls; else empty
  bool has_mirrors = false;                             ///< whether a surface reflects specularly
  bool is_heated = false;                               ///< whether a surface has a given heat flux
  /// The cells of the groups with a cell of this rank, see CutGroups: places in the arrays of
  /// PhaseSpace, or -1 - row of `received`.
  View<int*, ExecutionSpace> members;
  View<int*, ExecutionSpace> first;
  View<double*, ExecutionSpace> share;  ///< of each member in the volume of its group
  /// (row, velocity): streamed values of members that other ranks own.
  View<Real**, ExecutionSpace> received;
  std::shared_ptr<GroupExchange<ExecutionSpace, Real>> exchange;  ///< fills it; null without rows
  /// By cut cell: factor from sums over a step to fluxes through a unit area of the surface; 0
  /// without a surface. On the host.
  std::vector<double> to_flux;
};

/// The cut cells of a rank, of which there may be none; null if the grid has none. All other
/// members of `space` must be set.
template <class ExecutionSpace, class Real>
std::unique_ptr<CutSpace<ExecutionSpace, Real>> make_cut_space(
    const PhaseGrid& grid, const std::vector<CellSlab>& slabs, int rank,
    const PhaseSpace<ExecutionSpace, Real>& space);

/// Sets CutSpace::emission, such that no mass crosses the surfaces in the next streaming. Does
/// nothing without cut cells.
template <class ExecutionSpace, class Real>
void update_facet_emission(const StepContext<ExecutionSpace>& context,
                           const PhaseSpace<ExecutionSpace, Real>& space);

/// Collective: writes the explicit part of a stage in the listed cells to `next`, mean values in
/// groups. Does nothing without cut cells.
template <class ExecutionSpace, class Real>
void stream_cut_cells(const StepContext<ExecutionSpace>& context,
                      const PhaseSpace<ExecutionSpace, Real>& space,
                      const StageWithMemory<ExecutionSpace, Real>& stage);

/// Net fluxes out of the gas through a unit area of the surface of each cut cell of this rank in a
/// streaming from the current state, in the order of GasSolids::cut. Call update_facet_emission
/// before.
template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> facet_fluxes(const StepContext<ExecutionSpace>& context,
                                      const PhaseSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::bgkw
