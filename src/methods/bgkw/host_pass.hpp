#pragma once

#include <utility>

#include "device/intrinsics.hpp"
#include "device/streaming_store.hpp"
#include "methods/bgkw/kernels.hpp"
#include "methods/bgkw/streaming.hpp"

namespace knudsen::bgkw {

/// SinglePass on the host, one cell a team: no scratch memory and no copies into it, since
/// neighbours' values are in the cache. The loops over lanes, the entries of a plane, are SIMD
/// loops. They add up w_x |v_x|^n f for each lane (Powers). All sums of a cell follow from these,
/// so that the weights of the lanes are applied once for all planes.
///
/// Order of the sums: over the planes of one sign of v_x in precision Real, then over up to
/// max_lanes lanes in precision Real, by SIMD lanes, then in double precision. It does not depend
/// on the number of threads.
template <class ExecutionSpace, class Real, int Dimensions, Pass What>
struct HostPass {
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr bool relaxes = What == Pass::collide || What == Pass::stream_collide;
  static constexpr bool writes = What != Pass::sum;
  static constexpr bool adds = What != Pass::collide;
  static constexpr bool flows = What == Pass::stream_collide || What == Pass::sum;
  static constexpr int sum_count = flows ? 5 * (1 + 2 * Dimensions) : 5;
  static constexpr int max_powers = 4;
  static constexpr int power_count = flows ? 4 : (adds ? 3 : 0);
  static constexpr int vector = widest_vector<Real>;
  /// Lanes that are processed together, so that what belongs to them stays in the nearest cache.
  static constexpr int max_lanes = 1024 / static_cast<int>(sizeof(Real));
  /// Planes that are processed together, so that Powers are loaded and stored once for them.
  static constexpr int planes_at_once = 4;
  using Upwind = UpwindSegment<0, Real, Dimensions>;
  using Sources = CellSources<Real, Dimensions>;

  PhaseSpace<ExecutionSpace, Real> space;
  bool past_caches;  ///< write values past the caches

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int index = space.cell_of(team.league_rank());
    if (space.is_solid(index)) return;
    const CellAtWork cell{index, Sources(space, index),
                          streams ? values_ahead(space, team.league_rank()) : nullptr,
                          streams ? space.next_values(index) : space.values(index)};
    double totals[sum_count] = {};
    for (int begin = 0; begin < v.plane; begin += max_lanes) {
      const int rest = v.plane - begin;
      process_lanes(cell, {begin, rest < max_lanes ? rest : max_lanes}, totals);
    }
    if constexpr (adds) {
      const auto& to = streams ? space.next_sums : space.sums;
      for (int n = 0; n < sum_count; ++n) to(index, 0, n) = totals[n];
    }
    if (past_caches) finish_stores_past_caches();
  }

 private:
  struct CellAtWork {
    int index;
    Sources sources;
    const Real* ahead;  ///< values to prefetch for the next cell, or null
    Real* out;
  };
  /// Contiguous entries of a plane.
  struct LaneRange {
    int begin;
    int length;
  };
  struct alignas(64) LaneValues {
    Real of[max_lanes];
  };
  /// For each lane: the sums over planes of w_x |v_x|^n f.
  struct Powers {
    LaneValues number[max_powers];
  };
  /// Lanes of a plane with one sign of v_y.
  struct Row {
    Upwind upwind;
    Lanes<0, Real> f;               ///< the cell's values
    Lanes<0, Real> f_x;             ///< values upstream along x
    Real* to = nullptr;             ///< where the values are written
    Real target_x = 0;              ///< factor of the target along x
    Real weights[max_powers] = {};  ///< w_x |v_x|^n
  };

  /// Updates a lane of some rows. Not a lambda: only a function can be made to be inlined by every
  /// compiler, without which the loop over lanes is not vectorised.
  template <int Count, bool Mirrors>
  struct RowsUpdate {
    Row rows[Count];
    Real kept_share;     ///< exp(-rate dt)
    const Real* target;  ///< factors of the target along y and z, multiplied
    Real* powers[max_powers];

    KOKKOS_FORCEINLINE_FUNCTION void operator()(int k) const {
      Real sums[max_powers];
      for (int n = 0; n < power_count; ++n) sums[n] = powers[n][k];
      update(k, sums, std::make_index_sequence<Count>());
      for (int n = 0; n < power_count; ++n) powers[n][k] = sums[n];
    }

