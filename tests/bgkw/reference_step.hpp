#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "methods/bgkw/make_phase_space.hpp"

namespace knudsen::bgkw::test {

/// Reference implementation of a step for comparison with the kernels: value by value, in double
/// precision, on vectors without padding.
class ReferenceStep {
 public:
  ReferenceStep(PhaseGrid grid, CollisionModel model, Collision collision)
      : grid_(std::move(grid)), model_(model), collision_(collision) {
    for (std::size_t d = 0; d < 3; ++d) n_[d] = grid_.velocities[d].count();
    f.resize(static_cast<std::size_t>(cells() * velocities()));
    if (collision_.gas.rotation > 0) rotation.resize(f.size());
  }

  std::vector<double> f;         ///< (cell, i, j, k)
  std::vector<double> rotation;  ///< twice the rotational energy, likewise; empty without it

  int cells() const { return grid_.cells[0] * grid_.cells[1] * grid_.cells[2]; }
  int velocities() const { return n_[0] * n_[1] * n_[2]; }
  std::array<double, 3> velocity(int q) const {
    const auto i = index(q);
    return {node(0, i[0]), node(1, i[1]), node(2, i[2])};
  }
  double weight(int q) const {
    const auto i = index(q);
    double w = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      w *= grid_.velocities[d].weights[static_cast<std::size_t>(i[d])];
    }
    return w;
  }
  double& at(int cell, int q) { return f[static_cast<std::size_t>(cell * velocities() + q)]; }

  void stream() {
    stream_both([&] { stream_values(); });
  }
  void stream_axis(int axis) {
    stream_both([&] { stream_values_along(axis); });
  }
  void stream_in_stages() {
    stream_both([&] { stream_values_in_stages(); });
  }

