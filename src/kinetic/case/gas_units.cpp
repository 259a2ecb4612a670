#include "kinetic/case/gas_units.hpp"

#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"

namespace knudsen {

CaseUnit::CaseUnit(std::string reference, std::string si, std::optional<double> si_size)
    : reference_(std::move(reference)),
      si_(std::move(si)),
      is_si_(si_size.has_value()),
      size_(si_size.value_or(1)) {}

std::optional<double> CaseUnit::number(CaseNode& node, const std::string& key,
                                       const std::string& documentation, const Range& range) const {
  const auto given = node.number(key, documented(documentation), range_of_key(node, range));
  if (!given) return {};
  return from_case(*given);
}

double CaseUnit::number_or(CaseNode& node, const std::string& key, double fallback,
                           const std::string& documentation, const Range& range) const {
  const double given =
      node.number_or(key, fallback, documented(documentation), range_of_key(node, range));
  return node.has(key) ? from_case(given) : given;
}

double CaseUnit::require_number(CaseNode& node, const std::string& key,
                                const std::string& documentation, const Range& range) const {
  return from_case(node.require_number(key, documented(documentation), range_of_key(node, range)));
}

std::optional<std::vector<double>> CaseUnit::numbers(CaseNode& node, const std::string& key,
                                                     std::size_t length,
                                                     const std::string& documentation,
                                                     const Range& range) const {
  auto given = node.numbers(key, length, documented(documentation), range_of_key(node, range));
  if (!given) return {};
  for (double& value : *given) value = from_case(value);
  return given;
}

std::vector<double> CaseUnit::numbers_or(CaseNode& node, const std::string& key,
                                         const std::vector<double>& fallback, std::size_t length,
                                         const std::string& documentation,
                                         const Range& range) const {
  auto given =
      node.numbers_or(key, fallback, length, documented(documentation), range_of_key(node, range));
  if (!node.has(key)) return given;
  for (double& value : given) value = from_case(value);
  return given;
}

Range CaseUnit::in_case(const Range& range) const {
  if (!is_si_) return range;
  Range scaled = range;
  // Rounded, since a message shows them.
  if (range.minimum) scaled.minimum = rounded(in_case(*range.minimum));
  if (range.maximum) scaled.maximum = rounded(in_case(*range.maximum));
  return scaled;
}

Range CaseUnit::range_of_key(const CaseNode& node, const Range& range) const {
  if (!node.describing()) return in_case(range);
  if (!range.minimum || *range.minimum < 0) return Range::any();
  return *range.minimum > 0 || range.minimum_excluded ? Range::positive() : Range::at_least(0);
}

std::string CaseUnit::documented(const std::string& documentation) const {
  return documentation + " In " + reference_ + " (SI: " + si_ + ").";
}

std::string CaseUnit::text(double value) const {
  return number_text(rounded(in_case(value))) + (is_si_ ? ' ' + si_ : "");
}

CaseUnit GasUnits::unit(const std::string& name, const std::string& si_name,
                        double (*size)(const SiReference&)) const {
  return {name, si_name, si ? std::optional(size(*reference)) : std::nullopt};
}

CaseUnit GasUnits::length() const {
  return unit("L", "m", [](const SiReference& r) { return r.length; });
}

CaseUnit GasUnits::time() const {
  return unit("L / v_ref", "s", [](const SiReference& r) { return r.length / r.velocity(); });
}

CaseUnit GasUnits::velocity() const {
  return unit("v_ref", "m/s", [](const SiReference& r) { return r.velocity(); });
}

CaseUnit GasUnits::acceleration() const {
  return unit("v_ref^2 / L", "m/s^2",
              [](const SiReference& r) { return r.velocity() * r.velocity() / r.length; });
}

CaseUnit GasUnits::density() const {
  return unit("rho_ref", "kg/m^3", [](const SiReference& r) { return r.density(); });
}

CaseUnit GasUnits::pressure() const {
  return unit("p_ref", "Pa", [](const SiReference& r) { return r.pressure; });
}

CaseUnit GasUnits::temperature() const {
  return unit("T_ref", "K", [](const SiReference& r) { return r.temperature; });
}

CaseUnit GasUnits::temperature_gradient() const {
  return unit("1 / L", "1/m", [](const SiReference& r) { return 1 / r.length; });
}

CaseUnit GasUnits::heat_flux() const {
  return unit("p_ref v_ref", "W/m^2",
              [](const SiReference& r) { return r.pressure * r.velocity(); });
}

CaseUnit GasUnits::mass_flux() const {
  return unit("rho_ref v_ref", "kg/(m^2 s)",
              [](const SiReference& r) { return r.density() * r.velocity(); });
}

CaseUnit GasUnits::mass_flow(int dimensions) const {
  return {"rho_ref v_ref L^(d-1)", "kg/s; kg/(m s) in two dimensions, kg/(m^2 s) in one",
          si ? std::optional(reference->density() * reference->velocity() *
                             std::pow(reference->length, dimensions - 1))
             : std::nullopt};
}

GasUnits read_gas_units(CaseNode& root) {
  GasUnits units;
  units.si = root.choice_or(
                 "units", "reference", {"reference", "si"},
                 "Units of the values of the case. reference: those of a reference state of the "
                 "gas with the density rho_ref, the temperature T_ref, the pressure p_ref, the "
                 "velocity v_ref = sqrt(2 R T_ref) and a length L that the case chooses. si: SI "
                 "units for all values and all results; defaults are the values of the reference "
                 "state, `gas.si`, which must be given. Numbers without a dimension, such as "
                 "fractions of the domain, are the same in both.") == "si";
  root.read_ahead("gas", [&](CaseNode& gas) { units.reference = read_si_reference(gas); });
  if (units.si && !units.reference) {
    root.fail_hard("units",
                   "requires the reference state in SI units, \"gas.si\": a pressure in Pa, a "
                   "temperature in K and a length in m");
  }
  return units;
}

void refuse_si_block(const CaseNode& node, const GasUnits& units, const std::string& instead) {
  if (!units.si) return;
  node.fail("si",
            "the whole case is in SI units (\"units\"); give " + instead + " without this block");
}

}  // namespace knudsen
