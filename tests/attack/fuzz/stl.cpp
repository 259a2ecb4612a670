// Surfaces of triangles, binary or text.
#include "geometry/stl.hpp"

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::read_solid_file(data, size, [](CaseNode& solid) { read_stl(solid); });
}
