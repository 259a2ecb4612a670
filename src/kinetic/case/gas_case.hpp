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

// What the cases and the results of all discrete-velocity methods have in common.

namespace knudsen {

extern const std::array<const char*, 6> side_names;
extern const std::array<std::string, 3> axis_names;

/// Four significant digits, for people.
double rounded(double value);
/// "bgk", "shakhov", "es-bgk"
std::string model_name(CollisionModel model);
std::array<double, 3> to_array(const std::vector<double>& v);

/// Reads "precision".
bool read_single_precision(CaseNode& root);
/// A box of equal cells; what is not there along an axis is one.
struct CellGridSize {
  int dimensions = 1;
  std::array<int, 3> cells{1, 1, 1};
  std::array<double, 3> size{1, 1, 1};
};
/// Reads "cells" and "size" of a block "domain": one to three numbers, cells numbered by 32 bits.
CellGridSize read_cells(CaseNode& domain);
/// Refuses a list that has not one number for each dimension.
void check_length(CaseNode& domain, const std::string& key,
                  const std::optional<std::vector<double>>& list, std::size_t dimensions);

/// Reads "model" and "body_force" of a collision block.
CollisionModel read_collision_model(CaseNode& collision, const std::string& fallback = "bgk");
std::array<double, 3> read_body_force(CaseNode& collision);
/// Reads "rarefaction" or "knudsen" of a block "gas", one of which must be there, and "si" where
/// there is a place for it; the rarefaction parameter.
double read_rarefaction(CaseNode& gas, std::optional<SiReference>* si = nullptr);
/// Reads "time_step" of a block "propagation", which leaves no place for the limits of one.
std::optional<double> read_time_step(CaseNode& propagation);
/// Reads the block "gas"; a reference state in SI units is allowed where there is a place for it.
Gas read_gas(CaseNode& root, CollisionModel model, std::optional<SiReference>* si = nullptr);
/// Lists a reference state in SI units.
void add_si_reference(const SiReference& si, std::vector<ResolvedValue>& resolved);
/// A Maxwellian's state; `fallback` holds for what is not given.
GasState read_gas_state(CaseNode& node, const GasState& fallback);
/// Reads the block of a wall; `axis` is that across which it is, if that is one.
void read_wall(CaseNode& node, SideCondition& condition, std::optional<std::size_t> axis);
/// Whether the velocities along `axis` are such that a surface across it can send them back.
void check_reflection(CaseNode& node, const std::string& key, const SideCondition& condition,
                      const VelocityGrid& velocities, std::size_t axis);
/// Reads the six sides of a block "boundaries"; reservoirs have the initial state beside them where
/// nothing else is given.
void read_sides(CaseNode& boundaries, std::array<SideCondition, 6>& sides,
                const GasState& initial_west, const GasState& initial_east);
/// Sides that are there, periodic ones in pairs, velocities symmetric where sides reflect.
void check_sides(CaseNode& boundaries, const std::array<SideCondition, 6>& sides, int dimensions,
                 const VelocityGrid& velocities);

/// What a method's monitor says, in six digits, among its results.
void add_monitor(Method& method, const std::string& name,
                 std::map<std::string, std::string>& results);
/// Force along x and y and energy flux of every side that is a wall, likewise.
void add_wall_monitors(Method& method, const std::array<SideCondition, 6>& sides,
                       std::map<std::string, std::string>& results);

struct NamedState {
  std::string where;
  GasState state;
};
/// Adds the states of walls and reservoirs.
void add_side_states(const std::array<SideCondition, 6>& sides, std::vector<NamedState>& states);
/// Whether the velocities hold these states: refuses what is hopeless, warns of what is doubtful.
void check_velocities(CaseNode& root, const VelocityGrid& velocities,
                      const std::vector<NamedState>& states, std::vector<std::string>& warnings);

/// The fields that follow from the thirteen moments of a cell, and their values.
std::vector<Quantity> gas_field_quantities();
double gas_field_value(const std::string& name, const Macroscopic& state, std::size_t component);
double speed_of(const Macroscopic& state);
/// Why a cell's state cannot be; empty where it can.
std::string fault_of(const Macroscopic& state);

}  // namespace knudsen
