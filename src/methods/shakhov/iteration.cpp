#include "methods/shakhov/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "device/instantiate.hpp"
#include "methods/shakhov/iteration_kernels.hpp"

namespace knudsen::shakhov {
namespace {

template <class ExecutionSpace, class Real>
struct SetUniform {
  SweepSpace<ExecutionSpace, Real> space;
  RawMoments<max_moment_count> raw;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const double there = is_solid(space, cell) ? 0 : 1;
    for (int i = 0; i < space.moment_columns(); ++i) space.moments(cell, i) = there * raw.value[i];
  }
};

/// Initial values for the first iteration that leave through a side which reflects or is periodic,
/// or, with leaving_to_solids, towards solids that scatter.
template <class ExecutionSpace, class Real>
struct SetOutgoing {
  SweepSpace<ExecutionSpace, Real> space;
  int side;
  Maxwellian maxwellian;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    const int of_cell =
        side == leaving_to_solids ? space.side_of_row(facet_side, work / space.row_length()) : side;
    const OutgoingPlace<ExecutionSpace, Real> place(space, of_cell, work);
    double value = maxwellian.amplitude;
    for (int d = 0; d < 3; ++d) {
      const int at = place.node[d];
      value *= space.weighted_factor(maxwellian, d, at);
    }
    space.outgoing[side](place.index) = static_cast<Real>(value);
  }
};

/// Adds the low parts of the sweeps' sums to the high parts.
template <class ExecutionSpace>
struct AddLowParts {
  double* sums;
  const double* low_parts;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const { sums[i] += low_parts[i]; }
};

/// Fluxes through each wall face from the moments of what leaves, and its density from the mass
/// flux, eq. (9).
template <class ExecutionSpace, class Real>
struct SetWallDensity {
  SweepSpace<ExecutionSpace, Real> space;
  double factor;  ///< by which the mass of a closed box is corrected

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t face) const {
    const int side = space.face_side(face);
    const double sign = side % 2 == 0 && side != facet_side ? -1 : 1;
    for (int i = 0; i < flux_count; ++i) {
      double leaving = space.flux(face, i);
      if (space.order > 1) {
        const auto extrapolation = double(space.face_extrapolation(face));
        leaving = (1 + extrapolation) * leaving - extrapolation * space.far_flux(face, i);
      }
      space.flux(face, i) = sign * (i == flux_count - 1 ? 0.5 : 1) * leaving * factor;
    }
    space.balance(static_cast<int>(face));
  }
};

/// Multiplies what leaves through a side by the factor that corrects the mass of a closed box.
template <class ExecutionSpace, class Real>
struct ScaleOutgoing {
  View<Real*, ExecutionSpace> outgoing;
  double factor;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    outgoing(i) = static_cast<Real>(factor * double(outgoing(i)));
  }
};

/// Mass of each row of cells along x.
template <class ExecutionSpace, class Real>
struct RowMass {
  SweepSpace<ExecutionSpace, Real> space;
  View<double*, ExecutionSpace> sums;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    double sum = 0;
    for (int x = 0; x < space.cells[0]; ++x) {
      const std::int64_t cell = row * space.cells[0] + x;
      sum += space.width[0](x) * space.open_volume(cell) * space.moments(cell, 0);
    }
    const auto y = row % space.cells[1];
    sums(row) = sum * space.width[1](y) * space.width[2](row / space.cells[1]);
  }
};

RawMoments<max_moment_count> equilibrium_moments(const GasState& state, double rotation) {
  RawMoments<max_moment_count> raw;
  const double half = state.temperature / 2;
  const auto& u = state.velocity;
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  raw.value[0] = state.density;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t e = (d + 1) % 3;
    const std::size_t across[3] = {7, 8, 9};
    raw.value[1 + d] = state.density * u[d];
    raw.value[4 + d] = state.density * (half + u[d] * u[d]);
    raw.value[across[d]] = state.density * u[d] * u[e];
    raw.value[10 + d] = state.density * u[d] * (square + (5 + rotation) * half);
  }
  raw.value[13] = state.density * rotation * half;
  return raw;
}

}  // namespace

