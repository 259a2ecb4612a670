#include "sample_reader.hpp"

namespace knudsen::test {
namespace {

using testing::HasSubstr;
using testing::Not;
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
  EXPECT_THAT(page, HasSubstr("| `stop` | [an object](#stop) |"));
  EXPECT_THAT(page, HasSubstr("\n## `stop`\n\nWhen the run ends.\n\n| Key |"));
  EXPECT_THAT(page, HasSubstr("| [a list of objects](#geometrysolids) |"));
  EXPECT_THAT(page, HasSubstr("\n## `geometry.solids[]`\n\nSolid bodies.\n"));
}

TEST(CaseReference, HasASectionForEveryKind) {
  const std::string page = sample_page();
  EXPECT_THAT(page, HasSubstr("\n## `geometry.solids[]` (`shape` box)\n\nParallel to the axes.\n"));
  EXPECT_THAT(page, HasSubstr("\n## Top level (`method` kinetic)\n\nDiscrete velocities.\n"));
  EXPECT_THAT(page, HasSubstr("| `fluid` | [an object](#fluid-method-lattice) |"));
  EXPECT_THAT(page, HasSubstr("\n## `fluid` (`method` lattice)\n"));
  EXPECT_THAT(page, HasSubstr("\n## `collision` (`method` lattice, `relaxation` two)\n"));
}

TEST(CaseReference, HasOneSectionForPlacesWithTheSameKeys) {
  const std::string page = sample_page();
  EXPECT_THAT(page, HasSubstr("| `west` | [an object](#westeast) |  | The side at small x. |\n"
                              "| `east` | [an object](#westeast) |  | The side at large x. |\n"));
  EXPECT_THAT(page, HasSubstr("\n## `west/east`\n\n| Key |"));
  EXPECT_THAT(page, HasSubstr("\n## `west/east` (`type` wall)\n\nNothing passes.\n"));
  EXPECT_THAT(page, HasSubstr("\n## `west/east.motion` (`type` wall)\n\nOf the wall.\n"));
  EXPECT_THAT(page, Not(HasSubstr("## `east`")));
}

TEST(CaseReference, ListsPlacesThatDifferInMoreThanAName) {
  const auto read_point = [](CaseNode& node) { node.number("x", "Place."); };
  const std::string page = describe_markdown(
      [&](CaseNode& root) {
        root.object("a", "A point.", read_point);
        root.list("b", "Points.", read_point);
        root.object("c", "Points.", [&](CaseNode& node) {
          node.object("d", "A point.", read_point);
          node.object("e", "A point.", read_point);
        });
      },
      "T");
  EXPECT_THAT(page, HasSubstr("\n## `a/b[]`\n\nThe same for `c.d/e`.\n\n| Key |"));
}

TEST(CaseReference, KeepsTablesWhole) {
  const std::string page = describe_markdown(
      [](CaseNode& root) { root.text_or("a", "x|y", "Either | or,\nas one likes."); }, "T");
  EXPECT_THAT(page, HasSubstr("| `a` | a string | `\"x\\|y\"` | Either \\| or, as one likes. |\n"));
}

}  // namespace
}  // namespace knudsen::test
