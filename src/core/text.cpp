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

/// Bytes of the UTF-8 character that begins at text[i], which is not ASCII; 0 if none does.
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const unsigned first = byte(i);
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0U) != 0x80U) return 0;
  }
  // Longer than needed, surrogates, and beyond the last code point.
  const unsigned second = byte(i + 1);
  const bool outside = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                       (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return outside ? 0 : length;
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
  if (std::isnan(value)) return "nan";  // not -nan, as invalid operations give on x86
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
  std::size_t at = 0;
  while (at < text.size()) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first < 0x80 ? 1 : utf8_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

std::string one_line(const std::string& text) {
  constexpr std::size_t longest = 1900;
  constexpr const char* digits = "0123456789abcdef";
  std::string line;
  std::size_t i = 0;
  while (i < text.size() && line.size() < longest) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = c < 0x80 ? 1 : utf8_length(text, i);
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (c < 0x20 || c == 0x7f || length == 0) {
      line.append("\\x").append(1, digits[c / 16]).append(1, digits[c % 16]);
    } else {
      line.append(text, i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return i < text.size() ? line + " ..." : line;
}

}  // namespace knudsen
