#include "methods/registry.hpp"

#include <stdexcept>

#include "case/description.hpp"
#include "methods/bgkw/parameters.hpp"
#include "methods/boltzmann/parameters.hpp"
#include "methods/lbm_d2q9/parameters.hpp"
#include "methods/lbm_d3q27/parameters.hpp"
#include "methods/shakhov/parameters.hpp"

namespace knudsen {
namespace {

std::vector<std::string> names(const std::vector<Quantity>& quantities) {
  std::vector<std::string> result;
  for (const Quantity& quantity : quantities) result.push_back(quantity.name);
  return result;
}

/// What a reader declares as the choices of a key, as in "gas.law".
std::vector<std::string> declared_choices(const ObjectDescription& description,
                                          const std::string& path) {
  const auto dot = path.find('.');
  const std::string first = path.substr(0, dot);
  for (const KeyDescription& key : description.keys) {
    if (key.name != first) continue;
    if (dot != std::string::npos && key.members) {
      return declared_choices(*key.members, path.substr(dot + 1));
    }
    return key.type.schema.at("enum").get<std::vector<std::string>>();
  }
  throw std::logic_error("no key " + path);
}

}  // namespace

std::vector<std::pair<std::string, std::vector<std::string>>> options_of(
    const MethodEntry& method) {
  const ObjectDescription description = describe([&](CaseNode& root) { method.read(root); });
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
  for (const std::string& path : method.choices) {
    options.emplace_back(path, declared_choices(description, path));
  }
  options.emplace_back("fields", names(method.fields()));
  options.emplace_back("monitors", names(method.monitors()));
  return options;
}

const std::vector<MethodEntry>& method_registry() {
  static const std::vector<MethodEntry> entries{
      {"lbm_d2q9",
       "Lattice Boltzmann in two dimensions, nine velocities (D2Q9)",
       "Gomes 2016, after Toelke 2009",
       lbm_d2q9::read_problem,
       {"propagation.scheme", "collision.operator", "collision.forcing", "geometry.walls",
        "geometry.solids.shape", "initial.type", "boundaries.north.type"},
       lbm_d2q9::field_quantities,
       lbm_d2q9::monitor_quantities},
      {"lbm_d3q27",
       "Lattice Boltzmann in three dimensions, 27 or 19 velocities, dense and sparse",
       "Geier, Schoenherr 2017",
       lbm_d3q27::read_problem,
       {"propagation.lattice", "propagation.scheme", "propagation.nodes", "collision.operator",
        "geometry.walls", "geometry.solids.shape", "initial.type", "boundaries.north.type"},
       lbm_d3q27::field_quantities,
       lbm_d3q27::monitor_quantities},
      {"bgkw",
       "Model kinetic equations (BGKW, Shakhov, ES-BGK) with discrete velocities, 1 to 3 "
       "dimensions",
       "Frezzotti, Ghiroldi, Gibelli 2009",
       bgkw::read_problem,
       {"propagation.scheme", "collision.model", "gas.law", "velocity_grid.type",
        "geometry.solids.shape", "initial.type", "boundaries.north.type"},
       bgkw::field_quantities,
       bgkw::monitor_quantities},
      {"shakhov",
       "Steady model kinetic equations (Shakhov, BGK, ES-BGK) by implicit sweeps with two slices "
       "in memory, 1 to 3 dimensions",
       "Zhu, Wang, Chen, Guo, Zhang 2019",
       shakhov::read_problem,
       {"propagation.scheme", "collision.model", "gas.law", "velocity_grid.type",
        "geometry.solids.shape", "initial.type", "boundaries.north.type"},
       shakhov::field_quantities,
       shakhov::monitor_quantities},
      {"boltzmann",
       "The full Boltzmann equation for small and large deviations from equilibrium, hard spheres, "
       "1 to 3 dimensions",
       "Frezzotti, Ghiroldi, Gibelli 2010",
       boltzmann::read_problem,
       {"collision.form", "collision.update", "collision.estimator", "collision.sequence",
        "collision.interpolation", "velocity_grid.type", "boundaries.north.type"},
       boltzmann::field_quantities,
       boltzmann::monitor_quantities},
  };
  return entries;
}

}  // namespace knudsen
