#include "output/snapshot.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "file_size_limit.hpp"
#include "output/bitmap_font.hpp"
#include "output/colour_map.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Pixel = std::array<int, 3>;

Pixel pixel(const Rgb& colour) { return {colour.red, colour.green, colour.blue}; }

struct Picture {
  int width, height;
  std::vector<Pixel> pixels;

  explicit Picture(const std::filesystem::path& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0) << image.message;
    image.format = PNG_FORMAT_RGB;
    std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr), 0);
    width = static_cast<int>(image.width);
    height = static_cast<int>(image.height);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      pixels.push_back({bytes[i], bytes[i + 1], bytes[i + 2]});
    }
  }
  const Pixel& at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
  std::size_t count(const Pixel& wanted) const {
    return static_cast<std::size_t>(std::count(pixels.begin(), pixels.end(), wanted));
  }
};

class Snapshot : public testing::Test {
 protected:
  Picture draw(const CartesianGrid& grid, const Field& field,
               const SnapshotOptions& options = {}) const {
    write_snapshot(path_, grid, field, options);
    return Picture(path_);
  }
  static Field scalar(std::vector<double> values) {
    return {{"density", "kg/m3", "", 1}, std::move(values)};
  }

  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "picture.png";
};

// Without a title the field's picture starts 24 pixels from the upper left corner.
constexpr int corner = 24;

TEST_F(Snapshot, ShowsEachCellWithYUpwards) {
  const CartesianGrid grid{{2, 2, 1}};
  const auto& map = colour_map_table()[0];
  const auto picture =
      draw(grid, scalar({0, 1, 2, 3}), {.minimum = 0, .maximum = 3, .longest_side = 400});
  EXPECT_EQ(picture.at(corner + 10, corner + 390), pixel(map.at(0)));
  EXPECT_EQ(picture.at(corner + 390, corner + 390), pixel(map.at(1.0 / 3)));
  EXPECT_EQ(picture.at(corner + 10, corner + 10), pixel(map.at(2.0 / 3)));
  EXPECT_EQ(picture.at(corner + 390, corner + 10), pixel(map.at(1)));
  EXPECT_EQ(picture.at(corner + 199, corner + 200), pixel(map.at(0)));
  EXPECT_EQ(picture.at(corner + 200, corner + 199), pixel(map.at(1)));
}

TEST_F(Snapshot, KeepsProportions) {
  const CartesianGrid grid{{4, 2, 1}, {0, 0, 0}, {1, 3, 1}};
  const auto picture = draw(grid, scalar(std::vector<double>(8, 0.5)), {.longest_side = 600});
  const auto colour = pixel(colour_map_table()[0].at(0.5));
  int width = 0, height = 0;
  for (int x = corner; picture.at(x, 320) == colour; ++x) ++width;
  for (int y = corner; picture.at(200, y) == colour; ++y) ++height;
  EXPECT_EQ(width, 400);
  EXPECT_EQ(height, 600);
}

TEST_F(Snapshot, MagnitudeOrComponentOfAVector) {
  const CartesianGrid grid{{1, 1, 1}};
  const Field field{{"velocity", "1", "", 2}, std::vector<float>{-3, 4}};
  const auto& map = colour_map_table()[0];
  SnapshotOptions options{.minimum = -5, .maximum = 5};
  EXPECT_EQ(draw(grid, field, options).at(100, 100), pixel(map.at(1)));
  options.component = 0;
  EXPECT_EQ(draw(grid, field, options).at(100, 100), pixel(map.at(0.2)));
}

TEST_F(Snapshot, MiddlePlaneOfABox) {
  const CartesianGrid grid{{1, 1, 3}};
  EXPECT_EQ(draw(grid, scalar({0, 1, 0}), {.minimum = 0, .maximum = 1}).at(100, 100),
            pixel(colour_map_table()[0].at(1)));
}

TEST_F(Snapshot, SolidCellsAreGrey) {
  const CartesianGrid grid{{2, 1, 1}};
  const auto picture = draw(grid, scalar({nan, 1}));
  EXPECT_EQ(picture.at(corner + 50, corner + 100), (Pixel{128, 128, 128}));
}

TEST_F(Snapshot, DivergingMapIsSymmetricAboutZero) {
  const CartesianGrid grid{{3, 1, 1}};
  const auto picture =
      draw(grid, scalar({0, 1, 4}), {.colour_map = "coolwarm", .longest_side = 300});
  EXPECT_EQ(picture.at(corner + 50, corner + 120), (Pixel{0xdd, 0xdd, 0xdd}));
}

