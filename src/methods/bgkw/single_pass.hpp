#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include "device/block_sum.hpp"
#include "device/pace.hpp"
#include "device/async_copy.hpp"
#include "device/split_barrier.hpp"
#include "methods/bgkw/step.hpp"
#include "methods/bgkw/thread_sums.hpp"

namespace knudsen::bgkw {

// Steps of bgk whose kernels wait for no moments: a kernel that writes values also adds up what the
// cell then holds and what leaves it across each face in the coming step. From these sums of a cell
// and its neighbours the moments of the streamed values are known before these are, so that one
// pass streams, relaxes and writes them. Sums are of (1, v_x, v_y, v_z, v^2) f.

/// A team goes along runs of cells in x, one after the other, with a part of the velocities. What a
/// thread reads of a cell it keeps in scratch memory for the next cell, whose neighbour this is,
/// and while it works on a cell the values of the next one are on their way. It works on
/// PlanesAtATime values at a time so that scratch memory's answers are on their way together. Teams
/// keep pace, so that a neighbour's values along y are in the cache still.
template <class ExecutionSpace, class Real, int Dimensions, Pass What, int PlanesAtATime>
struct SinglePass {
  static constexpr int width = values_per_access<Real>;
  // Values in double precision take more registers.
  static constexpr int max_threads = sizeof(Real) == sizeof(float) ? 256 : 192;
  static constexpr int teams_at_once = Dimensions < 3 ? 2 : 1;
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr bool relaxes = What == Pass::collide || What == Pass::stream_collide;
  static constexpr bool flows = What == Pass::stream_collide || What == Pass::sum;
  static constexpr int sum_count = flows ? 5 * (1 + 2 * Dimensions) : (streams ? 5 : 0);
  /// Rows of values that wait in scratch memory: the cell's and its neighbour's along x (two of the
  /// cell where it does not stream), and its neighbour's along y.
  static constexpr int rows = streams && Dimensions > 1 ? 3 : 2;
  using Sums = ThreadSums<Real, Dimensions, flows>;
  using Vector = Lanes<width, Real>;

  PhaseSpace<ExecutionSpace, Real> space;
  int slots;   ///< places of a plane that a team has, each for both signs of the x component
  int splits;  ///< threads that share the planes of one sign
  int planes;  ///< most of a thread's
  int length;  ///< of a run

  KOKKOS_INLINE_FUNCTION int threads() const { return 2 * splits * slots; }
  int team_size() const {
    constexpr int lanes = warp_size<ExecutionSpace>;
    return is_host_backend<ExecutionSpace> ? 1 : (threads() + lanes - 1) / lanes * lanes;
  }
  KOKKOS_INLINE_FUNCTION int lines() const { return space.cells[1] * space.cells[2]; }
  KOKKOS_INLINE_FUNCTION int run_count() const {
    return (space.cells[0] + length - 1) / length * lines();
  }
  KOKKOS_INLINE_FUNCTION int task_count() const { return run_count() * space.parts; }

