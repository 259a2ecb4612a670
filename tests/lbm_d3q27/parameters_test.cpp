#include "methods/lbm_d3q27/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "flow_runner.hpp"
#include "lbm_d3q27/case_problem.hpp"
#include "methods/lbm_d3q27/quantities.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"
#include "support/device_copy.hpp"
#include "support/mass_warning.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A case of 12 x 10 x 8 nodes with more blocks.
std::string case_text(const std::string& more = "",
                      const std::string& fluid = R"("relaxation_time": 0.8)") {
  return R"({"domain": {"nodes": [12, 10, 8]}, "fluid": {)" + fluid + "}" +
         (more.empty() ? "" : ", " + more) + "}";
}

void expect_refused(const std::string& text, const std::string& message) {
  try {
    problem_of(text);
    FAIL() << "not refused: " << message;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
    EXPECT_THAT(error.what(), HasSubstr("case.json"));
  }
}

double resolved(const Problem& problem, const std::string& name) {
  for (const ResolvedValue& value : problem.resolved) {
    if (value.name == name) return std::stod(value.value);
  }
  ADD_FAILURE() << "nothing resolved is named " << name;
  return 0;
}

TEST(D3Q27Parameters, SizesOfADenseBox) {
  const auto problem = problem_of(case_text());
  EXPECT_EQ(problem->sizes.at("fluid_nodes"), 960);
  EXPECT_EQ(problem->sizes.at("stored_nodes"), 16 * 80);
  EXPECT_EQ(problem->updates_per_step, 960);
  EXPECT_EQ(problem->bytes_per_step, 960 * 216);
  EXPECT_EQ(problem->variant, "D3Q27 esoteric-twist trt");
  EXPECT_THAT(problem->warnings, IsEmpty());
}

TEST(D3Q27Parameters, RefusesFlowsThatCannotBeHeld) {
  const std::string held = R"("flow_control": {"axis": "z", "mean_velocity": 0.05})";
  const auto problem = problem_of(case_text(R"("collision": {)" + held + "}"));
  EXPECT_EQ(resolved(*problem, "mean velocity held along z"), 0.05);
  EXPECT_EQ(resolved(*problem, "response time of the flow control"), 13.85641);
  EXPECT_EQ(problem->monitors.back().name, "driving_force");
  expect_refused(case_text(R"("boundaries": {"bottom": {"type": "wall"}, "top": {"type": "wall"}},
                              "collision": {)" +
                           held + "}"),
                 "collision.flow_control.axis: the sides bottom and top are not periodic");
  expect_refused(case_text(R"("collision": {"body_force": [0, 0, 1e-5], )" + held + "}"),
                 R"("body_force" gives a force along this axis)");
  expect_refused(case_text(R"("collision": {"flow_control": {"axis": "x", "mean_velocity": 0.2}})"),
                 "collision.flow_control.mean_velocity: speed 0.2 is Mach number 0.3464");
  expect_refused(case_text(R"("collision": {"flow_control": {"axis": "x"}})"),
                 "collision.flow_control.mean_velocity: is missing");
}

TEST(D3Q27Parameters, ASparseNodeCountsThirtyValues) {
  const auto problem = problem_of(case_text(R"("propagation": {"nodes": "sparse"})"));
  EXPECT_EQ(problem->sizes.at("stored_nodes"), 960);
  EXPECT_NEAR(resolved(*problem, "memory of a fluid node"), 30 * 4, 0.5);
  EXPECT_EQ(problem->bytes_per_step, 960 * 224);
}

TEST(D3Q27Parameters, HalfStorageHalvesTheMemory) {
  std::string text = case_text();
  text.insert(1, R"("precision": "half-storage", )");
  EXPECT_EQ(problem_of(text)->bytes_per_step, 960 * 108);
}

