#include "geometry/voxel_image.hpp"

#include <zlib.h>

#include "read_solids_3d.hpp"

namespace knudsen::test {
namespace {

/// Reads images of 3 x 2 x 2 nodes from files that the tests write.
class VoxelImageTest : public testing::Test {
 protected:
  /// The numbers 0, 1, 2, ... of 12 voxels.
  static std::string bytes_8() {
    std::string bytes;
    for (char value = 0; value < 12; ++value) bytes += value;
    return bytes;
  }
  /// The numbers times 100.
  static std::string bytes_16(bool big_endian) {
    std::string bytes;
    for (int value = 0; value < 1200; value += 100) {
      const char low = static_cast<char>(value % 256);
      const char high = static_cast<char>(value / 256);
      bytes += big_endian ? std::string{high, low} : std::string{low, high};
    }
    return bytes;
  }
  static std::string compressed(const std::string& bytes) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    std::string output(bytes.size() + 100, '\0');
    std::string input = bytes;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(output.data());
    stream.avail_out = static_cast<uInt>(output.size());
    deflate(&stream, Z_FINISH);
    output.resize(stream.total_out);
    deflateEnd(&stream);
    return output;
  }
  static std::string header(const std::string& fields) {
    return "NRRD0004\n# a comment\n" + fields + "note:=anything: at all\n\n";
  }
  static std::string header_8(const std::string& more = "encoding: raw\n") {
    return header("type: uint8\ndimension: 3\nsizes: 3 2 2\n" + more);
  }

  void write(const std::string& content) const { write_all(directory / "rock.raw", content); }
  Solids3D read(const std::string& more = "") const {
    return read_solids(R"({"shape": "voxel-image", "file": "rock.raw")" + more + "}", domain);
  }
  /// Expects that exactly the voxels with numbers in [first, end) are solid.
  void expect_solid(const Solids3D& solids, int first, int end) const {
    int number = 0;
    for_nodes(solids, [&](int x, int y, int z) {
      EXPECT_EQ(body_at(solids, x, y, z), number >= first && number < end ? 0 : -1) << number;
      ++number;
    });
  }
  template <class... Parts>
  void expect_file_refused(const std::string& content, const Parts&... parts) const {
    write(content);
    expect_error<InputError>(
        [&] { read(); }, "flow.json: geometry.solids[0].file: found \"rock.raw\", but ", parts...);
  }

