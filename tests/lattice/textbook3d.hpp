#pragma once

#include <array>
#include <vector>

#include "collide_nodes.hpp"

// The three-dimensional collisions as textbooks and papers write them: whole populations, explicit
// matrices, every moment, long double, no thought of speed. Tests compare the library with it.
namespace knudsen::textbook3d {

using Number = long double;
using Vector = std::array<Number, 3>;
using Populations = std::vector<Number>;  ///< whole: not shifted by the weights

/// Velocity and weight of population q among 19 or 27, numbered as the library does.
std::array<int, 3> velocity(int q);
Number weight(int populations, int q);

struct Flow {
  Number density = 0;
  Vector velocity{};
};
/// With half of the force in the velocity.
Flow flow(const Populations& f, const Vector& force);

/// Quadratic for bgk and trt, the Maxwellian's moments up to order 2 on each axis else.
Populations equilibrium(const Collision3D& collision, const Flow& flow);

/// sum (cx - u)^a (cy - v)^b (cz - w)^c f, at index (a * 3 + b) * 3 + c, by the matrix of all.
using CentralMoments = std::array<Number, 27>;
CentralMoments central_moments(const Populations& f, const Vector& velocity);
/// Solves the system of all 27 for the populations.
Populations populations(const CentralMoments& moments, const Vector& velocity);

Populations collide(const Collision3D& collision, const CollisionParameters<double>& fluid,
                    const Populations& f);

}  // namespace knudsen::textbook3d
