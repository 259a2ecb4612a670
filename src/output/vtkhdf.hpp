#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// Facts about the run stored beside the fields (group /VTKHDF/FieldData and attributes on the file
/// root): title, method, step, time, and so on.
struct FieldFileHeader {
  std::string title;
  std::string method;
  std::int64_t step = 0;
  double time = 0;
  std::map<std::string, double> numbers;  ///< e.g. "reynolds", "characteristic_velocity"
};

/// Writes cell fields on a uniform grid as VTKHDF ImageData (version 1.0 of the format, which VTK
/// 9.1 and every later ParaView reads), chunked and compressed (shuffle and deflate), each dataset
/// with attributes `unit` and `description`. Two-component vectors are stored with a zero third
/// component, as VTK wants. Appears whole or not at all. Throws RunError.
void write_vtkhdf(const std::filesystem::path& path, const UniformGrid& grid,
                  const std::vector<Field>& fields, const FieldFileHeader& header);

}  // namespace knudsen
