#include "methods/shakhov/synthetic_acceleration.hpp"

#include <algorithm>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "methods/gas/surfaces.hpp"
#include "methods/shakhov/central_moments.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/quantities.hpp"
#include "methods/shakhov/returning_wall.hpp"
#include "methods/shakhov/target_covariance.hpp"

namespace knudsen::shakhov {
namespace {

template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// The residual of the macroscopic equations falls to this before a correction is applied.
constexpr double tolerance = 0.05;
/// The same with a continuum, whose slow modes a residual of fast ones hides.
constexpr double asymptotic_tolerance = 0.005;
/// Largest relative change of density and temperature in a correction.
constexpr float largest_change = 0.3F;
/// After so many iterations that do not come closer to the solution, half of the corrections is
/// taken; below the least share none.
constexpr int patience = 6;
constexpr double least_relaxation = 0.1;

/// State of the cells, and the part of the right side that the change of the moments gives. Leaves
/// in `solution` the mass that collides and, as SetSurfaces does, that which enters in the next
/// sweep.
template <class ExecutionSpace, class Real, class Model>
struct SetState {
  SweepSpace<ExecutionSpace, Real> space;
  MacroscopicLevel<ExecutionSpace> level;
  Gas gas;
  double extent;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(level.volume(cell) > 0)) return;
    const auto now = raw_moments(space.moments, cell);
    const auto before = raw_moments(space.previous, cell);
    const Macroscopic state = state_of(now, space.rotation());
    level.gas(cell, 0) = static_cast<float>(state.density);
    for (int d = 0; d < 3; ++d) level.gas(cell, 1 + d) = static_cast<float>(state.velocity[d]);
    level.gas(cell, 4) = static_cast<float>(state.temperature);
    // Where molecules cross the whole box between two collisions, the box limits their diffusion.
    level.rate(cell) =
        static_cast<float>(gas.stress_relaxation_rate(state.density, state.temperature) +
                           2 * std::sqrt(state.temperature) / extent);
    const Macroscopic last = state_of(before, space.rotation());
    const double rate = Model::relaxation_rate(gas, last.density, last.temperature);
    const double collisions = double(level.volume(cell)) * rate;
    for (int i = 0; i < conserved_count; ++i) {
      level.right(cell, i) =
          static_cast<float>(collisions * (conserved(now, i) - conserved(before, i)));
    }
    level.solution(cell, 0) = static_cast<float>(collisions * now.value[0]);
    for (int i = 0; i < block_entries; ++i) level.wall(cell, i) = 0;
  }
};

/// What the surfaces do with the gas: matrices for a change C of the gas beside them, and sources
/// that are there without a change.
template <class ExecutionSpace, class Real>
struct SetSurfaces {
  SweepSpace<ExecutionSpace, Real> space;
  MacroscopicLevel<ExecutionSpace> level;
  View<double* [6][flux_count], ExecutionSpace> unit_inflow;
  View<ReturningWall*, ExecutionSpace> returning;
  View<Real*, ExecutionSpace> entered_density;
  View<double* [flux_count], ExecutionSpace> entered_flux;
  View<double* [flux_count], ExecutionSpace> heated_by;
  View<float* [block_entries], ExecutionSpace> incident;
  View<float* [conserved_count], ExecutionSpace> incident_source;
  View<float* [conserved_count], ExecutionSpace> emitted_source;
  bool lagged[6];
  Gas gas;

