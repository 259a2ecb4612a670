#pragma once

#include "kinetic/limiter.hpp"
#include "kinetic/surface.hpp"
#include "kinetic/velocity_space.hpp"
#include "methods/boltzmann/access.hpp"
#include "methods/boltzmann/invariants.hpp"

namespace knudsen::boltzmann {

/// The deviation h of eq. (5) on a backend, as (cell, velocity), and the inflow through the sides
/// of the box. Cells are numbered (z * ny + y) * nx + x.
///
/// The inflow h of a reservoir is wall_offset. A wall re-emits wall_offset + wall_density x
/// wall_gain (eq. (13) solved for h). Sides that reflect some molecules have their whole inflow in
/// `incoming`.
///
/// Where several ranks share the box, it is the slab of one of them. Rows before the first and
/// after the last of h and next are ghost cells, which hold the values of other ranks, so that a
/// cell's neighbour across a cut is as far away in memory as any other. A side that streaming does
/// not reach from the slab counts as a reservoir.
template <class ExecutionSpace, class Real>
struct State {  // NOLINT: names in its implicit copy are the compiler's
  /// With weights times Phi_0: a moment of h is the sum of weight x h.
  VelocitySpace<ExecutionSpace, Real> velocities;
  View<Real*, ExecutionSpace> inverse_weights[3];  ///< 0 in the padding along z
  Real equilibrium_moments[product_moments] = {};  ///< sums of weight x evaluate_products
  int dimensions = 1;
  int cells[3] = {1, 1, 1};  ///< without ghosts
  int begin[3] = {0, 0, 0};  ///< first position along each axis, ghosts included
  int end[3] = {1, 1, 1};    ///< one past the last
  /// Time step over cell width along each axis, from position `begin` on.
  View<Real*, ExecutionSpace> ratio[3];
  View<Real**, ExecutionSpace> h;     ///< the state between two steps
  View<Real**, ExecutionSpace> next;  ///< target of the streaming, same shape as h

  int order = 1;                        ///< of the streaming
  Limiter limiter = Limiter::van_leer;  ///< of order 2

  SideKind side[6] = {};                      ///< conditions on the sides, by Side
  bool balanced[6] = {};                      ///< SurfaceLaw::balanced of the sides
  View<int*, ExecutionSpace> face_surface;    ///< of each face, see Surfaces
  View<Real**, ExecutionSpace> wall_offset;   ///< (surface, velocity)
  View<Real**, ExecutionSpace> wall_gain;     ///< (surface, velocity); zero unless `balanced`
  View<double*, ExecutionSpace> offset_flux;  ///< by surface: inward mass flux of wall_offset
  View<double*, ExecutionSpace> gain_flux;    ///< by surface: inward mass flux of wall_gain
  View<double*, ExecutionSpace> returned;     ///< by surface: MassBalance::returned
  /// By surface: the inward mass flux of h that comes besides, from MassBalance::added and from
  /// what a pump keeps of the gas at rest.
  View<double*, ExecutionSpace> added_flux;
  View<Real*, ExecutionSpace> wall_density;  ///< deviation of n_w, of each face
  int first_face[6] = {};                    ///< first face of a side among all faces
  Real diffuse_share[6] = {};                ///< SurfaceLaw::diffuse_share of the sides
  /// First row of a side in `incoming`; -1 for sides that do not reflect.
  int first_incoming[6] = {-1, -1, -1, -1, -1, -1};
  View<Real**, ExecutionSpace> incoming;  ///< (face, velocity)

  KOKKOS_INLINE_FUNCTION int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  /// Whether what enters through a side depends on what leaves through it.
  KOKKOS_INLINE_FUNCTION bool returns(int side_index) const {
    return balanced[side_index] || first_incoming[side_index] >= 0;
  }
  /// Distance of neighbouring cells along an axis, in cell numbers.
  KOKKOS_INLINE_FUNCTION int stride(int axis) const {
    return axis == 0 ? 1 : (axis == 1 ? cells[0] : cells[0] * cells[1]);
  }
  /// Number of faces of a side.
  KOKKOS_INLINE_FUNCTION int faces(int side_index) const {
    const int axis = side_index / 2;
    return cells[axis == 0 ? 1 : 0] * cells[axis == 2 ? 1 : 2];
  }
  /// Time step over width of the cells at a position along an axis.
  KOKKOS_INLINE_FUNCTION Real ratio_at(int axis, int position) const {
    return ratio[axis](position - begin[axis]);
  }
  /// Values of a cell (or face) in an array of rows of velocities.
  KOKKOS_INLINE_FUNCTION Real* values(View<Real**, ExecutionSpace> array, int cell) const {
    return array.data() + static_cast<std::ptrdiff_t>(cell) * velocities.size();
  }
  /// Velocity component `axis` of the row with components i and j, at z index k.
  KOKKOS_INLINE_FUNCTION Real node(int axis, int i, int j, int k) const {
    return velocities.nodes[axis](axis == 0 ? i : (axis == 1 ? j : k));
  }
};

/// A cell by its number and its position along x, y and z.
struct Cell {
  int index;
  int at[3];
};

/// The cell with a number.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Cell make_cell(const State<ExecutionSpace, Real>& state, int index) {
  const int row = index / state.cells[0];
  const int z = row / state.cells[1];
  return {index, {index - row * state.cells[0], row - z * state.cells[1], z}};
}

