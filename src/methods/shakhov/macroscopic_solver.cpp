#include "methods/shakhov/macroscopic_solver.hpp"

#include <algorithm>
#include <cmath>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "methods/shakhov/macroscopic_kernels.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {
namespace {

template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// Damping of the Jacobi iterations.
constexpr float damping = 0.7F;
/// Jacobi iterations before and after the coarser grid, and on the coarsest one.
constexpr int iterations_before = 2;
constexpr int iterations_after = 2;
constexpr int iterations_coarsest = 8;
/// Cells whose products are summed by one work item.
constexpr std::int64_t chunk = 256;

/// The left side of the equations for the change that SetFluxes was called with.
template <class ExecutionSpace>
struct OutwardFlux {
  MacroscopicLevel<ExecutionSpace> level;
  typename MacroscopicLevel<ExecutionSpace>::Vector change;

  /// Adds `scale` x the flux of molecules that leave a cell in the direction `step`.
  KOKKOS_INLINE_FUNCTION void add_leaving(std::int64_t cell, const int (&at)[3], int axis, int step,
                                          float scale, float (&sum)[conserved_count]) const {
    const int part = axis * fluxes_of_axis + (step > 0 ? 0 : conserved_count);
    if (level.is_first_order(cell)) {
      for (int i = 0; i < conserved_count; ++i) sum[i] += scale * level.fluxes(cell, part + i);
      return;
    }
    const int side = 2 * axis + (step > 0 ? 0 : 1);
    if (level.turned(at, side) != 0 && level.at_wall(cell, at, side)) {
      constexpr float weight = 0.5F;  // of a cell as wide beyond the side
      for (int i = 0; i < conserved_count; ++i) {
        sum[i] += (1 + weight) * scale * level.fluxes(cell, part + i);
      }
      float beside[conserved_count];
      level.read(change, cell, beside);
      add_product(level.face_emitted, level.faces(level.cell_class(cell) >> class_bits, side),
                  beside, weight * (step > 0 ? -scale : scale), sum);
      return;
    }
    if (level.at_wall(cell, at, side)) {
      // The value at a surface upwind counts as that of a cell half a width away.
      for (int i = 0; i < conserved_count; ++i) sum[i] += 2 * scale * level.fluxes(cell, part + i);
      float beside[conserved_count];
      level.at_surface(change, cell, at, side, beside);
      add_product(level.face_emitted, level.faces(level.cell_class(cell) >> class_bits, side),
                  beside, step > 0 ? -scale : scale, sum);
      return;
    }
    const std::int64_t before = level.neighbour(cell, at, axis, -step);
    const float more = level.extrapolation[axis](step > 0 ? 1 : 0, at[axis]);
    const float weight = more < 1 ? more : 0.5F;  // one beside a periodic side
    for (int i = 0; i < conserved_count; ++i) {
      sum[i] += scale * ((1 + weight) * level.fluxes(cell, part + i) -
                         weight * level.fluxes(before, part + i));
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell, float (&sum)[conserved_count]) const {
    int at[3];
    level.place(cell, at);
    for (float& each : sum) each = 0;
    for (int axis = 0; axis < level.dimensions; ++axis) {
      for (int step = -1; step <= 1; step += 2) {
        const std::int64_t next = level.neighbour(cell, at, axis, step);
        const float area = level.face_area(cell, next, axis, step);
        if (!(area > 0)) continue;
        int there[3] = {at[0], at[1], at[2]};
        there[axis] = level.wrapped(at[axis] + step, axis);
        // Fluxes count along the axis, outward fluxes in the direction of the step.
        const float outward = step > 0 ? area : -area;
        add_leaving(cell, at, axis, step, outward, sum);
        add_leaving(next, there, axis, -step, outward, sum);
        const float diffusion = area * level.diffusion(cell, next, axis, at[axis], there[axis]);
        const int part = axis * fluxes_of_axis + 2 * conserved_count;
        for (int i = 0; i < conserved_count; ++i) {
          sum[i] += diffusion * (level.fluxes(cell, part + i) - level.fluxes(next, part + i));
        }
      }
    }
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      const int part = side / 2 * fluxes_of_axis + 2 * conserved_count;
      level.add_turned(
          cell, at, side, [&](int i) { return level.fluxes(cell, part + i); }, sum);
    }
    if (level.is_first_order(cell)) {
      float values[conserved_count];
      level.read(change, cell, values);
      add_product(level.wall, cell, values, 1, sum);
      return;
    }
    const int here = level.cell_class(cell);
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      if (!level.at_wall(cell, at, side)) continue;
      float values[conserved_count];
      level.at_surface(change, cell, at, side, values);
      const float area = level.volume(cell) / level.width[side / 2](at[side / 2]);
      add_product(level.face_net, level.faces(here >> class_bits, side), values, area, sum);
    }
  }
};

