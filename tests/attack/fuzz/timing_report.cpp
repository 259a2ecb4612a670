// Timing reports, as the subcommand compare reads them.
#include "report/timing_report.hpp"

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::expect_input_error([&] { read_timing_report(fuzz::file_of(data, size)); });
}
