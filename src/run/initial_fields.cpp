#include "run/initial_fields.hpp"

#include <algorithm>
#include <cmath>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "output/vtkhdf.hpp"
#include "run/faults.hpp"

namespace knudsen {
namespace {

/// Cells up to which the fields are made when the case is read, to find faults at once.
constexpr std::size_t quick_cells = 2000000;

constexpr const char* deviation = "_deviation";

/// Those of a problem, or all that any problem may have.
std::vector<PlacedQuantity> initial_quantities(const Problem* problem) {
  std::vector<PlacedQuantity> quantities{
      {"density", "Density, in the unit of the method, or in kg/m^3 in a case in SI units.",
       Range::positive()},
      {"velocity_x",
       "Velocity along x, in the unit of the method, or in m/s in a case in SI units; 0 if "
       "only others are given.",
       Range::any()},
      {"velocity_y", "Velocity along y, likewise.", Range::any()},
      {"velocity_z", "Velocity along z, likewise.", Range::any()},
      {"temperature",
       "Temperature, in the unit of the method, or in K in a gas case in SI units: positive for "
       "gases, any for lattice cases with `heat`.",
       Range::positive()}};
  if (problem == nullptr) return quantities;
  const auto& free = problem->signed_fields;
  for (PlacedQuantity& each : quantities) {
    if (std::find(free.begin(), free.end(), each.name) != free.end()) each.range = Range::any();
  }
  return quantities;
}

}  // namespace

InitialFields::InitialFields(CaseNode& node, const Problem* problem)
    : functions_(node, initial_quantities(problem), {.fields = true}) {
  if (problem == nullptr) return;
  grid_ = problem->grid;
  where_ = node.message(node.has("file") ? "file" : "", "");
  for (const std::string& given : problem->given_fields) {
    const auto quantity = std::find_if(problem->fields.begin(), problem->fields.end(),
                                       [&](const Quantity& q) { return q.name == given; });
    Source source;
    source.name = given.substr(0, given.find(deviation));
    source.unit = quantity->unit;
    source.components = quantity->components;
    if (const auto from = problem->deviations_from.find(given);
        from != problem->deviations_from.end()) {
      source.rest = from->second;
    }
    const auto& free = problem->signed_fields;
    source.positive =
        source.name != "velocity" && std::find(free.begin(), free.end(), given) == free.end();
    if (problem->si) {
      if (const auto unit = problem->si->find(source.unit)) {
        source.si_unit = unit->name();
        source.si_factor = unit->factor;
      }
    }
    sources_.push_back(source);
  }
  // What the method does not have.
  for (const PlacedQuantity& each : initial_quantities(problem)) {
    if (!functions_.has(each.name)) continue;
    const bool known = std::any_of(sources_.begin(), sources_.end(), [&](const Source& source) {
      if (source.name != "velocity") return each.name == source.name;
      for (std::size_t d = 0; d < static_cast<std::size_t>(source.components); ++d) {
        if (each.name == "velocity_" + axis_names[d]) return true;
      }
      return false;
    });
    if (!known) {
      node.fail(node.has("file") ? "file" : each.name,
                "the method " + problem->method + " has no " + each.name);
    }
  }
  for (std::size_t d = 0; d < 3; ++d) {
    const int cells = grid_.cells[d];
    if (cells > 1) functions_.check_width(d, grid_.edge(d, 0), grid_.edge(d, cells));
  }
  if (empty() || grid_.size() > quick_cells) return;
  bool any = false;
  for (const Source& source : sources_) any = !field(source).empty() || any;
  if (!any) node.fail("file", "has none of the fields that the method takes");
  // Where solids are not built, what is given in them cannot be told from the rest.
  if (!problem->estimated) {
    warnings_ = check_given(values(*problem), "initial_fields: ", *problem);
  }
}

GivenFields InitialFields::values(const Problem& problem) const {
  GivenFields given;
  given.in_case_units = true;
  for (const Source& source : sources_) {
    std::vector<double>& target = given.of(source.name);
    target = field(source);
    const auto components = static_cast<std::size_t>(source.components);
    const auto fault = first_unsound(source.name, target, source.positive, components, problem);
    if (!fault) continue;
    throw InputError(where_ + source.name + " is " + number_text(target[*fault]) + " in " +
                     place_text(*fault / components, problem) + ", must be " +
                     (source.positive ? "positive" : "finite"));
  }
  check_given(given, where_, problem);
  return given;
}

std::vector<double> InitialFields::field(const Source& source) const {
  if (functions_.field_file()) return from_file(source);
  std::vector<std::string> names;
  if (source.name == "velocity") {
    for (std::size_t d = 0; d < static_cast<std::size_t>(source.components); ++d) {
      names.push_back("velocity_" + axis_names[d]);
    }
  } else {
    names.push_back(source.name);
  }
  if (std::none_of(names.begin(), names.end(),
                   [&](const std::string& name) { return functions_.has(name); })) {
    return {};
  }
  std::array<std::vector<double>, 3> centres;
  for (std::size_t d = 0; d < 3; ++d) {
    for (int i = 0; i < grid_.cells[d]; ++i) {
      centres[d].push_back(0.5 * (grid_.edge(d, i) + grid_.edge(d, i + 1)));
    }
  }
  std::vector<double> values;
  values.reserve(grid_.size() * names.size());
  for (const double z : centres[2]) {
    for (const double y : centres[1]) {
      for (const double x : centres[0]) {
        for (const std::string& name : names) {
          values.push_back(functions_.has(name) ? functions_.value(name, {x, y, z}) : 0);
        }
      }
    }
  }
  return values;
}

std::vector<double> InitialFields::from_file(const Source& source) const {
  const FieldFile file(*functions_.field_file());
  double rest = 0;
  std::string name = source.name;
  if (!file.has(name)) {
    name += deviation;
    rest = source.rest;
  }
  if (!file.has(name)) return {};
  const Field field = file.read(name, grid_.cells, source.components);
  const std::string& unit = field.quantity.unit;
  if (unit != source.unit && unit != source.si_unit) {
    throw InputError(where_ + "the field " + name + " has the unit " + quote(unit) + ", must be " +
                     quote(source.unit) +
                     (source.si_unit.empty() ? "" : " or " + quote(source.si_unit)));
  }
  const double scale = unit == source.unit ? 1 : source.si_factor;
  std::vector<double> values(field.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = field[i] / scale + rest;
  return values;
}

}  // namespace knudsen
