#include "case_options.hpp"

#include <iostream>

#include "device/thread_count.hpp"
#include "methods/registry.hpp"
#include "parallel/communicator.hpp"
#include "run/run.hpp"
#include "standard_output.hpp"

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
  CaseDocument document = CaseDocument::from_file(file, overrides);
  document.set_estimating(true);
  return resolve_case(document, method_registry());
}

ResolvedCase CaseOptions::read(Backend checked) const {
  ResolvedCase resolved = estimate();
  if (resolved.problem->estimated) {
    require_memory(resolved, checked);
    resolved = resolve_case(CaseDocument::from_file(file, overrides), method_registry());
  }
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
