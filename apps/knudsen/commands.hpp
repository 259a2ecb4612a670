#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace knudsen {

// Each of these functions adds a subcommand. CLI::App::parse executes it and passes its exceptions
// on.

/// `knudsen run`; sets `exit_code`.
void add_run(CLI::App& app, int& exit_code);
/// `knudsen validate`
void add_validate(CLI::App& app);
/// `knudsen info`; `version` is that of the program.
void add_info(CLI::App& app, const std::string& version);
/// `knudsen list`
void add_list(CLI::App& app);
/// `knudsen schema`
void add_schema(CLI::App& app);

}  // namespace knudsen
