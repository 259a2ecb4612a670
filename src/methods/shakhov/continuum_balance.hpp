#pragma once

#include "kinetic/pressure_side.hpp"
#include "kinetic/surface.hpp"
#include "methods/shakhov/continuum_cuts.hpp"
#include "methods/shakhov/macroscopic_level.hpp"

// The balance of the cells of a gas that Navier, Stokes and Fourier describe, by central
// differences, for the asymptotic-preserving acceleration (README.md).

namespace knudsen::shakhov {

/// Conserved quantities of the cells: density, momentum x, y, z, twice the energy.
template <class ExecutionSpace>
using ConservedView = View<double* [conserved_count], ExecutionSpace>;

/// What a wall does with a gas that does not move through it: slip and jump in free paths
/// sqrt(T) / rate. Or the law of an open side.
struct ContinuumWall {
  int held = 0;         ///< components of the velocity whose stress it takes up, a bit each
  bool heated = false;  ///< whether its heat flux is given
  double slip = 0;
  double jump = 0;
  double creep = 0;  ///< thermal slip, over the kinematic viscosity times the gradient of ln T
  double heat = 0;   ///< SurfaceLaw::heat
  double velocity[3] = {0, 0, 0};
  double temperature = 1;
  bool open = false;
  SurfaceLaw law;         ///< of an open side
  PressureSide pressure;  ///< of a side of given pressure

  ContinuumWall() = default;
  ContinuumWall(const SideCondition& condition, double prandtl) {
    // Slip and jump of the models, and their change with Maxwell's accommodation (Sharipov 2011).
    constexpr double diffuse_slip = 1.0162;
    constexpr double less_slip = 0.1211;
    constexpr double diffuse_jump = 1.3027;  // times 1 / Pr
    constexpr double less_jump = 0.0968;
    // Thermal slip of full accommodation, and of none, as where molecules are reflected specularly
    // (Sharipov 2011).
    constexpr double diffuse_creep = 1.175;
    constexpr double least_creep = 0.75;
    law = surface_law(condition);
    open = law.open();
    if (open) {
      for (std::size_t d = 0; d < 3; ++d) velocity[d] = law.emitted.velocity[d];
      if (law.has_pressure) {
        pressure.pressure = condition.state.density * condition.state.temperature;
        pressure.temperature = law.sets_temperature ? condition.state.temperature : 0;
      }
      return;
    }
    const auto& kernel = condition.cercignani_lampis;
    const double friction = kernel ? kernel->tangential : law.diffuse_share;
    const double exchange =
        kernel ? 0.5 * (kernel->normal + kernel->tangential * (2 - kernel->tangential)) : friction;
    const bool holds = law.heated || friction > 0;
    held = holds ? 7 : law.turned;
    heated = law.heated || !(exchange > 0);
    heat = law.heated ? law.heat : 0;
    const auto of = [](double share, double diffuse, double less) {
      return (2 - share) / share * (diffuse - less * (1 - share));
    };
    if (holds) {
      const double share = law.heated ? 1 : friction;
      slip = of(share, diffuse_slip, less_slip);
      creep = least_creep + (share < 1 ? share : 1) * (diffuse_creep - least_creep);
    }
    if (!heated || law.heated) {
      jump = of(law.heated ? 1 : exchange, diffuse_jump, less_jump) / prandtl;
    }
    for (std::size_t d = 0; d < 3; ++d) velocity[d] = condition.state.velocity[d];
    temperature = condition.state.temperature;
  }

  KOKKOS_INLINE_FUNCTION bool holds(int component) const { return (held >> component & 1) != 0; }
};

/// Density, velocity and temperature of a cell, and what follows from them.
struct ContinuumState {
  double density;
  double velocity[3];
  double temperature;
  double pressure;
  double viscosity;
  double free_path;  ///< sqrt(T) / rate

  /// Twice the enthalpy of a unit mass, of the gas in motion.
  KOKKOS_INLINE_FUNCTION double enthalpy() const {
    return velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2] +
           2.5 * temperature;
  }
  /// Twice the heat flux for a unit gradient of the temperature.
  KOKKOS_INLINE_FUNCTION double conductivity(double prandtl) const {
    return 2.5 * viscosity / prandtl;
  }
};

/// Sums over the faces of cells of the outward fluxes of mass, momentum and twice the energy.
/// `Cut`: with cut cells.
template <class ExecutionSpace, bool Cut = false>
struct ContinuumBalance {
  MacroscopicLevel<ExecutionSpace> level;  ///< the finest one
  Gas gas;
  double force[3];                 ///< on a unit mass
  double temperature_gradient[3];  ///< of ln T, given
  View<ContinuumWall*, ExecutionSpace> walls;
  View<int*, ExecutionSpace> face_wall;
  ConservedView<ExecutionSpace> conserved;
  ContinuumCuts<ExecutionSpace> cuts;

