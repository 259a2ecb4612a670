#include "methods/bgkw/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace knudsen::bgkw {

const std::array<const char*, 6> side_names{"west", "east", "south", "north", "bottom", "top"};

namespace {

const std::array<std::string, 3> axis_names{"x", "y", "z"};
/// Shares of a Maxwellian that the ranges of velocities may leave out.
constexpr double worrying_share = 1e-4;
constexpr double hopeless_share = 0.02;
/// Relative error of a Maxwellian's density, summed over the grid.
constexpr double worrying_error = 1e-3;
/// Cells are numbered by 32-bit integers.
constexpr double most_cells = 2147483647.0;
/// As are a cell's values, rows padded to up to four.
constexpr double most_velocities = 536870911.0;

double rounded(double value) {
  const double scale = std::pow(10, 4 - std::ceil(std::log10(std::abs(value) + 1e-300)));
  return std::round(value * scale) / scale;
}

std::array<double, 3> to_array(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

struct NamedState {
  std::string where;
  GasState state;
};

struct Reader {
  CaseNode& root;
  Parameters p;
  std::vector<std::string> warnings;

  std::size_t dimensions() const { return static_cast<std::size_t>(p.grid.dimensions); }

  void read_domain() {
    p.single_precision =
        root.choice_or("precision", "single", {"single", "double"},
                       "Precision of the stored distribution and of the arithmetic on it.") ==
        "single";
    root.require_object("domain", "The box of cells.", [&](CaseNode& domain) {
      const auto cells = domain.require_integers(
          "cells", 0, "Cells along x, or x and y, or x, y and z.", Range::at_least(1));
      const auto size = domain.numbers(
          "size", 0,
          "Extents along the same axes, in the length that `gas` refers to; default: 1 along x, "
          "cells as wide along the other axes.",
          Range::positive());
      if (domain.describing()) return;
      if (cells.empty() || cells.size() > 3) {
        domain.fail("cells", "must be a list of 1, 2 or 3 integers: one for each dimension");
      }
      if (size && size->size() != cells.size()) {
        domain.fail("size",
                    "must have as many numbers as \"cells\", " + std::to_string(cells.size()));
      }
      p.grid.dimensions = static_cast<int>(cells.size());
      double total = 1;
      for (std::size_t d = 0; d < cells.size(); ++d) total *= static_cast<double>(cells[d]);
      if (total > most_cells) domain.fail("cells", "there may be at most 2147483647 cells");
      for (std::size_t d = 0; d < cells.size(); ++d) {
        const auto n = static_cast<double>(cells[d]);
        p.grid.cells[d] = static_cast<int>(cells[d]);
        p.size[d] = size ? (*size)[d] : n / static_cast<double>(cells[0]);
        p.grid.spacing[d] = p.size[d] / n;
      }
    });
  }

  void read_gas() {
    root.require_object("gas", "A monatomic gas.", [&](CaseNode& gas) {
      const auto rarefaction = gas.number(
          "rarefaction",
          "Rarefaction parameter delta = p_ref L / (mu_ref sqrt(2 R T_ref)), L being the unit of "
          "length; 0: no collisions. Give this or `knudsen`.",
          Range::at_least(0));
      const auto knudsen =
          gas.number("knudsen", "Knudsen number sqrt(pi) / (2 delta), instead of `rarefaction`.",
                     Range::positive());
      const std::string law =
          gas.choice_or("law", "hard_sphere", {"hard_sphere", "maxwell", "argon", "soft_sphere"},
                        "Viscosity as (T / T_ref)^omega: hard_sphere 0.5, maxwell 1, argon 0.81, "
                        "soft_sphere 0.74 "
                        "(Frezzotti 2009).");
      const auto omega =
          gas.number("omega", "Exponent of the viscosity law, instead of a named `law`.");
      const auto prandtl =
          gas.number("prandtl", "Prandtl number of the models shakhov and es-bgk; default: 2/3.",
                     Range::positive());
      if (gas.describing()) return;
      if (rarefaction.has_value() == knudsen.has_value()) {
        gas.fail("", "give either \"rarefaction\" or \"knudsen\"");
      }
      if (omega && gas.has("law")) gas.fail("omega", "\"law\" sets it already; give one of them");
      p.gas.rarefaction = rarefaction ? *rarefaction : knudsen_from_rarefaction(*knudsen);
      p.gas.omega = omega                  ? *omega
                    : law == "hard_sphere" ? 0.5
                    : law == "maxwell"     ? 1
                    : law == "argon"       ? 0.81
                                           : 0.74;
      const bool bgk = p.model == CollisionModel::bgk;
      if (prandtl && bgk) gas.fail("prandtl", "belongs to the models \"shakhov\" and \"es-bgk\"");
      p.gas.prandtl = prandtl.value_or(bgk ? 1 : 2.0 / 3);
    });
  }

  void read_collision() {
    root.object("collision", "Collision model and body force.", [&](CaseNode& collision) {
      const std::string name = collision.choice_or(
          "model", "bgk", {"bgk", "shakhov", "es-bgk"},
          "bgk: relaxation to a Maxwellian, Prandtl number 1. shakhov, es-bgk: the right Prandtl "
          "number.");
      p.model = name == "bgk"       ? CollisionModel::bgk
                : name == "shakhov" ? CollisionModel::shakhov
                                    : CollisionModel::es_bgk;
      p.conservative = collision.boolean_or(
          "conservative", false,
          "Whether the discrete Maxwellian has exactly the density, momentum and energy of the gas "
          "(Newton's method in every cell); for bgk.");
      if (p.conservative && p.model != CollisionModel::bgk) {
        collision.fail("conservative", "belongs to the model \"bgk\"");
      }
      p.body_force = to_array(collision.numbers_or(
          "body_force", {0, 0, 0}, 3,
          "Force on a unit of mass along x, y and z, in units of 2 R T_ref / L. It acts on the "
          "equilibrium part of the distribution."));
    });
  }

  /// A Maxwellian's state; `fallback` holds for what is not given.
  static GasState read_state(CaseNode& node, const GasState& fallback) {
    GasState state;
    state.density = node.number_or("density", fallback.density, "Density.", Range::positive());
    state.velocity = to_array(node.numbers_or(
        "velocity", {fallback.velocity[0], fallback.velocity[1], fallback.velocity[2]}, 3,
        "Velocity in units of sqrt(2 R T_ref)."));
    state.temperature =
        node.number_or("temperature", fallback.temperature, "Temperature.", Range::positive());
    return state;
  }

  void read_initial() {
    p.step_position = p.size[0] / 2;
    const auto read_position = [&](CaseNode& node) {
      p.step_position =
          p.size[0] * node.number_or("position", 0.5, "Where it is along x, as a fraction.",
                                     Range::between(0, 1));
    };
    root.object(
        "initial", "State at step 0, Maxwellian everywhere; default: rest.",
        [&](CaseNode& initial) {
          initial.alternatives(
              "type", "Kind of initial state.",
              {{"rest", "Density one, temperature one, velocity zero.", [](CaseNode&) {}},
               {"uniform", "The same state everywhere.",
                [&](CaseNode& node) { p.initial[0] = p.initial[1] = read_state(node, {}); }},
               {"step", "Two states with a plane between them.",
                [&](CaseNode& node) {
                  read_position(node);
                  node.require_object("left", "At lower x.",
                                      [&](CaseNode& left) { p.initial[0] = read_state(left, {}); });
                  node.require_object("right", "At higher x.", [&](CaseNode& right) {
                    p.initial[1] = read_state(right, {});
                  });
                }},
               {"shock",
                "The two states of a normal shock wave that stands still; upstream "
                "at lower x, density and temperature one.",
                [&](CaseNode& node) {
                  read_position(node);
                  const double mach = node.require_number(
                      "mach", "Mach number of the upstream state.", Range::above(1));
                  if (node.describing()) return;
                  const auto states = rankine_hugoniot(mach);
                  p.initial[0] = states[0];
                  p.initial[1] = states[1];
                }}},
              "rest");
        });
  }

  void read_side(CaseNode& boundaries, std::size_t side) {
    SideCondition& condition = p.grid.sides[side];
    boundaries.object(
        side_names[side],
        "Condition on the " + std::string(side_names[side]) + " side; default: periodic.",
        [&](CaseNode& node) {
          node.alternatives(
              "type", "What holds there.",
              {{"periodic", "What leaves here comes in on the opposite side.",
                [&](CaseNode&) { condition.kind = SideKind::periodic; }},
               {"wall", "Maxwell's wall: diffuse and specular reflection, no mass crosses it.",
                [&](CaseNode&) {
                  condition.kind = SideKind::wall;
                  condition.accommodation = node.number_or(
                      "accommodation", 1,
                      "Share of molecules re-emitted with the wall's temperature and velocity; the "
                      "others are reflected specularly.",
                      Range::between(0, 1));
                  condition.state.velocity = to_array(node.numbers_or(
                      "velocity", {0, 0, 0}, 3, "Velocity in units of sqrt(2 R T_ref)."));
                  condition.state.temperature = node.number_or(
                      "temperature", 1, "Temperature in units of T_ref.", Range::positive());
                  if (condition.state.velocity[side / 2] != 0) {
                    node.fail("velocity", "a wall moves along itself only: the " +
                                              axis_names[side / 2] + " component must be 0");
                  }
                }},
               {"reservoir",
                "A Maxwellian comes in; default: that of the initial state beside the side.",
                [&](CaseNode&) {
                  condition.kind = SideKind::reservoir;
                  const double x = side == east ? p.size[0] : 0;
                  condition.state = read_state(node, p.initial_state(x));
                }},
               {"symmetry", "Specular reflection.",
                [&](CaseNode&) { condition.kind = SideKind::symmetry; }}});
        });
  }

  void read_boundaries() {
    root.object("boundaries", "Conditions on the sides of the box.", [&](CaseNode& boundaries) {
      for (std::size_t side = 0; side < 6; ++side) read_side(boundaries, side);
      if (boundaries.describing()) return;
      for (std::size_t side = 0; side < 6; ++side) {
        if (side / 2 >= dimensions() && boundaries.has(side_names[side])) {
          boundaries.fail(side_names[side], "the domain has " + std::to_string(dimensions()) +
                                                (dimensions() == 1 ? " dimension" : " dimensions") +
                                                ": there is no such side");
        }
        const std::size_t other = side ^ 1U;
        if (p.grid.sides[side].kind == SideKind::periodic &&
            p.grid.sides[other].kind != SideKind::periodic) {
          boundaries.fail(side_names[side], "is periodic, so the opposite side (" +
                                                std::string(side_names[other]) +
                                                ") must be periodic too");
        }
        const SideKind kind = p.grid.sides[side].kind;
        const bool specular = kind == SideKind::symmetry ||
                              (kind == SideKind::wall && p.grid.sides[side].accommodation < 1);
        if (specular && !p.grid.velocities[side / 2].symmetric()) {
          boundaries.fail(side_names[side],
                          "reflects specularly, so the velocities along " + axis_names[side / 2] +
                              " must be symmetric about 0: see \"velocity_grid\"");
        }
      }
    });
  }

  std::vector<NamedState> states() const {
    std::vector<NamedState> all{{"initial", p.initial[0]}};
    if (p.initial[1].density != p.initial[0].density ||
        p.initial[1].temperature != p.initial[0].temperature ||
        p.initial[1].velocity != p.initial[0].velocity) {
      all = {{"initial, lower x", p.initial[0]}, {"initial, higher x", p.initial[1]}};
    }
    for (std::size_t side = 0; side < 6; ++side) {
      const SideCondition& condition = p.grid.sides[side];
      if (condition.kind == SideKind::wall || condition.kind == SideKind::reservoir) {
        all.push_back({"boundaries." + std::string(side_names[side]), condition.state});
      }
    }
    return all;
  }

  /// Largest sum over the axes of velocity over spacing: Courant numbers of a unit time step.
  double fastest_crossing() const {
    double sum = 0;
    for (std::size_t d = 0; d < dimensions(); ++d) {
      sum += p.grid.velocities[d].highest() / p.grid.spacing[d];
    }
    return sum;
  }

  void read_propagation() {
    double courant = 0.9;
    double fraction = 0.25;
    std::optional<double> time_step;
    root.object("propagation", "How a step is made, and its length.", [&](CaseNode& node) {
      const std::string scheme = node.choice_or(
          "scheme", "fused", {"fused", "separate"},
          "fused: streaming and collision in one kernel. separate: one after the other (Frezzotti "
          "2009). Both give the same flow.");
      p.propagation = scheme == "fused" ? Propagation::fused : Propagation::separate;
      courant = node.number_or(
          "courant", courant,
          "Largest Courant number, summed over the axes, that the time step may have. Above 1 in "
          "one dimension only, where whole cells are crossed by exact shifts.",
          Range::positive());
      fraction = node.number_or(
          "relaxation_fraction", fraction,
          "Largest fraction of the shortest relaxation time that the time step may have.",
          Range::positive());
      time_step = node.number(
          "time_step", "Time step in units of L / sqrt(2 R T_ref), instead of these two limits.",
          Range::positive());
      if (time_step && (node.has("courant") || node.has("relaxation_fraction"))) {
        node.fail("time_step",
                  "sets the step already; leave \"courant\" and \"relaxation_fraction\" out");
      }
    });
    if (root.describing()) return;
    double fastest_rate = 0;
    for (const NamedState& named : states()) {
      fastest_rate = std::max(
          fastest_rate, p.gas.stress_relaxation_rate(named.state.density, named.state.temperature));
    }
    p.grid.time_step = courant / fastest_crossing();
    if (fastest_rate > 0) p.grid.time_step = std::min(p.grid.time_step, fraction / fastest_rate);
    if (time_step) p.grid.time_step = *time_step;
    const double reached = p.grid.time_step * fastest_crossing();
    const double limit = dimensions() > 1 ? 1 : p.grid.cells[0];
    if (reached > limit * (1 + 1e-12)) {
      root.fail_hard(
          "propagation",
          "the time step " + number_text(rounded(p.grid.time_step)) +
              " gives Courant numbers that add up to " + number_text(rounded(reached)) +
              ", must be at most " + number_text(limit) +
              (dimensions() > 1 ? " in two and three dimensions" : ", the number of cells"));
    }
  }

  void read_tuning() {
    root.object("tuning", "Sizes that change the speed, not the result.", [&](CaseNode& tuning) {
      const auto size = tuning.integer("team_size", "Threads of a team on a GPU (1 on the host).",
                                       Range::between(32, 1024));
      if (size && *size % 32 != 0) tuning.fail("team_size", "must be a multiple of 32");
      if (size) p.team_size = static_cast<int>(*size);
    });
  }

  /// A cell's values are numbered by 32-bit integers.
  void check_size() {
    double values = 1;
    for (const VelocityAxis& axis : p.grid.velocities) values *= axis.count();
    if (values > most_velocities) {
      root.fail("velocity_grid", "there are " + number_text(values) + " velocities, may be at most " +
                                     number_text(most_velocities));
    }
  }

  /// Whether the velocities hold the states of the case.
  void check_velocities() {
    for (const NamedState& named : states()) {
      const GasState& s = named.state;
      const double outside = share_outside(p.grid.velocities, s.velocity, s.temperature);
      const auto tells = [&](double share) {
        return number_text(rounded(100 * share)) + " % of the Maxwellian of \"" + named.where +
               "\" (temperature " + number_text(rounded(s.temperature)) + ", velocity " +
               number_text(rounded(s.velocity[0])) + ", " + number_text(rounded(s.velocity[1])) +
               ", " + number_text(rounded(s.velocity[2])) + ")";
      };
      if (outside > hopeless_share) {
        root.fail("velocity_grid", "leaves out " + tells(outside) + ", may be at most " +
                                       number_text(100 * hopeless_share) +
                                       " %; widen \"minimum\" and \"maximum\"");
      }
      if (outside > worrying_share) {
        warnings.push_back("velocity_grid: leaves out " + tells(outside));
        continue;
      }
      double sum = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        double line = 0;
        const VelocityAxis& axis = p.grid.velocities[d];
        for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
          const double c = axis.nodes[i] - s.velocity[d];
          line += axis.weights[i] * std::exp(-c * c / s.temperature);
        }
        sum *= line / std::sqrt(std::acos(-1.0) * s.temperature);
      }
      if (std::abs(sum - 1) > worrying_error) {
        warnings.push_back("velocity_grid: too few velocities for \"" + named.where +
                           "\": its density comes out as " + number_text(rounded(sum)) +
                           " of what it is");
      }
    }
  }

