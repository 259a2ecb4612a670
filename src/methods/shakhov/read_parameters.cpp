#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/text.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/case/gas_case.hpp"
#include "kinetic/case/read_velocity_grid.hpp"
#include "methods/gas/read_solids.hpp"
#include "methods/gas/sonic_side.hpp"
#include "methods/gas/surface_loads.hpp"
#include "methods/gas/surfaces.hpp"
#include "methods/shakhov/gas_parts.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/parameters.hpp"
#include "methods/shakhov/read_grid.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {
namespace {

/// Fraction of the free memory that a run may use.
constexpr double memory_share = 0.8;

/// Reads the blocks of a case in the order in which they depend on each other, see read().
struct Reader {
  CaseNode& root;
  Parameters p;
  std::vector<std::string>& warnings;
  std::optional<bool> conservative;  ///< `collision.conservative`

  bool factorises() const {
    return model_constant(p.model, [](auto model) { return model.factorises; });
  }

  void read_collision() {
    root.object("collision", "Collision model and body force.", [&](CaseNode& collision) {
      p.model = read_collision_model(collision, "shakhov");
      conservative = collision.boolean(
          "conservative",
          "true: the discrete target has the density, momentum and energy of the gas, by Newton's "
          "method in every cell, so that as much flows out as in and collisions are no source of "
          "heat. Exactly with the models bgk and shakhov, but for squares of the stress with "
          "es-bgk. Default: true where a side is open, and from a rarefaction parameter of 1 over "
          "the shortest side of the box on, without axes whose sides are both periodic or "
          "mirrors.");
      p.body_force = read_body_force(collision, p.units);
      p.temperature_gradient = to_array(p.units.temperature_gradient().numbers_or(
          collision, "temperature_gradient", {0, 0, 0}, 3,
          "Gradient of ln T along x, y and z at constant pressure, which drives thermal "
          "creep along an endless channel: walls and gas have it besides what is computed, which "
          "is the state where T is T_ref. For small gradients. Requires model shakhov, collisions, "
          "and periodic sides or no cells along its axis. For the bgk model set `gas.prandtl` 1.",
          Range::between(-1, 1)));
      if (has_gradient() && p.model != CollisionModel::shakhov) {
        collision.fail("temperature_gradient", "requires model \"shakhov\"");
      }
    });
  }

  bool has_gradient() const {
    const auto& g = p.temperature_gradient;
    return g[0] != 0 || g[1] != 0 || g[2] != 0;
  }

  /// After the gas. The target of "es-bgk" moves by what the force gives in the time between
  /// collisions (SetTargets), which must be little beside thermal speeds.
  void check_force() const {
    const double force = std::hypot(p.body_force[0], p.body_force[1], p.body_force[2]);
    if (root.describing() || force == 0 || factorises()) return;
    const double most = 0.1 * p.gas.prandtl * p.gas.stress_relaxation_rate(1, 1);
    if (most == 0)
      root.fail_hard("collision.body_force", "with model \"es-bgk\" requires collisions");
    if (force <= most) return;
    root.fail_hard("collision.body_force",
                   "with model \"es-bgk\" must be at most " +
                       p.units.acceleration().text(rounded(most)) +
                       " in this gas, which gives molecules a tenth of v_ref between collisions; "
                       "take less, since what small forces drive is proportional to them");
  }

  /// After the boundaries and the gas.
  void check_gradient() const {
    if (root.describing() || !has_gradient()) return;
    if (p.gas.rarefaction == 0) {
      root.fail_hard("collision.temperature_gradient", "requires a gas with collisions");
    }
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      if (p.temperature_gradient[d] != 0 && p.grid.sides[2 * d].kind != SideKind::periodic) {
        root.fail_hard("collision.temperature_gradient",
                       std::string("along ") + axis_names[d] + " the sides must be periodic");
      }
    }
  }

