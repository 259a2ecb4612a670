#include "methods/bgkw/host_cell.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/simd.hpp"
#include "device/streaming_store.hpp"

namespace knudsen::bgkw {
namespace {

/// The update of a cell, by vectors of lanes, the entries of a plane. The inner loop goes through
/// the planes with one sign of v_x and adds up w_x |v_x|^n f. All sums of the cell follow from
/// these numbers, so that a value takes ten operations and is loaded and written once.
///
/// Order of the sums: over the planes of one sign of v_x, then over the vectors of up to max_lanes
/// lanes, then over the lanes of a vector, all in precision Real, then in double precision.
template <class Real, int Dimensions, Pass What>
class CellUpdateOnHost {
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr bool relaxes = What == Pass::collide || What == Pass::stream_collide;
  static constexpr bool writes = What != Pass::sum;
  static constexpr bool adds = What != Pass::collide;
  static constexpr bool flows = What == Pass::stream_collide || What == Pass::sum;
  static constexpr int directions = flows ? 2 * Dimensions : 0;
  static constexpr int powers = flows ? 4 : 3;
  static constexpr int max_lanes = 2048 / static_cast<int>(sizeof(Real));
  using Vector = Simd<Real>;

 public:
  CellUpdateOnHost(const HostVelocities<Real>& velocities, const HostCell<Real>& work)
      : v_(velocities),
        cell_(work),
        to_(work.out),
        next_prefetch_{0, std::ptrdiff_t{velocities.planes_below} * velocities.plane} {}

  [[gnu::always_inline]] void run() {
    const bool past_caches = writes && cell_.past_caches;
    const bool lines = past_caches && writes_whole_lines();
    const bool held = past_caches && !lines;
    thread_local std::vector<Real> values;
    if (held) {
      values.resize(static_cast<std::size_t>(v_.planes) * static_cast<std::size_t>(v_.plane));
      to_ = values.data();
    }
    double totals[5 * (1 + directions)] = {};
    for (int begin = 0; begin < v_.plane; begin += max_lanes) {
      const int end = v_.plane - begin < max_lanes ? v_.plane : begin + max_lanes;
      if constexpr (relaxes) fill_target(begin, end);
      for (Invariants& five : sums_) five = {};
      for (int lane = begin; lane < end; lane += Vector::count) {
        const int lanes = end - lane < Vector::count ? end - lane : Vector::count;
        const Real* target_here = target_ + lane - begin;
        const bool plain = lanes == Vector::count && (!streams || is_plain(lane));
        if (lines) {
          plain ? update<true, true>(lane, lanes, target_here)
                : update<false, true>(lane, lanes, target_here);
        } else {
          plain ? update<true, false>(lane, lanes, target_here)
                : update<false, false>(lane, lanes, target_here);
        }
      }
      for (int d = 0; adds && d < 1 + directions; ++d) {
        const double factor = d == 0 ? 1 : double(v_.crossing[(d - 1) / 2]);
        for (int n = 0; n < 5; ++n) totals[5 * d + n] += factor * double(sums_[d].of[n].sum());
      }
    }
    for (int n = 0; adds && n < 5 * (1 + directions); ++n) cell_.totals[n] = totals[n];
    if (held) store_past_caches(cell_.out, to_, values.size() * sizeof(Real));
    if (past_caches) finish_stores_past_caches();
  }

 private:
  /// Sums of (1, v_x, v_y, v_z, v^2) f.
  struct Invariants {
    Vector of[5] = {0, 0, 0, 0, 0};

    [[gnu::always_inline]] void add(Vector factor, const Invariants& five) {
      for (int n = 0; n < 5; ++n) of[n] += factor * five.of[n];
    }
  };

  const HostVelocities<Real>& v_;
  const HostCell<Real>& cell_;
  Real* to_;                         ///< where values are written at first
  std::ptrdiff_t next_prefetch_[2];  ///< place, in the planes with v_x < 0 and v_x > 0
  Invariants sums_[1 + directions];  ///< moments, then of the outflow in each direction
  /// Factors of the target along y and z, multiplied.
  alignas(64) Real target_[max_lanes + Vector::count];

  /// Whether vectors of a plane are cache lines. Others are collected, since the processor would
  /// write parts of lines one by one.
  bool writes_whole_lines() const {
    constexpr std::size_t line = 64;
    return sizeof(Vector) == line &&
           static_cast<std::size_t>(v_.plane) * sizeof(Real) % line == 0 &&
           reinterpret_cast<std::uintptr_t>(cell_.out) % line == 0;
  }

