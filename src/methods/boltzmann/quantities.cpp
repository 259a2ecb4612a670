#include "methods/boltzmann/quantities.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "methods/gas/cavity.hpp"
#include "methods/gas/quantities.hpp"
#include "methods/gas/surfaces.hpp"

namespace knudsen::boltzmann {

const std::array<const char*, 3> statistics_names{"drag_coefficient", "lid_stress", "flow_rate"};

namespace {

using FieldRow = FieldTable<Solution>::Row;
using MonitorRow = MonitorTable<Solution>::Row;

/// Field with the components scale x value(deviation of a cell, component).
template <class Value>
FieldRow scaled_field(Quantity quantity, const Value& value) {
  const int components = quantity.components;
  return {std::move(quantity), [components, value](Solution& solution) {
            const double scale = solution.parameters().scale;
            const auto& cells = solution.cells();
            return solution.field_values(components, [&](std::size_t cell, std::size_t c) {
              return scale * value(cells[cell], c);
            });
          }};
}

/// Integral over the box of value(deviation of a cell).
template <class Value>
double integral(Solution& solution, const Value& value) {
  const Parameters& p = solution.parameters();
  const auto& cells = solution.cells();
  double sum = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) sum += p.volume(p.cell(i)) * value(cells[i]);
  return sum;
}

double volume(Solution& solution) {
  return integral(solution, [](const Deviation&) { return 1.0; });
}

/// Length of the box along x.
double length_of(const Parameters& p) {
  const auto& widths = p.grid.widths[0];
  return std::accumulate(widths.begin(), widths.end(), 0.0);
}

MonitorRow momentum(std::size_t axis) {
  const std::string& name = axis_names[axis];
  return {{"momentum_" + name, "rho_ref v_ref L^d", "Integral of the momentum along " + name + "."},
          [axis](Solution& solution) {
            const double e = solution.parameters().collision.perturbation_parameter;
            return solution.parameters().scale * integral(solution, [&](const Deviation& s) {
                     return s.velocity[axis] * (1 + e * s.density);
                   });
          }};
}

MonitorRow mean_velocity(std::size_t axis) {
  const std::string& name = axis_names[axis];
  return {
      {"mean_velocity_" + name, "v_ref", "Mean of the velocity along " + name + " over the box."},
      [axis](Solution& solution) {
        return solution.parameters().scale *
               integral(solution, [&](const Deviation& s) { return s.velocity[axis]; }) /
               volume(solution);
      }};
}

double energy_deviation(Solution& solution) {
  const double e = solution.parameters().collision.perturbation_parameter;
  return solution.parameters().scale * integral(solution, [&](const Deviation& s) {
           const double speed = speed_of(s);
           return 1.5 * (s.density + s.temperature * (1 + e * s.density)) +
                  e * (1 + e * s.density) * speed * speed;
         });
}

double max_speed(Solution& solution) {
  double highest = 0;
  for (const Deviation& s : solution.cells()) highest = std::max(highest, speed_of(s));
  return solution.parameters().scale * highest;
}

/// Amplitude of the sine along x in value(deviation of a cell).
template <class Value>
double wave_amplitude(Solution& solution, const Value& value) {
  const Parameters& p = solution.parameters();
  const auto& cells = solution.cells();
  const double length = length_of(p);
  double sum = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell cell = p.cell(i);
    const double sine = std::sin(2 * std::numbers::pi * p.centre(0, cell.at[0]) / length);
    sum += p.volume(cell) * sine * value(cells[i]);
  }
  return p.scale * 2 * sum / volume(solution);
}

double velocity_change(Solution& solution) {
  const auto& now = solution.cells();
  const auto& before = solution.remembered_cells();
  double squares = 0;
  double speeds = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      squares += std::pow(now[i].velocity[d] - before[i].velocity[d], 2);
    }
    speeds += speed_of(now[i]);
  }
  return std::sqrt(double(now.size()) * squares) / speeds;
}

double flow_rate(Solution& solution) {
  const PhaseGrid& grid = solution.parameters().grid;
  const auto& cells = solution.cells();
  if (cells.empty()) return 0;  // not the first rank
  return solution.parameters().scale *
         cavity_flow_rate(grid.sides, {grid.widths[0], grid.widths[1], {1.0}},
                          [&](int x, int y, int) {
                            const auto columns = static_cast<std::size_t>(grid.cells(0));
                            const std::size_t row = static_cast<std::size_t>(y) * columns;
                            return cells[row + static_cast<std::size_t>(x)].velocity[0];
                          });
}

