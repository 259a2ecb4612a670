#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "device/kokkos.hpp"
#include "device/to_list.hpp"
#include "kinetic/cercignani_lampis.hpp"

// Cercignani-Lampis walls on a backend. What reaches a face is multiplied by the three small
// matrices of its wall, one axis after the other.

namespace knudsen {

/// Faces of Cercignani-Lampis walls that look along the same direction. Each has a row of values,
/// one a velocity. A velocity's place in the row is the sum of the places of its components.
template <class ExecutionSpace>
struct ScatteringFaces {                   // NOLINT: names in its implicit copy are the compiler's
  int normal = 0;                          ///< axis normal to the faces
  int count[3] = {0, 0, 0};                ///< nodes along each axis; along the normal, of one sign
  View<int*, ExecutionSpace> from[3];      ///< place of each node of the velocities onto the wall
  View<int*, ExecutionSpace> to[3];        ///< the same of those out of it
  View<int*, ExecutionSpace> wall;         ///< by row: number of the wall among those with matrices
  View<double*, ExecutionSpace> matrices;  ///< of all walls, see value_scattering
  View<std::int64_t* [3], ExecutionSpace> first_of;  ///< (wall, axis): first number of its matrix
};

/// Multiplies the rows by the matrices of one axis. A work item makes one value.
template <class ExecutionSpace, class Real>
struct ScatterAlong {
  ScatteringFaces<ExecutionSpace> faces;
  int axis;
  const Real* from;
  Real* to;
  std::int64_t row_length;  ///< values of a row in memory

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    int node[3];
    std::int64_t rest = work;
    for (int d = 2; d >= 0; --d) {
      node[d] = static_cast<int>(rest % faces.count[d]);
      rest /= faces.count[d];
    }
    // Values keep the places of the velocities onto the wall until the last axis, the normal.
    const bool last = axis == faces.normal;
    std::int64_t source = rest * row_length;
    std::int64_t target = source;
    for (int d = 0; d < 3; ++d) {
      if (d != axis) source += faces.from[d](node[d]);
      target += last ? faces.to[d](node[d]) : faces.from[d](node[d]);
    }
    const int n = faces.count[axis];
    const double* matrix =
        &faces.matrices(faces.first_of(faces.wall(rest), axis) + std::int64_t(node[axis]) * n);
    const int* places = faces.from[axis].data();
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += matrix[j] * double(from[source + places[j]]);
    to[target] = static_cast<Real>(sum);
  }
};

/// Sets the values out of the walls from those onto them. `onto` stays as it is if `scratch` is
/// another array; with `scratch` equal to `onto` it is used up.
template <class ExecutionSpace, class Real>
void scatter(const ExecutionSpace& execution, const ScatteringFaces<ExecutionSpace>& faces,
             const Real* onto, Real* scratch, Real* out, std::int64_t row_length) {
  const auto rows = static_cast<std::int64_t>(faces.wall.extent(0));
  const std::int64_t values = rows * faces.count[0] * faces.count[1] * faces.count[2];
  const int axes[3] = {(faces.normal + 1) % 3, (faces.normal + 2) % 3, faces.normal};
  const Real* from[3] = {onto, out, scratch};
  Real* to[3] = {out, scratch, out};
  for (int pass = 0; pass < 3; ++pass) {
    Kokkos::parallel_for(
        "knudsen/gas/scatter",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(execution, 0, values),
        ScatterAlong<ExecutionSpace, Real>{faces, axes[pass], from[pass], to[pass], row_length});
  }
}

/// The faces normal to `normal` with these walls, one a row. `places(axis, node, onto)` is the
/// place of a node of the velocity grid in a row, of the velocities onto the wall or out of it;
/// along the normal, nodes count by their distance from zero. With `weighted` values have the
/// quadrature weights as a factor.
template <class ExecutionSpace, class Places>
ScatteringFaces<ExecutionSpace> make_scattering_faces(const VelocityGrid& grid,
                                                      const std::vector<SideCondition>& walls,
                                                      const std::vector<int>& wall_of_row,
                                                      int normal, bool weighted,
                                                      const Places& places) {
  ScatteringFaces<ExecutionSpace> faces;
  faces.normal = normal;
  const auto uploaded = [](const std::string& name, const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    View<Value*, ExecutionSpace> view(name, values.size());
    upload(view, values);
    return view;
  };
  for (int d = 0; d < 3; ++d) {
    const int all = grid[static_cast<std::size_t>(d)].count();
    faces.count[d] = d == normal ? all / 2 : all;
    std::vector<int> from;
    std::vector<int> to;
    for (int i = 0; i < faces.count[d]; ++i) {
      from.push_back(places(d, i, true));
      to.push_back(places(d, i, false));
    }
    faces.from[d] = uploaded("places onto walls", from);
    faces.to[d] = uploaded("places out of walls", to);
  }
  std::map<int, int> number_of;
  std::vector<int> wall;
  std::vector<double> matrices;
  std::vector<std::array<std::int64_t, 3>> first_of;
  for (const int surface : wall_of_row) {
    const auto [found, is_new] = number_of.try_emplace(surface, static_cast<int>(number_of.size()));
    wall.push_back(found->second);
    if (!is_new) continue;
    std::array<std::int64_t, 3> first{};
    const auto of_wall =
        value_scattering(grid, walls[static_cast<std::size_t>(surface)], normal, weighted);
    for (std::size_t d = 0; d < 3; ++d) {
      first[d] = static_cast<std::int64_t>(matrices.size());
      matrices.insert(matrices.end(), of_wall[d].begin(), of_wall[d].end());
    }
    first_of.push_back(first);
  }
  faces.wall = uploaded("scattering walls of faces", wall);
  faces.matrices = uploaded("scattering matrices", matrices);
  faces.first_of =
      View<std::int64_t* [3], ExecutionSpace>("first numbers of matrices", first_of.size());
  const auto mirror = Kokkos::create_mirror_view(faces.first_of);
  for (std::size_t i = 0; i < first_of.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) mirror(i, d) = first_of[i][d];
  }
  Kokkos::deep_copy(faces.first_of, mirror);
  return faces;
}

/// Bytes of the matrices of a wall, for one direction of its faces.
inline double scattering_bytes(const VelocityGrid& grid) {
  double numbers = 0;
  for (const VelocityAxis& axis : grid) numbers += double(axis.count()) * axis.count();
  return 8 * numbers;
}

}  // namespace knudsen
