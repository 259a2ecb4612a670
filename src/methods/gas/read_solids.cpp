#include "methods/gas/read_solids.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "device/host_parallel.hpp"
#include "geometry/read_shape_3d.hpp"
#include "geometry/solid_keys.hpp"
#include "kinetic/case/read_sides.hpp"
#include "kinetic/surface.hpp"
#include "model/side_rules.hpp"

namespace knudsen {
namespace {

/// Distance within which an end of a box counts as on a grid line, in cell widths.
constexpr double line_tolerance = 1e-6;
/// Deviation of grid lines from equal spacing, in cell widths, that counts as rounding.
constexpr double spacing_tolerance = 1e-9;

/// A box of cells.
struct CellBox {
  std::array<int, 3> begin{0, 0, 0};
  std::array<int, 3> end{0, 0, 0};  ///< one past the last cell along each axis
};

/// Reads solids one after the other.
class Reader {
 public:
  Reader(const SolidDomain& domain, std::vector<std::string>& warnings)
      : domain_(domain), cells_(domain.cells()), warnings_(warnings) {
    shapes_.dimensions = domain.dimensions;
    shapes_.spacing = "cell widths";
    // In this unit equal cells along x have width 1, as Shape3D::sides_of_row takes them.
    to_shapes_ = 1 / domain.lines[0].mean_width();
    shapes_.scale = length_.from_case(to_shapes_);
    for (std::size_t d = 0; d < dimensions(); ++d) {
      const AxisLines& lines = domain.lines[d];
      shapes_.origin[d] = length_.in_case(lines.front());
      shapes_.size[d] = (lines.back() - lines.front()) * to_shapes_;
      shapes_.periodic[d] = domain.sides[2 * d].kind == SideKind::periodic;
    }
    shapes_.check_box = [this](const CaseNode& node, const Point3D& from, const Point3D& to) {
      if (solids.cuts) return;
      for (std::size_t d = 0; d < dimensions(); ++d) {
        check_line(node, "from", d, from[d]);
        check_line(node, "to", d, to[d]);
      }
    };
  }

  void read(CaseNode& geometry, CaseNode& node,
            const std::function<void(CaseNode&, SideCondition&)>& read_wall) {
    GasSolid solid;
    solid.name = names_.next(geometry, node);
    // The keys of a point are described for all dimensions.
    if (node.describing()) shapes_.dimensions = 0;
    const Region3D region = read_region(
        node, shapes_, cells_,
        "Positions are coordinates of the domain, with one number for each of its axes, in L (SI: "
        "m), which is the case's length unit. A cell is solid if its centre is in the shape or on "
        "its boundary, and boxes along "
        "the "
        "axes must end on grid lines, unless surfaces cut cells. Shapes are repeated along "
        "periodic axes with the period of "
        "the domain, and cut off at the other sides. In two dimensions a sphere is a circle, a "
        "cylinder a strip, a half-space is bounded by a line, and a surface of triangles is cut by "
        "the plane z = 0.",
        warnings_);
    read_wall(node, solid.wall);
    if (node.describing()) return;
    solids.bodies.push_back(solid);
    paths_.push_back(node.path());
    if (solids.cuts) {
      if (!region.image.empty()) {
        node.fail_hard("shape",
                       "an image consists of whole cells; take `geometry.surface` "
                       "\"whole-cells\", or a surface of triangles");
      }
      shapes_to_cut_.push_back(region.shape);
    } else if (!region.aligned) {
      stepped_.push_back(node.path());
    }
    if (!builds_solids(node, cells_) || !region.built()) solids.built = false;
    if (!solids.built || solids.cuts) return;
    if (solids.body.empty()) solids.body.assign(cell_count(), -1);
    const auto number = static_cast<std::int16_t>(solids.bodies.size() - 1);
    const CellBox covered =
        region.shape ? rasterise(number, *region.shape) : rasterise(number, region.image);
    if (covered.begin[0] >= covered.end[0]) {
      node.fail_hard("",
                     "this solid contains no cell centre: it lies outside the domain or is "
                     "smaller than the cells");
    }
    for (std::size_t d = 0; d < dimensions(); ++d) check_wall(node, solid.wall, number, covered, d);
  }

  /// One warning for all shapes that are approximated.
  void warn_of_steps() {
    if (stepped_.empty()) return;
    const std::size_t others = stepped_.size() - 1;
    warnings_.push_back(stepped_.front() +
                        (others == 0 ? "" : " and " + std::to_string(others) + " more") +
                        ": a shape is approximated by whole cells; its surface area, and with it "
                        "the friction, is that of the steps");
  }

