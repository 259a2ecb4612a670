#pragma once

// Blocks of a case that mean the same for all lattice Boltzmann methods.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "model/problem.hpp"

namespace knudsen::lbm {

inline const double sound_speed = 1 / std::sqrt(3.0);

/// Nodes along each axis, and node spacings in one length unit of the case.
struct Grid {
  std::vector<int> nodes;
  double unit = 1;
};
/// Reads `nodes`, or `size` and `resolution`, of the domain's object, for a grid of so many
/// dimensions (2 or 3) with at most `most_nodes` nodes.
Grid read_grid(CaseNode& domain, std::size_t dimensions, double most_nodes);

/// The fluid in lattice units: spacing, time step and reference density are one.
struct Fluid {
  double relaxation_time = 1;
  double kinematic_viscosity = 1.0 / 6;
  double length = 1;    ///< characteristic length, node spacings
  double velocity = 1;  ///< characteristic velocity; 1 when the case names none
  bool has_velocity = false;

  double omega() const { return 1 / relaxation_time; }
  /// Rate of the antisymmetric populations: (1 / omega - 1/2) (1 / omega_minus - 1/2) = magic.
  double omega_minus(double magic) const { return 1 / (magic / (relaxation_time - 0.5) + 0.5); }
};
/// Reads the required object `fluid`. `length` is the characteristic length where the case names
/// none, `unit` the node spacings in a length unit of the case.
Fluid read_fluid(CaseNode& root, double length, double unit, bool single_precision,
                 std::vector<std::string>& warnings);

/// Collects the speeds that a case prescribes, and refuses Mach numbers that make no sense.
class MachCheck {
 public:
  void consider(double speed, const std::string& where);
  /// Throws InputError, or adds a warning.
  void check(CaseNode& root, std::vector<std::string>& warnings) const;

 private:
  double speed_ = 0;
  std::string where_ = "fluid.velocity";
};

/// Lists what `knudsen validate` says of a fluid: numbers of the flow, viscosity, relaxation.
void describe_fluid(const Fluid& fluid, std::vector<ResolvedValue>& resolved);
/// Lists the memory of the lattice and at the peak, in bytes.
void describe_memory(double lattice, double peak, std::vector<ResolvedValue>& resolved);

/// What Method::find_divergence says of a node with a flow that is not valid (is_valid_flow), in
/// lattice units. A density of NaN: a population is not finite.
Divergence divergence_at(const std::array<std::int64_t, 3>& node, double density, double speed);

/// "%.7g" for a resolved value.
std::string value_text(double value);

}  // namespace knudsen::lbm
