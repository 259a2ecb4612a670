#include "output/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "core/error.hpp"

namespace knudsen {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what, int error) {
  throw RunError(path.string() + ": " + what + ": " + std::strerror(error));
}

/// Makes the content of a file, or the entries of a directory, survive a power failure.
void sync_to_disk(const std::filesystem::path& path, const std::filesystem::path& shown) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(shown, "cannot be written", errno);
  const int error = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  // EINVAL: the file system does not support syncing this object, so there is nothing to wait for.
  if (error != 0 && error != EINVAL) fail(shown, "cannot be written", error);
}

std::string gigabytes(std::uintmax_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GB", static_cast<double>(bytes) * 1e-9);
  return text;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), temporary_(path_.string() + ".tmp-" + std::to_string(getpid())) {}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  sync_to_disk(temporary_, path_);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail(path_, "cannot be replaced", errno);
  }
  committed_ = true;
  sync_to_disk(path_.has_parent_path() ? path_.parent_path() : ".", path_);
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  AtomicFile target(path);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(target.temporary().c_str(), "wb"),
                                                       std::fclose);
  if (!file) fail(path, "cannot be written", errno);
  if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
      std::fflush(file.get()) != 0) {
    fail(path, "cannot be written", errno);
  }
  if (std::fclose(file.release()) != 0) fail(path, "cannot be written", errno);
  target.commit();
}

void require_writable_directory(const std::filesystem::path& directory, std::uintmax_t bytes_needed,
                                std::size_t name_length) {
  const auto refuse = [&](const std::string& reason) {
    throw InputError("output directory " + directory.string() + ": " + reason);
  };
  std::error_code error;
  if (std::filesystem::exists(directory, error) &&
      !std::filesystem::is_directory(directory, error)) {
    refuse("is a file, not a directory");
  }
  std::filesystem::create_directories(directory, error);
  if (error) refuse("cannot be created: " + error.message());

  std::string name = ".knudsen-probe-" + std::to_string(getpid());
  const std::size_t longest = name_length + (".tmp-" + std::to_string(getpid())).size();
  if (name.size() < longest) name.append(longest - name.size(), 'x');
  const auto probe = directory / name;
  const int descriptor = open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) refuse(std::string("no files can be created in it: ") + std::strerror(errno));
  close(descriptor);
  std::filesystem::remove(probe, error);

  const auto space = std::filesystem::space(directory, error);
  if (!error && space.available < bytes_needed) {
    refuse("the run may write " + gigabytes(bytes_needed) + " (" + std::to_string(bytes_needed) +
           " bytes), only " + gigabytes(space.available) + " (" + std::to_string(space.available) +
           " bytes) are free");
  }
}

}  // namespace knudsen
