#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/timing_report.hpp"

namespace knudsen {

/// A timing report and its short name in tables and plots.
struct NamedReport {
  std::string label;
  TimingReport report;
};

/// Reads two or more reports, of which the first is the baseline. Labels are the file names without
/// extension; if these are not all different, the names of the directories; if those are not
/// either, the paths. Throws InputError: fewer than two reports, unreadable report, baseline
/// without steps.
std::vector<NamedReport> read_reports(const std::vector<std::filesystem::path>& paths);

/// Performance of a run in one kernel, or overall. Values that the report lacks are 0.
struct Measurement {
  double seconds_per_call = 0;    ///< median; overall: of a step
  double updates_per_second = 0;  ///< all updates of the run per second spent in this kernel
  double gb_s = 0;                ///< 1e9 bytes per second by the method's traffic model
  double bandwidth_share = 0;     ///< gb_s over the copy bandwidth measured in the same run
  double gflop_s = 0;             ///< 1e9 operations per second by the method's model
  double time_share = 0;          ///< share of the run's stepping time; may be negative
  std::optional<double> spread;   ///< interquartile range over median, of calls or steps
  double speedup = 0;             ///< time per update of the first report over this one's
  double efficiency = 0;          ///< speedup over the ratio of the numbers of ranks
};

/// The measurements of one kernel.
struct ComparedKernel {
  std::string name;
  std::vector<std::optional<Measurement>> runs;  ///< per report; nothing if it lacks the kernel
};

/// Name of the row for the stepping time that no kernel accounts for. It may be negative.
inline constexpr const char* launch_and_idle = "launch and idle";

/// "overall", then the kernels, matched by name, in the order of their first appearance, then
/// launch_and_idle. The shares of time of all rows after the first add up to 1. Reports of
/// format 1, whose kernels were timed between fences, and those of runs too short to time each
/// kernel have nothing in the last row.
std::vector<ComparedKernel> compare_kernels(const std::vector<NamedReport>& reports);

/// Rate against a quantity in which reports differ.
struct Sweep {
  struct Series {
    std::string name;                               ///< how it differs from the other series
    std::vector<std::pair<double, double>> points;  ///< (variable, updates per second), sorted
  };
  std::string variable;  ///< axis label: "problem size (nodes)", "threads", "tuning: segment"
  std::vector<Series> series;
};

/// The series that each report belongs to: its values of those of device, backend, threads,
/// ranks, precision, variant and tuning in which the reports differ.
std::vector<std::string> series_names(const std::vector<NamedReport>& reports);

/// Finds sweeps over size, threads, ranks or a tuning value: reports of one method of which three
/// or more differ in nothing else, apart from the number of steps and the name of the machine. A
/// set of reports may be several sweeps at once, or none.
std::vector<Sweep> find_sweeps(const std::vector<NamedReport>& reports);

/// Sentences on all that limits the comparison. Differences from the first report in method,
/// variant, precision, sizes, case; for sweeps, only those that the sweep does not explain.
/// Differences in host, compiler, Kokkos version, commit, binding of threads. Runs that are too
/// short, vary too much, use a part of the cores, or whose kernels do not account for their time.
/// Other processors, backends and numbers of threads are what comparisons are made for.
std::vector<std::string> comparison_warnings(const std::vector<NamedReport>& reports);

/// The warnings that the reports contain, and the runs that did not meet their stop.criteria.
std::vector<std::string> run_warnings(const std::vector<NamedReport>& reports);

/// A table "What was run where": what was run, on which machine, by which build.
struct RunFacts {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> of_runs;  ///< a row of cells per report
};

/// Facts that no report has are left out.
RunFacts run_facts(const std::vector<NamedReport>& reports);

/// Up to this number of runs, the table of facts has a column for each run, else a row.
inline constexpr std::size_t max_fact_columns = 4;

/// The comparison as text for a terminal: the runs, then a block for the total and for each kernel.
std::string comparison_text(const std::vector<NamedReport>& reports);

/// The comparison as a self-contained HTML page with SVG plots, without scripts or external files.
std::string comparison_html(const std::vector<NamedReport>& reports);

/// "nodes 65536, nodes_x 256, nodes_y 256": sizes or tuning values; "-" if there are none.
std::string list_values(const std::map<std::string, std::int64_t>& values);

/// The unit of rates: "nodes/s" or the like; "updates/s" if the reports differ in it.
std::string rate_unit(const std::vector<NamedReport>& reports);

/// Headings of the tables of measurements, in text and page. The first, for the names of runs, is
/// empty.
std::vector<std::string> measurement_headings(const std::vector<NamedReport>& reports);
/// The cells of a row of these tables, without its name. `efficiency`: with that column, as
/// measurement_headings has it where the reports differ in their numbers of ranks.
std::vector<std::string> measurement_cells(const std::optional<Measurement>& measurement,
                                           bool efficiency = false);
/// Whether the reports differ in their numbers of ranks.
bool differ_in_ranks(const std::vector<NamedReport>& reports);

}  // namespace knudsen
