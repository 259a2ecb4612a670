#include <filesystem>
#include <fstream>

#include "sample_reader.hpp"

namespace knudsen::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

CaseDocument parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return CaseDocument::from_text(text, "cavity.json", ".", overrides);
}

std::string syntax_error(const std::string& text) {
  return input_error([&] { parse(text); });
}

std::string override_error(const std::string& text) {
  return input_error([&] {
    parse(R"({"fluid": {"reynolds": 5}, "list": [{"radius": 1}], "nothing": null})", {text});
  });
}

// Broken JSON.

TEST(CaseSyntax, MissingComma) {
  EXPECT_EQ(syntax_error("{\n  \"a\": 1\n  \"b\": 2\n}"),
            "cavity.json:3:3: unexpected string; expected ',' or '}'");
}

TEST(CaseSyntax, MissingCommaInList) {
  EXPECT_EQ(syntax_error("{\"a\": [1 20]}"),
            "cavity.json:1:10: unexpected number; expected ',' or ']'");
}

TEST(CaseSyntax, MissingColon) {
  EXPECT_EQ(syntax_error("{\"a\" 1}"), "cavity.json:1:6: unexpected number; expected ':'");
}

TEST(CaseSyntax, CommaBeforeBrace) {
  EXPECT_EQ(syntax_error("{\"a\": 1,\n}"),
            "cavity.json:2:1: unexpected '}'; expected a key in double quotes (remove the comma "
            "before the closing bracket)");
}

TEST(CaseSyntax, CommaBeforeBracket) {
  EXPECT_EQ(syntax_error("{\"a\": [1, ]}"),
            "cavity.json:1:11: unexpected ']'; expected a value (remove the comma before the "
            "closing bracket)");
}

TEST(CaseSyntax, KeyWithoutQuotes) {
  EXPECT_EQ(syntax_error("{a: 1}"),
            "cavity.json:1:2: unexpected \"a\"; expected a key in double quotes");
}

TEST(CaseSyntax, MisspeltLiteral) {
  EXPECT_EQ(syntax_error("{\"a\": True}"),
            "cavity.json:1:7: unexpected \"True\"; expected a value");
}

TEST(CaseSyntax, LiteralCutShort) {
  EXPECT_EQ(syntax_error("{\"a\": tru}"), "cavity.json:1:7: unexpected \"tru\"; expected a value");
}

TEST(CaseSyntax, LiteralInPlaceOfAKey) {
  EXPECT_EQ(syntax_error("{ true: 1}"),
            "cavity.json:1:3: unexpected true literal; expected a key in double quotes");
}

TEST(CaseSyntax, SingleQuotes) {
  EXPECT_EQ(syntax_error("{'a': 1}"),
            "cavity.json:1:2: unexpected \"'\"; expected a key in double quotes");
}

TEST(CaseSyntax, TypographicQuotes) {
  EXPECT_EQ(syntax_error("{\"a\": “b”}"), "cavity.json:1:7: unexpected \"“\"; expected a value");
}

TEST(CaseSyntax, ValueMissing) {
  EXPECT_EQ(syntax_error("{\"a\": }"), "cavity.json:1:7: unexpected '}'; expected a value");
}

TEST(CaseSyntax, NotANumber) {
  EXPECT_THAT(syntax_error("{\"a\": NaN}"), StartsWith("cavity.json:1:7: unexpected \"NaN\""));
}

TEST(CaseSyntax, BadNumber) {
  EXPECT_THAT(syntax_error("{\"a\": 1.}"),
              AllOf(StartsWith("cavity.json:1:9: invalid number"), HasSubstr("digit")));
}

TEST(CaseSyntax, OpenString) {
  EXPECT_THAT(syntax_error("{\"a\": \"b\n}"), StartsWith("cavity.json:1:9: invalid string"));
}

TEST(CaseSyntax, EndsTooEarly) {
  EXPECT_EQ(syntax_error("{\"a\": 1"),
            "cavity.json:1:8: unexpected end of the file; expected ',' or '}'");
}

