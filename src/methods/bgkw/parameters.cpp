#include "methods/bgkw/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/case/gas_case.hpp"
#include "kinetic/case/read_velocity_grid.hpp"
#include "kinetic/gas_fields.hpp"
#include "methods/bgkw/cut_groups.hpp"
#include "methods/bgkw/quantities.hpp"
#include "methods/bgkw/wall_scattering.hpp"
#include "methods/gas/cell_segments.hpp"
#include "methods/gas/gas_problem.hpp"
#include "methods/gas/inlets.hpp"
#include "methods/gas/read_solids.hpp"
#include "methods/gas/sonic_side.hpp"
#include "methods/gas/surfaces.hpp"

namespace knudsen::bgkw {

namespace {

/// Values of a cell are numbered by 32-bit integers, and rows are padded to up to four entries.
constexpr double max_velocities = 536870911.0;

struct Reader {
  CaseNode& root;
  Parameters p;
  std::vector<std::string> warnings;

  std::size_t dimensions() const { return static_cast<std::size_t>(p.grid.dimensions); }

  void read_domain() {
    root.require_object(
        "domain", "The domain, a box of cells. Give either `cells` or the segments `x`, `y`, `z`.",
        [&](CaseNode& domain) {
          auto segments = read_segments(domain, p.units, {0, 0, 0});
          const std::size_t count = domain.describing() ? 0 : count_segmented(domain, segments);
          CellGridSize box = read_cells(domain, p.units, count > 0);
          if (domain.describing()) return;
          if (count > 0) box = read_lines(domain, count, segments);
          p.grid.dimensions = box.dimensions;
          p.grid.cells = box.cells;
          p.size = box.size;
          for (std::size_t d = 0; d < dimensions(); ++d) {
            if (count == 0) p.grid.spacing[d] = p.size[d] / box.cells[d];
            domain.check_derived(count > 0 ? axis_names[d] : "cells",
                                 "cell width along " + axis_names[d], p.grid.spacing[d],
                                 Range::between(1e-18, 1e9));
          }
        });
  }

  /// Takes over the grid lines of segments. Cells of the same width are kept as such.
  CellGridSize read_lines(CaseNode& domain, std::size_t count,
                          std::array<std::vector<double>, 3>& lines) {
    CellGridSize box;
    box.dimensions = static_cast<int>(count);
    bool equal = true;
    double total = 1;
    for (std::size_t d = 0; d < count; ++d) {
      check_widths(domain, axis_names[d], d, lines[d]);
      box.size[d] = lines[d].back();
      box.cells[d] = static_cast<int>(lines[d].size() - 1);
      total *= box.cells[d];
      check_cell_count(domain, axis_names[d], total);
      equal = equal && AxisLines(lines[d]).uniform();
      p.grid.spacing[d] = box.size[d] / box.cells[d];
    }
    if (equal) return box;
    for (std::size_t d = 0; d < count; ++d) {
      for (std::size_t i = 0; i + 1 < lines[d].size(); ++i) {
        p.grid.spacing[d] = std::min(p.grid.spacing[d], lines[d][i + 1] - lines[d][i]);
      }
      p.grid.edges[d] = std::move(lines[d]);
    }
    return box;
  }

  void read_collision() {
    root.object("collision", "Collision model and body force.", [&](CaseNode& collision) {
      p.model = read_collision_model(collision);
      p.conservative =
          collision.boolean_or("conservative", false,
                               "true: the discrete target has exactly the density, momentum and "
                               "energy of the gas. For bgk the Maxwellian is fitted by Newton's "
                               "method in every cell; other targets get a linear correction.");
      p.body_force = read_body_force(collision, p.units);
    });
  }

