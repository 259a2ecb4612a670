#pragma once

#include <algorithm>

#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

// Steps of bgk whose kernels wait for no moments: a kernel that writes values also adds up what the
// cell then holds and what leaves it across each face in the coming step. From these sums of a cell
// and its neighbours the moments of the streamed values are known before these are, so that one
// pass streams, relaxes and writes them. Sums are of (1, v_x, v_y, v_z, v^2) f.

/// Mixed moments of the values at one x component and one sign of the y component.
template <int Dimensions, class Real>
struct HalfPlaneSums {
  Real mass = 0, y = 0, z = 0, yy = 0, square_z = 0, yz = 0;
  Real y_square = 0;              ///< v_y (v_y^2 + v_z^2)
  Real up[4] = {}, down[4] = {};  ///< max(+-v_z, 0) (1, v_y, v_z, v_y^2 + v_z^2)
};

template <class ExecutionSpace, class Real, int Dimensions, Pass What>
struct SinglePass {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr bool relaxes = What == Pass::collide || What == Pass::stream_collide;
  static constexpr bool flows = What == Pass::stream_collide || What == Pass::sum;
  static constexpr int sum_count = flows ? 5 * (1 + 2 * Dimensions) : (streams ? 5 : 0);
  /// Cells along x that a team takes at a time. Two share what lies between them, but with their
  /// registers fewer teams fit a multiprocessor, which costs more.
  static constexpr int length = 1;
  /// Copies of the sums that threads add to, and that are added up in the end.
  static constexpr int copies = 64;
  static constexpr int pieces = 8;

  PhaseSpace<ExecutionSpace, Real> space;

