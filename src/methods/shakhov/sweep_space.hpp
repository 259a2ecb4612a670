#pragma once

#include "kinetic/collision_target.hpp"
#include "kinetic/reduced_entries.hpp"
#include "kinetic/surface.hpp"
#include "kinetic/velocity_space.hpp"
#include "methods/shakhov/split_sum.hpp"

namespace knudsen::shakhov {

// Velocities are ordered by octant and grouped into blocks of 8 x 8 x 8. Within an octant they are
// ordered by distance from zero, so that a velocity and its mirror image have the same place in
// their octants. Octants are padded to whole blocks by velocities of zero weight. Distributions are
// stored as weight x f, which obeys the same equation and makes moments plain sums.
//
// With components integrated out (Chu's reduced distributions) a block has two entries along z, see
// VelocitySpace, all in octants of v_z >= 0: of the weight one, since they are integrals along the
// components. A y component integrated out has one node, 0, with the weight one. The factors of
// both components are in the entries.
//
// In a gas with rotation the distribution r of the rotational energy (VelocitySpace) has the same
// velocities once more. Each octant has the blocks of f along z, then as many of r. The sweeps
// treat both alike: targets of r are those of f times the rotational energy of the cell. With
// components integrated out r has one entry; the other one of its blocks has the weight zero.

inline constexpr int block_edge = 8;  ///< velocities of a block along an axis
inline constexpr int block_lanes =
    block_edge * block_edge;  ///< velocities of a block along x and y
inline constexpr int block_size = block_lanes * block_edge;  ///< velocities of a block
inline constexpr int entry_count = 2;  ///< entries along z if components are integrated out

/// Velocities of a block along z, or entries.
inline int block_depth(const VelocityGrid& velocities) {
  return velocities[2].integrated ? entry_count : block_edge;
}

/// Distributions that are swept: f, and in a gas with rotation that of the rotational energy.
inline int distribution_count(const VelocityGrid& velocities) {
  return velocities[2].rotation > 0 ? 2 : 1;
}

/// Memory layout of a block and its distribution over work items. On a GPU an item is one thread of
/// a team with 4 velocities along z, which are contiguous for 16-byte accesses. On the host an item
/// is one SIMD lane with all 8 velocities along z. If `Reduced`, an item has two entries.
template <class ExecutionSpace, class Real, bool Reduced = false>
struct BlockLayout {
  static constexpr bool host = is_host_backend<ExecutionSpace>;
  /// Velocities of an item.
  static constexpr int depth = Reduced ? entry_count : host ? block_edge : 4;
  /// Items of a block.
  static constexpr int items = (Reduced ? block_lanes * entry_count : block_size) / depth;

