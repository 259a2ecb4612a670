#include "core/text.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace knudsen {
namespace {

TEST(Text, JoinsParts) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"a", "", "c"}, ", "), "a, , c");
}

TEST(Text, JoinsEqualParts) { EXPECT_EQ(join({"a", "a"}, "-"), "a-a"); }

TEST(Text, Quotes) {
  EXPECT_EQ(quote("a b"), "\"a b\"");
  EXPECT_EQ(quote_list({}), "");
  EXPECT_EQ(quote_list({"a"}), "\"a\"");
  EXPECT_EQ(quote_list({"a", "b"}), "\"a\", \"b\"");
}

TEST(Text, NumbersAreShort) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(100000), "100000");
  EXPECT_EQ(number_text(-0.1), "-0.1");
  EXPECT_EQ(number_text(0.0001), "0.0001");
  EXPECT_EQ(number_text(1.5e-7), "1.5e-07");
  EXPECT_EQ(number_text(1e20), "1e+20");
  EXPECT_EQ(number_text(9007199254740992.0), "9007199254740992");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Text, NumbersReadBackTheSame) {
  for (const double value : {0.1, 1.0 / 3, -2.0 / 3e5, 1e15 / 7, 6.02214076e23, 5e-324,
                             0.00012345678901234567, -std::numeric_limits<double>::max()}) {
    const std::string text = number_text(value);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    EXPECT_EQ(back, value) << text;
  }
}

TEST(Text, NearestFindsMisspellings) {
  const std::vector<std::string> keys = {"reynolds", "lid_velocity", "viscosity", "steps"};
  EXPECT_EQ(nearest("reynold", keys), "reynolds");
  EXPECT_EQ(nearest("Reynolds", keys), "reynolds");
  EXPECT_EQ(nearest("lid-velocity", keys), "lid_velocity");
  EXPECT_EQ(nearest("viscosty", keys), "viscosity");
}

TEST(Text, NearestCountsAnExchangeAsOneMistake) { EXPECT_EQ(nearest("ayx", {"axy"}), "axy"); }

TEST(Text, NearestTakesTheNearest) {
  EXPECT_EQ(nearest("velocity_z", {"velocity", "velocity_x"}), "velocity_x");
}

TEST(Text, NearestGuessesNotWildly) {
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest("left", {"right", "top"}), "");
  EXPECT_EQ(nearest("knudsen", {"reynolds", "steps"}), "");
  EXPECT_EQ(nearest("a", {}), "");
}

}  // namespace
}  // namespace knudsen