  void read_initial() {
    p.initial.position = p.size[0] / 2;
    root.object(
        "initial", "Initial state, a Maxwellian in every cell. Default: rest.",
        [&](CaseNode& initial) {
          initial.alternatives(
              "type", "Kind of initial state.",
              {{"rest", "Gas at rest with density 1 and temperature 1.", [](CaseNode&) {}},
               {"uniform", "The same state everywhere.",
                [&](CaseNode& node) { p.initial.states.fill(read_gas_state(node, p.units, {})); }},
               step_alternative(p.size[0], p.units, p.initial),
               {"shock",
                "The states before and behind a stationary normal shock wave. The upstream state "
                "is at lower x and has density 1 and temperature 1.",
                [&](CaseNode& node) {
                  read_step_position(node, p.size[0], p.initial);
                  const double mach = node.require_number(
                      "mach", "Mach number of the upstream state.", Range{1, 1000, true, false});
                  if (!node.describing()) {
                    p.initial.states = rankine_hugoniot(mach, p.gas.rotation);
                  }
                }}},
              "rest");
        });
  }

  void read_geometry() {
    SolidDomain domain{p.grid.dimensions, {}, p.grid.sides, p.grid.velocities, p.units, true};
    for (std::size_t d = 0; d < dimensions(); ++d) {
      domain.lines[d] = p.grid.has_equal_cells() ? AxisLines(p.grid.cells[d], p.grid.spacing[d])
                                                 : AxisLines(p.grid.edges[d]);
    }
    p.grid.solids = read_gas_solids(
        root, domain,
        [&](CaseNode& node, SideCondition& wall) { read_wall(node, wall, {}, p.units); }, warnings);
    if (p.grid.solids.cuts) check_walls_in_cells();
    if (!root.describing()) set_inlet_fluxes(root, domain, p.grid.solids, p.grid.sides);
  }

  /// The surface of a cut cell has any direction, for which such walls have no kernel.
  void check_walls_in_cells() {
    for (const GasSolid& solid : p.grid.solids.bodies) {
      const SurfaceLaw law = surface_law(solid.wall);
      if (!law.scatters) continue;
      root.fail("geometry.surface",
                "\"cut-cells\" is not available with \"cercignani_lampis\", which the solid \"" +
                    solid.name + "\" has; take \"whole-cells\" or \"accommodation\"");
    }
  }

  void read_boundaries() {
    root.object("boundaries", "Boundary conditions on the sides of the domain.",
                [&](CaseNode& boundaries) {
                  read_sides(boundaries, p.grid.sides,
                             {p.grid.cells, {0, 0, 0}, p.grid.spacing, p.grid.edges},
                             p.grid.dimensions, p.initial.at(0), p.initial.at(p.size[0]), p.units);
                  check_sides(boundaries, p.grid.sides, p.grid.dimensions, p.grid.velocities);
                });
  }

  std::vector<NamedState> states() const {
    std::vector<NamedState> all = p.initial.named();
    add_side_states(p.grid.sides, all);
    for (const GasSolid& solid : p.grid.solids.bodies) {
      all.push_back({"geometry.solids, " + solid.name, solid.wall.state});
    }
    return all;
  }

  /// Courant number of a unit time step: the sum over the axes, or the largest of them if split.
  double fastest_crossing() const {
    double result = 0;
    for (std::size_t d = 0; d < dimensions(); ++d) {
      const double crossing = p.grid.velocities[d].max_speed() / p.grid.spacing[d];
      result = p.grid.split ? std::max(result, crossing) : result + crossing;
    }
    return result;
  }

  void read_time_integration(CaseNode& node) {
    const bool cuts = p.grid.solids.cuts;
    const std::string integration = node.choice_or(
        "time_integration",
        !cuts               ? "splitting"
        : p.grid.order == 1 ? "imex-1"
                            : "imex-2",
        {"splitting", "imex-1", "imex-2"},
        "splitting: streaming, then exact relaxation; the time step should resolve the relaxation "
        "time. imex-1, imex-2: implicit-explicit (IMEX) schemes of first and second order in time, "
        "with implicit collisions; the time step may be any number of relaxation times. imex-2 is "
        "ARS(2,2,2), two stages a step, and keeps a third copy of the distribution. With "
        "`geometry.surface` \"cut-cells\" an IMEX scheme is needed; the default is then imex-1 "
        "with "
        "`order` 1, imex-2 with 2.");
    if (cuts && integration == "splitting" && !node.describing()) {
      node.fail("time_integration",
                "must be \"imex-1\" or \"imex-2\" with \"geometry.surface\" \"cut-cells\"");
    }
    p.grid.integration = integration == "imex-1"   ? TimeIntegration::imex_1
                         : integration == "imex-2" ? TimeIntegration::imex_2
                                                   : TimeIntegration::splitting;
  }

