#include "methods/gas/surface_loads.hpp"

#include <functional>
#include <utility>

namespace knudsen {
namespace {

/// Momentum and energy fluxes in units of the reference pressure are twice those in units of the
/// reference density.
constexpr double to_pressure = 2;

struct Row {
  Quantity quantity;
  std::function<double(const SurfaceLoad&, std::size_t)> value;
};

/// Force on the face for a unit area along the normal out of the gas.
double pressure(const SurfaceLoad& load) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) sum += load.normal[d] * load.flux[1 + d];
  return to_pressure * sum;
}

std::vector<Row> rows() {
  return {
      {{"surface", "1",
        "Number of the side, from 0 for west to 5 for top, or of the solid, from 6 on in the order "
        "of the case."},
       [](const SurfaceLoad& load, std::size_t) { return double(load.surface); }},
      {{"pressure", "p_ref", "Force of the gas along the normal into the surface, per unit area."},
       [](const SurfaceLoad& load, std::size_t) { return pressure(load); }},
      {{"shear_stress", "p_ref", "Force of the gas along the surface, per unit area.", 3},
       [](const SurfaceLoad& load, std::size_t c) {
         return to_pressure * load.flux[1 + c] - pressure(load) * load.normal[c];
       }},
      {{"energy_flux", "p_ref v_ref", "Energy flux out of the gas, per unit area."},
       [](const SurfaceLoad& load, std::size_t) { return to_pressure * load.flux[4]; }},
      {{"mass_flux", "rho_ref v_ref", "Mass flux out of the gas, per unit area."},
       [](const SurfaceLoad& load, std::size_t) { return load.flux[0]; }},
      {{"temperature", "T_ref",
        "Temperature of the wall, or of what enters through another side; 0 where nothing is "
        "emitted."},
       [](const SurfaceLoad& load, std::size_t) { return load.temperature; }}};
}

}  // namespace

std::array<double, 3> side_normal(int side) {
  std::array<double, 3> normal{0, 0, 0};
  normal[static_cast<std::size_t>(side / 2)] = side % 2 == 0 ? -1 : 1;
  return normal;
}

double torque(const std::vector<SurfaceLoad>& loads, int surface, std::size_t axis) {
  const std::size_t a = (axis + 1) % 3;
  const std::size_t b = (axis + 2) % 3;
  double sum = 0;
  for (const SurfaceLoad& load : loads) {
    if (load.surface != surface) continue;
    sum += load.area * (load.centre[a] * load.flux[1 + b] - load.centre[b] * load.flux[1 + a]);
  }
  return to_pressure * sum;
}

double mean_temperature(const std::vector<SurfaceLoad>& loads, int surface) {
  double sum = 0;
  double area = 0;
  for (const SurfaceLoad& load : loads) {
    if (load.surface != surface) continue;
    sum += load.area * load.temperature;
    area += load.area;
  }
  return area > 0 ? sum / area : 0;
}

std::vector<Quantity> surface_quantities() {
  std::vector<Quantity> quantities;
  for (const Row& row : rows()) quantities.push_back(row.quantity);
  return quantities;
}

SurfaceFields fields_on_surfaces(const std::vector<SurfaceLoad>& loads) {
  SurfaceFields result;
  for (const SurfaceLoad& load : loads) result.faces.push_back(load.face);
  for (const Row& row : rows()) {
    const auto components = static_cast<std::size_t>(row.quantity.components);
    std::vector<double> values;
    values.reserve(loads.size() * components);
    for (const SurfaceLoad& load : loads) {
      for (std::size_t c = 0; c < components; ++c) values.push_back(row.value(load, c));
    }
    result.fields.push_back({row.quantity, std::move(values)});
  }
  return result;
}

}  // namespace knudsen
