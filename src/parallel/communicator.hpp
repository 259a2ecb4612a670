#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
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

  /// Collective: waits until all ranks are here.
  void barrier() const;
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
  std::vector<Value> concatenate_on_first(const std::vector<Value>& own) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (size_ == 1) return own;
    const std::vector<std::uint64_t> bytes = all_sizes(own.size() * sizeof(Value));
    std::uint64_t total = 0;
    for (const std::uint64_t each : bytes) total += each;
    std::vector<Value> all(is_first() ? total / sizeof(Value) : 0);
    gather(own.data(), bytes, all.data());
    return all;
  }
  /// Collective: the same on all ranks.
  template <class Value>
  std::vector<Value> concatenate(const std::vector<Value>& own) const {
    std::vector<Value> all = concatenate_on_first(own);
    std::uint64_t count = all.size();
    broadcast(count);
    all.resize(count);
    broadcast(static_cast<void*>(all.data()), count * sizeof(Value));
    return all;
  }
  /// Collective: over all ranks, on all of them. The sum of integers does not depend on their
  /// order.
  std::int64_t sum(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  double max(double value) const;

  /// Ends all ranks at once with this exit code. What was said about it must have been said before.
  [[noreturn]] void abort(int exit_code) const;

 private:
  friend class ParallelSession;
  friend Communicator& world();
  Communicator() = default;

  std::vector<std::uint64_t> all_sizes(std::uint64_t own) const;
  void gather(const void* own, const std::vector<std::uint64_t>& bytes, void* all) const;

  int rank_ = 0, size_ = 1, rank_of_node_ = 0, size_of_node_ = 1;
};

/// All ranks of the program.
Communicator& world();

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

/// Messages that are sent again and again, from and to the same places in the host's memory, which
/// must stay there. `tag` tells messages between the same two ranks from each other.
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
  /// Waits until all of them have been sent and received.
  void end();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace knudsen