  /// Whether a whole vector of lanes is streamed from one neighbour along y, without mirrors.
  bool is_plain(int lane) const {
    const bool one_sign = lane + Vector::count <= v_.plane_below || lane >= v_.plane_below;
    return cell_.mirrored == nullptr && (Dimensions == 1 || one_sign);
  }

  [[gnu::always_inline]] void fill_target(int begin, int end) {
    const Real* of_y = cell_.target_of_z + v_.row_length + v_.planes;
    int j = begin / v_.row_length;
    int k = begin - j * v_.row_length;
    for (int lane = begin; lane < end; ++j, k = 0) {
      for (; k < v_.row_length && lane < end; k += Vector::count) {
        const int lanes = v_.row_length - k < Vector::count ? v_.row_length - k : Vector::count;
        // What is stored beyond the row is overwritten by the next one.
        const Vector product = Vector(of_y[j]) * Vector::load(cell_.target_of_z + k, lanes);
        product.store(target_ + lane - begin);
        lane += lanes;
      }
    }
  }

  /// Values upstream along an axis are a sum of two, of which one has factor zero.
  struct Upstream {
    const Real* values[2] = {};
    Vector factor[2] = {0, 0};
  };
  /// Upstream along y or z, for lanes with velocities of both signs along it.
  [[gnu::always_inline]] Upstream upstream(int axis, Vector velocity) const {
    const int low = 2 * axis;
    return {{cell_.beside[low], cell_.beside[low + 1]},
            {where_negative(velocity, 0, cell_.factor[low]),
             where_negative(velocity, cell_.factor[low + 1], 0)}};
  }

  /// Updates some lanes in all planes and adds them to the sums. `Plain`: a whole vector with
  /// is_plain(). `Lines`: it is written past the caches.
  template <bool Plain, bool Lines>
  [[gnu::always_inline]] void update(int lane, int lanes, const Real* target_here) {
    const auto load = [lanes](const Real* from) __attribute__((always_inline)) {
      return Plain ? Vector::load(from) : Vector::load(from, lanes);
    };
    const Vector y = load(v_.y + lane);
    const Vector z = load(v_.z + lane);
    const Vector along_y = fabs(y) * Vector(v_.crossing[1]);
    const Vector along_z = fabs(z) * Vector(v_.crossing[2]);
    const Vector target_yz = relaxes ? Vector::load(target_here) : Vector(0);
    const Vector kept_share(cell_.kept_share);
    Upstream of_y;
    Upstream of_z;
    if constexpr (streams && Dimensions > 1) {
      if constexpr (Plain) {
        const int direction = lane < v_.plane_below ? 3 : 2;
        of_y = {{cell_.beside[direction], nullptr}, {Vector(cell_.factor[direction]), 0}};
      } else {
        of_y = upstream(1, y);
      }
    }
    if constexpr (streams && Dimensions > 2) of_z = upstream(2, z);
    // Local copies, since a store could change what the arguments point to.
    const Real* const mirrored = cell_.mirrored;
    const Real* const values = cell_.values;
    const Real* const ahead = cell_.ahead;
    Real* const out = to_;
    // For each sign of v_x the sums over its planes of w_x |v_x|^n f.
    Vector sum[2][4];
    for (int side = 0; side < 2; ++side) {
      const int first = side == 0 ? 0 : v_.planes_below;
      const int end = side == 0 ? v_.planes_below : v_.planes;
      const int step = v_.plane;
      const Real* const x = cell_.beside[1 - side];
      const Vector of_x(cell_.factor[1 - side]);
      const Real* const ahead_of_side = cell_.ahead_of_side[side];
      const Real* const target_x = cell_.target_of_z + v_.row_length;
      const Real* numbers = v_.of_plane + HostVelocities<Real>::numbers_of_plane * first;
      Vector power[4] = {0, 0, 0, 0};
      std::ptrdiff_t place = static_cast<std::ptrdiff_t>(first) * step + lane;
      std::ptrdiff_t next = next_prefetch_[side];
      for (int i = first; i < end; ++i) {
        const Vector f = load(values + place);
        Vector value = f;
        if constexpr (streams) {
          // In the order of memory and every second vector, so that the processor fetches the other
          // lines by itself.
          if ((next & Vector::count) == 0) {
            __builtin_prefetch(ahead + next, 0, 2);
            if (ahead_of_side != nullptr) __builtin_prefetch(ahead_of_side + next, 0, 2);
          }
          value -= Vector(numbers[0]) * (f - of_x * load(x + place));
        }
        if constexpr (streams && Dimensions > 1) {
          Vector f_y = of_y.factor[0] * load(of_y.values[0] + place);
          if constexpr (!Plain) f_y += of_y.factor[1] * load(of_y.values[1] + place);
          value -= along_y * (f - f_y);
        }
        if constexpr (streams && Dimensions > 2) {
          const Vector f_z = of_z.factor[0] * load(of_z.values[0] + place) +
                             of_z.factor[1] * load(of_z.values[1] + place);
          value -= along_z * (f - f_z);
        }
        if constexpr (streams && !Plain) {
          if (mirrored != nullptr) value += load(mirrored + place);
        }
        if constexpr (relaxes) value = kept_share * value + Vector(target_x[i]) * target_yz;
        if constexpr (writes && Lines) {
          value.store_past_caches(out + place);
        } else if constexpr (writes && Plain) {
          value.store(out + place);
        } else if constexpr (writes) {
          value.store(out + place, lanes);
        }
        for (int n = 0; adds && n < powers; ++n) power[n] += Vector(numbers[1 + n]) * value;
        place += step;
        next += Vector::count;
        numbers += HostVelocities<Real>::numbers_of_plane;
      }
      next_prefetch_[side] = next;
      for (int n = 0; n < 4; ++n) sum[side][n] = power[n];
    }
    if constexpr (adds) add_sums(y, z, load(v_.weight + lane), load(v_.square_weight + lane), sum);
  }

