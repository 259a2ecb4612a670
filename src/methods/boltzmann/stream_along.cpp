#include <utility>

#include "device/instantiate.hpp"
#include "methods/boltzmann/lanes.hpp"
#include "methods/boltzmann/step.hpp"
#include "methods/boltzmann/team.hpp"

namespace knudsen::boltzmann {
namespace {

/// Cells that a GPU thread walks over. It reads each once, and two upstream of the first.
constexpr int strip_length = 16;

/// Streaming along one axis with h linear in each cell. The flux through a face in a step is
///
///   |v| dt (h + (1 - C) / 2 x slope x width),   C = |v| dt / width,
///
/// with all values those of the upwind cell. The slope is that of the parabola through three cell
/// centres, or limited; the inflow through a side is located at the face, half a cell away. A
/// thread streams `Width` velocities at a time, which have the same component along the axis.
template <class ExecutionSpace, class Real, int Width>
struct StreamLines {
  using Values = Pack<Real, Width>;

  State<ExecutionSpace, Real> state;
  int axis;
  int strips;  ///< strips per line of cells
  int length;  ///< cells per strip
  int parts;   ///< teams per strip, which share its velocities

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int chunks = state.velocities.size() / Width;
    const int part = team.league_rank() % parts;
    const int work = team.league_rank() / parts;
    const int line = work / strips;
    const int begin = (work - line * strips) * length;
    const int end = begin + length < state.cells[axis] ? begin + length : state.cells[axis];
    const int part_chunks = (chunks + parts - 1) / parts;
    const int first = part * part_chunks;
    const int last = first + part_chunks < chunks ? first + part_chunks : chunks;
    const Cell start = cell_on_line(state.cells, axis, 0, line);
    team_each(team, last - first,
              [&](int chunk) { walk(start, begin, end, (first + chunk) * Width); });
  }

 private:
  /// Streams the velocities at `place` over cells [begin, end) of the line through `start`.
  KOKKOS_INLINE_FUNCTION void walk(const Cell& start, int begin, int end, int place) const {
    const auto& v = state.velocities;
    const int row = place / v.row_length;
    const int i = row / v.count[1];
    const Real velocity = state.node(axis, i, row - i * v.count[1], place - row * v.row_length);
    const Real speed = math::fabs(velocity);
    const int down = velocity < 0 ? -1 : 1;
    const int first = down > 0 ? begin : end - 1;

    Cell cell = at(start, first);
    Values here = read(cell, 0, place);
    Values before = read(cell, -down, place);
    Values entering = before;
    if (!is_end(first, -down)) {
      const Cell upstream = at(start, wrapped(first - down));
      entering =
          at_face(upstream.at[axis], down, speed, read(upstream, -down, place), before, here);
    }
    for (int n = begin; n < end; ++n) {
      const Values after = is_end(cell.at[axis], down) ? here : read(cell, down, place);
      const Values leaving = at_face(cell.at[axis], down, speed, before, here, after);
      const Real courant = speed * state.ratio_at(axis, cell.at[axis]);
      Values result;
      for (int k = 0; k < Width; ++k) {
        result.lane[k] = here.lane[k] - courant * (leaving.lane[k] - entering.lane[k]);
      }
      *reinterpret_cast<Values*>(state.values(state.next, cell.index) + place) = result;
      before = here;
      here = after;
      entering = leaving;
      cell = at(start, cell.at[axis] + down);
    }
  }

  /// The cell at a position of the line that begins at `start`.
  KOKKOS_INLINE_FUNCTION Cell at(const Cell& start, int position) const {
    Cell cell = start;
    cell.at[axis] = position;
    cell.index += position * state.stride(axis);
    return cell;
  }
  /// A position shifted periodically into the line.
  KOKKOS_INLINE_FUNCTION int wrapped(int position) const {
    const int n = state.cells[axis];
    return position < state.begin[axis] ? position + n
                                        : (position >= state.end[axis] ? position - n : position);
  }
  /// Whether one `step` from a position leads out of a box that is not periodic.
  KOKKOS_INLINE_FUNCTION bool is_end(int position, int step) const {
    if (state.side[2 * axis] == SideKind::periodic) return false;
    return position + step < state.begin[axis] || position + step >= state.end[axis];
  }

  /// Values of a cell (step 0), or of its neighbour or the inflow through a side (step -1 or 1).
  KOKKOS_FORCEINLINE_FUNCTION Values read(const Cell& cell, int step, int place) const {
    const Neighbour<Real> from =
        step == 0 ? Neighbour<Real>{state.values(state.h, cell.index), nullptr, 0}
                  : neighbour(state, cell, axis, step);
    Values values = *reinterpret_cast<const Values*>(from.values + place);
    if (from.gain != nullptr) {
      const auto gain = *reinterpret_cast<const Values*>(from.gain + place);
      for (int k = 0; k < Width; ++k) values.lane[k] += from.density * gain.lane[k];
    }
    return values;
  }

  /// h that leaves the cell at a position downstream, averaged over a step.
  KOKKOS_FORCEINLINE_FUNCTION Values at_face(int position, int down, Real speed,
                                             const Values& before, const Values& here,
                                             const Values& after) const {
    const bool last = is_end(position, down);
    const Real behind = is_end(position, -down)
                            ? Real(2)
                            : width_over_distance(state, axis, position, wrapped(position - down));
    const Real ahead =
        last ? behind : width_over_distance(state, axis, position, wrapped(position + down));
    const Real half = Real(0.5) * (1 - speed * state.ratio_at(axis, position));
    const Real share = last ? Real(1) : behind / (behind + ahead);
    Values values;
    for (int k = 0; k < Width; ++k) {
      const Real a = behind * (here.lane[k] - before.lane[k]);
      const Real b = ahead * (after.lane[k] - here.lane[k]);
      const Real slope = last || state.limiter == Limiter::none
                             ? share * a + (1 - share) * b
                             : limited_slope(state.limiter, a, b);
      values.lane[k] = here.lane[k] + half * slope;
    }
    return values;
  }
};

template <int Width, class ExecutionSpace, class Real>
void launch(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
            int axis) {
  constexpr bool host = is_host_backend<ExecutionSpace>;
  constexpr int team_size = host ? 1 : 256;
  constexpr int length = host ? 1 : strip_length;
  const int strips = (state.cells[axis] + length - 1) / length;
  const int parts = host ? 1 : (state.velocities.size() / Width + team_size - 1) / team_size;
  const int lines = state.cell_count() / state.cells[axis];
  const TeamPolicy<ExecutionSpace> policy(context.execution, lines * strips * parts, team_size, 1);
  Kokkos::parallel_for(
      "knudsen/boltzmann/stream_along", policy,
      StreamLines<ExecutionSpace, Real, Width>{state, axis, strips, length, parts});
}

}  // namespace

template <class ExecutionSpace, class Real>
void stream_along(const StepContext<ExecutionSpace>& context, State<ExecutionSpace, Real>& state,
                  int axis) {
  if (state.cell_count() == 0) return;
  if (axis < 2) {
    launch<values_per_access<Real>>(context, state, axis);
  } else {
    launch<1>(context, state, axis);
  }
  std::swap(state.h, state.next);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                      \
  template void stream_along<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                                   State<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