   private:
    template <std::size_t... N>
    KOKKOS_FORCEINLINE_FUNCTION void update(int k, Real (&sums)[max_powers],
                                            std::index_sequence<N...> /*unused*/) const {
      (update(k, sums, rows[N]), ...);
    }
    KOKKOS_FORCEINLINE_FUNCTION void update(int k, Real (&sums)[max_powers], const Row& row) const {
      Real f = row.f[k];
      if constexpr (streams) f = row.upwind.streamed(row.f, row.f_x, k);
      // What specular surfaces let in is there already.
      if constexpr (streams && Mirrors) f += row.to[k];
      if constexpr (relaxes) f = kept_share * f + row.target_x * target[k];
      if constexpr (writes) row.to[k] = f;
      for (int n = 0; n < power_count; ++n) sums[n] += row.weights[n] * f;
    }
  };

  /// Processes all planes of some lanes; adds their sums to `totals`.
  KOKKOS_FORCEINLINE_FUNCTION void process_lanes(const CellAtWork& cell, const LaneRange& lanes,
                                                 double (&totals)[sum_count]) const {
    const auto& v = space.velocities;
    LaneValues target;
    if constexpr (relaxes) fill_target(cell.index, lanes, target.of);
    for (const bool left : {true, false}) {
      Powers powers;
      for (int n = 0; n < power_count; ++n) {
        for (Real& number : powers.number[n].of) number = 0;
      }
      const int end = left ? v.first_positive_x : v.count[0];
      int i = left ? 0 : v.first_positive_x;
      const auto process = [&](auto count, auto mirrors) {
        constexpr int planes = decltype(count)::value;
        process_planes<planes, decltype(mirrors)::value>(cell, lanes, i, target.of, powers);
      };
      using One = std::integral_constant<int, 1>;
      if (cell.sources.mirrors) {
        for (; i < end; ++i) process(One{}, std::true_type{});
      } else {
        for (; i + planes_at_once <= end; i += planes_at_once) {
          process(std::integral_constant<int, planes_at_once>{}, std::false_type{});
        }
        for (; i + 2 <= end; i += 2) process(std::integral_constant<int, 2>{}, std::false_type{});
        for (; i < end; ++i) process(One{}, std::false_type{});
      }
      if constexpr (adds) add_sums(lanes, left, powers, totals);
    }
  }

  /// Factors of a cell's target along y and z, multiplied.
  KOKKOS_FORCEINLINE_FUNCTION void fill_target(int cell, const LaneRange& lanes,
                                               Real* target) const {
    const auto& v = space.velocities;
    const Real* of_z = space.factors_of(cell);
    const Real* of_y = of_z + v.row_length + v.count[0];
    for (int k = 0; k < lanes.length;) {
      const int j = (lanes.begin + k) / v.row_length;
      const int first = lanes.begin + k - j * v.row_length;
      const int rest = v.row_length - first;
      const int count = lanes.length - k < rest ? lanes.length - k : rest;
      const Real y = of_y[j];
      for_lanes<0>(count, [&](int n) { target[k + n] = y * of_z[first + n]; });
      k += count;
    }
  }

  /// Streams, relaxes and writes `Count` planes from plane i on, and adds them to `powers`.
  /// `Mirrors`: the cell is at a specular surface.
  template <int Count, bool Mirrors>
  KOKKOS_FORCEINLINE_FUNCTION void process_planes(const CellAtWork& cell, const LaneRange& lanes,
                                                  int i, const Real* target, Powers& powers) const {
    const auto& v = space.velocities;
    const int first = i * v.plane + lanes.begin;
    const std::size_t bytes = static_cast<std::size_t>(lanes.length) * sizeof(Real);
    LaneValues held[Count];
    Real* to[Count];
    for (int n = 0; n < Count; ++n) {
      const int place = first + n * v.plane;
      to[n] = past_caches ? held[n].of : cell.out + place;
      if (cell.ahead != nullptr) prefetch_on_host(cell.ahead + place, bytes);
    }
    // Velocities with v_y < 0 come first.
    const int below = v.first_positive - lanes.begin;
    const int middle = below < 0 ? 0 : (below < lanes.length ? below : lanes.length);
    if (middle > 0) {
      process_rows<Count, Mirrors>(cell, {i, 0, lanes.begin, middle, first}, 0, to, target, powers);
    }
    if (middle < lanes.length) {
      process_rows<Count, Mirrors>(
          cell, {i, 0, lanes.begin + middle, lanes.length - middle, first + middle}, middle, to,
          target, powers);
    }
    if (writes && past_caches) {
      for (int n = 0; n < Count; ++n)
        store_past_caches(cell.out + first + n * v.plane, to[n], bytes);
    }
  }

