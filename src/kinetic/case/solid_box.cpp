#include "kinetic/case/solid_box.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace knudsen {
namespace {

/// Distance within which an end of a box counts as on a grid line, in cell widths.
constexpr double line_tolerance = 1e-6;

/// Index of the grid line at a coordinate.
int line_at(CaseNode& node, const std::string& key, std::size_t axis, const AxisLines& lines,
            double coordinate) {
  const std::size_t above =
      std::clamp<std::size_t>(lines.first_from(coordinate), 1, lines.size() - 1);
  for (const std::size_t i : {above - 1, above}) {
    const double width = i > 0 ? lines[i] - lines[i - 1] : lines[1] - lines[0];
    if (std::abs(lines[i] - coordinate) <= line_tolerance * width) return static_cast<int>(i);
  }
  node.fail(key, "a box must end on grid lines; " + axis_names[axis] + " = " +
                     number_text(coordinate) + " lies between those at " +
                     number_text(lines[above - 1]) + " and " + number_text(lines[above]));
  return 0;
}

}  // namespace

std::size_t AxisLines::first_from(double coordinate) const {
  std::size_t low = 0;
  std::size_t high = count_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if ((*this)[middle] < coordinate) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void check_body_extent(CaseNode& node, const std::string& key, std::size_t axis, double low,
                       double high, const GridLines& lines,
                       const std::array<SideCondition, 6>& sides) {
  const double first = lines[axis].front();
  const double last = lines[axis].back();
  const double slack = line_tolerance * (last - first);
  for (const bool upper : {false, true}) {
    const double end = upper ? last : first;
    if (upper ? high <= end + slack : low >= end - slack) continue;
    const std::size_t side = 2 * axis + (upper ? 1 : 0);
    const std::string& where = side_names[side];
    if (sides[side].kind == SideKind::symmetry) {
      node.fail(key, "the body reaches beyond the symmetry plane on the " + where +
                         " side; let it end there, at " + axis_names[axis] + " = " +
                         number_text(end));
    }
    node.fail(key, "the body reaches beyond the " + where + " side of the domain, " +
                       axis_names[axis] + " = " + number_text(end));
  }
}

std::vector<double> read_corner(CaseNode& node, const std::string& key,
                                const std::string& documentation, std::size_t dimensions) {
  const auto found = node.numbers(key, 0, documentation);
  if (node.describing()) return {};
  if (!found || found->size() != dimensions) {
    node.fail(key, "must be a list of " + std::to_string(dimensions) +
                       (dimensions == 1 ? " number" : " numbers"));
  }
  return *found;
}

CellBox read_cell_box(CaseNode& node, std::size_t dimensions, const GridLines& lines,
                      const std::array<SideCondition, 6>& sides) {
  const auto from = read_corner(node, "from",
                                "Lower corner of the box, one number for each axis of the domain, "
                                "in units of L. It must be on grid lines.",
                                dimensions);
  const auto to = read_corner(node, "to",
                              "Upper corner of the box, one number for each axis of the domain, in "
                              "units of L. It must be on grid lines.",
                              dimensions);
  CellBox box;
  if (node.describing()) return box;
  for (std::size_t d = 0; d < dimensions; ++d) {
    check_body_extent(node, "from", d, from[d], from[d], lines, sides);
    check_body_extent(node, "to", d, to[d], to[d], lines, sides);
    if (from[d] >= to[d]) node.fail("to", "must be greater than \"from\" along each axis");
    box.begin[d] = line_at(node, "from", d, lines[d], from[d]);
    box.end[d] = line_at(node, "to", d, lines[d], to[d]);
  }
  return box;
}

}  // namespace knudsen
