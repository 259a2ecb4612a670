#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace knudsen {

/// What upwind differences of first order along an axis add to the viscosity of a gas in the
/// reference state, over what it has; to the conductivity about as much. Molecules diffuse by
/// w |v| / 2 across cells of width w, which is a viscosity of rho w v_ref / (2 sqrt(pi)), and the
/// gas has rho v_ref L / (2 delta): delta w / sqrt(pi). Of cells of several widths it is what
/// the shear stress between plates along them is too large by. `widths` in L.
/// share(width): that of the balance of a cell in which there are such differences.
double added_viscosity(
    const std::vector<double>& widths, double rarefaction,
    const std::function<double(double)>& share = [](double) { return 1.0; });

/// Warns if that is more than 10 % along an axis.
void warn_of_added_viscosity(const std::array<double, 3>& added,
                             std::vector<std::string>& warnings);

}  // namespace knudsen
