#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "methods/gas/slab.hpp"
#include "model/checkpoint_view.hpp"
#include "parallel/communicator.hpp"

// Values of the cells of a box that several ranks share, in checkpoints with the same bytes as from
// one rank.

namespace knudsen {

/// An array with a row for each cell of a box, of which a rank has the rows of its slab.
class SharedRows {
 public:
  template <class ViewType>
  SharedRows(const ViewType& part, const CellSlab& slab) : shape_(extents_of(part)) {
    shape_[0] = static_cast<std::size_t>(slab.layers) * static_cast<std::size_t>(slab.layer_cells);
    for (std::size_t d = 1; d < shape_.size(); ++d) row_ *= shape_[d];
    begin_ = static_cast<std::size_t>(slab.first_cell()) * row_;
    end_ = begin_ + static_cast<std::size_t>(slab.own_cells()) * row_;
  }

  /// Extents of the array of all ranks.
  const std::vector<std::size_t>& shape() const { return shape_; }
  /// The first of the rank's own numbers among those of all, and how many it has.
  std::size_t begin() const { return begin_; }
  std::size_t size() const { return end_ - begin_; }

 private:
  std::vector<std::size_t> shape_;
  std::size_t row_ = 1;
  std::size_t begin_ = 0;  ///< the own numbers among those of all ranks
  std::size_t end_ = 0;
};

/// Collective: writes the own rows of all ranks as one array. Ghost rows of `part` are left out.
template <class ViewType>
void save_rows(CheckpointWriter& checkpoint, const std::string& name, const ViewType& part,
               const CellSlab& slab) {
  using Number = typename ViewType::non_const_value_type;
  const SharedRows rows(part, slab);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part);
  checkpoint.shared_array<Number>(
      name, rows.shape(), [&](const auto& body) { body(rows.begin(), rows.size(), 0); },
      [&](std::size_t place, std::size_t count, Number* to) {
        std::copy_n(host.data() + place, count, to);
      });
}

/// Collective: reads the own rows of this rank from what any number of ranks wrote by save_rows.
template <class ViewType>
void load_rows(const CheckpointReader& checkpoint, const std::string& name, const ViewType& part,
               const CellSlab& slab) {
  if (world().size() == 1) return load_view(checkpoint, name, part);
  using Number = typename ViewType::non_const_value_type;
  const SharedRows rows(part, slab);
  const auto host = Kokkos::create_mirror_view(part);
  checkpoint.shared_array<Number>(
      name, rows.shape(), [&](const auto& body) { body(rows.begin(), rows.size(), 0); },
      [&](std::size_t place, std::size_t count, const Number* from) {
        std::copy_n(from, count, host.data() + place);
      });
  Kokkos::deep_copy(part, host);
}

}  // namespace knudsen
