#include "methods/shakhov/read_grid.hpp"

#include <cmath>

#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"
#include "methods/gas/cell_segments.hpp"
#include "methods/gas/inlets.hpp"
#include "methods/gas/read_solids.hpp"

namespace knudsen::shakhov {
namespace {

/// Moments of cells are indexed by 32-bit integers on some backends.
constexpr double max_cells = 134217727;

}  // namespace

void read_domain(CaseNode& root, const GasUnits& units, FlowGrid& grid) {
  root.require_object(
      "domain", "The domain, a box of cells. Give either `cells` or the segments `x`, `y`, `z`.",
      [&](CaseNode& domain) {
        const auto cells =
            domain.integers("cells", 0,
                            "Number of equal cells along each axis: one number for a "
                            "one-dimensional domain, two for x and y, three for x, y and z.",
                            Range::between(1, max_cells_of_axis));
        const auto size = read_size(domain, units);
        const auto origin = units.length().numbers(domain, "origin", 0,
                                                   "Lower corner of the domain. Default: zero.",
                                                   Range::between(-1e9, 1e9));
        std::array<double, 3> corner{0, 0, 0};
        for (std::size_t d = 0; d < 3; ++d) {
          if (origin && d < origin->size()) corner[d] = (*origin)[d];
        }
        std::array<std::vector<double>, 3> segments = read_segments(domain, units, corner);
        if (domain.describing()) return;
        const std::size_t with_segments = count_segmented(domain, segments);
        const std::size_t dimensions = cells ? cells->size() : with_segments;
        if (cells.has_value() == (with_segments > 0)) {
          domain.fail("", "give either \"cells\" or segments \"x\", \"y\", \"z\"");
        }
        if (dimensions < 1 || dimensions > 3) {
          domain.fail("cells", "must be a list of 1, 2 or 3 integers, one for each dimension");
        }
        const auto check_length = [&](const char* key, const auto& list) {
          if (list && list->size() != dimensions) {
            domain.fail(key, "must have as many numbers as there are dimensions, " +
                                 std::to_string(dimensions));
          }
        };
        check_length("size", size);
        check_length("origin", origin);
        if (size && !cells) {
          domain.fail("size", "requires \"cells\"; segments have their own \"length\"");
        }
        grid.dimensions = static_cast<int>(dimensions);
        double total = 1;
        for (std::size_t d = 0; d < dimensions; ++d) {
          const std::string key = cells ? "cells" : axis_names[d];
          const auto n = cells ? static_cast<double>((*cells)[d])
                               : static_cast<double>(segments[d].size() - 1);
          total *= n;
          if (total > max_cells) domain.fail(key, "there may be at most 134217727 cells");
          if (cells) {
            add_uniform(segments[d], size ? (*size)[d] : n / static_cast<double>((*cells)[0]),
                        (*cells)[d]);
          }
          check_widths(domain, key, d, segments[d]);
          grid.edges[d] = std::move(segments[d]);
          grid.cells[d] = static_cast<int>(grid.edges[d].size() - 1);
        }
      });
}

void read_geometry(CaseNode& root, const GasUnits& units, FlowGrid& grid,
                   std::vector<std::string>& warnings) {
  const SolidDomain domain{
      grid.dimensions,
      {AxisLines(grid.edges[0]), AxisLines(grid.edges[1]), AxisLines(grid.edges[2])},
      grid.sides,
      grid.velocities,
      units,
      true};
  grid.solids = read_gas_solids(
      root, domain,
      [&](CaseNode& node, SideCondition& wall) {
        if (node.has("accommodation")) {
          node.fail("accommodation",
                    "is not available for solids in this method, whose solids reflect diffusely "
                    "or by \"cercignani_lampis\"; take \"bgkw\", or leave it out");
        }
        read_cercignani_lampis(node, wall);
        read_heat_flux(node, wall, units);
        read_wall_state(node, wall, units);
      },
      warnings);
  for (const GasSolid& body : grid.solids.bodies) {
    if (!grid.solids.cuts || !body.wall.cercignani_lampis) continue;
    root.fail_hard("geometry.surface",
                   "\"cercignani_lampis\", which the solid \"" + body.name +
                       "\" has, needs \"whole-cells\": its kernel is a product of one along each "
                       "axis only for surfaces across an axis");
  }
  if (!root.describing()) set_inlet_fluxes(root, domain, grid.solids, grid.sides);
}

}  // namespace knudsen::shakhov
