#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace knudsen {

// Each of these adds a subcommand. Parsing it runs it; its exceptions leave through
// CLI::App::parse.

/// `knudsen run`; sets `exit_code`.
void add_run(CLI::App& app, int& exit_code);
/// `knudsen validate`
void add_validate(CLI::App& app);
/// `knudsen info`; `version` is the program's.
void add_info(CLI::App& app, const std::string& version);
/// `knudsen list`
void add_list(CLI::App& app);
/// `knudsen schema`
void add_schema(CLI::App& app);

}  // namespace knudsen
