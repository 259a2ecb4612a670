#include "report/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "report/text.hpp"

namespace knudsen {
namespace {

using Reports = std::vector<NamedReport>;

constexpr const char* threads_axis = "threads";
constexpr const char* ranks_axis = "ranks";

// A run is long enough to be trusted from here on.
constexpr std::int64_t min_batches = 5;
constexpr double min_stepping_seconds = 2;
// Beyond these, a run was disturbed or its kernels were not all timed.
constexpr double max_spread = 0.05;
constexpr double max_launch_and_idle = 0.03;

template <class Function>
bool all_equal(const Reports& reports, const Function& value) {
  return std::all_of(reports.begin(), reports.end(), [&](const NamedReport& entry) {
    return value(entry.report) == value(reports.front().report);
  });
}

bool runs_on_host(const TimingReport& report) {
  static const std::set<std::string> host_backends{"serial", "openmp", "threads", "hpx"};
  return host_backends.contains(report.backend);
}

double updates_per_step(const TimingReport& report) {
  return report.total.steps > 0 ? report.total.updates / static_cast<double>(report.total.steps)
                                : 0;
}

double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

/// Seconds of all steps, by the rate.
double stepping_seconds(const TimingReport& report) {
  return report.total.seconds_per_step() * static_cast<double>(report.total.steps);
}

/// The interquartile range over the median. Reports of format 1 have no quartiles.
std::optional<double> relative_spread(const TimingReport& report, const Spread& spread) {
  if (report.format < 2 || spread.count < 2 || spread.median <= 0) return {};
  return (spread.upper_quartile - spread.lower_quartile) / spread.median;
}

Measurement measure_total(const TimingReport& report) {
  double flops = 0;
  for (const KernelTiming& kernel : report.kernels)
    flops += kernel.flops * static_cast<double>(kernel.calls);
  const double seconds = stepping_seconds(report);
  Measurement total;
  total.seconds_per_call = report.total.seconds_per_step();
  total.updates_per_second = report.total.updates_per_second();
  total.gb_s = report.total.gb_s();
  total.bandwidth_share = report.bandwidth_share();
  total.gflop_s = ratio(flops * 1e-9, seconds);
  total.time_share = seconds > 0 ? 1 : 0;
  total.spread = relative_spread(report, report.total.step_seconds);
  return total;
}

std::optional<Measurement> measure_kernel(const TimingReport& report, const std::string& name) {
  const auto kernel = std::find_if(report.kernels.begin(), report.kernels.end(),
                                   [&](const KernelTiming& k) { return k.name == name; });
  if (kernel == report.kernels.end()) return {};
  // In format 1 the mean, on which `seconds` rests, has cold launches in it.
  const double seconds = report.format > 1
                             ? kernel->seconds
                             : kernel->call_seconds.median * static_cast<double>(kernel->calls);
  Measurement measured;
  measured.seconds_per_call = kernel->call_seconds.median;
  measured.updates_per_second = ratio(report.total.updates, seconds);
  measured.gb_s = kernel->gb_s();
  measured.bandwidth_share = ratio(kernel->gb_s(), report.copy_bandwidth_gb_s.best());
  measured.gflop_s = kernel->gflop_s();
  measured.time_share = ratio(seconds, stepping_seconds(report));
  measured.spread = relative_spread(report, kernel->call_seconds);
  return measured;
}

/// Whether the kernels' times are known and mean parts of the stepping time.
bool kernels_add_up(const TimingReport& report) {
  return report.format > 1 && !report.kernel_clock.empty() && stepping_seconds(report) > 0 &&
         std::all_of(report.kernels.begin(), report.kernels.end(), [](const KernelTiming& kernel) {
           return kernel.calls == 0 || kernel.call_seconds.count > 0;
         });
}

std::optional<Measurement> measure_launch_and_idle(const TimingReport& report) {
  if (!kernels_add_up(report)) return {};
  const double seconds = report.launch_and_idle_seconds();
  Measurement measured;
  measured.seconds_per_call = seconds / static_cast<double>(report.total.steps);
  measured.time_share = seconds / stepping_seconds(report);
  return measured;
}

void add_speedups(const Reports& reports, std::vector<std::optional<Measurement>>& runs) {
  const double baseline = runs.front() ? runs.front()->updates_per_second : 0;
  const int ranks = reports.front().report.ranks;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i]) continue;
    runs[i]->speedup = ratio(runs[i]->updates_per_second, baseline);
    runs[i]->efficiency = runs[i]->speedup * ranks / reports[i].report.ranks;
  }
}

