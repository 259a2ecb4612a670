#pragma once

#include "methods/lbm_d3q27/node_map.hpp"
#include "methods/lbm_d3q27/step.hpp"

namespace knudsen::lbm_d3q27 {

/// Default tuning for a lattice type (measurements in perf/results).
template <class LatticeType>
Tuning default_tuning(bool sparse);

/// Rows of a dense lattice are padded to multiples of this many nodes: whole 32-byte sectors.
template <class Precision>
inline constexpr NodeIndex row_multiple = 32 / sizeof(typename Precision::Storage);

/// Uploads a node map and allocates the populations, set to zero. With `walls_with_plain` nodes at
/// walls are updated together with plain ones, as GPU kernels do, otherwise after them. Throws
/// InputError if there are more than 2147483647 segments; logic_error if the node map gives a slot
/// two owners (require_slot_owners).
template <class LatticeType>
LatticeType make_lattice(const NodeMap& map, Propagation propagation, const Tuning& tuning,
                         bool walls_with_plain = !is_host_backend<typename LatticeType::Execution>);

}  // namespace knudsen::lbm_d3q27
