#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinetic/gas_fields.hpp"
#include "methods/boltzmann/parameters.hpp"
#include "methods/boltzmann/quantities.hpp"
#include "methods/gas/gas_problem.hpp"

namespace knudsen::boltzmann {
namespace {

class BoltzmannProblem final : public GasProblem {
 public:
  BoltzmannProblem(Parameters parameters, std::vector<std::string> read_warnings)
      : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    warnings = std::move(read_warnings);
    method = "boltzmann";
    variant = std::string(p.collision.perturbation_parameter == 0 ? "linearised " : "nonlinear ") +
              (p.collision.update == Update::explicit_set ? "explicit " : "sequential ") +
              (p.collision.estimator == Estimator::reversible ? "reversible" : "one-way") +
              (p.uniforms.quasi_random ? " quasi-random" : "") +
              (p.interpolate ? " interpolated" : "") + (p.equilibrium_exact ? " exact part" : "") +
              (p.collision.limited ? " limited" : "") + (p.grid.order == 2 ? " order 2" : "") +
              (p.fused ? "" : " separate");
    set_sizes({p.grid.cells(0), p.grid.cells(1), p.grid.cells(2)}, p.grid.dimensions,
              p.grid.velocities, p.single_precision);
    sizes["samples"] = p.samples;
    grid = cell_grid(p.grid);
    const auto cells = static_cast<double>(sizes["cells"]);
    const auto velocities = static_cast<double>(sizes["velocities"]);
    const double value_bytes = p.single_precision ? 4 : 8;
    // Each pass reads and writes the distribution once.
    const double passes =
        (p.grid.order == 2 ? 1 + p.grid.dimensions : 2) + (p.equilibrium_exact ? 2 : 0);
    bytes_per_step = updates_per_step * value_bytes * 2 * passes;
    time_per_step = p.grid.time_step;
    scales = {{"length", 1}, {"velocity", p.scale}, {"density", 1}};
    const int width = p.single_precision ? values_per_access<float> : values_per_access<double>;
    const int chunks = (p.grid.velocities[2].count() + width - 1) / width;
    const double row = double(chunks) * width;
    const double padded = velocities / p.grid.velocities[2].count() * row;
    const double sums = 14 + (p.equilibrium_exact ? invariants : 0);  // of a cell, double precision
    double parts = 0;
    for (const SideCondition& side : p.grid.sides) parts += static_cast<double>(side.parts.size());
    memory_bytes = static_cast<std::uint64_t>(2 * cells * padded * value_bytes + cells * sums * 8 +
                                              (12 + 2 * parts) * padded * value_bytes);
    checkpoint_bytes = static_cast<std::uint64_t>(cells * (padded * value_bytes + sums * 8));
    set_host_bytes(2 * sizeof(Deviation));  // the present ones, and those of the last check
    describe();
    list_quantities();
    for_ranks = true;
  }

  /// The linearised form has the Maxwellian of the reference state alone.
  std::vector<GivenFault> faults_of(const GivenFields& given) const override {
    const Parameters& p = parameters_;
    if (p.collision.perturbation_parameter == 0) return {};
    return faults_of_states(p.grid.velocities, p.units, given, [&](std::size_t cell) {
      return with_given(p.initial_state(p.cell(cell)), given, cell);
    });
  }

  std::unique_ptr<Method> create(Backend backend) const override {
    return make_method(parameters_, backend);
  }

 private:
  void describe() {
    const Parameters& p = parameters_;
    for (std::size_t d = 0; d < p.dimensions(); ++d) {
      const auto& widths = p.grid.widths[d];
      count("cells along " + axis_names[d], p.grid.cells(d));
      add("finest cell along " + axis_names[d], *std::min_element(widths.begin(), widths.end()),
          "L");
    }
    describe_velocities(p.grid.velocities);
    count("samples in a step", p.samples);
    set_si(p.units, p.grid.dimensions);
    describe_surfaces(p.grid.sides, {});
    add("rarefaction parameter", p.rarefaction, "1");
    if (p.rarefaction > 0) {
      add("Knudsen number", knudsen_from_rarefaction(p.rarefaction), "1");
      add("collisions of a molecule in a unit of time",
          2 * std::sqrt(2 / std::numbers::pi) * p.molecules.rate, "v_ref / L");
    }
    if (p.grid.order == 1 && p.rarefaction > 0) {
      describe_added_viscosity(p.rarefaction);
    }
    add("deviation from equilibrium (epsilon)", p.scale, "1");
    add("time step", p.grid.time_step, "L / v_ref");
    if (p.rarefaction > 0)
      add("error of the viscosity by slowed collisions", p.slowed_viscosity, "1");
  }

  void list_quantities() {
    fields = field_quantities();
    given_fields = {"density_deviation", "velocity", "temperature_deviation"};
    default_fields = {"density_deviation", "velocity", "temperature_deviation"};
    monitors = monitor_table(parameters_).quantities();
    change_monitors = {"velocity_change"};
    default_monitors = {"mass_deviation", "energy_deviation", "max_speed", "entropy"};
  }

  Parameters parameters_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(Parameters parameters, std::vector<std::string> warnings) {
  return std::make_unique<BoltzmannProblem>(std::move(parameters), std::move(warnings));
}

}  // namespace knudsen::boltzmann
