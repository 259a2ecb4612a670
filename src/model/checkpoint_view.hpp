#pragma once

#include <string>
#include <vector>

#include "device/kokkos.hpp"
#include "output/checkpoint.hpp"

// Saves Views of any backend to a checkpoint and loads them from it.

namespace knudsen {

template <class ViewType>
std::vector<std::size_t> extents_of(const ViewType& view) {
  std::vector<std::size_t> extents;
  for (std::size_t d = 0; d < std::size_t{ViewType::rank}; ++d) extents.push_back(view.extent(d));
  return extents;
}

/// Writes a view's values as an array of shape `shape`.
template <class ViewType>
void save_view(CheckpointWriter& checkpoint, const std::string& name, const ViewType& view,
               const std::vector<std::size_t>& shape) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  checkpoint.array(name, host.data(), shape);
}
template <class ViewType>
void save_view(CheckpointWriter& checkpoint, const std::string& name, const ViewType& view) {
  save_view(checkpoint, name, view, extents_of(view));
}

/// Reads what save_view wrote. Throws InputError, see CheckpointReader.
template <class ViewType>
void load_view(const CheckpointReader& checkpoint, const std::string& name, const ViewType& view,
               const std::vector<std::size_t>& shape) {
  const auto host = Kokkos::create_mirror_view(view);
  checkpoint.array(name, host.data(), shape);
  Kokkos::deep_copy(view, host);
}
template <class ViewType>
void load_view(const CheckpointReader& checkpoint, const std::string& name, const ViewType& view) {
  load_view(checkpoint, name, view, extents_of(view));
}

}  // namespace knudsen
