#pragma once

#include "methods/lbm_d3q27/node_map.hpp"
#include "methods/lbm_d3q27/step.hpp"

namespace knudsen::lbm_d3q27 {

/// Tuning for a backend where the case does not say otherwise (see perf/results).
template <class LatticeType>
Tuning default_tuning(bool sparse);

/// Rows of a dense lattice are padded to this many nodes: whole sectors of memory.
template <class Precision>
inline constexpr NodeIndex row_multiple = 32 / sizeof(typename Precision::Storage);

/// Uploads a node map and takes memory for the populations, zeroed. `walls_with_plain`: nodes at
/// walls are worked on together with plain ones, as GPU kernels do; else after them.
template <class LatticeType>
LatticeType make_lattice(const NodeMap& map, Propagation propagation, const Tuning& tuning,
                         bool walls_with_plain = !is_host_backend<typename LatticeType::Execution>);

}  // namespace knudsen::lbm_d3q27
