#pragma once

#include <array>
#include <vector>

#include "geometry/cell_grid.hpp"
#include "geometry/shape_3d.hpp"

namespace knudsen {

/// In any unit of length.
struct Sphere {
  Point3D centre;
  double radius;
};

/// The union of many spheres as one shape. Of several crossings it returns that nearest the start.
Shape3DPointer sphere_set(std::vector<Sphere> spheres);

/// The spheres and those of their images along the periodic axes that come within `margin` of the
/// box from 0 to `size`, which is the period.
std::vector<Sphere> with_images(const std::vector<Sphere>& spheres, const Point3D& size,
                                const std::array<bool, 3>& periodic, double margin);

enum class CubicLattice { simple, body_centred, face_centred };

/// The volume fraction at which the spheres of a cubic array touch.
double max_volume_fraction(CubicLattice lattice);
/// Equal spheres with the given volume fraction on a lattice of `cells` cubic cells of length
/// `edge`, the first of which has its lower corner at the origin. Simple arrays have a sphere at
/// the centre of each cell; the others at the corners, and at the centre of the cell or of its
/// faces. Spheres at the upper corners and faces of the lattice are left out, as periodic images.
std::vector<Sphere> sphere_array(CubicLattice lattice, const std::array<int, 3>& cells, double edge,
                                 double volume_fraction);

}  // namespace knudsen