  TemporaryDirectory directory;
  Domain3D domain{3, 2, 2, 1, {}, directory.path()};
};

TEST_F(VoxelImageTest, RawBytes) {
  write(bytes_8());
  const Solids3D solids = read(R"(, "threshold": 7)");
  expect_solid(solids, 7, 12);
  EXPECT_FALSE(solids.bodies[0].shape);
  EXPECT_LT(solids.wall_distance(0, 0, 1, 1, 0, 0, 0), 0);
}

TEST_F(VoxelImageTest, NotZeroIsSolidByDefault) {
  write(bytes_8());
  expect_solid(read(), 1, 12);
}

TEST_F(VoxelImageTest, LowIsSolid) {
  write(bytes_8());
  expect_solid(read(R"(, "threshold": 7, "solid": "low")"), 0, 7);
}

TEST_F(VoxelImageTest, BytesAbove127AreNotNegative) {
  write(std::string(6, '\x7f') + std::string(6, '\x80'));
  expect_solid(read(R"(, "threshold": 128)"), 6, 12);
}

TEST_F(VoxelImageTest, RawWordsOfEitherOrder) {
  for (const bool big_endian : {false, true}) {
    write(bytes_16(big_endian));
    expect_solid(read(std::string(R"(, "type": "uint16", "threshold": 400, "endian": ")") +
                      (big_endian ? "big\"" : "little\"")),
                 4, 12);
  }
}

TEST_F(VoxelImageTest, SmallerImageIsPutAtANode) {
  write(std::string(2, '\1'));
  const Solids3D solids = read(R"(, "size": [1, 2, 1], "at": [2, 0, 1])");
  EXPECT_EQ(solid_nodes(solids), 2);
  EXPECT_EQ(body_at(solids, 2, 0, 1), 0);
  EXPECT_EQ(body_at(solids, 2, 1, 1), 0);
}

TEST_F(VoxelImageTest, NrrdRaw) {
  write(header_8() + bytes_8());
  expect_solid(read(R"(, "threshold": 3)"), 3, 12);
}

TEST_F(VoxelImageTest, NrrdWithCarriageReturns) {
  write("NRRD0001\r\nType: unsigned char\r\ndimension: 3\r\nsizes: 3 2 2\r\nencoding: RAW\r\n\r\n" +
        bytes_8());
  expect_solid(read(R"(, "threshold": 3)"), 3, 12);
}

TEST_F(VoxelImageTest, NrrdGzip) {
  write(header_8("encoding: gzip\n") + compressed(bytes_8()));
  expect_solid(read(R"(, "threshold": 3)"), 3, 12);
}

TEST_F(VoxelImageTest, NrrdWordsOfEitherOrder) {
  for (const bool big_endian : {false, true}) {
    for (const bool gzip : {false, true}) {
      const std::string bytes = bytes_16(big_endian);
      write(header(std::string("type: unsigned short\ndimension: 3\nsizes: 3 2 2\nendian: ") +
                   (big_endian ? "big" : "little") + "\nencoding: " + (gzip ? "gz" : "raw") +
                   "\n") +
            (gzip ? compressed(bytes) : bytes));
      expect_solid(read(R"(, "threshold": 400)"), 4, 12);
    }
  }
}

TEST_F(VoxelImageTest, NrrdOfSignedNumbers) {
  write(header("type: short\ndimension: 3\nsizes: 3 2 2\nendian: little\nencoding: raw\n") +
        std::string(10, '\xff') + std::string(14, '\0'));
  expect_solid(read(R"(, "threshold": 0)"), 5, 12);
}

TEST_F(VoxelImageTest, NrrdWithItsDataElsewhere) {
  write_all(directory / "numbers.bin", "two lines\nbefore\n..." + bytes_8());
  write(header_8("encoding: raw\ndata file: numbers.bin\nline skip: 2\nbyte skip: 3\n"));
  expect_solid(read(R"(, "threshold": 3)"), 3, 12);
}

TEST_F(VoxelImageTest, NrrdHeaderAloneWithoutAnEmptyLine) {
  write_all(directory / "numbers.gz", compressed(bytes_8()));
  write("NRRD0004\ntype: uint8\ndimension: 3\nsizes: 3 2 2\nencoding: gzip\ndatafile: numbers.gz");
  expect_solid(read(R"(, "threshold": 3)"), 3, 12);
}

TEST_F(VoxelImageTest, NrrdDataAtTheEndOfTheFile) {
  write_all(directory / "numbers.bin", "who knows how long" + bytes_8());
  write(header_8("encoding: raw\ndata file: numbers.bin\nbyte skip: -1\n"));
  expect_solid(read(R"(, "threshold": 3)"), 3, 12);
}

// Errors.

TEST_F(VoxelImageTest, FileMissing) {
  expect_error<InputError>([&] { read(); }, "but there is no file");
}

TEST_F(VoxelImageTest, RawOfTheWrongSize) {
  expect_file_refused(bytes_8() + "x",
                      "that raw image has 13 bytes, must have the 12 of 3 x 2 x 2 "
                      "numbers of 8 bits");
  expect_file_refused("", "that raw image has 0 bytes");
}

TEST_F(VoxelImageTest, RawOfTheWrongType) {
  write(bytes_8());
  expect_error<InputError>([&] { read(R"(, "type": "uint16")"); },
                           "has 12 bytes, must have the 24 of 3 x 2 x 2 numbers of 16 bits");
  expect_error<InputError>([&] { read(R"(, "type": "float")"); }, "[0].type: found \"float\"");
}

TEST_F(VoxelImageTest, SizeIsNotTheDomains) {
  write(bytes_8());
  expect_error<InputError>([&] { read(R"(, "size": [2, 3, 2])"); },
                           "has 2 x 3 x 2 voxels, must have a voxel for each of the 3 x 2 x 2");
}

TEST_F(VoxelImageTest, DoesNotFitWhereItIsPut) {
  write(bytes_8());
  expect_error<InputError>([&] { read(R"(, "at": [0, 1, 0])"); },
                           "[0].at: an image of 3 x 2 x 2 voxels does not fit there");
}

TEST_F(VoxelImageTest, NoVoxelIsSolid) {
  write(bytes_8());
  expect_error<InputError>([&] { read(R"(, "threshold": 99)"); }, "covers none of the domain's");
}

TEST_F(VoxelImageTest, KeysOfRawImagesWithNrrd) {
  write(header_8() + bytes_8());
  expect_error<InputError>([&] { read(R"(, "type": "uint8")"); },
                           "[0].type: found \"uint8\", is for raw images");
}

TEST_F(VoxelImageTest, NrrdOfTheWrongSize) {
  expect_file_refused(
      header("type: uint8\ndimension: 3\nsizes: 2 3 2\nencoding: raw\n") + bytes_8(),
      "has 2 x 3 x 2 voxels, must have a voxel for each");
}

TEST_F(VoxelImageTest, NrrdOfAHugeSize) {
  expect_file_refused(
      header("type: uint8\ndimension: 3\nsizes: 2000000000 2000000000 2000000000\nencoding: raw\n"),
      "has 2000000000 x 2000000000 x 2000000000 voxels");
}

TEST_F(VoxelImageTest, NrrdOfTwoDimensions) {
  expect_file_refused(header("type: uint8\ndimension: 2\nsizes: 3 4\nencoding: raw\n"),
                      "field \"dimension\" of that NRRD file is \"2\", must be 3");
}

TEST_F(VoxelImageTest, NrrdOfFourSizes) {
  expect_file_refused(header("type: uint8\ndimension: 3\nsizes: 3 2 2 1\nencoding: raw\n"),
                      "field \"sizes\"", "\"3 2 2 1\", must be three positive integers");
}

TEST_F(VoxelImageTest, NrrdOfAnotherType) {
  expect_file_refused(header("type: float\ndimension: 3\nsizes: 3 2 2\nencoding: raw\n"),
                      "field \"type\"", "\"float\", must be an integer of 8 or 16 bits");
}

TEST_F(VoxelImageTest, NrrdOfAnotherEncoding) {
  expect_file_refused(header_8("encoding: bzip2\n"), "\"bzip2\", must be raw or gzip");
}

TEST_F(VoxelImageTest, NrrdWithoutAField) {
  expect_file_refused(header("type: uint8\ndimension: 3\nencoding: raw\n"), "no field \"sizes\"");
}

TEST_F(VoxelImageTest, NrrdWithoutEndian) {
  expect_file_refused(header("type: uint16\ndimension: 3\nsizes: 3 2 2\nencoding: raw\n"),
                      "no field \"endian\"");
}

TEST_F(VoxelImageTest, NrrdWithALineThatIsNoField) {
  expect_file_refused("NRRD0004\ntype: uint8\nhello\n\n", "the line \"hello\"");
}

TEST_F(VoxelImageTest, NrrdCutOff) {
  expect_file_refused(header_8() + bytes_8().substr(0, 5), "end after 5 of 12 bytes");
  expect_file_refused(header_8("encoding: gzip\n") + compressed(bytes_8().substr(0, 5)),
                      "end after 5 of 12 bytes");
}

TEST_F(VoxelImageTest, NrrdTooLong) {
  expect_file_refused(header_8() + bytes_8() + "x", "has more than the 12 bytes");
  expect_file_refused(header_8("encoding: gzip\n") + compressed(bytes_8() + "x"),
                      "has more than the 12 bytes");
}

TEST_F(VoxelImageTest, NrrdWithDamagedGzip) {
  expect_file_refused(header_8("encoding: gzip\n") + "no gzip data", "gzip data", "damaged");
  std::string damaged = compressed(bytes_8());
  damaged[14] ^= 0x55;
  expect_file_refused(header_8("encoding: gzip\n") + damaged, "");
}

TEST_F(VoxelImageTest, NrrdWithoutItsDataFile) {
  expect_file_refused(header_8("encoding: raw\ndata file: lost.bin\n"),
                      "the data file \"lost.bin\" that this NRRD header names cannot be found");
}

TEST_F(VoxelImageTest, InPlanesIsThatOfTheWholeDomain) {
  write(bytes_8());
  Domain3D larger = domain;
  larger.nx = 6;
  larger.ny = 5;
  larger.nz = 7;
  expect_same_in_planes(
      R"({"shape": "voxel-image", "file": "rock.raw", "threshold": 3, "size": [3, 2, 2], "at": [2, 1, 4]})",
      larger);
}

}  // namespace
}  // namespace knudsen::test