/// A property in which runs of one method may differ.
struct Property {
  std::string axis;  ///< label of the axis when it is swept; empty if it is not a number
  std::function<std::string(const TimingReport&)> text;
  std::function<double(const TimingReport&)> value;  ///< NaN for a report that lacks it
};

/// The sizes of the reports as one property. Its value is the number of updates per step or, if
/// that is the same in all, the first size that differs ("samples").
Property size_property(const Reports& reports) {
  const auto text = [](const TimingReport& report) { return list_values(report.sizes); };
  if (all_equal(reports, updates_per_step)) {
    for (const auto& [key, size] : reports.front().report.sizes) {
      const auto value = [key = key](const TimingReport& report) {
        const auto found = report.sizes.find(key);
        return found == report.sizes.end() ? std::numeric_limits<double>::quiet_NaN()
                                           : static_cast<double>(found->second);
      };
      if (!all_equal(reports, value)) return {key, text, value};
    }
  }
  return {"problem size (" + reports.front().report.update_unit + "s)", text, updates_per_step};
}

/// All properties except the sizes.
std::vector<Property> run_properties(const Reports& reports) {
  using R = const TimingReport&;
  std::vector<Property> properties{
      {"", [](R r) { return r.device; }, {}},
      {"", [](R r) { return r.backend; }, {}},
      {threads_axis,
       [](R r) {
         if (!runs_on_host(r)) return std::string();
         return std::to_string(r.threads) + (r.threads == 1 ? " thread" : " threads");
       },
       [](R r) { return runs_on_host(r) ? r.threads : std::numeric_limits<double>::quiet_NaN(); }},
      {ranks_axis,
       [](R r) { return std::to_string(r.ranks) + (r.ranks == 1 ? " rank" : " ranks"); },
       [](R r) { return static_cast<double>(r.ranks); }},
      {"", [](R r) { return r.precision; }, {}},
      {"", [](R r) { return r.variant; }, {}}};
  std::set<std::string> tuning_keys;
  for (const NamedReport& entry : reports)
    for (const auto& [key, value] : entry.report.tuning) tuning_keys.insert(key);
  for (const std::string& key : tuning_keys) {
    const auto value = [key](R r) {
      const auto found = r.tuning.find(key);
      return found == r.tuning.end() ? std::numeric_limits<double>::quiet_NaN()
                                     : static_cast<double>(found->second);
    };
    properties.push_back({"tuning: " + key,
                          [key](R r) {
                            const auto found = r.tuning.find(key);
                            return found == r.tuning.end()
                                       ? std::string()
                                       : key + " " + std::to_string(found->second);
                          },
                          value});
  }
  return properties;
}

/// For each report, the texts of the properties in which the reports differ.
std::vector<std::string> describe_differences(const Reports& reports,
                                              const std::vector<Property>& properties) {
  std::vector<std::string> names(reports.size());
  for (const Property& property : properties) {
    if (all_equal(reports, property.text)) continue;
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const std::string text = property.text(reports[i].report);
      if (!text.empty()) names[i] += (names[i].empty() ? "" : ", ") + text;
    }
  }
  return names;
}

