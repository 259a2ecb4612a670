#include "output/profile.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "core/error.hpp"
#include "output/component.hpp"
#include "output/csv.hpp"
#include "temporary_directory.hpp"

namespace knudsen {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A field whose components are f, 2 f, 3 f... at the cell centres.
Field make_field(const CartesianGrid& grid, int components,
                 const std::function<double(double, double, double)>& f) {
  std::vector<double> values;
  for (int z = 0; z < grid.cells[2]; ++z) {
    for (int y = 0; y < grid.cells[1]; ++y) {
      for (int x = 0; x < grid.cells[0]; ++x) {
        const double value = f((x + 0.5) * grid.spacing[0], (y + 0.5) * grid.spacing[1],
                               (z + 0.5) * grid.spacing[2]);
        for (int c = 1; c <= components; ++c) values.push_back(c * value);
      }
    }
  }
  return {{"velocity", "m/s", "", components}, values};
}

TEST(Component, NamesAndFindsThem) {
  const Quantity scalar{"density", "", "", 1}, vector{"velocity", "", "", 2},
      tensor{"stress", "", "", 6};
  EXPECT_EQ(component_name(scalar, 0), "density");
  EXPECT_EQ(component_name(vector, 1), "velocity_y");
  EXPECT_EQ(component_name(tensor, 5), "stress_xz");
  EXPECT_EQ(find_component(scalar, "density"), 0);
  EXPECT_EQ(find_component(vector, "velocity_x"), 0);
  EXPECT_EQ(find_component(tensor, "stress_xy"), 3);
  EXPECT_FALSE(find_component(vector, "velocity"));
  EXPECT_FALSE(find_component(vector, "velocity_z"));
  EXPECT_FALSE(find_component(scalar, "density_x"));
}

TEST(Profile, TakesTheMiddleLineOfAnEvenGrid) {
  const CartesianGrid grid{{4, 6, 1}, {10, 10, 0}, {0.5, 0.25, 1}};
  const auto field = make_field(grid, 2, [](double x, double y, double) { return x + 10 * y; });
  const auto profile = extract_profile(grid, field, {.component = 1, .axis = 1, .at = {0.5}});
  ASSERT_EQ(profile.positions.size(), 6U);
  EXPECT_EQ(profile.name, "velocity_y");
  EXPECT_DOUBLE_EQ(profile.length, 1.5);
  for (int i = 0; i < 6; ++i) {
    const double y = (i + 0.5) * 0.25;
    EXPECT_DOUBLE_EQ(profile.positions[i], y);
    EXPECT_DOUBLE_EQ(profile.values[i], 2 * (1.0 + 10 * y));
  }
}

TEST(Profile, ScalesPositionsAndValues) {
  const CartesianGrid grid{{5, 3, 1}};
  const auto field = make_field(grid, 1, [](double x, double, double) { return x; });
  const auto profile = extract_profile(
      grid, field, {.component = 0, .axis = 0, .at = {0.5}, .length_scale = 5, .value_scale = 0.5});
  EXPECT_DOUBLE_EQ(profile.length, 1);
  EXPECT_DOUBLE_EQ(profile.positions[4], 0.9);
  EXPECT_DOUBLE_EQ(profile.values[4], 9);
}

TEST(Profile, InterpolatesInBothAxesAcross) {
  const CartesianGrid grid{{3, 4, 5}, {0, 0, 0}, {1, 1, 1}};
  const auto field =
      make_field(grid, 1, [](double x, double y, double z) { return x + 10 * y + 100 * z; });
  const auto along_x = extract_profile(grid, field, {.axis = 0, .at = {0.4, 0.7}});
  EXPECT_NEAR(along_x.values[1], 1.5 + 10 * 1.6 + 100 * 3.5, 1e-12);
  const auto along_z = extract_profile(grid, field, {.axis = 2, .at = {0.5, 0.25}});
  EXPECT_NEAR(along_z.values[4], 1.5 + 10 * 1.0 + 100 * 4.5, 1e-12);
}

TEST(Profile, FractionsAreOfTheLengthWhereCellsGrow) {
  CartesianGrid grid{{3, 1, 4}};
  grid.edges[0] = {-1, 0, 2, 7};
  const std::array<double, 3> centres{-0.5, 1, 4.5};
  const auto field = make_field(
      grid, 1, [&](double x, double, double) { return centres[static_cast<std::size_t>(x)]; });
  for (const auto& [fraction, expected] :
       {std::pair{0.0, -0.5}, {0.125, 0.0}, {0.25, 1.0}, {0.5, 3.0}, {0.75, 4.5}, {1.0, 4.5}}) {
    const auto profile = extract_profile(grid, field, {.axis = 2, .at = {fraction, 0.5}});
    EXPECT_NEAR(profile.values[2], expected, 1e-12) << fraction;
  }
}

TEST(Profile, FractionsAtTheWallsTakeTheOutermostCells) {
  const CartesianGrid grid{{3, 4, 1}};
  const auto field = make_field(grid, 1, [](double, double y, double) { return y; });
  EXPECT_DOUBLE_EQ(extract_profile(grid, field, {.axis = 0, .at = {0}}).values[0], 0.5);
  EXPECT_DOUBLE_EQ(extract_profile(grid, field, {.axis = 0, .at = {1}}).values[0], 3.5);
}

TEST(Profile, SolidCellsBesideTheLineDoNotSpoilIt) {
  const CartesianGrid grid{{2, 3, 1}};
  const auto field = make_field(grid, 1, [](double, double y, double) { return y > 2 ? nan : y; });
  EXPECT_DOUBLE_EQ(extract_profile(grid, field, {.axis = 0, .at = {0.5}}).values[1], 1.5);
}

TEST(Profile, OneCellIsAConstant) {
  const CartesianGrid grid{{1, 1, 1}};
  const auto field = make_field(grid, 1, [](double, double, double) { return 7; });
  const auto profile = extract_profile(grid, field, {.axis = 0});
  EXPECT_EQ(profile.at(0), 7);
  EXPECT_EQ(profile.at(1), 7);
}

TEST(Profile, ReproducesCubicsBetweenCentres) {
  const CartesianGrid grid{{8, 1, 1}};
  const auto cubic = [](double x) { return 2 - x + 0.5 * x * x - 0.1 * x * x * x; };
  const auto profile = extract_profile(
      grid, make_field(grid, 1, [&](double x, double, double) { return cubic(x); }), {.axis = 0});
  for (double x = 0.5; x <= 7.5; x += 0.125) EXPECT_NEAR(profile.at(x), cubic(x), 1e-12) << x;
}

TEST(Profile, ExtrapolatesLinearlyToTheWalls) {
  const CartesianGrid grid{{4, 1, 1}};
  const auto profile = extract_profile(
      grid, make_field(grid, 1, [](double x, double, double) { return x * x; }), {.axis = 0});
  EXPECT_NEAR(profile.at(0), 0.25 - 0.5 * 2, 1e-14);
  EXPECT_NEAR(profile.at(4), 12.25 + 0.5 * 6, 1e-14);
}

TEST(Profile, NextToASolidCellInterpolatesLinearly) {
  const CartesianGrid grid{{5, 1, 1}};
  const auto profile = extract_profile(
      grid, make_field(grid, 1, [](double x, double, double) { return x > 4 ? nan : x * x; }),
      {.axis = 0});
  EXPECT_NEAR(profile.at(3), 0.5 * (2.5 * 2.5 + 3.5 * 3.5), 1e-14);
  EXPECT_EQ(profile.at(3.5), 3.5 * 3.5);
  EXPECT_TRUE(std::isnan(profile.at(4)));
}

class ProfileFile : public testing::Test {
 protected:
  /// v(y) = y^2 on ten cells of a domain of length 1.
  ProfileFile() {
    const CartesianGrid grid{{1, 10, 1}, {0, 0, 0}, {0.1, 0.1, 0.1}};
    profile_ = extract_profile(
        grid, make_field(grid, 1, [](double, double y, double) { return y * y; }), {.axis = 1});
  }
  ProfileDifference compare(const std::string& reference_text) const {
    write_all(reference_path_, reference_text);
    return compare_profile(path_, profile_, {reference_path_, "y", "v"});
  }
  template <class... Parts>
  void expect_refused(const std::string& reference_text, const Parts&... parts) const {
    expect_error<InputError>([&] { compare(reference_text); }, reference_path_.string(), parts...);
    EXPECT_FALSE(std::filesystem::exists(path_));
  }

