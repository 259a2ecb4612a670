#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "model/method_entry.hpp"
#include "model/problem.hpp"
#include "output/profile.hpp"
#include "output/snapshot.hpp"

namespace knudsen {

/// The blocks of a case that mean the same for every method: stop, output, checkpoint.
struct RunSettings {
  struct Criterion {
    std::string quantity;  ///< a monitor
    double tolerance = 0;  ///< stop when the value (change monitors) or its relative change between
                           ///< two checks (others) is at most this
  };
  struct Stop {
    std::int64_t steps = 0;  ///< never go beyond this step
    std::int64_t check_every =
        1000;  ///< steps between two checks of the criteria and for divergence
    std::vector<Criterion> criteria;     ///< all must hold
    std::optional<double> wall_seconds;  ///< stop after a clean checkpoint when this has passed
  } stop;

  /// A field, or with a suffix ("velocity_x") one component of it.
  struct FieldPart {
    std::string name;    ///< as the case has it; also the stem of file names
    std::string field;   ///< one of Problem::fields
    int component = -1;  ///< -1: the whole field
  };
  /// Values on a straight line of cells along an axis, as CSV, beside a reference where given.
  struct Profile {
    std::string name;  ///< in the name of its file
    FieldPart quantity;
    ProfileLine line;
    std::optional<ProfileReference> reference;
  };
  struct Snapshot {
    FieldPart quantity;
    SnapshotOptions options;
  };
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
    std::int64_t keep = 2;   ///< older ones of this run are removed
    bool at_end = false;
  } checkpoint;
};

/// Reads these blocks from the top level of a case and checks quantities against the problem's.
/// `problem` may be null in describing mode. Without `output.directory` results go to
/// `default_directory`.
RunSettings read_settings(CaseNode& root, const Problem* problem,
                          const std::filesystem::path& default_directory);

/// A case read as a whole: what to solve and how to run it.
struct ResolvedCase {
  std::string name;     ///< of the case file
  std::string digest;   ///< CaseDocument::digest
  nlohmann::json json;  ///< as read, overrides applied
  std::string title;
  RunSettings settings;
  std::unique_ptr<Problem> problem;
};

/// Reads and checks a case of one of `methods`. Throws InputError.
ResolvedCase resolve_case(const CaseDocument& document, const std::vector<MethodEntry>& methods);
/// The reading function of whole cases, all methods included: for describe_schema. `methods` must
/// outlive it.
CaseNode::Reader case_reader(const std::vector<MethodEntry>& methods);

}  // namespace knudsen
