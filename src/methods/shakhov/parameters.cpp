#include "methods/shakhov/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/read_grid.hpp"
#include "methods/shakhov/slices.hpp"
#include "velocity/cavity.hpp"
#include "velocity/gas_case.hpp"
#include "velocity/gas_problem.hpp"

namespace knudsen::shakhov {
namespace {

/// Share of the free memory that a run may take.
constexpr double memory_share = 0.8;

/// What rounding goes on changing, some 2e-8 of the density in single precision, over the least
/// norm of a momentum component that changes are measured by (iteration.cpp: finish_iteration).
constexpr double single_rounding = 2e-4;
constexpr double double_rounding = 1e-12;

struct Reader {
  CaseNode& root;
  Parameters p;
  std::vector<std::string> warnings;

  void read_collision() {
    root.object("collision", "Collision model and body force.", [&](CaseNode& collision) {
      p.model = read_collision_model(collision, "shakhov");
      p.conservative = collision.boolean_or(
          "conservative", false,
          "Whether the discrete Maxwellian has exactly the density, momentum and energy of the gas "
          "(Newton's method in every cell); for bgk.");
      if (p.conservative && p.model != CollisionModel::bgk) {
        collision.fail("conservative", "belongs to the model \"bgk\"");
      }
      p.body_force = read_body_force(collision);
      const auto& force = p.body_force;
      if (p.model == CollisionModel::es_bgk && (force[0] != 0 || force[1] != 0 || force[2] != 0)) {
        collision.fail("body_force", "belongs to the models \"bgk\" and \"shakhov\"");
      }
    });
  }

  void read_initial() {
    root.object(
        "initial", "State before the first iteration; default: rest.", [&](CaseNode& initial) {
          initial.alternatives(
              "type", "Kind of initial state.",
              {{"rest", "Density one, temperature one, velocity zero.", [](CaseNode&) {}},
               {"uniform", "The same state everywhere.",
                [&](CaseNode& node) { p.initial = read_gas_state(node, {}); }},
               {"stream", "Density one, temperature one, a velocity along x.",
                [&](CaseNode& node) {
                  const double mach =
                      node.require_number("mach", "Mach number of the stream.", Range::positive());
                  p.initial.velocity[0] = mach * reference_sound_speed();
                }}},
              "rest");
        });
  }

  void read_boundaries() {
    root.object("boundaries", "Conditions on the sides of the box.", [&](CaseNode& boundaries) {
      read_sides(boundaries, p.grid.sides, p.initial, p.initial);
      check_sides(boundaries, p.grid.sides, p.grid.dimensions, p.grid.velocities);
    });
  }

  void read_coarse_start(CaseNode& start) {
    CoarseStart coarse;
    coarse.velocities = read_velocity_grid(start);
    coarse.tolerance = start.number_or(
        "tolerance", coarse.tolerance,
        "Largest change of density, momentum and energy with which it ends.", Range::positive());
    coarse.most_iterations = static_cast<int>(start.integer_or(
        "iterations", coarse.most_iterations, "Iterations at most.", Range::between(1, 1000000)));
    if (start.describing()) return;
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(p.grid.dimensions); ++side) {
      check_reflection(start, "velocity_grid", p.grid.sides[side], coarse.velocities, side / 2);
    }
    check_resting(start, coarse.velocities);
    check_velocities(start, coarse.velocities, states(), warnings);
    p.coarse_start = std::move(coarse);
  }

