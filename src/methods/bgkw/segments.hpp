#pragma once

#include "device/team_loops.hpp"
#include "kinetic/velocity_space.hpp"

namespace knudsen::bgkw {

/// Contiguous velocities with the same x component and the same sign of the y component; on a GPU
/// within one row.
struct Segment {
  int i;       ///< index of the x component
  int j;       ///< index of the y component; set on a GPU only
  int begin;   ///< first velocity, in the plane
  int length;  ///< number of velocities
  int place;   ///< first velocity, among all of the cell
};

/// Number of velocities that a GPU thread processes at a time: one 16-byte access. 0 on the host,
/// where the loop over a segment of any length is the SIMD loop.
template <class ExecutionSpace, class Real>
inline constexpr int lane_count = is_host_backend<ExecutionSpace> ? 0 : values_per_access<Real>;

/// All velocities of a cell by segments. On a GPU they are distributed over the threads of a team
/// such that all segments of a thread start at the same z component: tables along z are loaded once
/// a thread.
template <class ExecutionSpace, class Real>
struct Segments {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  const VelocitySpace<ExecutionSpace, Real>& velocities;
  int rows = 0;   ///< rows that the team processes at a time
  int first = 0;  ///< row of this thread among them
  int begin = 0;  ///< first z component of this thread

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Segments(const Member& team,
                                       const VelocitySpace<ExecutionSpace, Real>& space)
      : velocities(space) {
    if constexpr (width > 0) {
      const int accesses = velocities.row_length / width;
      rows = team.team_size() / accesses;
      // Eight rows are whole cache lines of 128 bytes: a few idle threads cost less than partial
      // lines.
      if (rows > 8) rows -= rows % 8;
      first = team.team_rank() / accesses;
      begin = (team.team_rank() - first * accesses) * width;
    }
  }

  /// Calls body(segment).
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each(const Body& body) const {
    if constexpr (width == 0) {
      for (int i = 0; i < velocities.count[0]; ++i) {
        const int middle = velocities.first_positive;
        const int place = i * velocities.plane;
        if (middle > 0) body(Segment{i, 0, 0, middle, place});
        if (middle < velocities.plane) {
          body(Segment{i, 0, middle, velocities.plane - middle, place + middle});
        }
      }
    } else {
      if (first >= rows) return;
      const int count = velocities.count[1];
      const int step_i = rows / count;
      const int step_j = rows - step_i * count;
      int i = first / count;
      int j = first - i * count;
      int place = first * velocities.row_length + begin;
      while (i < velocities.count[0]) {
        body(Segment{i, j, j * velocities.row_length + begin, width, place});
        i += step_i;
        j += step_j;
        if (j >= count) {
          j -= count;
          ++i;
        }
        place += rows * velocities.row_length;
      }
    }
  }
};

/// Values of a segment: loaded by one 16-byte access on a GPU, a pointer on the host.
template <int Width, class Real>
struct Lanes {
  struct alignas(16) Access {
    Real value[Width];
  } access;

  Lanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit Lanes(const Real* from)
      : access(*reinterpret_cast<const Access*>(from)) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int k) const { return access.value[k]; }
};

template <class Real>
struct Lanes<0, Real> {
  const Real* from = nullptr;

  Lanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit Lanes(const Real* values) : from(values) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int k) const { return from[k]; }
};

/// As Lanes, for values that are constant along a row: one value for all lanes of a GPU thread.
template <int Width, class Real>
struct RowLanes {
  Real value = 0;

  RowLanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit RowLanes(const Real* from) : value(*from) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int) const { return value; }
};

template <class Real>
struct RowLanes<0, Real> : Lanes<0, Real> {
  using Lanes<0, Real>::Lanes;
};

/// Stores lane(k) for every velocity of a segment.
template <int Width, class Real, class Lane>
KOKKOS_FORCEINLINE_FUNCTION void write_lanes(int length, Real* to, const Lane& lane) {
  if constexpr (Width > 0) {
    using Access = typename Lanes<Width, Real>::Access;
    Access access;
    for (int k = 0; k < Width; ++k) access.value[k] = lane(k);
    *reinterpret_cast<Access*>(to) = access;
  } else {
    for_lanes<0>(length, [&](int k) { to[k] = lane(k); });
  }
}

}  // namespace knudsen::bgkw
