// Gomes 2016 as printed.
//
//   paper_gomes_2016 times                Tables 4 and 5: a step of the shared-memory scheme in
//                                         double precision, alone and as in the thesis's program
//   paper_gomes_2016 cavity RE TAU NODES  the cavity of figures 24 and 26, whose lid is too fast
//   for
//                                         `knudsen run` (Mach 0.45 and 0.68)
//
// Both print a table of comma-separated values.

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "command_line.hpp"
#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/flow_analysis.hpp"
#include "methods/lbm_d2q9/make_lattice.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

using Execution = DeviceExecutionSpace;
using Real = double;
using Context = StepContext<Execution, Real>;
using State = Lattice<Execution, Real>;

/// Density and velocity of every node from the populations that it holds, as three fields.
struct Moments {
  View<const Real*, Execution> populations;
  View<Real* [3], Execution> moments;
  Extents extents;

  KOKKOS_INLINE_FUNCTION void operator()(const int node) const {
    Real density = 1;
    Real momentum_x = 0;
    Real momentum_y = 0;
    for (int q = 0; q < 9; ++q) {
      const Real g = populations(static_cast<std::size_t>(q) * extents.plane() +
                                 static_cast<std::size_t>(node));
      density += g;
      momentum_x += D2Q9::cx(q) * g;
      momentum_y += D2Q9::cy(q) * g;
    }
    moments(node, 0) = density;
    moments(node, 1) = momentum_x / density;
    moments(node, 2) = momentum_y / density;
  }
};

void rest(const Context& context, State& state) {
  const std::vector<double> zeros(state.extents.nodes(), 0.0);
  initialise(context, state, {zeros, zeros, zeros}, Arrangement::scatter);
}

/// Microseconds a step of Poiseuille flow on nodes x nodes, the two layers of walls included.
double step_microseconds(int nodes, int width, bool as_in_thesis) {
  std::array<SideCondition, 4> sides;
  sides[south].kind = sides[north].kind = SideKind::wall;
  const NodeMap map = make_node_map(nodes, nodes - 2, {}, {}, sides, WallTreatment::full_way, {});
  const Tuning tuning = is_host_backend<Execution> ? Tuning{width, 1, 1} : Tuning{width, width, 1};
  CollisionParameters<double> parameters{1.0};
  parameters.force[0] = 1e-6;
  const Context context{{}, rounded<Real>(parameters), Bgk::name, Forcing::velocity_shift, tuning};
  State state = make_lattice<Execution, Real>(map, Propagation::shared_memory, tuning);
  rest(context, state);
  const View<Real* [3], Execution> moments("moments", state.extents.nodes());
  const Kokkos::View<Real*, Kokkos::HostSpace> host("host", state.populations.extent(0));
  int parity = 0;
  const auto step = [&] {
    collide_propagate(context, state, parity);
    exchange(context, state);
    parity ^= 1;
    if (as_in_thesis) {
      Kokkos::parallel_for("moments",
                           Kokkos::RangePolicy<Execution>(context.execution, 0,
                                                          static_cast<int>(state.extents.nodes())),
                           Moments{state.populations, moments, state.extents});
      Kokkos::deep_copy(host, state.populations);
    }
  };
  return 1e6 * median_step_seconds(
                   step, [&] { context.execution.fence(); }, 0.2);
}

void print_times() {
  print_origin();
  std::printf("# double precision, shared-memory scheme; median of at least seven batches\n");
  std::printf("nodes,threads,steps_alone,moments_and_copy\n");
  for (const int nodes : {32, 64, 128, 256}) {
    for (const int width : {4, 8, 16, 32}) {
      std::printf("%d,%d,%.5g,%.5g\n", nodes, width, step_microseconds(nodes, width, false),
                  step_microseconds(nodes, width, true));
      std::fflush(stdout);
    }
  }
}

