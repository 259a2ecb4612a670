#pragma once

#include "methods/shakhov/asymptotic_form.hpp"
#include "methods/shakhov/central_moments.hpp"
#include "methods/shakhov/iteration.hpp"

// Kernels of the balance of a continuum, without and with cut cells. Those with cut cells are
// compiled apart, so that they do not change how the others are.

namespace knudsen::shakhov {
namespace {  // NOLINT: the kernels of each file are its own, which lets compilers inline more

template <class ExecutionSpace, bool Cut = false>
struct SetBalance {
  ContinuumBalance<ExecutionSpace, Cut> balance;
  ConservedView<ExecutionSpace> result;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    double sum[conserved_count];
    balance(cell, sum);
    for (int i = 0; i < conserved_count; ++i) result(cell, i) = sum[i];
  }
};

/// Blends the share of a continuum into the left side of the equations: the difference of the
/// balances at a state shifted by `scale` times the vector.
template <class ExecutionSpace, bool Cut = false>
struct BlendBalance {
  ContinuumBalance<ExecutionSpace, Cut> shifted;
  ConservedView<ExecutionSpace> at_state;
  View<float*, ExecutionSpace> shares;
  typename MacroscopicLevel<ExecutionSpace>::Vector result;
  double scale;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const auto share = double(shares(cell));
    if (!(share > 0)) return;
    double sum[conserved_count];
    shifted(cell, sum);
    for (int i = 0; i < conserved_count; ++i) {
      const double change = (sum[i] - at_state(cell, i)) / scale;
      result(cell, i) = static_cast<float>((1 - share) * double(result(cell, i)) + share * change);
    }
  }
};

/// Blends the balance of the continuum into the right side, and its surfaces into the blocks.
template <class ExecutionSpace, bool Cut = false>
struct BlendEquations {
  MacroscopicLevel<ExecutionSpace> level;
  ContinuumPart<ExecutionSpace> part;
  ContinuumBalance<ExecutionSpace, Cut> balance;  ///< that of `part`

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const float share = part.share(cell);
    if (!(level.volume(cell) > 0) || !(share > 0)) return;
    for (int i = 0; i < conserved_count; ++i) {
      level.right(cell, i) = static_cast<float>((1 - double(share)) * double(level.right(cell, i)) -
                                                double(share) * part.at_state(cell, i));
    }
    float wall[block_entries] = {};
    int at[3];
    level.place(cell, at);
    const LocalGas gas = level.gas_of(cell);
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      if (!level.at_wall(cell, at, side)) continue;
      float area = level.volume(cell) / level.width[side / 2](at[side / 2]);
      if constexpr (Cut) area = static_cast<float>(balance.cuts.area(cell, side));
      if (balance.wall(cell, side).open) {
        balance.add_open_change(cell, side, area, wall);
        continue;
      }
      for (int j = 0; j < conserved_count; ++j) {
        float unit[conserved_count] = {};
        unit[j] = 1;
        float flux[conserved_count];
        balance.wall_change(cell, at, side, GasChange(gas, unit), flux);
        for (int i = 0; i < conserved_count; ++i) wall[i * conserved_count + j] += area * flux[i];
      }
    }
    if constexpr (Cut) add_facet(cell, at, gas, wall);
    for (int i = 0; i < block_entries; ++i) {
      part.wall(cell, i) += share * (wall[i] - part.wall(cell, i));
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION void add_facet(std::int64_t cell, const int (&at)[3], const LocalGas& gas,
                                        float (&wall)[block_entries]) const {
    if (!balance.is_cut(cell)) return;
    double normal[3];
    const auto area = static_cast<float>(balance.facet(cell, normal));
    for (int j = 0; j < conserved_count && area > 0; ++j) {
      float unit[conserved_count] = {};
      unit[j] = 1;
      float flux[conserved_count];
      balance.facet_change(cell, at, normal, GasChange(gas, unit), flux);
      for (int i = 0; i < conserved_count; ++i) wall[i * conserved_count + j] += area * flux[i];
    }
  }
};

