#include "sample_reader.hpp"

namespace knudsen::test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// The message of the InputError that `read` throws for a case.
std::string error_of(const std::string& text, const CaseNode::Reader& read) {
  return input_error([&] { read_case(CaseDocument::from_text(text, "cavity.json"), read); });
}

TEST(CaseNode, ReadsAllKindsOfValues) {
  const Sample sample = read_sample_with(
      {"fluid.viscosity=1e-3", "force=[0, -1.5]", "fields=[\"density\"]", "stop.steady=true",
       "precision=double", "collision.relaxation=two", "collision.magic=0.1875"});
  EXPECT_EQ(sample.title, "Cavity");
  EXPECT_EQ(sample.method, "lattice");
  EXPECT_EQ(sample.precision, "double");
  EXPECT_EQ(sample.reynolds, 100);
  EXPECT_EQ(sample.viscosity, 1e-3);
  EXPECT_THAT(sample.cells, ElementsAre(32, 32));
  EXPECT_THAT(sample.force, ElementsAre(0, -1.5));
  EXPECT_THAT(sample.fields, ElementsAre("density"));
  EXPECT_THAT(sample.radii, ElementsAre(3));
  EXPECT_EQ(sample.solids, 2);
  EXPECT_EQ(sample.steps, 1000);
  EXPECT_TRUE(sample.steady);
  EXPECT_EQ(sample.relaxation, "two");
  EXPECT_EQ(sample.magic, 0.1875);
}

TEST(CaseNode, AbsentKeysGiveDefaults) {
  const Sample sample =
      read_sample(R"({"method": "lattice", "cells": [], "fluid": {"reynolds": 1}})");
  EXPECT_EQ(sample.title, "untitled");
  EXPECT_EQ(sample.precision, "single");
  EXPECT_EQ(sample.lid_velocity, 0.1);
  EXPECT_EQ(sample.viscosity, -1);
  EXPECT_THAT(sample.force, ElementsAre(0, 0));
  EXPECT_THAT(sample.fields, ElementsAre("velocity"));
  EXPECT_TRUE(sample.cells.empty());
  EXPECT_EQ(sample.solids, 0);
}

TEST(CaseNode, AbsentKindGivesTheDefaultKind) {
  EXPECT_EQ(read_sample_with({"collision={}"}).relaxation, "single");
}

TEST(CaseNode, ReturnsWhatIsThere) {
  const auto document = CaseDocument::from_text(R"({"a": {}, "l": [{}, {}]})", "x", "/some/where");
  read_case(document, [](CaseNode& root) {
    const CaseNode::Reader nothing = [](CaseNode&) {};
    EXPECT_FALSE(root.describing());
    EXPECT_EQ(root.directory(), "/some/where");
    EXPECT_TRUE(root.has("a"));
    EXPECT_FALSE(root.has("b"));
    EXPECT_TRUE(root.object("a", "", nothing));
    EXPECT_FALSE(root.object("b", "", nothing));
    EXPECT_EQ(root.list("l", "", nothing), 2U);
    EXPECT_EQ(root.list("m", "", nothing), 0U);
  });
}

TEST(CaseNode, KnowsItsPath) {
  const auto document = CaseDocument::from_text(R"({"a": {"l": [{}, {}]}})", "x");
  std::vector<std::string> paths;
  read_case(document, [&](CaseNode& root) {
    paths.push_back(root.path());
    paths.push_back(root.path("a"));
    root.object("a", "", [&](CaseNode& a) {
      a.list("l", "", [&](CaseNode& element) { paths.push_back(element.path("k")); });
      paths.push_back(a.path());
    });
  });
  EXPECT_THAT(paths, ElementsAre("", "a", "a.l[0].k", "a.l[1].k", "a"));
}

TEST(CaseNode, AllowsTheSchemaKeyAtTheTopOnly) {
  EXPECT_NO_THROW(read_sample_with({"$schema=case.schema.json"}));
  EXPECT_THAT(error_with("fluid.$schema=x"), HasSubstr("fluid: unknown key \"$schema\""));
}

