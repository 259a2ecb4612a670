#include "methods/lbm_d3q27/flow_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace knudsen::lbm_d3q27 {
namespace {

/// The place of the velocity of a node in the own planes or beside them.
std::size_t index_of(const BoxFlow& flow, std::array<int, 3> at) {
  const auto axis = static_cast<std::size_t>(flow.planes.axis);
  std::array<int, 3> nodes = flow.nodes;
  nodes[axis] = flow.planes.end - flow.planes.begin + 2;
  at[axis] -= flow.planes.begin - 1;
  return (static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(nodes[1]) +
          static_cast<std::size_t>(at[1])) *
             static_cast<std::size_t>(nodes[0]) +
         static_cast<std::size_t>(at[0]);
}

/// The velocity components in their precision.
template <class Values>
using Components = std::array<const Values*, 3>;

/// Derivative of a velocity component along an axis at a fluid node, with missing neighbours as in
/// `vorticity`.
template <class Values>
double derivative(const BoxFlow& flow, const Values& values, const std::array<int, 3>& at,
                  std::size_t axis) {
  const double here = values[index_of(flow, at)];
  double ends[2] = {here, here};
  int distance = 0;
  for (const int side : {0, 1}) {
    std::array<int, 3> to = at;
    to[axis] += side == 0 ? -1 : 1;
    const int count = flow.nodes[axis];
    const bool across_planes = axis == static_cast<std::size_t>(flow.planes.axis);
    if (!across_planes && (to[axis] < 0 || to[axis] >= count)) {
      if (!flow.periodic[axis]) continue;
      to[axis] = (to[axis] + count) % count;
    }
    const double value = values[index_of(flow, to)];
    if (std::isnan(value)) continue;
    ends[side] = value;
    ++distance;
  }
  return distance == 0 ? 0 : (ends[1] - ends[0]) / distance;
}

/// Calls body(index, curl) for every fluid node in the own planes, which are counted.
template <class Values, class Body>
void for_fluid(const BoxFlow& flow, const Components<Values>& velocity, const Body& body) {
  std::array<int, 3> begin{};
  std::array<int, 3> end = flow.nodes;
  const auto axis = static_cast<std::size_t>(flow.planes.axis);
  begin[axis] = flow.planes.begin;
  end[axis] = flow.planes.end;
  std::size_t index = 0;
  std::array<int, 3> at{};
  for (at[2] = begin[2]; at[2] < end[2]; ++at[2]) {
    for (at[1] = begin[1]; at[1] < end[1]; ++at[1]) {
      for (at[0] = begin[0]; at[0] < end[0]; ++at[0], ++index) {
        if (std::isnan((*velocity[0])[index_of(flow, at)])) continue;
        std::array<double, 3> curl{};
        for (std::size_t a = 0; a < 3; ++a) {
          const std::size_t b = (a + 1) % 3;
          const std::size_t c = (a + 2) % 3;
          curl[a] = derivative(flow, *velocity[c], at, b) - derivative(flow, *velocity[b], at, c);
        }
        body(index, curl);
      }
    }
  }
}

std::size_t own_nodes(const BoxFlow& flow) {
  std::size_t nodes = static_cast<std::size_t>(flow.planes.end - flow.planes.begin);
  for (int a = 0; a < 3; ++a) {
    if (a != flow.planes.axis) nodes *= static_cast<std::size_t>(flow.nodes[std::size_t(a)]);
  }
  return nodes;
}

/// function(components) with the velocity in its precision.
template <class Function>
auto with_components(const BoxFlow& flow, const Function& function) {
  return std::visit(
      [&](const auto& first) {
        using Values = std::decay_t<decltype(first)>;
        return function(Components<Values>{&first, &std::get<Values>(flow.velocity[1]),
                                           &std::get<Values>(flow.velocity[2])});
      },
      flow.velocity[0]);
}

}  // namespace

FieldValues vorticity(const BoxFlow& flow) {
  return with_components(
      flow, [&]<class Values>(const Components<Values>& velocity) -> FieldValues {
        using Real = typename Values::value_type;
        Values result(3 * own_nodes(flow), Real(NAN));
        for_fluid(flow, velocity, [&](std::size_t index, const std::array<double, 3>& curl) {
          for (std::size_t a = 0; a < 3; ++a) result[3 * index + a] = static_cast<Real>(curl[a]);
        });
        return result;
      });
}

double enstrophy(const BoxFlow& flow) {
  // Zeros in solids, which leave the sum as it is.
  const auto of_nodes =
      with_components(flow, [&]<class Values>(const Components<Values>& velocity) {
        std::vector<double> values(own_nodes(flow), 0);
        for_fluid(flow, velocity, [&](std::size_t index, const std::array<double, 3>& curl) {
          values[index] = (curl[0] * curl[0] + curl[1] * curl[1] + curl[2] * curl[2]) / 2;
        });
        return values;
      });
  double sum = 0;
  const SharedCells cells(flow.nodes, flow.planes);
  cells.for_pieces<double>(of_nodes.data(), 1, [&](const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sum += values[i];
  });
  return sum;
}

}  // namespace knudsen::lbm_d3q27
