#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace knudsen {

/// The kinds of files that the program writes.
enum class FileKind {
  resolved_case,
  series,
  profile,
  timing_report,
  fields,
  picture,
  checkpoint,
  distributions,
  probes,
  spectrum,
  comparison
};

/// Whether the content of a file is of this kind, as the program writes it. A case must also have
/// another result beside it, since users write cases too.
bool is_own_file(const std::filesystem::path& path, FileKind kind);

/// Whether a JSON file is laid out as the program does it: sorted keys, two spaces, a newline.
bool is_printed_json(const std::filesystem::path& path);

/// Whether the path names one of these files, perhaps by another path or a link.
bool is_one_of(const std::filesystem::path& path, const std::vector<std::filesystem::path>& files);

/// Throws InputError if `path` exists and must not be replaced: because it is one of the `inputs`
/// of this command, or because it is not a file of this kind that the program wrote.
/// `way_out` ends the message: "choose another --output".
void require_replaceable(const std::filesystem::path& path, FileKind kind,
                         const std::vector<std::filesystem::path>& inputs, const char* way_out);

/// The content of a JSON file; nothing if it is not one, or too large or too deeply nested for a
/// case.
std::optional<nlohmann::json> read_small_json(const std::filesystem::path& path);

}  // namespace knudsen
