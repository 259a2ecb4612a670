#include "model/si_units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "model/forwarding_method.hpp"
#include "model/problem.hpp"

namespace knudsen {
namespace {

constexpr std::array<const char*, 4> base_units{"kg", "m", "s", "K"};

/// Units that have names of their own, or are usually written with such.
const std::map<std::array<int, 4>, std::string>& common_names() {
  static const std::map<std::array<int, 4>, std::string> names{
      {{1, -1, -2, 0}, "Pa"}, {{1, -2, -2, 0}, "Pa/m"}, {{1, 0, -2, 0}, "N/m"},
      {{1, 1, -2, 0}, "N"},   {{1, 2, -2, 0}, "J"},     {{1, 0, -3, 0}, "W/m^2"},
      {{1, 1, -3, 0}, "W/m"}, {{1, 2, -3, 0}, "W"},
  };
  return names;
}

/// Multiplies `unit` by a power of `by`.
void multiply(SiUnit& unit, const SiUnit& by, int power) {
  unit.factor *= std::pow(by.factor, power);
  for (std::size_t i = 0; i < 4; ++i) unit.exponents[i] += power * by.exponents[i];
}

/// The unit of a quantity. Torques have the dimension of an energy, throughputs that of a power, in
/// two dimensions for a unit of depth, in one for a unit of area.
std::string unit_name(const std::string& quantity, const SiUnit& unit) {
  std::string name = unit.name();
  if (name == "J" && quantity.find(".torque_") != std::string::npos) return "N m";
  if (!quantity.ends_with(".throughput")) return name;
  return name == "W" ? "Pa m^3/s" : name == "W/m" ? "Pa m^2/s" : "Pa m/s";
}

/// The number that a power of a symbol states: "(d-1)", "d" or digits.
std::optional<int> exponent_of(const std::string& text, int dimensions) {
  if (text == "(d-1)") return dimensions - 1;
  if (text == "d") return dimensions;
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return {};
  return std::atoi(text.c_str());
}

/// The units of given fields in SI, by "density", "velocity", "temperature".
std::map<std::string, double> given_factors(const Problem& problem) {
  std::map<std::string, double> factors;
  for (const std::string& name : problem.given_fields) {
    const auto field = std::find_if(problem.fields.begin(), problem.fields.end(),
                                    [&](const Quantity& each) { return each.name == name; });
    const auto unit = problem.si->find(field->unit);
    factors[name.substr(0, name.find("_deviation"))] = unit ? unit->factor : 1;
  }
  return factors;
}

/// Given fields in SI units, in the units of the method.
GivenFields in_own_units(GivenFields given, const std::map<std::string, double>& factors) {
  for (const char* name : {"density", "velocity", "temperature"}) {
    for (double& value : given.of(name)) value /= factors.at(name);
  }
  return given;
}

/// A running method whose values are in the problem's own units, seen in SI units.
class SiMethod final : public ForwardingMethod {
 public:
  SiMethod(std::unique_ptr<Method> method, const Problem& problem)
      : ForwardingMethod(std::move(method)),
        units_(*problem.si),
        given_factors_(given_factors(problem)) {
    for (const Quantity& each : problem.fields) note(each);
    for (const Quantity& each : problem.surface_fields) {
      if (const auto unit = units_.find(each.unit)) surface_units_[each.name] = *unit;
    }
    for (const Quantity& each : problem.monitors) {
      const auto& changes = problem.change_monitors;
      if (std::find(changes.begin(), changes.end(), each.name) == changes.end()) note(each);
    }
  }

  using ForwardingMethod::initialise;
  void initialise(const GivenFields& given) override {
    if (given.in_case_units && !units_.of_case) return method().initialise(given);
    method().initialise(in_own_units(given, given_factors_));
  }
  double monitor(const std::string& name) override {
    return method().monitor(name) * unit_of(name).factor;
  }
  Field field(const std::string& name) override {
    Field field = method().field(name);
    convert(field, units_of_);
    return field;
  }
  void keep_averages(const AveragePlan& plan) override {
    AveragePlan own = plan;
    for (AveragePlan::Variable& each : own.variables) each.factor *= unit_of(each.field).factor;
    method().keep_averages(own);
  }
  SurfaceFields surface() override {
    SurfaceFields surface = method().surface();
    for (Field& field : surface.fields) convert(field, surface_units_);
    return surface;
  }
  std::map<std::string, std::string> results() override {
    auto found = method().results();
    std::map<std::string, std::string> in_litres;
    for (auto& [name, text] : found) {
      if (!units_of_.contains(name)) continue;
      char* end = nullptr;
      const double value = std::strtod(text.c_str(), &end);
      if (*end != '\0' && end != ' ' + own_units_.at(name)) continue;
      const SiUnit unit = unit_of(name);
      char converted[32];
      std::snprintf(converted, sizeof(converted), "%.6g", value * unit.factor);
      text = converted;
      const std::string symbol = unit_name(name, unit);
      if (symbol != "1") text += ' ' + symbol;
      if (name == "conductance" && symbol == "m^3/s") {
        std::snprintf(converted, sizeof(converted), "%.6g l/s", 1000 * value * unit.factor);
        in_litres[name + "_litres"] = converted;
      }
    }
    found.merge(in_litres);
    return found;
  }
  std::vector<DistributionSample> distributions() override {
    auto samples = method().distributions();
    for (DistributionSample& sample : samples) {
      const auto of_values = units_.find(sample.unit);
      const auto of_velocities = units_.find(sample.velocity_unit);
      if (!of_values || !of_velocities) continue;
      for (double& value : sample.values) value *= of_values->factor;
      for (auto& nodes : sample.velocities) {
        for (double& node : nodes) node *= of_velocities->factor;
      }
      for (double& coordinate : sample.position) coordinate *= units_.factor(units_.length);
      sample.unit = of_values->name();
      sample.velocity_unit = of_velocities->name();
    }
    return samples;
  }

