#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace knudsen {

/// The processes of a run, its ranks, numbered from 0. There is one unless a launcher (mpirun,
/// srun) started several. MPI is used in communicator.cpp and nowhere else.
///
/// Functions that are called collective must be called by all ranks, in the same order. They move
/// numbers in the host's memory.
class Communicator {
 public:
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }
  /// Number of this rank among those of its node, and their number.
  int rank_of_node() const { return rank_of_node_; }
  int size_of_node() const { return size_of_node_; }
  /// The first rank of this rank's node, which tells nodes from each other.
  int node() const { return nodes_[static_cast<std::size_t>(rank_)]; }
  int node_of(int rank) const { return nodes_[static_cast<std::size_t>(rank)]; }
  const std::vector<int>& nodes() const { return nodes_; }  ///< of all ranks
  /// "rank 2 on node017", for messages.
  std::string name() const;

  /// Seconds that a rank waits for others before it gives up (RunError). It also gives up if
  /// another rank of its node has died.
  void set_patience(double seconds) { patience_ = seconds; }
  double patience() const { return patience_; }
  /// Bytes of a field or a checkpoint that a rank holds beside its own part, about.
  void set_piece_bytes(std::size_t bytes) { piece_bytes_ = bytes; }
  std::size_t piece_bytes() const { return piece_bytes_; }
  /// The same as a number of values, of which there are at most `all` and at least one.
  template <class Value>
  std::size_t piece_of(std::size_t all) const {
    return std::max<std::size_t>(std::min(all, piece_bytes_ / sizeof(Value)), 1);
  }
  /// Adds what to do first when a rank gives up others, before RunError is thrown.
  void when_giving_up(std::function<void()> action) {
    when_giving_up_.push_back(std::move(action));
  }
  void give_up() const {
    for (const auto& action : when_giving_up_) action();
  }
  /// Whether MPI sends and receives in the memory of GPUs.
  bool knows_cuda() const;

  /// Calls done() until it is true: for what other ranks bring about without messages. Throws
  /// RunError as every wait does, see set_patience. The time is not added to traffic().
  void wait_for(const std::function<bool()>& done) const;
  /// Collective: waits until all ranks are here.
  void barrier() const;
  /// Collective: copies what the first rank says to all, however long the others wait for it.
  void hear(void* data, std::size_t bytes) const;
  /// Collective: copies `bytes` bytes of rank `from` to all.
  void broadcast(void* data, std::size_t bytes, int from = 0) const;
  template <class Value>
  void broadcast(Value& value, int from = 0) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    broadcast(&value, sizeof(Value), from);
  }
  void broadcast(std::string& text, int from = 0) const;
  /// Collective: the lists of all ranks, one after the other in their order, on the first rank. On
  /// others the result is empty.
  template <class Value>
  std::vector<Value> concatenate_on_first(std::vector<Value> own) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (size_ == 1) return own;
    const std::vector<std::uint64_t> bytes = all_sizes(own.size() * sizeof(Value));
    std::uint64_t total = 0;
    for (const std::uint64_t each : bytes) total += each;
    std::vector<Value> all(is_first() ? total / sizeof(Value) : 0);
    gather(own.data(), bytes, all.data());
    return all;
  }
  /// Collective: the same into memory of the first rank that is large enough.
  template <class Value>
  void concatenate_on_first(const std::vector<Value>& own, Value* all) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (size_ == 1) {
      std::copy(own.begin(), own.end(), all);
    } else {
      gather(own.data(), all_sizes(own.size() * sizeof(Value)), all);
    }
  }
  /// Collective: the same on all ranks.
  template <class Value>
  std::vector<Value> concatenate(std::vector<Value> own) const {
    if (size_ == 1) return own;
    std::vector<Value> all = concatenate_on_first(std::move(own));
    std::uint64_t count = all.size();
    broadcast(count);
    all.resize(count);
    broadcast(static_cast<void*>(all.data()), count * sizeof(Value));
    return all;
  }
  /// Collective: replaces the numbers, of which all ranks have as many, by their sums over the
  /// ranks.
  void sum(std::vector<std::uint64_t>& numbers) const;
  /// Collective: whether it is so on all ranks.
  bool all(bool each) const;

  /// Ends all ranks at once with this exit code. What was said about it must have been said before.
  [[noreturn]] void abort(int exit_code) const;
  /// Before a rank says why it fails: whether it is to say it. Of several ranks that fail at the
  /// same time only one has the last word, preferably the first rank. Waits up to some seconds.
  bool has_last_word() const;

 private:
  friend class ParallelSession;
  friend Communicator& world();
  Communicator() = default;

  std::vector<std::uint64_t> all_sizes(std::uint64_t own) const;
  void gather(const void* own, const std::vector<std::uint64_t>& bytes, void* all) const;

  int rank_ = 0, size_ = 1, rank_of_node_ = 0, size_of_node_ = 1;
  std::vector<int> nodes_{0};
  double patience_ = 600;
  std::size_t piece_bytes_ = std::size_t{16} << 20;
  std::vector<std::function<void()>> when_giving_up_;
};

/// All ranks of the program.
Communicator& world();

/// What this rank has done with others since the program began.
struct Traffic {
  double seconds = 0;                    ///< of waiting for them
  std::int64_t bytes = 0, messages = 0;  ///< sent
};
Traffic& traffic();

/// Whether this rank is the one to tell of a signal that ends all: the first one, unless another
/// rank has told of a failure, after which the launcher ends all by signals. For signal handlers.
bool may_speak_of_signal();

/// Starts MPI if a launcher started the program, and ends it when it goes out of scope. There must
/// be one at most. Throws InputError if several ranks were launched and the program was built
/// without MPI.
class ParallelSession {
 public:
  ParallelSession();
  ~ParallelSession();
  ParallelSession(const ParallelSession&) = delete;
  ParallelSession& operator=(const ParallelSession&) = delete;
};

/// Messages that are sent again and again, from and to the same places in memory, which must stay
/// there. It is the host's memory, or a GPU's where MPI knows it (Communicator::knows_cuda). `tag`
/// tells messages between the same two ranks from each other.
class Messages {
 public:
  Messages();
  ~Messages();
  Messages(Messages&&) noexcept;
  Messages& operator=(Messages&&) noexcept;

  void add_send(int to, int tag, const void* data, std::size_t bytes);
  void add_receive(int from, int tag, void* data, std::size_t bytes);
  /// Begins to send and to receive all of them.
  void begin();
  /// Waits until all of them have been sent and received. The time counts as waiting from when
  /// `is_hidden` is first false: whether this rank computes meanwhile.
  void end(const std::function<bool()>& is_hidden = {});
  bool empty() const { return sends_ + receives_ == 0; }

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
  std::int64_t sends_ = 0, receives_ = 0, bytes_ = 0;  ///< numbers of messages; bytes sent
};

}  // namespace knudsen
