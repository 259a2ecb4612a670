#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kinetic/case/gas_case.hpp"
#include "methods/gas/gas_problem.hpp"
#include "methods/shakhov/continuum_share.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/parameters.hpp"
#include "methods/shakhov/quantities.hpp"
#include "methods/shakhov/synthetic_acceleration.hpp"

namespace knudsen::shakhov {
namespace {

/// Bound of what rounding keeps changing, in a gas at rest: some 2e-8 of the density in single
/// precision, over the smallest norm by which the changes of the momentum are measured
/// (iteration.cpp: finish_iteration).
constexpr double single_rounding = 2e-4;
constexpr double double_rounding = 1e-12;

class ShakhovProblem final : public GasProblem {
 public:
  ShakhovProblem(Parameters parameters, std::vector<std::string> read_warnings)
      : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    warnings = std::move(read_warnings);
    method = "shakhov";
    variant = std::string(p.scheme == Scheme::slices ? "slices " : "pencils ") +
              model_name(p.model) + (p.order == 2 ? " order 2" : "") +
              (p.reduced ? " reduced" : "") + (p.gas.rotation > 0 ? " rotation" : "") +
              (p.accelerated() ? " accelerated" : "");
    set_sizes(p.grid.cells, p.grid.dimensions, p.grid.velocities, p.single_precision);
    for (std::size_t d = 0; d < 3; ++d) {
      grid.origin[d] = p.grid.edges[d].front();
      grid.spacing[d] = p.grid.length(d) / p.grid.cells[d];
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
    const double acceleration = acceleration_bytes(p.grid, value, p.acceleration);
    memory_bytes = static_cast<std::uint64_t>(total_bytes(p));
    checkpoint_bytes = static_cast<std::uint64_t>(space);
    for_ranks = true;
    iterates = true;
    set_host_bytes(sizeof(Macroscopic) + 6 * value);  // and a field of the stress
    describe(space, storage, acceleration);
    list_quantities();
    set_built(p.grid.solids.built);
  }

  bool is_solid(std::size_t cell) const override {
    return !estimated && parameters_.grid.solid(cell);
  }

  std::unique_ptr<Method> create(Backend backend) const override {
    if (estimated) throw std::logic_error("an estimated problem cannot be created");
    return make_method(parameters_, backend);
  }

 private:
  void describe(double space, double storage, double acceleration) {
    const Parameters& p = parameters_;
    double smallest = 1e300;
    for (std::size_t d = 0; d < static_cast<std::size_t>(p.grid.dimensions); ++d) {
      count("cells along " + axis_names[d], p.grid.cells[d]);
      for (int i = 0; i < p.grid.cells[d]; ++i) smallest = std::min(smallest, p.grid.width(d, i));
    }
    describe_velocities(p.grid.velocities);
    set_si(p.units, p.grid.dimensions);
    describe_surfaces(p.grid.sides, p.grid.solids);
    add("rarefaction parameter", p.gas.rarefaction, "1");
    if (p.gas.rarefaction > 0) {
      add("Knudsen number", knudsen_from_rarefaction(p.gas.rarefaction), "1");
      add("mean free path over smallest cell width",
          knudsen_from_rarefaction(p.gas.rarefaction) / smallest, "1");
    }
    add("smallest cell width", smallest, "L");
    if (p.order == 1 && p.gas.rarefaction > 0) {
      const bool blended = p.acceleration == Acceleration::asymptotic_preserving;
      describe_added_viscosity(p.gas.rarefaction, [&](double width) {
        return blended ? 1 - share_of_continuum(width * p.gas.rarefaction / half_width(1)) : 1;
      });
    }
    add("exponent of the viscosity law", p.gas.viscosity_exponent, "1");
    add("Prandtl number", p.gas.prandtl, "1");
    describe_rotation(p.gas);
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
    if (p.grid.has_cut_cells()) count("cut cells", static_cast<double>(p.grid.solids.cut.size()));
    add("memory of cells and walls", space / 1e6, "MB");
    add("memory of a batch", storage / 1e6, "MB");
    if (p.accelerated()) add("memory of the acceleration", acceleration / 1e6, "MB");
  }

  void list_quantities() {
    fields = field_table(parameters_.gas.rotation > 0).quantities();
    given_fields = {"density", "velocity", "temperature"};
    default_fields = {"density", "velocity", "temperature"};
    monitors = monitor_table(parameters_).quantities();
    change_monitors.assign(change_names().begin(), change_names().end());
    change_monitors.emplace_back("moments_change");
    default_monitors = change_monitors;
  }

  Parameters parameters_;
};

}  // namespace

double total_bytes(const Parameters& p) {
  const double value = p.single_precision ? 4 : 8;
  const auto of = [&](const Parameters& part) {
    return space_bytes(part.grid, p.order, value) + batch_bytes(part, part.batch_blocks) +
           acceleration_bytes(part.grid, value, p.acceleration);
  };
  return of(p) + (p.coarse_start ? of(coarse_parameters(p)) : 0);
}

std::unique_ptr<Problem> read_problem(CaseNode& root) {
  std::vector<std::string> warnings;
  Parameters parameters = read_parameters(root, warnings);
  if (root.describing()) return nullptr;
  return std::make_unique<ShakhovProblem>(std::move(parameters), std::move(warnings));
}

}  // namespace knudsen::shakhov
