#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "device/kokkos.hpp"

namespace knudsen {

/// Zeroes the part of one thread in each of several arrays that follow one another.
template <class Value>
struct FirstTouch {
  Value* data;
  std::size_t planes, length, parts;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t part) const {
    const auto at = static_cast<std::size_t>(part);
    const std::size_t begin = length / parts * at;
    const std::size_t end = at + 1 == parts ? length : length / parts * (at + 1);
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (std::size_t i = begin; i < end; ++i) data[plane * length + i] = Value{};
    }
  }
};

/// `planes` arrays of `length` values one after the other, all zero. The operating system places a
/// page in the memory next to the core that writes it first. On the host each thread therefore
/// writes first what it works on in loops over `length` in equal, consecutive shares: its share of
/// every plane. Kokkos shares out the array as a whole, which on 32 cores of two sockets made
/// `lbm_d2q9` half as fast as the copy bandwidth allows.
template <class Value, class ExecutionSpace>
View<Value*, ExecutionSpace> zeroed_planes(const std::string& label, std::size_t planes,
                                           std::size_t length) {
  using Planes = View<Value*, ExecutionSpace>;
  if constexpr (is_host_backend<ExecutionSpace>) {
    Planes made(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), planes * length);
    const auto parts = static_cast<std::int64_t>(ExecutionSpace().concurrency());
    using Shares = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>,
                                       Kokkos::Schedule<Kokkos::Static>>;
    Kokkos::parallel_for(
        "knudsen/device/first_touch", Shares(0, parts),
        FirstTouch<Value>{made.data(), planes, length, static_cast<std::size_t>(parts)});
    Kokkos::fence();
    return made;
  } else {
    return Planes(label, planes * length);
  }
}

}  // namespace knudsen
