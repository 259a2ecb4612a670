#include <iostream>
#include <memory>
#include <optional>
#include <vector>

#include "case_options.hpp"
#include "commands.hpp"
#include "device/backend.hpp"
#include "device/thread_count.hpp"
#include "parallel/node_share.hpp"
#include "parallel/together.hpp"
#include "parallel/transport.hpp"
#include "report/text.hpp"
#include "run/ranks.hpp"

namespace knudsen {
namespace {

struct InfoOptions {
  int threads = 0;
  bool no_bandwidth = false;
};

/// Collective.
void add_ranks(std::vector<std::vector<std::string>>& rows) {
  rows.push_back({""});
  rows.push_back({"ranks", std::to_string(world().size())});
  for (const RankPlace& each : rank_places(default_backend())) {
    rows.push_back({"  " + each.name, each.device});
  }
  const std::string fault = choose_transport("auto", default_backend());
  rows.push_back({"  exchange", transport_text(default_backend())});
  if (!fault.empty()) rows.push_back({"", fault});
}

void show_info(const InfoOptions& options, const std::string& version) {
  const NodeShare share = share_of_node();
  std::optional<KokkosSession> session;
  together([&] { session.emplace(options.threads, share); });
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
    rows.push_back({"  copy bandwidth", short_number(copy_bandwidth_of_all(backend)) + " GB/s" +
                                            (world().size() > 1 ? " of all ranks" : "")});
  }
  if (world().size() > 1) add_ranks(rows);
  const std::string shared_device = shared_device_warning(default_backend());
  if (!world().is_first()) return;
  if (!shared_device.empty()) std::cerr << "knudsen: warning: " << shared_device << '\n';
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
