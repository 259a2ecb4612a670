#include "methods/registry.hpp"

#include <stdexcept>
#include <utility>

#include "methods/bgkw/parameters.hpp"
#include "methods/boltzmann/parameters.hpp"
#include "methods/lbm_d2q9/parameters.hpp"
#include "methods/lbm_d3q27/parameters.hpp"
#include "methods/shakhov/parameters.hpp"

namespace knudsen {
namespace {

std::vector<MethodEntry>& entries_of_this_process() {
  static std::vector<MethodEntry> entries{
      {"lbm_d2q9",
       "Lattice Boltzmann in two dimensions, nine velocities (D2Q9)",
       "Gomes 2016, after Toelke 2009",
       lbm_d2q9::read_problem,
       {"propagation.scheme", "collision.operator", "collision.forcing", "geometry.walls",
        "geometry.solids.shape", "initial.type", "boundaries.north.type"},
       lbm_d2q9::field_quantities,
       lbm_d2q9::monitor_quantities,
       lbm_d2q9::part_quantities,
       lbm_d2q9::conditional_quantities},
      {"lbm_d3q27",
       "Lattice Boltzmann in three dimensions, 27 or 19 velocities, dense and sparse",
       "Geier, Schoenherr 2017",
       lbm_d3q27::read_problem,
       {"propagation.lattice", "propagation.scheme", "propagation.nodes", "collision.operator",
        "geometry.walls", "geometry.solids.shape", "initial.type", "boundaries.north.type"},
       lbm_d3q27::field_quantities,
       lbm_d3q27::monitor_quantities,
       lbm_d3q27::part_quantities,
       lbm_d3q27::conditional_quantities},
      {"bgkw",
       "Model kinetic equations (BGKW, Shakhov, ES-BGK) with discrete velocities, 1 to 3 "
       "dimensions",
       "Frezzotti, Ghiroldi, Gibelli 2009",
       bgkw::read_problem,
       {"propagation.scheme", "collision.model", "gas.law", "velocity_grid.type",
        "geometry.solids.shape", "initial.type", "boundaries.north.type"},
       bgkw::field_quantities,
       bgkw::monitor_quantities,
       bgkw::part_quantities},
      {"shakhov",
       "Steady model kinetic equations (Shakhov, BGK, ES-BGK) by implicit sweeps with two slices "
       "in memory, 1 to 3 dimensions",
       "Zhu, Wang, Chen, Guo, Zhang 2019",
       shakhov::read_problem,
       {"propagation.scheme", "collision.model", "gas.law", "velocity_grid.type",
        "geometry.solids.shape", "initial.type", "boundaries.north.type"},
       shakhov::field_quantities,
       shakhov::monitor_quantities,
       shakhov::part_quantities},
      {"boltzmann",
       "The full Boltzmann equation of hard spheres, solved for the deviation from equilibrium, 1 "
       "to 3 dimensions",
       "Frezzotti, Ghiroldi, Gibelli 2010",
       boltzmann::read_problem,
       {"collision.form", "collision.update", "collision.estimator", "collision.sequence",
        "collision.interpolation", "velocity_grid.type", "boundaries.north.type"},
       boltzmann::field_quantities,
       boltzmann::monitor_quantities,
       boltzmann::part_quantities},
  };
  return entries;
}

}  // namespace

const std::vector<MethodEntry>& method_registry() { return entries_of_this_process(); }

void add_method(MethodEntry entry) {
  std::vector<MethodEntry>& entries = entries_of_this_process();
  for (const MethodEntry& each : entries) {
    if (each.name == entry.name) throw std::logic_error("there is a method " + entry.name);
  }
  entries.push_back(std::move(entry));
}

}  // namespace knudsen
