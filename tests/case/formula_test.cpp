#include "core/formula.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "sample_reader.hpp"

namespace knudsen::test {
namespace {

using testing::HasSubstr;

double value(const std::string& text, double x = 0, double y = 0) {
  return Formula(text, {"x", "y"})(std::vector<double>{x, y});
}

std::string fault(const std::string& text) {
  return input_error([&] { Formula(text, {"x", "y"}); });
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("7 - 2 - 1"), 4);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2**-1"), 0.5);
  EXPECT_EQ(value("--+-3"), -3);
  EXPECT_EQ(value(" 1e-3 *.5E+3 "), 0.5);
  EXPECT_EQ(value("2*-x", 3), -6);
}

TEST(Formula, KnowsVariablesConstantsAndFunctions) {
  EXPECT_EQ(value("x - y", 3, 5), -2);
  EXPECT_EQ(value("cos(pi)"), -1);
  EXPECT_EQ(value("sin(x)*exp(y)", 0.3, 0.7), std::sin(0.3) * std::exp(0.7));
  EXPECT_EQ(value("min(x, y) + 10*max(x, y)", 1, 2), 21);
  EXPECT_EQ(value("atan2(1, -1)"), 0.75 * std::numbers::pi);
  EXPECT_EQ(value("sqrt(abs(-16))"), 4);
  EXPECT_EQ(value("log(exp(2)) + log10(100) + floor(-0.5) + erf(0)"), 3);
  EXPECT_EQ(value("tan(0) + asin(0) + acos(1) + atan(0) + sinh(0) + cosh(0) + tanh(0)"), 1);
}

TEST(Formula, ComparesAndChooses) {
  EXPECT_EQ(value("x < 1", 0), 1);
  EXPECT_EQ(value("x <= 1", 1), 1);
  EXPECT_EQ(value("x > 1", 1), 0);
  EXPECT_EQ(value("x + 1 >= 2*1", 1), 1);
  EXPECT_EQ(value("if(x < 0.5, 10, 1/(x - 1))", 0.25), 10);
  // What is not chosen may have no value.
  EXPECT_EQ(value("if(x > 0, log(x), -1)", 0), -1);
}

TEST(Formula, MayHaveNoValue) {
  EXPECT_TRUE(std::isnan(value("sqrt(x)", -1)));
  EXPECT_EQ(value("1/x"), std::numeric_limits<double>::infinity());
}

TEST(Formula, SaysWhereAFaultIs) {
  EXPECT_EQ(fault("1 + * 2"),
            "at character 5: found \"*\", must be a number, a variable (x, y), pi, a function or "
            "\"(\"");
  EXPECT_THAT(fault(""), HasSubstr("at character 1: found the end, must be a number"));
  EXPECT_THAT(fault("(1 + 2"), HasSubstr("at character 7: found the end, must be an operator or"));
  EXPECT_THAT(fault("1 2"), HasSubstr("at character 3: found \"2\", must be an operator"));
  EXPECT_THAT(fault("2x"), HasSubstr("at character 2: found \"x\", must be an operator"));
  EXPECT_THAT(fault("1 + 2)"), HasSubstr("at character 6: found \")\""));
  EXPECT_THAT(fault("1 + sine(x)"),
              HasSubstr("at character 5: found \"sine\", did you mean \"sin\"? must be one of x"));
  EXPECT_THAT(fault("z + 1"), HasSubstr("found \"z\", must be one of x, y, pi, sin"));
  EXPECT_THAT(fault("sin x"), HasSubstr("must be \"(\" after the function sin"));
  EXPECT_THAT(fault("min(x)"), HasSubstr("at character 6: found \")\", must be \",\", since min"));
  EXPECT_THAT(fault("sin(x, y)"), HasSubstr("must be \")\", since sin has 1 argument"));
  EXPECT_THAT(fault("1e999"), HasSubstr("at character 1"));
  EXPECT_THAT(fault("1..2"), HasSubstr("at character 3"));
  EXPECT_THAT(fault("."), HasSubstr("must be a number"));
  EXPECT_THAT(fault("x = 1"), HasSubstr("at character 3: found \"=\""));
  EXPECT_THAT(fault("1 < 2 < 3"), HasSubstr("at character 7"));
}

TEST(Formula, RefusesWhatIsNestedTooDeeply) {
  EXPECT_EQ(value(std::string(20, '(') + "1" + std::string(20, ')')), 1);
  for (const char* part : {"(", "-", "2^", "sin(", "1+(", "min(1,", "1-2*3^("}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += part;
    EXPECT_THAT(fault(text), HasSubstr("is nested too deeply")) << part;
  }
  // Long is not deep.
  std::string sum = "0";
  for (int i = 0; i < 10000; ++i) sum += "+1";
  EXPECT_EQ(value(sum), 10000);
}

TEST(Formula, OfACaseIsANumberOrAText) {
  const auto read = [](const std::string& text) {
    double found = 0;
    read_case(CaseDocument::from_text(text, "case.json"), [&](CaseNode& root) {
      root.object("wall", "", [&](CaseNode& node) {
        found = (*node.formula("heat", {"x"}, "Heat."))(std::vector<double>{2});
      });
    });
    return found;
  };
  EXPECT_EQ(read(R"_({"wall": {"heat": 3}})_"), 3);
  EXPECT_EQ(read(R"_({"wall": {"heat": "3*x"}})_"), 6);
  EXPECT_EQ(input_error([&] { read(R"_({"wall": {"heat": "3*"}})_"); }),
            "case.json: wall.heat: found \"3*\", must be a formula; at character 3: found the end, "
            "must be a number, a variable (x), pi, a function or \"(\"");
  EXPECT_EQ(input_error([&] { read(R"_({"wall": {"heat": true}})_"); }),
            "case.json: wall.heat: found true (boolean), must be a number or a formula of x");
}

TEST(Formula, KnowsItsVariables) {
  const Formula formula("x + 0*t", {"x", "y", "t"});
  EXPECT_TRUE(formula.uses(0));
  EXPECT_FALSE(formula.uses(1));
  EXPECT_TRUE(formula.uses(2));
  EXPECT_FALSE(Formula(1).uses(0));
}

}  // namespace
}  // namespace knudsen::test
