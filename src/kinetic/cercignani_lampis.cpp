#include "kinetic/cercignani_lampis.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace knudsen {
namespace {

/// ln I0(x) for x >= 0, by its power series or by the asymptotic series.
double log_bessel(double x) {
  if (x < 25) {
    double term = 1;
    double sum = 1;
    const double square = 0.25 * x * x;
    for (int n = 1; term > 1e-17 * sum; ++n) {
      term *= square / (double(n) * n);
      sum += term;
    }
    return std::log(sum);
  }
  double term = 1;
  double sum = 1;
  for (int n = 1; n < 40; ++n) {
    const double next = term * (2 * n - 1) * (2 * n - 1) / (8 * x * n);
    if (next >= term || next < 1e-17) break;
    term = next;
    sum += term;
  }
  constexpr double two_pi = 6.283185307179586;
  return x - 0.5 * std::log(two_pi * x) + std::log(sum);
}

/// ln of the coupling of two speeds, over the root of those of each with itself.
double exponential_coupling(double b, double u, double v) { return -0.5 * b * (u - v) * (u - v); }
double bessel_coupling(double b, double u, double v) {
  return log_bessel(b * u * v) - 0.5 * (log_bessel(b * u * u) + log_bessel(b * v * v));
}

/// A factor of the kernel on the nodes of an axis.
struct Factor {
  std::vector<double> log_share;  ///< ln of the Maxwellian's molecules at each node
  std::vector<double> speed;      ///< relative to the wall, in units of sqrt(2 R T)
  std::vector<double> carried;    ///< what accommodates: momentum or energy of a molecule
  double (*log_coupling)(double, double, double) = exponential_coupling;

  std::size_t size() const { return speed.size(); }

  /// Shares of the nodes in the Maxwellian.
  std::vector<double> shares() const {
    const double largest = *std::max_element(log_share.begin(), log_share.end());
    std::vector<double> share;
    double sum = 0;
    for (const double value : log_share) {
      share.push_back(std::exp(value - largest));
      sum += share.back();
    }
    for (double& value : share) value /= sum;
    return share;
  }

  /// The matrix for a strength b of the coupling, scaled so that each incoming molecule comes back.
  ScatteringMatrix matrix(double b) const {
    const std::size_t n = size();
    std::vector<double> coupling(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) coupling[i * n + j] = log_coupling(b, speed[i], speed[j]);
    }
    // Logarithms, since the Maxwellian at fast nodes may be below the smallest number. Half of each
    // correction is taken: the coupling is positive definite, so that the error then at least
    // halves with each pass.
    std::vector<double> log_scale(n, 0.0);
    constexpr int most_passes = 400;
    double tolerance = 1e-15;
    for (const double value : log_share) tolerance = std::max(tolerance, 1e-15 * std::abs(value));
    for (int pass = 0; pass < most_passes; ++pass) {
      double largest_change = 0;
      const std::vector<double> sums = log_sums(coupling, log_scale);
      for (std::size_t j = 0; j < n; ++j) {
        const double change = -0.5 * (sums[j] + log_scale[j]);
        log_scale[j] += change;
        largest_change = std::max(largest_change, std::abs(change));
      }
      if (largest_change < tolerance) break;
    }
    ScatteringMatrix result(n * n);
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double share =
            std::exp(log_share[i] + log_scale[i] + log_scale[j] + coupling[i * n + j]);
        result[i * n + j] = share;
        sum += share;
      }
      for (std::size_t i = 0; i < n; ++i) result[i * n + j] /= sum;
    }
    return result;
  }

  /// By node j: ln of the sum over i of share_i scale_i coupling_ij.
  std::vector<double> log_sums(const std::vector<double>& coupling,
                               const std::vector<double>& log_scale) const {
    const std::size_t n = size();
    std::vector<double> result(n);
    for (std::size_t j = 0; j < n; ++j) {
      // The coupling is symmetric: rows serve as columns.
      const double* row = coupling.data() + j * n;
      double largest = -1e300;
      for (std::size_t i = 0; i < n; ++i) {
        largest = std::max(largest, log_share[i] + log_scale[i] + row[i]);
      }
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += std::exp(log_share[i] + log_scale[i] + row[i] - largest);
      }
      result[j] = largest + std::log(sum);
    }
    return result;
  }

  /// Share of a deviation of `carried` from its mean that a wall keeps, for molecules that have a
  /// Maxwellian with a small such deviation; -1 if `carried` is the same at all nodes.
  double kept(const ScatteringMatrix& scattering) const {
    const std::size_t n = size();
    const std::vector<double> share = shares();
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += share[i] * carried[i];
    double all = 0;
    double left = 0;
    for (std::size_t j = 0; j < n; ++j) {
      double after = 0;
      for (std::size_t i = 0; i < n; ++i) after += scattering[i * n + j] * (carried[i] - mean);
      all += share[j] * (carried[j] - mean) * (carried[j] - mean);
      left += share[j] * (carried[j] - mean) * after;
    }
    return all > 0 ? left / all : -1;
  }

  /// The matrix that keeps the share `kept_share` of a deviation. `guess`: its b on a fine grid.
  ScatteringMatrix with_kept(double kept_share, double guess) const {
    const std::size_t n = size();
    const ScatteringMatrix diffuse = matrix(0);
    if (kept_share <= 0 || kept(diffuse) < -0.5) return diffuse;
    if (kept_share >= 1) {
      ScatteringMatrix identity(n * n, 0.0);
      for (std::size_t i = 0; i < n; ++i) identity[i * n + i] = 1;
      return identity;
    }
    // The share grows with b. A bracket of ln b, then the secant with the Illinois rule: the value
    // at an end that stays is halved, so that both ends close in.
    const auto excess = [&](double log_b) { return kept(matrix(std::exp(log_b))) - kept_share; };
    double low = std::log(guess) - 0.01;
    double high = low + 0.02;
    double at_low = excess(low);
    double at_high = excess(high);
    constexpr double widest_step = 200;
    for (double step = 0.1; at_low > 0 && step < widest_step; step *= 2) {
      high = low;
      at_high = at_low;
      low -= step;
      at_low = excess(low);
    }
    for (double step = 0.1; at_high < 0 && step < widest_step; step *= 2) {
      low = high;
      at_low = at_high;
      high += step;
      at_high = excess(high);
    }
    constexpr int most_steps = 60;
    constexpr double tolerance = 1e-14;
    double middle = 0.5 * (low + high);
    int stayed = 0;  // 1: the upper end, -1: the lower one
    for (int step = 0; step < most_steps && high - low > tolerance; ++step) {
      middle = low - at_low * (high - low) / (at_high - at_low);
      if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
      const double at_middle = excess(middle);
      if (std::abs(at_middle) < tolerance) break;
      if (at_middle < 0) {
        low = middle;
        at_low = at_middle;
        if (stayed == 1) at_high *= 0.5;
        stayed = 1;
      } else {
        high = middle;
        at_high = at_middle;
        if (stayed == -1) at_low *= 0.5;
        stayed = -1;
      }
    }
    return matrix(std::exp(middle));
  }
};

}  // namespace

