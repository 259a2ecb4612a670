#include "methods/shakhov/gas_parts.hpp"

#include <cstdint>
#include <optional>

#include "kinetic/surface.hpp"
#include "methods/gas/surfaces.hpp"
#include "methods/shakhov/make_sweep_space.hpp"

namespace knudsen::shakhov {
namespace {

/// The cell of gas on the other side of a face of a cell, if molecules pass through the face.
std::optional<std::size_t> gas_beyond(const FlowGrid& grid, std::size_t cell, int side) {
  const CutCell* cut = grid.solids.cut_cell(cell);
  if (cut != nullptr && cut->open[static_cast<std::size_t>(side)] == 0) return std::nullopt;
  const auto axis = static_cast<std::size_t>(side / 2);
  auto at = grid.at(cell);
  at[axis] += side % 2 == 0 ? -1 : 1;
  if (at[axis] < 0 || at[axis] >= grid.cells[axis]) {
    if (grid.sides[static_cast<std::size_t>(side)].kind != SideKind::periodic) return std::nullopt;
    at[axis] = at[axis] < 0 ? grid.cells[axis] - 1 : 0;
  }
  const std::size_t next = grid.index(at);
  if (grid.solid(next)) return std::nullopt;
  return next;
}

}  // namespace

std::vector<GasPart> find_gas_parts(const FlowGrid& grid) {
  std::vector<GasPart> parts;
  std::vector<std::int32_t> part_of(grid.cell_count(), -1);
  std::vector<std::size_t> reached;  // cells whose neighbours have not been looked at
  for (std::size_t first = 0; first < part_of.size(); ++first) {
    if (grid.solid(first) || part_of[first] >= 0) continue;
    const auto number = static_cast<std::int32_t>(parts.size());
    GasPart part;
    part.first = first;
    part_of[first] = number;
    reached.push_back(first);
    while (!reached.empty()) {
      const std::size_t cell = reached.back();
      reached.pop_back();
      ++part.cells;
      for (int side = 0; side < 2 * grid.dimensions; ++side) {
        const auto next = gas_beyond(grid, cell, side);
        if (!next || part_of[*next] >= 0) continue;
        part_of[*next] = number;
        reached.push_back(*next);
      }
    }
    parts.push_back(part);
  }
  std::vector<SurfaceLaw> laws;
  for (const SideCondition& condition : Surfaces(grid.sides, grid.solids).conditions) {
    laws.push_back(surface_law(condition));
  }
  for (const Face& face : list_faces(grid)) {
    if (!(face.area > 0)) continue;
    GasPart& part = parts[static_cast<std::size_t>(part_of[face.cell])];
    const SurfaceLaw& law = laws[static_cast<std::size_t>(face.surface)];
    part.is_open |= law.open();
    part.has_temperature |= law.temperature() > 0;
    if (law.heated) part.heated = face.surface;
  }
  return parts;
}

}  // namespace knudsen::shakhov
