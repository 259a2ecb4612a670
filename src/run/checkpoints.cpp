#include "run/checkpoints.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
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

}  // namespace

std::string step_text(std::int64_t step) {
  char text[32];
  std::snprintf(text, sizeof text, "%09lld", static_cast<long long>(step));
  return text;
}

std::string checkpoint_name(std::int64_t step) { return stem + step_text(step) + extension; }

std::unique_ptr<CheckpointReader> open_checkpoint(const std::filesystem::path& file_or_directory,
                                                  const std::string& method,
                                                  const std::string& case_digest) {
  std::error_code error;
  const bool directory = std::filesystem::is_directory(file_or_directory, error);
  auto reader = std::make_unique<CheckpointReader>(directory ? newest_checkpoint(file_or_directory)
                                                             : file_or_directory);
  const std::string shown = reader->path().string();
  if (reader->method() != method) {
    throw InputError(shown + ": belongs to the method " + quote(reader->method()) +
                     ", the case to " + quote(method));
  }
  if (reader->case_digest() != case_digest) {
    throw InputError(
        shown + ": belongs to another case (digest " + reader->case_digest() + ", this case has " +
        case_digest +
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
                      const std::string& case_digest, Method& method, const RunMemory& memory,
                      const Statistics* statistics) {
  nlohmann::json checked = nlohmann::json::object();
  for (const auto& [name, value] : memory.checked) {
    // JSON has no infinities. A criterion that compares with one cannot hold, so nothing is lost.
    if (std::isfinite(value)) checked[name] = value;
  }
  CheckpointWriter writer(file, method_name, case_digest, memory.step);
  writer.text(checked_key, checked.dump());
  method.save(writer);
  if (statistics != nullptr) statistics->save(writer, method);
  writer.commit();
}

Checkpoints::Checkpoints(std::filesystem::path directory, std::string method,
                         std::string case_digest, std::int64_t keep)
    : directory_(std::move(directory)),
      method_(std::move(method)),
      case_digest_(std::move(case_digest)),
      keep_(static_cast<std::size_t>(keep)) {}

void Checkpoints::adopt(std::int64_t step, const std::filesystem::path& restart) {
  restart_ = restart;
  for (const auto& path : list_checkpoints(directory_)) {
    try {
      if (open_checkpoint(path, method_, case_digest_)->step() <= step) files_.push_back(path);
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
  write_checkpoint(path, method_, case_digest_, method, memory, statistics);

  std::erase(files_, path);
  files_.push_back(path);
  for (; files_.size() > keep_; files_.pop_front()) {
    std::error_code ignored;
    std::filesystem::remove(files_.front(), ignored);
  }
  return path;
}

}  // namespace knudsen
