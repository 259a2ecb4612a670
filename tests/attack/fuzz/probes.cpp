// Samples of probes: those of a run of inputs/duct.json with a point and a line.
#include "fuzz_file.hpp"
#include "output/probe_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::expect_input_error([&] {
    const Quantity velocity{"velocity", "lattice units", "", 3};
    std::vector<ProbeRecord> probes{{"point", {}, {{1, 2, 2}}, {}, {{velocity, {}}}},
                                    {"line", {2}, {{0, 0, 0}, {2, 4, 4}}, {}, {{velocity, {}}}}};
    read_probes(fuzz::file_of(data, size), 1, probes);
  });
}
