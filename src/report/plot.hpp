#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace knudsen {

/// Plots as SVG elements to be put into an HTML page that has `plot_style()` in a <style> element:
/// colours come from there, so that plots follow the reader's light or dark scheme. All texts are
/// plain and are escaped here. Every plot has a title, a description and an `id` unique in its
/// page.
struct PlotFrame {
  std::string id;
  std::string title;
  std::string description;  ///< for readers who do not see the plot
};

/// `swatch` is a small box of colour, for keys of colours and of bars.
enum class Marker { none, circle, square, triangle, diamond, cross, swatch };
enum class Stroke { none, solid, dashed };

struct PlotAxis {
  std::string label;  ///< with unit
  bool logarithmic = false;
  std::optional<double> minimum, maximum;  ///< from the data where not given
  std::vector<double> ticks;               ///< chosen where empty
};

struct PlotPoint {
  double x = 0, y = 0;
  std::string label;  ///< shown by browsers when pointed at
};

struct PlotSeries {
  /// Number of the colour for what stands apart from all series, as in keys of marker shapes.
  static constexpr std::size_t neutral_colour = static_cast<std::size_t>(-1);

  std::string name;  ///< in the legend; none there when empty
  std::vector<PlotPoint> points;
  std::size_t colour = 0;  ///< any number; colours come round again after eight
  Marker marker = Marker::circle;
  Stroke stroke = Stroke::solid;
};

/// Series over two axes. Points that have no place on a logarithmic axis, or are not finite, are
/// left out; lines are clipped to the axes' ranges. In the legend a change of stroke begins a new
/// row.
struct LinePlot {
  PlotFrame frame;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
};

/// Horizontal bars in groups, one group a category, one bar a series, with their values written
/// beside them.
struct BarPlot {
  struct Series {
    std::string name;
    std::vector<std::optional<double>> values;  ///< one a category; nothing where there is none
  };
  PlotFrame frame;
  std::string value_label;
  std::string value_suffix;         ///< after each bar's value
  std::optional<double> reference;  ///< a dashed line across all bars
  std::vector<std::string> categories;
  std::vector<Series> series;
};

/// The marker for number `i` of things told apart by shape; shapes come round again.
Marker marker_shape(std::size_t i);
/// Style sheet of the plots: colours (light, dark and print) and fonts.
std::string plot_style();
std::string draw(const LinePlot& plot);
std::string draw(const BarPlot& plot);

/// Places of ticks on [minimum, maximum]: steps of 1, 2 or 5 times a power of ten; on logarithmic
/// axes powers of ten, with multiples between them where these are few.
std::vector<double> axis_ticks(double minimum, double maximum, bool logarithmic);

}  // namespace knudsen
