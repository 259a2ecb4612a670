#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "kinetic/conservative_fit.hpp"
#include "kinetic/models/shakhov.hpp"
#include "methods/shakhov/central_moments.hpp"
#include "methods/shakhov/equilibrium.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/positive_cells.hpp"
#include "methods/shakhov/target_covariance.hpp"

// Kernels of an iteration that monatomic gases and those with rotation share. The latter are
// compiled in a file of their own (iteration_rotation.cpp): in one file compilers contract
// multiplications and additions differently, and the last bits of monatomic gases would change.

namespace knudsen::shakhov {

template <class ExecutionSpace>
using CellRange = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

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
  CovarianceShares share;  ///< of the model
  Kokkos::Array<double, 3> temperature_gradient;
  Kokkos::Array<double, 3> body_force;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (is_solid(space, cell)) return;
    Macroscopic state = state_before(cell);
    if constexpr (std::is_same_v<Model, ShakhovModel>) {
      if (space.starting) limit_heat_flux(state);
    }
    const double rate = Model::relaxation_rate(collision.gas, state.density, state.temperature);
    CellTarget<Model, Real> found = target_of(state);
    if constexpr (std::is_same_v<Model, ShakhovModel>) add_gradient(rate, found);
    if constexpr (Model::factorises) {
      if (collision.conservative) conserve(state, found);
    } else {
      push_gaussian(rate, found);
    }
    Real* target = space.target.data() + std::size_t(cell) * target_size;
    target[rate_number] = static_cast<Real>(rate);
    for (int d = 0; d < 3; ++d) {
      target[velocity_number + d] = static_cast<Real>(found.maxwellian.velocity[d]);
    }
    target[inverse_temperature_number] = static_cast<Real>(1 / found.maxwellian.temperature);
    target[amplitude_number] = static_cast<Real>(found.maxwellian.amplitude);
    Model::pack(found, target[amplitude_number], target + own_number);
    if constexpr (Model::rotates) target[rotation_number] = found.own.rotation;
  }

 private:
  /// The state that the target follows from.
  KOKKOS_INLINE_FUNCTION Macroscopic state_before(std::int64_t cell) const {
    if constexpr (Model::rotates) {
      return macroscopic(raw_moments(space.previous, cell), space.rotation());
    } else {
      const auto all = raw_moments<moment_count>(space.previous, cell);
      RawMoments<Model::moments> raw;
      for (int i = 0; i < Model::moments; ++i) raw.value[i] = all.value[i];
      if constexpr (Model::moments == 5) {
        raw.value[4] = all.value[4] + all.value[5] + all.value[6];
      }
      return macroscopic(raw);
    }
  }
  /// Sets the heat flux of a first iterate to at most starting_heat_flux.
  KOKKOS_INLINE_FUNCTION static void limit_heat_flux(Macroscopic& state) {
    double square = 0;
    for (const double q : state.heat_flux) square += q * q;
    const double thermal = math::sqrt(state.temperature);
    const double most =
        starting_heat_flux * state.density * state.temperature * thermal / math::sqrt(square);
    if (!(most < 1)) return;
    for (double& q : state.heat_flux) q *= most;
  }
  /// The target without forces and gradients; where it does not factorise a conservative one if
  /// wanted. The collision's time step is zero, which gives the instantaneous target.
  KOKKOS_INLINE_FUNCTION CellTarget<Model, Real> target_of(const Macroscopic& state) const {
    auto found = cell_target<Model, false>(space.velocities, state, collision);
    if constexpr (!Model::factorises) {
      if (collision.conservative) {
        const auto rotation = found.own.rotation;
        found =
            cell_target<Model, false>(space.velocities, of_conserving_gaussian(state), collision);
        found.own.rotation = rotation;
      }
    }
    return found;
  }
  /// The state whose Gaussian has the discrete density, momentum and energy that the Gaussian of
  /// `state` has by its formula, nearly (fit_conservative). Density and velocity differ, and the
  /// temperature by the same along all directions.
  KOKKOS_INLINE_FUNCTION Macroscopic of_conserving_gaussian(const Macroscopic& state) const {
    const TargetCovariance covariance(state, share);
    Macroscopic base;
    base.density = state.density;
    for (int d = 0; d < 3; ++d) base.velocity[d] = state.velocity[d];
    const double mean = (covariance.value[0] + covariance.value[1] + covariance.value[2]) / 3;
    base.temperature = 2 * mean;
    TargetShape shape;
    for (int i = 0; i < 6; ++i) shape.stress[i] = covariance.value[i] / mean - (i < 3 ? 1 : 0);
    const FittedState fit = fit_conservative(space.velocities, base, shape, collision.tolerance);
    if (!fit.found) return state;
    const double warmer = fit.temperature - base.temperature;
    Macroscopic result = state;
    result.density = fit.density;
    for (int d = 0; d < 3; ++d) result.velocity[d] = fit.velocity[d];
    result.temperature += warmer;
    for (int i = 0; i < 6; ++i) {
      const double each = state.stress[i] / state.density + (i < 3 ? 0.5 * warmer : 0);
      result.stress[i] = fit.density * each;
    }
    return TargetCovariance(result, share).is_positive() ? result : state;
  }
  /// The target that also has the effect a . V^-1 c G of a force on the Gaussian G with the
  /// covariance V. With s = a / rate the Gaussian of the mean velocity u + s and the covariance
  /// V - s s has the moments of G (1 + s . V^-1 c) up to the second ones, so that momentum and
  /// energy are those that the force gives, and the third ones but for s s s. Its form is that of G
  /// by the formula of Sherman and Morrison. There is none where s is longer than the Gaussian is
  /// wide: the amplitude is then not a number.
  KOKKOS_INLINE_FUNCTION void push_gaussian(double rate, CellTarget<Model, Real>& found) const {
    if (body_force[0] == 0 && body_force[1] == 0 && body_force[2] == 0) return;
    const double s[3] = {body_force[0] / rate, body_force[1] / rate, body_force[2] / rate};
    Real* form = found.own.form;  // half the inverse of V: xx, yy, zz, xy, yz, xz
    const double pushed[3] = {
        2 * (double(form[0]) * s[0] + double(form[3]) * s[1] + double(form[5]) * s[2]),
        2 * (double(form[3]) * s[0] + double(form[1]) * s[1] + double(form[4]) * s[2]),
        2 * (double(form[5]) * s[0] + double(form[4]) * s[1] + double(form[2]) * s[2])};
    const double left = 1 - pushed[0] * s[0] - pushed[1] * s[1] - pushed[2] * s[2];
    constexpr int row[6] = {0, 1, 2, 0, 1, 0};
    constexpr int column[6] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < 6; ++i) {
      form[i] += static_cast<Real>(0.5 * pushed[row[i]] * pushed[column[i]] / left);
    }
    found.own.amplitude /= static_cast<Real>(math::sqrt(left));
    for (int d = 0; d < 3; ++d) found.maxwellian.velocity[d] += s[d];
  }
  /// The source -c . g (c^2 / T - 5/2) f_eq of a gradient g of ln T at constant pressure has the
  /// form of the model's heat flux (kinetic/models/shakhov.hpp).
  KOKKOS_INLINE_FUNCTION void add_gradient(double rate, CellTarget<Model, Real>& found) const {
    for (int d = 0; d < 3; ++d) {
      if (temperature_gradient[d] != 0) {
        found.own.heat[d] -= static_cast<Real>(temperature_gradient[d] / (2 * rate));
      }
    }
  }
  /// Makes a target that factorises conservative.
  KOKKOS_INLINE_FUNCTION void conserve(const Macroscopic& state,
                                       CellTarget<Model, Real>& found) const {
    TargetShape shape;
    if constexpr (std::is_same_v<Model, ShakhovModel>) {
      for (int d = 0; d < 3; ++d) shape.heat[d] = double(found.own.heat[d]);
    }
    const FittedState fit = fit_conservative(space.velocities, state, shape, collision.tolerance);
    found.maxwellian = maxwellian(fit.density, fit.velocity, fit.temperature);
    found.half_temperature = static_cast<Real>(0.5 * fit.temperature);
  }
};

