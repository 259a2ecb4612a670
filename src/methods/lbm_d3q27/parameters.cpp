#include "methods/lbm_d3q27/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "methods/lbm_d3q27/make_lattice.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Limit of the box of a sparse lattice, for which products of extents are exact in double
/// precision.
constexpr double max_box_nodes = 1e15;

struct Reader {
  CaseNode& root;
  Parameters p;
  double unit = 1;  ///< node spacings in one length unit of the case
  std::vector<std::string> warnings;

  void read_domain() {
    const std::string precision = root.choice_or(
        "precision", "single", {"single", "double", "half-storage"},
        "Precision of the stored populations and of the arithmetic; half-storage: 16 bits stored, "
        "single-precision arithmetic.");
    p.precision = precision == "single"   ? StoragePrecision::single_precision
                  : precision == "double" ? StoragePrecision::double_precision
                                          : StoragePrecision::half_storage;
    root.require_object("domain", "The grid of nodes.", [&](CaseNode& domain) {
      const lbm::Grid grid = lbm::read_grid(domain, 3, max_box_nodes);
      std::copy(grid.nodes.begin(), grid.nodes.end(), p.nodes.begin());
      unit = grid.unit;
      p.spacing = domain.number("spacing", "Metres of a node spacing, for results in SI units.",
                                Range::positive());
    });
  }

  void read_propagation() {
    root.object("propagation", "How populations move.", [&](CaseNode& propagation) {
      p.populations = propagation.choice_or("lattice", "D3Q27", {"D3Q27", "D3Q19"},
                                            "Set of velocities.") == "D3Q27"
                          ? 27
                          : 19;
      const std::string scheme = propagation.choice_or(
          "scheme", "esoteric-twist",
          {"esoteric-twist", "esoteric-pull", "aa-pattern", "two-array"},
          "esoteric-twist, esoteric-pull, aa-pattern: one array. two-array: pull from one array "
          "into another. All give the same flow.");
      p.propagation = scheme == "esoteric-twist"  ? Propagation::esoteric_twist
                      : scheme == "esoteric-pull" ? Propagation::esoteric_pull
                      : scheme == "aa-pattern"    ? Propagation::aa_pattern
                                                  : Propagation::two_array;
      p.sparse = propagation.choice_or(
                     "nodes", "dense", {"dense", "sparse"},
                     "dense: memory for every node of the box. sparse: for fluid nodes and the few "
                     "next to them, each with three indices of neighbours.") == "sparse";
      if (p.propagation == Propagation::esoteric_twist) return;
      if (p.sparse) {
        propagation.fail("nodes", "sparse nodes go with the scheme \"esoteric-twist\" alone");
      }
      if (p.precision == StoragePrecision::half_storage) {
        propagation.fail("scheme",
                         "the precision \"half-storage\" goes with \"esoteric-twist\" alone");
      }
    });
  }

  void read_collision() {
    root.object("collision", "Collision operator and body force.", [&](CaseNode& collision) {
      p.collision_operator =
          lbm::read_operator(collision, Trt::name, {D3Q27::populations, D3Q19::populations});
      p.magic = lbm::read_magic(collision, p.collision_operator);
      p.smagorinsky_constant = lbm::read_smagorinsky_constant(collision, p.collision_operator);
      if (p.smagorinsky_constant > 0) p.eddy_viscosity = EddyViscosity::smagorinsky;
      const auto force = collision.numbers_or(
          "body_force", {0, 0, 0}, 3, "Force on a unit of volume along x, y and z, lattice units.");
      p.body_force = {force[0], force[1], force[2]};
      lbm::check_operator(collision, p.collision_operator, p.populations, p);
    });
  }

  std::array<double, 3> velocity_of(CaseNode& node, const std::string& text) const {
    const auto v = node.numbers_or("velocity", {0, 0, 0}, 3, text);
    return {v[0] * p.velocity, v[1] * p.velocity, v[2] * p.velocity};
  }

  void read_reflection(CaseNode& node, int side, SideCondition& condition) const {
    const bool reflecting = node.boolean_or(
        "reflecting", false,
        "true: the value holds at every step, and sound is reflected. false: it holds for the "
        "mean flow over four times what sound takes through the domain; faster changes leave.");
    if (node.describing()) return;
    const double across = p.nodes[static_cast<std::size_t>(side / 2)];
    condition.mean_rate = reflecting ? 0 : lbm::sound_speed / (4 * across);
  }