  void read_propagation() {
    root.object("propagation", "How an iteration is made.", [&](CaseNode& node) {
      p.order = static_cast<int>(node.integer_or(
          "order", 1, "Order of the upwind differences: 1, or 2 with a third slice kept.",
          Range::between(1, 2)));
      const bool slices =
          node.choice_or("scheme", "pencils", {"pencils", "slices"},
                         "pencils: many pencils of cells at once, moments added up on the way. "
                         "slices: the kernels of the paper, a slice of cells after the other, of "
                         "order 1.") == "slices";
      if (slices) p.scheme = Scheme::slices;
      if (slices && p.order != 1) node.fail("order", "the scheme \"slices\" is of order 1");
      node.object("coarse_start",
                  "Iterations on a grid of fewer velocities, from which the others begin.",
                  [&](CaseNode& start) { read_coarse_start(start); });
    });
    if (root.describing() || p.order == 1) return;
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      if (p.grid.cells[d] < 2) {
        root.fail_hard("propagation.order", "order 2 needs at least 2 cells along each axis");
      }
      const auto cell = p.grid.body.empty() ? std::nullopt : find_narrow_cell(d);
      if (cell) {
        const auto at = p.grid.at(*cell);
        root.fail_hard("propagation.order",
                       "order 2 needs at least 2 cells of gas along each axis between surfaces; "
                       "along " +
                           axis_names[d] + " the cell (" + std::to_string(at[0]) + ", " +
                           std::to_string(at[1]) + ", " + std::to_string(at[2]) +
                           ") has surfaces on both sides");
      }
    }
  }

  /// A cell of gas with a solid or a side of the box on both sides along an axis.
  std::optional<std::size_t> find_narrow_cell(std::size_t axis) const {
    const FlowGrid& grid = p.grid;
    const int cells = grid.cells[axis];
    const bool wraps = grid.sides[2 * axis].kind == SideKind::periodic;
    const auto ends = [&](std::size_t cell, int step) {
      auto at = grid.at(cell);
      int& place = at[axis];
      place += step;
      if (place < 0 || place >= cells) {
        if (!wraps) return true;
        place = (place + cells) % cells;
      }
      return grid.solid(grid.index(at));
    };
    for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
      if (!grid.solid(cell) && ends(cell, -1) && ends(cell, 1)) return cell;
    }
    return std::nullopt;
  }

  void read_tuning() {
    p.tuning = default_tuning(p.grid.dimensions);
    std::optional<std::int64_t> batch;
    root.object("tuning", "Sizes that change the speed, not the result.", [&](CaseNode& tuning) {
      batch = tuning.integer("batch",
                             "Velocity blocks (512 velocities each) that are swept together; by "
                             "default those of two octants, or what fits into the free memory.",
                             Range::at_least(1));
    });
    if (root.describing()) return;
    const auto blocks = blocks_of(p.grid.velocities);
    const int octants = p.scheme == Scheme::slices ? 1 : 2;
    // Some distances within a slice are 32-bit integers.
    const std::int64_t addressable =
        (std::int64_t{1} << 29) / (std::int64_t{128} * p.grid.cells[0]);
    const int wanted = octants * blocks[0] * blocks[1] * blocks[2];
    const int most = static_cast<int>(std::clamp<std::int64_t>(addressable, 1, wanted));
    if (batch) {
      p.batch_blocks = static_cast<int>(std::min<std::int64_t>(*batch, most));
      return;
    }
    const double free_bytes =
        memory_share * static_cast<double>(backend_info(default_backend()).memory_free);
    const double value = p.single_precision ? 4 : 8;
    const double rest = free_bytes - space_bytes(p.grid, p.order, value);
    const double each = batch_bytes(p, 1);
    p.batch_blocks = std::clamp(static_cast<int>(std::min(rest / each, 1e9)), 1, most);
  }

  std::vector<NamedState> states() const {
    std::vector<NamedState> all{{"initial", p.initial}};
    add_side_states(p.grid.sides, all);
    for (const Body& body : p.grid.bodies) {
      all.push_back({"geometry.solids, " + body.name, {1, {0, 0, 0}, body.temperature}});
    }
    return all;
  }

  /// A molecule that neither flies nor collides has no distribution.
  void check_resting(CaseNode& node, const VelocityGrid& velocities) const {
    if (node.describing() || p.gas.rarefaction > 0) return;
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      const auto& nodes = velocities[d].nodes;
      if (std::find(nodes.begin(), nodes.end(), 0.0) == nodes.end()) return;
    }
    node.fail_hard(
        "velocity_grid",
        "has the velocity 0, which a gas without collisions leaves undetermined; take an "
        "even count along an axis");
  }

  void read() {
    p.single_precision = read_single_precision(root);
    read_domain(root, p.grid);
    read_collision();
    p.gas = read_gas(root, p.model, &p.si);
    p.grid.velocities = read_velocity_grid(root);
    read_initial();
    read_boundaries();
    read_geometry(root, p.grid, warnings);
    read_propagation();
    read_tuning();
    if (root.describing()) return;
    check_resting(root, p.grid.velocities);
    check_velocities(root, p.grid.velocities, states(), warnings);
  }
};

