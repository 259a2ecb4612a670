#include "report/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "report/text.hpp"

namespace knudsen {
namespace {

using Reports = std::vector<NamedReport>;

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

Measurement measure_total(const TimingReport& report) {
  double flops = 0;
  for (const KernelTiming& kernel : report.kernels)
    flops += kernel.flops * static_cast<double>(kernel.calls);
  Measurement total;
  total.seconds_per_call = ratio(report.total.seconds, static_cast<double>(report.total.steps));
  total.updates_per_second = report.total.updates_per_second();
  total.gb_s = report.total.gb_s();
  total.bandwidth_share = report.bandwidth_share();
  total.gflop_s = ratio(flops * 1e-9, report.total.seconds);
  total.time_share = report.total.seconds > 0 ? 1 : 0;
  return total;
}

std::optional<Measurement> measure_kernel(const TimingReport& report, const std::string& name) {
  const auto kernel = std::find_if(report.kernels.begin(), report.kernels.end(),
                                   [&](const KernelTiming& k) { return k.name == name; });
  if (kernel == report.kernels.end()) return {};
  const double seconds = kernel->median_seconds * static_cast<double>(kernel->calls);
  Measurement measured;
  measured.seconds_per_call = kernel->median_seconds;
  measured.updates_per_second = ratio(report.total.updates, seconds);
  measured.gb_s = kernel->gb_s();
  measured.bandwidth_share = ratio(kernel->gb_s(), report.copy_bandwidth_gb_s);
  measured.gflop_s = kernel->gflop_s();
  measured.time_share = ratio(seconds, report.total.seconds);
  return measured;
}

void add_speedups(std::vector<std::optional<Measurement>>& runs) {
  const double baseline = runs.front() ? runs.front()->updates_per_second : 0;
  for (auto& run : runs)
    if (run) run->speedup = ratio(run->updates_per_second, baseline);
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
      {"threads",
       [](R r) {
         if (!runs_on_host(r)) return std::string();
         return std::to_string(r.threads) + (r.threads == 1 ? " thread" : " threads");
       },
       [](R r) { return runs_on_host(r) ? r.threads : std::numeric_limits<double>::quiet_NaN(); }},
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
  for (ComparedKernel& row : compared) add_speedups(row.runs);
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
  if (!find_sweeps(reports).empty()) return sweep_warnings(reports);
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

std::vector<std::string> measurement_headings(const Reports& reports) {
  return {"",        "time a call", rate_unit(reports), "GB/s",
          "of copy", "GFLOP/s",     "of time",          "speedup"};
}

std::vector<std::string> measurement_cells(const std::optional<Measurement>& measurement) {
  if (!measurement) return std::vector<std::string>(7, "-");
  const auto cell = [](double value, const std::string& text) { return value > 0 ? text : "-"; };
  const Measurement& m = *measurement;
  return {cell(m.seconds_per_call, with_prefix(m.seconds_per_call, "s")),
          cell(m.updates_per_second, with_prefix(m.updates_per_second, "")),
          cell(m.gb_s, short_number(m.gb_s)),
          cell(m.bandwidth_share, percent(m.bandwidth_share)),
          cell(m.gflop_s, short_number(m.gflop_s)),
          cell(m.time_share, percent(m.time_share)),
          cell(m.speedup, short_number(m.speedup) + " x")};
}

std::string comparison_text(const Reports& reports) {
  std::vector<std::vector<std::string>> runs{
      {"", "backend", "threads", "precision", "variant", "sizes", "device"}};
  for (const NamedReport& entry : reports) {
    const TimingReport& r = entry.report;
    runs.push_back({"  " + entry.label, r.backend, std::to_string(r.threads), r.precision,
                    r.variant, list_values(r.sizes), r.device});
  }
  std::vector<std::vector<std::string>> table{measurement_headings(reports)};
  for (const ComparedKernel& kernel : compare_kernels(reports)) {
    table.push_back({kernel.name});
    for (std::size_t i = 0; i < reports.size(); ++i) {
      std::vector<std::string> row{"  " + reports[i].label};
      for (std::string& cell : measurement_cells(kernel.runs[i])) row.push_back(std::move(cell));
      table.push_back(std::move(row));
    }
  }
  const TimingReport& first = reports.front().report;
  return first.title + " (" + first.method + ")\n\n" + align_columns(runs, runs.front().size()) +
         "\n" + align_columns(table, 1);
}

}  // namespace knudsen
