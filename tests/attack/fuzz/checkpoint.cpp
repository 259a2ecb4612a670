// Checkpoints: all that the sample holds is read, a run of inputs/duct.json with 2 x 4 x 4 nodes.
#include "output/checkpoint.hpp"

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  // HDF5 is not instrumented: the sanitizers see what the reader makes of its answers.
  return fuzz::expect_input_error([&] {
    const CheckpointReader checkpoint(fuzz::file_of(data, size));
    checkpoint.text("run.checked_monitors");
    checkpoint.integer("geometry");
    std::vector<double> populations(2700);
    if (checkpoint.has_array("populations", {2700}))
      checkpoint.array("populations", populations.data(), {2700});
  });
}
