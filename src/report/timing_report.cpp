#include "report/timing_report.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/json_text.hpp"
#include "output/atomic_file.hpp"

namespace knudsen {
namespace {

constexpr const char* current_format = "knudsen-timing-2";
constexpr const char* first_format = "knudsen-timing-1";

// The numbers of a report are products and quotients of few others. Within these bounds none of
// them overflows.
constexpr double smallest_number = 1e-30;
constexpr double largest_number = 1e30;

/// A cursor on an object of the report. Its members throw InputError with the path of the key.
class ReportObject {
 public:
  ReportObject(const nlohmann::json& json, std::string file, std::string path)
      : json_(json), file_(std::move(file)), path_(std::move(path)) {
    if (!json.is_object()) fail(path_.empty() ? "top level" : path_, json, "an object");
  }

  std::string text(const char* key) const {
    const nlohmann::json& value = at(key, "a string");
    if (!value.is_string()) fail(place(key), value, "a string");
    return value.get<std::string>();
  }

  bool boolean(const char* key) const {
    const nlohmann::json& value = at(key, "true or false");
    if (!value.is_boolean()) fail(place(key), value, "true or false");
    return value.get<bool>();
  }

  std::vector<std::string> text_list(const char* key) const {
    const nlohmann::json& value = at(key, "a list of strings");
    if (!value.is_array()) fail(place(key), value, "a list of strings");
    for (const nlohmann::json& each : value) {
      if (!each.is_string()) fail(place(key), each, "a list of strings");
    }
    return value.get<std::vector<std::string>>();
  }

  std::int64_t integer(const char* key) const {
    const std::string allowed = "an integer of at least 0";
    const nlohmann::json& value = at(key, allowed);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
      fail(place(key), value, allowed);
    return value.get<std::int64_t>();
  }

  /// A number of threads or cores.
  int small_integer(const char* key, int minimum) const {
    constexpr int maximum = std::numeric_limits<int>::max();
    const std::string allowed =
        "an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum);
    const nlohmann::json& value = at(key, allowed);
    if (!value.is_number_integer() || value.get<std::int64_t>() < minimum ||
        value.get<std::int64_t>() > maximum)
      fail(place(key), value, allowed);
    return value.get<int>();
  }

  double number(const char* key) const {
    const std::string allowed = "0 or a number from 1e-30 to 1e+30";
    const nlohmann::json& value = at(key, allowed);
    if (!value.is_number()) fail(place(key), value, allowed);
    const auto found = value.get<double>();
    if (found != 0 && !(found >= smallest_number && found <= largest_number))
      fail(place(key), value, allowed);
    return found;
  }

  Spread spread(const char* key) const {
    const ReportObject object = this->object(key);
    const Spread spread{object.integer("count"), object.number("lower_quartile"),
                        object.number("median"), object.number("upper_quartile")};
    if (!(spread.lower_quartile <= spread.median && spread.median <= spread.upper_quartile)) {
      throw InputError(file_ + ": " + place(key) +
                       ": found quartiles and a median that are not in order, must be "
                       "lower_quartile <= median <= upper_quartile");
    }
    return spread;
  }

  std::map<std::string, Spread> spreads() const {
    std::map<std::string, Spread> values;
    for (const auto& [key, value] : json_.items()) values[key] = spread(key.c_str());
    return values;
  }

  ReportObject object(const char* key) const { return {at(key, "an object"), file_, place(key)}; }

  std::vector<ReportObject> list(const char* key) const {
    const nlohmann::json& value = at(key, "a list");
    if (!value.is_array()) fail(place(key), value, "a list");
    std::vector<ReportObject> objects;
    for (std::size_t i = 0; i < value.size(); ++i)
      objects.emplace_back(value[i], file_, place(key) + "[" + std::to_string(i) + "]");
    return objects;
  }

  std::map<std::string, std::int64_t> integers() const {
    std::map<std::string, std::int64_t> values;
    for (const auto& [key, value] : json_.items()) values[key] = integer(key.c_str());
    return values;
  }

  std::map<std::string, std::string> texts() const {
    std::map<std::string, std::string> values;
    for (const auto& [key, value] : json_.items()) values[key] = text(key.c_str());
    return values;
  }

  bool has(const char* key) const { return json_.contains(key); }

  [[noreturn]] void fail(const std::string& where, const nlohmann::json& found,
                         const std::string& allowed) const {
    std::string shown = found.dump();
    if (shown.size() > 40) shown = found.is_object() ? "an object" : found.type_name();
    throw InputError(file_ + ": " + where + ": found " + shown + ", must be " + allowed);
  }

