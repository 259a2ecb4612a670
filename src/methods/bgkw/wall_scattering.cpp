#include "methods/bgkw/wall_scattering.hpp"

#include <algorithm>
#include <array>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "kinetic/wall_temperature.hpp"
#include "methods/bgkw/side_flow.hpp"
#include "methods/gas/surfaces.hpp"

namespace knudsen::bgkw {
namespace {

/// Sets, for each face of a group, the values that leave the gas in the next streaming: the flow of
/// each velocity across the face over its Courant number.
template <class ExecutionSpace, class Real>
struct TakeLeaving {
  PhaseSpace<ExecutionSpace, Real> space;
  View<int*, ExecutionSpace> numbers;
  View<Real**, ExecutionSpace> leaving;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int row = team.league_rank();
    const Face face = space.faces(numbers(row));
    const int axis = face.direction / 2;
    const Real sign = face.direction % 2 == 1 ? Real(1) : Real(-1);
    Real* to = &leaving(row, 0);
    const LeavingFlow<ExecutionSpace, Real> flow_of(space, face);
    Segments(team, space.velocities).each([&](const Segment& segment) {
      for (int k = 0; k < segment.length; ++k) {
        const Real courant = courant_at(space, axis, segment.i, segment.begin + k);
        if (!(sign * courant > 0)) continue;
        to[segment.place + k] = flow_of(courant, segment.place + k) / math::fabs(courant);
      }
    });
  }
};

/// Sets the fluxes that leave the gas at each face of a group.
template <class ExecutionSpace, class Real>
struct SumGroup {
  PhaseSpace<ExecutionSpace, Real> space;
  View<int*, ExecutionSpace> numbers;
  View<double* [flux_count], ExecutionSpace> sums;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int row = team.league_rank();
    const Face face = space.faces(numbers(row));
    double leaving[flux_count] = {};
    sum_leaving(team, space, face, leaving);
    if (team.team_rank() != 0) return;
    for (int n = 0; n < flux_count; ++n) {
      sums(row, n) = leaving[n] / double(space.crossing[face.direction / 2]);
    }
  }
};

/// Sets the sums over the values of the cell beside each face of a group.
template <class ExecutionSpace, class Real>
struct SumCells {
  PhaseSpace<ExecutionSpace, Real> space;
  View<int*, ExecutionSpace> numbers;
  View<double* [flux_count], ExecutionSpace> sums;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int row = team.league_rank();
    const Real* values = space.values(space.faces(numbers(row)).cell);
    double total[flux_count] = {};
    team_sum<flux_count, double>(team, 1, total, [&](auto& part) {
      Segments(team, space.velocities).each([&](const Segment& segment) {
        for (int k = 0; k < segment.length; ++k) {
          add_flow(space.velocities, segment.i, segment.begin + k,
                   double(values[segment.place + k]), part);
        }
      });
    });
    if (team.team_rank() != 0) return;
    for (int n = 0; n < flux_count; ++n) sums(row, n) = (n == 4 ? 2 : 1) * total[n];
  }
};

/// Writes a Maxwellian over all velocities.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void write_maxwellian(const VelocitySpace<ExecutionSpace, Real>& v,
                                             const Maxwellian& m, Real* to) {
  for (int i = 0; i < v.count[0]; ++i) {
    for (int j = 0; j < v.count[1]; ++j) {
      const Real outer = static_cast<Real>(m.amplitude) * v.factor(m, 0, i) * v.factor(m, 1, j);
      for (int k = 0; k < v.entries; ++k) to[k] = outer * v.factor(m, 2, k);
      to += v.row_length;
    }
  }
}

/// Sets what enters at the faces of a group of sides of given pressure. One work item a face.
template <class ExecutionSpace, class Real>
struct EmitAtPressure {
  PhaseSpace<ExecutionSpace, Real> space;
  View<PressureSide*, ExecutionSpace> sides;
  View<double* [flux_count], ExecutionSpace> sums;
  View<double*, ExecutionSpace> mach;
  View<double*, ExecutionSpace> largest_mach;
  int direction;
  std::size_t first_row;

  KOKKOS_INLINE_FUNCTION void operator()(int row) const {
    double of_cell[flux_count];
    for (int n = 0; n < flux_count; ++n) of_cell[n] = sums(row, n);
    const PressureEmission found = pressure_emission(sides(row), direction, of_cell);
    mach(row) = found.mach;
    if (found.mach > largest_mach(row)) largest_mach(row) = found.mach;
    write_maxwellian(space.velocities, maxwellian(found.density, found.velocity, found.temperature),
                     &space.surface_maxwellian(first_row + std::size_t(row), 0));
  }
};

