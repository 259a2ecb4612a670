#include <algorithm>
#include <cmath>
#include <utility>

#include "case/description.hpp"
#include "case/reader.hpp"
#include "case/values.hpp"
#include "core/json_text.hpp"
#include "core/text.hpp"

namespace knudsen {

using nlohmann::json;

namespace {

/// A required key is missing. A type of its own, since the key may be there but misspelt, which is
/// then reported instead.
struct MissingKey : InputError {
  using InputError::InputError;
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> key_names(const ObjectDescription& description) {
  std::vector<std::string> names;
  for (const KeyDescription& key : description.keys) names.push_back(key.name);
  return names;
}

/// The kind that the object chooses; empty if it names none of these.
std::string chosen_kind(const KindsDescription& kinds, const json& object) {
  const json chosen = object.value(kinds.key, json(kinds.fallback));
  for (const KindDescription& kind : kinds.kinds) {
    if (chosen == kind.name) return kind.name;
  }
  return "";
}

/// The keys that an object may have. If it does not say which kind it is, or is null, the keys of
/// all kinds.
std::vector<std::string> known_keys(const ObjectDescription& description, const json* object) {
  std::vector<std::string> names = key_names(description);
  for (const KindsDescription& kinds : description.kinds) {
    const std::string chosen = object == nullptr ? "" : chosen_kind(kinds, *object);
    for (const KindDescription& kind : kinds.kinds) {
      if (!chosen.empty() && kind.name != chosen) continue;
      for (const std::string& name : known_keys(*kind.members, object)) {
        if (!contains(names, name)) names.push_back(name);
      }
    }
  }
  return names;
}

/// The message for a `key` that only other kinds of this object have than the chosen one; else
/// empty.
std::string misplaced_key(const ObjectDescription& description, const json& object,
                          const std::string& key) {
  for (const KindsDescription& kinds : description.kinds) {
    const std::string chosen = chosen_kind(kinds, object);
    std::vector<std::string> owners;
    for (const KindDescription& kind : kinds.kinds) {
      if (!contains(known_keys(*kind.members, nullptr), key)) continue;
      // The chosen kind has it only in one of its own kinds.
      if (kind.name == chosen) return misplaced_key(*kind.members, object, key);
      owners.push_back(kind.name);
    }
    if (!owners.empty()) {
      return "key " + quote(key) + " does not belong to " + kinds.key + ' ' + quote(chosen) +
             " but to " + quote_list(owners);
    }
  }
  return "";
}

}  // namespace

struct CaseNode::Implementation {
  const CaseDocument& document;
  const json* object;  ///< null when describing
  std::string path;
  ObjectDescription description = {};  ///< what has been declared so far

  Place place(const std::string& key) const {
    return {document, path.empty() || key.empty() ? path + key : path + '.' + key};
  }

  const json* find(const std::string& key) const {
    if (object == nullptr) return nullptr;
    const auto member = object->find(key);
    return member == object->end() ? nullptr : &*member;
  }

  /// Declares a key and returns its value; null when it is absent or in describing mode.
  const json* declare(KeyDescription key) {
    const json* value = find(key.name);
    if (key.required && value == nullptr && object != nullptr) {
      throw MissingKey(place(key.name).message("missing, must be " + key.type.text));
    }
    if (!contains(key_names(description), key.name)) description.keys.push_back(std::move(key));
    return value;
  }

  template <class Value>
  std::optional<typename Value::Type> optional(const std::string& key,
                                               const std::string& documentation,
                                               const Value& kind) {
    const json* value = declare({key, documentation, kind.type()});
    if (value == nullptr) return {};
    return kind.read(place(key), *value);
  }
  template <class Value>
  typename Value::Type with_default(const std::string& key, const std::string& documentation,
                                    const Value& kind, const typename Value::Type& fallback) {
    const json* value = declare({key, documentation, kind.type(), false, canonical(fallback)});
    return value == nullptr ? fallback : kind.read(place(key), *value);
  }
  template <class Value>
  typename Value::Type required(const std::string& key, const std::string& documentation,
                                const Value& kind) {
    const json* value = declare({key, documentation, kind.type(), true});
    return value == nullptr ? kind.neutral() : kind.read(place(key), *value);
  }

