#pragma once

#include "methods/shakhov/macroscopic_level.hpp"
#include "methods/shakhov/small_matrix.hpp"

// Kernels of MacroscopicSolver that the equations with a continuum share with those without.

namespace knudsen::shakhov {

template <class ExecutionSpace, class Body>
void for_cells(const ExecutionSpace& execution, const char* name, std::int64_t count,
               const Body& body) {
  Kokkos::parallel_for(
      name,
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(execution, 0, count),
      body);
}

/// Changes of the fluxes at each cell for a change of its conserved quantities. `Blended`: with the
/// share of a continuum.
template <class ExecutionSpace, bool Blended>
struct SetFluxes {
  MacroscopicLevel<ExecutionSpace> level;
  typename MacroscopicLevel<ExecutionSpace>::Vector change;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(level.volume(cell) > 0)) return;
    float values[conserved_count];
    level.read(change, cell, values);
    const LocalGas gas = level.gas_of(cell);
    for (int axis = 0; axis < level.dimensions; ++axis) {
      FluxChange f = flux_change(gas, values, axis, level.prandtl);
      if constexpr (Blended) level.blend_continuum(cell, axis, values, f);
      float* out = &level.fluxes(cell, axis * fluxes_of_axis);
      for (int i = 0; i < conserved_count; ++i) {
        out[i] = f.forward[i];
        out[conserved_count + i] = f.backward[i];
        out[2 * conserved_count + i] = f.diffusive[i];
      }
    }
  }
};

/// The inverse of the diagonal block of a cell. `Blended`: as for SetFluxes.
template <class ExecutionSpace, bool Blended>
struct SetInverse {
  MacroscopicLevel<ExecutionSpace> level;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(level.volume(cell) > 0)) return;
    int at[3];
    level.place(cell, at);
    const LocalGas gas = level.gas_of(cell);
    SmallMatrix block;
    bool alone = true;
    for (int j = 0; j < conserved_count; ++j) {
      float unit[conserved_count] = {};
      unit[j] = 1;
      float sum[conserved_count] = {};
      for (int axis = 0; axis < level.dimensions; ++axis) {
        FluxChange f = flux_change(gas, unit, axis, level.prandtl);
        if constexpr (Blended) level.blend_continuum(cell, axis, unit, f);
        for (int step = -1; step <= 1; step += 2) {
          const std::int64_t next = level.neighbour(cell, at, axis, step);
          const float area = level.face_area(cell, next, axis, step);
          if (!(area > 0)) continue;
          alone = false;
          const float diffusion =
              level.diffusion(cell, next, axis, at[axis], level.wrapped(at[axis] + step, axis));
          for (int i = 0; i < conserved_count; ++i) {
            sum[i] +=
                area * ((step > 0 ? f.forward[i] : -f.backward[i]) + diffusion * f.diffusive[i]);
          }
        }
        for (const int side : {2 * axis, 2 * axis + 1}) {
          level.add_turned(
              cell, at, side, [&](int i) { return f.diffusive[i]; }, sum);
        }
      }
      add_product(level.wall, cell, unit, 1, sum);
      for (int i = 0; i < conserved_count; ++i) block.value[i][j] = double(sum[i]);
    }
    if (alone) {
      // No mass leaves a cell between walls only, which on a coarse grid may be all of the gas.
      // That makes the block singular.
      constexpr double small = 0.01;
      double scale = 0;
      for (int i = 0; i < conserved_count; ++i) scale += small * math::fabs(block.value[i][i]);
      for (int i = 0; i < conserved_count; ++i) block.value[i][i] += scale;
    }
    const SmallMatrix inverse = inverted(block);
    for (int i = 0; i < conserved_count; ++i) {
      for (int j = 0; j < conserved_count; ++j) {
        level.inverse(cell, i * conserved_count + j) = static_cast<float>(inverse.value[i][j]);
      }
    }
  }
};

/// Calls body(child, last) for the cells of a finer grid that a cell of a coarser one stands for;
/// last[d] tells whether the child is the last of them along axis d.
template <class Level, class Body>
KOKKOS_INLINE_FUNCTION void for_children(const Level& fine, const Level& coarse, std::int64_t cell,
                                         const Body& body) {
  int at[3];
  coarse.place(cell, at);
  int begin[3];
  int end[3];
  for (int d = 0; d < 3; ++d) {
    const int factor = fine.cells[d] == coarse.cells[d] ? 1 : 2;
    begin[d] = factor * at[d];
    end[d] = begin[d] + factor < fine.cells[d] ? begin[d] + factor : fine.cells[d];
  }
  for (int z = begin[2]; z < end[2]; ++z) {
    for (int y = begin[1]; y < end[1]; ++y) {
      for (int x = begin[0]; x < end[0]; ++x) {
        const bool last[3] = {x == end[0] - 1, y == end[1] - 1, z == end[2] - 1};
        body((std::int64_t(z) * fine.cells[1] + y) * fine.cells[0] + x, last);
      }
    }
  }
}

}  // namespace knudsen::shakhov
