#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "methods/lattice/slip.hpp"
#include "methods/lbm_d2q9/parameters.hpp"
#include "methods/lbm_d2q9/quantities.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

std::string propagation_name(Propagation propagation) {
  switch (propagation) {
    case Propagation::in_place:
      return "in-place";
    case Propagation::two_array:
      return "two-array";
    case Propagation::shared_memory:
      return "shared-memory";
  }
  return "";
}

class D2Q9Problem final : public Problem {
 public:
  D2Q9Problem(Parameters parameters, std::vector<std::string> read_warnings)
      : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    warnings = std::move(read_warnings);
    method = "lbm_d2q9";
    variant = propagation_name(p.propagation) + " " + p.collision_operator +
              (p.forcing == Forcing::none  ? ""
               : p.forcing == Forcing::guo ? " guo"
                                           : " velocity-shift") +
              (p.heat ? " heat" : "") + lbm::scalars_variant(p.scalars);
    precision = p.single_precision ? "single" : "double";
    update_unit = "node";
    grid.cells = {p.nx, p.ny, 1};
    const double nodes = double(p.nx) * p.ny;
    sizes = {{"nodes_x", p.nx}, {"nodes_y", p.ny}, {"nodes", static_cast<std::int64_t>(nodes)}};
    const double value_bytes = p.single_precision ? 4 : 8;
    // Without solids every node is fluid, and the node map is not needed here.
    double fluid_nodes = nodes;
    estimated = !p.solids.built;
    if (estimated) {
      warnings.emplace_back(
          "geometry: not built, since that takes long and this is an estimate; fluid nodes are "
          "those "
          "without solids");
    } else if (!p.solids.bodies.empty()) {
      // Building the map also checks the geometry.
      fluid_nodes = static_cast<double>(p.node_map().fluid_nodes);
      sizes["fluid_nodes"] = static_cast<std::int64_t>(fluid_nodes);
    }
    updates_per_step = fluid_nodes;
    if (p.flow_control) parameters_.flow_control->set_fluid_nodes(fluid_nodes);
    const double populations = p.heat ? HeatedD2Q9::populations : D2Q9::populations;
    const lbm::ScalarBytes scalar_bytes(p.scalars, D2Q5::populations, D2Q9::populations, 2,
                                        value_bytes);
    bytes_per_step = fluid_nodes *
                     (2 * populations * value_bytes + scalar_bytes.step(populations * value_bytes));
    const auto tuned = [&](const char* name, const std::optional<int>& value) {
      if (value) tuning[name] = *value;
    };
    tuned("segment", p.segment);
    tuned("team_size", p.team_size);
    tuned("nodes_per_thread", p.nodes_per_thread);
    scales = {{"length", p.length}, {"velocity", p.velocity}, {"density", 1}};
    time_unit = "dt";
    if (p.si) si = lbm::units_in_si(*p.si, p.heat, 2);
    scales_text = lbm::scales_text(p);

    const Extents extents{p.nx, p.ny, (p.nx + 31) / 32 * 32};
    const double padded = static_cast<double>(extents.plane());
    const double arrays = p.propagation == Propagation::in_place ? 1 : 2;
    // Of a node: populations, the index of its class, and two bits that sort it.
    const double stepping = padded * (arrays * populations * value_bytes + 2.25);
    // Checks take the two velocity components of the last check, output one quantity of the nodes.
    memory_bytes = static_cast<std::uint64_t>(stepping + 3 * padded * value_bytes +
                                              padded * scalar_bytes.memory());
    remembered_bytes = static_cast<std::uint64_t>(2 * padded * value_bytes);
    checkpoint_bytes = static_cast<std::uint64_t>(populations * padded * value_bytes +
                                                  nodes * scalar_bytes.saved());
    // The largest fields to be written: vectors, and the stream function, which is integrated in
    // double precision, beyond the quantity that memory_bytes counts, which is padded and so may be
    // larger. Before that, the initial fields take no more.
    const double written = std::max(
        0.0, nodes * std::max(4 * value_bytes, 3 * value_bytes + 8) - padded * value_bytes);
    // The problem and the method keep the body of each node.
    const double bodies = p.solids.bodies.empty() ? 0 : 2 * nodes * 2;
    host_bytes = static_cast<std::uint64_t>(written + padded * 2 + bodies);
    least_memory_bytes = memory_bytes;

    describe(stepping);
    list_quantities();
    for_ranks = true;
  }

  bool is_solid(std::size_t cell) const override {
    const auto& body = parameters_.solids.body;
    return cell < body.size() && body[cell] >= 0;
  }

  bool has_temperature(std::size_t cell) const override {
    const auto& body = parameters_.solids.body;
    return !is_solid(cell) ||
           (parameters_.heat && parameters_.heat->conduction(body[cell]) != nullptr);
  }

  std::vector<GivenFault> faults_of(const GivenFields& given) const override {
    return lbm::faults_of_given(given, 2, parameters_, *this);
  }

  std::unique_ptr<Method> create(Backend backend) const override {
    if (estimated) throw std::logic_error("an estimated problem cannot be created");
    return make_method(parameters_, backend);
  }

 private:
  void describe(double stepping_bytes) {
    const Parameters& p = parameters_;
    const auto add = [&](const std::string& name, double value, const std::string& unit) {
      resolved.push_back({name, lbm::value_text(value), unit});
    };
    add("nodes along x", p.nx, "1");
    add("nodes along y", p.ny, "1");
    lbm::describe_fluid(p, resolved);
    if (operator_traits(p.collision_operator).has_magic) {
      add("omega_minus", p.antisymmetric_rate(p.magic), "1/step");
      add("magic parameter", p.magic, "1");
    }
    if (p.has_slip()) lbm::describe_slip(p, resolved);
    if (p.has_body_force()) {
      add("body force along x", p.body_force[0], "rho_0 dx / dt^2");
      add("body force along y", p.body_force[1], "rho_0 dx / dt^2");
    }
    lbm::describe_pressure_sides(p.sides, std::array{p.nx, p.ny}, resolved);
    if (p.flow_control) lbm::describe_flow_control(*p.flow_control, resolved);
    if (p.heat) lbm::describe_heat(*p.heat, p, resolved);
    lbm::describe_scalars(p.scalars, p, resolved);
    if (!p.solids.bodies.empty()) {
      add("solid bodies", static_cast<double>(p.solids.bodies.size()), "1");
      if (p.has_velocity) resolved.push_back(lbm::coefficient_reference(p, 2));
      if (!estimated) add("fluid nodes", updates_per_step, "1");
    }
    add("memory of the lattice", std::round(stepping_bytes / 1e4) / 100, "MB");
    add("memory of a node", std::round(stepping_bytes / p.nx / p.ny * 10) / 10, "B");
  }

  void list_quantities() {
    fields = field_table(parameters_).quantities();
    given_fields = {"density", "velocity"};
    default_fields = {"density", "velocity", "vorticity"};
    averaged_fields = {"density", "pressure", "velocity"};
    averaged_cells =
        Extents{parameters_.nx, parameters_.ny, (parameters_.nx + 31) / 32 * 32}.plane();
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

  Parameters parameters_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(Parameters parameters, std::vector<std::string> warnings) {
  return std::make_unique<D2Q9Problem>(std::move(parameters), std::move(warnings));
}

}  // namespace knudsen::lbm_d2q9
