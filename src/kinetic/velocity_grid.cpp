#include "kinetic/velocity_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace knudsen {
namespace {

void check_range(double minimum, double maximum, int count, int least) {
  if (!(minimum < maximum)) {
    throw std::invalid_argument("the minimum of a velocity range must be below its maximum");
  }
  if (count < least) {
    throw std::invalid_argument("a velocity axis needs at least " + std::to_string(least) +
                                (least == 1 ? " node" : " nodes"));
  }
}

/// Orthonormal polynomials of a weight function, by their three-term recurrence:
/// root(k+1) p_(k+1) = (x - centre(k)) p_k - root(k) p_(k-1).
struct Polynomials {
  double first;                ///< p_0, a constant
  std::vector<double> centre;  ///< recurrence coefficients, k = 0, 1, ...
  std::vector<double> root;    ///< recurrence coefficients; root(0) is unused

  /// p_n(x), and the sum of the squares of p_0 to p_(n-1) at x.
  std::array<double, 2> value(int n, double x) const {
    double before = 0;
    double value = first;
    double squares = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
      squares += value * value;
      const double next = ((x - centre[k]) * value - root[k] * before) / root[k + 1];
      before = value;
      value = next;
    }
    return {value, squares};
  }
};

/// Root of p_n between two points at which its signs differ, by bisection.
double find_root(const Polynomials& polynomials, int n, double low, double high) {
  const bool rising = polynomials.value(n, low)[0] < 0;
  for (int i = 0; i < 200 && high - low > 0; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    ((polynomials.value(n, middle)[0] < 0) == rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Roots of p_count in [low, high]. They interlace with those of the polynomial one degree lower.
std::vector<double> find_roots(const Polynomials& polynomials, int count, double low, double high) {
  std::vector<double> roots;
  for (int n = 1; n <= count; ++n) {
    std::vector<double> ends{low};
    ends.insert(ends.end(), roots.begin(), roots.end());
    ends.push_back(high);
    roots.clear();
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      roots.push_back(find_root(polynomials, n, ends[i], ends[i + 1]));
    }
  }
  return roots;
}

/// Hermite polynomials, orthonormal with the weight exp(-x^2) on the whole line, up to degree
/// `count`.
Polynomials hermite_polynomials(int count) {
  Polynomials result{std::pow(std::numbers::pi, -0.25), {}, {}};
  for (int k = 0; k <= count; ++k) {
    result.centre.push_back(0);
    result.root.push_back(std::sqrt(k / 2.0));
  }
  return result;
}

/// Points and weights of a sum that stands for the integral with the weight exp(-x^2) over a part
/// of the axis, exact to rounding.
struct MaxwellianSum {
  std::vector<double> x;
  std::vector<double> weight;
};

/// On the positive half-line: points x = exp(t - exp(-t)) equidistant in t, which converge
/// exponentially (double exponential quadrature).
MaxwellianSum half_line_sum() {
  constexpr double from = -4;
  constexpr double to = 3;
  constexpr int points = 700;
  MaxwellianSum sum;
  for (int i = 0; i <= points; ++i) {
    const double t = from + (to - from) * i / points;
    sum.x.push_back(std::exp(t - std::exp(-t)));
    sum.weight.push_back((to - from) / points * sum.x.back() * (1 + std::exp(-t)) *
                         std::exp(-sum.x.back() * sum.x.back()));
  }
  return sum;
}

/// Between two points, by the double exponential quadrature for an interval.
MaxwellianSum panel_sum(double low, double high) {
  constexpr double end = 3.2;
  constexpr int points = 400;
  constexpr double quarter = std::numbers::pi / 2;
  MaxwellianSum sum;
  for (int i = 0; i <= points; ++i) {
    const double t = end * (2.0 * i / points - 1);
    const double place = quarter * std::sinh(t);
    const double slope = quarter * std::cosh(t) / (std::cosh(place) * std::cosh(place));
    const double x = 0.5 * (low + high) + 0.5 * (high - low) * std::tanh(place);
    sum.x.push_back(x);
    sum.weight.push_back(2 * end / points * 0.5 * (high - low) * slope * std::exp(-x * x));
  }
  return sum;
}

/// Polynomials orthonormal with the weight of a sum, up to degree `count`, by Stieltjes' procedure;
/// `first` is the one of degree 0.
Polynomials polynomials_of(const MaxwellianSum& sum, int count, double first) {
  const auto& [x, weight] = sum;
  std::vector<double> value, before;
  Polynomials result{first, {}, {0}};
  value.assign(x.size(), result.first);
  before.assign(x.size(), 0);
  for (std::size_t k = 0; k <= static_cast<std::size_t>(count); ++k) {
    double centre = 0;
    for (std::size_t i = 0; i < x.size(); ++i) centre += weight[i] * x[i] * value[i] * value[i];
    result.centre.push_back(centre);
    double square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double next = (x[i] - centre) * value[i] - result.root[k] * before[i];
      before[i] = value[i];
      value[i] = next;
      square += weight[i] * next * next;
    }
    result.root.push_back(std::sqrt(square));
    for (double& v : value) v /= result.root.back();
  }
  return result;
}

/// Those of the positive half-line.
Polynomials half_range_polynomials(int count) {
  return polynomials_of(half_line_sum(), count, std::sqrt(2 / std::sqrt(std::numbers::pi)));
}

/// Those between two points.
Polynomials panel_polynomials(double low, double high, int count) {
  const MaxwellianSum sum = panel_sum(low, high);
  return polynomials_of(sum, count,
                        1 / std::sqrt(std::accumulate(sum.weight.begin(), sum.weight.end(), 0.0)));
}

/// Roots of p_count and the edges between them of the cells over which exp(-x^2) has the integrals
/// that are the weights of the Gauss quadrature. Each edge lies between two roots (theorem of
/// Chebyshev, Markov and Stieltjes).
struct GaussCells {
  std::vector<double> roots;
  std::vector<double> edges;  ///< the upper edge of each cell but the last
};

/// Of the part of the axis from `low` to `end`; all roots are below `high`.
GaussCells gauss_cells(const Polynomials& polynomials, int count, double low, double high,
                       double end) {
  GaussCells cells{find_roots(polynomials, count, low, high), {}};
  double beyond = std::erfc(end);  // from an edge on, of the integral over all positive x
  for (std::size_t i = cells.roots.size(); i-- > 1;) {
    beyond += 2 / std::sqrt(std::numbers::pi) / polynomials.value(count, cells.roots[i])[1];
    double left = cells.roots[i - 1];
    double right = cells.roots[i];
    for (int n = 0; n < 100; ++n) {
      const double middle = 0.5 * (left + right);
      (std::erfc(middle) > beyond ? left : right) = middle;
    }
    cells.edges.push_back(0.5 * (left + right));
  }
  std::reverse(cells.edges.begin(), cells.edges.end());
  return cells;
}

/// Sets the edges of a symmetric axis from those above zero.
void set_symmetric_edges(VelocityAxis& axis, const std::vector<double>& above) {
  axis.edges.clear();
  for (std::size_t i = above.size(); i-- > 0;) axis.edges.push_back(-above[i]);
  axis.edges.push_back(0);
  axis.edges.insert(axis.edges.end(), above.begin(), above.end());
}

/// Adds a node of the Gauss quadrature of exp(-x^2), mapped to exp(-(v - centre)^2 / scale^2).
void add_node(VelocityAxis& axis, const Polynomials& polynomials, int count, double root,
              double sign, double centre, double scale) {
  axis.nodes.push_back(centre + sign * scale * root);
  axis.weights.push_back(scale * std::exp(root * root) / polynomials.value(count, root)[1]);
}

void set_range_by_nodes(VelocityAxis& axis) {
  axis.minimum = axis.nodes.front() - axis.weights.front() / 2;
  axis.maximum = axis.nodes.back() + axis.weights.back() / 2;
}

}  // namespace