  /// Flux number i, of twice the energy in place of the energy.
  template <class Fluxes>
  KOKKOS_INLINE_FUNCTION static double flux_of(const Fluxes& fluxes, int face, int i) {
    return fluxes(face, i) * (i == 4 ? 2 : 1);
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const int here = space.cell_class(cell);
    if (!(level.volume(cell) > 0) || (here & (side_bits | cut_bit)) == 0) return;
    int at[3];
    level.place(cell, at);
    const bool cut = (here & cut_bit) != 0;
    if (cut) set_facet(cell, space.faces(here >> class_bits, facet_side));
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      if ((here >> side & 1) == 0) continue;
      const int axis = side / 2;
      float area = level.volume(cell) / level.width[axis](at[axis]);
      if (cut) area *= static_cast<float>(space.cuts(space.cut_row(here), open_number + side));
      if (!level.at_wall(cell, at, side)) {
        // What entered was what left on the other side in the sweep before.
        int opposite_at[3] = {at[0], at[1], at[2]};
        opposite_at[axis] = level.wrapped(at[axis] + (side % 2 == 0 ? -1 : 1), axis);
        const int opposite = space.first_face[side ^ 1] + space.side_face(side ^ 1, opposite_at);
        for (int i = 0; i < conserved_count; ++i) {
          level.right(cell, i) += area * static_cast<float>(flux_of(space.flux, opposite, i) -
                                                            flux_of(entered_flux, opposite, i));
        }
        level.solution(cell, 0) += area * static_cast<float>(flux_of(space.flux, opposite, 0));
        continue;
      }
      set_face(cell, at, side, space.faces(here >> class_bits, side), area);
    }
  }

  /// A surface beside the gas of a cell.
  struct Surface {
    int face;
    int side;                        ///< of the cell; facet_side: within a cut cell
    float area;                      ///< open area
    double depth;                    ///< of the gas before it, within the cell
    SmallMatrix outward;             ///< flux of molecules towards it for a change of the gas
    SmallMatrix inward;              ///< flux of those that move away, counted into the gas
    double inflow[conserved_count];  ///< from a wall of density one
    double normal[3];                ///< into the gas
  };

  KOKKOS_INLINE_FUNCTION void set_face(std::int64_t cell, const int (&at)[3], int side, int face,
                                       float area) const {
    const int axis = side / 2;
    Surface surface{face, side, area, double(level.width[axis](at[axis])), {}, {}, {}, {}};
    surface.normal[axis] = side % 2 == 0 ? 1 : -1;
    const LocalGas local = level.gas_of(cell);
    for (int j = 0; j < conserved_count; ++j) {
      float unit[conserved_count] = {};
      unit[j] = 1;
      const FluxChange f = flux_change(local, unit, axis, level.prandtl);
      for (int i = 0; i < conserved_count; ++i) {
        surface.outward.value[i][j] = side % 2 == 0 ? -double(f.backward[i]) : double(f.forward[i]);
        surface.inward.value[i][j] = side % 2 == 0 ? double(f.forward[i]) : -double(f.backward[i]);
      }
      surface.inflow[j] = unit_inflow(space.face_wall(face), side, j) * (j == 4 ? 2 : 1);
    }
    set_surface(cell, local, surface);
  }

  /// The surface in a cut cell. Fluxes across it are those along the first axis of coordinates that
  /// are turned.
  KOKKOS_INLINE_FUNCTION void set_facet(std::int64_t cell, int face) const {
    const int row = face - space.first_face[facet_side];
    const auto depth = double(space.cuts(row, inverse_area_number));
    if (!(depth > 0)) return;
    double turn[3][3];  // the axes: the normal out of the gas, and two along the surface
    int least = 0;
    for (int d = 0; d < 3; ++d) {
      turn[0][d] = -double(space.cuts(row, into_gas_number + d)) * depth;
      if (math::fabs(turn[0][d]) < math::fabs(turn[0][least])) least = d;
    }
    double length = 0;
    for (int d = 0; d < 3; ++d) {
      turn[1][d] = (d == least ? 1 : 0) - turn[0][least] * turn[0][d];
      length += turn[1][d] * turn[1][d];
    }
    for (int d = 0; d < 3; ++d) turn[1][d] /= std::sqrt(length);
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3;
      const int g = (d + 2) % 3;
      turn[2][d] = turn[0][e] * turn[1][g] - turn[0][g] * turn[1][e];
    }
    const LocalGas local = level.gas_of(cell);
    LocalGas turned = local;
    for (int k = 0; k < 3; ++k) {
      turned.velocity[k] = 0;
      for (int d = 0; d < 3; ++d) {
        turned.velocity[k] += static_cast<float>(turn[k][d]) * local.velocity[d];
      }
    }
    Surface surface{face, facet_side, level.volume(cell) / static_cast<float>(depth), depth, {},
                    {},   {},         {-turn[0][0], -turn[0][1], -turn[0][2]}};
    for (int j = 0; j < conserved_count; ++j) {
      float unit[conserved_count] = {};
      unit[j] = 1;
      for (int k = 0; k < 3 && j > 0 && j < 4; ++k) {
        unit[1 + k] = static_cast<float>(turn[k][j - 1]);
      }
      const FluxChange f = flux_change(turned, unit, 0, level.prandtl);
      for (int i = 0; i < conserved_count; ++i) {
        double outward = double(f.forward[i]);
        double inward = -double(f.backward[i]);
        if (i > 0 && i < 4) {
          outward = inward = 0;
          for (int k = 0; k < 3; ++k) {
            outward += turn[k][i - 1] * double(f.forward[1 + k]);
            inward -= turn[k][i - 1] * double(f.backward[1 + k]);
          }
        }
        surface.outward.value[i][j] = outward;
        surface.inward.value[i][j] = inward;
      }
      surface.inflow[j] = flux_of(space.facet_inflow, row, j);
    }
    set_surface(cell, local, surface);
  }

  KOKKOS_INLINE_FUNCTION void set_surface(std::int64_t cell, const LocalGas& local,
                                          const Surface& surface) const {
    const int face = surface.face;
    const int side = surface.side;
    const int reversed = side == facet_side ? 0 : space.reversed[side];
    const float area = surface.area;
    const int wall = space.face_wall(face);
    // Sides of given pressure emit nothing in answer to a correction, but from the next sweep on.
    const ReturningWall law = returning(wall);
    const bool own = side == facet_side ? law.heated
                                        : space.diffuse(wall) < 1 &&
                                              (law.returns() || space.has_own_entering(side));
    const bool returns = own && law.returns();
    const bool balanced = !returns && space.unit_inflow(face) > 0;
    const double diffuse = own ? law.diffuse() : double(space.diffuse(wall));
    const double mirrored = own ? 0 : 1 - diffuse;
    const double rate =
        gas.stress_relaxation_rate(double(local.density), double(local.temperature));
    // Share of the gradient in what arrives at the surface: all of it on cells finer than the mean
    // free path, nothing on far coarser ones, from which the sweep takes the value of the cell.
    const double slope = diffuse / (1 + 0.25 * rate * surface.depth);

    double now[conserved_count];
    for (int i = 0; i < conserved_count; ++i) now[i] = flux_of(space.flux, face, i);
    SmallMatrix returned;  // what the surface returns of what arrives
    if (returns) returned = law.returned(now, surface.normal);
    for (int i = 0; i < conserved_count; ++i) {
      if (balanced) {
        returned.value[i][0] +=
            diffuse * space.wall_balance(wall).returned * surface.inflow[i] / surface.inflow[0];
      }
      returned.value[i][i] += mirrored * mirrored_flux(i, reversed, 1);
    }
    SmallMatrix kept;  // of what arrives, what the surface does not return
    for (int i = 0; i < conserved_count; ++i) {
      for (int j = 0; j < conserved_count; ++j) {
        kept.value[i][j] = (i == j ? 1 : 0) - returned.value[i][j];
      }
    }
    SmallMatrix arriving;  // without the share of the net flux
    for (int i = 0; i < conserved_count; ++i) {
      for (int j = 0; j < conserved_count; ++j) {
        arriving.value[i][j] =
            (1 - slope / 2) * surface.outward.value[i][j] + slope / 2 * surface.inward.value[i][j];
      }
    }
    // arrives = arriving C + slope / 2 net,  net = kept arrives - source
    SmallMatrix system;
    for (int i = 0; i < conserved_count; ++i) {
      for (int j = 0; j < conserved_count; ++j) {
        system.value[i][j] = (i == j ? 1 : 0) - slope / 2 * kept.value[i][j];
      }
    }
    const SmallMatrix inverse = inverted(system);
    const SmallMatrix net = inverse * (kept * arriving);
    SmallMatrix arrives;
    for (int i = 0; i < conserved_count; ++i) {
      for (int j = 0; j < conserved_count; ++j) {
        arrives.value[i][j] = arriving.value[i][j] + slope / 2 * net.value[i][j];
      }
    }
    const SmallMatrix emitted = returned * arrives;

    double source[conserved_count];
    double enters = 0;  // mass in the next sweep, as far as `source` knows of it
    if (balanced) enters += diffuse * double(space.face_density(face)) * surface.inflow[0];
    for (int i = 0; i < conserved_count; ++i) {
      source[i] = 0;
      if (balanced) {
        source[i] +=
            diffuse * double(space.face_density(face) - entered_density(face)) * surface.inflow[i];
      }
      // Bodies, which reflect diffusely, may be on the other side of a periodic one.
      if (mirrored > 0 && side != facet_side && lagged[side]) {
        if (i == 0) enters += mirrored * now[0];
        source[i] +=
            mirrored * mirrored_flux(i, reversed,
                                     flux_of(space.flux, face, i) - flux_of(entered_flux, face, i));
      }
    }
    if (returns) {
      add_own_source(law, surface, now, returned, source);
      enters += now[0];
    }
    level.solution(cell, 0) += area * static_cast<float>(enters);
    double net_source[conserved_count] = {};
    for (int i = 0; i < conserved_count; ++i) {
      for (int j = 0; j < conserved_count; ++j) net_source[i] += inverse.value[i][j] * source[j];
    }
    for (int i = 0; i < conserved_count; ++i) {
      double more = source[i];
      for (int j = 0; j < conserved_count; ++j) {
        more -= returned.value[i][j] * slope / 2 * net_source[j];
        const int entry = i * conserved_count + j;
        level.face_net(face, entry) = static_cast<float>(net.value[i][j]);
        level.face_emitted(face, entry) = static_cast<float>(emitted.value[i][j]);
        incident(face, entry) = static_cast<float>(arrives.value[i][j]);
        level.wall(cell, entry) += area * static_cast<float>(net.value[i][j]);
      }
      incident_source(face, i) = static_cast<float>(-slope / 2 * net_source[i]);
      emitted_source(face, i) = static_cast<float>(more);
      level.right(cell, i) += area * static_cast<float>(net_source[i]);
    }
  }

  /// Adds to `source` what a wall emits for the flux `now`, less what it emitted in the sweep.
  KOKKOS_INLINE_FUNCTION void add_own_source(const ReturningWall& law, const Surface& surface,
                                             const double (&now)[conserved_count],
                                             const SmallMatrix& returned,
                                             double (&source)[conserved_count]) const {
    double before[conserved_count];
    for (int i = 0; i < conserved_count; ++i) {
      before[i] =
          law.heated ? flux_of(heated_by, surface.face, i) : flux_of(entered_flux, surface.face, i);
    }
    if (law.heated) {
      double emits[conserved_count];
      double emitted[conserved_count];
      law.emit(now, surface.normal, emits);
      law.emit(before, surface.normal, emitted);
      for (int i = 0; i < conserved_count; ++i) source[i] += emits[i] - emitted[i];
      return;
    }
    for (int i = 0; i < conserved_count; ++i) {
      for (int j = 0; j < conserved_count; ++j) {
        source[i] += returned.value[i][j] * (now[j] - before[j]);
      }
    }
  }
};

