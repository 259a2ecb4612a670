#include "geometry/stl.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/text.hpp"
#include "geometry/text_file.hpp"

namespace knudsen {

namespace {

constexpr std::size_t header_bytes = 80;
constexpr std::size_t start_bytes = header_bytes + 4;
constexpr std::size_t triangle_bytes = 50;

std::uint32_t little_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int index = 3; index >= 0; --index) {
    value = (value << 8U) | static_cast<unsigned char>(bytes[index]);
  }
  return value;
}

bool same_word(std::string_view word, std::string_view lower_case) {
  return std::equal(
      word.begin(), word.end(), lower_case.begin(), lower_case.end(),
      [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

/// Whether this is a text STL file: after the line "solid ..." a facet starts or the solid ends. A
/// binary file may start with "solid" too.
bool is_text(std::string_view content) {
  Words words(content);
  if (!same_word(words.next(), "solid")) return false;
  words.skip_line();
  const std::string_view word = words.next();
  return same_word(word, "facet") || same_word(word, "endsolid");
}

std::vector<Triangle> parse_binary(const CaseNode& solid, std::string_view content) {
  if (content.size() < start_bytes) {
    solid.fail_hard("file", content.empty()
                                ? "but that file is empty"
                                : "but that file is not an STL file: too short for a "
                                  "binary one, and not a text that starts with \"solid\"");
  }
  const std::size_t count = little_endian(content.data() + header_bytes);
  const std::size_t room = (content.size() - start_bytes) / triangle_bytes;
  if (count > room) {
    solid.fail_hard("file",
                    "but that file is not a text STL file, which starts with \"solid\", and as a "
                    "binary one it is truncated or damaged: its header states " +
                        std::to_string(count) + " triangles, its size allows " +
                        std::to_string(room));
  }
  std::vector<Triangle> triangles(count);
  for (std::size_t index = 0; index < count; ++index) {
    // Skip the normal.
    const char* bytes = content.data() + start_bytes + index * triangle_bytes + 12;
    for (Point3D& corner : triangles[index]) {
      for (double& coordinate : corner) {
        coordinate = std::bit_cast<float>(little_endian(bytes));
        bytes += 4;
        if (!std::isfinite(coordinate)) {
          solid.fail_hard("file", "but triangle " + std::to_string(index) +
                                      " of that binary STL file has a coordinate that is not a "
                                      "finite number");
        }
      }
    }
  }
  return triangles;
}

/// Parser of text STL files.
class TextParser {
 public:
  TextParser(const CaseNode& solid, std::string_view content) : solid_(solid), words_(content) {}

  std::vector<Triangle> parse() {
    std::vector<Triangle> triangles;
    for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
      // A file may hold several solids, whose names may have several words.
      if (same_word(word, "solid") || same_word(word, "endsolid")) {
        words_.skip_line();
      } else if (same_word(word, "facet")) {
        triangles.push_back(parse_facet());
      } else {
        refuse(word, "\"facet\" or \"endsolid\"");
      }
    }
    return triangles;
  }

 private:
  [[noreturn]] void refuse(std::string_view word, const std::string& wanted) const {
    solid_.fail_hard("file",
                     word.empty()
                         ? "but that STL file ends where " + wanted + " must follow"
                         : "but line " + std::to_string(words_.line()) + " of that STL file has " +
                               quote(std::string(word.substr(0, 40))) + ", must be " + wanted);
  }
  void expect(const char* lower_case) {
    const std::string_view word = words_.next();
    if (!same_word(word, lower_case)) refuse(word, quote(lower_case));
  }
  double parse_number() {
    const std::string_view word = words_.next();
    const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
      refuse(word, "a finite number");
    }
    return value;
  }
  Triangle parse_facet() {
    // Skip the normal, which in some files is not even three numbers.
    words_.skip_line();
    expect("outer");
    expect("loop");
    Triangle triangle;
    for (Point3D& corner : triangle) {
      expect("vertex");
      for (double& coordinate : corner) coordinate = parse_number();
    }
    expect("endloop");
    expect("endfacet");
    return triangle;
  }

  const CaseNode& solid_;
  Words words_;
};

}  // namespace

std::optional<std::vector<Triangle>> read_stl(CaseNode& solid) {
  const std::filesystem::path file = solid.require_file(
      "file", "STL file, binary or text, with a closed surface of triangles around the solid.");
  if (solid.describing()) return {};
  constexpr std::uintmax_t max_quick_bytes = 50000000;
  std::error_code error;
  if (solid.estimating() && std::filesystem::file_size(file, error) > max_quick_bytes) return {};

  const std::string content = read_whole(file);
  const bool text = is_text(content);
  std::vector<Triangle> triangles =
      text ? TextParser(solid, content).parse() : parse_binary(solid, content);
  if (triangles.empty()) solid.fail_hard("file", "but that STL file has no triangles");
  return triangles;
}

}  // namespace knudsen
