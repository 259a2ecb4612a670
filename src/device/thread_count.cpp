#include "device/thread_count.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <future>
#include <thread>

#include "core/error.hpp"
#include "core/text.hpp"

namespace knudsen {
namespace {

/// The first number of a list such as "4" or "4,2", in which OpenMP has one for each level.
int read_threads(const std::string& name, const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  int threads = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data() + begin, end, threads);
  const bool whole = result.ptr == end || *result.ptr == ',' || *result.ptr == ' ';
  if (result.ec != std::errc() || !whole || threads < 1) {
    throw InputError("environment variable " + name + ": found " + quote(text) +
                     ", must be a number of threads from 1 to " + std::to_string(max_host_threads));
  }
  return threads;
}

}  // namespace

int choose_threads(int asked, const ThreadLimits& limits) {
  std::string source = "--threads";
  int threads = asked;
  if (threads == 0 && limits.kokkos) {
    source = "environment variable KOKKOS_NUM_THREADS";
    threads = read_threads("KOKKOS_NUM_THREADS", *limits.kokkos);
  }
  if (threads == 0 && limits.openmp) {
    source = "environment variable OMP_NUM_THREADS";
    threads = read_threads("OMP_NUM_THREADS", *limits.openmp);
  }
  if (threads == 0) {
    const int paid =
        limits.quota ? static_cast<int>(std::ceil(std::min(*limits.quota, 1e6))) : max_host_threads;
    threads = std::min({limits.cores, paid, limits.thread_limit, max_host_threads});
    return std::max(threads, 1);
  }
  const std::string found = source + ": found " + std::to_string(threads) + " threads, must be ";
  if (threads > max_host_threads) {
    throw InputError(found + "at most " + std::to_string(max_host_threads));
  }
  if (threads > limits.thread_limit) {
    throw InputError(found + "at most " + std::to_string(limits.thread_limit) +
                     ", the environment variable OMP_THREAD_LIMIT");
  }
  return threads;
}

void require_threads(int threads) {
  std::promise<void> all_started;
  const std::shared_future<void> release = all_started.get_future().share();
  std::vector<std::thread> started;
  started.reserve(static_cast<std::size_t>(threads));
  std::string refusal;
  try {
    while (static_cast<int>(started.size()) < threads - 1) {
      started.emplace_back([release] { release.wait(); });
    }
  } catch (const std::exception& error) {
    refusal = error.what();
  }
  all_started.set_value();
  for (std::thread& thread : started) thread.join();
  if (refusal.empty()) return;
  throw InputError(
      "the system refuses to start " + std::to_string(threads) + " threads after " +
      std::to_string(started.size() + 1) + " of them (" + refusal +
      "); use --threads with fewer, or raise the limit of processes (`ulimit -u`, or pids.max of "
      "the control group) or of memory (`ulimit -v`)");
}

std::string core_list(const std::vector<int>& cores) {
  std::string text;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < cores.size() && cores[i + 1] == cores[i] + 1) ++i;
    if (!text.empty()) text += ',';
    text += std::to_string(cores[first]);
    if (i == first) continue;
    text += '-';
    text += std::to_string(cores[i]);
  }
  return text;
}

}  // namespace knudsen
