#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "run/run.hpp"
#include "run/stepped_case.hpp"

namespace knudsen::python {

/// A call that is not possible now: after `close`, in another thread, within another call.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Starts Kokkos with `threads` threads of the host and on the GPU with this number, unless it has
/// started; 0 and none: as the program chooses. From then on all functions here belong to the
/// calling thread. Throws InputError, and UsageError if it has started with others.
void start(int threads, std::optional<int> gpu = {});

/// At the beginning of each call from Python: starts Kokkos if it has not started. Throws
/// UsageError if the call is not possible now.
void enter();

/// Begins the end of the process: later calls throw UsageError. If another thread computes, waits
/// until it halts, for some seconds. Without Python's lock.
void begin_end();
/// In a thread that is about to take Python's lock within a call: halts it for good once the
/// process ends. Python would end such a thread without unwinding its stack.
void halt_if_ending();
/// Closes all simulations and ends Kokkos, unless a thread was halted within a call.
void shut_down();

/// While it exists, the library is in use, and `enter` refuses calls: from the function that a run
/// calls, or from handlers of signals. Subnormal numbers are flushed to zero only meanwhile, since
/// NumPy warns where it finds that they are.
class CallInProgress {
 public:
  CallInProgress();
  ~CallInProgress();
  CallInProgress(const CallInProgress&) = delete;
  CallInProgress& operator=(const CallInProgress&) = delete;

 private:
  bool within_another_;
  unsigned arithmetic_;  ///< before
};

/// A simulation that `shut_down` closes.
class OpenSimulation {
 public:
  explicit OpenSimulation(std::unique_ptr<SteppedCase> simulation);
  ~OpenSimulation();
  OpenSimulation(const OpenSimulation&) = delete;
  OpenSimulation& operator=(const OpenSimulation&) = delete;

  /// Throws UsageError after `close`, and as `enter`.
  SteppedCase& get();
  void close() { simulation_.reset(); }
  bool is_open() const { return simulation_ != nullptr; }

 private:
  std::unique_ptr<SteppedCase> simulation_;
};

}  // namespace knudsen::python
