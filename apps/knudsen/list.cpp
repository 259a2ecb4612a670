#include <iostream>

#include "commands.hpp"
#include "core/text.hpp"
#include "methods/registry.hpp"
#include "output/snapshot.hpp"
#include "parallel/together.hpp"
#include "report/text.hpp"

namespace knudsen {
namespace {

void show_list() {
  for (const MethodEntry& method : method_registry()) {
    std::cout << method.name << ": " << method.title << "\n  " << method.reference << '\n';
    std::vector<std::vector<std::string>> rows;
    for (const auto& [heading, names] : options_of(method)) {
      rows.push_back({"  " + heading, join(names, ", ")});
    }
    std::cout << align_columns(rows, 2) << '\n';
  }
  std::cout << "output.snapshots: colour maps\n  " << join(colour_maps(), ", ") << '\n';
}

}  // namespace

void add_list(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("list", "List the methods with their choices, fields and monitors");
  command->footer(
      "Example:\n"
      "  knudsen list\n"
      "All keys of a case file with their meaning: knudsen schema --markdown");
  command->callback([] { on_first_rank(show_list); });
}

}  // namespace knudsen
