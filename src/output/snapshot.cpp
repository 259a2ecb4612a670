#include "output/snapshot.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "output/atomic_file.hpp"
#include "output/bitmap_font.hpp"
#include "output/colour_map.hpp"
#include "output/component.hpp"

namespace knudsen {
namespace {

constexpr Rgb white{255, 255, 255};
constexpr Rgb ink{34, 34, 34};
constexpr Rgb solid_grey{128, 128, 128};

// Dimensions of the page in pixels.
constexpr int letter_width = 2 * glyph_width;
constexpr int letter_height = 2 * glyph_height;
constexpr int margin = 24;
constexpr int gap = 12;
constexpr int bar_width = 24;
constexpr int tick_length = 6;
constexpr int frame = 2;
constexpr int min_side = 24;
constexpr int min_height = 240;  // leaves room for the labels of the colour bar

/// Whether a pixel of a letter is ink when it is drawn at twice its size with smoothed diagonals: a
/// quarter of a doubled pixel takes the colour of the two neighbours that it touches if these two
/// agree and differ from the opposite ones (the Scale2x rule).
bool smooth_ink(char letter, int x, int y) {
  const auto pixel = [letter](int i, int j) {
    return i >= 0 && j >= 0 && i < glyph_width && j < glyph_height && glyph_pixel(letter, i, j);
  };
  const int i = x / 2, j = y / 2;
  const int to_side = x % 2 == 0 ? -1 : 1, to_row = y % 2 == 0 ? -1 : 1;
  const bool side = pixel(i + to_side, j), other_side = pixel(i - to_side, j);
  const bool row = pixel(i, j + to_row), other_row = pixel(i, j - to_row);
  return side == row && side != other_row && row != other_side ? side : pixel(i, j);
}

enum class Direction { rightwards, upwards };

/// A picture in memory; drawing outside it has no effect.
class Canvas {
 public:
  Canvas(int width, int height)
      : width_(width),
        height_(height),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), white) {}

  void set(int x, int y, Rgb colour) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
            static_cast<std::size_t>(x)] = colour;
  }

  void fill(int x, int y, int width, int height, Rgb colour) {
    for (int j = y; j < y + height; ++j) {
      for (int i = x; i < x + width; ++i) set(i, j, colour);
    }
  }

  /// Draws a text. (x, y) is the upper left corner of its first letter, for upward text its lower
  /// left one.
  void write(int x, int y, const std::string& text, Direction direction = Direction::rightwards) {
    int along = 0;
    for (const char letter : text) {
      for (int j = 0; j < letter_height; ++j) {
        for (int i = 0; i < letter_width; ++i) {
          if (!smooth_ink(letter, i, j)) continue;
          if (direction == Direction::rightwards) set(x + along + i, y + j, ink);
          if (direction == Direction::upwards) set(x + j, y - along - i, ink);
        }
      }
      along += letter_width;
    }
  }

  /// The picture as the bytes of a PNG file. `path` is for messages.
  std::string png(const std::filesystem::path& path) const {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width_);
    image.height = static_cast<png_uint_32>(height_);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string bytes(size, '\0');
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels_.data(), 0, nullptr) ==
        0) {
      throw RunError(path.string() + ": cannot be encoded as PNG: " + image.message);
    }
    bytes.resize(size);
    return bytes;
  }

 private:
  int width_, height_;
  std::vector<Rgb> pixels_;
};
static_assert(sizeof(Rgb) == 3, "libpng reads the array of pixels as bytes");

/// Replaces every character of a UTF-8 text that is not ASCII by '?', as the font has ASCII only.
std::string printable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continuation = (byte & 0xc0) == 0x80;
    if (!continuation) result += byte < 128 ? c : '?';
  }
  return result;
}

int text_width(const std::string& text) { return static_cast<int>(text.size()) * letter_width; }

std::string shortened(const std::string& text, int width) {
  const auto letters = static_cast<std::size_t>(width / letter_width);
  return text.size() <= letters ? text : text.substr(0, letters - 3) + "...";
}

/// The plane of a field that is drawn.
struct Plane {
  const Field& field;
  std::size_t width, height, first_cell;
  int component;  // -1 for the magnitude

