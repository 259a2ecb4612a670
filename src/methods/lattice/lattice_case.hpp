#pragma once

// Blocks of a case that all lattice Boltzmann methods share.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "model/problem.hpp"

namespace knudsen::lbm {

inline const double sound_speed = 1 / std::sqrt(3.0);
/// Body forces, in lattice units. A larger one takes a node from rest beyond the speed of sound in
/// one step.
inline const Range force_range = Range::between(-1, 1);
/// Densities of open sides, in units of the reference density. The flow is nearly incompressible.
inline const Range density_range = Range::between(0.01, 100);

struct Grid {
  std::vector<int> nodes;  ///< along each axis
  double unit = 1;         ///< node spacings in one length unit of the case
};
/// Reads `nodes`, or `size` and `resolution`, of the object `domain`, for a grid of 2 or 3
/// `dimensions`. Throws InputError, also if the grid has more than `max_nodes` nodes.
Grid read_grid(CaseNode& domain, std::size_t dimensions, double max_nodes);

/// The fluid in lattice units: node spacing, time step and reference density are one.
struct Fluid {
  double relaxation_time = 1;            ///< in steps
  double kinematic_viscosity = 1.0 / 6;  ///< (relaxation_time - 1/2) / 3
  double length = 1;                     ///< characteristic length
  double velocity = 1;                   ///< characteristic velocity; 1 if the case gives none
  bool has_velocity = false;             ///< whether the case gives or implies `velocity`

  double relaxation_rate() const { return 1 / relaxation_time; }
  /// Relaxation rate of the antisymmetric populations in trt for the parameter
  /// magic = (1 / relaxation_rate - 1/2) (1 / antisymmetric_rate - 1/2).
  double antisymmetric_rate(double magic) const {
    return 1 / (magic / (relaxation_time - 0.5) + 0.5);
  }
};
/// Reads the required object `fluid`. `length` is the default characteristic length in node
/// spacings, `unit` the node spacings in a length unit of the case. Throws InputError.
Fluid read_fluid(CaseNode& root, double length, double unit, bool single_precision,
                 std::vector<std::string>& warnings);

/// Reads the key `operator` of the object `collision`: an operator that suits one of the lattices
/// with these numbers of populations.
std::string read_operator(CaseNode& collision, const std::string& fallback,
                          const std::vector<int>& lattices);
/// Reads the key `magic`. Throws InputError if the case gives it for an operator without it.
double read_magic(CaseNode& collision, const std::string& collision_operator);
/// Reads the key `smagorinsky`; 0: no eddy viscosity. Throws InputError if the operator has none.
double read_smagorinsky_constant(CaseNode& collision, const std::string& collision_operator);
/// Throws InputError if the operator does not suit the lattice or the viscosity.
void check_operator(CaseNode& collision, const std::string& collision_operator, int populations,
                    const Fluid& fluid);

/// "speed 0.2 is Mach number 0.3464".
std::string speed_text(double speed);
/// Whether the Mach number of a speed in lattice units is too high, and what it must be.
bool is_too_fast(double speed);
inline const std::string mach_rule =
    ", must be at most 0.3 (the lattice's speed of sound is 0.5774)";

/// Checks the Mach number of the highest speed that a case prescribes.
class MachCheck {
 public:
  /// Registers a speed in lattice units, prescribed by the key or object `where`.
  void consider(double speed, const std::string& where);
  /// Throws InputError if the Mach number is too high; adds a warning if it is high.
  void check(CaseNode& root, std::vector<std::string>& warnings) const;

 private:
  double speed_ = 0;
  std::string where_ = "fluid.velocity";
};

/// Adds characteristic scales, dimensionless numbers, viscosity and relaxation of a fluid.
void describe_fluid(const Fluid& fluid, std::vector<ResolvedValue>& resolved);

/// What Method::find_divergence says of a node with a flow that is not valid (is_valid_flow), in
/// lattice units. A density of NaN: a population is not finite.
Divergence divergence_at(const std::array<std::int64_t, 3>& node, double density, double speed);

/// The text of a resolved value, "%.7g".
std::string value_text(double value);

}  // namespace knudsen::lbm
