#include "parallel/communicator.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/error.hpp"
#include "core/text.hpp"

#ifdef KNUDSEN_MPI
#include <mpi.h>
#endif

namespace knudsen {
namespace {

/// Variables that launchers set in the environment of each rank.
bool was_launched() {
  constexpr std::array names{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"};
  return std::any_of(names.begin(), names.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

#ifdef KNUDSEN_MPI
/// MPI counts by int: longer messages are cut into pieces.
constexpr std::size_t max_piece = std::size_t{1} << 30;

/// Calls body(offset, count) for the pieces of `bytes` bytes.
template <class Body>
void for_pieces(std::size_t bytes, const Body& body) {
  for (std::size_t begin = 0; begin < bytes; begin += max_piece) {
    body(begin, static_cast<int>(std::min(max_piece, bytes - begin)));
  }
}

template <class Value>
Value reduced(Value value, MPI_Datatype type, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, operation, MPI_COMM_WORLD);
  return value;
}
#endif

}  // namespace

Communicator& world() {
  static Communicator communicator;
  return communicator;
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
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, all.rank_, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &all.rank_of_node_);
  MPI_Comm_size(node, &all.size_of_node_);
  MPI_Comm_free(&node);
}

ParallelSession::~ParallelSession() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised != 0) MPI_Finalize();
}

void Communicator::barrier() const {
  if (size_ > 1) MPI_Barrier(MPI_COMM_WORLD);
}

void Communicator::broadcast(void* data, std::size_t bytes, int from) const {
  if (size_ == 1) return;
  for_pieces(bytes, [&](std::size_t begin, int count) {
    MPI_Bcast(static_cast<char*>(data) + begin, count, MPI_BYTE, from, MPI_COMM_WORLD);
  });
}

std::vector<std::uint64_t> Communicator::all_sizes(std::uint64_t own) const {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
  MPI_Allgather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  return sizes;
}

void Communicator::gather(const void* own, const std::vector<std::uint64_t>& bytes,
                          void* all) const {
  constexpr int tag = 0;
  if (!is_first()) {
    for_pieces(bytes[static_cast<std::size_t>(rank_)], [&](std::size_t begin, int count) {
      MPI_Send(static_cast<const char*>(own) + begin, count, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
    });
    return;
  }
  char* to = std::copy_n(static_cast<const char*>(own), bytes[0], static_cast<char*>(all));
  for (int from = 1; from < size_; ++from) {
    const std::uint64_t size = bytes[static_cast<std::size_t>(from)];
    for_pieces(size, [&](std::size_t begin, int count) {
      MPI_Recv(to + begin, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    to += size;
  }
}

std::int64_t Communicator::sum(std::int64_t value) const {
  return size_ == 1 ? value : reduced(value, MPI_INT64_T, MPI_SUM);
}
std::int64_t Communicator::min(std::int64_t value) const {
  return size_ == 1 ? value : reduced(value, MPI_INT64_T, MPI_MIN);
}
double Communicator::max(double value) const {
  return size_ == 1 ? value : reduced(value, MPI_DOUBLE, MPI_MAX);
}

void Communicator::abort(int exit_code) const {
  if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
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
}

void Messages::add_receive(int from, int tag, void* data, std::size_t bytes) {
  for_pieces(bytes, [&](std::size_t begin, int count) {
    MPI_Recv_init(static_cast<char*>(data) + begin, count, MPI_BYTE, from, tag, MPI_COMM_WORLD,
                  &implementation_->requests.emplace_back());
  });
}

void Messages::begin() {
  auto& requests = implementation_->requests;
  MPI_Startall(static_cast<int>(requests.size()), requests.data());
}

void Messages::end() {
  auto& requests = implementation_->requests;
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

#else

ParallelSession::ParallelSession() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const size = was_launched() ? std::getenv(name) : nullptr;
    if (size != nullptr && std::string(size) != "1") {
      throw InputError(std::string(size) +
                       " processes were launched, but this program was built without MPI; build it "
                       "with -DKNUDSEN_MPI=ON or launch one process");
    }
  }
}
ParallelSession::~ParallelSession() = default;
void Communicator::barrier() const {}
void Communicator::broadcast(void* /*data*/, std::size_t /*bytes*/, int /*from*/) const {}
std::vector<std::uint64_t> Communicator::all_sizes(std::uint64_t own) const { return {own}; }
void Communicator::gather(const void* /*own*/, const std::vector<std::uint64_t>& /*bytes*/,
                          void* /*all*/) const {}
std::int64_t Communicator::sum(std::int64_t value) const { return value; }
std::int64_t Communicator::min(std::int64_t value) const { return value; }
double Communicator::max(double value) const { return value; }
void Communicator::abort(int exit_code) const { std::_Exit(exit_code); }
struct Messages::Implementation {};
void Messages::add_send(int, int, const void*, std::size_t) {}
void Messages::add_receive(int, int, void*, std::size_t) {}
void Messages::begin() {}
void Messages::end() {}

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
