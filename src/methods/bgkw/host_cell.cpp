#include "methods/bgkw/host_cell.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
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
  /// Vectors of a plane that are updated together, so that what is read and written of a plane is
  /// some adjacent cache lines (NOTES.md). The sixteen registers without AVX-512 are too few.
  static constexpr int vectors_at_once = sizeof(Vector) == cache_line_bytes ? 4 : 1;

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
      for (int lane = begin; lane < end;) {
        const Real* target_here = target_ + lane - begin;
        const int several = vectors_at_once * Vector::count;
        const int lanes = end - lane < Vector::count ? end - lane : Vector::count;
        if (lane + several <= end && is_plain(lane, several)) {
          lines ? update<vectors_at_once, true, true>(lane, several, target_here)
                : update<vectors_at_once, true, false>(lane, several, target_here);
          lane += several;
          continue;
        }
        if (lanes == Vector::count && is_plain(lane, lanes)) {
          lines ? update<1, true, true>(lane, lanes, target_here)
                : update<1, true, false>(lane, lanes, target_here);
        } else {
          lines ? update<1, false, true>(lane, lanes, target_here)
                : update<1, false, false>(lane, lanes, target_here);
        }
        lane += lanes;
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
    constexpr std::size_t line = cache_line_bytes;
    return sizeof(Vector) == line &&
           static_cast<std::size_t>(v_.plane) * sizeof(Real) % line == 0 &&
           reinterpret_cast<std::uintptr_t>(cell_.out) % line == 0;
  }

  /// Whether some lanes are streamed from one neighbour along y, without mirrors.
  bool is_plain(int lane, int lanes) const {
    const bool one_sign = lane + lanes <= v_.plane_below || lane >= v_.plane_below;
    return !streams || (cell_.mirrored == nullptr && (Dimensions == 1 || one_sign));
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

  /// A vector of lanes in all planes.
  struct Column {
    Vector y, z;
    Vector along_y, along_z;
    Vector target_yz;
    Upstream of_y, of_z;
    Vector power[4];   ///< sums over the planes of one sign of v_x of w_x |v_x|^n f
    Vector sum[2][4];  ///< these of both signs
  };

  /// Updates some lanes, `Count` vectors, in all planes and adds them to the sums. `Plain`: whole
  /// vectors with is_plain(). `Lines`: they are written past the caches.
  template <int Count, bool Plain, bool Lines>
  [[gnu::always_inline]] void update(int lane, int lanes, const Real* target_here) {
    const auto load = [lanes](const Real* from) __attribute__((always_inline)) {
      return Plain ? Vector::load(from) : Vector::load(from, lanes);
    };
    // By numbers known to the compiler, which then keeps the columns in registers.
    const auto for_columns = [](const auto& body) __attribute__((always_inline)) {
      each_column(body, std::make_integer_sequence<int, Count>());
    };
    Column columns[Count];
    const int direction = lane < v_.plane_below ? 3 : 2;
    for_columns([&](auto k) __attribute__((always_inline)) {
      Column& column = columns[k];
      const int begin = lane + k * Vector::count;
      column.y = load(v_.y + begin);
      column.z = load(v_.z + begin);
      column.along_y = fabs(column.y) * Vector(v_.crossing[1]);
      column.along_z = fabs(column.z) * Vector(v_.crossing[2]);
      column.target_yz = relaxes ? Vector::load(target_here + k * Vector::count) : Vector(0);
      if constexpr (streams && Dimensions > 1) {
        column.of_y = Plain ? Upstream{{cell_.beside[direction], nullptr},
                                       {Vector(cell_.factor[direction]), 0}}
                            : upstream(1, column.y);
      }
      if constexpr (streams && Dimensions > 2) column.of_z = upstream(2, column.z);
    });
    const Vector kept_share(cell_.kept_share);
    // Local copies, since a store could change what the arguments point to.
    const Real* const mirrored = cell_.mirrored;
    const Real* const values = cell_.values;
    const Real* const ahead = cell_.ahead;
    Real* const out = to_;
    for (int side = 0; side < 2; ++side) {
      const int first = side == 0 ? 0 : v_.planes_below;
      const int end = side == 0 ? v_.planes_below : v_.planes;
      const int step = v_.plane;
      const Real* const x = cell_.beside[1 - side];
      const Vector of_x(cell_.factor[1 - side]);
      const Real* const ahead_of_side = cell_.ahead_of_side[side];
      const Real* const target_x = cell_.target_of_z + v_.row_length;
      const Real* numbers = v_.of_plane + HostVelocities<Real>::numbers_of_plane * first;
      for_columns([&](auto k) __attribute__((always_inline)) {
        for (int n = 0; n < 4; ++n) columns[k].power[n] = 0;
      });
      std::ptrdiff_t first_place = static_cast<std::ptrdiff_t>(first) * step + lane;
      std::ptrdiff_t next = next_prefetch_[side];
      for (int i = first; i < end; ++i) {
        for_columns([&](auto k) __attribute__((always_inline)) {
          Column& column = columns[k];
          const std::ptrdiff_t place = first_place + k * Vector::count;
          const Vector f = load(values + place);
          Vector value = f;
          if constexpr (streams) {
            // In the order of memory, in which the processor reads lines ahead by itself.
            __builtin_prefetch(ahead + next, 0, 2);
            if (ahead_of_side != nullptr) __builtin_prefetch(ahead_of_side + next, 0, 2);
            next += Vector::count;
            value -= Vector(numbers[0]) * (f - of_x * load(x + place));
          }
          if constexpr (streams && Dimensions > 1) {
            Vector f_y = column.of_y.factor[0] * load(column.of_y.values[0] + place);
            if constexpr (!Plain)
              f_y += column.of_y.factor[1] * load(column.of_y.values[1] + place);
            value -= column.along_y * (f - f_y);
          }
          if constexpr (streams && Dimensions > 2) {
            const Vector f_z = column.of_z.factor[0] * load(column.of_z.values[0] + place) +
                               column.of_z.factor[1] * load(column.of_z.values[1] + place);
            value -= column.along_z * (f - f_z);
          }
          if constexpr (streams && !Plain) {
            if (mirrored != nullptr) value += load(mirrored + place);
          }
          if constexpr (relaxes) {
            value = kept_share * value + Vector(target_x[i]) * column.target_yz;
          }
          if constexpr (writes && Lines) {
            value.store_past_caches(out + place);
          } else if constexpr (writes && Plain) {
            value.store(out + place);
          } else if constexpr (writes) {
            value.store(out + place, lanes);
          }
          for (int n = 0; adds && n < powers; ++n) {
            column.power[n] += Vector(numbers[1 + n]) * value;
          }
        });
        first_place += step;
        numbers += HostVelocities<Real>::numbers_of_plane;
      }
      next_prefetch_[side] = next;
      for_columns([&](auto k) __attribute__((always_inline)) {
        for (int n = 0; n < 4; ++n) columns[k].sum[side][n] = columns[k].power[n];
      });
    }
    if constexpr (adds) {
      for_columns([&](auto k) __attribute__((always_inline)) {
        const int begin = lane + k * Vector::count;
        add_sums(columns[k].y, columns[k].z, load(v_.weight + begin),
                 load(v_.square_weight + begin), columns[k].sum);
      });
    }
  }
  template <class Body, int... Number>
  [[gnu::always_inline]] static void each_column(const Body& body,
                                                 std::integer_sequence<int, Number...> /*all*/) {
    (body(std::integral_constant<int, Number>()), ...);
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
