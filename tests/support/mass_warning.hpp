#pragma once

#include <gmock/gmock.h>

#include <string>

#include "model/problem.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen::test {

/// Checks that a lattice method warns of the mass of a closed domain which interpolated walls have
/// changed in 400 steps, also after a restart. `half_way` is the same flow with walls that keep it.
inline void expect_mass_warning(const Problem& half_way, const Problem& interpolated,
                                const std::string& method) {
  const auto kept = half_way.create(default_backend());
  kept->initialise();
  kept->advance(400);
  EXPECT_THAT(kept->warnings(), testing::IsEmpty());

  const auto whole = interpolated.create(default_backend());
  whole->initialise();
  EXPECT_THAT(whole->warnings(), testing::IsEmpty());
  whole->advance(300);
  const TemporaryDirectory directory;
  const auto file = directory.path() / "checkpoint.h5";
  CheckpointWriter writer(file, method, "digest", 300);
  whole->save(writer);
  writer.commit();
  const auto restarted = interpolated.create(default_backend());
  restarted->load(CheckpointReader(file));
  whole->advance(100);
  restarted->advance(100);
  EXPECT_THAT(whole->warnings(), testing::ElementsAre(testing::StartsWith("the mass changed by ")));
  EXPECT_EQ(restarted->warnings(), whole->warnings());
}

}  // namespace knudsen::test