  /// An x component and its weight.
  struct alignas(2 * sizeof(Real)) PlaneNode {
    Real x, weight;
  };
  /// Scratch memory of a team, in the order in which it lies there.
  struct Scratch {
    Vector* values;  ///< (row, plane, thread)
    Real* partial;   ///< (number of the thread, thread)
    void* barriers;
    PlaneNode* nodes;  ///< x components
    Real* of_x;        ///< (warp, x component): factors of the cell
  };
  KOKKOS_INLINE_FUNCTION int value_count() const { return rows * planes * threads(); }
  KOKKOS_INLINE_FUNCTION int partial_count() const {
    constexpr int whole = 16;
    return sum_count > 0 ? (Sums::count * threads() + whole - 1) / whole * whole : 0;
  }
  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(value_count()) * sizeof(Vector) +
           static_cast<std::size_t>(partial_count()) * sizeof(Real) +
           std::size_t{2} * split_barrier_bytes +
           static_cast<std::size_t>(space.velocities.count[0]) * sizeof(PlaneNode) +
           static_cast<std::size_t>(copied_factor_count()) * sizeof(Real);
  }
  /// Factors along x, of which each warp has a copy.
  KOKKOS_INLINE_FUNCTION int copied_factor_count() const {
    constexpr int lanes = warp_size<ExecutionSpace>;
    if (!relaxes || lanes == 1) return 0;
    return (threads() + lanes - 1) / lanes * space.velocities.count[0];
  }
  KOKKOS_INLINE_FUNCTION Scratch carve(char* memory) const {
    Scratch scratch;
    scratch.values = reinterpret_cast<Vector*>(memory);
    scratch.partial = reinterpret_cast<Real*>(scratch.values + value_count());
    scratch.barriers = scratch.partial + partial_count();
    constexpr std::size_t barrier_bytes = std::size_t{2} * split_barrier_bytes;
    scratch.nodes =
        reinterpret_cast<PlaneNode*>(static_cast<char*>(scratch.barriers) + barrier_bytes);
    scratch.of_x = reinterpret_cast<Real*>(scratch.nodes + space.velocities.count[0]);
    return scratch;
  }

  /// A thread's velocities: as many of a plane as an access has, in planes of x components of one
  /// sign.
  struct Share {
    int thread;
    int begin;  ///< in the plane
    int j;      ///< number of the y component
    int first;  ///< plane
    int count;  ///< of planes
    int takes;  ///< in which they are worked on
    bool left;  ///< negative x components
    bool down;  ///< negative y components
  };
  KOKKOS_INLINE_FUNCTION Share share_of(int part, int thread) const {
    const auto& v = space.velocities;
    const int block = thread / slots;
    const bool left = block >= splits;
    const int begin = (part * slots + thread - block * slots) * width;
    if (thread >= threads() || begin >= v.plane) return {thread, 0, 0, 0, 0, 0, left, false};
    const int all = left ? v.first_positive_x : v.count[0] - v.first_positive_x;
    const int before = (left ? block - splits : block) * planes;
    const int most = all - before < planes ? all - before : planes;
    const int count = most > 0 ? most : 0;
    const int left_over = count % PlanesAtATime;
    const int takes = count / PlanesAtATime + left_over / 2 + left_over % 2;
    const int first = before + (left ? 0 : v.first_positive_x);
    return {thread, begin, begin / v.row_length,    first, count,
            takes,  left,  begin < v.first_positive};
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, char* memory) const {
    const Scratch scratch = carve(memory);
    const int teams = team.league_size();
    const int groups = teams < space.parts ? 1 : teams / space.parts;
    const int group = team.league_rank() / space.parts;
    SplitBarrier<Team> written(team, scratch.barriers, 0);
    SplitBarrier<Team> read(team, scratch.barriers, 1);
    const auto& v = space.velocities;
    team_each(team, v.count[0], [&](int i) {
      scratch.nodes[i] = {v.nodes[0](i), v.weights[0](i)};
    });
    team.team_barrier();
    if (group >= groups) return;
    const bool reads_across_lines = streams && Dimensions > 1;
    const int working = teams < space.parts ? teams : groups * space.parts;
    const int runs = (run_count() - 1) / groups + 1;
    const int rounds = (space.parts - 1) / teams + 1;
    Pace pace(team, reads_across_lines ? space.progress.data() : nullptr, working,
              static_cast<Pace::Count>(runs) * static_cast<Pace::Count>(rounds * length));
    for (int part = team.league_rank() % space.parts; part < space.parts; part += teams) {
      go_through(team, scratch, written, read, pace, part, group, groups);
    }
    pace.leave();
  }

 private:
  KOKKOS_INLINE_FUNCTION double* sums_written(int cell, int part) const {
    const auto& to = streams ? space.next_sums : space.sums;
    return to.data() +
           (static_cast<std::size_t>(cell) * to.extent(1) + static_cast<std::size_t>(part)) *
               to.extent(2);
  }