  void check_stages(CaseNode& node) const {
    const std::string with = "with \"time_integration\" \"imex-1\" or \"imex-2\"";
    if (p.grid.integration == TimeIntegration::imex_1 && p.grid.order == 2) {
      node.fail("order",
                "must be 1 with \"time_integration\" \"imex-1\"; order 2 needs \"imex-2\"");
    }
    if (p.propagation != Propagation::fused) node.fail("scheme", "must be \"fused\" " + with);
    if (p.grid.split) {
      node.fail("split", "must be false " + with + ", which streams along all axes at once");
    }
    if (node.has("relaxation_fraction")) {
      node.fail("relaxation_fraction",
                "must not be given " + with + ", whose time step only \"courant\" limits");
    }
  }

  void read_propagation() {
    double courant = 0.9;
    double fraction = 0.25;
    std::optional<double> time_step;
    root.object("propagation", "Scheme and length of a time step.", [&](CaseNode& node) {
      const std::string scheme =
          node.choice_or("scheme", "fused", {"fused", "separate", "tiles"},
                         "fused: streaming and collision in one kernel. separate: in two kernels "
                         "(Frezzotti 2009). tiles: in two kernels as in the paper, with the values "
                         "of one velocity contiguous in memory; requires model bgk, order 1, no "
                         "body force and no split. All give the same flow.");
      p.propagation = scheme == "fused"      ? Propagation::fused
                      : scheme == "separate" ? Propagation::separate
                                             : Propagation::tiles;
      courant = node.number_or(
          "courant", courant,
          "Largest Courant number of the time step: the sum over the axes or, with `split`, the "
          "largest of the axes. Values above 1 are possible in one dimension and with `split`, "
          "since streaming then shifts by whole cells exactly.",
          Range{0, 1e9, true, false});
      fraction = node.number_or("relaxation_fraction", fraction,
                                "Largest time step as a fraction of the shortest relaxation time. "
                                "Not for the IMEX schemes.",
                                Range{0, 1e12, true, false});
      p.grid.order = static_cast<int>(node.integer_or(
          "order", 1,
          "Order of the streaming scheme. 1: upwind, keeps the distribution positive. 2: linear "
          "reconstruction with limited slopes, along one axis after the other or, in an IMEX "
          "scheme, along all axes at once.",
          Range::between(1, 2)));
      const std::string limiter = node.choice_or("limiter", "van-leer", {"van-leer", "minmod"},
                                                 "Slope limiter of order 2.");
      p.grid.limiter = limiter == "minmod" ? Limiter::minmod : Limiter::van_leer;
      read_time_integration(node);
      p.grid.split = node.boolean_or(
          "split", p.grid.order == 2 && !p.grid.in_stages(),
          "true: a step streams along one axis after the other, each with any Courant number. "
          "false: along all axes at once. Order 2 is always split, an IMEX scheme never.");
      if (p.grid.in_stages() && !node.describing()) check_stages(node);
      if (node.has("limiter") && p.grid.order == 1) node.fail("limiter", "requires \"order\" 2");
      if (p.grid.order == 2 && !p.grid.split && !p.grid.in_stages()) {
        node.fail("split", "must be true with \"order\" 2");
      }
      p.grid.split = p.grid.split && dimensions() > 1;
      time_step = read_time_step(node, p.units);
    });
    if (root.describing()) return;
    // Without the block.
    if (p.grid.solids.cuts && !p.grid.in_stages()) p.grid.integration = TimeIntegration::imex_1;
    double fastest_rate = 0;
    for (const NamedState& named : states()) {
      fastest_rate = std::max(
          fastest_rate, p.gas.stress_relaxation_rate(named.state.density, named.state.temperature));
    }
    p.grid.time_step = courant / fastest_crossing();
    if (fastest_rate > 0 && !p.grid.in_stages()) {
      p.grid.time_step = std::min(p.grid.time_step, fraction / fastest_rate);
    }
    if (time_step) p.grid.time_step = *time_step;
    root.check_derived("propagation", "time step", p.grid.time_step, time_step_range);
    const double reached = p.grid.time_step * fastest_crossing();
    p.time_step_over_relaxation_time = p.grid.time_step * fastest_rate;
    const bool shifts = !p.grid.in_stages() && (dimensions() == 1 || p.grid.split);
    const ShortestLines lines =
        shifts || p.grid.order == 2 ? shortest_lines() : ShortestLines{1, 1};
    const double limit = shifts && p.grid.has_equal_cells() ? lines.any : 1;
    if (reached > limit * (1 + 1e-12)) {
      root.fail_hard(
          "propagation",
          "the time step " + p.units.time().text(p.grid.time_step) +
              (shifts ? " gives a Courant number of " : " gives Courant numbers that add up to ") +
              number_text(rounded(reached)) + ", must be at most " + number_text(limit) +
              (!p.grid.has_equal_cells() ? " with cells of different widths"
               : shifts                  ? ", the smallest number of cells between two surfaces"
               : p.grid.in_stages()      ? " with an IMEX scheme"
                                         : " in two and three dimensions without \"split\"") +
              "; reduce \"time_step\" or \"courant\"");
    }
    if (!p.grid.solids.cut.empty()) check_gaps();
    // The slope of the outflow through a wall is taken across the next cell. If a diffuse wall were
    // there, the densities of the two walls would depend on each other within a step. The slope of
    // what a mirror reflects is taken from the mirror image of the next cell, so that must be gas.
    if (p.grid.order == 2 && reached > (lines.with_slopes - 1) * (1 + 1e-12)) {
      const std::string surfaces =
          "between two walls, and between a symmetry side and another surface";
      root.fail_hard(
          "propagation",
          lines.with_slopes == 1
              ? "order 2 requires at least 2 cells of gas " + surfaces + "; there is a line with 1"
              : "the time step " + p.units.time().text(p.grid.time_step) +
                    " gives a Courant number of " + number_text(rounded(reached)) +
                    ", with order 2 must be at most " + number_text(lines.with_slopes - 1) +
                    ", one less than the smallest number of cells " + surfaces);
    }
  }