TEST(D3Q27Parameters, WallsAddALayer) {
  const auto problem = problem_of(case_text(
      R"("boundaries": {"south": {"type": "wall"}, "north": {"type": "wall", "velocity": [0.01, 0, 0]}})"));
  EXPECT_EQ(problem->sizes.at("stored_nodes"), 16 * 11 * 8);
  // Next to the moving wall.
  EXPECT_EQ(problem->sizes.at("boundary_nodes"), 12 * 8);
}

TEST(D3Q27Parameters, MonitorsOfBodiesAndPlanes) {
  const auto problem = problem_of(case_text(
      R"("collision": {"body_force": [1e-6, 0, 0]}, "geometry": {"solids": [{"shape": "sphere", "centre": [6, 5, 4], "radius": 2, "name": "ball"}], "flow_planes": [{"name": "inlet", "axis": "x", "position": 0}]})"));
  std::vector<std::string> names;
  for (const Quantity& quantity : problem->monitors) names.push_back(quantity.name);
  for (const char* name : {"permeability", "inlet.flow_rate", "ball.force_x", "ball.torque_z"}) {
    EXPECT_THAT(names, testing::Contains(name));
  }
}

TEST(D3Q27Parameters, MoreNodesThanCanBeNumbered) {
  expect_refused(R"({"domain": {"nodes": [2000, 2000, 2000]}, "fluid": {"relaxation_time": 1}})",
                 "more than 4294966272 nodes");
}
TEST(D3Q27Parameters, ExtentsBeyond32Bits) {
  expect_refused(R"({"domain": {"nodes": [4294967296, 9, 31]}, "fluid": {"relaxation_time": 1}})",
                 "domain.nodes[0]: found 4294967296, must be from 1 to 2147483647");
  expect_refused(
      R"({"domain": {"size": [1, 1e-9, 1e-9], "resolution": 1e10}, "fluid": {"relaxation_time": 1}})",
      "gives the number of nodes along x 10000000000");
}
TEST(D3Q27Parameters, LargeBoxesAreEstimatedWithoutTheirMap) {
  const auto estimate = [](const std::string& text) {
    auto document = CaseDocument::from_text(text, "case.json");
    document.set_estimating(true);
    std::unique_ptr<Problem> problem;
    read_case(document, [&](CaseNode& root) { problem = read_problem(root); });
    return problem;
  };
  const auto memory = [](const Problem& problem) {
    return static_cast<double>(problem.memory_bytes);
  };
  EXPECT_FALSE(estimate(case_text())->estimated);
  for (const std::string more :
       {R"("propagation": {"nodes": "sparse"})", R"("precision": "double")",
        R"("boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}})",
        R"("propagation": {"nodes": "sparse"},
           "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}})",
        R"("boundaries": {"west": {"type": "velocity"}, "east": {"type": "outflow"}})"}) {
    std::string text = case_text(more);
    text.replace(text.find("[12, 10, 8]"), 11, "[260, 260, 128]");
    const auto found = estimate(text);
    EXPECT_TRUE(found->estimated);
    EXPECT_EQ(found->sizes.count("fluid_nodes"), 0U);
    EXPECT_THROW(found->create(Backend::host), std::logic_error);
    const auto exact = problem_of(text);
    EXPECT_FALSE(exact->estimated);
    EXPECT_NEAR(memory(*found) / memory(*exact), 1, 1e-3) << more;
    EXPECT_EQ(found->least_memory_bytes, found->memory_bytes);
  }
  // With solids the number of nodes of a sparse lattice is not known.
  const auto bed = estimate(R"({"domain": {"nodes": [300, 300, 300]},
      "fluid": {"relaxation_time": 1}, "propagation": {"nodes": "sparse"}, "geometry": {"solids":
      [{"shape": "sphere-packing", "count": 400000, "porosity": 0.5}]}})");
  EXPECT_TRUE(bed->estimated);
  EXPECT_EQ(bed->least_memory_bytes, 0U);
  ASSERT_EQ(bed->warnings.size(), 1U);
  EXPECT_THAT(bed->warnings[0], HasSubstr("this is an estimate"));
}
TEST(D3Q27Parameters, NamesOfPlanes) {
  const auto planes = [](const std::string& first, const std::string& second) {
    const auto plane = [](const std::string& name) {
      return R"({"axis": "x", "position": 2, "name": ")" + name + "\"}";
    };
    return case_text(R"("geometry": {"solids": [{"shape": "sphere", "centre": [6, 5, 4],
        "radius": 2, "name": "ball"}], "flow_planes": [)" +
                     plane(first) + "," + plane(second) + "]}");
  };
  for (const char* name : {"inlet.1", "a,b", "a\\nb"}) {
    expect_refused(planes("a", name), "flow_planes[1].name: found");
    expect_refused(planes("a", name), "a name must consist of letters");
  }
  expect_refused(planes("a", "a"), "is already the name of another plane");
  expect_refused(planes("ball", "a"), "is already the name of a solid");
  expect_refused(planes("top", "a"), "is already the name of a side");
}
TEST(D3Q27Parameters, WhatFollowsFromTheFluidIsFinite) {
  const auto fluid = [](const std::string& text) { return case_text("", text); };
  expect_refused(fluid(R"("reynolds": 5e-324, "velocity": 0.05)"),
                 "fluid.reynolds: found 5e-324, gives the relaxation time inf, must be finite");
  expect_refused(fluid(R"("reynolds": 1e-9, "velocity": 0.05)"), "gives the relaxation time");
  expect_refused(fluid(R"("relaxation_time": 1e300)"), "fluid.relaxation_time: found 1e+300");
  expect_refused(fluid(R"("relaxation_time": 1, "velocity": 5e-324)"),
                 "gives the characteristic velocity in node spacings a step 5e-324");
  expect_refused(case_text(R"("collision": {"body_force": [1e300, 0, 0]})"),
                 "collision.body_force[0]: found 1e+300, must be from -1 to 1");
}
TEST(D3Q27Parameters, SparseNodesNeedEsotericTwist) {
  expect_refused(case_text(R"("propagation": {"nodes": "sparse", "scheme": "aa-pattern"})"),
                 "sparse nodes require the scheme \"esoteric-twist\"");
}
TEST(D3Q27Parameters, HalfStorageNeedsEsotericTwist) {
  std::string text = case_text(R"("propagation": {"scheme": "two-array"})");
  text.insert(1, R"("precision": "half-storage", )");
  expect_refused(text, "half-storage");
}
TEST(D3Q27Parameters, MomentOperatorsNeedD3Q27) {
  expect_refused(
      case_text(R"("propagation": {"lattice": "D3Q19"}, "collision": {"operator": "cumulant"})"),
      "needs the lattice \"D3Q27\"");
}
TEST(D3Q27Parameters, ParametrisedCumulantNeedsASmallViscosity) {
  expect_refused(case_text(R"("collision": {"operator": "cumulant-parametrised"})"),
                 "kinematic viscosity of at most");
}
TEST(D3Q27Parameters, MagicBelongsToTrt) {
  expect_refused(case_text(R"("collision": {"operator": "bgk", "magic": 0.25})"), "trt");
}
TEST(D3Q27Parameters, EddyViscosityBelongsToBgkAndTrt) {
  expect_refused(case_text(R"("collision": {"operator": "cumulant", "smagorinsky": 0.1})"), "bgk");
  expect_refused(case_text(R"("collision": {"operator": "cascaded", "wale": 0.5})"), "cumulant");
}
TEST(D3Q27Parameters, OneEddyViscosityIsEnough) {
  expect_refused(case_text(R"("collision": {"smagorinsky": 0.1, "wale": 0.5})"),
                 "keep one of the two");
  expect_refused(case_text(R"("collision": {"wale_interval": 5})"), "belongs to \"wale\"");
}
TEST(D3Q27Parameters, PeriodicSidesComeInPairs) {
  expect_refused(case_text(R"("boundaries": {"top": {"type": "wall"}})"),
                 "(top) must be periodic too");
}
TEST(D3Q27Parameters, WallsMoveAlongThemselves) {
  expect_refused(
      case_text(
          R"("boundaries": {"top": {"type": "wall", "velocity": [0, 0, 0.1]}, "bottom": {"type": "wall"}})"),
      "the z component must be 0");
}
TEST(D3Q27Parameters, NoFluidNode) {
  expect_refused(
      case_text(
          R"("geometry": {"solids": [{"shape": "box", "from": [0, 0, 0], "to": [12, 10, 8]}]})"),
      "no fluid node in the domain");
}
TEST(D3Q27Parameters, ASingleIsolatedFluidNode) {
  expect_refused(
      case_text(
          R"("geometry": {"solids": [{"shape": "sphere", "centre": [5.5, 4.5, 3.5], "radius": 0.9, "inverted": true}]})"),
      "no fluid node has a fluid neighbour");
}
TEST(D3Q27Parameters, IsolatedNodesAmongOthersAreAWarning) {
  // A hollow cube: one fluid node inside of 26 solid ones.
  const auto problem = problem_of(case_text(
      R"("geometry": {"solids": [{"shape": "box", "from": [3, 3, 3], "to": [6, 6, 4]}, {"shape": "box", "from": [3, 3, 5], "to": [6, 6, 6]}, {"shape": "box", "from": [3, 3, 4], "to": [4, 6, 5]}, {"shape": "box", "from": [5, 3, 4], "to": [6, 6, 5]}, {"shape": "box", "from": [4, 3, 4], "to": [5, 4, 5]}, {"shape": "box", "from": [4, 5, 4], "to": [5, 6, 5]}]})"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0], HasSubstr("1 fluid nodes have no fluid neighbour"));
}
TEST(D3Q27Parameters, TooFastAVelocity) {
  expect_refused(case_text(R"("initial": {"type": "uniform", "velocity": [0.4, 0, 0]})"),
                 "Mach number");
}
TEST(D3Q27Parameters, PlanesLieInTheDomain) {
  expect_refused(
      case_text(R"("geometry": {"flow_planes": [{"name": "a", "axis": "y", "position": 11}]})"),
      "must be in the domain");
}
TEST(D3Q27Parameters, ATaylorGreenWaveNeedsXAndY) {
  expect_refused(case_text(R"("initial": {"type": "taylor-green", "wave_numbers": [1, 0, 1]})"),
                 "at least 1 along x and y");
}

