#include "methods/lbm_d2q9/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "methods/lattice/slip.hpp"
#include "model/side_rules.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Limit of 32-bit node numbers.
constexpr double max_nodes = 2147483647.0;

struct Reader {
  CaseNode& root;
  Parameters p;
  lbm::Grid grid;
  std::vector<std::string> warnings;
  Forcing forcing = Forcing::guo;                             ///< of body forces and buoyancy
  bool has_magic = false;                                     ///< whether the case gives it
  std::array<lbm::OpenProfile::Keys, side_count> profiles{};  ///< of open sides

  void read_domain() {
    p.single_precision =
        root.choice_or("precision", "single", {"single", "double"},
                       "Precision of the stored populations and of the arithmetic.") == "single";
    root.require_object("domain", "The grid of nodes.",
                        [&](CaseNode& domain) { grid = lbm::read_grid(domain, 2, max_nodes); });
  }

  void read_fluid() {
    static_cast<lbm::Fluid&>(p) = lbm::read_fluid(root, grid, p.single_precision, warnings);
    if (grid.spacing && !p.si) {
      root.fail_hard("domain.spacing",
                     "belongs to cases in SI units, which give \"size\" and \"fluid.si\"");
    }
    p.nx = grid.nodes[0];
    p.ny = grid.nodes[1];
  }

  void read_collision() {
    root.object("collision", "Collision operator and body force.", [&](CaseNode& collision) {
      p.collision_operator = lbm::read_operator(collision, Bgk::name, {D2Q9::populations});
      p.magic = lbm::read_magic(collision, p.collision_operator);
      has_magic = collision.has("magic");
      const auto force = lbm::read_body_force(collision, p, 2);
      p.flow_control = lbm::read_flow_control(collision, p, force, grid);
      p.body_force = {force[0], force[1]};
      const std::string scheme = collision.choice_or(
          "forcing", "guo", {"guo", "velocity-shift"},
          "guo: the forcing scheme of Guo, Zheng, Shi (2002). velocity-shift: the equilibrium "
          "velocity is shifted by relaxation time x force / density (Gomes 2016, eq. 18).");
      forcing = scheme == "guo" ? Forcing::guo : Forcing::velocity_shift;
      if (p.has_body_force()) p.forcing = forcing;
      lbm::check_operator(collision, p.collision_operator, D2Q9::populations, p, warnings);
    });
  }

  void read_heat() {
    p.heat = lbm::read_heat(root, p, 2, D2Q5::diffusivity_factor, warnings);
    if (p.heat && p.heat->buoyant() && p.forcing == Forcing::none) p.forcing = forcing;
  }

  void read_propagation() {
    root.object("propagation", "Propagation of the populations.", [&](CaseNode& propagation) {
      const std::string scheme = propagation.choice_or(
          "scheme", "in-place", {"in-place", "two-array", "shared-memory"},
          "in-place: one array of populations (AA pattern). two-array: pull from one array into "
          "another. shared-memory: collision and propagation in scratch memory, then exchange "
          "between row segments (Toelke 2009, Gomes 2016). All give the same flow.");
      p.propagation = scheme == "in-place"    ? Propagation::in_place
                      : scheme == "two-array" ? Propagation::two_array
                                              : Propagation::shared_memory;
      if (p.heat && p.propagation == Propagation::shared_memory) {
        propagation.fail("scheme",
                         "has no temperature; choose \"in-place\" or \"two-array\" "
                         "for a case with \"heat\"");
      }
    });
  }

  /// Slip along this solid is possible.
  void check_slip(CaseNode& geometry, const SolidBody& solid) const {
    if (!solid.shape) geometry.fail_hard("solids", lbm::accommodation_needs_shape(solid.name));
    if (!solid.shape->aligned && p.slip.value_or(lbm::SlipCoefficients{}).second_order != 0) {
      geometry.fail_hard(
          "solids", quote(solid.name) +
                        " has an \"accommodation\", and walls that are curved or oblique to the "
                        "axes and their diagonals have slip of the first order alone; give "
                        "\"fluid.slip\" a \"second_order\" of 0");
    }
  }

