#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/timing_report.hpp"

namespace knudsen {

/// A timing report and the short name it goes by in tables and plots.
struct NamedReport {
  std::string label;
  TimingReport report;
};

/// Reads two or more reports, the first of which is the baseline. Labels are the file names without
/// extension; where those are equal ("timing"), the folders' names; where these are too, the whole
/// paths. Throws InputError: fewer than two, one not readable, the baseline without any step.
std::vector<NamedReport> read_reports(const std::vector<std::filesystem::path>& paths);

/// What a run took in one kernel, or overall. A value is zero where the report does not tell it.
struct Measurement {
  double seconds_per_call = 0;    ///< median; overall: mean time of a step
  double updates_per_second = 0;  ///< of the whole run's updates, for each second in this kernel
  double gb_s = 0;
  double bandwidth_share = 0;  ///< of the copy bandwidth measured in the same run
  double gflop_s = 0;
  double time_share = 0;  ///< of the run's stepping time
  double speedup = 0;     ///< time per update of the first report over this one's
};

/// A row a report: nothing where the report does not have the kernel.
struct ComparedKernel {
  std::string name;
  std::vector<std::optional<Measurement>> runs;
};

/// "overall" first, then the kernels, matched by name, in the order in which they first appear.
/// A kernel's time is calls times median, so speedups do not depend on the number of steps.
std::vector<ComparedKernel> compare_kernels(const std::vector<NamedReport>& reports);

/// Rate against one quantity that reports differ in.
struct Sweep {
  struct Series {
    std::string name;                               ///< what sets it apart from the other series
    std::vector<std::pair<double, double>> points;  ///< (variable, updates a second), sorted
  };
  std::string variable;  ///< axis label: "problem size (nodes)", "threads", "tuning: segment"
  std::vector<Series> series;
};

/// The series a report belongs to: what of backend, device, threads, precision, variant and tuning
/// differs among the reports, sizes left out; one text a report.
std::vector<std::string> series_names(const std::vector<NamedReport>& reports);

/// Reports of one method are a sweep over size, threads or a tuning value when three or more of
/// them differ in nothing else (the number of steps and the machine's name apart). A set may be
/// several sweeps at once, or none.
std::vector<Sweep> find_sweeps(const std::vector<NamedReport>& reports);

/// One sentence for each thing in which a report differs from the first so that speedups mean
/// something else than the machine: method, variant, precision, sizes, case. In a sweep only what
/// the sweep does not explain.
std::vector<std::string> comparison_warnings(const std::vector<NamedReport>& reports);

/// What the reports themselves say is wrong with their results, and which runs did not converge.
std::vector<std::string> run_warnings(const std::vector<NamedReport>& reports);

/// The comparison as aligned text for a terminal: the runs, then a block overall and per kernel.
std::string comparison_text(const std::vector<NamedReport>& reports);

/// The comparison as one self-contained HTML page with SVG plots, no scripts and nothing loaded
/// from elsewhere.
std::string comparison_html(const std::vector<NamedReport>& reports);

/// "nodes 65536, nodes_x 256, nodes_y 256"; also for tuning values. "-" when there are none.
std::string list_values(const std::map<std::string, std::int64_t>& values);

/// The unit of rates: "nodes/s", or "updates/s" where the reports' units differ.
std::string rate_unit(const std::vector<NamedReport>& reports);

/// Headings and cells of the tables of measurements, the same for text and page. The first heading
/// is empty: the names of kernels and runs stand there.
std::vector<std::string> measurement_headings(const std::vector<NamedReport>& reports);
std::vector<std::string> measurement_cells(const std::optional<Measurement>& measurement);

}  // namespace knudsen
