#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "sample_reports.hpp"

namespace knudsen {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class TimingReportFile : public ReportFiles {
 protected:
  json sample() const { return json::parse(read(write("sample.json", sample_report()))); }

  /// The reader's error for the sample after `change`.
  std::string refusal(const std::function<void(json&)>& change) const {
    json changed = sample();
    change(changed);
    return refusal_of_text(changed.dump());
  }

  std::string refusal_of_text(const std::string& text) const {
    const auto path = write("run.json", text);
    return message_of<InputError>([&] { read_timing_report(path); });
  }
};

TEST_F(TimingReportFile, HasTheKeysThatOtherToolsRead) {
  const json report = sample();
  EXPECT_EQ(report.at("format"), "knudsen-timing-2");
  for (const char* key : {"title",          "method",       "variant",
                          "precision",      "backend",      "device",
                          "threads",        "cores",        "bound",
                          "kernel_clock",   "device_state", "host",
                          "kokkos_version", "compiler",     "git_commit",
                          "case_digest",    "sizes",        "copy_bandwidth_gb_s",
                          "total",          "kernels"})
    EXPECT_TRUE(report.contains(key)) << key;
  for (const char* key : {"steps", "seconds", "updates", "updates_per_second", "ns_per_update",
                          "gb_s", "bytes", "bandwidth_share", "setup_seconds", "io_seconds",
                          "step_seconds", "launch_and_idle_seconds"})
    EXPECT_TRUE(report.at("total").contains(key)) << key;
  for (const char* key : {"name", "calls", "seconds", "min_seconds", "call_seconds", "bytes",
                          "flops", "gb_s", "gflop_s"})
    EXPECT_TRUE(report.at("kernels").at(0).contains(key)) << key;
  for (const char* key : {"count", "lower_quartile", "median", "upper_quartile"}) {
    EXPECT_TRUE(report.at("total").at("step_seconds").contains(key)) << key;
    EXPECT_TRUE(report.at("kernels").at(0).at("call_seconds").contains(key)) << key;
  }
  EXPECT_EQ(report.at("copy_bandwidth_gb_s"), (json{{"before", 140.0}, {"after", 144.0}}));
}

TEST_F(TimingReportFile, HasTheDerivedRates) {
  const json report = sample();
  EXPECT_DOUBLE_EQ(report.at("total").at("ns_per_update"), 1);
  EXPECT_DOUBLE_EQ(report.at("total").at("updates_per_second"), 1e9);
  EXPECT_DOUBLE_EQ(report.at("total").at("gb_s"), 72);
  EXPECT_DOUBLE_EQ(report.at("total").at("bandwidth_share"), 0.5);
  EXPECT_DOUBLE_EQ(report.at("kernels").at(0).at("gb_s"), 72 / 0.87);
  EXPECT_DOUBLE_EQ(report.at("kernels").at(0).at("gflop_s"), 100 / 0.87);
  const double stepping = 256 * 256 * 1e-9 * 200000;
  EXPECT_NEAR(report.at("total").at("launch_and_idle_seconds"), 0.025 * stepping, 1e-9);
}

TEST_F(TimingReportFile, HasTheRanks) {
  EXPECT_EQ(sample().at("ranks"), 1);
  TimingReport report = sample_report();
  report.ranks = 2;
  report.transport = "peer memory";
  report.rank_timings = {{"rank 0 on a", "GPU", 0.9, 0.05, 0.05, 100, 2, 10},
                         {"rank 1 on a", "GPU", 0.6, 0.05, 0.35, 100, 2, 10}};
  EXPECT_DOUBLE_EQ(report.imbalance(), 0.2);
  const TimingReport read = read_timing_report(write("ranks.json", report));
  EXPECT_EQ(read.ranks, 2);
  EXPECT_EQ(read.transport, "peer memory");
  ASSERT_EQ(read.rank_timings.size(), 2);
  EXPECT_EQ(read.rank_timings[1].name, "rank 1 on a");
  EXPECT_EQ(read.rank_timings[1].waiting, 0.35);
}

TEST_F(TimingReportFile, SharesAreOfTheLargerCopyBandwidth) {
  TimingReport report = sample_report();
  report.copy_bandwidth_gb_s = {288, 144};
  EXPECT_DOUBLE_EQ(report.bandwidth_share(), 0.25);
}

void expect_equal(const Spread& found, const Spread& written) {
  EXPECT_EQ(found.count, written.count);
  EXPECT_EQ(found.lower_quartile, written.lower_quartile);
  EXPECT_EQ(found.median, written.median);
  EXPECT_EQ(found.upper_quartile, written.upper_quartile);
}

TEST_F(TimingReportFile, ComesBackAsItWasWritten) {
  TimingReport written = faster_report(40, 50);
  written.bound = false;
  written.tuning = {{"segment", 32}};
  written.memory_bytes = {{"stated", 5000000000}};
  written.converged = false;
  written.warnings = {"the first", "the second"};
  const TimingReport found = read_timing_report(write("run.json", written));
  EXPECT_EQ(found.title, written.title);
  EXPECT_EQ(found.method, written.method);
  EXPECT_EQ(found.variant, written.variant);
  EXPECT_EQ(found.precision, written.precision);
  EXPECT_EQ(found.backend, written.backend);
  EXPECT_EQ(found.device, written.device);
  EXPECT_EQ(found.threads, written.threads);
  EXPECT_EQ(found.host, written.host);
  EXPECT_EQ(found.kokkos_version, written.kokkos_version);
  EXPECT_EQ(found.compiler, written.compiler);
  EXPECT_EQ(found.git_commit, written.git_commit);
  EXPECT_EQ(found.case_digest, written.case_digest);
  EXPECT_EQ(found.sizes, written.sizes);
  EXPECT_EQ(found.tuning, written.tuning);
  EXPECT_EQ(found.memory_bytes, written.memory_bytes);
  EXPECT_EQ(found.update_unit, written.update_unit);
  EXPECT_EQ(found.results, written.results);
  EXPECT_EQ(found.converged, written.converged);
  EXPECT_EQ(found.warnings, written.warnings);
  EXPECT_EQ(found.format, 2);
  EXPECT_EQ(found.cores, written.cores);
  EXPECT_EQ(found.bound, written.bound);
  EXPECT_EQ(found.kernel_clock, written.kernel_clock);
  EXPECT_EQ(found.copy_bandwidth_gb_s.before, written.copy_bandwidth_gb_s.before);
  EXPECT_EQ(found.copy_bandwidth_gb_s.after, written.copy_bandwidth_gb_s.after);
  ASSERT_EQ(found.device_state.size(), 2U);
  expect_equal(found.device_state.at("power_w"), written.device_state.at("power_w"));
  expect_equal(found.total.step_seconds, written.total.step_seconds);
  EXPECT_EQ(found.total.steps, written.total.steps);
  EXPECT_EQ(found.total.seconds, written.total.seconds);
  EXPECT_EQ(found.total.updates, written.total.updates);
  EXPECT_EQ(found.total.bytes, written.total.bytes);
  EXPECT_EQ(found.total.setup_seconds, written.total.setup_seconds);
  EXPECT_EQ(found.total.io_seconds, written.total.io_seconds);
  ASSERT_EQ(found.kernels.size(), 2U);
  EXPECT_EQ(found.kernels[1].name, "walls");
  EXPECT_EQ(found.kernels[0].calls, 10000000);
  expect_equal(found.kernels[0].call_seconds, written.kernels[0].call_seconds);
  EXPECT_EQ(found.kernels[0].seconds, written.kernels[0].seconds);
  EXPECT_EQ(found.kernels[0].min_seconds, written.kernels[0].min_seconds);
  EXPECT_EQ(found.kernels[0].bytes, written.kernels[0].bytes);
  EXPECT_EQ(found.kernels[0].flops, written.kernels[0].flops);
}

TEST_F(TimingReportFile, OfAnotherToolNeedsOnlyThePublishedKeys) {
  json report = sample();
  for (const char* key :
       {"tuning", "memory_bytes", "update_unit", "results", "cores", "bound", "device_state"})
    report.erase(key);
  for (const char* key : {"updates_per_second", "ns_per_update", "gb_s", "bandwidth_share",
                          "launch_and_idle_seconds"})
    report["total"].erase(key);
  report["extra"] = "ignored";
  const TimingReport found = read_timing_report(write("run.json", report.dump()));
  EXPECT_EQ(found.update_unit, "update");
  EXPECT_EQ(found.cores, 0);
  EXPECT_FALSE(found.bound.has_value());
  EXPECT_DOUBLE_EQ(found.total.gb_s(), 72);
}

/// A report of format 1, as versions before format 2 wrote it.
constexpr const char* first_format = R"({
  "format": "knudsen-timing-1", "title": "Cavity", "method": "lbm-d2q9", "variant": "in-place, BGK",
  "precision": "single", "backend": "cuda", "device": "Example GPU", "threads": 1,
  "host": "node1", "kokkos_version": "3.4.1", "compiler": "GNU 12.2.0",
  "git_commit": "0123456789ab", "case_digest": "cafe", "sizes": {"nodes": 1000},
  "copy_bandwidth_gb_s": 4000.0,
  "total": {"steps": 100, "seconds": 0.5, "updates": 100000.0, "bytes": 7200000.0, "gb_s": 0.0144,
    "setup_seconds": 0.25, "io_seconds": 0.0},
  "kernels": [{"name": "collide", "calls": 100, "timed_calls": 18, "seconds": 0.6,
    "min_seconds": 0.003, "median_seconds": 0.004, "bytes": 72000.0, "flops": 1e5}]
})";

