#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/field.hpp"
#include "kinetic/collision_target.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"
#include "model/problem.hpp"

// Parts of a case and results that all discrete-velocity methods share. The functions that read a
// case throw InputError.

namespace knudsen {

extern const std::array<const char*, 6> side_names;
extern const std::array<std::string, 3> axis_names;

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
/// The number of cells must fit in a 32-bit integer.
CellGridSize read_cells(CaseNode& domain);
/// Fails unless `list`, if given, has one number for each dimension.
void check_length(CaseNode& domain, const std::string& key,
                  const std::optional<std::vector<double>>& list, std::size_t dimensions);

/// Reads "model" of a block "collision"; `fallback` is its default.
CollisionModel read_collision_model(CaseNode& collision, const std::string& fallback = "bgk");
/// Reads "body_force" of a block "collision", in 2 R T_ref / L.
std::array<double, 3> read_body_force(CaseNode& collision);
/// Reads the rarefaction parameter from a block "gas", which must give "rarefaction", "knudsen" or,
/// if `si` is not null, "si".
double read_rarefaction(CaseNode& gas, std::optional<SiReference>* si = nullptr);
/// Reads "time_step" of a block "propagation"; excludes "courant" and "relaxation_fraction".
std::optional<double> read_time_step(CaseNode& propagation);
/// Reads the block "gas"; the reference state may be given in SI units if `si` is not null.
Gas read_gas(CaseNode& root, CollisionModel model, std::optional<SiReference>* si = nullptr);
/// Lists a reference state in SI units.
void add_si_reference(const SiReference& si, std::vector<ResolvedValue>& resolved);
/// Reads "density", "velocity" and "temperature"; `fallback` has their defaults.
GasState read_gas_state(CaseNode& node, const GasState& fallback);
/// Reads the block of a wall. The velocity of a wall normal to `axis` must be tangential.
void read_wall(CaseNode& node, SideCondition& condition, std::optional<std::size_t> axis);
/// Fails if the discrete velocities along `axis` cannot be reflected by a surface normal to it.
void check_reflection(CaseNode& node, const std::string& key, const SideCondition& condition,
                      const VelocityGrid& velocities, std::size_t axis);
/// Reads the six sides of a block "boundaries". The default state of a reservoir is the initial
/// state next to it: `initial_east` for the east side, `initial_west` for all others.
void read_sides(CaseNode& boundaries, std::array<SideCondition, 6>& sides,
                const GasState& initial_west, const GasState& initial_east);
/// Fails if a side is given that the dimensions do not have, if only one of two opposite sides is
/// periodic, or if a side cannot reflect the discrete velocities.
void check_sides(CaseNode& boundaries, const std::array<SideCondition, 6>& sides, int dimensions,
                 const VelocityGrid& velocities);

/// Adds a monitor to the results of a run, with six digits.
void add_monitor(Method& method, const std::string& name,
                 std::map<std::string, std::string>& results);
/// Adds the monitors of each wall: force along x and y, energy flux.
void add_wall_monitors(Method& method, const std::array<SideCondition, 6>& sides,
                       std::map<std::string, std::string>& results);

/// A state that the velocity grid must resolve.
struct NamedState {
  std::string where;  ///< block of the case that sets it
  GasState state;
};
/// Adds the states of walls and reservoirs.
void add_side_states(const std::array<SideCondition, 6>& sides, std::vector<NamedState>& states);
/// Fails if the velocity grid leaves out more than 2 % of the Maxwellian of a state. Warns if it
/// leaves out more than 0.01 % or if the discrete density is wrong by more than 0.1 %.
void check_velocities(CaseNode& root, const VelocityGrid& velocities,
                      const std::vector<NamedState>& states, std::vector<std::string>& warnings);

/// The fields that follow from the thirteen moments of a cell.
std::vector<Quantity> gas_field_quantities();
/// Value of one of these fields in its unit.
double gas_field_value(const std::string& name, const Macroscopic& state, std::size_t component);
/// Magnitude of the velocity.
double speed_of(const Macroscopic& state);
/// Why the state of a cell is unphysical; empty if it is not.
std::string fault_of(const Macroscopic& state);

}  // namespace knudsen
