#pragma once

#include <array>
#include <functional>
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

/// What a velocity grid leaves out of the worst of some states, by the limits of check_velocities.
struct LeftOut {
  std::size_t state = 0;
  std::string text;  ///< "leaves out ..."; empty: nothing to say
  bool refused = false;
};
LeftOut worst_left_out(const VelocityGrid& velocities, const GasUnits& units, std::size_t count,
                       const std::function<NamedState(std::size_t)>& state);

/// What to say at the end of a run of cells whose gas the velocity grid does not resolve, by the
/// limits of check_velocities: gas that got hotter, colder or faster than all states of the case.
/// Faults count for the share of molecules that collide on the way across the gas, `length` in L;
/// others do not relax towards the Maxwellian of a cell. state(i): of cell i of `cells`, x fastest,
/// called by many threads at once; with density 0 in solids.
std::vector<std::string> warnings_of_cells(const VelocityGrid& velocities, const GasUnits& units,
                                           const Gas& gas, double length, bool conservative,
                                           const std::array<int, 3>& cells,
                                           const std::function<GasState(std::size_t)>& state);

/// Distance of the diffuse walls between which molecules can fly along these walls without end,
/// since the box ends at nothing else along the other axes; twice the `length` of the box along
/// `axis` if one of its sides there is a plane of symmetry or antisymmetry. 0 if the gas is not
/// such a slab.
double slab_width(const std::array<SideCondition, 6>& sides, std::size_t dimensions,
                  std::size_t axis, double length);
/// What to say where the velocities across an axis do not resolve the molecules that graze the
/// walls: `slow` is the speed below which molecules collide before they cross the gas, in v_ref;
/// `fault` says what is too coarse.
std::string grazing_warning(std::size_t axis, double slow, const std::string& fault);
/// Warns of axes across which the gas is a slab whose slowest velocity is more than 0.15 times the
/// speed below which molecules collide before they cross it, `frequency` times the length, if
/// something drives the gas along the walls: they move, their temperature changes along them, or
/// one of `drives` (a force, a gradient). `size`: lengths of the box, `frequency`: of collisions in
/// v_ref / L. The flow rates of Poiseuille flow, thermal creep and half a Couette flow are then off
/// by about 1 % or more, by as much as 50 % on grids in use (README of shakhov, "Rarefied slabs").
void warn_of_grazing_molecules(const std::array<SideCondition, 6>& sides, std::size_t dimensions,
                               const std::array<double, 3>& size, double frequency,
                               const VelocityGrid& velocities,
                               const std::vector<std::array<double, 3>>& drives,
                               std::vector<std::string>& warnings);

}  // namespace knudsen
