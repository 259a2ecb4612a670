#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "case_options.hpp"
#include "commands.hpp"
#include "parallel/together.hpp"
#include "run/run.hpp"
#include "run/summary.hpp"

namespace knudsen {
namespace {

void validate(const CaseOptions& options, bool json) {
  const Backend backend = parse_backend(options.backend);
  const KokkosSession session(options.threads);
  const ResolvedCase resolved = options.estimate();
  CaseOptions::show_warnings(resolved);
  const BackendInfo info = backend_info(backend);
  if (json) {
    // The title need not be UTF-8.
    std::cout << case_json(resolved, info, backend)
                     .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << case_summary(resolved, info, backend_info(Backend::host));
  }
  require_memory(resolved, backend);
}

}  // namespace

void add_validate(CLI::App& app) {
  struct Options {
    CaseOptions case_options;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "validate", "Check a case and show its derived parameters, without running it");
  options->case_options.add_to(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Examples:\n"
      "  knudsen validate cavity.json\n"
      "  knudsen validate cavity.json --set domain.nodes=[4096,4096] --json\n"
      "Exit codes: 0 the case can be run here, 2 it has errors or needs more memory than is "
      "free.");
  command->callback(
      [options] { on_first_rank([&] { validate(options->case_options, options->json); }); });
}

}  // namespace knudsen
