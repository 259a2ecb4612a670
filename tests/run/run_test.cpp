#include "run/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "output/csv.hpp"
#include "output/directory_lock.hpp"
#include "output/temporary_directory.hpp"
#include "run/checkpoints.hpp"
#include "run/fake_method.hpp"
#include "run/summary.hpp"

namespace knudsen::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Run : public testing::Test {
 protected:
  RunResult run(const json& blocks, const FakeBehaviour& behaviour = {}) {
    return run_with({}, blocks, behaviour);
  }
  RunResult run_with(RunOptions options, const json& blocks, const FakeBehaviour& behaviour = {}) {
    if (!options.output_directory) options.output_directory = directory_ / "out";
    options.quiet = true;
    options.measure_bandwidth = false;
    return run_case(fake_case(blocks, behaviour), options, StopSignal());
  }
  RunOptions restart_from(const std::filesystem::path& path) {
    RunOptions options;
    options.restart = path;
    return options;
  }
  std::filesystem::path out(const std::string& name) { return directory_ / "out" / name; }
  std::vector<double> column(const std::string& name) {
    return CsvTable(out("series.csv")).column(name);
  }

  TemporaryDirectory directory_;
};

TEST_F(Run, WritesWhatTheCaseAsksFor) {
  const RunResult result = run(json::parse(R"({
    "stop": {"steps": 10, "check_every": 4},
    "output": {"fields": {"every": 5}, "snapshots": {"pictures": [{"quantity": "flux"}]},
               "profiles": [{"name": "middle", "quantity": "flux_x", "along": "y"}]},
    "checkpoint": {"every": 3, "keep": 2, "at_end": true}})"));
  EXPECT_EQ(result.step, 10);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.stopped_by, "all steps are done");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "out")) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(names,
              testing::UnorderedElementsAre(
                  "case.json", "series.csv", "timing.json", "profile_middle.csv",
                  "flux_000000010.png", "fields_000000000.vtkhdf", "fields_000000005.vtkhdf",
                  "fields_000000010.vtkhdf", "checkpoint_000000009.h5", "checkpoint_000000010.h5"));
  EXPECT_EQ(result.files.size(), names.size());
}

TEST_F(Run, KeepsACopyOfTheCase) {
  const json blocks{{"stop", {{"steps", 1}}}};
  run(blocks);
  EXPECT_EQ(json::parse(read_all(out("case.json"))), blocks);
}

TEST_F(Run, FieldFilesMayBeLeftOut) {
  run({{"stop", {{"steps", 2}}}, {"output", {{"fields", {{"every", 1}, {"write", false}}}}}});
  EXPECT_FALSE(std::filesystem::exists(out("fields_000000002.vtkhdf")));
}

TEST_F(Run, SeriesHasARowForEachEventAndTheEnds) {
  run({{"stop", {{"steps", 10}}},
       {"output", {{"series", {{"every", 4}, {"quantities", {"step", "peak"}}}}}}});
  EXPECT_THAT(column("step"), ElementsAre(0, 4, 8, 10));
}

TEST_F(Run, ChangesAreThoseOfOneStep) {
  std::vector<std::int64_t> remembered;
  FakeBehaviour behaviour;
  behaviour.remembered = &remembered;
  run({{"stop", {{"steps", 9}, {"check_every", 4}}},
       {"output", {{"series", {{"quantities", {"temperature_change"}}}}}}},
      behaviour);
  EXPECT_THAT(remembered, ElementsAre(3, 7, 8));
  FakeMethod method({});
  method.initialise();
  method.advance(3);
  method.remember();
  method.advance(1);
  const auto changes = column("temperature_change");
  EXPECT_TRUE(std::isnan(changes.at(0)));
  EXPECT_EQ(changes.at(1), method.monitor("temperature_change"));
}

TEST_F(Run, NothingIsRememberedWhereNoChangeIsAskedFor) {
  std::vector<std::int64_t> remembered;
  FakeBehaviour behaviour;
  behaviour.remembered = &remembered;
  run({{"stop", {{"steps", 9}, {"check_every", 4}}}}, behaviour);
  EXPECT_TRUE(remembered.empty());
}