class ShakhovProblem final : public GasProblem {
 public:
  ShakhovProblem(Parameters parameters, std::vector<std::string> read_warnings)
      : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    warnings = std::move(read_warnings);
    method = "shakhov";
    variant = std::string(p.scheme == Scheme::slices ? "slices " : "pencils ") +
              model_name(p.model) + (p.order == 2 ? " order 2" : "");
    set_sizes(p.grid.cells, p.grid.dimensions, p.grid.velocities, p.single_precision);
    for (std::size_t d = 0; d < 3; ++d) {
      grid.origin[d] = p.grid.edges[d].front();
      grid.spacing[d] = (p.grid.edges[d].back() - p.grid.edges[d].front()) / p.grid.cells[d];
      bool equal = true;
      for (int i = 0; i < p.grid.cells[d]; ++i) {
        equal = equal && std::abs(p.grid.width(d, i) / grid.spacing[d] - 1) < 1e-9;
      }
      if (!equal) grid.edges[d] = p.grid.edges[d];
    }
    tuning = {{"batch", p.batch_blocks}};
    const double value = p.single_precision ? 4 : 8;
    bytes_per_step = updates_per_step * bytes_a_point(p);
    set_scales(p.grid.sides);
    const double space = space_bytes(p.grid, p.order, value);
    const double storage = batch_bytes(p, p.batch_blocks);
    memory_bytes = static_cast<std::uint64_t>(space + storage);
    if (p.coarse_start) {
      const Parameters coarse = coarse_parameters(p);
      memory_bytes += static_cast<std::uint64_t>(space_bytes(coarse.grid, p.order, value) +
                                                 batch_bytes(coarse, coarse.batch_blocks));
    }
    describe(space, storage);
    list_quantities();
  }

  std::unique_ptr<Method> create(Backend backend) const override {
    return make_method(parameters_, backend);
  }

 private:
  void describe(double space, double storage) {
    const Parameters& p = parameters_;
    double smallest = 1e300;
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      count("cells along " + axis_names[d], p.grid.cells[d]);
      for (int i = 0; i < p.grid.cells[d]; ++i) smallest = std::min(smallest, p.grid.width(d, i));
    }
    describe_velocities(p.grid.velocities);
    if (p.si) add_si_reference(*p.si, resolved);
    add("rarefaction parameter", p.gas.rarefaction, "1");
    if (p.gas.rarefaction > 0) {
      add("Knudsen number", knudsen_from_rarefaction(p.gas.rarefaction), "1");
      add("mean free path over smallest cell width",
          knudsen_from_rarefaction(p.gas.rarefaction) / smallest, "1");
    }
    add("smallest cell width", smallest, "L");
    add("exponent of the viscosity law", p.gas.omega, "1");
    add("Prandtl number", p.gas.prandtl, "1");
    const auto blocks = blocks_of(p.grid.velocities);
    const int octant_blocks = blocks[0] * blocks[1] * blocks[2];
    count("velocity blocks of an octant", octant_blocks);
    count("velocity blocks of a batch", p.batch_blocks);
    count("batches of an iteration",
          static_cast<double>(
              make_batches(p.grid, octant_blocks, p.batch_blocks, p.scheme == Scheme::slices)
                  .size()));
    add("moments_change that rounding may leave",
        p.single_precision ? single_rounding : double_rounding, "1");
    add("memory of cells and walls", space / 1e6, "MB");
    add("memory of a batch", storage / 1e6, "MB");
    add("memory at the peak", static_cast<double>(memory_bytes) / 1e6, "MB");
  }

  void list_quantities() {
    const Parameters& p = parameters_;
    fields = field_quantities();
    default_fields = {"density", "velocity", "temperature"};
    monitors = monitor_quantities();
    for (const Quantity& monitor : monitors) {
      if (monitor.name.find("_change") != std::string::npos)
        change_monitors.push_back(monitor.name);
    }
    default_monitors = change_monitors;
    if (is_cavity(p.grid.sides, p.grid.dimensions)) add_cavity_monitors(monitors);
    add_side_monitors(p.grid.sides, p.grid.dimensions);
    const bool streams = speed_of_stream() > 0;
    for (const Body& body : p.grid.bodies) {
      add_solid_monitors(body.name);
      if (!streams) continue;
      monitors.push_back({body.name + ".drag_coefficient", "1",
                          "Force along the stream over its dynamic pressure and the body's "
                          "frontal area."});
      for (const char* axis : {"y", "z"}) {
        monitors.push_back({body.name + ".lift_coefficient_" + axis, "1",
                            std::string("The same of the force along ") + axis + "."});
      }
      monitors.push_back({body.name + ".heat_coefficient", "1",
                          "Heat load over half density times cubed speed of the stream and the "
                          "body's frontal area."});
    }
  }

  double speed_of_stream() const { return std::abs(parameters_.initial.velocity[0]); }

  Parameters parameters_;
};

}  // namespace

