#include "geometry/shape_3d.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace knudsen {

using namespace vector_3d;  // NOLINT(google-build-using-namespace)

namespace {

class Ellipsoid : public Shape3D {
 public:
  Ellipsoid(const Point3D& centre, const Point3D& semi_axes)
      : centre_(centre),
        semi_axes_(semi_axes),
        factors_{semi_axes[1] * semi_axes[2], semi_axes[2] * semi_axes[0],
                 semi_axes[0] * semi_axes[1]} {}

  double side(const Point3D& point) const override {
    const Point3D from_centre = point - centre_;
    // The plain formula for a sphere rounds less, so that points with round numbers are exactly on
    // its boundary.
    if (semi_axes_[0] == semi_axes_[1] && semi_axes_[1] == semi_axes_[2]) {
      return dot(from_centre, from_centre) - semi_axes_[0] * semi_axes_[0];
    }
    // Without divisions, for the same reason.
    const Point3D stretched{from_centre[0] * factors_[0], from_centre[1] * factors_[1],
                            from_centre[2] * factors_[2]};
    const double product = semi_axes_[0] * factors_[0];
    return dot(stretched, stretched) - product * product;
  }
  Limits3D limits() const override { return {centre_ - semi_axes_, centre_ + semi_axes_}; }

 private:
  Point3D centre_;
  Point3D semi_axes_;
  Point3D factors_;
};

class Cuboid : public Shape3D {
 public:
  Cuboid(const Point3D& lower, const Point3D& upper) : limits_{lower, upper} {}

  double side(const Point3D& point) const override {
    const Point3D below = limits_.lower - point;
    const Point3D above = point - limits_.upper;
    return std::max({below[0], above[0], below[1], above[1], below[2], above[2]});
  }
  Limits3D limits() const override { return limits_; }

 private:
  Limits3D limits_;
};

class Cylinder : public Shape3D {
 public:
  Cylinder(const Point3D& from, const Point3D& to, double radius, bool infinite)
      : from_(from), to_(to), axis_(to - from), radius_(radius), infinite_(infinite) {}

  double side(const Point3D& point) const override {
    const Point3D from_start = point - from_;
    const Point3D moment = cross(from_start, axis_);
    const double length_squared = dot(axis_, axis_);
    const double radial = dot(moment, moment) - radius_ * radius_ * length_squared;
    if (infinite_) return radial;
    const double along = dot(from_start, axis_);
    return std::max({radial, -along, along - length_squared});
  }
  Limits3D limits() const override {
    Limits3D limits;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double across = 1 - axis_[axis] * axis_[axis] / dot(axis_, axis_);
      const double half = radius_ * std::sqrt(std::max(across, 0.0));
      if (infinite_ && axis_[axis] != 0) continue;
      limits.lower[axis] = std::min(from_[axis], to_[axis]) - half;
      limits.upper[axis] = std::max(from_[axis], to_[axis]) + half;
    }
    return limits;
  }

 private:
  Point3D from_;
  Point3D to_;
  Point3D axis_;
  double radius_;
  bool infinite_;
};

class HalfSpace : public Shape3D {
 public:
  HalfSpace(const Point3D& point, const Point3D& normal) : point_(point), normal_(normal) {}

  double side(const Point3D& point) const override { return dot(point - point_, normal_); }

 private:
  Point3D point_;
  Point3D normal_;
};

class Union : public Shape3D {
 public:
  explicit Union(std::vector<Shape3DPointer> parts) : parts_(std::move(parts)) {
    limits_ = parts_.front()->limits();
    for (const Shape3DPointer& part : parts_) limits_ = enclosing(limits_, part->limits());
  }

  double side(const Point3D& point) const override {
    double least = std::numeric_limits<double>::infinity();
    for (const Shape3DPointer& part : parts_) least = std::min(least, part->side(point));
    return least;
  }
  Limits3D limits() const override { return limits_; }
  double crossing(const Point3D& start, const Point3D& end) const override {
    // Where one part ends another may begin, so the first crossing of a part may be none of the
    // union.
    if (contains(start)) return Shape3D::crossing(start, end);
    constexpr double never = 2;
    double first = never;
    for (const Shape3DPointer& part : parts_) {
      const double fraction = part->crossing(start, end);
      if (fraction > 0) first = std::min(first, fraction);
    }
    return first == never ? -1 : first;
  }
  void sides_of_row(double x, double y, double z, std::vector<signed char>& sides) const override {
    std::vector<signed char> of_part(sides.size());
    std::fill(sides.begin(), sides.end(), static_cast<signed char>(1));
    for (const Shape3DPointer& part : parts_) {
      part->sides_of_row(x, y, z, of_part);
      std::transform(sides.begin(), sides.end(), of_part.begin(), sides.begin(),
                     [](signed char a, signed char b) { return std::min(a, b); });
    }
  }