  void read_geometry() {
    root.object("geometry", "Solids in the domain.", [&](CaseNode& geometry) {
      const std::string walls = geometry.choice_or(
          "walls", "half-way", {"half-way", "full-way", "interpolated"},
          "half-way: bounce-back, with the wall half-way between a fluid and a solid node. "
          "full-way: the same position, but populations turn round in the solid node. "
          "interpolated: second-order bounce-back at the shape's surface.");
      p.walls = walls == "half-way"   ? WallTreatment::half_way
                : walls == "full-way" ? WallTreatment::full_way
                                      : WallTreatment::interpolated;
      p.solids = read_solids_2d(geometry, p.nx, p.ny, grid.unit, [&](CaseNode& solid) {
        const lbm::SurfaceHeat surface = lbm::read_solid_heat(solid, p.heat, p, warnings);
        if (p.heat) p.heat->solids.push_back(surface);
        p.accommodation.push_back(lbm::read_accommodation_of(solid, p, p.collision_operator, false,
                                                             lbm::accommodation_of_solid));
        if (p.accommodation.back() && p.walls != WallTreatment::interpolated) {
          solid.fail("accommodation", lbm::accommodation_needs_walls);
        }
      });
      for (std::size_t i = 0; i < p.solids.bodies.size(); ++i) {
        if (p.accommodation[i]) check_slip(geometry, p.solids.bodies[i]);
      }
      if (p.heat && p.walls == WallTreatment::full_way) {
        geometry.fail("walls",
                      std::string("must be \"half-way\"") +
                          (p.heat->any_conduction() ? "" : " or \"interpolated\"") +
                          " in a case with \"heat\", which \"full-way\" walls do not return");
      }
      if (p.heat) {
        lbm::set_conduction(geometry, p, *p.heat, p.walls == WallTreatment::interpolated, warnings);
      }
    });
  }

  void read_side(CaseNode& boundaries, Side side) {
    SideCondition& condition = p.sides[side];
    const auto set_heat = [&](const lbm::SurfaceHeat& surface) {
      if (p.heat) p.heat->sides[static_cast<std::size_t>(side)] = surface;
    };
    boundaries.object(
        side_names[side],
        "Boundary condition on the " + side_names[side] + " side; default: periodic.",
        [&](CaseNode& node) {
          const auto set_velocity = [&](const std::vector<double>& v) {
            condition.velocity = {v[0] * p.velocity_unit, v[1] * p.velocity_unit};
          };
          node.alternatives(
              "type", "Kind of boundary condition.",
              {{"periodic",
                "Populations that leave through this side enter through the opposite side.",
                [&](CaseNode&) { condition.kind = SideKind::periodic; }},
               {"wall", "Solid wall half a node spacing outside of the outermost nodes.",
                [&](CaseNode&) {
                  condition.kind = SideKind::wall;
                  set_velocity(
                      node.numbers_or("velocity", {0, 0}, 2,
                                      "Velocity [u, v] of the wall, " + lbm::velocity_unit_text +
                                          "; the component normal to the wall must be 0."));
                  const std::size_t axis = side / 2;
                  if (condition.velocity[axis] != 0) {
                    node.fail("velocity", wall_motion_rule(axis));
                  }
                  condition.mirrored = lbm::read_accommodation(node, p, p.collision_operator);
                  if (condition.mirrored > 0 && p.walls == WallTreatment::full_way) {
                    node.fail("accommodation",
                              "is not for \"full-way\" walls; choose \"half-way\" ones "
                              "(geometry.walls)");
                  }
                  set_heat(lbm::read_wall_heat(node, p.heat, p, warnings));
                }},
               {"velocity", "Prescribed velocity at the outermost nodes (Zou and He 1997).",
                [&](CaseNode&) {
                  condition.kind = SideKind::velocity;
                  lbm::OpenProfile::Keys& keys = profiles[side];
                  set_velocity(lbm::read_velocity_profile(node, p, 2, keys));
                  condition.parabolic = keys.shape == lbm::OpenProfile::Keys::Shape::parabolic;
                  set_heat(lbm::read_open_heat(node, p.heat, true));
                }},
               {"pressure",
                "Prescribed density at the outermost nodes; the pressure is density / 3, and the "
                "velocity along the side is 0 (Zou and He 1997). Between two such sides, n nodes "
                "from "
                "the first to the last, the pressure falls over n - 1 spacings: the gradient is "
                "n / (n - 1) times that over the size of the domain.",
                [&](CaseNode&) {
                  condition.kind = SideKind::pressure;
                  condition.density = lbm::read_pressure_profile(node, p, profiles[side], warnings);
                  set_heat(lbm::read_open_heat(node, p.heat, false));
                }},
               {"outflow",
                "Outflow: incoming populations are copied from the next inner nodes, one step "
                "late.",
                [&](CaseNode&) {
                  condition.kind = SideKind::outflow;
                  set_heat({lbm::SurfaceHeat::Kind::outflow, 0});
                }}});
        });
  }

