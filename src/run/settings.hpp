#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "run/method.hpp"

namespace knudsen {

/// The blocks of a case that mean the same for every method: title, stop, output, checkpoint.
struct RunSettings {
  std::string title;

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

  /// Values on a straight line of cells along an axis, as CSV, beside a reference where given.
  struct Profile {
    std::string name;        ///< file name stem
    std::string quantity;    ///< a field; "velocity_x" style suffixes pick a component
    int axis = 0;            ///< the line runs along this axis
    std::vector<double> at;  ///< fractions (0..1) of the domain in the other axes, in order
    bool normalised = true;  ///< positions by scales["length"], values by the quantity's scale
    std::optional<std::filesystem::path> reference;   ///< CSV with '#' comments and a header line
    std::string reference_position, reference_value;  ///< column names
  };
  struct Snapshot {
    std::string quantity;
    std::string colour_map;
    std::optional<double> minimum, maximum;
  };
  struct Output {
    std::filesystem::path directory;
    std::int64_t fields_every = 0;  ///< 0: at the end only
    std::vector<std::string> fields;
    bool write_fields = true;
    std::int64_t series_every = 0;  ///< 0: with every check
    std::vector<std::string> series;
    std::int64_t snapshots_every = 0;
    std::vector<Snapshot> snapshots;
    std::vector<Profile> profiles;
  } output;

  struct Checkpoint {
    std::int64_t every = 0;  ///< 0: only when stopped by a signal
    int keep = 2;            ///< older ones are removed
    bool at_end = false;
  } checkpoint;
};

/// A case read as a whole: what to solve and how to run it.
struct ResolvedCase {
  std::string name;    ///< of the case file
  std::string digest;  ///< CaseDocument::digest
  RunSettings settings;
  std::unique_ptr<Problem> problem;
};

/// Reads and checks a case. Throws InputError.
ResolvedCase resolve_case(const CaseDocument& document);
/// The reading function of whole cases, all methods included: for describe_schema.
CaseNode::Reader case_reader();

}  // namespace knudsen