TEST_F(Run, StopsWhenAChangeIsSmall) {
  const RunResult result = run(json::parse(R"({
    "stop": {"steps": 100000, "check_every": 10,
             "criteria": [{"quantity": "temperature_change", "tolerance": 1e-4}]}})"));
  EXPECT_EQ(result.stopped_by, "the criteria hold");
  EXPECT_LT(result.step, 1000);
  EXPECT_EQ(result.step % 10, 0);
  EXPECT_TRUE(
      std::filesystem::exists(result.directory / ("fields_" + step_text(result.step) + ".vtkhdf")));
}

TEST_F(Run, StopsWhenTheRelativeChangeBetweenChecksIsSmall) {
  // The step's number changes by 1/k from check k - 1 to check k.
  const RunResult result = run(json::parse(R"({
    "stop": {"steps": 1000, "check_every": 10,
             "criteria": [{"quantity": "step", "tolerance": 0.2}]}})"));
  EXPECT_EQ(result.step, 50);
}

TEST_F(Run, AllCriteriaMustHold) {
  const RunResult result = run(json::parse(R"({
    "stop": {"steps": 100, "check_every": 10,
             "criteria": [{"quantity": "step", "tolerance": 0.2},
                          {"quantity": "temperature_change", "tolerance": 1e-300}]}})"));
  EXPECT_EQ(result.stopped_by, "all steps are done");
}

TEST_F(Run, DivergenceIsToldWithPlaceAndLastGoodOutput) {
  FakeBehaviour behaviour;
  behaviour.diverges_at = 25;
  expect_error<RunError>(
      [&] {
        run({{"stop", {{"steps", 100}}},
             {"output", {{"fields", {{"every", 10}}}}},
             {"checkpoint", {{"every", 10}}}},
            behaviour);
      },
      "diverged: step 30, node (", "temperature is nan", "the state was sound at step 20",
      "checkpoint_000000020.h5 (step 20)", "heat it less");
  EXPECT_TRUE(std::filesystem::exists(out("fields_000000020.vtkhdf")));
  EXPECT_FALSE(std::filesystem::exists(out("fields_000000030.vtkhdf")));
  EXPECT_FALSE(std::filesystem::exists(out("checkpoint_000000030.h5")));
  EXPECT_FALSE(std::filesystem::exists(out("timing.json")));
}

TEST_F(Run, DivergenceBeforeAnyOutputIsTold) {
  FakeBehaviour behaviour;
  behaviour.diverges_at = 1;
  expect_error<RunError>(
      [&] {
        run({{"stop", {{"steps", 5}}}}, behaviour);
      },
      "step 5", "the state was sound at step 0", "no output was written before");
}

TEST_F(Run, DivergenceAfterARestartIsToldWithTheStepOfTheCheckpoint) {
  run({{"stop", {{"steps", 10}}}, {"checkpoint", {{"at_end", true}}}});
  FakeBehaviour behaviour;
  behaviour.diverges_at = 12;
  expect_error<RunError>(
      [&] {
        run_with(restart_from(directory_ / "out"), {{"stop", {{"steps", 20}}}}, behaviour);
      },
      "diverged: step 20", "the state was sound at step 10");
}

TEST_F(Run, AnInitialStateThatIsNotSoundIsTold) {
  FakeBehaviour behaviour;
  behaviour.diverges_at = 0;
  expect_error<RunError>(
      [&] {
        run({{"stop", {{"steps", 5}}}}, behaviour);
      },
      "diverged: step 0", "the state was not sound at the start");
}

TEST_F(Run, TheLastSoundCheckpointOutlivesADivergence) {
  FakeBehaviour behaviour;
  behaviour.diverges_at = 25;
  const json blocks{{"stop", {{"steps", 100}, {"check_every", 50}}},
                    {"checkpoint", {{"every", 10}, {"keep", 1}, {"at_end", true}}}};
  EXPECT_THROW(run(blocks, behaviour), RunError);
  EXPECT_TRUE(std::filesystem::exists(out("checkpoint_000000020.h5")));
  EXPECT_FALSE(std::filesystem::exists(out("checkpoint_000000030.h5")));
  EXPECT_EQ(run_with(restart_from(directory_ / "out"), blocks).step, 100);
}

TEST_F(Run, ASignalLeavesNoCheckpointOfADivergedState) {
  FakeBehaviour behaviour;
  behaviour.diverges_at = 25;
  behaviour.raises_at = 26;
  EXPECT_THROW(run({{"stop", {{"steps", 1000000000}, {"check_every", 1000000}}}}, behaviour),
               RunError);
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "out")) {
    EXPECT_NE(entry.path().extension(), ".h5");
  }
}

