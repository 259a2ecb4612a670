#include "parallel/communicator.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "core/error.hpp"
#include "core/text.hpp"

#ifdef KNUDSEN_MPI
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

namespace knudsen {
namespace {

/// Variables by which launchers tell each process how many there are.
constexpr std::array launchers{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};

/// Whether a launcher started the program.
bool was_launched() {
  constexpr std::array names{"PMIX_RANK", "PMI_RANK"};
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  return std::any_of(launchers.begin(), launchers.end(), is_set) ||
         std::any_of(names.begin(), names.end(), is_set);
}

std::string own_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown host";
}

#ifdef KNUDSEN_MPI

using Clock = std::chrono::steady_clock;

double seconds_now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// MPI counts by int: longer messages are cut into pieces.
constexpr std::size_t max_piece = std::size_t{1} << 30;

/// Calls body(offset, count) for the pieces of `bytes` bytes.
template <class Body>
void for_pieces(std::size_t bytes, const Body& body) {
  for (std::size_t begin = 0; begin < bytes; begin += max_piece) {
    body(begin, static_cast<int>(std::min(max_piece, bytes - begin)));
  }
}

/// What a rank shows to the other ranks of its node, in memory that they share.
struct RankState {
  std::atomic<int> rank;
  std::atomic<int> process;
  std::atomic<int> said_last_word;  ///< of the node's first rank: whether one has told of a failure
  std::atomic<double> last_seen;    ///< in a wait, by the clock that all processes of a node have
};
static_assert(std::atomic<double>::is_always_lock_free);

/// The ranks of this node; null where there is no shared memory.
RankState* node_states = nullptr;
MPI_Win node_window = MPI_WIN_NULL;

RankState& state_of(int rank_of_node) { return node_states[rank_of_node]; }

void share_state(MPI_Comm node, int rank, int rank_of_node, int size_of_node) {
  const auto ranks = static_cast<std::size_t>(size_of_node);
  const MPI_Aint bytes = rank_of_node == 0 ? static_cast<MPI_Aint>(sizeof(RankState) * ranks) : 0;
  void* memory = nullptr;
  MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
  int failed = MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, node, static_cast<void*>(&memory),
                                       &node_window) == MPI_SUCCESS
                   ? 0
                   : 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, node);
  if (failed != 0) return;
  MPI_Aint size = 0;
  int unit = 1;
  MPI_Win_shared_query(node_window, 0, &size, &unit, static_cast<void*>(&memory));
  node_states = static_cast<RankState*>(memory);
  RankState& own = *new (&state_of(rank_of_node)) RankState;
  own.rank = rank;
  own.process = getpid();
  own.said_last_word = 0;
  own.last_seen = seconds_now();
  MPI_Barrier(node);
}

/// Ranks of this node whose processes do not exist any more. A process cannot be looked up from
/// another container, so those whose own process is not found there do not count.
std::string dead_ranks(int size_of_node, int rank_of_node) {
  std::vector<std::string> dead;
  for (int i = 0; node_states != nullptr && i < size_of_node; ++i) {
    if (i != rank_of_node && kill(state_of(i).process, 0) != 0 && errno == ESRCH) {
      dead.push_back(std::to_string(state_of(i).rank));
    }
  }
  return join(dead, " and ");
}

/// Ranks of this node that have not waited for `seconds`, so that others wait for them.
std::string silent_ranks(int size_of_node, double seconds) {
  std::vector<std::string> silent;
  for (int i = 0; node_states != nullptr && i < size_of_node; ++i) {
    if (seconds_now() - state_of(i).last_seen > seconds) {
      silent.push_back(std::to_string(state_of(i).rank));
    }
  }
  return join(silent, " and ");
}

/// Whether processes of other ranks can be looked up: all see the same process at each number.
bool processes_are_visible = false;

constexpr double endless = 1e300;

/// Calls done() until it is true. Throws RunError after `patience` seconds, or if a rank of the
/// node has died.
template <class Done>
void poll_until(const Done& done, double patience) {
  const Communicator& ranks = world();
  double now = seconds_now();
  double waited = 0;  // without the time in which this process was stopped
  double next_look = 0.1;
  for (int polls = 1; !done(); ++polls) {
    // A wait is short or long: the first milliseconds are polled without a pause. MPI itself yields
    // where a node has more ranks than cores.
    constexpr double short_wait = 0.02;
    if (waited > short_wait) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    } else if (polls % 16 != 0) {
      continue;
    }
    const double before = now;
    now = seconds_now();
    waited += std::min(now - before, 0.5);
    if (node_states != nullptr) state_of(ranks.rank_of_node()).last_seen = now;
    if (waited < next_look) continue;
    next_look = waited + 0.1;
    if (processes_are_visible) {
      const std::string dead = dead_ranks(ranks.size_of_node(), ranks.rank_of_node());
      if (!dead.empty()) {
        ranks.give_up();
        throw RunError("rank " + dead + " on " + own_host() +
                       " has died: it was killed or crashed, perhaps since memory was short");
      }
    }
    if (waited > patience) {
      const std::string silent = silent_ranks(ranks.size_of_node(), 0.5 * patience);
      ranks.give_up();
      throw RunError((silent.empty() ? "another rank" : "rank " + silent + " on " + own_host()) +
                     " has not answered for " + number_text(patience) +
                     " s, the time of parallel.patience, so it hangs or is very slow");
    }
  }
}

