#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// Adds the option --threads.
void add_threads(CLI::App& command, int& threads);

/// The options that `run` and `validate` share: the case, its overrides and the backend.
struct CaseOptions {
  std::string file;                    ///< the case
  std::vector<std::string> overrides;  ///< KEY=VALUE each
  std::string backend = "default";     ///< see parse_backend
  int threads = 0;                     ///< on the host; 0: see choose_threads

  void add_to(CLI::App& command);
  /// See estimate_case.
  ResolvedCase estimate() const;
  /// Collective: the case, which is the same on all ranks. Throws InputError if it is not.
  CaseDocument document() const;
  /// Reads a case as a whole (resolve_case_in_memory) and shows its warnings.
  static ResolvedCase read(const CaseDocument& document, Backend checked);
  /// Prints the warnings to standard error.
  static void show_warnings(const ResolvedCase& resolved);
};

}  // namespace knudsen
