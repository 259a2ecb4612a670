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

void require(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  throw RunError(world().name() + ": " + what + " failed: " + (text == nullptr ? "" : text));
}

/// Messages begin at multiples of this, the inboxes that far behind the number of the exchange.
constexpr std::size_t line = 256;

std::size_t padded(std::size_t bytes) { return (bytes + line - 1) / line * line; }

/// Writes into memory of another rank, when all before it in the stream has been done and written.
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

std::string why_not_peer(SharedKind kind) {
  const Communicator& ranks = world();
  // Each rank writes its number into its place in the memory of every other rank of its node.
  struct Offer {
    int node;
    int works;
    SharedHandle handle;
  };
  Offer offer{ranks.node(), 0, {}};
  std::string reason;
  const auto attempt = [&](const auto& body) {
    try {
      body();
      return true;
    } catch (const RunError& error) {
      if (reason.empty()) reason = error.what();
      return false;
    }
  };
  const auto places = static_cast<std::size_t>(ranks.size_of_node());
  const auto number = static_cast<std::uint32_t>(ranks.rank_of_node());
  std::vector<std::uint32_t> found(places, 0);
  char* own = nullptr;
  const std::size_t bytes = places * sizeof number;
  if (attempt([&] { own = allocate_shared(kind, bytes, offer.handle); })) offer.works = 1;
  const std::vector<Offer> offers = ranks.concatenate(std::vector{offer});
  for (std::size_t rank = 0; rank < offers.size(); ++rank) {
    const Offer& other = offers[rank];
    if (other.node != ranks.node() || static_cast<int>(rank) == ranks.rank()) continue;
    if (other.works == 0) continue;
    attempt([&] {
      char* const theirs = open_shared(kind, other.handle);
      write_number(nullptr, theirs + number * sizeof number, number + 1);
      require(cudaDeviceSynchronize(), "writing into the memory of another rank");
      close_shared(kind, other.handle, theirs);
    });
  }
  ranks.barrier();
  if (offer.works != 0) {
    attempt([&] {
      require(cudaMemcpy(found.data(), own, bytes, cudaMemcpyDefault), "cudaMemcpy");
      for (std::uint32_t i = 0; i < places; ++i) {
        if (i != number && found[i] != i + 1) {
          throw RunError("what one GPU writes does not reach another");
        }
      }
    });
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
    // With two streams the beginning may come last, when nothing was waited for.
    require(cudaEventSynchronize(wait.began), "an exchange with another GPU");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, wait.began, wait.ended), "cudaEventElapsedTime");
    traffic().seconds += 1e-3 * std::max(0.0, static_cast<double>(milliseconds));
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

PeerMessages::PeerMessages(SharedKind kind) : kind_(kind) {}
PeerMessages::PeerMessages(PeerMessages&&) noexcept = default;
PeerMessages& PeerMessages::operator=(PeerMessages&&) noexcept = default;

PeerMessages::~PeerMessages() {
  if (waits_ == nullptr) return;
  cudaDeviceSynchronize();
  for (const Peer& peer : peers_) close_shared(kind_, peer.handle, peer.theirs);
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
    if (found == peers_.end()) peers_.emplace_back().rank = message.other;
    std::size_t& end = message.to_send ? peers_[message.peer].sent : peers_[message.peer].received;
    message.offset = end;
    end += padded(message.bytes);
  }
  std::vector<SharedHandle> own(peers_.size());
  Messages handles;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    peers_[i].own = allocate_shared(kind_, line + 2 * peers_[i].received, own[i]);
    handles.add_send(peers_[i].rank, handle_tag, &own[i], sizeof own[i]);
    handles.add_receive(peers_[i].rank, handle_tag, &peers_[i].handle, sizeof own[i]);
  }
  handles.begin();
  handles.end();
  for (Peer& peer : peers_) peer.theirs = open_shared(kind_, peer.handle);
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

void PeerMessages::end(cudaStream_t stream, cudaStream_t needed_by) {
  waits_->begin(needed_by);
  for (const Peer& peer : peers_) wait_for_number(stream, peer.own, count_ + 1);
  waits_->end(stream);
  ++count_;
}

void PeerMessages::finish_all() {
  for (Waits* each : Waits::all()) each->settle();
}

}  // namespace knudsen::cuda

#endif
