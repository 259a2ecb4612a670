#include "methods/boltzmann/velocity_cells.hpp"

#include <cmath>
#include <numbers>

namespace knudsen::boltzmann {

VelocityGrid equilibrium_weighted(const VelocityGrid& grid) {
  const double normal = 1 / std::sqrt(std::numbers::pi);
  VelocityGrid weighted = grid;
  for (VelocityAxis& axis : weighted) {
    for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
      axis.weights[i] *= normal * std::exp(-axis.nodes[i] * axis.nodes[i]);
    }
  }
  return weighted;
}

std::vector<double> cell_edges(const VelocityAxis& axis) {
  if (!axis.edges.empty()) return axis.edges;
  std::vector<double> edges{axis.minimum};
  for (const double width : axis.weights) edges.push_back(edges.back() + width);
  edges.back() = axis.maximum;
  return edges;
}

bool has_cells(const VelocityAxis& axis) {
  const auto edges = cell_edges(axis);
  const VelocityAxis weighted = equilibrium_weighted({axis, axis, axis})[0];
  const double range = axis.maximum - axis.minimum;
  double width = 0;
  bool cells = true;
  for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
    width += axis.weights[i];
    cells =
        cells &&
        (axis.edges.empty()
             ? std::abs(axis.nodes[i] - 0.5 * (edges[i] + edges[i + 1])) < 1e-9 * range
             : std::abs(weighted.weights[i] - equilibrium_share(edges[i], edges[i + 1])) < 1e-9);
  }
  return cells && (!axis.edges.empty() || std::abs(width - range) < 1e-9 * width);
}

double equilibrium_share(double low, double high) { return 0.5 * (std::erf(high) - std::erf(low)); }

double central_width(const VelocityAxis& axis) {
  const auto edges = cell_edges(axis);
  const std::size_t middle = axis.nodes.size() / 2;
  return edges[middle + 1] - edges[middle];
}

}  // namespace knudsen::boltzmann