/// The sweep over properties[variable]; nothing unless three reports differ in that alone.
std::optional<Sweep> sweep_over(const Reports& reports, std::vector<Property> properties,
                                std::size_t variable) {
  const Property axis = properties[variable];
  properties.erase(properties.begin() + static_cast<std::ptrdiff_t>(variable));
  std::vector<std::string> names = describe_differences(reports, properties);
  Sweep sweep{axis.axis, {}};
  bool found = false;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const double x = axis.value(reports[i].report);
    if (std::isnan(x)) continue;
    auto series = std::find_if(sweep.series.begin(), sweep.series.end(),
                               [&](const Sweep::Series& s) { return s.name == names[i]; });
    if (series == sweep.series.end())
      series = sweep.series.insert(sweep.series.end(), {names[i], {}});
    series->points.emplace_back(x, reports[i].report.total.updates_per_second());
    std::set<double> places;
    for (const auto& point : series->points) places.insert(point.first);
    found = found || places.size() >= 3;
  }
  if (!found) return {};
  for (Sweep::Series& series : sweep.series) {
    std::sort(series.points.begin(), series.points.end());
    if (series.name.empty()) series.name = reports.front().report.device;
  }
  return sweep;
}

/// Whether two runs agree in all that a report tells of the case, so that different digests must
/// have another reason.
bool same_kind_of_run(const TimingReport& a, const TimingReport& b) {
  return a.method == b.method && a.variant == b.variant && a.precision == b.precision &&
         a.sizes == b.sizes;
}

std::string differs(const NamedReport& entry, const NamedReport& first, const std::string& what,
                    const std::string& found, const std::string& expected) {
  return entry.label + " differs from " + first.label + " in its " + what + ": " + found +
         " instead of " + expected + ".";
}

std::string case_warning(const NamedReport& entry, const NamedReport& first) {
  std::string sentence =
      differs(entry, first, "case", "digest " + entry.report.case_digest, first.report.case_digest);
  if (!same_kind_of_run(entry.report, first.report))
    sentence += " The differences above are enough to explain it.";
  return sentence;
}

/// "4, peer memory, imbalance 2 %"; nothing of one rank.
std::string ranks_text(const TimingReport& report) {
  if (report.ranks == 1) return "-";
  return std::to_string(report.ranks) + ", " + report.transport + ", imbalance " +
         percent(report.imbalance());
}

/// "16 of 16, bound"; nothing on a GPU.
std::string threads_text(const TimingReport& report) {
  if (!runs_on_host(report)) return "-";
  std::string text = std::to_string(report.threads);
  if (report.cores > 0) text += " of " + std::to_string(report.cores) + " cores";
  if (report.bound) text += *report.bound ? ", bound" : ", not bound";
  return text;
}

std::string bandwidth_text(const TimingReport::CopyBandwidth& bandwidth) {
  if (bandwidth.best() <= 0) return "-";
  const auto text = [](double gb_s) { return gb_s > 0 ? short_number(gb_s) : "-"; };
  return text(bandwidth.before) + " / " + text(bandwidth.after) + " GB/s";
}

std::string median_text(const TimingReport& report, const char* name, const std::string& unit) {
  const auto found = report.device_state.find(name);
  if (found == report.device_state.end() || found->second.count == 0) return "-";
  return short_number(found->second.median) + " " + unit;
}

/// The cells of a run in run_facts.
std::vector<std::string> facts_of(const TimingReport& r) {
  constexpr std::size_t digits_of_digest = 12;
  const auto optional_count = [](std::int64_t count) {
    return count > 0 ? std::to_string(count) : "-";
  };
  return {r.title,
          r.method,
          r.variant,
          r.precision,
          list_values(r.sizes),
          list_values(r.tuning),
          r.case_digest.substr(0, digits_of_digest),
          r.host,
          r.device,
          r.backend,
          ranks_text(r),
          threads_text(r),
          r.compiler,
          r.kokkos_version,
          r.git_commit,
          std::to_string(r.total.steps),
          with_prefix(r.total.seconds, "s"),
          optional_count(r.total.step_seconds.count),
          with_prefix(r.total.setup_seconds, "s"),
          with_prefix(r.total.io_seconds, "s"),
          bandwidth_text(r.copy_bandwidth_gb_s),
          r.kernel_clock,
          median_text(r, "sm_clock_mhz", "MHz"),
          median_text(r, "power_w", "W")};
}

using Table = std::vector<std::vector<std::string>>;

