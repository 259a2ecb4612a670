#pragma once

// Marks functions that kernels call, for headers that sources without Kokkos include as well. In a
// CUDA build such sources are compiled by the host compiler, which cannot read Kokkos' headers.

// KNUDSEN_HOST_FUNCTION: a function in a source without Kokkos, which the host's part of a kernel
// calls. Without the mark nvcc warns of the call.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define KNUDSEN_HOST_FUNCTION __host__ __device__
#define KNUDSEN_INLINE_FUNCTION __host__ __device__ inline
#define KNUDSEN_FORCEINLINE_FUNCTION __host__ __device__ __forceinline__
#else
#define KNUDSEN_HOST_FUNCTION
#define KNUDSEN_INLINE_FUNCTION inline
#define KNUDSEN_FORCEINLINE_FUNCTION inline __attribute__((always_inline))
#endif

// KNUDSEN_UNROLL stands before a loop that a GPU compiler must unroll, so that arrays indexed in
// it stay in registers; KNUDSEN_NO_UNROLL before one that it must not unroll.
#ifdef __CUDA_ARCH__
#define KNUDSEN_UNROLL _Pragma("unroll")
#define KNUDSEN_NO_UNROLL _Pragma("unroll 1")
#else
#define KNUDSEN_UNROLL
#define KNUDSEN_NO_UNROLL
#endif