TEST_F(TimingReportFile, OfFormatOneIsRead) {
  const TimingReport found = read_timing_report(write("run.json", std::string(first_format)));
  EXPECT_EQ(found.format, 1);
  EXPECT_EQ(found.kernel_clock, "fenced launches");
  EXPECT_EQ(found.cores, 0);
  EXPECT_FALSE(found.bound.has_value());
  EXPECT_EQ(found.copy_bandwidth_gb_s.before, 0);
  EXPECT_EQ(found.copy_bandwidth_gb_s.after, 4000);
  EXPECT_EQ(found.total.step_seconds.count, 0);
  EXPECT_DOUBLE_EQ(found.total.seconds_per_step(), 0.005);
  EXPECT_DOUBLE_EQ(found.total.updates_per_second(), 2e5);
  EXPECT_EQ(found.total.bytes, 7.2e6);
  ASSERT_EQ(found.kernels.size(), 1U);
  expect_equal(found.kernels[0].call_seconds, {18, 0.004, 0.004, 0.004});
  EXPECT_EQ(found.kernels[0].seconds, 0.6);
}

TEST_F(TimingReportFile, OfTheOldestKindIsRead) {
  json report = json::parse(first_format);
  report["total"].erase("bytes");
  report["kernels"][0].erase("timed_calls");
  const TimingReport found = read_timing_report(write("run.json", report.dump()));
  EXPECT_DOUBLE_EQ(found.total.bytes, 7.2e6);
  EXPECT_EQ(found.kernels[0].call_seconds.count, 100);
}