double lid_stress(Solution& solution) {
  const PhaseGrid& grid = solution.parameters().grid;
  const auto& cells = solution.cells();
  if (cells.empty()) return 0;  // not the first rank
  const auto& widths = grid.widths[0];
  const auto first = cells.size() - widths.size();
  return cavity_lid_stress(grid.sides, widths, [&](int x) {
    return solution.parameters().scale * cells[first + static_cast<std::size_t>(x)].stress[3];
  });
}

void add_side(int side, MonitorTable<Solution>& monitors) {
  const auto quantities =
      side_quantities(side_names[static_cast<std::size_t>(side)], ", relative to the gas at rest");
  for (std::size_t flux = 0; flux < flux_count; ++flux) {
    monitors.add({quantities[flux],
                  [side, flux](Solution& solution) { return solution.side_flux(side, flux); }});
  }
  add_flows<Solution>(
      side_names[static_cast<std::size_t>(side)],
      [side](Solution& solution) {
        double area = 1;
        for (std::size_t d = 0; d < solution.parameters().dimensions(); ++d) {
          const auto& widths = solution.parameters().grid.widths[d];
          if (d == static_cast<std::size_t>(side / 2)) continue;
          area *= std::accumulate(widths.begin(), widths.end(), 0.0);
        }
        return area * solution.side_flux(side, 0);
      },
      monitors);
}

void add_cavity(MonitorTable<Solution>& monitors) {
  monitors.add({drag_coefficient_quantity(), [](Solution& solution) {
                  return cavity_drag(solution.side_flux(north, 1),
                                     solution.parameters().grid.sides);
                }});
  monitors.add({flow_rate_quantity(), flow_rate});
  std::vector<Quantity> lid;
  add_lid_stress_monitor(lid);
  monitors.add({lid.front(), lid_stress});
}

void add_statistics(MonitorTable<Solution>& monitors) {
  for (std::size_t n = 0; n < statistics_names.size(); ++n) {
    const std::string name = statistics_names[n];
    monitors.add({{name + "_mean", "1", "Mean since step `statistics.from_step`."},
                  [n](Solution& solution) { return solution.statistics(n).mean; }});
    monitors.add(
        {{name + "_deviation", "1", "Standard deviation since step `statistics.from_step`."},
         [n](Solution& solution) { return solution.statistics(n).deviation(); }});
  }
}

}  // namespace

FieldTable<Solution> field_table() {
  FieldTable<Solution> fields;
  fields.add(
      scaled_field({"density_deviation", "rho_ref", "Density minus that of the reference state."},
                   [](const Deviation& s, std::size_t) { return s.density; }));
  fields.add(scaled_field({"velocity", "v_ref", "Velocity.", 3},
                          [](const Deviation& s, std::size_t c) { return s.velocity[c]; }));
  fields.add(scaled_field({"speed", "v_ref", "Magnitude of the velocity."},
                          [](const Deviation& s, std::size_t) { return speed_of(s); }));
  fields.add(scaled_field(
      {"temperature_deviation", "T_ref", "Temperature minus that of the reference state."},
      [](const Deviation& s, std::size_t) { return s.temperature; }));
  fields.add(scaled_field(
      {"stress_deviation", "p_ref", "Pressure tensor minus that of the reference state.", 6},
      [](const Deviation& s, std::size_t c) { return s.stress[c]; }));
  fields.add(scaled_field({"heat_flux", "p_ref v_ref", "Heat flux.", 3},
                          [](const Deviation& s, std::size_t c) { return s.heat_flux[c]; }));
  fields.add({{"position", "L", "Centres of the cells.", 3}, [](Solution& solution) {
                const Parameters& p = solution.parameters();
                return solution.field_values(3, [&](std::size_t cell, std::size_t c) {
                  return p.centre(c, p.cell(cell).at[c]);
                });
              }});
  return fields;
}

