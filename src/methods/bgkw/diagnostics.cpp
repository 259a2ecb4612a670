#include "methods/bgkw/diagnostics.hpp"

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "methods/bgkw/team_moments.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::bgkw {
namespace {

/// Thirteen or fourteen raw moments of each cell, one team a cell.
template <int Count, class ExecutionSpace, class Real>
struct SumCell {
  PhaseSpace<ExecutionSpace, Real> space;
  View<double* [Count], ExecutionSpace> moments;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int cell = team.league_rank();
    const Real* values = space.values(cell);
    const auto total = team_moments<Count>(
        team, 1, v,
        [&](const Segment& segment, const auto& add) { add(segment, values + segment.place); });
    if (team.team_rank() == 0) {
      for (int i = 0; i < Count; ++i) moments(cell, i) = total.value[i];
    }
  }
};

/// The entropy of each cell, one team a cell.
template <class ExecutionSpace, class Real>
struct CellEntropy {
  PhaseSpace<ExecutionSpace, Real> space;
  View<double*, ExecutionSpace> entropies;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int cell = team.league_rank();
    const Real* values = space.values(cell);
    double total[1] = {0};
    team_sum<1, double>(team, 1, total, [&](auto& sums) {
      Segments(team, v).each([&](const Segment& segment) {
        for (int k = 0; k < segment.length; ++k) {
          const double f = values[segment.place + k];
          const double weight =
              double(v.weights[0](segment.i)) * double(v.weight(segment.begin + k));
          if (f > 0) sums[0] -= weight * f * std::log(f);
        }
      });
    });
    if (team.team_rank() == 0) entropies(cell) = total[0];
  }
};

/// Sets each cell to the Maxwellian of its state, one team a cell.
template <class ExecutionSpace, class Real>
struct SetCell {
  PhaseSpace<ExecutionSpace, Real> space;
  View<double* [5], ExecutionSpace> states;  ///< density, velocity, temperature
  bool conservative;                         ///< moments on the grid are exactly those of the state

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int cell = team.league_rank();
    if (space.is_solid(cell)) return;
    Macroscopic state;
    state.density = states(cell, 0);
    for (int d = 0; d < 3; ++d) state.velocity[d] = states(cell, 1 + d);
    state.temperature = states(cell, 4);
    const Maxwellian m = conservative
                             ? conservative_maxwellian(v, state, 1e-12)
                             : maxwellian(state.density, state.velocity, state.temperature);
    Real* values = space.values(cell);
    team_each(team, v.size() / v.row_length, [&](int row) {
      const int i = row / v.count[1];
      const double outer =
          m.amplitude * double(v.factor(m, 0, i)) * double(v.factor(m, 1, row - i * v.count[1]));
      for (int k = 0; k < v.row_length; ++k) {
        double value = outer * double(v.factor(m, 2, k));
        // The fitted Maxwellian has another temperature.
        if (v.rotates(k)) value *= state.temperature / m.temperature;
        values[row * v.row_length + k] = static_cast<Real>(value);
      }
    });
  }
};

/// One team a cell. Teams are smaller than those of the steps if the partial sums of `count`
/// moments would need more scratch memory than every GPU has; a team still covers whole rows.
template <class ExecutionSpace, class Real>
StepPolicy<ExecutionSpace> moments_policy(StepContext<ExecutionSpace> context,
                                          const PhaseSpace<ExecutionSpace, Real>& space,
                                          int count) {
  constexpr std::size_t max_bytes = 40000;
  int& size = context.tuning.team_size;
  const auto bytes = [&] { return team_sum_bytes<ExecutionSpace, Real>(count, size); };
  const int accesses = space.velocities.row_length / values_per_access<Real>;
  while (bytes() > max_bytes && size / 2 >= accesses) size = size / 64 * 32;
  return team_policy(context, space.cell_count(), bytes());
}

template <int Count, class ExecutionSpace, class Real>
std::vector<Macroscopic> fields_from_moments(const StepContext<ExecutionSpace>& context,
                                             const PhaseSpace<ExecutionSpace, Real>& space) {
  const View<double* [Count], ExecutionSpace> moments("moments",
                                                      static_cast<std::size_t>(space.cell_count()));
  Kokkos::parallel_for("knudsen/bgkw/macroscopic_fields", moments_policy(context, space, Count),
                       SumCell<Count, ExecutionSpace, Real>{space, moments});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), moments);
  const auto velocities = host_copy(space.velocities);
  std::vector<Macroscopic> fields(moments.extent(0));
  for (std::size_t cell = 0; cell < fields.size(); ++cell) {
    RawMoments<Count> raw;
    for (std::size_t i = 0; i < Count; ++i) raw.value[i] = host(cell, i);
    fields[cell] = macroscopic(velocities, raw);
  }
  return fields;
}

}  // namespace

template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
                const std::function<GasState(int, int, int)>& state) {
  const View<double* [5], ExecutionSpace> states("initial states",
                                                 static_cast<std::size_t>(space.cell_count()));
  const auto mirror = Kokkos::create_mirror_view(states);
  std::size_t cell = 0;
  for (int z = 0; z < space.cells[2]; ++z) {
    for (int y = 0; y < space.cells[1]; ++y) {
      for (int x = 0; x < space.cells[0]; ++x, ++cell) {
        const GasState here = state(x, y, z);
        mirror(cell, 0) = here.density;
        for (std::size_t d = 0; d < 3; ++d) mirror(cell, 1 + d) = here.velocity[d];
        mirror(cell, 4) = here.temperature;
      }
    }
  }
  Kokkos::deep_copy(states, mirror);
  Kokkos::parallel_for(
      "knudsen/bgkw/initialise", team_policy(context, space.cell_count()),
      SetCell<ExecutionSpace, Real>{space, states, context.collision.conservative});
  space.known = KnownSums::none;
  context.execution.fence();
}

template <class ExecutionSpace, class Real>
std::vector<Macroscopic> macroscopic_fields(const StepContext<ExecutionSpace>& context,
                                            const PhaseSpace<ExecutionSpace, Real>& space) {
  if (space.velocities.rotation > 0) return fields_from_moments<14>(context, space);
  return fields_from_moments<13>(context, space);
}

template <class ExecutionSpace, class Real>
double entropy(const StepContext<ExecutionSpace>& context,
               const PhaseSpace<ExecutionSpace, Real>& space) {
  const View<double*, ExecutionSpace> entropies("entropies",
                                                static_cast<std::size_t>(space.cell_count()));
  const auto policy =
      team_policy(context, space.cell_count(),
                  team_sum_bytes<ExecutionSpace, double>(1, context.tuning.team_size));
  Kokkos::parallel_for("knudsen/bgkw/entropy", policy,
                       CellEntropy<ExecutionSpace, Real>{space, entropies});
  double sum = 0;
  for (const double each : world().concatenate_on_first(to_list(entropies))) sum += each;
  return sum;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template void initialise<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,             \
                                                 PhaseSpace<ExecutionSpace, Real>&,              \
                                                 const std::function<GasState(int, int, int)>&); \
  template double entropy<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,              \
                                                const PhaseSpace<ExecutionSpace, Real>&);        \
  template std::vector<Macroscopic> macroscopic_fields<ExecutionSpace, Real>(                    \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
