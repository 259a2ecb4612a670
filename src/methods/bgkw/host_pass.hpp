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
  /// Lanes that are added up together, so that their sums stay in the nearest cache.
  static constexpr int max_lanes = 2048 / static_cast<int>(sizeof(Real));
  /// Lanes that are processed together, whole cache lines.
  static constexpr int max_piece = 1024 / static_cast<int>(sizeof(Real));
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
  struct alignas(64) PieceValues {
    Real of[max_piece];
  };
  /// For each lane: the sums over planes of w_x |v_x|^n f.
  struct Powers {
    LaneValues number[max_powers];
  };
  /// What tells the planes apart that are processed at once.
  struct PlaneFactors {
    Real along_x;              ///< |C_x|
    Real target_x;             ///< factor of the target
    Real weights[max_powers];  ///< w_x |v_x|^n
  };

  /// Updates a lane of some planes, among those with one sign of v_y. Not a lambda: only a function
  /// can be made to be inlined by every compiler, without which the loop over lanes is not
  /// vectorised. Planes are a stride apart, so that few registers hold all addresses. `First`: the
  /// powers have no values yet.
  template <int Count, bool Mirrors, bool First>
  struct PlanesUpdate {
    Upwind upwind;       ///< of the first plane
    Lanes<0, Real> f;    ///< the cell's values in the first plane
    Lanes<0, Real> f_x;  ///< values upstream along x
    int stride;          ///< values of a plane
    Real* to;            ///< where the values of the first plane are written
    int stride_to;       ///< from one plane to the next
    Real kept_share;     ///< exp(-rate dt)
    const Real* target;  ///< factors of the target along y and z, multiplied
    Real* powers[max_powers];
    PlaneFactors planes[Count];

    KOKKOS_FORCEINLINE_FUNCTION void operator()(int k) const {
      Real sums[max_powers];
      for (int n = 0; n < power_count; ++n) sums[n] = First ? Real(0) : powers[n][k];
      update(k, sums, std::make_index_sequence<Count>());
      for (int n = 0; n < power_count; ++n) powers[n][k] = sums[n];
    }

   private:
    template <std::size_t... N>
    KOKKOS_FORCEINLINE_FUNCTION void update(int k, Real (&sums)[max_powers],
                                            std::index_sequence<N...> /*unused*/) const {
      (update(k, sums, static_cast<int>(N), planes[N]), ...);
    }
    KOKKOS_FORCEINLINE_FUNCTION void update(int k, Real (&sums)[max_powers], int number,
                                            const PlaneFactors& plane) const {
      Real* here = to + number * stride_to;
      Real value;
      if constexpr (streams) {
        value = upwind.streamed(f, f_x, k, plane.along_x, number * stride);
      } else {
        value = f[k + number * stride];
      }
      // What specular surfaces let in is there already.
      if constexpr (streams && Mirrors) value += here[k];
      if constexpr (relaxes) value = kept_share * value + plane.target_x * target[k];
      if constexpr (writes) here[k] = value;
      for (int n = 0; n < power_count; ++n) sums[n] += plane.weights[n] * value;
    }
  };

  /// Processes all planes of some lanes; adds their sums to `totals`.
  KOKKOS_FORCEINLINE_FUNCTION void process_lanes(const CellAtWork& cell, const LaneRange& lanes,
                                                 double (&totals)[sum_count]) const {
    const auto& v = space.velocities;
    LaneValues target;
    if constexpr (relaxes) fill_target(cell.index, lanes, target.of);
    for (const bool left : {true, false}) {
      const int begin = left ? 0 : v.first_positive_x;
      const int end = left ? v.first_positive_x : v.count[0];
      if (begin == end) continue;
      Powers powers;
      for (int lane = 0; lane < lanes.length; lane += max_piece) {
        const int rest = lanes.length - lane;
        const LaneRange piece{lane, rest < max_piece ? rest : max_piece};
        process_piece(cell, lanes.begin, piece, begin, end, target.of, powers);
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
    int j = lanes.begin / v.row_length;
    int first = lanes.begin - j * v.row_length;
    for (int k = 0; k < lanes.length; ++j, first = 0) {
      const int rest = v.row_length - first;
      const int count = lanes.length - k < rest ? lanes.length - k : rest;
      for_aligned_lanes<vector / 2, values_per_access<Real>>(
          0, count, TargetRow{target + k, of_z + first, of_y[j]});
      k += count;
    }
  }
  struct TargetRow {
    Real* to;
    const Real* of_z;
    Real of_y;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int k) const { to[k] = of_y * of_z[k]; }
  };

  /// Processes the planes from `begin` to `end`, which have one sign of v_x, of a piece of the
  /// lanes from `first_lane` on.
  KOKKOS_FORCEINLINE_FUNCTION void process_piece(const CellAtWork& cell, int first_lane,
                                                 const LaneRange& piece, int begin, int end,
                                                 const Real* target, Powers& powers) const {
    const auto process = [&](auto count, auto mirrors, auto first, int i) {
      process_planes<decltype(count)::value, decltype(mirrors)::value, decltype(first)::value>(
          cell, first_lane, piece, i, target, powers);
    };
    using One = std::integral_constant<int, 1>;
    using Two = std::integral_constant<int, 2>;
    using Many = std::integral_constant<int, planes_at_once>;
    int i = begin;
    if (!cell.sources.mirrors && end - begin >= planes_at_once) {
      process(Many{}, std::false_type{}, std::true_type{}, i);
      i += planes_at_once;
    } else {
      for (int n = 0; n < power_count; ++n) {
        Real* number = powers.number[n].of + piece.begin;
        for (int k = 0; k < piece.length; ++k) number[k] = 0;
      }
    }
    if (cell.sources.mirrors) {
      for (; i < end; ++i) process(One{}, std::true_type{}, std::false_type{}, i);
      return;
    }
    for (; i + planes_at_once <= end; i += planes_at_once) {
      process(Many{}, std::false_type{}, std::false_type{}, i);
    }
    for (; i + 2 <= end; i += 2) process(Two{}, std::false_type{}, std::false_type{}, i);
    for (; i < end; ++i) process(One{}, std::false_type{}, std::false_type{}, i);
  }

  /// Streams, relaxes and writes `Count` planes from plane i on, and adds them to `powers`.
  /// `Mirrors`: the cell is at a specular surface.
  template <int Count, bool Mirrors, bool First>
  KOKKOS_FORCEINLINE_FUNCTION void process_planes(const CellAtWork& cell, int first_lane,
                                                  const LaneRange& piece, int i, const Real* target,
                                                  Powers& powers) const {
    const auto& v = space.velocities;
    const int begin = first_lane + piece.begin;  // in the plane
    const int first = i * v.plane + begin;
    const std::size_t bytes = static_cast<std::size_t>(piece.length) * sizeof(Real);
    PieceValues held[Count];
    Real* const to = past_caches ? held[0].of : cell.out + first;
    const int stride_to = past_caches ? max_piece : v.plane;
    for (int n = 0; n < Count; ++n) {
      if (cell.ahead != nullptr) prefetch_on_host(cell.ahead + first + n * v.plane, bytes);
    }
    // Velocities with v_y < 0 come first.
    const int below = v.first_positive - begin;
    const int middle = below < 0 ? 0 : (below < piece.length ? below : piece.length);
    if (middle > 0) {
      process_rows<Count, Mirrors, First>(cell, {i, 0, begin, middle, first}, piece.begin, to,
                                          stride_to, target, powers);
    }
    if (middle < piece.length) {
      process_rows<Count, Mirrors, First>(
          cell, {i, 0, begin + middle, piece.length - middle, first + middle}, piece.begin + middle,
          to + middle, stride_to, target, powers);
    }
    if (writes && past_caches) {
      for (int n = 0; n < Count; ++n)
        store_past_caches(cell.out + first + n * v.plane, held[n].of, bytes);
    }
  }

  /// Part of process_planes() for the lanes of a segment, which has one sign of v_y; `lane` is its
  /// first among the lanes that are added up together.
  template <int Count, bool Mirrors, bool First>
  KOKKOS_FORCEINLINE_FUNCTION void process_rows(const CellAtWork& cell, const Segment& segment,
                                                int lane, Real* to, int stride_to,
                                                const Real* target, Powers& powers) const {
    const auto& v = space.velocities;
    const Real* factors = space.factors_of(cell.index);
    PlanesUpdate<Count, Mirrors, First> update;
    update.f = Lanes<0, Real>(cell.sources.centre + segment.place);
    update.stride = v.plane;
    update.to = to;
    update.stride_to = stride_to;
    update.kept_share = relaxes ? factors[space.factor_count() - 1] : 1;
    update.target = target + lane;
    for (int n = 0; n < max_powers; ++n) update.powers[n] = powers.number[n].of + lane;
    if constexpr (streams) {
      const Upstream<Real> upstream = cell.sources.upstream(v, segment);
      update.f_x = Lanes<0, Real>(upstream.x.values + segment.place);
      update.upwind = Upwind(space, space.crossing, upstream, segment, v.nodes[0](segment.i),
                             RowLanes<0, Real>(v.y.data() + segment.begin),
                             Dimensions > 1 ? upstream.y.values + segment.place : nullptr);
    }
    for (int n = 0; n < Count; ++n) {
      const int i = segment.i + n;
      const Real x = math::fabs(v.nodes[0](i));
      PlaneFactors& plane = update.planes[n];
      plane.along_x = x * space.crossing[0];
      plane.target_x = relaxes ? factors[v.row_length + i] : 0;
      plane.weights[0] = v.weights[0](i);
      for (int m = 1; m < max_powers; ++m) plane.weights[m] = x * plane.weights[m - 1];
      if constexpr (streams && Mirrors) {
        Real* here = to + n * stride_to;
        for (int k = 0; k < segment.length; ++k) here[k] = 0;
        add_mirrored<0>(space, space.crossing, cell.sources,
                        {i, 0, segment.begin, segment.length, segment.place + n * v.plane}, here);
      }
    }
    for_aligned_lanes<vector, values_per_access<Real>>(lane, segment.length, update);
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
      add_crossing_sums(lanes, left, powers, totals);
      if constexpr (Dimensions > 2) {
        const Real* z = v.z.data() + lanes.begin;
        add([=](int k) { return z[k] < 0 ? -z[k] : Real(0); }, 4, space.crossing[2]);
        add([=](int k) { return z[k] > 0 ? z[k] : Real(0); }, 5, space.crossing[2]);
      }
    } else {
      add([](int) { return Real(1); }, -1, 1);
    }
  }

  /// add_sums() of the moments and of the outflow along x and y, which share most of their factors.
  /// In one loop for both signs of v_y: what is left over from whole vectors, and the sums over the
  /// lanes of a vector, cost more than the products with zero.
  KOKKOS_FORCEINLINE_FUNCTION void add_crossing_sums(const LaneRange& lanes, bool left,
                                                     const Powers& powers,
                                                     double (&totals)[sum_count]) const {
    const auto& v = space.velocities;
    const Real* weight = v.weight.data() + lanes.begin;
    const Real* square_weight = v.square_weight.data() + lanes.begin;
    const Real* of_y = v.y.data() + lanes.begin;
    const Real* of_z = v.z.data() + lanes.begin;
    const Real* of[4];
    for (int n = 0; n < 4; ++n) of[n] = powers.number[n].of;
    // Sums of |v_x|^n f, and of these times v_z and v^2.
    Real x0 = 0, x1 = 0, x2 = 0, z0 = 0, z1 = 0, square0 = 0, square1 = 0;
    // Sums of (1, |v_x|, v_y, v_z, v^2) |v_y| f, of v_y > 0 and of v_y < 0.
    Real up = 0, up_x = 0, up_y = 0, up_z = 0, up_square = 0;
    Real down = 0, down_x = 0, down_y = 0, down_z = 0, down_square = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : x0, x1, x2, z0, z1, square0, square1, up, up_x, up_y, up_z) \
    reduction(+ : up_square, down, down_x, down_y, down_z, down_square)
