#include "methods/shakhov/face_emission.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "kinetic/wall_temperature.hpp"
#include "methods/shakhov/central_moments.hpp"
#include "methods/shakhov/cut_values.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/make_sweep_space.hpp"

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
    if (side == facet_side && in_side < space.scattering_rows()) return;
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
    double sums[5];
    for (int i = 0; i < 5; ++i) sums[i] = conserved(raw, i);
    const PressureEmission found = pressure_emission(pressure, side, sums);
    emission(in_side, temperature_number) = found.temperature;
    emission(in_side, density_number) = found.density;
    for (int d = 0; d < 3; ++d) emission(in_side, velocity_of_emission + d) = found.velocity[d];
    emission(in_side, mach_number) = found.mach;
  }
};

/// Finds the temperatures of the surfaces of given heat flux in cut cells, and sets what they emit.
template <class ExecutionSpace, class Real>
struct FindFacet {
  SweepSpace<ExecutionSpace, Real> space;
  View<double* [4], ExecutionSpace> walls;
  Emission<ExecutionSpace> emission;
  View<double**, ExecutionSpace> tables;

  /// A velocity component and its factor in a Maxwellian, relative to the wall, with its weight.
  struct Node {
    double v;
    double square;
    double factor;
  };
  KOKKOS_INLINE_FUNCTION Node node(int axis, int i, double wall_velocity,
                                   double temperature) const {
    const auto v = double(space.velocities.nodes[axis](i));
    const double square = (v - wall_velocity) * (v - wall_velocity);
    return {v, square, double(space.velocities.weights[axis](i)) * std::exp(-square / temperature)};
  }

