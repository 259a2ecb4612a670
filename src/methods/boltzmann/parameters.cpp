#include "methods/boltzmann/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/text.hpp"
#include "device/block_launch.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/case/gas_case.hpp"
#include "kinetic/case/read_velocity_grid.hpp"
#include "methods/boltzmann/velocity_cells.hpp"
#include "methods/gas/cavity.hpp"
#include "methods/gas/inlets.hpp"

namespace knudsen::boltzmann {
namespace {

/// Largest share of molecules whose collisions are slowed for stability (relaxed_share).
constexpr double max_slowed_share = 0.005;
/// Error of the viscosity by slowed collisions above which there is a warning.
constexpr double warning_viscosity_error = 0.05;
/// Share of the molecules of a state in velocity cells from which one sampled collision takes more
/// than they hold, above which there is a warning; and above which there is one where such
/// collisions are slowed.
constexpr double warning_emptied_share = 5e-4;
constexpr double warning_limited_share = 0.02;
/// Mean of f / Phi_0 of a state above which the former is estimated.
constexpr double strong_deviation = 2;
/// Largest width of the velocity cells beside zero, over the speed at which molecules collide
/// before they cross the gas between two walls, without a warning.
constexpr double max_central_width = 0.5;
/// Cells along an axis, whose widths are all kept on the host.
constexpr int max_cells_of_axis = 10000000;
/// Smallest cell width over the extent of the domain along its axis.
constexpr double min_relative_width = 1e-9;

/// Cell widths with the sum `size`, each `progression` times that of its coarser neighbour.
std::vector<double> progressive_widths(double size, int count, double progression,
                                       const std::string& finest) {
  std::vector<double> widths;
  for (int i = 0; i < count; ++i) {
    const double steps = finest == "low"    ? count - 1 - i
                         : finest == "high" ? i
                                            : std::abs(i - 0.5 * (count - 1));
    widths.push_back(std::pow(progression, steps));
  }
  const double total = std::accumulate(widths.begin(), widths.end(), 0.0);
  for (double& width : widths) width *= size / total;
  return widths;
}

/// Effect of slowed collisions: those in velocity cells that hold less than a sample represents.
struct SlowedCollisions {
  double molecules = 0;  ///< share of molecules in such cells at equilibrium
  double viscosity = 0;  ///< relative excess of the viscosity, as stress decays too slowly there
};

/// Estimate from a typical collision: |k . v_r| = 1, the other molecule of mean energy.
SlowedCollisions estimate_slowed(const VelocityGrid& grid, double sample_weight,
                                 double temperature) {
  std::array<std::vector<double>, 3> share;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto edges = cell_edges(grid[d]);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      share[d].push_back(equilibrium_share(edges[i], edges[i + 1]));
    }
  }
  const double lighter = 1 / temperature - 1;
  const double heaviest = sample_weight * std::pow(temperature, 3) * std::exp(1.5 * lighter);
  SlowedCollisions slowed;
  for (std::size_t i = 0; i < share[0].size(); ++i) {
    for (std::size_t j = 0; j < share[1].size(); ++j) {
      for (std::size_t k = 0; k < share[2].size(); ++k) {
        const double held = share[0][i] * share[1][j] * share[2][k];
        const double x = grid[0].nodes[i] * grid[0].nodes[i];
        const double y = grid[1].nodes[j] * grid[1].nodes[j];
        const double z = grid[2].nodes[k] * grid[2].nodes[k];
        const double weight = heaviest * std::exp(lighter * (x + y + z));
        if (held >= weight) continue;
        slowed.molecules += held;
        slowed.viscosity += 4 * x * y * (weight - held);
      }
    }
  }
  return slowed;
}

/// How far a state is from equilibrium on a velocity grid.
struct FarState {
  double ratio = 0;    ///< mean over its molecules of f / Phi_0
  double emptied = 0;  ///< share of its molecules in velocity cells that hold less than a collision
                       ///< with one of them takes
};

