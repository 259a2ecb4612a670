#include "device/instantiate.hpp"
#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {
namespace {

/// One team per face of the box, with all sides in one launch.
template <class ExecutionSpace, class Real>
struct WallDensity {
  State<ExecutionSpace, Real> state;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& v = state.velocities;
    const int number = team.league_rank();
    int side = 2 * state.dimensions - 1;
    while (number < state.first_face[side]) --side;
    if (!state.returns(side)) return;
    const int face = number - state.first_face[side];
    const int axis = side / 2;
    const Real outwards = side % 2 == 0 ? Real(-1) : Real(1);
    const auto outflow = outflow_through(state, side, cell_beside(state, side, face));
    double mass = 0;  // outward mass flux
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, 0, v.rows()),
        [&](int row, double& partial) {
          const int i = row / v.count[1];
          const int j = row - i * v.count[1];
          if (axis < 2 && outwards * state.node(axis, i, j, 0) < 0) return;
          Real sum = 0;
          for (int k = 0; k < v.count[2]; ++k) {
            const Real speed = outwards * state.node(axis, i, j, k);
            if (speed > 0) {
              sum += speed * v.weights[2](k) * outflow(row * v.row_length + k, speed);
            }
          }
          partial += double(v.weights[0](i)) * double(v.weights[1](j)) * double(sum);
        },
        mass);
    const int surface = state.face_surface(number);
    // h at density n is offset + n gain, so the offset enters at any density.
    const Real density =
        state.balanced[side]
            ? static_cast<Real>((state.returned(surface) * mass - state.offset_flux(surface) +
                                 state.added_flux(surface)) /
                                state.gain_flux(surface))
            : Real(0);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { state.wall_density(number) = density; });
    if (state.first_incoming[side] < 0) return;
    Real* incoming = state.values(state.incoming, state.first_incoming[side] + face);
    // The density is in the emitted value already: in terms of h it is not a factor of it.
    const InflowWeights<Real> weights(state.diffuse_share[side], 1);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 0, v.rows()), [&](int row) {
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      for (int k = 0; k < v.count[2]; ++k) {
        const Real speed = -outwards * state.node(axis, i, j, k);
        if (speed < 0) continue;
        const int place = row * v.row_length + k;
        const Real emitted =
            state.wall_offset(surface, place) + density * state.wall_gain(surface, place);
        incoming[place] = weights(emitted, outflow(mirrored_index(v, axis, place), speed));
      }
    });
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void update_wall_density(const StepContext<ExecutionSpace>& context,
                         const State<ExecutionSpace, Real>& state) {
  const auto faces = static_cast<int>(state.wall_density.extent(0));
  if (faces == 0) return;
  const TeamPolicy<ExecutionSpace> policy(context.execution, faces,
                                          is_host_backend<ExecutionSpace> ? 1 : 256, 1);
  Kokkos::parallel_for("knudsen/boltzmann/wall_density", policy,
                       WallDensity<ExecutionSpace, Real>{state});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                             \
  template void update_wall_density<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                                          const State<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
