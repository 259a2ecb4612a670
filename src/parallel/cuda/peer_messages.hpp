#pragma once

// Messages between GPUs of one node: the kernels of the sender write into memory that the process
// of the receiver has opened to it.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"
#include "parallel/cuda/shared_memory.hpp"

namespace knudsen::cuda {

/// Collective: why the GPUs of a node cannot write into each other's memory of this kind; empty if
/// all can.
std::string why_not_peer(SharedKind kind);

/// Messages that are sent again and again between GPUs of one node, as Messages. The buffer to send
/// is the inbox of the receiver, so that nothing is copied.
///
/// There are two inboxes, which are used in turn. When a rank has filled those of another one it
/// writes the number of the exchange into that rank's memory, whose stream waits for it. This also
/// says that the rank has read all messages of the exchange before, whose inboxes can be filled
/// next. Hosts wait for nothing, so that kernels are launched ahead of the exchange that they need.
class PeerMessages {
 public:
  explicit PeerMessages(SharedKind kind = SharedKind::gpu);
  ~PeerMessages();
  PeerMessages(PeerMessages&&) noexcept;
  PeerMessages& operator=(PeerMessages&&) noexcept;

  /// All messages must be added before the first call of another function. Return the number of the
  /// message.
  std::size_t add_send(int to, int tag, std::size_t bytes) { return add({to, tag, true, bytes}); }
  std::size_t add_receive(int from, int tag, std::size_t bytes) {
    return add({from, tag, false, bytes});
  }
  bool empty() const { return messages_.empty(); }

  /// Where a message is to be written for the next exchange, or has been received in the last one.
  char* buffer(std::size_t message);
  /// The buffers to send are those of all launches on `stream` so far.
  void begin(cudaStream_t stream);
  /// Launches on `stream` from here on find what has been received. The time from the end of what
  /// is in the stream `needed_by`, which may be the same, counts as waiting.
  void end(cudaStream_t stream, cudaStream_t needed_by);

  /// See finish_exchanges.
  static void finish_all();

 private:
  struct Message {
    int other;  ///< rank
    int tag;
    bool to_send;
    std::size_t bytes;
    std::size_t peer = 0, offset = 0;  ///< in the inboxes
  };
  /// Another rank. In the memory that one of the two opens to the other there is the number of the
  /// exchange, then the inboxes.
  struct Peer {
    int rank = 0;
    std::size_t sent = 0, received = 0;  ///< bytes in an exchange
    char* own = nullptr;
    char* theirs = nullptr;
    SharedHandle handle;  ///< of theirs
  };
  class Waits;

  std::size_t add(const Message& message) {
    messages_.push_back(message);
    return messages_.size() - 1;
  }
  void connect();

  SharedKind kind_;
  std::vector<Message> messages_;
  std::vector<Peer> peers_;
  std::unique_ptr<Waits> waits_;
  std::uint32_t count_ = 0;  ///< of exchanges that have ended; may overflow, as the numbers may
};

}  // namespace knudsen::cuda
