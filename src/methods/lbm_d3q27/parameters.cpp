#include "methods/lbm_d3q27/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "case/part_names.hpp"
#include "core/text.hpp"
#include "methods/lattice/slip.hpp"
#include "methods/lbm_d3q27/make_lattice.hpp"
#include "model/side_rules.hpp"
#include "parallel/together.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Limit of the box of a sparse lattice, for which products of extents are exact in double
/// precision.
constexpr double max_box_nodes = 1e15;
/// Nodes up to which the map of a box without solids is built where only an estimate is asked for.
constexpr double max_quick_nodes = 8e6;

struct Reader {
  CaseNode& root;
  Parameters p;
  lbm::Grid grid;
  std::vector<std::string> warnings;
  std::array<lbm::OpenProfile::Keys, 6> profiles{};  ///< of open sides
  bool has_magic = false;                            ///< whether the case gives it

  void read_domain() {
    const std::string precision =
        root.choice_or("precision", "single", {"single", "double", "half-storage"},
                       "Precision of the stored populations and of the arithmetic. half-storage: "
                       "16 bits stored, arithmetic in single precision.");
    p.precision = precision == "single"   ? StoragePrecision::single_precision
                  : precision == "double" ? StoragePrecision::double_precision
                                          : StoragePrecision::half_storage;
    root.require_object("domain", "The grid of nodes.",
                        [&](CaseNode& domain) { grid = lbm::read_grid(domain, 3, max_box_nodes); });
  }

  void read_fluid() {
    const bool single_precision = p.precision != StoragePrecision::double_precision;
    static_cast<lbm::Fluid&>(p) = lbm::read_fluid(root, grid, single_precision, warnings);
    std::copy(grid.nodes.begin(), grid.nodes.end(), p.nodes.begin());
    if (!p.si) p.spacing = grid.spacing;
  }

  void read_heat() { p.heat = lbm::read_heat(root, p, 3, D3Q7::diffusivity_factor, warnings); }

  void read_propagation() {
    root.object(
        "propagation", "Lattice and propagation of the populations.", [&](CaseNode& propagation) {
          p.populations = propagation.choice_or("lattice", "D3Q27", {"D3Q27", "D3Q19"},
                                                "Set of discrete velocities.") == "D3Q27"
                              ? 27
                              : 19;
          if (p.heat && p.populations != 27) {
            propagation.fail("lattice",
                             "must be \"D3Q27\" in a case with \"heat\", whose temperature is on "
                             "D3Q7 beside it");
          }
          const std::string scheme = propagation.choice_or(
              "scheme", "esoteric-twist",
              {"esoteric-twist", "esoteric-pull", "aa-pattern", "two-array"},
              "esoteric-twist, esoteric-pull, aa-pattern: in place, with one array of populations. "
              "two-array: pull from one array into another. All give the same flow.");
          p.propagation = scheme == "esoteric-twist"  ? Propagation::esoteric_twist
                          : scheme == "esoteric-pull" ? Propagation::esoteric_pull
                          : scheme == "aa-pattern"    ? Propagation::aa_pattern
                                                      : Propagation::two_array;
          p.sparse = propagation.choice_or(
                         "nodes", "dense", {"dense", "sparse"},
                         "dense: memory for every node of the domain. sparse: memory only for "
                         "fluid nodes and the few nodes next to them, with three neighbour indices "
                         "a node; requires the scheme esoteric-twist.") == "sparse";
          if (p.propagation == Propagation::esoteric_twist) return;
          if (p.sparse) {
            propagation.fail("nodes", "sparse nodes require the scheme \"esoteric-twist\"");
          }
          if (p.precision == StoragePrecision::half_storage) {
            propagation.fail(
                "scheme", "the precision \"half-storage\" requires the scheme \"esoteric-twist\"");
          }
        });
  }

