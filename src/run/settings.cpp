#include "run/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "case/part_names.hpp"
#include "core/text.hpp"
#include "output/component.hpp"
#include "output/csv.hpp"
#include "parallel/transport.hpp"
#include "run/read_sampling.hpp"
#include "run/statistics.hpp"

namespace knudsen {
namespace {

using NameList = std::vector<std::string>;

const Range whole_number = Range::at_least(0);

NameList names_of(const std::vector<Quantity>& quantities) {
  NameList names;
  for (const Quantity& quantity : quantities) names.push_back(quantity.name);
  return names;
}

[[noreturn]] void refuse_quantity(const CaseNode& node, const std::string& name,
                                  const NameList& known) {
  const std::string near = nearest(name, known);
  node.fail_hard("quantity", "must be one of " + quote_list(known) +
                                 (near.empty() ? "" : "; did you mean " + quote(near) + '?'));
}

/// Reads `quantity`: a field or one component of it.
FieldPart read_field_part(CaseNode& node, const Problem* problem) {
  const std::string name = node.require_text(
      "quantity", "Field of the method, or one component of it by its suffix, e.g. velocity_x.");
  if (node.describing()) return {};
  const auto part = find_part(problem->fields, name);
  if (!part) refuse_quantity(node, name, part_names(problem->fields));
  return *part;
}

RunSettings::Criterion read_criterion(CaseNode& node, const Problem* problem) {
  RunSettings::Criterion criterion;
  criterion.quantity = node.require_text("quantity",
                                         "Monitor of the method. `knudsen list` shows those of "
                                         "every case; sides, solids and planes add more.");
  criterion.tolerance = node.require_number(
      "tolerance",
      "Largest value for which the criterion holds. For monitors that are themselves a change per "
      "step, e.g. velocity_change, it is compared with the value; for others with the relative "
      "change since the previous check.",
      Range::positive());
  if (node.describing()) return criterion;
  const NameList known = names_of(problem->monitors);
  if (std::find(known.begin(), known.end(), criterion.quantity) == known.end()) {
    refuse_quantity(node, criterion.quantity, known);
  }
  return criterion;
}

/// The last step, from `steps` and `time` in the block "stop".
std::int64_t last_step(const CaseNode& node, const Problem* problem,
                       const std::optional<std::int64_t>& steps,
                       const std::optional<double>& time) {
  if (node.describing()) return 0;
  if (!steps && !time) node.fail_hard("steps", "missing, must be an integer; or give \"time\"");
  if (!time) return *steps;
  if (problem->iterates) {
    node.fail_hard("time", "the steps of the method " + problem->method +
                               " are iterations without a time; give \"steps\"");
  }
  // A time that rounding puts just behind a step is that of the step.
  constexpr double rounding = 1e-9;
  constexpr double most_steps = 9e15;
  const double reached = std::ceil(*time / problem->time_per_step * (1 - rounding));
  node.check_derived("time", "number of steps", reached, Range::between(1, most_steps));
  return std::min(steps.value_or(INT64_MAX), static_cast<std::int64_t>(reached));
}

RunSettings::Stop read_stop(CaseNode& node, const Problem* problem) {
  RunSettings::Stop stop;
  const auto steps = node.integer(
      "steps",
      "Last step. The run ends earlier at `time`, if its criteria hold, at `wall_seconds`, or by a "
      "signal. Give this, `time` or both.",
      Range::at_least(1));
  const auto time = node.number(
      "time",
      "Time at which the run ends, with the first step that reaches it: in L / sqrt(2 R T_ref) for "
      "gases, in steps for lattices, in s for cases in SI units (`units`, `fluid.si`). Not for "
      "methods whose steps are iterations to a steady flow.",
      Range::positive());
  stop.steps = last_step(node, problem, steps, time);
  stop.check_every =
      node.integer_or("check_every", stop.check_every,
                      "Steps between checks for divergence and of `criteria`.", Range::at_least(1));
  node.list("criteria",
            "Convergence criteria. The run stops at the first check at which all of them hold.",
            [&](CaseNode& each) { stop.criteria.push_back(read_criterion(each, problem)); });
  stop.wall_seconds = node.number(
      "wall_seconds",
      "Wall time in seconds after which the run writes a checkpoint and stops. Default: no limit.",
      Range::positive());
  return stop;
}

/// Checks the reference file now, since a fault would otherwise be found only at the end of the
/// run.
void check_reference(const CaseNode& node, const RunSettings::Profile& profile,
                     const CartesianGrid& grid) {
  const CsvTable table(profile.reference->path);
  if (table.column(profile.reference->value_column).empty()) {
    node.fail("reference", profile.reference->path.string() + " has no rows");
  }
  const auto axis = static_cast<std::size_t>(profile.line.axis);
  const double length = grid.cells[axis] * grid.spacing[axis] / profile.line.length_scale;
  for (const double position : table.column(profile.reference->position_column)) {
    if (position >= -1e-9 * length && position <= length * (1 + 1e-9)) continue;
    node.fail("reference",
              "position " + number_text(position) + " in " + profile.reference->path.string() +
                  " is outside of the domain, which extends from 0 to " + number_text(length));
  }
}

RunSettings::Profile read_profile(CaseNode& node, const Problem* problem, PartNames& names) {
  RunSettings::Profile profile;
  profile.name = node.require_text("name", "Name of the profile: " + std::string(PartNames::rule) +
                                               ". Unique. Its file is profile_<name>.csv.");
  names.add(node, "name", profile.name, "another profile");
  profile.quantity = read_field_part(node, problem);
  const NameList axes{"x", "y", "z"};
  const std::string along = node.require_choice("along", axes, "Axis along which the line runs.");
  profile.line.axis = static_cast<int>(std::find(axes.begin(), axes.end(), along) - axes.begin());
  profile.line.at = node.numbers_or("at", {}, 0,
                                    "Position of the line on the other axes, in the order x, y, z, "
                                    "as fractions of the domain. Default: 0.5.",
                                    Range::between(0, 1));
  const bool normalised = node.boolean_or(
      "normalised", true,
      "true: positions in units of the characteristic length, values in units of the "
      "characteristic velocity or density. false: both in the units of the method.");
  node.object(
      "reference", "Reference values with which the profile is compared.",
      [&](CaseNode& reference) {
        profile.reference = ProfileReference{
            reference.require_file(
                "file", "CSV file with a header line. Lines that start with # are comments."),
            reference.require_text(
                "position",
                "Name of the column with the positions, in the same unit as the profile's."),
            reference.require_text(
                "value", "Name of the column with the values, in the same unit as the profile's.")};
      });
  if (node.describing()) return profile;

  const CartesianGrid& grid = problem->grid;
  const bool flat = grid.cells[2] == 1;
  if (flat && profile.line.axis == 2) node.fail("along", "the domain has two dimensions: x and y");
  const std::size_t others = flat ? 1 : 2;
  if (profile.line.at.size() > others) {
    node.fail("at", "must be a list of at most " + std::to_string(others) + " numbers");
  }
  if (profile.quantity.component < 0) {
    node.fail("quantity",
              "has several components; name one: " +
                  quote(component_name(quantity_of(problem->fields, profile.quantity.field), 0)));
  }
  profile.line.component = profile.quantity.component;
  const auto scale = [&](const std::string& name) {
    const auto found = problem->scales.find(name);
    return normalised && found != problem->scales.end() ? found->second : 1.0;
  };
  profile.line.length_scale = scale("length");
  profile.line.value_scale = scale(profile.quantity.field);
  if (profile.reference) check_reference(node, profile, grid);
  return profile;
}

RunSettings::Snapshot read_snapshot(CaseNode& node, const Problem* problem) {
  const double automatic = SnapshotOptions{}.minimum;
  RunSettings::Snapshot snapshot;
  snapshot.quantity = read_field_part(node, problem);
  snapshot.options.component = snapshot.quantity.component;
  snapshot.options.colour_map = node.choice_or("colour_map", "viridis", colour_maps(),
                                               "Colour map from the lowest to the highest value.");
  snapshot.options.minimum =
      node.number("minimum",
                  "Value with the lowest colour. Default: the smallest value in the picture.")
          .value_or(automatic);
  snapshot.options.maximum =
      node.number("maximum",
                  "Value with the highest colour. Default: the largest value in the picture.")
          .value_or(automatic);
  if (snapshot.options.minimum >= snapshot.options.maximum) {
    node.fail("maximum", "must be greater than the minimum");
  }
  if (!node.describing() && snapshot.quantity.component < 0) {
    const Quantity& field = quantity_of(problem->fields, snapshot.quantity.field);
    if (field.components > 3) {
      node.fail("quantity",
                "is a tensor; name one of its components: " + quote(component_name(field, 0)));
    }
  }
  return snapshot;
}

/// Reads the block `output`. `output` already has the defaults.
/// `problem` may be null in describing mode, and is replaced if results are to be in SI units.
void read_output(CaseNode& node, std::unique_ptr<Problem>& owned, RunSettings::Output& output) {
  const std::string units = node.choice_or(
      "units", "of-case", {"of-case", "reference", "si"},
      "Units of all results: fields, series, profiles, pictures, numbers "
      "at the end. of-case: SI units for a case in SI units, of gases by `units` \"si\", of "
      "lattices by `fluid.si`, else those of the method. reference: those of the method, relative "
      "to the reference state of gases. si: SI units. Requires a case that gives its reference "
      "state in SI units, `gas.si` or `fluid.si`.");
  if (!node.describing()) {
    const bool lattice = owned->update_unit == "node";
    const bool si_case = owned->si && owned->si->of_case;
    if (units == "reference" && si_case) {
      node.fail_hard("units", std::string("the case is in SI units (") +
                                  (lattice ? "\"fluid.si\"" : "\"units\" at the top level") +
                                  "), and so are its results; leave it out");
    }
    if (units == "si" && !owned->si) {
      node.fail_hard("units", lattice ? "requires a case in SI units, \"fluid.si\""
                                      : "requires a reference state in SI units, \"gas.si\"");
    }
    if (units == "si" && !si_case) owned = in_si_units(std::move(owned));
  }
  const Problem* problem = node.describing() ? nullptr : owned.get();
  output.directory = node.text("directory",
                               "Directory of the results, relative to the current directory. "
                               "Default: results/<name of the case file>.")
                         .value_or(output.directory.string());
  if (output.directory.empty()) node.fail("directory", "must not be empty");
  const auto every = [](CaseNode& block, const std::string& what) {
    return block.integer_or("every", 0, what, whole_number);
  };

  node.object(
      "fields", "Field files in VTKHDF format for ParaView, fields_<step>.vtkhdf.",
      [&](CaseNode& block) {
        output.fields_every = every(block, "Steps between field files. 0: only one, at the end.");
        output.fields =
            block
                .names(
                    "quantities", problem ? names_of(problem->fields) : NameList{},
                    "Fields to write, as shown by `knudsen list`. Default: chosen by the method.")
                .value_or(output.fields);
        output.write_fields = block.boolean_or("write", true, "false: write no field files.");
      });
  output.surface = node.boolean_or(
      "surface", false,
      "true: with each field file also write what acts on each face of sides and solids, for "
      "ParaView, surface_<step>.vtkhdf. Only methods for gases.");
  if (output.surface && !node.describing()) {
    if (problem->surface_fields.empty()) {
      node.fail("surface",
                "the case has no such surfaces; methods \"bgkw\" and \"shakhov\" have them, on "
                "solids and on sides that are not periodic");
    }
    if (!output.write_fields) node.fail("surface", "requires field files, \"fields\"");
  }
  node.object("series", "Time series of monitors, series.csv.", [&](CaseNode& block) {
    output.series_every = every(block,
                                "Steps between rows. 0: one row at each check. The last step "
                                "of a run always has a row.");
    output.series = block
                        .names("quantities", problem ? names_of(problem->monitors) : NameList{},
                               "Monitors to write. `knudsen list` shows those of every case; "
                               "sides, solids and planes add more. Default: chosen by the method.")
                        .value_or(output.series);
    output.average_from = read_first_step(
        block, "average_from", problem,
        "Step from which the monitors are averaged over the rows of the series. The results at the "
        "end of the run then have for each of them <name>.mean, <name>.rms, the root mean square "
        "of the fluctuation, and <name>.mean_error, the standard error of the mean.",
        "Time from which they are averaged, in place of `average_from`, in the unit of time of "
        "the field files.");
  });

  node.object("snapshots", "PNG pictures of fields, <quantity>_<step>.png.", [&](CaseNode& block) {
    output.snapshots_every =
        every(block, "Steps between pictures of the same quantity. 0: only one, at the end.");
    block.list("pictures", "The pictures, one for each quantity.", [&](CaseNode& picture) {
      const RunSettings::Snapshot snapshot = read_snapshot(picture, problem);
      for (const RunSettings::Snapshot& other : output.snapshots) {
        if (other.quantity.name == snapshot.quantity.name) {
          picture.fail("quantity", "already has a picture");
        }
      }
      output.snapshots.push_back(snapshot);
    });
  });
  PartNames profile_names;
  node.list("profiles",
            "Values along lines through the domain at the end of the run, profile_<name>.csv.",
            [&](CaseNode& each) {
              output.profiles.push_back(read_profile(each, problem, profile_names));
            });
  read_sampling(node, problem, output);
}

RunSettings::Checkpoint read_checkpoint(CaseNode& node) {
  RunSettings::Checkpoint checkpoint;
  checkpoint.every = node.integer_or(
      "every", 0,
      "Steps between checkpoints. 0: only if a signal or stop.wall_seconds stops the run.",
      whole_number);
  checkpoint.keep =
      node.integer_or("keep", checkpoint.keep,
                      "Number of checkpoints to keep; older ones are deleted.", Range::at_least(1));
  checkpoint.at_end = node.boolean_or(
      "at_end", false, "true: also write a checkpoint at the end, to continue the run later.");
  return checkpoint;
}

RunSettings::Parallel read_parallel(CaseNode& node) {
  RunSettings::Parallel parallel;
  parallel.patience = node.number_or(
      "patience", parallel.patience,
      "Seconds that a rank waits for an answer of another one before the run fails, since the "
      "other one hangs. Must be longer than a step takes, and than reading or writing a file.",
      Range::positive());
  constexpr double mebibyte = 1 << 20;
  parallel.piece_bytes = static_cast<std::size_t>(
      mebibyte *
      node.number_or(
          "piece", static_cast<double>(parallel.piece_bytes) / mebibyte,
          "Size in MiB of the pieces in which ranks write and read checkpoints and pass fields "
          "to each other. No rank holds more of them than its own part and a few pieces.",
          Range::between(1e-6, 1e5)));
  parallel.transport = node.choice_or(
      "transport", "auto", transport_names(),
      "How values go between GPUs. peer: from GPU to GPU within a node. mpi: by an MPI that knows "
      "GPUs. host: through memory of the host. auto: the first of these that works.");
  return parallel;
}

/// Reads a whole case into `resolved`.
void read_whole(CaseNode& root, const std::vector<MethodEntry>& methods, ResolvedCase& resolved,
                const std::filesystem::path& default_directory) {
  resolved.title = root.text_or("title", "", "Free text that describes the case.");
  constexpr std::size_t longest_title = 10000;  // HDF5 stores at most 64 KiB
  if (resolved.title.size() > longest_title) {
    root.fail("title", "has " + std::to_string(resolved.title.size()) +
                           " bytes, must have at most " + std::to_string(longest_title));
  }
  std::vector<CaseNode::Alternative> alternatives;
  for (const MethodEntry& entry : methods) {
    alternatives.push_back(
        {entry.name, entry.title + " (" + entry.reference + ").",
         [&resolved, &entry](CaseNode& node) { resolved.problem = entry.read(node); }});
  }
  root.alternatives("method", "The numerical method.", alternatives);
  if (resolved.problem && resolved.problem->si && resolved.problem->si->of_case) {
    resolved.problem = in_si_units(std::move(resolved.problem));
  }
  resolved.settings = read_settings(root, resolved.problem, default_directory);
}

}  // namespace

RunSettings read_settings(CaseNode& root, std::unique_ptr<Problem>& owned,
                          const std::filesystem::path& default_directory) {
  // The schema of these blocks is that of all methods, so no method's quantities may restrict it.
  const Problem* problem = root.describing() ? nullptr : owned.get();
  RunSettings settings;
  root.require_object("stop", "End of the run and convergence criteria.",
                      [&](CaseNode& node) { settings.stop = read_stop(node, problem); });
  root.object(
      "initial_fields",
      "Fields of step 0 in place of those of `initial`: formulas of the coordinates x, y and "
      "z of the cells' centres, as in field files, or a file. The others stay as they are. "
      "The gas is in local equilibrium.",
      [&](CaseNode& node) {
        settings.initial_fields = std::make_shared<const InitialFields>(node, problem);
      });
  if (settings.initial_fields && problem != nullptr) {
    // Only now, since a key that is misspelt is found when the block has been read.
    if (settings.initial_fields->empty()) {
      root.fail("initial_fields", "gives no field; give formulas or a \"file\"");
    }
    for (const std::string& each : settings.initial_fields->warnings()) {
      owned->warnings.push_back(each);
    }
    constexpr std::uint64_t values_of_cell = 5;
    owned->host_bytes += values_of_cell * sizeof(double) * problem->grid.size();
  }
  settings.output.directory = default_directory;
  if (problem != nullptr) {
    settings.output.fields = problem->default_fields;
    settings.output.series = problem->default_monitors;
  }
  root.object("output", "Output files.",
              [&](CaseNode& node) { read_output(node, owned, settings.output); });
  root.object("checkpoint", "Checkpoints from which a run can be continued, checkpoint_<step>.h5.",
              [&](CaseNode& node) { settings.checkpoint = read_checkpoint(node); });
  root.object("parallel", "Runs on several ranks (mpirun). The results do not depend on it.",
              [&](CaseNode& node) { settings.parallel = read_parallel(node); });
  return settings;
}

std::vector<std::string> criteria_below_rounding(const RunSettings& settings,
                                                 const Problem& problem) {
  std::vector<std::string> warnings;
  for (const auto& [quantity, tolerance] : settings.stop.criteria) {
    for (const ResolvedValue& value : problem.resolved) {
      if (value.name != quantity + " that rounding may leave") continue;
      if (tolerance >= std::strtod(value.value.c_str(), nullptr)) continue;
      warnings.push_back("stop.criteria: the tolerance " + number_text(tolerance) + " of " +
                         quantity + " is below " + value.value + ", which rounding may leave in " +
                         problem.precision + " precision, so the run may go on to stop.steps");
    }
  }
  return warnings;
}

bool uses_changes(const RunSettings& settings, const Problem& problem) {
  const auto is_change = [&](const std::string& monitor) {
    const auto& changes = problem.change_monitors;
    return std::find(changes.begin(), changes.end(), monitor) != changes.end();
  };
  return std::any_of(settings.stop.criteria.begin(), settings.stop.criteria.end(),
                     [&](const auto& criterion) { return is_change(criterion.quantity); }) ||
         std::any_of(settings.output.series.begin(), settings.output.series.end(), is_change);
}

ResolvedCase resolve_case(const CaseDocument& document, const std::vector<MethodEntry>& methods) {
  ResolvedCase resolved;
  resolved.name = document.name();
  resolved.digest = document.digest();
  resolved.identity.physics = document.physics();
  resolved.json = document.json();
  const auto stem = std::filesystem::path(document.name()).stem();
  read_case(document,
            [&](CaseNode& root) { read_whole(root, methods, resolved, "results" / stem); });
  resolved.inputs = document.files();
  resolved.identity.digest = document.digest_with_tables();
  Problem& problem = *resolved.problem;
  for (auto& warning : criteria_below_rounding(resolved.settings, problem)) {
    problem.warnings.push_back(std::move(warning));
  }
  for (auto& warning : samples_that_are_never_taken(resolved.settings)) {
    problem.warnings.push_back(std::move(warning));
  }
  problem.host_bytes += sampling_bytes(resolved.settings, problem);
  const std::uint64_t averages =
      Statistics(resolved.settings.output.statistics, problem).method_bytes(problem);
  problem.memory_bytes += averages;
  if (problem.least_memory_bytes > 0) problem.least_memory_bytes += averages;
  if (!uses_changes(resolved.settings, problem)) {
    for (std::uint64_t* bytes : {&problem.memory_bytes, &problem.least_memory_bytes}) {
      *bytes -= std::min(*bytes, problem.remembered_bytes);
    }
  }
  return resolved;
}

CaseNode::Reader case_reader(const std::vector<MethodEntry>& methods) {
  return [&methods](CaseNode& root) {
    ResolvedCase unused;
    read_whole(root, methods, unused, "results");
  };
}

}  // namespace knudsen
