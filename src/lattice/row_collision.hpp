#pragma once

#include <cstdint>
#include <string_view>

#include "lattice/scalar.hpp"

namespace knudsen {

/// The collision of the host: an operator and its options, chosen at run time, for rows of nodes.
/// Kernels call it through a pointer, so they are compiled once for all operators.
template <class Real, class Parameters = CollisionParameters<Real>>
struct RowCollision {
  /// Which one the function is for is known at run time; it may take eddy times.
  static constexpr EddyViscosity eddy_viscosity = EddyViscosity::given;

  /// What function takes, as described below.
  struct Rows {
    const Real* const* from;
    Real* const* to;
    const std::uint16_t* const* halves_from;  ///< in place of from and to, if not null
    std::uint16_t* const* halves_to;
    int nodes;
    const Real* eddy_times;
    bool past_caches;
  };
  void (*function)(const Rows& rows, const Parameters& parameters);

  /// Collides `nodes` nodes. The shifted populations g_q = f_q - w_q of node i are read from
  /// from[q][i], and those after the collision go to to[q][i]. No node may write what another node
  /// reads. `eddy_times`: of the nodes, null to take that of the parameters. With `past_caches`
  /// whole cache lines are stored past the caches (finish_stores_past_caches() is left to the
  /// caller), and all to[q] must be cut into lines at the same nodes.
  KNUDSEN_INLINE_FUNCTION void rows(const Real* const* from, Real* const* to, int nodes,
                                    const Parameters& parameters, const Real* eddy_times = nullptr,
                                    bool past_caches = false) const {
    function({from, to, nullptr, nullptr, nodes, eddy_times, past_caches}, parameters);
  }
  /// The same in single precision, with populations kept as halves (half_scale.hpp), given by their
  /// bits.
  KNUDSEN_INLINE_FUNCTION void rows(const std::uint16_t* const* from, std::uint16_t* const* to,
                                    int nodes, const Parameters& parameters,
                                    const Real* eddy_times = nullptr) const {
    function({nullptr, nullptr, from, to, nodes, eddy_times, false}, parameters);
  }

  /// Collides the populations of one node, in place.
  template <class Velocities>
  KNUDSEN_INLINE_FUNCTION void collide(Real (&g)[Velocities::populations],
                                       const Parameters& parameters) const {
    Real* places[Velocities::populations];
    for (int q = 0; q < Velocities::populations; ++q) places[q] = g + q;
    rows(places, places, 1, parameters);
  }
};

/// The collision on the lattice `Velocities` (D2Q9, HeatedD2Q9, D3Q19, D3Q27, HeatedD3Q27, in
/// single precision HeatedD3Q27InParts) by the operator of this name. Without a force and buoyancy
/// Forcing::none is faster. Throws logic_error if the lattice has no such operator, forcing or eddy
/// viscosity.
template <class Velocities, class Real>
RowCollision<Real, ParametersOf<Velocities, Real>> row_collision(
    std::string_view collision_operator, Forcing forcing, EddyViscosity eddy_viscosity);

}  // namespace knudsen