TEST(CaseSyntax, Empty) {
  EXPECT_EQ(syntax_error(""), "cavity.json:1:1: unexpected end of the file; expected a value");
}

TEST(CaseSyntax, TextAfterTheEnd) {
  EXPECT_EQ(syntax_error("{}\n{}"),
            "cavity.json:2:1: unexpected '{'; expected the end of the file");
}

TEST(CaseSyntax, Comments) {
  EXPECT_EQ(syntax_error("{\n  // why\n}"), "cavity.json:2:3: comments are not allowed in JSON");
  EXPECT_EQ(syntax_error("{\n  # why\n}"), "cavity.json:2:3: comments are not allowed in JSON");
  EXPECT_EQ(syntax_error("{\"a\": 1 /* why */}"),
            "cavity.json:1:9: comments are not allowed in JSON");
}

TEST(CaseSyntax, NumberTooLarge) {
  EXPECT_EQ(syntax_error("{\"a\": 1e999}"), "cavity.json:1:7: number too large: '1e999'");
}

TEST(CaseSyntax, ColumnsCountCharacters) {
  EXPECT_THAT(syntax_error("{\"é\": x}"), StartsWith("cavity.json:1:7: "));
}

TEST(CaseSyntax, NotUtf8) { EXPECT_THAT(syntax_error("{\"a\": \"\xff\"}"), HasSubstr("UTF-8")); }

TEST(CaseSyntax, BytesThatAreNotUtf8HaveAPlace) {
  for (const char* bad :
       {"\xff", "\x80", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_THAT(syntax_error(std::string("{\n  \"a\": \"") + bad + "\"}"),
                StartsWith("cavity.json:2:9: the text is not valid UTF-8"));
  }
  EXPECT_NO_THROW(parse("{\"a\": \"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"}"));
}

TEST(CaseSyntax, NestingHasALimit) {
  const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
    std::string text = "{\"x\": ";
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += "1";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text + "}";
  };
  EXPECT_NO_THROW(parse(nested(99, "[", "]")));
  EXPECT_EQ(syntax_error(nested(100, "[", "]")),
            "cavity.json:1:106: more than 100 objects and lists in each other");
  EXPECT_THAT(syntax_error(nested(8000, "{\"a\":", "}")), HasSubstr("more than 100 objects"));
  EXPECT_THAT(syntax_error(nested(1000000, "[", "]")), HasSubstr("more than 100 objects"));
  const std::string deep = nested(200, "[", "]");
  EXPECT_THAT(override_error("a=" + deep), HasSubstr("more than 100 objects"));
  std::string path = "a";
  for (int i = 0; i < 200; ++i) path += ".a";
  EXPECT_THAT(override_error(path + "=1"), HasSubstr("the path has more than 100 keys"));
}

TEST(CaseSyntax, DuplicateKey) {
  EXPECT_EQ(syntax_error("{\n  \"a\": {\"b\": 1,\n    \"c\": 2,\n    \"b\": 3}\n}"),
            "cavity.json:4:5: duplicate key \"b\", first given in line 2");
}

TEST(CaseSyntax, SameKeyInTwoObjectsIsNoDuplicate) {
  EXPECT_NO_THROW(parse(R"({"a": [{"b": 1}, {"b": 2}], "b": {"a": 3}})"));
}

TEST(CaseSyntax, TopLevelMustBeAnObject) {
  EXPECT_EQ(syntax_error("[1]"), "cavity.json: the top level is a list, must be an object: {...}");
  EXPECT_THAT(syntax_error("null"), HasSubstr("the top level is null"));
}

// Files.

class CaseFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name) << text;
    return directory_ / name;
  }

  const std::filesystem::path directory_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("knudsen_case_") +
       testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(CaseFile, IsRead) {
  const auto file = write("a.json", R"({"title": "x"})");
  const CaseDocument document = CaseDocument::from_file(file, {"title=y"});
  EXPECT_EQ(document.json().at("title"), "y");
  EXPECT_EQ(document.name(), file.string());
  EXPECT_EQ(document.directory(), directory_);
}

