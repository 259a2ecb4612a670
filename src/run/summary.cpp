#include "run/summary.hpp"

#include <map>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "device/thread_count.hpp"
#include "parallel/communicator.hpp"
#include "report/comparison.hpp"
#include "report/text.hpp"
#include "run/progress.hpp"

namespace knudsen {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Replaces the step in a file name: "fields_*.vtkhdf" for "fields_000001000.vtkhdf". Other names
/// stay.
std::string without_step(const std::string& name) {
  const auto digits = name.find_last_not_of("0123456789", name.rfind('.') - 1) + 1;
  const bool has_step = name.rfind('.') - digits >= 9 && digits > 0 && name[digits - 1] == '_';
  return has_step ? name.substr(0, digits) + '*' + name.substr(name.rfind('.')) : name;
}

/// Rows with file names. Files that differ only in the step share a row.
Rows file_rows(const std::vector<std::filesystem::path>& files) {
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
  for (const auto& file : files) {
    const std::string name = file.filename().string();
    const std::string kind = without_step(name);
    auto found = kinds.begin();
    while (found != kinds.end() && found->first != kind) ++found;
    if (found == kinds.end()) found = kinds.insert(found, {kind, {}});
    found->second.push_back(name);
  }
  Rows rows;
  for (const auto& [kind, names] : kinds) {
    if (names.size() == 1) {
      rows.push_back({"  " + names.front(), ""});
    } else {
      rows.push_back(
          {"  " + kind, std::to_string(names.size()) + " files, the last one " + names.back()});
    }
  }
  return rows;
}

nlohmann::json quantities_json(const std::vector<Quantity>& quantities) {
  nlohmann::json list = nlohmann::json::array();
  for (const Quantity& each : quantities) {
    list.push_back({{"name", each.name},
                    {"unit", each.unit},
                    {"components", each.components},
                    {"description", each.description}});
  }
  return list;
}

std::string bytes_text(std::uint64_t bytes) { return with_prefix(static_cast<double>(bytes), "B"); }

}  // namespace

std::string run_heading(const ResolvedCase& resolved, Backend backend) {
  const Problem& problem = *resolved.problem;
  const BackendInfo info = backend_info(backend);
  return (resolved.title.empty() ? resolved.name : resolved.title) + '\n' + problem.method + ", " +
         problem.variant + ", " + problem.precision + " precision, " + list_values(problem.sizes) +
         "; " + info.name + ", " +
         (world().size() > 1 ? std::to_string(world().size()) + " ranks, each with " : "") +
         std::to_string(info.threads) + (info.threads == 1 ? " thread" : " threads") +
         (backend == Backend::host ? " on " + host_placement() : "") + ", " + info.device + '\n' +
         (problem.scales_text.empty() ? "" : problem.scales_text + '\n');
}

std::string run_summary(const ResolvedCase& resolved, const RunResult& result) {
  const TimingReport& report = result.report;
  const std::string problem_unit = resolved.problem->update_unit;
  Rows rows{{"stopped", "at step " + std::to_string(result.step) + ": " + result.stopped_by},
            {"time", short_number(report.total.seconds) + " s stepping, " +
                         short_number(report.total.setup_seconds) + " s set-up, " +
                         short_number(report.total.io_seconds) + " s output"},
            {"rate", rate_text(report.total.updates_per_second(), problem_unit)}};
  if (report.copy_bandwidth_gb_s.best() > 0) {
    rows.push_back({"bandwidth", short_number(report.total.gb_s()) + " GB/s, " +
                                     percent(report.bandwidth_share()) + " of a copy's " +
                                     short_number(report.copy_bandwidth_gb_s.best()) + " GB/s"});
  }
  if (report.ranks > 1) {
    double waiting = 0;
    for (const RankTiming& rank : report.rank_timings) {
      waiting += (rank.exchange + rank.waiting) / report.ranks;
    }
    rows.push_back({"ranks", std::to_string(report.ranks) + ", exchange: " + report.transport +
                                 ", " + percent(waiting) +
                                 " of the time waiting for others, imbalance " +
                                 percent(report.imbalance())});
  }
  if (!resolved.problem->scales_text.empty()) {
    rows.push_back({"scales", resolved.problem->scales_text});
  }
  for (const auto& [name, value] : report.results) rows.push_back({name, value});
  std::string text = '\n' + align_columns(rows, 2);

  if (!result.profiles.empty()) {
    Rows table{{"profile", "quantity", "largest difference to reference", "at"}};
    for (const ComparedProfile& profile : result.profiles) {
      table.push_back({profile.name, profile.quantity, short_number(profile.difference.largest),
                       short_number(profile.difference.position)});
    }
    text += '\n' + align_columns(table, 2);
  }
  text +=
      "\nFiles in " + result.directory.string() + '\n' + align_columns(file_rows(result.files), 2);
  if (result.checkpoint && result.step < resolved.settings.stop.steps) {
    text += "\nTo continue: knudsen run " + resolved.name + " --restart " +
            result.checkpoint->string() + '\n';
  }
  if (!report.warnings.empty()) text += '\n';
  for (const std::string& warning : report.warnings) text += "warning: " + warning + '\n';
  return text;
}

