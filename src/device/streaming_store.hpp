#pragma once

#include <cstddef>

#include "device/function.hpp"

// Stores past the caches of the host. A plain store to memory first reads the cache line that it
// overwrites, a third of the traffic of a copy. Worth it for arrays that do not fit in the caches.

namespace knudsen {

/// Arrays of more bytes are taken not to stay in a core's share of the caches from step to step.
inline constexpr std::size_t cached_bytes = std::size_t{1} << 24;

/// Bytes of a cache line.
inline constexpr std::size_t cache_line_bytes = 64;

/// Copies `bytes` from a row that is in the cache to memory. The processor writes whole cache lines
/// past the caches; parts of lines at the ends are stored plainly.
KNUDSEN_HOST_FUNCTION void store_past_caches(void* to, const void* from,
                                             std::size_t bytes) noexcept;

/// Orders the calling thread's stores past the caches before its later stores, by which other
/// threads learn of them.
KNUDSEN_HOST_FUNCTION void finish_stores_past_caches() noexcept;

}  // namespace knudsen