  std::size_t scratch_bytes() const {
    constexpr std::size_t alignments = 32;
    if (width == 0) {
      return static_cast<std::size_t>(space.velocities.plane) * sizeof(Real) + alignments;
    }
    constexpr std::size_t numbers = std::size_t{length} * sum_count;
    return numbers * (copies * sizeof(Real) + pieces * sizeof(double)) + alignments;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int part = team.league_rank() % space.parts;
    const Run run = space.run_of(team.league_rank() / space.parts, length);
    bool gas[length];
    bool any = false;
    KNUDSEN_UNROLL
    for (int c = 0; c < length; ++c) {
      gas[c] = c < run.count && !space.is_solid(run.first + c);
      any |= gas[c];
    }
    if (!any) return;
    if constexpr (width > 0) {
      spread(team, part, run, gas);
    } else {
      in_segments(team, run.first);
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION double* sums_written(int cell, int part) const {
    const auto& to = streams ? space.next_sums : space.sums;
    return to.data() +
           (static_cast<std::size_t>(cell) * to.extent(1) + static_cast<std::size_t>(part)) *
               to.extent(2);
  }

  // ---- On a GPU ----------------------------------------------------------------------------

  /// Sums over a thread's values of a cell, all of the same y component, as many z components as
  /// lanes, and x components of one sign.
  struct ThreadSums {
    Real mass[4] = {};  ///< times v_x^n
    Real z[2] = {}, square_z[2] = {};
    Real up[5] = {}, down[5] = {};  ///< across z: times v_x^n, v_z, v_z^2

    KOKKOS_FORCEINLINE_FUNCTION void add(Real x, Real weight, const Real (&values)[width],
                                         const Lanes<width, Real>& w,
                                         const Lanes<width, Real>& of_z,
                                         const Lanes<width, Real>& wzz) {
      Real m = 0;
      Real along = 0;
      Real square = 0;
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        const Real here = w[k] * values[k];
        m += here;
        along += of_z[k] * here;
        square += wzz[k] * values[k];
      }
      const Real of_x = weight * x;
      mass[0] += weight * m;
      mass[1] += of_x * m;
      mass[2] += x * of_x * m;
      z[0] += weight * along;
      square_z[0] += weight * square;
      if constexpr (flows) {
        mass[3] += x * x * of_x * m;
        z[1] += of_x * along;
        square_z[1] += of_x * square;
      }
      if constexpr (flows && Dimensions > 2) {
        Real sums[6] = {};
        KNUDSEN_UNROLL
        for (int k = 0; k < width; ++k) {
          const Real high = of_z[k] > 0 ? of_z[k] : Real(0);
          const Real low = of_z[k] < 0 ? -of_z[k] : Real(0);
          const Real here = w[k] * values[k];
          sums[0] += high * here;
          sums[1] += high * of_z[k] * here;
          sums[2] += high * wzz[k] * values[k];
          sums[3] += low * here;
          sums[4] += low * of_z[k] * here;
          sums[5] += low * wzz[k] * values[k];
        }
        const Real factors[3] = {weight, of_x, x * of_x};
        for (int n = 0; n < 3; ++n) {
          up[n] += factors[n] * sums[0];
          down[n] += factors[n] * sums[3];
        }
        for (int n = 1; n < 3; ++n) {
          up[2 + n] += weight * sums[n];
          down[2 + n] += weight * sums[3 + n];
        }
      }
    }

    /// Adds to the sums to which the thread's values belong, of which each is `copies` places
    /// after the one before.
    KOKKOS_FORCEINLINE_FUNCTION void give(const Real (&crossing)[3], Real y, bool left,
                                          Real* to) const {
      const Real own[5] = {mass[0], mass[1], y * mass[0], z[0],
                           mass[2] + y * y * mass[0] + square_z[0]};
      add_five(to, 0, 1, own);
      if constexpr (flows) {
        const Real along_x[5] = {mass[1], mass[2], y * mass[1], z[1],
                                 mass[3] + y * y * mass[1] + square_z[1]};
        add_five(to, left ? 5 : 10, left ? -crossing[0] : crossing[0], along_x);
      }
      if constexpr (flows && Dimensions > 1) {
        add_five(to, y < 0 ? 15 : 20, math::fabs(y) * crossing[1], own);
      }
      if constexpr (flows && Dimensions > 2) {
        const Real low[5] = {down[0], down[1], y * down[0], down[3],
                             down[2] + y * y * down[0] + down[4]};
        const Real high[5] = {up[0], up[1], y * up[0], up[3], up[2] + y * y * up[0] + up[4]};
        add_five(to, 25, crossing[2], low);
        add_five(to, 30, crossing[2], high);
      }
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION static void add_five(Real* to, int first, Real factor,
                                                     const Real (&numbers)[5]) {
      Real* at[5];
      Real before[5];
      KNUDSEN_UNROLL
      for (int n = 0; n < 5; ++n) {
        const int place = (first + n) * copies;
        at[n] = to + place;
        before[n] = *at[n];
      }
      KNUDSEN_UNROLL
      for (int n = 0; n < 5; ++n) *at[n] = before[n] + factor * numbers[n];
    }
  };

  /// The values spread over the threads of a team: a thread has one place in the plane and x
  /// components of one sign.
  KOKKOS_FORCEINLINE_FUNCTION void spread(const StepMember<ExecutionSpace>& team, int part,
                                          const Run& run, const bool (&gas)[length]) const {
    const auto& v = space.velocities;
    constexpr int numbers = length * sum_count;
    Real* copied = nullptr;
    double* of_pieces = nullptr;
    if constexpr (sum_count > 0) {
      copied = take_scratch<Real>(team, numbers * copies);
      of_pieces = take_scratch<double>(team, numbers * pieces);
      team_each(team, numbers * copies, [&](int n) { copied[n] = 0; });
    }
    const int all_slots = v.plane / width;
    const int slots = (all_slots + space.parts - 1) / space.parts;
    const int groups = team.team_size() / (2 * slots);  // of each sign
    const int group = team.team_rank() / slots;
    const int slot = part * slots + team.team_rank() - group * slots;
    const bool takes_part = group < 2 * groups && slot < all_slots;
    const bool left = group % 2 == 0;
    const RowLanes<width, Real> y(v.y.data() + (takes_part ? slot * width : 0));
    ThreadSums sums[length];
    if (takes_part) {
      const int first = (left ? 0 : v.first_positive_x) + group / 2;
      const int end = left ? v.first_positive_x : v.count[0];
      take_planes(run, gas, slot * width, first, end, groups, left, y, sums);
    }
    if constexpr (sum_count > 0) {
      team.team_barrier();
      for (int round = 0; round * copies < team.team_size(); ++round) {
        if (takes_part && team.team_rank() / copies == round) {
          KNUDSEN_UNROLL
          for (int c = 0; c < length; ++c) {
            sums[c].give(space.crossing, y.value, left,
                         copied + c * sum_count * copies + team.team_rank() % copies);
          }
        }
        team.team_barrier();
      }
      team_each(team, numbers * pieces, [&](int n) {
        const Real* copy = copied + n / pieces * copies + n % pieces;
        double sum = 0;
        KNUDSEN_UNROLL
        for (int k = 0; k < copies; k += pieces) sum += double(copy[k]);
        of_pieces[n] = sum;
      });
      team.team_barrier();
      team_each(team, numbers, [&](int n) {
        const int c = n / sum_count;
        if (c >= run.count || space.is_solid(run.first + c)) return;
        double sum = 0;
        KNUDSEN_UNROLL
        for (int k = 0; k < pieces; ++k) sum += of_pieces[n * pieces + k];
        sums_written(run.first + c, part)[n - c * sum_count] = sum;
      });
    }
  }

  /// A thread's work: the values at `begin` of every `step`-th plane from `first` to `end`.
  KOKKOS_FORCEINLINE_FUNCTION void take_planes(const Run& run, const bool (&gas)[length], int begin,
                                               int first_plane, int end, int step, bool left,
                                               const RowLanes<width, Real>& y,
                                               ThreadSums (&sums)[length]) const {
    const auto& v = space.velocities;
    const Lanes<width, Real> z(v.z.data() + begin);
    const Lanes<width, Real> weight(v.weight.data() + begin);
    const Lanes<width, Real> square_weight(v.square_weight.data() + begin);
    const int j = begin / v.row_length;
    // Where there is no gas, some cell that has it is read instead.
    const Real* centre[length];
    Upstream<Real> upstream[length];
    bool linked[length];  // to the cell before it in the run
    bool mirrors = false;
    const Real* table[length];
    Real keep[length];
    Real plane[length][width];
    KNUDSEN_UNROLL
    for (int c = 0; c < length; ++c) {
      int cell = run.first + c;
      if (!gas[c]) {
        for (cell = run.first; space.is_solid(cell);) ++cell;
      }
      linked[c] = c > 0 && gas[c] && space.neighbour(cell, 0) == cell - 1;
      centre[c] = space.values(cell);
      if constexpr (streams) {
        upstream[c].x = source_beside(space, cell, left ? 1 : 0);
        if constexpr (Dimensions > 1) {
          upstream[c].y = source_beside(space, cell, begin < v.first_positive ? 3 : 2);
        }
        if constexpr (Dimensions > 2) {
          upstream[c].below = source_beside(space, cell, 4);
          upstream[c].above = source_beside(space, cell, 5);
        }
        mirrors |= upstream[c].mirrors();
      }
      if constexpr (relaxes) {
        const Real* factors = &space.factors(cell, 0);
        table[c] = factors + v.row_length;
        const Lanes<width, Real> of_z(factors + begin - j * v.row_length);
        const Real of_y = factors[v.row_length + v.count[0] + j];
        keep[c] = factors[v.row_length + v.count[0] + v.count[1]];
        KNUDSEN_UNROLL
        for (int k = 0; k < width; ++k) plane[c][k] = of_y * of_z[k];
      }
    }
    for (int i = first_plane; i < end; i += step) {
      const Segment segment{i, j, begin, width, i * v.plane + begin};
      alignas(16) Real values[length][width];
      if constexpr (streams) {
        // In the order of x: the values from the left, and those of the cell or from the right.
        Lanes<width, Real> first[length];
        Lanes<width, Real> second[length];
        UpwindSegment<width, Real, Dimensions> upwind[length];
        KNUDSEN_UNROLL
        for (int c = 0; c < length; ++c) {
          second[c] = Lanes<width, Real>((left ? upstream[c].x.values : centre[c]) + segment.place);
          upwind[c] = UpwindSegment<width, Real, Dimensions>(space, upstream[c], segment, y);
        }
        KNUDSEN_UNROLL
        for (int c = 0; c < length; ++c) {
          if (c > 0 && linked[c]) {
            first[c] = second[c > 0 ? c - 1 : 0];
          } else {
            first[c] =
                Lanes<width, Real>((left ? centre[c] : upstream[c].x.values) + segment.place);
          }
        }
        KNUDSEN_UNROLL
        for (int c = 0; c < length; ++c) {
          if (left) {
            upwind[c].stream(first[c], second[c], width, values[c]);
          } else {
            upwind[c].stream(second[c], first[c], width, values[c]);
          }
        }
        if (mirrors) {
          KNUDSEN_UNROLL
          for (int c = 0; c < length; ++c) {
            if (!gas[c]) continue;
            const Surroundings<Real, Dimensions> sources(space, run.first + c);
            add_mirrored<width>(space, sources, segment, values[c]);
          }
        }
      } else {
        KNUDSEN_UNROLL
        for (int c = 0; c < length; ++c) {
          const Lanes<width, Real> read(centre[c] + segment.place);
          KNUDSEN_UNROLL
          for (int k = 0; k < width; ++k) values[c][k] = read[k];
        }
      }
      const Real x = v.nodes[0](i);
      const Real weight_x = v.weights[0](i);
      KNUDSEN_UNROLL
      for (int c = 0; c < length; ++c) {
        if (!gas[c]) continue;
        if constexpr (relaxes) {
          const Real row = table[c][i];
          KNUDSEN_UNROLL
          for (int k = 0; k < width; ++k) {
            values[c][k] = keep[c] * values[c][k] + row * plane[c][k];
          }
        }
        if constexpr (What != Pass::sum) {
          Real* out = streams ? space.next_values(run.first + c) : space.values(run.first + c);
          write_lanes<width>(width, out + segment.place, [&](int k) { return values[c][k]; });
        }
        if constexpr (sum_count > 0) {
          sums[c].add(x, weight_x, values[c], weight, z, square_weight);
        }
      }
    }
  }

  // ---- On the host ---------------------------------------------------------------------------

  /// to = keep x from + row x plane, and its sums. The same for every pass, so that the sums do
  /// not depend on when they are taken.
  KNUDSEN_OUTLINED_FUNCTION static HalfPlaneSums<Dimensions, Real> relax_and_sum(
      const VelocitySpace<ExecutionSpace, Real>& v, int begin, int length_here, Real keep, Real row,
      const Real* plane, Real* values) {
    const Real* y = v.y.data() + begin;
    const Real* z = v.z.data() + begin;
    const Real* weight = v.weight.data() + begin;
    const Real* square_weight = v.square_weight.data() + begin;
    HalfPlaneSums<Dimensions, Real> s;
    Real s0 = 0;
    Real s1 = 0;
    Real s2 = 0;
    Real s3 = 0;
    Real s4 = 0;
    Real s5 = 0;
    Real s6 = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : s0, s1, s2, s3, s4, s5, s6)
#endif
    for (int k = 0; k < length_here; ++k) {
      const Real value = keep * values[k] + row * plane[k];
      values[k] = value;
      const Real mass = weight[k] * value;
      const Real square = square_weight[k] * value;
      const Real along_y = y[k] * mass;
      const Real square_y = y[k] * along_y;
      s0 += mass;
      s1 += along_y;
      s2 += z[k] * mass;
      s3 += square_y;
      s4 += square;
      s5 += z[k] * along_y;
      s6 += y[k] * (square_y + square);
    }
    s.mass = s0;
    s.y = s1;
    s.z = s2;
    s.yy = s3;
    s.square_z = s4;
    s.yz = s5;
    s.y_square = s6;
    if constexpr (Dimensions > 2) {
      sum_across_z(v, begin, length_here, values, Real(1), s.up);
      sum_across_z(v, begin, length_here, values, Real(-1), s.down);
    }
    return s;
  }

  KOKKOS_INLINE_FUNCTION static void sum_across_z(const VelocitySpace<ExecutionSpace, Real>& v,
                                                  int begin, int length_here, const Real* values,
                                                  Real sign, Real (&sums)[4]) {
    const Real* y = v.y.data() + begin;
    const Real* z = v.z.data() + begin;
    const Real* weight = v.weight.data() + begin;
    const Real* square_weight = v.square_weight.data() + begin;
    Real s0 = 0;
    Real s1 = 0;
    Real s2 = 0;
    Real s3 = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : s0, s1, s2, s3)
#endif
    for (int k = 0; k < length_here; ++k) {
      const Real along = sign * z[k] > 0 ? sign * z[k] : Real(0);
      const Real mass = weight[k] * values[k];
      s0 += along * mass;
      s1 += along * y[k] * mass;
      s2 += along * z[k] * mass;
      s3 += along * (y[k] * y[k] * mass + square_weight[k] * values[k]);
    }
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
  }