  void read_boundaries() {
    root.object("boundaries", "Boundary conditions on the four sides.", [&](CaseNode& boundaries) {
      for (const Side side : {west, east, south, north}) read_side(boundaries, side);
      if (boundaries.describing()) return;
      check_periodic_sides(boundaries, p.sides.size(), [&](std::size_t side) {
        return p.sides[side].kind == SideKind::periodic;
      });
      if (p.flow_control) {
        lbm::check_flow_axis(root, *p.flow_control,
                             p.sides[2 * p.flow_control->axis].kind == SideKind::periodic);
      }
      lbm::check_flow_rates(boundaries, p.sides, profiles);
      for (const Side side : {west, east, south, north}) {
        const SideKind kind = p.sides[side].kind;
        const int across = is_across_x(side) ? p.nx : p.ny;
        if (kind != SideKind::periodic && kind != SideKind::wall && across < 3) {
          boundaries.fail(side_names[side], "an open side needs at least 3 nodes across, found " +
                                                std::to_string(across));
        }
      }
    });
  }

  void make_profiles() {
    lbm::Box box;
    box.nodes = {p.nx, p.ny, 1};
    for (const Side side : {west, east, south, north}) box.set_side(side, p.sides[side]);
    for (const SolidBody& body : p.solids.bodies) {
      box.body_moves.push_back(body.velocity != std::array<double, 2>{0, 0});
    }
    const Solids2D& solids = p.solids;
    box.bodies = &solids.body;
    box.planes = NodePlanes(box.nodes);
    if (p.walls == WallTreatment::interpolated) {
      box.wall_distance = [&solids](const auto& at, const auto& next, int body) {
        return solids.wall_distance(at[0], at[1], next[0] - at[0], next[1] - at[1], body);
      };
    }
    for (const Side side : {west, east, south, north}) {
      SideCondition& condition = p.sides[side];
      lbm::OpenProfile::Keys& keys = profiles[side];
      if (!keys.any() || !keys.may_be_made(solids.built, false)) continue;
      lbm::OpenProfile::Place place = box.place_of(side);
      place.dimensions = 2;
      place.parabola[1] = false;
      place.at_normal += side % 2 == 0 ? 0.5 : -0.5;  // the outermost nodes
      place.unit = grid.unit;
      place.velocity_unit = p.velocity_unit;
      place.si = p.si;
      place.velocity = {condition.velocity[0], condition.velocity[1], 0};
      place.density = condition.density;
      condition.profile = std::make_shared<lbm::OpenProfile>(std::move(keys), std::move(place));
    }
  }

  void read_initial() {
    root.object("initial", "Initial state. Default: rest.", [&](CaseNode& initial) {
      initial.alternatives(
          "type", "Kind of initial state.",
          {{"rest", "Fluid at rest with density 1.",
            [&](CaseNode&) { p.initial = InitialState::rest; }},
           {"uniform", "The same velocity everywhere, density 1.",
            [&](CaseNode& node) {
              p.initial = InitialState::uniform;
              const auto v = node.numbers_or("velocity", {0, 0}, 2,
                                             "Velocity [u, v], " + lbm::velocity_unit_text + '.');
              p.initial_velocity = {v[0] * p.velocity_unit, v[1] * p.velocity_unit};
            }},
           {"taylor-green", "Decaying Taylor-Green vortices (1937), for a periodic domain.",
            [&](CaseNode& node) {
              p.initial = InitialState::taylor_green;
              p.initial_velocity = {lbm::read_amplitude(node, p, "Largest velocity"), 0};
              const auto waves = node.integers("wave_numbers", 2,
                                               "Number of waves along x and y. Default: [1, 1].",
                                               Range::at_least(1));
              if (waves) p.wave_numbers = {(*waves)[0], (*waves)[1]};
            }}},
          "rest");
      lbm::read_initial_heat(initial, p.heat);
    });
  }

  void read_scalars() {
    lbm::ScalarSurroundings around;
    around.diffusivity_factor = D2Q5::diffusivity_factor;
    for (const SideCondition& side : p.sides) {
      using Side = lbm::ScalarSurroundings::Side;
      around.sides.push_back(side.kind == SideKind::periodic   ? Side::periodic
                             : side.kind == SideKind::wall     ? Side::wall
                             : side.kind == SideKind::velocity ? Side::velocity
                             : side.kind == SideKind::pressure ? Side::pressure
                                                               : Side::outflow);
    }
    around.solids = p.solid_names();
    around.fields = field_quantities();
    around.monitors = monitor_quantities();
    p.scalars = lbm::read_scalars(root, p, around, warnings);
  }

