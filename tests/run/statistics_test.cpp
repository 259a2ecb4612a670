#include "run/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "output/temporary_directory.hpp"
#include "run/fake_method.hpp"
#include "run/read_sampling.hpp"

namespace knudsen::test {
namespace {

using nlohmann::json;

const FieldPart temperature{"temperature", "temperature", 0};
const FieldPart flux{"flux", "flux", -1};
const FieldPart flux_y{"flux_y", "flux", 1};

/// A grid of many blocks, which is what FakeProblem has not.
class WideProblem : public FakeProblem {
 public:
  WideProblem() { grid.cells = {71, 73, 1}; }
};

RunSettings::Statistics all_kinds() {
  return {{3, 2}, {flux, temperature}, {temperature, flux_y}, {{{temperature, flux_y}}}};
}

/// Small fluctuations about large values, as a pressure has them.
double value_at(std::int64_t step, std::size_t cell, int variable) {
  const auto x = static_cast<double>(cell);
  const auto t = static_cast<double>(step);
  return 1e6 + variable + 1e-3 * std::sin(0.1 * x + (1 + variable) * t);
}

/// Fields at a step that the test sets.
class SampledMethod : public FakeMethod {
 public:
  SampledMethod(const Problem& problem, const std::int64_t& step)
      : FakeMethod({}), problem_(problem), step_(step) {}

  Field field(const std::string& name) override {
    const bool scalar = name == "temperature";
    std::vector<double> values;
    for (std::size_t cell = 0; cell < problem_.grid.size(); ++cell) {
      for (int v = scalar ? 0 : 1; v < (scalar ? 1 : 3); ++v) {
        values.push_back(value_at(step_, cell, v));
      }
    }
    if (scalar) values[5] = NAN;  // solid
    return {problem_.fields[scalar ? 0 : 1], values};
  }

 private:
  const Problem& problem_;
  const std::int64_t& step_;
};

/// Statistics and the method whose fields they are of.
struct Averaged {
  Averaged(const RunSettings::Statistics& settings, const Problem& problem)
      : statistics(settings, problem),
        method(statistics.keep_in(std::make_unique<SampledMethod>(problem, step))),
        cells(problem.grid.size()) {}

  void add(std::int64_t at) {
    step = at;
    statistics.add(at, *method);
  }
  Field field(std::size_t index) {
    const auto averaged = statistics.field(index, *method);
    const auto values = std::get<std::span<const double>>(averaged->values(0, cells));
    return {averaged->quantity(), std::vector<double>(values.begin(), values.end())};
  }
  void save(const std::filesystem::path& path) {
    CheckpointWriter writer(path, "fake", "digest", step + 1);
    statistics.save(writer, *method);
    writer.commit();
  }