TEST_F(CaseFile, MayStartWithAByteOrderMark) {
  EXPECT_NO_THROW(CaseDocument::from_file(write("a.json", "\xEF\xBB\xBF{}")));
}

TEST_F(CaseFile, Missing) {
  const std::string name = (directory_ / "none.json").string();
  EXPECT_EQ(input_error([&] { CaseDocument::from_file(name); }), name + ": no such file");
}

TEST_F(CaseFile, IsADirectory) {
  EXPECT_THAT(input_error([&] { CaseDocument::from_file(directory_); }),
              EndsWith(": is a directory, must be a case file"));
}

TEST_F(CaseFile, Empty) {
  EXPECT_THAT(input_error([&] { CaseDocument::from_file(write("a.json", "")); }),
              EndsWith("a.json:1:1: unexpected end of the file; expected a value"));
}

TEST_F(CaseFile, FilesInTheCaseAreSoughtBesideIt) {
  write("solids.png", "");
  const auto file = write("a.json", R"({"image": "solids.png"})");
  std::filesystem::path found;
  read_case(CaseDocument::from_file(file),
            [&](CaseNode& root) { found = root.require_file("image", ""); });
  EXPECT_EQ(found, directory_ / "solids.png");
}

TEST_F(CaseFile, FileInTheCaseIsMissing) {
  const auto file = write("a.json", R"({"image": "solids.png"})");
  EXPECT_EQ(input_error([&] {
              read_case(CaseDocument::from_file(file),
                        [](CaseNode& root) { root.file("image", ""); });
            }),
            file.string() + ": image: found \"solids.png\", but there is no file " +
                (directory_ / "solids.png").string());
}

TEST_F(CaseFile, FileInTheCaseIsADirectory) {
  const auto file = write("a.json", R"({"image": "."})");
  EXPECT_THAT(input_error([&] {
                read_case(CaseDocument::from_file(file),
                          [](CaseNode& root) { root.file("image", ""); });
              }),
              EndsWith("is not a readable file"));
}

// Overrides.

TEST(CaseOverride, ReplacesAValue) {
  EXPECT_EQ(parse(R"({"fluid": {"reynolds": 100}})", {"fluid.reynolds=400"}).json(),
            nlohmann::json::parse(R"({"fluid": {"reynolds": 400}})"));
}

TEST(CaseOverride, CreatesObjectsOnTheWay) {
  EXPECT_EQ(parse("{}", {"a.b.c=1"}).json(), nlohmann::json::parse(R"({"a": {"b": {"c": 1}}})"));
}

TEST(CaseOverride, ReachesListElements) {
  EXPECT_EQ(parse(R"({"a": [[1, 2], [{"b": 3}]]})", {"a[1][0].b=4", "a[0][1]=5"}).json(),
            nlohmann::json::parse(R"({"a": [[1, 5], [{"b": 4}]]})"));
}

TEST(CaseOverride, ValueIsJsonOrElseAString) {
  const auto json =
      parse("{}", {"a=true", "b=[1, 2]", "c=in-place", "d=\"5\"", "e=", "f=a=b", "g=1e999"}).json();
  EXPECT_EQ(json, nlohmann::json::parse(R"({"a": true, "b": [1, 2], "c": "in-place", "d": "5",
                                            "e": "", "f": "a=b", "g": "1e999"})"));
}

TEST(CaseOverride, IsUtf8) {
  EXPECT_EQ(override_error("title=a\xff"),
            "cavity.json: --set title=a...: byte 8 is not valid UTF-8");
}

TEST(CaseOverride, LaterOnesWin) { EXPECT_EQ(parse("{}", {"a=1", "a=2"}).json().at("a"), 2); }

TEST(CaseOverride, WithoutAValue) {
  EXPECT_EQ(override_error("fluid.reynolds"),
            "cavity.json: --set fluid.reynolds: no \"=\", must be path=value");
}

