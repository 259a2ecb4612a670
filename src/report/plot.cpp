#include "report/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "report/text.hpp"

namespace knudsen {
namespace {

constexpr std::size_t colours = 8;
constexpr double width = 760;
constexpr double character_width = 6.9;  // an upper estimate of the mean at the labels' font size

std::string number(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.2f", value);
  return buffer.data();
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + number(value) + '"';
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return "<line class=\"" + std::string(style) + '"' + attribute("x1", x1) + attribute("y1", y1) +
         attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}

std::string label(double x, double y, const char* anchor, const std::string& text,
                  const std::string& more = "") {
  return "<text text-anchor=\"" + std::string(anchor) + '"' + attribute("x", x) +
         attribute("y", y) + more + ">" + escape_markup(text) + "</text>\n";
}

std::string power_of_ten(int exponent) {
  static constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴",
                                                      "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : std::to_string(exponent))
    text += c == '-' ? "⁻" : digits.at(static_cast<std::size_t>(c - '0'));
  return text;
}

std::string tick_text(double value) {
  const double size = std::fabs(value);
  if (size != 0 && (size >= 1e5 || size < 1e-3)) {
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    const double factor = value / std::pow(10.0, exponent);
    if (std::fabs(factor - 1) < 1e-9) return power_of_ten(exponent);
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.3g·", factor);
    return buffer.data() + power_of_ten(exponent);
  }
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.6g", value);
  return buffer.data();
}

/// Maps values to pixels along an axis.
struct Mapping {
  double minimum, maximum;
  bool logarithmic;
  double first_pixel, last_pixel;

