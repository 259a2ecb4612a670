#include "methods/gas/quantities.hpp"

#include <cstdio>
#include <utility>

#include "kinetic/surface.hpp"

namespace knudsen {
std::vector<Quantity> side_quantities(const std::string& side, const std::string& of_force) {
  std::vector<Quantity> quantities{{side + ".mass_flux", "rho_ref v_ref",
                                    "Mass flux out through the " + side + " side, per unit area."}};
  for (const std::string& axis : axis_names) {
    quantities.push_back({side + ".force_" + axis, "p_ref",
                          "Force of the gas on the " + side + " side along " + axis +
                              ", per unit area" + of_force + "."});
  }
  quantities.push_back({side + ".energy_flux", "p_ref v_ref",
                        "Energy flux out through the " + side + " side, per unit area."});
  return quantities;
}

std::array<Quantity, 2> flow_quantities(const std::string& side) {
  return {Quantity{side + ".mass_flow", "rho_ref v_ref L^(d-1)",
                   "Mass flow out through the whole " + side + " side."},
          Quantity{side + ".throughput", "p_ref v_ref L^(d-1)",
                   "Throughput out through the whole " + side +
                       " side: pressure x volume of what flows out in a unit of time, were it at "
                       "T_ref."}};
}

Quantity conductance_quantity() {
  return {"conductance", "v_ref L^(d-1)",
          "Conductance between the two open sides: mean throughput over the difference of their "
          "pressures."};
}

std::optional<double> given_pressure(const SideCondition& side) {
  const bool given = side.kind == SideKind::pressure || side.kind == SideKind::reservoir;
  if (!given || !side.parts.empty()) return {};
  return side.state.density * side.state.temperature;
}

std::optional<PressureEnds> pressure_ends(const std::array<SideCondition, 6>& sides) {
  std::vector<std::pair<double, std::size_t>> ends;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const SideCondition& condition = sides[side];
    if (!surface_law(condition).open()) continue;
    const auto pressure = given_pressure(condition);
    if (!pressure) return {};
    ends.emplace_back(*pressure, side);
  }
  if (ends.size() != 2 || ends[0].first == ends[1].first) return {};
  if (ends[0].first < ends[1].first) std::swap(ends[0], ends[1]);
  return PressureEnds{ends[0].second, ends[1].second, ends[0].first - ends[1].first};
}

Quantity mach_quantity(const std::string& side) {
  return {side + ".mach_number", "1",
          "Largest Mach number of the flow through a face of the " + side +
              " side, of given pressure, which holds below 1."};
}

Quantity temperature_quantity(const std::string& wall) {
  return {wall + ".temperature", "T_ref",
          "Mean over the faces of the temperature of the wall " + wall + "."};
}

std::vector<Quantity> solid_quantities(const std::string& solid) {
  std::vector<Quantity> quantities;
  for (const std::string& axis : axis_names) {
    quantities.push_back({solid + ".force_" + axis, "p_ref L^(d-1)",
                          "Force of the gas on " + solid + " along " + axis + "."});
  }
  quantities.push_back({solid + ".energy_flux", "p_ref v_ref L^(d-1)",
                        "Energy flux out of the gas through the surface of " + solid + "."});
  return quantities;
}

std::vector<TorqueMonitor> torque_monitors(const std::string& solid, int dimensions) {
  std::vector<TorqueMonitor> monitors;
  for (std::size_t axis = dimensions == 3 ? 0 : 2; axis < 3 && dimensions > 1; ++axis) {
    const std::string& name = axis_names[axis];
    monitors.push_back({{solid + ".torque_" + name, "p_ref L^d",
                         "Torque of the gas on " + solid +
                             " about the origin of the coordinates, along " + name + "."},
                        axis});
  }
  return monitors;
}

std::string result_text(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

void add_monitor(Method& method, const std::string& name,
                 std::map<std::string, std::string>& results) {
  results[name] = result_text(method.monitor(name));
}

void add_wall_monitors(Method& method, const std::array<SideCondition, 6>& sides,
                       std::map<std::string, std::string>& results) {
  for (std::size_t side = 0; side < sides.size(); ++side) {
    if (sides[side].kind != SideKind::wall) continue;
    for (const char* quantity : {".force_x", ".force_y", ".energy_flux"}) {
      add_monitor(method, side_names[side] + quantity, results);
    }
    if (sides[side].heat_flux) add_monitor(method, side_names[side] + ".temperature", results);
  }
}

void add_flow_monitors(Method& method, const std::array<SideCondition, 6>& sides,
                       std::map<std::string, std::string>& results) {
  for (std::size_t side = 0; side < sides.size(); ++side) {
    if (!surface_law(sides[side]).open()) continue;
    for (const Quantity& flow : flow_quantities(side_names[side])) {
      add_monitor(method, flow.name, results);
    }
    if (sides[side].kind != SideKind::pressure) continue;
    add_monitor(method, mach_quantity(side_names[side]).name, results);
  }
  if (pressure_ends(sides)) add_monitor(method, conductance_quantity().name, results);
}

}  // namespace knudsen