  std::size_t dimensions() const { return static_cast<std::size_t>(p.grid.dimensions); }

  void read_velocities() {
    p.reduced = read_reduced(root, dimensions());
    p.grid.velocities = read_velocities_of(root);
    if (root.describing()) return;
    check_integrated(root, "collision.body_force", p.body_force, p.grid.velocities);
    check_integrated(root, "collision.temperature_gradient", p.temperature_gradient,
                     p.grid.velocities);
  }
  /// The velocities of a case or of its coarse start.
  VelocityGrid read_velocities_of(CaseNode& node) const {
    VelocityGrid grid = read_velocity_grid(node, p.units, p.reduced ? dimensions() : 3);
    if (p.reduced) integrate_out(grid, dimensions());
    grid[2].rotation = p.gas.rotation;
    return grid;
  }

  void read_initial() {
    root.object("initial", "Initial state, from which the iteration starts. Default: rest.",
                [&](CaseNode& initial) {
                  initial.alternatives(
                      "type", "Kind of initial state.",
                      {{"rest", "Gas at rest with density 1 and temperature 1.", [](CaseNode&) {}},
                       {"uniform", "The same state everywhere.",
                        [&](CaseNode& node) { p.initial = read_gas_state(node, p.units, {}); }},
                       {"stream", "A stream along x with density 1 and temperature 1.",
                        [&](CaseNode& node) {
                          const double mach = node.require_number(
                              "mach", "Mach number of the stream.", Range{0, 1000, true, false});
                          p.initial.velocity[0] = mach * reference_sound_speed(p.gas.rotation);
                        }}},
                      "rest");
                });
  }

  void read_boundaries() {
    root.object("boundaries", "Boundary conditions on the sides of the domain.",
                [&](CaseNode& boundaries) {
                  read_sides(boundaries, p.grid.sides, {p.grid.cells, {}, {}, p.grid.edges},
                             p.grid.dimensions, p.initial, p.initial, p.units);
                  check_sides(boundaries, p.grid.sides, p.grid.dimensions, p.grid.velocities);
                });
  }

  /// Warns of solids without frontal area, which others cover or which a side of the box hides.
  void warn_of_hidden_solids() const {
    const GasSolids& solids = p.grid.solids;
    if (p.initial.velocity[0] == 0 || solids.body.empty()) return;
    std::vector<bool> meets_stream(solids.bodies.size());
    for (const Face& face : list_faces(p.grid)) {
      if (face.wall < 6 || !(face.area > 0)) continue;
      const double out_of_gas = face.side == facet_side
                                    ? p.grid.facet_area(*solids.cut_cell(face.cell))[0]
                                    : side_normal(face.side)[0];
      if (out_of_gas * p.initial.velocity[0] > 0) {
        meets_stream[static_cast<std::size_t>(face.wall) - 6] = true;
      }
    }
    std::vector<std::string> hidden;
    for (std::size_t i = 0; i < solids.bodies.size(); ++i) {
      if (!meets_stream[i]) hidden.push_back(solids.bodies[i].name);
    }
    if (hidden.empty()) return;
    warnings.push_back("geometry.solids: no face of " + join(hidden, ", ") +
                       " meets the stream, so the coefficients of drag, lift and heat transfer, "
                       "which refer to that area, are NaN");
  }

  /// In a steady flow with walls of given heat flux another surface must set the temperature.
  void check_heat() const {
    if (root.describing()) return;
    std::string heated;
    bool is_set = false;
    for (std::size_t side = 0; side < 6; ++side) {
      const SurfaceLaw law = surface_law(p.grid.sides[side]);
      if (law.heated) heated = "boundaries." + side_names[side] + ".heat_flux";
      is_set |= law.temperature() > 0;
    }
    for (const GasSolid& body : p.grid.solids.bodies) {
      if (body.wall.heat_flux) heated = "geometry.solids, " + body.name;
      is_set |= !body.wall.heat_flux;
    }
    if (heated.empty() || is_set) return;
    root.fail_hard(heated,
                   "leaves the temperature of a steady flow open, since no other surface has a "
                   "temperature; give a side or a solid a \"temperature\"");
  }

