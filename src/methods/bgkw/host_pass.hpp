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
/// max_lanes lanes with the same sign of v_y in precision Real, by SIMD lanes, then in double
/// precision. It does not depend on the number of threads.
template <class ExecutionSpace, class Real, int Dimensions, Pass What>
struct HostPass {
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr bool relaxes = What == Pass::collide || What == Pass::stream_collide;
  static constexpr bool writes = What != Pass::sum;
  static constexpr bool adds = What != Pass::collide;
  static constexpr bool flows = What == Pass::stream_collide || What == Pass::sum;
  static constexpr int sum_count = flows ? 5 * (1 + 2 * Dimensions) : 5;
  /// Lanes that are processed together, so that what belongs to them stays in the nearest cache.
  static constexpr int max_lanes = 1024 / static_cast<int>(sizeof(Real));
  static constexpr int vector = widest_vector<Real>;
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
    for (int begin = 0; begin < v.plane;) {
      const int end = begin < v.first_positive ? v.first_positive : v.plane;
      const int length = end - begin < max_lanes ? end - begin : max_lanes;
      process_lanes(cell, begin, length, totals);
      begin += length;
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
  /// Numbers by lane, aligned as the lanes are in memory.
  struct alignas(64) LaneValues {
    Real numbers[max_lanes + vector];

    KOKKOS_FORCEINLINE_FUNCTION Real* from(int begin) { return numbers + begin % vector; }
    KOKKOS_FORCEINLINE_FUNCTION const Real* from(int begin) const {
      return numbers + begin % vector;
    }
  };
  /// For each lane: the sums over planes of w_x |v_x|^n f.
  struct Powers {
    LaneValues of[4];
  };
  /// A plane's part of the lanes.
  struct Row {
    Upwind upwind;
    Lanes<0, Real> f;      ///< the cell's values
    Lanes<0, Real> f_x;    ///< values upstream along x
    Real kept_share = 1;   ///< exp(-rate dt)
    Real target_x = 0;     ///< factor of the target along x
    Real weights[4] = {};  ///< w_x |v_x|^n
  };

  /// Processes all planes of some lanes with the same sign of v_y; adds their sums to `totals`.
  KOKKOS_FORCEINLINE_FUNCTION void process_lanes(const CellAtWork& cell, int begin, int length,
                                                 double (&totals)[sum_count]) const {
    const auto& v = space.velocities;
    LaneValues target;
    if constexpr (relaxes) fill_target(cell.index, begin, length, target.from(begin));
    for (const bool left : {true, false}) {
      Powers powers;
      for (LaneValues& of : powers.of) {
        for (Real& number : of.numbers) number = 0;
      }
      const int end = left ? v.first_positive_x : v.count[0];
      int i = left ? 0 : v.first_positive_x;
      const auto process = [&](auto count, auto mirrors) {
        process_planes<count, mirrors>(cell, {i, 0, begin, length, i * v.plane + begin},
                                       target.from(begin), powers);
        i += count;
      };
      using One = std::integral_constant<int, 1>;
      if (cell.sources.mirrors) {
        while (i < end) process(One{}, std::true_type{});
      } else {
        while (i + planes_at_once <= end) {
          process(std::integral_constant<int, planes_at_once>{}, std::false_type{});
        }
        while (i < end) process(One{}, std::false_type{});
      }
      if constexpr (adds) add_sums(begin, length, left, powers, totals);
    }
  }

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void each_lane(int begin, int length, const Body& body) {
    for_aligned_lanes<vector, values_per_access<Real>>(begin, length, body);
  }

  /// Factors of a cell's target along y and z, multiplied.
  KOKKOS_FORCEINLINE_FUNCTION void fill_target(int cell, int begin, int length,
                                               Real* target) const {
    const auto& v = space.velocities;
    const Real* of_z = space.factors_of(cell);
    const Real* of_y = of_z + v.row_length + v.count[0];
    for (int k = 0; k < length;) {
      const int j = (begin + k) / v.row_length;
      const int first = begin + k - j * v.row_length;
      const int rest = v.row_length - first;
      const int count = length - k < rest ? length - k : rest;
      const Real y = of_y[j];
      for_lanes<0>(count, [&](int n) { target[k + n] = y * of_z[first + n]; });
      k += count;
    }
  }

  /// Streams, relaxes and writes `Count` planes, the first one that of `segment`, and adds them to
  /// `powers`. `Mirrors`: the cell is at a specular surface.
  template <int Count, bool Mirrors>
  KOKKOS_FORCEINLINE_FUNCTION void process_planes(const CellAtWork& cell, const Segment& segment,
                                                  const Real* target, Powers& powers) const {
    const auto& v = space.velocities;
    const int length = segment.length;
    Row rows[Count];
    LaneValues values[Count];
    for (int n = 0; n < Count; ++n) {
      const Segment here{segment.i + n, 0, segment.begin, length, segment.place + n * v.plane};
      rows[n] = make_row(cell, here);
      if (cell.ahead != nullptr) {
        prefetch_on_host(cell.ahead + here.place, static_cast<std::size_t>(length) * sizeof(Real));
      }
      if constexpr (streams && Mirrors) {
        Real* mirrored = values[n].from(here.begin);
        for (int k = 0; k < length; ++k) mirrored[k] = 0;
        add_mirrored<0>(space, cell.sources, here, mirrored);
      }
    }
    Real* const of[4] = {powers.of[0].from(segment.begin), powers.of[1].from(segment.begin),
                         powers.of[2].from(segment.begin), powers.of[3].from(segment.begin)};
    each_lane(segment.begin, length, [&](int k) {
      Real sums[4] = {of[0][k], of[1][k], of[2][k], of[3][k]};
      const auto update = [&](const Row& row, Real* value) {
        Real f = row.f[k];
        if constexpr (streams) f = row.upwind.streamed(row.f, row.f_x, k);
        if constexpr (streams && Mirrors) f += value[k];
        if constexpr (relaxes) f = row.kept_share * f + row.target_x * target[k];
        if constexpr (writes) value[k] = f;
        for (int n = 0; n < 4; ++n) sums[n] += row.weights[n] * f;
      };
      [&]<std::size_t... N>(std::index_sequence<N...>) {
        (update(rows[N], values[N].from(segment.begin)), ...);
      }
      (std::make_index_sequence<Count>());
      for (int n = 0; n < 4; ++n) of[n][k] = sums[n];
    });
    if constexpr (writes) {
      for (int n = 0; n < Count; ++n) {
        Real* out = cell.out + segment.place + n * v.plane;
        const Real* from = values[n].from(segment.begin);
        if (past_caches) {
          store_past_caches(out, from, static_cast<std::size_t>(length) * sizeof(Real));
        } else {
          each_lane(segment.begin, length, [&](int k) { out[k] = from[k]; });
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Row make_row(const CellAtWork& cell, const Segment& segment) const {
    const auto& v = space.velocities;
    const Real x = v.nodes[0](segment.i);
    Row row;
    row.f = Lanes<0, Real>(cell.sources.centre + segment.place);
    if constexpr (streams) {
      const Upstream<Real> upstream = cell.sources.upstream(v, segment);
      row.f_x = Lanes<0, Real>(upstream.x.values + segment.place);
      row.upwind =
          Upwind(space, upstream, segment, x, RowLanes<0, Real>(v.y.data() + segment.begin),
                 Dimensions > 1 ? upstream.y.values + segment.place : nullptr);
    }
    if constexpr (relaxes) {
      const Real* factors = space.factors_of(cell.index) + v.row_length;
      row.target_x = factors[segment.i];
      row.kept_share = factors[v.count[0] + v.count[1]];
    }
    row.weights[0] = v.weights[0](segment.i);
    for (int n = 1; n < 4; ++n) row.weights[n] = math::fabs(x) * row.weights[n - 1];
    return row;
  }

  /// Adds the sums over some lanes to a cell's totals: moments (1, v, v^2) f, then those of the
  /// outflow in each direction.
  KOKKOS_FORCEINLINE_FUNCTION void add_sums(int begin, int length, bool left, const Powers& powers,
                                            double (&totals)[sum_count]) const {
    const auto& v = space.velocities;
    const Real* weight = v.weight.data() + begin;
    const Real* square_weight = v.square_weight.data() + begin;
    const Real* of_y = v.y.data() + begin;
    const Real* of_z = v.z.data() + begin;
    const Real sign = left ? Real(-1) : Real(1);
    const Real* of[4] = {powers.of[0].from(begin), powers.of[1].from(begin),
                         powers.of[2].from(begin), powers.of[3].from(begin)};
    // Adds five sums, from their terms in a lane, times a factor.
    const auto add = [&](int direction, double factor, const auto& terms) {
      Real m = 0, x = 0, y = 0, z = 0, e = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : m, x, y, z, e)
#endif
      for (int k = 0; k < length; ++k) terms(k, m, x, y, z, e);
      double* to = totals + 5 * (1 + direction);
      to[0] += factor * double(m);
      to[1] += factor * double(sign * x);
      to[2] += factor * double(y);
      to[3] += factor * double(z);
      to[4] += factor * double(e);
    };
    // Terms of w |v_x|^n f times factor(k).
    const auto terms = [&](auto power, const auto& factor) {
      return [=](int k, Real& m, Real& x, Real& y, Real& z, Real& e) {
        constexpr int n = decltype(power)::value;
        const Real scale = factor(k);
        const Real mass = scale * weight[k] * of[n][k];
        m += mass;
        x += scale * weight[k] * of[n + 1][k];
        y += of_y[k] * mass;
        z += of_z[k] * mass;
        e += scale * (weight[k] * of[n + 2][k] + square_weight[k] * of[n][k]) +
             of_y[k] * of_y[k] * mass;
      };
    };
    const auto one = [](int) { return Real(1); };
    using Zero = std::integral_constant<int, 0>;
    using One = std::integral_constant<int, 1>;
    add(-1, 1, terms(Zero{}, one));
    if constexpr (flows) {
      add(left ? 0 : 1, space.crossing[0], terms(One{}, one));
      if constexpr (Dimensions > 1) {
        add(begin < v.first_positive ? 2 : 3, space.crossing[1],
            terms(Zero{}, [=](int k) { return math::fabs(of_y[k]); }));
      }
      if constexpr (Dimensions > 2) {
        add(4, space.crossing[2],
            terms(Zero{}, [=](int k) { return of_z[k] < 0 ? -of_z[k] : Real(0); }));
        add(5, space.crossing[2],
            terms(Zero{}, [=](int k) { return of_z[k] > 0 ? of_z[k] : Real(0); }));
      }
    }
  }
};

}  // namespace knudsen::bgkw
