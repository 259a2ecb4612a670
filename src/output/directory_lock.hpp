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

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace knudsen
