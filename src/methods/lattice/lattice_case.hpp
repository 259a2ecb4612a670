#pragma once

// Blocks of a case that all lattice Boltzmann methods share.

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "lattice/collision_operators.hpp"
#include "methods/lattice/si_scales.hpp"
#include "model/problem.hpp"

namespace knudsen::lbm {

inline const double sound_speed = 1 / std::sqrt(3.0);
/// The low-Mach expansion of the equilibrium is meaningless beyond this Mach number.
inline constexpr double highest_mach = 0.3;
/// Beyond this relaxation time, in steps, a lattice resolves neither the fluid's motion nor the
/// gas's; single precision soon cannot hold the change in a step.
inline constexpr double max_relaxation_time = 1e6;
/// Body forces, in lattice units. A larger one takes a node from rest beyond the speed of sound in
/// one step.
inline const Range force_range = Range::between(-1, 1);
/// Densities of open sides, in units of the reference density. The flow is nearly incompressible.
inline const Range density_range = Range::between(0.01, 100);

struct Grid {
  std::vector<int> nodes;  ///< along each axis
  double unit = 1;         ///< node spacings in one length unit of the case
  double max_nodes = 0;    ///< in all

  // What the case says of its grid, from which read_fluid makes that of a case in SI units.
  std::vector<double> size;  ///< extents; empty where the case gives the nodes
  std::optional<double> resolution;
  std::optional<double> spacing;  ///< m
  std::optional<double> nodes_across;

  /// Whether only a case in SI units can have this grid.
  bool nodes_in_si() const { return !size.empty() && (spacing || nodes_across); }
  /// Adds an axis with `extent` nodes, which is rounded. Returns their number. Throws InputError
  /// that names the key `key` of `node`.
  double add_axis(CaseNode& node, const std::string& key, double extent);
};
/// Reads `nodes`, or `size` and the spacing, of the object `domain`, for a grid of 2 or 3
/// `dimensions`. Throws InputError, also if the grid has more than `max_nodes` nodes.
Grid read_grid(CaseNode& domain, std::size_t dimensions, double max_nodes);

/// Slip of a gas at a diffuse wall, in mean free paths (Fluid::mean_free_path).
struct SlipCoefficients {
  /// 2 x 1.01619 / sqrt(pi), of the BGK and the Shakhov model.
  double first_order = 1.1466;
  /// By Maxwell's condition that coefficient is (2 - a) / a times [1 - less_by (1 - a)] as large
  /// for the accommodation a (Sharipov 2004).
  static constexpr double less_by = 0.1211 / 1.0162;
  /// For flow rates through a plane channel; README.md says how it was chosen.
  double second_order = 0.6;
};

/// The fluid in lattice units: node spacing, time step and reference density are one.
struct Fluid {
  double relaxation_time = 1;            ///< in steps
  double kinematic_viscosity = 1.0 / 6;  ///< (relaxation_time - 1/2) / 3
  double length = 1;                     ///< characteristic length
  bool gives_length = false;             ///< whether the case gives it, else the extent along y
  bool gives_knudsen = false;            ///< whether the viscosity is given by the Knudsen number
  double velocity = 1;                   ///< characteristic velocity; 1 if the case gives none
  bool has_velocity = false;             ///< whether the case gives or implies `velocity`
  double velocity_unit = 1;              ///< of the case; `velocity` where that is not in SI units
  double force_unit = 1;                 ///< of body forces in the case
  bool rounds_to_float = true;           ///< whether arithmetic is in single precision
  std::optional<SiScales> si;            ///< of a case in SI units
  std::optional<SlipCoefficients> slip;  ///< if the case gives them

