#include "methods/lbm_d2q9/diagnostics.hpp"

#include <limits>

#include "device/instantiate.hpp"
#include "lattice/valid_flow.hpp"
#include "methods/lbm_d2q9/node_reader.hpp"

namespace knudsen::lbm_d2q9 {
template <class ExecutionSpace, class Real>
MacroscopicFields<ExecutionSpace, Real> macroscopic_fields(
    const StepContext<ExecutionSpace, Real>& context, const Lattice<ExecutionSpace, Real>& lattice,
    StepPhase phase, bool with_stress) {
  const auto make = [&](const std::string& name) {
    return View<Real*, ExecutionSpace>(name, lattice.extents.nodes());
  };
  MacroscopicFields<ExecutionSpace, Real> fields{
      make("density"), make("velocity x"), make("velocity y"), {}, {}, {}};
  if (with_stress) {
    fields.stress_xx = make("stress xx");
    fields.stress_yy = make("stress yy");
    fields.stress_xy = make("stress xy");
  }
  const auto nodes = reader(context, lattice, phase);
  for_rows(
      "knudsen/lbm_d2q9/macroscopic_fields", context.execution, lattice.extents,
      KOKKOS_LAMBDA(int x, int y) {
        const std::size_t here = nodes.lattice.extents.node(x, y);
        Real value[6];
        if (nodes.is_fluid(x, y)) {
          Real g[9];
          nodes.load(x, y, g);
          const FlowState<Real> state = flow_state(g, nodes.parameters);
          value[0] = state.density_deviation;
          value[1] = state.velocity_x;
          value[2] = state.velocity_y;
          value[3] = value[4] = value[5] = 0;
          for_populations([&](auto q) {
            const Real excess = equilibrium(q, state) - g[q];
            value[3] += Real(D2Q9::cx(q) * D2Q9::cx(q)) * excess;
            value[4] += Real(D2Q9::cy(q) * D2Q9::cy(q)) * excess;
            value[5] += Real(D2Q9::cx(q) * D2Q9::cy(q)) * excess;
          });
          const Real rate = Real(1) - Real(0.5) * nodes.parameters.relaxation_rate;
          const Real fx = nodes.parameters.force[0];
          const Real fy = nodes.parameters.force[1];
          // Remove the second moment of the force term, -(u F + F u) / 2: it is not a stress.
          value[3] = rate * (value[3] - state.velocity_x * fx);
          value[4] = rate * (value[4] - state.velocity_y * fy);
          value[5] =
              rate * (value[5] - Real(0.5) * (state.velocity_x * fy + state.velocity_y * fx));
        } else {
          for (Real& v : value) v = Real(NAN);
        }
        fields.density_deviation(here) = value[0];
        fields.velocity_x(here) = value[1];
        fields.velocity_y(here) = value[2];
        if (with_stress) {
          fields.stress_xx(here) = value[3];
          fields.stress_yy(here) = value[4];
          fields.stress_xy(here) = value[5];
        }
      });
  context.execution.fence();
  return fields;
}

template <class ExecutionSpace, class Real>
FlowSums flow_sums(const StepContext<ExecutionSpace, Real>& context,
                   const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                   const View<Real* [2], ExecutionSpace>& remembered) {
  const auto nodes = reader(context, lattice, phase);
  const Extents extents = lattice.extents;
  const bool compare = remembered.extent(0) > 0;
  View<FlowSums*, ExecutionSpace> rows("row sums", static_cast<std::size_t>(extents.ny));
  constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 128;
  Kokkos::parallel_for(
      "knudsen/lbm_d2q9/flow_sums",
      TeamPolicy<ExecutionSpace>(context.execution, extents.ny, team_size, 1),
      KOKKOS_LAMBDA(const TeamMember<ExecutionSpace>& team) {
        const int y = team.league_rank();
        FlowSums sums;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, extents.nx),
            [&](int x, FlowSums& sum) {
              if (!nodes.is_fluid(x, y)) return;
              Real g[9];
              nodes.load(x, y, g);
              const FlowState<Real> state = flow_state(g, nodes.parameters);
              const double ux = state.velocity_x;
              const double uy = state.velocity_y;
              const double density = 1 + double(state.density_deviation);
              const double square = ux * ux + uy * uy;
              FlowSums own;
              own.density_deviation = state.density_deviation;
              own.momentum_x = density * ux;
              own.momentum_y = density * uy;
              own.velocity_x = ux;
              own.velocity_y = uy;
              own.speed = math::sqrt(square);
              own.kinetic_energy = 0.5 * density * square;
              own.highest_speed = own.speed;
              if (compare) {
                const std::size_t here = extents.node(x, y);
                const double change_x = ux - double(remembered(here, 0));
                const double change_y = uy - double(remembered(here, 1));
                own.change_squared = change_x * change_x + change_y * change_y;
              }
              sum += own;
            },
            Kokkos::Sum<FlowSums>(sums));
        Kokkos::single(Kokkos::PerTeam(team), [&]() { rows(std::size_t(y)) = sums; });
      });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows);
  FlowSums total;
  for (std::size_t y = 0; y < host.extent(0); ++y) total += host(y);
  return total;
}

