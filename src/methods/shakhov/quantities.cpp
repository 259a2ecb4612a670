#include "methods/shakhov/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kinetic/gas_fields.hpp"
#include "methods/gas/cavity.hpp"
#include "methods/gas/quantities.hpp"

namespace knudsen::shakhov {
namespace {

using Monitor = MonitorTable<Solution>::Row;

/// Sum over the gas cells of volume x value(state), and the volume of the gas.
struct Integral {
  double sum = 0;
  double volume = 0;
};

template <class Value>
Integral integral(Solution& solution, const Value& value) {
  const FlowGrid& grid = solution.parameters().grid;
  const auto& cells = solution.cells();
  Integral result;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    if (grid.solid(cell)) continue;
    const double part = grid.gas_volume(cell);
    result.volume += part;
    result.sum += part * value(cells[cell]);
  }
  return result;
}

Monitor mean_velocity(std::size_t axis) {
  const std::string& name = axis_names[axis];
  return {{"mean_velocity_" + name, "v_ref",
           "Mean of the velocity along " + name + " over the cells' volume."},
          [axis](Solution& solution) {
            const Integral all =
                integral(solution, [axis](const Macroscopic& s) { return s.velocity[axis]; });
            return all.sum / all.volume;
          }};
}

double max_speed(Solution& solution) {
  double highest = 0;
  for (const Macroscopic& s : solution.cells()) highest = std::max(highest, speed_of(s));
  return highest;
}

double cavity_flow_rate_of(Solution& solution) {
  const FlowGrid& grid = solution.parameters().grid;
  std::array<std::vector<double>, 3> widths;
  for (std::size_t d = 0; d < 3; ++d) {
    for (int i = 0; i < grid.cells[d]; ++i) widths[d].push_back(grid.width(d, i));
  }
  const auto& cells = solution.cells();
  return cavity_flow_rate(grid.sides, widths, [&](int x, int y, int z) {
    return cells[grid.index({x, y, z})].velocity[0];
  });
}

/// Mean flux through the open part of a side, 0 if solids cover it wholly. A momentum or energy
/// flux in units of the reference pressure is twice that in units of the reference density.
double side_flux(Solution& solution, int side, std::size_t flux) {
  const WallFlux wall = solution.wall_flux(side);
  if (wall.area == 0) return 0;
  return wall.total[flux] / wall.area * (flux == 0 ? 1 : 2);
}

void add_cavity(MonitorTable<Solution>& monitors) {
  monitors.add({drag_coefficient_quantity(), [](Solution& solution) {
                  return cavity_drag(side_flux(solution, north, 1),
                                     solution.parameters().grid.sides);
                }});
  monitors.add({flow_rate_quantity(), cavity_flow_rate_of});
}

void add_side(int side, MonitorTable<Solution>& monitors) {
  const auto quantities = side_quantities(side_names[static_cast<std::size_t>(side)]);
  for (std::size_t flux = 0; flux < flux_count; ++flux) {
    monitors.add({quantities[flux],
                  [side, flux](Solution& solution) { return side_flux(solution, side, flux); }});
  }
  add_flows<Solution>(
      side_names[static_cast<std::size_t>(side)],
      [side](Solution& solution) { return solution.wall_flux(side).total[0]; }, monitors);
}

void add_temperature(const std::string& name, int wall, MonitorTable<Solution>& monitors) {
  monitors.add({temperature_quantity(name), [wall](Solution& solution) {
                  return mean_temperature(solution.surface_loads(), wall);
                }});
}

/// A load over dynamic pressure of the stream x frontal area of a body. NaN if the body has none.
double over_stream(double load, const Solution& solution, const WallFlux& wall) {
  if (wall.frontal_area == 0) return std::numeric_limits<double>::quiet_NaN();
  const GasState& stream = solution.parameters().initial;
  const double speed = std::abs(stream.velocity[0]);
  return load / (0.5 * stream.density * speed * speed * wall.frontal_area);
}

void add_coefficients(const std::string& body, int wall, MonitorTable<Solution>& monitors) {
  monitors.add({{body + ".drag_coefficient", "1",
                 "Drag coefficient: force along the stream over dynamic pressure x frontal area of "
                 "the body. NaN if no face of it meets the stream."},
                [wall](Solution& solution) {
                  const WallFlux flux = solution.wall_flux(wall);
                  const bool west_bound = solution.parameters().initial.velocity[0] < 0;
                  return over_stream(west_bound ? -flux.total[1] : flux.total[1], solution, flux);
                }});
  for (const std::size_t axis : {1U, 2U}) {
    monitors.add(
        {{body + ".lift_coefficient_" + axis_names[axis], "1",
          "Lift coefficient: force over dynamic pressure x frontal area of the body, along " +
              axis_names[axis] + "."},
         [wall, axis](Solution& solution) {
           const WallFlux flux = solution.wall_flux(wall);
           return over_stream(flux.total[1 + axis], solution, flux);
         }});
  }
  monitors.add({{body + ".heat_coefficient", "1",
                 "Heat transfer coefficient: heat load over (1/2) density x speed^3 of the stream "
                 "x frontal area of the body."},
                [wall](Solution& solution) {
                  const WallFlux flux = solution.wall_flux(wall);
                  const double speed = std::abs(solution.parameters().initial.velocity[0]);
                  return over_stream(flux.total[4], solution, flux) / speed;
                }});
}

void add_body(const std::string& body, int wall, int dimensions, bool in_stream,
              MonitorTable<Solution>& monitors) {
  const auto quantities = solid_quantities(body);
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    // The mass flux, the first of the fluxes, is no monitor of a body.
    monitors.add({quantities[i], [wall, flux = i + 1](Solution& solution) {
                    return 2 * solution.wall_flux(wall).total[flux];
                  }});
  }
  add_temperature(body, wall, monitors);
  for (const TorqueMonitor& each : torque_monitors(body, dimensions)) {
    monitors.add({each.quantity, [wall, axis = each.axis](Solution& solution) {
                    return torque(solution.surface_loads(), wall, axis);
                  }});
  }
  if (in_stream) add_coefficients(body, wall, monitors);
}

}  // namespace