/// result = left side of the equations, or the right side less the left one.
template <class ExecutionSpace>
struct Apply {
  OutwardFlux<ExecutionSpace> left;
  typename MacroscopicLevel<ExecutionSpace>::Vector result;
  bool residual;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const auto& level = left.level;
    float sum[conserved_count] = {};
    if (level.volume(cell) > 0) left(cell, sum);
    for (int i = 0; i < conserved_count; ++i) {
      result(cell, i) = residual ? level.right(cell, i) - sum[i] : sum[i];
    }
  }
};

/// solution += damping x inverse diagonal x residual
template <class ExecutionSpace>
struct Relax {
  MacroscopicLevel<ExecutionSpace> level;
  typename MacroscopicLevel<ExecutionSpace>::Vector residual;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(level.volume(cell) > 0)) return;
    float values[conserved_count];
    level.read(residual, cell, values);
    float sum[conserved_count];
    level.read(level.solution, cell, sum);
    add_product(level.inverse, cell, values, damping, sum);
    for (int i = 0; i < conserved_count; ++i) level.solution(cell, i) = sum[i];
  }
};

/// State, volumes, areas and walls of a coarser grid.
template <class ExecutionSpace>
struct Coarsen {
  MacroscopicLevel<ExecutionSpace> fine;
  MacroscopicLevel<ExecutionSpace> coarse;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    float volume = 0;
    float rate = 0;
    float gas[5] = {};  // density, momentum, n (u^2 + 3/2 T)
    float area[3] = {};
    float wall[block_entries] = {};
    for_children(fine, coarse, cell, [&](std::int64_t child, const bool(&last)[3]) {
      const float part = fine.volume(child);
      if (!(part > 0)) return;
      const LocalGas there = fine.gas_of(child);
      float square = there.capacity() * there.temperature;
      volume += part;
      rate += part * fine.rate(child);
      gas[0] += part * there.density;
      for (int d = 0; d < 3; ++d) {
        gas[1 + d] += part * there.density * there.velocity[d];
        square += there.velocity[d] * there.velocity[d];
        if (last[d]) area[d] += fine.area(child, d);
      }
      gas[4] += part * there.density * square;
      for (int i = 0; i < block_entries; ++i) wall[i] += fine.wall(child, i);
    });
    coarse.volume(cell) = volume;
    if (!(volume > 0)) return;
    coarse.rate(cell) = rate / volume;
    const float density = gas[0] / volume;
    coarse.gas(cell, 0) = density;
    float square = 0;
    for (int d = 0; d < 3; ++d) {
      const float u = gas[1 + d] / gas[0];
      coarse.gas(cell, 1 + d) = u;
      square += u * u;
      coarse.area(cell, d) = area[d];
    }
    coarse.gas(cell, 4) = (gas[4] / gas[0] - square) / coarse.gas_of(cell).capacity();
    for (int i = 0; i < block_entries; ++i) coarse.wall(cell, i) = wall[i];
  }
};

/// Residuals of a finer grid as right-hand sides of a coarser one.
template <class ExecutionSpace>
struct Restrict {
  MacroscopicLevel<ExecutionSpace> fine;
  MacroscopicLevel<ExecutionSpace> coarse;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    float sum[conserved_count] = {};
    for_children(fine, coarse, cell, [&](std::int64_t child, const bool(&)[3]) {
      for (int i = 0; i < conserved_count; ++i) sum[i] += fine.residual(child, i);
    });
    for (int i = 0; i < conserved_count; ++i) coarse.right(cell, i) = sum[i];
  }
};