  /// Refuses time steps in which more gas may leave a cut cell than it holds, where there is no
  /// cell to merge it with.
  void check_gaps() {
    const double courant = find_cut_groups(p.grid, find_neighbours(p.grid)).largest_courant;
    if (courant <= 1 + 1e-6) return;
    root.fail_hard("propagation",
                   "the time step " + p.units.time().text(p.grid.time_step) +
                       " is too long for a gap between surfaces that is narrower than a cell; must "
                       "be at most " +
                       p.units.time().text(p.grid.time_step / courant) +
                       ". Reduce \"time_step\" or \"courant\", close the gap, or take finer cells");
  }

  /// The smallest numbers of gas cells on a line along an axis.
  struct ShortestLines {
    int any = 0;          ///< cells between two surfaces
    int with_slopes = 0;  ///< the same, where the slopes at one surface must not reach the other
  };

  ShortestLines shortest_lines() const {
    const int longest = *std::max_element(p.grid.cells.begin(), p.grid.cells.end());
    ShortestLines shortest{longest, std::numeric_limits<int>::max()};
    const auto add = [&](const SurfaceLaw& first, const SurfaceLaw& last, int length) {
      shortest.any = std::min(shortest.any, length);
      const auto answers = [](const SurfaceLaw& law) {
        return law.needs_density() || law.scatters || law.heated;
      };
      const bool walls = answers(first) && answers(last);
      const bool emits = first.diffuse_share > 0 || last.diffuse_share > 0 ||
                         first.made_by_face() || last.made_by_face();
      // A single cell between two mirrors has no slope.
      if (walls || ((first.specular || last.specular) && (emits || length > 1))) {
        shortest.with_slopes = std::min(shortest.with_slopes, length);
      }
    };
    if (p.grid.solids.body.empty()) {
      for (std::size_t d = 0; d < dimensions(); ++d) {
        if (p.grid.sides[2 * d].kind == SideKind::periodic) continue;
        add(surface_law(p.grid.sides[2 * d]), surface_law(p.grid.sides[2 * d + 1]),
            p.grid.cells[d]);
      }
      return shortest;
    }
    const Surfaces surfaces(p.grid.sides, p.grid.solids);
    const auto law_of = [&](int surface) {
      return surface_law(surfaces.conditions[static_cast<std::size_t>(surface)]);
    };
    const Neighbours found = find_neighbours(p.grid);
    for (const Face& face : found.faces) {
      if (face.direction % 2 == 1) continue;
      const auto up = static_cast<std::size_t>(face.direction) + 1;
      int length = 0;
      int next = face.cell;
      bool ends = false;  // at a surface in a cut cell, from which no slope is taken
      while (next >= 0 && !ends) {
        const int beyond = found.of_cell[static_cast<std::size_t>(next)][up];
        ends = beyond == next;
        next = beyond;
        ++length;
      }
      if (ends) continue;
      add(law_of(face.surface), law_of(found.faces[static_cast<std::size_t>(-1 - next)].surface),
          length);
    }
    return shortest;
  }