/// Estimate as that of estimate_slowed.
FarState estimate_deviation(const VelocityGrid& grid, const GasState& state, double sample_weight,
                            double temperature) {
  const VelocityGrid weighted = equilibrium_weighted(grid);
  std::array<std::vector<double>, 3> over_equilibrium;
  FarState deviation{state.density, 0};
  for (std::size_t d = 0; d < 3; ++d) {
    double squares = 0;
    for (std::size_t i = 0; i < grid[d].nodes.size(); ++i) {
      const double v = grid[d].nodes[i];
      const double c = v - state.velocity[d];
      const double ratio =
          std::exp(v * v - c * c / state.temperature) / std::sqrt(state.temperature);
      over_equilibrium[d].push_back(ratio);
      squares += weighted[d].weights[i] * ratio * ratio;
    }
    deviation.ratio *= squares;
  }
  const double lighter = 1 / temperature - 1;
  const double heaviest = sample_weight * std::pow(temperature, 3) * std::exp(1.5 * lighter);
  for (std::size_t i = 0; i < grid[0].nodes.size(); ++i) {
    for (std::size_t j = 0; j < grid[1].nodes.size(); ++j) {
      for (std::size_t k = 0; k < grid[2].nodes.size(); ++k) {
        const double held =
            weighted[0].weights[i] * weighted[1].weights[j] * weighted[2].weights[k];
        const double square = grid[0].nodes[i] * grid[0].nodes[i] +
                              grid[1].nodes[j] * grid[1].nodes[j] +
                              grid[2].nodes[k] * grid[2].nodes[k];
        if (held >= heaviest * std::exp(lighter * square) * deviation.ratio) continue;
        deviation.emptied +=
            held * over_equilibrium[0][i] * over_equilibrium[1][j] * over_equilibrium[2][k];
      }
    }
  }
  return deviation;
}

struct Reader {
  CaseNode& root;
  Parameters p;
  std::vector<std::string> warnings;
  bool linear = false;

  void read_domain() {
    root.require_object("domain", "The domain, a box of cells.", [&](CaseNode& domain) {
      const CellGridSize box = read_cells(domain, p.units);
      const auto progression =
          domain.numbers("progression", 0,
                         "Ratio of the width of a cell to that of its coarser neighbour, along the "
                         "same axes. Cells are finest where `finest_x`, `finest_y` and `finest_z` "
                         "say. Default: 1, equal cells.",
                         Range{0, 1, true, false});
      std::array<std::string, 3> finest;
      for (std::size_t d = 0; d < 3; ++d) {
        finest[d] = domain.choice_or("finest_" + axis_names[d], "both", {"both", "low", "high"},
                                     "Side at which the cells along " + axis_names[d] +
                                         " are finest: both sides, the low or the high side.");
      }
      if (domain.describing()) return;
      p.grid.dimensions = box.dimensions;
      check_length(domain, "progression", progression, p.dimensions());
      for (std::size_t d = p.dimensions(); d < 3; ++d) {
        const std::string key = "finest_" + axis_names[d];
        if (domain.has(key)) {
          domain.fail_hard(key, "the domain has " + std::to_string(p.dimensions()) +
                                    (p.dimensions() == 1 ? " dimension" : " dimensions") +
                                    ": there are no cells along " + axis_names[d]);
        }
      }
      for (std::size_t d = 0; d < p.dimensions(); ++d) {
        domain.check_derived("cells", "number of cells along " + axis_names[d], box.cells[d],
                             Range::between(1, max_cells_of_axis));
        auto& widths = p.grid.widths[d];
        widths = progressive_widths(box.size[d], box.cells[d], progression ? (*progression)[d] : 1,
                                    finest[d]);
        domain.check_derived("progression",
                             "width of the finest cell along " + axis_names[d] + " over the extent",
                             *std::min_element(widths.begin(), widths.end()) / box.size[d],
                             Range::at_least(min_relative_width));
      }
    });
  }

  void read_gas() {
    root.require_object("gas", "The gas, which is monatomic.", [&](CaseNode& gas) {
      const NamedGas* named = read_gas_name(gas);
      p.rarefaction = read_rarefaction(gas, &p.units.reference, named);
      refuse_rotation(gas);
      warn_of_gas(named, p.units.reference, 0, warnings);
      const double viscosity_exponent =
          gas.number_or("omega", named != nullptr ? named->viscosity_exponent : 0.5,
                        "Exponent of the viscosity law (T / T_ref)^omega. 0.5: hard spheres. Up to "
                        "1: variable hard spheres. Default: that of `name`, else 0.5.",
                        Range::between(0.5, 1));
      if (gas.describing()) return;
      p.molecules = variable_hard_spheres(p.rarefaction, viscosity_exponent);
    });
  }