  /// Memory offset, in the block, of the n-th velocity of an item.
  KOKKOS_INLINE_FUNCTION static constexpr int place(int item, int n) {
    return host ? n * items + item : item * depth + n;
  }
  /// Index along z, in the block, of the first velocity of an item.
  KOKKOS_INLINE_FUNCTION static constexpr int first_z(int item) {
    return item / block_lanes * depth;
  }
  /// Index along x, in the block, of an item's velocities.
  KOKKOS_INLINE_FUNCTION static constexpr int x_of(int item) { return item % block_edge; }
  /// Index along y, in the block, of an item's velocities.
  KOKKOS_INLINE_FUNCTION static constexpr int y_of(int item) {
    return item % block_lanes / block_edge;
  }
  /// Item that owns the velocity at a memory offset.
  KOKKOS_INLINE_FUNCTION static constexpr int item_of(int place) {
    return host ? place % items : place / depth;
  }
  /// Index along z, in the block, of the velocity at a memory offset.
  KOKKOS_INLINE_FUNCTION static constexpr int z_of(int place) {
    return first_z(item_of(place)) + (host ? place / items : place % depth);
  }
};

/// Numbers that describe the equilibrium of a cell, see equilibrium.hpp.
inline constexpr int target_size = 12;
/// Raw moments of a cell of a monatomic gas, see RawMoments<13>.
inline constexpr int moment_count = 13;
/// The same with the rotational energy, see RawMoments<14>.
inline constexpr int max_moment_count = 14;

// The class of a cell is a bit field. The lowest six bits tell on which sides (in the order of
// Side) a gas cell has a wall or a side of the box. The next bits mark solid cells, cut cells, and
// cells that stay of first order since the second has no positive solution there. The bits above
// hold the cell's row in SweepSpace::faces.
inline constexpr int solid_bit = 1 << 6;
inline constexpr int cut_bit = 1 << 7;
inline constexpr int positive_bit = 1 << 8;
inline constexpr int first_order_bits = cut_bit | positive_bit;
inline constexpr int side_bits = solid_bit - 1;
inline constexpr int class_bits = 9;
inline constexpr int max_face_rows = 1 << (31 - class_bits);  ///< rows of SweepSpace::faces

/// Column of SweepSpace::faces, and SweepSpace::face_side, of the surface in a cut cell.
inline constexpr int facet_side = 6;

/// Places in SweepSpace::outgoing of what enters from solids whose walls make it at each face, and
/// of what leaves towards those of Cercignani and Lampis.
inline constexpr int entering_from_solids = 12;
inline constexpr int leaving_to_solids = 13;

// Numbers of a cut cell in SweepSpace::cuts, all but the last divided by the open share of its
// volume:
/// Area vector of its surface, into the gas, over the volume of the whole cell.
inline constexpr int into_gas_number = 0;
inline constexpr int open_number = 3;  ///< open shares of its six faces
inline constexpr int inverse_area_number =
    9;  ///< one over the length of the vector; 0 if that is 0
inline constexpr int cut_number_count = 10;

/// All data of the sweeps on a backend. Walls are numbered as in Surfaces: the six sides of the
/// box, the bodies, the parts of sides. Behind them each surface of given heat flux in a cut cell
/// is a wall of its own, in the order of made_face, whose factors and inflow are those at its
/// temperature (FaceEmission). Faces are first those of the cells along each side of the
/// box, ordered by side, then by the other two axes (the lower one fastest), then those between gas
/// and bodies: whole faces of cells, or the surfaces in cut cells, one for each.
template <class ExecutionSpace, class Real>
struct SweepSpace {  // NOLINT: names in its implicit copy are the compiler's
  int dimensions = 3;
  int cells[3] = {1, 1, 1};  ///< cells along x, y, z
  int order = 1;             ///< of the upwind differences

  // Velocities. Nodes are indexed sign * length + place; sign 1 holds zero and positive velocities.
  VelocitySpace<ExecutionSpace, Real> velocities;  ///< for the discrete moments of Maxwellians
  int depth = block_edge;                          ///< velocities of a block along z, or entries
  int blocks[3] = {1, 1, 1};                       ///< blocks of an octant along each axis
  /// Velocities of an octant, with padding; along z those of all distributions.
  int length[3] = {8, 8, 8};
  View<Real*, ExecutionSpace> nodes[3];    ///< velocity components
  View<Real*, ExecutionSpace> weights[3];  ///< quadrature weights; zero for padding

  // Geometry.
  View<Real*, ExecutionSpace> inverse_width[3];  ///< 1 / cell width; zero beyond the dimensions
  /// Second order, indexed (sign, cell): weight of the upwind difference in the value extrapolated
  /// to the downwind face.
  View<Real**, ExecutionSpace> extrapolation[3];
  View<double*, ExecutionSpace> width[3];  ///< cell width; one beyond the dimensions
  View<int*, ExecutionSpace> cell_class;   ///< bit field, see above
  /// Second order: iterations in a row in which the step of each cell was shortened (RowChanges),
  /// since the moments settled.
  View<int*, ExecutionSpace> held;
  bool settled = false;    ///< second order: the last iteration changed the moments little
  bool shortened = false;  ///< it shortened the step of a cell
  bool starting = false;   ///< second order: first iterates, whose heat flux is limited
  /// Face on each side of a cell at walls, then that in a cut cell; -1 for none.
  View<int* [7], ExecutionSpace> faces;
  View<int*, ExecutionSpace> face_wall;  ///< wall of each face
  View<int*, ExecutionSpace> face_side;  ///< side of the gas cell that each face is on
  /// Second order: `extrapolation` of the gas cell towards each face.
  View<Real*, ExecutionSpace> face_extrapolation;
  int first_face[7] = {};  ///< first face of each side of the box, then that of the cut cells

  // Cut cells, in the order of their faces.
  View<Real* [cut_number_count], ExecutionSpace> cuts;
  View<double*, ExecutionSpace> cut_volume;  ///< open share of the volume
  /// Fluxes into the gas of the wall's Maxwellian of density one, for a unit area.
  View<double* [flux_count], ExecutionSpace> facet_inflow;