  bool accepts(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
  double operator()(double value) const {
    const auto scale = [this](double v) { return logarithmic ? std::log(v) : v; };
    const double fraction = (scale(value) - scale(minimum)) / (scale(maximum) - scale(minimum));
    return first_pixel + fraction * (last_pixel - first_pixel);
  }
};

/// The mapping for the given range of an axis or, if none is given, the range of the values with a
/// margin. The range is never empty.
Mapping make_mapping(const PlotAxis& axis, const std::vector<double>& values, double first_pixel,
                     double last_pixel) {
  Mapping mapping{0, 0, axis.logarithmic, first_pixel, last_pixel};
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (!mapping.accepts(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = high = 1;
  if (axis.logarithmic) {
    // At least a factor of four, lest small differences look large.
    const double room = std::max(1.2, std::sqrt(4 / (high / low)));
    low /= room;
    high *= room;
  } else {
    low = std::min(low, 0.0);
    high = high > low ? high + 0.06 * (high - low) : low + 1;
  }
  mapping.minimum = axis.minimum.value_or(low);
  mapping.maximum = axis.maximum.value_or(high);
  return mapping;
}

std::string draw_marker(Marker marker, double x, double y, const std::string& title) {
  constexpr double r = 4.5;
  const auto at = [&](const char* command, double dx, double dy) {
    return command + number(x + dx * r) + ' ' + number(y + dy * r);
  };
  std::string path;
  switch (marker) {
    case Marker::none:
      return "";
    case Marker::circle:
      path = at("M", -1, 0) + "a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z";
      break;
    case Marker::square:
      path = at("M", -0.9, -0.9) + "h8.1v8.1h-8.1Z";
      break;
    case Marker::triangle:
      path = at("M", 0, -1.15) + at("L", 1.1, 0.85) + at("L", -1.1, 0.85) + "Z";
      break;
    case Marker::diamond:
      path = at("M", 0, -1.25) + at("L", 1.25, 0) + at("L", 0, 1.25) + at("L", -1.25, 0) + "Z";
      break;
    case Marker::cross:
      path = at("M", -0.9, -0.9) + at("L", 0.9, 0.9) + at("M", -0.9, 0.9) + at("L", 0.9, -0.9);
      break;
    case Marker::swatch:
      path = at("M", -2, -1.1) + "h18v9.9h-18Z";
      break;
  }
  const char* style = marker == Marker::cross ? "cross" : "marker";
  std::string svg = "<path class=\"" + std::string(style) + "\" d=\"" + path + "\">";
  if (!title.empty()) svg += "<title>" + escape_markup(title) + "</title>";
  return svg + "</path>\n";
}

std::string colour_group(std::size_t colour) {
  if (colour == PlotSeries::neutral_colour) return "<g>\n";
  return std::string("<g class=\"plot-").append(std::to_string(colour % colours)).append("\">\n");
}

/// Draws the legend's entries side by side, from `top` downwards, in as many rows as they need.
/// Sets `bottom` to where they end.
std::string draw_legend(const std::vector<PlotSeries>& series, double left, double top,
                        double& bottom) {
  constexpr double row = 20;
  constexpr double key = 30;
  std::string svg;
  double x = left;
  double y = top + row / 2;
  const PlotSeries* previous = nullptr;
  for (const PlotSeries& entry : series) {
    if (entry.name.empty()) continue;
    // The number of bytes is at least the number of characters.
    const double needed = key + character_width * static_cast<double>(entry.name.size()) + 12;
    const bool other_kind = previous != nullptr && previous->stroke != entry.stroke;
    if (x > left && (other_kind || x + needed > width)) {
      x = left;
      y += row;
    }
    svg += colour_group(entry.colour);
    if (entry.stroke != Stroke::none)
      svg += line(x, y, x + 24, y, entry.stroke == Stroke::dashed ? "curve dashed" : "curve");
    svg += draw_marker(entry.marker, x + 12, y, "") + "</g>\n";
    svg += label(x + key, y + 4, "start", entry.name);
    x += needed;
    previous = &entry;
  }
  bottom = previous != nullptr ? y + row / 2 : top;
  return svg;
}

std::string wrap(const PlotFrame& frame, double height, const std::string& content) {
  const std::string id = escape_markup(frame.id);
  const std::string size = number(width) + " " + number(height);
  return "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size +
         "\" role=\"img\" aria-labelledby=\"" + id + "-title " + id + "-desc\">\n<title id=\"" +
         id + "-title\">" + escape_markup(frame.title) + "</title>\n<desc id=\"" + id + "-desc\">" +
         escape_markup(frame.description) + "</desc>\n" +
         label(width / 2, 20, "middle", frame.title, " class=\"heading\"") + content + "</svg>\n";
}

std::vector<double> ticks_of(const PlotAxis& axis, const Mapping& mapping) {
  return axis.ticks.empty() ? axis_ticks(mapping.minimum, mapping.maximum, axis.logarithmic)
                            : axis.ticks;
}

/// Ticks without labels at 2 to 9 times the powers of ten.
std::vector<double> minor_ticks(const Mapping& mapping) {
  std::vector<double> ticks;
  const double decades = std::log10(mapping.maximum / mapping.minimum);
  if (!mapping.logarithmic || decades > 6) return ticks;
  for (double power = std::pow(10.0, std::floor(std::log10(mapping.minimum)));
       power < mapping.maximum; power *= 10)
    for (int i = 2; i < 10; ++i)
      if (power * i > mapping.minimum && power * i < mapping.maximum) ticks.push_back(power * i);
  return ticks;
}

// Edges of a line plot's area in pixels.
constexpr double left = 78, right = width - 20, top = 38, bottom = 372;

std::string draw_axes(const LinePlot& plot, const Mapping& x, const Mapping& y) {
  std::string svg;
  for (const double tick : ticks_of(plot.x, x)) {
    svg += line(x(tick), top, x(tick), bottom, "grid");
    svg += line(x(tick), bottom, x(tick), bottom - 6, "axis");
    svg += label(x(tick), bottom + 18, "middle", tick_text(tick));
  }
  for (const double tick : ticks_of(plot.y, y)) {
    svg += line(left, y(tick), right, y(tick), "grid");
    svg += line(left, y(tick), left + 6, y(tick), "axis");
    svg += label(left - 8, y(tick) + 4, "end", tick_text(tick));
  }
  if (plot.x.ticks.empty())
    for (const double tick : minor_ticks(x))
      svg += line(x(tick), bottom, x(tick), bottom - 3, "axis");
  for (const double tick : minor_ticks(y)) svg += line(left, y(tick), left + 3, y(tick), "axis");
  svg += "<rect class=\"axis\"" + attribute("x", left) + attribute("y", top) +
         attribute("width", right - left) + attribute("height", bottom - top) + "/>\n";
  svg += label((left + right) / 2, bottom + 40, "middle", plot.x.label);
  const double middle = (top + bottom) / 2;
  svg += label(18, middle, "middle", plot.y.label,
               " transform=\"rotate(-90 18 " + number(middle) + ")\"");
  return svg;
}

std::string draw_series(const LinePlot& plot, const Mapping& x, const Mapping& y) {
  const std::string clip = escape_markup(plot.frame.id) + "-area";
  std::string svg = "<clipPath id=\"" + clip + "\"><rect" + attribute("x", left) +
                    attribute("y", top) + attribute("width", right - left) +
                    attribute("height", bottom - top) + "/></clipPath>\n<g clip-path=\"url(#" +
                    clip + ")\">\n";
  for (const PlotSeries& series : plot.series) {
    std::string places, markers;
    for (const PlotPoint& point : series.points) {
      if (!x.accepts(point.x) || !y.accepts(point.y)) continue;
      if (!places.empty()) places += ' ';
      places += number(x(point.x)) + "," + number(y(point.y));
      markers += draw_marker(series.marker, x(point.x), y(point.y), point.label);
    }
    svg += colour_group(series.colour);
    if (series.stroke != Stroke::none && !places.empty())
      svg += "<polyline class=\"curve" +
             std::string(series.stroke == Stroke::dashed ? " dashed" : "") + "\" points=\"" +
             places + "\"/>\n";
    svg += markers + "</g>\n";
  }
  svg += "</g>\n";
  return svg;
}

}  // namespace

Marker marker_shape(std::size_t i) {
  static constexpr std::array<Marker, 5> shapes{Marker::circle, Marker::square, Marker::triangle,
                                                Marker::diamond, Marker::cross};
  return shapes.at(i % shapes.size());
}

std::vector<double> axis_ticks(double minimum, double maximum, bool logarithmic) {
  constexpr double tolerance = 1e-9;
  std::vector<double> ticks;
  if (logarithmic) {
    const double decades = std::log10(maximum / minimum);
    std::vector<int> factors{1};
    if (decades <= 1)
      factors = {1, 2, 3, 4, 5, 6, 8};
    else if (decades <= 3.5)
      factors = {1, 2, 5};
    for (int e = static_cast<int>(std::floor(std::log10(minimum))); std::pow(10.0, e) <= maximum;
         ++e)
      for (const int factor : factors) {
        const double tick = factor * std::pow(10.0, e);
        if (tick >= minimum * (1 - tolerance) && tick <= maximum * (1 + tolerance))
          ticks.push_back(tick);
      }
    if (ticks.size() >= 2) return ticks;
    ticks.clear();
  }
  const double rough = (maximum - minimum) / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double rest = rough / power;
  const double step = power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
  for (double i = std::ceil(minimum / step - tolerance); i * step <= maximum + tolerance * step;
       ++i)
    ticks.push_back(i == 0 ? 0 : i * step);  // not -0
  return ticks;
}

std::string plot_style() {
  return R"(:root {
  --plot-0: #0b63a8; --plot-1: #d1500c; --plot-2: #0a8a5f; --plot-3: #a8437f;
  --plot-4: #b07d00; --plot-5: #2a9bc4; --plot-6: #6a4fb3; --plot-7: #6b6b6b;
  --plot-ink: #24292f; --plot-grid: #b6bcc3; --plot-paper: #ffffff;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --plot-0: #62b0ee; --plot-1: #ff9457; --plot-2: #4cc79a; --plot-3: #e28bc0;
    --plot-4: #e5b83c; --plot-5: #7fd6f2; --plot-6: #b09cf0; --plot-7: #a8a8a8;
    --plot-ink: #d7dce2; --plot-grid: #4c545e; --plot-paper: #14181d;
  }
}
.plot { display: block; width: 100%; max-width: 760px; height: auto; margin: 0 auto;
  font: 12px system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: var(--plot-ink); }
.plot text { fill: var(--plot-ink); }
.plot .heading { font-size: 15px; font-weight: 600; }
.plot .axis { stroke: var(--plot-ink); stroke-width: 1; fill: none; }
.plot .grid { stroke: var(--plot-grid); stroke-width: 1; stroke-dasharray: 1 3; }
.plot .reference { stroke: var(--plot-ink); stroke-width: 1.2; stroke-dasharray: 6 4; }
.plot .curve { stroke: currentColor; stroke-width: 2; fill: none; stroke-linejoin: round; }
.plot .dashed { stroke-dasharray: 7 4; }
.plot .marker { fill: currentColor; stroke: var(--plot-paper); stroke-width: 1; }
.plot .cross { fill: none; stroke: currentColor; stroke-width: 2.2; }
.plot .bar { fill: currentColor; }
.plot-0 { color: var(--plot-0); } .plot-1 { color: var(--plot-1); }
.plot-2 { color: var(--plot-2); } .plot-3 { color: var(--plot-3); }
.plot-4 { color: var(--plot-4); } .plot-5 { color: var(--plot-5); }
.plot-6 { color: var(--plot-6); } .plot-7 { color: var(--plot-7); }
)";
}

std::string draw(const LinePlot& plot) {
  std::vector<double> xs, ys;
  for (const PlotSeries& series : plot.series)
    for (const PlotPoint& point : series.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
  const Mapping x = make_mapping(plot.x, xs, left, right);
  const Mapping y = make_mapping(plot.y, ys, bottom, top);
  std::string svg = draw_axes(plot, x, y) + draw_series(plot, x, y);
  double end = 0;
  svg += draw_legend(plot.series, left, bottom + 52, end);
  return wrap(plot.frame, end + 8, svg);
}

std::string draw(const BarPlot& plot) {
  constexpr double bar = 17, gap = 14, right = width - 84, top = 38;
  double left = 60;
  for (const std::string& category : plot.categories)
    left = std::max(left, 16 + character_width * static_cast<double>(category.size()));
  left = std::min(left, width / 2);
  const double group = bar * static_cast<double>(plot.series.size()) + gap;
  const double bottom = top + group * static_cast<double>(plot.categories.size()) + gap;

  std::vector<double> values{plot.reference.value_or(0)};
  for (const BarPlot::Series& series : plot.series)
    for (const auto& value : series.values) values.push_back(value.value_or(0));
  const Mapping x = make_mapping({}, values, left, right);

  std::string svg;
  for (const double tick : axis_ticks(x.minimum, x.maximum, false)) {
    svg += line(x(tick), top, x(tick), bottom, "grid");
    svg += label(x(tick), bottom + 18, "middle", tick_text(tick));
  }
  for (std::size_t i = 0; i < plot.categories.size(); ++i) {
    const double start = top + gap + group * static_cast<double>(i);
    svg += label(left - 10, start + (group - gap) / 2 + 4, "end", plot.categories[i]);
    for (std::size_t j = 0; j < plot.series.size(); ++j) {
      const std::optional<double> value = plot.series[j].values[i];
      const double y = start + bar * static_cast<double>(j);
      const double end = x(value.value_or(0));
      if (value)
        svg += colour_group(j) + "<rect class=\"bar\"" + attribute("x", left) +
               attribute("y", y + 1) + attribute("width", end - left) +
               attribute("height", bar - 2) + "/>\n</g>\n";
      svg += label(end + 6, y + bar / 2 + 4, "start",
                   value ? short_number(*value) + plot.value_suffix : "-");
    }
  }
  svg += line(left, top, left, bottom, "axis");
  svg += line(left, bottom, right, bottom, "axis");
  if (plot.reference) svg += line(x(*plot.reference), top, x(*plot.reference), bottom, "reference");
  svg += label((left + right) / 2, bottom + 40, "middle", plot.value_label);

  std::vector<PlotSeries> legend;
  for (std::size_t j = 0; j < plot.series.size(); ++j)
    legend.push_back({plot.series[j].name, {}, j, Marker::swatch, Stroke::none});
  double end = 0;
  svg += draw_legend(legend, left, bottom + 52, end);
  return wrap(plot.frame, end + 8, svg);
}

}  // namespace knudsen
