#include "recorded_cavity.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knudsen::shakhov {
namespace {

using test::cavity_flow;
using test::CavityFlow;

constexpr int record_cells = 64;

/// The cavity with a half-range quadrature. From 8 to 16 nodes an axis D changes by less than 1e-4
/// of its value, so differences from the record are due to the cells.
CavityFlow few_velocities(int cells) {
  auto json = test::cavity(cells, 16);
  json["velocity_grid"] = {{"type", "half-range"}, {"count", {16, 16, 16}}};
  const auto method = test::start(json);
  EXPECT_LE(test::converge(*method, 1e-9, 50), 50);
  return cavity_flow(*method, cells);
}

/// Averages of neighbouring values, on a coarser grid of `cells` cells.
std::vector<double> on_coarser(const std::vector<double>& values, std::size_t cells) {
  const std::size_t times = values.size() / cells;
  std::vector<double> means(cells, 0);
  for (std::size_t i = 0; i < values.size(); ++i) means[i / times] += values[i] / double(times);
  return means;
}

/// Root mean square of a + factor x (a - b) - c.
double distance(const std::vector<double>& a, const std::vector<double>& b, double factor,
                const std::vector<double>& c) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::pow(a[i] + factor * (a[i] - b[i]) - c[i], 2);
  }
  return std::sqrt(sum / double(a.size()));
}

/// Expected difference between n cells and the record, over that between n / 2 and n cells, if
/// errors fall as cells^-order.
double remaining_share(int n, double order) {
  const auto error = [order](double cells) { return std::pow(cells, -order); };
  return (error(n) - error(record_cells)) / (error(n / 2.0) - error(n));
}

/// The error falls with order 1 for velocities whose distribution is smooth and with order 1/2
/// where it jumps. The record must therefore lie between the extrapolations with orders 1 and 1/2.
void expect_on_the_way_to(const std::vector<double>& record, const std::vector<double>& coarse,
                          const std::vector<double>& fine, int fine_cells, const char* name) {
  const auto points = coarse.size();
  const auto record_there = on_coarser(record, points);
  const auto fine_there = on_coarser(fine, points);
  const double smooth = remaining_share(fine_cells, 1);
  const double steep = remaining_share(fine_cells, 0.5);
  const double change = distance(fine_there, fine_there, 0, coarse);
  EXPECT_LE(distance(fine_there, coarse, (smooth + steep) / 2, record_there),
            (steep - smooth) / 2 * change)
      << name;
  const double fall =
      distance(coarse, coarse, 0, record_there) / distance(fine_there, fine_there, 0, record_there);
  EXPECT_GE(fall, (1 + steep) / steep) << name;
  EXPECT_LE(fall, (1 + smooth) / smooth) << name;
}

TEST(Cavity, CoarseGridsGoToTheRecordAsTheirCellsGetSmaller) {
  const auto record = test::recorded_cavity(record_cells);
  const auto coarse = few_velocities(8);
  const auto fine = few_velocities(16);
  expect_on_the_way_to(record.u, coarse.u, fine.u, 16, "u along y");
  expect_on_the_way_to(record.v, coarse.v, fine.v, 16, "v along x");
  expect_on_the_way_to(record.drag, coarse.drag, fine.drag, 16, "D");
  expect_on_the_way_to(record.flow, coarse.flow, fine.flow, 16, "G");
}

}  // namespace
}  // namespace knudsen::shakhov
