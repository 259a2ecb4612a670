#include "output/own_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "core/json_text.hpp"
#include "output/hdf5_handle.hpp"

namespace knudsen {
namespace {

namespace fs = std::filesystem;

/// The first bytes of a file, fewer if it is shorter.
std::string read_start(const fs::path& path, std::size_t bytes) {
  std::ifstream stream(path, std::ios::binary);
  std::string start(bytes, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(bytes));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return start;
}

/// The text of a file; nothing if it is larger than any case or report.
std::optional<std::string> read_small_text(const fs::path& path) {
  constexpr std::uintmax_t largest = 64 << 20;
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error || size > largest) return {};
  return read_start(path, size);
}

std::optional<nlohmann::json> parsed(const std::string& text) {
  try {
    return parse_json(text, "");
  } catch (const InputError&) {
    return {};
  }
}

bool has_result_beside(const fs::path& path) {
  const fs::path directory = path.has_parent_path() ? path.parent_path() : ".";
  if (is_own_file(directory / "timing.json", FileKind::timing_report)) return true;
  if (is_own_file(directory / "series.csv", FileKind::series)) return true;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto extension = entry->path().extension();
    if ((extension == ".vtkhdf" && is_own_file(entry->path(), FileKind::fields)) ||
        (extension == ".h5" && is_own_file(entry->path(), FileKind::checkpoint)) ||
        (extension == ".csv" && is_own_file(entry->path(), FileKind::profile))) {
      return true;
    }
  }
  return false;
}

bool is_profile(const fs::path& path) {
  const std::string start = read_start(path, 4096);
  const std::size_t end = start.find('\n');
  return start.starts_with("# ") && end != std::string::npos &&
         start.substr(0, end).find(" of the domain; positions in units of ") != std::string::npos &&
         start.compare(end + 1, 9, "position,") == 0;
}

/// Whether a file is PNG with three 8-bit colours and no interlacing, as all our pictures.
bool is_picture(const fs::path& path) {
  const std::string start = read_start(path, 29);
  return start.size() == 29 && start.starts_with("\x89PNG\r\n\x1a\n") && start[24] == 8 &&
         start[25] == 2 && start[28] == 0;
}

/// Whether `test` holds for an HDF5 file.
template <class Test>
bool is_hdf5(const fs::path& path, const Test& test) {
  if (read_start(path, 8) != "\x89HDF\r\n\x1a\n") return false;
  try {
    const hdf5::File file(path, path, hdf5::File::Mode::read);
    return test(file);
  } catch (const std::exception&) {
    return false;  // damaged, so it is not known whose it was
  }
}

bool has_link(const hdf5::File& file, const std::string& name) {
  const auto names = file.link_names(file.id());
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether the attribute "format" of an HDF5 file begins so.
bool has_format(const fs::path& path, const std::string& begin) {
  return is_hdf5(path, [&](const hdf5::File& file) {
    return file.has_attribute(file.id(), "format") &&
           file.read_text(file.id(), "format").starts_with(begin);
  });
}

}  // namespace

std::optional<nlohmann::json> read_small_json(const fs::path& path) {
  const auto text = read_small_text(path);
  return text ? parsed(*text) : std::nullopt;
}

bool is_printed_json(const fs::path& path) {
  const auto text = read_small_text(path);
  const auto json = text ? parsed(*text) : std::nullopt;
  return json && json->is_object() && json->dump(2) + '\n' == *text;
}

bool is_own_file(const fs::path& path, FileKind kind) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  switch (kind) {
    case FileKind::resolved_case:
      return is_printed_json(path) && has_result_beside(path);
    case FileKind::series:
      return read_start(path, 64).starts_with("# units: step=1");
    case FileKind::profile:
      return is_profile(path);
    case FileKind::timing_report:
      return read_start(path, 64).starts_with("{\n  \"format\": \"knudsen-timing-");
    case FileKind::fields:
      return is_hdf5(path, [](const hdf5::File& file) {
        return has_link(file, "knudsen") && has_link(file, "VTKHDF");
      });
    case FileKind::picture:
      return is_picture(path);
    case FileKind::checkpoint:
      return has_format(path, "knudsen-checkpoint-");
    case FileKind::probes:
      return has_format(path, "knudsen-probes-");
    case FileKind::spectrum:
      return read_start(path, 64).starts_with("# power spectral density at probe ");
    case FileKind::distributions:
      return is_hdf5(path, [](const hdf5::File& file) { return has_link(file, "probe_0"); });
    case FileKind::comparison: {
      const std::string start = read_start(path, 1024);
      return start.starts_with("<!DOCTYPE html>") &&
             start.find("<title>Comparison: ") != std::string::npos;
    }
  }
  return false;
}

bool is_one_of(const fs::path& path, const std::vector<fs::path>& files) {
  return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
    std::error_code error;
    return fs::equivalent(path, file, error) && !error;
  });
}

void require_replaceable(const fs::path& path, FileKind kind, const std::vector<fs::path>& inputs,
                         const char* way_out) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return;
  if (is_one_of(path, inputs)) {
    throw InputError(path.string() + ": is read by this command, which would replace it; " +
                     way_out);
  }
  if (is_own_file(path, kind)) return;
  throw InputError(path.string() +
                   ": exists and was not written by knudsen as a result, so it is not replaced; "
                   "move it away or " +
                   way_out);
}

}  // namespace knudsen
