#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace knudsen {

// Plots as SVG elements for an HTML page that has `plot_style()` in a <style> element. The colours
// come from there, so that plots follow the reader's light or dark scheme. All texts are plain text
// and are escaped here.

/// What every plot has.
struct PlotFrame {
  std::string id;           ///< unique in the page
  std::string title;        ///< drawn above the plot
  std::string description;  ///< for readers who cannot see the plot
};

/// Shape of a point. `swatch` is a small coloured box for legends of colours and bars.
enum class Marker { none, circle, square, triangle, diamond, cross, swatch };
/// The line through the points of a series.
enum class Stroke { none, solid, dashed };

struct PlotAxis {
  std::string label;  ///< with unit
  bool logarithmic = false;
  std::optional<double> minimum, maximum;  ///< if not given, from the data
  std::vector<double> ticks;               ///< if empty, chosen by axis_ticks
};

struct PlotPoint {
  double x = 0, y = 0;
  std::string label;  ///< browsers show it when the pointer is on the point
};

struct PlotSeries {
  /// The colour of what belongs to no series, such as a legend of marker shapes.
  static constexpr std::size_t neutral_colour = static_cast<std::size_t>(-1);

  std::string name;  ///< in the legend; no entry if empty
  std::vector<PlotPoint> points;
  std::size_t colour = 0;  ///< number of the colour; they repeat after eight
  Marker marker = Marker::circle;
  Stroke stroke = Stroke::solid;
};

/// Series over two axes. Points that are not finite, or not positive on a logarithmic axis, are
/// left out. Lines are clipped to the ranges of the axes. In the legend a change of stroke starts a
/// new row.
struct LinePlot {
  PlotFrame frame;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
};

/// Horizontal bars with their values beside them, in groups: a group for each category, in it a bar
/// for each series.
struct BarPlot {
  struct Series {
    std::string name;
    std::vector<std::optional<double>> values;  ///< per category; nothing for no bar
  };
  PlotFrame frame;
  std::string value_label;          ///< of the axis
  std::string value_suffix;         ///< after each bar's value
  std::optional<double> reference;  ///< a dashed line across all bars
  std::vector<std::string> categories;
  std::vector<Series> series;
};

/// The marker of item `i` of a list whose items differ by shape; shapes repeat.
Marker marker_shape(std::size_t i);
/// The CSS of the plots: fonts, and colours for light, dark and print.
std::string plot_style();
/// The plot as an <svg> element.
std::string draw(const LinePlot& plot);
std::string draw(const BarPlot& plot);

/// Ticks on [minimum, maximum]: multiples of 1, 2 or 5 times a power of ten. On logarithmic axes,
/// powers of ten, with multiples between them if these are few.
std::vector<double> axis_ticks(double minimum, double maximum, bool logarithmic);

}  // namespace knudsen
