#include "output/checkpoint.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "file_size_limit.hpp"
#include "output/vtkhdf.hpp"
#include "parallel/communicator.hpp"
#include "paths.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

using Shape = std::vector<std::size_t>;

class Checkpoint : public testing::Test {
 protected:
  void SetUp() override {
    std::iota(values_.begin(), values_.end(), 0.1);
    write();
  }

  void write() const {
    CheckpointWriter writer(path_, "lbm_d2q9", "0123abcd", 4200);
    writer.number("mass", 0.1);
    writer.number("infinite", HUGE_VAL);
    writer.integer("parity", -1);
    writer.text("propagation", "in-place");
    writer.text("nothing", "");
    writer.array("populations", values_.data(), {9, 10, 2});
    writer.array("small", small_.data(), {4});
    writer.array("half", half_.data(), {3});
    writer.array("counts", counts_.data(), {1, 2});
    writer.array("empty", values_.data(), {0, 3});
    writer.commit();
  }

  /// Replaces `original` in the file by `changed`, which must have the same length.
  void replace_bytes(const std::string& original, const std::string& changed) const {
    std::string content = read_all(path_);
    const auto place = content.find(original);
    ASSERT_NE(place, std::string::npos);
    write_all(path_, content.replace(place, changed.size(), changed));
  }

