#pragma once

#include "kinetic/velocity_space.hpp"

namespace knudsen::boltzmann {

/// Values of consecutive velocities that a GPU thread loads or stores in one 16-byte access.
template <class Real>
struct alignas(16) Access {
  Real value[values_per_access<Real>];
};

}  // namespace knudsen::boltzmann
