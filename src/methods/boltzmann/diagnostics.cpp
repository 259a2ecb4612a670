#include "methods/boltzmann/diagnostics.hpp"

#include "device/instantiate.hpp"
#include "kinetic/moments.hpp"
#include "methods/boltzmann/team.hpp"

namespace knudsen::boltzmann {
namespace {

constexpr int moment_count = 14;

/// Thirteen raw moments of h, in the order of RawMoments<13>, and the entropy.
struct CellSums {
  double value[moment_count] = {};

  KOKKOS_INLINE_FUNCTION CellSums& operator+=(const CellSums& other) {
    for (int i = 0; i < moment_count; ++i) value[i] += other.value[i];
    return *this;
  }
};

/// ((1 + x) ln(1 + x) - x) / e^2 for x = e h, by its series where x is small; h^2 / 2 for e = 0.
KOKKOS_INLINE_FUNCTION double entropy_density(double h, double e) {
  const double x = e * h;
  if (math::fabs(x) < 1e-2) {
    return h * h * (1.0 / 2 - x * (1.0 / 6 - x * (1.0 / 12 - x * (1.0 / 20 - x / 30))));
  }
  return x > -1 ? ((1 + x) * std::log1p(x) - x) / (e * e) : 1 / (e * e);
}

/// Sums the moments of h; one team per cell.
template <class ExecutionSpace, class Real>
struct SumCell {
  State<ExecutionSpace, Real> state;
  double perturbation_parameter;
  View<double* [moment_count], ExecutionSpace> moments;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& v = state.velocities;
    const Real* values = state.values(state.h, team.league_rank());
    const auto total = team_sum<CellSums>(team, v.size(), [&](int place, CellSums& partial) {
      const int row = place / v.row_length;
      const int k = place - row * v.row_length;
      if (k >= v.count[2]) return;
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      const double h = double(values[place]);
      const double weight =
          double(v.weights[0](i)) * double(v.weights[1](j)) * double(v.weights[2](k));
      RawMoments<13> raw;
      const double y = v.nodes[1](j);
      const double z = v.nodes[2](k);
      const double square = y * y + z * z;
      raw.add(v.nodes[0](i), weight * h,
              PlaneSums<13, double>{{1, y, z, y * y, z * z, y * z, square * y, square * z}});
      for (int n = 0; n < 13; ++n) partial.value[n] += raw.value[n];
      partial.value[13] += weight * entropy_density(h, perturbation_parameter);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      for (int n = 0; n < moment_count; ++n) moments(team.league_rank(), n) = total.value[n];
    });
  }
};

/// Eqs. (9) to (12), with v in units of sqrt(2 R T_0).
Deviation macroscopic_deviation(const double (&m)[moment_count], double e) {
  Deviation d;
  d.density = m[0];
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    d.velocity[i] = m[1 + i] / (1 + e * m[0]);
    square += d.velocity[i] * d.velocity[i];
  }
  const double energy = m[4] + m[5] + m[6];
  d.temperature = (2.0 / 3 * energy - m[0]) / (1 + e * m[0]) - 2.0 / 3 * e * square;
  constexpr int first[6] = {0, 1, 2, 0, 1, 0};
  constexpr int second[6] = {0, 1, 2, 1, 2, 2};
  double flow[3];  // deviation of the pressure tensor times the velocity
  for (int i = 0; i < 6; ++i) {
    const double product = d.velocity[first[i]] * d.velocity[second[i]];
    d.stress[i] = 2 * m[4 + i] - 2 * e * (1 + e * m[0]) * product;
  }
  for (int i = 0; i < 3; ++i) {
    flow[i] = 0;
    for (int j = 0; j < 3; ++j) {
      constexpr int place[3][3] = {{4, 7, 9}, {7, 5, 8}, {9, 8, 6}};
      flow[i] += 2 * m[place[i][j]] * d.velocity[j];
    }
    const double u = d.velocity[i];
    d.heat_flux[i] =
        m[10 + i] - 2.5 * u - e * (energy * u + flow[i]) + 2 * e * e * (1 + e * m[0]) * square * u;
  }
  d.entropy = m[13];
  return d;
}

/// Net outward flux of mass, momentum along x, y and z, and energy.
struct FluxSums {
  double value[5] = {};

  KOKKOS_INLINE_FUNCTION FluxSums& operator+=(const FluxSums& other) {
    for (int i = 0; i < 5; ++i) value[i] += other.value[i];
    return *this;
  }
};

}  // namespace
}  // namespace knudsen::boltzmann

