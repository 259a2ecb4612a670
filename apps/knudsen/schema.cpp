#include <iostream>
#include <memory>

#include "commands.hpp"
#include "methods/registry.hpp"
#include "parallel/together.hpp"
#include "run/settings.hpp"

namespace knudsen {

void add_schema(CLI::App& app) {
  const auto markdown = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of case files");
  command->add_flag("--markdown", *markdown, "Print a reference page in Markdown instead");
  command->footer(
      "Examples:\n"
      "  knudsen schema > case.schema.json\n"
      "  knudsen schema --markdown > case-format.md\n"
      "Editors check a case while you write it if its key \"$schema\" is the path of the schema.");
  command->callback([markdown] {
    on_first_rank([&] {
      if (*markdown) {
        std::cout << describe_markdown(case_reader(method_registry()), "Case files");
      } else {
        std::cout << describe_schema(case_reader(method_registry()), "Knudsen case").dump(2)
                  << '\n';
      }
    });
  });
}

}  // namespace knudsen
