#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"  // InputError and RunError

// The interface of the library for C++: cases, runs, simulations that the caller steps, their
// fields. It and knudsen/method.hpp stay compatible within a minor version (0.2.x); other headers
// are details of the implementation and change without notice.
//
// Unless a function says otherwise it throws InputError where the input is wrong (the program ends
// with exit code 2 and the same text) and RunError where a run fails (exit code 1). All calls must
// come from the thread that made the Session. Under mpirun each process computes on its own.

namespace knudsen {

/// The version of the library, "0.2.0".
std::string version();

/// Where kernels execute.
enum class Place {
  best,   ///< on the device if the build has one, else on the host
  host,   ///< by OpenMP
  device  ///< on the GPU
};

/// Starts Kokkos unless the caller has, and ends what it started when it goes out of scope. It must
/// outlive everything that runs. A process can start Kokkos once.
class Session {
 public:
  /// `threads` of the host; 0: all cores that this process may use.
  explicit Session(int threads = 0);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// A field on the host. The index of a value is ((z * ny + y) * nx + x) * components + component.
struct FieldData {
  std::string name;
  std::string unit;                    ///< as `knudsen list` says it
  std::array<std::size_t, 3> cells{};  ///< nx, ny, nz; nz is 1 in two dimensions
  std::size_t components = 1;
  std::vector<double> values;  ///< of single-precision cases, too, in double precision

  double at(std::size_t x, std::size_t y, std::size_t z = 0, std::size_t component = 0) const {
    return values[((z * cells[1] + y) * cells[0] + x) * components + component];
  }
};

/// The state of a run, between two batches of steps.
struct RunState {
  std::int64_t step = 0, last_step = 0;
  double updates_per_second = 0;  ///< of nodes or of points in phase space
  double seconds_left = 0;        ///< an estimate; negative: unknown
};

/// Settings of Case::run, which are the program's options.
struct Options {
  Place place = Place::best;
  std::optional<std::filesystem::path> output;   ///< in place of the case's output.directory
  std::optional<std::filesystem::path> restart;  ///< a checkpoint, or a directory with checkpoints
  bool measure_bandwidth = true;                 ///< the copy bandwidth, for the timing report
  bool require_convergence = false;              ///< a run whose criteria are not met fails
  /// Called between batches of steps; true stops the run, which then leaves a checkpoint.
  std::function<bool(const RunState&)> watch{};
};

/// What a run ended with.
struct Outcome {
  std::int64_t step = 0;          ///< the last one
  std::string stopped_by;         ///< "all steps are done", "the caller", ...
  std::optional<bool> converged;  ///< none without criteria
  std::vector<std::string> warnings;
  std::filesystem::path directory;                  ///< with all files
  std::optional<std::filesystem::path> checkpoint;  ///< the last one written
  std::vector<std::filesystem::path> files;
  std::string summary;  ///< what the program prints at the end
};

/// A case that has been read and checked; docs/case-format.md has its keys. Copies share it.
class Case {
 public:
  /// `overrides` are "path.to.key=value", as of the program's --set.
  static Case from_file(const std::filesystem::path& file,
                        const std::vector<std::string>& overrides = {});
  /// `text` is JSON. Messages call it `name`; relative paths in it start at `directory`.
  static Case from_text(const std::string& text, const std::string& name = "case",
                        const std::filesystem::path& directory = ".",
                        const std::vector<std::string>& overrides = {});

  std::string json() const;  ///< with the overrides
  std::string digest() const;
  std::vector<std::string> warnings() const;
  /// What `knudsen validate` shows: parameters, derived ones, memory. Needs a Session. Throws
  /// InputError if there is too little memory.
  std::string summary(Place place = Place::best) const;
  /// The same as JSON, with all fields and monitors.
  std::string summary_json(Place place = Place::best) const;

  /// Runs the case as the program does, and writes the same files. SIGINT and SIGTERM end it with a
  /// checkpoint.
  Outcome run(const Options& options = {}) const;

  class Contents;
  const Contents& contents() const { return *contents_; }

 private:
  explicit Case(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  std::shared_ptr<const Contents> contents_;
};

class SteppedCase;

/// A case in memory that its caller advances. It writes no files but checkpoints, does not end at
/// stop.steps, and has the bits of a run at the same step.
///
/// The state is checked at each multiple of stop.check_every, and before anything is read from it.
/// If it is not sound the function throws RunError, and so do all later calls.
class Simulation {
 public:
  explicit Simulation(const Case& of, Place place = Place::best);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  std::int64_t step() const;
  /// Advances by `steps` steps.
  void advance(std::int64_t steps = 1);
  /// Advances by at most `steps` steps. `callback` is called at each multiple of `every` (at least
  /// 1) and ends the call by returning true. Change monitors are known in it.
  void advance(std::int64_t steps, std::int64_t every,
               const std::function<bool(Simulation&)>& callback);

  std::vector<std::string> field_names() const;
  FieldData field(const std::string& name);
  /// Its unit is in Case::summary_json.
  double monitor(const std::string& name);
  /// What a run reports at its end: vortex centres, flow rates.
  std::map<std::string, std::string> results();

  /// Goes back to step 0, with fields in place of the initial state's: "density" and "velocity" of
  /// lattices, also "temperature" of `bgkw` and `shakhov`; "density_deviation", "velocity" and
  /// "temperature_deviation" of `boltzmann`. Units, components and order are those of field().
  void set_fields(const std::map<std::string, std::vector<double>>& fields);

  /// Writes a checkpoint, from which runs of the case continue too.
  void save(const std::filesystem::path& file);
  /// Continues from a checkpoint, or from the newest one in a directory.
  void load(const std::filesystem::path& file_or_directory);

 private:
  std::unique_ptr<SteppedCase> stepped_;
};

}  // namespace knudsen
