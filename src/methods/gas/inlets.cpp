#include "methods/gas/inlets.hpp"

#include "core/sides.hpp"
#include "kinetic/case/gas_case.hpp"

namespace knudsen {
namespace {

/// Area of the cells of gas at a side, in L^(d-1).
double open_area(const SolidDomain& domain, const GasSolids& solids, std::size_t side) {
  const std::size_t axis = side / 2;
  const std::array<int, 3> cells = domain.cells();
  std::array<int, 3> first{0, 0, 0};
  std::array<int, 3> end = cells;
  if (side % 2 == 0) {
    end[axis] = 1;
  } else {
    first[axis] = cells[axis] - 1;
  }
  double area = 0;
  for (int z = first[2]; z < end[2]; ++z) {
    for (int y = first[1]; y < end[1]; ++y) {
      for (int x = first[0]; x < end[0]; ++x) {
        const std::array<std::size_t, 3> at{
            static_cast<std::size_t>(x), static_cast<std::size_t>(y), static_cast<std::size_t>(z)};
        const std::size_t cell = (at[2] * static_cast<std::size_t>(cells[1]) + at[1]) *
                                     static_cast<std::size_t>(cells[0]) +
                                 at[0];
        if (!solids.body.empty() && solids.body[cell] >= 0) continue;
        const CutCell* cut = solids.cut_cell(cell);
        double face = cut == nullptr ? 1 : cut->open[side];
        for (std::size_t d = 0; d < static_cast<std::size_t>(domain.dimensions); ++d) {
          if (d != axis) face *= domain.lines[d][at[d] + 1] - domain.lines[d][at[d]];
        }
        area += face;
      }
    }
  }
  return area;
}

}  // namespace

void set_inlet_fluxes(const CaseNode& root, const SolidDomain& domain, const GasSolids& solids,
                      std::array<SideCondition, 6>& sides) {
  for (std::size_t side = 0; side < 6; ++side) {
    if (!sides[side].mass_flow) continue;
    const std::string key = "boundaries." + side_names[side];
    const double area = open_area(domain, solids, side);
    if (area == 0) root.fail_hard(key, "no gas can enter, since solids cover the whole side");
    sides[side].mass_flux = *sides[side].mass_flow / area;
    for (SideCondition& part : sides[side].parts) part.mass_flux = sides[side].mass_flux;
    root.check_derived(key, "mass flux in rho_ref v_ref", sides[side].mass_flux, mass_flux_range);
  }
}

}  // namespace knudsen
