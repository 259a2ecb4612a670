#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "compare.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "device/backend.hpp"
#include "parallel/communicator.hpp"
#include "parallel/together.hpp"
#include "standard_output.hpp"
#include "version.hpp"

namespace {

constexpr int exit_run_failed = 1;
constexpr int exit_bad_input = 2;

/// Tells an error, unless another rank has told of one.
void tell(const std::string& message) {
  const knudsen::Communicator& ranks = knudsen::world();
  if (ranks.has_last_word()) {
    const std::string where = ranks.is_first() ? "" : ranks.name() + ": ";
    std::cerr << "knudsen: error: " << where << knudsen::one_line(message) << std::endl;
  }
}

int fail(int code, const std::string& message) {
  tell(message);
  if (knudsen::world().size() > 1) knudsen::world().abort(code);  // others may wait for this rank
  return code;
}

/// The message for a faulty command line. For an unknown subcommand CLI11 only says that a
/// subcommand is required, so this names it and suggests a similar one.
std::string usage_error(const CLI::App& app, const CLI::Error& error) {
  std::string message = error.what();
  const std::vector<std::string> words = app.remaining();
  if (app.get_subcommands().empty() && !words.empty()) {
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    const std::string near = knudsen::nearest(words[0], known);
    message = "unknown command " + knudsen::quote(words[0]) +
              (near.empty() ? "" : "; did you mean " + knudsen::quote(near) + '?');
  }
  return message;
}

}  // namespace

int main(int argc, char** argv) {
  knudsen::prepare_streams();
  std::optional<knudsen::ParallelSession> ranks;
  const std::string version = KNUDSEN_VERSION;
  int exit_code = 0;
  CLI::App app("Solves kinetic equations on CPUs and GPUs.", "knudsen");
  app.set_version_flag("--version", "knudsen " + version + " (" + knudsen::git_commit() + ")");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  knudsen run cavity.json          run a case\n"
      "  knudsen validate cavity.json     show a case's derived parameters and its memory\n"
      "  knudsen run --help               options and examples of a command");
  knudsen::add_run(app, exit_code);
  knudsen::add_validate(app);
  knudsen::add_compare(app);
  knudsen::add_info(app, version);
  knudsen::add_list(app);
  knudsen::add_schema(app);

  try {
    ranks.emplace();
    knudsen::require_same_text(knudsen::join({argv, argv + argc}, "\n"),
                               "was started with other arguments than the first rank");
    try {
      app.parse(argc, argv);
    } catch (const CLI::Error& error) {
      const bool asked_for_help = error.get_exit_code() == 0;
      if (!knudsen::world().is_first()) return asked_for_help ? 0 : exit_bad_input;
      if (!asked_for_help) {  // on all ranks, as they have the same arguments
        tell(usage_error(app, error));
        std::cerr << "See knudsen --help, or knudsen COMMAND --help.\n";
        return exit_bad_input;
      }
      app.exit(error);
    }
    knudsen::flush_standard_output();
  } catch (const knudsen::AllFailed& failure) {
    if (knudsen::world().is_first()) tell(failure.what());
    return failure.bad_input() ? exit_bad_input : exit_run_failed;
  } catch (const knudsen::InputError& error) {
    return fail(exit_bad_input, error.what());
  } catch (const std::exception& error) {
    return fail(exit_run_failed, knudsen::error_text(error));
  } catch (...) {
    return fail(exit_run_failed, "an unknown failure; please report it as a defect");
  }
  return exit_code;
}
