#include <map>

#include "case/description.hpp"
#include "case/parts.hpp"

namespace knudsen {

using nlohmann::json;

namespace {

/// Makes schemas of descriptions. A part to which several others refer becomes one definition.
class SchemaWriter {
 public:
  explicit SchemaWriter(const ObjectDescription& whole) : parts_(whole) {}

  json object(const ObjectDescription& description) {
    json schema = members(description);
    schema["type"] = "object";
    // additionalProperties ignores the keys that the if-then rules of the kinds add.
    schema[description.kinds.empty() ? "additionalProperties" : "unevaluatedProperties"] = false;
    return schema;
  }
  const json& definitions() const { return definitions_; }

 private:
  json value(const KeyDescription& key) {
    json schema = key.type.schema;
    if (key.members) {
      json& place = schema.contains("anyOf") ? schema["anyOf"].back()
                    : key.is_list()          ? schema["items"]
                                             : schema;
      place = part(*key.members, &SchemaWriter::object);
    }
    schema["description"] = key.documentation;
    if (!key.fallback.is_null()) schema["default"] = key.fallback;
    return schema;
  }

  /// The keys of an object. Those of its kinds are in if-then rules, since these let a validator
  /// name the wrong key; a oneOf over whole objects would hide it.
  json members(const ObjectDescription& description) {
    json schema = json::object();
    for (const KeyDescription& key : description.keys) {
      schema["properties"][key.name] = value(key);
      if (key.required) schema["required"].push_back(key.name);
    }
    for (const KindsDescription& kinds : description.kinds) {
      auto& documentation = schema["properties"][kinds.key]["description"].get_ref<std::string&>();
      for (const KindDescription& kind : kinds.kinds) {
        documentation += "\n- " + kind.name + ": " + kind.documentation;
        json condition = {{"properties", {{kinds.key, {{"const", kind.name}}}}}};
        if (kind.name != kinds.fallback) condition["required"] = {kinds.key};
        schema["allOf"].push_back(
            {{"if", condition}, {"then", part(*kind.members, &SchemaWriter::members)}});
      }
    }
    return schema;
  }

  /// The schema that `make` makes of a part, or a reference to its definition.
  json part(const ObjectDescription& description,
            json (SchemaWriter::*make)(const ObjectDescription&)) {
    const Part& part = parts_.of(description);
    const bool is_empty = description.keys.empty() && description.kinds.empty();
    if (part.uses == 1 || is_empty) return (this->*make)(description);
    const std::string name = definition_name(part);
    if (!definitions_.contains(name)) definitions_[name] = (this->*make)(description);
    return {{"$ref", "#/$defs/" + name}};
  }

  /// The part's first place: "method=bgkw.boundaries.west.type=wall".
  static std::string definition_name(const Part& part) {
    std::string name;
    for (const PartStep& step : part.places.front()) {
      if (!name.empty()) name += '.';
      if (!step.chooser.empty()) name += step.chooser + '=';
      name += step.names.front().substr(0, step.names.front().find('['));
    }
    return name;
  }

  Parts parts_;
  json definitions_ = json::object();
};

}  // namespace

json describe_schema(const CaseNode::Reader& read, const std::string& title) {
  const ObjectDescription whole = describe(whole_case(read));
  SchemaWriter writer(whole);
  json schema = writer.object(whole);
  if (!writer.definitions().empty()) schema["$defs"] = writer.definitions();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = title;
  return schema;
}

}  // namespace knudsen
