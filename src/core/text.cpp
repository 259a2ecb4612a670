#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace knudsen {

namespace {

std::string lower(std::string text) {
  for (char& letter : text)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// The fewest insertions, deletions, replacements and swaps of adjacent letters that turn `a` into
/// `b` (restricted Damerau-Levenshtein distance).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> distance(a.size() + 1,
                                                 std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        distance[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distance[i][j] = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
      }
    }
  }
  return distance[a.size()][b.size()];
}

}  // namespace

std::string quote(const std::string& text) { return '"' + text + '"'; }

std::string join(const std::vector<std::string>& parts, const std::string& separator) {
  std::string joined;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) joined += separator;
    joined += part;
  }
  return joined;
}

std::string quote_list(const std::vector<std::string>& parts) {
  return parts.empty() ? "" : quote(join(parts, "\", \""));
}

std::string number_text(double value) {
  const double size = std::abs(value);
  // Without a format to_chars writes 1e+05 for 100000.
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {buffer.data(), end.ptr};
}

std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest_mistakes = 0;
  for (const std::string& candidate : candidates) {
    // With more than one mistake in three letters a suggestion would more often mislead than help.
    const std::size_t allowed = (std::max(name.size(), candidate.size()) + 1) / 3;
    const std::size_t mistakes = edit_distance(lower(name), lower(candidate));
    if (mistakes <= allowed && (best.empty() || mistakes < fewest_mistakes)) {
      best = candidate;
      fewest_mistakes = mistakes;
    }
  }
  return best;
}

std::size_t find_invalid_utf8(const std::string& text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  std::size_t at = 0;
  while (at < text.size()) {
    const unsigned char first = byte(at);
    const std::size_t length = first < 0x80                     ? 1
                               : first >= 0xC2 && first < 0xE0  ? 2
                               : first >= 0xE0 && first < 0xF0  ? 3
                               : first >= 0xF0 && first <= 0xF4 ? 4
                                                                : 0;
    if (length == 0 || at + length > text.size()) return at;
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(at + i) & 0xC0U) != 0x80) return at;
    }
    // Overlong forms, surrogates, and numbers beyond the last character.
    const unsigned char second = length > 1 ? byte(at + 1) : 0;
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
      return at;
    }
    at += length;
  }
  return at;
}

}  // namespace knudsen