  /// Key of a surface of given heat flux, one of Surfaces.
  std::string heated_surface(int surface) const {
    const int part_of = Surfaces(p.grid.sides, p.grid.solids).side_of_part(surface);
    const int side = part_of >= 0 ? part_of : surface;
    if (side < 6) return "boundaries." + side_names[static_cast<std::size_t>(side)] + ".heat_flux";
    return "geometry.solids, " + p.grid.solids.bodies[static_cast<std::size_t>(side) - 6].name;
  }
  static std::string cells_text(const std::string& what, std::size_t cells, std::size_t first,
                                const FlowGrid& grid) {
    std::vector<std::string> at;
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions); ++d) {
      at.push_back(std::to_string(grid.at(first)[d]));
    }
    return what + (cells == 1 ? "1 cell" : std::to_string(cells) + " cells, the first") + " at (" +
           join(at, ", ") + ")";
  }

  /// What holds for the whole of the gas must hold for each part of it that solids cut off.
  void check_parts() const {
    if (root.describing() || p.grid.solids.body.empty()) return;
    const std::vector<GasPart> parts = find_gas_parts(p.grid);
    const std::string finer =
        p.grid.has_cut_cells()
            ? ". Gaps between corners of cells are not seen; finer cells see them"
            : "";
    for (const GasPart& part : parts) {
      if (part.heated < 0 || part.has_temperature) continue;
      root.fail_hard(
          heated_surface(part.heated),
          "leaves the temperature of a steady flow open in " +
              cells_text("a part of the gas (", part.cells, part.first, p.grid) +
              ") beside which no surface has a temperature; give one of these surfaces a "
              "\"temperature\", or leave a way to the rest of the gas" +
              finer);
    }
    // The mass of a single part of a closed box is kept.
    const bool is_open = p.has_open_side();
    if (!is_open && parts.size() == 1) return;
    std::size_t count = 0;
    std::size_t cells = 0;
    std::size_t first = 0;
    for (const GasPart& part : parts) {
      if (part.is_open) continue;
      if (count++ == 0) first = part.first;
      cells += part.cells;
    }
    if (count == 0) return;
    warnings.push_back(
        "geometry.solids: " +
        cells_text(std::to_string(count) + (count == 1 ? " part" : " parts") + " of the gas (",
                   cells, first, p.grid) +
        (is_open ? ") cut off by solids from the open sides; nothing sets the density "
                   "there, which may drift during the iteration"
                 : ") between which no gas passes; the iteration keeps the mass of "
                   "all of them together, so that their densities may drift apart") +
        finer);
  }

  /// In a steady flow as much gas enters as leaves.
  void check_flow() const {
    if (root.describing()) return;
    bool gas_enters = false;
    bool gas_leaves = false;
    for (const SideCondition& side : p.grid.sides) {
      gas_enters |= side.kind == SideKind::reservoir && !side.is_vacuum();
      gas_enters |= side.mass_flux > 0 || side.kind == SideKind::pressure;
      gas_leaves |=
          side.kind == SideKind::reservoir || side.kind == SideKind::pressure || side.capture > 0;
    }
    for (std::size_t side = 0; side < 6; ++side) {
      if (!surface_law(p.grid.sides[side]).open()) continue;
      if (!gas_enters) {
        root.fail_hard("boundaries." + side_names[side],
                       "in a steady flow no gas would be left; make another side a \"reservoir\" "
                       "or an \"inlet\"");
      }
      if (!gas_leaves) {
        root.fail_hard("boundaries." + side_names[side],
                       "there is no steady flow, since no gas leaves; make another side a "
                       "\"reservoir\", a \"vacuum\" or a \"pump\"");
      }
    }
  }

  void read_coarse_start(CaseNode& start) {
    CoarseStart coarse;
    coarse.velocities = read_velocities_of(start);
    coarse.tolerance = start.number_or("tolerance", coarse.tolerance,
                                       "Relative change of density, momentum and energy in one "
                                       "iteration at which the coarse start ends.",
                                       Range::positive());
    coarse.max_iterations = static_cast<int>(start.integer_or(
        "iterations", coarse.max_iterations, "Largest number of iterations of the coarse start.",
        Range::between(1, 1000000)));
    if (start.describing()) return;
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(p.grid.dimensions); ++side) {
      check_reflection(start, "velocity_grid", p.grid.sides[side], coarse.velocities, side / 2);
    }
    check_resting(start, coarse.velocities);
    check_velocities(start, coarse.velocities, states(), p.units, 0, warnings);
    p.coarse_start = std::move(coarse);
  }

  void read_acceleration(CaseNode& node) {
    const std::string found = node.choice_or(
        "acceleration", "automatic", {"automatic", "none", "synthetic", "asymptotic-preserving"},
        "automatic: synthetic where the gas is dense enough for it to pay, with a rarefaction "
        "parameter of at least 1 over the shortest side of the box, and none else or with "
        "scheme \"slices\". "
        "synthetic: after each sweep macroscopic equations correct density, velocity and "
        "temperature, so that few iterations suffice at any rarefaction. The converged solution is "
        "that of none. asymptotic-preserving: the same where cells are finer than the mean free "
        "path; on cells of many mean free paths the solution is that of the equations of Navier "
        "and Stokes with slip at walls.");
    if (p.gas.rotation > 0 && found == "asymptotic-preserving") {
      node.fail("acceleration",
                "\"asymptotic-preserving\" is not available for a gas with \"rotation\"; take "
                "\"synthetic\" and cells finer than the mean free path, or a monatomic gas");
    }
    if (found == "none") p.acceleration = Acceleration::none;
    if (found == "synthetic") p.acceleration = Acceleration::synthetic;
    if (found != "asymptotic-preserving") return;
    p.acceleration = Acceleration::asymptotic_preserving;
    if (root.describing()) return;
    const auto pressure = [&](std::size_t side) {
      const SideCondition& condition = p.grid.sides[side];
      if (condition.kind == SideKind::pump) return 0.0;
      const bool given =
          condition.kind == SideKind::reservoir || surface_law(condition).has_pressure;
      return given ? condition.state.density * condition.state.temperature
                   : std::numeric_limits<double>::infinity();
    };
    double least = pressure(0);
    for (std::size_t side = 1; side < 6; ++side) least = std::min(least, pressure(side));
    for (std::size_t side = 0; side < 6; ++side) {
      const SurfaceLaw law = surface_law(p.grid.sides[side]);
      if (!law.has_pressure || law.sets_temperature || pressure(side) <= least) continue;
      warnings.push_back("boundaries." + side_names[side] +
                         ": gas that enters through a pressure side without a \"temperature\" "
                         "has that of the gas beside it, which in cells of many mean free paths "
                         "little else holds, so the iteration may not converge; give a "
                         "\"temperature\"");
    }
  }

  /// Number of mean free paths, about, on the shortest way through the box.
  double collisions() const { return p.gas.rarefaction * p.grid.shortest_way(); }
  /// Whether molecules collide on that way. A correction then saves more sweeps than it costs
  /// (README, "Synthetic acceleration"), and errors of the collisions add up (README,
  /// "Conservation").
  bool is_dense() const { return !root.describing() && collisions() >= 1; }

  void read_propagation() {
    if (is_dense()) p.acceleration = Acceleration::synthetic;
    root.object("propagation", "Scheme of an iteration.", [&](CaseNode& node) {
      p.order = static_cast<int>(node.integer_or("order", 1,
                                                 "Order of the upwind differences. Order 2 keeps a "
                                                 "third slice of the distribution in memory.",
                                                 Range::between(1, 2)));
      const bool slices =
          node.choice_or("scheme", "pencils", {"pencils", "slices"},
                         "pencils: sweeps many pencils of cells at once and adds up the moments on "
                         "the way. slices: the kernels of the paper, one slice of cells after the "
                         "other; requires order 1.") == "slices";
      if (slices) p.scheme = Scheme::slices;
      if (slices && p.order != 1) node.fail("order", "scheme \"slices\" requires order 1");
      if (slices && p.reduced) {
        node.fail(
            "scheme",
            "the kernels of the paper keep all velocities; with \"reduced\" take \"pencils\"");
      }
      if (slices && p.gas.rotation > 0) {
        node.fail("scheme",
                  "the kernels of the paper are those of a monatomic gas; with \"gas.rotation\" "
                  "take \"pencils\"");
      }
      if (slices) p.acceleration = Acceleration::none;
      read_acceleration(node);
      node.object("coarse_start",
                  "Iterations on a coarser velocity grid first. The iterations on the full grid "
                  "start from their result.",
                  [&](CaseNode& start) { read_coarse_start(start); });
    });
    if (root.describing() || p.order == 1) return;
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      if (p.grid.cells[d] < 2) {
        root.fail_hard("propagation.order", "order 2 requires at least 2 cells along each axis");
      }
      // Cut cells are of first order, and every cell beside a surface is one.
      const bool whole = !p.grid.solids.body.empty() && !p.grid.has_cut_cells();
      const auto cell = whole ? find_narrow_cell(d) : std::nullopt;
      if (cell) {
        const auto at = p.grid.at(*cell);
        root.fail_hard("propagation.order",
                       "order 2 requires at least 2 cells of gas along each axis between surfaces; "
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
    std::optional<double> megabytes;
    root.object("tuning", "Kernel parameters. They affect the speed, not the results.",
                [&](CaseNode& tuning) {
                  megabytes = tuning.number(
                      "memory",
                      "Most memory in MB that the method may take, from which `batch` follows. The "
                      "rate falls with it: by 3 % for half of the memory on an H200, by 11 % for "
                      "28 %, by a third for 16 %. Default: the free memory.",
                      Range::above(0));
                  batch =
                      tuning.integer("batch",
                                     "Number of velocity blocks (512 velocities each, or 64 with "
                                     "`reduced`) that are "
                                     "swept together. Default: those of two octants (one octant "
                                     "for slices), or as many as fit into the free memory.",
                                     Range::at_least(1));
                });
    if (root.describing()) return;
    const auto blocks = blocks_of(p.grid.velocities);
    const int octants = p.scheme == Scheme::slices ? 1 : 2;
    // The GPU kernel indexes a slice by 32-bit integers.
    const std::int64_t addressable =
        (std::int64_t{1} << 29) / (std::int64_t{128} * p.grid.cells[0]);
    const int wanted = octants * blocks[0] * blocks[1] * blocks[2];
    const int most = static_cast<int>(std::clamp<std::int64_t>(addressable, 1, wanted));
    if (batch) {
      if (megabytes) root.fail_hard("tuning.memory", "belongs to cases without `batch`");
      p.batch_blocks = largest_batch(static_cast<int>(std::min<std::int64_t>(*batch, most)));
      return;
    }
    const double limit =
        megabytes ? *megabytes * 1e6
                  : memory_share * static_cast<double>(backend_info(default_backend()).memory_free);
    // The most blocks whose memory is within the limit.
    const auto fits = [&](int blocks) {
      p.batch_blocks = blocks;
      return total_bytes(p) <= limit;
    };
    if (megabytes && !fits(1)) {
      root.fail_hard("tuning.memory", "must be at least " +
                                          number_text(std::ceil(total_bytes(p) / 1e4) / 100) +
                                          " MB for this case");
    }
    int fitting = 1;
    int beyond = most + 1;
    while (beyond - fitting > 1) {
      const int middle = fitting + (beyond - fitting) / 2;
      (fits(middle) ? fitting : beyond) = middle;
    }
    p.batch_blocks = largest_batch(fitting);
  }

  /// Blocks of the largest batch where none has more than `most`: their sizes are nearly equal.
  int largest_batch(int most) const {
    const auto blocks = blocks_of(p.grid.velocities);
    int largest = 1;
    for (const Batch& batch : make_batches(p.grid, blocks[0] * blocks[1] * blocks[2], most,
                                           p.scheme == Scheme::slices)) {
      largest = std::max(largest, batch.blocks);
    }
    return largest;
  }

  std::vector<NamedState> states() const {
    std::vector<NamedState> all{{"initial", p.initial}};
    add_side_states(p.grid.sides, all);
    for (const GasSolid& solid : p.grid.solids.bodies) {
      all.push_back({"geometry.solids, " + solid.name, solid.wall.state});
    }
    return all;
  }

  /// The temperature of a heated surface in a cut cell is found by sums over all velocities.
  void check_heated_facets() const {
    if (!p.reduced || !p.grid.has_cut_cells()) return;
    for (const GasSolid& body : p.grid.solids.bodies) {
      if (!body.wall.heat_flux) continue;
      root.fail("reduced", "is not available for solids of given heat flux in cut cells, here \"" +
                               body.name +
                               "\"; give the solid a \"temperature\", or take \"geometry.surface\" "
                               "\"whole-cells\"");
    }
  }

  /// Without collisions the distribution of a molecule at rest is undetermined.
  void check_resting(CaseNode& node, const VelocityGrid& velocities) const {
    if (node.describing() || p.gas.rarefaction > 0) return;
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      const auto& nodes = velocities[d].nodes;
      if (std::find(nodes.begin(), nodes.end(), 0.0) == nodes.end()) return;
    }
    node.fail_hard("velocity_grid",
                   "must not contain the velocity 0 if the gas has no collisions; take an even "
                   "\"count\" along "
                   "an axis");
  }

  void read() {
    p.units = read_gas_units(root);
    p.single_precision = read_single_precision(root);
    read_domain(root, p.units, p.grid);
    read_collision();
    p.gas = read_gas(root, p.model, p.units.reference, warnings);
    read_velocities();
    read_initial();
    read_boundaries();
    p.conservative =
        conservative.value_or(p.gas.rarefaction > 0 && (p.has_open_side() || is_dense()));
    read_geometry(root, p.units, p.grid, warnings);
    if (!root.describing()) check_rotation(root, p.gas, p.grid.sides, p.grid.solids);
    warn_of_hidden_solids();
    check_flow();
    check_heat();
    check_parts();
    check_force();
    check_gradient();
    read_propagation();
    read_tuning();
    if (root.describing()) return;
    check_resting(root, p.grid.velocities);
    check_integrated(root, states(), p.grid.velocities, p.units);
    check_heated_facets();
    check_velocities(root, p.grid.velocities, states(), p.units, p.conservative ? 0 : collisions(),
                     warnings);
    warn_of_grazing_molecules(p.grid.sides, static_cast<std::size_t>(p.grid.dimensions),
                              {p.grid.length(0), p.grid.length(1), p.grid.length(2)},
                              p.gas.rarefaction, p.grid.velocities,
                              {p.body_force, p.temperature_gradient}, warnings);
    warn_of_choking(p.grid.sides, p.gas.rotation, warnings);
  }
};

}  // namespace

Parameters read_parameters(CaseNode& root, std::vector<std::string>& warnings) {
  Reader reader{root, {}, warnings, std::nullopt};
  reader.read();
  return std::move(reader.p);
}

}  // namespace knudsen::shakhov