  void read_collision() {
    root.require_object(
        "collision", "Monte Carlo quadrature of the collision integral, and body force.",
        [&](CaseNode& node) {
          linear = node.choice_or("form", "nonlinear", {"nonlinear", "linearised"},
                                  "nonlinear: the full Boltzmann equation. linearised: without the "
                                  "products of deviations from equilibrium.") == "linearised";
          p.samples = static_cast<int>(node.require_integer(
              "samples",
              "Number N_t of collisions sampled in a step. All cells use the same samples.",
              Range::between(1, max_samples)));
          p.sample_temperature =
              node.number_or("sample_temperature", 1,
                             "Temperature of the Maxwellian from which collisions are sampled, "
                             "over T_ref. Above 1, fast molecules get more samples of "
                             "smaller weight, and the noise of the others grows a little.",
                             Range::between(1, 3));
          p.uniforms.seed = static_cast<std::uint64_t>(node.integer_or(
              "seed", 1,
              "Seed of the random numbers. Runs with the same seed use the same samples.",
              Range::at_least(0)));
          p.uniforms.quasi_random =
              node.choice_or("sequence", "random", {"random", "quasi-random"},
                             "random: independent samples (Philox4x32-10). quasi-random: the "
                             "R-sequence with a random shift in every step.") == "quasi-random";
          p.collision.estimator =
              node.choice_or(
                  "estimator", "reversible", {"reversible", "one-way"},
                  "reversible: each sampled collision also stands for its inverse, which reduces "
                  "noise. one-way: the collision alone, as in Frezzotti 2010, eq. (23).") ==
                      "reversible"
                  ? Estimator::reversible
                  : Estimator::one_way;
          p.interpolate =
              node.choice_or(
                  "interpolation", "constant", {"constant", "linear"},
                  "Interpolation of the deviation from equilibrium between velocity nodes. "
                  "constant: constant in each velocity cell, as in Frezzotti 2010. linear: linear "
                  "in the mean over samples; viscosity and conductivity are then accurate on "
                  "coarser grids, but noise can grow in nearly continuous gases.") == "linear";
          p.collision.update =
              node.choice_or("update", "explicit", {"explicit", "sequential"},
                             "explicit: all collisions of a step act on the distribution at its "
                             "start, Frezzotti 2010, eq. (24). sequential: each collision acts on "
                             "the result of the one before, Algorithm 3.") == "explicit"
                  ? Update::explicit_set
                  : Update::sequential;
          const std::string conservation = node.choice_or(
              "conservation", "equilibrium", {"equilibrium", "distribution", "none"},
              "Correction after the collisions that conserves mass, momentum and energy. "
              "equilibrium: a polynomial times the equilibrium distribution. distribution: a "
              "polynomial times the distribution, Frezzotti 2010, eq. (25). none: no correction.");
          p.collision.conservation = conservation == "none"          ? Conservation::none
                                     : conservation == "equilibrium" ? Conservation::equilibrium
                                                                     : Conservation::distribution;
          p.collision.limited =
              node.choice_or(
                  "positivity", "none", {"none", "limited"},
                  "none: a sampled collision may take more molecules from a velocity cell than it "
                  "holds. limited: it is slowed so that it takes at most half of them, for flows "
                  "far from equilibrium; requires `form` nonlinear and `interpolation` "
                  "constant.") == "limited";
          if (p.collision.limited && (linear || p.interpolate)) {
            node.fail("positivity",
                      "requires \"form\": \"nonlinear\" and \"interpolation\": \"constant\"");
          }
          p.equilibrium_exact =
              node.choice_or(
                  "equilibrium_part", "sampled", {"sampled", "exact"},
                  "Treatment of the equilibrium part of the deviation, the combination of "
                  "collision invariants that exact collisions do not change. sampled: it takes "
                  "part in the sampled collisions, so that noise and the size of the velocity "
                  "cells change it. exact: it is removed before the collisions and restored after "
                  "them, in two more passes over the distribution; requires `form` linearised.") ==
              "exact";
          if (p.equilibrium_exact && !linear) {
            node.fail("equilibrium_part", "requires \"form\": \"linearised\"");
          }
          const auto force = read_body_force(node, p.units);
          for (std::size_t d = 0; d < 3; ++d) p.collision.body_force[d] = force[d];
        });
  }

