#include "output/vtkhdf.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

#include "core/error.hpp"
#include "file_size_limit.hpp"
#include "paths.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

/// The value of a field in the files below; check_vtkhdf.py has the same formula.
double value_at(int x, int y, int z, int component) {
  return x + 100.0 * y + 10000.0 * z + 0.125 * component;
}

template <class Real>
Field make_field(const CartesianGrid& grid, const std::string& name, int components) {
  std::vector<Real> values;
  for (int z = 0; z < grid.cells[2]; ++z) {
    for (int y = 0; y < grid.cells[1]; ++y) {
      for (int x = 0; x < grid.cells[0]; ++x) {
        for (int c = 0; c < components; ++c) {
          values.push_back(static_cast<Real>(value_at(x, y, z, c)));
        }
      }
    }
  }
  return {{name, "m/s", "values of " + name, components}, values};
}

const FieldFileHeader header{"a title, caf\xc3\xa9", "lbm_d2q9", 1200, 0.75, {{"reynolds", 100.5}}};

/// Runs the script on a file; `kind` selects what it checks.
void expect_readable(const std::string& kind, const std::filesystem::path& path) {
  const std::string command = std::string(KNUDSEN_VTK_PYTHON) + " " + KNUDSEN_SOURCE_DIR +
                              "/tests/output/check_vtkhdf.py " + kind + " " + path.string();
  const int status = std::system(command.c_str());
  constexpr int modules_missing = 77, no_such_command = 127;
  if (WEXITSTATUS(status) == modules_missing || WEXITSTATUS(status) == no_such_command) {
    GTEST_SKIP() << "needs the Python modules vtk and h5py";
  }
  EXPECT_EQ(status, 0);
}

std::vector<Field> all_kinds(const CartesianGrid& grid) {
  return {make_field<float>(grid, "density", 1), make_field<double>(grid, "pressure", 1),
          make_field<float>(grid, "velocity", 2), make_field<double>(grid, "force", 3),
          make_field<double>(grid, "stress", 6)};
}

/// A field that is never in memory as a whole.
class ComputedField final : public PiecewiseField {
 public:
  ComputedField(int components, std::size_t& largest_piece)
      : quantity_{"velocity", "m/s", "computed", components}, largest_piece_(largest_piece) {}
  const Quantity& quantity() const override { return quantity_; }
  Values values(std::size_t begin, std::size_t end) override {
    const auto components = static_cast<std::size_t>(quantity_.components);
    piece_.clear();
    for (std::size_t i = begin * components; i < end * components; ++i) {
      piece_.push_back(static_cast<float>(i % 97 * (i % 1000)));
    }
    largest_piece_ = std::max(largest_piece_, piece_.size() * sizeof(float));
    return std::span<const float>(piece_);
  }

 private:
  Quantity quantity_;
  std::size_t& largest_piece_;
  std::vector<float> piece_;
};

TEST(Vtkhdf, BytesDoNotDependOnPieces) {
  const TemporaryDirectory directory;
  constexpr std::size_t chunk = std::size_t{1} << 20;
  // Chunks of several planes, of rows of a plane, and of parts of a row; the last ones are not
  // full.
  for (const std::array<int, 3>& cells :
       {std::array{100, 90, 70}, std::array{700, 500, 3}, std::array{300000, 2, 1}}) {
    const CartesianGrid grid{cells};
    for (const int components : {1, 2}) {
      const auto write = [&](std::size_t piece_bytes) {
        std::size_t largest = 0;
        write_vtkhdf(
            directory / "pieces.vtkhdf", grid, 1,
            [&](std::size_t) { return std::make_unique<ComputedField>(components, largest); },
            header, piece_bytes);
        EXPECT_LE(largest, std::max(piece_bytes, chunk));
        return read_all(directory / "pieces.vtkhdf");
      };
      const std::string whole = write(std::size_t{1} << 30);
      EXPECT_TRUE(write(1) == whole);
      EXPECT_TRUE(write(2500000) == whole);
    }
  }
}

TEST(Vtkhdf, PlaneIsReadByVtkAndH5py) {
  const TemporaryDirectory directory;
  const CartesianGrid grid{{7, 5, 1}, {-0.5, 2, 0}, {0.25, 0.5, 1}};
  write_vtkhdf(directory / "fields_000001200.vtkhdf", grid, all_kinds(grid), header);
  expect_readable("plane", directory / "fields_000001200.vtkhdf");
  EXPECT_EQ(directory.files(), 1U);
}

TEST(Vtkhdf, BoxIsReadByVtkAndH5py) {
  const TemporaryDirectory directory;
  const CartesianGrid grid{{4, 3, 6}, {0, 0, 1}, {0.5, 0.5, 0.5}};
  write_vtkhdf(directory / "box.vtkhdf", grid, all_kinds(grid), header);
  expect_readable("box", directory / "box.vtkhdf");
}

TEST(Vtkhdf, CellsOfUnequalWidthAreReadByVtk) {
  const TemporaryDirectory directory;
  CartesianGrid grid{{4, 3, 2}, {0, 1, 0}, {1, 0.5, 1}};
  grid.edges[0] = {0, 0.5, 1.5, 3, 4};
  write_vtkhdf(directory / "stretched.vtkhdf", grid, all_kinds(grid), header);
  expect_readable("stretched", directory / "stretched.vtkhdf");
}

