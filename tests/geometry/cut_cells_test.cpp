#include "geometry/cut_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "geometry/triangle_mesh.hpp"

namespace knudsen {
namespace {

/// Equal cells from 0 to `size` along each axis, in the unit of the shapes.
CutGrid equal_cells(int cells, double size, int dimensions = 3) {
  CutGrid grid;
  grid.dimensions = dimensions;
  grid.unit_x = size == cells;
  for (std::size_t d = 0; d < 3; ++d) {
    const int count = static_cast<int>(d) < dimensions ? cells : 1;
    const double width = static_cast<int>(d) < dimensions ? size / cells : 1;
    for (int i = 0; i <= count; ++i) grid.lines[d].push_back(i * width);
  }
  return grid;
}

/// Covered volume and area of the surface, in cells and faces of cells.
struct Measures {
  double volume = 0;
  double area = 0;
};

Measures measure(const CutGrid& grid, const CutCells& cells) {
  Measures sum;
  for (const std::int16_t shape : cells.covered_by) sum.volume += shape >= 0 ? 1 : 0;
  for (const CutCell& cell : cells.cells) {
    sum.volume += 1 - cell.volume;
    const Point3D area = cell.area();
    sum.area += std::hypot(area[0], area[1], grid.dimensions > 2 ? area[2] : 0);
  }
  return sum;
}

const CutCell* find(const CutCells& cells, std::size_t index) {
  const auto place =
      std::lower_bound(cells.cells.begin(), cells.cells.end(), index,
                       [](const CutCell& cell, std::size_t number) { return cell.cell < number; });
  return place == cells.cells.end() || place->cell != index ? nullptr : &*place;
}

/// Open share of a face of a cell.
double open_share(const CutCells& cells, std::size_t index, std::size_t side) {
  if (cells.covered_by[index] >= 0) return 0;
  const CutCell* cell = find(cells, index);
  return cell == nullptr ? 1 : cell->open[side];
}

/// Whether both cells of each face have the same share of it, and all faces at the sides are open
/// or, along periodic axes, those of the opposite side.
void expect_faces_agree(const CutGrid& grid, const CutCells& cells) {
  const std::size_t n[3] = {grid.cells(0), grid.cells(1), grid.cells(2)};
  const std::size_t strides[3] = {1, n[0], n[0] * n[1]};
  for (std::size_t index = 0; index < n[0] * n[1] * n[2]; ++index) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t at = index / strides[axis] % n[axis];
      const bool last = at + 1 == n[axis];
      if (last && !grid.periodic[axis]) continue;
      const std::size_t beside = last ? index - at * strides[axis] : index + strides[axis];
      EXPECT_EQ(open_share(cells, index, 2 * axis + 1), open_share(cells, beside, 2 * axis))
          << index << " " << axis;
    }
  }
}

struct Body {
  Shape3DPointer shape;
  double volume, area;
};

/// Errors of volume and area on cells of width 1/4 and 1/12.
std::array<std::array<double, 2>, 2> errors_of(const Body& body) {
  std::array<std::array<double, 2>, 2> errors{};
  for (const std::size_t refined : {0U, 1U}) {
    const int cells = refined == 0 ? 16 : 48;
    const CutGrid grid = equal_cells(cells, 4);
    const CutCells cut = cut_cells(grid, {body.shape});
    expect_faces_agree(grid, cut);
    const Measures found = measure(grid, cut);
    const double width = 4.0 / cells;
    errors[0][refined] = std::abs(found.volume * std::pow(width, 3) / body.volume - 1);
    errors[1][refined] = std::abs(found.area * width * width / body.area - 1);
  }
  return errors;
}

TEST(CutCells, VolumesAndAreasOfSmoothBodiesConvergeWithOrderTwo) {
  constexpr double pi = std::numbers::pi;
  // Area of a spheroid whose third axis is longer.
  const double eccentricity = std::sqrt(1 - 1 / 2.25);
  const Body bodies[] = {{ellipsoid({2.03, 1.96, 2.01}, {1.3, 1.3, 1.3}),
                          4 * pi / 3 * std::pow(1.3, 3), 4 * pi * 1.3 * 1.3},
                         {ellipsoid({2.03, 1.96, 2.01}, {1, 1, 1.5}), 4 * pi / 3 * 1.5,
                          2 * pi * (1 + 1.5 / eccentricity * std::asin(eccentricity))}};
  for (const Body& body : bodies) {
    const auto errors = errors_of(body);
    // Three times as fine: nine times as accurate.
    for (const auto& error : errors) {
      EXPECT_LT(error[1], error[0] / 7);
      EXPECT_LT(error[1], 0.004);
    }
  }
}