  ContinuumBalance() = default;
  explicit ContinuumBalance(const ContinuumBalance<ExecutionSpace, !Cut>& other)
      : level(other.level),
        gas(other.gas),
        walls(other.walls),
        face_wall(other.face_wall),
        conserved(other.conserved),
        cuts(other.cuts) {
    for (int d = 0; d < 3; ++d) {
      force[d] = other.force[d];
      temperature_gradient[d] = other.temperature_gradient[d];
    }
  }

  KOKKOS_INLINE_FUNCTION ContinuumState state(std::int64_t cell) const {
    double values[conserved_count];
    for (int i = 0; i < conserved_count; ++i) values[i] = conserved(cell, i);
    return state_of(values);
  }
  /// Of conserved quantities.
  KOKKOS_INLINE_FUNCTION ContinuumState state_of(const double (&values)[conserved_count]) const {
    ContinuumState s;
    s.density = values[0];
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      s.velocity[d] = values[1 + d] / s.density;
      square += s.velocity[d] * s.velocity[d];
    }
    s.temperature = (values[4] / s.density - square) / 1.5;
    s.pressure = 0.5 * s.density * s.temperature;
    const double rate = gas.stress_relaxation_rate(s.density, s.temperature);
    s.viscosity = s.pressure / rate;
    s.free_path = std::sqrt(s.temperature) / rate;
    return s;
  }

  KOKKOS_INLINE_FUNCTION const ContinuumWall& wall(std::int64_t cell, int side) const {
    return walls(face_wall(face(cell, side)));
  }
  KOKKOS_INLINE_FUNCTION int face(std::int64_t cell, int side) const {
    return level.faces(level.cell_class(cell) >> class_bits, side);
  }

  /// Gradients along an axis at the centre of a cell: of velocity x, y, z, temperature, pressure.
  struct Gradient {
    double velocity[3];
    double temperature;
    double pressure;
  };
  /// `Stored`: those of store_gradients; else central differences, of a whole cell beside others.
  template <bool Stored = Cut>
  KOKKOS_INLINE_FUNCTION Gradient gradient(std::int64_t cell, const int (&at)[3], int axis) const {
    if constexpr (Stored) return stored_gradient(cell, axis);
    const ContinuumState here = state(cell);
    ContinuumState end[2];
    double place[2];        // of the two ends, from the centre
    double inner_place[2];  // of the cells among them: the pressure has no value at a wall
    double inner_pressure[2];
    const double width = double(level.width[axis](at[axis]));
    for (int n = 0; n < 2; ++n) {
      const int step = 2 * n - 1;
      const int side = 2 * axis + n;
      end[n] = here;
      place[n] = 0;
      inner_place[n] = 0;
      inner_pressure[n] = here.pressure;
      if (!level.at_wall(cell, at, side)) {
        const std::int64_t next = level.neighbour(cell, at, axis, step);
        end[n] = state(next);
        place[n] =
            step * 0.5 * (width + double(level.width[axis](level.wrapped(at[axis] + step, axis))));
        inner_place[n] = place[n];
        inner_pressure[n] = end[n].pressure;
        continue;
      }
      const ContinuumWall& law = wall(cell, side);
      if (law.open) continue;
      place[n] = step * 0.5 * width;
      const double share = 0.5 * width / (0.5 * width + law.slip * here.free_path);
      for (int d = 0; d < 3; ++d) {
        if (d != axis && !law.holds(d)) continue;
        const double creeps = d == axis ? 0 : creep(law, here, temperature_gradient[d]);
        end[n].velocity[d] +=
            (d == axis ? 1 : share) * (law.velocity[d] + creeps - here.velocity[d]);
      }
      end[n].temperature = gas_temperature_at(law, here, width);
    }
    Gradient g;
    // A cell between two open sides has none.
    const double over = place[1] > place[0] ? 1 / (place[1] - place[0]) : 0;
    for (int d = 0; d < 3; ++d) g.velocity[d] = over * (end[1].velocity[d] - end[0].velocity[d]);
    g.temperature = over * (end[1].temperature - end[0].temperature);
    const double distance = inner_place[1] - inner_place[0];
    g.pressure = distance > 0 ? (inner_pressure[1] - inner_pressure[0]) / distance : 0;
    return g;
  }

  /// Velocity of the gas along a wall by a gradient of ln T along it.
  KOKKOS_INLINE_FUNCTION static double creep(const ContinuumWall& law, const ContinuumState& here,
                                             double by) {
    return law.creep * here.viscosity / here.density * by;
  }
  /// Temperature of the gas at a wall beside a cell of this width.
  KOKKOS_INLINE_FUNCTION double gas_temperature_at(const ContinuumWall& law,
                                                   const ContinuumState& here, double width) const {
    if (law.heated) {
      return here.temperature + 2 * law.heat * 0.5 * width / here.conductivity(gas.prandtl);
    }
    const double share = 0.5 * width / (0.5 * width + law.jump * here.free_path);
    return here.temperature + share * (law.temperature - here.temperature);
  }
  /// Temperature of a wall of given heat flux.
  KOKKOS_INLINE_FUNCTION double heated_temperature(const ContinuumWall& law,
                                                   const ContinuumState& here, double width) const {
    const double distance = 0.5 * width + law.jump * here.free_path;
    return here.temperature + 2 * law.heat * distance / here.conductivity(gas.prandtl);
  }

  /// Flux along an axis from a cell to the next one.
  KOKKOS_INLINE_FUNCTION void between(std::int64_t cell, const int (&at)[3], std::int64_t next,
                                      const int (&there)[3], int axis,
                                      double (&flux)[conserved_count]) const {
    if constexpr (Cut) {
      if (is_cut(cell) || is_cut(next)) return between_cut(cell, at, next, there, axis, flux);
    }
    const ContinuumState a = state(cell);
    const ContinuumState b = state(next);
    const double width =
        0.5 * (double(level.width[axis](at[axis])) + double(level.width[axis](there[axis])));
    for (double& each : flux) each = 0;
    for (const ContinuumState* s : {&a, &b}) {
      const double mass = 0.5 * s->density * s->velocity[axis];
      flux[0] += mass;
      for (int d = 0; d < 3; ++d) flux[1 + d] += mass * s->velocity[d];
      flux[1 + axis] += 0.5 * s->pressure;
      flux[4] += mass * s->enthalpy();
    }
    // Newton's stress and Fourier's heat flux.
    const double viscosity = 0.5 * (a.viscosity + b.viscosity);
    double along[3];  // gradient along the axis
    for (int d = 0; d < 3; ++d) along[d] = (b.velocity[d] - a.velocity[d]) / width;
    double divergence = along[axis];
    double across[3] = {0, 0, 0};  // gradient of the component along the axis, across it
    for (int d = 0; d < level.dimensions; ++d) {
      if (d == axis) continue;
      const Gradient g = gradient(cell, at, d);
      const Gradient h = gradient(next, there, d);
      divergence += 0.5 * (g.velocity[d] + h.velocity[d]);
      across[d] = 0.5 * (g.velocity[axis] + h.velocity[axis]);
    }
    for (int d = 0; d < 3; ++d) {
      double stress = -viscosity * (along[d] + across[d]);
      if (d == axis) stress = -viscosity * (2 * along[d] - divergence * 2 / 3);
      flux[1 + d] += stress;
      flux[4] += stress * (a.velocity[d] + b.velocity[d]);
    }
    flux[4] -= 0.5 * (a.conductivity(gas.prandtl) + b.conductivity(gas.prandtl)) *
               (b.temperature - a.temperature) / width;
    // Central differences do not see a pressure that alternates from cell to cell: its third
    // difference drives a mass flux (Rhie and Chow).
    const double density = 0.5 * (a.density + b.density);
    const double speed =
        dispersal_speed(0.5 * (a.velocity[axis] + b.velocity[axis]), viscosity / density, width,
                        0.5 * (a.temperature + b.temperature));
    const double mean =
        0.5 * (gradient(cell, at, axis).pressure + gradient(next, there, axis).pressure);
    const double mass = -0.5 / speed * (b.pressure - a.pressure - width * mean);
    flux[0] += mass;
    for (int d = 0; d < 3; ++d) flux[1 + d] += 0.5 * mass * (a.velocity[d] + b.velocity[d]);
    flux[4] += 0.5 * mass * (a.enthalpy() + b.enthalpy());
  }

  /// State of the gas of a cell at an open side, extrapolated but where it changes much.
  KOKKOS_INLINE_FUNCTION ContinuumState beside_open(std::int64_t cell, const int (&at)[3],
                                                    int side) const {
    const int axis = side / 2;
    const double distance = (side % 2 == 0 ? -0.5 : 0.5) * width_before(cell, at, side);
    const ContinuumState here = state(cell);
    const Gradient g = gradient(cell, at, axis);
    ContinuumState there = here;
    there.temperature += distance * g.temperature;
    there.pressure += distance * g.pressure;
    for (int d = 0; d < 3; ++d) there.velocity[d] += distance * g.velocity[d];
    constexpr double much = 2;
    const auto is_close = [](double value, double to) {
      return value * much > to && value < to * much;
    };
    if (!is_close(there.temperature, here.temperature) ||
        !is_close(there.pressure, here.pressure)) {
      return here;
    }
    there.density = 2 * there.pressure / there.temperature;
    return there;
  }
  /// Outward flux through an open side: of the molecules of the gas's Maxwellian that leave, less
  /// those that the side lets in, which at a side of given pressure follow from the same state.
  KOKKOS_INLINE_FUNCTION static void through_open(int side, const ContinuumWall& wall,
                                                  const ContinuumState& beside,
                                                  double (&flux)[conserved_count]) {
    const int axis = side / 2;
    const double outward = side % 2 == 0 ? -1 : 1;
    double leaving[conserved_count];
    half_range_flux(beside.density, beside.velocity, beside.temperature, axis, outward, leaving);
    double entering[conserved_count];
    double diffuse = 1;
    double density = 1;
    if (wall.law.has_pressure) {
      double values[conserved_count] = {beside.density};
      double square = 1.5 * beside.temperature;
      for (int d = 0; d < 3; ++d) {
        values[1 + d] = beside.density * beside.velocity[d];
        square += beside.velocity[d] * beside.velocity[d];
      }
      values[4] = beside.density * square;
      const PressureEmission emission = pressure_emission(wall.pressure, side, values);
      half_range_flux(emission.density, emission.velocity, emission.temperature, axis, -outward,
                      entering);
    } else {
      const GasState& emitted = wall.law.emitted;
      half_range_flux(1, wall.velocity, emitted.temperature, axis, -outward, entering);
      diffuse = wall.law.diffuse_share;
      density =
          wall.law.balanced ? wall.law.balance.density(leaving[0], entering[0]) : emitted.density;
    }
    const InflowWeights<double> weights(diffuse, density);
    for (int i = 0; i < conserved_count; ++i) {
      flux[i] = net_flux(weights, i, 1 << axis, leaving[i], entering[i]);
    }
  }
  /// Adds to `block` `area` times the change of that flux for a change of the cell.
  KOKKOS_INLINE_FUNCTION void add_open_change(std::int64_t cell, int side, float area,
                                              float (&block)[block_entries]) const {
    const ContinuumWall& law = wall(cell, side);
    double values[conserved_count];
    for (int i = 0; i < conserved_count; ++i) values[i] = conserved(cell, i);
    double before[conserved_count];
    through_open(side, law, state_of(values), before);
    const double step = 1e-6 * values[0];
    for (int j = 0; j < conserved_count; ++j) {
      const double value = values[j];
      values[j] += step;
      double after[conserved_count];
      through_open(side, law, state_of(values), after);
      values[j] = value;
      for (int i = 0; i < conserved_count; ++i) {
        block[i * conserved_count + j] += area * static_cast<float>((after[i] - before[i]) / step);
      }
    }
  }
  /// Outward flux through the surface on a side of a cell.
  KOKKOS_INLINE_FUNCTION void through_wall(std::int64_t cell, const int (&at)[3], int side,
                                           double (&flux)[conserved_count]) const {
    const int axis = side / 2;
    const double outward = side % 2 == 0 ? -1 : 1;
    const double width = width_before(cell, at, side);
    const ContinuumState here = state(cell);
    const ContinuumWall& law = wall(cell, side);
    if (law.open) return through_open(side, law, beside_open(cell, at, side), flux);
    flux[0] = 0;
    flux[4] = 0;
    const double distance = 0.5 * width + law.slip * here.free_path;
    for (int d = 0; d < 3; ++d) {
      if (d == axis) {
        // The pressure is extrapolated to the wall.
        const double pressure =
            here.pressure + outward * 0.5 * width * gradient(cell, at, axis).pressure;
        flux[1 + d] = outward * pressure + here.viscosity * (here.velocity[d] - law.velocity[d]) *
                                               8 / (3 * bounded_width(width, at, axis));
        continue;
      }
      flux[1 + d] = 0;
      if (!law.holds(d)) continue;
      double along = temperature_gradient[d];
      if (law.creep > 0 && d < level.dimensions) {
        along += gradient(cell, at, d).temperature / here.temperature;
      }
      const double creeps = creep(law, here, along);
      const double difference = here.velocity[d] - law.velocity[d] - creeps;
      flux[1 + d] = here.viscosity * difference / distance;
      const double slip = creeps + difference * law.slip * here.free_path / distance;
      flux[4] += 2 * flux[1 + d] * (law.velocity[d] + (law.heated ? 0 : slip));
    }
    if (law.heated) {
      flux[4] -= 2 * law.heat;
    } else {
      flux[4] += here.conductivity(gas.prandtl) * (here.temperature - law.temperature) /
                 (0.5 * width + law.jump * here.free_path);
    }
  }

  /// The balance of a cell: what flows out of it, less what the force does.
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell, double (&sum)[conserved_count]) const {
    for (double& each : sum) each = 0;
    const auto volume = double(level.volume(cell));
    if (!(volume > 0)) return;
    int at[3];
    level.place(cell, at);
    double flux[conserved_count];
    for (int axis = 0; axis < level.dimensions; ++axis) {
      const double area = volume / double(level.width[axis](at[axis]));
      for (int n = 0; n < 2; ++n) {
        const int step = 2 * n - 1;
        double scale = area;
        if constexpr (Cut) {
          scale = cuts.area(cell, 2 * axis + n);
          if (!(scale > 0)) continue;
        }
        if (level.at_wall(cell, at, 2 * axis + n)) {
          through_wall(cell, at, 2 * axis + n, flux);
        } else {
          const std::int64_t next = level.neighbour(cell, at, axis, step);
          int there[3] = {at[0], at[1], at[2]};
          there[axis] = level.wrapped(at[axis] + step, axis);
          // The same numbers in the same order for both cells of a face.
          if (step > 0) {
            between(cell, at, next, there, axis, flux);
          } else {
            between(next, there, cell, at, axis, flux);
            scale = -scale;
          }
        }
        for (int i = 0; i < conserved_count; ++i) sum[i] += scale * flux[i];
      }
    }
    if constexpr (Cut) add_facet(cell, at, sum);
    for (int d = 0; d < 3; ++d) {
      sum[1 + d] -= volume * conserved(cell, 0) * force[d];
      sum[4] -= 2 * volume * conserved(cell, 1 + d) * force[d];
    }
  }

  /// Changes of the outward flux through a wall, not an open side, for changes of its cell, which
  /// the pressure beyond it has no part in: the block of a multigrid cycle.
  KOKKOS_INLINE_FUNCTION void wall_change(std::int64_t cell, const int (&at)[3], int side,
                                          const GasChange& by,
                                          float (&flux)[conserved_count]) const {
    const int axis = side / 2;
    const float outward = side % 2 == 0 ? -1 : 1;
    const auto width = static_cast<float>(width_before(cell, at, side));
    const ContinuumState here = state(cell);
    const ContinuumWall& law = wall(cell, side);
    const auto viscosity = static_cast<float>(here.viscosity);
    const auto distance = static_cast<float>(0.5 * double(width) + law.slip * here.free_path);
    flux[0] = 0;
    flux[4] = 0;
    for (int d = 0; d < 3; ++d) {
      if (d == axis) {
        flux[1 + d] = outward * 0.5F *
                          (static_cast<float>(here.density) * by.temperature +
                           static_cast<float>(here.temperature) * by.density) +
                      viscosity * by.velocity[d] * 8 /
                          (3 * static_cast<float>(bounded_width(double(width), at, axis)));
      } else {
        flux[1 + d] = law.holds(d) ? viscosity * by.velocity[d] / distance : 0;
        flux[4] += 2 * flux[1 + d] * static_cast<float>(law.velocity[d]);
      }
    }
    if (law.heated) return;
    flux[4] += static_cast<float>(here.conductivity(gas.prandtl) /
                                  (0.5 * double(width) + law.jump * here.free_path)) *
               by.temperature;
  }

  // Cut cells: values are those at the centre of the gas, not of the cell.

  KOKKOS_INLINE_FUNCTION bool is_cut(std::int64_t cell) const {
    return Cut && (level.cell_class(cell) & cut_bit) != 0;
  }
  KOKKOS_INLINE_FUNCTION double cut_number(std::int64_t cell, int number) const {
    return cuts.numbers(face(cell, facet_side) - cuts.first_facet, number);
  }
  /// Open area of a face.
  KOKKOS_INLINE_FUNCTION double face_area(std::int64_t cell, const int (&at)[3], int side) const {
    if constexpr (Cut) return cuts.area(cell, side);
    return double(level.volume(cell)) / double(level.width[side / 2](at[side / 2]));
  }
  /// Centre of the gas from that of the cell.
  KOKKOS_INLINE_FUNCTION double gas_centre(std::int64_t cell, int axis) const {
    return is_cut(cell) ? cut_number(cell, gas_centre_number + axis) : 0;
  }
  /// Twice the distance of the gas's centre from a face.
  KOKKOS_INLINE_FUNCTION double width_before(std::int64_t cell, const int (&at)[3],
                                             int side) const {
    const auto width = double(level.width[side / 2](at[side / 2]));
    if (!is_cut(cell)) return width;
    return width + (side % 2 == 0 ? 2 : -2) * gas_centre(cell, side / 2);
  }
  /// A width, but not far below that of the cell. The velocity at right angles to a wall vanishes
  /// before it with its gradient, so that the distance counts little.
  KOKKOS_INLINE_FUNCTION double bounded_width(double width, const int (&at)[3], int axis) const {
    if constexpr (!Cut) return width;
    const double least = 0.2 * double(level.width[axis](at[axis]));
    return width > least ? width : least;
  }
  /// From the centre of the gas of a cell to that of the next one in the direction `step`.
  KOKKOS_INLINE_FUNCTION void distance_to(std::int64_t cell, const int (&at)[3], std::int64_t next,
                                          int axis, int step, double (&distance)[3]) const {
    for (int d = 0; d < 3; ++d) {
      distance[d] = d < level.dimensions ? gas_centre(next, d) - gas_centre(cell, d) : 0;
    }
    distance[axis] += step * 0.5 *
                      (double(level.width[axis](at[axis])) +
                       double(level.width[axis](level.wrapped(at[axis] + step, axis))));
  }

  KOKKOS_INLINE_FUNCTION Gradient stored_gradient(std::int64_t cell, int axis) const {
    const double* from = &cuts.gradients(cell, 5 * axis);
    return {{from[0], from[1], from[2]}, from[3], from[4]};
  }
  /// Sets the gradients of a cell in `cuts`: central differences where it and all its neighbours
  /// are whole, else least squares.
  KOKKOS_INLINE_FUNCTION void store_gradients(std::int64_t cell) const {
    if (!(level.volume(cell) > 0)) return;
    int at[3];
    level.place(cell, at);
    bool whole = !is_cut(cell);
    for (int side = 0; side < 2 * level.dimensions && whole; ++side) {
      if (level.at_wall(cell, at, side)) continue;
      const std::int64_t next = level.neighbour(cell, at, side / 2, side % 2 == 0 ? -1 : 1);
      whole = next < 0 || !is_cut(next);
    }
    if (!whole) return fit_gradients(cell, at);
    for (int axis = 0; axis < level.dimensions; ++axis) {
      const Gradient g = gradient<false>(cell, at, axis);
      double* to = &cuts.gradients(cell, 5 * axis);
      for (int d = 0; d < 3; ++d) to[d] = g.velocity[d];
      to[3] = g.temperature;
      to[4] = g.pressure;
    }
  }

  /// Normal equations of least squares for the gradient of some quantities, in units of the cell's
  /// widths. Differences count alike at any distance, so that near ones do no harm; what no
  /// difference tells of vanishes.
  struct Fit {
    double matrix[3][3] = {};
    double right[4][3] = {};

    KOKKOS_INLINE_FUNCTION void add(const double (&distance)[3], const double (&differences)[4],
                                    int count) {
      for (int d = 0; d < 3; ++d) {
        for (int e = 0; e < 3; ++e) matrix[d][e] += distance[d] * distance[e];
        for (int i = 0; i < count; ++i) right[i][d] += distance[d] * differences[i];
      }
    }
    /// Inverts the matrix.
    KOKKOS_INLINE_FUNCTION void invert() {
      constexpr double small = 1e-3;
      for (int d = 0; d < 3; ++d) matrix[d][d] += small;
      double inverse[3][3];
      for (int d = 0; d < 3; ++d) {
        for (int e = 0; e < 3; ++e) {
          const int a = (d + 1) % 3;
          const int b = (d + 2) % 3;
          const int f = (e + 1) % 3;
          const int g = (e + 2) % 3;
          inverse[e][d] = matrix[a][f] * matrix[b][g] - matrix[a][g] * matrix[b][f];
        }
      }
      double determinant = 0;
      for (int d = 0; d < 3; ++d) determinant += matrix[0][d] * inverse[d][0];
      for (int d = 0; d < 3; ++d) {
        for (int e = 0; e < 3; ++e) matrix[d][e] = inverse[d][e] / determinant;
      }
    }
    KOKKOS_INLINE_FUNCTION double gradient(int i, int axis) const {
      double sum = 0;
      for (int d = 0; d < 3; ++d) sum += matrix[axis][d] * right[i][d];
      return sum;
    }
  };

  KOKKOS_INLINE_FUNCTION void fit_gradients(std::int64_t cell, const int (&at)[3]) const {
    const ContinuumState here = state(cell);
    Fit fit;          // velocity and temperature
    Fit of_pressure;  // which has no value at a wall
    double width[3];
    for (int d = 0; d < 3; ++d) width[d] = double(level.width[d](at[d]));
    for (int side = 0; side < 2 * level.dimensions; ++side) {
      if (!(face_area(cell, at, side) > 0)) continue;
      const int axis = side / 2;
      const int step = side % 2 == 0 ? -1 : 1;
      double distance[3] = {0, 0, 0};
      double differences[4] = {0, 0, 0, 0};
      if (level.at_wall(cell, at, side)) {
        const ContinuumWall& law = wall(cell, side);
        if (law.open) continue;
        const double depth = 0.5 * width_before(cell, at, side);
        double normal[3] = {0, 0, 0};
        normal[axis] = step;
        at_wall_of(law, here, depth, normal, differences);
        distance[axis] = step * depth / width[axis];
        fit.add(distance, differences, 4);
        continue;
      }
      const std::int64_t next = level.neighbour(cell, at, axis, step);
      const ContinuumState there = state(next);
      distance_to(cell, at, next, axis, step, distance);
      for (int d = 0; d < 3; ++d) {
        distance[d] /= width[d];
        differences[d] = there.velocity[d] - here.velocity[d];
      }
      differences[3] = there.temperature - here.temperature;
      fit.add(distance, differences, 4);
      const double pressure[4] = {there.pressure - here.pressure};
      of_pressure.add(distance, pressure, 1);
    }
    double normal[3];
    if (is_cut(cell) && facet(cell, normal) > 0) {
      const double depth = cut_number(cell, facet_depth_number);
      double differences[4];
      at_wall_of(wall(cell, facet_side), here, depth, normal, differences);
      double distance[3];
      for (int d = 0; d < 3; ++d) distance[d] = depth * normal[d] / width[d];
      fit.add(distance, differences, 4);
    }
    fit.invert();
    of_pressure.invert();
    for (int axis = 0; axis < level.dimensions; ++axis) {
      double* to = &cuts.gradients(cell, 5 * axis);
      for (int i = 0; i < 4; ++i) to[i] = fit.gradient(i, axis) / width[axis];
      to[4] = of_pressure.gradient(0, axis) / width[axis];
    }
  }
  /// Velocity and temperature of the gas at a wall at a distance, less those of the cell.
  KOKKOS_INLINE_FUNCTION void at_wall_of(const ContinuumWall& law, const ContinuumState& here,
                                         double depth, const double (&normal)[3],
                                         double (&differences)[4]) const {
    double by[3];
    double across = 0;
    for (int d = 0; d < 3; ++d) {
      by[d] = law.velocity[d] - here.velocity[d];
      across += by[d] * normal[d];
    }
    const double share = depth / (depth + law.slip * here.free_path);
    for (int d = 0; d < 3; ++d) {
      differences[d] = across * normal[d];
      if (!law.holds(d)) continue;
      differences[d] +=
          share * (by[d] - across * normal[d] + creep(law, here, temperature_gradient[d]));
    }
    differences[3] = gas_temperature_at(law, here, 2 * depth) - here.temperature;
  }

  /// Area of the surface in a cut cell, and its normal out of the gas.
  KOKKOS_INLINE_FUNCTION double facet(std::int64_t cell, double (&normal)[3]) const {
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      normal[d] = d < level.dimensions ? cuts.area(cell, 2 * d) - cuts.area(cell, 2 * d + 1) : 0;
      square += normal[d] * normal[d];
    }
    const double area = std::sqrt(square);
    if (!(cut_number(cell, facet_depth_number) > 0)) return 0;
    for (double& each : normal) each /= area;
    return area;
  }
  /// Outward flux through the surface in a cut cell.
  KOKKOS_INLINE_FUNCTION void through_facet(std::int64_t cell, const int (&at)[3],
                                            const double (&normal)[3],
                                            double (&flux)[conserved_count]) const {
    const ContinuumState here = state(cell);
    const ContinuumWall& law = wall(cell, facet_side);
    const double depth = cut_number(cell, facet_depth_number);
    double along[3];  // gradient of ln T
    double along_normal = 0;
    double pressure = here.pressure;
    double across = 0;
    for (int d = 0; d < 3; ++d) {
      along[d] = temperature_gradient[d];
      across += (here.velocity[d] - law.velocity[d]) * normal[d];
      if (d < level.dimensions) {
        const Gradient g = stored_gradient(cell, d);
        along[d] += g.temperature / here.temperature;
        pressure += g.pressure * cut_number(cell, facet_offset_number + d);
      }
      along_normal += along[d] * normal[d];
    }
    const double free_path = law.slip * here.free_path;
    flux[0] = 0;
    flux[4] = 0;
    for (int d = 0; d < 3; ++d) {
      const double creeps = creep(law, here, along[d] - along_normal * normal[d]);
      const double difference = here.velocity[d] - law.velocity[d] - across * normal[d] - creeps;
      const double stress = here.viscosity * difference / (depth + free_path);
      const double slip = creeps + difference * free_path / (depth + free_path);
      flux[1 + d] = stress + normal[d] * (pressure + here.viscosity * across * 4 /
                                                         (3 * bounded_depth(depth, at, normal)));
      flux[4] += 2 * stress * (law.velocity[d] + (law.heated ? 0 : slip));
    }
    if (law.heated) {
      flux[4] -= 2 * law.heat;
    } else {
      flux[4] += here.conductivity(gas.prandtl) * (here.temperature - law.temperature) /
                 (depth + law.jump * here.free_path);
    }
  }
  /// As bounded_width, for a distance along a normal.
  KOKKOS_INLINE_FUNCTION double bounded_depth(double depth, const int (&at)[3],
                                              const double (&normal)[3]) const {
    double least = 0;
    for (int d = 0; d < level.dimensions; ++d) {
      least += 0.1 * math::fabs(normal[d]) * double(level.width[d](at[d]));
    }
    return depth > least ? depth : least;
  }
  KOKKOS_INLINE_FUNCTION void add_facet(std::int64_t cell, const int (&at)[3],
                                        double (&sum)[conserved_count]) const {
    double normal[3];
    if (!is_cut(cell)) return;
    const double area = facet(cell, normal);
    if (!(area > 0)) return;
    double flux[conserved_count];
    through_facet(cell, at, normal, flux);
    for (int i = 0; i < conserved_count; ++i) sum[i] += area * flux[i];
  }
  /// Changes of that flux, as wall_change.
  KOKKOS_INLINE_FUNCTION void facet_change(std::int64_t cell, const int (&at)[3],
                                           const double (&normal)[3], const GasChange& by,
                                           float (&flux)[conserved_count]) const {
    const ContinuumState here = state(cell);
    const ContinuumWall& law = wall(cell, facet_side);
    const double depth = cut_number(cell, facet_depth_number);
    const double pressure =
        0.5 * (here.density * double(by.temperature) + here.temperature * double(by.density));
    double across = 0;
    for (int d = 0; d < 3; ++d) across += double(by.velocity[d]) * normal[d];
    flux[0] = 0;
    flux[4] = 0;
    for (int d = 0; d < 3; ++d) {
      const double stress = here.viscosity * (double(by.velocity[d]) - across * normal[d]) /
                            (depth + law.slip * here.free_path);
      flux[1 + d] = static_cast<float>(
          stress + normal[d] * (pressure + here.viscosity * across * 4 /
                                               (3 * bounded_depth(depth, at, normal))));
      flux[4] += static_cast<float>(2 * stress * law.velocity[d]);
    }
    if (law.heated) return;
    flux[4] +=
        static_cast<float>(here.conductivity(gas.prandtl) / (depth + law.jump * here.free_path)) *
        by.temperature;
  }

  /// Flux along an axis between two cells of which one is cut at least: by interpolation of the
  /// state to the centre of the open face. Differences along the line between the two centres of
  /// gas, which is not parallel to the axis, give the derivative along the axis with what the
  /// gradients tell of the others. The gradient at the face is the mean of those in both cells with
  /// the weights of their volumes, as in a small cell it is uncertain.
  KOKKOS_INLINE_FUNCTION void between_cut(std::int64_t cell, const int (&at)[3], std::int64_t next,
                                          const int (&there)[3], int axis,
                                          double (&flux)[conserved_count]) const {
    const ContinuumState a = state(cell);
    const ContinuumState b = state(next);
    const double before = 0.5 * width_before(cell, at, 2 * axis + 1);
    const double behind = 0.5 * width_before(next, there, 2 * axis);
    const double share = before / (before + behind);  // of the next cell
    double distance[3];
    distance_to(cell, at, next, axis, 1, distance);
    const double least =
        0.1 * (double(level.width[axis](at[axis])) + double(level.width[axis](there[axis])));
    const double over = 1 / (distance[axis] > least ? distance[axis] : least);
    const auto volume = double(level.volume(cell));
    const double weight = volume / (volume + double(level.volume(next)));
    double slope[5][3] = {};  // of velocity, temperature and pressure
    double offset[3] = {0, 0, 0};
    for (int d = 0; d < level.dimensions; ++d) {
      const double* g = &cuts.gradients(cell, 5 * d);
      const double* h = &cuts.gradients(next, 5 * d);
      for (int i = 0; i < 5; ++i) slope[i][d] = weight * g[i] + (1 - weight) * h[i];
      if (d == axis) continue;
      for (const std::int64_t each : {cell, next}) {
        if (!is_cut(each)) continue;
        const int side = 2 * axis + (each == cell ? 1 : 0);
        offset[d] += 0.5 * cut_number(each, face_centre_number + 3 * side + d) -
                     (each == cell ? 1 - share : share) * gas_centre(each, d);
      }
    }
    const double from[5] = {a.velocity[0], a.velocity[1], a.velocity[2], a.temperature, a.pressure};
    const double to[5] = {b.velocity[0], b.velocity[1], b.velocity[2], b.temperature, b.pressure};
    double value[5];
    double correction[5];
    for (int i = 0; i < 5; ++i) {
      value[i] = from[i] + share * (to[i] - from[i]);
      correction[i] = 0;
      for (int d = 0; d < level.dimensions; ++d) correction[i] += slope[i][d] * offset[d];
    }
    constexpr double much = 0.5;
    if (math::fabs(correction[3]) < much * value[3] &&
        math::fabs(correction[4]) < much * value[4]) {
      for (int i = 0; i < 5; ++i) value[i] += correction[i];
    }
    const double density = 2 * value[4] / value[3];
    const double viscosity = a.viscosity + share * (b.viscosity - a.viscosity);
    // Central differences do not see all pressures: see `between`.
    double unseen = b.pressure - a.pressure;
    for (int d = 0; d < level.dimensions; ++d) unseen -= slope[4][d] * distance[d];
    const double speed = dispersal_speed(value[axis], viscosity / density, 1 / over, value[3]);
    const double mass = density * value[axis] - 0.5 / speed * unseen;
    for (int i = 0; i < 4; ++i) {
      double difference = to[i] - from[i];
      for (int d = 0; d < level.dimensions; ++d) {
        if (d != axis) difference -= slope[i][d] * distance[d];
      }
      slope[i][axis] = over * difference;
    }
    double divergence = 0;
    for (int d = 0; d < 3; ++d) divergence += slope[d][d];
    // What the mass carries is the mean of both cells at any distance, so that the convection of a
    // square, such as the kinetic energy, neither makes nor destroys it (Verstappen and Veldman).
    flux[0] = mass;
    flux[4] =
        0.5 * mass * (a.enthalpy() + b.enthalpy()) - 2.5 * viscosity / gas.prandtl * slope[3][axis];
    for (int d = 0; d < 3; ++d) {
      double stress = -viscosity * (slope[d][axis] + slope[axis][d]);
      if (d == axis) stress += viscosity * divergence * 2 / 3;
      flux[1 + d] = 0.5 * mass * (a.velocity[d] + b.velocity[d]) + stress;
      flux[4] += 2 * stress * value[d];
    }
    flux[1 + axis] += value[4];
  }
};

}  // namespace knudsen::shakhov
