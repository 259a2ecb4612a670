#pragma once

// The list "scalars" of a case: passive scalars, for all lattice methods. Each one is a `Heat`
// without buoyancy; its populations are apart from those of the flow (passive_scalars.hpp).

#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/sides.hpp"
#include "methods/lattice/heat_case.hpp"
#include "model/quantity_table.hpp"

namespace knudsen::lbm {

/// A scalar that the flow carries, in lattice units but for its values, whose unit is that of the
/// case.
struct PassiveScalar {
  std::string name;
  Heat heat;               ///< diffusivity, reference value, initial value, sides and solids
  bool diagonals = false;  ///< on the lattice of the flow's first neighbours, not along axes alone
  /// Of x, y and z, in place of the initial value of `heat`. Lengths as in `length`.
  std::optional<Formula> initial;
  double length = 1;  ///< node spacing in the unit of the formula

  /// The initial value at the node with these coordinates, less the reference.
  double initial_at(int x, int y, int z) const;
};

/// What a case has besides its scalars.
struct ScalarSurroundings {
  enum class Side { periodic, wall, velocity, pressure, outflow };
  double diffusivity_factor = 1.0 / 3;  ///< of the lattice along axes
  std::string axes = "D2Q5";            ///< its name
  std::string diagonals = "D2Q9";       ///< the lattice with diagonals, too
  std::vector<Side> sides;
  std::vector<std::string> solids;  ///< names
  std::vector<Quantity> fields, monitors;
};

/// Reads the list "scalars". Throws InputError.
std::vector<PassiveScalar> read_scalars(CaseNode& root, const Fluid& fluid,
                                        const ScalarSurroundings& around,
                                        std::vector<std::string>& warnings);

/// Adds diffusivities, relaxation times and Schmidt numbers.
void describe_scalars(const std::vector<PassiveScalar>& scalars, const Fluid& fluid,
                      std::vector<ResolvedValue>& resolved);

/// What scalars add to the name of a variant: " 2 scalars".
std::string scalars_variant(const std::vector<PassiveScalar>& scalars);

/// Bytes of a node for scalars.
struct ScalarBytes {
  std::size_t scalars = 0;
  int populations = 0;  ///< of all scalars
  int dimensions = 0;
  double value = 0;  ///< bytes of a number

  ScalarBytes(const std::vector<PassiveScalar>& of_case, int of_axes, int of_diagonals,
              int dimension, double value_bytes)
      : scalars(of_case.size()), dimensions(dimension), value(value_bytes) {
    for (const PassiveScalar& scalar : of_case) {
      populations += scalar.diagonals ? of_diagonals : of_axes;
    }
  }
  /// Of `arrays` values a population, and so many of a scalar and of all scalars.
  double values(int arrays, int of_scalar, int of_all) const {
    const int of_scalars = arrays * populations + static_cast<int>(scalars) * of_scalar;
    return scalars == 0 ? 0 : (of_scalars + of_all) * value;
  }
  /// That a step moves; `flow`: bytes of the populations of the flow.
  double step(double flow) const {
    return scalars == 0 ? 0 : flow + values(2, dimensions, dimensions);
  }
  /// In memory: two arrays of each scalar, the velocity, and the value of a scalar for output.
  double memory() const { return values(2, 0, dimensions + 1); }
  double saved() const { return values(1, 0, 0); }
};

/// What a monitor of a scalar shows, of the fluid nodes.
struct ScalarRange {
  double mean = 0, lowest = 0, highest = 0;
};

/// Adds the fields of scalars. `Solution` has scalar_field(number).
template <class Solution>
void add_scalar_fields(const std::vector<PassiveScalar>& scalars, FieldTable<Solution>& fields) {
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    fields.add({{scalars[i].name, "1", "The passive scalar " + scalars[i].name + '.'},
                [i](Solution& solution) { return solution.scalar_field(i); }});
  }
}

/// Adds mean, lowest and highest value of each scalar, and what enters through the sides with nodes
/// beyond and through the solids. `Solution` has scalar_range(number) and scalar_flow(number,
/// surface). `periodic`: by side.
template <class Solution>
void add_scalar_monitors(const std::vector<PassiveScalar>& scalars,
                         const std::vector<bool>& periodic, const std::vector<std::string>& solids,
                         MonitorTable<Solution>& monitors) {
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const std::string& name = scalars[i].name;
    const auto add = [&](const std::string& kind, const std::string& text,
                         double ScalarRange::*value) {
      monitors.add(
          {{kind + '_' + name, "1", text + " value of the scalar " + name + " in the fluid nodes."},
           [i, value](Solution& solution) { return solution.scalar_range(i).*value; }});
    };
    add("mean", "Mean", &ScalarRange::mean);
    add("min", "Lowest", &ScalarRange::lowest);
    add("max", "Highest", &ScalarRange::highest);
    const auto add_flow = [&](const std::string& surface_name, std::size_t surface) {
      monitors.add({{surface_name + '.' + name + "_flow", "dx^d / dt",
                     "What enters the fluid of the scalar " + name + " from " + surface_name +
                         " in a unit of time."},
                    [i, surface](Solution& solution) { return solution.scalar_flow(i, surface); }});
    };
    for (std::size_t side = 0; side < periodic.size(); ++side) {
      if (!periodic[side]) add_flow(side_names[side], side);
    }
    for (std::size_t solid = 0; solid < solids.size(); ++solid) {
      add_flow(solids[solid], periodic.size() + solid);
    }
  }
}

}  // namespace knudsen::lbm