/// Adds the solution of a coarser grid, interpolated linearly along each axis where the gas goes
/// on.
template <class ExecutionSpace>
struct Prolong {
  MacroscopicLevel<ExecutionSpace> fine;
  MacroscopicLevel<ExecutionSpace> coarse;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(fine.volume(cell) > 0)) return;
    int at[3];
    fine.place(cell, at);
    int near[3];
    int far[3];
    float share[3];  // of the far cell
    for (int d = 0; d < 3; ++d) {
      const bool halved = fine.cells[d] != coarse.cells[d];
      near[d] = halved ? at[d] / 2 : at[d];
      far[d] = near[d];
      share[d] = 0;
      if (!halved) continue;
      const int there = near[d] + (at[d] % 2 == 0 ? -1 : 1);
      if (!coarse.periodic[d] && (there < 0 || there >= coarse.cells[d])) continue;
      far[d] = coarse.wrapped(there, d);
      share[d] = 0.25F;
    }
    float sum[conserved_count] = {};
    float weights = 0;
    for (int corner = 0; corner < 8; ++corner) {
      float weight = 1;
      int from[3];
      for (int d = 0; d < 3; ++d) {
        const bool is_far = (corner >> d & 1) != 0;
        from[d] = is_far ? far[d] : near[d];
        weight *= is_far ? share[d] : 1 - share[d];
      }
      const std::int64_t parent =
          (std::int64_t(from[2]) * coarse.cells[1] + from[1]) * coarse.cells[0] + from[0];
      if (!(weight > 0) || !(coarse.volume(parent) > 0)) continue;
      weights += weight;
      for (int i = 0; i < conserved_count; ++i) sum[i] += weight * coarse.solution(parent, i);
    }
    for (int i = 0; i < conserved_count; ++i) fine.solution(cell, i) += sum[i] / weights;
  }
};

/// The product of a vector with each of `count` vectors of a basis from `first` on, a chunk of
/// cells.
template <class ExecutionSpace>
struct ChunkProducts {
  using Vector = typename MacroscopicLevel<ExecutionSpace>::Vector;
  static constexpr int most = MacroscopicSolver<ExecutionSpace>::max_iterations_with_continuum + 1;
  Vector vector;
  Vector basis[most];
  int first;
  int count;
  View<double**, ExecutionSpace> sums;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    const int each = first + static_cast<int>(work % count);
    const std::int64_t begin = work / count * chunk * conserved_count;
    const auto all = static_cast<std::int64_t>(vector.span());
    const std::int64_t end = begin + chunk * conserved_count;
    const float* a = vector.data();
    const float* b = basis[each].data();
    double sum = 0;
    for (std::int64_t i = begin; i < (end < all ? end : all); ++i)
      sum += double(a[i]) * double(b[i]);
    sums(each, work / count) = sum;
  }
};

/// vector = scale x (vector - sum of weights x basis)
template <class ExecutionSpace>
struct Combine {
  using Vector = typename MacroscopicLevel<ExecutionSpace>::Vector;
  static constexpr int most = MacroscopicSolver<ExecutionSpace>::max_iterations_with_continuum + 1;
  Vector vector;
  Vector basis[most];
  float weights[most];
  int count;
  float scale;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    float value = vector.data()[i];
    for (int n = 0; n < count; ++n) value -= weights[n] * basis[n].data()[i];
    vector.data()[i] = scale * value;
  }
};

/// The sum of a vector's first numbers over a chunk of cells, or of their products with the
/// volumes.
template <class ExecutionSpace>
struct ChunkMass {
  MacroscopicLevel<ExecutionSpace> level;
  typename MacroscopicLevel<ExecutionSpace>::Vector vector;
  bool density;
  View<double**, ExecutionSpace> sums;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    const std::int64_t begin = work * chunk;
    const std::int64_t all = level.cell_count();
    double sum = 0;
    for (std::int64_t cell = begin; cell < (begin + chunk < all ? begin + chunk : all); ++cell) {
      const auto volume = double(level.volume(cell));
      if (volume > 0) sum += (density ? volume : 1) * double(vector(cell, 0));
    }
    sums(0, work) = sum;
  }
};

/// Takes a source of mass in proportion to the volume from the balances.
template <class ExecutionSpace>
struct SubtractSource {
  MacroscopicLevel<ExecutionSpace> level;
  typename MacroscopicLevel<ExecutionSpace>::Vector vector;
  float source;  ///< in a unit volume

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    vector(cell, 0) -= source * level.volume(cell);
  }
};

