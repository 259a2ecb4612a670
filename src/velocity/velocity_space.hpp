#pragma once

#include "core/kokkos.hpp"
#include "velocity/velocity_grid.hpp"

namespace knudsen {

/// Number of values in 16 bytes: what a GPU thread moves by one access.
template <class Real>
inline constexpr int values_per_access = 16 / static_cast<int>(sizeof(Real));

/// A velocity grid on a backend. Velocity (i, j, k) of a cell stands at (i * count[1] + j) *
/// row_length + k: rows of equal x and y components, contiguous along z. Rows are padded to whole
/// 16-byte accesses by entries of zero weight whose distribution is kept zero.
template <class ExecutionSpace, class Real>
struct VelocitySpace {  // NOLINT: names in its implicit copy are the compiler's
  int count[3] = {0, 0, 0};
  int row_length = 0;
  View<Real*, ExecutionSpace> nodes[3];    ///< along z padded by zeros
  View<Real*, ExecutionSpace> weights[2];  ///< along x and y
  /// Along z: weight x node^n, (n, k) for n = 0 .. 3; what row sums are made with.
  View<Real**, ExecutionSpace> moment_weights;

  KOKKOS_INLINE_FUNCTION int rows() const { return count[0] * count[1]; }
  KOKKOS_INLINE_FUNCTION int size() const { return rows() * row_length; }
};

template <class ExecutionSpace, class Real>
VelocitySpace<ExecutionSpace, Real> make_velocity_space(const VelocityGrid& grid) {
  VelocitySpace<ExecutionSpace, Real> space;
  constexpr int width = values_per_access<Real>;
  for (int d = 0; d < 3; ++d) space.count[d] = grid[static_cast<std::size_t>(d)].count();
  space.row_length = (space.count[2] + width - 1) / width * width;
  const auto upload = [](const std::string& name, const std::vector<double>& values, int length) {
    View<Real*, ExecutionSpace> view(name, static_cast<std::size_t>(length));
    auto mirror = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = static_cast<Real>(values[i]);
    Kokkos::deep_copy(view, mirror);
    return view;
  };
  for (int d = 0; d < 3; ++d) {
    const auto& axis = grid[static_cast<std::size_t>(d)];
    space.nodes[d] = upload("velocity nodes", axis.nodes, d == 2 ? space.row_length : axis.count());
    if (d < 2) space.weights[d] = upload("velocity weights", axis.weights, axis.count());
  }
  space.moment_weights = View<Real**, ExecutionSpace>("velocity moment weights", 4,
                                                      static_cast<std::size_t>(space.row_length));
  auto mirror = Kokkos::create_mirror_view(space.moment_weights);
  for (std::size_t k = 0; k < grid[2].nodes.size(); ++k) {
    double weight = grid[2].weights[k];
    for (std::size_t n = 0; n < 4; ++n) {
      mirror(n, k) = static_cast<Real>(weight);
      weight *= grid[2].nodes[k];
    }
  }
  Kokkos::deep_copy(space.moment_weights, mirror);
  return space;
}

}  // namespace knudsen
