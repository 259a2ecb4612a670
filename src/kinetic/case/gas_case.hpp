#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/case/read_sides.hpp"
#include "kinetic/collision_models.hpp"
#include "kinetic/gas_fields.hpp"
#include "kinetic/named_gases.hpp"
#include "model/problem.hpp"

// Parts of a case and results that all discrete-velocity methods share. The functions that read a
// case throw InputError.

namespace knudsen {

// What the values of a case may be, in the units of the gas. Beyond these the equations are no
// model of a gas, and products overflow in single precision.
inline const Range size_range = Range::between(1e-9, 1e9);
inline const Range density_range = Range::between(1e-12, 1e12);
inline const Range temperature_range = Range::between(1e-6, 1e6);
inline const Range velocity_range = Range::between(-1e4, 1e4);
inline const Range mass_flux_range = Range::between(0, 1e12);
inline const Range time_step_range = Range::between(1e-30, 1e30);

/// Rounds to four significant digits, for display.
double rounded(double value);
/// The model's name in a case: "bgk", "shakhov", "es-bgk".
std::string model_name(CollisionModel model);
/// The first three values of a list.
std::array<double, 3> to_array(const std::vector<double>& v);

/// Reads "precision": whether it is single.
bool read_single_precision(CaseNode& root);
/// A box of equal cells.
struct CellGridSize {
  int dimensions = 1;
  std::array<int, 3> cells{1, 1, 1};    ///< 1 along unused axes
  std::array<double, 3> size{1, 1, 1};  ///< extent in L; 1 along unused axes
};
/// Reads "cells" and "size" of a block "domain": one number for each of one to three dimensions.
/// The number of cells must fit in a 32-bit integer. Where the domain may have segments in place of
/// "cells", `segments` says whether it has; then the result is empty.
CellGridSize read_cells(CaseNode& domain, const GasUnits& units,
                        std::optional<bool> segments = std::nullopt);
/// Reads "size" of a block "domain", in L.
std::optional<std::vector<double>> read_size(CaseNode& domain, const GasUnits& units);
/// Fails if a box has more cells than a 32-bit integer counts.
void check_cell_count(CaseNode& domain, const std::string& key, double cells);
/// Fails unless `list`, if given, has one number for each dimension.
void check_length(CaseNode& domain, const std::string& key,
                  const std::optional<std::vector<double>>& list, std::size_t dimensions);

/// Reads "model" of a block "collision"; `fallback` is its default.
CollisionModel read_collision_model(CaseNode& collision, const std::string& fallback = "bgk");
/// Reads "body_force" of a block "collision", in v_ref^2 / L.
std::array<double, 3> read_body_force(CaseNode& collision, const GasUnits& units);
/// Reads "name" of a block "gas"; null for a gas that the other keys describe.
const NamedGas* read_gas_name(CaseNode& gas);
/// Reads the reference state in SI units from a block "gas", if it has one.
std::optional<SiReference> read_si_reference(CaseNode& gas);
/// Appends to `warnings` what is not as in the named gas, which is computed with these degrees of
/// freedom of the rotation.
void warn_of_gas(const NamedGas* named, const std::optional<SiReference>& si, double rotation,
                 std::vector<std::string>& warnings);
/// Fails if a block "gas" has "rotation", for methods of monatomic gases.
void refuse_rotation(CaseNode& gas);
/// Reads the rarefaction parameter from a block "gas", which must give "rarefaction", "knudsen" or,
/// if `si` is not null, "si". `named` may be null.
double read_rarefaction(CaseNode& gas, std::optional<SiReference>* si = nullptr,
                        const NamedGas* named = nullptr);
/// Reads "time_step" of a block "propagation"; excludes "courant" and "relaxation_fraction".
std::optional<double> read_time_step(CaseNode& propagation, const GasUnits& units);
/// Reads the block "gas"; `si` is set where the reference state is given in SI units. Appends to
/// `warnings`.
Gas read_gas(CaseNode& root, CollisionModel model, std::optional<SiReference>& si,
             std::vector<std::string>& warnings);
/// Lists a reference state in SI units.
void add_si_reference(const SiReference& si, std::vector<ResolvedValue>& resolved);
/// Reads "density" or "pressure", "velocity" and "temperature"; `fallback` has their defaults.
GasState read_gas_state(CaseNode& node, const GasUnits& units, const GasState& fallback);
}  // namespace knudsen
