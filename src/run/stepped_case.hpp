#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/checkpoints.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// A case that its caller steps, without a loop and without files. It has the same bits as a run of
/// the case at the same step. Kokkos must be initialised as long as it exists.
///
/// The state is checked as a run does it: at each multiple of stop.check_every, and before anything
/// is read from it. If it is not sound, the function throws RunError, and so do all later calls.
class SteppedCase {
 public:
  /// Takes the memory and sets the initial state. `resolved` must not be an estimate. Throws
  /// InputError if there is too little memory.
  SteppedCase(ResolvedCase resolved, Backend backend);

  const ResolvedCase& resolved() const { return resolved_; }
  Backend backend() const { return backend_; }
  std::int64_t step() const { return memory_.step; }

  /// Advances by `steps` steps or until interrupted() is true, which is called between batches of
  /// about 50 ms. With `changes`, the state before the last step is kept, so that change monitors
  /// are known after it. Throws InputError if `steps` is negative.
  void advance(std::int64_t steps, bool changes, const std::function<bool()>& interrupted);
  /// A field of Problem::fields, on the host. Throws InputError for another name, and RunError if
  /// the field is not finite outside of solids.
  Field field(const std::string& name);
  /// The same in the memory of a backend: the host, or that of this simulation. What kernels
  /// evaluate there (Method::device_field) is neither copied nor seen by the host.
  DeviceField field_in(Backend memory, const std::string& name);
  /// A monitor of Problem::monitors. Throws InputError for another name, and for a change monitor
  /// after a step whose earlier state was not kept; RunError if it is not finite.
  double monitor(const std::string& name);
  /// See Method::results.
  std::map<std::string, std::string> results();

  /// Goes back to step 0, with fields in place of those of the initial state: density, velocity
  /// and, of gases, temperature, by the names in Problem::given_fields, in the units, components
  /// and order of those of Problem::fields. Cells are in equilibrium; lattices also have the stress
  /// that belongs to the velocity's gradients. Values in solids have no meaning. Throws InputError
  /// for other names, another number of values, values that are not finite, and a density or
  /// temperature that is not positive; the state is then as before.
  void set_fields(const std::map<std::string, std::vector<double>>& fields);

  /// Writes a checkpoint, with which a run of the case can continue too. Throws InputError if the
  /// file exists and is no checkpoint, and RunError if it cannot be written.
  void save(const std::filesystem::path& file);
  /// Continues from a checkpoint, or from the newest one in a directory. Throws InputError if it is
  /// not of this case or is damaged. If only its arrays are damaged, the simulation has failed.
  void load(const std::filesystem::path& file_or_directory);

 private:
  /// Calls work(). If that throws, no later call succeeds.
  template <class Work>
  auto fail_for_good(const Work& work);
  void require_usable() const;
  void require_sound_state();
  /// Throws RunError if a field on the host is not finite outside of solids.
  template <class FieldType>
  void require_no_fault(const FieldType& field) const;

  ResolvedCase resolved_;
  Backend backend_;
  std::unique_ptr<Method> method_;
  RunMemory memory_;
  std::int64_t batch_ = 1;                  ///< steps between calls of interrupted()
  std::int64_t sound_step_ = -1;            ///< the latest step at which the state was sound
  std::optional<std::int64_t> changes_at_;  ///< the step at which change monitors are known
  std::string failure_;                     ///< why it cannot be used any more; empty: it can
};

}  // namespace knudsen
