#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/flow_analysis.hpp"
#include "methods/lbm_d2q9/parameters.hpp"
#include "model/quantity_table.hpp"

namespace knudsen::lbm_d2q9 {

/// The running method as fields and monitors see it, without backend and precision.
class Solution {
 public:
  virtual ~Solution() = default;

  virtual const Parameters& parameters() const = 0;
  /// Number of fluid nodes.
  virtual double fluid_nodes() const = 0;
  /// Body force in use: that of the case and that of its flow control.
  virtual const std::array<double, 2>& body_force() const = 0;
  /// Sums over the present flow; change_squared is zero.
  virtual const FlowSums& sums() = 0;
  /// The same with the change since the last Method::remember.
  virtual FlowSums sums_with_change() = 0;
  /// Force on each body in the next step.
  virtual const std::vector<std::array<double, 2>>& forces() = 0;
  /// Values of a quantity in the nodes of the domain, (y, x); NaN in solid nodes.
  virtual FieldValues node_values(NodeQuantity quantity) = 0;
  /// Heat that entered the fluid through a surface in the latest step, see heat_flows.
  virtual double heat_flow(std::size_t surface) = 0;
  /// Mean over the nodes of a solid that conducts of the scalar less its reference value.
  virtual double mean_scalar(std::size_t body) = 0;
  // Of the passive scalar with this number.
  virtual FieldValues scalar_field(std::size_t scalar) = 0;
  virtual lbm::ScalarRange scalar_range(std::size_t scalar) = 0;
  /// What enters the fluid through a surface, numbered as of heat_flow, in the next step.
  virtual double scalar_flow(std::size_t scalar, std::size_t surface) = 0;
  // See flow_analysis.hpp.
  virtual FieldValues vorticity() = 0;
  virtual FieldValues stream_function() = 0;
  /// 1 in solid nodes, else 0, (y, x), in the precision of the method.
  virtual FieldValues solid() const = 0;
};

/// The field with this name, if kernels evaluate it in each node. In SI units the pressure is that
/// above the reference density's, without whose digits it is exact in single precision.
std::optional<NodeField> node_field(const std::string& name, const Parameters& parameters);

/// All fields of a problem.
FieldTable<Solution> field_table(const Parameters& parameters);

/// The monitors of every case.
MonitorTable<Solution> common_monitors();
/// All monitors of a problem: the common ones, then those of its body force, of its bodies and of
/// its temperature.
MonitorTable<Solution> monitor_table(const Parameters& parameters);

}  // namespace knudsen::lbm_d2q9
