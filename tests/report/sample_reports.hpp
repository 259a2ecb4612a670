#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "report/timing_report.hpp"

namespace knudsen {

/// Quartiles 1 % below and above the median.
inline Spread sample_spread(std::int64_t count, double median) {
  return {count, 0.99 * median, median, 1.01 * median};
}

/// A report of a square D2Q9 run on 16 cores: 200000 steps at one nanosecond per node, of which two
/// kernels take 7/8 and 1/10.
inline TimingReport sample_report(std::int64_t side = 256) {
  TimingReport report;
  report.title = "Lid-driven cavity";
  report.method = "lbm-d2q9";
  report.variant = "in-place, BGK";
  report.precision = "single";
  report.backend = "openmp";
  report.device = "Example CPU";
  report.threads = 16;
  report.cores = 16;
  report.bound = true;
  report.host = "node1";
  report.kokkos_version = "3.4.1";
  report.compiler = "GNU 12.2.0";
  report.git_commit = "0123456789ab";
  report.case_digest = "cafe" + std::to_string(side);
  report.sizes = {{"nodes", side * side}, {"nodes_x", side}, {"nodes_y", side}};
  report.update_unit = "node";
  report.copy_bandwidth_gb_s = {140, 144};
  const auto nodes = static_cast<double>(side * side);
  const double steps = 200000;
  const double step = nodes * 1e-9;
  report.total.steps = static_cast<std::int64_t>(steps);
  report.total.updates = nodes * steps;
  report.total.seconds = 1.02 * step * steps;
  report.total.bytes = 72 * report.total.updates;
  report.total.setup_seconds = 0.25;
  report.total.io_seconds = 0.5;
  report.total.step_seconds = sample_spread(20, step);
  report.kernel_clock = "host clock";
  report.kernels = {{"collide", report.total.steps, sample_spread(18, 0.87 * step), 0.8 * step,
                     0.875 * step * steps, 72 * nodes, 100 * nodes},
                    {"walls", report.total.steps, sample_spread(18, 0.1 * step), 0.09 * step,
                     0.1 * step * steps, 72 * 4.0 * static_cast<double>(side), 0}};
  report.results = {{"primary vortex", "(0.531, 0.565)"}};
  return report;
}

/// The same case `speed` times faster on a GPU, with `longer` times as many steps.
inline TimingReport faster_report(double speed, std::int64_t longer, std::int64_t side = 256) {
  TimingReport report = sample_report(side);
  report.backend = "cuda";
  report.device = "Example GPU";
  report.threads = 1;
  report.bound.reset();
  report.copy_bandwidth_gb_s.before *= speed;
  report.copy_bandwidth_gb_s.after *= speed;
  const auto more = static_cast<double>(longer);
  const auto faster = [&](Spread& spread) {
    spread.lower_quartile /= speed;
    spread.median /= speed;
    spread.upper_quartile /= speed;
  };
  report.total.steps *= longer;
  report.total.updates *= more;
  report.total.bytes *= more;
  report.total.seconds *= more / speed;
  faster(report.total.step_seconds);
  report.kernel_clock = "device events";
  for (KernelTiming& kernel : report.kernels) {
    kernel.calls *= longer;
    kernel.seconds *= more / speed;
    kernel.min_seconds /= speed;
    faster(kernel.call_seconds);
  }
  report.device_state = {{"power_w", {40, 500, 512, 520}},
                         {"sm_clock_mhz", {40, 1980, 1980, 1980}}};
  return report;
}

/// A report as reading one of format 1 gives it.
inline TimingReport first_format_report() {
  TimingReport report = sample_report();
  report.format = 1;
  report.cores = 0;
  report.bound.reset();
  report.copy_bandwidth_gb_s.before = 0;
  report.total.step_seconds = {};
  report.kernel_clock = "fenced launches";
  for (KernelTiming& kernel : report.kernels) {
    Spread& spread = kernel.call_seconds;
    spread.lower_quartile = spread.upper_quartile = spread.median;
    kernel.seconds *= 1.5;
  }
  return report;
}

/// A new empty directory, removed at the end of the test.
class ReportFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::path(testing::TempDir()) /
                 (std::string("knudsen_report_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path file(const std::string& name) const { return directory_ / name; }

  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(file(name).parent_path());
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }

  std::filesystem::path write(const std::string& name, const TimingReport& report) const {
    std::filesystem::create_directories(file(name).parent_path());
    write_timing_report(file(name), report);
    return file(name);
  }

  static std::string read(const std::filesystem::path& path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
  }

 private:
  std::filesystem::path directory_;
};

/// The message of the exception of type Error that `action` throws; empty if it throws none.
template <class Error, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace knudsen
