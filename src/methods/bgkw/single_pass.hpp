#pragma once

#include "core/block_launch.hpp"
#include "core/read_ahead.hpp"
#include "methods/bgkw/step.hpp"
#include "methods/bgkw/thread_sums.hpp"

namespace knudsen::bgkw {

// Steps of bgk whose kernels wait for no moments: a kernel that writes values also adds up what the
// cell then holds and what leaves it across each face in the coming step. From these sums of a cell
// and its neighbours the moments of the streamed values are known before these are, so that one
// pass streams, relaxes and writes them. Sums are of (1, v_x, v_y, v_z, v^2) f.

/// A team goes along a run of cells in x with a part of the velocities. What a thread reads of a
/// cell it keeps in scratch memory for the next cell, whose neighbour this is, and while it works
/// on a cell the values of the next one are on their way.
template <class ExecutionSpace, class Real, int Dimensions, Pass What>
struct SinglePass {
  static constexpr int width = values_per_access<Real>;
  static constexpr int most_threads = 2 * most_slots;
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr bool relaxes = What == Pass::collide || What == Pass::stream_collide;
  static constexpr bool flows = What == Pass::stream_collide || What == Pass::sum;
  static constexpr int sum_count = flows ? 5 * (1 + 2 * Dimensions) : (streams ? 5 : 0);
  /// Partial sums that a number is made of in the end.
  static constexpr int pieces = 8;
  /// Rows of values that wait in scratch memory: the cell's and its neighbour's along x (two of the
  /// cell where it does not stream), and its neighbour's along y.
  static constexpr int rows = streams && Dimensions > 1 ? 3 : 2;
  using Sums = ThreadSums<Real, Dimensions, flows>;
  using Vector = Lanes<width, Real>;

  PhaseSpace<ExecutionSpace, Real> space;
  int slots;   ///< places of a plane that a team has, each for both signs of the x component
  int planes;  ///< most of a thread's
  int length;  ///< of a run

  KOKKOS_INLINE_FUNCTION int threads() const { return 2 * slots; }
  KOKKOS_INLINE_FUNCTION int runs_a_row() const { return (space.cells[0] + length - 1) / length; }
  KOKKOS_INLINE_FUNCTION int task_count() const {
    return runs_a_row() * space.cells[1] * space.cells[2] * space.parts;
  }

  /// Scratch memory of a team, in the order in which it lies there.
  struct Scratch {
    Vector* values;     ///< (row, plane, thread)
    double* of_pieces;  ///< (number of the cell, piece)
    Real* partial;      ///< (number of the thread, thread)
    Real* tables[2];  ///< factors along z, x and y, and the share that stays: of this and the next
  };
  KOKKOS_INLINE_FUNCTION int value_count() const { return rows * planes * threads(); }
  KOKKOS_INLINE_FUNCTION int table_length() const {
    const auto& v = space.velocities;
    return relaxes ? v.row_length + v.count[0] + v.count[1] + 1 : 0;
  }
  std::size_t scratch_bytes() const {
    const int reals = (sum_count > 0 ? Sums::count * threads() : 0) + 2 * table_length();
    return static_cast<std::size_t>(value_count()) * sizeof(Vector) +
           std::size_t{sum_count} * pieces * sizeof(double) +
           static_cast<std::size_t>(reals) * sizeof(Real) + sizeof(Vector);
  }
  KOKKOS_INLINE_FUNCTION Scratch carve(char* memory) const {
    Scratch scratch;
    scratch.values = reinterpret_cast<Vector*>(memory);
    scratch.of_pieces = reinterpret_cast<double*>(scratch.values + value_count());
    scratch.tables[0] = reinterpret_cast<Real*>(scratch.of_pieces + sum_count * pieces);
    scratch.tables[1] = scratch.tables[0] + table_length();
    scratch.partial = scratch.tables[1] + table_length();
    return scratch;
  }

