#pragma once

#include "methods/lbm_d2q9/node_map.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {

enum class Propagation { shared_memory, two_array, in_place };

/// Tuning for a backend and scheme where the case does not say otherwise (see perf/results).
template <class ExecutionSpace>
Tuning default_tuning(Propagation propagation, std::size_t bytes_per_value);

/// Uploads a node map and takes memory for the populations, zeroed.
template <class ExecutionSpace, class Real>
Lattice<ExecutionSpace, Real> make_lattice(const NodeMap& map, Propagation propagation,
                                           const Tuning& tuning);

/// Bytes that make_lattice takes on the backend.
std::uint64_t lattice_bytes(const NodeMap& map, Propagation propagation,
                            std::size_t bytes_per_value);

}  // namespace knudsen::lbm_d2q9
