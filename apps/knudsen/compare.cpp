#include "compare.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "output/atomic_file.hpp"
#include "output/own_file.hpp"
#include "parallel/together.hpp"
#include "report/comparison.hpp"

namespace knudsen {
namespace {

struct CompareOptions {
  std::vector<std::string> reports;
  std::string html = "comparison.html";
  bool no_html = false;
};

void compare(const CompareOptions& options) {
  const std::vector<std::filesystem::path> files(options.reports.begin(), options.reports.end());
  if (!options.no_html) {
    require_replaceable(options.html, FileKind::comparison, files, "choose another --html");
  }
  const std::vector<NamedReport> reports = read_reports(files);
  for (const std::string& warning : comparison_warnings(reports))
    std::cerr << "warning: " << one_line(warning) << '\n';
  for (const std::string& warning : run_warnings(reports))
    std::cerr << "warning: " << one_line(warning) << '\n';
  std::cout << comparison_text(reports);
  if (options.no_html) return;
  write_file(options.html, comparison_html(reports));
  std::cout << "\nPage with plots: " << options.html << '\n';
}

}  // namespace

void add_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand(
      "compare", "Compare the timing reports of two or more runs, kernel by kernel");
  command
      ->add_option("reports", options->reports,
                   "Timing reports (timing.json); speedups are against the first")
      ->required()
      ->expected(2, -1)
      ->type_name("REPORT.json");
  CLI::Option* html =
      command
          ->add_option("--html", options->html,
                       "File for the page with tables and plots; an earlier one is replaced")
          ->type_name("FILE")
          ->capture_default_str();
  command->add_flag("--no-html", options->no_html, "Print the tables only")->excludes(html);
  command->footer(
      "Examples:\n"
      "  knudsen compare cpu.json gpu.json\n"
      "  knudsen compare one/timing.json all/timing.json --html threads.html\n"
      "  knudsen compare perf/results/lbm-d2q9/*.json --html sweep.html\n"
      "Three or more reports that differ only in size, threads, ranks or a tuning value are a\n"
      "sweep; the page then plots the rate against that.");
  command->callback([options] { on_first_rank([&] { compare(*options); }); });
}

}  // namespace knudsen
