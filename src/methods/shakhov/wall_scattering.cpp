#include "methods/shakhov/wall_scattering.hpp"

#include <algorithm>
#include <numeric>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "methods/gas/surfaces.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::shakhov {
namespace {

/// Place of a node in the values that leave through a face on `side` (SweepSpace::outgoing). Nodes
/// along the normal count by their distance from zero, others in increasing order.
template <class ExecutionSpace, class Real>
int place_of_node(const FlowGrid& grid, const SweepSpace<ExecutionSpace, Real>& space, int side,
                  int axis, int node) {
  using Layout = BlockLayout<ExecutionSpace, Real>;
  using Entries = BlockLayout<ExecutionSpace, Real, true>;
  int others = 0;
  int in_octant = node;
  if (axis != side / 2) {
    const std::vector<double>& nodes = grid.velocities[static_cast<std::size_t>(axis)].nodes;
    const auto negative =
        static_cast<int>(std::count_if(nodes.begin(), nodes.end(), [](double v) { return v < 0; }));
    others = (node < negative ? 0 : 1) << (axis < side / 2 ? axis : axis - 1);
    in_octant = node < negative ? negative - 1 - node : node - negative;
  }
  const int edge = axis == 2 ? space.depth : block_edge;
  const int block = in_octant / edge;
  const int in_block = in_octant % edge;
  const auto place_of = [&](int item, int n) {
    return space.reduced() ? Entries::place(item, n) : Layout::place(item, n);
  };
  int place = 0;
  if (axis == 0) place = place_of(in_block, 0);
  if (axis == 1) place = place_of(block_edge * in_block, 0);
  if (axis == 2) {
    const int depth = space.reduced() ? Entries::depth : Layout::depth;
    place = place_of(in_block / depth * block_lanes, in_block % depth);
  }
  int stride = 1;
  for (int d = 0; d < axis; ++d) stride *= space.blocks[d];
  return (others * space.octant_blocks() + stride * block) * space.block_values() + place;
}

/// Sums over the velocities of what enters through a face.
template <class ExecutionSpace, class Real>
struct EnteringFlux {
  SweepSpace<ExecutionSpace, Real> space;
  int side;
  View<double* [flux_count], ExecutionSpace> flux;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t face) const {
    double sum[flux_count] = {};
    const std::int64_t length = space.row_length();
    const int of_cell = space.side_of_row(side, face);
    const int axis = of_cell / 2;
    for (std::int64_t work = face * length; work < (face + 1) * length; ++work) {
      const OutgoingPlace<ExecutionSpace, Real> place(space, of_cell, work);
      double v[3];
      for (int d = 0; d < 3; ++d) {
        v[d] = double(space.nodes[d](place.entering_node(space, of_cell, d)));
      }
      const double flow = std::fabs(v[axis]) * double(space.entering(side)(place.index));
      // The second entry, and the rotational energy.
      if ((space.reduced() && place.node[2] % space.depth == 1) ||
          space.is_rotational(place.node[2])) {
        sum[4] += 0.5 * flow;
        continue;
      }
      sum[0] += flow;
      for (int d = 0; d < 3; ++d) {
        sum[1 + d] += flow * v[d];
        sum[4] += 0.5 * flow * v[d] * v[d];
      }
    }
    for (int n = 0; n < flux_count; ++n) flux(face, n) = sum[n];
  }
};

}  // namespace

std::vector<int> owners_of_outgoing(const BlockShares& shares, int octant_blocks, int side) {
  std::vector<int> owners;
  for (int others = 0; others < 4; ++others) {
    for (int block = 0; block < octant_blocks; ++block) {
      owners.push_back(shares.owner(octant_behind(side, others), block));
    }
  }
  return owners;
}

template <class ExecutionSpace, class Real>
WallScattering<ExecutionSpace, Real>::WallScattering(const FlowGrid& grid,
                                                     const SweepSpace<ExecutionSpace, Real>& space,
                                                     bool whole_octants)
    : shares_(grid, space.octant_blocks(), whole_octants, world().size()) {
  const std::vector<SideCondition> walls = Surfaces(grid.sides, grid.solids).conditions;
  const std::vector<int> wall_of_face = to_list(space.face_wall);
  const auto length = static_cast<std::size_t>(space.row_length());
  std::size_t largest = 0;
  const auto add = [&](int side, int leaving, int entering, std::size_t first_row,
                       const std::vector<int>& wall_of_row) {
    largest = std::max(largest, wall_of_row.size() * length);
    sides_.push_back(
        {side, leaving, entering, first_row * length,
         make_scattering_faces<ExecutionSpace>(
             grid.velocities, walls, wall_of_row, side / 2, true, [&](int axis, int node, bool) {
               return place_of_node(grid, space, side, axis, node);
             })});
  };
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    if (!surface_law(grid.sides[static_cast<std::size_t>(side)]).scatters) continue;
    const auto first = wall_of_face.begin() + space.first_face[side];
    const auto rows = static_cast<std::ptrdiff_t>(space.outgoing[side].extent(0) / length);
    add(side, side, space.outgoing_source[side], 0, {first, first + rows});
  }
  const std::vector<int> faces = to_list(space.made_face);
  const std::vector<int> side_of_face = to_list(space.face_side);
  const auto rows = static_cast<std::size_t>(space.scattering_rows());
  for (std::size_t row = 0; row < rows;) {
    const std::size_t first = row;
    const int side = side_of_face[static_cast<std::size_t>(faces[row])];
    std::vector<int> wall_of_row;
    for (; row < rows && side_of_face[static_cast<std::size_t>(faces[row])] == side; ++row) {
      wall_of_row.push_back(wall_of_face[static_cast<std::size_t>(faces[row])]);
    }
    add(side, leaving_to_solids, entering_from_solids, first, wall_of_row);
  }
  if (largest > 0) scratch_ = View<Real*, ExecutionSpace>("scratch of walls", largest);
}

