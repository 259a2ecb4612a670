#include "output/distribution_file.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "output/hdf5_handle.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen {
namespace {

DistributionSample sample() {
  return {{0.5, 0.25, 0}, {{{-1, 1}, {-2, 0, 2}, {0}}}, {1, 2, 3, 4, 5, 6}, "1", "m/s"};
}

TEST(DistributionFile, HoldsWhatWasWritten) {
  const TemporaryDirectory directory;
  write_distributions(directory / "d.h5", {sample(), sample()});
  const hdf5::File file(directory / "d.h5", directory / "d.h5", hdf5::File::Mode::read);
  EXPECT_EQ(file.link_names(file.id()).size(), 2U);
  const auto group = file.open_group(file.id(), "probe_1");
  const auto dataset =
      file.own(H5Dopen2(group, "distribution", H5P_DEFAULT), H5Dclose, "open a dataset");
  std::vector<double> values(6);
  ASSERT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_EQ(values, sample().values);
  EXPECT_EQ(file.read_text(dataset, "unit"), "1");
}

TEST(DistributionFile, IsNotThereWhereItCannotBeWritten) {
  const TemporaryDirectory directory;
  EXPECT_THROW(write_distributions(directory / "missing" / "d.h5", {sample()}), RunError);
}

}  // namespace
}  // namespace knudsen