/// Newton's stress and Fourier's heat flux in the moments of a cell, and the fluxes through its
/// surfaces.
template <class ExecutionSpace, class Real, bool Cut = false>
struct Finish {
  SweepSpace<ExecutionSpace, Real> space;
  ContinuumBalance<ExecutionSpace, Cut> balance;
  View<float*, ExecutionSpace> shares;
  View<double* [continuum_numbers], ExecutionSpace> faces;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const auto& level = balance.level;
    const auto share = double(shares(cell));
    if (!(level.volume(cell) > 0)) return;
    int at[3];
    level.place(cell, at);
    const ContinuumState here = balance.state(cell);
    double slope[3][3] = {};  // of velocity d along e
    double square = 0;
    double divergence = 0;
    double heat_flux[3];
    const Macroscopic sweep = state_of(raw_moments(space.moments, cell), space.rotation());
    for (int d = 0; d < 3; ++d) {
      square += here.velocity[d] * here.velocity[d];
      heat_flux[d] = sweep.heat_flux[d];
    }
    for (int e = 0; e < 3; ++e) {
      double gradient = balance.temperature_gradient[e] * here.temperature;
      if (e < level.dimensions) {
        const auto g = balance.gradient(cell, at, e);
        for (int d = 0; d < 3; ++d) slope[d][e] = g.velocity[d];
        divergence += g.velocity[e];
        gradient += g.temperature;
      } else if (gradient == 0) {
        continue;
      }
      const double fourier = -0.5 * here.conductivity(balance.gas.prandtl) * gradient;
      heat_flux[e] += share * (fourier - heat_flux[e]);
    }
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      if (!level.at_wall(cell, at, side)) continue;
      const int face = balance.face(cell, side);
      double flux[conserved_count];
      balance.through_wall(cell, at, side, flux);
      for (int i = 0; i < flux_count; ++i) faces(face, i) = (i == 4 ? 0.5 : 1) * flux[i];
      faces(face, continuum_temperature) = balance.heated_temperature(
          balance.wall(cell, side), here, balance.width_before(cell, at, side));
      faces(face, continuum_share) = share;
    }
    if constexpr (Cut) set_facet(cell, at, here, share);
    if (!(share > 0)) return;
    double second[3][3];
    for (int d = 0; d < 3; ++d) {
      for (int e = 0; e < 3; ++e) {
        double newton = -here.viscosity * (slope[d][e] + slope[e][d]);
        if (d == e) newton += here.pressure + here.viscosity * divergence * 2 / 3;
        const double found = sweep.stress[place_of_stress(d, e)];
        second[d][e] =
            found + share * (newton - found) + here.density * here.velocity[d] * here.velocity[e];
      }
    }
    set_raw_moments(space.moments, cell, here.density, here.velocity, square,
                    balance.conserved(cell, 4), second, heat_flux);
  }

 private:
  KOKKOS_INLINE_FUNCTION void set_facet(std::int64_t cell, const int (&at)[3],
                                        const ContinuumState& here, double share) const {
    double normal[3];
    if (!balance.is_cut(cell) || !(balance.facet(cell, normal) > 0)) return;
    double flux[conserved_count];
    balance.through_facet(cell, at, normal, flux);
    const int face = balance.face(cell, facet_side);
    for (int i = 0; i < flux_count; ++i) faces(face, i) = (i == 4 ? 0.5 : 1) * flux[i];
    faces(face, continuum_temperature) = balance.heated_temperature(
        balance.wall(cell, facet_side), here, 2 * balance.cut_number(cell, facet_depth_number));
    faces(face, continuum_share) = share;
  }
};

}  // namespace

// With cut cells, for functions of ContinuumPart and AsymptoticForm.
template <class ExecutionSpace>
void set_cut_balance(const ExecutionSpace& execution, const ContinuumPart<ExecutionSpace>& part);
template <class ExecutionSpace>
void blend_cut_balance(const ExecutionSpace& execution,
                       const ContinuumBalance<ExecutionSpace>& shifted,
                       const ContinuumPart<ExecutionSpace>& part,
                       const typename MacroscopicLevel<ExecutionSpace>::Vector& result,
                       double scale);
template <class ExecutionSpace>
void blend_cut_equations(const ExecutionSpace& execution,
                         const ContinuumPart<ExecutionSpace>& part);
template <class ExecutionSpace, class Real>
void finish_with_cuts(const ExecutionSpace& execution,
                      const SweepSpace<ExecutionSpace, Real>& space,
                      const ContinuumPart<ExecutionSpace>& part,
                      const View<double* [continuum_numbers], ExecutionSpace>& faces);

}  // namespace knudsen::shakhov
