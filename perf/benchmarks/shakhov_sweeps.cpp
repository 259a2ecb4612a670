// Sweeps of the Shakhov method for several sizes and, on a GPU, several occupancies (teams per
// multiprocessor, set by the registers per thread). Counters: picoseconds per phase-space point and
// iteration, and the share of the copy bandwidth, counting the values that pencils pass on.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "device/backend.hpp"
#include "methods/shakhov/gather.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/launch_sweep_definition.hpp"
#include "methods/shakhov/make_sweep_space.hpp"

namespace {

using namespace knudsen;
using namespace knudsen::shakhov;

struct Size {
  int cells;       ///< along each axis
  int velocities;  ///< along each component
};

FlowGrid make_grid(const Size& size) {
  FlowGrid grid;
  for (std::size_t d = 0; d < 3; ++d) {
    grid.cells[d] = size.cells;
    grid.edges[d].clear();
    for (int i = 0; i <= size.cells; ++i) grid.edges[d].push_back(double(i) / size.cells);
    grid.velocities[d] = uniform_axis(-4, 4, size.velocities, QuadratureRule::trapezoid);
    for (const std::size_t side : {2 * d, 2 * d + 1}) grid.sides[side].kind = SideKind::wall;
  }
  grid.sides[north].state.velocity = {0.1, 0, 0};
  return grid;
}

/// One batch as in sweep_batch, but with another register limit of the kernel.
template <int Resident, class Real>
void sweep_with(const SweepContext<DeviceExecutionSpace>& context,
                const SweepSpace<DeviceExecutionSpace, Real>& space,
                const SweepStorage<DeviceExecutionSpace, Real>& storage, const Batch& batch) {
  if constexpr (Resident == 0 || !has_device_backend) {
    sweep_batch(context, space, storage, batch);
  } else {
    for (const Diagonal& diagonal : diagonals_of(space, storage, batch)) {
      using Kernel = SweepThreads<DeviceExecutionSpace, Real, ShakhovModel, 1, 3>;
      launch_threads<Resident>(context, Kernel{space, storage, batch, diagonal, {}});
      gather_moments(context, space, storage, batch, diagonal);
    }
  }
}

template <int Resident, class Real>
void iterations(benchmark::State& state, const Size& size) {
  const FlowGrid grid = make_grid(size);
  SweepContext<DeviceExecutionSpace> context;
  context.gas = {0.684, 0.81, 2.0 / 3};
  auto space = make_sweep_space<DeviceExecutionSpace, Real>(grid, 1);
  const int blocks = 2 * space.octant_blocks();
  const auto storage = make_storage<DeviceExecutionSpace, Real>(grid, default_tuning(3), 1, blocks);
  const auto batches = make_batches(grid, space.octant_blocks(), blocks);
  set_uniform(context, space, {});
  const auto iterate = [&] {
    begin_iteration(context, space);
    for (const Batch& batch : batches) sweep_with<Resident>(context, space, storage, batch);
    finish_iteration(context, space, 1);
  };
  iterate();
  for (auto unused : state) {
    static_cast<void>(unused);
    iterate();
  }
  const double points = double(space.cell_count()) * size.velocities * size.velocities *
                        size.velocities * double(state.iterations());
  state.counters["ps/point"] =
      benchmark::Counter(points * 1e-12, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <int Resident, class Real>
void add(const std::string& precision, const Size& size) {
  const std::string label = "sweeps/" + precision + "/cells:" + std::to_string(size.cells) +
                            "/velocities:" + std::to_string(size.velocities) +
                            (Resident == 0 ? "" : "/resident:" + std::to_string(Resident));
  benchmark::RegisterBenchmark(
      label.c_str(), [=](benchmark::State& state) { iterations<Resident, Real>(state, size); })
      ->UseRealTime()
      ->MinTime(0.5);
}

}  // namespace

int main(int argc, char** argv) {
  const KokkosSession session;
  benchmark::Initialize(&argc, argv);
  if constexpr (has_device_backend) {
    for (const Size& size : {Size{64, 64}, Size{64, 48}, Size{32, 32}}) {
      add<0, float>("single", size);
      add<4, float>("single", size);
      add<5, float>("single", size);
      add<6, float>("single", size);
      add<7, float>("single", size);
    }
    add<0, double>("double", {64, 64});
    add<2, double>("double", {64, 64});
    add<4, double>("double", {64, 64});
  } else {
    for (const Size& size : {Size{8, 16}, Size{12, 32}}) {
      add<0, float>("single", size);
      add<0, double>("double", size);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
