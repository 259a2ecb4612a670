#include "case/part_names.hpp"

#include "sample_reader.hpp"

namespace knudsen::test {
namespace {

using testing::HasSubstr;

/// The message for the last of these names; empty if all are accepted.
std::string refusal(const std::vector<std::string>& names) {
  return input_error([&] {
    nlohmann::json parts = nlohmann::json::array();
    for (const std::string& name : names) parts.push_back({{"name", name}});
    const auto document =
        CaseDocument::from_text(nlohmann::json{{"parts", parts}}.dump(), "case.json");
    PartNames taken;
    taken.reserve("west", "a side of the domain");
    read_case(document, [&](CaseNode& root) {
      root.list("parts", "Parts.", [&](CaseNode& part) {
        taken.add(part, "name", part.require_text("name", "Name."), "another part");
      });
    });
  });
}

TEST(PartNames, LettersDigitsUnderscoresAndHyphens) {
  for (const char* name : {"inlet.1", "a,b", "a\nb", "a b", "", "\"", "a/b", "..", "caf\xc3\xa9"}) {
    EXPECT_THAT(refusal({name}), HasSubstr("parts[0].name: found ")) << name;
    EXPECT_THAT(refusal({name}), HasSubstr("a name must consist of letters, digits")) << name;
  }
  EXPECT_THAT(refusal({std::string(101, 'x')}), HasSubstr("at most 100"));
}

TEST(PartNames, AreUnique) {
  EXPECT_THAT(refusal({"a", "b", "a"}),
              HasSubstr("parts[2].name: found \"a\", is already the name of another part"));
  EXPECT_THAT(refusal({"west"}), HasSubstr("is already the name of a side of the domain"));
}

}  // namespace
}  // namespace knudsen::test
