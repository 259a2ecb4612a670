#include "output/distribution_file.hpp"

#include "core/sides.hpp"
#include "output/atomic_file.hpp"
#include "output/hdf5_handle.hpp"

namespace knudsen {
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
      const hdf5::Shape count{nodes.size()};
      file.write_dataset(group, "velocity_" + axis_names[d], count, nodes.data(),
                         sample.velocity_unit);
    }
    file.write_dataset(group, "distribution", shape, sample.values.data(), sample.unit);
  }
  file.close();
  target.commit();
}

}  // namespace knudsen