template <class ExecutionSpace, class Real>
void set_moments(const SweepSpace<ExecutionSpace, Real>& space,
                 const std::function<GasState(std::size_t)>& state) {
  const auto host = Kokkos::create_mirror_view(space.moments);
  for (std::size_t cell = 0; cell < host.extent(0); ++cell) {
    const auto raw = equilibrium_moments(state(cell), space.rotation());
    for (std::size_t i = 0; i < host.extent(1); ++i) host(cell, i) = raw.value[i];
  }
  Kokkos::deep_copy(space.moments, host);
}

template <class ExecutionSpace, class Real>
void set_uniform(const SweepContext<ExecutionSpace>& context,
                 SweepSpace<ExecutionSpace, Real>& space, const GasState& state) {
  const auto raw = equilibrium_moments(state, space.rotation());
  Kokkos::parallel_for("knudsen/shakhov/set_uniform",
                       CellRange<ExecutionSpace>(context.execution, 0,
                                                 static_cast<std::int64_t>(space.cell_count())),
                       SetUniform<ExecutionSpace, Real>{space, raw});
  for (const int side : {0, 1, 2, 3, 4, 5, leaving_to_solids}) {
    const auto count = static_cast<std::int64_t>(space.outgoing[side].extent(0));
    if (count == 0) continue;
    Kokkos::parallel_for("knudsen/shakhov/set_left",
                         CellRange<ExecutionSpace>(context.execution, 0, count),
                         SetOutgoing<ExecutionSpace, Real>{space, side, maxwellian(state)});
  }
  const auto wall = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.face_wall);
  const auto side = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.face_side);
  const auto inflow = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.wall_inflow);
  const auto balance = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.wall_balance);
  const auto facet = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.facet_inflow);
  const auto first_facet = static_cast<std::size_t>(space.first_face[facet_side]);
  const auto density = Kokkos::create_mirror_view(space.face_density);
  for (std::size_t face = 0; face < density.extent(0); ++face) {
    const auto number = static_cast<std::size_t>(wall(face));
    const double unit_inflow = side(face) == facet_side
                                   ? facet(face - first_facet, 0)
                                   : inflow(number, static_cast<std::size_t>(side(face)));
    const MassBalance& law = balance(number);
    // As if as much had reached the surface as leaves it, so that the first iteration knows of
    // pumps and inlets.
    density(face) = unit_inflow > 0
                        ? static_cast<Real>(law.returned * state.density + law.added / unit_inflow)
                        : Real(1);
  }
  Kokkos::deep_copy(space.face_density, density);
}

template <class ExecutionSpace, class Real>
void begin_iteration(const SweepContext<ExecutionSpace>& context,
                     SweepSpace<ExecutionSpace, Real>& space) {
  std::swap(space.moments, space.previous);
  Collision collision;
  collision.gas = context.gas;
  collision.conservative = context.conservative;
  collision.tolerance = std::is_same_v<Real, float> ? 1e-8 : 1e-13;
  if (space.distributions > 1) {
    set_rotating_targets(context, space, collision);
  } else {
    dispatch_model(context.model,
                   [&](auto model) { set_targets<decltype(model)>(context, space, collision); });
  }
  Kokkos::deep_copy(context.execution, space.moments, 0.0);
  Kokkos::deep_copy(context.execution, space.flux, 0.0);
  if (space.order > 1) Kokkos::deep_copy(context.execution, space.far_flux, 0.0);
  Kokkos::deep_copy(context.execution, space.low_parts, 0.0);
}

template <class ExecutionSpace, class Real>
double total_mass(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space) {
  const View<double*, ExecutionSpace> sums("row masses", static_cast<std::size_t>(rows(space)));
  Kokkos::parallel_for("knudsen/shakhov/row_mass",
                       CellRange<ExecutionSpace>(context.execution, 0, rows(space)),
                       RowMass<ExecutionSpace, Real>{space, sums});
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  double mass = 0;
  for (std::size_t row = 0; row < host.extent(0); ++row) mass += host(row);
  return mass;
}