  std::int64_t step = 0;
  Statistics statistics;
  std::unique_ptr<Method> method;
  std::size_t cells;
};

/// Sets the size of pieces as long as it exists.
struct PieceBytes {
  explicit PieceBytes(std::size_t bytes) { world().set_piece_bytes(bytes); }
  ~PieceBytes() { world().set_piece_bytes(before); }
  PieceBytes(const PieceBytes&) = delete;
  PieceBytes& operator=(const PieceBytes&) = delete;
  std::size_t before = world().piece_bytes();
};

TEST(Statistics, AreThoseOfTwoPlainPasses) {
  const WideProblem problem;
  Averaged averaged(all_kinds(), problem);
  const Statistics& statistics = averaged.statistics;
  EXPECT_EQ(statistics.fields(), (std::vector<std::string>{"flux", "temperature"}));
  EXPECT_EQ(statistics.bytes(), (3U + 3U) * problem.grid.size() * 8);
  constexpr int samples = 100;
  for (int n = 0; n < samples; ++n) averaged.add(3 + 2 * n);
  EXPECT_EQ(statistics.samples(), samples);
  EXPECT_EQ(statistics.first_step(), 3);
  EXPECT_EQ(statistics.last_step(), 201);

  ASSERT_EQ(statistics.size(), 5U);
  std::vector<Field> found;
  for (std::size_t i = 0; i < statistics.size(); ++i) found.push_back(averaged.field(i));
  EXPECT_EQ(found[0].quantity.name, "mean_flux");
  EXPECT_EQ(found[0].quantity.components, 2);
  EXPECT_EQ(found[0].quantity.unit, "W/m^2");
  EXPECT_EQ(found[1].quantity.name, "mean_temperature");
  EXPECT_EQ(found[2].quantity.name, "rms_temperature");
  EXPECT_EQ(found[3].quantity.name, "rms_flux_y");
  EXPECT_EQ(found[4].quantity.name, "covariance_temperature_flux_y");
  EXPECT_EQ(found[4].quantity.unit, "K (W/m^2)");
  for (std::size_t cell = 0; cell < problem.grid.size(); ++cell) {
    // The deviation from 1e6, so that the sums below lose no digits.
    std::array<double, 3> mean{};
    for (int n = 0; n < samples; ++n) {
      for (int v = 0; v < 3; ++v) {
        mean[static_cast<std::size_t>(v)] += (value_at(3 + 2 * n, cell, v) - 1e6) / samples;
      }
    }
    double squares = 0;
    double products = 0;
    for (int n = 0; n < samples; ++n) {
      const double a = value_at(3 + 2 * n, cell, 0) - 1e6 - mean[0];
      const double b = value_at(3 + 2 * n, cell, 2) - 1e6 - mean[2];
      squares += b * b / samples;
      products += a * b / samples;
    }
    EXPECT_NEAR(found[0][2 * cell + 1], 1e6 + mean[2], 2e-9);
    EXPECT_NEAR(found[3][cell], std::sqrt(squares), 1e-9);
    if (cell == 5) {
      EXPECT_TRUE(std::isnan(found[1][cell]) && std::isnan(found[4][cell]));
    } else {
      EXPECT_NEAR(found[4][cell], products, 1e-12);
    }
  }
}

TEST(Statistics, GoOnFromACheckpointWithTheSameBits) {
  const WideProblem problem;
  const TemporaryDirectory directory;
  Averaged whole(all_kinds(), problem);
  for (int step = 3; step < 40; step += 2) whole.add(step);
  Averaged first(all_kinds(), problem);
  for (int step = 3; step < 20; step += 2) first.add(step);
  first.save(directory / "c.h5");
  // The bytes do not depend on the pieces, which need not divide the rows.
  const PieceBytes small(1000);
  first.save(directory / "pieces.h5");
  EXPECT_EQ(read_all(directory / "pieces.h5"), read_all(directory / "c.h5"));
  Averaged second(all_kinds(), problem);
  second.statistics.load(CheckpointReader(directory / "c.h5"), *second.method);
  EXPECT_TRUE(second.statistics.warnings().empty());
  for (int step = 21; step < 40; step += 2) second.add(step);
  EXPECT_EQ(second.statistics.samples(), whole.statistics.samples());
  for (std::size_t i = 0; i < whole.statistics.size(); ++i) {
    const auto values = std::get<std::vector<double>>(whole.field(i).values);
    const auto again = std::get<std::vector<double>>(second.field(i).values);
    for (std::size_t n = 0; n < values.size(); ++n) {
      EXPECT_TRUE(values[n] == again[n] || (std::isnan(values[n]) && std::isnan(again[n])));
    }
  }
}

TEST(Statistics, BeginAnewBesideACheckpointOfOthers) {
  const WideProblem problem;
  const TemporaryDirectory directory;
  const auto load = [&](const RunSettings::Statistics& written, std::int64_t step) {
    Averaged first(written, problem);
    if (written.any()) first.add(3);
    first.step = step - 1;
    first.save(directory / "c.h5");
    Averaged second(all_kinds(), problem);
    second.statistics.load(CheckpointReader(directory / "c.h5"), *second.method);
    EXPECT_EQ(second.statistics.samples(), 0);
    const auto& warnings = second.statistics.warnings();
    return warnings.empty() ? "" : warnings[0];
  };
  RunSettings::Statistics others = all_kinds();
  others.steps.every = 4;
  EXPECT_NE(load(others, 7).find("holds those of other quantities or steps, so they begin anew "
                                 "and lack the 3 samples up to step 7"),
            std::string::npos);
  others = all_kinds();
  others.covariances.clear();
  EXPECT_NE(load(others, 7).find("other quantities"), std::string::npos);
  EXPECT_NE(load({}, 7).find("holds none"), std::string::npos);
  EXPECT_EQ(load({}, 2), "");  // none was due before
}

json output(const json& blocks) { return {{"stop", {{"steps", 100}}}, {"output", blocks}}; }

RunSettings read(const json& blocks) {
  std::unique_ptr<Problem> problem = std::make_unique<FakeProblem>();
  return settings_from(output(blocks), problem);
}

template <class... Parts>
void expect_refused(const json& blocks, const Parts&... parts) {
  expect_error<InputError>([&] { read(blocks); }, "fake.json: output.", parts...);
}

json statistics(const json& members) { return {{"statistics", members}}; }

json probe(const json& members) {
  json whole{{"name", "p"}, {"quantities", {"temperature"}}};
  whole.update(members);
  return {{"probes", {whole}}};
}

TEST(SamplingSettings, AreRead) {
  const auto settings = read({{"statistics",
                               {{"from_time", 20},
                                {"every", 5},
                                {"mean", {"flux"}},
                                {"rms", {"flux_x"}},
                                {"covariance", json::parse(R"([["flux", "temperature"]])")}}},
                              {"probes", json::parse(R"([
          {"name": "a", "at": [0.25], "quantities": ["flux", "temperature"], "spectrum": true},
          {"name": "b", "kind": "plane", "corner": [0, 0], "first": [1, 0], "second": [0, 1],
           "points": [3, 2], "quantities": ["flux_y"], "from": 7, "every": 3}])")}});
  const RunSettings::Statistics& averages = settings.output.statistics;
  EXPECT_EQ(averages.steps.from, 20);
  EXPECT_EQ(averages.steps.count(100), 17);
  EXPECT_EQ(averages.means[0].component, -1);
  ASSERT_EQ(averages.covariances.size(), 3U);
  EXPECT_EQ(averages.covariances[2][0].name, "flux_y");
  EXPECT_EQ(averages.covariances[2][1].name, "temperature");
  const auto& probes = settings.output.probes;
  ASSERT_EQ(probes.size(), 2U);
  EXPECT_TRUE(probes[0].spectrum);
  EXPECT_EQ(probes[0].points, (std::vector<std::array<double, 3>>{{0.25, 0.5, 0.5}}));
  EXPECT_EQ(probes[1].shape, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(probes[1].points[3], (std::array<double, 3>{0.5, 1, 0.5}));
  EXPECT_TRUE(probes[1].steps.includes(10));
  EXPECT_FALSE(probes[1].steps.includes(4));
  EXPECT_EQ(probes[1].steps.after(10), 13);
  EXPECT_EQ(probes[1].steps.after(2), 7);
}

TEST(SamplingSettings, AreRefusedWithAReason) {
  expect_refused(statistics({{"mean", {"fluks"}}}), "statistics.mean[0]", "did you mean \"flux\"");
  expect_refused(statistics(json::object()), "statistics: has none of");
  expect_refused(statistics({{"mean", {"flux"}}, {"from", 1}, {"from_time", 1}}), "from_time",
                 "must not be given beside");
  expect_refused(statistics({{"mean", {"flux"}}, {"from_time", 1e300}}), "from_time", "is more");
  expect_refused(statistics({{"covariance", json::parse(R"([["temperature"]])")}}),
                 "at least two components");
  expect_refused(statistics({{"covariance", json::parse(R"([["flux"], ["flux_y", "flux_x"]])")}}),
                 "must occur once");
  expect_refused(probe({{"at", {0.5, 1.5}}}), "probes[0].at[1]: found 1.5, must be from 0 to 1");
  expect_refused(probe(json::object()), "probes[0].at: missing");
  expect_refused(probe({{"at", {0.5}}, {"quantities", {"flux_z"}}}), "did you mean \"flux_x\"");
  expect_refused(probe({{"at", {0.5}}, {"quantities", json::array()}}), "at least one field");
  expect_refused(probe({{"at", {0.5}}, {"name", "a/b"}}), "probes[0].name");
  expect_refused(probe({{"kind", "plane"},
                        {"corner", {0.5, 0.5}},
                        {"first", {1, 0.5}},
                        {"second", {1, 1}},
                        {"points", {3, 3}}}),
                 "probes[0].corner", "gives the point (1.25, 1, 0.5)", "outside of the domain");
  expect_refused(probe({{"kind", "line"}, {"begin", {0, 0}}, {"end", {1, 1}}, {"points", 1}}),
                 "points: found 1");
  expect_refused(probe({{"kind", "plane"},
                        {"corner", {0, 0}},
                        {"first", {1, 0}},
                        {"second", {0, 1}},
                        {"points", {1000000, 1000000}}}),
                 "at most 10000000");
}

TEST(SamplingSettings, AWarningTellsOfSamplesThatAreNeverTaken) {
  const auto warnings = samples_that_are_never_taken(
      read({{"statistics", {{"mean", {"flux"}}, {"from", 101}}},
            {"probes", json::parse(R"([{"name": "a", "at": [0.5], "quantities": ["flux"],
                                        "from": 500}])")}}));
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0],
            "output.statistics: the first sample would be at step 101, after the last step 100, so "
            "none is taken");
  EXPECT_NE(warnings[1].find("output.probes: a: "), std::string::npos);
}

}  // namespace
}  // namespace knudsen::test