TEST_F(TimingReportFile, OfFormatOneNeedsItsOwnKeys) {
  json report = json::parse(first_format);
  report["kernels"][0].erase("median_seconds");
  EXPECT_THAT(refusal_of_text(report.dump()),
              HasSubstr("run.json: kernels[0].median_seconds: missing, must be 0 or a number"));
  report = json::parse(first_format);
  report["copy_bandwidth_gb_s"] = {{"before", 1}, {"after", 2}};
  EXPECT_THAT(refusal_of_text(report.dump()), HasSubstr("copy_bandwidth_gb_s: found "));
}

TEST_F(TimingReportFile, SurvivesNamesThatAreNotUtf8) {
  TimingReport report = sample_report();
  report.device = "GPU \xff";
  EXPECT_THAT(read_timing_report(write("run.json", report)).device, HasSubstr("GPU "));
}

TEST_F(TimingReportFile, WritingIntoAMissingDirectoryIsARunError) {
  EXPECT_THROW(write_timing_report(file("nowhere/run.json"), sample_report()), RunError);
}

TEST_F(TimingReportFile, MissingFileIsNamed) {
  const std::string message =
      message_of<InputError>([&] { read_timing_report(file("absent.json")); });
  EXPECT_THAT(message, HasSubstr("absent.json"));
  EXPECT_THAT(message, HasSubstr("no such file"));
}

TEST_F(TimingReportFile, DirectoryIsRefused) {
  EXPECT_THAT(message_of<InputError>([&] { read_timing_report(file("")); }),
              HasSubstr("not a readable file"));
}

TEST_F(TimingReportFile, BrokenJsonIsRefusedWithLineAndColumn) {
  EXPECT_THAT(refusal_of_text("{\n  \"format\": \"knudsen-timing-1\",\n  \"title\": oops\n}"),
              HasSubstr("run.json:3:12: unexpected \"oops\"; expected a value"));
  EXPECT_THAT(refusal_of_text("oops"), HasSubstr("run.json:1:1: unexpected \"oops\""));
  EXPECT_THAT(refusal_of_text("\n\n{]"), HasSubstr("run.json:3:2: unexpected ']'"));
}