  /// A thread's velocities: as many of a plane as an access has, in planes of x components of one
  /// sign.
  struct Share {
    int thread;
    int begin;  ///< in the plane
    int first;  ///< plane
    int count;  ///< of planes
    bool left;  ///< negative x components
  };
  KOKKOS_INLINE_FUNCTION Share share_of(int part, int thread) const {
    const auto& v = space.velocities;
    const bool left = thread >= slots;
    const int slot = part * slots + thread - (left ? slots : 0);
    const int begin = slot * width;
    const int count = left ? v.first_positive_x : v.count[0] - v.first_positive_x;
    if (begin >= v.plane) return {thread, 0, 0, 0, left};
    return {thread, begin, left ? 0 : v.first_positive_x, count, left};
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, char* memory) const {
    const Scratch scratch = carve(memory);
    for (int task = team.league_rank(); task < task_count(); task += team.league_size()) {
      const int part = task % space.parts;
      const int row = task / space.parts % (space.cells[1] * space.cells[2]);
      const int start = task / space.parts / (space.cells[1] * space.cells[2]) * length;
      const int left_over = space.cells[0] - start;
      const int first = row * space.cells[0] + start;
      go_along(team, scratch, part, first, first + (left_over < length ? left_over : length));
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION double* sums_written(int cell, int part) const {
    const auto& to = streams ? space.next_sums : space.sums;
    return to.data() +
           (static_cast<std::size_t>(cell) * to.extent(1) + static_cast<std::size_t>(part)) *
               to.extent(2);
  }

  /// Calls body(share) for the shares of a part: a GPU's thread has one.
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each_share(const Team& team, int part, const Share& own,
                                              const Body& body) const {
    if constexpr (is_host_backend<ExecutionSpace>) {
      for (int n = 0; n < threads(); ++n) body(share_of(part, n));
    } else {
      if (team.team_rank() < threads()) body(own);
    }
  }

  KOKKOS_INLINE_FUNCTION int next_gas(int cell, int end) const {
    while (cell < end && space.is_solid(cell)) ++cell;
    return cell;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void go_along(const Team& team, const Scratch& scratch, int part,
                                            int first, int end) const {
    const Share own = share_of(part, team.team_rank());
    int cell = next_gas(first, end);
    if (cell == end) return;
    each_share(team, part, own, [&](const Share& share) {
      const Incoming incoming(*this, share, cell);
      for (int p = 0; p < share.count; ++p) {
        const int place = (share.first + p) * space.velocities.plane + share.begin;
        start_copy(slot(scratch, share, 0, p), incoming.fresh + place);
        if constexpr (streams) start_copy(slot(scratch, share, 1, p), incoming.carried + place);
        if constexpr (rows > 2) start_copy(slot(scratch, share, 2, p), incoming.along_y + place);
      }
    });
    if constexpr (relaxes) {
      fill_table(team, cell, scratch.tables[0]);
      team.team_barrier();
    }
    for (int parity = 0; cell < end; parity ^= 1) {
      const int next = next_gas(cell + 1, end);
      const Real* table = scratch.tables[parity];
      each_share(team, part, own, [&](const Share& share) {
        take_cell(scratch, share, cell, next < end ? next : -1, parity, table);
      });
      if constexpr (sum_count > 0) {
        team.team_barrier();
        add_pieces(team, scratch, part);
      }
      if constexpr (relaxes) {
        if (next < end) fill_table(team, next, scratch.tables[parity ^ 1]);
      }
      if constexpr (relaxes || sum_count > 0) team.team_barrier();
      if constexpr (sum_count > 0) {
        team_each(team, sum_count, [&](int n) {
          double sum = 0;
          KNUDSEN_UNROLL
          for (int k = 0; k < pieces; ++k) sum += scratch.of_pieces[n * pieces + k];
          sums_written(cell, part)[n] = sum;
        });
      }
      cell = next;
    }
  }

  /// Where the values of a thread's share in a cell come from.
  struct Incoming {
    const Real* fresh;    ///< not read for the cell before
    const Real* carried;  ///< as a rule read for it already
    const Real* along_y;

    KOKKOS_FORCEINLINE_FUNCTION Incoming(const SinglePass& pass, const Share& share, int cell)
        : fresh(pass.space.values(cell)), carried(fresh), along_y(fresh) {
      if constexpr (streams) {
        // A molecule that goes on to the next cell comes from the one before, or the next one.
        const Source<Real> along_x = source_beside(pass.space, cell, share.left ? 1 : 0);
        (share.left ? fresh : carried) = along_x.values;
      }
      if constexpr (rows > 2) along_y = pass.source_along_y(share, cell).values;
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Source<Real> source_along_y(const Share& share, int cell) const {
    return source_beside(space, cell, share.begin < space.velocities.first_positive ? 3 : 2);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vector* slot(const Scratch& scratch, const Share& share, int row,
                                           int plane) const {
    return scratch.values + (row * planes + plane) * threads() + share.thread;
  }

  /// A thread's share of the work on a cell whose values have been asked for, and its demand for
  /// those of the `next` one.
  KOKKOS_FORCEINLINE_FUNCTION void take_cell(const Scratch& scratch, const Share& share, int cell,
                                             int next, int parity, const Real* table) const {
    const auto& v = space.velocities;
    const int j = share.begin / v.row_length;
    const Vector z(v.z.data() + share.begin);
    const Vector weight(v.weight.data() + share.begin);
    const Vector square_weight(v.square_weight.data() + share.begin);
    const RowLanes<width, Real> y(v.y.data() + share.begin);
    Upstream<Real> upstream;
    if constexpr (streams) {
      upstream.x = source_beside(space, cell, share.left ? 1 : 0);
      if constexpr (Dimensions > 1) upstream.y = source_along_y(share, cell);
      if constexpr (Dimensions > 2) {
        upstream.below = source_beside(space, cell, 4);
        upstream.above = source_beside(space, cell, 5);
      }
    }
    Real keep = 1;
    Real of_plane[width] = {};
    if constexpr (relaxes) {
      const Real* of_y = table + v.row_length + v.count[0];
      keep = of_y[v.count[1]];
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        of_plane[k] = of_y[j] * table[share.begin - j * v.row_length + k];
      }
    }
    const Incoming incoming(*this, share, next < 0 ? cell : next);
    const bool linked = next == cell + 1 && space.neighbour(next, 0) == cell;
    Vector* fresh = slot(scratch, share, parity, 0);
    Vector* carried = slot(scratch, share, parity ^ 1, 0);
    Vector* along_y = slot(scratch, share, rows - 1, 0);
    const Vector* here = share.left && streams ? carried : fresh;
    const Vector* beside = share.left ? fresh : carried;
    Real* out = streams ? space.next_values(cell) : space.values(cell);
    Sums sums;
    wait_for_copies();
    int place = share.first * v.plane + share.begin;
    KNUDSEN_UNROLL_TWICE
    for (int p = 0; p < share.count; ++p) {
      const int i = share.first + p;
      const int at = p * threads();
      const Segment segment{i, j, share.begin, width, place};
      Vector value = here[at];
      alignas(16) Real values[width];
      if constexpr (streams) {
        const UpwindSegment<width, Real, Dimensions> upwind(space, upstream, segment, y,
                                                            along_y[at].access.value);
        upwind.stream(value, beside[at], width, values);
        if (upstream.mirrors()) {
          add_mirrored<width>(space, Surroundings<Real, Dimensions>(space, cell), segment, values);
        }
      } else {
        KNUDSEN_UNROLL
        for (int k = 0; k < width; ++k) values[k] = value[k];
      }
      if constexpr (relaxes) {
        const Real of_x = table[v.row_length + i];
        KNUDSEN_UNROLL
        for (int k = 0; k < width; ++k) values[k] = keep * values[k] + of_x * of_plane[k];
      }
      if constexpr (What != Pass::sum) {
        write_lanes<width>(width, out + place, [&](int k) { return values[k]; });
      }
      if (next >= 0) {
        start_copy(carried + at, incoming.fresh + place);
        if (streams && !linked) start_copy(fresh + at, incoming.carried + place);
        if constexpr (rows > 2) start_copy(along_y + at, incoming.along_y + place);
      }
      if constexpr (sum_count > 0) {
        sums.add(Real(v.nodes[0](i)), Real(v.weights[0](i)), values, weight, z, square_weight);
      }
      place += v.plane;
    }
    if constexpr (sum_count > 0) {
      sums.write(space.crossing, y[0], share.left, scratch.partial + share.thread, threads());
    }
  }

  /// Adds up what the threads have: of each number the shares to which it belongs.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void add_pieces(const Team& team, const Scratch& scratch,
                                              int part) const {
    // Slots with negative y components come first.
    int middle = space.velocities.first_positive / width - part * slots;
    middle = middle < 0 ? 0 : (middle < slots ? middle : slots);
    team_each(team, sum_count * pieces, [&](int n) {
      const int number = n / pieces;
      const int direction = number / 5 - 1;
      const Real* sums = scratch.partial + Sums::number_of(number) * threads();
      double sum = 0;
      const auto add = [&](int first, int end) {
        for (int t = first + n % pieces; t < end; t += pieces) sum += double(sums[t]);
      };
      const int begin = direction == 3 ? middle : 0;
      const int end = direction == 2 ? middle : slots;
      if (direction != 0) add(begin, end);
      if (direction != 1) add(slots + begin, slots + end);
      scratch.of_pieces[n] = sum;
    });
  }

  /// Factors along z, x and y of what a cell relaxes to times the share of f that is gone then, and
  /// the share that stays.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void fill_table(const Team& team, int cell, Real* table) const {
    const auto& v = space.velocities;
    const Relaxation& to = space.relaxations(cell);
    team_each(team, table_length(), [&](int n) {
      const int x = n - v.row_length;
      const int y = x - v.count[0];
      if (x < 0) {
        table[n] = v.factor(to.maxwellian, 2, n);
      } else if (y < 0) {
        table[n] =
            static_cast<Real>(to.gone * to.maxwellian.amplitude) * v.factor(to.maxwellian, 0, x);
      } else if (y < v.count[1]) {
        table[n] = v.factor(to.maxwellian, 1, y);
      } else {
        table[n] = static_cast<Real>(to.keep);
      }
    });
  }
};

/// The length of runs with which the teams that a device has at once are busy longest: the last of
/// their rounds is to be as full as the others. A run's first cell has one cell more to read.
inline int run_length(int cells, int lines, int resident) {
  constexpr int longest = 16;  // what a neighbouring line has read is to be in the cache still
  if (resident <= 0) return cells < longest ? cells : longest;
  int best = 1;
  double least = 0;
  for (int length = 1; length <= (cells < longest ? cells : longest); ++length) {
    const int tasks = (cells + length - 1) / length * lines;
    const int rounds = (tasks + resident - 1) / resident;
    const double cost = rounds * (length + 0.5);
    if (length == 1 || cost < least) {
      best = length;
      least = cost;
    }
  }
  return best;
}

/// Makes a pass over all cells. A relaxation is to what space.relaxations says.
template <Pass What, class ExecutionSpace, class Real>
void run_pass(const StepContext<ExecutionSpace>& context,
              const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto run = [&](auto dimensions, const char* label) {
    using Kernel = SinglePass<ExecutionSpace, Real, dimensions, What>;
    const auto& v = space.velocities;
    const int left = v.first_positive_x;
    const int planes = std::max(left, v.count[0] - left);
    const int all_slots = v.plane / Kernel::width;
    Kernel kernel{space, (all_slots - 1) / space.parts + 1, planes, 1};
    const std::size_t bytes = kernel.scratch_bytes();
    const int team = is_host_backend<ExecutionSpace> ? 1 : (kernel.threads() + 31) / 32 * 32;
    kernel.length = run_length(space.cells[0], space.cells[1] * space.cells[2] * space.parts,
                               resident_teams<ExecutionSpace, Kernel>(team, bytes));
    launch_blocks(label, context.execution, kernel.task_count(), team, bytes, kernel);
  };
  const auto dispatch = [&](const char* label) {
    switch (space.dimensions) {
      case 1:
        return run(std::integral_constant<int, 1>{}, label);
      case 2:
        return run(std::integral_constant<int, 2>{}, label);
      default:
        return run(std::integral_constant<int, 3>{}, label);
    }
  };
  if constexpr (What == Pass::collide) {
    run(std::integral_constant<int, 1>{}, "knudsen/bgkw/collide");
  } else {
    dispatch(What == Pass::stream ? "knudsen/bgkw/stream"
             : What == Pass::sum  ? "knudsen/bgkw/sum"
                                  : "knudsen/bgkw/stream_collide");
  }
}

}  // namespace knudsen::bgkw
