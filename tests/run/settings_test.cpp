#include "run/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "methods/registry.hpp"
#include "output/temporary_directory.hpp"
#include "run/fake_method.hpp"

namespace knudsen::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;

RunSettings read(const json& blocks, const std::filesystem::path& directory = ".") {
  json whole{{"stop", {{"steps", 100}}}};
  whole.update(blocks);
  std::unique_ptr<Problem> problem = std::make_unique<FakeProblem>();
  return settings_from(whole, problem, directory);
}

template <class... Parts>
void expect_refused(const json& blocks, const Parts&... parts) {
  expect_error<InputError>([&] { read(blocks); }, "fake.json: ", parts...);
}

json profile(const json& members) {
  json whole{{"name", "middle"}, {"quantity", "temperature"}, {"along", "x"}};
  whole.update(members);
  return {{"output", {{"profiles", {whole}}}}};
}

json picture(const json& members) {
  json whole{{"quantity", "temperature"}};
  whole.update(members);
  return {{"output", {{"snapshots", {{"pictures", {whole}}}}}}};
}

TEST(Settings, HaveDefaults) {
  const RunSettings settings = read(json::object());
  EXPECT_EQ(settings.stop.steps, 100);
  EXPECT_EQ(settings.stop.check_every, 1000);
  EXPECT_FALSE(settings.stop.wall_seconds);
  EXPECT_EQ(settings.output.directory, "results/fake");
  EXPECT_THAT(settings.output.fields, ElementsAre("temperature"));
  EXPECT_THAT(settings.output.series, ElementsAre("peak"));
  EXPECT_TRUE(settings.output.write_fields);
  EXPECT_TRUE(settings.output.snapshots.empty());
  EXPECT_EQ(settings.checkpoint.every, 0);
  EXPECT_EQ(settings.checkpoint.keep, 2);
  EXPECT_FALSE(settings.checkpoint.at_end);
  EXPECT_EQ(settings.parallel.patience, 600);
  EXPECT_EQ(settings.parallel.transport, "auto");
  EXPECT_EQ(settings.parallel.piece_bytes, std::size_t{16} << 20);
}

TEST(Settings, AreReadFromTheCase) {
  const RunSettings settings = read(json::parse(R"({
    "stop": {"steps": 5000000000, "check_every": 10, "wall_seconds": 60,
             "criteria": [{"quantity": "peak", "tolerance": 1e-6}]},
    "output": {"directory": "there", "fields": {"every": 20, "quantities": ["flux"]},
               "series": {"every": 5, "quantities": ["step", "peak"]},
               "snapshots": {"every": 7, "pictures": [
                 {"quantity": "flux_y", "colour_map": "coolwarm", "minimum": -1, "maximum": 1},
                 {"quantity": "flux"}]}},
    "checkpoint": {"every": 50, "keep": 3, "at_end": true},
    "parallel": {"patience": 20, "transport": "host", "piece": 0.5}})"));
  EXPECT_EQ(settings.stop.steps, 5000000000);
  EXPECT_EQ(settings.stop.check_every, 10);
  EXPECT_EQ(settings.stop.wall_seconds, 60);
  ASSERT_EQ(settings.stop.criteria.size(), 1U);
  EXPECT_EQ(settings.stop.criteria[0].quantity, "peak");
  EXPECT_EQ(settings.stop.criteria[0].tolerance, 1e-6);
  EXPECT_EQ(settings.output.directory, "there");
  EXPECT_EQ(settings.output.fields_every, 20);
  EXPECT_THAT(settings.output.fields, ElementsAre("flux"));
  EXPECT_EQ(settings.output.series_every, 5);
  EXPECT_THAT(settings.output.series, ElementsAre("step", "peak"));
  EXPECT_EQ(settings.output.snapshots_every, 7);
  ASSERT_EQ(settings.output.snapshots.size(), 2U);
  EXPECT_EQ(settings.output.snapshots[0].quantity.field, "flux");
  EXPECT_EQ(settings.output.snapshots[0].options.component, 1);
  EXPECT_EQ(settings.output.snapshots[0].options.colour_map, "coolwarm");
  EXPECT_EQ(settings.output.snapshots[0].options.minimum, -1);
  EXPECT_EQ(settings.output.snapshots[1].options.component, -1);
  EXPECT_TRUE(std::isnan(settings.output.snapshots[1].options.minimum));
  EXPECT_EQ(settings.checkpoint.every, 50);
  EXPECT_EQ(settings.checkpoint.keep, 3);
  EXPECT_TRUE(settings.checkpoint.at_end);
  EXPECT_EQ(settings.parallel.patience, 20);
  EXPECT_EQ(settings.parallel.transport, "host");
  EXPECT_EQ(settings.parallel.piece_bytes, std::size_t{1} << 19);
}

