#include "model/method_entry.hpp"

#include <stdexcept>

#include "case/description.hpp"

namespace knudsen {
namespace {

std::vector<std::string> names(const std::vector<Quantity>& quantities) {
  std::vector<std::string> result;
  for (const Quantity& quantity : quantities) result.push_back(quantity.name);
  return result;
}

/// The choices that a reader declares for the key at `path`, e.g. "gas.law".
std::vector<std::string> declared_choices(const ObjectDescription& description,
                                          const std::string& path) {
  const auto dot = path.find('.');
  const std::string first = path.substr(0, dot);
  for (const KeyDescription& key : description.keys) {
    if (key.name != first) continue;
    if (dot != std::string::npos && key.members) {
      return declared_choices(*key.members, path.substr(dot + 1));
    }
    return key.type.schema.at("enum").get<std::vector<std::string>>();
  }
  throw std::logic_error("no key " + path);
}

}  // namespace

std::vector<std::pair<std::string, std::vector<std::string>>> options_of(
    const MethodEntry& method) {
  const ObjectDescription description = describe([&](CaseNode& root) { method.read(root); });
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
  for (const std::string& path : method.choices) {
    options.emplace_back(path, declared_choices(description, path));
  }
  std::vector<ConditionalQuantities> conditional;
  if (method.conditional != nullptr) conditional = method.conditional();
  std::vector<std::string> fields = names(method.fields());
  for (const ConditionalQuantities& each : conditional) {
    for (const std::string& name : names(each.fields)) std::erase(fields, name);
  }
  options.emplace_back("fields", fields);
  options.emplace_back("monitors", names(method.monitors()));
  if (method.part_monitors != nullptr) {
    options.emplace_back("monitors of parts", names(method.part_monitors()));
  }
  for (const ConditionalQuantities& each : conditional) {
    if (!each.fields.empty()) {
      options.emplace_back("fields with " + each.condition, names(each.fields));
    }
    if (!each.monitors.empty()) {
      options.emplace_back("monitors with " + each.condition, names(each.monitors));
    }
  }
  return options;
}

}  // namespace knudsen
