#pragma once

#include <array>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/field.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"

namespace knudsen {

/// A state that the velocity grid must resolve.
struct NamedState {
  std::string where;  ///< block of the case that sets it
  GasState state;
};
/// Adds the states of walls and reservoirs.
void add_side_states(const std::array<SideCondition, 6>& sides, std::vector<NamedState>& states);
/// Fails if a vector of a case, given by `key`, has a component that the grid integrates out.
void check_integrated(CaseNode& root, const std::string& key, const std::array<double, 3>& vector,
                      const VelocityGrid& velocities);
/// Fails if a state moves along an axis whose velocity component the grid integrates out.
void check_integrated(CaseNode& root, const std::vector<NamedState>& states,
                      const VelocityGrid& velocities, const GasUnits& units);
/// Fails if given fields move along such an axis by more than rounding.
void check_integrated(const GivenFields& given, const VelocityGrid& velocities,
                      const GasUnits& units);
/// Fails if the velocity grid leaves out more than 2 % of the Maxwellian of a state. Warns if it
/// leaves out more than 0.01 % or if the discrete density is wrong by more than 0.1 %: one warning
/// for all states of each kind, which names the worst. A quadrature that has density and energy of
/// the Maxwellian right leaves nothing out. Warns if its errors make collisions a source of more
/// heat than 1 % of what the gas conducts for a difference of T_ref; `collisions` is their number
/// on the way across the gas, 0 if they conserve. Messages give states in `units`.
void check_velocities(CaseNode& root, const VelocityGrid& velocities,
                      const std::vector<NamedState>& states, const GasUnits& units,
                      double collisions, std::vector<std::string>& warnings);

}  // namespace knudsen