const std::array<std::string, change_count>& change_names() {
  static const std::array<std::string, change_count> names{
      "density_change", "momentum_x_change",      "momentum_y_change", "momentum_z_change",
      "energy_change",  "pressure_tensor_change", "heat_flux_change"};
  return names;
}

double largest_change_of_moments(const Changes& changes) {
  return *std::max_element(changes.begin(), changes.begin() + 5);
}

FieldTable<Solution> field_table(bool rotates) {
  FieldTable<Solution> fields;
  for (const GasField& field : gas_fields(rotates)) {
    fields.add({field.quantity, [field](Solution& solution) {
                  const auto& cells = solution.cells();
                  const FlowGrid& grid = solution.parameters().grid;
                  return solution.field_values(
                      field.quantity.components, [&](std::size_t cell, std::size_t c) {
                        return grid.solid(cell) ? std::numeric_limits<double>::quiet_NaN()
                                                : field.value(cells[cell], c);
                      });
                }});
  }
  fields.add({{"position", "L", "Centres of the cells.", 3}, [](Solution& solution) {
                const FlowGrid& grid = solution.parameters().grid;
                return solution.field_values(3, [&](std::size_t cell, std::size_t c) {
                  const auto i = static_cast<std::size_t>(grid.at(cell)[c]);
                  return 0.5 * (grid.edges[c][i] + grid.edges[c][i + 1]);
                });
              }});
  fields.add(
      {{"body", "1", "Number of the solid, counted from 1, that a cell belongs to; 0 in the gas."},
       [](Solution& solution) {
         const FlowGrid& grid = solution.parameters().grid;
         return solution.field_values(
             1, [&](std::size_t cell, std::size_t) { return grid.body_of(cell) + 1.0; });
       }});
  fields.add({{"gas_volume", "1", "Share of a cell's volume that is gas."}, [](Solution& solution) {
                const FlowGrid& grid = solution.parameters().grid;
                return solution.field_values(1, [&](std::size_t cell, std::size_t) {
                  return grid.gas_volume(cell) / grid.volume(grid.at(cell));
                });
              }});
  return fields;
}

