#pragma once

#include "device/block_sum.hpp"
#include "device/pace.hpp"
#include "device/split_barrier.hpp"
#include "methods/bgkw/copy_pipeline.hpp"
#include "methods/bgkw/kernels.hpp"
#include "methods/bgkw/thread_sums.hpp"

namespace knudsen::bgkw {

/// Steps of bgk with one pass over the distribution, on a GPU (HostPass on the host). A kernel that
/// writes values also sums the moments (1, v_x, v_y, v_z, v^2) f of each cell and of its outflow
/// across each face in the next step. The moments after that streaming follow from the sums of a
/// cell and its neighbours, so the next pass can stream, relax and write at once.
///
/// A team goes along runs of cells in x (cell_walk.hpp) with a part of the velocities
/// (velocity_shares.hpp). Values reach the threads through scratch memory (copy_pipeline.hpp).
/// PlanesAtATime values of a thread are processed together, so that several loads from scratch
/// memory are in flight. Teams keep pace, so that a neighbour's values along y are still in the
/// cache.
template <class ExecutionSpace, class Real, int Dimensions, Pass What, int PlanesAtATime>
struct SinglePass {
  static constexpr int width = values_per_access<Real>;
  // Values in double precision take more registers.
  static constexpr int max_threads = sizeof(Real) == sizeof(float) ? 256 : 192;
  static constexpr int teams_at_once = Dimensions < 3 ? 2 : 1;
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr bool relaxes = What == Pass::collide || What == Pass::stream_collide;
  static constexpr bool flows = What == Pass::stream_collide || What == Pass::sum;
  /// Sums of a cell: moments, with `flows` also moments of the outflow in each direction.
  static constexpr int sum_count = flows ? 5 * (1 + 2 * Dimensions) : (streams ? 5 : 0);
  static constexpr int rows = streams && Dimensions > 1 ? 3 : 2;  ///< see CopyPipeline
  using Sums = ThreadSums<Real, Dimensions, flows>;
  using Vector = Lanes<width, Real>;
  template <bool IsShared>
  using Pipeline = CopyPipeline<ExecutionSpace, Real, streams, rows, IsShared>;

  PhaseSpace<ExecutionSpace, Real> space;
  VelocityShares shares;
  int length;  ///< cells of a run

  int team_size() const { return shares.template team_size<ExecutionSpace>(); }
  KOKKOS_INLINE_FUNCTION CellRuns<ExecutionSpace, Real> runs() const { return {space, length}; }
  KOKKOS_INLINE_FUNCTION int task_count() const { return runs().count() * space.parts; }

  /// An x component and its weight.
  struct alignas(2 * sizeof(Real)) PlaneNode {
    Real x;
    Real weight;
  };
  /// Scratch memory of a team, in this order.
  template <bool IsShared>
  struct Scratch {
    ScratchPointer<Vector, IsShared> values;  ///< (row, plane, thread), see CopyPipeline
    Real* partial = nullptr;                  ///< (number, thread): sums of the threads
    void* barriers = nullptr;                 ///< two split barriers
    PlaneNode* nodes = nullptr;               ///< by plane
    Real* of_x = nullptr;  ///< (warp, plane): factors of the current cell along x
  };
  KOKKOS_INLINE_FUNCTION int value_count() const { return rows * shares.planes * shares.threads(); }
  KOKKOS_INLINE_FUNCTION int partial_count() const {
    constexpr int whole = 16;
    return sum_count > 0 ? (Sums::count * shares.threads() + whole - 1) / whole * whole : 0;
  }
  /// Entries of Scratch::of_x: on a GPU each warp has its own copy.
  KOKKOS_INLINE_FUNCTION int copied_factor_count() const {
    constexpr int lanes = warp_size<ExecutionSpace>;
    if (!relaxes || lanes == 1) return 0;
    return (shares.threads() + lanes - 1) / lanes * space.velocities.count[0];
  }
  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(value_count()) * sizeof(Vector) +
           static_cast<std::size_t>(partial_count()) * sizeof(Real) +
           std::size_t{2} * split_barrier_bytes +
           static_cast<std::size_t>(space.velocities.count[0]) * sizeof(PlaneNode) +
           static_cast<std::size_t>(copied_factor_count()) * sizeof(Real);
  }
  template <bool IsShared>
  KOKKOS_INLINE_FUNCTION Scratch<IsShared> carve(const BlockScratch<IsShared>& memory) const {
    Scratch<IsShared> scratch{memory.template as<Vector>()};
    scratch.partial = reinterpret_cast<Real*>(scratch.values.get() + value_count());
    scratch.barriers = scratch.partial + partial_count();
    constexpr std::size_t barrier_bytes = std::size_t{2} * split_barrier_bytes;
    scratch.nodes =
        reinterpret_cast<PlaneNode*>(static_cast<char*>(scratch.barriers) + barrier_bytes);
    scratch.of_x = reinterpret_cast<Real*>(scratch.nodes + space.velocities.count[0]);
    return scratch;
  }

