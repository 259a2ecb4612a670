#include "run/read_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "case/part_names.hpp"
#include "core/text.hpp"
#include "output/component.hpp"
#include "output/interpolation.hpp"
#include "run/faults.hpp"
#include "run/statistics.hpp"

namespace knudsen {
namespace {

using Fractions = std::array<double, 3>;

constexpr double most_points_a_direction = 1e6;
constexpr std::size_t most_points = 10'000'000;

RunSettings::SampleSteps read_steps(CaseNode& node, const Problem* problem) {
  RunSettings::SampleSteps steps;
  steps.from = read_first_step(node, "from", problem,
                               "Step of the first sample. Default: 0, the initial state.",
                               "Time before which no sample is taken, in place of `from`, in the "
                               "unit of time of the field files.")
                   .value_or(0);
  steps.every = node.integer_or("every", 1, "Steps between samples.", Range::at_least(1));
  return steps;
}

/// Reads names of fields or of their components.
std::vector<FieldPart> read_parts(CaseNode& node, const std::string& key, const Problem* problem,
                                  const std::string& documentation) {
  const auto known = problem ? part_names(problem->fields) : std::vector<std::string>{};
  std::vector<FieldPart> parts;
  const auto names = node.names(key, known, documentation);
  if (!names) return parts;
  for (const std::string& name : *names) parts.push_back(*find_part(problem->fields, name));
  return parts;
}

/// All pairs of different components within each group of names.
void read_covariances(CaseNode& node, const Problem* problem,
                      std::vector<std::array<FieldPart, 2>>& pairs) {
  const auto known = problem ? part_names(problem->fields) : std::vector<std::string>{};
  const auto groups = node.name_lists(
      "covariance", known,
      "Covariances: lists of fields or components. Each two components of a list give one: "
      "[\"velocity\"] gives those of the velocity's components, from which and `rms` come the "
      "Reynolds stresses; [\"velocity_x\", \"temperature\"] gives one.");
  if (!groups) return;
  for (const auto& group : *groups) {
    std::vector<FieldPart> parts;
    for (const std::string& name : group) {
      for (FieldPart& each : components_of(problem->fields, *find_part(problem->fields, name))) {
        parts.push_back(std::move(each));
      }
    }
    if (parts.size() < 2) {
      node.fail("covariance", "a list must have at least two components, found " +
                                  quote_list(group) +
                                  "; the variance of one is the square of its \"rms\"");
    }
    for (std::size_t a = 0; a < parts.size(); ++a) {
      for (std::size_t b = a + 1; b < parts.size(); ++b) {
        const auto is_same = [&](const auto& pair) {
          return (pair[0].name == parts[a].name && pair[1].name == parts[b].name) ||
                 (pair[0].name == parts[b].name && pair[1].name == parts[a].name);
        };
        if (parts[a].name == parts[b].name || std::any_of(pairs.begin(), pairs.end(), is_same)) {
          node.fail("covariance", "the pair " + quote(parts[a].name) + ", " + quote(parts[b].name) +
                                      " must occur once");
        }
        pairs.push_back({parts[a], parts[b]});
      }
    }
  }
}

void read_statistics(CaseNode& node, const Problem* problem, RunSettings::Statistics& statistics) {
  statistics.steps = read_steps(node, problem);
  statistics.means = read_parts(node, "mean", problem,
                                "Fields, or components of them as velocity_x, whose time average "
                                "is written: mean_<name>.");
  statistics.rms = read_parts(node, "rms", problem,
                              "Fields, or components of them, of which the root mean square of "
                              "the fluctuation about the average is written: rms_<name>.");
  read_covariances(node, problem, statistics.covariances);
  if (!node.describing() && !statistics.any()) {
    node.fail("", "has none of \"mean\", \"rms\" and \"covariance\"");
  }
}

/// The numbers of a place that are left out are those of the middle of the domain.
Fractions read_place(CaseNode& node, const std::string& key, const std::string& what) {
  Fractions place{0.5, 0.5, 0.5};
  const std::string documentation =
      what + " as fractions of the domain along x, y and z. Those left out are 0.5.";
  const auto given = node.require_numbers(key, 0, documentation, Range::between(0, 1));
  if (node.describing()) return place;
  if (given.empty() || given.size() > 3) node.fail_hard(key, "must be a list of 1 to 3 numbers");
  std::copy(given.begin(), given.end(), place.begin());
  return place;
}

std::size_t to_size(std::int64_t count) { return static_cast<std::size_t>(count); }

/// `from` plus fractions of the ways to each of `to`, the last of these ways fastest.
std::vector<Fractions> points_between(const Fractions& from, const std::vector<Fractions>& to,
                                      const std::vector<std::size_t>& counts) {
  std::size_t all = 1;
  for (const std::size_t count : counts) all *= count;
  std::vector<Fractions> points(all, from);
  for (std::size_t i = 0; i < all; ++i) {
    std::size_t left = i;
    for (std::size_t d = counts.size(); d-- > 0; left /= counts[d]) {
      const double share =
          static_cast<double>(left % counts[d]) / static_cast<double>(counts[d] - 1);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        points[i][axis] += share * (to[d][axis] - from[axis]);
      }
    }
  }
  return points;
}

/// Throws InputError if the points are outside of the domain, which the fourth corner of a plane
/// may be, or all in solids.
void check_points(const CaseNode& node, const std::string& key, const RunSettings::Probe& probe,
                  const Problem& problem) {
  constexpr double rounding = 1e-12;
  std::size_t solid = 0;
  for (const Fractions& point : probe.points) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (point[axis] >= -rounding && point[axis] <= 1 + rounding) continue;
      node.fail(key, "gives the point (" + number_text(point[0]) + ", " + number_text(point[1]) +
                         ", " + number_text(point[2]) +
                         "), which is outside of the domain: fractions must be from 0 to 1");
    }
    if (problem.is_solid(cell_at(problem.grid, point))) ++solid;
  }
  if (solid < probe.points.size()) return;
  node.fail(key, (probe.shape.empty() ? "is in a solid, "
                                      : "all points are in solids, the first one in ") +
                     place_text(cell_at(problem.grid, probe.points.front()), problem) +
                     "; move the probe into the fluid");
}

