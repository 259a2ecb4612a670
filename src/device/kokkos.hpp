#pragma once

// The one header of Kokkos aliases and of the differences between Kokkos 3.4 and 5.x.

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "device/function.hpp"

namespace knudsen {

/// The host backend (OpenMP where it is enabled) and the default backend (the GPU where there is
/// one). On a build without a GPU they are the same type.
using HostExecutionSpace = Kokkos::DefaultHostExecutionSpace;
using DeviceExecutionSpace = Kokkos::DefaultExecutionSpace;

inline constexpr bool has_device_backend =
    !std::is_same_v<HostExecutionSpace, DeviceExecutionSpace>;

/// True where a kernel's inner loop must be a plain loop that the compiler turns into SIMD code;
/// false where each iteration is a thread of its own.
template <class ExecutionSpace>
inline constexpr bool is_host_backend = std::is_same_v<ExecutionSpace, HostExecutionSpace>;

template <class ExecutionSpace>
using TeamPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>>;
template <class ExecutionSpace>
using TeamMember = typename TeamPolicy<ExecutionSpace>::member_type;

/// Views with the last index contiguous on every backend. Kernels that want the first index
/// contiguous say so by their index order, never by a backend-dependent layout.
template <class DataType, class ExecutionSpace>
using View = Kokkos::View<DataType, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;
template <class DataType>
using HostView = Kokkos::View<DataType, Kokkos::LayoutRight, Kokkos::HostSpace>;
template <class DataType, class ExecutionSpace>
using ScratchView =
    Kokkos::View<DataType, Kokkos::LayoutRight, typename ExecutionSpace::scratch_memory_space,
                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// KNUDSEN_CUDA: kernels may use what CUDA has and Kokkos does not (device/cuda). Off in a build
/// with KNUDSEN_GENERIC_DEVICE, where a GPU takes the generic twins, so that these are tested there
/// too.
#if defined(KOKKOS_ENABLE_CUDA) && !defined(KNUDSEN_GENERIC_DEVICE)
#define KNUDSEN_CUDA 1
#else
#define KNUDSEN_CUDA 0
#endif
/// The same in the pass of the compiler that makes the GPU's code.
#if KNUDSEN_CUDA && defined(__CUDA_ARCH__)
#define KNUDSEN_CUDA_CODE 1
#else
#define KNUDSEN_CUDA_CODE 0
#endif

/// A function for any backend that is called, not inlined. Inlined into a kernel, a rare branch
/// would take registers from the common ones.
#define KNUDSEN_OUTLINED_FUNCTION [[gnu::noinline]] KOKKOS_FUNCTION

/// Before a loop that is SIMD code on the host: its iterations are independent of each other.
#if !defined(__CUDA_ARCH__) && (defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD))
#define KNUDSEN_SIMD _Pragma("omp simd")
#else
#define KNUDSEN_SIMD
#endif

// Kokkos moved its mathematical functions out of Kokkos::Experimental in 3.7.
namespace math {
#if KOKKOS_VERSION >= 30700
using Kokkos::exp;
using Kokkos::fabs;
using Kokkos::isfinite;
using Kokkos::sqrt;
#else
using Kokkos::Experimental::exp;
using Kokkos::Experimental::fabs;
using Kokkos::Experimental::sqrt;
template <class Real>
KOKKOS_INLINE_FUNCTION bool isfinite(Real value) {
  return value - value == Real(0);
}
#endif
}  // namespace math

/// Calls body(i) for i in [begin, end), spread over the threads and vector lanes of a team.
/// On the host it is one SIMD loop: the iterations must be independent of each other.
template <class Member, class Body>
KOKKOS_INLINE_FUNCTION void team_for(const Member& team, int begin, int end, const Body& body) {
  if constexpr (is_host_backend<typename Member::execution_space>) {
    KNUDSEN_SIMD
    for (int i = begin; i < end; ++i) body(i);
  } else {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, begin, end), body);
  }
}

/// Calls body(i) for i in [0, count), where on a GPU a team must have at least `count` threads: one
/// iteration a thread and no loop, around which a compiler would keep addresses in registers.
template <class Member, class Body>
KOKKOS_INLINE_FUNCTION void team_for_once(const Member& team, int count, const Body& body) {
  if constexpr (is_host_backend<typename Member::execution_space>) {
    team_for(team, 0, count, body);
  } else {
    if (team.team_rank() < count) body(team.team_rank());
  }
}

}  // namespace knudsen
