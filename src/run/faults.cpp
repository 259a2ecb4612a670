#include "run/faults.hpp"

#include <cmath>
#include <set>
#include <sstream>
#include <variant>

#include "core/text.hpp"

namespace knudsen {
namespace {

/// Whether a field has no value in a cell, which is then in a solid.
bool is_absent(const std::string& field, std::size_t cell, const Problem& problem) {
  return field == "temperature" ? !problem.has_temperature(cell) : problem.is_solid(cell);
}

/// See field_fault.
template <class Value>
std::optional<std::string> fault_of(const Quantity& quantity, const Value* values, std::size_t size,
                                    const Problem& problem) {
  const auto components = static_cast<std::size_t>(quantity.components);
  const std::size_t cells = size / components;
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    bool finite = true;
    for (std::size_t c = 0; c < components; ++c) {
      finite = finite && std::isfinite(values[cell * components + c]);
    }
    if (finite || is_absent(quantity.name, cell, problem)) continue;
    if (count == 0) first = cell;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return "the field " + quantity.name + " is not finite in " + std::to_string(count) + " of " +
         std::to_string(cells) + (problem.update_unit == "node" ? " nodes" : " cells") +
         ", first in " + place_text(first, problem);
}

}  // namespace

std::string place_text(const std::array<std::int64_t, 3>& cell, const Problem& problem) {
  const std::size_t dimensions = problem.grid.cells[2] > 1 ? 3 : 2;
  std::vector<std::string> indices;
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    indices.push_back(std::to_string(cell[axis]));
  }
  return (problem.update_unit == "node" ? "node (" : "cell (") + join(indices, ", ") + ')';
}

std::string place_text(std::size_t cell, const Problem& problem) {
  const auto at = static_cast<std::int64_t>(cell);
  const std::int64_t nx = problem.grid.cells[0];
  const std::int64_t ny = problem.grid.cells[1];
  return place_text({at % nx, at / nx % ny, at / nx / ny}, problem);
}

std::optional<std::size_t> first_unsound(const std::string& field, std::vector<double>& values,
                                         bool positive, std::size_t components,
                                         const Problem& problem) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_absent(field, i / components, problem)) values[i] = positive ? 1 : 0;
    if (!std::isfinite(values[i]) || (positive && !(values[i] > 0))) return i;
  }
  return std::nullopt;
}

std::string divergence_text(std::int64_t step, const std::string& where_and_what,
                            const std::optional<std::int64_t>& last_sound) {
  return "diverged: step " + std::to_string(step) + ", " + where_and_what +
         (last_sound ? "; the state was sound at step " + std::to_string(*last_sound)
                     : "; the state was not sound at the start");
}

std::optional<std::string> field_fault(const Field& field, const Problem& problem) {
  return std::visit(
      [&](const auto& values) {
        return fault_of(field.quantity, values.data(), values.size(), problem);
      },
      field.values);
}

std::optional<std::string> field_fault(const DeviceField& field, const Problem& problem) {
  return std::visit(
      [&](const auto& values) {
        return fault_of(field.quantity, values.get(), field.size, problem);
      },
      field.values);
}

std::vector<std::string> result_faults(const std::map<std::string, std::string>& results) {
  static const std::set<std::string> not_finite{"nan", "-nan", "inf", "-inf"};
  std::vector<std::string> faults;
  for (const auto& [name, value] : results) {
    std::istringstream words(value);
    for (std::string word; words >> word;) {
      if (word.back() == ',') word.pop_back();
      if (!not_finite.contains(word)) continue;
      faults.push_back("the result " + quote(name) + " is not finite: " + value);
      break;
    }
  }
  return faults;
}

}  // namespace knudsen
