#include <gmock/gmock.h>

#include <cstdlib>

#include "paths.hpp"
#include "report/comparison.hpp"
#include "sample_reports.hpp"

namespace knudsen {
namespace {

using testing::HasSubstr;
using testing::Not;

class ComparisonPage : public ReportFiles {
 protected:
  /// The page for these reports; fails if Python's parsers find an error in it.
  std::string checked_page(const std::vector<NamedReport>& reports) const {
    std::string page = comparison_html(reports);
    const auto path = write("page.html", page);
    const std::string command = std::string(KNUDSEN_PYTHON) + " -B " + KNUDSEN_SOURCE_DIR +
                                "/tests/report/check_page.py \"" + path.string() + "\"";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return page;
  }
};

TEST_F(ComparisonPage, OfTwoRunsHasSpeedupRooflineAndProvenance) {
  const std::string page = checked_page({{"cpu", sample_report()}, {"gpu", faster_report(40, 50)}});
  EXPECT_THAT(page, HasSubstr("id=\"speedup-title\""));
  EXPECT_THAT(page, HasSubstr("id=\"roofline-title\""));
  EXPECT_THAT(page, Not(HasSubstr("id=\"sweep")));
  for (const char* fact : {"Example GPU", "node1", "<td>3.4.1</td>", "GNU 12.2.0", "0123456789ab",
                           "cafe256", "(0.531, 0.565)", "40.00 ×", "What was run where", "node1",
                           "16 of 16 cores, bound", "device events", "1980 MHz", "launch and idle",
                           "spread", "arithmetic peak, which is not measured"})
    EXPECT_THAT(page, HasSubstr(fact));
  EXPECT_THAT(page, Not(HasSubstr("class=\"warnings\"")));
}

TEST_F(ComparisonPage, OfASweepHasRateAgainstSize) {
  std::vector<NamedReport> reports;
  for (const std::int64_t side : {64, 128, 256, 512, 1024, 2048}) {
    reports.push_back({"cpu" + std::to_string(side), sample_report(side)});
    reports.push_back({"gpu" + std::to_string(side), faster_report(20, 30, side)});
  }
  const std::string page = checked_page(reports);
  EXPECT_THAT(page, HasSubstr("Rate against problem size (nodes)"));
  EXPECT_THAT(page, HasSubstr("rate (10⁹ nodes/s)"));
  EXPECT_THAT(page, Not(HasSubstr("id=\"speedup-title\""))) << "too many bars";
  EXPECT_THAT(page, HasSubstr("<details><summary>collide</summary>"));
}

TEST_F(ComparisonPage, OfSeveralSweepsHasAPlotEach) {
  std::vector<NamedReport> reports;
  for (const std::int64_t side : {64, 128, 256})
    for (const int threads : {1, 2, 4}) {
      reports.push_back(
          {std::to_string(side) + "-" + std::to_string(threads), sample_report(side)});
      reports.back().report.threads = threads;
    }
  const std::string page = checked_page(reports);
  EXPECT_THAT(page, HasSubstr("Rate against problem size (nodes)"));
  EXPECT_THAT(page, HasSubstr("Rate against threads"));
}

TEST_F(ComparisonPage, ShowsWarnings) {
  TimingReport other = sample_report();
  other.precision = "double";
  EXPECT_THAT(checked_page({{"a", sample_report()}, {"b", other}}),
              HasSubstr("b differs from a in its precision: double instead of single."));
}

TEST_F(ComparisonPage, EscapesWhatReportsSay) {
  TimingReport report = sample_report();
  const std::string nasty = "</title><script>alert('&')</script>\"\x01";
  report.title = report.method = report.variant = report.precision = report.backend = nasty;
  report.device = report.host = report.kokkos_version = report.compiler = nasty;
  report.kernel_clock = nasty;
  report.git_commit = report.case_digest = report.update_unit = nasty;
  report.kernels[0].name = nasty;
  report.results = {{nasty, nasty}};
  report.tuning = {{nasty, 1}};
  report.sizes = {{nasty, 1}};
  EXPECT_THAT(checked_page({{nasty, report}, {"b" + nasty, sample_report()}}),
              Not(HasSubstr("<script")));
}

TEST_F(ComparisonPage, OfFormatOneIsMarked) {
  EXPECT_THAT(checked_page({{"a", first_format_report()}, {"b", sample_report()}}),
              HasSubstr("The report of a is of format 1"));
}

TEST_F(ComparisonPage, ShowsTheLargestNumbersThatReportsMayHave) {
  TimingReport report = sample_report();
  report.total.seconds = report.total.updates = report.kernels[0].seconds = 1e30;
  report.total.step_seconds = {5, 1e-30, 1e-30, 1e30};
  report.kernels[1].call_seconds = {5, 1e-30, 1e-30, 1e30};
  report.copy_bandwidth_gb_s = {1e-30, 1e-30};
  const std::string page = checked_page({{"a", sample_report()}, {"b", report}});
  EXPECT_THAT(page, Not(testing::ContainsRegex("(inf|nan) ")));
}

TEST_F(ComparisonPage, StandsWithoutKernelsAndBandwidth) {
  TimingReport report = sample_report();
  report.kernels.clear();
  report.results.clear();
  report.copy_bandwidth_gb_s = {};
  const std::string page = checked_page({{"a", report}, {"b", report}});
  EXPECT_THAT(page, Not(HasSubstr("roofline")));
}

TEST_F(ComparisonPage, RooflineStandsWithoutBandwidth) {
  TimingReport report = sample_report();
  report.copy_bandwidth_gb_s = {};
  EXPECT_THAT(checked_page({{"a", report}, {"b", report}}), HasSubstr("id=\"roofline-title\""));
}

}  // namespace
}  // namespace knudsen
