#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "output/own_file.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// The kind of file that a run of this case may write under a name in its output directory; empty
/// if it never writes that name.
std::optional<FileKind> output_kind(const ResolvedCase& resolved, const std::string& name);

/// The longest file name that a run of this case may write.
std::size_t longest_output_name(const ResolvedCase& resolved);

/// The checkpoint from which a run continues.
struct RestartFile {
  std::filesystem::path path;
  std::int64_t step = 0;
};

/// Throws InputError if a run of this case would replace one of its own inputs or a file that is no
/// result of this program, or if it would continue the series of another case. `case_is_own` says
/// that a case.json without results beside it was left by a run that was killed.
void protect_files(const std::filesystem::path& directory, const ResolvedCase& resolved,
                   const std::optional<RestartFile>& restart, bool case_is_own);

/// Deletes the temporary files of runs that were killed. For the holder of the directory's lock.
void sweep_temporary_files(const std::filesystem::path& directory, const ResolvedCase& resolved);

}  // namespace knudsen
