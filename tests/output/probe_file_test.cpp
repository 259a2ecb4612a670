#include "output/probe_file.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "output/own_file.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen {
namespace {

/// A point with a vector and a scalar, and a line of three points with a scalar.
std::vector<ProbeRecord> probes() {
  const Quantity velocity{"velocity", "m/s", "Velocity", 2};
  const Quantity density{"density", "kg/m^3", "Density", 1};
  return {
      {"point",
       {},
       {{1, 2, 3}},
       {0, 5, 10},
       {{velocity, {1, 2, 3, 4, 5, 6}}, {density, {7, 8, 9}}}},
      {"line", {3}, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {4, 8}, {{density, {1, 2, 3, 4, 5, 6}}}}};
}

/// The same without samples.
std::vector<ProbeRecord> empty() {
  std::vector<ProbeRecord> records = probes();
  for (ProbeRecord& record : records) record.cut(0);
  return records;
}

class ProbeFile : public testing::Test {
 protected:
  ProbeFile() { write_probes(path_, probes(), 0.5); }

  void expect_refused(const std::vector<ProbeRecord>& others) {
    expect_error<InputError>(
        [&] {
          auto records = others;
          read_probes(path_, 100, records);
        },
        path_.string(), "has other probes than this case");
  }

  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "probes.h5";
};

TEST_F(ProbeFile, IsReadUpToAStep) {
  auto records = empty();
  read_probes(path_, 7, records);
  EXPECT_EQ(records[0].steps, (std::vector<std::int64_t>{0, 5}));
  EXPECT_EQ(records[0].columns[0].values, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(records[0].columns[1].values, (std::vector<double>{7, 8}));
  EXPECT_EQ(records[1].steps, (std::vector<std::int64_t>{4}));
  EXPECT_EQ(records[1].columns[0].values, (std::vector<double>{1, 2, 3}));
  records = empty();
  read_probes(path_, 10, records);
  EXPECT_EQ(records[1].columns[0].values, probes()[1].columns[0].values);
}

TEST_F(ProbeFile, HasTheSameBytesAfterItWasRead) {
  auto records = empty();
  read_probes(path_, 10, records);
  write_probes(directory_ / "again.h5", records, 0.5);
  EXPECT_EQ(read_all(directory_ / "again.h5"), read_all(path_));
}

TEST_F(ProbeFile, MayHaveNoSamples) {
  write_probes(path_, empty(), 0.5);
  auto records = probes();
  read_probes(path_, 10, records);
  EXPECT_TRUE(records[0].steps.empty());
  EXPECT_TRUE(records[1].columns[0].values.empty());
}

TEST_F(ProbeFile, OfOtherProbesIsRefused) {
  auto others = empty();
  others.pop_back();
  expect_refused(others);
  others = empty();
  others[1].name = "another";
  expect_refused(others);
  others = empty();
  others[0].positions[0][2] = 4;
  expect_refused(others);
  others = empty();
  others[1].shape = {2};
  others[1].positions.pop_back();
  expect_refused(others);
  others = empty();
  others[0].columns[1].quantity.name = "pressure";
  expect_refused(others);
  others = empty();
  others[0].columns[1].quantity.components = 2;
  expect_refused(others);
}

TEST_F(ProbeFile, IsRefusedWhereItIsCutShort) {
  const std::string whole = read_all(path_);
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    write_all(path_, whole.substr(0, size));
    auto records = empty();
    EXPECT_THROW(read_probes(path_, 10, records), InputError) << size;
  }
}

TEST_F(ProbeFile, SurvivesChangedBytes) {
  const std::string whole = read_all(path_);
  for (std::size_t i = 0; i < whole.size(); i += 31) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x7f);
    write_all(path_, changed);
    auto records = empty();
    try {
      read_probes(path_, 10, records);
    } catch (const InputError&) {
      // As it should be. A changed sample cannot be known.
    }
  }
}

TEST_F(ProbeFile, IsKnownAsOurs) {
  EXPECT_TRUE(is_own_file(path_, FileKind::probes));
  EXPECT_FALSE(is_own_file(path_, FileKind::checkpoint));
  write_all(path_, "other");
  EXPECT_FALSE(is_own_file(path_, FileKind::probes));
}

TEST_F(ProbeFile, IsNotThereWhereItCannotBeWritten) {
  EXPECT_THROW(write_probes(directory_ / "missing" / "p.h5", probes(), 1), RunError);
}

}  // namespace
}  // namespace knudsen
