#include "methods/shakhov/face_emission.hpp"

#include <array>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "kinetic/wall_temperature.hpp"
#include "methods/gas/surfaces.hpp"
#include "methods/shakhov/iteration.hpp"

namespace knudsen::shakhov {
namespace {

template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

constexpr int density_number = 0;
constexpr int temperature_number = 1;
constexpr int velocity_of_emission = 2;
constexpr int mach_number = 5;

template <class ExecutionSpace>
using Emission = View<double* [emission_size], ExecutionSpace>;

/// Finds what the faces of a heated wall emit.
template <class ExecutionSpace, class Real>
struct FindHeated {
  SweepSpace<ExecutionSpace, Real> space;
  View<double* [4], ExecutionSpace> walls;
  Emission<ExecutionSpace> emission;
  int side;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t in_side) const {
    const int face = space.face_of_row(side, in_side);
    const int wall = space.face_wall(face);
    double leaving[flux_count];
    for (int n = 0; n < flux_count; ++n) leaving[n] = space.flux(face, n);
    const double velocity[3] = {walls(wall, 0), walls(wall, 1), walls(wall, 2)};
    // Faces of solids and those between solid cells have no flux.
    const HeatedEmission found =
        leaving[0] == 0 ? HeatedEmission{1, 0}
                        : heated_emission(space.velocities, space.side_of_row(side, in_side),
                                          velocity, walls(wall, 3), leaving);
    emission(in_side, temperature_number) = found.temperature;
    emission(in_side, density_number) = found.density;
    for (int d = 0; d < 3; ++d) emission(in_side, velocity_of_emission + d) = velocity[d];
  }
};

/// Finds what the faces of a side of given pressure emit.
template <class ExecutionSpace, class Real>
struct FindAtPressure {
  SweepSpace<ExecutionSpace, Real> space;
  PressureSide pressure;
  Emission<ExecutionSpace> emission;
  int side;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t in_side) const {
    const int axis = side / 2;
    const int low = axis == 0 ? 1 : 0;
    const int high = axis == 2 ? 1 : 2;
    int at[3];
    at[axis] = side % 2 == 0 ? 0 : space.cells[axis] - 1;
    at[low] = static_cast<int>(in_side) % space.cells[low];
    at[high] = static_cast<int>(in_side) / space.cells[low];
    const auto raw = raw_moments(space.moments, space.cell_index(at[0], at[1], at[2]));
    const double sums[5] = {raw.value[0], raw.value[1], raw.value[2], raw.value[3],
                            raw.value[4] + raw.value[5] + raw.value[6]};
    const PressureEmission found = pressure_emission(pressure, side, sums);
    emission(in_side, temperature_number) = found.temperature;
    emission(in_side, density_number) = found.density;
    for (int d = 0; d < 3; ++d) emission(in_side, velocity_of_emission + d) = found.velocity[d];
    emission(in_side, mach_number) = found.mach;
  }
};

