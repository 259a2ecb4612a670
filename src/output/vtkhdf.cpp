#include "output/vtkhdf.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "device/host_parallel.hpp"
#include "output/atomic_file.hpp"
#include "output/hdf5_handle.hpp"

namespace knudsen {
namespace {

using FieldAt = std::function<std::unique_ptr<PiecewiseField>(std::size_t)>;

constexpr auto fields_group = "fields";
constexpr int deflate_level = 4;
constexpr std::size_t chunk_bytes = std::size_t{1}
                                    << 20;  // HDF5's default chunk cache of a dataset

/// Shape of a chunk: as many whole components, rows and planes as fit.
template <class Shape>
Shape chunk_shape(const Shape& shape, std::size_t value_bytes) {
  Shape chunk = shape;
  std::size_t left = chunk_bytes / value_bytes;
  for (std::size_t i = shape.size(); i-- > 0;) {
    using Extent = typename Shape::value_type;
    chunk[i] = std::clamp<Extent>(left, 1, shape[i]);
    left /= chunk[i];
  }
  return chunk;
}

/// Creates a chunked and compressed dataset. `action` is for messages.
hdf5::Handle create_compressed(const hdf5::File& file, hid_t parent, const std::string& name,
                               hid_t type, const hdf5::Shape& shape, hsize_t value_bytes,
                               const std::string& action) {
  const auto properties = file.creation_properties(H5P_DATASET_CREATE);
  const auto chunk = chunk_shape(shape, value_bytes);
  file.check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), action);
  file.check(H5Pset_shuffle(properties), action);
  file.check(H5Pset_deflate(properties, deflate_level), action);
  return file.create_dataset(parent, name, type, shape, properties);
}

void describe(const hdf5::File& file, hid_t dataset, const Quantity& quantity) {
  file.write_attribute(dataset, "unit", quantity.unit);
  file.write_attribute(dataset, "description", quantity.description);
}

/// Number of points of the image along an axis. VTK 9.1 reads images with point data only, so that
/// the points are the cell centres. It crashes on images that are flat in y or z, for which later
/// versions expect arrays of lower rank. Flat axes therefore have two points with the same values,
/// on the faces of the cells.
int image_points(const CartesianGrid& grid, int axis) {
  return axis == 0 ? grid.cells[0] : std::max(grid.cells[axis], 2);
}

/// Presents a field to VTK as cell data, by a virtual dataset with one row per cell.
void show_cells_to_vtk(const hdf5::File& file, hid_t cell_data, const std::string& name, hid_t type,
                       const hdf5::Shape& shape) {
  const std::string action = "write field '" + name + "'";
  const std::string source = std::string("/") + fields_group + "/" + name;
  hdf5::Shape rows{shape[0] * shape[1] * shape[2]};
  if (shape.size() > 3) rows.push_back(shape[3]);
  const auto properties = file.creation_properties(H5P_DATASET_CREATE);
  const auto from = file.create_dataspace(shape);
  const auto to = file.create_dataspace(rows);
  file.check(H5Pset_virtual(properties, to, ".", source.c_str(), from), action);
  file.create_dataset(cell_data, name, type, rows, properties);
}

/// Writes a compressed dataset of rows with `columns` numbers; of single numbers for 0. There must
/// be values.
template <class Value>
void write_list(const hdf5::File& file, hid_t group, const std::string& name, hid_t type,
                const std::vector<Value>& values, hsize_t columns = 0,
                const Quantity* quantity = nullptr) {
  hdf5::Shape shape{values.size() / std::max<hsize_t>(columns, 1)};
  if (columns > 0) shape.push_back(columns);
  const std::string action = "write '" + name + "'";
  const auto dataset = create_compressed(file, group, name, type, shape, sizeof(Value), action);
  file.check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), action);
  if (quantity != nullptr) describe(file, dataset, *quantity);
}

/// Points, and cells that all have the same shape.
struct Mesh {
  std::vector<std::uint8_t> types;         ///< VTK's number of the shape of each cell
  std::vector<std::int64_t> offsets{0};    ///< end of each cell in `connectivity`, after the zero
  std::vector<double> points;              ///< three coordinates each
  std::vector<std::int64_t> connectivity;  ///< numbers of the points of each cell

