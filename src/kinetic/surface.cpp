#include "kinetic/surface.hpp"

#include <cmath>
#include <numbers>

#include "kinetic/maxwellian_state.hpp"

namespace knudsen {

SurfaceLaw surface_law(const SideCondition& condition) {
  SurfaceLaw law;
  law.emitted = condition.state;
  switch (condition.kind) {
    case SideKind::periodic:
      break;
    case SideKind::symmetry:
      law.specular = true;
      break;
    case SideKind::antisymmetric:
      law.specular = true;
      law.turned = condition.turned;
      break;
    case SideKind::reservoir:
      law.diffuse_share = 1;
      break;
    case SideKind::wall:
      law.diffuse_share = condition.accommodation;
      law.specular = condition.accommodation < 1;
      law.balanced = true;
      law.emitted.density = 1;
      if (condition.cercignani_lampis) {
        law.diffuse_share = 0;
        law.specular = false;
        law.scatters = true;
      }
      if (condition.heat_flux) {
        law.diffuse_share = 0;
        law.heated = true;
        law.heat = 0.5 * *condition.heat_flux;
      }
      break;
    case SideKind::pump:
    case SideKind::inlet:
      law.diffuse_share = 1;
      law.balanced = true;
      law.balance = {1 - condition.capture, condition.mass_flux};
      law.emitted.density = 1;
      break;
    case SideKind::pressure:
      law.has_pressure = true;
      law.sets_temperature = condition.sets_temperature;
      break;
  }
  return law;
}

SurfaceFlux half_range_flux(const VelocityGrid& velocities, const GasState& state, int side) {
  const Maxwellian m = maxwellian(state);
  const auto across = static_cast<std::size_t>(side / 2);
  const double inward = side % 2 == 0 ? 1 : -1;
  // Sums of the powers 0 to 3 of the velocity along each axis. Along the normal of the face only
  // the inward velocities count.
  double sums[3][4] = {};
  for (std::size_t d = 0; d < 3; ++d) {
    const VelocityAxis& axis = velocities[d];
    if (axis.integrated) {
      sums[d][0] = std::sqrt(std::numbers::pi * m.temperature);
      sums[d][2] = 0.5 * m.temperature * sums[d][0];
      continue;
    }
    for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
      const double v = axis.nodes[i];
      if (d == across && v * inward <= 0) continue;
      double term = axis.weights[i] * m.factor(static_cast<int>(d), v);
      for (double& sum : sums[d]) {
        sum += term;
        term *= v;
      }
    }
  }
  const auto moment = [&](const std::array<int, 3>& powers) {
    double product = m.amplitude * inward;
    for (std::size_t d = 0; d < 3; ++d) product *= sums[d][powers[d]];
    return product;
  };
  SurfaceFlux flux{};
  std::array<int, 3> powers{0, 0, 0};
  powers[across] = 1;
  flux[0] = moment(powers);
  for (std::size_t d = 0; d < 3; ++d) {
    auto more = powers;
    ++more[d];
    flux[1 + d] = moment(more);
    ++more[d];
    flux[4] += 0.5 * moment(more);
  }
  flux[4] += 0.25 * velocities[2].rotation * m.temperature * flux[0];
  return flux;
}

}  // namespace knudsen
