#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/sphere_set.hpp"

namespace knudsen {

/// Where spheres are packed: between two corners, periodically or between walls along each axis,
/// or in the tube through that box along one axis.
struct PackingContainer {
  Point3D lower;
  Point3D upper;
  std::array<bool, 3> periodic{false, false, false};
  std::optional<std::size_t> tube_axis;  ///< of a tube in the middle of the other two axes
  double tube_radius = 0;

  double volume() const;
};

/// Radius of `count` equal spheres that leave the porosity of the container's volume.
double packing_radius(const PackingContainer& container, std::size_t count, double porosity);

/// Centres of `count` equal spheres placed at random in the container without overlap, or nothing
/// where they could not be placed. The centres lie in the container, whole spheres within its
/// walls. Found by relaxation from random places: spheres a little larger than asked for that
/// repel each other where they overlap, damped as by Bitzek et al., Phys. Rev. Lett. 97 (2006)
/// 170201 ("FIRE"), until the spheres asked for are free of overlap. Porosities down to about 0.38
/// are reached where the container is many diameters wide. Overlaps are below 1e-12 diameters. The
/// same arguments give the same bits on every machine; the same problem in another unit of length
/// gives the same places to rounding.
std::optional<std::vector<Point3D>> pack_spheres(const PackingContainer& container,
                                                 std::size_t count, double radius,
                                                 std::uint64_t seed);

}  // namespace knudsen
