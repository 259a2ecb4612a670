#include "parallel/node_share.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "device/thread_count.hpp"
#include "parallel/communicator.hpp"

namespace knudsen {
namespace {

/// Collective: the texts of all ranks on the first one.
std::vector<std::string> texts_on_first(const std::string& own) {
  const Communicator& ranks = world();
  const std::vector<char> all =
      ranks.concatenate_on_first(std::vector<char>(own.begin(), own.end()));
  const std::vector<std::uint64_t> sizes =
      ranks.concatenate_on_first(std::vector{std::uint64_t{own.size()}});
  std::vector<std::string> texts;
  auto from = all.begin();
  for (const std::uint64_t size : sizes) {
    const auto to = from + static_cast<std::ptrdiff_t>(size);
    texts.emplace_back(from, to);
    from = to;
  }
  return texts;
}

}  // namespace

NodeShare share_of_node() {
  const Communicator& ranks = world();
  NodeShare share;
  if (ranks.size() == 1) return share;
  share.rank = ranks.rank_of_node();
  share.ranks = ranks.size_of_node();
  struct Use {
    int node, core;
  };
  std::vector<Use> own;
  for (const int core : usable_cores()) own.push_back({ranks.node(), core});
  std::map<int, int> users;  // of a core of this node
  for (const auto& [node, core] : ranks.concatenate(own)) {
    if (node == ranks.node()) ++users[core];
  }
  for (const Use& use : own) share.cores += 1.0 / users[use.core];
  return share;
}

std::vector<RankPlace> rank_places(Backend backend) {
  const BackendInfo info = backend_info(backend);
  const std::string device = backend == Backend::host
                                 ? info.device + ", " + std::to_string(info.threads) +
                                       (info.threads == 1 ? " thread on " : " threads on ") +
                                       host_placement()
                                 : info.device + ", " + info.pci_bus;
  const std::vector<std::string> names = texts_on_first(world().name());
  const std::vector<std::string> devices = texts_on_first(device);
  std::vector<RankPlace> places;
  for (std::size_t i = 0; i < names.size(); ++i) places.push_back({names[i], devices[i]});
  return places;
}

std::string shared_device_warning(Backend backend) {
  if (backend == Backend::host || world().size() == 1) return {};
  const std::vector<std::string> devices =
      texts_on_first(std::to_string(world().node()) + ' ' + backend_info(backend).pci_bus);
  const std::set<std::string> distinct(devices.begin(), devices.end());
  if (distinct.size() == devices.size()) return {};
  return std::to_string(devices.size()) + " ranks share " + std::to_string(distinct.size()) +
         (distinct.size() == 1 ? " GPU" : " GPUs") +
         ", so they take turns; launch one rank for each GPU";
}

}  // namespace knudsen
