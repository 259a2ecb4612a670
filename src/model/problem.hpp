#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "device/backend.hpp"
#include "model/method.hpp"

namespace knudsen {

/// One line of what `knudsen validate` shows: a parameter as given or derived.
struct ResolvedValue {
  std::string name;
  std::string value;
  std::string unit;
};

/// A validated problem: everything known before memory is taken.
class Problem {
 public:
  virtual ~Problem() = default;

  std::string method;       ///< registry name
  std::string variant;      ///< propagation, scheme, operator
  std::string precision;    ///< "single", "double"
  std::string update_unit;  ///< "node"
  CartesianGrid grid;
  std::map<std::string, std::int64_t> sizes;   ///< "nodes_x", "nodes", "velocities"
  std::map<std::string, std::int64_t> tuning;  ///< of the kernels, by the case's `tuning` keys
  double updates_per_step = 0;
  double bytes_per_step = 0;  ///< by the traffic model in the method's README
  double time_per_step = 1;   ///< in the problem's time unit
  /// Scales by which results are made dimensionless: "length" for positions, else by the name of
  /// the field ("velocity", "density"); a field that is not here is left as it is.
  std::map<std::string, double> scales;
  std::uint64_t memory_bytes = 0;  ///< on the backend, at the peak
  std::vector<ResolvedValue> resolved;
  std::vector<std::string> warnings;
  std::vector<Quantity> fields;
  std::vector<Quantity> monitors;
  /// Monitors that compare with the state at Method::remember.
  std::vector<std::string> change_monitors;
  std::vector<std::string> default_fields;
  std::vector<std::string> default_monitors;

  virtual std::unique_ptr<Method> create(Backend backend) const = 0;
};

}  // namespace knudsen
