#pragma once

#include "device/block_sum.hpp"
#include "methods/boltzmann/conservation.hpp"
#include "methods/boltzmann/load_cells.hpp"
#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {

/// Computes the correction of eqs. (25) and (26), weighted with the distribution of each cell
/// (`Weighted`) or else with the equilibrium, and stores the corrected cells.
template <class ExecutionSpace, class Real, int Lanes, bool Weighted>
struct CorrectCells {
  using Values = Pack<Real, Lanes>;
  using Scratch = CollisionScratch<Real, Lanes>;
  /// Sums over the velocities: the loss of the five invariants in the collisions and, with
  /// `Weighted`, the moments of h in the matrix of eq. (26).
  static constexpr int sum_count = invariants + (Weighted ? product_moments : 0);
  using Sums = LaneSums<Real, Lanes, sum_count>;
  using Matrix = Real[invariants][invariants];
  static constexpr bool on_host = is_host_backend<ExecutionSpace>;
  static constexpr int width = values_per_access<Real>;

  const State<ExecutionSpace, Real>& state;
  const Collision& collision;
  const Matrix& inverse_matrix;  ///< of eq. (26) at equilibrium; unused with `Weighted`

  /// Adds the moments of h in the matrix of eq. (26) to `sums`.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void add_products(const Team& team, const Values* h, Sums& sums) const {
    const auto& v = state.velocities;
    team.team_barrier();
    team_each(team, v.rows() * v.count[2], [&](int number) {
      const int row = number / v.count[2];
      const int k = number - row * v.count[2];
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      const Real weight = v.weights[0](i) * v.weights[1](j) * v.weights[2](k);
      Real products[product_moments];
      evaluate_products(v.nodes[0](i), v.nodes[1](j), v.nodes[2](k), products);
      const Values value = h[place_in_scratch(v, row, k)];
      for (int n = 0; n < product_moments; ++n) {
        const Real factor = weight * products[n];
        for (int l = 0; l < Lanes; ++l) {
          sums.value[invariants + n].lane[l] += factor * value.lane[l];
        }
      }
    });
  }

  /// Lines 22 to 31: sums over the threads and solves for the correction.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void find(const Team& team, const Sums& partial,
                                   const Scratch& scratch) const {
    const Values* total = scratch.totals;
    Values* correction = scratch.correction;
    Real values[sum_count * Lanes];
    KNUDSEN_UNROLL
    for (int n = 0; n < sum_count; ++n) {
      KNUDSEN_UNROLL
      for (int l = 0; l < Lanes; ++l) values[n * Lanes + l] = partial.value[n].lane[l];
    }
    sum_over_block(team, values, scratch.sums, scratch.totals->lane);
    if constexpr (Weighted) {
      team_each(team, Lanes, [&](int l) {
        Real rest[invariants];
        Real products[product_moments];
        for (int a = 0; a < invariants; ++a) rest[a] = total[a].lane[l];
        for (int n = 0; n < product_moments; ++n) {
          products[n] =
              state.equilibrium_moments[n] +
              static_cast<Real>(collision.perturbation_parameter) * total[invariants + n].lane[l];
        }
        solve_correction(products, rest);
        for (int a = 0; a < invariants; ++a) correction[a].lane[l] = rest[a];
      });
    } else {
      team_each(team, invariants * Lanes, [&](int work) {
        const int a = work / Lanes;
        const int l = work - a * Lanes;
        Real sum = 0;
        for (int b = 0; b < invariants; ++b) sum += inverse_matrix[a][b] * total[b].lane[l];
        correction[a].lane[l] = sum;
      });
    }
    team.team_barrier();
  }

  /// Lines 32 to 39 and the body force. With `has_next` loads the cells `next` into the scratch
  /// memory of those it stores.
  template <class Team, class Loading>
  KOKKOS_INLINE_FUNCTION void write(const Team& team, const Loading& loading,
                                    const Scratch& scratch, const CellGroup& cells, bool has_next,
                                    const CellGroup& next) const {
    const auto& v = state.velocities;
    Real* to = state.values(Loading::streamed ? state.next : state.h, cells.first);
    const Real e = static_cast<Real>(collision.perturbation_parameter);
    const Real force[3] = {static_cast<Real>(collision.body_force[0]),
                           static_cast<Real>(collision.body_force[1]),
                           static_cast<Real>(collision.body_force[2])};
    team_each(team, v.size() / width, [&](int chunk) {
      const ChunkPlace place = loading.place_of(chunk);
      [[maybe_unused]] typename Loading::Loaded loaded;
      if constexpr (!on_host) {
        if (has_next) loading.load(scratch, next, place, loaded);
      }
      const Real x = scratch.nodes[0][place.i];
      const Real y = scratch.nodes[1][place.j];
      const auto along_z = *reinterpret_cast<const Access<Real>*>(scratch.nodes[2] + place.first);
      const Real across = x * x + y * y;
      const Real push = force[0] * x + force[1] * y;
      // Loaded anew for each chunk: kept in registers it would spill.
      const Values* c = scratch.correction;
      Values plane;
      Values linear = c[3];
      const Values square = c[4];
      {
        const Values c0 = c[0];
        const Values c1 = c[1];
        const Values c2 = c[2];
        KNUDSEN_SIMD
        for (int l = 0; l < Lanes; ++l) {
          plane.lane[l] = c0.lane[l] + x * c1.lane[l] + y * c2.lane[l] + across * square.lane[l];
          if constexpr (!Weighted) {
            plane.lane[l] += push;
            linear.lane[l] += force[2];
          }
        }
      }
      Access<Real> result[Lanes];
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        const Real z = along_z.value[k];
        const bool padding = place.first + k >= v.count[2];
        const Values value =
            scratch.h[place_in_scratch(v, place.row, place.first + (padding ? 0 : k))];
        Values corrected;
        KNUDSEN_SIMD
        for (int l = 0; l < Lanes; ++l) {
          const Real polynomial = plane.lane[l] + z * (z * square.lane[l] + linear.lane[l]);
          corrected.lane[l] = value.lane[l] + polynomial;
          if constexpr (Weighted) {
            corrected.lane[l] =
                value.lane[l] + (polynomial * (1 + e * value.lane[l]) + (push + force[2] * z));
          }
        }
        for (int l = 0; l < Lanes; ++l) {
          result[l].value[k] = padding ? Real(0) : corrected.lane[l];
        }
      }
      KNUDSEN_UNROLL
      for (int l = 0; l < Lanes; ++l) {
        if (l < cells.count) {
          *reinterpret_cast<Access<Real>*>(to + static_cast<std::ptrdiff_t>(l) * v.size() +
                                           chunk * width) = result[l];
        }
      }
      if constexpr (!on_host) {
        if (has_next) loading.store(scratch, next, place, loaded);
      }
    });
  }
};

}  // namespace knudsen::boltzmann
