#pragma once

#include <array>
#include <string>
#include <vector>

namespace knudsen {

/// Quadrature of one velocity component: the integral of f is the sum of weight x f(node).
struct VelocityAxis {
  std::vector<double> nodes;    ///< increasing, in sqrt(2 R T_ref)
  std::vector<double> weights;  ///< one a node
  double minimum = 0;           ///< lower end of the range that the nodes cover
  double maximum = 0;           ///< upper end of that range
  /// Whether the component is integrated out (Chu's reduced distributions). The entries are then
  /// moments along the component, see VelocitySpace.
  bool integrated = false;
  /// Along z: degrees of freedom of a rotation whose energy is stored besides f; 0: none.
  double rotation = 0;
  /// Gauss quadratures of a Maxwellian on parts of the axis: edges of one cell a node, over which
  /// that Maxwellian has the integral that the node stands for. Empty for other quadratures.
  std::vector<double> edges = {};

  int count() const { return static_cast<int>(nodes.size()); }
  /// Entries of a row of the distribution along this axis, see VelocitySpace.
  int entries() const { return count() + (rotation > 0 ? (integrated ? 1 : count()) : 0); }
  /// Largest magnitude of a node.
  double max_speed() const;
  /// Whether the nodes are symmetric about zero, which specular reflection requires.
  bool symmetric() const;
};

/// Tensor product of three components.
using VelocityGrid = std::array<VelocityAxis, 3>;

/// Rules on equidistant nodes. Midpoint: nodes at the centres of equal cells. Trapezoid: nodes from
/// end to end, half weights at the ends.
enum class QuadratureRule { midpoint, trapezoid };

/// Equidistant nodes. Throws std::invalid_argument if minimum >= maximum or if there are fewer
/// nodes than 1 (midpoint) or 2 (trapezoid).
VelocityAxis uniform_axis(double minimum, double maximum, int count,
                          QuadratureRule rule = QuadratureRule::midpoint);
/// Nodes at the centres of cells that grow geometrically from the middle of the range to its ends.
/// The outermost cells are `ratio` times as wide as the innermost. Throws std::invalid_argument if
/// the range is empty, count < 1 or ratio <= 0.
VelocityAxis stretched_axis(double minimum, double maximum, int count, double ratio);
/// Most nodes of the Gauss quadratures below.
constexpr int max_hermite_nodes = 64;
constexpr int max_panel_nodes = 16;
/// Gauss-Hermite quadrature with the weight function exp(-(v - centre)^2 / temperature), exact for
/// that Maxwellian times polynomials up to degree 2 count - 1. Throws std::invalid_argument unless
/// 1 <= count <= 64 and temperature > 0.
VelocityAxis gauss_hermite_axis(int count, double centre, double temperature);
/// Gauss quadrature with the weight function exp(-v^2 / temperature) on each half of the axis
/// separately: exact for that Maxwellian times polynomials up to degree count - 1 that may differ
/// between the halves. Throws std::invalid_argument unless count is even, 2 <= count <= 64 and
/// temperature > 0.
VelocityAxis half_range_axis(int count, double temperature);
/// Gauss quadrature with the weight function exp(-v^2 / temperature) on each of several panels of
/// either half of the axis: from 0 to `innermost`, and then up to `maximum`, each panel longer than
/// the one before by the same factor. `panel_nodes` nodes a panel. For distributions that jump at
/// zero and vary quickly beside it. Throws std::invalid_argument unless 1 <= panel_nodes <= 16, the
/// count is an even multiple of it, temperature > 0 and 0 < innermost < maximum (with one panel a
/// half, innermost is not used).
VelocityAxis graded_axis(double maximum, int count, double innermost, int panel_nodes,
                         double temperature);

/// A component that is integrated out; its mean velocity is zero. One entry, or two along z: f, and
/// f times the sum of squares of all components integrated out.
VelocityAxis integrated_axis(bool along_z);

/// Fraction of the Maxwellian with this mean velocity (in sqrt(2 R T_ref)) and temperature that
/// lies outside the range of the grid.
double share_outside(const VelocityGrid& grid, const std::array<double, 3>& velocity,
                     double temperature);

}  // namespace knudsen
