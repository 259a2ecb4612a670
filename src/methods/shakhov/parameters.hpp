#pragma once

#include <memory>
#include <vector>

#include "case/reader.hpp"
#include "methods/shakhov/sweep.hpp"
#include "run/method.hpp"

namespace knudsen::shakhov {

/// A problem in the units of velocity/gas.hpp.
struct Parameters {
  bool single_precision = true;
  FlowGrid grid;
  Gas gas;
  CollisionModel model = CollisionModel::shakhov;
  bool conservative = false;
  std::array<double, 3> body_force{0, 0, 0};  ///< on a unit of mass
  int order = 1;
  GasState initial;
  Tuning tuning;
  int batch_blocks = 1;  ///< velocity blocks that are swept together

  bool has_open_side() const;
};

/// Reads the blocks of a case; the vocabulary is in docs/case-format.md. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The fields that Method::field gives.
std::vector<Quantity> field_quantities();
/// The monitors of every case; sides and bodies have more.
std::vector<Quantity> monitor_quantities();

/// The running method (method.cpp).
std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend);

}  // namespace knudsen::shakhov
