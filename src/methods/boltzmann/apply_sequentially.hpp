#pragma once

#include "methods/boltzmann/collision_rate.hpp"
#include "methods/boltzmann/collision_scratch.hpp"

namespace knudsen::boltzmann {

/// Sequential update (Algorithm 3): each collision sees the changes made by those before it.
template <class ExecutionSpace, class Real, int Lanes>
struct ApplySequentially {
  using Values = Pack<Real, Lanes>;

  const State<ExecutionSpace, Real>& state;
  const CollisionSets<ExecutionSpace, Real>& sets;
  int set;
  const Collision& collision;

  /// Lines 7 to 21 of Algorithm 3, with one thread per cell on a GPU. Adds the losses of the
  /// invariants to `partial`.
  template <class Team, class Sums>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, Values* h, Sums& partial) const {
    constexpr int lanes = is_host_backend<ExecutionSpace> ? Lanes : 1;  // cells per thread
    team_each(team, Lanes / lanes, [&](int thread) {
      LaneSums<Real, lanes, invariants> loss;
      for (int m = 0; m < sets.samples; ++m) {
        const Real weight = sets.weights(set, m);
        if (weight == 0) continue;
        std::uint16_t read[4];
        Velocity at[4];
        for (int q = 0; q < 4; ++q) {
          read[q] = sets.positions(set, 4 * m + q);
          at[q] = velocity(sets.indices(sets.targets(set, 4 * m + q)));
        }
        const Real inverse[4] = {at[0].inverse_weight, at[1].inverse_weight, at[2].inverse_weight,
                                 at[3].inverse_weight};
        for (int n = 0; n < lanes; ++n) {
          const int l = thread + n;
          const Real before[2] = {h[read[0]].lane[l], h[read[1]].lane[l]};
          Real rate = collision.estimator == Estimator::one_way
                          ? collision_rate(collision, weight, before[0], before[1])
                          : collision_rate(collision, weight, before[0], before[1],
                                           h[read[2]].lane[l], h[read[3]].lane[l]);
          if (collision.limited) {
            rate = limited_rate(collision, rate, before[0], before[1], h[read[2]].lane[l],
                                h[read[3]].lane[l], inverse);
          }
          for (int q = 0; q < 4; ++q) {
            const Real change = q < 2 ? -rate : rate;
            h[at[q].position].lane[l] += at[q].inverse_weight * change;
            add_loss(at[q].node, change, n, loss);
          }
        }
      }
      // Constant indices keep the sums in registers, so a thread adds zero for the other cells.
      KNUDSEN_UNROLL
      for (int l = 0; l < Lanes; ++l) {
        KNUDSEN_UNROLL
        for (int a = 0; a < invariants; ++a) {
          const Real lost = loss.value[a].lane[lanes == 1 ? 0 : l];
          partial.value[a].lane[l] += lanes > 1 || l == thread ? lost : Real(0);
        }
      }
    });
  }

 private:
  struct Velocity {
    int position;         ///< scratch position
    Real node[3];         ///< components
    Real inverse_weight;  ///< inverse of the quadrature weight with Phi_0
  };

  KOKKOS_INLINE_FUNCTION Velocity velocity(std::uint32_t packed) const {
    const auto& v = state.velocities;
    const int i = index_along(packed, 0);
    const int j = index_along(packed, 1);
    const int k = index_along(packed, 2);
    return {
        place_in_scratch(v, i * v.count[1] + j, k),
        {v.nodes[0](i), v.nodes[1](j), v.nodes[2](k)},
        state.inverse_weights[0](i) * state.inverse_weights[1](j) * state.inverse_weights[2](k)};
  }
};

}  // namespace knudsen::boltzmann
