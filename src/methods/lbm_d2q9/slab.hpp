#pragma once

#include "methods/lattice/slab.hpp"
#include "methods/lbm_d2q9/node_map.hpp"

namespace knudsen::lbm_d2q9 {

/// The part of a node map that belongs to a slab of rows, with its ghost row.
NodeMap part_of(const NodeMap& whole, const lbm::Slab& slab);

}  // namespace knudsen::lbm_d2q9
