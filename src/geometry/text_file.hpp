#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace knudsen {

/// The bytes of a file that can be read.
std::string read_whole(const std::filesystem::path& file);

/// The words of a text, one after the other, with the line each is in.
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
  /// Leaves out what is left of the line.
  void skip_line() { rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size())); }
  std::int64_t line() const { return line_; }

 private:
  static constexpr const char* white = " \t\r\n";
  std::string_view rest_;
  std::int64_t line_ = 1;
};

}  // namespace knudsen