  /// Reads the keys of the WALE model, after that of Smagorinsky.
  void read_wale(CaseNode& collision) {
    p.wale_constant = lbm::read_eddy_constant(
        collision, p.collision_operator, "wale", &OperatorTraits::models_eddies,
        "Constant C of the eddy viscosity by WALE (Nicoud and Ducros 1999), which is small close "
        "to walls and 0 in shear flow",
        "0.5");
    p.wale_interval = collision.integer_or(
        "wale_interval", p.wale_interval,
        "Steps from one evaluation of the eddy viscosity by WALE to the next. An evaluation takes "
        "about a quarter of the time of a step on a GPU.",
        Range::between(1, 1e6));
    if (p.wale_constant > 0 && p.smagorinsky_constant > 0) {
      collision.fail("wale", "is another eddy viscosity than \"smagorinsky\"; keep one of the two");
    }
    if (p.wale_constant == 0 && collision.has("wale_interval")) {
      collision.fail("wale_interval", "belongs to \"wale\"");
    }
  }
  void read_collision() {
    root.object("collision", "Collision operator and body force.", [&](CaseNode& collision) {
      p.collision_operator =
          lbm::read_operator(collision, Trt::name, {D3Q27::populations, D3Q19::populations});
      p.magic = lbm::read_magic(collision, p.collision_operator);
      has_magic = collision.has("magic");
      p.smagorinsky_constant = lbm::read_eddy_constant(
          collision, p.collision_operator, "smagorinsky", &OperatorTraits::has_eddy_viscosity,
          "Smagorinsky constant of the eddy viscosity", "0.1");
      read_wale(collision);
      if (p.smagorinsky_constant > 0) p.eddy_viscosity = EddyViscosity::smagorinsky;
      if (p.wale_constant > 0) p.eddy_viscosity = EddyViscosity::given;
      const auto force = lbm::read_body_force(collision, p, 3);
      p.flow_control = lbm::read_flow_control(collision, p, force, grid);
      p.body_force = {force[0], force[1], force[2]};
      lbm::check_operator(collision, p.collision_operator, p.populations, p, warnings);
    });
  }

  std::array<double, 3> velocity_of(CaseNode& node, const std::string& text) const {
    const auto v = node.numbers_or("velocity", {0, 0, 0}, 3, text);
    return {v[0] * p.velocity_unit, v[1] * p.velocity_unit, v[2] * p.velocity_unit};
  }

  void read_reflection(CaseNode& node, int side, SideCondition& condition) const {
    const bool reflecting =
        node.boolean_or("reflecting", false,
                        "true: the value holds in every step, and sound waves are reflected. "
                        "false: it holds for the mean over four times the time that sound takes to "
                        "cross the domain; faster changes pass through the side.");
    if (node.describing()) return;
    const double across = p.nodes[static_cast<std::size_t>(side / 2)];
    condition.mean_rate = reflecting ? 0 : lbm::sound_speed / (4 * across);
  }