template <class ExecutionSpace, class Real>
View<Real*, ExecutionSpace> WallScattering<ExecutionSpace, Real>::leaving(
    const SweepSpace<ExecutionSpace, Real>& space, const Side& side) const {
  const std::size_t values =
      side.faces.wall.extent(0) * static_cast<std::size_t>(space.row_length());
  return Kokkos::subview(space.outgoing[side.leaving],
                         Kokkos::make_pair(side.begin, side.begin + values));
}

template <class ExecutionSpace, class Real>
void WallScattering<ExecutionSpace, Real>::scatter(const ExecutionSpace& execution,
                                                   const SweepSpace<ExecutionSpace, Real>& space) {
  for (const Side& side : sides_) {
    knudsen::scatter(execution, side.faces, space.outgoing[side.leaving].data() + side.begin,
                     scratch_.data(), space.outgoing[side.entering].data() + side.begin,
                     space.row_length());
  }
}

template <class ExecutionSpace, class Real>
void WallScattering<ExecutionSpace, Real>::share(
    const SweepSpace<ExecutionSpace, Real>& space) const {
  const Communicator& ranks = world();
  if (ranks.size() == 1) return;
  for (const Side& side : sides_) {
    const std::vector<int> owners = owners_of_outgoing(shares_, space.octant_blocks(), side.number);
    const View<Real*, ExecutionSpace> kept = leaving(space, side);
    std::vector<Real> values = to_list(kept);
    const auto block_values = static_cast<std::size_t>(space.block_values());
    const std::size_t blocks = values.size() / block_values;
    const auto owner = [&](std::size_t block) {
      return static_cast<std::size_t>(owners[block % owners.size()]);
    };
    std::vector<Real> own;
    std::vector<std::size_t> next(static_cast<std::size_t>(ranks.size()), 0);
    for (std::size_t block = 0; block < blocks; ++block) {
      ++next[owner(block)];
      if (owner(block) != static_cast<std::size_t>(ranks.rank())) continue;
      const Real* from = values.data() + block * block_values;
      own.insert(own.end(), from, from + block_values);
    }
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
    const std::vector<Real> all = ranks.concatenate(std::move(own));
    for (std::size_t block = 0; block < blocks; ++block) {
      std::copy_n(all.data() + next[owner(block)]++ * block_values, block_values,
                  values.data() + block * block_values);
    }
    upload(kept, values);
  }
}

template <class ExecutionSpace, class Real>
HostView<double* [flux_count]> entering_flux(const SweepSpace<ExecutionSpace, Real>& space,
                                             int side) {
  const auto faces = static_cast<std::int64_t>(space.entering(side).extent(0)) / space.row_length();
  const View<double* [flux_count], ExecutionSpace> flux("entering flux",
                                                        static_cast<std::size_t>(faces));
  Kokkos::parallel_for(
      "knudsen/shakhov/entering_flux",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, faces),
      EnteringFlux<ExecutionSpace, Real>{space, side, flux});
  HostView<double* [flux_count]> host("entering flux", static_cast<std::size_t>(faces));
  Kokkos::deep_copy(host, flux);
  return host;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                     \
  template WallScattering<ExecutionSpace, Real>::WallScattering(                      \
      const FlowGrid&, const SweepSpace<ExecutionSpace, Real>&, bool);                \
  template View<Real*, ExecutionSpace> WallScattering<ExecutionSpace, Real>::leaving( \
      const SweepSpace<ExecutionSpace, Real>&, const Side&) const;                    \
  template void WallScattering<ExecutionSpace, Real>::scatter(                        \
      const ExecutionSpace&, const SweepSpace<ExecutionSpace, Real>&);                \
  template void WallScattering<ExecutionSpace, Real>::share(                          \
      const SweepSpace<ExecutionSpace, Real>&) const;                                 \
  template HostView<double* [flux_count]> entering_flux<ExecutionSpace, Real>(        \
      const SweepSpace<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
