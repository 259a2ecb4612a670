#include "methods/bgkw/host_cell.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace knudsen::bgkw {
namespace {

/// Numbers from `least` on, by less than one, that repeat after a prime number of places.
template <class Real>
std::vector<Real> numbers(std::size_t count, double least, std::size_t start) {
  std::vector<Real> made(count);
  for (std::size_t n = 0; n < count; ++n) {
    made[n] = static_cast<Real>(least + double((7 * n + start) % 101) / 101);
  }
  return made;
}

/// A cell with neighbours of its own, its output among values that must not change, and the same
/// update value by value in double precision.
template <class Real, int Dimensions, Pass What>
class OneCell {
  static constexpr bool streams = What == Pass::stream || What == Pass::stream_collide;
  static constexpr bool relaxes = What == Pass::collide || What == Pass::stream_collide;
  static constexpr bool flows = What == Pass::stream_collide || What == Pass::sum;
  static constexpr std::size_t guard = 64;
  static constexpr Real untouched = -77;
  using Size = std::size_t;

 public:
  OneCell(int rows, int row_length, int planes = 5, int planes_below = 2) {
    v_.planes = planes;
    v_.planes_below = planes_below;
    v_.row_length = row_length;
    v_.plane = rows * row_length;
    v_.plane_below = rows / 2 * row_length;
    const Real crossing[] = {Real(0.11), Real(0.07), Real(0.05)};
    for (int d = 0; d < Dimensions; ++d) v_.crossing[d] = crossing[d];
    for (int i = 0; i < planes; ++i) {
      x_.push_back(Real(i < planes_below ? -1 : 1) *
                   (Real(0.3) * static_cast<Real>(i) + Real(0.2)));
      of_plane_.push_back(std::fabs(x_.back()) * crossing[0]);
      of_plane_.push_back(Real(0.4) + Real(0.01) * static_cast<Real>(i));
      for (int n = 0; n < 3; ++n) of_plane_.push_back(std::fabs(x_.back()) * of_plane_.back());
    }
    const Size plane = static_cast<Size>(v_.plane);
    y_ = numbers<Real>(plane, 0.1, 3);
    z_ = numbers<Real>(plane, -0.5, 5);
    for (Size k = 0; k < static_cast<Size>(v_.plane_below); ++k) y_[k] = -y_[k];
    weight_ = numbers<Real>(plane, 0.1, 11);
    square_weight_ = numbers<Real>(plane, 0.1, 17);
    const Size size = plane * static_cast<Size>(planes);
    values_ = numbers<Real>(size, 1, 0);
    for (Size d = 0; d < beside_.size(); ++d) beside_[d] = numbers<Real>(size, 1, 20 + 3 * d);
    mirrored_ = numbers<Real>(size, 0, 50);
    target_ = numbers<Real>(static_cast<Size>(row_length + planes + rows), 0.2, 9);
    v_.of_plane = of_plane_.data();
    v_.y = y_.data();
    v_.z = z_.data();
    v_.weight = weight_.data();
    v_.square_weight = square_weight_.data();
  }

  /// The new values and the sums. `offset`: where in a cache line the output begins.
  std::vector<double> updated(bool past_caches, Size offset, bool mirrors) const {
    const Size size = values_.size();
    std::vector<Real> out(size + 3 * guard, untouched);
    Size first = guard;
    while (reinterpret_cast<std::uintptr_t>(out.data() + first) % 64 != 0) ++first;
    first += offset;
    std::array<double, 35> totals{};
    HostCell<Real> cell;
    cell.values = cell.ahead = cell.ahead_of_side[0] = cell.ahead_of_side[1] = values_.data();
    for (Size d = 0; d < 6; ++d) {
      cell.beside[d] = beside_[d].data();
      cell.factor[d] = factor(d);
    }
    if (mirrors) cell.mirrored = mirrored_.data();
    cell.target_of_z = target_.data();
    cell.kept_share = kept_share;
    cell.out = out.data() + first;
    cell.totals = totals.data();
    cell.past_caches = past_caches;
    update_cell_on_host<Real, Dimensions, What>(v_, cell);
    std::vector<double> result(out.begin() + static_cast<std::ptrdiff_t>(first),
                               out.begin() + static_cast<std::ptrdiff_t>(first + size));
    for (Size n = 0; n < out.size(); ++n) {
      const bool written = What != Pass::sum && n >= first && n < first + size;
      EXPECT_EQ(out[n] != untouched, written) << n;
    }
    result.insert(result.end(), totals.begin(), totals.end());
    return result;
  }

