#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "model/method_entry.hpp"
#include "model/problem.hpp"
#include "output/profile.hpp"
#include "output/snapshot.hpp"
#include "run/field_part.hpp"
#include "run/initial_fields.hpp"

namespace knudsen {

/// The blocks of a case that are the same for all methods: stop, output, checkpoint,
/// parallel.
struct RunSettings {
  struct Criterion {
    std::string quantity;  ///< a monitor
    double tolerance = 0;  ///< largest value (change monitors) or relative change between two
                           ///< checks (other monitors) with which the criterion holds
  };
  struct Stop {
    std::int64_t steps = 0;           ///< the last step
    std::int64_t check_every = 1000;  ///< steps between checks for divergence and of the criteria
    std::vector<Criterion> criteria;  ///< all must hold
    std::optional<double> wall_seconds;  ///< wall time before a checkpoint and the end of the run
  } stop;

  /// Values along a line of cells parallel to an axis, optionally compared with a reference.
  struct Profile {
    std::string name;  ///< its file is profile_<name>.csv
    FieldPart quantity;
    ProfileLine line;
    std::optional<ProfileReference> reference;
  };
  struct Snapshot {
    FieldPart quantity;
    SnapshotOptions options;
  };
  /// Steps at which something is sampled: `from`, from + every, from + 2 every and so on.
  struct SampleSteps {
    std::int64_t from = 0;
    std::int64_t every = 1;

    bool includes(std::int64_t step) const { return step >= from && (step - from) % every == 0; }
    /// The first of these steps after `step`.
    std::int64_t after(std::int64_t step) const {
      return step < from ? from : step + every - (step - from) % every;
    }
    /// The number of these steps up to and including `last`.
    std::int64_t count(std::int64_t last) const {
      return last < from ? 0 : (last - from) / every + 1;
    }
  };
  /// Averages over the samples of a run, in every cell.
  struct Statistics {
    SampleSteps steps;
    std::vector<FieldPart> means;
    std::vector<FieldPart> rms;  ///< of the fluctuation
    /// Pairs of single components.
    std::vector<std::array<FieldPart, 2>> covariances;

    bool any() const { return !means.empty() || !rms.empty() || !covariances.empty(); }
  };
  /// Values at a point, or at points on a line or plane, sampled in time.
  struct Probe {
    std::string name;  ///< its group in probes.h5
    SampleSteps steps;
    std::vector<FieldPart> quantities;
    /// Numbers of points along the directions of a line or plane; empty for a point.
    std::vector<std::size_t> shape;
    /// The points as fractions of the domain, the last direction fastest.
    std::vector<std::array<double, 3>> points;
    bool spectrum = false;  ///< of a point: write spectrum_<name>.csv at the end of the run
  };
  std::shared_ptr<const InitialFields> initial_fields;  ///< null: the initial state of the method

  struct Output {
    std::filesystem::path directory;
    std::int64_t fields_every = 0;  ///< 0: at the end only
    std::vector<std::string> fields;
    bool write_fields = true;
    bool surface = false;           ///< whether fields on surfaces are written with the field files
    std::int64_t series_every = 0;  ///< 0: with every check
    std::vector<std::string> series;
    std::optional<std::int64_t> average_from;  ///< step from which the monitors are averaged
    std::int64_t snapshots_every = 0;          ///< 0: at the end only
    std::vector<Snapshot> snapshots;
    std::vector<Profile> profiles;
    Statistics statistics;
    std::vector<Probe> probes;
  } output;

  struct Checkpoint {
    std::int64_t every = 0;  ///< 0: only when stopped by a signal or by wall_seconds
    std::int64_t keep = 2;   ///< number of checkpoints to keep; older ones of this run are deleted
    bool at_end = false;
  } checkpoint;

  struct Parallel {
    double patience = 600;                            ///< seconds that a rank waits for others
    std::string transport = "auto";                   ///< between GPUs: see transport_names
    std::size_t piece_bytes = std::size_t{16} << 20;  ///< see Communicator::piece_bytes
  } parallel;
};

/// Reads these blocks from the top level of a case and checks that the problem has the quantities
/// they name. `problem` may be null in describing mode; it becomes one in SI units if the case asks
/// for that. `default_directory` is the output directory if the case names none.
RunSettings read_settings(CaseNode& root, std::unique_ptr<Problem>& problem,
                          const std::filesystem::path& default_directory);

/// A warning for each criterion that rounding may keep from ever being met. A problem that knows
/// what rounding leaves of a monitor has a resolved value "<monitor> that rounding may leave".
std::vector<std::string> criteria_below_rounding(const RunSettings& settings,
                                                 const Problem& problem);

/// What a checkpoint and a case that continues it must have in common.
struct CaseIdentity {
  std::string digest;     ///< CaseDocument::digest_with_tables
  std::string physics{};  ///< CaseDocument::physics, for messages; may be empty
};

/// A case, read and checked: the problem to solve and how to run it.
struct ResolvedCase {
  std::string name;                           ///< of the case file
  std::string digest;                         ///< CaseDocument::digest
  CaseIdentity identity;                      ///< what a checkpoint must agree with
  nlohmann::json json;                        ///< as read, overrides applied
  std::vector<std::filesystem::path> inputs;  ///< the case file and the files that it names
  std::string title;
  RunSettings settings;
  std::unique_ptr<Problem> problem;
};

/// Whether a change monitor is a criterion or in the series.
bool uses_changes(const RunSettings& settings, const Problem& problem);

/// Reads and checks a case of one of `methods`. Throws InputError.
ResolvedCase resolve_case(const CaseDocument& document, const std::vector<MethodEntry>& methods);
/// The function that reads whole cases of all methods, for describe_schema. `methods` must outlive
/// it.
CaseNode::Reader case_reader(const std::vector<MethodEntry>& methods);

}  // namespace knudsen
