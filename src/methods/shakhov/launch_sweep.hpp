#pragma once

#include "methods/shakhov/sweep.hpp"

namespace knudsen::shakhov {

/// The sweep of one model. Each model is instantiated in its own file, so that they compile in
/// parallel.
template <class ExecutionSpace, class Real, class Model>
struct SweepLauncher {
  /// Launches the sweep of one diagonal of pencils, of the order of `space`.
  static void launch(const SweepContext<ExecutionSpace>& context,
                     const SweepSpace<ExecutionSpace, Real>& space,
                     const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch,
                     const Diagonal& diagonal);
};

}  // namespace knudsen::shakhov