TEST(CaseNode, DescribingNodeHasNoDocument) {
  bool visited = false;
  describe_schema(
      [&](CaseNode& root) {
        visited = true;
        EXPECT_TRUE(root.describing());
        EXPECT_FALSE(root.has("a"));
        EXPECT_FALSE(root.number("a", "").has_value());
        EXPECT_EQ(root.number_or("b", 5, ""), 5);
        EXPECT_EQ(root.require_number("c", "", Range::positive()), 0);
        EXPECT_EQ(root.require_integer("d", ""), 0);
        EXPECT_EQ(root.require_text("e", ""), "");
        EXPECT_EQ(root.require_file("f", ""), "");
        EXPECT_EQ(root.require_choice("g", {"x", "y"}, ""), "x");
        EXPECT_THAT(root.require_integers("h", 2, ""), ElementsAre(0, 0));
        EXPECT_THAT(root.require_numbers("m", 3, "", Range::positive()), ElementsAre(0, 0, 0));
        int members = 0;
        EXPECT_TRUE(root.object("i", "", [&](CaseNode&) { ++members; }));
        root.require_object("j", "", [&](CaseNode&) { ++members; });
        EXPECT_EQ(root.list("k", "",
                            [&](CaseNode& element) {
                              ++members;
                              EXPECT_EQ(element.path("x"), "k[].x");
                            }),
                  1U);
        const auto count = [&](CaseNode&) { ++members; };
        EXPECT_EQ(root.alternatives("l", "", {{"p", "", count}, {"q", "", count}}, "q"), "q");
        EXPECT_EQ(members, 5);
        root.fail("a", "nothing happens");
      },
      "");
  EXPECT_TRUE(visited);
}

// Numbers.

TEST(CaseError, NumberIsAString) {
  EXPECT_EQ(error_with("fluid.reynolds=abc"),
            "cavity.json: fluid.reynolds: found \"abc\" (string), must be a number greater than 0");
}

TEST(CaseError, NumberIsABoolean) {
  EXPECT_EQ(error_with("fluid.viscosity=true"),
            "cavity.json: fluid.viscosity: found true (boolean), must be a number");
}

TEST(CaseError, NumberIsNull) {
  EXPECT_THAT(error_with("fluid.viscosity=null"), EndsWith("found null, must be a number"));
}

TEST(CaseError, NumberIsAList) {
  EXPECT_THAT(error_with("fluid.viscosity=[1]"), EndsWith("found a list, must be a number"));
}

TEST(CaseError, NumberIsAnObject) {
  EXPECT_THAT(error_with("fluid.viscosity={\"a\": 1}"),
              EndsWith("found an object, must be a number"));
}

TEST(CaseError, NumberBelowItsRange) {
  EXPECT_EQ(error_with("fluid.reynolds=-5"),
            "cavity.json: fluid.reynolds: found -5, must be greater than 0");
  EXPECT_EQ(error_with("fluid.reynolds=0.0"),
            "cavity.json: fluid.reynolds: found 0, must be greater than 0");
}

TEST(CaseError, NumberAboveItsRange) {
  EXPECT_THAT(error_with("fluid.lid_velocity=0.5"),
              EndsWith("found 0.5, must be greater than 0 and at most 0.3"));
  EXPECT_NO_THROW(read_sample_with({"fluid.lid_velocity=0.3"}));
}

TEST(CaseError, WhatFollowsFromAValue) {
  const auto refusal = [](double value, const Range& range) {
    return input_error([&] {
      read_case(CaseDocument::from_text(R"({"size": 3})", "case.json"), [&](CaseNode& root) {
        root.number("size", "Size.");
        root.check_derived("size", "cell width", value, range);
      });
    });
  };
  EXPECT_EQ(refusal(-1, Range::positive()),
            "case.json: size: found 3, gives the cell width -1, must be finite and greater than 0");
  EXPECT_EQ(refusal(std::nan(""), Range::any()),
            "case.json: size: found 3, gives the cell width nan, must be finite");
  EXPECT_THAT(refusal(HUGE_VAL, Range::positive()), testing::HasSubstr("gives the cell width inf"));
  EXPECT_NO_THROW(read_case(CaseDocument::from_text("{}", "case.json"), [](CaseNode& root) {
    root.check_derived("size", "cell width", 1, Range::positive());
  }));
}

TEST(CaseError, LongStringsAreCut) {
  EXPECT_THAT(error_with("fluid.reynolds=" + std::string(1000, 'x')),
              EndsWith(std::string(60, 'x') + "...\" (string), must be a number greater than 0"));
}

TEST(CaseError, LongStringsAreCutBetweenCharacters) {
  EXPECT_THAT(error_with("fluid.reynolds=x" + std::string(59, 'y').replace(58, 1, "é") + "z"),
              HasSubstr(std::string(57, 'y') + "y...\" (string)"));
}

// Integers.

TEST(CaseNode, IntegerMayBeWrittenWithAPoint) {
  EXPECT_EQ(read_sample_with({"stop.steps=30.0"}).steps, 30);
  EXPECT_EQ(read_sample_with({"stop.steps=1e6"}).steps, 1000000);
}