ScatteringMatrix tangential_scattering(const VelocityAxis& axis, double wall_velocity,
                                       double wall_temperature, double accommodation) {
  Factor factor;
  for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
    const double u = (axis.nodes[i] - wall_velocity) / std::sqrt(wall_temperature);
    factor.speed.push_back(u);
    factor.carried.push_back(u);
    factor.log_share.push_back(std::log(axis.weights[i]) - u * u);
  }
  const double r = 1 - accommodation;
  return factor.with_kept(r, 2 * r / (1 - r * r));
}

ScatteringMatrix normal_scattering(const VelocityAxis& axis, double wall_temperature,
                                   double accommodation) {
  Factor factor;
  factor.log_coupling = bessel_coupling;
  for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
    if (!(axis.nodes[i] > 0)) continue;
    const double u = axis.nodes[i] / std::sqrt(wall_temperature);
    factor.speed.push_back(u);
    factor.carried.push_back(u * u);
    factor.log_share.push_back(std::log(axis.weights[i] * u) - u * u);
  }
  return factor.with_kept(1 - accommodation, 2 * std::sqrt(1 - accommodation) / accommodation);
}

std::array<ScatteringMatrix, 3> value_scattering(const VelocityGrid& grid,
                                                 const SideCondition& wall, int normal,
                                                 bool weighted) {
  const CercignaniLampis& law = *wall.cercignani_lampis;
  const double temperature = wall.state.temperature;
  double integrated = 0;
  for (const VelocityAxis& axis : grid) integrated += axis.integrated ? 1 : 0;
  std::array<ScatteringMatrix, 3> result;
  for (std::size_t d = 0; d < 3; ++d) {
    const VelocityAxis& axis = grid[d];
    if (axis.integrated) {
      // The second entry along z is the distribution times the squares of the integrated
      // components, each of which becomes r^2 v^2 + (1 - r^2) T / 2.
      const double kept = (1 - law.tangential) * (1 - law.tangential);
      result[d] = d == 2 ? ScatteringMatrix{1, 0, 0.5 * integrated * (1 - kept) * temperature, kept}
                         : ScatteringMatrix{1};
      continue;
    }
    const bool across = static_cast<int>(d) == normal;
    ScatteringMatrix& matrix = result[d];
    matrix = across
                 ? normal_scattering(axis, temperature, law.normal)
                 : tangential_scattering(axis, wall.state.velocity[d], temperature, law.tangential);
    std::vector<double> flow;  // molecules at a node for a value of one
    for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
      if (across && !(axis.nodes[i] > 0)) continue;
      flow.push_back((weighted ? 1 : axis.weights[i]) * (across ? axis.nodes[i] : 1));
    }
    for (std::size_t to = 0; to < flow.size(); ++to) {
      for (std::size_t from = 0; from < flow.size(); ++from) {
        matrix[to * flow.size() + from] *= flow[from] / flow[to];
      }
    }
  }
  return result;
}

}  // namespace knudsen