  void read() {
    read_domain();
    read_collision();
    read_gas();
    p.grid.velocities = read_velocity_grid(root);
    read_initial();
    read_boundaries();
    read_propagation();
    read_tuning();
    if (root.describing()) return;
    check_size();
    check_velocities();
  }
};

std::string model_name(CollisionModel model) {
  return model == CollisionModel::bgk       ? "bgk"
         : model == CollisionModel::shakhov ? "shakhov"
                                            : "es-bgk";
}

class BgkwProblem final : public Problem {
 public:
  BgkwProblem(Parameters parameters, std::vector<std::string> read_warnings)
      : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    warnings = std::move(read_warnings);
    method = "bgkw";
    variant = std::string(p.propagation == Propagation::fused ? "fused " : "separate ") +
              model_name(p.model) + (p.conservative ? " conservative" : "");
    precision = p.single_precision ? "single" : "double";
    update_unit = "phase-space point";
    grid.cells = p.grid.cells;
    grid.spacing = p.grid.spacing;
    const double cells = double(p.grid.cells[0]) * p.grid.cells[1] * p.grid.cells[2];
    double velocities = 1;
    for (const VelocityAxis& axis : p.grid.velocities) velocities *= axis.count();
    sizes = {{"cells", static_cast<std::int64_t>(cells)},
             {"velocities", static_cast<std::int64_t>(velocities)}};
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      sizes["cells_" + axis_names[d]] = p.grid.cells[d];
    }
    const double value_bytes = p.single_precision ? 4 : 8;
    updates_per_step = cells * velocities;
    bytes_per_step = updates_per_step * value_bytes * (p.propagation == Propagation::fused ? 2 : 4);
    time_per_step = p.grid.time_step;
    double speed = 0;
    for (const SideCondition& side : p.grid.sides) {
      for (const double v : side.state.velocity) {
        if (side.kind == SideKind::wall) speed = std::max(speed, std::abs(v));
      }
    }
    scales = {{"length", 1}, {"velocity", speed > 0 ? speed : 1}, {"density", 1}};

    const int width = p.single_precision ? values_per_access<float> : values_per_access<double>;
    const int chunks = (p.grid.velocities[2].count() + width - 1) / width;
    const double row = double(chunks) * width;
    const double padded = velocities / p.grid.velocities[2].count() * row;
    const double stepping = 2 * cells * padded * value_bytes;
    // At checks and output: the moments of every cell; six times a cell's values for the sides.
    memory_bytes = static_cast<std::uint64_t>(stepping + cells * 13 * 8 + 7 * padded * value_bytes);
    describe(stepping);
    list_quantities();
  }

  std::unique_ptr<Method> create(Backend backend) const override {
    return make_method(parameters_, backend);
  }

 private:
  void describe(double stepping_bytes) {
    const Parameters& p = parameters_;
    const auto add = [&](const std::string& name, double value, const std::string& unit) {
      resolved.push_back({name, number_text(rounded(value)), unit});
    };
    const auto count = [&](const std::string& name, double value) {
      resolved.push_back({name, number_text(value), "1"});
    };
    const auto dimensions = static_cast<std::size_t>(p.grid.dimensions);
    double courant = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      count("cells along " + axis_names[d], p.grid.cells[d]);
      courant += p.grid.velocities[d].highest() * p.grid.time_step / p.grid.spacing[d];
    }
    for (std::size_t d = 0; d < 3; ++d) {
      count("velocities along " + axis_names[d], p.grid.velocities[d].count());
    }
    count("phase-space points", updates_per_step);
    add("rarefaction parameter", p.gas.rarefaction, "1");
    if (p.gas.rarefaction > 0) {
      add("Knudsen number", knudsen_from_rarefaction(p.gas.rarefaction), "1");
      add("relaxation time at the reference state", 1 / p.gas.rarefaction, "L/v_ref");
      add("mean free path over cell width",
          knudsen_from_rarefaction(p.gas.rarefaction) / p.grid.spacing[0], "1");
    }
    add("exponent of the viscosity law", p.gas.omega, "1");
    add("Prandtl number", p.gas.prandtl, "1");
    add("time step", p.grid.time_step, "L/v_ref");
    add("largest Courant number", courant, "1");
    add("memory of the distribution", stepping_bytes / 1e6, "MB");
    add("memory at the peak", static_cast<double>(memory_bytes) / 1e6, "MB");
    add("memory a phase-space point", static_cast<double>(memory_bytes) / updates_per_step, "B");
  }

  void list_quantities() {
    const Parameters& p = parameters_;
    fields = field_quantities();
    default_fields = {"density", "velocity", "temperature"};
    monitors = monitor_quantities();
    change_monitors = {"velocity_change", "temperature_change"};
    default_monitors = {"mass", "energy", "max_speed"};
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(p.grid.dimensions); ++side) {
      if (p.grid.sides[side].kind == SideKind::periodic) continue;
      const std::string name = side_names[side];
      monitors.push_back({name + ".mass_flux", "rho_ref v_ref",
                          "Mass that leaves through the " + name + " side, a unit of area."});
      for (const std::string& axis : axis_names) {
        monitors.push_back(
            {name + ".force_" + axis, "p_ref",
             "Force of the gas on the " + name + " side along " + axis + ", a unit of area."});
      }
      monitors.push_back({name + ".energy_flux", "p_ref v_ref",
                          "Energy that leaves through the " + name + " side, a unit of area."});
    }
    if (p.is_cavity()) {
      monitors.push_back(
          {"drag_coefficient", "1",
           "Mean shear stress that the lid works against, over p_ref lid velocity / v_ref."});
      monitors.push_back(
          {"flow_rate", "1",
           "Twice the velocity along x over that of the lid, integrated on the "
           "line through the middle from the centre of the main vortex up to the lid."});
    }
    if (p.grid.dimensions == 1 && p.grid.sides[west].kind == SideKind::reservoir &&
        p.grid.sides[east].kind == SideKind::reservoir) {
      for (const char* quantity : {"density", "temperature"}) {
        monitors.push_back({std::string(quantity) + "_thickness", "L",
                            "Difference of the " + std::string(quantity) +
                                " between the sides over its steepest gradient."});
      }
    }
  }

  Parameters parameters_;
};

}  // namespace

