// PNG pictures.
#include "fuzz_file.hpp"
#include "geometry/node_image.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::read_solid_file(data, size, [](CaseNode& solid) { read_picture(solid, 21, 17); });
}