 private:
  std::vector<Shape3DPointer> parts_;
  Limits3D limits_;
};

class Inverted : public Shape3D {
 public:
  explicit Inverted(Shape3DPointer shape) : shape_(std::move(shape)) {}

  double side(const Point3D& point) const override { return -shape_->side(point); }
  double crossing(const Point3D& start, const Point3D& end) const override {
    return shape_->crossing(start, end);
  }
  void sides_of_row(double x, double y, double z, std::vector<signed char>& sides) const override {
    shape_->sides_of_row(x, y, z, sides);
    for (signed char& side : sides) side = static_cast<signed char>(-side);
  }

 private:
  Shape3DPointer shape_;
};

class Moved : public Shape3D {
 public:
  Moved(Shape3DPointer shape, const Point3D& offset) : shape_(std::move(shape)), offset_(offset) {}

  double side(const Point3D& point) const override { return shape_->side(point - offset_); }
  Limits3D limits() const override {
    const Limits3D limits = shape_->limits();
    return {limits.lower + offset_, limits.upper + offset_};
  }
  double crossing(const Point3D& start, const Point3D& end) const override {
    return shape_->crossing(start - offset_, end - offset_);
  }

 private:
  Shape3DPointer shape_;
  Point3D offset_;
};

class Turned : public Shape3D {
 public:
  Turned(Shape3DPointer shape, const Point3D& about, const Point3D& angles_degrees)
      : shape_(std::move(shape)), about_(about), rows_(rotation_matrix(angles_degrees)) {
    const Limits3D limits = shape_->limits();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!std::isfinite(limits.lower[axis]) || !std::isfinite(limits.upper[axis])) return;
    }
    const Point3D half = (limits.upper - limits.lower) * 0.5;
    const Point3D middle = limits.lower + half - about_;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double centre = about_[axis] + dot(rows_[axis], middle);
      const double reach = std::abs(rows_[axis][0]) * half[0] + std::abs(rows_[axis][1]) * half[1] +
                           std::abs(rows_[axis][2]) * half[2];
      limits_.lower[axis] = centre - reach;
      limits_.upper[axis] = centre + reach;
    }
  }

  double side(const Point3D& point) const override { return shape_->side(back(point)); }
  Limits3D limits() const override { return limits_; }
  double crossing(const Point3D& start, const Point3D& end) const override {
    return shape_->crossing(back(start), back(end));
  }

 private:
  /// The point before the rotation.
  Point3D back(const Point3D& point) const {
    const Point3D from = point - about_;
    return about_ + rows_[0] * from[0] + rows_[1] * from[1] + rows_[2] * from[2];
  }

  Shape3DPointer shape_;
  Point3D about_;
  std::array<Point3D, 3> rows_;
  Limits3D limits_;
};

}  // namespace

Limits3D enclosing(const Limits3D& a, const Limits3D& b) {
  Limits3D both;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    both.lower[axis] = std::min(a.lower[axis], b.lower[axis]);
    both.upper[axis] = std::max(a.upper[axis], b.upper[axis]);
  }
  return both;
}

Limits3D limits_between(const Point3D& a, const Point3D& b) { return enclosing({a, a}, {b, b}); }

std::array<std::size_t, 2> row_range(double lower, double upper, std::size_t count) {
  const double first = std::clamp(std::floor(lower) - 1, 0.0, static_cast<double>(count));
  const double end = std::clamp(std::ceil(upper) + 1, first, static_cast<double>(count));
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(end)};
}

std::array<std::size_t, 2> row_range(double x, double lower, double upper, std::size_t count) {
  return row_range(lower - std::floor(x), upper - std::floor(x), count);
}

double Shape3D::crossing(const Point3D& start, const Point3D& end) const {
  const signed char side_of_start = sign(side(start));
  const auto has_passed = [&](const Point3D& point) { return sign(side(point)) != side_of_start; };
  if (!has_passed(end)) return -1;
  const Point3D way = end - start;
  double before = 0;
  double after = 1;
  while (after - before > std::numeric_limits<double>::epsilon() / 2) {
    const double middle = (before + after) / 2;
    (has_passed(start + way * middle) ? after : before) = middle;
  }
  return after;
}