/// All that a run may be at a checkpoint: walls with links, open sides, an odd step.
Parameters rich_case(StoragePrecision precision, bool sparse) {
  Parameters p = domain(14, 9, 8, 0.6);
  p.precision = precision;
  p.sparse = sparse;
  p.walls = WallTreatment::interpolated;
  p.sides[west] = {SideKind::velocity, {0.02, 0, 0}, false, 1, 0.01};
  p.sides[east] = {SideKind::pressure, {0, 0, 0}, false, 1, 0.01};
  add_body(p, "ball", ellipsoid({6, 4.5, 4}, {2.2, 2.2, 2.2}));
  return p;
}

TEST(D3Q27Checkpoint, GoesOnBitForBit) {
  const TemporaryDirectory directory;
  for (const StoragePrecision precision :
       {StoragePrecision::single_precision, StoragePrecision::double_precision,
        StoragePrecision::half_storage}) {
    for (const bool sparse : {false, true}) {
      const Parameters p = rich_case(precision, sparse);
      const auto whole = started(p);
      whole->advance(7);
      const auto file = directory / "checkpoint.h5";
      {
        CheckpointWriter writer(file, "lbm_d3q27", "digest", 7);
        whole->save(writer);
        writer.commit();
      }
      whole->advance(6);
      const auto restarted = started(p);
      restarted->load(CheckpointReader(file));
      restarted->advance(6);
      for (std::size_t a = 0; a < 3; ++a) {
        const auto expected = values_of(*whole, "velocity", a);
        const auto found = values_of(*restarted, "velocity", a);
        for (std::size_t i = 0; i < expected.size(); ++i) {
          if (!std::isnan(expected[i])) {
            ASSERT_EQ(found[i], expected[i]);
          }
        }
      }
    }
  }
}

