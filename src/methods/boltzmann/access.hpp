#pragma once

#include "kinetic/velocity_space.hpp"

namespace knudsen::boltzmann {

/// Values of neighbouring velocities that a GPU thread moves at once.
template <class Real>
struct alignas(16) Access {
  Real value[values_per_access<Real>];
};

}  // namespace knudsen::boltzmann