/// A row for each fact and a column for each run.
std::string facts_by_column(const Reports& reports, const RunFacts& facts) {
  Table table{{""}};
  for (const NamedReport& entry : reports) table.front().push_back(entry.label);
  for (std::size_t i = 0; i < facts.headings.size(); ++i) {
    table.push_back({"  " + facts.headings[i]});
    for (const auto& run : facts.of_runs) table.back().push_back(run[i]);
  }
  return align_columns(table, table.front().size());
}

/// The facts that all runs have in common, then a row for each run with the others.
std::string facts_by_row(const Reports& reports, const RunFacts& facts) {
  Table common{{"  runs", std::to_string(reports.size())}}, table{{""}};
  for (const NamedReport& entry : reports) table.push_back({"  " + entry.label});
  for (std::size_t i = 0; i < facts.headings.size(); ++i) {
    const std::string& first = facts.of_runs.front()[i];
    if (std::all_of(facts.of_runs.begin(), facts.of_runs.end(),
                    [&](const auto& run) { return run[i] == first; })) {
      common.push_back({"  " + facts.headings[i], first});
      continue;
    }
    table.front().push_back(facts.headings[i]);
    for (std::size_t run = 0; run < reports.size(); ++run)
      table[run + 1].push_back(facts.of_runs[run][i]);
  }
  return align_columns(common, 2) + "\n" + align_columns(table, table.front().size());
}

std::vector<std::string> sweep_warnings(const Reports& reports) {
  std::vector<std::string> warnings;
  for (auto entry = reports.begin(); entry != reports.end(); ++entry) {
    const auto like = std::find_if(reports.begin(), entry, [&](const NamedReport& earlier) {
      return same_kind_of_run(earlier.report, entry->report);
    });
    if (like != entry && like->report.case_digest != entry->report.case_digest)
      warnings.push_back(case_warning(*entry, *like));
  }
  return warnings;
}

std::vector<std::string> case_warnings(const Reports& reports) {
  const NamedReport& first = reports.front();
  const TimingReport& a = first.report;
  std::vector<std::string> warnings;
  for (const NamedReport& entry : reports) {
    const TimingReport& b = entry.report;
    const auto warn = [&](const char* what, const std::string& found, const std::string& expected) {
      if (found != expected) warnings.push_back(differs(entry, first, what, found, expected));
    };
    warn("method", b.method, a.method);
    warn("variant", b.variant, a.variant);
    warn("precision", b.precision, a.precision);
    warn("size", list_values(b.sizes), list_values(a.sizes));
    if (b.case_digest != a.case_digest) warnings.push_back(case_warning(entry, first));
  }
  return warnings;
}

/// "a", "a and b", "a, b and c", "a, b and 7 others".
std::string join(const std::vector<std::string>& words) {
  constexpr std::size_t max_words = 4;
  const std::size_t named = words.size() <= max_words ? words.size() : 2;
  std::string text = words.front();
  for (std::size_t i = 1; i < named; ++i)
    text += (i + 1 == words.size() ? " and " : ", ") + words[i];
  if (named < words.size()) text += " and " + std::to_string(words.size() - named) + " others";
  return text;
}

/// Labels of reports, by a text that each has, in the order of first appearance.
class Groups {
 public:
  void add(const std::string& text, const std::string& label) {
    const auto found = std::find_if(groups_.begin(), groups_.end(),
                                    [&](const auto& group) { return group.first == text; });
    if (found == groups_.end()) {
      groups_.push_back({text, {label}});
    } else {
      found->second.push_back(label);
    }
  }

  std::size_t size() const { return groups_.size(); }

  /// "a and b: GNU 12.2.0; c: Clang 14.0.6", of many groups "a: 1.2 s; b: 1.3 s; 20 other runs".
  std::string text() const {
    constexpr std::size_t max_groups = 4;
    const std::size_t named = groups_.size() <= max_groups ? groups_.size() : 2;
    std::string text;
    std::size_t others = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const auto& [value, labels] = groups_[i];
      if (i < named) {
        text += (i > 0 ? "; " : "") + join(labels) + ": " + value;
      } else {
        others += labels.size();
      }
    }
    return others > 0 ? text + "; " + std::to_string(others) + " other runs" : text;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
};

