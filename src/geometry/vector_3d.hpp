#pragma once

#include <array>

namespace knudsen {

using Point3D = std::array<double, 3>;

// Arithmetic with points and directions. In a namespace that users import, since argument-dependent
// lookup finds no operators for std::array.
namespace vector_3d {

inline Point3D operator+(const Point3D& a, const Point3D& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Point3D operator-(const Point3D& a, const Point3D& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Point3D operator*(const Point3D& a, double factor) {
  return {a[0] * factor, a[1] * factor, a[2] * factor};
}
inline double dot(const Point3D& a, const Point3D& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point3D cross(const Point3D& a, const Point3D& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace vector_3d
}  // namespace knudsen