  void read_side(CaseNode& boundaries, int side) {
    const auto number = static_cast<std::size_t>(side);
    SideCondition& condition = p.sides[number];
    const auto axis = static_cast<std::size_t>(side / 2);
    const auto set_heat = [&](const lbm::SurfaceHeat& surface) {
      if (p.heat) p.heat->sides[number] = surface;
    };
    boundaries.object(
        side_names[number],
        "Boundary condition on the " + side_names[number] + " side; default: periodic.",
        [&](CaseNode& node) {
          node.alternatives(
              "type",
              "Kind of boundary condition. Walls and given velocities are half a node spacing "
              "outside "
              "of the outermost nodes, given pressures at these nodes.",
              {{"periodic",
                "Populations that leave through this side enter through the opposite side.",
                [&](CaseNode&) { condition.kind = SideKind::periodic; }},
               {"wall", "Solid wall.",
                [&](CaseNode&) {
                  condition.kind = SideKind::wall;
                  condition.velocity = velocity_of(
                      node, "Velocity [u, v, w] of the wall, " + lbm::velocity_unit_text +
                                "; the component normal to the wall must be 0.");
                  if (condition.velocity[axis] != 0) {
                    node.fail("velocity", wall_motion_rule(axis));
                  }
                  set_heat(lbm::read_wall_heat(node, p.heat, p, warnings));
                  condition.mirrored = lbm::read_accommodation(
                      node, p, p.collision_operator, p.eddy_viscosity != EddyViscosity::none);
                }},
               {"velocity", "Prescribed velocity by bounce-back.",
                [&](CaseNode&) {
                  condition.kind = SideKind::velocity;
                  lbm::OpenProfile::Keys& keys = profiles[number];
                  const auto v = lbm::read_velocity_profile(node, p, 3, keys);
                  condition.velocity = {v[0] * p.velocity_unit, v[1] * p.velocity_unit,
                                        v[2] * p.velocity_unit};
                  condition.parabolic = keys.shape == lbm::OpenProfile::Keys::Shape::parabolic;
                  set_heat(lbm::read_open_heat(node, p.heat, true));
                  read_reflection(node, side, condition);
                }},
               {"pressure",
                "Prescribed density at the outermost nodes by anti-bounce-back; the pressure is "
                "density / 3, and the velocity along the side is 0. Between two such sides, n "
                "nodes "
                "from the first to the last, the pressure falls over n - 1 spacings: the gradient "
                "is "
                "n / (n - 1) times that over the size of the domain.",
                [&](CaseNode&) {
                  condition.kind = SideKind::pressure;
                  condition.density =
                      lbm::read_pressure_profile(node, p, profiles[number], warnings);
                  set_heat(lbm::read_open_heat(node, p.heat, false));
                  read_reflection(node, side, condition);
                }},
               {"outflow",
                "Outflow: a pressure side of density 1, which holds for the mean over forty times "
                "the time that sound takes to cross the domain. It has no friction, so fluid may "
                "flow along it.",
                [&](CaseNode&) {
                  condition.kind = SideKind::pressure;
                  condition.frictionless = true;
                  set_heat({lbm::SurfaceHeat::Kind::outflow, 0});
                  if (node.describing()) return;
                  condition.mean_rate = lbm::sound_speed / (40.0 * p.nodes[axis]);
                }}});
        });
  }

  void read_boundaries() {
    root.object("boundaries", "Boundary conditions on the six sides.", [&](CaseNode& boundaries) {
      for (int side = 0; side < 6; ++side) read_side(boundaries, side);
      if (boundaries.describing()) return;
      check_periodic_sides(boundaries, p.sides.size(), [&](std::size_t side) {
        return p.sides[side].kind == SideKind::periodic;
      });
      if (p.flow_control) {
        lbm::check_flow_axis(root, *p.flow_control,
                             p.sides[2 * p.flow_control->axis].kind == SideKind::periodic);
      }
      lbm::check_flow_rates(boundaries, p.sides, profiles);
    });
  }

  void make_profiles() {
    lbm::Box box;
    box.nodes = p.nodes;
    for (std::size_t side = 0; side < 6; ++side) box.set_side(side, p.sides[side]);
    for (const SolidBody3D& body : p.solids.bodies) {
      box.body_moves.push_back(body.velocity != decltype(body.velocity){});
    }
    const Solids3D& solids = p.solids;
    std::vector<std::int16_t> bodies;  // of the side's nodes, where those of all are not known
    if (p.walls == WallTreatment::interpolated) {
      box.wall_distance = [&solids](const auto& at, const auto& next, int body) {
        return solids.wall_distance(at[0], at[1], at[2], next[0] - at[0], next[1] - at[1],
                                    next[2] - at[2], body);
      };
    }
    for (std::size_t side = 0; side < 6; ++side) {
      SideCondition& condition = p.sides[side];
      lbm::OpenProfile::Keys& keys = profiles[side];
      if (!keys.any() || !keys.may_be_made(solids.built, p.estimated)) continue;
      box.bodies = &solids.body;
      box.planes = solids.planes;
      if (!solids.planes.whole()) {
        const int normal = static_cast<int>(side / 2);
        const int plane = side % 2 == 0 ? 0 : p.nodes[side / 2] - 1;
        box.planes = NodePlanes(p.nodes, normal, plane, plane + 1, p.nodes[side / 2]);
        bodies = solids.body_in(box.planes);
        box.bodies = &bodies;
      }
      lbm::OpenProfile::Place place = box.place_of(side);
      place.unit = grid.unit;
      place.velocity_unit = p.velocity_unit;
      place.si = p.si;
      place.velocity = condition.velocity;
      place.density = condition.density;
      condition.profile = std::make_shared<lbm::OpenProfile>(std::move(keys), std::move(place));
    }
  }

