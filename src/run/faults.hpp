#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/problem.hpp"

namespace knudsen {

/// A position for messages: "node (3, 4)" or "cell (3, 4, 5)".
std::string place_text(const std::array<std::int64_t, 3>& cell, const Problem& problem);
/// The same for the place of a cell in a field.
std::string place_text(std::size_t cell, const Problem& problem);

/// Puts neutral values of a field into solids without it, and returns the first place of a value
/// that is not finite or, if it must be, not positive.
std::optional<std::size_t> first_unsound(const std::string& field, std::vector<double>& values,
                                         bool positive, std::size_t components,
                                         const Problem& problem);

/// Throws InputError that begins with `where` if given fields are no state that the method takes.
/// Returns warnings.
std::vector<std::string> check_given(const GivenFields& given, const std::string& where,
                                     const Problem& problem);

/// "diverged: step 40, <where_and_what>; the state was sound at step 20". Without `last_sound` the
/// state was not sound at the start.
std::string divergence_text(std::int64_t step, const std::string& where_and_what,
                            const std::optional<std::int64_t>& last_sound);

/// Cells outside of solids in which a field is not finite.
struct FaultyCells {
  std::size_t count = 0;
  std::size_t first = 0;  ///< the one with the lowest place, if there are any

  FaultyCells& operator+=(const FaultyCells& other);
};
/// Those among `count` cells from a place on, with these values.
template <class Value>
FaultyCells faulty_cells(const Quantity& quantity, const Value* values, std::size_t place,
                         std::size_t count, const Problem& problem);
/// Describes them, of all cells of the problem. Empty if there are none.
std::optional<std::string> fault_text(const Quantity& quantity, const FaultyCells& faulty,
                                      const Problem& problem);

/// Describes the values of a field that are not finite, outside of solids. Empty if there are none.
std::optional<std::string> field_fault(const Field& field, const Problem& problem);
/// The same of a field in the memory of the host.
std::optional<std::string> field_fault(const DeviceField& field, const Problem& problem);

/// One sentence for each entry of Method::results that contains a number which is not finite.
std::vector<std::string> result_faults(const std::map<std::string, std::string>& results);

}  // namespace knudsen
