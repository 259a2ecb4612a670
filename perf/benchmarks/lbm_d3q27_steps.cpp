// Steps of the D3Q27 schemes for several sizes and storage formats, compared with the copy
// bandwidth measured in the same run. Counters: updates per second, and the share of the copy
// bandwidth, counting the values that an update must move and the three indices of a sparse node.

#include <benchmark/benchmark.h>

#include <string>

#include "device/backend.hpp"
#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/lattice_part.hpp"
#include "methods/lbm_d3q27/make_lattice.hpp"

namespace {

using namespace knudsen;
using namespace knudsen::lbm_d3q27;

double copy_bandwidth() {
  static const double gb_s = measure_copy_bandwidth(default_backend());
  return gb_s;
}

template <class LatticeType>
void steps(benchmark::State& state, int n, Propagation propagation, bool sparse,
           const std::string& collision_operator) {
  Domain domain;
  domain.nodes = {n, n, n};
  domain.populations = LatticeType::Velocities::populations;
  const NodeMap map = make_node_map(domain, sparse, propagation == Propagation::two_array,
                                    row_multiple<typename LatticeType::Precision>);
  ContextOf<LatticeType> context;
  context.parameters = rounded<typename LatticeType::Real>(CollisionParameters<double>{1.6});
  context.collision_operator = collision_operator;
  context.tuning = default_tuning<LatticeType>(sparse);
  auto lattice = make_lattice<LatticeType>(map, propagation, context.tuning);
  InitialFlow flow;
  flow.kind = InitialKind::uniform;
  flow.velocity[0] = 0.02;
  initialise(context, lattice, map, LatticePart(map), flow);
  int parity = 0;
  constexpr int batch = 10;
  const auto run = [&] {
    for (int i = 0; i < batch; ++i, parity ^= 1) step(context, lattice, parity);
    context.execution.fence();
  };
  run();
  for (auto unused : state) {
    static_cast<void>(unused);
    run();
  }
  const double updates =
      static_cast<double>(state.iterations()) * batch * static_cast<double>(map.all.fluid);
  const double bytes =
      2 * LatticeType::Velocities::populations * sizeof(typename LatticeType::Storage) +
      (sparse ? 3 * sizeof(NodeIndex) : 0);
  state.counters["updates/s"] = benchmark::Counter(updates, benchmark::Counter::kIsRate);
  state.counters["copy_share"] =
      benchmark::Counter(updates * bytes * 1e-9 / copy_bandwidth(), benchmark::Counter::kIsRate);
}

template <class Precision, class Velocities = D3Q27>
void add(const std::string& name, Propagation propagation, bool sparse,
         std::string collision_operator = Bgk::name) {
  const int largest = has_device_backend ? 384 : 128;
  for (const int n : {largest * 2 / 3, largest}) {
    benchmark::RegisterBenchmark((name + "/n:" + std::to_string(n)).c_str(),
                                 [=](benchmark::State& state) {
                                   steps<Lattice<DeviceExecutionSpace, Precision, Velocities>>(
                                       state, n, propagation, sparse, collision_operator);
                                 })
        ->UseRealTime()
        ->MinTime(0.2);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const KokkosSession session;
  benchmark::Initialize(&argc, argv);
  constexpr Propagation twist = Propagation::esoteric_twist;
  add<SinglePrecision>("esoteric-twist/single", twist, false);
  add<DoublePrecision>("esoteric-twist/double", twist, false);
  add<HalfStorage>("esoteric-twist/half-storage", twist, false);
  add<SinglePrecision>("esoteric-twist-sparse/single", twist, true);
  add<DoublePrecision>("esoteric-twist-sparse/double", twist, true);
  add<HalfStorage>("esoteric-twist-sparse/half-storage", twist, true);
  add<SinglePrecision>("esoteric-pull/single", Propagation::esoteric_pull, false);
  add<SinglePrecision>("aa-pattern/single", Propagation::aa_pattern, false);
  add<SinglePrecision>("two-array/single", Propagation::two_array, false);
  add<SinglePrecision, D3Q19>("D3Q19/single", twist, false);
  add<SinglePrecision>("trt/single", twist, false, Trt::name);
  add<SinglePrecision>("cascaded/single", twist, false, Cascaded::name);
  add<SinglePrecision>("cumulant/single", twist, false, Cumulant::name);
  benchmark::AddCustomContext("copy_bandwidth_gb_s", std::to_string(copy_bandwidth()));
  benchmark::AddCustomContext("backends", available_backends());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
