#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "report/timing_report.hpp"

namespace knudsen {

/// A report of a square D2Q9 run on 16 cores: 1000 steps at one nanosecond per node, of which two
/// kernels take 3/4 and 1/8.
inline TimingReport sample_report(std::int64_t side = 256) {
  TimingReport report;
  report.title = "Lid-driven cavity";
  report.method = "lbm-d2q9";
  report.variant = "in-place, BGK";
  report.precision = "single";
  report.backend = "openmp";
  report.device = "Example CPU";
  report.threads = 16;
  report.host = "node1";
  report.kokkos_version = "3.4.1";
  report.compiler = "GNU 12.2.0";
  report.git_commit = "0123456789ab";
  report.case_digest = "cafe" + std::to_string(side);
  report.sizes = {{"nodes", side * side}, {"nodes_x", side}, {"nodes_y", side}};
  report.update_unit = "node";
  report.copy_bandwidth_gb_s = 144;
  const auto nodes = static_cast<double>(side * side);
  report.total.steps = 1000;
  report.total.updates = nodes * 1000;
  report.total.seconds = report.total.updates * 1e-9;
  report.total.bytes = 72 * report.total.updates;
  report.total.setup_seconds = 0.25;
  report.total.io_seconds = 0.5;
  const double step = report.total.seconds / 1000;
  report.kernels = {{"collide", 1000, 18, 0.76 * report.total.seconds, 0.7 * step, 0.75 * step,
                     72 * nodes, 100 * nodes},
                    {"walls", 1000, 18, 0.13 * report.total.seconds, 0.1 * step, 0.125 * step,
                     72 * 4.0 * static_cast<double>(side), 0}};
  report.results = {{"primary vortex", "(0.531, 0.565)"}};
  return report;
}

/// The same case `speed` times faster on a GPU, with `steps` steps.
inline TimingReport faster_report(double speed, std::int64_t steps, std::int64_t side = 256) {
  TimingReport report = sample_report(side);
  report.backend = "cuda";
  report.device = "Example GPU";
  report.threads = 1;
  report.copy_bandwidth_gb_s *= speed;
  const double longer = static_cast<double>(steps) / static_cast<double>(report.total.steps);
  report.total.steps = steps;
  report.total.updates *= longer;
  report.total.bytes *= longer;
  report.total.seconds *= longer / speed;
  for (KernelTiming& kernel : report.kernels) {
    kernel.calls = steps;
    kernel.seconds *= longer / speed;
    kernel.min_seconds /= speed;
    kernel.median_seconds /= speed;
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