TEST_F(Run, AFieldThatIsNotFiniteEndsTheRunWithoutACheckpoint) {
  FakeBehaviour behaviour;
  behaviour.flux_breaks_at = 15;
  const json blocks = json::parse(R"({
    "stop": {"steps": 100, "criteria": [{"quantity": "step", "tolerance": 1e-9}]},
    "output": {"fields": {"every": 10, "quantities": ["temperature", "flux"]}},
    "checkpoint": {"every": 10, "keep": 1, "at_end": true}})");
  const RunResult result = run(blocks, behaviour);
  EXPECT_EQ(result.step, 20);
  EXPECT_EQ(result.stopped_by, "a field is not finite");
  EXPECT_FALSE(result.usable);
  EXPECT_EQ(exit_code({}, result), 1);
  EXPECT_TRUE(std::filesystem::exists(out("checkpoint_000000010.h5")));
  EXPECT_FALSE(std::filesystem::exists(out("checkpoint_000000020.h5")));
  const std::string warning =
      "the results are not usable: at step 20 the field flux is not finite in 2 of 24 nodes, first "
      "in node (3, 1)";
  EXPECT_THAT(run_summary(fake_case(blocks), result),
              testing::EndsWith("warning: " + warning + '\n'));
  const TimingReport report = read_timing_report(out("timing.json"));
  EXPECT_THAT(report.warnings, ElementsAre(warning));
  EXPECT_EQ(report.converged, false);
}

TEST_F(Run, ProfilesAndPicturesOfAFieldThatIsNotFiniteAreNotUsable) {
  FakeBehaviour behaviour;
  behaviour.flux_breaks_at = 3;
  for (const char* output :
       {R"({"profiles": [{"name": "middle", "quantity": "flux_x", "along": "x"}]})",
        R"({"snapshots": {"pictures": [{"quantity": "flux_x"}]}})"}) {
    const RunResult result =
        run({{"stop", {{"steps", 5}}}, {"output", json::parse(output)}}, behaviour);
    EXPECT_EQ(exit_code({}, result), 1);
    EXPECT_THAT(result.report.warnings, ElementsAre(HasSubstr("the field flux is not finite")));
  }
}

TEST_F(Run, ValuesInSolidCellsNeedNotBeFinite) {
  FakeBehaviour behaviour;
  behaviour.solid = true;
  const RunResult result = run(
      {{"stop", {{"steps", 5}}}, {"output", {{"fields", {{"quantities", {"flux"}}}}}}}, behaviour);
  EXPECT_EQ(exit_code({}, result), 0);
  EXPECT_TRUE(result.report.warnings.empty());
}

TEST_F(Run, ResultsThatAreNotFiniteAreTold) {
  FakeBehaviour behaviour;
  behaviour.result = "x 0.5, y -nan, far from infinity";
  const RunResult result = run({{"stop", {{"steps", 5}}}}, behaviour);
  EXPECT_EQ(exit_code({}, result), 0);
  EXPECT_THAT(result.report.warnings,
              ElementsAre("the result \"hottest cell\" is not finite: " + behaviour.result));
}

TEST_F(Run, ASeriesThatIsNotFiniteIsTold) {
  FakeBehaviour behaviour;
  behaviour.change_breaks_at = 4;
  const json blocks = json::parse(R"({
    "stop": {"steps": 10, "check_every": 2},
    "output": {"series": {"quantities": ["temperature_change"]}}})");
  EXPECT_THAT(run(blocks, behaviour).report.warnings,
              ElementsAre("series.csv: temperature_change is nan at step 4, and not finite in 4 "
                          "rows in all"));
  // At step 0 there is no change yet; this gives no warning.
  EXPECT_TRUE(run(blocks).report.warnings.empty());

  behaviour = {};
  behaviour.peak_is_unknown_at_start = true;
  EXPECT_THAT(run({{"stop", {{"steps", 10}}}}, behaviour).report.warnings,
              ElementsAre("series.csv: peak is nan at step 0"));
}

