#include "methods/bgkw/make_phase_space.hpp"

#include "core/instantiate.hpp"

namespace knudsen::bgkw {
namespace {

double diffuse_share(const SideCondition& side) {
  switch (side.kind) {
    case SideKind::wall:
      return side.accommodation;
    case SideKind::reservoir:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

template <class ExecutionSpace, class Real>
PhaseSpace<ExecutionSpace, Real> make_phase_space(const StepContext<ExecutionSpace>& context,
                                                  const PhaseGrid& grid) {
  PhaseSpace<ExecutionSpace, Real> space;
  space.velocities = make_velocity_space<ExecutionSpace, Real>(grid.velocities);
  const auto& v = space.velocities;
  space.dimensions = grid.dimensions;
  for (std::size_t d = 0; d < 3; ++d) space.cells[d] = grid.cells[d];
  const auto cells = static_cast<std::size_t>(space.cell_count());
  const auto velocities = static_cast<std::size_t>(v.size());
  space.f = View<Real**, ExecutionSpace>("distribution", cells, velocities);
  space.next = View<Real**, ExecutionSpace>("next distribution", cells, velocities);

  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions); ++d) {
    space.courant[d] = View<Real*, ExecutionSpace>("Courant numbers", v.nodes[d].extent(0));
    const auto mirror = Kokkos::create_mirror_view(space.courant[d]);
    const auto& nodes = grid.velocities[d].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      mirror(i) = static_cast<Real>(nodes[i] * grid.time_step / grid.spacing[d]);
    }
    Kokkos::deep_copy(space.courant[d], mirror);
  }

  space.side_maxwellian = View<Real**, ExecutionSpace>("Maxwellians of sides", 6, velocities);
  const auto values = Kokkos::create_mirror_view(space.side_maxwellian);
  int faces = 0;
  for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(grid.dimensions); ++side) {
    const SideCondition& condition = grid.sides[side];
    space.side[side] = condition.kind;
    space.diffuse[side] = static_cast<Real>(diffuse_share(condition));
    space.first_face[side] = faces;
    faces += space.faces(static_cast<int>(side));
    GasState state = condition.state;
    if (condition.kind == SideKind::wall) state.density = 1;
    const Maxwellian m = maxwellian(state);
    std::size_t place = 0;
    for (const double x : grid.velocities[0].nodes) {
      for (const double y : grid.velocities[1].nodes) {
        const double outer = m.amplitude * m.factor(0, x) * m.factor(1, y);
        for (std::size_t k = 0; k < grid.velocities[2].nodes.size(); ++k) {
          values(side, place + k) =
              static_cast<Real>(outer * m.factor(2, grid.velocities[2].nodes[k]));
        }
        place += static_cast<std::size_t>(v.row_length);
      }
    }
  }
  Kokkos::deep_copy(space.side_maxwellian, values);
  space.wall_density = View<Real*, ExecutionSpace>("wall density", static_cast<std::size_t>(faces));
  Kokkos::deep_copy(space.wall_density, Real(1));
  prepare_sides(context, space);
  return space;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                   \
  template PhaseSpace<ExecutionSpace, Real> make_phase_space<ExecutionSpace, Real>( \
      const StepContext<ExecutionSpace>&, const PhaseGrid&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
