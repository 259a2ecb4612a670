#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "case/values.hpp"

namespace knudsen {

struct ObjectDescription;

struct KeyDescription {
  std::string name;
  std::string documentation;
  ValueType type;
  bool required = false;
  nlohmann::json fallback = nullptr;  ///< null: none
  /// Of an object, or of each element of a list of objects; else empty.
  std::shared_ptr<const ObjectDescription> members = nullptr;
};

/// One kind of an object and the keys it has beside those of all kinds.
struct KindDescription {
  std::string name;
  std::string documentation;
  std::shared_ptr<const ObjectDescription> members;
};

/// What a call of CaseNode::alternatives declares; the key itself is among the object's keys.
struct KindsDescription {
  std::string key;
  std::string fallback;  ///< empty: the key is required
  std::vector<KindDescription> kinds;
};

/// The keys of an object in the order in which they are read.
struct ObjectDescription {
  std::vector<KeyDescription> keys;
  std::vector<KindsDescription> kinds;
};

/// Runs `read` in describing mode on an object at `path`.
ObjectDescription describe(const CaseNode::Reader& read, const std::string& path = "");

/// `read` for a whole case: with the keys that every case may have at the top.
CaseNode::Reader whole_case(const CaseNode::Reader& read);

}  // namespace knudsen