  void read_velocities() {
    p.grid.velocities = read_velocity_grid(root, p.units);
    if (root.describing()) return;
    const VelocityGrid& grid = p.grid.velocities;
    double padded = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      const VelocityAxis& axis = grid[d];
      if (!has_cells(axis)) {
        root.fail(
            "velocity_grid",
            "collisions are sampled into velocity cells, so the type must be \"uniform\" with "
            "the rule \"midpoint\", \"stretched\", or \"graded\" or \"half-range\" with "
            "the temperature 1");
      }
      if (!axis.symmetric()) {
        root.fail("velocity_grid", "must be symmetric about 0 along " + axis_names[d] +
                                       ", since results are deviations from a gas at rest");
      }
      padded *= d < 2 ? axis.count() : (axis.count() + 3) / 4 * 4;
    }
    if (padded > max_velocities) {
      root.fail("velocity_grid", "has " + number_text(padded) +
                                     " velocities, with rows along z padded to multiples of 4; "
                                     "must have at most " +
                                     number_text(max_velocities));
    }
  }

  void read_initial() {
    const double length = p.length(0);
    p.initial.position = length / 2;
    root.object("initial", "Initial state, a Maxwellian in every cell. Default: rest.",
                [&](CaseNode& initial) {
                  initial.alternatives(
                      "type", "Kind of initial state.",
                      {{"rest", "Gas at rest with density 1 and temperature 1.", [](CaseNode&) {}},
                       {"uniform", "The same state everywhere, and a wave if one is given.",
                        [&](CaseNode& node) {
                          p.initial.states.fill(read_gas_state(node, p.units, {}));
                          read_wave(node);
                        }},
                       step_alternative(length, p.units, p.initial)},
                      "uniform");
                });
  }

  void read_wave(CaseNode& initial) {
    initial.object(
        "wave",
        "Sine wave along x with one period over the length of the domain, added to the state.",
        [&](CaseNode& wave) {
          const double amplitude = wave.require_number(
              "amplitude",
              "Amplitude: of a shear wave in v_ref (SI: m/s), of a thermal wave in T_ref (SI: K).");
          p.wave.thermal = wave.choice_or("kind", "shear", {"shear", "thermal"},
                                          "shear: wave of the velocity along y. thermal: wave "
                                          "of the temperature at constant pressure.") == "thermal";
          const CaseUnit unit = p.wave.thermal ? p.units.temperature() : p.units.velocity();
          p.wave.amplitude = unit.from_case(amplitude);
          wave.check_derived("amplitude", "amplitude in units of the reference state",
                             p.wave.amplitude, Range::between(-10, 10));
        });
    if (p.wave.thermal && std::abs(p.wave.amplitude) >= 1) {
      initial.fail("wave", "the amplitude of a thermal wave must be below 1");
    }
  }

  void read_boundaries() {
    root.object(
        "boundaries", "Boundary conditions on the sides of the domain.", [&](CaseNode& boundaries) {
          read_sides(boundaries, p.grid.sides, cell_grid(p.grid), p.grid.dimensions,
                     p.initial.states[0], p.initial.states[1], p.units);
          check_sides(boundaries, p.grid.sides, p.grid.dimensions, p.grid.velocities);
          for (std::size_t side = 0; side < 6; ++side) {
            const SideKind kind = p.grid.sides[side].kind;
            if (kind == SideKind::antisymmetric || kind == SideKind::pressure) {
              boundaries.fail(side_names[side],
                              "antisymmetric sides and sides of given pressure are not available "
                              "in this method; take \"bgkw\" or \"shakhov\"");
              continue;
            }
            if (surface_law(p.grid.sides[side]).made_by_face()) {
              boundaries.fail(
                  side_names[side] +
                      (p.grid.sides[side].heat_flux ? ".heat_flux" : ".cercignani_lampis"),
                  "is not available in this method; take \"bgkw\" or \"shakhov\"");
            }
            if (!linear || !p.grid.sides[side].is_vacuum()) continue;
            boundaries.fail(side_names[side],
                            "a vacuum is far from equilibrium; take \"form\": \"nonlinear\" "
                            "in \"collision\"");
          }
        });
    if (root.describing()) return;
    SolidDomain domain{p.grid.dimensions, {}, p.grid.sides, p.grid.velocities, p.units};
    const CartesianGrid cells = cell_grid(p.grid);
    for (std::size_t d = 0; d < p.dimensions(); ++d) {
      domain.lines[d] = cells.edges[d].empty() ? AxisLines(cells.cells[d], cells.spacing[d])
                                               : AxisLines(cells.edges[d]);
    }
    set_inlet_fluxes(root, domain, {}, p.grid.sides);
  }

  /// Sets epsilon of eq. (5) to the largest deviation that the case prescribes.
  void set_scale() {
    double scale = 0;
    const auto consider = [&](double deviation) { scale = std::max(scale, std::abs(deviation)); };
    const auto consider_state = [&](const GasState& state) {
      for (const double u : state.velocity) consider(u);
      consider(state.temperature - 1);
      consider(state.density - 1);
    };
    for (const GasState& state : p.initial.states) consider_state(state);
    consider(p.wave.amplitude);
    for (const SideCondition& side : p.grid.sides) {
      each_condition(side, [&](const SideCondition& part) {
        consider_state(part.state);
        consider(part.capture);
        // As a share of what reaches a surface in the gas at rest.
        consider(2 * std::sqrt(std::numbers::pi) * part.mass_flux);
      });
    }
    for (const double force : p.collision.body_force) consider(force);
    p.scale = scale > 0 ? scale : 1;
    p.collision.perturbation_parameter = linear ? 0 : p.scale;
  }

  /// Largest Courant number of a unit time step: the sum over the axes or, with order 2, the
  /// largest of them.
  double fastest_crossing() const {
    double sum = 0;
    double largest = 0;
    for (std::size_t d = 0; d < p.dimensions(); ++d) {
      const auto& widths = p.grid.widths[d];
      const double crossing =
          p.grid.velocities[d].max_speed() / *std::min_element(widths.begin(), widths.end());
      sum += crossing;
      largest = std::max(largest, crossing);
    }
    return p.grid.order == 2 ? largest : sum;
  }

  /// Collision frequency of the fastest molecules of the velocity grid.
  double highest_frequency() const {
    double square = 0;
    for (const VelocityAxis& axis : p.grid.velocities) square += axis.maximum * axis.maximum;
    return collision_frequency(p.molecules, std::sqrt(square));
  }

  void read_propagation() {
    double courant = 0.9;
    double fraction = 0.25;
    std::optional<double> time_step;
    root.object("propagation", "Streaming scheme and length of a time step.", [&](CaseNode& node) {
      p.fused =
          node.choice_or(
              "scheme", "fused", {"fused", "separate"},
              "fused: on a GPU streaming and collision in one kernel, for order 1 in two "
              "dimensions. separate: in two kernels (Frezzotti 2010). Both give the same flow.") ==
          "fused";
      p.grid.order = static_cast<int>(
          node.integer_or("order", 1,
                          "Order of the streaming scheme. 1: upwind. 2: linear reconstruction in "
                          "the cells, along one axis after the other.",
                          Range::between(1, 2)));
      const std::string limiter = node.choice_or(
          "limiter", "van-leer", {"van-leer", "minmod", "none"}, "Slope limiter of order 2.");
      p.grid.limiter = limiter == "van-leer" ? Limiter::van_leer
                       : limiter == "minmod" ? Limiter::minmod
                                             : Limiter::none;
      if (node.has("limiter") && p.grid.order == 1) node.fail("limiter", "requires \"order\": 2");
      courant = node.number_or("courant", courant,
                               "Largest Courant number of the time step: the sum over the axes or, "
                               "with order 2, the largest of the axes.",
                               Range{0, 1, true, false});
      fraction = node.number_or(
          "relaxation_fraction", fraction,
          "Largest time step as a fraction of the mean free time of the fastest molecules.",
          Range{0, 1, true, false});
      time_step = read_time_step(node, p.units);
    });
    if (root.describing()) return;
    for (std::size_t d = 0; d < p.dimensions() && p.grid.order == 2; ++d) {
      if (p.grid.cells(d) < 2) {
        root.fail("propagation", "\"order\": 2 requires at least two cells along " + axis_names[d]);
      }
    }
    const double frequency = highest_frequency();
    p.grid.time_step = courant / fastest_crossing();
    if (frequency > 0) p.grid.time_step = std::min(p.grid.time_step, fraction / frequency);
    if (time_step) p.grid.time_step = *time_step;
    root.check_derived("propagation", "time step", p.grid.time_step, time_step_range);
    const double reached = p.grid.time_step * fastest_crossing();
    if (reached > 1 + 1e-12) {
      root.fail_hard("propagation",
                     "the time step " + p.units.time().text(p.grid.time_step) +
                         (p.grid.order == 2 ? " gives a Courant number of "
                                            : " gives Courant numbers whose sum is ") +
                         number_text(rounded(reached)) +
                         ", must be at most 1; reduce \"time_step\", or leave it out");
    }
    const double collisions = p.grid.time_step * frequency;
    if (collisions > 1 + 1e-12) {
      root.fail_hard("propagation",
                     "the explicit collision step is unstable: the fastest molecules of "
                     "\"velocity_grid\" have " +
                         number_text(rounded(collisions)) +
                         " collisions per time step, must have at most 1; reduce the time step or "
                         "the range of velocities");
    }
  }

  void read_rest() {
    root.object("statistics",
                "Means and standard deviations of drag coefficient, lid stress and flow rate of a "
                "driven cavity, as monitors <name>_mean and <name>_deviation.",
                [&](CaseNode& node) {
                  p.statistics_from = node.integer_or(
                      "from_step", 0, "First step that is averaged.", Range::at_least(0));
                  p.statistics_every = node.require_integer(
                      "every", "Steps between two samples of the average.", Range::at_least(1));
                  if (!is_cavity(p.grid.sides, p.grid.dimensions)) {
                    node.fail("",
                              "requires a driven cavity: walls on all sides, of which only the "
                              "north one moves");
                  }
                });
    root.object("tuning", "Kernel parameters. They affect the speed, not the results.",
                [&](CaseNode& tuning) {
                  const auto size =
                      tuning.integer("team_size",
                                     "Threads of a team on a GPU, a multiple of 32; ignored on the "
                                     "host. Default: chosen for the kernel.",
                                     Range::between(32, max_block_threads));
                  if (size && *size % 32 != 0) tuning.fail("team_size", "must be a multiple of 32");
                  if (size) p.team_size = static_cast<int>(*size);
                  const auto lanes =
                      tuning.integer("lanes",
                                     "Largest number of cells, 1, 2 or 4, that a GPU team collides "
                                     "together. Default: as many as its scratch memory holds.",
                                     Range::between(1, 4));
                  if (lanes) p.lanes = static_cast<int>(*lanes);
                });
  }

  void check_samples() {
    const double rate_step = p.molecules.rate * p.grid.time_step;
    const auto slowed_by = [&](double samples) {
      return estimate_slowed(p.grid.velocities, rate_step / samples, p.sample_temperature);
    };
    const auto slowed = [&](double samples) { return slowed_by(samples).molecules; };
    p.slowed_viscosity = slowed_by(p.samples).viscosity;
    if (slowed(p.samples) <= max_slowed_share) {
      if (p.slowed_viscosity > warning_viscosity_error) {
        warnings.push_back(
            "collision: slowed collisions make the viscosity about " +
            number_text(rounded(100 * p.slowed_viscosity)) +
            " % too large; use more \"samples\", a shorter time step, fewer velocities or a "
            "\"sample_temperature\" of 1.5 to 2");
      }
      return;
    }
    const auto grown = [&](int steps) { return p.samples * std::pow(1.02, steps); };
    int most = 1;
    while (slowed(grown(most)) > max_slowed_share) most *= 2;
    int least = most / 2;  // too few samples
    while (most - least > 1) {
      const int middle = (most + least) / 2;
      (slowed(grown(middle)) > max_slowed_share ? least : most) = middle;
    }
    const double enough = grown(most);
    root.fail("collision",
              "the explicit collision step is unstable: " +
                  number_text(rounded(100 * slowed(p.samples))) +
                  " % of the molecules are in velocity cells that hold less than one of the " +
                  std::to_string(p.samples) + " samples represents, must be at most " +
                  number_text(100 * max_slowed_share) + " %; set \"samples\" to at least " +
                  number_text(std::floor(enough) + 1) +
                  ", or reduce the number of velocities or the time step");
  }

  /// States of the case that the velocities must resolve.
  std::vector<NamedState> named_states() const {
    std::vector<NamedState> states = p.initial.named();
    add_side_states(p.grid.sides, states);
    return states;
  }

  /// Far from equilibrium a collision may take more from a velocity cell than it holds.
  void check_deviations() {
    if (linear) return;
    FarState worst;
    NamedState of;
    for (const NamedState& named : named_states()) {
      if (named.state.density <= 0) continue;
      const FarState found =
          estimate_deviation(p.grid.velocities, named.state,
                             p.molecules.rate * p.grid.time_step / p.samples, p.sample_temperature);
      if (found.ratio <= strong_deviation || found.emptied <= worst.emptied) continue;
      worst = found;
      of = named;
    }
    const double allowed = p.collision.limited ? warning_limited_share : warning_emptied_share;
    if (worst.emptied <= allowed) return;
    double square = 0;
    for (const double u : of.state.velocity) square += u * u;
    const double hotter = of.state.temperature + 2.0 / 3 * square;
    warnings.push_back(
        "collision: the gas of \"" + of.where +
        "\" is far from the equilibrium at rest: " + number_text(rounded(100 * worst.emptied)) +
        " % of its molecules are in velocity cells that hold less than a sampled collision "
        "takes, " +
        (p.collision.limited
             ? "and collide too seldom; use "
             : "so the run may diverge; set \"positivity\" to \"limited\", or use ") +
        (hotter > 1.5 ? "a reference temperature T_ref about " + number_text(rounded(hotter)) +
                            " times as high, "
                      : "") +
        "more \"samples\" or a \"sample_temperature\" of 2");
  }

  /// In a rarefied gas between walls the slow molecules carry much of the flow along them.
  void check_grazing_molecules() {
    for (std::size_t d = 0; d < p.dimensions(); ++d) {
      const double slow = collision_frequency(p.molecules, 0) *
                          slab_width(p.grid.sides, p.dimensions(), d, p.length(d));
      const double width = central_width(p.grid.velocities[d]);
      if (slow == 0 || width <= max_central_width * slow) continue;
      warnings.push_back(grazing_warning(d, slow,
                                         "velocity cells beside 0 wider than half of that, here " +
                                             number_text(rounded(width)) + ", put"));
    }
  }

  /// Errors of sums over the velocities count for deviations alone, so only the range matters.
  void check_velocities() {
    const std::vector<NamedState> states = named_states();
    const LeftOut worst = worst_left_out(p.grid.velocities, p.units, states.size(),
                                         [&](std::size_t i) { return states[i]; });
    if (worst.refused) root.fail("velocity_grid", worst.text);
    if (!worst.text.empty()) warnings.push_back("velocity_grid: " + worst.text);
  }

  void read() {
    p.units = read_gas_units(root);
    p.single_precision = read_single_precision(root);
    read_domain();
    read_gas();
    read_collision();
    read_velocities();
    read_initial();
    read_boundaries();
    read_propagation();
    read_rest();
    if (root.describing()) return;
    set_scale();
    // In a step h changes by 2 a . v dt / epsilon.
    for (double& force : p.collision.body_force) force *= 2 * p.grid.time_step / p.scale;
    check_velocities();
    if (p.molecules.rate <= 0) return;
    check_samples();
    check_deviations();
    check_grazing_molecules();
  }
};

}  // namespace

