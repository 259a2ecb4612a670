#include <gmock/gmock.h>

#include "compare.hpp"
#include "core/error.hpp"
#include "sample_reports.hpp"

namespace knudsen {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class CompareCommand : public ReportFiles {
 protected:
  /// Runs `knudsen compare` with these arguments and stores what it prints in `output_` and
  /// `errors_`.
  void compare(std::vector<std::string> arguments) {
    CLI::App app{"knudsen", "knudsen"};
    add_compare(app);
    arguments.insert(arguments.begin(), "compare");
    std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 expects
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
      app.parse(arguments);
    } catch (...) {
      keep_output();
      throw;
    }
    keep_output();
  }

  std::string output_, errors_;

 private:
  void keep_output() {
    output_ = testing::internal::GetCapturedStdout();
    errors_ = testing::internal::GetCapturedStderr();
  }
};

TEST_F(CompareCommand, PrintsTheTableAndWritesThePage) {
  const auto page = file("out.html");
  compare({write("cpu.json", sample_report()), write("gpu.json", faster_report(40, 50)), "--html",
           page});
  EXPECT_THAT(output_, HasSubstr("40.00 x"));
  EXPECT_THAT(output_, HasSubstr("Page with plots: " + page.string()));
  EXPECT_THAT(errors_, IsEmpty());
  EXPECT_THAT(read(page), HasSubstr("<!DOCTYPE html>"));
}

TEST_F(CompareCommand, CanLeaveThePageOut) {
  compare(
      {write("cpu.json", sample_report()), write("gpu.json", faster_report(40, 50)), "--no-html"});
  EXPECT_THAT(output_, HasSubstr("overall"));
  EXPECT_THAT(output_, testing::Not(HasSubstr("Page")));
}

TEST_F(CompareCommand, WarnsOnStandardError) {
  TimingReport other = sample_report();
  other.precision = "double";
  compare({write("a.json", sample_report()), write("b.json", other), "--no-html"});
  EXPECT_EQ(errors_, "warning: b differs from a in its precision: double instead of single.\n");
}

TEST_F(CompareCommand, TellsWhatReportsSayIsWrong) {
  TimingReport met = sample_report();
  met.converged = true;
  TimingReport unmet = sample_report();
  unmet.converged = false;
  TimingReport warned = unmet;
  warned.warnings = {"stop.criteria were not met by step 5", "the result x is not finite"};
  compare({write("a.json", met), write("b.json", unmet), write("c.json", warned), "--no-html"});
  EXPECT_EQ(errors_,
            "warning: b: stop.criteria were not met\n"
            "warning: c: stop.criteria were not met by step 5\n"
            "warning: c: the result x is not finite\n");
}

TEST_F(CompareCommand, EachWarningIsOneLine) {
  TimingReport other = sample_report();
  other.host = "node\n2\x1b[2J";
  other.warnings = {"first\nsecond"};
  compare({write("a.json", sample_report()), write("b.json", other), "--no-html"});
  EXPECT_EQ(std::count(errors_.begin(), errors_.end(), '\n'), 2);
  EXPECT_THAT(errors_, HasSubstr(R"(b: node\n2\x1b[2J))"));
  EXPECT_THAT(errors_, HasSubstr("warning: b: first\\nsecond\n"));
}

TEST_F(CompareCommand, OneReportIsNotEnough) {
  const auto path = write("cpu.json", sample_report());
  EXPECT_THROW(compare({path}), CLI::ParseError);
}

TEST_F(CompareCommand, NoReportIsRefused) { EXPECT_THROW(compare({}), CLI::ParseError); }

TEST_F(CompareCommand, BadReportIsAnInputError) {
  const auto good = write("cpu.json", sample_report());
  EXPECT_THROW(compare({good, file("absent.json"), "--no-html"}), InputError);
}

TEST_F(CompareCommand, UnwritablePageIsARunError) {
  const auto good = write("cpu.json", sample_report());
  EXPECT_THROW(compare({good, good, "--html", file("nowhere/page.html")}), RunError);
}

TEST_F(CompareCommand, PageAndNoPageExcludeEachOther) {
  const auto good = write("cpu.json", sample_report());
  EXPECT_THROW(compare({good, good, "--html", file("page.html"), "--no-html"}), CLI::ParseError);
}

TEST_F(CompareCommand, HelpHasExamples) {
  CLI::App app{"knudsen", "knudsen"};
  add_compare(app);
  EXPECT_THAT(app.get_subcommand("compare")->help(),
              HasSubstr("knudsen compare cpu.json gpu.json"));
}

}  // namespace
}  // namespace knudsen