  double operator()(std::size_t x, std::size_t y) const {
    const auto components = static_cast<std::size_t>(field.quantity.components);
    const std::size_t first = (first_cell + y * width + x) * components;
    if (component >= 0) return field[first + static_cast<std::size_t>(component)];
    double square = 0;
    for (std::size_t i = 0; i < components; ++i) square += field[first + i] * field[first + i];
    return std::sqrt(square);
  }
};

Plane shown_plane(const std::filesystem::path& path, const CartesianGrid& grid, const Field& field,
                  int component) {
  const Quantity& quantity = field.quantity;
  const auto components = static_cast<std::size_t>(quantity.components);
  if (field.size() != grid.size() * components) {
    throw RunError(path.string() + ": field '" + quantity.name + "' does not fit the grid");
  }
  if (components == 6 && component < 0) {
    throw RunError(path.string() + ": field '" + quantity.name +
                   "' is a tensor, a picture needs one of its components");
  }
  const auto width = static_cast<std::size_t>(grid.cells[0]);
  const auto height = static_cast<std::size_t>(grid.cells[1]);
  const auto middle = static_cast<std::size_t>(grid.cells[2] / 2);
  return {field, width, height, middle * width * height, components == 1 ? 0 : component};
}

struct Interval {
  double low, high;
};

Interval colour_range(const Plane& plane, const SnapshotOptions& options, bool diverging) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t y = 0; y < plane.height; ++y) {
    for (std::size_t x = 0; x < plane.width; ++x) {
      const double value = plane(x, y);
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low > high) low = high = 0;  // no finite value at all
  if (diverging) {
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  }
  if (std::isfinite(options.minimum)) low = options.minimum;
  if (std::isfinite(options.maximum)) high = options.maximum;
  // A constant field needs a range too, and rounding errors must not be stretched to the full one.
  const double largest = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-12 * largest || high <= low) {
    const double half = largest > 0 ? 0.1 * largest : 1;
    const double centre = 0.5 * (low + high);
    low = centre - half;
    high = centre + half;
  }
  return {low, high};
}

/// Round numbers along the colour bar, and their labels.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
  std::string factor;  // of all labels: empty or "x 1e-05"
};

/// Four to nine multiples of 1, 2 or 5 times a power of ten within the range.
Ticks make_ticks(const Interval& range) {
  constexpr int max_ticks = 9;
  const double length = range.high - range.low;
  const double slack = 1e-9;  // fraction of a step, against rounding at the ends
  double power = std::pow(10.0, std::floor(std::log10(length / max_ticks)));
  double step = 0;
  double first = 0, last = 0;
  for (const double multiple : {1.0, 2.0, 5.0, 10.0}) {
    step = multiple * power;
    first = std::ceil(range.low / step - slack) + 0.0;  // the sum turns -0 into 0
    last = std::floor(range.high / step + slack);
    if (last - first < max_ticks) break;
  }
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const int exponent = static_cast<int>(std::floor(std::log10(largest) + slack));
  Ticks ticks;
  double scale = 1;
  char text[64];
  if (exponent < -2 || exponent > 4) {
    scale = std::pow(10.0, exponent);
    std::snprintf(text, sizeof text, "x 1e%+03d", exponent);
    ticks.factor = text;
  }
  const double digits = std::ceil(-std::log10(step / scale) - slack);
  for (int i = 0; i <= static_cast<int>(last - first); ++i) {
    const double index = first + i;
    ticks.values.push_back(index * step);
    std::snprintf(text, sizeof text, "%.*f", std::max(0, static_cast<int>(digits)),
                  index * step / scale);
    ticks.labels.emplace_back(text);
  }
  return ticks;
}

std::string bar_label(const Quantity& quantity, int component) {
  std::string label = component < 0 || quantity.components == 1
                          ? quantity.name
                          : component_name(quantity, component);
  if (component < 0 && quantity.components > 1) label += " magnitude";
  std::replace(label.begin(), label.end(), '_', ' ');
  if (!quantity.unit.empty() && quantity.unit != "1") label += " (" + quantity.unit + ")";
  return printable(label);
}

const ColourMap& find_colour_map(const std::string& name) {
  std::string known;
  for (const auto& map : colour_map_table()) {
    if (map.name == name) return map;
    known += (known.empty() ? "" : ", ") + map.name;
  }
  throw InputError("colour map '" + name + "' is not known, choose one of: " + known);
}