TEST(CutCells, AreasOfBodiesWithEdgesConvergeWithOrderOne) {
  constexpr double pi = std::numbers::pi;
  const double length = std::sqrt(3 * 1.3 * 1.3);
  const Body bodies[] = {
      {cylinder({1.35, 1.3, 1.25}, {2.65, 2.6, 2.55}, 0.8), pi * 0.64 * length,
       2 * pi * 0.64 + 2 * pi * 0.8 * length},
      {turned(cuboid({1.2, 1.3, 1.1}, {2.7, 2.6, 2.9}), {2, 2, 2}, {20, 35, 10}), 1.5 * 1.3 * 1.8,
       2 * (1.5 * 1.3 + 1.3 * 1.8 + 1.5 * 1.8)},
      {union_of({ellipsoid({1.5, 2, 2}, {0.9, 0.9, 0.9}), ellipsoid({2.5, 2, 2}, {0.9, 0.9, 0.9})}),
       2 * (4 * pi / 3 * 0.729) - 2 * pi / 3 * 0.16 * (3 * 0.9 - 0.4),
       2 * (4 * pi * 0.81 - 2 * pi * 0.9 * 0.4)}};
  for (const Body& body : bodies) {
    const auto errors = errors_of(body);
    EXPECT_LT(errors[0][1], errors[0][0] / 5);
    EXPECT_LT(errors[1][1], errors[1][0] / 2.5);
    EXPECT_LT(errors[1][1], 0.04);
  }
}

TEST(CutCells, AreExactForPlanes) {
  const CutGrid grid = equal_cells(6, 6);
  const Point3D normal{0.48, 0.64, 0.6};
  const CutCells cut = cut_cells(grid, {half_space({2.9, 3.1, 3.05}, normal)});
  for (const CutCell& cell : cut.cells) {
    if (!cell.single || cell.volume < 0.05) continue;
    const Point3D area = cell.area();
    const double size = std::hypot(area[0], area[1], area[2]);
    // Where a neighbour was closed, its face is part of the surface.
    bool beside_closed = false;
    for (const double open : cell.open) beside_closed = beside_closed || open == 0;
    if (beside_closed) continue;
    for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(area[d] / size, -normal[d], 1e-12);
    const std::size_t at[3] = {cell.cell % 6, cell.cell / 6 % 6, cell.cell / 36};
    double distance = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      distance += normal[d] * (static_cast<double>(at[d]) + cell.centre[d]);
    }
    EXPECT_NEAR(distance, 0.48 * 2.9 + 0.64 * 3.1 + 0.6 * 3.05, 1e-12);
  }
  // A plane along the faces of cells, between them.
  const CutCells flat = cut_cells(grid, {half_space({0, 2.3, 0}, {0, 1, 0})});
  ASSERT_EQ(flat.cells.size(), 36U);
  for (const CutCell& cell : flat.cells) {
    EXPECT_NEAR(cell.volume, 0.7, 1e-12);
    EXPECT_EQ(cell.open[2], 0);
    EXPECT_EQ(cell.open[3], 1);
    EXPECT_NEAR(cell.open[0], 0.7, 1e-12);
    EXPECT_NEAR(cell.centre[1], 0.3, 1e-12);
    EXPECT_EQ(cell.corners.size(), 4U);
  }
}

TEST(CutCells, OfABoxOnGridLinesHaveClosedFacesOnly) {
  for (const double shift : {0.0, 1e-13, -1e-13}) {
    const CutGrid grid = equal_cells(5, 5);
    const CutCells cut =
        cut_cells(grid, {cuboid({1 + shift, 1, 2 - shift}, {3, 4 + shift, 4 + shift})});
    expect_faces_agree(grid, cut);
    EXPECT_EQ(measure(grid, cut).volume, 12) << shift;
    EXPECT_EQ(cut.cells.size(), 32U) << shift;
    for (const CutCell& cell : cut.cells) {
      EXPECT_EQ(cell.volume, 1);
      for (const double open : cell.open) EXPECT_TRUE(open == 0 || open == 1) << open;
      const Point3D area = cell.area();
      EXPECT_EQ(std::hypot(area[0], area[1], area[2]), 1);
    }
  }
}

TEST(CutCells, DoNotDependOnTheRoundingOfASurfaceOnALine) {
  // The box is cut in the middle of cells along x and y, and begins on a line along z.
  const CutGrid grid = equal_cells(4, 4);
  const auto open = [&](double bottom) {
    const CutCells cut = cut_cells(grid, {cuboid({1.3, -1, bottom}, {2.3, 1.3, 2.4})});
    return open_share(cut, 1 + 16, 4);
  };
  const double exact = open(1);
  for (const double shift : {1e-13, -1e-13}) EXPECT_NEAR(open(1 + shift), exact, 1e-9) << shift;
}

TEST(CutCells, OfHardlyAnyVolumeAreCovered) {
  const CutGrid grid = equal_cells(4, 4);
  const CutCells cut = cut_cells(grid, {half_space({1.9995, 0, 0}, {1, 0, 0})});
  expect_faces_agree(grid, cut);
  EXPECT_EQ(cut.cells.size(), 16U);
  for (const CutCell& cell : cut.cells) {
    EXPECT_EQ(cell.cell % 4, 2U);
    EXPECT_EQ(cell.volume, 1);
    EXPECT_EQ(cell.open[0], 0);
    EXPECT_EQ(cell.centre, (Point3D{0, 0.5, 0.5}));
  }
}

