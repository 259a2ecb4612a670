#include "methods/bgkw/wall_scattering.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
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
    Segments(team, space.velocities).each([&](const Segment& segment) {
      for (int k = 0; k < segment.length; ++k) {
        const Real courant = courant_at(space, axis, segment.i, segment.begin + k);
        if (!(sign * courant > 0)) continue;
        to[segment.place + k] =
            leaving_flow(space, face, courant, segment.place + k) / math::fabs(courant);
      }
    });
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

}  // namespace

std::vector<int> surfaces_of_faces(const std::vector<SideCondition>& surfaces,
                                   const std::vector<Face>& faces) {
  std::vector<int> result;
  for (const Face& face : faces) result.push_back(face.surface);
  int next = static_cast<int>(surfaces.size());
  for (int direction = 0; direction < 6; ++direction) {
    for (std::size_t n = 0; n < faces.size(); ++n) {
      const Face& face = faces[n];
      if (face.direction != direction ||
          !surface_law(surfaces[static_cast<std::size_t>(face.surface)]).scatters) {
        continue;
      }
      result[n] = next++;
    }
  }
  return result;
}

ScatteringCount count_scattering_faces(const PhaseGrid& grid) {
  std::array<double, 6> groups{};
  for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(grid.dimensions); ++side) {
    if (!surface_law(grid.sides[side]).scatters) continue;
    groups[side] = double(grid.cell_count()) / grid.cells[side / 2];
  }
  const auto scatters = [&](int surface) {
    return surface >= 6 &&
           surface_law(grid.solids.bodies[static_cast<std::size_t>(surface) - 6].wall).scatters;
  };
  const auto bodies = static_cast<int>(grid.solids.bodies.size());
  bool any = false;
  for (int body = 0; body < bodies; ++body) any |= scatters(6 + body);
  if (any && grid.solids.built) {
    for (const Face& face : find_neighbours(grid).faces) {
      if (face.surface < 6 + bodies && scatters(face.surface)) {
        ++groups[static_cast<std::size_t>(face.direction)];
      }
    }
  }
  return {std::accumulate(groups.begin(), groups.end(), 0.0),
          *std::max_element(groups.begin(), groups.end())};
}

template <class ExecutionSpace, class Real>
std::unique_ptr<WallScattering<ExecutionSpace, Real>> make_wall_scattering(
    const PhaseGrid& grid, const CellSlab& slab, const PhaseSpace<ExecutionSpace, Real>& space) {
  const std::vector<SideCondition> surfaces = Surfaces(grid.sides, grid.solids).conditions;
  if (space.surface_maxwellian.extent(0) == surfaces.size()) return nullptr;
  const std::vector<Face> faces = neighbours_in_slab(grid, find_neighbours(grid), slab).faces;
  const std::vector<int> own_surface = surfaces_of_faces(surfaces, faces);
  auto result = std::make_unique<WallScattering<ExecutionSpace, Real>>();
  std::size_t row = surfaces.size();
  std::size_t largest = 0;
  for (int direction = 0; direction < 2 * grid.dimensions; ++direction) {
    std::vector<int> numbers;
    std::vector<int> walls;
    for (std::size_t n = 0; n < faces.size(); ++n) {
      if (faces[n].direction != direction || own_surface[n] < static_cast<int>(surfaces.size())) {
        continue;
      }
      numbers.push_back(static_cast<int>(n));
      walls.push_back(faces[n].surface);
    }
    if (numbers.empty()) continue;
    typename WallScattering<ExecutionSpace, Real>::Group group;
    group.numbers = View<int*, ExecutionSpace>("faces that scatter", numbers.size());
    upload(group.numbers, numbers);
    group.first_row = row;
    row += numbers.size();
    largest = std::max(largest, numbers.size());
    group.faces = make_scattering_faces<ExecutionSpace>(
        grid.velocities, surfaces, walls, direction / 2, false, [&](int axis, int node, bool onto) {
          return place_of_node(space.velocities, direction, axis, node, onto);
        });
    result->groups.push_back(std::move(group));
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
    if (axis >= 0 && group.faces.normal != axis) continue;
    Kokkos::parallel_for(
        "knudsen/bgkw/take_leaving",
        team_policy(context, static_cast<int>(group.numbers.extent(0))),
        TakeLeaving<ExecutionSpace, Real>{space, group.numbers, space.scattering->leaving});
    Real* leaving = space.scattering->leaving.data();
    scatter(
        context.execution, group.faces, leaving, leaving,
        space.surface_maxwellian.data() + group.first_row * static_cast<std::size_t>(row_length),
        row_length);
  }
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                      \
  template std::unique_ptr<WallScattering<ExecutionSpace, Real>>                       \
  make_wall_scattering<ExecutionSpace, Real>(const PhaseGrid&, const CellSlab&,        \
                                             const PhaseSpace<ExecutionSpace, Real>&); \
  template void scatter_at_walls<ExecutionSpace, Real>(                                \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