  void read_geometry() {
    root.object("geometry", "Solids in the domain.", [&](CaseNode& geometry) {
      const std::string walls = geometry.choice_or(
          "walls", "implicit", {"implicit", "half-way", "interpolated"},
          "implicit: bounce-back with the wall half-way between a fluid and a solid node, without "
          "work in solid nodes; populations return after two steps. half-way: the same wall, they "
          "return after one step. interpolated: second-order bounce-back at the shape's surface.");
      p.walls = walls == "implicit"   ? WallTreatment::implicit
                : walls == "half-way" ? WallTreatment::half_way
                                      : WallTreatment::interpolated;
      const std::array<bool, 3> periodic{p.sides[west].kind == SideKind::periodic,
                                         p.sides[south].kind == SideKind::periodic,
                                         p.sides[bottom].kind == SideKind::periodic};
      p.solids = read_solids_3d(
          geometry, p.nodes[0], p.nodes[1], p.nodes[2], grid.unit, periodic,
          [&](CaseNode& solid) {
            const lbm::SurfaceHeat surface = lbm::read_solid_heat(solid, p.heat, p, warnings);
            if (p.heat) p.heat->solids.push_back(surface);
            p.accommodation.push_back(lbm::read_accommodation_of(
                solid, p, p.collision_operator, p.eddy_viscosity != EddyViscosity::none,
                lbm::accommodation_of_solid));
            if (p.accommodation.back() && p.walls != WallTreatment::interpolated) {
              solid.fail("accommodation", lbm::accommodation_needs_walls);
            }
          },
          !p.shared);
      for (std::size_t i = 0; i < p.solids.bodies.size(); ++i) {
        const SolidBody3D& solid = p.solids.bodies[i];
        if (!p.accommodation[i] || !p.solids.built || solid.shape) continue;
        geometry.fail_hard("solids", lbm::accommodation_needs_shape(solid.name));
      }
      if (p.heat) {
        lbm::set_conduction(geometry, p, *p.heat, p.walls == WallTreatment::interpolated, warnings);
      }
      if (p.solids.bodies.empty()) p.solids.body = {};
      read_planes(geometry);
    });
    if (root.describing()) return;
    const double nodes = double(p.nodes[0]) * p.nodes[1] * p.nodes[2];
    p.estimated = !p.solids.built || (root.estimating() && nodes > max_quick_nodes);
    check_host_memory();
  }

  /// Refuses a box whose maps of nodes the host cannot hold, before they are built.
  void check_host_memory() {
    if (!p.estimated || (!p.sparse && p.solids.bodies.empty())) return;
    // The body of every node and, if sparse, its number.
    const double nodes = double(p.nodes[0]) * p.nodes[1] * p.nodes[2];
    // Ranks of other nodes hold parts of the maps; a temperature and scalars need all
    // (share_geometry).
    const double of_node = world().size_of_node();
    const double part = !p.shared                       ? 1
                        : p.heat || root.has("scalars") ? of_node
                                                        : of_node / world().size();
    const double needed = part * nodes * ((p.solids.bodies.empty() ? 0 : 2) + (p.sparse ? 4 : 0));
    const auto available = static_cast<double>(backend_info(Backend::host).memory_free);
    if (needed <= available) return;
    const auto gigabytes = [](double bytes) {
      return lbm::value_text(std::round(bytes / 1e8) / 10);
    };
    root.fail_hard("", "domain: the maps of its " + number_text(nodes) + " nodes need " +
                           gigabytes(needed) + " GB of the host's memory, but only " +
                           gigabytes(available) + " GB are free; make the domain smaller");
  }

  /// Collective: cuts the lattice among the ranks, and finds the solids of the nodes that this one
  /// needs: those of its planes and of the planes beside them. A temperature and scalars need all.
  void share_geometry() {
    if (!p.shared || p.estimated) return;
    Solids3D& solids = p.solids;
    const bool any = !solids.bodies.empty();
    const bool whole = p.heat || !p.scalars.empty();
    std::vector<std::uint64_t> covers(solids.bodies.size(), 0);
    if (any && whole) solids.rasterise(NodePlanes(p.nodes), covers);
    if (any && !whole && p.sparse) {
      const auto [begin, end] = counted_planes(p.domain());
      solids.rasterise(p.domain().with_neighbours(2, begin, end), covers);
    }
    p.cut = cut_lattice(p.domain(), p.sparse);
    if (!any) return;
    if (!whole) {
      solids.rasterise(
          p.domain().with_neighbours(p.cut->axis(), p.cut->own_begin(), p.cut->own_end()), covers);
    }
    p.sharing().sum(covers);
    solids.require_nodes(covers);
    if (solids.planes.whole()) solids.drop_images();
  }