TEST_F(Run, CriteriaThatAreNotMetAreTold) {
  const json blocks = json::parse(R"({
    "stop": {"steps": 105, "check_every": 10,
             "criteria": [{"quantity": "step", "tolerance": 0.05},
                          {"quantity": "peak", "tolerance": 1},
                          {"quantity": "temperature_change", "tolerance": 1e-300}]}})");
  const RunResult result = run(blocks);
  EXPECT_EQ(result.report.converged, false);
  EXPECT_THAT(result.report.warnings,
              ElementsAre(testing::StartsWith(
                  "stop.criteria were not met by step 105: at the latest check the change of step "
                  "is 0.100, must be at most 0.0500 and temperature_change is ")));
  const std::string summary = run_summary(fake_case(blocks), result);
  EXPECT_THAT(summary, testing::EndsWith("warning: " + result.report.warnings.at(0) + '\n'));
  EXPECT_EQ(read_timing_report(out("timing.json")).converged, false);
  RunOptions options;
  EXPECT_EQ(exit_code(options, result), 0);
  options.require_convergence = true;
  EXPECT_EQ(exit_code(options, result), 1);
}

TEST_F(Run, CriteriaThatWereNeverCheckedAreTold) {
  EXPECT_THAT(run(json::parse(R"({
    "stop": {"steps": 5, "criteria": [{"quantity": "step", "tolerance": 0.2}]}})"))
                  .report.warnings,
              ElementsAre("stop.criteria were not met by step 5: no check was made, for "
                          "stop.check_every is 1000"));
}

TEST_F(Run, CriteriaThatAreMetGiveNoWarning) {
  RunOptions options;
  options.require_convergence = true;
  const RunResult result = run_with(options, json::parse(R"({
    "stop": {"steps": 1000, "check_every": 10,
             "criteria": [{"quantity": "step", "tolerance": 0.2}]}})"));
  EXPECT_EQ(result.report.converged, true);
  EXPECT_TRUE(result.report.warnings.empty());
  EXPECT_EQ(exit_code(options, result), 0);
  EXPECT_EQ(read_timing_report(out("timing.json")).converged, true);
}

TEST_F(Run, WithoutCriteriaTheReportSaysNothingOfConvergence) {
  run({{"stop", {{"steps", 5}}}});
  const json report = json::parse(read_all(out("timing.json")));
  EXPECT_FALSE(report.contains("converged"));
  EXPECT_FALSE(report.contains("warnings"));
}

TEST_F(Run, RequiredConvergenceNeedsCriteria) {
  RunOptions options;
  options.require_convergence = true;
  expect_error<InputError>(
      [&] {
        run_with(options, {{"stop", {{"steps", 5}}}});
      },
      "fake.json: stop.criteria: none given", "--require-convergence");
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out"));
}

TEST_F(Run, IsTheSameToTheBitAfterARestart) {
  const json blocks = json::parse(R"({
    "stop": {"steps": 40, "check_every": 7,
             "criteria": [{"quantity": "step", "tolerance": 0.3},
                          {"quantity": "temperature_change", "tolerance": 0.1}]},
    "output": {"series": {"every": 3, "quantities": ["peak", "temperature_change"]}},
    "checkpoint": {"at_end": true}})");
  RunOptions options;
  options.output_directory = directory_ / "whole";
  const RunResult whole = run_with(options, blocks);
  ASSERT_EQ(whole.stopped_by, "the criteria hold");
  // Interrupted at and around checks and rows of the series.
  for (const std::int64_t step : {1, 20, 21, 22, 27}) {
    std::filesystem::remove_all(directory_ / "out");
    FakeBehaviour behaviour;
    behaviour.raises_at = step;
    const RunResult first = run(blocks, behaviour);
    ASSERT_EQ(first.signal, SIGINT);
    ASSERT_TRUE(first.checkpoint);
    const RunResult second = run_with(restart_from(directory_ / "out"), blocks);
    EXPECT_EQ(second.step, whole.step);
    for (const std::string& name :
         {std::string("series.csv"), "fields_" + step_text(whole.step) + ".vtkhdf",
          "checkpoint_" + step_text(whole.step) + ".h5"}) {
      EXPECT_EQ(read_all(out(name)), read_all(directory_ / "whole" / name))
          << name << " after an interruption during step " << step;
    }
  }
}

