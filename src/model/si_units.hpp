#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace knudsen {

class Problem;

/// A unit in SI: its value, and the exponents of kg, m, s and K.
struct SiUnit {
  double factor = 1;
  std::array<int, 4> exponents{0, 0, 0, 0};

  /// "Pa", "kg/(m^2 s)"; "1" for a number without a dimension.
  std::string name() const;
};

/// What the units of a problem are in SI.
struct SiUnits {
  int dimensions = 3;  ///< d in units like "p_ref L^(d-1)"
  /// By the symbols that Quantity::unit consists of: "rho_ref", "L".
  std::map<std::string, SiUnit> symbols;
  std::string length = "L";        ///< unit of positions
  std::string time = "L / v_ref";  ///< unit of Problem::time_per_step
  /// The case itself is in SI units, as its results then are. Else it is in the problem's units.
  bool of_case = false;

  /// A product of symbols with exponents, as Quantity::unit names it: "p_ref v_ref L^(d-1)",
  /// "rho_ref / v_ref^3", "1". Nothing if there are other words in it.
  std::optional<SiUnit> find(const std::string& unit) const;
  /// The value in SI of a unit that consists of the symbols.
  double factor(const std::string& unit) const { return find(unit).value().factor; }
};

/// The same problem with all fields, monitors, results, resolved values, positions and times in SI
/// units. Change monitors and quantities whose units `Problem::si` does not know stay as they are.
/// Problem::si must be set.
std::unique_ptr<Problem> in_si_units(std::unique_ptr<Problem> problem);

}  // namespace knudsen
