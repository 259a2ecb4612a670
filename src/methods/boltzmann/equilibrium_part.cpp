#include "methods/boltzmann/equilibrium_part.hpp"

#include "device/instantiate.hpp"
#include "methods/boltzmann/conservation.hpp"
#include "methods/boltzmann/team.hpp"

namespace knudsen::boltzmann {
namespace {

struct InvariantSums {
  double value[invariants] = {};

  KOKKOS_INLINE_FUNCTION InvariantSums& operator+=(const InvariantSums& other) {
    for (int n = 0; n < invariants; ++n) value[n] += other.value[n];
    return *this;
  }
};

}  // namespace
}  // namespace knudsen::boltzmann

namespace Kokkos {
template <>
struct reduction_identity<knudsen::boltzmann::InvariantSums> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::boltzmann::InvariantSums sum() { return {}; }
};
}  // namespace Kokkos

namespace knudsen::boltzmann {
namespace {

/// A velocity of a cell.
struct Place {
  bool valid;              ///< false in the padding
  int i, j, k;             ///< indices of its components
  double psi[invariants];  ///< the invariants
};

/// The velocity with this number among a cell's values.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Place place_of(const VelocitySpace<ExecutionSpace, Real>& v, int number) {
  const int row = number / v.row_length;
  const int k = number - row * v.row_length;
  if (k >= v.count[2]) return {false, 0, 0, 0, {}};
  const int i = row / v.count[1];
  const int j = row - i * v.count[1];
  const double x = v.nodes[0](i);
  const double y = v.nodes[1](j);
  const double z = v.nodes[2](k);
  return {true, i, j, k, {1, x, y, z, x * x + y * y + z * z}};
}

/// Adds sign x part to h of the team's cell.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void add_part(const TeamMember<ExecutionSpace>& team,
                                     const State<ExecutionSpace, Real>& state,
                                     const EquilibriumPart<ExecutionSpace>& part, double sign) {
  const int cell = team.league_rank();
  Real* values = state.values(state.h, cell);
  double amount[invariants];
  for (int a = 0; a < invariants; ++a) amount[a] = sign * part(cell, a);
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 0, state.velocities.size()), [&](int number) {
    const Place place = place_of(state.velocities, number);
    if (!place.valid) return;
    double sum = 0;
    for (int a = 0; a < invariants; ++a) sum += amount[a] * place.psi[a];
    values[number] = static_cast<Real>(double(values[number]) + sum);
  });
}

/// One team per cell.
template <class ExecutionSpace, class Real>
struct RemovePart {
  State<ExecutionSpace, Real> state;
  EquilibriumPart<ExecutionSpace> part;
  double inverse_matrix[invariants][invariants];  ///< inverse of <psi_a psi_b>

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& v = state.velocities;
    const int cell = team.league_rank();
    const Real* values = state.values(state.h, cell);
    const auto sums =
        team_sum<InvariantSums>(team, v.size(), [&](int number, InvariantSums& partial) {
          const Place place = place_of(v, number);
          if (!place.valid) return;
          const double held = double(v.weights[0](place.i)) * double(v.weights[1](place.j)) *
                              double(v.weights[2](place.k)) * double(values[number]);
          for (int a = 0; a < invariants; ++a) partial.value[a] += held * place.psi[a];
        });
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      for (int a = 0; a < invariants; ++a) {
        double sum = 0;
        for (int b = 0; b < invariants; ++b) sum += inverse_matrix[a][b] * sums.value[b];
        part(cell, a) = sum;
      }
    });
    team.team_barrier();
    add_part(team, state, part, -1);
  }
};

/// One team per cell.
template <class ExecutionSpace, class Real>
struct RestorePart {
  State<ExecutionSpace, Real> state;
  EquilibriumPart<ExecutionSpace> part;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    add_part(team, state, part, 1);
  }
};

template <class ExecutionSpace, class Kernel>
void launch(const char* name, const StepContext<ExecutionSpace>& context, int cells,
            const Kernel& kernel) {
  const TeamPolicy<ExecutionSpace> policy(context.execution, cells,
                                          is_host_backend<ExecutionSpace> ? 1 : 256, 1);
  Kokkos::parallel_for(name, policy, kernel);
}

}  // namespace

template <class ExecutionSpace, class Real>
void remove_equilibrium_part(const StepContext<ExecutionSpace>& context,
                             const State<ExecutionSpace, Real>& state,
                             const EquilibriumPart<ExecutionSpace>& part) {
  RemovePart<ExecutionSpace, Real> kernel{state, part, {}};
  double products[product_moments];
  for (int n = 0; n < product_moments; ++n) products[n] = state.equilibrium_moments[n];
  for (int b = 0; b < invariants; ++b) {
    double column[invariants] = {};
    column[b] = 1;
    solve_correction(products, column);
    for (int a = 0; a < invariants; ++a) kernel.inverse_matrix[a][b] = column[a];
  }
  launch("knudsen/boltzmann/remove_equilibrium_part", context, state.cell_count(), kernel);
}

template <class ExecutionSpace, class Real>
void restore_equilibrium_part(const StepContext<ExecutionSpace>& context,
                              const State<ExecutionSpace, Real>& state,
                              const EquilibriumPart<ExecutionSpace>& part) {
  launch("knudsen/boltzmann/restore_equilibrium_part", context, state.cell_count(),
         RestorePart<ExecutionSpace, Real>{state, part});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                             \
  template void remove_equilibrium_part<ExecutionSpace, Real>(                \
      const StepContext<ExecutionSpace>&, const State<ExecutionSpace, Real>&, \
      const EquilibriumPart<ExecutionSpace>&);                                \
  template void restore_equilibrium_part<ExecutionSpace, Real>(               \
      const StepContext<ExecutionSpace>&, const State<ExecutionSpace, Real>&, \
      const EquilibriumPart<ExecutionSpace>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
