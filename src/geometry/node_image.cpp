#include "geometry/node_image.hpp"

#include <png.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "core/text.hpp"
#include "geometry/solid_keys.hpp"
#include "geometry/text_file.hpp"

namespace knudsen {

namespace {

std::string size_text(std::int64_t nx, std::int64_t ny) {
  return std::to_string(nx) + " x " + std::to_string(ny);
}

/// "; it seems to be a JPEG picture" or the like for a file that is not a PNG picture; empty for an
/// unknown format.
std::string guess_kind(const std::string& bytes) {
  struct Signature {
    std::string_view start;
    const char* kind;
  };
  static constexpr Signature signatures[] = {{"\xff\xd8\xff", "a JPEG picture"},
                                             {"GIF8", "a GIF picture"},
                                             {"BM", "a BMP picture"},
                                             {"II*", "a TIFF picture"},
                                             {"MM", "a TIFF picture"},
                                             {"RIFF", "a WebP picture"},
                                             {"%PDF", "a PDF document"},
                                             {"<svg", "an SVG drawing"},
                                             {"<?xml", "an XML document"},
                                             {"P1", "a PBM picture"},
                                             {"P2", "a PGM picture"},
                                             {"P3", "a PPM picture"},
                                             {"P4", "a PBM picture"},
                                             {"P5", "a PGM picture"},
                                             {"P6", "a PPM picture"}};
  if (bytes.empty()) return "; it is empty";
  for (const Signature& signature : signatures) {
    if (bytes.starts_with(signature.start))
      return std::string("; it seems to be ") + signature.kind;
  }
  return "";
}

/// Frees libpng's memory also when reading throws.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

/// Grey values from 0, black, to 255, white: (row, column) from the top left. Throws InputError.
std::vector<png_byte> read_grey(const CaseNode& solid, const std::string& bytes, int nx, int ny) {
  static constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
  if (!bytes.starts_with(png_signature)) {
    solid.fail_hard("file", "but that is not a PNG picture" + guess_kind(bytes));
  }
  PngImage image;
  const auto refuse_damaged = [&] {
    solid.fail_hard("file", std::string("but that PNG picture cannot be read: ") + image.message);
  };
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) refuse_damaged();
  if (image.width != static_cast<png_uint_32>(nx) || image.height != static_cast<png_uint_32>(ny)) {
    solid.fail_hard("file", "but that picture has " + size_text(image.width, image.height) +
                                " pixels, must have one for each of the domain's " +
                                size_text(nx, ny) + " nodes");
  }
  image.format = PNG_FORMAT_GRAY;
  std::vector<png_byte> grey(PNG_IMAGE_SIZE(image));
  const png_color behind_transparent{255, 255, 255};
  if (png_image_finish_read(&image, &behind_transparent, grey.data(), 0, nullptr) == 0) {
    refuse_damaged();
  }
  return grey;
}

/// Reads the first line of a node map, "NX NY NZ". Throws InputError if it is not the domain's
/// size.
void check_size(const CaseNode& solid, Words& words, int nx, int ny) {
  std::int64_t size[3];
  for (std::int64_t& nodes : size) {
    const std::string_view word = words.next();
    const auto [end, error] = std::from_chars(word.begin(), word.end(), nodes);
    if (error != std::errc() || end != word.end() || nodes < 1 || words.line() != 1) {
      solid.fail_hard("file",
                      "but the first line of that file is not NX NY NZ, three positive integers");
    }
  }
  if (size[2] != 1) {
    solid.fail_hard("file", "but NZ in that file is " + std::to_string(size[2]) +
                                ", must be 1 in two dimensions");
  }
  if (size[0] != nx || size[1] != ny) {
    solid.fail_hard("file", "but that node map is of " + size_text(size[0], size[1]) +
                                " nodes, must be of the domain's " + size_text(nx, ny));
  }
}

}  // namespace

NodeImage read_picture(CaseNode& solid, int nx, int ny) {
  const std::filesystem::path file = solid.require_file(
      "file",
      "PNG picture with one pixel for each node. Its first row is the northernmost row of nodes. "
      "Colours are converted to brightness; transparent pixels count as white.");
  const bool dark_is_solid =
      solid.choice_or("solid", "dark", {"dark", "light"}, "Which pixels are solid.") == "dark";
  const std::int64_t threshold = solid.integer_or(
      "threshold", 128, "Brightness from 0 (black) to 255 (white) below which a pixel is dark.",
      Range::between(0, 255));
  if (!builds_solids(solid, nx, ny)) return {};

  const std::vector<png_byte> grey = read_grey(solid, read_whole(file), nx, ny);
  NodeImage nodes;
  nodes.reserve(grey.size());
  for (int y = 0; y < ny; ++y) {
    const auto row = grey.end() - static_cast<std::ptrdiff_t>(y + 1) * nx;
    std::transform(row, row + nx, std::back_inserter(nodes),
                   [&](png_byte value) { return (value < threshold) == dark_is_solid; });
  }
  return nodes;
}

NodeImage read_node_map(CaseNode& solid, int nx, int ny) {
  const std::filesystem::path file = solid.require_file(
      "file",
      "Text file. The first line is NX NY NZ, the numbers of nodes (NZ is 1). Then one number for "
      "each node, 0 for fluid or 1 for solid, x fastest, then y from south to north.");
  if (!builds_solids(solid, nx, ny)) return {};

  const std::string text = read_whole(file);
  Words words(text);
  check_size(solid, words, nx, ny);
  const std::size_t wanted = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  NodeImage nodes;
  nodes.reserve(wanted);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != "0" && word != "1") {
      solid.fail_hard("file", "but line " + std::to_string(words.line()) + " of that file has " +
                                  quote(std::string(word.substr(0, 40))) +
                                  ", must be 0 (fluid) or 1 (solid)");
    }
    if (nodes.size() == wanted) {
      solid.fail_hard("file", "but that file has more than the " + std::to_string(wanted) +
                                  " nodes that its first line states");
    }
    nodes.push_back(word == "1");
  }
  if (nodes.size() < wanted) {
    solid.fail_hard("file", "but that file ends after " + std::to_string(nodes.size()) + " of " +
                                std::to_string(wanted) + " nodes");
  }
  return nodes;
}

}  // namespace knudsen