  /// Adds the sums at an x component to those of the cell.
  KOKKOS_INLINE_FUNCTION void add_half_plane(int i, bool down,
                                             const HalfPlaneSums<Dimensions, Real>& s,
                                             double (&sums)[5 * (1 + 2 * Dimensions)]) const {
    const double x = space.velocities.nodes[0](i);
    const double weight = space.velocities.weights[0](i);
    const auto add = [&](int first, double factor, double mass, double y, double z, double square) {
      const double number[5] = {mass, x * mass, y, z, x * x * mass + square};
      for (int n = 0; n < 5; ++n) sums[first + n] += weight * factor * number[n];
    };
    const double square = double(s.yy) + double(s.square_z);
    add(0, 1, s.mass, s.y, s.z, square);
    const double across_x = x * double(space.crossing[0]);
    add(x < 0 ? 5 : 10, std::abs(across_x), s.mass, s.y, s.z, square);
    if constexpr (Dimensions > 1) {
      const double across_y = down ? -space.crossing[1] : space.crossing[1];
      add(down ? 15 : 20, across_y, s.y, s.yy, s.yz, s.y_square);
    }
    if constexpr (Dimensions > 2) {
      const double across_z = space.crossing[2];
      add(25, across_z, s.down[0], s.down[1], s.down[2], s.down[3]);
      add(30, across_z, s.up[0], s.up[1], s.up[2], s.up[3]);
    }
  }

