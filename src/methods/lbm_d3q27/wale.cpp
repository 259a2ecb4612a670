#include "methods/lbm_d3q27/wale.hpp"

#include <tuple>

#include "lattice/steps/eddy_viscosity.hpp"
#include "methods/lbm_d3q27/instantiate.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

constexpr NodeIndex no_node = 0xffffffffU;

/// A box of cells and the nodes of the lattice in them, with their velocities.
template <class Real, class ExecutionSpace, bool Sparse>
struct CellBox {
  int count[3];
  NodeIndex stride[3];  ///< from the place of a cell to those of its neighbours
  /// Sparse: the fluid node at each place, or no_node. A dense lattice has node n at place n.
  View<NodeIndex*, ExecutionSpace> numbers;
  const Real* velocity[3];  ///< components, by node; NaN: not fluid

  KOKKOS_FORCEINLINE_FUNCTION NodeIndex place(const int (&at)[3]) const {
    return static_cast<NodeIndex>(at[0]) + static_cast<NodeIndex>(at[1]) * stride[1] +
           static_cast<NodeIndex>(at[2]) * stride[2];
  }
  KOKKOS_FORCEINLINE_FUNCTION NodeIndex node(NodeIndex place) const {
    if constexpr (Sparse) return numbers.data()[place];
    return place;
  }
  /// NaN where there is no fluid.
  KOKKOS_FORCEINLINE_FUNCTION void load(NodeIndex place, Real (&found)[3]) const {
    const NodeIndex n = node(place);
    for (int a = 0; a < 3; ++a) {
      found[a] = Sparse && n == no_node ? Real(NAN) : velocity[a][n];
    }
  }
};

/// Copies velocities in the cells of the first and of the last plane across an axis to buffers,
/// (component, cell).
template <class Real, class ExecutionSpace, bool Sparse>
struct CopyPlanes {
  CellBox<Real, ExecutionSpace, Sparse> cells;
  int axis;
  int plane_cells;
  Real* buffer[2];

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const int last = i < plane_cells ? 0 : 1;
    const int in_plane = static_cast<int>(i) - last * plane_cells;
    const int along[2] = {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
    int at[3];
    at[along[0]] = in_plane % cells.count[along[0]];
    at[along[1]] = in_plane / cells.count[along[0]];
    at[axis] = last == 0 ? 0 : cells.count[axis] - 1;
    Real velocity[3];
    cells.load(cells.place(at), velocity);
    for (int a = 0; a < 3; ++a) buffer[last][a * plane_cells + in_plane] = velocity[a];
  }
};

/// Sets the eddy times of the nodes in a column of cells along z. Where a neighbour is not fluid
/// the difference is that to the other one, so that no velocity of a wall is needed; the model's
/// viscosity falls with the cube of the distance from a wall.
template <class LatticeType, bool Sparse>
struct SetEddyTimes {
  using ExecutionSpace = typename LatticeType::Execution;
  using Real = typename LatticeType::Real;
  using EddyTime = typename LatticeType::EddyTime;

  CellBox<Real, ExecutionSpace, Sparse> cells;
  View<EddyTime*, ExecutionSpace> eddy_times;
  bool periodic[3];
  int cut_axis;
  int plane_cells;
  const Real* beyond[2];  ///< planes of other ranks before and after the box; null: the end
  Real factor;            ///< 3/2 C^2

  /// Cells of a column. On a GPU a thread keeps the velocities of a cell for the next two.
  static constexpr int height = is_host_backend<ExecutionSpace> ? 1 : 8;

  /// The columns, and which of them a team of a GPU takes, so that neighbours share their loads.
  auto policy(const ExecutionSpace& execution) const {
    constexpr bool is_double = sizeof(Real) == sizeof(double);
    using Left = Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
    using Policy = Kokkos::MDRangePolicy<ExecutionSpace, Left, Kokkos::IndexType<int>,
                                         Kokkos::LaunchBounds<256, is_double ? 3 : 6>>;
    const int columns = (cells.count[2] + height - 1) / height;
    return Policy(execution, {0, 0, 0}, {cells.count[0], cells.count[1], columns}, {64, 4, 1});
  }