/// Sums of squares for each row: of the changes, then of the previous values.
inline constexpr int square_count = 2 * change_count;
/// These sums and the number of cells whose step was shortened.
inline constexpr int change_sum_count = square_count + 1;
/// Change reported for an unphysical state.
inline constexpr double impossible = std::numeric_limits<double>::quiet_NaN();

/// Scales the `Count` moments of each row of cells along x, if `factor` applies, and sums the
/// squares of their changes.
template <class ExecutionSpace, class Real, int Count>
struct RowChanges {
  SweepSpace<ExecutionSpace, Real> space;
  MassFactor factor;       ///< by which the mass of a closed box is corrected
  CovarianceShares share;  ///< of the model
  View<double* [change_sum_count], ExecutionSpace> sums;

  KOKKOS_INLINE_FUNCTION static double square(double value) { return value * value; }
  KOKKOS_INLINE_FUNCTION static bool physical(const Macroscopic& state) {
    return state.density > 0 && state.temperature > 0;
  }

  /// Whether a state has a target.
  KOKKOS_INLINE_FUNCTION bool has_target(const Macroscopic& state) const {
    return physical(state) && (share.stress == 0 || TargetCovariance(state, share).is_positive());
  }
  /// Whether this is so with a margin: the state is at least a tenth of the one before.
  KOKKOS_INLINE_FUNCTION bool keeps_a_tenth(const Macroscopic& last,
                                            const Macroscopic& state) const {
    return state.density > 0.1 * last.density && state.temperature > 0.1 * last.temperature &&
           (share.stress == 0 ||
            TargetCovariance(state, share).exceeds(0.1, TargetCovariance(last, share)));
  }

