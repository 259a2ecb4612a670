#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "paths.hpp"
#include "sample_reader.hpp"

namespace knudsen::test {
namespace {

using nlohmann::json;

json sample_schema() {
  Sample sample;
  return describe_schema(sample_reader(sample), "A sample");
}

TEST(CaseSchema, NamesItsDraftAndTitle) {
  const json schema = sample_schema();
  EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema.at("title"), "A sample");
}

TEST(CaseSchema, DescribesAKey) {
  EXPECT_EQ(sample_schema().at("/properties/stop"_json_pointer), json::parse(R"({
    "type": "object",
    "description": "When the run ends.",
    "additionalProperties": false,
    "required": ["steps"],
    "properties": {
      "steps": {"type": "integer", "description": "Steps.",
                "minimum": 0, "maximum": 9007199254740992},
      "every": {"type": "integer", "description": "Steps between checks.", "default": 10,
                "minimum": 1, "maximum": 9007199254740992},
      "steady": {"type": "boolean", "description": "Stop when nothing changes.",
                 "default": false},
      "seed": {"type": "integer", "description": "Any integer.",
               "minimum": -9007199254740992, "maximum": 9007199254740992}
    }
  })"));
}

TEST(CaseSchema, DescribesLists) {
  const json properties = sample_schema().at("properties");
  EXPECT_EQ(properties.at("force"), json::parse(R"({
    "type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2,
    "default": [0, 0], "description": "Body force."})"));
  EXPECT_EQ(properties.at("fields"), json::parse(R"({
    "type": "array", "items": {"enum": ["velocity", "density"]}, "uniqueItems": true,
    "description": "What is written."})"));
}

TEST(CaseSchema, DescribesKinds) {
  EXPECT_EQ(sample_schema().at("/properties/geometry/properties/solids/items"_json_pointer),
            json::parse(R"({
    "type": "object",
    "unevaluatedProperties": false,
    "required": ["shape"],
    "properties": {
      "label": {"type": "string", "description": "A name for a person to read."},
      "shape": {"enum": ["sphere", "box"],
                "description": "Shape of the solid.\n- sphere: A ball or a disc.\n- box: Parallel to the axes."}
    },
    "allOf": [
      {"if": {"properties": {"shape": {"const": "sphere"}}, "required": ["shape"]},
       "then": {"required": ["radius"],
                "properties": {"radius": {"type": "number", "exclusiveMinimum": 0,
                                          "description": "Radius in cells."}}}},
      {"if": {"properties": {"shape": {"const": "box"}}, "required": ["shape"]},
       "then": {"required": ["size"],
                "properties": {"corner": {"type": "array", "items": {"type": "number"},
                                          "minItems": 2, "maxItems": 2,
                                          "description": "Lower corner."},
                               "size": {"type": "array", "minItems": 2, "maxItems": 2,
                                        "items": {"type": "integer", "minimum": 1,
                                                  "maximum": 9007199254740992},
                                        "description": "Cells along each axis."}}}}
    ]
  })"));
}

TEST(CaseSchema, DefinesOnceWhatSeveralPlacesShare) {
  const json schema = sample_schema();
  EXPECT_EQ(schema.at("/properties/west"_json_pointer), json::parse(R"({
    "$ref": "#/$defs/west", "description": "The side at small x."})"));
  EXPECT_EQ(schema.at("/properties/east"_json_pointer), json::parse(R"({
    "$ref": "#/$defs/west", "description": "The side at large x."})"));
  EXPECT_EQ(schema.at("$defs").size(), 1U);
  EXPECT_EQ(schema.at("/$defs/west"_json_pointer), json::parse(R"({
    "type": "object",
    "unevaluatedProperties": false,
    "properties": {
      "type": {"enum": ["wall", "open"], "default": "open",
               "description": "Kind of side.\n- wall: Nothing passes.\n- open: All passes."}
    },
    "allOf": [
      {"if": {"properties": {"type": {"const": "wall"}}, "required": ["type"]},
       "then": {"properties": {"motion": {
         "type": "object", "additionalProperties": false, "description": "Of the wall.",
         "required": ["speed"],
         "properties": {"speed": {"type": "number", "minimum": 0, "description": "Speed."}}}}}},
      {"if": {"properties": {"type": {"const": "open"}}}, "then": {}}
    ]
  })"));
}

TEST(CaseSchema, NamesADefinitionAfterItsFirstPlace) {
  const auto read_shapes = [](CaseNode& node) {
    node.list("shapes", "Shapes.", [](CaseNode& shape) {
      const std::vector<CaseNode::Alternative> ball = {
          {"ball", "A ball.", [](CaseNode& ball) { ball.number("radius", "Radius."); }}};
      shape.alternatives("kind", "Kind.", ball);
      shape.object("hole", "A hole.",
                   [&](CaseNode& hole) { hole.alternatives("kind", "Kind.", ball, "ball"); });
    });
  };
  const json schema = describe_schema(
      [&](CaseNode& root) {
        root.alternatives("a", "A.", {{"x-y", "X.", read_shapes}, {"z", "Z.", read_shapes}});
      },
      "T");
  EXPECT_EQ(schema.at("/allOf/1/then/properties/shapes"_json_pointer), json::parse(R"({
    "type": "array", "items": {"$ref": "#/$defs/a=x-y.shapes"}, "description": "Shapes."})"));
  EXPECT_EQ(schema.at("/$defs/a=x-y.shapes/allOf/0/then"_json_pointer),
            schema.at("/$defs/a=x-y.shapes/properties/hole/allOf/0/then"_json_pointer));
  EXPECT_TRUE(schema.at("$defs").contains("a=x-y.shapes.hole.kind=ball")) << schema.at("$defs");
}

/// Valid and invalid cases on which schema and reader must agree: any that need no file and no
/// comparison of two values.
std::vector<json> judged_cases() {
  const std::vector<std::string> changes = {
      "title=x",
      "title=5",
      "$schema=x",
      "$schema=1",
      "unknown=1",
      "precision=double",
      "precision=half",
      "precision=null",
      "method=lattice",
      "method=kinetic",
      "method=none",
      "knudsen=1",
      "cells=[]",
      "cells=[1, 100, 5.0]",
      "cells=[0]",
      "cells=[1.5]",
      "cells=[101]",
      "cells=5",
      "force=[1, 2]",
      "force=[1]",
      "force=[1, 2, 3]",
      "force=[1, \"x\"]",
      "fields=[]",
      "fields=[\"density\", \"velocity\"]",
      "fields=[\"density\", \"density\"]",
      "fields=[\"x\"]",
      "fluid={}",
      "fluid=5",
      "fluid.reynolds=0",
      "fluid.reynolds=1e-9",
      "fluid.reynolds=true",
      "fluid.reynolds=\"5\"",
      "fluid.lid_velocity=0.3",
      "fluid.lid_velocity=0.31",
      "fluid.viscosity=-1e300",
      "fluid.unknown=1",
      "collision={}",
      "collision.relaxation=single",
      "collision.relaxation=two",
      "collision.relaxation=three",
      "collision.magic=0.25",
      "collision={\"relaxation\": \"two\", \"magic\": 0.25}",
      "collision={\"relaxation\": \"two\", \"magic\": 0}",
      "collision={\"relaxation\": \"single\", \"magic\": 0.25}",
      "geometry={}",
      "geometry.solids=[]",
      "geometry.solids={}",
      "geometry.solids=[5]",
      "geometry.solids=[{}]",
      "geometry.solids[0].radius=0",
      "geometry.solids[0].label=ball",
      "geometry.solids[0].size=[1, 1]",
      "geometry.solids[0].shape=box",
      "geometry.solids[1].radius=3",
      "geometry.solids[1].corner=[0, 0.5]",
      "geometry.solids[1].corner=[0]",
      "geometry.solids[1].size=[0, 1]",
      "west={}",
      "west=5",
      "west.type=open",
      "west.type=shut",
      "west.motion={\"speed\": 1}",
      "west={\"type\": \"wall\"}",
      "west={\"type\": \"wall\", \"speed\": 1}",
      "east={\"type\": \"wall\", \"motion\": {\"speed\": 1}}",
      "east={\"type\": \"wall\", \"motion\": {\"speed\": -1}}",
      "east={\"type\": \"wall\", \"motion\": {\"speed\": 1, \"time\": 2}}",
      "stop={}",
      "stop.steps=30.0",
      "stop.steps=30.5",
      "stop.steps=-1",
      "stop.steady=true",
      "stop.steady=1",
      "stop.seed=9007199254740992",
      "stop.seed=9007199254740993",
      "stop.seed=-9007199254740993",
      "stop.seed=1e20",
  };
  std::vector<json> cases = {
      sample_case(),
      json::object(),
      json::parse(R"({"method": "kinetic", "cells": [1], "knudsen": 0})"),
      json::parse(R"({"method": "kinetic", "cells": [1]})"),
      json::parse(R"({"method": "kinetic", "cells": [1], "knudsen": 1, "fluid": {}})"),
      json::parse(R"({"method": "lattice", "cells": [1], "fluid": {"reynolds": 1}})"),
      json::parse(R"({"method": "lattice", "fluid": {"reynolds": 1}})"),
      json::parse(R"({"method": "lattice", "cells": [1]})"),
      json::parse(R"({"cells": [1], "fluid": {"reynolds": 1}})"),
  };
  for (const std::string& change : changes) {
    cases.push_back(
        CaseDocument::from_text(sample_case().dump(), "cavity.json", ".", {change}).json());
  }
  return cases;
}

bool accepts(const json& document) {
  try {
    read_sample(document.dump());
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(CaseSchema, JudgesCasesAsTheReaderDoes) {
  const std::string python = KNUDSEN_SCHEMA_PYTHON;
  if (python.empty()) GTEST_SKIP() << "no Python with jsonschema was found";

  json verdicts = json::array();
  int accepted = 0;
  for (const json& document : judged_cases()) {
    verdicts.push_back({{"case", document}, {"accepted", accepts(document)}});
    accepted += verdicts.back().at("accepted").get<bool>() ? 1 : 0;
  }
  EXPECT_EQ(verdicts.size(), 86U);
  EXPECT_EQ(accepted, 30);

  const auto directory = std::filesystem::path(testing::TempDir()) / "knudsen_case_schema";
  std::filesystem::create_directories(directory);
  const auto schema_file = directory / "schema.json";
  const auto verdicts_file = directory / "verdicts.json";
  std::ofstream(schema_file) << sample_schema();
  std::ofstream(verdicts_file) << verdicts;
  const std::string command = python + " \"" KNUDSEN_SOURCE_DIR "/tests/case/check_schema.py\" \"" +
                              schema_file.string() + "\" \"" + verdicts_file.string() + '"';
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace knudsen::test
