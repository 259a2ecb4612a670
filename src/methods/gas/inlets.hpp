#pragma once

#include <array>
#include <optional>

#include "case/reader.hpp"
#include "kinetic/gas.hpp"
#include "methods/gas/read_solids.hpp"

namespace knudsen {

/// Sets mass_flux of the inlets among `sides` whose mass flow is given in SI units: the flow over
/// the area of the side that no solid covers. Throws InputError if `si` is empty or solids cover
/// the whole side.
void set_inlet_fluxes(const CaseNode& root, const SolidDomain& domain, const GasSolids& solids,
                      const std::optional<SiReference>& si, std::array<SideCondition, 6>& sides);

}  // namespace knudsen
