// Case documents: JSON text, preceded by a line with an override as in --set.
#include <string>

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace knudsen;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  return fuzz::expect_input_error([&] {
    if (line == std::string::npos) {
      CaseDocument::from_text(text, "case.json").digest();
    } else {
      CaseDocument::from_text(text.substr(line), "case.json", ".", {text.substr(0, line)}).digest();
    }
  });
}
