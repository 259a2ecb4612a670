// Checkpoints: names, values and an array of the sample that seeds.py makes.
#include "output/checkpoint.hpp"

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  // HDF5 is not instrumented: what is found is in the use that the reader makes of it.
  return fuzz::expect_input_error([&] {
    const CheckpointReader checkpoint(fuzz::file_of(data, size));
    double values[6];
    if (checkpoint.has_array("values", {2, 3})) checkpoint.array("values", values, {2, 3});
    checkpoint.number("number");
    checkpoint.text("text");
  });
}