  /// Cuts the cells along the surfaces of all solids.
  void cut(const CaseNode& root) {
    if (!solids.cuts || !solids.built || solids.bodies.empty()) return;
    CutGrid grid;
    grid.dimensions = domain_.dimensions;
    grid.periodic = shapes_.periodic;
    grid.unit_x = uniform_;
    for (std::size_t d = 0; d < 3; ++d) {
      const AxisLines& lines = domain_.lines[d];
      for (std::size_t i = 0; i <= lines.cells(); ++i) {
        const bool exact = d == 0 && uniform_;
        const double place = exact ? double(i) : (lines[i] - lines.front()) * to_shapes_;
        grid.lines[d].push_back(d < dimensions() ? place : double(i));
      }
    }
    CutCells cells = cut_cells(grid, shapes_to_cut_);
    for (std::size_t solid = 0; solid < solids.bodies.size(); ++solid) {
      if (cells.is_seen[solid]) continue;
      root.fail_hard(paths_[solid],
                     "this solid contains no corner of a cell: it lies outside the domain or is "
                     "smaller than the cells");
    }
    for (const CutCell& cell : cells.cells) check_motion(root, grid, cell);
    solids.body = std::move(cells.covered_by);
    solids.cut = std::move(cells.cells);
    solids.cut_of.assign(cell_count(), -1);
    for (std::size_t i = 0; i < solids.cut.size(); ++i) {
      solids.cut_of[solids.cut[i].cell] = static_cast<std::int32_t>(i);
    }
  }

  GasSolids solids;

 private:
  std::size_t dimensions() const { return static_cast<std::size_t>(domain_.dimensions); }
  std::size_t cell_count() const {
    return static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) *
           static_cast<std::size_t>(cells_[2]);
  }
  std::int16_t& body(const std::array<int, 3>& at) {
    return solids.body[row(at[1], at[2]) + static_cast<std::size_t>(at[0])];
  }
  std::size_t row(int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(cells_[1]) +
            static_cast<std::size_t>(y)) *
           static_cast<std::size_t>(cells_[0]);
  }

  /// Fails unless a coordinate is on a grid line or beyond the domain, where a box is cut off.
  /// Along periodic axes a box goes on at the other end.
  void check_line(const CaseNode& node, const std::string& key, std::size_t axis,
                  double coordinate) const {
    const AxisLines& lines = domain_.lines[axis];
    const double extent = lines.back() - lines.front();
    double place = length_.from_case(coordinate);
    if (shapes_.periodic[axis]) place -= extent * std::floor((place - lines.front()) / extent);
    if (place < lines.front() || place > lines.back()) return;
    const std::size_t above = std::clamp<std::size_t>(lines.first_from(place), 1, lines.cells());
    const double width = lines[above] - lines[above - 1];
    if (lines[above] - place <= line_tolerance * width ||
        place - lines[above - 1] <= line_tolerance * width) {
      return;
    }
    node.fail_hard(key, "a box must end on grid lines; " + axis_names[axis] + " = " +
                            number_text(coordinate) + " lies between those at " +
                            number_text(length_.in_case(lines[above - 1])) + " and " +
                            number_text(length_.in_case(lines[above])));
  }

  /// Coordinate of a cell's centre in the unit of the shapes.
  double centre(std::size_t axis, int cell) const {
    if (axis >= dimensions()) return 0;
    const AxisLines& lines = domain_.lines[axis];
    return (lines.centre(static_cast<std::size_t>(cell)) - lines.front()) * to_shapes_;
  }

  /// Sets sides[x] to the side of the shape on which the cells of a row are.
  void find_sides(const Shape3D& shape, double y, double z, std::vector<signed char>& sides) const {
    if (uniform_) {
      shape.sides_of_row(0.5, y, z, sides);
      return;
    }
    const Limits3D limits = shape.limits();
    for (std::size_t x = 0; x < sides.size(); ++x) {
      const double place = centre(0, static_cast<int>(x));
      const bool near = place >= limits.lower[0] && place <= limits.upper[0];
      sides[x] = near ? sign(shape.side({place, y, z})) : 1;
    }
  }