/// Sets what enters at the faces of a group of heated walls, but for the last rounding of the
/// density. One work item a face.
template <class ExecutionSpace, class Real>
struct EmitHeated {
  PhaseSpace<ExecutionSpace, Real> space;
  View<double* [4], ExecutionSpace> walls;
  View<double* [flux_count], ExecutionSpace> sums;
  View<double*, ExecutionSpace> temperature;
  int direction;
  std::size_t first_row;

  KOKKOS_INLINE_FUNCTION void operator()(int row) const {
    const auto& v = space.velocities;
    const double velocity[3] = {walls(row, 0), walls(row, 1), walls(row, 2)};
    double leaving[flux_count];
    for (int n = 0; n < flux_count; ++n) leaving[n] = sums(row, n);
    const double found =
        heated_emission(v, direction, velocity, walls(row, 3), leaving).temperature;
    temperature(row) = found;
    write_maxwellian(v, maxwellian(1, velocity, found),
                     &space.surface_maxwellian(first_row + std::size_t(row), 0));
  }
};

/// Sets the densities, so that the rounded values let in exactly what left.
template <class ExecutionSpace, class Real>
struct BalanceHeated {
  PhaseSpace<ExecutionSpace, Real> space;
  View<int*, ExecutionSpace> numbers;
  View<double* [flux_count], ExecutionSpace> sums;
  std::size_t first_row;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int row = team.league_rank();
    const Face face = space.faces(numbers(row));
    const int axis = face.direction / 2;
    const Real outward = face.direction % 2 == 1 ? Real(1) : Real(-1);
    const Real* values = &space.surface_maxwellian(first_row + std::size_t(row), 0);
    double entering[1] = {0};
    team_sum<1, double>(team, 1, entering, [&](auto& total) {
      Segments(team, space.velocities).each([&](const Segment& segment) {
        for (int k = 0; k < segment.length; ++k) {
          const int q = segment.begin + k;
          const Real flow = -outward * courant_at(space, axis, segment.i, q);
          if (!(flow > 0)) continue;
          add_flow(space.velocities, segment.i, q, double(flow) * double(values[segment.place + k]),
                   total);
        }
      });
    });
    if (team.team_rank() == 0) {
      space.face_density(numbers(row)) =
          static_cast<Real>(sums(row, 0) * double(space.crossing[axis]) / entering[0]);
    }
  }
};

/// Place of a node in the values of a cell. Along the normal of a face, nodes count by their
/// distance from zero.
template <class ExecutionSpace, class Real>
int place_of_node(const VelocitySpace<ExecutionSpace, Real>& velocities, int direction, int axis,
                  int node, bool onto) {
  int number = node;
  if (axis == direction / 2) {
    const int half = velocities.count[axis] / 2;
    const bool positive = (direction % 2 == 1) == onto;
    number = positive ? half + node : half - 1 - node;
  }
  return number * (axis == 0 ? velocities.plane : (axis == 1 ? velocities.row_length : 1));
}

/// 0: faces with given surfaces; then the groups of the others, in the order in which they are
/// made. Sides of given pressure need the gas beside them only. In second order what reaches a wall
/// may depend on what they emit, so they come first.
int kind_of(const SurfaceLaw& law) {
  if (law.has_pressure) return 1;
  if (law.scatters) return 2;
  return law.heated ? 3 : 0;
}

}  // namespace

std::vector<int> surfaces_of_faces(const std::vector<SideCondition>& surfaces,
                                   const std::vector<Face>& faces) {
  std::vector<int> result;
  std::vector<int> kinds;
  for (const SideCondition& condition : surfaces) kinds.push_back(kind_of(surface_law(condition)));
  for (const Face& face : faces) result.push_back(face.surface);
  int next = static_cast<int>(surfaces.size());
  for (const int kind : {1, 2, 3}) {
    for (int direction = 0; direction < 6; ++direction) {
      for (std::size_t n = 0; n < faces.size(); ++n) {
        if (faces[n].direction == direction &&
            kinds[static_cast<std::size_t>(faces[n].surface)] == kind) {
          result[n] = next++;
        }
      }
    }
  }
  return result;
}

