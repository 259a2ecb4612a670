#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/formula.hpp"

namespace knudsen {

/// A quantity that a case may give as a function of place.
struct PlacedQuantity {
  std::string name;           ///< key of its formula, and column of its table
  std::string documentation;  ///< of the key, with the unit
  Range range;                ///< of its values
};

/// Coordinates, as a case gives and reads them.
using PlacePoint = std::array<double, 3>;

/// A table of values at the points of a rectilinear grid, between which it is linear along each
/// axis.
class PlaceTable {
 public:
  /// Reads a CSV file with columns x, y or z, one at least, and some of `quantities`. Throws
  /// InputError: other columns, a value that is no number, rows that are no rectilinear grid.
  PlaceTable(const std::filesystem::path& file, const std::vector<std::string>& quantities);

  bool has(const std::string& quantity) const { return values_.contains(quantity); }
  /// The value at a place. Nothing outside of the table.
  std::optional<double> value(const std::string& quantity, const PlacePoint& at) const;
  /// First and last coordinate along an axis; nothing without such a column.
  std::optional<std::array<double, 2>> range(std::size_t axis) const;
  /// What the table covers: "x from 0 to 1 and y from 0 to 2".
  std::string extent() const;

 private:
  std::array<std::vector<double>, 3> lines_;  ///< ascending coordinates; empty without a column
  std::map<std::string, std::vector<double>> values_;  ///< x fastest, then y, then z
};

/// Quantities as functions of place: each by a formula, or all by a table.
class PlaceFunctions {
 public:
  /// What the case may give besides formulas of x, y and z and a table.
  struct Options {
    bool fields = false;  ///< `file` may be an HDF5 file, which is left to the caller
    bool time = false;    ///< formulas may depend on the time t
  };

  PlaceFunctions() = default;
  /// Reads a key for each quantity, and `file`. Throws InputError.
  PlaceFunctions(CaseNode& node, const std::vector<PlacedQuantity>& quantities, Options options);

  bool has(const std::string& quantity) const { return functions_.contains(quantity); }
  bool empty() const { return functions_.empty(); }
  /// The HDF5 file that is given in place of functions.
  const std::optional<std::filesystem::path>& field_file() const { return field_file_; }
  /// The value at a place of a quantity that is there. Throws InputError, with the path in the
  /// case: a value that is not finite or out of range, a place outside of the table.
  double value(const std::string& quantity, const PlacePoint& at, double time = 0) const;
  /// Throws InputError if a table is so much wider than what is used of it along an axis that its
  /// coordinates are probably in another unit.
  void check_width(std::size_t axis, double begin, double end) const;
  /// Whether a formula depends on the time.
  bool varies() const;

 private:
  struct Function {
    std::optional<Formula> formula;  ///< empty: a column of the table
    Range range;
    std::string where;  ///< begin of a message
  };
  bool takes_time_ = false;
  std::map<std::string, Function> functions_;
  std::optional<PlaceTable> table_;
  std::string table_where_;  ///< begin of a message about the table
  std::optional<std::filesystem::path> field_file_;
};

}  // namespace knudsen
