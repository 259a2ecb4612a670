#pragma once

#include "device/async_copy.hpp"
#include "methods/bgkw/cell_walk.hpp"
#include "methods/bgkw/segments.hpp"
#include "methods/bgkw/source.hpp"
#include "methods/bgkw/velocity_shares.hpp"

// Scratch memory through which the values of a cell and of its upstream neighbours reach the
// threads of SinglePass. Asynchronous copies for the next cell are in flight while a cell is
// processed. A thread copies and reads only its own values, so that no barrier is needed.

namespace knudsen::bgkw {

/// Upstream neighbours of a cell for the velocities of a thread.
struct UpstreamLinks {
  CellVisit visit;
  int along_x = 0;  ///< see PhaseSpace::neighbour
  int along_y = 0;  ///< likewise
};

/// Rows of values in scratch memory: two for the cell and its upstream neighbour along x, the third
/// (if RowCount is 3) for the upstream neighbour along y. The first two swap roles from cell to
/// cell: for v_x > 0 the values of a cell are the upstream values of the next cell, for v_x < 0 the
/// upstream values of a cell are the values of the next one. Without streaming (`Streams`) both are
/// for cells. `IsShared`: see ScratchPointer.
template <class ExecutionSpace, class Real, bool Streams, int RowCount, bool IsShared>
struct CopyPipeline {
  static constexpr int width = values_per_access<Real>;
  using Vector = Lanes<width, Real>;
  using Pointer = ScratchPointer<Vector, IsShared>;

  const PhaseSpace<ExecutionSpace, Real>& space;
  const VelocityShares& shares;
  Pointer values;  ///< (row, plane, thread)

  /// The rows for one cell at a thread's first plane; the next plane is `threads()` vectors on.
  struct Rows {
    Pointer fresh;    ///< values that were not loaded for the cell before
    Pointer carried;  ///< values kept from the cell before, if that is its neighbour
    Pointer along_y;  ///< values upstream along y, if there are three rows
    Pointer here;     ///< `fresh` or `carried`: values of the cell
    Pointer beside;   ///< the other one: values upstream along x
  };
  /// Where in global memory the values for the rows of a cell come from; indexed by velocity.
  struct Origins {
    const Real* fresh = nullptr;
    const Real* carried = nullptr;
    const Real* along_y = nullptr;
  };

  /// Values of a row at a thread's first plane.
  KOKKOS_FORCEINLINE_FUNCTION Pointer slot(const VelocityShare& share, int row) const {
    return values + row * shares.planes * shares.threads() + share.thread;
  }
  /// The rows for a cell; `parity` alternates from cell to cell.
  KOKKOS_FORCEINLINE_FUNCTION Rows rows_of(const VelocityShare& share, int parity) const {
    const Pointer fresh = slot(share, parity);
    const Pointer carried = slot(share, parity ^ 1);
    return {fresh, carried, slot(share, RowCount - 1), share.left && Streams ? carried : fresh,
            share.left ? fresh : carried};
  }

  KOKKOS_FORCEINLINE_FUNCTION UpstreamLinks find_links(const VelocityShare& share,
                                                       const CellVisit& visit) const {
    UpstreamLinks links{visit};
    if (visit.cell < 0) return links;
    if constexpr (Streams) links.along_x = space.neighbour(visit.cell, share.left ? 1 : 0);
    if constexpr (RowCount > 2) links.along_y = space.neighbour(visit.cell, share.down ? 3 : 2);
    return links;
  }
  KOKKOS_FORCEINLINE_FUNCTION Origins find_origins(const VelocityShare& share,
                                                   const UpstreamLinks& links) const {
    Origins from;
    if (links.visit.cell < 0) return from;
    const Real* own = space.values(links.visit.cell);
    from.fresh = from.carried = own;
    if constexpr (Streams) {
      // A molecule that flies on to the next cell comes from the cell before, or the reverse.
      const Real* beside = upstream_values(links.along_x);
      from.fresh = share.left ? beside : own;
      from.carried = share.left ? own : beside;
    }
    if constexpr (RowCount > 2) from.along_y = upstream_values(links.along_y);
    return from;
  }

