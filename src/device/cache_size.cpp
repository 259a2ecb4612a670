#include "device/cache_size.hpp"

#include <fstream>
#include <set>
#include <string>
#include <utility>

namespace knudsen {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// Bytes of a size like "32768K"; 0 for anything else.
std::uint64_t bytes_of(const std::string& size) {
  std::uint64_t value = 0;
  std::size_t i = 0;
  for (; i < size.size() && size[i] >= '0' && size[i] <= '9' && i < 12; ++i) {
    value = 10 * value + static_cast<std::uint64_t>(size[i] - '0');
  }
  const std::string unit = size.substr(i);
  if (unit == "K") return value << 10U;
  if (unit == "M") return value << 20U;
  return unit.empty() ? value : 0;
}

}  // namespace

std::uint64_t data_cache_bytes(const fs::path& root) {
  std::uint64_t total = 0;
  std::set<std::pair<std::string, std::string>> counted;  // level, processors that share the cache
  std::error_code none;
  for (const auto& processor : fs::directory_iterator(root / "sys/devices/system/cpu", none)) {
    for (const auto& cache : fs::directory_iterator(processor.path() / "cache", none)) {
      const fs::path& directory = cache.path();
      const std::string type = first_line(directory / "type");
      if (type != "Data" && type != "Unified") continue;
      const std::string level = first_line(directory / "level");
      const std::string sharers = first_line(directory / "shared_cpu_list");
      if (!counted.emplace(level, sharers).second) continue;
      total += bytes_of(first_line(directory / "size"));
    }
  }
  return total;
}

}  // namespace knudsen
