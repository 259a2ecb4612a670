#include "case/parts.hpp"

#include <optional>

namespace knudsen {

using nlohmann::json;

namespace {

/// The step in which two paths differ, if it is one alone.
std::optional<std::size_t> only_difference(const PartPath& one, const PartPath& other) {
  if (one.size() != other.size()) return {};
  std::optional<std::size_t> difference;
  for (std::size_t step = 0; step < one.size(); ++step) {
    if (one[step].chooser != other[step].chooser) return {};
    if (one[step].names == other[step].names) continue;
    if (difference) return {};
    difference = step;
  }
  return difference;
}

/// Adds the places of one path to another one. False if no path names the places of both.
bool merge(PartPath& one, const PartPath& other) {
  const auto step = only_difference(one, other);
  if (!step) return false;
  const auto& more = other[*step].names;
  one[*step].names.insert(one[*step].names.end(), more.begin(), more.end());
  return true;
}

}  // namespace

std::vector<PartReference> part_references(const ObjectDescription& description) {
  std::vector<PartReference> references;
  for (const KeyDescription& key : description.keys) {
    if (!key.members) continue;
    const char* suffix = key.is_list() ? "[]" : "";
    references.push_back({key.members.get(), {"", {key.name + suffix}}, key.documentation});
  }
  for (const KindsDescription& kinds : description.kinds) {
    for (const KindDescription& kind : kinds.kinds) {
      references.push_back({kind.members.get(), {kinds.key, {kind.name}}, kind.documentation});
    }
  }
  return references;
}

Parts::Parts(const ObjectDescription& whole) {
  for (const PartReference& each : part_references(whole)) ++add(each, {each.step}).uses;
}

Part& Parts::add(const PartReference& reference, const PartPath& path) {
  // Members are the same under other names and for other purposes, kinds are not.
  json declared = json::array();
  if (!reference.step.chooser.empty()) {
    declared.push_back(json::array({reference.step.names, reference.documentation}));
  }
  for (const KeyDescription& key : reference.description->keys) {
    declared.push_back(json::array(
        {key.name, key.documentation, key.type.text, key.type.schema, key.required, key.fallback}));
  }
  for (const KindsDescription& kinds : reference.description->kinds) {
    declared.push_back(json::array({kinds.key, kinds.fallback}));
  }
  std::vector<Part*> inner;
  for (const PartReference& each : part_references(*reference.description)) {
    PartPath longer = path;
    longer.push_back(each.step);
    inner.push_back(&add(each, longer));
    declared.push_back(json::array({each.step.names, inner.back()->number}));
  }
  const auto [found, is_new] = known_.try_emplace(declared.dump());
  Part& part = found->second;
  if (is_new) {
    part.number = known_.size();
    part.description = reference.description;
    part.documentation = reference.documentation;
    for (Part* each : inner) ++each->uses;
  }
  part.same_documentation =
      part.same_documentation && part.documentation == reference.documentation;
  part.places.push_back(path);
  part_of_[reference.description] = &part;
  return part;
}

std::vector<PartPath> merged(std::vector<PartPath> places) {
  for (std::size_t one = 0; one < places.size();) {
    std::size_t other = one + 1;
    while (other < places.size() && !merge(places[one], places[other])) ++other;
    if (other == places.size()) {
      ++one;
      continue;
    }
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(other));
    one = 0;  // the longer path may fit an earlier one
  }
  return places;
}

}  // namespace knudsen
