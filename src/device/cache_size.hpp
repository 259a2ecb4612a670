#pragma once

#include <cstdint>
#include <filesystem>

namespace knudsen {

/// Bytes that all data caches of this machine's processors hold together, as the system states
/// them; 0 where it does not. `root` is the directory that holds sys/.
std::uint64_t data_cache_bytes(const std::filesystem::path& root = "/");

}  // namespace knudsen
