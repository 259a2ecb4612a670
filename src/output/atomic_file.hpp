#pragma once

#include <filesystem>
#include <string>

namespace knudsen {

/// A file that appears complete or not at all: write to `temporary()`; `commit()` then syncs it to
/// disk and renames it to `path`. Without `commit` the destructor removes the temporary file. That
/// is in the same directory and has the process number in its name, so that two runs do not
/// collide.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Throws RunError that names the file and the system's reason.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

/// Writes a file by AtomicFile. Throws RunError that names the file and the system's reason.
void write_file(const std::filesystem::path& path, const std::string& content);

/// Creates `directory` if it is missing and checks that files with names of `name_length` bytes can
/// be created in it by AtomicFile, and that the file system has `bytes_needed` free. Throws
/// InputError with the directory and the reason.
void require_writable_directory(const std::filesystem::path& directory, std::uintmax_t bytes_needed,
                                std::size_t name_length = 0);

}  // namespace knudsen