/// Machines and builds that differ.
std::vector<std::string> machine_warnings(const Reports& reports) {
  struct Difference {
    std::string TimingReport::*value;
    const char* what;
    const char* consequence;
  };
  static constexpr std::array<Difference, 4> differences{
      {{&TimingReport::host, "on different hosts",
        "so a speedup is not one between the parts of a single machine"},
       {&TimingReport::compiler, "by builds of different compilers",
        "so a part of a speedup may be the compiler's"},
       {&TimingReport::kokkos_version, "with different versions of Kokkos",
        "so a part of a speedup may be that of Kokkos"},
       {&TimingReport::git_commit, "from different commits",
        "so a part of a speedup may come from changes of the program"}}};
  std::vector<std::string> warnings;
  for (const Difference& difference : differences) {
    Groups groups;
    for (const NamedReport& entry : reports)
      groups.add(entry.report.*difference.value, entry.label);
    if (groups.size() > 1) {
      warnings.push_back(std::string("The runs were made ") + difference.what + " (" +
                         groups.text() + "), " + difference.consequence + ".");
    }
  }
  return warnings;
}

/// Hosts whose cores were not all used as they can be. Some of the cores are in order in sweeps
/// over the threads.
std::vector<std::string> host_run_warnings(const Reports& reports, bool want_all_cores) {
  Groups binding, part_of_cores;
  std::vector<std::string> unbound;
  for (const auto& [label, r] : reports) {
    if (!runs_on_host(r)) continue;
    if (r.bound) binding.add(*r.bound ? "bound" : "not bound", label);
    if (r.threads == 1) continue;
    if (r.bound == false) unbound.push_back(label);
    if (want_all_cores && r.threads < r.cores) {
      part_of_cores.add(std::to_string(r.threads) + " of " + std::to_string(r.cores), label);
    }
  }
  std::vector<std::string> warnings;
  if (binding.size() > 1) {
    warnings.push_back("The threads of the runs on the host were not bound to cores alike (" +
                       binding.text() + "), so a part of a speedup may be that of the binding.");
  }
  if (part_of_cores.size() > 0) {
    warnings.push_back("Not all cores were used (" + part_of_cores.text() +
                       "), so the speedup is neither over one thread nor over the whole host.");
  }
  if (!unbound.empty()) {
    warnings.push_back("The threads of " + join(unbound) +
                       " were not bound to cores, so they may have moved and run slower than they "
                       "can.");
  }
  return warnings;
}

/// Times that cannot be trusted.
std::vector<std::string> measurement_warnings(const Reports& reports) {
  std::vector<std::string> old;
  Groups brief, spread, unaccounted;
  for (const auto& [label, r] : reports) {
    if (r.format == 1) old.push_back(label);
    const std::int64_t batches = r.total.step_seconds.count;
    if (r.total.seconds < min_stepping_seconds || (r.format > 1 && batches < min_batches)) {
      std::string length = with_prefix(r.total.seconds, "s");
      if (r.format > 1) {
        length += " in " + std::to_string(batches) + (batches == 1 ? " batch" : " batches");
      }
      brief.add(length, label);
    }
    const std::optional<double> variation = relative_spread(r, r.total.step_seconds);
    if (variation.value_or(0) > max_spread) spread.add(percent(*variation), label);
    if (const auto rest = measure_launch_and_idle(r);
        rest && std::fabs(rest->time_share) > max_launch_and_idle) {
      unaccounted.add(percent(rest->time_share), label);
    }
  }
  std::vector<std::string> warnings;
  if (!old.empty()) {
    warnings.push_back((old.size() == 1 ? "The report of " : "The reports of ") + join(old) +
                       (old.size() == 1 ? " is" : " are") +
                       " of format 1: kernels were timed between fences, and their times do not "
                       "add up to that of the run; record " +
                       (old.size() == 1 ? "it" : "them") + " again.");
  }
  if (brief.size() > 0) {
    warnings.push_back("Some runs are too short to trust (" + brief.text() +
                       "): they need five batches of steps and two seconds of stepping.");
  }
  if (spread.size() > 0) {
    warnings.push_back(
        "The time of a step varied within runs (interquartile range over median: " + spread.text() +
        "), by more than 5 %, so something else may have used the machine.");
  }
  if (unaccounted.size() > 0) {
    warnings.push_back(
        "The kernels' times differ by more than 3 % from that of the run (launch "
        "and idle: " +
        unaccounted.text() + "), so speedups of kernels do not explain the overall one.");
  }
  return warnings;
}

}  // namespace

