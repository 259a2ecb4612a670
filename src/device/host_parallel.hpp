#pragma once

#include <cstdint>
#include <functional>

namespace knudsen {

/// Calls body(i) once for each i in [0, count), spread over the host's threads in no fixed order.
/// The calls must be independent of each other and must not throw. `label` names the loop in
/// profiles: "knudsen/<folder>/<loop>". Needs Kokkos to be initialised.
///
/// For host code that must not include Kokkos, which only nvcc can compile in a CUDA build.
void parallel_for_host(const char* label, std::int64_t count,
                       const std::function<void(std::int64_t)>& body);

}  // namespace knudsen
