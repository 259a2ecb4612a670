// Kernels and steps of the Boltzmann method for several sizes and tunings, compared with the copy
// bandwidth measured in the same run. Counters: milliseconds per step (for "sample" per collision
// set), GFLOP/s by the count of Frezzotti 2010, and the share of the copy bandwidth, counting the
// two values per point that streaming or a collision must move.

#include <benchmark/benchmark.h>

#include <string>

#include "device/backend.hpp"
#include "methods/boltzmann/make_state.hpp"
#include "methods/boltzmann/sample.hpp"
#include "methods/boltzmann/step.hpp"

namespace {

using namespace knudsen;
using namespace knudsen::boltzmann;
using Space = DeviceExecutionSpace;

double copy_bandwidth() {
  static const double gb_s = measure_copy_bandwidth(default_backend());
  return gb_s;
}

struct Size {
  int cells;       ///< along x and y
  int velocities;  ///< along each component
  int samples;
};

/// The driven cavity, with walls on all sides.
PhaseGrid make_grid(const Size& size) {
  PhaseGrid grid;
  grid.dimensions = 2;
  for (VelocityAxis& axis : grid.velocities) axis = stretched_axis(-3, 3, size.velocities, 1.7116);
  for (std::size_t d = 0; d < 2; ++d) {
    grid.widths[d].assign(static_cast<std::size_t>(size.cells), 1.0 / size.cells);
    for (const std::size_t side : {2 * d, 2 * d + 1}) grid.sides[side].kind = SideKind::wall;
  }
  grid.time_step = 0.95 / (6.0 * size.cells);
  return grid;
}

enum class Part { step, stream, sample, collide };

template <class Real>
void run(benchmark::State& state, Part part, const Size& size, const Tuning& tuning,
         const Collision& collision) {
  const PhaseGrid grid = make_grid(size);
  StepContext<Space> context;
  context.collision = collision;
  context.tuning = tuning;
  const Sampling sampling{variable_hard_spheres(1, 0.5),
                          {1, false},
                          grid.time_step,
                          collision.estimator == Estimator::reversible,
                          false,
                          collision.update == Update::sequential};
  auto gas = make_state<Space, Real>(grid, 0.01, collision.perturbation_parameter == 0);
  Kokkos::deep_copy(gas.h, Real(0.01));
  const auto sets =
      make_collision_sets<Space, Real>(grid.velocities, size.samples, tuning.set_batch);
  std::uint64_t number = 0;
  const auto step = [&] {
    const auto set = static_cast<int>(number % static_cast<std::uint64_t>(tuning.set_batch));
    if (part == Part::sample || (set == 0 && part == Part::step)) {
      draw_collisions(context.execution, sampling, number, sets);
    }
    if (part == Part::step) update_wall_density(context, gas);
    if (part == Part::step) stream_and_collide(context, gas, sets, set);
    if (part == Part::stream) stream(context, gas);
    if (part == Part::collide) collide(context, gas, sets, set);
    ++number;
  };
  draw_collisions(context.execution, sampling, 0, sets);
  const int batch = part == Part::step ? tuning.set_batch : 4;
  step();
  number = 0;
  context.execution.fence();
  for (auto unused : state) {
    static_cast<void>(unused);
    for (int i = 0; i < batch; ++i) step();
    context.execution.fence();
  }
  const double steps = batch * double(state.iterations());
  const double velocities = double(size.velocities) * size.velocities * size.velocities;
  const double points = double(gas.cell_count()) * velocities;
  const auto rate = [](double amount) {
    return benchmark::Counter(amount, benchmark::Counter::kIsRate);
  };
  state.counters["ms"] =
      benchmark::Counter(steps * (part == Part::sample ? tuning.set_batch : 1) * 1e-3,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  const double stream_flops = 11 * points;
  const double collide_flops = gas.cell_count() * (80 * velocities + 12.0 * size.samples);
  const double flops =
      (part == Part::collide ? 0 : stream_flops) + (part == Part::stream ? 0 : collide_flops);
  if (part == Part::sample) return;
  state.counters["GFLOP/s"] = rate(steps * flops * 1e-9);
  const double values = part == Part::step && !streams_while_colliding(gas) ? 4 : 2;
  state.counters["copy_share"] =
      rate(steps * points * values * sizeof(Real) * 1e-9 / copy_bandwidth());
}

template <class Real>
void add(const std::string& precision, const Size& size, const Tuning& tuning,
         const Collision& collision = {}) {
  const auto add_one = [&](const std::string& name, Part part) {
    const std::string label =
        name + "/" + precision + "/cells:" + std::to_string(size.cells) +
        "/velocities:" + std::to_string(size.velocities) +
        "/samples:" + std::to_string(size.samples) + "/lanes:" + std::to_string(tuning.lanes) +
        "/team:" + std::to_string(tuning.team_size) +
        (collision.estimator == Estimator::one_way ? "/one-way" : "") +
        (collision.conservation == Conservation::distribution ? "/distribution" : "") +
        (collision.update == Update::sequential ? "/sequential" : "");
    benchmark::RegisterBenchmark(
        label.c_str(),
        [=](benchmark::State& state) { run<Real>(state, part, size, tuning, collision); })
        ->UseRealTime()
        ->MinTime(0.1);
  };
  add_one("step", Part::step);
  add_one("stream", Part::stream);
  add_one("sample", Part::sample);
  add_one("collide", Part::collide);
}

}  // namespace

int main(int argc, char** argv) {
  const KokkosSession session;
  benchmark::Initialize(&argc, argv);
  const Tuning tuning = default_tuning<Space>();
  Collision nonlinear;
  nonlinear.perturbation_parameter = 0.01;
  if constexpr (has_device_backend) {
    for (const int lanes : {4, 2}) {
      for (const int team : {256, 512}) {
        add<float>("single", {160, 20, 6144}, {team, lanes, tuning.set_batch}, nonlinear);
      }
    }
    for (const int cells : {20, 40, 80, 320}) add<float>("single", {cells, 20, 6144}, tuning);
    add<float>("single", {160, 18, 4096}, tuning, nonlinear);
    add<double>("double", {160, 20, 6144}, tuning, nonlinear);
    Collision one_way = nonlinear;
    one_way.estimator = Estimator::one_way;
    Collision weighted = nonlinear;
    weighted.conservation = Conservation::distribution;
    Collision sequential = nonlinear;
    sequential.update = Update::sequential;
    for (const Collision& other : {one_way, weighted, sequential}) {
      add<float>("single", {80, 20, 6144}, tuning, other);
    }
  } else {
    add<float>("single", {24, 20, 6144}, tuning, nonlinear);
    add<double>("double", {24, 20, 6144}, tuning, nonlinear);
  }
  benchmark::AddCustomContext("copy_bandwidth_gb_s", std::to_string(copy_bandwidth()));
  benchmark::AddCustomContext("backends", available_backends());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
