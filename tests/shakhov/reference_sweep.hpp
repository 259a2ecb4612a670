#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "methods/shakhov/parameters.hpp"

namespace knudsen::shakhov::test {

/// The iteration of the paper in its plainest form, in double precision: the whole distribution is
/// in memory, velocities are swept one after the other, and equilibria are evaluated by their
/// formulas.
class ReferenceSweep {
 public:
  explicit ReferenceSweep(const Parameters& parameters) : p_(parameters), grid_(p_.grid) {
    for (std::size_t d = 0; d < 3; ++d) n_[d] = grid_.velocities[d].count();
    moments.assign(cells(), {});
    const GasState& s = p_.initial;
    const auto equilibrium = [&](const std::array<double, 3>& v) {
      double c = 0;
      for (std::size_t d = 0; d < 3; ++d) c += std::pow(v[d] - s.velocity[d], 2);
      return s.density * std::pow(std::numbers::pi * s.temperature, -1.5) *
             std::exp(-c / s.temperature);
    };
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      if (grid_.solid(cell)) continue;
      // Exact moments, not sums over the discrete velocities.
      Macroscopic& m = moments[cell];
      m.density = s.density;
      m.temperature = s.temperature;
      for (std::size_t d = 0; d < 3; ++d) {
        m.velocity[d] = s.velocity[d];
        m.stress[d] = s.density * s.temperature / 2;
      }
    }
    f_.assign(cells() * velocities(), 0);
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      for (std::size_t q = 0; q < velocities(); ++q) at(cell, q) = equilibrium(velocity(q));
    }
    faces_.assign(3, f_);
    mass_ = mass();
    wall_density_.assign(cells() * 6, s.density);
  }

  std::vector<Macroscopic> moments;
  std::vector<bool> first_order;  ///< by cell; empty: none

  std::size_t cells() const { return grid_.cell_count(); }

  void iterate() {
    const auto old = moments;
    // Velocities towards a reflecting side come first, so that reflected molecules are those of
    // this iteration.
    const auto reflects = [&](std::size_t side) {
      const SideCondition& c = grid_.sides[side];
      return c.kind == SideKind::symmetry || (c.kind == SideKind::wall && c.accommodation < 1);
    };
    const auto first = [&](std::size_t axis) {
      return reflects(2 * axis + 1) && !reflects(2 * axis) ? 1 : 0;
    };
    for (int z : {0, 1}) {
      for (int y : {0, 1}) {
        for (int x : {0, 1}) {
          const int sign[3] = {first(0) ^ x, first(1) ^ y, first(2) ^ z};
          for (std::size_t q = 0; q < velocities(); ++q) {
            const auto v = velocity(q);
            bool here = true;
            for (std::size_t d = 0; d < 3; ++d) here = here && (v[d] < 0 ? 0 : 1) == sign[d];
            if (here) sweep(q, old);
          }
        }
      }
    }
    sum();
  }

 private:
  std::size_t velocities() const {
    return static_cast<std::size_t>(n_[0]) * static_cast<std::size_t>(n_[1]) *
           static_cast<std::size_t>(n_[2]);
  }
  std::array<int, 3> index(std::size_t q) const {
    const int i = static_cast<int>(q);
    return {i / (n_[1] * n_[2]), i / n_[2] % n_[1], i % n_[2]};
  }
  std::array<double, 3> velocity(std::size_t q) const {
    const auto i = index(q);
    std::array<double, 3> v{};
    for (std::size_t d = 0; d < 3; ++d) {
      v[d] = grid_.velocities[d].nodes[static_cast<std::size_t>(i[d])];
    }
    return v;
  }
  double weight(std::size_t q) const {
    const auto i = index(q);
    double w = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      w *= grid_.velocities[d].weights[static_cast<std::size_t>(i[d])];
    }
    return w;
  }
  std::size_t mirror(std::size_t q, std::size_t axis) const {
    auto i = index(q);
    i[axis] = n_[axis] - 1 - i[axis];
    return static_cast<std::size_t>((i[0] * n_[1] + i[1]) * n_[2] + i[2]);
  }
  double& at(std::size_t cell, std::size_t q) { return f_[cell * velocities() + q]; }
  double& face(std::size_t axis, std::size_t cell, std::size_t q) {
    return faces_[axis][cell * velocities() + q];
  }
  std::size_t cell_of(const std::array<int, 3>& at) const {
    return static_cast<std::size_t>((at[2] * grid_.cells[1] + at[1]) * grid_.cells[0] + at[0]);
  }
  double mass() const {
    double sum = 0;
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      if (!grid_.solid(cell)) sum += moments[cell].density * grid_.volume(grid_.at(cell));
    }
    return sum;
  }

  double target(const Macroscopic& s, const std::array<double, 3>& v, double rate) const {
    double c[3];
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      c[d] = v[d] - s.velocity[d];
      square += c[d] * c[d];
    }
    const double m = s.density * std::pow(std::numbers::pi * s.temperature, -1.5) *
                     std::exp(-square / s.temperature);
    double push = 0;
    for (std::size_t d = 0; d < 3; ++d) push += 2 * p_.body_force[d] * c[d] / s.temperature * m;
    const double prandtl = p_.gas.prandtl;
    if (p_.model == CollisionModel::bgk) return rate * m + push;
    if (p_.model == CollisionModel::shakhov) {
      const double rt = s.temperature / 2;
      const double pressure = s.density * rt;
      double along = 0;
      for (std::size_t d = 0; d < 3; ++d) along += c[d] * s.heat_flux[d];
      return push +
             rate * m * (1 + (1 - prandtl) * along / (5 * pressure * rt) * (square / rt - 5));
    }
    // lambda = R T / Pr + (1 - 1 / Pr) stress / density
    double lambda[3][3];
    const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        lambda[i][j] = (1 - 1 / prandtl) * s.stress[place[i][j]] / s.density +
                       (i == j ? s.temperature / 2 / prandtl : 0);
      }
    }
    const auto cofactor = [&](int i, int j) {
      const int a = (i + 1) % 3;
      const int b = (i + 2) % 3;
      const int k = (j + 1) % 3;
      const int l = (j + 2) % 3;
      return lambda[a][k] * lambda[b][l] - lambda[a][l] * lambda[b][k];
    };
    const double det = lambda[0][0] * cofactor(0, 0) + lambda[0][1] * cofactor(0, 1) +
                       lambda[0][2] * cofactor(0, 2);
    double quadratic = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) quadratic += c[i] * cofactor(i, j) / det * c[j];
    }
    return rate * s.density /
           std::sqrt(8 * std::numbers::pi * std::numbers::pi * std::numbers::pi * det) *
           std::exp(-0.5 * quadratic);
  }

  /// Incoming value from the wall, body or side of the box on a side of a cell.
  double incoming(const std::array<int, 3>& here, std::size_t side, std::size_t q) {
    const std::size_t axis = side / 2;
    const bool high = side % 2 == 1;
    double density = wall_density_[cell_of(here) * 6 + side];
    GasState wall;
    double share = 1;
    if (const int body = body_beyond(here, side); body >= 0) {
      wall = grid_.solids.bodies[static_cast<std::size_t>(body)].wall.state;
    } else {
      const SideCondition& condition = grid_.sides[side];
      wall = condition.state;
      if (condition.kind == SideKind::periodic) {
        auto other = here;
        other[axis] = high ? 0 : grid_.cells[axis] - 1;
        return face(axis, cell_of(other), q);
      }
      if (condition.kind == SideKind::symmetry) share = 0;
      if (condition.kind == SideKind::wall) share = condition.accommodation;
      if (condition.kind == SideKind::reservoir) density = wall.density;
    }
    const double reflected = share < 1 ? face(axis, cell_of(here), mirror(q, axis)) : 0;
    return share * density * emitted(wall, velocity(q)) + (1 - share) * reflected;
  }
  static double emitted(const GasState& wall, const std::array<double, 3>& v) {
    double c = 0;
    for (std::size_t d = 0; d < 3; ++d) c += std::pow(v[d] - wall.velocity[d], 2);
    return std::pow(std::numbers::pi * wall.temperature, -1.5) * std::exp(-c / wall.temperature);
  }
  /// The solid on a side of a cell, also across a periodic side of the box; -1 if there is none.
  int body_beyond(const std::array<int, 3>& here, std::size_t side) const {
    const std::size_t axis = side / 2;
    auto there = next(here, side);
    if (there[axis] < 0 || there[axis] >= grid_.cells[axis]) {
      if (grid_.sides[side].kind != SideKind::periodic) return -1;
      there[axis] = (there[axis] + grid_.cells[axis]) % grid_.cells[axis];
    }
    return grid_.body_of(cell_of(there));
  }
  static std::array<int, 3> next(std::array<int, 3> here, std::size_t side) {
    here[side / 2] += side % 2 == 1 ? 1 : -1;
    return here;
  }
  bool blocked(const std::array<int, 3>& here, std::size_t side) const {
    const std::size_t axis = side / 2;
    if (here[axis] == (side % 2 == 1 ? grid_.cells[axis] - 1 : 0)) return true;
    return grid_.solid(cell_of(next(here, side)));
  }

  void sweep(std::size_t q, const std::vector<Macroscopic>& old) {
    const auto v = velocity(q);
    const auto dimensions = static_cast<std::size_t>(grid_.dimensions);
    for (std::size_t n = 0; n < cells(); ++n) {
      auto here = grid_.at(n);
      for (std::size_t d = 0; d < 3; ++d) {
        if (v[d] < 0) here[d] = grid_.cells[d] - 1 - here[d];
      }
      const std::size_t cell = cell_of(here);
      if (grid_.solid(cell)) continue;
      const Macroscopic& s = old[cell];
      double rate =
          p_.gas.rarefaction * s.density * std::pow(s.temperature, 1 - p_.gas.viscosity_exponent);
      if (p_.model == CollisionModel::es_bgk) rate *= p_.gas.prandtl;
      double gain = target(s, v, rate);
      double loss = rate;
      double lean[3] = {0, 0, 0};
      double before[3] = {0, 0, 0};
      for (std::size_t d = 0; d < dimensions; ++d) {
        const std::size_t side = 2 * d + (v[d] < 0 ? 1 : 0);
        const double a = std::abs(v[d]) / grid_.width(d, here[d]);
        double in = 0;
        if (blocked(here, side)) {
          in = before[d] = incoming(here, side, q);
          lean[d] = 1;
        } else {
          const auto upwind = next(here, side);
          in = face(d, cell_of(upwind), q);
          before[d] = at(cell_of(upwind), q);
          lean[d] = grid_.width(d, here[d]) / (grid_.width(d, here[d]) + grid_.width(d, upwind[d]));
        }
        if (p_.order == 1 || (!first_order.empty() && first_order[cell])) lean[d] = 0;
        gain += a * (in + lean[d] * before[d]);
        loss += a * (1 + lean[d]);
      }
      const double f = gain / loss;
      at(cell, q) = f;
      for (std::size_t d = 0; d < dimensions; ++d) face(d, cell, q) = f + lean[d] * (f - before[d]);
    }
  }

  void sum() {
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      if (grid_.solid(cell)) continue;
      Macroscopic s;
      for (std::size_t q = 0; q < velocities(); ++q) {
        s.density += weight(q) * at(cell, q);
        for (std::size_t d = 0; d < 3; ++d)
          s.velocity[d] += weight(q) * at(cell, q) * velocity(q)[d];
      }
      for (double& u : s.velocity) u /= s.density;
      for (std::size_t q = 0; q < velocities(); ++q) {
        const auto v = velocity(q);
        const double value = weight(q) * at(cell, q);
        double c[3];
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) {
          c[d] = v[d] - s.velocity[d];
          square += c[d] * c[d];
        }
        s.temperature += value * square / (1.5 * s.density);
        for (std::size_t d = 0; d < 3; ++d) {
          s.stress[d] += value * c[d] * c[d];
          s.stress[3 + d] += value * c[d] * c[(d + 1) % 3];
          s.heat_flux[d] += 0.5 * value * square * c[d];
        }
      }
      moments[cell] = s;
    }
    bool open = false;
    for (const SideCondition& side : grid_.sides) open |= side.kind == SideKind::reservoir;
    const double factor = open ? 1 : mass_ / mass();
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      Macroscopic& s = moments[cell];
      s.density *= factor;
      for (double& value : s.stress) value *= factor;
      for (double& value : s.heat_flux) value *= factor;
      if (grid_.solid(cell)) continue;
      const auto here = grid_.at(cell);
      for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(grid_.dimensions); ++side) {
        if (blocked(here, side)) set_wall_density(here, side, factor);
      }
    }
  }

  void set_wall_density(const std::array<int, 3>& here, std::size_t side, double factor) {
    const std::size_t axis = side / 2;
    const double outward = side % 2 == 1 ? 1 : -1;
    const int body = body_beyond(here, side);
    const GasState wall = body < 0 ? grid_.sides[side].state
                                   : grid_.solids.bodies[static_cast<std::size_t>(body)].wall.state;
    double arriving = 0;
    double leaving = 0;
    for (std::size_t q = 0; q < velocities(); ++q) {
      const double across = velocity(q)[axis] * outward;
      if (across > 0) arriving += weight(q) * across * face(axis, cell_of(here), q);
      if (across < 0) leaving -= weight(q) * across * emitted(wall, velocity(q));
    }
    wall_density_[cell_of(here) * 6 + side] = factor * arriving / leaving;
  }

  Parameters p_;
  const FlowGrid& grid_;
  int n_[3];
  double mass_ = 0;
  std::vector<double> f_;
  std::vector<std::vector<double>> faces_;  ///< values at the downwind faces
  std::vector<double> wall_density_;        ///< (cell, side)
};

}  // namespace knudsen::shakhov::test
