#include "run/checkpoints.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "core/error.hpp"
#include "output/temporary_directory.hpp"
#include "run/fake_method.hpp"

namespace knudsen::test {
namespace {

namespace fs = std::filesystem;

/// Writes a checkpoint of a fake method at a step, and sets its time of writing to `age` ago.
fs::path write_at(Checkpoints& checkpoints, std::int64_t step, std::chrono::seconds age = {}) {
  FakeMethod method({});
  method.initialise();
  method.advance(step);
  const fs::path path = checkpoints.write(method, {step, {{"peak", 0.1 + 0.2}}});
  fs::last_write_time(path, fs::file_time_type::clock::now() - age);
  return path;
}

TEST(Checkpoints, AreNamedByTheirStep) {
  const TemporaryDirectory directory;
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 2);
  EXPECT_EQ(write_at(checkpoints, 42), directory / "checkpoint_000000042.h5");
}

TEST(Checkpoints, OnlyTheNewestAreKept) {
  const TemporaryDirectory directory;
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 2);
  for (const std::int64_t step : {1, 2, 3, 4}) write_at(checkpoints, step);
  EXPECT_EQ(directory.files(), 2U);
  EXPECT_TRUE(fs::exists(directory / "checkpoint_000000003.h5"));
  EXPECT_TRUE(fs::exists(directory / "checkpoint_000000004.h5"));
}

TEST(Checkpoints, OfEarlierRunsAreLeftAlone) {
  const TemporaryDirectory directory;
  Checkpoints earlier(directory.path(), "fake", {"0123"}, 1);
  write_at(earlier, 500);
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 1);
  write_at(checkpoints, 1);
  write_at(checkpoints, 2);
  EXPECT_TRUE(fs::exists(directory / "checkpoint_000000500.h5"));
  EXPECT_FALSE(fs::exists(directory / "checkpoint_000000001.h5"));
}

TEST(Checkpoints, OfTheRunThatGoesOnAreItsOwn) {
  const TemporaryDirectory directory;
  Checkpoints earlier(directory.path(), "fake", {"0123"}, 5);
  for (const std::int64_t step : {1, 2, 3, 9}) write_at(earlier, step);
  Checkpoints others(directory.path(), "fake", {"4567"}, 5);
  write_at(others, 0);
  write_all(directory / "checkpoint_notes.h5", "not a checkpoint");
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 2);
  checkpoints.adopt(3);
  write_at(checkpoints, 4);
  for (const auto* kept : {"000000000", "000000003", "000000004", "000000009", "notes"}) {
    EXPECT_TRUE(fs::exists(directory / (std::string("checkpoint_") + kept + ".h5"))) << kept;
  }
  EXPECT_EQ(directory.files(), 5U);
}

TEST(Checkpoints, GiveBackEveryBit) {
  const TemporaryDirectory directory;
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 1);
  const fs::path path = write_at(checkpoints, 7);
  FakeMethod method({});
  const RunMemory memory = load_checkpoint(*open_checkpoint(path, "fake", {"0123"}), method);
  EXPECT_EQ(memory.step, 7);
  EXPECT_EQ(memory.checked, (std::map<std::string, double>{{"peak", 0.1 + 0.2}}));
  FakeMethod direct({});
  direct.initialise();
  direct.advance(7);
  EXPECT_EQ(method.field("temperature").values, direct.field("temperature").values);
}

TEST(Checkpoints, OfADirectoryTheLatestIsOpened) {
  const TemporaryDirectory directory;
  Checkpoints earlier(directory.path(), "fake", {"0123"}, 1);
  write_at(earlier, 500, std::chrono::hours(1));
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 1);
  write_at(checkpoints, 3);
  EXPECT_EQ(open_checkpoint(directory.path(), "fake", {"0123"})->step(), 3);
}

TEST(Checkpoints, LinksToFilesThatDoNotExistAreNone) {
  const TemporaryDirectory directory;
  fs::create_symlink("nowhere", directory / "checkpoint_9.h5");
  expect_error<InputError>([&] { open_checkpoint(directory.path(), "fake", {"0123"}); },
                           "holds no checkpoint");
  expect_error<InputError>(
      [&] { open_checkpoint(directory / "checkpoint_9.h5", "fake", {"0123"}); }, "checkpoint_9.h5",
      "no such checkpoint");
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 1);
  write_at(checkpoints, 3);
  EXPECT_EQ(open_checkpoint(directory.path(), "fake", {"0123"})->step(), 3);
  EXPECT_NO_THROW(checkpoints.adopt(9));
}

TEST(Checkpoints, DirectoryWithoutAnyIsRefused) {
  const TemporaryDirectory directory;
  expect_error<InputError>([&] { open_checkpoint(directory.path(), "fake", {"0123"}); },
                           directory.path().string(), "holds no checkpoint");
}

TEST(Checkpoints, MissingFileIsRefused) {
  const TemporaryDirectory directory;
  expect_error<InputError>([&] { open_checkpoint(directory / "none.h5", "fake", {"0123"}); },
                           "none.h5", "no such checkpoint");
}

TEST(Checkpoints, OtherMethodIsRefused) {
  const TemporaryDirectory directory;
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 1);
  const fs::path path = write_at(checkpoints, 3);
  expect_error<InputError>([&] { open_checkpoint(path, "lbm_d2q9", {"0123"}); }, path.string(),
                           "\"fake\"", "\"lbm_d2q9\"");
}

TEST(Checkpoints, OtherCaseIsRefused) {
  const TemporaryDirectory directory;
  Checkpoints checkpoints(directory.path(), "fake", {"0123"}, 1);
  const fs::path path = write_at(checkpoints, 3);
  expect_error<InputError>([&] { open_checkpoint(path, "fake", {"4567"}); }, path.string(),
                           "another case", "0123", "4567");
}

}  // namespace
}  // namespace knudsen::test