/// Second order: the value at the downwind face of a cell beside a surface contains what the
/// surface emits, which is a source for the cell and its neighbour.
template <class ExecutionSpace>
struct AddEmittedSources {
  MacroscopicLevel<ExecutionSpace> level;
  View<float* [conserved_count], ExecutionSpace> emitted_source;

  KOKKOS_INLINE_FUNCTION void add(std::int64_t to, std::int64_t cell, int side, float area) const {
    int at[3];
    level.place(cell, at);
    if (level.is_first_order(cell) || !level.at_wall(cell, at, side)) return;
    const int face = level.faces(level.cell_class(cell) >> class_bits, side);
    for (int i = 0; i < conserved_count; ++i) {
      level.right(to, i) += area * emitted_source(face, i);
    }
  }
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(level.volume(cell) > 0)) return;
    int at[3];
    level.place(cell, at);
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      const int axis = side / 2;
      const int away = side % 2 == 0 ? 1 : -1;
      const std::int64_t next = level.neighbour(cell, at, axis, away);
      add(cell, cell, side, level.face_area(cell, next, axis, away));
      // The neighbour towards the side may be the cell beside the surface.
      const std::int64_t beside = level.neighbour(cell, at, axis, -away);
      if (beside >= 0 && level.volume(beside) > 0) {
        add(cell, beside, side, -level.face_area(cell, beside, axis, -away));
      }
    }
  }
};