TEST(D3Q27Method, WarnsWhereTheMassOfAClosedDomainChanges) {
  // A driven cavity with walls at other places on the links than half-way.
  const auto problem = [](const std::string& walls) {
    return problem_of(R"({
      "precision": "double", "domain": {"nodes": [20, 20, 2]},
      "fluid": {"reynolds": 10, "length": 12, "velocity": 0.1}, "collision": {"operator": "trt"},
      "geometry": {"walls": ")" +
                      walls + R"(", "solids": [
                   {"name": "w", "shape": "half-space", "point": [4.3, 0, 0], "normal": [1, 0, 0]},
                   {"name": "e", "shape": "half-space", "point": [15.6, 0, 0], "normal": [-1, 0, 0]},
                   {"name": "s", "shape": "half-space", "point": [0, 4.2, 0], "normal": [0, 1, 0]},
                   {"name": "n", "shape": "half-space", "point": [0, 15.7, 0], "normal": [0, -1, 0], "velocity": [1, 0, 0]}]}})");
  };
  knudsen::test::expect_mass_warning(*problem("half-way"), *problem("interpolated"), "lbm_d3q27");
}

TEST(D3Q27Checkpoint, OfOtherSolidsIsRefused) {
  const TemporaryDirectory directory;
  const auto file = directory / "checkpoint.h5";
  Parameters p = rich_case(StoragePrecision::single_precision, false);
  {
    CheckpointWriter writer(file, "lbm_d3q27", "digest", 0);
    started(p)->save(writer);
    writer.commit();
  }
  add_body(p, "other", ellipsoid({11, 4.5, 4}, {1.5, 1.5, 1.5}));
  EXPECT_THROW(started(p)->load(CheckpointReader(file)), InputError);
}