std::vector<NamedReport> read_reports(const std::vector<std::filesystem::path>& paths) {
  if (paths.size() < 2) throw InputError("compare: give two or more timing reports");
  const auto label_by = [&](const auto& name) {
    std::vector<std::string> labels;
    labels.reserve(paths.size());
    for (const auto& path : paths) labels.push_back(name(std::filesystem::absolute(path)));
    const std::set<std::string> distinct(labels.begin(), labels.end());
    return distinct.size() == paths.size() ? labels : std::vector<std::string>{};
  };
  auto labels = label_by([](const auto& path) { return path.stem().string(); });
  if (labels.empty())
    labels = label_by([](const auto& path) { return path.parent_path().filename().string(); });
  if (labels.empty())
    for (const auto& path : paths) labels.push_back(path.string());

  Reports reports;
  for (std::size_t i = 0; i < paths.size(); ++i)
    reports.push_back({labels[i], read_timing_report(paths[i])});
  if (reports.front().report.total.updates_per_second() <= 0)
    throw InputError(paths.front().string() +
                     ": total: has no steps, so nothing can be compared with it");
  return reports;
}

std::vector<ComparedKernel> compare_kernels(const Reports& reports) {
  std::vector<ComparedKernel> compared{{"overall", {}}};
  for (const NamedReport& entry : reports)
    compared.front().runs.emplace_back(measure_total(entry.report));

  std::set<std::string> seen;
  for (const NamedReport& entry : reports) {
    for (const KernelTiming& kernel : entry.report.kernels) {
      if (!seen.insert(kernel.name).second) continue;
      ComparedKernel row{kernel.name, {}};
      for (const NamedReport& run : reports)
        row.runs.push_back(measure_kernel(run.report, kernel.name));
      compared.push_back(std::move(row));
    }
  }
  for (ComparedKernel& row : compared) add_speedups(reports, row.runs);
  if (seen.empty()) return compared;
  ComparedKernel rest{launch_and_idle, {}};
  for (const NamedReport& run : reports) {
    rest.runs.push_back(measure_launch_and_idle(run.report));
  }
  compared.push_back(std::move(rest));
  return compared;
}

std::vector<std::string> series_names(const Reports& reports) {
  return describe_differences(reports, run_properties(reports));
}

std::vector<Sweep> find_sweeps(const Reports& reports) {
  if (!all_equal(reports, [](const TimingReport& r) { return r.method + " " + r.update_unit; }))
    return {};
  std::vector<Property> properties{size_property(reports)};
  for (Property& property : run_properties(reports)) properties.push_back(std::move(property));
  std::vector<Sweep> sweeps;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].axis.empty()) continue;
    if (auto sweep = sweep_over(reports, properties, i)) sweeps.push_back(std::move(*sweep));
  }
  return sweeps;
}

std::vector<std::string> comparison_warnings(const Reports& reports) {
  const std::vector<Sweep> sweeps = find_sweeps(reports);
  const bool thread_sweep = std::any_of(sweeps.begin(), sweeps.end(), [](const Sweep& sweep) {
    return sweep.variable == threads_axis;
  });
  std::vector<std::string> warnings =
      sweeps.empty() ? case_warnings(reports) : sweep_warnings(reports);
  for (auto part : {machine_warnings(reports), host_run_warnings(reports, !thread_sweep),
                    measurement_warnings(reports)}) {
    std::move(part.begin(), part.end(), std::back_inserter(warnings));
  }
  return warnings;
}

std::vector<std::string> run_warnings(const Reports& reports) {
  std::vector<std::string> warnings;
  for (const NamedReport& entry : reports) {
    for (const std::string& warning : entry.report.warnings) {
      warnings.push_back(entry.label + ": " + warning);
    }
    if (entry.report.warnings.empty() && entry.report.converged == false) {
      warnings.push_back(entry.label + ": stop.criteria were not met");
    }
  }
  return warnings;
}

