#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case/reader.hpp"

namespace knudsen::test {

/// What the sample reader reads from a case.
struct Sample {
  std::string title, method, precision, relaxation;
  double reynolds = 0, lid_velocity = 0, viscosity = 0, magic = 0;
  std::vector<std::int64_t> cells;
  std::vector<double> force;
  std::vector<std::string> fields;
  std::vector<double> radii;
  bool steady = false;
  std::int64_t steps = 0, every = 0;
  int solids = 0;
};

/// A reader of nested objects, lists and nested alternatives, like those of the methods. Its sides
/// have the same keys.
inline CaseNode::Reader sample_reader(Sample& sample) {
  const auto read_collision = [&sample](CaseNode& node) {
    sample.relaxation = node.alternatives(
        "relaxation", "Relaxation of the distribution.",
        {{"single", "One rate for all moments.", [](CaseNode&) {}},
         {"two", "Even and odd moments relax apart.",
          [&sample](CaseNode& two) {
            sample.magic = two.number_or("magic", 0.25, "Product of the rates.", Range::positive());
          }}},
        "single");
  };
  const auto read_solid = [&sample](CaseNode& node) {
    ++sample.solids;
    node.text("label", "A name for a person to read.");
    node.alternatives(
        "shape", "Shape of the solid.",
        {{"sphere", "A ball or a disc.",
          [&sample](CaseNode& sphere) {
            sample.radii.push_back(
                sphere.require_number("radius", "Radius in cells.", Range::positive()));
          }},
         {"box", "Parallel to the axes.", [](CaseNode& box) {
            box.numbers("corner", 2, "Lower corner.");
            box.require_integers("size", 2, "Cells along each axis.", Range::at_least(1));
          }}});
  };
  const auto read_side = [](CaseNode& node) {
    node.alternatives("type", "Kind of side.",
                      {{"wall", "Nothing passes.",
                        [](CaseNode& wall) {
                          wall.object("motion", "Of the wall.", [](CaseNode& motion) {
                            motion.require_number("speed", "Speed.", Range::at_least(0));
                          });
                        }},
                       {"open", "All passes.", [](CaseNode&) {}}},
                      "open");
  };
  const auto read_lattice = [&sample, read_collision](CaseNode& root) {
    root.require_object("fluid", "The fluid.", [&sample](CaseNode& fluid) {
      sample.reynolds = fluid.require_number("reynolds", "Reynolds number.", Range::positive());
      sample.lid_velocity =
          fluid.number_or("lid_velocity", 0.1, "Speed of the lid.", Range{0.0, 0.3, true, false});
      sample.viscosity = fluid.number("viscosity", "Viscosity.").value_or(-1);
    });
    root.object("collision", "The collision operator.", read_collision);
  };
  return [&sample, read_lattice, read_solid, read_side](CaseNode& root) {
    sample.title = root.text_or("title", "untitled", "One line.");
    sample.precision =
        root.choice_or("precision", "single", {"single", "double"}, "Of the distribution.");
    sample.method = root.alternatives("method", "What is solved.",
                                      {{"lattice", "Lattice Boltzmann.", read_lattice},
                                       {"kinetic", "Discrete velocities.", [](CaseNode& kinetic) {
                                          kinetic.require_number("knudsen", "Knudsen number.",
                                                                 Range::at_least(0));
                                        }}});
    sample.cells =
        root.require_integers("cells", 0, "Cells along each axis.", Range::between(1, 100));
    sample.force = root.numbers_or("force", {0, 0}, 2, "Body force.");
    sample.fields = root.names("fields", {"velocity", "density"}, "What is written.")
                        .value_or(std::vector<std::string>{"velocity"});
    root.object("geometry", "Solids in the domain.", [&](CaseNode& geometry) {
      geometry.file("image", "A picture of the solids.");
      geometry.list("solids", "Solid bodies.", read_solid);
    });
    root.object("west", "The side at small x.", read_side);
    root.object("east", "The side at large x.", read_side);
    root.object("stop", "When the run ends.", [&sample](CaseNode& stop) {
      sample.steps = stop.require_integer("steps", "Steps.", Range::at_least(0));
      sample.every = stop.integer_or("every", 10, "Steps between checks.", Range::at_least(1));
      sample.steady = stop.boolean_or("steady", false, "Stop when nothing changes.");
      stop.integer("seed", "Any integer.");
      if (!stop.describing() && sample.every > sample.steps) {
        stop.fail("every", "must not be greater than steps");
      }
    });
  };
}

/// A case that the sample reader accepts.
inline nlohmann::json sample_case() {
  return nlohmann::json::parse(R"({
    "title": "Cavity",
    "method": "lattice",
    "cells": [32, 32],
    "fluid": {"reynolds": 100},
    "geometry": {"solids": [{"shape": "sphere", "radius": 3},
                            {"shape": "box", "size": [2, 3], "label": "block"}]},
    "stop": {"steps": 1000}
  })");
}

/// Reads a case from its text. Throws InputError.
inline Sample read_sample(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Sample sample;
  read_case(CaseDocument::from_text(text, "cavity.json", ".", overrides), sample_reader(sample));
  return sample;
}

/// The sample case with overrides.
inline Sample read_sample_with(const std::vector<std::string>& overrides) {
  return read_sample(sample_case().dump(), overrides);
}

/// The message of the InputError that `action` must throw.
template <class Action>
std::string input_error(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

/// The error of the sample case with an override.
inline std::string error_with(const std::string& override_text) {
  return input_error([&] { read_sample_with({override_text}); });
}

}  // namespace knudsen::test
