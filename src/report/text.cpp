#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace knudsen {
namespace {

/// Number of characters of a UTF-8 text: all bytes except continuation bytes.
std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string escape_markup(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      case '\t':
      case '\n':
        escaped += c;
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          escaped += "\uFFFD";
        else
          escaped += c;
    }
  }
  return escaped;
}

std::string short_number(double value) {
  const double size = std::fabs(value);
  const char* format = "%.2e";
  if (size >= 1e6 || !std::isfinite(value))
    format = "%.4g";
  else if (size >= 999.95 || size == 0)
    format = "%.0f";
  else if (size >= 99.995)
    format = "%.1f";
  else if (size >= 9.9995)
    format = "%.2f";
  else if (size >= 0.1)
    format = "%.3f";
  else if (size >= 0.01)
    format = "%.4f";
  else if (size >= 1e-3)
    format = "%.5f";
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

std::string with_prefix(double value, const std::string& unit) {
  static constexpr std::array<const char*, 8> prefixes{"n", "µ", "m", "", "k", "M", "G", "T"};
  const int thousands =
      value == 0 || !std::isfinite(value)
          ? 0
          : static_cast<int>(std::floor(std::log10(std::fabs(value) * 1.00005) / 3));
  const int clamped = std::clamp(thousands, -3, 4);
  return short_number(value / std::pow(1000.0, clamped)) + " " + *(prefixes.begin() + 3 + clamped) +
         unit;
}

std::string percent(double share) {
  double hundredths = 100 * share;
  if (std::fabs(hundredths) < 0.05) hundredths = 0;  // no "-0.0"
  std::array<char, 32> buffer{};
  const char* format = std::fabs(hundredths) < 1e6 ? "%.1f %%" : "%.4g %%";
  std::snprintf(buffer.data(), buffer.size(), format, hundredths);
  return buffer.data();
}

std::string align_columns(const std::vector<std::vector<std::string>>& rows,
                          std::size_t left_columns) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (row.size() < 2) continue;
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t width = row.size() < 2 ? 0 : widths[i];
      const std::string padding(width - std::min(width, display_width(row[i])), ' ');
      if (i > 0) line += "  ";
      line += i < left_columns ? row[i] + padding : padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + "\n";
  }
  return table;
}

}  // namespace knudsen
