#include "methods/bgkw/side_flow.hpp"

#include <optional>

#include "device/instantiate.hpp"
#include "methods/bgkw/cut_cells.hpp"
#include "methods/bgkw/ghost_cells.hpp"
#include "methods/bgkw/wall_scattering.hpp"

namespace knudsen::bgkw {
namespace {

/// Sets the density of the Maxwellian re-emitted at each wall face, one team a face.
template <class ExecutionSpace, class Real>
struct WallDensity {
  PhaseSpace<ExecutionSpace, Real> space;
  int axis;  ///< faces across this axis; -1: all faces

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int number = team.league_rank();
    const Face face = space.faces(number);
    if (space.needs_density(face.surface) == 0 || (axis >= 0 && face.direction / 2 != axis)) return;
    double leaving[1] = {0};
    sum_leaving(team, space, face, leaving);
    if (team.team_rank() == 0) balance_face(space, number, face, leaving[0]);
  }
};

/// As WallDensity, from the known outflow sums; one thread a face.
template <class ExecutionSpace, class Real>
struct KnownWallDensity {
  PhaseSpace<ExecutionSpace, Real> space;

  KOKKOS_INLINE_FUNCTION void operator()(int number) const {
    const Face face = space.faces(number);
    if (space.needs_density(face.surface) == 0) return;
    double leaving = 0;
    for (int part = 0; part < space.parts; ++part) {
      leaving += space.sums(face.cell, part, 5 * (1 + face.direction));
    }
    balance_face(space, number, face, leaving);
  }
};

/// Moments of the outflow across each face, one team a face.
template <class ExecutionSpace, class Real>
struct SumFace {
  PhaseSpace<ExecutionSpace, Real> space;
  View<double* [5], ExecutionSpace> sums;  ///< (face, moment)

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int number = team.league_rank();
    double leaving[5] = {0, 0, 0, 0, 0};
    sum_leaving(team, space, space.faces(number), leaving);
    if (team.team_rank() == 0) {
      for (int i = 0; i < 5; ++i) sums(number, i) = leaving[i];
    }
  }
};

/// Moments of the inflow of a surface's Maxwellian across one face in a step. `values` are the
/// Maxwellians on the host, indexed (surface, velocity). Not half_range_flux, whose sums are of
/// exact values: these are the rounded ones that streaming lets in, so that no mass is lost.
template <class ExecutionSpace, class Real, class Maxwellians>
SurfaceFlux entering_sums(const PhaseSpace<ExecutionSpace, Real>& space,
                          const VelocitySpace<HostExecutionSpace, Real>& velocities,
                          const Maxwellians& values, std::size_t surface, int direction) {
  const int axis = direction / 2;
  double sums[5] = {0, 0, 0, 0, 0};
  std::size_t place = 0;
  for (int i = 0; i < velocities.count[0]; ++i) {
    for (int q = 0; q < velocities.plane; ++q, ++place) {
      const Real velocity = axis == 0   ? velocities.nodes[0](i)
                            : axis == 1 ? velocities.y(q)
                                        : velocities.z(q);
      const Real entering = space.crossing[axis] * (direction % 2 == 1 ? -velocity : velocity);
      if (entering > 0) {
        add_flow(velocities, i, q, double(entering) * double(values(surface, place)), sums);
      }
    }
  }
  return {sums[0], sums[1], sums[2], sums[3], sums[4]};
}

template <class ExecutionSpace, class Real>
auto face_policy(const StepContext<ExecutionSpace>& context,
                 const PhaseSpace<ExecutionSpace, Real>& space, int sums) {
  const int faces = static_cast<int>(space.faces.extent(0));
  return team_policy(context, faces,
                     team_sum_bytes<ExecutionSpace, double>(sums, context.tuning.team_size));
}

