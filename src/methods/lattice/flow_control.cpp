#include "methods/lattice/flow_control.hpp"

#include <algorithm>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm {
namespace {

/// Steps; a shorter response would mistake half a step of the force, which the velocity of a node
/// contains, for the answer of the flow.
constexpr double least_response_time = 10;
/// Relaxation times; over a few of them the fluid of a lattice answers a force like an elastic
/// body.
constexpr double least_relaxations = 5;

}  // namespace

std::optional<FlowControl> read_flow_control(CaseNode& collision, const Fluid& fluid,
                                             std::span<const double> force, const Grid& grid) {
  std::optional<FlowControl> found;
  collision.object(
      "flow_control",
      "Holds the mean velocity of the fluid along a periodic axis: the program finds the body "
      "force along it, which the monitor `driving_force` shows.",
      [&](CaseNode& node) {
        FlowControl control;
        const std::vector<std::string> axes(axis_names.begin(),
                                            axis_names.begin() + std::ptrdiff_t(force.size()));
        const std::string axis = node.require_choice("axis", axes, "Axis of the flow.");
        const auto velocity = node.number(
            "mean_velocity", "Mean velocity along the axis over the fluid nodes, " +
                                 velocity_unit_text + ". Default: the characteristic velocity.");
        const auto rate = read_flow_rate(
            node, fluid, force.size(),
            "through each cross-section of the domain, in place of `mean_velocity`.");
        control.interval =
            node.integer_or("every", 10, "Steps from one adjustment of the force to the next.",
                            Range::between(1, 1000));
        if (node.describing()) return;
        control.axis =
            static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
        if (rate && velocity) {
          node.fail(rate->key, "\"mean_velocity\" is given too; leave one of them out");
        }
        if (!rate && !velocity && !fluid.has_velocity) {
          node.fail("mean_velocity",
                    "is missing, and \"fluid\" has no characteristic velocity in its place");
        }
        control.velocity = velocity ? *velocity * fluid.velocity_unit : fluid.velocity;
        control.extent = grid.nodes[control.axis];
        if (rate) {
          control.key = rate->key;
          control.flow_rate = rate->value * fluid.velocity_unit *
                              std::pow(grid.unit, static_cast<double>(force.size()) - 1);
          double nodes = 1;
          for (const int each : grid.nodes) nodes *= each;
          control.velocity = *control.flow_rate * control.extent / nodes;
        }
        if (force[control.axis] != 0) {
          node.fail("axis", quote(fluid.si ? "acceleration" : "body_force") +
                                " gives a force along this axis, which \"flow_control\" is to "
                                "find; make that component 0 or leave \"flow_control\" out");
        }
        control.response_time =
            std::max({least_response_time, least_relaxations * fluid.relaxation_time,
                      static_cast<double>(control.interval), control.extent / sound_speed});
        found = control;
      });
  return found;
}

void FlowControl::set_fluid_nodes(double fluid_nodes) {
  if (!flow_rate) return;
  velocity = *flow_rate * extent / fluid_nodes;
  if (!is_too_fast(std::abs(velocity))) return;
  throw InputError("collision.flow_control." + key + ": the mean " +
                   speed_text(std::abs(velocity)) + mach_rule);
}

void check_flow_axis(CaseNode& root, const FlowControl& control, bool periodic) {
  if (periodic) return;
  root.fail_hard("collision.flow_control.axis",
                 "the sides " + side_names[2 * control.axis] + " and " +
                     side_names[2 * control.axis + 1] +
                     " are not periodic, and a flow is held along a periodic axis only; make both "
                     "periodic, or prescribe the flow at open sides");
}

DrivingForce adjusted(const DrivingForce& last, double velocity, const FlowControl& control) {
  if (!std::isfinite(velocity)) return last;
  const auto interval = static_cast<double>(control.interval);
  const double scale = std::max(std::abs(velocity), std::abs(control.velocity));
  const double drag =
      (last.force * interval - (velocity - last.velocity)) * (control.velocity < 0 ? -1 : 1);
  // What the drag takes from a velocity in an interval, as an exponent. Where it seems to take all
  // of it in a step, populations swing about their equilibrium for longer than that.
  const double decay = control.velocity != 0 && drag > 0 ? std::min(drag / scale, interval) : 0;
  const double p = std::exp(-interval / control.response_time);
  const double a = std::exp(-decay);
  const double gain = decay > 0 ? decay / -std::expm1(-decay) : 1;
  const double change = a * (1 - p * p) * (last.velocity - velocity) +
                        (1 - p) * (1 - p * a) * (control.velocity - velocity);
  return {last.force + gain * change / interval, velocity};
}

void adjust(DrivingForce& driving, std::int64_t step, double velocity, const FlowControl& control) {
  if (step == 0) driving = {0, velocity};
  driving = adjusted(driving, velocity, control);
  world().broadcast(driving);
}

void save(const DrivingForce& driving, CheckpointWriter& checkpoint) {
  checkpoint.number("driving_force", driving.force);
  checkpoint.number("driven_velocity", driving.velocity);
}

DrivingForce load_driving_force(const CheckpointReader& checkpoint) {
  return {checkpoint.number("driving_force"), checkpoint.number("driven_velocity")};
}

Divergence with_flow_advice(Divergence divergence, const std::optional<FlowControl>& control) {
  if (control) {
    divergence.advice += "; where solids leave no way along " + axis_names[control->axis] +
                         ", no force can hold a flow (collision.flow_control)";
  }
  return divergence;
}

void describe_flow_control(const FlowControl& control, std::vector<ResolvedValue>& resolved) {
  if (control.flow_rate) {
    resolved.push_back({"flow rate held along " + axis_names[control.axis],
                        value_text(*control.flow_rate), "spacings^d/step"});
  }
  resolved.push_back({"mean velocity held along " + axis_names[control.axis],
                      value_text(control.velocity), "spacings/step"});
  resolved.push_back(
      {"response time of the flow control", value_text(control.response_time), "steps"});
}

}  // namespace knudsen::lbm