/// Width and height of the field's picture in pixels.
std::array<int, 2> picture_size(const CartesianGrid& grid, int longest_side) {
  const double width = grid.cells[0] * grid.spacing[0];
  const double height = grid.cells[1] * grid.spacing[1];
  const double scale = longest_side / std::max(width, height);
  const auto pixels = [&](double length) {
    return std::max(min_side, static_cast<int>(std::lround(length * scale)));
  };
  return {pixels(width), pixels(height)};
}

void draw_field(Canvas& canvas, int left, int top, int width, int height, const Plane& plane,
                const ColourMap& map, const Interval& range) {
  canvas.fill(left - frame, top - frame, width + 2 * frame, height + 2 * frame, ink);
  for (int j = 0; j < height; ++j) {
    const auto from_below = static_cast<std::size_t>(height - 1 - j);
    const std::size_t y = from_below * plane.height / static_cast<std::size_t>(height);
    for (int i = 0; i < width; ++i) {
      const std::size_t x =
          static_cast<std::size_t>(i) * plane.width / static_cast<std::size_t>(width);
      const double value = plane(x, y);
      canvas.set(
          left + i, top + j,
          std::isnan(value) ? solid_grey : map.at((value - range.low) / (range.high - range.low)));
    }
  }
}

void draw_colour_bar(Canvas& canvas, int left, int top, int height, const ColourMap& map,
                     const Interval& range, const Ticks& ticks) {
  canvas.fill(left - frame, top - frame, bar_width + 2 * frame, height + 2 * frame, ink);
  for (int j = 0; j < height; ++j) {
    canvas.fill(left, top + j, bar_width, 1, map.at(1 - (j + 0.5) / height));
  }
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const double fraction = (ticks.values[i] - range.low) / (range.high - range.low);
    const int y = top + static_cast<int>(std::lround((1 - fraction) * height));
    canvas.fill(left + bar_width + frame, y - 1, tick_length, 2, ink);
    // Digits fill seven of the nine rows. Their middle is at the tick.
    canvas.write(left + bar_width + frame + tick_length + gap / 2, y - 7, ticks.labels[i]);
  }
}

}  // namespace

std::vector<std::string> colour_maps() {
  std::vector<std::string> names;
  for (const auto& map : colour_map_table()) names.push_back(map.name);
  return names;
}

void write_snapshot(const std::filesystem::path& path, const CartesianGrid& grid,
                    const Field& field, const SnapshotOptions& options) {
  const ColourMap& map = find_colour_map(options.colour_map);
  const Plane plane = shown_plane(path, grid, field, options.component);
  const Interval range = colour_range(plane, options, map.diverging);
  const Ticks ticks = make_ticks(range);
  const auto [width, height] = picture_size(grid, options.longest_side);

  // From left to right: picture, colour bar, tick labels, quantity. The title is above them.
  const int body_height = std::max(height, min_height);
  const std::string label = shortened(bar_label(field.quantity, options.component), body_height);
  int labels_width = 0;
  for (const auto& text : ticks.labels) labels_width = std::max(labels_width, text_width(text));
  const int bar_left = margin + width + 2 * gap;
  const int factor_left = bar_left - frame;
  const int label_left = bar_left + bar_width + frame + tick_length + gap / 2 + labels_width + gap;
  const int page_width =
      std::max(label_left + letter_height, factor_left + text_width(ticks.factor)) + margin;

  const std::string title = shortened(printable(options.title), page_width - 2 * margin);
  int top = margin;
  if (!title.empty()) top += letter_height + gap;
  if (!ticks.factor.empty()) top += letter_height;

  Canvas canvas(page_width, top + body_height + margin);
  canvas.write(margin - frame, margin, title);
  if (!ticks.factor.empty()) canvas.write(factor_left, top - letter_height - frame, ticks.factor);
  draw_field(canvas, margin, top + (body_height - height) / 2, width, height, plane, map, range);
  draw_colour_bar(canvas, bar_left, top, body_height, map, range, ticks);
  canvas.write(label_left, top + (body_height + text_width(label)) / 2, label, Direction::upwards);
  write_file(path, canvas.png(path));
}

}  // namespace knudsen
