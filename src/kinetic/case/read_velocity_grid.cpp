#include "kinetic/case/read_velocity_grid.hpp"

#include <array>
#include <string>
#include <vector>

#include "core/sides.hpp"
#include "kinetic/case/gas_case.hpp"

namespace knudsen {
namespace {

/// Reads the block "velocity_grid" of a case.
class GridReader {
 public:
  GridReader(CaseNode& block, const GasUnits& units, std::optional<std::size_t> remaining)
      : block_(block), units_(units) {
    counts_ = block.require_integers(
        "count", remaining ? 0 : 3,
        std::string("Number of velocities along x, y and z.") +
            (remaining ? " With `reduced`, along the axes of the domain." : ""),
        Range::between(1, 1024));
    if (remaining && !block.describing() && counts_.size() != 3 && counts_.size() != *remaining) {
      block.fail_hard("count",
                      "found a list of " + std::to_string(counts_.size()) +
                          ", must be a list of 3 integers" +
                          (*remaining < 3 ? " or, with \"reduced\", of one for each of the " +
                                                std::to_string(*remaining) + " axes of the domain"
                                          : ""));
    }
    // Any even count suits every type; these axes are replaced.
    counts_.resize(3, 2);
    std::vector<std::size_t> common;
    for (std::size_t d = 0; d < 3; ++d) {
      if (!block.has(axis_names[d])) common.push_back(d);
    }
    read_axes(block, common);
    for (std::size_t d = 0; d < 3; ++d) {
      block.object(
          axis_names[d],
          "Another placement along " + axis_names[d] + ", of as many velocities as `count` says.",
          [&](CaseNode& axis) {
            if (remaining && d >= *remaining) {
              block.fail(axis_names[d], "this velocity component is integrated out");
            }
            read_axes(axis, {d});
          });
    }
  }

  const VelocityGrid& grid() const { return grid_; }

 private:
  using AxisValues = std::array<double, 3>;