  void read_planes(CaseNode& geometry) {
    PartNames names;
    for (const std::string& side : side_names) names.reserve(side, "a side of the domain");
    for (const SolidBody3D& body : p.solids.bodies) names.reserve(body.name, "a solid");
    geometry.list(
        "flow_planes", "Planes through which the flow rate is a monitor.", [&](CaseNode& node) {
          FlowPlane plane;
          plane.name = node.require_text(
              "name", "Name of the plane: " + std::string(PartNames::rule) +
                          ". Unique, not the name of a side or solid. The monitor is "
                          "\"<name>.flow_rate\".");
          names.add(node, "name", plane.name, "another plane");
          const std::string axis =
              node.require_choice("axis", {"x", "y", "z"}, "Axis normal to the plane.");
          plane.axis = axis == "x" ? 0 : (axis == "y" ? 1 : 2);
          const double position =
              node.require_number("position", "Position on that axis, in the case's length unit.");
          if (node.describing()) return;
          const double nodes = p.nodes[static_cast<std::size_t>(plane.axis)];
          const double place = position * grid.unit;
          if (!(place >= 0 && place <= nodes)) {
            node.fail("position",
                      "must be in the domain, between 0 and " + number_text(nodes / grid.unit));
          }
          plane.position = static_cast<int>(std::min(place, nodes - 1));
          p.planes.push_back(plane);
        });
  }

  void read_initial() {
    root.object("initial", "Initial state. Default: rest.", [&](CaseNode& initial) {
      InitialFlow& flow = p.initial;
      const auto amplitude = [&](CaseNode& node, const std::string& text) {
        flow.velocity[0] = lbm::read_amplitude(node, p, text);
      };
      const std::string highest = "Largest velocity along x";
      initial.alternatives(
          "type", "Kind of initial state.",
          {{"rest", "Fluid at rest with density 1.",
            [&](CaseNode&) { flow.kind = InitialKind::rest; }},
           {"uniform", "The same velocity everywhere, density 1.",
            [&](CaseNode& node) {
              flow.kind = InitialKind::uniform;
              const auto v =
                  velocity_of(node, "Velocity [u, v, w], " + lbm::velocity_unit_text + '.');
              std::copy(v.begin(), v.end(), flow.velocity);
            }},
           {"taylor-green",
            "Taylor-Green vortices (1937), for a periodic domain: u = a sin(x) cos(y) cos(z), v = "
            "-b cos(x) sin(y) cos(z), w = 0.",
            [&](CaseNode& node) {
              flow.kind = InitialKind::taylor_green;
              amplitude(node, highest);
              const auto waves = node.integers("wave_numbers", 3,
                                               "Number of waves along x, y and z; 0 along z gives "
                                               "a plane flow. Default: [1, 1, 1].",
                                               Range::at_least(0));
              if (!waves) return;
              if ((*waves)[0] == 0 || (*waves)[1] == 0) {
                node.fail("wave_numbers", "must be at least 1 along x and y");
              }
              for (std::size_t a = 0; a < 3; ++a) {
                flow.wave_numbers[a] = static_cast<double>((*waves)[a]);
              }
            }},
           {"shear-layer",
            "Two shear layers across y, with a small wave along x (Minion and Brown 1997).",
            [&](CaseNode& node) {
              flow.kind = InitialKind::shear_layer;
              amplitude(node, highest);
              flow.width = node.number_or("width", 0.05,
                                          "Width of a layer, as a fraction of the extent along y.",
                                          Range::between(1e-6, 1));
            }},
           {"noise", "Independent random velocities and densities in all nodes.",
            [&](CaseNode& node) {
              flow.kind = InitialKind::noise;
              amplitude(node, "Largest velocity component");
              flow.seed = static_cast<std::uint64_t>(node.integer_or(
                  "seed", 1, "Seed of the random numbers. The same seed gives the same state.",
                  Range::at_least(0)));
            }}},
          "rest");
      lbm::read_initial_heat(initial, p.heat);
      for (std::size_t a = 0; a < 3; ++a) flow.size[a] = p.nodes[a];
    });
  }

