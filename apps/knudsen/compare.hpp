#pragma once

#include <CLI/CLI.hpp>

namespace knudsen {

/// Adds the subcommand `knudsen compare`, which CLI::App::parse executes: tables on standard
/// output, warnings on standard error, an HTML page. InputError and RunError leave parse.
void add_compare(CLI::App& app);

}  // namespace knudsen