  /// Ends a cell whose points were added last.
  void end_cell(std::uint8_t type) {
    types.push_back(type);
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
};

void write_mesh(const hdf5::File& file, hid_t root, const Mesh& mesh) {
  const hid_t integer = hdf5::type_of<std::int64_t>();
  const auto count = [&](const std::string& name, std::size_t value) {
    write_list(file, root, name, integer, std::vector<std::int64_t>{std::int64_t(value)});
  };
  count("NumberOfPoints", mesh.points.size() / 3);
  count("NumberOfCells", mesh.types.size());
  count("NumberOfConnectivityIds", mesh.connectivity.size());
  write_list(file, root, "Points", hdf5::type_of<double>(), mesh.points, 3);
  write_list(file, root, "Connectivity", integer, mesh.connectivity);
  write_list(file, root, "Offsets", integer, mesh.offsets);
  write_list(file, root, "Types", H5T_NATIVE_UINT8, mesh.types);
}

/// The cells of a grid with unequal cell widths.
Mesh hexahedra(const CartesianGrid& grid) {
  constexpr std::uint8_t vtk_hexahedron = 12;
  Mesh mesh;
  for (int z = 0; z <= grid.cells[2]; ++z) {
    for (int y = 0; y <= grid.cells[1]; ++y) {
      for (int x = 0; x <= grid.cells[0]; ++x) {
        mesh.points.insert(mesh.points.end(), {grid.edge(0, x), grid.edge(1, y), grid.edge(2, z)});
      }
    }
  }
  mesh.connectivity.reserve(grid.size() * 8);
  const std::int64_t row = grid.cells[0] + 1;
  const std::int64_t plane = row * (grid.cells[1] + 1);
  for (int z = 0; z < grid.cells[2]; ++z) {
    for (int y = 0; y < grid.cells[1]; ++y) {
      for (int x = 0; x < grid.cells[0]; ++x) {
        const std::int64_t at = z * plane + y * row + x;
        for (const std::int64_t corner : {at, at + plane}) {
          mesh.connectivity.insert(mesh.connectivity.end(),
                                   {corner, corner + 1, corner + row + 1, corner + row});
        }
        mesh.end_cell(vtk_hexahedron);
      }
    }
  }
  return mesh;
}

/// Faces of cells and polygons, whose normals point out of the gas.
Mesh surface_mesh(const CartesianGrid& grid, const std::vector<SurfaceFace>& faces) {
  constexpr std::uint8_t vtk_polygon = 7;
  constexpr std::uint8_t vtk_quad = 9;
  Mesh mesh;
  std::map<std::array<int, 3>, std::int64_t> numbers;  // of the points, by their grid lines
  for (const SurfaceFace& face : faces) {
    if (!face.corners.empty()) {
      for (const auto& corner : face.corners) {
        mesh.connectivity.push_back(static_cast<std::int64_t>(mesh.points.size() / 3));
        mesh.points.insert(mesh.points.end(), corner.begin(), corner.end());
      }
      mesh.end_cell(vtk_polygon);
      continue;
    }
    const auto columns = static_cast<std::size_t>(grid.cells[0]);
    const std::size_t row = face.cell / columns;
    const auto rows = static_cast<std::size_t>(grid.cells[1]);
    const auto axis = static_cast<std::size_t>(face.side / 2);
    std::array<int, 3> low{static_cast<int>(face.cell % columns), static_cast<int>(row % rows),
                           static_cast<int>(row / rows)};
    low[axis] += face.side % 2;
    // Counterclockwise seen from the end of the axis, and so from outside at its upper side.
    const std::size_t first = (axis + (face.side % 2 == 1 ? 1 : 2)) % 3;
    const std::size_t second = 3 - axis - first;
    for (const auto& [along_first, along_second] :
         {std::array{0, 0}, std::array{1, 0}, std::array{1, 1}, std::array{0, 1}}) {
      std::array<int, 3> corner = low;
      corner[first] += along_first;
      corner[second] += along_second;
      const auto [place, is_new] =
          numbers.emplace(corner, static_cast<std::int64_t>(mesh.points.size() / 3));
      if (is_new) {
        for (std::size_t d = 0; d < 3; ++d) mesh.points.push_back(grid.edge(d, corner[d]));
      }
      mesh.connectivity.push_back(place->second);
    }
    mesh.end_cell(vtk_quad);
  }
  return mesh;
}
/// Presents a field to VTK as point data: by a link if it has the image's shape, else by a virtual
/// dataset that maps its values to each of the duplicate planes.
void show_to_vtk(const hdf5::File& file, hid_t point_data, const CartesianGrid& grid,
                 const std::string& name, hid_t type, const hdf5::Shape& shape) {
  const std::string action = "write field '" + name + "'";
  const std::string source = std::string("/") + fields_group + "/" + name;
  hdf5::Shape image = shape;
  image[0] = static_cast<hsize_t>(image_points(grid, 2));
  image[1] = static_cast<hsize_t>(image_points(grid, 1));
  if (image == shape) {
    file.check(H5Lcreate_hard(file.id(), source.c_str(), point_data, name.c_str(), H5P_DEFAULT,
                              H5P_DEFAULT),
               action);
    return;
  }
  const auto properties = file.creation_properties(H5P_DATASET_CREATE);
  const auto from = file.create_dataspace(shape);
  const auto to = file.create_dataspace(image);
  hdf5::Shape start(shape.size(), 0);
  for (start[0] = 0; start[0] < image[0]; start[0] += shape[0]) {
    for (start[1] = 0; start[1] < image[1]; start[1] += shape[1]) {
      file.check(
          H5Sselect_hyperslab(to, H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr),
          action);
      file.check(H5Pset_virtual(properties, to, ".", source.c_str(), from), action);
    }
  }
  file.create_dataset(point_data, name, type, image, properties);
}

/// Writes a field whose values are of this type.
template <class Real>
void write_field(const hdf5::File& file, hid_t fields, hid_t shown, const CartesianGrid& grid,
                 PiecewiseField& field, std::size_t piece_bytes) {
  const Quantity& quantity = field.quantity();
  const std::string action = "write field '" + quantity.name + "'";
  const FieldPacking packing(grid, quantity.components, sizeof(Real), piece_bytes);
  hdf5::Shape shape(packing.shape().begin(), packing.shape().end());
  if (quantity.components == 1) shape.pop_back();

  const hid_t type = hdf5::type_of<Real>();
  const auto dataset =
      create_compressed(file, fields, quantity.name, type, shape, sizeof(Real), action);
  std::size_t piece = 0;
  field.pack_pieces(packing.ends(), packing, [&](const PackedCells& packed) {
    const char* from = packed.bytes.data();
    auto size = packed.sizes.begin();
    for (const FieldPacking::Shape& first : packing.chunks(piece++)) {
      const hdf5::Shape start(first.begin(), first.end());
      file.check(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, start.data(), *size, from), action);
      from += *size++;
    }
  });
  describe(file, dataset, quantity);
  if (grid.uniform()) {
    show_to_vtk(file, shown, grid, quantity.name, type, shape);
  } else {
    show_cells_to_vtk(file, shown, quantity.name, type, shape);
  }
}

