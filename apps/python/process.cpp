#include "process.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "device/subnormals.hpp"

namespace knudsen::python {
namespace {

/// What exists once a process. Only touched by a thread that holds Python's lock, unless atomic.
struct Process {
  std::optional<KokkosSession> kokkos;
  std::thread::id thread{};           ///< that started Kokkos
  pid_t id = 0;                       ///< of the process that started Kokkos
  int threads = 0;                    ///< with which it was started, 0: by default
  std::atomic<bool> in_call = false;  ///< see CallInProgress
  std::atomic<bool> ended = false;    ///< see begin_end
  std::atomic<bool> halted = false;   ///< see halt_if_ending
  std::set<OpenSimulation*> simulations;
};

/// Never destroyed, since objects of Python may outlive everything else.
Process& process() {
  static Process& only = *new Process;
  return only;
}

}  // namespace

void start(int threads, std::optional<int> gpu) {
  Process& own = process();
  if (own.ended) throw UsageError("Python is ending, so nothing can be computed any more");
  if (!own.kokkos) {
    const CallInProgress in_progress;
    own.kokkos.emplace(threads, NodeShare{}, gpu);
    own.thread = std::this_thread::get_id();
    own.id = getpid();
    own.threads = threads;
    return;
  }
  if (own.id != getpid()) {
    throw UsageError(
        "this process was forked from one that had used knudsen; start it afresh, with "
        "multiprocessing by the start method \"spawn\"");
  }
  if (own.thread != std::this_thread::get_id()) {
    throw UsageError(
        "called in another thread than the first call; all calls of a process must come from one "
        "thread");
  }
  if (own.in_call) {
    throw UsageError(
        "called while a run or another call of knudsen is in progress; do it after that has ended");
  }
  if (threads != 0 && threads != own.threads) {
    throw UsageError("threads: knudsen runs already with " +
                     std::to_string(backend_info(Backend::host).threads) +
                     " threads; set their number before anything else");
  }
  if (gpu && gpu != gpu_number(Backend::device)) {
    const auto present = gpu_number(Backend::device);
    throw UsageError(
        "gpu: knudsen runs already " +
        (present ? "on GPU " + std::to_string(*present) : std::string("without a GPU")) +
        "; choose one before anything else, and another one in another process");
  }
}

void enter() { start(0); }

void begin_end() {
  using std::chrono::milliseconds;
  Process& own = process();
  own.ended = true;
  for (int i = 0; i < 10000 && own.in_call && !own.halted; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}

void halt_if_ending() {
  Process& own = process();
  if (!own.ended) return;
  own.halted = true;
  for (;;) pause();
}

void shut_down() {
  Process& own = process();
  if (!own.kokkos || own.id != getpid() || own.in_call) return;
  for (OpenSimulation* simulation : own.simulations) simulation->close();
  own.kokkos.reset();
}

CallInProgress::CallInProgress()
    : within_another_(process().in_call), arithmetic_(flush_subnormals()) {
  process().in_call = true;
}

CallInProgress::~CallInProgress() {
  restore_arithmetic(arithmetic_);
  process().in_call = within_another_;
}

OpenSimulation::OpenSimulation(std::unique_ptr<SteppedCase> simulation)
    : simulation_(std::move(simulation)) {
  process().simulations.insert(this);
}

OpenSimulation::~OpenSimulation() { process().simulations.erase(this); }

SteppedCase& OpenSimulation::get() {
  enter();
  if (!simulation_) throw UsageError("the simulation is closed");
  return *simulation_;
}

}  // namespace knudsen::python
