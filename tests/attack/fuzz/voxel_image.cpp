// Three-dimensional images: NRRD, or raw numbers of 8 bits.
#include "geometry/voxel_image.hpp"

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::read_solid_file(data, size, [](CaseNode& solid) {
    read_voxel_image(solid, {11, 8, 7});
  });
}
