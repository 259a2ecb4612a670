#pragma once

#include <array>
#include <functional>
#include <vector>

#include "methods/lattice/averages.hpp"
#include "methods/lattice/node_field.hpp"
#include "methods/lbm_d3q27/initial_flow.hpp"
#include "methods/lbm_d3q27/node_map.hpp"
#include "methods/lbm_d3q27/step.hpp"

namespace knudsen::lbm_d3q27 {

class LatticePart;

/// Sums over the fluid nodes, in lattice units. They are accumulated in double precision, segment
/// by segment and in a fixed order, so that the result does not depend on the number of threads and
/// of ranks.
struct FlowSums {
  double density_deviation = 0;    ///< sum of rho - 1
  double momentum[3] = {0, 0, 0};  ///< sum of rho u
  double velocity[3] = {0, 0, 0};  ///< sum of u
  double speed = 0;                ///< sum of |u|
  double kinetic_energy = 0;       ///< sum of rho u^2 / 2
  double change_squared = 0;       ///< sum of |u - u_remembered|^2
  double highest_speed = 0;        ///< maximum of |u|, not a sum
  double scalar = 0;               ///< sum of the scalar less its reference value

  KOKKOS_INLINE_FUNCTION FlowSums& operator+=(const FlowSums& other) {
    density_deviation += other.density_deviation;
    for (int a = 0; a < 3; ++a) momentum[a] += other.momentum[a];
    for (int a = 0; a < 3; ++a) velocity[a] += other.velocity[a];
    speed += other.speed;
    kinetic_energy += other.kinetic_energy;
    change_squared += other.change_squared;
    if (!(highest_speed >= other.highest_speed)) highest_speed = other.highest_speed;
    scalar += other.scalar;
    return *this;
  }
};

/// Velocity of every node at the last Method::remember, from which changes are measured.
template <class LatticeType>
using RememberedVelocity = View<typename LatticeType::Real* [3], typename LatticeType::Execution>;

/// Sets the populations and the memory of open sides to the initial flow, or to a given one, and
/// the scalar to a value less its reference, or to a given field. Fills both slots of every link,
/// so that implicit walls, too, reflect populations of this flow in the first steps. Calls
/// after_slots(true) when the slots of the second step have been filled, where there are such, and
/// after_slots(false) when those of the first step have been. `map`, `lattice` and `part` are
/// those of this rank.
template <class LatticeType>
void initialise(
    const ContextOf<LatticeType>& context, LatticeType& lattice, const NodeMap& map,
    const LatticePart& part, const InitialFlow& flow,
    const GivenFlow<typename LatticeType::Execution>& given = {}, double scalar = 0,
    const std::function<void(bool twins)>& after_slots = [](bool) {});

/// Quantities of a single node, from which fields are built.
enum class NodeQuantity {
  density_deviation,
  velocity_x,
  velocity_y,
  velocity_z,
  // Viscous stress from the non-equilibrium part, (1 - omega / 2) sum c c (f_eq - f).
  stress_xx,
  stress_yy,
  stress_zz,
  stress_xy,
  stress_yz,
  stress_xz,
  scalar  ///< less its reference value; 0 without a scalar
};
/// The quantity of every node in lattice units, before the step of the given parity; NaN in nodes
/// that are not fluid.
template <class LatticeType>
View<typename LatticeType::Real*, typename LatticeType::Execution> node_values(
    const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
    NodeQuantity quantity);

using NodeField = lbm::NodeField<NodeQuantity>;
/// The number of each node of a sparse lattice by its number in a dense one, 0xffffffff where it
/// has none; empty for a dense lattice.
template <class LatticeType>
using NodeNumbersView = View<const NodeIndex*, typename LatticeType::Execution>;
/// Sets `values` to a field before the step of the given parity in the nodes of the domain, (z, y,
/// x, component); NaN in nodes that are not fluid. `cells` are the numbers of nodes of the domain.
template <class LatticeType>
void fill_node_field(
    const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
    const NodeField& field, const std::array<int, 3>& cells,
    const NodeNumbersView<LatticeType>& numbers,
    const View<typename LatticeType::Real*, typename LatticeType::Execution>& values);

/// Adds the owned nodes before the step of the given parity as the sample that has begun.
template <class LatticeType>
void add_to_averages(const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
                     const lbm::Averages<typename LatticeType::Execution>& averages);

/// Collective: sums over the flow of all ranks before the step of the given parity, for the first
/// rank; others get zeros. If `remembered` is empty, change_squared is zero.
template <class LatticeType>
FlowSums flow_sums(const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
                   const RememberedVelocity<LatticeType>& remembered);

/// A node with a population that is not finite, or with a flow that is not valid (is_valid_flow).
struct InvalidNode {
  std::int64_t number = -1;  ///< -1: there is no such node
  double density = 0;        ///< NaN where a population is not finite
  double speed = 0;
};
/// The fluid node with the lowest number in a range of these.
template <class LatticeType>
InvalidNode first_invalid_node(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                               int parity, NodeRange range);

/// Stores the velocity of every node.
template <class LatticeType>
void remember_velocity(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                       int parity, const RememberedVelocity<LatticeType>& remembered);

/// Stores the velocity of every fluid node into `velocity` (component, node), for scalars.
template <class LatticeType>
void store_velocity(
    const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
    const View<typename LatticeType::Real**, typename LatticeType::Execution>& velocity);

/// rho u along an axis in each of the listed fluid nodes, in lattice units.
template <class LatticeType>
std::vector<double> momentum_through(
    const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
    const View<std::uint64_t*, typename LatticeType::Execution>& nodes, int axis);

/// Heat that came into the fluid or a conducting solid over each of the links when its nodes loaded
/// their populations for the next step, in scalar x node spacing^3 a step. Nodes have the numbers
/// of this rank.
template <class LatticeType>
std::vector<double> heat_through(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                                 int parity,
                                 const View<HeatLink*, typename LatticeType::Execution>& links);

/// The scalar of this rank's conducting nodes, less its reference value, in their order.
template <class LatticeType>
std::vector<double> scalar_in_solids(const ContextOf<LatticeType>& context,
                                     const LatticeType& lattice, int parity);

/// Force of the fluid on a body and torque about a point, in lattice units.
struct BodyLoad {
  std::array<double, 3> force{0, 0, 0};
  std::array<double, 3> torque{0, 0, 0};
};
/// Collective: loads on each body, for the first rank, by momentum exchange over its links in the
/// next step (Ladd 1994). Torques are about `centres`, in node spacings from the domain's lower
/// corner. Pressure is relative to that of density 1, which matters only for bodies that touch a
/// side of the domain. `places`: of this rank's links among those of all; empty with one rank.
template <class LatticeType>
std::vector<BodyLoad> body_loads(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                                 int parity,
                                 const View<BodyLinks*, typename LatticeType::Execution>& links,
                                 const std::vector<std::array<double, 3>>& centres,
                                 const std::vector<std::size_t>& places);

}  // namespace knudsen::lbm_d3q27

namespace Kokkos {
template <>
struct reduction_identity<knudsen::lbm_d3q27::FlowSums> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::lbm_d3q27::FlowSums sum() { return {}; }
};
}  // namespace Kokkos