  KOKKOS_INLINE_FUNCTION void operator()(int x, int y, int column) const {
    int at[3] = {x, y, column * height};
    const int end = at[2] + height < cells.count[2] ? at[2] + height : cells.count[2];
    NodeIndex place = cells.place(at);
    // The same for all cells of a column: from its cells to their neighbours beside it.
    const bool inside = within(0, x) && within(1, y);
    const NodeIndex beside[2][2] = {
        {neighbour_place(at, place, 0, false) - place, neighbour_place(at, place, 0, true) - place},
        {neighbour_place(at, place, 1, false) - place,
         neighbour_place(at, place, 1, true) - place}};
    Real below[3];
    Real own[3];
    neighbour(at, place, 2, false, below);
    cells.load(place, own);
    for (; at[2] < end; ++at[2], place += cells.stride[2]) {
      Real above[3];
      neighbour(at, place, 2, true, above);
      Real twice[3][3];  // the gradient
      Real sum = own[0];
      for (int axis = 0; axis < 2; ++axis) {
        Real lower[3];
        Real upper[3];
        cells.load(place + beside[axis][0], lower);
        cells.load(place + beside[axis][1], upper);
        for (int a = 0; a < 3; ++a) twice[a][axis] = upper[a] - lower[a];
        sum += twice[0][axis];
      }
      for (int a = 0; a < 3; ++a) twice[a][2] = above[a] - below[a];
      sum += twice[0][2];
      if (!inside || !(sum == sum)) differentiate_at_walls(at, place, below, own, above, twice);
      if (own[0] == own[0]) set_eddy_time(place, twice);
      for (int a = 0; a < 3; ++a) {
        below[a] = own[a];
        own[a] = above[a];
      }
    }
  }
  /// `twice`: the gradient of the velocity. The viscosity grows with it in proportion.
  KOKKOS_FORCEINLINE_FUNCTION void set_eddy_time(NodeIndex place, const Real (&twice)[3][3]) const {
    const Real eddy_time = factor * wale_viscosity(twice);
    // No flow within the limit of speeds has so large a one. In 16 bits it would be infinite, and
    // the collision would go on without a word; NaN is found.
    eddy_times.data()[cells.node(place)] = EddyTime(eddy_time < Real(0.99) ? eddy_time : Real(NAN));
  }
  /// Twice the gradient in a cell whose neighbours may be solid, or in the planes of another rank.
  KOKKOS_INLINE_FUNCTION void differentiate_at_walls(const int (&at)[3], NodeIndex place,
                                                     const Real (&below)[3], const Real (&own)[3],
                                                     const Real (&above)[3],
                                                     Real (&twice)[3][3]) const {
    for (int axis = 0; axis < 2; ++axis) {
      Real lower[3];
      Real upper[3];
      neighbour(at, place, axis, false, lower);
      neighbour(at, place, axis, true, upper);
      differentiate(axis, lower, own, upper, twice);
    }
    differentiate(2, below, own, above, twice);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void differentiate(int axis, const Real (&lower)[3],
                                                        const Real (&own)[3],
                                                        const Real (&upper)[3],
                                                        Real (&twice)[3][3]) {
    const bool has_lower = lower[0] == lower[0];
    const bool has_upper = upper[0] == upper[0];
    const Real scale = has_lower && has_upper ? Real(1) : Real(2);
    for (int a = 0; a < 3; ++a) {
      twice[a][axis] = scale * ((has_upper ? upper[a] : own[a]) - (has_lower ? lower[a] : own[a]));
    }
  }

  /// Whether both neighbours along an axis are in the box.
  KOKKOS_FORCEINLINE_FUNCTION bool within(int axis, int at) const {
    return (at > 0 && at + 1 < cells.count[axis]) || (periodic[axis] && axis != cut_axis);
  }
  /// The place of the lower or upper neighbour of a cell along an axis in the box; of the cell
  /// itself where there is none.
  KOKKOS_FORCEINLINE_FUNCTION NodeIndex neighbour_place(const int (&at)[3], NodeIndex place,
                                                        int axis, bool is_upper) const {
    const int last = cells.count[axis] - 1;
    const bool leaves = at[axis] == (is_upper ? last : 0);
    // No branch, which would cost more than to load a velocity that is not needed.
    const NodeIndex by = (leaves ? static_cast<NodeIndex>(last) : 1) * cells.stride[axis];
    const NodeIndex to = is_upper == leaves ? place - by : place + by;
    return !leaves || periodic[axis] ? to : place;
  }
  /// Velocity of the lower or upper neighbour of a cell along an axis; NaN if that has no fluid.
  KOKKOS_FORCEINLINE_FUNCTION void neighbour(const int (&at)[3], NodeIndex place, int axis,
                                             bool is_upper, Real (&velocity)[3]) const {
    const bool leaves = at[axis] == (is_upper ? cells.count[axis] - 1 : 0);
    if (axis == cut_axis && leaves) {
      const Real* const plane = beyond[is_upper ? 1 : 0];
      const int in_plane = axis == 0   ? at[1] + cells.count[1] * at[2]
                           : axis == 1 ? at[0] + cells.count[0] * at[2]
                                       : at[0] + cells.count[0] * at[1];
      for (int a = 0; a < 3; ++a) {
        velocity[a] = plane == nullptr ? Real(NAN) : plane[a * plane_cells + in_plane];
      }
      return;
    }
    cells.load(neighbour_place(at, place, axis, is_upper), velocity);
    if (leaves && !periodic[axis]) velocity[0] = Real(NAN);
  }
};

}  // namespace