TEST_F(Run, SignalsLeaveACheckpointAndTheReport) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    FakeBehaviour behaviour;
    behaviour.raises_at = 30;
    behaviour.signal = signal;
    const RunResult result = run({{"stop", {{"steps", 1000000000}}}}, behaviour);
    EXPECT_EQ(result.signal, signal);
    EXPECT_EQ(result.stopped_by, signal_name(signal));
    EXPECT_GE(result.step, 30);
    EXPECT_EQ(result.checkpoint, out("checkpoint_" + step_text(result.step) + ".h5"));
    EXPECT_TRUE(std::filesystem::exists(out("timing.json")));
    EXPECT_TRUE(std::filesystem::exists(out("series.csv")));
    EXPECT_FALSE(std::filesystem::exists(out("fields_" + step_text(result.step) + ".vtkhdf")));
  }
}

TEST_F(Run, AWatcherMayStopIt) {
  RunOptions options;
  std::vector<std::int64_t> seen;
  options.watch = [&](const ProgressState& state) {
    seen.push_back(state.step);
    EXPECT_EQ(state.last_step, 1000000000);
    return state.step >= 30;
  };
  const RunResult result = run_with(options, {{"stop", {{"steps", 1000000000}}}});
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.stopped_by, "the caller");
  EXPECT_EQ(result.step, seen.back());
  EXPECT_GE(result.step, 30);
  EXPECT_LT(seen[seen.size() - 2], 30);
  EXPECT_EQ(result.checkpoint, out("checkpoint_" + step_text(result.step) + ".h5"));
  EXPECT_EQ(exit_code({}, result), 0);
}

TEST_F(Run, InterruptedBeforeTheFirstStepGoesOnFromThere) {
  const json blocks{{"stop", {{"steps", 10}}}};
  RunOptions options;
  options.output_directory = directory_ / "out";
  options.quiet = true;
  options.measure_bandwidth = false;
  const StopSignal signal;
  std::raise(SIGTERM);
  EXPECT_EQ(run_case(fake_case(blocks), options, signal).step, 0);
  EXPECT_EQ(run_with(restart_from(directory_ / "out"), blocks).step, 10);
  EXPECT_THAT(column("step"), ElementsAre(0, 10));
}

TEST_F(Run, WallTimeLeavesACheckpoint) {
  const RunResult result = run({{"stop", {{"steps", 1000000000000}, {"wall_seconds", 0.05}}}});
  EXPECT_EQ(result.signal, 0);
  EXPECT_THAT(result.stopped_by, HasSubstr("wall time"));
  EXPECT_TRUE(result.checkpoint);
}

TEST_F(Run, RestartBeyondTheLastStepIsRefused) {
  const json blocks{{"stop", {{"steps", 10}}}, {"checkpoint", {{"at_end", true}}}};
  run(blocks);
  const std::string before = read_all(out("timing.json"));
  expect_error<InputError>([&] { run_with(restart_from(directory_ / "out"), blocks); },
                           "is at step 10", "stop.steps");
  EXPECT_EQ(read_all(out("timing.json")), before);
}

TEST_F(Run, RestartGoesOnWithMoreSteps) {
  run({{"stop", {{"steps", 10}}}, {"checkpoint", {{"at_end", true}}}});
  const RunResult result =
      run_with(restart_from(out("checkpoint_000000010.h5")), {{"stop", {{"steps", 15}}}});
  EXPECT_EQ(result.step, 15);
  EXPECT_EQ(result.report.total.steps, 5);
  // The row of step 10 was only there because the first run ended there.
  EXPECT_THAT(column("step"), ElementsAre(0, 15));
}

TEST_F(Run, TheLastStepAlwaysHasARow) {
  json blocks = json::parse(R"({
    "stop": {"steps": 1000000000, "check_every": 10,
             "criteria": [{"quantity": "step", "tolerance": 0.2}]},
    "output": {"series": {"every": 40, "quantities": ["step", "temperature_change"]}}})");
  run(blocks);
  EXPECT_THAT(column("step"), ElementsAre(0, 40, 50));
  EXPECT_TRUE(std::isfinite(column("temperature_change").back()));

  FakeBehaviour behaviour;
  behaviour.raises_at = 45;
  blocks["stop"]["criteria"] = json::array();
  blocks["stop"]["check_every"] = 1000;
  const RunResult result = run(blocks, behaviour);
  EXPECT_EQ(column("step").back(), static_cast<double>(result.step));
  // Before a signal the state of the step before was not remembered.
  EXPECT_TRUE(result.step % 40 == 0 || std::isnan(column("temperature_change").back()));
  EXPECT_TRUE(result.report.warnings.empty());
}