/// The same for messages: adds the time to traffic().
template <class Done>
void wait_until(const Done& done, double patience = world().patience()) {
  const double began = seconds_now();
  poll_until(done, patience);
  traffic().seconds += seconds_now() - began;
}

void wait(MPI_Request& request, double patience = world().patience()) {
  wait_until(
      [&] {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
      },
      patience);
}

void broadcast_in_pieces(void* data, std::size_t bytes, int from,
                         double patience = world().patience()) {
  for_pieces(bytes, [&](std::size_t begin, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(static_cast<char*>(data) + begin, count, MPI_BYTE, from, MPI_COMM_WORLD, &request);
    wait(request, patience);
  });
}

#endif

}  // namespace

Communicator& world() {
  static Communicator communicator;
  return communicator;
}

Traffic& traffic() {
  static Traffic of_this_rank;
  return of_this_rank;
}

std::string Communicator::name() const {
  return "rank " + std::to_string(rank_) + " on " + own_host();
}

#ifdef KNUDSEN_MPI

ParallelSession::ParallelSession() {
  if (!was_launched()) return;
  int provided = 0;
  // Threads of the host compute, the main thread alone sends.
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  Communicator& all = world();
  MPI_Comm_rank(MPI_COMM_WORLD, &all.rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &all.size_);
  if (all.size_ == 1) return;
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, all.rank_, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &all.rank_of_node_);
  MPI_Comm_size(node, &all.size_of_node_);
  int first_of_node = all.rank_;
  MPI_Bcast(&first_of_node, 1, MPI_INT, 0, node);
  all.nodes_.resize(static_cast<std::size_t>(all.size_));
  MPI_Allgather(&first_of_node, 1, MPI_INT, all.nodes_.data(), 1, MPI_INT, MPI_COMM_WORLD);
  share_state(node, all.rank_, all.rank_of_node_, all.size_of_node_);
  if (node_states != nullptr) {
    int visible = dead_ranks(all.size_of_node_, all.rank_of_node_).empty() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &visible, 1, MPI_INT, MPI_MIN, node);
    processes_are_visible = visible != 0;
  }
  MPI_Comm_free(&node);
}

ParallelSession::~ParallelSession() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised == 0) return;
  node_states = nullptr;
  if (node_window != MPI_WIN_NULL) MPI_Win_free(&node_window);
  MPI_Finalize();
}

bool Communicator::knows_cuda() const {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return size_ > 1 && MPIX_Query_cuda_support() != 0;
#else
  return false;
#endif
}

void Communicator::wait_for(const std::function<bool()>& done) const {
  poll_until(done, patience_);
}

void Communicator::barrier() const {
  if (size_ == 1) return;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  wait(request);
}

void Communicator::hear(void* data, std::size_t bytes) const {
  if (size_ > 1) broadcast_in_pieces(data, bytes, 0, endless);
}

void Communicator::broadcast(void* data, std::size_t bytes, int from) const {
  if (size_ == 1) return;
  if (rank_ == from) traffic().bytes += static_cast<std::int64_t>(bytes) * (size_ - 1);
  broadcast_in_pieces(data, bytes, from);
}

std::vector<std::uint64_t> Communicator::all_sizes(std::uint64_t own) const {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD, &request);
  wait(request);
  return sizes;
}

void Communicator::gather(const void* own, const std::vector<std::uint64_t>& bytes,
                          void* all) const {
  constexpr int tag = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (!is_first()) {
    traffic().bytes += static_cast<std::int64_t>(bytes[static_cast<std::size_t>(rank_)]);
    for_pieces(bytes[static_cast<std::size_t>(rank_)], [&](std::size_t begin, int count) {
      MPI_Isend(static_cast<const char*>(own) + begin, count, MPI_BYTE, 0, tag, MPI_COMM_WORLD,
                &request);
      wait(request);
    });
    return;
  }
  char* to = std::copy_n(static_cast<const char*>(own), bytes[0], static_cast<char*>(all));
  for (int from = 1; from < size_; ++from) {
    const std::uint64_t size = bytes[static_cast<std::size_t>(from)];
    for_pieces(size, [&](std::size_t begin, int count) {
      MPI_Irecv(to + begin, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
      wait(request);
    });
    to += size;
  }
}

void Communicator::sum(std::vector<std::uint64_t>& numbers) const {
  if (size_ == 1) return;
  constexpr std::size_t values = max_piece / sizeof(std::uint64_t);
  for (std::size_t begin = 0; begin < numbers.size(); begin += values) {
    const auto count = static_cast<int>(std::min(values, numbers.size() - begin));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, numbers.data() + begin, count, MPI_UINT64_T, MPI_SUM,
                   MPI_COMM_WORLD, &request);
    wait(request);
  }
}