/// Largest relative change of density and temperature.
template <class ExecutionSpace>
struct LargestChange {
  MacroscopicLevel<ExecutionSpace> level;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell, float& largest) const {
    if (!(level.volume(cell) > 0)) return;
    float values[conserved_count];
    level.read(level.solution, cell, values);
    const LocalGas gas = level.gas_of(cell);
    const GasChange by(gas, values);
    const float density = math::fabs(by.density) / gas.density;
    const float temperature = math::fabs(by.temperature) / gas.temperature;
    const float speed =
        math::fabs(by.velocity[0]) + math::fabs(by.velocity[1]) + math::fabs(by.velocity[2]);
    const float worst = density + temperature + speed / std::sqrt(gas.temperature);
    // A comparison with NaN is false, so that NaN counts as a large change.
    if (!(worst <= largest)) largest = worst <= 1e30F ? worst : 1e30F;
  }
};

/// Adds the correction to the moments of a cell. Stress and heat flux stay those of the sweep,
/// except for the heat flux of the gradient of the correction's temperature and, where the target
/// depends on the stress, that of the gradient of its velocity. Without the latter "es-bgk" would
/// answer a corrected gradient by 1 / Pr of its stress, and iterations would only converge with
/// half of each correction or less.
template <class ExecutionSpace, class Real>
struct CorrectMoments {
  SweepSpace<ExecutionSpace, Real> space;
  MacroscopicLevel<ExecutionSpace> level;
  Gas gas;
  CovarianceShares share;  ///< of the model
  float scale;

  KOKKOS_INLINE_FUNCTION GasChange change(std::int64_t cell) const {
    float values[conserved_count];
    level.read(level.solution, cell, values);
    return {level.gas_of(cell), values};
  }

  /// Gradients of the change of the temperature and of that of the velocity, [axis][component].
  struct Gradients {
    double temperature[3] = {0, 0, 0};
    double velocity[3][3] = {};
  };
  KOKKOS_INLINE_FUNCTION Gradients gradients(std::int64_t cell, const int (&at)[3]) const {
    Gradients result;
    const GasChange here = change(cell);
    for (int d = 0; d < level.dimensions; ++d) {
      float temperature = 0;
      float velocity[3] = {0, 0, 0};
      float distance = 0;
      for (int step = -1; step <= 1; step += 2) {
        const std::int64_t next = level.neighbour(cell, at, d, step);
        if (!(level.face_area(cell, next, d, step) > 0)) continue;
        const GasChange there = change(next);
        temperature += float(step) * (there.temperature - here.temperature);
        for (int e = 0; e < 3; ++e) {
          velocity[e] += float(step) * (there.velocity[e] - here.velocity[e]);
        }
        distance += 0.5F * (level.width[d](at[d]) + level.width[d](level.wrapped(at[d] + step, d)));
      }
      if (!(distance > 0)) continue;
      result.temperature[d] = double(temperature / distance);
      for (int e = 0; e < 3; ++e) result.velocity[d][e] = double(velocity[e] / distance);
    }
    return result;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(level.volume(cell) > 0)) return;
    int at[3];
    level.place(cell, at);
    const Macroscopic before = state_of(raw_moments(space.moments, cell), space.rotation());
    double now[conserved_count];
    for (int i = 0; i < conserved_count; ++i) {
      now[i] = conserved(raw_moments(space.moments, cell), i) +
               double(scale) * double(level.solution(cell, i));
    }
    const double n = now[0];
    double u[3];
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      u[d] = now[1 + d] / n;
      square += u[d] * u[d];
    }
    const double temperature = (now[4] / n - square) * 2 / (3 + gas.rotation);
    // Translation and rotation keep the ratio of their temperatures.
    const double of_translation = 1 + before.translational_excess / before.temperature;
    const double pressure =
        of_translation * (0.5 * (n * temperature - before.density * before.temperature));
    const Gradients gradient = gradients(cell, at);
    const double viscosity = 0.5 * before.density * before.temperature / double(level.rate(cell));
    double stress[6];
    for (int i = 0; i < 6; ++i) stress[i] = before.stress[i] + (i < 3 ? pressure : 0);
    if (share.stress != 0) {
      const auto& v = gradient.velocity;
      const double divergence = v[0][0] + v[1][1] + v[2][2];
      for (int d = 0; d < 3; ++d) {
        for (int e = 0; e <= d; ++e) {
          stress[place_of_stress(d, e)] -=
              double(scale) * viscosity * (v[d][e] + v[e][d] - (d == e ? divergence * 2 / 3 : 0));
        }
      }
      // What order 2 leaves beside a vacuum may be a stress with which less pressure has no target.
      Macroscopic after = before;
      after.density = n;
      after.temperature = temperature;
      after.translational_excess = (of_translation - 1) * temperature;
      for (int i = 0; i < 6; ++i) after.stress[i] = stress[i];
      if (!TargetCovariance(after, share).is_positive()) return;
    }
    double heat_flux[3];
    const double conductivity = (0.625 + 0.125 * gas.rotation) * before.density *
                                before.temperature / (gas.prandtl * double(level.rate(cell)));
    for (int d = 0; d < 3; ++d) {
      heat_flux[d] = before.heat_flux[d] - double(scale) * conductivity * gradient.temperature[d];
    }
    double second[3][3];
    for (int d = 0; d < 3; ++d) {
      for (int e = 0; e < 3; ++e) second[d][e] = stress[place_of_stress(d, e)] + n * u[d] * u[e];
    }
    set_raw_moments(space.moments, cell, n, u, square, now[4], second, heat_flux);
  }
};