TEST(CaseOverride, WithABadPath) {
  for (const std::string path : {"", ".", "a.", ".a", "a..b", "[0]", "a[", "a[x]", "a[-1]", "a[ 1]",
                                 "a[0", "a[99999999999999999999]", "a[0]b", "a]"}) {
    EXPECT_THAT(override_error(path + "=1"),
                StartsWith("cavity.json: --set " + path + "=1: \"" + path + "\" is not a path"));
  }
}

TEST(CaseOverride, StepsNotThroughAScalar) {
  EXPECT_EQ(override_error("fluid.reynolds.x=1"),
            "cavity.json: --set fluid.reynolds.x=1: fluid.reynolds is a number, not an object");
}

TEST(CaseOverride, StepsNotByKeyIntoAList) {
  EXPECT_THAT(override_error("list.radius=1"), EndsWith("list is a list, not an object"));
}

TEST(CaseOverride, StepsNotByIndexIntoAnObject) {
  EXPECT_THAT(override_error("fluid[0]=1"), EndsWith("fluid is an object, not a list"));
}

TEST(CaseOverride, IndexBeyondTheList) {
  EXPECT_THAT(override_error("list[1].radius=1"),
              EndsWith("list has 1 elements, counted from 0, so none with the index 1"));
}

TEST(CaseOverride, IndexIntoNothing) {
  EXPECT_THAT(override_error("none[0]=1"), EndsWith("none does not exist, so it has no elements"));
}

TEST(CaseOverride, DuplicateKeyInTheValue) {
  EXPECT_THAT(override_error(R"(a={"b": 1, "b": 2})"), HasSubstr("duplicate key \"b\""));
}

// Digest.

std::string digest(const std::string& text) { return parse(text).digest(); }

TEST(CaseDigest, IsAHexNumberOf128Bits) {
  EXPECT_THAT(digest("{}"), testing::MatchesRegex("[0-9a-f]{32}"));
}

TEST(CaseDigest, IsTheSameInEveryVersion) {
  EXPECT_EQ(digest(R"({"method": "lattice", "fluid": {"reynolds": 100}})"),
            "35966fc5193d191fca9f50da694217bf");
}

TEST(CaseDigest, IgnoresOrderAndSpace) {
  EXPECT_EQ(digest(R"({"a": 1, "b": {"c": 2, "d": 3}})"), digest(R"({"b":{"d":3,"c":2},"a":1})"));
}

TEST(CaseDigest, IgnoresHowNumbersAreWritten) {
  EXPECT_EQ(digest(R"({"a": [1, 0, 100, 0.5]})"), digest(R"({"a": [1.0, -0.0, 1e2, 5e-1]})"));
}

TEST(CaseDigest, IgnoresWhatIsNoPhysics) {
  EXPECT_EQ(digest(R"({"a": 1})"),
            digest(R"({"a": 1, "title": "x", "$schema": "y", "stop": {"steps": 1}, "output": {},
                       "checkpoint": {}, "parallel": {}, "tuning": {"team": 4}})"));
}

TEST(CaseDigest, IgnoresTheseKeysOnlyAtTheTop) {
  EXPECT_NE(digest(R"({"a": {}})"), digest(R"({"a": {"title": "x"}})"));
}

TEST(CaseDigest, TellsValuesApart) {
  EXPECT_NE(digest(R"({"a": 1})"), digest(R"({"a": 2})"));
  EXPECT_NE(digest(R"({"a": 1})"), digest(R"({"a": "1"})"));
  EXPECT_NE(digest(R"({"a": 1})"), digest(R"({"a": 1.0000000000000002})"));
  EXPECT_NE(digest(R"({"a": [1, 2]})"), digest(R"({"a": [2, 1]})"));
}

TEST(CaseDigest, KnowsOverrides) {
  EXPECT_EQ(parse(R"({"a": 1})", {"a=2"}).digest(), digest(R"({"a": 2})"));
}

}  // namespace
}  // namespace knudsen::test
