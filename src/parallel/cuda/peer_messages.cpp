#include "parallel/cuda/peer_messages.hpp"

#include "device/kokkos.hpp"
#if KNUDSEN_CUDA

#include <algorithm>
#include <exception>

#include "core/error.hpp"

namespace knudsen::cuda {
namespace {

// Tags of notes, beyond those of methods.
constexpr int handle_tag = 10000;
constexpr int arrival_tag = 20000;
constexpr int reading_tag = 30000;

void require(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // so that Kokkos does not find it
  throw RunError(world().name() + ": " + what + " failed: " + cudaGetErrorString(result));
}

/// The distance of two inboxes.
std::size_t stride(std::size_t bytes) {
  constexpr std::size_t line = 256;
  return std::max((bytes + line - 1) / line * line, line);
}

/// Allocations that other processes open are multiples of this, so that they share no page with
/// others.
constexpr std::size_t page = std::size_t{2} << 20;

/// Memory that other processes can open: plain cudaMalloc, which Kokkos need not use. It is never
/// freed, as a process may still have it open that ends later.
char* allocate_inboxes(std::size_t bytes, cudaIpcMemHandle_t& handle) {
  void* memory = nullptr;
  const std::size_t pages = (2 * stride(bytes) + page - 1) / page;
  require(cudaMalloc(&memory, pages * page), "allocating memory for messages");
  require(cudaIpcGetMemHandle(&handle, memory), "sharing memory with other ranks");
  return static_cast<char*>(memory);
}

}  // namespace

std::string why_not_peer() {
  const Communicator& ranks = world();
  // Each rank writes its number into its place in the memory of every other rank of its node.
  std::string reason;
  const auto note = [&](cudaError_t result, const char* what) {
    if (result == cudaSuccess) return true;
    cudaGetLastError();
    if (reason.empty()) reason = std::string(what) + ": " + cudaGetErrorString(result);
    return false;
  };
  const auto places = static_cast<std::size_t>(ranks.size_of_node());
  int* own = nullptr;
  struct Offer {
    int node;
    int works;
    cudaIpcMemHandle_t handle;
  };
  Offer offer{ranks.node(), 0, {}};
  offer.works = note(cudaMalloc(reinterpret_cast<void**>(&own), page), "memory") &&
                        note(cudaMemset(own, 0xff, places * sizeof(int)), "memory") &&
                        note(cudaDeviceSynchronize(), "memory") &&
                        note(cudaIpcGetMemHandle(&offer.handle, own), "cudaIpcGetMemHandle")
                    ? 1
                    : 0;
  const std::vector<Offer> offers = ranks.concatenate(std::vector{offer});
  const int number = ranks.rank_of_node();
  for (std::size_t rank = 0; rank < offers.size(); ++rank) {
    const Offer& other = offers[rank];
    if (other.node != ranks.node() || static_cast<int>(rank) == ranks.rank()) continue;
    void* memory = nullptr;
    if (other.works == 0 ||
        !note(cudaIpcOpenMemHandle(&memory, other.handle, cudaIpcMemLazyEnablePeerAccess),
              "cudaIpcOpenMemHandle")) {
      continue;
    }
    note(cudaMemcpy(static_cast<int*>(memory) + number, &number, sizeof number,
                    cudaMemcpyHostToDevice),
         "cudaMemcpy");
    note(cudaDeviceSynchronize(), "cudaMemcpy");
    note(cudaIpcCloseMemHandle(memory), "cudaIpcCloseMemHandle");
  }
  ranks.barrier();
  std::vector<int> found(places, -1);
  if (offer.works != 0) {
    note(cudaMemcpy(found.data(), own, places * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (int i = 0; i < static_cast<int>(places); ++i) {
      if (i != number && found[static_cast<std::size_t>(i)] != i && reason.empty()) {
        reason = "what one GPU writes does not reach another";
      }
    }
    cudaFree(own);
  }
  // The reason of the first rank that has one.
  const std::vector<int> failed = ranks.concatenate(std::vector{reason.empty() ? 0 : 1});
  const auto first = std::find(failed.begin(), failed.end(), 1);
  if (first == failed.end()) return {};
  ranks.broadcast(reason, static_cast<int>(first - failed.begin()));
  return reason;
}

struct PeerMessages::Streams {
  cudaStream_t copies = nullptr;
  cudaEvent_t filled = nullptr;  ///< the buffers to send
  cudaEvent_t read = nullptr;    ///< the inboxes

  Streams() {
    require(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking), "cudaStreamCreate");
    require(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming), "cudaEventCreate");
    require(cudaEventCreateWithFlags(&read, cudaEventDisableTiming), "cudaEventCreate");
  }
  ~Streams() {
    cudaEventDestroy(filled);
    cudaEventDestroy(read);
    cudaStreamDestroy(copies);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
};

PeerMessages::PeerMessages() = default;
PeerMessages::PeerMessages(PeerMessages&&) noexcept = default;
PeerMessages& PeerMessages::operator=(PeerMessages&&) noexcept = default;

PeerMessages::~PeerMessages() {
  if (streams_ == nullptr) return;
  cudaDeviceSynchronize();
  // The last notes have been sent; nobody waits for them in a run that fails.
  try {
    if (count_ > 0 && std::uncaught_exceptions() == 0) readings_.end();
  } catch (const RunError&) {
    // The run has ended all the same.
  }
  for (const Send& send : sends_) cudaIpcCloseMemHandle(send.inboxes);
}

void PeerMessages::add_send(int to, int tag, const void* buffer, std::size_t bytes) {
  sends_.push_back({to, tag, buffer, bytes});
}

void PeerMessages::add_receive(int from, int tag, void* buffer, std::size_t bytes) {
  receives_.push_back({from, tag, buffer, bytes});
}

/// Opens the receivers' inboxes.
void PeerMessages::connect() {
  streams_ = std::make_unique<Streams>();
  token_ = std::make_unique<char>();
  Messages handles;
  for (Receive& each : receives_) {
    each.inboxes = allocate_inboxes(each.bytes, each.handle);
    handles.add_send(each.from, handle_tag + each.tag, &each.handle, sizeof each.handle);
    arrivals_.add_receive(each.from, arrival_tag + each.tag, token_.get(), 1);
    readings_.add_send(each.from, reading_tag + each.tag, token_.get(), 1);
  }
  for (Send& each : sends_) {
    handles.add_receive(each.to, handle_tag + each.tag, &each.handle, sizeof each.handle);
    arrivals_.add_send(each.to, arrival_tag + each.tag, token_.get(), 1);
    readings_.add_receive(each.to, reading_tag + each.tag, token_.get(), 1);
  }
  handles.begin();
  handles.end();
  for (Send& each : sends_) {
    void* memory = nullptr;
    require(cudaIpcOpenMemHandle(&memory, each.handle, cudaIpcMemLazyEnablePeerAccess),
            "opening the memory of another rank");
    each.inboxes = static_cast<char*>(memory);
  }
}

void PeerMessages::begin(cudaStream_t stream) {
  if (streams_ == nullptr) connect();
  if (count_ > 0) {
    // The other ranks have read their inboxes of the exchange before the last one.
    readings_.end();
    require(cudaEventSynchronize(streams_->read), "receiving");
  }
  readings_.begin();
  require(cudaEventRecord(streams_->filled, stream), "sending");
  require(cudaStreamWaitEvent(streams_->copies, streams_->filled, 0), "sending");
  for (const Send& each : sends_) {
    require(cudaMemcpyAsync(each.inboxes + count_ % 2 * stride(each.bytes), each.buffer, each.bytes,
                            cudaMemcpyDefault, streams_->copies),
            "sending");
    traffic().bytes += static_cast<std::int64_t>(each.bytes);
  }
}

void PeerMessages::end(cudaStream_t stream) {
  require(cudaStreamSynchronize(streams_->copies), "sending");
  arrivals_.begin();
  arrivals_.end();
  for (const Receive& each : receives_) {
    require(cudaMemcpyAsync(each.buffer, each.inboxes + count_ % 2 * stride(each.bytes), each.bytes,
                            cudaMemcpyDeviceToDevice, stream),
            "receiving");
  }
  require(cudaEventRecord(streams_->read, stream), "receiving");
  ++count_;
}

}  // namespace knudsen::cuda

#endif
