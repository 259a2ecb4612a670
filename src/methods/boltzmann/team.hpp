#pragma once

#include "methods/bgkw/phase_space.hpp"

// Loops and sums over the threads of a team, as in the BGKW method.

namespace knudsen::boltzmann {

using bgkw::for_lanes;
using bgkw::team_each;
using bgkw::team_sum;

}  // namespace knudsen::boltzmann
