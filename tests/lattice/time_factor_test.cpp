#include "model/time_factor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "case/sample_reader.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen {
namespace {

using test::input_error;
using testing::HasSubstr;

TimeFactor read(const std::string& block, const std::string& directory = ".") {
  std::optional<TimeFactor> factor;
  read_case(CaseDocument::from_text("{\"pulse\": " + block + "}", "case.json", directory),
            [&](CaseNode& root) {
              root.object("pulse", "", [&](CaseNode& node) { factor.emplace(node, "steps"); });
            });
  return *factor;
}

/// A directory with a series.
struct Series : TemporaryDirectory {
  explicit Series(const std::string& text) { std::ofstream(path() / "pulse.csv") << text; }
  TimeFactor read(const std::string& more = "") const {
    return knudsen::read(R"({"file": "pulse.csv")" + more + "}", path().string());
  }
  std::string error(const std::string& more = "") const {
    return input_error([&] { read(more); });
  }
};

TEST(TimeFactor, OfAFormula) {
  EXPECT_DOUBLE_EQ(read(R"({"factor": "1 + t^2"})")(3), 10);
  EXPECT_DOUBLE_EQ(read(R"({"factor": "t", "unit": 200})")(50), 0.25);
  EXPECT_DOUBLE_EQ(read(R"({"factor": 0.5})")(50), 0.5);
}

TEST(TimeFactor, OfASeriesIsLinearAndConstantBeyond) {
  const TimeFactor factor = Series("t,factor\n10,1\n20,3\n40,-5\n").read();
  EXPECT_DOUBLE_EQ(factor(0), 1);
  EXPECT_DOUBLE_EQ(factor(10), 1);
  EXPECT_DOUBLE_EQ(factor(15), 2);
  EXPECT_DOUBLE_EQ(factor(35), -3);
  EXPECT_DOUBLE_EQ(factor(40), -5);
  EXPECT_DOUBLE_EQ(factor(1000), -5);
  EXPECT_EQ(factor.largest(), 5);
}

TEST(TimeFactor, OfAPeriodicSeries) {
  const TimeFactor factor = Series("factor,t\n1,10\n3,20\n").read(R"(, "period": 40, "unit": 2)");
  for (const int period : {0, 1, 7}) {
    const double start = 80.0 * period;
    EXPECT_DOUBLE_EQ(factor(start + 20), 1);
    EXPECT_DOUBLE_EQ(factor(start + 30), 2);
    EXPECT_DOUBLE_EQ(factor(start + 40), 3);
    EXPECT_NEAR(factor(start + 70), 2, 1e-12);
    EXPECT_NEAR(factor(start), 3 - 2 * 20 / 30.0, 1e-12);
  }
  // The last time may be that of the end of the period.
  const TimeFactor whole = Series("t,factor\n0,1\n20,3\n40,1\n").read(R"(, "period": 40)");
  EXPECT_DOUBLE_EQ(whole(0), 1);
  EXPECT_DOUBLE_EQ(whole(50), 2);
  EXPECT_DOUBLE_EQ(whole(79), 1.1);
}

TEST(TimeFactor, RefusesBadInput) {
  EXPECT_THAT(input_error([] { read("{}"); }), HasSubstr("must give \"factor\" or \"file\""));
  EXPECT_THAT(input_error([] { read(R"_({"factor": "sin(x)"})_"); }),
              HasSubstr("pulse.factor: found \"sin(x)\", must be a formula; at character 5"));
  EXPECT_THAT(input_error([] { read(R"({"factor": 1, "period": 3})"); }),
              HasSubstr("pulse.period: found 3, belongs to \"file\""));
  EXPECT_THAT(input_error([] { read(R"_({"factor": "1/(t-3)"})_")(3); }),
              HasSubstr("is inf at t = 3, must be finite"));
  EXPECT_THAT(Series("t,factor\n1,1\n").error(R"(, "factor": 1)"), HasSubstr("leave one out"));
  EXPECT_THAT(Series("time,factor\n1,1\n").error(),
              HasSubstr("found the columns \"time\", \"factor\", must be \"t\", \"factor\""));
  EXPECT_THAT(Series("t,factor\n1,1\n3,1\n3,2\n").error(),
              HasSubstr("found t = 3 after 3, times must grow"));
  EXPECT_THAT(Series("t,factor\n").error(), HasSubstr("has no rows"));
  EXPECT_THAT(Series("t,factor\n1,nan\n").error(), HasSubstr("must be finite"));
  EXPECT_THAT(Series("t,factor\n1,1\n50,1\n").error(R"(, "period": 40)"),
              HasSubstr("go from 1 to 50, must be from 0 to the period"));
  EXPECT_THAT(Series("t,factor\n1,1\n").error(R"(, "period": 0)"), HasSubstr("greater than 0"));
}

}  // namespace
}  // namespace knudsen