  /// Reads the placement of the velocities along some axes: from the block itself, with lists for
  /// x, y and z, or from the object of one axis, with numbers.
  void read_axes(CaseNode& node, const std::vector<std::size_t>& axes) {
    const bool lists = &node == &block_;
    const auto documented = [&](const std::string& what) {
      return what + (lists ? " along x, y and z." : ".");
    };
    const auto read_velocity = [&](const std::string& key, double fallback, const std::string& what,
                                   const Range& range = velocity_range) -> AxisValues {
      const CaseUnit unit = units_.velocity();
      if (!lists) {
        const double value = unit.number_or(node, key, fallback, documented(what), range);
        return {value, value, value};
      }
      return to_array(
          unit.numbers_or(node, key, {fallback, fallback, fallback}, 3, documented(what), range));
    };
    const auto read_ratio = [&]() -> AxisValues {
      const std::string what =
          documented("Ratio of the width of the outermost cells to that of the innermost");
      const Range range = Range::between(1e-3, 1e3);
      if (lists) return to_array(node.numbers_or("ratio", {3, 3, 3}, 3, what, range));
      const double value = node.number_or("ratio", 3, what, range);
      return {value, value, value};
    };
    const auto read_temperature = [&] {
      return units_.temperature().number_or(
          node, "temperature", 1,
          "Temperature of the Maxwellian that is the quadrature's weight function.",
          temperature_range);
    };
    AxisValues minimum{}, maximum{};
    const auto read_range = [&] {
      minimum = read_velocity("minimum", -5, "Lower limit");
      maximum = read_velocity("maximum", 5, "Upper limit");
      for (const std::size_t d : axes) {
        if (minimum[d] < maximum[d]) continue;
        node.fail("maximum",
                  "must be greater than \"minimum\"" +
                      (lists ? " for each component; " + units_.velocity().text(maximum[d]) +
                                   " is not greater than " + units_.velocity().text(minimum[d])
                             : ""));
      }
    };
    const auto place = [&](const auto& axis_of) {
      if (node.describing()) return;
      for (const std::size_t d : axes) grid_[d] = axis_of(d, static_cast<int>(counts_[d]));
    };
    node.alternatives(
        "type", "Placement of the velocities.",
        {{"uniform", "Equally spaced velocities.",
          [&](CaseNode&) {
            read_range();
            const bool trapezoid =
                node.choice_or(
                    "rule", "midpoint", {"midpoint", "trapezoid"},
                    "midpoint: velocities at the centres of equal cells. trapezoid: velocities "
                    "from the lower to the upper limit, with half weights at both.") == "trapezoid";
            place([&](std::size_t d, int count) {
              if (trapezoid && count < 2) {
                block_.fail("count", "must be at least 2 along each axis for the trapezoid rule");
              }
              return uniform_axis(minimum[d], maximum[d], count,
                                  trapezoid ? QuadratureRule::trapezoid : QuadratureRule::midpoint);
            });
          }},
         {"stretched",
          "Velocities at the centres of cells that grow from the middle of the range to its ends.",
          [&](CaseNode&) {
            read_range();
            const AxisValues ratio = read_ratio();
            place([&](std::size_t d, int count) {
              return stretched_axis(minimum[d], maximum[d], count, ratio[d]);
            });
          }},
         {"gauss-hermite",
          "Nodes of Gauss-Hermite quadrature. Slow flows need only few velocities.",
          [&](CaseNode&) {
            const AxisValues centre =
                read_velocity("centre", 0, "Centre of the quadrature's Gaussian weight function");
            const double temperature = read_temperature();
            place([&](std::size_t d, int count) {
              if (count > max_hermite_nodes) {
                block_.fail("count",
                            "must be at most 64 along each axis for type \"gauss-hermite\"");
              }
              return gauss_hermite_axis(count, centre[d], temperature);
            });
          }},
         {"half-range",
          "Gauss quadrature on each half of the axis separately, for a Maxwellian at rest. Slow "
          "flows between walls, where the distribution jumps at velocity 0, need only few "
          "velocities.",
          [&](CaseNode&) {
            const double temperature = read_temperature();
            place([&](std::size_t, int count) {
              if (count > max_hermite_nodes || count % 2 != 0) {
                block_.fail("count",
                            "must be even and at most 64 along each axis for type \"half-range\"");
              }
              return half_range_axis(count, temperature);
            });
          }},
         {"graded",
          "Gauss quadrature on panels that grow from zero by a factor, on each half of the axis. "
          "Gases so rarefied that the molecules that graze the walls carry much of the flow.",
          [&](CaseNode&) {
            const double temperature = read_temperature();
            const Range above_zero{0, 1e4, true, false};
            const AxisValues most =
                read_velocity("maximum", 3.5, "Upper limit, and minus the lower one", above_zero);
            const AxisValues innermost =
                read_velocity("innermost", 0.01, "Upper end of the panel next to zero", above_zero);
            const auto panel_nodes = static_cast<int>(node.integer_or(
                "panel_nodes", 3,
                "Velocities of a panel. `count` is twice as many times the panels of a half.",
                Range::between(1, max_panel_nodes)));
            place([&](std::size_t d, int count) {
              if (count % (2 * panel_nodes) != 0) {
                block_.fail("count", "must be a multiple of " + std::to_string(2 * panel_nodes) +
                                         ", twice \"panel_nodes\", along each axis for type "
                                         "\"graded\"");
              }
              if (innermost[d] >= most[d]) {
                node.fail("innermost",
                          "must be below \"maximum\", " + units_.velocity().text(most[d]));
              }
              return graded_axis(most[d], count, innermost[d], panel_nodes, temperature);
            });
          }}},
        "uniform");
  }

  CaseNode& block_;
  const GasUnits& units_;
  std::vector<std::int64_t> counts_;
  VelocityGrid grid_;
};

}  // namespace

bool read_reduced(CaseNode& root, std::size_t dimensions) {
  const bool reduced = root.boolean_or(
      "reduced", false,
      "true: velocity components normal to a domain of one or two dimensions are integrated out "
      "(Chu 1965). Two values replace the velocities along these components, which need no count; "
      "the results are those of infinitely many.");
  if (reduced && dimensions == 3) root.fail("reduced", "requires a domain of 1 or 2 dimensions");
  return reduced;
}

VelocityGrid read_velocity_grid(CaseNode& root, const GasUnits& units,
                                std::optional<std::size_t> axes) {
  VelocityGrid grid;
  root.require_object("velocity_grid", "Grid of discrete velocities.",
                      [&](CaseNode& node) { grid = GridReader(node, units, axes).grid(); });
  return grid;
}

void integrate_out(VelocityGrid& grid, std::size_t dimensions) {
  for (std::size_t d = dimensions; d < 3; ++d) grid[d] = integrated_axis(d == 2);
}

}  // namespace knudsen
