#include "geometry/sphere_set.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry/vector_3d.hpp"

namespace knudsen {

using namespace vector_3d;  // NOLINT(google-build-using-namespace)

namespace {

Limits3D limits_of(const Sphere& sphere) {
  const Point3D reach{sphere.radius, sphere.radius, sphere.radius};
  return {sphere.centre - reach, sphere.centre + reach};
}

double side_of(const Sphere& sphere, const Point3D& point) {
  const Point3D from_centre = point - sphere.centre;
  return dot(from_centre, from_centre) - sphere.radius * sphere.radius;
}

/// Stands for no entry: beyond the end of any segment.
constexpr double never = 2;

/// Where the segment start + t * way first enters the sphere: t, or `never` if the line misses it.
/// Negative if `start` is not outside the sphere.
double entry(const Sphere& sphere, const Point3D& start, const Point3D& way) {
  const Point3D from_centre = start - sphere.centre;
  const double gap = side_of(sphere, start);
  if (gap <= 0) return -1;
  const double along = -dot(from_centre, way);
  const double discriminant = along * along - dot(way, way) * gap;
  if (along <= 0 || discriminant < 0) return never;
  return gap / (along + std::sqrt(discriminant));
}

class SphereSet : public Shape3D {
 public:
  explicit SphereSet(std::vector<Sphere> spheres) : spheres_(std::move(spheres)) {
    std::vector<Limits3D> boxes;
    boxes.reserve(spheres_.size());
    for (const Sphere& sphere : spheres_) boxes.push_back(limits_of(sphere));
    grid_ = CellGrid(boxes);
  }

  double side(const Point3D& point) const override {
    double least = std::numeric_limits<double>::infinity();
    if (!grid_.covers(point)) return least;
    for (const std::uint32_t index : grid_.boxes(grid_.cell(point))) {
      least = std::min(least, side_of(spheres_[index], point));
    }
    return least;
  }
  Limits3D limits() const override { return grid_.limits(); }
  double crossing(const Point3D& start, const Point3D& end) const override {
    const Point3D way = end - start;
    double first = never;
    bool starts_inside = false;
    grid_.for_cells(limits_between(start, end), [&](std::size_t i, std::size_t j, std::size_t k) {
      for (const std::uint32_t index : grid_.boxes(i, j, k)) {
        const double fraction = entry(spheres_[index], start, way);
        first = std::min(first, fraction);
        if (fraction < 0) starts_inside = true;
      }
    });
    // Rounding may hide an entry at the very end, which the bisection then finds.
    if (starts_inside || first > 1) return Shape3D::crossing(start, end);
    return first;
  }
  void sides_of_row(double x, double y, double z, std::vector<signed char>& sides) const override {
    std::fill(sides.begin(), sides.end(), static_cast<signed char>(1));
    if (!grid_.covers(1, y) || !grid_.covers(2, z)) return;
    const std::size_t j = grid_.place(1, y);
    const std::size_t k = grid_.place(2, z);
    // One spacing more at each end, since coordinates are rounded.
    const std::size_t first = grid_.place(0, x - 1);
    const std::size_t last = grid_.place(0, x + static_cast<double>(sides.size()));
    for (std::size_t i = first; i <= last; ++i) {
      for (const std::uint32_t index : grid_.boxes(i, j, k)) {
        const Sphere& sphere = spheres_[index];
        // A sphere may be in several cells of the row; handle it in the first.
        const std::size_t begins = grid_.place(0, sphere.centre[0] - sphere.radius);
        if (std::max(begins, first) == i) mark(sphere, x, y, z, sides);
      }
    }
  }

 private:
  static void mark(const Sphere& sphere, double x, double y, double z,
                   std::vector<signed char>& sides) {
    const double half = std::sqrt(std::max(0.0, -side_of(sphere, {sphere.centre[0], y, z})));
    const auto [first, end] =
        row_range(x, sphere.centre[0] - half, sphere.centre[0] + half, sides.size());
    for (std::size_t i = first; i < end; ++i) {
      const double side = side_of(sphere, {x + static_cast<double>(i), y, z});
      sides[i] = std::min(sides[i], sign(side));
    }
  }

  std::vector<Sphere> spheres_;
  CellGrid grid_;
};

/// Positions of the spheres of a cell, in units of its edge.
std::vector<Point3D> base_of(CubicLattice lattice) {
  if (lattice == CubicLattice::simple) return {{0.5, 0.5, 0.5}};
  if (lattice == CubicLattice::body_centred) return {{0, 0, 0}, {0.5, 0.5, 0.5}};
  return {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
}

}  // namespace

Shape3DPointer sphere_set(std::vector<Sphere> spheres) {
  return std::make_shared<SphereSet>(std::move(spheres));
}

std::vector<Sphere> with_images(const std::vector<Sphere>& spheres, const Point3D& size,
                                const std::array<bool, 3>& periodic, double margin) {
  std::vector<Sphere> all = spheres;
  for (const Sphere& sphere : spheres) {
    for (const Point3D& offset : image_offsets(limits_of(sphere), size, periodic, margin)) {
      all.push_back({sphere.centre + offset, sphere.radius});
    }
  }
  return all;
}

double max_volume_fraction(CubicLattice lattice) {
  if (lattice == CubicLattice::simple) return std::numbers::pi / 6;
  if (lattice == CubicLattice::body_centred) return std::numbers::pi * std::numbers::sqrt3 / 8;
  return std::numbers::pi * std::numbers::sqrt2 / 6;
}

std::vector<Sphere> sphere_array(CubicLattice lattice, const std::array<int, 3>& cells, double edge,
                                 double volume_fraction) {
  const std::vector<Point3D> base = base_of(lattice);
  const double radius = edge * std::cbrt(volume_fraction * 3 / (4 * std::numbers::pi) /
                                         static_cast<double>(base.size()));
  std::vector<Sphere> spheres;
  for (int k = 0; k < cells[2]; ++k) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int i = 0; i < cells[0]; ++i) {
        const Point3D corner{static_cast<double>(i), static_cast<double>(j),
                             static_cast<double>(k)};
        for (const Point3D& place : base) spheres.push_back({(corner + place) * edge, radius});
      }
    }
  }
  return spheres;
}

}  // namespace knudsen