  /// A cell to be worked on, -1: none, and whether the one before it is its neighbour.
  struct Stop {
    int cell;
    bool linked;
  };
  /// The cells of gas in every `groups`-th run, one after the other.
  struct Walk {
    const SinglePass& pass;
    int groups;
    int run;
    int cell = 0;
    int end = 0;

    KOKKOS_FORCEINLINE_FUNCTION Walk(const SinglePass& of, int group, int all_groups)
        : pass(of), groups(all_groups), run(group - all_groups) {}
    KOKKOS_FORCEINLINE_FUNCTION Stop next() {
      bool linked = true;
      while (true) {
        if (cell == end) {
          linked = false;
          run += groups;
          if (run >= pass.run_count()) {
            run -= groups;
            return {-1, false};
          }
          const int start = run / pass.lines() * pass.length;
          const int left_over = pass.space.cells[0] - start;
          cell = run % pass.lines() * pass.space.cells[0] + start;
          end = cell + (left_over < pass.length ? left_over : pass.length);
        }
        ++cell;
        if (!pass.space.has_solids || !pass.space.is_solid(cell - 1)) return {cell - 1, linked};
        linked = false;
      }
    }
  };

  /// A cell's neighbours upstream of a thread's velocities.
  struct Links {
    Stop stop;
    int along_x = 0;
    int along_y = 0;

    KOKKOS_FORCEINLINE_FUNCTION Links(const SinglePass& pass, const Share& share, const Stop& at)
        : stop(at) {
      if (at.cell < 0) return;
      if constexpr (streams) along_x = pass.space.neighbour(at.cell, share.left ? 1 : 0);
      if constexpr (rows > 2) along_y = pass.space.neighbour(at.cell, share.down ? 3 : 2);
    }
  };
  /// What a thread knows of a cell before it works on it.
  struct Coming {
    Links links;
    Real keep = 1;
    Real of_x = 0;  ///< of the thread's number in its warp
    Real of_y = 0;
    Vector of_z;

