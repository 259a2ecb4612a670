#include "output/own_file.hpp"

#include "core/error.hpp"
#include "output/atomic_file.hpp"
#include "output/checkpoint.hpp"
#include "output/distribution_file.hpp"
#include "output/profile.hpp"
#include "output/series.hpp"
#include "output/snapshot.hpp"
#include "output/vtkhdf.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

constexpr std::array all_kinds{
    FileKind::resolved_case, FileKind::series,        FileKind::profile,
    FileKind::timing_report, FileKind::fields,        FileKind::picture,
    FileKind::checkpoint,    FileKind::distributions, FileKind::comparison};

class OwnFile : public testing::Test {
 protected:
  /// Expects the file to be of this kind and of no other.
  void expect_only(const std::filesystem::path& path, FileKind kind) {
    for (const FileKind each : all_kinds) {
      EXPECT_EQ(is_own_file(path, each), each == kind)
          << path << " as kind " << static_cast<int>(each);
    }
  }

  TemporaryDirectory directory_;
  CartesianGrid grid_ = [] {
    CartesianGrid grid;
    grid.cells = {4, 3, 1};
    return grid;
  }();
  Field field_{{"speed", "1", "Speed", 1}, std::vector<double>(12, 0.5)};
};

TEST_F(OwnFile, EveryFileIsOfItsKindOnly) {
  Series(directory_ / "series.csv", {"mass"}, {"1"}).flush();
  expect_only(directory_ / "series.csv", FileKind::series);
  write_profile(directory_ / "profile.csv", extract_profile(grid_, field_, {}));
  expect_only(directory_ / "profile.csv", FileKind::profile);
  write_vtkhdf(directory_ / "fields.vtkhdf", grid_, {field_}, {});
  expect_only(directory_ / "fields.vtkhdf", FileKind::fields);
  write_snapshot(directory_ / "speed.png", grid_, field_, {});
  expect_only(directory_ / "speed.png", FileKind::picture);
  CheckpointWriter(directory_ / "checkpoint.h5", "fake", "0123", 1).commit();
  expect_only(directory_ / "checkpoint.h5", FileKind::checkpoint);
  DistributionSample sample;
  sample.velocities = {{{0}, {0}, {0}}};
  sample.values = {1};
  write_distributions(directory_ / "distributions.h5", {sample});
  expect_only(directory_ / "distributions.h5", FileKind::distributions);
  write_all(directory_ / "case.json", "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n");
  expect_only(directory_ / "case.json", FileKind::resolved_case);
}

TEST_F(OwnFile, ACaseNeedsAResultBesideIt) {
  const auto path = directory_ / "case.json";
  write_all(path, "{\n  \"a\": 1\n}\n");
  EXPECT_FALSE(is_own_file(path, FileKind::resolved_case));
  write_all(directory_ / "series.csv", "step,mass\n");
  EXPECT_FALSE(is_own_file(path, FileKind::resolved_case));
  write_all(directory_ / "timing.json", "{\n  \"format\": \"knudsen-timing-1\"\n}\n");
  EXPECT_TRUE(is_own_file(path, FileKind::resolved_case));
  for (const char* text :
       {"{\"a\": 1}", "{\n  \"b\": 1,\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}", ""}) {
    write_all(path, text);
    EXPECT_FALSE(is_own_file(path, FileKind::resolved_case)) << text;
  }
}

TEST_F(OwnFile, OtherFilesAreOfNoKind) {
  write_all(directory_ / "table.csv", "y,u\n0.5,0.5\n");
  write_all(directory_ / "empty", "");
  write_all(directory_ / "damaged.h5", "\x89HDF\r\n\x1a\n and then nothing");
  write_all(directory_ / "deep.json", std::string(1000000, '['));
  std::filesystem::create_directory(directory_ / "folder");
  std::filesystem::create_symlink("nowhere", directory_ / "dangling");
  for (const char* name : {"table.csv", "empty", "damaged.h5", "deep.json", "folder", "dangling"}) {
    for (const FileKind kind : all_kinds)
      EXPECT_FALSE(is_own_file(directory_ / name, kind)) << name;
  }
}

TEST_F(OwnFile, InputsAndForeignFilesAreNotReplaced) {
  const auto series = directory_ / "series.csv";
  EXPECT_NO_THROW(require_replaceable(series, FileKind::series, {series}, "go elsewhere"));
  Series(series, {"mass"}, {"1"}).flush();
  EXPECT_NO_THROW(require_replaceable(series, FileKind::series, {}, "go elsewhere"));
  std::filesystem::create_symlink(series, directory_ / "link");
  std::filesystem::create_hard_link(series, directory_ / "hard");
  for (const auto& input : {series, directory_ / "link", directory_ / "hard"}) {
    expect_error<InputError>(
        [&] { require_replaceable(series, FileKind::series, {input}, "go elsewhere"); },
        series.string(), "is read by this command", "go elsewhere");
  }
  write_all(directory_ / "table.csv", "y,u\n");
  expect_error<InputError>(
      [&] { require_replaceable(directory_ / "table.csv", FileKind::series, {}, "go elsewhere"); },
      "table.csv", "was not written by knudsen", "go elsewhere");
  std::filesystem::create_symlink("nowhere", directory_ / "dangling");
  EXPECT_THROW(require_replaceable(directory_ / "dangling", FileKind::series, {}, ""), InputError);
}

}  // namespace
}  // namespace knudsen
