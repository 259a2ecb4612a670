#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace knudsen {

/// A field or monitor that a method can evaluate.
struct Quantity {
  std::string name;         ///< in case files and output: lower case, underscores
  std::string unit;         ///< "dx / dt", "v_ref", "m/s", or "1" for a dimensionless quantity
  std::string description;  ///< one line for `knudsen list`
  int components = 1;  ///< 1 scalar, 2 or 3 vector, 6 symmetric tensor (xx, yy, zz, xy, yz, xz)
};

/// A Cartesian grid of cells. An axis is uniform unless it has `edges`. Two-dimensional problems
/// have cells[2] == 1. The nodes of lattice methods are the cell centres.
struct CartesianGrid {
  std::array<int, 3> cells{1, 1, 1};
  std::array<double, 3> origin{0, 0, 0};   ///< corner of the first cell
  std::array<double, 3> spacing{1, 1, 1};  ///< width of a cell; the mean where widths differ
  /// The cells[axis] + 1 cell edges along an axis with unequal cell widths; else empty.
  std::array<std::vector<double>, 3> edges{};
  std::string unit{};  ///< of positions where they are in SI units, "m"; else empty

  bool uniform() const { return edges[0].empty() && edges[1].empty() && edges[2].empty(); }
  /// Lower edge of cell i along an axis; the upper edge of the last for i == cells[axis].
  double edge(std::size_t axis, int i) const {
    return edges[axis].empty() ? origin[axis] + i * spacing[axis]
                               : edges[axis][static_cast<std::size_t>(i)];
  }
  std::size_t size() const {
    return static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
           static_cast<std::size_t>(cells[2]);
  }
};

/// Macroscopic fields from which a state is made, in place of those of the case: empty ones are as
/// in the case. The index of a value is that of Field, on the whole grid.
struct GivenFields {
  std::vector<double> density;
  std::vector<double> velocity;
  std::vector<double> temperature;  ///< of gases and of lattice cases with heat
  std::map<std::string, std::vector<double>> scalars{};  ///< passive scalars, by name
  /// Whether the units are those of the case. Else they are those of the fields of the same names.
  bool in_case_units = false;

  /// The field with this name, without a suffix "_deviation".
  std::vector<double>& of(const std::string& name) {
    return name == "density"       ? density
           : name == "velocity"    ? velocity
           : name == "temperature" ? temperature
                                   : scalars[name];
  }
};

/// Host copy of a quantity in all cells. The index of a value is
/// ((z * ny + y) * nx + x) * components + component.
struct Field {
  Quantity quantity;
  std::variant<std::vector<float>, std::vector<double>> values;

  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
  double operator[](std::size_t i) const {
    return std::visit([i](const auto& v) { return static_cast<double>(v[i]); }, values);
  }
};

}  // namespace knudsen
