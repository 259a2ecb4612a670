#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/stopwatch.hpp"

namespace knudsen {

/// Measures how long launches take. See make_launch_clock (device/launch_clock.hpp).
class LaunchClock {
 public:
  virtual ~LaunchClock() = default;
  /// "device events", "host clock": TimingReport::kernel_clock.
  virtual std::string name() const = 0;
  /// Whether timing a launch costs next to nothing, so that all may be timed.
  virtual bool is_free() const { return false; }
  /// Marks the begin and the end of a launch of a kernel, without waiting for it.
  virtual void begin(std::size_t kernel) = 0;
  virtual void end() = 0;
  /// Calls take(kernel, seconds) for each launch since the last call, in order. All of them must be
  /// done (Method::fence).
  virtual void collect(const std::function<void(std::size_t, double)>& take) = 0;
};

/// Measures launches by the host's clock. `wait` waits for all launches.
class HostClock final : public LaunchClock {
 public:
  /// Without `wait`, launches return when they are done.
  explicit HostClock(std::string name, std::function<void()> wait = {})
      : name_(std::move(name)), wait_(std::move(wait)) {}

  std::string name() const override { return name_; }
  bool is_free() const override { return !wait_; }
  void begin(std::size_t kernel) override;
  void end() override;
  void collect(const std::function<void(std::size_t, double)>& take) override;

 private:
  std::string name_;
  std::function<void()> wait_;
  std::size_t kernel_ = 0;
  Stopwatch watch_;
  std::vector<std::pair<std::size_t, double>> launches_;
};

/// Timings of the kernels of one method. A method wraps each launch by `call`. While `timing` is
/// on, for some of the steps, launches are timed.
class KernelTimers {
 public:
  struct Record {
    std::string name;
    double bytes = 0;  ///< a call moves
    double flops = 0;  ///< a call computes
    std::int64_t calls = 0;
    std::vector<double> samples;  ///< seconds of the timed calls
  };

  explicit KernelTimers(std::unique_ptr<LaunchClock> clock) : clock_(std::move(clock)) {}

  /// Declares a kernel and its traffic model; returns its index.
  std::size_t declare(std::string name, double bytes, double flops);
  void timing(bool on) { timing_ = on; }
  bool is_timing() const { return timing_; }

  /// Runs `launch`, one call of the kernel.
  template <class Launch>
  void call(std::size_t kernel, const Launch& launch) {
    call(kernel, timing_, launch);
  }
  /// The same for a kernel that few steps call: it is always timed, as the timed steps may miss it.
  template <class Launch>
  void call_rarely(std::size_t kernel, const Launch& launch) {
    call(kernel, true, launch);
  }

  /// Adds the times of the launches that were timed since the last call to the records' samples.
  /// All launches must be done.
  void collect();

  const LaunchClock& clock() const { return *clock_; }
  const std::vector<Record>& records() const { return records_; }

 private:
  template <class Launch>
  void call(std::size_t kernel, bool timed, const Launch& launch) {
    ++records_[kernel].calls;
    if (timed) clock_->begin(kernel);
    launch();
    if (timed) clock_->end();
  }

  std::unique_ptr<LaunchClock> clock_;
  std::vector<Record> records_;
  bool timing_ = false;
};

}  // namespace knudsen
