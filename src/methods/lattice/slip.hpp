#pragma once

// Slip at walls: what a case says of it, and what a lattice needs. The derivation is in README.md.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "methods/lattice/lattice_case.hpp"

namespace knudsen::lbm {

/// Reads `slip` of the object `fluid`.
std::optional<SlipCoefficients> read_slip(CaseNode& fluid);

/// Reads `accommodation` of a solid or a wall side; nothing: no slip. `rule` is what the text of
/// the key says besides. Throws InputError if the collision does not suit slip.
std::optional<double> read_accommodation_of(CaseNode& wall, const Fluid& fluid,
                                            const std::string& collision_operator,
                                            bool has_eddy_viscosity = false,
                                            const std::string& rule = "");

// Texts of `accommodation` of a solid.
inline constexpr const char* accommodation_of_solid =
    " Of solids with \"interpolated\" walls; walls that are curved or oblique to the axes and "
    "diagonals need the `fluid.slip.second_order` 0.";
inline constexpr const char* accommodation_needs_walls =
    "of a solid is for \"interpolated\" walls alone (geometry.walls)";
std::string accommodation_needs_shape(const std::string& solid);

/// The same, of a wall side: returns its mirrored_share, 0 without slip.
double read_accommodation(CaseNode& wall, const Fluid& fluid, const std::string& collision_operator,
                          bool has_eddy_viscosity = false);

/// The first slip coefficient of a wall, times the accommodation, so that this may be 0.
double first_coefficient(const SlipCoefficients& slip, double accommodation);

/// Share of the populations that a wall mirrors, while the rest bounces back, for the first slip
/// coefficient of this accommodation. It depends on nothing else; 1 for an accommodation of 0.
double mirrored_share(const SlipCoefficients& slip, double accommodation);

/// The magic parameter that gives the second slip coefficient at half-way walls.
double magic_with_slip(const Fluid& fluid);
/// Whether some wall of a case has slip.
template <class Sides>
bool any_slip(const Sides& sides) {
  return std::any_of(sides.begin(), sides.end(),
                     [](const auto& side) { return side.mirrored > 0; });
}
/// Sets that parameter in a case with slip at some wall. Throws InputError if the case gives one
/// too (`has_magic`), or slip coefficients without walls that have slip.
inline void set_magic(CaseNode& root, const Fluid& fluid, bool slips, bool has_magic,
                      double& magic) {
  if (!slips) {
    if (fluid.slip) root.fail_hard("fluid.slip", "needs a wall with \"accommodation\"");
    return;
  }
  if (has_magic) {
    root.fail_hard("collision.magic",
                   "follows from \"fluid.slip.second_order\" in a case with slip; leave it out");
  }
  magic = magic_with_slip(fluid);
}

/// The mirrored shares of the walls at a node, by side, 0 where there is none. They are reduced so
/// that a population in the edge between walls, which several of them mirror, is mirrored at most
/// once in all.
template <std::size_t Sides>
std::array<double, Sides> shares_at_node(std::array<double, Sides> of_sides) {
  double all = 0;
  for (std::size_t side = 0; side < Sides; side += 2) {
    all += std::max(of_sides[side], of_sides[side + 1]);
  }
  for (double& share : of_sides) share /= std::max(all, 1.0);
  return of_sides;
}

/// Adds the mean free path and the slip coefficients.
void describe_slip(const Fluid& fluid, std::vector<ResolvedValue>& resolved);

}  // namespace knudsen::lbm