  /// Halves a cell's step from `before` to `now` until density, temperature and the covariance of
  /// the target are at least a tenth of what they were. Sweeps of order 2 are not positive, nor
  /// are targets with a large heat flux: behind a body in a fast stream first iterates, though not
  /// the solution, may have a negative temperature. Where that lasts, a cell of order 2 is made
  /// positive (positive_cells.hpp); below `smallest` the state stays: diverged.
  KOKKOS_INLINE_FUNCTION void shorten_step(const Macroscopic& last, const RawMoments<Count>& before,
                                           RawMoments<Count>& now, Macroscopic& state) const {
    constexpr double smallest = 1e-9;
    constexpr int most_halvings = 30;
    if (!(last.density > smallest && last.temperature > smallest)) return;
    for (int n = 0; n < most_halvings; ++n) {
      for (int i = 0; i < Count; ++i) {
        now.value[i] = before.value[i] + 0.5 * (now.value[i] - before.value[i]);
      }
      state = state_of(now, space.rotation());
      if (keeps_a_tenth(last, state)) return;
    }
  }

  /// Counts a cell's shortened steps, and makes it positive where they last.
  KOKKOS_INLINE_FUNCTION void hold(std::int64_t cell, const Macroscopic& state) const {
    const bool vanishes = state.density < vanishing || state.temperature < vanishing;
    int& held = space.held(cell);
    if ((space.settled || vanishes) && held < iterations_to_hold) {
      held = vanishes ? iterations_to_hold : held + 1;
      if (held == iterations_to_hold) make_positive(space, cell);
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    double sum[change_sum_count] = {};
    for (int x = 0; x < space.cells[0]; ++x) {
      const std::int64_t cell = row * space.cells[0] + x;
      if (is_solid(space, cell)) continue;
      if (factor.applies && factor.value != 1) {
        for (int i = 0; i < Count; ++i) space.moments(cell, i) *= factor.value;
      }
      auto now = raw_moments<Count>(space.moments, cell);
      const auto before = raw_moments<Count>(space.previous, cell);
      Macroscopic s = state_of(now, space.rotation());
      const Macroscopic t = state_of(before, space.rotation());
      if (!has_target(s)) {
        shorten_step(t, before, now, s);
        sum[square_count] += 1;
        for (int i = 0; i < Count; ++i) space.moments(cell, i) = now.value[i];
        if (space.order > 1) hold(cell, s);
      } else if (space.order > 1) {
        space.held(cell) = 0;
      }
      if (!has_target(s)) sum[0] = impossible;
      if (!factor.applies && factor.value != 1) {
        for (int i = 0; i < Count; ++i) now.value[i] *= factor.value;
        s = state_of(now, space.rotation());
      }
      const auto add = [&](int quantity, double value, double value_before, double weight) {
        sum[quantity] += weight * square(value - value_before);
        sum[change_count + quantity] += weight * square(value_before);
      };
      for (int i = 0; i < 4; ++i) add(i, now.value[i], before.value[i], 1);
      add(4, conserved(now, 4), conserved(before, 4), 1);
      for (int i = 0; i < 6; ++i) add(5, s.stress[i], t.stress[i], i < 3 ? 1 : 2);
      for (int d = 0; d < 3; ++d) add(6, s.heat_flux[d], t.heat_flux[d], 1);
    }
    for (int i = 0; i < change_sum_count; ++i) sums(row, i) = sum[i];
  }
};

template <class ExecutionSpace, class Real>
std::int64_t rows(const SweepSpace<ExecutionSpace, Real>& space) {
  return std::int64_t(space.cells[1]) * space.cells[2];
}

/// Launches SetTargets.
template <class Model, class ExecutionSpace, class Real>
void set_targets(const SweepContext<ExecutionSpace>& context,
                 const SweepSpace<ExecutionSpace, Real>& space, const Collision& collision) {
  const double* gradient = context.temperature_gradient;
  const double* force = context.body_force;
  Kokkos::parallel_for(
      "knudsen/shakhov/set_targets",
      CellRange<ExecutionSpace>(context.execution, 0,
                                static_cast<std::int64_t>(space.cell_count())),
      SetTargets<ExecutionSpace, Real, Model>{space,
                                              collision,
                                              CovarianceShares(context.model, context.gas),
                                              {gradient[0], gradient[1], gradient[2]},
                                              {force[0], force[1], force[2]}});
}

/// Launches RowChanges.
template <int Count, class ExecutionSpace, class Real>
void sum_changes(const SweepContext<ExecutionSpace>& context,
                 const SweepSpace<ExecutionSpace, Real>& space, const MassFactor& factor,
                 const View<double* [change_sum_count], ExecutionSpace>& sums) {
  const CovarianceShares share(context.model, context.gas);
  Kokkos::parallel_for("knudsen/shakhov/row_changes",
                       CellRange<ExecutionSpace>(context.execution, 0, rows(space)),
                       RowChanges<ExecutionSpace, Real, Count>{space, factor, share, sums});
}

/// set_targets() of a gas with rotation.
template <class ExecutionSpace, class Real>
void set_rotating_targets(const SweepContext<ExecutionSpace>& context,
                          const SweepSpace<ExecutionSpace, Real>& space,
                          const Collision& collision);
/// sum_changes() of a gas with rotation.
template <class ExecutionSpace, class Real>
void sum_rotating_changes(const SweepContext<ExecutionSpace>& context,
                          const SweepSpace<ExecutionSpace, Real>& space, const MassFactor& factor,
                          const View<double* [change_sum_count], ExecutionSpace>& sums);

}  // namespace knudsen::shakhov
