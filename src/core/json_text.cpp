#include "core/json_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace knudsen {

namespace {

using nlohmann::json;

bool begins_character(char utf8) { return (utf8 & 0xC0) != 0x80; }

/// Reduces the parser's message to "unexpected X; expected Y": strips the exception's name, the
/// position, the construct being parsed and the last text read.
std::string stripped(const std::string& message) {
  const std::size_t dash = message.find(" - ");
  std::string fault = message.substr(dash == std::string::npos ? message.find("] ") + 2 : dash + 3);
  const std::size_t last_read = fault.find("; last read: '");
  if (last_read != std::string::npos) {
    const std::size_t expected = fault.find("; expected ", last_read);
    fault.erase(last_read, expected == std::string::npos ? expected : expected - last_read);
  }
  return fault;
}

/// Replaces a parser's terms by words that need no knowledge of parsers.
std::string plain_words(std::string message) {
  const std::vector<std::pair<std::string, std::string>> phrases = {
      {"; expected '}'", "; expected ',' or '}'"},
      {"; expected ']'", "; expected ',' or ']'"},
      {"; expected string literal", "; expected a key in double quotes"},
      {"'[', '{', or a literal", "a value"},
      {"unexpected string literal", "unexpected string"},
      {"unexpected number literal", "unexpected number"},
      {"; expected end of input", "; expected the end of the file"},
      {"end of input", "end of the file"},
      {"number overflow parsing", "number too large:"},
  };
  for (const auto& [from, to] : phrases) {
    const std::size_t at = message.find(from);
    if (at != std::string::npos) message.replace(at, from.size(), to);
  }
  return message;
}

/// Follows the parser's events to find what it does not report itself: the line and column of an
/// error, duplicate keys, and too deep nesting. Throws at the first fault.
class SyntaxCheck : public nlohmann::json_sax<json> {
 public:
  SyntaxCheck(const std::string& text, std::string name)
      : text_(text), name_(std::move(name)), stream_(text) {}

  void run() {
    const std::size_t fault = find_invalid_utf8(text_);
    if (fault < text_.size()) refuse(fault, "the text is not valid UTF-8; save the file as UTF-8");
    // Versions of the library name this fault differently.
    if (text_.empty()) refuse(0, "unexpected end of the file; expected a value");
    json::sax_parse(stream_, this);
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return open();
  }
  bool end_object() override {
    keys_.pop_back();
    return close();
  }
  bool key(string_t& key) override {
    // The parser has just read the closing quote.
    const auto start = static_cast<std::size_t>(stream_.tellg()) - key.size() - 2;
    const auto [first, is_new] = keys_.back().emplace(key, start);
    if (!is_new) {
      refuse(start, "duplicate key " + quote(key) + ", first given in line " +
                        std::to_string(line_and_column(first->second).first));
    }
    return true;
  }
  bool parse_error(std::size_t read, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    std::string fault = stripped(error.what());
    const auto starts_with = [&](const char* beginning) { return fault.rfind(beginning, 0) == 0; };
    // The parser's position is the end of the offending token.
    std::size_t start = std::min(read - 1, text_.size());
    if (starts_with("invalid literal")) {
      if (start < text_.size() && (text_[start] == '/' || text_[start] == '#')) {
        refuse(start, "comments are not allowed in JSON");
      }
      start = word_start(start);
      fault.replace(0, fault.find(';'), "unexpected " + quote(word_at(start)));
      if (fault.find(';') == std::string::npos) fault += "; expected a value";
    } else if (starts_with("unexpected string") || starts_with("unexpected number") ||
               starts_with("number overflow")) {
      start = read - token.size();
    } else if (fault.find(" literal;") != std::string::npos) {
      start = word_start(start);
    }
    if (follows_comma(start) && (starts_with("unexpected '}'") || starts_with("unexpected ']'"))) {
      fault += " (remove the comma before the closing bracket)";
    }
    refuse(start, plain_words(fault));
  }

 private:
  bool open() {
    if (++depth_ > max_json_depth) {
      // The parser has just read the bracket.
      refuse(static_cast<std::size_t>(stream_.tellg()) - 1,
             "more than " + std::to_string(max_json_depth) + " objects and lists in each other");
    }
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }
  std::pair<std::size_t, std::size_t> line_and_column(std::size_t offset) const {
    const std::string before = text_.substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1;  // 0 in the first line
    return {std::count(before.begin(), before.end(), '\n') + 1,
            std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                          begins_character) +
                1};
  }
  /// Offset of the first of the letters that end at `offset`.
  std::size_t word_start(std::size_t offset) const {
    while (offset > 0 && std::isalpha(static_cast<unsigned char>(text_[offset - 1])) != 0) --offset;
    return offset;
  }
  /// The word of letters and digits that begins at `offset`, or else the one character there.
  std::string word_at(std::size_t offset) const {
    std::size_t end = offset;
    while (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end])) != 0) ++end;
    if (end == offset) ++end;
    while (end < text_.size() && !begins_character(text_[end])) ++end;
    return text_.substr(offset, end - offset);
  }
  bool follows_comma(std::size_t offset) const {
    const std::size_t before = text_.substr(0, offset).find_last_not_of(" \t\r\n");
    return before != std::string::npos && text_[before] == ',';
  }
  [[noreturn]] void refuse(std::size_t offset, const std::string& message) const {
    const auto [line, column] = line_and_column(offset);
    throw InputError(name_ + ':' + std::to_string(line) + ':' + std::to_string(column) + ": " +
                     message);
  }

  const std::string& text_;
  std::string name_;
  std::istringstream stream_;
  std::size_t depth_ = 0;  ///< number of open objects and lists
  /// For each open object, the offsets of its keys in the text.
  std::vector<std::map<std::string, std::size_t>> keys_;
};

}  // namespace

json parse_json(const std::string& text, const std::string& name) {
  SyntaxCheck(text, name).run();
  return json::parse(text);
}

json canonical(const json& value) {
  if (value.is_number()) {
    const auto number = value.get<double>();
    const bool whole = std::trunc(number) == number && std::abs(number) <= largest_exact_integer;
    return whole ? json(static_cast<std::int64_t>(number)) : json(number);
  }
  json result = value;
  if (value.is_structured()) {
    for (json& member : result) member = canonical(member);
  }
  return result;
}

std::string kind_of(const json& value) {
  switch (value.type()) {
    case json::value_t::object:
      return "an object";
    case json::value_t::array:
      return "a list";
    case json::value_t::string:
      return "a string";
    case json::value_t::boolean:
      return "a boolean";
    case json::value_t::null:
      return "null";
    default:
      return "a number";
  }
}

std::string shown(const json& value) {
  if (value.is_structured()) return kind_of(value);
  if (value.is_number_float()) return number_text(value.get<double>());
  if (!value.is_string()) return value.dump();
  const auto text = value.get<std::string>();
  std::size_t longest = 60;
  if (text.size() <= longest) return quote(text);
  while (!begins_character(text[longest])) --longest;
  return quote(text.substr(0, longest) + "...");
}

}  // namespace knudsen