void Shape3D::sides_of_row(double x, double y, double z, std::vector<signed char>& sides) const {
  std::fill(sides.begin(), sides.end(), static_cast<signed char>(1));
  const Limits3D box = limits();
  // One spacing more, since the limits are rounded.
  if (y < box.lower[1] - 1 || y > box.upper[1] + 1) return;
  if (z < box.lower[2] - 1 || z > box.upper[2] + 1) return;
  const auto [first, end] = row_range(x, box.lower[0], box.upper[0], sides.size());
  for (std::size_t i = first; i < end; ++i) {
    sides[i] = sign(side({x + static_cast<double>(i), y, z}));
  }
}

Shape3DPointer ellipsoid(const Point3D& centre, const Point3D& semi_axes) {
  return std::make_shared<Ellipsoid>(centre, semi_axes);
}

Shape3DPointer cuboid(const Point3D& lower, const Point3D& upper) {
  return std::make_shared<Cuboid>(lower, upper);
}

Shape3DPointer cylinder(const Point3D& from, const Point3D& to, double radius, bool infinite) {
  return std::make_shared<Cylinder>(from, to, radius, infinite);
}

Shape3DPointer half_space(const Point3D& point, const Point3D& normal) {
  return std::make_shared<HalfSpace>(point, normal);
}

Shape3DPointer union_of(std::vector<Shape3DPointer> parts) {
  if (parts.size() == 1) return parts.front();
  return std::make_shared<Union>(std::move(parts));
}

Shape3DPointer inverted(Shape3DPointer shape) {
  return std::make_shared<Inverted>(std::move(shape));
}

Shape3DPointer moved(Shape3DPointer shape, const Point3D& offset) {
  return std::make_shared<Moved>(std::move(shape), offset);
}

Shape3DPointer turned(Shape3DPointer shape, const Point3D& about, const Point3D& angles_degrees) {
  if (angles_degrees == Point3D{0, 0, 0}) return shape;
  return std::make_shared<Turned>(std::move(shape), about, angles_degrees);
}

std::array<Point3D, 3> rotation_matrix(const Point3D& angles_degrees) {
  std::array<Point3D, 3> columns{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double angle = angles_degrees[axis] * std::numbers::pi / 180;
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    for (Point3D& column : columns) {
      double& first = column[(axis + 1) % 3];
      double& second = column[(axis + 2) % 3];
      const double turned_first = cosine * first - sine * second;
      second = sine * first + cosine * second;
      first = turned_first;
    }
  }
  std::array<Point3D, 3> rows;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) rows[i][j] = columns[j][i];
  }
  return rows;
}

std::vector<Point3D> image_offsets(const Limits3D& limits, const Point3D& size,
                                   const std::array<bool, 3>& periodic, double margin) {
  // Bounds the number of copies of a shape that is much larger than the domain.
  constexpr double max_periods = 4;
  std::array<int, 3> first{0, 0, 0};
  std::array<int, 3> last{0, 0, 0};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double lower = (-margin - limits.upper[axis]) / size[axis];
    const double upper = (size[axis] + margin - limits.lower[axis]) / size[axis];
    if (!periodic[axis] || !std::isfinite(lower) || !std::isfinite(upper)) continue;
    first[axis] = static_cast<int>(std::clamp(std::ceil(lower), -max_periods, max_periods));
    last[axis] = static_cast<int>(std::clamp(std::floor(upper), -max_periods, max_periods));
  }
  std::vector<Point3D> offsets;
  for (int k = first[2]; k <= last[2]; ++k) {
    for (int j = first[1]; j <= last[1]; ++j) {
      for (int i = first[0]; i <= last[0]; ++i) {
        if (i != 0 || j != 0 || k != 0) offsets.push_back({i * size[0], j * size[1], k * size[2]});
      }
    }
  }
  return offsets;
}

Shape3DPointer repeated(const Shape3DPointer& shape, const Point3D& size,
                        const std::array<bool, 3>& periodic, double margin) {
  std::vector<Shape3DPointer> copies{shape};
  for (const Point3D& offset : image_offsets(shape->limits(), size, periodic, margin)) {
    copies.push_back(moved(shape, offset));
  }
  return union_of(std::move(copies));
}

}  // namespace knudsen
