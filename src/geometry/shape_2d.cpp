#include "geometry/shape_2d.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace knudsen {

namespace {

/// Twice the area of the triangle a, b, c, positive if these are in anticlockwise order.
double cross(const Point2D& a, const Point2D& b, const Point2D& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

bool between(double value, double one_end, double other_end) {
  return std::min(one_end, other_end) <= value && value <= std::max(one_end, other_end);
}

double side_of_polygon(const std::vector<Point2D>& corners, const Point2D& point) {
  bool inside = false;
  Point2D start = corners.back();
  for (const Point2D& end : corners) {
    const double turn = cross(start, end, point);
    if (turn == 0 && between(point[0], start[0], end[0]) && between(point[1], start[1], end[1])) {
      return 0;
    }
    // A ray from the point to the east can only cross an edge with one end above the ray. It
    // crosses an upward edge if the point is to the left of it, a downward one if it is to the
    // right.
    const bool upwards = end[1] > point[1];
    if (upwards != (start[1] > point[1]) && upwards == (turn > 0)) inside = !inside;
    start = end;
  }
  return inside ? -1 : 1;
}

/// The straight surface along the line from a to b.
SurfaceElement straight(const Point2D& a, const Point2D& b) {
  const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
  return {{(b[1] - a[1]) / length, (a[0] - b[0]) / length}, 0};
}

double distance_to(const Point2D& a, const Point2D& b, const Point2D& point) {
  const Point2D edge{b[0] - a[0], b[1] - a[1]};
  const double square = edge[0] * edge[0] + edge[1] * edge[1];
  const double way =
      square > 0 ? std::clamp(((point[0] - a[0]) * edge[0] + (point[1] - a[1]) * edge[1]) / square,
                              0.0, 1.0)
                 : 0;
  const double x = a[0] + way * edge[0] - point[0];
  const double y = a[1] + way * edge[1] - point[1];
  return std::hypot(x, y);
}

/// The edge of a polygon that is nearest to a point. In a corner the normal is amid those of its
/// edges, so that mirror images have mirrored normals.
SurfaceElement nearest_edge(const std::vector<Point2D>& corners, const Point2D& point) {
  constexpr double in_corner = 1e-9;
  const auto for_edges = [&](const auto& body) {
    Point2D start = corners.back();
    for (const Point2D& end : corners) {
      if (start != end) body(start, end, distance_to(start, end, point));
      start = end;
    }
  };
  double least = std::numeric_limits<double>::infinity();
  for_edges(
      [&](const Point2D&, const Point2D&, double distance) { least = std::min(least, distance); });
  Point2D normal{0, 0};
  SurfaceElement last;
  for_edges([&](const Point2D& start, const Point2D& end, double distance) {
    if (distance > least + in_corner) return;
    last = straight(start, end);
    normal = {normal[0] + last.normal[0], normal[1] + last.normal[1]};
  });
  const double length = std::hypot(normal[0], normal[1]);
  if (length < in_corner) return last;  // the edges of a needle
  return {{normal[0] / length, normal[1] / length}, 0};
}

}  // namespace

Shape2D ellipse(const Point2D& centre, const Point2D& semi_axes, double angle_degrees) {
  const double angle = angle_degrees * std::numbers::pi / 180;
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  const auto side = [=](const Point2D& point) {
    const double x = point[0] - centre[0];
    const double y = point[1] - centre[1];
    // Without divisions, so that no rounding moves points with round numbers off the boundary.
    const double along = (x * cosine + y * sine) * semi_axes[1];
    const double across = (y * cosine - x * sine) * semi_axes[0];
    const double product = semi_axes[0] * semi_axes[1];
    return along * along + across * across - product * product;
  };
  const Point2D half{std::hypot(semi_axes[0] * cosine, semi_axes[1] * sine),
                     std::hypot(semi_axes[0] * sine, semi_axes[1] * cosine)};
  Shape2D shape{
      side, {centre[0] - half[0], centre[1] - half[1]}, {centre[0] + half[0], centre[1] + half[1]}};
  shape.surface = [=](const Point2D& point) -> SurfaceElement {
    const double x = point[0] - centre[0];
    const double y = point[1] - centre[1];
    const double along = (x * cosine + y * sine) / semi_axes[0];
    const double across = (y * cosine - x * sine) / semi_axes[1];
    // Gradient of along^2 + across^2 over 2, and the curvature of the ellipse through the point.
    const double gradient_along = along / semi_axes[0];
    const double gradient_across = across / semi_axes[1];
    const double steepness = std::hypot(gradient_along, gradient_across);
    const double product = semi_axes[0] * semi_axes[1];
    return {{(gradient_along * cosine - gradient_across * sine) / steepness,
             (gradient_along * sine + gradient_across * cosine) / steepness},
            1 / (product * product * steepness * steepness * steepness)};
  };
  return shape;
}

Shape2D box(const Point2D& lower, const Point2D& upper) {
  const auto side = [=](const Point2D& point) {
    return std::max(
        {lower[0] - point[0], point[0] - upper[0], lower[1] - point[1], point[1] - upper[1]});
  };
  Shape2D shape{side, lower, upper};
  shape.aligned = true;
  shape.surface = [=](const Point2D& point) {
    return nearest_edge({lower, {upper[0], lower[1]}, upper, {lower[0], upper[1]}}, point);
  };
  return shape;
}

Shape2D polygon(std::vector<Point2D> corners) {
  Shape2D shape;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto [least, most] = std::minmax_element(
        corners.begin(), corners.end(),
        [axis](const Point2D& a, const Point2D& b) { return a[axis] < b[axis]; });
    shape.lower[axis] = (*least)[axis];
    shape.upper[axis] = (*most)[axis];
  }
  shape.aligned = true;
  Point2D start = corners.back();
  for (const Point2D& end : corners) {
    shape.aligned = shape.aligned && is_aligned({end[0] - start[0], end[1] - start[1]});
    start = end;
  }
  shape.surface = [corners](const Point2D& point) { return nearest_edge(corners, point); };
  shape.side = [corners = std::move(corners)](const Point2D& point) {
    return side_of_polygon(corners, point);
  };
  return shape;
}

Shape2D half_plane(const Point2D& point, const Point2D& normal) {
  Shape2D shape{[=](const Point2D& at) {
    return (at[0] - point[0]) * normal[0] + (at[1] - point[1]) * normal[1];
  }};
  shape.surface = [element = straight({0, 0}, {-normal[1], normal[0]})](const Point2D&) {
    return element;
  };
  shape.aligned = is_aligned(normal);
  return shape;
}

Shape2D inverted(Shape2D shape) {
  Shape2D outside{[side = std::move(shape.side)](const Point2D& point) { return -side(point); }};
  outside.surface = std::move(shape.surface);
  outside.aligned = shape.aligned;
  return outside;
}

bool is_aligned(const Point2D& vector) {
  constexpr double rounding = 1e-9;
  const double x = std::fabs(vector[0]);
  const double y = std::fabs(vector[1]);
  return std::min({x, y, std::fabs(x - y)}) <= rounding * std::max(x, y);
}

double signed_area(const std::vector<Point2D>& corners) {
  double twice = 0;
  for (std::size_t index = 2; index < corners.size(); ++index) {
    twice += cross(corners[0], corners[index - 1], corners[index]);
  }
  return twice / 2;
}

}  // namespace knudsen