std::string case_summary(const ResolvedCase& resolved, const BackendInfo& backend,
                         const BackendInfo& host) {
  const Problem& problem = *resolved.problem;
  const bool on_host = backend.name == host.name;
  const std::string bound = !problem.estimated                                  ? ""
                            : problem.least_memory_bytes < problem.memory_bytes ? "at most about "
                                                                                : "about ";
  Rows rows{{"method", problem.method + ", " + problem.variant},
            {"precision", problem.precision},
            {"sizes", list_values(problem.sizes)}};
  for (const ResolvedValue& each : problem.resolved) {
    const bool has_unit = !each.unit.empty() && each.unit != "1";
    rows.push_back({each.name, each.value + (has_unit ? ' ' + each.unit : "")});
  }
  const std::int64_t steps = resolved.settings.stop.steps;
  const bool si_case = problem.si && problem.si->of_case && !problem.iterates;
  rows.push_back(
      {"steps",
       std::to_string(steps) +
           (si_case ? ", " + short_number(static_cast<double>(steps) * problem.time_per_step) +
                          " s of the flow"
                    : "")});
  rows.push_back({"output directory", resolved.settings.output.directory.string()});
  const auto memory_row = [&](const std::string& name, std::uint64_t needed,
                              const BackendInfo& place) {
    rows.push_back({name, bound + bytes_text(needed) + " of " + bytes_text(place.memory_free) +
                              " free (" + bytes_text(place.memory_total) + " in all) on " +
                              place.device});
  };
  memory_row("memory", on_host ? host_need(problem, Backend::host) : problem.memory_bytes, backend);
  if (!on_host) memory_row("memory on the host", host_need(problem, Backend::device), host);
  return (resolved.title.empty() ? "" : resolved.title + '\n') + align_columns(rows, 2);
}

nlohmann::json case_json(const ResolvedCase& resolved, const BackendInfo& info, Backend backend) {
  const Problem& problem = *resolved.problem;
  nlohmann::json values = nlohmann::json::array();
  for (const auto& [name, value, unit] : problem.resolved) {
    values.push_back({{"name", name}, {"value", value}, {"unit", unit}});
  }
  return {{"case", resolved.name},
          {"digest", resolved.digest},
          {"title", resolved.title},
          {"method", problem.method},
          {"variant", problem.variant},
          {"precision", problem.precision},
          {"sizes", problem.sizes},
          {"resolved", values},
          {"warnings", problem.warnings},
          {"steps", resolved.settings.stop.steps},
          {"output_directory", resolved.settings.output.directory.string()},
          {"update_unit", problem.update_unit},
          {"updates_per_step", problem.updates_per_step},
          {"bytes_per_step", problem.bytes_per_step},
          {"fields", quantities_json(problem.fields)},
          {"monitors", quantities_json(problem.monitors)},
          {"backend", info.name},
          {"device", info.device},
          {"memory_bytes", problem.memory_bytes},
          {"host_memory_bytes", host_need(problem, backend)},
          {"memory_free_bytes", info.memory_free},
          {"memory_total_bytes", info.memory_total}};
}

}  // namespace knudsen
