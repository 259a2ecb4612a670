#include "methods/gas/gas_problem.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "kinetic/case/check_cells.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/case/gas_case.hpp"
#include "methods/gas/quantities.hpp"
#include "methods/gas/surface_loads.hpp"

namespace knudsen {

void GasProblem::set_sizes(const std::array<int, 3>& cells, int dimensions,
                           const VelocityGrid& velocities, bool single_precision) {
  precision = single_precision ? "single" : "double";
  update_unit = "phase-space point";
  grid.cells = cells;
  const double cell_count = double(cells[0]) * cells[1] * cells[2];
  double velocity_count = 1;
  for (const VelocityAxis& axis : velocities) velocity_count *= axis.count();
  sizes = {{"cells", static_cast<std::int64_t>(cell_count)},
           {"velocities", static_cast<std::int64_t>(velocity_count)}};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    sizes["cells_" + axis_names[d]] = cells[d];
  }
  updates_per_step = cell_count * velocity_count;
}

void GasProblem::set_scales(const std::array<SideCondition, 6>& sides) {
  double speed = 0;
  for (const SideCondition& side : sides) {
    each_condition(side, [&](const SideCondition& part) {
      for (const double v : part.state.velocity) {
        if (part.kind == SideKind::wall) speed = std::max(speed, std::abs(v));
      }
    });
  }
  scales = {{"length", 1}, {"velocity", speed > 0 ? speed : 1}, {"density", 1}};
}

void GasProblem::set_host_bytes(double bytes_a_cell) {
  // An unequal grid is written as hexahedra: points, corners, offsets and types.
  const double hexahedron = grid.uniform() ? 0 : 3 * 8 + 8 * 8 + 8 + 1;
  host_bytes =
      static_cast<std::uint64_t>(static_cast<double>(grid.size()) * (bytes_a_cell + hexahedron));
}

void GasProblem::set_si(const GasUnits& units, int dimensions) {
  const auto& reference = units.reference;
  if (!reference) return;
  si = SiUnits{dimensions,
               {{"rho_ref", {reference->density(), {1, -3, 0, 0}}},
                {"v_ref", {reference->velocity(), {0, 1, -1, 0}}},
                {"p_ref", {reference->pressure, {1, -1, -2, 0}}},
                {"T_ref", {reference->temperature, {0, 0, 0, 1}}},
                {"L", {reference->length, {0, 1, 0, 0}}}}};
  si->of_case = units.si;
  add_si_reference(*reference, resolved);
}

void GasProblem::describe_surfaces(const std::array<SideCondition, 6>& sides,
                                   const GasSolids& solids) {
  const bool open = std::any_of(sides.begin(), sides.end(), [](const SideCondition& side) {
    return side.kind != SideKind::periodic;
  });
  if (open || !solids.bodies.empty()) surface_fields = surface_quantities();
  for (std::size_t side = 0; side < 6; ++side) {
    if (sides[side].kind == SideKind::pressure) {
      add("pressure at " + side_names[side], *given_pressure(sides[side]), "p_ref");
    }
    if (!sides[side].mass_flow) continue;
    add("mass flux at " + side_names[side], sides[side].mass_flux, "rho_ref v_ref");
  }
}

void GasProblem::set_built(bool built) {
  least_memory_bytes = memory_bytes;
  estimated = !built;
  if (built) return;
  warnings.emplace_back(
      "geometry: not built, since that takes long and this is an estimate; what depends on the "
      "solids "
      "is not checked");
}

void GasProblem::add(const std::string& name, double value, const std::string& unit) {
  resolved.push_back({name, number_text(rounded(value)), unit});
}

void GasProblem::count(const std::string& name, double value) {
  resolved.push_back({name, number_text(value), "1"});
}

void GasProblem::describe_rotation(const Gas& gas) {
  if (gas.rotation == 0) return;
  add("degrees of freedom of the rotation", gas.rotation, "1");
  add("ratio of specific heats", 1 + 2 / (3 + gas.rotation), "1");
  add("rotational collision number", rotation_rate(gas.rotation, 1) / gas.rotation_rate, "1");
  add("bulk viscosity over viscosity", gas.bulk_viscosity_ratio(), "1");
}

std::vector<GivenFault> GasProblem::faults_of_states(
    const VelocityGrid& velocities, const GasUnits& units, const GivenFields& given,
    const std::function<GasState(std::size_t)>& state) const {
  std::vector<std::size_t> gas;
  for (std::size_t cell = 0; cell < grid.size(); ++cell) {
    if (!is_solid(cell)) gas.push_back(cell);
  }
  const LeftOut worst = worst_left_out(velocities, units, gas.size(), [&](std::size_t i) {
    return NamedState{"the given state", state(gas[i])};
  });
  if (worst.text.empty()) return {};
  const char* field = given.temperature.empty() ? "velocity" : "temperature";
  return {{field, gas[worst.state], "the velocity grid " + worst.text, worst.refused}};
}

void GasProblem::describe_added_viscosity(double rarefaction,
                                          const std::function<double(double)>& share) {
  std::array<double, 3> added{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (grid.cells[d] < 2) continue;
    std::vector<double> widths;
    for (int i = 0; i < grid.cells[d]; ++i) {
      widths.push_back(grid.edge(d, i + 1) - grid.edge(d, i));
    }
    added[d] = added_viscosity(widths, rarefaction, share);
    add("viscosity added by order 1 along " + axis_names[d], added[d], "mu_ref");
  }
  warn_of_added_viscosity(added, warnings);
}

void GasProblem::describe_velocities(const VelocityGrid& velocities) {
  for (std::size_t d = 0; d < 3; ++d) {
    count("velocities along " + axis_names[d], velocities[d].count());
  }
  count("phase-space points", updates_per_step);
}

}  // namespace knudsen
