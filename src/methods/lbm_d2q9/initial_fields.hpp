#pragma once

#include <vector>

#include "core/field.hpp"
#include "methods/lattice/slab.hpp"
#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/parameters.hpp"

namespace knudsen::lbm_d2q9 {

/// The flow at step 0 of a problem, in a slab of the lattice of its node map, with what is given in
/// place of it.
InitialFields initial_fields(const Parameters& parameters, const NodeMap& map,
                             const lbm::Slab& slab, const GivenFields& given = {});

}  // namespace knudsen::lbm_d2q9