  /// Part of process_planes() for the lanes of a segment, which has one sign of v_y; `lane` is its
  /// first among the lanes.
  template <int Count, bool Mirrors>
  KOKKOS_FORCEINLINE_FUNCTION void process_rows(const CellAtWork& cell, const Segment& segment,
                                                int lane, Real* const (&to)[Count],
                                                const Real* target, Powers& powers) const {
    const auto& v = space.velocities;
    const Upstream<Real> upstream = streams ? cell.sources.upstream(v, segment) : Upstream<Real>{};
    RowsUpdate<Count, Mirrors> update;
    for (int n = 0; n < Count; ++n) {
      const Segment here{segment.i + n, 0, segment.begin, segment.length,
                         segment.place + n * v.plane};
      Row& row = update.rows[n];
      row = make_row(cell, upstream, here);
      row.to = to[n] + lane;
      if constexpr (streams && Mirrors) {
        for (int k = 0; k < here.length; ++k) row.to[k] = 0;
        add_mirrored<0>(space, cell.sources, here, row.to);
      }
    }
    update.kept_share = relaxes ? space.factors_of(cell.index)[space.factor_count() - 1] : 1;
    update.target = target + lane;
    for (int n = 0; n < max_powers; ++n) update.powers[n] = powers.number[n].of + lane;
    for_aligned_lanes<vector, values_per_access<Real>>(lane, segment.length, update);
  }

  KOKKOS_FORCEINLINE_FUNCTION Row make_row(const CellAtWork& cell, const Upstream<Real>& upstream,
                                           const Segment& segment) const {
    const auto& v = space.velocities;
    const Real x = v.nodes[0](segment.i);
    Row row;
    row.f = Lanes<0, Real>(cell.sources.centre + segment.place);
    if constexpr (streams) {
      row.f_x = Lanes<0, Real>(upstream.x.values + segment.place);
      row.upwind =
          Upwind(space, upstream, segment, x, RowLanes<0, Real>(v.y.data() + segment.begin),
                 Dimensions > 1 ? upstream.y.values + segment.place : nullptr);
    }
    if constexpr (relaxes) row.target_x = space.factors_of(cell.index)[v.row_length + segment.i];
    row.weights[0] = v.weights[0](segment.i);
    for (int n = 1; n < max_powers; ++n) row.weights[n] = math::fabs(x) * row.weights[n - 1];
    return row;
  }

  /// Sums of (1, |v_x|, v_y, v_z, v^2) f over lanes of one sign of v_x.
  struct Invariants {
    Real mass, x, y, z, square;
  };
  /// Adds them times a factor to the totals of a direction; direction -1 are the moments.
  KOKKOS_FORCEINLINE_FUNCTION static void add_to_totals(int direction, double factor, bool left,
                                                        const Invariants& sums,
                                                        double (&totals)[sum_count]) {
    double* to = totals + 5 * (1 + direction);
    to[0] += factor * double(sums.mass);
    to[1] += factor * double(left ? -sums.x : sums.x);
    to[2] += factor * double(sums.y);
    to[3] += factor * double(sums.z);
    to[4] += factor * double(sums.square);
  }

