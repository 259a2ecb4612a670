#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/surface.hpp"
#include "kinetic/velocity_grid.hpp"
#include "methods/gas/solids.hpp"

namespace knudsen {

/// Coordinates of the grid lines along an axis, ascending: equally spaced from 0, or of a list that
/// outlives this. By default 0 and 1, for unused axes.
class AxisLines {
 public:
  AxisLines() = default;
  AxisLines(int cells, double spacing)
      : count_(static_cast<std::size_t>(cells) + 1), spacing_(spacing) {}
  explicit AxisLines(const std::vector<double>& lines) : lines_(&lines), count_(lines.size()) {}

  std::size_t cells() const { return count_ - 1; }
  double operator[](std::size_t i) const {
    return lines_ == nullptr ? static_cast<double>(i) * spacing_ : (*lines_)[i];
  }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[count_ - 1]; }
  double centre(std::size_t cell) const { return 0.5 * ((*this)[cell] + (*this)[cell + 1]); }
  double mean_width() const { return (back() - front()) / static_cast<double>(cells()); }
  /// Whether all cells are equally wide, up to rounding.
  bool uniform() const;
  /// Index of the first line at or above a coordinate; cells() + 1 if there is none.
  std::size_t first_from(double coordinate) const;

 private:
  const std::vector<double>* lines_ = nullptr;
  std::size_t count_ = 2;
  double spacing_ = 1;
};

/// The box of cells in which solids are, and the velocities that they reflect.
struct SolidDomain {
  int dimensions = 3;
  std::array<AxisLines, 3> lines;  ///< along x, y, z
  const std::array<SideCondition, 6>& sides;
  const VelocityGrid& velocities;
  const GasUnits& units;  ///< of the case
  bool may_cut = false;   ///< whether the method knows cut cells

  std::array<int, 3> cells() const {
    return {static_cast<int>(lines[0].cells()), static_cast<int>(lines[1].cells()),
            static_cast<int>(lines[2].cells())};
  }
};

/// Reads the block "geometry" with its list `solids`. A cell is solid if its centre is in the shape
/// or on its boundary; boxes along the axes must end on grid lines. If the case asks for cut cells,
/// surfaces cut them where they are (geometry/cut_cells.hpp). `read_wall` reads the keys of a
/// solid's wall. Appends to `warnings` which shapes are approximated by steps. Throws InputError:
/// invalid shape, solid that covers no cell, solids that leave no gas, a wall that moves into the
/// gas or that the velocities cannot be reflected by.
GasSolids read_gas_solids(
    CaseNode& root, const SolidDomain& domain,
    const std::function<void(CaseNode& solid, SideCondition& wall)>& read_wall,
    std::vector<std::string>& warnings);

/// A side or solid with a law for which `found(law)` holds, one with SurfaceLaw::made_by_face, and
/// its key; empty if there is none.
std::string surface_with(const std::array<SideCondition, 6>& sides, const GasSolids& solids,
                         const std::function<bool(const SurfaceLaw&)>& found);

/// Refuses, in a gas with rotation, walls that say nothing of it.
void check_rotation(CaseNode& root, const Gas& gas, const std::array<SideCondition, 6>& sides,
                    const GasSolids& solids);

}  // namespace knudsen