  void read_velocities() {
    p.reduced = read_reduced(root, dimensions());
    p.grid.velocities = read_velocity_grid(root, p.units, p.reduced ? dimensions() : 3);
    if (root.describing()) return;
    if (p.reduced) integrate_out(p.grid.velocities, dimensions());
    p.grid.velocities[2].rotation = p.gas.rotation;
    check_integrated(root, "collision.body_force", p.body_force, p.grid.velocities);
  }

  /// Reads the places whose distribution is written at the end.
  void read_probes() {
    root.list(
        "probes", "Positions at which the distribution function is written at the end of the run.",
        [&](CaseNode& node) {
          const auto at = node.numbers_or("at", {}, 0,
                                          "Position along each axis, as a fraction of the domain. "
                                          "The distribution of the cell there is written.");
          if (node.describing()) return;
          if (at.size() != dimensions()) {
            node.fail("at", "must be a list of " + std::to_string(dimensions()) +
                                " numbers, one for each dimension");
          }
          std::array<int, 3> cell{0, 0, 0};
          for (std::size_t d = 0; d < dimensions(); ++d) {
            if (!(at[d] >= 0 && at[d] <= 1)) node.fail("at", "must be from 0 to 1");
            cell[d] = std::min(static_cast<int>(at[d] * p.grid.cells[d]), p.grid.cells[d] - 1);
            if (p.grid.has_equal_cells()) continue;
            const auto& lines = p.grid.edges[d];
            const auto beyond = std::upper_bound(lines.begin(), lines.end(), at[d] * p.size[d]);
            cell[d] =
                std::clamp(static_cast<int>(beyond - lines.begin()) - 1, 0, p.grid.cells[d] - 1);
          }
          p.probes.push_back(cell);
        });
  }

