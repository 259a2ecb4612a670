#include "parallel/cuda/peer_messages.hpp"

#include "device/kokkos.hpp"
#if KNUDSEN_CUDA

#include <cuda.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/error.hpp"

namespace knudsen::cuda {
namespace {

// Tag of the messages that connect two ranks, beyond those of methods.
constexpr int handle_tag = 10000;

void require(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // so that Kokkos does not find it
  throw RunError(world().name() + ": " + what + " failed: " + cudaGetErrorString(result));
}

void require(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  throw RunError(world().name() + ": " + what + " failed: " + (text == nullptr ? "" : text));
}

/// Messages begin at multiples of this, the inboxes that far behind the number of the exchange.
constexpr std::size_t line = 256;

std::size_t padded(std::size_t bytes) { return (bytes + line - 1) / line * line; }

/// Allocations that other processes open are multiples of this, so that they share no page with
/// others.
constexpr std::size_t page = std::size_t{2} << 20;

/// Memory that other processes can open: plain cudaMalloc, which Kokkos need not use, and zeros in
/// it. It is never freed, as a process may still have it open that ends later.
char* allocate_shared(std::size_t bytes, cudaIpcMemHandle_t& handle) {
  void* memory = nullptr;
  const std::size_t all = (bytes + page - 1) / page * page;
  require(cudaMalloc(&memory, all), "allocating memory for messages");
  require(cudaMemset(memory, 0, all), "allocating memory for messages");
  require(cudaDeviceSynchronize(), "allocating memory for messages");
  require(cudaIpcGetMemHandle(&handle, memory), "sharing memory with other ranks");
  return static_cast<char*>(memory);
}

/// Writes into memory of another GPU, when all before it in the stream has been done and written.
void write_number(cudaStream_t stream, char* place, std::uint32_t number) {
  require(cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(place), number,
                               CU_STREAM_WRITE_VALUE_DEFAULT),
          "sending");
}

/// Lets a stream wait until the number in own memory is this or a later one.
void wait_for_number(cudaStream_t stream, char* place, std::uint32_t number) {
  require(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(place), number,
                              CU_STREAM_WAIT_VALUE_GEQ),
          "receiving");
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
    const auto place = reinterpret_cast<CUdeviceptr>(static_cast<int*>(memory) + number);
    if (cuStreamWriteValue32(nullptr, place, static_cast<std::uint32_t>(number),
                             CU_STREAM_WRITE_VALUE_DEFAULT) != CUDA_SUCCESS &&
        reason.empty()) {
      reason = "streams cannot write numbers into the memory of another GPU";
    }
    note(cudaDeviceSynchronize(), "cuStreamWriteValue32");
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

/// The waits of a stream for messages. Hosts launch only so many exchanges ahead of their GPU as
/// there are waits here.
class PeerMessages::Waits {
 public:
  explicit Waits(const std::vector<Peer>& peers) {
    for (const Peer& peer : peers) numbers_.push_back(peer.own);
    require(cudaStreamCreateWithFlags(&release_, cudaStreamNonBlocking), "cudaStreamCreate");
    for (Wait& wait : waits_) {
      require(cudaEventCreate(&wait.began), "cudaEventCreate");
      require(cudaEventCreate(&wait.ended), "cudaEventCreate");
    }
    all().push_back(this);
  }
  ~Waits() {
    all().erase(std::find(all().begin(), all().end(), this));
    for (const Wait& wait : waits_) {
      cudaEventDestroy(wait.began);
      cudaEventDestroy(wait.ended);
    }
    cudaStreamDestroy(release_);
  }
  Waits(const Waits&) = delete;
  Waits& operator=(const Waits&) = delete;

  /// Those that exist.
  static std::vector<Waits*>& all() {
    static std::vector<Waits*> existing = [] {
      world().when_giving_up([] {
        for (Waits* each : all()) each->release();
      });
      return std::vector<Waits*>{};
    }();
    return existing;
  }

  void begin(cudaStream_t stream) {
    settle(waits_[next_]);
    require(cudaEventRecord(waits_[next_].began, stream), "receiving");
  }
  void end(cudaStream_t stream) {
    require(cudaEventRecord(waits_[next_].ended, stream), "receiving");
    waits_[next_].pending = true;
    next_ = (next_ + 1) % waits_.size();
  }
  /// Waits for the GPU until all have ended, and adds their times.
  void settle() {
    for (Wait& wait : waits_) settle(wait);
  }

