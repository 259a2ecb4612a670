#include "report/comparison.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "sample_reports.hpp"

namespace knudsen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Reports = std::vector<NamedReport>;

class ReadReports : public ReportFiles {};

TEST_F(ReadReports, LabelsAreFileNames) {
  const Reports reports = read_reports(
      {write("a/cpu.json", sample_report()), write("b/gpu.json", faster_report(10, 500))});
  EXPECT_EQ(reports[0].label, "cpu");
  EXPECT_EQ(reports[1].label, "gpu");
  EXPECT_EQ(reports[1].report.backend, "cuda");
}

TEST_F(ReadReports, LabelsAreFoldersWhereFileNamesAreEqual) {
  const Reports reports = read_reports({write("one/timing.json", sample_report()),
                                        write("all/timing.json", faster_report(10, 500))});
  EXPECT_EQ(reports[0].label, "one");
  EXPECT_EQ(reports[1].label, "all");
}

TEST_F(ReadReports, LabelsAreWholePathsWhereNothingShorterTellsThemApart) {
  const auto first = write("a/x/timing.json", sample_report());
  const auto second = write("b/x/timing.json", sample_report());
  const Reports reports = read_reports({first, second});
  EXPECT_EQ(reports[0].label, first.string());
  EXPECT_EQ(reports[1].label, second.string());
}

TEST_F(ReadReports, FewerThanTwoAreRefused) {
  EXPECT_THAT(message_of<InputError>([&] { read_reports({write("a.json", sample_report())}); }),
              HasSubstr("two or more"));
}

TEST_F(ReadReports, BaselineWithoutStepsIsRefused) {
  TimingReport idle = sample_report();
  idle.total = {};
  const auto path = write("idle.json", idle);
  EXPECT_THAT(message_of<InputError>([&] {
                read_reports({path, write("b.json", sample_report())});
              }),
              HasSubstr("idle.json: total: has no steps"));
}

TEST(CompareKernels, SpeedupIsOfTimePerUpdate) {
  const auto compared =
      compare_kernels({{"cpu", sample_report()}, {"gpu", faster_report(40, 7000)}});
  ASSERT_THAT(compared, SizeIs(3));
  for (const ComparedKernel& kernel : compared) {
    EXPECT_DOUBLE_EQ(kernel.runs[0]->speedup, 1) << kernel.name;
    EXPECT_NEAR(kernel.runs[1]->speedup, 40, 1e-9) << kernel.name;
  }
}

TEST(CompareKernels, OverallIsFirst) {
  const auto compared = compare_kernels({{"a", sample_report()}, {"b", sample_report()}});
  EXPECT_EQ(compared[0].name, "overall");
  const Measurement& total = *compared[0].runs[0];
  EXPECT_DOUBLE_EQ(total.seconds_per_call, 256 * 256 * 1e-9);
  EXPECT_DOUBLE_EQ(total.updates_per_second, 1e9);
  EXPECT_DOUBLE_EQ(total.gb_s, 72);
  EXPECT_DOUBLE_EQ(total.bandwidth_share, 0.5);
  EXPECT_DOUBLE_EQ(total.gflop_s, 100);
  EXPECT_DOUBLE_EQ(total.time_share, 1);
}

TEST(CompareKernels, KernelsAreMeasuredByTheirMedian) {
  const auto compared = compare_kernels({{"a", sample_report()}, {"b", sample_report()}});
  EXPECT_EQ(compared[1].name, "collide");
  const Measurement& collide = *compared[1].runs[0];
  EXPECT_DOUBLE_EQ(collide.seconds_per_call, 0.75 * 256 * 256 * 1e-9);
  EXPECT_DOUBLE_EQ(collide.updates_per_second, 1e9 / 0.75);
  EXPECT_DOUBLE_EQ(collide.gb_s, 96);
  EXPECT_DOUBLE_EQ(collide.bandwidth_share, 96.0 / 144);
  EXPECT_DOUBLE_EQ(collide.gflop_s, 100 / 0.75);
  EXPECT_DOUBLE_EQ(collide.time_share, 0.75);
}

