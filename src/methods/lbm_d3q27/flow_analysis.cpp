#include "methods/lbm_d3q27/flow_analysis.hpp"

#include <cmath>

namespace knudsen::lbm_d3q27 {
namespace {

std::size_t index_of(const BoxFlow& flow, const std::array<int, 3>& at) {
  return (static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(flow.nodes[1]) +
          static_cast<std::size_t>(at[1])) *
             static_cast<std::size_t>(flow.nodes[0]) +
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
    if (to[axis] < 0 || to[axis] >= count) {
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

/// Calls body(index, curl) for every fluid node.
template <class Values, class Body>
void for_fluid(const BoxFlow& flow, const Components<Values>& velocity, const Body& body) {
  std::array<int, 3> at{};
  for (at[2] = 0; at[2] < flow.nodes[2]; ++at[2]) {
    for (at[1] = 0; at[1] < flow.nodes[1]; ++at[1]) {
      for (at[0] = 0; at[0] < flow.nodes[0]; ++at[0]) {
        const std::size_t index = index_of(flow, at);
        if (std::isnan((*velocity[0])[index])) continue;
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
        Values result(3 * velocity[0]->size(), Real(NAN));
        for_fluid(flow, velocity, [&](std::size_t index, const std::array<double, 3>& curl) {
          for (std::size_t a = 0; a < 3; ++a) result[3 * index + a] = static_cast<Real>(curl[a]);
        });
        return result;
      });
}

double enstrophy(const BoxFlow& flow) {
  return with_components(flow, [&]<class Values>(const Components<Values>& velocity) {
    double sum = 0;
    for_fluid(flow, velocity, [&](std::size_t, const std::array<double, 3>& curl) {
      for (const double component : curl) sum += component * component / 2;
    });
    return sum;
  });
}

}  // namespace knudsen::lbm_d3q27