TEST(Settings, AnEmptyListOfQuantitiesMeansNone) {
  const RunSettings settings = read({{"output",
                                      {{"fields", {{"quantities", json::array()}}},
                                       {"series", {{"quantities", json::array()}}}}}});
  EXPECT_TRUE(settings.output.fields.empty());
  EXPECT_TRUE(settings.output.series.empty());
}

TEST(Settings, StopIsRequired) {
  expect_error<InputError>([] { fake_case(json::object()); }, "stop: missing");
}

TEST(Settings, StepsMustBePositive) {
  expect_refused({{"stop", {{"steps", 0}}}}, "stop.steps: found 0", "at least 1");
}

TEST(Settings, NegativeIntervalIsRefused) {
  expect_refused({{"checkpoint", {{"every", -5}}}}, "checkpoint.every: found -5");
  expect_refused({{"parallel", {{"patience", 0}}}}, "parallel.patience: found 0");
}

TEST(Settings, UnknownCriterionIsRefusedWithTheNearest) {
  expect_refused(
      {{"stop", {{"steps", 1}, {"criteria", {{{"quantity", "peek"}, {"tolerance", 1}}}}}}},
      "stop.criteria[0].quantity: found", "\"peek\"", "did you mean \"peak\"");
}

TEST(Settings, UnknownFieldIsRefused) {
  expect_refused({{"output", {{"fields", {{"quantities", {"temprature"}}}}}}},
                 "output.fields.quantities[0]", "temprature", "temperature");
}

TEST(Settings, UnknownMonitorIsRefused) {
  expect_refused({{"output", {{"series", {{"quantities", {"temperature"}}}}}}},
                 "output.series.quantities[0]", "temperature_change");
}

TEST(Settings, UnknownPictureIsRefused) {
  expect_refused(picture({{"quantity", "flux_z"}}), "output.snapshots.pictures[0].quantity",
                 "\"flux_z\"", "\"flux_x\"");
}

TEST(Settings, UnknownColourMapIsRefused) {
  expect_refused(picture({{"colour_map", "jet"}}), "pictures[0].colour_map", "viridis");
}

TEST(Settings, PictureWithAnEmptyRangeIsRefused) {
  expect_refused(picture({{"minimum", 2}, {"maximum", 2}}), "pictures[0].maximum",
                 "greater than the minimum");
}

TEST(Settings, SecondPictureOfAQuantityIsRefused) {
  const json one{{"quantity", "temperature"}};
  expect_refused({{"output", {{"snapshots", {{"pictures", {one, one}}}}}}}, "pictures[1].quantity",
                 "already");
}

TEST(Settings, ProfilesAreNormalisedByTheProblemsScales) {
  const auto settings = read(profile({{"at", {0.25}}}));
  ASSERT_EQ(settings.output.profiles.size(), 1U);
  const ProfileLine& line = settings.output.profiles[0].line;
  EXPECT_EQ(line.axis, 0);
  EXPECT_THAT(line.at, ElementsAre(0.25));
  EXPECT_EQ(line.length_scale, 2);
  EXPECT_EQ(line.value_scale, 10);
}

TEST(Settings, ProfilesMayBeLeftAsTheyAre) {
  const auto settings = read(profile({{"normalised", false}, {"along", "y"}}));
  const ProfileLine& line = settings.output.profiles.at(0).line;
  EXPECT_EQ(line.axis, 1);
  EXPECT_EQ(line.length_scale, 1);
  EXPECT_EQ(line.value_scale, 1);
}

TEST(Settings, ProfileOfAVectorMustNameAComponent) {
  expect_refused(profile({{"quantity", "flux"}}), "profiles[0].quantity", "flux_x");
  EXPECT_EQ(read(profile({{"quantity", "flux_y"}})).output.profiles.at(0).line.component, 1);
}

