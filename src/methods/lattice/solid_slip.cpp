#include "methods/lattice/solid_slip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lattice/d2q9.hpp"
#include "lattice/d3q19.hpp"
#include "methods/lattice/slip.hpp"

namespace knudsen::lbm {
namespace {

/// Links of a node to walls whose normals differ by less than 30 degrees are those of one wall.
constexpr double smooth_wall = 0.866;
/// Those of walls on opposite sides of a node differ by more than 120 degrees.
constexpr double opposite_walls = -0.5;

template <std::size_t N>
double dot(const std::array<double, N>& a, const std::array<double, N>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += a[i] * b[i];
  return sum;
}

template <class Velocities>
Direction<Velocities::dimensions> velocity(int q) {
  Direction<Velocities::dimensions> c{};
  for (int a = 0; a < Velocities::dimensions; ++a) {
    c[static_cast<std::size_t>(a)] = Velocities::velocity(q, a);
  }
  return c;
}

/// Whether a normal is along an axis or a diagonal between two axes.
template <std::size_t N>
bool is_aligned(const std::array<double, N>& normal) {
  constexpr double rounding = 1e-9;
  std::array<double, N> size{};
  std::transform(normal.begin(), normal.end(), size.begin(), [](double n) { return std::fabs(n); });
  std::sort(size.rbegin(), size.rend());
  const double rest = N > 2 ? size[2] : 0;
  return rest <= rounding && std::min(size[1], size[0] - size[1]) <= rounding;
}

/// Directions along a wall, normal to each other.
std::array<Direction<2>, 1> tangents_of(const Direction<2>& n) { return {{{-n[1], n[0]}}}; }
std::array<Direction<3>, 2> tangents_of(const Direction<3>& n) {
  // Across the axis that the normal is least along.
  const auto axis = static_cast<std::size_t>(
      std::min_element(n.begin(), n.end(),
                       [](double a, double b) { return std::fabs(a) < std::fabs(b); }) -
      n.begin());
  const std::size_t next = (axis + 1) % 3;
  const std::size_t last = (axis + 2) % 3;
  const double length = std::hypot(n[next], n[last]);
  Direction<3> first{};
  first[next] = n[last] / length;
  first[last] = -n[next] / length;
  return {{first,
           {n[1] * first[2] - n[2] * first[1], n[2] * first[0] - n[0] * first[2],
            n[0] * first[1] - n[1] * first[0]}}};
}

/// A direction along a wall with the normal n, turned to one along a wall with the normal m.
template <std::size_t N>
std::array<double, N> turned(const std::array<double, N>& along, const std::array<double, N>& n,
                             const std::array<double, N>& m) {
  const double turn = dot(along, m) / (1 + dot(n, m));
  std::array<double, N> result{};
  for (std::size_t a = 0; a < N; ++a) result[a] = along[a] - turn * (n[a] + m[a]);
  return result;
}

/// Replaces the right-hand sides of the linear equations by their solutions (Gauss).
template <std::size_t N, class Row>
void solve(std::array<std::array<double, N>, N>& matrix, std::array<Row, N>& right) {
  const auto take = [&](std::size_t from, std::size_t row, double factor) {
    for (std::size_t j = 0; j < N; ++j) matrix[row][j] -= factor * matrix[from][j];
    for (std::size_t q = 0; q < right[row].size(); ++q) right[row][q] -= factor * right[from][q];
  };
  for (std::size_t i = 0; i < N; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i + 1; j < N; ++j) {
      if (std::fabs(matrix[j][i]) > std::fabs(matrix[pivot][i])) pivot = j;
    }
    std::swap(matrix[i], matrix[pivot]);
    std::swap(right[i], right[pivot]);
    for (std::size_t j = 0; j < N; ++j) {
      if (j != i) take(i, j, matrix[j][i] / matrix[i][i]);
    }
  }
  for (std::size_t i = 0; i < N; ++i) {
    for (double& value : right[i]) value /= matrix[i][i];
  }
}

/// What walls add at a node with these cut links, `wall` being nearest.
template <class Velocities>
SlipClass<double, Velocities::dimensions> slip_class(
    const SolidSlip& slip, const std::vector<SlipLink<Velocities::dimensions>>& links,
    const SlipWall<Velocities::dimensions>& wall, double of_wall, bool exact) {
  constexpr int dimensions = Velocities::dimensions;
  constexpr auto all = static_cast<std::size_t>(dimensions - 1);  // directions along the wall
  constexpr std::size_t terms = 2 * all;
  using Values = std::array<double, Velocities::populations>;
  const double even = slip.relaxation_time - 0.5;
  const double antisymmetric_time = slip.magic / even + 0.5;
  const auto& n = wall.normal;
  const auto tangents = tangents_of(n);
  const auto weight = [](std::size_t q) {
    return Velocities::template weight<double>(static_cast<int>(q));
  };

  // The shear rate at the node, and the second derivative along the normal of the velocity along
  // the wall, as functions of the populations.
  std::array<Values, terms> measured{};
  std::array<std::array<double, all>, all> norm{};
  std::array<Values, all> third{};
  for (std::size_t q = 0; q < Velocities::populations; ++q) {
    const auto c = velocity<Velocities>(static_cast<int>(q));
    const double normal = dot(c, n);
    for (std::size_t i = 0; i < all; ++i) {
      const double along = dot(c, tangents[i]);
      measured[i][q] = -3 * along * normal / slip.relaxation_time;
      third[i][q] = along * (normal * normal - 1.0 / 3);
      for (std::size_t j = 0; j < all; ++j) {
        norm[i][j] += 3 * antisymmetric_time * even * weight(q) * third[i][q] *
                      dot(c, tangents[j]) * normal * normal;
      }
    }
  }
  if (exact) solve(norm, third);
  for (std::size_t i = 0; i < all; ++i) {
    if (exact) {
      measured[all + i] = third[i];
      continue;
    }
    // Beside a curved wall without a pressure gradient, 0 along a straight one.
    double mean = 0;
    for (std::size_t a = 0; a < n.size(); ++a) mean += wall.curvature[a][a];
    for (std::size_t j = 0; j < all; ++j) {
      double curvature = i == j ? mean : 0;
      for (std::size_t a = 0; a < n.size(); ++a) {
        curvature += tangents[i][a] * dot(wall.curvature[a], tangents[j]);
      }
      for (std::size_t q = 0; q < Velocities::populations; ++q) {
        measured[all + i][q] -= curvature * measured[j][q];
      }
    }
  }

  // What the links take in for a slip velocity and for a second derivative of one.
  std::array<Values, terms> added{};
  for (const SlipLink<dimensions>& link : links) {
    const auto c = velocity<Velocities>(link.q);
    const auto q = static_cast<std::size_t>(link.q);
    const double normal = dot(c, link.normal);
    for (std::size_t i = 0; i < all; ++i) {
      added[i][q] =
          6 * weight(q) * dot(c, turned(tangents[i], n, link.normal)) / (1 + link.distance);
      added[all + i][q] = added[i][q] * (slip.magic * (normal * normal - 1.0 / 3) -
                                         link.distance * link.distance * normal * normal / 2);
    }
  }

  // accommodation x slip = first (shear rate - distance W) - accommodation x second order W with
  // the second derivative W, where both sides are of the populations after they are added to:
  // equations for slip and W.
  const double path = slip.mean_free_path;
  const double first = first_coefficient(slip.coefficients, of_wall) * path;
  const double of_second =
      first * wall.distance + of_wall * slip.coefficients.second_order * path * path;
  std::array<std::array<double, terms>, terms> matrix{};
  for (std::size_t i = 0; i < terms; ++i) {
    const double factor = i < all ? first : 1;
    for (double& value : measured[i]) value *= factor;
    matrix[i][i] = i < all ? of_wall : 1;
    if (i < all) matrix[i][all + i] = of_second;
    for (std::size_t j = 0; j < terms; ++j) matrix[i][j] -= dot(measured[i], added[j]);
  }
  solve(matrix, measured);
  SlipClass<double, dimensions> found;
  for (std::size_t k = 0; k < terms; ++k) {
    std::copy(measured[k].begin(), measured[k].end(), found.measured[k]);
    std::copy(added[k].begin(), added[k].end(), found.added[k]);
  }
  return found;
}

}  // namespace

