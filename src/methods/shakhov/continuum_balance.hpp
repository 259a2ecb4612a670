#pragma once

#include "kinetic/surface.hpp"
#include "methods/shakhov/macroscopic_level.hpp"

// The balance of the cells of a gas that Navier, Stokes and Fourier describe, by central
// differences, for the asymptotic-preserving acceleration (README.md).

namespace knudsen::shakhov {

/// Conserved quantities of the cells: density, momentum x, y, z, twice the energy.
template <class ExecutionSpace>
using ConservedView = View<double* [conserved_count], ExecutionSpace>;

/// What a wall does with a gas that does not move through it: slip and jump in free paths
/// sqrt(T) / rate.
struct ContinuumWall {
  bool holds = false;   ///< whether it takes up shear stress
  bool heated = false;  ///< whether its heat flux is given
  double slip = 0;
  double jump = 0;
  double heat = 0;  ///< SurfaceLaw::heat
  double velocity[3] = {0, 0, 0};
  double temperature = 1;

  ContinuumWall() = default;
  ContinuumWall(const SideCondition& condition, double prandtl) {
    // Slip and jump of the models, and their change with Maxwell's accommodation (Sharipov 2011).
    constexpr double diffuse_slip = 1.0162;
    constexpr double less_slip = 0.1211;
    constexpr double diffuse_jump = 1.3027;  // times 1 / Pr
    constexpr double less_jump = 0.0968;
    const SurfaceLaw law = surface_law(condition);
    const auto& kernel = condition.cercignani_lampis;
    const double friction = kernel ? kernel->tangential : law.diffuse_share;
    const double exchange =
        kernel ? 0.5 * (kernel->normal + kernel->tangential * (2 - kernel->tangential)) : friction;
    holds = law.heated || friction > 0;
    heated = law.heated || !(exchange > 0);
    heat = law.heated ? law.heat : 0;
    const auto of = [](double share, double diffuse, double less) {
      return (2 - share) / share * (diffuse - less * (1 - share));
    };
    if (holds) slip = of(law.heated ? 1 : friction, diffuse_slip, less_slip);
    if (!heated || law.heated) {
      jump = of(law.heated ? 1 : exchange, diffuse_jump, less_jump) / prandtl;
    }
    for (std::size_t d = 0; d < 3; ++d) velocity[d] = condition.state.velocity[d];
    temperature = condition.state.temperature;
  }
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
template <class ExecutionSpace>
struct ContinuumBalance {
  MacroscopicLevel<ExecutionSpace> level;  ///< the finest one
  Gas gas;
  double force[3];  ///< on a unit mass
  View<ContinuumWall*, ExecutionSpace> walls;
  View<int*, ExecutionSpace> face_wall;
  ConservedView<ExecutionSpace> conserved;

  KOKKOS_INLINE_FUNCTION ContinuumState state(std::int64_t cell) const {
    ContinuumState s;
    s.density = conserved(cell, 0);
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      s.velocity[d] = conserved(cell, 1 + d) / s.density;
      square += s.velocity[d] * s.velocity[d];
    }
    s.temperature = (conserved(cell, 4) / s.density - square) / 1.5;
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
  KOKKOS_INLINE_FUNCTION Gradient gradient(std::int64_t cell, const int (&at)[3], int axis) const {
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
      place[n] = step * 0.5 * width;
      const double share = 0.5 * width / (0.5 * width + law.slip * here.free_path);
      for (int d = 0; d < 3; ++d) {
        if (law.holds || d == axis) {
          end[n].velocity[d] += (d == axis ? 1 : share) * (law.velocity[d] - here.velocity[d]);
        }
      }
      end[n].temperature = gas_temperature_at(law, here, width);
    }
    Gradient g;
    const double over = 1 / (place[1] - place[0]);
    for (int d = 0; d < 3; ++d) g.velocity[d] = over * (end[1].velocity[d] - end[0].velocity[d]);
    g.temperature = over * (end[1].temperature - end[0].temperature);
    const double distance = inner_place[1] - inner_place[0];
    g.pressure = distance > 0 ? (inner_pressure[1] - inner_pressure[0]) / distance : 0;
    return g;
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

  /// Outward flux through the wall on a side of a cell.
  KOKKOS_INLINE_FUNCTION void through_wall(std::int64_t cell, const int (&at)[3], int side,
                                           double (&flux)[conserved_count]) const {
    const int axis = side / 2;
    const double outward = side % 2 == 0 ? -1 : 1;
    const double width = double(level.width[axis](at[axis]));
    const ContinuumState here = state(cell);
    const ContinuumWall& law = wall(cell, side);
    flux[0] = 0;
    flux[4] = 0;
    const double distance = 0.5 * width + law.slip * here.free_path;
    for (int d = 0; d < 3; ++d) {
      const double difference = here.velocity[d] - law.velocity[d];
      if (d == axis) {
        // The pressure is extrapolated to the wall.
        const double pressure =
            here.pressure + outward * 0.5 * width * gradient(cell, at, axis).pressure;
        flux[1 + d] = outward * pressure + here.viscosity * difference * 8 / (3 * width);
      } else {
        flux[1 + d] = law.holds ? here.viscosity * difference / distance : 0;
        const double slip = difference * law.slip * here.free_path / distance;
        flux[4] += 2 * flux[1 + d] * (law.velocity[d] + (law.heated ? 0 : slip));
      }
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
            scale = -area;
          }
        }
        for (int i = 0; i < conserved_count; ++i) sum[i] += scale * flux[i];
      }
    }
    for (int d = 0; d < 3; ++d) {
      sum[1 + d] -= volume * conserved(cell, 0) * force[d];
      sum[4] -= 2 * volume * conserved(cell, 1 + d) * force[d];
    }
  }

  /// Changes of the outward flux through a wall for changes of its cell, which the pressure beyond
  /// it has no part in: the block of a multigrid cycle.
  KOKKOS_INLINE_FUNCTION void wall_change(std::int64_t cell, const int (&at)[3], int side,
                                          const GasChange& by,
                                          float (&flux)[conserved_count]) const {
    const int axis = side / 2;
    const float outward = side % 2 == 0 ? -1 : 1;
    const auto width = level.width[axis](at[axis]);
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
                      viscosity * by.velocity[d] * 8 / (3 * width);
      } else {
        flux[1 + d] = law.holds ? viscosity * by.velocity[d] / distance : 0;
        flux[4] += 2 * flux[1 + d] * static_cast<float>(law.velocity[d]);
      }
    }
    if (law.heated) return;
    flux[4] += static_cast<float>(here.conductivity(gas.prandtl) /
                                  (0.5 * double(width) + law.jump * here.free_path)) *
               by.temperature;
  }
};

}  // namespace knudsen::shakhov