  void read_side(CaseNode& boundaries, int side) {
    const auto number = static_cast<std::size_t>(side);
    SideCondition& condition = p.sides[number];
    const auto axis = static_cast<std::size_t>(side / 2);
    boundaries.object(
        side_names[number], "Condition on the " + side_names[number] + " side; default: periodic.",
        [&](CaseNode& node) {
          node.alternatives(
              "type", "What holds there, at half a spacing from the outermost nodes.",
              {{"periodic", "What leaves here comes in on the opposite side.",
                [&](CaseNode&) { condition.kind = SideKind::periodic; }},
               {"wall", "Solid wall.",
                [&](CaseNode&) {
                  condition.kind = SideKind::wall;
                  condition.velocity =
                      velocity_of(node, "Velocity of the wall, in characteristic velocities.");
                  if (condition.velocity[axis] != 0) {
                    node.fail("velocity", "a wall moves along itself only: the " +
                                              axis_names[axis] + " component must be 0");
                  }
                }},
               {"velocity", "Prescribed velocity, by bounce-back.",
                [&](CaseNode&) {
                  condition.kind = SideKind::velocity;
                  condition.velocity = velocity_of(
                      node, "Velocity (its peak when parabolic), in characteristic velocities.");
                  condition.parabolic =
                      node.choice_or("profile", "uniform", {"uniform", "parabolic"},
                                     "Shape along the axes of the side that are not periodic.") ==
                      "parabolic";
                  read_reflection(node, side, condition);
                }},
               {"pressure", "Prescribed density (pressure is density / 3), by anti-bounce-back.",
                [&](CaseNode&) {
                  condition.kind = SideKind::pressure;
                  condition.density =
                      node.number_or("density", 1, "Density; the fluid's is 1.", Range::positive());
                  read_reflection(node, side, condition);
                }},
               {"outflow",
                "A pressure side of density 1 that holds for the mean flow over forty times what "
                "sound takes through the domain.",
                [&](CaseNode&) {
                  condition.kind = SideKind::pressure;
                  if (node.describing()) return;
                  condition.mean_rate = lbm::sound_speed / (40.0 * p.nodes[axis]);
                }}});
        });
  }

  void read_boundaries() {
    root.object("boundaries", "Conditions on the six sides.", [&](CaseNode& boundaries) {
      for (int side = 0; side < 6; ++side) read_side(boundaries, side);
      if (boundaries.describing()) return;
      for (std::size_t low = 0; low < 6; low += 2) {
        const bool low_periodic = p.sides[low].kind == SideKind::periodic;
        const bool high_periodic = p.sides[low + 1].kind == SideKind::periodic;
        if (low_periodic != high_periodic) {
          boundaries.fail(side_names[low_periodic ? low : low + 1],
                          "is periodic, so the opposite side (" +
                              side_names[low_periodic ? low + 1 : low] + ") must be periodic too");
        }
      }
    });
  }

  void read_geometry() {
    root.object("geometry", "Solids in the domain.", [&](CaseNode& geometry) {
      const std::string walls = geometry.choice_or(
          "walls", "implicit", {"implicit", "half-way", "interpolated"},
          "implicit: bounce-back at half the link by leaving solid nodes untouched, back after two "
          "steps. half-way: the same wall, back after one step. interpolated: second order, walls "
          "where the shapes have them.");
      p.walls = walls == "implicit"   ? WallTreatment::implicit
                : walls == "half-way" ? WallTreatment::half_way
                                      : WallTreatment::interpolated;
      const std::array<bool, 3> periodic{p.sides[west].kind == SideKind::periodic,
                                         p.sides[south].kind == SideKind::periodic,
                                         p.sides[bottom].kind == SideKind::periodic};
      p.solids = read_solids_3d(geometry, p.nodes[0], p.nodes[1], p.nodes[2], unit, periodic);
      if (p.solids.bodies.empty()) p.solids.body.clear();
      read_planes(geometry);
    });
  }