TEST(CaseNode, IntegerMayBeAsLargeAsDoublesAreExact) {
  EXPECT_EQ(read_sample_with({"stop.steps=9007199254740992"}).steps, 9007199254740992);
}

TEST(CaseError, IntegerIsNotWhole) {
  EXPECT_EQ(error_with("stop.steps=3.5"),
            "cavity.json: stop.steps: found 3.5, must be an integer at least 0");
}

TEST(CaseError, IntegerIsAString) {
  EXPECT_EQ(error_with("stop.steps=\"3\""),
            "cavity.json: stop.steps: found \"3\" (string), must be an integer at least 0");
}

TEST(CaseError, IntegerBelowItsRange) {
  EXPECT_THAT(error_with("stop.steps=-1"), EndsWith("found -1, must be at least 0"));
}

TEST(CaseError, IntegerTooLarge) {
  EXPECT_THAT(error_with("stop.steps=9007199254740993"),
              EndsWith("found 9007199254740993, must be an integer from -9007199254740992 to "
                       "9007199254740992"));
  EXPECT_THAT(error_with("stop.seed=-9007199254740993"), HasSubstr("must be an integer from"));
  EXPECT_THAT(error_with("stop.seed=1e20"), HasSubstr("found 1e+20, must be an integer from"));
  EXPECT_THAT(error_with("stop.seed=100000000000000000000"), HasSubstr("must be an integer from"));
}

/// Reads a choice that may be an object with the key "size".
std::string choice_or_size(const std::string& text) {
  std::string found;
  read_case(CaseDocument::from_text(text, "case.json"), [&](CaseNode& root) {
    double size = 0;
    found = root.choice_or_object("form", "flat", {"flat", "round"}, "Form.", [&](CaseNode& node) {
      size = node.require_number("size", "Size.");
    });
    if (found.empty()) found = std::to_string(size);
  });
  return found;
}

TEST(CaseNode, ReadsAChoiceOrAnObject) {
  EXPECT_EQ(choice_or_size("{}"), "flat");
  EXPECT_EQ(choice_or_size(R"({"form": "round"})"), "round");
  EXPECT_EQ(choice_or_size(R"({"form": {"size": 2}})"), std::to_string(2.0));
  EXPECT_EQ(input_error([] { choice_or_size(R"({"form": 2})"); }),
            "case.json: form: found 2, must be one of \"flat\", \"round\", or an object");
  EXPECT_EQ(input_error([] { choice_or_size(R"({"form": "rond"})"); }),
            "case.json: form: found \"rond\", did you mean \"round\"? Must be one of \"flat\", "
            "\"round\"");
  EXPECT_THAT(input_error([] { choice_or_size(R"({"form": {"sise": 2}})"); }),
              testing::HasSubstr("did you mean \"size\"?"));
  const auto schema = describe_schema(
      [](CaseNode& root) {
        root.choice_or_object("form", "flat", {"flat", "round"}, "Form.",
                              [](CaseNode& node) { node.number("size", "Size."); });
      },
      "Case")["properties"]["form"];
  EXPECT_EQ(schema["anyOf"][0]["enum"].size(), 2U);
  EXPECT_TRUE(schema["anyOf"][1]["properties"].contains("size"));
  EXPECT_EQ(schema["default"], "flat");
}

// Booleans, strings, choices.

TEST(CaseError, BooleanIsANumber) {
  EXPECT_EQ(error_with("stop.steady=1"),
            "cavity.json: stop.steady: found 1, must be true or false");
}

TEST(CaseError, StringIsANumber) {
  EXPECT_EQ(error_with("title=5"), "cavity.json: title: found 5, must be a string");
}

TEST(CaseError, FileIsANumber) {
  EXPECT_EQ(error_with("geometry.image=5"),
            "cavity.json: geometry.image: found 5, must be a path to a file");
}

TEST(CaseError, ChoiceIsMisspelt) {
  EXPECT_EQ(error_with("precision=duoble"),
            "cavity.json: precision: found \"duoble\", did you mean \"double\"? Must be one of "
            "\"single\", \"double\"");
}

TEST(CaseError, ChoiceIsUnknown) {
  EXPECT_EQ(error_with("precision=half"),
            "cavity.json: precision: found \"half\", must be one of \"single\", \"double\"");
}

TEST(CaseError, ChoiceIsANumber) {
  EXPECT_THAT(error_with("precision=2"),
              EndsWith("found 2, must be one of \"single\", \"double\""));
}

// Lists.

TEST(CaseError, ListIsANumber) {
  EXPECT_EQ(error_with("force=3"),
            "cavity.json: force: found 3, must be a list of 2, each element a number");
}

