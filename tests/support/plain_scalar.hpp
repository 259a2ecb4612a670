#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace knudsen {

/// A passive scalar on D2Q9 or D3Q19 in a periodic box, one population after the other by the
/// formulas of src/methods/lattice/README.md. `Lattice` gives the velocities.
template <class Lattice>
class PlainScalar {
 public:
  static constexpr int dimensions = Lattice::dimensions;
  using Vector = std::array<double, 3>;

  /// `values` and `velocities` of step 0, x fastest.
  PlainScalar(const std::array<int, 3>& nodes, double diffusivity, double magic,
              const std::vector<double>& values, const std::vector<Vector>& velocities)
      : nodes_(nodes), odd_rate_(1 / (3 * diffusivity + 0.5)) {
    even_rate_ = 1 / (magic / (3 * diffusivity) + 0.5);
    incoming_.assign(values.size(), {});
    for_nodes([&](std::size_t n, const std::array<int, 3>& at) {
      for (int q = 0; q < Lattice::populations; ++q) {
        double all = values[n] * (even(q, velocities[n]) + odd(q, velocities[n]));
        for (int a = 0; a < dimensions; ++a) {
          std::array<int, 3> offset{};
          offset[static_cast<std::size_t>(a)] = 1;
          const double gradient =
              (values[neighbour(at, offset, 1)] - values[neighbour(at, offset, -1)]) / 2;
          all -= weight(q) * Lattice::velocity(q, a) * gradient / odd_rate_;
        }
        incoming_[n][static_cast<std::size_t>(q)] = all;
      }
    });
  }

  /// One step with the velocities before it.
  void step(const std::vector<Vector>& velocities) {
    auto next = incoming_;
    for_nodes([&](std::size_t n, const std::array<int, 3>& at) {
      const double sum = value(n);
      for (int q = 0; q < Lattice::populations; ++q) {
        const double h = incoming_[n][static_cast<std::size_t>(q)];
        const double p = incoming_[n][static_cast<std::size_t>(Lattice::opposite(q))];
        const std::array<int, 3> c{Lattice::velocity(q, 0), Lattice::velocity(q, 1),
                                   dimensions == 3 ? Lattice::velocity(q, 2) : 0};
        next[neighbour(at, c, 1)][static_cast<std::size_t>(q)] =
            h - even_rate_ * ((h + p) / 2 - sum * even(q, velocities[n])) -
            odd_rate_ * ((h - p) / 2 - sum * odd(q, velocities[n]));
      }
    });
    std::swap(incoming_, next);
  }

  double value(std::size_t node) const {
    double sum = 0;
    for (const double h : incoming_[node]) sum += h;
    return sum;
  }

 private:
  static double weight(int q) {
    int moving = 0;
    for (int a = 0; a < dimensions; ++a) moving += Lattice::velocity(q, a) != 0 ? 1 : 0;
    const std::array<double, 3> of_plane{4.0 / 9, 1.0 / 9, 1.0 / 36};
    const std::array<double, 3> of_space{1.0 / 3, 1.0 / 18, 1.0 / 36};
    return (dimensions == 2 ? of_plane : of_space)[static_cast<std::size_t>(moving)];
  }
  static double along(int q, const Vector& u) {
    double sum = 0;
    for (int a = 0; a < dimensions; ++a) {
      sum += Lattice::velocity(q, a) * u[static_cast<std::size_t>(a)];
    }
    return sum;
  }
  static double even(int q, const Vector& u) {
    const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    return weight(q) * (1 + 4.5 * along(q, u) * along(q, u) - 1.5 * square);
  }
  static double odd(int q, const Vector& u) { return weight(q) * 3 * along(q, u); }

  std::size_t neighbour(const std::array<int, 3>& at, const std::array<int, 3>& offset,
                        int times) const {
    std::size_t place = 0;
    for (std::size_t a = 3; a-- > 0;) {
      const int n = nodes_[a];
      place = place * static_cast<std::size_t>(n) +
              static_cast<std::size_t>((at[a] + times * offset[a] + n) % n);
    }
    return place;
  }
  template <class Visit>
  void for_nodes(const Visit& visit) const {
    std::size_t n = 0;
    std::array<int, 3> at{};
    for (at[2] = 0; at[2] < nodes_[2]; ++at[2]) {
      for (at[1] = 0; at[1] < nodes_[1]; ++at[1]) {
        for (at[0] = 0; at[0] < nodes_[0]; ++at[0]) visit(n++, at);
      }
    }
  }

  std::array<int, 3> nodes_;
  double odd_rate_, even_rate_ = 0;
  std::vector<std::array<double, Lattice::populations>> incoming_;  ///< by node
};

/// Takes 20 steps of a method and of PlainScalar with the method's velocities, with a diffusivity
/// of 0.03 and a magic parameter of 0.2, and compares. values() and velocities() are the method's
/// at present.
template <class Lattice, class AnyMethod, class Values, class Velocities>
void expect_values_of_plain_scalar(AnyMethod& method, const std::array<int, 3>& nodes,
                                   const Values& values, const Velocities& velocities,
                                   const std::string& what) {
  PlainScalar<Lattice> plain(nodes, 0.03, 0.2, values(), velocities());
  for (int step = 0; step < 20; ++step) {
    plain.step(velocities());
    method.advance(1);
  }
  const std::vector<double> found = values();
  for (std::size_t n = 0; n < found.size(); ++n) {
    EXPECT_NEAR(found[n], plain.value(n), 1e-13) << what;
  }
}

}  // namespace knudsen
