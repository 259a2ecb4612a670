#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "device/kokkos.hpp"
#include "device/side_queue.hpp"
#include "parallel/communicator.hpp"
#include "parallel/transport.hpp"
#if KNUDSEN_CUDA
#include "parallel/cuda/peer_messages.hpp"
#endif

namespace knudsen {

/// Two kernels over ranges of their own, as one: a launch takes longer than to copy a small
/// message. Thread i of `threads` works on numbers i, i + threads, ...
template <class First, class Second>
struct BothKernels {
  First first;
  Second second;
  std::int64_t count;  ///< of the first range
  std::int64_t all;    ///< of both
  std::int64_t threads;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t thread) const {
    for (std::int64_t i = thread; i < all; i += threads) {
      if (i < count) {
        first(i);
      } else {
        second(i - count);
      }
    }
  }
};

/// Launches them by at most `most_threads` threads: the first one for `count` numbers from 0 on,
/// the second for `other_count`.
template <class ExecutionSpace, class First, class Second>
void launch_both(const ExecutionSpace& execution, const char* name, std::int64_t count,
                 const First& first, std::int64_t other_count, const Second& second,
                 std::int64_t most_threads = std::numeric_limits<std::int64_t>::max()) {
  const std::int64_t all = count + other_count;
  const std::int64_t threads = std::min(all, most_threads);
  Kokkos::parallel_for(
      name,
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(execution, 0, threads),
      BothKernels<First, Second>{first, second, count, all, threads});
}

/// A message of an Exchange.
template <class Value>
struct ExchangedMessage {
  std::size_t number = 0;
};

/// Exchanges buffers on a backend with other ranks, again and again. A method fills the buffers to
/// send by a kernel, calls begin, computes what does not need what it receives, calls end, and
/// reads the buffers received by a kernel. How the values go was chosen by choose_transport.
template <class ExecutionSpace>
class Exchange {
  using Buffer = View<char*, ExecutionSpace>;
  static constexpr bool on_host = is_host_backend<ExecutionSpace>;
  // Memory of the host that a GPU copies to and from at its full rate.
#if KOKKOS_VERSION >= 40000
  using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_CUDA)
  using PinnedSpace = Kokkos::CudaHostPinnedSpace;
#else
  using PinnedSpace = Kokkos::HostSpace;
#endif
  using Staging = Kokkos::View<char*, Kokkos::LayoutRight, PinnedSpace>;

 public:
  /// Adds a message. The rank that receives it must add it with the same tag, from 0 to 999, and
  /// number of bytes. All messages must be added before the first call of another function.
  template <class Value>
  ExchangedMessage<Value> add_send(int to, int tag, std::size_t count) {
    return {add(true, to, tag, count * sizeof(Value))};
  }
  template <class Value>
  ExchangedMessage<Value> add_receive(int from, int tag, std::size_t count) {
    return {add(false, from, tag, count * sizeof(Value))};
  }
  /// The values of a message: of one to send until `begin`, of a received one from `end` until the
  /// next `begin`. They may be elsewhere in each exchange. The first call is collective.
  template <class Value>
  Value* buffer(ExchangedMessage<Value> message) {
    return reinterpret_cast<Value*>(place(places_[message.number]));
  }
  bool empty() const { return places_.empty(); }

  /// Sends the buffers when all launches on `execution` so far have been done.
  void begin(const ExecutionSpace& execution) {
    if constexpr (!on_host) {
#if KNUDSEN_CUDA
      if (!peers_.empty()) peers_.begin(execution.cuda_stream());
#endif
      for (const Staged& each : staged_sends_) {
        Kokkos::deep_copy(execution, each.staging, each.buffer);
      }
    }
    if (messages_.empty()) return;
    execution.fence();
    messages_.begin();
  }
  /// The buffers are there for launches on `execution` from here on.
  void end(const ExecutionSpace& execution) { end(execution, execution); }
  /// The same for an exchange that is hidden behind launches on `needed_by`, which waits for
  /// `execution` next: only the time from their end on counts as waiting.
  void end(const ExecutionSpace& execution, const ExecutionSpace& needed_by) {
    messages_.end([&] { return is_busy(needed_by); });
    if constexpr (!on_host) {
      for (const Staged& each : staged_receives_) {
        Kokkos::deep_copy(execution, each.buffer, each.staging);
      }
#if KNUDSEN_CUDA
      if (!peers_.empty()) peers_.end(execution.cuda_stream(), needed_by.cuda_stream());
#endif
    }
  }

 private:
  /// A buffer that goes through the host's memory.
  struct Staged {
    Buffer buffer;
    Staging staging;
  };

  /// Where a message is: in a buffer of its own, or of PeerMessages.
  struct Place {
    char* buffer;
    std::size_t number_of_peers;
  };

  char* place(const Place& each) {
#if KNUDSEN_CUDA
    if (each.buffer == nullptr) return peers_.buffer(each.number_of_peers);
#endif
    return each.buffer;
  }

  std::size_t add(bool to_send, int other, int tag, std::size_t bytes) {
    [[maybe_unused]] const Transport transport = on_host ? Transport::host : transport_to(other);
#if KNUDSEN_CUDA
    if (transport == Transport::peer || transport == Transport::shared) {
      if (peers_.empty() && transport == Transport::shared) {
        peers_ = cuda::PeerMessages(cuda::SharedKind::host);
      }
      places_.push_back({nullptr, to_send ? peers_.add_send(other, tag, bytes)
                                          : peers_.add_receive(other, tag, bytes)});
      return places_.size() - 1;
    }
#endif
    const std::string name = to_send ? "buffer to send" : "buffer received";
    const Buffer& buffer =
        buffers_.emplace_back(Kokkos::view_alloc(Kokkos::WithoutInitializing, name), bytes);
    places_.push_back({buffer.data(), 0});
    char* sent_or_received = buffer.data();
    if constexpr (!on_host) {
      if (transport != Transport::mpi) {
        const Staging staging(Kokkos::view_alloc(Kokkos::WithoutInitializing, name + " (host)"),
                              bytes);
        (to_send ? staged_sends_ : staged_receives_).push_back({buffer, staging});
        sent_or_received = staging.data();
      }
    }
    if (to_send) {
      messages_.add_send(other, tag, sent_or_received, bytes);
    } else {
      messages_.add_receive(other, tag, sent_or_received, bytes);
    }
    return places_.size() - 1;
  }

  std::vector<Place> places_;
  std::vector<Buffer> buffers_;
  std::vector<Staged> staged_sends_, staged_receives_;
  Messages messages_;
#if KNUDSEN_CUDA
  cuda::PeerMessages peers_;
#endif
};

}  // namespace knudsen
