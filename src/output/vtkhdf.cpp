#include "output/vtkhdf.hpp"

#include <algorithm>
#include <cstdint>

#include "core/error.hpp"
#include "output/atomic_file.hpp"
#include "output/hdf5_handle.hpp"

namespace knudsen {
namespace {

constexpr unsigned deflate_level = 4;
constexpr hsize_t chunk_bytes = hsize_t{1} << 20;  // what HDF5 keeps of a dataset in its cache

/// Whole components, rows and planes, as many as fit into a chunk.
hdf5::Shape chunk_shape(const hdf5::Shape& shape, hsize_t value_bytes) {
  hdf5::Shape chunk(shape.size());
  hsize_t left = chunk_bytes / value_bytes;
  for (std::size_t i = shape.size(); i-- > 0;) {
    chunk[i] = std::clamp<hsize_t>(left, 1, shape[i]);
    left /= chunk[i];
  }
  return chunk;
}

template <class Real>
void write_field(const hdf5::File& file, hid_t group, const UniformGrid& grid,
                 const Quantity& quantity, const std::vector<Real>& values) {
  const auto components = static_cast<std::size_t>(quantity.components);
  if (values.size() != grid.size() * components) {
    throw RunError(file.shown().string() + ": field '" + quantity.name + "' has " +
                   std::to_string(values.size()) + " values, the grid needs " +
                   std::to_string(grid.size() * components));
  }
  const std::string action = "write field '" + quantity.name + "'";
  hdf5::Shape shape;  // [nz][ny][nx], then the components where there are several
  for (int axis : {2, 1, 0}) shape.push_back(static_cast<hsize_t>(grid.cells[axis]));
  if (components > 1) shape.push_back(components);
  const hdf5::Shape given = shape;
  if (components == 2) shape.back() = 3;

  const auto properties = file.own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, action);
  const auto chunk = chunk_shape(shape, sizeof(Real));
  file.check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), action);
  file.check(H5Pset_shuffle(properties), action);
  file.check(H5Pset_deflate(properties, deflate_level), action);
  const hid_t type = hdf5::type_of<Real>();
  const auto dataset = file.create_dataset(group, quantity.name, type, shape, properties);

  // The components given are written, a third one that was added keeps HDF5's fill value 0.
  const auto source = file.create_dataspace(given);
  const auto target = file.create_dataspace(shape);
  const hdf5::Shape start(shape.size(), 0);
  file.check(
      H5Sselect_hyperslab(target, H5S_SELECT_SET, start.data(), nullptr, given.data(), nullptr),
      action);
  file.check(H5Dwrite(dataset, type, source, target, H5P_DEFAULT, values.data()), action);
  file.write_attribute(dataset, "unit", quantity.unit);
  file.write_attribute(dataset, "description", quantity.description);
}

/// Run facts as one-value arrays, which ParaView shows beside the fields.
template <class Number>
void write_fact(const hdf5::File& file, hid_t group, const std::string& name, Number value) {
  const auto dataset = file.create_dataset(group, name, hdf5::type_of<Number>(), {1});
  file.check(H5Dwrite(dataset, hdf5::type_of<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &value),
             "write '" + name + "'");
}

void write_content(const hdf5::File& file, const UniformGrid& grid,
                   const std::vector<Field>& fields, const FieldFileHeader& header) {
  const auto root = file.create_group(file.id(), "VTKHDF");
  file.write_attribute(root, "Type", "ImageData");
  file.write_attribute(root, "Version", std::vector<std::int64_t>{1, 0});
  file.write_attribute(
      root, "WholeExtent",
      std::vector<std::int64_t>{0, grid.cells[0], 0, grid.cells[1], 0, grid.cells[2]});
  file.write_attribute(root, "Origin", std::vector<double>(grid.origin.begin(), grid.origin.end()));
  file.write_attribute(root, "Spacing",
                       std::vector<double>(grid.spacing.begin(), grid.spacing.end()));
  file.write_attribute(root, "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});

  const auto cells = file.create_group(root, "CellData");
  for (const auto& field : fields) {
    std::visit([&](const auto& values) { write_field(file, cells, grid, field.quantity, values); },
               field.values);
  }

  const auto facts = file.create_group(root, "FieldData");
  const auto attributes = file.create_group(file.id(), "knudsen");
  file.write_attribute(attributes, "title", header.title);
  file.write_attribute(attributes, "method", header.method);
  const auto add_fact = [&](const std::string& name, auto value) {
    write_fact(file, facts, name, value);
    file.write_attribute(attributes, name, value);
  };
  add_fact("step", header.step);
  add_fact("time", header.time);
  for (const auto& [name, value] : header.numbers) add_fact(name, value);
}

}  // namespace

void write_vtkhdf(const std::filesystem::path& path, const UniformGrid& grid,
                  const std::vector<Field>& fields, const FieldFileHeader& header) {
  AtomicFile target(path);
  hdf5::File file(target.temporary(), path, hdf5::File::Mode::create);
  write_content(file, grid, fields, header);
  file.close();
  target.commit();
}

}  // namespace knudsen
