#include "core/error.hpp"

#include <filesystem>
#include <new>

namespace knudsen {

std::string error_text(const std::exception& error) {
  const std::string text = error.what();
  if (dynamic_cast<const InputError*>(&error) != nullptr ||
      dynamic_cast<const RunError*>(&error) != nullptr) {
    return text;
  }
  const bool kokkos_memory =
      text.find("Kokkos") != std::string::npos &&
      (text.find("allocat") != std::string::npos || text.find("memory space") != std::string::npos);
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr || kokkos_memory) {
    return "out of memory; `knudsen validate` shows what a case needs";
  }
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    return file->path1().string() + ": cannot be read or written: " + file->code().message();
  }
  // The first line, without the mark of the JSON library: the rest is for its developers.
  std::string line = text.substr(0, text.find('\n'));
  const std::string mark = "[json.exception.";
  if (line.starts_with(mark) && line.find("] ") != std::string::npos) {
    line = "JSON: " + line.substr(line.find("] ") + 2);
  }
  return "this must not happen, please report it as a defect: " + line;
}

}  // namespace knudsen
