#include "parallel/transport.hpp"

#include <algorithm>

#include "device/kokkos.hpp"
#include "parallel/communicator.hpp"
#if KNUDSEN_CUDA
#include "parallel/cuda/peer_messages.hpp"
#endif

namespace knudsen {
namespace {

Transport within_node = Transport::host;
Transport between_nodes = Transport::host;

/// Why GPUs of a node cannot reach each other's memory; empty if they can. Collective.
std::string why_not_peer() {
#if KNUDSEN_CUDA
  return cuda::why_not_peer(cuda::SharedKind::gpu);
#else
  return "the program was built without it";
#endif
}

/// Whether they can all reach the same memory of the host. Collective.
bool can_share_host_memory() {
#if KNUDSEN_CUDA
  return cuda::why_not_peer(cuda::SharedKind::host).empty();
#else
  return false;
#endif
}

}  // namespace

const std::vector<std::string>& transport_names() {
  static const std::vector<std::string> names{"auto", "peer", "mpi", "host"};
  return names;
}

std::string choose_transport(const std::string& wanted, Backend backend) {
  const Communicator& ranks = world();
  within_node = between_nodes = Transport::host;
  if (ranks.size() == 1 || backend == Backend::host) return {};
  const bool one_rank_a_node = ranks.all(ranks.size_of_node() == 1);
  const auto go_through_host = [&] {
    if (!one_rank_a_node && can_share_host_memory()) within_node = Transport::shared;
  };
  if (wanted == "host") {
    go_through_host();
    return {};
  }
  const bool mpi_works = ranks.all(ranks.knows_cuda());
  if (mpi_works) within_node = between_nodes = Transport::mpi;
  if (wanted == "mpi") {
    if (mpi_works) return {};
    go_through_host();
    return "parallel.transport: this MPI does not know CUDA, so values go through memory of the "
           "host";
  }
  if (one_rank_a_node) {
    return wanted == "peer" ? "parallel.transport: no two ranks are on one node, so none are peers"
                            : "";
  }
  const std::string reason = why_not_peer();
  if (reason.empty()) {
    within_node = Transport::peer;
    return {};
  }
  if (!mpi_works) go_through_host();
  return "parallel.transport: GPUs of a node cannot reach each other's memory (" + reason +
         "), so values go " + (mpi_works ? "by MPI" : "through memory of the host");
}

Transport transport_to(int rank) {
  // A process cannot open its own memory as that of a peer.
  if (rank == world().rank()) return between_nodes;
  return world().node_of(rank) == world().node() ? within_node : between_nodes;
}

void finish_exchanges() {
#if KNUDSEN_CUDA
  cuda::PeerMessages::finish_all();
#endif
}

std::string transport_text(Backend backend) {
  if (backend == Backend::host) return "host memory";
  const std::string others =
      between_nodes == Transport::mpi ? "MPI on GPU memory" : "pinned host memory";
  if (within_node == between_nodes) return others;
  const std::string within = within_node == Transport::peer ? "peer memory" : "shared host memory";
  const std::vector<int>& nodes = world().nodes();
  const bool one_node =
      std::all_of(nodes.begin(), nodes.end(), [&](int node) { return node == nodes.front(); });
  return one_node ? within : within + " within nodes, " + others + " between them";
}

}  // namespace knudsen
