#pragma once

#include "methods/bgkw/phase_space.hpp"

namespace knudsen::bgkw {

/// Upstream values of a cell: factor x values + mirrored_factor x mirror image of `mirrored`.
template <class Real>
struct Source {
  const Real* values = nullptr;    ///< values of a cell, or the Maxwellian of a surface
  Real factor = 1;                 ///< of `values`
  const Real* mirrored = nullptr;  ///< values of the cell at a specular surface; null: none
  Real mirrored_factor = 0;        ///< specular share
};

/// Inflow across a face; `mirrored` are the values that a specular surface reflects.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Source<Real> source_beyond(const PhaseSpace<ExecutionSpace, Real>& space,
                                                  int face, const Real* mirrored) {
  const int surface = space.faces(face).surface;
  const Real diffuse = space.diffuse(surface);
  const InflowWeights<Real> weights(diffuse, space.face_density(face));
  return {&space.surface_maxwellian(surface, 0), weights.emitted, diffuse < 1 ? mirrored : nullptr,
          weights.mirrored};
}

/// Upstream values on the other side of a cell's face in a direction.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Source<Real> source_beside(const PhaseSpace<ExecutionSpace, Real>& space,
                                                  int cell, int direction) {
  const int neighbour = space.neighbour(cell, direction);
  if (neighbour >= 0) return {space.values(neighbour), 1, nullptr, 0};
  return source_beyond(space, -1 - neighbour, space.values(cell));
}

/// On the host, the values to prefetch while the cell of a team of this rank is streamed: those of
/// the next cell's farthest neighbour, which no cell has read before. Null where there are none.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION const Real* values_ahead(const PhaseSpace<ExecutionSpace, Real>& space,
                                                int rank) {
  if (rank + 1 >= space.cell_count()) return nullptr;
  const int neighbour = space.neighbour(space.cell_of(rank + 1), 2 * space.dimensions - 1);
  return neighbour < 0 ? nullptr : space.values(neighbour);
}

}  // namespace knudsen::bgkw