 private:
  std::string place(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

  const nlohmann::json& at(const char* key, const std::string& allowed) const {
    const auto found = json_.find(key);
    if (found == json_.end())
      throw InputError(file_ + ": " + place(key) + ": missing, must be " + allowed);
    return *found;
  }

  const nlohmann::json& json_;
  std::string file_;
  std::string path_;
};

nlohmann::json parse_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  if (!std::filesystem::exists(path))
    throw InputError(name + ": no such file, must be a timing report");
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path))
    throw InputError(name + ": is not a readable file, must be a timing report");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse_json(text, name);
}

TimingReport::Total read_total(const ReportObject& object, int format) {
  TimingReport::Total total;
  total.steps = object.integer("steps");
  total.seconds = object.number("seconds");
  total.updates = object.number("updates");
  // The oldest reports have the rate only, from which the bytes follow.
  total.bytes = format > 1 || object.has("bytes") ? object.number("bytes")
                                                  : object.number("gb_s") * 1e9 * total.seconds;
  total.setup_seconds = object.number("setup_seconds");
  total.io_seconds = object.number("io_seconds");
  if (format > 1) total.step_seconds = object.spread("step_seconds");
  return total;
}

KernelTiming read_kernel(const ReportObject& object, int format) {
  KernelTiming kernel;
  kernel.name = object.text("name");
  kernel.calls = object.integer("calls");
  if (format > 1) {
    kernel.call_seconds = object.spread("call_seconds");
  } else {
    const double median = object.number("median_seconds");
    kernel.call_seconds = {object.has("timed_calls") ? object.integer("timed_calls") : kernel.calls,
                           median, median, median};
  }
  kernel.min_seconds = object.number("min_seconds");
  kernel.seconds = object.number("seconds");
  kernel.bytes = object.number("bytes");
  kernel.flops = object.number("flops");
  return kernel;
}

TimingReport::CopyBandwidth read_copy_bandwidth(const ReportObject& report, int format) {
  constexpr const char* key = "copy_bandwidth_gb_s";
  if (format == 1) return {0, report.number(key)};
  const ReportObject object = report.object(key);
  return {object.number("before"), object.number("after")};
}

int read_format(const ReportObject& report) {
  const std::string format = report.text("format");
  if (format == current_format) return 2;
  if (format == first_format) return 1;
  report.fail("format", format,
              '"' + std::string(current_format) + "\" or \"" + std::string(first_format) + '"');
}

nlohmann::ordered_json spread_json(const Spread& spread) {
  return {{"count", spread.count},
          {"lower_quartile", spread.lower_quartile},
          {"median", spread.median},
          {"upper_quartile", spread.upper_quartile}};
}

}  // namespace

double TimingReport::launch_and_idle_seconds() const {
  double in_kernels = 0;
  for (const KernelTiming& kernel : kernels) {
    if (!is_between_steps(kernel.name)) in_kernels += kernel.seconds;
  }
  return total.seconds_per_step() * static_cast<double>(total.steps) - in_kernels;
}

double TimingReport::imbalance() const {
  double sum = 0;
  double largest = 0;
  for (const RankTiming& rank : rank_timings) {
    sum += rank.kernels;
    largest = std::max(largest, rank.kernels);
  }
  return sum > 0 ? std::max(largest / sum * static_cast<double>(rank_timings.size()) - 1, 0.0) : 0;
}

