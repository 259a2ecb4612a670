#pragma once

#include <array>
#include <vector>

#include "geometry/cell_grid.hpp"
#include "geometry/shape_3d.hpp"

namespace knudsen {

struct Sphere {
  Point3D centre;
  double radius;
};

/// The union of many spheres as one shape; its crossings are those nearest to the start.
Shape3DPointer sphere_set(std::vector<Sphere> spheres);

/// The spheres and their copies, moved by multiples of the period, that come within `margin` of the
/// box from 0 to `size`. Along axes that are not periodic there are no copies.
std::vector<Sphere> with_images(const std::vector<Sphere>& spheres, const Point3D& size,
                                const std::array<bool, 3>& periodic, double margin);

enum class CubicLattice { simple, body_centred, face_centred };

/// The volume fraction at which the spheres of a cubic array touch.
double greatest_volume_fraction(CubicLattice lattice);
/// Equal spheres on a lattice of `cells` cubic cells with edges of `edge`, filling the volume
/// fraction. The first cell has its lower corner at the origin: simple arrays have a sphere in the
/// middle of each cell, the others at its corners and in the middle of it or of its faces. Spheres
/// at the far corners and faces are the periodic images of those listed.
std::vector<Sphere> sphere_array(CubicLattice lattice, const std::array<int, 3>& cells, double edge,
                                 double volume_fraction);

}  // namespace knudsen