void read_points(CaseNode& node, const Problem* problem, RunSettings::Probe& probe) {
  const Range counts = Range::between(2, most_points_a_direction);
  std::string key;
  const auto take = [&](const Fractions& from, const std::vector<Fractions>& to,
                        const std::vector<std::int64_t>& numbers) {
    if (node.describing()) return;
    std::size_t all = 1;
    for (const std::int64_t number : numbers) {
      probe.shape.push_back(to_size(number));
      all *= to_size(number);
    }
    if (all > most_points) {
      node.fail("points", "gives " + std::to_string(all) + " points, must be at most " +
                              std::to_string(most_points));
    }
    probe.points = points_between(from, to, probe.shape);
  };
  node.alternatives(
      "kind", "What is sampled.",
      {{"point", "One point.",
        [&](CaseNode& point) {
          key = "at";
          take(read_place(point, key, "The point,"), {}, {});
          probe.spectrum = point.boolean_or(
              "spectrum", false,
              "true: at the end of the run, write the power spectral density of the samples, "
              "spectrum_<name>.csv.");
        }},
       {"line", "Points at equal distances on a line, both ends included.",
        [&](CaseNode& line) {
          key = "end";
          const Fractions begin = read_place(line, "begin", "The first point,");
          const Fractions end = read_place(line, "end", "The last point,");
          take(begin, {end}, {line.require_integer("points", "Number of points.", counts)});
        }},
       {"plane", "Points at equal distances on a plane, its edges included.",
        [&](CaseNode& plane) {
          key = "corner";
          const Fractions corner = read_place(plane, "corner", "A corner of the plane,");
          const Fractions first =
              read_place(plane, "first", "The corner next to it in one direction,");
          const Fractions second =
              read_place(plane, "second", "The corner next to it in the other direction,");
          take(corner, {first, second},
               plane.require_integers("points", 2, "Numbers of points in the two directions.",
                                      counts));
        }}},
      "point");
  if (!node.describing()) check_points(node, key, probe, *problem);
}

RunSettings::Probe read_probe(CaseNode& node, const Problem* problem, PartNames& names) {
  RunSettings::Probe probe;
  probe.name =
      node.require_text("name", "Name of the probe: " + std::string(PartNames::rule) + ". Unique.");
  names.add(node, "name", probe.name, "another probe");
  probe.steps = read_steps(node, problem);
  probe.quantities =
      read_parts(node, "quantities", problem,
                 "Fields, or components of them as velocity_x, that are sampled: by linear "
                 "interpolation between the centres of cells, without those in solids.");
  if (!node.describing() && probe.quantities.empty()) {
    node.fail("quantities", std::string(node.has("quantities") ? "" : "missing, ") +
                                "must be a list of at least one field");
  }
  read_points(node, problem, probe);
  return probe;
}

std::uint64_t value_bytes(const Problem& problem) { return problem.precision == "double" ? 8 : 4; }

