#include "sample_reader.hpp"

namespace knudsen::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string sample_page() {
  Sample sample;
  return describe_markdown(sample_reader(sample), "Case files");
}

TEST(CaseReference, IsAPageWithATitle) { EXPECT_THAT(sample_page(), StartsWith("# Case files\n")); }

TEST(CaseReference, HasARowForEveryKey) {
  const std::string page = sample_page();
  EXPECT_THAT(page, HasSubstr("\n| `title` | a string | `\"untitled\"` | One line. |\n"));
  EXPECT_THAT(page, HasSubstr("\n| `reynolds` | a number greater than 0 | required | "
                              "Reynolds number. |\n"));
  EXPECT_THAT(page, HasSubstr("\n| `force` | a list of 2, each element a number | `[0,0]` | "
                              "Body force. |\n"));
  EXPECT_THAT(page, HasSubstr("\n| `image` | a path to a file |  | A picture of the solids. |\n"));
}

TEST(CaseReference, LinksToTheSectionsOfObjects) {
  const std::string page = sample_page();
  EXPECT_THAT(page, HasSubstr("| `stop` | an object: [`stop`](#stop) |"));
  EXPECT_THAT(page, HasSubstr("\n## `stop`\n\nWhen the run ends.\n\n| Key |"));
  EXPECT_THAT(page, HasSubstr("| a list of objects: [`geometry.solids[]`](#geometrysolids) |"));
  EXPECT_THAT(page, HasSubstr("\n## `geometry.solids[]`\n\nSolid bodies.\n"));
}

TEST(CaseReference, HasASectionForEveryKind) {
  const std::string page = sample_page();
  EXPECT_THAT(page, HasSubstr("\n## `geometry.solids[]` (`shape` box)\n\nParallel to the axes.\n"));
  EXPECT_THAT(page, HasSubstr("\n## Top level (`method` kinetic)\n\nDiscrete velocities.\n"));
  EXPECT_THAT(page, HasSubstr("an object: [`fluid` (`method` lattice)](#fluid-method-lattice)"));
  EXPECT_THAT(page, HasSubstr("\n## `fluid` (`method` lattice)\n"));
  EXPECT_THAT(page, HasSubstr("\n## `collision` (`method` lattice, `relaxation` two)\n"));
}

TEST(CaseReference, KeepsTablesWhole) {
  const std::string page = describe_markdown(
      [](CaseNode& root) { root.text_or("a", "x|y", "Either | or,\nas one likes."); }, "T");
  EXPECT_THAT(page, HasSubstr("| `a` | a string | `\"x\\|y\"` | Either \\| or, as one likes. |\n"));
}

}  // namespace
}  // namespace knudsen::test