TEST(CaseError, ListHasAWrongLength) {
  EXPECT_EQ(error_with("force=[1, 2, 3]"),
            "cavity.json: force: found a list of 3, must be a list of 2, each element a number");
}

TEST(CaseError, ListElementIsAString) {
  EXPECT_EQ(error_with("force=[1, \"x\"]"),
            "cavity.json: force[1]: found \"x\" (string), must be a number");
}

TEST(CaseError, ListElementIsOutOfRange) {
  EXPECT_EQ(error_with("cells=[10, 0]"), "cavity.json: cells[1]: found 0, must be from 1 to 100");
}

TEST(CaseError, NameIsUnknown) {
  EXPECT_EQ(error_with("fields=[\"velocity\", \"densty\"]"),
            "cavity.json: fields[1]: found \"densty\", did you mean \"density\"? Must be one of "
            "\"velocity\", \"density\"");
}

TEST(CaseError, NameOccursTwice) {
  EXPECT_EQ(error_with("fields=[\"velocity\", \"velocity\"]"),
            "cavity.json: fields[1]: found \"velocity\" twice, each name may occur once");
}

TEST(CaseNode, NamesMayBeFree) {
  const auto read = [](CaseNode& root) {
    EXPECT_THAT(root.names("a", {}, "").value(), ElementsAre("x", "y"));
  };
  read_case(CaseDocument::from_text(R"({"a": ["x", "y"]})", "x"), read);
  EXPECT_THAT(error_of(R"({"a": [1]})", read), EndsWith("a[0]: found 1, must be a string"));
}

// Objects.

TEST(CaseError, ObjectIsANumber) {
  EXPECT_EQ(error_with("fluid=5"), "cavity.json: fluid: found 5, must be an object");
}

TEST(CaseError, ListOfObjectsIsAnObject) {
  EXPECT_EQ(error_with("geometry.solids={}"),
            "cavity.json: geometry.solids: found an object, must be a list, each element an "
            "object");
}

TEST(CaseError, ListOfObjectsHasANumber) {
  EXPECT_EQ(error_with("geometry.solids=[5]"),
            "cavity.json: geometry.solids[0]: found 5, must be an object");
}

TEST(CaseError, InsideAListOfObjects) {
  EXPECT_EQ(error_with("geometry.solids[1].size=[0, 1]"),
            "cavity.json: geometry.solids[1].size[0]: found 0, must be at least 1");
}

// Missing and unknown keys.

TEST(CaseError, MissingValue) {
  EXPECT_EQ(error_with("fluid={}"),
            "cavity.json: fluid.reynolds: missing, must be a number greater than 0");
}

TEST(CaseError, MissingObject) {
  EXPECT_EQ(input_error([] { read_sample(R"({"method": "lattice", "cells": []})"); }),
            "cavity.json: fluid: missing, must be an object");
}

TEST(CaseError, MissingKind) {
  EXPECT_EQ(error_with("geometry.solids[0]={}"),
            "cavity.json: geometry.solids[0].shape: missing, must be one of \"sphere\", \"box\"");
}

TEST(CaseError, UnknownKey) {
  EXPECT_EQ(error_with("fluid.colour=red"),
            "cavity.json: fluid: unknown key \"colour\". Known keys: reynolds, lid_velocity, "
            "viscosity");
}

TEST(CaseError, UnknownKeyAtTheTop) {
  EXPECT_EQ(error_with("feilds=[]"),
            "cavity.json: unknown key \"feilds\", did you mean \"fields\"? Known keys: $schema, "
            "title, precision, method, fluid, collision, cells, force, fields, geometry, west, "
            "east, stop");
}

TEST(CaseError, MisspeltRequiredKey) {
  EXPECT_EQ(error_with("fluid={\"reynold\": 5}"),
            "cavity.json: fluid: unknown key \"reynold\", did you mean \"reynolds\"? Known keys: "
            "reynolds, lid_velocity, viscosity");
}

TEST(CaseError, MisspeltRequiredObject) {
  EXPECT_THAT(input_error([] {
                read_sample(R"({"method": "lattice", "cells": [], "fliud": {"reynolds": 1}})");
              }),
              HasSubstr("cavity.json: unknown key \"fliud\", did you mean \"fluid\"?"));
}

TEST(CaseError, ValuesComeBeforeUnknownKeys) {
  EXPECT_THAT(error_with("fluid={\"reynolds\": -1, \"colour\": 5}"),
              EndsWith("found -1, must be greater than 0"));
}

TEST(CaseError, WhatTheReaderFindsComesBeforeUnknownKeys) {
  EXPECT_THAT(error_with("stop={\"steps\": 3, \"every\": 4, \"colour\": 5}"),
              EndsWith("found 4, must not be greater than steps"));
}