TEST_F(Run, ASeriesOfAnotherCaseIsNotContinued) {
  const auto blocks = [](int heat) {
    return json{{"heat", heat}, {"stop", {{"steps", 10}}}, {"checkpoint", {{"at_end", true}}}};
  };
  RunOptions other;
  other.output_directory = directory_ / "other";
  run_with(other, blocks(2));
  run(blocks(1));
  json longer = blocks(2);
  longer["stop"]["steps"] = 20;
  const std::string before = read_all(out("series.csv"));
  expect_error<InputError>([&] { run_with(restart_from(directory_ / "other"), longer); },
                           "series.csv: cannot be continued", "another case", "case.json");
  EXPECT_EQ(read_all(out("series.csv")), before);
  std::filesystem::remove(out("case.json"));
  expect_error<InputError>([&] { run_with(restart_from(directory_ / "other"), longer); },
                           "series.csv: cannot be continued", "no case.json");
  std::filesystem::remove(out("series.csv"));
  EXPECT_EQ(run_with(restart_from(directory_ / "other"), longer).step, 20);
}

TEST_F(Run, AKilledNewRunLeavesNoSeriesOfAnotherCase) {
  run({{"heat", 1}, {"stop", {{"steps", 10}}}});
  FakeBehaviour behaviour;
  behaviour.diverges_at = 0;
  const json blocks{{"heat", 2}, {"stop", {{"steps", 10}}}};
  EXPECT_THROW(run(blocks, behaviour), RunError);
  EXPECT_EQ(json::parse(read_all(out("case.json"))), blocks);
  EXPECT_TRUE(column("step").empty());
  // A run without a series deletes that of the earlier run.
  run({{"stop", {{"steps", 1}}}, {"output", {{"series", {{"quantities", json::array()}}}}}});
  EXPECT_FALSE(std::filesystem::exists(out("series.csv")));
}

TEST_F(Run, FilesThatAreNoResultsAreNotReplaced) {
  const json blocks = json::parse(R"({
    "stop": {"steps": 10},
    "output": {"profiles": [{"name": "middle", "quantity": "flux_x", "along": "y"}],
               "snapshots": {"pictures": [{"quantity": "flux"}]}},
    "checkpoint": {"at_end": true}})");
  std::filesystem::create_directory(directory_ / "out");
  for (const char* name :
       {"case.json", "series.csv", "timing.json", "profile_middle.csv", "fields_000000010.vtkhdf",
        "flux_000000010.png", "checkpoint_7.h5", "distributions.h5"}) {
    write_all(out(name), "the user's");
    expect_error<InputError>([&] { run(blocks); }, out(name).string(), "was not written by knudsen",
                             "--output");
    EXPECT_EQ(read_all(out(name)), "the user's");
    std::filesystem::remove(out(name));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_ / "out"), {}), 0);
  }
  for (const char* name : {"profile_other.csv", "fields_10.txt", "notes_000000010.png"}) {
    write_all(out(name), "the user's");
  }
  run(blocks);
  run(blocks);
  EXPECT_EQ(read_all(out("profile_other.csv")), "the user's");
}

TEST_F(Run, InputsAreNotReplaced) {
  run({{"stop", {{"steps", 10}}}});
  ResolvedCase resolved = fake_case({{"stop", {{"steps", 20}}}});
  RunOptions options;
  options.output_directory = directory_ / "out";
  options.quiet = true;
  for (const char* name : {"case.json", "series.csv", "timing.json"}) {
    resolved.inputs = {out(name)};
    const std::string before = read_all(out(name));
    expect_error<InputError>([&] { run_case(resolved, options, StopSignal()); }, out(name).string(),
                             "is read by this command");
    EXPECT_EQ(read_all(out(name)), before);
  }
}

TEST_F(Run, ACaseFileThatStatesTheCaseAlreadyStays) {
  const json blocks{{"stop", {{"steps", 10}}}};
  std::filesystem::create_directory(directory_ / "out");
  const std::string text = R"({ "stop": {"steps": 10} })";
  write_all(out("case.json"), text);
  ResolvedCase resolved = fake_case(blocks);
  resolved.inputs = {out("case.json")};
  RunOptions options;
  options.output_directory = directory_ / "out";
  options.quiet = true;
  EXPECT_EQ(run_case(resolved, options, StopSignal()).step, 10);
  EXPECT_EQ(read_all(out("case.json")), text);
}

