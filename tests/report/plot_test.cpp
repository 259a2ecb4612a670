#include "report/plot.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace knudsen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

LinePlot line_plot(std::vector<PlotPoint> points) {
  LinePlot plot;
  plot.frame = {"p", "Title", "Description"};
  plot.x.label = "time (s)";
  plot.y.label = "rate (1/s)";
  plot.series = {{"first", std::move(points), 0, Marker::circle, Stroke::solid}};
  return plot;
}

TEST(AxisTicks, LinearStepsAreRound) {
  EXPECT_THAT(axis_ticks(0, 1, false),
              ElementsAre(0, 0.2, testing::DoubleEq(0.4), testing::DoubleNear(0.6, 1e-12), 0.8, 1));
  EXPECT_THAT(axis_ticks(0, 540, false), ElementsAre(0, 100, 200, 300, 400, 500));
  EXPECT_THAT(axis_ticks(-10, 10, false), ElementsAre(-10, -5, 0, 5, 10));
}

TEST(AxisTicks, LogarithmicOnesArePowersOfTen) {
  EXPECT_THAT(axis_ticks(1, 1e5, true), ElementsAre(1, 10, 100, 1e3, 1e4, 1e5));
}

TEST(AxisTicks, FewDecadesGetTicksBetween) {
  EXPECT_THAT(axis_ticks(8, 120, true), ElementsAre(10, 20, 50, 100));
  EXPECT_THAT(axis_ticks(18, 42, true), ElementsAre(20, 30, 40));
}

TEST(AxisTicks, NarrowLogarithmicRangesFallBackToRoundSteps) {
  EXPECT_GE(axis_ticks(4.1, 4.9, true).size(), 2U);
}

TEST(LinePlots, HaveTitleDescriptionAndLabels) {
  const std::string svg = draw(line_plot({{1, 2, "here"}, {2, 3, ""}}));
  EXPECT_THAT(svg, HasSubstr("<title id=\"p-title\">Title</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc id=\"p-desc\">Description</desc>"));
  EXPECT_THAT(svg, HasSubstr(">time (s)</text>"));
  EXPECT_THAT(svg, HasSubstr(">rate (1/s)</text>"));
  EXPECT_THAT(svg, HasSubstr(">first</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>here</title>"));
}

TEST(LinePlots, EscapeAllTexts) {
  LinePlot plot = line_plot({{1, 2, "<&\">"}});
  plot.frame.title = plot.x.label = plot.y.label = plot.series[0].name = "<b>";
  const std::string svg = draw(plot);
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
  EXPECT_THAT(svg, HasSubstr("<title>&lt;&amp;&quot;&gt;</title>"));
}

TEST(LinePlots, LeaveOutWhatHasNoPlace) {
  LinePlot plot = line_plot({{0, 1, ""}, {1, std::nan(""), ""}, {10, 5, ""}, {100, -5, ""}});
  plot.x.logarithmic = plot.y.logarithmic = true;
  const std::string svg = draw(plot);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  // One marker for the point, one in the legend.
  EXPECT_EQ(count(svg, "class=\"marker\""), 2U);
}

TEST(LinePlots, WithoutPointsAreStillPlots) {
  for (const bool logarithmic : {false, true}) {
    LinePlot plot = line_plot({});
    plot.x.logarithmic = plot.y.logarithmic = logarithmic;
    const std::string svg = draw(plot);
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("<polyline")));
  }
}

TEST(LinePlots, OnePointDoesNotMakeAnEmptyRange) {
  EXPECT_THAT(draw(line_plot({{3, 0, ""}})), Not(HasSubstr("nan")));
  LinePlot plot = line_plot({{3, 7, ""}});
  plot.x.logarithmic = plot.y.logarithmic = true;
  EXPECT_THAT(draw(plot), Not(HasSubstr("nan")));
}

TEST(LinePlots, TicksOfLargeValuesArePowers) {
  LinePlot plot = line_plot({{1e5, 1, ""}, {1e9, 2, ""}});
  plot.x.logarithmic = true;
  EXPECT_THAT(draw(plot), HasSubstr(">10⁷</text>"));
}

TEST(LinePlots, GivenTicksAreKept) {
  LinePlot plot = line_plot({{4, 1, ""}, {32, 2, ""}});
  plot.x.logarithmic = true;
  plot.x.ticks = {4, 8, 16, 32};
  for (const char* tick : {">4<", ">8<", ">16<", ">32<"}) EXPECT_THAT(draw(plot), HasSubstr(tick));
}

TEST(LinePlots, EveryMarkerAndManyColoursAreDrawn) {
  LinePlot plot = line_plot({});
  plot.series.clear();
  for (std::size_t i = 0; i < 12; ++i)
    plot.series.push_back({"series",
                           {{1.0 + static_cast<double>(i), 1, ""}},
                           i,
                           i == 11 ? Marker::none : marker_shape(i),
                           Stroke::dashed});
  const std::string svg = draw(plot);
  EXPECT_EQ(count(svg, "class=\"marker\"") + count(svg, "class=\"cross\""), 22U);
  EXPECT_THAT(svg, Not(HasSubstr("plot-8")));
}

TEST(BarPlots, DrawOneBarAValueAndADashForNone) {
  BarPlot plot;
  plot.frame = {"b", "Bars", "Of speedup"};
  plot.value_label = "speedup";
  plot.value_suffix = " ×";
  plot.reference = 1;
  plot.categories = {"overall", "<collide>"};
  plot.series = {{"gpu", {12.0, std::nullopt}}, {"cpu", {2.0, 3.0}}};
  const std::string svg = draw(plot);
  EXPECT_EQ(count(svg, "class=\"bar\""), 3U);
  EXPECT_THAT(svg, HasSubstr(">12.00 ×</text>"));
  EXPECT_THAT(svg, HasSubstr(">-</text>"));
  EXPECT_THAT(svg, HasSubstr(">&lt;collide&gt;</text>"));
  EXPECT_EQ(count(svg, "class=\"reference\""), 1U);
}

TEST(PlotStyle, ServesBothSchemes) {
  EXPECT_THAT(plot_style(), HasSubstr("prefers-color-scheme: dark"));
}

}  // namespace
}  // namespace knudsen