/// Corrects what left through a side that reflects or is periodic and enters in the next sweep: by
/// the change of the Maxwellian of the cell beside it.
template <class ExecutionSpace, class Real>
struct CorrectOutgoing {
  SweepSpace<ExecutionSpace, Real> space;
  MacroscopicLevel<ExecutionSpace> level;
  View<int*, ExecutionSpace> scattering_cells;  ///< by row of leaving_to_solids: the gas cell
  int side;                                     ///< or leaving_to_solids
  float scale;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    const bool to_solids = side == leaving_to_solids;
    const int of_cell = to_solids ? space.side_of_row(facet_side, work / space.row_length()) : side;
    const OutgoingPlace<ExecutionSpace, Real> place(space, of_cell, work);
    const int axis = of_cell / 2;
    const int low = axis == 0 ? 1 : 0;
    const int high = axis == 2 ? 1 : 2;
    int at[3];
    std::int64_t cell = 0;
    if (to_solids) {
      cell = scattering_cells(place.face);
      level.place(cell, at);
    } else {
      const int face = static_cast<int>(place.face % (space.cells[low] * space.cells[high]));
      at[axis] = side % 2 == 0 ? 0 : space.cells[axis] - 1;
      at[low] = face % space.cells[low];
      at[high] = face / space.cells[low];
      cell = space.cell_index(at[0], at[1], at[2]);
    }
    if (!(level.volume(cell) > 0)) return;
    const LocalGas gas = level.gas_of(cell);
    float values[conserved_count];
    level.at_surface(level.solution, cell, at, of_cell, values);
    for (float& value : values) value *= scale;
    const GasChange by(gas, values);
    const Real t = Real(gas.temperature);
    Real weight = 1;
    Real square = 0;
    Real integrated_square = 0;
    Real along = 0;
    Real powers = Real(1.5);  // of 1 / T in the factor of exp(-c^2 / T)
    if (space.is_rotational(place.node[2])) {
      weight = Real(0.5 * space.rotation()) * t;
      powers = Real(0.5);
    }
    for (int d = 0; d < 3; ++d) {
      const int node = place.node[d];
      if (d == 2 && space.reduced()) {
        const int integrated = space.velocities.integrated;
        weight *= space.weights[d](node) * entry_factor(integrated, node % space.depth, t);
        integrated_square = entry_square(integrated, node % space.depth, t);
        continue;
      }
      const Real c = space.nodes[d](node) - Real(gas.velocity[d]);
      weight *= space.weights[d](node);
      square += c * c;
      along += c * Real(by.velocity[d]);
    }
    // The derivative of n / (pi T)^(3/2) exp(-c^2 / T).
    const Real width = Real(3.141592653589793) * t;
    const Real maxwellian = weight * math::exp(-square / t) / (width * math::sqrt(width));
    const Real whole_square = square + integrated_square;
    space.outgoing[side](place.index) +=
        maxwellian * (Real(by.density) +
                      Real(gas.density) *
                          (2 * along / t + (whole_square / t - powers) * Real(by.temperature) / t));
  }
};

/// Corrects what is known of molecules that enter in the next sweep as CorrectOutgoing does.
template <class ExecutionSpace, class Real>
struct CorrectEntered {
  SweepSpace<ExecutionSpace, Real> space;
  MacroscopicLevel<ExecutionSpace> level;
  View<double* [flux_count], ExecutionSpace> entered_flux;
  /// Sides that SweepSpace::has_own_entering says and solids that make what enters, or the others.
  bool own;
  float scale;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const int here = space.cell_class(cell);
    if (!(level.volume(cell) > 0) || (here & side_bits) == 0) return;
    int at[3];
    level.place(cell, at);
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      if ((here >> side & 1) == 0) continue;
      const int face = space.faces(here >> class_bits, side);
      if ((space.is_made(face) || space.has_own_entering(side)) != own) continue;
      if (!(space.diffuse(space.face_wall(face)) < 1)) continue;
      float values[conserved_count];
      level.at_surface(level.solution, cell, at, side, values);
      const FluxChange f = flux_change(level.gas_of(cell), values, side / 2, level.prandtl);
      for (int i = 0; i < conserved_count; ++i) {
        const float more = side % 2 == 0 ? -f.backward[i] : f.forward[i];
        entered_flux(face, i) += (i == 4 ? 0.5 : 1) * double(scale) * double(more);
      }
    }
  }
};

