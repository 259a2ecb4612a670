#include <gtest/gtest.h>

#include <iostream>

#include "lbm_d2q9/case_problem.hpp"
#include "lbm_d2q9/flow_runner.hpp"
#include "lbm_d2q9/ghia.hpp"
#include "lbm_d2q9/heated_cavity.hpp"
#include "lbm_d2q9/poiseuille.hpp"

// Minutes each: what the method is measured by at full resolution.

namespace knudsen::lbm_d2q9 {
namespace {

void expect_ghia(int reynolds, double tolerance) {
  const GhiaComparison comparison = compare_with_ghia(257, reynolds, true);
  std::cout << "Re " << reynolds << ": u differs by " << comparison.u.largest
            << " at y = " << comparison.u.position << ", v by " << comparison.v.largest
            << " at x = " << comparison.v.position << std::endl;
  EXPECT_TRUE(comparison.steady);
  EXPECT_LE(comparison.u.largest, tolerance);
  EXPECT_LE(comparison.v.largest, tolerance);
}

TEST(CavityAt257, Reynolds100) { expect_ghia(100, 0.01); }
TEST(CavityAt257, Reynolds400) { expect_ghia(400, 0.01); }
TEST(CavityAt257, Reynolds1000) { expect_ghia(1000, 0.015); }

TEST(HeatedCavity, Rayleigh1e5) { expect_de_vahl_davis(96, 1e5, 0.03, {4.519, 34.73, 68.59}); }
TEST(HeatedCavity, Rayleigh1e6) { expect_de_vahl_davis(160, 1e6, 0.02, {8.8, 64.63, 219.36}); }

void expect_thesis(WallTreatment walls) {
  const std::vector<PoiseuilleError> errors = thesis_errors(walls, 5);
  for (const PoiseuilleError& error : errors) {
    std::cout << error.nodes << " nodes: normalised error " << error.normalised
              << ", of the mean velocity " << error.of_mean << std::endl;
  }
  const double normalised_order = order_of(errors, &PoiseuilleError::normalised);
  const double mean_order = order_of(errors, &PoiseuilleError::of_mean);
  std::cout << "orders " << normalised_order << " and " << mean_order << std::endl;
  EXPECT_LT(errors.back().normalised, 1e-4);
  EXPECT_GE(normalised_order, 1.4);
  EXPECT_GE(mean_order, 1.95);
}

TEST(PoiseuilleTo256, FullWay) { expect_thesis(WallTreatment::full_way); }
TEST(PoiseuilleTo256, HalfWay) { expect_thesis(WallTreatment::half_way); }

// Schaefer and Turek (1996), case 2D-1, with the converged values of spectral computations: drag
// 5.57954, lift 0.0106189. The lift is a five-hundredth of the drag, which is why it takes 160
// nodes a diameter.
TEST(CylinderInAChannel, ReynoldsNumber20) {
  if (default_backend() == Backend::host)
    GTEST_SKIP() << "hours on a host; a GPU takes some minutes";
  const auto problem = problem_of(cylinder_in_a_channel(1600, 0.02));
  const auto method = problem->create(default_backend());
  method->initialise();
  EXPECT_TRUE(run_to_steady_state(*method, 20000, 1e-6, 3000000, "cylinder.lift_coefficient"));
  const double drag = method->monitor("cylinder.drag_coefficient");
  const double lift = method->monitor("cylinder.lift_coefficient");
  std::cout << "drag " << drag << ", lift " << lift << std::endl;
  EXPECT_NEAR(drag, 5.57954, 0.005 * 5.57954);
  EXPECT_NEAR(lift, 0.0106189, 0.01 * 0.0106189);
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
