#include "lattice/collision_operators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "lattice/d2q9.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"
#include "paths.hpp"

namespace knudsen {
namespace {

TEST(CollisionOperators, HaveDifferentNamesAndSuitSomeLattice) {
  std::set<std::string> names;
  for (const OperatorTraits& traits : all_operator_traits()) {
    EXPECT_TRUE(names.insert(traits.name).second) << traits.name;
    const auto populations = {D2Q9::populations, D3Q19::populations, D3Q27::populations};
    EXPECT_TRUE(std::any_of(populations.begin(), populations.end(), traits.suits)) << traits.name;
    EXPECT_EQ(operator_traits(traits.name).text, traits.text);
  }
}

template <class Velocities>
void expect_dispatch() {
  for (const OperatorTraits& traits : all_operator_traits()) {
    std::string called;
    const auto dispatch = [&] {
      dispatch_operator<Velocities>(traits.name,
                                    [&](auto found) { called = decltype(found)::name; });
    };
    if (traits.suits(Velocities::populations)) {
      dispatch();
      EXPECT_EQ(called, traits.name);
    } else {
      EXPECT_THROW(dispatch(), std::logic_error) << traits.name;
    }
  }
}

TEST(CollisionOperators, AreCalledByNameOnLatticesThatTheySuit) {
  expect_dispatch<D2Q9>();
  expect_dispatch<D3Q19>();
  expect_dispatch<D3Q27>();
  EXPECT_THROW(operator_traits("none"), std::logic_error);
}

TEST(CollisionOperators, AreInTheTableOfTheReadme) {
  std::ifstream file(KNUDSEN_SOURCE_DIR "/src/lattice/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (const OperatorTraits& traits : all_operator_traits()) {
    EXPECT_THAT(readme, testing::HasSubstr("| `" + traits.name + "` |"));
  }
}

}  // namespace
}  // namespace knudsen