TEST(Settings, ProfileAcrossAFlatDomainIsRefused) {
  expect_refused(profile({{"along", "z"}}), "profiles[0].along", "two dimensions");
}

TEST(Settings, ProfileAtTooManyPlacesIsRefused) {
  expect_refused(profile({{"at", {0.5, 0.5}}}), "profiles[0].at", "at most 1");
}

TEST(Settings, ProfileOutsideTheDomainIsRefused) {
  expect_refused(profile({{"at", {1.5}}}), "profiles[0].at[0]", "1.5");
}

TEST(Settings, ProfileNameMustBeFitForAFile) {
  expect_refused(profile({{"name", "../escape"}}), "profiles[0].name", "letters");
}

TEST(Settings, SecondProfileOfANameIsRefused) {
  json two = profile(json::object());
  two["output"]["profiles"].push_back(two["output"]["profiles"][0]);
  expect_refused(two, "profiles[1].name", "another profile");
}

class Reference : public testing::Test {
 protected:
  json with_reference(const std::string& content, const std::string& column = "T") {
    write_all(directory_ / "reference.csv", content);
    return profile(
        {{"reference", {{"file", "reference.csv"}, {"position", "x"}, {"value", column}}}});
  }
  RunSettings read_here(const json& blocks) { return read(blocks, directory_.path()); }

  TemporaryDirectory directory_;
};

TEST_F(Reference, IsFoundBesideTheCase) {
  const auto settings = read_here(with_reference("# source\nx,T\n0,1\n3,2\n"));
  ASSERT_TRUE(settings.output.profiles.at(0).reference);
  EXPECT_EQ(settings.output.profiles[0].reference->path, directory_ / "reference.csv");
  EXPECT_EQ(settings.output.profiles[0].reference->value_column, "T");
}

TEST_F(Reference, WithoutTheColumnIsRefused) {
  expect_error<InputError>([&] { read_here(with_reference("x,T\n0,1\n", "U")); }, "reference.csv",
                           "no column 'U'");
}

TEST_F(Reference, WithoutRowsIsRefused) {
  expect_error<InputError>([&] { read_here(with_reference("x,T\n")); }, "profiles[0].reference",
                           "reference.csv has no rows");
}

TEST_F(Reference, OutsideOfTheDomainIsRefused) {
  expect_error<InputError>([&] { read_here(with_reference("x,T\n0,1\n3.1,2\n")); },
                           "profiles[0].reference", "3.1", "0 to 3");
}

TEST_F(Reference, MissingFileIsRefused) {
  json blocks = with_reference("x,T\n0,1\n");
  blocks["output"]["profiles"][0]["reference"]["file"] = "none.csv";
  expect_error<InputError>([&] { read_here(blocks); }, "reference.file", "none.csv");
}

TEST(Settings, DescribeThemselves) {
  const json schema = describe_schema(
      [](CaseNode& root) {
        std::unique_ptr<Problem> none;
        read_settings(root, none, "results");
      },
      "settings");
  for (const auto* key : {"stop", "output", "checkpoint", "parallel"}) {
    EXPECT_TRUE(schema["properties"].contains(key)) << key;
  }
}

TEST(WholeCase, UnknownMethodIsRefused) {
  const auto document = CaseDocument::from_text(R"({"method": "lbm_d2q8"})", "a.json");
  expect_error<InputError>([&] { resolve_case(document, method_registry()); },
                           "a.json: method: found", "lbm_d2q8", "lbm_d2q9");
}

TEST(Settings, CriteriaThatRoundingMayKeepFromHoldingAreTold) {
  FakeProblem problem;
  problem.resolved.push_back({"temperature_change that rounding may leave", "3e-07", "1"});
  RunSettings settings;
  settings.stop.criteria = {{"temperature_change", 1e-6}, {"peak", 1e-9}};
  EXPECT_TRUE(criteria_below_rounding(settings, problem).empty());
  settings.stop.criteria.push_back({"temperature_change", 1e-8});
  const auto warnings = criteria_below_rounding(settings, problem);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "stop.criteria: the tolerance 1e-08 of temperature_change is below 3e-07, which "
            "rounding may leave in double precision, so the run may go on to stop.steps");
}

}  // namespace
}  // namespace knudsen::test