Cell Parameters::cell(std::size_t index) const {
  const auto number = static_cast<int>(index);
  const int row = number / grid.cells(0);
  const int z = row / grid.cells(1);
  return {number, {number - row * grid.cells(0), row - z * grid.cells(1), z}};
}

double Parameters::volume(const Cell& cell) const {
  double product = 1;
  for (std::size_t d = 0; d < dimensions(); ++d) {
    product *= grid.widths[d][static_cast<std::size_t>(cell.at[d])];
  }
  return product;
}

double Parameters::length(std::size_t axis) const {
  const auto& widths = grid.widths[axis];
  return std::accumulate(widths.begin(), widths.end(), 0.0);
}

double Parameters::centre(std::size_t axis, int index) const {
  if (axis >= dimensions()) return 0;
  const auto& widths = grid.widths[axis];
  const auto here = widths.begin() + index;
  return std::accumulate(widths.begin(), here, 0.0) + 0.5 * *here;
}

GasState Parameters::initial_state(const Cell& cell) const {
  const double x = centre(0, cell.at[0]);
  GasState state = initial.at(x);
  if (wave.amplitude != 0) {
    const double here = wave.amplitude * std::sin(2 * std::numbers::pi * x / length(0));
    if (wave.thermal) {
      state.temperature *= 1 + here;
      // The linearised equation takes only the linear part.
      state.density =
          collision.perturbation_parameter == 0 ? state.density - here : state.density / (1 + here);
    } else {
      state.velocity[1] += here;
    }
  }
  return state;
}