ScatteringCount count_scattering_faces(const PhaseGrid& grid) {
  ScatteringCount count;
  std::array<double, 6> groups{};
  const auto add = [&](const SurfaceLaw& law, std::size_t direction, double faces) {
    if (!law.made_by_face()) return;
    count.faces += faces;
    if (!law.scatters) return;
    groups[direction] += faces;
    count.largest_group = std::max(count.largest_group, groups[direction]);
  };
  for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(grid.dimensions); ++side) {
    add(surface_law(grid.sides[side]), side, double(grid.cell_count()) / grid.cells[side / 2]);
  }
  bool any = false;
  for (const GasSolid& solid : grid.solids.bodies) any |= surface_law(solid.wall).made_by_face();
  if (!any || !grid.solids.built) return count;
  const auto bodies = static_cast<int>(grid.solids.bodies.size());
  for (const Face& face : find_neighbours(grid).faces) {
    if (face.surface < 6 || face.surface >= 6 + bodies) continue;
    add(surface_law(grid.solids.bodies[static_cast<std::size_t>(face.surface) - 6].wall),
        static_cast<std::size_t>(face.direction), 1);
  }
  return count;
}

template <class ExecutionSpace, class Real>
std::vector<double> WallScattering<ExecutionSpace, Real>::of_faces(
    std::size_t faces, View<double*, ExecutionSpace> Group::*values) const {
  std::vector<double> result(faces, 0.0);
  for (const Group& group : groups) {
    const std::vector<int> number = to_list(group.numbers);
    const std::vector<double> of_group = to_list(group.*values);
    for (std::size_t row = 0; row < of_group.size(); ++row) {
      result[static_cast<std::size_t>(number[row])] = of_group[row];
    }
  }
  return result;
}

template <class ExecutionSpace, class Real>
std::vector<double> WallScattering<ExecutionSpace, Real>::temperatures(std::size_t faces) const {
  return of_faces(faces, &Group::temperature);
}

template <class ExecutionSpace, class Real>
std::vector<double> WallScattering<ExecutionSpace, Real>::mach_numbers(std::size_t faces) const {
  return of_faces(faces, &Group::mach);
}

template <class ExecutionSpace, class Real>
std::vector<double> WallScattering<ExecutionSpace, Real>::largest_mach_numbers(
    std::size_t faces) const {
  return of_faces(faces, &Group::largest_mach);
}

template <class ExecutionSpace, class Real>
void WallScattering<ExecutionSpace, Real>::forget() const {
  for (const Group& group : groups) {
    if (group.pressure.extent(0) == 0) continue;
    Kokkos::deep_copy(group.mach, 0);
    Kokkos::deep_copy(group.largest_mach, 0);
  }
}

template <class ExecutionSpace, class Real>
std::unique_ptr<WallScattering<ExecutionSpace, Real>> make_wall_scattering(
    const PhaseGrid& grid, const CellSlab& slab, const PhaseSpace<ExecutionSpace, Real>& space) {
  using Walls = WallScattering<ExecutionSpace, Real>;
  const std::vector<SideCondition> surfaces = Surfaces(grid.sides, grid.solids).conditions;
  if (space.surface_maxwellian.extent(0) == surfaces.size()) return nullptr;
  const std::vector<Face> faces = neighbours_in_slab(grid, find_neighbours(grid), slab).faces;
  std::vector<SurfaceLaw> laws;
  for (const SideCondition& condition : surfaces) laws.push_back(surface_law(condition));
  auto result = std::make_unique<Walls>();
  std::size_t row = surfaces.size();
  std::size_t largest = 0;
  for (const int kind : {1, 2, 3}) {
    for (int direction = 0; direction < 2 * grid.dimensions; ++direction) {
      std::vector<int> numbers;
      std::vector<int> walls;
      for (std::size_t n = 0; n < faces.size(); ++n) {
        if (faces[n].direction != direction ||
            kind_of(laws[static_cast<std::size_t>(faces[n].surface)]) != kind) {
          continue;
        }
        numbers.push_back(static_cast<int>(n));
        walls.push_back(faces[n].surface);
      }
      if (numbers.empty()) continue;
      typename Walls::Group group;
      group.direction = direction;
      group.numbers = View<int*, ExecutionSpace>("faces that make what enters", numbers.size());
      upload(group.numbers, numbers);
      group.first_row = row;
      row += numbers.size();
      if (kind == 2) {
        largest = std::max(largest, numbers.size());
        group.faces = make_scattering_faces<ExecutionSpace>(
            grid.velocities, surfaces, walls, direction / 2, false,
            [&](int axis, int node, bool onto) {
              return place_of_node(space.velocities, direction, axis, node, onto);
            });
      } else if (kind == 1) {
        group.pressure = View<PressureSide*, ExecutionSpace>("pressure sides", numbers.size());
        group.sums =
            View<double* [flux_count], ExecutionSpace>("sums beside faces", numbers.size());
        group.mach = View<double*, ExecutionSpace>("Mach numbers", numbers.size());
        group.largest_mach = View<double*, ExecutionSpace>("largest Mach numbers", numbers.size());
        std::vector<PressureSide> sides;
        for (const int wall : walls) {
          sides.push_back(pressure_side(surfaces[static_cast<std::size_t>(wall)], grid.velocities,
                                        space.velocities.rotation));
        }
        upload(group.pressure, sides);
      } else {
        group.heated = View<double* [4], ExecutionSpace>("heated walls", numbers.size());
        group.sums =
            View<double* [flux_count], ExecutionSpace>("fluxes onto heated walls", numbers.size());
        group.temperature = View<double*, ExecutionSpace>("wall temperature", numbers.size());
        const auto mirror = Kokkos::create_mirror_view(group.heated);
        for (std::size_t n = 0; n < walls.size(); ++n) {
          const auto wall = static_cast<std::size_t>(walls[n]);
          for (std::size_t d = 0; d < 3; ++d) mirror(n, d) = surfaces[wall].state.velocity[d];
          mirror(n, 3) = laws[wall].heat;
        }
        Kokkos::deep_copy(group.heated, mirror);
      }
      result->groups.push_back(std::move(group));
    }
  }
  result->leaving =
      View<Real**, ExecutionSpace>("leaving", largest, space.surface_maxwellian.extent(1));
  return result;
}

