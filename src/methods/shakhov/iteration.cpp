#include "methods/shakhov/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "device/instantiate.hpp"
#include "kinetic/heated_maxwellian.hpp"
#include "kinetic/models/shakhov.hpp"
#include "methods/shakhov/equilibrium.hpp"
#include "methods/shakhov/target_covariance.hpp"

namespace knudsen::shakhov {
namespace {

template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION bool is_solid(const SweepSpace<ExecutionSpace, Real>& space,
                                     std::int64_t cell) {
  return (space.cell_class(cell) & solid_bit) != 0;
}

/// Numbers of a cell's equilibrium (`target`) from its previous moments.
template <class ExecutionSpace, class Real, class Model>
struct SetTargets {
  SweepSpace<ExecutionSpace, Real> space;
  Collision collision;
  Kokkos::Array<double, 3> temperature_gradient;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (is_solid(space, cell)) return;
    const auto all = raw_moments(space.previous, cell);
    RawMoments<Model::moments> raw;
    for (int i = 0; i < Model::moments; ++i) raw.value[i] = all.value[i];
    if constexpr (Model::moments == 5) {
      raw.value[4] = all.value[4] + all.value[5] + all.value[6];
    }
    const Macroscopic state = macroscopic(raw);
    const double rate = Model::relaxation_rate(collision.gas, state.density, state.temperature);
    // The collision's time step is zero, which gives the instantaneous target.
    CellTarget<Model, Real> found =
        collision.conservative ? cell_target<Model, true>(space.velocities, state, collision)
                               : cell_target<Model, false>(space.velocities, state, collision);
    if constexpr (std::is_same_v<Model, ShakhovModel>)
      add_gradient_and_conserve(state, rate, found);
    Real* target = space.target.data() + std::size_t(cell) * target_size;
    target[rate_number] = static_cast<Real>(rate);
    for (int d = 0; d < 3; ++d) {
      target[velocity_number + d] = static_cast<Real>(found.maxwellian.velocity[d]);
    }
    target[inverse_temperature_number] = static_cast<Real>(1 / found.maxwellian.temperature);
    target[amplitude_number] = static_cast<Real>(found.maxwellian.amplitude);
    Model::pack(found, target[amplitude_number], target + own_number);
  }

 private:
  /// The source -c . g (c^2 / T - 5/2) f_eq of a gradient g of ln T at constant pressure has the
  /// form of the model's heat flux (kinetic/models/shakhov.hpp).
  KOKKOS_INLINE_FUNCTION void add_gradient_and_conserve(const Macroscopic& state, double rate,
                                                        CellTarget<Model, Real>& found) const {
    double heat[3];
    for (int d = 0; d < 3; ++d) {
      if (temperature_gradient[d] != 0) {
        found.own.heat[d] -= static_cast<Real>(temperature_gradient[d] / (2 * rate));
      }
      heat[d] = double(found.own.heat[d]);
    }
    if (!collision.conservative) return;
    found.maxwellian =
        conservative_heated_maxwellian(space.velocities, state, heat, collision.tolerance);
    found.half_temperature = static_cast<Real>(0.5 * found.maxwellian.temperature);
  }
};

template <class ExecutionSpace, class Real>
struct SetUniform {
  SweepSpace<ExecutionSpace, Real> space;
  RawMoments<moment_count> raw;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const double there = is_solid(space, cell) ? 0 : 1;
    for (int i = 0; i < moment_count; ++i) space.moments(cell, i) = there * raw.value[i];
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

/// Sums of squares for each row: of the changes, then of the previous values.
constexpr int square_count = 2 * change_count;
/// Change reported for an unphysical state.
constexpr double impossible = std::numeric_limits<double>::quiet_NaN();

/// Scales the moments of each row of cells along x, and sums the squares of their changes.
template <class ExecutionSpace, class Real>
struct RowChanges {
  SweepSpace<ExecutionSpace, Real> space;
  double factor;        ///< by which the mass of a closed box is corrected
  double stress_share;  ///< stress_share_of the model
  View<double* [square_count], ExecutionSpace> sums;

  KOKKOS_INLINE_FUNCTION static double square(double value) { return value * value; }
  KOKKOS_INLINE_FUNCTION static bool physical(const Macroscopic& state) {
    return state.density > 0 && state.temperature > 0;
  }