double VelocityAxis::max_speed() const {
  return std::max(std::abs(nodes.front()), std::abs(nodes.back()));
}

bool VelocityAxis::symmetric() const {
  const double tolerance = 1e-12 * (maximum - minimum);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (std::abs(nodes[i] + nodes[nodes.size() - 1 - i]) > tolerance) return false;
  }
  return true;
}

VelocityAxis uniform_axis(double minimum, double maximum, int count, QuadratureRule rule) {
  const bool trapezoid = rule == QuadratureRule::trapezoid;
  check_range(minimum, maximum, count, trapezoid ? 2 : 1);
  VelocityAxis axis{{}, {}, minimum, maximum, false};
  const int intervals = trapezoid ? count - 1 : count;
  const double width = (maximum - minimum) / intervals;
  const double middle = 0.5 * (count - 1);
  for (int i = 0; i < count; ++i) {
    // Measured from the centre, so that symmetric grids are symmetric bit for bit.
    axis.nodes.push_back(0.5 * (minimum + maximum) + (i - middle) * width);
    const bool end = i == 0 || i == count - 1;
    axis.weights.push_back(trapezoid && end ? width / 2 : width);
  }
  return axis;
}

VelocityAxis stretched_axis(double minimum, double maximum, int count, double ratio) {
  check_range(minimum, maximum, count, 1);
  if (!(ratio > 0)) throw std::invalid_argument("the ratio of velocity cells must be positive");
  VelocityAxis axis{{}, {}, minimum, maximum, false};
  const double middle = 0.5 * (count - 1);
  double total = 0;
  for (int i = 0; i < count; ++i) {
    const double distance = middle > 0 ? std::abs(i - middle) / middle : 0;
    axis.weights.push_back(std::pow(ratio, distance));
    total += axis.weights.back();
  }
  for (double& width : axis.weights) width *= (maximum - minimum) / total;
  axis.nodes.resize(axis.weights.size());
  const double centre = 0.5 * (minimum + maximum);
  double edge = count % 2 == 0 ? 0 : -0.5 * axis.weights[static_cast<std::size_t>(count / 2)];
  for (int i = count / 2; i < count; ++i) {
    const auto high = static_cast<std::size_t>(i);
    const auto low = static_cast<std::size_t>(count - 1 - i);
    const double node = edge + 0.5 * axis.weights[high];
    edge += axis.weights[high];
    axis.nodes[high] = centre + node;
    axis.nodes[low] = centre - node;
  }
  return axis;
}