  template <class Number>
  static std::string bytes_of(const Number& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  template <class... Parts>
  void expect_refused(const Parts&... parts) const {
    expect_error<InputError>([this] { const CheckpointReader reader(path_); }, path_.string(),
                             parts...);
  }

  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "step_4200.checkpoint";
  std::vector<double> values_ = std::vector<double>(180);
  std::vector<float> small_{1.5F, -0.0F, std::numeric_limits<float>::denorm_min(), 3.25F};
  std::vector<std::uint16_t> half_{1, 65535, 77};
  std::vector<std::int64_t> counts_{std::numeric_limits<std::int64_t>::min(), 5};
};

TEST_F(Checkpoint, GivesBackEveryBit) {
  const CheckpointReader reader(path_);
  EXPECT_EQ(reader.path(), path_);
  EXPECT_EQ(reader.method(), "lbm_d2q9");
  EXPECT_EQ(reader.case_digest(), "0123abcd");
  EXPECT_EQ(reader.step(), 4200);
  EXPECT_EQ(reader.number("mass"), 0.1);
  EXPECT_EQ(reader.number("infinite"), HUGE_VAL);
  EXPECT_EQ(reader.integer("parity"), -1);
  EXPECT_EQ(reader.text("propagation"), "in-place");
  EXPECT_EQ(reader.text("nothing"), "");

  std::vector<double> values(180);
  reader.array("populations", values.data(), {9, 10, 2});
  EXPECT_EQ(values, values_);
  std::vector<float> small(4);
  reader.array("small", small.data(), {4});
  EXPECT_EQ(small, small_);
  EXPECT_TRUE(std::signbit(small[1]));
  std::vector<std::uint16_t> half(3);
  reader.array("half", half.data(), {3});
  EXPECT_EQ(half, half_);
  std::vector<std::int64_t> counts(2);
  reader.array("counts", counts.data(), {1, 2});
  EXPECT_EQ(counts, counts_);
  EXPECT_NO_THROW(reader.array("empty", values.data(), {0, 3}));
  EXPECT_EQ(directory_.files(), 1U);
}

TEST_F(Checkpoint, PiecesGiveTheSameBytes) {
  const std::size_t piece_before = world().piece_bytes();
  const auto write_by = [&](const auto& write_array) {
    CheckpointWriter writer(directory_ / "pieces", "m", "d", 1);
    write_array(writer);
    writer.array("behind", small_.data(), {4});
    writer.commit();
    return read_all(directory_ / "pieces");
  };
  for (const Shape& shape : {Shape{180}, Shape{9, 20}, Shape{3, 5, 12}}) {
    const std::string whole =
        write_by([&](CheckpointWriter& writer) { writer.array("values", values_.data(), shape); });
    for (const std::size_t piece : {1U, 7U, 19U, 180U}) {
      world().set_piece_bytes(piece * sizeof(double));
      std::size_t most = 0;
      const std::string pieces = write_by([&](CheckpointWriter& writer) {
        writer.shared_array<double>(
            "values", shape,
            [&](const auto& body) {  // runs in another order, and an empty one
              body(100, 80, 100);
              body(60, 0, 0);
              body(0, 100, 0);
            },
            [&](std::size_t place, std::size_t count, double* to) {
              most = std::max(most, count);
              std::copy_n(&values_[place], count, to);
            });
      });
      EXPECT_TRUE(pieces == whole) << piece;
      EXPECT_LE(most, piece);
    }
    if (shape.size() > 2) continue;
    world().set_piece_bytes(13 * sizeof(double));
    std::vector<double> read(190);
    CheckpointReader(directory_ / "pieces")
        .shared_array<double>(
            "values", shape,
            [](const auto& body) {  // adjacent ones, and one whose place is another
              body(0, 50, 0);
              body(50, 70, 50);
              body(120, 60, 130);
            },
            [&](std::size_t place, std::size_t count, const double* from) {
              EXPECT_LE(count, 20U);  // 13, or a row
              std::copy_n(from, count, &read[place]);
            });
    read.erase(read.begin() + 120, read.begin() + 130);
    EXPECT_EQ(read, values_);
  }
  world().set_piece_bytes(piece_before);
}

TEST_F(Checkpoint, ChecksumsOfLargeArraysDoNotDependOnPieces) {
  const std::size_t piece_before = world().piece_bytes();
  std::vector<float> many(400001);  // several blocks of a sum
  std::iota(many.begin(), many.end(), 0.5F);
  const auto write_in = [&](std::size_t piece_bytes) {
    world().set_piece_bytes(piece_bytes);
    CheckpointWriter writer(directory_ / "many", "m", "d", 1);
    writer.shared_array<float>(
        "values", {many.size()}, [&](const auto& body) { body(0, many.size(), 0); },
        [&](std::size_t place, std::size_t count, float* to) {
          std::copy_n(&many[place], count, to);
        });
    writer.commit();
    return read_all(directory_ / "many");
  };
  EXPECT_TRUE(write_in(std::size_t{1} << 24) == write_in(10000));
  world().set_piece_bytes(piece_before);
  std::vector<float> read(many.size());
  CheckpointReader(directory_ / "many").array("values", read.data(), {many.size()});
  EXPECT_EQ(read, many);
}

TEST_F(Checkpoint, AFullDiskIsFoundWhereAPieceIsWritten) {
  const std::vector<float> much(100000);
  const auto write_much = [&] {
    CheckpointWriter writer(directory_ / "much", "m", "d", 1);
    writer.shared_array<float>(
        "values", {much.size()}, [&](const auto& body) { body(0, much.size(), 0); },
        [&](std::size_t place, std::size_t count, float* to) {
          std::copy_n(&much[place], count, to);
        });
    writer.commit();
  };
  {
    const FileSizeLimit limit(100000);
    expect_error<RunError>(write_much, "much", "cannot be written", "File too large");
  }
  EXPECT_EQ(directory_.files(), 1U);
  EXPECT_NO_THROW(write_much());
}

/// The checksum of an array is a sum: numbers that change places or signs together must show.
TEST_F(Checkpoint, RefusesNumbersThatChangedPlaces) {
  const std::string content = read_all(path_);
  const auto expect_damaged = [&](double first, double second) {
    write_all(path_, content);
    replace_bytes(bytes_of(values_[7]) + bytes_of(values_[8]), bytes_of(first) + bytes_of(second));
    const CheckpointReader reader(path_);
    std::vector<double> read(180);
    expect_error<InputError>(
        [&] {
          reader.array("populations", read.data(), {9, 10, 2});
        },
        "is damaged", "array 'populations'");
  };
  expect_damaged(values_[8], values_[7]);
  expect_damaged(-values_[7], -values_[8]);
}

TEST_F(Checkpoint, ReadsTheFormatBefore) {
  const std::filesystem::path old = KNUDSEN_TEST_DATA "/checkpoint_1.h5";
  std::vector<double> populations(3168);
  const auto read = [&] {
    const CheckpointReader reader(path_);
    EXPECT_EQ(reader.step(), 2);
    reader.array("populations", populations.data(), {populations.size()});
  };
  std::string content = read_all(old);
  write_all(path_, content);
  read();
  const std::size_t place = content.find(bytes_of(populations[3]));
  content[place] = static_cast<char>(content[place] ^ 1);
  write_all(path_, content);
  expect_error<InputError>(read, "is damaged", "array 'populations'");
}

/// One rank has to name all numbers once: what it does not read, it cannot verify.
TEST_F(Checkpoint, ReadsTheOwnNumbersOnly) {
  std::vector<double> read;
  const auto read_runs = [&](const std::filesystem::path& path, const Shape& shape,
                             const ForRuns& runs) {
    read.assign(3000, 0);
    CheckpointReader(path).shared_array<double>(
        "populations", shape, runs, [&](std::size_t place, std::size_t count, const double* from) {
          std::copy_n(from, count, &read[place]);
        });
  };
  const Shape shape{9, 10, 2};
  const auto all = [](const auto& body) { body(0, 180, 0); };
  const auto part = [](const auto& body) { body(40, 20, 300); };
  read_runs(path_, shape, all);
  EXPECT_TRUE(std::equal(values_.begin(), values_.end(), read.begin()));
  expect_error<InputError>([&] { read_runs(path_, shape, part); }, path_.string(), "is damaged",
                           "array 'populations'");
  EXPECT_EQ(std::count(read.begin(), read.end(), 0.0), 3000 - 20);
  expect_error<InputError>([&] { read_runs(path_, {180}, all); }, "this case needs");
  // Of three dimensions a run is of whole rows.
  EXPECT_THROW(read_runs(path_, shape, [](const auto& body) { body(12, 12, 0); }),
               std::logic_error);

  // Of the format before all is read, whatever the runs.
  const std::filesystem::path old = KNUDSEN_TEST_DATA "/checkpoint_1.h5";
  std::vector<double> whole(3168);
  CheckpointReader(old).array("populations", whole.data(), {3168});
  const std::size_t piece_before = world().piece_bytes();
  world().set_piece_bytes(100 * sizeof(double));
  read_runs(old, {3168}, [](const auto& body) {
    body(150, 777, 0);
    body(5, 250, 2000);
  });
  world().set_piece_bytes(piece_before);
  EXPECT_TRUE(std::equal(&whole[150], &whole[150] + 777, read.begin()));
  EXPECT_TRUE(std::equal(&whole[5], &whole[5] + 250, &read[2000]));
}

/// Runs that are near each other are read at once, whatever their order, places and pieces.
TEST_F(Checkpoint, ReadsShortRunsTogether) {
  for (const Shape& shape : {Shape{180}, Shape{9, 20}, Shape{2, 90}}) {
    const std::filesystem::path path = directory_ / "runs";
    CheckpointWriter writer(path, "m", "d", 1);
    writer.array("a", values_.data(), shape);
    writer.commit();
    const std::size_t piece_before = world().piece_bytes();
    for (const std::size_t piece : {1, 7, 30, 1000}) {
      world().set_piece_bytes(piece * sizeof(double));
      for (const std::size_t length : {1, 2, 5, 20}) {
        for (const bool adjacent : {true, false}) {
          std::vector<double> read(360, 0);
          CheckpointReader(path).shared_array<double>(
              "a", shape,
              [&](const auto& body) {
                // Every second run, and then the others; an empty one between them.
                for (const std::size_t first : {std::size_t{0}, length}) {
                  for (std::size_t at = first; at < 180; at += 2 * length) {
                    const std::size_t count = std::min(length, 180 - at);
                    body(at, count, adjacent ? at : 360 - at - count);
                  }
                  body(3, 0, 0);
                }
              },
              [&](std::size_t place, std::size_t count, const double* from) {
                std::copy_n(from, count, &read[place]);
              });
          for (std::size_t at = 0; at < 180; ++at) {
            const std::size_t begin = at / length * length;
            const std::size_t count = std::min(length, 180 - begin);
            EXPECT_EQ(read[adjacent ? at : 360 - begin - count + at - begin], values_[at]);
          }
        }
      }
    }
    world().set_piece_bytes(piece_before);
  }
}

TEST_F(Checkpoint, KnowsItsArrays) {
  const CheckpointReader reader(path_);
  EXPECT_TRUE(reader.has_array("populations", {9, 10, 2}));
  EXPECT_FALSE(reader.has_array("populations", {9, 20}));
  EXPECT_FALSE(reader.has_array("flows", {9, 10, 2}));
}

TEST_F(Checkpoint, WithoutCommitNothingAppears) {
  {
    CheckpointWriter writer(directory_ / "other", "m", "d", 1);
    writer.array("a", values_.data(), {180});
  }
  EXPECT_EQ(directory_.files(), 1U);
}

TEST_F(Checkpoint, RefusesAMissingFile) {
  std::filesystem::remove(path_);
  expect_refused("no such checkpoint");
}

TEST_F(Checkpoint, RefusesADirectory) {
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  expect_refused("is a directory");
}

TEST_F(Checkpoint, RefusesATextFile) {
  write_all(path_, "{\"method\": \"lbm_d2q9\"}\n");
  expect_refused("not an HDF5 file");
}

TEST_F(Checkpoint, RefusesAnEmptyFile) {
  write_all(path_, "");
  expect_refused("is empty");
}

TEST_F(Checkpoint, RefusesAFieldFile) {
  write_vtkhdf(path_, {}, {}, {});
  expect_refused("not a Knudsen checkpoint");
}

TEST_F(Checkpoint, RefusesAnotherVersion) {
  // HDF5's own checksum protects the version, so that it must be changed through HDF5.
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "format", H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  H5Awrite(attribute, type, "knudsen-checkpoint-3");
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(file);
  expect_refused("'knudsen-checkpoint-3'", "'knudsen-checkpoint-2'", "another version");
}

TEST_F(Checkpoint, RefusesAValueChangedThroughHdf5) {
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "step", H5P_DEFAULT);
  const std::int64_t step = 4201;
  H5Awrite(attribute, H5T_NATIVE_INT64, &step);
  H5Aclose(attribute);
  H5Fclose(file);
  expect_refused("is damaged", "names and values");
}