  /// Marks the cells of a shape and returns the smallest box around them.
  CellBox rasterise(std::int16_t number, const Shape3D& shape) {
    const Limits3D limits = shape.limits();
    const std::int64_t rows = std::int64_t{cells_[1]} * cells_[2];
    std::vector<std::array<int, 2>> covered(static_cast<std::size_t>(rows), {cells_[0], 0});
    parallel_for_host("knudsen/gas/rasterise", rows, [&](std::int64_t index) {
      const int j = static_cast<int>(index % cells_[1]);
      const int k = static_cast<int>(index / cells_[1]);
      const double y = centre(1, j);
      const double z = centre(2, k);
      if (y < limits.lower[1] || y > limits.upper[1] || z < limits.lower[2] ||
          z > limits.upper[2]) {
        return;
      }
      std::vector<signed char> sides(static_cast<std::size_t>(cells_[0]));
      find_sides(shape, y, z, sides);
      auto& [first, end] = covered[static_cast<std::size_t>(index)];
      for (int i = 0; i < cells_[0]; ++i) {
        if (sides[static_cast<std::size_t>(i)] > 0) continue;
        solids.body[row(j, k) + static_cast<std::size_t>(i)] = number;
        first = std::min(first, i);
        end = i + 1;
      }
    });
    CellBox box{cells_, {0, 0, 0}};
    for (std::int64_t index = 0; index < rows; ++index) {
      const auto [first, end] = covered[static_cast<std::size_t>(index)];
      if (first >= end) continue;
      grow(box, {first, static_cast<int>(index % cells_[1]), static_cast<int>(index / cells_[1])});
      box.end[0] = std::max(box.end[0], end);
    }
    return box;
  }

  /// The same for an image, whose values are those of the cells.
  CellBox rasterise(std::int16_t number, const std::vector<bool>& image) {
    CellBox box{cells_, {0, 0, 0}};
    std::size_t cell = 0;
    for (int z = 0; z < cells_[2]; ++z) {
      for (int y = 0; y < cells_[1]; ++y) {
        for (int x = 0; x < cells_[0]; ++x, ++cell) {
          if (!image[cell]) continue;
          solids.body[cell] = number;
          grow(box, {x, y, z});
        }
      }
    }
    return box;
  }

  static void grow(CellBox& box, const std::array<int, 3>& at) {
    for (std::size_t d = 0; d < 3; ++d) {
      box.begin[d] = std::min(box.begin[d], at[d]);
      box.end[d] = std::max(box.end[d], at[d] + 1);
    }
  }

  /// Whether a solid has faces across an axis. Later solids may cover them.
  bool has_faces(std::int16_t number, const CellBox& box, std::size_t axis) {
    for (int z = box.begin[2]; z < box.end[2]; ++z) {
      for (int y = box.begin[1]; y < box.end[1]; ++y) {
        for (int x = box.begin[0]; x < box.end[0]; ++x) {
          if (body({x, y, z}) != number) continue;
          for (const int step : {-1, 1}) {
            std::array<int, 3> beside{x, y, z};
            beside[axis] += step;
            if (shapes_.periodic[axis]) {
              beside[axis] = (beside[axis] + cells_[axis]) % cells_[axis];
            }
            const bool inside = beside[axis] >= 0 && beside[axis] < cells_[axis];
            if (inside && body(beside) != number) return true;
          }
        }
      }
    }
    return false;
  }

  void check_wall(CaseNode& node, const SideCondition& wall, std::int16_t number,
                  const CellBox& covered, std::size_t axis) {
    if (!has_faces(number, covered, axis)) return;
    if (wall.state.velocity[axis] != 0) {
      node.fail_hard("velocity", wall_motion_rule(axis));
    }
    check_reflection(node, "", wall, domain_.velocities, axis);
    const auto side = std::find_if(domain_.sides.begin(), domain_.sides.end(),
                                   [](const auto& s) { return s.kind == SideKind::antisymmetric; });
    if (side == domain_.sides.end() || !surface_law(wall).specular) return;
    node.fail("accommodation",
              "must be 1 beside an antisymmetric side, as \"" +
                  side_names[static_cast<std::size_t>(side - domain_.sides.begin())] + "\" is");
  }

