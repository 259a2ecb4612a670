#pragma once

#include <CLI/CLI.hpp>

namespace knudsen {

/// Adds `knudsen compare`: tables on standard output, warnings on standard error, an HTML page.
/// Parsing the subcommand runs it; its InputErrors and RunErrors leave through CLI::App::parse.
void add_compare(CLI::App& app);

}  // namespace knudsen
