#include "methods/shakhov/asymptotic_form.hpp"

#include <algorithm>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "methods/shakhov/central_moments.hpp"
#include "methods/shakhov/continuum_kernels.hpp"
#include "methods/shakhov/continuum_share.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/make_sweep_space.hpp"

namespace knudsen::shakhov {
namespace {

template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

template <class ExecutionSpace, class Real>
struct Blend {
  SweepSpace<ExecutionSpace, Real> space;
  MacroscopicLevel<ExecutionSpace> level;
  ContinuumPart<ExecutionSpace> part;
  Gas gas;
  double half;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    part.share(cell) = 0;
    part.row_scale(cell) = 1;
    for (int i = 0; i < conserved_count; ++i) part.guess(cell, i) = 0;
    if (!(level.volume(cell) > 0)) {
      for (int i = 0; i < conserved_count; ++i) part.balance.conserved(cell, i) = i % 4 == 0;
      return;
    }
    int at[3];
    level.place(cell, at);
    const Macroscopic sweep = state_of(raw_moments(space.moments, cell), space.rotation());
    const Macroscopic last = state_of(raw_moments(space.previous, cell), space.rotation());
    double width = double(level.width[0](at[0]));
    for (int d = 1; d < level.dimensions; ++d) {
      const auto other = double(level.width[d](at[d]));
      if (other < width) width = other;
    }
    const double rate = gas.stress_relaxation_rate(last.density, last.temperature);
    const double share = share_of_continuum(width * rate / std::sqrt(last.temperature) / half);
    part.share(cell) = static_cast<float>(share);
    double now[conserved_count];
    for (int i = 0; i < conserved_count; ++i) {
      now[i] = conserved(raw_moments(space.moments, cell), i);
      const double change = conserved(raw_moments(space.previous, cell), i) - now[i];
      if (share > 0) now[i] += share * change;
      part.balance.conserved(cell, i) = now[i];
      part.guess(cell, i) = share > 0 ? static_cast<float>((1 - share) * change) : 0;
    }
    for (int i = 0; i < block_entries; ++i) part.wall(cell, i) = level.wall(cell, i);
    if (!(share > 0)) return;
    const double n = now[0];
    double u[3];
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      u[d] = now[1 + d] / n;
      square += u[d] * u[d];
    }
    const double temperature = (now[4] / n - square) * 2 / 3;
    const double pressure = 0.5 * (n * temperature - sweep.density * sweep.temperature);
    double second[3][3];
    double heat_flux[3];
    double speed = 0;
    for (int d = 0; d < 3; ++d) {
      heat_flux[d] = sweep.heat_flux[d];
      for (int e = 0; e < 3; ++e) {
        second[d][e] =
            sweep.stress[place_of_stress(d, e)] + (d == e ? pressure : 0) + n * u[d] * u[e];
      }
      if (math::fabs(u[d]) > speed) speed = math::fabs(u[d]);
      level.gas(cell, 1 + d) = static_cast<float>(u[d]);
    }
    level.gas(cell, 0) = static_cast<float>(n);
    level.gas(cell, 4) = static_cast<float>(temperature);
    set_raw_moments(space.moments, cell, n, u, square, now[4], second, heat_flux);
    const double slow =
        dispersal_speed(speed, 0.5 * temperature / double(level.rate(cell)), width, temperature);
    const double inverse = std::sqrt(temperature) / slow;
    part.row_scale(cell) = static_cast<float>(1 + share * (inverse - 1));
  }
};

template <class ExecutionSpace, class Real>
struct CopyState {
  SweepSpace<ExecutionSpace, Real> space;
  ConservedView<ExecutionSpace> state;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if ((space.cell_class(cell) & solid_bit) != 0) return;
    for (int i = 0; i < conserved_count; ++i) {
      state(cell, i) = conserved(raw_moments(space.moments, cell), i);
    }
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
AsymptoticForm<ExecutionSpace, Real>::AsymptoticForm(const FlowGrid& grid,
                                                     const SweepContext<ExecutionSpace>& context,
                                                     const Space& space,
                                                     MacroscopicSolver<ExecutionSpace>& solver) {
  std::vector<ContinuumWall> walls;
  for (const SideCondition& wall : wall_conditions(grid))
    walls.emplace_back(wall, context.gas.prandtl);
  ContinuumBalance<ExecutionSpace> balance;
  balance.gas = context.gas;
  for (int d = 0; d < 3; ++d) {
    balance.force[d] = context.body_force[d];
    balance.temperature_gradient[d] = context.temperature_gradient[d];
  }
  balance.walls = View<ContinuumWall*, ExecutionSpace>("walls of a continuum", walls.size());
  upload(balance.walls, walls);
  balance.face_wall = space.face_wall;
  balance.cuts = make_continuum_cuts<ExecutionSpace>(grid, space.first_face[facet_side]);
  part_ = solver.add_continuum(balance);
  faces_ =
      View<double* [continuum_numbers], ExecutionSpace>("continuum at faces", space.flux.extent(0));
}

template <class ExecutionSpace, class Real>
void AsymptoticForm<ExecutionSpace, Real>::blend(const SweepContext<ExecutionSpace>& context,
                                                 const Space& space,
                                                 MacroscopicSolver<ExecutionSpace>& solver) const {
  const auto& level = solver.finest();
  const Range<ExecutionSpace> range(context.execution, 0, level.cell_count());
  Kokkos::parallel_for(
      "knudsen/shakhov/blend", range,
      Blend<ExecutionSpace, Real>{space, level, part_, context.gas, half_width(space.order)});
  set_balance(context.execution, part_);
  if (part_.balance.cuts.present()) return blend_cut_equations(context.execution, part_);
  Kokkos::parallel_for("knudsen/shakhov/blend_equations", range,
                       BlendEquations<ExecutionSpace>{level, part_, part_.balance});
}

template <class ExecutionSpace, class Real>
void AsymptoticForm<ExecutionSpace, Real>::finish(const SweepContext<ExecutionSpace>& context,
                                                  const Space& space) const {
  const Range<ExecutionSpace> range(context.execution, 0, part_.balance.level.cell_count());
  Kokkos::parallel_for("knudsen/shakhov/continuum_state", range,
                       CopyState<ExecutionSpace, Real>{space, part_.balance.conserved});
  if (part_.balance.cuts.present()) {
    return finish_with_cuts(context.execution, space, part_, faces_);
  }
  Kokkos::parallel_for("knudsen/shakhov/continuum_finish", range,
                       Finish<ExecutionSpace, Real>{space, part_.balance, part_.share, faces_});
}

template <class ExecutionSpace, class Real>
void AsymptoticForm<ExecutionSpace, Real>::save(CheckpointWriter& checkpoint) const {
  save_view(checkpoint, "continuum_faces", faces_);
}

template <class ExecutionSpace, class Real>
void AsymptoticForm<ExecutionSpace, Real>::load(const CheckpointReader& checkpoint) {
  load_view(checkpoint, "continuum_faces", faces_);
}

double asymptotic_bytes(const FlowGrid& grid) {
  return continuum_bytes(grid) + 8.0 * continuum_numbers * static_cast<double>(face_count(grid));
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real) \
  template class AsymptoticForm<ExecutionSpace, Real>;
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