/// The cell at a position along an axis on the line through a face of a side across it; faces are
/// numbered along the lower, then the higher of the two other axes.
KOKKOS_INLINE_FUNCTION Cell cell_on_line(const int (&cells)[3], int axis, int position, int face) {
  const int inner = axis == 0 ? cells[1] : cells[0];
  const int a = face % inner;
  const int b = face / inner;
  const int x = axis == 0 ? position : a;
  const int y = axis == 0 ? a : (axis == 1 ? position : b);
  const int z = axis == 2 ? position : b;
  return {(z * cells[1] + y) * cells[0] + x, {x, y, z}};
}

/// The cell beside a face of a side.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Cell cell_beside(const State<ExecutionSpace, Real>& state, int side,
                                        int face) {
  const int axis = side / 2;
  return cell_on_line(state.cells, axis, side % 2 == 0 ? state.begin[axis] : state.end[axis] - 1,
                      face);
}

/// Number of the face beside a cell, among those of a side across `axis`.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int face_of(const State<ExecutionSpace, Real>& state, const Cell& cell,
                                   int axis) {
  if (axis == 0) return cell.at[2] * state.cells[1] + cell.at[1];
  return (axis == 1 ? cell.at[2] : cell.at[1]) * state.cells[0] + cell.at[0];
}

/// h of a neighbouring cell or of the inflow through a side: values + density x gain.
template <class Real>
struct Neighbour {
  const Real* values;
  const Real* gain;  ///< null for zero
  Real density;
};

/// The values of one access from `place` on.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Access<Real> read(const Neighbour<Real>& from, int place) {
  auto values = *reinterpret_cast<const Access<Real>*>(from.values + place);
  if (from.gain != nullptr) {
    const auto gain = *reinterpret_cast<const Access<Real>*>(from.gain + place);
    for (int k = 0; k < values_per_access<Real>; ++k)
      values.value[k] += from.density * gain.value[k];
  }
  return values;
}

/// The lower (`step` -1) or upper (1) neighbour of a cell along an axis.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Neighbour<Real> neighbour(const State<ExecutionSpace, Real>& state,
                                                 const Cell& cell, int axis, int step) {
  const int n = state.cells[axis];
  int position = cell.at[axis] + step;
  const int side = 2 * axis + (step < 0 ? 0 : 1);
  if (position >= state.begin[axis] && position < state.end[axis]) {
    return {state.values(state.h, cell.index + step * state.stride(axis)), nullptr, 0};
  }
  if (state.side[side] == SideKind::periodic) {
    position = position < 0 ? n - 1 : 0;
    const int index = cell.index + (position - cell.at[axis]) * state.stride(axis);
    return {state.values(state.h, index), nullptr, 0};
  }
  const int face = face_of(state, cell, axis);
  if (state.first_incoming[side] >= 0) {
    return {state.values(state.incoming, state.first_incoming[side] + face), nullptr, 0};
  }
  const int number = state.first_face[side] + face;
  const int surface = state.face_surface(number);
  return {&state.wall_offset(surface, 0), &state.wall_gain(surface, 0), state.wall_density(number)};
}

/// Width of cell `own` over the distance between its centre and that of `other`, along an axis.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Real width_over_distance(const State<ExecutionSpace, Real>& state, int axis,
                                                int own, int other) {
  const Real there = state.ratio_at(axis, other);
  return 2 * there / (there + state.ratio_at(axis, own));
}

/// h that leaves a cell through a side of the box, averaged over a step. With order 2 it is
/// extrapolated from the two cells next to the side.
template <class Real>
struct Outflow {
  const Real* values;  ///< of the cell beside the side
  const Real* inner;   ///< of the next cell inwards
  Real half_slope;     ///< half the slope per difference of the two; 0 with order 1
  Real ratio;          ///< time step over width of the cell

  /// At a velocity with this outward component.
  KOKKOS_INLINE_FUNCTION Real operator()(int place, Real speed) const {
    const Real h = values[place];
    return h + half_slope * (1 - speed * ratio) * (h - inner[place]);
  }
};

/// The outflow from the cell beside a side.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_through(const State<ExecutionSpace, Real>& state,
                                                     int side, const Cell& cell) {
  const int axis = side / 2;
  const Real* values = state.values(state.h, cell.index);
  if (state.order == 1) return {values, values, 0, 0};
  const int inwards = side % 2 == 0 ? 1 : -1;
  const int own = cell.at[axis];
  return {values, values + inwards * state.stride(axis) * std::ptrdiff_t(state.velocities.size()),
          Real(0.5) * width_over_distance(state, axis, own, own + inwards),
          state.ratio_at(axis, own)};
}

}  // namespace knudsen::boltzmann
