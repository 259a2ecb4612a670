#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "output/temporary_directory.hpp"
#include "run/fake_method.hpp"
#include "run/stepped_case.hpp"

namespace knudsen::test {
namespace {

using testing::HasSubstr;

bool never() { return false; }

SteppedCase simulate(const FakeBehaviour& behaviour = {}, std::int64_t check_every = 10) {
  return {fake_case({{"stop", {{"steps", 100}, {"check_every", check_every}}}}, behaviour),
          Backend::host};
}

/// The text of the error that work() throws.
template <class Error, class Work>
std::string text_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(SteppedCase, StepsAsAMethodDoes) {
  SteppedCase simulation = simulate();
  FakeMethod method({});
  method.initialise();
  method.advance(57);
  for (const int steps : {0, 1, 13, 43}) simulation.advance(steps, false, never);
  EXPECT_EQ(simulation.step(), 57);
  EXPECT_EQ(simulation.field("temperature").values, method.field("temperature").values);
  EXPECT_EQ(simulation.monitor("peak"), method.monitor("peak"));
  EXPECT_EQ(simulation.results(), method.results());
}

TEST(SteppedCase, GoesBeyondTheLastStepOfTheCase) {
  SteppedCase simulation = simulate();
  simulation.advance(250, false, never);
  EXPECT_EQ(simulation.step(), 250);
}

TEST(SteppedCase, EndsEarlyWhenInterrupted) {
  SteppedCase simulation = simulate();
  int asked = 0;
  simulation.advance(1000000000, false, [&] { return ++asked == 3; });
  EXPECT_EQ(asked, 3);
  EXPECT_LT(simulation.step(), 1000);
  simulation.advance(1, false, never);
}

TEST(SteppedCase, KnowsChangesOfTheLastStepWhereTheyWereKept) {
  std::vector<std::int64_t> remembered;
  FakeBehaviour behaviour;
  behaviour.remembered = &remembered;
  SteppedCase simulation = simulate(behaviour);
  simulation.advance(25, true, never);
  simulation.advance(1, true, never);
  EXPECT_THAT(remembered, testing::ElementsAre(24, 25));
  EXPECT_GT(simulation.monitor("temperature_change"), 0);
  simulation.advance(1, false, never);
  EXPECT_THAT(text_of<InputError>([&] { simulation.monitor("temperature_change"); }),
              HasSubstr("was not kept"));
}

TEST(SteppedCase, RefusesOtherNamesAndNegativeSteps) {
  SteppedCase simulation = simulate();
  EXPECT_THAT(text_of<InputError>([&] { simulation.field("temprature"); }),
              HasSubstr("did you mean \"temperature\"?"));
  EXPECT_THAT(text_of<InputError>([&] { simulation.monitor("pek"); }),
              HasSubstr("must be one of \"peak\", \"step\", \"temperature_change\""));
  EXPECT_THAT(text_of<InputError>([&] { simulation.advance(-1, false, never); }),
              HasSubstr("at least 0"));
}

TEST(SteppedCase, FindsDivergenceAtTheChecks) {
  FakeBehaviour behaviour;
  behaviour.diverges_at = 33;
  SteppedCase simulation = simulate(behaviour);
  const std::string text = text_of<RunError>([&] { simulation.advance(1000, false, never); });
  EXPECT_EQ(text,
            "diverged: step 40, node (0, 0): temperature is nan; the state was sound at "
            "step 30; heat it less");
  EXPECT_EQ(simulation.step(), 40);
  EXPECT_EQ(text_of<RunError>([&] { simulation.advance(1, false, never); }),
            "the simulation has failed before: " + text);
}

TEST(SteppedCase, FindsDivergenceBeforeItGivesValues) {
  FakeBehaviour behaviour;
  behaviour.diverges_at = 33;
  const TemporaryDirectory directory;
  for (int kind = 0; kind < 4; ++kind) {
    SteppedCase simulation = simulate(behaviour, 1000);
    simulation.advance(35, false, never);
    const std::string text = text_of<RunError>([&] {
      if (kind == 0) simulation.field("temperature");
      if (kind == 1) simulation.monitor("peak");
      if (kind == 2) simulation.results();
      if (kind == 3) simulation.save(directory / "a.h5");
    });
    EXPECT_THAT(text, HasSubstr("diverged: step 35"));
  }
  EXPECT_FALSE(std::filesystem::exists(directory / "a.h5"));
}

TEST(SteppedCase, GivesNoFieldThatIsNotFinite) {
  FakeBehaviour behaviour;
  behaviour.flux_breaks_at = 3;
  SteppedCase simulation = simulate(behaviour);
  simulation.advance(5, false, never);
  EXPECT_THAT(text_of<RunError>([&] { simulation.field("flux"); }),
              HasSubstr("at step 5 the field flux is not finite in 2 of 24 nodes"));
  simulation.field("temperature");
}

TEST(SteppedCase, GivesFieldsInTheMemoryOfTheBackend) {
  SteppedCase simulation = simulate();
  simulation.advance(5, false, never);
  const DeviceField found = simulation.field_in(Backend::host, "temperature");
  const Field expected = simulation.field("temperature");
  ASSERT_EQ(found.size, expected.size());
  const auto& values = std::get<std::shared_ptr<double>>(found.values);
  for (std::size_t i = 0; i < found.size; ++i) EXPECT_EQ(values.get()[i], expected[i]);
  simulation.advance(5, false, never);
  EXPECT_EQ(values.get()[0], expected[0]);
  EXPECT_THAT(text_of<InputError>([&] { simulation.field_in(Backend::host, "temprature"); }),
              HasSubstr("did you mean \"temperature\"?"));
}

TEST(SteppedCase, GivesNoFieldThatIsNotFiniteInTheMemoryOfTheHost) {
  FakeBehaviour behaviour;
  behaviour.flux_breaks_at = 3;
  SteppedCase simulation = simulate(behaviour);
  simulation.advance(5, false, never);
  EXPECT_THAT(text_of<RunError>([&] { simulation.field_in(Backend::host, "flux"); }),
              HasSubstr("the field flux is not finite in 2 of 24 nodes"));
}

TEST(SteppedCase, ContinuesFromACheckpoint) {
  const TemporaryDirectory directory;
  SteppedCase whole = simulate();
  whole.advance(20, false, never);
  whole.save(directory / "a.h5");
  whole.advance(5, false, never);
  SteppedCase rest = simulate();
  rest.advance(3, true, never);
  rest.load(directory / "a.h5");
  EXPECT_EQ(rest.step(), 20);
  EXPECT_THROW(rest.monitor("temperature_change"), InputError);
  rest.advance(5, false, never);
  EXPECT_EQ(rest.field("temperature").values, whole.field("temperature").values);
}

}  // namespace
}  // namespace knudsen::test
