#pragma once

#include <numbers>

#include "device/kokkos.hpp"
#include "kinetic/maxwellian_state.hpp"
#include "kinetic/velocity_grid.hpp"

namespace knudsen {

/// Number of values in a 16-byte vector load, the widest memory access of a GPU thread.
template <class Real>
inline constexpr int values_per_access = 16 / static_cast<int>(sizeof(Real));

/// A velocity grid on a backend, and the memory layout of the distribution of a cell. A cell has
/// `count[0]` planes of equal x component; a plane has `count[1]` rows of equal y component; a row
/// is contiguous along z. Rows are padded to a multiple of 16 bytes by entries of zero weight,
/// whose distribution is kept zero. Quantities that depend on y and z only are tables of one plane.
///
/// If components are integrated out (Chu's reduced distributions), a row has two entries: the
/// distribution integrated over them, and the same with the sum of their squares as a factor.
///
/// In a gas with rotation each row goes on with the distribution of the rotational energy: f times
/// twice the mean rotational energy of the molecules with this velocity, rotation x T / 2 in
/// equilibrium. It is streamed as f is, and its sum is part of that of v^2 f. A row has as many
/// such entries as velocities, and one if z is integrated out.
template <class ExecutionSpace, class Real>
struct VelocitySpace {                     // NOLINT: names in its implicit copy are the compiler's
  int count[3] = {0, 0, 0};                ///< nodes along x, y and z
  int entries = 0;                         ///< entries of a row, those of the rotation included
  int row_length = 0;                      ///< entries of a row, padding included
  int plane = 0;                           ///< entries of a plane
  int first_positive_x = 0;                ///< number of negative x components
  int first_positive = 0;                  ///< first entry of a plane with v_y >= 0
  int integrated = 0;                      ///< components integrated out: 0, 1 (z) or 2 (y and z)
  View<Real*, ExecutionSpace> nodes[3];    ///< nodes of each component; z padded by zeros
  View<Real*, ExecutionSpace> weights[3];  ///< quadrature weights; z padded by zeros
  /// Factor of each entry of a row in the sum for v_z^2, or for v_y^2 + v_z^2 if y is integrated
  /// out, and for the rotational energy.
  View<Real*, ExecutionSpace> z_square_weights;
  double rotation = 0;  ///< degrees of freedom of the rotation
  /// The part of z_square_weights for the rotational energy; no entries without rotation.
  View<Real*, ExecutionSpace> rotation_weights;
  View<Real*, ExecutionSpace> y;                ///< y component of each entry of a plane
  View<Real*, ExecutionSpace> z;                ///< z component of each entry of a plane
  View<Real*, ExecutionSpace> weight;           ///< y weight x z weight, for each entry of a plane
  View<Real*, ExecutionSpace> square_weight;    ///< y weight x z_square_weights
  View<Real*, ExecutionSpace> rotation_weight;  ///< y weight x rotation_weights

  KOKKOS_INLINE_FUNCTION int rows() const { return count[0] * count[1]; }
  KOKKOS_INLINE_FUNCTION int size() const { return count[0] * plane; }
  /// Whether an entry of a row is of the distribution of the rotational energy.
  KOKKOS_INLINE_FUNCTION bool rotates(int k) const { return k >= count[2] && k < entries; }
  /// Factor of a Maxwellian for entry i along a component; the amplitude is not included.
  KOKKOS_INLINE_FUNCTION Real factor(const Maxwellian& maxwellian, int component, int i) const {
    if (component == 2 && rotates(i)) {
      return static_cast<Real>(0.5 * rotation * maxwellian.temperature) *
             node_factor(maxwellian, 2, integrated > 0 ? 0 : i - count[2]);
    }
    return node_factor(maxwellian, component, i);
  }

