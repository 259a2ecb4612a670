#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/own_planes.hpp"
#include "core/surface_fields.hpp"
#include "device/backend.hpp"
#include "device/device_field.hpp"
#include "device/kernel_timers.hpp"
#include "model/averages.hpp"
#include "output/distribution_file.hpp"

namespace knudsen {

class CheckpointReader;
class CheckpointWriter;

/// The first cell in which a state is not sound, and why.
struct Divergence {
  std::array<std::int64_t, 3> cell{0, 0, 0};
  std::string what;      ///< what was found there, and the rule that it breaks
  std::string advice{};  ///< what to change in the case; may be empty
};

/// A running method: owns the state on its backend and advances it. Knows nothing of files.
class Method {
 public:
  virtual ~Method() = default;

  /// Sets the initial state (step 0).
  virtual void initialise() = 0;
  /// Sets the state of step 0 from fields: that of equilibrium, for lattices also with the stress
  /// of the velocity gradients. Values in solids have no meaning.
  virtual void initialise(const GivenFields& given) = 0;
  /// Advances the state by `steps` steps or iterations. Returns without waiting for the device.
  virtual void advance(std::int64_t steps) = 0;
  /// Waits until all work of this method is done.
  virtual void fence() = 0;
  virtual KernelTimers& timers() = 0;

  /// Keeps what the change monitors (see Problem::monitors) compare the present state with.
  virtual void remember() = 0;
  /// The present value of a quantity named by Problem::monitors().
  virtual double monitor(const std::string& name) = 0;
  /// The first cell, in storage order, whose state is not finite or not physical, if there is one.
  virtual std::optional<Divergence> find_divergence() = 0;
  /// Collective: host copy of a quantity named by Problem::fields() in the cells that this rank
  /// owns, in their order.
  virtual Field field(const std::string& name) = 0;
  /// Those are the cells of these planes; if there is no value, the first rank has all cells and
  /// the others have none.
  virtual std::optional<OwnPlanes> own_planes() const { return {}; }
  /// The same in the memory of the method's backend, if kernels evaluate this quantity there. Not
  /// for several ranks.
  virtual std::optional<DeviceField> device_field(const std::string& /*name*/) { return {}; }
  /// Keeps these averages from now on, without a sample so far. Not collective: each rank calls it
  /// of its part. Only where Problem::averaged_fields has the fields.
  virtual void keep_averages(const AveragePlan& /*plan*/) {}
  /// Collective: adds the present state to the averages, as this sample, counted from 1.
  virtual void add_to_averages(std::int64_t /*sample*/) {}
  /// A row of the averages in the cells that this rank owns; NaN in solids.
  virtual std::vector<double> averages(std::size_t /*row*/) { return {}; }
  /// Collective: continues the averages of a checkpoint.
  virtual void load_averages(const CheckpointReader& /*checkpoint*/) {}
  /// The fields named by Problem::surface_fields, on all sides and solids.
  virtual SurfaceFields surface() { return {}; }
  /// What a reader of the report wants to know at the end, e.g. vortex centres.
  virtual std::map<std::string, std::string> results() { return {}; }

  /// Collective: what happened in the steps so far that a reader of the results must know.
  virtual std::vector<std::string> warnings() { return {}; }

  /// Velocity distributions at the places that the case names, for the end of a run.
  virtual std::vector<DistributionSample> distributions() { return {}; }

  virtual void save(CheckpointWriter& checkpoint) = 0;
  /// Throws InputError when the checkpoint is not of this problem.
  virtual void load(const CheckpointReader& checkpoint) = 0;
};

}  // namespace knudsen