template <class ExecutionSpace, class Real>
void remember_velocity(const StepContext<ExecutionSpace, Real>& context,
                       const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                       const View<Real* [2], ExecutionSpace>& remembered) {
  const auto nodes = reader(context, lattice, phase);
  for_rows(
      "knudsen/lbm_d2q9/remember_velocity", context.execution, lattice.extents,
      KOKKOS_LAMBDA(int x, int y) {
        if (!nodes.is_fluid(x, y)) return;
        Real g[9];
        nodes.load(x, y, g);
        const FlowState<Real> state = flow_state(g, nodes.parameters);
        const std::size_t here = nodes.lattice.extents.node(x, y);
        remembered(here, 0) = state.velocity_x;
        remembered(here, 1) = state.velocity_y;
      });
}

template <class ExecutionSpace, class Real>
InvalidNode first_invalid_node(const StepContext<ExecutionSpace, Real>& context,
                               const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase) {
  const auto nodes = reader(context, lattice, phase);
  const Extents extents = lattice.extents;
  std::int64_t first = 0;
  const std::int64_t count = std::int64_t{extents.nx} * extents.ny;
  Kokkos::parallel_reduce(
      "knudsen/lbm_d2q9/first_invalid_node",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(context.execution, 0,
                                                                           count),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & lowest) {
        const int y = static_cast<int>(i / extents.nx);
        const int x = static_cast<int>(i - std::int64_t{y} * extents.nx);
        if (i >= lowest || !nodes.is_fluid(x, y)) return;
        double density = 0;
        double speed = 0;
        nodes.density_and_speed(x, y, density, speed);
        if (!is_valid_flow(density, speed)) lowest = i;
      },
      Kokkos::Min<std::int64_t>(first));
  if (first == std::numeric_limits<std::int64_t>::max()) return {};
  const int y = static_cast<int>(first / extents.nx);
  const int x = static_cast<int>(first % extents.nx);
  View<double[2], ExecutionSpace> found("invalid node");
  Kokkos::parallel_for(
      "knudsen/lbm_d2q9/invalid_node", Kokkos::RangePolicy<ExecutionSpace>(context.execution, 0, 1),
      KOKKOS_LAMBDA(int) { nodes.density_and_speed(x, y, found(0), found(1)); });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return {first, host(0), host(1)};
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template MacroscopicFields<ExecutionSpace, Real> macroscopic_fields<ExecutionSpace, Real>(     \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      bool);                                                                                     \
  template FlowSums flow_sums<ExecutionSpace, Real>(                                             \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      const View<Real* [2], ExecutionSpace>&);                                                   \
  template void remember_velocity<ExecutionSpace, Real>(                                         \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      const View<Real* [2], ExecutionSpace>&);                                                   \
  template InvalidNode first_invalid_node<ExecutionSpace, Real>(                                 \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