template <class ExecutionSpace, class Real>
Changes finish_iteration(const SweepContext<ExecutionSpace>& context,
                         SweepSpace<ExecutionSpace, Real>& space, double mass, bool corrected) {
  double* low_parts = space.low_parts.data();
  for (const auto& [sums, count] : {std::pair(space.moments.data(), space.moments.span()),
                                    std::pair(space.flux.data(), space.flux.span()),
                                    std::pair(space.far_flux.data(), space.far_flux.span())}) {
    Kokkos::parallel_for(
        "knudsen/shakhov/add_low_parts",
        CellRange<ExecutionSpace>(context.execution, 0, static_cast<std::int64_t>(count)),
        AddLowParts<ExecutionSpace>{sums, low_parts});
    low_parts += count;
  }
  const MassFactor factor{mass > 0 ? mass / total_mass(context, space) : 1, !corrected};
  const double applied = factor.applies ? factor.value : 1;
  Kokkos::parallel_for("knudsen/shakhov/set_wall_density",
                       CellRange<ExecutionSpace>(context.execution, 0,
                                                 static_cast<std::int64_t>(space.flux.extent(0))),
                       SetWallDensity<ExecutionSpace, Real>{space, applied});
  scale_outgoing(context, space, applied, true);
  return changes_of_moments(context, space, factor, &space.shortened);
}

template <class ExecutionSpace, class Real>
void scale_outgoing(const SweepContext<ExecutionSpace>& context,
                    const SweepSpace<ExecutionSpace, Real>& space, double factor, bool own) {
  if (factor == 1) return;
  for (const int side : {0, 1, 2, 3, 4, 5, leaving_to_solids}) {
    const auto count = static_cast<std::int64_t>(space.outgoing[side].extent(0));
    if (count == 0 || (own && side < 6 && !space.has_own_entering(side))) continue;
    Kokkos::parallel_for("knudsen/shakhov/scale_outgoing",
                         CellRange<ExecutionSpace>(context.execution, 0, count),
                         ScaleOutgoing<ExecutionSpace, Real>{space.outgoing[side], factor});
  }
}

template <class ExecutionSpace, class Real>
Changes changes_of_moments(const SweepContext<ExecutionSpace>& context,
                           const SweepSpace<ExecutionSpace, Real>& space, const MassFactor& factor,
                           bool* shortened) {
  const View<double* [change_sum_count], ExecutionSpace> sums(
      "row changes", static_cast<std::size_t>(rows(space)));
  if (space.distributions > 1) {
    sum_rotating_changes(context, space, factor, sums);
  } else {
    sum_changes<moment_count>(context, space, factor, sums);
  }
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  double total[change_sum_count] = {};
  for (std::size_t row = 0; row < host.extent(0); ++row) {
    for (std::size_t i = 0; i < change_sum_count; ++i) total[i] += host(row, i);
  }
  if (shortened != nullptr) *shortened = total[square_count] > 0;
  Changes changes{};
  const double* squares = total + change_count;
  const double momentum = squares[1] + squares[2] + squares[3];
  const double least = 1e-8 * squares[0];
  constexpr double half_unit = 0.5 * std::numeric_limits<Real>::epsilon();
  for (std::size_t i = 0; i < change_count; ++i) {
    const bool of_momentum = i >= 1 && i <= 3;
    const bool is_rounding = total[i] < half_unit * half_unit * squares[0];
    changes[i] =
        std::sqrt(total[i] / std::max(of_momentum && is_rounding ? momentum : squares[i], least));
  }
  return changes;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                  \
  template void set_moments<ExecutionSpace, Real>(const SweepSpace<ExecutionSpace, Real>&,         \
                                                  const std::function<GasState(std::size_t)>&);    \
  template void set_uniform<ExecutionSpace, Real>(                                                 \
      const SweepContext<ExecutionSpace>&, SweepSpace<ExecutionSpace, Real>&, const GasState&);    \
  template void begin_iteration<ExecutionSpace, Real>(const SweepContext<ExecutionSpace>&,         \
                                                      SweepSpace<ExecutionSpace, Real>&);          \
  template Changes finish_iteration<ExecutionSpace, Real>(                                         \
      const SweepContext<ExecutionSpace>&, SweepSpace<ExecutionSpace, Real>&, double, bool);       \
  template void scale_outgoing<ExecutionSpace, Real>(                                              \
      const SweepContext<ExecutionSpace>&, const SweepSpace<ExecutionSpace, Real>&, double, bool); \
  template double total_mass<ExecutionSpace, Real>(const SweepContext<ExecutionSpace>&,            \
                                                   const SweepSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