void write_image(const hdf5::File& file, hid_t root, const CartesianGrid& grid) {
  std::vector<std::int64_t> extent;
  std::vector<double> origin;
  for (int axis = 0; axis < 3; ++axis) {
    const int points = image_points(grid, axis);
    extent.insert(extent.end(), {0, points - 1});
    const bool doubled = points != grid.cells[axis];
    origin.push_back(grid.origin[axis] + (doubled ? 0 : 0.5 * grid.spacing[axis]));
  }
  file.write_attribute(root, "WholeExtent", extent);
  file.write_attribute(root, "Origin", origin);
  file.write_attribute(root, "Spacing",
                       std::vector<double>(grid.spacing.begin(), grid.spacing.end()));
  file.write_attribute(root, "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
}

void write_facts(const hdf5::File& file, const FieldFileHeader& header) {
  const auto facts = file.create_group(file.id(), "knudsen");
  file.write_attribute(facts, "title", header.title);
  file.write_attribute(facts, "method", header.method);
  file.write_attribute(facts, "step", header.step);
  file.write_attribute(facts, "time", header.time);
  for (const auto& [name, value] : header.numbers) file.write_attribute(facts, name, value);
}

void write_content(const hdf5::File& file, const CartesianGrid& grid, std::size_t count,
                   const FieldAt& field_at, const FieldFileHeader& header,
                   std::size_t piece_bytes) {
  const auto root = file.create_group(file.id(), "VTKHDF");
  file.write_attribute(root, "Type", grid.uniform() ? "ImageData" : "UnstructuredGrid");
  file.write_attribute(root, "Version", std::vector<std::int64_t>{1, 0});
  if (grid.uniform()) {
    write_image(file, root, grid);
  } else {
    write_mesh(file, root, hexahedra(grid));
  }
  const auto arrays = file.create_group(file.id(), fields_group);
  const auto shown = file.create_group(root, grid.uniform() ? "PointData" : "CellData");
  for (std::size_t i = 0; i < count; ++i) {
    const auto field = field_at(i);
    std::visit(
        [&]<class Real>(std::span<const Real>) {
          write_field<Real>(file, arrays, shown, grid, *field, piece_bytes);
        },
        field->values(0, 0));
  }
  write_facts(file, header);
}

void write_surface(const hdf5::File& file, const CartesianGrid& grid, const SurfaceFields& surface,
                   const FieldFileHeader& header) {
  const auto root = file.create_group(file.id(), "VTKHDF");
  file.write_attribute(root, "Type", "UnstructuredGrid");
  file.write_attribute(root, "Version", std::vector<std::int64_t>{1, 0});
  write_mesh(file, root, surface_mesh(grid, surface.faces));
  const auto cell_data = file.create_group(root, "CellData");
  for (const Field& field : surface.fields) {
    const auto components = static_cast<hsize_t>(field.quantity.components);
    std::visit(
        [&](const auto& values) {
          using Value = typename std::decay_t<decltype(values)>::value_type;
          write_list(file, cell_data, field.quantity.name, hdf5::type_of<Value>(), values,
                     components == 1 ? 0 : components, &field.quantity);
        },
        field.values);
  }
  write_facts(file, header);
}

/// A chunk as HDF5's filters "shuffle" and "deflate" store it; empty if memory is short.
std::vector<char> compressed(const std::vector<char>& chunk, std::size_t value_bytes) {
  const std::size_t count = chunk.size() / value_bytes;
  std::vector<char> shuffled(chunk.size());
  for (std::size_t byte = 0; byte < value_bytes; ++byte) {
    for (std::size_t i = 0; i < count; ++i) {
      shuffled[byte * count + i] = chunk[i * value_bytes + byte];
    }
  }
  uLongf size = compressBound(shuffled.size());
  std::vector<char> result(size);
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                reinterpret_cast<const Bytef*>(shuffled.data()), shuffled.size(),
                deflate_level) != Z_OK) {
    size = 0;
  }
  result.resize(size);
  return result;
}

}  // namespace

