#include "output/series.hpp"

#include "core/error.hpp"
#include "file_size_limit.hpp"
#include "output/csv.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

class SeriesFile : public testing::Test {
 protected:
  Series series() const { return {path_, {"time", "mass"}, {"s", "1"}}; }
  void write_steps(const std::vector<std::int64_t>& steps) const {
    auto written = series();
    for (const auto step : steps) written.append(step, {0.1 * static_cast<double>(step), 1});
    written.flush();
  }
  std::vector<double> steps() const { return CsvTable(path_).column("step"); }

  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "series.csv";
};

TEST_F(SeriesFile, HasUnitsHeaderAndRows) {
  auto written = series();
  written.append(10, {0.1, 1.0 / 3});
  written.append(9007199254740992, {0.25, -2});
  written.flush();
  EXPECT_EQ(read_all(path_),
            "# units: step=1, time=s, mass=1\n"
            "step,time,mass\n"
            "10,0.10000000000000001,0.33333333333333331\n"
            "9007199254740992,0.25,-2\n");
}

TEST_F(SeriesFile, AppearsAtFlushOnlyAndGrows) {
  auto written = series();
  written.append(1, {1, 1});
  EXPECT_EQ(directory_.files(), 0U);
  written.flush();
  written.append(2, {2, 2});
  EXPECT_EQ(steps(), (std::vector<double>{1}));
  written.flush();
  EXPECT_EQ(steps(), (std::vector<double>{1, 2}));
}

TEST_F(SeriesFile, KnowsItsLastStep) {
  auto written = series();
  EXPECT_EQ(written.last_step(), -1);
  for (const std::int64_t step : {10, 25}) written.append(step, {0, 1});
  EXPECT_EQ(written.last_step(), 25);
  written.drop_last();
  EXPECT_EQ(written.last_step(), 10);
}

TEST_F(SeriesFile, WithoutRowsIsAHeader) {
  series().flush();
  EXPECT_TRUE(steps().empty());
}

TEST_F(SeriesFile, ResumeKeepsRowsUpToTheStep) {
  write_steps({10, 20, 30, 40});
  const std::string before = read_all(path_);
  auto resumed = series();
  resumed.resume(20);
  for (const std::int64_t step : {30, 40}) {
    resumed.append(step, {0.1 * static_cast<double>(step), 1});
  }
  resumed.flush();
  EXPECT_EQ(read_all(path_), before);
}

TEST_F(SeriesFile, ResumeBeforeTheFirstRowStartsAnew) {
  write_steps({10, 20});
  auto resumed = series();
  resumed.resume(0);
  resumed.flush();
  EXPECT_TRUE(steps().empty());
}

TEST_F(SeriesFile, ResumeWithoutAFileIsFine) { EXPECT_NO_THROW(series().resume(100)); }

TEST_F(SeriesFile, ResumeRefusesOtherColumns) {
  write_steps({10});
  Series other(path_, {"time", "energy"}, {"s", "1"});
  expect_error<InputError>([&] { other.resume(10); }, path_.string(), "other columns");
}

TEST_F(SeriesFile, ResumeRefusesADamagedRow) {
  write_all(path_, "step,time,mass\n10,1,abc\n");
  auto resumed = series();
  expect_error<InputError>([&] { resumed.resume(10); }, "line 2", "'mass'", "'abc'");
}

TEST_F(SeriesFile, FullDiskLeavesTheEarlierFile) {
  write_steps({1, 2, 3});
  const std::string before = read_all(path_);
  {
    const FileSizeLimit limit(20);
    expect_error<RunError>([this] { write_steps({1, 2, 3, 4}); }, path_.string(), "File too large");
  }
  EXPECT_EQ(read_all(path_), before);
}

}  // namespace
}  // namespace knudsen
