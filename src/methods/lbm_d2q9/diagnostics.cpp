#include "methods/lbm_d2q9/diagnostics.hpp"

#include <limits>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "lattice/valid_flow.hpp"
#include "methods/lbm_d2q9/node_reader.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm_d2q9 {

namespace {

/// A quantity of a fluid node before its collision.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Real value_of(NodeQuantity quantity,
                                     const NodeReader<ExecutionSpace, Real>& nodes, int x, int y) {
  if (quantity == NodeQuantity::scalar) return nodes.scalar(x, y);
  const CollisionParameters<Real> parameters = nodes.parameters_at(x, y);
  Real g[9];
  nodes.load(x, y, parameters, g);
  const FlowState<Real> state = flow_state(g, parameters);
  if (quantity == NodeQuantity::density_deviation) return state.density_deviation;
  if (quantity == NodeQuantity::velocity_x) return state.velocity_x;
  if (quantity == NodeQuantity::velocity_y) return state.velocity_y;
  Real xx = 0;
  Real yy = 0;
  Real xy = 0;
  for_populations([&](auto q) {
    const Real excess = equilibrium(q, state) - g[q];
    xx += Real(D2Q9::cx(q) * D2Q9::cx(q)) * excess;
    yy += Real(D2Q9::cy(q) * D2Q9::cy(q)) * excess;
    xy += Real(D2Q9::cx(q) * D2Q9::cy(q)) * excess;
  });
  const Real rate = Real(1) - Real(0.5) * parameters.relaxation_rate;
  const Real fx = parameters.force[0];
  const Real fy = parameters.force[1];
  // Remove the second moment of the force term, -(u F + F u) / 2: it is not a stress.
  if (quantity == NodeQuantity::stress_xx) return rate * (xx - state.velocity_x * fx);
  if (quantity == NodeQuantity::stress_yy) return rate * (yy - state.velocity_y * fy);
  return rate * (xy - Real(0.5) * (state.velocity_x * fy + state.velocity_y * fx));
}

template <class ExecutionSpace, class Real>
struct AddToAverages {
  using Averages = lbm::Averages<ExecutionSpace>;

  NodeReader<ExecutionSpace, Real> nodes;
  Averages averages;
  int blocks_of_row;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t block) const {
    const int y = static_cast<int>(block / blocks_of_row);
    const int first = static_cast<int>(block - std::int64_t{y} * blocks_of_row) * Averages::width;
    const int count =
        Averages::count_in_block(static_cast<std::size_t>(nodes.lattice.extents.nx - first));
    typename Averages::Values values;
    for (int i = 0; i < count; ++i) {
      const int x = first + i;
      Real sources[lbm::averaged_sources] = {};
      if (nodes.is_fluid(x, y)) {
        const FlowState<Real> state = nodes.flow(x, y);
        sources[0] = state.density_deviation;
        sources[1] = state.velocity_x;
        sources[2] = state.velocity_y;
        sources[4] = nodes.scalar(x, y);
      } else if (Averages::width == 1) {
        return;
      }
      averages.evaluate(sources, i, values);
    }
    averages.add(nodes.lattice.extents.node(first, y), count, values);
  }
};

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION bool has_quantity(NodeQuantity quantity,
                                         const NodeReader<ExecutionSpace, Real>& nodes, int x,
                                         int y) {
  return nodes.is_fluid(x, y) || (quantity == NodeQuantity::scalar && nodes.conducts(x, y));
}

}  // namespace

template <class ExecutionSpace, class Real>
View<Real*, ExecutionSpace> node_values(const StepContext<ExecutionSpace, Real>& context,
                                        const Lattice<ExecutionSpace, Real>& lattice,
                                        StepPhase phase, NodeQuantity quantity) {
  View<Real*, ExecutionSpace> values("node values", lattice.extents.nodes());
  const auto nodes = reader(context, lattice, phase);
  for_rows(
      "knudsen/lbm_d2q9/node_values", context.execution, lattice.extents,
      KOKKOS_LAMBDA(int x, int y) {
        values(nodes.lattice.extents.node(x, y)) =
            has_quantity(quantity, nodes, x, y) ? value_of(quantity, nodes, x, y) : Real(NAN);
      });
  context.execution.fence();
  return values;
}

template <class ExecutionSpace, class Real>
void fill_node_field(const StepContext<ExecutionSpace, Real>& context,
                     const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                     const NodeField& field, const Kokkos::Array<int, 2>& cells,
                     const Kokkos::Array<int, 2>& offset,
                     const View<Real*, ExecutionSpace>& values) {
  const auto nodes = reader(context, lattice, phase);
  for_rows(
      "knudsen/lbm_d2q9/node_field", context.execution, lattice.extents,
      KOKKOS_LAMBDA(int x, int y) {
        const int i = x - offset[0];
        const int j = y - offset[1];
        if (i < 0 || i >= cells[0] || j < 0 || j >= cells[1]) return;
        const bool shows = has_quantity(field.quantity(0), nodes, x, y);
        const std::size_t cell = std::size_t(j) * std::size_t(cells[0]) + std::size_t(i);
        for (int c = 0; c < field.components; ++c) {
          values(cell * std::size_t(field.components) + std::size_t(c)) =
              shows ? shown(field.what, value_of(field.quantity(c), nodes, x, y), field.offset,
                            field.unit)
                    : Real(NAN);
        }
      });
  context.execution.fence();
}

template <class ExecutionSpace, class Real>
void add_to_averages(const StepContext<ExecutionSpace, Real>& context,
                     const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                     const lbm::Averages<ExecutionSpace>& averages) {
  constexpr int width = lbm::Averages<ExecutionSpace>::width;
  const int blocks_of_row = (lattice.extents.nx + width - 1) / width;
  Kokkos::parallel_for("knudsen/lbm_d2q9/statistics",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           context.execution, 0, std::int64_t{blocks_of_row} * lattice.extents.ny),
                       AddToAverages<ExecutionSpace, Real>{reader(context, lattice, phase),
                                                           averages, blocks_of_row});
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
              const FlowState<Real> state = nodes.flow(x, y);
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
              own.scalar = nodes.scalar(x, y);
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
  FlowSums total;
  for (const FlowSums& sums : world().concatenate_on_first(to_list(rows))) total += sums;
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
        const FlowState<Real> state = nodes.flow(x, y);
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
  template View<Real*, ExecutionSpace> node_values<ExecutionSpace, Real>(                        \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      NodeQuantity);                                                                             \
  template void fill_node_field<ExecutionSpace, Real>(                                           \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      const NodeField&, const Kokkos::Array<int, 2>&, const Kokkos::Array<int, 2>&,              \
      const View<Real*, ExecutionSpace>&);                                                       \
  template void add_to_averages<ExecutionSpace, Real>(                                           \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      const lbm::Averages<ExecutionSpace>&);                                                     \
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
