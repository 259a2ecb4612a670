#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace knudsen::lbm_d2q9 {

/// Stokes flow between two concentric cylinders with slip, of which the inner one moves along x
/// while it is in the middle. Stream function F(r) sin(theta) with F = A r^3 + B r ln r + C r +
/// D/r.
struct StokesBetweenCylinders {
  double inner = 1;
  double outer = 2;
  double speed = 1;        ///< of the inner cylinder
  double slip_length = 0;  ///< velocity along a wall over the shear rate there

  void solve() {
    // Rows: F and -F' less slip at both walls; columns: A, B, C, D, right side.
    double m[4][5] = {};
    for (std::size_t i = 0; i < 4; ++i) {
      m[0][i] = term(i, inner, 0);
      m[1][i] = -term(i, inner, 1) - slip_length * shear_rate(i, inner);
      m[2][i] = term(i, outer, 0);
      m[3][i] = -term(i, outer, 1) + slip_length * shear_rate(i, outer);
    }
    m[0][4] = speed * inner;
    m[1][4] = -speed;
    for (std::size_t c = 0; c < 4; ++c) {
      std::size_t pivot = c;
      for (std::size_t r = c; r < 4; ++r) {
        if (std::fabs(m[r][c]) > std::fabs(m[pivot][c])) pivot = r;
      }
      std::swap(m[c], m[pivot]);
      for (std::size_t r = 0; r < 4; ++r) {
        if (r == c) continue;
        const double factor = m[r][c] / m[c][c];
        for (std::size_t k = 0; k < 5; ++k) m[r][k] -= factor * m[c][k];
      }
    }
    for (std::size_t i = 0; i < 4; ++i) factors_[i] = m[i][4] / m[i][i];
  }

  std::array<double, 2> velocity(double x, double y) const {
    const double r = std::hypot(x, y);
    double stream = 0;
    double slope = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      stream += factors_[i] * term(i, r, 0);
      slope += factors_[i] * term(i, r, 1);
    }
    const double cosine = x / r;
    const double sine = y / r;
    const double radial = stream / r * cosine;
    const double around = -slope * sine;
    return {radial * cosine - around * sine, radial * sine + around * cosine};
  }
  /// Force on the inner cylinder along x, over the viscosity: 4 pi times the factor of r ln r.
  double force() const { return 4 * 3.14159265358979323846 * factors_[1]; }

 private:
  /// A derivative of the function that factor i belongs to.
  static double term(std::size_t i, double r, int derivative) {
    const double l = std::log(r);
    const double values[4][3] = {{r * r * r, 3 * r * r, 6 * r},
                                 {r * l, l + 1, 1 / r},
                                 {r, 1, 0},
                                 {1 / r, -1 / (r * r), 2 / (r * r * r)}};
    return values[i][derivative];
  }
  /// Of sin(theta) in the shear rate.
  static double shear_rate(std::size_t i, double r) {
    return -(term(i, r, 2) - term(i, r, 1) / r + term(i, r, 0) / (r * r));
  }

  std::array<double, 4> factors_{};
};

}  // namespace knudsen::lbm_d2q9
