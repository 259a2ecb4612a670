// Tables of reference values.
#include "output/csv.hpp"

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  return fuzz::expect_input_error([&] {
    const CsvTable table(fuzz::file_of(data, size));
    for (const std::string& name : table.names()) table.column(name);
  });
}