 private:
  using UnitsByName = std::map<std::string, SiUnit>;

  static void convert(Field& field, const UnitsByName& units) {
    const auto found = units.find(field.quantity.name);
    if (found == units.end()) return;
    field.quantity.unit = found->second.name();
    const double factor = found->second.factor;
    std::visit(
        [&](auto& values) {
          for (auto& value : values) {
            value = static_cast<std::decay_t<decltype(value)>>(value * factor);
          }
        },
        field.values);
  }
  void note(const Quantity& quantity) {
    const auto unit = units_.find(quantity.unit);
    if (!unit) return;
    units_of_[quantity.name] = *unit;
    own_units_[quantity.name] = quantity.unit;
  }
  SiUnit unit_of(const std::string& name) const {
    const auto found = units_of_.find(name);
    return found == units_of_.end() ? SiUnit{} : found->second;
  }

  SiUnits units_;
  std::map<std::string, double> given_factors_;
  UnitsByName units_of_;                          ///< of converted fields and monitors
  std::map<std::string, std::string> own_units_;  ///< the units of the same before
  UnitsByName surface_units_;                     ///< of converted fields on surfaces
};

class SiProblem final : public Problem {
 public:
  explicit SiProblem(std::unique_ptr<Problem> inner) : Problem(*inner), inner_(std::move(inner)) {
    const double length = si->factor(si->length);
    grid.unit = "m";
    for (std::size_t d = 0; d < 3; ++d) {
      grid.origin[d] *= length;
      grid.spacing[d] *= length;
      for (double& edge : grid.edges[d]) edge *= length;
    }
    time_per_step *= si->factor(si->time);
    time_unit = "s";
    for (auto& [name, scale] : scales) {
      if (name == "length") scale *= length;
      for (const Quantity& field : fields) {
        if (field.name != name) continue;
        if (const auto unit = si->find(field.unit)) scale *= unit->factor;
      }
    }
    for (const Quantity& field : fields) {
      const auto unit = si->find(field.unit);
      if (unit && field.name.ends_with("_deviation")) deviations_from[field.name] = unit->factor;
    }
    for (ResolvedValue& each : resolved) convert(each);
    const auto rename = [&](Quantity& quantity) {
      const auto unit = si->find(quantity.unit);
      if (!unit) return;
      quantity.unit = unit_name(quantity.name, *unit);
    };
    for (Quantity& field : fields) rename(field);
    for (Quantity& field : surface_fields) rename(field);
    for (Quantity& each : monitors) {
      if (std::find(change_monitors.begin(), change_monitors.end(), each.name) ==
          change_monitors.end()) {
        rename(each);
      }
    }
  }

  bool is_solid(std::size_t cell) const override { return inner_->is_solid(cell); }
  bool has_temperature(std::size_t cell) const override { return inner_->has_temperature(cell); }
  std::vector<GivenFault> faults_of(const GivenFields& given) const override {
    if (given.in_case_units && !si->of_case) return inner_->faults_of(given);
    return inner_->faults_of(in_own_units(given, given_factors(*inner_)));
  }
  std::unique_ptr<Method> create(Backend backend) const override {
    return std::make_unique<SiMethod>(inner_->create(backend), *inner_);
  }

 private:
  void convert(ResolvedValue& resolved_value) const {
    const auto unit = si->find(resolved_value.unit);
    if (!unit || unit->name() == "1") return;
    char* end = nullptr;
    const double value = std::strtod(resolved_value.value.c_str(), &end);
    if (*end != '\0') return;
    char converted[32];
    std::snprintf(converted, sizeof(converted), "%.4g", value * unit->factor);
    resolved_value.value = converted;
    resolved_value.unit = unit->name();
  }

  std::unique_ptr<Problem> inner_;
};

}  // namespace

std::string SiUnit::name() const {
  const auto common = common_names().find(exponents);
  if (common != common_names().end()) return common->second;
  std::string above;
  std::string below;
  int factors_below = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const int power = std::abs(exponents[i]);
    if (power == 0) continue;
    std::string& part = exponents[i] > 0 ? above : below;
    if (!part.empty()) part += ' ';
    part += base_units[i];
    if (power > 1) part += '^' + std::to_string(power);
    if (exponents[i] < 0) ++factors_below;
  }
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return above + '/' + (factors_below > 1 ? '(' + below + ')' : below);
}

std::optional<SiUnit> SiUnits::find(const std::string& unit) const {
  SiUnit found;
  std::istringstream words(unit);
  int sign = 1;
  for (std::string word; words >> word;) {
    if (word == "/") {
      sign = -1;
      continue;
    }
    if (word == "1") continue;
    const std::size_t caret = word.find('^');
    const auto symbol = symbols.find(word.substr(0, caret));
    if (symbol == symbols.end()) return {};
    const auto power =
        caret == std::string::npos ? 1 : exponent_of(word.substr(caret + 1), dimensions);
    if (!power) return {};
    multiply(found, symbol->second, sign * *power);
  }
  return found;
}

std::unique_ptr<Problem> in_si_units(std::unique_ptr<Problem> problem) {
  return std::make_unique<SiProblem>(std::move(problem));
}

}  // namespace knudsen