  /// Keys of the objects at path `at`, in describing mode only; null when reading.
  std::shared_ptr<const ObjectDescription> describe_members(const std::string& at,
                                                            const Reader& read) const {
    if (object != nullptr) return nullptr;
    return std::make_shared<ObjectDescription>(describe(read, at));
  }
  bool member(const std::string& key, const std::string& documentation, bool is_required,
              const Reader& read) {
    const Place here = place(key);
    const json* value = declare({key, documentation, ObjectValue::type(), is_required, nullptr,
                                 describe_members(here.path, read)});
    if (value == nullptr) return object == nullptr;
    read_object(here, *ObjectValue::read(here, *value), read);
    return true;
  }

  /// Calls `read` on an object and refuses the keys that it did not declare.
  static void read_object(const Place& place, const json& object, const Reader& read) {
    auto owned =
        std::make_unique<Implementation>(Implementation{place.document, &object, place.path});
    const Implementation& implementation = *owned;
    CaseNode node(std::move(owned));
    try {
      read(node);
    } catch (const MissingKey&) {
      // The missing key may be there under a misspelt name.
      implementation.refuse_unknown_keys(known_keys(describe(read, place.path), &object), read);
      throw;
    }
    implementation.refuse_unknown_keys(key_names(implementation.description), read);
  }