/// Sets the values that enter through a side.
template <class ExecutionSpace, class Real>
struct SetEntering {
  SweepSpace<ExecutionSpace, Real> space;
  Emission<ExecutionSpace> emission;
  int side;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    const int of_cell = space.side_of_row(side, work / space.row_length());
    const OutgoingPlace<ExecutionSpace, Real> place(space, of_cell, work);
    double velocity[3];
    for (int d = 0; d < 3; ++d) velocity[d] = emission(place.face, velocity_of_emission + d);
    const Maxwellian m = maxwellian(emission(place.face, density_number), velocity,
                                    emission(place.face, temperature_number));
    double value = m.amplitude;
    for (int d = 0; d < 3; ++d) {
      const int at = place.entering_node(space, of_cell, d);
      value *= double(space.weights[d](at)) * m.factor(d, double(space.nodes[d](at)));
    }
    space.entering(side)(place.index) = static_cast<Real>(value);
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
FaceEmission<ExecutionSpace, Real>::FaceEmission(const FlowGrid& grid, const Gas& gas,
                                                 const SweepSpace<ExecutionSpace, Real>& space) {
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    const SideCondition& condition = grid.sides[static_cast<std::size_t>(side)];
    const SurfaceLaw law = surface_law(condition);
    if (!law.heated && !law.has_pressure) continue;
    const std::size_t faces =
        grid.cell_count() /
        static_cast<std::size_t>(grid.cells[static_cast<std::size_t>(side / 2)]);
    sides_.push_back({side,
                      law.has_pressure ? pressure_side(condition, grid.velocities, gas.rotation)
                                       : PressureSide{},
                      Emission<ExecutionSpace>("emission of faces", faces)});
  }
  const std::size_t of_solids = space.heated_face.extent(0);
  if (of_solids > 0) {
    sides_.push_back(
        {facet_side, PressureSide{}, Emission<ExecutionSpace>("emission of solids", of_solids)});
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
void FaceEmission<ExecutionSpace, Real>::set_initial(const FlowGrid& grid,
                                                     const SweepSpace<ExecutionSpace, Real>& space,
                                                     const GasState& state) const {
  if (sides_.empty()) return;
  const auto flux = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.flux);
  const std::vector<int> heated = to_list(space.heated_face);
  const std::vector<int> side_of_face = to_list(space.face_side);
  for (const Side& side : sides_) {
    if (side.pressure.pressure > 0) continue;
    // What leaves through a side is what would enter through the opposite one.
    std::array<SurfaceFlux, 6> leaving{};
    for (int of_cell = 0; of_cell < 6; ++of_cell) {
      leaving[static_cast<std::size_t>(of_cell)] =
          half_range_flux(grid.velocities, state, of_cell ^ 1);
    }
    for (std::size_t i = 0; i < side.emission.extent(0); ++i) {
      const bool of_solid = side.number == facet_side;
      const std::size_t face = of_solid
                                   ? static_cast<std::size_t>(heated[i])
                                   : i + static_cast<std::size_t>(space.first_face[side.number]);
      const int of_cell = of_solid ? side_of_face[face] : side.number;
      for (std::size_t n = 0; n < flux_count; ++n) {
        flux(face, n) = leaving[static_cast<std::size_t>(of_cell)][n];
      }
    }
  }
  Kokkos::deep_copy(space.flux, flux);
}

template <class ExecutionSpace, class Real>
void FaceEmission<ExecutionSpace, Real>::emit(const ExecutionSpace& execution,
                                              const SweepSpace<ExecutionSpace, Real>& space) const {
  for (const Side& side : sides_) {
    const Range<ExecutionSpace> faces(execution, 0,
                                      static_cast<std::int64_t>(side.emission.extent(0)));
    if (side.pressure.pressure > 0) {
      Kokkos::parallel_for(
          "knudsen/shakhov/find_at_pressure", faces,
          FindAtPressure<ExecutionSpace, Real>{space, side.pressure, side.emission, side.number});
    } else {
      Kokkos::parallel_for(
          "knudsen/shakhov/find_heated", faces,
          FindHeated<ExecutionSpace, Real>{space, walls_, side.emission, side.number});
    }
    Kokkos::parallel_for(
        "knudsen/shakhov/set_entering",
        Range<ExecutionSpace>(execution, 0,
                              static_cast<std::int64_t>(space.entering(side.number).extent(0))),
        SetEntering<ExecutionSpace, Real>{space, side.emission, side.number});
  }
}

template <class ExecutionSpace, class Real>
std::vector<double> FaceEmission<ExecutionSpace, Real>::numbers_of(int side, int number) const {
  std::vector<double> result;
  for (const Side& each : sides_) {
    if (each.number != side) continue;
    const auto emission = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), each.emission);
    for (std::size_t face = 0; face < emission.extent(0); ++face) {
      result.push_back(emission(face, static_cast<std::size_t>(number)));
    }
  }
  return result;
}

template <class ExecutionSpace, class Real>
std::vector<double> FaceEmission<ExecutionSpace, Real>::temperatures(int side) const {
  return numbers_of(side, temperature_number);
}

template <class ExecutionSpace, class Real>
std::vector<double> FaceEmission<ExecutionSpace, Real>::mach_numbers(int side) const {
  return numbers_of(side, mach_number);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                           \
  template FaceEmission<ExecutionSpace, Real>::FaceEmission(                                \
      const FlowGrid&, const Gas&, const SweepSpace<ExecutionSpace, Real>&);                \
  template void FaceEmission<ExecutionSpace, Real>::set_initial(                            \
      const FlowGrid&, const SweepSpace<ExecutionSpace, Real>&, const GasState&) const;     \
  template void FaceEmission<ExecutionSpace, Real>::emit(                                   \
      const ExecutionSpace&, const SweepSpace<ExecutionSpace, Real>&) const;                \
  template std::vector<double> FaceEmission<ExecutionSpace, Real>::temperatures(int) const; \
  template std::vector<double> FaceEmission<ExecutionSpace, Real>::mach_numbers(int) const;
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
