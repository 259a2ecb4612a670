#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "case/values.hpp"

namespace knudsen {

struct ObjectDescription;

/// What a reading function declares of a key.
struct KeyDescription {
  std::string name;
  std::string documentation;
  ValueType type;
  bool required = false;
  nlohmann::json fallback = nullptr;  ///< the default; null for none
  /// Keys of the object, or of each element of a list of objects; else empty.
  std::shared_ptr<const ObjectDescription> members = nullptr;

  bool is_list() const { return type.schema.value("type", nlohmann::json()) == "array"; }
};

/// One kind of an object, with the keys that only this kind has.
struct KindDescription {
  std::string name;
  std::string documentation;
  std::shared_ptr<const ObjectDescription> members;
};

/// What a call of CaseNode::alternatives declares, apart from the key that chooses the kind: that
/// one is among the object's keys.
struct KindsDescription {
  std::string key;       ///< chooses the kind
  std::string fallback;  ///< kind without the key; empty: the key is required
  std::vector<KindDescription> kinds;
};

/// The keys of an object in the order in which its reader declares them.
struct ObjectDescription {
  std::vector<KeyDescription> keys;
  std::vector<KindsDescription> kinds;
};

/// Runs `read` in describing mode on an object at `path`.
ObjectDescription describe(const CaseNode::Reader& read, const std::string& path = "");

/// A reader of whole cases: `read` and the keys that every case may have at its top level.
CaseNode::Reader whole_case(const CaseNode::Reader& read);

}  // namespace knudsen