  /// Adds some lanes to the sums.
  [[gnu::always_inline]] void add_sums(Vector y, Vector z, Vector weight, Vector square_weight,
                                       const Vector (&of_side)[2][4]) {
    const Vector lateral = weight * y * y + square_weight;
    const auto invariants = [&](Vector zero, Vector one, Vector two)
        __attribute__((always_inline)) {
      const Vector number = weight * zero;
      return Invariants{
          {number, weight * one, y * number, z * number, weight * two + lateral * zero}};
    };
    const auto& below = of_side[0];
    const auto& above = of_side[1];
    const Invariants all =
        invariants(below[0] + above[0], above[1] - below[1], below[2] + above[2]);
    sums_[0].add(1, all);
    if constexpr (flows) {
      sums_[1].add(1, invariants(below[1], -below[2], below[3]));
      sums_[2].add(1, invariants(above[1], above[2], above[3]));
    }
    const auto add_outflow = [&](int direction, Vector velocity) __attribute__((always_inline)) {
      const Vector positive = Vector(Real(0.5)) * (velocity + fabs(velocity));
      sums_[1 + direction].add(positive - velocity, all);
      sums_[2 + direction].add(positive, all);
    };
    if constexpr (flows && Dimensions > 1) add_outflow(2, y);
    if constexpr (flows && Dimensions > 2) add_outflow(4, z);
  }
};

}  // namespace

template <class Real, int Dimensions, Pass What>
KNUDSEN_HOST_FUNCTION void update_cell_on_host(const HostVelocities<Real>& velocities,
                                               const HostCell<Real>& cell) {
  CellUpdateOnHost<Real, Dimensions, What>(velocities, cell).run();
}

#define KNUDSEN_INSTANTIATE(Real, Dimensions, What)                                      \
  template void update_cell_on_host<Real, Dimensions, What>(const HostVelocities<Real>&, \
                                                            const HostCell<Real>&);
#define KNUDSEN_INSTANTIATE_PASSES(Real, Dimensions)          \
  KNUDSEN_INSTANTIATE(Real, Dimensions, Pass::stream)         \
  KNUDSEN_INSTANTIATE(Real, Dimensions, Pass::stream_collide) \
  KNUDSEN_INSTANTIATE(Real, Dimensions, Pass::sum)
#define KNUDSEN_INSTANTIATE_DIMENSIONS(Real)  \
  KNUDSEN_INSTANTIATE(Real, 1, Pass::collide) \
  KNUDSEN_INSTANTIATE_PASSES(Real, 1)         \
  KNUDSEN_INSTANTIATE_PASSES(Real, 2)         \
  KNUDSEN_INSTANTIATE_PASSES(Real, 3)
KNUDSEN_INSTANTIATE_DIMENSIONS(float)
KNUDSEN_INSTANTIATE_DIMENSIONS(double)

}  // namespace knudsen::bgkw