  /// Adds the sums over some lanes to a cell's totals: moments (1, v, v^2) f, then those of the
  /// outflow in each direction. `left`: the x components are negative.
  KOKKOS_FORCEINLINE_FUNCTION void add_sums(const LaneRange& lanes, bool left, const Powers& powers,
                                            double (&totals)[sum_count]) const {
    const auto& v = space.velocities;
    const Real* weight = v.weight.data() + lanes.begin;
    const Real* square_weight = v.square_weight.data() + lanes.begin;
    const Real* of_y = v.y.data() + lanes.begin;
    const Real* of_z = v.z.data() + lanes.begin;
    // Adds the sums of (1, v_x, v_y, v_z, v^2) f scale(k) times a factor; direction -1 are the
    // moments.
    const auto add = [&](const auto& scale, int direction, double factor) {
      const Real* of[3] = {powers.number[0].of, powers.number[1].of, powers.number[2].of};
      Real mass = 0;
      Real x = 0;
      Real y = 0;
      Real z = 0;
      Real square = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : mass, x, y, z, square)
#endif
      for (int k = 0; k < lanes.length; ++k) {
        const Real share = scale(k);
        const Real of_weight = share * weight[k];
        const Real here = of_weight * of[0][k];
        mass += here;
        x += of_weight * of[1][k];
        y += of_y[k] * here;
        z += of_z[k] * here;
        square +=
            of_weight * of[2][k] + of_y[k] * of_y[k] * here + share * square_weight[k] * of[0][k];
      }
      add_to_totals(direction, factor, left, {mass, x, y, z, square}, totals);
    };
    if constexpr (flows) {
      const int below = v.first_positive - lanes.begin;
      const int middle = below < 0 ? 0 : (below < lanes.length ? below : lanes.length);
      add_crossing_sums({lanes.begin, middle}, 0, left, powers, totals);
      add_crossing_sums({lanes.begin + middle, lanes.length - middle}, middle, left, powers,
                        totals);
      if constexpr (Dimensions > 2) {
        const Real* z = v.z.data() + lanes.begin;
        add([=](int k) { return z[k] < 0 ? -z[k] : Real(0); }, 4, space.crossing[2]);
        add([=](int k) { return z[k] > 0 ? z[k] : Real(0); }, 5, space.crossing[2]);
      }
    } else {
      add([](int) { return Real(1); }, -1, 1);
    }
  }

  /// add_sums() of the moments and of the outflow along x and y, for lanes of one sign of v_y, of
  /// which the first is lane `first`. Together, since most of these sums share their factors.
  KOKKOS_FORCEINLINE_FUNCTION void add_crossing_sums(const LaneRange& lanes, int first, bool left,
                                                     const Powers& powers,
                                                     double (&totals)[sum_count]) const {
    const auto& v = space.velocities;
    const Real* weight = v.weight.data() + lanes.begin;
    const Real* square_weight = v.square_weight.data() + lanes.begin;
    const Real* of_y = v.y.data() + lanes.begin;
    const Real* of_z = v.z.data() + lanes.begin;
    const Real* of[4];
    for (int n = 0; n < 4; ++n) of[n] = powers.number[n].of + first;
    // Sums of |v_x|^n f, and of these times v_y, v_z and v^2.
    Real x0 = 0, x1 = 0, x2 = 0, y0 = 0, y1 = 0, z0 = 0, z1 = 0, square0 = 0, square1 = 0;
    // Those that have another factor v_y.
    Real yy0 = 0, yz0 = 0, y_square0 = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : x0, x1, x2, y0, y1, z0, z1, square0, square1, yy0, yz0, y_square0)
#endif
    for (int k = 0; k < lanes.length; ++k) {
      const Real y = of_y[k];
      const Real z = of_z[k];
      const Real number = weight[k] * of[0][k];
      const Real along_x = weight[k] * of[1][k];
      const Real along_y = y * number;
      const Real lateral = weight[k] * y * y + square_weight[k];
      const Real square = weight[k] * of[2][k] + lateral * of[0][k];
      x0 += number;
      x1 += along_x;
      x2 += weight[k] * of[2][k];
      y0 += along_y;
      y1 += y * along_x;
      z0 += z * number;
      z1 += z * along_x;
      square0 += square;
      square1 += weight[k] * of[3][k] + lateral * of[1][k];
      yy0 += y * along_y;
      yz0 += z * along_y;
      y_square0 += y * square;
    }
    const auto add = [&](int direction, double factor, const Invariants& sums) {
      add_to_totals(direction, factor, left, sums, totals);
    };
    add(-1, 1, {x0, x1, y0, z0, square0});
    add(left ? 0 : 1, space.crossing[0], {x1, x2, y1, z1, square1});
    if constexpr (Dimensions > 1) {
      const bool down = lanes.begin < v.first_positive;
      add(down ? 2 : 3, down ? -space.crossing[1] : space.crossing[1],
          {y0, y1, yy0, yz0, y_square0});
    }
  }
};

}  // namespace knudsen::bgkw