std::string list_values(const std::map<std::string, std::int64_t>& values) {
  std::string text;
  for (const auto& [key, value] : values)
    text += (text.empty() ? "" : ", ") + key + " " + std::to_string(value);
  return text.empty() ? "-" : text;
}

std::string rate_unit(const Reports& reports) {
  const auto unit = [](const TimingReport& report) { return report.update_unit; };
  return (all_equal(reports, unit) ? unit(reports.front().report) : "update") + "s/s";
}

bool differ_in_ranks(const Reports& reports) {
  return !all_equal(reports, [](const TimingReport& report) { return report.ranks; });
}

std::vector<std::string> measurement_headings(const Reports& reports) {
  std::vector<std::string> headings{"",        "time a call", rate_unit(reports),
                                    "GB/s",    "of copy",     "GFLOP/s",
                                    "of time", "spread",      "speedup"};
  if (differ_in_ranks(reports)) headings.emplace_back("efficiency");
  return headings;
}

std::vector<std::string> measurement_cells(const std::optional<Measurement>& measurement,
                                           bool efficiency) {
  if (!measurement) return std::vector<std::string>(efficiency ? 9 : 8, "-");
  const auto cell = [](double value, const std::string& text) { return value != 0 ? text : "-"; };
  const Measurement& m = *measurement;
  std::vector<std::string> cells{cell(m.seconds_per_call, with_prefix(m.seconds_per_call, "s")),
                                 cell(m.updates_per_second, with_prefix(m.updates_per_second, "")),
                                 cell(m.gb_s, short_number(m.gb_s)),
                                 cell(m.bandwidth_share, percent(m.bandwidth_share)),
                                 cell(m.gflop_s, short_number(m.gflop_s)),
                                 cell(m.time_share, percent(m.time_share)),
                                 m.spread ? percent(*m.spread) : "-",
                                 cell(m.speedup, short_number(m.speedup) + " x")};
  if (efficiency) cells.push_back(cell(m.efficiency, percent(m.efficiency)));
  return cells;
}

RunFacts run_facts(const Reports& reports) {
  RunFacts facts{{"case",         "method",    "variant",
                  "precision",    "sizes",     "tuning",
                  "case digest",  "host",      "device",
                  "backend",      "ranks",     "threads",
                  "compiler",     "Kokkos",    "commit",
                  "steps",        "stepping",  "batches",
                  "set-up",       "output",    "copy bandwidth before / after",
                  "kernel clock", "GPU clock", "GPU power"},
                 {}};
  for (const NamedReport& entry : reports) facts.of_runs.push_back(facts_of(entry.report));
  for (std::size_t column = facts.headings.size(); column-- > 0;) {
    const bool known =
        std::any_of(facts.of_runs.begin(), facts.of_runs.end(),
                    [&](const auto& row) { return !row[column].empty() && row[column] != "-"; });
    if (known) continue;
    const auto place = static_cast<std::ptrdiff_t>(column);
    facts.headings.erase(facts.headings.begin() + place);
    for (auto& row : facts.of_runs) row.erase(row.begin() + place);
  }
  return facts;
}

std::string comparison_text(const Reports& reports) {
  Table table{measurement_headings(reports)};
  for (const ComparedKernel& kernel : compare_kernels(reports)) {
    table.push_back({kernel.name});
    for (std::size_t i = 0; i < reports.size(); ++i) {
      std::vector<std::string> row{"  " + reports[i].label};
      for (std::string& cell : measurement_cells(kernel.runs[i], differ_in_ranks(reports)))
        row.push_back(std::move(cell));
      table.push_back(std::move(row));
    }
  }
  const TimingReport& first = reports.front().report;
  const RunFacts facts = run_facts(reports);
  return first.title + " (" + first.method + ")\n\nWhat was run where\n" +
         (reports.size() <= max_fact_columns ? facts_by_column(reports, facts)
                                             : facts_by_row(reports, facts)) +
         "\n" + align_columns(table, 1);
}

}  // namespace knudsen
