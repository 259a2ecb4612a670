#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace knudsen {

/// Timings of the kernels of one method. A fence around every launch would slow small grids down,
/// so only some launches are measured: a method asks `sampling()` once a step and, where it is
/// true, wraps each launch by `measure`.
class KernelTimers {
 public:
  struct Record {
    std::string name;
    double bytes = 0;  ///< a call moves
    double flops = 0;  ///< a call computes
    std::int64_t calls = 0;
    std::vector<double> samples;  ///< seconds of the measured calls
  };

  /// Declares a kernel and its traffic model; returns its index.
  std::size_t declare(std::string name, double bytes, double flops);
  /// True for the steps whose launches are to be measured: the first few, then one in 61 (odd, so
  /// that both kinds of step of a two-step scheme are met).
  bool sampling(std::int64_t step) const {
    return enabled_ && (step < first_ || step % interval_ == 0);
  }
  void enable(bool on) { enabled_ = on; }

  /// Runs `launch`; when `measured`, fences before and after by `fence` and records the time.
  template <class Launch, class Fence>
  void call(std::size_t kernel, bool measured, const Launch& launch, const Fence& fence) {
    Record& record = records_[kernel];
    ++record.calls;
    if (!measured) {
      launch();
      return;
    }
    fence();
    const auto start = std::chrono::steady_clock::now();
    launch();
    fence();
    record.samples.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

  const std::vector<Record>& records() const { return records_; }
  void reset();

 private:
  std::vector<Record> records_;
  bool enabled_ = true;
  static constexpr std::int64_t first_ = 3;
  static constexpr std::int64_t interval_ = 61;
};

}  // namespace knudsen
