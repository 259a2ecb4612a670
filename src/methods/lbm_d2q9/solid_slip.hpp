#pragma once

// Slip of a gas along solids with interpolated walls. The derivation is in NOTES.md.

#include <functional>
#include <optional>
#include <vector>

#include "geometry/solids_2d.hpp"
#include "methods/lattice/lattice_case.hpp"
#include "methods/lbm_d2q9/lattice_state.hpp"

namespace knudsen::lbm_d2q9 {

/// A link of a node that a wall with slip cuts.
struct SlipLink {
  int q = 0;            ///< incoming population
  double distance = 0;  ///< to the wall, as a fraction of the link
  Point2D normal{};     ///< of the wall where the link crosses it, towards the node
};

/// The slip of a gas along the solids of a case.
struct SolidSlip {
  std::vector<std::optional<double>> accommodation;  ///< by solid; nothing: no slip
  lbm::SlipCoefficients coefficients;
  double mean_free_path = 0;   ///< in node spacings
  double relaxation_time = 1;  ///< of the symmetric populations
  double magic = 0.1875;       ///< (relaxation_time - 1/2) (that of the antisymmetric ones - 1/2)
  /// Solids2D::wall_surface and wall_frame, along c_q.
  std::function<std::optional<SurfaceElement>(int x, int y, int q, int body)> surface;
  std::function<WallFrame(int x, int y, int q, int body)> frame;

  /// What walls add at a node with these cut links; `wall` is the one that is nearest.
  SlipClass<double> slip_class(const std::vector<SlipLink>& links, const WallFrame& wall,
                               double of_wall) const;
};

}  // namespace knudsen::lbm_d2q9
