#include "methods/lbm_d2q9/initial_fields.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knudsen::lbm_d2q9 {

InitialFields initial_fields(const Parameters& p, const NodeMap& map, const lbm::Slab& slab,
                             const GivenFields& given) {
  const int owned = static_cast<int>(slab.owned());
  // After its own rows a slab has the row before it and the row after it.
  const int rows = slab.whole() ? owned : owned + 2;
  const auto row_of_lattice = [&](int i) {
    const int beside = i < owned ? i : (i == owned ? -1 : owned);
    const int all = map.extents.ny;
    return (static_cast<int>(slab.begin) + beside + all) % all;
  };
  const std::size_t nodes = static_cast<std::size_t>(rows) * map.extents.node(0, 1);
  InitialFields fields{std::vector<double>(nodes, 0.0),
                       std::vector<double>(nodes, 0.0),
                       std::vector<double>(nodes, 0.0),
                       {},
                       {}};
  const auto conduction_at = [&](int x, int y) {
    const std::vector<std::int16_t>& body = p.solids.body;
    const auto cell =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(p.nx) + static_cast<std::size_t>(x);
    return p.heat && !body.empty() ? p.heat->conduction(body[cell]) : nullptr;
  };
  if (p.heat) fields.scalar.assign(nodes, p.heat->initial);
  if (!map.conducting.empty()) {
    for (int row = 0; row < rows; ++row) {
      for (int x = 0; x < p.nx; ++x) {
        // Walls have no ghost nodes in a case with heat, so nodes are cells.
        const lbm::Conduction* conduction = conduction_at(x, row_of_lattice(row));
        if (conduction == nullptr || !conduction->initial) continue;
        fields.scalar[map.extents.node(x, row)] = *conduction->initial;
      }
    }
  }
  for (int row = owned; row < rows; ++row) {
    const std::size_t first = map.extents.node(0, row_of_lattice(row));
    for (std::size_t i = first; i < first + map.extents.node(0, 1); ++i) {
      const std::uint16_t index = map.node_class[i];
      const bool conducts = p.heat && map.scalar_classes[index].conducts;
      const bool fluid = map.classes[index].kind == NodeKind::fluid;
      fields.fluid_beside.push_back(conducts ? 2 : (fluid ? 1 : 0));
    }
  }
  const bool is_given =
      !given.density.empty() || !given.velocity.empty() || !given.temperature.empty();
  if (p.initial == InitialState::rest && !is_given) return fields;
  const double kx = 2 * std::numbers::pi * static_cast<double>(p.wave_numbers[0]) / p.nx;
  const double ky = 2 * std::numbers::pi * static_cast<double>(p.wave_numbers[1]) / p.ny;
  const double amplitude = p.initial_velocity[0];
  for (int row = 0; row < rows; ++row) {
    const int y = row_of_lattice(row) - map.offset[1];
    if (y < 0 || y >= p.ny) continue;  // ghost nodes of walls
    for (int x = 0; x < p.nx; ++x) {
      const std::size_t i = map.extents.node(x + map.offset[0], row);
      const auto set = [&](double density_deviation, double velocity_x, double velocity_y) {
        const auto cell = static_cast<std::size_t>(y) * p.nx + x;
        const bool own_velocity = given.velocity.empty();
        fields.density_deviation[i] =
            given.density.empty() ? density_deviation : given.density[cell] - 1;
        if (!given.temperature.empty()) {
          fields.scalar[i] = given.temperature[cell] - p.heat->reference;
        }
        fields.velocity_x[i] = own_velocity ? velocity_x : given.velocity[2 * cell];
        fields.velocity_y[i] = own_velocity ? velocity_y : given.velocity[2 * cell + 1];
      };
      if (p.initial != InitialState::taylor_green) {
        set(0, p.initial_velocity[0], p.initial_velocity[1]);
        continue;
      }
      // Solves the Navier-Stokes equations for any pair of wave numbers. The maximum speed is
      // `amplitude`, along the axis of the smaller wave number.
      const double larger = std::max(kx, ky);
      const double a = amplitude / larger;
      const double px = kx * (x + 0.5);
      const double py = ky * (y + 0.5);
      set(-0.75 * a * a * (ky * ky * std::cos(2 * px) + kx * kx * std::cos(2 * py)),
          -a * ky * std::cos(px) * std::sin(py), a * kx * std::sin(px) * std::cos(py));
    }
  }
  return fields;
}

}  // namespace knudsen::lbm_d2q9
