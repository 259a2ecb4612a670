#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/field.hpp"
#include "core/text.hpp"

namespace knudsen {

/// Host copy of a field's values; see Field.
using FieldValues = decltype(Field::values);

/// The fields or monitors of a method. One row declares and evaluates a quantity. `Source` is the
/// interface to the method's state, which does not depend on backend or precision. `Value` is
/// FieldValues for fields and double for monitors. Making a table needs no state, so that `list`,
/// the schema and `validate` show the same rows.
template <class Source, class Value>
class QuantityTable {
 public:
  struct Row {
    Quantity quantity;
    std::function<Value(Source&)> value;
  };

  QuantityTable() = default;
  explicit QuantityTable(std::vector<Row> rows) : rows_(std::move(rows)) {}

  void add(Row row) { rows_.push_back(std::move(row)); }

  std::vector<Quantity> quantities() const {
    std::vector<Quantity> all;
    for (const Row& row : rows_) all.push_back(row.quantity);
    return all;
  }

  /// The row with this name. If there is none, throws InputError with the list of names.
  const Row& row(const std::string& name) const {
    std::vector<std::string> names;
    for (const Row& row : rows_) {
      if (row.quantity.name == name) return row;
      names.push_back(row.quantity.name);
    }
    throw InputError("quantity " + quote(name) + ": must be one of " + quote_list(names));
  }
  Value value(const std::string& name, Source& source) const { return row(name).value(source); }

 private:
  std::vector<Row> rows_;
};

template <class Source>
using MonitorTable = QuantityTable<Source, double>;
template <class Source>
using FieldTable = QuantityTable<Source, FieldValues>;

}  // namespace knudsen