  void read_planes(CaseNode& geometry) {
    geometry.list("flow_planes", "Planes whose flow rates are monitors.", [&](CaseNode& node) {
      FlowPlane plane;
      plane.name = node.require_text("name", "Name of the monitor is this and \".flow_rate\".");
      const std::string axis =
          node.require_choice("axis", {"x", "y", "z"}, "Axis across the plane.");
      plane.axis = axis == "x" ? 0 : (axis == "y" ? 1 : 2);
      const double position =
          node.require_number("position", "Place on the axis, in the case's length unit.");
      if (node.describing()) return;
      const double nodes = p.nodes[static_cast<std::size_t>(plane.axis)];
      const double place = position * unit;
      if (!(place >= 0 && place <= nodes)) {
        node.fail("position", "must be in the domain, between 0 and " + number_text(nodes / unit));
      }
      plane.position = static_cast<int>(std::min(place, nodes - 1));
      for (const FlowPlane& other : p.planes) {
        if (other.name == plane.name) {
          node.fail("name", "another plane is already called " + quote(plane.name));
        }
      }
      p.planes.push_back(plane);
    });
  }

  void read_initial() {
    root.object("initial", "State at step 0; default: rest.", [&](CaseNode& initial) {
      InitialFlow& flow = p.initial;
      const auto amplitude = [&](CaseNode& node, const std::string& text) {
        flow.velocity[0] = p.velocity * node.number_or("amplitude", 1, text, Range::positive());
      };
      const std::string highest = "Highest velocity along x in characteristic velocities.";
      initial.alternatives(
          "type", "Kind of initial state.",
          {{"rest", "Density one, velocity zero.",
            [&](CaseNode&) { flow.kind = InitialKind::rest; }},
           {"uniform", "Density one, the same velocity everywhere.",
            [&](CaseNode& node) {
              flow.kind = InitialKind::uniform;
              const auto v = velocity_of(node, "Velocity in characteristic velocities.");
              std::copy(v.begin(), v.end(), flow.velocity);
            }},
           {"taylor-green",
            "Vortices (Taylor and Green 1937) in a periodic domain, sin cos cos along x.",
            [&](CaseNode& node) {
              flow.kind = InitialKind::taylor_green;
              amplitude(node, highest);
              const auto waves =
                  node.integers("wave_numbers", 3,
                                "Waves along x, y and z; default 1, 1, 1; 0 along z: a plane flow.",
                                Range::at_least(0));
              if (!waves) return;
              if ((*waves)[0] == 0 || (*waves)[1] == 0) {
                node.fail("wave_numbers", "must be at least 1 along x and y");
              }
              for (std::size_t a = 0; a < 3; ++a) {
                flow.wave_numbers[a] = static_cast<double>((*waves)[a]);
              }
            }},
           {"shear-layer", "Two layers of shear across y with a small wave along x.",
            [&](CaseNode& node) {
              flow.kind = InitialKind::shear_layer;
              amplitude(node, highest);
              flow.width = node.number_or("width", 0.05,
                                          "Width of a layer as a fraction of the extent along y.",
                                          Range::positive());
            }},
           {"noise", "Independent random velocities and densities of the nodes.",
            [&](CaseNode& node) {
              flow.kind = InitialKind::noise;
              amplitude(node, "Largest component in characteristic velocities.");
              flow.seed = static_cast<std::uint64_t>(
                  node.integer_or("seed", 1, "Another seed, another state.", Range::at_least(0)));
            }}},
          "rest");
      for (std::size_t a = 0; a < 3; ++a) flow.size[a] = p.nodes[a];
    });
  }

  void read_tuning() {
    root.object("tuning", "Sizes that change the speed, not the result.", [&](CaseNode& tuning) {
      const auto get = [&](const char* key, const char* text, double most) {
        const auto value = tuning.integer(key, text, Range::between(1, most));
        return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
      };
      p.segment = get("segment", "Nodes that a host thread works on at a time.", 1048576);
      p.team_size =
          get("team_size",
              "Threads of a team on a GPU (1 on the host); what is above the kernel's own "
              "number, 128 or 256, counts as that.",
              256);
      p.strip = get(
          "strip",
          "Nodes of a layer that are numbered (sparse) or worked on (dense, in place, on a GPU) "
          "before those of the next layer. A sparse run's checkpoints belong to it.",
          2147483647);
      const std::string width = tuning.choice_or(
          "indices", "automatic", {"automatic", "32-bit", "64-bit"},
          "Numbers of neighbours in a sparse lattice. automatic: 32 bits while they suffice.");
      p.index_width = width == "automatic" ? IndexWidth::automatic
                      : width == "32-bit"  ? IndexWidth::narrow
                                           : IndexWidth::wide;
      if (p.index_width != IndexWidth::automatic && !p.sparse) {
        tuning.fail("indices", "belongs to sparse nodes");
      }
    });
  }

