#pragma once

#include <filesystem>

namespace knudsen {

/// The right of one run to write into a directory: a lock on the file .knudsen-lock in it, which
/// the destructor removes. The kernel releases the lock when a process ends, however it ends. On a
/// file system without locks nothing is locked.
class DirectoryLock {
 public:
  /// Throws InputError that names the process if another one holds the lock.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// False on a file system without locks.
  bool held() const { return descriptor_ >= 0; }

  /// Notes in the lock's file that the run is about to write its case.json. Should the run be
  /// killed before it has a result, the note tells the next run whose that file is.
  void note_case();
  /// Whether the previous holder made this note and was then killed.
  bool killed_run_wrote_case() const { return killed_run_wrote_case_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool killed_run_wrote_case_ = false;
};

}  // namespace knudsen