FieldPacking::FieldPacking(const CartesianGrid& grid, int components, std::size_t value_bytes,
                           std::size_t piece_bytes)
    : components_(static_cast<std::size_t>(components)) {
  for (const std::size_t i : {0U, 1U, 2U}) {
    shape_[i] = static_cast<std::size_t>(grid.cells[2 - i]);
  }
  shape_[3] = components == 2 ? 3 : components_;
  chunk_ = chunk_shape(shape_, value_bytes);
  Shape piece{};
  std::size_t left = piece_bytes / (components_ * value_bytes);
  for (std::size_t i = 3; i-- > 0;) {
    piece[i] = std::min(shape_[i], std::max<std::size_t>(left / chunk_[i], 1) * chunk_[i]);
    left /= piece[i];
  }
  Shape begin{};
  for (begin[0] = 0; begin[0] < shape_[0]; begin[0] += piece[0]) {
    for (begin[1] = 0; begin[1] < shape_[1]; begin[1] += piece[1]) {
      for (begin[2] = 0; begin[2] < shape_[2]; begin[2] += piece[2]) {
        Shape count{0, 0, 0, components_};
        for (std::size_t i = 0; i < 3; ++i) count[i] = std::min(piece[i], shape_[i] - begin[i]);
        pieces_.push_back({begin, count});
      }
    }
  }
}

