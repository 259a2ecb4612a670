// Steps of the BGKW method for several sizes and tunings, compared with the copy bandwidth measured
// in the same run. Counters: picoseconds per phase-space point and step, and the share of the copy
// bandwidth, counting the two values that an update must move.

#include <benchmark/benchmark.h>

#include <string>

#include "device/backend.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/make_phase_space.hpp"

namespace {

using namespace knudsen;
using namespace knudsen::bgkw;

double copy_bandwidth() {
  static const double gb_s = measure_copy_bandwidth(default_backend());
  return gb_s;
}

struct Size {
  int dimensions;
  int cells;       ///< along each axis
  int velocities;  ///< along each component
};

PhaseGrid make_grid(const Size& size) {
  PhaseGrid grid;
  grid.dimensions = size.dimensions;
  double crossing = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    grid.velocities[d] = uniform_axis(-4, 4, size.velocities);
    if (d >= static_cast<std::size_t>(size.dimensions)) continue;
    grid.cells[d] = size.cells;
    grid.spacing[d] = 1.0 / size.cells;
    crossing += grid.velocities[d].max_speed() / grid.spacing[d];
    for (const std::size_t side : {2 * d, 2 * d + 1}) grid.sides[side].kind = SideKind::wall;
  }
  if (size.dimensions == 2) grid.sides[north].state.velocity = {0.01, 0, 0};
  grid.time_step = 0.9 / crossing;
  return grid;
}

/// Walls on all sides, so that the time includes them.
template <class Real>
void steps(benchmark::State& state, bool fused, bool conservative, bool single_pass,
           const Size& size, int team) {
  PhaseGrid grid = make_grid(size);
  grid.single_pass = single_pass;
  if (team == 0) team = default_tuning<DeviceExecutionSpace>().team_size;
  StepContext<DeviceExecutionSpace> context;
  context.collision.time_step = grid.time_step;
  context.collision.conservative = conservative;
  context.collision.tolerance = 1e-8;
  context.tuning.team_size = team;
  auto space = make_phase_space<DeviceExecutionSpace, Real>(grid);
  initialise(context, space, [](int, int, int) { return GasState{}; });
  const auto step = [&] {
    update_wall_density(context, space);
    if (fused) {
      stream_collide(context, space);
    } else {
      stream(context, space);
      collide(context, space);
    }
  };
  constexpr int batch = 5;
  for (int i = 0; i < batch; ++i) step();
  context.execution.fence();
  for (auto unused : state) {
    static_cast<void>(unused);
    for (int i = 0; i < batch; ++i) step();
    context.execution.fence();
  }
  const double points = double(space.cell_count()) * size.velocities * size.velocities *
                        size.velocities * batch * double(state.iterations());
  state.counters["ps/point"] =
      benchmark::Counter(points * 1e-12, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["copy_share"] = benchmark::Counter(
      points * 2 * sizeof(Real) * 1e-9 / copy_bandwidth(), benchmark::Counter::kIsRate);
}

template <class Real>
void add(const std::string& precision, const Size& size, int team) {
  const auto add_one = [&](const std::string& name, bool fused, bool conservative,
                           bool single_pass) {
    const std::string label = name + "/" + precision + "/" + std::to_string(size.dimensions) +
                              "d/cells:" + std::to_string(size.cells) +
                              "/velocities:" + std::to_string(size.velocities) +
                              "/team:" + std::to_string(team);
    benchmark::RegisterBenchmark(label.c_str(),
                                 [=](benchmark::State& state) {
                                   steps<Real>(state, fused, conservative, single_pass, size, team);
                                 })
        ->UseRealTime()
        ->MinTime(0.2);
  };
  add_one("fused", true, false, false);
  add_one("fused-conservative", true, true, false);
  add_one("separate", false, false, false);
  add_one("fused-single-pass", true, false, true);
  add_one("separate-single-pass", false, false, true);
}

}  // namespace

int main(int argc, char** argv) {
  const KokkosSession session;
  benchmark::Initialize(&argc, argv);
  if constexpr (has_device_backend) {
    for (const int team : {128, 256, 512, 1024}) {
      for (const Size& size :
           {Size{2, 160, 20}, Size{2, 512, 32}, Size{1, 8192, 25}, Size{3, 32, 20}}) {
        add<float>("single", size, team);
      }
      add<double>("double", {2, 160, 20}, team);
    }
  } else {
    for (const Size& size : {Size{2, 40, 20}, Size{1, 512, 25}, Size{3, 12, 20}}) {
      add<float>("single", size, 1);
      add<double>("double", size, 1);
    }
  }
  benchmark::AddCustomContext("copy_bandwidth_gb_s", std::to_string(copy_bandwidth()));
  benchmark::AddCustomContext("backends", available_backends());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
