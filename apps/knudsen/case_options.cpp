#include "case_options.hpp"

#include <iostream>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "device/thread_count.hpp"
#include "methods/registry.hpp"
#include "parallel/communicator.hpp"
#include "parallel/together.hpp"
#include "run/run.hpp"

namespace knudsen {

void CaseOptions::add_to(CLI::App& command) {
  command.add_option("case", file, "Case file")->required()->type_name("CASE.json");
  command
      .add_option("--set", overrides,
                  "Replace a value of the case; may be repeated. Elements of lists have an "
                  "index, as in geometry.solids[0].radius=3")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("--backend", backend, "Where to compute: one of " + available_backends())
      ->type_name("NAME");
  add_threads(command, threads);
}

void add_threads(CLI::App& command, int& threads) {
  command
      .add_option(
          "--threads", threads,
          "Threads on the host. Default: KOKKOS_NUM_THREADS, else OMP_NUM_THREADS, else one "
          "for each core that the process may use, within its CPU quota")
      ->check(CLI::Range(1, max_host_threads))
      ->type_name("N");
}

ResolvedCase CaseOptions::estimate() const {
  return estimate_case(CaseDocument::from_file(file, overrides), method_registry());
}

CaseDocument CaseOptions::document() const {
  std::optional<CaseDocument> read;
  together([&] { read = CaseDocument::from_file(file, overrides); });
  require_same_text(read->json().dump(),
                    read->name() +
                        ": is another case than that of the first rank; all ranks must read the "
                        "same file");
  read->set_read_together(true);
  return *std::move(read);
}

ResolvedCase CaseOptions::read(const CaseDocument& document, Backend checked) {
  ResolvedCase resolved = resolve_case_in_memory(document, method_registry(), checked);
  show_warnings(resolved);
  return resolved;
}

void CaseOptions::show_warnings(const ResolvedCase& resolved) {
  if (!world().is_first()) return;
  for (const std::string& warning : resolved.problem->warnings) {
    std::cerr << "knudsen: warning: " << one_line(warning) << '\n';
  }
}

}  // namespace knudsen