 private:
  KOKKOS_INLINE_FUNCTION Real node_factor(const Maxwellian& maxwellian, int component,
                                          int i) const {
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

/// Index, within a cell's values, of the velocity mirrored along `axis`. Padding maps to itself.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int mirrored_index(const VelocitySpace<ExecutionSpace, Real>& velocities,
                                          int axis, int place) {
  const int row = place / velocities.row_length;
  const int i = row / velocities.count[1];
  const int k = place - row * velocities.row_length;
  if (axis == 0) return place + (velocities.count[0] - 1 - 2 * i) * velocities.plane;
  const int j = row - i * velocities.count[1];
  if (axis == 1) return place + (velocities.count[1] - 1 - 2 * j) * velocities.row_length;
  const int first = velocities.rotates(k) ? velocities.count[2] : 0;
  return k < velocities.entries ? place + 2 * first + velocities.count[2] - 1 - 2 * k : place;
}

/// The same for a velocity of which the components `reversed`, a bit each, change their sign.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int reversed_index(const VelocitySpace<ExecutionSpace, Real>& velocities,
                                          int reversed, int place) {
  for (int axis = 0; axis < 3; ++axis) {
    if ((reversed >> axis & 1) != 0) place = mirrored_index(velocities, axis, place);
  }
  return place;
}

/// Allocates and fills the tables on the backend.
template <class ExecutionSpace, class Real>
VelocitySpace<ExecutionSpace, Real> make_velocity_space(const VelocityGrid& grid) {
  VelocitySpace<ExecutionSpace, Real> space;
  constexpr int width = values_per_access<Real>;
  for (std::size_t d = 0; d < 3; ++d) {
    space.count[d] = grid[d].count();
    space.integrated += grid[d].integrated ? 1 : 0;
  }
  space.entries = grid[2].entries();
  space.rotation = grid[2].rotation;
  space.row_length = (space.entries + width - 1) / width * width;
  space.plane = space.count[1] * space.row_length;
  const auto upload = [](const std::string& name, const std::vector<double>& values) {
    View<Real*, ExecutionSpace> view(name, values.size());
    const auto mirror = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = static_cast<Real>(values[i]);
    Kokkos::deep_copy(view, mirror);
    return view;
  };
  const auto row = static_cast<std::size_t>(space.row_length);
  std::vector<double> z_nodes;
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<double> nodes = grid[d].nodes;
    std::vector<double> weights = grid[d].weights;
    if (d == 2) {
      for (int k = space.count[2]; k < space.entries; ++k) {
        nodes.push_back(grid[2].nodes[static_cast<std::size_t>(k - space.count[2])]);
      }
      nodes.resize(row);
      weights.resize(row);
      z_nodes = nodes;
    }
    space.nodes[d] = upload("velocity nodes", nodes);
    space.weights[d] = upload("velocity weights", weights);
  }
  for (const double x : grid[0].nodes) space.first_positive_x += x < 0 ? 1 : 0;
  std::vector<double> z_square_weights(row, 0);
  for (std::size_t k = 0; k < grid[2].nodes.size(); ++k) {
    const double z = grid[2].nodes[k];
    z_square_weights[k] = grid[2].integrated ? double(k) : grid[2].weights[k] * z * z;
  }
  std::vector<double> rotation_weights(space.rotation > 0 ? row : 0, 0);
  const auto count = grid[2].nodes.size();
  for (std::size_t k = count; k < static_cast<std::size_t>(space.entries); ++k) {
    rotation_weights[k] = z_square_weights[k] = grid[2].weights[k - count];
  }
  space.z_square_weights = upload("velocity square weights along z", z_square_weights);
  space.rotation_weights = upload("rotation weights along z", rotation_weights);
  std::vector<double> y, z, weight, square_weight, rotation_weight;
  for (std::size_t j = 0; j < grid[1].nodes.size(); ++j) {
    if (grid[1].nodes[j] < 0) space.first_positive += space.row_length;
    for (std::size_t k = 0; k < row; ++k) {
      const bool padding = k >= grid[2].nodes.size();
      const double outer = grid[1].weights[j];
      y.push_back(grid[1].nodes[j]);
      z.push_back(z_nodes[k]);
      weight.push_back(padding ? 0 : outer * grid[2].weights[k]);
      square_weight.push_back(outer * z_square_weights[k]);
      if (space.rotation > 0) rotation_weight.push_back(outer * rotation_weights[k]);
    }
  }
  space.y = upload("velocity plane y", y);
  space.z = upload("velocity plane z", z);
  space.weight = upload("velocity plane weight", weight);
  space.square_weight = upload("velocity plane square weight", square_weight);
  space.rotation_weight = upload("velocity plane rotation weight", rotation_weight);
  return space;
}

/// Copy of the tables in host memory.
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
  host.entries = velocities.entries;
  host.rotation = velocities.rotation;
  host.row_length = velocities.row_length;
  host.plane = velocities.plane;
  host.first_positive_x = velocities.first_positive_x;
  host.z_square_weights = copy(velocities.z_square_weights);
  host.rotation_weights = copy(velocities.rotation_weights);
  host.first_positive = velocities.first_positive;
  host.integrated = velocities.integrated;
  host.y = copy(velocities.y);
  host.z = copy(velocities.z);
  host.weight = copy(velocities.weight);
  host.square_weight = copy(velocities.square_weight);
  host.rotation_weight = copy(velocities.rotation_weight);
  return host;
}

}  // namespace knudsen