/// Takes a change in proportion to the state from the solution.
template <class ExecutionSpace>
struct SubtractState {
  MacroscopicLevel<ExecutionSpace> level;
  float change;  ///< relative

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(level.volume(cell) > 0)) return;
    const float mass = change * level.gas(cell, 0);
    float square = 0;
    for (int d = 0; d < 3; ++d) {
      const float u = level.gas(cell, 1 + d);
      square += u * u;
      level.solution(cell, 1 + d) -= mass * u;
    }
    level.solution(cell, 0) -= mass;
    level.solution(cell, 4) -= mass * (level.gas_of(cell).capacity() * level.gas(cell, 4) + square);
  }
};

template <class ExecutionSpace>
MacroscopicLevel<ExecutionSpace> make_level(const int (&cells)[3], int dimensions,
                                            const FlowGrid& grid, const Gas& gas) {
  MacroscopicLevel<ExecutionSpace> level;
  level.dimensions = dimensions;
  level.prandtl = static_cast<float>(gas.prandtl);
  level.rotation = static_cast<float>(gas.rotation);
  std::size_t count = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    level.cells[d] = cells[d];
    level.periodic[d] =
        d < static_cast<std::size_t>(dimensions) && grid.sides[2 * d].kind == SideKind::periodic;
    level.width[d] =
        View<float*, ExecutionSpace>("macroscopic widths", static_cast<std::size_t>(cells[d]));
    count *= static_cast<std::size_t>(cells[d]);
  }
  for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(dimensions); ++side) {
    if (grid.sides[side].kind == SideKind::antisymmetric) {
      level.reversed[side] = reversed_components(grid.sides)[side];
    }
  }
  using Level = MacroscopicLevel<ExecutionSpace>;
  level.volume = View<float*, ExecutionSpace>("macroscopic volumes", count);
  level.area = View<float* [3], ExecutionSpace>("macroscopic areas", count);
  level.gas = View<float* [5], ExecutionSpace>("macroscopic state", count);
  level.rate = View<float*, ExecutionSpace>("macroscopic rates", count);
  level.wall = typename Level::Matrix("macroscopic walls", count);
  level.inverse = typename Level::Matrix("macroscopic inverses", count);
  level.right = typename Level::Vector("macroscopic right side", count);
  level.solution = typename Level::Vector("macroscopic solution", count);
  level.residual = typename Level::Vector("macroscopic residual", count);
  level.fluxes = View<float * [3 * fluxes_of_axis], ExecutionSpace>("macroscopic fluxes", count);
  return level;
}

template <class ExecutionSpace>
void apply(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
           const typename MacroscopicLevel<ExecutionSpace>::Vector& change,
           const typename MacroscopicLevel<ExecutionSpace>::Vector& result, bool residual) {
  if (level.continuum.extent(0) > 0) {
    set_blended_fluxes(execution, level, change);
  } else {
    for_cells(execution, "knudsen/shakhov/macroscopic_fluxes", level.cell_count(),
              SetFluxes<ExecutionSpace, false>{level, change});
  }
  for_cells(execution, "knudsen/shakhov/macroscopic_balance", level.cell_count(),
            Apply<ExecutionSpace>{{level, change}, result, residual});
}

}  // namespace