template <class ExecutionSpace, class Real>
void scatter_at_walls(const StepContext<ExecutionSpace>& context,
                      const PhaseSpace<ExecutionSpace, Real>& space, int axis) {
  if (space.scattering == nullptr) return;
  const auto row_length = static_cast<std::int64_t>(space.surface_maxwellian.extent(1));
  for (const auto& group : space.scattering->groups) {
    if (axis >= 0 && group.direction / 2 != axis) continue;
    const int faces = static_cast<int>(group.numbers.extent(0));
    const auto sum_bytes = [&](int sums) {
      return team_sum_bytes<ExecutionSpace, double>(sums, context.tuning.team_size);
    };
    if (group.pressure.extent(0) > 0) {
      Kokkos::parallel_for("knudsen/bgkw/sum_at_pressure_sides",
                           team_policy(context, faces, sum_bytes(flux_count)),
                           SumCells<ExecutionSpace, Real>{space, group.numbers, group.sums});
      Kokkos::parallel_for(
          "knudsen/bgkw/emit_at_pressure",
          Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>(context.execution, 0, faces),
          EmitAtPressure<ExecutionSpace, Real>{space, group.pressure, group.sums, group.mach,
                                               group.largest_mach, group.direction,
                                               group.first_row});
      continue;
    }
    if (group.heated.extent(0) > 0) {
      Kokkos::parallel_for("knudsen/bgkw/sum_at_heated_walls",
                           team_policy(context, faces, sum_bytes(flux_count)),
                           SumGroup<ExecutionSpace, Real>{space, group.numbers, group.sums});
      Kokkos::parallel_for(
          "knudsen/bgkw/emit_heated",
          Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>(context.execution, 0, faces),
          EmitHeated<ExecutionSpace, Real>{space, group.heated, group.sums, group.temperature,
                                           group.direction, group.first_row});
      Kokkos::parallel_for(
          "knudsen/bgkw/balance_heated", team_policy(context, faces, sum_bytes(1)),
          BalanceHeated<ExecutionSpace, Real>{space, group.numbers, group.sums, group.first_row});
      continue;
    }
    Kokkos::parallel_for(
        "knudsen/bgkw/take_leaving", team_policy(context, faces),
        TakeLeaving<ExecutionSpace, Real>{space, group.numbers, space.scattering->leaving});
    Real* leaving = space.scattering->leaving.data();
    scatter(
        context.execution, group.faces, leaving, leaving,
        space.surface_maxwellian.data() + group.first_row * static_cast<std::size_t>(row_length),
        row_length);
  }
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                              \
  template std::vector<double> WallScattering<ExecutionSpace, Real>::temperatures(std::size_t) \
      const;                                                                                   \
  template std::vector<double> WallScattering<ExecutionSpace, Real>::mach_numbers(std::size_t) \
      const;                                                                                   \
  template std::vector<double> WallScattering<ExecutionSpace, Real>::largest_mach_numbers(     \
      std::size_t) const;                                                                      \
  template void WallScattering<ExecutionSpace, Real>::forget() const;                          \
  template std::unique_ptr<WallScattering<ExecutionSpace, Real>>                               \
  make_wall_scattering<ExecutionSpace, Real>(const PhaseGrid&, const CellSlab&,                \
                                             const PhaseSpace<ExecutionSpace, Real>&);         \
  template void scatter_at_walls<ExecutionSpace, Real>(                                        \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
