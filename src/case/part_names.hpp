#pragma once

#include <map>
#include <string>

#include "case/reader.hpp"

namespace knudsen {

/// The names that a case gives to its parts of one kind, or of kinds that share their monitors.
/// Names become parts of monitors, of columns and of files, so one rule holds for all of them.
class PartNames {
 public:
  /// The rule, as the documentation of a key says it.
  static constexpr const char* rule = "letters, digits, \"_\" and \"-\", at most 100";

  /// Reserves a name without reading it. `owner` tells what has it: "a side of the domain".
  void reserve(const std::string& name, const std::string& owner) { owners_[name] = owner; }
  /// Adds the name that `node` gives at `key`. Throws InputError if it breaks the rule or is taken.
  void add(const CaseNode& node, const std::string& key, const std::string& name,
           const std::string& owner);

 private:
  std::map<std::string, std::string> owners_;
};

}  // namespace knudsen