TEST(CutCells, GoOnAcrossPeriodicSides) {
  CutGrid grid = equal_cells(6, 6);
  grid.periodic = {true, true, true};
  const Shape3DPointer ball = ellipsoid({0.2, 5.7, 3.1}, {1.6, 1.6, 1.6});
  const CutCells cut = cut_cells(grid, {repeated(ball, {6, 6, 6}, {true, true, true}, 1)});
  expect_faces_agree(grid, cut);
  const CutCells within =
      cut_cells(equal_cells(6, 6), {ellipsoid({3.2, 2.7, 3.1}, {1.6, 1.6, 1.6})});
  EXPECT_NEAR(measure(grid, cut).volume, measure(grid, within).volume, 1e-12);
  EXPECT_NEAR(measure(grid, cut).area, measure(grid, within).area, 1e-12);
}

TEST(CutCells, InTwoDimensionsAndOneAreContinuedAtRightAngles) {
  const Shape3DPointer disc = ellipsoid({2, 2, 0}, {1.3, 1.3, 1.3});
  const CutGrid plane = equal_cells(40, 4, 2);
  const CutCells cut = cut_cells(plane, {disc});
  EXPECT_NEAR(measure(plane, cut).volume / 100, std::numbers::pi * 1.69, 0.01);
  EXPECT_NEAR(measure(plane, cut).area / 10, 2 * std::numbers::pi * 1.3, 0.02);
  for (const CutCell& cell : cut.cells) {
    EXPECT_EQ(cell.open[4], cell.open[5]);
    EXPECT_NEAR(cell.volume, cell.open[4], 1e-14);
    EXPECT_NEAR(cell.centre[2], 0.5, 1e-14);
  }
  const CutGrid line = equal_cells(10, 10, 1);
  const CutCells ends = cut_cells(line, {half_space({3.25, 0, 0}, {1, 0, 0})});
  ASSERT_EQ(ends.cells.size(), 1U);
  EXPECT_EQ(ends.cells[0].cell, 3U);
  EXPECT_NEAR(ends.cells[0].volume, 0.75, 1e-14);
  EXPECT_EQ(ends.cells[0].area(), (Point3D{-1, 0, 0}));
}

TEST(CutCells, OfTwoBodiesTellThemApart) {
  const CutGrid grid = equal_cells(8, 8);
  const CutCells cut = cut_cells(
      grid, {ellipsoid({2.1, 4, 4}, {1.7, 1.7, 1.7}), ellipsoid({6.1, 4, 4}, {1.7, 1.7, 1.7}),
             cuboid({20, 20, 20}, {21, 21, 21})});
  EXPECT_EQ(cut.is_seen, (std::vector<bool>{true, true, false}));
  for (const CutCell& cell : cut.cells) EXPECT_EQ(cell.shape, cell.cell % 8 < 4 ? 0 : 1);
}

/// A sphere of triangles, between `rings` circles of latitude.
Shape3DPointer globe(const Point3D& centre, double radius, int rings) {
  std::vector<Triangle> triangles;
  const int meridians = 2 * rings;
  const auto point = [&](int ring, int meridian) {
    const double latitude = std::numbers::pi * ring / rings;
    const double longitude = 2 * std::numbers::pi * (meridian % meridians) / meridians;
    const double across = ring == 0 || ring == rings ? 0 : std::sin(latitude);
    return Point3D{centre[0] + radius * across * std::cos(longitude),
                   centre[1] + radius * across * std::sin(longitude),
                   centre[2] + radius * std::cos(latitude)};
  };
  for (int ring = 0; ring < rings; ++ring) {
    for (int m = 0; m < meridians; ++m) {
      triangles.push_back({point(ring, m), point(ring + 1, m), point(ring + 1, m + 1)});
      triangles.push_back({point(ring, m), point(ring + 1, m + 1), point(ring, m + 1)});
    }
  }
  return std::make_shared<TriangleMesh>(triangles);
}

TEST(CutCells, OfASurfaceOfTrianglesAreThoseOfTheBody) {
  const CutGrid grid = equal_cells(20, 20);
  const Shape3DPointer mesh = globe({10.1, 9.9, 10.03}, 6.3, 100);
  const CutCells of_mesh = cut_cells(grid, {mesh});
  const CutCells exact = cut_cells(grid, {ellipsoid({10.1, 9.9, 10.03}, {6.3, 6.3, 6.3})});
  expect_faces_agree(grid, of_mesh);
  EXPECT_NEAR(measure(grid, of_mesh).volume / measure(grid, exact).volume, 1, 1e-3);
  EXPECT_NEAR(measure(grid, of_mesh).area / measure(grid, exact).area, 1, 1e-3);
  // Unequal cells along x are asked for one by one.
  CutGrid one_by_one = grid;
  one_by_one.unit_x = false;
  const CutCells same = cut_cells(one_by_one, {mesh});
  ASSERT_EQ(same.cells.size(), of_mesh.cells.size());
  for (std::size_t i = 0; i < same.cells.size(); ++i) {
    EXPECT_EQ(same.cells[i].open, of_mesh.cells[i].open);
  }
}

}  // namespace
}  // namespace knudsen