MonitorTable<Solution> common_monitors() {
  MonitorTable<Solution> monitors;
  monitors.add({{"mass_deviation", "rho_ref L^d",
                 "Integral of the density minus that of the reference state."},
                [](Solution& solution) {
                  return solution.parameters().scale *
                         integral(solution, [](const Deviation& s) { return s.density; });
                }});
  monitors.add(momentum(0));
  monitors.add(momentum(1));
  monitors.add({{"energy_deviation", "p_ref L^d",
                 "Integral of the energy minus that of the reference state."},
                energy_deviation});
  monitors.add({{"entropy", "1",
                 "Entropy of the deviation h in f = Phi_0 (1 + epsilon h), over epsilon^2: the "
                 "integral of Phi_0 h^2 / 2 over the velocities and its higher orders in epsilon, "
                 "averaged over the domain. Collisions decrease it."},
                [](Solution& solution) {
                  return integral(solution, [](const Deviation& s) { return s.entropy; }) /
                         volume(solution);
                }});
  monitors.add({{"max_speed", "v_ref", "Largest speed of all cells."}, max_speed});
  monitors.add(mean_velocity(0));
  monitors.add(mean_velocity(1));
  monitors.add(
      {{"shear_wave", "v_ref",
        "Amplitude of the sine along x in the velocity along y, with one period over the domain."},
       [](Solution& solution) {
         return wave_amplitude(solution, [](const Deviation& s) { return s.velocity[1]; });
       }});
  monitors.add(
      {{"thermal_wave", "T_ref",
        "Amplitude of the sine along x in the temperature, with one period over the domain."},
       [](Solution& solution) {
         return wave_amplitude(solution, [](const Deviation& s) { return s.temperature; });
       }});
  monitors.add({{"velocity_change", "1",
                 "Root mean square change of the velocity in one step over the mean speed."},
                velocity_change});
  return monitors;
}

std::vector<SurfaceLoad> find_surface_loads(Solution& solution) {
  const Parameters& p = solution.parameters();
  const CartesianGrid grid = cell_grid(p.grid);
  const int cells[3] = {grid.cells[0], grid.cells[1], grid.cells[2]};
  const Surfaces surfaces(p.grid.sides);
  std::vector<SurfaceLaw> laws;
  for (const SideCondition& condition : surfaces.conditions) {
    laws.push_back(surface_law(condition));
  }
  std::vector<SurfaceLoad> loads;
  for (int side = 0; side < 2 * p.grid.dimensions; ++side) {
    const auto axis = static_cast<std::size_t>(side / 2);
    if (p.grid.sides[static_cast<std::size_t>(side)].kind == SideKind::periodic) continue;
    const std::vector<SurfaceFlux> fluxes = solution.face_fluxes(side);
    for (std::size_t face = 0; face < fluxes.size(); ++face) {
      const Cell cell = cell_on_line(cells, side / 2, side % 2 == 0 ? 0 : grid.cells[axis] - 1,
                                     static_cast<int>(face));
      const std::array<int, 3> at{cell.at[0], cell.at[1], cell.at[2]};
      const int surface = surfaces.of_face(side, side_face(grid.cells, side, at));
      SurfaceLoad load{{static_cast<std::size_t>(cell.index), side, {}},
                       side,
                       1,
                       side_normal(side),
                       {},
                       fluxes[face],
                       laws[static_cast<std::size_t>(surface)].temperature()};
      load.flux[1 + axis] += 0.5 * load.normal[axis];  // pressure of the gas at rest
      for (std::size_t d = 0; d < 3; ++d) {
        const double lower = grid.edge(d, at[d]);
        const double upper = grid.edge(d, at[d] + 1);
        if (d < p.dimensions() && d != axis) load.area *= upper - lower;
        load.centre[d] = d != axis ? 0.5 * (lower + upper) : side % 2 == 0 ? lower : upper;
      }
      loads.push_back(load);
    }
  }
  return loads;
}

MonitorTable<Solution> monitor_table(const Parameters& p) {
  MonitorTable<Solution> monitors = common_monitors();
  for (int side = 0; side < 2 * p.grid.dimensions; ++side) {
    const bool periodic = p.grid.sides[static_cast<std::size_t>(side)].kind == SideKind::periodic;
    if (!periodic) add_side(side, monitors);
  }
  add_conductance(p.grid.sides, monitors);
  if (!is_cavity(p.grid.sides, p.grid.dimensions)) return monitors;
  add_cavity(monitors);
  if (p.statistics_every > 0) add_statistics(monitors);
  return monitors;
}

std::vector<Quantity> field_quantities() { return field_table().quantities(); }

std::vector<Quantity> monitor_quantities() { return common_monitors().quantities(); }

std::vector<Quantity> part_quantities() {
  std::vector<Quantity> quantities = side_quantities("<side>");
  for (Quantity& flow : flow_quantities("<side>")) quantities.push_back(std::move(flow));
  return quantities;
}

}  // namespace knudsen::boltzmann
