#pragma once

#include <utility>

#include "device/function.hpp"

/// After the parameters of a lambda that must be inlined, so that populations stay in registers:
/// GCC does not inline a long lambda that is called several times. nvcc inlines all.
#ifdef __CUDACC__
#define KNUDSEN_INLINE_LAMBDA
#else
#define KNUDSEN_INLINE_LAMBDA __attribute__((always_inline))
#endif

/// Before a loop over two or three axes: every compiler must unroll it, so that what it indexes
/// stays in registers.
#if defined(__CUDACC__)
#define KNUDSEN_UNROLL_AXES KNUDSEN_UNROLL
#elif defined(__clang__)
#define KNUDSEN_UNROLL_AXES _Pragma("unroll")
#else
#define KNUDSEN_UNROLL_AXES _Pragma("GCC unroll 4")
#endif

namespace knudsen {

/// A population number known at compile time: std::integral_constant that is callable on a GPU.
template <int Q>
struct PopulationIndex {
  static constexpr int value = Q;
  KNUDSEN_INLINE_FUNCTION constexpr operator int() const { return Q; }  // NOLINT: meant implicit
};

namespace for_populations_detail {

template <int First, int Stride, class Body, int... Count>
KNUDSEN_FORCEINLINE_FUNCTION void call(const Body& body,
                                       std::integer_sequence<int, Count...> /*unused*/) {
  (body(PopulationIndex<First + Stride * Count>{}), ...);
}

}  // namespace for_populations_detail

/// Calls body(PopulationIndex<q>) for every population of the lattice, unrolled: populations stay
/// in registers.
template <class Lattice, class Body>
KNUDSEN_FORCEINLINE_FUNCTION void for_populations(const Body& body) {
  for_populations_detail::call<0, 1>(body, std::make_integer_sequence<int, Lattice::populations>{});
}

/// Calls body(PopulationIndex<q>) for the first population of every opposite pair, without the rest
/// population. Only for lattices where q + 1 is the opposite of q = 1, 3, 5, ... (not D2Q9).
template <class Lattice, class Body>
KNUDSEN_FORCEINLINE_FUNCTION void for_pairs(const Body& body) {
  for_populations_detail::call<1, 2>(body,
                                     std::make_integer_sequence<int, Lattice::populations / 2>{});
}

}  // namespace knudsen
