#pragma once

#include <filesystem>
#include <string>

namespace knudsen {

/// A file that appears whole or not at all: write to `temporary()`, then `commit()` syncs it and
/// renames it onto `path`. Without `commit` the destructor removes the temporary file. The
/// temporary name is in the same directory and names the process, so two runs do not collide.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Throws RunError with the system's reason.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

/// Writes `content` atomically. Throws RunError that names the file and the system's reason.
void write_file(const std::filesystem::path& path, const std::string& content);

/// Creates `directory` where it is missing and checks that files can be created in it and that the
/// file system has `bytes_needed` free. Throws InputError (named directory, reason, bytes).
void require_writable_directory(const std::filesystem::path& directory,
                                std::uintmax_t bytes_needed);

}  // namespace knudsen