/// Populations of the steady cavity; prints the flow over the lid's speed, the sides' length one.
///
/// The thesis's nodes include a layer of solid ones at three sides; the lid is the uppermost row.
void print_cavity(double reynolds, double relaxation_time, int nodes) {
  const double speed = reynolds * (2 * relaxation_time - 1) / 6 / nodes;
  std::array<SideCondition, 4> sides;
  for (SideCondition& side : sides) side.kind = SideKind::wall;
  sides[north].kind = SideKind::velocity;
  sides[north].velocity = {speed, 0};
  const int nx = nodes - 2;
  const int ny = nodes - 1;
  const NodeMap map = make_node_map(nx, ny, {}, {}, sides, WallTreatment::full_way, {});
  const Tuning tuning = default_tuning<Execution>(Propagation::shared_memory, sizeof(Real));
  const Context context{{}, rounded<Real>({1 / relaxation_time}), Bgk::name, Forcing::none, tuning};
  State state = make_lattice<Execution, Real>(map, Propagation::shared_memory, tuning);
  rest(context, state);
  const View<Real* [2], Execution> remembered("remembered", state.extents.nodes());
  int steps = 0;
  double change = 1;
  const auto phase = [&] { return StepPhase{Arrangement::scatter, steps & 1}; };
  const auto step = [&] {
    collide_propagate(context, state, steps & 1);
    exchange(context, state);
    ++steps;
  };
  while (change > 1e-6 && steps < 2000000) {
    for (int i = 0; i < 99; ++i) step();
    remember_velocity(context, state, phase(), remembered);
    step();
    const FlowSums sums = flow_sums(context, state, phase(), remembered);
    change = std::sqrt(static_cast<double>(map.fluid_nodes) * sums.change_squared) / sums.speed;
    if (!std::isfinite(sums.kinetic_energy)) throw std::runtime_error("the flow is not finite");
  }
  const auto values = [&](NodeQuantity quantity) {
    const auto host = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), node_values(context, state, phase(), quantity));
    std::vector<Real> found;
    for (int y = 0; y < ny; ++y) {
      const Real* row = host.data() + map.extents.node(map.offset[0], y + map.offset[1]);
      found.insert(found.end(), row, row + nx);
    }
    return found;
  };
  const std::vector<Real> u = values(NodeQuantity::velocity_x);
  const std::vector<Real> v = values(NodeQuantity::velocity_y);
  const std::vector<Real> density = values(NodeQuantity::density_deviation);
  const PlaneFlow flow{nx, ny, u, v, {false, false}};
  const std::vector<double> psi = stream_function(flow);
  const auto range = std::minmax_element(density.begin(), density.end());

  print_origin();
  std::printf("# Re %g, tau %g, %d x %d nodes with their walls; lid's speed %.6g, Mach %.4f\n",
              reynolds, relaxation_time, nodes, nodes, speed, speed * std::sqrt(3.0));
  std::printf("# %d steps, change of the velocity in the last %.3g; density %.4f to %.4f\n", steps,
              change, 1 + *range.first, 1 + *range.second);
  // Walls are half a spacing outside, the lid is the uppermost row.
  const double width = nx;
  const double height = ny - 0.5;
  std::printf("what,x,y,value\n");
  for (const Vortex& vortex : vortices(flow, psi, 8, 1e-5)) {
    std::printf("vortex,%.5f,%.5f,%.6g\n", vortex.x / width, vortex.y / height,
                vortex.stream_function / (speed * height));
  }
  for (int y = 0; y < ny; ++y) {
    const std::size_t right = flow.node(nx / 2, y);
    std::printf("u,0.5,%.6f,%.6g\n", (y + 0.5) / height, (u[right - 1] + u[right]) / 2 / speed);
  }
  const int middle = ny / 2;  // the row of nodes next to half the height
  for (int x = 0; x < nx; ++x) {
    const std::size_t node = flow.node(x, middle);
    std::printf("v,%.6f,%.6f,%.6g\n", (x + 0.5) / width, (middle + 0.5) / height, v[node] / speed);
  }
  for (int y = 0; y < ny; y += 4) {
    for (int x = 0; x < nx; x += 4) {
      std::printf("psi,%.4f,%.4f,%.4g\n", (x + 0.5) / width, (y + 0.5) / height,
                  psi[flow.node(x, y)] / (speed * height));
    }
  }
}

}  // namespace
}  // namespace knudsen::lbm_d2q9

int main(int argc, char** argv) {
  const knudsen::KokkosSession session;
  try {
    if (argc == 2 && std::strcmp(argv[1], "times") == 0) {
      knudsen::lbm_d2q9::print_times();
    } else if (argc == 5 && std::strcmp(argv[1], "cavity") == 0) {
      knudsen::lbm_d2q9::print_cavity(std::atof(argv[2]), std::atof(argv[3]), std::atoi(argv[4]));
    } else {
      std::fprintf(stderr, "usage: paper_gomes_2016 times | cavity REYNOLDS TAU NODES\n");
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "paper_gomes_2016: %s\n", error.what());
    return 1;
  }
  return 0;
}
