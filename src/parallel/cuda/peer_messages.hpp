#pragma once

// Messages between GPUs of one node: the sender's copy engine writes into the memory of the
// receiver, which the receiver's process has opened to it (CUDA IPC).

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"

namespace knudsen::cuda {

/// Collective: why the ranks of a node cannot write into each other's memory; empty if all can.
std::string why_not_peer();

/// Messages that are sent again and again between GPUs of one node, as Messages. Copies run on a
/// stream of their own, so that kernels run meanwhile.
///
/// A receiver has two inboxes, which the sender fills in turn. It copies an inbox to its buffer in
/// `end`, and lets the sender know in the next `begin` that it has. So no inbox is overwritten
/// before it has been read.
class PeerMessages {
 public:
  PeerMessages();
  ~PeerMessages();
  PeerMessages(PeerMessages&&) noexcept;
  PeerMessages& operator=(PeerMessages&&) noexcept;

  /// All messages must be added before the first `begin`.
  void add_send(int to, int tag, const void* buffer, std::size_t bytes);
  void add_receive(int from, int tag, void* buffer, std::size_t bytes);
  bool empty() const { return sends_.empty() && receives_.empty(); }

  /// Begins to send the buffers when all launches on `stream` so far have been done.
  void begin(cudaStream_t stream);
  /// Buffers are received for launches on `stream` from here on.
  void end(cudaStream_t stream);

 private:
  struct Send {
    int to, tag;
    const void* buffer;
    std::size_t bytes;
    cudaIpcMemHandle_t handle{};
    char* inboxes = nullptr;  ///< of the receiver
  };
  struct Receive {
    int from, tag;
    void* buffer;
    std::size_t bytes;
    cudaIpcMemHandle_t handle{};
    char* inboxes = nullptr;
  };
  struct Streams;

  void connect();

  std::vector<Send> sends_;
  std::vector<Receive> receives_;
  std::unique_ptr<Streams> streams_;
  std::unique_ptr<char> token_;  ///< what notes are: their arrival counts
  Messages arrivals_;            ///< notes that an inbox has been filled
  Messages readings_;            ///< notes that an inbox has been read
  std::size_t count_ = 0;        ///< of exchanges so far
};

}  // namespace knudsen::cuda
