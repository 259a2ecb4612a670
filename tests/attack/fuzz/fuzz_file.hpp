#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "case/reader.hpp"
#include "core/error.hpp"

namespace knudsen::fuzz {

/// Puts the bytes into a file, the same one in every call of this process. A file in memory
/// (TMPDIR=/dev/shm) keeps the fuzzer fast.
inline std::filesystem::path file_of(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("knudsen-fuzz-" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return path;
}

/// Calls `read`. An InputError is the right answer to bad input; anything else reaches the fuzzer
/// as a crash.
template <class Read>
int expect_input_error(const Read& read) {
  try {
    read();
  } catch (const InputError&) {  // refused with a message
  }
  return 0;
}

/// Reads a case that consists of the key "file" alone, with the bytes as the content of that file.
/// The readers of images and surfaces take the keys of a solid.
inline int read_solid_file(const std::uint8_t* data, std::size_t size,
                           const CaseNode::Reader& read) {
  static const nlohmann::json solid = {{"file", file_of(data, size).string()}};
  static const CaseDocument document = CaseDocument::from_text(solid.dump(), "case.json");
  file_of(data, size);
  return expect_input_error([&] { read_case(document, read); });
}

}  // namespace knudsen::fuzz