  void check_mach() {
    lbm::MachCheck mach;
    if (p.has_velocity) mach.consider(p.velocity, "fluid.velocity");
    const auto size = [](const double* v) {
      return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    };
    for (std::size_t side = 0; side < 6; ++side) {
      mach.consider(size(p.sides[side].velocity.data()),
                    "boundaries." + side_names[side] + ".velocity");
    }
    for (const SolidBody3D& body : p.solids.bodies) {
      mach.consider(size(body.velocity.data()) * p.velocity,
                    "geometry.solids: velocity of " + body.name);
    }
    mach.consider(size(p.initial.velocity), "initial");
    mach.check(root, warnings);
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
    read_domain();
    static_cast<lbm::Fluid&>(p) = lbm::read_fluid(
        root, p.nodes[1], unit, p.precision != StoragePrecision::double_precision, warnings);
    read_propagation();
    if (!root.describing()) check_dense_size();
    read_collision();
    read_boundaries();
    read_geometry();
    read_initial();
    read_tuning();
    if (!root.describing()) check_mach();
  }
};

std::string propagation_name(const Parameters& p) {
  std::string name;
  switch (p.propagation) {
    case Propagation::esoteric_twist:
      name = "esoteric-twist";
      break;
    case Propagation::esoteric_pull:
      name = "esoteric-pull";
      break;
    case Propagation::aa_pattern:
      name = "aa-pattern";
      break;
    case Propagation::two_array:
      name = "two-array";
      break;
  }
  return p.sparse ? name + " sparse" : name;
}

class D3Q27Problem final : public Problem {
 public:
  D3Q27Problem(Parameters parameters, std::vector<std::string> read_warnings)
      : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    warnings = std::move(read_warnings);
    warnings.insert(warnings.end(), p.solids.warnings.begin(), p.solids.warnings.end());
    method = "lbm_d3q27";
    variant = (p.populations == 27 ? "D3Q27 " : "D3Q19 ") + propagation_name(p) + " " +
              p.collision_operator +
              (p.eddy_viscosity == EddyViscosity::none ? "" : " smagorinsky");
    precision = p.precision == StoragePrecision::single_precision   ? "single"
                : p.precision == StoragePrecision::double_precision ? "double"
                                                                    : "half-storage";
    update_unit = "node";
    grid.cells = p.nodes;
    // Building the map also checks the geometry.
    map_ = std::make_shared<const NodeMap>(
        make_node_map(p.domain(), p.sparse, p.propagation == Propagation::two_array,
                      static_cast<NodeIndex>(32 / p.stored_bytes()), p.index_width));
    const double nodes = double(p.nodes[0]) * p.nodes[1] * p.nodes[2];
    sizes = {{"nodes_x", p.nodes[0]},
             {"nodes_y", p.nodes[1]},
             {"nodes_z", p.nodes[2]},
             {"nodes", static_cast<std::int64_t>(nodes)},
             {"fluid_nodes", map_->fluid_nodes},
             {"stored_nodes", static_cast<std::int64_t>(map_->count)},
             {"boundary_nodes", static_cast<std::int64_t>(map_->special.size())}};
    if (map_->isolated_nodes > 0) {
      warnings.push_back("geometry: " + std::to_string(map_->isolated_nodes) +
                         " fluid nodes have no fluid neighbour, so nothing flows there");
    }
    updates_per_step = static_cast<double>(map_->fluid_nodes);
    // A sparse node also reads seven indices and one word for its kind (paper, section 5.1).
    const double value_bytes = static_cast<double>(p.stored_bytes());
    bytes_per_step = updates_per_step * (2 * p.populations * value_bytes + (p.sparse ? 32 : 0));
    if (p.segment) tuning["segment"] = *p.segment;
    if (p.team_size) tuning["team_size"] = *p.team_size;
    if (p.strip) tuning["strip"] = *p.strip;
    scales = {{"length", p.length}, {"velocity", p.velocity}, {"density", 1}};

