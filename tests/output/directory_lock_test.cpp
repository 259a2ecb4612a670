#include "output/directory_lock.hpp"

#include <memory>

#include "core/error.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

TEST(DirectoryLock, OnlyOneAtATime) {
  const TemporaryDirectory directory;
  {
    const DirectoryLock lock(directory.path());
    ASSERT_TRUE(lock.held());
    expect_error<InputError>([&] { const DirectoryLock second(directory.path()); },
                             directory.path().string(),
                             "another run (process " + std::to_string(getpid()) + " on ");
  }
  EXPECT_EQ(directory.files(), 0U);
  EXPECT_TRUE(DirectoryLock(directory.path()).held());
}

TEST(DirectoryLock, TheFileOfAKilledRunIsInNobodysWay) {
  const TemporaryDirectory directory;
  write_all(directory / ".knudsen-lock", "process 1 on a machine with a very long name\n");
  const auto lock = std::make_unique<DirectoryLock>(directory.path());
  EXPECT_TRUE(lock->held());
  expect_error<InputError>([&] { const DirectoryLock second(directory.path()); },
                           "process " + std::to_string(getpid()));
}

TEST(DirectoryLock, KeepsTheNoteOfAKilledRunForTheNext) {
  const TemporaryDirectory directory;
  const auto path = directory / ".knudsen-lock";
  std::string killed;
  {
    DirectoryLock lock(directory.path());
    EXPECT_FALSE(lock.killed_run_wrote_case());
    lock.note_case();
    killed = read_all(path);
  }
  write_all(path, killed);
  {
    const DirectoryLock second(directory.path());
    EXPECT_TRUE(second.killed_run_wrote_case());
    killed = read_all(path);
  }
  write_all(path, killed);
  EXPECT_TRUE(DirectoryLock(directory.path()).killed_run_wrote_case());
  EXPECT_FALSE(DirectoryLock(directory.path()).killed_run_wrote_case());
}

TEST(DirectoryLock, WhereNoFileCanBeCreatedNothingIsLocked) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / ".knudsen-lock");
  EXPECT_FALSE(DirectoryLock(directory.path()).held());
  EXPECT_EQ(directory.files(), 1U);
}

}  // namespace
}  // namespace knudsen
