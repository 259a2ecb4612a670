#include "output/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "core/error.hpp"

namespace knudsen {
namespace {

/// Whether the open file still has this name.
bool is_named(int descriptor, const std::filesystem::path& path) {
  struct stat opened = {}, named = {};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

constexpr const char* case_note = "writes case.json\n";

/// What the holder has written.
std::string content(int descriptor) {
  std::array<char, 400> text{};
  const auto length = pread(descriptor, text.data(), text.size(), 0);
  return {text.data(), length > 0 ? static_cast<std::size_t>(length) : 0};
}

/// " (process 12 on host)"; nothing if the content is not ours.
std::string holder(int descriptor) {
  const std::string read = content(descriptor);
  const std::string line = read.substr(0, read.find('\n'));
  return line.starts_with("process ") ? " (" + line + ')' : "";
}

void write_holder(int descriptor) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host = {};
  const std::string text =
      "process " + std::to_string(getpid()) + " on " + std::string(host.data()) + '\n';
  // Only for messages, so nothing depends on whether this succeeds.
  if (ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const auto written = pwrite(descriptor, text.data(), text.size(), 0);
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : path_(directory / ".knudsen-lock") {
  while (true) {
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) return;  // of another user
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const bool busy = errno == EWOULDBLOCK;
      const std::string who = busy ? holder(descriptor_) : "";
      if (!busy) unlink(path_.c_str());
      close(descriptor_);
      descriptor_ = -1;
      if (!busy) return;
      throw InputError("output directory " + directory.string() + ": another run" + who +
                       " writes into it; wait for its end or choose another --output");
    }
    // The earlier holder may have removed the file after it was opened here.
    if (is_named(descriptor_, path_)) break;
    close(descriptor_);
  }
  const std::string previous = content(descriptor_);
  killed_run_wrote_case_ = previous.starts_with("process ") && previous.ends_with(case_note);
  write_holder(descriptor_);
  // A run that is killed before it writes its own leaves the note for the next one.
  if (killed_run_wrote_case_) note_case();
}

void DirectoryLock::note_case() {
  struct stat file = {};
  if (descriptor_ < 0 || fstat(descriptor_, &file) != 0) return;
  const std::string note = case_note;
  [[maybe_unused]] const auto written = pwrite(descriptor_, note.data(), note.size(), file.st_size);
}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ < 0) return;
  // First removed, then released: who opens it in between finds that it has no name any more.
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace knudsen
