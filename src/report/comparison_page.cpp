#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "report/comparison.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"

namespace knudsen {
namespace {

using Reports = std::vector<NamedReport>;
using Rows = std::vector<std::vector<std::string>>;

/// With more runs than this besides the first, there is no bar plot and tables are folded.
constexpr std::size_t max_bars = 8;

constexpr const char* page_style = R"(
:root { color-scheme: light dark; --paper: #ffffff; --ink: #24292f; --faint: #5c6670;
  --rule: #d4d9de; --band: #f4f6f8; --alarm: #8a4b00; --alarm-band: #fff6e5; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #14181d; --ink: #d7dce2; --faint: #98a2ad; --rule: #363d46; --band: #1c2128;
    --alarm: #f0b45c; --alarm-band: #2b2314; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.2rem 4rem; max-width: 68rem; background: var(--paper);
  color: var(--ink); line-height: 1.5;
  font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .2rem; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .7rem; }
.subtitle, figcaption, .note { color: var(--faint); }
.subtitle { margin: 0; }
figcaption, .note { font-size: .875rem; max-width: 48rem; }
figure { margin: 1.6rem 0 2.2rem; break-inside: avoid; }
figcaption { margin: .4rem auto 0; }
.warnings { background: var(--alarm-band); border-left: 4px solid var(--alarm);
  padding: .6rem 1rem; margin: 1.4rem 0; }
.warnings ul { margin: .2rem 0; padding-left: 1.2rem; }
.warnings strong { color: var(--alarm); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { padding: .32rem .6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
thead th { border-bottom: 2px solid var(--ink); vertical-align: bottom; white-space: nowrap; }
.numbers { table-layout: fixed; min-width: 46rem; margin-bottom: 1.2rem; }
.numbers td, .numbers thead th { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.numbers thead th { font-weight: 400; color: var(--faint); border-bottom-width: 1px; }
.numbers thead th:first-child { width: 26%; text-align: left; font-weight: 600;
  color: var(--ink); }
.numbers tbody th { font-weight: 400; padding-left: 1.4rem; overflow-wrap: anywhere; }
summary { cursor: pointer; padding: .3rem .6rem; background: var(--band); margin-bottom: .3rem; }
code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: .92em; overflow-wrap: anywhere; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
)";

std::string element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + escape_markup(text) + "</" + tag.substr(0, tag.find(' ')) + ">";
}

std::string table_head(const std::vector<std::string>& headings) {
  std::string html = "<thead><tr>";
  for (const std::string& heading : headings) html += element("th scope=\"col\"", heading);
  return html + "</tr></thead>\n";
}

std::string table_row(const std::string& name, const std::vector<std::string>& cells) {
  std::string html = "<tr>" + element("th scope=\"row\"", name);
  for (const std::string& cell : cells) html += element("td", cell);
  return html + "</tr>\n";
}

/// A table with a row for each report, its label first.
std::string fact_table(std::vector<std::string> headings, const Reports& reports,
                       const Rows& rows) {
  headings.insert(headings.begin(), "run");
  std::string html = "<div class=\"scroll\"><table>\n" + table_head(headings) + "<tbody>\n";
  for (std::size_t i = 0; i < reports.size(); ++i) html += table_row(reports[i].label, rows[i]);
  return html + "</tbody></table></div>\n";
}

/// With few runs, a column for each, else a row for each.
std::string provenance(const Reports& reports) {
  const RunFacts facts = run_facts(reports);
  const std::string heading = element("h2", "What was run where") + "\n";
  if (reports.size() > max_fact_columns) {
    return heading + fact_table(facts.headings, reports, facts.of_runs);
  }
  std::vector<std::string> labels{""};
  for (const NamedReport& entry : reports) labels.push_back(entry.label);
  std::string html = "<div class=\"scroll\"><table>\n" + table_head(labels) + "<tbody>\n";
  for (std::size_t column = 0; column < facts.headings.size(); ++column) {
    std::vector<std::string> cells;
    for (const auto& row : facts.of_runs) cells.push_back(row[column]);
    html += table_row(facts.headings[column], cells);
  }
  return heading + html + "</tbody></table></div>\n";
}

std::string measurement_table(const Reports& reports, const ComparedKernel& kernel) {
  std::vector<std::string> headings = measurement_headings(reports);
  headings.front() = kernel.name;
  std::string html =
      "<div class=\"scroll\"><table class=\"numbers\">\n" + table_head(headings) + "<tbody>\n";
  for (std::size_t i = 0; i < reports.size(); ++i)
    html +=
        table_row(reports[i].label, measurement_cells(kernel.runs[i], differ_in_ranks(reports)));
  return html + "</tbody></table></div>\n";
}

/// A table for each kernel; folded if there are many runs.
std::string measurements(const Reports& reports, const std::vector<ComparedKernel>& kernels) {
  std::string html = element("h2", "Measurements") + "\n";
  for (const ComparedKernel& kernel : kernels) {
    const bool folded = reports.size() > max_bars + 1 && &kernel != &kernels.front();
    if (folded) html += "<details>" + element("summary", kernel.name) + "\n";
    html += measurement_table(reports, kernel);
    if (folded) html += "</details>\n";
  }
  return html +
         element("p class=\"note\"",
                 "The time of a kernel is the median of its timed calls. Overall it is the median "
                 "time of a step over batches of steps, without set-up and output. \"Spread\" is "
                 "the interquartile range over the median. Rates are all updates of the run per "
                 "second spent in the kernel. Speedups are ratios of these rates to the first "
                 "run's. \"Launch and idle\" is the time of a step that no kernel accounts for; "
                 "with it, the shares of time of the kernels add up to 100 %. It is negative where "
                 "timing the kernels slowed them down. GB/s and GFLOP/s are by the method's "
                 "traffic model. \"Of copy\" is the share of the copy bandwidth measured in the "
                 "same run, the larger of before and after it.") +
         "\n";
}

std::string figure(const std::string& svg, const std::string& caption) {
  return "<figure>\n" + svg + element("figcaption", caption) + "\n</figure>\n";
}

std::string speedup_figure(const Reports& reports, const std::vector<ComparedKernel>& kernels) {
  if (reports.size() > max_bars + 1) return "";
  const std::string& first = reports.front().label;
  BarPlot plot;
  plot.frame = {"speedup", "Speedup over " + first,
                "Bars of the time per update of " + first +
                    " divided by that of each other run, overall and for each kernel."};
  plot.value_label = "speedup (time per update of " + first + " over the run's)";
  plot.value_suffix = " ×";
  plot.reference = 1;
  for (std::size_t i = 1; i < reports.size(); ++i) plot.series.push_back({reports[i].label, {}});
  for (const ComparedKernel& kernel : kernels) {
    if (kernel.name == launch_and_idle) continue;
    plot.categories.push_back(kernel.name);
    for (std::size_t i = 1; i < reports.size(); ++i) {
      const auto& run = kernel.runs[i];
      const bool known = run && run->speedup > 0;
      plot.series[i - 1].values.push_back(known ? std::optional(run->speedup) : std::nullopt);
    }
  }
  return figure(draw(plot), "The dashed line is " + first +
                                " itself. A dash means that one of the two runs does not have "
                                "the kernel.");
}

/// The axis of the swept variable: logarithmic if all values are positive, with ticks at the values
/// if these are few.
PlotAxis sweep_axis(const Sweep& sweep) {
  constexpr std::size_t max_ticks = 10;
  std::set<double> places;
  for (const Sweep::Series& series : sweep.series)
    for (const auto& point : series.points) places.insert(point.first);
  PlotAxis axis{sweep.variable, *places.begin() > 0, {}, {}, {}};
  const bool readable = *places.rbegin() < 1e4;
  if (places.size() <= max_ticks && readable) axis.ticks.assign(places.begin(), places.end());
  return axis;
}

std::string sweep_figures(const Reports& reports) {
  const std::string unit = rate_unit(reports);
  std::string html;
  for (const Sweep& sweep : find_sweeps(reports)) {
    LinePlot plot;
    plot.frame = {"sweep-" + std::to_string(html.size()), "Rate against " + sweep.variable,
                  "Updates per second against " + sweep.variable + ", one line per series."};
    plot.x = sweep_axis(sweep);
    plot.y = {"rate (10⁹ " + unit + ")", true, {}, {}, {}};
    for (const Sweep::Series& series : sweep.series) {
      const std::size_t i = plot.series.size();
      PlotSeries line{series.name, {}, i, marker_shape(i), Stroke::solid};
      for (const auto& [x, rate] : series.points)
        line.points.push_back(
            {x, rate * 1e-9,
             series.name + ": " + with_prefix(rate, unit) + " at " + short_number(x)});
      plot.series.push_back(std::move(line));
    }
    html += figure(draw(plot), "Stepping alone, without set-up and output. Higher is better.");
  }
  return html;
}

/// The copy bandwidth of a device with a backend and a number of threads.
struct Roof {
  double bandwidth = 0;  ///< GB/s
  std::size_t colour = 0;
  std::string name;  ///< beginning of its entry in the legend
};

/// What a roofline plot is drawn from.
struct Roofline {
  std::vector<PlotSeries> points;      ///< one per kernel and run
  std::vector<PlotSeries> colour_key;  ///< the series of runs
  std::vector<PlotSeries> shape_key;   ///< the kernels
  std::map<std::tuple<std::string, std::string, int>, Roof> roofs;
  double min_intensity = 0;  ///< FLOP per byte, of all points
  double max_intensity = 0;
  double min_performance = 0;  ///< GFLOP/s, of all points
};

/// The name of each run in the plot's legend. Runs of a sweep share that of their series.
std::vector<std::string> roofline_names(const Reports& reports) {
  std::vector<std::string> names = series_names(reports);
  const bool sweep = !find_sweeps(reports).empty();
  if (!sweep || std::all_of(names.begin(), names.end(), [](auto& name) { return name.empty(); }))
    for (std::size_t i = 0; i < reports.size(); ++i)
      names[i] = sweep ? reports[i].report.device : reports[i].label;
  return names;
}

Roofline collect_roofline(const Reports& reports) {
  const std::vector<std::string> names = roofline_names(reports);
  std::map<std::string, std::size_t> colours, kernel_numbers;
  Roofline plot;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const TimingReport& r = reports[i].report;
    const auto [colour, new_colour] = colours.try_emplace(names[i], colours.size());
    if (new_colour)
      plot.colour_key.push_back({names[i], {}, colour->second, Marker::swatch, Stroke::none});
    for (const KernelTiming& kernel : r.kernels) {
      const double performance = kernel.gflop_s();
      if (kernel.bytes <= 0 || performance <= 0) continue;
      const auto [number, new_kernel] =
          kernel_numbers.try_emplace(kernel.name, kernel_numbers.size());
      const Marker shape = marker_shape(number->second);
      if (new_kernel)
        plot.shape_key.push_back(
            {kernel.name, {}, PlotSeries::neutral_colour, shape, Stroke::none});
      const double intensity = kernel.flops / kernel.bytes;
      const bool first = plot.points.empty();
      plot.min_intensity = first ? intensity : std::min(plot.min_intensity, intensity);
      plot.max_intensity = std::max(plot.max_intensity, intensity);
      plot.min_performance = first ? performance : std::min(plot.min_performance, performance);
      const std::string text = reports[i].label + ", " + kernel.name + ": " +
                               short_number(performance) + " GFLOP/s at " +
                               short_number(intensity) + " FLOP/B";
      plot.points.push_back(
          {"", {{intensity, performance, text}}, colour->second, shape, Stroke::none});
    }
    Roof& roof = plot.roofs[{r.device, r.backend, r.threads}];
    if (roof.name.empty()) roof.colour = colour->second;
    roof.bandwidth = std::max(roof.bandwidth, r.copy_bandwidth_gb_s.best());
    roof.name = r.device + " (" + r.backend + ", " + std::to_string(r.threads) +
                (r.threads == 1 ? " thread): " : " threads): ");
  }
  return plot;
}

/// Every kernel of every run under the roofs of the copy bandwidths.
std::string roofline_figure(const Reports& reports) {
  const Roofline data = collect_roofline(reports);
  if (data.points.empty()) return "";

  const double left = data.min_intensity / 4, right = data.max_intensity * 4;
  double top = 0;
  std::vector<PlotSeries> roofs;
  for (const auto& [device, roof] : data.roofs) {
    if (roof.bandwidth <= 0) continue;
    top = std::max(top, roof.bandwidth * right);
    roofs.push_back({roof.name + short_number(roof.bandwidth) + " GB/s",
                     {{left, roof.bandwidth * left, ""}, {right, roof.bandwidth * right, ""}},
                     roof.colour,
                     Marker::none,
                     Stroke::dashed});
  }
  LinePlot plot;
  plot.frame = {"roofline", "Roofline",
                "Performance of each kernel in GFLOP/s against its arithmetic intensity in FLOP "
                "per byte, under the line that the copy bandwidth of each device allows."};
  plot.x = {"arithmetic intensity (FLOP/B)", true, left, right, {}};
  plot.y = {"performance (GFLOP/s)",
            true,
            data.min_performance / 4,
            std::max(top, 16 * data.min_performance),
            {}};
  for (const auto* part : {&data.colour_key, &std::as_const(roofs), &data.shape_key, &data.points})
    plot.series.insert(plot.series.end(), part->begin(), part->end());
  return figure(
      draw(plot),
      "Dashed lines: copy bandwidth measured in the runs times the intensity. There is no "
      "roof for the arithmetic peak, which is not measured. FLOP and bytes are by the "
      "method's model. A kernel whose data are in the cache may be above the line.");
}

std::string results_table(const Reports& reports) {
  std::set<std::string> keys;
  for (const NamedReport& entry : reports)
    for (const auto& [key, value] : entry.report.results) keys.insert(key);
  if (keys.empty()) return "";
  Rows rows;
  for (const NamedReport& entry : reports) {
    std::vector<std::string> row;
    for (const std::string& key : keys) {
      const auto found = entry.report.results.find(key);
      row.push_back(found == entry.report.results.end() ? "-" : found->second);
    }
    rows.push_back(std::move(row));
  }
  return element("h2", "Results of the runs") + "\n" +
         fact_table({keys.begin(), keys.end()}, reports, rows);
}

std::string warning_box(const Reports& reports) {
  const std::vector<std::string> warnings = comparison_warnings(reports);
  if (warnings.empty()) return "";
  std::string html =
      "<div class=\"warnings\" role=\"note\"><strong>What limits this "
      "comparison</strong>\n<ul>\n";
  for (const std::string& warning : warnings) html += element("li", warning) + "\n";
  return html + "</ul></div>\n";
}

}  // namespace

std::string comparison_html(const Reports& reports) {
  const TimingReport& first = reports.front().report;
  const std::vector<ComparedKernel> kernels = compare_kernels(reports);
  const std::string title = "Comparison: " + first.title;
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         element("title", title) + "\n<style>\n" + plot_style() + page_style +
         "</style>\n</head>\n<body>\n" + element("h1", title) + "\n" +
         element("p class=\"subtitle\"",
                 "Method " + first.method + ", " + std::to_string(reports.size()) +
                     " runs, speedups against " + reports.front().label + ".") +
         "\n" + warning_box(reports) + speedup_figure(reports, kernels) + sweep_figures(reports) +
         measurements(reports, kernels) + roofline_figure(reports) + provenance(reports) +
         results_table(reports) + "</body>\n</html>\n";
}

}  // namespace knudsen