void write_timing_report(const std::filesystem::path& path, const TimingReport& report) {
  using Json = nlohmann::ordered_json;  // keeps the order of the keys below
  const TimingReport::Total& total = report.total;
  Json kernels = Json::array();
  for (const KernelTiming& kernel : report.kernels) {
    kernels.push_back(Json{{"name", kernel.name},
                           {"calls", kernel.calls},
                           {"call_seconds", spread_json(kernel.call_seconds)},
                           {"min_seconds", kernel.min_seconds},
                           {"seconds", kernel.seconds},
                           {"bytes", kernel.bytes},
                           {"flops", kernel.flops},
                           {"gb_s", kernel.gb_s()},
                           {"gflop_s", kernel.gflop_s()}});
  }
  Json device_state = Json::object();
  for (const auto& [name, spread] : report.device_state) device_state[name] = spread_json(spread);
  Json json{{"format", current_format},
            {"title", report.title},
            {"method", report.method},
            {"variant", report.variant},
            {"precision", report.precision},
            {"backend", report.backend},
            {"device", report.device},
            {"threads", report.threads},
            {"cores", report.cores},
            {"ranks", report.ranks},
            {"host", report.host},
            {"kokkos_version", report.kokkos_version},
            {"compiler", report.compiler},
            {"git_commit", report.git_commit},
            {"case_digest", report.case_digest},
            {"sizes", Json(report.sizes)},
            {"tuning", Json(report.tuning)},
            {"memory_bytes", Json(report.memory_bytes)},
            {"update_unit", report.update_unit},
            {"copy_bandwidth_gb_s",
             {{"before", report.copy_bandwidth_gb_s.before},
              {"after", report.copy_bandwidth_gb_s.after}}},
            {"total",
             {{"steps", total.steps},
              {"seconds", total.seconds},
              {"updates", total.updates},
              {"updates_per_second", total.updates_per_second()},
              {"ns_per_update", total.ns_per_update()},
              {"bytes", total.bytes},
              {"gb_s", total.gb_s()},
              {"bandwidth_share", report.bandwidth_share()},
              {"setup_seconds", total.setup_seconds},
              {"io_seconds", total.io_seconds},
              {"step_seconds", spread_json(total.step_seconds)},
              {"launch_and_idle_seconds", report.launch_and_idle_seconds()}}},
            {"kernel_clock", report.kernel_clock},
            {"kernels", kernels},
            {"device_state", device_state},
            {"results", Json(report.results)}};
  if (!report.rank_timings.empty()) {
    json["transport"] = report.transport;
    json["imbalance"] = report.imbalance();
    json["rank_timings"] = Json::array();
    for (const RankTiming& rank : report.rank_timings) {
      json["rank_timings"].push_back(Json{{"name", rank.name},
                                          {"device", rank.device},
                                          {"kernels", rank.kernels},
                                          {"exchange", rank.exchange},
                                          {"waiting", rank.waiting},
                                          {"bytes", rank.bytes},
                                          {"messages", rank.messages},
                                          {"bytes_per_second", rank.bytes_per_second}});
    }
  }
  if (report.bound) json["bound"] = *report.bound;
  if (report.converged) json["converged"] = *report.converged;
  if (!report.warnings.empty()) json["warnings"] = report.warnings;
  // Names of devices and hosts come from the system and need not be UTF-8.
  write_file(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

TimingReport read_timing_report(const std::filesystem::path& path) {
  const nlohmann::json json = parse_file(path);
  const ReportObject object(json, path.string(), "");

  TimingReport report;
  report.format = read_format(object);
  report.title = object.text("title");
  report.method = object.text("method");
  report.variant = object.text("variant");
  report.precision = object.text("precision");
  report.backend = object.text("backend");
  report.device = object.text("device");
  report.threads = object.small_integer("threads", 1);
  if (object.has("cores")) report.cores = object.small_integer("cores", 0);
  if (object.has("ranks")) report.ranks = object.small_integer("ranks", 1);
  if (object.has("transport")) report.transport = object.text("transport");
  if (object.has("rank_timings")) {
    for (const ReportObject& entry : object.list("rank_timings")) {
      report.rank_timings.push_back({entry.text("name"), entry.text("device"),
                                     entry.number("kernels"), entry.number("exchange"),
                                     entry.number("waiting"), entry.integer("bytes"),
                                     entry.integer("messages"), entry.number("bytes_per_second")});
    }
  }
  if (object.has("bound")) report.bound = object.boolean("bound");
  report.host = object.text("host");
  report.kokkos_version = object.text("kokkos_version");
  report.compiler = object.text("compiler");
  report.git_commit = object.text("git_commit");
  report.case_digest = object.text("case_digest");
  report.sizes = object.object("sizes").integers();
  if (object.has("tuning")) report.tuning = object.object("tuning").integers();
  if (object.has("memory_bytes")) {
    report.memory_bytes = object.object("memory_bytes").integers();
  }
  if (object.has("update_unit")) report.update_unit = object.text("update_unit");
  report.copy_bandwidth_gb_s = read_copy_bandwidth(object, report.format);
  report.total = read_total(object.object("total"), report.format);
  report.kernel_clock = report.format > 1 ? object.text("kernel_clock") : "fenced launches";
  std::set<std::string> names;
  for (const ReportObject& entry : object.list("kernels")) {
    report.kernels.push_back(read_kernel(entry, report.format));
    if (!names.insert(report.kernels.back().name).second)
      throw InputError(path.string() + ": kernels: the name \"" + report.kernels.back().name +
                       "\" occurs twice");
  }
  if (object.has("device_state")) {
    report.device_state = object.object("device_state").spreads();
  }
  if (object.has("results")) report.results = object.object("results").texts();
  if (object.has("converged")) report.converged = object.boolean("converged");
  if (object.has("warnings")) report.warnings = object.text_list("warnings");
  return report;
}

}  // namespace knudsen
