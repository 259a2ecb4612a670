#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// Facts about the run stored beside the fields, as attributes of the group /knudsen. (VTK 9.1
/// cannot read images that have field data, which would be the other place for them.)
struct FieldFileHeader {
  std::string title;
  std::string method;
  std::int64_t step = 0;
  double time = 0;
  std::map<std::string, double> numbers;  ///< e.g. "reynolds", "characteristic_velocity"
};

/// Writes cell fields on a grid. Dataset /fields/<name> has the shape [nz][ny][nx], with
/// the components last where there are several, is chunked and compressed (shuffle and deflate),
/// and has the attributes `unit` and `description`. Two-component vectors are stored with a zero
/// third component, as VTK wants.
///
/// The group /VTKHDF shows the same data, without a copy, to VTK 9.1 and later and to ParaView:
/// ImageData of version 1.0 with the fields as point data at the cell centres. A grid that is one
/// cell thick in z (or y) shows as two planes of points, on both faces of that layer of cells.
/// Cells of unequal width are shown as UnstructuredGrid of hexahedra with the fields as cell data.
///
/// The file appears whole or not at all. Throws RunError.
void write_vtkhdf(const std::filesystem::path& path, const UniformGrid& grid,
                  const std::vector<Field>& fields, const FieldFileHeader& header);

}  // namespace knudsen
