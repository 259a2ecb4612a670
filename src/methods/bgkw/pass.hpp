#pragma once

namespace knudsen::bgkw {

/// What one sweep of the single pass over all cells does.
enum class Pass {
  stream,          ///< streams from f to next and sums the moments of the result
  collide,         ///< relaxes f in place
  stream_collide,  ///< streams and relaxes from f to next, sums moments and outflow of the result
  sum,             ///< sums moments and outflow of f, writes no values
};

}  // namespace knudsen::bgkw
