#pragma once

namespace knudsen {

/// The planes [begin, end) of a box of cells, across an axis, that a rank owns.
struct OwnPlanes {
  int axis = 2;
  int begin = 0, end = 0;
};

}  // namespace knudsen