  void read_tuning() {
    const auto& force = p.body_force;
    const bool plain = p.model == CollisionModel::bgk && p.grid.order == 1 && !p.grid.split &&
                       force[0] == 0 && force[1] == 0 && force[2] == 0;
    const bool tiles = p.propagation == Propagation::tiles;
    if (tiles && !plain) {
      root.fail("propagation.scheme",
                "scheme \"tiles\" requires model \"bgk\", order 1, no body force and no split");
    }
    const std::string made_by_face =
        surface_with(p.grid.sides, p.grid.solids, &SurfaceLaw::made_by_face);
    if (tiles && !made_by_face.empty()) {
      root.fail("propagation.scheme",
                "\"tiles\" is not available with " + made_by_face + "; take \"fused\"");
    }
    if (tiles && !p.grid.has_equal_cells()) {
      root.fail("propagation.scheme", "\"tiles\" requires cells of the same width; take \"fused\"");
    }
    const bool possible =
        plain && !tiles && !p.grid.in_stages() && made_by_face.empty() && p.grid.has_equal_cells();
    double velocities = 1;
    for (const VelocityAxis& axis : p.grid.velocities) velocities *= axis.count();
    constexpr double least_velocities = 512;
    constexpr int least_cells = 1024;
    p.single_pass_pays_on_host = possible && velocities >= least_velocities;
    p.single_pass_pays =
        p.single_pass_pays_on_host && p.grid.dimensions < 3 && p.grid.cell_count() >= least_cells;
    root.object(
        "tuning", "Kernel parameters. They affect the speed, not the results.",
        [&](CaseNode& tuning) {
          const auto size = tuning.integer("team_size",
                                           "Threads of a team on a GPU, a multiple of 32; ignored "
                                           "on the host. Default: chosen for the kernel.",
                                           Range::between(32, 1024));
          if (size && *size % 32 != 0) tuning.fail("team_size", "must be a multiple of 32");
          if (size) p.team_size = static_cast<int>(*size);
          const std::string single_pass = tuning.choice_or(
              "single_pass", "automatic", {"automatic", "always", "never"},
              "Whether a step passes over the distribution only once, because it "
              "also computes the moments for the next step. Requires model bgk, "
              "order 1, no body force, no split and no IMEX scheme. automatic: from 512 "
              "velocities on, on a GPU in one or two dimensions and from 1024 "
              "cells on.");
          if (single_pass != "automatic") p.single_pass = single_pass == "always";
          if (single_pass == "always" && !possible) {
            tuning.fail("single_pass",
                        tiles                       ? "cannot be combined with scheme \"tiles\""
                        : p.grid.in_stages()        ? "cannot be combined with an IMEX scheme"
                        : !p.grid.has_equal_cells() ? "requires cells of the same width"
                        : plain                     ? "is not available with " + made_by_face
                                : "requires model \"bgk\", order 1, no body force and no split");
          }
        });
  }

  /// Refuses more velocities than 32-bit integers can number.
  void check_size() {
    double values = 1;
    for (const VelocityAxis& axis : p.grid.velocities) values *= axis.entries();
    if (values > max_velocities) {
      root.fail("velocity_grid", "the grid has " + number_text(values) +
                                     " velocities, must have at most " +
                                     number_text(max_velocities));
    }
  }

