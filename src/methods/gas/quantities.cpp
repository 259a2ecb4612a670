#include "methods/gas/quantities.hpp"

#include <cstdio>

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
  quantities.push_back({side + ".mass_flow", "rho_ref v_ref L^(d-1)",
                        "Mass flow out through the whole " + side + " side."});
  return quantities;
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

}  // namespace knudsen
