#pragma once

#include <array>

#include "case/reader.hpp"
#include "kinetic/side_condition.hpp"
#include "methods/gas/read_solids.hpp"

namespace knudsen {

/// Sets mass_flux of the inlets among `sides` whose mass flow is given: the flow over the area of
/// the side that no solid covers. Throws InputError if solids cover the whole side.
void set_inlet_fluxes(const CaseNode& root, const SolidDomain& domain, const GasSolids& solids,
                      std::array<SideCondition, 6>& sides);

}  // namespace knudsen