bool Communicator::all(bool each) const {
  if (size_ == 1) return each;
  int result = each ? 1 : 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request);
  wait(request);
  return result != 0;
}

void Communicator::abort(int exit_code) const {
  if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

bool Communicator::has_last_word() const {
  // Ranks that fail for the same reason do so at about the same time. Ranks of other nodes do not
  // see who has spoken, so they wait to be ended.
  const double seconds =
      (is_first() ? 0 : 0.2) + (node() == 0 ? 0 : std::min(1 + 0.1 * node(), 3.0));
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  if (node_states == nullptr || state_of(0).said_last_word.exchange(1) == 0) return true;
  std::this_thread::sleep_for(std::chrono::seconds(5));
  return false;
}

bool may_speak_of_signal() {
  return world().is_first() && (node_states == nullptr || state_of(0).said_last_word == 0);
}

struct Messages::Implementation {
  std::vector<MPI_Request> requests;
  ~Implementation() {
    for (MPI_Request& request : requests) MPI_Request_free(&request);
  }
};

void Messages::add_send(int to, int tag, const void* data, std::size_t bytes) {
  for_pieces(bytes, [&](std::size_t begin, int count) {
    MPI_Send_init(static_cast<const char*>(data) + begin, count, MPI_BYTE, to, tag, MPI_COMM_WORLD,
                  &implementation_->requests.emplace_back());
  });
  ++sends_;
  bytes_ += static_cast<std::int64_t>(bytes);
}

void Messages::add_receive(int from, int tag, void* data, std::size_t bytes) {
  for_pieces(bytes, [&](std::size_t begin, int count) {
    MPI_Recv_init(static_cast<char*>(data) + begin, count, MPI_BYTE, from, tag, MPI_COMM_WORLD,
                  &implementation_->requests.emplace_back());
  });
  ++receives_;
}

void Messages::begin() {
  auto& requests = implementation_->requests;
  if (requests.empty()) return;
  traffic().bytes += bytes_;
  traffic().messages += sends_;
  MPI_Startall(static_cast<int>(requests.size()), requests.data());
}

void Messages::end(const std::function<bool()>& is_hidden) {
  auto& requests = implementation_->requests;
  if (requests.empty()) return;
  const auto all_done = [&] {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  };
  bool done = false;
  if (is_hidden) {
    poll_until(
        [&] {
          done = all_done();
          return done || !is_hidden();
        },
        world().patience());
  }
  if (!done) wait_until(all_done);
}

#else

ParallelSession::ParallelSession() {
  if (!was_launched()) return;
  for (const char* name : launchers) {
    const char* const size = std::getenv(name);
    if (size == nullptr || std::string(size) == "1") continue;
    // One of them says so: launchers number processes by one of these variables.
    for (const char* number : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
      const char* const rank = std::getenv(number);
      if (rank == nullptr) continue;
      world().rank_ = std::atoi(rank);
      break;
    }
    throw InputError(std::string(size) +
                     " processes were launched, but this program was built without MPI; build it "
                     "with -DKNUDSEN_MPI=ON or launch one process");
  }
}
ParallelSession::~ParallelSession() = default;
bool Communicator::knows_cuda() const { return false; }
void Communicator::wait_for(const std::function<bool()>& done) const {
  while (!done()) {
  }
}
void Communicator::barrier() const {}
void Communicator::hear(void* /*data*/, std::size_t /*bytes*/) const {}
void Communicator::broadcast(void* /*data*/, std::size_t /*bytes*/, int /*from*/) const {}
std::vector<std::uint64_t> Communicator::all_sizes(std::uint64_t own) const { return {own}; }
void Communicator::gather(const void* /*own*/, const std::vector<std::uint64_t>& /*bytes*/,
                          void* /*all*/) const {}
void Communicator::sum(std::vector<std::uint64_t>& /*numbers*/) const {}
bool Communicator::all(bool each) const { return each; }
void Communicator::abort(int exit_code) const { std::_Exit(exit_code); }
bool Communicator::has_last_word() const { return is_first(); }
bool may_speak_of_signal() { return true; }
struct Messages::Implementation {};
void Messages::add_send(int, int, const void*, std::size_t) {}
void Messages::add_receive(int, int, void*, std::size_t) {}
void Messages::begin() {}
void Messages::end(const std::function<bool()>& /*is_hidden*/) {}

#endif

void Communicator::broadcast(std::string& text, int from) const {
  std::uint64_t size = text.size();
  broadcast(size, from);
  text.resize(size);
  broadcast(static_cast<void*>(text.data()), size, from);
}

Messages::Messages() : implementation_(std::make_unique<Implementation>()) {}
Messages::~Messages() = default;
Messages::Messages(Messages&&) noexcept = default;
Messages& Messages::operator=(Messages&&) noexcept = default;

}  // namespace knudsen