    const double stepping = stepping_bytes();
    // Output needs the values of one field, checks the velocity of the last check.
    memory_bytes = static_cast<std::uint64_t>(stepping + static_cast<double>(map_->count) * 4 *
                                                             static_cast<double>(p.value_bytes()));
    describe(stepping);
    list_quantities();
  }

  std::unique_ptr<Method> create(Backend backend) const override {
    return make_method(parameters_, map_, backend);
  }

 private:
  double stepping_bytes() const {
    const Parameters& p = parameters_;
    const double arrays = p.propagation == Propagation::two_array ? 2 : 1;
    const auto count = static_cast<double>(map_->count);
    const bool is_double = p.precision == StoragePrecision::double_precision;
    const double link_bytes =
        is_double ? sizeof(BoundaryLink<double>) : sizeof(BoundaryLink<float>);
    const double face_bytes = is_double ? sizeof(OpenFace<double>) + sizeof(FaceMemory<double>)
                                        : sizeof(OpenFace<float>) + sizeof(FaceMemory<float>);
    const double index_bytes = map_->wide ? sizeof(WideNodeIndex) : sizeof(NodeIndex);
    const double node_bytes =
        map_->wide ? sizeof(BoundaryNode<WideNodeIndex>) : sizeof(BoundaryNode<NodeIndex>);
    const double face_number = map_->faces.empty() ? 0 : sizeof(std::int32_t);
    // A GPU also stores wall_shares.
    const bool has_shares = has_device_backend && p.walls == WallTreatment::interpolated;
    const double share_bytes = has_shares ? static_cast<double>(p.value_bytes()) : 0;
    // Per node two bits for its kind and 1/32 of a count of special nodes: 0.375 bytes.
    return count * (arrays * p.populations * static_cast<double>(p.stored_bytes()) +
                    (p.sparse ? 3 * index_bytes + 0.125 : 0.0) + 0.375) +
           static_cast<double>(map_->special.size()) * node_bytes +
           static_cast<double>(map_->links.size()) * (link_bytes + face_number + share_bytes) +
           static_cast<double>(map_->faces.size()) * face_bytes;
  }

  void describe(double stepping) {
    const Parameters& p = parameters_;
    const auto add = [&](const std::string& name, double value, const std::string& unit) {
      resolved.push_back({name, lbm::value_text(value), unit});
    };
    for (std::size_t a = 0; a < 3; ++a) add("nodes along " + axis_names[a], p.nodes[a], "1");
    lbm::describe_fluid(p, resolved);
    if (operator_traits(p.collision_operator).has_magic) {
      add("omega_minus", lbm::Fluid(p).antisymmetric_rate(p.magic), "1/step");
      add("magic parameter", p.magic, "1");
    }
    if (p.forced()) {
      for (std::size_t a = 0; a < 3; ++a) {
        add("body force along " + axis_names[a], p.body_force[a], "lattice units");
      }
    }
    if (!p.solids.bodies.empty()) {
      add("solid bodies", static_cast<double>(p.solids.bodies.size()), "1");
      add("porosity", updates_per_step / static_cast<double>(grid.size()), "1");
    }
    add("fluid nodes", updates_per_step, "1");
    add("boundary nodes", static_cast<double>(map_->special.size()), "1");
    if (p.sparse) {
      add("nodes that only hold slots", static_cast<double>(map_->slot_nodes), "1");
    }
    lbm::describe_memory(stepping, static_cast<double>(memory_bytes), resolved);
    add("memory of a fluid node", std::round(stepping / updates_per_step * 10) / 10, "B");
  }

  void list_quantities() {
    const Parameters& p = parameters_;
    const std::string unit = "lattice units";
    fields = field_quantities();
    default_fields = {"density", "velocity"};
    monitors = monitor_quantities();
    change_monitors = {"velocity_change"};
    default_monitors = {"mass", "kinetic_energy", "max_speed", "velocity_change"};
    if (p.forced()) {
      monitors.push_back({"permeability", "spacings^2",
                          "Viscosity x superficial velocity along the body force / body force."});
      if (p.spacing) {
        monitors.push_back({"permeability_si", "m^2", "Permeability in square metres."});
      }
    }
    for (const FlowPlane& plane : p.planes) {
      monitors.push_back({plane.name + ".flow_rate", unit,
                          "Sum of density x velocity along " +
                              axis_names[static_cast<std::size_t>(plane.axis)] +
                              " over the nodes of the plane."});
    }
    for (const SolidBody3D& body : p.solids.bodies) {
      for (const std::string& axis : axis_names) {
        monitors.push_back(
            {body.name + ".force_" + axis, unit,
             "Force of the fluid on " + body.name + " along " + axis + ", by momentum exchange."});
      }
      for (const std::string& axis : axis_names) {
        monitors.push_back(
            {body.name + ".torque_" + axis, unit,
             "Torque about " + axis + " through the centre of " + body.name + "'s nodes."});
      }
      if (!p.has_velocity) continue;
      for (const char* name : {"drag", "lift"}) {
        monitors.push_back({body.name + "." + name + "_coefficient", "1",
                            std::string(name) + " of " + body.name + " (along " +
                                (std::string(name) == "drag" ? "x" : "z") +
                                "): 2 force / (density velocity^2 length^2)."});
      }
    }
  }

  Parameters parameters_;
  std::shared_ptr<const NodeMap> map_;
};

}  // namespace

