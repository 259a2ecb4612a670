#include "output/probe_file.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "output/atomic_file.hpp"
#include "output/hdf5_handle.hpp"

namespace knudsen {
namespace {

constexpr const char* format_key = "format";
constexpr const char* format_name = "knudsen-probes-1";

/// The shape of an array with a value for each point, and `components` of it if there are several.
hdf5::Shape with_points(const ProbeRecord& probe, std::size_t components) {
  hdf5::Shape shape(probe.shape.begin(), probe.shape.end());
  if (components > 1) shape.push_back(components);
  return shape;
}

hdf5::Shape values_shape(const ProbeRecord& probe, const ProbeRecord::Column& column,
                         std::size_t samples) {
  hdf5::Shape shape = with_points(probe, static_cast<std::size_t>(column.quantity.components));
  shape.insert(shape.begin(), samples);
  return shape;
}

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw InputError(path.string() +
                   ": has other probes than this case; choose another output directory or move the "
                   "file away");
}

/// Reads a dataset, which must have this shape but for the first number, which is any for 0.
template <class Number>
std::vector<Number> read_dataset(const hdf5::File& file, hid_t group, const std::string& name,
                                 hdf5::Shape expected) {
  const std::string action = "read dataset '" + name + "'";
  const auto dataset = file.own(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, action);
  const auto space = file.own(H5Dget_space(dataset), H5Sclose, action);
  const auto dimensions =
      static_cast<std::size_t>(file.check(H5Sget_simple_extent_ndims(space), action));
  hdf5::Shape shape(dimensions);
  file.check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), action);
  if (!expected.empty() && expected[0] == 0 && !shape.empty()) expected[0] = shape[0];
  if (shape != expected) refuse(file.shown());
  // A damaged file may state any number of samples.
  const hsize_t most = std::filesystem::file_size(file.shown()) / sizeof(Number);
  hsize_t size = 1;
  for (const hsize_t extent : shape) {
    if (extent > 0 && size > most / extent) {
      throw InputError(file.shown().string() + ": is damaged: '" + name +
                       "' is larger than the file");
    }
    size *= extent;
  }
  std::vector<Number> values(size);
  file.check(
      H5Dread(dataset, hdf5::type_of<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      action);
  return values;
}

std::size_t values_a_sample(const ProbeRecord& probe, const ProbeRecord::Column& column) {
  return probe.positions.size() * static_cast<std::size_t>(column.quantity.components);
}

}  // namespace

void ProbeRecord::cut(std::size_t samples) {
  steps.resize(samples);
  for (Column& column : columns) column.values.resize(samples * values_a_sample(*this, column));
}

void write_probes(const std::filesystem::path& path, const std::vector<ProbeRecord>& probes,
                  double time_per_step) {
  AtomicFile target(path);
  hdf5::File file(target.temporary(), path, hdf5::File::Mode::create);
  file.write_attribute(file.id(), format_key, format_name);
  for (const ProbeRecord& probe : probes) {
    const auto group = file.create_group(file.id(), probe.name);
    const hdf5::Shape samples{probe.steps.size()};
    file.write_dataset(group, "step", samples, probe.steps.data());
    std::vector<double> times;
    for (const std::int64_t step : probe.steps) {
      times.push_back(static_cast<double>(step) * time_per_step);
    }
    file.write_dataset(group, "time", samples, times.data());
    file.write_dataset(group, "position", with_points(probe, 3), probe.positions.front().data());
    for (const ProbeRecord::Column& column : probe.columns) {
      file.write_dataset(group, column.quantity.name,
                         values_shape(probe, column, probe.steps.size()), column.values.data(),
                         column.quantity.unit);
    }
  }
  file.close();
  target.commit();
}

void read_probes(const std::filesystem::path& path, std::int64_t step,
                 std::vector<ProbeRecord>& probes) {
  const hdf5::File file(path, path, hdf5::File::Mode::read);
  const auto names = file.link_names(file.id());
  if (names.size() != probes.size()) refuse(path);
  for (ProbeRecord& probe : probes) {
    if (std::find(names.begin(), names.end(), probe.name) == names.end()) refuse(path);
    const auto group = file.open_group(file.id(), probe.name);
    const auto datasets = file.link_names(group);
    constexpr std::size_t others = 3;  // step, time and position
    if (datasets.size() != probe.columns.size() + others) refuse(path);
    const auto positions = read_dataset<double>(file, group, "position", with_points(probe, 3));
    if (!std::equal(positions.begin(), positions.end(), probe.positions.front().data())) {
      refuse(path);
    }
    probe.steps = read_dataset<std::int64_t>(file, group, "step", {0});
    for (ProbeRecord::Column& column : probe.columns) {
      const std::string& name = column.quantity.name;
      if (std::find(datasets.begin(), datasets.end(), name) == datasets.end()) refuse(path);
      column.values = read_dataset<double>(file, group, name, values_shape(probe, column, 0));
      if (column.values.size() != probe.steps.size() * values_a_sample(probe, column)) {
        refuse(path);
      }
    }
    const auto later = std::upper_bound(probe.steps.begin(), probe.steps.end(), step);
    probe.cut(static_cast<std::size_t>(later - probe.steps.begin()));
  }
}

}  // namespace knudsen