  void read_scalars() {
    lbm::ScalarSurroundings around;
    around.diffusivity_factor = D3Q7::diffusivity_factor;
    around.axes = D3Q7::name;
    around.diagonals = D3Q19::name;
    for (const SideCondition& side : p.sides) {
      using Side = lbm::ScalarSurroundings::Side;
      around.sides.push_back(side.kind == SideKind::periodic   ? Side::periodic
                             : side.kind == SideKind::wall     ? Side::wall
                             : side.kind == SideKind::velocity ? Side::velocity
                             : side.frictionless               ? Side::outflow
                                                               : Side::pressure);
    }
    around.solids = p.solid_names();
    around.fields = field_quantities();
    around.monitors = monitor_quantities();
    p.scalars = lbm::read_scalars(root, p, around, warnings);
  }

  void read_tuning() {
    root.object("tuning", "Kernel parameters. They affect the speed, not the results.",
                [&](CaseNode& tuning) {
                  const auto get = [&](const char* key, const char* text, double max) {
                    const auto value = tuning.integer(key, text, Range::between(1, max));
                    return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
                  };
                  p.segment = get("segment",
                                  "Number of nodes that a host thread processes at a time. "
                                  "Default: chosen for the kernel.",
                                  1048576);
                  p.team_size = get("team_size",
                                    "Threads of a team on a GPU; ignored on the host. Values above "
                                    "the kernel's own size, 128 or 256, count as that size.",
                                    256);
                  p.strip = get("strip",
                                "Number of nodes of a layer that are numbered (sparse) or "
                                "processed (dense, in place, on a GPU) before the next layer. A "
                                "checkpoint of a sparse run can be read only with the same strip.",
                                2147483647);
                });
  }

  void check_mach() {
    lbm::MachCheck mach;
    if (p.has_velocity) mach.consider(p.velocity, p.si ? "fluid.si.velocity" : "fluid.velocity");
    const auto size = [](const double* v) {
      return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    };
    for (std::size_t side = 0; side < 6; ++side) {
      const std::string path = "boundaries." + side_names[side];
      const SideCondition& condition = p.sides[side];
      mach.consider(size(condition.velocity.data()), path + ".velocity");
      if (condition.profile) mach.consider(condition.profile->largest_speed(), path);
    }
    for (const SolidBody3D& body : p.solids.bodies) {
      mach.consider(size(body.velocity.data()) * p.velocity_unit,
                    "geometry.solids: velocity of " + body.name);
    }
    mach.consider(size(p.initial.velocity), "initial");
    if (p.flow_control) {
      mach.consider(std::abs(p.flow_control->velocity),
                    "collision.flow_control." + p.flow_control->key);
    }
    mach.check(root, p, warnings);
  }

  /// Refuses a box that is too large for a dense lattice, before memory is allocated for it.
  void check_dense_size() {
    double nodes = 1;
    for (const int extent : p.nodes) nodes *= extent;
    if (p.sparse || nodes <= max_nodes) return;
    root.fail_hard("", "domain: the grid has more than " + number_text(max_nodes) +
                           " nodes, the limit of a dense lattice; use \"sparse\" nodes "
                           "(propagation.nodes)");
  }

  void read() {
    p.shared = !root.describing() && root.read_together() && world().size() > 1;
    read_domain();
    read_fluid();
    read_heat();
    read_propagation();
    if (!root.describing()) check_dense_size();
    read_collision();
    read_boundaries();
    read_geometry();
    read_initial();
    if (p.heat && p.precision == StoragePrecision::half_storage && !root.describing()) {
      lbm::set_stored_unit(root, *std::max_element(p.nodes.begin(), p.nodes.end()), *p.heat);
    }
    read_scalars();
    read_tuning();
    if (root.describing()) return;
    lbm::set_magic(root, p, p.has_slip(), has_magic, p.magic);
    share_geometry();
    make_profiles();
    check_mach();
    lbm::check_mass(p.sides, warnings);
    lbm::check_start(p.sides, p.initial.kind == InitialKind::rest && !root.has("initial_fields"),
                     warnings);
    lbm::check_weight(p.body_force, p.sides, p.nodes, warnings);
  }
};

}  // namespace

