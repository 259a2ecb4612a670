#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// The part of the command line that `run` and `validate` share: which case, and where.
struct CaseOptions {
  std::string file;
  std::vector<std::string> overrides;
  std::string backend = "default";
  int threads = 0;

  void add_to(CLI::App& command);
  /// Reads the case, with its warnings on standard error.
  ResolvedCase read() const;
};

}  // namespace knudsen
