#include "methods/shakhov/continuum_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "device/instantiate.hpp"

namespace knudsen::shakhov {
namespace {

/// Centres of the open part of a cut cell and of its faces, where the surface is taken to be the
/// plane through its centre. The cell is the cube from 0 to 1.
struct OpenPart {
  Point3D centre{0.5, 0.5, 0.5};
  std::array<Point3D, 6> faces;
};

double along(const Point3D& a, const Point3D& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The part of a convex polygon where (x - point) . normal < 0.
std::vector<Point3D> clipped(const std::vector<Point3D>& polygon, const Point3D& point,
                             const Point3D& normal) {
  std::vector<Point3D> result;
  const auto height = [&](const Point3D& x) { return along(x, normal) - along(point, normal); };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point3D& a = polygon[i];
    const Point3D& b = polygon[(i + 1) % polygon.size()];
    const double from = height(a);
    const double to = height(b);
    if (from <= 0) result.push_back(a);
    if ((from < 0 && to > 0) || (from > 0 && to < 0)) {
      const double share = from / (from - to);
      Point3D crossing{};
      for (std::size_t d = 0; d < 3; ++d) crossing[d] = a[d] + share * (b[d] - a[d]);
      result.push_back(crossing);
    }
  }
  return result;
}

/// Area and centre of a convex polygon across an axis; {0, centre} if it has none.
double area_of(const std::vector<Point3D>& polygon, std::size_t axis, Point3D& centre) {
  const std::size_t e = (axis + 1) % 3;
  const std::size_t g = (axis + 2) % 3;
  double area = 0;
  Point3D sum{};
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const Point3D& a = polygon[0];
    const Point3D& b = polygon[i];
    const Point3D& c = polygon[i + 1];
    const double part =
        0.5 * std::abs((b[e] - a[e]) * (c[g] - a[g]) - (b[g] - a[g]) * (c[e] - a[e]));
    area += part;
    for (std::size_t d = 0; d < 3; ++d) sum[d] += part * (a[d] + b[d] + c[d]) / 3;
  }
  constexpr double none = 1e-14;
  if (area < none) return 0;
  for (std::size_t d = 0; d < 3; ++d) centre[d] = sum[d] / area;
  return area;
}

OpenPart open_part(const CutCell& cut) {
  OpenPart part;
  const Point3D normal = cut.area();
  Point3D sum{};
  double volume = 0;
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t axis = side / 2;
    const std::size_t e = (axis + 1) % 3;
    const std::size_t g = (axis + 2) % 3;
    std::vector<Point3D> square;
    for (const auto& [first, second] : {std::pair(0., 0.), {1., 0.}, {1., 1.}, {0., 1.}}) {
      Point3D corner{};
      corner[axis] = side % 2 == 0 ? 0 : 1;
      corner[e] = first;
      corner[g] = second;
      square.push_back(corner);
    }
    Point3D& centre = part.faces[side];
    centre = {0.5, 0.5, 0.5};
    centre[axis] = square[0][axis];
    const double area = area_of(clipped(square, cut.centre, normal), axis, centre);
    // The pyramid from the centre of the surface to the face.
    const double pyramid = area * std::abs(square[0][axis] - cut.centre[axis]) / 3;
    volume += pyramid;
    for (std::size_t d = 0; d < 3; ++d) {
      sum[d] += pyramid * (cut.centre[d] + 0.75 * (centre[d] - cut.centre[d]));
    }
  }
  if (volume > 0) {
    for (std::size_t d = 0; d < 3; ++d) part.centre[d] = sum[d] / volume;
  }
  return part;
}

}  // namespace

template <class ExecutionSpace>
ContinuumCuts<ExecutionSpace> make_continuum_cuts(const FlowGrid& grid, int first_facet) {
  ContinuumCuts<ExecutionSpace> cuts;
  if (!grid.has_cut_cells()) return cuts;
  const std::size_t count = grid.cell_count();
  const auto dimensions = static_cast<std::size_t>(grid.dimensions);
  cuts.first_facet = first_facet;
  cuts.area = View<double* [6], ExecutionSpace>("open areas", count);
  cuts.gradients = View<double* [gradient_numbers], ExecutionSpace>("gradients", count);
  cuts.numbers = View<double* [continuum_cut_numbers], ExecutionSpace>("gas of cut cells",
                                                                       grid.solids.cut.size());
  const auto area = Kokkos::create_mirror_view(cuts.area);
  for (std::size_t cell = 0; cell < count; ++cell) {
    if (grid.solid(cell)) continue;
    const CutCell* cut = grid.solids.cut_cell(cell);
    for (std::size_t side = 0; side < 2 * dimensions; ++side) {
      const double whole = grid.face_area(side / 2, grid.at(cell));
      area(cell, side) = cut == nullptr ? whole : whole * cut->open[side];
    }
  }
  Kokkos::deep_copy(cuts.area, area);
  const auto numbers = Kokkos::create_mirror_view(cuts.numbers);
  for (std::size_t row = 0; row < grid.solids.cut.size(); ++row) {
    const CutCell& cut = grid.solids.cut[row];
    const OpenPart part = open_part(cut);
    const std::array<double, 3> facet = grid.facet_area(cut);
    const double size = std::hypot(facet[0], facet[1], facet[2]);
    const auto at = grid.at(cut.cell);
    double depth = 0;
    double across = 0;  // extent of the cell along the normal
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double width = grid.width(d, at[d]);
      const double offset = width * (cut.centre[d] - part.centre[d]);
      numbers(row, gas_centre_number + d) = width * (part.centre[d] - 0.5);
      numbers(row, facet_offset_number + d) = offset;
      if (size > 0) depth += offset * facet[d] / size;
      if (size > 0) across += width * std::abs(facet[d]) / size;
      for (std::size_t side = 0; side < 6; ++side) {
        numbers(row, face_centre_number + 3 * side + d) = width * (part.faces[side][d] - 0.5);
      }
    }
    // Surfaces that are not plane may have their centre anywhere; what is left of rounding is none.
    const double volume = grid.gas_volume(cut.cell);
    constexpr double none = 1e-12;
    const bool is_surface = size * across > none * volume;
    numbers(row, facet_depth_number) =
        is_surface ? std::max(depth, 0.25 * std::min(volume / size, across)) : 0;
  }
  Kokkos::deep_copy(cuts.numbers, numbers);
  return cuts;
}

double continuum_cuts_bytes(const FlowGrid& grid) {
  if (!grid.has_cut_cells()) return 0;
  return 8.0 * (6 + gradient_numbers) * static_cast<double>(grid.cell_count()) +
         8.0 * continuum_cut_numbers * static_cast<double>(grid.solids.cut.size());
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace) \
  template ContinuumCuts<ExecutionSpace> make_continuum_cuts(const FlowGrid&, int);
KNUDSEN_INSTANTIATE(HostExecutionSpace)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
KNUDSEN_INSTANTIATE(DeviceExecutionSpace)
#endif

}  // namespace knudsen::shakhov
