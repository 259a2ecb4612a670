#pragma once

#include <memory>
#include <optional>

#include "case/reader.hpp"
#include "geometry/solids_3d.hpp"
#include "lattice/collision_operators.hpp"
#include "methods/lattice/flow_control.hpp"
#include "methods/lattice/heat_case.hpp"
#include "methods/lattice/lattice_case.hpp"
#include "methods/lattice/scalars_case.hpp"
#include "methods/lbm_d3q27/initial_flow.hpp"
#include "methods/lbm_d3q27/node_map.hpp"
#include "model/method_entry.hpp"
#include "model/problem.hpp"

namespace knudsen::lbm_d3q27 {

enum class StoragePrecision { single_precision, double_precision, half_storage };

/// A plane of nodes through which the flow rate is measured.
struct FlowPlane {
  std::string name;
  int axis = 0;      ///< normal of the plane
  int position = 0;  ///< nodes from the domain's lower side
};

/// Bytes of neighbour indices that a sparse update has to read from memory: what the pointer chase
/// reads beyond them are its neighbours' own.
inline constexpr int sparse_index_bytes = 8;

/// A problem in lattice units: node spacing, time step and reference density are one.
struct Parameters : lbm::Fluid {
  StoragePrecision precision = StoragePrecision::single_precision;
  std::array<int, 3> nodes{};
  std::optional<double> spacing;  ///< node spacing in metres
  int populations = 27;           ///< of the lattice of the flow: 19 or 27
  bool sparse = false;
  bool estimated = false;  ///< see Problem::estimated
  bool shared = false;     ///< among ranks, which read the case at the same time
  Propagation propagation = Propagation::esoteric_twist;
  std::string collision_operator = Trt::name;
  EddyViscosity eddy_viscosity = EddyViscosity::none;
  double smagorinsky_constant = 0;
  double wale_constant = 0;                      ///< 0: not this model
  std::int64_t wale_interval = 40;               ///< steps from one evaluation to the next
  double magic = 0.1875;                         ///< see Fluid::antisymmetric_rate
  std::array<double, 3> body_force{0, 0, 0};     ///< that the case gives
  std::optional<lbm::FlowControl> flow_control;  ///< adds to the body force
  std::optional<lbm::Heat> heat;                 ///< of a fluid with a temperature
  std::vector<lbm::PassiveScalar> scalars;
  WallTreatment walls = WallTreatment::implicit;
  std::array<SideCondition, 6> sides;
  Solids3D solids;
  std::vector<std::optional<double>> accommodation;  ///< by solid; nothing: no slip
  std::optional<LatticeCut> cut;                     ///< of ranks
  InitialFlow initial;
  std::vector<FlowPlane> planes;
  std::optional<int> segment, team_size, strip;

  bool forced() const { return flow_control || body_force != std::array<double, 3>{0, 0, 0}; }
  /// Stored values of a node: its populations, and those of the temperature. These have two of 16
  /// bits each.
  int all_populations() const;
  std::size_t value_bytes() const;   ///< of a value in arithmetic
  std::size_t stored_bytes() const;  ///< of a stored population
  std::size_t eddy_bytes() const;    ///< of a Lattice::EddyTime
  /// Parameters of the collision, in double precision.
  CollisionParameters<double> collision_parameters() const;
  Sharing sharing() const;
  Domain domain() const;
  /// Whether some wall, of a side or a solid, has slip.
  bool has_slip() const;
  /// Names of the solids.
  std::vector<std::string> solid_names() const;
};

/// Reads the blocks of a case; the vocabulary is in docs/case-format.md. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The problem of checked parameters. Throws InputError if the geometry is not possible.
std::unique_ptr<Problem> make_problem(Parameters parameters, std::vector<std::string> warnings);

/// The fields, and the monitors of every case. Bodies, planes and body forces add more monitors
/// (Problem::monitors).
std::vector<Quantity> field_quantities();
std::vector<Quantity> monitor_quantities();
/// The monitors of a solid and of a flow plane, called "<solid>" and "<plane>".
std::vector<Quantity> part_quantities();
/// Those of cases with a body force, with heat and so on.
std::vector<ConditionalQuantities> conditional_quantities();

/// The method on a backend, with memory allocated and not yet initialised.
std::unique_ptr<Method> make_method(std::shared_ptr<const Parameters> parameters,
                                    std::shared_ptr<const NodeMap> map, Backend backend);

}  // namespace knudsen::lbm_d3q27
