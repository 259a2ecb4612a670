#pragma once

#include <array>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/gas.hpp"

namespace knudsen {

/// Two uniform states of a gas at step 0, separated by a plane across x; mostly the same state
/// twice.
struct InitialStates {
  std::array<GasState, 2> states;  ///< at lower and at higher x
  double position = 0;             ///< x of the plane

  const GasState& at(double x) const { return states[x < position ? 0 : 1]; }
  bool differ() const;
  /// Both, or the one, with their names for messages.
  std::vector<NamedState> named() const;
};

/// Reads "position" of a block "initial", as a fraction of the domain, whose extent along x is
/// `size`.
void read_step_position(CaseNode& node, double size, InitialStates& initial);

/// The alternative "step" of a block "initial". `units` and `initial` must outlive it.
CaseNode::Alternative step_alternative(double size, const GasUnits& units, InitialStates& initial);

}  // namespace knudsen