bool Parameters::is_cavity() const {
  if (grid.dimensions != 2) return false;
  for (std::size_t side = 0; side < 4; ++side) {
    const SideCondition& condition = grid.sides[side];
    if (condition.kind != SideKind::wall || condition.state.velocity[2] != 0) return false;
    const bool moves = condition.state.velocity[0] != 0 || condition.state.velocity[1] != 0;
    if (moves != (side == north)) return false;
  }
  return true;
}

std::vector<Quantity> field_quantities() {
  return {{"density", "rho_ref", "Density."},
          {"velocity", "v_ref", "Velocity.", 3},
          {"speed", "v_ref", "Magnitude of the velocity."},
          {"temperature", "T_ref", "Temperature."},
          {"pressure", "p_ref", "A third of the trace of the pressure tensor."},
          {"pressure_tensor", "p_ref", "Pressure tensor.", 6},
          {"heat_flux", "p_ref v_ref", "Heat flux.", 3}};
}

std::vector<Quantity> monitor_quantities() {
  return {
      {"mass", "rho_ref L^d", "Integral of the density."},
      {"energy", "p_ref L^d", "Integral of the thermal and kinetic energy."},
      {"max_speed", "v_ref", "Highest speed of a cell."},
      {"mean_velocity_x", "v_ref", "Mean of the velocity along x over the cells."},
      {"velocity_change", "1",
       "Root mean square change of the velocity in one step over the mean speed."},
      {"temperature_change", "T_ref", "Largest change of the temperature of a cell in one step."}};
}

std::unique_ptr<Problem> read_problem(CaseNode& root) {
  Reader reader{root, {}, {}};
  reader.read();
  if (root.describing()) return nullptr;
  return std::make_unique<BgkwProblem>(std::move(reader.p), std::move(reader.warnings));
}

}  // namespace knudsen::bgkw
