#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace knudsen {

/// A case file's text, parsed, with the `--set` overrides applied. Not yet interpreted.
class CaseDocument {
 public:
  /// Throws InputError: file missing or not readable, broken JSON (line and column, what was
  /// expected), top level not an object, duplicate key, an override whose path does not fit.
  /// An override is "path.to.key=value" with list elements as "geometry.solids[0].radius=3"; the
  /// value is JSON where it parses as JSON and a string otherwise.
  static CaseDocument from_file(const std::filesystem::path& file,
                                const std::vector<std::string>& overrides = {});
  /// The same from memory; `name` stands for the file in messages, `directory` is what relative
  /// paths inside the case refer to.
  static CaseDocument from_text(const std::string& text, const std::string& name,
                                const std::filesystem::path& directory = ".",
                                const std::vector<std::string>& overrides = {});

  const nlohmann::json& json() const { return json_; }
  const std::string& name() const { return name_; }
  const std::filesystem::path& directory() const { return directory_; }
  /// Hex digest of what defines the physical problem and its arithmetic: all keys except title,
  /// $schema, stop, output, checkpoint and tuning; independent of key order and white space. Files
  /// named in the case (images, STL) are not part of it.
  std::string digest() const;

 private:
  nlohmann::json json_;
  std::string name_;
  std::filesystem::path directory_;
};

/// What a number may be. The text form ("greater than 0.5") is used in errors and documentation.
struct Range {
  std::optional<double> minimum, maximum;
  bool minimum_excluded = false, maximum_excluded = false;

  static Range any() { return {}; }
  static Range above(double low) { return {low, {}, true, false}; }
  static Range at_least(double low) { return {low, {}, false, false}; }
  static Range between(double low, double high) { return {low, high, false, false}; }
  static Range positive() { return above(0); }
  bool contains(double value) const;
  std::string text() const;
};

/// A cursor on one JSON object of a case. The same reading function serves two purposes: run on a
/// document it reads and checks, run in describing mode (no document) it declares its keys, from
/// which the JSON Schema and the reference page are made. So the published schema cannot differ
/// from the reader.
///
/// Every key is declared by the call that reads it. When the function that reads an object is
/// done, keys of the document that were not declared are refused, with the nearest declared one.
/// Errors are InputErrors: "cavity.json: fluid.reynolds: found -5, must be greater than 0".
///
/// In describing mode `has` is false, optional readers return the default (or nothing), required
/// readers return a neutral value (0, "", the first choice, a list of the asked length), every
/// `object` (true), one element of every `list` (1) and every alternative are visited, and `fail`
/// does nothing: a reading function should leave cross-checks out by `if (node.describing())
/// return;`. Which keys it declares should not depend on the values of others except through
/// `alternatives`.
///
/// After an unknown or missing key the reading function is run once more in describing mode, while
/// the error is on its way, to find what the key might have been.
class CaseNode {
 public:
  using Reader = std::function<void(CaseNode&)>;
  struct Alternative {
    std::string name;
    std::string documentation;
    Reader read;
  };

  bool describing() const;
  /// Whether the document has the key. Does not declare it.
  bool has(const std::string& key) const;
  /// "fluid.reynolds" for this node's key; the node's own path with an empty key. An element of a
  /// list is "geometry.solids[2]", "geometry.solids[]" in describing mode.
  std::string path(const std::string& key = "") const;
  const std::filesystem::path& directory() const;

