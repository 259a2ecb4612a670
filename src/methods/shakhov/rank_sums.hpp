#pragma once

#include <vector>

#include "methods/shakhov/sweep_space.hpp"
#include "parallel/exchange.hpp"

namespace knudsen::shakhov {

/// Adds up the sums of the sweeps of all ranks. Each rank adds up a piece of them and hands its
/// totals to the others. With many sums this is done in several passes, which take turns in the
/// same buffers.
template <class ExecutionSpace, class Real>
class RankSums {
 public:
  /// Collective. Messages have the tags `first_tag` and the next one.
  RankSums(const SweepSpace<ExecutionSpace, Real>& space, int first_tag);

  /// Collective: replaces `space.moments`, `flux` and `far_flux` by their sums over the ranks, high
  /// and low parts added. The result does not depend on the number of ranks.
  void add_up(const ExecutionSpace& execution, const SweepSpace<ExecutionSpace, Real>& space);

 private:
  /// Messages to and from one other rank.
  struct Other {
    int rank;
    ExchangedMessage<double> to;      ///< high parts of its piece, then the low parts
    ExchangedMessage<double> from;    ///< the same of the own piece
    ExchangedMessage<double> total;   ///< totals of the own piece
    ExchangedMessage<double> totals;  ///< totals of its piece
  };

  std::int64_t piece_;  ///< sums of a rank in a pass
  Exchange<ExecutionSpace> parts_, totals_;
  std::vector<Other> others_;
};

}  // namespace knudsen::shakhov