std::vector<Quantity> monitor_quantities() {
  const std::string unit = "lattice units";
  return {{"mass", unit, "Sum of the density over the fluid nodes."},
          {"kinetic_energy", unit, "Sum of density x velocity^2 / 2 over the fluid nodes."},
          {"enstrophy", unit, "Sum of vorticity^2 / 2 over the fluid nodes."},
          {"mean_velocity_x", unit, "Mean velocity along x of the fluid nodes."},
          {"mean_velocity_y", unit, "Mean velocity along y of the fluid nodes."},
          {"mean_velocity_z", unit, "Mean velocity along z of the fluid nodes."},
          {"max_speed", unit, "Highest speed of a node."},
          {"velocity_change", "1",
           "Normalised root mean square change of the velocity in one step (Gomes 2016, eq. 24)."}};
}

std::vector<Quantity> field_quantities() {
  const std::string unit = "lattice units";
  return {{"density", unit, "Density; 1 at rest."},
          {"pressure", unit, "Density / 3."},
          {"velocity", unit, "Velocity.", 3},
          {"speed", unit, "Magnitude of the velocity."},
          {"vorticity", unit, "Curl of the velocity by differences between fluid neighbours.", 3},
          {"stress", unit, "Viscous stress, from the non-equilibrium populations.", 6},
          {"solid", "1", "1 in solid nodes, else 0."}};
}

std::size_t Parameters::value_bytes() const {
  return precision == StoragePrecision::double_precision ? sizeof(double) : sizeof(float);
}
std::size_t Parameters::stored_bytes() const {
  return precision == StoragePrecision::half_storage ? sizeof(HalfPopulation) : value_bytes();
}

CollisionParameters<double> Parameters::collision_parameters() const {
  CollisionParameters<double> parameters{relaxation_rate()};
  parameters.antisymmetric_rate = antisymmetric_rate(magic);
  parameters.magic = magic;
  parameters.smagorinsky_constant = smagorinsky_constant;
  std::copy(body_force.begin(), body_force.end(), parameters.force);
  operator_traits(collision_operator).set_rates(parameters);
  return parameters;
}

Domain Parameters::domain() const {
  Domain domain;
  domain.nodes = nodes;
  domain.body = &solids.body;
  for (const SolidBody3D& body : solids.bodies) {
    domain.body_velocities.push_back(
        {body.velocity[0] * velocity, body.velocity[1] * velocity, body.velocity[2] * velocity});
  }
  domain.sides = sides;
  domain.treatment = walls;
  domain.wall_distance = [this](int x, int y, int z, int q, int body) {
    return solids.wall_distance(x, y, z, D3Q27::velocity(q, 0), D3Q27::velocity(q, 1),
                                D3Q27::velocity(q, 2), body);
  };
  domain.populations = populations;
  if (strip) domain.strip_nodes = *strip;
  return domain;
}

std::unique_ptr<Problem> read_problem(CaseNode& root) {
  Reader reader{root, {}, 1, {}};
  reader.read();
  if (root.describing()) return nullptr;
  try {
    return std::make_unique<D3Q27Problem>(std::move(reader.p), std::move(reader.warnings));
  } catch (const InputError& error) {
    root.fail_hard("", error.what());  // adds the name of the case
  }
}

}  // namespace knudsen::lbm_d3q27