double batch_bytes(const Parameters& p, int blocks) {
  const double value = p.single_precision ? 4 : 8;
  return p.scheme == Scheme::slices ? slices_bytes(p.grid, blocks, value)
                                    : storage_bytes(p.grid, p.tuning, p.order, blocks, value);
}

double bytes_a_point(const Parameters& p) {
  const double value = p.single_precision ? 4 : 8;
  // Three values read and one written, then one read and written.
  if (p.scheme == Scheme::slices) return 6 * value;
  double crossing = 0;
  for (std::size_t d = 0; d < 2; ++d) {
    if (p.grid.cells[1 + d] > 1) crossing += 1.0 / p.tuning.tile[d];
  }
  return value * 2 * p.order * crossing;
}

Parameters coarse_parameters(const Parameters& parameters) {
  Parameters coarse = parameters;
  coarse.grid.velocities = parameters.coarse_start->velocities;
  coarse.coarse_start.reset();
  const auto blocks = blocks_of(coarse.grid.velocities);
  const int octants = parameters.scheme == Scheme::slices ? 1 : 2;
  coarse.batch_blocks =
      std::min(parameters.batch_blocks, octants * blocks[0] * blocks[1] * blocks[2]);
  return coarse;
}

bool Parameters::has_open_side() const {
  return std::any_of(grid.sides.begin(), grid.sides.end(),
                     [](const SideCondition& side) { return side.kind == SideKind::reservoir; });
}

std::vector<Quantity> field_quantities() {
  auto fields = gas_field_quantities();
  fields.push_back({"position", "L", "Centres of the cells.", 3});
  fields.push_back({"body", "1", "Number of the solid a cell belongs to, 0 for gas."});
  return fields;
}

std::vector<Quantity> monitor_quantities() {
  const std::string change =
      " in one iteration: root of the sum of squares over all cells, over "
      "that of the values.";
  return {{"mass", "rho_ref L^d", "Integral of the density."},
          {"energy", "p_ref L^d", "Integral of the thermal and kinetic energy."},
          {"max_speed", "v_ref", "Highest speed of a cell."},
          {"mean_velocity_x", "v_ref", "Mean of the velocity along x over the cells' volume."},
          {"mean_velocity_y", "v_ref", "Mean of the velocity along y over the cells' volume."},
          {"density_change", "1", "Change of the density" + change},
          {"momentum_x_change", "1", "Change of the momentum along x" + change},
          {"momentum_y_change", "1", "Change of the momentum along y" + change},
          {"momentum_z_change", "1", "Change of the momentum along z" + change},
          {"energy_change", "1", "Change of the energy" + change},
          {"pressure_tensor_change", "1", "Change of the pressure tensor" + change},
          {"heat_flux_change", "1", "Change of the heat flux" + change},
          {"moments_change", "1", "The largest change of density, momentum and energy."}};
}

std::unique_ptr<Problem> read_problem(CaseNode& root) {
  Reader reader{root, {}, {}};
  reader.read();
  if (root.describing()) return nullptr;
  return std::make_unique<ShakhovProblem>(std::move(reader.p), std::move(reader.warnings));
}

}  // namespace knudsen::shakhov
