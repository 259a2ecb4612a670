#pragma once

// A second queue of launches on a GPU.

#include "device/kokkos.hpp"
#if KNUDSEN_CUDA
#include "device/cuda/side_queue.hpp"
#endif

namespace knudsen {

/// A queue of launches beside that of an instance of an execution space. Work in it runs while
/// there is work in the other one, and is started first where both wait for the same processors.
/// Without CUDA it is the same queue, so launches run in the order in which they are made.
template <class ExecutionSpace>
class SideQueue {
 public:
  explicit SideQueue(const ExecutionSpace& main) : main_(main) {}

  const ExecutionSpace& execution() const { return main_; }
  /// What is launched here from now on begins when all that has been launched on the main queue has
  /// ended.
  void begin_after_main() {}
  /// The reverse.
  void let_main_wait() {}

 private:
  ExecutionSpace main_;
};

/// Whether launches on an instance of an execution space still run; false without CUDA.
template <class ExecutionSpace>
bool is_busy(const ExecutionSpace& /*execution*/) {
  return false;
}

#if KNUDSEN_CUDA
template <>
class SideQueue<Kokkos::Cuda> : public cuda::SideQueue {
 public:
  using cuda::SideQueue::SideQueue;
};
inline bool is_busy(const Kokkos::Cuda& execution) { return cuda::is_busy(execution); }
#endif

}  // namespace knudsen