  KOKKOS_INLINE_FUNCTION void in_segments(const StepMember<ExecutionSpace>& team, int cell) const {
    const auto& v = space.velocities;
    Real* plane = take_scratch<Real>(team, v.plane);
    const Real* of_x = nullptr;
    Real keep = 1;
    if constexpr (relaxes) {
      const Real* of_z = &space.factors(cell, 0);
      of_x = of_z + v.row_length;
      const Real* of_y = of_x + v.count[0];
      keep = of_y[v.count[1]];
      for (int j = 0; j < v.count[1]; ++j) {
        Real* to = plane + j * v.row_length;
        for_lanes<0>(v.row_length, [&](int k) { to[k] = of_y[j] * of_z[k]; });
      }
    } else {
      for_lanes<0>(v.plane, [&](int k) { plane[k] = 0; });
    }
    Real* values = streams ? space.next_values(cell) : space.values(cell);
    double sums[5 * (1 + 2 * Dimensions)] = {};
    const UnsplitStreaming<ExecutionSpace, Real, Dimensions> streaming(space, cell, 0);
    Segments<ExecutionSpace, Real>(team, v).each([&](const Segment& segment) {
      Real* here_values = values + segment.place;
      if constexpr (streams) streaming(segment, here_values);
      const Real row = relaxes ? of_x[segment.i] : Real(0);
      const Real* factors = plane + segment.begin;
      if constexpr (sum_count == 0) {
        for_lanes<0>(segment.length,
                     [&](int k) { here_values[k] = keep * here_values[k] + row * factors[k]; });
      } else {
        const auto found =
            relax_and_sum(v, segment.begin, segment.length, keep, row, factors, here_values);
        add_half_plane(segment.i, segment.begin < v.first_positive, found, sums);
      }
    });
    double* to = sums_written(cell, 0);
    for (int n = 0; n < sum_count; ++n) to[n] = sums[n];
  }
};

