#include "report/comparison.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "sample_reports.hpp"

namespace knudsen {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Reports = std::vector<NamedReport>;

class ReadReports : public ReportFiles {};

TEST_F(ReadReports, LabelsAreFileNames) {
  const Reports reports = read_reports(
      {write("a/cpu.json", sample_report()), write("b/gpu.json", faster_report(10, 50))});
  EXPECT_EQ(reports[0].label, "cpu");
  EXPECT_EQ(reports[1].label, "gpu");
  EXPECT_EQ(reports[1].report.backend, "cuda");
}

TEST_F(ReadReports, LabelsAreFoldersWhereFileNamesAreEqual) {
  const Reports reports = read_reports(
      {write("one/timing.json", sample_report()), write("all/timing.json", faster_report(10, 50))});
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
  const auto compared = compare_kernels({{"cpu", sample_report()}, {"gpu", faster_report(40, 50)}});
  ASSERT_THAT(compared, SizeIs(4));
  for (const ComparedKernel& kernel : compared) {
    if (kernel.name == launch_and_idle) continue;
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
  EXPECT_NEAR(total.spread.value(), 0.02, 1e-12);
}

TEST(CompareKernels, WithoutBatchesTheTotalIsByTheWholeTime) {
  TimingReport brief = sample_report();
  brief.total.step_seconds = {};
  const auto compared = compare_kernels({{"a", brief}, {"b", sample_report()}});
  EXPECT_DOUBLE_EQ(compared[0].runs[0]->seconds_per_call, 1.02 * 256 * 256 * 1e-9);
  EXPECT_FALSE(compared[0].runs[0]->spread.has_value());
  EXPECT_DOUBLE_EQ(compared[0].runs[1]->speedup, 1.02);
}

TEST(CompareKernels, ACallIsTheMedianAndRatesAreOfAllCalls) {
  const auto compared = compare_kernels({{"a", sample_report()}, {"b", sample_report()}});
  EXPECT_EQ(compared[1].name, "collide");
  const Measurement& collide = *compared[1].runs[0];
  EXPECT_DOUBLE_EQ(collide.seconds_per_call, 0.87 * 256 * 256 * 1e-9);
  EXPECT_DOUBLE_EQ(collide.updates_per_second, 1e9 / 0.875);
  EXPECT_DOUBLE_EQ(collide.gb_s, 72 / 0.87);
  EXPECT_DOUBLE_EQ(collide.bandwidth_share, 72 / 0.87 / 144);
  EXPECT_DOUBLE_EQ(collide.gflop_s, 100 / 0.87);
  EXPECT_DOUBLE_EQ(collide.time_share, 0.875);
  EXPECT_NEAR(collide.spread.value(), 0.02, 1e-12);
}

TEST(CompareKernels, KernelsAndLaunchAndIdleAddUpToTheTotal) {
  TimingReport slowed = sample_report();
  slowed.kernels[0].seconds *= 1.12;  // more than the steps that were not timed took
  const auto compared = compare_kernels({{"a", faster_report(40, 50)}, {"b", slowed}});
  ASSERT_EQ(compared.back().name, launch_and_idle);
  for (const std::size_t run : {0, 1}) {
    double share = 0;
    for (std::size_t row = 1; row < compared.size(); ++row)
      share += compared[row].runs[run]->time_share;
    EXPECT_NEAR(share, 1, 1e-12);
  }
  const Measurement& idle = *compared.back().runs[0];
  EXPECT_NEAR(idle.time_share, 0.025, 1e-12);
  EXPECT_NEAR(idle.seconds_per_call, 0.025 * 256 * 256 * 1e-9 / 40, 1e-18);
  EXPECT_EQ(idle.speedup, 0);
  EXPECT_NEAR(compared.back().runs[1]->time_share, -0.08, 1e-12);
  EXPECT_THAT(measurement_cells(compared.back().runs[1]),
              ElementsAre("-5.243 µs", "-", "-", "-", "-", "-8.0 %", "-", "-"));
}

TEST(CompareKernels, LaunchAndIdleNeedsKernelsThatWereTimedInTheStream) {
  TimingReport untimed = sample_report();
  untimed.kernel_clock.clear();
  TimingReport brief = sample_report();  // ended before the second kernel was timed
  brief.kernels[1].call_seconds = {};
  const auto compared = compare_kernels(
      {{"a", first_format_report()}, {"b", untimed}, {"c", brief}, {"d", sample_report()}});
  ASSERT_EQ(compared.back().name, launch_and_idle);
  EXPECT_FALSE(compared.back().runs[0].has_value());
  EXPECT_FALSE(compared.back().runs[1].has_value());
  EXPECT_FALSE(compared.back().runs[2].has_value());
  EXPECT_TRUE(compared.back().runs[3].has_value());
}

TEST(CompareKernels, KernelsOfFormatOneAreByTheirMedian) {
  const auto compared =
      compare_kernels({{"a", first_format_report()}, {"b", first_format_report()}});
  EXPECT_NEAR(compared[1].runs[0]->time_share, 0.87 / 1.02, 1e-12);
  EXPECT_NEAR(compared[1].runs[0]->updates_per_second, 1e9 / 0.87, 1);
}

TEST(CompareKernels, FormatOneHasNoSpread) {
  const auto compared =
      compare_kernels({{"a", first_format_report()}, {"b", first_format_report()}});
  EXPECT_FALSE(compared[0].runs[0]->spread.has_value());
  EXPECT_FALSE(compared[1].runs[0]->spread.has_value());
}

TEST(CompareKernels, KernelsAreMatchedByName) {
  TimingReport other = sample_report();
  other.kernels[0].name = "stream";
  const auto compared = compare_kernels({{"a", sample_report()}, {"b", other}});
  std::vector<std::string> names;
  for (const ComparedKernel& kernel : compared) names.push_back(kernel.name);
  EXPECT_THAT(names, ElementsAre("overall", "collide", "walls", "stream", launch_and_idle));
  EXPECT_FALSE(compared[1].runs[1].has_value());
  EXPECT_TRUE(compared[2].runs[1].has_value());
  EXPECT_FALSE(compared[3].runs[0].has_value());
  EXPECT_EQ(compared[3].runs[1]->speedup, 0);
}

TEST(CompareKernels, KernelsNeverTimedHaveNoRates) {
  TimingReport other = sample_report();
  other.kernels[0].call_seconds = {};
  other.kernels[0].seconds = 0;
  const auto compared = compare_kernels({{"a", other}, {"b", sample_report()}});
  EXPECT_EQ(compared[1].runs[0]->updates_per_second, 0);
  EXPECT_EQ(compared[1].runs[1]->speedup, 0);
  EXPECT_THAT(measurement_cells(compared[1].runs[0]),
              ElementsAre("-", "-", "-", "-", "-", "-", "-", "-"));
}

/// The warnings for a report that differs from the sample by `change`.
template <class Change>
std::vector<std::string> warnings_of(const Change& change) {
  TimingReport other = sample_report();
  change(other);
  return comparison_warnings({{"a", sample_report()}, {"b", other}});
}

TEST(ComparisonWarnings, NoneForTheSameCaseElsewhere) {
  EXPECT_THAT(comparison_warnings({{"cpu", sample_report()}, {"gpu", faster_report(40, 50)}}),
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

TEST(ComparisonWarnings, OneThreadAllCoresAndAGpuNeedNone) {
  TimingReport one = sample_report();
  one.threads = 1;
  EXPECT_THAT(
      comparison_warnings({{"one", one}, {"all", sample_report()}, {"gpu", faster_report(40, 50)}}),
      IsEmpty());
}

TEST(ComparisonWarnings, AnotherHost) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.host = "node2"; }),
              ElementsAre("The runs were made on different hosts (a: node1; b: node2), so a "
                          "speedup is not one between the parts of a single machine."));
}