TEST(CompareKernels, KernelsAreMatchedByName) {
  TimingReport other = sample_report();
  other.kernels[0].name = "stream";
  const auto compared = compare_kernels({{"a", sample_report()}, {"b", other}});
  std::vector<std::string> names;
  for (const ComparedKernel& kernel : compared) names.push_back(kernel.name);
  EXPECT_THAT(names, ElementsAre("overall", "collide", "walls", "stream"));
  EXPECT_FALSE(compared[1].runs[1].has_value());
  EXPECT_TRUE(compared[2].runs[1].has_value());
  EXPECT_FALSE(compared[3].runs[0].has_value());
  EXPECT_EQ(compared[3].runs[1]->speedup, 0);
}

TEST(CompareKernels, KernelsNeverTimedHaveNoRates) {
  TimingReport other = sample_report();
  other.kernels[0].median_seconds = 0;
  const auto compared = compare_kernels({{"a", other}, {"b", sample_report()}});
  EXPECT_EQ(compared[1].runs[0]->updates_per_second, 0);
  EXPECT_EQ(compared[1].runs[1]->speedup, 0);
  EXPECT_THAT(measurement_cells(compared[1].runs[0]),
              ElementsAre("-", "-", "-", "-", "-", "-", "-"));
}

/// The warnings for a report that differs from the sample by `change`.
template <class Change>
std::vector<std::string> warnings_of(const Change& change) {
  TimingReport other = sample_report();
  change(other);
  return comparison_warnings({{"a", sample_report()}, {"b", other}});
}

TEST(ComparisonWarnings, NoneForTheSameCaseElsewhere) {
  EXPECT_THAT(comparison_warnings({{"cpu", sample_report()}, {"gpu", faster_report(40, 500)}}),
              IsEmpty());
}

TEST(ComparisonWarnings, AnotherMethod) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.method = "bgkw"; }),
              ElementsAre("b differs from a in its method: bgkw instead of lbm-d2q9."));
}

TEST(ComparisonWarnings, AnotherVariant) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.variant = "two-array"; }),
              ElementsAre("b differs from a in its variant: two-array instead of in-place, BGK."));
}

TEST(ComparisonWarnings, AnotherPrecision) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.precision = "double"; }),
              ElementsAre("b differs from a in its precision: double instead of single."));
}

TEST(ComparisonWarnings, AnotherSize) {
  EXPECT_THAT(warnings_of([](TimingReport& r) {
                r.sizes = {{"nodes", 7}};
              }),
              ElementsAre("b differs from a in its size: nodes 7 instead of nodes 65536, nodes_x "
                          "256, nodes_y 256."));
}

TEST(ComparisonWarnings, AnotherCase) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.case_digest = "beef"; }),
              ElementsAre("b differs from a in its case: digest beef instead of cafe256."));
}

TEST(ComparisonWarnings, AnotherCaseByItsPrecision) {
  EXPECT_THAT(warnings_of([](TimingReport& r) {
                r.precision = "double";
                r.case_digest = "beef";
              }),
              ElementsAre(HasSubstr("in its precision"),
                          HasSubstr("The differences above are enough to explain it.")));
}

Reports size_sweep() {
  Reports reports;
  for (const std::int64_t side : {512, 128, 256}) {
    reports.push_back({"cpu" + std::to_string(side), sample_report(side)});
    reports.push_back({"gpu" + std::to_string(side), faster_report(20, 300, side)});
  }
  return reports;
}

TEST(Sweeps, OverSizeHaveOneSeriesADevice) {
  const auto sweeps = find_sweeps(size_sweep());
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_EQ(sweeps[0].variable, "problem size (nodes)");
  ASSERT_THAT(sweeps[0].series, SizeIs(2));
  EXPECT_EQ(sweeps[0].series[0].name, "Example CPU, openmp, 16 threads");
  EXPECT_EQ(sweeps[0].series[1].name, "Example GPU, cuda");
  ASSERT_THAT(sweeps[0].series[1].points, SizeIs(3));
  EXPECT_DOUBLE_EQ(sweeps[0].series[1].points[0].first, 128 * 128);
  EXPECT_DOUBLE_EQ(sweeps[0].series[1].points[2].first, 512 * 512);
  EXPECT_NEAR(sweeps[0].series[1].points[0].second, 20e9, 1);
}

TEST(Sweeps, OverSizeGiveNoWarnings) { EXPECT_THAT(comparison_warnings(size_sweep()), IsEmpty()); }