  // Walls.
  View<Real**, ExecutionSpace> wall_factors[3];  ///< (wall, velocity): weight x Maxwellian's factor
  View<Real*, ExecutionSpace> diffuse;           ///< diffuse share of each wall
  /// Indexed (wall, side of the cell): mass flux into the gas of the wall's Maxwellian of density
  /// one; zero where the density is given.
  View<double* [6], ExecutionSpace> wall_inflow;
  View<MassBalance*, ExecutionSpace> wall_balance;  ///< SurfaceLaw::balance of each wall
  View<Real*, ExecutionSpace> face_density;  ///< density of the wall's Maxwellian on each face
  /// Values that last left through a side which reflects or is periodic, indexed (face, octant of
  /// the other two axes, block, place). In second order, for an antisymmetric side, they are
  /// followed by as many values of the cells beside it (keeps_cells). From 6 on, by side: what
  /// WallScattering or FaceEmission make to enter, at the places of the mirror images. The last two
  /// are what they make for solids, by row of made_face, and what last left towards the first of
  /// these rows, those that scatter.
  View<Real*, ExecutionSpace> outgoing[14];
  /// By side: components of the velocity that a mirror there reverses (reversed_components).
  int reversed[6] = {1, 1, 2, 2, 4, 4};
  /// Number in `outgoing` of what enters through each side that is not diffuse, then from solids
  /// whose walls make it.
  int outgoing_source[7] = {0, 1, 2, 3, 4, 5, entering_from_solids};
  /// Faces of solids with SurfaceLaw::made_by_face, and for each face its row among them, or -1.
  /// Those that scatter come first, ordered by the side of their cells. Both are empty without such
  /// solids, the latter with cut cells, too.
  View<int*, ExecutionSpace> made_face;
  View<int*, ExecutionSpace> made_row;

  // State of the iteration.
  View<double**, ExecutionSpace> moments;   ///< raw moments, see RawMoments<13> and <14>
  View<double**, ExecutionSpace> previous;  ///< raw moments of the last iteration
  /// Outward flux through each face. While the sweeps add to it: raw moments of the molecules that
  /// leave through the face.
  View<double* [flux_count], ExecutionSpace> flux;
  /// Second order: the same of the cells one further upwind.
  View<double* [flux_count], ExecutionSpace> far_flux;
  /// Sums of a sweep are SplitSum: their high parts are in `moments`, `flux` and `far_flux`, their
  /// low parts here, those of the three views one after the other.
  View<double*, ExecutionSpace> low_parts;
  View<Real* [target_size], ExecutionSpace> target;  ///< equilibria, see equilibrium.hpp
  // Last: in between they moved the other members, and the sweeps of three dimensions in single
  // precision spilled 4 to 24 bytes more (nvcc 13.0, sm_90).
  SumRounding rounding[max_moment_count];  ///< of the terms of each raw moment
  int distributions = 1;                   ///< number of those swept: f, or f and r