Sampling Parameters::sampling() const {
  // An explicit step relaxes too much. With order 2 a shorter collision step makes the viscosity
  // exact for any time step (README.md).
  const double time =
      grid.order == 2 ? grid.time_step / (1 + 0.5 * rarefaction * grid.time_step) : grid.time_step;
  return {molecules,
          uniforms,
          time,
          collision.estimator == Estimator::reversible,
          interpolate,
          collision.update == Update::sequential,
          sample_temperature};
}

double Parameters::max_mean_square(std::int64_t steps) const {
  const auto speed_of = [](const GasState& state) {
    return std::hypot(state.velocity[0], state.velocity[1], state.velocity[2]);
  };
  // The norms of 1, 2 u . v and v^2 - 3/2 over all velocities are 1, sqrt(2) u and sqrt(3/2).
  const double wave_size = std::abs(wave.amplitude);
  double start = 0;
  for (const GasState& state : initial.states) {
    start = std::max(start, (std::abs(state.density - 1) + (wave.thermal ? wave_size : 0) +
                             std::sqrt(2.0) * (speed_of(state) + (wave.thermal ? 0 : wave_size)) +
                             std::sqrt(1.5) * (std::abs(state.temperature - 1) +
                                               (wave.thermal ? wave_size : 0))) /
                                scale);
  }
  // Over the inflow from a surface, 1 / (2 sqrt(pi)) molecules per unit of area and time, they are
  // at most 1, 2 u and 3/2. A wall has no net mass flux: there v^2 - 2 and 2 u . v have the norms
  // sqrt(2) and sqrt(2) u.
  double inflow = 0;
  for (std::size_t side = 0; side < 2 * dimensions(); ++side) {
    double square = 0;
    each_condition(grid.sides[side], [&](const SideCondition& part) {
      const SurfaceLaw law = surface_law(part);
      const GasState& state = law.emitted;
      const double speed = speed_of(state);
      const double heat = std::abs(state.temperature - 1);
      const double more = law.balanced ? 1 - law.balance.returned +
                                             2 * std::sqrt(std::numbers::pi) * law.balance.added
                                       : std::abs(state.density - 1);
      square =
          std::max(square, law.diffuse_share * (law.balanced && law.balance.closed()
                                                    ? 2 * (speed * speed + heat * heat)
                                                    : std::pow(more + 2 * speed + 1.5 * heat, 2)));
    });
    inflow += square / (2 * std::sqrt(std::numbers::pi)) / (scale * scale) / length(side / 2);
  }
  const auto& force = collision.body_force;  // what v . force adds to h in a step
  const double push = std::hypot(force[0], force[1], force[2]) / std::sqrt(2.0);
  const auto count = static_cast<double>(steps);
  const double norm = std::sqrt(start * start + inflow * count * grid.time_step) + push * count;
  return norm * norm;
}

std::unique_ptr<Problem> read_problem(CaseNode& root) {
  Reader reader{root, {}, {}};
  reader.read();
  if (root.describing()) return nullptr;
  return make_problem(std::move(reader.p), std::move(reader.warnings));
}

}  // namespace knudsen::boltzmann
