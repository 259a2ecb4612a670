#include "case/description.hpp"

namespace knudsen {

using nlohmann::json;

namespace {

json object_schema(const ObjectDescription& description);

json value_schema(const KeyDescription& key) {
  json schema = key.type.schema;
  if (key.members) {
    json& object = schema.contains("anyOf") ? schema["anyOf"].back()
                   : key.is_list()          ? schema["items"]
                                            : schema;
    object = object_schema(*key.members);
  }
  schema["description"] = key.documentation;
  if (!key.fallback.is_null()) schema["default"] = key.fallback;
  return schema;
}

/// The keys of an object. Those of its kinds are in if-then rules, since these let a validator name
/// the wrong key; a oneOf over whole objects would hide it.
json members_schema(const ObjectDescription& description) {
  json schema = json::object();
  for (const KeyDescription& key : description.keys) {
    schema["properties"][key.name] = value_schema(key);
    if (key.required) schema["required"].push_back(key.name);
  }
  for (const KindsDescription& kinds : description.kinds) {
    auto& documentation = schema["properties"][kinds.key]["description"].get_ref<std::string&>();
    for (const KindDescription& kind : kinds.kinds) {
      documentation += "\n- " + kind.name + ": " + kind.documentation;
      json condition = {{"properties", {{kinds.key, {{"const", kind.name}}}}}};
      if (kind.name != kinds.fallback) condition["required"] = {kinds.key};
      schema["allOf"].push_back({{"if", condition}, {"then", members_schema(*kind.members)}});
    }
  }
  return schema;
}

json object_schema(const ObjectDescription& description) {
  json schema = members_schema(description);
  schema["type"] = "object";
  // additionalProperties ignores the keys that the if-then rules of the kinds add.
  schema[description.kinds.empty() ? "additionalProperties" : "unevaluatedProperties"] = false;
  return schema;
}

}  // namespace

json describe_schema(const CaseNode::Reader& read, const std::string& title) {
  json schema = object_schema(describe(whole_case(read)));
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = title;
  return schema;
}

}  // namespace knudsen
