#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace knudsen {

/// Adjacent bytes of a file of the first rank, of which each rank writes its own. Ranks that see
/// the file write into it. If one does not see it, as where nodes do not share the directory, all
/// send to the first rank, which writes.
class SharedPart {
 public:
  /// Collective. `file` exists, messages call it `shown`, the part begins at byte `begin`: of the
  /// first rank, others ignore theirs.
  SharedPart(const std::filesystem::path& file, const std::filesystem::path& shown,
             std::uint64_t begin);
  ~SharedPart();
  SharedPart(const SharedPart&) = delete;
  SharedPart& operator=(const SharedPart&) = delete;

  /// Writes bytes of this rank at byte `at` of the part, at most piece_bytes(). Errors are told by
  /// finish().
  void write(std::uint64_t at, const void* data, std::size_t bytes);
  /// Bytes that are written at once, by which the memory of a rank is bounded.
  std::size_t piece_bytes() const { return piece_bytes_; }
  /// Collective: returns when the bytes of all ranks are in the file, as seen by the first rank.
  /// Throws as `together` if a rank could not write its own.
  void finish();

 private:
  struct Run {
    std::uint64_t at, bytes;
  };
  void put(std::uint64_t at, const char* data, std::size_t bytes);
  bool send(bool last);

  std::string shown_;
  std::uint64_t begin_;
  int descriptor_ = -1;
  bool seen_by_all_ = true;
  std::size_t piece_bytes_;
  int error_ = 0;  ///< of the system, the first one
  // To be sent to the first rank.
  std::vector<Run> runs_;
  std::vector<char> values_;
};

}  // namespace knudsen