VelocityAxis gauss_hermite_axis(int count, double centre, double temperature) {
  if (count < 1 || count > max_hermite_nodes) {
    throw std::invalid_argument("Gauss-Hermite quadrature takes 1 to 64 nodes");
  }
  if (!(temperature > 0)) throw std::invalid_argument("temperature of quadrature not positive");
  const Polynomials polynomials = hermite_polynomials(count);
  const double end = std::sqrt(2.0 * count + 1);
  std::vector<double> roots = find_roots(polynomials, count, -end, end);
  for (std::size_t i = 0; i < roots.size() / 2; ++i) {
    const double root = 0.5 * (roots[roots.size() - 1 - i] - roots[i]);
    roots[i] = -root;
    roots[roots.size() - 1 - i] = root;
  }
  if (count % 2 == 1) roots[roots.size() / 2] = 0;

  VelocityAxis axis;
  for (const double root : roots) {
    add_node(axis, polynomials, count, root, 1, centre, std::sqrt(temperature));
  }
  set_range_by_nodes(axis);
  return axis;
}

VelocityAxis half_range_axis(int count, double temperature) {
  if (count < 2 || count > max_hermite_nodes || count % 2 != 0) {
    throw std::invalid_argument("half-range quadrature takes an even number of nodes, 2 to 64");
  }
  if (!(temperature > 0)) throw std::invalid_argument("temperature of quadrature not positive");
  const int half = count / 2;
  const Polynomials polynomials = half_range_polynomials(half);
  const GaussCells cells = gauss_cells(polynomials, half, 0, std::sqrt(2.0 * count + 2),
                                       std::numeric_limits<double>::infinity());
  VelocityAxis axis;
  const double scale = std::sqrt(temperature);
  for (std::size_t i = cells.roots.size(); i-- > 0;) {
    add_node(axis, polynomials, half, cells.roots[i], -1, 0, scale);
  }
  for (const double root : cells.roots) add_node(axis, polynomials, half, root, 1, 0, scale);
  set_range_by_nodes(axis);
  std::vector<double> edges;
  for (const double edge : cells.edges) edges.push_back(scale * edge);
  edges.push_back(std::numeric_limits<double>::infinity());
  set_symmetric_edges(axis, edges);
  return axis;
}

