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
#include "core/formula.hpp"

namespace knudsen {

/// A parsed case file with its `--set` overrides applied, not yet interpreted.
class CaseDocument {
 public:
  /// An override is "path.to.key=value" or, with an element of a list,
  /// "geometry.solids[0].radius=3". The value is a string unless it parses as JSON. Throws
  /// InputError: file missing or unreadable, invalid JSON (with line and column), top level not an
  /// object, duplicate key, override of a path that the case cannot have.
  static CaseDocument from_file(const std::filesystem::path& file,
                                const std::vector<std::string>& overrides = {});
  /// The same from memory. Messages call it `name`; relative paths in the case start at
  /// `directory`.
  static CaseDocument from_text(const std::string& text, const std::string& name,
                                const std::filesystem::path& directory = ".",
                                const std::vector<std::string>& overrides = {});

  const nlohmann::json& json() const { return json_; }
  const std::string& name() const { return name_; }
  const std::filesystem::path& directory() const { return directory_; }
  /// The case file and the files that its values name, as far as they have been read.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  /// Adds a file that the value at `path` of the case names.
  void note_file(const std::filesystem::path& file, const std::string& path = "") const;
  /// What defines the physical problem, as text of JSON: what `digest` is of.
  std::string physics() const;
  /// Hexadecimal digest of what defines the physical problem and its arithmetic: all keys except
  /// title, $schema, stop, output, checkpoint, parallel and tuning. Independent of the order of
  /// keys and of white space. Does not cover the content of files that the case names (images,
  /// STL).
  std::string digest() const;
  /// The same with the content of the files that were read as well, but for those of the geometry,
  /// which methods compare, of the start and of references: what a checkpoint must agree with.
  std::string digest_with_tables() const;

  /// Whether the case is only to be judged: readers then build nothing that takes much time or
  /// memory, and a problem too large to be built is estimated (Problem::estimated).
  bool estimating() const { return estimating_; }
  void set_estimating(bool estimating) { estimating_ = estimating; }
  /// Whether all ranks read the case at the same time, within `together`, so that readers may share
  /// work: they may be collective.
  bool read_together() const { return read_together_; }
  void set_read_together(bool together) { read_together_ = together; }

 private:
  nlohmann::json json_;
  std::string name_;
  std::filesystem::path directory_;
  mutable std::vector<std::filesystem::path> files_;
  mutable std::vector<std::filesystem::path> tables_;  ///< see digest_with_tables
  bool estimating_ = false;
  bool read_together_ = false;
};

/// The values that a number may have.
struct Range {
  std::optional<double> minimum, maximum;
  bool minimum_excluded = false, maximum_excluded = false;

  static Range any() { return {}; }
  static Range above(double low) { return {low, {}, true, false}; }
  static Range at_least(double low) { return {low, {}, false, false}; }
  static Range between(double low, double high) { return {low, high, false, false}; }
  static Range positive() { return above(0); }
  bool contains(double value) const;
  /// "greater than 0.5", as errors and documentation say it; empty for any number.
  std::string text() const;
};

/// A cursor on one JSON object of a case. The same reading function serves two purposes. Run on a
/// document, it reads and checks it. Run without one, in describing mode, it declares its keys,
/// from which the JSON Schema and the reference page are made. The published schema therefore
/// cannot differ from the reader.
///
/// The call that reads a key declares it. When the function that reads an object returns, any key
/// of the document that it did not declare is refused, with a guess at the key that was meant.
/// Errors are InputErrors: "cavity.json: fluid.reynolds: found -5, must be greater than 0".
///
/// In describing mode
/// - `has` is false, and optional readers return the default or nothing;
/// - required readers return a neutral value: 0, "", the first choice, a list of the given length;
/// - every `object`, every alternative and one element of every `list` are read, so that `object`
///   returns true and `list` returns 1;
/// - `fail` does nothing. A reading function skips cross-checks by `if (node.describing())
/// return;`. Which keys a function declares must not depend on the values of others, except through
/// `alternatives`.
///
/// On an unknown or missing key the reading function is run again in describing mode, to find the
/// key that was probably meant.
class CaseNode {
 public:
  using Reader = std::function<void(CaseNode&)>;
  struct Alternative {
    std::string name;
    std::string documentation;
    Reader read;
  };

  bool describing() const;
  /// See CaseDocument::estimating.
  bool estimating() const;
  /// See CaseDocument::read_together.
  bool read_together() const;
  /// Whether the document has the key. Does not declare it.
  bool has(const std::string& key) const;
  /// Path of a key of this node, "fluid.reynolds"; of the node itself with an empty key. An element
  /// of a list is "geometry.solids[2]", or "geometry.solids[]" in describing mode.
  std::string path(const std::string& key = "") const;
  /// The directory at which relative paths in the case start.
  const std::filesystem::path& directory() const;