std::vector<std::size_t> FieldPacking::ends() const {
  std::vector<std::size_t> ends;
  std::size_t end = 0;  // the cells of a piece are adjacent
  for (const Piece& each : pieces_) {
    ends.push_back(end += each.count[0] * each.count[1] * each.count[2]);
  }
  return ends;
}

std::vector<FieldPacking::Shape> FieldPacking::chunks(std::size_t piece) const {
  const auto& [begin, count] = pieces_[piece];
  std::vector<Shape> chunks;
  Shape first = begin;
  for (first[0] = begin[0]; first[0] < begin[0] + count[0]; first[0] += chunk_[0]) {
    for (first[1] = begin[1]; first[1] < begin[1] + count[1]; first[1] += chunk_[1]) {
      for (first[2] = begin[2]; first[2] < begin[2] + count[2]; first[2] += chunk_[2]) {
        chunks.push_back(first);
      }
    }
  }
  return chunks;
}

/// The values of a chunk, with 0 beyond the array and in an added component.
template <class Real>
std::vector<char> FieldPacking::chunk_of(const Piece& piece, const Shape& first,
                                         std::span<const Real> values) const {
  std::vector<char> chunk(chunk_[0] * chunk_[1] * chunk_[2] * chunk_[3] * sizeof(Real), 0);
  Shape offset{}, count{};
  for (std::size_t i = 0; i < 3; ++i) {
    offset[i] = first[i] - piece.begin[i];
    count[i] = std::min(chunk_[i], shape_[i] - first[i]);
  }
  for (std::size_t z = 0; z < count[0]; ++z) {
    for (std::size_t y = 0; y < count[1]; ++y) {
      const std::size_t row = (offset[0] + z) * piece.count[1] + offset[1] + y;
      const Real* cell = &values[(row * piece.count[2] + offset[2]) * components_];
      char* to = &chunk[(z * chunk_[1] + y) * chunk_[2] * chunk_[3] * sizeof(Real)];
      for (std::size_t x = 0; x < count[2]; ++x) {
        std::memcpy(to, cell, components_ * sizeof(Real));
        cell += components_;
        to += chunk_[3] * sizeof(Real);
      }
    }
  }
  return chunk;
}

PackedCells FieldPacking::operator()(std::size_t piece,
                                     const PiecewiseField::Values& values) const {
  const Piece& cells = pieces_[piece];
  const std::vector<Shape> firsts = chunks(piece);
  std::vector<std::vector<char>> bytes(firsts.size());
  std::visit(
      [&]<class Real>(std::span<const Real> from) {
        parallel_for_host("knudsen/output/pack", static_cast<std::int64_t>(firsts.size()),
                          [&](std::int64_t i) {
                            const auto n = static_cast<std::size_t>(i);
                            bytes[n] = compressed(chunk_of(cells, firsts[n], from), sizeof(Real));
                          });
      },
      values);
  PackedCells packed;
  for (const std::vector<char>& each : bytes) {
    if (each.empty()) throw RunError("a field cannot be compressed: memory is short");
    packed.sizes.push_back(each.size());
    packed.bytes.insert(packed.bytes.end(), each.begin(), each.end());
  }
  return packed;
}

void write_vtkhdf(const std::filesystem::path& path, const CartesianGrid& grid, std::size_t count,
                  const FieldAt& field_at, const FieldFileHeader& header, std::size_t piece_bytes) {
  AtomicFile target(path);
  hdf5::File file(target.temporary(), path, hdf5::File::Mode::create);
  write_content(file, grid, count, field_at, header, piece_bytes);
  file.close();
  target.commit();
}