TEST_F(Run, TheCheckpointThatWasReadIsNotReplaced) {
  const json blocks{{"stop", {{"steps", 1000000000}}}};
  FakeBehaviour behaviour;
  behaviour.raises_at = 5;
  const RunResult first = run(blocks, behaviour);
  ASSERT_TRUE(first.checkpoint);
  const auto written = std::filesystem::last_write_time(*first.checkpoint);
  RunOptions options = restart_from(*first.checkpoint);
  options.output_directory = directory_ / "out";
  options.quiet = true;
  const StopSignal signal;
  std::raise(SIGTERM);
  EXPECT_EQ(run_case(fake_case(blocks), options, signal).checkpoint, first.checkpoint);
  EXPECT_EQ(std::filesystem::last_write_time(*first.checkpoint), written);

  std::filesystem::rename(*first.checkpoint, out("checkpoint_999999999.h5"));
  expect_error<InputError>([&] { run_with(restart_from(out("checkpoint_999999999.h5")), blocks); },
                           "checkpoint_999999999.h5: is read by this command");
}

TEST_F(Run, TemporaryFilesOfKilledRunsAreSwept) {
  std::filesystem::create_directory(directory_ / "out");
  for (const char* name : {"series.csv.tmp-12", "checkpoint_000000010.h5.tmp-4194304",
                           ".knudsen-probe-77", "notes.txt.tmp-12", "series.csv.tmp-mine"}) {
    write_all(out(name), "part");
  }
  run({{"stop", {{"steps", 1}}}});
  EXPECT_FALSE(std::filesystem::exists(out("series.csv.tmp-12")));
  EXPECT_FALSE(std::filesystem::exists(out("checkpoint_000000010.h5.tmp-4194304")));
  EXPECT_FALSE(std::filesystem::exists(out(".knudsen-probe-77")));
  EXPECT_TRUE(std::filesystem::exists(out("notes.txt.tmp-12")));
  EXPECT_TRUE(std::filesystem::exists(out("series.csv.tmp-mine")));
  EXPECT_FALSE(std::filesystem::exists(out(".knudsen-lock")));
}

TEST_F(Run, TheCaseOfARunKilledBeforeAnyResultIsReplaced) {
  const auto run_here = [&] { run({{"stop", {{"steps", 1}}}}); };
  std::filesystem::create_directory(directory_ / "out");
  const std::string left = nlohmann::json{{"method", "another"}}.dump(2) + '\n';
  write_all(out("case.json"), left);
  // A killed run that had not come to its case: the file may be anybody's.
  write_all(out(".knudsen-lock"), "process 1 on a machine\n");
  expect_error<InputError>(run_here, "case.json", "was not written by knudsen");
  EXPECT_EQ(read_all(out("case.json")), left);
  // One that had, but the file has been edited since.
  write_all(out(".knudsen-lock"), "process 1 on a machine\nwrites case.json\n");
  write_all(out("case.json"), "{\"method\": \"another\"}");
  expect_error<InputError>(run_here, "case.json", "was not written by knudsen");

  write_all(out(".knudsen-lock"), "process 1 on a machine\nwrites case.json\n");
  write_all(out("case.json"), left);
  run_here();
  EXPECT_NE(read_all(out("case.json")), left);
  EXPECT_FALSE(std::filesystem::exists(out(".knudsen-lock")));
}

TEST_F(Run, ADirectoryHasOneRunAtATime) {
  std::filesystem::create_directory(directory_ / "out");
  const DirectoryLock lock(directory_ / "out");
  expect_error<InputError>(
      [&] {
        run({{"stop", {{"steps", 1}}}});
      },
      "another run (process ", "--output");
  EXPECT_FALSE(std::filesystem::exists(out("case.json")));
}

TEST_F(Run, OutputDirectoryBelowAFileIsRefused) {
  write_all(directory_ / "file", "text");
  RunOptions options;
  options.output_directory = directory_ / "file" / "out";
  expect_error<InputError>(
      [&] {
        run_with(options, {{"stop", {{"steps", 1}}}});
      },
      "output directory", "cannot be created");
  EXPECT_EQ(read_all(directory_ / "file"), "text");
}

