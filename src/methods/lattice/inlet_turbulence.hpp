#pragma once

// The block "turbulence" of a velocity side: fluctuations with given Reynolds stresses and a given
// length scale, made of random eddies. README.md says by which formulas.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "methods/lattice/cross_section.hpp"
#include "methods/lattice/eddy_field.hpp"
#include "model/place_functions.hpp"

namespace knudsen::lbm {

/// Where a side is, and its nodes.
struct SideFrame {
  CrossSection section;
  int dimensions = 3;                 ///< of the domain
  std::array<std::size_t, 2> axes{};  ///< the side's lower and higher axis
  std::size_t normal = 0;             ///< axis normal to the side
  double inward = 1;                  ///< sign of the inward normal along it
  double at_normal = 0;               ///< place on it in node spacings
  double unit = 1;                    ///< node spacings in a length unit of the case
  double velocity_unit = 1;           ///< the case's unit of velocity

  /// Place of a node of the side in the case's length unit.
  PlacePoint place(int a, int b) const;
  /// Throws InputError if a table is much wider than the side.
  void check_table(const PlaceFunctions& functions) const;
};

/// The fluctuations of a side, in lattice units.
struct InletTurbulence {
  /// What the case says.
  struct Keys {
    std::optional<double> intensity;         ///< rms of each component over the local mean speed
    std::optional<std::vector<double>> rms;  ///< of each component
    PlaceFunctions stresses;                 ///< if neither is given
    double length_scale = 1;                 ///< longitudinal integral length scale
    std::int64_t seed = 1;
    std::string where;         ///< begin of a message about the block
    std::string length_where;  ///< begin of a message about the length scale
    std::string stress_where;  ///< begin of a message about the Reynolds stresses
  };

  Fluctuations fluctuations;
  std::vector<EddyNode> nodes;  ///< in the order of CrossSection
  double largest_rms = 0;       ///< of all components and nodes

  /// `mean`: velocity along x, y and z at the nodes, and a value that is ignored. Throws
  /// InputError.
  static InletTurbulence make(const Keys& keys, const SideFrame& side,
                              const std::vector<std::array<double, 4>>& mean);
};

/// Radius of an eddy in longitudinal integral length scales.
double eddy_radius(int dimensions);

/// Reads the block `turbulence` of a velocity side; nothing if the case has none.
std::optional<InletTurbulence::Keys> read_turbulence(CaseNode& side, std::size_t dimensions);

}  // namespace knudsen::lbm
