#pragma once

/// Before a short loop that is SIMD code on the host and unrolled on a GPU.
#if !defined(__CUDA_ARCH__) && (defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD))
#define KNUDSEN_SIMD _Pragma("omp simd")
#else
#define KNUDSEN_SIMD
#endif
