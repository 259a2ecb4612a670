#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/gas.hpp"

// The units in which a case of a gas method gives its values: those of the reference state or SI
// units. All values with a dimension are read by the functions of CaseUnit, which return them in
// the units of the reference state.

namespace knudsen {

/// A unit of values of a case.
class CaseUnit {
 public:
  /// `reference` and `si` name the unit of the method and that in SI: "T_ref", "K". `si_size` is
  /// the former in the latter, where the case is in SI units.
  CaseUnit(std::string reference, std::string si, std::optional<double> si_size);

  // These are the functions of CaseNode of the same names. Defaults, ranges and results are in the
  // unit of the method. The documentation gets a sentence on the unit.
  std::optional<double> number(CaseNode& node, const std::string& key,
                               const std::string& documentation, const Range& range) const;
  double number_or(CaseNode& node, const std::string& key, double fallback,
                   const std::string& documentation, const Range& range) const;
  double require_number(CaseNode& node, const std::string& key, const std::string& documentation,
                        const Range& range) const;
  std::optional<std::vector<double>> numbers(CaseNode& node, const std::string& key,
                                             std::size_t length, const std::string& documentation,
                                             const Range& range) const;
  std::vector<double> numbers_or(CaseNode& node, const std::string& key,
                                 const std::vector<double>& fallback, std::size_t length,
                                 const std::string& documentation, const Range& range) const;

  /// A value of the case in the unit of the method.
  double from_case(double value) const { return value / size_; }
  /// A value of the method in the unit of the case.
  double in_case(double value) const { return value * size_; }
  /// The range in the unit of the case.
  Range in_case(const Range& range) const;
  /// "Temperature. In T_ref (SI: K)."
  std::string documented(const std::string& documentation) const;
  /// A value of the method for messages, in the unit of the case: "300 K", "1".
  std::string text(double value) const;

 private:
  /// The range of a key: in the schema only its sign, which is the same in all units.
  Range range_of_key(const CaseNode& node, const Range& range) const;

  std::string reference_;
  std::string si_;
  bool is_si_ = false;
  double size_ = 1;  ///< of the method's unit in that of the case
};

/// The units of a gas case; by default those of the reference state.
struct GasUnits {
  std::optional<SiReference> reference;  ///< where the case gives it in SI units
  bool si = false;                       ///< all values of the case are in SI units

  CaseUnit length() const;
  CaseUnit time() const;
  CaseUnit velocity() const;
  CaseUnit acceleration() const;
  CaseUnit density() const;
  CaseUnit pressure() const;
  CaseUnit temperature() const;
  CaseUnit temperature_gradient() const;  ///< of ln T
  CaseUnit heat_flux() const;
  CaseUnit mass_flux() const;
  /// Through a whole side; for a unit of depth in two dimensions, of area in one.
  CaseUnit mass_flow(int dimensions) const;

 private:
  CaseUnit unit(const std::string& name, const std::string& si_name,
                double (*size)(const SiReference&)) const;
};

/// Reads "units" of a case and the reference state in SI units, `gas.si`, ahead of the block "gas".
/// Throws InputError.
GasUnits read_gas_units(CaseNode& root);

/// Fails if a case in SI units has a block "si", which gives the values of `instead` in cases that
/// are in other units.
void refuse_si_block(const CaseNode& node, const GasUnits& units, const std::string& instead);

}  // namespace knudsen