/// Bounds that leave a multiprocessor room for several teams.
template <class ExecutionSpace>
using PassPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>,
                                      Kokkos::LaunchBounds<2 * most_slots, 4>>;

/// Makes a pass over all cells. A relaxation is to what space.factors says.
template <Pass What, class ExecutionSpace, class Real>
void run_pass(const StepContext<ExecutionSpace>& context,
              const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto run = [&](auto dimensions, const char* label) {
    using Kernel = SinglePass<ExecutionSpace, Real, dimensions, What>;
    const Kernel kernel{space};
    int team = 1;
    if constexpr (Kernel::width > 0) {
      const int slots = (space.velocities.plane / Kernel::width - 1) / space.parts + 1;
      const int wanted = std::min(context.tuning.team_size, 2 * most_slots);
      const int threads = std::max(wanted / (2 * slots), 1) * 2 * slots;
      team = (threads + 31) / 32 * 32;
    }
    PassPolicy<ExecutionSpace> policy(context.execution,
                                      space.run_count(Kernel::length) * space.parts, team, 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes())));
    Kokkos::parallel_for(label, policy, kernel);
  };
  using One = std::integral_constant<int, 1>;
  if constexpr (What == Pass::collide) {
    run(One{}, "knudsen/bgkw/collide");
  } else {
    const char* label = What == Pass::stream ? "knudsen/bgkw/stream"
                        : What == Pass::sum  ? "knudsen/bgkw/sum"
                                             : "knudsen/bgkw/stream_collide";
    if (space.dimensions == 1) {
      run(One{}, label);
    } else if (space.dimensions == 2) {
      run(std::integral_constant<int, 2>{}, label);
    } else {
      run(std::integral_constant<int, 3>{}, label);
    }
  }
}

}  // namespace knudsen::bgkw