TEST(ComparisonWarnings, AnotherBuild) {
  EXPECT_THAT(warnings_of([](TimingReport& r) {
                r.compiler = "Clang 14.0.6";
                r.kokkos_version = "4.5.1";
                r.git_commit = "fedcba987654";
              }),
              ElementsAre("The runs were made by builds of different compilers (a: GNU 12.2.0; b: "
                          "Clang 14.0.6), so a part of a speedup may be the compiler's.",
                          "The runs were made with different versions of Kokkos (a: 3.4.1; b: "
                          "4.5.1), so a part of a speedup may be that of Kokkos.",
                          "The runs were made from different commits (a: 0123456789ab; b: "
                          "fedcba987654), so a part of a speedup may come from changes of the "
                          "program."));
}

TEST(ComparisonWarnings, RunsOfOneKindAreNamedTogether) {
  TimingReport other = sample_report();
  other.host = "node2";
  EXPECT_THAT(comparison_warnings({{"a", sample_report()},
                                   {"b", other},
                                   {"c", sample_report()},
                                   {"d", other},
                                   {"e", other}}),
              ElementsAre(HasSubstr("(a and c: node1; b, d and e: node2)")));
}

TEST(ComparisonWarnings, ManyRunsOfOneKindAreCounted) {
  Reports reports{{"a", sample_report()}};
  for (const char* label : {"b", "c", "d", "e", "f"}) {
    reports.push_back({label, sample_report()});
    reports.back().report.host = "node2";
  }
  EXPECT_THAT(comparison_warnings(reports),
              ElementsAre(HasSubstr("(a: node1; b, c and 3 others: node2)")));
}

