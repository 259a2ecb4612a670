#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "parallel/together.hpp"

namespace knudsen {

// Each of these functions adds a subcommand. CLI::App::parse executes it and passes its exceptions
// on.

/// Collective: calls work() on the first rank only. If it throws, all ranks end.
template <class Work>
void on_first_rank(const Work& work) {
  together([&] {
    if (world().is_first()) work();
  });
}

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
