#include "output/atomic_file.hpp"

#include <limits>

#include "core/error.hpp"
#include "file_size_limit.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

const std::string too_large = "File too large";

TEST(AtomicFile, AppearsAtCommitOnly) {
  const TemporaryDirectory directory;
  const auto path = directory / "a.txt";
  AtomicFile file(path);
  EXPECT_EQ(file.path(), path);
  EXPECT_EQ(file.temporary().parent_path(), path.parent_path());
  write_all(file.temporary(), "content");
  EXPECT_FALSE(std::filesystem::exists(path));
  file.commit();
  EXPECT_EQ(read_all(path), "content");
  EXPECT_EQ(directory.files(), 1U);
}

TEST(AtomicFile, WithoutCommitLeavesNothingBehind) {
  const TemporaryDirectory directory;
  write_all(directory / "a.txt", "old");
  {
    const AtomicFile file(directory / "a.txt");
    write_all(file.temporary(), "new");
  }
  EXPECT_EQ(read_all(directory / "a.txt"), "old");
  EXPECT_EQ(directory.files(), 1U);
}

TEST(AtomicFile, CommitReplacesAnEarlierFile) {
  const TemporaryDirectory directory;
  write_file(directory / "a.txt", "old");
  write_file(directory / "a.txt", std::string("new\0bytes", 9));
  EXPECT_EQ(read_all(directory / "a.txt"), std::string("new\0bytes", 9));
  EXPECT_EQ(directory.files(), 1U);
}

TEST(AtomicFile, CommitOfANameWithoutDirectory) {
  const TemporaryDirectory directory;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  EXPECT_NO_THROW(write_file("a.txt", "content"));
  std::filesystem::current_path(before);
  EXPECT_EQ(read_all(directory / "a.txt"), "content");
}

TEST(AtomicFile, CommitOntoADirectoryFails) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "a");
  expect_error<RunError>([&] { write_file(directory / "a", "x"); }, (directory / "a").string(),
                         "Is a directory");
  EXPECT_EQ(directory.files(), 1U);
}

TEST(AtomicFile, MissingDirectoryFails) {
  const TemporaryDirectory directory;
  expect_error<RunError>([&] { write_file(directory / "no/a.txt", "x"); }, "no/a.txt",
                         "No such file or directory");
}

TEST(AtomicFile, FullDiskLeavesTheEarlierFile) {
  const TemporaryDirectory directory;
  write_file(directory / "a.txt", "old");
  {
    const FileSizeLimit limit(1000);
    expect_error<RunError>([&] { write_file(directory / "a.txt", std::string(100000, 'x')); },
                           "a.txt", too_large);
  }
  EXPECT_EQ(read_all(directory / "a.txt"), "old");
  EXPECT_EQ(directory.files(), 1U);
}

TEST(RequireWritableDirectory, CreatesItAndLeavesItEmpty) {
  const TemporaryDirectory directory;
  require_writable_directory(directory / "some/new/place", 1000);
  EXPECT_TRUE(std::filesystem::is_directory(directory / "some/new/place"));
  EXPECT_TRUE(std::filesystem::is_empty(directory / "some/new/place"));
  EXPECT_NO_THROW(require_writable_directory(directory / "some/new/place", 1000));
}

TEST(RequireWritableDirectory, RefusesNamesThatAreTooLong) {
  const TemporaryDirectory directory;
  EXPECT_NO_THROW(require_writable_directory(directory.path(), 0, 200));
  expect_error<InputError>([&] { require_writable_directory(directory.path(), 0, 250); },
                           directory.path().string(), "File name too long");
  EXPECT_EQ(directory.files(), 0U);
}

TEST(RequireWritableDirectory, RefusesAFile) {
  const TemporaryDirectory directory;
  write_all(directory / "file", "x");
  expect_error<InputError>([&] { require_writable_directory(directory / "file", 0); },
                           (directory / "file").string(), "is a file, not a directory");
}

TEST(RequireWritableDirectory, RefusesAPathThroughAFile) {
  const TemporaryDirectory directory;
  write_all(directory / "file", "x");
  expect_error<InputError>([&] { require_writable_directory(directory / "file/sub", 0); },
                           "file/sub", "Not a directory");
}

TEST(RequireWritableDirectory, RefusesWhereNoFilesCanBeCreated) {
  // Not even root can create files in /proc.
  if (!std::filesystem::is_directory("/proc/self")) GTEST_SKIP() << "needs /proc";
  expect_error<InputError>([] { require_writable_directory("/proc/self", 0); }, "/proc/self",
                           "no files can be created in it");
}

TEST(RequireWritableDirectory, RefusesWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  const TemporaryDirectory directory;
  std::filesystem::permissions(
      directory.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  expect_error<InputError>([&] { require_writable_directory(directory.path(), 0); },
                           "Permission denied");
  expect_error<InputError>([&] { require_writable_directory(directory / "sub", 0); },
                           "cannot be created", "Permission denied");
  std::filesystem::permissions(directory.path(), std::filesystem::perms::owner_all);
}

TEST(RequireWritableDirectory, RefusesTooSmallADisk) {
  const TemporaryDirectory directory;
  const auto needed = std::numeric_limits<std::uintmax_t>::max() / 2;
  expect_error<InputError>([&] { require_writable_directory(directory.path(), needed); },
                           directory.path().string(), std::to_string(needed) + " bytes", "free");
}

}  // namespace
}  // namespace knudsen
