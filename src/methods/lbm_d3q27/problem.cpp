#include <cmath>
#include <stdexcept>

#include "methods/lattice/passive_scalars.hpp"
#include "methods/lattice/slip.hpp"
#include "methods/lbm_d3q27/parameters.hpp"
#include "methods/lbm_d3q27/quantities.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

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
      : kept_(std::make_shared<Parameters>(std::move(parameters))) {
    const Parameters& p = parameters_;
    warnings = std::move(read_warnings);
    warnings.insert(warnings.end(), p.solids.warnings.begin(), p.solids.warnings.end());
    method = "lbm_d3q27";
    variant = (p.populations == 27 ? "D3Q27 " : "D3Q19 ") + propagation_name(p) + " " +
              p.collision_operator + (p.smagorinsky_constant > 0 ? " smagorinsky" : "") +
              (p.wale_constant > 0 ? " wale" : "") + (p.heat ? " heat" : "") +
              lbm::scalars_variant(p.scalars);
    precision = p.precision == StoragePrecision::single_precision   ? "single"
                : p.precision == StoragePrecision::double_precision ? "double"
                                                                    : "half-storage";
    update_unit = "node";
    grid.cells = p.nodes;
    const double nodes = double(p.nodes[0]) * p.nodes[1] * p.nodes[2];
    sizes = {{"nodes_x", p.nodes[0]},
             {"nodes_y", p.nodes[1]},
             {"nodes_z", p.nodes[2]},
             {"nodes", static_cast<std::int64_t>(nodes)}};
    estimated = p.estimated;
    if (estimated) {
      map_sizes_ = estimate_map(nodes);
      if (!p.solids.bodies.empty()) {
        warnings.emplace_back(
            "geometry: not built, since that takes long and this is an estimate; sizes and memory "
            "are those without solids");
      }
    } else {
      build_map();
    }
    updates_per_step = map_sizes_.fluid_nodes;
    if (p.flow_control) parameters_.flow_control->set_fluid_nodes(map_sizes_.fluid_nodes);
    const double value_bytes = static_cast<double>(p.stored_bytes());
    const lbm::ScalarBytes scalar_bytes(p.scalars, D3Q7::populations, D3Q19::populations, 3,
                                        static_cast<double>(p.value_bytes()));
    const double read_bytes = p.all_populations() * value_bytes;
    // The collision reads the eddy viscosity of the WALE model.
    const double eddy_bytes = p.wale_constant > 0 ? static_cast<double>(p.eddy_bytes()) : 0;
    bytes_per_step =
        updates_per_step * (2 * read_bytes + (p.sparse ? sparse_index_bytes : 0) + eddy_bytes +
                            scalar_bytes.step(read_bytes) + scalar_index_bytes());
    if (p.segment) tuning["segment"] = *p.segment;
    if (p.team_size) tuning["team_size"] = *p.team_size;
    if (p.strip) tuning["strip"] = *p.strip;
    scales = {{"length", p.length}, {"velocity", p.velocity}, {"density", 1}};
    time_unit = "dt";
    if (p.si) si = lbm::units_in_si(*p.si, p.heat, 3);
    scales_text = lbm::scales_text(p);

    const double stepping = stepping_bytes();
    // Output needs the values of one field, checks the velocity of the last check.
    // Forces on bodies take a list of their links.
    const double loads = p.solids.bodies.empty() ? 0 : map_sizes_.special * sizeof(BodyLinks);
    memory_bytes = static_cast<std::uint64_t>(
        stepping + loads + map_sizes_.count * 4 * static_cast<double>(p.value_bytes()) +
        map_sizes_.count * scalar_bytes.memory() + map_sizes_.fluid_nodes * scalar_index_bytes() +
        map_sizes_.special * scalar_link_bytes().links);
    remembered_bytes =
        static_cast<std::uint64_t>(map_sizes_.count * 3 * static_cast<double>(p.value_bytes()));
    checkpoint_bytes = static_cast<std::uint64_t>(
        map_sizes_.count * p.all_populations() * value_bytes + nodes * scalar_bytes.saved() +
        (p.wale_constant > 0 ? map_sizes_.count * static_cast<double>(p.value_bytes()) : 0));
    host_bytes = host_memory(nodes);
    // Solids leave out nodes of a sparse lattice, how many is not known.
    least_memory_bytes = p.sparse && !p.solids.bodies.empty() ? 0 : memory_bytes;
    describe(stepping);
    list_quantities();
    for_ranks = true;
  }

  bool is_solid(std::size_t cell) const override { return body_at(cell) >= 0; }

  bool has_temperature(std::size_t cell) const override {
    return !is_solid(cell) ||
           (parameters_.heat && parameters_.heat->conduction(body_at(cell)) != nullptr);
  }

  std::vector<GivenFault> faults_of(const GivenFields& given) const override {
    return lbm::faults_of_given(given, 3, parameters_, *this);
  }

  std::unique_ptr<Method> create(Backend backend) const override {
    if (estimated) throw std::logic_error("an estimated problem cannot be created");
    return make_method(kept_, map_, backend);
  }

 private:
  /// The body of a cell, -1 for fluid.
  int body_at(std::size_t cell) const {
    const Solids3D& solids = parameters_.solids;
    if (solids.body.empty()) return -1;
    const auto nx = static_cast<std::size_t>(solids.nx);
    const auto ny = static_cast<std::size_t>(solids.ny);
    const std::array<int, 3> at{static_cast<int>(cell % nx), static_cast<int>(cell / nx % ny),
                                static_cast<int>(cell / nx / ny)};
    if (solids.planes.covers(at)) return solids.body[solids.planes(at)];
    // Cells of other ranks are asked for in rows, if at all.
    if (row_.y != at[1] || row_.z != at[2]) row_ = {at[1], at[2], solids.body_in_row(at[1], at[2])};
    return row_.body[static_cast<std::size_t>(at[0])];
  }

  /// Lengths of the lists of a node map.
  struct MapSizes {
    double count = 0;  ///< of numbers, padding included
    double fluid_nodes = 0;
    double special = 0;
    double links = 0;
    double faces = 0;
    double slot_nodes = 0;
    double conducting = 0;
  };

  /// Builds the map, which also checks the geometry.
  void build_map() {
    const Parameters& p = parameters_;
    map_ = std::make_shared<const NodeMap>(
        make_node_map(p.domain(), p.sparse, p.propagation == Propagation::two_array,
                      static_cast<NodeIndex>(32 / p.stored_bytes())));
    const NodeCounts& all = map_->all;
    map_sizes_ = {static_cast<double>(all.numbers),   static_cast<double>(all.fluid),
                  static_cast<double>(all.special),   static_cast<double>(all.links),
                  static_cast<double>(all.faces),     static_cast<double>(all.slots),
                  static_cast<double>(all.conducting)};
    sizes["fluid_nodes"] = all.fluid;
    sizes["stored_nodes"] = static_cast<std::int64_t>(all.numbers);
    sizes["boundary_nodes"] = static_cast<std::int64_t>(all.special);
    if (all.isolated > 0) {
      warnings.push_back("geometry: " + std::to_string(all.isolated) +
                         " fluid nodes have no fluid neighbour, so nothing flows there");
    }
    if (all.in_gaps > 0) {
      warnings.push_back("geometry.solids: " + std::to_string(all.in_gaps) +
                         " nodes beside solids with slip (\"accommodation\") are in gaps one node "
                         "wide, where nothing slips");
    }
  }

  /// The same for a box of `nodes` without solids, except that nodes at the edges of two sides
  /// count twice.
  MapSizes estimate_map(double nodes) const {
    const Parameters& p = parameters_;
    const Extents extents =
        p.domain().extents(static_cast<NodeIndex>(32 / p.stored_bytes()), p.sparse);
    MapSizes found;
    found.fluid_nodes = nodes;
    found.count = double(extents.nx) * extents.ny * extents.nz;
    found.slot_nodes = found.count - nodes;
    if (p.sparse) {
      require_numbers(static_cast<std::uint64_t>(found.count));
    } else {
      found.count = double(extents.pitch) * extents.ny * extents.nz;
    }
    const double links_of_side = p.populations == 27 ? 9 : 5;
    for (std::size_t side = 0; side < 6; ++side) {
      const SideCondition& condition = p.sides[side];
      const bool open =
          condition.kind == SideKind::velocity || condition.kind == SideKind::pressure;
      const bool at_rest = condition.velocity == std::array<double, 3>{0, 0, 0};
      const bool heats = p.heat && p.heat->sides[side].heats();
      const bool cut =
          open || p.walls == WallTreatment::half_way || !at_rest || heats || condition.mirrored > 0;
      if (condition.kind == SideKind::periodic || !cut) continue;
      const double area = nodes / p.nodes[side / 2];
      found.special += area;
      found.links += area * links_of_side;
      if (open) found.faces += area;
    }
    return found;
  }

  /// Of a node of a sparse lattice: the places of a scalar's populations, and the kind of its
  /// links. Scalars on the same lattice share them.
  double scalar_index_bytes() const {
    const Parameters& p = parameters_;
    int populations[2] = {0, 0};
    for (const lbm::PassiveScalar& scalar : p.scalars) {
      populations[scalar.diagonals ? 1 : 0] =
          1 + (scalar.diagonals ? D3Q19::populations : D3Q7::populations);
    }
    return p.sparse ? (populations[0] + populations[1]) * sizeof(std::uint32_t) : 0;
  }

  lbm::ScalarLinkBytes scalar_link_bytes() const {
    const Parameters& p = parameters_;
    if (p.walls != WallTreatment::interpolated || p.solids.bodies.empty()) return {};
    return p.value_bytes() == sizeof(double)
               ? lbm::ScalarLinkBytes::of<D3Q7, D3Q19, double>(p.scalars)
               : lbm::ScalarLinkBytes::of<D3Q7, D3Q19, float>(p.scalars);
  }

  double stepping_bytes() const {
    const Parameters& p = parameters_;
    const double arrays = p.propagation == Propagation::two_array ? 2 : 1;
    const double count = map_sizes_.count;
    const bool is_double = p.precision == StoragePrecision::double_precision;
    const double of_links = p.walls == WallTreatment::interpolated ? 4 : 2;
    const double scalar_bytes = p.heat ? of_links * static_cast<double>(p.value_bytes()) : 0;
    const double link_bytes =
        (is_double ? sizeof(BoundaryLink<double>) : sizeof(BoundaryLink<float>)) + scalar_bytes;
    const double face_bytes = is_double ? sizeof(OpenFace<double>) + sizeof(FaceMemory<double>)
                                        : sizeof(OpenFace<float>) + sizeof(FaceMemory<float>);
    const double face_number = map_sizes_.faces == 0 ? 0 : sizeof(std::int32_t);
    // A GPU also stores wall_shares.
    const bool has_shares = has_device_backend && p.walls == WallTreatment::interpolated;
    const double share_bytes = has_shares ? static_cast<double>(p.value_bytes()) : 0;
    // Per node two bits for its kind and 1/32 of a count of special nodes: 0.375 bytes.
    // Velocity and eddy viscosity of the nodes; the sparse lattice's nodes by cell.
    const double wale_bytes =
        p.wale_constant == 0
            ? 0
            : count * static_cast<double>(3 * p.value_bytes() + p.eddy_bytes()) +
                  (p.sparse ? double(p.nodes[0]) * p.nodes[1] * p.nodes[2] * sizeof(NodeIndex) : 0);
    return count * (arrays * p.all_populations() * static_cast<double>(p.stored_bytes()) +
                    (p.sparse ? 3 * sizeof(NodeIndex) + 0.125 : 0.0) + 0.375) +
           wale_bytes + map_sizes_.conducting * sizeof(ConductingNode) +
           map_sizes_.special * 2 * sizeof(BoundaryNode) +  // in one list for each kind of walk
           map_sizes_.links * (link_bytes + face_number + share_bytes) +
           map_sizes_.faces * face_bytes + slip_bytes(p.value_bytes());
  }

  /// Slip along solids, of this rank. What estimates do not know of it is little.
  double slip_bytes(std::size_t value_bytes) const {
    if (!map_ || map_->slip_classes.empty()) return 0;
    using Class = lbm::SlipClass<double, 3>;
    const std::size_t class_values = sizeof(Class) / sizeof(double);
    return static_cast<double>(map_->slip_classes.size() * class_values * value_bytes +
                               map_->link_slips.size() * sizeof(std::uint32_t));
  }

  /// Memory beside the lattice: the node map, and the field being written.
  std::uint64_t host_memory(double nodes) const {
    const Parameters& p = parameters_;
    // Per node two bits for its kind, and in a sparse map one bit more.
    const double table = nodes * (sizeof(std::uint64_t) + sizeof(NodeIndex)) / 64;
    const double map = map_sizes_.count * (p.sparse ? 0.375 : 0.25) + (p.sparse ? table : 0) +
                       map_sizes_.special * sizeof(BoundaryNode) +
                       map_sizes_.conducting * sizeof(ConductingNode) +
                       map_sizes_.links * (sizeof(BoundaryLink<double>) + sizeof(std::int32_t) +
                                           (p.heat ? sizeof(lbm::SurfaceLink) : 0)) +
                       map_sizes_.faces * sizeof(OpenFace<double>) +
                       map_sizes_.special * scalar_link_bytes().kinds + slip_bytes(sizeof(double));
    const double bodies = p.solids.bodies.empty() ? 0 : nodes * sizeof(std::int16_t);
    // The vorticity takes six values of each node: the velocity and the result. Half a value more
    // is what the allocator keeps of smaller lists. One value is counted with the backend's memory.
    const double written = 6.5 * nodes * static_cast<double>(p.value_bytes());
    const double counted = std::min(nodes, map_sizes_.count) * static_cast<double>(p.value_bytes());
    return static_cast<std::uint64_t>(map + bodies + written - counted);
  }

  void describe(double stepping) {
    const Parameters& p = parameters_;
    const auto add = [&](const std::string& name, double value, const std::string& unit) {
      resolved.push_back({name, lbm::value_text(value), unit});
    };
    for (std::size_t a = 0; a < 3; ++a) add("nodes along " + axis_names[a], p.nodes[a], "1");
    lbm::describe_fluid(p, resolved);
    if (p.heat) lbm::describe_heat(*p.heat, p, resolved);
    lbm::describe_scalars(p.scalars, p, resolved);
    if (operator_traits(p.collision_operator).has_magic) {
      add("omega_minus", lbm::Fluid(p).antisymmetric_rate(p.magic), "1/step");
      add("magic parameter", p.magic, "1");
    }
    if (p.has_slip()) lbm::describe_slip(p, resolved);
    if (p.forced()) {
      for (std::size_t a = 0; a < 3; ++a) {
        add("body force along " + axis_names[a], p.body_force[a], "rho_0 dx / dt^2");
      }
    }
    lbm::describe_pressure_sides(p.sides, p.nodes, resolved);
    if (p.flow_control) lbm::describe_flow_control(*p.flow_control, resolved);
    if (!p.solids.bodies.empty()) {
      add("solid bodies", static_cast<double>(p.solids.bodies.size()), "1");
      if (p.has_velocity) resolved.push_back(lbm::coefficient_reference(p, 3));
      if (!estimated) add("porosity", updates_per_step / static_cast<double>(grid.size()), "1");
    }
    if (!estimated) {
      add("fluid nodes", updates_per_step, "1");
      add("boundary nodes", map_sizes_.special, "1");
      if (p.sparse) add("nodes that only hold slots", map_sizes_.slot_nodes, "1");
    }
    add("memory of the lattice", std::round(stepping / 1e4) / 100, "MB");
    add("memory of a fluid node", std::round(stepping / updates_per_step * 10) / 10, "B");
  }

  void list_quantities() {
    fields = field_table(parameters_).quantities();
    given_fields = {"density", "velocity"};
    default_fields = {"density", "velocity"};
    averaged_fields = {"density", "pressure", "velocity"};
    averaged_cells = static_cast<std::uint64_t>(map_sizes_.count);
    if (parameters_.heat) {
      // The method averages in fluid nodes alone.
      if (!parameters_.heat->any_conduction()) averaged_fields.emplace_back("temperature");
      given_fields.emplace_back("temperature");
      signed_fields = {"temperature"};
      default_fields.emplace_back("temperature");
    }
    for (const lbm::PassiveScalar& scalar : parameters_.scalars) {
      given_fields.push_back(scalar.name);
      signed_fields.push_back(scalar.name);
      default_fields.push_back(scalar.name);
    }
    monitors = monitor_table(parameters_).quantities();
    change_monitors = {"velocity_change"};
    default_monitors = {"mass", "kinetic_energy", "max_speed", "velocity_change"};
  }

  std::shared_ptr<Parameters> kept_;  ///< by the method too
  Parameters& parameters_ = *kept_;
  std::shared_ptr<const NodeMap> map_;  ///< null if the problem is estimated
  MapSizes map_sizes_;
  /// The latest row of cells of another rank whose bodies were asked for.
  struct Row {
    int y = -1, z = -1;
    std::vector<std::int16_t> body;
  };
  mutable Row row_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(Parameters parameters, std::vector<std::string> warnings) {
  return std::make_unique<D3Q27Problem>(std::move(parameters), std::move(warnings));
}

}  // namespace knudsen::lbm_d3q27
