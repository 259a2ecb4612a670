#include <png.h>

#include <vector>

#include "read_solids.hpp"

namespace knudsen::test {
namespace {

/// Reads pictures and node maps from files that the tests write.
class NodeImageTest : public testing::Test {
 protected:
  void write_picture(int width, int height, const std::vector<png_byte>& pixels,
                     png_uint_32 format = PNG_FORMAT_GRAY) const {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = format;
    ASSERT_EQ(PNG_IMAGE_SIZE(image), pixels.size());
    ASSERT_NE(png_image_write_to_file(&image, picture.c_str(), 0, pixels.data(), 0, nullptr), 0)
        << image.message;
  }
  void write_map(const std::string& content) const { write_all(directory / "map.txt", content); }

  Solids2D read_picture(int nx, int ny, const std::string& more = "") const {
    return read_solids(R"({"shape": "image", "file": "solids.png")" + more + "}", nx, ny, 1,
                       directory.path());
  }
  Solids2D read_map(int nx, int ny) const {
    return read_solids(R"({"shape": "node-map", "file": "map.txt"})", nx, ny, 1, directory.path());
  }
  template <class... Parts>
  void expect_picture_refused(const Parts&... parts) const {
    expect_error<InputError>([&] { read_picture(3, 2); },
                             "flow.json: geometry.solids[0].file: found \"solids.png\", but that",
                             parts...);
  }
  template <class... Parts>
  void expect_map_refused(const std::string& content, const Parts&... parts) const {
    write_map(content);
    expect_error<InputError>([&] { read_map(3, 2); },
                             "flow.json: geometry.solids[0].file: found \"map.txt\", but ",
                             parts...);
  }

  TemporaryDirectory directory;
  std::filesystem::path picture = directory / "solids.png";
};

TEST_F(NodeImageTest, DarkPixelsAreSolidAndTheFirstRowIsNorth) {
  write_picture(3, 2, {0, 255, 127, 128, 20, 200});
  const Solids2D solids = read_picture(3, 2);
  EXPECT_EQ(drawing(solids),
            "0.0\n"
            ".0.\n");
  EXPECT_FALSE(solids.bodies[0].shape);
  EXPECT_LT(solids.wall_distance(1, 1, 1, 0, 0), 0);
}

TEST_F(NodeImageTest, LightPixelsAreSolid) {
  write_picture(3, 2, {0, 255, 127, 128, 20, 200});
  EXPECT_EQ(drawing(read_picture(3, 2, R"(, "solid": "light")")),
            ".0.\n"
            "0.0\n");
}

TEST_F(NodeImageTest, ThresholdIsTheFirstLightValue) {
  write_picture(3, 2, {0, 19, 20, 21, 128, 255});
  EXPECT_EQ(drawing(read_picture(3, 2, R"(, "threshold": 20)")),
            "00.\n"
            "...\n");
}

TEST_F(NodeImageTest, EveryPixelOfALargePicture) {
  const int nx = 97;
  const int ny = 61;
  std::vector<png_byte> pixels;
  for (int index = 0; index < nx * ny; ++index) {
    pixels.push_back(static_cast<png_byte>((index * 7919) % 256));
  }
  write_picture(nx, ny, pixels);
  const Solids2D solids = read_picture(nx, ny);
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) {
      const bool dark = *(pixels.end() - (y + 1) * nx + x) < 128;
      ASSERT_EQ(body_at(solids, x, y), dark ? 0 : -1);
    }
  }
}

TEST_F(NodeImageTest, ColoursCountByBrightness) {
  write_picture(3, 1, {0, 0, 90, 255, 255, 0, 255, 0, 0}, PNG_FORMAT_RGB);
  EXPECT_EQ(drawing(read_picture(3, 1)), "0.0\n");
}

TEST_F(NodeImageTest, TransparentPixelsAreWhite) {
  write_picture(3, 1, {0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255}, PNG_FORMAT_RGBA);
  EXPECT_EQ(drawing(read_picture(3, 1)), ".0.\n");
}

TEST_F(NodeImageTest, PictureOfTheWrongSize) {
  write_picture(2, 3, {0, 0, 0, 0, 0, 0});
  expect_picture_refused("picture has 2 x 3 pixels", "3 x 2 nodes");
}

TEST_F(NodeImageTest, PictureMissing) {
  expect_error<InputError>([&] { read_picture(3, 2); },
                           "geometry.solids[0].file: found \"solids.png\", but there is no file");
}

TEST_F(NodeImageTest, PictureIsJpeg) {
  write_all(picture, "\xff\xd8\xff\xe0 JFIF");
  expect_picture_refused("is not a PNG picture; it seems to be a JPEG picture");
}