  void read() {
    p.units = read_gas_units(root);
    p.single_precision = read_single_precision(root);
    read_domain();
    read_collision();
    p.gas = knudsen::read_gas(root, p.model, p.units.reference, warnings);
    read_velocities();
    read_initial();
    read_boundaries();
    read_geometry();
    read_propagation();
    read_probes();
    read_tuning();
    if (root.describing()) return;
    check_rotation(root, p.gas, p.grid.sides, p.grid.solids);
    check_size();
    check_integrated(root, states(), p.grid.velocities, p.units);
    check_velocities(root, p.grid.velocities, states(), p.units,
                     p.conservative ? 0 : p.gas.rarefaction * p.shortest_side(), warnings);
    warn_of_grazing_molecules(p.grid.sides, static_cast<std::size_t>(p.grid.dimensions), p.size,
                              p.gas.rarefaction, p.grid.velocities, {p.body_force}, warnings);
    warn_of_choking(p.grid.sides, p.gas.rotation, warnings);
  }
};

class BgkwProblem final : public GasProblem {
 public:
  BgkwProblem(Parameters parameters, std::vector<std::string> read_warnings)
      : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    warnings = std::move(read_warnings);
    method = "bgkw";
    const bool fused = p.propagation == Propagation::fused;
    variant = std::string(fused                                 ? "fused "
                          : p.propagation == Propagation::tiles ? "tiles "
                                                                : "separate ") +
              model_name(p.model) + (p.conservative ? " conservative" : "") +
              (p.grid.order == 2 ? " order 2" : "") + (p.grid.split ? " split" : "") +
              (p.grid.integration == TimeIntegration::imex_1   ? " imex-1"
               : p.grid.integration == TimeIntegration::imex_2 ? " imex-2"
                                                               : "") +
              (p.grid.solids.cuts ? " cut cells" : "") + (p.reduced ? " reduced" : "") +
              (p.gas.rotation > 0 ? " rotation" : "");
    set_sizes(p.grid.cells, p.grid.dimensions, p.grid.velocities, p.single_precision);
    grid.spacing = p.grid.spacing;
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      if (p.grid.has_equal_cells()) continue;
      grid.spacing[d] = p.size[d] / p.grid.cells[d];
      if (!AxisLines(p.grid.edges[d]).uniform()) grid.edges[d] = p.grid.edges[d];
    }
    const auto cells = static_cast<double>(sizes["cells"]);
    const auto velocities = static_cast<double>(sizes["velocities"]);
    const double value_bytes = p.single_precision ? 4 : 8;
    const bool two_stages = p.grid.integration == TimeIntegration::imex_2;
    // Each of two stages also writes or reads the kept state.
    const int passes = two_stages ? 3 : (p.grid.split ? p.grid.dimensions : 1) + (fused ? 0 : 1);
    const double entries = p.grid.velocities[2].entries();
    bytes_per_step =
        updates_per_step / p.grid.velocities[2].count() * entries * value_bytes * 2 * passes;
    time_per_step = p.grid.time_step;
    set_scales(p.grid.sides);

    const int width = p.single_precision ? values_per_access<float> : values_per_access<double>;
    const int chunks = (p.grid.velocities[2].entries() + width - 1) / width;
    const double row = double(chunks) * width;
    const double padded = velocities / p.grid.velocities[2].count() * row;
    const double stepping = (two_stages ? 3 : 2) * cells * padded * value_bytes;
    // Checks and output take 13 moments of every cell; the six sides take one cell's values each,
    // and so do the parts of sides with a profile.
    // Each cell has a list of its neighbours.
    // The single pass takes sums of every part of a cell, twice, and the factors of the target.
    // What is stated holds for both backends.
    const double parts = std::ceil(p.grid.velocities[1].count() * chunks / 64.0);
    const double sums = 16.0 * (5 + 5 * p.grid.direction_count()) * parts;
    const double factors =
        (row + p.grid.velocities[0].count() + p.grid.velocities[1].count() + width) * value_bytes;
    const double ahead =
        p.single_pass.value_or(p.single_pass_pays_on_host) ? cells * (sums + factors) : 0;
    double parts_of_sides = 0;
    for (const SideCondition& side : p.grid.sides) {
      parts_of_sides += static_cast<double>(side.parts.size());
    }
    // Cercignani-Lampis walls: what enters at each face, and what leaves at those of one direction.
    const ScatteringCount scattering = count_scattering_faces(p.grid);
    const double at_walls = (scattering.faces + scattering.largest_group) * padded * value_bytes;
    const double widths = p.grid.order == 1 || p.grid.has_equal_cells()
                              ? 0
                              : cells * 3 * p.grid.dimensions * value_bytes;
    memory_bytes = static_cast<std::uint64_t>(stepping + ahead + at_walls + widths +
                                              cells * (13 * 8 + 4 * p.grid.direction_count()) +
                                              (7 + parts_of_sides) * padded * value_bytes);
    checkpoint_bytes = static_cast<std::uint64_t>(cells * padded * value_bytes);
    // And the six neighbours and the solid of each cell.
    set_host_bytes(sizeof(Macroscopic) + 6 * sizeof(int) + sizeof(std::int16_t));
    describe(stepping);
    list_quantities();
    set_built(p.grid.solids.built);
    for_ranks = p.propagation != Propagation::tiles &&
                slabs_of<double>(p.grid, 2).front().depth <= max_depth;
  }

