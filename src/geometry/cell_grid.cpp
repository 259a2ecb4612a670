#include "geometry/cell_grid.hpp"

#include <cmath>

namespace knudsen {

CellGrid::CellGrid(const std::vector<Limits3D>& boxes) {
  if (boxes.empty()) return;
  limits_ = boxes.front();
  for (const Limits3D& box : boxes) limits_ = enclosing(limits_, box);

  Point3D size{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    size[axis] = limits_.upper[axis] - limits_.lower[axis];
  // Below these the number of cells over the size overflows.
  constexpr double flat = 1e-12;
  constexpr double smallest = 1e-200;
  const double longest = std::max({size[0], size[1], size[2]});
  double edge = longest;
  const auto count = static_cast<double>(boxes.size());
  while (edge > 0 && (size[0] / edge + 1) * (size[1] / edge + 1) * (size[2] / edge + 1) < count) {
    edge *= 0.9;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(size[axis] > flat * longest) || longest < smallest) continue;
    cells_[axis] = static_cast<std::size_t>(size[axis] / edge) + 1;
    cells_per_length_[axis] = static_cast<double>(cells_[axis]) / size[axis];
  }

  // Count the boxes of each cell; then fill the lists backwards, which leaves starts_ at the
  // starts.
  const std::size_t all = cells_[0] * cells_[1] * cells_[2];
  starts_.assign(all + 1, 0);
  const auto for_entries = [&](std::size_t box, const auto& visit) {
    for_cells(boxes[box], [&](std::size_t i, std::size_t j, std::size_t k) {
      visit(starts_[(k * cells_[1] + j) * cells_[0] + i]);
    });
  };
  for (std::size_t box = 0; box < boxes.size(); ++box) {
    for_entries(box, [](std::size_t& entries) { ++entries; });
  }
  for (std::size_t cell = 1; cell <= all; ++cell) starts_[cell] += starts_[cell - 1];
  boxes_.resize(starts_[all]);
  for (std::size_t box = boxes.size(); box-- > 0;) {
    for_entries(box, [&](std::size_t& end) { boxes_[--end] = static_cast<std::uint32_t>(box); });
  }
}

}  // namespace knudsen
