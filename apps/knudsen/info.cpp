#include <iostream>
#include <memory>
#include <vector>

#include "case_options.hpp"
#include "commands.hpp"
#include "device/backend.hpp"
#include "device/thread_count.hpp"
#include "report/text.hpp"

namespace knudsen {
namespace {

struct InfoOptions {
  int threads = 0;
  bool no_bandwidth = false;
};

void show_info(const InfoOptions& options, const std::string& version) {
  const KokkosSession session(options.threads);
  std::vector<std::vector<std::string>> rows{{"version", version},
                                             {"commit", git_commit()},
                                             {"compiler", compiler_version()},
                                             {"Kokkos", kokkos_version()},
                                             {"backends", available_backends()}};
  std::vector<Backend> backends{default_backend()};
  if (backends[0] != Backend::host) backends.push_back(Backend::host);
  for (const Backend backend : backends) {
    const BackendInfo info = backend_info(backend);
    rows.push_back({""});
    rows.push_back({info.name, info.device});
    rows.push_back({"  threads", std::to_string(info.threads) +
                                     (backend == Backend::host ? " on " + host_placement() : "")});
    rows.push_back({"  memory", with_prefix(static_cast<double>(info.memory_free), "B") +
                                    " free of " +
                                    with_prefix(static_cast<double>(info.memory_total), "B")});
    if (options.no_bandwidth) continue;
    rows.push_back({"  copy bandwidth", short_number(measure_copy_bandwidth(backend)) + " GB/s"});
  }
  std::cout << align_columns(rows, 2);
}

}  // namespace

void add_info(CLI::App& app, const std::string& version) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      app.add_subcommand("info", "Show how the program was built and on which backends it runs");
  add_threads(*command, options->threads);
  command->add_flag("--no-bandwidth", options->no_bandwidth, "Do not measure the copy bandwidth");
  command->footer(
      "Examples:\n"
      "  knudsen info\n"
      "  knudsen info --threads 1\n"
      "The copy bandwidth counts bytes read and bytes written.");
  command->callback([options, version] { show_info(*options, version); });
}

}  // namespace knudsen
