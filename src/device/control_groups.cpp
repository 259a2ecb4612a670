#include "device/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace knudsen {
namespace {

namespace fs = std::filesystem;

std::optional<double> to_number(const std::string& text) {
  std::istringstream stream(text);
  double value = 0;
  if (!(stream >> value)) return {};  // "max"
  return value;
}

/// The words of a short file.
std::vector<std::string> words_of(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<double> number_in(const fs::path& file) {
  const auto words = words_of(file);
  return words.empty() ? std::nullopt : to_number(words[0]);
}

/// A file of lines "key value".
std::map<std::string, double> table_in(const fs::path& file) {
  const auto words = words_of(file);
  std::map<std::string, double> table;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    table[words[i]] = to_number(words[i + 1]).value_or(0);
  }
  return table;
}

/// The directories of a group and of those above it, below the mount point. In a container the
/// group's path may be that of the host, which does not exist; then only the mount point counts.
std::vector<fs::path> with_parents(const fs::path& mount, const std::string& group) {
  std::vector<fs::path> found;
  for (fs::path path = fs::path(group).relative_path();; path = path.parent_path()) {
    std::error_code error;
    const fs::path directory = path.empty() ? mount : mount / path;
    if (fs::is_directory(directory, error)) found.push_back(directory);
    if (path.empty()) return found;
  }
}

template <class Value>
void lower(std::optional<Value>& limit, double value) {
  const auto converted = static_cast<Value>(std::max(value, 0.0));
  limit = limit ? std::min(*limit, converted) : converted;
}

void read_cores(ControlGroupLimits& limits, const fs::path& group, bool version_2) {
  std::optional<double> quota;
  std::optional<double> period;
  if (version_2) {
    const auto words = words_of(group / "cpu.max");
    if (words.size() != 2) return;
    quota = to_number(words[0]);
    period = to_number(words[1]);
  } else {
    quota = number_in(group / "cpu.cfs_quota_us");
    period = number_in(group / "cpu.cfs_period_us");
  }
  if (quota && period && *quota > 0 && *period > 0) lower(limits.cores, *quota / *period);
}

void read_memory(ControlGroupLimits& limits, const fs::path& group, bool version_2) {
  // Version 1 says "no limit" by a number that no machine has.
  constexpr double no_limit = 0x1p60;
  const auto limit = number_in(group / (version_2 ? "memory.max" : "memory.limit_in_bytes"));
  const auto used = number_in(group / (version_2 ? "memory.current" : "memory.usage_in_bytes"));
  if (!limit || !used || *limit >= no_limit) return;
  auto table = table_in(group / "memory.stat");
  const std::string prefix = version_2 ? "" : "total_";
  const double cached = table[prefix + "active_file"] + table[prefix + "inactive_file"];
  lower(limits.memory_total, *limit);
  lower(limits.memory_free, *limit - std::max(*used - cached, 0.0));
}

}  // namespace

ControlGroupLimits control_group_limits(const fs::path& root) {
  ControlGroupLimits limits;
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream stream(root / "proc/self/cgroup");
  // Lines "number:controllers:path"; version 2 has the number 0 and no controllers.
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    const auto has = [&](const std::string& name) {
      return (',' + controllers + ',').find(',' + name + ',') != std::string::npos;
    };
    if (controllers.empty()) {
      for (const char* mount : {"", "unified"}) {
        for (const fs::path& each : with_parents(mounts / mount, group)) {
          read_cores(limits, each, true);
          read_memory(limits, each, true);
        }
      }
      continue;
    }
    if (!has("cpu") && !has("memory")) continue;
    const std::vector<std::string> names{controllers, has("cpu") ? "cpu" : "memory"};
    for (const std::string& mount : names) {
      for (const fs::path& each : with_parents(mounts / mount, group)) {
        if (has("cpu")) read_cores(limits, each, false);
        if (has("memory")) read_memory(limits, each, false);
      }
    }
  }
  return limits;
}

}  // namespace knudsen