TEST_F(Checkpoint, RefusesAnArrayThatWasRemoved) {
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "arrays/half", H5P_DEFAULT);
  H5Fclose(file);
  expect_refused("is damaged");
}

TEST_F(Checkpoint, RefusesAFlippedBitInAScalar) {
  replace_bytes(bytes_of(std::int64_t{4200}), bytes_of(std::int64_t{4201}));
  expect_refused();
}

TEST_F(Checkpoint, RefusesAFlippedBitInAnArrayAndNamesIt) {
  replace_bytes(bytes_of(values_[100]), bytes_of(std::nextafter(values_[100], 0.0)));
  const CheckpointReader reader(path_);
  expect_error<InputError>(
      [&] {
        reader.array("populations", values_.data(), {9, 10, 2});
      },
      path_.string(), "is damaged", "array 'populations'");
  EXPECT_NO_THROW(reader.array("small", small_.data(), {4}));
}

TEST_F(Checkpoint, RefusesEveryTruncation) {
  const std::string content = read_all(path_);
  for (std::size_t size = 0; size < content.size(); size += content.size() / 50) {
    write_all(path_, content.substr(0, size));
    expect_refused();
  }
  write_all(path_, content.substr(0, content.size() - 1));
  expect_refused("truncated");
}

/// A file with any byte changed is refused or reads the same: no crash, no wrong values.
TEST_F(Checkpoint, SurvivesEveryChangedByte) {
  const std::string content = read_all(path_);
  std::size_t refused = 0;
  for (std::size_t place = 0; place < content.size(); ++place) {
    std::string changed = content;
    changed[place] = static_cast<char>(changed[place] ^ 0x41);
    write_all(path_, changed);
    try {
      const CheckpointReader reader(path_);
      std::vector<double> values(180);
      reader.array("populations", values.data(), {9, 10, 2});
      EXPECT_EQ(values, values_) << place;
      EXPECT_EQ(reader.step(), 4200) << place;
      EXPECT_EQ(reader.text("propagation"), "in-place") << place;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 180 * sizeof(double));
}

TEST_F(Checkpoint, RefusesAnotherShape) {
  const CheckpointReader reader(path_);
  expect_error<InputError>(
      [&] {
        reader.array("populations", values_.data(), {9, 2, 10});
      },
      path_.string(), "'populations'", "float64 [9, 10, 2]", "float64 [9, 2, 10]");
}

TEST_F(Checkpoint, RefusesAnotherType) {
  const CheckpointReader reader(path_);
  std::vector<float> single(180);
  expect_error<InputError>(
      [&] {
        reader.array("populations", single.data(), {9, 10, 2});
      },
      "float64 [9, 10, 2]", "float32 [9, 10, 2]");
}

TEST_F(Checkpoint, RefusesMissingNames) {
  const CheckpointReader reader(path_);
  expect_error<InputError>([&] { (void)reader.number("parity"); }, path_.string(),
                           "no number 'parity'");
  expect_error<InputError>([&] { (void)reader.integer("mass"); }, "no integer 'mass'");
  expect_error<InputError>([&] { (void)reader.text("mass"); }, "no text 'mass'");
  expect_error<InputError>([&] { reader.array("mass", values_.data(), {1}); }, "no array 'mass'");
}

TEST_F(Checkpoint, FullDiskLeavesTheEarlierFile) {
  const std::string before = read_all(path_);
  for (std::size_t bytes = 1; bytes < before.size(); bytes += before.size() / 25) {
    const FileSizeLimit limit(bytes);
    expect_error<RunError>([this] { write(); }, path_.string(), "File too large");
    EXPECT_EQ(directory_.files(), 1U);
  }
  EXPECT_EQ(read_all(path_), before);
  write();
  EXPECT_EQ(CheckpointReader(path_).step(), 4200);
}

TEST_F(Checkpoint, MissingDirectoryIsARunError) {
  expect_error<RunError>([this] { CheckpointWriter(directory_ / "no/file", "m", "d", 1); },
                         "no/file", "No such file or directory");
}

}  // namespace
}  // namespace knudsen
