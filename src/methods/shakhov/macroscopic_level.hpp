#pragma once

#include "methods/shakhov/maxwellian_fluxes.hpp"
#include "methods/shakhov/sweep_space.hpp"

// The linear macroscopic equations of synthetic acceleration on one level of a hierarchy of grids.

namespace knudsen::shakhov {

inline constexpr int block_entries = conserved_count * conserved_count;
inline constexpr int fluxes_of_axis = 3 * conserved_count;

/// The equations of the cells of a grid, integrated over the cells: for each cell the sum of the
/// outward fluxes of the conserved quantities equals `right`. Cells of zero volume are solid. All
/// numbers have single precision: what is solved for is a correction that vanishes in the end.
template <class ExecutionSpace>
struct MacroscopicLevel {  // NOLINT: names in its implicit copy are the compiler's
  using Vector = View<float* [conserved_count], ExecutionSpace>;
  using Matrix = View<float* [block_entries], ExecutionSpace>;

  int dimensions = 3;
  int cells[3] = {1, 1, 1};
  bool periodic[3] = {false, false, false};
  /// Of antisymmetric sides: components of the velocity that they reverse, a bit each. 0: others.
  int reversed[6] = {0, 0, 0, 0, 0, 0};
  float prandtl = 1;
  float rotation = 0;  ///< degrees of freedom of the rotation of a molecule
  View<float*, ExecutionSpace> width[3];
  View<float*, ExecutionSpace> volume;    ///< of the gas in each cell
  View<float* [3], ExecutionSpace> area;  ///< open area between a cell and the next one on an axis
  View<float* [5], ExecutionSpace> gas;   ///< density, velocity x, y, z, temperature
  View<float*, ExecutionSpace> rate;      ///< relaxation rate that limits diffusion
  Matrix wall;     ///< fluxes through the surfaces of a cell, for a change in the cell
  Matrix inverse;  ///< of the diagonal blocks of the equations
  Vector right;
  Vector solution;
  Vector residual;
  /// Changes of the fluxes at each cell, indexed (cell, axis, FluxChange).
  View<float * [3 * fluxes_of_axis], ExecutionSpace> fluxes;

  /// Share of each cell's balance that is Navier's and Stokes's (ContinuumBalance); empty: none.
  View<float*, ExecutionSpace> continuum;

  // Finest level only, for sweeps of second order.
  int order = 1;
  View<float**, ExecutionSpace> extrapolation[3];  ///< as SweepSpace::extrapolation
  View<int*, ExecutionSpace> cell_class;           ///< as SweepSpace::cell_class
  View<int* [7], ExecutionSpace> faces;            ///< as SweepSpace::faces
  Matrix face_net;      ///< outward flux through each face, for a change of the gas beside it
  Matrix face_emitted;  ///< what the surface sends into the gas, likewise

