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

  KOKKOS_INLINE_FUNCTION AllAxesStreaming(const PhaseSpace<ExecutionSpace, Real>& phase_space,
                                          int cell_index)
      : space(phase_space), cell(cell_index) {
    for (int d = 0; d < 3; ++d) {
      crossing[d] = d < space.dimensions ? space.crossing_of(d, cell) : 0;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    const auto& v = space.velocities;
    const Lanes<width, Real> f(space.values(cell) + segment.place);
    for_lanes<width>(segment.length, [&](int k) { to[k] = f[k]; });
    const Real courant = v.nodes[0](segment.i) * crossing[0];
    subtract<width>(
        0, courant, segment.place, segment.length, [&](int) { return courant; }, to);
    if (space.dimensions == 1) return;
    if (v.packed) {  // the stencil depends on the sign of v_y only
      const auto along_y = [&](int k) { return v.y(segment.begin + k) * crossing[1]; };
      return subtract<width>(1, along_y(0), segment.place, segment.length, along_y, to);
    }
    const int step = width > 0 ? segment.length : v.row_length;
    for (int row = 0; row < segment.length; row += step) {
      const int begin = segment.begin + row;
      const int place = segment.place + row;
      const Real along_y = v.y(begin) * crossing[1];
      subtract<width>(
          1, along_y, place, step, [&](int) { return along_y; }, to + row);
      if (space.dimensions == 2) continue;
      const auto along_z = [&](int k) { return v.z(begin + k) * crossing[2]; };
      for (int first = 0; first < step;) {  // runs of velocities of one sign
        const bool down = along_z(first) < 0;
        int end = first + 1;
        while (end < step && (along_z(end) < 0) == down) ++end;
        subtract<0>(
            2, along_z(first), place + first, end - first,
            [&](int k) { return along_z(first + k); }, to + row + first);
        first = end;
      }
    }
  }

 private:
  /// Subtracts the change by the streaming along an axis for velocities of one sign.
  /// `courant_of(k)` are their Courant numbers, of which `courant` is one.
  template <int Width, class CourantOf>
  KOKKOS_FORCEINLINE_FUNCTION void subtract(int axis, Real courant, int place, int length,
                                            const CourantOf& courant_of, Real* to) const {
    const Stencil stencil(space, cell, axis, courant);
    if (stencil.mirrors()) {
      for (int k = 0; k < length; ++k) {
        to[k] -= math::fabs(courant_of(k)) * stencil.across_at(space, place + k);
      }
      return;
    }
    const Lanes<Width, Real> c(stencil.centre.values + place);
    const Lanes<Width, Real> u(stencil.up.values + place);
    const Real factor_u = stencil.up.factor;
    if constexpr (Order == 1) {
      for_lanes<Width>(length, [&](int k) {
        to[k] -= math::fabs(courant_of(k)) * stencil.across(c[k], factor_u * u[k], 0, 0);
      });
    } else {
      const Lanes<Width, Real> d(stencil.down.values + place);
      const Lanes<Width, Real> uu(stencil.further.values + place);
      const Real factor_d = stencil.down.factor;
      const Real factor_uu = stencil.further.factor;
      for_lanes<Width>(length, [&](int k) {
        to[k] -= math::fabs(courant_of(k)) *
                 stencil.across(c[k], factor_u * u[k], factor_d * d[k], factor_uu * uu[k]);
      });
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