TEST(ComparisonWarnings, OfManyRunsEachWithAValueOfItsOwnNameTwo) {
  Reports reports;
  for (const char* label : {"a", "b", "c", "d", "e"}) {
    reports.push_back({label, sample_report()});
    reports.back().report.host = std::string("node ") + label;
  }
  EXPECT_THAT(comparison_warnings(reports),
              ElementsAre(HasSubstr("(a: node a; b: node b; 3 other runs)")));
}

TEST(ComparisonWarnings, ThreadsThatAreNotBound) {
  const auto warnings = warnings_of([](TimingReport& r) { r.bound = false; });
  EXPECT_THAT(warnings,
              ElementsAre("The threads of the runs on the host were not bound to cores alike (a: "
                          "bound; b: not bound), so a part of a speedup may be that of the "
                          "binding.",
                          "The threads of b were not bound to cores, so they may have moved and "
                          "run slower than they can."));
}

TEST(ComparisonWarnings, BindingIsOfTheHostOnly) {
  TimingReport gpu = faster_report(40, 50);
  gpu.bound = false;
  EXPECT_THAT(comparison_warnings({{"a", sample_report()}, {"b", gpu}}), IsEmpty());
}

TEST(ComparisonWarnings, ABindingThatIsNotKnownIsNone) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.bound.reset(); }), IsEmpty());
}

TEST(ComparisonWarnings, FewerThreadsThanCores) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.threads = 8; }),
              ElementsAre("Not all cores were used (b: 8 of 16), so the speedup is neither over "
                          "one thread nor over the whole host."));
}

TEST(ComparisonWarnings, ReportsOfFormatOne) {
  EXPECT_THAT(comparison_warnings({{"a", first_format_report()}, {"b", sample_report()}}),
              ElementsAre("The report of a is of format 1: kernels were timed between fences, and "
                          "their times do not add up to that of the run; record it again."));
  EXPECT_THAT(comparison_warnings({{"a", first_format_report()}, {"b", first_format_report()}}),
              ElementsAre(AllOf(HasSubstr("The reports of a and b are of format 1"),
                                HasSubstr("record them again."))));
}

TEST(ComparisonWarnings, FewBatches) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.total.step_seconds.count = 4; }),
              ElementsAre("Some runs are too short to trust (b: 13.37 s in 4 batches): they need "
                          "five batches of steps and two seconds of stepping."));
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.total.step_seconds.count = 5; }), IsEmpty());
}

TEST(ComparisonWarnings, FewSeconds) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.total.seconds = 1.99; }),
              ElementsAre(HasSubstr("too short to trust (b: 1.990 s in 20 batches)")));
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.total.seconds = 2; }), IsEmpty());
}

TEST(ComparisonWarnings, BatchesOfFormatOneAreNotKnown) {
  TimingReport brief = first_format_report();
  brief.total.seconds = 0.5;
  EXPECT_THAT(comparison_warnings({{"a", brief}, {"b", sample_report()}}),
              ElementsAre(HasSubstr("format 1"), HasSubstr("too short to trust (a: 500.0 ms)")));
}

TEST(ComparisonWarnings, BatchesThatVary) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.total.step_seconds.upper_quartile *= 1.04; }),
              ElementsAre("The time of a step varied within runs (interquartile range over median: "
                          "b: 6.0 %), by more than 5 %, so something else may have used the "
                          "machine."));
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.total.step_seconds.upper_quartile *= 1.029; }),
              IsEmpty());
}

