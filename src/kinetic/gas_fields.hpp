#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "kinetic/gas.hpp"
#include "kinetic/moments.hpp"

namespace knudsen {

/// A field that follows from the hydrodynamic state of a cell.
struct GasField {
  Quantity quantity;
  /// One component of the field, in the unit of the quantity.
  double (*value)(const Macroscopic& state, std::size_t component);
};

/// The fields that follow from the thirteen moments of a cell, for all methods that have these.
const std::vector<GasField>& gas_fields();

/// The same of a gas whose molecules rotate, or of a monatomic one.
std::vector<GasField> gas_fields(bool rotates);

/// A state with the given values of a cell in place of its own; velocities have three components.
GasState with_given(GasState state, const GivenFields& given, std::size_t cell);

/// Magnitude of the velocity.
double speed_of(const Macroscopic& state);
/// Why the state of a cell is unphysical; empty if it is not.
std::string fault_of(const Macroscopic& state);

}  // namespace knudsen
