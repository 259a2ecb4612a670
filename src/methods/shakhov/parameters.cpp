#include "methods/shakhov/parameters.hpp"

#include <algorithm>

#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/slices.hpp"

namespace knudsen::shakhov {

double batch_bytes(const Parameters& p, int blocks) {
  const double value = p.single_precision ? 4 : 8;
  return p.scheme == Scheme::slices ? slices_bytes(p.grid, blocks, value)
                                    : storage_bytes(p.grid, p.tuning, p.order, blocks, value);
}

double bytes_a_point(const Parameters& p) {
  const double value = p.single_precision ? 4 : 8;
  // The sweep reads three values and writes one; the moments read one and write one.
  if (p.scheme == Scheme::slices) return 6 * value;
  double crossing = 0;
  for (std::size_t d = 0; d < 2; ++d) {
    if (p.grid.cells[1 + d] > 1) crossing += 1.0 / p.tuning.tile[d];
  }
  const VelocityAxis& z = p.grid.velocities[2];
  return value * 2 * p.order * crossing * z.entries() / z.count();
}

Parameters coarse_parameters(const Parameters& parameters) {
  Parameters coarse = parameters;
  coarse.grid.velocities = parameters.coarse_start->velocities;
  coarse.coarse_start.reset();
  const auto blocks = blocks_of(coarse.grid.velocities);
  const int octants = parameters.scheme == Scheme::slices ? 1 : 2;
  coarse.batch_blocks =
      std::min(parameters.batch_blocks, octants * blocks[0] * blocks[1] * blocks[2]);
  return coarse;
}

bool Parameters::has_open_side() const {
  return std::any_of(grid.sides.begin(), grid.sides.end(),
                     [](const SideCondition& side) { return surface_law(side).open(); });
}

}  // namespace knudsen::shakhov
