#include "report/text.hpp"

#include <gtest/gtest.h>

namespace knudsen {
namespace {

TEST(Text, EscapesMarkup) {
  EXPECT_EQ(escape_markup("<a href=\"x\">T&C's</a>"),
            "&lt;a href=&quot;x&quot;&gt;T&amp;C&#39;s&lt;/a&gt;");
  EXPECT_EQ(escape_markup("µ\n\t"), "µ\n\t");
  EXPECT_EQ(escape_markup(std::string("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
}

TEST(Text, ShortNumbersKeepThreeToFourDigits) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(0.0123), "0.0123");
  EXPECT_EQ(short_number(0.00187), "0.00187");
  EXPECT_EQ(short_number(0.5), "0.500");
  EXPECT_EQ(short_number(1), "1.000");
  EXPECT_EQ(short_number(52.3444), "52.34");
  EXPECT_EQ(short_number(99.999), "100.0");
  EXPECT_EQ(short_number(999.99), "1000");
  EXPECT_EQ(short_number(4270.2), "4270");
  EXPECT_EQ(short_number(2.5e7), "2.5e+07");
  EXPECT_EQ(short_number(0.000123), "1.23e-04");
}

TEST(Text, PrefixesFollowTheSize) {
  EXPECT_EQ(with_prefix(0, "s"), "0 s");
  EXPECT_EQ(with_prefix(1, "s"), "1.000 s");
  EXPECT_EQ(with_prefix(1.23e-3, "s"), "1.230 ms");
  EXPECT_EQ(with_prefix(1e-6, "s"), "1.000 µs");
  EXPECT_EQ(with_prefix(0.99999e-3, "s"), "1.000 ms");
  EXPECT_EQ(with_prefix(5.234e10, ""), "52.34 G");
  EXPECT_EQ(with_prefix(9.7e15, ""), "9700 T");
  EXPECT_EQ(with_prefix(5e-11, "s"), "0.0500 ns");
}

TEST(Text, PercentHasOneDecimal) {
  EXPECT_EQ(percent(0.8821), "88.2 %");
  EXPECT_EQ(percent(-0.0311), "-3.1 %");
  EXPECT_EQ(percent(-0.0001), "0.0 %");
  EXPECT_EQ(percent(1e60), "1e+62 %");
}

TEST(Text, ColumnsAreAligned) {
  EXPECT_EQ(
      align_columns({{"", "time"}, {"a heading wider than all"}, {"cpu", "1 µs"}, {"g", "-"}}, 1),
      "     time\na heading wider than all\ncpu  1 µs\ng       -\n");
  EXPECT_EQ(align_columns({{"a", "b"}, {"long", "x"}}, 2), "a     b\nlong  x\n");
}

}  // namespace
}  // namespace knudsen
