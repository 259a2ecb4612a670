#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/piecewise_field.hpp"
#include "core/surface_fields.hpp"

namespace knudsen {

/// Facts about the run, stored as attributes of the group /knudsen. (VTK's own place would be field
/// data, with which VTK 9.1 cannot read an image.)
struct FieldFileHeader {
  std::string title;
  std::string method;
  std::int64_t step = 0;
  double time = 0;
  std::map<std::string, double> numbers;  ///< e.g. "reynolds", "characteristic_velocity"
};

/// How write_vtkhdf stores a field: in chunks of at most 1 MiB, shuffled and compressed, which are
/// packed in pieces of whole chunks.
class FieldPacking {
 public:
  using Shape = std::array<std::size_t, 4>;  ///< along z, y, x, and components

  /// Of values of `value_bytes` bytes. Pieces have at most `piece_bytes`, or one chunk.
  FieldPacking(const CartesianGrid& grid, int components, std::size_t value_bytes,
               std::size_t piece_bytes);

  /// The shape of the array in the file.
  const Shape& shape() const { return shape_; }
  /// Where the pieces end, by cells.
  std::vector<std::size_t> ends() const;
  /// The chunks of a piece, by the first index of each along each axis, in the order of the file.
  std::vector<Shape> chunks(std::size_t piece) const;
  /// Packs the values of the cells of a piece, by the threads of the host.
  PackedCells operator()(std::size_t piece, const PiecewiseField::Values& values) const;

 private:
  struct Piece {
    Shape begin, count;
  };
  template <class Real>
  std::vector<char> chunk_of(const Piece& piece, const Shape& first,
                             std::span<const Real> values) const;

  Shape shape_, chunk_;
  std::size_t components_;  ///< that are given; in the file there may be one more
  std::vector<Piece> pieces_;
};

/// Writes `count` cell fields on a grid. field_at(i) is called once for each field, in order. Its
/// values are asked for in pieces of at most `piece_bytes` bytes, or of one chunk if that is more.
/// The bytes of the file do not depend on it.
/// Dataset /fields/<name> has the shape [nz][ny][nx] or, with several
/// components, [nz][ny][nx][components]. It is chunked and compressed (shuffle, deflate) and has
/// the attributes `unit` and `description`. Vectors of two components get a third one of 0, as VTK
/// requires.
///
/// The group /VTKHDF presents the same data, without a copy, to VTK 9.1 and later and to ParaView.
/// A uniform grid is ImageData of version 1.0, with point data at the cell centres. If it is one
/// cell thick in y or z, two identical planes of points are on the two faces of that layer of
/// cells. A grid with unequal cell widths is an UnstructuredGrid of hexahedra with cell data.
///
/// The file appears complete or not at all. Throws RunError.
void write_vtkhdf(const std::filesystem::path& path, const CartesianGrid& grid, std::size_t count,
                  const std::function<std::unique_ptr<PiecewiseField>(std::size_t)>& field_at,
                  const FieldFileHeader& header, std::size_t piece_bytes);
void write_vtkhdf(const std::filesystem::path& path, const CartesianGrid& grid,
                  const std::vector<Field>& fields, const FieldFileHeader& header);

/// Writes fields on faces of the cells of a grid: an UnstructuredGrid of quadrilaterals and
/// polygons with cell data, of which there must be at least one. In two dimensions the faces are as
/// high as the one layer of cells.
void write_surface_vtkhdf(const std::filesystem::path& path, const CartesianGrid& grid,
                          const SurfaceFields& surface, const FieldFileHeader& header);

/// Whether a file has the signature of HDF5.
bool is_hdf5(const std::filesystem::path& path);

namespace hdf5 {
class File;
}

/// The fields in a file of write_vtkhdf.
class FieldFile {
 public:
  /// Throws InputError: no HDF5 file, or one without fields.
  explicit FieldFile(const std::filesystem::path& path);
  ~FieldFile();
  FieldFile(const FieldFile&) = delete;
  FieldFile& operator=(const FieldFile&) = delete;

  bool has(const std::string& name) const;
  /// A field in double precision, with its unit. Throws InputError unless it is on as many cells
  /// along x, y and z and has as many components.
  Field read(const std::string& name, const std::array<int, 3>& cells, int components) const;

 private:
  std::unique_ptr<hdf5::File> file_;
  std::vector<std::string> names_;
};

}  // namespace knudsen
