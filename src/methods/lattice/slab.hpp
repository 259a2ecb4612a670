#pragma once

#include <cstdint>
#include <vector>

namespace knudsen::lbm {

/// The layers of a dense lattice that a rank owns: rows of nodes in two dimensions, planes in
/// three, across the last axis. Layers of solid nodes beyond the domain's sides count, so that the
/// lattice is always periodic along that axis.
///
/// With several ranks the lattice of one has a ghost layer after the layers that it owns. Addresses
/// wrap, so this layer stands both for the layer after the slab and for the one before it. All
/// streaming schemes use other slots of it for the one than for the other. No node of the ghost
/// layer is fluid, so kernels do not update it.
struct Slab {
  int rank = 0, ranks = 1;
  std::uint32_t begin = 0, end = 0;  ///< layers
  std::uint32_t layers = 0;          ///< of all ranks
  std::uint64_t layer = 0;           ///< nodes of a layer, padding included

  bool whole() const { return ranks == 1; }
  std::uint32_t owned() const { return end - begin; }
  /// Index of the ghost layer.
  std::uint32_t ghost() const { return owned(); }
  int rank_after() const { return (rank + 1) % ranks; }
  int rank_before() const { return (rank + ranks - 1) % ranks; }
  /// Numbers of the owned nodes in the whole lattice.
  std::uint64_t first_node() const { return begin * layer; }
  std::uint64_t end_node() const { return end * layer; }
  bool owns(std::uint64_t node) const { return node >= first_node() && node < end_node(); }
};

/// The slab of a rank of a lattice. The slabs differ by at most one layer. Throws InputError if a
/// rank would have fewer than `least` layers; `name` is what they are called, "rows".
Slab cut_into_slabs(std::uint32_t layers, std::uint64_t layer, std::uint32_t least,
                    const char* name, int rank, int ranks);
/// That of this rank.
Slab cut_into_slabs(std::uint32_t layers, std::uint64_t layer, std::uint32_t least,
                    const char* name);

}  // namespace knudsen::lbm