  std::vector<GivenFault> faults_of(const GivenFields& given) const override {
    const Parameters& p = parameters_;
    return faults_of_states(p.grid.velocities, p.units, given, [&](std::size_t cell) {
      const int x = p.grid.cell_at(static_cast<int>(cell))[0];
      return with_given(p.initial.at(p.grid.centre(0, x)), given, cell);
    });
  }
  bool is_solid(std::size_t cell) const override {
    const auto& body = parameters_.grid.solids.body;
    return cell < body.size() && body[cell] >= 0;
  }

  std::unique_ptr<Method> create(Backend backend) const override {
    if (estimated) throw std::logic_error("an estimated problem cannot be created");
    return make_method(parameters_, backend);
  }

 private:
  void describe(double stepping_bytes) {
    const Parameters& p = parameters_;
    const auto dimensions = static_cast<std::size_t>(p.grid.dimensions);
    double courant = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      count("cells along " + axis_names[d], p.grid.cells[d]);
      courant += p.grid.velocities[d].max_speed() * p.grid.time_step / p.grid.spacing[d];
    }
    describe_velocities(p.grid.velocities);
    set_si(p.units, p.grid.dimensions);
    describe_surfaces(p.grid.sides, p.grid.solids);
    add("rarefaction parameter", p.gas.rarefaction, "1");
    if (p.gas.rarefaction > 0) {
      add("Knudsen number", knudsen_from_rarefaction(p.gas.rarefaction), "1");
      add("relaxation time at the reference state", 1 / p.gas.rarefaction, "L / v_ref");
      add(p.grid.has_equal_cells() ? "mean free path over cell width"
                                   : "mean free path over smallest cell width along x",
          knudsen_from_rarefaction(p.gas.rarefaction) / p.grid.spacing[0], "1");
    }
    if (p.grid.order == 1 && p.gas.rarefaction > 0) {
      describe_added_viscosity(p.gas.rarefaction);
    }
    add("exponent of the viscosity law", p.gas.viscosity_exponent, "1");
    add("Prandtl number", p.gas.prandtl, "1");
    describe_rotation(p.gas);
    add("time step", p.grid.time_step, "L / v_ref");
    add("time step over relaxation time", p.time_step_over_relaxation_time, "1");
    add("largest Courant number", courant, "1");
    if (!p.grid.solids.cut.empty()) {
      count("cut cells", static_cast<double>(p.grid.solids.cut.size()));
    }
    add("memory of the distribution", stepping_bytes / 1e6, "MB");
    add("memory a phase-space point", static_cast<double>(memory_bytes) / updates_per_step, "B");
  }

  void list_quantities() {
    const Parameters& p = parameters_;
    fields = field_table(p.gas.rotation > 0).quantities();
    given_fields = {"density", "velocity", "temperature"};
    default_fields = {"density", "velocity", "temperature"};
    monitors = monitor_table(p).quantities();
    change_monitors = {"velocity_change", "temperature_change"};
    default_monitors = {"mass", "energy", "max_speed"};
  }

  Parameters parameters_;
};

}  // namespace

std::unique_ptr<Problem> read_problem(CaseNode& root) {
  Reader reader{root, {}, {}};
  reader.read();
  if (root.describing()) return nullptr;
  return std::make_unique<BgkwProblem>(std::move(reader.p), std::move(reader.warnings));
}

}  // namespace knudsen::bgkw