/// Corrects the fluxes onto the surfaces of a cell and their densities.
template <class ExecutionSpace, class Real>
struct CorrectSurfaces {
  SweepSpace<ExecutionSpace, Real> space;
  MacroscopicLevel<ExecutionSpace> level;
  View<ReturningWall*, ExecutionSpace> returning;
  View<float* [block_entries], ExecutionSpace> incident;
  View<float* [conserved_count], ExecutionSpace> incident_source;
  float scale;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const int here = space.cell_class(cell);
    if (!(level.volume(cell) > 0) || (here & (side_bits | cut_bit)) == 0) return;
    int at[3];
    level.place(cell, at);
    float values[conserved_count];
    if ((here & cut_bit) != 0) {
      level.read(level.solution, cell, values);
      correct_surface(space.faces(here >> class_bits, facet_side), values);
    }
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      if ((here >> side & 1) == 0 || !level.at_wall(cell, at, side)) continue;
      level.at_surface(level.solution, cell, at, side, values);
      correct_surface(space.faces(here >> class_bits, side), values);
    }
  }

  /// For a change `values` of the gas beside a surface.
  KOKKOS_INLINE_FUNCTION void correct_surface(int face,
                                              const float (&values)[conserved_count]) const {
    float sum[conserved_count];
    for (int i = 0; i < conserved_count; ++i) sum[i] = incident_source(face, i);
    add_product(incident, face, values, 1, sum);
    const ReturningWall wall = returning(space.face_wall(face));
    if (wall.heated) {
      double before[conserved_count];
      double after[conserved_count];
      for (int i = 0; i < conserved_count; ++i) {
        before[i] = (i == 4 ? 2 : 1) * space.flux(face, i);
        after[i] = before[i] + double(scale) * double(sum[i]);
      }
      // Where little gas is, such a correction may be too large for its face.
      if (!wall.emits_about_as(before, after)) return;
    }
    for (int i = 0; i < conserved_count; ++i) {
      space.flux(face, i) += (i == 4 ? 0.5 : 1) * double(scale) * double(sum[i]);
    }
    space.balance(face);
  }
};

