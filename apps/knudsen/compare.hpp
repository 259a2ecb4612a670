#pragma once

#include <CLI/CLI.hpp>

namespace knudsen {

/// Adds the subcommand `knudsen compare`: tables on standard output, warnings on standard error, an
/// HTML page. CLI::App::parse executes it and passes on InputError and RunError.
void add_compare(CLI::App& app);

}  // namespace knudsen
