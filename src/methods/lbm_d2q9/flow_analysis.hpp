#pragma once

#include <array>
#include <vector>

#include "model/quantity_table.hpp"

namespace knudsen::lbm_d2q9 {

/// Velocity of a two-dimensional flow on the host, in lattice units.
struct PlaneFlow {
  int nx = 0;                          ///< nodes along x
  int ny = 0;                          ///< nodes along y
  FieldValues velocity_x, velocity_y;  ///< (y, x); NaN in solid nodes; both in one precision
  std::array<bool, 2> periodic{false, false};  ///< by axis

  std::size_t node(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x);
  }
};

/// dv/dx - du/dy of every node, (y, x), by central differences between fluid neighbours. If one
/// neighbour is solid or outside, the difference is one-sided; if both are, it is zero. NaN in
/// solid nodes. Evaluated in double precision, returned in that of the flow.
FieldValues vorticity(const PlaneFlow& flow);

/// Stream function of every node, (y, x), with u = d psi/dy and v = - d psi/dx. Integrated by the
/// trapezoidal rule from zero in the south-west corner along the south side, then up each column,
/// with walls and solids at rest. NaN in solid nodes.
std::vector<double> stream_function(const PlaneFlow& flow);

/// Where the integration up each column has come.
struct StreamColumn {
  double stream_function = 0;
  double velocity_x = 0;
};
using StreamColumns = std::vector<StreamColumn>;
/// The same for a part of the rows. `columns` are those at the row south of it, empty at the south
/// side, and become those at its last row.
std::vector<double> stream_function(const PlaneFlow& flow, StreamColumns& columns);

/// A local extremum of the stream function.
struct Vortex {
  double x = 0;                ///< position in node spacings from the south-west corner
  double y = 0;                ///< likewise
  double stream_function = 0;  ///< at the node nearest to the extremum
};

/// The strongest local extrema of a stream function in a closed domain, strongest first: at most
/// `max_count`, and none weaker than `threshold` times the strongest. Positions are interpolated by
/// parabolas through the neighbouring nodes.
std::vector<Vortex> vortices(const PlaneFlow& flow, const std::vector<double>& stream_function,
                             std::size_t max_count, double threshold);
// The two steps of it: all extrema but in the outermost rows, in the order of their nodes, where
// the flow begins at row `first_row` of the domain, and the strongest of them.
std::vector<Vortex> extrema(const PlaneFlow& flow, const std::vector<double>& stream_function,
                            int first_row);
std::vector<Vortex> strongest(std::vector<Vortex> found, std::size_t max_count, double threshold);

}  // namespace knudsen::lbm_d2q9
