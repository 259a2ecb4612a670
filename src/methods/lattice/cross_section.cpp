#include "methods/lattice/cross_section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/error.hpp"

namespace knudsen::lbm {
namespace {

constexpr double half_way = 0.5;

/// The node beside (a, b) along an axis; nothing beyond an end that is not periodic.
std::optional<std::array<int, 2>> beside(const CrossSection& section, std::array<int, 2> at,
                                         int axis, int direction) {
  const auto d = static_cast<std::size_t>(axis);
  at[d] += direction;
  if (at[d] >= 0 && at[d] < section.nodes[d]) return at;
  const SectionEnd end = section.ends[d][direction > 0 ? 1 : 0];
  if (end != SectionEnd::periodic) return {};
  at[d] = direction > 0 ? 0 : section.nodes[d] - 1;
  return at;
}

/// Calls body(a, b) for all open nodes.
template <class Body>
void for_open(const CrossSection& section, const Body& body) {
  for (int b = 0; b < section.nodes[1]; ++b) {
    for (int a = 0; a < section.nodes[0]; ++a) {
      if (section.is_open[section.index(a, b)] != 0) body(a, b);
    }
  }
}

void scale_to_mean(const CrossSection& section, std::vector<double>& shape) {
  double sum = 0;
  double count = 0;
  for_open(section, [&](int a, int b) {
    sum += shape[section.index(a, b)];
    ++count;
  });
  for (double& value : shape) value *= count / sum;
}

void require_walls(const CrossSection& section) {
  const auto is_wall = [](const auto& axis) {
    return axis[0] == SectionEnd::wall || axis[1] == SectionEnd::wall;
  };
  const auto solid = std::count(section.is_open.begin(), section.is_open.end(), 0);
  if (solid == std::ssize(section.is_open)) {
    throw InputError("the side has no open node, must have one");
  }
  if (solid == 0 && !is_wall(section.ends[0]) && !is_wall(section.ends[1])) {
    throw InputError(
        "the side has neither walls at its edges nor solids, must have some: without walls a "
        "profile is \"uniform\"");
  }
  if (section.walls_move) {
    throw InputError("walls or solids at the side move, must be at rest; give formulas or a file");
  }
}

/// The equation of an open node: diagonal x u - sum of weights x u of its neighbours = 1.
struct Row {
  std::size_t node;
  double diagonal = 0;
  std::array<std::size_t, 4> neighbours{};
  std::array<double, 4> weights{};
};

/// Distance to the wall beside a node in a direction; nothing if there is no wall.
std::optional<double> distance_to_wall(const CrossSection& section, std::array<int, 2> at, int axis,
                                       int direction,
                                       const std::optional<std::array<int, 2>>& next) {
  if (!next) {
    const auto& ends = section.ends[static_cast<std::size_t>(axis)];
    const bool wall = ends[direction > 0 ? 1 : 0] == SectionEnd::wall;
    return wall ? std::optional(half_way) : std::nullopt;
  }
  if (section.is_open[section.index((*next)[0], (*next)[1])] != 0) return {};
  const double given =
      section.wall_distance ? section.wall_distance(at[0], at[1], axis, direction) : -1;
  constexpr double least = 1e-6;  // a node on the surface has the velocity of the wall
  return given < 0 ? half_way : std::max(given, least);
}

/// The equations of all open nodes.
std::vector<Row> equations(const CrossSection& section) {
  std::vector<Row> rows;
  for_open(section, [&](int a, int b) {
    Row row{section.index(a, b), 0, {}, {}};
    for (int axis = 0; axis < 2; ++axis) {
      const std::size_t first = 2 * static_cast<std::size_t>(axis);
      // The differences are exact for parabolas between the edges. At solids they are not, so that
      // the matrix remains similar to a symmetric one, for which over-relaxation converges.
      double width = 2;
      for (std::size_t end = 0; end < 2; ++end) {
        const int direction = end == 0 ? -1 : 1;
        const auto next = beside(section, {a, b}, axis, direction);
        const auto distance = distance_to_wall(section, {a, b}, axis, direction, next);
        row.neighbours[first + end] = row.node;
        if (distance) {
          row.weights[first + end] = 1 / *distance;
          if (!next) width -= half_way;
        } else if (next) {
          row.neighbours[first + end] = section.index((*next)[0], (*next)[1]);
          row.weights[first + end] = row.neighbours[first + end] == row.node ? 0 : 1;
        }
      }
      for (std::size_t k = first; k < first + 2; ++k) {
        row.weights[k] *= 2 / width;
        row.diagonal += row.weights[k];
        if (row.neighbours[k] == row.node) row.weights[k] = 0;  // the velocity of a wall
      }
    }
    rows.push_back(row);
  });
  return rows;
}

}  // namespace

std::vector<double> fully_developed_shape(const CrossSection& section) {
  require_walls(section);
  std::vector<double> u(section.size(), 0);
  const std::vector<Row> rows = equations(section);
  // At least the best factor of a section this wide: larger ones converge as their own factor less
  // one, so that no section converges more slowly than a square with walls at twice its width.
  const double width = 2.0 * std::max(section.nodes[0], section.nodes[1]);
  const double factor = 2 / (1 + std::sin(std::numbers::pi / width));
  constexpr double tolerance = 1e-10;
  for (double change = 1, most = 0; change > tolerance * (2 - factor) * most;) {
    change = 0;
    most = 0;
    for (const Row& row : rows) {
      double sum = 1;
      for (std::size_t k = 0; k < 4; ++k) sum += row.weights[k] * u[row.neighbours[k]];
      const double step = factor * (sum / row.diagonal - u[row.node]);
      u[row.node] += step;
      change = std::max(change, std::abs(step));
      most = std::max(most, u[row.node]);
    }
  }
  scale_to_mean(section, u);
  return u;
}

std::vector<double> power_law_shape(const CrossSection& section, double exponent) {
  require_walls(section);
  // Solid nodes at a surface.
  std::vector<std::array<int, 2>> surface;
  std::vector<unsigned char> listed(section.size(), 0);
  for_open(section, [&](int a, int b) {
    for (const auto& [axis, direction] : {std::array{0, -1}, {0, 1}, {1, -1}, {1, 1}}) {
      const auto next = beside(section, {a, b}, axis, direction);
      if (!next) continue;
      const std::size_t n = section.index((*next)[0], (*next)[1]);
      if (section.is_open[n] != 0 || listed[n] != 0) continue;
      listed[n] = 1;
      surface.push_back(*next);
    }
  });
  std::vector<double> shape(section.size(), 0);
  for_open(section, [&](int a, int b) {
    const std::array<int, 2> at{a, b};
    double distance = HUGE_VAL;
    for (std::size_t d = 0; d < 2; ++d) {
      if (section.ends[d][0] == SectionEnd::wall) distance = std::min(distance, at[d] + half_way);
      if (section.ends[d][1] == SectionEnd::wall) {
        distance = std::min(distance, section.nodes[d] - at[d] - half_way);
      }
    }
    for (const auto& solid : surface) {
      double square = 0;
      for (std::size_t d = 0; d < 2; ++d) {
        int apart = std::abs(solid[d] - at[d]);
        if (section.ends[d][0] == SectionEnd::periodic) {
          apart = std::min(apart, section.nodes[d] - apart);
        }
        square += double(apart) * apart;
      }
      distance = std::min(distance, std::sqrt(square) - half_way);
    }
    shape[section.index(a, b)] = std::pow(distance, 1 / exponent);
  });
  scale_to_mean(section, shape);
  return shape;
}

}  // namespace knudsen::lbm