MonitorTable<Solution> common_monitors() {
  MonitorTable<Solution> monitors;
  monitors.add({{"mass", "rho_ref L^d", "Mass: integral of the density."}, [](Solution& solution) {
                  return integral(solution, [](const Macroscopic& s) { return s.density; }).sum;
                }});
  monitors.add({{"energy", "p_ref L^d", "Integral of the thermal and kinetic energy."},
                [](Solution& solution) {
                  const double freedom = 0.5 * (3 + solution.parameters().gas.rotation);
                  return integral(solution,
                                  [freedom](const Macroscopic& s) {
                                    const double speed = speed_of(s);
                                    return s.density * (freedom * s.temperature + speed * speed);
                                  })
                      .sum;
                }});
  monitors.add({{"max_speed", "v_ref", "Largest speed of all cells."}, max_speed});
  monitors.add(mean_velocity(0));
  monitors.add(mean_velocity(1));
  const std::array<std::string, change_count> changing{
      "density", "momentum along x", "momentum along y", "momentum along z",
      "energy",  "pressure tensor",  "heat flux"};
  for (std::size_t i = 0; i < change_count; ++i) {
    const bool of_momentum = i >= 1 && i <= 3;
    monitors.add({{change_names()[i], "1",
                   "Change of the " + changing[i] +
                       " in one iteration: norm of the change over the norm of the values, both "
                       "over all cells" +
                       (of_momentum ? "; if only rounding changes it, over the norm of the whole "
                                      "momentum."
                                    : ".")},
                  [i](Solution& solution) { return solution.changes()[i]; }});
  }
  monitors.add(
      {{"moments_change", "1",
        "Largest of the changes of density, momentum and energy in one iteration; at least 0.05 "
        "where cells had to be kept positive."},
       [](Solution& solution) { return largest_change_of_moments(solution.changes()); }});
  return monitors;
}

MonitorTable<Solution> monitor_table(const Parameters& p) {
  MonitorTable<Solution> monitors = common_monitors();
  if (is_cavity(p.grid.sides, p.grid.dimensions)) add_cavity(monitors);
  for (int side = 0; side < 2 * p.grid.dimensions; ++side) {
    const bool periodic = p.grid.sides[static_cast<std::size_t>(side)].kind == SideKind::periodic;
    if (!periodic) add_side(side, monitors);
    if (p.grid.sides[static_cast<std::size_t>(side)].kind == SideKind::wall) {
      add_temperature(side_names[static_cast<std::size_t>(side)], side, monitors);
    }
    if (p.grid.sides[static_cast<std::size_t>(side)].kind == SideKind::pressure) {
      monitors.add({mach_quantity(side_names[static_cast<std::size_t>(side)]),
                    [side](Solution& solution) { return solution.mach_number(side); }});
    }
  }
  add_conductance(p.grid.sides, monitors);
  const bool in_stream = std::abs(p.initial.velocity[0]) > 0;
  int wall = 6;
  for (const GasSolid& body : p.grid.solids.bodies)
    add_body(body.name, wall++, p.grid.dimensions, in_stream, monitors);
  return monitors;
}

std::vector<Quantity> field_quantities() { return field_table(false).quantities(); }

std::vector<Quantity> monitor_quantities() { return common_monitors().quantities(); }

std::vector<Quantity> part_quantities() {
  std::vector<Quantity> quantities = side_quantities("<side>");
  for (Quantity& flow : flow_quantities("<side>")) quantities.push_back(std::move(flow));
  quantities.push_back(temperature_quantity("<side>"));
  quantities.push_back(mach_quantity("<side>"));
  MonitorTable<Solution> monitors;
  add_body("<solid>", 6, 3, true, monitors);
  for (Quantity& quantity : monitors.quantities()) quantities.push_back(std::move(quantity));
  return quantities;
}

}  // namespace knudsen::shakhov
