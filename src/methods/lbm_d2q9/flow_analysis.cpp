#include "methods/lbm_d2q9/flow_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knudsen::lbm_d2q9 {
namespace {

/// Derivative of `values` at (x, y) along an axis (0: x, 1: y), with missing neighbours as in
/// `vorticity`.
template <class Values>
double derivative(const PlaneFlow& flow, const Values& values, int x, int y, int axis) {
  const auto neighbour = [&](int step) {
    std::array<int, 2> at{x, y};
    const std::array<int, 2> extents{flow.nx, flow.ny};
    const auto a = static_cast<std::size_t>(axis);
    at[a] += step;
    if (flow.periodic[a]) at[a] = (at[a] + extents[a]) % extents[a];
    if (at[a] < 0 || at[a] >= extents[a]) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(values[flow.node(at[0], at[1])]);
  };
  const double here = static_cast<double>(values[flow.node(x, y)]);
  const double next = neighbour(1);
  const double before = neighbour(-1);
  const bool has_next = std::isfinite(next);
  const bool has_before = std::isfinite(before);
  if (has_next && has_before) return 0.5 * (next - before);
  if (has_next) return next - here;
  if (has_before) return here - before;
  return 0;
}

/// Position of the vertex of the parabola through (-1, low), (0, middle), (1, high), clamped to
/// half a spacing.
double vertex(double low, double middle, double high) {
  const double curvature = low - 2 * middle + high;
  if (curvature == 0 || !std::isfinite(curvature)) return 0;
  return std::clamp(0.5 * (low - high) / curvature, -0.5, 0.5);
}

}  // namespace

FieldValues vorticity(const PlaneFlow& flow) {
  return std::visit(
      [&](const auto& u) -> FieldValues {
        using Values = std::decay_t<decltype(u)>;
        using Real = typename Values::value_type;
        const auto& v = std::get<Values>(flow.velocity_y);
        Values result(u.size(), std::numeric_limits<Real>::quiet_NaN());
        for (int y = 0; y < flow.ny; ++y) {
          for (int x = 0; x < flow.nx; ++x) {
            if (!std::isfinite(u[flow.node(x, y)])) continue;
            result[flow.node(x, y)] =
                static_cast<Real>(derivative(flow, v, x, y, 0) - derivative(flow, u, x, y, 1));
          }
        }
        return result;
      },
      flow.velocity_x);
}

std::vector<double> stream_function(const PlaneFlow& flow) {
  StreamColumns columns;
  return stream_function(flow, columns);
}

std::vector<double> stream_function(const PlaneFlow& flow, StreamColumns& columns) {
  return std::visit(
      [&](const auto& velocity_x) {
        const auto& velocity_y = std::get<std::decay_t<decltype(velocity_x)>>(flow.velocity_y);
        std::vector<double> result;
        // With room for a row on either side.
        result.reserve(velocity_x.size() + 2 * static_cast<std::size_t>(flow.nx));
        result.resize(velocity_x.size());
        const auto at_rest_if_solid = [](double value) {
          return std::isfinite(value) ? value : 0.0;
        };
        if (columns.empty()) {
          double base = 0;
          double v_before = 0;
          for (int x = 0; x < flow.nx; ++x) {
            const double v = at_rest_if_solid(velocity_y[flow.node(x, 0)]);
            base -= x == 0 ? 0.5 * v : 0.5 * (v + v_before);
            v_before = v;
            columns.push_back({base, 0});
          }
        }
        for (int x = 0; x < flow.nx; ++x) {
          auto& [psi, u_before] = columns[static_cast<std::size_t>(x)];
          for (int y = 0; y < flow.ny; ++y) {
            const double u = at_rest_if_solid(velocity_x[flow.node(x, y)]);
            psi += 0.5 * (u + u_before);
            u_before = u;
            result[flow.node(x, y)] = std::isfinite(velocity_x[flow.node(x, y)])
                                          ? psi
                                          : std::numeric_limits<double>::quiet_NaN();
          }
        }
        return result;
      },
      flow.velocity_x);
}

std::vector<Vortex> vortices(const PlaneFlow& flow, const std::vector<double>& psi,
                             std::size_t max_count, double threshold) {
  return strongest(extrema(flow, psi, 0), max_count, threshold);
}

std::vector<Vortex> extrema(const PlaneFlow& flow, const std::vector<double>& psi, int first_row) {
  std::vector<Vortex> found;
  for (int y = 1; y + 1 < flow.ny; ++y) {
    for (int x = 1; x + 1 < flow.nx; ++x) {
      const double here = psi[flow.node(x, y)];
      if (!std::isfinite(here) || here == 0) continue;
      // A centre is farther from zero than all eight neighbours; a saddle is not. Of two equal
      // neighbours (centre midway between them) only the first counts.
      const double sign = here > 0 ? 1 : -1;
      bool extremum = true;
      for (int dy = -1; dy <= 1 && extremum; ++dy) {
        for (int dx = -1; dx <= 1 && extremum; ++dx) {
          if (dx == 0 && dy == 0) continue;
          const double there = sign * psi[flow.node(x + dx, y + dy)];
          const bool later = dy > 0 || (dy == 0 && dx > 0);
          extremum = later ? there <= sign * here : there < sign * here;
        }
      }
      if (!extremum) continue;
      const double shift_x = vertex(psi[flow.node(x - 1, y)], here, psi[flow.node(x + 1, y)]);
      const double shift_y = vertex(psi[flow.node(x, y - 1)], here, psi[flow.node(x, y + 1)]);
      found.push_back({x + 0.5 + shift_x, first_row + y + 0.5 + shift_y, here});
    }
  }
  return found;
}

std::vector<Vortex> strongest(std::vector<Vortex> found, std::size_t max_count, double threshold) {
  std::stable_sort(found.begin(), found.end(), [](const Vortex& a, const Vortex& b) {
    return std::fabs(a.stream_function) > std::fabs(b.stream_function);
  });
  if (found.size() > max_count) found.resize(max_count);
  std::erase_if(found, [&](const Vortex& vortex) {
    return std::fabs(vortex.stream_function) < threshold * std::fabs(found.front().stream_function);
  });
  return found;
}

}  // namespace knudsen::lbm_d2q9