/// Bytes of the samples of all probes.
std::uint64_t probe_bytes(const RunSettings& settings, const Problem& problem) {
  double bytes = 0;
  for (const RunSettings::Probe& probe : settings.output.probes) {
    double values = 0;
    for (const FieldPart& part : probe.quantities) {
      values += static_cast<double>(components_of(problem.fields, part).size()) *
                static_cast<double>(probe.points.size());
    }
    bytes += static_cast<double>(probe.steps.count(settings.stop.steps)) *
             (8 * values + sizeof(std::int64_t));
  }
  return static_cast<std::uint64_t>(std::min(bytes, 1e18));
}

}  // namespace

std::optional<std::int64_t> read_first_step(CaseNode& node, const std::string& key,
                                            const Problem* problem, const std::string& step_text,
                                            const std::string& time_text) {
  const std::string time_key = key + "_time";
  const auto step = node.integer(key, step_text, Range::at_least(0));
  const auto time = node.number(time_key, time_text, Range::at_least(0));
  if (step && time) node.fail(time_key, "must not be given beside " + quote(key));
  if (node.describing() || !time) return step;
  // A time that is a whole number of steps must not be rounded up to the next one.
  const double steps = std::ceil(*time / problem->time_per_step * (1 - 1e-12));
  constexpr double last_exact = 9007199254740992.0;
  if (!(steps <= last_exact)) {
    node.fail(time_key, "is more than " + number_text(last_exact) + " steps of " +
                            number_text(problem->time_per_step));
  }
  return static_cast<std::int64_t>(steps);
}

void read_sampling(CaseNode& node, const Problem* problem, RunSettings::Output& output) {
  node.object(
      "statistics",
      "Averages over samples of the run, in every cell, statistics.vtkhdf. They are written "
      "when the run ends and are part of checkpoints.",
      [&](CaseNode& block) { read_statistics(block, problem, output.statistics); });
  PartNames names;
  node.list("probes", "Values at points, lines and planes, sampled in time, probes.h5.",
            [&](CaseNode& each) { output.probes.push_back(read_probe(each, problem, names)); });
}

std::uint64_t sampling_bytes(const RunSettings& settings, const Problem& problem) {
  // What is known without sampling includes one field of the method, not the largest in any case.
  const std::uint64_t cells = problem.grid.size();
  std::uint64_t all = 0;  // components of fields that are averaged, which are there at once
  std::uint64_t largest = 0;
  for (const std::string& name : Statistics(settings.output.statistics, problem).fields()) {
    const auto components =
        static_cast<std::uint64_t>(quantity_of(problem.fields, name).components);
    all += components;
    largest = std::max(largest, components);
  }
  std::uint64_t points = 0;
  std::set<std::string> probed;
  for (const RunSettings::Probe& probe : settings.output.probes) {
    points += probe.points.size();
    for (const FieldPart& part : probe.quantities) probed.insert(part.field);
  }
  std::uint64_t cell_bytes = sizeof(std::size_t);  // of a cell around points: its place and values
  for (const std::string& name : probed) {
    cell_bytes +=
        sizeof(double) * static_cast<std::uint64_t>(quantity_of(problem.fields, name).components);
  }
  // Of a point: its place twice, and a list of the cells around it with their weights.
  constexpr std::uint64_t heap = 16;  // what the heap adds to a list
  constexpr std::uint64_t point_bytes =
      2 * sizeof(Fractions) + sizeof(std::vector<CellWeight>) + 8 * sizeof(CellWeight) + heap;
  return Statistics(settings.output.statistics, problem).host_bytes() +
         cells * (all - largest) * value_bytes(problem) + points * point_bytes +
         std::min(8 * points, cells) * cell_bytes + probe_bytes(settings, problem);
}

std::uint64_t sampling_file_bytes(const RunSettings& settings, const Problem& problem) {
  return 2 * Statistics(settings.output.statistics, problem).bytes() +
         probe_bytes(settings, problem);
}

std::vector<std::string> samples_that_are_never_taken(const RunSettings& settings) {
  std::vector<std::string> warnings;
  const auto check = [&](const std::string& key, const RunSettings::SampleSteps& steps) {
    if (steps.count(settings.stop.steps) > 0) return;
    warnings.push_back(key + ": the first sample would be at step " + std::to_string(steps.from) +
                       ", after the last step " + std::to_string(settings.stop.steps) +
                       ", so none is taken");
  };
  if (settings.output.statistics.any()) {
    check("output.statistics", settings.output.statistics.steps);
  }
  for (const RunSettings::Probe& probe : settings.output.probes) {
    check("output.probes: " + probe.name, probe.steps);
  }
  if (const auto from = settings.output.average_from) check("output.series.average_from", {*from});
  return warnings;
}

}  // namespace knudsen