template <class ExecutionSpace>
MacroscopicSolver<ExecutionSpace>::MacroscopicSolver(const FlowGrid& grid, int order,
                                                     const Gas& gas, bool closed)
    : closed_(closed) {
  int cells[3] = {grid.cells[0], grid.cells[1], grid.cells[2]};
  std::vector<float> widths[3];
  for (std::size_t d = 0; d < 3; ++d) {
    for (int i = 0; i < cells[d]; ++i) {
      const bool there = d < static_cast<std::size_t>(grid.dimensions);
      widths[d].push_back(there ? static_cast<float>(grid.width(d, i)) : 1.0F);
    }
  }
  while (true) {
    levels_.push_back(make_level<ExecutionSpace>(cells, grid.dimensions, grid, gas));
    for (std::size_t d = 0; d < 3; ++d) upload(levels_.back().width[d], widths[d]);
    if (std::max({cells[0], cells[1], cells[2]}) <= 2) break;
    for (std::size_t d = 0; d < 3; ++d) {
      if (cells[d] <= 2) continue;
      std::vector<float> coarse;
      for (std::size_t i = 0; i < widths[d].size(); i += 2) {
        coarse.push_back(widths[d][i] + (i + 1 < widths[d].size() ? widths[d][i + 1] : 0));
      }
      widths[d] = coarse;
      cells[d] = static_cast<int>(coarse.size());
    }
  }
  levels_.front().order = order;
  // Volumes and areas of the finest level.
  const std::size_t count = grid.cell_count();
  std::vector<float> volume(count, 0);
  std::vector<float> area(3 * count, 0);
  for (std::size_t cell = 0; cell < count; ++cell) {
    if (grid.solid(cell)) continue;
    const auto at = grid.at(cell);
    volume[cell] = static_cast<float>(grid.gas_volume(cell));
    volume_ += grid.gas_volume(cell);
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions); ++d) {
      auto next = at;
      if (++next[d] == grid.cells[d]) {
        if (!levels_.front().periodic[d]) continue;
        next[d] = 0;
      }
      if (grid.solid(grid.index(next))) continue;
      const CutCell* cut = grid.solids.cut_cell(cell);
      area[3 * cell + d] =
          static_cast<float>(grid.face_area(d, at) * (cut == nullptr ? 1 : cut->open[2 * d + 1]));
    }
  }
  upload(levels_.front().volume, volume);
  upload(levels_.front().area, area);
  allocate_basis(max_iterations);
}

template <class ExecutionSpace>
void MacroscopicSolver<ExecutionSpace>::allocate_basis(int iterations) {
  const auto count = static_cast<std::size_t>(levels_.front().cell_count());
  while (static_cast<int>(basis_.size()) < iterations + 1) {
    basis_.emplace_back("macroscopic basis", count);
  }
  sums_ = View<double**, ExecutionSpace>("macroscopic sums", basis_.size(),
                                         (count + chunk - 1) / chunk);
}

template <class ExecutionSpace>
void MacroscopicSolver<ExecutionSpace>::prepare(const ExecutionSpace& execution) {
  for (std::size_t n = 0; n < levels_.size(); ++n) {
    const Level level = of_cycle(n);
    const auto cells = level.cell_count();
    if (n > 0) {
      const Level finer = of_cycle(n - 1);
      for_cells(execution, "knudsen/shakhov/macroscopic_coarsen", cells,
                Coarsen<ExecutionSpace>{finer, level});
      if (continuum_) coarsen_continuum(execution, finer, level);
    }
    if (continuum_) {
      set_blended_inverse(execution, level);
    } else {
      for_cells(execution, "knudsen/shakhov/macroscopic_inverse", cells,
                SetInverse<ExecutionSpace, false>{level});
    }
  }
}

template <class ExecutionSpace>
void MacroscopicSolver<ExecutionSpace>::cycle(const ExecutionSpace& execution, std::size_t number) {
  const Level level = of_cycle(number);
  const bool coarsest = number + 1 == levels_.size();
  const auto relax = [&](const Vector& residual) {
    for_cells(execution, "knudsen/shakhov/macroscopic_relax", level.cell_count(),
              Relax<ExecutionSpace>{level, residual});
  };
  const auto relax_often = [&](int times) {
    for (int i = 0; i < times; ++i) {
      apply(execution, level, level.solution, level.residual, true);
      relax(level.residual);
    }
  };
  Kokkos::deep_copy(execution, level.solution, 0.0F);
  relax(level.right);
  if (coarsest) {
    relax_often(iterations_coarsest);
    return;
  }
  relax_often(iterations_before - 1);
  apply(execution, level, level.solution, level.residual, true);
  const Level& coarse = levels_[number + 1];
  for_cells(execution, "knudsen/shakhov/macroscopic_restrict", coarse.cell_count(),
            Restrict<ExecutionSpace>{level, coarse});
  cycle(execution, number + 1);
  for_cells(execution, "knudsen/shakhov/macroscopic_prolong", level.cell_count(),
            Prolong<ExecutionSpace>{level, coarse});
  relax_often(iterations_after);
}

