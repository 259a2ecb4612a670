#include "run/checkpoints.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "output/own_file.hpp"

namespace knudsen {
namespace {

constexpr const char* stem = "checkpoint_";
constexpr const char* extension = ".h5";
constexpr const char* checked_key = "run.checked_monitors";
constexpr const char* physics_key = "run.case";
/// Bytes of a case that a checkpoint holds at most: an attribute of HDF5 has less than 64 KiB.
constexpr std::size_t max_physics = 60000;
/// Keys that a message names at most.
constexpr std::size_t max_named_keys = 3;
/// Characters of a value in that message.
constexpr std::size_t longest_value = 60;

/// All checkpoints in a directory, sorted by name.
std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const auto& path = entry->path();
    std::error_code unreadable;  // such as a link to a file that does not exist
    if (path.filename().string().starts_with(stem) && path.extension() == extension &&
        std::filesystem::is_regular_file(path, unreadable)) {
      files.push_back(path);
    }
  }
  if (error) throw InputError(directory.string() + ": cannot be read: " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

/// The most recently written checkpoint. It need not have the highest step, since the directory may
/// still hold checkpoints of an earlier, longer run.
std::filesystem::path newest_checkpoint(const std::filesystem::path& directory) {
  const auto files = list_checkpoints(directory);
  if (files.empty()) {
    throw InputError(directory.string() + ": holds no checkpoint (" + stem + "<step>" + extension +
                     ")");
  }
  const auto written = [](const std::filesystem::path& file) {
    std::error_code deleted;  // then it counts as the oldest
    return std::filesystem::last_write_time(file, deleted);
  };
  return *std::max_element(files.begin(), files.end(),
                           [&](const auto& a, const auto& b) { return written(a) < written(b); });
}

/// "boundaries.west.velocity[0]" for "/boundaries/west/velocity/0".
std::string key_path(const std::string& pointer) {
  std::string path;
  nlohmann::json::json_pointer left(pointer);
  std::vector<std::string> parts;
  for (; !left.empty(); left.pop_back()) parts.push_back(left.back());
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const bool index = part->find_first_not_of("0123456789") == std::string::npos;
    path += index ? '[' + *part + ']' : (path.empty() ? "" : ".") + *part;
  }
  return path;
}

/// How the case of a checkpoint differs from one that is to continue it: the first keys with both
/// values. The digests where the checkpoint does not hold its case.
std::string difference(const CheckpointReader& reader, const CaseIdentity& identity) {
  const std::string digests =
      "digest " + reader.case_digest() + ", this case has " + identity.digest;
  if (!reader.has_text(physics_key) || identity.physics.empty()) return digests;
  const auto parsed = [](const std::string& text) {
    return nlohmann::json::parse(text, nullptr, false);
  };
  const nlohmann::json stored = parsed(reader.text(physics_key));
  if (!stored.is_object()) return digests;  // a damaged file
  const nlohmann::json before = stored.flatten();
  const nlohmann::json now = parsed(identity.physics).flatten();
  std::set<std::string> keys;
  for (const nlohmann::json* each : {&before, &now}) {
    for (const auto& [key, value] : each->items()) {
      if (!before.contains(key) || !now.contains(key) || before[key] != now[key]) keys.insert(key);
    }
  }
  if (keys.empty()) return "its keys are the same, but a table has another content";
  std::vector<std::string> named;
  for (const std::string& key : keys) {
    if (named.size() == max_named_keys) {
      named.push_back("and " + std::to_string(keys.size() - max_named_keys) + " more");
      break;
    }
    const auto value = [&](const nlohmann::json& all) {
      if (!all.contains(key)) return std::string("nothing");
      std::string text = all[key].dump();
      if (text.size() > longest_value) text = text.substr(0, longest_value) + "...";
      return text;
    };
    named.push_back(one_line(key_path(key) + " is " + value(now) + " and was " + value(before)));
  }
  return join(named, ", ");
}

}  // namespace

std::string step_text(std::int64_t step) {
  char text[32];
  std::snprintf(text, sizeof text, "%09lld", static_cast<long long>(step));
  return text;
}

std::string checkpoint_name(std::int64_t step) { return stem + step_text(step) + extension; }

std::unique_ptr<CheckpointReader> open_checkpoint(const std::filesystem::path& file_or_directory,
                                                  const std::string& method,
                                                  const CaseIdentity& identity) {
  std::error_code error;
  const bool directory = std::filesystem::is_directory(file_or_directory, error);
  auto reader = std::make_unique<CheckpointReader>(directory ? newest_checkpoint(file_or_directory)
                                                             : file_or_directory);
  const std::string shown = reader->path().string();
  if (reader->method() != method) {
    throw InputError(shown + ": belongs to the method " + quote(reader->method()) +
                     ", the case to " + quote(method));
  }
  if (reader->case_digest() != identity.digest) {
    throw InputError(
        shown + ": belongs to another case (" + difference(*reader, identity) +
        "); only stop, output, checkpoint, parallel, tuning and title may differ; the content of "
        "tables (CSV files) must be the same, too");
  }
  return reader;
}

RunMemory load_checkpoint(const CheckpointReader& reader, Method& method) {
  method.load(reader);
  const auto checked = nlohmann::json::parse(reader.text(checked_key));
  return {reader.step(), checked.get<std::map<std::string, double>>()};
}

void write_checkpoint(const std::filesystem::path& file, const std::string& method_name,
                      const CaseIdentity& identity, Method& method, const RunMemory& memory,
                      const Statistics* statistics) {
  nlohmann::json checked = nlohmann::json::object();
  for (const auto& [name, value] : memory.checked) {
    // JSON has no infinities. A criterion that compares with one cannot hold, so nothing is lost.
    if (std::isfinite(value)) checked[name] = value;
  }
  CheckpointWriter writer(file, method_name, identity.digest, memory.step);
  if (identity.physics.size() <= max_physics) writer.text(physics_key, identity.physics);
  writer.text(checked_key, checked.dump());
  method.save(writer);
  if (statistics != nullptr) statistics->save(writer, method);
  writer.commit();
}

Checkpoints::Checkpoints(std::filesystem::path directory, std::string method, CaseIdentity identity,
                         std::int64_t keep)
    : directory_(std::move(directory)),
      method_(std::move(method)),
      identity_(std::move(identity)),
      keep_(static_cast<std::size_t>(keep)) {}

void Checkpoints::adopt(std::int64_t step, const std::filesystem::path& restart) {
  restart_ = restart;
  for (const auto& path : list_checkpoints(directory_)) {
    try {
      if (open_checkpoint(path, method_, identity_)->step() <= step) files_.push_back(path);
    } catch (const InputError&) {
      // Damaged, or of another case: this run must not delete it.
    }
  }
}

std::filesystem::path Checkpoints::write(Method& method, const RunMemory& memory,
                                         const Statistics* statistics) {
  const auto path = directory_ / checkpoint_name(memory.step);
  // The checkpoint that was read is not replaced: it has this state already.
  if (is_one_of(path, {restart_})) return path;
  write_checkpoint(path, method_, identity_, method, memory, statistics);

  std::erase(files_, path);
  files_.push_back(path);
  for (; files_.size() > keep_; files_.pop_front()) {
    std::error_code ignored;
    std::filesystem::remove(files_.front(), ignored);
  }
  return path;
}

}  // namespace knudsen