  KOKKOS_INLINE_FUNCTION std::int64_t cell_count() const {
    return std::int64_t(cells[0]) * cells[1] * cells[2];
  }
  KOKKOS_INLINE_FUNCTION void place(std::int64_t cell, int (&at)[3]) const {
    at[0] = static_cast<int>(cell % cells[0]);
    at[1] = static_cast<int>(cell / cells[0] % cells[1]);
    at[2] = static_cast<int>(cell / cells[0] / cells[1]);
  }
  KOKKOS_INLINE_FUNCTION std::int64_t stride(int axis) const {
    return axis == 0 ? 1 : axis == 1 ? cells[0] : std::int64_t(cells[0]) * cells[1];
  }
  /// The next cell along an axis in the direction `step` (1 or -1); -1 if there is a side between.
  KOKKOS_INLINE_FUNCTION std::int64_t neighbour(std::int64_t cell, const int (&at)[3], int axis,
                                                int step) const {
    const int there = at[axis] + step;
    if (there >= 0 && there < cells[axis]) return cell + step * stride(axis);
    return periodic[axis] ? cell + (step - step * cells[axis]) * stride(axis) : -1;
  }
  /// Open area of the face of a cell in the direction `step`, whose neighbour there is `next`.
  KOKKOS_INLINE_FUNCTION float face_area(std::int64_t cell, std::int64_t next, int axis,
                                         int step) const {
    if (next < 0) return 0;
    return area(step > 0 ? cell : next, axis);
  }
  /// Whether there is a surface, and no gas, beyond the face of a cell on a side.
  KOKKOS_INLINE_FUNCTION bool at_wall(std::int64_t cell, const int (&at)[3], int side) const {
    if ((cell_class(cell) >> side & 1) == 0) return false;
    const int step = side % 2 == 0 ? -1 : 1;
    return !(face_area(cell, neighbour(cell, at, side / 2, step), side / 2, step) > 0);
  }
  /// `reversed` of a side if a cell is beside it, else 0. Beyond it is a cell with the change of
  /// this one, turned.
  KOKKOS_INLINE_FUNCTION int turned(const int (&at)[3], int side) const {
    const int axis = side / 2;
    return at[axis] == (side % 2 == 0 ? 0 : cells[axis] - 1) ? reversed[side] : 0;
  }
  /// Diffusion between a cell and its turned image beyond a side, as OutwardFlux has it between
  /// cells, of which only what the side reverses differs: adds the outward flux to `sum` for the
  /// changes `diffusive` of FluxChange at the cell.
  template <class Diffusive>
  KOKKOS_INLINE_FUNCTION void add_turned(std::int64_t cell, const int (&at)[3], int side,
                                         const Diffusive& diffusive,
                                         float (&sum)[conserved_count]) const {
    const int components = turned(at, side);
    if (components == 0) return;
    const int here = at[side / 2];
    const float area = volume(cell) / width[side / 2](here);
    const float scale = 2 * area * diffusion(cell, cell, side / 2, here, here);
    for (int d = 0; d < 3; ++d) {
      if ((components >> d & 1) != 0) sum[1 + d] += scale * diffusive(1 + d);
    }
  }
  /// Whether a cell's own value is that at all its faces.
  KOKKOS_INLINE_FUNCTION bool is_first_order(std::int64_t cell) const {
    return order == 1 || (cell_class(cell) & first_order_bits) != 0;
  }
  KOKKOS_INLINE_FUNCTION LocalGas gas_of(std::int64_t cell) const {
    return {gas(cell, 0), {gas(cell, 1), gas(cell, 2), gas(cell, 3)}, gas(cell, 4), rotation};
  }
  /// Relaxation time over the distance of two neighbouring cells.
  KOKKOS_INLINE_FUNCTION float diffusion(std::int64_t cell, std::int64_t next, int axis, int here,
                                         int there) const {
    const float distance = 0.5F * (width[axis](here) + width[axis](there));
    return 2 / ((rate(cell) + rate(next)) * distance);
  }
  /// Blends the share of a continuum into the changes of the fluxes along an axis at a cell, for
  /// the equations of first order.
  KOKKOS_INLINE_FUNCTION void blend_continuum(std::int64_t cell, int axis,
                                              const float (&change)[conserved_count],
                                              FluxChange& fluxes) const {
    int at[3];
    place(cell, at);
    blend(continuum(cell),
          continuum_flux_change(gas_of(cell), change, axis, prandtl, rate(cell),
                                width[axis](at[axis])),
          fluxes);
  }
  /// A vector of changes at a cell.
  KOKKOS_INLINE_FUNCTION static void read(const Vector& change, std::int64_t cell,
                                          float (&values)[conserved_count]) {
    for (int i = 0; i < conserved_count; ++i) values[i] = change(cell, i);
  }
  /// Change of a cell, with order 2 extrapolated to its surface on a side.
  KOKKOS_INLINE_FUNCTION void at_surface(const Vector& change, std::int64_t cell,
                                         const int (&at)[3], int side,
                                         float (&values)[conserved_count]) const {
    read(change, cell, values);
    if (is_first_order(cell)) return;
    const int axis = side / 2;
    const std::int64_t inner = neighbour(cell, at, axis, side % 2 == 0 ? 1 : -1);
    if (inner < 0 || !(volume(inner) > 0)) return;
    const float weight = extrapolation[axis](side % 2, at[axis]);
    for (int i = 0; i < conserved_count; ++i) {
      values[i] += weight * (values[i] - change(inner, i));
    }
  }
  KOKKOS_INLINE_FUNCTION int wrapped(int place, int axis) const {
    return (place + cells[axis]) % cells[axis];
  }
};

/// Result += block (row by row) x vector x scale.
template <class Block>
KOKKOS_INLINE_FUNCTION void add_product(const Block& block, std::int64_t row,
                                        const float (&vector)[conserved_count], float scale,
                                        float (&result)[conserved_count]) {
  for (int i = 0; i < conserved_count; ++i) {
    float sum = 0;
    for (int j = 0; j < conserved_count; ++j)
      sum += block(row, i * conserved_count + j) * vector[j];
    result[i] += scale * sum;
  }
}

}  // namespace knudsen::shakhov
