#pragma once

#include <string>
#include <utility>
#include <vector>

#include "device/kokkos.hpp"
#include "parallel/communicator.hpp"

namespace knudsen {

/// Exchanges buffers on a backend with other ranks, again and again. A method fills the buffers to
/// send by a kernel, calls begin, computes what does not need what it receives, calls end, and
/// reads the buffers received by a kernel.
template <class ExecutionSpace>
class Exchange {
  using Buffer = View<char*, ExecutionSpace>;
  static constexpr bool on_host = is_host_backend<ExecutionSpace>;
  using Staging = std::conditional_t<on_host, Buffer, HostView<char*>>;

 public:
  /// Adds a message and returns its buffer, which stays where it is. The rank that receives it must
  /// add it with the same tag.
  template <class Value>
  Value* add_send(int to, int tag, std::size_t count) {
    Pair& pair = add("to send", count * sizeof(Value), sends_);
    messages_.add_send(to, tag, pair.staging.data(), count * sizeof(Value));
    return reinterpret_cast<Value*>(pair.buffer.data());
  }
  template <class Value>
  Value* add_receive(int from, int tag, std::size_t count) {
    Pair& pair = add("received", count * sizeof(Value), receives_);
    messages_.add_receive(from, tag, pair.staging.data(), count * sizeof(Value));
    return reinterpret_cast<Value*>(pair.buffer.data());
  }
  bool empty() const { return sends_.empty() && receives_.empty(); }

  /// Sends the buffers when all launches on `execution` so far have been done.
  void begin(const ExecutionSpace& execution) {
    if constexpr (!on_host) {
      for (const Pair& pair : sends_) Kokkos::deep_copy(execution, pair.staging, pair.buffer);
    }
    execution.fence();
    messages_.begin();
  }
  /// The buffers are there for launches on `execution` from here on.
  void end(const ExecutionSpace& execution) {
    messages_.end();
    if constexpr (!on_host) {
      for (const Pair& pair : receives_) Kokkos::deep_copy(execution, pair.buffer, pair.staging);
    }
  }

 private:
  struct Pair {
    Buffer buffer;
    Staging staging;  ///< on a GPU a copy in the host's memory, else the same
  };

  static Pair& add(const std::string& name, std::size_t bytes, std::vector<Pair>& pairs) {
    Pair& pair = pairs.emplace_back();
    pair.buffer = Buffer(Kokkos::view_alloc(Kokkos::WithoutInitializing, "buffer " + name), bytes);
    if constexpr (on_host) {
      pair.staging = pair.buffer;
    } else {
      pair.staging = Kokkos::create_mirror(pair.buffer);
    }
    return pair;
  }

  std::vector<Pair> sends_, receives_;
  Messages messages_;
};

}  // namespace knudsen