template <class LatticeType>
WaleField<LatticeType>::WaleField(const NodeMap& map, const LatticePart& part,
                                  const std::array<int, 3>& nodes,
                                  const std::array<bool, 3>& periodic, double constant,
                                  LatticeType& lattice)
    : constant_(constant),
      cells_(nodes),
      periodic_(periodic),
      velocity_("velocity for the eddy viscosity", 3, lattice.nodes) {
  Kokkos::deep_copy(velocity_, Real(NAN));  // fluid nodes alone get another value
  lattice.eddy_times =
      View<typename LatticeType::EddyTime*, ExecutionSpace>("eddy times", lattice.nodes);
  const auto axis = static_cast<std::size_t>(part.axis());
  std::array<int, 3> begin{};
  std::array<int, 3> end = nodes;
  const lbm::Slab& slab = part.slab();
  std::tie(begin[axis], end[axis]) = part.planes_of_domain(slab.rank);
  cells_[axis] = end[axis] - begin[axis];
  std::vector<int> owners;  // ranks with planes of the domain
  std::size_t place = 0;    // of this rank among them
  for (int rank = 0; rank < slab.ranks; ++rank) {
    const auto [first, last] = part.planes_of_domain(rank);
    if (first == last) continue;
    if (rank == slab.rank) place = owners.size();
    owners.push_back(rank);
  }
  if (map.sparse) {
    std::vector<NodeIndex> numbers;
    for (int z = begin[2]; z < end[2]; ++z) {
      for (int y = begin[1]; y < end[1]; ++y) {
        for (int x = begin[0]; x < end[0]; ++x) {
          const std::uint64_t n = map.index(x, y, z);
          numbers.push_back(map.is_fluid(n) ? static_cast<NodeIndex>(n) : no_node);
        }
      }
    }
    numbers_ = View<NodeIndex*, ExecutionSpace>("fluid nodes by cell", numbers.size());
    Kokkos::deep_copy(numbers_, HostView<const NodeIndex*>(numbers.data(), numbers.size()));
  }
  if (owners.size() < 2 || cells_[axis] == 0) return;
  cut_axis_ = part.axis();
  ends_[0] = begin[axis] == 0 && !periodic[axis];
  ends_[1] = end[axis] == nodes[axis] && !periodic[axis];
  const std::size_t values = 3 * static_cast<std::size_t>(cells_[(axis + 1) % 3]) *
                             static_cast<std::size_t>(cells_[(axis + 2) % 3]);
  const int after = owners[(place + 1) % owners.size()];
  const int before = owners[(place + owners.size() - 1) % owners.size()];
  // Messages up have tag 0, messages down tag 1.
  to_after_ = exchange_.template add_send<Real>(after, 0, values);
  to_before_ = exchange_.template add_send<Real>(before, 1, values);
  from_before_ = exchange_.template add_receive<Real>(before, 0, values);
  from_after_ = exchange_.template add_receive<Real>(after, 1, values);
}