  void refuse_unknown_keys(const std::vector<std::string>& known, const Reader& read) const {
    for (const auto& [key, value] : object->items()) {
      if (contains(known, key)) continue;
      std::string fault = misplaced_key(describe(read, path), *object, key);
      if (fault.empty()) {
        const std::string near = nearest(key, known);
        fault = "unknown key " + quote(key) +
                (near.empty() ? "." : ", did you mean " + quote(near) + '?');
      } else {
        fault += '.';
      }
      place("").refuse(fault + " Known keys: " + join(known, ", "));
    }
  }
};

CaseNode::CaseNode(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
CaseNode::~CaseNode() = default;
CaseNode::CaseNode(CaseNode&&) noexcept = default;

ObjectDescription describe(const CaseNode::Reader& read, const std::string& path) {
  static const CaseDocument none;
  auto owned =
      std::make_unique<CaseNode::Implementation>(CaseNode::Implementation{none, nullptr, path});
  const CaseNode::Implementation& implementation = *owned;
  CaseNode node(std::move(owned));
  read(node);
  return implementation.description;
}

CaseNode::Reader whole_case(const CaseNode::Reader& read) {
  return [read](CaseNode& root) {
    root.text(
        "$schema",
        "Path or address of the JSON Schema of case files, with which editors check the case.");
    read(root);
  };
}

void read_case(const CaseDocument& document, const CaseNode::Reader& read) {
  CaseNode::Implementation::read_object({document, ""}, document.json(), whole_case(read));
}

bool CaseNode::describing() const { return implementation_->object == nullptr; }

bool CaseNode::estimating() const { return implementation_->document.estimating(); }

bool CaseNode::read_together() const { return implementation_->document.read_together(); }

bool CaseNode::has(const std::string& key) const { return implementation_->find(key) != nullptr; }

std::string CaseNode::path(const std::string& key) const {
  return implementation_->place(key).path;
}

const std::filesystem::path& CaseNode::directory() const {
  return implementation_->document.directory();
}

std::optional<double> CaseNode::number(const std::string& key, const std::string& documentation,
                                       const Range& range) {
  return implementation_->optional(key, documentation, NumberValue{range});
}

double CaseNode::number_or(const std::string& key, double fallback,
                           const std::string& documentation, const Range& range) {
  return implementation_->with_default(key, documentation, NumberValue{range}, fallback);
}

double CaseNode::require_number(const std::string& key, const std::string& documentation,
                                const Range& range) {
  return implementation_->required(key, documentation, NumberValue{range});
}

std::optional<std::int64_t> CaseNode::integer(const std::string& key,
                                              const std::string& documentation,
                                              const Range& range) {
  return implementation_->optional(key, documentation, IntegerValue{range});
}

std::int64_t CaseNode::integer_or(const std::string& key, std::int64_t fallback,
                                  const std::string& documentation, const Range& range) {
  return implementation_->with_default(key, documentation, IntegerValue{range}, fallback);
}

std::int64_t CaseNode::require_integer(const std::string& key, const std::string& documentation,
                                       const Range& range) {
  return implementation_->required(key, documentation, IntegerValue{range});
}

std::optional<bool> CaseNode::boolean(const std::string& key, const std::string& documentation) {
  return implementation_->optional(key, documentation, BooleanValue{});
}

bool CaseNode::boolean_or(const std::string& key, bool fallback, const std::string& documentation) {
  return implementation_->with_default(key, documentation, BooleanValue{}, fallback);
}

std::optional<std::string> CaseNode::text(const std::string& key,
                                          const std::string& documentation) {
  return implementation_->optional(key, documentation, TextValue{});
}

std::string CaseNode::text_or(const std::string& key, const std::string& fallback,
                              const std::string& documentation) {
  return implementation_->with_default(key, documentation, TextValue{}, fallback);
}

std::string CaseNode::require_text(const std::string& key, const std::string& documentation) {
  return implementation_->required(key, documentation, TextValue{});
}

std::optional<Formula> CaseNode::formula(const std::string& key,
                                         const std::vector<std::string>& variables,
                                         const std::string& documentation) {
  return implementation_->optional(key, documentation, FormulaValue{variables});
}

std::optional<std::filesystem::path> CaseNode::file(const std::string& key,
                                                    const std::string& documentation) {
  return implementation_->optional(key, documentation, FileValue{});
}

std::filesystem::path CaseNode::require_file(const std::string& key,
                                             const std::string& documentation) {
  return implementation_->required(key, documentation, FileValue{});
}

std::string CaseNode::choice_or(const std::string& key, const std::string& fallback,
                                const std::vector<std::string>& choices,
                                const std::string& documentation) {
  return implementation_->with_default(key, documentation, ChoiceValue{choices}, fallback);
}

std::string CaseNode::choice_or_object(const std::string& key, const std::string& fallback,
                                       const std::vector<std::string>& choices,
                                       const std::string& documentation, const Reader& read) {
  const ChoiceValue kind{choices};
  const ValueType type{kind.type().text + ", or an object",
                       {{"anyOf", json::array({kind.type().schema, ObjectValue::type().schema})}}};
  const Place place = implementation_->place(key);
  const json* value =
      implementation_->declare({key, documentation, type, false, canonical(fallback),
                                implementation_->describe_members(place.path, read)});
  if (value == nullptr) return fallback;
  if (!value->is_string() && !value->is_object()) place.refuse_type(*value, type);
  if (value->is_string()) return kind.read(place, *value);
  Implementation::read_object(place, *value, read);
  return "";
}

std::string CaseNode::require_choice(const std::string& key,
                                     const std::vector<std::string>& choices,
                                     const std::string& documentation) {
  return implementation_->required(key, documentation, ChoiceValue{choices});
}

std::optional<std::vector<double>> CaseNode::numbers(const std::string& key, std::size_t length,
                                                     const std::string& documentation,
                                                     const Range& range) {
  return implementation_->optional(key, documentation, ListValue<NumberValue>{{range}, length});
}

std::vector<double> CaseNode::numbers_or(const std::string& key,
                                         const std::vector<double>& fallback, std::size_t length,
                                         const std::string& documentation, const Range& range) {
  return implementation_->with_default(key, documentation, ListValue<NumberValue>{{range}, length},
                                       fallback);
}

std::vector<double> CaseNode::require_numbers(const std::string& key, std::size_t length,
                                              const std::string& documentation,
                                              const Range& range) {
  return implementation_->required(key, documentation, ListValue<NumberValue>{{range}, length});
}

std::optional<std::vector<std::int64_t>> CaseNode::integers(const std::string& key,
                                                            std::size_t length,
                                                            const std::string& documentation,
                                                            const Range& range) {
  return implementation_->optional(key, documentation, ListValue<IntegerValue>{{range}, length});
}

std::vector<std::int64_t> CaseNode::require_integers(const std::string& key, std::size_t length,
                                                     const std::string& documentation,
                                                     const Range& range) {
  return implementation_->required(key, documentation, ListValue<IntegerValue>{{range}, length});
}

std::optional<std::vector<std::string>> CaseNode::names(const std::string& key,
                                                        const std::vector<std::string>& choices,
                                                        const std::string& documentation) {
  return implementation_->optional(key, documentation, NamesValue{choices});
}

std::optional<std::vector<std::vector<std::string>>> CaseNode::name_lists(
    const std::string& key, const std::vector<std::string>& choices,
    const std::string& documentation) {
  return implementation_->optional(key, documentation, ListValue<NamesValue>{{choices}});
}

bool CaseNode::object(const std::string& key, const std::string& documentation,
                      const Reader& read) {
  return implementation_->member(key, documentation, false, read);
}

void CaseNode::require_object(const std::string& key, const std::string& documentation,
                              const Reader& read) {
  implementation_->member(key, documentation, true, read);
}

void CaseNode::read_ahead(const std::string& key, const Reader& read) const {
  const json* value = implementation_->find(key);
  if (value == nullptr || !value->is_object()) return;
  CaseNode node(std::make_unique<Implementation>(
      Implementation{implementation_->document, value, path(key)}));
  read(node);
}

std::size_t CaseNode::list(const std::string& key, const std::string& documentation,
                           const Reader& read) {
  const ListValue<ObjectValue> kind;
  const Place place = implementation_->place(key);
  const json* value =
      implementation_->declare({key, documentation, kind.type(), false, nullptr,
                                implementation_->describe_members(place.path + "[]", read)});
  if (value == nullptr) return describing() ? 1 : 0;
  const std::vector<const json*> elements = kind.read(place, *value);
  for (std::size_t index = 0; index < elements.size(); ++index) {
    Implementation::read_object(place.element(index), *elements[index], read);
  }
  return elements.size();
}

std::string CaseNode::alternatives(const std::string& key, const std::string& documentation,
                                   const std::vector<Alternative>& alternatives,
                                   const std::string& fallback) {
  std::vector<std::string> names;
  names.reserve(alternatives.size());
  for (const Alternative& each : alternatives) names.push_back(each.name);
  std::string chosen = fallback.empty() ? require_choice(key, names, documentation)
                                        : choice_or(key, fallback, names, documentation);

  KindsDescription kinds{key, fallback, {}};
  for (const Alternative& each : alternatives) {
    if (describing()) {
      // The keys that `read` declares here belong to this kind, not to all of the object.
      ObjectDescription common = std::exchange(implementation_->description, {});
      each.read(*this);
      kinds.kinds.push_back({each.name, each.documentation,
                             std::make_shared<ObjectDescription>(
                                 std::exchange(implementation_->description, std::move(common)))});
    } else if (each.name == chosen) {
      each.read(*this);
    }
  }
  implementation_->description.kinds.push_back(std::move(kinds));
  return chosen;
}

std::string CaseNode::message(const std::string& key, const std::string& message) const {
  const json* value = key.empty() ? nullptr : implementation_->find(key);
  const bool scalar = value != nullptr && value->is_primitive();
  return implementation_->place(key).message((scalar ? "found " + shown(*value) + ", " : "") +
                                             message);
}

void CaseNode::fail_hard(const std::string& key, const std::string& message) const {
  throw InputError(this->message(key, message));
}

void CaseNode::check_derived(const std::string& key, const std::string& quantity, double value,
                             const Range& range) const {
  if (describing() || (std::isfinite(value) && range.contains(value))) return;
  const std::string limits = range.text();
  fail_hard(key, "gives the " + quantity + " " + number_text(value) + ", must be finite" +
                     (limits.empty() ? "" : " and " + limits));
}

}  // namespace knudsen
