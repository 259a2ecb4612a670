#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "methods/lbm_d3q27/make_lattice.hpp"
#include "methods/lbm_d3q27/parameters.hpp"
#include "support/steady_state.hpp"

namespace knudsen::lbm_d3q27 {

inline const double pi = std::acos(-1.0);

/// A domain in double precision, periodic and at rest until a test says otherwise.
inline Parameters domain(int nx, int ny, int nz, double relaxation_time) {
  Parameters p;
  p.precision = StoragePrecision::double_precision;
  p.nodes = {nx, ny, nz};
  for (std::size_t a = 0; a < 3; ++a) p.initial.size[a] = p.nodes[a];
  p.length = ny;
  p.relaxation_time = relaxation_time;
  p.kinematic_viscosity = (relaxation_time - 0.5) / 3;
  p.solids.nx = nx;
  p.solids.ny = ny;
  p.solids.nz = nz;
  return p;
}

/// Makes what is in a shape solid.
inline void add_body(Parameters& p, const std::string& name, Shape3DPointer shape) {
  Solids3D& solids = p.solids;
  const auto [nx, ny, nz] = p.nodes;
  if (solids.body.empty())
    solids.body.assign(std::size_t(nx) * std::size_t(ny) * std::size_t(nz), -1);
  std::size_t i = 0;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x, ++i) {
        if (shape->contains({x + 0.5, y + 0.5, z + 0.5})) {
          solids.body[i] = std::int16_t(solids.bodies.size());
        }
      }
    }
  }
  solids.bodies.push_back({name, {0, 0, 0}, std::move(shape)});
}

inline std::unique_ptr<Method> started(const Parameters& p, Backend backend = Backend::host) {
  auto map = std::make_shared<const NodeMap>(
      make_node_map(p.domain(), p.sparse, p.propagation == Propagation::two_array,
                    static_cast<NodeIndex>(32 / p.stored_bytes())));
  auto method = make_method(p, std::move(map), backend);
  method->initialise();
  return method;
}

/// Spheres of a simple cubic cell and its copies.
inline Shape3DPointer sphere_in_cell(int nodes, double solid_fraction) {
  const double radius = nodes * std::cbrt(3 * solid_fraction / (4 * pi));
  const double centre = nodes / 2.0;
  const double size = nodes;
  return repeated(ellipsoid({centre, centre, centre}, {radius, radius, radius}), {size, size, size},
                  {true, true, true}, 2);
}

/// Drag of a simple cubic array of spheres over that of one of them alone, force / (6 pi mu a U)
/// with the superficial velocity U and the mean pressure gradient times the volume of a cell as
/// force. Interpolated walls.
inline double cubic_array_drag(int nodes, double solid_fraction, double tolerance,
                               const Parameters& settings, Backend backend = Backend::host) {
  Parameters p = settings;
  p.walls = WallTreatment::interpolated;
  p.body_force = {1e-6, 0, 0};
  add_body(p, "sphere", sphere_in_cell(nodes, solid_fraction));
  const auto method = started(p, backend);
  run_to_steady_state(*method, 50 * nodes / 16, tolerance, 400000, "permeability");
  const double radius = nodes * std::cbrt(3 * solid_fraction / (4 * pi));
  return std::pow(nodes, 3) / (6 * pi * radius * method->monitor("permeability"));
}

}  // namespace knudsen::lbm_d3q27