/// Fluxes across all faces in a streaming along their axes from the current state.
template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> fluxes_now(const StepContext<ExecutionSpace>& context,
                                    const PhaseSpace<ExecutionSpace, Real>& space,
                                    const std::array<double, 3>& spacing_over_step) {
  exchange_values(context, space);
  update_wall_density(context, space);
  const View<double* [5], ExecutionSpace> sums("face sums", space.faces.extent(0));
  Kokkos::parallel_for("knudsen/bgkw/face_fluxes", face_policy(context, space, 5),
                       SumFace<ExecutionSpace, Real>{space, sums});
  const auto to_host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto leaving = to_host(sums);
  const auto density = to_host(space.face_density);
  const auto diffuse = to_host(space.diffuse);
  const auto faces = to_host(space.faces);
  const auto velocities = host_copy(space.velocities);
  const auto maxwellians = to_host(space.surface_maxwellian);
  std::vector<std::array<std::optional<SurfaceFlux>, 6>> entering(diffuse.extent(0));
  std::vector<SurfaceFlux> fluxes(faces.extent(0));
  for (std::size_t n = 0; n < fluxes.size(); ++n) {
    const Face face = faces(n);
    const auto surface = static_cast<std::size_t>(face.surface);
    auto& sent = entering[surface][static_cast<std::size_t>(face.direction)];
    if (!sent) sent = entering_sums(space, velocities, maxwellians, surface, face.direction);
    const auto axis = static_cast<std::size_t>(face.direction / 2);
    const InflowWeights<double> weights(diffuse(surface), density(n));
    for (int i = 0; i < flux_count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      fluxes[n][at] =
          net_flux(weights, i, space.reversed[face.direction], leaving(n, at), (*sent)[at]) *
          spacing_over_step[axis];
    }
  }
  const std::vector<SurfaceFlux> in_cells = facet_fluxes(context, space);
  fluxes.insert(fluxes.end(), in_cells.begin(), in_cells.end());
  return fluxes;
}

}  // namespace

template <class ExecutionSpace, class Real>
void set_surface_inflow(PhaseSpace<ExecutionSpace, Real>& space) {
  const std::size_t surfaces = space.surface_maxwellian.extent(0);
  const auto directions = 2 * static_cast<std::size_t>(space.dimensions);
  space.surface_inflow =
      View<double** [5], ExecutionSpace>("inflow from surfaces", surfaces, directions);
  const auto inflow = Kokkos::create_mirror_view(space.surface_inflow);
  const auto velocities = host_copy(space.velocities);
  const auto maxwellians =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.surface_maxwellian);
  const auto faces = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.faces);
  std::vector<bool> known(surfaces * directions, false);
  for (std::size_t number = 0; number < faces.extent(0); ++number) {
    const auto surface = static_cast<std::size_t>(faces(number).surface);
    const auto n = static_cast<std::size_t>(faces(number).direction);
    if (faces(number).surface >= space.first_scattering) continue;
    if (known[surface * directions + n]) continue;
    known[surface * directions + n] = true;
    const SurfaceFlux sent =
        entering_sums(space, velocities, maxwellians, surface, static_cast<int>(n));
    for (std::size_t i = 0; i < 5; ++i) inflow(surface, n, i) = (i == 4 ? 2 : 1) * sent[i];
  }
  Kokkos::deep_copy(space.surface_inflow, inflow);
}

template <class ExecutionSpace, class Real>
void update_wall_density(const StepContext<ExecutionSpace>& context,
                         const PhaseSpace<ExecutionSpace, Real>& space, int axis) {
  update_facet_emission(context, space);
  const int faces = static_cast<int>(space.faces.extent(0));
  if (faces == 0) return;
  scatter_at_walls(context, space, axis);
  if (space.known == KnownSums::flows && axis < 0) {
    using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>;
    Kokkos::parallel_for("knudsen/bgkw/wall_density", Policy(context.execution, 0, faces),
                         KnownWallDensity<ExecutionSpace, Real>{space});
    return;
  }
  Kokkos::parallel_for("knudsen/bgkw/wall_density", face_policy(context, space, 1),
                       WallDensity<ExecutionSpace, Real>{space, axis});
}

template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> face_fluxes(const StepContext<ExecutionSpace>& context,
                                     const PhaseSpace<ExecutionSpace, Real>& space,
                                     const std::array<double, 3>& spacing_over_step) {
  std::vector<SurfaceFlux> fluxes = fluxes_now(context, space, spacing_over_step);
  if (!space.split || space.dimensions != 2) return fluxes;
  // The sweeps alternate in order, so the flux of an axis is the mean of that before and after the
  // sweep along the other axis.
  const auto faces = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.faces);
  for (int axis = 0; axis < 2; ++axis) {
    PhaseSpace<ExecutionSpace, Real> swept = space;
    update_wall_density(context, swept, 1 - axis);
    stream(context, swept, 1 - axis);
    const auto after = fluxes_now(context, swept, spacing_over_step);
    for (std::size_t n = 0; n < fluxes.size(); ++n) {
      if (faces(n).direction / 2 != axis) continue;
      for (std::size_t i = 0; i < 5; ++i) fluxes[n][i] = 0.5 * (fluxes[n][i] + after[n][i]);
    }
  }
  return fluxes;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                            \
  template void set_surface_inflow<ExecutionSpace, Real>(PhaseSpace<ExecutionSpace, Real>&); \
  template void update_wall_density<ExecutionSpace, Real>(                                   \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, int);     \
  template std::vector<SurfaceFlux> face_fluxes<ExecutionSpace, Real>(                       \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&,           \
      const std::array<double, 3>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