TEST_F(TimingReportFile, EmptyFileIsRefused) {
  EXPECT_THAT(refusal_of_text(""), HasSubstr("run.json:1:1: unexpected end of the file"));
}

TEST_F(TimingReportFile, TruncatedFileIsRefused) {
  const std::string whole = sample().dump();
  EXPECT_THAT(refusal_of_text(whole.substr(0, whole.size() / 2)), HasSubstr("run.json:1:"));
}

TEST_F(TimingReportFile, NestingHasALimit) {
  const std::size_t depth = 200000;
  EXPECT_THAT(
      refusal_of_text("{\"format\":" + std::string(depth, '[') + std::string(depth, ']') + "}"),
      HasSubstr("more than 100 objects and lists in each other"));
}

TEST_F(TimingReportFile, JsonThatIsNotAnObjectIsRefused) {
  EXPECT_THAT(refusal_of_text("[1, 2]"),
              HasSubstr("run.json: top level: found [1,2], must be an object"));
}

TEST_F(TimingReportFile, AnotherFormatIsRefused) {
  EXPECT_THAT(refusal([](json& j) { j["format"] = "knudsen-timing-3"; }),
              HasSubstr("format: found \"knudsen-timing-3\", must be \"knudsen-timing-2\" or "
                        "\"knudsen-timing-1\""));
  EXPECT_THAT(refusal([](json& j) { j.erase("format"); }),
              HasSubstr("format: missing, must be a string"));
}

TEST_F(TimingReportFile, MissingKeysAreNamed) {
  EXPECT_THAT(refusal([](json& j) { j.erase("device"); }),
              HasSubstr("run.json: device: missing, must be a string"));
  EXPECT_THAT(refusal([](json& j) { j["total"].erase("steps"); }),
              HasSubstr("run.json: total.steps: missing, must be an integer"));
  EXPECT_THAT(refusal([](json& j) { j["kernels"][1].erase("flops"); }),
              HasSubstr("run.json: kernels[1].flops: missing, must be 0 or a number"));
  EXPECT_THAT(refusal([](json& j) { j["kernels"][1].erase("call_seconds"); }),
              HasSubstr("run.json: kernels[1].call_seconds: missing, must be an object"));
  EXPECT_THAT(refusal([](json& j) { j["total"]["step_seconds"].erase("median"); }),
              HasSubstr("run.json: total.step_seconds.median: missing, must be 0 or a number"));
  EXPECT_THAT(refusal([](json& j) { j["total"].erase("bytes"); }),
              HasSubstr("run.json: total.bytes: missing"));
  EXPECT_THAT(refusal([](json& j) { j["copy_bandwidth_gb_s"].erase("before"); }),
              HasSubstr("run.json: copy_bandwidth_gb_s.before: missing"));
  EXPECT_THAT(refusal([](json& j) { j.erase("kernel_clock"); }),
              HasSubstr("run.json: kernel_clock: missing, must be a string"));
}

TEST_F(TimingReportFile, WrongTypesAreNamed) {
  EXPECT_THAT(refusal([](json& j) { j["method"] = 3; }),
              HasSubstr("method: found 3, must be a string"));
  EXPECT_THAT(refusal([](json& j) { j["threads"] = 1.5; }),
              HasSubstr("threads: found 1.5, must be an integer"));
  EXPECT_THAT(refusal([](json& j) { j["total"]["seconds"] = "long"; }),
              HasSubstr("total.seconds: found \"long\", must be 0 or a number"));
  EXPECT_THAT(refusal([](json& j) { j["total"] = json::array(); }),
              HasSubstr("total: found [], must be an object"));
  EXPECT_THAT(refusal([](json& j) { j["kernels"] = 1; }), HasSubstr("kernels: found 1"));
  EXPECT_THAT(refusal([](json& j) { j["kernels"][0] = 1; }), HasSubstr("kernels[0]: found 1"));
  EXPECT_THAT(refusal([](json& j) { j["sizes"]["nodes"] = "many"; }),
              HasSubstr("sizes.nodes: found \"many\", must be an integer"));
  EXPECT_THAT(refusal([](json& j) { j["results"]["vortex"] = 2; }),
              HasSubstr("results.vortex: found 2, must be a string"));
  EXPECT_THAT(refusal([](json& j) { j["bound"] = 1; }),
              HasSubstr("bound: found 1, must be true or false"));
  EXPECT_THAT(refusal([](json& j) { j["copy_bandwidth_gb_s"] = 144.0; }),
              HasSubstr("copy_bandwidth_gb_s: found 144.0, must be an object"));
  EXPECT_THAT(refusal([](json& j) { j["device_state"]["power_w"] = 500; }),
              HasSubstr("device_state.power_w: found 500, must be an object"));
  EXPECT_THAT(refusal([](json& j) { j["total"]["step_seconds"]["count"] = 1.5; }),
              HasSubstr("total.step_seconds.count: found 1.5, must be an integer"));
  EXPECT_THAT(refusal([](json& j) { j["converged"] = "no"; }),
              HasSubstr("converged: found \"no\", must be true or false"));
  EXPECT_THAT(refusal([](json& j) { j["warnings"] = "none"; }),
              HasSubstr("warnings: found \"none\", must be a list of strings"));
  EXPECT_THAT(refusal([](json& j) { j["warnings"] = {1}; }),
              HasSubstr("warnings: found 1, must be a list of strings"));
}

