#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/formula.hpp"

namespace knudsen {

/// The values that a key may have.
struct ValueType {
  std::string text;       ///< follows "must be" in messages and documentation
  nlohmann::json schema;  ///< the same as JSON Schema
};

/// A place in a case, for error messages.
struct Place {
  const CaseDocument& document;
  std::string path;

  Place element(std::size_t index) const {
    return {document, path + '[' + std::to_string(index) + ']'};
  }
  /// "cavity.json: fluid.reynolds: text"
  std::string message(const std::string& text) const;
  [[noreturn]] void refuse(const std::string& text) const { throw InputError(message(text)); }
  /// Throws for a value of the wrong JSON type: "found \"abc\" (string), must be a number".
  [[noreturn]] void refuse_type(const nlohmann::json& value, const ValueType& type) const;
};

// Each of the following is a kind of value. `type` describes it, `read` converts it from JSON and
// throws InputError, `neutral` is returned for a required key in describing mode.

struct NumberValue {
  using Type = double;
  Range range;

  Type neutral() const { return 0; }
  ValueType type() const;
  Type read(const Place& place, const nlohmann::json& value) const;
};

struct IntegerValue {
  using Type = std::int64_t;
  Range range;

  Type neutral() const { return 0; }
  ValueType type() const;
  Type read(const Place& place, const nlohmann::json& value) const;
};

struct BooleanValue {
  using Type = bool;

  static ValueType type();
  static Type read(const Place& place, const nlohmann::json& value);
};

struct TextValue {
  using Type = std::string;

  static Type neutral() { return {}; }
  static ValueType type();
  static Type read(const Place& place, const nlohmann::json& value);
};

/// A number, or a text that is a formula of these variables.
struct FormulaValue {
  using Type = Formula;
  std::vector<std::string> variables;

  ValueType type() const;
  Type read(const Place& place, const nlohmann::json& value) const;
};

/// A readable file. Relative paths start at the case's directory.
struct FileValue {
  using Type = std::filesystem::path;

  static Type neutral() { return {}; }
  static ValueType type();
  static Type read(const Place& place, const nlohmann::json& value);
};

struct ChoiceValue {
  using Type = std::string;
  std::vector<std::string> choices;

  Type neutral() const { return choices.at(0); }
  ValueType type() const;
  Type read(const Place& place, const nlohmann::json& value) const;
};

/// A JSON object. Its keys are not looked at.
struct ObjectValue {
  using Type = const nlohmann::json*;

  static ValueType type();
  static Type read(const Place& place, const nlohmann::json& value);
};

ValueType list_type(const ValueType& element, std::size_t length);
/// Throws InputError unless the value is a list, and of this length if that is not 0.
void check_list(const Place& place, const nlohmann::json& value, std::size_t length,
                const ValueType& type);

template <class Element>
struct ListValue {
  using Type = std::vector<typename Element::Type>;
  Element element;
  std::size_t length = 0;  ///< 0 for any length

  Type neutral() const { return Type(length); }
  ValueType type() const { return list_type(element.type(), length); }
  Type read(const Place& place, const nlohmann::json& value) const {
    check_list(place, value, length, type());
    Type elements;
    for (const nlohmann::json& each : value) {
      elements.push_back(element.read(place.element(elements.size()), each));
    }
    return elements;
  }
};

/// A list of names out of `choices`, of any names when that is empty, without repetitions.
struct NamesValue {
  using Type = std::vector<std::string>;
  std::vector<std::string> choices;

  ValueType type() const;
  Type read(const Place& place, const nlohmann::json& value) const;
};

}  // namespace knudsen
