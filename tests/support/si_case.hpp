#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "kinetic/gas.hpp"
#include "kinetic/named_gases.hpp"

namespace knudsen::test {

/// The reference state of the cases below.
inline SiReference argon_reference() {
  const NamedGas& argon = *find_gas("argon");
  return {20, 300, 1e-3, argon.molecule_mass, argon.viscosity_at(300)};
}

/// The block "gas" that gives it.
inline nlohmann::json argon_gas() {
  return {{"name", "argon"}, {"si", {{"pressure", 20}, {"temperature", 300}, {"length", 1e-3}}}};
}

inline void scale(nlohmann::json& value, double factor) {
  if (value.is_number()) {
    value = value.get<double>() * factor;
    return;
  }
  for (auto& each : value) scale(each, factor);
}

/// A case in SI units: the values of `json` at these JSON pointers times these factors.
inline nlohmann::json in_si(nlohmann::json json,
                            const std::vector<std::pair<std::string, double>>& values) {
  json["units"] = "si";
  for (const auto& [pointer, factor] : values) {
    scale(json.at(nlohmann::json::json_pointer(pointer)), factor);
  }
  return json;
}

}  // namespace knudsen::test