namespace Kokkos {
template <>
struct reduction_identity<knudsen::boltzmann::CellSums> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::boltzmann::CellSums sum() { return {}; }
};
template <>
struct reduction_identity<knudsen::boltzmann::FluxSums> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::boltzmann::FluxSums sum() { return {}; }
};
}  // namespace Kokkos

namespace knudsen::boltzmann {
namespace {

/// Sums the fluxes through a face; one team per face. Not net_flux: the flux of h is summed as
/// streaming sums it, since that at rest, which h leaves out, is far greater.
template <class ExecutionSpace, class Real>
struct SumFace {
  State<ExecutionSpace, Real> state;
  int side;
  View<double* [5], ExecutionSpace> sums;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& v = state.velocities;
    const int face = team.league_rank();
    const int axis = side / 2;
    const double outwards = side % 2 == 0 ? -1 : 1;
    const Cell cell = cell_beside(state, side, face);
    const auto outflow = outflow_through(state, side, cell);
    const Neighbour<Real> beyond = neighbour(state, cell, axis, side % 2 == 0 ? -1 : 1);
    const auto total = team_sum<FluxSums>(team, v.size(), [&](int place, FluxSums& partial) {
      const int row = place / v.row_length;
      const int k = place - row * v.row_length;
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      const double x = v.nodes[0](i);
      const double y = v.nodes[1](j);
      const double z = v.nodes[2](k);
      const double speed = outwards * double(state.node(axis, i, j, k));
      double h = speed > 0 ? double(outflow(place, static_cast<Real>(speed)))
                           : double(beyond.values[place]);
      if (speed < 0 && beyond.gain != nullptr) {
        h += double(beyond.density) * double(beyond.gain[place]);
      }
      const double flow =
          speed * double(v.weights[0](i)) * double(v.weights[1](j)) * double(v.weights[2](k)) * h;
      const double carried[5] = {1, x, y, z, 0.5 * (x * x + y * y + z * z)};
      for (int n = 0; n < 5; ++n) partial.value[n] += flow * carried[n];
    });
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      for (int n = 0; n < 5; ++n) sums(face, n) = total.value[n];
    });
  }
};

template <class ExecutionSpace>
TeamPolicy<ExecutionSpace> team_policy(const StepContext<ExecutionSpace>& context, int league) {
  return TeamPolicy<ExecutionSpace>(context.execution, league,
                                    is_host_backend<ExecutionSpace> ? 1 : 128, 1);
}

}  // namespace

double speed_of(const Deviation& state) {
  return std::hypot(state.velocity[0], state.velocity[1], state.velocity[2]);
}

template <class ExecutionSpace, class Real>
std::vector<Deviation> deviations(const StepContext<ExecutionSpace>& context,
                                  const State<ExecutionSpace, Real>& state) {
  const double e = context.collision.perturbation_parameter;
  const View<double* [moment_count], ExecutionSpace> moments(
      "moments", static_cast<std::size_t>(state.cell_count()));
  Kokkos::parallel_for("knudsen/boltzmann/deviations", team_policy(context, state.cell_count()),
                       SumCell<ExecutionSpace, Real>{state, e, moments});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), moments);
  std::vector<Deviation> result;
  for (std::size_t cell = 0; cell < host.extent(0); ++cell) {
    double raw[moment_count];
    for (int n = 0; n < moment_count; ++n) raw[n] = host(cell, n);
    result.push_back(macroscopic_deviation(raw, e));
  }
  return result;
}

template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> wall_fluxes(const StepContext<ExecutionSpace>& context,
                                     const State<ExecutionSpace, Real>& state, int side) {
  // Beyond ghosts a side belongs to another rank.
  const bool ghosts =
      side % 2 == 0 ? state.begin[side / 2] < 0 : state.end[side / 2] > state.cells[side / 2];
  if (ghosts || state.cell_count() == 0) return {};
  update_wall_density(context, state);
  const View<double* [5], ExecutionSpace> sums("fluxes",
                                               static_cast<std::size_t>(state.faces(side)));
  Kokkos::parallel_for("knudsen/boltzmann/wall_fluxes", team_policy(context, state.faces(side)),
                       SumFace<ExecutionSpace, Real>{state, side, sums});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  std::vector<SurfaceFlux> fluxes(host.extent(0));
  for (std::size_t face = 0; face < fluxes.size(); ++face) {
    for (std::size_t n = 0; n < 5; ++n) fluxes[face][n] = host(face, n);
  }
  return fluxes;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                              \
  template std::vector<Deviation> deviations<ExecutionSpace, Real>(            \
      const StepContext<ExecutionSpace>&, const State<ExecutionSpace, Real>&); \
  template std::vector<SurfaceFlux> wall_fluxes<ExecutionSpace, Real>(         \
      const StepContext<ExecutionSpace>&, const State<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
