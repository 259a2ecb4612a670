#include "methods/registry.hpp"

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

}  // namespace

const std::vector<MethodEntry>& method_registry() {
  static const std::vector<MethodEntry> entries{
      {"lbm_d2q9",
       "Lattice Boltzmann in two dimensions, nine velocities (D2Q9)",
       "Gomes 2016, after Toelke 2009",
       lbm_d2q9::read_problem,
       {{"propagation.scheme", {"in-place", "two-array", "shared-memory"}},
        {"collision.operator", {"bgk", "trt"}},
        {"collision.forcing", {"guo", "velocity-shift"}},
        {"geometry.walls", {"half-way", "full-way", "interpolated"}},
        {"boundaries", {"periodic", "wall", "velocity", "pressure", "outflow"}},
        {"fields", names(lbm_d2q9::field_quantities())},
        {"monitors", names(lbm_d2q9::monitor_quantities())}}},
      {"lbm_d3q27",
       "Lattice Boltzmann in three dimensions, 27 or 19 velocities, dense and sparse",
       "Geier, Schoenherr 2017",
       lbm_d3q27::read_problem,
       {{"propagation.lattice", {"D3Q27", "D3Q19"}},
        {"propagation.scheme", {"esoteric-twist", "esoteric-pull", "aa-pattern", "two-array"}},
        {"propagation.nodes", {"dense", "sparse"}},
        {"collision.operator", {"bgk", "trt", "cascaded", "cumulant", "cumulant-parametrised"}},
        {"geometry.walls", {"implicit", "half-way", "interpolated"}},
        {"boundaries", {"periodic", "wall", "velocity", "pressure", "outflow"}},
        {"fields", names(lbm_d3q27::field_quantities())},
        {"monitors", names(lbm_d3q27::monitor_quantities())}}},
      {"bgkw",
       "Model kinetic equations (BGKW, Shakhov, ES-BGK) with discrete velocities, 1 to 3 "
       "dimensions",
       "Frezzotti, Ghiroldi, Gibelli 2009",
       bgkw::read_problem,
       {{"propagation.scheme", {"fused", "separate"}},
        {"collision.model", {"bgk", "shakhov", "es-bgk"}},
        {"gas.law", {"hard-sphere", "maxwell", "argon", "soft-sphere"}},
        {"velocity_grid.type", {"uniform", "stretched", "gauss-hermite"}},
        {"initial.type", {"rest", "uniform", "step", "shock"}},
        {"boundaries", {"periodic", "wall", "reservoir", "symmetry"}},
        {"fields", names(bgkw::field_quantities())},
        {"monitors", names(bgkw::monitor_quantities())}}},
      {"shakhov",
       "Steady model kinetic equations (Shakhov, BGK, ES-BGK) by implicit sweeps with two slices "
       "in "
       "memory, 1 to 3 dimensions",
       "Zhu, Wang, Chen, Guo, Zhang 2019",
       shakhov::read_problem,
       {{"collision.model", {"bgk", "shakhov", "es-bgk"}},
        {"gas.law", {"hard-sphere", "maxwell", "argon", "soft-sphere"}},
        {"velocity_grid.type", {"uniform", "stretched", "gauss-hermite"}},
        {"geometry.solids", {"box", "sphere"}},
        {"initial.type", {"rest", "uniform", "stream"}},
        {"boundaries", {"periodic", "wall", "reservoir", "symmetry"}},
        {"fields", names(shakhov::field_quantities())},
        {"monitors", names(shakhov::monitor_quantities())}}},
      {"boltzmann",
       "The full Boltzmann equation for small and large deviations from equilibrium, hard spheres, "
       "1 to 3 dimensions",
       "Frezzotti, Ghiroldi, Gibelli 2010",
       boltzmann::read_problem,
       {{"collision.form", {"nonlinear", "linearised"}},
        {"collision.update", {"explicit", "sequential"}},
        {"collision.estimator", {"reversible", "one-way"}},
        {"collision.sequence", {"random", "quasi-random"}},
        {"collision.interpolation", {"constant", "linear"}},
        {"velocity_grid.type", {"uniform", "stretched"}},
        {"boundaries", {"periodic", "wall"}},
        {"fields", names(boltzmann::field_quantities())},
        {"monitors", names(boltzmann::monitor_quantities())}}},
  };
  return entries;
}

}  // namespace knudsen
