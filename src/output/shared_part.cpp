#include "output/shared_part.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "parallel/together.hpp"

namespace knudsen {

namespace {

/// Whether two nodes may write parts of the same page of the open file. Clients of some network
/// file systems write whole pages, with what they believe to be the bytes of others.
bool keeps_bytes_of_other_nodes(int descriptor) {
  struct statfs facts {};
  if (fstatfs(descriptor, &facts) != 0) return false;
  switch (static_cast<std::uint32_t>(facts.f_type)) {  // of linux/magic.h and their documentation
    case 0x6969:                                       // NFS
    case 0x517b:                                       // SMB
    case 0xff534d42:                                   // CIFS
    case 0xfe534d42:                                   // SMB2
    case 0x65735546:                                   // FUSE
    case 0x01021997:                                   // 9P
      return false;
    default:
      return true;
  }
}

}  // namespace

SharedPart::SharedPart(const std::filesystem::path& file, const std::filesystem::path& shown,
                       std::uint64_t begin)
    : shown_(shown.string()), begin_(begin), piece_bytes_(world().piece_bytes()) {
  const Communicator& ranks = world();
  std::string path = ranks.is_first() ? std::filesystem::absolute(file).string() : "";
  ranks.broadcast(path);
  ranks.broadcast(shown_);
  ranks.broadcast(begin_);
  descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  struct stat facts {};
  if (descriptor_ < 0 || fstat(descriptor_, &facts) != 0) error_ = errno;
  // A directory of another node may have a file of that name, but not with this number.
  ino_t number = facts.st_ino;
  ranks.broadcast(number);
  const bool one_node = ranks.all(ranks.node() == ranks.node_of(0));
  seen_by_all_ = ranks.all(error_ == 0 && number == facts.st_ino &&
                           (one_node || keeps_bytes_of_other_nodes(descriptor_)));
  if (seen_by_all_) return;
  if (!ranks.is_first()) error_ = 0;  // the first rank writes
  piece_bytes_ /= static_cast<std::size_t>(ranks.size());
}

SharedPart::~SharedPart() {
  if (descriptor_ >= 0) close(descriptor_);
}

void SharedPart::put(std::uint64_t at, const char* data, std::size_t bytes) {
  while (bytes > 0 && error_ == 0) {
    const ssize_t written = pwrite(descriptor_, data, bytes, static_cast<off_t>(begin_ + at));
    if (written <= 0) {
      if (written == 0) error_ = EIO;
      if (written < 0 && errno != EINTR) error_ = errno;
      continue;
    }
    at += static_cast<std::uint64_t>(written);
    data += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void SharedPart::write(std::uint64_t at, const void* data, std::size_t bytes) {
  const auto* const from = static_cast<const char*>(data);
  if (seen_by_all_) return put(at, from, bytes);
  runs_.push_back({at, bytes});
  values_.insert(values_.end(), from, from + bytes);
  if (values_.size() >= piece_bytes_) send(false);
}

/// Collective: the first rank writes what all have. Returns whether it was the last of all.
bool SharedPart::send(bool last) {
  const std::vector<Run> runs = world().concatenate_on_first(std::move(runs_));
  const std::vector<char> values = world().concatenate_on_first(std::move(values_));
  runs_.clear();
  values_.clear();
  const char* from = values.data();
  for (const Run& run : runs) {
    put(run.at, from, run.bytes);
    from += run.bytes;
  }
  return world().all(last);
}

void SharedPart::finish() {
  while (!seen_by_all_ && !send(true)) {
  }
  together([&] {
    // What other nodes have written must reach the file before the first rank syncs and renames it.
    const bool elsewhere = seen_by_all_ && world().node() != world().node_of(0);
    if (error_ == 0 && elsewhere && fsync(descriptor_) != 0 && errno != EINVAL) error_ = errno;
    // Some file systems tell of a failed write only here.
    if (descriptor_ >= 0 && close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) {
      error_ = errno;
    }
    if (error_ != 0) throw RunError(shown_ + ": cannot be written: " + std::strerror(error_));
  });
}

}  // namespace knudsen