  void stream_values() {
    const auto old = f;
    const auto before = [&](int cell, int q) {
      return old[static_cast<std::size_t>(cell * velocities() + q)];
    };
    for (int cell = 0; cell < cells(); ++cell) {
      for (int q = 0; q < velocities(); ++q) {
        if (grid_.dimensions == 1) {
          const double c = courant_in(cell, q, 0);
          const int whole = static_cast<int>(std::abs(c));
          const double part = std::abs(c) - whole;
          const int sign = c < 0 ? -1 : 1;
          at(cell, q) = (1 - part) * value(before, cell, 0, -sign * whole, q) +
                        part * value(before, cell, 0, -sign * (whole + 1), q);
          continue;
        }
        double change = 0;
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
          const double c = courant_in(cell, q, axis);
          const double upwind = value(before, cell, axis, c < 0 ? 1 : -1, q);
          change += std::abs(c) * (upwind - before(cell, q));
        }
        at(cell, q) = before(cell, q) + change;
      }
    }
  }

  /// Along one axis, by a first-order or limited second-order upwind step after an exact shift.
  void stream_values_along(int axis) {
    const auto old = f;
    const auto before = [&](int cell, int q) {
      return old[static_cast<std::size_t>(cell * velocities() + q)];
    };
    for (int cell = 0; cell < cells(); ++cell) {
      for (int q = 0; q < velocities(); ++q) {
        const double c = courant_in(cell, q, axis);
        const int whole = static_cast<int>(std::abs(c));
        const double part = std::abs(c) - whole;
        const int sign = c < 0 ? -1 : 1;
        double entering = face_value(before, cell, axis, -sign * (whole + 1), q, part);
        const double specular = 2 - slope_factor(axis, sign < 0);
        if (grid_.order == 2 && whole == 0 && outside(cell, axis, -sign) && specular > 0 &&
            specular < 1) {
          const int image = mirror(q, axis);
          entering =
              value(before, cell, axis, -sign, q) +
              specular * (face_value(before, cell, axis, 0, image, part) - before(cell, image));
        }
        at(cell, q) = value(before, cell, axis, -sign * whole, q) -
                      part * (face_value(before, cell, axis, -sign * whole, q, part) - entering);
      }
    }
  }

  /// Along all axes at once, linear in the time step.
  void stream_values_in_stages() {
    const auto start = f;
    auto end = f;
    in_stages_ = true;
    for (int axis = 0; axis < grid_.dimensions; ++axis) {
      f = start;
      stream_values_along(axis);
      for (std::size_t i = 0; i < f.size(); ++i) end[i] += f[i] - start[i];
    }
    in_stages_ = false;
    f = end;
  }

  /// Relaxes by a step of the implicit Euler method, for a share of the time step.
  void relax_implicitly(double share) {
    const Collision whole = collision_;
    collision_.time_step *= share;
    for (double& gain : collision_.velocity_gain) gain *= share;
    implicit_ = true;
    collide();
    implicit_ = false;
    collision_ = whole;
  }

  void collide() {
    for (int cell = 0; cell < cells(); ++cell) {
      const Macroscopic s = state(cell);
      double rate = collision_.gas.stress_relaxation_rate(s.density, s.temperature);
      if (model_ == CollisionModel::es_bgk) rate *= collision_.gas.prandtl;
      const double time = rate * collision_.time_step;
      const double keep = implicit_ ? 1 / (1 + time) : std::exp(-time);
      for (int q = 0; q < velocities(); ++q) {
        const double kick = maxwellian_at(s, q, true) - maxwellian_at(s, q, false);
        const double to = target(s, q, rate);
        at(cell, q) = keep * at(cell, q) + (1 - keep) * to + kick;
        if (rotation.empty()) continue;
        const Gas& gas = collision_.gas;
        double& energy = rotation[static_cast<std::size_t>(cell * velocities() + q)];
        const double share = kept_share(gas.rotation_rate / gas.prandtl, time);
        const double lag = s.rotational_temperature - s.temperature;
        energy = keep * energy +
                 gas.rotation / 2 *
                     ((1 - keep) * to * (s.temperature + share * lag) + kick * s.temperature);
      }
    }
  }

  Macroscopic state(int cell) {
    Macroscopic s;
    for (int q = 0; q < velocities(); ++q) {
      const double value = weight(q) * at(cell, q);
      s.density += value;
      for (std::size_t d = 0; d < 3; ++d) s.velocity[d] += velocity(q)[d] * value;
    }
    for (double& u : s.velocity) u /= s.density;
    for (int q = 0; q < velocities(); ++q) {
      const double value = weight(q) * at(cell, q);
      const auto c = peculiar(s, q);
      const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
      s.temperature += square * value / (1.5 * s.density);
      for (std::size_t d = 0; d < 3; ++d) {
        s.stress[d] += c[d] * c[d] * value;
        s.stress[3 + d] += c[d] * c[(d + 1) % 3] * value;
        s.heat_flux[d] += 0.5 * square * c[d] * value;
      }
    }
    if (rotation.empty()) return s;
    double energy = 0;
    for (int q = 0; q < velocities(); ++q) {
      const double value = weight(q) * rotation[static_cast<std::size_t>(cell * velocities() + q)];
      energy += value;
      for (std::size_t d = 0; d < 3; ++d) s.heat_flux[d] += 0.5 * peculiar(s, q)[d] * value;
    }
    const double freedom = collision_.gas.rotation;
    const double translational = s.temperature;
    s.rotational_temperature = 2 * energy / (freedom * s.density);
    s.temperature = (3 * translational + freedom * s.rotational_temperature) / (3 + freedom);
    s.translational_excess = translational - s.temperature;
    return s;
  }

 private:
  /// Streams f, then the distribution of the rotational energy.
  template <class Stream>
  void stream_both(const Stream& stream_values) {
    const auto start = f;
    stream_values();
    if (rotation.empty()) return;
    const auto end = f;
    mass_before_ = &start;
    f = rotation;
    stream_values();
    rotation = f;
    f = end;
    mass_before_ = nullptr;
  }
  /// The share of a moment in the target that makes it decay with a speed in units of the rate.
  double kept_share(double speed, double time) const {
    return implicit_ ? (1 - speed) / (1 + speed * time)
                     : (std::exp(-speed * time) - std::exp(-time)) / (1 - std::exp(-time));
  }

  std::array<int, 3> index(int q) const {
    return {q / (n_[1] * n_[2]), q / n_[2] % n_[1], q % n_[2]};
  }
  double node(std::size_t d, int i) const {
    return grid_.velocities[d].nodes[static_cast<std::size_t>(i)];
  }
  double courant(int q, int axis) const {
    const auto a = static_cast<std::size_t>(axis);
    return velocity(q)[a] * grid_.time_step / grid_.spacing[a];
  }
  /// That of a cell, whose width may be another one than that of the narrowest.
  double courant_in(int cell, int q, int axis) const {
    const auto a = static_cast<std::size_t>(axis);
    return courant(q, axis) * (grid_.spacing[a] / grid_.width(a, grid_.cell_at(cell)[a]));
  }
  int mirror(int q, int axis) const {
    auto i = index(q);
    const auto a = static_cast<std::size_t>(axis);
    i[a] = n_[a] - 1 - i[a];
    return (i[0] * n_[1] + i[1]) * n_[2] + i[2];
  }
  static std::array<double, 3> peculiar(const Macroscopic& s, const std::array<double, 3>& v) {
    return {v[0] - s.velocity[0], v[1] - s.velocity[1], v[2] - s.velocity[2]};
  }
  std::array<double, 3> peculiar(const Macroscopic& s, int q) const {
    return peculiar(s, velocity(q));
  }
  static double exponent(const std::array<double, 3>& c, double temperature) {
    return -(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) / temperature;
  }
  double maxwellian_at(const Macroscopic& s, int q, bool kicked) const {
    auto c = peculiar(s, q);
    for (std::size_t d = 0; d < 3 && kicked; ++d) c[d] -= collision_.velocity_gain[d];
    return s.density * std::pow(std::numbers::pi * s.temperature, -1.5) *
           std::exp(exponent(c, s.temperature));
  }
  double target(const Macroscopic& s, int q, double rate) const {
    const auto c = peculiar(s, q);
    const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    const double prandtl = collision_.gas.prandtl;
    const double time = rate * collision_.time_step;
    const double decay = model_ == CollisionModel::shakhov ? prandtl : 1 / prandtl;
    const double share = kept_share(decay, time);
    const double m = maxwellian_at(s, q, false);
    if (model_ == CollisionModel::bgk) return m;
    const double rt = s.temperature / 2;
    if (model_ == CollisionModel::shakhov) {
      const double along = s.heat_flux[0] * c[0] + s.heat_flux[1] * c[1] + s.heat_flux[2] * c[2];
      return m * (1 + share * along * (square / rt - 5) / (5 * s.density * rt * rt));
    }
    double form[6];
    for (int i = 0; i < 6; ++i) {
      form[i] = share * s.stress[i] / s.density + (i < 3 ? rt * (1 - share) : 0);
      if (i < 3 && !rotation.empty()) {
        const Gas& gas = collision_.gas;
        const double of_rotation = kept_share(gas.rotation_rate / gas.prandtl, time);
        form[i] += (of_rotation - share) * s.translational_excess / 2;
      }
    }
    const double volume = std::sqrt(8 * std::numbers::pi * std::numbers::pi * std::numbers::pi *
                                    invert_symmetric(form));
    const double quadratic =
        form[0] * c[0] * c[0] + form[1] * c[1] * c[1] + form[2] * c[2] * c[2] +
        2 * (form[3] * c[0] * c[1] + form[4] * c[1] * c[2] + form[5] * c[0] * c[2]);
    return s.density / volume * std::exp(-0.5 * quadratic);
  }

  bool outside(int cell, int axis, int offset) const {
    const auto a = static_cast<std::size_t>(axis);
    const int step = axis == 0 ? 1 : (axis == 1 ? grid_.cells[0] : grid_.cells[0] * grid_.cells[1]);
    const int position = cell / step % grid_.cells[a] + offset;
    return (position < 0 || position >= grid_.cells[a]) &&
           grid_.sides[2 * a].kind != SideKind::periodic;
  }
  /// Slope in units of a cell's width. The differences a and b are across `span_a` and `span_b` of
  /// that width. Van Leer's is their harmonic mean, a difference having the weight of the other
  /// span, and at most that for equal spans.
  double limited(double a, double b, double span_a, double span_b) const {
    if (a * b <= 0) return 0;
    const double slope_a = a / span_a;
    const double slope_b = b / span_b;
    if (grid_.limiter == Limiter::van_leer) {
      const double mean = (span_a + span_b) / (span_b / slope_a + span_a / slope_b);
      const double bound = 2 / (1 / a + 1 / b);
      return std::abs(mean) < std::abs(bound) ? mean : bound;
    }
    return std::abs(slope_a) < std::abs(slope_b) ? slope_a : slope_b;
  }
  /// Width of the cell `offset` cells away; beyond a side it is that of the mirror image.
  double width_at(int cell, int axis, int offset) const {
    const auto a = static_cast<std::size_t>(axis);
    const int n = grid_.cells[a];
    int position = grid_.cell_at(cell)[a] + offset;
    if (outside(cell, axis, offset)) {
      position = position < 0 ? -1 - position : 2 * n - 1 - position;
    }
    return grid_.width(a, (position + n) % n);
  }
  double slope_factor(int axis, bool high) const {
    const SideCondition& side = grid_.sides[static_cast<std::size_t>(2 * axis + (high ? 1 : 0))];
    return side.kind == SideKind::symmetry    ? 1
           : side.kind == SideKind::reservoir ? 2
                                              : 1 + side.accommodation;
  }
  /// f in the downstream face of the cell `offset` cells away. `part` is the Courant number of
  /// `cell`.
  template <class Before>
  double face_value(const Before& before, int cell, int axis, int offset, int q,
                    double part) const {
    const double here = value(before, cell, axis, offset, q);
    if (grid_.order == 1) return here;
    const int sign = courant(q, axis) < 0 ? -1 : 1;
    const double width = width_at(cell, axis, offset);
    const double reach = in_stages_ ? 1 : 1 - part * width_at(cell, axis, 0) / width;
    double back = here - value(before, cell, axis, offset - sign, q);
    const double span = 0.5 + 0.5 * width_at(cell, axis, offset - sign) / width;
    const bool inside = !outside(cell, axis, offset);
    const double steepness =
        inside && outside(cell, axis, offset - sign) ? slope_factor(axis, sign < 0) : 1;
    if (inside && outside(cell, axis, offset + sign) && slope_factor(axis, sign > 0) > 1) {
      back /= span;
      return here + 0.5 * reach * limited(steepness * back, std::max(back, -here), 1, 1);
    }
    const double ahead = value(before, cell, axis, offset + sign, q) - here;
    const double span_ahead = 0.5 + 0.5 * width_at(cell, axis, offset + sign) / width;
    return here + 0.5 * reach * limited(steepness * back, ahead, span, span_ahead);
  }

  /// f of velocity q at `offset` cells from `cell` along an axis, inside or beyond a side.
  template <class Before>
  double value(const Before& before, int cell, int axis, int offset, int q) const {
    const auto a = static_cast<std::size_t>(axis);
    const int step = axis == 0 ? 1 : (axis == 1 ? grid_.cells[0] : grid_.cells[0] * grid_.cells[1]);
    const int n = grid_.cells[a];
    const int here = cell / step % n;
    const int position = here + offset;
    const auto on_line = [&](int p) { return cell + (p - here) * step; };
    if (position >= 0 && position < n) return before(on_line(position), q);
    const bool high = position >= n;
    const SideCondition& side = grid_.sides[2 * a + (high ? 1 : 0)];
    if (side.kind == SideKind::periodic) return before(on_line(((position % n) + n) % n), q);
    const int mirrored = high ? 2 * n - 1 - position : -1 - position;
    const double reflected = before(on_line(mirrored), mirror(q, axis));
    if (side.kind == SideKind::symmetry) return reflected;
    Macroscopic wall;
    wall.density = side.kind == SideKind::wall ? 1 : side.state.density;
    for (std::size_t d = 0; d < 3; ++d) wall.velocity[d] = side.state.velocity[d];
    wall.temperature = side.state.temperature;
    const auto m = [&](int p) {
      return wall.density * std::pow(std::numbers::pi * wall.temperature, -1.5) *
             std::exp(exponent(peculiar(wall, p), wall.temperature));
    };
    const double emitted =
        mass_before_ != nullptr ? collision_.gas.rotation * wall.temperature / 2 * m(q) : m(q);
    if (side.kind == SideKind::reservoir) return emitted;
    double leaving = 0;
    double entering = 0;
    for (int p = 0; p < velocities(); ++p) {
      const double outward = high ? courant(p, axis) : -courant(p, axis);
      if (outward < 0) entering -= weight(p) * outward * m(p);
      if (outward <= 0) continue;
      const int whole = static_cast<int>(outward);
      const int inward = high ? -1 : 1;
      const int end = on_line(high ? n - 1 : 0);
      double crossed = 0;
      const auto mass = [&](int at, int r) {
        return mass_before_ != nullptr
                   ? (*mass_before_)[static_cast<std::size_t>(at * velocities() + r)]
                   : before(at, r);
      };
      for (int depth = 0; depth < whole; ++depth) crossed += mass(end + inward * depth * step, p);
      const double of_cell = outward * grid_.spacing[a] / width_at(end, axis, 0);
      crossed += (outward - whole) * face_value(std::function<double(int, int)>(mass), end, axis,
                                                inward * whole, p, of_cell - whole);
      leaving += weight(p) * crossed;
    }
    return side.accommodation * leaving / entering * emitted + (1 - side.accommodation) * reflected;
  }

  PhaseGrid grid_;
  CollisionModel model_;
  Collision collision_;
  const std::vector<double>* mass_before_ = nullptr;  ///< set while the rotation is streamed
  bool in_stages_ = false;
  bool implicit_ = false;
  int n_[3];
};

}  // namespace knudsen::bgkw::test