  /// Fails if the wall in a cut cell moves into the gas.
  void check_motion(const CaseNode& root, const CutGrid& grid, const CutCell& cell) const {
    using namespace vector_3d;  // NOLINT(google-build-using-namespace)
    constexpr double tolerance = 1e-4;
    const auto number = static_cast<std::size_t>(cell.shape);
    const std::array<double, 3>& velocity = solids.bodies[number].wall.state.velocity;
    const double speed = std::sqrt(dot(velocity, velocity));
    // Where two solids meet, the surface is a mean of theirs.
    if (speed == 0 || !cell.single) return;
    const auto columns = static_cast<std::size_t>(cells_[0]);
    const auto rows = static_cast<std::size_t>(cells_[1]);
    const std::array<std::size_t, 3> at{cell.cell % columns, cell.cell / columns % rows,
                                        cell.cell / columns / rows};
    std::vector<Point3D> corners = cell.corners;
    for (Point3D& corner : corners) {
      for (std::size_t d = 0; d < 3; ++d) {
        corner[d] *= grid.lines[d][at[d] + 1] - grid.lines[d][at[d]];
      }
    }
    Point3D area{0, 0, 0};
    for (std::size_t n = 2; n < corners.size(); ++n) {
      area = area + cross(corners[n - 1] - corners[0], corners[n] - corners[0]);
    }
    if (std::abs(dot(area, velocity)) <= tolerance * speed * std::sqrt(dot(area, area))) return;
    root.fail_hard(paths_[number] + ".velocity",
                   "a wall moves along itself only, but this velocity has a component along the "
                   "normal of the surface");
  }

  const SolidDomain& domain_;
  std::array<int, 3> cells_;
  std::vector<std::string>& warnings_;
  ShapeDomain shapes_;
  CaseUnit length_ = domain_.units.length();
  double to_shapes_ = 1;  ///< units of the shapes in L
  bool uniform_ = domain_.lines[0].uniform();
  SolidNames names_;
  std::vector<std::string> paths_;    ///< of all solids in the case
  std::vector<std::string> stepped_;  ///< paths of the solids that are approximated
  std::vector<Shape3DPointer> shapes_to_cut_;
};

}  // namespace

bool AxisLines::uniform() const {
  if (lines_ == nullptr) return true;
  const double width = mean_width();
  for (std::size_t i = 0; i < count_; ++i) {
    const double equal = front() + static_cast<double>(i) * width;
    if (std::abs((*this)[i] - equal) > spacing_tolerance * width) return false;
  }
  return true;
}

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

GasSolids read_gas_solids(CaseNode& root, const SolidDomain& domain,
                          const std::function<void(CaseNode&, SideCondition&)>& read_wall,
                          std::vector<std::string>& warnings) {
  Reader reader(domain, warnings);
  root.object("geometry", "Solids in the domain.", [&](CaseNode& geometry) {
    if (domain.may_cut) {
      reader.solids.cuts =
          geometry.choice_or(
              "surface", "whole-cells", {"whole-cells", "cut-cells"},
              "whole-cells: bodies consist of the cells whose centres they cover. cut-cells: "
              "surfaces cut cells where they are; a cell keeps the share of its volume and faces "
              "that is open, and a plane piece of the surface. Boxes may then end anywhere, images "
              "are not available.") == "cut-cells";
    }
    geometry.list("solids", "Solid bodies. Where they overlap, the later one wins.",
                  [&](CaseNode& node) { reader.read(geometry, node, read_wall); });
  });
  if (!root.describing()) reader.cut(root);
  reader.warn_of_steps();
  GasSolids& solids = reader.solids;
  if (!solids.built) solids.body = {};
  if (!solids.body.empty() &&
      std::all_of(solids.body.begin(), solids.body.end(), [](int body) { return body >= 0; })) {
    root.fail_hard("geometry", "the solids fill the domain and leave no gas");
  }
  return std::move(solids);
}

std::string surface_with(const std::array<SideCondition, 6>& sides, const GasSolids& solids,
                         const std::function<bool(const SurfaceLaw&)>& found) {
  const auto key = [](const SurfaceLaw& law) {
    return std::string(law.heated         ? "\"heat_flux\""
                       : law.has_pressure ? "the type \"pressure\""
                                          : "\"cercignani_lampis\"");
  };
  for (std::size_t side = 0; side < 6; ++side) {
    const SurfaceLaw law = surface_law(sides[side]);
    if (found(law)) return key(law) + ", which the side \"" + side_names[side] + "\" has";
  }
  for (const GasSolid& solid : solids.bodies) {
    const SurfaceLaw law = surface_law(solid.wall);
    if (found(law)) return key(law) + ", which the solid \"" + solid.name + "\" has";
  }
  return "";
}

void check_rotation(CaseNode& root, const Gas& gas, const std::array<SideCondition, 6>& sides,
                    const GasSolids& solids) {
  if (gas.rotation == 0) return;
  const std::string scattering =
      surface_with(sides, solids, [](const SurfaceLaw& law) { return law.scatters; });
  if (scattering.empty()) return;
  root.fail("gas.rotation",
            "is not available with " + scattering + "; take \"accommodation\" or a monatomic gas");
}

}  // namespace knudsen