    KOKKOS_FORCEINLINE_FUNCTION Coming(const SinglePass& pass, const Share& share, const Links& to)
        : links(to) {
      if (to.stop.cell < 0) return;
      if constexpr (relaxes) {
        const auto& v = pass.space.velocities;
        const Real* factors = pass.space.factors_of(to.stop.cell);
        of_z = Vector(factors + (share.begin - share.j * v.row_length));
        const Real* along_x = factors + v.row_length;
        const int lane = share.thread % warp_size<ExecutionSpace>;
        if (lane < v.count[0]) of_x = along_x[lane];
        const Real* along_y = along_x + v.count[0];
        of_y = along_y[share.j];
        keep = along_y[v.count[1]];
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION int cell() const { return links.stop.cell; }
  };
  /// What the sums need of a thread's velocities.
  struct Lane {
    RowLanes<width, Real> y;
    typename Sums::Weights weights;

    KOKKOS_FORCEINLINE_FUNCTION Lane(const SinglePass& pass, const Share& share)
        : y(pass.space.velocities.y.data() + share.begin),
          weights(pass.space.velocities, share.begin) {}
  };
  /// Values that stream from a neighbour, or the Maxwellian beyond a face.
  KOKKOS_FORCEINLINE_FUNCTION const Real* source(int neighbour) const {
    if (neighbour >= 0) return space.values(neighbour);
    return &space.surface_maxwellian(space.faces(-1 - neighbour).surface, 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vector* slot(const Scratch& scratch, const Share& share,
                                           int row) const {
    return scratch.values + row * planes * threads() + share.thread;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void go_through(const Team& team, const Scratch& scratch,
                                              SplitBarrier<Team>& written, SplitBarrier<Team>& read,
                                              Pace& pace, int part, int group, int groups) const {
    Walk walk(*this, group, groups);
    Stop stop = walk.next();
    if (stop.cell < 0) return;
    if constexpr (is_host_backend<ExecutionSpace>) {
      const auto coming = [&](const Share& share, const Stop& at) {
        return Coming(*this, share, Links(*this, share, at));
      };
      for (int n = 0; n < threads(); ++n) {
        const Share share = share_of(part, n);
        start_copies(scratch, share, coming(share, stop), 0);
      }
      for (int parity = 0; stop.cell >= 0; parity ^= 1) {
        const Stop next = walk.next();
        for (int n = 0; n < threads(); ++n) {
          const Share share = share_of(part, n);
          take_cell(
              scratch, share, Lane(*this, share), coming(share, stop), coming(share, next), parity,
              [] {}, [] {});
        }
        add_up(team, scratch, stop.cell, part);
        stop = next;
      }
    } else {
      const Share share = share_of(part, team.team_rank());
      const Lane lane(*this, share);
      int before = -1;
      Coming now(*this, share, Links(*this, share, stop));
      start_copies(scratch, share, now, 0);
      // Read a cell ahead: the addresses of the next cell's values depend on them.
      Links ahead(*this, share, walk.next());
      for (int parity = 0; now.cell() >= 0; parity ^= 1) {
        const Coming next(*this, share, ahead);
        ahead = Links(*this, share, walk.next());
        const Pace::Count seen = pace.look();
        take_cell(
            scratch, share, lane, now, next, parity,
            [&] {
              if (sum_count == 0 || before < 0) return;
              written.wait(team);
              add_up(team, scratch, before, part);
              read.arrive();
            },
            [&] {
              if (sum_count > 0 && before >= 0) read.wait(team);
            });
        if constexpr (sum_count > 0) written.arrive();
        pace.step(seen);
        before = now.cell();
        now = next;
      }
      if constexpr (sum_count > 0) {
        written.wait(team);
        add_up(team, scratch, before, part);
        read.arrive();
        read.wait(team);
      }
    }
  }

  /// Asks for the values of a team's first cell.
  KOKKOS_FORCEINLINE_FUNCTION void start_copies(const Scratch& scratch, const Share& share,
                                                const Coming& to, int parity) const {
    const Arrival from(*this, share, to);
    int place = share.first * space.velocities.plane + share.begin;
    for (int p = 0; p < share.count; ++p) {
      const int at = p * threads();
      start_copy(slot(scratch, share, parity) + at, from.fresh + place);
      if constexpr (streams)
        start_copy(slot(scratch, share, parity ^ 1) + at, from.carried + place);
      if constexpr (rows > 2) start_copy(slot(scratch, share, 2) + at, from.along_y + place);
      place += space.velocities.plane;
    }
  }

  /// Where the values of a thread's share in a cell come from.
  struct Arrival {
    const Real* fresh = nullptr;    ///< not read for the cell before
    const Real* carried = nullptr;  ///< as a rule read for it already
    const Real* along_y = nullptr;

    KOKKOS_FORCEINLINE_FUNCTION Arrival(const SinglePass& pass, const Share& share,
                                        const Coming& to) {
      if (to.cell() < 0) return;
      const Real* own = pass.space.values(to.cell());
      fresh = carried = own;
      if constexpr (streams) {
        // A molecule that goes on to the next cell comes from the one before, or the next one.
        const Real* beside = pass.source(to.links.along_x);
        fresh = share.left ? beside : own;
        carried = share.left ? own : beside;
      }
      if constexpr (rows > 2) along_y = pass.source(to.links.along_y);
    }
  };

  /// Makes values that came from beyond a face what it sends: the wall's share, and the mirror
  /// image of what the cell has.
  KOKKOS_FORCEINLINE_FUNCTION void cross_face(const Share& share, int cell, int face, int axis,
                                              Vector* values) const {
    const auto& v = space.velocities;
    const Source<Real> from = source_beyond(space, face, space.values(cell));
    int place = share.first * v.plane + share.begin;
    for (int p = 0; p < share.count; ++p) {
      Vector& value = values[p * threads()];
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        Real sum = from.factor * value.access.value[k];
        if (from.mirrored != nullptr) {
          sum += from.mirrored_factor * from.mirrored[mirrored_place(v, axis, place + k)];
        }
        value.access.value[k] = sum;
      }
      place += v.plane;
    }
  }

  /// What a cell's factors along x are read from: on a GPU a warp's copy, since the way to them is
  /// long.
  KOKKOS_FORCEINLINE_FUNCTION const Real* factors_along_x(const Scratch& scratch,
                                                          const Share& share,
                                                          const Coming& now) const {
    constexpr int lanes = warp_size<ExecutionSpace>;
    const int count = space.velocities.count[0];
    const Real* factors = space.factors_of(now.cell()) + space.velocities.row_length;
    if constexpr (lanes == 1) return factors;
    const int lane = share.thread % lanes;
    Real* copy = scratch.of_x + share.thread / lanes * count;
    warp_barrier();
    if (lane < count) copy[lane] = now.of_x;
    for (int n = lane + lanes; n < count; n += lanes) copy[n] = factors[n];
    warp_barrier();
    return copy;
  }

  /// A thread's share of the work on a cell whose values have been asked for, and its demand for
  /// those of the `next` one. Calls `half_way` in between and `before_sums` before it writes sums.
  template <class HalfWay, class BeforeSums>
  KOKKOS_FORCEINLINE_FUNCTION void take_cell(const Scratch& scratch, const Share& share,
                                             const Lane& lane, const Coming& now,
                                             const Coming& next, int parity,
                                             const HalfWay& half_way,
                                             const BeforeSums& before_sums) const {
    const auto& v = space.velocities;
    Upstream<Real> upstream;
    if constexpr (streams && Dimensions > 2) {
      upstream.below = source_beside(space, now.cell(), 4);
      upstream.above = source_beside(space, now.cell(), 5);
    }
    Real of_plane[width] = {};
    const Real* of_x = nullptr;
    if constexpr (relaxes) {
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) of_plane[k] = now.of_y * now.of_z[k];
      of_x = factors_along_x(scratch, share, now);
    }
    const Arrival from(*this, share, next);
    Vector* fresh = slot(scratch, share, parity);
    Vector* carried = slot(scratch, share, parity ^ 1);
    Vector* along_y = slot(scratch, share, rows - 1);
    Vector* here = share.left && streams ? carried : fresh;
    Vector* beside = share.left ? fresh : carried;
    Real* out = streams ? space.next_values(now.cell()) : space.values(now.cell());
    keep_address(out);
    Sums sums;
    const Links& links = now.links;
    // Of a cell with all its neighbours each take waits for its own copies.
    if (links.along_x < 0 || links.along_y < 0 || !links.stop.linked) wait_for_copies();
    if constexpr (streams) {
      if (links.along_x < 0) cross_face(share, now.cell(), -1 - links.along_x, 0, beside);
    }
    if constexpr (rows > 2) {
      if (links.along_y < 0) cross_face(share, now.cell(), -1 - links.along_y, 1, along_y);
    }
    int place = share.first * v.plane + share.begin;
    // Some planes at a time, so that what they read is on its way together.
    const auto take = [&](auto number, int p) {
      constexpr int count = decltype(number)::value;
      Vector value[count], value_x[count], value_y[count];
      Real x[count], weight_x[count], factor_x[count];
      KNUDSEN_UNROLL
      for (int n = 0; n < count; ++n) {
        const int i = share.first + p + n;
        if constexpr (relaxes) factor_x[n] = of_x[i];
        const PlaneNode node = scratch.nodes[i];
        x[n] = node.x;
        weight_x[n] = node.weight;
      }
      wait_for_all_but(share.takes - 1);
      KNUDSEN_UNROLL
      for (int n = 0; n < count; ++n) {
        const int at = (p + n) * threads();
        value[n] = here[at];
        if constexpr (streams) value_x[n] = beside[at];
        if constexpr (rows > 2) value_y[n] = along_y[at];
      }
      Real values[count][width];
      KNUDSEN_UNROLL
      for (int n = 0; n < count; ++n) {
        if constexpr (streams) {
          const Segment segment{share.first + p + n, 0, share.begin, width, place + n * v.plane};
          const UpwindSegment<width, Real, Dimensions> upwind(space, upstream, segment, x[n],
                                                              lane.y, value_y[n].access.value);
          upwind.stream(value[n], value_x[n], width, values[n]);
          if constexpr (Dimensions > 2) {
            add_mirrored_along<width>(space, 2, upstream.below, upstream.above, segment, values[n]);
          }
        } else {
          KNUDSEN_UNROLL
          for (int k = 0; k < width; ++k) values[n][k] = value[n][k];
        }
        if constexpr (relaxes) {
          KNUDSEN_UNROLL
          for (int k = 0; k < width; ++k) {
            values[n][k] = now.keep * values[n][k] + factor_x[n] * of_plane[k];
          }
        }
      }
      if constexpr (What != Pass::sum) {
        KNUDSEN_UNROLL
        for (int n = 0; n < count; ++n) {
          typename Vector::Access access;
          KNUDSEN_UNROLL
          for (int k = 0; k < width; ++k) access.value[k] = values[n][k];
          store_evict_first(reinterpret_cast<typename Vector::Access*>(out + (place + n * v.plane)),
                     access);
        }
      }
      if (next.cell() >= 0) {
        KNUDSEN_UNROLL
        for (int n = 0; n < count; ++n) {
          const int at = (p + n) * threads();
          const int there = place + n * v.plane;
          start_copy(carried + at, from.fresh + there);
          if constexpr (rows > 2) start_copy(along_y + at, from.along_y + there);
        }
      }
      commit_copies();
      if constexpr (sum_count > 0) {
        KNUDSEN_UNROLL
        for (int n = 0; n < count; ++n) {
          sums.add(x[n], weight_x[n], values[n], lane.weights);
        }
      }
      place += count * v.plane;
    };
    using Group = std::integral_constant<int, PlanesAtATime>;
    // All threads of a warp are half way at the same time.
    const int middle = planes / (2 * PlanesAtATime) * PlanesAtATime;
    if (planes < PlanesAtATime) half_way();
    KNUDSEN_NO_UNROLL
    for (int p = 0; p + PlanesAtATime <= planes; p += PlanesAtATime) {
      if (p == middle) half_way();
      if (p + PlanesAtATime <= share.count) take(Group{}, p);
    }
    int p = share.count / PlanesAtATime * PlanesAtATime;
    if constexpr (PlanesAtATime > 2) {
      if (p + 2 <= share.count) {
        take(std::integral_constant<int, 2>{}, p);
        p += 2;
      }
    }
    if (p < share.count) take(std::integral_constant<int, 1>{}, p);
    if constexpr (streams) {
      if (next.cell() >= 0 && !next.links.stop.linked) {
        place = share.first * v.plane + share.begin;
        for (p = 0; p < share.count; ++p, place += v.plane) {
          start_copy(fresh + p * threads(), from.carried + place);
        }
      }
    }
    before_sums();
    if constexpr (sum_count > 0) {
      if (share.thread < threads()) {
        sums.write(space.crossing, lane.y[0], share.left, scratch.partial + share.thread,
                   threads());
      }
    }
  }

  /// Adds every `Stride`-th value.
  template <std::ptrdiff_t Stride>
  KOKKOS_FORCEINLINE_FUNCTION static void add_strided(const Real* from, const Real* end,
                                                      double& sum) {
    KNUDSEN_NO_UNROLL
    for (; from + 3 * Stride < end; from += 4 * Stride) {
      const Real value[4] = {from[0], from[Stride], from[2 * Stride], from[3 * Stride]};
      KNUDSEN_UNROLL
      for (int k = 0; k < 4; ++k) sum += double(value[k]);
    }
    KNUDSEN_NO_UNROLL
    for (; from < end; from += Stride) sum += double(*from);
  }

  /// Adds up what the threads have of a cell: of each number the shares to which it belongs.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void add_up(const Team& team, const Scratch& scratch, int cell,
                                          int part) const {
    if constexpr (sum_count > 0) {
      constexpr int lanes = lanes_of_a_sum<Team>;
      // Slots with negative y components come first.
      int middle = space.velocities.first_positive / width - part * slots;
      middle = middle < 0 ? 0 : (middle < slots ? middle : slots);
      double* to = sums_written(cell, part);
      sum_over_lanes(
          team, sum_count,
          [&](int number, int lane) {
            const int direction = number / 5 - 1;
            const Real* sums = scratch.partial + Sums::number_of(number) * threads();
            double sum = 0;
            if (direction == 2 || direction == 3) {
              const int begin = direction == 3 ? middle : 0;
              const int end = direction == 2 ? middle : slots;
              for (int block = 0; block < 2 * splits; ++block, sums += slots) {
                add_strided<lanes>(sums + begin + lane, sums + end, sum);
              }
            } else {
              // Shares with positive x components come first, then the others.
              const int half = splits * slots;
              add_strided<lanes>(sums + (direction == 0 ? half : 0) + lane,
                                 sums + (direction == 1 ? half : 2 * half), sum);
            }
            return sum;
          },
          [&](int number, double sum) { to[number] = sum; });
    }
  }
};

/// The length of runs with which the teams that a device has at once are busy longest, where
/// `teams` share out the lines of cells: the last of their rounds is to be as full as the others. A
/// run's first cell has one cell more to read.
inline int run_length(int cells, int lines, int teams) {
  // What a neighbouring line has read is to be in the cache still.
  const int longest = lines > 1 && cells > 64 ? 64 : cells;
  if (teams <= 0) return cells < 16 ? cells : 16;
  int best = 1;
  double least = 0;
  for (int length = 1; length <= longest; ++length) {
    const int runs = (cells + length - 1) / length * lines;
    const int rounds = (runs + teams - 1) / teams;
    const double cost = rounds * (length + 0.5);
    if (length == 1 || cost < least) {
      best = length;
      least = cost;
    }
  }
  return best;
}

template <class ExecutionSpace, class Real>
int accesses_of_plane(const PhaseSpace<ExecutionSpace, Real>& space) {
  return space.velocities.plane / values_per_access<Real>;
}
/// Most x components of one sign.
template <class ExecutionSpace, class Real>
int planes_of_sign(const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto& v = space.velocities;
  return std::max(v.first_positive_x, v.count[0] - v.first_positive_x);
}

/// Places of a plane that a team has.
template <class ExecutionSpace, class Real>
int slots_of_part(const PhaseSpace<ExecutionSpace, Real>& space) {
  return (accesses_of_plane(space) - 1) / space.parts + 1;
}

/// A pass that shares out the velocities as the space says.
template <class Kernel, class ExecutionSpace, class Real>
Kernel make_pass(const PhaseSpace<ExecutionSpace, Real>& space) {
  return {space, slots_of_part(space), space.splits, (planes_of_sign(space) - 1) / space.splits + 1,
          1};
}

/// Sets into how many parts a cell's planes are divided among teams, and into how many splits the
/// planes among threads, such that a multiprocessor has scratch memory and registers for most
/// threads with work. The same for all passes: their sums are to agree to the last bit.
template <class ExecutionSpace, class Real>
void share_out_velocities(PhaseSpace<ExecutionSpace, Real>& space) {
  const auto choose = [&](auto dimensions) {
    using Kernel = SinglePass<ExecutionSpace, Real, dimensions, Pass::stream_collide, 1>;
    constexpr int most_slots = Kernel::max_threads / 2;
    constexpr int threads_at_once = Kernel::max_threads * Kernel::teams_at_once;
    // A thread of few planes pays too much for its sums, more so in double precision, and more
    // teams than these pay for theirs.
    constexpr int least_planes = sizeof(Real) == sizeof(float) ? 8 : 16;
    constexpr int most_teams = 3;
    constexpr double least_gain = 1.02;
    constexpr std::size_t taken_by_launch = 1024;
    const std::size_t scratch = max_block_scratch<ExecutionSpace>() + taken_by_launch;
    const int accesses = accesses_of_plane(space);
    const int most_splits =
        is_host_backend<ExecutionSpace> ? 1 : std::max(planes_of_sign(space) / least_planes, 1);
    double most = 0;
    auto best = std::pair(accesses, 1);
    for (int parts = (accesses - 1) / most_slots + 1; parts <= accesses; ++parts) {
      space.parts = parts;
      space.splits = std::clamp(most_slots / slots_of_part(space), 1, most_splits);
      const auto kernel = make_pass<Kernel>(space);
      const auto room = static_cast<int>(scratch / (kernel.scratch_bytes() + taken_by_launch));
      const int teams = std::min({room, threads_at_once / kernel.team_size(), most_teams});
      const double working = 2.0 * teams * space.splits * accesses / parts;
      if (working > least_gain * most) {
        most = working;
        best = {parts, space.splits};
      }
    }
    std::tie(space.parts, space.splits) = best;
  };
  if (space.dimensions == 1) return choose(std::integral_constant<int, 1>{});
  if (space.dimensions == 2) return choose(std::integral_constant<int, 2>{});
  choose(std::integral_constant<int, 3>{});
}

/// Makes a pass over all cells. A relaxation is to what space.factors says.
template <Pass What, class ExecutionSpace, class Real>
void run_pass(const StepContext<ExecutionSpace>& context,
              const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto run = [&](auto dimensions, auto planes_at_a_time, const char* label) {
    using Kernel = SinglePass<ExecutionSpace, Real, dimensions, What, planes_at_a_time>;
    auto kernel = make_pass<Kernel>(space);
    const int team = kernel.team_size();
    const std::size_t bytes = kernel.scratch_bytes();
    kernel.length = run_length(space.cells[0], space.cells[1] * space.cells[2],
                               resident_teams<ExecutionSpace, Kernel>(team, bytes) / space.parts);
    launch_blocks(label, context.execution, kernel.task_count(), team, bytes, kernel);
  };
  using One = std::integral_constant<int, 1>;
  using Two = std::integral_constant<int, 2>;
  using Three = std::integral_constant<int, 3>;
  if constexpr (What == Pass::collide) {
    run(One{}, Two{}, "knudsen/bgkw/collide");
  } else if constexpr (is_host_backend<ExecutionSpace> || What == Pass::sum) {
    const char* label = What == Pass::stream ? "knudsen/bgkw/stream"
                        : What == Pass::sum  ? "knudsen/bgkw/sum"
                                             : "knudsen/bgkw/stream_collide";
    if (space.dimensions == 1) return run(One{}, One{}, label);
    if (space.dimensions == 2) return run(Two{}, One{}, label);
    run(Three{}, One{}, label);
  } else {
    const char* label =
        What == Pass::stream ? "knudsen/bgkw/stream" : "knudsen/bgkw/stream_collide";
    // As many planes at a time as registers suffice for.
    using Four = std::integral_constant<int, 4>;
    using OfLine = std::conditional_t<sizeof(Real) == sizeof(float), Four, Two>;
    if (space.dimensions == 1) return run(One{}, OfLine{}, label);
    if (space.dimensions == 2) return run(Two{}, Four{}, label);
    run(Three{}, Two{}, label);
  }
}

}  // namespace knudsen::bgkw