template <class ExecutionSpace>
void MacroscopicSolver<ExecutionSpace>::precondition(const ExecutionSpace& execution,
                                                     const Vector& vector) {
  const Level& level = levels_.front();
  Kokkos::deep_copy(execution, level.right, vector);
  if (continuum_) scale_rows(execution, level, *continuum_, level.right, true);
  cycle(execution, 0);
  if (!continuum_ || !closed_) return;
  const double change = mass_of(execution, level.solution, true) / mass_;
  for_cells(execution, "knudsen/shakhov/keep_mass", level.cell_count(),
            SubtractState<ExecutionSpace>{level, static_cast<float>(change)});
}

template <class ExecutionSpace>
MacroscopicLevel<ExecutionSpace> MacroscopicSolver<ExecutionSpace>::of_cycle(
    std::size_t number) const {
  Level level = levels_[number];
  level.order = 1;
  if (number == 0 && continuum_) {
    level.continuum = continuum_->share;
    level.wall = continuum_->wall;
  }
  return level;
}

template <class ExecutionSpace>
const ContinuumPart<ExecutionSpace>& MacroscopicSolver<ExecutionSpace>::add_continuum(
    const ContinuumBalance<ExecutionSpace>& balance) {
  continuum_ = ContinuumPart<ExecutionSpace>(balance, levels_.front());
  allocate_basis(max_iterations_with_continuum);
  for (std::size_t n = 1; n < levels_.size(); ++n) {
    levels_[n].continuum = View<float*, ExecutionSpace>(
        "continuum share", static_cast<std::size_t>(levels_[n].cell_count()));
  }
  return *continuum_;
}

template <class ExecutionSpace>
void MacroscopicSolver<ExecutionSpace>::apply_to_solution(const ExecutionSpace& execution,
                                                          const Vector& result) {
  const Level& level = levels_.front();
  apply(execution, level, level.solution, result, false);
  if (!continuum_) return;
  blend_balance(execution, level, *continuum_, result);
  scale_rows(execution, level, *continuum_, result, false);
  if (closed_) balance_mass(execution, result);
}

template <class ExecutionSpace>
double MacroscopicSolver<ExecutionSpace>::mass_of(const ExecutionSpace& execution,
                                                  const Vector& vector, bool density) {
  const Level& level = levels_.front();
  for_cells(execution, "knudsen/shakhov/mass_of", static_cast<std::int64_t>(sums_.extent(1)),
            ChunkMass<ExecutionSpace>{level, vector, density, sums_});
  execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums_);
  double sum = 0;
  for (std::size_t i = 0; i < host.extent(1); ++i) sum += host(0, i);
  return sum;
}

template <class ExecutionSpace>
double MacroscopicSolver<ExecutionSpace>::made_share(const ExecutionSpace& execution) {
  const Level& level = levels_.front();
  const double all = mass_of(execution, level.solution, false);
  return all > 0 ? mass_of(execution, level.right, false) / all : 0;
}

template <class ExecutionSpace>
void MacroscopicSolver<ExecutionSpace>::balance_mass(const ExecutionSpace& execution,
                                                     const Vector& vector) {
  const Level& level = levels_.front();
  const double source = mass_of(execution, vector, false) / volume_;
  for_cells(execution, "knudsen/shakhov/balance_mass", level.cell_count(),
            SubtractSource<ExecutionSpace>{level, vector, static_cast<float>(source)});
}

template <class ExecutionSpace>
std::vector<double> MacroscopicSolver<ExecutionSpace>::products(const ExecutionSpace& execution,
                                                                const Vector& vector, int first,
                                                                int count) {
  ChunkProducts<ExecutionSpace> work;
  work.vector = vector;
  for (std::size_t n = 0; n < basis_.size(); ++n) work.basis[n] = basis_[n];
  work.first = first;
  work.count = count;
  work.sums = sums_;
  const auto chunks = static_cast<std::int64_t>(sums_.extent(1));
  for_cells(execution, "knudsen/shakhov/macroscopic_products", chunks * count, work);
  execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums_);
  std::vector<double> found(static_cast<std::size_t>(count), 0.0);
  for (std::size_t n = 0; n < found.size(); ++n) {
    for (std::size_t i = 0; i < host.extent(1); ++i) {
      found[n] += host(static_cast<std::size_t>(first) + n, i);
    }
  }
  return found;
}

