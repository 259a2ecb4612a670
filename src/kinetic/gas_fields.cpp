#include "kinetic/gas_fields.hpp"

#include <cmath>

namespace knudsen {

const std::vector<GasField>& gas_fields() {
  static const std::vector<GasField> fields{
      {{"density", "rho_ref", "Density."},
       [](const Macroscopic& s, std::size_t) { return s.density; }},
      {{"velocity", "v_ref", "Velocity.", 3},
       [](const Macroscopic& s, std::size_t c) { return s.velocity[c]; }},
      {{"speed", "v_ref", "Magnitude of the velocity."},
       [](const Macroscopic& s, std::size_t) { return speed_of(s); }},
      {{"temperature", "T_ref", "Temperature."},
       [](const Macroscopic& s, std::size_t) { return s.temperature; }},
      {{"pressure", "p_ref", "Pressure: a third of the trace of the pressure tensor."},
       [](const Macroscopic& s, std::size_t) {
         return s.density * (s.temperature + s.translational_excess);
       }},
      {{"pressure_tensor", "p_ref", "Pressure tensor.", 6},
       [](const Macroscopic& s, std::size_t c) { return 2 * s.stress[c]; }},
      {{"heat_flux", "p_ref v_ref", "Heat flux.", 3},
       [](const Macroscopic& s, std::size_t c) { return 2 * s.heat_flux[c]; }}};
  return fields;
}

std::vector<GasField> gas_fields(bool rotates) {
  std::vector<GasField> fields = gas_fields();
  if (rotates) {
    fields.push_back(
        {{"translational_temperature", "T_ref", "Temperature of the translation."},
         [](const Macroscopic& s, std::size_t) { return s.temperature + s.translational_excess; }});
    fields.push_back({{"rotational_temperature", "T_ref", "Temperature of the rotation."},
                      [](const Macroscopic& s, std::size_t) { return s.rotational_temperature; }});
  }
  return fields;
}

GasState with_given(GasState state, const GivenFields& given, std::size_t cell) {
  if (!given.density.empty()) state.density = given.density[cell];
  if (!given.temperature.empty()) state.temperature = given.temperature[cell];
  if (!given.velocity.empty()) {
    for (std::size_t d = 0; d < 3; ++d) state.velocity[d] = given.velocity[3 * cell + d];
  }
  return state;
}

double speed_of(const Macroscopic& s) {
  return std::hypot(s.velocity[0], s.velocity[1], s.velocity[2]);
}

std::string fault_of(const Macroscopic& s) {
  if (!std::isfinite(s.density + speed_of(s) + s.temperature)) {
    return "the distribution is not finite";
  }
  if (!(s.density > 0)) return "the density is not positive";
  if (!(s.temperature > 0)) return "the temperature is not positive";
  return "";
}

}  // namespace knudsen
