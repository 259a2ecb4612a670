#include "run/run.hpp"

#include <iostream>
#include <memory>
#include <optional>

#include "case_options.hpp"
#include "commands.hpp"
#include "core/text.hpp"
#include "parallel/node_share.hpp"
#include "parallel/together.hpp"
#include "run/summary.hpp"
#include "standard_output.hpp"

namespace knudsen {
namespace {

struct RunCommand {
  CaseOptions case_options;
  std::optional<std::string> output_directory, restart;
  bool quiet = false, no_bandwidth = false, require_convergence = false;

  /// Returns the exit code.
  int run() const {
    // Never destroyed, so that a second Ctrl-C cannot interrupt the stop and checkpoint that the
    // first one started.
    static const StopSignal& signal = *new StopSignal(StopSignal::Phase::set_up);
    const NodeShare share = share_of_node();
    RunOptions options;
    std::optional<KokkosSession> session;
    std::optional<ResolvedCase> resolved;
    together([&] {
      options = read_options();
      session.emplace(case_options.threads, share);
    });
    const CaseDocument document = case_options.document();
    together([&] { resolved = CaseOptions::read(document, options.backend); });
    const std::string shared_device = shared_device_warning(options.backend);
    if (!shared_device.empty()) std::cerr << "knudsen: warning: " << shared_device << '\n';
    if (!world().is_first()) {
      run_case(*resolved, options, signal);
      return 0;
    }
    if (!quiet) std::cout << run_heading(*resolved, options.backend);
    flush_standard_output();
    const RunResult result = run_case(*resolved, options, signal);
    if (quiet) {
      for (const std::string& warning : result.report.warnings)
        std::cerr << "knudsen: warning: " << one_line(warning) << '\n';
    } else {
      std::cout << run_summary(*resolved, result);
    }
    return exit_code(options, result);
  }

  RunOptions read_options() const {
    RunOptions options;
    options.backend = parse_backend(case_options.backend);
    if (output_directory && output_directory->empty()) {
      throw InputError("--output: is empty, must name a directory");
    }
    if (output_directory) options.output_directory = *output_directory;
    if (restart && restart->empty()) {
      throw InputError(
          "--restart: is empty, must name a checkpoint or a directory with checkpoints");
    }
    if (restart) options.restart = *restart;
    options.quiet = quiet;
    options.measure_bandwidth = !no_bandwidth;
    options.require_convergence = require_convergence;
    return options;
  }
};

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<RunCommand>();
  CLI::App* command = app.add_subcommand("run", "Run a case");
  options->case_options.add_to(*command);
  command
      ->add_option("--output", options->output_directory,
                   "Directory for results, instead of the case's output.directory")
      ->type_name("DIRECTORY");
  command
      ->add_option("--restart", options->restart,
                   "Continue from a checkpoint, or from the latest one in a directory")
      ->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "Show errors and warnings only");
  command->add_flag("--no-bandwidth", options->no_bandwidth,
                    "Do not measure the copy bandwidth after the run");
  command->add_flag("--require-convergence", options->require_convergence,
                    "Fail when the case's stop.criteria are not met by the end of the run");
  command->footer(
      "Examples:\n"
      "  knudsen run cavity.json\n"
      "  knudsen run cavity.json --set fluid.reynolds=400 --output results/cavity_400\n"
      "  knudsen run cavity.json --backend host --threads 1\n"
      "  knudsen run cavity.json --set stop.steps=200000 --restart results/cavity\n"
      "SIGINT (Ctrl-C), SIGTERM, SIGHUP and SIGXCPU stop a run after it has written a checkpoint;\n"
      "before the first step they end it at once. A run replaces results of earlier runs in its\n"
      "directory, but no file that it has read and none that is not a result.\n"
      "Exit codes: 0 success, 1 the run failed (diverged, a field is not finite, or, with\n"
      "--require-convergence, stop.criteria are not met; or a file or standard output cannot be\n"
      "written), 2 bad input, 128 + n stopped by signal n (130 SIGINT, 143 SIGTERM).");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace knudsen
