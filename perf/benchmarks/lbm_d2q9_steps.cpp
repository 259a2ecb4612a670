// Steps of the D2Q9 schemes over sizes and tunings, against the copy bandwidth of the same run.
// Counters: updates a second, and the share of the copy bandwidth by the 2 x 9 values an update
// must move.

#include <benchmark/benchmark.h>

#include <string>

#include "core/backend.hpp"
#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/make_lattice.hpp"

namespace {

using namespace knudsen;
using namespace knudsen::lbm_d2q9;

double copy_bandwidth() {
  static const double gb_s = measure_copy_bandwidth(default_backend());
  return gb_s;
}

/// A box with a moving lid: walls on all sides, so that boundary nodes are in the time.
template <class Real>
void steps(benchmark::State& state, Propagation propagation, Tuning tuning, int n) {
  std::array<SideCondition, 4> sides;
  for (SideCondition& side : sides) side.kind = SideKind::wall;
  sides[north].velocity = {0.05, 0};
  const NodeMap map = make_node_map(n, n, {}, {}, sides, WallTreatment::half_way, {});
  auto lattice = make_lattice<DeviceExecutionSpace, Real>(map, propagation, tuning);
  const Real omega = Real(1.6);
  const StepContext<DeviceExecutionSpace, Real> context{
      {}, {omega, omega, 0, 0}, CollisionOperator::bgk, Forcing::none, tuning};
  const std::size_t nodes = map.extents.nodes();
  InitialFields fields{std::vector<double>(nodes, 0.0), std::vector<double>(nodes, 0.01),
                       std::vector<double>(nodes, 0.02)};
  const Arrangement arrangement = propagation == Propagation::in_place ? Arrangement::in_place_even
                                  : propagation == Propagation::two_array ? Arrangement::gather
                                                                          : Arrangement::scatter;
  initialise(context, lattice, fields, arrangement);
  int parity = 0;
  const auto step = [&] {
    if (propagation == Propagation::in_place) step_in_place(context, lattice, parity);
    if (propagation == Propagation::two_array) step_two_array(context, lattice, parity);
    if (propagation == Propagation::shared_memory) {
      collide_propagate(context, lattice, parity);
      exchange(context, lattice);
    }
    parity ^= 1;
  };
  constexpr int batch = 20;
  for (int i = 0; i < batch; ++i) step();
  context.execution.fence();
  for (auto unused : state) {
    static_cast<void>(unused);
    for (int i = 0; i < batch; ++i) step();
    context.execution.fence();
  }
  const double updates = double(state.iterations()) * batch * n * n;
  state.counters["updates/s"] = benchmark::Counter(updates, benchmark::Counter::kIsRate);
  state.counters["copy_share"] = benchmark::Counter(
      updates * 18 * sizeof(Real) * 1e-9 / copy_bandwidth(), benchmark::Counter::kIsRate);
}

template <class Real>
void add(const std::string& precision, int n) {
  const auto add_one = [&](Propagation propagation, const std::string& name, Tuning tuning) {
    benchmark::RegisterBenchmark(
        (name + "/" + precision + "/n:" + std::to_string(n) + "/segment:" +
         std::to_string(tuning.segment) + "/team:" + std::to_string(tuning.team_size) +
         "/width:" + std::to_string(tuning.nodes_per_thread))
            .c_str(),
        [=](benchmark::State& state) { steps<Real>(state, propagation, tuning, n); })
        ->UseRealTime()
        ->MinTime(0.2);
  };
  if constexpr (has_device_backend) {
    for (const int team : {64, 128, 256, 512}) {
      for (const int width : {1, 2, 4}) {
        for (const int per_team : {1, 2}) {
          const Tuning tuning{team * width * per_team, team, width};
          add_one(Propagation::in_place, "in-place", tuning);
          if (per_team == 1) add_one(Propagation::two_array, "two-array", tuning);
        }
      }
      for (const int per_thread : {1, 2, 4}) {
        add_one(Propagation::shared_memory, "shared-memory", {team * per_thread, team, 1});
      }
    }
  } else {
    for (const int segment : {256, 1024, 16384}) {
      add_one(Propagation::in_place, "in-place", {segment, 1, 1});
      add_one(Propagation::two_array, "two-array", {segment, 1, 1});
      if (segment <= 1024) add_one(Propagation::shared_memory, "shared-memory", {segment, 1, 1});
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const KokkosSession session;
  benchmark::Initialize(&argc, argv);
  const int n = has_device_backend ? 4096 : 2048;
  add<float>("single", n);
  add<double>("double", n);
  benchmark::AddCustomContext("copy_bandwidth_gb_s", std::to_string(copy_bandwidth()));
  benchmark::AddCustomContext("backends", available_backends());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
