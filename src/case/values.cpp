#include "case/values.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/json_text.hpp"
#include "core/text.hpp"

namespace knudsen {

using nlohmann::json;

namespace {

ValueType ranged_type(const char* name, const char* words, const Range& range) {
  json schema = {{"type", name}};
  if (range.minimum) {
    schema[range.minimum_excluded ? "exclusiveMinimum" : "minimum"] = canonical(*range.minimum);
  }
  if (range.maximum) {
    schema[range.maximum_excluded ? "exclusiveMaximum" : "maximum"] = canonical(*range.maximum);
  }
  const std::string limits = range.text();
  return {limits.empty() ? words : words + (' ' + limits), schema};
}

}  // namespace

std::string Place::message(const std::string& text) const {
  return document.name() + ": " + (path.empty() ? "" : path + ": ") + text;
}

void Place::refuse_type(const json& value, const ValueType& type) const {
  std::string found = shown(value);
  if (value.is_string()) found += " (string)";
  if (value.is_boolean()) found += " (boolean)";
  refuse("found " + found + ", must be " + type.text);
}

ValueType NumberValue::type() const { return ranged_type("number", "a number", range); }

double NumberValue::read(const Place& place, const json& value) const {
  if (!value.is_number()) place.refuse_type(value, type());
  const auto number = value.get<double>();
  if (!range.contains(number)) {
    place.refuse("found " + shown(value) + ", must be " + range.text());
  }
  return number;
}

ValueType IntegerValue::type() const {
  Range exact = range;
  if (!range.minimum) exact.minimum = -largest_exact_integer;
  if (!range.maximum) exact.maximum = largest_exact_integer;
  return {ranged_type("integer", "an integer", range).text,
          ranged_type("integer", "an integer", exact).schema};
}

std::int64_t IntegerValue::read(const Place& place, const json& value) const {
  if (!value.is_number() || std::trunc(value.get<double>()) != value.get<double>()) {
    place.refuse_type(value, type());
  }
  const double number = NumberValue{range}.read(place, value);
  // A number beyond the limit may already have been rounded to double precision.
  const bool exact = std::abs(number) <= largest_exact_integer &&
                     (value.is_number_float() || value == static_cast<std::int64_t>(number));
  if (!exact) {
    place.refuse("found " + shown(value) + ", must be an integer " +
                 Range::between(-largest_exact_integer, largest_exact_integer).text());
  }
  return static_cast<std::int64_t>(number);
}

ValueType BooleanValue::type() { return {"true or false", {{"type", "boolean"}}}; }

bool BooleanValue::read(const Place& place, const json& value) {
  if (!value.is_boolean()) place.refuse_type(value, type());
  return value.get<bool>();
}

ValueType TextValue::type() { return {"a string", {{"type", "string"}}}; }

std::string TextValue::read(const Place& place, const json& value) {
  if (!value.is_string()) place.refuse_type(value, type());
  return value.get<std::string>();
}

ValueType FormulaValue::type() const {
  return {"a number or a formula of " + join(variables, ", "), {{"type", {"number", "string"}}}};
}

Formula FormulaValue::read(const Place& place, const json& value) const {
  if (value.is_number()) return Formula(value.get<double>());
  if (!value.is_string()) place.refuse_type(value, type());
  try {
    return {value.get<std::string>(), variables};
  } catch (const InputError& error) {
    place.refuse("found " + shown(value) + ", must be a formula; " + error.what());
  }
}

ValueType FileValue::type() { return {"a path to a file", {{"type", "string"}}}; }

std::filesystem::path FileValue::read(const Place& place, const json& value) {
  if (!value.is_string()) place.refuse_type(value, type());
  std::filesystem::path file = place.document.directory() / value.get<std::string>();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    place.refuse("found " + shown(value) + ", but there is no file " + file.string());
  }
  if (!std::filesystem::is_regular_file(file, error) || !std::ifstream(file)) {
    place.refuse("found " + shown(value) + ", but " + file.string() + " is not a readable file");
  }
  place.document.note_file(file, place.path);
  return file;
}

ValueType ChoiceValue::type() const {
  return {"one of " + quote_list(choices), {{"enum", choices}}};
}

std::string ChoiceValue::read(const Place& place, const json& value) const {
  if (!value.is_string()) place.refuse_type(value, type());
  auto name = value.get<std::string>();
  if (std::find(choices.begin(), choices.end(), name) == choices.end()) {
    const std::string near = nearest(name, choices);
    place.refuse("found " + shown(value) +
                 (near.empty() ? ", must be " : ", did you mean " + quote(near) + "? Must be ") +
                 type().text);
  }
  return name;
}

ValueType ObjectValue::type() { return {"an object", {{"type", "object"}}}; }

const json* ObjectValue::read(const Place& place, const json& value) {
  if (!value.is_object()) place.refuse_type(value, type());
  return &value;
}

ValueType list_type(const ValueType& element, std::size_t length) {
  json schema = {{"type", "array"}, {"items", element.schema}};
  std::string count;
  if (length > 0) {
    schema["minItems"] = length;
    schema["maxItems"] = length;
    count = " of " + std::to_string(length);
  }
  return {"a list" + count + ", each element " + element.text, schema};
}

void check_list(const Place& place, const json& value, std::size_t length, const ValueType& type) {
  if (!value.is_array()) place.refuse_type(value, type);
  if (length > 0 && value.size() != length) {
    place.refuse("found a list of " + std::to_string(value.size()) + ", must be " + type.text);
  }
}

ValueType NamesValue::type() const {
  ValueType list =
      choices.empty() ? ListValue<TextValue>{}.type() : ListValue<ChoiceValue>{{choices}}.type();
  list.schema["uniqueItems"] = true;
  return list;
}

std::vector<std::string> NamesValue::read(const Place& place, const json& value) const {
  Type names = choices.empty() ? ListValue<TextValue>{}.read(place, value)
                               : ListValue<ChoiceValue>{{choices}}.read(place, value);
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name) {
      place.element(static_cast<std::size_t>(name - names.begin()))
          .refuse("found " + quote(*name) + " twice, each name may occur once");
    }
  }
  return names;
}

}  // namespace knudsen