void write_surface_vtkhdf(const std::filesystem::path& path, const CartesianGrid& grid,
                          const SurfaceFields& surface, const FieldFileHeader& header) {
  AtomicFile target(path);
  hdf5::File file(target.temporary(), path, hdf5::File::Mode::create);
  write_surface(file, grid, surface, header);
  file.close();
  target.commit();
}

bool is_hdf5(const std::filesystem::path& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::string begin(signature.size(), ' ');
  std::ifstream(path, std::ios::binary).read(begin.data(), std::streamsize(begin.size()));
  return begin == signature;
}

FieldFile::FieldFile(const std::filesystem::path& path)
    : file_(std::make_unique<hdf5::File>(path, path, hdf5::File::Mode::read)) {
  const std::string action = std::string("find the group /") + fields_group;
  if (file_->check(H5Lexists(file_->id(), fields_group, H5P_DEFAULT), action) == 0) {
    throw InputError(path.string() + ": is no field file, since it has no group /" + fields_group);
  }
  names_ = file_->link_names(file_->open_group(file_->id(), fields_group));
}

FieldFile::~FieldFile() = default;

bool FieldFile::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

Field FieldFile::read(const std::string& name, const std::array<int, 3>& cells,
                      int components) const {
  const std::string action = "read field '" + name + "'";
  const auto group = file_->open_group(file_->id(), fields_group);
  const auto dataset = file_->own(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, action);
  const auto space = file_->own(H5Dget_space(dataset), H5Sclose, action);
  hdf5::Shape shape(
      static_cast<std::size_t>(file_->check(H5Sget_simple_extent_ndims(space), action)));
  file_->check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), action);
  // Vectors of two components are stored with a third one.
  const int stored = components == 2 ? 3 : components;
  hdf5::Shape wanted;
  for (const std::size_t axis : {2U, 1U, 0U}) wanted.push_back(static_cast<hsize_t>(cells[axis]));
  if (stored > 1) wanted.push_back(static_cast<hsize_t>(stored));
  if (shape != wanted) {
    const auto text = [](const hdf5::Shape& numbers) {
      std::vector<std::string> parts;
      for (const hsize_t each : numbers) parts.push_back(std::to_string(each));
      return join(parts, " x ");
    };
    throw InputError(file_->shown().string() + ": field '" + name + "' has " + text(shape) +
                     " values, must have " + text(wanted) +
                     ": as many cells along z, y and x as the case" +
                     (stored > 1 ? ", and components" : ""));
  }
  const auto type = file_->own(H5Dget_type(dataset), H5Tclose, action);
  if (H5Tget_class(type) != H5T_FLOAT) {
    throw InputError(file_->shown().string() + ": field '" + name +
                     "' does not consist of numbers");
  }
  Field field{{name, file_->read_text(dataset, "unit"), "", components}, std::vector<double>{}};
  auto& values = std::get<std::vector<double>>(field.values);
  const std::size_t count = static_cast<std::size_t>(cells[0]) *
                            static_cast<std::size_t>(cells[1]) * static_cast<std::size_t>(cells[2]);
  values.resize(count * static_cast<std::size_t>(stored));
  file_->check(
      H5Dread(dataset, hdf5::type_of<double>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      action);
  for (std::size_t cell = 1; cell < count && components == 2; ++cell) {
    values[2 * cell] = values[3 * cell];
    values[2 * cell + 1] = values[3 * cell + 1];
  }
  values.resize(count * static_cast<std::size_t>(components));
  return field;
}

void write_vtkhdf(const std::filesystem::path& path, const CartesianGrid& grid,
                  const std::vector<Field>& fields, const FieldFileHeader& header) {
  const auto field_at = [&](std::size_t i) {
    const Field& field = fields[i];
    const std::size_t needed = grid.size() * static_cast<std::size_t>(field.quantity.components);
    if (field.size() != needed) {
      throw RunError(path.string() + ": field '" + field.quantity.name + "' has " +
                     std::to_string(field.size()) + " values, the grid needs " +
                     std::to_string(needed));
    }
    return std::make_unique<WholeField>(field);
  };
  constexpr std::size_t piece_bytes = std::size_t{1} << 30;
  write_vtkhdf(path, grid, fields.size(), field_at, header, piece_bytes);
}

}  // namespace knudsen