TEST(ComparisonWarnings, KernelsThatDoNotAddUp) {
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.kernels[0].seconds *= 0.88; }),
              ElementsAre("The kernels' times differ by more than 3 % from that of the run (launch "
                          "and idle: b: 13.0 %), so speedups of kernels do not explain the overall "
                          "one."));
  EXPECT_THAT(warnings_of([](TimingReport& r) { r.kernels[0].seconds *= 1.12; }),
              ElementsAre(HasSubstr("(launch and idle: b: -8.0 %)")));
  EXPECT_THAT(warnings_of([](TimingReport& r) {
                r.kernel_clock.clear();
                for (KernelTiming& kernel : r.kernels) kernel.seconds = 0;
              }),
              IsEmpty());
}

Reports size_sweep() {
  Reports reports;
  for (const std::int64_t side : {512, 128, 256}) {
    reports.push_back({"cpu" + std::to_string(side), sample_report(side)});
    reports.push_back({"gpu" + std::to_string(side), faster_report(20, 30, side)});
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

TEST(Sweeps, StillWarnOfMachinesAndMeasurements) {
  Reports reports = size_sweep();
  reports[3].report.host = "node2";
  reports[5].report.total.step_seconds.count = 2;
  EXPECT_THAT(comparison_warnings(reports),
              ElementsAre(HasSubstr("gpu128: node2"), HasSubstr("too short to trust (gpu256:")));
}

TEST(Sweeps, OverThreadsNeedNotUseAllCores) {
  Reports reports;
  for (const int threads : {1, 2, 4}) {
    reports.push_back({std::to_string(threads), sample_report()});
    reports.back().report.threads = threads;
  }
  EXPECT_THAT(comparison_warnings(reports), IsEmpty());
}

TEST(Sweeps, OverThreads) {
  Reports reports;
  for (const int threads : {1, 2, 4}) {
    reports.push_back({std::to_string(threads), sample_report()});
    reports.back().report.threads = threads;
  }
  reports.push_back({"gpu", faster_report(20, 30)});
  const auto sweeps = find_sweeps(reports);
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_EQ(sweeps[0].variable, "threads");
  ASSERT_THAT(sweeps[0].series, SizeIs(1)) << "a GPU has no place among host threads";
  EXPECT_EQ(sweeps[0].series[0].points[2].first, 4);
}

TEST(Sweeps, OverRanksHaveAnEfficiency) {
  Reports reports;
  for (const int ranks : {1, 2, 4}) {
    reports.push_back({std::to_string(ranks), sample_report()});
    reports.back().report.ranks = ranks;
  }
  const auto sweeps = find_sweeps(reports);
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_EQ(sweeps[0].variable, "ranks");
  EXPECT_EQ(measurement_headings(reports).back(), "efficiency");
  EXPECT_EQ(measurement_cells(compare_kernels(reports)[0].runs[2], true).back(), "25.0 %");
  EXPECT_EQ(measurement_cells({}, true).size(), measurement_headings(reports).size() - 1);
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
  TimingReport gpu = faster_report(40, 50);
  gpu.kernels.pop_back();
  EXPECT_EQ(comparison_text({{"cpu", sample_report()}, {"gpu", gpu}}),
            R"(Lid-driven cavity (lbm-d2q9)

What was run where
                                 cpu                                    gpu
  case                           Lid-driven cavity                      Lid-driven cavity
  method                         lbm-d2q9                               lbm-d2q9
  variant                        in-place, BGK                          in-place, BGK
  precision                      single                                 single
  sizes                          nodes 65536, nodes_x 256, nodes_y 256  nodes 65536, nodes_x 256, nodes_y 256
  case digest                    cafe256                                cafe256
  host                           node1                                  node1
  device                         Example CPU                            Example GPU
  backend                        openmp                                 cuda
  threads                        16 of 16 cores, bound                  -
  compiler                       GNU 12.2.0                             GNU 12.2.0
  Kokkos                         3.4.1                                  3.4.1
  commit                         0123456789ab                           0123456789ab
  steps                          200000                                 10000000
  stepping                       13.37 s                                16.71 s
  batches                        20                                     20
  set-up                         250.0 ms                               250.0 ms
  output                         500.0 ms                               500.0 ms
  copy bandwidth before / after  140.0 / 144.0 GB/s                     5600 / 5760 GB/s
  kernel clock                   host clock                             device events
  GPU clock                      -                                      1980 MHz
  GPU power                      -                                      512.0 W

       time a call  nodes/s   GB/s  of copy  GFLOP/s  of time  spread  speedup
overall
  cpu     65.54 µs  1.000 G  72.00   50.0 %    100.0  100.0 %   2.0 %  1.000 x
  gpu     1.638 µs  40.00 G   2880   50.0 %     4000  100.0 %   2.0 %  40.00 x
collide
  cpu     57.02 µs  1.143 G  82.76   57.5 %    114.9   87.5 %   2.0 %  1.000 x
  gpu     1.425 µs  45.71 G   3310   57.5 %     4598   87.5 %   2.0 %  40.00 x
walls
  cpu     6.554 µs  10.00 G  11.25    7.8 %        -   10.0 %   2.0 %  1.000 x
  gpu            -        -      -        -        -        -       -        -
launch and idle
  cpu     1.638 µs        -      -        -        -    2.5 %       -        -
  gpu     204.8 ns        -      -        -        -   12.5 %       -        -
)");
}

TEST(ComparisonText, OfManyRunsHasARowForEach) {
  const std::string text = comparison_text(size_sweep());
  EXPECT_THAT(text, HasSubstr("What was run where\n  runs"));
  EXPECT_THAT(text, HasSubstr("\n  host       node1\n"));
  EXPECT_THAT(text, HasSubstr("\n  cpu512  nodes 262144, nodes_x 512, nodes_y 512  cafe512      "
                              "Example CPU  openmp   16 of "));
}

TEST(ComparisonText, RatesOfDifferentUnitsAreUpdates) {
  TimingReport other = sample_report();
  other.update_unit = "phase-space point";
  EXPECT_EQ(rate_unit({{"a", sample_report()}, {"b", sample_report()}}), "nodes/s");
  EXPECT_EQ(rate_unit({{"a", sample_report()}, {"b", other}}), "updates/s");
}

std::string fact(const RunFacts& facts, const std::string& heading, std::size_t run) {
  const auto found = std::find(facts.headings.begin(), facts.headings.end(), heading);
  if (found == facts.headings.end()) return "no such column";
  return facts.of_runs[run][static_cast<std::size_t>(found - facts.headings.begin())];
}

TEST(RunFacts, SayWhatWasRunWhere) {
  TimingReport cpu = sample_report();
  cpu.case_digest = "0123456789abcdef";
  cpu.bound = false;
  cpu.threads = 8;
  const RunFacts facts =
      run_facts({{"cpu", cpu}, {"gpu", faster_report(40, 50)}, {"old", first_format_report()}});
  EXPECT_EQ(fact(facts, "case digest", 0), "0123456789ab");
  EXPECT_EQ(fact(facts, "threads", 0), "8 of 16 cores, not bound");
  EXPECT_EQ(fact(facts, "threads", 1), "-");
  EXPECT_EQ(fact(facts, "threads", 2), "16");
  EXPECT_EQ(fact(facts, "copy bandwidth before / after", 0), "140.0 / 144.0 GB/s");
  EXPECT_EQ(fact(facts, "copy bandwidth before / after", 2), "- / 144.0 GB/s");
  EXPECT_EQ(fact(facts, "batches", 0), "20");
  EXPECT_EQ(fact(facts, "batches", 2), "-");
  EXPECT_EQ(fact(facts, "kernel clock", 0), "host clock");
  EXPECT_EQ(fact(facts, "kernel clock", 1), "device events");
  EXPECT_EQ(fact(facts, "kernel clock", 2), "fenced launches");
  EXPECT_EQ(fact(facts, "GPU clock", 0), "-");
  EXPECT_EQ(fact(facts, "GPU clock", 1), "1980 MHz");
  EXPECT_EQ(fact(facts, "GPU power", 1), "512.0 W");
}

TEST(RunFacts, LeaveOutWhatNoRunHas) {
  const RunFacts facts = run_facts({{"a", sample_report()}, {"b", sample_report()}});
  EXPECT_EQ(fact(facts, "GPU clock", 0), "no such column");
  EXPECT_EQ(fact(facts, "tuning", 0), "no such column");
}

}  // namespace
}  // namespace knudsen