  void read_tuning() {
    root.object(
        "tuning", "Kernel parameters. They affect the speed, not the results.",
        [&](CaseNode& tuning) {
          const auto get = [&](const char* key, const char* text, double max) {
            const auto value = tuning.integer(key, text, Range::between(1, max));
            return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
          };
          p.segment = get(
              "segment",
              "Number of nodes of a row that one team processes. Default: chosen for the kernel.",
              1048576);
          p.team_size = get(
              "team_size",
              "Threads of a team on a GPU; ignored on the host. Default: chosen for the kernel.",
              1024);
          p.nodes_per_thread = get("nodes_per_thread",
                                   "Number of nodes, 1, 2 or 4, that a GPU thread processes; "
                                   "ignored on the host. Default: chosen for the kernel.",
                                   4);
          if (p.nodes_per_thread == 3) tuning.fail("nodes_per_thread", "must be 1, 2 or 4");
        });
  }

  void check_mach() {
    lbm::MachCheck mach;
    if (p.has_velocity) mach.consider(p.velocity, p.si ? "fluid.si.velocity" : "fluid.velocity");
    const auto consider = [&](const std::array<double, 2>& v, const std::string& path) {
      mach.consider(std::hypot(v[0], v[1]), path);
    };
    for (const Side side : {west, east, south, north}) {
      const SideCondition& condition = p.sides[side];
      const std::string path = "boundaries." + side_names[side];
      consider(condition.velocity, path + ".velocity");
      if (condition.profile) mach.consider(condition.profile->largest_speed(), path);
    }
    for (const SolidBody& body : p.solids.bodies) {
      consider({body.velocity[0] * p.velocity_unit, body.velocity[1] * p.velocity_unit},
               "geometry.solids: velocity of " + body.name);
    }
    consider(p.initial_velocity, "initial");
    if (p.flow_control) {
      mach.consider(std::abs(p.flow_control->velocity),
                    "collision.flow_control." + p.flow_control->key);
    }
    mach.check(root, p, warnings);
  }

  void read() {
    read_domain();
    read_fluid();
    read_collision();
    read_heat();
    read_propagation();
    read_geometry();
    read_boundaries();
    read_initial();
    read_scalars();
    read_tuning();
    if (root.describing()) return;
    lbm::set_magic(root, p, p.has_slip(), has_magic, p.magic);
    make_profiles();
    check_mach();
    lbm::check_mass(p.sides, warnings);
    lbm::check_start(p.sides, p.initial == InitialState::rest && !root.has("initial_fields"),
                     warnings);
    lbm::check_weight(p.body_force, p.sides, std::array{p.nx, p.ny}, warnings);
  }
};

}  // namespace

CollisionParameters<double> Parameters::collision_parameters() const {
  return lbm::collision_parameters(*this, collision_operator, magic, body_force);
}

bool Parameters::has_slip() const {
  return lbm::any_slip(sides) || std::any_of(accommodation.begin(), accommodation.end(),
                                             [](const auto& each) { return each.has_value(); });
}

std::vector<std::string> Parameters::solid_names() const {
  std::vector<std::string> names;
  for (const SolidBody& body : solids.bodies) names.push_back(body.name);
  return names;
}

NodeMap Parameters::node_map() const {
  const WallDistance distance = [this](int x, int y, int q, int body) {
    return solids.wall_distance(x, y, D2Q9::cx(q), D2Q9::cy(q), body);
  };
  const WallDistance facing = [this](int x, int y, int q, int body) {
    return solids.wall_facing(x, y, D2Q9::cx(q), D2Q9::cy(q), body);
  };
  SolidSlip slip_of_solids;
  slip_of_solids.accommodation = accommodation;
  slip_of_solids.coefficients = slip.value_or(lbm::SlipCoefficients{});
  slip_of_solids.mean_free_path = mean_free_path();
  slip_of_solids.relaxation_time = relaxation_time;
  slip_of_solids.magic = magic;
  slip_of_solids.surface = [this](int x, int y, int q, int body) {
    return solids.wall_surface(x, y, D2Q9::cx(q), D2Q9::cy(q), body);
  };
  slip_of_solids.frame = [this](int x, int y, int q, int body) {
    return solids.wall_frame(x, y, D2Q9::cx(q), D2Q9::cy(q), body);
  };
  std::vector<std::array<double, 2>> velocities;
  for (const SolidBody& body : solids.bodies) {
    velocities.push_back({body.velocity[0] * velocity_unit, body.velocity[1] * velocity_unit});
  }
  return make_node_map(nx, ny, solids.body, velocities, sides, walls, distance,
                       heat ? &*heat : nullptr, facing,
                       slip_of_solids.any() ? &slip_of_solids : nullptr);
}

std::unique_ptr<Problem> read_problem(CaseNode& root) {
  Reader reader{root, {}, {}, {}};
  reader.read();
  return lbm::make_if_read(
      root, [&] { return make_problem(std::move(reader.p), std::move(reader.warnings)); });
}

}  // namespace knudsen::lbm_d2q9
