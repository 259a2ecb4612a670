#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "core/sides.hpp"
#include "model/problem.hpp"

namespace knudsen::test {

/// Checks that the loads on the faces of a solid add up to its monitors: force, torque and energy
/// flux. `surface` is its number among the surfaces.
inline void expect_loads_add_up(const Problem& problem, Method& method, const std::string& solid,
                                int surface, double tolerance) {
  const SurfaceFields fields = method.surface();
  ASSERT_EQ(fields.fields.size(), problem.surface_fields.size());
  const auto field = [&](const std::string& name) -> const Field& {
    for (const Field& each : fields.fields) {
      if (each.quantity.name == name) return each;
    }
    throw std::runtime_error("no field " + name);
  };
  const CartesianGrid& grid = problem.grid;
  std::array<double, 3> force{};
  std::array<double, 3> torque{};
  double energy_flux = 0;
  int faces = 0;
  for (std::size_t n = 0; n < fields.faces.size(); ++n) {
    if (field("surface")[n] != surface) continue;
    ++faces;
    const auto columns = static_cast<std::size_t>(grid.cells[0]);
    const auto rows = static_cast<std::size_t>(grid.cells[1]);
    const std::size_t cell = fields.faces[n].cell;
    const std::array<std::size_t, 3> at{cell % columns, cell / columns % rows,
                                        cell / columns / rows};
    const auto axis = static_cast<std::size_t>(fields.faces[n].side / 2);
    const int upper = fields.faces[n].side % 2;
    double area = 1;
    std::array<double, 3> centre{};
    std::array<double, 3> stress{};
    for (std::size_t d = 0; d < 3; ++d) {
      const double low = grid.edge(d, static_cast<int>(at[d]));
      const double high = grid.edge(d, static_cast<int>(at[d]) + 1);
      centre[d] = d != axis ? 0.5 * (low + high) : (upper == 1 ? high : low);
      if (d != axis) area *= high - low;
      stress[d] = field("shear_stress")[3 * n + d];
    }
    stress[axis] += (upper == 1 ? 1 : -1) * field("pressure")[n];
    energy_flux += area * field("energy_flux")[n];
    for (std::size_t d = 0; d < 3; ++d) {
      const std::size_t a = (d + 1) % 3;
      const std::size_t b = (d + 2) % 3;
      force[d] += area * stress[d];
      torque[d] += area * (centre[a] * stress[b] - centre[b] * stress[a]);
    }
  }
  EXPECT_GT(faces, 0);
  EXPECT_NEAR(method.monitor(solid + ".energy_flux"), energy_flux, tolerance);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(method.monitor(solid + ".force_" + axis_names[d]), force[d], tolerance);
    if (grid.cells[2] == 1 && d < 2) continue;
    EXPECT_NEAR(method.monitor(solid + ".torque_" + axis_names[d]), torque[d], tolerance);
    EXPECT_GT(std::abs(torque[d]), 100 * tolerance);
  }
}

}  // namespace knudsen::test