  /// Whether a state has a target.
  KOKKOS_INLINE_FUNCTION bool has_target(const Macroscopic& state) const {
    return physical(state) &&
           (stress_share == 0 || TargetCovariance(state, stress_share).is_positive());
  }
  /// Whether this is so with a margin: the state is at least a tenth of the one before.
  KOKKOS_INLINE_FUNCTION bool keeps_a_tenth(const Macroscopic& last,
                                            const Macroscopic& state) const {
    return state.density > 0.1 * last.density && state.temperature > 0.1 * last.temperature &&
           (stress_share == 0 || TargetCovariance(state, stress_share)
                                     .exceeds(0.1, TargetCovariance(last, stress_share)));
  }

  /// Halves a cell's step from `before` to `now` until density, temperature and the covariance of
  /// the target are at least a tenth of what they were. Sweeps of order 2 are not positive: behind
  /// a body in a fast stream their first iterates, though not the solution, may have a negative
  /// temperature. Where the solution has one, the iteration does not converge; below `smallest` the
  /// state stays: diverged.
  KOKKOS_INLINE_FUNCTION void shorten_step(const Macroscopic& last,
                                           const RawMoments<moment_count>& before,
                                           RawMoments<moment_count>& now,
                                           Macroscopic& state) const {
    constexpr double smallest = 1e-9;
    constexpr int most_halvings = 30;
    if (!(last.density > smallest && last.temperature > smallest)) return;
    for (int n = 0; n < most_halvings; ++n) {
      for (int i = 0; i < moment_count; ++i) {
        now.value[i] = before.value[i] + 0.5 * (now.value[i] - before.value[i]);
      }
      state = macroscopic(now);
      if (keeps_a_tenth(last, state)) return;
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    double sum[square_count] = {};
    for (int x = 0; x < space.cells[0]; ++x) {
      const std::int64_t cell = row * space.cells[0] + x;
      if (is_solid(space, cell)) continue;
      if (factor != 1) {
        for (int i = 0; i < moment_count; ++i) space.moments(cell, i) *= factor;
      }
      auto now = raw_moments(space.moments, cell);
      const auto before = raw_moments(space.previous, cell);
      Macroscopic s = macroscopic(now);
      const Macroscopic t = macroscopic(before);
      if (space.order > 1 && !has_target(s)) {
        shorten_step(t, before, now, s);
        for (int i = 0; i < moment_count; ++i) space.moments(cell, i) = now.value[i];
      }
      if (!has_target(s)) sum[0] = impossible;
      const auto add = [&](int quantity, double value, double value_before, double weight) {
        sum[quantity] += weight * square(value - value_before);
        sum[change_count + quantity] += weight * square(value_before);
      };
      const auto energy = [](const auto& raw) {
        return raw.value[4] + raw.value[5] + raw.value[6];
      };
      for (int i = 0; i < 4; ++i) add(i, now.value[i], before.value[i], 1);
      add(4, energy(now), energy(before), 1);
      for (int i = 0; i < 6; ++i) add(5, s.stress[i], t.stress[i], i < 3 ? 1 : 2);
      for (int d = 0; d < 3; ++d) add(6, s.heat_flux[d], t.heat_flux[d], 1);
    }
    for (int i = 0; i < square_count; ++i) sums(row, i) = sum[i];
  }
};

RawMoments<moment_count> equilibrium_moments(const GasState& state) {
  RawMoments<moment_count> raw;
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
    raw.value[10 + d] = state.density * u[d] * (square + 5 * half);
  }
  return raw;
}

template <class ExecutionSpace, class Real>
std::int64_t rows(const SweepSpace<ExecutionSpace, Real>& space) {
  return std::int64_t(space.cells[1]) * space.cells[2];
}

}  // namespace

template <class ExecutionSpace, class Real>
void set_moments(const SweepSpace<ExecutionSpace, Real>& space,
                 const std::function<GasState(std::size_t)>& state) {
  const auto host = Kokkos::create_mirror_view(space.moments);
  for (std::size_t cell = 0; cell < host.extent(0); ++cell) {
    const RawMoments<moment_count> raw = equilibrium_moments(state(cell));
    for (std::size_t i = 0; i < moment_count; ++i) host(cell, i) = raw.value[i];
  }
  Kokkos::deep_copy(space.moments, host);
}

template <class ExecutionSpace, class Real>
void set_uniform(const SweepContext<ExecutionSpace>& context,
                 SweepSpace<ExecutionSpace, Real>& space, const GasState& state) {
  const RawMoments<moment_count> raw = equilibrium_moments(state);
  Kokkos::parallel_for(
      "knudsen/shakhov/set_uniform",
      Range<ExecutionSpace>(context.execution, 0, static_cast<std::int64_t>(space.cell_count())),
      SetUniform<ExecutionSpace, Real>{space, raw});
  for (const int side : {0, 1, 2, 3, 4, 5, leaving_to_solids}) {
    const auto count = static_cast<std::int64_t>(space.outgoing[side].extent(0));
    if (count == 0) continue;
    Kokkos::parallel_for("knudsen/shakhov/set_left",
                         Range<ExecutionSpace>(context.execution, 0, count),
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
  dispatch_model(context.model, [&](auto model) {
    Kokkos::parallel_for(
        "knudsen/shakhov/set_targets",
        Range<ExecutionSpace>(context.execution, 0, static_cast<std::int64_t>(space.cell_count())),
        SetTargets<ExecutionSpace, Real, decltype(model)>{
            space,
            collision,
            {context.temperature_gradient[0], context.temperature_gradient[1],
             context.temperature_gradient[2]}});
  });
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
                       Range<ExecutionSpace>(context.execution, 0, rows(space)),
                       RowMass<ExecutionSpace, Real>{space, sums});
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  double mass = 0;
  for (std::size_t row = 0; row < host.extent(0); ++row) mass += host(row);
  return mass;
}

template <class ExecutionSpace, class Real>
Changes finish_iteration(const SweepContext<ExecutionSpace>& context,
                         SweepSpace<ExecutionSpace, Real>& space, double mass) {
  double* low_parts = space.low_parts.data();
  for (const auto& [sums, count] : {std::pair(space.moments.data(), space.moments.span()),
                                    std::pair(space.flux.data(), space.flux.span()),
                                    std::pair(space.far_flux.data(), space.far_flux.span())}) {
    Kokkos::parallel_for(
        "knudsen/shakhov/add_low_parts",
        Range<ExecutionSpace>(context.execution, 0, static_cast<std::int64_t>(count)),
        AddLowParts<ExecutionSpace>{sums, low_parts});
    low_parts += count;
  }
  const double factor = mass > 0 ? mass / total_mass(context, space) : 1;
  Kokkos::parallel_for(
      "knudsen/shakhov/set_wall_density",
      Range<ExecutionSpace>(context.execution, 0, static_cast<std::int64_t>(space.flux.extent(0))),
      SetWallDensity<ExecutionSpace, Real>{space, factor});
  for (const int side : {0, 1, 2, 3, 4, 5, leaving_to_solids}) {
    if (factor == 1 || (side < 6 && !space.has_own_entering(side))) continue;
    Kokkos::parallel_for(
        "knudsen/shakhov/scale_outgoing",
        Range<ExecutionSpace>(context.execution, 0,
                              static_cast<std::int64_t>(space.outgoing[side].extent(0))),
        ScaleOutgoing<ExecutionSpace, Real>{space.outgoing[side], factor});
  }
  return changes_of_moments(context, space, factor);
}

template <class ExecutionSpace, class Real>
Changes changes_of_moments(const SweepContext<ExecutionSpace>& context,
                           const SweepSpace<ExecutionSpace, Real>& space, double factor) {
  const double stress_share = stress_share_of(context.model, context.gas);
  const View<double* [square_count], ExecutionSpace> sums("row changes",
                                                          static_cast<std::size_t>(rows(space)));
  Kokkos::parallel_for("knudsen/shakhov/row_changes",
                       Range<ExecutionSpace>(context.execution, 0, rows(space)),
                       RowChanges<ExecutionSpace, Real>{space, factor, stress_share, sums});
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  double total[square_count] = {};
  for (std::size_t row = 0; row < host.extent(0); ++row) {
    for (std::size_t i = 0; i < square_count; ++i) total[i] += host(row, i);
  }
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

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                               \
  template void set_moments<ExecutionSpace, Real>(const SweepSpace<ExecutionSpace, Real>&,      \
                                                  const std::function<GasState(std::size_t)>&); \
  template void set_uniform<ExecutionSpace, Real>(                                              \
      const SweepContext<ExecutionSpace>&, SweepSpace<ExecutionSpace, Real>&, const GasState&); \
  template void begin_iteration<ExecutionSpace, Real>(const SweepContext<ExecutionSpace>&,      \
                                                      SweepSpace<ExecutionSpace, Real>&);       \
  template Changes finish_iteration<ExecutionSpace, Real>(                                      \
      const SweepContext<ExecutionSpace>&, SweepSpace<ExecutionSpace, Real>&, double);          \
  template double total_mass<ExecutionSpace, Real>(const SweepContext<ExecutionSpace>&,         \
                                                   const SweepSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
