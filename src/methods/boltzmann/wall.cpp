#include "core/instantiate.hpp"
#include "methods/boltzmann/step.hpp"
#include "methods/boltzmann/team.hpp"

namespace knudsen::boltzmann {
namespace {

/// Mass flux of h that leaves a cell towards a side, and those that the wall's offset and gain send
/// back.
struct WallFlux {
  double leaving = 0;
  double offset = 0;
  double gain = 0;

  KOKKOS_INLINE_FUNCTION WallFlux& operator+=(const WallFlux& other) {
    leaving += other.leaving;
    offset += other.offset;
    gain += other.gain;
    return *this;
  }
};

/// A team a face of a wall.
template <class ExecutionSpace, class Real>
struct WallDensity {
  State<ExecutionSpace, Real> state;
  int side;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& v = state.velocities;
    const int face = team.league_rank();
    const int axis = side / 2;
    const Real outwards = side % 2 == 0 ? Real(-1) : Real(1);
    const Real* values = state.values(state.h, cell_beside(state, side, face).index);
    const Real* offset = &state.wall_offset(side, 0);
    const Real* gain = &state.wall_gain(side, 0);
    const auto flux = team_sum<WallFlux>(team, v.size(), [&](int place, WallFlux& partial) {
      const int row = place / v.row_length;
      const int k = place - row * v.row_length;
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      const double speed = double(outwards * state.node(axis, i, j, k));
      const double flow = speed * double(v.weights[0](i)) * double(v.weights[1](j)) *
                          double(v.moment_weights(0, k));
      if (speed > 0) {
        partial.leaving += flow * double(values[place]);
      } else {
        partial.offset -= flow * double(offset[place]);
        partial.gain -= flow * double(gain[place]);
      }
    });
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      state.wall_density(state.first_face[side] + face) =
          static_cast<Real>((flux.leaving - flux.offset) / flux.gain);
    });
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void update_wall_density(const StepContext<ExecutionSpace>& context,
                         const State<ExecutionSpace, Real>& state) {
  for (int side = 0; side < 2 * state.dimensions; ++side) {
    if (state.side[side] != SideKind::wall) continue;
    const TeamPolicy<ExecutionSpace> policy(context.execution, state.faces(side),
                                            is_host_backend<ExecutionSpace> ? 1 : 256, 1);
    Kokkos::parallel_for("knudsen/boltzmann/wall_density", policy,
                         WallDensity<ExecutionSpace, Real>{state, side});
  }
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                             \
  template void update_wall_density<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                                          const State<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann

namespace Kokkos {
template <>
struct reduction_identity<knudsen::boltzmann::WallFlux> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::boltzmann::WallFlux sum() { return {}; }
};
}  // namespace Kokkos