template <class ExecutionSpace>
double MacroscopicSolver<ExecutionSpace>::solve(const ExecutionSpace& execution, double tolerance) {
  const Level& level = levels_.front();
  const auto values = static_cast<std::int64_t>(level.right.span());
  const auto combine = [&](const Vector& vector, const std::vector<double>& weights, double scale) {
    Combine<ExecutionSpace> work;
    work.vector = vector;
    for (std::size_t n = 0; n < basis_.size(); ++n) work.basis[n] = basis_[n];
    for (std::size_t n = 0; n < weights.size(); ++n) {
      work.weights[n] = static_cast<float>(weights[n]);
    }
    work.count = static_cast<int>(weights.size());
    work.scale = static_cast<float>(scale);
    for_cells(execution, "knudsen/shakhov/macroscopic_combine", values, work);
  };
  if (continuum_) scale_rows(execution, level, *continuum_, level.right, false);
  if (closed_) balance_mass(execution, level.right);
  if (continuum_) {
    if (closed_) mass_ = mass_of(execution, level.gas, true);
    Kokkos::deep_copy(execution, level.solution, continuum_->guess);
    apply_to_solution(execution, basis_[0]);
    subtract_from(execution, level, level.right, basis_[0]);
  } else {
    Kokkos::deep_copy(execution, basis_[0], level.right);
  }
  const double first = std::sqrt(products(execution, basis_[0], 0, 1)[0]);
  if (!(first > 0) || !std::isfinite(first)) {
    Kokkos::deep_copy(execution, level.solution, 0.0F);
    return first == 0 ? 0 : 1;
  }
  combine(basis_[0], {}, 1 / first);

  // GMRES with the rotations of Givens; columns of the triangular matrix are in `triangle`.
  std::vector<std::vector<double>> triangle;
  std::vector<double> cosines;
  std::vector<double> sines;
  std::vector<double> rest{1.0};
  while (triangle.size() + 1 < basis_.size() && std::abs(rest.back()) > tolerance) {
    const std::size_t n = triangle.size();
    precondition(execution, basis_[n]);
    const Vector& next = basis_[n + 1];
    apply_to_solution(execution, next);
    std::vector<double> column = products(execution, next, 0, static_cast<int>(n) + 1);
    combine(next, column, 1);
    const double norm = std::sqrt(products(execution, next, static_cast<int>(n) + 1, 1)[0]);
    combine(next, {}, norm > 0 ? 1 / norm : 0);
    column.push_back(norm);
    for (std::size_t i = 0; i < n; ++i) {
      const double a = column[i];
      column[i] = cosines[i] * a + sines[i] * column[i + 1];
      column[i + 1] = cosines[i] * column[i + 1] - sines[i] * a;
    }
    const double length = std::hypot(column[n], column[n + 1]);
    if (!(length > 0) || !std::isfinite(length)) break;
    cosines.push_back(column[n] / length);
    sines.push_back(column[n + 1] / length);
    column[n] = length;
    column.pop_back();
    triangle.push_back(column);
    rest.push_back(-sines[n] * rest[n]);
    rest[n] *= cosines[n];
  }
  // The combination of the basis, preconditioned once more.
  const std::size_t size = triangle.size();
  std::vector<double> weights(size, 0.0);
  for (std::size_t i = size; i-- > 0;) {
    double sum = rest[i];
    for (std::size_t j = i + 1; j < size; ++j) sum -= triangle[j][i] * weights[j];
    weights[i] = sum / triangle[i][i];
  }
  const Vector& sum = basis_[size];
  for (double& weight : weights) weight *= -first;
  Kokkos::deep_copy(execution, sum, 0.0F);
  combine(sum, weights, 1);
  precondition(execution, sum);
  execution.fence();
  return std::abs(rest.back());
}

double solver_bytes(const FlowGrid& grid) {
  const double finest =
      4.0 * (1 + 3 + 5 + 1 + 2 * block_entries + 3 * conserved_count + 3 * fluxes_of_axis);
  const double basis =
      4.0 * conserved_count * (MacroscopicSolver<HostExecutionSpace>::max_iterations + 1);
  double coarser = 1;
  for (int d = 0; d < grid.dimensions; ++d) coarser *= 0.5;
  return static_cast<double>(grid.cell_count()) * (finest / (1 - coarser) + basis);
}

template class MacroscopicSolver<HostExecutionSpace>;
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template class MacroscopicSolver<DeviceExecutionSpace>;
#endif

}  // namespace knudsen::shakhov
