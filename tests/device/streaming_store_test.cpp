#include "device/streaming_store.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace knudsen {
namespace {

/// Rows of any length that begin anywhere in a cache line.
TEST(StreamingStore, CopiesTheRowAndNothingElse) {
  constexpr std::size_t size = 400;
  std::vector<unsigned char> from(size);
  for (std::size_t n = 0; n < size; ++n) from[n] = static_cast<unsigned char>(n % 251 + 1);
  for (std::size_t begin = 0; begin < 70; ++begin) {
    for (std::size_t length = 0; begin + length <= 300; length += 7) {
      std::vector<unsigned char> to(size, 0);
      store_past_caches(to.data() + begin, from.data() + 3, length);
      finish_stores_past_caches();
      for (std::size_t n = 0; n < size; ++n) {
        const bool in_row = n >= begin && n < begin + length;
        ASSERT_EQ(to[n], in_row ? from[n - begin + 3] : 0) << begin << ' ' << length << ' ' << n;
      }
    }
  }
}

}  // namespace
}  // namespace knudsen
