#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "device/backend.hpp"
#include "model/method.hpp"
#include "model/si_units.hpp"

namespace knudsen {

/// A given or derived parameter; one line in the output of `knudsen validate`.
struct ResolvedValue {
  std::string name;
  std::string value;
  std::string unit;
};

/// What is wrong with a field of step 0 that is given.
struct GivenFault {
  std::string field;
  std::size_t cell = 0;  ///< where it is worst, by its place in a field
  std::string text;      ///< "speed 0.4 is Mach number 0.69, must be at most 0.3"
  bool fatal = true;     ///< else a warning
};

/// A validated problem: everything that is known before memory is allocated.
class Problem {
 public:
  virtual ~Problem() = default;

  std::string method;       ///< registry name
  std::string variant;      ///< scheme, operator or model, and other options, for the report
  std::string precision;    ///< "single", "double"
  std::string update_unit;  ///< "node"
  CartesianGrid grid;
  std::map<std::string, std::int64_t> sizes;   ///< "nodes_x", "nodes", "velocities"
  std::map<std::string, std::int64_t> tuning;  ///< kernel parameters, by the keys of `tuning`
  double updates_per_step = 0;
  double bytes_per_step = 0;  ///< by the traffic model in the method's README
  double time_per_step = 1;   ///< in the problem's time unit
  std::string time_unit;      ///< "dt", "s"; empty: none that has a name
  bool iterates = false;      ///< steps are iterations to a steady flow, without a time
  /// Scales that make results dimensionless: "length" for positions, and field names ("velocity",
  /// "density"). Fields without an entry are not scaled.
  std::map<std::string, double> scales;
  /// Largest memory on the backend at any time: the state, and what checks and output take there.
  std::uint64_t memory_bytes = 0;
  /// The part of it that is taken only if a change monitor is evaluated (resolve_case).
  std::uint64_t remembered_bytes = 0;
  /// Largest memory on the host at any time beside memory_bytes (which a run on the host backend
  /// also has there): node maps, and the field being written.
  std::uint64_t host_bytes = 0;
  /// The values of a checkpoint. A run on a GPU holds them on the host while it writes them.
  std::uint64_t checkpoint_bytes = 0;
  /// The geometry has not been built, since only an estimate was asked for and building takes long
  /// (CaseDocument::estimating). Sizes and memory are then those without solids, and the problem
  /// cannot be created.
  bool estimated = false;
  /// Of an estimated problem: memory that it needs in any case.
  std::uint64_t least_memory_bytes = 0;
  /// Whether several ranks can share the problem: create then makes this rank's part.
  bool for_ranks = false;
  std::vector<ResolvedValue> resolved;
  std::vector<std::string> warnings;
  std::vector<Quantity> fields;
  std::vector<Quantity> monitors;
  std::vector<Quantity> surface_fields;  ///< on faces; empty if the method has none
  /// Monitors that compare the state with that at the latest Method::remember.
  std::vector<std::string> change_monitors;
  /// Fields whose averages the method keeps beside its state; of other fields a run takes samples
  /// to the host.
  std::vector<std::string> averaged_fields;
  std::uint64_t averaged_cells = 0;  ///< cells of an average there, padding included
  std::vector<std::string> default_fields;
  std::vector<std::string> default_monitors;

  /// The dimensionless numbers and scales of a case in SI units, for the heading of a run.
  std::string scales_text;
  /// What the units are in SI, where the case says it.
  std::optional<SiUnits> si;

  /// The fields that Method::initialise takes.
  std::vector<std::string> given_fields;
  /// Those of them, besides the velocity, that may be 0 or less.
  std::vector<std::string> signed_fields;
  /// By given field of a deviation: what it is from, where that is not 1, as in SI units.
  std::map<std::string, double> deviations_from;

  /// Whether a cell, by its place in a field, is solid: there fields may be NaN, nowhere else. Not
  /// known of an estimated problem, whose cells all count as fluid.
  virtual bool is_solid(std::size_t /*cell*/) const { return false; }
  /// Whether a cell has a temperature: not solid, or of a solid that conducts heat.
  virtual bool has_temperature(std::size_t cell) const { return !is_solid(cell); }

  /// Faults of given fields beyond values that are not finite or not positive. Fields that are not
  /// given are empty. Values in solids do not matter.
  virtual std::vector<GivenFault> faults_of(const GivenFields& /*given*/) const { return {}; }

  virtual std::unique_ptr<Method> create(Backend backend) const = 0;
};

}  // namespace knudsen
