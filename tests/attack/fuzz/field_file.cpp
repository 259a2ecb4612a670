// Field files: the sample is of a run of inputs/duct.json with 2 x 4 x 4 nodes.
#include "fuzz_file.hpp"
#include "output/vtkhdf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  // HDF5 is not instrumented: the sanitizers see what the reader makes of its answers.
  return fuzz::expect_input_error([&] {
    const FieldFile file(fuzz::file_of(data, size));
    if (file.has("density")) file.read("density", {2, 4, 4}, 1);
    if (file.has("velocity")) file.read("velocity", {2, 4, 4}, 3);
  });
}