  KOKKOS_INLINE_FUNCTION std::size_t cell_count() const {
    return std::size_t(cells[0]) * std::size_t(cells[1]) * std::size_t(cells[2]);
  }
  /// Whether components of the velocity are integrated out.
  KOKKOS_INLINE_FUNCTION bool reduced() const { return velocities.integrated > 0; }
  /// Values of a block.
  KOKKOS_INLINE_FUNCTION int block_values() const { return block_lanes * depth; }
  /// Degrees of freedom of the rotation of a molecule.
  KOKKOS_INLINE_FUNCTION double rotation() const { return velocities.rotation; }
  /// Number of the raw moments of a cell.
  KOKKOS_INLINE_FUNCTION int moment_columns() const { return moment_count + distributions - 1; }
  /// Number of the blocks of an octant that are of f; those behind them are of r.
  KOKKOS_INLINE_FUNCTION int first_rotational_block() const {
    return octant_blocks() / distributions;
  }
  /// Whether a place in `nodes` of z is one of r.
  KOKKOS_INLINE_FUNCTION bool is_rotational(int at) const {
    return at % length[2] >= length[2] / distributions;
  }
  /// Quadrature weight times the factor of a Maxwellian of a place in `nodes`.
  KOKKOS_INLINE_FUNCTION double weighted_factor(const Maxwellian& maxwellian, int axis,
                                                int at) const {
    auto weight = double(weights[axis](at));
    if (axis == 2 && is_rotational(at)) weight *= 0.5 * rotation() * maxwellian.temperature;
    if (axis == 2 && reduced()) {
      return weight * entry_factor(velocities.integrated, at % depth, maxwellian.temperature);
    }
    return weight * maxwellian.factor(axis, double(nodes[axis](at)));
  }
  /// Of a row of entering(side): its face. With facet_side these are the rows of made_face.
  KOKKOS_INLINE_FUNCTION int face_of_row(int side, std::int64_t row) const {
    return side == facet_side ? made_face(row) : static_cast<int>(row) + first_face[side];
  }
  /// The side of the cell that this face is on.
  KOKKOS_INLINE_FUNCTION int side_of_row(int side, std::int64_t row) const {
    return side == facet_side ? face_side(made_face(row)) : side;
  }
  /// Number of the rows of made_face that scatter.
  KOKKOS_INLINE_FUNCTION std::int64_t scattering_rows() const {
    return static_cast<std::int64_t>(outgoing[leaving_to_solids].extent(0)) / row_length();
  }
  /// Row of a face among those of solids that scatter, or -1.
  KOKKOS_INLINE_FUNCTION int scattering_row(int face) const {
    if (outgoing[leaving_to_solids].data() == nullptr) return -1;
    const int row = made_row(face);
    return row < scattering_rows() ? row : -1;
  }
  /// Whether the wall of a solid makes what enters at a face.
  KOKKOS_INLINE_FUNCTION bool is_made(int face) const {
    return made_row.extent(0) > 0 && made_row(face) >= 0;
  }
  /// Values in a row of entering(side).
  KOKKOS_INLINE_FUNCTION std::int64_t row_length() const {
    return std::int64_t{4} * octant_blocks() * block_values();
  }
  /// What enters through a side that is not diffuse, or with facet_side from solids whose walls
  /// make it.
  KOKKOS_INLINE_FUNCTION const View<Real*, ExecutionSpace>& entering(int side) const {
    return outgoing[outgoing_source[side]];
  }
  /// Whether values of cells follow in `outgoing` of a side. Then the cells beside the side are
  /// updated as if those beyond it were there.
  KOKKOS_INLINE_FUNCTION bool keeps_cells(int side) const {
    return order > 1 && reversed[side] != 1 << (side / 2);
  }
  /// Whether what enters through a side has an array of its own.
  KOKKOS_INLINE_FUNCTION bool has_own_entering(int side) const {
    return outgoing_source[side] >= 6;
  }
  /// Adds to a number of `moments`, `flux` or `far_flux`, whose low parts begin at `first_low`.
  template <class Sums>
  KOKKOS_INLINE_FUNCTION void add(const Sums& sums, std::size_t first_low, int row, int column,
                                  const SplitSum& more) const {
    double& high = sums(row, column);
    double& low = low_parts.data()[first_low + std::size_t(&high - sums.data())];
    if constexpr (is_host_backend<ExecutionSpace>) {
      high += more.high;
      low += more.low;
    } else {  // several queues add to the same sums
      Kokkos::atomic_add(&high, more.high);
      Kokkos::atomic_add(&low, more.low);
    }
  }
  KOKKOS_INLINE_FUNCTION void add_to_moment(int cell, int moment, const SplitSum& more) const {
    add(moments, 0, cell, moment, more);
  }
  KOKKOS_INLINE_FUNCTION void add_to_flux(int face, int number, const SplitSum& more) const {
    add(flux, moments.span(), face, number, more);
  }
  KOKKOS_INLINE_FUNCTION void add_to_far_flux(int face, int number, const SplitSum& more) const {
    add(far_flux, moments.span() + flux.span(), face, number, more);
  }
  /// `wall_inflow` of a face.
  KOKKOS_INLINE_FUNCTION double unit_inflow(int face) const {
    const int side = face_side(face);
    if (side == facet_side) return facet_inflow(face - first_face[facet_side], 0);
    return wall_inflow(face_wall(face), side);
  }
  /// Row of `cuts` of a cut cell of this class.
  KOKKOS_INLINE_FUNCTION int cut_row(int cell_class) const {
    return faces(cell_class >> class_bits, facet_side) - first_face[facet_side];
  }
  /// Open share of a cell's volume.
  KOKKOS_INLINE_FUNCTION double open_volume(std::int64_t cell) const {
    const int here = cell_class(cell);
    return (here & cut_bit) == 0 ? 1 : cut_volume(cut_row(here));
  }
  /// Sets the density of a wall that returns mass from the flux onto a face.
  KOKKOS_INLINE_FUNCTION void balance(int face) const {
    const double inflow = unit_inflow(face);
    if (inflow > 0) {
      const MassBalance balance = wall_balance(face_wall(face));
      face_density(face) = static_cast<Real>(balance.density(flux(face, 0), inflow));
    }
  }
  KOKKOS_INLINE_FUNCTION int cell_index(int x, int y, int z) const {
    return (z * cells[1] + y) * cells[0] + x;
  }
  KOKKOS_INLINE_FUNCTION int octant_blocks() const { return blocks[0] * blocks[1] * blocks[2]; }
  /// Index, among the faces of a side of the box, of the cell `at`.
  KOKKOS_INLINE_FUNCTION int side_face(int side, const int (&at)[3]) const {
    const int axis = side / 2;
    if (axis == 0) return at[2] * cells[1] + at[1];
    return (axis == 1 ? at[2] : at[1]) * cells[0] + at[0];
  }
};

/// Octant of the velocities that leave through a side, from its bits of the other two axes.
KOKKOS_INLINE_FUNCTION int octant_behind(int side, int others) {
  const int axis = side / 2;
  const int low = others & ((1 << axis) - 1);
  return low | (side % 2) << axis | (others >> axis) << (axis + 1);
}

/// A block of velocities.
struct Block {
  int octant;     ///< bit d is set if component d is not negative
  int in_octant;  ///< index of the block in its octant
  int first[3];   ///< index of its first velocity in `nodes` of each axis
  int sign[3];    ///< sign of each component: 0 negative, 1 not negative

