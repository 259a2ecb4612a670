#include "methods/lattice/slab.hpp"

#include <string>

#include "core/error.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm {

Slab cut_into_slabs(std::uint32_t layers, std::uint64_t layer, std::uint32_t least,
                    const char* name, int rank, int ranks) {
  Slab slab;
  slab.rank = rank;
  slab.ranks = ranks;
  slab.layers = layers;
  slab.layer = layer;
  const auto count = static_cast<std::uint32_t>(ranks);
  if (count > 1 && layers < least * count) {
    throw InputError("domain: has " + std::to_string(layers) + ' ' + name +
                     " of nodes, too few for " + std::to_string(ranks) + " ranks with at least " +
                     std::to_string(least) + " each; launch fewer ranks");
  }
  const auto first_of = [&](int before) {
    return static_cast<std::uint32_t>(std::uint64_t{layers} * static_cast<std::uint64_t>(before) /
                                      count);
  };
  slab.begin = first_of(slab.rank);
  slab.end = first_of(slab.rank + 1);
  return slab;
}

Slab cut_into_slabs(std::uint32_t layers, std::uint64_t layer, std::uint32_t least,
                    const char* name) {
  return cut_into_slabs(layers, layer, least, name, world().rank(), world().size());
}

}  // namespace knudsen::lbm
