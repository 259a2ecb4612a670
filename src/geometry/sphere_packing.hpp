#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/sphere_set.hpp"

namespace knudsen {

/// The container of a sphere packing: a box whose axes are each periodic or between walls, or the
/// tube in the middle of that box along one axis.
struct PackingContainer {
  Point3D lower;                                      ///< corner of the box
  Point3D upper;                                      ///< opposite corner
  std::array<bool, 3> periodic{false, false, false};  ///< false: walls
  std::optional<std::size_t> tube_axis;               ///< axis of the tube; nothing for the box
  double tube_radius = 0;

  double volume() const;
};

/// Radius of `count` equal spheres that leave the fraction `porosity` of the container empty.
double packing_radius(const PackingContainer& container, std::size_t count, double porosity);

/// Centres of `count` equal spheres packed at random in the container; nothing if no packing was
/// found. The centres lie in the container, and no sphere extends beyond a wall. Overlaps are below
/// 1e-12 diameters.
///
/// The spheres start at random places. Slightly inflated, they repel each other while they overlap,
/// with the FIRE damping of Bitzek et al., Phys. Rev. Lett. 97 (2006) 170201, until those of the
/// given radius are free of overlap. This reaches porosities down to about 0.38 if the container is
/// many diameters wide.
///
/// The same arguments give the same bits on every machine. Scaling all lengths by a factor scales
/// the result by it, up to rounding.
std::optional<std::vector<Point3D>> pack_spheres(const PackingContainer& container,
                                                 std::size_t count, double radius,
                                                 std::uint64_t seed);

}  // namespace knudsen
