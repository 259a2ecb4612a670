#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <variant>

#include "case/reader.hpp"
#include "core/json_text.hpp"
#include "core/text.hpp"

// Inlined, so that no library has to be linked. Scalar, since the text is short and GCC 12 warns
// about its own AVX-512 header in xxhash's vector code.
#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_SCALAR
#include <xxhash.h>

namespace knudsen {

namespace {

using nlohmann::json;

/// A key of an object or an index of a list.
using Step = std::variant<std::string, std::size_t>;

/// Splits a path such as "geometry.solids[0].radius"; empty when the text is not a path.
std::vector<Step> parse_path(const std::string& text) {
  std::vector<Step> steps;
  std::size_t at = 0;
  while (true) {
    const std::size_t key_end = std::min(text.find_first_of(".[]", at), text.size());
    if (key_end == at) return {};
    steps.emplace_back(text.substr(at, key_end - at));
    at = key_end;
    while (at < text.size() && text[at] == '[') {
      std::size_t index = 0;
      const auto [end, error] =
          std::from_chars(text.data() + at + 1, text.data() + text.size(), index);
      at = static_cast<std::size_t>(end - text.data());
      if (error != std::errc() || at == text.size() || text[at] != ']') return {};
      steps.emplace_back(index);
      ++at;
    }
    if (at == text.size()) return steps;
    if (text[at] != '.') return {};
    ++at;
  }
}

void apply_override(json& root, const std::string& name, const std::string& text) {
  const std::size_t fault = find_invalid_utf8(text);
  if (fault < text.size()) {
    throw InputError(name + ": --set " + text.substr(0, fault) + "...: byte " +
                     std::to_string(fault + 1) + " is not valid UTF-8");
  }
  const std::string label = name + ": --set " + text;
  const auto refuse = [&](const std::string& message) { throw InputError(label + ": " + message); };

  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse("no \"=\", must be path=value");
  const std::vector<Step> steps = parse_path(text.substr(0, equals));
  if (steps.empty()) {
    refuse(quote(text.substr(0, equals)) +
           " is not a path, must be keys joined by dots, with list elements as in a.list[0].b");
  }

  if (steps.size() > max_json_depth) {
    refuse("the path has more than " + std::to_string(max_json_depth) + " keys and indices");
  }

  json* target = &root;
  std::string path;
  for (const Step& step : steps) {
    if (const auto* key = std::get_if<std::string>(&step)) {
      if (target->is_null()) *target = json::object();
      if (!target->is_object()) refuse(path + " is " + kind_of(*target) + ", not an object");
      target = &(*target)[*key];
      path += (path.empty() ? "" : ".") + *key;
    } else {
      const std::size_t index = std::get<std::size_t>(step);
      if (target->is_null()) refuse(path + " does not exist, so it has no elements");
      if (!target->is_array()) refuse(path + " is " + kind_of(*target) + ", not a list");
      if (index >= target->size()) {
        refuse(path + " has " + std::to_string(target->size()) +
               " elements, counted from 0, so none with the index " + std::to_string(index));
      }
      target = &(*target)[index];
      path += '[' + std::to_string(index) + ']';
    }
  }
  const std::string value = text.substr(equals + 1);
  *target = json::accept(value) ? parse_json(value, label) : json(value);
}

}  // namespace

CaseDocument CaseDocument::from_file(const std::filesystem::path& file,
                                     const std::vector<std::string>& overrides) {
  const std::string name = file.string();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) throw InputError(name + ": no such file");
  if (std::filesystem::is_directory(file, error)) {
    throw InputError(name + ": is a directory, must be a case file");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(name + ": cannot be read: " + std::strerror(errno));
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  const std::filesystem::path directory = file.parent_path();
  CaseDocument document = from_text(text, name, directory.empty() ? "." : directory, overrides);
  document.note_file(file);
  return document;
}

CaseDocument CaseDocument::from_text(const std::string& text, const std::string& name,
                                     const std::filesystem::path& directory,
                                     const std::vector<std::string>& overrides) {
  CaseDocument document;
  document.name_ = name;
  document.directory_ = directory;
  document.json_ = parse_json(text, name);
  if (!document.json_.is_object()) {
    throw InputError(name + ": the top level is " + kind_of(document.json_) +
                     ", must be an object: {...}");
  }
  for (const std::string& each : overrides) apply_override(document.json_, name, each);
  return document;
}

void CaseDocument::note_file(const std::filesystem::path& file, const std::string& path) const {
  files_.push_back(file);
  if (path.empty() || std::find(tables_.begin(), tables_.end(), file) != tables_.end()) return;
  const std::string block = path.substr(0, path.find_first_of(".["));
  for (const char* other : {"geometry", "initial", "initial_fields", "output"}) {
    if (block == other) return;
  }
  tables_.push_back(file);
}

namespace {

std::string hexadecimal_hash(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  std::ostringstream hex;
  hex << std::hex << std::setfill('0') << std::setw(16) << hash.high64 << std::setw(16)
      << hash.low64;
  return hex.str();
}

}  // namespace

std::string CaseDocument::physics() const {
  nlohmann::json physics = canonical(json_);
  for (const char* key :
       {"title", "$schema", "stop", "output", "checkpoint", "parallel", "tuning"}) {
    physics.erase(key);
  }
  return physics.dump();
}

std::string CaseDocument::digest() const { return hexadecimal_hash(physics()); }

std::string CaseDocument::digest_with_tables() const {
  std::string all = digest();
  if (tables_.empty()) return all;
  for (const auto& file : tables_) {
    std::ifstream stream(file, std::ios::binary);
    all += '\n';
    all.append(std::istreambuf_iterator<char>(stream), {});
  }
  return hexadecimal_hash(all);
}

}  // namespace knudsen
