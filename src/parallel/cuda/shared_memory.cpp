#include "parallel/cuda/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::cuda {
namespace {

/// Allocations that other processes open are multiples of this, so that they share no page with
/// others.
constexpr std::size_t page = std::size_t{2} << 20;

[[noreturn]] void fail(const char* what) {
  throw RunError(world().name() + ": " + what + " failed: " + std::strerror(errno));
}

/// Maps a file in memory and tells the GPU of it.
char* map(int file, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (memory == MAP_FAILED) fail("mapping memory for messages");
  require(cudaHostRegister(memory, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable),
          "pinning memory for messages");
  void* of_gpu = nullptr;
  require(cudaHostGetDevicePointer(&of_gpu, memory, 0), "pinning memory for messages");
  if (of_gpu != memory) {
    throw RunError(world().name() + ": the GPU has other addresses for memory of the host");
  }
  return static_cast<char*>(memory);
}

}  // namespace

void require(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // so that Kokkos does not find it
  throw RunError(world().name() + ": " + what + " failed: " + cudaGetErrorString(result));
}

char* allocate_shared(SharedKind kind, std::size_t bytes, SharedHandle& handle) {
  handle.bytes = (bytes + page - 1) / page * page;
  if (kind == SharedKind::host) {
    handle.process = getpid();
    handle.file = memfd_create("knudsen messages", MFD_CLOEXEC);
    if (handle.file < 0) fail("allocating memory for messages");
    if (posix_fallocate(handle.file, 0, static_cast<off_t>(handle.bytes)) != 0) {
      fail("allocating memory for messages");
    }
    return map(handle.file, handle.bytes);
  }
  // Plain cudaMalloc, which Kokkos need not use.
  void* memory = nullptr;
  require(cudaMalloc(&memory, handle.bytes), "allocating memory for messages");
  require(cudaMemset(memory, 0, handle.bytes), "allocating memory for messages");
  require(cudaDeviceSynchronize(), "allocating memory for messages");
  require(cudaIpcGetMemHandle(&handle.gpu, memory), "sharing memory with other ranks");
  return static_cast<char*>(memory);
}

char* open_shared(SharedKind kind, const SharedHandle& handle) {
  if (kind == SharedKind::host) {
    const std::string name =
        "/proc/" + std::to_string(handle.process) + "/fd/" + std::to_string(handle.file);
    const int file = open(name.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) fail("opening the memory of another rank");
    char* const memory = map(file, handle.bytes);
    close(file);
    return memory;
  }
  void* memory = nullptr;
  require(cudaIpcOpenMemHandle(&memory, handle.gpu, cudaIpcMemLazyEnablePeerAccess),
          "opening the memory of another rank");
  return static_cast<char*>(memory);
}

void close_shared(SharedKind kind, const SharedHandle& handle, char* opened) {
  if (kind == SharedKind::gpu) {
    cudaIpcCloseMemHandle(opened);
    return;
  }
  cudaHostUnregister(opened);
  munmap(opened, handle.bytes);
}

}  // namespace knudsen::cuda
