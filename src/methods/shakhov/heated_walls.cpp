#include "methods/shakhov/heated_walls.hpp"

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "kinetic/wall_temperature.hpp"
#include "methods/gas/surfaces.hpp"

namespace knudsen::shakhov {
namespace {

template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// Finds temperature and density of the faces of a side.
template <class ExecutionSpace, class Real>
struct FindEmission {
  SweepSpace<ExecutionSpace, Real> space;
  View<double* [4], ExecutionSpace> walls;
  View<double* [2], ExecutionSpace> emission;
  int side;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t in_side) const {
    const auto face = static_cast<int>(in_side) + space.first_face[side];
    const int wall = space.face_wall(face);
    double leaving[flux_count];
    for (int n = 0; n < flux_count; ++n) leaving[n] = space.flux(face, n);
    const double velocity[3] = {walls(wall, 0), walls(wall, 1), walls(wall, 2)};
    // Faces of solids and those between solid cells have no flux.
    const HeatedEmission found = leaving[0] == 0 ? HeatedEmission{1, 0}
                                                 : heated_emission(space.velocities, side, velocity,
                                                                   walls(wall, 3), leaving);
    emission(in_side, 0) = found.temperature;
    emission(in_side, 1) = found.density;
  }
};

/// Sets the values that enter through a side.
template <class ExecutionSpace, class Real>
struct SetEntering {
  SweepSpace<ExecutionSpace, Real> space;
  View<double* [4], ExecutionSpace> walls;
  View<double* [2], ExecutionSpace> emission;
  int side;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    const OutgoingPlace<ExecutionSpace, Real> place(space, side, work);
    const int wall = space.face_wall(static_cast<int>(place.face) + space.first_face[side]);
    const double velocity[3] = {walls(wall, 0), walls(wall, 1), walls(wall, 2)};
    const Maxwellian m = maxwellian(emission(place.face, 1), velocity, emission(place.face, 0));
    double value = m.amplitude;
    for (int d = 0; d < 3; ++d) {
      const int at = place.node[d];
      // The wall does not move along its normal, so that mirror images have the same factor.
      value *= double(space.weights[d](at)) * m.factor(d, double(space.nodes[d](at)));
    }
    space.entering(side)(place.index) = static_cast<Real>(value);
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
HeatedWalls<ExecutionSpace, Real>::HeatedWalls(const FlowGrid& grid) {
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    if (!surface_law(grid.sides[static_cast<std::size_t>(side)]).heated) continue;
    const std::size_t faces =
        grid.cell_count() /
        static_cast<std::size_t>(grid.cells[static_cast<std::size_t>(side / 2)]);
    sides_.push_back({side, View<double* [2], ExecutionSpace>("emission of heated walls", faces)});
  }
  if (sides_.empty()) return;
  const std::vector<SideCondition> conditions = Surfaces(grid.sides, grid.solids).conditions;
  walls_ = View<double* [4], ExecutionSpace>("heated walls", conditions.size());
  std::vector<double> numbers;
  for (const SideCondition& wall : conditions) {
    numbers.insert(numbers.end(), wall.state.velocity.begin(), wall.state.velocity.end());
    numbers.push_back(surface_law(wall).heat);
  }
  const auto mirror = Kokkos::create_mirror_view(walls_);
  for (std::size_t i = 0; i < numbers.size(); ++i) mirror(i / 4, i % 4) = numbers[i];
  Kokkos::deep_copy(walls_, mirror);
}

template <class ExecutionSpace, class Real>
void HeatedWalls<ExecutionSpace, Real>::set_initial(const FlowGrid& grid,
                                                    const SweepSpace<ExecutionSpace, Real>& space,
                                                    const GasState& state) const {
  if (sides_.empty()) return;
  const auto flux = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.flux);
  for (const Side& side : sides_) {
    // What leaves through a side is what would enter through the opposite one.
    const SurfaceFlux leaving = half_range_flux(grid.velocities, state, side.number ^ 1);
    for (std::size_t i = 0; i < side.emission.extent(0); ++i) {
      const std::size_t face = i + static_cast<std::size_t>(space.first_face[side.number]);
      for (std::size_t n = 0; n < flux_count; ++n) flux(face, n) = leaving[n];
    }
  }
  Kokkos::deep_copy(space.flux, flux);
}

template <class ExecutionSpace, class Real>
void HeatedWalls<ExecutionSpace, Real>::emit(const ExecutionSpace& execution,
                                             const SweepSpace<ExecutionSpace, Real>& space) const {
  for (const Side& side : sides_) {
    Kokkos::parallel_for(
        "knudsen/shakhov/find_emission",
        Range<ExecutionSpace>(execution, 0, static_cast<std::int64_t>(side.emission.extent(0))),
        FindEmission<ExecutionSpace, Real>{space, walls_, side.emission, side.number});
    Kokkos::parallel_for(
        "knudsen/shakhov/set_entering",
        Range<ExecutionSpace>(execution, 0,
                              static_cast<std::int64_t>(space.entering(side.number).extent(0))),
        SetEntering<ExecutionSpace, Real>{space, walls_, side.emission, side.number});
  }
}

template <class ExecutionSpace, class Real>
std::vector<double> HeatedWalls<ExecutionSpace, Real>::temperatures(int side) const {
  std::vector<double> result;
  for (const Side& each : sides_) {
    if (each.number != side) continue;
    const auto emission = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), each.emission);
    for (std::size_t face = 0; face < emission.extent(0); ++face) {
      result.push_back(emission(face, 0));
    }
  }
  return result;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                       \
  template HeatedWalls<ExecutionSpace, Real>::HeatedWalls(const FlowGrid&);             \
  template void HeatedWalls<ExecutionSpace, Real>::set_initial(                         \
      const FlowGrid&, const SweepSpace<ExecutionSpace, Real>&, const GasState&) const; \
  template void HeatedWalls<ExecutionSpace, Real>::emit(                                \
      const ExecutionSpace&, const SweepSpace<ExecutionSpace, Real>&) const;            \
  template std::vector<double> HeatedWalls<ExecutionSpace, Real>::temperatures(int) const;
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
