// Node maps: text with one number a node.
#include "fuzz_file.hpp"
#include "geometry/node_image.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::read_solid_file(data, size, [](CaseNode& solid) { read_node_map(solid, 21, 17); });
}
