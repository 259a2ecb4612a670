#pragma once

#include "methods/lattice/averages.hpp"
#include "methods/lattice/node_field.hpp"
#include "methods/lbm_d2q9/node_map.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {

/// Sums over the fluid nodes, in lattice units. They are accumulated in double precision, row by
/// row and in a fixed order, so that the result does not depend on the number of threads.
struct FlowSums {
  double density_deviation = 0;  ///< sum of rho - 1
  double momentum_x = 0;         ///< sum of rho u
  double momentum_y = 0;         ///< sum of rho v
  double velocity_x = 0;         ///< sum of u
  double velocity_y = 0;         ///< sum of v
  double speed = 0;              ///< sum of |u|
  double kinetic_energy = 0;     ///< sum of rho u^2 / 2
  double change_squared = 0;     ///< sum of |u - u_remembered|^2
  double highest_speed = 0;      ///< maximum of |u|, not a sum
  double scalar = 0;             ///< sum of the scalar less its reference value

  KOKKOS_INLINE_FUNCTION FlowSums& operator+=(const FlowSums& other) {
    density_deviation += other.density_deviation;
    momentum_x += other.momentum_x;
    momentum_y += other.momentum_y;
    velocity_x += other.velocity_x;
    velocity_y += other.velocity_y;
    speed += other.speed;
    kinetic_energy += other.kinetic_energy;
    change_squared += other.change_squared;
    scalar += other.scalar;
    if (!(highest_speed >= other.highest_speed)) highest_speed = other.highest_speed;
    return *this;
  }
};

/// A macroscopic quantity of a node, in lattice units. The viscous stress comes from the
/// non-equilibrium part, (1 - omega / 2) sum c c (f_eq - f).
enum class NodeQuantity {
  density_deviation,
  velocity_x,
  velocity_y,
  stress_xx,
  stress_yy,
  stress_xy,
  scalar  ///< less its reference value
};

/// The state between two steps.
struct StepPhase {
  Arrangement arrangement;  ///< which slot holds which population
  int parity;               ///< of the next step
};

/// Initial fields on the host in lattice units, rows padded as in Extents::node.
struct InitialFields {
  std::vector<double> density_deviation, velocity_x, velocity_y;
  std::vector<double> scalar{};  ///< less its reference value; empty without a scalar
  /// For a slab, whose fields continue with the row before it and the row after it: 1 where the
  /// nodes of these two rows are fluid, 2 where they are in solids that conduct. Else empty.
  std::vector<unsigned char> fluid_beside{};
};

/// Releases the fields one by one as they are copied to the backend. Sets the populations to
/// equilibrium plus the first-order non-equilibrium part, computed from the
/// velocity gradients (central differences between fluid neighbours).
template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace, Real>& context,
                Lattice<ExecutionSpace, Real>& lattice, InitialFields fields,
                Arrangement arrangement);

/// Values of a quantity before the next step, rows padded as in Extents::node; NaN in solid nodes.
template <class ExecutionSpace, class Real>
View<Real*, ExecutionSpace> node_values(const StepContext<ExecutionSpace, Real>& context,
                                        const Lattice<ExecutionSpace, Real>& lattice,
                                        StepPhase phase, NodeQuantity quantity);

using NodeField = lbm::NodeField<NodeQuantity>;
/// Sets `values` to a field before the next step in the nodes of the domain, (y, x, component); NaN
/// in solid nodes. The domain has cells[0] x cells[1] nodes, of which the first is node (offset[0],
/// offset[1]).
template <class ExecutionSpace, class Real>
void fill_node_field(const StepContext<ExecutionSpace, Real>& context,
                     const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                     const NodeField& field, const Kokkos::Array<int, 2>& cells,
                     const Kokkos::Array<int, 2>& offset,
                     const View<Real*, ExecutionSpace>& values);

/// Adds the nodes before the next step as the sample that has begun. Averages have rows padded as
/// in Extents::node.
template <class ExecutionSpace, class Real>
void add_to_averages(const StepContext<ExecutionSpace, Real>& context,
                     const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                     const lbm::Averages<ExecutionSpace>& averages);

/// Collective: sums over the flow of all ranks before the next step, for the first rank. If
/// `remembered` is empty, change_squared is zero.
template <class ExecutionSpace, class Real>
FlowSums flow_sums(const StepContext<ExecutionSpace, Real>& context,
                   const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                   const View<Real* [2], ExecutionSpace>& remembered);

/// Stores the velocity of every node into `remembered` (node, component).
template <class ExecutionSpace, class Real>
void remember_velocity(const StepContext<ExecutionSpace, Real>& context,
                       const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                       const View<Real* [2], ExecutionSpace>& remembered);

/// Stores the velocity of every fluid node into `velocity` (component, node), for scalars.
template <class ExecutionSpace, class Real>
void store_velocity(const StepContext<ExecutionSpace, Real>& context,
                    const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                    const View<Real**, ExecutionSpace>& velocity);

/// A node with a population that is not finite, or with a flow that is not valid (is_valid_flow).
struct InvalidNode {
  std::int64_t index = -1;  ///< y * nx + x; -1: there is no such node
  double density = 0;       ///< NaN where a population is not finite
  double speed = 0;
};
/// The first such fluid node in storage order.
template <class ExecutionSpace, class Real>
InvalidNode first_invalid_node(const StepContext<ExecutionSpace, Real>& context,
                               const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase);

/// Collective: heat that entered the fluid through the links of each surface when its nodes loaded
/// their populations for the next step, in scalar x node spacing^2 a step, for the first rank. The
/// indices of `links` are those of surfaces (HeatLinks).
template <class ExecutionSpace, class Real>
std::vector<double> heat_flows(const StepContext<ExecutionSpace, Real>& context,
                               const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                               const View<BodyLinks*, ExecutionSpace>& links, std::size_t surfaces);

/// Collective: the sum of the scalar, less its reference value, over the nodes of each solid that
/// conducts, for the first rank.
template <class ExecutionSpace, class Real>
std::vector<double> scalar_in_solids(const StepContext<ExecutionSpace, Real>& context,
                                     const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                                     std::size_t bodies);

/// Collective: force (x, y) of the fluid on each body in lattice units, for the first rank, by
/// momentum exchange over its cut links in the next step (Ladd 1994). Pressure is relative to that
/// of density 1, which matters only for bodies that touch a wall or a side of the domain.
template <class ExecutionSpace, class Real>
std::vector<std::array<double, 2>> body_forces(const StepContext<ExecutionSpace, Real>& context,
                                               const Lattice<ExecutionSpace, Real>& lattice,
                                               StepPhase phase,
                                               const View<BodyLinks*, ExecutionSpace>& links,
                                               std::size_t bodies);

}  // namespace knudsen::lbm_d2q9

namespace Kokkos {
template <>
struct reduction_identity<knudsen::lbm_d2q9::FlowSums> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::lbm_d2q9::FlowSums sum() { return {}; }
};
}  // namespace Kokkos
