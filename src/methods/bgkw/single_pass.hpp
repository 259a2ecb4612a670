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
  /// Cells along x that a team takes at a time: values between two of them are read once.
  static constexpr int length = width > 0 ? 2 : 1;
  /// Copies of the sums that threads add to, and that are added up in the end.
  static constexpr int copies = 64;
  static constexpr int pieces = 8;

  PhaseSpace<ExecutionSpace, Real> space;
  Collision collision;

  /// What a team's threads share of a cell.
  struct InRun {
    Surroundings<Real, Dimensions> sources;
    bool gas;
    bool linked;  ///< beside it along x is the cell before it in the run
    Real keep, gone;
    Maxwellian maxwellian;
    double moments[5];
  };

  KOKKOS_INLINE_FUNCTION static int table_length(const VelocitySpace<ExecutionSpace, Real>& v) {
    return v.row_length + v.count[0] + v.count[1];
  }
  std::size_t scratch_bytes() const {
    constexpr std::size_t alignments = 96;
    std::size_t bytes = length * sizeof(InRun) + alignments;
    if (relaxes) {
      bytes +=
          static_cast<std::size_t>(length * (table_length(space.velocities) + 4)) * sizeof(Real);
    }
    if (width == 0) return bytes + static_cast<std::size_t>(space.velocities.plane) * sizeof(Real);
    return bytes + length * sum_count * (copies * sizeof(Real) + pieces * sizeof(double));
  }

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int part = team.league_rank() % space.parts;
    const Run run = space.run_of(team.league_rank() / space.parts, length);
    bool any = false;
    for (int n = 0; n < run.count; ++n) any |= !space.is_solid(run.first + n);
    if (!any) return;
    InRun* cells = take_scratch<InRun>(team, length);
    team_each(team, length, [&](int n) { set_surroundings(run, n, cells[n]); });
    // Tables begin with the factors along z, which are read 16 bytes at a time.
    const int entries = table_length(v);
    const int stride = (entries + 3) / 4 * 4;
    Real* tables = nullptr;
    if constexpr (relaxes) {
      tables = take_scratch<Real>(team, length * stride);
      team_each(team, length * 5, [&](int n) {
        const int cell = n / 5;
        const int number = n - cell * 5;
        if (cell < run.count && !space.is_solid(run.first + cell)) {
          cells[cell].moments[number] = arriving(run.first + cell, number);
        }
      });
      team.team_barrier();
      team_each(team, length, [&](int n) {
        if (cells[n].gas) set_target(cells[n]);
      });
      team.team_barrier();
      team_each(team, length * entries, [&](int n) {
        const int cell = n / entries;
        if (cells[cell].gas) {
          fill_table(cells[cell], n - cell * entries, tables + cell * stride);
        }
      });
    }
    if constexpr (width > 0) {
      spread(team, part, run, cells, tables, stride);
    } else {
      team.team_barrier();
      in_segments(team, run.first, cells[0], tables);
    }
  }

 private:
  /// Of solids in a run the surroundings are those of some cell of gas, so that reading is allowed.
  KOKKOS_INLINE_FUNCTION void set_surroundings(const Run& run, int n, InRun& here) const {
    int cell = run.first + n;
    here.gas = n < run.count && !space.is_solid(cell);
    if (!here.gas) {
      for (cell = run.first; space.is_solid(cell);) ++cell;
    }
    here.linked = here.gas && n > 0 && space.neighbour(cell, 0) == cell - 1;
    here.sources = Surroundings<Real, Dimensions>(space, cell);
  }

  /// A sum of a cell over all parts.
  KOKKOS_INLINE_FUNCTION double total(int cell, int number) const {
    const double* sums =
        space.sums.data() +
        static_cast<std::size_t>(cell) * space.sums.extent(1) * space.sums.extent(2) + number;
    double sum = 0;
    for (int part = 0; part < space.parts; ++part) sum += sums[part * space.sums.extent(2)];
    return sum;
  }

  /// A moment of a cell's values as they are to be relaxed.
  KOKKOS_INLINE_FUNCTION double arriving(int cell, int number) const {
    double sum = total(cell, number);
    if constexpr (streams) {
      for (int direction = 0; direction < 2 * Dimensions; ++direction) {
        const double leaves = total(cell, 5 * (1 + direction) + number);
        const int neighbour = space.neighbour(cell, direction);
        if (neighbour >= 0) {
          sum += total(neighbour, 5 * (1 + (direction ^ 1)) + number) - leaves;
          continue;
        }
        const int face = -1 - neighbour;
        const int surface = space.faces(face).surface;
        const double diffuse = space.diffuse(surface);
        const double sent = diffuse * double(space.face_density(face)) *
                            space.surface_inflow(surface, direction, number);
        const double mirrored = number == 1 + direction / 2 ? -leaves : leaves;
        sum += sent + (1 - diffuse) * mirrored - leaves;
      }
    }
    return sum;
  }

  KOKKOS_INLINE_FUNCTION void set_target(InRun& here) const {
    RawMoments<5> raw;
    for (int n = 0; n < 5; ++n) raw.value[n] = here.moments[n];
    const auto set = [&](const CellTarget<Real>& target) {
      here.keep = target.keep;
      here.gone = target.gone;
      here.maxwellian = target.maxwellian;
    };
    const Macroscopic state = macroscopic(raw);
    if (collision.conservative) {
      set(cell_target<CollisionModel::bgk, true>(space.velocities, state, collision));
    } else {
      set(cell_target<CollisionModel::bgk, false>(space.velocities, state, collision));
    }
  }

  /// Factors of the Maxwellian along z, x, and y; those along x times all that is the cell's.
  KOKKOS_INLINE_FUNCTION void fill_table(const InRun& here, int n, Real* table) const {
    const auto& v = space.velocities;
    const int x = n - v.row_length;
    if (x < 0) {
      table[n] = v.factor(here.maxwellian, 2, n);
    } else if (x < v.count[0]) {
      table[n] = static_cast<Real>(here.maxwellian.amplitude) * here.gone *
                 v.factor(here.maxwellian, 0, x);
    } else {
      table[n] = v.factor(here.maxwellian, 1, x - v.count[0]);
    }
  }

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
                                         const Real (&w)[width], const Real (&wz)[width],
                                         const Real (&wzz)[width], const Lanes<width, Real>& of_z) {
      Real m = 0;
      Real along = 0;
      Real square = 0;
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        m += w[k] * values[k];
        along += wz[k] * values[k];
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
          sums[0] += high * w[k] * values[k];
          sums[1] += high * wz[k] * values[k];
          sums[2] += high * wzz[k] * values[k];
          sums[3] += low * w[k] * values[k];
          sums[4] += low * wz[k] * values[k];
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

    /// Calls add(number, sum) for all sums to which the thread's values belong.
    template <class Add>
    KOKKOS_FORCEINLINE_FUNCTION void give(const Real (&crossing)[3], Real y, bool left,
                                          const Add& add) const {
      const Real own[5] = {mass[0], mass[1], y * mass[0], z[0],
                           mass[2] + y * y * mass[0] + square_z[0]};
      KNUDSEN_UNROLL
      for (int n = 0; n < 5; ++n) add(n, own[n]);
      if constexpr (flows) {
        const Real c = left ? -crossing[0] : crossing[0];
        const int first = left ? 5 : 10;
        const Real along_x[5] = {mass[1], mass[2], y * mass[1], z[1],
                                 mass[3] + y * y * mass[1] + square_z[1]};
        KNUDSEN_UNROLL
        for (int n = 0; n < 5; ++n) add(first + n, c * along_x[n]);
      }
      if constexpr (flows && Dimensions > 1) {
        const int first = y < 0 ? 15 : 20;
        const Real c = math::fabs(y) * crossing[1];
        KNUDSEN_UNROLL
        for (int n = 0; n < 5; ++n) add(first + n, c * own[n]);
      }
      if constexpr (flows && Dimensions > 2) {
        const auto across = [&](const Real(&s)[5], int first) {
          const Real sums[5] = {s[0], s[1], y * s[0], s[3], s[2] + y * y * s[0] + s[4]};
          KNUDSEN_UNROLL
          for (int n = 0; n < 5; ++n) add(first + n, crossing[2] * sums[n]);
        };
        across(down, 25);
        across(up, 30);
      }
    }
  };

  /// The values spread over the threads of a team: a thread has one place in the plane and x
  /// components of one sign.
  KOKKOS_FORCEINLINE_FUNCTION void spread(const StepMember<ExecutionSpace>& team, int part,
                                          const Run& run, const InRun* cells, const Real* tables,
                                          int stride) const {
    const auto& v = space.velocities;
    constexpr int numbers = length * sum_count;
    Real* copied = nullptr;
    double* of_pieces = nullptr;
    if constexpr (sum_count > 0) {
      copied = take_scratch<Real>(team, numbers * copies);
      of_pieces = take_scratch<double>(team, numbers * pieces);
      team_each(team, numbers * copies, [&](int n) { copied[n] = 0; });
    }
    team.team_barrier();

    const int all_slots = v.plane / width;
    const int slots = (all_slots + space.parts - 1) / space.parts;
    const int groups = team.team_size() / (2 * slots);  // of each sign
    const int group = team.team_rank() / slots;
    const int slot = part * slots + team.team_rank() - group * slots;
    const bool takes_part = group < 2 * groups && slot < all_slots;
    const bool left = group % 2 == 0;
    ThreadSums sums[length];
    Real y = 0;
    if (takes_part) {
      const int begin = slot * width;
      const RowLanes<width, Real> row(v.y.data() + begin);
      y = row.value;
      const Lanes<width, Real> z(v.z.data() + begin);
      const Lanes<width, Real> weight(v.weight.data() + begin);
      const Lanes<width, Real> square_weight(v.square_weight.data() + begin);
      Real w[width];
      Real wz[width];
      Real wzz[width];
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        w[k] = weight[k];
        wz[k] = weight[k] * z[k];
        wzz[k] = square_weight[k];
      }
      const int j = begin / v.row_length;
      Real plane[length][width];
      if constexpr (relaxes) {
        KNUDSEN_UNROLL
        for (int c = 0; c < length; ++c) {
          const Real* table = tables + c * stride;
          const Lanes<width, Real> of_z(table + begin - j * v.row_length);
          KNUDSEN_UNROLL
          for (int k = 0; k < width; ++k) {
            plane[c][k] = table[v.row_length + v.count[0] + j] * of_z[k];
          }
        }
      }
      const int end = left ? v.first_positive_x : v.count[0];
      for (int i = (left ? 0 : v.first_positive_x) + group / 2; i < end; i += groups) {
        const Segment segment{i, j, begin, width, i * v.plane + begin};
        alignas(16) Real values[length][width];
        if constexpr (streams) {
          // In the order of x: the values from the left, and those of the cell or from the right.
          Lanes<width, Real> first[length];
          Lanes<width, Real> second[length];
          UpwindSegment<width, Real, Dimensions> upwind[length];
          KNUDSEN_UNROLL
          for (int c = 0; c < length; ++c) {
            const auto& sources = cells[c].sources;
            second[c] = Lanes<width, Real>((left ? sources.beside[1].values : sources.centre) +
                                           segment.place);
            if (c == 0 || !cells[c].linked) {
              first[c] = Lanes<width, Real>((left ? sources.centre : sources.beside[0].values) +
                                            segment.place);
            } else {
              first[c] = second[c > 0 ? c - 1 : 0];
            }
            upwind[c] = UpwindSegment<width, Real, Dimensions>(space, sources, segment, row);
          }
          bool mirrors = false;
          KNUDSEN_UNROLL
          for (int c = 0; c < length; ++c) {
            upwind[c].stream(left ? first[c] : second[c], left ? second[c] : first[c], width,
                             values[c]);
            mirrors |= cells[c].sources.mirrors;
          }
          if (mirrors) {
            KNUDSEN_UNROLL
            for (int c = 0; c < length; ++c) {
              if (cells[c].sources.mirrors) {
                add_mirrored<Dimensions>(space, cells[c].sources, segment, values[c]);
              }
            }
          }
        } else {
          KNUDSEN_UNROLL
          for (int c = 0; c < length; ++c) {
            const Lanes<width, Real> read(cells[c].sources.centre + segment.place);
            for (int k = 0; k < width; ++k) values[c][k] = read[k];
          }
        }
        const Real x = v.nodes[0](i);
        const Real weight_x = v.weights[0](i);
        KNUDSEN_UNROLL
        for (int c = 0; c < length; ++c) {
          if (!cells[c].gas) continue;
          if constexpr (relaxes) {
            const Real row_factor = tables[c * stride + v.row_length + i];
            const Real keep = cells[c].keep;
            KNUDSEN_UNROLL
            for (int k = 0; k < width; ++k) {
              values[c][k] = keep * values[c][k] + row_factor * plane[c][k];
            }
          }
          if constexpr (What != Pass::sum) {
            Real* out = streams ? space.next_values(run.first + c) : space.values(run.first + c);
            write_lanes<width>(width, out + segment.place, [&](int k) { return values[c][k]; });
          }
          if constexpr (sum_count > 0) sums[c].add(x, weight_x, values[c], w, wz, wzz, z);
        }
      }
    }
    if constexpr (sum_count > 0) {
      for (int round = 0; round * copies < team.team_size(); ++round) {
        if (takes_part && team.team_rank() / copies == round) {
          Real* copy = copied + team.team_rank() % copies;
          KNUDSEN_UNROLL
          for (int c = 0; c < length; ++c) {
            sums[c].give(space.crossing, y, left,
                         [&](int n, Real sum) { copy[(c * sum_count + n) * copies] += sum; });
          }
        }
        team.team_barrier();
      }
      team_each(team, numbers * pieces, [&](int n) {
        const Real* copy = copied + n / pieces * copies + n % pieces;
        double sum = 0;
        for (int k = 0; k < copies; k += pieces) sum += double(copy[k]);
        of_pieces[n] = sum;
      });
      team.team_barrier();
      team_each(team, numbers, [&](int n) {
        const int c = n / sum_count;
        if (!cells[c].gas) return;
        double sum = 0;
        for (int k = 0; k < pieces; ++k) sum += of_pieces[n * pieces + k];
        sums_written(run.first + c, part)[n - c * sum_count] = sum;
      });
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

  KOKKOS_INLINE_FUNCTION void in_segments(const StepMember<ExecutionSpace>& team, int cell,
                                          const InRun& here, const Real* table) const {
    const auto& v = space.velocities;
    Real* plane = take_scratch<Real>(team, v.plane);
    const Real* along_y = table + v.row_length + v.count[0];
    for (int j = 0; j < v.count[1]; ++j) {
      Real* to = plane + j * v.row_length;
      for_lanes<0>(v.row_length, [&](int k) { to[k] = relaxes ? along_y[j] * table[k] : Real(0); });
    }
    Real* values = streams ? space.next_values(cell) : space.values(cell);
    double sums[5 * (1 + 2 * Dimensions)] = {};
    const UnsplitStreaming<ExecutionSpace, Real, Dimensions> streaming(space, cell, 0);
    Segments<ExecutionSpace, Real>(team, v).each([&](const Segment& segment) {
      Real* here_values = values + segment.place;
      if constexpr (streams) streaming(segment, here_values);
      const Real keep = relaxes ? here.keep : Real(1);
      const Real row = relaxes ? table[v.row_length + segment.i] : Real(0);
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
                                      Kokkos::LaunchBounds<2 * most_slots, 3>>;

/// Makes a pass over all cells; what it needs to be known of the sums is so.
template <Pass What, class ExecutionSpace, class Real>
void run_pass(const StepContext<ExecutionSpace>& context,
              const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto run = [&](auto dimensions, const char* label) {
    using Kernel = SinglePass<ExecutionSpace, Real, dimensions, What>;
    const Kernel kernel{space, context.collision};
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