TEST_F(Run, TooLargeAProblemIsRefusedBeforeAnythingIsWritten) {
  ResolvedCase resolved = fake_case({{"stop", {{"steps", 1}}}});
  resolved.problem->memory_bytes = std::uint64_t{1} << 60;
  RunOptions options;
  options.output_directory = directory_ / "out";
  expect_error<InputError>([&] { run_case(resolved, options, StopSignal()); }, "fake.json: needs",
                           "GB", "free");
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out"));
}

TEST_F(Run, ReportsTimesAndRates) {
  const RunResult result = run({{"stop", {{"steps", 200}}}});
  const TimingReport report = read_timing_report(out("timing.json"));
  EXPECT_EQ(report.title, "A fake");
  EXPECT_EQ(report.method, "fake");
  EXPECT_EQ(report.case_digest, fake_case({{"stop", {{"steps", 200}}}}).digest);
  EXPECT_EQ(report.tuning.at("segment"), 4);
  EXPECT_EQ(report.total.steps, 200);
  EXPECT_EQ(report.total.updates, 200.0 * fake_width * fake_height);
  EXPECT_GT(report.total.seconds, 0);
  EXPECT_GT(report.total.io_seconds, 0);
  EXPECT_EQ(report.copy_bandwidth_gb_s.best(), 0);
  EXPECT_EQ(report.results.at("hottest cell"), "(1, 2)");
  ASSERT_EQ(report.kernels.size(), 1U);
  EXPECT_EQ(report.kernels[0].calls, 200);
  EXPECT_GE(report.kernels[0].call_seconds.count, 2);
  EXPECT_LE(report.kernels[0].min_seconds, report.kernels[0].call_seconds.median);
  EXPECT_EQ(report.kernel_clock, "host clock");
  EXPECT_EQ(report.total.updates_per_second(), result.report.total.updates_per_second());
}

TEST_F(Run, SummaryTellsWhatCameOfIt) {
  write_all(directory_ / "reference.csv", "x,T\n0.5,0\n");
  json blocks = json::parse(R"({
    "stop": {"steps": 10},
    "output": {"fields": {"every": 5},
               "profiles": [{"name": "middle", "quantity": "temperature", "along": "x",
                             "reference": {"position": "x", "value": "T"}}]}})");
  blocks["output"]["profiles"][0]["reference"]["file"] = (directory_ / "reference.csv").string();
  const ResolvedCase resolved = fake_case(blocks);
  RunOptions options;
  options.output_directory = directory_ / "out";
  options.quiet = true;
  options.measure_bandwidth = false;
  const std::string summary = run_summary(resolved, run_case(resolved, options, StopSignal()));
  for (const std::string part :
       {"at step 10: all steps are done", "node updates/s", "hottest cell", "middle   temperature",
        "fields_*.vtkhdf", "3 files, the last one fields_000000010.vtkhdf", "timing.json"}) {
    EXPECT_THAT(summary, HasSubstr(part));
  }
  EXPECT_THAT(summary, Not(HasSubstr("To continue")));
}

TEST_F(Run, SummaryOfAnInterruptedRunTellsHowToGoOn) {
  FakeBehaviour behaviour;
  behaviour.raises_at = 5;
  const json blocks{{"stop", {{"steps", 1000000000}}}};
  EXPECT_THAT(run_summary(fake_case(blocks), run(blocks, behaviour)),
              HasSubstr("To continue: knudsen run fake.json --restart " +
                        (directory_ / "out" / "checkpoint_").string()));
}

TEST(CaseSummary, ShowsParametersAndMemory) {
  BackendInfo backend;
  backend.device = "Machine";
  backend.memory_free = 5000000000;
  backend.memory_total = 8000000000;
  BackendInfo host = backend;
  host.device = "Processor";
  const ResolvedCase resolved = fake_case({{"stop", {{"steps", 10}}}});
  EXPECT_THAT(case_summary(resolved, backend, host), Not(HasSubstr("Processor")));
  backend.name = "gpu";
  const std::string text = case_summary(resolved, backend, host);
  for (const std::string part : {"A fake\n", "fake, explicit", "0.1 m^2/s", "nodes 24",
                                 "384.0 B of 5.000 GB free (8.000 GB in all) on Machine",
                                 "memory on the host", "in all) on Processor"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

}  // namespace
}  // namespace knudsen::test