  /// Starts the copies of all rows of a team's first cell.
  KOKKOS_FORCEINLINE_FUNCTION void start_first_cell(const VelocityShare& share,
                                                    const UpstreamLinks& links) const {
    const Origins from = find_origins(share, links);
    int place = share.first * space.velocities.plane + share.begin;
    for (int p = 0; p < share.count; ++p) {
      const int at = p * shares.threads();
      start_copy(slot(share, 0) + at, from.fresh + place);
      if constexpr (Streams) start_copy(slot(share, 1) + at, from.carried + place);
      if constexpr (RowCount > 2) start_copy(slot(share, 2) + at, from.along_y + place);
      place += space.velocities.plane;
    }
  }
  /// Starts the copies of `Count` planes from plane p on for the next cell, into the rows that the
  /// current cell has been read from: the current `carried` row becomes `fresh`.
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void start_next_cell(const Rows& rows, const Origins& from, int p,
                                                   int place) const {
    KNUDSEN_UNROLL
    for (int n = 0; n < Count; ++n) {
      const int at = (p + n) * shares.threads();
      const int there = place + n * space.velocities.plane;
      start_copy(rows.carried + at, from.fresh + there);
      if constexpr (RowCount > 2) start_copy(rows.along_y + at, from.along_y + there);
    }
  }
  /// Starts the copies of the values that the next cell would take over if the current one were its
  /// neighbour.
  KOKKOS_FORCEINLINE_FUNCTION void start_next_run(const VelocityShare& share, const Rows& rows,
                                                  const Origins& from) const {
    int place = share.first * space.velocities.plane + share.begin;
    for (int p = 0; p < share.count; ++p, place += space.velocities.plane) {
      start_copy(rows.fresh + p * shares.threads(), from.carried + place);
    }
  }

  /// Replaces the Maxwellians copied from surfaces by the inflow from there. Waits for all copies
  /// if a neighbour is a surface or a run begins. All other cells wait for one group of planes at a
  /// time.
  KOKKOS_FORCEINLINE_FUNCTION void finish_surfaces(const VelocityShare& share,
                                                   const UpstreamLinks& links,
                                                   const Rows& rows) const {
    if (links.along_x < 0 || links.along_y < 0 || !links.visit.linked) wait_for_copies();
    if constexpr (Streams) {
      if (links.along_x < 0) enter(share, links.visit.cell, -1 - links.along_x, rows.beside.get());
    }
    if constexpr (RowCount > 2) {
      if (links.along_y < 0) enter(share, links.visit.cell, -1 - links.along_y, rows.along_y.get());
    }
  }
  /// Loads `Count` planes from plane p on; their copies must be complete.
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Rows& rows, int p, Vector (&value)[Count],
                                        Vector (&value_x)[Count], Vector (&value_y)[Count]) const {
    KNUDSEN_UNROLL
    for (int n = 0; n < Count; ++n) {
      const int at = (p + n) * shares.threads();
      value[n] = rows.here[at];
      if constexpr (Streams) value_x[n] = rows.beside[at];
      if constexpr (RowCount > 2) value_y[n] = rows.along_y[at];
    }
  }

 private:
  /// Values of a neighbouring cell, or the Maxwellian beyond a face.
  KOKKOS_FORCEINLINE_FUNCTION const Real* upstream_values(int neighbour) const {
    if (neighbour >= 0) return space.values(neighbour);
    return &space.surface_maxwellian(space.faces(-1 - neighbour).surface, 0);
  }
  /// Turns the Maxwellian of a surface into the inflow across a face of a cell: the diffuse share
  /// and the mirror image of the cell's values.
  KOKKOS_FORCEINLINE_FUNCTION void enter(const VelocityShare& share, int cell, int face,
                                         Vector* maxwellian) const {
    const auto& v = space.velocities;
    const Source<Real> from = source_beyond(space, face, space.values(cell));
    const int reversed = space.reversed[space.faces(face).direction];
    int place = share.first * v.plane + share.begin;
    for (int p = 0; p < share.count; ++p) {
      const int at = p * shares.threads();
      Vector& value = maxwellian[at];
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        Real sum = from.factor * value.access.value[k];
        if (from.mirrored != nullptr) {
          sum += from.mirrored_factor * from.mirrored[reversed_index(v, reversed, place + k)];
        }
        value.access.value[k] = sum;
      }
      place += v.plane;
    }
  }
};

}  // namespace knudsen::bgkw
