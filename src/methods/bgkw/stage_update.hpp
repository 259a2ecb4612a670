#pragma once

#include "methods/bgkw/cell_update.hpp"

namespace knudsen::bgkw {

/// Free streaming of one cell along all axes at once as a difference in space, of first or second
/// order (PhaseSpace::in_stages):
///
///   f <- f - sum over the axes of |C_d| (value at the downstream face - value at the upstream
///   face)
///
/// with C = v dt / dx. As in UpwindSegment the form matters for the rounding of the mass. Growing:
/// cells of different widths in order 2.
template <class ExecutionSpace, class Real, int Order, bool Growing>
struct AllAxesStreaming {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  using Stencil = LineStencil<ExecutionSpace, Real, Order, Growing>;

  const PhaseSpace<ExecutionSpace, Real>& space;
  int cell;
  Real crossing[3];
  StencilsOfCell<ExecutionSpace, Real, Order, Growing> stencils[3];

  KOKKOS_INLINE_FUNCTION AllAxesStreaming(const PhaseSpace<ExecutionSpace, Real>& phase_space,
                                          int cell_index)
      : space(phase_space), cell(cell_index) {
    for (int d = 0; d < 3; ++d) {
      crossing[d] = d < space.dimensions ? space.crossing_of(d, cell) : 0;
      if (d < space.dimensions) stencils[d] = {space, cell, d};
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    const auto& v = space.velocities;
    const Lanes<width, Real> f(space.values(cell) + segment.place);
    for_lanes<width>(segment.length, [&](int k) { to[k] = f[k]; });
    const Real courant = v.nodes[0](segment.i) * crossing[0];
    subtract<width>(
        0, courant, segment.place, segment.length, [=](int) { return courant; }, to);
    if (space.dimensions == 1) return;
    const Real* along_y = v.y.data() + segment.begin;
    const Real crossing_y = crossing[1];
    subtract<width>(
        1, along_y[0], segment.place, segment.length,
        [=](int k) { return along_y[k] * crossing_y; }, to);
    if (space.dimensions == 2) return;
    each_sign_along_z(v, segment.begin, segment.length, [&](int first, int length) {
      const Real* along_z = v.z.data() + segment.begin + first;
      const Real crossing_z = crossing[2];
      subtract<0>(
          2, along_z[0], segment.place + first, length,
          [=](int k) { return along_z[k] * crossing_z; }, to + first);
    });
  }

 private:
  /// Subtracts the change by the streaming along an axis for velocities of one sign, which is that
  /// of `direction`. `courant_of(k)` are their Courant numbers.
  template <int Width, class CourantOf>
  KOKKOS_FORCEINLINE_FUNCTION void subtract(int axis, Real direction, int place, int length,
                                            const CourantOf& courant_of, Real* to) const {
    const auto subtract_by = [&](const Stencil& stencil) {
      if (stencil.mirrors()) {
        for (int k = 0; k < length; ++k) {
          to[k] -= math::fabs(courant_of(k)) * stencil.across_at(space, place + k);
        }
        return;
      }
      const auto courants = courant_of;
      Real* out = to;
      stencil.template each_lane<Width>(place, length, courants, [=](int k, Real, Real across) {
        out[k] -= math::fabs(courants(k)) * across;
      });
    };
    if constexpr (width == 0) {
      subtract_by(direction < 0 ? stencils[axis].below : stencils[axis].above);
    } else {
      subtract_by(Stencil(space, cell, axis, direction));
    }
  }
};

/// The explicit part of a stage, see ImexStage. A CellUpdate with it makes the whole stage.
template <class ExecutionSpace, class Real, int Order, bool Growing = false>
struct StageStreaming {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr bool streams = true;
  using Choice = StageWithMemory<ExecutionSpace, Real>;

  AllAxesStreaming<ExecutionSpace, Real, Order, Growing> streaming;
  Real streamed;
  Real extrapolation;
  const Real* f;
  Real* keep = nullptr;        ///< where the streamed state is kept, or null
  const Real* kept = nullptr;  ///< the kept state, or null

  KOKKOS_INLINE_FUNCTION StageStreaming(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                        const Choice& choice)
      : streaming(space, cell),
        streamed(static_cast<Real>(choice.stage.streamed)),
        extrapolation(static_cast<Real>(choice.stage.extrapolation)),
        f(space.values(cell)) {
    Real* here = choice.kept.data() + static_cast<std::size_t>(cell) * choice.kept.extent(1);
    if (choice.stage.keeps) keep = here;
    if (choice.stage.extrapolation != 0) kept = here;
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    streaming(segment, to);
    if (keep == nullptr && kept == nullptr) return;  // the whole step in one stage
    const Lanes<width, Real> from(f + segment.place);
    if (keep != nullptr) {
      write_lanes<width>(segment.length, keep + segment.place, [&](int k) { return to[k]; });
    }
    for_lanes<width>(segment.length,
                     [&](int k) { to[k] = from[k] + streamed * (to[k] - from[k]); });
    if (kept == nullptr) return;
    const Lanes<width, Real> other(kept + segment.place);
    for_lanes<width>(segment.length, [&](int k) { to[k] += extrapolation * (to[k] - other[k]); });
  }
};

template <class ExecutionSpace, class Real, int Order, bool Growing>
inline constexpr bool relaxes_implicitly<StageStreaming<ExecutionSpace, Real, Order, Growing>> =
    true;

/// The values of a cell of a list, already streamed.
template <class ExecutionSpace, class Real>
struct ListedCell : NoStreaming<ExecutionSpace, Real> {
  using Choice = View<int*, ExecutionSpace>;

  KOKKOS_INLINE_FUNCTION ListedCell(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                    const Choice&)
      : NoStreaming<ExecutionSpace, Real>(space, cell, 0) {}
};

template <class ExecutionSpace, class Real>
inline constexpr bool relaxes_implicitly<ListedCell<ExecutionSpace, Real>> = true;
template <class ExecutionSpace, class Real>
inline constexpr bool is_listed<ListedCell<ExecutionSpace, Real>> = true;

template <class Model, class ExecutionSpace, class Real>
void relax_cells_in_stage(const StepContext<ExecutionSpace>& context,
                          const PhaseSpace<ExecutionSpace, Real>& space,
                          const View<int*, ExecutionSpace>& cells) {
  PhaseSpace<ExecutionSpace, Real> streamed = space;
  streamed.f = space.next;
  run_cell_update<ListedCell<ExecutionSpace, Real>, Model>("knudsen/bgkw/relax_cut_cells", context,
                                                           streamed, cells);
}

template <class Model, class ExecutionSpace, class Real>
void update_cells_in_stage(const StepContext<ExecutionSpace>& context,
                           const PhaseSpace<ExecutionSpace, Real>& space,
                           const StageWithMemory<ExecutionSpace, Real>& stage) {
  const auto run = [&](auto order) {
    using Values = StageStreaming<ExecutionSpace, Real, order>;
    run_cell_update<Values, Model>("knudsen/bgkw/stage", context, space, stage);
  };
  if (space.order == 1) return run(std::integral_constant<int, 1>{});
  run(std::integral_constant<int, 2>{});
}

}  // namespace knudsen::bgkw