#endif
    for (int k = 0; k < lanes.length; ++k) {
      const Real y = of_y[k];
      const Real z = of_z[k];
      const Real number = weight[k] * of[0][k];
      const Real along_x = weight[k] * of[1][k];
      const Real along_y = y * number;
      const Real along_z = z * number;
      const Real lateral = weight[k] * y * y + square_weight[k];
      const Real square = weight[k] * of[2][k] + lateral * of[0][k];
      x0 += number;
      x1 += along_x;
      x2 += weight[k] * of[2][k];
      z0 += along_z;
      z1 += z * along_x;
      square0 += square;
      square1 += weight[k] * of[3][k] + lateral * of[1][k];
      const Real above = y > 0 ? y : Real(0);
      const Real below = above - y;
      up += above * number;
      up_x += above * along_x;
      up_y += above * along_y;
      up_z += above * along_z;
      up_square += above * square;
      down += below * number;
      down_x += below * along_x;
      down_y += below * along_y;
      down_z += below * along_z;
      down_square += below * square;
    }
    const auto add = [&](int direction, double factor, const Invariants& sums) {
      add_to_totals(direction, factor, left, sums, totals);
    };
    add(-1, 1, {x0, x1, up - down, z0, square0});
    add(left ? 0 : 1, space.crossing[0], {x1, x2, up_x - down_x, z1, square1});
    if constexpr (Dimensions > 1) {
      add(2, space.crossing[1], {down, down_x, down_y, down_z, down_square});
      add(3, space.crossing[1], {up, up_x, up_y, up_z, up_square});
    }
  }
};

}  // namespace knudsen::bgkw