std::size_t Parameters::value_bytes() const {
  return precision == StoragePrecision::double_precision ? sizeof(double) : sizeof(float);
}
std::size_t Parameters::stored_bytes() const {
  return precision == StoragePrecision::half_storage ? sizeof(HalfPopulation) : value_bytes();
}
std::size_t Parameters::eddy_bytes() const {
  return has_device_backend && precision != StoragePrecision::double_precision
             ? sizeof(HalfPopulation)
             : value_bytes();
}

int Parameters::all_populations() const {
  if (!heat) return populations;
  return populations + D3Q7::populations * (precision == StoragePrecision::half_storage ? 2 : 1);
}

CollisionParameters<double> Parameters::collision_parameters() const {
  return lbm::collision_parameters(*this, collision_operator, magic, body_force,
                                   smagorinsky_constant);
}

bool Parameters::has_slip() const {
  return lbm::any_slip(sides) || std::any_of(accommodation.begin(), accommodation.end(),
                                             [](const auto& each) { return each.has_value(); });
}

std::vector<std::string> Parameters::solid_names() const {
  std::vector<std::string> names;
  for (const SolidBody3D& body : solids.bodies) names.push_back(body.name);
  return names;
}

Sharing Parameters::sharing() const {
  if (!shared) return {};
  return {world().rank(), world().size(), [](std::vector<std::uint64_t>& numbers) {
            meet();
            world().sum(numbers);
          }};
}

Domain Parameters::domain() const {
  Domain domain;
  domain.nodes = nodes;
  domain.body = &solids.body;
  domain.body_planes = solids.planes;
  for (const SolidBody3D& body : solids.bodies) {
    domain.body_velocities.push_back({body.velocity[0] * velocity_unit,
                                      body.velocity[1] * velocity_unit,
                                      body.velocity[2] * velocity_unit});
  }
  domain.sides = sides;
  domain.treatment = walls;
  domain.wall_distance = [this](int x, int y, int z, int q, int body) {
    return solids.wall_distance(x, y, z, D3Q27::velocity(q, 0), D3Q27::velocity(q, 1),
                                D3Q27::velocity(q, 2), body);
  };
  domain.wall_facing = [this](int x, int y, int z, int q, int body) {
    return solids.wall_facing(x, y, z, D3Q27::velocity(q, 0), D3Q27::velocity(q, 1),
                              D3Q27::velocity(q, 2), body);
  };
  SolidSlip slip_of_solids{{accommodation, slip.value_or(lbm::SlipCoefficients{}), mean_free_path(),
                            relaxation_time, magic},
                           {},
                           {}};
  if (slip_of_solids.any()) {
    slip_of_solids.normal = [this](int x, int y, int z, int q, int body) {
      return solids.wall_normal(x, y, z, D3Q27::velocity(q, 0), D3Q27::velocity(q, 1),
                                D3Q27::velocity(q, 2), body);
    };
    slip_of_solids.frame = [this](int x, int y, int z, int q, int body) {
      return solids.wall_frame(x, y, z, D3Q27::velocity(q, 0), D3Q27::velocity(q, 1),
                               D3Q27::velocity(q, 2), body);
    };
    domain.slip = std::move(slip_of_solids);
  }
  domain.populations = populations;
  domain.heat = heat ? &*heat : nullptr;
  if (strip) domain.strip_nodes = *strip;
  domain.sharing = sharing();
  domain.cut = cut;
  return domain;
}

std::unique_ptr<Problem> read_problem(CaseNode& root) {
  Reader reader{root, {}, {}, {}};
  reader.read();
  return lbm::make_if_read(
      root, [&] { return make_problem(std::move(reader.p), std::move(reader.warnings)); });
}

}  // namespace knudsen::lbm_d3q27
