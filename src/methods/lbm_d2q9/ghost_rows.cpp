#include "methods/lbm_d2q9/ghost_rows.hpp"

#include "device/instantiate.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// The populations that move up, and those that move down: three of the flow, one of the scalar.
struct Populations {
  int of[4];
};
constexpr Populations upward{{2, 5, 6, 9 + 2}};
constexpr Populations downward{{4, 7, 8, 9 + 4}};

/// The populations whose slots in the ghost row stand for slots of the row after the slab.
constexpr Populations of_row_after(Arrangement arrangement) {
  return arrangement == Arrangement::gather ? downward : upward;
}
constexpr Populations of_row_before(Arrangement arrangement) {
  return arrangement == Arrangement::gather ? upward : downward;
}

/// Copies the slots of the populations in a row to a buffer.
template <class ExecutionSpace, class Real>
struct SaveRow {
  Lattice<ExecutionSpace, Real> lattice;
  Populations populations;
  int y;
  Real* buffer;  ///< (population, x)

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t value) const {
    const auto i = static_cast<int>(value);
    const int k = i / lattice.extents.nx;
    const int x = i - k * lattice.extents.nx;
    buffer[i] =
        lattice.populations
            .data()[populations.of[k] * lattice.extents.plane() + lattice.extents.node(x, y)];
  }
};

/// Copies a buffer to the slots of the populations in a row.
template <class ExecutionSpace, class Real>
struct LoadRow {
  Lattice<ExecutionSpace, Real> lattice;
  Populations populations;
  int y;
  const Real* buffer;
  Accept accept;
  bool gather;  ///< the slot of population q is on the link of incoming opposite(q)

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t value) const {
    const auto i = static_cast<int>(value);
    const int k = i / lattice.extents.nx;
    const int x = i - k * lattice.extents.nx;
    const int population = populations.of[k];
    if (accept != Accept::all) {
      const std::uint16_t index = lattice.node_class(lattice.extents.node(x, y));
      const NodeClass<Real>& node = lattice.classes(index);
      const int of_link = gather ? HeatedD2Q9::opposite(population) : population;
      std::uint32_t cuts = node.cut;
      if (lattice.with_scalar()) cuts |= lattice.scalar_classes(index).cut * 512U;
      const bool cut = ((cuts >> of_link) & 1) != 0;
      const bool wanted =
          accept == Accept::of_uncut_links ? !cut : cut || node.kind == NodeKind::solid;
      if (!wanted) return;
    }
    lattice.populations.data()[population * lattice.extents.plane() + lattice.extents.node(x, y)] =
        buffer[i];
  }
};

/// Launches a kernel for each of two rows.
template <class ExecutionSpace, class Kernel>
void launch(const ExecutionSpace& execution, int values, const Kernel& one, const Kernel& other) {
  launch_both(execution, "knudsen/lbm_d2q9/ghost_rows", values, one, values, other);
}

/// Values of a row that are exchanged.
template <class ExecutionSpace, class Real>
int values_of_row(const Lattice<ExecutionSpace, Real>& lattice) {
  return (lattice.with_scalar() ? 4 : 3) * lattice.extents.nx;
}

}  // namespace

template <class ExecutionSpace, class Real>
GhostRows<ExecutionSpace, Real>::GhostRows(const Lattice<ExecutionSpace, Real>& lattice,
                                           const lbm::Slab& slab)
    : active_(!slab.whole()),
      top_(static_cast<int>(slab.owned()) - 1),
      ghost_(static_cast<int>(slab.ghost())) {
  if (!active_) return;
  const auto values = static_cast<std::size_t>(values_of_row(lattice));
  // Messages to the rank after have tag 0, those to the rank before tag 1.
  to_after_ = exchange_.template add_send<Real>(slab.rank_after(), 0, values);
  to_before_ = exchange_.template add_send<Real>(slab.rank_before(), 1, values);
  from_before_ = exchange_.template add_receive<Real>(slab.rank_before(), 0, values);
  from_after_ = exchange_.template add_receive<Real>(slab.rank_after(), 1, values);
}

template <class ExecutionSpace, class Real>
void GhostRows<ExecutionSpace, Real>::push(const ExecutionSpace& execution,
                                           const Lattice<ExecutionSpace, Real>& lattice,
                                           Arrangement arrangement, Accept accept) {
  if (!active_) return;
  using Save = SaveRow<ExecutionSpace, Real>;
  using Load = LoadRow<ExecutionSpace, Real>;
  const Populations after = of_row_after(arrangement);
  const Populations before = of_row_before(arrangement);
  const bool gather = arrangement == Arrangement::gather;
  const int values = values_of_row(lattice);
  launch(execution, values, Save{lattice, after, ghost_, exchange_.buffer(to_after_)},
         Save{lattice, before, ghost_, exchange_.buffer(to_before_)});
  exchange_.begin(execution);
  exchange_.end(execution);
  launch(execution, values, Load{lattice, after, 0, exchange_.buffer(from_before_), accept, gather},
         Load{lattice, before, top_, exchange_.buffer(from_after_), accept, gather});
}

template <class ExecutionSpace, class Real>
void GhostRows<ExecutionSpace, Real>::pull(const ExecutionSpace& execution,
                                           const Lattice<ExecutionSpace, Real>& lattice,
                                           Arrangement arrangement) {
  if (!active_) return;
  using Save = SaveRow<ExecutionSpace, Real>;
  using Load = LoadRow<ExecutionSpace, Real>;
  const Populations after = of_row_after(arrangement);
  const Populations before = of_row_before(arrangement);
  const int values = values_of_row(lattice);
  // This rank's first row is the row after the slab of the rank before.
  launch(execution, values, Save{lattice, after, 0, exchange_.buffer(to_before_)},
         Save{lattice, before, top_, exchange_.buffer(to_after_)});
  exchange_.begin(execution);
  exchange_.end(execution);
  launch(execution, values,
         Load{lattice, after, ghost_, exchange_.buffer(from_after_), Accept::all, false},
         Load{lattice, before, ghost_, exchange_.buffer(from_before_), Accept::all, false});
}

template <class ExecutionSpace, class Real>
void GhostRows<ExecutionSpace, Real>::update(const ExecutionSpace& execution,
                                             const Lattice<ExecutionSpace, Real>& lattice,
                                             Arrangement next) {
  switch (next) {
    case Arrangement::gather:
    case Arrangement::in_place_odd:
      return pull(execution, lattice, next);
    case Arrangement::scatter:
      return push(execution, lattice, next, Accept::all);
    case Arrangement::in_place_even:
      return push(execution, lattice, next, Accept::of_uncut_links);
  }
}

template <class ExecutionSpace, class Real>
void GhostRows<ExecutionSpace, Real>::begin(const ExecutionSpace& execution,
                                            const Lattice<ExecutionSpace, Real>& lattice,
                                            Arrangement next) {
  if (next == Arrangement::gather) push(execution, lattice, next, Accept::of_uncut_links);
  if (next == Arrangement::scatter) push(execution, lattice, next, Accept::of_cut_links_or_solid);
  pull(execution, lattice, next);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real) template class GhostRows<ExecutionSpace, Real>;
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
