#include "case/part_names.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace knudsen {

void PartNames::add(const CaseNode& node, const std::string& key, const std::string& name,
                    const std::string& owner) {
  if (node.describing()) return;
  constexpr std::size_t longest = 100;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  if (name.empty() || name.size() > longest || !std::all_of(name.begin(), name.end(), allowed)) {
    node.fail_hard(key, "a name must consist of " + std::string(rule) +
                            ", since monitors, columns and files are called by it");
  }
  const auto [place, is_new] = owners_.emplace(name, owner);
  if (!is_new) {
    // A name that is given is shown anyway.
    node.fail_hard(
        key, (node.has(key) ? "" : quote(name) + " ") + "is already the name of " + place->second);
  }
}

}  // namespace knudsen
