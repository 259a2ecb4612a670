#include "methods/lattice/slab.hpp"

#include <string>

#include "core/error.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm {

Slab cut_into_slabs(std::uint32_t layers, std::uint64_t layer, std::uint32_t least,
                    const char* name) {
  Slab slab;
  slab.rank = world().rank();
  slab.ranks = world().size();
  slab.layers = layers;
  slab.layer = layer;
  const auto ranks = static_cast<std::uint32_t>(slab.ranks);
  if (ranks > 1 && layers < least * ranks) {
    throw InputError("domain: has " + std::to_string(layers) + ' ' + name +
                     " of nodes, too few for " + std::to_string(ranks) + " ranks with at least " +
                     std::to_string(least) + " each; launch fewer ranks");
  }
  const auto first_of = [&](int rank) {
    return static_cast<std::uint32_t>(std::uint64_t{layers} * static_cast<std::uint64_t>(rank) /
                                      ranks);
  };
  slab.begin = first_of(slab.rank);
  slab.end = first_of(slab.rank + 1);
  return slab;
}

}  // namespace knudsen::lbm