  double relaxation_rate() const { return 1 / relaxation_time; }
  /// Relaxation rate of the antisymmetric populations in trt for the parameter
  /// magic = (1 / relaxation_rate - 1/2) (1 / antisymmetric_rate - 1/2).
  double antisymmetric_rate(double magic) const {
    return 1 / (magic / (relaxation_time - 0.5) + 0.5);
  }
  /// Viscosity over pressure x sqrt(pi R T / 2), as in the methods for gases: with it the Knudsen
  /// number is sqrt(pi) / (2 delta).
  double mean_free_path() const {
    return kinematic_viscosity * std::sqrt(std::numbers::pi / 2) / sound_speed;
  }
  double knudsen() const { return mean_free_path() / length; }
};
/// Reads the required object `fluid`. Completes the grid of a case in SI units. Throws InputError.
Fluid read_fluid(CaseNode& root, Grid& grid, bool single_precision,
                 std::vector<std::string>& warnings);

/// What the velocities of a case are in, for descriptions of keys.
inline const std::string velocity_unit_text =
    "in characteristic velocities, or in m/s in a case in SI units";
/// Reads `body_force` of the object `collision`, or `acceleration` in SI units, in lattice units.
std::vector<double> read_body_force(CaseNode& collision, const Fluid& fluid,
                                    std::size_t dimensions);
/// A volume flow rate that a case gives, in its unit of velocity times the length unit to the power
/// of `dimensions` - 1, and by which key.
struct FlowRate {
  double value = 0;
  std::string key;
};
/// Reads `flow_rate`, or `mass_flow` in SI units. `text` says what flows where.
std::optional<FlowRate> read_flow_rate(CaseNode& node, const Fluid& fluid, std::size_t dimensions,
                                       const std::string& text);
/// Reads `density` of a pressure side, or `pressure` in SI units, in reference densities.
double read_side_density(CaseNode& side, const Fluid& fluid, std::vector<std::string>& warnings);
/// Reads `amplitude` of an initial state, in lattice units.
double read_amplitude(CaseNode& initial, const Fluid& fluid, const std::string& documentation);

/// Reads the key `operator` of the object `collision`: an operator that suits one of the lattices
/// with these numbers of populations.
std::string read_operator(CaseNode& collision, const std::string& fallback,
                          const std::vector<int>& lattices);
/// Reads the key `magic`. Throws InputError if the case gives it for an operator without it.
double read_magic(CaseNode& collision, const std::string& collision_operator);
/// Reads the constant of an eddy viscosity that the operators with a trait have, described by
/// `text`, with a usual value; 0: no eddy viscosity. Throws InputError if the operator has none.
double read_eddy_constant(CaseNode& collision, const std::string& collision_operator,
                          const std::string& key, bool OperatorTraits::*has_it,
                          const std::string& text, const std::string& usual);
/// Throws InputError if the operator does not suit the lattice or the viscosity, or cannot be
/// stable for a fluid in SI units.
void check_operator(CaseNode& collision, const std::string& collision_operator, int populations,
                    const Fluid& fluid, std::vector<std::string>& warnings);

/// What a collision operator needs of a case. `force` is the body force in lattice units, 0 along
/// the third axis if it has two components.
CollisionParameters<double> collision_parameters(const Fluid& fluid,
                                                 const std::string& collision_operator,
                                                 double magic, std::span<const double> force,
                                                 double smagorinsky_constant = 0);

/// The problem that `make` makes after a case has been read; null while describing. Adds the name
/// of the case to errors.
template <class Make>
std::unique_ptr<Problem> make_if_read(CaseNode& root, const Make& make) {
  if (root.describing()) return nullptr;
  try {
    return make();
  } catch (const InputError& error) {
    root.fail_hard("", error.what());
  }
}

/// "speed 0.2 is Mach number 0.3464".
std::string speed_text(double speed);
/// Whether the Mach number of a speed in lattice units is too high, and what it must be.
bool is_too_fast(double speed);
inline const std::string mach_rule =
    ", must be at most 0.3 (the lattice's speed of sound is 0.5774)";
/// Warns at the end of a run of a largest speed with a Mach number that no given speed may have:
/// forces and pressures made the fluid faster than a case's speeds.
void check_highest_speed(double speed, const Fluid& fluid, std::vector<std::string>& warnings);

/// Faults of a density and a velocity of step 0 that are given, in lattice units and with this
/// number of components: the rules of an initial state that a case describes. Values in solids of
/// the problem do not matter.
std::vector<GivenFault> faults_of_given(const GivenFields& given, std::size_t components,
                                        const Fluid& fluid, const Problem& problem);

/// Checks the Mach number of the highest speed that a case prescribes.
class MachCheck {
 public:
  /// Registers a speed in lattice units, prescribed by the key or object `where`.
  void consider(double speed, const std::string& where);
  /// Throws InputError if the Mach number is too high; adds a warning if it is high.
  void check(CaseNode& root, const Fluid& fluid, std::vector<std::string>& warnings) const;

 private:
  double speed_ = 0;
  std::string where_;
};

/// What drag and lift coefficients refer to, with its unit: the length, in three dimensions its
/// square.
ResolvedValue coefficient_reference(const Fluid& fluid, int dimensions);
/// The same in words, with the formula.
std::string coefficient_text(const Fluid& fluid, int dimensions);

/// Adds characteristic scales, dimensionless numbers, viscosity and relaxation of a fluid.
void describe_fluid(const Fluid& fluid, std::vector<ResolvedValue>& resolved);
/// The same in a line for the heading and the end of a run; empty for a case in lattice units.
std::string scales_text(const Fluid& fluid);

/// What Method::find_divergence says of a node with a flow that is not valid (is_valid_flow), in
/// lattice units. A density of NaN: a population is not finite.
Divergence divergence_at(const std::array<std::int64_t, 3>& node, double density, double speed,
                         const Fluid& fluid);

/// The text of a resolved value, "%.7g".
std::string value_text(double value);

}  // namespace knudsen::lbm
