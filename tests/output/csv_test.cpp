#include "output/csv.hpp"

#include <cmath>

#include "core/error.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

class Csv : public testing::Test {
 protected:
  CsvTable table(const std::string& content) const {
    write_all(path_, content);
    return CsvTable(path_);
  }

  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "table.csv";
};

TEST_F(Csv, ReadsNamedColumns) {
  const auto read =
      table("# source: somewhere, 1982\ny, u_Re100 ,note\n\n1.0,-2.5e-3,top\r\n# x\n0,3,\n");
  EXPECT_EQ(read.names(), (std::vector<std::string>{"y", "u_Re100", "note"}));
  EXPECT_EQ(read.rows(), 2U);
  EXPECT_EQ(read.column("y"), (std::vector<double>{1, 0}));
  EXPECT_EQ(read.column("u_Re100"), (std::vector<double>{-2.5e-3, 3}));
}

TEST_F(Csv, HeaderAloneIsAnEmptyTable) { EXPECT_TRUE(table("a,b\n").column("b").empty()); }

TEST_F(Csv, TextReadsBackToTheSameBits) {
  const std::vector<double> values{0.1, -1e300, 1.0 / 3, HUGE_VAL, 5e-324};
  const auto read = table(csv_text("a comment", {"a", "b"}, {values, {1, 2, 3, 4, 5}}));
  EXPECT_EQ(read.column("a"), values);
  EXPECT_EQ(read_all(path_).substr(0, 16), "# a comment\na,b\n");
}

TEST_F(Csv, NotANumberReadsBack) {
  EXPECT_TRUE(std::isnan(table(csv_text("", {"a"}, {{NAN}})).column("a")[0]));
}

TEST_F(Csv, RefusesAMissingFile) {
  expect_error<InputError>([this] { CsvTable{path_}; }, path_.string(), "cannot be opened");
}

TEST_F(Csv, RefusesADirectory) {
  expect_error<InputError>([this] { CsvTable{directory_.path()}; }, "is a directory");
}

TEST_F(Csv, RefusesAFileWithoutHeader) {
  expect_error<InputError>([this] { table("# only a comment\n"); }, "no header line");
}

TEST_F(Csv, RefusesARowOfAnotherLength) {
  expect_error<InputError>([this] { table("# c\na,b\n1,2\n3\n"); }, path_.string(), "line 4",
                           "1 values", "2 columns");
}

TEST_F(Csv, RefusesAMissingColumn) {
  const auto read = table("a,b\n1,2\n");
  expect_error<InputError>([&] { (void)read.column("c"); }, "no column 'c'", "a, b");
}

TEST_F(Csv, RefusesWhatIsNoNumber) {
  const auto read = table("a,b\n1,2\n3,4x\n");
  expect_error<InputError>([&] { (void)read.column("b"); }, "line 3", "column 'b'", "'4x'");
}

TEST_F(Csv, RefusesAnEmptyCell) {
  const auto read = table("a,b\n1,\n");
  expect_error<InputError>([&] { (void)read.column("b"); }, "line 2", "''");
}

}  // namespace
}  // namespace knudsen