  template <class Space>
  KOKKOS_INLINE_FUNCTION Block(const Space& space, int number)
      : octant(number / space.octant_blocks()), in_octant(number % space.octant_blocks()) {
    int rest = in_octant;
    for (int d = 0; d < 3; ++d) {
      sign[d] = octant >> d & 1;
      first[d] =
          sign[d] * space.length[d] + rest % space.blocks[d] * (d == 2 ? space.depth : block_edge);
      rest /= space.blocks[d];
    }
  }
  /// Side of a cell through which this block's molecules enter along an axis.
  KOKKOS_INLINE_FUNCTION int upwind_side(int axis) const { return 2 * axis + 1 - sign[axis]; }
  /// Side of a cell through which this block's molecules leave along an axis.
  KOKKOS_INLINE_FUNCTION int downwind_side(int axis) const { return 2 * axis + sign[axis]; }
  /// Offset of this block's values in SweepSpace::outgoing of a side normal to `axis`.
  template <class Space>
  KOKKOS_INLINE_FUNCTION std::size_t outgoing_place(const Space& space, int axis, int face) const {
    const int others = (octant & ((1 << axis) - 1)) | (octant >> (axis + 1) << axis);
    return ((std::size_t(face) * 4 + std::size_t(others)) * std::size_t(space.octant_blocks()) +
            std::size_t(in_octant)) *
           std::size_t(space.block_values());
  }
};

/// The place of a value of SweepSpace::outgoing of a side, from the number of a work item: there is
/// one for each value, in the order of BlockLayout.
template <class ExecutionSpace, class Real>
struct OutgoingPlace {
  std::int64_t face;  ///< of the side; of values of cells, by their number of faces more
  int node[3];        ///< indices of the velocity in SweepSpace::nodes
  std::int64_t index;

  KOKKOS_INLINE_FUNCTION OutgoingPlace(const SweepSpace<ExecutionSpace, Real>& space, int side,
                                       std::int64_t work) {
    if (space.reduced()) {
      find<BlockLayout<ExecutionSpace, Real, true>>(space, side, work);
    } else {
      find<BlockLayout<ExecutionSpace, Real>>(space, side, work);
    }
  }
  /// Index in SweepSpace::nodes of the component along an axis of the velocity that enters there.
  KOKKOS_INLINE_FUNCTION int entering_node(const SweepSpace<ExecutionSpace, Real>& space, int side,
                                           int axis) const {
    if (axis != side / 2) return node[axis];
    return node[axis] + (side % 2 == 0 ? 1 : -1) * space.length[axis];
  }

 private:
  template <class Layout>
  KOKKOS_INLINE_FUNCTION void find(const SweepSpace<ExecutionSpace, Real>& space, int side,
                                   std::int64_t work) {
    const int n = static_cast<int>(work % Layout::depth);
    const int item = static_cast<int>(work / Layout::depth % Layout::items);
    const std::int64_t row = work / space.block_values();
    const int others = static_cast<int>(row / space.octant_blocks() % 4);
    const Block block(space, octant_behind(side, others) * space.octant_blocks() +
                                 static_cast<int>(row % space.octant_blocks()));
    face = row / space.octant_blocks() / 4;
    const int place[3] = {Layout::x_of(item), Layout::y_of(item), Layout::first_z(item) + n};
    for (int d = 0; d < 3; ++d) node[d] = block.first[d] + place[d];
    index = row * space.block_values() + Layout::place(item, n);
  }
};

}  // namespace knudsen::shakhov
