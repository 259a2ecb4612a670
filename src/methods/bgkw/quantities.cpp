#include "methods/bgkw/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kinetic/gas_fields.hpp"
#include "methods/gas/cavity.hpp"
#include "methods/gas/quantities.hpp"
#include "methods/gas/surface_loads.hpp"
#include "methods/gas/surfaces.hpp"

namespace knudsen::bgkw {
namespace {

using Monitor = MonitorTable<Solution>::Row;

bool is_solid(const Solution& solution, std::size_t cell) {
  return solution.neighbours().of_cell[cell][0] == PhaseSpace<HostExecutionSpace, float>::solid;
}

/// Calls body(index, state) for each gas cell.
template <class Body>
void each_gas_cell(Solution& solution, const Body& body) {
  const auto& cells = solution.cells();
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    if (!is_solid(solution, cell)) body(cell, cells[cell]);
  }
}

/// Volume of the gas in a cell in units of Parameters::cell_volume; 1 where cells are equal and
/// whole.
double volume_ratio(const Solution& solution, std::size_t cell) {
  const PhaseGrid& grid = solution.parameters().grid;
  return grid.volume_ratio(static_cast<int>(cell)) * grid.open_volume(static_cast<int>(cell));
}

/// Open area of a face on a side, in units of that of a cell as wide as PhaseGrid::spacing.
double open_area(const PhaseGrid& grid, const Face& face) {
  return grid.volume_ratio(face.cell, face.direction / 2) *
         grid.open_area(face.cell, face.direction);
}

double length_of(const std::array<double, 3>& vector) {
  return std::sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

double mass(Solution& solution) {
  double sum = 0;
  each_gas_cell(solution, [&](std::size_t cell, const Macroscopic& s) {
    sum += volume_ratio(solution, cell) * s.density;
  });
  return sum * solution.parameters().cell_volume();
}

double energy(Solution& solution) {
  const double freedom = 0.5 * (3 + solution.parameters().gas.rotation);
  double sum = 0;
  each_gas_cell(solution, [&](std::size_t cell, const Macroscopic& s) {
    const double speed = speed_of(s);
    sum += volume_ratio(solution, cell) * (s.density * (freedom * s.temperature + speed * speed));
  });
  return sum * solution.parameters().cell_volume();
}

double max_speed(Solution& solution) {
  double highest = 0;
  each_gas_cell(solution, [&](std::size_t, const Macroscopic& s) {
    highest = std::max(highest, speed_of(s));
  });
  return highest;
}

Monitor mean_velocity(std::size_t axis) {
  const std::string& name = axis_names[axis];
  return {
      {"mean_velocity_" + name, "v_ref", "Mean of the velocity along " + name + " over the cells."},
      [axis](Solution& solution) {
        double sum = 0;
        double count = 0;
        each_gas_cell(solution, [&](std::size_t cell, const Macroscopic& s) {
          const double share = volume_ratio(solution, cell);
          sum += share * s.velocity[axis];
          count += share;
        });
        return sum / count;
      }};
}

double velocity_change(Solution& solution) {
  const auto& before = solution.remembered_cells();
  double squares = 0;
  double speeds = 0;
  double count = 0;
  each_gas_cell(solution, [&](std::size_t cell, const Macroscopic& s) {
    count += 1;
    for (std::size_t d = 0; d < 3; ++d) {
      squares += std::pow(s.velocity[d] - before[cell].velocity[d], 2);
    }
    speeds += speed_of(s);
  });
  return std::sqrt(count * squares) / speeds;
}

double temperature_change(Solution& solution) {
  const auto& before = solution.remembered_cells();
  double largest = 0;
  each_gas_cell(solution, [&](std::size_t cell, const Macroscopic& s) {
    largest = std::max(largest, std::abs(s.temperature - before[cell].temperature));
  });
  return largest;
}

/// Flux number `flux` of SurfaceFlux through a surface: the mean over the open faces of a side, the
/// integral over those of a solid. Momentum and energy fluxes are converted from the reference
/// density to the reference pressure by a factor of 2.
double surface_flux(Solution& solution, std::size_t surface, std::size_t flux) {
  const PhaseGrid& grid = solution.parameters().grid;
  const Neighbours& neighbours = solution.neighbours();
  const bool of_solid = surface >= side_names.size();
  const auto first = static_cast<std::size_t>(neighbours.first_face[surface]);
  const auto last = static_cast<std::size_t>(neighbours.first_face[surface + 1]);
  double sum = 0;
  double whole = 0;
  for (std::size_t n = first; n < last; ++n) {
    const int axis = neighbours.faces[n].direction / 2;
    double area = open_area(grid, neighbours.faces[n]);
    for (std::size_t d = 0; d < 3 && of_solid; ++d) {
      if (static_cast<int>(d) != axis) area *= grid.spacing[d];
    }
    sum += area * solution.fluxes()[n][flux];
    whole += area;
  }
  for (std::size_t n = 0; n < grid.solids.cut.size() && of_solid; ++n) {
    const CutCell& cut = grid.solids.cut[n];
    if (static_cast<std::size_t>(cut.shape) + side_names.size() != surface) continue;
    sum += length_of(grid.facet_area(cut)) * solution.fluxes()[neighbours.faces.size() + n][flux];
  }
  // Nothing crosses a side that solids cover wholly.
  const double count = of_solid || !(whole > 0) ? 1 : whole;
  return sum / count * (flux == 0 ? 1 : 2);
}

Monitor surface_monitor(const Quantity& quantity, std::size_t surface, std::size_t flux) {
  return {quantity,
          [surface, flux](Solution& solution) { return surface_flux(solution, surface, flux); }};
}

void add_side(std::size_t side, MonitorTable<Solution>& monitors) {
  const auto quantities = side_quantities(side_names[side]);
  for (std::size_t flux = 0; flux < flux_count; ++flux) {
    monitors.add(surface_monitor(quantities[flux], side, flux));
  }
  add_flows<Solution>(
      side_names[side],
      [side](Solution& solution) {
        const PhaseGrid& grid = solution.parameters().grid;
        const std::vector<int>& first = solution.neighbours().first_face;
        double area = 0;
        for (int n = first[side]; n < first[side + 1]; ++n) {
          area += open_area(grid, solution.neighbours().faces[static_cast<std::size_t>(n)]);
        }
        for (std::size_t d = 0; d < 3; ++d) {
          if (d != side / 2) area *= grid.spacing[d];
        }
        return area * surface_flux(solution, side, 0);
      },
      monitors);
}

void add_temperature(const std::string& name, std::size_t surface,
                     MonitorTable<Solution>& monitors) {
  monitors.add({temperature_quantity(name), [surface](Solution& solution) {
                  return mean_temperature(solution.surface_loads(), static_cast<int>(surface));
                }});
}

void add_solid(const std::string& name, std::size_t surface, int dimensions,
               MonitorTable<Solution>& monitors) {
  const auto quantities = solid_quantities(name);
  for (std::size_t n = 0; n < quantities.size(); ++n) {
    // The mass flux, the first of the fluxes, comes last.
    monitors.add(surface_monitor(quantities[n], surface, n + 1));
  }
  monitors.add(surface_monitor({name + ".mass_flux", "rho_ref v_ref L^(d-1)",
                                "Mass flux out of the gas through the surface of " + name + "."},
                               surface, 0));
  add_temperature(name, surface, monitors);
  for (const TorqueMonitor& each : torque_monitors(name, dimensions)) {
    monitors.add({each.quantity, [surface, axis = each.axis](Solution& solution) {
                    return torque(solution.surface_loads(), static_cast<int>(surface), axis);
                  }});
  }
}

void add_entropy(MonitorTable<Solution>& monitors) {
  monitors.add({{"entropy", "rho_ref L^d, f in rho_ref / v_ref^3",
                 "Entropy: integral of -f ln f over the phase space."},
                [](Solution& solution) {
                  return solution.entropy_sum() * solution.parameters().cell_volume();
                }});
  monitors.add({{"entropy_production", "rho_ref v_ref L^(d-1), f in rho_ref / v_ref^3",
                 "Entropy production rate: what collisions over one time step would add to the "
                 "entropy, divided by the step."},
                [](Solution& solution) {
                  const Parameters& p = solution.parameters();
                  return solution.entropy_gain() * p.cell_volume() / p.grid.time_step;
                }});
}

double drag_coefficient(Solution& solution) {
  return cavity_drag(surface_flux(solution, north, 1), solution.parameters().grid.sides);
}

/// Velocity along x of the gas in a cell; 0 inside solids, whose cells have none.
double gas_velocity(Solution& solution, std::size_t cell) {
  return is_solid(solution, cell) ? 0 : solution.cells()[cell].velocity[0];
}

double flow_rate(Solution& solution) {
  const PhaseGrid& grid = solution.parameters().grid;
  std::array<std::vector<double>, 3> widths;
  for (std::size_t d = 0; d < 3; ++d) {
    for (int i = 0; i < grid.cells[d]; ++i) widths[d].push_back(grid.width(d, i));
  }
  const auto& cells = solution.cells();
  if (cells.empty()) return 0;  // not the first rank
  return cavity_flow_rate(grid.sides, widths, [&](int x, int y, int z) {
    return gas_velocity(solution, grid.cell_index(x, y, z));
  });
}

double lid_stress(Solution& solution) {
  const PhaseGrid& grid = solution.parameters().grid;
  const auto& cells = solution.cells();
  if (cells.empty()) return 0;  // not the first rank
  const auto columns = static_cast<std::size_t>(grid.cells[0]);
  std::vector<double> widths;
  for (int i = 0; i < grid.cells[0]; ++i) widths.push_back(grid.width(0, i));
  return cavity_lid_stress(grid.sides, widths, [&](int x) {
    double sum = 0;
    for (int z = 1; z <= grid.cells[2]; ++z) {
      const auto row = static_cast<std::size_t>(z * grid.cells[1] - 1);
      const std::size_t cell = row * columns + static_cast<std::size_t>(x);
      if (!is_solid(solution, cell)) sum += cells[cell].stress[3];
    }
    // The factor 2 converts density times v_ref squared to reference pressures.
    return 2 * sum / grid.cells[2];
  });
}

double vortex_flow_rate(Solution& solution) {
  const PhaseGrid& grid = solution.parameters().grid;
  const auto& cells = solution.cells();
  if (cells.empty()) return 0;  // not the first rank
  const auto middle = [&](std::size_t axis) {
    const int count = grid.cells[axis];
    return std::array<int, 2>{(count - 1) / 2, count / 2};
  };
  std::vector<double> velocity(static_cast<std::size_t>(grid.cells[1]), 0.0);
  for (std::size_t y = 0; y < velocity.size(); ++y) {
    for (const int z : middle(2)) {
      for (const int x : middle(0)) {
        velocity[y] += 0.25 * gas_velocity(solution, grid.cell_index(x, static_cast<int>(y), z));
      }
    }
  }
  return cavity_vortex_flow_rate(grid.sides, velocity);
}

/// The one quantity that a function adds.
Quantity quantity_of(void (*add)(std::vector<Quantity>&)) {
  std::vector<Quantity> added;
  add(added);
  return added.front();
}

void add_cavity(MonitorTable<Solution>& monitors) {
  monitors.add({drag_coefficient_quantity(), drag_coefficient});
  monitors.add({flow_rate_quantity(), flow_rate});
  monitors.add({quantity_of(add_lid_stress_monitor), lid_stress});
  monitors.add({quantity_of(add_vortex_flow_rate_monitor), vortex_flow_rate});
}

/// Difference of a quantity between the ends of a shock tube over its steepest gradient. `in_cell`
/// and `at_side` are the quantity as a member of either type of state.
double thickness(Solution& solution, double Macroscopic::*in_cell, double GasState::*at_side) {
  const PhaseGrid& grid = solution.parameters().grid;
  const auto& cells = solution.cells();
  double steepest = 0;  // over twice the width of a cell
  for (std::size_t i = 1; i + 1 < cells.size(); ++i) {
    double difference = std::abs(cells[i + 1].*in_cell - cells[i - 1].*in_cell);
    if (!grid.has_equal_cells()) {
      const int at = static_cast<int>(i);
      difference *= 2 * grid.spacing[0] / (grid.centre(0, at + 1) - grid.centre(0, at - 1));
    }
    steepest = std::max(steepest, difference);
  }
  const double jump = std::abs(grid.sides[east].state.*at_side - grid.sides[west].state.*at_side);
  return jump * 2 * grid.spacing[0] / steepest;
}

Monitor thickness_monitor(const std::string& name, double Macroscopic::*in_cell,
                          double GasState::*at_side) {
  return {{name + "_thickness", "L",
           "Shock thickness: difference of the " + name +
               " between west and east over its largest gradient."},
          [=](Solution& solution) { return thickness(solution, in_cell, at_side); }};
}

}  // namespace

bool is_shock(const PhaseGrid& grid) {
  const auto has_state = [&](std::size_t side) {
    return grid.sides[side].kind == SideKind::reservoir && !grid.sides[side].is_vacuum();
  };
  return grid.dimensions == 1 && has_state(west) && has_state(east);
}

FieldTable<Solution> field_table(bool rotates) {
  FieldTable<Solution> fields;
  for (const GasField& field : gas_fields(rotates)) {
    fields.add({field.quantity, [field](Solution& solution) {
                  const auto& cells = solution.cells();
                  return solution.field_values(
                      field.quantity.components, [&](std::size_t cell, std::size_t c) {
                        return is_solid(solution, cell) ? std::numeric_limits<double>::quiet_NaN()
                                                        : field.value(cells[cell], c);
                      });
                }});
  }
  return fields;
}

std::vector<SurfaceLoad> find_surface_loads(Solution& solution) {
  const PhaseGrid& grid = solution.parameters().grid;
  const std::vector<Face>& faces = solution.neighbours().faces;
  const std::vector<int>& first_face = solution.neighbours().first_face;
  const std::vector<SurfaceFlux>& fluxes = solution.fluxes();
  const std::vector<double>& heated = solution.heated_temperatures();
  std::vector<SurfaceLaw> laws;
  for (const SideCondition& condition : Surfaces(grid.sides, grid.solids).conditions) {
    laws.push_back(surface_law(condition));
  }
  std::vector<SurfaceLoad> loads;
  int surface = 0;
  for (std::size_t n = 0; n < faces.size(); ++n) {
    // Parts of a side count as the side.
    while (static_cast<int>(n) >= first_face[static_cast<std::size_t>(surface) + 1]) ++surface;
    const auto axis = static_cast<std::size_t>(faces[n].direction / 2);
    const int row = faces[n].cell / grid.cells[0];
    const std::array<int, 3> at{faces[n].cell % grid.cells[0], row % grid.cells[1],
                                row / grid.cells[1]};
    SurfaceLoad load{{static_cast<std::size_t>(faces[n].cell), faces[n].direction, {}},
                     surface,
                     grid.open_area(faces[n].cell, faces[n].direction),
                     side_normal(faces[n].direction),
                     {},
                     fluxes[n],
                     heated[n]};
    const SurfaceLaw& law = laws[static_cast<std::size_t>(faces[n].surface)];
    if (!law.heated) load.temperature = law.temperature();
    for (std::size_t d = 0; d < 3; ++d) {
      if (d != axis) load.area *= grid.width(d, at[d]);
      load.centre[d] =
          d != axis ? grid.centre(d, at[d]) : grid.edge(d, at[d] + faces[n].direction % 2);
    }
    loads.push_back(load);
  }
  for (std::size_t n = 0; n < grid.solids.cut.size(); ++n) {
    const CutCell& cut = grid.solids.cut[n];
    const std::array<double, 3> area = grid.facet_area(cut);
    const std::array<int, 3> at = grid.cell_at(static_cast<int>(cut.cell));
    const auto place = [&](const Point3D& in_cell) {
      std::array<double, 3> point{};
      for (std::size_t d = 0; d < 3; ++d) {
        point[d] = grid.edge(d, at[d]) + in_cell[d] * grid.width(d, at[d]);
      }
      return point;
    };
    SurfaceLoad load;
    load.area = length_of(area);
    if (load.area == 0) continue;
    load.face = {cut.cell, static_cast<int>(side_names.size()), {}};
    load.surface = static_cast<int>(side_names.size()) + cut.shape;
    for (std::size_t d = 0; d < 3; ++d) load.normal[d] = area[d] / load.area;
    load.centre = place(cut.centre);
    for (const Point3D& corner : cut.corners) load.face.corners.push_back(place(corner));
    load.flux = fluxes[faces.size() + n];
    const SurfaceLaw& law = laws[static_cast<std::size_t>(load.surface)];
    load.temperature = law.heated ? heated[faces.size() + n] : law.temperature();
    loads.push_back(load);
  }
  return loads;
}

MonitorTable<Solution> common_monitors() {
  MonitorTable<Solution> monitors;
  monitors.add({{"mass", "rho_ref L^d", "Mass: integral of the density."}, mass});
  monitors.add({{"energy", "p_ref L^d", "Integral of the thermal and kinetic energy."}, energy});
  monitors.add({{"max_speed", "v_ref", "Largest speed of all cells."}, max_speed});
  for (std::size_t axis = 0; axis < 3; ++axis) monitors.add(mean_velocity(axis));
  monitors.add({{"velocity_change", "1",
                 "Root mean square change of the velocity in one step over the mean speed."},
                velocity_change});
  monitors.add(
      {{"temperature_change", "T_ref", "Largest change of the temperature of a cell in one step."},
       temperature_change});
  return monitors;
}

MonitorTable<Solution> monitor_table(const Parameters& p) {
  MonitorTable<Solution> monitors = common_monitors();
  for (std::size_t side = 0; side < static_cast<std::size_t>(p.grid.direction_count()); ++side) {
    if (p.grid.sides[side].kind != SideKind::periodic) add_side(side, monitors);
    if (p.grid.sides[side].kind == SideKind::wall) {
      add_temperature(side_names[side], side, monitors);
    }
    if (p.grid.sides[side].kind == SideKind::pressure) {
      monitors.add({mach_quantity(side_names[side]),
                    [side](Solution& solution) { return solution.mach_number(side); }});
    }
  }
  add_conductance(p.grid.sides, monitors);
  for (std::size_t n = 0; n < p.grid.solids.bodies.size(); ++n) {
    add_solid(p.grid.solids.bodies[n].name, side_names.size() + n, p.grid.dimensions, monitors);
  }
  const bool equal = p.grid.has_equal_cells() && !p.grid.solids.cuts;
  if (!p.reduced && p.gas.rotation == 0 && equal) add_entropy(monitors);
  if (is_cavity(p.grid.sides, p.grid.dimensions)) add_cavity(monitors);
  if (is_shock(p.grid)) {
    monitors.add(thickness_monitor("density", &Macroscopic::density, &GasState::density));
    monitors.add(
        thickness_monitor("temperature", &Macroscopic::temperature, &GasState::temperature));
  }
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
  add_solid("<solid>", side_names.size(), 3, monitors);
  for (Quantity& quantity : monitors.quantities()) quantities.push_back(std::move(quantity));
  return quantities;
}

}  // namespace knudsen::bgkw
