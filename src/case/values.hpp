#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "case/reader.hpp"

namespace knudsen {

/// What a value may be: in words that follow "must be", and as JSON Schema.
struct ValueType {
  std::string text;
  nlohmann::json schema;
};

/// A position in a case, for errors.
struct Place {
  const CaseDocument& document;
  std::string path;

  Place element(std::size_t index) const {
    return {document, path + '[' + std::to_string(index) + ']'};
  }
  /// "cavity.json: fluid.reynolds: text"
  std::string message(const std::string& text) const;
  [[noreturn]] void refuse(const std::string& text) const { throw InputError(message(text)); }
  /// "found 'abc' (string), must be a number": the value is not of an allowed JSON type.
  [[noreturn]] void refuse_type(const nlohmann::json& value, const ValueType& type) const;
};

// Each of the following describes a kind of value (`type`) and converts one from JSON (`read`,
// which throws InputError). `neutral` stands for a required value in describing mode.

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

/// A readable file; relative paths are meant from the case's directory.
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

/// A JSON object, whose keys are read elsewhere.
struct ObjectValue {
  using Type = const nlohmann::json*;

  static ValueType type();
  static Type read(const Place& place, const nlohmann::json& value);
};

ValueType list_type(const ValueType& element, std::size_t length);
/// Throws unless the value is a list, and of this length where that is not 0.
void check_list(const Place& place, const nlohmann::json& value, std::size_t length,
                const ValueType& type);

template <class Element>
struct ListValue {
  using Type = std::vector<typename Element::Type>;
  Element element;
  std::size_t length = 0;  ///< 0: any

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

/// A list without repetitions of names out of `choices`, of any names when that is empty.
struct NamesValue {
  using Type = std::vector<std::string>;
  std::vector<std::string> choices;

  ValueType type() const;
  Type read(const Place& place, const nlohmann::json& value) const;
};

}  // namespace knudsen
