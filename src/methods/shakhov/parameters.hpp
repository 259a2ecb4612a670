#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "case/reader.hpp"
#include "methods/shakhov/sweep.hpp"
#include "model/problem.hpp"

namespace knudsen::shakhov {

/// The order in which velocities and cells are swept.
enum class Scheme {
  pencils,  ///< many pencils of cells and blocks of velocities at once (sweep.hpp)
  slices,   ///< as the paper: an octant of velocities slice by slice (slices.hpp)
};

/// A solution with fewer velocities to begin from.
struct CoarseStart {
  VelocityGrid velocities;
  double tolerance = 1e-3;  ///< of the changes of density, momentum and energy
  int most_iterations = 100;
};

/// A problem in the units of velocity/gas.hpp.
struct Parameters {
  bool single_precision = true;
  FlowGrid grid;
  Gas gas;
  CollisionModel model = CollisionModel::shakhov;
  bool conservative = false;
  std::array<double, 3> body_force{0, 0, 0};  ///< on a unit of mass
  Scheme scheme = Scheme::pencils;
  int order = 1;
  std::optional<CoarseStart> coarse_start;
  std::optional<SiReference> si;
  GasState initial;
  Tuning tuning;
  int batch_blocks = 1;  ///< velocity blocks that are swept together

  bool has_open_side() const;
};

/// Bytes of what a batch of so many blocks keeps.
double batch_bytes(const Parameters& parameters, int blocks);
/// Bytes read and written for a phase-space point, see README.md.
double bytes_a_point(const Parameters& parameters);
/// The same problem with the velocities of its coarse start, from uniform initial state.
Parameters coarse_parameters(const Parameters& parameters);

/// Reads the blocks of a case; the vocabulary is in docs/case-format.md. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The fields that Method::field gives.
std::vector<Quantity> field_quantities();
/// The monitors of every case; sides and bodies have more.
std::vector<Quantity> monitor_quantities();

/// The running method (method.cpp).
std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend);

}  // namespace knudsen::shakhov