TEST_F(Snapshot, StrangeFieldsAndGrids) {
  const CartesianGrid row{{500, 1, 1}}, column{{1, 500, 1}}, one{{1, 1, 1}};
  const auto ramp = [](std::size_t n, double from, double step) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = from + step * static_cast<double>(i);
    return values;
  };
  EXPECT_GT(draw(row, scalar(ramp(500, 0, 1))).width, 768);
  EXPECT_GT(draw(column, scalar(ramp(500, -1e-9, 1e-12))).height, 768);
  EXPECT_GT(draw(one, scalar({1})).width, 768);
  EXPECT_GT(draw(row, scalar(std::vector<double>(500, nan))).count({128, 128, 128}), 768U * 20);
  EXPECT_GT(draw(row, scalar(std::vector<double>(500, 0))).width, 768);
  EXPECT_GT(draw(row, scalar(std::vector<double>(500, -1e300))).width, 768);
  EXPECT_GT(draw(row, scalar(std::vector<double>(500, HUGE_VAL))).width, 768);
  EXPECT_GT(draw(one, scalar({1}), {.minimum = 2, .maximum = 1}).width, 768);
  EXPECT_GT(draw(row, scalar(ramp(500, 1, 1e-7))).width, 768);
  EXPECT_GT(draw(row, scalar(ramp(500, -1e300, 1e298))).width, 768);
  EXPECT_GT(draw(row, scalar(ramp(500, 0, 5e-324))).width, 768);
}

TEST_F(Snapshot, LongAndForeignTexts) {
  const CartesianGrid grid{{1, 1, 1}};
  const SnapshotOptions options{.title = std::string(500, 'W') + " caf\xc3\xa9"};
  const auto plain = draw(grid, scalar({1}));
  const auto titled = draw(grid, scalar({1}), options);
  EXPECT_EQ(titled.width, plain.width);
  EXPECT_GT(titled.height, plain.height);
}

TEST_F(Snapshot, RefusesAnUnknownColourMap) {
  expect_error<InputError>([this] { draw({}, scalar({1}), {.colour_map = "jet"}); }, "'jet'",
                           "viridis, inferno, coolwarm");
  EXPECT_EQ(colour_maps(), (std::vector<std::string>{"viridis", "inferno", "coolwarm"}));
}

TEST_F(Snapshot, RefusesAFieldThatDoesNotFit) {
  expect_error<RunError>([this] { draw({}, scalar({1, 2})); }, path_.string(), "density");
}

TEST_F(Snapshot, RefusesAWholeTensor) {
  const Field field{{"stress", "1", "", 6}, std::vector<double>(6)};
  expect_error<RunError>([&] { draw({}, field); }, path_.string(), "one of its components");
  EXPECT_NO_THROW(draw({}, field, {.component = 3}));
}

TEST_F(Snapshot, FullDiskLeavesTheEarlierFile) {
  draw({}, scalar({1}));
  const std::string before = read_all(path_);
  {
    const FileSizeLimit limit(100);
    expect_error<RunError>([this] { draw({}, scalar({1})); }, path_.string(), "File too large");
  }
  EXPECT_EQ(read_all(path_), before);
}

TEST(ColourMap, EndsAndMiddle) {
  for (const auto& map : colour_map_table()) {
    const auto colour = [&](std::uint32_t value) {
      return Pixel{static_cast<int>(value >> 16), static_cast<int>(value >> 8 & 0xff),
                   static_cast<int>(value & 0xff)};
    };
    EXPECT_EQ(pixel(map.at(-1)), colour(map.control.front()));
    EXPECT_EQ(pixel(map.at(0.5)), colour(map.control[16]));
    EXPECT_EQ(pixel(map.at(2)), colour(map.control.back()));
  }
}

/// Sequential maps are readable in black and white if their darkness decreases monotonically.
TEST(ColourMap, SequentialMapsBecomeEverLighter) {
  for (const auto& map : colour_map_table()) {
    if (map.diverging) continue;
    double last = -1;
    for (int i = 0; i <= 100; ++i) {
      const Rgb c = map.at(0.01 * i);
      const double luminance = 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
      EXPECT_GE(luminance, last - 0.6) << map.name << ' ' << i;
      last = luminance;
    }
  }
}

TEST(BitmapFont, EveryCharacterHasAGlyphOfItsOwn) {
  std::set<std::string> glyphs;
  for (char c = ' '; c <= '~'; ++c) {
    std::string glyph;
    for (int y = 0; y < glyph_height; ++y) {
      for (int x = 0; x < glyph_width; ++x) glyph += glyph_pixel(c, x, y) ? '#' : ' ';
      EXPECT_FALSE(glyph_pixel(c, glyph_width - 1, y)) << c;
    }
    EXPECT_TRUE(glyphs.insert(glyph).second) << c;
  }
  EXPECT_EQ(glyphs.size(), 95U);
}

}  // namespace
}  // namespace knudsen
