#pragma once

// The fluctuations of a turbulent inlet: a pure function of place, time and seed (README.md,
// "Turbulence that comes in").

#include <cstdint>

#include "device/function.hpp"
#include "device/mixed_bits.hpp"

namespace knudsen::lbm {

/// Eddies that are carried through a side. The pattern is frozen and never repeats. Its place is
/// cut into cells at least as wide as an eddy's radius, with one eddy in each, so that only the
/// eddies of a node's cell and of the cells around it reach the node. Where in its cell an eddy is,
/// and how it turns, follows from the number of the cell by a hash.
struct EddyField {
  std::uint64_t seed = 0;       ///< of this side
  double cell[3] = {1, 1, 1};   ///< extents along the side's two axes and its normal, in radii
  double cells_a_node[2] = {};  ///< cells in a node spacing, along the side's axes
  double cells_a_step = 0;      ///< cells that pass in a step
  std::int64_t repeat[2] = {};  ///< cells after which a periodic axis repeats; 0: not periodic
  bool plane = false;           ///< two dimensions: no second axis, and eddies turn about it
  double amplitude = 0;         ///< for a variance of 1 of each component

  /// Velocity along the inward normal and the side's axes, `a` and `b` node spacings along these.
  KNUDSEN_INLINE_FUNCTION void velocity(double a, double b, std::int64_t step,
                                        double (&found)[3]) const {
    const double at[3] = {a * cells_a_node[0], b * cells_a_node[1],
                          static_cast<double>(step) * cells_a_step};
    std::int64_t first[3];  // cell, the one before that of the place
    double in_first[3];     // place in cells from the begin of that one
    for (int d = 0; d < 3; ++d) {
      first[d] = static_cast<std::int64_t>(at[d]) - 1;
      in_first[d] = at[d] - static_cast<double>(first[d]);
    }
    std::uint64_t names[2][3];
    for (int d = 0; d < 2; ++d) {
      for (int i = 0; i < 3; ++i) names[d][i] = name(first[d] + i, repeat[d]);
    }
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t of_layer = mixed_bits(seed + static_cast<std::uint64_t>(first[2] + k));
      for (int j = plane ? 1 : 0; j < (plane ? 2 : 3); ++j) {
        for (int i = 0; i < 3; ++i) {
          const std::uint64_t bits = mixed_bits(of_layer + (names[1][j] << 32) + names[0][i]);
          const double x = (k + in_cell(bits) - in_first[2]) * cell[2];  // along the normal
          const double y = (in_first[0] - i - in_cell(bits >> 20)) * cell[0];
          const double z = plane ? 0 : (in_first[1] - j - in_cell(bits >> 40)) * cell[1];
          const double inside = 1 - (x * x + y * y + z * z);
          const double weight = inside > 0 ? inside : 0;
          // weight (turn x r)
          const double turn_x = plane ? 0 : sign(bits >> 60);
          const double turn_y = plane ? 0 : sign(bits >> 61);
          const double turn_z = sign(bits >> 62);
          sum[0] += weight * (turn_y * z - turn_z * y);
          sum[1] += weight * (turn_z * x - turn_x * z);
          sum[2] += weight * (turn_x * y - turn_y * x);
        }
      }
    }
    for (int d = 0; d < 3; ++d) found[d] = amplitude * sum[d];
  }

 private:
  /// Number of a cell, at most one beyond the side's ends; the same for all images of a cell.
  KNUDSEN_INLINE_FUNCTION static std::uint64_t name(std::int64_t index, std::int64_t repeat) {
    if (index < 0) index += repeat;
    if (repeat > 0 && index >= repeat) index -= repeat;
    return static_cast<std::uint64_t>(index + 2);
  }
  /// Place of an eddy in its cell, of 20 bits.
  KNUDSEN_INLINE_FUNCTION static double in_cell(std::uint64_t bits) {
    return (static_cast<std::int32_t>(bits & 0xfffffU) + 0.5) * (1.0 / 1048576.0);
  }
  KNUDSEN_INLINE_FUNCTION static double sign(std::uint64_t bits) {
    return 2 * static_cast<std::int32_t>(bits & 1U) - 1;
  }
};

/// A node of a turbulent side.
struct EddyNode {
  /// Lower triangle of the matrix that makes velocities along x, y and z with the Reynolds stresses
  /// of the node from those of variance 1: xx, yx, yy, zx, zy, zz.
  double factor[6] = {0, 0, 0, 0, 0, 0};
  /// Share in what makes up for the net flow of the fluctuations through the side.
  double share = 0;
};

/// Fluctuation at a node of a side along x, y and z, its net flow not yet taken out.
struct Fluctuations {
  EddyField eddies;
  int normal = 0;          ///< axis
  int axes[2] = {1, 2};    ///< of the side, ascending
  double inward = 1;       ///< sign of the inward normal
  std::int32_t nodes = 1;  ///< along the first axis

  KNUDSEN_INLINE_FUNCTION void at(std::int32_t n, const EddyNode& node, std::int64_t step,
                                  double (&found)[3]) const {
    const std::int32_t a = n % nodes;
    const std::int32_t b = n / nodes;
    double local[3];
    eddies.velocity(a + 0.5, b + 0.5, step, local);
    double v[3] = {0, 0, 0};
    v[normal] = inward * local[0];
    v[axes[0]] = local[1];
    v[axes[1]] = local[2];
    const double(&f)[6] = node.factor;
    found[0] = f[0] * v[0];
    found[1] = f[1] * v[0] + f[2] * v[1];
    found[2] = f[3] * v[0] + f[4] * v[1] + f[5] * v[2];
  }
};

}  // namespace knudsen::lbm