  // Numbers must be JSON numbers, finite; integers must be whole. Each first form returns nothing
  // when the key is absent, the second a default, `require_*` is an error when absent.
  std::optional<double> number(const std::string& key, const std::string& documentation,
                               const Range& range = Range::any());
  double number_or(const std::string& key, double fallback, const std::string& documentation,
                   const Range& range = Range::any());
  double require_number(const std::string& key, const std::string& documentation,
                        const Range& range = Range::any());
  std::optional<std::int64_t> integer(const std::string& key, const std::string& documentation,
                                      const Range& range = Range::any());
  std::int64_t integer_or(const std::string& key, std::int64_t fallback,
                          const std::string& documentation, const Range& range = Range::any());
  std::int64_t require_integer(const std::string& key, const std::string& documentation,
                               const Range& range = Range::any());
  bool boolean_or(const std::string& key, bool fallback, const std::string& documentation);
  std::optional<std::string> text(const std::string& key, const std::string& documentation);
  std::string text_or(const std::string& key, const std::string& fallback,
                      const std::string& documentation);
  std::string require_text(const std::string& key, const std::string& documentation);
  /// A path to an existing, readable file, relative to the case file's directory.
  std::optional<std::filesystem::path> file(const std::string& key,
                                            const std::string& documentation);
  std::filesystem::path require_file(const std::string& key, const std::string& documentation);
  /// One of the given names.
  std::string choice_or(const std::string& key, const std::string& fallback,
                        const std::vector<std::string>& choices, const std::string& documentation);
  std::string require_choice(const std::string& key, const std::vector<std::string>& choices,
                             const std::string& documentation);
  /// A list of numbers; `length` 0 means any length.
  std::optional<std::vector<double>> numbers(const std::string& key, std::size_t length,
                                             const std::string& documentation,
                                             const Range& range = Range::any());
  std::vector<double> numbers_or(const std::string& key, const std::vector<double>& fallback,
                                 std::size_t length, const std::string& documentation,
                                 const Range& range = Range::any());
  std::vector<double> require_numbers(const std::string& key, std::size_t length,
                                      const std::string& documentation,
                                      const Range& range = Range::any());
  std::optional<std::vector<std::int64_t>> integers(const std::string& key, std::size_t length,
                                                    const std::string& documentation,
                                                    const Range& range = Range::any());
  std::vector<std::int64_t> require_integers(const std::string& key, std::size_t length,
                                             const std::string& documentation,
                                             const Range& range = Range::any());
  /// A list of names, each one of `choices` (any when empty). No element may occur twice.
  std::optional<std::vector<std::string>> names(const std::string& key,
                                                const std::vector<std::string>& choices,
                                                const std::string& documentation);

  /// Reads a sub-object; returns false, without calling `read`, when the key is absent.
  bool object(const std::string& key, const std::string& documentation, const Reader& read);
  void require_object(const std::string& key, const std::string& documentation, const Reader& read);
  /// Reads a list of objects in order; returns their number, 0 when the key is absent.
  std::size_t list(const std::string& key, const std::string& documentation, const Reader& read);
  /// This object is one of several kinds, told by the string at `key`; the chosen one's `read` is
  /// called on this same node. Returns the chosen name. An empty `fallback` makes the key required.
  std::string alternatives(const std::string& key, const std::string& documentation,
                           const std::vector<Alternative>& alternatives,
                           const std::string& fallback = "");

  /// Throws the InputError "name: path.key: message" ("found X, " is put before the message where
  /// the document has the key and it is a scalar).
  [[noreturn]] void fail_hard(const std::string& key, const std::string& message) const;
  /// The same, but does nothing in describing mode.
  void fail(const std::string& key, const std::string& message) const {
    if (!describing()) fail_hard(key, message);
  }

  struct Implementation;
  explicit CaseNode(std::unique_ptr<Implementation> implementation);
  ~CaseNode();
  CaseNode(CaseNode&&) noexcept;

 private:
  std::unique_ptr<Implementation> implementation_;
};

/// Runs `read` on the document's top-level object ("$schema" is always allowed there).
void read_case(const CaseDocument& document, const CaseNode::Reader& read);

/// JSON Schema (draft 2020-12) of everything `read` declares.
nlohmann::json describe_schema(const CaseNode::Reader& read, const std::string& title);
/// The same as a reference page in Markdown: a section an object, a table of keys with type,
/// default, range and meaning.
std::string describe_markdown(const CaseNode::Reader& read, const std::string& title);

}  // namespace knudsen
