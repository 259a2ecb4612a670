#pragma once

#include <numbers>

#include "device/kokkos.hpp"
#include "kinetic/maxwellian_state.hpp"
#include "kinetic/velocity_grid.hpp"

namespace knudsen {

/// Number of values in 16 bytes: what a GPU thread moves by one access.
template <class Real>
inline constexpr int values_per_access = 16 / static_cast<int>(sizeof(Real));

/// A velocity grid on a backend. The values of a cell stand in planes of equal x component, one
/// after the other; a plane is rows of equal y component, contiguous along z and padded to whole
/// 16-byte accesses by entries of zero weight whose distribution is kept zero. So all that depends
/// on y and z alone is a table as long as a plane.
///
/// Where components are integrated out (Chu's reduced distributions) a row has two entries: the
/// distribution integrated over them, and times the sum of their squares.
template <class ExecutionSpace, class Real>
struct VelocitySpace {  // NOLINT: names in its implicit copy are the compiler's
  int count[3] = {0, 0, 0};
  int row_length = 0;
  int plane = 0;                           ///< entries of a plane
  int first_positive_x = 0;                ///< number of negative x components
  int first_positive = 0;                  ///< of a plane: where v_y stops being negative
  int integrated = 0;                      ///< components integrated out: none, z, or y and z
  View<Real*, ExecutionSpace> nodes[3];    ///< along z padded by zeros
  View<Real*, ExecutionSpace> weights[3];  ///< likewise
  /// Along z: the weight, and what f is multiplied by in the sum for v_z^2 (v_y^2 + v_z^2 where y
  /// is integrated out too).
  View<Real*, ExecutionSpace> z_square_weights;
  /// Of a plane: components, the product of their weights, and of the y weight with these.
  View<Real*, ExecutionSpace> y, z, weight, square_weight;

  KOKKOS_INLINE_FUNCTION int rows() const { return count[0] * count[1]; }
  KOKKOS_INLINE_FUNCTION int size() const { return count[0] * plane; }
  /// A Maxwellian's factor for entry i along a component, amplitude left out.
  KOKKOS_INLINE_FUNCTION Real factor(const Maxwellian& maxwellian, int component, int i) const {
    if (component + integrated < 3) {
      if (i >= count[component]) return 0;
      const double c = double(nodes[component](i)) - maxwellian.velocity[component];
      return math::exp(static_cast<Real>(-c * c / maxwellian.temperature));
    }
    const double whole = std::sqrt(std::numbers::pi * maxwellian.temperature);
    if (component == 1 || i == 0) return static_cast<Real>(whole);
    return i == 1 ? static_cast<Real>(0.5 * integrated * maxwellian.temperature * whole) : Real(0);
  }
};

/// Place, among a cell's values, of the velocity mirrored along an axis; `place` itself for
/// padding.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int mirrored_place(const VelocitySpace<ExecutionSpace, Real>& velocities,
                                          int axis, int place) {
  const int row = place / velocities.row_length;
  const int i = row / velocities.count[1];
  const int k = place - row * velocities.row_length;
  if (axis == 0) return place + (velocities.count[0] - 1 - 2 * i) * velocities.plane;
  const int j = row - i * velocities.count[1];
  if (axis == 1) return place + (velocities.count[1] - 1 - 2 * j) * velocities.row_length;
  return k < velocities.count[2] ? place + velocities.count[2] - 1 - 2 * k : place;
}

template <class ExecutionSpace, class Real>
VelocitySpace<ExecutionSpace, Real> make_velocity_space(const VelocityGrid& grid) {
  VelocitySpace<ExecutionSpace, Real> space;
  constexpr int width = values_per_access<Real>;
  for (std::size_t d = 0; d < 3; ++d) {
    space.count[d] = grid[d].count();
    space.integrated += grid[d].integrated ? 1 : 0;
  }
  space.row_length = (space.count[2] + width - 1) / width * width;
  space.plane = space.count[1] * space.row_length;
  const auto upload = [](const std::string& name, const std::vector<double>& values) {
    View<Real*, ExecutionSpace> view(name, values.size());
    const auto mirror = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = static_cast<Real>(values[i]);
    Kokkos::deep_copy(view, mirror);
    return view;
  };
  const auto row = static_cast<std::size_t>(space.row_length);
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<double> nodes = grid[d].nodes;
    std::vector<double> weights = grid[d].weights;
    if (d == 2) nodes.resize(row);
    if (d == 2) weights.resize(row);
    space.nodes[d] = upload("velocity nodes", nodes);
    space.weights[d] = upload("velocity weights", weights);
  }
  for (const double x : grid[0].nodes) space.first_positive_x += x < 0 ? 1 : 0;
  std::vector<double> z_square_weights(row, 0);
  for (std::size_t k = 0; k < grid[2].nodes.size(); ++k) {
    const double z = grid[2].nodes[k];
    z_square_weights[k] = grid[2].integrated ? double(k) : grid[2].weights[k] * z * z;
  }
  space.z_square_weights = upload("velocity square weights along z", z_square_weights);
  std::vector<double> y, z, weight, square_weight;
  for (std::size_t j = 0; j < grid[1].nodes.size(); ++j) {
    if (grid[1].nodes[j] < 0) space.first_positive += space.row_length;
    for (std::size_t k = 0; k < row; ++k) {
      const bool padding = k >= grid[2].nodes.size();
      const double outer = grid[1].weights[j];
      y.push_back(grid[1].nodes[j]);
      z.push_back(padding ? 0 : grid[2].nodes[k]);
      weight.push_back(padding ? 0 : outer * grid[2].weights[k]);
      square_weight.push_back(outer * z_square_weights[k]);
    }
  }
  space.y = upload("velocity plane y", y);
  space.z = upload("velocity plane z", z);
  space.weight = upload("velocity plane weight", weight);
  space.square_weight = upload("velocity plane square weight", square_weight);
  return space;
}

template <class ExecutionSpace, class Real>
VelocitySpace<HostExecutionSpace, Real> host_copy(
    const VelocitySpace<ExecutionSpace, Real>& velocities) {
  const auto copy = [](const auto& view) {
    return View<Real*, HostExecutionSpace>(
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view));
  };
  VelocitySpace<HostExecutionSpace, Real> host;
  for (int d = 0; d < 3; ++d) {
    host.count[d] = velocities.count[d];
    host.nodes[d] = copy(velocities.nodes[d]);
    host.weights[d] = copy(velocities.weights[d]);
  }
  host.row_length = velocities.row_length;
  host.plane = velocities.plane;
  host.first_positive_x = velocities.first_positive_x;
  host.z_square_weights = copy(velocities.z_square_weights);
  host.first_positive = velocities.first_positive;
  host.integrated = velocities.integrated;
  host.y = copy(velocities.y);
  host.z = copy(velocities.z);
  host.weight = copy(velocities.weight);
  host.square_weight = copy(velocities.square_weight);
  return host;
}

}  // namespace knudsen