  // Each reader takes the key's description for the schema. If the key is absent, the plain form
  // returns nothing, `*_or` returns the fallback, and `require_*` throws.
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
  std::optional<bool> boolean(const std::string& key, const std::string& documentation);
  bool boolean_or(const std::string& key, bool fallback, const std::string& documentation);
  std::optional<std::string> text(const std::string& key, const std::string& documentation);
  std::string text_or(const std::string& key, const std::string& fallback,
                      const std::string& documentation);
  std::string require_text(const std::string& key, const std::string& documentation);
  /// A number, or a text that is a formula of these variables.
  std::optional<Formula> formula(const std::string& key, const std::vector<std::string>& variables,
                                 const std::string& documentation);
  /// A path to an existing, readable file, relative to the case file's directory.
  std::optional<std::filesystem::path> file(const std::string& key,
                                            const std::string& documentation);
  std::filesystem::path require_file(const std::string& key, const std::string& documentation);
  /// One of the given choices.
  std::string choice_or(const std::string& key, const std::string& fallback,
                        const std::vector<std::string>& choices, const std::string& documentation);
  /// One of the given choices or, in its place, an object that `read` reads. Returns the choice;
  /// empty for the object.
  std::string choice_or_object(const std::string& key, const std::string& fallback,
                               const std::vector<std::string>& choices,
                               const std::string& documentation, const Reader& read);
  std::string require_choice(const std::string& key, const std::vector<std::string>& choices,
                             const std::string& documentation);
  /// A list of `length` numbers, of any length for 0.
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
  /// A list of names out of `choices`, of any names when that is empty, without repetitions.
  std::optional<std::vector<std::string>> names(const std::string& key,
                                                const std::vector<std::string>& choices,
                                                const std::string& documentation);
  /// A list of such lists.
  std::optional<std::vector<std::vector<std::string>>> name_lists(
      const std::string& key, const std::vector<std::string>& choices,
      const std::string& documentation);

  /// Reads a sub-object. If the key is absent, returns false without calling `read`.
  bool object(const std::string& key, const std::string& documentation, const Reader& read);
  void require_object(const std::string& key, const std::string& documentation, const Reader& read);
  /// Reads some keys of a sub-object before the call that reads all of it, for what other objects
  /// depend on. Declares nothing and does not call `read` where the key is no object, so nothing is
  /// read in describing mode.
  void read_ahead(const std::string& key, const Reader& read) const;
  /// Reads a list of objects in order. Returns their number, 0 if the key is absent.
  std::size_t list(const std::string& key, const std::string& documentation, const Reader& read);
  /// Reads an object that is one of several kinds: the string at `key` chooses the alternative,
  /// whose `read` is called on this same node. Returns the chosen name. Without `fallback` the key
  /// is required.
  std::string alternatives(const std::string& key, const std::string& documentation,
                           const std::vector<Alternative>& alternatives,
                           const std::string& fallback = "");

  /// The text of an error: "name: path.key: message", with "found X, " before the message if
  /// the document has a scalar at the key.
  std::string message(const std::string& key, const std::string& message) const;
  /// Throws InputError with this text.
  [[noreturn]] void fail_hard(const std::string& key, const std::string& message) const;
  /// The same, but does nothing in describing mode.
  void fail(const std::string& key, const std::string& message) const {
    if (!describing()) fail_hard(key, message);
  }

  /// Throws InputError unless a quantity that follows from the value of `key`, and perhaps of other
  /// keys, is finite and in the range: "found 5e-324, gives the relaxation time inf, must be finite
  /// and greater than 0.5". Does nothing in describing mode.
  void check_derived(const std::string& key, const std::string& quantity, double value,
                     const Range& range = Range::any()) const;

  struct Implementation;
  explicit CaseNode(std::unique_ptr<Implementation> implementation);
  ~CaseNode();
  CaseNode(CaseNode&&) noexcept;

 private:
  std::unique_ptr<Implementation> implementation_;
};

/// Runs `read` on the document's top-level object, which may have the key "$schema" besides.
void read_case(const CaseDocument& document, const CaseNode::Reader& read);

/// JSON Schema (draft 2020-12) of everything `read` declares.
nlohmann::json describe_schema(const CaseNode::Reader& read, const std::string& title);
/// The same as a reference page in Markdown: for each object a section with a table of its keys,
/// their types, ranges, defaults and meanings.
std::string describe_markdown(const CaseNode::Reader& read, const std::string& title);

}  // namespace knudsen