  Profile profile_;
  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "profile.csv";
  std::filesystem::path reference_path_ = directory_ / "reference.csv";
};

TEST_F(ProfileFile, HoldsPositionsAndValues) {
  write_profile(path_, profile_);
  const CsvTable table(path_);
  EXPECT_EQ(table.names(), (std::vector<std::string>{"position", "velocity"}));
  EXPECT_EQ(table.column("position"), profile_.positions);
  EXPECT_EQ(table.column("velocity"), profile_.values);
  EXPECT_NE(read_all(path_).find("# velocity along y at x=0.5 z=0.5"), std::string::npos);
}

TEST_F(ProfileFile, ComparisonFindsTheLargestDifference) {
  const auto result = compare("# Ghia\nother,y,v\n9,1.0,1.0\n9,0.5,0.15\n9,0.3,0.09\n9,0,0\n");
  EXPECT_NEAR(result.largest, 0.1, 1e-12);
  EXPECT_EQ(result.position, 0.5);
  const CsvTable table(path_);
  EXPECT_EQ(table.names(),
            (std::vector<std::string>{"position", "value", "reference", "difference"}));
  EXPECT_EQ(table.column("position"), (std::vector<double>{1, 0.5, 0.3, 0}));
  EXPECT_EQ(table.column("reference"), (std::vector<double>{1, 0.15, 0.09, 0}));
  EXPECT_NEAR(table.column("value")[1], 0.25, 1e-12);
  EXPECT_NEAR(table.column("difference")[1], 0.1, 1e-12);
}

TEST_F(ProfileFile, ComparisonShowsValuesThatAreNotFinite) {
  profile_.values[5] = nan;
  EXPECT_TRUE(std::isnan(compare("y,v\n0.1,5\n0.55,0\n0.9,9\n").largest));
}

TEST_F(ProfileFile, ComparisonRefusesAMissingReference) {
  expect_error<InputError>(
      [this] {
        compare_profile(path_, profile_, {reference_path_, "y", "v"});
      },
      reference_path_.string(), "cannot be opened");
}

TEST_F(ProfileFile, ComparisonRefusesAMissingColumn) {
  expect_refused("y,u\n0,0\n", "no column 'v'", "y, u");
}

TEST_F(ProfileFile, ComparisonRefusesAReferenceWithoutRows) { expect_refused("y,v\n", "no rows"); }

TEST_F(ProfileFile, ComparisonRefusesPositionsOutsideTheDomain) {
  expect_refused("y,v\n0.5,0\n1.1,0\n", "column 'y'", "found 1.1", "from 0 to 1");
}

TEST_F(ProfileFile, ComparisonRefusesPositionsThatAreNotNumbers) {
  expect_refused("y,v\nnan,0\n", "found nan");
}

}  // namespace
}  // namespace knudsen