template <class LatticeType>
void WaleField<LatticeType>::store(const ContextOf<LatticeType>& context, LatticeType& lattice,
                                   int parity) {
  if constexpr (is_host_backend<ExecutionSpace>) {
    store_velocity(context, lattice, parity, velocity_);
  } else {
    lattice.velocity_before = velocity_.data();
  }
}

template <class LatticeType>
void WaleField<LatticeType>::evaluate(const ContextOf<LatticeType>& context, LatticeType& lattice) {
  lattice.velocity_before = nullptr;
  if (lattice.sparse) {
    evaluate<true>(context.execution, lattice);
  } else {
    evaluate<false>(context.execution, lattice);
  }
}

template <class LatticeType>
template <bool Sparse>
void WaleField<LatticeType>::evaluate(const ExecutionSpace& execution, const LatticeType& lattice) {
  const auto nx = static_cast<NodeIndex>(Sparse ? cells_[0] : lattice.extents.pitch);
  const auto ny = static_cast<NodeIndex>(Sparse ? cells_[1] : lattice.extents.ny);
  const Real* const velocity = velocity_.data();
  const CellBox<Real, ExecutionSpace, Sparse> cells{
      {cells_[0], cells_[1], cells_[2]},
      {1, nx, nx * ny},
      numbers_,
      {velocity, velocity + velocity_.extent(1), velocity + 2 * velocity_.extent(1)}};
  SetEddyTimes<LatticeType, Sparse> kernel{
      cells, lattice.eddy_times, {periodic_[0], periodic_[1], periodic_[2]},    cut_axis_,
      0,     {nullptr, nullptr}, static_cast<Real>(1.5 * constant_ * constant_)};
  if (cut_axis_ >= 0) {
    using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    const auto axis = static_cast<std::size_t>(cut_axis_);
    const int plane_cells = cells_[(axis + 1) % 3] * cells_[(axis + 2) % 3];
    Kokkos::parallel_for("knudsen/lbm_d3q27/copy_velocity_planes",
                         Policy(execution, 0, 2 * std::int64_t{plane_cells}),
                         CopyPlanes<Real, ExecutionSpace, Sparse>{
                             cells,
                             cut_axis_,
                             plane_cells,
                             {exchange_.buffer(to_before_), exchange_.buffer(to_after_)}});
    exchange_.begin(execution);
    exchange_.end(execution);
    kernel.plane_cells = plane_cells;
    if (!ends_[0]) kernel.beyond[0] = exchange_.buffer(from_before_);
    if (!ends_[1]) kernel.beyond[1] = exchange_.buffer(from_after_);
  }
  Kokkos::parallel_for("knudsen/lbm_d3q27/eddy_viscosity", kernel.policy(execution), kernel);
}

#define KNUDSEN_INSTANTIATE(...) template class WaleField<__VA_ARGS__>;
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
