#include "methods/bgkw/side_flow.hpp"

#include "core/instantiate.hpp"
#include "methods/bgkw/diagnostics.hpp"

namespace knudsen::bgkw {
namespace {

/// A team a face: sums what leaves the box, or what a side's Maxwellian sends in.
template <class ExecutionSpace, class Real>
struct SumSide {
  PhaseSpace<ExecutionSpace, Real> space;
  int side;
  bool entering;
  View<double* [5], ExecutionSpace> sums;  ///< (face, sum)

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int face = team.league_rank();
    const Real* values = entering ? &space.side_maxwellian(side, 0)
                                  : &space.f(cell_beside(space, side, face).index, 0);
    const auto total =
        team_sum<SideSums<5>>(team, space.velocities.size(), [&](int place, SideSums<5>& partial) {
          add_flow(space, side, entering, values, place, partial);
        });
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      for (int i = 0; i < 5; ++i) sums(face, i) = total.value[i];
    });
  }
};

/// A team a face of a wall: the density of what it sends back, such that no mass crosses it.
template <class ExecutionSpace, class Real>
struct WallDensity {
  PhaseSpace<ExecutionSpace, Real> space;
  int side;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int face = team.league_rank();
    const Real* values = &space.f(cell_beside(space, side, face).index, 0);
    const auto leaving =
        team_sum<SideSums<1>>(team, space.velocities.size(), [&](int place, SideSums<1>& partial) {
          add_flow(space, side, false, values, place, partial);
        });
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      space.wall_density(space.first_face[side] + face) =
          static_cast<Real>(leaving.value[0] / space.side_inflow[side]);
    });
  }
};

template <class ExecutionSpace, class Real>
std::vector<FaceFlux> sum_side(const StepContext<ExecutionSpace>& context,
                               const PhaseSpace<ExecutionSpace, Real>& space, int side,
                               bool entering) {
  const int faces = entering ? 1 : space.faces(side);
  const View<double* [5], ExecutionSpace> sums("side sums", static_cast<std::size_t>(faces));
  const TeamPolicy<ExecutionSpace> policy(context.execution, faces, context.tuning.team_size, 1);
  Kokkos::parallel_for("knudsen/bgkw/sum_side", policy,
                       SumSide<ExecutionSpace, Real>{space, side, entering, sums});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  std::vector<FaceFlux> fluxes(static_cast<std::size_t>(faces));
  for (std::size_t face = 0; face < fluxes.size(); ++face) {
    for (std::size_t i = 0; i < 5; ++i) fluxes[face][i] = host(face, i);
  }
  return fluxes;
}

}  // namespace

template <class ExecutionSpace, class Real>
void update_wall_density(const StepContext<ExecutionSpace>& context,
                         const PhaseSpace<ExecutionSpace, Real>& space) {
  for (int side = 0; side < 2 * space.dimensions; ++side) {
    if (space.side[side] != SideKind::wall) continue;
    const TeamPolicy<ExecutionSpace> policy(context.execution, space.faces(side),
                                            context.tuning.team_size, 1);
    Kokkos::parallel_for("knudsen/bgkw/wall_density", policy,
                         WallDensity<ExecutionSpace, Real>{space, side});
  }
}

template <class ExecutionSpace, class Real>
void prepare_sides(const StepContext<ExecutionSpace>& context,
                   PhaseSpace<ExecutionSpace, Real>& space) {
  for (int side = 0; side < 2 * space.dimensions; ++side) {
    if (space.side[side] == SideKind::periodic) continue;
    space.side_inflow[side] = sum_side(context, space, side, true)[0][0];
  }
}

template <class ExecutionSpace, class Real>
std::vector<FaceFlux> side_fluxes(const StepContext<ExecutionSpace>& context,
                                  const PhaseSpace<ExecutionSpace, Real>& space, int side,
                                  double spacing_over_step) {
  update_wall_density(context, space);
  std::vector<FaceFlux> fluxes = sum_side(context, space, side, false);
  const FaceFlux entering = sum_side(context, space, side, true)[0];
  const auto density = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.wall_density);
  const double diffuse = static_cast<double>(space.diffuse[side]);
  const auto first = static_cast<std::size_t>(space.first_face[side]);
  for (std::size_t face = 0; face < fluxes.size(); ++face) {
    const double maxwellian = diffuse * static_cast<double>(density(first + face));
    for (std::size_t i = 0; i < 5; ++i) {
      const bool normal = i == 1 + static_cast<std::size_t>(side) / 2;
      const double mirrored = (1 - diffuse) * (normal ? -1 : 1) * fluxes[face][i];
      fluxes[face][i] = (fluxes[face][i] - maxwellian * entering[i] - mirrored) * spacing_over_step;
    }
  }
  return fluxes;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                       \
  template void update_wall_density<ExecutionSpace, Real>(                              \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&);     \
  template void prepare_sides<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                                    PhaseSpace<ExecutionSpace, Real>&); \
  template std::vector<FaceFlux> side_fluxes<ExecutionSpace, Real>(                     \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, int, double);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
