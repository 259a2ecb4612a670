// Steps of the D2Q9 schemes for several sizes and tunings, compared with the copy bandwidth
// measured in the same run. Counters: updates per second, and the share of the copy bandwidth,
// counting the 2 x 9 values that an update must move.

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <utility>

#include "device/backend.hpp"
#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/make_lattice.hpp"

namespace {

using namespace knudsen;
using namespace knudsen::lbm_d2q9;

double copy_bandwidth() {
  static const double gb_s = measure_copy_bandwidth(default_backend());
  return gb_s;
}

/// A box with a moving lid. It has walls on all sides, so that the time includes boundary nodes.
/// With `circles`, solid circles of radius 50 cover a tenth of it.
NodeMap box(int n, bool circles) {
  std::array<SideCondition, 4> sides;
  for (SideCondition& side : sides) side.kind = SideKind::wall;
  sides[north].velocity = {0.05, 0};
  std::vector<std::int16_t> body;
  if (circles) {
    constexpr int spacing = 280;
    const auto from_centre = [&](int x) {
      return x < n / spacing * spacing ? x % spacing - spacing / 2 : spacing;
    };
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const int dx = from_centre(x);
        const int dy = from_centre(y);
        body.push_back(dx * dx + dy * dy < 50 * 50 ? 0 : -1);
      }
    }
  }
  return make_node_map(n, n, body, {{0, 0}}, sides, WallTreatment::half_way, {});
}

const NodeMap& shared_box(int n, bool circles) {
  static std::map<std::pair<int, bool>, NodeMap> maps;
  const auto found = maps.find({n, circles});
  return found != maps.end() ? found->second
                             : maps.emplace(std::pair(n, circles), box(n, circles)).first->second;
}

/// The number of updates includes solid nodes.
template <class Real>
void steps(benchmark::State& state, Propagation propagation, Tuning tuning, int n, bool circles) {
  const NodeMap& map = shared_box(n, circles);
  auto lattice = make_lattice<DeviceExecutionSpace, Real>(map, propagation, tuning);
  const Real omega = Real(1.6);
  const StepContext<DeviceExecutionSpace, Real> context{
      {}, {omega, omega}, Bgk::name, Forcing::none, tuning};
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

constexpr std::pair<Propagation, const char*> propagations[] = {
    {Propagation::in_place, "in-place"},
    {Propagation::two_array, "two-array"},
    {Propagation::shared_memory, "shared-memory"}};

template <class Real>
void add(Propagation propagation, const std::string& name, Tuning tuning, int n,
         bool circles = false) {
  const std::string precision = sizeof(Real) == sizeof(float) ? "single" : "double";
  benchmark::RegisterBenchmark(
      (name + "/" + precision + (circles ? "/circles" : "/box") + "/n:" + std::to_string(n) +
       "/segment:" + std::to_string(tuning.segment) + "/team:" + std::to_string(tuning.team_size) +
       "/width:" + std::to_string(tuning.nodes_per_thread))
          .c_str(),
      [=](benchmark::State& state) { steps<Real>(state, propagation, tuning, n, circles); })
      ->UseRealTime()
      ->MinTime(0.1);
}

/// The default tuning for all sizes, and other tunings for one size.
template <class Real>
void add_all() {
  const int n = has_device_backend ? 4096 : 2048;
  for (const auto& [propagation, name] : propagations) {
    const Tuning tuning = default_tuning<DeviceExecutionSpace>(propagation, sizeof(Real));
    for (const int size : {n / 4, n, 2 * n}) add<Real>(propagation, name, tuning, size);
    add<Real>(propagation, name, tuning, n, true);
    if constexpr (has_device_backend) {
      for (const int team : {64, 96, 128, 192, 256}) {
        for (const int width : {1, 2, 4}) {
          add<Real>(propagation, name, {team * width, team, width}, n);
        }
      }
    } else {
      for (const int segment : {256, 1024}) add<Real>(propagation, name, {segment, 1, 1}, n);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const KokkosSession session;
  benchmark::Initialize(&argc, argv);
  add_all<float>();
  add_all<double>();
  benchmark::AddCustomContext("copy_bandwidth_gb_s", std::to_string(copy_bandwidth()));
  benchmark::AddCustomContext("backends", available_backends());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
