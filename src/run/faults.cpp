#include "run/faults.hpp"

#include <cmath>
#include <set>
#include <sstream>
#include <variant>

#include "core/error.hpp"
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
  return fault_text(quantity, faulty_cells(quantity, values, 0, size / components, problem),
                    problem);
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

std::vector<std::string> check_given(const GivenFields& given, const std::string& where,
                                     const Problem& problem) {
  std::vector<std::string> warnings;
  for (const GivenFault& fault : problem.faults_of(given)) {
    const std::string text =
        where + fault.field + " in " + place_text(fault.cell, problem) + ": " + fault.text;
    if (fault.fatal) throw InputError(text);
    warnings.push_back(text);
  }
  return warnings;
}

std::string divergence_text(std::int64_t step, const std::string& where_and_what,
                            const std::optional<std::int64_t>& last_sound) {
  return "diverged: step " + std::to_string(step) + ", " + where_and_what +
         (last_sound ? "; the state was sound at step " + std::to_string(*last_sound)
                     : "; the state was not sound at the start");
}

FaultyCells& FaultyCells::operator+=(const FaultyCells& other) {
  if (other.count > 0 && (count == 0 || other.first < first)) first = other.first;
  count += other.count;
  return *this;
}

template <class Value>
FaultyCells faulty_cells(const Quantity& quantity, const Value* values, std::size_t place,
                         std::size_t count, const Problem& problem) {
  const auto components = static_cast<std::size_t>(quantity.components);
  FaultyCells faulty;
  for (std::size_t cell = 0; cell < count; ++cell) {
    bool finite = true;
    for (std::size_t c = 0; c < components; ++c) {
      finite = finite && std::isfinite(values[cell * components + c]);
    }
    if (!finite && !is_absent(quantity.name, place + cell, problem)) {
      faulty += {1, place + cell};
    }
  }
  return faulty;
}
template FaultyCells faulty_cells(const Quantity&, const float*, std::size_t, std::size_t,
                                  const Problem&);
template FaultyCells faulty_cells(const Quantity&, const double*, std::size_t, std::size_t,
                                  const Problem&);

std::optional<std::string> fault_text(const Quantity& quantity, const FaultyCells& faulty,
                                      const Problem& problem) {
  if (faulty.count == 0) return std::nullopt;
  return "the field " + quantity.name + " is not finite in " + std::to_string(faulty.count) +
         " of " + std::to_string(problem.grid.size()) +
         (problem.update_unit == "node" ? " nodes" : " cells") + ", first in " +
         place_text(faulty.first, problem);
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
