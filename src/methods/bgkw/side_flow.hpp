#pragma once

#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/step.hpp"
#include "methods/bgkw/team_sum.hpp"

namespace knudsen::bgkw {

/// Courant number, with its sign, of velocity (i, q) along an axis; q is the index in the plane.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Real courant_at(const PhaseSpace<ExecutionSpace, Real>& space, int axis,
                                       int i, int q) {
  const auto& v = space.velocities;
  return space.crossing[axis] * (axis == 0 ? v.nodes[0](i) : (axis == 1 ? v.y(q) : v.z(q)));
}

/// Adds the flow of velocity (i, q) across a face in a step to its sums over velocities: mass
/// (Count 1), or mass, momentum x, y, z and energy v^2 / 2 (Count 5), in units of a cell's
/// contents.
template <int Count, class ExecutionSpace, class Real, class Sum>
KOKKOS_INLINE_FUNCTION void add_flow(const VelocitySpace<ExecutionSpace, Real>& v, int i, int q,
                                     Sum flow, Sum (&sums)[Count]) {
  const Sum along_x = Sum(v.weights[0](i)) * flow;
  const Sum mass = along_x * Sum(v.weight(q));
  sums[0] += mass;
  if constexpr (Count == 5) {
    const Sum x = v.nodes[0](i);
    const Sum y = v.y(q);
    sums[1] += mass * x;
    sums[2] += mass * y;
    sums[3] += mass * Sum(v.z(q));
    sums[4] += Sum(0.5) * (mass * (x * x + y * y) + along_x * Sum(v.square_weight(q)));
  }
}

/// Flow of velocities out of the gas across a face in a step, in units of a cell's contents.
template <class ExecutionSpace, class Real>
struct LeavingFlow {
  const PhaseSpace<ExecutionSpace, Real>& space;
  const Face& face;
  int axis;
  Real in_cell = 1;  ///< Courant number in the cell over that in the narrowest cells
  StencilsOfCell<ExecutionSpace, Real, 2, false> equal;   ///< of order 2, on equal cells
  StencilsOfCell<ExecutionSpace, Real, 2, true> growing;  ///< of order 2, on others

  KOKKOS_INLINE_FUNCTION LeavingFlow(const PhaseSpace<ExecutionSpace, Real>& phase_space,
                                     const Face& from)
      : space(phase_space), face(from), axis(from.direction / 2) {
    if (space.order == 1) return;
    if (space.has_equal_cells) {
      equal = {space, face.cell, axis};
    } else {
      growing = {space, face.cell, axis};
      in_cell = GrowingCell<Real>(space, face.cell, axis).crossing / space.crossing[axis];
    }
  }

  /// `place` is that of the velocity in a cell's values, `courant` its Courant number along the
  /// normal.
  KOKKOS_INLINE_FUNCTION Real operator()(Real courant, int place) const {
    const Real crossed = math::fabs(courant);
    if (space.order == 1 && crossed <= 1) return crossed * space.values(face.cell)[place];
    if (space.order == 1) {
      return LineStencil<ExecutionSpace, Real, 1>(space, face.cell, axis, courant)
          .leaving(space, face.cell, place);
    }
    if constexpr (is_host_backend<ExecutionSpace>) {
      const Real here = crossed * in_cell;
      const auto of_sign = [&](const auto& stencils) {
        return (courant < 0 ? stencils.below : stencils.above).leaving_near(space, place, here);
      };
      if (!space.has_equal_cells) return of_sign(growing) / in_cell;
      if (here < 1) return of_sign(equal);
    }
    if (!space.has_equal_cells) {
      return LineStencil<ExecutionSpace, Real, 2, true>(space, face.cell, axis, courant * in_cell)
                 .leaving(space, face.cell, place) /
             in_cell;
    }
    return LineStencil<ExecutionSpace, Real, 2>(space, face.cell, axis, courant)
        .leaving(space, face.cell, place);
  }
};

/// Moments of the outflow across a face in the next streaming along the face's axis. Only the first
/// thread of the team receives them.
template <int Count, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void sum_leaving(const StepMember<ExecutionSpace>& team,
                                        const PhaseSpace<ExecutionSpace, Real>& space,
                                        const Face& face, double (&total)[Count]) {
  const int axis = face.direction / 2;
  const Real sign = face.direction % 2 == 1 ? Real(1) : Real(-1);
  const LeavingFlow<ExecutionSpace, Real> flow_of(space, face);
  // In double precision on every backend: the wall must return exactly the mass that leaves.
  team_sum<Count, double>(team, 1, total, [&](auto& sums) {
    Segments(team, space.velocities).each([&](const Segment& segment) {
      for (int k = 0; k < segment.length; ++k) {
        const int q = segment.begin + k;
        const int place = segment.place + k;
        const Real courant = courant_at(space, axis, segment.i, q);
        if (!(sign * courant > 0)) continue;
        add_flow<Count>(space.velocities, segment.i, q, double(flow_of(courant, place)), sums);
      }
    });
  });
}

/// Sets the density of the Maxwellian re-emitted across a face, from the mass `leaving` that leaves
/// the gas there in a step.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void balance_face(const PhaseSpace<ExecutionSpace, Real>& space, int number,
                                         const Face& face, double leaving) {
  MassBalance balance = space.balance(face.surface);
  balance.added *= double(space.crossing[face.direction / 2]);
  space.face_density(number) = static_cast<Real>(
      balance.density(leaving, space.surface_inflow(face.surface, face.direction, 0)));
}

/// Sets space.surface_inflow; all other members must be set before.
template <class ExecutionSpace, class Real>
void set_surface_inflow(PhaseSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::bgkw
