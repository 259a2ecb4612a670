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

/// The quantities that a method shows, fields or monitors: each is declared and evaluated by one
/// row. `Source` is the interface, free of backend and precision, through which rows reach the
/// method's state; `Value` is FieldValues for fields and double for monitors. A table can be made
/// without a state, so that `list`, the schema and `validate` show the same rows.
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

  /// The row of this name. Throws InputError that lists the names when there is none.
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