bool SolidSlip::any() const {
  return std::any_of(accommodation.begin(), accommodation.end(),
                     [](const auto& each) { return each.has_value(); });
}

template <class Velocities>
SlipAtNode<Velocities::dimensions> SolidSlip::at_node(
    const WallsAtNode<Velocities::dimensions>& walls,
    const std::function<SlipWall<Velocities::dimensions>(
        const SlipLink<Velocities::dimensions>& link)>& nearest) const {
  constexpr int dimensions = Velocities::dimensions;
  auto normals = walls.others;
  const SlipLink<dimensions>* closest = nullptr;
  double distance = std::numeric_limits<double>::infinity();
  double sum = 0;
  std::size_t slipping = 0;
  for (const SlipLink<dimensions>& link : walls.links) {
    normals.push_back(link.normal);
    slipping += slips(link.solid) ? 1 : 0;
    sum += accommodation[static_cast<std::size_t>(link.solid)].value_or(0);
    const double from_node = link.distance * dot(velocity<Velocities>(link.q), link.normal);
    if (from_node >= distance) continue;
    closest = &link;
    distance = from_node;
  }
  if (slipping == 0) return {};
  bool corner = walls.corner;
  for (const auto& a : normals) {
    for (const auto& b : normals) {
      const double cosine = dot(a, b);
      if (cosine < opposite_walls) return {std::nullopt, true, false};
      corner = corner || cosine < smooth_wall;
    }
  }
  if (corner || slipping < walls.links.size()) return {};
  SlipWall<dimensions> wall = nearest(*closest);
  wall.distance = std::min(distance, wall.distance);
  // Along walls that no lattice direction is parallel to, the second derivative of a straight flow
  // would be unstable (NOTES.md of lbm_d2q9).
  const bool exact = wall.curvature == decltype(wall.curvature){} && is_aligned(wall.normal);
  const double of_wall = sum / static_cast<double>(slipping);
  return {slip_class<Velocities>(*this, walls.links, wall, of_wall, exact), false, exact};
}

#define KNUDSEN_INSTANTIATE(Velocities)                                       \
  template SlipAtNode<Velocities::dimensions> SolidSlip::at_node<Velocities>( \
      const WallsAtNode<Velocities::dimensions>&,                             \
      const std::function<SlipWall<Velocities::dimensions>(                   \
          const SlipLink<Velocities::dimensions>&)>&) const;
KNUDSEN_INSTANTIATE(D2Q9)
KNUDSEN_INSTANTIATE(D3Q19)
KNUDSEN_INSTANTIATE(D3Q27)

}  // namespace knudsen::lbm
