#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "commands.hpp"
#include "compare.hpp"
#include "core/backend.hpp"
#include "core/error.hpp"

namespace {

constexpr int exit_run_failed = 1;
constexpr int exit_bad_input = 2;

int fail(int code, const std::string& message) {
  std::cerr << "knudsen: error: " << message << '\n';
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string version = KNUDSEN_VERSION;
  int exit_code = 0;
  CLI::App app("Solves kinetic equations on processors and GPUs.", "knudsen");
  app.set_version_flag("--version", "knudsen " + version + " (" + knudsen::git_commit() + ")");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  knudsen run cavity.json          run a case\n"
      "  knudsen validate cavity.json     see what a case means and what memory it needs\n"
      "  knudsen run --help               options and examples of a command");
  knudsen::add_run(app, exit_code);
  knudsen::add_validate(app);
  knudsen::add_compare(app);
  knudsen::add_info(app, version);
  knudsen::add_list(app);
  knudsen::add_schema(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Error& error) {
    return app.exit(error) == 0 ? 0 : exit_bad_input;
  } catch (const knudsen::InputError& error) {
    return fail(exit_bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return fail(exit_run_failed, "out of memory; `knudsen validate` tells what a case needs");
  } catch (const std::exception& error) {
    return fail(exit_run_failed, error.what());
  }
  return exit_code;
}