TEST_F(NodeImageTest, PictureIsEmpty) {
  write_all(picture, "");
  expect_picture_refused("is not a PNG picture; it is empty");
}

TEST_F(NodeImageTest, PictureIsText) {
  write_all(picture, "hello");
  expect_picture_refused("is not a PNG picture");
}

TEST_F(NodeImageTest, PictureWithoutHeader) {
  write_all(picture, "\x89PNG\r\n\x1a\n");
  expect_picture_refused("PNG picture cannot be read");
}

TEST_F(NodeImageTest, PictureTruncated) {
  write_picture(3, 2, {0, 255, 127, 128, 20, 200});
  const std::string whole = read_all(picture);
  write_all(picture, whole.substr(0, whole.size() - 20));
  expect_picture_refused("PNG picture cannot be read");
}

TEST_F(NodeImageTest, PictureDamaged) {
  write_picture(3, 2, {0, 255, 127, 128, 20, 200});
  std::string bytes = read_all(picture);
  bytes[bytes.find("IDAT") + 7] ^= 0x55;
  write_all(picture, bytes);
  expect_picture_refused("PNG picture cannot be read");
}

TEST_F(NodeImageTest, PictureWithoutSolidPixels) {
  write_picture(3, 2, {255, 255, 255, 255, 255, 255});
  expect_error<InputError>([&] { read_picture(3, 2); },
                           "flow.json: geometry.solids[0]: this solid covers none of the domain's");
}

TEST_F(NodeImageTest, ThresholdOutOfRange) {
  write_picture(3, 2, {0, 255, 127, 128, 20, 200});
  expect_error<InputError>([&] { read_picture(3, 2, R"(, "threshold": 256)"); },
                           "geometry.solids[0].threshold: found 256, must be");
}

TEST_F(NodeImageTest, PictureIsNeitherDarkNorLight) {
  write_picture(3, 2, {0, 255, 127, 128, 20, 200});
  expect_error<InputError>([&] { read_picture(3, 2, R"(, "solid": "red")"); },
                           "geometry.solids[0].solid: found \"red\", must be");
}

TEST_F(NodeImageTest, MapFromSouthToNorth) {
  write_map("3 2 1\n1 0 0\n0 1 1\n");
  EXPECT_EQ(drawing(read_map(3, 2)),
            ".00\n"
            "0..\n");
}

TEST_F(NodeImageTest, MapInOneColumnWithCarriageReturns) {
  write_map("3 2 1\r\n1\r\n0\r\n0\r\n0\r\n1\r\n1");
  EXPECT_EQ(drawing(read_map(3, 2)),
            ".00\n"
            "0..\n");
}

TEST_F(NodeImageTest, MapMissing) {
  expect_error<InputError>([&] { read_map(3, 2); }, "but there is no file");
}

TEST_F(NodeImageTest, MapTruncated) {
  expect_map_refused("3 2 1\n1 0 0\n0 1\n", "that file ends after 5 of 6 nodes");
}

TEST_F(NodeImageTest, MapTooLong) {
  expect_map_refused("3 2 1\n1 0 0\n0 1 1\n0\n", "has more than the 6 nodes");
}

TEST_F(NodeImageTest, MapWithAnotherNumber) {
  expect_map_refused("3 2 1\n1 0 0\n0 2 1\n", "line 3 of that file has \"2\", must be 0 (fluid)");
}

TEST_F(NodeImageTest, MapWithAWord) {
  expect_map_refused("3 2 1\n1 0 0\n0 1 1x\n", "line 3 of that file has \"1x\"");
}

TEST_F(NodeImageTest, MapWithNumbersRunTogether) {
  expect_map_refused("3 2 1\n100\n011\n", "line 2 of that file has \"100\"");
}

TEST_F(NodeImageTest, MapOfTheWrongSize) {
  expect_map_refused("2 3 1\n1 0 0 0 1 1\n", "node map is of 2 x 3 nodes", "domain's 3 x 2");
}

TEST_F(NodeImageTest, MapOfThreeDimensions) {
  expect_map_refused("3 2 2\n1 0 0 0 1 1 1 0 0 0 1 1\n", "NZ in that file is 2, must be 1");
}

TEST_F(NodeImageTest, MapOfNegativeSize) {
  expect_map_refused("-3 2 1\n", "first line of that file is not NX NY NZ");
}

TEST_F(NodeImageTest, MapWithoutNZ) {
  expect_map_refused("3 2\n1 0 0 0 1 1\n", "first line of that file is not NX NY NZ");
}

TEST_F(NodeImageTest, MapEmpty) {
  expect_map_refused("", "first line of that file is not NX NY NZ");
}

}  // namespace
}  // namespace knudsen::test