TEST(D3Q27Method, TellsWhereItDiverged) {
  Parameters p = domain(8, 6, 5, 0.5 + 1e-6);
  p.collision_operator = Bgk::name;
  p.initial.kind = InitialKind::noise;
  p.initial.velocity[0] = 0.5;
  const auto method = started(p);
  EXPECT_FALSE(method->find_divergence());
  method->advance(3000);
  EXPECT_TRUE(method->find_divergence());
}

TEST(D3Q27Method, TellsTheFirstNodeWithAFlowThatIsNotValid) {
  const auto speed_of = [](const FlowState3D<double>& s) {
    return std::hypot(s.velocity[0], s.velocity[1], s.velocity[2]);
  };
  for (const StoragePrecision precision :
       {StoragePrecision::single_precision, StoragePrecision::double_precision,
        StoragePrecision::half_storage}) {
    for (const bool sparse : {false, true}) {
      Parameters p = domain(8, 6, 5, 0.8);
      p.precision = precision;
      p.sparse = sparse;
      p.initial.kind = InitialKind::noise;
      p.initial.velocity[0] = 0.8;
      std::array<std::int64_t, 3> first{-1, -1, -1};
      for (int z = 4; z >= 0; --z) {
        for (int y = 5; y >= 0; --y) {
          for (int x = 7; x >= 0; --x) {
            if (speed_of(p.initial.at(x, y, z)) > 1) first = {x, y, z};
          }
        }
      }
      const auto divergence = started(p)->find_divergence();
      ASSERT_TRUE(divergence);
      // Sparse nodes have an order of their own.
      const auto& cell = divergence->cell;
      if (!sparse) {
        EXPECT_EQ(cell, first);
      }
      EXPECT_GT(speed_of(p.initial.at(double(cell[0]), double(cell[1]), double(cell[2]))), 1);
      EXPECT_THAT(divergence->what, HasSubstr("node spacings a step, must be at most 1"));
      EXPECT_THAT(divergence->advice, HasSubstr("lower fluid.velocity"));
    }
  }
}

