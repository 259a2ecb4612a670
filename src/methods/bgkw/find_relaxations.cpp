#include "device/instantiate.hpp"
#include "methods/bgkw/kernels.hpp"

namespace knudsen::bgkw {
namespace {

/// Computes space.factors, the targets of the relaxation, from the known sums; some cells a team.
template <class ExecutionSpace, class Real, bool Conservative>
struct FindRelaxations {
  // Small teams, so that a few thousand cells occupy a GPU.
  static constexpr int cells_a_team = is_host_backend<ExecutionSpace> ? 32 : 8;
  static constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 4;
  static constexpr int lanes = is_host_backend<ExecutionSpace> ? 1 : 32;

  PhaseSpace<ExecutionSpace, Real> space;
  Collision collision;
  bool streams;  ///< the relaxation follows a streaming

  /// Relaxation of a cell: f <- kept_share f + relaxed_share maxwellian.
  struct Relaxation {
    Maxwellian maxwellian;
    double kept_share;     ///< exp(-rate dt)
    double relaxed_share;  ///< 1 - kept_share
  };
  using Moments = ScratchView<double* [5], ExecutionSpace>;
  using Relaxations = ScratchView<Relaxation*, ExecutionSpace>;

  auto policy(const ExecutionSpace& execution) const {
    TeamPolicy<ExecutionSpace> policy(
        execution, (space.cell_count() + cells_a_team - 1) / cells_a_team, team_size, lanes);
    policy.set_scratch_size(
        0, Kokkos::PerTeam(static_cast<int>(Moments::shmem_size(cells_a_team) +
                                            Relaxations::shmem_size(cells_a_team))));
    return policy;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const Moments moments(team.team_scratch(0), cells_a_team);
    const Relaxations relaxations(team.team_scratch(0), cells_a_team);
    const int first = team.league_rank() * cells_a_team;
    const int left_over = space.cell_count() - first;
    const int count = left_over < cells_a_team ? left_over : cells_a_team;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 5 * count), [&](int n) {
      const int cell = n / 5;
      if (!space.is_solid(first + cell)) moments(cell, n % 5) = moment(first + cell, n % 5);
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), [&](int cell) {
      if (space.is_solid(first + cell)) return;
      RawMoments<5> raw;
      for (int number = 0; number < 5; ++number) raw.value[number] = moments(cell, number);
      const Macroscopic state = macroscopic(raw);
      const CellTarget<BgkModel, Real> target =
          cell_target<BgkModel, Conservative>(space.velocities, state, collision);
      relaxations(cell) = {target.maxwellian, target.kept_share, target.relaxed_share};
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int cell) {
      if (space.is_solid(first + cell)) return;
      const Relaxation& to = relaxations(cell);
      Real* factors = space.factors_of(first + cell);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, space.factor_count()),
                           [&](int entry) { factors[entry] = factor(to, entry); });
    });
  }

 private:
  KOKKOS_INLINE_FUNCTION Real factor(const Relaxation& to, int entry) const {
    const auto& v = space.velocities;
    const int x = entry - v.row_length;
    const int y = x - v.count[0];
    if (y == v.count[1]) return static_cast<Real>(to.kept_share);
    const int component = x < 0 ? 2 : (y < 0 ? 0 : 1);
    const Real scale =
        component == 0 ? static_cast<Real>(to.relaxed_share * to.maxwellian.amplitude) : Real(1);
    return scale * v.factor(to.maxwellian, component, component == 2 ? entry : (y < 0 ? x : y));
  }

  /// A moment of the values to be relaxed: of the cell, or of the cell after streaming.
  KOKKOS_INLINE_FUNCTION double moment(int cell, int number) const {
    constexpr int max_directions = 6;
    const int directions = streams ? 2 * space.dimensions : 0;
    int neighbour[max_directions];
    double leaves[max_directions] = {};
    KNUDSEN_UNROLL
    for (int d = 0; d < max_directions; ++d)
      neighbour[d] = d < directions ? space.neighbour(cell, d) : 0;
    double sum = 0;
    for (int part = 0; part < space.parts; ++part) {
      sum += space.sums(cell, part, number);
      KNUDSEN_UNROLL
      for (int d = 0; d < max_directions; ++d) {
        if (d >= directions) continue;
        leaves[d] += space.sums(cell, part, 5 * (1 + d) + number);
        if (neighbour[d] >= 0) sum += space.sums(neighbour[d], part, 5 * (1 + (d ^ 1)) + number);
      }
    }
    KNUDSEN_UNROLL
    for (int d = 0; d < max_directions; ++d) {
      sum -= leaves[d];
      if (neighbour[d] < 0) sum += entering(-1 - neighbour[d], d, number, leaves[d]);
    }
    return sum;
  }
  /// Moment of the inflow across a face; `leaves` is that of the outflow.
  KOKKOS_INLINE_FUNCTION double entering(int face, int direction, int number, double leaves) const {
    const int surface = space.faces(face).surface;
    const InflowWeights<double> weights(space.diffuse(surface), space.face_density(face));
    return weights(space.surface_inflow(surface, direction, number),
                   mirrored_flux(number, space.reversed[direction], leaves));
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void find_relaxations(const StepContext<ExecutionSpace>& context,
                      const PhaseSpace<ExecutionSpace, Real>& space, bool streams) {
  const auto run = [&](auto conservative) {
    const FindRelaxations<ExecutionSpace, Real, conservative> kernel{space, context.collision,
                                                                     streams};
    Kokkos::parallel_for("knudsen/bgkw/relaxations", kernel.policy(context.execution), kernel);
  };
  if (context.collision.conservative) return run(std::true_type{});
  run(std::false_type{});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)       \
  template void find_relaxations<ExecutionSpace, Real>( \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, bool);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
