#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "geometry/sphere_set.hpp"
#include "methods/lbm_d3q27/make_lattice.hpp"
#include "methods/lbm_d3q27/parameters.hpp"
#include "support/steady_state.hpp"

namespace knudsen::lbm_d3q27 {

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
  if (solids.body.empty()) {
    solids.planes = NodePlanes(p.nodes);
    solids.body.assign(solids.planes.size(), -1);
  }
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
  auto method = make_method(std::make_shared<const Parameters>(p), std::move(map), backend);
  method->initialise();
  return method;
}

/// Spheres of a cubic lattice, one of whose cells is the domain, and their copies.
inline Shape3DPointer spheres_of_cell(CubicLattice lattice, int nodes, double solid_fraction) {
  const double size = nodes;
  return sphere_set(with_images(sphere_array(lattice, {1, 1, 1}, size, solid_fraction),
                                {size, size, size}, {true, true, true}, 2));
}

/// The value that a monitor approaches, from three values `interval` steps apart as if what is left
/// decayed like one exponential (Aitken), when this changes by at most `tolerance` of itself.
inline double limit_of(Method& method, const std::string& monitor, int interval, double tolerance) {
  double values[3] = {0, 0, 0};
  double limit = 0;
  for (int i = 0; i < 2000; ++i) {
    method.advance(interval);
    values[0] = values[1];
    values[1] = values[2];
    values[2] = method.monitor(monitor);
    const double last = values[2] - values[1];
    const double before = limit;
    limit = values[2] - last * last / (last - (values[1] - values[0]));
    if (i > 4 && std::fabs(limit - before) <= tolerance * std::fabs(limit)) return limit;
  }
  ADD_FAILURE() << monitor << " does not settle";
  return limit;
}

/// Drag of a sphere of a cubic array over that of one alone, force / (6 pi mu a U) with the
/// superficial velocity U and the mean pressure gradient times a sphere's share of the cell as
/// force. Interpolated walls; the force is such that with the `expected` drag the Reynolds number
/// of a sphere is 0.01.
inline double array_drag(CubicLattice lattice, int nodes, double solid_fraction, double expected,
                         double tolerance, const Parameters& settings,
                         Backend backend = Backend::host) {
  Parameters p = settings;
  p.walls = WallTreatment::interpolated;
  const double spheres = lattice == CubicLattice::simple         ? 1
                         : lattice == CubicLattice::body_centred ? 2
                                                                 : 4;
  const double volume = std::pow(nodes, 3) / spheres;
  const double radius = std::cbrt(3 * solid_fraction * volume / (4 * std::numbers::pi));
  p.body_force[0] =
      3 * std::numbers::pi * std::pow(p.kinematic_viscosity, 2) * expected * 0.01 / volume;
  add_body(p, "spheres", spheres_of_cell(lattice, nodes, solid_fraction));
  const auto method = started(p, backend);
  return volume / (6 * std::numbers::pi * radius *
                   limit_of(*method, "permeability", nodes * nodes / 5, tolerance));
}

}  // namespace knudsen::lbm_d3q27
