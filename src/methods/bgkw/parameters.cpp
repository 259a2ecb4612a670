#include "methods/bgkw/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "velocity/gas_case.hpp"

namespace knudsen::bgkw {

namespace {

/// Cells are numbered by 32-bit integers.
constexpr double most_cells = 2147483647.0;
constexpr double most_values = 2147483647.0;

struct Reader {
  CaseNode& root;
  Parameters p;
  std::vector<std::string> warnings;

  std::size_t dimensions() const { return static_cast<std::size_t>(p.grid.dimensions); }

  void read_domain() {
    p.single_precision = read_single_precision(root);
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

  void read_collision() {
    root.object("collision", "Collision model and body force.", [&](CaseNode& collision) {
      p.model = read_collision_model(collision);
      p.conservative = collision.boolean_or(
          "conservative", false,
          "Whether the discrete Maxwellian has exactly the density, momentum and energy of the gas "
          "(Newton's method in every cell); for bgk.");
      if (p.conservative && p.model != CollisionModel::bgk) {
        collision.fail("conservative", "belongs to the model \"bgk\"");
      }
      p.body_force = read_body_force(collision);
    });
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
                [&](CaseNode& node) { p.initial[0] = p.initial[1] = read_gas_state(node, {}); }},
               {"step", "Two states with a plane between them.",
                [&](CaseNode& node) {
                  read_position(node);
                  node.require_object("left", "At lower x.", [&](CaseNode& left) {
                    p.initial[0] = read_gas_state(left, {});
                  });
                  node.require_object("right", "At higher x.", [&](CaseNode& right) {
                    p.initial[1] = read_gas_state(right, {});
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

  void read_boundaries() {
    root.object("boundaries", "Conditions on the sides of the box.", [&](CaseNode& boundaries) {
      read_sides(boundaries, p.grid.sides, p.initial_state(0), p.initial_state(p.size[0]));
      check_sides(boundaries, p.grid.sides, p.grid.dimensions, p.grid.velocities);
    });
  }

  std::vector<NamedState> states() const {
    std::vector<NamedState> all{{"initial", p.initial[0]}};
    if (p.initial[1].density != p.initial[0].density ||
        p.initial[1].temperature != p.initial[0].temperature ||
        p.initial[1].velocity != p.initial[0].velocity) {
      all = {{"initial, lower x", p.initial[0]}, {"initial, higher x", p.initial[1]}};
    }
    add_side_states(p.grid.sides, all);
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

  /// Values of the distribution are numbered by 32-bit integers on some backends.
  void check_size() {
    double values = 1;
    for (const int cells : p.grid.cells) values *= cells;
    for (const VelocityAxis& axis : p.grid.velocities) values *= axis.count();
    if (values > most_values) {
      root.fail("velocity_grid", "cells times velocities are " + number_text(values) +
                                     ", may be at most " + number_text(most_values));
    }
  }

  void read() {
    read_domain();
    read_collision();
    p.gas = knudsen::read_gas(root, p.model);
    p.grid.velocities = read_velocity_grid(root);
    read_initial();
    read_boundaries();
    read_propagation();
    read_tuning();
    if (root.describing()) return;
    check_size();
    check_velocities(root, p.grid.velocities, states(), warnings);
  }
};

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
    memory_bytes = static_cast<std::uint64_t>(stepping + cells * 13 * 8 + 6 * padded * value_bytes);
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

std::vector<Quantity> field_quantities() { return gas_field_quantities(); }

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
