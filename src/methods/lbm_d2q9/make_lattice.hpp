#pragma once

#include "methods/lbm_d2q9/node_map.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {

enum class Propagation { shared_memory, two_array, in_place };

/// Default tuning for a backend, scheme and size of a value (measurements in perf/results).
template <class ExecutionSpace>
Tuning default_tuning(Propagation propagation, std::size_t bytes_per_value);

/// Uploads a node map and allocates the populations, set to zero. Throws logic_error if the node
/// map gives a slot two owners (require_slot_owners).
template <class ExecutionSpace, class Real>
Lattice<ExecutionSpace, Real> make_lattice(const NodeMap& map, Propagation propagation,
                                           const Tuning& tuning);

/// Bytes that make_lattice allocates on the backend.
std::uint64_t lattice_bytes(const NodeMap& map, Propagation propagation,
                            std::size_t bytes_per_value);

}  // namespace knudsen::lbm_d2q9
