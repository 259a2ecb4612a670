#pragma once

// The block "flow_control": a body force along a periodic axis that holds the mean velocity of the
// fluid. README.md says by which rule, and why it is stable.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "methods/lattice/lattice_case.hpp"
#include "model/method.hpp"
#include "output/checkpoint.hpp"

namespace knudsen::lbm {

/// What a case says of the flow that is held, in lattice units.
struct FlowControl {
  std::size_t axis = 0;
  double velocity = 0;        ///< along the axis, mean over the fluid nodes
  std::int64_t interval = 1;  ///< steps from one adjustment of the force to the next
  double response_time = 1;   ///< p = exp(-interval / response_time) in the rule, in steps
  /// Flow rate through each cross-section, in place of the velocity, which follows from it.
  std::optional<double> flow_rate{};
  double extent = 1;                  ///< of the domain along the axis
  std::string key = "mean_velocity";  ///< of the case, from which the velocity follows

  /// Sets the velocity that a flow rate has in so many fluid nodes. Throws InputError if it is too
  /// high.
  void set_fluid_nodes(double fluid_nodes);
  bool due(std::int64_t step) const { return step % interval == 0; }
};

/// Reads `flow_control` of the object `collision`. `force` is the body force that the case gives,
/// `grid` is that of the domain. Throws InputError.
std::optional<FlowControl> read_flow_control(CaseNode& collision, const Fluid& fluid,
                                             std::span<const double> force, const Grid& grid);
/// Throws InputError unless the axis of the flow is `periodic`.
void check_flow_axis(CaseNode& root, const FlowControl& control, bool periodic);

/// What the rule keeps from one adjustment to the next, and a checkpoint from one run to the next.
struct DrivingForce {
  double force = 0;     ///< on a unit of volume along the axis
  double velocity = 0;  ///< mean velocity at the latest adjustment
};
/// The force of the next interval, from that of the last one and the mean velocity after it. A
/// velocity that is not finite changes nothing, so that the check of the state finds where that
/// began.
DrivingForce adjusted(const DrivingForce& last, double velocity, const FlowControl& control);

/// Collective: adjusts the force at `step`; at step 0 it begins anew. The velocity of the first
/// rank counts, which has the sums.
void adjust(DrivingForce& driving, std::int64_t step, double velocity, const FlowControl& control);
void save(const DrivingForce& driving, CheckpointWriter& checkpoint);
DrivingForce load_driving_force(const CheckpointReader& checkpoint);

/// Adds to the advice of a run that diverged that nothing may block a flow that is held, if any is.
Divergence with_flow_advice(Divergence divergence, const std::optional<FlowControl>& control);

/// Adds what is held and how fast.
void describe_flow_control(const FlowControl& control, std::vector<ResolvedValue>& resolved);

}  // namespace knudsen::lbm
