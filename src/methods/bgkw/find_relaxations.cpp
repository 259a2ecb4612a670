#include "core/instantiate.hpp"
#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {
namespace {

/// A thread a cell: what it relaxes to, from the known sums.
template <class ExecutionSpace, class Real>
struct FindRelaxation {
  PhaseSpace<ExecutionSpace, Real> space;
  Collision collision;
  bool streams;  ///< before it relaxes

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto cell = static_cast<int>(index);
    if (space.is_solid(cell)) return;
    RawMoments<5> raw;
    for (int number = 0; number < 5; ++number) raw.value[number] = moment(cell, number);
    const Macroscopic state = macroscopic(raw);
    const auto set = [&](const CellTarget<Real>& target) {
      space.relaxations(cell) = {target.maxwellian, target.keep, target.gone};
    };
    if (collision.conservative) {
      set(cell_target<CollisionModel::bgk, true>(space.velocities, state, collision));
    } else {
      set(cell_target<CollisionModel::bgk, false>(space.velocities, state, collision));
    }
  }

 private:
  /// A sum of a cell over all parts.
  KOKKOS_INLINE_FUNCTION double total(int cell, int number) const {
    double sum = 0;
    for (int part = 0; part < space.parts; ++part) sum += space.sums(cell, part, number);
    return sum;
  }

  /// A moment of a cell's values as they are to be relaxed.
  KOKKOS_INLINE_FUNCTION double moment(int cell, int number) const {
    double sum = total(cell, number);
    for (int direction = 0; streams && direction < 2 * space.dimensions; ++direction) {
      const double leaves = total(cell, 5 * (1 + direction) + number);
      const int neighbour = space.neighbour(cell, direction);
      if (neighbour >= 0) {
        sum += total(neighbour, 5 * (1 + (direction ^ 1)) + number) - leaves;
        continue;
      }
      const int face = -1 - neighbour;
      const int surface = space.faces(face).surface;
      const double diffuse = space.diffuse(surface);
      const double sent = diffuse * double(space.face_density(face)) *
                          space.surface_inflow(surface, direction, number);
      const double mirrored = number == 1 + direction / 2 ? -leaves : leaves;
      sum += sent + (1 - diffuse) * mirrored - leaves;
    }
    return sum;
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void find_relaxations(const StepContext<ExecutionSpace>& context,
                      const PhaseSpace<ExecutionSpace, Real>& space, bool streams) {
  const int cells = space.cell_count();
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("knudsen/bgkw/relaxations", Policy(context.execution, 0, cells),
                       FindRelaxation<ExecutionSpace, Real>{space, context.collision, streams});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)       \
  template void find_relaxations<ExecutionSpace, Real>( \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, bool);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
