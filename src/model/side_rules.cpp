#include "model/side_rules.hpp"

#include "core/sides.hpp"

namespace knudsen {

void check_periodic_sides(const CaseNode& boundaries, std::size_t sides,
                          const std::function<bool(std::size_t)>& is_periodic) {
  for (std::size_t side = 0; side < sides; ++side) {
    const std::size_t other = side ^ 1U;
    if (is_periodic(side) && !is_periodic(other)) {
      boundaries.fail(side_names[side], "is periodic, so the opposite side (" + side_names[other] +
                                            ") must be periodic too");
    }
  }
}

std::string wall_motion_rule(std::size_t axis) {
  return "a wall moves along itself only: the " + axis_names[axis] + " component must be 0";
}

}  // namespace knudsen
