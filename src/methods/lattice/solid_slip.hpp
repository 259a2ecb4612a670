#pragma once

// Slip of a gas along solids with interpolated walls. The derivation is in NOTES.md of lbm_d2q9.

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "methods/lattice/lattice_case.hpp"
#include "methods/lattice/slip_class.hpp"

namespace knudsen::lbm {

template <int Dimensions>
using Direction = std::array<double, static_cast<std::size_t>(Dimensions)>;

/// The part of a surface that is nearest to a node.
template <int Dimensions>
struct SlipWall {
  Direction<Dimensions> normal{};  ///< of length one, towards the node
  double distance = 0;             ///< from the node
  /// How the normal turns along the surface: the turn along axis a of a point that moves along axis
  /// b. Positive if the normal points away from the centre of curvature.
  std::array<Direction<Dimensions>, static_cast<std::size_t>(Dimensions)> curvature{};
};

/// A link of a node that a wall of a solid cuts.
template <int Dimensions>
struct SlipLink {
  int q = 0;            ///< incoming population
  double distance = 0;  ///< to the wall, as a fraction of the link
  int solid = 0;
  Direction<Dimensions> normal{};  ///< of the wall where the link crosses it, towards the node
};

/// The walls that the links of a node cross.
template <int Dimensions>
struct WallsAtNode {
  std::vector<SlipLink<Dimensions>> links;  ///< to solids with surfaces
  /// Normals of other walls: sides of the domain, and solids without surfaces.
  std::vector<Direction<Dimensions>> others;
  bool corner = false;  ///< a link crosses a side of the domain, or an edge of a solid
};

/// What the walls at a node do.
template <int Dimensions>
struct SlipAtNode {
  std::optional<SlipClass<double, Dimensions>> added;  ///< nothing without slip
  bool in_gap = false;  ///< one node wide, between walls of which one should have slip
  bool exact = false;   ///< with the second coefficient; not along curved and oblique walls
};

/// The slip of a gas along the solids of a case.
struct SolidSlip {
  std::vector<std::optional<double>> accommodation;  ///< by solid; nothing: no slip
  SlipCoefficients coefficients;
  double mean_free_path = 0;   ///< in node spacings
  double relaxation_time = 1;  ///< of the symmetric populations
  double magic = 0.1875;       ///< (relaxation_time - 1/2) (that of the antisymmetric ones - 1/2)

  bool any() const;
  bool slips(int solid) const { return accommodation[static_cast<std::size_t>(solid)].has_value(); }
  /// What the walls at a node do. There is no slip in corners between walls, beside walls without
  /// slip, and where a side of the domain is as near. `nearest` is the wall near a link.
  template <class Velocities>
  SlipAtNode<Velocities::dimensions> at_node(
      const WallsAtNode<Velocities::dimensions>& walls,
      const std::function<SlipWall<Velocities::dimensions>(
          const SlipLink<Velocities::dimensions>& link)>& nearest) const;
};

}  // namespace knudsen::lbm