 private:
  struct Wait {
    cudaEvent_t began = nullptr, ended = nullptr;
    bool pending = false;
  };

  static void settle(Wait& wait) {
    if (!wait.pending) return;
    world().wait_for([&] {
      const cudaError_t state = cudaEventQuery(wait.ended);
      if (state == cudaErrorNotReady) return false;
      require(state, "an exchange with another GPU");
      return true;
    });
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, wait.began, wait.ended), "cudaEventElapsedTime");
    traffic().seconds += 1e-3 * static_cast<double>(milliseconds);
    wait.pending = false;
  }

  /// Lets all waits for numbers pass: else freeing memory, which waits for the GPU, would last for
  /// ever when another rank has gone.
  void release() {
    for (char* number : numbers_) cudaMemsetAsync(number, 0x7f, sizeof(std::uint32_t), release_);
    cudaStreamSynchronize(release_);
  }

  std::array<Wait, 8> waits_;
  std::size_t next_ = 0;
  std::vector<char*> numbers_;
  cudaStream_t release_ = nullptr;
};

PeerMessages::PeerMessages() = default;
PeerMessages::PeerMessages(PeerMessages&&) noexcept = default;
PeerMessages& PeerMessages::operator=(PeerMessages&&) noexcept = default;

PeerMessages::~PeerMessages() {
  if (waits_ == nullptr) return;
  cudaDeviceSynchronize();
  for (const Peer& peer : peers_) cudaIpcCloseMemHandle(peer.theirs);
}

/// Opens the memory of the other ranks.
void PeerMessages::connect() {
  // Both sides place the messages from one to the other in the order of their tags.
  std::vector<std::size_t> order(messages_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return messages_[a].tag < messages_[b].tag;
  });
  for (const std::size_t number : order) {
    Message& message = messages_[number];
    const auto found = std::find_if(peers_.begin(), peers_.end(),
                                    [&](const Peer& peer) { return peer.rank == message.other; });
    message.peer = static_cast<std::size_t>(found - peers_.begin());
    if (found == peers_.end()) peers_.push_back({message.other});
    std::size_t& end = message.to_send ? peers_[message.peer].sent : peers_[message.peer].received;
    message.offset = end;
    end += padded(message.bytes);
  }
  std::vector<cudaIpcMemHandle_t> own(peers_.size()), theirs(peers_.size());
  Messages handles;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    peers_[i].own = allocate_shared(line + 2 * peers_[i].received, own[i]);
    handles.add_send(peers_[i].rank, handle_tag, &own[i], sizeof own[i]);
    handles.add_receive(peers_[i].rank, handle_tag, &theirs[i], sizeof theirs[i]);
  }
  handles.begin();
  handles.end();
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    void* memory = nullptr;
    require(cudaIpcOpenMemHandle(&memory, theirs[i], cudaIpcMemLazyEnablePeerAccess),
            "opening the memory of another rank");
    peers_[i].theirs = static_cast<char*>(memory);
  }
  waits_ = std::make_unique<Waits>(peers_);
}

char* PeerMessages::buffer(std::size_t message) {
  if (waits_ == nullptr) connect();
  const Message& m = messages_[message];
  const Peer& peer = peers_[m.peer];
  return m.to_send ? peer.theirs + line + count_ % 2 * peer.sent + m.offset
                   : peer.own + line + (count_ + 1) % 2 * peer.received + m.offset;
}

void PeerMessages::begin(cudaStream_t stream) {
  if (waits_ == nullptr) connect();
  for (const Peer& peer : peers_) write_number(stream, peer.theirs, count_ + 1);
  for (const Message& message : messages_) {
    if (!message.to_send) continue;
    traffic().bytes += static_cast<std::int64_t>(message.bytes);
    ++traffic().messages;
  }
}

void PeerMessages::end(cudaStream_t stream) {
  waits_->begin(stream);
  for (const Peer& peer : peers_) wait_for_number(stream, peer.own, count_ + 1);
  waits_->end(stream);
  ++count_;
}

void PeerMessages::finish_all() {
  for (Waits* each : Waits::all()) each->settle();
}

}  // namespace knudsen::cuda

#endif