TEST_F(TimingReportFile, ValuesOutOfRangeAreNamed) {
  EXPECT_THAT(refusal([](json& j) { j["threads"] = 0; }),
              HasSubstr("threads: found 0, must be an integer from 1 to 2147483647"));
  EXPECT_THAT(refusal([](json& j) { j["threads"] = 4294967297; }),
              HasSubstr("threads: found 4294967297, must be an integer from 1 to 2147483647"));
  EXPECT_THAT(refusal([](json& j) { j["cores"] = -1; }),
              HasSubstr("cores: found -1, must be an integer from 0 to 2147483647"));
  EXPECT_THAT(refusal([](json& j) { j["total"]["seconds"] = -1.0; }),
              HasSubstr("total.seconds: found -1.0, must be 0 or a number from 1e-30 to 1e+30"));
  EXPECT_THAT(refusal([](json& j) { j["total"]["seconds"] = 1e308; }),
              HasSubstr("total.seconds: found 1e+308, must be 0 or a number from 1e-30 to 1e+30"));
  EXPECT_THAT(refusal([](json& j) { j["total"]["seconds"] = 1e-308; }),
              HasSubstr("total.seconds: found 1e-308, must be 0 or"));
  EXPECT_THAT(refusal([](json& j) { j["kernels"][0]["calls"] = -2; }),
              HasSubstr("kernels[0].calls: found -2"));
  EXPECT_THAT(refusal([](json& j) { j["kernels"][0]["call_seconds"]["count"] = -2; }),
              HasSubstr("kernels[0].call_seconds.count: found -2"));
}

TEST_F(TimingReportFile, NegativeStatesOfTheDeviceAreNamed) {
  EXPECT_THAT(refusal([](json& j) {
                j["device_state"]["power_w"] = {
                    {"count", 1}, {"lower_quartile", 1}, {"median", -5}, {"upper_quartile", 1}};
              }),
              HasSubstr("device_state.power_w.median: found -5, must be 0 or a number"));
}

TEST_F(TimingReportFile, QuartilesMustBeInOrder) {
  EXPECT_THAT(refusal([](json& j) { j["total"]["step_seconds"]["lower_quartile"] = 1; }),
              HasSubstr("total.step_seconds: found quartiles and a median that are not in order"));
  EXPECT_THAT(refusal([](json& j) { j["kernels"][0]["call_seconds"]["upper_quartile"] = 0; }),
              HasSubstr("kernels[0].call_seconds: found quartiles"));
}

TEST_F(TimingReportFile, NumbersThatAreNotFiniteAreRefused) {
  TimingReport report = sample_report();
  report.total.seconds = std::numeric_limits<double>::quiet_NaN();
  const auto path = write("run.json", report);
  EXPECT_THAT(message_of<InputError>([&] { read_timing_report(path); }),
              HasSubstr("total.seconds: found null, must be 0 or a number"));
}

TEST_F(TimingReportFile, LongValuesAreNotQuoted) {
  const std::string message =
      refusal([](json& j) { j["title"] = json::array({std::string(500, 'x')}); });
  EXPECT_THAT(message, HasSubstr("title: found array, must be a string"));
}

TEST_F(TimingReportFile, KernelNamedTwiceIsRefused) {
  EXPECT_THAT(refusal([](json& j) { j["kernels"][1]["name"] = "collide"; }),
              HasSubstr("kernels: the name \"collide\" occurs twice"));
}

}  // namespace
}  // namespace knudsen
