#pragma once

#include <array>
#include <string>
#include <vector>

#include "case/reader.hpp"

namespace knudsen {

/// Discrete velocities along one component: the integral of f is the sum of weight x f(node).
struct VelocityAxis {
  std::vector<double> nodes;  ///< increasing
  std::vector<double> weights;
  double minimum = 0;  ///< the range that the nodes stand for
  double maximum = 0;
  /// The component is integrated out: the nodes stand for moments along it, see VelocitySpace.
  bool integrated = false;

  int count() const { return static_cast<int>(nodes.size()); }
  /// Largest magnitude of a node.
  double highest() const;
  /// Whether each node has its mirror image about zero, as specular reflection needs.
  bool symmetric() const;
};

/// Tensor product of three components.
using VelocityGrid = std::array<VelocityAxis, 3>;

/// Weights of a uniform axis: nodes in the centres of equal cells, or from end to end.
enum class QuadratureRule { midpoint, trapezoid };

/// Throws std::invalid_argument where minimum >= maximum or count is too small (1; 2 for the
/// trapezoid rule).
VelocityAxis uniform_axis(double minimum, double maximum, int count,
                          QuadratureRule rule = QuadratureRule::midpoint);
/// Cells that grow geometrically from the centre of the range to its ends, where they are `ratio`
/// times as wide; nodes in their centres.
VelocityAxis stretched_axis(double minimum, double maximum, int count, double ratio);
/// Nodes of Gauss-Hermite quadrature for exp(-(v - centre)^2 / temperature); exact for that
/// Maxwellian times polynomials up to degree 2 count - 1. At most 64 nodes.
VelocityAxis gauss_hermite_axis(int count, double centre, double temperature);
/// Gauss quadrature for exp(-v^2 / temperature) on each half of the axis by itself: exact for that
/// Maxwellian times polynomials up to degree count - 1, different ones on the two halves. An even
/// number of nodes, at most 64.
VelocityAxis half_range_axis(int count, double temperature);

/// A component that is integrated out, with mean velocity zero: one entry, or, for z, two of which
/// the second is the distribution times the squares of all components that are so.
VelocityAxis integrated_axis(bool along_z);

/// Share of the Maxwellian of this mean velocity and temperature (velocity unit sqrt(2 R T_ref))
/// that lies outside the ranges of the grid.
double share_outside(const VelocityGrid& grid, const std::array<double, 3>& velocity,
                     double temperature);

/// Reads the block "velocity_grid" of a case.
VelocityGrid read_velocity_grid(CaseNode& root);

}  // namespace knudsen
