#pragma once

#include "device/streaming_store.hpp"
#include "methods/bgkw/host_cell.hpp"
#include "methods/bgkw/kernels.hpp"
#include "methods/bgkw/streaming.hpp"

namespace knudsen::bgkw {

/// SinglePass on the host, one cell a team: no scratch memory and no copies into it, since
/// neighbours' values are in the cache. update_cell_on_host() does the work; here is what it needs
/// to know of a cell.
template <class ExecutionSpace, class Real, int Dimensions, Pass What>
struct HostPass {
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr int numbers_of_plane = HostVelocities<Real>::numbers_of_plane;

  PhaseSpace<ExecutionSpace, Real> space;
  View<Real* [numbers_of_plane], ExecutionSpace> of_plane;  ///< of `velocities`
  HostVelocities<Real> velocities;
  bool past_caches;  ///< write values past the caches

  explicit HostPass(const PhaseSpace<ExecutionSpace, Real>& phase_space)
      : space(phase_space),
        of_plane(Kokkos::view_alloc("numbers of planes", Kokkos::WithoutInitializing),
                 static_cast<std::size_t>(space.velocities.count[0])),
        // A collision in place finds the lines that it writes in the cache.
        past_caches(What != Pass::collide && space.f.size() * sizeof(Real) > cached_bytes) {
    const auto& v = space.velocities;
    for (int i = 0; i < v.count[0]; ++i) {
      const Real x = math::fabs(v.nodes[0](i));
      of_plane(i, 0) = x * space.crossing[0];
      of_plane(i, 1) = v.weights[0](i);
      for (int n = 2; n < numbers_of_plane; ++n) of_plane(i, n) = x * of_plane(i, n - 1);
    }
    velocities.planes = v.count[0];
    velocities.planes_below = v.first_positive_x;
    velocities.plane = v.plane;
    velocities.plane_below = v.first_positive;
    velocities.row_length = v.row_length;
    for (int d = 0; d < 3; ++d) velocities.crossing[d] = space.crossing[d];
    velocities.of_plane = of_plane.data();
    velocities.y = v.y.data();
    velocities.z = v.z.data();
    velocities.weight = v.weight.data();
    velocities.square_weight = v.square_weight.data();
  }

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int index = space.cell_of(team.league_rank());
    if (space.is_solid(index)) return;
    HostCell<Real> cell;
    cell.values = space.values(index);
    cell.target_of_z = space.factors_of(index);
    cell.kept_share = cell.target_of_z[space.factor_count() - 1];
    cell.out = streams ? space.next_values(index) : space.values(index);
    cell.totals = streams ? &space.next_sums(index, 0, 0) : &space.sums(index, 0, 0);
    cell.past_caches = past_caches;
    if constexpr (streams) {
      const CellSources<Real, Dimensions> sources(space, index);
      for (int d = 0; d < 2 * Dimensions; ++d) {
        cell.beside[d] = sources.beside[d].values;
        cell.factor[d] = sources.beside[d].factor;
      }
      set_values_ahead(team.league_rank(), cell);
      if (sources.mirrors) set_mirrored(sources, cell);
    }
    update_cell_on_host<Real, Dimensions, What>(velocities, cell);
  }

 private:
  /// Writes what specular surfaces let in to the cell's output.
  KOKKOS_INLINE_FUNCTION void set_mirrored(const CellSources<Real, Dimensions>& sources,
                                           HostCell<Real>& cell) const {
    const auto& v = space.velocities;
    for (int k = 0; k < v.size(); ++k) cell.out[k] = 0;
    for (int i = 0; i < v.count[0]; ++i) {
      add_mirrored<0>(space, space.crossing, sources, {i, 0, 0, v.plane, i * v.plane},
                      cell.out + i * v.plane);
    }
    cell.mirrored = cell.out;
    cell.past_caches = false;
  }

  /// How many cells before it is read a value is prefetched. With 1 all cores together are slower
  /// (NOTES.md).
  static constexpr int cells_ahead = 2;

  /// Sets what is prefetched while the cell of a team of this rank is updated: of the values that
  /// the cell after the next one is streamed from, what has not been read before. That is its
  /// farthest neighbour and, at the edges of a strip, the neighbour in the next strip.
  KOKKOS_INLINE_FUNCTION void set_values_ahead(int rank, HostCell<Real>& cell) const {
    cell.ahead = cell.values;
    if (rank + cells_ahead >= space.cell_count()) return;
    const int next = space.cell_of(rank + cells_ahead);
    const auto set = [&](int direction, const Real*& ahead) {
      const int neighbour = space.neighbour(next, direction);
      if (neighbour >= 0) ahead = space.values(neighbour);
    };
    set(2 * Dimensions - 1, cell.ahead);
    if constexpr (Dimensions > 1) {
      const int in_strip = next % space.cells[0] % space.strip;
      if (in_strip == 0) set(0, cell.ahead_of_side[1]);
      if (in_strip == space.strip - 1) set(1, cell.ahead_of_side[0]);
    }
  }
};

}  // namespace knudsen::bgkw
