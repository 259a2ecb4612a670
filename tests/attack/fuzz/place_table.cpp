// Tables of values at places.
#include "fuzz_file.hpp"
#include "model/place_functions.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::expect_input_error([&] {
    const PlaceTable table(fuzz::file_of(data, size), {"temperature", "density"});
    for (const double x : {-1.0, 0.0, 0.3, 1.0}) {
      if (table.has("temperature")) table.value("temperature", {x, 0.5, x});
    }
    table.extent();
  });
}
