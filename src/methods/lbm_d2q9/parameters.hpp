#pragma once

#include <optional>

#include "case/reader.hpp"
#include "geometry/solids_2d.hpp"
#include "methods/lattice/flow_control.hpp"
#include "methods/lattice/heat_case.hpp"
#include "methods/lattice/lattice_case.hpp"
#include "methods/lattice/scalars_case.hpp"
#include "methods/lbm_d2q9/make_lattice.hpp"
#include "model/method_entry.hpp"
#include "model/problem.hpp"

namespace knudsen::lbm_d2q9 {

enum class InitialState { rest, uniform, taylor_green };

/// A D2Q9 problem in lattice units: node spacing, time step and reference density are one.
struct Parameters : lbm::Fluid {
  bool single_precision = true;
  int nx = 0;
  int ny = 0;
  std::string collision_operator = Bgk::name;
  double magic = 0.1875;  ///< see Fluid::antisymmetric_rate
  Forcing forcing = Forcing::none;
  std::array<double, 2> body_force{0, 0};        ///< that the case gives
  std::optional<lbm::FlowControl> flow_control;  ///< adds to the body force
  Propagation propagation = Propagation::in_place;
  WallTreatment walls = WallTreatment::half_way;
  std::array<SideCondition, side_count> sides;
  std::optional<lbm::Heat> heat;  ///< of a fluid with a temperature
  std::vector<lbm::PassiveScalar> scalars;
  Solids2D solids;
  std::vector<std::optional<double>> accommodation;  ///< by solid; nothing: no slip
  InitialState initial = InitialState::rest;
  std::array<double, 2> initial_velocity{0, 0};  ///< uniform velocity, or amplitude in [0]
  std::array<std::int64_t, 2> wave_numbers{1, 1};
  std::optional<int> segment, team_size, nodes_per_thread;

  bool has_body_force() const { return flow_control || body_force != std::array<double, 2>{0, 0}; }
  /// Parameters of the collision, in double precision.
  CollisionParameters<double> collision_parameters() const;
  NodeMap node_map() const;
  bool has_slip() const;
  /// Names of the solids.
  std::vector<std::string> solid_names() const;
};

/// Reads the blocks of a D2Q9 case; the vocabulary is in docs/case-format.md. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The problem of checked parameters. Throws InputError if the geometry is not possible.
std::unique_ptr<Problem> make_problem(Parameters parameters, std::vector<std::string> warnings);

/// The fields, and the monitors of every case. Bodies and body forces add more monitors
/// (Problem::monitors).
std::vector<Quantity> field_quantities();
std::vector<Quantity> monitor_quantities();
/// The monitors of a solid, called "<solid>".
std::vector<Quantity> part_quantities();
/// Those of cases with a body force, with heat and so on.
std::vector<ConditionalQuantities> conditional_quantities();

/// The method on a backend, with memory allocated and not yet initialised.
std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend);

}  // namespace knudsen::lbm_d2q9
