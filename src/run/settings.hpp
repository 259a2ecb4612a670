#pragma once

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

  /// A field, or one component of it named by its suffix ("velocity_x").
  struct FieldPart {
    std::string name;    ///< as in the case; also used in file names
    std::string field;   ///< one of Problem::fields
    int component = -1;  ///< -1: the whole field
  };
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
  std::shared_ptr<const InitialFields> initial_fields;  ///< null: the initial state of the method

  struct Output {
    std::filesystem::path directory;
    std::int64_t fields_every = 0;  ///< 0: at the end only
    std::vector<std::string> fields;
    bool write_fields = true;
    std::int64_t series_every = 0;  ///< 0: with every check
    std::vector<std::string> series;
    std::int64_t snapshots_every = 0;  ///< 0: at the end only
    std::vector<Snapshot> snapshots;
    std::vector<Profile> profiles;
  } output;

  struct Checkpoint {
    std::int64_t every = 0;  ///< 0: only when stopped by a signal or by wall_seconds
    std::int64_t keep = 2;   ///< number of checkpoints to keep; older ones of this run are deleted
    bool at_end = false;
  } checkpoint;

  struct Parallel {
    double patience = 600;           ///< seconds that a rank waits for others
    std::string transport = "auto";  ///< between GPUs: see transport_names
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

/// A case, read and checked: the problem to solve and how to run it.
struct ResolvedCase {
  std::string name;                           ///< of the case file
  std::string digest;                         ///< CaseDocument::digest
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
