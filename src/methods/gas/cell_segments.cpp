#include "methods/gas/cell_segments.hpp"

#include <cmath>

#include "core/sides.hpp"
#include "kinetic/case/gas_case.hpp"

namespace knudsen {
namespace {

/// Smallest cell width over the extent of the domain along its axis.
constexpr double min_relative_width = 1e-9;

/// Appends the edges of cells that fill `length`, each `ratio` times as wide as the one before.
void add_segment(std::vector<double>& edges, double length, std::int64_t cells, double ratio) {
  const double begin = edges.back();
  double total = 0;
  for (std::int64_t i = 0; i < cells; ++i) total += std::pow(ratio, static_cast<double>(i));
  double sum = 0;
  for (std::int64_t i = 0; i < cells; ++i) {
    sum += std::pow(ratio, static_cast<double>(i));
    edges.push_back(begin + length * (sum / total));
  }
}

}  // namespace

void add_uniform(std::vector<double>& edges, double length, std::int64_t cells) {
  const double begin = edges.back();
  for (std::int64_t i = 1; i <= cells; ++i) {
    edges.push_back(begin + length * (static_cast<double>(i) / static_cast<double>(cells)));
  }
}

void check_widths(const CaseNode& domain, const std::string& key, std::size_t axis,
                  const std::vector<double>& edges) {
  const double extent = edges.back() - edges.front();
  double least = extent;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const double width = edges[i + 1] - edges[i];
    if (!(width >= least)) least = width;
  }
  domain.check_derived(key, "smallest cell width along " + axis_names[axis] + " over its extent",
                       least / extent, Range::at_least(min_relative_width));
}

std::array<std::vector<double>, 3> read_segments(CaseNode& domain, const GasUnits& units,
                                                 const std::array<double, 3>& corner) {
  std::array<std::vector<double>, 3> segments;
  for (std::size_t d = 0; d < 3; ++d) {
    segments[d].push_back(corner[d]);
    domain.list(axis_names[d],
                "Segments of cells along " + axis_names[d] +
                    ", in ascending order, instead of `cells` and `size`. If one axis has "
                    "segments, all have.",
                [&](CaseNode& segment) {
                  const auto count = segment.require_integer(
                      "cells", "Number of cells of the segment.", Range::between(1, 1000000));
                  const double length = units.length().require_number(
                      segment, "length", "Length of the segment.", size_range);
                  const double ratio = segment.number_or(
                      "ratio", 1, "Ratio of the width of a cell to that of the cell before it.",
                      Range::between(0.5, 2));
                  if (segment.describing()) return;
                  const double before = static_cast<double>(segments[d].size()) - 1;
                  segment.check_derived("cells", "number of cells along " + axis_names[d],
                                        before + static_cast<double>(count),
                                        Range::between(1, max_cells_of_axis));
                  if (ratio == 1) {
                    add_uniform(segments[d], length, count);
                  } else {
                    add_segment(segments[d], length, count, ratio);
                  }
                });
  }
  return segments;
}

std::size_t count_segmented(const CaseNode& domain,
                            const std::array<std::vector<double>, 3>& segments) {
  std::size_t count = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (segments[d].size() == 1) continue;
    if (count != d) domain.fail(axis_names[d], "the axes before this one must have segments, too");
    ++count;
  }
  return count;
}

}  // namespace knudsen
