#include "output/distribution_file.hpp"

#include "output/atomic_file.hpp"
#include "output/hdf5_handle.hpp"

namespace knudsen {
namespace {

void write_array(const hdf5::File& file, hid_t group, const std::string& name,
                 const hdf5::Shape& shape, const std::vector<double>& values,
                 const std::string& unit) {
  const auto dataset =
      file.create_dataset(group, name, hdf5::type_of<double>(), shape, H5P_DEFAULT);
  file.check(
      H5Dwrite(dataset, hdf5::type_of<double>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      "write dataset '" + name + "'");
  file.write_attribute(dataset, "unit", unit);
}

}  // namespace

void write_distributions(const std::filesystem::path& path,
                         const std::vector<DistributionSample>& samples) {
  AtomicFile target(path);
  hdf5::File file(target.temporary(), path, hdf5::File::Mode::create);
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const DistributionSample& sample = samples[n];
    const auto group = file.create_group(file.id(), "probe_" + std::to_string(n));
    file.write_attribute(group, "position",
                         std::vector<double>(sample.position.begin(), sample.position.end()));
    hdf5::Shape shape;
    for (std::size_t d = 0; d < 3; ++d) {
      const auto& nodes = sample.velocities[d];
      shape.push_back(nodes.size());
      write_array(
          file, group, std::string("velocity_") + "xyz" [d], { nodes.size() }, nodes,
          sample.velocity_unit);
    }
    write_array(file, group, "distribution", shape, sample.values, sample.unit);
  }
  file.close();
  target.commit();
}

}  // namespace knudsen