TEST(Sweeps, StillWarnOfAnotherCase) {
  Reports reports = size_sweep();
  reports[5].report.case_digest = "beef";
  EXPECT_THAT(
      comparison_warnings(reports),
      ElementsAre("gpu256 differs from cpu256 in its case: digest beef instead of cafe256."));
}

TEST(Sweeps, OverThreads) {
  Reports reports;
  for (const int threads : {1, 2, 4}) {
    reports.push_back({std::to_string(threads), sample_report()});
    reports.back().report.threads = threads;
  }
  reports.push_back({"gpu", faster_report(20, 300)});
  const auto sweeps = find_sweeps(reports);
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_EQ(sweeps[0].variable, "threads");
  ASSERT_THAT(sweeps[0].series, SizeIs(1)) << "a GPU has no place among host threads";
  EXPECT_EQ(sweeps[0].series[0].points[2].first, 4);
}

TEST(Sweeps, OverATuningValue) {
  Reports reports;
  for (const int segment : {4, 8, 16}) {
    for (const std::int64_t side : {128, 256}) {
      reports.push_back({"run", sample_report(side)});
      reports.back().report.tuning = {{"segment", segment}, {"team", 1}};
    }
  }
  const auto sweeps = find_sweeps(reports);
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_EQ(sweeps[0].variable, "tuning: segment");
  ASSERT_THAT(sweeps[0].series, SizeIs(2));
  EXPECT_EQ(sweeps[0].series[0].name, "nodes 16384, nodes_x 128, nodes_y 128");
}

TEST(Sweeps, OverASizeThatIsNotInTheUpdates) {
  Reports reports;
  for (const int samples : {100, 200, 300}) {
    reports.push_back({"run", sample_report()});
    reports.back().report.sizes["samples"] = samples;
  }
  const auto sweeps = find_sweeps(reports);
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_EQ(sweeps[0].variable, "samples");
  EXPECT_EQ(sweeps[0].series[0].name, "Example CPU");
}

TEST(Sweeps, NeedThreePlaces) {
  Reports reports{{"a", sample_report(128)}, {"b", sample_report(256)}, {"c", sample_report(256)}};
  EXPECT_THAT(find_sweeps(reports), IsEmpty());
  EXPECT_THAT(comparison_warnings(reports), Not(IsEmpty()));
}

TEST(Sweeps, NeedOneMethod) {
  Reports reports = size_sweep();
  reports[1].report.method = "bgkw";
  EXPECT_THAT(find_sweeps(reports), IsEmpty());
}

TEST(ComparisonText, IsAlignedAndComplete) {
  TimingReport gpu = faster_report(40, 7000);
  gpu.kernels.pop_back();
  EXPECT_EQ(comparison_text({{"cpu", sample_report()}, {"gpu", gpu}}),
            R"(Lid-driven cavity (lbm-d2q9)

       backend  threads  precision  variant        sizes                                  device
  cpu  openmp   16       single     in-place, BGK  nodes 65536, nodes_x 256, nodes_y 256  Example CPU
  gpu  cuda     1        single     in-place, BGK  nodes 65536, nodes_x 256, nodes_y 256  Example GPU

       time a call  nodes/s   GB/s  of copy  GFLOP/s  of time  speedup
overall
  cpu     65.54 µs  1.000 G  72.00   50.0 %    100.0  100.0 %  1.000 x
  gpu     1.638 µs  40.00 G   2880   50.0 %     4000  100.0 %  40.00 x
collide
  cpu     49.15 µs  1.333 G  96.00   66.7 %    133.3   75.0 %  1.000 x
  gpu     1.229 µs  53.33 G   3840   66.7 %     5333   75.0 %  40.00 x
walls
  cpu     8.192 µs  8.000 G  9.000    6.2 %        -   12.5 %  1.000 x
  gpu            -        -      -        -        -        -        -
)");
}

TEST(ComparisonText, RatesOfDifferentUnitsAreUpdates) {
  TimingReport other = sample_report();
  other.update_unit = "phase-space point";
  EXPECT_EQ(rate_unit({{"a", sample_report()}, {"b", sample_report()}}), "nodes/s");
  EXPECT_EQ(rate_unit({{"a", sample_report()}, {"b", other}}), "updates/s");
}

}  // namespace
}  // namespace knudsen
