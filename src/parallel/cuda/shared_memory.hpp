#pragma once

// Memory that the GPUs of several processes of a node read and write.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace knudsen::cuda {

enum class SharedKind {
  gpu,  ///< of the GPU of the process that allocates it (CUDA IPC)
  host  ///< of the host, which its GPUs reach over their bus
};

/// By which another process of the node opens the memory. Can be sent as bytes.
struct SharedHandle {
  std::size_t bytes = 0;
  cudaIpcMemHandle_t gpu{};
  int process = 0, file = -1;  ///< of memory of the host
};

/// Allocates at least so many bytes, all zero. They are never freed, as another process may have
/// them open that ends later. Throws RunError.
char* allocate_shared(SharedKind kind, std::size_t bytes, SharedHandle& handle);
/// Opens what another process has allocated. Throws RunError.
char* open_shared(SharedKind kind, const SharedHandle& handle);
void close_shared(SharedKind kind, const SharedHandle& handle, char* opened);

/// Throws RunError, which names what failed.
void require(cudaError_t result, const char* what);

}  // namespace knudsen::cuda
