#pragma once

#include <string>
#include <vector>

#include "device/backend.hpp"

namespace knudsen {

/// Collective: this rank's part of its node. Ranks whose affinity masks are disjoint, as launchers
/// set them, have the cores of their masks; a core in several masks is shared out.
NodeShare share_of_node();

/// How a rank runs, for people.
struct RankPlace {
  std::string name;    ///< "rank 2 on node017"
  std::string device;  ///< "NVIDIA H200, 0000:3b:00.0", or the processor with the cores
};

/// Collective: how all ranks run, on the first rank; empty on others.
std::vector<RankPlace> rank_places(Backend backend);

/// Collective: a warning if ranks share a GPU, on the first rank; else empty.
std::string shared_device_warning(Backend backend);

}  // namespace knudsen