TEST(Vtkhdf, FacesAreReadByVtk) {
  const TemporaryDirectory directory;
  CartesianGrid grid{{4, 3, 2}, {0, 1, 0}, {1, 0.5, 1}};
  grid.edges[0] = {0, 0.5, 1.5, 3, 4};
  SurfaceFields surface;
  for (int side = 0; side < 6; ++side) {
    for (const std::size_t cell : {0U, 18U, 23U}) surface.faces.push_back({cell, side});
  }
  std::vector<double> numbers;
  std::vector<double> vectors;
  for (std::size_t n = 0; n < surface.faces.size(); ++n) {
    numbers.push_back(static_cast<double>(n));
    for (int c = 0; c < 3; ++c) vectors.push_back(static_cast<double>(n) + 0.25 * c);
  }
  surface.fields = {{{"pressure", "Pa", "values of pressure", 1}, numbers},
                    {{"shear_stress", "Pa", "values of shear_stress", 3}, vectors}};
  write_surface_vtkhdf(directory / "surface.vtkhdf", grid, surface, header);
  expect_readable("surface", directory / "surface.vtkhdf");
}

TEST(Vtkhdf, LineAndColumnAreReadByVtkAndH5py) {
  const TemporaryDirectory directory;
  const CartesianGrid line{{5, 1, 1}}, column{{1, 5, 1}};
  write_vtkhdf(directory / "line.vtkhdf", line, all_kinds(line), header);
  write_vtkhdf(directory / "column.vtkhdf", column, all_kinds(column), header);
  expect_readable("line", directory / "line.vtkhdf");
  expect_readable("column", directory / "column.vtkhdf");
}

TEST(Vtkhdf, GridOfManyChunksIsReadByVtkAndH5py) {
  const TemporaryDirectory directory;
  const CartesianGrid grid{{700, 900, 1}, {0, 0, 0}, {1, 1, 1}};
  write_vtkhdf(directory / "many.vtkhdf", grid,
               {make_field<double>(grid, "density", 1), make_field<double>(grid, "velocity", 2)},
               header);
  expect_readable("many", directory / "many.vtkhdf");
}

TEST(Vtkhdf, NotFiniteValuesAreKept) {
  const TemporaryDirectory directory;
  const CartesianGrid grid{{3, 1, 1}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  write_vtkhdf(directory / "nan.vtkhdf", grid,
               {{{"density", "1", "", 1}, std::vector<double>{nan, HUGE_VAL, 1}}}, header);
  expect_readable("nan", directory / "nan.vtkhdf");
}

TEST(Vtkhdf, ConstantFieldIsStoredSmall) {
  const TemporaryDirectory directory;
  const CartesianGrid grid{{512, 512, 1}};
  write_vtkhdf(directory / "small.vtkhdf", grid,
               {{{"density", "1", "", 1}, std::vector<double>(grid.size(), 1.0)}}, header);
  EXPECT_LT(std::filesystem::file_size(directory / "small.vtkhdf"), 20000U);
}

TEST(Vtkhdf, FieldOfAnotherSizeIsRefused) {
  const TemporaryDirectory directory;
  const CartesianGrid grid{{3, 2, 1}};
  expect_error<RunError>(
      [&] {
        write_vtkhdf(directory / "a.vtkhdf", grid,
                     {{{"density", "1", "", 1}, std::vector<double>(5)}}, header);
      },
      "a.vtkhdf", "density", "5 values", "6");
  EXPECT_EQ(directory.files(), 0U);
}

TEST(Vtkhdf, MissingDirectoryFails) {
  const TemporaryDirectory directory;
  expect_error<RunError>([&] { write_vtkhdf(directory / "no/a.vtkhdf", {}, {}, header); },
                         (directory / "no/a.vtkhdf").string(), "No such file or directory");
}

TEST(Vtkhdf, FullDiskLeavesTheEarlierFileAndTheProgramGoesOn) {
  const TemporaryDirectory directory;
  const auto path = directory / "a.vtkhdf";
  const CartesianGrid grid{{300, 300, 1}};
  std::vector<double> noise(grid.size());
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = std::sin(1e4 * static_cast<double>(i));
  const std::vector<Field> fields{{{"density", "1", "", 1}, noise}};
  write_vtkhdf(path, grid, fields, header);
  const std::string before = read_all(path);
  // Fails at the beginning, in the middle of the values, and before the last bytes.
  for (std::size_t bytes = 1; bytes < before.size(); bytes += before.size() / 25) {
    const FileSizeLimit limit(bytes);
    expect_error<RunError>([&] { write_vtkhdf(path, grid, fields, header); }, path.string(),
                           "File too large");
    EXPECT_EQ(directory.files(), 1U);
  }
  EXPECT_EQ(read_all(path), before);
  write_vtkhdf(path, grid, fields, header);
  EXPECT_EQ(read_all(path).size(), before.size());
}

}  // namespace
}  // namespace knudsen