VelocityAxis graded_axis(double maximum, int count, double innermost, int panel_nodes,
                         double temperature) {
  if (panel_nodes < 1 || panel_nodes > max_panel_nodes) {
    throw std::invalid_argument("a panel of a graded velocity axis has 1 to 16 nodes");
  }
  if (count < 1 || count % (2 * panel_nodes) != 0) {
    throw std::invalid_argument(
        "a graded velocity axis needs as many whole panels on either side of zero");
  }
  if (!(temperature > 0)) throw std::invalid_argument("temperature of quadrature not positive");
  const int panels = count / (2 * panel_nodes);
  if (!(maximum > 0) || (panels > 1 && !(innermost > 0 && innermost < maximum))) {
    throw std::invalid_argument("the innermost panel must end between zero and the maximum");
  }
  const double scale = std::sqrt(temperature);
  VelocityAxis above;  // the nodes above zero
  std::vector<double> edges;
  double low = 0;
  for (int n = 0; n < panels; ++n) {
    const double exponent = panels > 1 ? double(n) / (panels - 1) : 1;
    const double high =
        n + 1 == panels ? maximum : innermost * std::pow(maximum / innermost, exponent);
    const Polynomials polynomials = panel_polynomials(low / scale, high / scale, panel_nodes);
    const GaussCells cells =
        gauss_cells(polynomials, panel_nodes, low / scale, high / scale, high / scale);
    for (const double root : cells.roots) {
      add_node(above, polynomials, panel_nodes, root, 1, 0, scale);
    }
    for (const double edge : cells.edges) edges.push_back(scale * edge);
    edges.push_back(high);
    low = high;
  }
  VelocityAxis axis{{}, {}, -maximum, maximum, false};
  for (std::size_t i = above.nodes.size(); i-- > 0;) {
    axis.nodes.push_back(-above.nodes[i]);
    axis.weights.push_back(above.weights[i]);
  }
  axis.nodes.insert(axis.nodes.end(), above.nodes.begin(), above.nodes.end());
  axis.weights.insert(axis.weights.end(), above.weights.begin(), above.weights.end());
  set_symmetric_edges(axis, edges);
  return axis;
}

VelocityAxis integrated_axis(bool along_z) {
  if (along_z) return {{0, 0}, {1, 0}, 0, 0, true};
  return {{0}, {1}, 0, 0, true};
}

double share_outside(const VelocityGrid& grid, const std::array<double, 3>& velocity,
                     double temperature) {
  double outside = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (grid[d].integrated) continue;
    const double scale = 1 / std::sqrt(temperature);
    const double share = 0.5 * (std::erfc((grid[d].maximum - velocity[d]) * scale) +
                                std::erfc((velocity[d] - grid[d].minimum) * scale));
    outside = outside + share - outside * share;
  }
  return outside;
}

}  // namespace knudsen