/// Scales moments, fluxes onto surfaces, the densities that follow from them and what is known of
/// molecules that enter in the next sweep.
template <class ExecutionSpace, class Real>
struct Scale {
  SweepSpace<ExecutionSpace, Real> space;
  View<double* [flux_count], ExecutionSpace> entered_flux;
  double factor;
  bool own;  ///< not what is known of those

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto moments = static_cast<std::int64_t>(space.moments.span());
    if (i < moments) {
      space.moments.data()[i] *= factor;
      return;
    }
    const std::int64_t face = i - moments;
    for (int n = 0; n < flux_count; ++n) {
      space.flux(face, n) *= factor;
      if (!own) entered_flux(face, n) *= factor;
    }
    if (space.unit_inflow(static_cast<int>(face)) > 0) {
      space.face_density(face) *= static_cast<Real>(factor);
    }
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
SyntheticAcceleration<ExecutionSpace, Real>::SyntheticAcceleration(
    const FlowGrid& grid, const SweepContext<ExecutionSpace>& context, const Space& space,
    bool closed, Acceleration form)
    : solver_(grid, space.order, context.gas, closed), extent_(grid.shortest_way()) {
  const std::size_t faces = space.flux.extent(0);
  entered_density_ = View<Real*, ExecutionSpace>("entered density", faces);
  entered_flux_ = View<double* [flux_count], ExecutionSpace>("entered flux", faces);
  using Blocks = View<float* [block_entries], ExecutionSpace>;
  incident_ = Blocks("incident", faces);
  incident_source_ = View<float* [conserved_count], ExecutionSpace>("incident source", faces);
  emitted_source_ = View<float* [conserved_count], ExecutionSpace>("emitted source", faces);
  auto& level = solver_.finest();
  level.face_net = Blocks("net flux of faces", faces);
  level.face_emitted = Blocks("emitted by faces", faces);
  level.cell_class = space.cell_class;
  level.faces = space.faces;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto& from = space.extrapolation[d];
    level.extrapolation[d] =
        View<float**, ExecutionSpace>("extrapolation", from.extent(0), from.extent(1));
    Kokkos::deep_copy(level.extrapolation[d], from);
  }
  const std::size_t walls = space.diffuse.extent(0);
  const Surfaces surfaces(grid.sides, grid.solids);
  unit_inflow_ =
      View<double* [6][flux_count], ExecutionSpace>("unit inflow", surfaces.conditions.size());
  const auto inflow = Kokkos::create_mirror_view(unit_inflow_);
  for (std::size_t wall = 0; wall < surfaces.conditions.size(); ++wall) {
    const SurfaceLaw law = surface_law(surfaces.conditions[wall]);
    for (std::size_t side = 0; side < 6; ++side) {
      const SurfaceFlux flux =
          half_range_flux(grid.velocities, law.emitted, static_cast<int>(side));
      for (std::size_t i = 0; i < flux_count; ++i) inflow(wall, side, i) = flux[i];
    }
  }
  Kokkos::deep_copy(unit_inflow_, inflow);
  std::vector<ReturningWall> returning;
  for (const SideCondition& wall : wall_conditions(grid)) {
    returning.emplace_back(wall, context.gas.rotation);
    if (returning.back().heated) has_heated_ = true;
  }
  returning_ = View<ReturningWall*, ExecutionSpace>("walls that return", walls);
  upload(returning_, returning);
  const std::vector<Face> all_faces =
      space.scattering_rows() > 0 ? list_faces(grid) : std::vector<Face>{};
  const std::vector<int> made_face = to_list(space.made_face);
  std::vector<int> cells;
  for (std::int64_t row = 0; row < space.scattering_rows(); ++row) {
    const auto face = static_cast<std::size_t>(made_face[static_cast<std::size_t>(row)]);
    cells.push_back(static_cast<int>(all_faces[face].cell));
  }
  scattering_cells_ = View<int*, ExecutionSpace>("cells of faces that scatter", cells.size());
  upload(scattering_cells_, cells);
  if (has_heated_) {
    heated_by_ = View<double* [flux_count], ExecutionSpace>("flux that heated walls know", faces);
  }
  if (form == Acceleration::asymptotic_preserving) {
    asymptotic_.emplace(grid, context, space, solver_);
  }
  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions); ++d) {
    for (std::size_t end = 0; end < 2; ++end) {
      const std::size_t side = 2 * d + end;
      // Velocities towards one reflecting side of an axis are swept before those that come from it
      // (make_batches).
      const bool other = surface_law(grid.sides[side ^ 1]).specular;
      lagged_[side] = surface_law(grid.sides[side]).specular && end == 1 && other;
      has_lagged_ |= lagged_[side] || grid.sides[side].kind == SideKind::periodic;
    }
  }
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::begin(const SweepContext<ExecutionSpace>& context,
                                                        const Space& space) {
  Kokkos::deep_copy(context.execution, entered_density_, space.face_density);
  if (has_heated_) Kokkos::deep_copy(context.execution, heated_by_, space.flux);
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::reset() {
  entered_known_ = false;
  if (asymptotic_) asymptotic_->reset();
  last_change_ = 0;
  relaxation_ = 1;
  least_change_ = 1e300;
  iterations_since_ = 0;
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::save(CheckpointWriter& checkpoint) const {
  save_view(checkpoint, "entered_flux", entered_flux_);
  checkpoint.number("acceleration_begun", entered_known_ ? 1 : 0);
  checkpoint.number("acceleration_relaxation", relaxation_);
  checkpoint.number("acceleration_least_change", least_change_);
  checkpoint.number("acceleration_iterations_since", iterations_since_);
  if (!asymptotic_) return;
  checkpoint.number("acceleration_last_change", last_change_);
  asymptotic_->save(checkpoint);
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::load(const CheckpointReader& checkpoint) {
  load_view(checkpoint, "entered_flux", entered_flux_);
  entered_known_ = checkpoint.number("acceleration_begun") != 0;
  relaxation_ = checkpoint.number("acceleration_relaxation");
  least_change_ = checkpoint.number("acceleration_least_change");
  iterations_since_ = static_cast<int>(checkpoint.number("acceleration_iterations_since"));
  if (!asymptotic_) return;
  last_change_ = checkpoint.number("acceleration_last_change");
  asymptotic_->load(checkpoint);
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::relax(double change) {
  // Below this, rounding may be all that is left of a change.
  const double rounding = std::is_same_v<Real, float> ? 1e-3 : asymptotic_ ? 1e-6 : 1e-9;
  if (change < least_change_ || change < rounding) {
    least_change_ = change;
    iterations_since_ = 0;
  } else if (++iterations_since_ == patience) {
    relaxation_ = relaxation_ > least_relaxation ? relaxation_ / 2 : 0;
    iterations_since_ = 0;
    least_change_ = change;
  }
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::set_equations(
    const SweepContext<ExecutionSpace>& context, const Space& space) {
  const ExecutionSpace& execution = context.execution;
  const auto& level = solver_.finest();
  const Range<ExecutionSpace> range(execution, 0, level.cell_count());
  dispatch_model(context.model, [&](auto model) {
    Kokkos::parallel_for(
        "knudsen/shakhov/macroscopic_state", range,
        SetState<ExecutionSpace, Real, decltype(model)>{space, level, context.gas, extent_});
  });
  if (!entered_known_) Kokkos::deep_copy(execution, entered_flux_, space.flux);
  entered_known_ = true;
  SetSurfaces<ExecutionSpace, Real> surfaces{space,
                                             level,
                                             unit_inflow_,
                                             returning_,
                                             entered_density_,
                                             entered_flux_,
                                             heated_by_,
                                             incident_,
                                             incident_source_,
                                             emitted_source_,
                                             {},
                                             context.gas};
  for (std::size_t side = 0; side < 6; ++side) surfaces.lagged[side] = lagged_[side];
  Kokkos::parallel_for("knudsen/shakhov/macroscopic_surfaces", range, surfaces);
  if (space.order == 2) {
    Kokkos::parallel_for("knudsen/shakhov/emitted_sources", range,
                         AddEmittedSources<ExecutionSpace>{level, emitted_source_});
  }
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::correct(
    const SweepContext<ExecutionSpace>& context, Space& space, double mass, Changes& changes) {
  if (!asymptotic_) relax(largest_change_of_moments(changes));
  if (relaxation_ == 0) return keep_mass(context, space, mass);
  const ExecutionSpace& execution = context.execution;
  const auto& level = solver_.finest();
  const Range<ExecutionSpace> range(execution, 0, level.cell_count());
  set_equations(context, space);
  if (mass > 0 && has_lagged_) {
    // Collisions that make mass make momentum and energy in proportion, which is not for
    // corrections to take away. So that they find the solution of the plain iteration, what the
    // sweep made is scaled down as there; but not for mass that is only on its way through a side,
    // about which the equations know. Scaled down for both, a box with periodic sides took ten
    // times as many iterations, or did not converge.
    constexpr double nothing = 1e-6;  // beside the changes: rounding
    const double made = solver_.made_share(execution);
    if (std::abs(made) > nothing * largest_change_of_moments(changes)) {
      scale(context, space, 1 - made, true);
      set_equations(context, space);
    }
  }
  Kokkos::deep_copy(execution, entered_flux_, space.flux);
  if (asymptotic_) asymptotic_->blend(context, space, solver_);
  solver_.prepare(execution);
  const double rest = solver_.solve(execution, asymptotic_ ? asymptotic_tolerance : tolerance);

  float largest = 0;
  Kokkos::parallel_reduce("knudsen/shakhov/largest_change", range,
                          LargestChange<ExecutionSpace>{level}, Kokkos::Max<float>(largest));
  execution.fence();
  if (!(largest < 1e30F)) {  // not finite
    if (asymptotic_) relax(1e300);
    return keep_mass(context, space, mass);
  }
  const double applied = std::min(1.0, double(largest_change) / double(largest));
  // What surfaces that see each other hand on without collisions a gradient does not describe, so
  // that whole corrections go too far in rarefied boxes.
  const double depth = context.gas.rarefaction * extent_;
  const auto share = static_cast<float>(applied * relaxation_ * (2 + depth) / (3 + depth));
  const auto correct_entering = [&](bool own, float scale) {
    Kokkos::parallel_for(
        "knudsen/shakhov/correct_entered", range,
        CorrectEntered<ExecutionSpace, Real>{space, level, entered_flux_, own, scale});
    for (const int side : {0, 1, 2, 3, 4, 5, leaving_to_solids}) {
      const auto count = static_cast<std::int64_t>(space.outgoing[side].extent(0));
      const bool is_own = side == leaving_to_solids || space.has_own_entering(side);
      if (count == 0 || is_own != own) continue;
      Kokkos::parallel_for(
          "knudsen/shakhov/correct_outgoing", Range<ExecutionSpace>(execution, 0, count),
          CorrectOutgoing<ExecutionSpace, Real>{space, level, scattering_cells_, side, scale});
    }
  };
  // Without the guess, so that in the end it makes no difference whether molecules cross a side in
  // the same sweep or, as through periodic and some reflecting sides, in the next one.
  correct_entering(false, share);
  if (asymptotic_) asymptotic_->complete(context, solver_, share);
  const float scale = asymptotic_ ? 1 : share;
  Kokkos::parallel_for(
      "knudsen/shakhov/correct_moments", range,
      CorrectMoments<ExecutionSpace, Real>{space, level, context.gas,
                                           CovarianceShares(context.model, context.gas), scale});
  Kokkos::parallel_for("knudsen/shakhov/correct_surfaces", range,
                       CorrectSurfaces<ExecutionSpace, Real>{space, level, returning_, incident_,
                                                             incident_source_, scale});
  correct_entering(true, scale);
  keep_mass(context, space, mass);
  if (asymptotic_) {
    asymptotic_->finish(context, space);
    changes = changes_of_moments(context, space);
    // Less than the whole way to the solution of the equations was gone, and as far as they were
    // not solved the last change stands.
    const double found = largest_change_of_moments(changes) / double(share);
    const double change = std::max(found / std::max(1 - rest, 0.5), rest * last_change_);
    for (double& each : changes) each *= found > 0 ? change / (found * double(share)) : 1;
    last_change_ = change;
    relax(change);
    if (relaxation_ == 0) asymptotic_->reset();
  }
  execution.fence();
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::keep_mass(
    const SweepContext<ExecutionSpace>& context, const Space& space, double mass) {
  if (!(mass > 0)) return;
  scale(context, space, mass / total_mass(context, space), false);
}

template <class ExecutionSpace, class Real>
void SyntheticAcceleration<ExecutionSpace, Real>::scale(const SweepContext<ExecutionSpace>& context,
                                                        const Space& space, double factor,
                                                        bool own) {
  Kokkos::parallel_for(
      "knudsen/shakhov/scale_moments",
      Range<ExecutionSpace>(context.execution, 0,
                            static_cast<std::int64_t>(space.moments.span() + space.flux.extent(0))),
      Scale<ExecutionSpace, Real>{space, entered_flux_, factor, own});
  scale_outgoing(context, space, factor, own);
}

double acceleration_bytes(const FlowGrid& grid, double value_bytes, Acceleration form) {
  if (form == Acceleration::none) return 0;
  const auto faces = static_cast<double>(face_count(grid));
  double parts = 0;
  for (const SideCondition& side : grid.sides) parts += static_cast<double>(side.parts.size());
  double facets = 0;  // of given heat flux, in cut cells
  for (const CutCell& cut : grid.solids.cut) {
    facets += grid.solids.bodies[static_cast<std::size_t>(cut.shape)].wall.heat_flux ? 1 : 0;
  }
  const double asymptotic =
      form == Acceleration::asymptotic_preserving ? asymptotic_bytes(grid) : 0;
  return asymptotic + solver_bytes(grid) + parts * (48.0 * flux_count + sizeof(ReturningWall)) +
         facets * sizeof(ReturningWall) +
         faces * (value_bytes + 8 * flux_count * (grid.has_heated_walls() ? 2 : 1) +
                  4 * (3 * block_entries + 2 * conserved_count));
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real) \
  template class SyntheticAcceleration<ExecutionSpace, Real>;
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
