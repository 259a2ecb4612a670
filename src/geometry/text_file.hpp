#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace knudsen {

/// The content of a file that is known to be readable.
std::string read_whole(const std::filesystem::path& file);

/// Splits a text into words at white space and counts its lines.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  /// The next word; empty at the end.
  std::string_view next() {
    const std::size_t start = std::min(rest_.find_first_not_of(white), rest_.size());
    line_ += std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(start), '\n');
    rest_.remove_prefix(start);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(white));
    rest_.remove_prefix(word.size());
    return word;
  }
  /// Skips the rest of the line.
  void skip_line() { rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size())); }
  /// Line of the last word, counted from 1.
  std::int64_t line() const { return line_; }

 private:
  static constexpr const char* white = " \t\r\n";
  std::string_view rest_;  ///< text behind the last word
  std::int64_t line_ = 1;
};

}  // namespace knudsen
