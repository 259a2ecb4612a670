#pragma once

#include "device/block_launch.hpp"
#include "kinetic/velocity_space.hpp"

namespace knudsen::bgkw {

/// The velocities of a cell that a thread of SinglePass processes: one 16-byte access in each of
/// some planes. The x components of these planes have one sign.
struct VelocityShare {
  int thread;        ///< rank of the thread in its team
  int begin;         ///< first velocity of the access, in the plane
  int j;             ///< index of the y component
  int first;         ///< first plane
  int count;         ///< number of planes; 0: the thread has no velocities
  int plane_groups;  ///< groups of planes that are processed at a time
  bool left;         ///< the x components are negative
  bool down;         ///< the y component is negative
};

/// Distribution of a cell's velocities over the teams and threads of SinglePass. A plane is divided
/// into parts, each processed by its own team.
struct VelocityShares {
  int slots;   ///< accesses of a part of a plane; each belongs to threads of both signs of v_x
  int splits;  ///< threads that share the planes of one sign
  int planes;  ///< largest number of planes of a thread

  /// Threads with work. Those with positive x components come first; within a sign the index is
  /// (split, slot).
  KOKKOS_INLINE_FUNCTION int threads() const { return 2 * splits * slots; }
  /// The threads rounded up to whole warps; 1 on the host.
  template <class ExecutionSpace>
  int team_size() const {
    constexpr int lanes = warp_size<ExecutionSpace>;
    return is_host_backend<ExecutionSpace> ? 1 : (threads() + lanes - 1) / lanes * lanes;
  }

  template <int PlanesAtATime, class ExecutionSpace, class Real>
  KOKKOS_INLINE_FUNCTION VelocityShare share_of(const VelocitySpace<ExecutionSpace, Real>& v,
                                                int part, int thread) const {
    const int block = thread / slots;
    const bool left = block >= splits;
    const int begin = (part * slots + thread - block * slots) * values_per_access<Real>;
    if (thread >= threads() || begin >= v.plane) return {thread, 0, 0, 0, 0, 0, left, false};
    const int all = left ? v.first_positive_x : v.count[0] - v.first_positive_x;
    const int before = (left ? block - splits : block) * planes;
    const int remaining = all - before < planes ? all - before : planes;
    const int count = remaining > 0 ? remaining : 0;
    const int left_over = count % PlanesAtATime;
    const int plane_groups = count / PlanesAtATime + left_over / 2 + left_over % 2;
    const int first = before + (left ? 0 : v.first_positive_x);
    return {thread,       begin, begin / v.row_length,    first, count,
            plane_groups, left,  begin < v.first_positive};
  }
};

}  // namespace knudsen::bgkw