  std::vector<double> expected(bool mirrors) const {
    std::vector<double> result;
    std::array<double, 35> totals{};
    for (int i = 0; i < v_.planes; ++i) {
      for (int k = 0; k < v_.plane; ++k) {
        const Size n = static_cast<Size>(i * v_.plane + k);
        const Size lane = static_cast<Size>(k);
        const double velocity[] = {x_[static_cast<Size>(i)], y_[lane], z_[lane]};
        const double f = values_[n];
        double value = f;
        for (Size d = 0; streams && d < Dimensions; ++d) {
          const Size from = 2 * d + (velocity[d] < 0 ? 1 : 0);
          value -= std::fabs(velocity[d]) * v_.crossing[d] *
                   (f - factor(from) * double(beside_[from][n]));
        }
        if (streams && mirrors) value += mirrored_[n];
        const auto entry = [&](int place) { return double(target_[static_cast<Size>(place)]); };
        if (relaxes) {
          value = kept_share * value + entry(k % v_.row_length) * entry(v_.row_length + i) *
                                           entry(v_.row_length + v_.planes + k / v_.row_length);
        }
        result.push_back(What == Pass::sum ? double(untouched) : value);
        const double w = of_plane_[5 * static_cast<Size>(i) + 1];
        const double number = w * weight_[lane] * value;
        const double square = number * (velocity[0] * velocity[0] + velocity[1] * velocity[1]) +
                              w * square_weight_[lane] * value;
        const double moments[] = {number, number * velocity[0], number * velocity[1],
                                  number * velocity[2], square};
        for (Size m = 0; What != Pass::collide && m < 5; ++m) {
          totals[m] += moments[m];
          for (Size d = 0; flows && d < Dimensions; ++d) {
            const Size direction = 2 * d + (velocity[d] < 0 ? 0 : 1);
            totals[5 * (1 + direction) + m] += std::fabs(velocity[d]) * v_.crossing[d] * moments[m];
          }
        }
      }
    }
    result.insert(result.end(), totals.begin(), totals.end());
    return result;
  }

 private:
  static constexpr Real kept_share = Real(0.8);
  static Real factor(Size direction) { return Real(1) + Real(0.1) * static_cast<Real>(direction); }

  HostVelocities<Real> v_;
  std::vector<Real> x_, of_plane_, y_, z_, weight_, square_weight_, values_, mirrored_, target_;
  std::array<std::vector<Real>, 6> beside_;
};

template <class Real, int Dimensions, Pass What>
void compare(int rows, int row_length) {
  const OneCell<Real, Dimensions, What> cell(rows, row_length);
  constexpr auto offset = static_cast<std::size_t>(16 / sizeof(Real));
  for (const bool mirrors : {false, true}) {
    const std::vector<double> expected = cell.expected(mirrors);
    const std::vector<double> found = cell.updated(false, 0, mirrors);
    for (std::size_t n = 0; n < expected.size(); ++n) {
      const double tolerance = 1000 * double(std::numeric_limits<Real>::epsilon());
      ASSERT_NEAR(found[n], expected[n], tolerance * (10 + std::fabs(expected[n])))
          << Dimensions << ' ' << rows << ' ' << row_length << ' ' << n;
    }
    // Where and how the values are written does not change a bit.
    EXPECT_EQ(cell.updated(true, 0, mirrors), found);
    EXPECT_EQ(cell.updated(false, offset, mirrors), found);
    EXPECT_EQ(cell.updated(true, offset, mirrors), found);
  }
}

template <class Real, Pass What>
void compare_grids() {
  // Whole cache lines, with the change of sign of v_y within one or not; other lengths; more lanes
  // than are added up at once.
  for (const auto& [rows, row_length] :
       {std::array{4, 16}, {10, 16}, {6, 8}, {20, 20}, {5, 4}, {1, 4}, {7, 28}, {30, 28}}) {
    compare<Real, 1, What>(rows, row_length);
    if constexpr (What != Pass::collide) {
      compare<Real, 2, What>(rows, row_length);
      compare<Real, 3, What>(rows, row_length);
    }
  }
}

TEST(UpdateCellOnHost, IsThatOfEachValue) {
  compare_grids<float, Pass::stream>();
  compare_grids<double, Pass::stream>();
  compare_grids<float, Pass::stream_collide>();
  compare_grids<double, Pass::stream_collide>();
}

TEST(UpdateCellOnHost, RelaxesOrAddsUpAlone) {
  compare_grids<float, Pass::collide>();
  compare_grids<double, Pass::collide>();
  compare_grids<float, Pass::sum>();
  compare_grids<double, Pass::sum>();
}

}  // namespace
}  // namespace knudsen::bgkw