TEST(D3Q27Method, TellsOfADensityThatIsNotPositive) {
  for (const StoragePrecision precision :
       {StoragePrecision::single_precision, StoragePrecision::double_precision,
        StoragePrecision::half_storage}) {
    // Vortices in a plane: slower than one spacing a step, with densities down to 1 - 3 a^2 / 2.
    Parameters p = domain(16, 16, 4, 0.8);
    p.precision = precision;
    p.initial.kind = InitialKind::taylor_green;
    p.initial.velocity[0] = 0.95;
    p.initial.wave_numbers[2] = 0;
    const auto divergence = started(p)->find_divergence();
    ASSERT_TRUE(divergence);
    const auto& cell = divergence->cell;
    EXPECT_LT(p.initial.at(double(cell[0]), double(cell[1]), double(cell[2])).density_deviation,
              -1);
    EXPECT_THAT(divergence->what, testing::StartsWith("the density is -"));
    EXPECT_THAT(divergence->what, HasSubstr(", must be greater than 0"));
  }
}

TEST(D3Q27Method, FieldsAreNotANumberInSolidNodesOnly) {
  for (const bool sparse : {false, true}) {
    const Parameters p = rich_case(StoragePrecision::single_precision, sparse);
    const auto method = started(p);
    method->advance(3);
    const Field density = method->field("density");
    const Field solid = method->field("solid");
    for (std::size_t i = 0; i < density.size(); ++i) {
      const bool is_solid = p.solids.body[i] >= 0;
      EXPECT_EQ(std::isnan(density[i]), is_solid);
      EXPECT_EQ(solid[i], is_solid ? 1 : 0);
    }
  }
}

TEST(D3Q27Method, FieldsInTheMemoryOfTheBackendAreThoseOfTheHost) {
  for (const auto precision :
       {StoragePrecision::single_precision, StoragePrecision::double_precision,
        StoragePrecision::half_storage}) {
    for (const bool sparse : {false, true}) {
      const auto method = started(rich_case(precision, sparse), default_backend());
      std::set<std::string> evaluated;
      for (int step = 0; step < 2; ++step) {
        method->advance(1);
        for (const Quantity& quantity : field_quantities()) {
          const auto field = method->device_field(quantity.name);
          if (!field) continue;
          evaluated.insert(quantity.name);
          EXPECT_TRUE(test::same_values(test::on_host(*field), method->field(quantity.name)))
              << quantity.name;
        }
      }
      EXPECT_THAT(evaluated, testing::ElementsAre("density", "pressure", "stress", "velocity"));
    }
  }
}

TEST(D3Q27Method, EnstrophyAndVorticityOfAShear) {
  Parameters p = domain(4, 16, 4, 0.8);
  p.initial.kind = InitialKind::taylor_green;
  p.initial.velocity[0] = 0.01;
  p.initial.wave_numbers[2] = 0;
  p.nodes = {16, 16, 4};
  p.initial.size[0] = 16;
  const auto method = started(p);
  // u = a sin cos, v = -a cos sin: vorticity 2 a k sin sin, its mean square (a k)^2; central
  // differences find sin(k) for k.
  const double k = std::sin(2 * std::numbers::pi / 16);
  EXPECT_NEAR(method->monitor("enstrophy") / (0.5 * 0.0001 * k * k * 16 * 16 * 4), 1, 1e-3);
  EXPECT_NEAR(values_of(*method, "vorticity", 2)[0] /
                  (2 * 0.01 * k * std::pow(std::sin(std::numbers::pi / 16), 2)),
              1, 1e-3);
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
