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
  std::vector<double> edges{axis.minimum};
  for (const double width : axis.weights) edges.push_back(edges.back() + width);
  edges.back() = axis.maximum;
  return edges;
}

}  // namespace knudsen::boltzmann
