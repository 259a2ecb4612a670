// Formulas in cases.
#include "core/formula.hpp"

#include <string>

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::expect_input_error([&] {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const double at[] = {0.3, -2, 1e300};
    Formula(text, {"x", "y", "z"})(at);
  });
}