  template <class Team, bool IsShared>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team,
                                         const BlockScratch<IsShared>& memory) const {
    const Scratch<IsShared> scratch = carve(memory);
    const int teams = team.league_size();
    // A group of teams has one team for each part of the planes and goes along the same runs.
    const int groups = teams < space.parts ? 1 : teams / space.parts;
    const int group = team.league_rank() / space.parts;
    SplitBarrier<Team> sums_written(team, scratch.barriers, 0);
    SplitBarrier<Team> sums_read(team, scratch.barriers, 1);
    const auto& v = space.velocities;
    team_each(team, v.count[0], [&](int i) {
      scratch.nodes[i] = {v.nodes[0](i), v.weights[0](i)};
    });
    team.team_barrier();
    if (group >= groups) return;
    const bool reads_across_lines = streams && Dimensions > 1;
    const int working = teams < space.parts ? teams : groups * space.parts;
    const int runs_of_group = (runs().count() - 1) / groups + 1;
    const int rounds = (space.parts - 1) / teams + 1;
    Pace pace(team, reads_across_lines ? space.progress.data() : nullptr, working,
              static_cast<Pace::Count>(runs_of_group) * static_cast<Pace::Count>(rounds * length));
    for (int part = team.league_rank() % space.parts; part < space.parts; part += teams) {
      process_part(team, scratch, sums_written, sums_read, pace, part, group, groups);
    }
    pace.leave();
  }

 private:
  /// A cell that is about to be processed: its neighbours, and its target in registers.
  struct PendingCell {
    UpstreamLinks links;
    Real kept_share = 1;  ///< exp(-rate dt)
    Real of_x = 0;        ///< factor along x; the plane is the lane of the thread in its warp
    Real of_y = 0;        ///< factor along y at the thread's row
    Vector of_z;          ///< factors along z at the thread's access

    KOKKOS_FORCEINLINE_FUNCTION PendingCell(const SinglePass& pass, const VelocityShare& share,
                                            const UpstreamLinks& to)
        : links(to) {
      if (to.visit.cell < 0) return;
      if constexpr (relaxes) {
        const auto& v = pass.space.velocities;
        const Real* factors = pass.space.factors_of(to.visit.cell);
        of_z = Vector(factors + (share.begin - share.j * v.row_length));
        const Real* along_x = factors + v.row_length;
        const int lane = share.thread % warp_size<ExecutionSpace>;
        if (lane < v.count[0]) of_x = along_x[lane];
        const Real* along_y = along_x + v.count[0];
        of_y = along_y[share.j];
        kept_share = along_y[v.count[1]];
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION int cell() const { return links.visit.cell; }
  };
  /// A thread's y component and its weights in the sums.
  struct ThreadVelocities {
    RowLanes<width, Real> y;
    typename Sums::Weights weights;

    KOKKOS_FORCEINLINE_FUNCTION ThreadVelocities(const SinglePass& pass, const VelocityShare& share)
        : y(pass.space.velocities.y.data() + share.begin),
          weights(pass.space.velocities, share.begin) {}
  };

  template <bool IsShared>
  KOKKOS_FORCEINLINE_FUNCTION Pipeline<IsShared> pipeline(const Scratch<IsShared>& scratch) const {
    return {space, shares, scratch.values};
  }
  KOKKOS_FORCEINLINE_FUNCTION VelocityShare share_of(int part, int thread) const {
    return shares.template share_of<PlanesAtATime>(space.velocities, part, thread);
  }

  /// Processes all cells of a group's runs with one part of the velocities.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void process_part(const Team& team, const auto& scratch,
                                                SplitBarrier<Team>& sums_written,
                                                SplitBarrier<Team>& sums_read, Pace& pace, int part,
                                                int group, int groups) const {
    CellWalk<ExecutionSpace, Real> walk(runs(), group, groups);
    const CellVisit visit = walk.next();
    if (visit.cell < 0) return;
    const auto copies = pipeline(scratch);
    const VelocityShare share = share_of(part, team.team_rank());
    const ThreadVelocities velocities(*this, share);
    int before = -1;
    PendingCell now(*this, share, copies.find_links(share, visit));
    copies.start_first_cell(share, now.links);
    // Loaded a cell ahead, since the addresses of the next cell's values depend on them.
    UpstreamLinks ahead = copies.find_links(share, walk.next());
    for (int parity = 0; now.cell() >= 0; parity ^= 1) {
      const PendingCell next(*this, share, ahead);
      ahead = copies.find_links(share, walk.next());
      const Pace::Count seen = pace.look();
      process_cell(
          scratch, share, velocities, now, next, parity,
          [&] {
            if (sum_count == 0 || before < 0) return;
            sums_written.wait(team);
            reduce_sums(team, scratch, before, part);
            sums_read.arrive();
          },
          [&] {
            if (sum_count > 0 && before >= 0) sums_read.wait(team);
          });
      if constexpr (sum_count > 0) sums_written.arrive();
      pace.step(seen);
      before = now.cell();
      now = next;
    }
    if constexpr (sum_count > 0) {
      sums_written.wait(team);
      reduce_sums(team, scratch, before, part);
      sums_read.arrive();
      sums_read.wait(team);
    }
  }

  /// Processes a thread's velocities of the cell `now`, and starts the copies for the cell `next`.
  /// half_way() is called in the middle of the planes, before_sums() before the sums are stored in
  /// scratch memory.
  template <class HalfWay, class BeforeSums>
  KOKKOS_FORCEINLINE_FUNCTION void process_cell(const auto& scratch, const VelocityShare& share,
                                                const ThreadVelocities& velocities,
                                                const PendingCell& now, const PendingCell& next,
                                                int parity, const HalfWay& half_way,
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
    const auto copies = pipeline(scratch);
    const auto from = copies.find_origins(share, next.links);
    const auto in_scratch = copies.rows_of(share, parity);
    Real* out = streams ? space.next_values(now.cell()) : space.values(now.cell());
    keep_address(out);
    Sums sums;
    copies.finish_surfaces(share, now.links, in_scratch);
    int place = share.first * v.plane + share.begin;
    const auto process_planes = [&](auto number, int p) {
      constexpr int count = decltype(number)::value;
      Vector value[count], value_x[count], value_y[count];
      Real x[count], weight_x[count], factor_x[count];
      load_nodes(scratch, of_x, share.first + p, x, weight_x, factor_x);
      wait_for_all_but(share.plane_groups - 1);
      copies.load(in_scratch, p, value, value_x, value_y);
      Real values[count][width];
      KNUDSEN_UNROLL
      for (int n = 0; n < count; ++n) {
        const Segment segment{share.first + p + n, 0, share.begin, width, place + n * v.plane};
        stream_plane(upstream, segment, x[n], velocities.y, value[n], value_x[n], value_y[n],
                     values[n]);
        if constexpr (relaxes) {
          KNUDSEN_UNROLL
          for (int k = 0; k < width; ++k) {
            values[n][k] = now.kept_share * values[n][k] + factor_x[n] * of_plane[k];
          }
        }
      }
      if constexpr (What != Pass::sum) store_planes(values, out, place);
      if (next.cell() >= 0) {
        copies.template start_next_cell<count>(in_scratch, from, p, place);
      }
      commit_copies();
      if constexpr (sum_count > 0) {
        KNUDSEN_UNROLL
        for (int n = 0; n < count; ++n) {
          sums.add(x[n], weight_x[n], values[n], velocities.weights);
        }
      }
      place += count * v.plane;
    };
    each_plane_group(share, half_way, process_planes);
    if constexpr (streams) {
      if (next.cell() >= 0 && !next.links.visit.linked) {
        copies.start_next_run(share, in_scratch, from);
      }
    }
    before_sums();
    if constexpr (sum_count > 0) {
      if (share.thread < shares.threads()) {
        sums.write(space.crossing, velocities.y[0], share.left, scratch.partial + share.thread,
                   shares.threads());
      }
    }
  }

  /// A cell's factors along x. On a GPU they are copied to scratch memory, one copy for each warp,
  /// because the latency of global memory is long.
  KOKKOS_FORCEINLINE_FUNCTION const Real* factors_along_x(const auto& scratch,
                                                          const VelocityShare& share,
                                                          const PendingCell& now) const {
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

  /// Calls process_planes(number, p) for all planes of a thread in groups of PlanesAtATime, the
  /// last ones of 2 and 1, and half_way() in the middle, which is the same for all threads of a
  /// warp.
  template <class HalfWay, class ProcessPlanes>
  KOKKOS_FORCEINLINE_FUNCTION void each_plane_group(const VelocityShare& share,
                                                    const HalfWay& half_way,
                                                    const ProcessPlanes& process_planes) const {
    using Group = std::integral_constant<int, PlanesAtATime>;
    const int planes = shares.planes;
    const int middle = planes / (2 * PlanesAtATime) * PlanesAtATime;
    if (planes < PlanesAtATime) half_way();
    KNUDSEN_NO_UNROLL
    for (int p = 0; p + PlanesAtATime <= planes; p += PlanesAtATime) {
      if (p == middle) half_way();
      if (p + PlanesAtATime <= share.count) process_planes(Group{}, p);
    }
    int p = share.count / PlanesAtATime * PlanesAtATime;
    if constexpr (PlanesAtATime > 2) {
      if (p + 2 <= share.count) {
        process_planes(std::integral_constant<int, 2>{}, p);
        p += 2;
      }
    }
    if (p < share.count) process_planes(std::integral_constant<int, 1>{}, p);
  }

  /// Loads x components, their weights and the target's factors of some planes.
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void load_nodes(const auto& scratch, const Real* of_x, int first,
                                              Real (&x)[Count], Real (&weight_x)[Count],
                                              Real (&factor_x)[Count]) const {
    KNUDSEN_UNROLL
    for (int n = 0; n < Count; ++n) {
      const int i = first + n;
      if constexpr (relaxes) factor_x[n] = of_x[i];
      const PlaneNode node = scratch.nodes[i];
      x[n] = node.x;
      weight_x[n] = node.weight;
    }
  }

  /// Streams one access of a plane, or copies it if the pass does not stream.
  KOKKOS_FORCEINLINE_FUNCTION void stream_plane(const Upstream<Real>& upstream,
                                                const Segment& segment, Real x,
                                                const RowLanes<width, Real>& y, const Vector& value,
                                                const Vector& value_x, const Vector& value_y,
                                                Real (&streamed)[width]) const {
    if constexpr (streams) {
      const UpwindSegment<width, Real, Dimensions> upwind(space, space.crossing, upstream, segment,
                                                          x, y, value_y.access.value);
      upwind.stream(value, value_x, width, streamed);
      if constexpr (Dimensions > 2) {
        add_mirrored_along<width>(space, space.crossing[2], 2, upstream.below, upstream.above,
                                  segment, streamed);
      }
    } else {
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) streamed[k] = value[k];
    }
  }

  /// Stores some planes, evict-first: they are not read again in this step.
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void store_planes(const Real (&values)[Count][width], Real* out,
                                                int place) const {
    KNUDSEN_UNROLL
    for (int n = 0; n < Count; ++n) {
      typename Vector::Access access;
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) access.value[k] = values[n][k];
      store_evict_first(
          reinterpret_cast<typename Vector::Access*>(out + (place + n * space.velocities.plane)),
          access);
    }
  }

  KOKKOS_INLINE_FUNCTION double* sums_of(int cell, int part) const {
    const auto& to = streams ? space.next_sums : space.sums;
    return to.data() +
           (static_cast<std::size_t>(cell) * to.extent(1) + static_cast<std::size_t>(part)) *
               to.extent(2);
  }

  /// Adds every `Stride`-th value to `sum`.
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

  /// Reduces the sums of the threads to the sums of a cell. The outflow in a direction is summed
  /// over the threads whose velocities have that direction only.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void reduce_sums(const Team& team, const auto& scratch, int cell,
                                               int part) const {
    if constexpr (sum_count > 0) {
      constexpr int lanes = lanes_of_a_sum<Team>;
      const int slots = shares.slots;
      // Slots with negative y components come first.
      int middle = space.velocities.first_positive / width - part * slots;
      middle = middle < 0 ? 0 : (middle < slots ? middle : slots);
      double* to = sums_of(cell, part);
      sum_over_lanes(
          team, sum_count,
          [&](int number, int lane) {
            const int direction = number / 5 - 1;
            const Real* sums = scratch.partial + Sums::number_of(number) * shares.threads();
            double sum = 0;
            if (direction == 2 || direction == 3) {
              const int begin = direction == 3 ? middle : 0;
              const int end = direction == 2 ? middle : slots;
              for (int block = 0; block < 2 * shares.splits; ++block, sums += slots) {
                add_strided<lanes>(sums + begin + lane, sums + end, sum);
              }
            } else {
              // Threads with positive x components come first.
              const int half = shares.splits * slots;
              add_strided<lanes>(sums + (direction == 0 ? half : 0) + lane,
                                 sums + (direction == 1 ? half : 2 * half), sum);
            }
            return sum;
          },
          [&](int number, double sum) { to[number] = sum; });
    }
  }
};

}  // namespace knudsen::bgkw