  /// Mean energy of what a surface emits, without rotation, and its derivative. Where v . normal >
  /// 0 begins or ends along z is looked up in sums over z, so that the work is that of two
  /// dimensions.
  KOKKOS_INLINE_FUNCTION double mean_energy(int row, const double (&normal)[3],
                                            const double (&wall)[3], double temperature,
                                            double& slope) const {
    const int* count = space.velocities.count;
    const std::ptrdiff_t stride = count[2] + 1;
    double* below = &tables(row, 0);  // (power, k): sums over the nodes below k
    double* along_y = below + 6 * stride;
    for (int power = 0; power < 6; ++power) below[power * stride] = 0;
    for (int k = 0; k < count[2]; ++k) {
      const Node z = node(2, k, wall[2], temperature);
      double term = z.factor;
      for (int power = 0; power < 6; power += 2) {
        below[power * stride + k + 1] = below[power * stride + k] + term;
        below[(power + 1) * stride + k + 1] = below[(power + 1) * stride + k] + term * z.v;
        term *= z.square;
      }
    }
    for (int j = 0; j < count[1]; ++j) along_y[j] = node(1, j, wall[1], temperature).factor;
    double sums[3] = {0, 0, 0};  // of v . normal times 1, c^2, c^4
    for (int i = 0; i < count[0]; ++i) {
      const Node x = node(0, i, wall[0], temperature);
      for (int j = 0; j < count[1]; ++j) {
        const auto y = double(space.velocities.nodes[1](j));
        const double across = normal[0] * x.v + normal[1] * y;
        int low = 0;  // the first node with v . normal > 0, or of normal[2] < 0 without
        int high = count[2];
        while (low < high) {
          const int middle = (low + high) / 2;
          const bool inwards = across + normal[2] * double(space.velocities.nodes[2](middle)) > 0;
          if (inwards == (normal[2] < 0)) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        double part[3];  // of v . normal times 1, c_z^2, c_z^4
        for (int power = 0; power < 3; ++power) {
          const double* zeroth = below + power * (2 * stride);
          const double* first = zeroth + stride;
          const bool down = normal[2] < 0;
          part[power] = across * (down ? zeroth[low] : zeroth[count[2]] - zeroth[low]) +
                        normal[2] * (down ? first[low] : first[count[2]] - first[low]);
        }
        const double factor = x.factor * along_y[j];
        const double square = x.square + (y - wall[1]) * (y - wall[1]);
        sums[0] += factor * part[0];
        sums[1] += factor * (square * part[0] + part[1]);
        sums[2] += factor * (square * (square * part[0] + 2 * part[1]) + part[2]);
      }
    }
    const double mean = sums[1] / sums[0];
    slope = 0.5 * (sums[2] / sums[0] - mean * mean) / (temperature * temperature);
    return 0.5 * mean;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t heated) const {
    const auto row = static_cast<int>(heated);
    const int face = space.made_face(row);
    const int cut = face - space.first_face[facet_side];
    const int wall = space.face_wall(face);
    double normal[3];
    facet_normal(space, cut, normal);
    double velocity[3];
    for (int d = 0; d < 3; ++d) velocity[d] = walls(wall, d);
    double leaving[flux_count];
    for (int n = 0; n < flux_count; ++n) leaving[n] = space.flux(face, n);
    double temperature = 1;
    if (leaving[0] != 0) {
      const double energy = energy_to_emit(velocity, walls(wall, 3), leaving);
      constexpr double tolerance = std::is_same_v<Real, float> ? 1e-9 : 1e-14;
      temperature = NAN;
      if (energy > 0) {
        const double share = 0.25 * space.rotation();  // of the rotation, over T
        temperature = temperature_to_emit(
            energy, energy / (1 + share), tolerance, [&](double t, double& slope) {
              const double found = mean_energy(row, normal, velocity, t, slope) + share * t;
              slope += share;
              return found;
            });
      }
    }
    set_wall_factors(space, wall, maxwellian(1, velocity, temperature));
    set_facet_inflow(space, cut);
    space.balance(face);
    emission(row, temperature_number) = temperature;
  }
};

/// Sets the fluxes onto the surfaces of given heat flux in cut cells to those of a uniform gas.
template <class ExecutionSpace, class Real>
struct SetFluxOntoFacet {
  SweepSpace<ExecutionSpace, Real> space;
  Maxwellian gas;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    const int face = space.made_face(row);
    const int wall = space.face_wall(face);
    double normal[3];
    facet_normal(space, face - space.first_face[facet_side], normal);
    for (double& component : normal) component = -component;
    set_wall_factors(space, wall, gas);  // until the surface has a temperature
    double flux[flux_count];
    wall_flux_along(space, wall, normal, flux);
    for (int n = 0; n < flux_count; ++n) space.flux(face, n) = flux[n];
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
      value *= space.weighted_factor(m, d, at);
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
  const std::size_t of_solids = space.made_face.extent(0);
  if (static_cast<std::int64_t>(of_solids) > space.scattering_rows()) {
    sides_.push_back(
        {facet_side, PressureSide{}, Emission<ExecutionSpace>("emission of solids", of_solids)});
  }
  if (sides_.empty()) return;
  if (of_solids > 0 && grid.has_cut_cells()) {
    tables_ = View<double**, ExecutionSpace>(
        "tables of facets", of_solids, static_cast<std::size_t>(facet_numbers(grid.velocities)));
  }
  const std::vector<SideCondition> conditions = wall_conditions(grid);
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
  const std::vector<int> heated = to_list(space.made_face);
  const std::vector<int> side_of_face = to_list(space.face_side);
  for (const Side& side : sides_) {
    if (side.pressure.pressure > 0 || has_facets(side)) continue;
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
  for (const Side& side : sides_) {
    if (!has_facets(side)) continue;
    Kokkos::parallel_for(
        "knudsen/shakhov/set_flux_onto_facets",
        Range<ExecutionSpace>(0, static_cast<std::int64_t>(side.emission.extent(0))),
        SetFluxOntoFacet<ExecutionSpace, Real>{space, maxwellian(state)});
  }
  Kokkos::fence();
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
    } else if (has_facets(side)) {
      Kokkos::parallel_for("knudsen/shakhov/find_facets", faces,
                           FindFacet<ExecutionSpace, Real>{space, walls_, side.emission, tables_});
      continue;
    } else {
      Kokkos::parallel_for(
          "knudsen/shakhov/find_heated", faces,
          FindHeated<ExecutionSpace, Real>{space, walls_, side.emission, side.number});
    }
    Kokkos::parallel_for(
        "knudsen/shakhov/set_entering",
        Range<ExecutionSpace>(
            execution, side.number == facet_side ? space.scattering_rows() * space.row_length() : 0,
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