// Kinds.

TEST(CaseError, KindIsUnknown) {
  EXPECT_EQ(error_with("method=latice"),
            "cavity.json: method: found \"latice\", did you mean \"lattice\"? Must be one of "
            "\"lattice\", \"kinetic\"");
}

TEST(CaseError, KeyOfAnotherKind) {
  EXPECT_EQ(error_with("geometry.solids[1].radius=3"),
            "cavity.json: geometry.solids[1]: key \"radius\" does not belong to shape \"box\" but "
            "to \"sphere\". Known keys: label, shape, corner, size");
}

TEST(CaseError, KeyOfAnotherKindWhereARequiredOneIsMissing) {
  EXPECT_THAT(error_with("geometry.solids[1]={\"shape\": \"box\", \"radius\": 3}"),
              EndsWith("key \"radius\" does not belong to shape \"box\" but to \"sphere\". Known "
                       "keys: label, shape, corner, size"));
}

TEST(CaseError, KeyOfAnotherKindThanTheDefault) {
  EXPECT_THAT(error_with("collision.magic=0.25"),
              HasSubstr("collision: key \"magic\" does not belong to relaxation \"single\" but to "
                        "\"two\""));
}

TEST(CaseError, ObjectOfAnotherMethod) {
  EXPECT_THAT(error_with("knudsen=1"),
              HasSubstr("cavity.json: key \"knudsen\" does not belong to method \"lattice\" but to "
                        "\"kinetic\""));
}

TEST(CaseError, KeyOfAKindWithinAnotherKind) {
  const CaseNode::Reader nothing = [](CaseNode&) {};
  const auto read = [&](CaseNode& root) {
    root.alternatives(
        "a", "",
        {{"p", "",
          [&](CaseNode& p) {
            p.alternatives("b", "",
                           {{"q", "", nothing}, {"r", "", [](CaseNode& r) { r.number("x", ""); }}});
          }},
         {"s", "", nothing}});
  };
  EXPECT_THAT(error_of(R"({"a": "p", "b": "q", "x": 1})", read),
              HasSubstr("key \"x\" does not belong to b \"q\" but to \"r\""));
  EXPECT_THAT(error_of(R"({"a": "s", "x": 1})", read),
              HasSubstr("key \"x\" does not belong to a \"s\" but to \"p\""));
}

// Errors that methods raise themselves.

TEST(CaseError, FailNamesTheValue) {
  EXPECT_EQ(error_of(R"({"a": {"b": 2.50}})",
                     [](CaseNode& root) {
                       root.object("a", "", [](CaseNode& a) { a.fail("b", "must be even"); });
                     }),
            "cavity.json: a.b: found 2.5, must be even");
}

TEST(CaseError, FailOnWhatIsNoScalar) {
  EXPECT_EQ(error_of(R"({"a": [1]})", [](CaseNode& root) { root.fail("a", "is too short"); }),
            "cavity.json: a: is too short");
}

TEST(CaseError, FailOnAnAbsentKey) {
  EXPECT_EQ(error_of("{}", [](CaseNode& root) { root.fail("a", "is needed with b"); }),
            "cavity.json: a: is needed with b");
}

TEST(CaseError, FailOnTheWholeCase) {
  EXPECT_EQ(error_of("{}", [](CaseNode& root) { root.fail("", "give a or b"); }),
            "cavity.json: give a or b");
}

TEST(CaseRange, Contains) {
  EXPECT_TRUE(Range::any().contains(-1e300));
  EXPECT_TRUE(Range::at_least(1).contains(1));
  EXPECT_FALSE(Range::above(1).contains(1));
  EXPECT_TRUE(Range::between(1, 2).contains(2));
  EXPECT_FALSE(Range::between(1, 2).contains(2.1));
  EXPECT_FALSE((Range{1, 2, false, true}).contains(2));
}

TEST(CaseRange, Text) {
  EXPECT_EQ(Range::any().text(), "");
  EXPECT_EQ(Range::above(0.5).text(), "greater than 0.5");
  EXPECT_EQ(Range::at_least(1).text(), "at least 1");
  EXPECT_EQ(Range::between(0, 1).text(), "from 0 to 1");
  EXPECT_EQ((Range{{}, 5, false, true}).text(), "less than 5");
  EXPECT_EQ((Range{{}, 5, false, false}).text(), "at most 5");
  EXPECT_EQ((Range{0, 1, true, true}).text(), "greater than 0 and less than 1");
}

}  // namespace
}  // namespace knudsen::test
